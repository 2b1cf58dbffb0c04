"""Measures blurs on the GPU, Skia's GPU backend beside them, and writes the result into a page.

Tools/bench-gpu runs this script, and skia_gl.py measures Skia.
"""

import argparse
import datetime
import json
import subprocess
import sys
import textwrap
from pathlib import Path

sys.dont_write_bytecode = True      # writes no .pyc files into the checkout

from page_sections import GPU

ROOT = Path(__file__).resolve().parents[2]
SIGMAS = [1, 2, 3, 8, 30, 100]
SIZES = ["1920x1080", "3840x2160"]
EFFECTS = ["light", "7blur-neon", "material-regular-dark", "tilt-shift"]
TURNS = 3

parser = argparse.ArgumentParser(description="Measures blurs and effects on the GPU, and Skia's GPU backend beside them.")
parser.add_argument("--frost", type=Path, help="the command to measure")
parser.add_argument("--output", type=Path, default=ROOT / "docs" / "Performance.md",
                    help="the page to put the result into; default docs/Performance.md")
parser.add_argument("--runs", type=int, default=7, help="runs of each blur in a turn; default 7")
OPTIONS = parser.parse_args()


def frost(*words):
    command = [OPTIONS.frost, "bench", "--backend", "gpu", "--runs", str(OPTIONS.runs), "--json", *words]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    return [json.loads(line) for line in lines]


def measured():
    """Returns the times of Frost and Skia in ms by size and sigma, the device, and Skia's version."""
    times = {"Frost": {}, "Skia": {}}
    for _ in range(TURNS):
        for size in SIZES:
            rows = frost("--size", size, "--sigma", ",".join(map(str, SIGMAS)))
            done = subprocess.run(
                [sys.executable, "-B", Path(__file__).with_name("skia_gl.py"), ROOT / "Samples" / "photo.png", size,
                 "--sigmas", ",".join(map(str, SIGMAS)), "--runs", str(OPTIONS.runs)],
                capture_output=True, text=True, check=True)
            skia = json.loads(done.stdout)
            for sigma, row in zip(SIGMAS, rows, strict=True):
                for name, value in (("Frost", row["min_ms"]), ("Skia", skia[f"sigma_{sigma}"])):
                    times[name][size, sigma] = min(value, times[name].get((size, sigma), value))
    return times, rows[0]["device"], skia["version"]


def section():
    times, device, version = measured()
    effects = frost("--size", SIZES[0], "--effect", ",".join(EFFECTS))
    exact = frost("--size", "1280x720", "--sigma", ",".join(map(str, SIGMAS)), "--verify")
    processor = next(line.split(":", 1)[1].strip() for line in Path("/proc/cpuinfo").read_text().splitlines()
                     if line.startswith("model name"))

    def row(title, cell):
        return f"| {title} | " + " | ".join(cell(sigma) for sigma in SIGMAS) + " |"

    def table(size):
        return [f"| {size}, ms |" + "".join(f" sigma {sigma} |" for sigma in SIGMAS), "|---|" + "---:|" * len(SIGMAS),
                row("**Frost**", lambda sigma: f"{times['Frost'][size, sigma]:.1f}"),
                row("Skia", lambda sigma: f"{times['Skia'][size, sigma]:.1f}"),
                row("Frost / Skia", lambda sigma: f"{times['Frost'][size, sigma] / times['Skia'][size, sigma]:.2f}")]

    errors = dict(zip(SIGMAS, exact, strict=True))
    text = textwrap.fill(
        f"`Tools/bench-gpu`, {datetime.date.today()}, {device} on {processor}. The fastest of {TURNS} turns of "
        f"{OPTIONS.runs} runs. Frost's time includes upload and readback; that of Skia {version} (Ganesh, OpenGL) begins "
        "with a texture and includes readback.", 118)
    errors_text = textwrap.fill(
        "Frost's largest error in 8-bit steps at these sigmas: "
        + ", ".join(f"{errors[sigma]['maxError']:.2f}" for sigma in SIGMAS)
        + f". Effects at {SIZES[0]}, as multiples of their blur: "
        + ", ".join(f"`{row['effect'].split(':')[0]}` {row['min_ms'] / row['plain_ms']:.2f}" for row in effects) + ".", 118)
    return "\n".join(["## On the GPU", "", text, "", *table(SIZES[0]), "", *table(SIZES[1]), "", errors_text])


if not OPTIONS.frost:
    parser.error("--frost is required")
GPU.replace(OPTIONS.output, section())
