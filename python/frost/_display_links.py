"""Ticks for the frames of an animation."""

from __future__ import annotations

import select
from ctypes import byref, c_double, c_int32
from fractions import Fraction
from typing import Iterator, NamedTuple, Optional, SupportsIndex, Union

from . import _library as lib
from ._arguments import constant, number, whole
from ._errors import ArgumentError, CancelledError, NotReadyError, ParameterError
from ._handles import Resource
from ._keywords import suggesting
from ._structs import DisplayLinkOptions, TickStruct
from ._waits import waited

# In the order of the constants FROST_CLOCK_…, from 1. The thread of the kind 0 is of no use to Python, whose loops wait themselves.
_SOURCES = ["timer", "manual", "virtual"]
_LARGEST = 10**9


class Tick(NamedTuple):
    """A refresh of a display, for which a program draws a frame. All times are in nanoseconds.

    ``frame_index`` is the number of the refresh, counted from 0. ``timestamp`` is when the last frame was shown, and
    ``target_timestamp`` when the next one will be shown. ``duration`` is the duration of one refresh. ``dropped`` is the number of
    ticks that were dropped since the last one.
    """

    frame_index: int
    timestamp: int
    target_timestamp: int
    duration: int
    dropped: int


class DisplayLink(Resource):
    """Delivers a tick for each refresh of a display, or for each n-th one.

    A link of the source "timer" is a loop that waits for a clock: refresh n takes place n / rate seconds after the creation. A
    link of the source "manual" is told about refreshes by :meth:`tick`, and one of the source "virtual" advances by
    :meth:`advance` or by its loop, without waiting. Ticks that come due during a frame are dropped and counted. The loop ends at
    :meth:`invalidate`, which any thread may call. A link can be neither copied nor pickled.

    :param rate: refreshes per second, 0.01 to 1000: a number or a fraction such as ``Fraction(60000, 1001)``.
    :param source: "timer", "manual" or "virtual".
    :param frame_interval: the number of refreshes from one tick to the next, 1 to 1000000.
    :param paused: whether the link begins without ticks.

    >>> with frost.DisplayLink(50, source="virtual") as link:
    ...     for tick in link:
    ...         if tick.frame_index == 3:
    ...             break
    >>> tick.timestamp, tick.target_timestamp
    (60000000, 80000000)
    """

    @suggesting
    def __init__(
        self, rate: Union[float, Fraction] = 60, *, source: str = "timer", frame_interval: SupportsIndex = 1,
        paused: bool = False,
    ) -> None:
        kind = 1 + constant(_SOURCES, source, "source")
        self._source = source
        self._rate = rate if isinstance(rate, Fraction) else _fraction(number(rate, "rate"))
        limit = 2**31 - 1
        if max(self._rate.numerator, self._rate.denominator) > limit:
            raise ParameterError(f"the rate {self._rate} has a numerator or denominator above {limit}")
        self._interval = whole(frame_interval, "frame_interval", 1, 1_000_000)
        self._paused = bool(paused)
        options = DisplayLinkOptions(
            source=kind, frame_interval=self._interval,
            rate_numerator=self._rate.numerator, rate_denominator=self._rate.denominator, is_paused=int(self._paused))
        self._own(lib.display_link_create, lib.display_link_destroy, byref(options), None, None)

    def __repr__(self) -> str:
        return f"frost.DisplayLink({self._rate!r}, source={self._source!r})"

    @property
    def paused(self) -> bool:
        """Whether the link has no ticks. The refreshes of a pause do not count as dropped."""
        return self._paused

    @paused.setter
    def paused(self, value: bool) -> None:
        lib.display_link_set_paused(self._pointer, int(bool(value)))
        self._paused = bool(value)

    @property
    def frame_interval(self) -> int:
        """The number of refreshes from one tick to the next."""
        return self._interval

    @frame_interval.setter
    def frame_interval(self, value: SupportsIndex) -> None:
        interval = whole(value, "frame_interval", 1, 1_000_000)
        lib.display_link_set_frame_interval(self._pointer, interval)
        self._interval = interval

    def wait(self, timeout: Optional[float] = None) -> Tick:
        """Waits for the next tick of a link of the source "timer". Other Python threads run in the meantime.

        :param timeout: in seconds; None waits without limit.
        :raises NotReadyError: if no tick is due in time.
        :raises CancelledError: after :meth:`invalidate`.
        """
        self._check_source("timer", "wait")

        def due(milliseconds: int) -> Tick:
            lib.display_link_status(self._pointer)
            ready = select.poll()
            ready.register(self.fileno(), select.POLLIN)
            # A signal handler or another thread may invalidate the link meanwhile.
            ready.poll(milliseconds)
            return self.dispatch()

        return waited(due, timeout)

    def dispatch(self) -> Tick:
        """Returns the tick that is due, of a link of the source "timer", without waiting: for programs with an event loop, which
        watch :meth:`fileno`.

        :raises NotReadyError: if no tick is due.
        """
        self._check_source("timer", "dispatch")
        tick = TickStruct()
        lib.display_link_dispatch(self._pointer, byref(tick))
        return _tick(tick)

    def fileno(self) -> int:
        """Returns the descriptor of a link of the source "timer", which is readable when a tick is due: for selectors and
        ``loop.add_reader``. The link owns it: do not read or close it."""
        self._check_source("timer", "fileno")
        descriptor = c_int32()
        lib.display_link_descriptor(self._pointer, byref(descriptor))
        return descriptor.value

    def tick(self, timestamp: SupportsIndex, refreshes: SupportsIndex = 1) -> Optional[Tick]:
        """Reports a refresh to a link of the source "manual". Returns the tick, or None if none is due.

        :param timestamp: when the last frame was shown, in nanoseconds of the program's clock; not before the last call's.
        :param refreshes: the number of refreshes since the last call.
        """
        self._check_source("manual", "tick")
        tick = TickStruct()
        place = whole(timestamp, "timestamp", -4 * 10**18, 4 * 10**18)
        count = whole(refreshes, "refreshes", 1, _LARGEST)
        try:
            lib.display_link_tick(self._pointer, place, count, byref(tick))
        except NotReadyError:
            return None
        return _tick(tick)

    def advance(self, refreshes: SupportsIndex = 1) -> Optional[Tick]:
        """Advances a link of the source "virtual". Returns its last tick, or None if none is due. Earlier ones are dropped."""
        self._check_source("virtual", "advance")
        tick = TickStruct()
        try:
            lib.display_link_advance(self._pointer, whole(refreshes, "refreshes", 1, _LARGEST), byref(tick))
        except NotReadyError:
            return None
        return _tick(tick)

    def _check_source(self, needed: str, call: str) -> None:
        self._pointer
        if self._source != needed:
            raise ArgumentError(f"{call}() needs a link of the source {needed!r}, and this one has the source {self._source!r}")

    def invalidate(self) -> None:
        """Ends the loops and waits of all threads, and those that begin later."""
        lib.display_link_invalidate(self._pointer)

    def __iter__(self) -> Iterator[Tick]:
        if self._source == "manual":
            raise ArgumentError("a link of the source 'manual' has no loop: tick() reports its refreshes")
        while True:
            try:
                tick = self.wait() if self._source == "timer" else self.advance()
            except CancelledError:
                return
            if tick is not None:
                yield tick
            elif self._paused:
                raise ArgumentError("a paused link of the source 'virtual' never has a tick")


def animation_progress(start: SupportsIndex, duration: SupportsIndex, time: SupportsIndex) -> float:
    """Returns the elapsed part of an animation, 0 to 1, at a time: usually the ``target_timestamp`` of a tick. All are nanoseconds
    of the same clock. An animation of the duration 0 ends when it begins.

    >>> frost.animation_progress(0, 400_000_000, 100_000_000)
    0.25
    """
    progress, limit = c_double(), 4 * 10**18
    lib.animation_progress(
        whole(start, "start", -limit, limit), whole(duration, "duration", -limit, limit), whole(time, "time", -limit, limit),
        byref(progress))
    return progress.value


def _fraction(rate: float) -> Fraction:
    if not 0.01 <= rate <= 1000:
        raise ParameterError(f"rate {rate:g} is out of range (allowed: 0.01 to 1000)")
    # 59.94 is 2997/50, and not the fraction of its bits.
    return Fraction(repr(rate)).limit_denominator(1_000_000)


def _tick(tick: TickStruct) -> Tick:
    return Tick(tick.frame_index, tick.timestamp, tick.target_timestamp, tick.duration, tick.dropped)
