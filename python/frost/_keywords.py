"""Names of arguments that are mistyped, or that other libraries use: errors suggest the name of this package."""

from __future__ import annotations

import functools
import inspect
from dataclasses import fields
from typing import Any, Callable, Collection, Dict, List, TypeVar

_Call = TypeVar("_Call", bound=Callable[..., Any])
_Class = TypeVar("_Class", bound=type)

# What OpenCV, SciPy, Pillow, scikit-image, PyTorch and detectors call the arguments. Words for the values of arguments are
# those of the library: see Synonyms.swift.
_WORDS: Dict[str, List[str]] = {
    "rects": ["rect", "rectangle", "rectangles", "box", "boxes", "bbox", "bboxes", "region", "regions", "roi", "rois", "faces"],
    "region": ["crop", "crops", "window"],
    "sigma": ["radius", "ksize", "kernel", "kernel_size", "blur_radius", "std", "stddev", "amount", "size"],
    "radius": ["sigma", "ksize", "kernel", "kernel_size", "blur_radius", "size"],
    "edge": [
        "edges", "border", "borders", "border_mode", "border_type", "bordertype", "mode", "padding", "padding_mode", "pad_mode",
        "boundary", "edge_mode", "edgemode"],
    "threads": ["nthreads", "n_threads", "num_threads", "thread", "workers", "num_workers", "max_workers", "jobs", "n_jobs"],
    "backend": ["device", "gpu", "cuda", "engine"],
    "out": ["output", "dst", "dest", "destination", "target"],
    "mask": ["masks", "matte", "depth", "weights"],
    "axis": ["channel_axis", "channels_axis", "dim"],
    "channels": ["order", "channel_order", "data_format", "mode", "bgr"],
    "linear": ["linear_light", "gamma", "linear_rgb"],
    "alpha": ["premultiplied", "premultiply"],
    "feather": ["soft", "softness", "soften", "feathering"],
    "invert_rects": ["invert", "inverted", "inverse", "outside", "invert_boxes", "invert_mask"],
    "ellipse": ["ellipses", "oval", "circle", "round", "rounded"],
    "encoding": ["encode", "save_options"],
    "decoding": ["decode", "limits"],
    "format": ["fmt", "ext", "extension", "output_format"],
    "time": ["t", "progress", "fraction"],
}


def near(word: str, known: Collection[str]) -> List[str]:
    """Returns the names that a word probably stands for: those that other libraries call by this word, or else the most
    similar ones."""
    lower = word.lower()
    meant = [name for name, words in _WORDS.items() if name in known and lower in words]
    if meant:
        return meant
    # This module is needed for errors only.
    from difflib import get_close_matches

    return get_close_matches(lower, sorted(known), 3, 0.7)


def phrase(word: str, known: Collection[str]) -> str:
    """Returns " (did you mean sigma?)", or an empty text if no name is similar."""
    names = _fields(word, known) + near(word, known)
    if "rects" in known and "region" not in known and word.lower() in ("region", *_WORDS["region"]):
        return " (did you mean rects? only frost.blur() and frost.effect() crop, with region)"
    return f" (did you mean {' or '.join(names)}?)" if names else ""


def _fields(word: str, known: Collection[str]) -> List[str]:
    """Returns the options of files that a word names, as a call writes them."""
    from ._encodings import Decoding, Encoding

    return [
        f"{name}=frost.{kind.__name__}({word}=...)" for name, kind in (("encoding", Encoding), ("decoding", Decoding))
        if name in known and any(field.name == word for field in fields(kind))]


def options_of(call: Callable[..., Any]) -> List[str]:
    """Returns the names of the arguments that a function takes by keyword."""
    return [
        name for name, parameter in inspect.signature(call).parameters.items()
        if parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY) and name != "self"]


def suggesting(call: _Call) -> _Call:
    """Makes a function answer an unknown keyword argument with the name that is probably meant."""
    known = options_of(call)
    names = frozenset(known)

    @functools.wraps(call)
    def checked(*arguments: Any, **keywords: Any) -> Any:
        if not names.issuperset(keywords):
            unknown = next(name for name in keywords if name not in names)
            raise TypeError(f"{call.__qualname__.replace('.__init__', '')}() has no argument {unknown}{phrase(unknown, known)}")
        return call(*arguments, **keywords)

    return checked  # type: ignore[return-value]


def suggesting_fields(kind: _Class) -> _Class:
    """Makes the constructor of a dataclass answer as :func:`suggesting` does."""
    made: Any = kind
    # Python 3.9 names the function otherwise.
    made.__init__.__qualname__ = f"{kind.__qualname__}.__init__"
    made.__init__ = suggesting(made.__init__)
    return kind
