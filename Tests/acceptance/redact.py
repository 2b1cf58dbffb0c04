"""Checks that `frost effect redact` shows no more after many looks than after one, and how it keeps its key."""

import os
import stat
import subprocess
import tempfile
from pathlib import Path

import numpy
from PIL import Image, ImageDraw, ImageFont

from report import Cases

WIDTH, HEIGHT, CELL = 192, 64, 16


class Folder:
    """A folder with a state folder of its own, and runs of redact in it."""

    def __init__(self, frost):
        self.frost = frost
        self.held = tempfile.TemporaryDirectory(prefix="frost-redact-")
        self.path = Path(self.held.name)
        self.state = self.path / "state"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.held.cleanup()

    def words(self, *words, state=None):
        return {"args": [self.frost, "effect", "redact", *words, "--force"], "cwd": self.path,
                "env": {**os.environ, "XDG_STATE_HOME": str(state or self.state)}}

    def run(self, *words, state=None, code=0):
        done = subprocess.run(**self.words(*words, state=state), capture_output=True, text=True, timeout=60)
        assert done.returncode == code, (words, done)
        return done

    def pixels(self, *words, name="in.png", **options):
        self.run(name, "-o", "out.png", "--no-dither", "--cell", str(CELL), "-q", *words, **options)
        return numpy.array(Image.open(self.path / "out.png").convert("L")).astype(float)


def page(code, left=9):
    image = Image.new("L", (WIDTH, HEIGHT), 255)
    ImageDraw.Draw(image).text((left, 14), code, font=ImageFont.load_default(), fill=0)
    return image


