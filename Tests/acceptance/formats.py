#!/usr/bin/env python3
"""Tests how the built `frost` reads and writes picture files, against independent decoders.

    formats.py --frost PATH [--junit FILE]

  suite      PngSuite and the JPEGs of Go's sources, from Debian: valid files are read as Pillow and OpenCV read them,
             and broken files are refused with exit code 3
  written    every format that frost writes, read by Pillow and OpenCV; also profiles, EXIF and quality
  bombs      small files that declare or unpack to huge pictures: refused with 3 or 4, in little time and memory

The script exits with 1 if a check fails. It needs requirements.txt; Tools/check prepares that in .venv. The suite is
downloaded once with apt-get to .build/acceptance; without a network it counts as skipped.
"""

import io
import struct
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

sys.dont_write_bytecode = True      # writes no .pyc files into the checkout

import cv2
import numpy as np
from PIL import Image, ImageCms

from launch import launch
from report import Cases, Skipped

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = "golang-1.19-src"     # contains PngSuite and JPEGs of every kind as test data
PROFILES = "libgs-common"       # contains a CMYK profile
MEMORY = 64 << 20               # largest memory of a process that refuses a bomb
SECONDS = 0.05                  # largest CPU time, user and system, of such a process: the best of three
FORMATS = ("png", "jpg", "webp", "qoi", "ppm", "pgm", "pam", "pfm")


def check(group, name, failure, skipped=False):
    check.cases.add(f"{group} {name}", Skipped(failure) if skipped else failure or None)


class Frost:
    def __init__(self, path):
        self.path = path

    def run(self, *words, cwd=None, data=None):
        return subprocess.run([self.path, *words], cwd=cwd, input=data, capture_output=True, timeout=60)

    def pixels(self, path, folder):
        """Returns the pixels that frost reads from the file, as an array. If frost fails, returns the ended process
        instead."""
        out = Path(folder) / "pixels.pam"
        done = self.run("blur", str(path), "-o", str(out), "--sigma", "0", "-q")
        return pam(out.read_bytes()) if done.returncode == 0 else done


def pam(data):
    header, raster = data.split(b"ENDHDR\n", 1)
    fields = dict(line.split(None, 1) for line in header.decode().splitlines()[1:])
    wide = int(fields["MAXVAL"]) > 255
    array = np.frombuffer(raster, ">u2" if wide else "u1")
    return array.reshape(int(fields["HEIGHT"]), int(fields["WIDTH"]), int(fields["DEPTH"])).astype("u2" if wide else "u1")


def reference(data):
    """Returns the pixels that OpenCV reads from the file, as RGB(A) or grey with 8 or 16 bits; None if OpenCV cannot read
    it."""
    array = cv2.imdecode(np.frombuffer(data, "u1"), cv2.IMREAD_UNCHANGED)
    if array is None:
        return None
    if array.ndim == 2:
        return array[:, :, None]
    return array[:, :, [2, 1, 0, 3][: array.shape[2]]]


def same(found, expected, tolerance=0):
    """Describes the difference of two arrays as text; returns None if they are equal within the tolerance. A grey array
    equals an RGB array with three equal channels, and an array without alpha equals an opaque array."""
    if not isinstance(found, np.ndarray):
        return f"exit {found.returncode}: {found.stderr.decode().strip()}"
    def rgba(array):
        if array.shape[2] == 1:
            array = array.repeat(3, 2)
        elif array.shape[2] == 2:
            array = np.dstack([array[:, :, :1].repeat(3, 2), array[:, :, 1:]])
        if array.shape[2] == 3:
            full = np.full(array.shape[:2] + (1,), np.iinfo(array.dtype).max, array.dtype)
            array = np.dstack([array, full])
        return array
    a, b = rgba(found), rgba(expected)
    if a.dtype != b.dtype or a.shape != b.shape:
        return f"{a.dtype}{a.shape} instead of {b.dtype}{b.shape}"
    worst = int(np.abs(a.astype(int) - b.astype(int)).max())
    return f"differs by {worst}" if worst > tolerance else None


