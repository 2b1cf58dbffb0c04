"""Many pictures with one call."""

from __future__ import annotations

import os
import warnings
from typing import Any, Callable, Iterator, List, Literal, Optional, Sequence, TypeVar, Union, overload

import numpy

from ._arguments import constant, elements, has_elements, whole
from ._calls import shared_renderer
from ._effects import Effect, as_effect, gaussian
from ._encoded import Applied, applied, is_encoded
from ._encodings import Decoding, Encoding
from ._errors import ArgumentError, Error, LayoutError, PictureWarning, PixelError
from ._inputs import Source
from ._pixels import view
from ._rects import Done, Edges, rect_list, render_rects
from ._threads import resolved
from ._tensors import Tensor
from ._types import BACKENDS, Alpha, Array, Backend, Channels, Edge, Picture, RectLike

#: One rectangle, several for all pictures, or a list of rectangles (or None) for each picture.
RectsLike = Union[RectLike, Sequence[RectLike], Sequence[Optional[Sequence[RectLike]]]]
#: A picture, or the bytes of a file, or its path.
Item = Union[Picture, bytes, bytearray, "os.PathLike[str]"]
Result = Union[Array, bytes]
_Item = TypeVar("_Item")


@overload
def blur_batch(
    images: Array, sigma: Union[float, Sequence[float], Array], rects: Optional[RectsLike] = None, *,
    feather: float = 0, ellipse: bool = False, invert_rects: bool = False,
    errors: Literal["raise"] = "raise", edge: Edge = "clamp", alpha: Optional[Alpha] = None,
    channels: Optional[Channels] = None, axis: Optional[int] = None, threads: Optional[int] = None,
    backend: Backend = "cpu", encoding: Encoding = Encoding(), decoding: Decoding = Decoding(),
) -> Array: ...


@overload
def blur_batch(
    images: Union[Sequence[Picture], Iterator[Picture]], sigma: Union[float, Sequence[float], Array], rects: Optional[RectsLike] = None, *,
    feather: float = 0, ellipse: bool = False, invert_rects: bool = False,
    errors: Literal["raise"] = "raise", edge: Edge = "clamp", alpha: Optional[Alpha] = None,
    channels: Optional[Channels] = None, axis: Optional[int] = None, threads: Optional[int] = None,
    backend: Backend = "cpu", encoding: Encoding = Encoding(), decoding: Decoding = Decoding(),
) -> List[Array]: ...


@overload
def blur_batch(
    images: Union[Sequence[bytes], Iterator[bytes]], sigma: Union[float, Sequence[float], Array], rects: Optional[RectsLike] = None, *,
    feather: float = 0, ellipse: bool = False, invert_rects: bool = False,
    errors: Literal["raise"] = "raise", edge: Edge = "clamp", alpha: Optional[Alpha] = None,
    channels: Optional[Channels] = None, axis: Optional[int] = None, threads: Optional[int] = None,
    backend: Backend = "cpu", encoding: Encoding = Encoding(), decoding: Decoding = Decoding(),
) -> List[bytes]: ...


@overload
def blur_batch(
    images: Union[Sequence[Item], Iterator[Item]], sigma: Union[float, Sequence[float], Array], rects: Optional[RectsLike] = None, *,
    feather: float = 0, ellipse: bool = False, invert_rects: bool = False,
    errors: Literal["raise"] = "raise", edge: Edge = "clamp", alpha: Optional[Alpha] = None,
    channels: Optional[Channels] = None, axis: Optional[int] = None, threads: Optional[int] = None,
    backend: Backend = "cpu", encoding: Encoding = Encoding(), decoding: Decoding = Decoding(),
) -> List[Any]: ...


@overload
def blur_batch(
    images: Union[Array, Sequence[Item], Iterator[Item]], sigma: Union[float, Sequence[float], Array],
    rects: Optional[RectsLike] = None, *,
    feather: float = 0, ellipse: bool = False, invert_rects: bool = False,
    errors: Literal["return"], edge: Edge = "clamp",
    alpha: Optional[Alpha] = None, channels: Optional[Channels] = None, axis: Optional[int] = None,
    threads: Optional[int] = None, backend: Backend = "cpu", encoding: Encoding = Encoding(), decoding: Decoding = Decoding(),
) -> List[Union[Result, Exception]]: ...


