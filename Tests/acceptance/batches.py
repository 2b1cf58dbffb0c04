#!/usr/bin/env python3
"""Tests runs over many pictures, some of them damaged. Runs are interrupted, resumed, refused and divided into shards.

    batches.py --frost PATH [--quick] [--only TEXT] [--junit FILE]

There are 2,000 pictures of five formats, 20 of them broken; --quick uses 240. Files are compared bit for bit. Cases that
need strace are skipped if strace is missing or not permitted.
"""

import json
import os
import pty
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

sys.dont_write_bytecode = True

import interrupts
import mixed
from files import Folder, picture, run, wait_for
from interrupts import leftovers
from launch import launch
from report import Cases

ROOT = Path(__file__).resolve().parents[2]
OLD = b"what stood there before"
BLUR = ["blur", "--sigma", "2"]
# This effect takes half a second per picture.
SLOW = ["effect", "zoom", "--amount", "100"]
# The memory that a run over 2,000 pictures may need in addition to the memory of a run over 100 pictures. It is enough for
# the pictures' names, for one manifest line per picture, and for what the allocator keeps per thread. If frost kept every
# picture in memory, it would need 100 MiB.
FLAT = 8 << 20
# How often a run is repeated in which the system call that should kill it did not occur.
ATTEMPTS = 4


