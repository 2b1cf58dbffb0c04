#!/usr/bin/env python3
"""Decodes mutated files: no run of the command crashes, hangs or leaves a temporary file, and a picture that is read without a
fault has the same pixels whatever faults are accepted.

    mutations.py --frost PATH [--files N] [--only TEXT] [--seed N] [--found FOLDER] [--junit FILE]

Each decoder gets N mutated files: 2000 by default. The seeds are the files of Tests/fuzz. A batch of files is
one run of the command. If a batch fails, each of its files is decoded alone, and those that fail are copied to --found.
"""

import collections
import os
import random
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

sys.dont_write_bytecode = True

from report import Cases

ROOT = Path(__file__).resolve().parents[2]
BATCH = 500
SUFFIXES = {"png": "png", "jpeg": "jpg", "webp": "webp", "qoi": "qoi", "netpbm": "pnm", "tiff": "tif", "avif": "avif", "jxl": "jxl",
            "bmp": "bmp", "heic": "heic", "gif": "gif", "animation": "webp"}
# Small limits: large pictures would only make each run slower. A file takes at most a second.
LIMITS = ["--max-side", "1024", "--max-pixels", "65536", "--max-memory", "256M", "--max-time", "10"]
WORDS = [b"\0", b"\xff", b"\x7f\xff", b"\x80\0", b"\xff\xff\xff\xff", b"\x7f\xff\xff\xff", b"\x80\0\0\0", b"\0\0\0\1", b"\1\0\0\0"]


def with_checksums(data):
    """A PNG whose chunks have right checksums, as far as its chunks can be found. Without this, most mutations end there."""
    made, at = bytearray(data[:8]), 8
    while at + 12 <= len(data):
        size = struct.unpack(">I", data[at:at + 4])[0]
        if at + 12 + size > len(data):
            break
        body = data[at + 4:at + 8 + size]
        made += data[at:at + 4] + body + struct.pack(">I", zlib.crc32(body))
        at += size + 12
    return bytes(made) + data[at:]


def mutated(chance, seeds, kind):
    data = bytearray(chance.choice(seeds))
    for _ in range(chance.choice([1, 1, 1, 2, 3, 8, 30])):
        at = chance.randrange(len(data) + 1)
        # The structure of most formats is at the beginning.
        if chance.random() < 0.4:
            at = min(at, chance.randrange(64))
        action = chance.randrange(8)
        if action <= 1 and at < len(data):
            data[at] ^= 1 << chance.randrange(8)
        elif action == 2 and at < len(data):
            data[at] = chance.randrange(256)
        elif action == 3:
            word = chance.choice(WORDS)
            data[at:at + len(word)] = word
        elif action == 4:
            del data[at:at + chance.choice([1, 2, 4, 12, 64])]
        elif action == 5:
            piece = chance.choice(seeds)
            start = chance.randrange(len(piece) + 1)
            data[at:at] = piece[start:start + chance.choice([1, 4, 16, 128])]
        elif action == 6:
            piece = chance.choice(seeds)
            data[at:] = piece[min(at, len(piece)):]
        elif chance.random() < 0.2:
            del data[at:]
    if kind == "png" and chance.random() < 0.7:
        data = with_checksums(bytes(data))
    return bytes(data[:1 << 16])


def decode(frost, files, folder, *more):
    """Decodes files in one run. Returns the run, and what was written by name. Animations become animations without loss."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    done = subprocess.run(
        [frost, "blur", *files, *(["-o", folder / "{stem}.apng"] if files[0].suffix == ".webp" and "animation" in files[0].name else
                                  ["-o", folder / "{stem}.pam", "--format", "pam", "--depth", "16", "--first-frame"]),
         "--sigma", "0", "--threads", "1", "--backend", "cpu", *LIMITS, *more], capture_output=True, timeout=60 + len(files), env=ENVIRONMENT)
    return done, {path.name: path.read_bytes() for path in folder.iterdir()}


# Swift's backtracer takes seconds for each crash.
ENVIRONMENT = {**os.environ, "SWIFT_BACKTRACE": "enable=no"}


def fault(frost, files, folder, tolerates, sandbox):
    """Returns a description of what is wrong with the decoding of files, or None, and the number of files that were read."""
    try:
        strict, pictures = decode(frost, files, folder)
        runs, others = [strict], pictures
        if tolerates:
            tolerant, others = decode(frost, files, folder, "--fail-on", "none")
            runs.append(tolerant)
        if sandbox:
            enclosed, same = decode(frost, files, folder, "--sandbox")
            runs.append(enclosed)
            if same != pictures:
                return "the sandbox changes the result", 0
    except subprocess.TimeoutExpired:
        return "it hangs", 0
    for run in runs:
        if run.returncode not in (0, 1, 2, 3, 4, 6):
            return f"exit code {run.returncode}: {run.stderr[-300:]!r}", 0
        if run.returncode and not run.stderr:
            return "an error without a message", 0
    for name, picture in pictures.items():
        if not name.endswith((".pam", ".apng")) or name.startswith("."):
            return f"{name} is left over", 0
        if others.get(name) != picture:
            return f"accepting faults changes {name}", 0
    if any(name.startswith(".") or not name.endswith((".pam", ".apng")) for name in others):
        return "a temporary file is left over", 0
    return None, len(pictures)


def search(frost, kind, count, seed, found):
    chance = random.Random(f"{seed} {kind}")
    seeds = [path.read_bytes() for path in sorted((ROOT / "Tests/fuzz" / kind).iterdir())]
    seeds = [data for data in seeds if 0 < len(data) <= 1 << 15]
    faults, read, files = collections.Counter(), 0, 0
    base = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="frost-mutations-", dir=base) as name:
        folder = Path(name)
        (folder / "in").mkdir()
        while files < count:
            batch = []
            for index in range(min(BATCH, count - files)):
                path = folder / "in" / f"{kind}{files + index}.{SUFFIXES[kind]}"
                path.write_bytes(mutated(chance, seeds, kind))
                batch.append(path)
            files += len(batch)
            # One batch in four is read a second time. A process for each file is slow, so only one batch in forty uses them,
            # and only 25 of its files.
            turn = files // BATCH
            sandbox = turn % 40 == 1
            wrong, good = fault(frost, batch, folder / "out", turn % 4 == 1, False)
            if not wrong and sandbox:
                wrong, _ = fault(frost, batch[:25], folder / "out", True, True)
            read += good
            if wrong:
                alone = {path: fault(frost, [path], folder / "out", True, sandbox)[0] for path in batch}
                guilty = {path: text for path, text in alone.items() if text} or {batch[0]: f"only in a batch: {wrong}"}
                for path, text in guilty.items():
                    faults[text] += 1
                    found.mkdir(parents=True, exist_ok=True)
                    shutil.copy(path, found / path.name)
            for path in batch:
                path.unlink()
    print(f"{kind}: {files} files, {read} read without a fault, {sum(faults.values())} wrong", flush=True)
    assert not faults, dict(faults)
    assert read > files // 100, "hardly any file was read"


def main():
    cases = Cases("mutations", __doc__, [
        ("--files", {"type": int, "default": 2000, "help": "the number of mutated files for each decoder"}),
        ("--seed", {"type": int, "default": 20261128}),
        ("--found", {"type": Path, "default": Path("out/mutations"), "help": "folder for files that fail"})])
    options = cases.options
    for kind in SUFFIXES:
        cases.run(kind, search, cases.frost, kind, options.files, options.seed, options.found)
    cases.finish()


if __name__ == "__main__":
    main()
