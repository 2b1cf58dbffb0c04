"""Whole commands that read a picture file and write another one: frost and the usual alternatives.

Each command writes its own file. The benchmarks of files and of the table in README.md run them in turn.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
from PIL import Image, ImageOps

ROOT = Path(__file__).resolve().parents[2]
# A run counts only if other processes use at most this fraction of the processors.
QUIET = 0.1
# For each kind of file: the title, and the suffix of its name.
KINDS = {"png": ("PNG", "png"), "png16": ("PNG of 16 bits", "png"), "jpg": ("JPEG", "jpg")}
OPENCV = """
import sys, cv2
source, result, sigma, how, threads = sys.argv[1:]
cv2.setNumThreads(int(threads))
picture = cv2.imread(source, cv2.IMREAD_UNCHANGED)
if how == "gaussian":
    picture = cv2.GaussianBlur(picture, (0, 0), float(sigma), borderType=cv2.BORDER_REPLICATE)
else:
    side = 2 * round(2 * float(sigma)) + 1      # a triangle of nearly the same variance
    picture = cv2.stackBlur(picture, (side, side))
options = [cv2.IMWRITE_JPEG_QUALITY, 75] if result.endswith(".jpg") else []
cv2.imwrite(result, picture, options)
"""
PILLOW = """
import sys
from PIL import Image, ImageFilter
source, result, sigma = sys.argv[1:]
Image.open(source).filter(ImageFilter.GaussianBlur(float(sigma))).save(result)
"""


def commands(frost, threads, kind, source, sigma, folder):
    """Returns the name, command line and result file of each program. `frost` is the path of the command."""
    quality = "[Q=75]" if kind == "jpg" else ""
    threads = str(threads)
    scripts = {name: Path(folder, f"{name}.py") for name in ("opencv", "pillow")}
    scripts["opencv"].write_text(OPENCV)
    scripts["pillow"].write_text(PILLOW)

    def result(name):
        return str(Path(folder, f"{name}.{KINDS[kind][1]}"))

    yield "**frost blur**", [str(frost), "blur", source, "-o", result("frost"), "--sigma", sigma, "--threads", threads,
                             "--quiet", *(["--quality", "75"] if kind == "jpg" else [])], result("frost")
    yield "vips gaussblur", ["vips", "gaussblur", source, result("vips") + quality, sigma], result("vips")
    yield "ffmpeg gblur", ["ffmpeg", "-y", "-loglevel", "error", "-i", source, "-vf", f"gblur=sigma={sigma}",
                           *(["-q:v", "5"] if kind == "jpg" else []), result("ffmpeg")], result("ffmpeg")
    for how in ("gaussian", "stack"):
        name = f"OpenCV {'GaussianBlur' if how == 'gaussian' else 'stackBlur'}"
        yield name, [sys.executable, str(scripts["opencv"]), source, result(how), sigma, how, threads], result(how)
    if kind != "png16":     # Pillow reads colours of 16 bits as 8 bits
        yield ("Pillow GaussianBlur", [sys.executable, str(scripts["pillow"]), source, result("pillow"), sigma],
               result("pillow"))


# A process's peak memory includes its memory before exec, so a small program starts the measured programs.
RUNNER = """
import json, os, subprocess, sys, time
def busy():
    words = [int(word) for word in open('/proc/stat').readline().split()[1:9]]
    return (sum(words) - words[3] - words[4]) / os.sysconf('SC_CLK_TCK')
for line in sys.stdin:
    os.sync()       # what the last one wrote does not go to the disc while this one is measured
    start, before = time.perf_counter(), busy()
    process = subprocess.Popen(json.loads(line), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    others = busy() - before - usage.ru_utime - usage.ru_stime
    print(json.dumps([os.waitstatus_to_exitcode(status), seconds, usage.ru_maxrss / 1024,
                      max(0, others) / seconds / os.cpu_count()]), flush=True)
"""


class Runner:
    """Runs commands. `threads` is the number of threads of vips, which reads it from its environment."""

    def __init__(self, threads):
        self.process = subprocess.Popen(
            [sys.executable, "-ISc", RUNNER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            env={**os.environ, "VIPS_CONCURRENCY": str(threads)})

    def run(self, command):
        """Runs a command. Returns the elapsed seconds, the peak resident set in MiB, and the fraction of the processors
        that other processes used."""
        self.process.stdin.write(json.dumps(command) + "\n")
        self.process.stdin.flush()
        code, *measured = json.loads(self.process.stdout.readline())
        if code:
            sys.exit(f"{' '.join(command)}: exit {code}")
        return measured


def picture(kind, folder, size):
    """Writes a photograph with camera noise to a file."""
    photo = Image.open(ROOT / "Samples" / "photo.png").convert("RGB")
    pixels = np.array(ImageOps.fit(photo, size, Image.Resampling.LANCZOS)).astype(np.float32)
    pixels += np.random.default_rng(1).normal(0, 6, pixels.shape)
    path = str(Path(folder, f"source.{KINDS[kind][1]}"))
    if kind == "png16":
        import cv2
        cv2.imwrite(path, np.ascontiguousarray((pixels.clip(0, 255) * 257).round().astype(np.uint16)[..., ::-1]))
    else:
        Image.fromarray(pixels.clip(0, 255).round().astype(np.uint8)).save(
            path, **({"quality": 92} if kind == "jpg" else {"compress_level": 6}))
    return path
