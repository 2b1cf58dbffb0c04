"""Converts arguments to the types of C. ctypes by itself would cut off numbers that are too large, and texts at a zero."""

from __future__ import annotations

import ctypes
import math
import operator
import os
import sys
from typing import Any, List, Optional, Sequence, SupportsFloat, SupportsIndex, Tuple, Type, TypeVar, Union

from ._errors import ArgumentError, ParameterError
from ._structs import RectStruct
from ._types import RectLike

_Kind = TypeVar("_Kind")


def constant(names: List[str], value: object, what: str) -> int:
    """Returns the constant of frost.h for a word, such as 0 for the edge mode "clamp"."""
    for number, name in enumerate(names):
        if name == value:
            return number
    raise ArgumentError(f"{what} cannot be {value!r} (allowed: {', '.join(names)})")


def instance(value: object, kind: Type[_Kind], what: str) -> _Kind:
    """Returns a value if it is an object of a class of the package."""
    if not isinstance(value, kind):
        raise TypeError(f"{what} must be a frost.{kind.__name__}, not {type(value).__name__}")
    return value


def text(value: object, what: str) -> bytes:
    if not isinstance(value, str):
        raise TypeError(f"{what} must be a str, not {type(value).__name__}")
    if "\0" in value:
        raise ArgumentError(f"{what} cannot be {value!r}: it contains a zero character")
    try:
        return value.encode()
    except UnicodeEncodeError:
        raise ArgumentError(f"{what} cannot be {value!r}: it contains half of a surrogate pair") from None


def file_path(value: Union[str, os.PathLike[str]], what: str, expected: str = "the path of a file") -> bytes:
    """Returns a path in the encoding of the file system, which has bytes that are not UTF-8."""
    try:
        path = os.fsencode(value)
    except UnicodeEncodeError:
        path = b""
    if not path or b"\0" in path:
        raise ArgumentError(f"{what} cannot be {value!r}: expected {expected}")
    return path


def format_list(value: Any) -> Optional[bytes]:
    """Returns names of formats, separated by commas; None for None."""
    if value is None:
        return None
    names = [value] if isinstance(value, str) else elements(value, "allow")
    return b",".join(text(name, "a format of allow") for name in names)


def number(value: SupportsFloat, what: str) -> float:
    if not isinstance(value, (str, bytes)):
        try:
            return float(value)
        except OverflowError:
            limit = sys.float_info.max
            raise ParameterError(f"{what} is out of range (allowed: {-limit:.2g} to {limit:.2g})") from None
        except (TypeError, ValueError):
            pass
    raise TypeError(f"{what} must be a number, not {type(value).__name__}")


def whole(value: SupportsIndex, what: str, minimum: int = -2**31, maximum: int = 2**31 - 1) -> int:
    try:
        found = operator.index(value)
    except TypeError:
        raise TypeError(f"{what} must be an int, not {type(value).__name__}") from None
    if not minimum <= found <= maximum:
        raise ArgumentError(f"{what} {found} is out of range (allowed: {minimum} to {maximum})")
    return found


def rect(value: RectLike, what: str = "region") -> RectStruct:
    """Converts (x, y, width, height). Fractions, as detectors of faces return them, are rounded outwards."""
    return placed(value, what)[0]


def placed(value: RectLike, what: str) -> Tuple[RectStruct, Tuple[float, float, float, float]]:
    """Returns :func:`rect`, and how far the edges lie inside it: on the left, at the top, on the right and at the bottom."""
    parts: Sequence[Any] = elements(value, what)
    if len(parts) != 4:
        raise ArgumentError(f"{what} has {len(parts)} numbers: expected x, y, width and height")
    names = [f"{name} of {what}" for name in ("x", "y", "width", "height")]
    insets = 0.0, 0.0, 0.0, 0.0
    if not all(map(_is_whole, parts)):
        x, y, width, height = places = [number(part, name) for part, name in zip(parts, names)]
        right, bottom = x + width, y + height
        for place, name in zip((*places, right, bottom), (*names, names[2], names[3])):
            if not math.isfinite(place):
                raise ArgumentError(f"{name} is {place}")
        left, top = math.floor(x), math.floor(y)
        # A side of 0 or less stays one, because an empty rectangle is an error.
        parts = (
            left, top, math.ceil(right) - left if width > 0 else math.floor(width),
            math.ceil(bottom) - top if height > 0 else math.floor(height))
        insets = x - left, y - top, math.ceil(right) - right, math.ceil(bottom) - bottom
    return RectStruct(*(whole(part, name) for part, name in zip(parts, names))), insets


def _is_whole(value: Any) -> bool:
    # Arrays and tensors have the method even if they hold a fraction.
    try:
        operator.index(value)
    except TypeError:
        return False
    return True


def elements(value: Any, what: str) -> List[Any]:
    """Returns the elements of a sequence or an array."""
    try:
        return list(value)
    except (TypeError, NotImplementedError):
        # The latter is that of a memoryview with several dimensions.
        raise TypeError(f"{what} must be a sequence, not {type(value).__name__}") from None


def has_elements(value: object) -> bool:
    """Returns whether a value is a sequence or an array, and not a text or bytes."""
    try:
        iter(value)  # type: ignore[call-overload]
    except TypeError:
        return False
    return not isinstance(value, (str, bytes, bytearray))


def optional_rect(value: Optional[RectLike], what: str = "region") -> Any:
    """Returns a pointer to a rectangle, or None for None."""
    return None if value is None else ctypes.pointer(rect(value, what))
