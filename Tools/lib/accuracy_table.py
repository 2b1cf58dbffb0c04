"""Writes the tables of docs/internals/Accuracy.md. Tools/accuracy-table runs this script, which needs only Python and frost."""

import argparse
import datetime
import json
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True      # writes no .pyc files into the checkout
from accuracy_pictures import Kernel, noise, photograph, worst_picture

ROOT = Path(__file__).resolve().parents[2]
DOCUMENT = ROOT / "docs" / "internals" / "Accuracy.md"
SIGMAS = [0.2, 0.5, 0.7, 1, 2, 2.5, 3, 5, 8, 12, 30, 100, 400, 1000]
SIDE = 4096     # the side of the planned pictures; error bounds do not depend on it


class Depth:
    """The error limits for a sample depth, in steps of that depth."""

    def __init__(self, bits, budget, arithmetic, promise):
        self.bits, self.budget, self.arithmetic, self.promise = bits, budget, arithmetic, promise
        # frost reports errors in 8-bit steps.
        self.scale = 1 if bits == 8 else 257


# The parts of the error that docs/internals/Accuracy.md allows: the planned error, the arithmetic, and half a step of rounding.
DEPTHS = [Depth(8, 0.4, 0.1, 1), Depth(16, 2.5, 0.5, 4)]


