"""First uses: objects and modules that are created when a thread first needs them."""

from __future__ import annotations

import os
import threading
from typing import Callable, Dict, Generic, Hashable, TypeVar

_Key = TypeVar("_Key", bound=Hashable)
_Made = TypeVar("_Made")

#: Held during each first use. A fork waits for it, because its child could neither finish what another thread began nor
#: take the locks that this thread holds: those of an import, for instance. It is one lock for all first uses, because one
#: may cause another. A module of this package must not need it while the module is imported.
first_use = threading.RLock()
os.register_at_fork(before=first_use.acquire, after_in_parent=first_use.release, after_in_child=first_use.release)


class Once(Generic[_Key, _Made]):
    """Objects that all threads share. Each is created at its first use, and only once.

    :param create: returns the object for a key.
    """

    def __init__(self, create: Callable[[_Key], _Made]) -> None:
        self._create = create
        self.made: Dict[_Key, _Made] = {}

    def __call__(self, key: _Key) -> _Made:
        if key not in self.made:
            with first_use:
                if key not in self.made:
                    self.made[key] = self._create(key)
        return self.made[key]
