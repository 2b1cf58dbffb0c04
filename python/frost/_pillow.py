"""A filter of Pillow. Loads Pillow when a picture is filtered."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Dict, Optional, Tuple, Union

import numpy

from ._arguments import constant, elements, has_elements
from ._calls import blur
from ._effects import edge_mode, gaussian
from ._errors import PixelError
from ._keywords import suggesting_fields
from ._once import Once
from ._pixels import view
from ._rects import Edges, Rects, rect_list
from ._types import ALPHAS, Alpha, Array, Backend, Edge

# Modes whose samples are not red, green, blue, grey or straight alpha. Each of them is blurred as a number.
_NUMBERS = ("La", "RGBa", "CMYK", "YCbCr", "RGBX")
_WITH_ALPHA = {"L": ("LA", "La"), "RGB": ("RGBA", "RGBa")}


@suggesting_fields
@dataclass(frozen=True, repr=False)
class PillowFilter:
    """A Gaussian blur as a filter of Pillow: ``picture.filter(frost.PillowFilter(8))``. The result is a picture of the same
    mode and size, with the same ``info``. Colours are multiplied by alpha first, where Pillow's own blur is not.

    Filters are compared, hashed and pickled by value.

    The picture has one of the modes L, LA, La, RGB, RGBA, RGBa, RGBX, CMYK, YCbCr, I;16 and F. Convert pictures of others,
    such as P, first.

    :param sigma: the standard deviation in pixels, 0 to 1000, or a pair (x, y).
    :param rects: as in :func:`blur`, and so are the other options. The edge mode "clear" adds alpha to L and RGB.
    :param alpha: "premultiplied" blurs each channel of LA and RGBA as a number, as always those of La, RGBa, RGBX, CMYK and YCbCr.
    :raises ParameterError: if sigma is out of range.
    :raises PixelError: while filtering, if the picture has another mode.

    >>> frost.PillowFilter(8, edge="mirror")
    frost.PillowFilter(8, edge='mirror')
    """

    sigma: Union[float, Tuple[float, float]]
    rects: Optional[Rects] = None
    feather: float = 0
    ellipse: bool = False
    invert_rects: bool = False
    edge: Edge = "clamp"
    dither: Optional[bool] = None
    linear: bool = False
    threads: Optional[int] = None
    backend: Backend = "cpu"
    alpha: Optional[Alpha] = None

    def __post_init__(self) -> None:
        gaussian(self.sigma, edge=self.edge)
        object.__setattr__(self, "edge", edge_mode(self.edge))
        if self.alpha is not None:
            constant(ALPHAS, self.alpha, "alpha")
        Edges(self.feather, self.ellipse, self.invert_rects).check(self.rects)
        # Tuples can be hashed.
        if has_elements(self.sigma):
            object.__setattr__(self, "sigma", tuple(elements(self.sigma, "sigma")))
        if self.rects is not None:
            object.__setattr__(self, "rects", tuple(tuple(elements(each, "a rectangle")) for each in rect_list(self.rects)))

    def __repr__(self) -> str:
        options = self._options()
        words = "".join(
            f", {each.name}={options[each.name]!r}" for each in fields(self)[1:] if options[each.name] != each.default)
        return f"frost.PillowFilter({self.sigma!r}{words})"

    def __call__(self) -> Any:
        """Returns an object of Pillow's class of filters for all bands at the same time. ``Image.filter`` calls this."""
        return _made_class(None)(self)

    def _options(self) -> Dict[str, Any]:
        return {each.name: getattr(self, each.name) for each in fields(self)[1:]}

    def _blurred(self, picture: Any) -> Any:
        from PIL import Image

        mode: str = picture.mode
        options = self._options()
        array: Array
        if mode in _NUMBERS:
            if self.linear:
                raise PixelError(f"image is a Pillow image of the mode {mode}, whose values are not sRGB: linear is not possible")
            array, options["alpha"] = numpy.asarray(picture), "premultiplied"
        else:
            array = view(picture)
        result = blur(array, self.sigma, **options)
        if result.shape != array.shape:
            if mode not in _WITH_ALPHA:
                raise PixelError(f"Pillow has no mode {mode} with alpha, which the edge mode 'clear' adds")
            mode = _WITH_ALPHA[mode][self.alpha == "premultiplied"]
        return Image.frombytes(mode, picture.size, result.tobytes())


def _filter_class(_: None) -> Any:
    from PIL import Image, ImageFilter

    class Multiband(ImageFilter.MultibandFilter):
        name = "Frost"

        def __init__(self, settings: PillowFilter) -> None:
            self.settings = settings

        def filter(self, image: Any) -> Any:
            # This is the object within a picture, which lacks an array interface.
            picture = Image.new(image.mode, image.size)
            picture.im.paste(image, (0, 0, *image.size))
            return self.settings._blurred(picture).im

    return Multiband


_made_class: Once[None, Any] = Once(_filter_class)
