"""Rectangles of arrays, such as faces."""

from __future__ import annotations

from typing import Any, List, NamedTuple, Optional, Sequence, Tuple, Union

from ._arguments import elements, has_elements, rect
from ._effects import Effect
from ._errors import ArgumentError, ParameterError, PixelError
from ._inputs import Source
from ._masks import Shape
from ._pixels import COUNTS
from ._renderer import Renderer
from ._structs import RectStruct
from ._types import CHANNELS, Alpha, Array, Channels, RectLike

#: One rectangle or several.
Rects = Union[RectLike, Sequence[RectLike]]


class Edges(NamedTuple):
    """How an effect ends at rectangles."""

    feather: float = 0
    ellipse: bool = False
    inverted: bool = False

    def check(self, rects: Any) -> None:
        if rects is None and any(self):
            raise ArgumentError("feather, ellipse and invert_rects need rects")


class Done(NamedTuple):
    """A picture or a file of the result, and what could not be done as asked."""

    picture: Any
    warning: str


def rect_list(rects: Any) -> List[Any]:
    """Returns the rectangles of one picture, for one rectangle or several."""
    if isinstance(rects, (str, bytes)):
        raise TypeError(f"rects must be rectangles, not {type(rects).__name__}")
    entries = elements(rects, "rects")
    return [entries] if entries and not any(entry is None or has_elements(entry) for entry in entries) else entries


def render_rects(
    renderer: Renderer, source: Source, effect: Effect, rects: List[Any], channels: Optional[Channels], alpha: Optional[Alpha],
    edges: Edges = Edges(),
) -> Done:
    """Renders an effect on rectangles of a picture. All other pixels stay as they are."""
    array = source.array
    count = array.shape[2] if array.ndim == 3 else 1
    made = COUNTS[CHANNELS[effect._described(array, None, channels, alpha).channels]]
    if made != count:
        raise PixelError(
            f"the result has {made} channels, and the image {count}: rects need an effect that keeps the channels")
    result = array.copy()
    unrounded = source.unrounded()
    cropped = []
    parts = []
    shapes = []
    for each in rects:
        place = rect(each, "a rectangle")
        x, y, right, bottom = _within(array, place)
        part = (x, y, right - x, bottom - y)
        if part != (place.x, place.y, place.width, place.height):
            cropped.append(f"the rectangle {_text(place)} was cropped to the picture: {','.join(map(str, part))}")
        parts.append(part)
        shapes.append(Shape(place.x, place.y, place.width, place.height, ellipse=edges.ellipse))
    if any(edges):
        clipped = effect.clipped(*shapes, feather=edges.feather, outside=edges.inverted) if shapes else effect
        if shapes or edges.inverted:
            renderer.render(array, clipped, out=result, channels=channels, alpha=alpha)
        if unrounded is not None:
            # The other pixels keep their values.
            changed = result != array
            unrounded[changed] = result[changed]
        return Done(result if unrounded is None else unrounded, "; ".join(cropped))
    for x, y, width, height in parts:
        right, bottom, part = x + width, y + height, (x, y, width, height)
        renderer.render(array, effect, out=result[y:bottom, x:right], region=part, channels=channels, alpha=alpha)
        if unrounded is not None:
            unrounded[y:bottom, x:right] = result[y:bottom, x:right]
    return Done(result if unrounded is None else unrounded, "; ".join(cropped))


def _within(array: Array, place: RectStruct) -> Tuple[int, int, int, int]:
    """Returns the left, top, right and bottom of the part of a rectangle that is inside an array."""
    if place.width <= 0 or place.height <= 0:
        raise ArgumentError(f"a rectangle of {place.width}x{place.height} has a side that is not above 0")
    height, width = array.shape[:2]
    x, y = max(0, place.x), max(0, place.y)
    right, bottom = min(width, place.x + place.width), min(height, place.y + place.height)
    if x >= right or y >= bottom:
        raise ParameterError(f"the rectangle {_text(place)} lies outside the image of {width}x{height} pixels")
    return x, y, right, bottom


def _text(place: RectStruct) -> str:
    return f"{place.x},{place.y},{place.width},{place.height}"
