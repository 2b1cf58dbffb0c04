#!/usr/bin/env python3
"""Tests the command as a new user tries it, with habits from other tools and mistakes, and the error messages they cause.

    usage.py --frost PATH [--only TEXT] [--junit FILE]
"""

import json
import os
import pty
import re
import subprocess
import sys
import tempfile
import zlib
from io import BytesIO
from xml.etree import ElementTree
from pathlib import Path

sys.dont_write_bytecode = True

import numpy as np
from PIL import Image, ImageCms

from report import Cases

ROOT = Path(__file__).resolve().parents[2]


class Tries:
    """Runs frost in a folder that contains photo.png, a picture of 320x200 pixels."""

    def __init__(self, frost, folder):
        self.frost, self.folder = frost, Path(folder)
        noise = np.random.default_rng(1).integers(0, 256, (200, 320, 3), "u1")
        self.photo = noise
        Image.fromarray(noise).save(self.folder / "photo.png")

    def run(self, *words, **options):
        return subprocess.run([self.frost, *words], cwd=self.folder, **{
            "capture_output": True, "text": True, "timeout": 120, **options})

    def refused(self, code, evidence, *words):
        done = self.run(*words)
        assert done.returncode == code and evidence in done.stderr, (words, done.returncode, done.stderr)
        assert len(done.stderr.splitlines()) == 1, done.stderr
        return done

    def pixels(self, name):
        return np.array(Image.open(self.folder / name))


def pipes(tries):
    """What must be read twice is refused if it comes from a pipe, also from a named one. A still picture is read once."""
    frames = [Image.new("RGB", (8, 8), (shade, 0, 0)) for shade in (0, 100, 200)]
    frames[0].save(tries.folder / "moving.webp", save_all=True, append_images=frames[1:])
    os.mkfifo(tries.folder / "pipe")
    ways = {
        "standard input": 'cat {0} | "$0" blur - {1}', "substitution": '"$0" blur <(cat {0}) {1}',
        "named pipe": 'cat {0} > pipe & "$0" blur pipe {1}; code=$?; kill %1 2>/dev/null; exit $code',
    }
    for name, words, code, evidence in [
            ("moving.webp", "-o out.webp", 3, "give a file in place of a stream"), ("photo.png", "-o out.png", 0, ""),
            ("photo.png", "-o out/ --manifest m.jsonl", 2, "--manifest ")]:
        for way, line in ways.items():
            line = line.format(name, words + " --sigma 1 --force")
            done = subprocess.run(["bash", "-c", line, tries.frost], cwd=tries.folder, capture_output=True, text=True, timeout=20)
            assert done.returncode == code and evidence in done.stderr, (way, words, done)


def colors(tries):
    """Checks that every colour option accepts CSS colour names, with or without an alpha."""
    rgba = np.zeros((20, 20, 4), "u1")
    Image.fromarray(rgba).save(tries.folder / "clear.png")
    for name, expected in (("white", (255, 255, 255)), ("RebeccaPurple", (102, 51, 153)), ("tomato", (255, 99, 71))):
        done = tries.run("blur", "clear.png", "-o", "flat.ppm", "--sigma", "2", "--background", name)
        assert done.returncode == 0, done.stderr
        pixels = tries.pixels("flat.ppm").reshape(-1, 3)
        assert (pixels == expected).all(), (name, pixels[0])
    for value in ("white,0.5", "navy", "1,0.3", "#0af"):
        assert tries.run("effect", "image-effects", "photo.png", "-o", "t.png", "--tint", value).returncode == 0, value
    tries.refused(2, "did you mean tomato?", "effect", "tint", "photo.png", "-o", "t.png", "--color", "tomatoe")


def limits_of_each_other(tries):
    """Checks an option whose value is limited by another option. A value beyond the limit must be refused with a message
    that names both options."""
    tries.refused(2, "--top 0.7 must not exceed --bottom 0.6", "effect", "tilt-shift", "photo.png", "-o", "t.png",
                  "--top", "0.7")


