#!/usr/bin/env python3
"""Renders transitions and scenes with the built command, as users do.

    motion.py --frost PATH [--only TEXT] [--junit FILE]

The tests check an independent dissolve, animated files, the scenes in examples/scenes, and that errors name what is wrong
and leave nothing behind. Cases that need ffmpeg are skipped without it.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.dont_write_bytecode = True

import numpy as np
from PIL import Image, ImageCms

from report import Cases, Skipped

ROOT = Path(__file__).resolve().parents[2]
NAMES = ("dissolve", "swipe", "copy-machine", "bars-swipe", "mod", "disintegrate-with-mask", "ripple", "flash",
         "accordion-fold", "page-curl", "page-curl-with-shadow")


def run(*words, code=0, **options):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=300, **options)
    assert done.returncode == code, (words, done.returncode, done.stderr)
    return done


def pixels(path):
    return np.asarray(Image.open(path).convert("RGBA")).astype(int)


def pictures(folder):
    """Writes two opaque pictures of noise, and returns their paths."""
    random = np.random.default_rng(1)
    for name in ("a", "b"):
        Image.fromarray(random.integers(0, 256, (45, 61, 3), dtype=np.uint8)).save(folder / f"{name}.png")
    return folder / "a.png", folder / "b.png"


def listed(frost):
    assert [json.loads(line)["name"] for line in run(frost, "transitions", "--json").stdout.splitlines()] == list(NAMES)
    for name in NAMES:
        assert f"{name}: " in run(frost, "transitions", name).stdout


def dissolve(frost, folder):
    a, b = pictures(folder)
    run(frost, "transition", a, b, "-o", folder / "half.png", "--time", 0.3)
    expected = pixels(a) * 0.7 + pixels(b) * 0.3
    assert np.abs(pixels(folder / "half.png") - expected).max() <= 0.5 + 1 / 16
    assert np.abs(pixels(folder / "half.png") - (pixels(a) * 0.65 + pixels(b) * 0.35)).max() > 1


def animations(frost, folder):
    """Frames of an animation equal single pictures, and every form has all frames."""
    a, b = pictures(folder)
    common = [frost, "transition", a, b, "--effect", "flash", "--duration", 0.5, "--fps", 20]
    for name in ("out.apng", "out.webp"):
        run(*common, "-o", folder / name, *(["--lossless"] if name.endswith("webp") else []))
        with Image.open(folder / name) as movie:
            assert movie.n_frames == 10, (name, movie.n_frames)
            for frame in (0, 4, 9):
                movie.seek(frame)
                run(frost, "transition", a, b, "-o", folder / "one.png", "--effect", "flash", "--time", frame / 9)
                found = np.asarray(movie.convert("RGBA")).astype(int)
                assert (found == pixels(folder / "one.png")).all(), (name, frame)
    (folder / "frames").mkdir()
    run(*common, "-o", folder / "frames" / "{frame}.png")
    assert sorted(path.name for path in (folder / "frames").iterdir()) == [f"{n:04}.png" for n in range(10)]
    stream = subprocess.run([str(word) for word in common + ["-o", "-"]], capture_output=True, check=True).stdout
    assert stream.startswith(b"YUV4MPEG2 W61 H45 F20:1") and stream.count(b"FRAME\n") == 10


def blurred_animations(frost, folder):
    """All frames of a GIF become those of every animated format, with their times; a blur of each is that of the picture."""
    durations = [50, 170, 300]
    colors = np.array([[0, 0, 0], [255, 80, 10], [30, 200, 60], [240, 240, 255]], np.uint8)
    chance = np.random.default_rng(7)
    frames = [Image.fromarray(colors[chance.integers(0, 4, (30, 40))]) for _ in durations]
    frames[0].save(folder / "in.gif", save_all=True, append_images=frames[1:], duration=durations, loop=2)
    names = ["out.webp", "out.apng"] + (["out.gif"] if shutil.which("ffmpeg") else [])
    for name in names:
        more = ["--lossless"] if name.endswith("webp") else []
        run(frost, "blur", folder / "in.gif", "-o", folder / name, "--sigma", 0, *more)
        with Image.open(folder / name) as movie:
            assert movie.n_frames == 3 and movie.info["loop"] == (2 if name.endswith("gif") else 3), (name, movie.info)
            for frame, picture in enumerate(frames):
                movie.seek(frame)
                assert (np.asarray(movie.convert("RGB")) == np.asarray(picture)).all(), (name, frame)
                movie.load()
                assert round(movie.info["duration"]) == durations[frame], (name, frame, movie.info)
    run(frost, "blur", folder / "in.gif", "-o", folder / "soft.apng", "--sigma", 3)
    run(frost, "blur", folder / "in.gif", "-o", folder / "apart.apng", "--sigma", 3, "--sandbox")
    assert (folder / "soft.apng").read_bytes() == (folder / "apart.apng").read_bytes()
    with Image.open(folder / "soft.apng") as movie:
        movie.seek(2)
        frames[2].save(folder / "third.png")
        run(frost, "blur", folder / "third.png", "-o", folder / "third-soft.png", "--sigma", 3)
        found, expected = np.asarray(movie.convert("RGB")).astype(int), pixels(folder / "third-soft.png")[..., :3]
        # Frames have alpha, which is multiplied in and out. Both results are within a step of the exact one.
        assert np.abs(found - expected).max() <= 1
    run(frost, "blur", folder / "in.gif", "-o", folder / "out.avif", "--sigma", 3)
    run(frost, "blur", folder / "out.avif", "-o", folder / "again.apng", "--sigma", 0)
    with Image.open(folder / "again.apng") as movie:
        assert movie.n_frames == 3
    before = set(folder.iterdir())
    done = run(frost, "blur", folder / "in.gif", "-o", folder / "out.png", "--sigma", 3, code=3)
    assert "--first-frame" in done.stderr and ".apng" in done.stderr, done.stderr
    (folder / "cut.gif").write_bytes((folder / "in.gif").read_bytes()[:-40])
    run(frost, "blur", folder / "cut.gif", "-o", folder / "cut.webp", "--sigma", 3, code=3)
    assert {path.name for path in set(folder.iterdir()) - before} == {"cut.gif"}


def interrupted_gif(frost, folder):
    """A signal while ffmpeg writes a GIF leaves no process and no file."""
    frames = [Image.new("RGB", (9, 7), color) for color in ("red", "blue")]
    frames[0].save(folder / "in.gif", save_all=True, append_images=frames[1:], duration=100)
    # It takes the place of ffmpeg, and never ends by itself.
    program = folder / "ffmpeg"
    program.write_text(f"#!/bin/sh\necho $$ > {folder}/started\nmv {folder}/started {folder}/pid\nexec sleep 600\n")
    program.chmod(0o755)
    child = subprocess.Popen([frost, "blur", folder / "in.gif", "-o", folder / "out.gif", "--sigma", "1"],
                             env=os.environ | {"PATH": f"{folder}:{os.environ['PATH']}"}, stderr=subprocess.PIPE)
    for _ in range(1000):
        if (folder / "pid").exists():
            break
        time.sleep(0.02)
    child.send_signal(signal.SIGTERM)
    assert child.wait(timeout=20) == -signal.SIGTERM
    child.stderr.close()
    assert not Path("/proc", (folder / "pid").read_text().strip()).exists()
    assert {path.name for path in folder.iterdir()} == {"in.gif", "ffmpeg", "pid"}


def gif_limits(frost, folder):
    """A GIF holds 8 bits and no metadata, as every output; and --max-time counts the work of ffmpeg."""
    Image.fromarray(np.arange(60, dtype=np.uint16).reshape(6, 10) * 1000).save(folder / "deep.png")
    picture = Image.new("RGB", (9, 7), "green")
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    picture.save(folder / "profile.png", icc_profile=profile)
    # It takes the place of ffmpeg.
    program = folder / "ffmpeg"

    def blur(name, *more, code=0):
        return run(frost, "blur", folder / name, "-o", folder / "out.gif", "--sigma", 1, "--force", *more, code=code,
                   env=os.environ | {"PATH": f"{folder}:{os.environ['PATH']}"})

    program.write_text("#!/bin/sh\necho GIF89a\n")
    program.chmod(0o755)
    refused = blur("deep.png", "--strict", code=6)
    assert "GIF cannot hold 16 bits per sample" in refused.stderr and "out.gif" in refused.stderr, refused.stderr
    assert not (folder / "out.gif").exists()
    assert "16 bits per sample are reduced" in blur("deep.png").stderr
    assert "GIF cannot hold the colour profile" in blur("profile.png").stderr
    before = (folder / "out.gif").read_bytes()
    program.write_text("#!/bin/sh\nexec sleep 600\n")
    late = blur("profile.png", "--max-time", 1.5, code=4)
    assert "limit of 1.5 s" in late.stderr and "profile.png" in late.stderr, late.stderr
    assert (folder / "out.gif").read_bytes() == before


def with_ffmpeg(frost, folder):
    """A dissolve agrees with ffmpeg's cross-fade within a step."""
    if not shutil.which("ffmpeg"):
        raise Skipped("ffmpeg is not installed")
    a, b = pictures(folder)
    graph = "[0]format=gbrp,fps=10[x];[1]format=gbrp,fps=10[y];[x][y]xfade=fade:duration=1:offset=0,format=rgb24"
    raw = subprocess.run(["ffmpeg", "-v", "error", "-loop", "1", "-t", "1", "-r", "10", "-i", a, "-loop", "1", "-t", "1",
                          "-r", "10", "-i", b, "-filter_complex", graph, "-f", "rawvideo", "-"],
                         check=True, capture_output=True, timeout=300).stdout
    frames = np.frombuffer(raw, np.uint8).reshape(-1, 45, 61, 3)
    for frame in (3, 7):
        run(frost, "transition", a, b, "-o", folder / "own.png", "--time", frame / 10)
        difference = np.abs(frames[frame].astype(int) - pixels(folder / "own.png")[..., :3])
        assert difference.max() <= 1, difference.max()


