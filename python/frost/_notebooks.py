"""Pictures for notebooks."""

from __future__ import annotations

import math
import sys
from typing import Optional

import numpy

from ._calls import blur
from ._encoded import blur_encoded
from ._errors import Error
from ._types import Array

# The number of pixels, and the side, above which a picture is shown in a smaller size, because a notebook stores its file.
_MAXIMUM, _SIDE = 2_000_000, 8192
# The largest sigma of a blur.
_SIGMA = 1000
_KINDS = {1: "GRAYSCALE", 2: "GRAYSCALE_ALPHA", 3: "RGB", 4: "RGB_ALPHA"}


def png(array: Array) -> Optional[bytes]:
    """Returns an array as the bytes of a PNG file; None if the library of pictures is missing, or cannot store the array. Large
    pictures are made smaller."""
    try:
        return _encoded(array)
    except (Error, ImportError):
        return None


def _encoded(array: Array) -> Optional[bytes]:
    count = array.shape[2] if array.ndim == 3 else 1
    height, width = array.shape[:2]
    factor = math.ceil(max(math.sqrt(height * width / _MAXIMUM), height / _SIDE, width / _SIDE))
    if factor > 1:
        array = blur(array, min(factor / 2, _SIGMA))[::factor, ::factor]
    if array.dtype.kind == "f":
        array = (numpy.clip(numpy.nan_to_num(array.astype(numpy.float32)), 0, 1) * 65535).round().astype(numpy.uint16)
    maximum = {numpy.dtype(numpy.uint8): 255, numpy.dtype(numpy.uint16): 65535}.get(array.dtype)
    if maximum is None or count not in _KINDS:
        return None
    if maximum > 255 and sys.byteorder == "little":
        array = array.byteswap()
    head = (
        f"P7\nWIDTH {array.shape[1]}\nHEIGHT {array.shape[0]}\nDEPTH {count}\nMAXVAL {maximum}\n"
        f"TUPLTYPE {_KINDS[count]}\nENDHDR\n")
    return blur_encoded(head.encode() + array.tobytes(), 0, format="png", keep="none")
