"""Frost's blur with the signatures of SciPy, OpenCV, scikit-image and Kornia: ``from frost.compat import gaussian_filter``.

The functions import none of these libraries. They blur with the Gaussian itself, where those libraries cut it off:
``truncate``, ``radius`` and the size of a kernel are checked, but a kernel of more than one sample is not made smaller by
them. Every channel is a number by itself: none is alpha.

Integers are rounded to the nearest. Floats, and integers of 32 and 64 bits, have the accuracy of Frost's floats: along each axis
a result is within 4/65535 of the distance between the smallest and the largest value of the exact Gaussian, apart from the
rounding to the type of the result. For random pixels the difference is about 1e-5 of this distance. Neither large values nor
a value outside lessen the accuracy.
"""

from __future__ import annotations

import operator
from typing import Any, Dict, List, Optional, Sequence, Tuple, TypeVar, Union, overload

import numpy
from numpy.typing import ArrayLike, DTypeLike, NDArray

from ._arguments import elements, has_elements, number, whole
from ._errors import ArgumentError, LayoutError, ParameterError, PixelError
from ._keywords import suggesting
from ._pixels import view
from ._separable import Axis, blurred
from ._tensors import Tensor as _Tensor
from ._types import Array, Edge, HasDLPack

__all__ = ["GaussianBlur", "gaussian", "gaussian_blur2d", "gaussian_filter"]

_Sample = TypeVar("_Sample", bound=numpy.generic)
_AnyTensor = TypeVar("_AnyTensor", bound=HasDLPack)
_Numbers = Union[float, Sequence[float], Array]

# The names of SciPy and scikit-image.
_MODES: Dict[str, Edge] = {
    "reflect": "mirror", "grid-mirror": "mirror", "constant": "clear", "grid-constant": "clear", "nearest": "clamp",
    "mirror": "reflect-101", "wrap": "repeat", "grid-wrap": "repeat"}
# The numbers of OpenCV: BORDER_CONSTANT and so on.
_BORDERS: Dict[int, Edge] = {0: "clear", 1: "clamp", 2: "mirror", 3: "repeat", 4: "reflect-101"}
_BORDER_ISOLATED = 16
# The names of PyTorch and Kornia.
_PADDINGS: Dict[str, Edge] = {"constant": "clear", "reflect": "reflect-101", "replicate": "clamp", "circular": "repeat"}


@overload
def gaussian_filter(
    input: NDArray[_Sample], sigma: _Numbers, order: Union[int, Sequence[int]] = 0, output: None = None,
    mode: Union[str, Sequence[str]] = "reflect", cval: float = 0.0, truncate: float = 4.0, *,
    radius: Union[None, int, Sequence[int]] = None, axes: Union[None, int, Sequence[int]] = None,
) -> NDArray[_Sample]: ...


@overload
def gaussian_filter(
    input: ArrayLike, sigma: _Numbers, order: Union[int, Sequence[int]] = 0, output: Union[None, Array, DTypeLike] = None,
    mode: Union[str, Sequence[str]] = "reflect", cval: float = 0.0, truncate: float = 4.0, *,
    radius: Union[None, int, Sequence[int]] = None, axes: Union[None, int, Sequence[int]] = None,
) -> Array: ...


