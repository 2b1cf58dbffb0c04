"""Encoded pictures: the bytes of a file in, the bytes of a file out. Loads libfrost-images.so at the first call."""

from __future__ import annotations

import ctypes
import os
import threading
import warnings
from ctypes import POINTER, byref, c_char, c_char_p, c_double, c_int32, c_int64, c_size_t, c_void_p
from dataclasses import dataclass, replace
from typing import Any, Callable, List, Literal, Optional, Sequence, Tuple, Type, TypeVar, Union, get_args

import numpy

from . import _library as lib
from ._arguments import constant, elements, number, rect, text, whole
from ._effects import Effect, as_effect, gaussian, parameter_text
from ._errors import ArgumentError, PictureWarning
from ._structs import Sized
from ._threads import resolved
from ._types import EDGES, Edge, RectLike
from ._types import Value as ParameterValue

#: The bytes of a file.
Encoded = Union[bytes, bytearray, memoryview]
Keep = Literal["color", "all", "none"]
FailOn = Literal["error", "truncated", "warning", "none"]
Subsampling = Literal["444", "422", "420"]
#: Rectangles: one, several, or texts in the form of the command's --rect, such as "center,50%x50%".
Rects = Union[RectLike, str, Sequence[Union[RectLike, str]]]

_Options = TypeVar("_Options", "Encoding", "Decoding")

KEEPS: List[str] = list(get_args(Keep))
FAIL_ONS: List[str] = list(get_args(FailOn))
SUBSAMPLINGS: List[str] = ["default", *get_args(Subsampling)]


@dataclass(frozen=True)
class Encoding:
    """How to encode a result. The options have the names of the command's.

    :param format: the format, such as "webp"; None for that of the source.
    :param quality: the quality of JPEG, WebP, AVIF and JPEG XL, 1 to 100; None for the default of the format, which is 90
        for JPEG.
    :param keep: which metadata to keep: "color" keeps the colour profile, "all" also EXIF, XMP and similar data, "none"
        nothing.
    :param lossless: writes WebP, AVIF and JPEG XL without loss.
    :param subsampling: the chroma subsampling of JPEGs: "444", "422" or "420"; None for "444" from quality 90 on, and "420"
        below.
    :param progressive: writes progressive JPEGs.
    :param optimize: optimises the Huffman tables of JPEGs, which makes smaller files and takes longer.
    :param depth: the maximum number of bits per sample: 8, 16, and for AVIF 10 or 12.
    :param background: an opaque colour to put behind transparent pixels, such as "white" or "#ffeedd".

    >>> frost.Encoding("webp", lossless=True).keep
    'color'
    """

    format: Optional[str] = None
    quality: Optional[int] = None
    keep: Keep = "color"
    lossless: bool = False
    subsampling: Optional[Subsampling] = None
    progressive: bool = False
    optimize: bool = False
    depth: Optional[int] = None
    background: Optional[str] = None


@dataclass(frozen=True)
class Decoding:
    """How to decode a source, and what it may cost. The options have the names of the command's.

    :param first_frame: reads the first frame or page of a file with several, which is refused otherwise.
    :param fail_on: the least serious fault for which a file is refused: "warning", "error", "truncated" or "none". Missing
        pixels of an accepted file become grey.
    :param max_side: the maximum width and height; 32768 by default.
    :param max_pixels: the maximum number of pixels; 2**30 by default.
    :param max_pixels_per_byte: for pictures of over 64 megapixels, the maximum number of pixels for each byte of the file;
        1000 by default.
    :param max_memory: the maximum memory for one picture in bytes; by default 2**30, or what the limits of the process leave.
    :param max_time: the maximum time for one picture in seconds; 60 by default.
    :param sandbox: the path of the command ``frost`` of the same version. Pictures are then decoded in a process that can
        only read them and return pixels.

    >>> frost.Decoding(max_pixels=50_000_000).fail_on
    'error'
    """

    first_frame: bool = False
    fail_on: FailOn = "error"
    max_side: Optional[int] = None
    max_pixels: Optional[int] = None
    max_pixels_per_byte: Optional[int] = None
    max_memory: Optional[int] = None
    max_time: Optional[float] = None
    sandbox: Union[str, os.PathLike[str], None] = None


