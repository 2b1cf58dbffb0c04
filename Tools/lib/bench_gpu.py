"""Measures blurs on the GPU, Skia's GPU backend beside them, and writes the result into a page.

Tools/bench gpu runs this script, and skia_gl.py measures Skia.
"""

import argparse
import datetime
import json
import math
import os
import subprocess
import sys
import textwrap
from pathlib import Path

sys.dont_write_bytecode = True      # writes no .pyc files into the checkout

from page_sections import GPU

ROOT = Path(__file__).resolve().parents[2]
SIGMAS = [1, 2, 3, 8, 30, 100]
SIZES = ["1920x1080", "3840x2160"]
# Softpipe is Mesa's slower software renderer. It computes one texel at a time, so its time follows the number of fetches.
SOFTPIPE_SIZE = "480x270"
EFFECTS = ["light", "7blur-neon", "material-regular-dark", "tilt-shift"]
TURNS = 3

parser = argparse.ArgumentParser(description="Measures blurs and effects on the GPU, and Skia's GPU backend beside them.")
parser.add_argument("--frost", type=Path, help="the command to measure")
parser.add_argument("--output", type=Path, default=ROOT / "docs" / "internals" / "Performance.md",
                    help="the page to put the result into; default docs/internals/Performance.md")
parser.add_argument("--runs", type=int, default=7, help="runs of each blur in a turn; default 7")
OPTIONS = parser.parse_args()


def json_lines(*command, **environment):
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=os.environ | environment)
    return [json.loads(line) for line in done.stdout.splitlines()]


def frost(*words, **environment):
    return json_lines(OPTIONS.frost, "bench", "--backend", "gpu", "--runs", str(OPTIONS.runs), "--json", *words,
                      **environment)


def measured(sizes, **environment):
    """Returns the times of Frost and Skia in ms by size and sigma, the device, and Skia's version."""
    times = {"Frost": {}, "Skia": {}}
    for _ in range(TURNS):
        for size in sizes:
            rows = frost("--size", size, "--sigma", ",".join(map(str, SIGMAS)), **environment)
            [skia] = json_lines(
                sys.executable, "-B", Path(__file__).with_name("skia_gl.py"), ROOT / "Samples" / "photo.png", size,
                "--sigmas", ",".join(map(str, SIGMAS)), "--runs", str(OPTIONS.runs), **environment)
            for sigma, row in zip(SIGMAS, rows, strict=True):
                for name, value in (("Frost", row["min_ms"]), ("Skia", skia[f"sigma_{sigma}"])):
                    times[name][size, sigma] = min(value, times[name].get((size, sigma), value))
    return times, rows[0]["device"], skia["version"]


def frost_costs(sigma):
    """Returns the fetches of Frost's draws for each pixel of the result, and the bytes that they read and write."""
    [plan] = json_lines(OPTIONS.frost, "plan", "--size", SIZES[0], "--sigma", str(sigma), "--json")
    return [sum(draw[key] for draw in plan["draws"] for key in keys)
            for keys in (["fetches"], ["bytesRead", "bytesWritten"])]


def skia_costs(sigma):
    """The same for Skia's source (skgpu BlurUtils): the picture is halved until sigma is at most 4, with one fetch a texel.
    Each pass has a radius of ceil(3 sigma), and a fetch of the linear filter for two taps. One draw enlarges the result."""
    halvings = max(0, math.ceil(math.log2(sigma / 4)))
    share = 0.25 ** halvings
    down = sum(0.25 ** level for level in range(1, halvings + 1))
    radius = math.ceil(3 * sigma / 2 ** halvings)
    up = 1 if halvings else 0
    fetches = down + 2 * (radius + 1) * share + up
    return fetches, 4 * (5 * down + 4 * share + up * (share + 1))


