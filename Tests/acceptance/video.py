#!/usr/bin/env python3
"""Pipes video from ffmpeg through frost and back into ffmpeg, as users do.

    video.py --frost PATH [--only TEXT] [--junit FILE]

The tests check the number of frames, colours and tags, the exactness of each plane, memory, and that nothing stalls. Cases
that need ffmpeg are skipped without it.
"""

import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.dont_write_bytecode = True

import numpy as np

from gaussian import blurred
from report import Cases, Skipped

WIDTH, HEIGHT, FRAMES = 1280, 720, 300
# In seconds. No frame takes this long, unless the process has stalled.
STALL = 20
# Starts the tested program from a very small process, because the peak memory of a child process begins with the memory of
# its parent.
MEASURE = """
import os, sys
pid = os.fork()
if pid == 0:
    os.execv(sys.argv[1], sys.argv[1:])
_, status, usage = os.wait4(pid, 0)
print(os.waitstatus_to_exitcode(status), usage.ru_maxrss)
"""


def ffmpeg(*words, **options):
    if not shutil.which("ffmpeg"):
        raise Skipped("there is no ffmpeg")
    return subprocess.run(["ffmpeg", "-v", "error", "-y", *words], check=True, timeout=300, stdin=subprocess.DEVNULL,
                          **options)


def probe(path, entries):
    done = subprocess.run(["ffprobe", "-v", "error", "-count_frames", "-show_entries", f"stream={entries}", "-of",
                           "default=noprint_wrappers=1", str(path)], check=True, capture_output=True, text=True)
    return dict(line.split("=", 1) for line in done.stdout.splitlines())