class OptionsStruct(Sized):
    _fields_ = [
        ("struct_size", c_size_t), ("format", c_char_p), ("quality", c_int32), ("lossless", c_int32),
        ("subsampling", c_int32), ("progressive", c_int32), ("optimize", c_int32), ("depth", c_int32), ("keep", c_int32),
        ("fail_on", c_int32), ("first_frame", c_int32), ("threads", c_int32), ("light", c_int32), ("dither", c_int32),
        ("background", c_char_p), ("rects", c_char_p), ("corner_radius", c_double), ("corner_parameter", c_double),
        ("corner_curve", c_int32), ("bounded", c_int32), ("mask", c_void_p), ("mask_byte_count", c_size_t),
        ("max_side", c_int64), ("max_pixels", c_int64), ("max_pixels_per_byte", c_int64), ("max_memory", c_int64),
        ("max_time", c_double), ("sandbox", c_char_p),
    ]


class EncodedStruct(Sized):
    _fields_ = [
        ("struct_size", c_size_t), ("data", c_void_p), ("byte_count", c_size_t), ("width", c_int32), ("height", c_int32),
        ("error_bound", c_double), ("format", c_char * 16), ("warning", c_char * 512),
    ]


class _Library:
    """The functions of libfrost-images.so."""

    def __init__(self) -> None:
        _, loaded = lib.load("FROST_IMAGES_LIBRARY", "libfrost-images", lib.library_path)
        message: Any = loaded.frost_images_error_message
        message.restype = c_char_p

        def check(status: int, function: Any, arguments: Tuple[Any, ...]) -> None:
            lib.check(status, message)

        def declare(name: str, *arguments: Any) -> Callable[..., Any]:
            function: Any = getattr(loaded, name)
            function.argtypes = (c_void_p, c_size_t, *arguments, POINTER(OptionsStruct), POINTER(EncodedStruct))
            function.restype, function.errcheck = c_int32, check
            return function  # type: ignore[no-any-return]

        self.blur = declare("frost_blur_encoded", c_double, c_double, c_int32)
        self.effect = declare("frost_effect_encoded", c_char_p, c_char_p)
        self.free: Any = loaded.frost_encoded_free
        self.free.argtypes, self.free.restype = [POINTER(EncodedStruct)], None


_loaded: Optional[_Library] = None
_lock = threading.Lock()


def _after_fork() -> None:
    global _lock
    _lock = threading.Lock()


os.register_at_fork(after_in_child=_after_fork)


def _library() -> _Library:
    global _loaded
    if _loaded is None:
        with _lock:
            if _loaded is None:
                _loaded = _Library()
    return _loaded


def blur_encoded(
    data: Encoded, sigma: float, *, format: Optional[str] = None, quality: Optional[int] = None, keep: Optional[Keep] = None,
    edge: Edge = "clamp", dither: Optional[bool] = None, linear: bool = False, rects: Optional[Rects] = None,
    mask: Optional[Encoded] = None, encoding: Encoding = Encoding(), decoding: Decoding = Decoding(),
    threads: Optional[int] = None,
) -> bytes:
    """Blurs an encoded picture, such as the bytes of a JPEG file, with a Gaussian, and returns the bytes of a file.

    The bytes are those that ``frost blur`` makes with the same options on the CPU. Rows are decoded, blurred and encoded one
    after the other where the formats allow. The GIL is released meanwhile.

    :param data: the bytes of a file: PNG, JPEG, WebP, AVIF, JPEG XL, TIFF, QOI, PNM, PAM or PFM.
    :param sigma: the standard deviation in pixels, 0 to 1000.
    :param format: the format of the result, such as "webp"; by default that of the source.
    :param quality: 1 to 100, and ``keep`` "color", "all" or "none", as in :class:`Encoding`.
    :param edge: what the blur reads outside the picture: "clamp", "mirror", "repeat" or "clear", which gives a result with
        alpha.
    :param dither: whether to dither; None for off.
    :param linear: blurs linear light, decoded by the transfer function of the picture's colour space.
    :param rects: the rectangles to blur, each x, y, width and height in pixels, or texts such as "center,50%x50%"; None for
        the whole picture. A rectangle must touch the picture.
    :param mask: the bytes of a picture that gives the strength of the blur at each pixel.
    :param encoding: all options of the result; ``format``, ``quality`` and ``keep`` replace its own.
    :param decoding: how to decode, limits, and whether in a sandbox.
    :param threads: 1 to 256; by default :func:`frost.get_threads`. With 1, the call uses no other thread. That suits programs
        that process several pictures at the same time.
    :raises UnreadableError: if the picture is damaged, truncated or not supported.
    :raises OverLimitError: if it exceeds a limit of :class:`Decoding`.
    :raises UnwritableError: if the format of the result cannot hold it.
    :raises ParameterError: if sigma is out of range.
    :raises ArgumentError: if an option is invalid.
    :raises SystemResourceError: if the sandbox cannot be used.
    :raises ImportError: if libfrost-images.so is missing. ``FROST_IMAGES_LIBRARY`` can name it.

    What cannot be done as asked, such as keeping an unusable profile, is a :class:`PictureWarning`.

    >>> source = b"P5 3 3 255 " + bytes([0, 0, 0, 0, 255, 0, 0, 0, 0])
    >>> list(frost.blur_encoded(source, 1)[-9:])
    [15, 25, 15, 25, 41, 25, 15, 25, 15]
    >>> frost.blur_encoded(source, 1, format="png")[:4]
    b'\\x89PNG'
    """
    effect = gaussian(sigma, edge=edge, dither=dither, linear=linear)
    return applied(data, effect, rects, mask, _with(encoding, format, quality, keep), decoding, resolved(threads))


