"""Transitions, and the list of transitions."""

from __future__ import annotations

from ctypes import byref, pointer
from dataclasses import dataclass
from typing import Any, Dict, Optional, Tuple, Union

from . import _library as lib
from ._arguments import optional_rect, rect, text
from ._catalogue import Described, ParameterInfo, parameter_info
from ._handles import Value
from ._masks import Mask, as_mask
from ._parameters import checked_parameters, created, parameter_text, parameter_words
from ._pixels import empty, image, view
from ._reports import Cancellation, optional_cancellation
from ._structs import ImageStruct, TransitionInfoStruct, TransitionOptions, TransitionRenderOptions
from ._tables import Listing
from ._types import Alpha, Array, Channels, Picture, RectLike
from ._types import Value as ParameterValue

EXTRAS = ["mask", "shading", "backside"]


class Transition(Value):
    """An immutable transition from one picture to another, selected by name.

    Transitions are compared, hashed, copied and pickled by value. :func:`transitions` lists the names and parameters. In
    Python, write underscores for the hyphens in the names of parameters.

    :param extent: x, y, width and height of the rectangle in which the transition takes place; by default the rectangle
        of the first picture. Centres, directions and distances refer to it.
    :param shadow_extent: the rectangle to which the shadow of a page curl is limited; by default the extent.
    :param linear: treats the values as sRGB and mixes the linear light that they encode.
    :raises ParameterError: if a name is unknown or a value is invalid.

    >>> frost.Transition("flash", fade_threshold=0.8)
    frost.Transition('flash', fade_threshold=0.8)
    """

    def __init__(
        self, name: str, *, extent: Optional[RectLike] = None, shadow_extent: Optional[RectLike] = None,
        linear: bool = False, **parameters: ParameterValue,
    ) -> None:
        places = {
            name: None if value is None else rect(value, name)
            for name, value in (("extent", extent), ("shadow_extent", shadow_extent))}
        options = TransitionOptions(
            light=int(bool(linear)), **{name: pointer(place) for name, place in places.items() if place is not None})
        encoded = text(name, "name")

        def create() -> Dict[str, ParameterValue]:
            checked = checked_parameters(parameters)
            self._own(
                lib.transition_create, lib.transition_destroy, encoded, parameter_text(checked), byref(options))
            return checked

        checked = created(
            create, "transition", name, parameters, transitions, ("extent", "shadow_extent", "linear"))
        given: Dict[str, Any] = {
            name: place and (place.x, place.y, place.width, place.height) for name, place in places.items()}
        given["linear"] = bool(linear)
        self._recipe = name, given, checked

    def __repr__(self) -> str:
        name, given, parameters = self._recipe
        options = "".join(f", {key}={value!r}" for key, value in given.items() if value)
        return f"frost.Transition({name!r}{parameter_words(parameters)}{options})"

    def __eq__(self, other: object) -> bool:
        """Transitions are equal if they have the same name, parameters and options."""
        if not isinstance(other, Transition):
            return NotImplemented
        return bool(lib.transition_equal(self._pointer, other._pointer) == 1)

    def __hash__(self) -> int:
        return int(lib.transition_hash(self._pointer))

    def __reduce__(self) -> Any:
        return _named, self._recipe

    def target(
        self, a: Picture, b: Picture, *, region: Optional[RectLike] = None, shading: Optional[Picture] = None,
        backside: Optional[Picture] = None, channels: Optional[Channels] = None, alpha: Optional[Alpha] = None,
    ) -> Array:
        """Returns a new, uninitialised array for a frame between two pictures.

        >>> small, large = numpy.zeros((20, 30, 3), numpy.uint8), numpy.zeros((40, 30, 3), numpy.uint8)
        >>> frost.Transition("dissolve").target(small, large).shape
        (40, 30, 4)
        """
        return empty(FrameRequest(self, a, b, region, None, shading, backside, channels, alpha, None).described())


def _named(name: str, options: Dict[str, Any], parameters: Dict[str, Any]) -> Transition:
    """Creates a transition from what its pickle contains."""
    return Transition(name, **options, **parameters)


def as_transition(value: object) -> Transition:
    """Returns a transition, or the transition of a name."""
    if isinstance(value, Transition):
        return value
    if isinstance(value, str):
        return Transition(value)
    raise TypeError(f"transition must be a frost.Transition or the name of one, not {type(value).__name__}")


class FrameRequest:
    """The arguments of a call that renders a frame, as C structs. The request also refers to the Python objects, so that
    the memory to which the structs point stays valid."""

    def __init__(
        self, transition: Union[Transition, str], a: Picture, b: Picture, region: Optional[RectLike],
        mask: Union[Mask, Picture, None], shading: Optional[Picture], backside: Optional[Picture],
        channels: Optional[Channels], alpha: Optional[Alpha], cancellation: Optional[Cancellation],
    ) -> None:
        self._channels, self._alpha = channels, alpha
        arrays = [view(a, "a"), view(b, "b")]
        self.source, self.target = self.struct(arrays[0], "a"), self.struct(arrays[1], "b")
        extras: Dict[str, Any] = {}
        for name, picture in (("shading", shading), ("backside", backside)):
            if picture is not None:
                arrays.append(view(picture, name))
                extras[name] = pointer(self.struct(arrays[-1], name))
        masked = as_mask(mask)
        owned = (masked and masked._pointer, optional_cancellation(cancellation))
        self.transition = as_transition(transition)._pointer
        self.options = TransitionRenderOptions(
            region=optional_rect(region), mask=owned[0], cancellation=owned[1], **extras)
        self._kept = arrays, owned

    def struct(self, array: Array, name: str, *, writable: bool = False) -> ImageStruct:
        # Pictures may differ in their channels. The order BGRA applies to those with four.
        is_other = self._channels == "bgra" and array.shape[2:] != (4,)
        return image(array, None if is_other else self._channels, self._alpha, name=name, writable=writable)

    def described(self) -> ImageStruct:
        """Returns a description of the frame."""
        frame = ImageStruct()
        lib.transition_describe_target(
            self.transition, byref(self.source), byref(self.target), byref(self.options), byref(frame))
        return frame


@dataclass(frozen=True, repr=False)
class TransitionInfo(Described):
    """The description of a transition in the catalogue. ``filter`` is the filter of Core Image that it recreates.
    ``extras`` are the extra pictures that it can use, of "mask", "shading" and "backside". A transition that can use a
    mask needs one."""

    name: str
    filter: str
    summary: str
    extras: Tuple[str, ...]
    parameters: Tuple[ParameterInfo, ...]


class TransitionList(Listing[TransitionInfo]):
    """A list of transitions that is shown as a table."""

    columns = ("name", "filter", "summary")


def transitions() -> TransitionList:
    """Returns all transitions, from the simplest to the most elaborate.

    >>> frost.transitions()[0].name
    'dissolve'
    """
    return TransitionList(_transition(index) for index in range(lib.transition_count()))


def _transition(index: int) -> TransitionInfo:
    info = TransitionInfoStruct()
    lib.transition_describe(index, byref(info))
    return TransitionInfo(
        info.name.decode(), info.filter.decode(), info.summary.decode(),
        tuple(name for bit, name in enumerate(EXTRAS) if info.extra_images >> bit & 1),
        tuple(parameter_info(lib.transition_describe_parameter, index, number)
              for number in range(info.parameter_count)))
