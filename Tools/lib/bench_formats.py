"""Measures blurs of every pixel format in memory, and OpenCV's blurs of the same pictures beside them.

Tools/bench formats runs this script. Each library and instruction set has a process of its own, because the library reads
FROST_KERNELS only once.
"""

import argparse
import datetime
import json
import os
import subprocess
import sys
import textwrap
import time
from pathlib import Path

sys.dont_write_bytecode = True      # writes no .pyc files into the checkout

ROOT = Path(__file__).resolve().parents[2]
SIGMAS = [0.5, 1, 2, 3, 8, 30]
# What limits the times. The cycles were measured with one thread at 4.25 GHz, 2026-11-30.
LIMITS = """\
Instructions and memory limit these times. The filter for sigma 2 has 15 taps for 8 bits. Along each axis a vector of
samples takes 8 multiplications, 7 averages and 8 additions. A core of Zen 5 completes four of these a cycle, two of
them multiplications: 11.5 cycles for both axes, and about 14 with loading, shifting, rounding and storing. Measured are
20 cycles with AVX2 and 29 with AVX-512, whose vectors are twice as long. The difference is waiting for the L2 cache and
for memory; a memcpy alone takes 3 and 5 cycles.

Half resolution cannot be exact enough below sigma 2.29 ([Accuracy.md](Accuracy.md)). The best cascades of averages,
boxes and short filters that linear programming found take 16 to 18 instructions in place of the 23 along an axis, but
more loads and stores. Floats cannot use fused multiply-add instructions, because all instruction sets must compute the
same bits.

Grey pictures of 8 bits have 8 MB and fit into the L3 cache. There a memcpy is two to five times as fast as in memory,
so their multiples are larger."""
# A blur whose OpenCV version takes longer is measured only once.
SLOW_SECONDS = 1

parser = argparse.ArgumentParser(description="Measures blurs of every pixel format in memory.")
parser.add_argument("--library", type=Path, required=True, help="the libfrost.so to measure")
parser.add_argument("--before", type=Path, help="another libfrost.so, measured in the same run")
parser.add_argument("--size", default="3840x2160", help="default 3840x2160")
parser.add_argument("--threads", type=int, default=2, help="default 2")
parser.add_argument("--turns", type=int, default=5, help="how often each has its turn (default 5)")
parser.add_argument("--output", type=Path, default=ROOT / "docs" / "internals" / "Performance.md",
                    help="the page to put the result into; default docs/internals/Performance.md")
parser.add_argument("--only", help=argparse.SUPPRESS)
OPTIONS = parser.parse_args()


def pictures():
    """Returns a picture and its alpha mode for the name of each format."""
    import numpy as np
    from PIL import Image
    width, height = map(int, OPTIONS.size.split("x"))
    photo = Image.open(ROOT / "Samples" / "photo.png").convert("RGB").resize((width, height), Image.LANCZOS)
    rgba = np.dstack([np.asarray(photo), np.full((height, width), 255, np.uint8)])
    soft = rgba.copy()
    soft[..., 3] = np.asarray(photo.convert("L"))
    rgb, grey = np.ascontiguousarray(rgba[..., :3]), np.ascontiguousarray(rgba[..., 1])
    wide = {name: image.astype(np.uint16) * 257 for name, image in (("rgba", rgba), ("rgb", rgb), ("grey", grey))}
    real = {name: (image / np.float32(255)).astype(np.float32)
            for name, image in (("rgba", rgba), ("rgb", rgb), ("grey", grey))}
    return {
        "RGBA8 premultiplied": (rgba, "premultiplied"), "RGBA8 straight, opaque": (rgba, "straight"),
        "RGBA8 straight, soft": (soft, "straight"), "RGB8": (rgb, None), "grey8": (grey, None),
        "grey and alpha 8": (np.ascontiguousarray(rgba[..., 1::2]), "premultiplied"),
        "RGBA16 premultiplied": (wide["rgba"], "premultiplied"), "RGB16": (wide["rgb"], None), "grey16": (wide["grey"], None),
        "RGBA32F premultiplied": (real["rgba"], "premultiplied"), "RGB32F": (real["rgb"], None),
        "grey32F": (real["grey"], None),
        "RGBA16F premultiplied": (real["rgba"].astype(np.float16), "premultiplied"),
        "RGB16F": (real["rgb"].astype(np.float16), None), "grey16F": (real["grey"].astype(np.float16), None),
    }


