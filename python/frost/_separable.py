"""Gaussian blurs of arrays of numbers, along any of their axes. No channel is alpha."""

from __future__ import annotations

import math
from typing import Any, List, NamedTuple, Optional, Sequence, Tuple

import numpy

from ._calls import blur
from ._pixels import SAMPLES
from ._types import Array, Edge

_SINGLE = numpy.dtype(numpy.float32)
_CHANNELS = 4
# The number of samples below which a call takes longer than its work.
_SMALL = 1024


class Axis(NamedTuple):
    """How an axis is blurred. A sigma of 0 leaves it as it is."""

    sigma: float
    edge: Edge


def blurred(
    array: Array, axes: Sequence[Axis], dtype: numpy.dtype[Any], fill: float = 0.0, out: Optional[Array] = None,
) -> Array:
    """Returns an array of the same shape, or ``out``.

    Types that Frost knows are blurred as they are if one pass suffices. All others are computed as float32, after the
    middle of their values is subtracted, and rounded once.

    :param axes: one for each axis of the array.
    :param dtype: the type of the result.
    :param fill: what lies outside the array for the edge mode "clear".
    :param out: an array of the shape of the result; also ``array`` itself.
    """
    passes = _passes(array.shape, axes) if array.size else []
    is_filled = any(axes[axis].edge == "clear" for each in passes for axis in each if axes[axis].sigma > 0)
    if not passes:
        result = array
    elif len(passes) == 1 and array.dtype == dtype and dtype in SAMPLES and not (is_filled and fill):
        is_usable = out is not None and out.dtype == dtype and (_is_same(out, array) or not numpy.may_share_memory(out, array))
        result = out if out is not None and is_usable else numpy.empty(array.shape, dtype)
        _run(array, result, passes[0], axes)
    else:
        base = fill if is_filled else _middle(array)
        exact = numpy.result_type(array.dtype, _SINGLE)
        work = numpy.ascontiguousarray(numpy.subtract(array, base, dtype=exact), dtype=_SINGLE)
        for each in passes:
            _run(work, work, each, axes)
        result = numpy.add(work, base, dtype=numpy.result_type(dtype, _SINGLE))
    if result is out:
        return result
    if out is not None:
        out[...] = _cast(result, dtype)
        return out
    return _cast(result, dtype).copy() if result is array else _cast(result, dtype)


def _passes(shape: Tuple[int, ...], axes: Sequence[Axis]) -> List[Tuple[int, ...]]:
    """Returns the axes of each pass: two that are the columns and rows of pictures, or one."""
    active = [index for index, axis in enumerate(axes) if axis.sigma > 0]
    if not active:
        return []
    rest = len(shape) - _has_channels(shape, axes)
    edges = {axes[index].edge for index in active[-2:]}
    if rest == 2 and len(edges) == 1:
        return [(0, 1)]
    if len(active) > 1 and len(edges) == 1:
        pair = active[-2], active[-1]
        plane = shape[pair[0]] * shape[pair[1]]
        if plane >= _SMALL or plane == math.prod(shape):
            return [pair, *((index,) for index in active[:-2])]
    return [(index,) for index in active]


def _has_channels(shape: Tuple[int, ...], axes: Sequence[Axis]) -> bool:
    return len(shape) > 2 and shape[-1] <= _CHANNELS and axes[-1].sigma <= 0


def _run(source: Array, target: Array, each: Tuple[int, ...], axes: Sequence[Axis]) -> None:
    """Blurs an array along the axes of a pass, also into itself."""
    edge: Edge = next(axes[index].edge for index in each if axes[index].sigma > 0)
    if len(each) == 1:
        [index] = each
        is_last = index == source.ndim - 1
        place, sigma = (-1, (axes[index].sigma, 0.0)) if is_last else (0, (0.0, axes[index].sigma))
        moved = numpy.moveaxis(source, index, place)
        picture = moved.reshape((-1, moved.shape[-1]) if is_last else (moved.shape[0], -1))
        result = numpy.empty_like(picture)
        _render(picture, result, sigma, edge)
        target[...] = numpy.moveaxis(result.reshape(moved.shape), place, index)
        return
    places = (-3, -2) if _has_channels(source.shape, axes) else (-2, -1)
    sigma = axes[each[1]].sigma, axes[each[0]].sigma
    sources, targets = (numpy.moveaxis(array, each, places) for array in (source, target))
    for number in numpy.ndindex(sources.shape[:places[0]]):
        _render(sources[number], targets[number], sigma, edge)


def _render(source: Array, target: Array, sigma: Tuple[float, float], edge: Edge) -> None:
    # Premultiplied pictures are blurred channel by channel.
    count = source.shape[2] if source.ndim == 3 else 1
    if edge != "clear" or count in (2, _CHANNELS):
        blur(source, sigma, edge=edge, alpha="premultiplied", out=target)
    else:
        target[...] = blur(source, sigma, edge=edge, alpha="premultiplied")[..., :count].reshape(target.shape)


def _is_same(one: Array, other: Array) -> bool:
    return one.__array_interface__["data"] == other.__array_interface__["data"] and one.strides == other.strides


def _middle(array: Array) -> float:
    """Returns the middle between the smallest and the largest value, or 0 if one of them is not finite."""
    middle = float(array.min()) / 2 + float(array.max()) / 2
    return middle if math.isfinite(middle) else 0.0


def _cast(array: Array, dtype: numpy.dtype[Any]) -> Array:
    """Converts an array. Integers are rounded to the nearest, and limited to their range."""
    if dtype.kind not in "iub" or array.dtype.kind != "f":
        return array.astype(dtype, copy=False)
    low, high = (0, 1) if dtype.kind == "b" else (numpy.iinfo(dtype).min, numpy.iinfo(dtype).max)
    rounded = numpy.rint(array).astype(numpy.result_type(dtype, array.dtype), copy=False)
    # A float cannot hold the largest integers of 64 bits.
    limit = float(high) if int(float(high)) <= high else math.nextafter(float(high), 0)
    limited: Array = numpy.clip(rounded, low, limit)
    return limited.astype(dtype)
