#!/usr/bin/env python3
"""Builds and runs the examples of embedding, and compares what they show with what the command makes of the same pictures.

    embedding.py --frost PATH --library PATH [--only TEXT] [--junit FILE]

What needs a GPU, be it a software one, or a Wayland compositor, is skipped where there is none.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True

import cv2
import numpy

from report import Cases, Skipped

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
TIMEOUT = 300


def succeed(*words, **options):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=TIMEOUT, **options)
    assert done.returncode == 0, f"{' '.join(map(str, words))}: {done.returncode}: {done.stdout[-2000:]}{done.stderr[-4000:]}"
    return done


def picture(path):
    pixels = cv2.imread(str(path), cv2.IMREAD_COLOR)
    assert pixels is not None, f"{path} is no picture"
    return pixels.astype(int)


def largest(a, b):
    assert a.shape == b.shape, (a.shape, b.shape)
    return int(numpy.abs(a - b).max())


class Installation:
    """Frost as `Tools/install` leaves it."""

    def __init__(self, folder, frost, library):
        self.work = Path(folder)
        self.frost = frost
        prefix = self.work / "prefix"
        succeed(ROOT / "Tools" / "install", "--prefix", prefix,
                env=os.environ | {"FROST_BINARY": frost, "FROST_LIBRARY": library})
        self.environment = os.environ | {
            "PKG_CONFIG_PATH": f"{prefix}/lib/pkgconfig", "LD_LIBRARY_PATH": f"{prefix}/lib",
            "PATH": f"{prefix}/bin:{os.environ['PATH']}"}

    def run(self, *words, **options):
        return succeed(*words, env=self.environment, **options)

    def require_gpu(self):
        lines = subprocess.run([self.frost, "devices", "--json"], capture_output=True, text=True).stdout.splitlines()
        if not any(json.loads(line)["status"] == "usable" for line in lines):
            raise Skipped("no EGL device")


def c_scene(installation):
    """Under the panel is what `frost effect` makes of the scene, and around it the scene itself."""
    installation.require_gpu()
    folder = installation.work / "c-scene"
    shutil.copytree(EXAMPLES / "c-scene", folder)
    installation.run("make", "-C", folder, "CFLAGS=-O1 -Wall -Wextra -Wpedantic -Werror")
    frames = installation.work / "frames"
    frames.mkdir()
    for effect in ("material-thin-dark", "light"):
        told = installation.run(
            folder / "scene", "--frames", 5, "--size", "322x181", "--effect", effect, "--scenes", frames)
        panels = [line.split() for line in told.stdout.splitlines()]
        assert len(panels) == 5 and len({panel for _, panel, _ in panels}) == 3, panels
        for number, panel, radius in panels:
            scene, expected = frames / f"scene-{number}.ppm", frames / f"expected-{number}.ppm"
            installation.run("frost", "effect", effect, scene, "-o", expected, "--force", "--rect", panel,
                             "--corner-radius", radius, "--backend", "cpu")
            made, plain, wanted = (picture(path) for path in (frames / f"frame-{number}.ppm", scene, expected))
            assert largest(made, wanted) <= 1, (effect, number, largest(made, wanted))
            x, y, width, height = map(int, panel.split(","))
            inside = numpy.s_[y:y + height, x:x + width]
            around = plain.copy()
            around[inside] = made[inside]
            assert largest(made, around) == 0, (effect, number)
            # The comparison would tell a panel that is not there, one that is square, and one in another place.
            assert largest(made[inside], plain[inside]) > 20, (effect, number)
            assert largest(made[y, x], plain[y, x]) == 0, "a corner is not round"
            assert largest(numpy.roll(made, 2, axis=1), wanted) > 20, (effect, number)


def wayland_screenshot(installation):
    """A picture of a whole desktop, through a pipe."""
    missing = [program for program in ("sway", "swaybg", "grim") if not shutil.which(program)]
    if missing:
        raise Skipped(f"not installed: {', '.join(missing)}")
    folder = installation.work / "screenshot"
    folder.mkdir()
    installation.run(EXAMPLES / "wayland-screenshot" / "screenshot.sh", folder, cwd=folder)
    shot, soft = picture(folder / "shot.png"), picture(folder / "soft.png")
    assert shot.shape == soft.shape == (480, 640, 3), (shot.shape, soft.shape)
    expected = folder / "expected.png"
    installation.run("frost", "effect", "light", folder / "shot.png", "-o", expected, "--backend", "cpu")
    assert largest(soft, picture(expected)) <= 1, largest(soft, picture(expected))
    # The desktop shows the sample picture, and not one colour.
    wall = cv2.resize(picture(ROOT / "Samples" / "photo.png").astype(numpy.uint8), (640, 480), interpolation=cv2.INTER_AREA)
    assert numpy.corrcoef(shot.ravel(), wall.astype(int).ravel())[0, 1] > 0.9
    assert largest(shot, soft) > 20


def main():
    cases = Cases("embedding", __doc__, [("--library", {"required": True, "help": "the libfrost.so to test"})])
    with tempfile.TemporaryDirectory(prefix="frost-embedding-") as folder:
        installation = Installation(folder, cases.frost, os.path.abspath(cases.options.library))
        cases.run("scene in C", c_scene, installation)
        cases.run("screenshot of a Wayland compositor", wayland_screenshot, installation)
    cases.finish()


main()
