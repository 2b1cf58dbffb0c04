#!/usr/bin/env python3
"""Tests that frost never damages files: however frost ends, an output is either the old file or the complete new one.

    files.py --frost PATH [--quick] [--only TEXT] [--junit FILE]

The tests kill frost at each system call that writes a file, make each of these calls fail, send signals, measure the memory
of whole commands, and check which libraries a start opens. Cases that need strace are skipped if strace is missing or not permitted.
"""

import errno
import os
import resource
import signal
import stat
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.dont_write_bytecode = True

import cv2
import numpy as np
from PIL import Image

import interrupts
from interrupts import leftovers
from launch import launch
from report import Cases

OLD = b"what stood there before"
# This effect takes seconds.
SLOW = ["effect", "zoom", "slow.png", "--amount", "100"]


class Folder(tempfile.TemporaryDirectory):
    """A temporary folder for pictures, as a Path."""

    def __enter__(self):
        return Path(super().__enter__())


def picture(path, width, height, seed=1):
    noise = np.random.default_rng(seed).integers(0, 256, (height, width, 3), "u1")
    if path.suffix == ".qoi":       # OpenCV cannot write QOI
        Image.fromarray(noise).save(path, colorspace="sRGB")
        return path
    more = [cv2.IMWRITE_PNG_COMPRESSION, 1] if path.suffix == ".png" else []
    assert cv2.imwrite(str(path), noise, more)
    return path


def run(words, cwd, **options):
    return subprocess.run(words, cwd=cwd, **{"capture_output": True, "text": True, "timeout": 120, **options})


def names(folder):
    return sorted(path.name for path in folder.iterdir())


# --- System calls that write a file ------------------------------------------------------------------

class Write:
    """One way to write a picture: its format, and whether it replaces an old file or is written into a new folder."""

    def __init__(self, frost, suffix, replaces, size=(300, 200), threads=1):
        self.size, self.suffix, self.replaces = size, suffix, replaces
        self.output = f"out.{suffix}" if replaces else f"new/folder/a.{suffix}"
        names = [f"in/a.{suffix}", "-o", self.output] if replaces else ["-r", "in", "-o", "new/folder/", "--force"]
        self.words = [frost, "blur", *names, "--sigma", "2", "--threads", str(threads), "-q"]

    def prepare(self, folder):
        (folder / "in").mkdir()
        picture(folder / "in" / f"a.{self.suffix}", *self.size)
        if self.replaces:
            (folder / self.output).write_bytes(OLD)
            (folder / self.output).chmod(0o640)

    def old(self, folder):
        path = folder / self.output
        return path.exists() and path.read_bytes() == OLD if self.replaces else not path.exists()

    def points(self):
        """Returns the system calls of the run, and the bytes of the picture that they write."""
        with Folder() as folder:
            self.prepare(folder)
            found = interrupts.points(self.words, folder)
            assert {"openat", "write", "fsync", "close", "rename"} <= {point.name for point in found}, found
            return found, (folder / self.output).read_bytes()

    def is_new(self, folder, new):
        path = folder / self.output
        if not path.exists() or path.read_bytes() != new:
            return False
        return not self.replaces or stat.S_IMODE(path.stat().st_mode) == 0o640


def killed(write):
    interrupts.require()
    points, new = write.points()
    seen = set()
    for point in points:
        with Folder() as folder:
            write.prepare(folder)
            done = interrupts.inject(write.words, point, "signal=KILL", folder)
            assert done.returncode in (-9, 137), (point, done)
            state = "old" if write.old(folder) else "new" if write.is_new(folder, new) else "broken"
            left = leftovers(folder)
            assert state != "broken", f"{point}: the output is neither old nor new"
            seen.add((state, len(left)))
            done = run(write.words, folder)
            assert done.returncode == 0, (point, done.stderr)
            assert write.is_new(folder, new), f"{point}: the next run wrote something else"
            assert not leftovers(folder), f"{point}: the next run left {leftovers(folder)}"
    # Each of these states must occur. They show that some runs were killed before the file was written, some while it was
    # written, and some afterwards.
    assert seen == {("old", 0), ("old", 1), ("new", 0)}, seen


# If one of these calls fails before the rename, frost must report an error. All other calls are optional, such as a lock on
# the file. After the rename only the fsync of the folder counts: if the disk refuses it, the file is new, but may not be
# durable, which is an error, too.
FATAL = {"fchown", "fchmod", "openat", "write", "fsync", "close", "rename"}


