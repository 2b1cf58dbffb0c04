#!/usr/bin/env python3
"""Tests that a power failure, at any moment, leaves each file of frost old or new, and never neither.

    powerloss.py --frost PATH --faults LIBRARY [--losses N] [--quick] [--only TEXT] [--junit FILE]

Real runs of frost are recorded with the library that Tools/lib/setup.sh builds of Tests/faulty-files. From the records
disk.py computes what a power failure after any call may leave on the disk, and each such state must obey these laws:

- An output has its old bytes and permissions, or the new ones. A new output may be missing.
- Each complete line of a manifest names an output that is there, and no line of an earlier run is lost.
- If an output of redact is there, so is its key.
- Nothing else has changed, except temporary files, which the next run deletes, and files of caches.
- After frost has reported a result with --json, and after it has ended with exit code 0, the new files are there.

From some of the states frost then starts again. It must succeed with the same outputs.
"""

import copy
import errno
import json
import os
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path

sys.dont_write_bytecode = True

from disk import Call, Disk, parse, scan
from double_faults import WARNED, DoubleFaults
from files import Folder
from recorded_work import WORKS, NewFolders, Redaction, Replacing
from report import Cases


class Recording:
    def __init__(self, work, before, folders, calls, after, succeeded, warned):
        self.work, self.before, self.folders, self.calls, self.succeeded = work, before, folders, calls, succeeded
        # A run that cannot keep a key warns of that, and uses a key of its own.
        self.key = None if warned else work.key
        self.old = {path: file[:2] for path, file in before.items()}
        self.new = {path: file[:2] for path, file in after.items()}
        caches = tuple(f"{folder}/" for folder in work.caches)
        self.is_cache = lambda path: path.startswith(caches) if caches else False
        apart = {work.manifest, work.key}
        self.outputs = {path for path, file in self.new.items()
                        if self.old.get(path) != file and path not in apart and not self.is_cache(path)}
        # A call that the library does not know would be missing here.
        disk = Disk(before, folders)
        for call in calls:
            disk.apply(call)
        assert disk.files() == self.new, "the calls do not lead to the files of the run"

    def entries(self, files):
        """Returns the objects of the complete lines of a manifest."""
        found = []
        for line in files.get(self.work.manifest, (b"", 0))[0].split(b"\n")[:-1]:
            try:
                found.append(json.loads(line))
            except ValueError:
                pass
        return [entry for entry in found if isinstance(entry, dict) and "outputHash" in entry]

    def fault(self, files, said, ended):
        """Returns how a state breaks a law; None if it does not.

        :param said: the outputs that frost has reported as done.
        :param ended: whether the run has ended.
        """
        for path in files.keys() | self.old.keys() | self.new.keys():
            old, new, found = (held.get(path) for held in (self.old, self.new, files))
            if path == self.work.manifest or self.is_cache(path) or self.work.is_temporary(path):
                continue
            if found != old and found != new:
                return f"{path} is neither old nor new"
            if found != new and (path in said or ended) and (path != self.work.key or self.key):
                return f"{path} was lost after it was reported"
        made = {path for path in self.outputs if files.get(path) == self.new[path]}
        if self.key and made and self.key not in files:
            return f"there is {min(made)}, and no key"
        if self.work.manifest:
            if ended and files.get(self.work.manifest) != self.new[self.work.manifest]:
                return "the manifest is not complete after the run"
            entries = self.entries(files)
            if any(entry not in entries for entry in self.entries(self.old)):
                return "a line of an earlier run is lost"
            missing = [entry["output"] for entry in entries if entry["output"] not in files]
            if missing:
                return f"the manifest names {missing[0]}, which is missing"
        return None

    def losses(self, count, seed=1):
        """Draws states after power failures, as many after each call. Yields the files, the folders, and how they break a
        law."""
        disk, rng, said = Disk(self.before, self.folders), random.Random(seed), set()
        for number in range(len(self.calls) + 1):
            if number:
                call = self.calls[number - 1]
                disk.apply(call)
                if call.what == "say" and call.number == 1:
                    said |= {result["output"] for result in results(call.bytes) if result.get("status") == "ok"}
            share = (number + 1) * count // (len(self.calls) + 1) - number * count // (len(self.calls) + 1)
            for draw in range(share):
                typical = Disk.TYPICAL[draw] if draw < len(Disk.TYPICAL) and share > 2 * len(Disk.TYPICAL) else ()
                files, folders = disk.drawn(rng, *typical)
                fault = self.fault(files, said, self.succeeded and number == len(self.calls))
                yield files, folders, fault

    def broken(self, count):
        return Counter(fault for *_, fault in self.losses(count) if fault)


def results(lines):
    for line in lines.splitlines():
        try:
            yield json.loads(line)
        except ValueError:
            pass