@suggesting
def gaussian_filter(
    input: ArrayLike, sigma: _Numbers, order: Union[int, Sequence[int]] = 0, output: Union[None, Array, DTypeLike] = None,
    mode: Union[str, Sequence[str]] = "reflect", cval: float = 0.0, truncate: float = 4.0, *,
    radius: Union[None, int, Sequence[int]] = None, axes: Union[None, int, Sequence[int]] = None,
) -> Array:
    """Blurs an array of any number of dimensions, as ``scipy.ndimage.gaussian_filter`` does.

    Differences by design: the kernel is not cut off, which changes results by up to 1.3e-4 of the range of the values for the
    default ``truncate`` of 4 in two dimensions. Results of integers are rounded to the nearest once, where SciPy drops the
    fraction after each axis, and so returns up to 2 less. float16 is allowed.

    :param input: an array of integers, floats or complex numbers.
    :param sigma: the standard deviation, 0 to 1000, or one for each of ``axes``.
    :param order: 0. Frost computes no derivatives.
    :param output: an array of the shape of ``input`` to write to, which may be ``input`` itself, or a type. For a type of
        floats the results of integers are not rounded.
    :param mode: what lies outside the array: "reflect", "constant", "nearest", "mirror" or "wrap", or one for each of
        ``axes``.
    :param cval: the value outside for the mode "constant". NaN and infinity spread as far as SciPy's kernel reaches.
    :param truncate: above 0. A kernel of one sample, such as for ``radius=0``, leaves an axis as it is.
    :param axes: the axes to blur; all by default.
    :raises ParameterError: if ``order`` is not 0, or if another value is out of range.

    >>> frost.compat.gaussian_filter([0.0, 0.0, 8.0, 0.0, 0.0], 1).round(2).tolist()
    [0.47, 1.94, 3.19, 1.94, 0.47]
    """
    array = numpy.asarray(input)
    indices = _axes(axes, array.ndim)
    count = len(indices)
    if any(_each(order, count, "order")):
        raise ParameterError(
            f"order is {order!r}: frost.compat computes no derivatives; scipy.ndimage.gaussian_filter does")
    whole_axes = [Axis(0.0, "clamp")] * array.ndim
    limit = number(truncate, "truncate")
    for index, each_sigma, each_mode, each_radius in zip(
            indices, _each(sigma, count, "sigma"), _each(mode, count, "mode"), _each(radius, count, "radius")):
        deviation = _sigma(each_sigma)
        reach = limit * deviation + 0.5 if each_radius is None else operator.index(each_radius)
        if not 0 <= reach:
            raise ParameterError(f"the radius of the kernel is {reach} (allowed: 0 and more)")
        whole_axes[index] = Axis(
            deviation if reach >= 1 else 0.0, _named(_MODES, each_mode, "mode"), int(min(reach, 2**31)))
    out = output if isinstance(output, numpy.ndarray) else None
    if out is not None:
        _check_target(out, "output")
    kind: Any = output
    native: numpy.dtype[Any] = array.dtype.newbyteorder("=")
    dtype: numpy.dtype[Any] = native if output is None else numpy.dtype(kind) if out is None else out.dtype
    if out is not None and out.shape != array.shape:
        raise PixelError(f"output has the shape {out.shape}, and input {array.shape}")
    return _numbers(array, whole_axes, dtype, cval, out)


