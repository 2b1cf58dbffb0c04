#!/usr/bin/env python3
"""Compares the pixels that frost, Pillow and libvips read from every picture of the tests.

    differential.py --frost PATH [--corpus FOLDER] [--only TEXT] [--junit FILE]

The pictures are the files of Tests/fuzz, Samples and docs/images, and small ones of many kinds that Pillow and OpenCV write
here. Many files of Tests/fuzz are damaged. frost must read the same samples from each picture as every program that reads
it, and must read a picture that another program reads. ROWS in differences.py explains all exceptions. A case fails if no row
explains it, or if no picture needs a row. docs/internals/Reliability.md has the same table; `--table` prints it. `--corpus` names a
folder in place of Tests/fuzz, for example the files that Tools/fuzz has found; rows that no picture needs then do not fail.
"""

import logging
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

sys.dont_write_bytecode = True      # writes no .pyc files into the checkout

import cv2
import numpy as np
import pyvips
from PIL import Image, ImageOps

from differences import ROWS, Case, Vips, explain, table, worst
from report import Cases

ROOT = Path(__file__).resolve().parents[2]
FORMATS = ("png", "jpeg", "webp", "qoi", "netpbm", "tiff", "avif", "jxl")
DOCUMENT = ROOT / "docs" / "internals" / "Reliability.md"

# --- Readers: each returns an array of rows, columns and channels, or the text of an error -----------


class Frost:
    name = "Frost"
    words = ["--sigma", "0", "--first-frame", "--keep", "none", "--backend", "cpu", "-q"]

    def __init__(self, path, scratch):
        self.path, self.scratch = path, scratch

    def read(self, path, inks=False):
        """:param inks: whether to read the four inks of a CMYK picture; frost converts them to RGB for a PAM."""
        done, out = self.write(path, "tif" if inks else "pam")
        if done.returncode == 6 and "cannot hold floats" in done.stderr:
            done, out = self.write(path, "tif")
        if done.returncode in (3, 4):
            return done.stderr.strip()
        assert done.returncode == 0, f"exit {done.returncode}: {done.stderr}"
        if out.suffix == ".pam":
            return self.pam(out.read_bytes())
        if inks:
            # libvips caches files by name.
            return pyvips.Image.new_from_buffer(out.read_bytes(), "").numpy()
        array = cv2.imread(str(out), cv2.IMREAD_UNCHANGED)
        return array[:, :, None] if array.ndim == 2 else array[:, :, [2, 1, 0, 3][: array.shape[2]]]

    def write(self, path, suffix):
        out = self.scratch / f"out.{suffix}"
        words = [self.path, "blur", path, "-o", out, *self.words]
        return subprocess.run(words, capture_output=True, text=True, timeout=60), out

    @staticmethod
    def pam(data):
        header, raster = data.split(b"ENDHDR\n", 1)
        fields = dict(line.split(None, 1) for line in header.decode().splitlines()[1:])
        array = np.frombuffer(raster, ">u2" if int(fields["MAXVAL"]) > 255 else "u1")
        array = array.reshape(int(fields["HEIGHT"]), int(fields["WIDTH"]), int(fields["DEPTH"]))
        return array.astype(array.dtype.newbyteorder("="))


class Pillow:
    name = "Pillow"

    def read(self, path):
        """Returns the pixels and whether they are inks."""
        try:
            image = Image.open(path)
            image.load()
        except Exception as error:      # Pillow raises errors of many types, SyntaxError among them
            return f"{type(error).__name__}: {error}", False
        if image.format in ("JPEG", "MPO", "PNG", "WEBP", "AVIF"):
            try:
                image = ImageOps.exif_transpose(image)
            except Exception:           # damaged EXIF has no orientation
                pass
        keyed = "transparency" in image.info
        to = {"1": "LA" if keyed else "L", "L": "LA" if keyed else "L", "P": "RGBA" if keyed else "RGB", "PA": "RGBA",
              "RGB": "RGBA" if keyed else "RGB", "La": "LA", "RGBa": "RGBA", "RGBX": "RGB"}.get(image.mode, image.mode)
        array = np.asarray(image if to == image.mode else image.convert(to))
        # Pillow has 16 bits of a Netpbm file in 32.
        if image.mode == "I" and image.format == "PPM":
            array = array.astype("u2")
        return np.atleast_3d(array.astype(array.dtype.newbyteorder("="))), image.mode == "CMYK"


# --- Cases -------------------------------------------------------------------------------------------