def failing(write, errors):
    interrupts.require()
    points, new = write.points()
    standing = next(index for index, point in enumerate(points) if point.name == "rename")
    for index, point in enumerate(points):
        for name in errors:
            with Folder() as folder:
                write.prepare(folder)
                done = interrupts.inject(write.words, point, f"error={name}", folder)
                where = f"{name} at {point.name} {point.ordinal} ({point.text[:60]}): {done.returncode} {done.stderr}"
                assert not leftovers(folder), f"{where}: left {leftovers(folder)}"
                is_folder = index > standing and point.name in ("openat", "fsync") and name in ("ENOSPC", "EIO", "EDQUOT")
                if is_folder or point.name in FATAL and index <= standing and name != "EINTR":
                    reason = os.strerror(getattr(errno, name))
                    assert done.returncode == 6, where
                    assert done.stderr == f"frost: {write.output}: cannot be written: {reason}\n", where
                    assert write.is_new(folder, new) if is_folder else write.old(folder), f"{where}: another file"
                elif name != "EINTR" or point.name in ("write", "close"):
                    assert done.returncode == 0, where
                    assert (folder / write.output).read_bytes() == new, f"{where}: the picture is another"


def size_limit(frost):
    """Tests a limited file size (`ulimit -f`). The system kills a process that writes a larger file, unless the process
    handles or ignores the signal."""
    with Folder() as folder:
        picture(folder / "in.png", 300, 200)
        (folder / "out.png").write_bytes(OLD)
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
        done = run([frost, "blur", "in.png", "-o", "out.png", "--sigma", "0"], folder, preexec_fn=limit)
        assert done.returncode == 6, done
        assert done.stderr == f"frost: out.png: cannot be written: {os.strerror(errno.EFBIG)}\n", done.stderr
        assert (folder / "out.png").read_bytes() == OLD and names(folder) == ["in.png", "out.png"], names(folder)


# --- Leftover temporary files ------------------------------------------------------------------------

def others(frost):
    """Checks that frost removes only temporary files whose process has ended. It recognises them by the process ID in the
    file's name, and by the missing lock: a process locks the file that it writes."""
    gone = subprocess.Popen(["true"])
    gone.wait()
    with Folder() as folder, subprocess.Popen(["sleep", "60"]) as living:
        picture(folder / "in.png", 60, 40)
        dead = f".a-b.png.frost-{gone.pid}-1x.tmp"
        stays = [f".a.png.frost-{living.pid}-1x.tmp", f".locked.png.frost-{gone.pid}-1x.tmp", f"a.frost-{gone.pid}-1x.tmp",
                 f".a.png.frost-{gone.pid}-1x.png", f".a.png.frost-{gone.pid}.tmp", ".a.png.frost-0-1x.tmp",
                 ".a.png.frost--5-1x.tmp", f".a.png.frost-{gone.pid}-X!.tmp", f".frosty-{gone.pid}-1x.tmp"]
        for name in [dead, *stays]:
            (folder / name).write_bytes(b"part")
        with open(folder / stays[1]) as locked:
            import fcntl
            fcntl.flock(locked, fcntl.LOCK_EX)
            done = run([frost, "blur", "in.png", "-o", "out.png", "--sigma", "1"], folder)
        living.terminate()
        assert done.returncode == 0, done
        assert names(folder) == sorted(["in.png", "out.png", *stays]), names(folder)


def own_number(frost):
    """Checks that frost also removes a leftover file whose name has frost's own process ID. In a container, every run may
    have the same process ID."""
    with Folder() as folder:
        picture(folder / "in.png", 60, 40)
        script = ': > ".a.png.frost-$$-1x.tmp"; exec "$0" blur in.png -o out.png --sigma 1 -q'
        done = run(["sh", "-c", script, frost], folder)
        assert done.returncode == 0 and names(folder) == ["in.png", "out.png"], (done, names(folder))


