"""Tensors of other libraries, such as PyTorch and JAX. The result for a tensor is a tensor of the same library and type."""

from __future__ import annotations

import sys
from typing import Any, Optional

import numpy

from ._types import Array


class Tensor:
    """A picture of another library than NumPy, or an array of a type that NumPy does not know.

    :param namespace: the module of the library, which has the function asarray().
    """

    def __init__(self, given: Any, namespace: Any) -> None:
        self.given = given
        self.namespace = namespace
        #: Whether the type is bfloat16, which Frost computes as float32: it has the same range and more bits.
        self.is_brief = _is_brief(given)

    @staticmethod
    def of(picture: Any) -> Optional[Tensor]:
        """Returns nothing for arrays of NumPy and for objects whose library is not known."""
        if isinstance(picture, numpy.ndarray):
            return Tensor(picture, numpy) if _is_brief(picture) else None
        if not hasattr(picture, "__dlpack__"):
            return None
        # The array API names the module. PyTorch does not have this method.
        find = getattr(picture, "__array_namespace__", None)
        namespace = find() if find else sys.modules.get(type(picture).__module__.partition(".")[0])
        return Tensor(picture, namespace) if hasattr(namespace, "asarray") else None

    def readable(self) -> Any:
        """Returns the picture in a type that NumPy knows."""
        return _cast(self.given, self.namespace.float32) if self.is_brief else self.given

    def like(self, result: Array) -> Any:
        """Returns a result as a tensor of the library, of the type of the picture if that is bfloat16."""
        made = self.namespace.asarray(result)
        return _cast(made, self.given.dtype) if self.is_brief else made


def _is_brief(array: Any) -> bool:
    return str(getattr(array, "dtype", "")).endswith("bfloat16")


def _cast(array: Any, dtype: Any) -> Any:
    # PyTorch has to() in place of astype().
    return array.astype(dtype) if hasattr(array, "astype") else array.to(dtype)
