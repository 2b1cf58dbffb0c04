#!/usr/bin/env python3
"""Compares the results of `frost blur` on CPU and GPU with the exact Gaussian (gaussian.py) and with each other.

    exactness.py --frost PATH [--quick] [--jobs N] [--junit FILE] [--verbose]

Bounds, in steps of the file's depth, on premultiplied colour:

  8 bits    each backend within 1.0 of the exact result, and the two within 1.0 of each other
  16 bits   each backend within 4 of 65535

A GPU that cannot be used is reported as skipped; with FROST_REQUIRE_GPU=1 it fails. The script exits with 1 if a bound does
not hold, and names the pixel. It needs requirements.txt; Tools/check prepares that in .venv.
"""

import concurrent.futures
import dataclasses
import os
import subprocess
import sys
import tempfile
from pathlib import Path

# Each worker is a process with one thread; more threads would only compete with the other workers.
os.environ.setdefault("OMP_NUM_THREADS", "1")
sys.dont_write_bytecode = True      # writes no .pyc files into the checkout

import cv2
import numpy as np

import gaussian
from report import Cases, Skipped

BOUND_8 = 1.0
BOUND_16 = 4.0
BOUND_PAIR = 1.0
NO_DEVICE = 5       # frost's exit code if the requested device cannot be used
SLACK = 1e-6        # in steps: allows the float64 rounding of the comparison itself

SIGMAS = (0.2, 0.3, 0.7, 1, 1.9, 2.5, 3, 5, 8.3, 12, 30, 100, 400, 1000)
PER_AXIS = ((3, 40), (0, 12))
SIZES = ((641, 427), (1, 1), (1, 700), (17, 5), (1920, 1080))
KINDS = ("photo", "noise", "alpha")


# --- Test pictures -----------------------------------------------------------------------------------

def photograph(width, height):
    """Returns Samples/photo.png, mirrored until it covers the size, with values in 0 … 1."""
    path = Path(__file__).resolve().parents[2] / "Samples" / "photo.png"
    photo = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if photo is None:
        sys.exit(f"{path}: cannot be read")
    pad = [(0, max(0, want - have)) for want, have in zip((height, width), photo.shape)]
    return np.pad(photo, pad + [(0, 0)], mode="symmetric")[:height, :width, ::-1] / 255.0


def picture(kind, width, height, full):
    """Returns a straight-alpha picture in 0 … 1, rounded to the file's depth (`full` is its largest value)."""
    random = np.random.default_rng(20260101)
    result = np.ones((height, width, 4))
    if kind == "noise":
        # Random extreme values (0 or 1) mixed with random grey levels are the hardest case for resampled kernels.
        result[..., :3] = random.random((height, width, 3))
        extremes = random.random((height, width)) < 0.5
        result[extremes, :3] = random.integers(0, 2, (extremes.sum(), 3))
    else:
        result[..., :3] = photograph(width, height)
    if full > 255:
        result[..., :3] += (random.random((height, width, 3)) - 0.5) / 255      # fill the lower bits
    if kind == "alpha":
        # A soft disc with a hard-edged ring. The colours of the pixels whose alpha is below 0.5 are noise. This noise must
        # not leak into the visible result.
        y, x = np.mgrid[0:height, 0:width]
        distance = np.hypot((x + 0.5) / width - 0.5, (y + 0.5) / height - 0.5)
        alpha = np.clip((0.55 - distance) / 0.3, 0, 1)
        alpha[(distance > 0.1) & (distance < 0.13)] = 0
        result[..., 3] = alpha
        hidden = alpha < 0.5
        result[hidden, :3] = random.random((hidden.sum(), 3))
    return np.round(np.clip(result, 0, 1) * full) / full


def write_png(path, straight, full):
    """Writes opaque pictures as RGB files and all others as RGBA."""
    values = np.round(straight * full).astype(np.uint16 if full > 255 else np.uint8)
    values = values[..., [2, 1, 0, 3]] if (straight[..., 3] < 1).any() else values[..., 2::-1]
    if not cv2.imwrite(str(path), values, [cv2.IMWRITE_PNG_COMPRESSION, 1]):
        sys.exit(f"{path}: cannot be written")