def pictures(corpus, scratch):
    """Yields names and paths."""
    for folder in [corpus / each for each in FORMATS] + [ROOT / "Samples", ROOT / "docs" / "images"]:
        for path in sorted(folder.rglob("*")):
            is_picture = folder.parent == corpus or path.suffix in (".png", ".jpg", ".webp")
            if path.is_file() and is_picture:
                yield f"{folder.name}/{path.name}", path
    yield from kinds(scratch)


def kinds(scratch):
    """Writes small pictures of many kinds."""
    y, x = np.mgrid[0:17, 0:23]
    picture = Image.fromarray(np.dstack([x * 11, y * 15, (x * y) % 256, 255 - x * 9]).astype("u1"))
    color = picture.convert("RGB")
    made = {f"{mode}.png": (picture.convert(mode), {}) for mode in ("1", "L", "LA", "P", "RGB", "RGBA")}
    made |= {f"{name}.tif": (picture.convert(mode), {"compression": name})
             for mode, name in (("RGB", "tiff_lzw"), ("RGBA", "tiff_adobe_deflate"), ("1", "group4"), ("L", "packbits"))}
    made |= {f"{mode}.tif": (picture.convert(mode), {}) for mode in ("1", "L", "P", "LA", "CMYK", "F")}
    made |= {f"{mode}.jpg": (picture.convert(mode), {}) for mode in ("L", "RGB", "CMYK")}
    made |= {f"{name}.webp": (picture, {"lossless": name == "lossless"}) for name in ("lossy", "lossless")}
    for subsampling in ("4:4:4", "4:2:2", "4:2:0"):
        made[f"{subsampling}.jpg"] = color, {"subsampling": subsampling}
        made[f"{subsampling}, progressive.jpg"] = color, {"subsampling": subsampling, "progressive": True}
        made[f"{subsampling}.avif"] = color, {"subsampling": subsampling}
    for value in range(1, 9):
        exif = Image.Exif()
        exif[0x0112] = value
        for suffix in ("jpg", "webp", "png"):
            made[f"orientation {value}.{suffix}"] = color, {"exif": exif}
        made[f"orientation {value}.tif"] = color, {"tiffinfo": {0x0112: value}}
    for name, (image, options) in made.items():
        image.save(scratch / name, **options)
        yield name, scratch / name
    for channels in (1, 3, 4):
        for suffix in ("png", "tif"):
            name = f"16 bits of {channels} channels.{suffix}"
            cv2.imwrite(str(scratch / name), np.asarray(picture)[:, :, :channels].astype("u2") * 257 - 3)
            yield name, scratch / name


def main():
    if sys.argv[1:] == ["--table"]:
        print(table())
        return
    warnings.simplefilter("ignore")     # Pillow warns about damaged metadata
    logging.disable(logging.CRITICAL)   # and so does pyvips
    cases = Cases("differential", __doc__, [("--corpus", {"default": str(ROOT / "Tests" / "fuzz")})])
    corpus, used, counts = Path(cases.options.corpus).resolve(), set(), {}

    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        frost = Frost(cases.frost, scratch)
        readings = {}

        def compare(path, reader):
            if path not in readings:
                readings.clear()
                readings[path] = frost.read(path)
            found, (other, is_inks) = readings[path], reader.read(path)
            if is_inks and not isinstance(found, str):
                found = frost.read(path, inks=True)
            case = Case(path, path.read_bytes(), reader.name, found, other)
            outcome = "neither reads it"
            if not (isinstance(found, str) and isinstance(other, str)):
                outcome = "the same pixels"
                if not (is_inks and case.both and worst(found, other) == 0) and not (not is_inks and case.within(0)):
                    row = explain(case)
                    assert row, case.describe()
                    used.add(id(row))
                    outcome = "an explained difference"
            counts[reader.name, outcome] = counts.get((reader.name, outcome), 0) + 1

        for name, path in pictures(corpus, scratch):
            for reader in (Pillow(), Vips()):
                cases.run(f"{name} by {reader.name}", compare, path, reader)

    def needed(row):
        assert id(row) in used, "no picture needs this row"

    def documented():
        assert table() in DOCUMENT.read_text("utf-8"), f"{DOCUMENT.name} has another table; see --table"

    if corpus == ROOT / "Tests" / "fuzz" and not cases.options.only:
        for row in ROWS:
            cases.run(f"row: {row.reader} {row.what}", needed, row)
    cases.run("documented table", documented)
    for (name, outcome), count in sorted(counts.items()):
        print(f"{name}: {outcome} in {count}")
    cases.finish()


if __name__ == "__main__":
    main()
