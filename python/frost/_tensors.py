"""Tensors of other libraries, such as PyTorch and JAX. The result for a tensor is a tensor of the same library and type."""

from __future__ import annotations

import sys
from typing import Any, Optional

import numpy

from ._errors import LayoutError, TransferWarning, warn
from ._pixels import is_on_gpu
from ._types import Array


class Tensor:
    """A picture of another library than NumPy, or an array of a type that NumPy does not know.

    :param namespace: the module of the library, which has the function asarray().
    """

    def __init__(self, given: Any, namespace: Any) -> None:
        self.given = given
        self.namespace = namespace
        #: Whether the type is bfloat16, which Frost computes as float32: it has the same range and more bits.
        self.is_bfloat16 = is_bfloat16(given)

    @staticmethod
    def of(picture: Any) -> Optional[Tensor]:
        """Returns nothing for arrays of NumPy and for objects whose library is not known."""
        if isinstance(picture, numpy.ndarray):
            return Tensor(picture, numpy) if is_bfloat16(picture) else None
        if not hasattr(picture, "__dlpack__"):
            return None
        # The array API names the module. PyTorch does not have this method, and subclasses of its tensors are in other modules.
        find = getattr(picture, "__array_namespace__", None)
        modules = [find()] if find else [
            sys.modules.get(kind.__module__.partition(".")[0]) for kind in type(picture).__mro__]
        namespace = next((module for module in modules if hasattr(module, "asarray")), None)
        return None if namespace is None else Tensor(picture, namespace)

    def readable(self) -> Any:
        """Returns the picture in a type that NumPy knows, and in memory that the CPU reads."""
        known = _cast(self.given, self.namespace.float32) if self.is_bfloat16 else self.given
        return _on_cpu(known) if is_on_gpu(known) else known

    def like(self, result: Array) -> Any:
        """Returns a result as a tensor of the library, on the device of the picture, and of its type if that is bfloat16."""
        made = self._placed(result) if is_on_gpu(self.given) else self.namespace.asarray(result)
        return _cast(made, self.given.dtype) if self.is_bfloat16 else made

    def _placed(self, result: Array) -> Any:
        device = self.given.device
        try:
            return self.namespace.asarray(result, device=device)
        except TypeError:
            # CuPy names the device by a context.
            with device:
                return self.namespace.asarray(result)


def _on_cpu(tensor: Any) -> Any:
    """Copies a tensor from the memory of a GPU, with a warning."""
    warn(
        f"a {type(tensor).__name__} is copied from the memory of a GPU, and its result back: frost.Renderer('gpu') draws on a GPU",
        TransferWarning)
    # PyTorch, CuPy, and JAX.
    for method in ("cpu", "get", "__array__"):
        copy = getattr(tensor, method, None)
        if copy is not None:
            return copy()
    raise LayoutError("the tensor is in the memory of a GPU: copy it to the CPU first")


def is_bfloat16(array: Any) -> bool:
    return str(getattr(array, "dtype", "")).endswith("bfloat16")


def _cast(array: Any, dtype: Any) -> Any:
    # PyTorch has to() in place of astype().
    return array.astype(dtype) if hasattr(array, "astype") else array.to(dtype)