def keyed(data, array):
    """Adds the transparency of grey PNG files, which OpenCV ignores."""
    depth, color = data[24:26]
    at = data.find(b"tRNS")
    if array is None or color != 0 or at < 0 or array.shape[2] != 1:
        return array
    full = np.iinfo(array.dtype).max
    key = struct.unpack(">H", data[at + 4:at + 6])[0] * full // (2 ** depth - 1)
    return np.dstack([array, np.where(array == key, 0, full).astype(array.dtype)])


def download(package):
    """Returns the folder that holds a package's files and None. If the package is not available, returns None and the
    reason."""
    folder = ROOT / ".build" / "acceptance" / package
    if not folder.exists():
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent) as scratch:
            got = subprocess.run(["apt-get", "download", "-qq", package], cwd=scratch, capture_output=True, text=True)
            files = list(Path(scratch).glob("*.deb"))
            if not files:
                return None, got.stderr.strip() or "apt-get download failed"
            subprocess.run(["dpkg-deb", "-x", files[0], Path(scratch) / "x"], check=True)
            (Path(scratch) / "x").rename(folder)
    return folder, None


# --- The PNG and JPEG suite --------------------------------------------------------------------------

def broken(folder):
    """Recreates PngSuite's fourteen broken files, which the package omits, from its valid files."""
    def whole(name):
        return bytearray(next(folder.rglob(f"testdata/**/{name}.png")).read_bytes())

    def header(name, at, value):
        data = whole(name)
        data[at] = value
        data[29:33] = struct.pack(">I", zlib.crc32(data[12:29]))
        return data

    for letter, at in (("1", 0), ("2", 1), ("4", 3), ("7", 6)):
        data = whole("basn0g01")
        data[at] ^= 0x80 if at == 0 else 0x20
        yield f"xs{letter}n0g01", data
    grey = whole("basn0g04")
    yield "xcrn0g04", grey.replace(b"\n", b"\r\n")
    yield "xlfn0g04", grey.replace(b"\r\n", b"\n")
    data = whole("basn0g08")
    data[29] ^= 0xFF
    yield "xhdn0g08", data
    yield "xc1n0g08", header("basn0g08", 25, 1)
    yield "xc9n2c08", header("basn2c08", 25, 9)
    for depth in (0, 3, 99):
        yield f"xd{depth % 90}n2c08", header("basn2c08", 24, depth)
    data = whole("basn0g01")
    at = data.index(b"IDAT") - 4
    size, = struct.unpack(">I", data[at:at + 4])
    yield "xdtn0g01", data[:at] + data[at + 12 + size:]
    data[at + 8 + size] ^= 1
    yield "xcsn0g01", data


def suite(frost, scratch):
    folder, reason = download(PACKAGE)
    if not folder:
        check("suite", PACKAGE, reason, skipped=True)
        return
    for path in sorted(folder.rglob("testdata/**/*.png")):
        data = path.read_bytes()
        found = frost.pixels(path, scratch)
        # If a palette lacks a colour, libpng treats the colour as black. So does frost.
        if path.name.startswith("invalid") and path.name != "invalid-palette.png":
            failure = None if getattr(found, "returncode", 0) == 3 else "was not refused with 3"
            check("suite", path.name, failure)
            continue
        expected = keyed(data, reference(data))
        if expected is not None:
            check("suite", path.name, same(found, expected))
    for name, data in broken(folder):
        path = Path(scratch) / "broken.png"
        path.write_bytes(data)
        check("suite", name, None if getattr(frost.pixels(path, scratch), "returncode", 0) == 3 else "was not refused with 3")
    for path in sorted(set(folder.rglob("testdata/*.jp*g"))):
        data = path.read_bytes()
        picture = Image.open(io.BytesIO(data))
        if picture.mode == "CMYK":
            out = Path(scratch) / "inks.jpg"
            done = frost.run("blur", str(path), "-o", str(out), "--sigma", "0", "--quality", "100", "-q")
            failure = f"exit {done.returncode}" if done.returncode else None
            if not failure:
                a, b = (np.asarray(p).astype(int) for p in (Image.open(out), picture))
                failure = f"inks differ by {np.abs(a - b).max()}" if np.abs(a - b).max() > 8 else None
            check("suite", path.name, failure)
            continue
        # Other versions of the same decoder round differently.
        check("suite", path.name, same(frost.pixels(path, scratch), reference(data), 2))
        for part in (0.3, 0.7, 0.95):
            cut = Path(scratch) / "cut.jpg"
            cut.write_bytes(data[: int(len(data) * part)])
            check("suite", f"{path.name} cut", None if getattr(frost.pixels(cut, scratch), "returncode", 0) == 3 else "was read")


