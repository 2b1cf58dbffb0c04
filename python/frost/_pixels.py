"""Describes NumPy arrays as image structs of frost.h, without copying the arrays."""

import ctypes

import numpy

from ._errors import LayoutError
from ._library import Image, Rect, constant

CHANNELS = ["rgba", "bgra", "rgb", "grey", "grey-alpha"]
COUNTS = {"rgba": 4, "bgra": 4, "rgb": 3, "grey": 1, "grey-alpha": 2}
SAMPLES = [numpy.dtype(numpy.uint8), numpy.dtype(numpy.uint16), numpy.dtype(numpy.float32), numpy.dtype(numpy.float16)]
ALPHAS = ["straight", "premultiplied"]
_BY_COUNT = {1: "grey", 2: "grey-alpha", 3: "rgb", 4: "rgba"}


def image(array, channels=None, alpha="straight", *, writable=False, name="image"):
    """Returns a struct that points to an array of shape (height, width, channels) or (height, width).

    :raises LayoutError: if the pixels in a row are not contiguous, or if Frost does not support the type of the array.
    """
    if not isinstance(array, numpy.ndarray):
        raise TypeError(f"{name} must be a NumPy array, not {type(array).__name__}; convert it with numpy.asarray()")
    if array.ndim not in (2, 3):
        raise LayoutError(f"{name} has {array.ndim} dimensions: expected height and width, or height, width and channels")
    if array.dtype not in SAMPLES:
        raise LayoutError(f"{name} has the type {array.dtype}: expected uint8, uint16, float16 or float32 in the machine's byte order")
    if writable and not array.flags.writeable:
        raise LayoutError(f"{name} is read-only")
    height, width = array.shape[:2]
    count = array.shape[2] if array.ndim == 3 else 1
    if channels is None:
        if count not in _BY_COUNT:
            raise LayoutError(f"{name} has {count} channels: expected 1 to 4")
        channels = _BY_COUNT[count]
    number = constant(CHANNELS, channels, "channels")
    if COUNTS[channels] != count:
        raise LayoutError(f"{name} has {count} channels, but {channels} needs {COUNTS[channels]}")
    size = array.dtype.itemsize
    # The stride of an axis with a single element has no meaning.
    along = [(size, count, array.strides[2])] if array.ndim == 3 else []
    for wanted, elements, stride in along + [(count * size, width, array.strides[1])]:
        if elements > 1 and stride != wanted:
            raise LayoutError(
                f"{name} has pixels that are not contiguous (strides {array.strides}): copy it with numpy.ascontiguousarray()")
    row = array.strides[0] if height > 1 else width * count * size
    if height > 1 and row < width * count * size:
        raise LayoutError(
            f"{name} has rows that overlap or run upwards (strides {array.strides}): copy it with numpy.ascontiguousarray()")
    return Image(
        width=width, height=height, channels=number, sample=SAMPLES.index(array.dtype),
        alpha=constant(ALPHAS, alpha, "alpha"), bytes_per_row=row, pixels=array.ctypes.data,
        byte_count=max(0, height - 1) * row + width * count * size)


def empty(target):
    """Returns an array for a target that the library has described."""
    count = COUNTS[CHANNELS[target.channels]]
    shape = (target.height, target.width) + ((count,) if count > 1 else ())
    return numpy.empty(shape, SAMPLES[target.sample])


def rect(region):
    """Converts (x, y, width, height) to a rectangle. Returns None for None."""
    return None if region is None else ctypes.pointer(Rect(*region))
