"""Loads libfrost-images.so, and declares the structs and functions of frost_images.h."""

from __future__ import annotations

import ctypes
from ctypes import POINTER, c_char, c_char_p, c_double, c_int32, c_int64, c_size_t, c_ssize_t, c_void_p
from typing import Any, Callable, Tuple

from . import _library as lib
from ._once import Once
from ._structs import Sized


class OptionsStruct(Sized):
    _fields_ = [
        ("struct_size", c_size_t), ("format", c_char_p), ("quality", c_int32), ("lossless", c_int32),
        ("subsampling", c_int32), ("progressive", c_int32), ("optimize", c_int32), ("depth", c_int32), ("keep", c_int32),
        ("fail_on", c_int32), ("first_frame", c_int32), ("threads", c_int32), ("light", c_int32), ("dither", c_int32),
        ("background", c_char_p), ("rects", c_char_p), ("corner_radius", c_double), ("corner_parameter", c_double),
        ("corner_curve", c_int32), ("bounded", c_int32), ("mask", c_void_p), ("mask_byte_count", c_size_t),
        ("max_side", c_int64), ("max_pixels", c_int64), ("max_pixels_per_byte", c_int64), ("max_memory", c_int64),
        ("max_time", c_double), ("sandbox", c_char_p),
        ("feather", c_double), ("invert_rects", c_int32), ("reserved", c_int32),
        ("allow", c_char_p),
    ]


class EncodedStruct(Sized):
    _fields_ = [
        ("struct_size", c_size_t), ("data", c_void_p), ("byte_count", c_size_t), ("width", c_int32), ("height", c_int32),
        ("error_bound", c_double), ("format", c_char * 16), ("warning", c_char * 512),
    ]


class ImagesLibrary:
    """The functions of libfrost-images.so."""

    def __init__(self) -> None:
        loaded = lib.part("FROST_IMAGES_LIBRARY", "libfrost-images", "frost_images_version")
        message: Any = loaded.frost_images_error_message
        message.restype = c_char_p

        def check(status: int, function: Any, arguments: Tuple[Any, ...]) -> None:
            lib.check(status, message)

        def declare(name: str, *arguments: Any) -> Callable[..., Any]:
            function: Any = getattr(loaded, name)
            function.argtypes, function.restype, function.errcheck = arguments, c_int32, check
            return function  # type: ignore[no-any-return]

        output = (POINTER(OptionsStruct), POINTER(EncodedStruct))
        self.blur = declare("frost_blur_encoded", c_void_p, c_size_t, c_double, c_double, c_int32, *output)
        self.effect = declare("frost_effect_encoded", c_void_p, c_size_t, c_char_p, c_char_p, *output)
        self.box_list_create = declare("frost_box_list_create", c_char_p, c_void_p)
        self.box_list_rects = declare(
            "frost_box_list_rects", c_void_p, c_char_p, c_int64, c_void_p, c_size_t, c_void_p)
        self.box_list_destroy: Any = loaded.frost_box_list_destroy
        self.box_list_destroy.argtypes, self.box_list_destroy.restype = [c_void_p], None
        self.free: Any = loaded.frost_encoded_free
        self.free.argtypes, self.free.restype = [POINTER(EncodedStruct)], None


_libraries: Once[None, ImagesLibrary] = Once(lambda key: ImagesLibrary())


def images_library() -> ImagesLibrary:
    """Returns the library, which the first call loads."""
    return _libraries(None)


#: Returns the bytes at an address. ctypes.string_at() cuts off numbers of 2**31 and more.
bytes_at: Callable[[int, int], bytes] = ctypes.PYFUNCTYPE(ctypes.py_object, c_void_p, c_ssize_t)(
    ("PyBytes_FromStringAndSize", ctypes.pythonapi))