# --- Files that frost writes -------------------------------------------------------------------------

def photograph():
    photo = cv2.imread(str(ROOT / "Samples" / "photo.png"), cv2.IMREAD_COLOR)
    return np.ascontiguousarray(photo[100:340, 200:521])


def written(frost, scratch):
    scratch = Path(scratch)
    photo = photograph()
    alpha = np.dstack([photo, np.tile(np.arange(photo.shape[1], dtype="u1"), (photo.shape[0], 1))])
    sources = {"grey": photo[:, :, 1], "rgb": photo, "rgba": alpha,
               "rgb16": photo.astype("u2") * 257 + 3, "rgba16": alpha.astype("u2") * 257}
    holds = {"jpg": ("grey", "rgb"), "webp": ("grey", "rgb", "rgba"), "qoi": ("rgb", "rgba"), "ppm": ("grey", "rgb", "rgb16"),
             "pgm": ("grey",), "pam": tuple(sources), "png": tuple(sources), "pfm": ("grey", "rgb")}
    for kind, array in sources.items():
        source = scratch / f"{kind}.png"
        cv2.imwrite(str(source), array)
        for suffix in FORMATS:
            out = scratch / f"out.{suffix}"
            out.unlink(missing_ok=True)
            more = ["--lossless"] if suffix == "webp" else ["--quality", "98"] if suffix == "jpg" else []
            done = frost.run("blur", str(source), "-o", str(out), "--sigma", "0", "-q", "--strict", *more)
            name = f"{kind} as {suffix}"
            if kind not in holds[suffix] and not (suffix == "pfm" and kind == "rgb16") and not (suffix == "qoi" and kind == "grey"):
                check("written", name, None if done.returncode == 6 and not out.exists() else "was not refused")
                continue
            if done.returncode:
                check("written", name, done.stderr.decode())
            elif suffix == "qoi":
                found = frost.pixels(out, scratch)
                check("written", name, same(np.asarray(Image.open(out)) if "QOI" in Image.OPEN else found, reference(source.read_bytes())))
            elif suffix == "pam":
                check("written", name, same(pam(out.read_bytes()), reference(source.read_bytes())))
            elif suffix == "pfm":
                found = reference(out.read_bytes())
                expected = reference(source.read_bytes())
                worst = np.abs(found - expected / np.iinfo(expected.dtype).max).max()
                check("written", name, f"differs by {worst}" if worst > 1e-6 else None)
            else:
                check("written", name, same(reference(out.read_bytes()), reference(source.read_bytes()), 12 if suffix == "jpg" else 0))

    # Pillow writes these pictures with a profile and an orientation.
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    picture = Image.fromarray(photo[:, :, ::-1])
    for value in range(1, 9):
        exif = Image.Exif()
        exif[0x0112] = value
        for suffix in ("jpg", "webp"):
            source, out = scratch / f"turned.{suffix}", scratch / "upright.png"
            more = {"lossless": True} if suffix == "webp" else {"quality": 95}
            picture.save(source, exif=exif, icc_profile=profile, **more)
            done = frost.run("blur", str(source), "-o", str(out), "--sigma", "0", "-q", "--keep", "all")
            failure = done.stderr.decode() if done.returncode else None
            if not failure:
                from PIL import ImageOps
                expected = np.asarray(ImageOps.exif_transpose(Image.open(source)).convert("RGB"))
                result = Image.open(out)
                failure = same(np.asarray(result.convert("RGB")), expected, 2)
                if result.info.get("icc_profile") != profile:
                    failure = "the profile is gone"
                elif result.getexif().get(0x0112, 1) != 1:
                    failure = "the orientation is still stated"
            check("written", f"orientation {value} of {suffix}", failure)
    for space, flag in (("sRGB", 0), ("linear", 1)):
        source, out = scratch / "in.qoi", scratch / "out.qoi"
        picture.save(source, colorspace=space)
        done = frost.run("blur", str(source), "-o", str(out), "--sigma", "0")
        kept = b"warning" not in done.stderr and source.read_bytes()[13] == out.read_bytes()[13] == flag
        check("written", f"{space} QOI", None if kept else done.stderr.decode())
    animations(frost, scratch, picture)
    inks(frost, scratch, picture)


