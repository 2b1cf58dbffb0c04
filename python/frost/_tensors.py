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
        self.is_bfloat16 = _is_bfloat16(given)

    @staticmethod
    def of(picture: Any) -> Optional[Tensor]:
        """Returns nothing for arrays of NumPy and for objects whose library is not known."""
        if isinstance(picture, numpy.ndarray):
            return Tensor(picture, numpy) if _is_bfloat16(picture) else None
        if not hasattr(picture, "__dlpack__"):
            return None
        # The array API names the module. PyTorch does not have this method, and subclasses of its tensors are in other modules.
        find = getattr(picture, "__array_namespace__", None)
        modules = [find()] if find else [
            sys.modules.get(kind.__module__.partition(".")[0]) for kind in type(picture).__mro__]
        namespace = next((module for module in modules if hasattr(module, "asarray")), None)
        return None if namespace is None else Tensor(picture, namespace)

    def readable(self) -> Any:
        """Returns the picture in a type that NumPy knows."""
        return _cast(self.given, self.namespace.float32) if self.is_bfloat16 else self.given

    def like(self, result: Array) -> Any:
        """Returns a result as a tensor of the library, of the type of the picture if that is bfloat16."""
        made = self.namespace.asarray(result)
        return _cast(made, self.given.dtype) if self.is_bfloat16 else made


def _is_bfloat16(array: Any) -> bool:
    return str(getattr(array, "dtype", "")).endswith("bfloat16")


def _cast(array: Any, dtype: Any) -> Any:
    # PyTorch has to() in place of astype().
    return array.astype(dtype) if hasattr(array, "astype") else array.to(dtype)
