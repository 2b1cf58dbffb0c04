"""Objects that are created at their first use."""

from __future__ import annotations

import os
import threading
from typing import Callable, Dict, Generic, Hashable, TypeVar

_Key = TypeVar("_Key", bound=Hashable)
_Made = TypeVar("_Made")


class Once(Generic[_Key, _Made]):
    """Objects that all threads share. Each is created at its first use, and only once.

    :param create: returns the object for a key.
    """

    def __init__(self, create: Callable[[_Key], _Made]) -> None:
        self._create = create
        self.made: Dict[_Key, _Made] = {}
        self._renew()
        os.register_at_fork(after_in_child=self._renew)

    def _renew(self) -> None:
        # Another thread of the parent may hold the lock, and this thread does not exist in the child.
        self.lock = threading.Lock()

    def __call__(self, key: _Key) -> _Made:
        if key not in self.made:
            with self.lock:
                if key not in self.made:
                    self.made[key] = self._create(key)
        return self.made[key]
