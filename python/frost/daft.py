"""Blurs and effects for Daft: ``frost.daft.blur(frame, "image", sigma=8)``."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Union

from ._effects import Effect, gaussian
from ._engines import Work, check_column, check_error_column, required
from ._errors import LayoutError
from ._types import Alpha, Backend, Channels, Edge

__all__ = ["blur", "effect"]


def blur(
    frame: Any, column: str = "image", sigma: float = 8.0, *, edge: Edge = "clamp", alpha: Optional[Alpha] = None,
    channels: Optional[Channels] = None, axis: Optional[int] = None, threads: Optional[int] = None,
    backend: Backend = "cpu", format: Optional[str] = None, quality: Optional[int] = None, error_column: str = "error",
    batch_size: int = 32, cpus: Optional[float] = None, gpus: float = 0, max_concurrency: Optional[int] = None,
) -> Any:
    """Blurs the pictures of a column of a Daft data frame with a Gaussian. The result is lazy.

    The column has binary values, which are the bytes of picture files, or arrays: the types image, tensor and python. The
    results replace the column, and have its type. A picture that cannot be blurred keeps its row: its value is null, and the
    column of errors has the reason. For other pictures the error is null. The reasons of earlier operators are kept, before
    the new one.

    :param column: the name of the column of pictures.
    :param sigma: the standard deviation in pixels, 0 to 1000.
    :param format: the file format of the results if the pictures are bytes; by default that of each picture.
    :param quality: the quality of the files.
    :param error_column: the name of the column of errors.
    :param batch_size: the number of pictures that a call renders; Daft keeps a whole batch in memory.
    :param cpus: the number of CPUs of an instance, and ``gpus`` that of GPUs, as in ``daft.cls``.
    :param max_concurrency: the number of processes that work at the same time.
    :returns: a data frame with the columns of ``frame``, then ``error_column``.
    :raises ParameterError: if sigma is out of range; at once, and not on a worker.
    :raises LayoutError: if the column has another type.

    The other arguments are those of :func:`frost.blur`.

    >>> import daft                                                            # doctest: +SKIP
    >>> photos = daft.from_glob_path("photos/*.jpg")                           # doctest: +SKIP
    >>> photos = photos.with_column("image", photos["path"].download())        # doctest: +SKIP
    >>> frost.daft.blur(photos, sigma=8).write_parquet("blurred/")             # doctest: +SKIP
    """
    work = Work(
        gaussian(sigma, edge=edge), alpha=alpha, channels=channels, axis=axis, threads=threads, backend=backend, format=format,
        quality=quality)
    return _rendered(frame, column, error_column, work, batch_size, dict(cpus=cpus, gpus=gpus, max_concurrency=max_concurrency))


def effect(
    frame: Any, column: str = "image", effect: Union[Effect, str] = "light", *, alpha: Optional[Alpha] = None,
    channels: Optional[Channels] = None, axis: Optional[int] = None, threads: Optional[int] = None,
    backend: Backend = "cpu", format: Optional[str] = None, quality: Optional[int] = None, error_column: str = "error",
    batch_size: int = 32, cpus: Optional[float] = None, gpus: float = 0, max_concurrency: Optional[int] = None,
) -> Any:
    """Renders an effect on the pictures of a column of a Daft data frame. See :func:`blur`.

    :param effect: a :class:`frost.Effect` or the name of one. It must not change the channels of a picture.

    >>> frost.daft.effect(photos, effect="material-thin-dark")                 # doctest: +SKIP
    """
    work = Work(
        effect, alpha=alpha, channels=channels, axis=axis, threads=threads, backend=backend, format=format,
        quality=quality)
    return _rendered(frame, column, error_column, work, batch_size, dict(cpus=cpus, gpus=gpus, max_concurrency=max_concurrency))


def _rendered(
    frame: Any, column: str, error_column: str, work: Work, batch_size: int, resources: Dict[str, Any],
) -> Any:
    daft = required("daft", "daft")
    check_error_column(column, error_column)
    check_column(column, frame.column_names)
    kind = frame.schema()[column].dtype
    if not (kind.is_binary() or kind.is_image() or kind.is_tensor() or kind.is_python()):
        raise LayoutError(f"the column {column!r} has the type {kind}: expected binary, image, tensor or python")
    string = daft.DataType.string()

    class Renderer:
        def __init__(self, work: Work) -> None:
            self.work = work

        @daft.method.batch(  # type: ignore[untyped-decorator,unused-ignore]
            return_dtype=daft.DataType.struct({"picture": kind, "error": string}), batch_size=batch_size)
        def __call__(self, pictures: Any, earlier: Any = None) -> List[Dict[str, Any]]:
            outcomes = self.work(pictures.to_pylist(), [] if earlier is None else earlier.to_pylist())
            return [{"picture": outcome.picture, "error": outcome.reason} for outcome in outcomes]

    # An instance for each process; Daft pickles its arguments.
    renderer = daft.cls(**resources)(Renderer)(work)
    given = [frame[column]] + ([frame[error_column]] if error_column in frame.column_names else [])
    made = "frost.outcome"
    result = frame.with_column(made, renderer(*given))
    return result.with_columns(
        {column: daft.col(made)["picture"], error_column: daft.col(made)["error"]}).exclude(made)


def __dir__() -> List[str]:
    return __all__
