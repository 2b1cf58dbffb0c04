"""The structs of frost.h."""

from __future__ import annotations

import ctypes
from ctypes import (
    POINTER, Structure, c_char, c_char_p, c_double, c_float, c_int32, c_int64, c_size_t, c_uint32, c_uint64, c_void_p)
from typing import Any


def decoded(field: bytes) -> str:
    """Returns a text of the library."""
    return field.decode("utf-8", "replace")


class Sized(Structure):
    """A struct whose first member is the size of the struct."""

    def __init__(self, **fields: Any) -> None:
        super().__init__(struct_size=ctypes.sizeof(self), **fields)


class RendererOptions(Sized):
    _fields_ = [
        ("struct_size", c_size_t), ("backend", c_int32), ("threads", c_int32), ("device", c_char_p),
        ("gpu_timeout", c_double),
    ]


class ImageStruct(Sized):
    """An image. The structs frost_source and frost_target both have this layout."""

    _fields_ = [
        ("struct_size", c_size_t), ("width", c_int32), ("height", c_int32), ("channels", c_int32), ("sample", c_int32),
        ("alpha", c_int32), ("reserved", c_int32), ("bytes_per_row", c_size_t), ("pixels", c_void_p),
        ("byte_count", c_size_t),
    ]


class RectStruct(Structure):
    _fields_ = [("x", c_int32), ("y", c_int32), ("width", c_int32), ("height", c_int32)]


class EffectOptions(Sized):
    _fields_ = [("struct_size", c_size_t), ("dither", c_int32), ("light", c_int32)]


class Content(Sized):
    _fields_ = [
        ("struct_size", c_size_t), ("picture", POINTER(ImageStruct)), ("vibrancy", c_char_p), ("mode", c_char_p),
        ("bounds", RectStruct),
    ]


class ShapeStruct(Sized):
    _fields_ = [
        ("struct_size", c_size_t), ("x", c_double), ("y", c_double), ("width", c_double), ("height", c_double),
        ("corner_radius", c_double), ("corner_parameter", c_double), ("corner_curve", c_int32), ("reserved", c_int32),
    ]


class EffectInfoStruct(Sized):
    _fields_ = [
        ("struct_size", c_size_t), ("name", c_char_p), ("family", c_char_p), ("summary", c_char_p),
        ("parameter_count", c_size_t),
    ]


class ParameterInfoStruct(Sized):
    _fields_ = [
        ("struct_size", c_size_t), ("name", c_char_p), ("help", c_char_p), ("default_value", c_char_p),
        ("unit", c_char_p), ("choices", c_char_p), ("minimum", c_double), ("maximum", c_double), ("kind", c_int32),
        ("reserved", c_int32),
    ]


class RenderOptions(Sized):
    _fields_ = [
        ("struct_size", c_size_t), ("region", POINTER(RectStruct)), ("mask", c_void_p), ("cancellation", c_void_p),
        ("error_budget", c_double),
    ]


class TransitionOptions(Sized):
    _fields_ = [
        ("struct_size", c_size_t), ("extent", POINTER(RectStruct)), ("shadow_extent", POINTER(RectStruct)), ("light", c_int32),
        ("reserved", c_int32),
    ]


class TransitionInfoStruct(Sized):
    _fields_ = [
        ("struct_size", c_size_t), ("name", c_char_p), ("filter", c_char_p), ("summary", c_char_p),
        ("parameter_count", c_size_t), ("extra_images", c_uint32), ("reserved", c_uint32),
    ]


class TransitionRenderOptions(Sized):
    _fields_ = [
        ("struct_size", c_size_t), ("region", POINTER(RectStruct)), ("mask", c_void_p), ("shading", POINTER(ImageStruct)),
        ("backside", POINTER(ImageStruct)), ("cancellation", c_void_p),
    ]


class ReportStruct(Sized):
    _fields_ = [
        ("struct_size", c_size_t), ("backend", c_int32), ("passes", c_int32), ("error_bound", c_double),
        ("upload_ms", c_double), ("blur_ms", c_double), ("readback_ms", c_double), ("gpu_ms", c_double),
        ("device", c_char * 128), ("reason", c_char * 256), ("warning", c_char * 256),
        ("error_nits", c_double), ("content_color", c_float * 4), ("min_contrast", c_double), ("contrast", c_double),
        ("contrast_x", c_int32), ("contrast_y", c_int32),
    ]


class QueueOptions(Sized):
    _fields_ = [("struct_size", c_size_t), ("depth", c_int32), ("concurrency", c_int32)]


class DeviceInfoStruct(Sized):
    _fields_ = [
        ("struct_size", c_size_t), ("status", c_int32), ("index", c_int32), ("duplicate_of", c_int32),
        ("is_software", c_int32), ("is_automatic", c_int32), ("reserved", c_int32), ("id", c_char * 128),
        ("platform", c_char * 32), ("render_node", c_char * 64), ("pci_path", c_char * 64), ("vendor", c_char * 128),
        ("renderer", c_char * 256), ("version", c_char * 128), ("reason", c_char * 256),
    ]


class BackdropOptions(Sized):
    _fields_ = [
        ("struct_size", c_size_t), ("coverage", c_int32), ("threads", c_int32), ("error_budget", c_double),
        ("layering", c_int32), ("reserved", c_int32),
    ]


class PanelStruct(Sized):
    _fields_ = [
        ("struct_size", c_size_t), ("rect", RectStruct), ("corner_radius", c_double), ("effect", c_void_p),
        ("mask", c_void_p), ("corner_parameter", c_double), ("corner_curve", c_int32), ("reserved", c_int32),
        ("id", c_uint64), ("content", POINTER(Content)), ("content_count", c_size_t),
        ("region", POINTER(RectStruct)), ("region_count", c_size_t), ("transparency", c_double),
        ("weakening", c_double), ("inset_left", c_double), ("inset_top", c_double), ("inset_right", c_double),
        ("inset_bottom", c_double), ("texture", c_void_p), ("damage", POINTER(RectStruct)), ("damage_count", c_size_t),
    ]


class FrameOptions(Sized):
    _fields_ = [
        ("struct_size", c_size_t), ("repaint", c_int32), ("reserved", c_int32), ("cancellation", c_void_p),
        ("buffer", c_uint64), ("buffer_age", c_int64),
    ]


class DisplayLinkOptions(Sized):
    _fields_ = [
        ("struct_size", c_size_t), ("source", c_int32), ("frame_interval", c_int32), ("rate_numerator", c_int32),
        ("rate_denominator", c_int32), ("is_paused", c_int32), ("reserved", c_int32),
    ]


class TickStruct(Sized):
    _fields_ = [
        ("struct_size", c_size_t), ("frame_index", c_int64), ("timestamp", c_int64), ("target_timestamp", c_int64),
        ("duration", c_int64), ("dropped", c_uint64),
    ]


class UpdateTickStruct(Sized):
    _fields_ = [("struct_size", c_size_t), ("number", c_int64), ("dropped", c_int64)]


class FrameReportStruct(Sized):
    _fields_ = [
        ("struct_size", c_size_t), ("level_passes", c_uint64), ("panel_passes", c_uint64), ("level_samples", c_uint64),
        ("panel_pixels", c_uint64), ("updated_count", c_size_t), ("uncovered_count", c_size_t),
        ("error_bound", c_double), ("buffer_age", c_int64), ("content_changes", c_size_t),
        ("pending_choices", c_size_t),
    ]
