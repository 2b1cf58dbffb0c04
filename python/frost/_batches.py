"""Many pictures with one call."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Iterator, List, Literal, Optional, Sequence, Union, overload

from ._arguments import has_elements
from ._batch_work import rendered_batch
from ._effects import Effect, gaussian, with_parameters
from ._encodings import Decoding, Encoding
from ._keywords import options_of, suggesting
from ._rects import Edges
from ._types import Alpha, Array, Backend, Channels, Edge, Picture, Shared, Tensor
from ._types import Value as ParameterValue

if TYPE_CHECKING:
    from typing import TypeVar

    from typing_extensions import Unpack

    from ._options import BatchOptions, Masks, Outs, RectsLike, Sigmas

    _One = TypeVar("_One")
    Many = Union[Sequence[_One], Iterator[_One]]

#: The bytes of a file, or its path.
File = Union[bytes, bytearray, "os.PathLike[str]"]
Item = Union[Picture, File]
Effects = Union[str, Effect, Sequence[Union[str, Effect]]]
Result = Union[Array, bytes]


@overload
def blur_batch(
    images: Array, sigma: Sigmas, rects: Optional[RectsLike] = None, *, errors: Literal["raise"] = "raise",
    **options: Unpack[BatchOptions],
) -> Array: ...


@overload
def blur_batch(
    images: Tensor, sigma: Sigmas, rects: Optional[RectsLike] = None, *, errors: Literal["raise"] = "raise",
    **options: Unpack[BatchOptions],
) -> Tensor: ...


@overload
def blur_batch(
    images: Many[Shared], sigma: Sigmas, rects: Optional[RectsLike] = None, *, errors: Literal["raise"] = "raise",
    **options: Unpack[BatchOptions],
) -> List[Array]: ...


@overload
def blur_batch(
    images: Many[File], sigma: Sigmas, rects: Optional[RectsLike] = None, *, errors: Literal["raise"] = "raise",
    **options: Unpack[BatchOptions],
) -> List[bytes]: ...


@overload
def blur_batch(
    images: Many[Tensor], sigma: Sigmas, rects: Optional[RectsLike] = None, *, errors: Literal["raise"] = "raise",
    **options: Unpack[BatchOptions],
) -> List[Tensor]: ...


@overload
def blur_batch(
    images: Many[Item], sigma: Sigmas, rects: Optional[RectsLike] = None, *, errors: Literal["raise"] = "raise",
    **options: Unpack[BatchOptions],
) -> List[Any]: ...


@overload
def blur_batch(
    images: Union[Array, Many[Item]], sigma: Sigmas, rects: Optional[RectsLike] = None, *, errors: Literal["return"],
    **options: Unpack[BatchOptions],
) -> List[Union[Result, Exception]]: ...


@suggesting
def blur_batch(
    images: Any, sigma: Sigmas, rects: Optional[RectsLike] = None, *, feather: float = 0, ellipse: bool = False,
    invert_rects: bool = False, mask: Masks = None, errors: Literal["raise", "return"] = "raise", edge: Edge = "clamp",
    dither: Optional[bool] = None, linear: bool = False, alpha: Optional[Alpha] = None,
    channels: Optional[Channels] = None, axis: Optional[int] = None, out: Outs = None, threads: Optional[int] = None,
    backend: Backend = "cpu", encoding: Encoding = Encoding(), decoding: Decoding = Decoding(),
) -> Any:
    """Blurs many pictures with a Gaussian, or rectangles of them, such as faces.

    :param images: an array of shape (number, height, width, channels), or a list or generator of pictures of any sizes. The
        pictures are those of :func:`blur`, or the bytes of files, as for :func:`blur_encoded`. The result of bytes is bytes.
    :param sigma: a standard deviation or a pair (x, y), as in :func:`blur`, for all pictures, or a list or an array with one for
        each picture. A tuple is always a pair.
    :param rects: the rectangles to blur, each x, y, width and height: a list of rectangles for all pictures, or one list for
        each picture. None blurs a whole picture. A rectangle that is partly outside a picture is cropped to it, with a
        :class:`PictureWarning`. One that lies outside, or is empty, is an error, because it hides nothing. For encoded pictures,
        rectangles are also texts, as in :func:`blur_encoded`. With an empty list, nothing is blurred.
    :param feather: the edges of the rectangles, with ``ellipse`` and ``invert_rects``, as in :func:`blur`.
    :param mask: a mask as in :func:`blur` for all pictures, or a list with one, or None, for each picture. That of an encoded
        picture is as in :func:`blur_encoded`.
    :param out: an array like ``images``, or a list with an array, or None, for each picture. They are returned. A picture of the
        batch may be its own ``out``, but not that of another.
    :param errors: with "raise", the error of a picture ends the call; its text begins with the number of the picture. With
        "return", the error takes the place of the picture in the result, which is then always a list. A
        :class:`PictureWarning` also begins with the number of its picture.
    :param axis: the axis of the channels in ``images``, or in each picture of a list; the last one by default.
    :param threads: the number of threads of the whole call; by default :func:`frost.get_threads`. If there are at least as
        many pictures, each thread renders one picture at a time.
    :param encoding: how to encode the results of encoded pictures, and ``decoding`` how to decode them. The CPU blurs them,
        and ``alpha``, ``channels`` and ``axis`` do not apply to them.
    :returns: an array for an array, and a list for a list. A result has the shape and the type of its picture.
    :raises ArgumentError: if a list has another length than the pictures.

    The other arguments and errors are those of :func:`blur`.

    >>> pictures = numpy.zeros((3, 20, 30, 3), numpy.uint8)
    >>> frost.blur_batch(pictures, 4).shape
    (3, 20, 30, 3)
    >>> frost.blur_batch([pictures[0], pictures[1, :9]], [2, -1], errors="return")[1]
    ParameterError('sigma x -1 is out of range (allowed: 0 to 1000)')
    """
    def one(value: Any) -> Effect:
        return gaussian(value, edge=edge, dither=dither, linear=linear)

    given: Any = sigma
    # A tuple is a pair, as in blur().
    effects = list(given) if has_elements(given) and not isinstance(given, tuple) else one(given)
    return rendered_batch(
        images, effects, one, rects, Edges(feather, ellipse, invert_rects), mask, out, errors, alpha, channels, axis, threads,
        backend, encoding, decoding)


@overload
def effect_batch(
    images: Array, effect: Effects, rects: Optional[RectsLike] = None, *, feather: float = 0, ellipse: bool = False,
    invert_rects: bool = False, mask: Masks = None, errors: Literal["raise"] = "raise", edge: Optional[Edge] = None,
    dither: Optional[bool] = None, linear: bool = False, alpha: Optional[Alpha] = None,
    channels: Optional[Channels] = None, axis: Optional[int] = None, out: Outs = None, threads: Optional[int] = None,
    backend: Backend = "cpu", encoding: Encoding = Encoding(), decoding: Decoding = Decoding(), **parameters: ParameterValue,
) -> Array: ...


@overload
def effect_batch(
    images: Tensor, effect: Effects, rects: Optional[RectsLike] = None, *, feather: float = 0, ellipse: bool = False,
    invert_rects: bool = False, mask: Masks = None, errors: Literal["raise"] = "raise", edge: Optional[Edge] = None,
    dither: Optional[bool] = None, linear: bool = False, alpha: Optional[Alpha] = None,
    channels: Optional[Channels] = None, axis: Optional[int] = None, out: Outs = None, threads: Optional[int] = None,
    backend: Backend = "cpu", encoding: Encoding = Encoding(), decoding: Decoding = Decoding(), **parameters: ParameterValue,
) -> Tensor: ...


@overload
def effect_batch(
    images: Many[Shared], effect: Effects, rects: Optional[RectsLike] = None, *, feather: float = 0, ellipse: bool = False,
    invert_rects: bool = False, mask: Masks = None, errors: Literal["raise"] = "raise", edge: Optional[Edge] = None,
    dither: Optional[bool] = None, linear: bool = False, alpha: Optional[Alpha] = None,
    channels: Optional[Channels] = None, axis: Optional[int] = None, out: Outs = None, threads: Optional[int] = None,
    backend: Backend = "cpu", encoding: Encoding = Encoding(), decoding: Decoding = Decoding(), **parameters: ParameterValue,
) -> List[Array]: ...


@overload
def effect_batch(
    images: Many[File], effect: Effects, rects: Optional[RectsLike] = None, *, feather: float = 0, ellipse: bool = False,
    invert_rects: bool = False, mask: Masks = None, errors: Literal["raise"] = "raise", edge: Optional[Edge] = None,
    dither: Optional[bool] = None, linear: bool = False, alpha: Optional[Alpha] = None,
    channels: Optional[Channels] = None, axis: Optional[int] = None, out: Outs = None, threads: Optional[int] = None,
    backend: Backend = "cpu", encoding: Encoding = Encoding(), decoding: Decoding = Decoding(), **parameters: ParameterValue,
) -> List[bytes]: ...


@overload
def effect_batch(
    images: Many[Tensor], effect: Effects, rects: Optional[RectsLike] = None, *, feather: float = 0, ellipse: bool = False,
    invert_rects: bool = False, mask: Masks = None, errors: Literal["raise"] = "raise", edge: Optional[Edge] = None,
    dither: Optional[bool] = None, linear: bool = False, alpha: Optional[Alpha] = None,
    channels: Optional[Channels] = None, axis: Optional[int] = None, out: Outs = None, threads: Optional[int] = None,
    backend: Backend = "cpu", encoding: Encoding = Encoding(), decoding: Decoding = Decoding(), **parameters: ParameterValue,
) -> List[Tensor]: ...


@overload
def effect_batch(
    images: Many[Item], effect: Effects, rects: Optional[RectsLike] = None, *, feather: float = 0, ellipse: bool = False,
    invert_rects: bool = False, mask: Masks = None, errors: Literal["raise"] = "raise", edge: Optional[Edge] = None,
    dither: Optional[bool] = None, linear: bool = False, alpha: Optional[Alpha] = None,
    channels: Optional[Channels] = None, axis: Optional[int] = None, out: Outs = None, threads: Optional[int] = None,
    backend: Backend = "cpu", encoding: Encoding = Encoding(), decoding: Decoding = Decoding(), **parameters: ParameterValue,
) -> List[Any]: ...


@overload
def effect_batch(
    images: Union[Array, Many[Item]], effect: Effects, rects: Optional[RectsLike] = None, *, feather: float = 0, ellipse: bool = False,
    invert_rects: bool = False, mask: Masks = None, errors: Literal["return"], edge: Optional[Edge] = None,
    dither: Optional[bool] = None, linear: bool = False, alpha: Optional[Alpha] = None,
    channels: Optional[Channels] = None, axis: Optional[int] = None, out: Outs = None, threads: Optional[int] = None,
    backend: Backend = "cpu", encoding: Encoding = Encoding(), decoding: Decoding = Decoding(), **parameters: ParameterValue,
) -> List[Union[Result, Exception]]: ...


def effect_batch(
    images: Any, effect: Effects, rects: Optional[RectsLike] = None, *, feather: float = 0, ellipse: bool = False,
    invert_rects: bool = False, mask: Masks = None, errors: Literal["raise", "return"] = "raise", edge: Optional[Edge] = None,
    dither: Optional[bool] = None, linear: bool = False, alpha: Optional[Alpha] = None,
    channels: Optional[Channels] = None, axis: Optional[int] = None, out: Outs = None, threads: Optional[int] = None,
    backend: Backend = "cpu", encoding: Encoding = Encoding(), decoding: Decoding = Decoding(), **parameters: ParameterValue,
) -> Any:
    """Renders an effect on many pictures, or on rectangles of them.

    :param effect: one effect or its name, or a list with one for each picture.
    :param edge: as in :func:`effect`, and so are ``dither``, ``linear`` and the parameters. They belong to names.

    The other arguments, the result and the errors are those of :func:`blur_batch`. With rectangles, the effect must not
    change the channels of a picture.

    >>> plates = [[(2, 3, 10, 5)], []]
    >>> [image.shape for image in frost.effect_batch(numpy.zeros((2, 20, 30, 3), numpy.uint8), "light", plates)]
    [(20, 30, 3), (20, 30, 3)]
    """
    def one(value: Any) -> Effect:
        return with_parameters(value, edge, dither, linear, parameters, _EFFECT_OPTIONS)

    given: Any = effect
    effects = list(given) if has_elements(given) and not isinstance(given, Effect) else one(given)
    return rendered_batch(
        images, effects, one, rects, Edges(feather, ellipse, invert_rects), mask, out, errors, alpha, channels, axis, threads,
        backend, encoding, decoding)


_EFFECT_OPTIONS = options_of(effect_batch)
