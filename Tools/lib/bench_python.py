"""Measures frost.blur_encoded, and the same work by Pillow, pyvips and OpenCV: JPEGs are decoded, blurred and encoded.

Tools/bench python runs this script. Each contestant has a process of its own with two threads, each of which works on one
picture at a time.
"""

import argparse
import datetime
import json
import os
import resource
import subprocess
import sys
import tempfile
import textwrap
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.dont_write_bytecode = True      # writes no .pyc files into the checkout

ROOT = Path(__file__).resolve().parents[2]
QUALITY = 85                        # of the results, with chroma subsampling 4:2:0 in all of them
SOURCE_QUALITY = 90                 # of the pictures, also with 4:2:0
MEGAPIXELS = (1, 12)

parser = argparse.ArgumentParser(description="Measures blurs of JPEGs in Python, from bytes to bytes.")
parser.add_argument("--library", type=Path, required=True, help="the libfrost.so beside the libfrost-images.so to measure")
parser.add_argument("--pictures", type=int, default=500, help="default 500")
parser.add_argument("--sigma", type=float, default=8, help="default 8")
parser.add_argument("--threads", type=int, default=2, help="default 2")
parser.add_argument("--turns", type=int, default=3, help="how often each has its turn (default 3)")
parser.add_argument("--output", type=Path, default=ROOT / "docs" / "internals" / "Performance.md",
                    help="the page to put the result into; default docs/internals/Performance.md")
parser.add_argument("--only", help=argparse.SUPPRESS)
parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
OPTIONS = parser.parse_args()


def write_pictures(folder):
    """Writes JPEGs whose sizes are spread evenly from 1 to 12 megapixels, in random order, wide and tall. Each shows the
    photograph in its own resolution, repeated as in a mirror, so it has the detail of a photograph of its size."""
    import cv2
    import numpy as np
    photo = cv2.imread(str(ROOT / "Samples" / "photo.png"))
    random = np.random.default_rng(1)
    pixels = 0
    for number, share in enumerate(random.permutation(OPTIONS.pictures)):
        area = 1e6 * (MEGAPIXELS[0] + (MEGAPIXELS[1] - MEGAPIXELS[0]) * share / max(1, OPTIONS.pictures - 1))
        aspect = [4 / 3, 3 / 4, 3 / 2, 16 / 9][number % 4]
        width = round((area * aspect) ** 0.5)
        height = round(area / width)
        top, left = random.integers(0, photo.shape[0]), random.integers(0, photo.shape[1])
        down, across = ((0, top + height - photo.shape[0]), (0, left + width - photo.shape[1]))
        large = np.pad(photo, ((0, max(0, down[1])), (0, max(0, across[1])), (0, 0)), mode="symmetric")
        ok, data = cv2.imencode(".jpg", np.ascontiguousarray(large[top:top + height, left:left + width]),
                                [cv2.IMWRITE_JPEG_QUALITY, SOURCE_QUALITY])
        assert ok
        (folder / f"{number:03}.jpg").write_bytes(data.tobytes())
        pixels += width * height
    return pixels


# Each function returns a title and a function from the bytes of a picture to those of a result.
def frost_work():
    sys.path.insert(0, str(ROOT / "python"))
    import frost
    encoding = frost.Encoding(quality=QUALITY, subsampling="420")
    return f"Frost {frost.__version__}", lambda data: frost.blur_encoded(data, OPTIONS.sigma, encoding=encoding, threads=1)


def opencv_work():
    import cv2
    import numpy as np
    cv2.setNumThreads(1)
    parameters = [cv2.IMWRITE_JPEG_QUALITY, QUALITY, cv2.IMWRITE_JPEG_SAMPLING_FACTOR, cv2.IMWRITE_JPEG_SAMPLING_FACTOR_420]

    def work(data):
        image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
        cv2.GaussianBlur(image, (0, 0), OPTIONS.sigma, dst=image, borderType=cv2.BORDER_REPLICATE)
        return cv2.imencode(".jpg", image, parameters)[1].tobytes()

    return f"OpenCV {cv2.__version__}", work


def vips_work(**options):
    os.environ["VIPS_CONCURRENCY"] = "1"
    import pyvips
    pyvips.cache_set_max(0)

    def work(data):
        image = pyvips.Image.new_from_buffer(data, "", access="sequential")
        return image.gaussblur(OPTIONS.sigma, **options).jpegsave_buffer(Q=QUALITY, subsample_mode="on")

    version = ".".join(str(pyvips.version(part)) for part in range(3))
    return f"libvips {version}, " + ("`min_ampl=0.01`" if options else "its default kernel, cut at a fifth of its peak"), work


def pillow_work():
    import io

    import PIL
    from PIL import Image, ImageFilter

    def work(data):
        image = Image.open(io.BytesIO(data)).filter(ImageFilter.GaussianBlur(OPTIONS.sigma))
        result = io.BytesIO()
        image.save(result, "JPEG", quality=QUALITY, subsampling="4:2:0")
        return result.getvalue()

    return f"Pillow {PIL.__version__}", work


WORKS = {"frost": frost_work, "vips": lambda: vips_work(min_ampl=0.01), "vips, default": vips_work, "opencv": opencv_work,
         "pillow": pillow_work}
# Those that blur about as exactly as Frost, and are compared with it.
PEERS = ("vips", "opencv", "pillow")


def memory(name):
    """Returns a number of MiB of /proc/self/status."""
    line = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith(name + ":"))
    return int(line.split()[1]) / 1024