def animations(frost, scratch, picture):
    second = Image.eval(picture, lambda value: 255 - value)
    for suffix, more in (("webp", {"lossless": True}), ("png", {}), ("gif", {})):
        source, out = scratch / f"animated.{suffix}", scratch / "frame.png"
        picture.save(source, save_all=True, append_images=[second], duration=100, **more)
        done = frost.run("blur", str(source), "-o", str(out), "--sigma", "0", "-q")
        check("written", f"animated {suffix}", None if done.returncode == 3 and not out.exists() else "was not refused")
        if suffix != "gif":
            done = frost.run("blur", str(source), "-o", str(out), "--sigma", "0", "-q", "--first-frame")
            failure = done.stderr.decode() or same(reference(out.read_bytes()), np.asarray(picture))
            check("written", f"first frame of {suffix}", failure)
            out.unlink(missing_ok=True)


def inks(frost, scratch, picture):
    """Tests the conversion of CMYK to PNG. Without a profile, frost uses a plain formula. With a profile, the result must
    be the same as Pillow's. Also tests that a CMYK picture with a profile stays CMYK as JPEG."""
    source, out = scratch / "inks.jpg", scratch / "inks.png"
    picture.convert("CMYK").save(source, quality=95)
    done = frost.run("blur", str(source), "-o", str(out), "--sigma", "0")
    check("written", "CMYK as PNG", None if b"without a usable profile" in done.stderr else done.stderr.decode())
    folder, reason = download(PROFILES)
    found = list(folder.rglob("default_cmyk.icc")) if folder else []
    if not found:
        check("written", "CMYK by a profile", reason or "no profile", skipped=True)
        return
    profile = found[0].read_bytes()
    stored = Image.open(source)
    stored.save(source, quality=95, icc_profile=profile)
    stored = Image.open(source)
    expected = ImageCms.profileToProfile(
        stored, ImageCms.ImageCmsProfile(io.BytesIO(profile)), ImageCms.createProfile("sRGB"),
        renderingIntent=ImageCms.Intent.RELATIVE_COLORIMETRIC, outputMode="RGB",
        flags=ImageCms.Flags.BLACKPOINTCOMPENSATION)
    done = frost.run("blur", str(source), "-o", str(out), "--sigma", "0", "-q")
    check("written", "CMYK by a profile", done.stderr.decode().replace("frost: ", "") if done.returncode else
          same(reference(out.read_bytes()), np.asarray(expected), 2))
    kept = scratch / "kept.jpg"
    done = frost.run("blur", str(source), "-o", str(kept), "--sigma", "3", "-q")
    result = Image.open(kept)
    check("written", "CMYK as JPEG", None if result.mode == "CMYK" and result.info.get("icc_profile") == profile else
          f"{result.mode} without its profile")


# --- Decompression bombs -----------------------------------------------------------------------------

def chunk(name, content):
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))


def png(width, height, *chunks, data=b"", kind=(8, 2, 0, 0, 0)):
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, *kind))
    return b"\x89PNG\r\n\x1a\n" + header + b"".join(chunks) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


def jpeg(width, height, frame=0xC0):
    tables = b"\xff\xdb\x00\x43\x00" + b"\x01" * 64
    frame = b"\xff" + bytes([frame]) + struct.pack(">HBHHB", 17, 8, height, width, 3) + b"\1\x11\0\2\x11\0\3\x11\0"
    return b"\xff\xd8" + tables + frame + b"\xff\xda\0\x0c\3\1\0\2\0\3\0\0\x3f\0"


def webp_of_xmp(size):
    """A WebP of 100x100 pixels of a single colour, cut after the header of a chunk of `size` bytes of XMP."""
    picture = bytes.fromhex("2f63c0180007508a2ad4a3ff8188e87f0000")
    content = (b"WEBPVP8X" + struct.pack("<II", 10, 4) + struct.pack("<I", 99)[:3] + struct.pack("<I", 99)[:3]
               + b"VP8L" + struct.pack("<I", len(picture)) + picture + b"XMP " + struct.pack("<I", size))
    return b"RIFF" + struct.pack("<I", len(content) + size) + content


