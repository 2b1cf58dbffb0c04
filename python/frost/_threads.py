"""The number of threads for work on the CPU."""

from __future__ import annotations

from typing import Optional, SupportsIndex

from . import _library as lib
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
    OMP_NUM_THREADS, or else the number of processors that this process may use: its affinity and the quotas of its
    control groups count."""
    return _chosen or lib.default_threads()


def resolved(threads: Optional[int]) -> int:
    """Returns a number of threads for an argument. None stands for the default."""
    return get_threads() if threads is None else checked(threads)


def checked(count: SupportsIndex) -> int:
    return whole(count, "the number of threads", 1, MAXIMUM)
