"""Items that fall, bounce and swing by the laws of physics."""

from __future__ import annotations

import json
from ctypes import byref, c_double, c_int32, c_size_t, c_uint64
from typing import Any, List, Mapping, NamedTuple, Optional, Sequence, SupportsFloat, SupportsIndex, Tuple, Union

from ._arguments import instance, number, text, whole
from ._errors import ArgumentError, ParameterError
from ._handles import Owned, Resource
from ._motion_library import ContactStruct, ItemStruct, motion_library
from ._scenes import Scene

# The largest distance of an item's centre from that of the reference, and the largest angle: 1000 radians.
_FARTHEST, _TURNED = 1_000_000, 57295


class Item(NamedTuple):
    """An item of an animator: its centre and its size before it is turned, in points; its angle in degrees, clockwise, which is
    not reduced to one turn; its velocity in points per second, and its angular velocity in degrees per second."""

    center: Tuple[float, float]
    size: Tuple[float, float]
    rotation: float
    velocity: Tuple[float, float]
    angular_velocity: float


class Contact(NamedTuple):
    """The beginning, or the end, of a contact of an item with another one, or with a boundary (None)."""

    item: str
    other: Optional[str]
    is_beginning: bool


class Animator(Resource):
    """Moves items, rectangles with names, as behaviours say. The behaviours have the form of a scene's ``dynamics.behaviors``: see
    docs/Animation.md. Time advances in steps of 1/120 s, so that places do not depend on the frame rate. Use an animator from
    one thread at a time. It can be neither copied nor pickled.

    :param reference: x, y, width and height of the rectangle that items must overlap when a behaviour begins to move them.

    >>> with frost.Animator((0, 0, 640, 480)) as animator:
    ...     animator.add_item("card", (100, 50), (80, 40))
    ...     gravity = animator.add({"behavior": "gravity"})
    ...     for _ in range(12):
    ...         animator.step(1 / 60)
    ...     round(animator.item("card").center[1])
    71
    """

    # The centre of the reference.
    _middle = 0.0, 0.0

    def __init__(self, reference: Optional[Sequence[SupportsFloat]] = None) -> None:
        library = motion_library()
        place = None
        if reference is not None:
            numbers = _numbers(reference, 4, "reference")
            place = (c_double * 4)(*numbers)
            self._middle = numbers[0] + numbers[2] / 2, numbers[1] + numbers[3] / 2
        self._own(library.animator_create, library.animator_destroy, place)

    @classmethod
    def of(cls, scene: Scene) -> Animator:
        """Returns an animator with the items and behaviours of a scene."""
        library = motion_library()
        animator = cls.__new__(cls)
        animator._owned = Owned.made(
            library.animator_of_scene, library.animator_destroy, instance(scene, Scene, "scene")._pointer)
        animator._middle = scene.width / 2, scene.height / 2
        return animator

    def add_item(
        self, name: str, center: Sequence[SupportsFloat], size: Sequence[SupportsFloat], rotation: float = 0,
    ) -> None:
        """Adds an item, whose name no other item has and is not empty.

        :param center: x and y in points, at most 1000000 from the centre of the reference.
        :param size: width and height in points, 0.1 to 100000 each.
        :param rotation: degrees, clockwise, -57295 to 57295.
        :raises ParameterError: if a value is out of range, or another item has the name.
        """
        encoded = text(name, "name")
        if not name:
            raise ParameterError("name is empty")
        x, y = _numbers(center, 2, "center")
        width, height = _numbers(size, 2, "size")
        angle = number(rotation, "rotation")
        # The library checks an item when a behaviour begins to move it, and does not name it then.
        for what, value, least, most in (
                ("center x", x, self._middle[0] - _FARTHEST, self._middle[0] + _FARTHEST),
                ("center y", y, self._middle[1] - _FARTHEST, self._middle[1] + _FARTHEST),
                ("width", width, 0.1, 100_000), ("height", height, 0.1, 100_000), ("rotation", angle, -_TURNED, _TURNED)):
            if not least <= value <= most:
                raise ParameterError(
                    f"{what} {value:g} of the item {name!r} is out of range (allowed: {least:.10g} to {most:.10g})")
        item = ItemStruct(center_x=x, center_y=y, width=width, height=height, rotation=angle)
        motion_library().animator_add_item(self._pointer, encoded, byref(item))

    def add(self, behavior: Union[str, Mapping[str, Any]]) -> int:
        """Adds a behaviour, as a dict or a JSON text. Its times count from the beginning of the animator.

        :returns: a number for :meth:`remove`.
        :raises ParameterError: with the member, its value and what is allowed.
        """
        if not isinstance(behavior, (str, Mapping)):
            raise TypeError(f"behavior must be a str or a dict, not {type(behavior).__name__}")
        written = text(behavior, "behavior") if isinstance(behavior, str) else json.dumps(dict(behavior)).encode()
        added = c_uint64()
        motion_library().animator_add_behavior(self._pointer, written, len(written), byref(added))
        return added.value

    def remove(self, behavior: SupportsIndex) -> None:
        """Removes a behaviour by its number."""
        motion_library().animator_remove_behavior(self._pointer, whole(behavior, "behavior", 0, 2**64 - 1))

    def step(self, seconds: float) -> None:
        """Lets time pass: the seconds since the last call. More than 0.5 counts as 1/60."""
        motion_library().animator_step(self._pointer, number(seconds, "seconds"))

    @property
    def is_running(self) -> bool:
        """Whether an item moves. While none does, no frame changes until a behaviour begins or ends."""
        running = c_int32()
        motion_library().animator_is_running(self._pointer, byref(running))
        return running.value == 1

    def item(self, name: str) -> Item:
        """Returns where an item is and how it moves."""
        found = ItemStruct()
        motion_library().animator_item(self._pointer, text(name, "name"), byref(found))
        return Item(
            (found.center_x, found.center_y), (found.width, found.height), found.rotation,
            (found.velocity_x, found.velocity_y), found.angular_velocity)

    def move(self, name: str, center: Sequence[SupportsFloat], rotation: Optional[float] = None) -> None:
        """Moves an item, as when a user drags it. It keeps its velocity.

        :param rotation: degrees; None keeps the angle.
        """
        x, y = _numbers(center, 2, "center")
        angle = self.item(name).rotation if rotation is None else number(rotation, "rotation")
        item = ItemStruct(center_x=x, center_y=y, rotation=angle)
        motion_library().animator_move_item(self._pointer, text(name, "name"), byref(item))

    @property
    def contacts(self) -> List[Contact]:
        """The contacts that began and ended during the last :meth:`step`. Names longer than 63 bytes of UTF-8 are cut."""
        count = c_size_t()
        motion_library().animator_contacts(self._pointer, None, 0, byref(count))
        found = (ContactStruct * count.value)()
        if count.value:
            motion_library().animator_contacts(self._pointer, found, count.value, byref(count))
        return [
            Contact(_name(contact.item), _name(contact.other) or None, contact.is_beginning == 1) for contact in found]


def _name(field: bytes) -> str:
    return field.decode("utf-8", "replace")


def _numbers(values: Sequence[SupportsFloat], count: int, what: str) -> List[float]:
    found = [number(value, what) for value in values]
    if len(found) != count:
        raise ArgumentError(f"{what} has {len(found)} numbers instead of {count}")
    return found
