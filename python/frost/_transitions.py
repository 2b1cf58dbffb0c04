"""Transitions, and the list of transitions."""

from ctypes import byref, pointer
from dataclasses import dataclass
from typing import Tuple

from . import _library as lib
from ._effects import Mask, ParameterInfo, parameter_info, parameter_text
from ._pixels import empty, image, rect

EXTRAS = ["mask", "shading", "backside"]


class Transition(lib.Handle):
    """An immutable transition from one picture to another, selected by name.

    :func:`transitions` lists the parameters. In Python, write underscores for the hyphens in their names:
    ``Transition("flash", fade_threshold=0.8)``.

    :param extent: x, y, width and height of the rectangle in which the transition takes place; by default the rectangle
        of the first picture. Centres, directions and distances refer to it.
    :param shadow_extent: the rectangle to which the shadow of a page curl is limited; by default the extent.
    :param linear: treats the values as sRGB and mixes the linear light that they encode.
    :raises ParameterError: if a name is unknown or a value is invalid.
    """

    def __init__(self, name, *, extent=None, shadow_extent=None, linear=False, **parameters):
        options = lib.TransitionOptions(
            extent=rect(extent), shadow_extent=rect(shadow_extent), light=int(bool(linear)))
        self._own(
            lib.transition_create, lib.transition_destroy, name.encode(), parameter_text(parameters).encode(),
            byref(options))

    def __eq__(self, other):
        """Transitions are equal if they have the same name, parameters and options."""
        if not isinstance(other, Transition):
            return NotImplemented
        return lib.transition_equal(self._pointer, other._pointer) == 1

    def __hash__(self):
        return lib.transition_hash(self._pointer)

    def target(self, a, b, *, region=None, shading=None, backside=None, channels=None, alpha="straight"):
        """Returns a new, uninitialised array for a frame between two pictures."""
        return FrameRequest(self, a, b, None, region, None, shading, backside, channels, alpha, None).out


class FrameRequest:
    """The arguments of a call that renders a frame, as C structs. The request also refers to the Python objects, so that
    the memory to which the structs point stays valid."""

    def __init__(
        self, transition, a, b, out, region, mask, shading, backside, channels, alpha, cancellation,
    ):
        def struct(array, name, **options):
            # Pictures may differ in their channels. The order BGRA applies to those with four.
            is_other = channels == "bgra" and getattr(array, "shape", ())[2:] != (4,)
            return image(array, None if is_other else channels, alpha, name=name, **options)

        if mask is not None and not isinstance(mask, Mask):
            mask = Mask(mask)
        self.source, self.target = struct(a, "a"), struct(b, "b")
        self._kept = (transition, a, b, mask, shading, backside, cancellation)
        self.options = lib.TransitionRenderOptions(
            region=rect(region), mask=mask and mask._pointer, cancellation=cancellation and cancellation._pointer,
            shading=None if shading is None else pointer(struct(shading, "shading")),
            backside=None if backside is None else pointer(struct(backside, "backside")))
        self.transition = transition._pointer
        if out is None:
            described = lib.Image()
            lib.transition_describe_target(
                self.transition, byref(self.source), byref(self.target), byref(self.options), byref(described))
            out = empty(described)
        self.out = out
        self.output = struct(out, "out", writable=True)


@dataclass(frozen=True)
class TransitionInfo:
    """The description of a transition in the catalogue. ``filter`` is the filter of Core Image that it recreates.
    ``extras`` are the extra pictures that it can use, of "mask", "shading" and "backside". A transition that can use a
    mask needs one."""

    name: str
    filter: str
    summary: str
    extras: Tuple[str, ...]
    parameters: Tuple[ParameterInfo, ...]


def transitions():
    """Returns all transitions, from the simplest to the most elaborate."""
    return [_transition(index) for index in range(lib.transition_count())]


def _transition(index):
    info = lib.TransitionInfoStruct()
    lib.transition_describe(index, byref(info))
    return TransitionInfo(
        info.name.decode(), info.filter.decode(), info.summary.decode(),
        tuple(name for bit, name in enumerate(EXTRAS) if info.extra_images >> bit & 1),
        tuple(parameter_info(lib.transition_describe_parameter, index, number)
              for number in range(info.parameter_count)))