def measure():
    """Prints a line of JSON for each format and sigma."""
    sys.path.insert(0, str(ROOT / "python"))
    import cv2
    import frost
    import numpy as np
    cv2.setNumThreads(OPTIONS.threads)
    renderer = frost.Renderer(backend="cpu", threads=OPTIONS.threads)
    for name, (image, alpha) in pictures().items():
        out = np.empty_like(image)
        keywords = {"alpha": alpha} if alpha else {}
        for sigma in SIGMAS:
            blur = frost.gaussian(sigma)
            size = (int(2 * sigma) | 1,) * 2
            work = {
                "memcpy": lambda: np.copyto(out, image),
                "frost": lambda: renderer.render(image, blur, out=out, **keywords),
                "opencv": lambda: cv2.GaussianBlur(image, (0, 0), sigma, dst=out, borderType=cv2.BORDER_REPLICATE),
                "box": lambda: cv2.blur(image, size, dst=out, borderType=cv2.BORDER_REPLICATE),
            }
            if image.dtype == np.float16:       # OpenCV does not blur floats of 16 bits
                del work["opencv"], work["box"]
            best = dict.fromkeys(work, float("inf"))
            for _ in range(OPTIONS.turns):
                for key, run in work.items():
                    if best[key] < float("inf") and best[key] > SLOW_SECONDS:
                        continue
                    for _ in range(3 if key in ("memcpy", "frost") else 1):
                        start = time.perf_counter()
                        run()
                        best[key] = min(best[key], time.perf_counter() - start)
            print(json.dumps({"format": name, "sigma": sigma, **best}), flush=True)


def measured(library, kernels):
    """Returns the rows of one library and instruction set, by format and sigma; None if the processor lacks the set."""
    environment = {**os.environ, "FROST_LIBRARY": str(library), "FROST_KERNELS": kernels}
    command = [sys.executable, __file__, "--library", library, "--size", OPTIONS.size, "--threads", str(OPTIONS.threads),
               "--turns", str(OPTIONS.turns), "--only", "measure"]
    result = subprocess.run(command, env=environment, capture_output=True, text=True)
    if result.returncode != 0:
        if "instruction set of this processor" in result.stderr:
            return None
        sys.exit(result.stderr)
    rows = map(json.loads, result.stdout.splitlines())
    return {(row["format"], row["sigma"]): row for row in rows}


def table(rows, title, cell):
    """Returns a table with a row for each format and a column for each sigma."""
    names = list(dict.fromkeys(name for name, _ in rows))
    lines = [f"| {title} | " + " | ".join(f"{sigma:g}" for sigma in SIGMAS) + " |", "|---|" + "---:|" * len(SIGMAS)]
    for name in names:
        lines.append(f"| {name} | " + " | ".join(cell(rows[name, sigma]) for sigma in SIGMAS) + " |")
    return "\n".join(lines)


def main():
    if OPTIONS.only == "measure":
        return measure()
    from page_sections import PIXEL_FORMATS
    import cv2
    processor = next(line.split(":", 1)[1].strip() for line in Path("/proc/cpuinfo").read_text().splitlines()
                     if line.startswith("model name"))
    parts = ["## Every pixel format", textwrap.fill(
        f"`Tools/bench formats`, {datetime.date.today()}, {processor}, {OPTIONS.threads} threads, a photograph of "
        f"{OPTIONS.size} in memory. Each cell is the fastest time as a multiple of a memcpy of the same picture in the same "
        f"process. In brackets: how many times longer `GaussianBlur` of OpenCV {cv2.__version__} takes, and a box filter of "
        "about the same width, which is no Gaussian. OpenCV has no floats of 16 bits. Columns are sigmas.", 118)]

    def cell(row):
        if "opencv" not in row:
            return plain(row)
        return (f"{row['frost'] / row['memcpy']:.1f} ({row['opencv'] / row['frost']:.1f}, "
                f"{row['box'] / row['frost']:.1f})")

    def plain(row):
        return f"{row['frost'] / row['memcpy']:.1f}"

    for kernels, title in (("avx2", "AVX2"), ("avx512", "AVX-512")):
        rows = measured(OPTIONS.library, kernels)
        if rows is None:
            continue
        parts.append(table(rows, title, cell))
        before = measured(OPTIONS.before, kernels) if OPTIONS.before else None
        if before:
            parts.append(f"The version before, in the same run:\n\n{table(before, title, plain)}")
    parts.append(LIMITS)
    PIXEL_FORMATS.replace(OPTIONS.output, "\n\n".join(parts))
    print(f"written: {OPTIONS.output}")


main()
