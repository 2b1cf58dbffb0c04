"""The types of the options that several functions have."""

from __future__ import annotations

from typing import Optional, Sequence, Tuple, TypedDict, Union

from ._encodings import Decoding, Encoding
from ._masks import Mask
from ._rects import Rects
from ._types import Alpha, Array, Backend, Channels, Edge, Picture, RectLike

#: A picture that gives the strength of an effect.
MaskLike = Union[Mask, Picture, None]
#: One rectangle, several for all pictures, or a list of rectangles (or None) for each picture. Texts are rectangles of encoded
#: pictures.
RectsLike = Union[RectLike, str, Sequence[Union[RectLike, str]], Sequence[Optional[Sequence[Union[RectLike, str]]]]]
#: A mask for all pictures of a batch, or one for each. Bytes of files are masks of encoded pictures.
Masks = Union[MaskLike, bytes, Sequence[Union[MaskLike, bytes]]]
#: The arrays that a batch writes to.
Outs = Union[Picture, Sequence[Optional[Picture]], None]
#: A standard deviation or a pair of them for all pictures, or a list or array with one for each.
Sigmas = Union[float, Tuple[float, float], Sequence[Union[float, Tuple[float, float]]], Array]


class _CommonOptions(TypedDict, total=False):
    feather: float
    ellipse: bool
    invert_rects: bool
    edge: Edge
    dither: Optional[bool]
    linear: bool
    alpha: Optional[Alpha]
    channels: Optional[Channels]
    axis: Optional[int]
    threads: Optional[int]
    backend: Backend


class BlurOptions(_CommonOptions, total=False):
    """The options of :func:`frost.blur`."""

    rects: Optional[Rects]
    mask: MaskLike
    region: Optional[RectLike]
    out: Optional[Picture]


class BatchOptions(_CommonOptions, total=False):
    """The options of :func:`frost.blur_batch`, without ``errors``."""

    mask: Masks
    out: Outs
    encoding: Encoding
    decoding: Decoding