@suggesting
def GaussianBlur(
    src: NDArray[_Sample], ksize: Sequence[int], sigmaX: float, dst: Optional[Array] = None, sigmaY: float = 0,
    borderType: int = 4, hint: int = 0,
) -> NDArray[_Sample]:
    """Blurs a picture, as ``cv2.GaussianBlur`` does. The default border is ``cv2.BORDER_REFLECT_101``.

    Differences by design: ``ksize`` gives sigma where that is 0, and does not cut the kernel off. If ``ksize`` is (0, 0), or
    6 sigmas and wider, results differ from OpenCV's by no more than OpenCV's and Frost's own errors. Frost's is 0.6 of 255 for
    uint8, where results differ by 1 in smooth pictures and by up to 3 in noise of 0 and 255, or more if the two sigmas differ: by
    8 for (0.45, 8), and by 13 for (20, 0.3). For other types they differ by up to 0.2 of 255. Narrower kernels are not Gaussians:
    with a sigma of 0, results for such noise differ by up to 22 for (3, 3), 12 for (5, 5), 6 for (7, 7) and 3 for larger
    ones. A kernel that cuts off more is another blur: (15, 15) with a sigma of 8 differs by 44 beside edges between 0 and 255, and
    by 81 at corners. ``cv2.BORDER_WRAP`` is allowed.

    :param src: an array (height, width) or (height, width, channels), with any number of channels and any type of integers or
        floats.
    :param ksize: the width and height of the kernel, each odd, or 0 to take it from sigma. 1 leaves an axis as it is.
    :param sigmaX: the standard deviation along rows; 0 to take it from ``ksize``: 0.3 ((ksize - 1) / 2 - 1) + 0.8.
    :param dst: an array of the shape and type of ``src`` to write to, which may be ``src`` itself. It is returned. The axis of a
        single channel may be missing in it, as in a new result, and its byte order is free.
    :param sigmaY: the standard deviation along columns; 0 for ``sigmaX``.
    :param borderType: a number such as ``cv2.BORDER_REPLICATE``. ``cv2.BORDER_CONSTANT`` is black.
    :param hint: has no effect.
    :raises ParameterError: if a size is even, or if sigma is neither given nor follows from ``ksize``.

    >>> edge = numpy.array([[0, 0, 0, 200, 200, 200]], numpy.uint8)
    >>> frost.compat.GaussianBlur(edge, (0, 0), 1)[0].tolist()
    [2, 12, 60, 140, 188, 198]
    """
    array = view(src, "src")
    if array.ndim not in (2, 3):
        raise LayoutError(f"src has {array.ndim} dimensions: expected height and width, or height, width and channels")
    if array.size == 0:
        raise PixelError(f"src is empty (shape {array.shape})")
    shape = array.shape
    if array.ndim == 3 and array.shape[2] == 1:
        array = array[..., 0]
    sizes = [whole(size, "ksize") for size in elements(ksize, "ksize")]
    if len(sizes) != 2:
        raise ArgumentError(f"ksize has {len(sizes)} numbers: expected a width and a height")
    x = number(sigmaX, "sigmaX")
    y = number(sigmaY, "sigmaY")
    border = whole(borderType, "borderType") & ~_BORDER_ISOLATED
    if border not in _BORDERS:
        raise ParameterError(f"borderType cannot be {borderType} (allowed: {', '.join(map(str, _BORDERS))})")
    edge = _BORDERS[border]
    axes = [Axis(_of_kernel(sizes[1], x if y <= 0 else y), edge), Axis(_of_kernel(sizes[0], x), edge)]
    axes += [Axis(0.0, edge)] * (array.ndim - 2)
    native: numpy.dtype[Any] = array.dtype.newbyteorder("=")
    if dst is None:
        return _numbers(array, axes, native, 0.0, None)
    _check_target(dst, "dst")
    if dst.shape not in (shape, array.shape) or dst.dtype.newbyteorder("=") != native:
        raise PixelError(f"dst is {dst.shape} {dst.dtype}, but the result is {array.shape} {native}")
    _numbers(array, axes, native, 0.0, dst if dst.shape == array.shape else dst[..., 0])
    return dst


