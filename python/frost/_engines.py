"""What the modules for engines share: the work on the pictures of a batch, one error a picture."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple, Union

import numpy

from ._batches import effect_batch
from ._effects import Effect, as_effect
from ._encodings import Encoding
from ._errors import ArgumentError
from ._types import Alpha, Backend, Channels


def required(module: str, package: str) -> Any:
    """Imports a module of an engine."""
    try:
        return import_module(module)
    except ImportError as error:
        raise ImportError(f"{module} is missing ({error}): pip install '{package}'") from error


#: The reason of a missing value.
NO_PICTURE = "there is no picture"


class Outcome(NamedTuple):
    """The result for a picture, or None if the picture failed. The reason is that of this operator, of earlier ones, or both."""

    picture: Any
    reason: Optional[str]


class Work:
    """Renders an effect on pictures: arrays, or the bytes of picture files. Pickles by value.

    :param format: the file format of the results if the pictures are bytes; that of each picture by default. ``quality`` is
        that of :class:`frost.Encoding`.
    """

    def __init__(
        self, effect: Union[Effect, str], *, alpha: Optional[Alpha] = None, channels: Optional[Channels] = None,
        axis: Optional[int] = None, threads: Optional[int] = None, backend: Backend = "cpu",
        format: Optional[str] = None, quality: Optional[int] = None,
    ) -> None:
        self.effect = as_effect(effect)
        self.options: Dict[str, Any] = dict(
            alpha=alpha, channels=channels, axis=axis, threads=threads, backend=backend,
            encoding=Encoding(format=format, quality=quality))

    def __call__(self, pictures: Sequence[Any], earlier: Sequence[Any] = ()) -> List[Outcome]:
        """Returns the outcomes of pictures, in their order. Nothing that is wrong with a picture raises an error.

        :param earlier: the reasons that earlier operators wrote, if there were any. They are kept, before the new one.
        """
        outcomes = [Outcome(None, NO_PICTURE)] * len(pictures)
        # NumPy and pandas write a missing value as NaN.
        given = [index for index, picture in enumerate(pictures) if picture is not None and not isinstance(picture, float)]
        results = effect_batch([pictures[index] for index in given], self.effect, errors="return", **self.options)
        for index, result in zip(given, results):
            outcomes[index] = Outcome(None, text(result)) if isinstance(result, Exception) else Outcome(result, None)
        for index, before in enumerate(earlier):
            # pandas writes a missing reason as NaN.
            if before and isinstance(before, str):
                picture, reason = outcomes[index]
                # The earlier reason may tell why there is no picture.
                outcomes[index] = Outcome(picture, before if reason == NO_PICTURE else joined([before, reason]))
        return outcomes


def joined(reasons: Sequence[Optional[str]]) -> str:
    """Returns several reasons as one."""
    return "; ".join(reason for reason in reasons if reason)


def text(error: Exception) -> str:
    """Returns an error in one line that begins with its class, such as "PixelError: image is empty"."""
    return f"{type(error).__name__}: {error}".replace("\n", " ")


def are_stackable(pictures: Sequence[Any]) -> bool:
    """Returns whether pictures are arrays of one shape and type."""
    kinds = {(picture.shape, picture.dtype) if isinstance(picture, numpy.ndarray) else None for picture in pictures}
    return len(kinds) == 1 and None not in kinds


def check_error_column(column: str, error_column: str) -> None:
    if column == error_column:
        raise ArgumentError(f"error_column cannot be {error_column!r}: this is the column of the pictures")


def check_column(column: str, names: Sequence[str]) -> None:
    if column not in names:
        raise ArgumentError(f"there is no column {column!r} (columns: {', '.join(names)})")


def columns(outcomes: Sequence[Outcome]) -> Tuple[List[Any], List[Optional[str]]]:
    return [outcome.picture for outcome in outcomes], [outcome.reason for outcome in outcomes]
