"""Uses strace to kill frost at a chosen system call, or to make the call fail."""

import re
import shutil
import subprocess
import tempfile
from collections import Counter, namedtuple
from pathlib import Path

from report import Skipped

# The system calls with which frost writes a file, from the creation of the temporary file to the synchronisation of the
# folder.
CALLS = "openat,write,fchmod,fchown,flock,fsync,close,rename,mkdir,unlink"

# A system call. It is identified by its name and its ordinal. As in strace, the ordinal counts the calls of this name that
# one thread has made.
Point = namedtuple("Point", "name ordinal text")


def require():
    if not shutil.which("strace"):
        raise Skipped("strace is not installed")
    done = subprocess.run(["strace", "-f", "-qq", "-o", "/dev/null", "true"], capture_output=True, text=True)
    if done.returncode:
        raise Skipped(f"tracing is not permitted here: {done.stderr.strip()}")


def points(words, cwd):
    """Runs the program to its end and returns its system calls in order. The first of them creates the first temporary
    file."""
    with tempfile.NamedTemporaryFile("r") as log:
        subprocess.run(["strace", "-f", "-qq", "-o", log.name, "-e", f"trace={CALLS}", *words], cwd=cwd, check=True,
                       capture_output=True)
        counts, found = Counter(), []
        for line in log:
            call = re.match(r"(\d+) +(\w+)\((.*)", line)
            if not call:
                continue
            thread, name, text = call.groups()
            counts[thread, name] += 1
            if found or ".frost-" in text:
                found.append(Point(name, counts[thread, name], text.strip()))
    return found


def inject(words, point, what, cwd):
    """Runs the program and injects a fault at one system call. `what` is the fault as strace names it, such as
    signal=KILL or error=EIO."""
    return subprocess.run(["strace", "-f", "-qq", "-o", "/dev/null", "-e",
                           f"inject={point.name}:{what}:when={point.ordinal}", *words], cwd=cwd, capture_output=True,
                          text=True, timeout=120)


def leftovers(folder):
    return sorted(str(path) for path in Path(folder).rglob(".*.frost-*"))
