"""Frost for Python blurs images in NumPy arrays, on any GPU or on the CPU, and renders transitions between them.

:func:`blur`, :func:`effect`, :func:`transition` and :func:`blur_batch` need nothing else. :func:`blur_encoded` takes and
returns the bytes of files. :class:`Renderer`, :class:`Queue` and :class:`Backdrop` give control: they read and write arrays
in place, with any row stride, and never copy. No call holds the GIL while it works. Objects may be used from any thread.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, List

from ._errors import (
    ArgumentError, BusyError, CancelledError, DeviceError, Error, ForkedError, LayoutError, NoDeviceError,
    NotReadyError, OverLimitError, ParameterError, PictureWarning, PixelError, SystemResourceError, TransferWarning,
    UnreadableError, UnwritableError)
from ._library import library_path, library_version
from ._once import first_use
from ._version import __version__

if TYPE_CHECKING:
    from ._animators import Animator, Contact, Item
    from ._backdrops import Backdrop, FrameReport, Panel
    from ._batches import blur_batch, effect_batch
    from ._boxes import Boxes
    from ._calls import blur, effect, transition
    from ._catalogue import EffectInfo, ParameterInfo, effects
    from ._devices import DeviceInfo, devices
    from ._display_links import DisplayLink, Tick, animation_progress
    from ._effects import Effect, gaussian
    from ._encoded import blur_encoded, effect_encoded
    from ._encodings import Decoding, Encoding
    from ._masks import Mask, Shape
    from ._pillow import PillowFilter
    from ._queue import Queue, Ticket
    from ._random_blur import RandomBlur
    from ._renderer import Renderer
    from ._reports import Cancellation, Contrast, Rendered, Report
    from ._reveals import Reveal
    from ._scenes import Scene, SceneRenderer, SceneReport
    from ._threads import get_threads, set_threads
    from ._timers import UpdateTick, UpdateTimer
    from ._transitions import Transition, TransitionInfo, transitions

__all__ = [
    "Animator", "ArgumentError", "Backdrop", "Boxes", "BusyError", "Cancellation", "CancelledError", "Contact",
    "Contrast", "Decoding", "DeviceError", "DeviceInfo", "DisplayLink", "Effect", "EffectInfo", "Encoding", "Error",
    "ForkedError", "FrameReport", "Item", "LayoutError", "Mask", "NoDeviceError", "NotReadyError", "OverLimitError",
    "Panel", "ParameterError", "ParameterInfo", "PictureWarning", "PillowFilter", "PixelError", "Queue", "RandomBlur",
    "Rendered", "Renderer", "Report", "Reveal", "Scene", "SceneRenderer", "SceneReport", "Shape",
    "SystemResourceError", "Tick", "Ticket", "TransferWarning", "Transition", "TransitionInfo", "UnreadableError",
    "UnwritableError", "UpdateTick", "UpdateTimer", "__version__", "animation_progress", "blur", "blur_batch",
    "blur_encoded", "devices", "effect", "effect_batch", "effect_encoded", "effects", "gaussian", "get_threads",
    "library_path", "library_version", "set_threads", "transition", "transitions",
]

# Modules that load NumPy are imported when one of their names is first used. NumPy alone takes longer to
# import than Frost.
_MODULES = {
    "_animators": ("Animator", "Contact", "Item"),
    "_backdrops": ("Backdrop", "FrameReport", "Panel"),
    "_batches": ("blur_batch", "effect_batch"),
    "_boxes": ("Boxes",),
    "_calls": ("blur", "effect", "transition"),
    "_catalogue": ("EffectInfo", "ParameterInfo", "effects"),
    "_devices": ("DeviceInfo", "devices"),
    "_display_links": ("DisplayLink", "Tick", "animation_progress"),
    "_effects": ("Effect", "gaussian"),
    "_encoded": ("blur_encoded", "effect_encoded"),
    "_encodings": ("Decoding", "Encoding"),
    "_masks": ("Mask", "Shape"),
    "_pillow": ("PillowFilter",),
    "_queue": ("Queue", "Ticket"),
    "_random_blur": ("RandomBlur",),
    "_renderer": ("Renderer",),
    "_reports": ("Cancellation", "Contrast", "Rendered", "Report"),
    "_reveals": ("Reveal",),
    "_scenes": ("Scene", "SceneRenderer", "SceneReport"),
    "_threads": ("get_threads", "set_threads"),
    "_timers": ("UpdateTick", "UpdateTimer"),
    "_transitions": ("Transition", "TransitionInfo", "transitions"),
}
_SUBMODULES = ("compat", "daft", "dask", "ray", "webdataset")
_HOMES = {name: module for module, names in _MODULES.items() for name in names}

# Type checkers would accept any name if they knew this function.
if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        from importlib import import_module

        with first_use:
            if name in _SUBMODULES:
                return import_module(f".{name}", __name__)
            if name not in _HOMES:
                raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
            value = globals()[name] = getattr(import_module(f".{_HOMES[name]}", __name__), name)
            return value


def __dir__() -> List[str]:
    return sorted({name for name in globals() if name.startswith("__")}.union(__all__, _SUBMODULES))