def tree(folder):
    """Returns the content of every file below a folder, by relative path."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(Path(folder).rglob("*"))
            if path.is_file()} if Path(folder).exists() else {}


def identity(path):
    status = os.stat(path)
    return status.st_ino, status.st_mtime_ns


def records(path):
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def notes(text):
    """Splits the lines of standard error. Returns the errors and warnings, and all other lines."""
    lines = text.splitlines()
    named = [line for line in lines if line.startswith("frost: ")]
    return named, [line for line in lines if line not in named]


class Mixed:
    """A folder of good and bad pictures, and the outputs of a run that was not disturbed."""

    def __init__(self, frost, folder, count, sample):
        self.frost, self.folder, self.count, self.sample = frost, folder, count, sample
        self.good, self.bad = mixed.make(folder / "in", count)
        self.whole = {}

    def words(self, output, *more):
        return [self.frost, *BLUR, "-r", "in", "-o", output, *more]

    def check(self, output, errors):
        """Checks that the outputs equal those of the undisturbed run, and that each bad picture is named by one line."""
        assert tree(self.folder / output) == self.whole, "the files differ from those of a run that was not disturbed"
        assert not leftovers(self.folder), leftovers(self.folder)
        lines, _ = notes(errors)
        for name in self.bad:
            assert sum(f"in/{name}: " in line for line in lines) == 1, f"{name} is not named once: {lines}"
        assert len(lines) == len(self.bad), lines

    def undisturbed(self):
        few = self.folder / "few"
        for name in self.good[:100]:
            (few / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(self.folder / "in" / name, few / name)
        small = launch([self.frost, *BLUR, "-r", "few", "-o", "few-out/", "--manifest", "few.jsonl"], cwd=self.folder)
        assert small.code == 0, small
        done = launch(self.words("whole/", "--manifest", "whole.jsonl"), cwd=self.folder)
        assert done.code == 1, done
        self.whole = tree(self.folder / "whole")
        assert sorted(self.whole) == sorted(self.good), "other files than the good pictures'"
        self.check("whole", done.stderr)
        summary = notes(done.stderr)[1]
        assert len(summary) == 1 and summary[0].startswith(f"{len(self.good)} done, {len(self.bad)} failed, in "), summary
        assert len(records(self.folder / "whole.jsonl")) == len(self.good)
        print(f"{self.count} pictures: {done.wall:.1f} s, peak {done.peak / 2**20:.1f} MiB; "
              f"of 100: {small.peak / 2**20:.1f} MiB")
        assert done.peak <= small.peak + FLAT, f"peak {done.peak >> 20} MiB, of 100 pictures {small.peak >> 20} MiB"
        for name in random.Random(1).sample(self.good, self.sample):
            alone = self.folder / f"alone{Path(name).suffix}"
            one = run([self.frost, *BLUR, f"in/{name}", "-o", alone, "-q"], self.folder)
            assert one.returncode == 0 and alone.read_bytes() == self.whole[name], f"{name} is another alone: {one}"

    def interrupted(self, number):
        output, manifest = f"stopped-{number.name}", self.folder / f"{number.name}.jsonl"
        process = subprocess.Popen(self.words(output + "/", "--manifest", manifest), cwd=self.folder,
                                   stderr=subprocess.PIPE, text=True)
        wait_for(lambda: manifest.exists() and manifest.read_bytes().count(b"\n") > self.count // 2, 120)
        process.send_signal(number)
        errors = process.communicate()[1]
        assert process.returncode == -number, (process.returncode, errors)
        there = tree(self.folder / output)
        if number != signal.SIGKILL:
            assert not leftovers(self.folder), leftovers(self.folder)
            assert " not begun, in " in notes(errors)[1][-1], errors
            assert len(there) == len(records(manifest)), "begun and not recorded"
        there = {name: data for name, data in there.items() if ".frost-" not in name}
        assert len(self.whole) // 3 < len(there) < len(self.whole), f"{len(there)} at the interruption: not half way"
        assert all(self.whole[name] == data for name, data in there.items()), "a file is not whole"
        before = {record["output"]: identity(self.folder / record["output"]) for record in records(manifest)}

        done = run(self.words(output + "/", "--manifest", manifest, "--resume"), self.folder)
        assert done.returncode == 1, done
        self.check(output, done.stderr)
        assert f"{len(self.whole) - len(before)} done, {len(before)} done before, " in done.stderr, done.stderr[-200:]
        assert all(identity(self.folder / path) == was for path, was in before.items()), "proved, and made again"

        # --resume skips a picture only if the manifest proves that its output is complete. If an output is changed or
        # missing, or an input has changed, the picture is processed again.
        first, second, third = sorted(self.whole)[:3]
        (self.folder / output / first).write_bytes(OLD)
        (self.folder / output / second).unlink()
        done = run(self.words(output + "/", "--manifest", manifest, "--resume"), self.folder)
        self.check(output, done.stderr)
        assert f"2 done, {len(self.whole) - 2} done before" in done.stderr, done.stderr[-200:]
        source = self.folder / "in" / third
        kept = source.read_bytes()
        source.write_bytes(mixed.encoded(third.rsplit(".")[-1], 99999))
        done = run(self.words(output + "/", "--manifest", manifest, "--resume"), self.folder)
        source.write_bytes(kept)
        assert f"1 done, {len(self.whole) - 1} done before" in done.stderr, done.stderr[-200:]
        assert (self.folder / output / third).read_bytes() != self.whole[third], "of a changed input nothing was made"


# --- Errors before any work --------------------------------------------------------------------------

REFUSED = [     # (exit code, part of the error message, arguments)
    (2, "would both be written to ./out.png", ["a.png", "b.png", "-o", "{dir}/out.png"]),
    (2, "would both be written to ./a.png", ["a.png", "a.jpg", "-o", "{dir}/{stem}.png", "--force"]),
    (2, "would both be written to link/a-x.png", ["sub/a.png", "link/a.png", "-o", "{dir}/{stem}-x.png"]),
    (2, "would both be written to out/a.png", ["a.png", "sub/a.png", "-o", "out/"]),
    (2, "several inputs need --output to be a folder or a template", ["a.png", "b.png", "-o", "out.png"]),
    (2, "which is also an input", ["a.png", "a-2.png", "-o", "sub/../{stem}-2.png", "--force"]),
    (2, "an output replaces its input: link/a.png", ["sub/a.png", "-o", "link/{stem}.png", "--force", "--manifest", "m"]),
    (2, "--resume needs --manifest", ["a.png", "-o", "out.png", "--resume"]),
    (2, "--manifest does not work with standard input", ["-", "-o", "out.png", "--manifest", "m"]),
    (2, "--shard", ["a.png", "-o", "out.png", "--shard", "4/3"]),
    (6, "sub/c.png: file exists; use --force", ["sub/b.png", "sub/c.png", "-o", "sub/{stem}.png"]),
    (3, "no pictures in this folder", ["-r", "empty", "-o", "out/"]),
]


def refused(frost):
    with Folder() as folder:
        for name in ("a.png", "a.jpg", "a-2.png", "b.png", "sub/a.png", "sub/c.png"):
            (folder / name).parent.mkdir(exist_ok=True)
            picture(folder / name, 40, 30)
        os.symlink("sub", folder / "link")
        (folder / "empty").mkdir()
        before = tree(folder)
        for code, evidence, words in REFUSED:
            done = run([frost, *BLUR, *words], folder)
            assert done.returncode == code and evidence in done.stderr, (words, done)
            assert done.stderr.count("\n") == 1, done.stderr
            assert tree(folder) == before and not (folder / "out").exists(), f"{words}: something was written"


# --- System calls that write many files --------------------------------------------------------------

class Several:
    """Six pictures that are processed two at a time. For three of them, an old output file exists."""

    def __init__(self, frost):
        # Faults in the processes of the sandbox are those of sandbox.py.
        self.words = [frost, *BLUR, "-r", "in", "-o", "out/", "--manifest", "m.jsonl", "--resume", "--jobs", "2",
                      "--threads", "2", "--no-sandbox"]
        self.names = [f"{number}.{suffix}" for number, suffix in enumerate(("png", "jpg", "webp", "qoi", "ppm", "png"))]

    def prepare(self, folder):
        (folder / "in").mkdir()
        (folder / "out").mkdir()
        for number, name in enumerate(self.names):
            (folder / "in" / name).write_bytes(mixed.encoded(name.split(".")[1], number))
            if number % 2:
                (folder / "out" / name).write_bytes(OLD)
        return tree(folder / "out")

    def points(self, most):
        """Returns a random sample of the run's system calls without duplicates, and the files that the run writes."""
        with Folder() as folder:
            self.prepare(folder)
            found = {(point.name, point.ordinal): point for point in interrupts.points(self.words, folder)}
            return random.Random(1).sample(sorted(found.values()), min(most, len(found))), tree(folder / "out")

    def is_old_or_new(self, folder, old, new):
        now = {name: data for name, data in tree(folder / "out").items() if ".frost-" not in name}
        assert old.keys() <= now.keys() <= new.keys(), now.keys()
        return all(data in (old.get(name), new[name]) for name, data in now.items())


