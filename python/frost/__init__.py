"""Frost for Python blurs images in NumPy arrays, on any GPU or on the CPU, and renders transitions between them.

Arrays are read and written in place, with any row stride. No call copies pixels, and no call holds the GIL while it works.
Objects may be used from any thread.
"""

from ._effects import Effect, EffectInfo, Mask, ParameterInfo, Shape, effects, gaussian
from ._errors import (
    ArgumentError, BusyError, CancelledError, DeviceError, Error, ForkedError, LayoutError, NoDeviceError,
    NotReadyError, ParameterError, PixelError, SystemResourceError,
)
from ._library import library_path, library_version
from ._queue import Queue, Ticket
from ._renderer import Cancellation, Rendered, Renderer, Report
from ._transitions import Transition, TransitionInfo, transitions
from ._version import __version__

__all__ = [
    "ArgumentError", "BusyError", "Cancellation", "CancelledError", "DeviceError", "Effect", "EffectInfo", "Error",
    "ForkedError", "LayoutError", "Mask", "NoDeviceError", "NotReadyError", "ParameterError", "ParameterInfo", "PixelError", "Queue",
    "Rendered", "Renderer", "Report", "Shape", "SystemResourceError", "Ticket", "Transition", "TransitionInfo", "effects", "gaussian",
    "library_path", "library_version", "transitions", "__version__",
]
