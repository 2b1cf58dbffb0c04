"""Live backdrops: panels of frosted glass over a picture that changes."""

from __future__ import annotations

import threading
from ctypes import byref, c_float, c_size_t
from dataclasses import dataclass
from typing import Any, Callable, List, Optional, Sequence, Tuple, Union

from . import _library as lib
from ._arguments import constant, elements, instance, number, placed, rect, whole
from ._effects import Effect, as_effect
from ._errors import ParameterError
from ._handles import ProcessResource
from ._interrupts import interruptible
from ._keywords import suggesting, suggesting_fields
from ._masks import Mask, as_mask, corner_curve
from ._pixels import image, view
from ._reports import Cancellation, optional_cancellation
from ._structs import BackdropOptions, FrameOptions, FrameReportStruct, PanelStruct, RectStruct
from ._tables import Fields
from ._threads import resolved
from ._types import (
    COVERAGES, LAYERINGS, REPAINTS, Alpha, Channels, Coverage, Layering, Picture, Rect, RectLike, Repaint)


@suggesting_fields
@dataclass(frozen=True, eq=False)
class Panel:
    """A rectangle of a picture that shows an effect.

    ``rect`` is x, y, width and height in pixels of the picture. They may be fractions: the pixels at the edges then show the
    panel by the part of their area that is inside. ``radius``, ``smoothing`` and ``exponent`` shape the corners
    as in :class:`Shape`. ``mask`` gives the strength of the effect, scaled to the panel. ``region`` limits the panel to
    rectangles, relative to its top left corner; an empty region shows nothing. ``opacity`` mixes the finished panel with the
    picture, and ``strength`` scales all of the effect; both are 0 to 1. At opacity 0, or at strength 0 without content, the
    panel does not exist. In a flat backdrop the picture shows through; panels below stay hidden. Both must be 1 for "redact",
    which hides nothing outside round corners. ``id``, if it is not 0, identifies the panel from frame to frame. Panels are
    compared and hashed by value; a picture as a mask is compared by its pixels.

    >>> frost.Panel((40, 40, 300, 200), "material-thick-dark", radius=20).radius
    20
    """

    rect: RectLike
    effect: Union[Effect, str]
    radius: float = 0.0
    smoothing: Optional[float] = None
    exponent: Optional[float] = None
    mask: Union[Mask, Picture, None] = None
    region: Optional[Sequence[RectLike]] = None
    id: int = 0
    opacity: float = 1.0
    strength: float = 1.0

    def _values(self) -> Tuple[object, ...]:
        """Returns the values of the fields as objects with a hash, because rectangles and the mask may be arrays."""
        mask: object = self.mask
        if self.mask is not None and not isinstance(self.mask, Mask):
            pixels = view(self.mask, "mask")
            mask = pixels.shape, pixels.dtype.str, pixels.tobytes()
        region = None if self.region is None else tuple(tuple(each) for each in self.region)
        return (
            tuple(self.rect), self.effect, self.radius, self.smoothing, self.exponent, mask, region,
            self.opacity, self.strength, self.id)

    def __eq__(self, other: object) -> bool:
        return self._values() == other._values() if isinstance(other, Panel) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._values())

    def _effect(self) -> Effect:
        return as_effect(self.effect)

    def _struct(self) -> Tuple[PanelStruct, Any]:
        """Returns the struct, and what must live as long as it."""
        effect, mask = self._effect()._pointer, as_mask(self.mask)
        curve, parameter = corner_curve(self.smoothing, self.exponent)
        place, insets = placed(self.rect, "rect")
        struct = PanelStruct(
            rect=place, corner_radius=number(self.radius, "radius"), effect=effect,
            mask=mask and mask._pointer, corner_parameter=parameter, corner_curve=curve,
            transparency=_rest(self.opacity, "opacity"), weakening=_rest(self.strength, "strength"),
            inset_left=insets[0], inset_top=insets[1], inset_right=insets[2], inset_bottom=insets[3],
            id=whole(self.id, "id", 0, 2**64 - 1))
        region = None
        if self.region is not None:
            rects = elements(self.region, "region")
            # An array of C has at least one element here, because its address must not be NULL.
            region = (RectStruct * max(1, len(rects)))(*(rect(each) for each in rects))
            struct.region, struct.region_count = region, len(rects)
        return struct, (effect, mask, region)


