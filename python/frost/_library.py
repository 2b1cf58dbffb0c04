"""Loads libfrost.so, and declares the functions of frost.h."""

from __future__ import annotations

import ctypes
import os
import sys
from ctypes import POINTER, c_char_p, c_double, c_float, c_int32, c_int64, c_size_t, c_uint64, c_void_p
from typing import Any, Callable, List, Tuple

from ._errors import BY_STATUS, Error
from ._structs import (
    BackdropOptions, Content, DeviceInfoStruct, DisplayLinkOptions, EffectInfoStruct, EffectOptions, FrameOptions,
    FrameReportStruct, ImageStruct, PanelStruct, ParameterInfoStruct, QueueOptions, RectStruct, RenderOptions,
    RendererOptions, ReportStruct, ShapeStruct, TickStruct, TransitionInfoStruct, TransitionOptions,
    TransitionRenderOptions, UpdateTickStruct, decoded)
from ._version import __version__


def _candidates(variable: str, soname: str, beside: List[str]) -> List[str]:
    named = os.environ.get(variable)
    if named:
        return [named]
    folders = beside + [os.path.join(prefix, "lib") for prefix in dict.fromkeys([sys.prefix, sys.base_prefix])]
    paths = [os.path.join(folder, soname) for folder in folders]
    return [path for path in paths if os.path.exists(path)] + [soname]


def load(variable: str, name: str, *beside: str) -> Tuple[str, ctypes.CDLL]:
    """Loads a library, and returns its path as well: an absolute path, or the name with which the system's loader found it.

    :param variable: the environment variable that may name the file.
    :param name: such as "libfrost".
    :param beside: files in whose folders the library may be. The first place is the folder of this package.
    """
    soname = f"{name}.so.0"
    # A library that the system's loader has found has no folder, which would stand for the working folder.
    folders = [folder for folder in map(os.path.dirname, (__file__, *beside)) if folder]
    failures: List[str] = []
    for path in _candidates(variable, soname, folders):
        try:
            return os.path.abspath(path) if os.path.dirname(path) else path, ctypes.CDLL(path)
        except OSError as error:
            failures.append(str(error))
    raise ImportError(
        f"cannot load {name}.so ({'; '.join(failures)}): install it with Tools/install, or set {variable} to its path")


library_path: str
_lib: ctypes.CDLL
library_path, _lib = load("FROST_LIBRARY", "libfrost")


def part(variable: str, name: str, function: str) -> ctypes.CDLL:
    """Loads a library beside the main one. In the wheel, one file has the functions of all of them.

    :param function: a function of that library.
    """
    if not os.environ.get(variable) and hasattr(_lib, function):
        return _lib
    return load(variable, name, library_path)[1]


def check(status: int, message: Callable[[], bytes]) -> None:
    """Raises the exception of a status that is not 0.

    :param message: the function of the library that returns the message.
    """
    if status:
        raise BY_STATUS.get(status, Error)(decoded(message()))


def _check(status: int, function: Any, arguments: Tuple[Any, ...]) -> None:
    check(status, _lib.frost_error_message)


_NOTHING = object()


def _declare(name: str, *arguments: Any, result: Any = None) -> Callable[..., Any]:
    """Declares a function of the library. Without ``result`` the function returns a status, and an error is raised."""
    try:
        function: Any = getattr(_lib, name)
    except AttributeError:
        raise ImportError(f"{library_path} is not the library of frost {__version__}: it has no function {name}") from None
    function.argtypes = arguments
    if result is None:
        function.restype = c_int32
        function.errcheck = _check
    else:
        function.restype = None if result is _NOTHING else result
    return function  # type: ignore[no-any-return]


_handle = c_void_p
_out = POINTER(c_void_p)

