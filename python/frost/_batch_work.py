"""The work of the calls on many pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, List, Optional, TypeVar, Union

import numpy

from ._arguments import constant, elements, has_elements, whole
from ._calls import rendered, shared_renderer
from ._effects import Effect, as_effect
from ._encoded import applied
from ._encodings import Decoding, Encoding
from ._errors import ArgumentError, Error, LayoutError, PictureWarning, PixelError, warn
from ._inputs import Output, Source, mask_of
from ._overlaps import check_outs
from ._pixels import channels_hint, image, is_array_like, is_encoded, view
from ._rects import Done, Edges, rect_list
from ._tensors import Tensor
from ._threads import resolved
from ._types import BACKENDS, Alpha, Array, Backend, Channels

if TYPE_CHECKING:
    from ._options import Masks, Outs

_Item = TypeVar("_Item")


def rendered_batch(
    images: Any, effects: Any, made: Callable[[Any], Effect], rects: Any, edges: Edges, mask: Masks, out: Outs, errors: str,
    alpha: Optional[Alpha], channels: Optional[Channels], axis: Optional[int], threads: Optional[int], backend: Backend,
    encoding: Encoding, decoding: Decoding,
) -> Any:
    """Renders an effect on each picture of a batch.

    :param effects: an effect, or a list of what ``made`` makes effects of.
    """
    edges.check(rects)
    if errors not in ("raise", "return"):
        raise ArgumentError(f"errors cannot be {errors!r} (allowed: raise, return)")
    items, is_array, axis = _items(images, axis)
    tensor = _tensor(images)
    if isinstance(effects, Effect):
        each_effect, made = [effects] * len(items), as_effect
    else:
        each_effect = _matched(effects, len(items), "effects or sigmas")
    each_rects = _each_rects(rects, len(items))
    each_mask = _each_mask(mask, items)
    each_out = _each_out(out, items, is_array)
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
            effect, own = made(each_effect[index]), each_rects[index]
            own_edges = Edges() if own is None else edges
            if renderer is None or is_encoded(items[index]):
                if each_out[index] is not None:
                    raise TypeError("out is for arrays: the result of an encoded picture is bytes")
                return Done(*applied(
                    items[index], effect, own, own_edges, each_mask[index], encoding, decoding, each_threads))
            source, strengths = Source(items[index], axis), mask_of(each_mask[index])
            output = Output(each_out[index], source, lambda: (
                effect._described(source.array, None, channels, alpha) if own is None
                else image(source.array, channels, alpha)))
            done = rendered(
                renderer, source, effect, output.direct, own, own_edges, None, strengths, channels, alpha)
            return Done(output.finished(done.picture), done.warning)
        except Exception as error:
            if errors == "raise":
                failed.append(index)
            return error

    if is_parallel:
        # This module takes a tenth of the time of "import frost".
        from concurrent.futures import ThreadPoolExecutor

        with ThreadPoolExecutor(count, "frost") as pool:
            try:
                results: List[Any] = list(pool.map(work, range(len(items))))
            except BaseException:
                # After an interrupt, no further picture is begun.
                failed.append(-1)
                raise
    else:
        results = [work(index) for index in range(len(items))]
    for index, result in enumerate(results):
        if isinstance(result, Done):
            results[index] = result.picture
            if result.warning:
                # At the line that called blur_batch() or effect_batch(), and not in a thread of the pool.
                try:
                    warn(f"images[{index}]: {result.warning}", PictureWarning)
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
    if out is not None:
        return out
    if results:
        stacked = _stacked(results)
    else:
        none: Any = images if tensor is None else tensor.readable()
        stacked = view(none).copy()
    return stacked if tensor is None else tensor.like(stacked)


def _tensor(images: Any) -> Optional[Tensor]:
    """Returns a batch that is a tensor of another library. Of an array of NumPy, each picture is converted by itself."""
    return None if isinstance(images, numpy.ndarray) else Tensor.of(images)


def _items(images: Any, axis: Optional[int]) -> Any:
    """Returns the pictures, whether they are one array, and the axis of the channels of a picture."""
    is_array = isinstance(images, (str, bytes, bytearray, memoryview)) or is_array_like(images)
    if not is_array and has_elements(images):
        return list(images), False, axis
    tensor = _tensor(images)
    given: Any = images if tensor is None else tensor.readable()
    array = view(given, "images")
    if array.ndim != 4:
        raise LayoutError(
            f"images has {array.ndim} dimensions: expected four, (number, height, width, channels), or a list of pictures"
            + ("; images[..., None] has four" if array.ndim == 3 else ""))
    if axis is None:
        hint = channels_hint(array[0], 1) if len(array) else None
        if hint is not None:
            raise LayoutError(f"images has {hint}")
    else:
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
    entries = rect_list(rects, texts=True)
    if any(isinstance(entry, str) for entry in entries):
        return [entries] * count
    lists = [None if entry is None else elements(entry, f"rects[{index}]") for index, entry in enumerate(entries)]
    if all(entry and entry[0] is not None and not isinstance(entry[0], str) and not has_elements(entry[0]) for entry in lists):
        return [lists] * count
    return _matched(lists, count, "lists of rectangles")


def _each_mask(mask: Any, items: List[Any]) -> List[Any]:
    """Returns the mask of each picture, None for no mask."""
    if isinstance(mask, (list, tuple)):
        return _matched(list(mask), len(items), "masks")
    shape: Any = getattr(mask, "shape", ())
    if len(shape) == 4 or (len(shape) == 3 and shape[0] == len(items) and shape[2] > 4):
        raise LayoutError(f"mask has the shape {tuple(shape)}: pass a list with one mask for each picture, such as list(mask)")
    # The library copies a mask, so pictures share it.
    shared = mask if mask is None or all(map(is_encoded, items)) or is_encoded(mask) else mask_of(mask)
    return [mask if is_encoded(item) else shared for item in items]


def _each_out(out: Any, items: List[Any], is_array: bool) -> List[Any]:
    """Returns the target of each picture, None for a new array."""
    if out is None:
        return [None] * len(items)
    if is_array:
        target = view(out, "out")
        if target.ndim != 4:
            raise PixelError(f"out has {target.ndim} dimensions, but images has four")
        outs = _matched(list(target), len(items), "pictures in out")
    else:
        outs = _matched(elements(out, "out"), len(items), "arrays in out")
    check_outs(items, outs)
    return outs


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
