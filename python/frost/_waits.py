"""Waits that signals can interrupt."""

from __future__ import annotations

import math
import time
from typing import Callable, Optional, TypeVar

from ._arguments import number
from ._errors import NotReadyError

_Result = TypeVar("_Result")
_SLICE = 0.1


def waited(wait: Callable[[int], _Result], timeout: Optional[float]) -> _Result:
    """Returns the result of a function that waits for at most some milliseconds, and then raises NotReadyError. The wait is
    divided into slices of 0.1 seconds, so that Python can handle signals.

    :param timeout: in seconds; None waits without limit.
    """
    end = math.inf if timeout is None else time.monotonic() + number(timeout, "timeout")
    while True:
        left = max(0.0, end - time.monotonic())
        try:
            return wait(math.ceil(min(left, _SLICE) * 1000))
        except NotReadyError:
            if left == 0:
                raise