_declare("frost_error_message", result=c_char_p)
library_version: str = _declare("frost_version", result=c_char_p)().decode()
default_threads = _declare("frost_default_threads", result=c_int32)
renderer_create = _declare("frost_renderer_create", POINTER(RendererOptions), _out)
renderer_prepare = _declare("frost_renderer_prepare", _handle, c_int32, c_int32)
renderer_destroy = _declare("frost_renderer_destroy", _handle, result=_NOTHING)
buffer_create = _declare("frost_buffer_create", _handle, c_size_t, _out)
buffer_bytes = _declare("frost_buffer_bytes", _handle, result=c_void_p)
buffer_destroy = _declare("frost_buffer_destroy", _handle, result=_NOTHING)
mask_create = _declare("frost_mask_create", POINTER(ImageStruct), _out)
mask_destroy = _declare("frost_mask_destroy", _handle, result=_NOTHING)
effect_create = _declare("frost_effect_create", c_char_p, c_char_p, POINTER(EffectOptions), _out)
effect_create_gaussian = _declare(
    "frost_effect_create_gaussian", c_double, c_double, c_int32, POINTER(EffectOptions), _out)
effect_add_content = _declare("frost_effect_add_content", _handle, POINTER(Content), _out)
effect_add_mask = _declare("frost_effect_add_mask", _handle, POINTER(RectStruct), _out)
effect_clip_rule = _declare("frost_effect_clip_rule", _handle, c_double, c_int32, _out)
effect_clip_shapes = _declare("frost_effect_clip_shapes", _handle, POINTER(ShapeStruct), c_size_t, _out)
effect_equal = _declare("frost_effect_equal", _handle, _handle, result=c_int32)
effect_hash = _declare("frost_effect_hash", _handle, result=c_uint64)
effect_destroy = _declare("frost_effect_destroy", _handle, result=_NOTHING)
effect_count = _declare("frost_effect_count", result=c_size_t)
effect_describe = _declare("frost_effect_describe", c_size_t, POINTER(EffectInfoStruct))
effect_describe_parameter = _declare(
    "frost_effect_describe_parameter", c_size_t, c_size_t, POINTER(ParameterInfoStruct))
effect_describe_target = _declare(
    "frost_effect_describe_target", _handle, POINTER(ImageStruct), POINTER(RectStruct), POINTER(ImageStruct))
effect_error_bound = _declare(
    "frost_effect_error_bound", _handle, POINTER(ImageStruct), POINTER(RenderOptions), POINTER(c_double))
effect_damage_expansion = _declare(
    "frost_effect_damage_expansion", _handle, POINTER(ImageStruct), c_double, POINTER(c_int32), POINTER(c_int32))
cancellation_create = _declare("frost_cancellation_create", _out)
cancellation_cancel = _declare("frost_cancellation_cancel", _handle, result=_NOTHING)
cancellation_destroy = _declare("frost_cancellation_destroy", _handle, result=_NOTHING)
render = _declare(
    "frost_render", _handle, _handle, POINTER(ImageStruct), POINTER(ImageStruct), POINTER(RenderOptions), POINTER(ReportStruct))
render_shapes = _declare(
    "frost_render_shapes", _handle, _handle, POINTER(ShapeStruct), c_size_t, POINTER(ImageStruct), POINTER(ImageStruct),
    POINTER(RenderOptions), POINTER(ReportStruct))
reveal_create = _declare(
    "frost_reveal_create", _handle, _handle, POINTER(ImageStruct), POINTER(RenderOptions), POINTER(ReportStruct), _out)
reveal_describe_target = _declare("frost_reveal_describe_target", _handle, POINTER(ImageStruct))
reveal_render = _declare("frost_reveal_render", _handle, POINTER(ShapeStruct), c_size_t, POINTER(ImageStruct))
reveal_destroy = _declare("frost_reveal_destroy", _handle, result=_NOTHING)
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
    "frost_transition_describe_target", _handle, POINTER(ImageStruct), POINTER(ImageStruct), POINTER(TransitionRenderOptions),
    POINTER(ImageStruct))
render_transition = _declare(
    "frost_render_transition", _handle, _handle, c_double, POINTER(ImageStruct), POINTER(ImageStruct), POINTER(ImageStruct),
    POINTER(TransitionRenderOptions), POINTER(ReportStruct))
