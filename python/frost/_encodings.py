"""How encoded pictures are decoded and encoded."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import List, Literal, Optional, Sequence, Union, get_args

from ._keywords import suggesting_fields

Keep = Literal["color", "all", "none"]
FailOn = Literal["error", "truncated", "warning", "none"]
Subsampling = Literal["444", "422", "420"]

KEEPS: List[str] = list(get_args(Keep))
FAIL_ONS: List[str] = list(get_args(FailOn))
SUBSAMPLINGS: List[str] = ["default", *get_args(Subsampling)]


@suggesting_fields
@dataclass(frozen=True)
class Encoding:
    """How to encode a result. The options have the names of the command's.

    :param format: the format, such as "webp"; None for that of the source.
    :param quality: the quality of JPEG, WebP, AVIF and JPEG XL, 1 to 100; None for the default of the format, which is 90
        for JPEG.
    :param keep: which metadata to keep: "color" keeps the colour profile, "all" also EXIF, XMP and similar data, "none"
        nothing.
    :param lossless: writes WebP, AVIF and JPEG XL without loss.
    :param subsampling: the chroma subsampling of JPEGs: "444", "422" or "420"; None for "444" from quality 90 on, and "420"
        below.
    :param progressive: writes progressive JPEGs.
    :param optimize: optimises the Huffman tables of JPEGs, which makes smaller files and takes longer.
    :param depth: the maximum number of bits per sample: 8, 16, and for AVIF 10 or 12.
    :param background: an opaque colour to put behind transparent pixels, such as "white" or "#ffeedd".

    >>> frost.Encoding("webp", lossless=True).keep
    'color'
    """

    format: Optional[str] = None
    quality: Optional[int] = None
    keep: Keep = "color"
    lossless: bool = False
    subsampling: Optional[Subsampling] = None
    progressive: bool = False
    optimize: bool = False
    depth: Optional[int] = None
    background: Optional[str] = None


@suggesting_fields
@dataclass(frozen=True)
class Decoding:
    """How to decode a source, and what it may cost. The options have the names of the command's.

    :param first_frame: reads the first frame or page of a file with several, which is refused otherwise.
    :param fail_on: the least serious fault for which a file is refused: "warning", "error", "truncated" or "none". Missing
        pixels of an accepted file become grey.
    :param max_side: the maximum width and height; 32768 by default.
    :param max_pixels: the maximum number of pixels; 2**30 by default.
    :param max_pixels_per_byte: for pictures of over 64 megapixels, the maximum number of pixels for each byte of the file;
        1000 by default.
    :param max_memory: the maximum memory for one picture in bytes; by default 2**30, or what the limits of the process leave.
    :param max_time: the maximum time for one picture in seconds; 60 by default.
    :param sandbox: the path of the command ``frost`` of the same version. Pictures are then decoded and encoded in processes
        that can only read them and return pixels or the result; by default, in the process of Python.
    :param allow: the formats that a file may have, such as ``["png", "jpeg"]`` or "png,jpeg"; None for all. A file of another
        format is refused before its decoder sees it.

    >>> frost.Decoding(max_pixels=50_000_000).fail_on
    'error'
    """

    first_frame: bool = False
    fail_on: FailOn = "error"
    max_side: Optional[int] = None
    max_pixels: Optional[int] = None
    max_pixels_per_byte: Optional[int] = None
    max_memory: Optional[int] = None
    max_time: Optional[float] = None
    sandbox: Union[str, os.PathLike[str], None] = None
    allow: Union[str, Sequence[str], None] = None