def effect_encoded(
    data: Encoded, effect: Union[str, Effect], /, *, format: Optional[str] = None, quality: Optional[int] = None,
    keep: Optional[Keep] = None, dither: Optional[bool] = None, linear: bool = False, rects: Optional[Rects] = None,
    mask: Optional[Encoded] = None, encoding: Encoding = Encoding(), decoding: Decoding = Decoding(),
    threads: Optional[int] = None, **parameters: ParameterValue,
) -> bytes:
    """Renders an effect on an encoded picture and returns the bytes of a file.

    :param effect: the name of an effect, or an :class:`Effect` without content and shapes. :func:`effects` lists the names.
    :param dither: as in :class:`Effect`, and so are ``linear`` and the parameters. They belong to a name.

    The other arguments and the errors are those of :func:`blur_encoded`.

    >>> source = b"P6 2 1 255 " + bytes(6)
    >>> frost.effect_encoded(source, "material-thin-dark", scale=2)[:2]
    b'P6'
    """
    if isinstance(effect, str):
        effect = Effect(effect, dither=dither, linear=linear, **parameters)
    elif parameters or linear or dither is not None:
        raise TypeError("dither, linear and parameters belong to the name of an effect; an Effect already has them")
    return applied(
        data, as_effect(effect), rects, mask, _with(encoding, format, quality, keep), decoding, resolved(threads))


def _with(encoding: Encoding, format: Optional[str], quality: Optional[int], keep: Optional[Keep]) -> Encoding:
    encoding = _checked(encoding, Encoding, "encoding")
    return replace(
        encoding, format=encoding.format if format is None else format,
        quality=encoding.quality if quality is None else quality, keep=encoding.keep if keep is None else keep)


def _checked(value: _Options, kind: Type[_Options], name: str) -> _Options:
    if not isinstance(value, kind):
        raise TypeError(f"{name} must be a frost.{kind.__name__}, not {type(value).__name__}")
    return value


def applied(
    data: Encoded, effect: Effect, rects: Optional[Rects], mask: Optional[Encoded], encoding: Encoding, decoding: Decoding,
    threads: int,
) -> bytes:
    """Renders an effect, whose arguments are passed to the other library."""
    made = effect.arguments
    if made is None:
        raise TypeError(f"{effect!r} has content or shapes, which encoded pictures do not support")
    name, values, dither, linear = made
    options = _options(
        dither, linear, rects, mask, _checked(encoding, Encoding, "encoding"), _checked(decoding, Decoding, "decoding"), threads)
    if name is None:
        x, y, edge = values
        return _processed(data, _library().blur, (x, y, constant(EDGES, edge, "edge")), options)
    return _processed(data, _library().effect, (text(name, "name"), parameter_text(values)), options)


