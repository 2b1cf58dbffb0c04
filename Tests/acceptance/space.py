#!/usr/bin/env python3
"""Runs the command in less and less address space (`ulimit -v`), down to the space in which it cannot start.

    space.py --frost PATH [--quick] [--only TEXT] [--junit FILE]

The law: a command either does its work, or ends with a message and an exit code that the command documents, without an output and
without a temporary file. No signal ends it. Below the space of `frost --version`, the system's loader cannot load the program, so
the sweep begins there.

Libraries that do not check all of their allocations may end the process by a signal. `LIBRARIES` bounds how many runs of a sweep
may end so; docs/internals/Reliability.md names them.
"""

import collections
import resource
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path

from report import Cases, Skipped

ROOT = Path(__file__).resolve().parents[2]
MIB = 1 << 20
# The codes of a run that did its work, that failed for one of several pictures, for a library that cannot be loaded, and for
# memory.
DONE, SOME, UNREADABLE, MEMORY = 0, 1, 3, 4
BASE = ["--quiet", "--backend", "cpu", "--threads", "2"]


def frames(width, height, count):
    """A stream of frames with a ramp."""
    frame = b"FRAME\n" + bytes(i & 255 for i in range(width * height * 3 // 2))
    return b"YUV4MPEG2 W%d H%d F25:1 C420jpeg\n" % (width, height) + frame * count


def prepare(frost, folder):
    sample = ROOT / "Samples/scene.png"
    subprocess.run([frost, "blur", sample, "-o", folder / "in.png", "--sigma", "0", "--resize", "640x400", "--background", "white",
                    "--quiet"], check=True)
    for suffix in ("jpg", "webp", "qoi", "tif"):
        subprocess.run([frost, "blur", folder / "in.png", "-o", folder / f"in.{suffix}", "--sigma", "0", "--quiet"], check=True)
    (folder / "large.ppm").write_bytes(b"P6\n2600 2000\n255\n" + bytes(15_600_000))
    (folder / "in.y4m").write_bytes(frames(640, 400, 6))
    (folder / "many").mkdir()
    for index in range(4):
        shutil.copyfile(folder / "in.jpg", folder / f"many/{index}.jpg")


# The words of each command, and its output.
COMMANDS = {
    "blur": (["blur", "in.png", "--sigma", "8"], "out.png"),
    "blur of a JPEG": (["blur", "in.jpg", "--sigma", "8"], "out.jpg"),
    "blur of a WebP": (["blur", "in.webp", "--sigma", "8"], "out.webp"),
    "blur of a QOI": (["blur", "in.qoi", "--sigma", "8"], "out.qoi"),
    "wide blur": (["blur", "large.ppm", "--sigma", "100", "--edge", "mirror"], "out.ppm"),
    "linear blur": (["blur", "large.ppm", "--sigma", "3", "--linear"], "out.pam"),
    "effect": (["effect", "light", "in.png"], "out.png"),
    "disc": (["effect", "ci-disc", "large.ppm", "--radius", "40"], "out.pam"),
    "zoom": (["effect", "zoom", "large.ppm", "--amount", "2"], "out.ppm"),
    "variable": (["effect", "variable", "in.png", "--mask", "in.jpg"], "out.png"),
    "exact": (["blur", "in.png", "--sigma", "2"], "out.png"),
    "redact": (["effect", "redact", "large.ppm", "--rect", "10,10,900,900"], "out.png"),
    "resize": (["blur", "large.ppm", "--sigma", "2", "--resize", "70%"], "out.png"),
    "pad": (["blur", "in.png", "--sigma", "20", "--pad", "1200x1600"], "out.png"),
    "batch": (["blur", "-r", "many", "--sigma", "8", "--jobs", "2"], "out/"),
    "frames": (["blur", "in.y4m", "--sigma", "8"], "out.y4m"),
    "frames with colours": (["effect", "light", "in.y4m"], "out.y4m"),
    "transition": (["transition", "in.png", "in.jpg", "--effect", "ripple", "--duration", "0.2"], "out.apng"),
    "sandbox": (["blur", "in.png", "--sigma", "8", "--sandbox"], "out.png"),
    "TIFF": (["blur", "in.tif", "--sigma", "8"], "out.tif"),
    "AVIF": (["blur", "in.png", "--sigma", "8"], "out.avif"),
    "JPEG XL": (["blur", "in.png", "--sigma", "8"], "out.jxl"),
    "lossless WebP": (["blur", "in.png", "--sigma", "8", "--lossless"], "out.webp"),
}
# The largest share of a sweep's runs that may end by a signal, because a library did not check an allocation.
LIBRARIES = {"TIFF": 0.02, "AVIF": 0.02, "JPEG XL": 0.02, "lossless WebP": 0.02}


def run(frost, folder, words, space):
    def bound():
        resource.setrlimit(resource.RLIMIT_AS, (space, space))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    return subprocess.run([frost, *words], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=120, preexec_fn=bound)


def smallest(works, low, high, step):
    """The smallest space, in steps, in which something works. It works in `high`."""
    while high - low > step:
        middle = (low + high) // 2
        if works(middle):
            high = middle
        else:
            low = middle
    return high


def clear(folder):
    for path in folder.glob("out*"):
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink()


def sweep(frost, folder, name, runs, start):
    words, output = COMMANDS[name]
    words = [*words, "-o", output, *BASE, "--force"]
    if name == "exact":
        words[words.index("cpu")] = "exact"
    enough = smallest(lambda space: run(frost, folder, words, space).returncode == DONE, start, 4096 * MIB, MIB)
    clear(folder)
    # How much a command takes depends on the order in which its threads and processes work.
    while run(frost, folder, words, enough).returncode != DONE:
        enough += enough // 16
        assert enough < 4096 * MIB
    right = (folder / output).read_bytes() if not output.endswith("/") else None
    codes = collections.Counter()
    # Most of the sweep is below the space that is enough, the rest shortly above it.
    top = enough + max(2 * MIB, (enough - start) // 4)
    for index in range(runs):
        space = start + (top - start) * index // runs & ~4095
        clear(folder)
        done = run(frost, folder, words, space)
        evidence = (f"{space / MIB:.2f} MiB", done.returncode, done.stderr[-300:])
        codes[done.returncode] += 1
        hidden = [path.name for path in folder.rglob(".*")]
        if done.returncode < 0:
            assert name in LIBRARIES, (signal.Signals(-done.returncode).name, *evidence)
            for path in folder.rglob(".*.tmp"):
                path.unlink()
            continue
        assert not hidden, (hidden, *evidence)
        assert done.returncode in (DONE, UNREADABLE, MEMORY) + ((SOME,) if name == "batch" else ()), evidence
        if name == "batch":
            made = sorted(path.name for path in (folder / "out").iterdir()) if (folder / "out").is_dir() else []
            assert (len(made) == 4) == (done.returncode == DONE) or done.returncode != DONE, (made, *evidence)
        else:
            # A command that gets no memory for its last line has written its output already.
            late = done.returncode == MEMORY and b"could not be allocated" in done.stderr
            made = (folder / output).read_bytes() if (folder / output).exists() else None
            assert made == (right if done.returncode == DONE or late and made is not None else None), evidence
        if done.returncode != DONE:
            message = done.stderr.decode()
            assert message.startswith("frost: ") and message.endswith("\n"), evidence
            assert done.returncode != UNREADABLE or "cannot be loaded" in message or "decoder" in message, evidence
    ended = sum(count for code, count in codes.items() if code < 0)
    assert ended <= runs * LIBRARIES.get(name, 0), codes
    assert codes[DONE] and codes[MEMORY] + codes[UNREADABLE] + codes[SOME], codes
    print(f"{name}: enough are {enough / MIB:.0f} MiB; {dict(codes)}")


def main():
    cases = Cases("space", __doc__)
    runs = 40 if cases.options.quick else 400
    with tempfile.TemporaryDirectory(prefix="frost-space-") as name:
        folder = Path(name)
        prepare(cases.frost, folder)
        start = smallest(lambda space: run(cases.frost, folder, ["--version"], space).returncode == DONE, 0, 4096 * MIB, 65536)
        print(f"the program starts in {start / MIB:.1f} MiB")
        for case in COMMANDS:
            cases.run(case, sweep, cases.frost, folder, case, runs, start)
    cases.finish()


if __name__ == "__main__":
    main()
