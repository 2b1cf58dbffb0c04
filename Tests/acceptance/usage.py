#!/usr/bin/env python3
"""Checks the command as a new user tries it: habits from other tools, mistakes, and the errors that answer them.

    usage.py --frost PATH [--only TEXT] [--junit FILE]
"""

import json
import os
import pty
import re
import subprocess
import sys
import tempfile
import zlib
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


def cropped(tries):
    """A rectangle that is partly outside the picture is cropped, and a warning says so, also in JSON."""
    words = ["blur", "photo.png", "-o", "crop.png", "--sigma", "3", "--rect", "10,10,5000,10"]
    done = tries.run(*words)
    assert done.returncode == 0 and "10,10,5000,10 was cropped to the picture: 10,10,310,10" in done.stderr, done.stderr
    told = json.loads(tries.run(*words, "--json").stdout)
    assert "10,10,310,10" in told["warning"], told
    inside = tries.run("blur", "photo.png", "-o", "crop.png", "--sigma", "3", "--rect", "10,10,20,10")
    assert "warning" not in inside.stderr, inside.stderr


def lines(tries):
    """A picture takes one short line; --verbose and --json have the rest."""
    done = tries.run("blur", "photo.png", "-o", "soft.png", "--sigma", "3", "--backend", "cpu")
    assert re.fullmatch(r"photo\.png -> soft\.png  320x200  CPU  \d+ ms\n", done.stderr), done.stderr
    more = tries.run("blur", "photo.png", "-o", "soft.png", "--sigma", "3", "--backend", "cpu", "--verbose").stderr
    assert "asked for" in more and "steps before rounding" in more and "decode" in more, more
    gpu = tries.run("blur", "photo.png", "-o", "soft.png", "--sigma", "3", "--backend", "gpu")
    assert gpu.returncode == 5 or ("software GPU" in gpu.stderr) == ("llvmpipe" in gpu.stderr), gpu.stderr


def devices(tries):
    """Hardware may be demanded; software GL is no substitute then."""
    found = [json.loads(line) for line in tries.run("devices", "--json").stdout.splitlines()]
    hardware = [device for device in found if device["status"] == "usable" and not device.get("software")]
    words = ["blur", "photo.png", "-o", "soft.png", "--sigma", "3"]
    for done in (tries.run(*words, "--device", "hardware"),
                 tries.run(*words, "--backend", "gpu", env=os.environ | {"FROST_DEVICE": "hardware"})):
        assert done.returncode == (0 if hardware else 5), (done.returncode, done.stderr)


def hints(tries):
    """Names that are nearly right are answered with the closest ones, and other tools' words with Frost's."""
    tries.refused(2, "material-thin-dark, material-thin-light", "effect", "materal-thin", "photo.png", "-o", "x.png")
    tries.refused(2, "did you mean light?", "bench", "--effect", "ligt")
    tries.refused(2, "the closest are", "bench", "--effect", "lite")
    tries.refused(2, "use --sigma", "blur", "--radius", "3", "photo.png", "-o", "x.png")
    tries.refused(2, "use 'frost blur --sigma S'", "effect", "gaussian", "photo.png", "-o", "x.png")


def damage(tries):
    """A picture that is cut off is called damaged, with the place."""
    whole = (tries.folder / "photo.png").read_bytes()
    (tries.folder / "cut.png").write_bytes(whole[:50])
    tries.refused(3, "cut.png: damaged PNG", "blur", "cut.png", "-o", "x.png", "--sigma", "2")
    (tries.folder / "short.png").write_bytes(whole[:16] + (20000).to_bytes(4, "big") * 2 + whole[24:29]
                                             + zlib.crc32(b"IHDR" + (20000).to_bytes(4, "big") * 2 + whole[24:29]).to_bytes(4, "big"))
    tries.refused(3, "damaged PNG: too short for 20000x20000 pixels, truncated at byte 33", "blur", "short.png", "-o",
                  "x.png", "--sigma", "2")


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
                           ("terminals", terminals), ("cropped rectangles", cropped), ("lines", lines), ("devices", devices),
                           ("hints", hints), ("damage", damage), ("reference", reference)):
            cases.run(name, case, tries)
    cases.finish()


main()