def bombs(frost, scratch):
    profile = b"p\0\0" + zlib.compress(struct.pack(">I", 60 << 20) + b"\0" * (60 << 20))
    cases = {
        "huge PNG": png(60000, 60000), "PNG without data": png(30000, 30000, data=zlib.compress(b"")),
        "PNG deflate bomb": png(1, 1, data=zlib.compress(b"\0" * (200 << 20))),
        "PNG profile bomb": png(1, 1, chunk(b"iCCP", profile), data=zlib.compress(b"\0" * 4)),
        "PNG of 10,000 texts": png(1, 1, *[chunk(b"tEXt", b"a\0b")] * 10000, data=zlib.compress(b"\0" * 4)),
        "64250x64250 JPEG": jpeg(64250, 64250), "JPEG without data": jpeg(32000, 32000),
        "progressive JPEG without data": jpeg(32000, 32000, 0xC2),
        "arithmetic-coded JPEG without data": jpeg(32000, 32000, 0xC9) + b"\xff\xd9",
        "WebP of a single colour": bytes.fromhex("524946461e000000574542505650384c110000002ffebfff0f07508a2ad4a3ff8188e87f0000"),
        "interlaced RGBA16 PNG": png(12000, 12000, data=bytes(1 << 21), kind=(16, 6, 0, 0, 1)),
        "WebP that claims 300 MB of XMP": webp_of_xmp(300 << 20), "WebP of zeros": b"RIFF\xff\xff\xff\x7fWEBPVP8L" + webp_of_xmp(0)[34:] + bytes(8 << 20),
        "JPEG of 20,000 comments": b"\xff\xd8" + b"\xff\xfe\0\3a" * 20000 + jpeg(8, 8)[2:],
        "huge QOI": b"qoif" + struct.pack(">IIBB", 1 << 31, 1 << 31, 4, 0), "QOI without data": b"qoif" + struct.pack(">IIBB", 32000, 32000, 4, 0),
        "huge PPM": b"P6 99999 99999 255\n", "PPM without data": b"P6 32000 32000 255\n", "PFM without data": b"PF 32000 32000 -1\n",
        "endless comment": b"P5\n#" + b"a" * (8 << 20), "WebP that claims 4 GB": b"RIFF\xff\xff\xff\xfeWEBPVP8X\x0a\0\0\0\0\0\0\0" + b"\xfe\x3f\0" * 2 + b"\0" * 8,
    }
    for name, data in cases.items():
        refuse(frost, scratch, name, data)


def refuse(frost, scratch, name, data):
    """Checks that a file is refused in little time and memory."""
    path = Path(scratch) / "bomb"
    path.write_bytes(data)
    for how in ("file", "pipe"):
        # If the output format could not hold the picture, frost would refuse it before reading its pixels. So the output
        # format for float pictures is PFM.
        to = "pfm" if data.startswith(b"PF") else "png"
        words = [frost.path, "blur", str(path) if how == "file" else "-", "-o", "/dev/null", "--format", to, "--sigma", "1", "-q"]
        runs = []
        for _ in range(3):
            with open(path, "rb") as file:
                runs.append(launch(words, stdin=file, timeout=60))
        code, peak, message = runs[0].code, runs[0].peak, runs[0].stderr
        took = min(run.cpu for run in runs)
        failure = None
        if code not in (3, 4):
            failure = f"exit {code}"
        elif peak > MEMORY:
            failure = f"peak memory {peak >> 20} MiB"
        elif took > SECONDS:
            failure = f"{took * 1000:.0f} ms of the processor"
        print(f"{name} by {how}: exit {code}, {took * 1000:.0f} ms, {peak >> 20} MiB: {message[:100]}", flush=True)
        check("bombs", f"{name} by {how}", failure)


def main():
    cases = Cases("formats", __doc__)
    check.cases, frost = cases, Frost(cases.frost)
    with tempfile.TemporaryDirectory() as scratch:
        bombs(frost, scratch)
        suite(frost, scratch)
        written(frost, scratch)
    cases.finish()


if __name__ == "__main__":
    main()
