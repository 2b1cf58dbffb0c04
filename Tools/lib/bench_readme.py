"""Measures the table of README.md in one run: a blur in memory, the command that does it from PNG to PNG, and its error.

All tools blur the same picture, with their defaults. They take turns, so that a disturbance affects all of them equally. Errors
are differences from the exact Gaussian of Tests/acceptance/gaussian.py. Tools/bench readme prepares what this script needs and
runs it.
"""

import argparse
import datetime
import os
import statistics
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path

sys.dont_write_bytecode = True      # writes no .pyc files into the checkout
ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests" / "acceptance"))

PATIENCE = 8        # other processes may disturb this many times the number of turns
SIGMA, SIZE = 8, (3840, 2160)


def arguments():
    parser = argparse.ArgumentParser(prog="Tools/bench readme", description=__doc__)
    parser.add_argument("--frost", required=True, type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--turns", type=int, default=9, help="how often each has its turn (default 9)")
    parser.add_argument("--output", type=Path, default=ROOT / "README.md",
                        help="the page to put the table into; default README.md")
    return parser.parse_args()


OPTIONS = arguments()
THREADS = len(os.sched_getaffinity(0))
os.environ["VIPS_CONCURRENCY"] = str(THREADS)       # libvips reads it when it is loaded

import cv2
import numpy as np
from PIL import Image

import gaussian
import peers
from file_commands import QUIET, Runner, commands, picture
from page_sections import README

cv2.setNumThreads(THREADS)


class Vips(peers.Vips):
    least = 0.2         # the default, which the command has too


# The columns: the title, the blur in memory, and the name of the command.
COLUMNS = [("Frost", peers.Frost, "**frost blur**"), ("OpenCV", peers.OpenCV, "OpenCV GaussianBlur"),
           ("libvips", Vips, "vips gaussblur"), ("Pillow", peers.Pillow, "Pillow GaussianBlur"),
           ("ffmpeg", None, "ffmpeg gblur")]


def measure(folder):
    """Returns the rows: milliseconds in memory and of commands, and errors in 8-bit steps; nan where there is none."""
    source = picture("png", folder, SIZE)
    pixels = np.array(Image.open(source).convert("RGBA"))
    blurs = {title: kind(OPTIONS.frost, "cpu", source, THREADS) if kind is peers.Frost else kind(pixels)
             for title, kind, _ in COLUMNS if kind}
    files = {name: (command, result) for name, command, result in
             commands(OPTIONS.frost, THREADS, "png", source, str(SIGMA), folder)}
    runner = Runner(THREADS)
    memory, whole = ({title: [] for title, _, _ in COLUMNS} for _ in range(2))
    for turn in range(OPTIONS.turns * PATIENCE):
        start = turn % len(COLUMNS)
        for title, kind, name in COLUMNS[start:] + COLUMNS[:start]:
            if kind and turn < OPTIONS.turns:
                memory[title] += blurs[title].timings(SIGMA)[0]
            if len(whole[title]) < OPTIONS.turns:
                seconds, _, others = runner.run(files[name][0])
                # The first turn loads programs and files into memory and is not counted.
                if turn and others <= QUIET:
                    whole[title].append(seconds * 1000)
        if min(map(len, whole.values())) == OPTIONS.turns:
            break
    if not all(whole.values()):
        sys.exit("the machine was never idle enough for a valid run")

    exact = gaussian.blurred_picture(pixels / 255, SIGMA, SIGMA, "clamp")[..., :3] * 255
    def error(path):
        return float(np.abs(np.array(Image.open(path).convert("RGB")) - exact).max())
    return ([min(memory[title], default=np.nan) for title, _, _ in COLUMNS],
            [statistics.median(whole[title]) for title, _, _ in COLUMNS],
            [error(files[name][1]) for _, _, name in COLUMNS])


def row(title, values):
    """Returns a row of the table. The least value is bold."""
    def text(value):
        if np.isnan(value):
            return ""
        digits = f"{value:.2f}" if value < 9.995 else f"{value:.1f}" if value < 99.95 else f"{value:.0f}"
        return f"**{digits}**" if value == np.nanmin(values) else digits
    return f"| {title} | {' | '.join(map(text, values))} |"


def place():
    """Returns a paragraph about the run."""
    processor = next(line.split(":", 1)[1].strip() for line in Path("/proc/cpuinfo").read_text().splitlines()
                     if line.startswith("model name"))
    ffmpeg = subprocess.run(["ffmpeg", "-version"], capture_output=True, text=True, check=True).stdout.split()[2].split("-")[0]
    versions = f"OpenCV {peers.OpenCV.version}, libvips {Vips.version}, Pillow {peers.Pillow.version}, ffmpeg {ffmpeg}"
    return textwrap.fill(
        f"One run on {datetime.date.today()} on {processor} (`Tools/bench readme`), every tool with its defaults: {versions}. "
        "[All sigmas](docs/internals/Performance.md).", 118, break_long_words=False, break_on_hyphens=False)


def main():
    with tempfile.TemporaryDirectory() as folder:
        memory, whole, errors = measure(folder)
    threads = f"{THREADS} threads" if THREADS > 1 else "one thread"
    table = "\n".join([
        f"| {SIZE[0]}x{SIZE[1]}, sigma {SIGMA} | {' | '.join(title for title, _, _ in COLUMNS)} |",
        "|---" + "|--:" * len(COLUMNS) + "|",
        row(f"in memory, {threads} (Pillow: one), ms", memory),
        row("from PNG file to PNG file, ms", whole),
        row("largest error, 8-bit steps (rounding alone: 0.5)", errors),
    ])
    README.replace(OPTIONS.output, f"{table}\n\n{place()}")
    print(f"{table}\nwritten: {OPTIONS.output}")


main()
