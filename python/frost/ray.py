"""Blurs and effects for Ray Data: ``dataset.map_batches(frost.ray.Blur(column="image", sigma=8))``."""

from __future__ import annotations

from typing import Any, List, Optional, Union

import numpy

from ._effects import Effect as _Effect
from ._effects import gaussian
from ._engines import Work, are_stackable, check_column, check_error_column, columns, required
from ._types import Alpha, Backend, Channels, Edge

__all__ = ["Blur", "Effect"]


class _Operator:
    """A function of batches that replaces a column of pictures."""

    def __init__(self, column: str, work: Work, error_column: str) -> None:
        check_error_column(column, error_column)
        self.column, self.error_column, self._work = column, error_column, work

    def __repr__(self) -> str:
        return f"frost.ray.{type(self).__name__}(column={self.column!r}, {self._work.effect!r})"

    def __call__(self, batch: Any) -> Any:
        """Renders the pictures of a batch, a dictionary of arrays or a table of Arrow. Returns a table."""
        arrow, blocks = _required("pyarrow"), _required("ray.data.block")
        if isinstance(batch, dict):
            check_column(self.column, list(batch))
            pictures, kind = list(batch[self.column]), None
            rest = {name: column for name, column in batch.items() if name != self.column}
            table = blocks.BlockAccessor.batch_to_arrow_block(rest) if rest else arrow.table({})
        elif isinstance(batch, arrow.Table):
            check_column(self.column, batch.column_names)
            pictures, kind = batch[self.column].to_pylist(), batch[self.column].type
            table = batch.drop_columns([self.column])
        else:
            raise TypeError(f"a batch cannot be a {type(batch).__name__}: use batch_format=\"numpy\" or \"pyarrow\"")
        earlier: List[Any] = []
        if self.error_column in table.column_names:
            earlier = table[self.error_column].to_pylist()
            table = table.drop_columns([self.error_column])
        results, reasons = columns(self._work(pictures, earlier))
        made = {self.column: _column(pictures, results, kind)}
        # Without the type, a column without errors would have another type than that of other blocks.
        made[self.error_column] = arrow.array(reasons, arrow.string())
        if table.num_columns == 0:
            return arrow.table(made)
        for name, column in made.items():
            table = table.append_column(name, column)
        return table


def _required(module: str) -> Any:
    return required(module, "ray[data]")


def _column(pictures: List[Any], results: List[Any], kind: Any) -> Any:
    """Returns results as a column of Arrow. Blocks with and without nulls have types that Ray can join.

    :param kind: the type of the column of pictures, if it is known.
    """
    arrow, extensions = _required("pyarrow"), _required("ray.data.extensions")
    given = [result for result in results if result is not None]
    if not given:
        # The type is that of the other blocks, as far as the pictures tell.
        given = [each for each in pictures if isinstance(each, (bytes, numpy.ndarray))]
    if not given:
        return arrow.nulls(len(results))
    if all(isinstance(result, bytes) for result in given):
        return arrow.array(results, kind if kind == arrow.large_binary() else arrow.binary())
    if are_stackable(results):
        return extensions.ArrowTensorArray.from_numpy(numpy.stack(results))
    if len({(each.dtype, each.ndim) if isinstance(each, numpy.ndarray) else None for each in given}) > 1:
        return extensions.ArrowPythonObjectArray.from_objects(results)
    first: Any = given[0]
    dtype, dimensions = first.dtype, first.ndim
    # Ray's own conversion would pickle a column with nulls, and then refuse to join it with the tensors of other blocks.
    nothing = numpy.empty((0,) * dimensions, dtype)
    tensors = extensions.ArrowVariableShapedTensorArray.from_numpy(
        [nothing if result is None else result for result in results])
    storage, is_null = tensors.storage, arrow.array([result is None for result in results], arrow.bool_())
    return tensors.type.wrap_array(arrow.StructArray.from_arrays(
        [storage.field("data"), storage.field("shape")], ["data", "shape"], mask=is_null))


class Blur(_Operator):
    """Blurs the pictures of a column with a Gaussian, for ``Dataset.map_batches``. An instance pickles by value.

    The pictures are arrays as in :func:`frost.blur`, of any sizes, or the bytes of picture files; a batch is read in place.
    The results replace the column. A picture that cannot be blurred keeps its row: its value is null, and the column of
    errors has the reason. For other pictures the error is null. The reasons of earlier operators are kept, before the new
    one.

    Pass ``num_cpus``, ``num_gpus``, ``batch_size`` and ``concurrency`` to ``map_batches``. A task uses as many threads as
    it has CPUs, because Ray sets OMP_NUM_THREADS. The batch format is "numpy" or "pyarrow". In a batch of NumPy arrays, Ray
    shows a null picture as an array without pixels; rows have None.

    :param column: the name of the column of pictures.
    :param sigma: the standard deviation in pixels, 0 to 1000.
    :param error_column: the name of the column of errors.
    :param format: the file format of the results if the pictures are bytes; by default that of each picture.
    :param quality: the quality of the files.
    :raises ParameterError: if sigma is out of range; at once, and not on a worker.

    The other arguments are those of :func:`frost.blur`.

    >>> frost.ray.Blur(column="image", sigma=8)
    frost.ray.Blur(column='image', frost.gaussian(8.0))
    """

    def __init__(
        self, column: str = "image", sigma: float = 8.0, *, edge: Edge = "clamp", alpha: Optional[Alpha] = None,
        channels: Optional[Channels] = None, axis: Optional[int] = None, threads: Optional[int] = None,
        backend: Backend = "cpu", format: Optional[str] = None, quality: Optional[int] = None, error_column: str = "error",
    ) -> None:
        super().__init__(column, Work(
            gaussian(sigma, edge=edge), alpha=alpha, channels=channels, axis=axis, threads=threads, backend=backend, format=format,
            quality=quality), error_column)


class Effect(_Operator):
    """Renders an effect on the pictures of a column, for ``Dataset.map_batches``. See :class:`Blur`.

    :param effect: a :class:`frost.Effect` or the name of one.

    >>> frost.ray.Effect(column="image", effect="material-thin-dark")
    frost.ray.Effect(column='image', frost.Effect('material-thin-dark'))
    """

    def __init__(
        self, column: str = "image", effect: Union[_Effect, str] = "light", *, alpha: Optional[Alpha] = None,
        channels: Optional[Channels] = None, axis: Optional[int] = None, threads: Optional[int] = None,
        backend: Backend = "cpu", format: Optional[str] = None, quality: Optional[int] = None, error_column: str = "error",
    ) -> None:
        super().__init__(column, Work(
            effect, alpha=alpha, channels=channels, axis=axis, threads=threads, backend=backend, format=format,
            quality=quality), error_column)


def __dir__() -> List[str]:
    return __all__