def _rest(value: float, name: str) -> float:
    """Returns 1 minus a part, under which name the library would not describe a wrong value."""
    part = number(value, name)
    if not 0 <= part <= 1:
        raise ParameterError(f"{name} {part:g} is out of range (allowed: 0 to 1)")
    return 1 - part


@dataclass(frozen=True)
class FrameReport(Fields):
    """The cost of a frame of a backdrop. If nothing has changed, the numbers are 0.

    ``level_passes`` and ``level_samples`` count the work on low-resolution images that panels with the same blur share;
    ``panel_passes`` and ``panel_pixels`` that of single panels. ``updated`` are the rectangles that were written.
    ``uncovered`` are the rectangles in which the target may show panels that are no longer there. ``buffer_age`` is 1 if the
    target contained the last frame, and 0 if all panels were drawn. ``content_changes`` is the number of panels whose content
    has a new colour: see :meth:`Backdrop.content_color`.
    """

    level_passes: int
    panel_passes: int
    level_samples: int
    panel_pixels: int
    error_bound: float
    buffer_age: int
    updated: Tuple[Rect, ...]
    uncovered: Tuple[Rect, ...]
    content_changes: int = 0


class Backdrop(ProcessResource):
    """Shows panels over a picture that changes, on the CPU. State which parts have changed; only what they affect is
    recomputed. The pixels of a panel are those of :meth:`Renderer.render` for its effect, to the bit.

    Threads take turns. A backdrop belongs to its process: it can be neither copied nor pickled.

    :param coverage: "panels" computes what visible panels need; "everywhere" lets panels move over an unchanged picture
        without new work.
    :param threads: 1 to 256; by default :func:`frost.get_threads`.
    :param layering: "flat" shows each panel's effect of the picture, and of panels that overlap only the last. "stacked" shows
        its effect of the picture with all earlier panels. A window between them is a panel with
        ``frost.gaussian(0).with_content(window)``.

    >>> picture, screen = (numpy.zeros((480, 640, 4), numpy.uint8) for _ in range(2))
    >>> with frost.Backdrop() as backdrop:
    ...     backdrop.panels = [frost.Panel((40, 40, 300, 200), "material-thick-dark", radius=20)]
    ...     first = backdrop.render(picture, screen)
    ...     picture[300:364, 120:184] = 255
    ...     backdrop.invalidate((120, 300, 64, 64))
    ...     second = backdrop.render(picture, screen)
    >>> first.panel_pixels > second.panel_pixels
    True
    """

    @suggesting
    def __init__(
        self, *, coverage: Coverage = "panels", threads: Optional[int] = None, error_budget: float = 0.0,
        layering: Layering = "flat",
    ) -> None:
        options = BackdropOptions(
            coverage=constant(COVERAGES, coverage, "coverage"), threads=resolved(threads),
            error_budget=number(error_budget, "error_budget"), layering=constant(LAYERINGS, layering, "layering"))
        self._lock = threading.Lock()
        self._panels: Tuple[Panel, ...] = ()
        self._own(lib.backdrop_create, lib.backdrop_destroy, byref(options))

    def __repr__(self) -> str:
        return f"<frost.Backdrop, {'closed' if self.closed else f'{len(self._panels)} panels'}>"

    def _turn(self) -> threading.Lock:
        # The fork may have happened during a frame of another thread.
        self._check_process()
        return self._lock

    @property
    def panels(self) -> Tuple[Panel, ...]:
        """The panels, from bottom to top. A panel is compared with that of the same id, or without one of the same index, so
        an unchanged panel costs nothing."""
        return self._panels

    @panels.setter
    def panels(self, panels: Sequence[Panel]) -> None:
        given = elements(panels, "panels")
        pairs = [instance(panel, Panel, f"panels[{index}]")._struct() for index, panel in enumerate(given)]
        structs = (PanelStruct * len(pairs))(*(struct for struct, _ in pairs))
        with self._turn():
            lib.backdrop_set_panels(self._pointer, structs, len(pairs))
            self._panels = tuple(given)

    def invalidate(self, *rects: RectLike) -> None:
        """Marks rectangles of the picture as changed: each x, y, width and height."""
        structs = (RectStruct * len(rects))(*(rect(each, "a rectangle") for each in rects))
        with self._turn():
            lib.backdrop_invalidate(self._pointer, structs, len(rects))

    def invalidate_all(self) -> None:
        """Marks the whole picture as changed."""
        with self._turn():
            lib.backdrop_invalidate_all(self._pointer)

    def render(
        self, picture: Picture, out: Picture, *, repaint: Repaint = "changed", buffer: int = 0, buffer_age: int = 0,
        channels: Optional[Channels] = None, alpha: Optional[Alpha] = None, cancellation: Optional[Cancellation] = None,
    ) -> FrameReport:
        """Renders a frame: brings the panels in ``out`` up to date. Other Python threads run in the meantime.

        :param picture: of the types of :meth:`Renderer.render`. It differs from that of the last frame only where it was
            invalidated.
        :param out: an array of the same shape and type. Only pixels of panels are written.
        :param repaint: "changed" if ``out`` contains the last frame that was drawn into it, "aged" if it contains the frame of
            ``buffer_age`` frames ago, and "all" if it may contain anything.
        :param buffer: a number that identifies ``out`` among several buffers; by default its address does.
        :raises Error: after an error, the next frame does the remaining work.
        """
        arrays = view(picture), view(out, "out")
        source = image(arrays[0], channels, alpha)
        target = image(arrays[1], "bgra" if channels == "bgra" else None, alpha, writable=True, name="out")
        flag = optional_cancellation(cancellation)
        options = FrameOptions(
            repaint=constant(REPAINTS, repaint, "repaint"), cancellation=flag,
            buffer=whole(buffer, "buffer", 0, 2**64 - 1), buffer_age=whole(buffer_age, "buffer_age", 0, 2**63 - 1))
        report = FrameReportStruct()
        with self._turn():
            interruptible(
                lib.backdrop_render, target, options, self._pointer, byref(source), byref(target), byref(options), byref(report))
            updated = self._rects(lib.backdrop_updated, report.updated_count)
            uncovered = self._rects(lib.backdrop_uncovered, report.uncovered_count)
        return FrameReport(
            report.level_passes, report.panel_passes, report.level_samples, report.panel_pixels, report.error_bound,
            report.buffer_age, updated, uncovered, report.content_changes)

    def content_color(self, index: int) -> Optional[Tuple[float, float, float, float]]:
        """Returns the colour of the content of a panel in the last frame: red, green, blue and alpha of sRGB, 0 to 1.

        It is the ``content_color`` of the panel's effect, or black or white if that is "auto". Such a choice follows the
        picture below the panel, but does not flicker. Draw text and symbols in this colour.

        :returns: None if the panel guarantees no contrast, or was not visible yet.

        >>> picture, screen = numpy.zeros((40, 60, 3), numpy.uint8), numpy.zeros((40, 60, 3), numpy.uint8)
        >>> with frost.Backdrop() as backdrop:
        ...     backdrop.panels = [frost.Panel((4, 4, 40, 20), frost.Effect("light", min_contrast=4.5))]
        ...     backdrop.render(picture, screen).content_changes, backdrop.content_color(0)
        (1, (1.0, 1.0, 1.0, 1.0))
        """
        numbers = (c_float * 4)()
        with self._turn():
            lib.backdrop_content_color(self._pointer, whole(index, "index", 0, 2**31 - 1), numbers)
        return (numbers[0], numbers[1], numbers[2], numbers[3]) if numbers[3] > 0 else None

    def _rects(self, read: Callable[..., Any], capacity: int) -> Tuple[Rect, ...]:
        structs, count = (RectStruct * max(1, capacity))(), c_size_t()
        read(self._pointer, structs, capacity, byref(count))
        found: List[Rect] = [(each.x, each.y, each.width, each.height) for each in structs[:count.value]]
        return tuple(found)
