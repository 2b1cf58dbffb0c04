"""The types of arguments, and the words that stand for constants of frost.h, in the order of their values."""

from __future__ import annotations

from typing import Any, Dict, List, Literal, Protocol, Sequence, Tuple, TypeVar, Union, get_args

from numpy.typing import NDArray

#: A NumPy array of any type.
Array = NDArray[Any]

Edge = Literal["clamp", "mirror", "repeat", "clear", "reflect-101"]
Channels = Literal["rgba", "bgra", "rgb", "grey", "grey-alpha"]
Alpha = Literal["straight", "premultiplied"]
Backend = Literal["auto", "cpu", "gpu", "exact"]
Coverage = Literal["panels", "everywhere"]
Layering = Literal["flat", "stacked"]
Repaint = Literal["changed", "all", "aged"]

EDGES: List[str] = list(get_args(Edge))
CHANNELS: List[str] = list(get_args(Channels))
ALPHAS: List[str] = list(get_args(Alpha))
BACKENDS: List[str] = list(get_args(Backend))
COVERAGES: List[str] = list(get_args(Coverage))
LAYERINGS: List[str] = list(get_args(Layering))
REPAINTS: List[str] = list(get_args(Repaint))


class HasArrayInterface(Protocol):
    """An object such as a Pillow image."""

    @property
    def __array_interface__(self) -> Dict[str, Any]: ...


class HasDLPack(Protocol):
    """An object such as a PyTorch or JAX array."""

    def __dlpack__(self) -> Any: ...

    def __dlpack_device__(self) -> Any: ...


#: A tensor, and the result for it.
Tensor = TypeVar("Tensor", bound=HasDLPack)

#: A picture whose result is an array.
Shared = Union[Array, HasArrayInterface, memoryview]

#: What the functions accept as a picture: an array, or an object that shares its memory by ``__array_interface__``,
#: ``__dlpack__`` (on the CPU) or the buffer protocol.
Picture = Union[Array, HasArrayInterface, HasDLPack, memoryview]

#: A standard deviation, or one along rows (x) and one along columns (y).
Sigma = Union[float, Tuple[float, float]]

#: x, y, width and height in pixels. x and y are the top left corner. Fractions are rounded outwards.
RectLike = Union[Tuple[float, float, float, float], Sequence[float], Array]
Rect = Tuple[int, int, int, int]

#: The value of a parameter of an effect or a transition.
Value = Union[float, str]
