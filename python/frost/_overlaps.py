"""Finds targets of a batch that share memory with another picture or another target."""

from __future__ import annotations

from typing import Any, List, Optional, Sequence, Tuple

import numpy

from ._errors import PixelError
from ._pixels import is_encoded, is_on_gpu, is_pillow, is_same, view
from ._types import Array

# How hard NumPy tries to prove that two arrays share no byte. Views with other strides than each other can take long.
_WORK: Any = 10_000


def check_outs(images: Sequence[Any], outs: Sequence[Any]) -> None:
    """Checks that a target shares memory with no other target, and with no picture but its own, as a whole.

    :raises PixelError: if it does. Pictures are read while others are written.
    """
    places: List[Tuple[int, int, bool, int, Array]] = []
    for is_out, arrays in ((False, images), (True, outs)):
        for index, each in enumerate(arrays):
            array = _memory(each)
            if array is not None and array.size:
                low, high = _bounds(array)
                places.append((low, high, is_out, index, array))
    places.sort(key=lambda place: place[:2])
    # The places whose bytes may go on where the next one begins. Only a target makes pairs, so pictures may be shared.
    open_pictures: List[Tuple[int, int, bool, int, Array]] = []
    open_outs: List[Tuple[int, int, bool, int, Array]] = []
    for place in places:
        low, _, is_out, index, array = place
        open_outs = [other for other in open_outs if other[1] > low]
        if is_out:
            open_pictures = [other for other in open_pictures if other[1] > low]
        for other in open_outs + open_pictures if is_out else open_outs:
            is_own = other[3] == index and other[2] != is_out
            if (is_own and is_same(other[4], array)) or not _share(other[4], array):
                continue
            out, picture = (place, other) if is_out else (other, place)
            raise PixelError(
                f"out[{out[3]}] overlaps {'out' if picture[2] else 'images'}[{picture[3]}]: it may only be the memory of its own "
                "picture")
        (open_outs if is_out else open_pictures).append(place)


def check_out(picture: Any, out: Any) -> None:
    """Checks that a target is the memory of its picture, or shares none with it.

    :raises PixelError: if it does not.
    """
    source, target = _memory(picture), _memory(out)
    if source is None or target is None or is_same(source, target):
        return
    if _share(source, target):
        raise PixelError("out overlaps the picture: it may be the picture itself, but not another part of its memory")


def _memory(value: Any) -> Optional[Array]:
    """Returns an array that shares the memory of a picture or a target; None for what shares none: files, images of Pillow,
    which make a copy, and memory of a GPU."""
    try:
        return None if value is None or is_encoded(value) or is_pillow(value) or is_on_gpu(value) else view(value)
    except Exception:  # noqa: BLE001 - the call on this picture raises the error
        return None


def _bounds(array: Array) -> Tuple[int, int]:
    """Returns the address of the first byte, and that after the last one."""
    low = high = array.ctypes.data
    for size, stride in zip(array.shape, array.strides):
        reach = (size - 1) * stride
        low, high = low + min(0, reach), high + max(0, reach)
    return low, high + array.itemsize


def _share(first: Array, second: Array) -> bool:
    try:
        return numpy.shares_memory(first, second, max_work=_WORK)
    except RuntimeError:
        # This is the error about work that is too hard.
        return True
