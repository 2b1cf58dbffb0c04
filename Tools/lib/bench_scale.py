"""Measures the figures of docs/internals/Scale.md: CPU time and memory of the command for many pictures, and for 4K frames.

Run by Tools/bench scale. CPU time, and not time: it depends less on what else the machine does.
"""

import argparse
import os
import platform
import subprocess
import sys
import tempfile
import time
from datetime import date
from pathlib import Path



def spent(*words):
    """Runs a command. Returns its CPU time in seconds, and its memory in MiB."""
    process = subprocess.Popen([str(word) for word in words], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"{words}: {status}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def make(folder, width, height, count):
    """Writes JPEGs, in a process of its own: the memory of a parent counts as that of its children."""
    code = f"import bench_scale; bench_scale.write({str(folder)!r}, {width}, {height}, {count})"
    subprocess.run([sys.executable, "-c", code], check=True, env=os.environ | {"PYTHONPATH": os.path.dirname(__file__)})


def write(folder, width, height, count):
    import cv2

    for index in range(count):
        cv2.imwrite(f"{folder}/{index}.jpg", scene(width, height, index), [cv2.IMWRITE_JPEG_QUALITY, 90])


def scene(width, height, seed):
    """Returns a picture whose JPEG at quality 90 has about the size of a photograph's."""
    import cv2
    import numpy

    random = numpy.random.default_rng(seed)
    picture = numpy.zeros((height, width, 3), numpy.float32)
    for scale, strength in ((128, 70), (16, 35), (2, 14), (1, 5)):
        small = random.standard_normal((-(-height // scale) + 1, -(-width // scale) + 1, 3)).astype(numpy.float32)
        picture += strength * cv2.resize(small, (width, height), interpolation=cv2.INTER_CUBIC)
    return (128 + picture).clip(0, 255).astype(numpy.uint8)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--frost", required=True)
    parser.add_argument("--count", type=int, default=60)
    options = parser.parse_args()
    frost = options.frost
    [model] = {line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")}
    print(f"{date.today()}, {model}, {len(os.sched_getaffinity(0))} processors, Linux {platform.release().split('-')[0]}, "
          f"load {os.getloadavg()[0]:.0f}")
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for name, width, height, count in (("1 MP", 1224, 816, options.count), ("12 MP", 4240, 2832, options.count // 6)):
            source = root / name
            source.mkdir()
            make(source, width, height, count)
            size = sum(path.stat().st_size for path in source.iterdir()) / count / 1e3
            for label, words in (
                    ("codecs alone", ("--sigma", "0")), ("sigma 8", ("--sigma", "8")), ("sigma 40", ("--sigma", "40")),
                    ("sigma 8 with a manifest", ("--sigma", "8", "--manifest", root / "done.jsonl"))):
                best, memory = min(
                    spent(frost, "blur", "-r", source, "-o", f"{root}/out/", "--force", "--backend", "cpu", "--jobs", 1,
                          "--threads", 1, "--quiet", *words) for _ in range(3))
                written = sum(path.stat().st_size for path in (root / "out").iterdir()) / count / 1e3
                print(f"JPEG of {name}, {label}: {1e3 * best / count:.1f} ms of CPU a picture, {memory:.0f} MiB, "
                      f"{size:.0f} kB read, {written:.0f} kB written", flush=True)
        few = root / "few"
        few.mkdir()
        (few / "a.ppm").write_bytes(b"P6 8 8 255 " + bytes(192))
        words = (frost, "blur", few / "a.ppm", "-o", root / "a.ppm", "--force", "--sigma", 1, "--quiet")
        print(f"a process: {1e3 * min(spent(*words)[0] for _ in range(9)):.0f} ms of CPU")
        many = root / "many"
        for part in range(100):
            (many / f"{part:02}").mkdir(parents=True)
            for index in range(1000):
                (many / f"{part:02}" / f"picture-{index:06}.png").touch()
        began = time.monotonic()
        cpu, memory = spent(frost, "blur", "-r", many, "-o", f"{root}/none/", "--sigma", 1, "--shard", "1/100000", "--dry-run")
        print(f"a list of 100,000 files: {cpu:.1f} s of CPU, {time.monotonic() - began:.1f} s, {memory:.0f} MiB")
    for sigma in (8, 40):
        code = (f"import frost, numpy, resource; image = numpy.frombuffer(open('/dev/urandom', 'rb').read({3840 * 2160 * 3}), "
                f"numpy.uint8).reshape(2160, 3840, 3); out = image.copy(); frost.blur(image, {sigma}, out=out, threads=1)\n"
                "began = resource.getrusage(0).ru_utime\n"
                f"for _ in range(12): frost.blur(image, {sigma}, out=out, threads=1)\n"
                "print(1e3 * (resource.getrusage(0).ru_utime - began) / 12)")
        best = min(float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout) for _ in range(3))
        print(f"a 4K RGB frame in memory, sigma {sigma}: {best:.1f} ms of CPU")


if __name__ == "__main__":
    main()
