"""Compares whole commands that read a file and write a file: frost and the usual alternatives. Measures their time, the
sizes of their files and their memory.

The commands take turns, so that a disturbance affects all of them equally. Each command writes its own file.
Tools/bench files prepares what this script needs and runs it.
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

from file_commands import KINDS, QUIET, Runner, commands, picture
from page_sections import FILES

ROOT = Path(__file__).resolve().parents[2]


def arguments():
    parser = argparse.ArgumentParser(prog="Tools/bench files", description=__doc__)
    parser.add_argument("--frost", required=True, type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--sigma", default="8,30", help="default 8,30")
    parser.add_argument("--size", default="3840x2160", help="default 3840x2160")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)), help="default: all processors")
    parser.add_argument("--turns", type=int, default=9, help="how often each has its turn (default 9)")
    parser.add_argument("--format", default="png,png16,jpg", help="default png,png16,jpg")
    parser.add_argument("--check", action="store_true", help="exit 1 where a bound does not hold; write no page")
    parser.add_argument("--output", type=Path, default=ROOT / "docs" / "internals" / "Performance.md",
                        help="the page to put the result into; default docs/internals/Performance.md")
    return parser.parse_args()


OPTIONS = arguments()
# BOUNDS has three limits for each format. The first is frost's time relative to the fastest other program. The second
# is the size of frost's file relative to the smallest other file or, for JPEG, to the file of vips. The third is for
# frost's memory: frost may use 24 MiB plus this multiple of the picture as 8-bit RGBA. Runs beside other processes are
# repeated, up to PATIENCE times the number of turns.
PATIENCE = 8
BOUNDS = {"png": (0.6, 1.1, 1.5), "png16": (0.6, 1.1, 3), "jpg": (0.7, 1.0, 1.5)}
RUNNER = Runner(OPTIONS.threads)


def progress(text):
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


class Case:
    """Runs all commands on one picture with one sigma."""

    def __init__(self, kind, sigma):
        self.kind, self.sigma = kind, sigma
        self.memory, self.size = {}, {}
        self.disturbed = 0
        width, height = (int(text) for text in OPTIONS.size.split("x"))
        with tempfile.TemporaryDirectory() as folder:
            source = picture(kind, folder, (width, height))
            everything = list(commands(OPTIONS.frost, OPTIONS.threads, kind, source, sigma, folder))
            self.seconds = {name: [] for name, _, _ in everything}
            turn = -1
            while turn < OPTIONS.turns * PATIENCE and min(map(len, self.seconds.values())) < OPTIONS.turns:
                turn += 1
                start = turn % len(everything)
                for name, command, result in everything[start:] + everything[:start]:
                    if len(self.seconds[name]) == OPTIONS.turns:
                        continue
                    progress(f"{kind}, sigma {sigma}, turn {turn}: {name}")
                    seconds, memory, others = RUNNER.run(command)
                    # The first turn loads programs and files into memory and is not counted.
                    if turn and others <= QUIET:
                        self.seconds[name].append(seconds)
                    self.disturbed += turn > 0 and others > QUIET
                    self.memory[name] = max(memory, self.memory.get(name, 0))
                    self.size[name] = Path(result).stat().st_size
            self.source_size = Path(source).stat().st_size
        progress("")
        if not all(self.seconds.values()):
            sys.exit("the machine was never idle enough for a valid run")
        self.frost, *self.others = self.seconds
        self.medians = {name: statistics.median(times) for name, times in self.seconds.items()}
        time_bound, size_bound, memory_bound = BOUNDS[kind]
        smallest = (self.size["vips gaussblur"] if kind == "jpg" else min(self.size[name] for name in self.others))
        self.ratios = [
            ("time of the fastest other tool", self.medians[self.frost] / min(self.medians[name] for name in self.others),
             time_bound),
            ("size of vips's file" if kind == "jpg" else "size of the smallest other file",
             self.size[self.frost] / smallest, size_bound),
            ("memory allowed", self.memory[self.frost] / (memory_bound * width * height * 4 / 2**20 + 24), 1),
        ]

    @property
    def holds(self):
        return all(ratio <= bound for _, ratio, bound in self.ratios)

    @property
    def sums(self):
        return "Frost: " + ", ".join(f"{ratio:.2f} of the {what}" for what, ratio, _ in self.ratios) + "."

    def table(self):
        rows = ["| | ms | minimum, ms | file, KB | memory, MiB |", "|---|---:|---:|---:|---:|"]
        for name, times in self.seconds.items():
            rows.append(f"| {name} | {self.medians[name] * 1000:.0f} | {min(times) * 1000:.0f} | "
                        f"{self.size[name] / 1000:.0f} | {self.memory[name]:.0f} |")
        kind = KINDS[self.kind][0]
        return "\n\n".join([f"### {kind} to {kind}, sigma {self.sigma}", "\n".join(rows)])


def paragraph(*sentences):
    return textwrap.fill(" ".join(sentences), 118, break_long_words=False, break_on_hyphens=False)


def version(command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split("\n")[0]


def page(cases):
    import cv2
    import PIL
    ffmpeg = version(["ffmpeg", "-version"]).split(" Copyright")[0]
    return "\n\n".join([
        "## Files",
        paragraph(
            "Whole commands, from file to file: start-up, decoding, blur and encoding. The picture is `Samples/photo.png`",
            f"scaled to {OPTIONS.size}, with noise of a standard deviation of 6, RGB of 8 or 16 bits. The figures are medians of",
            f"{OPTIONS.turns} runs in turn, {datetime.date.today()}, {OPTIONS.threads} threads, with",
            f"{version(['vips', '--version'])}, {ffmpeg}, and OpenCV {cv2.__version__} and Pillow {PIL.__version__} in Python scripts.",
            f"{sum(case.disturbed for case in cases)} runs are not counted, because other processes took more than",
            f"{QUIET:.0%} of the processors."),
        *[case.table() for case in cases],
        paragraph(
            "A blurred photograph has no repetitions. For it, [codes for bytes and runs](Files-and-Commands.md#files) with the",
            "Paeth filter make smaller PNGs than zlib's best level, in a tenth of its time."),
    ])


def main():
    cases = []
    for kind in OPTIONS.format.split(","):
        for sigma in OPTIONS.sigma.split(","):
            cases.append(Case(kind, sigma))
            print(cases[-1].table() + f"\n\n{cases[-1].sums}\n", flush=True)
    if OPTIONS.check:
        sys.exit(0 if all(case.holds for case in cases) else 1)
    FILES.replace(OPTIONS.output, page(cases))
    print(f"written: {OPTIONS.output}")


main()
