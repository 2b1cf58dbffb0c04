"""Measures frames of transitions, and frames of ffmpeg's xfade beside them, and writes the result into a page.

Tools/bench transitions runs this script.
"""

import argparse
import datetime
import json
import subprocess
import sys
import textwrap
import time
from pathlib import Path

sys.dont_write_bytecode = True      # writes no .pyc files into the checkout

from page_sections import TRANSITIONS

ROOT = Path(__file__).resolve().parents[2]
# The largest ratio to a memcpy of both pictures that is allowed for each transition with premultiplied alpha.
BOUNDS = {"dissolve": 3, "swipe": 3, "copy-machine": 3, "bars-swipe": 3}
BOUND_OF_OTHERS = 10
FORMATS = {"rgba8": "RGBA8 premultiplied", "rgba8-straight": "RGBA8 straight, soft alpha"}
XFADES = ["fade", "wipeleft", "circleopen"]
FRAMES = 60

parser = argparse.ArgumentParser(description="Measures frames of transitions, and ffmpeg's xfade beside them.")
parser.add_argument("--frost", type=Path, required=True, help="the command to measure")
parser.add_argument("--size", default="3840x2160", help="default 3840x2160")
parser.add_argument("--threads", type=int, default=2, help="default 2")
parser.add_argument("--check", action="store_true", help="only compare the ratios with the bounds; write nothing")
parser.add_argument("--output", type=Path, default=ROOT / "docs" / "internals" / "Performance.md",
                    help="the page to put the result into; default docs/internals/Performance.md")
OPTIONS = parser.parse_args()


def measured(pixel_format):
    """Returns the rows of `frost bench` by the name of the transition."""
    command = [OPTIONS.frost, "bench", "--transition", "all", "--size", OPTIONS.size, "--threads", str(OPTIONS.threads),
               "--format", pixel_format, "--json"]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    return {row["transition"]: row for row in map(json.loads, lines)}


def xfade_seconds(transition):
    """Returns the seconds that ffmpeg takes for all frames of a transition; without one, those of the rest of its work."""
    def frames(index, name):
        return (f"[{index}]format=gbrap,loop=loop=-1:size=1,trim=end_frame={FRAMES},setpts=N/{FRAMES}/TB,"
                f"fps={FRAMES}[{name}]")
    end = f"[x][y]xfade={transition}:duration=1:offset=0" if transition else "[y]nullsink;[x]null"
    command = ["ffmpeg", "-v", "error", "-filter_complex_threads", str(OPTIONS.threads)]
    for source in ("testsrc2", "mandelbrot"):
        command += ["-f", "lavfi", "-i", f"{source}=size={OPTIONS.size}:rate={FRAMES}" +
                    (":duration=0.02" if source == "testsrc2" else ":maxiter=20")]
    command += ["-filter_complex", f"{frames(0, 'x')};{frames(1, 'y')};{end}", "-frames:v", str(FRAMES), "-f", "null", "-"]
    best = float("inf")
    for _ in range(3):
        start = time.perf_counter()
        subprocess.run(command, check=True)
        best = min(best, time.perf_counter() - start)
    return best


def page(rows, xfades):
    first = next(iter(rows.values()))
    copy = min(row["memcpy_ms"] for row in first.values())
    processor = next(line.split(":", 1)[1].strip() for line in Path("/proc/cpuinfo").read_text().splitlines()
                     if line.startswith("model name"))
    text = textwrap.fill(
        f"`frost bench --transition all --size {OPTIONS.size} --threads {OPTIONS.threads}`, {datetime.date.today()}, "
        f"{processor}: the time of a frame as a multiple of a memcpy of both pictures on one thread ({copy:.1f} ms), at the "
        "slowest of the times 0.13, 0.5 and 0.82. The bound is for premultiplied pictures.", 118)
    table = [f"| transition | {' | '.join(FORMATS.values())} | bound |", "|---|" + "---:|" * (len(FORMATS) + 1)]
    for name in first:
        table.append(f"| `{name}` | " + " | ".join(f"{rows[f][name]['ratio']:.2f}" for f in FORMATS) +
                     f" | {BOUNDS.get(name, BOUND_OF_OTHERS)} |")
    version = subprocess.run(["ffmpeg", "-version"], capture_output=True, text=True, check=True).stdout
    peers = ", ".join(f"`{name}` {seconds / FRAMES * 1000:.0f} ms ({seconds / FRAMES * 1000 / copy:.1f} memcpys)"
                      for name, seconds in xfades.items())
    peer = textwrap.fill(
        f"{version.split(' Copyright')[0]}, in the same run: `xfade`, {FRAMES} frames of {OPTIONS.size} in `gbrap`, "
        f"{OPTIONS.threads} filter threads, less the time of the same graph without `xfade`. A frame of {peers}. "
        "`dissolve` agrees with `xfade=fade` within a step.", 118)
    return "\n\n".join(["## Transitions", text, "\n".join(table), peer])


def main():
    rows = {pixel_format: measured(pixel_format) for pixel_format in FORMATS}
    late = [name for name, row in rows["rgba8"].items() if row["ratio"] > BOUNDS.get(name, BOUND_OF_OTHERS)]
    for name in late:
        print(f"{name}: {rows['rgba8'][name]['ratio']:.2f} memcpys, over its bound")
    if OPTIONS.check:
        sys.exit(1 if late else 0)
    rest = xfade_seconds(None)
    TRANSITIONS.replace(OPTIONS.output, page(rows, {name: xfade_seconds(name) - rest for name in XFADES}))
    print(f"written: {OPTIONS.output}")


main()