@suggesting
def gaussian(
    image: ArrayLike, sigma: _Numbers = 1.0, *, mode: str = "nearest", cval: float = 0, preserve_range: bool = False,
    truncate: float = 4.0, channel_axis: Optional[int] = None, out: Optional[Array] = None,
) -> Array:
    """Blurs a picture, as ``skimage.filters.gaussian`` does. The result is an array of floats.

    Differences by design: the kernel is not cut off, as in :func:`gaussian_filter`.

    :param sigma: the standard deviation, 0 to 1000, or one for each axis without ``channel_axis``.
    :param mode: as in :func:`gaussian_filter`, and so are ``cval`` and ``truncate``.
    :param preserve_range: whether integers keep their values. By default the largest integer of the type becomes 1.
    :param channel_axis: the axis of the channels, along which nothing is blurred.
    :param out: an array of floats of the shape of ``image`` to write to. It is returned.
    :raises ParameterError: if a value is out of range.

    >>> frost.compat.gaussian(numpy.full((3, 3), 51, numpy.uint8)).round(4)[0].tolist()
    [0.2, 0.2, 0.2]
    """
    array = numpy.asarray(image)
    if out is not None:
        _check_target(out, "out")
        if out.dtype.kind != "f":
            raise PixelError(f"dtype of `out` must be float; got {out.dtype!r}.")
        if out.shape != array.shape:
            raise PixelError(f"out has the shape {out.shape}, and image {array.shape}")
    if array.dtype.kind not in "biuf":
        raise LayoutError(f"image has the type {array.dtype}: expected integers or floats")
    sigmas = _each(sigma, array.ndim - (channel_axis is not None), "sigma") if has_elements(sigma) else None
    if channel_axis is not None:
        channels = _axes(whole(channel_axis, "channel_axis"), array.ndim)[0]
        sigmas = [sigma] * (array.ndim - 1) if sigmas is None else sigmas
        sigmas.insert(channels, 0)
    dtype = numpy.dtype(numpy.float32 if array.dtype in (numpy.float16, numpy.float32) else numpy.float64)
    scale = 1.0
    if array.dtype.kind in "iu" and not preserve_range:
        scale = 1 / float(numpy.iinfo(array.dtype).max)
        # The smallest integer becomes -1, as the one after it.
        array = numpy.maximum(array, -numpy.iinfo(array.dtype).max) if array.dtype.kind == "i" else array
    given: Any = sigma if sigmas is None else sigmas
    # cval is in the units of the result.
    result = gaussian_filter(array, given, 0, dtype, mode, cval / scale, truncate)
    if scale != 1:
        result *= scale
    if out is None:
        return result
    out[...] = result
    return out


@suggesting
def gaussian_blur2d(
    input: _AnyTensor, kernel_size: Union[int, Tuple[int, int]], sigma: Any, border_type: str = "reflect",
    separable: bool = True,
) -> _AnyTensor:
    """Blurs a tensor (batch, channels, height, width) of floats, as ``kornia.filters.gaussian_blur2d`` does.

    Differences by design: ``kernel_size`` does not cut the kernel off, except that 1 leaves an axis as it is. There is no
    gradient: detach a tensor that requires one. The tensor may be of any library that :func:`frost.blur` takes.

    :param kernel_size: the height and width of the kernel, each odd.
    :param sigma: the standard deviations along columns (y) and along rows (x), or a tensor with one such pair, or one for each
        picture.
    :param border_type: "constant", which is black, "reflect", "replicate" or "circular".
    :param separable: has no effect.
    :raises ParameterError: if a value is out of range.

    >>> frost.compat.gaussian_blur2d(numpy.eye(3)[None, None], 5, (0.5, 0.5)).shape
    (1, 1, 3, 3)
    """
    tensor = _Tensor.of(input)
    given: Any = input if tensor is None else tensor.readable()
    array = view(given, "input")
    if array.ndim != 4:
        raise LayoutError(f"input has {array.ndim} dimensions: expected (batch, channels, height, width)")
    if array.dtype.kind != "f":
        raise LayoutError(f"input has the type {array.dtype}: expected floats")
    sizes = _each(kernel_size, 2, "kernel_size")
    for size in sizes:
        if whole(size, "kernel_size") < 1 or not size % 2:
            raise ParameterError(f"Kernel size must be an odd integer bigger than 0. Got {kernel_size}")
    pairs = numpy.atleast_2d(numpy.asarray(view(sigma) if hasattr(sigma, "__dlpack__") else sigma, numpy.float64))
    if pairs.shape not in ((1, 2), (len(array), 2)):
        raise ArgumentError(f"sigma has the shape {pairs.shape}: expected (1, 2) or ({len(array)}, 2)")
    if not (pairs > 0).all():
        raise ParameterError(f"sigma must be positive, got {sigma}")
    edge = _named(_PADDINGS, border_type, "border_type")
    result = numpy.empty(array.shape, array.dtype.newbyteorder("="))
    for index, picture in enumerate(array):
        along = [Axis(float(deviation) if size > 1 else 0.0, edge)
                 for size, deviation in zip(sizes, pairs[index % len(pairs)])]
        blurred(picture, [Axis(0.0, edge), *along], result.dtype, out=result[index])
    made: Any = result if tensor is None else tensor.like(result)
    return made  # type: ignore[no-any-return]


