"""Renders images in the background."""

from __future__ import annotations

import atexit
import ctypes
import threading
import weakref
from ctypes import byref, c_void_p
from typing import TYPE_CHECKING, Any, Generator, List, NoReturn, Optional, Type, Union

from . import _library as lib
from ._arguments import instance, whole
from ._effects import Effect
from ._errors import CancelledError, Error, ForkedError, NotReadyError, ParameterError
from ._handles import Handle, Owned, ProcessResource, uncopyable
from ._keywords import suggesting
from ._masks import Mask
from ._renderer import Renderer, Request
from ._reports import Cancellation, Rendered, Report
from ._structs import QueueOptions, ReportStruct
from ._types import Alpha, Channels, Picture, RectLike
from ._waits import waited

if TYPE_CHECKING:
    from types import TracebackType


class Queue(ProcessResource):
    """Renders images while the caller continues, several at a time.

    When nothing refers to a queue and its tickets any more, the queue is closed. As a context manager, a queue waits for
    its images and is then closed; if the block raises, it cancels them. When the interpreter ends, unfinished images are
    cancelled. A queue belongs to its process: it can be neither copied nor pickled.

    :param depth: the maximum number of images that are submitted but not finished, 1 to 1024.
    :param concurrency: the number of images that are rendered at the same time; 0 for a default that suits the renderer.
        With 1, images finish in the order in which they were submitted.

    >>> picture = numpy.zeros((20, 30, 3), numpy.uint8)
    >>> with frost.Queue(frost.Renderer("cpu"), depth=4) as queue:
    ...     tickets = [queue.submit(picture, frost.gaussian(3)) for _ in range(4)]
    >>> tickets[3].result().image.shape
    (20, 30, 3)
    """

    @suggesting
    def __init__(self, renderer: Renderer, *, depth: int = 8, concurrency: int = 0) -> None:
        made = instance(renderer, Renderer, "renderer")
        self._depth = whole(depth, "depth")
        if self._depth == 0:
            # In the struct, 0 stands for the default.
            raise ParameterError("depth 0 is out of range (allowed: 1 to 1024)")
        # This list of unfinished images keeps their arrays alive, because the library writes to them even if the program no
        # longer refers to them. The finalizer keeps the list until the queue is destroyed.
        self._pending: List[_TicketHandle] = []
        self._lock = threading.Lock()
        options = QueueOptions(depth=self._depth, concurrency=whole(concurrency, "concurrency"))
        pending = self._pending

        def destroy(pointer: c_void_p) -> None:
            lib.queue_destroy(pointer)
            pending.clear()

        self._own(lib.queue_create, destroy, made._pointer, byref(options))
        _queues.add(self)

    def __repr__(self) -> str:
        state = "closed" if self.closed else f"{len(self)} unfinished"
        return f"<frost.Queue, depth={self._depth}, {state}>"

    @suggesting
    def submit(
        self, picture: Picture, effect: Union[Effect, str], *, out: Optional[Picture] = None,
        region: Optional[RectLike] = None, mask: Union[Mask, Picture, None] = None, channels: Optional[Channels] = None,
        alpha: Optional[Alpha] = None, error_budget: float = 0.0, cancellation: Optional[Cancellation] = None,
    ) -> Ticket:
        """Submits an array and immediately returns a :class:`Ticket`. The arguments are those of :meth:`Renderer.render`.
        Do not modify the picture before the ticket is done.

        :raises BusyError: if the queue is full.
        """
        request = Request(picture, effect, out, region, mask, channels, alpha, error_budget, cancellation)
        self._check_process()
        handle = _TicketHandle(request)
        with self._lock:
            self._remove_done()
            # A signal may interrupt this call after the library has the arrays, so the list must have them before.
            self._pending.append(handle)
        try:
            handle.submit(self._pointer)
        except Error:
            with self._lock:
                # Another thread may have closed the queue, which clears the list.
                if handle in self._pending:
                    self._pending.remove(handle)
            raise
        return Ticket(self, handle)

    def _remove_done(self) -> None:
        self._pending[:] = [handle for handle in self._pending if not handle.done()]

    def __len__(self) -> int:
        """Returns the number of images that are submitted but not finished."""
        return int(lib.queue_count(self._pointer))

    def __bool__(self) -> bool:
        """A queue is true, also without images."""
        return True

    def cancel_all(self) -> None:
        """Cancels all unfinished images."""
        lib.queue_cancel_all(self._pointer)

    def wait(self) -> None:
        """Waits until every image is done. Other Python threads run in the meantime.

        :raises ForkedError: in the child of a fork.
        """
        while self._wait(None):
            # Other threads may submit images meanwhile.
            pass

    def _wait(self, timeout: Optional[float]) -> bool:
        """Waits for the images that the list has now, and returns whether there were any."""
        self._pointer
        self._check_process()
        with self._lock:
            handles = [handle for handle in self._pending if handle.is_submitted]
        for handle in handles:
            waited(handle.wait, timeout)
        with self._lock:
            self._remove_done()
        return bool(handles)

    def close(self) -> None:
        """Cancels all unfinished images, waits until they have ended, and destroys the queue. May be called more than
        once."""
        if self.closed:
            return
        self.cancel_all()
        try:
            self.wait()
        except ForkedError:
            # The images belong to the parent process, which waits for them.
            pass
        super().close()

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType],
    ) -> None:
        try:
            if kind is None and not self.closed:
                self.wait()
        finally:
            self.close()


