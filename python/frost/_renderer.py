"""Renderers."""

from __future__ import annotations

import math
from ctypes import byref
from typing import Any, Optional, Sequence, Union

import numpy
from numpy.typing import DTypeLike

from . import _library as lib
from ._arguments import constant, elements, instance, number, optional_rect, text, whole
from ._backdrops import Panel
from ._effects import Effect, as_effect
from ._errors import LayoutError, ParameterError
from ._handles import Owned, Resource
from ._interrupts import interruptible
from ._keywords import suggesting
from ._masks import Mask, Shape, as_mask, shape_structs
from ._pixels import SAMPLES, Exported, empty, image, view
from ._reports import Cancellation, Rendered, Report, optional_cancellation
from ._structs import ImageStruct, RendererOptions, RenderOptions, ReportStruct
from ._threads import checked, resolved
from ._transitions import FrameRequest, Transition
from ._types import BACKENDS, CHANNELS, Alpha, Array, Backend, Channels, Picture, RectLike

_LARGEST = 2**63 - 1


class Request:
    """The arguments of a render call as C structs. The request also refers to the Python objects, so that the memory to
    which the structs point stays valid."""

    def __init__(
        self, picture: Picture, effect: Union[Effect, str], out: Optional[Picture], region: Optional[RectLike],
        mask: Union[Mask, Picture, None], channels: Optional[Channels], alpha: Optional[Alpha], error_budget: float = 0.0,
        cancellation: Optional[Cancellation] = None,
    ) -> None:
        made = as_effect(effect) if mask is None else as_effect(effect)._masked()
        array = view(picture)
        self.source: ImageStruct = image(array, channels, alpha)
        self.out: Array = made.target(array, region=region, channels=channels, alpha=alpha) if out is None else view(out, "out")
        self.target: ImageStruct = image(self.out, "bgra" if channels == "bgra" else None, alpha, writable=True, name="out")
        masked = as_mask(mask)
        owned = (masked and masked._pointer, optional_cancellation(cancellation))
        self.options: RenderOptions = RenderOptions(
            region=optional_rect(region), mask=owned[0], cancellation=owned[1],
            error_budget=number(error_budget, "error_budget"))
        self.effect: Owned = made._pointer
        self._kept = array, owned


