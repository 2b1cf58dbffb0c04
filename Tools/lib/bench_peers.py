"""Measures the time and the error of Frost and of other blurs.

All blurs are measured in one run, in turn. Before each blur, a memcpy of the same picture is measured in the same process.
Errors are differences from the exact Gaussian of Tests/acceptance/gaussian.py. Tools/bench peers installs the imported
packages and runs this script.
"""

import argparse
import datetime
import json
import os
import resource
import statistics
import sys
import tempfile
import textwrap
from pathlib import Path

sys.dont_write_bytecode = True      # writes no .pyc files into the checkout
ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests" / "acceptance"))

SIGMAS = "1,2,3,5,8,12,30,100"
EFFECTS = ["light", "dark", "7blur-dark", "blur-light", "gpuimage-ios", "material-thin-light", "material-thick-dark",
           "material-chrome-dark", "tilt-shift", "selective"]
FORMATS = {"rgb8": "RGB", "rgba8-straight": "RGBA, straight", "rgba8": "RGBA, premultiplied"}
SLOW_SECONDS = 5        # a blur that takes longer is not repeated in later turns


def arguments():
    parser = argparse.ArgumentParser(prog="Tools/bench peers", description=__doc__)
    parser.add_argument("--frost", required=True, type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--sigma", default=SIGMAS, help=f"default {SIGMAS}")
    parser.add_argument("--size", default="3840x2160", help="default 3840x2160")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)), help="default: all processors")
    parser.add_argument("--turns", type=int, default=5, help="how often each has its turn at each sigma (default 5)")
    parser.add_argument("--only", help="only contestants with this in their name; Frost is always among them")
    parser.add_argument("--output", type=Path, default=ROOT / "docs" / "internals" / "Performance.md",
                        help="default docs/internals/Performance.md; the plot goes to images/performance.svg beside it")
    parser.add_argument("--no-plot", action="store_true", help="leave the plot as it is")
    return parser.parse_args()


OPTIONS = arguments()
os.environ["VIPS_CONCURRENCY"] = str(OPTIONS.threads)       # libvips reads it when it is loaded

import cv2
import numpy as np
from PIL import Image, ImageOps

import gaussian
from page_sections import BY_HAND, EFFECTS, FILES, GPU, PIXEL_FORMATS, PYTHON, TRANSITIONS
from peers import PEERS, Frost, Peer

cv2.setNumThreads(OPTIONS.threads)


# --- Measurements ------------------------------------------------------------------------------------

class Score:
    """The results of one contestant at one sigma: times in milliseconds, and errors in 8-bit steps."""

    def __init__(self):
        self.blurs, self.copies = [], []
        self.memcpy = None      # the minimum in the contestant's process; all peers share one process
        self.maximum = self.mean = None

    @property
    def ratio(self):
        return min(self.blurs) / self.memcpy


def photograph(width, height):
    """Returns the middle of Samples/photo.png, scaled to cover the size, as opaque RGBA."""
    photo = Image.open(ROOT / "Samples" / "photo.png").convert("RGB")
    return np.array(ImageOps.fit(photo, (width, height), Image.Resampling.LANCZOS).convert("RGBA"))


def compete(contestants, sigma):
    """Measures all contestants in turn. Each turn starts with another contestant, so that a disturbance affects all
    contestants equally."""
    scores = {one: Score() for one in contestants if one.takes(sigma)}
    for turn in range(OPTIONS.turns):
        order = list(scores)
        start = turn * len(order) // OPTIONS.turns
        for one in order[start:] + order[:start]:
            score = scores[one]
            if score.blurs and max(score.blurs) > SLOW_SECONDS * 1000:
                continue
            progress(f"sigma {sigma:g}, turn {turn + 1} of {OPTIONS.turns}: {one.name.strip('*')}")
            blurs, copies = one.timings(sigma)
            score.blurs += blurs
            score.copies += copies
    for one, score in scores.items():
        score.memcpy = min(min(other.copies) for peer, other in scores.items() if shared(one, peer))
    return scores


def shared(one, other):
    """Returns whether two contestants run in the same process."""
    return one is other or not isinstance(one, Frost) and not isinstance(other, Frost)


def judge(scores, exact, sigma):
    """Sets the errors in the scores, in 8-bit steps. They are the errors of the colour channels. The alpha channel is opaque
    and therefore excluded: it would only lower the mean."""
    for one, score in scores.items():
        progress(f"sigma {sigma:g}, error: {one.name.strip('*')}")
        result = one.result(sigma)
        worst = total = 0.0
        for channel in range(3):
            difference = np.abs(result[..., channel] - exact[..., channel] * 255)
            worst = max(worst, float(difference.max()))
            total += float(difference.mean())
        score.maximum, score.mean = worst, total / 3


