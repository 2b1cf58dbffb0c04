"""Loads libfrost.so, and declares the functions and structs of frost.h."""

import ctypes
import os
import sys
import weakref
from ctypes import (
    POINTER, Structure, byref, c_char, c_char_p, c_double, c_int32, c_int64, c_size_t, c_uint32, c_uint64, c_void_p)
from pathlib import Path

from ._errors import BY_STATUS, Error

SONAME = "libfrost.so.0"


def _candidates():
    named = os.environ.get("FROST_LIBRARY")
    if named:
        return [named]
    beside = [Path(__file__).with_name(SONAME)]
    prefixes = dict.fromkeys([sys.prefix, sys.base_prefix])
    return [str(path) for path in beside + [Path(p) / "lib" / SONAME for p in prefixes] if path.exists()] + [SONAME]


def _load():
    failures = []
    for path in _candidates():
        try:
            return path, ctypes.CDLL(path)
        except OSError as error:
            failures.append(str(error))
    raise ImportError(
        f"cannot load libfrost.so ({'; '.join(failures)}): install it with Tools/install, or set FROST_LIBRARY to its path")


library_path, _lib = _load()


class Sized(Structure):
    """A struct whose first member is the size of the struct."""

    def __init__(self, **fields):
        super().__init__(struct_size=ctypes.sizeof(self), **fields)


class RendererOptions(Sized):
    _fields_ = [("struct_size", c_size_t), ("backend", c_int32), ("threads", c_int32), ("device", c_char_p)]


class Image(Sized):
    """An image. The structs frost_source and frost_target both have this layout."""

    _fields_ = [
        ("struct_size", c_size_t), ("width", c_int32), ("height", c_int32), ("channels", c_int32), ("sample", c_int32),
        ("alpha", c_int32), ("reserved", c_int32), ("bytes_per_row", c_size_t), ("pixels", c_void_p),
        ("byte_count", c_size_t),
    ]


class Rect(Structure):
    _fields_ = [("x", c_int32), ("y", c_int32), ("width", c_int32), ("height", c_int32)]


class EffectOptions(Sized):
    _fields_ = [("struct_size", c_size_t), ("dither", c_int32), ("light", c_int32)]


class Content(Sized):
    _fields_ = [
        ("struct_size", c_size_t), ("picture", POINTER(Image)), ("vibrancy", c_char_p), ("mode", c_char_p),
        ("bounds", Rect),
    ]


class Shape(Sized):
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
        ("struct_size", c_size_t), ("region", POINTER(Rect)), ("mask", c_void_p), ("cancellation", c_void_p),
        ("error_budget", c_double),
    ]


class TransitionOptions(Sized):
    _fields_ = [
        ("struct_size", c_size_t), ("extent", POINTER(Rect)), ("shadow_extent", POINTER(Rect)), ("light", c_int32),
        ("reserved", c_int32),
    ]


class TransitionInfoStruct(Sized):
    _fields_ = [
        ("struct_size", c_size_t), ("name", c_char_p), ("filter", c_char_p), ("summary", c_char_p),
        ("parameter_count", c_size_t), ("extra_images", c_uint32), ("reserved", c_uint32),
    ]


class TransitionRenderOptions(Sized):
    _fields_ = [
        ("struct_size", c_size_t), ("region", POINTER(Rect)), ("mask", c_void_p), ("shading", POINTER(Image)),
        ("backside", POINTER(Image)), ("cancellation", c_void_p),
    ]


class ReportStruct(Sized):
    _fields_ = [
        ("struct_size", c_size_t), ("backend", c_int32), ("passes", c_int32), ("error_bound", c_double),
        ("upload_ms", c_double), ("blur_ms", c_double), ("readback_ms", c_double), ("gpu_ms", c_double),
        ("device", c_char * 128), ("reason", c_char * 256), ("warning", c_char * 256),
    ]


class QueueOptions(Sized):
    _fields_ = [("struct_size", c_size_t), ("depth", c_int32), ("concurrency", c_int32)]


def _check(status, function, arguments):
    if status == 0:
        return None
    message = _lib.frost_error_message().decode("utf-8", "replace")
    raise BY_STATUS.get(status, Error)(message)


def _declare(name, *arguments, result=None):
    function = getattr(_lib, name)
    function.argtypes = arguments
    if result is None:
        function.restype = c_int32
        function.errcheck = _check
    else:
        function.restype = None if result is _NOTHING else result
    return function


_NOTHING = object()
_handle = c_void_p
_out = POINTER(c_void_p)

