"""Brings pictures of any layout into one that Frost reads, and results back. Copies only what cannot be read in place."""

from __future__ import annotations

from typing import Any, Callable, Optional, Union

import numpy

from ._arguments import whole
from ._errors import LayoutError, PixelError
from ._masks import Mask, mask_view
from ._pixels import SAMPLES, check_shape, form, layout_problem, view
from ._structs import ImageStruct
from ._tensors import Tensor, is_bfloat16
from ._types import Array, Picture

_DOUBLE = numpy.dtype(numpy.float64)


def channels_last(array: Array, axis: Optional[int], name: str) -> Array:
    """Returns a view whose last axis has the channels."""
    if axis is None:
        return array
    if array.ndim != 3:
        raise LayoutError(f"{name} has {array.ndim} dimensions: with axis={axis} it needs three")
    if not -3 <= whole(axis, "axis") <= 2:
        raise LayoutError(f"axis {axis} is out of range (allowed: -3 to 2)")
    return numpy.moveaxis(array, axis, -1)


def readable(array: Array, name: str) -> Array:
    """Returns the array itself or a copy that Frost can read. float64 becomes float32, and a foreign byte order the
    machine's."""
    check_shape(array, name)
    dtype: numpy.dtype[Any] = array.dtype.newbyteorder("=")
    if dtype == _DOUBLE:
        dtype = numpy.dtype(numpy.float32)
    elif dtype not in SAMPLES:
        raise LayoutError(
            f"{name} has the type {array.dtype}: expected uint8, uint16, float16, float32 or float64; "
            "convert it with .astype()")
    if array.dtype == dtype and layout_problem(array) is None:
        return array
    return numpy.array(array, dtype, order="C")


class Source:
    """A picture that a function was given.

    :param axis: the axis of the channels; None if it is the last one.
    """

    def __init__(self, picture: Picture, axis: Optional[int] = None, name: str = "image") -> None:
        #: What the result becomes; None for an array.
        self.tensor = Tensor.of(picture)
        given = view(picture if self.tensor is None else self.tensor.readable(), name)
        self.axis = axis
        self.is_double = given.dtype.newbyteorder("=") == _DOUBLE
        self.has_axis = given.ndim == 3
        self.given = channels_last(given, axis, name)
        self.array = readable(self.given, name)

    def unrounded(self) -> Optional[Array]:
        """Returns a copy of a float64 picture, whose values ``array`` has rounded to float32; None for other types."""
        return self.given.astype(_DOUBLE) if self.is_double else None

    def returned(self, result: Array) -> Any:
        """Returns a result as the caller gets it: in the type and the axes of the picture, and as its kind of tensor."""
        restored = self.restored(result)
        return restored if self.tensor is None else self.tensor.like(restored)

    def restored(self, result: Array) -> Array:
        """Returns a result in the type and the axes of the picture."""
        if self.has_axis and result.ndim == 2:
            result = result[..., None]
        if self.is_double:
            result = result.astype(_DOUBLE)
        if self.axis is None:
            return result
        return numpy.ascontiguousarray(numpy.moveaxis(result, -1, self.axis))


class Output:
    """The array that a function writes to, if the caller gave one.

    :param described: returns the library's description of the result.
    """

    def __init__(self, out: Optional[Picture], source: Source, described: Callable[[], ImageStruct]) -> None:
        self.source = source
        self.argument = out
        #: The array to pass to the renderer; None for a new one.
        self.direct: Optional[Array] = None
        self.given: Optional[Array] = None
        if out is None:
            return
        self.given = view(out, "out")
        check_shape(self.given, "out")
        if not self.given.flags.writeable:
            raise LayoutError("out is read-only")
        shape, dtype = form(described())
        if source.has_axis and len(shape) == 2:
            shape = (*shape, 1)
        # An array of another shape or type is compared with the restored result.
        last = channels_last(self.given, source.axis, "out")
        if (last.shape, last.dtype) == (shape, dtype) and not source.is_double and layout_problem(last) is None:
            self.direct = last

    def finished(self, result: Array) -> Any:
        """Returns the result for the caller: the object that was given as ``out``, if there is one."""
        if self.given is None:
            return self.source.returned(result)
        if result is not self.direct:
            restored, tensor = self.source.restored(result), self.source.tensor
            is_brief = tensor is not None and tensor.is_bfloat16 and is_bfloat16(self.given)
            if restored.shape != self.given.shape or not is_brief and restored.dtype != self.given.dtype.newbyteorder("="):
                raise PixelError(
                    f"out is {self.given.shape} {self.given.dtype}, but the result is {restored.shape} {restored.dtype}")
            # This also rounds to bfloat16.
            self.given[...] = restored
        return self.argument


def mask_array(mask: Picture) -> Array:
    """Returns the picture of a mask in a layout that Frost reads."""
    tensor = Tensor.of(mask)
    return readable(mask_view(mask if tensor is None else tensor.readable()), "mask")


def mask_of(mask: Union[Mask, Picture, None]) -> Optional[Mask]:
    """Returns a mask, or the mask of a picture of any layout."""
    return mask if mask is None or isinstance(mask, Mask) else Mask(mask_array(mask))
