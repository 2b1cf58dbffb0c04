#!/usr/bin/env python3
"""Checks that a redaction of a video hides its rectangle in every pixel format that ffmpeg offers.

    video_hidden.py --frost PATH [--quick] [--only TEXT] [--junit FILE]

Two videos differ only in the samples that the rectangle touches. With `--fill black` the result must not depend on these, so
the results must be equal. A format may also be refused. The cases are skipped without ffmpeg.
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True

import numpy as np

from report import Cases, Skipped

STALL = 120
WIDTH, HEIGHT = 36, 24
# The sides are not multiples of chroma samples.
BOX = (5, 7, 10, 9)
# Formats that may be refused: their chroma can be read only together with transparency, or Frost does not know them.
REFUSED = ("yuva420p", "yuva422p", "bayer", "grayf32")


def ffmpeg(*words):
    return subprocess.run(["ffmpeg", "-v", "error", "-y", *map(str, words)], capture_output=True, timeout=STALL,
                          stdin=subprocess.DEVNULL, text=True)


def formats():
    """The pixel formats that ffmpeg converts to."""
    if not shutil.which("ffmpeg") or not shutil.which("ffprobe"):
        return []
    lines = subprocess.run(["ffmpeg", "-v", "error", "-pix_fmts"], capture_output=True, text=True).stdout.splitlines()
    return [line.split()[1] for line in lines if line[:2] == "IO" and len(line.split()) > 1]


def clip(path, color, pixels, codec, box, turn):
    """A frame of noise with a rectangle of one colour. Chroma samples are those of one pixel."""
    x, y, width, height = box
    flags = "flags=neighbor+accurate_rnd+full_chroma_int+full_chroma_inp:sws_dither=none"
    picture = (f"nullsrc=size={WIDTH}x{HEIGHT}:rate=5:duration=0.2,format=rgb24,noise=alls=60:all_seed=7,"
               f"drawbox=x={x}:y={y}:w={width}:h={height}:color={color}:t=fill,scale={flags},format={pixels}")
    flat = path.with_name("flat" + path.suffix) if turn else path
    words = ("-f", "lavfi", "-i", picture)
    if pixels[:3] in ("rgb", "bgr") and pixels[3:6] in ("565", "555", "444"):
        # ffmpeg shares colours between two pixels when it converts to these formats, so the bytes are written here.
        raw = path.with_suffix(".raw")
        ffmpeg("-f", "lavfi", "-i", picture.replace(f"color={color}", "color=gray"), "-f", "rawvideo", raw)
        bytes_ = np.frombuffer(raw.read_bytes(), np.uint16).reshape(HEIGHT, WIDTH).copy()
        bytes_[y:y + height, x:x + width] = len(color)
        raw.write_bytes(bytes_.tobytes())
        words = ("-f", "rawvideo", "-pixel_format", pixels, "-video_size", f"{WIDTH}x{HEIGHT}", "-framerate", "5", "-i", raw)
    done = ffmpeg(*words, "-sws_flags", "neighbor", "-c:v", codec, "-strict", "-1", flat)
    if done.returncode == 0 and turn:
        done = ffmpeg("-i", flat, "-c", "copy", "-metadata:s:v", f"rotate={turn}", path)
    return done.returncode == 0


def probe(path):
    done = subprocess.run(["ffprobe", "-v", "error", "-select_streams", "v", "-show_entries", "stream=pix_fmt", "-of",
                           "csv=p=0", str(path)], capture_output=True, text=True, timeout=STALL)
    return done.stdout.strip().rstrip(",")


def frames(path):
    return ffmpeg("-noautorotate", "-i", path, "-f", "framemd5", "-").stdout


def turned(box, turn):
    """The rectangle in the picture as players show it."""
    x, y, width, height = box
    # The tag rotate=90 of ffmpeg 5.1 turns counterclockwise.
    return {0: box, 90: (y, WIDTH - x - width, height, width), 180: (WIDTH - x - width, HEIGHT - y - height, width, height),
            270: (HEIGHT - y - height, x, height, width)}[turn]


def hidden(frost, folder, pixels, turn):
    """The result does not depend on what the rectangle hides."""
    for codec, suffix in (("ffv1", "mov"), ("rawvideo", "mov")) if turn else (("rawvideo", "nut"), ("ffv1", "mkv")):
        sources = [folder / f"{color}.{suffix}" for color in ("red", "blue")]
        if all(clip(path, path.stem, pixels, codec, BOX, turn) for path in sources) and probe(sources[0]) == pixels:
            break
    else:
        raise Skipped(f"no container has {pixels}")
    assert frames(sources[0]) != frames(sources[1]), "the clips are equal"
    place = turned(BOX, turn)
    results = []
    for source in sources:
        result = source.with_name(source.stem + "-out.mkv")
        done = subprocess.run([frost, "video", str(source), "-o", str(result), "--video-codec", "ffv1", "--effect", "redact",
                               "--fill", "black", "--rect", ",".join(map(str, place))], capture_output=True, text=True,
                              timeout=STALL)
        if done.returncode == 3 and pixels.startswith(REFUSED):
            return
        assert done.returncode == 0, done.stderr
        results.append(frames(result))
    assert len(results[0].splitlines()) > 5 and results[0] == results[1], "the result depends on what is hidden"


def main():
    cases = Cases("video hidden", __doc__)
    with tempfile.TemporaryDirectory(prefix="frost-video-hidden-") as name:
        folder = Path(name)
        for number, pixels in enumerate(formats()):
            for turn in (0, 90, 180, 270):
                if cases.options.quick and (number % 9 or turn > 90):
                    continue
                cases.run(f"{pixels} turned by {turn}", hidden, cases.frost, folder, pixels, turn)
    cases.finish()


main()
