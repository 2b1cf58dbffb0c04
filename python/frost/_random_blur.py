"""Random blurs, which augment the pictures of a training set."""

from __future__ import annotations

import random
from typing import Any, List, Optional, Protocol, Sequence, Tuple, TypeVar, Union

import numpy

from ._arguments import constant, elements, has_elements, number
from ._calls import blur
from ._effects import edge_mode
from ._errors import ArgumentError, LayoutError, ParameterError
from ._keywords import suggesting
from ._pixels import is_pillow, view
from ._tensors import Tensor
from ._threads import checked
from ._types import ALPHAS, EDGES, Alpha, Array, Edge, HasArrayInterface, HasDLPack

# How many channels a picture can have.
_COUNTS = range(1, 5)
_Picture = TypeVar("_Picture", bound=Union[Array, HasArrayInterface, HasDLPack])


class Generator(Protocol):
    """What returns random numbers, such as :class:`random.Random` and ``numpy.random.Generator``."""

    def random(self) -> float:
        """Returns a number from 0 to 1, without 1."""
        ...


class RandomBlur:
    """Blurs pictures with a Gaussian of random sigma, between transforms such as those of torchvision:
    ``Compose([RandomCrop(224), frost.RandomBlur((0.1, 2.0), p=0.5), ToTensor()])``.

    It takes pictures of Pillow, arrays (height, width) and (height, width, channels), tensors (channels, height, width), and
    batches of them with more axes in front. The result is of the same kind, shape and type. Types and channels are those of
    :func:`blur`. A single picture that is not blurred is returned itself.

    The numbers come from Python's module ``random``. ``DataLoader`` of PyTorch seeds it for each worker and epoch, from the
    seed of ``torch.manual_seed()``; elsewhere ``random.seed(7)`` repeats the same pictures.

    A transform pickles with the state of its generator, if it has one of its own.

    :param sigma: the smallest and the largest standard deviation in pixels, 0 to 1000, or one number for both. All values
        between them are equally likely.
    :param p: how likely it is that a picture is blurred, 0 to 1.
    :param same_on_batch: whether all pictures of a batch, such as the frames of a video, share one decision and one sigma.
        By default each picture has its own.
    :param edge: as in :func:`gaussian`, except "clear", which adds alpha. torchvision's is "reflect-101".
    :param alpha: as in :func:`blur`. "premultiplied" blurs two and four channels as numbers.
    :param axis: the axis of the channels in a picture without the axes of its batch: -3 or -1. By default it is -3 for tensors,
        and -1 for arrays of NumPy.
    :param threads: as in :func:`blur`. 1 suits workers, of which there is one for each processor.
    :param generator: what draws the numbers by its method ``random()``. The workers of a ``DataLoader`` begin with copies of it, which draw the same.
    :raises ParameterError: if sigma or p is out of range.

    >>> transform = frost.RandomBlur((0.1, 2.0), p=0.5)
    >>> transform(numpy.zeros((20, 30, 3), numpy.uint8)).shape
    (20, 30, 3)
    >>> transform
    frost.RandomBlur((0.1, 2.0), p=0.5)
    """

    @suggesting
    def __init__(
        self, sigma: Union[float, Tuple[float, float], Sequence[float]] = (0.1, 2.0), p: float = 1.0, *,
        same_on_batch: bool = False, edge: Edge = "clamp", alpha: Optional[Alpha] = None, axis: Optional[int] = None,
        threads: Optional[int] = None, generator: Optional[Generator] = None,
    ) -> None:
        given: List[Any] = elements(sigma, "sigma") if has_elements(sigma) else [sigma, sigma]
        limits = [number(each, "sigma") for each in given]
        if len(limits) != 2:
            raise ArgumentError(f"sigma has {len(limits)} numbers: expected the smallest and the largest")
        if not 0 <= limits[0] <= limits[1] <= 1000:
            raise ParameterError(f"sigma cannot be from {limits[0]:g} to {limits[1]:g} (allowed: 0 to 1000, the smallest first)")
        if not 0 <= number(p, "p") <= 1:
            raise ParameterError(f"p {p:g} is out of range (allowed: 0 to 1)")
        if axis not in (None, -3, -1):
            raise ArgumentError(f"axis cannot be {axis!r} (allowed: -3, -1)")
        edge = edge_mode(edge)
        constant([name for name in EDGES if name != "clear"], edge, "edge")
        if alpha is not None:
            constant(ALPHAS, alpha, "alpha")
        if generator is not None and not callable(getattr(generator, "random", None)):
            raise TypeError(
                f"generator is {type(generator).__name__}, which has no method random(), as random.Random and "
                "numpy.random.Generator do")
        self.sigma = limits[0], limits[1]
        self.p = float(p)
        self.same_on_batch = bool(same_on_batch)
        self.edge: Edge = edge
        self.alpha: Optional[Alpha] = alpha
        self.axis = axis
        self.threads = None if threads is None else checked(threads)
        self.generator = generator

    def __repr__(self) -> str:
        given = vars(self)
        defaults = dict(p=1.0, same_on_batch=False, edge="clamp", alpha=None, axis=None, threads=None, generator=None)
        words = "".join(f", {name}={given[name]!r}" for name, value in defaults.items() if given[name] != value)
        return f"frost.RandomBlur({self.sigma!r}{words})"

    def __call__(self, picture: _Picture) -> _Picture:
        """Returns a picture or a batch, blurred or not."""
        given: Any = picture
        if is_pillow(picture):
            sigma = self._drawn()
            if sigma is None:
                return picture
            from ._pillow import PillowFilter

            filtered: _Picture = given.filter(PillowFilter(sigma, edge=self.edge, alpha=self.alpha, threads=self.threads))
            return filtered
        tensor = Tensor.of(given)
        array = view(given if tensor is None else tensor.readable())
        if array.ndim < 2:
            raise LayoutError(f"image has {array.ndim} dimensions: expected height and width at least")
        axis = (-1 if tensor is None or isinstance(given, numpy.ndarray) else -3) if self.axis is None else self.axis
        _check_channels(array, axis)
        result = self._applied(array, axis)
        if result is None:
            return picture
        made: Any = result if tensor is None else tensor.like(result)
        return made  # type: ignore[no-any-return]

    def _applied(self, array: Array, axis: int) -> Optional[Array]:
        """Returns a new array, or None if it would be the same."""
        if array.ndim <= 3:
            return self._one(array, axis, self._drawn())
        result = numpy.array(array)
        sigma = self._drawn() if self.same_on_batch else None
        for index in numpy.ndindex(array.shape[:-3]):
            made = self._one(array[index], axis, sigma if self.same_on_batch else self._drawn())
            if made is not None:
                result[index] = made
        return result

    def _one(self, array: Array, axis: int, sigma: Optional[float]) -> Optional[Array]:
        if sigma is None:
            return None
        return blur(
            array, sigma, edge=self.edge, alpha=self.alpha, axis=None if array.ndim == 2 else axis, threads=self.threads)

    def _drawn(self) -> Optional[float]:
        """Draws a sigma, or returns None if a picture stays as it is. It takes the same number of draws in both cases."""
        source: Any = random if self.generator is None else self.generator
        chance, place = source.random(), source.random()
        return self.sigma[0] + place * (self.sigma[1] - self.sigma[0]) if chance < self.p else None


def _check_channels(array: Array, axis: int) -> None:
    if array.ndim < 3 or array.shape[axis] in _COUNTS:
        return
    other = -1 if axis == -3 else -3
    hint = f"; if they are axis {other}, pass axis={other}" if array.shape[other] in _COUNTS else ""
    raise LayoutError(f"image has {array.shape[axis]} channels: expected 1 to 4{hint}")
