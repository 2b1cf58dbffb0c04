"""Blurs and effects for the samples of WebDataset: ``dataset.map(frost.webdataset.Blur(sigma=8))``."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

from ._effects import Effect as _Effect
from ._effects import gaussian
from ._engines import NO_PICTURE, Work, joined
from ._errors import ArgumentError
from ._types import Alpha, Backend, Channels, Edge

__all__ = ["SUFFIXES", "Blur", "Effect"]

#: The suffixes of the members of a sample that are pictures by default.
SUFFIXES = ("jpg", "jpeg", "png", "webp", "avif", "jxl", "tif", "tiff", "ppm", "pgm", "qoi")


class _Operator:
    """A function of samples that replaces their pictures."""

    def __init__(self, keys: Union[str, Sequence[str]], work: Work, error_key: str) -> None:
        self.keys: Tuple[str, ...] = tuple(keys.split(";")) if isinstance(keys, str) else tuple(keys)
        if not self.keys or not all(isinstance(key, str) and key for key in self.keys):
            raise ArgumentError(f"keys cannot be {keys!r}: expected suffixes, such as \"jpg;png\"")
        if error_key in self.keys:
            raise ArgumentError(f"error_key cannot be {error_key!r}: this is the key of a picture")
        self.error_key, self._work = error_key, work

    def __repr__(self) -> str:
        return f"frost.webdataset.{type(self).__name__}({';'.join(self.keys)!r}, {self._work.effect!r})"

    def __call__(self, sample: Dict[str, Any]) -> Dict[str, Any]:
        """Returns a copy of a sample with the results. The sample itself is not changed."""
        found = [key for key in self.keys if key in sample]
        result, reasons = dict(sample), []
        for key, (picture, reason) in zip(found, self._work([sample[key] for key in found])):
            if reason is None:
                result[key] = picture
            else:
                del result[key]
                reasons.append(f"{key}: {reason}")
        if not found and self.error_key not in sample:
            reasons.append(f"{NO_PICTURE} (keys: {', '.join(key for key in sample if not key.startswith('__'))})")
        if reasons:
            earlier = sample.get(self.error_key)
            # Bytes, because a tar archive contains nothing else.
            result[self.error_key] = joined([_text(earlier), *reasons]).encode()
        return result


def _text(reason: object) -> Optional[str]:
    """Returns the reason of an earlier operator. Decoders may have made a text of it."""
    if isinstance(reason, (bytes, bytearray)):
        return reason.decode("utf-8", "replace")
    return reason if isinstance(reason, str) else None


class Blur(_Operator):
    """Blurs the pictures of a sample with a Gaussian, for ``WebDataset.map``. An instance pickles by value.

    The pictures are the bytes of picture files, or arrays after ``decode("rgb8")``. The results replace them. A picture that
    cannot be blurred is left out, and the member ``error_key`` of the sample has the reason as UTF-8, after those of earlier
    operators; all samples keep their keys. Samples can be written with ``TarWriter``. A sample has one picture or few, so give
    each worker of a ``DataLoader`` one thread.

    :param keys: the members that are pictures: suffixes, as a sequence or separated by semicolons.
    :param sigma: the standard deviation in pixels, 0 to 1000.
    :param error_key: the member for errors.
    :param format: the file format of the results if the pictures are bytes; by default that of each picture. Keys do not
        change.
    :param quality: the quality of the files.
    :raises ParameterError: if sigma is out of range; at once, and not for a sample.

    The other arguments are those of :func:`frost.blur`.

    >>> sample = {"__key__": "000", "png": numpy.zeros((20, 30, 3), numpy.uint8), "cls": b"3"}
    >>> sorted(frost.webdataset.Blur("jpg;png", sigma=8)(sample))
    ['__key__', 'cls', 'png']
    """

    def __init__(
        self, keys: Union[str, Sequence[str]] = SUFFIXES, sigma: float = 8.0, *, edge: Edge = "clamp",
        alpha: Optional[Alpha] = None, channels: Optional[Channels] = None, axis: Optional[int] = None,
        threads: Optional[int] = None, backend: Backend = "cpu", format: Optional[str] = None,
        quality: Optional[int] = None, error_key: str = "error",
    ) -> None:
        super().__init__(keys, Work(
            gaussian(sigma, edge=edge), alpha=alpha, channels=channels, axis=axis, threads=threads, backend=backend, format=format,
            quality=quality), error_key)


class Effect(_Operator):
    """Renders an effect on the pictures of a sample, for ``WebDataset.map``. See :class:`Blur`.

    :param effect: a :class:`frost.Effect` or the name of one.

    >>> frost.webdataset.Effect("jpg", "material-thin-dark")
    frost.webdataset.Effect('jpg', frost.Effect('material-thin-dark'))
    """

    def __init__(
        self, keys: Union[str, Sequence[str]] = SUFFIXES, effect: Union[_Effect, str] = "light", *,
        alpha: Optional[Alpha] = None, channels: Optional[Channels] = None, axis: Optional[int] = None,
        threads: Optional[int] = None, backend: Backend = "cpu", format: Optional[str] = None,
        quality: Optional[int] = None, error_key: str = "error",
    ) -> None:
        super().__init__(keys, Work(
            effect, alpha=alpha, channels=channels, axis=axis, threads=threads, backend=backend, format=format,
            quality=quality), error_key)


def __dir__() -> List[str]:
    return __all__
