"""Checks that `frost effect redact` shows no more after many looks than after one, and how it keeps its key."""

import json
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

    def run(self, *words, state=None, code=0, timeout=60):
        done = subprocess.run(**self.words(*words, state=state), capture_output=True, text=True, timeout=timeout)
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


def narrow(frost):
    """No cell is narrower than the others: at the end of a picture, the mean of few pixels would tell much about them."""
    random = numpy.random.default_rng(3)
    with Folder(frost) as folder:
        noise = random.integers(0, 256, (53, 75, 3), dtype=numpy.uint8)
        frames = [Image.fromarray(numpy.roll(noise, shift, 1)) for shift in (0, 30)]
        frames[0].save(folder.path / "in.png")
        frames[0].save(folder.path / "in.apng", format="PNG", save_all=True, append_images=frames[1:], duration=100)
        for name, output in [("in.png", "out.png"), ("in.apng", "out.apng")]:
            for backend in ["cpu", "gpu", "exact"]:
                folder.run(name, "-o", output, "--cell", "16", "--backend", backend, "--no-dither")
                with Image.open(folder.path / output) as result:
                    found = numpy.asarray(result.convert("RGB")).astype(int)
                columns, rows = (numpy.minimum(numpy.arange(n) // 16, n // 16 - 1) * 16 for n in (75, 53))
                expected = found[rows[:, None], columns[None, :]]
                assert (found == expected).all(), (name, backend, numpy.argwhere(found != expected)[:3])
                assert len({tuple(pixel) for pixel in found.reshape(-1, 3)}) == 12, (name, backend)


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
            folder.run("in.y4m", "-o", "out.y4m", "--cell", str(CELL), "--hold", "1", "-q")
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


def turned(pixels, orientation):
    """The pixels as a file with an EXIF orientation stores them."""
    back = {1: lambda p: p, 2: lambda p: p[:, ::-1], 3: lambda p: p[::-1, ::-1], 4: lambda p: p[::-1], 5: lambda p: p.swapaxes(0, 1),
            6: lambda p: numpy.rot90(p, 1), 7: lambda p: p[::-1, ::-1].swapaxes(0, 1), 8: lambda p: numpy.rot90(p, -1)}
    return numpy.ascontiguousarray(back[orientation](pixels))


def still(path, pixels, kind, random):
    """Writes pixels in one of the formats that keep them, and returns the name of the file."""
    channels = pixels.shape[2]
    mode = {1: "L", 2: "LA", 3: "RGB", 4: "RGBA"}[channels]
    if kind == "pam16":
        name = path / "in.pam"
        wide = pixels.astype(">u2") * 257 + (pixels[..., ::-1] >> 1)
        types = {1: "GRAYSCALE", 2: "GRAYSCALE_ALPHA", 3: "RGB", 4: "RGB_ALPHA"}
        name.write_bytes(f"P7\nWIDTH {pixels.shape[1]}\nHEIGHT {pixels.shape[0]}\nDEPTH {channels}\nMAXVAL 65535\n"
                         f"TUPLTYPE {types[channels]}\nENDHDR\n".encode() + wide.astype(">u2").tobytes())
        return name.name
    suffix = {"png": "png", "turned": "png", "palette": "png", "interlaced": "png", "tiff": "tif", "webp": "webp"}[kind]
    name, options = path / f"in.{suffix}", {}
    if kind == "turned":
        exif = Image.Exif()
        exif[0x0112] = random
        options["exif"] = exif
        pixels = turned(pixels, random)
    image = Image.fromarray(pixels[..., 0] if channels == 1 else pixels, mode)
    if kind == "palette":
        # An unused entry of the palette holds a colour of the secret.
        image = Image.fromarray((pixels[..., 0] >> 2), "P")
        image.putpalette([value for index in range(64) for value in (index * 4, index * 3, 255 - index * 4)])
    if kind == "webp":
        image, options = image.convert("RGBA" if channels in (2, 4) else "RGB"), {"lossless": True, "exact": True}
    image.save(name, **options)
    return name.name


def interference(frost, runs):
    """What a rectangle hides has no influence on the result. Two inputs that differ only inside the rectangle give the same bytes
    with --fill. Without it they do if the cells have the same means: the pixels of the second input are those of the first one,
    with those of each cell in another order. This holds for every format, option and orientation, under transparent pixels too."""
    random = numpy.random.default_rng(45)
    with Folder(frost) as folder:
        for run in range(runs):
            kind = ("png", "turned", "palette", "tiff", "webp", "pam16", "y4m 420", "y4m 444", "y4m alpha", "raw")[run % 10]
            channels = int(random.integers(1, 5)) if kind in ("png", "turned", "tiff", "webp", "pam16") else 3
            if kind == "palette":
                channels = 1
            width, height, cell = 61, 47, 8
            x, y = (int(value) for value in random.integers(0, 20, 2))
            w, h = (int(value) for value in random.integers(9, 27, 2))
            filled = run // 10 % 2 == 0
            words = ["--fill", str(random.choice(["black", "#30c0f0"]))] if filled else ["--seed", "7"]
            more = [[], ["--linear"], ["--background", "white"], ["--depth", "8"], ["--keep", "all"], ["--bounded"], ["--sandbox"]]
            words += more[int(random.integers(len(more)))] if "y4m" not in kind and kind != "raw" else []
            first = random.integers(0, 256, (height, width, channels), numpy.uint8)
            second = first.copy()
            inside = second[y:y + h, x:x + w]
            if filled:
                inside[:] = random.integers(0, 256, inside.shape, numpy.uint8)
                if channels in (2, 4):
                    inside[..., -1] = random.choice([0, 1, 255], inside.shape[:2])
            else:
                if channels in (2, 4):
                    # Alpha is constant, so that means of colours times alpha are those of colours. Sums of 16-bit colours are
                    # exact only without alpha: a product of 32 bits is rounded to a float, and sums depend on their order then.
                    first[..., -1] = second[..., -1] = 255 if kind == "pam16" else 200
                # The cells of a still begin at the corner of the rectangle, those of a stream at that of the frame.
                begin = (0, 0) if "y4m" not in kind and kind != "raw" else (-(y % cell), -(x % cell))
                for top in range(begin[0], h, cell):
                    for left in range(begin[1], w, cell):
                        part = inside[max(top, 0):top + cell, max(left, 0):left + cell]
                        part[:] = random.permutation(part.reshape(-1, channels)).reshape(part.shape)
            results = []
            for pixels in (first, second):
                if kind.startswith("y4m") or kind == "raw":
                    stream = streamed(pixels, kind, (x, y, w, h), random, filled)
                    if not filled and kind in ("y4m 420",):
                        break       # the means of cells of colours depend on chroma that is interpolated
                    name = "in.rgb" if kind == "raw" else "in.y4m"
                    (folder.path / name).write_bytes(stream)
                    form = ["--format", "rgb24", "--size", f"{width}x{height}"] if kind == "raw" else []
                    folder.run(name, "-o", f"out-{name}", "--rect", f"{x},{y},{w},{h}", "--cell", str(cell), "-q", *words, *form)
                    results.append((folder.path / f"out-{name}").read_bytes())
                else:
                    orientation = 1 + run // 10 % 8
                    name = still(folder.path, pixels, kind, orientation)
                    folder.run(name, "-o", "out.png", "--rect", f"{x},{y},{w},{h}", "--cell", str(cell), "-q", *words)
                    results.append((folder.path / "out.png").read_bytes())
            assert len(set(results)) <= 1, (kind, words, channels, (x, y, w, h), filled)


def streamed(pixels, kind, rect, random, filled):
    """A frame of video with colours as its planes. With 4:2:0 a chroma sample that the rectangle covers in part belongs to it."""
    height, width = pixels.shape[:2]
    if kind == "raw":
        return pixels.tobytes()
    planes = [pixels[..., index] for index in range(3)]
    form = "C444"
    if kind == "y4m 420":
        form = "C420jpeg"
        planes[1:] = [plane[::2, ::2] for plane in planes[1:]]
    head = f"YUV4MPEG2 W{width} H{height} F25:1 Ip {form}{'alpha' if kind == 'y4m alpha' else ''} XCOLORRANGE=FULL\n".encode()
    if kind == "y4m alpha":
        planes.append(numpy.full((height, width), 255, numpy.uint8))
    return head + b"FRAME\n" + b"".join(numpy.ascontiguousarray(plane).tobytes() for plane in planes)


def sums(image):
    return numpy.pad(image.astype(numpy.float64).cumsum(0).cumsum(1), ((1, 0), (1, 0)))


def means(table, cell, width, height):
    """The means of cells of pictures, from their cumulative sums."""
    corners = table[..., 0:height + 1:cell, 0:width + 1:cell]
    return (corners[..., 1:, 1:] - corners[..., :-1, 1:] - corners[..., 1:, :-1] + corners[..., :-1, :-1]) / cell ** 2


def interval(before, after):
    """The 95 % interval of the difference of two medians, by resampling the codes."""
    random = numpy.random.default_rng(1)
    before, after = numpy.array(before), numpy.array(after)
    chosen = random.integers(0, len(before), (4000, len(before)))
    return numpy.percentile(numpy.median(after[chosen], 1) - numpy.median(before[chosen], 1), [2.5, 97.5])


def ranks(frost, codes, candidates, looks, cell):
    """Ranks true codes among candidates by their squared distance from the cells: after one look, and after many. A file that
    is redacted again, and a text that rests or moves in a video, show no more than one look. With --hold 1 a text that moves does:
    the attack is real. A frame holds several codes, one below the other, because each cell has a shift of its own."""
    random = numpy.random.default_rng(7)
    # Frost rounds the side up to a power of two.
    side = 1 << (cell - 1).bit_length()
    width, height, positions, group = 7 * side, 3 * side, 60, 50
    texts = [f"{number:06d}" for number in random.choice(10 ** 6, candidates, replace=False)]
    font = ImageFont.load_default()
    # The text at all its positions, as crops of a wider picture.
    strips = numpy.empty((candidates, height, width + positions), numpy.uint8)
    for index, text in enumerate(texts):
        image = Image.new("L", (width + positions, height), 255)
        ImageDraw.Draw(image).text((positions + 9, 14), text, font=font, fill=0)
        strips[index] = numpy.array(image)
    tables = numpy.empty((candidates, positions, 3 * 7), numpy.float32)
    for index, strip in enumerate(strips):
        total = sums(strip)
        for left in range(positions):
            tables[index, left] = means(total[:, left:left + width + 1], side, width, height).ravel()
    # The text rests at the last crop, and moves to the left from frame to frame.
    still, order = tables[:, -1].astype(numpy.float64), numpy.arange(looks) % positions
    moved = tables[:, order]
    middle = moved.mean(1, keepdims=True)
    moved -= middle
    flat, middle = moved.reshape(candidates, -1), middle[:, 0].astype(numpy.float64)
    norms = numpy.einsum("ij,ij->i", flat, flat, dtype=numpy.float64)
    found = {}
    with Folder(frost) as folder:
        for start in range(0, codes, group):
            chosen = range(start, min(start + group, codes))
            resting = strips[chosen, :, positions - 1:-1].reshape(-1, width)
            rows = len(resting)
            with open(folder.path / "in.y4m", "wb") as file:
                file.write(f"YUV4MPEG2 W{2 * width} H{rows} F25:1 Cmono XCOLORRANGE=FULL\n".encode())
                for left in order:
                    moving = strips[chosen, :, left:left + width].reshape(-1, width)
                    file.write(b"FRAME\n" + numpy.hstack([resting, moving]).tobytes())

            def frames(*words):
                folder.run("in.y4m", "-o", "out.y4m", "--cell", str(cell), "-q", "--threads", "1", *words, timeout=900)
                data, size = (folder.path / "out.y4m").read_bytes(), 6 + 2 * width * rows
                begin = data.index(b"\n") + 1
                found = [numpy.frombuffer(data, "u1", size - 6, begin + size * n + 6).reshape(rows, 2 * width) for n in range(looks)]
                assert all((frame[:, :width] == found[0][:, :width]).all() for frame in found), "a resting text flickers"
                return found
            held, own = frames("--hold", str(looks)), frames("--hold", "1")
            assert all((frame == held[0]).all() for frame in held), "a mosaic is not held"
            assert (held[0] == own[0]).all() and not (own[1] == own[0]).all()
            (folder.path / "in").mkdir(exist_ok=True)
            for look in range(looks):
                (folder.path / f"in/{look}.pgm").write_bytes(f"P5 {width} {rows} 255\n".encode() + resting.tobytes())
            folder.run("-r", "in", "-o", "made/", "--cell", str(cell), "-q", "--threads", "1", timeout=900)
            made = {path.read_bytes() for path in (folder.path / "made").iterdir()}
            assert len(made) == 1, "runs differ"
            run = numpy.frombuffer(made.pop()[-3 * width * rows:], "u1")[-width * rows:].reshape(rows, width)
            seen = numpy.array([means(sums(frame), side, 2 * width, rows) for frame in own])
            looked = means(sums(run), side, width, rows)
            for index, code in enumerate(chosen):
                lines = slice(3 * index, 3 * index + 3)

                def rank(kind, errors, code=code):
                    found.setdefault(kind, []).append(int((errors < errors[code]).sum()) + 1)

                def distance(cells, table=still):
                    return ((table - cells.ravel()) ** 2).sum(1)
                rest, scroll = seen[:, lines, :7], seen[:, lines, 7:].reshape(looks, -1)
                rank("a resting text, one frame", distance(rest[0]))
                rank("a resting text, all frames", distance(rest.mean(0)))
                rank("the mean of runs", distance(looked[lines]))
                rank("a moving text, one frame", distance(scroll[0], tables[:, order[0]]))
                # All frames are the first one, as was seen above.
                rank("a moving text, all frames", distance(scroll[0], tables[:, order[0]]))
                # The shift of a cell is constant, so what changes in the cell is the text; what does not is one more look.
                change = (scroll - scroll.mean(0)).reshape(-1).astype(numpy.float32)
                change = norms - 2 * (flat @ change).astype(numpy.float64)
                rank("a moving text, all frames with --hold 1", change + distance(scroll.mean(0), middle))
    for kind, values in found.items():
        first = found["a moving text, one frame" if "moving" in kind else "a resting text, one frame"]
        low, high = interval(first, values)
        print(f"cells of {cell}, {codes} codes among {candidates}, {looks} looks, {kind}: median rank {numpy.median(values):.0f}, "
              f"difference from one frame {low:.0f} to {high:.0f} (95 %)", flush=True)
        if "--hold" in kind:
            assert codes < 100 or high < 0, (low, high)
        else:
            # All runs are equal, so their mean shows what one of them shows. Its shifts are not those of a video.
            assert kind == "the mean of runs" or high >= 0, (kind, low, high)


def animations(frost):
    """The frames of an animation show the mosaic of one frame where they are hidden, and themselves elsewhere."""
    random = numpy.random.default_rng(11)
    pictures = [random.integers(0, 256, (40, 64, 3), numpy.uint8) for _ in range(5)]
    box = (slice(8, 24), slice(16, 48))
    with Folder(frost) as folder:
        images = [Image.fromarray(picture) for picture in pictures]
        for name, options in {"in.webp": {"lossless": True}, "in.png": {}, "in.gif": {}}.items():
            images[0].save(folder.path / name, save_all=True, append_images=images[1:], duration=100, loop=0, **options)

        def frames(name):
            with Image.open(folder.path / name) as file:
                result = []
                for number in range(file.n_frames):
                    file.seek(number)
                    result.append(numpy.array(file.convert("RGB")))
            return result
        for name in ("in.webp", "in.png", "in.gif"):
            originals = frames(name)
            assert len(originals) == 5
            for words, mosaics in ([], 1), (["--hold", "2"], 3), (["--hold", "1"], 5):
                told = folder.run(name, "-o", "out.png", "--format", "apng", "--rect", "16,8,32,16", "--cell", "8", "--json", *words)
                assert json.loads(told.stdout).get("heldFrames") == {1: 300, 3: 2, 5: None}[mosaics], told
                made = frames("out.png")
                assert len({frame[box].tobytes() for frame in made}) == mosaics, (name, words)
                for frame, original in zip(made, originals, strict=True):
                    difference = (frame != original).any(2)
                    difference[box] = False
                    assert not difference.any(), (name, words)


def main():
    cases = Cases("redact", __doc__, [
        ("--interference", {"type": int, "default": 160, "help": "the number of pairs of pictures that differ in a rectangle"}),
        ("--codes", {"type": int, "default": 2, "help": "the number of codes to guess; 200 for the figures of docs/Effects.md"}),
        ("--looks", {"type": int, "default": 30, "help": "the number of frames and of runs"})])
    cases.run("the file of the key", key_file, cases.frost)
    cases.run("stills", stills, cases.frost)
    cases.run("narrow cells", narrow, cases.frost)
    cases.run("a stream", stream, cases.frost)
    cases.run("many looks", many_looks, cases.frost)
    cases.run("animations", animations, cases.frost)
    cases.run("no interference", interference, cases.frost, cases.options.interference)
    for cell in (16, 20):
        cases.run(f"ranks of codes, cells of {cell}", ranks, cases.frost, cases.options.codes, 50 * cases.options.codes,
                  cases.options.looks, cell)
    cases.finish()


if __name__ == "__main__":
    main()
