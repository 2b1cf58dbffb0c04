"""Updates at an interval."""

from __future__ import annotations

from ctypes import byref
from typing import Iterator, NamedTuple, Optional

from . import _library as lib
from ._arguments import number
from ._errors import CancelledError, ParameterError
from ._handles import Resource
from ._structs import UpdateTickStruct
from ._waits import waited


class UpdateTick(NamedTuple):
    """A signal that it is time for an update. ``number`` counts from 0 and includes dropped ticks. ``dropped`` is the number of
    ticks that were dropped since the last one."""

    number: int
    dropped: int


class UpdateTimer(Resource):
    """Delivers ticks at an interval, to programs that cannot tell what has changed in a picture. Tick n is due n intervals
    after the creation. A tick is delivered only to a loop that asks for it, so two updates never run at the same time; ticks
    that become due during an update are dropped.

    The loop ends at :meth:`cancel`, which any thread may call. A timer can be neither copied nor pickled.

    :param interval: in seconds, 0.001 to 86400.

    >>> picture, screen = (numpy.zeros((48, 64, 4), numpy.uint8) for _ in range(2))
    >>> with frost.Backdrop() as backdrop, frost.UpdateTimer(0.01) as timer:
    ...     backdrop.panels = [frost.Panel((4, 4, 40, 20), "light")]
    ...     for tick in timer:
    ...         backdrop.invalidate_all()
    ...         report = backdrop.render(picture, screen)
    ...         if tick.number >= 3:
    ...             break
    >>> report.panel_pixels
    800
    """

    def __init__(self, interval: float) -> None:
        seconds = number(interval, "interval")
        if not 0.001 <= seconds <= 86400:
            raise ParameterError(f"update interval {seconds:g} is out of range (allowed: 0.001 to 86400)")
        self._interval = seconds
        self._own(lib.update_timer_create, lib.update_timer_destroy, round(seconds * 1e9))

    def __repr__(self) -> str:
        return f"frost.UpdateTimer({self._interval!r})"

    def wait(self, timeout: Optional[float] = None) -> UpdateTick:
        """Waits for the next tick. Other Python threads run in the meantime.

        :param timeout: in seconds; None waits without limit.
        :raises NotReadyError: if no tick is due in time.
        :raises CancelledError: after :meth:`cancel`.
        """
        tick = UpdateTickStruct()
        waited(lambda milliseconds: lib.update_timer_wait(self._pointer, milliseconds, byref(tick)), timeout)
        return UpdateTick(tick.number, tick.dropped)

    def cancel(self) -> None:
        """Ends the loops and waits of all threads, and those that begin later."""
        lib.update_timer_cancel(self._pointer)

    def __iter__(self) -> Iterator[UpdateTick]:
        while True:
            try:
                tick = self.wait()
            except CancelledError:
                return
            yield tick
