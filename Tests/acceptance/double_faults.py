"""Makes two calls of one run of frost fail, and checks that its outputs are old or new, and what it reports about them.

The pairs are found run by run: the second fault is at any call that the program makes after the first one.
"""

import errno
import os
import random
import re
import signal
import time
from collections import Counter
from pathlib import Path

from disk import scan
from files import Folder

ERRORS = (errno.ENOSPC, errno.EIO)
KILLS = ("before", "after")
# What FileFaultTests allows for one fault: done, some pictures failed, unreadable, not writable.
CODES = {0, 1, 3, 6}
WARNED = "the key of redact cannot be kept"


def points(names):
    """Returns the call and the ordinal of each line of a log of calls."""
    seen = Counter()
    for name in names:
        seen[name] += 1
        yield name, seen[name]


class DoubleFaults:
    def __init__(self, work):
        self.work = work
        self.states = Counter()
        with Folder() as folder:
            self.work.prepare(folder)
            self.old = self.files(folder)
            code, _, self.names = self.run(folder)
            assert code == 0, code
            self.new = self.files(folder)
        self.outputs = [path for path, file in self.new.items() if self.old.get(path) != file and path not in self.apart]

    @property
    def apart(self):
        return self.work.manifest, self.work.key

    def files(self, folder):
        return {path: file[:2] for path, file in scan(folder).items() if path != "log"}

    def run(self, folder, fault=""):
        """Returns the exit code, the errors and the calls of a run."""
        log = Path(folder) / "log"
        log.unlink(missing_ok=True)
        process = self.work.run(folder, [*self.work.words(0), "--threads", "1", *self.work.alone],
                                 LD_PRELOAD=str(self.work.library), FROST_FAULT=fault, FROST_FAULT_LOG=str(log))
        errors = process.communicate(timeout=60)[1]
        return process.returncode, errors, log.read_text().split()

    def check(self, fault):
        """Runs frost with faults, and again without. Returns the calls of the first run."""
        with Folder() as folder:
            self.work.prepare(folder)
            code, errors, names = self.run(folder, fault)
            found = self.files(folder)
            where = f"{fault}: exit code {code}, {errors!r}"
            killed = code == -signal.SIGKILL
            assert killed or code in CODES, where
            temporary = {path for path in found if self.work.is_temporary(path)}
            assert killed or "unlink" in fault or not temporary, f"{where}: left {temporary}"
            assert found.keys() <= self.old.keys() | self.new.keys() | temporary, f"{where}: {found.keys()}"
            # If a key was kept, it is used, unless it cannot be read or may not be durable.
            kept = self.work.key in found and "is damaged" not in errors and "fsync" not in fault and "open" not in fault
            assert not kept or WARNED not in errors, where
            # The age at which a file of a folder for state or caches is a leftover.
            for path in temporary:
                os.utime(folder / path, (time.time() - 7200,) * 2)
            again = self.run(folder)
            assert again[0] == 0, f"{where}: then {again}"
            new = self.files(folder)
            assert new.keys() == self.new.keys(), f"{where}: then {sorted(new.keys() ^ self.new.keys())}"
            if not self.work.key:
                assert all(new[path] == self.new[path] for path in self.outputs), f"{where}: then other bytes"
            for path in self.old.keys() - set(self.outputs) - set(self.apart):
                assert found.get(path) == new[path] == self.old[path], f"{where}: {path} has changed"
            done = 0
            for path in self.outputs:
                is_new = found.get(path) == new[path]
                # A run that could not keep a key, and says so, has outputs of its own key.
                is_other = self.work.key and WARNED in errors and found.get(path, (b"",))[0].endswith(b"IEND\xaeB`\x82")
                assert is_new or is_other or found.get(path) == self.old.get(path), f"{where}: {path} is neither old nor new"
                assert is_new or is_other or code != 0, f"{where}: {path} is not new"
                done += is_new or bool(is_other)
            self.states["killed" if killed else "done" if code == 0 else "failed", done] += 1
            return names

    def cases(self, rng):
        """Yields all pairs of faults in random order of the first one, each as soon as the first fault is known."""
        first = [(index, f"{name}:{number}:{error}") for index, (name, number) in enumerate(points(self.names))
                 for error in ERRORS]
        rng.shuffle(first)
        for index, fault in first:
            names = self.check(fault)
            second = [f"{name}:{number}:{what}" for name, number in list(points(names))[index + 1:]
                      for what in (*ERRORS, *KILLS)]
            rng.shuffle(second)
            yield fault, second

    def every(self, limit, seed=1):
        """Checks pairs of faults, at most `limit`. Returns their number."""
        rng, count = random.Random(seed), 0
        all_cases = self.cases(rng)
        share = max(1, limit // (2 * len(self.names)))
        for fault, second in all_cases:
            for other in second[:share] if limit else second:
                self.check(f"{fault},{other}")
                count += 1
                if limit and count >= limit:
                    return count
        return count
