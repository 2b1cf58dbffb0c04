"""The objects of the library: how long they live, and that copies of them are safe."""

from __future__ import annotations

import os
import weakref
from ctypes import byref, c_void_p
from types import TracebackType
from typing import Any, Callable, Dict, NoReturn, Optional, Type, TypeVar

from ._errors import ArgumentError, ForkedError


class Owned(c_void_p):
    """A pointer to an object of the library. The object is destroyed when nothing refers to this pointer any more, but not
    when the interpreter ends.

    Calls are given this very object. So an object that is closed or collected while another thread uses it lives until the
    call returns.
    """

    @classmethod
    def made(cls, create: Callable[..., Any], destroy: Callable[[c_void_p], Any], *arguments: Any) -> Owned:
        pointer = cls()
        pointer.fill(create, destroy, *arguments)
        return pointer

    def fill(self, create: Callable[..., Any], destroy: Callable[[c_void_p], Any], *arguments: Any) -> None:
        """Creates the object. Until then the pointer is false."""
        create(*arguments, byref(self))
        # When the interpreter ends, daemon threads may still use the object.
        weakref.finalize(self, destroy, c_void_p(self.value)).atexit = False


class Handle:
    """An object of the library, which is destroyed when it is no longer referenced. It can be neither copied nor pickled."""

    _owned: Optional[Owned] = None

    def _own(self, create: Callable[..., Any], destroy: Callable[[c_void_p], Any], *arguments: Any) -> None:
        self._owned = Owned.made(create, destroy, *arguments)

    @property
    def _pointer(self) -> Owned:
        owned = self._owned
        if owned is None:
            raise ArgumentError(f"the {type(self).__name__.lower()} is closed")
        return owned

    def __reduce__(self) -> NoReturn:
        raise uncopyable(self)


def uncopyable(value: object) -> TypeError:
    """Returns the error for an object that belongs to its process."""
    return TypeError(f"a frost.{type(value).__name__} can be neither copied nor pickled: create another one")


_Value = TypeVar("_Value", bound="Value")
_Resource = TypeVar("_Resource", bound="Resource")


class Value(Handle):
    """An immutable object, so that a copy of it is the object itself."""

    def __copy__(self: _Value) -> _Value:
        return self

    def __deepcopy__(self: _Value, memo: Dict[int, Any]) -> _Value:
        return self


class Resource(Handle):
    """An object that can be closed before it is collected."""

    def close(self) -> None:
        """Releases the object. Later calls raise ArgumentError; calls that are in progress still complete. May be called
        more than once."""
        self._owned = None

    @property
    def closed(self) -> bool:
        """Whether the object is closed."""
        return self._owned is None

    def __enter__(self: _Resource) -> _Resource:
        self._pointer
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType],
    ) -> None:
        self.close()


class ProcessResource(Resource):
    """An object that only the process that created it can use."""

    def _own(self, create: Callable[..., Any], destroy: Callable[[c_void_p], Any], *arguments: Any) -> None:
        self._process = os.getpid()
        super()._own(create, destroy, *arguments)

    def _check_process(self) -> None:
        if self._process != os.getpid():
            raise ForkedError(f"the {type(self).__name__.lower()} was created before the fork")
