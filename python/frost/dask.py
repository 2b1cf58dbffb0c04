"""Blurs Dask arrays chunk by chunk: ``frost.dask.blur(array, sigma=8)``."""

from __future__ import annotations

import math
from ctypes import byref, c_int32
from typing import Any, List, Optional, Tuple

import numpy

from . import _library as lib
from ._arguments import whole
from ._calls import blur as _blur
from ._effects import Effect, gaussian
from ._engines import required
from ._errors import ArgumentError, LayoutError, PixelError
from ._pixels import SAMPLES
from ._structs import ImageStruct
from ._types import CHANNELS, Alpha, Array, Channels, Edge

__all__ = ["blur"]


def blur(
    array: Any, sigma: float, *, edge: Edge = "clamp", alpha: Optional[Alpha] = None, channels: Optional[Channels] = None,
    threads: int = 1,
) -> Any:
    """Blurs a Dask array with a Gaussian. The result is lazy, and has the bytes that :func:`frost.blur` computes for the
    whole array. Only chunks and the pixels around them need memory.

    Each chunk is computed with the pixels around it that its result depends on, about 4 sigma on each side. If necessary,
    chunks are merged and their boundaries moved to multiples of a power of two, at most 2 sigma, because Frost blurs at a
    lower resolution.

    :param array: of the shape (height, width) or (height, width, channels) and of the types of :func:`frost.blur`.
    :param sigma: the standard deviation in pixels, 0 to 1000.
    :param edge: "clamp" or "mirror". A chunk at one edge of a picture cannot read the opposite edge.
    :param threads: the number of threads for a chunk. Dask's schedulers compute several chunks at a time, so the default
        is 1.
    :returns: an array of the same shape and type, in the machine's byte order.
    :raises ArgumentError: if the edge mode is another one, or the height or the width is 2**31 or more.
    :raises LayoutError: if the shape or type is not one of the above.

    >>> import dask.array                                                      # doctest: +SKIP
    >>> frost.dask.blur(dask.array.zeros((4000, 6000), dtype="u1"), 8).sum()   # doctest: +SKIP
    dask.array<sum-aggregate, shape=(), dtype=uint64, chunksize=(), chunktype=numpy.ndarray>
    """
    dask = required("dask.array", "dask[array]")
    effect = gaussian(sigma, edge=edge)
    if edge not in ("clamp", "mirror"):
        raise ArgumentError(f"edge cannot be {edge!r} for a Dask array (allowed: clamp, mirror)")
    if array.ndim not in (2, 3):
        raise LayoutError(f"array has {array.ndim} dimensions: expected height and width, or height, width and channels")
    if any(math.isnan(size) for size in array.shape):
        raise LayoutError("array has chunks of unknown size: call array.compute_chunk_sizes() first")
    if 0 in array.shape:
        raise PixelError(f"array is empty (shape {array.shape})")
    dtype = array.dtype.newbyteorder("=")
    step = _step(sigma)
    halo = [-(-reach // step) * step for reach in _halo(effect, array.shape, dtype)]
    chunks = [_aligned(lengths, reach, step) for lengths, reach in zip(array.chunks, halo)]
    depth = {axis: 0 if len(chunks[axis]) == 1 else reach for axis, reach in enumerate(halo)}
    if array.ndim == 3:
        chunks.append(array.shape[2:])
        depth[2] = 0
    return dask.map_overlap(
        _chunk, array.rechunk(tuple(chunks)), depth=depth, boundary="none", dtype=dtype,
        meta=numpy.empty((0,) * array.ndim, dtype), sigma=sigma, edge=edge, alpha=alpha, channels=channels,
        threads=threads)


def _chunk(pixels: Array, **options: Any) -> Array:
    return _blur(pixels, **options)


def _halo(effect: Effect, shape: Tuple[int, ...], dtype: Any) -> Tuple[int, int]:
    """Returns how far the pixels on which a pixel depends are from it, along both axes of the array."""
    sample = numpy.dtype(numpy.float32) if dtype == numpy.float64 else numpy.dtype(dtype)
    if sample not in SAMPLES:
        raise LayoutError(f"array has the type {dtype}: expected uint8, uint16, float16, float32 or float64")
    height, width = (whole(size, f"the {name} of array", 1) for name, size in zip(("height", "width"), shape))
    # The plan depends on the size and on the type of the samples, and not on the pixels or the channels.
    picture = ImageStruct(
        width=width, height=height, channels=CHANNELS.index("grey"), sample=SAMPLES.index(sample),
        bytes_per_row=width * sample.itemsize, byte_count=height * width * sample.itemsize)
    x, y = c_int32(), c_int32()
    lib.effect_damage_expansion(effect._pointer, byref(picture), 0.0, byref(x), byref(y))
    return y.value, x.value


def _step(sigma: float) -> int:
    """Returns a number of pixels that whole low-resolution samples cover. Frost reduces the resolution by a power of two
    that is at most sigma. The samples begin at the top left corner of a picture, so the corner of a chunk must be a
    multiple of this power."""
    return 1 << max(0, math.ceil(math.log2(max(sigma, 1))))


def _aligned(lengths: Tuple[int, ...], depth: int, step: int) -> Tuple[int, ...]:
    """Returns chunk lengths along an axis: multiples of ``step``, except for the last one, and at least ``depth``."""
    length = -(-max(*lengths, depth, step) // step) * step
    total = sum(lengths)
    if total < length + depth:
        return (total,)
    if all(each % step == 0 for each in lengths[:-1]) and min(lengths) >= depth:
        return lengths
    count, rest = divmod(total, length)
    made: List[int] = [length] * count
    if rest >= max(depth, 1):
        made.append(rest)
    elif rest:
        made[-1] += rest
    return tuple(made)


def __dir__() -> List[str]:
    return __all__
