"""Functions that need no objects: they share renderers."""

from __future__ import annotations

from typing import Any, Dict, Optional, Tuple, Union

from ._effects import Effect, gaussian, with_parameters
from ._inputs import Output, Source
from ._masks import Mask
from ._once import Once
from ._renderer import Renderer
from ._threads import resolved
from ._transitions import FrameRequest, Transition
from ._types import Alpha, Array, Backend, Channels, Edge, Picture, RectLike
from ._types import Value as ParameterValue


def _renderer(key: Tuple[Backend, int]) -> Renderer:
    backend, threads = key
    return Renderer(backend, threads=threads)


_renderers = Once(_renderer)


def shared_renderer(backend: Backend = "cpu", threads: Optional[int] = None) -> Renderer:
    """Returns the renderer that all functions share for a backend and a number of threads."""
    return _renderers((backend, resolved(threads)))


def blur(
    image: Picture, sigma: float, *, edge: Edge = "clamp", alpha: Optional[Alpha] = None,
    channels: Optional[Channels] = None, axis: Optional[int] = None, out: Optional[Picture] = None,
    threads: Optional[int] = None, backend: Backend = "cpu",
) -> Array:
    """Blurs a picture with a Gaussian and returns the result as an array of the same shape and type.

    The picture has the shape (height, width) or (height, width, channels) with 1 to 4 channels: grey, grey with alpha, RGB
    (or BGR), RGBA. Its type is uint8, uint16, float16, float32 or float64. float64 is computed as float32. Arrays whose
    pixels lie side by side are read in place; others (flipped, every other pixel, channels first, float64, a foreign byte
    order) are copied. :class:`Renderer` never copies. The result has the machine's byte order.

    :param image: an array, or an object with ``__array_interface__`` such as a Pillow image, ``__dlpack__`` on the CPU or
        the buffer protocol.
    :param sigma: the standard deviation in pixels, 0 to 1000.
    :param edge: what the blur reads outside the picture: "clamp", "mirror", "repeat" or "clear", which gives a result with
        alpha.
    :param alpha: "straight" (the default) or "premultiplied", for the picture and the result.
    :param channels: the order of the channels, such as "bgra"; by default that of their number.
    :param axis: the axis of the channels, such as 0 for (channels, height, width); the last one by default.
    :param out: an array of the shape and type of the result, also the picture itself.
    :param threads: 1 to 256; by default :func:`frost.get_threads`.
    :param backend: "cpu", "auto", "gpu" or "exact".
    :raises ParameterError: if sigma is out of range.
    :raises PixelError: if the picture is empty, or if ``out`` has another shape or type or overlaps the picture.
    :raises LayoutError: if the shape or type is not one of the above, or ``out`` is read-only.
    :raises TypeError: if the picture is not an array and does not share its memory as one.

    >>> frost.blur(numpy.eye(5), 1.0)[2].round(2).tolist()
    [0.12, 0.22, 0.28, 0.22, 0.12]
    """
    return _render(image, gaussian(sigma, edge=edge), out, None, None, channels, alpha, axis, threads, backend)


def effect(
    image: Picture, effect: Union[str, Effect], /, *, mask: Union[Mask, Picture, None] = None,
    region: Optional[RectLike] = None, dither: Optional[bool] = None, linear: bool = False,
    alpha: Optional[Alpha] = None, channels: Optional[Channels] = None, axis: Optional[int] = None,
    out: Optional[Picture] = None, threads: Optional[int] = None, backend: Backend = "cpu", **parameters: ParameterValue,
) -> Array:
    """Renders an effect on a picture and returns the result as an array of the same type.

    Pictures, ``out`` and errors are those of :func:`blur`.

    :param effect: the name of an effect, or an :class:`Effect`. :func:`effects` lists the names.
    :param mask: a :class:`Mask` or a picture of any size, for effects that need one.
    :param region: x, y, width and height of the rectangle to compute, which may extend outside the picture.
    :param dither: as in :class:`Effect`, and so are ``linear`` and the parameters. They belong to a name.
    :raises ParameterError: if a name is unknown or a value is out of range.

    >>> frost.effect(numpy.zeros((20, 30, 3), numpy.uint8), "material-thin-dark", scale=2).shape
    (20, 30, 3)
    """
    made = with_parameters(effect, dither, linear, parameters)
    return _render(image, made, out, region, mask, channels, alpha, axis, threads, backend)


def transition(
    a: Picture, b: Picture, transition: Union[str, Transition], time: float, /, *,
    mask: Union[Mask, Picture, None] = None, shading: Optional[Picture] = None, backside: Optional[Picture] = None,
    region: Optional[RectLike] = None, linear: bool = False, alpha: Optional[Alpha] = None,
    channels: Optional[Channels] = None, axis: Optional[int] = None, out: Optional[Picture] = None,
    threads: Optional[int] = None, backend: Backend = "cpu", **parameters: Any,
) -> Array:
    """Renders one frame of a transition between two pictures and returns it as an array.

    Pictures, ``out`` and errors are those of :func:`blur`. The pictures have the same type and may differ in size; the frame
    then contains both, and is transparent outside them.

    :param transition: the name of a transition, or a :class:`Transition`. :func:`transitions` lists the names.
    :param time: from 0, which gives ``a``, to 1, which gives ``b``.
    :param mask: for "disintegrate-with-mask". ``shading`` and ``backside`` are as in :meth:`Renderer.transition`.
    :param parameters: those of :class:`Transition`. They belong to a name.
    :raises ParameterError: if a name is unknown or a value is out of range.

    >>> black, white = numpy.zeros((20, 30)), numpy.ones((20, 30))
    >>> frost.transition(black, white, "dissolve", 0.25)[0, 0].item()
    0.25
    """
    if isinstance(transition, str):
        transition = Transition(transition, linear=linear, **parameters)
    elif parameters or linear:
        raise TypeError("linear and parameters belong to the name of a transition; a Transition already has them")
    first, second = Source(a, axis, "a"), Source(b, axis, "b")
    first.is_double = first.is_double or second.is_double
    extras: Dict[str, Any] = {
        name: None if picture is None else Source(picture, axis, name).array
        for name, picture in (("shading", shading), ("backside", backside))}
    output = Output(out, first, lambda: FrameRequest(
        transition, first.array, second.array, region, None, channels=channels, alpha=alpha, cancellation=None, **extras
    ).described())
    result = shared_renderer(backend, threads).transition(
        first.array, second.array, transition, time, out=output.direct, region=region, mask=_mask(mask),
        channels=channels, alpha=alpha, **extras).image
    return output.finished(result)


def _mask(mask: Union[Mask, Picture, None]) -> Optional[Mask]:
    return mask if mask is None or isinstance(mask, Mask) else Mask(Source(mask, None, "mask").array)


def _render(
    picture: Picture, effect: Effect, out: Optional[Picture], region: Optional[RectLike],
    mask: Union[Mask, Picture, None], channels: Optional[Channels], alpha: Optional[Alpha], axis: Optional[int],
    threads: Optional[int], backend: Backend,
) -> Array:
    source = Source(picture, axis)
    output = Output(out, source, lambda: effect._described(source.array, region, channels, alpha))
    result = shared_renderer(backend, threads).render(
        source.array, effect, out=output.direct, region=region, mask=_mask(mask), channels=channels, alpha=alpha).image
    return output.finished(result)