def cells(pixels):
    return pixels.reshape(HEIGHT // CELL, CELL, WIDTH // CELL, CELL).mean((1, 3))


def key_file(frost):
    """The key is made once, whole, for the user alone, and can be named."""
    with Folder(frost) as folder:
        page("123456").save(folder.path / "in.png")
        folder.pixels("--fill", "black")
        folder.pixels("--seed", "5")
        folder.run("in.png", "-o", "out.png", "--dry-run")
        assert not folder.state.exists(), "a key was made that nothing needs"
        started = [subprocess.Popen(**folder.words("in.png", "-o", f"{index}.png", "-q")) for index in range(8)]
        assert [process.wait(60) for process in started] == [0] * 8
        assert len({(folder.path / f"{index}.png").read_bytes() for index in range(8)}) == 1, "several keys were made"
        key = folder.state / "frost/redact.key"
        assert [path.name for path in key.parent.iterdir()] == ["redact.key"]
        assert stat.S_IMODE(key.stat().st_mode) == 0o600 and stat.S_IMODE(key.parent.stat().st_mode) == 0o700
        assert key.stat().st_size == 32
        first = folder.pixels()
        assert (folder.pixels() == first).all()
        (folder.path / "mine").write_bytes(key.read_bytes())
        key.unlink()
        assert (folder.pixels() != first).any(), "another key gives the same shifts"
        assert (folder.pixels("--key", "mine") == first).all()
        (folder.path / "short").write_bytes(bytes(15))
        assert "has 15" in folder.run("in.png", "-o", "x.png", "--key", "short", code=2).stderr
        assert "uses no secret key" in folder.run("in.png", "-o", "x.png", "--fill", "red", "--key", "mine", code=2).stderr
        for content in (b"", bytes(5000)):
            key.write_bytes(content)
            assert "is damaged" in folder.run("in.png", "-o", "x.png").stderr
        done = folder.run("in.png", "-o", "x.png", state="/proc/nowhere")
        assert "cannot be kept" in done.stderr and "--fill" in done.stderr, done.stderr
        one, two = folder.pixels(state="/proc/nowhere"), folder.pixels(state="/proc/nowhere")
        assert (one != two).any()


def stills(frost):
    """A cell that is redacted again is shown again: in another run, another format, a batch, and beside other changes."""
    with Folder(frost) as folder:
        page("123456").save(folder.path / "in.png")
        page("123456").save(folder.path / "in.ppm")
        changed = page("123456")
        changed.paste(0, (WIDTH - CELL, HEIGHT - CELL, WIDTH, HEIGHT))
        changed.save(folder.path / "changed.png")
        first = folder.pixels()
        assert (folder.pixels(name="in.ppm") == first).all()
        other = folder.pixels(name="changed.png")
        assert (other[:, :-CELL] == first[:, :-CELL]).all() and (other[-CELL:, -CELL:] != first[-CELL:, -CELL:]).all()
        folder.run("in.png", "changed.png", "in.ppm", "-o", "batch/{stem}-{ext}.png", "--cell", str(CELL), "--no-dither", "-q")
        for name, expected in (("in-png", first), ("in-ppm", first), ("changed-png", other)):
            made = numpy.array(Image.open(folder.path / f"batch/{name}.png").convert("L"))
            assert (made == expected).all(), name


def stream(frost):
    """Frames of something that rests are equal, although its pixels flicker by less than the mean shows."""
    with Folder(frost) as folder:
        random = numpy.random.default_rng(1)
        still = numpy.array(page("123456"))
        size = 6 + 3 * WIDTH * HEIGHT
        shifts = []
        for frames in ([still] * 12, [numpy.clip(still + random.integers(-9, 10, still.shape), 0, 255) for _ in range(12)]):
            with open(folder.path / "in.y4m", "wb") as file:
                file.write(f"YUV4MPEG2 W{WIDTH} H{HEIGHT} F25:1 C444 XCOLORRANGE=FULL\n".encode())
                for frame in frames:
                    file.write(b"FRAME\n" + frame.astype("u1").tobytes() + bytes([128]) * (2 * frame.size))
            folder.run("in.y4m", "-o", "out.y4m", "--cell", str(CELL), "-q")
            data = (folder.path / "out.y4m").read_bytes()
            start = data.index(b"\n") + 1
            made = [numpy.frombuffer(data, "u1", WIDTH * HEIGHT, start + size * n + 6).reshape(HEIGHT, WIDTH).astype(float)
                    for n in range(12)]
            shifts.append([cells(after) - cells(before.astype(float)) for before, after in zip(frames, made)])
        rests, flickers = shifts
        assert all((shift == rests[0]).all() for shift in rests)
        inner = numpy.abs(rests[0]) > 3      # the shift of a cell that is not clamped at white
        assert inner.sum() > 5
        spread = numpy.ptp(flickers, axis=0)[inner]
        assert spread.max() < 4, f"shifts change by {spread.max()} steps from frame to frame"


def many_looks(frost):
    """Guesses codes from the mean of many results. With one key all results are equal. With other keys, the rank of the true
    code falls: the attack is real."""
    with Folder(frost) as folder:
        random = numpy.random.default_rng(3)
        single, mean = [], []
        for _ in range(12):
            codes = [f"{number:06d}" for number in random.choice(10 ** 6, 400, replace=False)]
            table = numpy.array([cells(numpy.array(page(code)).astype(float)).ravel() for code in codes])
            page(codes[0]).save(folder.path / "in.png")
            first = folder.pixels()
            for _ in range(3):
                assert (folder.pixels() == first).all()
            looks = [cells(folder.pixels("--seed", str(1 + seed))).ravel() for seed in range(40)]
            simulated = numpy.mean([numpy.clip(table + 255 * shift, 0, 255) for shift in numpy.linspace(-.15, .15, 31)], 0)
            for ranks, seen, expected in ((single, looks[0], table), (mean, numpy.mean(looks, 0), simulated)):
                errors = ((expected - seen) ** 2).sum(1)
                ranks.append(int((errors < errors[0]).sum()) + 1)
        assert numpy.median(mean) < numpy.median(single) / 2, (single, mean)


def main():
    cases = Cases("redact", __doc__)
    cases.run("the file of the key", key_file, cases.frost)
    cases.run("stills", stills, cases.frost)
    cases.run("a stream", stream, cases.frost)
    cases.run("many looks", many_looks, cases.frost)
    cases.finish()


if __name__ == "__main__":
    main()