def killed(frost, most):
    interrupts.require()
    several = Several(frost)
    points, new = several.points(most)
    kills = 0
    for point in points:
        for _ in range(ATTEMPTS):
            with Folder() as folder:
                old = several.prepare(folder)
                done = interrupts.inject(several.words, point, "signal=KILL", folder)
                # Threads share the work differently in each run. A thread may make fewer calls than in the first run, so
                # the chosen call may not occur. Then the run ends normally, and is repeated.
                killed = done.returncode in (-9, 137)
                assert killed or done.returncode == 0, (point, done)
                assert several.is_old_or_new(folder, old, new), f"{point}: an output is neither old nor new"
                done = run(several.words, folder)
                assert done.returncode == 0 and tree(folder / "out") == new, (point, done.stderr, leftovers(folder))
            if killed:
                kills += 1
                break
    assert kills > len(points) // 2, f"{kills} of {len(points)} were killed"


def failing(frost, most):
    """Checks that frost names a picture that cannot be written and keeps its old file. All other pictures must be
    written."""
    interrupts.require()
    several = Several(frost)
    points, new = several.points(1 << 20)
    points = [point for point in points if point.name in ("write", "fsync", "rename")]
    failures = 0
    for point in points[:most]:
        with Folder() as folder:
            old = several.prepare(folder)
            done = interrupts.inject(several.words, point, "error=ENOSPC", folder)
            assert several.is_old_or_new(folder, old, new) and not leftovers(folder), (point, done.stderr)
            lines, _ = notes(done.stderr)
            now = tree(folder / "out")
            for name in several.names:
                failed = [line for line in lines if line == f"frost: out/{name}: cannot be written: No space left on device"]
                assert (now.get(name) == new[name]) == (not failed) and len(failed) <= 1, (point, name, done.stderr)
            # Writing a line of the manifest can fail too, although the line's picture is complete.
            assert len([line for line in lines if "cannot be written" in line]) == len(lines), lines
            assert done.returncode == (1 if lines else 0), (point, done)
            failures += len(lines)
            assert run(several.words, folder).returncode == 0 and tree(folder / "out") == new, point
    assert failures, "no write failed"