def record(work, **variables):
    """Runs frost, and records its calls.

    :param variables: those that ask for a fault.
    """
    with Folder() as place:
        folder = Path(os.path.realpath(place)) / "disk"
        folder.mkdir()
        work.prepare(folder)
        before = scan(folder)
        folders = [str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_dir()]
        calls = folder.parent / "calls"
        started = [
            work.run(folder, work.words(index), LD_PRELOAD=str(work.library), FROST_FAULT_JOURNAL=str(calls),
                     FROST_FAULT_BELOW=str(folder), **variables) for index in range(work.processes)]
        ended = [(process.communicate(timeout=120), process.returncode) for process in started]
        succeeded = all(code == 0 for _, code in ended)
        assert succeeded or variables, ended
        warned = any(WARNED in errors for (_, errors), _ in ended)
        return Recording(work, before, folders, parse(calls.read_bytes(), folder), scan(folder), succeeded, warned)


# --- Cases -------------------------------------------------------------------------------------------

def restore(work, folder, files, folders):
    """Makes the files that a power failure left."""
    work.prepare(folder)
    for path in scan(folder):
        (folder / path).unlink()
    for path in sorted(folders):
        (folder / path).mkdir(exist_ok=True)
    for path, (content, mode) in files.items():
        (folder / path).write_bytes(content)
        (folder / path).chmod(mode)


def recover(recording, files, folders):
    """Starts frost on the files that a power failure left, and checks that it makes the same outputs."""
    work = recording.work
    with Folder() as folder:
        folder = Path(os.path.realpath(folder))
        restore(work, folder, files, folders)
        for index in range(work.processes):
            process = work.run(folder, work.words(index))
            ended = process.communicate(timeout=120)
            assert process.returncode == 0, (files.keys(), ended)
        found = {path: file[:2] for path, file in scan(folder).items()}
        # A key that was lost before an output was made is made again.
        if work.key is None or work.key in files:
            for path in recording.outputs.difference(work.varies):
                assert found.get(path) == recording.new[path], f"the next run wrote another {path}"
        assert recording.outputs <= found.keys(), found.keys()
        folders = {os.path.dirname(path) for path in recording.outputs}
        left = [path for path in found if work.is_temporary(path) and os.path.dirname(path) in folders]
        assert not left, f"the next run left {left}"
        if work.manifest:
            process = work.run(folder, work.words(0))
            skipped = [result.get("skipped") for result in results(process.communicate()[0])][-1]
            assert skipped == len(recording.outputs), f"--resume skipped {skipped} results"


def power_failures(work, losses, recoveries):
    recording = record(work)
    faults, states, distinct, rng = Counter(), [], set(), random.Random(2)
    for files, folders, fault in recording.losses(losses):
        if fault:
            faults[fault] += 1
        digest = hash(frozenset(files.items()))
        if digest not in distinct:
            distinct.add(digest)
            states.append((files, folders))
    assert not faults, f"{faults.total()} of {losses} states: {faults.most_common(3)}"
    is_damaged = lambda path, file: (recording.is_cache(path) and not work.is_temporary(path)
                                     and file not in (recording.old.get(path), recording.new[path]))
    damaged = [state for state in states if any(is_damaged(path, file) for path, file in state[0].items())]
    chosen = rng.sample(damaged or states, min(recoveries, len(damaged or states)))
    for state in chosen:
        recover(recording, *state)
    print(f"{work.title}: {len(recording.calls)} calls, {losses} power failures, {len(states)} different states, "
          f"{len(damaged)} with damaged caches, {len(chosen)} recoveries")