_queues: weakref.WeakSet[Queue] = weakref.WeakSet()


@atexit.register
def _end() -> None:
    """Cancels all images when the interpreter ends, and waits for each for at most a second. Queues are not destroyed, because
    daemon threads may use them. The arrays of unfinished images are never freed, because the library may still write to
    them."""
    for queue in list(_queues):
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(queue._pending))
        try:
            queue.cancel_all()
            queue._wait(1)
        except Error:
            # The queue is closed or of a parent process, or the time is over.
            pass


class _TicketHandle(Handle):
    """An image to submit. The object keeps the arrays of the image alive."""

    def __init__(self, request: Request) -> None:
        self.request = request
        self._owned = Owned()

    def submit(self, queue: Owned) -> None:
        request = self.request
        self._pointer.fill(
            lib.queue_submit, lib.ticket_destroy, queue, request.effect, byref(request.source), byref(request.target),
            byref(request.options), None, None)

    @property
    def is_submitted(self) -> bool:
        return bool(self._owned)

    def status(self) -> Optional[Error]:
        """Returns the error of the image, or NotReadyError, or None for success."""
        try:
            lib.ticket_poll(self._pointer, None)
        except Error as error:
            return error
        return None

    def done(self) -> bool:
        return self.is_submitted and not isinstance(self.status(), NotReadyError)

    def wait(self, milliseconds: int) -> None:
        """Waits until the image is done, cancelled or failed.

        :raises NotReadyError: if it is not done in time.
        """
        try:
            lib.ticket_wait(self._pointer, milliseconds, None)
        except NotReadyError:
            raise
        except Error:
            pass


class Ticket:
    """A submitted image. In asyncio, ``await ticket`` waits for it; if the task is cancelled, so is the image.

    >>> queue = frost.Queue(frost.Renderer("cpu"))
    >>> ticket = queue.submit(numpy.zeros((20, 30, 3), numpy.uint8), "light")
    >>> ticket.result(timeout=60).report.backend
    'cpu'
    >>> ticket
    <frost.Ticket, done>
    """

    def __init__(self, queue: Queue, handle: _TicketHandle) -> None:
        self._queue = queue
        self._handle = handle

    def __repr__(self) -> str:
        error = self._handle.status()
        if error is None:
            state = "done"
        elif isinstance(error, NotReadyError):
            state = "unfinished"
        else:
            state = "cancelled" if isinstance(error, CancelledError) else f"failed: {error}"
        return f"<frost.Ticket, {state}>"

    def __reduce__(self) -> NoReturn:
        raise uncopyable(self)

    def done(self) -> bool:
        """Returns whether the image is done, cancelled or failed."""
        return self._handle.done()

    def result(self, timeout: Optional[float] = None) -> Rendered:
        """Waits for the image and returns a :class:`Rendered`. Other Python threads run in the meantime.

        :param timeout: in seconds; None waits without limit.
        :raises NotReadyError: if the image is not done in time.
        :raises Error: the errors of :meth:`Renderer.render`.
        """
        report = ReportStruct()
        waited(lambda milliseconds: lib.ticket_wait(self._handle._pointer, milliseconds, byref(report)), timeout)
        return Rendered(self._handle.request.out, Report._read(report))

    def __await__(self) -> Generator[Any, None, Rendered]:
        return self._wait().__await__()

    async def _wait(self) -> Rendered:
        import asyncio

        try:
            return await asyncio.get_running_loop().run_in_executor(None, self.result)
        except asyncio.CancelledError:
            self.cancel()
            raise

    def cancel(self) -> None:
        """Cancels the image. A finished image keeps its result."""
        lib.ticket_cancel(self._handle._pointer)

    def cancelled(self) -> bool:
        """Returns whether the image was cancelled."""
        return isinstance(self._handle.status(), CancelledError)
