"""Rectangles of arrays, such as faces."""

from __future__ import annotations

import math
from typing import Any, Callable, List, NamedTuple, Optional, Sequence, Tuple, Union

import numpy

from ._arguments import elements, has_elements, rect
from ._backdrops import Panel
from ._effects import Effect
from ._errors import ArgumentError, ParameterError, PixelError
from ._inputs import Source
from ._masks import Mask, Shape
from ._pixels import COUNTS
from ._renderer import Renderer, Request
from ._structs import RectStruct
from ._types import CHANNELS, Alpha, Array, Channels, Rect, RectLike

# Effects whose mask is a part of them. A panel places it in its rectangle.
_WITH_MASK = ("tilt-shift", "selective", "progressive")
# Effects that follow the edges of shapes, and draw beside them.
_FOLLOWING = ("glass", "glass-clear")

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

    def check_empty(self, effect: Effect) -> None:
        """Checks that an effect may be given no rectangle. A redaction would hide nothing."""
        if effect._name == "redact" and not self.inverted:
            raise ArgumentError("rects is empty, so redact would hide nothing")


class Done(NamedTuple):
    """A picture or a file of the result, and what could not be done as asked."""

    picture: Any
    warning: str


def rect_list(rects: Any, texts: bool = False) -> List[Any]:
    """Returns the rectangles of one picture, for one rectangle or several.

    :param texts: whether they may be texts.
    """
    if isinstance(rects, bytes) or (isinstance(rects, str) and not texts):
        raise TypeError(f"rects must be rectangles, not {type(rects).__name__}")
    entries = [rects] if isinstance(rects, str) else elements(rects, "rects")
    if any(isinstance(entry, str) for entry in entries):
        if not texts:
            raise TypeError("a rectangle is a text, which only encoded pictures take: expected x, y, width and height")
        return entries
    return [entries] if entries and not any(entry is None or has_elements(entry) for entry in entries) else entries


def render_rects(
    renderer: Renderer, source: Source, effect: Effect, rects: List[Any], channels: Optional[Channels], alpha: Optional[Alpha],
    edges: Edges = Edges(), mask: Optional[Mask] = None,
) -> Done:
    """Renders an effect on rectangles of a picture. All other pixels stay as they are. A mask, content, and the geometry of an
    effect lie in each rectangle, or in the whole picture if the rectangles are inverted."""
    array = source.array
    if effect._is_clipped:
        raise ArgumentError("rects cannot be combined with an effect that has shapes of its own, from Effect.clipped()")
    if not rects:
        edges.check_empty(effect)
    is_panel = (effect._name in _WITH_MASK or effect._has_content) and not edges.inverted
    if is_panel and any(edges):
        what = "an effect with content" if effect._has_content else effect._name
        raise ArgumentError(
            f"feather and ellipse cannot be combined with {what}, which is placed in each rectangle; Effect.clipped() shows the "
            "effect of the whole picture in shapes")
    follows = effect._name in _FOLLOWING
    count = array.shape[2] if array.ndim == 3 else 1
    made = COUNTS[CHANNELS[effect._described(array, None, channels, alpha).channels]]
    if made != count:
        raise PixelError(
            f"the result has {made} channels, and the image {count}: rects need an effect that keeps the channels")
    result = array.copy()
    cropped = []
    places = []
    for each in rects:
        place = rect(each, "a rectangle")
        part = _within(array, place)
        if part != _numbers(place):
            cropped.append(f"the rectangle {_text(_numbers(place))} was cropped to the picture: {_text(part)}")
        places.append((_numbers(place), part))
    shapes = [Shape(*place, ellipse=edges.ellipse) for place, _ in places]
    has_shapes = bool(shapes) and (any(edges) or follows)
    clipped = effect.clipped(*shapes, feather=edges.feather, outside=edges.inverted) if has_shapes else effect

    def draw(region: Optional[Rect], bounds: Optional[Rect], out: Array, mask: Optional[Mask] = mask) -> None:
        renderer._rendered(Request(array, clipped, out, region, mask, channels, alpha, mask_bounds=bounds))

    if edges.inverted or (has_shapes and mask is None):
        draw(None, None, result)
    elif is_panel:
        for whole, _ in places:
            renderer.render_panel(array, Panel(whole, effect, mask=mask), result, channels=channels, alpha=alpha)
    else:
        if follows and places:
            # The shadow has no mask.
            draw(None, None, result, None)
        for whole, part in places:
            draw(part, whole, result[_slices(part)])
        if edges.feather:
            _draw_beside(array, result, places, math.ceil(edges.feather), draw)
    unrounded = source.unrounded()
    if unrounded is None:
        return Done(result, "; ".join(cropped))
    # The other pixels keep their values.
    changed = result != array
    unrounded[changed] = result[changed]
    return Done(unrounded, "; ".join(cropped))


def _draw_beside(
    array: Array, result: Array, places: List[Tuple[Rect, Rect]], reach: int,
    draw: Callable[[Optional[Rect], Optional[Rect], Array], None],
) -> None:
    """Draws what lies beside rectangles and within reach of them. A pixel near several belongs to the first."""
    height, width = array.shape[:2]
    done = numpy.zeros((height, width), bool)
    for _, part in places:
        done[_slices(part)] = True
    for place, _ in places:
        x, y = max(0, place[0] - reach), max(0, place[1] - reach)
        right, bottom = min(width, place[0] + place[2] + reach), min(height, place[1] + place[3] + reach)
        around = (x, y, right - x, bottom - y)
        rest = ~done[_slices(around)]
        drawn = numpy.empty_like(result[_slices(around)], order="C")
        draw(around, place, drawn)
        result[_slices(around)][rest] = drawn[rest]
        done[_slices(around)] = True


def _within(array: Array, place: RectStruct) -> Rect:
    """Returns the part of a rectangle that is inside an array."""
    if place.width <= 0 or place.height <= 0:
        raise ArgumentError(f"a rectangle of {place.width}x{place.height} has a side that is not above 0")
    height, width = array.shape[:2]
    x, y = max(0, place.x), max(0, place.y)
    right, bottom = min(width, place.x + place.width), min(height, place.y + place.height)
    if x >= right or y >= bottom:
        raise ParameterError(f"the rectangle {_text(_numbers(place))} lies outside the image of {width}x{height} pixels")
    return x, y, right - x, bottom - y


def _numbers(place: RectStruct) -> Rect:
    return place.x, place.y, place.width, place.height


def _slices(place: Rect) -> Tuple[slice, slice]:
    x, y, width, height = place
    return slice(y, y + height), slice(x, x + width)


def _text(place: Rect) -> str:
    return ",".join(map(str, place))