def codecs(tries):
    """Checks that libtiff, libavif and libjxl are opened on demand, and that a missing library disables only its format."""
    libraries = {"tif": b"libtiff.so.6", "avif": b"libavif.so.", "jxl": b"libjxl.so."}
    program = Path(tries.frost).read_bytes()
    lonely = tries.folder / "frost-without"
    for suffix, library in libraries.items():
        assert tries.run("blur", "photo.png", "-o", f"codec.{suffix}", "--sigma", "2").returncode == 0
        assert tries.run("blur", f"codec.{suffix}", "-o", "codec.png", "--sigma", "2").returncode == 0
        # This copy of the program opens the library under another name that does not exist, as if the library were not
        # installed.
        assert library in program
        lonely.write_bytes(program.replace(library, library.replace(b".so", b".no")))
        lonely.chmod(0o755)
        other = Tries.__new__(Tries)
        other.frost, other.folder = str(lonely), tries.folder
        named = library.decode().replace(".so", ".no")
        other.refused(3, f"needs a library that cannot be loaded: {named}", "blur", f"codec.{suffix}", "-o", "no.png",
                      "--sigma", "2")
        other.refused(6, f"needs a library that cannot be loaded: {named}", "blur", "photo.png", "-o", f"no.{suffix}",
                      "--sigma", "2")
        assert other.run("blur", "photo.png", "-o", "yes.png", "--sigma", "2").returncode == 0
    assert not list(tries.folder.glob("no.*"))
    loaded = tries.run("blur", "photo.png", "-o", "plain.png", "--sigma", "2", env={**os.environ, "LD_DEBUG": "files"})
    assert "libpng" in loaded.stderr and not re.search("lib(tiff|avif|jxl)", loaded.stderr), "a codec is loaded for a PNG"


def missing_gpu(tries):
    """Checks that `frost check` without a GPU fails, or reports a skipped case if the missing GPU is allowed."""
    words = ["check", "photo.png", "--sigma", "3", "--junit", "junit.xml"]
    nothing = {**os.environ, "__EGL_VENDOR_LIBRARY_FILENAMES": "/nonexistent"}
    for more, code, kind, status in (([], 5, "failure", "failed"), (["--allow-missing-gpu"], 0, "skipped", "skipped")):
        done = tries.run(*words, *more, env=nothing)
        assert done.returncode == code and "no GPU was checked" in done.stderr, (done.returncode, done.stderr)
        suite = ElementTree.parse(tries.folder / "junit.xml").getroot().find("testsuite")
        assert suite.get("failures" if code else "skipped") == "1", suite.attrib
        assert [case.get("name") for case in suite.iter("testcase") if case.find(kind) is not None] == ["no GPU"]
        told = [json.loads(line) for line in tries.run("check", "photo.png", "--sigma", "3", "--json", *more, env=nothing).stdout.splitlines()]
        assert [line["status"] for line in told] == [status, "ok"], told


