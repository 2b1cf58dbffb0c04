"""Where an effect is visible: shapes and masks."""

from __future__ import annotations

import os
from ctypes import byref
from dataclasses import dataclass
from typing import Any, NoReturn, Optional, Sequence, Tuple, Union

import numpy

from . import _library as lib
from ._arguments import instance, number
from ._errors import ArgumentError, LayoutError, ParameterError
from ._handles import Value
from ._keywords import suggesting, suggesting_fields
from ._pixels import image, view
from ._structs import ShapeStruct
from ._types import Alpha, Array, Channels, Picture


@suggesting_fields
@dataclass(frozen=True)
class Shape:
    """A rectangle with rounded corners, in pixels of the picture to which an effect is applied.

    The corners are quarter circles. With ``smoothing``, 0 to 1, the curvature of the corners is continuous; 0.6 is close to
    iOS. With ``exponent``, 1 to 16, the corners are parts of a superellipse; 2 is a circle, 4 a squircle. The largest radius
    is half the shorter side, divided by 1 + ``smoothing``. With ``ellipse``, the shape is the ellipse that fills the rectangle.

    >>> frost.Shape(40, 40, 300, 200, radius=24, smoothing=0.6).width
    300
    """

    x: float
    y: float
    width: float
    height: float
    radius: float = 0.0
    smoothing: Optional[float] = None
    exponent: Optional[float] = None
    ellipse: bool = False

    def _struct(self) -> ShapeStruct:
        curve, parameter = corner_curve(self.smoothing, self.exponent)
        if self.ellipse:
            if curve or self.radius:
                raise ArgumentError("an ellipse has no radius, smoothing or exponent")
            curve = ELLIPSE
        return ShapeStruct(
            x=number(self.x, "x"), y=number(self.y, "y"), width=number(self.width, "width"),
            height=number(self.height, "height"), corner_radius=number(self.radius, "radius"), corner_parameter=parameter,
            corner_curve=curve)


def shape_structs(shapes: Sequence[Shape]) -> Any:
    """Returns shapes as an array of C."""
    return (ShapeStruct * len(shapes))(*(instance(shape, Shape, "a shape")._struct() for shape in shapes))


CORNERS = ["circular", "continuous", "superellipse", "ellipse"]
ELLIPSE = CORNERS.index("ellipse")


def corner_curve(smoothing: Optional[float], exponent: Optional[float]) -> Tuple[int, float]:
    """Returns the constant of a curve of corners, and its parameter."""
    if smoothing is not None and exponent is not None:
        raise ArgumentError("corners have either smoothing or exponent")
    # In the struct, the parameter 0 stands for the default. Smoothing 0 is a circular corner.
    if exponent is None:
        return (CORNERS.index("continuous"), number(smoothing, "smoothing")) if smoothing else (0, 0.0)
    if exponent == 0:
        raise ParameterError("exponent 0 is out of range (allowed: 1 to 16)")
    return CORNERS.index("superellipse"), number(exponent, "exponent")


class Mask(Value):
    """Sets the strength of an effect at each pixel. The strength is the alpha of the picture from which the mask is made
    or, if the picture has no alpha channel, its luma. In an array of booleans, True is the full strength. The picture is copied.

    A copy of a mask is the mask itself. A mask cannot be pickled: pickle its picture instead.

    >>> depth = numpy.zeros((20, 30), numpy.uint8)
    >>> frost.Mask(depth)
    frost.Mask(<20x30>)
    """

    @suggesting
    def __init__(
        self, picture: Picture, *, channels: Optional[Channels] = None, alpha: Optional[Alpha] = None,
    ) -> None:
        array = mask_view(picture, "picture")
        self._own(lib.mask_create, lib.mask_destroy, byref(image(array, channels, alpha, name="picture")))
        self._size = array.shape[:2]

    def __reduce__(self) -> NoReturn:
        raise TypeError("a frost.Mask cannot be pickled: pickle its picture")

    def __repr__(self) -> str:
        return f"frost.Mask(<{self._size[0]}x{self._size[1]}>)"


def mask_view(picture: Picture, name: str = "mask") -> Array:
    """Returns an array that shares the memory of a mask, or has the strengths that booleans stand for."""
    if isinstance(picture, (str, bytes, bytearray, os.PathLike)):
        raise TypeError(
            f"{name} is {type(picture).__name__}, not a picture: load it, for example with numpy.asarray(PIL.Image.open(path)); "
            "frost.blur_encoded() and frost.effect_encoded() take files as masks")
    array = view(picture, name)
    if array.ndim == 3 and array.shape[2] > 4:
        raise LayoutError(f"{name} has the shape {array.shape}: expected height and width, or these and 1 to 4 channels")
    return array.astype(numpy.uint8) * numpy.uint8(255) if array.dtype == numpy.bool_ else array


def as_mask(value: Union[Mask, Picture, None]) -> Optional[Mask]:
    """Returns a mask, or the mask of a picture."""
    return value if value is None or isinstance(value, Mask) else Mask(value)