queue_create = _declare("frost_queue_create", _handle, POINTER(QueueOptions), _out)
queue_submit = _declare(
    "frost_queue_submit", _handle, _handle, POINTER(ImageStruct), POINTER(ImageStruct), POINTER(RenderOptions), c_void_p, c_void_p,
    _out)
queue_count = _declare("frost_queue_count", _handle, result=c_size_t)
queue_cancel_all = _declare("frost_queue_cancel_all", _handle, result=_NOTHING)
queue_destroy = _declare("frost_queue_destroy", _handle, result=_NOTHING)
ticket_wait = _declare("frost_ticket_wait", _handle, c_int64, POINTER(ReportStruct))
ticket_poll = _declare("frost_ticket_poll", _handle, POINTER(ReportStruct))
ticket_cancel = _declare("frost_ticket_cancel", _handle, result=_NOTHING)
ticket_destroy = _declare("frost_ticket_destroy", _handle, result=_NOTHING)
backdrop_create = _declare("frost_backdrop_create", POINTER(BackdropOptions), _out)
backdrop_destroy = _declare("frost_backdrop_destroy", _handle, result=_NOTHING)
backdrop_set_panels = _declare("frost_backdrop_set_panels", _handle, POINTER(PanelStruct), c_size_t)
backdrop_invalidate = _declare("frost_backdrop_invalidate", _handle, POINTER(RectStruct), c_size_t)
backdrop_invalidate_all = _declare("frost_backdrop_invalidate_all", _handle)
backdrop_render = _declare(
    "frost_backdrop_render", _handle, POINTER(ImageStruct), POINTER(ImageStruct), POINTER(FrameOptions),
    POINTER(FrameReportStruct))
backdrop_updated = _declare("frost_backdrop_updated", _handle, POINTER(RectStruct), c_size_t, POINTER(c_size_t))
backdrop_uncovered = _declare("frost_backdrop_uncovered", _handle, POINTER(RectStruct), c_size_t, POINTER(c_size_t))
backdrop_content_color = _declare("frost_backdrop_content_color", _handle, c_size_t, POINTER(c_float))
render_panel = _declare(
    "frost_render_panel", _handle, POINTER(PanelStruct), POINTER(ImageStruct), POINTER(ImageStruct),
    POINTER(RenderOptions), POINTER(ReportStruct))
display_link_create = _declare(
    "frost_display_link_create", POINTER(DisplayLinkOptions), c_void_p, c_void_p, _out)
display_link_destroy = _declare("frost_display_link_destroy", _handle, result=_NOTHING)
display_link_invalidate = _declare("frost_display_link_invalidate", _handle, result=_NOTHING)
display_link_status = _declare("frost_display_link_status", _handle)
display_link_set_paused = _declare("frost_display_link_set_paused", _handle, c_int32)
display_link_set_frame_interval = _declare("frost_display_link_set_frame_interval", _handle, c_int32)
display_link_tick = _declare("frost_display_link_tick", _handle, c_int64, c_int64, POINTER(TickStruct))
display_link_advance = _declare("frost_display_link_advance", _handle, c_int64, POINTER(TickStruct))
display_link_dispatch = _declare("frost_display_link_dispatch", _handle, POINTER(TickStruct))
display_link_descriptor = _declare("frost_display_link_descriptor", _handle, POINTER(c_int32))
animation_progress = _declare("frost_animation_progress", c_int64, c_int64, c_int64, POINTER(c_double))
update_timer_create = _declare("frost_update_timer_create", c_int64, _out)
update_timer_wait = _declare("frost_update_timer_wait", _handle, c_int64, POINTER(UpdateTickStruct))
update_timer_cancel = _declare("frost_update_timer_cancel", _handle, result=_NOTHING)
update_timer_destroy = _declare("frost_update_timer_destroy", _handle, result=_NOTHING)
device_list_create = _declare("frost_device_list_create", _out)
device_list_count = _declare("frost_device_list_count", _handle, result=c_size_t)
device_list_describe = _declare("frost_device_list_describe", _handle, c_size_t, POINTER(DeviceInfoStruct))
device_list_destroy = _declare("frost_device_list_destroy", _handle, result=_NOTHING)
