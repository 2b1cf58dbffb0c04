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
# Frost's float32 has an error of about 2.5e-7 of the largest value. Up to this many ranges from zero, this adds 1e-6 of the
# range at most.
_FAR = 4
# float32 holds sums of such values, and what is 2**-24 of them and larger.
_SMALLEST, _LARGEST = 2.0**-64, 2.0**64
# In sigmas: the part of a Gaussian beyond it is 1.2e-15.
_WIDEST = 8


class Axis(NamedTuple):
    """How an axis is blurred. A sigma of 0 leaves it as it is.

    ``reach`` is the number of results beside an edge that become infinite or NaN if the value outside is.
    """

    sigma: float
    edge: Edge
    reach: int = 0


def blurred(
    array: Array, axes: Sequence[Axis], dtype: numpy.dtype[Any], fill: float = 0.0, out: Optional[Array] = None,
) -> Array:
    """Returns an array of the same shape, or ``out``.

    Types that Frost knows are blurred as they are if one pass suffices, and float32 if no value is further from zero than four
    times the range of the values. All others are computed as float32, after the middle of their values is subtracted, and
    rounded once. Values too large or too small for float32 are scaled by a power of two.

    :param axes: one for each axis of the array.
    :param dtype: the type of the result.
    :param fill: what lies outside the array for the edge mode "clear".
    :param out: an array of the shape of the result; also ``array`` itself.
    """
    passes = _passes(array.shape, axes) if array.size else []
    is_filled = any(axes[axis].edge == "clear" for each in passes for axis in each if axes[axis].sigma > 0)
    if not passes:
        result = array
    elif (len(passes) == 1 and array.dtype == dtype and dtype in SAMPLES and not (is_filled and fill)
            and (dtype != _SINGLE or _is_plain(array))):
        is_usable = out is not None and out.dtype == dtype and (_is_same(out, array) or not numpy.may_share_memory(out, array))
        result = out if out is not None and is_usable else numpy.empty(array.shape, dtype)
        _run(array, result, passes[0], axes)
    else:
        low, high = float(array.min()), float(array.max())
        scale = _scale(high / 2 - low / 2)
        exact = numpy.result_type(array.dtype, _SINGLE if scale == 1 else numpy.float64)
        middle = low / 2 + high / 2
        base = float(exact.type(middle)) if math.isfinite(middle) else 0.0
        values = numpy.subtract(array, base, dtype=exact)
        work = numpy.ascontiguousarray(values if scale == 1 else values * scale, dtype=_SINGLE)
        for each in passes:
            _run(work, work, each, axes)
        wide = numpy.result_type(dtype, exact)
        values = work if scale == 1 else numpy.divide(work, scale, dtype=wide)
        result = numpy.add(values, _restored(base, array.shape, axes, fill) if is_filled else base, dtype=wide)
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
        return
    result = blur(source, sigma, edge=edge, alpha="premultiplied")
    # The result may have alpha after the channels of the picture.
    target[...] = result[..., :count].reshape(target.shape) if result.ndim == 3 else result.reshape(target.shape)


def _is_same(one: Array, other: Array) -> bool:
    return one.__array_interface__["data"] == other.__array_interface__["data"] and one.strides == other.strides


def _is_plain(array: Array) -> bool:
    """Returns whether the values are near zero for their range, and neither too large nor too small for float32."""
    side = max(2, round(_SMALL ** (1 / array.ndim)))
    # If some of the values are near zero for their range, so are all: a larger value makes the range larger.
    some = array[tuple(slice(None, None, max(1, count // side)) for count in array.shape)]
    for values in (some, array):
        low, high = float(values.min()), float(values.max())
        largest = max(-low, high)
        if largest <= _FAR * (high - low) and _SMALLEST <= largest <= _LARGEST:
            return True
    return largest == 0


def _scale(largest: float) -> float:
    """Returns the power of two that brings the largest value to about 1, or 1 if float32 can hold the values."""
    if largest == 0 or _SMALLEST <= largest <= _LARGEST or not math.isfinite(largest):
        return 1.0
    return math.ldexp(1.0, min(1 - math.frexp(largest)[1], 1000))


def _restored(base: float, shape: Tuple[int, ...], axes: Sequence[Axis], fill: float) -> Array:
    """Returns what is added to blurred values from which ``base`` was subtracted, and outside which there was 0."""
    outside = numpy.zeros([1] * len(shape))
    for index, axis in enumerate(axes):
        if axis.sigma > 0 and axis.edge == "clear":
            own = _outside(axis, shape[index], math.isfinite(fill)).reshape([-1] + [1] * (len(shape) - index - 1))
            outside = outside + own - outside * own
    added: Array = base * (1 - outside) + fill * outside if math.isfinite(fill) else numpy.where(outside > 0, fill, base)
    return added


def _outside(axis: Axis, count: int, is_finite: bool) -> Array:
    """Returns the part of the kernel that lies outside an axis, for each of its samples."""
    reach = math.ceil(_WIDEST * axis.sigma) if is_finite else min(axis.reach, count)
    with numpy.errstate(over="ignore"):
        weights = numpy.exp(-(numpy.arange(reach + 1) / axis.sigma) ** 2 / 2) if is_finite else numpy.ones(reach + 1)
    # The part of the kernel from a distance on.
    tails = numpy.append(numpy.cumsum(weights[::-1])[::-1], 0.0) / (2 * weights.sum() - weights[0])
    distances = numpy.minimum(numpy.arange(1, count + 1), reach + 1)
    parts: Array = tails[distances] + tails[distances[::-1]]
    return parts


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
