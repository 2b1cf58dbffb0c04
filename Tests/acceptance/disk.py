"""A model of what a disk may hold after a power failure, given the calls that changed files before it.

`parse` reads the record that Tests/faulty-files makes of a program's calls. Disk takes these calls one after the other, and
draws states that a power failure after the last call may leave. The model is meant to be no better than any file system of
Linux:

- fsync of a file makes its content, its size and its permissions durable, but not its name. fsync of a folder makes the names
  in it durable, but not its own name.
- Of content that is not durable, each sector of 512 bytes, or each page of 4,096, has any of the versions that it had since
  the last fsync, independently of all others. The size is any of the sizes since then. Bytes of the file that were never
  written are zero, or are bytes of deleted files.
- Changes of names that are not durable happen or do not happen. In the order "any", each does so on its own, except that
  changes of one name keep their order; in the order "calls", as in a journal, only a change whose predecessors all happened
  can have happened. A rename happens as a whole.
- A file whose folder is missing is missing.

Times, owners and extended attributes are left out.
"""

import itertools
import os
import stat
from collections import namedtuple
from pathlib import Path

SECTORS = (512, 4096)

# A call that changed files. `path` is relative to the folder of the disk; "" is that folder itself.
Call = namedtuple("Call", "what inode number path other bytes", defaults=(0, 0, None, None, b""))


def parse(record, root):
    """Returns the calls of a record (see Tests/faulty-files/journal.h) about the files below a folder."""
    calls, place = [], 0
    relative = lambda path: os.path.relpath(os.fsdecode(path), root) if os.fsdecode(path) != str(root) else ""
    while place < len(record):
        end = record.index(b"\n", place)
        what, *numbers = record[place:end].decode().split()
        inode, number, first, second = map(int, numbers)
        one, two = record[end + 1:end + 1 + first], record[end + 1 + first:end + 1 + first + second]
        place = end + 1 + first + second
        is_named = what in ("create", "mkdir", "syncdir", "rename", "link", "unlink")
        calls.append(Call(what, inode, number, relative(one) if is_named else None, relative(two) if second else None,
                          b"" if is_named else one))
    return calls


def scan(root):
    """Returns the regular files below a folder: their content, permissions and inode, by relative path."""
    found = {}
    for path in sorted(Path(root).rglob("*")):
        status = path.lstat()
        if stat.S_ISREG(status.st_mode):
            found[str(path.relative_to(root))] = (path.read_bytes(), stat.S_IMODE(status.st_mode), status.st_ino)
    return found