def read_png(path):
    """Returns premultiplied pixels in 0 … 1, and the largest value of the file's depth."""
    values = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
    if values is None:
        raise ValueError("the result cannot be read")
    full = 65535 if values.dtype == np.uint16 else 255
    if values.ndim == 2:
        values = np.repeat(values[..., None], 3, axis=2)
    straight = np.ones(values.shape[:2] + (4,))
    straight[..., :3] = values[..., 2::-1] / full
    if values.shape[2] == 4:
        straight[..., 3] = values[..., 3] / full
    return gaussian.premultiplied(straight), full


# --- Test cases --------------------------------------------------------------------------------------

@dataclasses.dataclass(frozen=True)
class Group:
    """The cases that use the same picture. They share the picture's file."""
    kind: str
    width: int
    height: int
    bits: int
    sigmas: tuple       # pairs (x, y)
    edges: tuple

    @property
    def name(self):
        return f"{self.kind} {self.width}x{self.height} {self.bits}-bit"

    @property
    def cost(self):
        return self.width * self.height * len(self.sigmas) * len(self.edges) + 50_000


@dataclasses.dataclass
class Outcome:
    """The result of one comparison: `error` in steps, or None if it was skipped or frost failed."""
    group: str
    subject: str        # cpu, gpu or cpu-gpu
    case: str           # sigma and edge mode
    error: float | None = None
    bound: float | None = None
    place: str = ""
    problem: str = ""
    skipped: bool = False

    @property
    def result(self):
        """None, or the message of a failure, or Skipped."""
        if self.problem:
            return self.problem
        if self.skipped:
            return Skipped("no usable GPU")
        if self.bound is None or self.error <= self.bound + SLACK:
            return None
        return f"{self.error:.3f} steps, {self.place} (bound {number(self.bound)})"


def matrix(quick):
    both = [(float(s), float(s)) for s in SIGMAS]
    deep = [(float(s), float(s)) for s in (0.3, 0.7, 3, 12, 100)]
    per_axis = [(float(x), float(y)) for x, y in PER_AXIS]
    if quick:
        some = tuple((s, s) for s in (0.3, 1.9, 3.0, 12.0, 100.0, 1000.0)) + tuple(per_axis)
        return [
            Group("photo", 321, 214, 8, some, ("clamp", "clear")),
            Group("noise", 321, 214, 8, some, ("clamp", "mirror")),
            Group("alpha", 321, 214, 8, some, ("repeat", "clear")),
            Group("noise", 1, 1, 8, some[1::3], gaussian.EDGES),
            Group("noise", 1, 700, 8, some[1::3], gaussian.EDGES),
            Group("alpha", 17, 5, 8, some[::3], gaussian.EDGES),
            Group("photo", 321, 214, 16, ((0.7, 0.7), (12.0, 12.0)), ("clamp",)),
            Group("alpha", 321, 214, 16, ((3.0, 3.0),), ("clear",)),
        ]
    # There is one group per edge mode, so that all workers have about the same amount of work.
    groups = [
        Group(kind, width, height, 8, tuple(both + per_axis), (edge,))
        for kind in KINDS for width, height in SIZES for edge in gaussian.EDGES
    ]
    groups += [
        Group(kind, width, height, 16, tuple(deep + per_axis), (edge,))
        for kind in KINDS for width, height in ((641, 427), (17, 5)) for edge in ("clamp", "clear")
    ]
    return sorted(groups, key=lambda group: -group.cost)


# --- Running frost -----------------------------------------------------------------------------------

def number(value):
    return f"{value:g}"


def label(sigma, edge):
    return f"sigma {number(sigma[0])}{'' if sigma[0] == sigma[1] else ',' + number(sigma[1])} {edge}"


def compare(outcome, first, second, full):
    steps = np.abs(first - second) * full
    where = np.unravel_index(np.argmax(steps), steps.shape)
    outcome.error = float(steps[where])
    outcome.place = f"{'RGBA'[where[2]]} at {where[1]},{where[0]}"


def run_frost(frost, source, target, sigma, edge, backend):
    """Runs frost and returns None, an error message, or `NO_DEVICE` if the backend cannot be used."""
    sigmas = number(sigma[0]) if sigma[0] == sigma[1] else f"{number(sigma[0])},{number(sigma[1])}"
    command = [frost, "blur", str(source), "-o", str(target), "--sigma", sigmas, "--edge", edge,
               "--backend", backend, "--quiet"]
    target.unlink(missing_ok=True)
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, timeout=300)
    except subprocess.TimeoutExpired:
        return "no result after 300 s"
    if done.returncode == NO_DEVICE and backend == "gpu":
        return NO_DEVICE
    if done.returncode:
        return f"exit {done.returncode}: {done.stderr.decode(errors='replace').strip()[-300:]}"
    return None


