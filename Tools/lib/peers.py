"""The blurs that Tools/bench peers compares. Each blur is a class: `how` describes the call, and `blur` makes the call.

VIPS_CONCURRENCY must be set before this module is imported, because libvips reads it when it is loaded.
"""

import ctypes
import json
import subprocess
import tempfile
import time
from pathlib import Path

import cv2
import numpy as np
import PIL
import pyvips
import skia
from PIL import Image, ImageFilter

ROOT = Path(__file__).resolve().parents[2]
TURN_SECONDS = 1.5      # seconds for one contestant in one turn
TURN_RUNS = 5           # the maximum number of runs in a turn

pyvips.cache_set_max(0)     # otherwise libvips returns the cached first result

LIBC = ctypes.CDLL(None)
LIBC.memcpy.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t]
LIBC.memcpy.restype = ctypes.c_void_p


def copy(target, source):
    LIBC.memcpy(target.ctypes.data, source.ctypes.data, source.nbytes)


def timed(work):
    began = time.perf_counter()
    work()
    return (time.perf_counter() - began) * 1000


class Peer:
    """A blur in this process. `blur(sigma)` fills `self.out` or returns the result in a new array."""
    threaded = True

    def __init__(self, pixels):
        self.pixels = pixels
        self.height, self.width = pixels.shape[:2]
        self.out = np.zeros_like(pixels)

    def takes(self, sigma):
        return True

    def timings(self, sigma):
        """Returns the times of several blurs, and the times of the memcpy before each blur, in milliseconds."""
        blurs, copies = [], []
        began = time.perf_counter()
        copy(self.out, self.pixels)
        self.blur(sigma)
        warm_up = time.perf_counter() - began
        if warm_up > TURN_SECONDS:
            # A blur this slow gains nothing from warm caches, so its first run counts.
            return [warm_up * 1000], [timed(lambda: copy(self.out, self.pixels))]
        while len(blurs) < TURN_RUNS and time.perf_counter() - began < TURN_SECONDS or not blurs:
            copies.append(timed(lambda: copy(self.out, self.pixels)))
            blurs.append(timed(lambda: self.blur(sigma)))
        return blurs, copies

    def result(self, sigma):
        self.out[:] = 0
        result = self.blur(sigma)
        return self.out if result is None else result


class OpenCV(Peer):
    name = "OpenCV GaussianBlur"
    how = "`GaussianBlur`, kernel size left to OpenCV, `BORDER_REPLICATE`"
    version = cv2.__version__

    def blur(self, sigma):
        cv2.GaussianBlur(self.pixels, (0, 0), sigma, dst=self.out, borderType=cv2.BORDER_REPLICATE)


class OpenCVStack(Peer):
    name = "OpenCV stackBlur"
    how = "`stackBlur`: a triangle along each axis, of the width whose variance is nearest to the Gaussian's"
    version = cv2.__version__

    def radius(self, sigma):
        # The weights 1, 2, … r + 1, … 2, 1 have the variance r (r + 2) / 6.
        return max(1, round((6 * sigma * sigma + 1) ** 0.5 - 1))

    def blur(self, sigma):
        side = 2 * self.radius(sigma) + 1
        cv2.stackBlur(self.pixels, (side, side), dst=self.out)