def at_once(frost):
    """Checks that a run in the same folder does not remove the file that another run is writing."""
    with Folder() as folder:
        data = picture(folder / "in.png", 600, 400).read_bytes()
        first = subprocess.Popen([frost, "blur", "-", "-o", "first.png", "--sigma", "2", "-q"], cwd=folder,
                                 stdin=subprocess.PIPE)
        first.stdin.write(data[: len(data) // 2])
        first.stdin.flush()
        wait_for(lambda: leftovers(folder))
        done = run([frost, "blur", "in.png", "-o", "second.png", "--sigma", "2", "-q"], folder)
        assert done.returncode == 0 and len(leftovers(folder)) == 1, (done, names(folder))
        first.communicate(data[len(data) // 2:])
        assert first.returncode == 0 and names(folder) == ["first.png", "in.png", "second.png"], names(folder)
        assert (folder / "first.png").read_bytes() == (folder / "second.png").read_bytes()


# --- Signals -----------------------------------------------------------------------------------------

def wait_for(condition, seconds=20):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "nothing happened"
        time.sleep(0.002)


def single(frost, number):
    """Checks that a signal during a single picture removes the partial file and keeps the old one."""
    with Folder() as folder:
        data = picture(folder / "slow.png", 3000, 2000).read_bytes()
        (folder / "out.png").write_bytes(OLD)
        for words in (SLOW, ["blur", "-", "--sigma", "8"]):
            process = subprocess.Popen([frost, *words, "-o", "out.png"], cwd=folder, stdin=subprocess.PIPE,
                                       stderr=subprocess.PIPE)
            if words is SLOW:
                time.sleep(0.3)
            else:
                # frost processes the rows as a stream, so it has already written a part of the output.
                process.stdin.write(data[: len(data) // 2])
                process.stdin.flush()
                wait_for(lambda: leftovers(folder))
            process.send_signal(number)
            began = time.monotonic()
            message = process.stderr.read()
            assert process.wait() == -number and not message, (words, process.returncode, message)
            assert time.monotonic() - began < 1, "it took more than a second"
            process.stdin.close()
            assert names(folder) == ["out.png", "slow.png"], names(folder)
            assert (folder / "out.png").read_bytes() == OLD


def ignored(frost):
    """Checks that a signal that the parent ignores, as nohup does, stays ignored."""
    with Folder() as folder:
        data = picture(folder / "in.png", 300, 200).read_bytes()
        for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
            process = subprocess.Popen([frost, "blur", "-", "-o", "out.png", "--sigma", "1", "-q"], cwd=folder,
                                       stdin=subprocess.PIPE, preexec_fn=lambda: signal.signal(number, signal.SIG_IGN))
            process.stdin.write(data[:1000])
            process.stdin.flush()
            time.sleep(0.1)
            process.send_signal(number)
            time.sleep(0.05)
            process.communicate(data[1000:])
            assert process.returncode == 0, (number, process.returncode)


def pipe(frost):
    """Checks that frost ends silently by SIGPIPE if the reader closes the pipe, as other programs do."""
    with Folder() as folder:
        picture(folder / "in.png", 600, 400)
        for more in ([], ["--rect", "0,0,9,9"]):
            process = subprocess.Popen([frost, "blur", "in.png", "-o", "-", "--sigma", "2", *more], cwd=folder,
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            process.stdout.read(1)
            process.stdout.close()
            message = process.stderr.read()
            assert process.wait() == -signal.SIGPIPE and not message, (process.returncode, message)


# --- Resources of whole commands ---------------------------------------------------------------------

def peak(frost, suffix):
    """Checks that the peak memory is at most 24 MiB plus 1.5 times the size of the picture as RGBA."""
    width, height = 3840, 2160
    limit = 1.5 * width * height * 4 + (24 << 20)
    with Folder() as folder:
        picture(folder / f"in.{suffix}", width, height)
        for sigma in ("8", "30"):
            done = launch([frost, "blur", f"in.{suffix}", "-o", f"out.{suffix}", "--sigma", sigma, "-q"], cwd=folder)
            assert done.code == 0, done
            print(f"4K {suffix}, sigma {sigma}: {done.peak >> 20} of {int(limit) >> 20} MiB, {done.wall * 1000:.0f} ms")
            assert done.peak <= limit, f"sigma {sigma}: {done.peak >> 20} of {int(limit) >> 20} MiB"


def start(frost):
    """--version opens no library but those that the program is linked with: drivers and codecs would take most of the time."""
    linked = subprocess.run([frost], env={"LD_TRACE_LOADED_OBJECTS": "1"}, capture_output=True, text=True, check=True)
    log = subprocess.run(
        [frost, "--version"], env=os.environ | {"LD_DEBUG": "files"}, capture_output=True, text=True, check=True)
    opened = {line.split("calling init: ")[1] for line in log.stderr.splitlines() if "calling init: " in line}
    assert any("libc.so" in path for path in opened), log.stderr
    others = {path for path in opened if path not in linked.stdout}
    assert not others, others
    best = min(launch([frost, "--version"]).wall for _ in range(20))
    print(f"frost --version: {best * 1000:.1f} ms")


def main():
    cases = Cases("files", __doc__)
    frost, quick = cases.frost, cases.options.quick
    for suffix, replaces in [("png", True), ("jpg", False)] if quick else [
            (suffix, replaces) for suffix in ("png", "jpg", "webp", "qoi", "ppm") for replaces in (True, False)]:
        way = f"{suffix} {'over an old file' if replaces else 'into a new folder'}"
        write = Write(frost, suffix, replaces)
        cases.run(f"killed: {way}", killed, write)
        cases.run(f"errors: {way}", failing, write, ("ENOSPC",) if quick else ("ENOSPC", "EIO", "EFBIG", "EDQUOT", "EINTR"))
    if not quick:
        cases.run("killed: a large PNG", killed, Write(frost, "png", True, (1500, 1000)))
        cases.run("errors: a large PNG", failing, Write(frost, "png", True, (1500, 1000)), ("ENOSPC", "EIO"))
    cases.run("a limit on the size of files", size_limit, frost)
    cases.run("files of others", others, frost)
    cases.run("a leftover of the same process number", own_number, frost)
    cases.run("two runs at once", at_once, frost)
    for number in (signal.SIGTERM,) if quick else (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        cases.run(f"one picture and {number.name}", single, frost, number)
    cases.run("ignored signals", ignored, frost)
    cases.run("a pipe that is closed", pipe, frost)
    for suffix in ("png", "jpg"):
        cases.run(f"memory of a 4K {suffix}", peak, frost, suffix)
    cases.run("start", start, frost)
    cases.finish()


if __name__ == "__main__":
    main()