def scene(frost, folder, path):
    """A scene gives the same bytes for any number of threads, and a frame alone equals that frame of the sequence."""
    frames = []
    for threads in (1, 3):
        out = folder / f"{path.stem}-{threads}.y4m"
        run(frost, "animate", path, "-o", out, "--fps", 5, "--threads", threads)
        frames.append(out.read_bytes())
    assert frames[0] == frames[1]
    assert frames[0].count(b"FRAME\n") == round(5 * json.loads(path.read_text())["duration"])
    (folder / path.stem).mkdir()
    run(frost, "animate", path, "-o", folder / path.stem / "{frame}.png", "--fps", 5)
    run(frost, "animate", path, "-o", folder / "alone.png", "--at", 1, "--fps", 5, "--force")
    assert (folder / "alone.png").read_bytes() == (folder / path.stem / "0005.png").read_bytes()
    different = {file.read_bytes() for file in (folder / path.stem).iterdir()}
    assert len(different) > 3, "nothing moves"


def last_frame(frost, folder):
    """A transition that ends with the scene has reached its target in the last frame, at every rate."""
    red, blue = {"color": "red"}, {"color": "blue", "at": 0, "transition": {"name": "dissolve", "duration": 2}}
    path = folder / "ending.json"
    path.write_text(json.dumps({"size": [8, 8], "duration": 2, "fps": 60, "backdrop": [red, blue]}))
    for rate in (60, 7, 1):
        frames = folder / f"ending-{rate}"
        frames.mkdir()
        run(frost, "animate", path, "-o", frames / "{frame}.png", "--fps", rate)
        first, *others, last = [pixels(file) for file in sorted(frames.iterdir())]
        assert (first[..., :3] == (255, 0, 0)).all() and (last[..., :3] == (0, 0, 255)).all(), (rate, last[0, 0])
        assert len(others) == 2 * rate - 2 and all(frame[0, 0, 0] > 0 for frame in others)