def flaws(results):
    """Returns a paragraph about the blurs with large errors that do not even leave a uniform picture unchanged."""
    notes = []
    for sigma, scores in results.items():
        for one, score in scores.items():
            if score.maximum > 50 and isinstance(one, Peer):
                flat = type(one)(np.full_like(one.pixels, 200)).result(sigma)
                if flat.min() != 200 or flat.max() != 200:
                    notes.append(f"At sigma {sigma:g} {one.name} turns a flat grey of 200 into {flat[..., :3].max()}.")
    return paragraph(*notes) + "\n\n" if notes else ""


class Quiet:
    """Measures how busy other processes have kept the machine since this object was created."""

    def __init__(self):
        self.system, self.own = self.read()

    @staticmethod
    def read():
        words = Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:]
        user, nice, system, idle, wait, irq, soft, steal = (int(word) for word in words[:8])
        busy = user + nice + system + irq + soft
        own = sum(getattr(resource.getrusage(who), field)
                  for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN) for field in ("ru_utime", "ru_stime"))
        return (busy, steal, busy + idle + wait + steal), own * os.sysconf("SC_CLK_TCK")

    def __str__(self):
        now, own = self.read()
        busy, steal, whole = (after - before for after, before in zip(now, self.system))
        if not whole:
            return "How busy the machine was is not known."
        others = max(0, busy - (own - self.own)) / whole
        text = f"Other processes took {others:.0%} of the processors meanwhile" \
            + (f", and the hypervisor kept back {steal / whole:.0%}" if steal / whole >= 0.005 else "") + "."
        if others + steal / whole > 0.03:
            text += " **The machine was not quiet**: take the times as upper bounds, and small differences for noise."
        return text


def progress(text):
    if sys.stderr.isatty():
        print(f"\r\033[K{text} …" if text else "\r\033[K", end="", file=sys.stderr, flush=True)


def stage_costs(frost, path):
    """Returns the results of `frost bench --effect` as text. For each effect and format, the text has the ratio of the
    effect's time to the time of its blur alone, and the effect's time in milliseconds."""
    costs = {name: [] for name in EFFECTS}
    for pixels in FORMATS:
        progress(f"effects on {pixels}")
        lines = frost.run("bench", "--input", path, "--effect", ",".join(EFFECTS), "--backend", "cpu", "--format", pixels,
                          "--threads", str(OPTIONS.threads), "--runs", "15", "--json", "--quiet").splitlines()
        for line in lines:
            found = json.loads(line)
            costs[found["effect"]].append(f"{found['plain_ratio']:.2f} ({found['min_ms']:.1f} ms)")
    return costs


# --- Report ------------------------------------------------------------------------------------------

def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|---" + "|---:" * (len(head) - 1) + "|"]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def short(value):
    return f"{value:.2f}" if value < 9.995 else f"{value:.1f}" if value < 99.95 else f"{value:.0f}"


def cells(contestants, results, sigmas, text):
    head = [""] + [f"sigma {sigma:g}" for sigma in sigmas]
    return table(head, [
        [one.name] + [text(results[sigma][one]) if one in results[sigma] else "" for sigma in sigmas]
        for one in contestants])


def processor():
    names = [line.split(":", 1)[1].strip() for line in Path("/proc/cpuinfo").read_text().splitlines()
             if line.startswith("model name")]
    return (names[0] if names else os.uname().machine) + f", {os.cpu_count()} processors"


def memcpy_times(results):
    """Returns the median memcpy times over the sigmas, as text."""
    def median(is_frost):
        return statistics.median([score.memcpy for scores in results.values() for one, score in scores.items()
                                  if isinstance(one, Frost) == is_frost] or [0])
    return f"{median(True):.2f} ms in Frost's process" + (f", {median(False):.2f} ms in the peers'" * bool(median(False)))


def paragraph(*sentences, indent=""):
    return textwrap.fill(" ".join(sentences), 118, break_long_words=False, break_on_hyphens=False, subsequent_indent=indent)


