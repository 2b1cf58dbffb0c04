/*
 * frost.h - the C interface of Frost, a library that blurs images on a GPU (EGL and OpenGL ES) or on the CPU.
 *
 * This header includes all others. A program may instead include, and read, only those that it needs:
 *
 *   to blur images in memory       frost_blur.h, with frost_base.h, frost_effect.h and frost_pixels.h
 *   for panels over a picture      frost_backdrop.h, with frost_base.h and frost_effect.h
 *   on textures, as compositors    frost_gl.h, with the three above; frost_gl_programs.h before the first frame
 *   with dma-bufs and timelines    frost_dmabuf.h
 *   to animate                     frost_clock.h
 *   for masks, content and clips   frost_layers.h
 *   for lists, devices and a log,
 *   and effects as keys of tables  frost_info.h
 *
 * frost_base.h has the conventions of all functions. Each header begins with what a program does for a frame.
 * Two more headers have a library of their own: frost_images.h, which blurs encoded pictures, and frost_motion.h, which
 * draws scenes and moves items by physical behaviors.
 *
 * The headers together are the contract of the binary interface: declarations may be added, and none changes its
 * meaning.
 *
 * docs/Embedding-C.md has an example, docs/Compositors.md states what live backdrops cost, and docs/Embedding-Python.md
 * describes the Python interface.
 */
#ifndef FROST_H
#define FROST_H

#include "frost_base.h"
#include "frost_effect.h"
#include "frost_pixels.h"
#include "frost_layers.h"
#include "frost_info.h"
#include "frost_blur.h"
#include "frost_backdrop.h"
#include "frost_gl.h"
#include "frost_gl_programs.h"
#include "frost_dmabuf.h"
#include "frost_clock.h"

#endif