# --- Signals -----------------------------------------------------------------------------------------

def slow(folder, count, width, height):
    (folder / "in").mkdir()
    for number in range(count):
        picture(folder / "in" / f"{number}.jpg", width, height)


def first_signal(frost, number):
    """Checks that after the first signal, frost still finishes the pictures that it has begun, and reports this in the
    summary."""
    with Folder() as folder:
        slow(folder, 8, 900, 600)
        words = [frost, *SLOW, "-r", "in", "-o", "out/", "--jobs", "2", "--manifest", "m.jsonl"]
        process = subprocess.Popen(words, cwd=folder, stderr=subprocess.PIPE, text=True)
        wait_for(lambda: tree(folder / "out"), 60)
        process.send_signal(number)
        errors = process.communicate()[1]
        assert process.returncode == -number, (process.returncode, errors)
        there = tree(folder / "out")
        assert 0 < len(there) < 8 and len(records(folder / "m.jsonl")) == len(there), there.keys()
        assert errors.startswith(f"{len(there)} done, {8 - len(there)} not begun, in ") and errors.count("\n") == 1, errors
        name = sorted(there)[-1]
        done = run([frost, *SLOW, f"in/{name}", "-o", "alone.jpg"], folder)
        assert done.returncode == 0 and (folder / "alone.jpg").read_bytes() == there[name], f"{name} is not whole"


def second_signal(frost):
    """Checks that after a second signal, frost ends without finishing the pictures that it has begun."""
    with Folder() as folder:
        slow(folder, 3, 3000, 2000)
        for numbers in ((signal.SIGINT, signal.SIGINT), (signal.SIGTERM, signal.SIGINT), (signal.SIGHUP, signal.SIGTERM)):
            process = subprocess.Popen([frost, *SLOW, "-r", "in", "-o", "out/", "--jobs", "2"], cwd=folder,
                                       stderr=subprocess.PIPE, text=True)
            time.sleep(0.3)
            process.send_signal(numbers[0])
            time.sleep(0.2)
            assert process.poll() is None, "the first signal did not wait"
            process.send_signal(numbers[1])
            began = time.monotonic()
            errors = process.communicate()[1]
            assert process.returncode == -numbers[1] and not errors, (process.returncode, errors)
            assert time.monotonic() - began < 1, "the second signal took more than a second"
            assert not tree(folder / "out"), tree(folder / "out").keys()


def many_signals(frost, runs):
    """Checks that two signals at any time leave no temporary file and no partial output."""
    with Folder() as folder:
        mixed.make(folder / "in", 60)
        words = [frost, *BLUR, "-r", "in", "-o", "out/", "--force", "-q"]
        began = time.monotonic()
        ended = run(words, folder).returncode
        took = time.monotonic() - began
        whole = tree(folder / "out")
        chance = random.Random(1)
        interrupted = 0
        for _ in range(runs):
            process = subprocess.Popen(words, cwd=folder, stderr=subprocess.DEVNULL)
            time.sleep(chance.random() * took)
            process.send_signal(signal.SIGINT)
            process.send_signal(signal.SIGTERM)
            # The run may have ended before the signals were sent.
            assert process.wait() in (-signal.SIGINT, -signal.SIGTERM, ended), process.returncode
            interrupted += process.returncode < 0
            assert not leftovers(folder), leftovers(folder)
            assert tree(folder / "out") == whole
        assert interrupted, "no run was interrupted"