def frost(*words, codes=(0,)):
    """Runs frost and returns its JSON objects."""
    done = subprocess.run([OPTIONS.frost, *map(str, words), "--json"], capture_output=True, text=True)
    if done.returncode not in codes:
        sys.exit(f"frost {' '.join(map(str, words))}: exit {done.returncode}\n{done.stderr}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def plan(sigma, depth):
    return frost("plan", "--size", f"{SIDE}x{SIDE}", "--sigma", sigma, "--accuracy", depth.budget / depth.scale)[0]


# --- Tables ------------------------------------------------------------------------------------------

def table(rows):
    rows.insert(1, ["---"] * len(rows[0]))
    return "".join("| " + " | ".join(map(str, row)) + " |\n" for row in rows)


def decimations(taps):
    """Returns filter lengths as text. For example, [4, 4, 4, 8] becomes "4…4, 8"."""
    if len(taps) > 3:
        return f"{taps[0]}…{taps[-2]}, {taps[-1]}"
    return ", ".join(map(str, taps)) or "–"


def plans_table():
    header = ["sigma"]
    for depth in DEPTHS:
        header += [f"D, {depth.bits} bits", "σ / D", "decimations", "taps", f"bound, {depth.bits}-bit steps"]
    rows = [header]
    for sigma in SIGMAS:
        row = [sigma]
        for depth in DEPTHS:
            found = plan(sigma, depth)
            passes = [one for one in found["passes"] if one["axis"] == "x"]
            chain = [len(one["taps"]) for one in passes if one["operation"] == "decimate"]
            taps = [len(one["taps"]) for one in passes if one["operation"] == "convolve"]
            factor = 2 ** len(chain)
            row += [factor, f"{sigma / factor:.2f}", decimations(chain), *taps,
                    f"{found['errorBound'] * depth.scale:.{3 if depth.bits == 8 else 2}f}"]
        rows.append(row)
    return table(rows)


def measured_table():
    failures, worst, devices = [], {}, set()
    rows = [["sigma"]]
    for depth in DEPTHS:
        rows[0] += [f"bound, {depth.bits} bits", "CPU", "GPU", "CPU against GPU"]
    with tempfile.TemporaryDirectory(prefix="frost-accuracy-") as folder:
        folder = Path(folder)
        common = {depth.bits: [photograph(ROOT / "Samples" / "photo.png", folder, depth.bits),
                               noise(folder, depth.bits)] for depth in DEPTHS}
        for sigma in SIGMAS:
            row = [sigma]
            for depth in DEPTHS:
                found = plan(sigma, depth)
                pictures = [worst_picture(Kernel(found["passes"]), sigma, folder, depth.bits), *common[depth.bits]]
                bound = found["errorBound"] * depth.scale + 0.5
                errors = {"cpu": 0, "gpu": 0, "both": 0}
                # Exit code 1 means that an error exceeds frost's own bound, which this script reports itself.
                for report in frost("check", *pictures, "--sigma", sigma, codes=(0, 1)):
                    for pair in report["pairs"]:
                        kind = "both" if pair["b"] != "exact" else pair["a"].split(":")[0]
                        if pair["a"].startswith("gpu:"):
                            devices.add(pair["a"][4:])
                        error = pair["max"] * depth.scale
                        errors[kind] = max(errors[kind], error)
                        if kind != "both" and error > min(bound + depth.arithmetic, depth.promise):
                            failures.append(f"{depth.bits} bits, sigma {sigma}, {pair['a']}, "
                                            f"{Path(report['input']).name}: {error:.3f} steps, bound {bound:.3f}")
                row += [f"{bound:.3f}", *(f"{errors[kind]:.3f}" for kind in ("cpu", "gpu", "both"))]
                for kind in ("cpu", "gpu"):
                    worst[depth.bits, kind] = max(worst.get((depth.bits, kind), 0), errors[kind])
                note(f"sigma {sigma}, {depth.bits} bits: {', '.join(row[-4:])}")
            rows.append(row)
    if failures:
        sys.exit("the bound is exceeded, so nothing is written:\n" + "\n".join(failures))
    if not devices:
        sys.exit("no GPU was measured, not even a software renderer, so nothing is written")
    rows.append(["worst"])
    for depth in DEPTHS:
        rows[-1] += [f"promised {depth.promise}", f"**{worst[depth.bits, 'cpu']:.3f}**",
                     f"**{worst[depth.bits, 'gpu']:.3f}**", ""]
    version = subprocess.run([OPTIONS.frost, "--version"], capture_output=True, text=True).stdout.strip()
    software = {one["renderer"] for one in frost("devices") if one.get("software")}
    gpus = ", ".join(f"{name}, a software renderer" if name in software else name for name in sorted(devices))
    where = f"{version} on {processor()} and, as GPU, {gpus}, {datetime.date.today()}"
    return table(rows) + f"\nMeasured with {where}.\n"


def processor():
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return " ".join(line.split(":", 1)[1].split())
    return "a processor of unknown model"


# --- The document ------------------------------------------------------------------------------------

def marks(name):
    return f"<!-- {name}: written by Tools/accuracy-table -->\n", f"<!-- end of {name} -->\n"


def part(text, name):
    """Returns the positions in the document at which a table starts and ends."""
    begin, end = marks(name)
    if text.count(begin) != 1 or text.count(end) != 1:
        sys.exit(f"{DOCUMENT}: expected each mark of {name} exactly once")
    return text.index(begin) + len(begin), text.index(end)


def put(text, name, content):
    start, end = part(text, name)
    return text[:start] + "\n" + content + "\n" + text[end:]


def note(text):
    print(text, file=sys.stderr, flush=True)


def main():
    text = DOCUMENT.read_text()
    fresh = put(text, "plans", plans_table())
    if OPTIONS.check:
        if fresh != text:
            sys.exit(f"{DOCUMENT.relative_to(ROOT)}: the table of plans is stale; run Tools/accuracy-table")
        return
    part(text, "measurements")      # reports missing marks before anything is measured
    fresh = put(fresh, "measurements", measured_table())
    temporary = DOCUMENT.with_suffix(".new")
    temporary.write_text(fresh)
    temporary.replace(DOCUMENT)


parser = argparse.ArgumentParser(prog="Tools/accuracy-table", description=__doc__)
parser.add_argument("--frost", required=True, help=argparse.SUPPRESS)
parser.add_argument("--check", action="store_true", help="only compare the table of plans with the document")
OPTIONS = parser.parse_args()
main()
