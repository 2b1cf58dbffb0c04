"""Describes arrays as image structs of frost.h, without copying them."""

from __future__ import annotations

import os
from typing import Any, List, Optional, Tuple

import numpy

from ._arguments import constant
from ._errors import LayoutError, PixelError
from ._structs import ImageStruct
from ._types import ALPHAS, CHANNELS, Array, Picture

COUNTS = {"rgba": 4, "bgra": 4, "rgb": 3, "grey": 1, "grey-alpha": 2}
SAMPLES: List[numpy.dtype[Any]] = [
    numpy.dtype(numpy.uint8), numpy.dtype(numpy.uint16), numpy.dtype(numpy.float32), numpy.dtype(numpy.float16)]
_BY_COUNT = {1: "grey", 2: "grey-alpha", 3: "rgb", 4: "rgba"}
# The modes of Pillow whose samples are grey or red, green and blue, with straight alpha.
_PILLOW_MODES = ("L", "LA", "RGB", "RGBA", "I;16", "F")
# The modes to which other modes are converted without a loss of alpha, or of the fact that there is no colour.
_CONVERSIONS = {"1": "L", "La": "LA", "P": "RGBA", "PA": "RGBA", "RGBa": "RGBA"}
# The devices of DLPack whose memory the CPU reads: CPU, and memory of the CPU that CUDA or ROCm has pinned.
_CPU_DEVICES = (1, 3, 11)


class Exported:
    """An array interface, and the object that owns its memory. Pillow encodes the whole image whenever its interface is read,
    so it is read once."""

    def __init__(self, owner: object, interface: object) -> None:
        self.owner = owner
        self.__array_interface__ = interface


def is_on_gpu(picture: object) -> bool:
    """Returns whether an object exports memory that the CPU cannot read."""
    device: Any = getattr(picture, "__dlpack_device__", None)
    return device is not None and device()[0] not in _CPU_DEVICES


def is_pillow(picture: object) -> bool:
    return any(kind.__module__.startswith("PIL.") for kind in type(picture).__mro__)


def is_encoded(item: object) -> bool:
    """Whether an item of a batch is the bytes of a file, or its path. A memoryview is the memory of an array."""
    return isinstance(item, (bytes, bytearray, os.PathLike))


def is_array_like(given: object) -> bool:
    """Whether an object gives its memory as an array does."""
    return hasattr(given, "__array_interface__") or hasattr(given, "__dlpack__")


def view(picture: Picture, name: str = "image") -> Array:
    """Returns an array that shares the memory of an object.

    :raises TypeError: if the object shares no memory.
    :raises LayoutError: if its memory is on a GPU, if it has a mask, or if NumPy does not know its type.
    """
    if isinstance(picture, numpy.ndarray):
        if isinstance(picture, numpy.ma.MaskedArray):
            raise LayoutError(f"{name} is a masked array, whose mask would be lost: fill it first with .filled()")
        return picture
    device = getattr(picture, "__dlpack_device__", None)
    if is_on_gpu(picture):
        raise LayoutError(f"{name} is in the memory of a GPU: copy it to the CPU first, for example with .cpu() or .get()")
    interface = getattr(picture, "__array_interface__", None)
    if interface is not None:
        mode = getattr(picture, "mode", None)
        if is_pillow(picture) and mode not in _PILLOW_MODES:
            raise PixelError(f"{name} is a Pillow image of the mode {mode}: convert it with .convert(\"{_conversion(picture)}\")")
        return numpy.asarray(Exported(picture, interface))
    if device is not None:
        source: Any = picture
        try:
            return numpy.from_dlpack(source)
        except (BufferError, RuntimeError, TypeError) as error:
            raise LayoutError(f"{name} cannot be read through DLPack: {error}") from error
    if isinstance(picture, (bytes, bytearray, str, os.PathLike)):
        file = "data" if isinstance(picture, (bytes, bytearray)) else f"pathlib.Path({os.fspath(picture)!r})"
        raise TypeError(
            f"{name} is {type(picture).__name__}, not an array: frost.blur_encoded({file}, ...) and frost.effect_encoded() take "
            "the bytes of files, and paths")
    buffer: Any = picture
    try:
        return numpy.asarray(memoryview(buffer))
    except TypeError:
        raise TypeError(
            f"{name} must be a NumPy array or share its memory like one, not {type(picture).__name__}; "
            "convert it with numpy.asarray()") from None