def blur_batch(
    images: Union[Array, Sequence[Item], Iterator[Item]], sigma: Union[float, Sequence[float], Array],
    rects: Optional[RectsLike] = None, *,
    feather: float = 0, ellipse: bool = False, invert_rects: bool = False,
    errors: Literal["raise", "return"] = "raise", edge: Edge = "clamp",
    alpha: Optional[Alpha] = None, channels: Optional[Channels] = None, axis: Optional[int] = None,
    threads: Optional[int] = None, backend: Backend = "cpu", encoding: Encoding = Encoding(), decoding: Decoding = Decoding(),
) -> Union[Array, List[Array], List[bytes], List[Any], List[Union[Result, Exception]]]:
    """Blurs many pictures with a Gaussian, or rectangles of them, such as faces.

    :param images: an array of shape (number, height, width, channels), or a list or generator of pictures of any sizes. The
        pictures are those of :func:`blur`, or the bytes of files, as for :func:`blur_encoded`. The result of bytes is bytes.
    :param sigma: one number, or one for each picture.
    :param rects: the rectangles to blur, each x, y, width and height: a list of rectangles for all pictures, or one list for
        each picture. None blurs a whole picture. A rectangle that is partly outside a picture is cropped to it, with a
        :class:`PictureWarning`. One that lies outside, or is empty, is an error, because it hides nothing.
    :param feather: the edges of the rectangles, with ``ellipse`` and ``invert_rects``, as in :func:`blur`.
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
    def one(value: float) -> Effect:
        return gaussian(value, edge=edge)

    given: Any = sigma
    effects = list(given) if has_elements(given) else one(given)
    result: Any = _batch(
        images, effects, one, rects, errors, alpha, channels, axis, threads, backend,
        encoding, decoding, Edges(feather, ellipse, invert_rects))
    return result  # type: ignore[no-any-return]


@overload
def effect_batch(
    images: Array, effect: Union[str, Effect, Sequence[Union[str, Effect]]],
    rects: Optional[RectsLike] = None, *,
    feather: float = 0, ellipse: bool = False, invert_rects: bool = False,
    errors: Literal["raise"] = "raise", alpha: Optional[Alpha] = None,
    channels: Optional[Channels] = None, axis: Optional[int] = None, threads: Optional[int] = None,
    backend: Backend = "cpu", encoding: Encoding = Encoding(), decoding: Decoding = Decoding(),
) -> Array: ...


@overload
def effect_batch(
    images: Union[Sequence[Picture], Iterator[Picture]], effect: Union[str, Effect, Sequence[Union[str, Effect]]],
    rects: Optional[RectsLike] = None, *,
    feather: float = 0, ellipse: bool = False, invert_rects: bool = False,
    errors: Literal["raise"] = "raise", alpha: Optional[Alpha] = None,
    channels: Optional[Channels] = None, axis: Optional[int] = None, threads: Optional[int] = None,
    backend: Backend = "cpu", encoding: Encoding = Encoding(), decoding: Decoding = Decoding(),
) -> List[Array]: ...


@overload
def effect_batch(
    images: Union[Sequence[bytes], Iterator[bytes]], effect: Union[str, Effect, Sequence[Union[str, Effect]]],
    rects: Optional[RectsLike] = None, *,
    feather: float = 0, ellipse: bool = False, invert_rects: bool = False,
    errors: Literal["raise"] = "raise", alpha: Optional[Alpha] = None,
    channels: Optional[Channels] = None, axis: Optional[int] = None, threads: Optional[int] = None,
    backend: Backend = "cpu", encoding: Encoding = Encoding(), decoding: Decoding = Decoding(),
) -> List[bytes]: ...


@overload
def effect_batch(
    images: Union[Sequence[Item], Iterator[Item]], effect: Union[str, Effect, Sequence[Union[str, Effect]]],
    rects: Optional[RectsLike] = None, *,
    feather: float = 0, ellipse: bool = False, invert_rects: bool = False,
    errors: Literal["raise"] = "raise", alpha: Optional[Alpha] = None,
    channels: Optional[Channels] = None, axis: Optional[int] = None, threads: Optional[int] = None,
    backend: Backend = "cpu", encoding: Encoding = Encoding(), decoding: Decoding = Decoding(),
) -> List[Any]: ...


@overload
def effect_batch(
    images: Union[Array, Sequence[Item], Iterator[Item]], effect: Union[str, Effect, Sequence[Union[str, Effect]]],
    rects: Optional[RectsLike] = None, *,
    feather: float = 0, ellipse: bool = False, invert_rects: bool = False,
    errors: Literal["return"], alpha: Optional[Alpha] = None,
    channels: Optional[Channels] = None, axis: Optional[int] = None, threads: Optional[int] = None,
    backend: Backend = "cpu", encoding: Encoding = Encoding(), decoding: Decoding = Decoding(),
) -> List[Union[Result, Exception]]: ...


def effect_batch(
    images: Union[Array, Sequence[Item], Iterator[Item]], effect: Union[str, Effect, Sequence[Union[str, Effect]]],
    rects: Optional[RectsLike] = None, *,
    feather: float = 0, ellipse: bool = False, invert_rects: bool = False,
    errors: Literal["raise", "return"] = "raise",
    alpha: Optional[Alpha] = None, channels: Optional[Channels] = None, axis: Optional[int] = None,
    threads: Optional[int] = None, backend: Backend = "cpu", encoding: Encoding = Encoding(), decoding: Decoding = Decoding(),
) -> Union[Array, List[Array], List[bytes], List[Any], List[Union[Result, Exception]]]:
    """Renders an effect on many pictures, or on rectangles of them.

    :param effect: one effect or its name, or one for each picture.

    The other arguments, the result and the errors are those of :func:`blur_batch`. With rectangles, the effect must not
    change the channels of a picture.

    >>> plates = [[(2, 3, 10, 5)], []]
    >>> [image.shape for image in frost.effect_batch(numpy.zeros((2, 20, 30, 3), numpy.uint8), "light", plates)]
    [(20, 30, 3), (20, 30, 3)]
    """
    effects: Any = as_effect(effect) if isinstance(effect, (str, Effect)) else list(effect)
    result: Any = _batch(
        images, effects, as_effect, rects, errors, alpha, channels, axis, threads, backend,
        encoding, decoding, Edges(feather, ellipse, invert_rects))
    return result  # type: ignore[no-any-return]


def _batch(
    images: Any, effects: Any, made: Callable[[Any], Effect], rects: Any, errors: str, alpha: Optional[Alpha],
    channels: Optional[Channels], axis: Optional[int], threads: Optional[int], backend: Backend,
    encoding: Encoding, decoding: Decoding, edges: Edges,
) -> Any:
    edges.check(rects)
    if errors not in ("raise", "return"):
        raise ArgumentError(f"errors cannot be {errors!r} (allowed: raise, return)")
    items, is_array, axis = _items(images, axis)
    tensor = Tensor.of(images)
    if isinstance(effects, Effect):
        each_effect, made = [effects] * len(items), as_effect
    else:
        each_effect = _matched(effects, len(items), "effects or sigmas")
    each_rects = _each_rects(rects, len(items))
    count = resolved(threads)
    constant(BACKENDS, backend, "backend")
    is_parallel = backend in ("cpu", "exact") and count > 1 and len(items) >= count
    each_threads = 1 if is_parallel else count
    # The CPU renders encoded pictures. A batch of them opens no GPU.
    renderer = None if all(map(is_encoded, items)) else shared_renderer(backend, each_threads)
    # With errors="raise", pictures after one that failed are skipped. Those before it are rendered, so that the error does
    # not depend on the order of the threads.
    failed: List[int] = []

    def work(index: int) -> Union[Done, Exception, None]:
        if any(other < index for other in failed):
            return None
        try:
            if renderer is None or is_encoded(items[index]):
                return Done(*_encoded(
                    items[index], made(each_effect[index]), each_rects[index], encoding, decoding, each_threads, edges))
            source = Source(items[index], axis)
            effect, own = made(each_effect[index]), each_rects[index]
            if own is None:
                return Done(source.returned(renderer.render(source.array, effect, channels=channels, alpha=alpha).image), "")
            done = render_rects(renderer, source, effect, own, channels, alpha, edges)
            return Done(source.returned(done.picture), done.warning)
        except Exception as error:
            if errors == "raise":
                failed.append(index)
            return error

    if is_parallel:
        # This module takes a tenth of the time of "import frost".
        from concurrent.futures import ThreadPoolExecutor

        with ThreadPoolExecutor(count, "frost") as pool:
            results: List[Any] = list(pool.map(work, range(len(items))))
    else:
        results = [work(index) for index in range(len(items))]
    for index, result in enumerate(results):
        if isinstance(result, Done):
            results[index] = result.picture
            if result.warning:
                # At the line that called blur_batch() or effect_batch(), and not in a thread of the pool.
                try:
                    warnings.warn(f"images[{index}]: {result.warning}", PictureWarning, stacklevel=3)
                except PictureWarning as error:
                    results[index] = error
    if errors == "return":
        return results if tensor is None else [
            result if isinstance(result, Exception) else tensor.like(result) for result in results]
    for index, result in enumerate(results):
        if isinstance(result, Exception):
            raise _located(result, index) from result
    if not is_array:
        return results
    if results:
        stacked = _stacked(results)
    else:
        none: Any = images if tensor is None else tensor.readable()
        stacked = view(none).copy()
    return stacked if tensor is None else tensor.like(stacked)


def _items(images: Any, axis: Optional[int]) -> Any:
    """Returns the pictures, whether they are one array, and the axis of the channels of a picture."""
    is_array = isinstance(images, (str, bytes, bytearray, memoryview)) or any(
        hasattr(images, name) for name in ("__array_interface__", "__dlpack__"))
    if not is_array and has_elements(images):
        return list(images), False, axis
    tensor = Tensor.of(images)
    given: Any = images if tensor is None else tensor.readable()
    array = view(given, "images")
    if array.ndim != 4:
        raise LayoutError(
            f"images has {array.ndim} dimensions: expected four, (number, height, width, channels), or a list of pictures")
    if axis is not None:
        if whole(axis, "axis") in (0, -4) or not -4 <= axis <= 3:
            raise LayoutError(f"axis {axis} is out of range (allowed: 1 to 3)")
        axis = axis % 4 - 1
    return list(array), True, axis


def _matched(values: List[_Item], count: int, what: str) -> List[_Item]:
    if len(values) != count:
        raise ArgumentError(f"there are {len(values)} {what} for {count} pictures")
    return values


def _each_rects(rects: Any, count: int) -> List[Optional[List[Any]]]:
    """Returns the rectangles of each picture, None for the whole picture."""
    if rects is None:
        return [None] * count
    entries = rect_list(rects)
    lists = [None if entry is None else elements(entry, f"rects[{index}]") for index, entry in enumerate(entries)]
    if all(entry and entry[0] is not None and not has_elements(entry[0]) for entry in lists):
        return [lists] * count
    return _matched(lists, count, "lists of rectangles")


def _encoded(
    data: bytes, effect: Effect, rects: Optional[List[Any]], encoding: Encoding, decoding: Decoding, threads: int,
    edges: Edges,
) -> Applied:
    if rects is not None and not rects:
        # The whole picture is outside the rectangles.
        whole_picture = edges.inverted
        # Otherwise nothing is blurred, but the result still has the requested format.
        effect, rects, edges = effect if whole_picture else gaussian(0), None, Edges()
    return applied(data, effect, rects, edges, None, encoding, decoding, threads)


def _stacked(results: List[Any]) -> Array:
    shapes = {result.shape for result in results}
    if len(shapes) > 1:
        raise PixelError(f"the results have different shapes ({', '.join(map(str, sorted(shapes)))}): pass a list of pictures")
    return numpy.stack(results)


def _located(error: Exception, index: int) -> Exception:
    """Returns an error of the same class whose text names the picture."""
    if isinstance(error, Error) or type(error) in (TypeError, ValueError):
        return type(error)(f"images[{index}]: {error}")
    return error