class Stream:
    """The frames of a Y4M file with 8 bits per sample, or with 10 and more."""

    def __init__(self, data):
        end = data.index(b"\n")
        self.header = data[:end].decode()
        words = {word[0]: word[1:] for word in self.header.split()[1:] if word[0] != "X"}
        width, height, kind = int(words["W"]), int(words["H"]), words.get("C", "420jpeg")
        self.range = "full" if "XCOLORRANGE=FULL" in self.header else "limited"
        sample = np.dtype("<u2") if "p1" in kind else np.dtype("u1")
        x, y = {"420": (2, 2), "422": (2, 1), "444": (1, 1)}[kind[:3]]
        chroma = (-(-height // y), -(-width // x))
        self.factors = [(1, 1), (y, x), (y, x)]
        self.frames = []
        place = end + 1
        while place < len(data):
            place = data.index(b"\n", place) + 1
            planes = []
            for shape in ((height, width), chroma, chroma):
                count = shape[0] * shape[1]
                planes.append(np.frombuffer(data, sample, count, place).reshape(shape))
                place += count * sample.itemsize
            self.frames.append(planes)


def clip(folder, name="clip.y4m", frames=FRAMES, size=f"{WIDTH}x{HEIGHT}", pixels="yuv420p", filters="null", out=()):
    path = folder / name
    if not path.exists():
        ffmpeg("-f", "lavfi", "-i", f"testsrc2=size={size}:rate=30", "-frames:v", str(frames), "-vf", filters,
               "-pix_fmt", pixels, "-strict", "-1", *out, "-f", "yuv4mpegpipe", str(path))
    return path


def round_trip(frost, folder):
    """Tests the pipeline that users write: ffmpeg, frost, ffmpeg."""
    source = folder / "in.mp4"
    ffmpeg("-f", "lavfi", "-i", f"testsrc2=size={WIDTH}x{HEIGHT}:rate=30", "-frames:v", str(FRAMES), "-pix_fmt",
           "yuv420p", "-c:v", "mpeg4", "-q:v", "3", str(source))
    began = time.monotonic()
    line = ("ffmpeg -v error -i in.mp4 -f yuv4mpegpipe - | \"$FROST\" effect light - -o - --format y4m --json "
            "| ffmpeg -v error -y -i - -c:v mpeg4 out.mp4")
    done = subprocess.run(["bash", "-o", "pipefail", "-c", line], cwd=folder, env=os.environ | {"FROST": frost},
                          capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    assert f'"frames":{FRAMES},' in done.stderr, done.stderr
    found = probe(folder / "out.mp4", "nb_read_frames,width,height,r_frame_rate")
    assert found == {"nb_read_frames": str(FRAMES), "width": str(WIDTH), "height": str(HEIGHT),
                     "r_frame_rate": "30/1"}, found
    print(f"  {FRAMES} frames of {WIDTH}x{HEIGHT} from mp4 to mp4 in {time.monotonic() - began:.1f} s")


def no_stall(frost, folder):
    """Checks that all frames are written, at a steady pace."""
    source = clip(folder)
    size = len(b"FRAME\n") + WIDTH * HEIGHT * 3 // 2
    with subprocess.Popen([frost, "effect", "light", str(source), "-o", "-", "-q"], stdout=subprocess.PIPE) as child:
        header = child.stdout.readline()
        with open(source, "rb") as file:
            assert header == file.readline()
        frames, worst, last = 0, 0.0, time.monotonic()
        while len(child.stdout.read(size)) == size:
            frames += 1
            now = time.monotonic()
            worst, last = max(worst, now - last), now
    assert child.returncode == 0 and frames == FRAMES, (child.returncode, frames)
    assert worst < STALL, f"{worst:.1f} s without a frame"
    print(f"  the longest wait for a frame was {worst * 1000:.0f} ms")


def exact(frost, folder, sigma, pixels, siting):
    """Compares each blurred plane with an exact Gaussian blur. The sigma of this blur is divided by the plane's
    subsampling factor."""
    source = clip(folder, f"exact-{pixels}-{siting}.y4m", 4, "321x182" if pixels == "yuv420p" else "320x182", pixels,
                  "noise=alls=40:allf=t", ("-chroma_sample_location", siting))
    done = subprocess.run([frost, "blur", str(source), "-o", "-", "-q", "--sigma", str(sigma)], capture_output=True,
                          timeout=120)
    assert done.returncode == 0, done.stderr
    before, after = Stream(source.read_bytes()), Stream(done.stdout)
    assert before.header == after.header and len(before.frames) == len(after.frames) == 4
    worst, square, count = 0.0, 0.0, 0
    for old, new in zip(before.frames, after.frames):
        for plane, made, (y, x) in zip(old, new, before.factors):
            expected = blurred(plane.astype(float), sigma / x, sigma / y, "clamp")
            error = np.abs(made - expected)
            worst, square, count = max(worst, error.max()), square + (error ** 2).sum(), count + error.size
    psnr = 10 * np.log10(255 ** 2 / (square / count))
    print(f"  {pixels}, sigma {sigma}: at most {worst:.2f} steps, PSNR {psnr:.1f} dB")
    assert worst <= 1 and psnr > 55, (worst, psnr)


def colors(frost, folder, pixels, colorrange, size):
    """Checks that white, grey and black keep their values, in the range of values that the header states."""
    limited = colorrange == "tv"
    for color, rgb in (("white", 1), ("black", 0), ("gray", 128 / 255)):
        path = folder / f"{color}-{pixels}-{colorrange}-{size}.y4m"
        ffmpeg("-f", "lavfi", "-i", f"color={color}:size={size}", "-frames:v", "1", "-vf",
               f"scale=out_range={colorrange}", "-pix_fmt", pixels, "-color_range", colorrange, "-strict", "-1", "-f",
               "yuv4mpegpipe", str(path))
        # A box blur converts the colours to RGB and back. It does not change a uniform surface.
        done = subprocess.run([frost, "effect", "box", str(path), "-o", "-", "-q", "--no-dither"],
                              capture_output=True, timeout=120)
        assert done.returncode == 0, done.stderr
        before, after = Stream(path.read_bytes()), Stream(done.stdout)
        assert after.header == before.header and before.range == ("limited" if limited else "full"), before.header
        for old, new in zip(before.frames[0], after.frames[0]):
            assert np.abs(old.astype(int) - new).max() <= 1, (color, old[9, 9], new[9, 9])
        largest = 2 ** (8 * before.frames[0][0].itemsize) - 1 if pixels != "yuv420p10le" else 1023
        luma = after.frames[0][0][9, 9] / largest * 255
        expected = 16 + 219 * rgb if limited else 255 * rgb
        assert abs(luma - expected) <= 2, (color, luma, expected)


def matrix(frost, folder, size, name):
    """Checks the colour of red content. Its luma and chroma must follow the colour matrix that belongs to the frame size."""
    path = folder / f"matrix-{size}.y4m"
    width, height = map(int, size.split("x"))
    with open(path, "wb") as file:
        file.write(f"YUV4MPEG2 W{width} H{height} C444 XCOLORRANGE=FULL\nFRAME\n".encode())
        file.write(bytes([128]) * (3 * width * height))
    red, blue = {"bt601": (0.299, 0.114), "bt709": (0.2126, 0.0722)}[name]
    (folder / "red.ppm").write_bytes(b"P6 1 1 255\n\xff\x00\x00")
    done = subprocess.run([frost, "effect", "light", str(path), "--content", str(folder / "red.ppm"), "-o", "-", "-q",
                           "--no-dither", "--content-mode", "scale-to-fill"], capture_output=True, timeout=120)
    assert done.returncode == 0, done.stderr
    made = [int(plane[height // 2, width // 2]) for plane in Stream(done.stdout).frames[0]]
    expected = [255 * red, 128 - 127.5 * red / (1 - blue), 255]
    assert all(abs(a - b) <= 2 for a, b in zip(made, expected)), (made, expected)


def slow_reader(frost, folder):
    """Tests a reader that pauses. The memory must not grow meanwhile, and the reader must get every frame in the end."""
    source = clip(folder)
    with subprocess.Popen([frost, "effect", "light", str(source), "-o", "-", "-q"], stdout=subprocess.PIPE) as child:
        child.stdout.read(1 << 20)
        time.sleep(2)
        status = Path(f"/proc/{child.pid}/status").read_text()
        peak = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM"))
        rest = sum(len(block) for block in iter(lambda: child.stdout.read(1 << 20), b""))
    assert child.returncode == 0 and rest + (1 << 20) == source.stat().st_size
    print(f"  {peak >> 10} MiB while nobody reads")
    # A frame has 1.4 MB. As RGB and with intermediate data, it takes about eight times as much. The limit allows five such
    # frames plus the program itself.
    assert peak < 160 << 10, peak


def live(frost, folder):
    """Checks that every frame is written before the next one is read, and that the first SIGINT ends the run between two
    frames."""
    frame = b"FRAME\n" + bytes(range(256)) * 12
    with subprocess.Popen([frost, "blur", "-", "-o", "-", "--format", "y4m", "--sigma", "2", "-q"],
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0) as child:
        child.stdin.write(b"YUV4MPEG2 W64 H48 Cmono\n")
        got = b""
        for number in range(1, 6):
            child.stdin.write(frame)
            while len(got) < 24 + number * len(frame):
                assert select.select([child.stdout], [], [], STALL)[0], f"frame {number} does not come"
                got += child.stdout.read(1 << 16)
        child.send_signal(signal.SIGINT)
        assert child.wait(timeout=STALL) == -signal.SIGINT
        got += child.stdout.read(1 << 16)
    assert len(got) == 24 + 5 * len(frame), len(got)
    with subprocess.Popen([frost, "blur", "-", "-o", str(folder / "never.y4m"), "--sigma", "2", "-q"],
                          stdin=subprocess.PIPE, cwd=folder) as child:
        child.stdin.write(b"YUV4MPEG2 W64 H48 Cmono\n" + frame)
        child.stdin.flush()
        time.sleep(0.5)
        child.send_signal(signal.SIGTERM)
        assert child.wait(timeout=STALL) == -signal.SIGTERM
    assert not [path.name for path in folder.iterdir() if "never" in path.name]


def hostile(frost, folder):
    """Checks that a header that declares more data than exists costs neither time nor memory."""
    for number, (text, code) in enumerate([(b"W32768 H32768 C444p16\nFRAME\n", 4), (b"W99999 H99999\nFRAME\n", 4),
                                           (b"X" * 100000, 3)]):
        path = folder / f"hostile-{number}.y4m"
        path.write_bytes(b"YUV4MPEG2 " + text)
        words = [frost, "blur", str(path), "-o", "/dev/null", "--format", "y4m", "--sigma", "2"]
        done = subprocess.run([sys.executable, "-c", MEASURE, *words], capture_output=True, text=True, check=True)
        found, memory = map(int, done.stdout.split())
        assert found == code, (number, found, done.stderr)
        assert memory < 64 << 10, (number, memory)


def main():
    cases = Cases("video", __doc__)
    with tempfile.TemporaryDirectory(prefix="frost-video-") as name:
        folder = Path(name)
        cases.run("mp4 to mp4", round_trip, cases.frost, folder)
        cases.run("no stall", no_stall, cases.frost, folder)
        cases.run("slow reader", slow_reader, cases.frost, folder)
        for sigma, pixels, siting in ((8, "yuv420p", "center"), (3, "yuv420p", "left"), (30, "yuv422p", "left"),
                                      (2, "yuv444p", "left"), (5, "yuv420p10le", "left")):
            cases.run(f"exact {pixels} sigma {sigma}", exact, cases.frost, folder, sigma, pixels, siting)
        for pixels in ("yuv420p", "yuv444p", "yuv420p10le"):
            for colorrange in ("tv", "pc"):
                cases.run(f"colours {pixels} {colorrange}", colors, cases.frost, folder, pixels, colorrange, "640x480")
        cases.run("matrix of SD", matrix, cases.frost, folder, "720x576", "bt601")
        cases.run("matrix of HD", matrix, cases.frost, folder, "1280x720", "bt709")
        cases.run("live", live, cases.frost, folder)
        cases.run("hostile headers", hostile, cases.frost, folder)
    cases.finish()


main()
