"""Measures all effects with their default parameters, and writes the result into a page.

Tools/bench effects runs this script.
"""

import argparse
import datetime
import json
import subprocess
import sys
import textwrap
from pathlib import Path

sys.dont_write_bytecode = True      # writes no .pyc files into the checkout

from page_sections import EFFECTS

ROOT = Path(__file__).resolve().parents[2]

parser = argparse.ArgumentParser(description="Measures all effects with their default parameters.")
parser.add_argument("--frost", type=Path, required=True, help="the command to measure")
parser.add_argument("--size", default="3840x2160", help="default 3840x2160")
parser.add_argument("--threads", type=int, default=2, help="default 2")
parser.add_argument("--output", type=Path, default=ROOT / "docs" / "internals" / "Performance.md",
                    help="the page to put the result into; default docs/internals/Performance.md")
OPTIONS = parser.parse_args()


def measured():
    """Returns the rows of `frost bench` in the order of the catalogue."""
    command = [OPTIONS.frost, "bench", "--effect", "all", "--size", OPTIONS.size, "--threads", str(OPTIONS.threads),
               "--backend", "cpu", "--json", "--quiet"]
    return [json.loads(line) for line in subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()]


def page(rows):
    processor = next(line.split(":", 1)[1].strip() for line in Path("/proc/cpuinfo").read_text().splitlines()
                     if line.startswith("model name"))
    copy = min(row["memcpy_ms"] for row in rows)
    text = textwrap.fill(
        f"`frost bench --effect all --size {OPTIONS.size} --threads {OPTIONS.threads}`, {datetime.date.today()}, {processor}: "
        "opaque premultiplied RGBA8. The fastest run as a multiple of a memcpy of the picture on one thread "
        f"({copy:.1f} ms), and of the blur alone, without colour, masks and dither; for a variable blur, of the Gaussian of its "
        "largest sigma. A mask that an effect needs grows from the left to the right.", 118)
    table = ["| effect | memcpys | its blur alone |", "|---|---:|---:|"]
    for row in rows:
        ratio = row["plain_ratio"]
        table.append(f"| `{row['effect']}` | {row['ratio']:.1f} | {'' if ratio is None else f'{ratio:.2f}'} |")
    return "\n\n".join(["## All effects", text, "\n".join(table)])


EFFECTS.replace(OPTIONS.output, page(measured()))
print(f"written: {OPTIONS.output}")
