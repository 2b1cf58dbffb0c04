"""What ends frost at a chosen system call: strace, which kills it there or makes the call fail."""

import re
import shutil
import subprocess
import tempfile
from collections import Counter, namedtuple
from pathlib import Path

from report import Skipped

# What the way to a file is made of, from the temporary file to the synced folder.
CALLS = "openat,write,fchmod,fchown,flock,fsync,close,rename,mkdir,unlink"

# One of the calls: the `ordinal`-th of its name in its thread, which is how strace counts.
Point = namedtuple("Point", "name ordinal text")


def require():
    if not shutil.which("strace"):
        raise Skipped("strace is not installed")
    done = subprocess.run(["strace", "-f", "-qq", "-o", "/dev/null", "true"], capture_output=True, text=True)
    if done.returncode:
        raise Skipped(f"tracing is not permitted here: {done.stderr.strip()}")


def points(words, cwd):
    """The calls that a run makes from the first temporary file on, in order. Runs to the end."""
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
    """Runs with `what`, such as signal=KILL or error=EIO, at a call."""
    return subprocess.run(["strace", "-f", "-qq", "-o", "/dev/null", "-e",
                           f"inject={point.name}:{what}:when={point.ordinal}", *words], cwd=cwd, capture_output=True,
                          text=True, timeout=120)


def leftovers(folder):
    return sorted(str(path) for path in Path(folder).rglob(".*.frost-*"))
