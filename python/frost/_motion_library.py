"""Loads libfrost-motion.so, and declares the structs and functions of frost_motion.h."""

from __future__ import annotations

import ctypes
from ctypes import POINTER, c_char, c_char_p, c_double, c_int32, c_int64, c_size_t, c_uint64, c_void_p
from typing import Any, Callable, Tuple

from . import _library as lib
from ._once import Once
from ._structs import ImageStruct, Sized

PictureCallback = ctypes.CFUNCTYPE(c_int32, c_void_p, c_char_p, POINTER(ImageStruct))


class SceneInfoStruct(Sized):
    _fields_ = [
        ("struct_size", c_size_t), ("width", c_int32), ("height", c_int32), ("duration", c_double),
        ("frames_per_second", c_double), ("frame_count", c_int64), ("panel_count", c_size_t), ("item_count", c_size_t),
    ]


class SceneRendererOptions(Sized):
    _fields_ = [
        ("struct_size", c_size_t), ("scale", c_double), ("sample", c_int32), ("threads", c_int32),
        ("picture", PictureCallback), ("user_data", c_void_p), ("max_side", c_int64), ("max_pixels", c_int64),
        ("max_memory", c_int64), ("allow", c_char_p),
    ]


class SceneReportStruct(Sized):
    _fields_ = [
        ("struct_size", c_size_t), ("passes", c_uint64), ("panel_pixels", c_uint64), ("composed_pixels", c_uint64),
        ("error_bound", c_double),
    ]


class ItemStruct(Sized):
    _fields_ = [
        ("struct_size", c_size_t), ("center_x", c_double), ("center_y", c_double), ("width", c_double), ("height", c_double),
        ("rotation", c_double), ("velocity_x", c_double), ("velocity_y", c_double), ("angular_velocity", c_double),
    ]


class ContactStruct(ctypes.Structure):
    _fields_ = [("item", c_char * 64), ("other", c_char * 64), ("is_beginning", c_int32)]


class MotionLibrary:
    """The functions of libfrost-motion.so."""

    def __init__(self) -> None:
        loaded = lib.part("FROST_MOTION_LIBRARY", "libfrost-motion", "frost_motion_version")
        message: Any = loaded.frost_motion_error_message
        message.restype = c_char_p

        def check(status: int, function: Any, arguments: Tuple[Any, ...]) -> None:
            lib.check(status, message)

        def declare(name: str, *arguments: Any) -> Callable[..., Any]:
            function: Any = getattr(loaded, f"frost_{name}")
            function.argtypes, function.restype, function.errcheck = arguments, c_int32, check
            return function  # type: ignore[no-any-return]

        def destroyer(name: str) -> Callable[..., Any]:
            function: Any = getattr(loaded, f"frost_{name}_destroy")
            function.argtypes, function.restype = [c_void_p], None
            return function  # type: ignore[no-any-return]

        out = POINTER(c_void_p)
        self.scene_open = declare("scene_open", c_char_p, out)
        self.scene_parse = declare("scene_parse", c_char_p, c_size_t, c_char_p, out)
        self.scene_describe = declare("scene_describe", c_void_p, POINTER(SceneInfoStruct))
        self.scene_destroy = destroyer("scene")
        self.renderer_create = declare("scene_renderer_create", c_void_p, POINTER(SceneRendererOptions), out)
        self.renderer_describe_target = declare("scene_renderer_describe_target", c_void_p, POINTER(ImageStruct))
        self.renderer_draw = declare(
            "scene_renderer_draw", c_void_p, c_double, POINTER(ImageStruct), POINTER(SceneReportStruct))
        self.renderer_destroy = destroyer("scene_renderer")
        self.animator_create = declare("animator_create", POINTER(c_double), out)
        self.animator_of_scene = declare("animator_of_scene", c_void_p, out)
        self.animator_add_item = declare("animator_add_item", c_void_p, c_char_p, POINTER(ItemStruct))
        self.animator_add_behavior = declare("animator_add_behavior", c_void_p, c_char_p, c_size_t, POINTER(c_uint64))
        self.animator_remove_behavior = declare("animator_remove_behavior", c_void_p, c_uint64)
        self.animator_step = declare("animator_step", c_void_p, c_double)
        self.animator_is_running = declare("animator_is_running", c_void_p, POINTER(c_int32))
        self.animator_item = declare("animator_item", c_void_p, c_char_p, POINTER(ItemStruct))
        self.animator_move_item = declare("animator_move_item", c_void_p, c_char_p, POINTER(ItemStruct))
        self.animator_contacts = declare(
            "animator_contacts", c_void_p, POINTER(ContactStruct), c_size_t, POINTER(c_size_t))
        self.animator_destroy = destroyer("animator")
        self.schema: Any = loaded.frost_scene_schema
        self.schema.restype = c_char_p


_libraries: Once[None, MotionLibrary] = Once(lambda key: MotionLibrary())


def motion_library() -> MotionLibrary:
    """Returns the library, which the first call loads."""
    return _libraries(None)