def dual_filter_costs(sigma):
    """The same for the dual filter of Kawase and Bjorge (SIGGRAPH 2015), 5 fetches down and 8 up. With n levels its impulse
    response has a standard deviation of about 2 ** n."""
    levels = max(1, round(math.log2(sigma)))
    down = sum(0.25 ** level for level in range(1, levels + 1))
    up = sum(0.25 ** level for level in range(levels))
    return 5 * down + 8 * up, 2 * 4 * (down + up)


def two_pass_costs(sigma):
    """The same for two passes at full resolution with a radius of ceil(3 sigma) and one fetch for two taps."""
    return 2 * (math.ceil(3 * sigma) + 1), 16


def cost_table():
    kinds = [("**Frost**", frost_costs), ("Skia", skia_costs), ("dual filter (Kawase)", dual_filter_costs), ("two passes", two_pass_costs)]
    costs = [(name, [cost(sigma) for sigma in SIGMAS]) for name, cost in kinds]
    return [sigma_row("fetches; bytes"), SIGMA_LINE,
            *(f"| {name} | " + " | ".join(f"{fetches:.1f}; {size:.0f}" for fetches, size in row) + " |"
              for name, row in costs)]


def sigma_row(title):
    return f"| {title} |" + "".join(f" sigma {sigma} |" for sigma in SIGMAS)


SIGMA_LINE = "|---|" + "---:|" * len(SIGMAS)


def time_table(times, size):
    def row(title, cell):
        return f"| {title} | " + " | ".join(cell(sigma) for sigma in SIGMAS) + " |"

    return [sigma_row(f"{size}, ms"), SIGMA_LINE,
            row("**Frost**", lambda sigma: f"{times['Frost'][size, sigma]:.1f}"),
            row("Skia", lambda sigma: f"{times['Skia'][size, sigma]:.1f}"),
            row("Frost / Skia", lambda sigma: f"{times['Frost'][size, sigma] / times['Skia'][size, sigma]:.2f}")]


def section():
    times, device, version = measured(SIZES)
    effects = frost("--size", SIZES[0], "--effect", ",".join(EFFECTS))
    exact = frost("--size", "1280x720", "--sigma", ",".join(map(str, SIGMAS)), "--verify")
    processor = next(line.split(":", 1)[1].strip() for line in Path("/proc/cpuinfo").read_text().splitlines()
                     if line.startswith("model name"))
    errors = dict(zip(SIGMAS, exact, strict=True))

    def paragraph(*sentences):
        return textwrap.fill(" ".join(sentences), 118)

    parts = [
        "## On the GPU", "",
        paragraph(
            f"`Tools/bench gpu`, {datetime.date.today()}, {device} on {processor}. The fastest of {TURNS} turns of "
            f"{OPTIONS.runs} runs. Frost's time includes upload and readback; that of Skia {version} (Ganesh, OpenGL) begins "
            "with a texture and includes readback."), "",
        *time_table(times, SIZES[0]), "", *time_table(times, SIZES[1]), "",
        paragraph(
            "Frost's largest error in 8-bit steps at these sigmas: "
            + ", ".join(f"{errors[sigma]['maxError']:.2f}" for sigma in SIGMAS)
            + f". Effects at {SIZES[0]}, as multiples of their blur: "
            + ", ".join(f"`{row['effect'].split(':')[0]}` {row['min_ms'] / row['plain_ms']:.2f}" for row in effects) + "."), "",
        paragraph(
            f"Texel fetches and bytes for each pixel of the result at {SIZES[0]}: Frost's by `frost plan`, with 16 bits per "
            "channel between draws; the others' by their definitions (`Tools/lib/bench_gpu.py`), with 8 bits between draws."), "",
        *cost_table(),
    ]
    if "llvmpipe" in device:
        slow, _, _ = measured([SOFTPIPE_SIZE], GALLIUM_DRIVER="softpipe")
        parts += ["", paragraph("The same blurs with Mesa's softpipe, whose time follows the number of fetches:"), "",
                  *time_table(slow, SOFTPIPE_SIZE)]
    return "\n".join(parts)


if not OPTIONS.frost:
    parser.error("--frost is required")
GPU.replace(OPTIONS.output, section())
