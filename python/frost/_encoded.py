"""Encoded pictures: the bytes of a file in, the bytes of a file out. Loads libfrost-images.so at the first call."""

from __future__ import annotations

import os
from ctypes import byref
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Callable, List, NamedTuple, Optional, Sequence, Tuple, Union

import numpy

from ._arguments import constant, elements, file_path, format_list, has_elements, instance, number, rect, text, whole
from ._effects import Effect, gaussian, with_parameters
from ._encodings import FAIL_ONS, KEEPS, SUBSAMPLINGS, Decoding, Encoding, Keep
from ._errors import ArgumentError, PictureWarning, UnreadableError, warn
from ._images_library import EncodedStruct, OptionsStruct, bytes_at, images_library
from ._inputs import mask_array
from ._keywords import options_of, suggesting
from ._masks import ELLIPSE, Mask
from ._parameters import parameter_text
from ._pixels import is_array_like, is_encoded
from ._rects import Edges
from ._structs import decoded
from ._threads import resolved
from ._types import EDGES, Edge, Picture, RectLike, Sigma
from ._types import Value as ParameterValue

if TYPE_CHECKING:
    import mmap

#: The bytes of a file, in any object with the buffer protocol, or its path.
Encoded = Union[bytes, bytearray, memoryview, "mmap.mmap", "os.PathLike[str]"]
FileMask = Union[Encoded, Picture, None]
#: Rectangles: one, several, or texts in the form of the command's --rect, such as "center,50%x50%".
Rects = Union[RectLike, str, Sequence[Union[RectLike, str]]]


@suggesting
def blur_encoded(
    data: Encoded, sigma: Sigma, *, format: Optional[str] = None, quality: Optional[int] = None, keep: Optional[Keep] = None,
    edge: Edge = "clamp", dither: Optional[bool] = None, linear: bool = False, rects: Optional[Rects] = None,
    feather: float = 0, ellipse: bool = False, invert_rects: bool = False,
    mask: FileMask = None, encoding: Encoding = Encoding(), decoding: Decoding = Decoding(),
    threads: Optional[int] = None,
) -> bytes:
    """Blurs an encoded picture, such as the bytes of a JPEG file, with a Gaussian, and returns the bytes of a file.

    The bytes are those that ``frost blur`` makes with the same options on the CPU. Rows are decoded, blurred and encoded one
    after the other where the formats allow. The GIL is released meanwhile.

    :param data: the bytes of a file, or a :class:`pathlib.Path` to read it: PNG, JPEG, WebP, AVIF, JPEG XL,
        TIFF, QOI, PNM, PAM, PFM, BMP, GIF or HEIC. A str is refused, because it might be meant as either.
    :param sigma: the standard deviation in pixels, 0 to 1000, or a pair of them, along rows (x) and along columns (y).
    :param format: the format of the result, such as "webp"; by default that of the source.
    :param quality: 1 to 100, and ``keep`` "color", "all" or "none", as in :class:`Encoding`.
    :param edge: what the blur reads outside the picture: "clamp", "mirror", "reflect-101", "repeat" or "clear", which adds
        alpha, except to a blur that copies the picture, as with a sigma below 0.2.
    :param dither: whether to dither; None for off.
    :param linear: blurs linear light, decoded by the transfer function of the picture's colour space.
    :param rects: the rectangles to blur, each x, y, width and height in pixels, or texts such as "center,50%x50%"; None for
        the whole picture. A rectangle must touch the picture. With an empty list, nothing is blurred, but "redact" needs a
        rectangle.
    :param feather: the edges of the rectangles, with ``ellipse`` and ``invert_rects``, as in :func:`blur`.
    :param mask: a picture that gives the strength of the blur at each pixel, as in :func:`blur`: the bytes of a file, its path,
        or an array.
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
    return _warned(applied(
        data, effect, rects, Edges(feather, ellipse, invert_rects), mask, _with(encoding, format, quality, keep), decoding,
        resolved(threads)))


def effect_encoded(
    data: Encoded, effect: Union[str, Effect], *, format: Optional[str] = None, quality: Optional[int] = None,
    keep: Optional[Keep] = None, edge: Optional[Edge] = None, dither: Optional[bool] = None, linear: bool = False, rects: Optional[Rects] = None,
    feather: float = 0, ellipse: bool = False, invert_rects: bool = False,
    mask: FileMask = None, encoding: Encoding = Encoding(), decoding: Decoding = Decoding(),
    threads: Optional[int] = None, **parameters: ParameterValue,
) -> bytes:
    """Renders an effect on an encoded picture and returns the bytes of a file.

    :param effect: the name of an effect, or an :class:`Effect` without content and shapes. :func:`effects` lists the names.
    :param edge: as in :func:`effect`, and so are ``dither``, ``linear`` and the parameters. They belong to a name.

    The other arguments and the errors are those of :func:`blur_encoded`.

    >>> source = b"P6 2 1 255 " + bytes(6)
    >>> frost.effect_encoded(source, "material-thin-dark", scale=2)[:2]
    b'P6'
    """
    made = with_parameters(effect, edge, dither, linear, parameters, _EFFECT_OPTIONS)
    return _warned(applied(
        data, made, rects, Edges(feather, ellipse, invert_rects), mask, _with(encoding, format, quality, keep), decoding,
        resolved(threads)))


_EFFECT_OPTIONS = options_of(effect_encoded)


def _with(encoding: Encoding, format: Optional[str], quality: Optional[int], keep: Optional[Keep]) -> Encoding:
    encoding = instance(encoding, Encoding, "encoding")
    return replace(
        encoding, format=encoding.format if format is None else format,
        quality=encoding.quality if quality is None else quality, keep=encoding.keep if keep is None else keep)


class Applied(NamedTuple):
    """The bytes of a file, and what could not be done as asked."""

    data: bytes
    warning: str


def _warned(made: Applied) -> bytes:
    if made.warning:
        warn(made.warning, PictureWarning)
    return made.data


def applied(
    data: Encoded, effect: Effect, rects: Optional[Rects], edges: Edges, mask: FileMask, encoding: Encoding,
    decoding: Decoding, threads: int,
) -> Applied:
    """Renders an effect, whose arguments are passed to the other library."""
    edges.check(rects)
    made = effect.arguments
    if rects is not None and not isinstance(rects, str):
        rects = elements(rects, "rects")
        if not rects:
            edges.check_empty(effect)
            if not edges.inverted:
                # Nothing is changed, but the result has the requested format.
                made, mask = gaussian(0).arguments, None
            rects, edges = None, Edges()
    if made is None:
        raise TypeError(f"{effect!r} has content or shapes, which encoded pictures do not support")
    name, values, dither, linear = made
    options = _options(
        dither, linear, rects, edges, mask, instance(encoding, Encoding, "encoding"),
        instance(decoding, Decoding, "decoding"), threads)
    if name is None:
        x, y, edge = values
        return _processed(data, images_library().blur, (x, y, constant(EDGES, edge, "edge")), options)
    return _processed(data, images_library().effect, (text(name, "name"), parameter_text(values)), options)


def _processed(data: Encoded, function: Callable[..., Any], values: Tuple[Any, ...], options: Any) -> Applied:
    struct, kept = options
    place, count, source = _memory(data, "data")
    result = EncodedStruct()
    function(place, count, *values, byref(struct), byref(result))
    try:
        made = bytes_at(result.data, result.byte_count)
    finally:
        images_library().free(byref(result))
    # The memory of the arguments has to live until here.
    del kept, source
    return Applied(made, decoded(result.warning))


def _options(
    dither: Optional[bool], linear: bool, rects: Optional[Rects], edges: Edges, mask: FileMask,
    encoding: Encoding, decoding: Decoding, threads: int,
) -> Tuple[OptionsStruct, Any]:
    """Returns the options, and what must live as long."""
    place, count, source = (None, 0, None) if mask is None else _memory(_mask_file(mask), "mask")
    if mask is not None and not count:
        # Without memory, there would be no mask.
        raise UnreadableError("mask: the file is empty")
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
        sandbox=None if decoding.sandbox is None else file_path(decoding.sandbox, "sandbox", "the path of the command frost"),
        corner_curve=ELLIPSE if edges.ellipse else 0, feather=number(edges.feather, "feather"),
        invert_rects=bool(edges.inverted), allow=format_list(decoding.allow)), source


def _optional(value: Optional[int], name: str, maximum: int = 2**62) -> int:
    return 0 if value is None else whole(value, name, 1, maximum)


def _positive(value: float) -> float:
    seconds = number(value, "max_time")
    if not 0 < seconds:
        raise ArgumentError(f"max_time {seconds} is out of range (allowed: above 0)")
    return seconds


def _rect_words(rects: Rects) -> List[str]:
    """Returns rectangles in the form of the command's --rect."""
    entries: List[Any] = rects.split() if isinstance(rects, str) else elements(rects, "rects")
    if entries and not isinstance(entries[0], str) and not has_elements(entries[0]):
        entries = [entries]
    if not entries:
        raise ArgumentError("rects is empty: expected rectangles, or None for the whole picture")
    words: List[str] = []
    for entry in entries:
        if isinstance(entry, str):
            if not entry.split():
                raise ArgumentError(f"a rectangle cannot be {entry!r}: expected a text such as \"center,50%x50%\"")
            words.append(text(entry, "a rectangle").decode())
        else:
            place = rect(entry, "a rectangle")
            words.append(f"{place.x},{place.y},{place.width},{place.height}")
    return words


