"""What the modules for engines share: the work on the pictures of a batch, one error a picture."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple, Union

import numpy

from ._batches import effect_batch
from ._effects import Effect, as_effect, gaussian
from ._errors import Error
from ._threads import resolved
from ._types import Alpha, Backend, Channels, Edge


def required(module: str, package: str) -> Any:
    """Imports a module of an engine."""
    try:
        return import_module(module)
    except ImportError as error:
        raise ImportError(f"{module} is missing ({error}): pip install '{package}'") from error


class Outcome(NamedTuple):
    """What came of a picture: a result, or the reason why there is none."""

    picture: Any
    reason: Optional[str]


class Work:
    """Renders an effect on pictures: arrays, or the bytes of picture files. Pickles by value.

    :param call: what renders the bytes of a file: "blur_encoded" or "effect_encoded" of :mod:`frost`, and the arguments that
        follow the bytes.
    :param format: the file format of the results if the pictures are bytes; that of each picture by default. ``quality`` is
        that of :func:`frost.effect_encoded`.
    """

    def __init__(
        self, effect: Effect, call: Tuple[str, Tuple[Any, ...], Dict[str, Any]], *, alpha: Optional[Alpha] = None,
        channels: Optional[Channels] = None, axis: Optional[int] = None, threads: Optional[int] = None,
        backend: Backend = "cpu", format: Optional[str] = None, quality: Optional[int] = None,
    ) -> None:
        self.effect, self.threads = effect, threads
        self.for_arrays: Dict[str, Any] = dict(alpha=alpha, channels=channels, axis=axis, backend=backend)
        name, arguments, options = call
        self.call = name, arguments, {**options, "format": format, "quality": quality}

    def __call__(self, pictures: Sequence[Any]) -> List[Outcome]:
        """Returns the outcomes of pictures, in their order. Nothing that is wrong with a picture raises an error."""
        outcomes = [Outcome(None, "there is no picture")] * len(pictures)
        arrays: List[int] = []
        files: List[int] = []
        for index, picture in enumerate(pictures):
            # NumPy and pandas write a missing value as NaN.
            if picture is None or isinstance(picture, float):
                continue
            (files if isinstance(picture, (bytes, bytearray)) else arrays).append(index)
        for indices, rendered in ((arrays, self._rendered), (files, self._encoded)):
            for index, result in zip(indices, rendered([pictures[index] for index in indices])):
                outcomes[index] = Outcome(None, text(result)) if isinstance(result, Exception) else Outcome(result, None)
        return outcomes

    def _rendered(self, arrays: List[Any]) -> List[Any]:
        return effect_batch(arrays, self.effect, errors="return", threads=self.threads, **self.for_arrays)

    def _encoded(self, files: List[Any]) -> List[Any]:
        import frost

        name, arguments, options = self.call
        encoded: Any = getattr(frost, name, None)
        if encoded is None:
            return [Error("this build of frost has no codecs: decode the pictures first")] * len(files)
        count = resolved(self.threads)
        # With as many pictures as threads, a thread for each picture leaves no thread idle.
        is_parallel = 1 < count <= len(files)

        def one(data: bytes) -> Any:
            try:
                return encoded(data, *arguments, threads=1 if is_parallel else count, **options)
            except Exception as error:
                return error

        if not is_parallel:
            return [one(data) for data in files]
        with ThreadPoolExecutor(count, "frost") as pool:
            return list(pool.map(one, files))


def blur_work(sigma: float, edge: Edge, **options: Any) -> Work:
    return Work(gaussian(sigma, edge=edge), ("blur_encoded", (sigma,), {"edge": edge}), **options)


def effect_work(effect: Union[Effect, str], **options: Any) -> Work:
    return Work(as_effect(effect), ("effect_encoded", (effect,), {}), **options)


def text(error: Exception) -> str:
    """Returns an error in one line that begins with its class, such as "PixelError: image is empty"."""
    return f"{type(error).__name__}: {error}".replace("\n", " ")


def are_stackable(pictures: Sequence[Any]) -> bool:
    """Returns whether pictures are arrays of one shape and type."""
    kinds = {(picture.shape, picture.dtype) if isinstance(picture, numpy.ndarray) else None for picture in pictures}
    return len(kinds) == 1 and None not in kinds


def columns(outcomes: Sequence[Outcome]) -> Tuple[List[Any], List[Optional[str]]]:
    return [outcome.picture for outcome in outcomes], [outcome.reason for outcome in outcomes]
