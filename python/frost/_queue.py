"""Renders images in the background."""

import math
import threading
from ctypes import byref

from . import _library as lib
from ._errors import CancelledError, Error, NotReadyError
from ._renderer import Rendered, Report, Request


class Queue(lib.Handle):
    """Renders images while the caller continues, several at a time.

    When nothing refers to a queue and its tickets any more, the queue is destroyed. The destruction cancels unfinished
    images and waits until they have ended.

    :param depth: the maximum number of images that are submitted but not finished, 1 to 1024.
    :param concurrency: the number of images that are rendered at the same time; 0 for a default that suits the renderer.
        With 1, images finish in the order in which they were submitted.
    """

    def __init__(self, renderer, *, depth=8, concurrency=0):
        # This list of unfinished images keeps their arrays alive, because the library writes to them even if the program no
        # longer refers to them. The finalizer keeps the list until the queue is destroyed.
        self._pending = []
        self._lock = threading.Lock()
        options = lib.QueueOptions(depth=depth, concurrency=concurrency)
        pending = self._pending

        def destroy(pointer):
            lib.queue_destroy(pointer)
            pending.clear()

        self._own(lib.queue_create, destroy, renderer._pointer, byref(options))

    def submit(
        self, picture, effect, *, out=None, region=None, mask=None, channels=None, alpha="straight", error_budget=0.0,
        cancellation=None,
    ):
        """Submits an array and immediately returns a :class:`Ticket`. The arguments are those of :meth:`Renderer.render`.
        Do not modify the picture before the ticket is done.

        :raises BusyError: if the queue is full.
        """
        request = Request(picture, effect, out, region, mask, channels, alpha, error_budget, cancellation)
        handle = _TicketHandle(self._pointer, request)
        with self._lock:
            self._pending[:] = [other for other in self._pending if not other.done()]
            self._pending.append(handle)
        return Ticket(self, handle)

    def __len__(self):
        """Returns the number of images that are submitted but not finished."""
        return lib.queue_count(self._pointer)

    def cancel_all(self):
        """Cancels all unfinished images."""
        lib.queue_cancel_all(self._pointer)

    def wait(self):
        """Waits until every image is done."""
        lib.queue_wait(self._pointer)


class _TicketHandle(lib.Handle):
    def __init__(self, queue, request):
        self.request = request
        self._own(
            lib.queue_submit, lib.ticket_destroy, queue, request.effect, byref(request.source), byref(request.target),
            byref(request.options), None, None)

    def done(self):
        try:
            lib.ticket_poll(self._pointer, None)
        except NotReadyError:
            return False
        except Error:
            pass
        return True


class Ticket:
    """A submitted image. In asyncio, wait for it with ``await asyncio.to_thread(ticket.result)``."""

    def __init__(self, queue, handle):
        self._queue = queue
        self._handle = handle

    def done(self):
        """Returns whether the image is done, cancelled or failed."""
        return self._handle.done()

    def result(self, timeout=None):
        """Waits for the image and returns a :class:`Rendered`. Other Python threads run in the meantime.

        :param timeout: in seconds; None waits without limit.
        :raises NotReadyError: if the image is not done in time.
        :raises Error: the errors of :meth:`Renderer.render`.
        """
        report = lib.ReportStruct()
        # The wait is divided into slices of 0.1 seconds, so that Python can handle signals.
        left = math.inf if timeout is None else max(0.0, timeout)
        while True:
            slice_ms = round(min(left, 0.1) * 1000)
            try:
                lib.ticket_wait(self._handle._pointer, slice_ms, byref(report))
                return Rendered(self._handle.request.out, Report._read(report))
            except NotReadyError:
                left -= slice_ms / 1000
                if left <= 0 or slice_ms == 0:
                    raise

    def cancel(self):
        """Cancels the image. A finished image keeps its result."""
        lib.ticket_cancel(self._handle._pointer)

    def cancelled(self):
        """Returns whether the image was cancelled."""
        try:
            lib.ticket_poll(self._handle._pointer, None)
        except CancelledError:
            return True
        except Error:
            pass
        return False