class Renderer(Resource):
    """Renders effects. Create one renderer and reuse it.

    A renderer pickles as its arguments: unpickling opens another renderer. Renderers are equal only to themselves.

    :param backend: "cpu", "auto", "gpu" or "exact": see :func:`blur`.
    :param device: with "auto" or "gpu", selects a GPU by its index, its render node, its PCI path or a part of its name. This
        GPU is then required.
    :param threads: the number of CPU threads, 1 to 256; None for :func:`frost.get_threads`.
    :param gpu_timeout: the number of seconds without progress after which the GPU counts as blocked, from 0.001 to 86400;
        None for the environment variable FROST_GPU_TIMEOUT, or else 30.
    :raises NoDeviceError: if a GPU is required and cannot be opened.

    >>> with frost.Renderer("cpu", threads=2) as renderer:
    ...     image, report = renderer.render(numpy.zeros((20, 30, 3), numpy.uint8), frost.gaussian(3))
    >>> report.backend
    'cpu'
    >>> renderer
    <frost.Renderer('cpu', threads=2), closed>
    """

    @suggesting
    def __init__(
        self, backend: Backend = "cpu", *, device: Optional[str] = None, threads: Optional[int] = None,
        gpu_timeout: Optional[float] = None,
    ) -> None:
        if gpu_timeout is not None and number(gpu_timeout, "gpu_timeout") == 0:
            # In the struct, 0 stands for the default.
            raise ParameterError("gpu_timeout 0 is out of range (allowed: 0.001 to 86400)")
        options = RendererOptions(
            backend=constant(BACKENDS, backend, "backend"), threads=resolved(threads),
            device=None if device is None else text(device, "device"),
            gpu_timeout=0.0 if gpu_timeout is None else number(gpu_timeout, "gpu_timeout"))
        self._own(lib.renderer_create, lib.renderer_destroy, byref(options))
        self._configuration = backend, device, None if threads is None else checked(threads), gpu_timeout

    @property
    def _is_exact(self) -> bool:
        return self._configuration[0] == "exact"

    def __repr__(self) -> str:
        backend, *options = self._configuration
        words = "".join(
            f", {name}={value!r}" for name, value in zip(("device", "threads", "gpu_timeout"), options)
            if value is not None)
        call = f"frost.Renderer({backend!r}{words})"
        return f"<{call}, closed>" if self.closed else f"<{call}>"

    def __reduce__(self) -> Any:
        return _configured, self._configuration

    def prepare(self, channels: Channels = "rgba", dtype: DTypeLike = numpy.uint8) -> None:
        """Does the preparations of the backend "auto" now instead of during a later call: opens a GPU, and compiles the
        programs that most blurs need."""
        lib.renderer_prepare(self._pointer, constant(CHANNELS, channels, "channels"), SAMPLES.index(_sample(dtype)))

    def empty(self, shape: Sequence[int], dtype: DTypeLike = numpy.uint8) -> Array:
        """Returns an array with undefined content, in memory that the renderer's GPU reads and writes by itself, if it can.

        Pictures in such arrays, and in slices of them, are transferred without a copy by the CPU if they are uint8 with four
        channels in the order RGBA. The memory cannot be swapped out: allocate it once for many pictures. It is freed with the
        last array that refers to it, which may be after the renderer is closed. Without a hardware GPU the memory is ordinary.

        :raises LayoutError: if the type is not one of those of pictures, or a side is below 0.
        :raises ParameterError: if the array has more than 4 GiB.

        >>> frost.Renderer("cpu").empty((20, 30, 4)).shape
        (20, 30, 4)
        """
        # Memory with undefined content must not be taken for Python's objects.
        sample = _sample(dtype)
        sides = tuple(whole(side, "a side of shape", -_LARGEST, _LARGEST) for side in elements(shape, "shape"))
        if min(sides, default=0) < 0:
            raise LayoutError(f"shape cannot be {sides}: a side is below 0")
        # ctypes would keep the lower 64 bits of a larger number.
        count = min(math.prod(sides) * sample.itemsize, _LARGEST)
        owned = Owned.made(lib.buffer_create, lib.buffer_destroy, self._pointer, max(1, count))
        interface = {
            "version": 3, "shape": sides, "typestr": sample.str, "data": (lib.buffer_bytes(owned), False)}
        return numpy.asarray(Exported(owned, interface))

    @suggesting
    def render(
        self, picture: Picture, effect: Union[Effect, str], *, out: Optional[Picture] = None,
        region: Optional[RectLike] = None, mask: Union[Mask, Picture, None] = None, channels: Optional[Channels] = None,
        alpha: Optional[Alpha] = None, error_budget: float = 0.0, cancellation: Optional[Cancellation] = None,
    ) -> Rendered:
        """Renders an effect on an array and returns when the result is complete. Other Python threads run in the meantime.

        Arrays have the shape (height, width, channels) with 1 to 4 channels (grey, grey with alpha, RGB, RGBA), or (height,
        width). Their type is uint8, uint16, float16 or float32. There may be gaps between rows, as in slices. Arrays are
        never copied; :func:`frost.effect` also takes arrays that need a copy.

        :param effect: an :class:`Effect` or the name of one.
        :param out: the array to write to; by default a new array. It may be the picture itself if the region is the whole
            picture.
        :param region: x, y, width and height of the rectangle to compute, which may extend outside the picture.
        :param mask: a :class:`Mask` or a picture of any size, which gives the strength of the effect at each pixel.
        :param channels: "bgra" if the four channels are in this order; by default they are in the order RGBA.
        :param alpha: "straight" (the default) or "premultiplied", for the picture and the result.
        :param error_budget: the maximum difference from the exact effect before rounding, in 1/255 of full scale, 0.002 to
            1; 0 for a default that suits the type.
        :raises LayoutError: if an array needs a copy, or ``out`` is read-only.
        :raises PixelError: if an array is empty, or ``out`` has another size or overlaps the picture.
        :raises Error: the exception is one of the subclasses of Error. The content of ``out`` is then undefined.

        >>> picture = numpy.zeros((20, 30, 3), numpy.uint8)
        >>> frost.Renderer("cpu").render(picture, "light", region=(5, 5, 10, 8)).image.shape
        (8, 10, 3)
        """
        return self._rendered(Request(picture, effect, out, region, mask, channels, alpha, error_budget, cancellation))

    def _rendered(self, request: Request) -> Rendered:
        report = ReportStruct()
        interruptible(
            lib.render, request.target, request.options, self._pointer, request.effect, byref(request.source),
            byref(request.target), byref(request.options), byref(report))
        return Rendered(request.out, Report._read(report))

    def _rendered_within(self, request: Request, shapes: Sequence[Shape]) -> None:
        interruptible(
            lib.render_shapes, request.target, request.options, self._pointer, request.effect, shape_structs(shapes), len(shapes),
            byref(request.source), byref(request.target), byref(request.options), byref(ReportStruct()))

    @suggesting
    def render_panel(
        self, picture: Picture, panel: Panel, out: Picture, *, channels: Optional[Channels] = None,
        alpha: Optional[Alpha] = None, error_budget: float = 0.0, cancellation: Optional[Cancellation] = None,
    ) -> Optional[Report]:
        """Draws a single :class:`Panel` into an array of the picture's size. Only the panel's pixels are written.

        :returns: None if the panel has no pixel in the picture. Nothing is drawn then.

        >>> picture = numpy.zeros((40, 60, 3), numpy.uint8)
        >>> screen = picture.copy()
        >>> frost.Renderer("cpu").render_panel(picture, frost.Panel((10, 10, 20, 20), "light"), screen).backend
        'cpu'
        """
        struct, kept = instance(panel, Panel, "panel")._struct()
        request = Request(
            picture, panel._effect(), view(out, "out"), None, None, channels, alpha, error_budget, cancellation)
        report = ReportStruct()
        interruptible(
            lib.render_panel, request.target, request.options, self._pointer, byref(struct), byref(request.source), byref(request.target), byref(request.options),
            byref(report))
        del kept
        # Nothing is rendered by "auto", so this constant stands for a panel that was not drawn.
        return Report._read(report) if report.backend else None

    @suggesting
    def transition(
        self, a: Picture, b: Picture, transition: Union[Transition, str], time: float, *, out: Optional[Picture] = None,
        region: Optional[RectLike] = None, mask: Union[Mask, Picture, None] = None, shading: Optional[Picture] = None,
        backside: Optional[Picture] = None, channels: Optional[Channels] = None, alpha: Optional[Alpha] = None,
        cancellation: Optional[Cancellation] = None,
    ) -> Rendered:
        """Renders one frame of a transition between two arrays and returns when it is complete. Other Python threads run in
        the meantime.

        The arrays are those of :meth:`render`. They have the same type, and may differ in size and in their channels. Both
        lie with their top left corners at the origin.

        :param a: the picture at time 0.
        :param b: the picture at time 1.
        :param transition: a :class:`Transition` or the name of one.
        :param time: from 0 to 1.
        :param out: the array to write to; by default a new array. It must not share memory with a picture.
        :param region: x, y, width and height of the rectangle to compute; by default the smallest rectangle that contains
            both pictures. The frame is transparent outside them.
        :param mask: a :class:`Mask` or a picture, for "disintegrate-with-mask".
        :param shading: a picture of a shaded sphere, for transitions that can use one.
        :param backside: a picture of the back of a page, for page curls.
        :param channels: "bgra" if the pictures with four channels are in this order.
        :param alpha: "straight" (the default) or "premultiplied", for all arrays.
        :raises Error: the exception is one of the subclasses of Error. The content of ``out`` is then undefined.

        >>> black, white = numpy.zeros((20, 30), numpy.uint8), numpy.full((20, 30), 255, numpy.uint8)
        >>> int(frost.Renderer("cpu").transition(black, white, "dissolve", 0.2).image[0, 0])
        51
        """
        request = FrameRequest(
            transition, a, b, region, mask, shading, backside, channels, alpha, cancellation)
        array = empty(request.described()) if out is None else view(out, "out")
        output = request.struct(array, "out", writable=True)
        report = ReportStruct()
        interruptible(
            lib.render_transition, output, request.options, self._pointer, request.transition, number(time, "time"),
            byref(request.source), byref(request.target), byref(output), byref(request.options), byref(report))
        return Rendered(array, Report._read(report))


def _sample(dtype: DTypeLike) -> numpy.dtype[Any]:
    """Returns a type that pictures can have."""
    sample = numpy.dtype(dtype)
    if sample not in SAMPLES:
        raise LayoutError(f"dtype cannot be {sample}: expected uint8, uint16, float16 or float32")
    return sample


def _configured(
    backend: Backend, device: Optional[str], threads: Optional[int], gpu_timeout: Optional[float],
) -> Renderer:
    """Creates a renderer from what its pickle contains."""
    return Renderer(backend, device=device, threads=threads, gpu_timeout=gpu_timeout)