class File:
    """A file, with its durable content and all that happened to it since."""

    def __init__(self, content=b"", mode=0):
        self.content, self.mode = content, mode
        self.pending = []       # ("write", offset, bytes), ("size", size) and ("mode", mode)

    def current(self):
        return self.drawn(None, "all")

    def sync(self, content, mode):
        """Makes the content durable. It is passed because another process may have written it."""
        self.content, self.mode, self.pending = content, mode, []

    def drawn(self, rng, data, sector=512):
        """Returns a content and permissions that the disk may hold. `data` is "none", "sizes", "all" or "any"."""
        if not self.pending or data == "none":
            return self.content, self.mode
        sizes, modes = [len(self.content)], [self.mode]
        for what, number, *bytes_ in self.pending:
            if what == "mode":
                modes.append(number)
            else:
                sizes.append(number if what == "size" else max(sizes[-1], number + len(bytes_[0])))
        size, mode = (rng.choice(sizes), rng.choice(modes)) if data == "any" else (sizes[-1], modes[-1])
        end = max(sizes)
        versions = {}           # of each sector: its start, and the contents that it had
        content = bytearray(self.content.ljust(end, b"\0"))
        # Deleted files may have had any bytes.
        if data == "any" and rng.random() < 0.5 and end > len(self.content):
            content[len(self.content):] = rng.randbytes(end - len(self.content))
        latest = bytearray(self.content.ljust(end, b"\0"))
        for what, number, *bytes_ in self.pending:
            if what == "size":
                latest[number:] = bytes(end - number)
                first, last = number, end
            elif what == "write":
                first, last = number, number + len(bytes_[0])
                latest[first:last] = bytes_[0]
            else:
                continue
            for start in range(first // sector * sector, last, sector):
                versions.setdefault(start, []).append(bytes(latest[start:start + sector]))
        if data == "all":
            content = latest
        elif data == "any":
            share = rng.choice((0.1, 0.5, 0.9))
            for start, contents in versions.items():
                if rng.random() < share:
                    content[start:start + sector] = rng.choice(contents)
        return bytes(content[:size]), mode


# A change of names: the path that gets a file or a folder, and the path that loses it.
Change = namedtuple("Change", "gains loses what")


class Names:
    """The paths of files and folders, those that are durable and the changes since."""

    FOLDER = "folder"

    def __init__(self, names, order):
        self.names, self.order, self.pending = dict(names), order, []

    def sync(self, folder):
        concerns = [any(path is not None and os.path.dirname(path) == folder for path in change[:2])
                    for change in self.pending]
        if self.order == "calls" and any(concerns):
            last = len(concerns) - concerns[::-1].index(True)
            concerns = [index < last for index in range(len(concerns))]
        self.names = self.applied(itertools.compress(self.pending, concerns))
        self.pending = [change for change, concern in zip(self.pending, concerns) if not concern]

    def applied(self, changes):
        names = dict(self.names)
        for gains, loses, what in changes:
            if loses is not None:
                names.pop(loses, None)
            if gains is not None:
                names[gains] = what
        return names

    def drawn(self, rng, which):
        """Returns names that the disk may hold. `which` is "none", "all" or "any"."""
        changes = [] if which == "none" else self.pending
        if which == "any" and self.order == "calls":
            changes = self.pending[:rng.randint(0, len(self.pending))]
        elif which == "any":
            share, changes, missing = rng.choice((0.2, 0.5, 0.8)), [], set()
            for change in self.pending:
                if missing.isdisjoint(change[:2]) and rng.random() < share:
                    changes.append(change)
                else:
                    missing.update(path for path in change[:2] if path is not None)
        names = self.applied(changes)
        present = {""}
        for path in sorted(names):
            if os.path.dirname(path) in present:
                present.add(path)
        return {path: what for path, what in names.items() if path in present}


class Disk:
    """The files below a folder before a program runs, and then what its calls do to them."""

    def __init__(self, files, folders):
        self.inodes = {inode: File(content, mode) for content, mode, inode in files.values()}
        self.current = {path: self.inodes[inode] for path, (_, _, inode) in files.items()}
        self.current |= {folder: Names.FOLDER for folder in folders}
        self.orders = [Names(self.current, order) for order in ("any", "calls")]

    def rename(self, gains, loses, what):
        for names in self.orders:
            names.pending.append(Change(gains, loses, what))
        if loses is not None:
            self.current.pop(loses, None)
        if gains is not None:
            self.current[gains] = what

    def apply(self, call):
        match call.what:
            case "create":
                self.inodes[call.inode] = File(mode=call.number)
                self.rename(call.path, None, self.inodes[call.inode])
            case "mkdir": self.rename(call.path, None, Names.FOLDER)
            case "rename": self.rename(call.other, call.path, self.current[call.path])
            case "link": self.rename(call.other, None, self.current[call.path])
            case "unlink": self.rename(None, call.path, None)
            case "write": self.inodes[call.inode].pending.append(("write", call.number, call.bytes))
            case "truncate": self.inodes[call.inode].pending.append(("size", call.number))
            case "chmod": self.inodes[call.inode].pending.append(("mode", call.number))
            case "sync": self.inodes[call.inode].sync(call.bytes, call.number)
            case "syncdir":
                for names in self.orders:
                    names.sync(call.path)
            case "say": pass
            case _: raise ValueError(f"unknown call {call.what}")

    def files(self):
        """Returns the content and permissions of all files, as the running system sees them."""
        return {path: what.current() for path, what in self.current.items() if what is not Names.FOLDER}

    # What a power failure leaves most often: the names of the last calls, and less of the content.
    TYPICAL = [("all", "none"), ("all", "sizes"), ("all", "all"), ("none", "none")]

    def drawn(self, rng, names="any", data="any"):
        """Returns the content and permissions of the files that a power failure now leaves, and the folders."""
        paths, sector = rng.choice(self.orders).drawn(rng, names), rng.choice(SECTORS)
        drawn = {}              # a file with two names has one content
        files = {path: drawn.setdefault(id(file), file.drawn(rng, data, sector)) for path, file in paths.items()
                 if file is not Names.FOLDER}
        return files, [path for path, file in paths.items() if file is Names.FOLDER]
