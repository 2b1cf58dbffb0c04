"""Renderers, and the results that they return."""

from ctypes import byref
from dataclasses import dataclass
from typing import NamedTuple, Optional

import numpy

from . import _library as lib
from ._effects import Mask
from ._pixels import CHANNELS, SAMPLES, image, rect
from ._transitions import FrameRequest

BACKENDS = ["auto", "cpu", "gpu", "exact"]


@dataclass(frozen=True)
class Report:
    """A report on how an image was rendered. Times are in milliseconds. ``gpu_ms`` is None if the GPU did not measure its
    time."""

    backend: str
    device: Optional[str]
    reason: str
    warning: Optional[str]
    error_bound: float
    passes: int
    upload_ms: float
    blur_ms: float
    readback_ms: float
    gpu_ms: Optional[float]

    @classmethod
    def _read(cls, report):
        def text(field):
            return field.decode("utf-8", "replace")

        return cls(
            BACKENDS[report.backend], text(report.device) or None, text(report.reason), text(report.warning) or None,
            report.error_bound, report.passes, report.upload_ms, report.blur_ms, report.readback_ms,
            report.gpu_ms if report.gpu_ms >= 0 else None)


class Rendered(NamedTuple):
    """The rendered array and its report."""

    image: numpy.ndarray
    report: Report


class Cancellation(lib.Handle):
    """Cancels work from another thread. A cancellation cannot be reset."""

    def __init__(self):
        self._own(lib.cancellation_create, lib.cancellation_destroy)

    def cancel(self):
        """Cancels the work that uses this object. The work soon ends with CancelledError."""
        lib.cancellation_cancel(self._pointer)


class Request:
    """The arguments of a render call as C structs. The request also refers to the Python objects, so that the memory to
    which the structs point stays valid."""

    def __init__(self, picture, effect, out, region, mask, channels, alpha, error_budget, cancellation):
        if mask is not None and not isinstance(mask, Mask):
            mask = Mask(mask)
        if out is None:
            out = effect.target(picture, region=region, channels=channels, alpha=alpha)
        self.out = out
        self.source = image(picture, channels, alpha)
        self.target = image(out, "bgra" if channels == "bgra" else None, alpha, writable=True, name="out")
        self.options = lib.RenderOptions(
            region=rect(region), mask=mask and mask._pointer, cancellation=cancellation and cancellation._pointer,
            error_budget=error_budget)
        self.effect = effect._pointer
        self._held = (picture, effect, mask, cancellation)


class Renderer(lib.Handle):
    """Renders effects. Create one renderer and reuse it.

    :param backend: "auto", "cpu", "gpu" or "exact".
    :param device: selects a GPU by its index, its render node, its PCI path or a part of its name. This GPU is then
        required.
    :param threads: the number of CPU threads; 0 for as many threads as there are processors.
    :raises NoDeviceError: if a GPU is required and cannot be opened.
    """

    def __init__(self, backend="auto", *, device=None, threads=0):
        options = lib.RendererOptions(
            backend=lib.constant(BACKENDS, backend, "backend"), threads=threads, device=device and device.encode())
        self._own(lib.renderer_create, lib.renderer_destroy, byref(options))

    def prepare(self, channels="rgba", dtype=numpy.uint8):
        """Does the preparations of the backend "auto" now instead of during a later call: opens a GPU, and measures the
        speed of the GPU and of the CPU."""
        lib.renderer_prepare(
            self._pointer, lib.constant(CHANNELS, channels, "channels"), SAMPLES.index(numpy.dtype(dtype)))

    def render(
        self, picture, effect, *, out=None, region=None, mask=None, channels=None, alpha="straight", error_budget=0.0,
        cancellation=None,
    ):
        """Renders an effect on an array and returns when the result is complete. Other Python threads run in the meantime.

        Arrays have the shape (height, width, channels) with 1 to 4 channels (grey, grey with alpha, RGB, RGBA), or (height,
        width). Their type is uint8, uint16, float16 or float32. There may be gaps between rows, as in slices.

        :param out: the array to write to; by default a new array. It may be the picture itself if the region is the whole
            picture.
        :param region: x, y, width and height of the rectangle to compute, which may extend outside the picture.
        :param mask: a :class:`Mask` or a picture, for effects that need one.
        :param channels: "bgra" if the four channels are in this order; by default they are in the order RGBA.
        :param alpha: "straight" or "premultiplied", for the picture and the result.
        :raises Error: the exception is one of the subclasses of Error. The content of ``out`` is then undefined.
        """
        request = Request(picture, effect, out, region, mask, channels, alpha, error_budget, cancellation)
        report = lib.ReportStruct()
        lib.render(
            self._pointer, request.effect, byref(request.source), byref(request.target), byref(request.options),
            byref(report))
        return Rendered(request.out, Report._read(report))

    def transition(
        self, a, b, transition, time, *, out=None, region=None, mask=None, shading=None, backside=None, channels=None,
        alpha="straight", cancellation=None,
    ):
        """Renders one frame of a transition between two arrays and returns when it is complete. Other Python threads run in
        the meantime.

        The arrays are those of :meth:`render`. They have the same type, and may differ in size and in their channels. Both
        lie with their top left corners at the origin.

        :param a: the picture at time 0.
        :param b: the picture at time 1.
        :param transition: a :class:`Transition`.
        :param time: from 0 to 1.
        :param out: the array to write to; by default a new array. It must not share memory with a picture.
        :param region: x, y, width and height of the rectangle to compute; by default the smallest rectangle that contains
            both pictures. The frame is transparent outside them.
        :param mask: a :class:`Mask` or a picture, for "disintegrate-with-mask".
        :param shading: a picture of a shaded sphere, for transitions that can use one.
        :param backside: a picture of the back of a page, for page curls.
        :param channels: "bgra" if the pictures with four channels are in this order.
        :param alpha: "straight" or "premultiplied", for all arrays.
        :raises Error: the exception is one of the subclasses of Error. The content of ``out`` is then undefined.
        """
        request = FrameRequest(
            transition, a, b, out, region, mask, shading, backside, channels, alpha, cancellation)
        report = lib.ReportStruct()
        lib.render_transition(
            self._pointer, request.transition, time, byref(request.source), byref(request.target),
            byref(request.output), byref(request.options), byref(report))
        return Rendered(request.out, Report._read(report))
