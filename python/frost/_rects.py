"""Rectangles of arrays, such as faces."""

from __future__ import annotations

from typing import Any, List, NamedTuple, Optional, Sequence, Tuple, Union

import numpy

from ._arguments import elements, has_elements, rect
from ._effects import Effect
from ._errors import ArgumentError, ParameterError, PixelError
from ._inputs import Source
from ._masks import Mask, Shape
from ._pixels import COUNTS, is_same
from ._renderer import Renderer, Request
from ._structs import RectStruct
from ._types import CHANNELS, Alpha, Array, Channels, Rect, RectLike

# Effects that are not the same in every part of a picture: each rectangle has an effect of its own.
_PLACED = ("tilt-shift", "selective", "progressive", "glass", "glass-clear", "redact")

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
    edges: Edges = Edges(), mask: Optional[Mask] = None, out: Optional[Array] = None,
) -> Done:
    """Renders an effect on rectangles of a picture. All other pixels stay as they are. A mask, content, and the geometry of an
    effect lie in each rectangle, or in the whole picture if the rectangles are inverted.

    :param out: an array of the shape and type of the picture for the result, also the picture itself. It is not used if it is
        another part of the picture's memory.
    """
    array = source.array
    if effect._is_clipped:
        raise ArgumentError("rects cannot be combined with an effect that has shapes of its own, from Effect.clipped()")
    if not rects:
        edges.check_empty(effect)
    count = array.shape[2] if array.ndim == 3 else 1
    made = COUNTS[CHANNELS[effect._described(array, None, channels, alpha).channels]]
    if made != count:
        raise PixelError(
            f"the result has {made} channels, and the image {count}: rects need an effect that keeps the channels")
    cropped, places = [], []
    for each in rects:
        place = rect(each, "a rectangle")
        part = _within(array, place)
        if part != _numbers(place):
            cropped.append(f"the rectangle {_text(_numbers(place))} was cropped to the picture: {_text(part)}")
        places.append((_numbers(place), part))
    result = out
    if result is None or not is_same(result, array) and numpy.may_share_memory(result, array):
        result = numpy.empty(array.shape, array.dtype)
    # Such an effect knows its rectangles: it lies in each of them, or decides one colour of content for all.
    knows_rects = effect._has_content or effect._decides_content or effect._name in _PLACED
    has_edges, is_even = any(edges), mask is None and not knows_rects
    if is_even and not has_edges:
        _render_parts(renderer, array, effect, result, [part for _, part in places], channels, alpha)
    elif has_edges and not places and not edges.inverted:
        # This checks the feather.
        effect.clipped(feather=edges.feather)
        result[...] = array
    else:
        shapes = [Shape(*place, ellipse=edges.ellipse) for place, _ in places]
        if is_even and not renderer._is_exact:
            # Without a copy of the picture for the library. The exact backend would compute all pixels.
            whole = (0, 0, array.shape[1], array.shape[0])
            ruled = effect.clipped(*shapes, feather=edges.feather, outside=edges.inverted)
            renderer._rendered(Request(array, ruled, result, whole, None, channels, alpha))
        else:
            ruled = effect.clipped(feather=edges.feather, outside=edges.inverted) if has_edges else effect
            renderer._rendered_within(Request(array, ruled, result, None, mask, channels, alpha), shapes)
    unrounded = source.unrounded()
    if unrounded is None:
        return Done(result, "; ".join(cropped))
    # The other pixels keep their values.
    changed = result != array
    unrounded[changed] = result[changed]
    return Done(unrounded, "; ".join(cropped))


def _render_parts(
    renderer: Renderer, array: Array, effect: Effect, result: Array, parts: List[Rect], channels: Optional[Channels],
    alpha: Optional[Alpha],
) -> None:
    """Renders rectangles of a picture that keep sharp edges. The result may be the picture itself."""
    is_own = is_same(result, array)
    if is_own and sum(width * height for _, _, width, height in parts) > array.shape[0] * array.shape[1]:
        array, is_own = array.copy(), False
    elif not is_own:
        result[...] = array
    # In place, no rectangle is written before all are computed, because the effect reads the picture around each of them.
    requests = [
        Request(array, effect, None if is_own else result[_slices(part)], part, None, channels, alpha) for part in parts]
    for request in requests:
        renderer._rendered(request)
    for part, request in zip(parts, requests if is_own else []):
        result[_slices(part)] = request.out.reshape(result[_slices(part)].shape)


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