def report(contestants, results, sigmas, costs, quiet):
    single = " and ".join(one.name for one in contestants if not one.threaded)
    how = "\n".join(paragraph(f"- {one.name}, version {one.version}: {one.how}.", indent="  ") for one in contestants)
    fastest = paragraph(
        f"The fastest run, as a multiple of a single-threaded memcpy of the same picture ({memcpy_times(results)}):")
    place = paragraph(
        f"Measured on {datetime.date.today()} on {processor()}, with {OPTIONS.threads} threads.",
        f"The picture is `Samples/photo.png` scaled to {OPTIONS.size}, opaque RGBA of 8 bits.", quiet)
    rules = paragraph(
        f"All tools run in turn, {OPTIONS.turns} turns each at every sigma, each turn beginning with another tool.",
        "A memcpy is measured before every blur, in the same process; NumPy asks the system for huge pages, which makes the",
        f"memcpy of the other tools faster. A run that takes more than {SLOW_SECONDS} s is not repeated. OpenCV, Skia and Frost",
        "fill an existing buffer; libvips and Pillow allocate one.", f"{single} use only one thread." if single else "",
        "An empty cell means that the tool does not support that sigma.")
    return f"""# Performance

<!-- Written by Tools/bench peers: change that, and run it again. -->

{place}

## Time

{fastest}

{cells(contestants, results, sigmas, lambda score: short(score.ratio))}

The same in milliseconds:

{cells(contestants, results, sigmas, lambda score: short(min(score.blurs)))}

## Error

The largest error in 8-bit steps over all pixels and colours and, in brackets, the mean. Rounding to 8 bits alone has
0.5 (0.25).

{cells(contestants, results, sigmas, lambda score: f"{score.maximum:.2f} ({score.mean:.2f})")}

{flaws(results)}## Effects

The cost of colour stages, masks and dither: the fastest run as a multiple of the blur alone (`frost bench --effect`).

{table(["", *FORMATS.values()], [[f"`{name}`", *cells] for name, cells in costs.items()])}

{BY_HAND.current(OPTIONS.output)}

{FILES.current(OPTIONS.output)}

{EFFECTS.current(OPTIONS.output)}

{TRANSITIONS.current(OPTIONS.output)}

{PYTHON.current(OPTIONS.output)}

{PIXEL_FORMATS.current(OPTIONS.output)}

{GPU.current(OPTIONS.output)}

## Frost by itself

![Time against sigma, against pixels, and against radius for reduced pictures](images/performance.svg)

`frost bench --plot` draws this from a synthetic picture.

## How this is measured

{how}

{rules}

*Exact* is the sampled Gaussian in float64, cut at 6 sigma, with repeated edge pixels: `Tests/acceptance/gaussian.py`.
Every tool gets the same sigma.

## Measure again

[CONTRIBUTING](../../CONTRIBUTING.md) has the commands that write these sections. A single tool, and README.md's table:

```sh
Tools/bench peers --sigma 8 --only OpenCV --no-plot --output /tmp/quick.md
Tools/bench readme
```
"""


def main():
    sigmas = [float(text) for text in OPTIONS.sigma.split(",")]
    width, height = (int(text) for text in OPTIONS.size.split("x"))
    pixels = photograph(width, height)
    results = {}
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/photo.png"
        Image.fromarray(pixels).save(path, compress_level=1)
        frost = Frost(OPTIONS.frost, "cpu", path, OPTIONS.threads)
        contestants = [frost]
        if any(json.loads(line).get("auto") for line in frost.run("devices", "--json").splitlines()):
            contestants.append(Frost(OPTIONS.frost, "gpu", path, OPTIONS.threads))
        for peer in PEERS:
            if not OPTIONS.only or OPTIONS.only.lower() in peer.name.lower():
                contestants.append(peer(pixels))

        quiet = Quiet()
        for sigma in sigmas:
            results[sigma] = compete(contestants, sigma)
        costs = stage_costs(frost, path)
        busy = str(quiet)       # read before the computation of references keeps the machine busy

        for sigma in sigmas:
            judge(results[sigma], gaussian.blurred_picture(pixels / 255, sigma, sigma, "clamp"), sigma)
            progress("")
            for one, score in results[sigma].items():
                print(f"sigma {sigma:5g}  {one.name.strip('*'):32s} {min(score.blurs):9.1f} ms  "
                      f"{score.ratio:8.2f} x memcpy  error max {score.maximum:6.2f} mean {score.mean:.3f}", flush=True)

    if not OPTIONS.no_plot:
        plot = OPTIONS.output.parent / "images" / "performance.svg"
        plot.parent.mkdir(parents=True, exist_ok=True)
        progress("frost bench --plot")
        frost.run("bench", "--plot", str(plot), "--threads", str(OPTIONS.threads), "--quiet")
        progress("")
    OPTIONS.output.write_text(report(contestants, results, sigmas, costs, busy))
    print(f"written: {OPTIONS.output}")


main()
