#!/usr/bin/env python3
"""Does ten jobs for which people use several programs, each with one command of Frost.

    jobs.py --frost PATH [--only TEXT] [--junit FILE] [--pictures SHEET.webp]

Each command is checked against an oracle of its own, and must be shorter than the command lines that the job took before. The
sheet of the results is the picture of docs/Recipes.md.
"""

import base64
import io
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True

import numpy as np
from PIL import Image

import gaussian
from report import Cases, Skipped

SAMPLES = Path(__file__).resolve().parents[2] / "Samples"
# The rectangle of a face.
FACE = 500, 300, 220, 260


class Job:
    """A job in a folder of its own."""

    def __init__(self, frost):
        self.folder = Path(tempfile.mkdtemp(prefix="frost-jobs-"))
        bin = self.folder / "bin"
        bin.mkdir()
        (bin / "frost").symlink_to(frost)
        self.environment = {**os.environ, "PATH": f"{bin}:{os.environ['PATH']}", "HOME": str(self.folder),
                            "XDG_CONFIG_HOME": str(self.folder / "config")}
        photo = Image.open(SAMPLES / "photo.png").convert("RGB")
        photo.save(self.folder / "photo.png")
        photo.save(self.folder / "photo.jpg", quality=95)
        Image.open(SAMPLES / "scene.png").convert("RGB").save(self.folder / "shot.png")
        Image.open(SAMPLES / "label.png").save(self.folder / "title.png")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.folder)

    def run(self, command, limit):
        """Runs a command line. It must be shorter than those that the job took before."""
        assert len(command) < limit, f"{len(command)} characters: expected less than {limit}"
        done = subprocess.run(["sh", "-c", command], cwd=self.folder, env=self.environment, capture_output=True,
                              timeout=300)
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout

    def array(self, name):
        return np.asarray(Image.open(self.folder / name)).astype(float)

    def ffmpeg(self, *words):
        if not shutil.which("ffmpeg"):
            raise Skipped("there is no ffmpeg")
        subprocess.run(["ffmpeg", "-v", "error", "-y", *words], cwd=self.folder, check=True, timeout=300,
                       stdin=subprocess.DEVNULL)

    def frames(self, name, count):
        """Returns frames of a video as arrays."""
        self.ffmpeg("-i", name, "-frames:v", str(count), "frame%d.png")
        return [self.array(f"frame{index + 1}.png") for index in range(count)]


def blurred(picture, sigma):
    """Returns the exact blur of a picture of three channels."""
    return np.stack([gaussian.blurred(picture[..., channel], sigma, sigma, "clamp") for channel in range(3)], axis=-1)


def psnr(a, b):
    error = np.mean((a - b) ** 2)
    return np.inf if error == 0 else 10 * np.log10(255 ** 2 / error)


def inside(shape, x, y, width, height):
    mask = np.zeros(shape[:2], bool)
    mask[y:y + height, x:x + width] = True
    return mask


def face(job):
    job.run("frost blur photo.png -o b.png --sigma 20 --rect 500,300,220,260", 64)
    before, after = job.array("photo.png"), job.array("b.png")
    part = inside(before.shape, *FACE)
    exact = blurred(before, 20)
    assert (after[~part] == before[~part]).all()
    assert abs(after[part] - exact[part]).max() <= 1
    return Image.open(job.folder / "b.png")


def video_face(job):
    job.ffmpeg("-f", "lavfi", "-i", "testsrc2=s=320x180:r=25", "-f", "lavfi", "-i", "sine=r=48000", "-t", "1", "-c:v",
               "libx264", "-crf", "10", "-pix_fmt", "yuv420p", "-c:a", "aac", "in.mp4")
    (job.folder / "faces.csv").write_text(
        "frame,x,y,w,h\n" + "".join(f"{index},{40 + 6 * index},40,64,80\n" for index in range(25)))
    job.run("frost video in.mp4 -o out.mp4 --sigma 30 --rects faces.csv", 121)
    before, after = job.frames("in.mp4", 25), job.frames("out.mp4", 25)
    for index, (old, new) in enumerate(zip(before, after)):
        part = inside(old.shape, 44 + 6 * index, 44, 56, 72)
        rest = ~inside(old.shape, 36 + 6 * index, 36, 72, 88)
        assert psnr(old[rest], new[rest]) > 30 and psnr(old[part], new[part]) < 22, index
    return Image.fromarray(after[12].astype(np.uint8))


def redaction(job):
    job.run("frost --preset redact shot.png -o safe.png --rect 120,80,400,60", 96)
    before, after = job.array("shot.png"), job.array("safe.png")
    part = inside(before.shape, 120, 80, 400, 60)
    assert (after[part] == 0).all() and (after[~part] == before[~part]).all()
    return Image.open(job.folder / "safe.png")