def names(tries):
    """Tests file names that are not UTF-8, and file names with control sequences for terminals."""
    folder = os.fsencode(tries.folder / "names")
    os.mkdir(folder)
    odd = [b"caf\xe9.png", b"new\nline.png", b"\x1b[31mred.png", "\u4e2d\u6587.png".encode()]
    for name in odd:
        (tries.folder / "names").joinpath(os.fsdecode(name)).write_bytes((tries.folder / "photo.png").read_bytes())
    done = tries.run("blur", "-r", "names", "-o", "made/", "--sigma", "2", "-v", text=False)
    assert done.returncode == 0, done.stderr
    assert sorted(os.listdir(os.fsencode(tries.folder / "made"))) == sorted(odd)
    assert b"'names/caf'$'\\351''.png'" in done.stderr and b"'names/new'$'\\n''line.png'" in done.stderr, done.stderr
    assert b"'names/'$'\\033''[31mred.png'" in done.stderr and "names/\u4e2d\u6587.png ->".encode() in done.stderr
    assert b"\x1b" not in done.stderr and b"\xe9" not in done.stderr
    # The name in the JSON output can be converted back to the name of the file.
    told = tries.run("blur", "-r", "names", "-o", "made/", "--sigma", "2", "--json", "--force").stdout.splitlines()
    inputs = {os.fsencode(line["input"]) for line in map(json.loads, told) if line["schema"] == "frost.result/1"}
    assert inputs == {b"names/" + name for name in odd}, inputs
    # The names of the mask, of the output folder, of the manifest and of one of the two inputs are not UTF-8.
    done = subprocess.run([tries.frost.encode(), b"blur", b"names/caf\xe9.png", b"photo.png", b"-o", b"direct-\xff/", b"--sigma", b"2",
                           b"--mask", b"names/caf\xe9.png", b"--manifest", b"done-\xfe"], cwd=tries.folder, capture_output=True)
    assert done.returncode == 0, done.stderr
    assert sorted(os.listdir(os.fsencode(tries.folder) + b"/direct-\xff")) == [b"caf\xe9.png", b"photo.png"]
    done = subprocess.run([tries.frost.encode(), b"blur", b"names/caf\xe9.png", b"photo.png", b"-o", b"direct-\xff/", b"--sigma", b"2",
                           b"--mask", b"names/caf\xe9.png", b"--manifest", b"done-\xfe", b"--resume"], cwd=tries.folder, capture_output=True)
    assert b"2 done before" in done.stderr, done.stderr
    # The error message names the file in one line, and sends no control sequences to the terminal.
    done = tries.run("blur", "no\x1b[2J\nfile.png", "-o", "x.png", "--sigma", "2")
    assert done.returncode == 3 and "'no'$'\\033''[2J'$'\\n''file.png': cannot be read" in done.stderr, done.stderr
    assert "\x1b" not in done.stderr and len(done.stderr.splitlines()) == 1
    assert not list(tries.folder.rglob("*.tmp"))


def catalogue(tries):
    """Checks that `frost effects` prints a line per effect, and the details of a named effect."""
    lines = tries.run("effects").stdout.splitlines()
    count = len(tries.run("effects", "--json").stdout.splitlines())
    assert sum(line.startswith("  ") for line in lines) == count and len(lines) < count + 12, len(lines)
    told = tries.run("effects", "tilt-shift").stdout
    assert "--falloff" in told and "GPUImage" in told and max(map(len, told.splitlines())) <= 80, told
    tries.refused(2, "did you mean tilt-shift?", "effects", "tilt-shif")


def help_width(tries):
    """Checks that help texts fit a terminal of 80 columns."""
    for words in ([], ["blur"], ["effect"], ["effect", "image-effects"], ["effects"], ["plan"], ["compare"], ["check"], ["bench"],
                  ["devices"], ["doctor"], ["completions"], ["reference"]):
        told = tries.run(*words, "--help").stdout.splitlines()
        # The lines of examples may be wider, because they are meant to be copied.
        wide = [line for line in told[:told.index("examples:") if "examples:" in told else None] if len(line) > 80]
        assert not wide, (words, wide)


def lines_together(tries):
    """Checks that with --verbose the lines about a picture stay together, although several pictures are processed at the
    same time."""
    for index in range(24):
        (tries.folder / f"many-{index}.png").write_bytes((tries.folder / "photo.png").read_bytes())
    done = tries.run("blur", *[f"many-{i}.png" for i in range(24)], "-o", "many/", "--sigma", "2", "-v", "--jobs", "8", "--threads", "2")
    lines = [line for line in done.stderr.splitlines() if not line.endswith("a second)")]
    assert len(lines) == 24 * 4, len(lines)
    for first in range(0, len(lines), 4):
        assert " -> " in lines[first] and all(line.startswith("  ") for line in lines[first + 1:first + 4]), lines[first:first + 4]


def inapplicable(tries):
    """Checks that an option of another command is refused. The message must say that the option does not apply to this
    command."""
    for words in (("compare", "photo.png", "photo.png", "--threads", "2"), ("plan", "--size", "9x9", "--sigma", "2", "--threads", "2"),
                  ("devices", "--backend", "cpu"), ("plan", "--size", "9x9", "--sigma", "2", "--force")):
        tries.refused(2, f"{[word for word in words if word.startswith('--')][-1]} does not apply to this command", *words)
    # Without --backend cpu, this call would end with exit code 5, because there is no GPU.
    nothing = {**os.environ, "__EGL_VENDOR_LIBRARY_FILENAMES": "/nonexistent"}
    done = tries.run("check", "photo.png", "--sigma", "3", "--backend", "cpu", env=nothing)
    assert done.returncode == 0 and not done.stderr and len(done.stdout.splitlines()) == 1, done