class OpenCVShrink(Peer):
    name = "OpenCV shrink, blur, grow"
    how = "a common shortcut: `resize` with `INTER_AREA` by a power of two up to 16 that keeps sigma at 2 or more, " \
          "`GaussianBlur`, `resize` with `INTER_LINEAR`"
    version = cv2.__version__

    @staticmethod
    def factor(sigma):
        factor = 1
        while factor < 16 and sigma / (2 * factor) >= 2:
            factor *= 2
        return factor

    def takes(self, sigma):
        return self.factor(sigma) > 1

    def blur(self, sigma):
        factor = self.factor(sigma)
        size = (-(-self.width // factor), -(-self.height // factor))
        small = cv2.resize(self.pixels, size, interpolation=cv2.INTER_AREA)
        small = cv2.GaussianBlur(small, (0, 0), sigma / factor, borderType=cv2.BORDER_REPLICATE)
        cv2.resize(small, (self.width, self.height), dst=self.out, interpolation=cv2.INTER_LINEAR)


class Vips(Peer):
    name = "libvips gaussblur"
    how = "`gaussblur` in its default integer precision, with `min_ampl=0.01` in place of 0.2: a wider kernel, " \
          "which reduces its error"
    version = ".".join(str(pyvips.version(part)) for part in range(3))
    precision = "integer"
    least = 0.01        # the least weight in the kernel

    def blur(self, sigma):
        source = pyvips.Image.new_from_memory(self.pixels.data, self.width, self.height, 4, "uchar")
        memory = source.gaussblur(sigma, min_ampl=self.least, precision=self.precision).write_to_memory()
        return np.frombuffer(memory, np.uint8).reshape(self.pixels.shape)


class VipsApproximate(Vips):
    name = "libvips gaussblur, approximate"
    how = "the same with `precision=\"approximate\"`"
    precision = "approximate"


class Pillow(Peer):
    name = "Pillow GaussianBlur"
    how = "`ImageFilter.GaussianBlur`: three box blurs"
    version = PIL.__version__
    threaded = False

    def __init__(self, pixels):
        super().__init__(pixels)
        self.image = Image.fromarray(pixels)

    def blur(self, sigma):
        return self.image.filter(ImageFilter.GaussianBlur(sigma))

    def result(self, sigma):
        return np.asarray(self.blur(sigma))


class Skia(Peer):
    name = "Skia raster"
    how = "`ImageFilters.Blur` with `TileMode.kClamp`, drawn by the CPU into a premultiplied RGBA surface"
    version = skia.__version__
    threaded = False

    def __init__(self, pixels):
        super().__init__(pixels)
        self.image = skia.Image.fromarray(pixels, colorType=skia.kRGBA_8888_ColorType, copy=False)
        self.surface = skia.Surface(self.out, colorType=skia.kRGBA_8888_ColorType)

    def blur(self, sigma):
        paint = skia.Paint(ImageFilter=skia.ImageFilters.Blur(sigma, sigma, skia.TileMode.kClamp))
        self.surface.getCanvas().drawImage(self.image, 0, 0, skia.SamplingOptions(), paint)
        self.surface.flushAndSubmit()


class Frost:
    """The frost command: `frost bench` measures the time, and `frost blur` gives the pixels."""
    threaded = True

    def __init__(self, command, backend, path, threads):
        self.command = command
        self.path = path
        self.flags = ["--backend", backend] + (["--threads", str(threads)] if backend == "cpu" else [])
        self.name = "**Frost**" if backend == "cpu" else f"**Frost, {backend.upper()}**"
        self.how = "`frost bench --input` for time, `frost blur` for the error" \
            + ("" if backend == "cpu" else "; upload and readback included")
        self.version = self.run("--version").split()[-1] + revision()

    def run(self, *words):
        return subprocess.run([self.command, *words], check=True, stdout=subprocess.PIPE, text=True).stdout

    def takes(self, sigma):
        return True

    def timings(self, sigma):
        line = self.run("bench", "--input", self.path, "--sigma", f"{sigma:g}", "--runs", str(TURN_RUNS), "--json",
                        *self.flags)
        measured = json.loads(line)
        return [measured["min_ms"]], [measured["memcpy_ms"]]

    def result(self, sigma):
        with tempfile.TemporaryDirectory() as folder:
            path = f"{folder}/out.png"
            self.run("blur", self.path, "-o", path, "--sigma", f"{sigma:g}", "--quiet", *self.flags)
            return np.asarray(Image.open(path).convert("RGBA"))


def revision():
    """Returns the current commit in the form " (commit)". Returns an empty text if git does not know the commit."""
    def git(*words):
        return subprocess.run(["git", "-C", str(ROOT), *words], capture_output=True, text=True).stdout.strip()
    try:
        commit = git("rev-parse", "--short", "HEAD")
        changed = git("status", "--porcelain", "--", "Sources", "Shaders", "Package.swift")
    except OSError:
        return ""
    return f" ({commit}{', changed since' if changed else ''})" if commit else ""


PEERS = (OpenCV, OpenCVStack, OpenCVShrink, Vips, VipsApproximate, Pillow, Skia)
