"""The number of threads for work on the CPU."""

from __future__ import annotations

import os
import warnings
from typing import Optional

from ._arguments import whole

MAXIMUM = 256
_chosen: Optional[int] = None


def set_threads(count: Optional[int]) -> None:
    """Sets the number of threads that one picture uses on the CPU, for renderers that are created later and for functions
    such as :func:`frost.blur`.

    :param count: 1 to 256; None for the default, which :func:`get_threads` describes.

    >>> frost.set_threads(2)
    >>> frost.get_threads()
    2
    >>> frost.set_threads(None)
    """
    global _chosen
    _chosen = None if count is None else checked(count)


def get_threads() -> int:
    """Returns the number of threads that :func:`set_threads` has set. By default this is the environment variable
    OMP_NUM_THREADS, or else the number of processors on which this process may run (its affinity)."""
    return _chosen or _from_environment() or min(MAXIMUM, _processors())


def resolved(threads: Optional[int]) -> int:
    """Returns a number of threads for an argument. None and 0 stand for the default."""
    return get_threads() if threads is None or threads == 0 else checked(threads)


def checked(count: int) -> int:
    return whole(count, "the number of threads", 1, MAXIMUM)


def _processors() -> int:
    return len(os.sched_getaffinity(0))


def _from_environment() -> Optional[int]:
    value = os.environ.get("OMP_NUM_THREADS")
    if value is None:
        return None
    # OpenMP has a number for each level of nesting: "4,2".
    first = value.split(",")[0].strip()
    if first.isdigit() and int(first) > 0:
        return min(MAXIMUM, int(first))
    warnings.warn(f"OMP_NUM_THREADS={value} is not a positive number; Frost ignores it", RuntimeWarning, stacklevel=2)
    return None