def radii(tries):
    """Checks that sigma grows steadily with the radius of the effect image-effects. Presets and box kernels must keep the
    rounding of the original system."""
    def sigma(*words):
        told = tries.run("plan", "--size", "640x480", "--effect", *words, "--json")
        return json.loads(told.stdout)["sigma"]
    steps = [sigma("image-effects", "--radius", f"{radius / 10}") for radius in range(190, 211)]
    rises = np.diff(steps)
    assert rises.min() > 0 and rises.max() < 1.01 * rises.min(), steps
    assert abs(sigma("extra-light") - 19.4936) < 1e-3
    assert "sigma 19.4936" in tries.run("plan", "--size", "640x480", "--effect", "extra-light").stdout
    widths = [tries.run("plan", "--size", "640x480", "--effect", "image-effects", "--kernel", "box3", "--radius", radius).stdout
              for radius in ("19.9", "20", "20.1")]
    assert widths[1] == widths[2] != widths[0], widths


def interlaced(pixels):
    """Returns a PNG file of RGB pixels in the seven passes of Adam7."""
    raw = b""
    for x, y, across, down in ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)):
        raw += b"".join(b"\0" + row.tobytes() for row in pixels[y::down, x::across])
    height, width = pixels.shape[:2]
    file = b"\x89PNG\r\n\x1a\n"
    for kind, data in ((b"IHDR", width.to_bytes(4, "big") + height.to_bytes(4, "big") + b"\x08\x02\0\0\x01"),
                       (b"IDAT", zlib.compress(raw)), (b"IEND", b"")):
        file += len(data).to_bytes(4, "big") + kind + data + zlib.crc32(kind + data).to_bytes(4, "big")
    return file