def run_group(frost, group, require_gpu):
    outcomes = []
    full = 65535 if group.bits == 16 else 255
    straight = picture(group.kind, group.width, group.height, full)
    with tempfile.TemporaryDirectory(prefix="frost-exactness-") as folder:
        source, target = Path(folder, "in.png"), Path(folder, "out.png")
        write_png(source, straight, full)
        for edge in group.edges:
            for sigma in group.sigmas:
                case = label(sigma, edge)
                expected = gaussian.blurred_picture(straight, sigma[0], sigma[1], edge)
                results = {}
                for backend in ("cpu", "gpu"):
                    outcome = Outcome(group.name, backend, case)
                    outcomes.append(outcome)
                    outcome.bound = BOUND_8 if group.bits == 8 else BOUND_16
                    trouble = run_frost(frost, source, target, sigma, edge, backend)
                    if trouble == NO_DEVICE:
                        outcome.skipped = True
                        if require_gpu:
                            outcome.problem = "no usable GPU, and FROST_REQUIRE_GPU=1"
                        continue
                    if trouble:
                        outcome.problem = trouble
                        continue
                    try:
                        result, depth = read_png(target)
                    except ValueError as error:
                        outcome.problem = str(error)
                        continue
                    if result.shape != expected.shape:
                        outcome.problem = f"the result is {result.shape[1]}x{result.shape[0]}"
                        continue
                    if depth != full:
                        outcome.problem = f"the result has {8 if depth == 255 else 16} bits"
                        continue
                    compare(outcome, result, expected, full)
                    results[backend] = result
                if len(results) == 2:
                    outcome = Outcome(group.name, "cpu-gpu", case, bound=BOUND_PAIR if group.bits == 8 else None)
                    compare(outcome, results["cpu"], results["gpu"], full)
                    outcomes.append(outcome)
    return outcomes


# --- Reports -----------------------------------------------------------------------------------------

def table(outcomes, verbose):
    """Prints the worst result of each picture and subject; with `verbose`, every comparison."""
    rows = {}
    for outcome in outcomes:
        key = (outcome.group, outcome.subject) + ((outcome.case,) if verbose else ())
        rows.setdefault(key, []).append(outcome)
    print(f"{'picture':<24} {'subject':<8} {'cases':>5} {'worst':>8} {'bound':>6}  where")
    for key, group in rows.items():
        measured = [outcome for outcome in group if outcome.error is not None]
        if not measured:
            print(f"{key[0]:<24} {key[1]:<8} {len(group):>5} {'-':>8} {'-':>6}  "
                  f"{'skipped: no usable GPU' if group[0].skipped and not group[0].problem else 'no result'}")
            continue
        worst = max(measured, key=lambda outcome: outcome.error)
        bound = "-" if worst.bound is None else number(worst.bound)
        print(f"{key[0]:<24} {key[1]:<8} {len(group):>5} {worst.error:>8.3f} {bound:>6}  {worst.case}, {worst.place}")


def main():
    cases = Cases("exactness", __doc__, [
        ("--jobs", {"type": int, "default": min(2, os.cpu_count() or 1), "help": "worker processes"}),
        ("--verbose", {"action": "store_true", "help": "a row for every comparison"})])
    options = cases.options
    require_gpu = os.environ.get("FROST_REQUIRE_GPU", "") not in ("", "0")
    groups = [group for group in matrix(options.quick) if options.only in group.name]
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        jobs = [pool.submit(run_group, cases.frost, group, require_gpu) for group in groups]
        outcomes = [outcome for job in jobs for outcome in job.result()]
    outcomes.sort(key=lambda outcome: outcome.group)
    table(outcomes, options.verbose)
    for outcome in outcomes:
        cases.add(f"{outcome.group} {outcome.subject} {outcome.case}", outcome.result)
    cases.finish()


if __name__ == "__main__":
    cv2.setNumThreads(1)
    main()