def measure():
    """Does the work of one contestant, and prints what it took."""
    title, work = WORKS[OPTIONS.only]()
    files = sorted(OPTIONS.folder.glob("*.jpg"))
    # The first picture loads libraries. It is small, so the memory after it is what Python and the libraries take.
    work(min(files, key=lambda path: path.stat().st_size).read_bytes())
    resting, before = memory("VmRSS"), resource.getrusage(resource.RUSAGE_SELF)
    begin = time.perf_counter()
    with ThreadPoolExecutor(OPTIONS.threads) as pool:
        size = sum(pool.map(lambda path: len(work(path.read_bytes())), files))
    seconds = time.perf_counter() - begin
    after = resource.getrusage(resource.RUSAGE_SELF)
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(json.dumps({"title": title, "seconds": seconds, "processor": processor, "bytes": size,
                      "memory": (memory("VmHWM") - resting) / OPTIONS.threads}))


def codec_floor(folder):
    """Returns the milliseconds for a megapixel that libjpeg-turbo takes to decode a picture, and to encode it after a blur,
    through Pillow with one thread."""
    import io

    from PIL import Image, ImageFilter
    data = max(folder.iterdir(), key=lambda path: path.stat().st_size).read_bytes()
    blurred = Image.open(io.BytesIO(data)).filter(ImageFilter.GaussianBlur(OPTIONS.sigma))

    def fastest(work):
        times = []
        for _ in range(7):
            begin = time.thread_time()
            work()
            times.append(time.thread_time() - begin)
        return min(times) * 1e9 / (blurred.width * blurred.height)

    return (fastest(lambda: Image.open(io.BytesIO(data)).load()),
            fastest(lambda: blurred.save(io.BytesIO(), "JPEG", quality=QUALITY, subsampling="4:2:0")))


def turn(name, folder):
    library = OPTIONS.library.resolve()
    environment = {**os.environ, "FROST_LIBRARY": str(library),
                   "FROST_IMAGES_LIBRARY": str(library.with_name("libfrost-images.so"))}
    command = [sys.executable, __file__, "--library", OPTIONS.library, "--sigma", str(OPTIONS.sigma), "--threads",
               str(OPTIONS.threads), "--only", name, "--folder", folder]
    result = subprocess.run(command, env=environment, capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(result.stderr)
    return json.loads(result.stdout)


def report(best, pixels, size, floor):
    processor = next(line.split(":", 1)[1].strip() for line in Path("/proc/cpuinfo").read_text().splitlines()
                     if line.startswith("model name"))
    count = OPTIONS.pictures
    used = sum(row["processor"] for row in best.values()) / sum(row["seconds"] for row in best.values()) / OPTIONS.threads
    parts = ["## Encoded pictures in Python", textwrap.fill(
        f"`Tools/bench python`, {datetime.date.today()}, {processor}: {count} JPEGs of {MEGAPIXELS[0]} to {MEGAPIXELS[1]} "
        f"megapixels ({pixels / 1e6:.0f} in all, {size / 1e6:.0f} MB, quality {SOURCE_QUALITY}, 4:2:0) are decoded, blurred at "
        f"sigma {OPTIONS.sigma:g} and encoded at quality {QUALITY}, 4:2:0, from bytes to bytes, in one process with "
        f"{OPTIONS.threads} threads, each of which works on one picture at a time. "
        f"{'One turn' if OPTIONS.turns == 1 else f'The best of {OPTIONS.turns} turns'} each. The work got "
        f"{used:.0%} of {OPTIONS.threads} processors. Processor time is that of all threads; the memory is the peak beyond that "
        "of the process after its first small picture, for each thread.", 118)]
    lines = ["| | pictures a second | megapixels a second | processor ms for a megapixel | MiB for each thread | results, MB |",
             "|---|---:|---:|---:|---:|---:|"]
    for name, row in best.items():
        title = f"**{row['title']}**" if name == "frost" else row["title"]
        lines.append(
            f"| {title} | {count / row['seconds']:.1f} | {pixels / 1e6 / row['seconds']:.0f} | "
            f"{1e9 * row['processor'] / pixels:.1f} | {row['memory']:.0f} | {row['bytes'] / 1e6:.0f} |")
    parts.append("\n".join(lines))
    frost, others = best["frost"], [best[name] for name in PEERS]
    ratio = min(row["seconds"] for row in others) / frost["seconds"]
    work = min(row["processor"] for row in others) / frost["processor"]
    parts.append(textwrap.fill(
        f"Frost: {ratio:.2f} times as many pictures a second as the fastest other tool, with {1 / work:.2f} of its "
        "processor time.", 118))
    parts.append(textwrap.fill(
        f"All of them use libjpeg-turbo, which takes {floor[0]:.1f} ms for a megapixel to decode such a picture and {floor[1]:.1f} "
        f"ms to encode it: {sum(floor):.1f} of Frost's {1e9 * frost['processor'] / pixels:.1f} ms. The default of libvips cuts "
        "its kernel where it still has a fifth of its peak, so its blur is weaker than its sigma says. Frost is therefore "
        "compared with the wider kernel.", 118))
    return "\n\n".join(parts)


def main():
    if OPTIONS.only:
        return measure()
    from page_sections import PYTHON
    best = {}
    with tempfile.TemporaryDirectory(prefix="frost-bench-") as name:
        folder = Path(name)
        pixels = write_pictures(folder)
        size = sum(path.stat().st_size for path in folder.iterdir())
        for number in range(OPTIONS.turns):
            # Each turn begins with another contestant, so that a disturbance affects all of them.
            names = list(WORKS)
            for contestant in names[number % len(names):] + names[:number % len(names)]:
                row = turn(contestant, folder)
                print(json.dumps(row), file=sys.stderr, flush=True)
                if contestant not in best or row["seconds"] < best[contestant]["seconds"]:
                    best[contestant] = row
        floor = codec_floor(folder)
    content = report({name: best[name] for name in WORKS}, pixels, size, floor)
    print(content)
    PYTHON.replace(OPTIONS.output, content)


main()