def faults(tries):
    """Checks that --fail-on decides whether faults of a file are errors or warnings. Pixels that are missing in the file
    must become grey."""
    Image.fromarray(tries.photo).save(tries.folder / "good.jpg", quality=90)
    good = (tries.folder / "good.jpg").read_bytes()
    # The stray bytes are placed before a restart marker. They follow the last coefficient of the interval that this marker
    # ends.
    import cv2
    marked = cv2.imencode(".jpg", tries.photo, [cv2.IMWRITE_JPEG_RST_INTERVAL, 8])[1].tobytes()
    place = marked.index(b"\xff\xd3")
    (tries.folder / "stray.jpg").write_bytes(marked[:place] + b"\x00\x00\x00\x00" + marked[place:])
    (tries.folder / "marked.jpg").write_bytes(marked)
    (tries.folder / "cut.jpg").write_bytes(good[:len(good) // 2])
    png = (tries.folder / "photo.png").read_bytes()
    (tries.folder / "cut.png").write_bytes(png[:len(png) // 2])
    middle = len(png) // 2
    (tries.folder / "bad.png").write_bytes(png[:middle] + bytes([png[middle] ^ 255]) + png[middle + 1:])
    smooth = np.add.outer(np.arange(200), np.arange(320))[..., None] // 4 + np.array((20, 60, 100))
    Image.fromarray(smooth.astype("u1")).save(tries.folder / "good.webp", quality=95)
    webp = (tries.folder / "good.webp").read_bytes()
    Image.fromarray(smooth.astype("u1")).save(tries.folder / "smooth.jpg", quality=95)
    jpeg = (tries.folder / "smooth.jpg").read_bytes()
    (tries.folder / "cutsmooth.jpg").write_bytes(jpeg[:len(jpeg) * 6 // 10])
    (tries.folder / "cut.webp").write_bytes(webp[:len(webp) // 2])
    Image.fromarray(tries.photo).save(tries.folder / "good.ppm")
    (tries.folder / "cut.ppm").write_bytes((tries.folder / "good.ppm").read_bytes()[:100_000])
    # PFM stores the last row of the picture first.
    rows = np.float32(tries.photo[::-1] / 255).tobytes()
    (tries.folder / "cut.pfm").write_bytes(b"PF\n320 200\n-1\n" + rows[:len(rows) // 2])
    (tries.folder / "cutlaced.png").write_bytes((laced := interlaced(tries.photo))[:len(laced) * 55 // 100])
    for name in ("jxl", "avif"):
        assert tries.run("blur", "photo.png", "-o", f"good.{name}", "--sigma", "0").returncode == 0
        whole = (tries.folder / f"good.{name}").read_bytes()
        (tries.folder / f"cut.{name}").write_bytes(whole[:len(whole) // 2])

    def outcome(name, level, folder="faults"):
        done = tries.run("blur", name, "-o", f"{folder}/{Path(name).stem}-{level}.png", "--sigma", "0", "--fail-on", level, "--force",
                         "--depth", "16")
        warned = "frost: warning:" in done.stderr
        assert done.returncode in (0, 3) and (done.returncode == 0) == warned, (name, level, done)
        return done.returncode

    (tries.folder / "faults").mkdir()
    expected = {"stray.jpg": (0, 0, 0, 3), "cut.jpg": (0, 3, 3, 3), "cut.png": (0, 3, 3, 3), "bad.png": (0, 0, 3, 3),
                "cut.webp": (0, 3, 3, 3), "cut.ppm": (0, 3, 3, 3), "cut.pfm": (0, 3, 3, 3),
                "cutlaced.png": (0, 3, 3, 3), "cut.jxl": (0, 3, 3, 3), "cut.avif": (3, 3, 3, 3)}
    for name, codes in expected.items():
        got = tuple(outcome(name, level) for level in ("none", "truncated", "error", "warning"))
        assert got == codes, (name, got)
    # In spite of the stray bytes, the pixels of this file are correct.
    assert tries.run("blur", "marked.jpg", "-o", "marked.png", "--sigma", "0").returncode == 0
    assert (tries.pixels("faults/stray-error.png") == tries.pixels("marked.png")).all()
    # The number is the largest allowed difference between the first row of the output and that of the picture. Lossy
    # formats need such a tolerance. The last check makes sure that a grey row would not pass.
    for name, picture, limit in [("cut.png", tries.photo, 0), ("cut.ppm", tries.photo, 0), ("bad.png", tries.photo, 0),
                                 ("cutlaced.png", tries.photo, 0), ("cut.pfm", tries.photo[::-1], 1),
                                 ("cut.webp", smooth, 12), ("cutsmooth.jpg", smooth, 12)]:
        (tries.folder / "one").mkdir(exist_ok=True)
        done = tries.run("blur", name, "-o", "one/out.png", "--sigma", "0", "--fail-on", "none", "--force", "--depth", "8")
        assert done.returncode == 0, done.stderr
        pixels = tries.pixels("one/out.png").astype(int)[::-1 if name.endswith("pfm") else 1]
        assert abs(pixels[-1] - 128).max() <= 1, (name, "the end is not grey")
        assert abs(pixels[0] - picture[0]).max() <= limit, (name, "the beginning is not the picture")
        assert abs(pixels[0] - 128).max() > limit


def terminals(tries):
    """Checks that a picture is written to a terminal only with --force."""
    words = [tries.frost, "blur", "photo.png", "-o", "-", "--sigma", "2"]
    for more, code in ([], 2), (["--force"], 0):
        terminal, end = pty.openpty()
        process = subprocess.Popen(words + more, cwd=tries.folder, stdin=subprocess.DEVNULL, stdout=end,
                                   stderr=subprocess.PIPE)
        os.close(end)
        shown = b""
        while True:
            try:
                part = os.read(terminal, 1 << 16)
            except OSError:     # EIO: the other end is closed
                break
            if not part:
                break
            shown += part
        errors = process.stderr.read().decode()
        assert process.wait(60) == code, errors
        os.close(terminal)
        assert (b"PNG" in shown) == (code == 0), shown[:80]
        assert code == 0 or "standard output is a terminal" in errors, errors
    piped = tries.run("blur", "photo.png", "-o", "-", "--sigma", "2", text=False)
    assert piped.returncode == 0 and piped.stdout.startswith(b"\x89PNG")


def cropped(tries):
    """Checks a rectangle that lies partly outside the picture. It is cropped, and a warning says so, also in JSON."""
    words = ["blur", "photo.png", "-o", "crop.png", "--sigma", "3", "--rect", "10,10,5000,10"]
    done = tries.run(*words)
    assert done.returncode == 0 and "10,10,5000,10 was cropped to the picture: 10,10,310,10" in done.stderr, done.stderr
    told = json.loads(tries.run(*words, "--json").stdout)
    assert "10,10,310,10" in told["warning"], told
    inside = tries.run("blur", "photo.png", "-o", "crop.png", "--sigma", "3", "--rect", "10,10,20,10")
    assert "warning" not in inside.stderr, inside.stderr


def lines(tries):
    """Checks that a picture gives one short line, and that --verbose and --json give the details."""
    done = tries.run("blur", "photo.png", "-o", "soft.png", "--sigma", "3", "--backend", "cpu")
    assert re.fullmatch(r"photo\.png -> soft\.png  320x200  CPU  \d+ ms\n", done.stderr), done.stderr
    more = tries.run("blur", "photo.png", "-o", "soft.png", "--sigma", "3", "--backend", "cpu", "--verbose").stderr
    assert "as requested" in more and "steps before rounding" in more and "decode" in more, more
    gpu = tries.run("blur", "photo.png", "-o", "soft.png", "--sigma", "3", "--backend", "gpu")
    assert gpu.returncode == 5 or ("software GPU" in gpu.stderr) == ("llvmpipe" in gpu.stderr), gpu.stderr


def devices(tries):
    """Checks that `--device hardware` requires a hardware GPU and does not accept a software renderer."""
    found = [json.loads(line) for line in tries.run("devices", "--json").stdout.splitlines()]
    hardware = [device for device in found if device["status"] == "usable" and not device.get("software")]
    words = ["blur", "photo.png", "-o", "soft.png", "--sigma", "3"]
    for done in (tries.run(*words, "--device", "hardware"),
                 tries.run(*words, "--backend", "gpu", env=os.environ | {"FROST_DEVICE": "hardware"})):
        assert done.returncode == (0 if hardware else 5), (done.returncode, done.stderr)
    assert tries.run("doctor", "--device", "hardware").returncode == (0 if hardware else 5)


def hints(tries):
    """Checks the hints in error messages. For a misspelled name, they give the most similar names; for a word of another
    tool, they give the word that Frost uses."""
    tries.refused(2, "material-thin-light or material-thin-dark", "effect", "materal-thin", "photo.png", "-o", "x.png")
    tries.refused(2, "did you mean light?", "bench", "--effect", "ligt")
    tries.refused(2, "unknown effect lite; 'frost effects' lists them", "bench", "--effect", "lite")
    tries.refused(2, "use --sigma", "blur", "--radius", "3", "photo.png", "-o", "x.png")
    tries.refused(2, "use 'frost blur --sigma S'", "effect", "gaussian", "photo.png", "-o", "x.png")


def wide_profile():
    """Returns a copy of the sRGB profile with red and green exchanged. It is valid, and its colours are clearly different
    from sRGB's."""
    data = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    head, tags = data[:132], data[132:]
    for a, b in ((b"rXYZ", b"gXYZ"), (b"rTRC", b"gTRC")):
        tags = tags.replace(a, b"____", 1).replace(b, a, 1).replace(b"____", b, 1)
    return head + tags


def content_profiles(tries):
    """Checks that content is converted from its own colour space to the colour space of the picture below it."""
    rgb = np.zeros((60, 60, 3), "u1")
    Image.fromarray(rgb).save(tries.folder / "black.png")
    swapped = wide_profile()
    label = np.full((60, 60, 3), (200, 40, 90), "u1")
    Image.fromarray(label).save(tries.folder / "plain.png")
    Image.fromarray(label).save(tries.folder / "label.png", icc_profile=swapped)
    words = ["effect", "box", "black.png", "-o", "out.png", "--no-dither", "--force", "--content"]
    assert tries.run(*words, "plain.png").returncode == 0
    assert (tries.pixels("out.png") == (200, 40, 90)).all()
    assert tries.run(*words, "label.png").returncode == 0
    expected = np.array(ImageCms.profileToProfile(
        Image.fromarray(label), ImageCms.ImageCmsProfile(BytesIO(swapped)), ImageCms.createProfile("sRGB"), 1))
    got = tries.pixels("out.png").astype(int)
    assert np.abs(got - expected).max() <= 1, (got[0, 0], expected[0, 0])
    assert np.abs(expected[0, 0].astype(int) - (200, 40, 90)).max() > 5, "the profile changes nothing"
    # If the picture below has the same profile, the content is not converted.
    Image.fromarray(rgb).save(tries.folder / "black.png", icc_profile=swapped)
    assert tries.run(*words, "label.png").returncode == 0
    assert (tries.pixels("out.png") == (200, 40, 90)).all()


def adjustments(tries):
    """Checks that `frost blur` and every effect accept a tint and a saturation, as the effect image-effects does."""
    for words in (["blur", "photo.png", "--sigma", "3"], ["effect", "disc", "photo.png", "--radius", "3", "--no-dither"]):
        done = tries.run(*words, "-o", "grey.png", "--force", "--saturation", "0")
        assert done.returncode == 0, done.stderr
        pixels = tries.pixels("grey.png").astype(int)
        assert np.ptp(pixels, axis=2).max() <= 1, "saturation 0 is not grey"
        assert tries.run(*words, "-o", "plain.png", "--force").returncode == 0
        assert tries.run(*words, "-o", "half.png", "--force", "--tint", "red,0.5").returncode == 0
        expected = tries.pixels("plain.png") * 0.5 + np.array((127.5, 0, 0))
        assert np.abs(tries.pixels("half.png") - expected).max() <= 1.01
    for line in tries.run("effects", "--json").stdout.splitlines():
        names = [parameter["name"] for parameter in json.loads(line)["parameters"]]
        assert "tint" in names and "saturation" in names and len(names) == len(set(names)), line


def bars(tries):
    """Checks that a redaction can be a plain bar, which reaches no pixel outside its rectangle."""
    assert tries.run("effect", "redact", "photo.png", "-o", "out.png", "--force", "--no-dither", "--rect", "11,7,203,150",
                     "--fill", "navy").returncode == 0
    out = tries.pixels("out.png")
    assert (out[7:157, 11:214] == (0, 0, 128)).all()
    out[7:157, 11:214] = tries.photo[7:157, 11:214]
    assert (out == tries.photo).all()


def times(tries):
    """Checks that the output keeps the input's time of modification if --keep asks for it."""
    os.utime(tries.folder / "photo.png", ns=(10**18 + 5, 10**18 + 7))
    words = ["blur", "photo.png", "-o", "soft.png", "--force", "--sigma", "2"]
    assert tries.run(*words).returncode == 0
    assert (tries.folder / "soft.png").stat().st_mtime_ns != 10**18 + 7
    for keep in ("times", "color,times", "times,all"):
        assert tries.run(*words, "--keep", keep).returncode == 0
        found = (tries.folder / "soft.png").stat()
        assert found.st_mtime_ns == 10**18 + 7, found
    tries.refused(2, "color and all cannot be combined", *words, "--keep", "color,all")
    tries.refused(2, "--keep times applies to files", *words[:2], "-o", "-", "--sigma", "2", "--keep", "times")


def baselines(tries):
    """Checks that a benchmark can be compared with a saved benchmark."""
    words = ["bench", "--size", "64x64,96x64", "--sigma", "2", "--runs", "1", "--backend", "cpu"]
    saved = tries.run(*words, "--json").stdout
    assert len(saved.splitlines()) == 2, saved
    (tries.folder / "before.json").write_text(saved.replace('"ratio":', '"other":1,"ratio":'))
    done = tries.run(*words, "--baseline", "before.json")
    assert done.returncode == 0 and done.stdout.count("times the baseline") == 2, (done.stdout, done.stderr)
    assert "geometric mean of 2" in done.stderr, done.stderr
    line = json.loads(tries.run(*words[:2], "64x64", *words[3:], "--baseline", "before.json", "--json").stdout)
    old = json.loads(saved.splitlines()[0])
    assert abs(line["baseline_ratio"] - line["ratio"] / old["ratio"]) < 0.002 * line["baseline_ratio"] + 0.001, line
    other = tries.run("bench", "--size", "65x64", *words[3:], "--baseline", "before.json")
    assert other.returncode == 0 and "has none of these measurements" in other.stderr, other.stderr
    (tries.folder / "junk.json").write_text("{}")
    tries.refused(2, "not the output of 'frost bench --json'", *words, "--baseline", "junk.json")
    tries.refused(3, "cannot be read", *words, "--baseline", "none.json")


def transparent_edges(tries):
    """Tests an effect that makes the edges transparent. Its help must suggest a background colour. A background must also
    remove the transparency if the output format supports transparency."""
    told = " ".join(tries.run("effect", "ci-gaussian", "--help").stdout.split())
    assert "use --background COLOR" in told, told
    words = ["effect", "ci-gaussian", "photo.png", "-o", "out.png", "--force", "--no-dither"]
    assert tries.run(*words).returncode == 0
    clear = Image.open(tries.folder / "out.png")
    assert clear.mode == "RGBA" and np.array(clear)[0, 0, 3] < 10, clear.mode
    assert tries.run(*words, "--background", "white").returncode == 0
    flat = Image.open(tries.folder / "out.png")
    assert flat.mode == "RGB" and np.array(flat)[0, 0].min() > 245, flat.mode
    alpha = np.array(clear)[..., 3:] / 255
    expected = np.array(clear)[..., :3] * alpha + 255 * (1 - alpha)
    # Colour and alpha of the transparent picture are rounded, by half a step each, and so is the flat picture, which is
    # composited before it is rounded.
    assert np.abs(np.array(flat) - expected).max() <= 1.5
    formats = (ROOT / "docs" / "Formats.md").read_text()
    assert "ci-gaussian" in formats and "alpha" in formats


def instruction_sets(tries):
    """Checks that FROST_KERNELS chooses the kernels, that results do not depend on it, and that wrong names are refused."""
    def blurred(name):
        done = tries.run("blur", "photo.png", "-o", "out.png", "--backend", "cpu", "--sigma", "2",
                         env={**os.environ, "FROST_KERNELS": name})
        return done, (tries.folder / "out.png").read_bytes() if done.returncode == 0 else None

    fastest = blurred("")[1]
    assert blurred("baseline")[1] == fastest, "the baseline kernels make other bytes"
    done, _ = blurred("avx1024")
    assert done.returncode == 2 and "FROST_KERNELS cannot be avx1024" in done.stderr, (done.returncode, done.stderr)
    told = tries.run("doctor", env={**os.environ, "FROST_KERNELS": "baseline"}).stdout
    assert "baseline kernels" in told, told


def main():
    cases = Cases("usage", __doc__)
    with tempfile.TemporaryDirectory(prefix="frost-usage-") as folder:
        tries = Tries(cases.frost, folder)
        for name, case in (
                ("colours", colors), ("limits of each other", limits_of_each_other), ("codec libraries", codecs),
                ("missing GPU", missing_gpu), ("file names", names), ("catalogue", catalogue), ("width of help", help_width),
                ("lines together", lines_together), ("inapplicable options", inapplicable), ("radii", radii),
                ("faults", faults), ("terminals", terminals), ("cropped rectangles", cropped), ("lines", lines),
                ("devices", devices), ("hints", hints), ("profiles of content", content_profiles),
                ("adjustments", adjustments), ("bars", bars), ("timestamps", times), ("baselines", baselines),
                ("instruction sets", instruction_sets), ("transparent edges", transparent_edges), ("pipes", pipes)):
            cases.run(name, case, tries)
    cases.finish()


main()