def _conversion(picture: Any) -> str:
    """Returns the mode of Pillow that loses the least of a picture."""
    mode = str(picture.mode)
    if mode.startswith("I;16"):
        return "I;16"
    if mode == "I":
        # Integers of 32 bits, which Pillow would clip to 16 bits.
        low, high = picture.getextrema()
        return "I;16" if 0 <= low and high < 65536 else "F"
    return _CONVERSIONS.get(mode, "RGB")


def is_same(first: Array, second: Array) -> bool:
    """Returns whether two arrays have the same elements in the same memory."""
    return (first.ctypes.data, first.shape, first.strides) == (second.ctypes.data, second.shape, second.strides)


def layout_problem(array: Array) -> Optional[str]:
    """Returns why Frost cannot read or write an array in place, or None if it can."""
    if not array.flags.aligned:
        return "is not aligned to its type"
    height, width = array.shape[:2]
    count = array.shape[2] if array.ndim == 3 else 1
    size = array.dtype.itemsize
    # The stride of an axis with a single element has no meaning.
    along = [(size, count, array.strides[2])] if array.ndim == 3 else []
    for wanted, elements, stride in along + [(count * size, width, array.strides[1])]:
        if elements > 1 and stride != wanted:
            return f"has pixels that are not contiguous (strides {array.strides})"
    if height > 1 and array.strides[0] < width * count * size:
        return f"has rows that overlap or run upwards (strides {array.strides})"
    return None


def check_shape(array: Array, name: str) -> None:
    """Checks that an array has the dimensions of a picture."""
    if array.ndim not in (2, 3):
        several = "; blur_batch() and effect_batch() take several pictures" if array.ndim == 4 else ""
        raise LayoutError(
            f"{name} has {array.ndim} dimensions: expected height and width, or height, width and channels{several}")
    if array.size == 0:
        raise PixelError(f"{name} is empty (shape {array.shape})")
    if max(array.shape[:2]) > 2**31 - 1:
        raise PixelError(f"{name} has the shape {array.shape}: height and width are at most {2**31 - 1}")


def image(
    array: Array, channels: Optional[str] = None, alpha: Optional[str] = None, *, writable: bool = False,
    name: str = "image",
) -> ImageStruct:
    """Returns a struct that points to the pixels of an array of shape (height, width, channels) or (height, width). The
    caller keeps the array alive.

    :param alpha: None stands for straight alpha.
    :raises LayoutError: if the pixels in a row are not contiguous, or if Frost does not support the type of the array.
    """
    check_shape(array, name)
    if array.dtype not in SAMPLES:
        raise LayoutError(
            f"{name} has the type {array.dtype}: expected uint8, uint16, float16 or float32 in the machine's byte order")
    if writable and not array.flags.writeable:
        raise LayoutError(f"{name} is read-only")
    height, width = array.shape[:2]
    count = array.shape[2] if array.ndim == 3 else 1
    if channels is None:
        if count not in _BY_COUNT:
            raise LayoutError(f"{name} has {channels_hint(array, 0) or f'{count} channels: expected 1 to 4'}")
        channels = _BY_COUNT[count]
    order = constant(CHANNELS, channels, "channels")
    if COUNTS[channels] != count:
        raise LayoutError(f"{name} has {count} channels, but {channels} needs {COUNTS[channels]}")
    problem = layout_problem(array)
    if problem is not None:
        raise LayoutError(f"{name} {problem}: copy it with .copy()")
    length = width * count * array.dtype.itemsize
    row = array.strides[0] if height > 1 else length
    return ImageStruct(
        width=width, height=height, channels=order, sample=SAMPLES.index(array.dtype),
        alpha=0 if alpha is None else constant(ALPHAS, alpha, "alpha"), bytes_per_row=row, pixels=array.ctypes.data,
        byte_count=(height - 1) * row + length)


def channels_hint(array: Array, axis: int) -> Optional[str]:
    """Returns the problem of an array whose channels probably are its first axis, with the remedy; nothing for other arrays.

    :param axis: the number of that axis in the caller's array.
    """
    if array.ndim != 3 or array.shape[2] in _BY_COUNT or array.shape[0] not in _BY_COUNT:
        return None
    return f"{array.shape[2]} channels: expected 1 to 4; if they are axis {axis}, pass axis={axis}"


def form(target: ImageStruct) -> Tuple[Tuple[int, ...], numpy.dtype[Any]]:
    """Returns the shape and the type of an array for a target that the library has described."""
    count = COUNTS[CHANNELS[target.channels]]
    return (target.height, target.width) + ((count,) if count > 1 else ()), SAMPLES[target.sample]


def empty(target: ImageStruct) -> Array:
    """Returns an array for a target that the library has described."""
    return numpy.empty(*form(target))