def again(work, losses, count):
    """The power fails again while frost continues after a power failure."""
    states = [(files, folders) for files, folders, _ in record(work).losses(losses)]
    for files, folders in random.Random(4).sample(states, count):
        second = copy.copy(work)
        second.prepare = lambda folder: restore(work, folder, files, folders)
        faults = record(second).broken(losses // count)
        assert not faults, faults
    print(f"{work.title}: {losses // count * count} second power failures")


def after_faults(work, losses, count):
    """A call fails, and then the power."""
    whole = record(work)
    rng, number = random.Random(3), 0
    for _ in range(count):
        call = rng.choice(["open", "write", "fsync", "close", "rename", "mkdir", "link", "unlink", "fchmod"])
        fault = f"{call}:{rng.randint(1, 9)}:{rng.choice([errno.ENOSPC, errno.EIO])}"
        recording = record(work, FROST_FAULT=fault)
        if work.key is None:
            for path in recording.outputs:
                assert recording.new[path] == whole.new.get(path), f"{fault}: {path} is neither old nor new"
        faults = recording.broken(losses // count)
        assert not faults, f"{fault}: {faults}"
        number += losses // count
    print(f"{work.title}: {number} power failures after {count} faults")


def unreadable_input(work):
    """A file of a folder is not left out in silence if the disk fails."""
    DoubleFaults(work).check(f"lstat:1:{errno.EIO}")


def page_link(frost, library):
    """A file that could not be written whole is not left for the browser."""
    with Folder() as folder:
        environment = {**os.environ, "DISPLAY": ":9", "XDG_RUNTIME_DIR": str(folder), "PATH": "", "LD_PRELOAD": library,
                       "FROST_FAULT": f"write:1:{errno.ENOSPC}"}
        with subprocess.Popen([frost, "open"], env=environment, stderr=subprocess.PIPE, text=True,
                              stdout=subprocess.DEVNULL) as process:
            assert "no browser could be opened" in process.stderr.readline()
            left = os.listdir(folder)
            process.terminate()
        assert not left, left


def two_faults(work, limit):
    double = DoubleFaults(work)
    count = double.every(limit)
    print(f"{work.title}: {count} pairs of faults; {dict(double.states)}")


# --- Tests of the test -------------------------------------------------------------------------------

def notices(recording, what, calls):
    """A power failure must break a law if these were the calls."""
    real, recording.calls = recording.calls, calls
    try:
        assert recording.broken(400), f"{what} is not noticed"
    finally:
        recording.calls = real


def without(calls, *kinds):
    return [call for call in calls if call.what not in kinds]


def late(calls):
    """Moves each fsync of a file behind the rename."""
    calls = list(calls)
    for index in range(len(calls) - 1):
        if calls[index].what == "sync" and calls[index + 1].what == "rename":
            calls[index], calls[index + 1] = calls[index + 1], calls[index]
    return calls


def in_place(recording):
    """Returns the calls of a program that empties the output, and writes to it."""
    old = recording.before["out.png"][2]
    calls = [call._replace(inode=old) if call.inode else call for call in recording.calls if call.what != "rename"]
    return [Call("truncate", old) if call.what == "create" else call for call in calls]


def test_of_the_test(frost, library):
    replacing, *others = (record(work(frost, library)) for work in (Replacing, NewFolders, Redaction))
    for recording in (replacing, *others):
        faults = recording.broken(400)
        assert not faults, faults
        notices(recording, "an fsync of files without effect", without(recording.calls, "sync"))
        notices(recording, "an fsync of folders without effect", without(recording.calls, "syncdir"))
    notices(replacing, "a rename before the fsync", late(replacing.calls))
    notices(replacing, "a file that is written in place", in_place(replacing))
    # What users see most often without fsync: an empty file.
    disk = Disk(replacing.before, replacing.folders)
    for call in without(replacing.calls, "sync", "syncdir"):
        disk.apply(call)
    empty = [path for path, file in disk.drawn(random.Random(1), "all", "none")[0].items() if not file[0]]
    assert empty == ["out.png"], empty


def kept_key(work):
    """A key that was kept is used, even if its temporary file cannot be deleted. A later run deletes that file."""
    double = DoubleFaults(work)
    for fault in (f"unlink:1:{errno.EIO}", "link:1:before", "link:1:after"):
        double.check(fault)


def main():
    arguments = [("--faults", {"required": True, "help": "the library of Tests/faulty-files"}),
                 ("--losses", {"type": int, "default": 10000, "help": "the number of power failures"})]
    cases = Cases("powerloss", __doc__, arguments)
    library, quick = os.path.abspath(cases.options.faults), cases.options.quick
    losses = -(-cases.options.losses // len(WORKS) // (5 if quick else 1))
    cases.run("the test notices an fsync without effect", test_of_the_test, cases.frost, library)
    for work in WORKS:
        cases.run(f"power failures: {work.title}", power_failures, work(cases.frost, library), losses, 2 if quick else 20)
    for work in (Replacing, NewFolders, Redaction):
        cases.run(f"a fault and a power failure: {work.title}", after_faults, work(cases.frost, library),
                  200 if quick else 2000, 4 if quick else 100)
    for work in (NewFolders, Redaction):
        cases.run(f"two power failures: {work.title}", again, work(cases.frost, library), 200 if quick else 2000,
                  4 if quick else 40)
    cases.run("an input that cannot be examined", unreadable_input, Redaction(cases.frost, library))
    cases.run("the file that opens a page", page_link, cases.frost, library)
    cases.run("a key that was kept", kept_key, Redaction(cases.frost, library))
    for work in (Replacing, NewFolders, Redaction):
        cases.run(f"two faults: {work.title}", two_faults, work(cases.frost, library), 16 if quick else 3000)
    cases.finish()


if __name__ == "__main__":
    main()