def _processed(data: Encoded, function: Callable[..., Any], values: Tuple[Any, ...], options: Any) -> bytes:
    struct, kept = options
    place, count, source = _memory(data, "data")
    result = EncodedStruct()
    function(place, count, *values, byref(struct), byref(result))
    try:
        made = ctypes.string_at(result.data, result.byte_count)
    finally:
        _library().free(byref(result))
    if result.warning:
        warnings.warn(result.warning.decode("utf-8", "replace"), PictureWarning, stacklevel=4)
    # The memory of the arguments has to live until here.
    del kept, source
    return made


def _options(
    dither: Optional[bool], linear: bool, rects: Optional[Rects], mask: Optional[Encoded], encoding: Encoding,
    decoding: Decoding, threads: int,
) -> Tuple[OptionsStruct, Any]:
    """Returns the options, and what must live as long."""
    place, count, source = (None, 0, None) if mask is None else _memory(mask, "mask")
    subsampling = 0 if encoding.subsampling is None else constant(SUBSAMPLINGS, encoding.subsampling, "subsampling")
    return OptionsStruct(
        format=None if encoding.format is None else text(encoding.format, "format"),
        quality=_optional(encoding.quality, "quality", 100),
        lossless=bool(encoding.lossless), subsampling=subsampling, progressive=bool(encoding.progressive),
        optimize=bool(encoding.optimize), depth=_optional(encoding.depth, "depth", 32),
        keep=constant(KEEPS, encoding.keep, "keep"),
        fail_on=constant(FAIL_ONS, decoding.fail_on, "fail_on"), first_frame=bool(decoding.first_frame), threads=threads,
        light=bool(linear), dither=0 if dither is None else 1 + bool(dither),
        background=None if encoding.background is None else text(encoding.background, "background"),
        rects=None if rects is None else " ".join(_rect_words(rects)).encode(), mask=place, mask_byte_count=count,
        max_side=_optional(decoding.max_side, "max_side"), max_pixels=_optional(decoding.max_pixels, "max_pixels"),
        max_pixels_per_byte=_optional(decoding.max_pixels_per_byte, "max_pixels_per_byte"),
        max_memory=_optional(decoding.max_memory, "max_memory"),
        max_time=0 if decoding.max_time is None else _positive(decoding.max_time),
        sandbox=None if decoding.sandbox is None else _path(decoding.sandbox)), source


def _optional(value: Optional[int], name: str, maximum: int = 2**62) -> int:
    return 0 if value is None else whole(value, name, 1, maximum)


def _positive(value: float) -> float:
    seconds = number(value, "max_time")
    if not 0 < seconds:
        raise ArgumentError(f"max_time {seconds} is out of range (allowed: above 0)")
    return seconds


def _path(value: Union[str, os.PathLike[str]]) -> bytes:
    path = os.fsencode(value)
    if not path or b"\0" in path:
        raise ArgumentError(f"sandbox cannot be {value!r}: expected the path of the command frost")
    return path


def _rect_words(rects: Rects) -> List[str]:
    """Returns rectangles in the form of the command's --rect."""
    entries: List[Any] = [rects] if isinstance(rects, str) else elements(rects, "rects")
    if entries and not isinstance(entries[0], str) and numpy.ndim(entries[0]) == 0:
        entries = [entries]
    if not entries:
        raise ArgumentError("rects is empty: expected rectangles, or None for the whole picture")
    words: List[str] = []
    for entry in entries:
        if isinstance(entry, str):
            words.append(text(entry, "a rectangle").decode())
        else:
            place = rect(entry, "a rectangle")
            words.append(f"{place.x},{place.y},{place.width},{place.height}")
    return words


def is_encoded(item: object) -> bool:
    """Whether an item of a batch is the bytes of a file. A memoryview is the memory of an array."""
    return isinstance(item, (bytes, bytearray))


def _memory(data: Encoded, name: str) -> Tuple[Optional[int], int, Any]:
    """Returns the address and the number of bytes of an object, and what must live as long."""
    if not isinstance(data, (bytes, bytearray, memoryview)):
        raise TypeError(f"{name} must be bytes, not {type(data).__name__}")
    view = memoryview(data)
    if not view.contiguous:
        raise TypeError(f"{name} must be contiguous memory")
    if not view.nbytes:
        return None, 0, None
    array = numpy.frombuffer(view.cast("B"), numpy.uint8)
    return array.ctypes.data, view.nbytes, array
