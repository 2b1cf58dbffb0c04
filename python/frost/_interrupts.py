"""Lets signals end long calls, such as that of Ctrl-C."""

from __future__ import annotations

import threading
from typing import Any, Callable, List

from . import _library as lib
from ._handles import Owned
from ._structs import ImageStruct

# The number of pixels from which a call is long. Another thread for it takes 0.2 milliseconds, and the fastest blurs of so many
# pixels take six.
_LONG = 1 << 23


def interruptible(function: Callable[..., Any], target: ImageStruct, options: Any, *arguments: Any) -> None:
    """Calls a function of the library that renders with options.

    Python handles signals in the main thread, between its own instructions. So there, a long call runs on another thread, for
    which the main thread waits. If a signal raises an exception, the work is cancelled, and the exception goes on when the work
    has ended. Work that the caller cancels by an object of its own is left to this object.
    """
    if (target.width * target.height < _LONG or options.cancellation
            or threading.current_thread() is not threading.main_thread()):
        function(*arguments)
        return
    cancellation = Owned.made(lib.cancellation_create, lib.cancellation_destroy)
    options.cancellation = cancellation
    errors: List[BaseException] = []
    done = threading.Event()

    def work() -> None:
        try:
            function(*arguments)
        except BaseException as error:  # noqa: BLE001 - it is raised in the main thread
            errors.append(error)
        finally:
            done.set()

    thread = threading.Thread(target=work, name="frost")
    try:
        try:
            thread.start()
        except RuntimeError:
            if thread.ident is not None:
                raise
            # The system refuses a thread.
            work()
        done.wait()
    except BaseException:
        lib.cancellation_cancel(cancellation)
        if thread.is_alive():
            done.wait()
        raise
    finally:
        options.cancellation = None
    if errors:
        error = errors.pop()
        try:
            raise error
        finally:
            # The error refers to this frame, and so would keep the arrays.
            del error