def _mask_file(mask: Any) -> Any:
    """Returns a mask as the bytes of a file, or its path."""
    if isinstance(mask, Mask):
        raise TypeError("the mask of an encoded picture is a picture or the bytes of a file, not a frost.Mask")
    if is_encoded(mask) or isinstance(mask, (str, memoryview)) or not is_array_like(mask):
        return mask
    array = mask_array(mask)
    if array.ndim == 3 and array.shape[2] != 3:
        # The strength is the last channel: the alpha if there is one.
        array = array[..., -1]
    height, width = array.shape[:2]
    is_rgb = array.ndim == 3
    if array.dtype.kind == "f":
        # The rows of a PFM run upwards.
        return f"P{'F' if is_rgb else 'f'} {width} {height}\n-1\n".encode() + array[::-1].astype("<f4").tobytes()
    largest = numpy.iinfo(array.dtype).max
    return f"P{6 if is_rgb else 5} {width} {height} {largest}\n".encode() + array.astype(array.dtype.newbyteorder(">")).tobytes()


def _memory(data: Encoded, name: str) -> Tuple[Optional[int], int, Any]:
    """Returns the address and the number of bytes of an object, and what must live as long."""
    given: Any = data
    if isinstance(given, os.PathLike):
        with open(given, "rb") as file:
            given = file.read()
    try:
        view = memoryview(given)
    except TypeError:
        hint = f"; pathlib.Path({given!r}) reads a file" if isinstance(given, str) else ""
        raise TypeError(f"{name} must be bytes, not {type(given).__name__}{hint}") from None
    if not view.c_contiguous:
        raise TypeError(f"{name} must be contiguous memory in the order of C: copy it with bytes()")
    if not view.nbytes:
        return None, 0, None
    array = numpy.frombuffer(view.cast("B"), numpy.uint8)
    return array.ctypes.data, view.nbytes, array
