"""Runs the command with random options at random limits of memory, time and address space.

The law: whatever the limit, the exit code is one that the command documents, every error prints a message, a message names
the file as it was given, and the output is complete or missing. File names are long, because Swift stores up to 15 bytes of a
string in place: memory that is used after it was freed shows only with longer names.
"""

import collections
import os
import random
import resource
import subprocess
import tempfile
from pathlib import Path

from report import Cases

ROOT = Path(__file__).resolve().parents[2]
# Done, wrong use, bad input, over a limit, cannot write, and not supported.
ALLOWED = {0, 2, 3, 4, 6}
SEED = 20261127


def pictures(frost, folder):
    """Makes pictures of several sizes and formats, each with a long name."""
    sample = ROOT / "Samples/scene.png"
    opaque = ["--background", "white"]
    made = []
    for index, (suffix, more) in enumerate(
            [("png", []), ("png", ["--depth", "16"]), ("jpg", opaque), ("webp", []), ("tif", []), ("ppm", opaque), ("pfm", opaque)]):
        target = folder / f"a-picture-with-a-long-name-{index}.{suffix}"
        subprocess.run([frost, "blur", sample, "-o", target, "--sigma", "1", "--quiet", *more], check=True)
        made.append(target.name)
    noise = folder / "a-large-picture-with-a-long-name.ppm"
    noise.write_bytes(b"P6\n2600 2000\n255\n" + bytes(15_600_000))
    return [*made, noise.name]


def command(names, chance):
    """Returns a random command without its output and limit."""
    source = chance.choice(names)
    head = chance.choice([
        ["blur", source, "--sigma", "3"], ["effect", "light", source], ["effect", "redact", source],
        ["effect", "variable", source, "--mask", chance.choice(names)], ["effect", "material-thick-dark", source],
        ["effect", "zoom", source, "--amount", "2"], ["effect", "tilt-shift", source]])
    if head[0] == "effect" and chance.random() < 0.4:
        head += ["--content", chance.choice(names)]
    if head[1] != "redact" and "--mask" not in head and chance.random() < 0.4:
        head += ["--mask", chance.choice(names)]
    for option, share in [
            (["--linear"], 0.2), (["--background", "white"], 0.5), (["--depth", "8"], 0.5), (["--sandbox"], 0.15),
            (["--rect", "100,100,400,300"], 0.2), (["--keep", "all"], 0.3), (["--fail-on", "none"], 0.2)]:
        if chance.random() < share:
            head += option
    return head


def sweep(frost, runs, seed, kinds):
    chance = random.Random(seed)
    codes = collections.Counter()
    with tempfile.TemporaryDirectory(prefix="frost-limits-of-memory-and-time-") as name:
        folder = Path(name)
        names = pictures(frost, folder)
        for _ in range(runs):
            output = folder / ("an-output-with-a-long-name." + chance.choice(["png", "jpg", "webp", "tif", "qoi", "pam"]))
            words = [*command(names, chance), "-o", output.name, "--quiet", "--threads", chance.choice("124")]
            bound = None
            kind = chance.choice(kinds)
            if kind == "memory":
                words += ["--max-memory", f"{chance.choice([chance.randrange(1, 60), chance.randrange(1, 600)])}M"]
            elif kind == "time":
                words += ["--max-time", f"{chance.choice([0.001, 0.005, chance.random() * 0.1, chance.random()]):.3f}"]
            else:
                size = chance.randrange(200, 900) << 20
                bound = lambda: resource.setrlimit(resource.RLIMIT_AS, (size, size))  # noqa: B023
            output.unlink(missing_ok=True)
            done = subprocess.run([frost, *words], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=60,
                                  preexec_fn=bound)
            evidence = (done.returncode, done.stderr[-300:], kind, " ".join(words))
            codes[kind, done.returncode] += 1
            if kind == "space" and done.returncode == -5:
                continue        # Swift ends a program whose own allocation fails; docs/Reliability.md
            assert done.returncode in ALLOWED, evidence
            assert output.exists() == (done.returncode == 0), evidence
            assert not [path for path in folder.iterdir() if path.name.startswith(".")], evidence
            if done.returncode == 0:
                continue
            message = done.stderr.decode("utf-8")
            assert message.startswith("frost: "), evidence
            if done.returncode == 4:
                assert any(known in message for known in [*names, output.name]), evidence
    assert any(code == 4 for _, code in codes) and any(code == 0 for _, code in codes), codes
    return codes


def over_memory(frost, runs):
    """A mask and a content that do not fit into the memory: every run ends with exit code 4 and the name."""
    with tempfile.TemporaryDirectory(prefix="frost-limits-of-memory-and-time-") as name:
        folder = Path(name)
        picture = folder / "a-picture-with-a-long-name.ppm"
        picture.write_bytes(b"P6\n2600 2000\n255\n" + bytes(15_600_000))
        for option in ("--mask", "--content"):
            for given in (picture.name, str(picture)):
                for _ in range(runs):
                    done = subprocess.run(
                        [frost, "effect", "light", given, "-o", "out.png", "--quiet", "--threads", "2", option, given,
                         "--max-memory", "20M"], cwd=folder, capture_output=True, text=True, timeout=60)
                    assert done.returncode == 4 and given in done.stderr, (option, given, done)


def main():
    cases = Cases("limits", __doc__, [
        ("--runs", {"type": int, "help": "random commands to run"}),
        ("--kinds", {"default": "memory,memory,time,space", "help": "kinds of limits; a sanitizer needs address space"})])
    runs = cases.options.runs or (15 if cases.options.quick else 1445)
    cases.run("masks and contents over the memory", over_memory, cases.frost, 5 if cases.options.quick else 40)
    seed = SEED if cases.options.quick else random.randrange(1 << 32)
    cases.run(f"{runs} random commands at random limits, seed {seed}",
              lambda: print(dict(sweep(cases.frost, runs, seed, cases.options.kinds.split(",")))))
    cases.finish()


if __name__ == "__main__":
    main()