def errors(frost, folder):
    a, b = pictures(folder)
    out = folder / "never.png"
    for code, message, more in [
        (2, "--time 1.5", ["--time", 1.5]), (2, "time", ["--time", "nan"]), (2, "--duration", []),
        (2, "did you mean flash", ["--time", 0.5, "--effect", "flahs"]), (2, "--mask", ["--time", 0.5, "--mask", a]),
        (2, "needs --mask", ["--time", 0.5, "--effect", "disintegrate-with-mask"]),
        (2, "flash takes --center-x", ["--time", 0.5, "--effect", "flash", "--radius", 3]), (2, "one picture", ["--duration", 1]),
    ]:
        done = run(frost, "transition", a, b, "-o", out, *more, code=code)
        assert message in done.stderr, (message, done.stderr)
    run(frost, "transition", a, folder / "missing.png", "-o", out, "--time", 0.5, code=3)
    assert not [path.name for path in folder.iterdir() if "never" in path.name]


def main():
    cases = Cases("motion", __doc__)

    def case(name, function, *arguments):
        with tempfile.TemporaryDirectory(prefix="frost-motion-") as folder:
            cases.run(name, function, cases.frost, Path(folder), *arguments)

    cases.run("list of transitions", listed, cases.frost)
    case("dissolve", dissolve)
    case("dissolve against ffmpeg", with_ffmpeg)
    case("animations", animations)
    case("blurred animations", blurred_animations)
    case("interrupted GIF", interrupted_gif)
    case("limits of GIF", gif_limits)
    for path in sorted((ROOT / "examples" / "scenes").glob("*.json")):
        case(f"scene {path.stem}", scene, path)
    case("last frame", last_frame)
    case("errors", errors)
    cases.finish()


main()
