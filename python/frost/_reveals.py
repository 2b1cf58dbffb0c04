"""Masked reveals: an effect that is computed once and shown in moving shapes."""

from __future__ import annotations

from ctypes import byref
from typing import Optional, Union

from . import _library as lib
from ._arguments import instance, number
from ._effects import Effect, as_effect
from ._handles import Resource
from ._interrupts import interruptible
from ._keywords import suggesting
from ._masks import Mask, Shape, as_mask, shape_structs
from ._pixels import empty, image, view
from ._renderer import Renderer
from ._reports import Cancellation, Report, optional_cancellation
from ._structs import ImageStruct, RenderOptions, ReportStruct
from ._types import Alpha, Array, Channels, Picture


class Reveal(Resource):
    """A picture, and the result of an effect on it, which is computed once. Frames show the result inside shapes, and the
    picture outside them. A frame is a copy of pixels, so shapes can move as often as the display needs.

    The picture is copied. A reveal can be neither copied nor pickled.

    :param renderer: computes the effect. It is not needed afterwards.
    :param picture: of the types of :meth:`Renderer.render`. ``mask``, ``channels``, ``alpha`` and ``error_budget`` are also as
        there.
    :raises ParameterError: if the effect's result is larger than the picture.

    >>> picture = numpy.zeros((48, 64, 3), numpy.uint8)
    >>> reveal = frost.Reveal(frost.Renderer("cpu"), picture, "light")
    >>> for x in range(20):
    ...     frame = reveal.frame(frost.Shape(x, 8, 30, 30, radius=15))
    >>> frame.shape, bool((frame == picture).all()), bool((reveal.frame() == picture).all())
    ((48, 64, 3), False, True)
    """

    @suggesting
    def __init__(
        self, renderer: Renderer, picture: Picture, effect: Union[Effect, str], *, mask: Union[Mask, Picture, None] = None,
        channels: Optional[Channels] = None, alpha: Optional[Alpha] = None, error_budget: float = 0.0,
        cancellation: Optional[Cancellation] = None,
    ) -> None:
        made = instance(renderer, Renderer, "renderer")
        array = view(picture)
        source = image(array, channels, alpha)
        masked, flag = as_mask(mask), optional_cancellation(cancellation)
        owned = masked and masked._pointer
        options = RenderOptions(mask=owned, cancellation=flag, error_budget=number(error_budget, "error_budget"))
        report = ReportStruct()
        shown = as_effect(effect)
        self._own(
            lambda place: interruptible(
                lib.reveal_create, source, options, made._pointer, shown._pointer, byref(source), byref(options), byref(report),
                place),
            lib.reveal_destroy)
        self._report = Report._read(report)
        self._target = ImageStruct()
        lib.reveal_describe_target(self._pointer, byref(self._target))
        self._channels: Optional[Channels] = "bgra" if channels == "bgra" else None
        self._alpha = alpha

    def __repr__(self) -> str:
        return f"<frost.Reveal, {'closed' if self.closed else f'{self._target.height}x{self._target.width}'}>"

    @property
    def report(self) -> Report:
        """The report on computing the effect. Frames add nothing to it."""
        return self._report

    def frame(self, *shapes: Shape, out: Optional[Picture] = None) -> Array:
        """Returns a frame: the picture with the effect visible in the shapes. A pixel that shapes cover partly is a mixture;
        if shapes overlap, their coverage adds up. Other Python threads run in the meantime.

        :param out: an array of the frame's shape and type, all pixels of which are written; by default a new array.
        :raises PixelError: if ``out`` has another shape or type.
        """
        pointer = self._pointer
        array = empty(self._target) if out is None else view(out, "out")
        target = image(array, self._channels, self._alpha, writable=True, name="out")
        lib.reveal_render(pointer, shape_structs(shapes), len(shapes), byref(target))
        return array