def _numbers(array: Array, axes: List[Axis], dtype: numpy.dtype[Any], fill: float, out: Optional[Array]) -> Array:
    """Blurs real or complex numbers."""
    if array.dtype.kind == "c":
        if dtype.kind != "c":
            raise PixelError(f"the result is complex: a result of the type {dtype} would lose the imaginary parts")
        waves: Any = array
        result: Any = numpy.empty(array.shape, numpy.promote_types(dtype, numpy.complex64))
        result.real = blurred(waves.real, axes, result.real.dtype, float(numpy.real(fill)))
        result.imag = blurred(waves.imag, axes, result.real.dtype, float(numpy.imag(fill)))
        if out is None:
            return result  # type: ignore[no-any-return]
        out[...] = result
        return out
    if array.dtype.kind not in "biuf" or dtype.kind not in "biufc":
        raise LayoutError(f"an array of the type {array.dtype} cannot be blurred to {dtype}: expected numbers")
    if array.dtype.itemsize > 8:
        array = array.astype(numpy.float64)
    native = array.astype(array.dtype.newbyteorder("="), copy=False)
    return blurred(native, axes, dtype, number(fill, "cval"), out)


def _check_target(out: object, what: str) -> None:
    if not isinstance(out, numpy.ndarray):
        raise TypeError(f"{what} must be a NumPy array, not {type(out).__name__}")
    if not out.flags.writeable:
        raise LayoutError(f"{what} is read-only")


def _axes(axes: Union[None, int, Sequence[int]], count: int) -> List[int]:
    """Returns the numbers of axes from 0 on."""
    given = list(range(count)) if axes is None else list(axes) if has_elements(axes) else [axes]  # type: ignore[arg-type]
    indices = [operator.index(axis) for axis in given]  # type: ignore[arg-type]
    for axis in indices:
        if not -count <= axis < count:
            raise ArgumentError(f"axis {axis} is out of range (allowed: {-count} to {count - 1})")
    indices = [axis % count for axis in indices]
    if len(set(indices)) < len(indices):
        raise ArgumentError(f"axes must be unique, not {axes}")
    return indices


def _each(value: Any, count: int, what: str) -> List[Any]:
    """Returns one value for each axis, for one value or several."""
    if not has_elements(value):
        return [value] * count
    values = list(value)
    if len(values) != count:
        raise ArgumentError(f"{what} has {len(values)} values for {count} axes")
    return values


def _sigma(value: Any) -> float:
    sigma = number(value, "sigma")
    if not 0 <= sigma <= 1000:
        raise ParameterError(f"sigma {sigma:g} is out of range (allowed: 0 to 1000)")
    return sigma


def _named(table: Dict[str, Edge], word: Any, what: str) -> Edge:
    if word not in table:
        raise ParameterError(f"{what} cannot be {word!r} (allowed: {', '.join(table)})")
    return table[word]


def _of_kernel(size: int, sigma: float) -> float:
    """Returns the standard deviation that OpenCV uses for a kernel size and a sigma. One of the two may be 0."""
    if size <= 0 and sigma > 0:
        return _sigma(sigma)
    if size <= 0 or size % 2 == 0:
        raise ParameterError(f"ksize {size} with the sigma {sigma:g} describes no kernel: expected an odd size, or a sigma")
    if size == 1:
        return 0.0
    return _sigma(sigma if sigma > 0 else 0.3 * ((size - 1) * 0.5 - 1) + 0.8)


def __dir__() -> List[str]:
    return __all__
