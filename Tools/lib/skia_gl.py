"""Measures blurs of Skia's GPU backend, from a texture to memory, and prints the result as a flat JSON object.

    skia_gl.py PICTURE WIDTHxHEIGHT [--sigmas S,...] [--runs N]

Tools/bench gpu and the hardware kit (Tools/gpu-kit) run this script in a process of its own, because Skia and Frost each
have a GL context. It needs numpy and skia-python. FROST_EGL_DEVICE is the number of the EGL device to use; without it, EGL
chooses the device.
"""

import argparse
import ctypes
import json
import os
import time

import numpy
import skia

SURFACELESS, DEVICE, OPENGL, END = 0x31DD, 0x313F, 0x30A2, 0x3038
GL_RENDERER = 0x1F01


def display(egl):
    """Returns the EGL display of the chosen device."""
    number = os.environ.get("FROST_EGL_DEVICE")
    if number is None:
        return egl.eglGetPlatformDisplay(SURFACELESS, None, None)
    address = egl.eglGetProcAddress(b"eglQueryDevicesEXT")
    assert address, "EGL cannot list devices"
    query = ctypes.CFUNCTYPE(ctypes.c_uint, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)(address)
    devices, count = (ctypes.c_void_p * 64)(), ctypes.c_int()
    assert query(64, devices, ctypes.byref(count)) and int(number) < count.value, f"no EGL device {number}"
    return egl.eglGetPlatformDisplay(DEVICE, devices[int(number)], None)


def desktop_context():
    """Creates an OpenGL context without a window, makes it current, and returns the name of the device."""
    egl = ctypes.CDLL("libEGL.so.1", ctypes.RTLD_GLOBAL)
    gl = ctypes.CDLL("libGL.so.1", ctypes.RTLD_GLOBAL)
    pointer = ctypes.c_void_p
    egl.eglGetPlatformDisplay.restype = egl.eglCreateContext.restype = egl.eglGetProcAddress.restype = pointer
    egl.eglGetProcAddress.argtypes = [ctypes.c_char_p]
    egl.eglGetPlatformDisplay.argtypes = [ctypes.c_uint, pointer, pointer]
    egl.eglInitialize.argtypes = [pointer] * 3
    egl.eglChooseConfig.argtypes = [pointer, pointer, pointer, ctypes.c_int, pointer]
    egl.eglCreateContext.argtypes = egl.eglMakeCurrent.argtypes = [pointer] * 4
    shown = display(egl)
    assert shown and egl.eglInitialize(shown, None, None) and egl.eglBindAPI(OPENGL), "EGL has no OpenGL"
    config, count = pointer(), ctypes.c_int()
    renderable = (ctypes.c_int * 5)(0x3040, 8, 0x3033, 0, END)
    assert egl.eglChooseConfig(shown, renderable, ctypes.byref(config), 1, ctypes.byref(count)), "no EGL configuration"
    version = (ctypes.c_int * 5)(0x3098, 3, 0x30FB, 3, END)
    context = egl.eglCreateContext(shown, config, None, version)
    assert context and egl.eglMakeCurrent(shown, None, None, context), "no context of OpenGL 3.3"
    gl.glGetString.restype = ctypes.c_char_p
    return gl.glGetString(GL_RENDERER).decode()


def times(picture, width, height, sigmas, runs):
    """Returns the fastest time of a blur in ms for each sigma."""
    context = skia.GrDirectContext.MakeGL(skia.GrGLInterface.MakeEGL())
    assert context, "Skia cannot use the context"
    image = skia.Image.open(picture).convert(colorType=skia.kRGBA_8888_ColorType).resize(width, height)
    texture = image.makeTextureImage(context)
    surface = skia.Surface.MakeRenderTarget(
        context, skia.Budgeted.kNo,
        skia.ImageInfo.Make(width, height, skia.kRGBA_8888_ColorType, skia.kPremul_AlphaType))
    result = {}
    for sigma in sigmas:
        paint = skia.Paint(ImageFilter=skia.ImageFilters.Blur(sigma, sigma, skia.TileMode.kClamp))
        best = float("inf")
        for _ in range(runs + 1):
            began = time.perf_counter()
            surface.getCanvas().clear(0)
            surface.getCanvas().drawImage(texture, 0, 0, skia.SamplingOptions(), paint)
            surface.makeImageSnapshot().toarray(colorType=skia.kRGBA_8888_ColorType)
            best = min(best, time.perf_counter() - began)
        result[sigma] = best * 1000
    return result


def main():
    parser = argparse.ArgumentParser(description="Measures blurs of Skia's GPU backend.")
    parser.add_argument("picture")
    parser.add_argument("size", metavar="WIDTHxHEIGHT")
    parser.add_argument("--sigmas", default="2,8,30,100")
    parser.add_argument("--runs", type=int, default=7, help="runs of each blur; default 7")
    options = parser.parse_args()
    width, height = map(int, options.size.split("x"))
    renderer = desktop_context()
    sigmas = [float(sigma) for sigma in options.sigmas.split(",")]
    found = times(options.picture, width, height, sigmas, options.runs)
    print(json.dumps({"version": skia.__version__, "numpy": numpy.__version__, "renderer": renderer}
                     | {f"sigma_{sigma:g}": round(ms, 3) for sigma, ms in found.items()}))


main()