def hero(job):
    job.run("frost --preset hero shot.png -o card.png --content title.png", 118)
    before, after = job.array("shot.png"), job.array("card.png")
    height, width = before.shape[:2]
    part = inside(before.shape, width // 5 - 2, height * 3 // 10 - 2, width * 3 // 5 + 4, height * 2 // 5 + 4)
    assert (after[~part] == before[~part]).all()
    assert (after[part] != before[part]).mean() > 0.5
    # The title is drawn where it is opaque.
    title = np.asarray(Image.open(job.folder / "title.png").convert("RGBA")).astype(float)
    y, x = (height - title.shape[0]) // 2, (width - title.shape[1]) // 2
    drawn = after[y:y + title.shape[0], x:x + title.shape[1]]
    opaque = title[..., 3] == 255
    assert opaque.any() and abs(drawn[opaque] - title[opaque][:, :3]).max() <= 1
    return Image.open(job.folder / "card.png")


def placeholder(job):
    line = job.run("frost --preset placeholder photo.jpg", 42).decode()
    start = "data:image/webp;base64,"
    assert line.startswith(start) and len(line) < 400, line
    made = Image.open(io.BytesIO(base64.b64decode(line[len(start):])))
    assert made.size == (20, 13)
    small = np.asarray(Image.open(job.folder / "photo.jpg").resize((20, 13), Image.Resampling.LANCZOS)).astype(float)
    wanted = blurred(small, 1)
    # WebP of quality 40 changes colours by some steps.
    assert abs(np.asarray(made.convert("RGB")).astype(float) - wanted).mean() < 8
    return made.convert("RGB").resize((320, 213), Image.Resampling.BICUBIC)


def depth(job):
    mask = np.zeros((853, 1280), np.uint8)
    mask[:420] = 255
    Image.fromarray(mask).save(job.folder / "depth.png")
    job.run("frost effect variable photo.png -o deep.png --mask depth.png", 71)
    before, after = job.array("photo.png"), job.array("deep.png")
    assert (after[425:] == before[425:]).all()
    exact = blurred(before, 20)
    # Dither adds less than a step.
    assert abs(after[:300] - exact[:300]).max() <= 2
    return Image.open(job.folder / "deep.png")


def lock_screen(job):
    job.run("frost --preset lock-screen shot.png -o lock.png", 60)
    before, after = job.array("shot.png"), job.array("lock.png")
    assert abs(after - blurred(before, 24) * 0.7).max() <= 1
    return Image.open(job.folder / "lock.png")


def portrait(job):
    job.ffmpeg("-f", "lavfi", "-i", "testsrc2=s=640x360:r=25", "-t", "0.4", "-c:v", "libx264", "-crf", "10", "-pix_fmt",
               "yuv420p", "in.mp4")
    job.run("frost video in.mp4 -o out.mp4 --sigma 40 --pad 360x640", 168)
    frame = job.frames("out.mp4", 1)[0]
    assert frame.shape == (640, 360, 3)
    old = Image.fromarray(job.frames("in.mp4", 1)[0].astype(np.uint8))
    small = np.asarray(old.resize((360, 202), Image.Resampling.LANCZOS)).astype(float)
    # Chroma has every other row, so the picture begins at an even one.
    assert psnr(frame[218:420], small) > 26
    # The bars have no detail.
    assert abs(np.diff(frame[:200], axis=0)).max() < 12
    return Image.fromarray(frame.astype(np.uint8))


def thumbnails(job):
    (job.folder / "pics").mkdir()
    generator = np.random.default_rng(51)
    photo = Image.open(job.folder / "photo.png")
    for index in range(12):
        x, y = generator.integers(0, 400, 2)
        photo.crop((int(x), int(y), int(x) + 640, int(y) + 400)).save(job.folder / "pics" / f"{index}.jpg", quality=92)
    job.run("frost blur -r pics -o thumbs/ --sigma 2 --resize 320", 145)
    for index in range(12):
        old, new = Image.open(job.folder / "pics" / f"{index}.jpg"), Image.open(job.folder / "thumbs" / f"{index}.jpg")
        assert new.size == (320, 200)
        wanted = blurred(np.asarray(old.resize((320, 200), Image.Resampling.LANCZOS)).astype(float), 2)
        # JPEG of quality 90 loses more than the blur.
        assert abs(np.asarray(new).astype(float) - wanted).mean() < 2
    sheet = Image.new("RGB", (320, 200), "white")
    for index in range(4):
        tile = Image.open(job.folder / "thumbs" / f"{index}.jpg").resize((156, 97))
        sheet.paste(tile, (index % 2 * 164, index // 2 * 102))
    return sheet


def transition(job):
    job.run("frost transition photo.png shot.png -o c.webp --duration 1", 81)
    film = Image.open(job.folder / "c.webp")
    assert film.n_frames >= 24
    film.seek(film.n_frames // 2)
    middle = np.asarray(film.convert("RGB")).astype(float)
    first = job.array("photo.png")
    assert middle.shape[1] == first.shape[1] and 10 < psnr(middle[:first.shape[0]], first[:middle.shape[0]]) < 30
    return film.convert("RGB")


JOBS = [
    ("hide a face in a picture", face), ("hide a face in a video", video_face), ("redact a screenshot", redaction),
    ("a frosted panel with text", hero), ("a placeholder of 20 pixels", placeholder), ("depth of field", depth),
    ("a lock screen", lock_screen), ("an upright video from a wide one", portrait), ("thumbnails", thumbnails),
    ("from one picture to another", transition),
]


def sheet(pictures, path):
    """Draws the results in two rows."""
    width, height, gap = 224, 168, 12
    columns = 5
    image = Image.new("RGB", (columns * (width + gap) - gap, 2 * (height + gap) - gap), "white")
    for index, picture in enumerate(pictures):
        picture = picture.convert("RGB")
        picture.thumbnail((width, height), Image.Resampling.LANCZOS)
        x, y = index % columns * (width + gap), index // columns * (height + gap)
        image.paste(picture, (x + (width - picture.width) // 2, y + (height - picture.height) // 2))
    image.save(path, quality=85, method=6)


def main():
    cases = Cases("jobs", __doc__, [("--pictures", {"help": "draw the results in this file"})])
    pictures = []

    def do(work):
        with Job(cases.frost) as job:
            picture = work(job)
            picture.load()
            pictures.append(picture)

    for name, work in JOBS:
        cases.run(name, do, work)
    if cases.options.pictures:
        sheet(pictures, cases.options.pictures)
    cases.finish()


if __name__ == "__main__":
    main()
