"""Functions that need no objects: they share renderers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, Optional, Tuple, Union, overload

from ._effects import Effect, gaussian, with_parameters
from ._errors import PictureWarning, warn
from ._inputs import Output, Source, mask_of
from ._keywords import options_of, suggesting
from ._once import Once
from ._overlaps import check_out
from ._parameters import created
from ._pixels import image
from ._rects import Done, Edges, Rects, rect_list, render_rects
from ._renderer import Renderer
from ._threads import resolved
from ._transitions import FrameRequest, Transition, transitions
from ._types import Alpha, Array, Backend, Channels, Edge, Picture, RectLike, Shared, Sigma, Tensor
from ._types import Value as ParameterValue

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._masks import Mask
    from ._options import BlurOptions, MaskLike


def _renderer(key: Tuple[Backend, int]) -> Renderer:
    backend, threads = key
    return Renderer(backend, threads=threads)


_renderers = Once(_renderer)


def shared_renderer(backend: Backend = "cpu", threads: Optional[int] = None) -> Renderer:
    """Returns the renderer that all functions share for a backend and a number of threads."""
    return _renderers((backend, resolved(threads)))


@overload
def blur(image: Shared, sigma: Sigma, **options: Unpack[BlurOptions]) -> Array: ...


@overload
def blur(image: Tensor, sigma: Sigma, **options: Unpack[BlurOptions]) -> Tensor: ...


@suggesting
def blur(
    image: Picture, sigma: Sigma, *, rects: Optional[Rects] = None, feather: float = 0, ellipse: bool = False,
    invert_rects: bool = False, mask: MaskLike = None, region: Optional[RectLike] = None, edge: Edge = "clamp",
    dither: Optional[bool] = None, linear: bool = False, alpha: Optional[Alpha] = None,
    channels: Optional[Channels] = None, axis: Optional[int] = None, out: Optional[Picture] = None,
    threads: Optional[int] = None, backend: Backend = "cpu",
) -> Any:
    """Blurs a picture with a Gaussian and returns the result as an array of the same shape and type.

    The picture has the shape (height, width) or (height, width, channels) with 1 to 4 channels: grey, grey with alpha, RGB
    (or BGR), RGBA. Its type is uint8, uint16, float16, float32 or float64. float64 is computed as float32. Arrays whose
    pixels lie side by side are read in place; others (flipped, every other pixel, channels first, float64, a foreign byte
    order) are copied. :class:`Renderer` never copies. The result has the machine's byte order.

    :param image: an array, or an object with ``__array_interface__`` such as a Pillow image, ``__dlpack__`` on the CPU or
        the buffer protocol. The result for a tensor, of PyTorch or JAX for example, is a tensor of the same kind, also of
        the type bfloat16, which is computed as float32.
    :param sigma: the standard deviation in pixels, 0 to 1000, or a pair of them, along rows (x) and along columns (y).
    :param rects: the rectangles to blur, such as faces, each x, y, width and height; None for the whole picture. Fractions are
        rounded outwards. A rectangle that is partly outside the picture is cropped to it, with a :class:`PictureWarning`. One
        that lies outside, or is empty, is an error, because it hides nothing. The effect must keep the channels.
        With a mask, it lies in each rectangle. With an empty list, nothing is blurred, or with ``invert_rects`` everything.
    :param feather: the width in pixels, 0 to 4096, over which the effect fades out beside the rectangles.
    :param ellipse: whether the ellipses that fill the rectangles take their place.
    :param invert_rects: whether to blur what is outside the rectangles, and to keep what is inside.
    :param mask: a :class:`Mask` or a picture of any size, which gives the strength of the blur at each pixel: its alpha or, if
        it has none, its luma.
    :param region: crops the result to a rectangle, which may extend outside the picture; not together with ``rects``.
    :param edge: what the blur reads outside the picture: "clamp", "mirror", "reflect-101", "repeat" or "clear", which adds
        alpha, except to a blur that copies the picture, as with a sigma below 0.2.
    :param dither: whether to dither; None for off.
    :param linear: treats the values as sRGB and blurs the linear light that they encode.
    :param alpha: "straight" (the default) or "premultiplied", for the picture and the result.
    :param channels: the order of the channels, such as "bgra"; by default that of their number.
    :param axis: the axis of the channels, such as 0 for (channels, height, width); the last one by default.
    :param out: an array of the shape and type of the result, also the picture itself. It is returned.
    :param threads: 1 to 256; by default :func:`frost.get_threads`.
    :param backend: "cpu", "auto", which uses a hardware GPU if it was measured to be faster, "gpu" or "exact", the slow
        definition. The default is the same in the whole package: the results do not depend on the machine, and no process
        opens a GPU unasked.
    :raises ParameterError: if sigma is out of range.
    :raises PixelError: if the picture is empty, or if ``out`` has another shape or type or, without ``rects``,
        overlaps the picture.
    :raises LayoutError: if the shape or type is not one of the above, or ``out`` is read-only.
    :raises TypeError: if the picture is not an array and does not share its memory as one.

    >>> frost.blur(numpy.eye(5), 1.0)[2].round(2).tolist()
    [0.12, 0.22, 0.28, 0.22, 0.12]
    """
    made = gaussian(sigma, edge=edge, dither=dither, linear=linear)
    edges = Edges(feather, ellipse, invert_rects)
    return _render(image, made, out, rects, edges, region, mask, channels, alpha, axis, threads, backend)


@overload
def effect(
    image: Shared, effect: Union[str, Effect], *, rects: Optional[Rects] = None, feather: float = 0, ellipse: bool = False,
    invert_rects: bool = False, mask: MaskLike = None, region: Optional[RectLike] = None, edge: Optional[Edge] = None,
    dither: Optional[bool] = None, linear: bool = False, alpha: Optional[Alpha] = None, channels: Optional[Channels] = None,
    axis: Optional[int] = None, out: Optional[Picture] = None, threads: Optional[int] = None, backend: Backend = "cpu",
    **parameters: ParameterValue,
) -> Array: ...


@overload
def effect(
    image: Tensor, effect: Union[str, Effect], *, rects: Optional[Rects] = None, feather: float = 0, ellipse: bool = False,
    invert_rects: bool = False, mask: MaskLike = None, region: Optional[RectLike] = None, edge: Optional[Edge] = None,
    dither: Optional[bool] = None, linear: bool = False, alpha: Optional[Alpha] = None, channels: Optional[Channels] = None,
    axis: Optional[int] = None, out: Optional[Picture] = None, threads: Optional[int] = None, backend: Backend = "cpu",
    **parameters: ParameterValue,
) -> Tensor: ...


def effect(
    image: Picture, effect: Union[str, Effect], *, rects: Optional[Rects] = None, feather: float = 0, ellipse: bool = False,
    invert_rects: bool = False, mask: MaskLike = None, region: Optional[RectLike] = None, edge: Optional[Edge] = None,
    dither: Optional[bool] = None, linear: bool = False, alpha: Optional[Alpha] = None, channels: Optional[Channels] = None,
    axis: Optional[int] = None, out: Optional[Picture] = None, threads: Optional[int] = None, backend: Backend = "cpu",
    **parameters: ParameterValue,
) -> Any:
    """Renders an effect on a picture and returns the result as an array of the same type.

    Pictures, options and errors are those of :func:`blur`.

    :param effect: the name of an effect, or an :class:`Effect`. :func:`effects` lists the names.
    :param rects: as in :func:`blur`. Bands, circles, gradients, lenses and content lie in each rectangle. "redact" refuses
        an empty list, and an :class:`Effect` must have no shapes of its own.
    :param feather: as in :func:`blur`, like ``ellipse`` and ``invert_rects``; not for "redact" and glass.
    :param mask: as in :func:`blur`. Only "variable" and "ci-masked-variable" need one; "redact" and effects with a mask of
        their own take none.
    :param edge: as in :func:`blur`, for effects that have this parameter.
    :param dither: as in :class:`Effect`, and so are ``linear`` and the parameters. They and ``edge`` belong to a name.
    :raises ParameterError: if a name is unknown or a value is out of range.

    >>> frost.effect(numpy.zeros((20, 30, 3), numpy.uint8), "material-thin-dark", scale=2).shape
    (20, 30, 3)
    """
    made = with_parameters(effect, edge, dither, linear, parameters, _EFFECT_OPTIONS)
    edges = Edges(feather, ellipse, invert_rects)
    return _render(image, made, out, rects, edges, region, mask, channels, alpha, axis, threads, backend)


_EFFECT_OPTIONS = options_of(effect)


@overload
def transition(
    a: Shared, b: Shared, transition: Union[str, Transition], time: float, *,
    mask: MaskLike = None, shading: Optional[Picture] = None, backside: Optional[Picture] = None,
    region: Optional[RectLike] = None, linear: bool = False, alpha: Optional[Alpha] = None,
    channels: Optional[Channels] = None, axis: Optional[int] = None, out: Optional[Picture] = None,
    threads: Optional[int] = None, backend: Backend = "cpu", **parameters: Any,
) -> Array: ...


@overload
def transition(
    a: Tensor, b: Tensor, transition: Union[str, Transition], time: float, *,
    mask: MaskLike = None, shading: Optional[Picture] = None, backside: Optional[Picture] = None,
    region: Optional[RectLike] = None, linear: bool = False, alpha: Optional[Alpha] = None,
    channels: Optional[Channels] = None, axis: Optional[int] = None, out: Optional[Picture] = None,
    threads: Optional[int] = None, backend: Backend = "cpu", **parameters: Any,
) -> Tensor: ...


def transition(
    a: Picture, b: Picture, transition: Union[str, Transition], time: float, *,
    mask: MaskLike = None, shading: Optional[Picture] = None, backside: Optional[Picture] = None,
    region: Optional[RectLike] = None, linear: bool = False, alpha: Optional[Alpha] = None,
    channels: Optional[Channels] = None, axis: Optional[int] = None, out: Optional[Picture] = None,
    threads: Optional[int] = None, backend: Backend = "cpu", **parameters: Any,
) -> Any:
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
        name = transition
        transition = created(
            lambda: Transition(name, linear=linear, **parameters), "transition", name, parameters, transitions,
            _TRANSITION_OPTIONS)
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
        first.array, second.array, transition, time, out=output.direct, region=region, mask=mask_of(mask),
        channels=channels, alpha=alpha, **extras).image
    return output.finished(result)


_TRANSITION_OPTIONS = options_of(transition)


def _render(
    picture: Picture, effect: Effect, out: Optional[Picture], rects: Optional[Rects], edges: Edges,
    region: Optional[RectLike], mask: MaskLike, channels: Optional[Channels], alpha: Optional[Alpha], axis: Optional[int],
    threads: Optional[int], backend: Backend,
) -> Any:
    edges.check(rects)
    if rects is not None and region is not None:
        raise TypeError("rects and region cannot be combined: region crops the result")
    source, strengths = Source(picture, axis), mask_of(mask)
    if rects is None:
        check_out(picture, out)
    output = Output(out, source, lambda: (
        # With rectangles, the shape of the result is that of the picture, also for an effect that grows beyond it.
        effect._described(source.array, region, channels, alpha) if rects is None else image(source.array, channels, alpha)))
    result, warning = rendered(
        shared_renderer(backend, threads), source, effect, output.direct, rects, edges, region, strengths, channels, alpha)
    if warning:
        warn(warning, PictureWarning)
    return output.finished(result)


def rendered(
    renderer: Renderer, source: Source, effect: Effect, out: Optional[Array], rects: Optional[Rects], edges: Edges,
    region: Optional[RectLike], mask: Optional[Mask], channels: Optional[Channels], alpha: Optional[Alpha],
) -> Done:
    """Renders an effect on a picture or on rectangles of it. The result is ``out``, if it was used."""
    if rects is None:
        return Done(renderer.render(
            source.array, effect, out=out, region=region, mask=mask, channels=channels, alpha=alpha).image, "")
    return render_rects(renderer, source, effect, rect_list(rects), channels, alpha, edges, mask, out)