def standard_input(frost):
    """Checks that a signal also ends a run that waits for standard input."""
    with Folder() as folder:
        slow(folder, 1, 60, 40)
        (folder / "out").mkdir()
        with subprocess.Popen([frost, *BLUR, "in/0.jpg", "-", "-o", "out/"], cwd=folder, stdin=subprocess.PIPE,
                              stderr=subprocess.PIPE) as process:
            # These bytes determine the format, and with it the name of the result. The test sends no further bytes.
            process.stdin.write((folder / "in/0.jpg").read_bytes()[:200])
            process.stdin.flush()
            wait_for(lambda: tree(folder / "out"))
            process.send_signal(signal.SIGTERM)
            assert process.wait(1) == -signal.SIGTERM, process.returncode
        with subprocess.Popen([frost, *BLUR, "-", "-o", "out/"], cwd=folder, stdin=subprocess.PIPE,
                              stderr=subprocess.PIPE) as process:
            time.sleep(0.5)
            process.send_signal(signal.SIGTERM)
            assert process.wait(1) == -signal.SIGTERM, process.returncode


def closed_pipe(frost):
    with Folder() as folder:
        mixed.make(folder / "in", 60)
        process = subprocess.Popen([frost, *BLUR, "-r", "in", "-o", "out/", "--json", "-q"], cwd=folder,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        process.stdout.read(1)
        process.stdout.close()
        lines = [line for line in process.stderr.read().splitlines() if not line.startswith("frost: in/")]
        assert process.wait() == -signal.SIGPIPE and not lines, (process.returncode, lines)
        assert not leftovers(folder), leftovers(folder)


def terminal(frost):
    """Checks that the progress line is erased before the prompt returns, however the program ends."""
    with Folder() as folder:
        slow(folder, 12, 600, 400)
        for numbers in ((), (signal.SIGINT,), (signal.SIGINT, signal.SIGINT)):
            master, end = pty.openpty()
            process = subprocess.Popen([frost, *SLOW, "-r", "in", "-o", "out/", "--force", "--jobs", "2"], cwd=folder,
                                       stderr=end)
            os.close(end)
            shown = b""
            sent = 0
            while True:
                try:
                    part = os.read(master, 4096)
                except OSError:     # the other end of the terminal is closed
                    break
                if not part:
                    break
                shown += part
                if b"/12]" in shown and not sent:
                    sent = 1
                    for number in numbers:
                        process.send_signal(number)
                        time.sleep(0.02)
            os.close(master)
            assert process.wait() == (-numbers[-1] if numbers else 0), process.returncode
            assert b"/12] " in shown, shown
            assert b"/12]" not in shown.rsplit(b"\r\x1b[K", 1)[-1], f"{numbers}: {shown[-120:]}"


def left_out(frost):
    """A search of folders takes pictures by content, and counts, names and, with --strict, refuses what it leaves out."""
    with Folder() as folder:
        root = folder / "in"
        (root / "deep").mkdir(parents=True)
        png = (ROOT / "docs/images/corners.png").read_bytes()
        for name in ("a.png", "b.heic", "no-suffix", "deep/c.txt"):
            (root / name).write_bytes(png)
        (root / "plain.ppm").write_bytes(b"P6 2 1 255\n123456")
        (root / "netpbm").write_bytes(b"P5 # a comment\n1 1 255\n1")
        expected = {"deep/link": "link to a folder or to nothing", "deep/gone": "link to a folder or to nothing"}
        (root / "deep/link").symlink_to("/tmp")
        (root / "deep/gone").symlink_to("nowhere")
        os.mkfifo(root / "pipe")
        expected["pipe"] = "not a file"
        for name, content, reason in [
                (".hidden.png", png, "hidden"), ("deep/.x", b"", "hidden"), ("d.ico", b"\0\0\1\0", "ICO"),
                ("deep/e.jpeg2", b"\0\0\0\x0cjP  ", "JPEG 2000"), ("f", b"BM is a prefix", "of unknown type"),
                ("empty", b"", "of unknown type"),
                ("notes", b"P5 is a format", "of unknown type"), ("movie.mp4", b"\0\0\0 ftypisom", "video file")]:
            (root / name).write_bytes(content)
            expected[name] = reason
        words = [frost, "blur", "-r", "in", "-o", "out/", "--sigma", "1"]
        done = run(words + ["--json"], cwd=folder)
        assert done.returncode == 0, done
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        assert {entry["input"][3:]: entry["reason"] for entry in lines if entry.get("status") == "ignored"} == expected
        assert lines[-1]["ignored"] == len(expected) and lines[-1]["done"] == 6, lines[-1]
        written = {str(path.relative_to(folder / "out")) for path in (folder / "out").rglob("*.*")}
        assert written == {"a.png", "b.png", "no-suffix.png", "deep/c.png", "plain.ppm", "netpbm.png"}, written
        done = run(words + ["--force"], cwd=folder)
        assert done.returncode == 0 and f"warning: {len(expected)} files were not processed: 1 ICO, 1 JPEG 2000," in done.stderr, done
        done = run(words + ["--force", "--strict", "-v"], cwd=folder)
        assert done.returncode == 1, done
        for name, reason in expected.items():
            assert f"in/{name}: not processed ({reason})" in done.stderr, (name, done.stderr)
        for name in expected:
            (root / name).unlink()
        done = run(words + ["--force", "--strict"], cwd=folder)
        assert done.returncode == 0 and "not processed" not in done.stderr, done


def left_over(frost):
    """A run that finds all results complete also removes what a killed run left beside them, as a run that writes does."""
    with Folder() as folder:
        root = Path(folder)
        (root / "in").mkdir()
        for name in ("a.png", "b.png"):
            (root / "in" / name).write_bytes(mixed.encoded("png", 1))
        words = [frost, *BLUR, "-r", "in", "-o", "out/", "--manifest", "m.jsonl", "--resume"]
        assert run(words, folder).returncode == 0
        # This process has ended, so its number is free.
        ended = subprocess.Popen(["true"])
        ended.wait()
        (root / f"out/.a.png.frost-{ended.pid}-0abc.tmp").write_bytes(b"a part")
        done = run(words, folder)
        assert done.returncode == 0 and "2 done before" in done.stderr, done
        assert not leftovers(root), leftovers(root)
        # A result that replaces the file of a link is written beside this file.
        (root / "elsewhere").mkdir()
        (root / "out/b.png").rename(root / "elsewhere/b.png")
        (root / "out/b.png").symlink_to(root / "elsewhere/b.png")
        part = root / f"elsewhere/.b.png.frost-{ended.pid}-0abc.tmp"
        for more, remains in ((["--no-follow"], True), ([], False)):
            part.write_bytes(b"a part")
            done = run([*words, *more], folder)
            assert done.returncode == 0 and "2 done before" in done.stderr, done
            assert part.exists() == remains, more


def main():
    cases = Cases("batches", __doc__)
    frost, quick = cases.frost, cases.options.quick
    cases.run("leftovers beside complete results", left_over, frost)
    cases.run("refused before any work", refused, frost)
    cases.run("files that a search leaves out", left_out, frost)
    if cases.options.only in "mixed" or "mixed" in cases.options.only:
        with Folder() as folder:
            pictures = Mixed(frost, folder, 240 if quick else 2000, 10 if quick else 100)
            cases.run("mixed: not disturbed", pictures.undisturbed)
            for number in (signal.SIGINT, signal.SIGKILL) if quick else (
                    signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL):
                cases.run(f"mixed: {number.name} half way, and resumed", pictures.interrupted, number)
    cases.run("killed: several pictures", killed, frost, 12 if quick else 1000)
    cases.run("errors: several pictures", failing, frost, 6 if quick else 1000)
    for number in (signal.SIGINT,) if quick else (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        cases.run(f"first {number.name}", first_signal, frost, number)
    cases.run("second signal", second_signal, frost)
    cases.run("signals at any time", many_signals, frost, 10 if quick else 200)
    cases.run("standard input and a signal", standard_input, frost)
    cases.run("a pipe that is closed", closed_pipe, frost)
    cases.run("a terminal", terminal, frost)
    cases.finish()


if __name__ == "__main__":
    main()