_declare("frost_error_message", result=c_char_p)
library_version = _declare("frost_version", result=c_char_p)().decode()
renderer_create = _declare("frost_renderer_create", POINTER(RendererOptions), _out)
renderer_prepare = _declare("frost_renderer_prepare", _handle, c_int32, c_int32)
renderer_destroy = _declare("frost_renderer_destroy", _handle, result=_NOTHING)
mask_create = _declare("frost_mask_create", POINTER(Image), _out)
mask_destroy = _declare("frost_mask_destroy", _handle, result=_NOTHING)
effect_create = _declare("frost_effect_create", c_char_p, c_char_p, POINTER(EffectOptions), _out)
effect_create_gaussian = _declare(
    "frost_effect_create_gaussian", c_double, c_double, c_int32, POINTER(EffectOptions), _out)
effect_add_content = _declare("frost_effect_add_content", _handle, POINTER(Content), _out)
effect_clip_shapes = _declare("frost_effect_clip_shapes", _handle, POINTER(Shape), c_size_t, _out)
effect_equal = _declare("frost_effect_equal", _handle, _handle, result=c_int32)
effect_hash = _declare("frost_effect_hash", _handle, result=c_uint64)
effect_destroy = _declare("frost_effect_destroy", _handle, result=_NOTHING)
effect_count = _declare("frost_effect_count", result=c_size_t)
effect_describe = _declare("frost_effect_describe", c_size_t, POINTER(EffectInfoStruct))
effect_describe_parameter = _declare(
    "frost_effect_describe_parameter", c_size_t, c_size_t, POINTER(ParameterInfoStruct))
effect_describe_target = _declare(
    "frost_effect_describe_target", _handle, POINTER(Image), POINTER(Rect), POINTER(Image))
effect_error_bound = _declare(
    "frost_effect_error_bound", _handle, POINTER(Image), POINTER(RenderOptions), POINTER(c_double))
cancellation_create = _declare("frost_cancellation_create", _out)
cancellation_cancel = _declare("frost_cancellation_cancel", _handle, result=_NOTHING)
cancellation_destroy = _declare("frost_cancellation_destroy", _handle, result=_NOTHING)
render = _declare(
    "frost_render", _handle, _handle, POINTER(Image), POINTER(Image), POINTER(RenderOptions), POINTER(ReportStruct))
transition_create = _declare(
    "frost_transition_create", c_char_p, c_char_p, POINTER(TransitionOptions), _out)
transition_equal = _declare("frost_transition_equal", _handle, _handle, result=c_int32)
transition_hash = _declare("frost_transition_hash", _handle, result=c_uint64)
transition_destroy = _declare("frost_transition_destroy", _handle, result=_NOTHING)
transition_count = _declare("frost_transition_count", result=c_size_t)
transition_describe = _declare("frost_transition_describe", c_size_t, POINTER(TransitionInfoStruct))
transition_describe_parameter = _declare(
    "frost_transition_describe_parameter", c_size_t, c_size_t, POINTER(ParameterInfoStruct))
transition_describe_target = _declare(
    "frost_transition_describe_target", _handle, POINTER(Image), POINTER(Image), POINTER(TransitionRenderOptions),
    POINTER(Image))
render_transition = _declare(
    "frost_render_transition", _handle, _handle, c_double, POINTER(Image), POINTER(Image), POINTER(Image),
    POINTER(TransitionRenderOptions), POINTER(ReportStruct))
queue_create = _declare("frost_queue_create", _handle, POINTER(QueueOptions), _out)
queue_submit = _declare(
    "frost_queue_submit", _handle, _handle, POINTER(Image), POINTER(Image), POINTER(RenderOptions), c_void_p, c_void_p,
    _out)
queue_count = _declare("frost_queue_count", _handle, result=c_size_t)
queue_cancel_all = _declare("frost_queue_cancel_all", _handle, result=_NOTHING)
queue_wait = _declare("frost_queue_wait", _handle)
queue_destroy = _declare("frost_queue_destroy", _handle, result=_NOTHING)
ticket_wait = _declare("frost_ticket_wait", _handle, c_int64, POINTER(ReportStruct))
ticket_poll = _declare("frost_ticket_poll", _handle, POINTER(ReportStruct))
ticket_cancel = _declare("frost_ticket_cancel", _handle, result=_NOTHING)
ticket_destroy = _declare("frost_ticket_destroy", _handle, result=_NOTHING)


class Handle:
    """An object of the library, which is destroyed when it is no longer referenced."""

    def _own(self, create, destroy, *arguments):
        pointer = c_void_p()
        create(*arguments, byref(pointer))
        self._pointer = pointer
        self._finalizer = weakref.finalize(self, destroy, pointer)


def constant(names, value, what):
    """Returns the constant of frost.h for a word, such as 0 for the edge mode "clamp"."""
    try:
        return names.index(value)
    except ValueError:
        raise ValueError(f"{what} cannot be {value!r} (allowed: {', '.join(names)})") from None
