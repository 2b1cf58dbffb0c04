#!/usr/bin/env python3
"""Checks the command as a new user tries it: habits from other tools, mistakes, and the errors that answer them.

    usage.py --frost PATH [--only TEXT] [--junit FILE]
"""

import json
import os
import pty
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True

import numpy as np
from PIL import Image

from report import Cases


class Tries:
    """Runs frost in a folder with photo.png, 320x200."""

    def __init__(self, frost, folder):
        self.frost, self.folder = frost, Path(folder)
        noise = np.random.default_rng(1).integers(0, 256, (200, 320, 3), "u1")
        self.photo = noise
        Image.fromarray(noise).save(self.folder / "photo.png")

    def run(self, *words, **options):
        return subprocess.run([self.frost, *words], cwd=self.folder, **{
            "capture_output": True, "text": True, "timeout": 120, **options})

    def refused(self, code, evidence, *words):
        done = self.run(*words)
        assert done.returncode == code and evidence in done.stderr, (words, done.returncode, done.stderr)
        assert len(done.stderr.splitlines()) == 1, done.stderr
        return done

    def pixels(self, name):
        return np.array(Image.open(self.folder / name))


def redaction(tries):
    """Rounded corners and masks would show what a redaction hides."""
    words = ["effect", "redact", "photo.png", "-o", "out.png", "--rect", "10,10,200,160"]
    tries.refused(2, "--corner-radius: redact must not show the picture", *words, "--corner-radius", "40")
    tries.refused(2, "--mask: redact must not show any of the picture", *words, "--mask", "photo.png")
    assert not (tries.folder / "out.png").exists()
    assert tries.run(*words).returncode == 0
    corner = tries.pixels("out.png")[10:20, 10:20].astype(int)
    # Dither moves a flat colour by one step at most.
    assert np.ptp(corner.reshape(-1, 3), axis=0).max() <= 1, "a corner is not one colour"


def colors(tries):
    """Names of CSS are colours wherever a colour is taken, with an alpha or without."""
    rgba = np.zeros((20, 20, 4), "u1")
    Image.fromarray(rgba).save(tries.folder / "clear.png")
    for name, expected in (("white", (255, 255, 255)), ("RebeccaPurple", (102, 51, 153)), ("tomato", (255, 99, 71))):
        done = tries.run("blur", "clear.png", "-o", "flat.ppm", "--sigma", "2", "--background", name)
        assert done.returncode == 0, done.stderr
        pixels = tries.pixels("flat.ppm").reshape(-1, 3)
        assert (pixels == expected).all(), (name, pixels[0])
    for value in ("white,0.5", "navy", "1,0.3", "#0af"):
        assert tries.run("effect", "image-effects", "photo.png", "-o", "t.png", "--tint", value).returncode == 0, value
    tries.refused(2, "did you mean tomato?", "effect", "tint", "photo.png", "-o", "t.png", "--color", "tomatoe")


def limits_of_each_other(tries):
    """A value that another option limits is refused with both."""
    tries.refused(2, "--top 0.7 must not exceed --bottom 0.6", "effect", "tilt-shift", "photo.png", "-o", "t.png",
                  "--top", "0.7")


def comparisons(tries):
    """Two sizes are an error, an object names its file, and a picture of differences has its factor."""
    Image.fromarray(tries.photo[:100]).save(tries.folder / "half.png")
    done = tries.refused(1, "frost: photo.png and half.png", "compare", "photo.png", "half.png")
    assert "warning" not in done.stderr
    done = tries.run("compare", "photo.png", "none.png", "--json")
    told = json.loads(done.stdout)
    assert done.returncode == 3 and told["input"] == "none.png" and told["code"] == 3, told
    near = tries.photo.copy()
    near[3, 4, 1] ^= 8
    Image.fromarray(near).save(tries.folder / "near.png")
    done = tries.run("compare", "photo.png", "near.png", "--diff", "diff.png")
    assert done.returncode == 0 and "diff.png: differences times 16" in done.stderr, done.stderr
    assert tries.pixels("diff.png")[3, 4].tolist() == [0, 128, 0]
    told = json.loads(tries.run("compare", "photo.png", "near.png", "--diff", "diff.png", "--json").stdout)
    assert told["diffGain"] == 16, told


def leading_options(tries):
    """Options may stand before the command, and -V prints the version."""
    for words in (["--json", "compare", "photo.png", "photo.png"], ["--max", "1", "--json", "compare", "photo.png", "photo.png"]):
        done = tries.run(*words)
        assert done.returncode == 0 and json.loads(done.stdout)["status"] == "ok", done
    assert tries.run("--json", "devices").returncode == 0
    assert tries.run("-V").stdout == tries.run("--version").stdout


def terminals(tries):
    """A picture is not written to a terminal unless --force is given."""
    words = [tries.frost, "blur", "photo.png", "-o", "-", "--sigma", "2"]
    for more, code in ([], 2), (["--force"], 0):
        terminal, end = pty.openpty()
        process = subprocess.Popen(words + more, cwd=tries.folder, stdin=subprocess.DEVNULL, stdout=end,
                                   stderr=subprocess.PIPE)
        os.close(end)
        shown = b""
        while True:
            try:
                part = os.read(terminal, 1 << 16)
            except OSError:     # EIO: nobody has the other end open
                break
            if not part:
                break
            shown += part
        errors = process.stderr.read().decode()
        assert process.wait(60) == code, errors
        os.close(terminal)
        assert (b"PNG" in shown) == (code == 0), shown[:80]
        assert code == 0 or "standard output is a terminal" in errors, errors
    piped = tries.run("blur", "photo.png", "-o", "-", "--sigma", "2", text=False)
    assert piped.returncode == 0 and piped.stdout.startswith(b"\x89PNG")


def reference(tries):
    """The reference for programs is one document."""
    told = json.loads(tries.run("reference", "json").stdout)
    assert told["schema"] == "frost.reference/1" and "blur" in [command["name"] for command in told["commands"]]


def main():
    cases = Cases("usage", __doc__)
    with tempfile.TemporaryDirectory(prefix="frost-usage-") as folder:
        tries = Tries(cases.frost, folder)
        for name, case in (("redaction", redaction), ("colours", colors), ("limits of each other", limits_of_each_other),
                           ("comparisons", comparisons), ("options before the command", leading_options),
                           ("terminals", terminals), ("reference", reference)):
            cases.run(name, case, tries)
    cases.finish()


main()
