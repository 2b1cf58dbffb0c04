"""The exceptions, one for each error status of the library, and the warnings."""

from __future__ import annotations

import sys
import warnings
from typing import Type


class Error(Exception):
    """The base class of all errors of the library. The text is the library's message, a single line."""


class ArgumentError(Error, ValueError):
    """An argument is invalid, such as an unknown word, or an object is closed."""


class ParameterError(Error, ValueError):
    """An effect, transition or parameter is unknown, or a value is out of range."""


class PixelError(Error, ValueError):
    """Sizes and formats describe no valid image, or do not match, or the memory of a picture and of its target overlaps."""


class LayoutError(PixelError):
    """An array has a shape, type or layout that Frost cannot use, or is read-only. The message names the remedy."""


class NoDeviceError(Error, RuntimeError):
    """A GPU was requested, but no GPU is usable."""


class DeviceError(Error, RuntimeError):
    """A GPU was requested, but the GPU failed during the work."""


class CancelledError(Error):
    """The caller cancelled the work."""


class BusyError(Error):
    """The queue is full."""


class NotReadyError(Error, TimeoutError):
    """The image was not done in time."""


class SystemResourceError(Error, OSError):
    """The system refused a thread, memory, or the process of a sandbox."""


class ForkedError(Error, RuntimeError):
    """A parent of this process has used the GPU, queue, backdrop or display link before the fork. The CPU still works."""


class UnreadableError(Error, ValueError):
    """An encoded picture is damaged, truncated or not supported."""


class OverLimitError(Error, ValueError):
    """An encoded picture exceeds a limit of size, memory or time."""


class UnwritableError(Error, ValueError):
    """The format of a result cannot hold the picture, such as 16 bits in a JPEG."""


class PictureWarning(UserWarning):
    """Something about an encoded picture could not be done as asked. The text tells what was done instead."""


class TransferWarning(UserWarning):
    """A tensor was copied from the memory of a GPU, and its result is copied back. ``warnings.simplefilter("error",
    frost.TransferWarning)`` refuses such tensors, and "ignore" accepts them without a word."""


BY_STATUS = {
    1: NotReadyError, 2: BusyError, 3: CancelledError, -1: ArgumentError, -2: ParameterError, -3: PixelError,
    -4: NoDeviceError, -5: DeviceError, -7: SystemResourceError, -8: ForkedError, -9: UnreadableError,
    -10: OverLimitError, -11: UnwritableError,
}


def warn(text: str, category: Type[Warning]) -> None:
    """Warns at the line that called this package."""
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and frame.f_globals.get("__package__") == __package__:
        level, frame = level + 1, frame.f_back
    warnings.warn(text, category, stacklevel=level)
