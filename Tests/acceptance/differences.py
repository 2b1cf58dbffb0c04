"""The differences between what frost and other programs read from pictures that differential.py explains."""

import re
import struct
import zlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyvips


class Vips:
    name = "libvips"

    def read(self, path, fail_on="error"):
        try:
            image = pyvips.Image.new_from_file(str(path), fail_on=fail_on).autorot()
            array = image.numpy()
        except pyvips.Error as error:
            return str(error), False
        return np.atleast_3d(array), image.interpretation == "cmyk"


def rgba(array):
    """Widens grey to RGB, and a picture without alpha to an opaque one."""
    if array.shape[2] <= 2:
        array = np.concatenate([array[:, :, :1].repeat(3, 2), array[:, :, 1:]], 2)
    if array.shape[2] == 3:
        opaque = np.iinfo(array.dtype).max if array.dtype.kind == "u" else 1
        array = np.concatenate([array, np.full_like(array[:, :, :1], opaque)], 2)
    return array


def worst(a, b):
    """The largest difference of two arrays; None if they have different sizes or types."""
    if a.dtype != b.dtype or a.shape != b.shape:
        return None
    same = (a == b) | ((a != a) & (b != b))
    return 0 if same.all() else np.abs(np.where(same, 0, a.astype(float) - b.astype(float))).max()


@dataclass
class Case:
    """A picture that frost and another program read differently. `frost` and `other` are arrays or the texts of errors."""
    path: Path
    data: bytes
    reader: str
    frost: object
    other: object

    def begins(self, *signatures):
        return self.data.startswith(signatures)

    @property
    def is_jpeg(self):
        return self.begins(b"\xff\xd8")

    @property
    def is_png(self):
        return self.begins(b"\x89PNG")

    @property
    def is_netpbm(self):
        return self.begins(b"P1", b"P2", b"P3", b"P4", b"P5", b"P6", b"P7", b"Pf", b"PF")

    @property
    def is_tiff(self):
        return self.begins(b"II*\0", b"MM\0*", b"II+\0", b"MM\0+")

    @property
    def is_avif(self):
        return b"avif" in self.data[4:32]

    def refuses(self, pattern):
        """Whether only frost refuses the picture, with a text that contains the pattern."""
        return isinstance(self.frost, str) and not isinstance(self.other, str) and re.search(pattern, self.frost)

    def reads(self, *patterns):
        """Whether only frost reads the picture; the other's text contains one of the patterns."""
        return (not isinstance(self.frost, str) and isinstance(self.other, str)
                and any(re.search(pattern, self.other) for pattern in patterns))

    @property
    def both(self):
        return not isinstance(self.frost, str) and not isinstance(self.other, str)

    def within(self, limit):
        difference = worst(rgba(self.frost), rgba(self.other)) if self.both else None
        return difference is not None and difference <= limit

    def describe(self):
        if self.both:
            a, b = rgba(self.frost), rgba(self.other)
            return f"{a.dtype}{a.shape} and {b.dtype}{b.shape} differ by {worst(a, b)}"
        return "; ".join(f"{name} {each if isinstance(each, str) else 'reads it'}".strip()
                         for name, each in (("Frost", self.frost), (self.reader, self.other)))

    def chunks(self):
        """The names of a PNG's chunks, with whether each is complete and its checksum is right."""
        at = 8
        while at + 8 <= len(self.data):
            size, name = struct.unpack(">I4s", self.data[at:at + 8])
            end = at + 12 + size
            crc = struct.pack(">I", zlib.crc32(self.data[at + 4:end - 4]))
            yield name, end <= len(self.data) and crc == self.data[end - 4:end]
            at = end

    def is_damaged(self):
        """Whether libvips finds a fault if it may not ignore any."""
        return isinstance(Vips().read(self.path, fail_on="warning")[0], str)

    def segments(self):
        """Yields the kinds and contents of a JPEG's segments. It skips the coefficients and stray bytes between them."""
        at = 2
        while (at := self.data.find(b"\xff", at)) >= 0 and at + 4 <= len(self.data):
            kind, size = self.data[at + 1], struct.unpack(">H", self.data[at + 2:at + 4])[0]
            if kind in (0, 0xFF) or 0xD0 <= kind <= 0xD8:
                at += 1
            else:
                yield kind, self.data[at + 4:at + 2 + size]
                at += 2 + size

    def lacks_scans(self):
        """Whether a progressive JPEG lacks scans that would give coefficients their last bits."""
        missing = {}        # for each component, how many low bits of each coefficient are missing; None for all
        for kind, content in self.segments():
            if kind == 0xC2:
                missing = {component: [None] * 64 for component in content[6::3]}
            elif kind == 0xDA and missing:
                end = 1 + 2 * content[0]
                first, last, bits = content[end:end + 3]
                for component in content[1:end:2]:
                    missing[component][first:last + 1] = [bits & 15] * (last + 1 - first)
        return any(bits != 0 for each in missing.values() for bits in each)


def is_reduced(case):
    """Whether the other program has 8 of frost's 16 bits, rounded or truncated."""
    if not case.both or case.frost.dtype != np.uint16 or case.other.dtype != np.uint8:
        return False
    wide, narrow = rgba(case.frost).astype(int), rgba(case.other)
    if wide.shape != narrow.shape:
        return False
    rounded = np.abs((wide + 128) // 257 - narrow.astype(int)).max()
    return rounded <= (3 if case.is_avif else 0) or (wide >> 8 == narrow).all()


def is_shifted(case):
    """Whether both have the same 10 or 12 bits, and only frost scaled these to the full range of 16."""
    return (case.is_avif and case.within(64) and case.frost.dtype == np.uint16
            and (((case.frost >> 6) == (case.other >> 6)).all() or ((case.frost >> 4) == (case.other >> 4)).all()))


def over(array, alpha, divides):
    """The colours, multiplied or divided by alpha."""
    factor = alpha[:, :, None] / 255
    return np.minimum(255, np.where(factor > 0, array / np.maximum(factor, 1e-9), 0) if divides else array * factor)


def is_premultiplied(case, divides):
    """Whether the other's colours are frost's, multiplied or divided by alpha."""
    if not case.both or case.frost.shape != case.other.shape or case.frost.shape[2] != 4:
        return False
    alpha = case.frost[:, :, 3]
    expected = over(case.frost[:, :, :3].astype(float), alpha, divides)
    return (alpha == case.other[:, :, 3]).all() and np.abs(expected - case.other[:, :, :3]).max() <= 1


@dataclass
class Row:
    """An exception: whose reading differs from frost's, and how; why; and a test whether this holds for a case."""
    reader: str
    what: str
    why: str
    holds: callable


def is_recolored(case):
    """Whether the pictures differ in colour but not in luma, apart from pixels that are clipped."""
    if not case.both or case.frost.shape != case.other.shape or case.frost.shape[2] < 3:
        return False
    a, b = (each[:, :, :3].astype(float) for each in (case.frost, case.other))
    clipped = ((a == 0) | (a == 255) | (b == 0) | (b == 255)).any(2)
    luma = np.abs((a - b) @ (0.299, 0.587, 0.114))
    return luma[~clipped].max(initial=0) <= 1.5


def drops_alpha(case):
    """Whether the pictures differ only in alpha, which the other program does not have."""
    return (case.both and case.frost.shape[2] == 4 and case.other.shape[2] == 3
            and worst(case.frost[:, :, :3], case.other) == 0)


def has_early_alpha(case):
    names = [name for name, _ in case.chunks()]
    return b"tRNS" in names and b"PLTE" in names and names.index(b"tRNS") < names.index(b"PLTE")


def has_luma_and_chroma(case):
    """Whether the photometric interpretation of a TIFF is 6, and its compression is not JPEG."""
    order = "<" if case.begins(b"II") else ">"

    def states(tag, value):
        return struct.pack(order + "HHIH", tag, 3, 1, value) in case.data
    return states(262, 6) and not states(259, 6) and not states(259, 7)


ROWS = [
    # Frost refuses what others read.
    Row("both", "read a JPEG with damaged or missing data",
        "libjpeg invents pixels; Frost accepts them with `--fail-on none`",
        lambda case: case.is_jpeg and case.refuses("damaged JPEG") and case.is_damaged()),
    Row("libvips", "reads a TIFF with damaged data",
        "its libtiff only warns",
        lambda case: case.is_tiff and case.refuses("damaged TIFF") and case.is_damaged()),
    Row("Pillow", "reads a QOI with missing data, or without its end marker",
        "it does not check the end",
        lambda case: case.begins(b"qoif") and case.refuses("damaged QOI")),
    Row("Pillow", "reads a Netpbm with a sample above the maximum",
        "it takes it as the maximum",
        lambda case: case.is_netpbm and case.refuses("exceeds the maximum")),
    Row("both", "read a PNG whose last chunk is damaged",
        "they stop after the last pixel",
        lambda case: case.is_png and case.refuses("IEND|IEN") and not list(case.chunks())[-1][1]),
    Row("both", "read an AVIF whose header contradicts its picture",
        "they ignore one of the two",
        lambda case: case.is_avif and case.refuses("does not match its header|matrix")),
    # Others refuse what Frost reads.
    Row("Pillow", "refuses PAM, and a width right behind the magic number of a Netpbm",
        "it knows fewer kinds",
        lambda case: case.is_netpbm and case.reads("cannot identify")),
    Row("Pillow", "refuses a TIFF with floats of several channels",
        "it has no such mode",
        lambda case: case.is_tiff and case.reads("cannot identify") and case.frost.dtype.kind == "f"),
    Row("both", "refuse a TIFF with missing or contradictory fields, or with colours of 1 bit",
        "Frost reads what libtiff reads, and takes TIFF's defaults",
        lambda case: case.is_tiff and case.reads("cannot identify", "decoder error", "not a known file format",
                                                 "required field", "whole number of bytes", "thus tag is not read")),
    Row("Pillow", "refuses a PNG with a wrong checksum in text or metadata",
        "Frost warns, because the pixels are right",
        lambda case: case.is_png and case.reads("cannot identify", "broken PNG") and any(
            not right for name, right in case.chunks() if name[0] & 32)),
    Row("Pillow", "refuses a JPEG with stray bytes between its segments",
        "libjpeg skips them with a warning, which Frost ignores",
        lambda case: case.is_jpeg and case.reads("cannot identify", "no marker found") and case.is_damaged()),
    Row("both", "refuse JPEG XL, and libvips QOI and Netpbm",
        "their packages have no readers for them",
        lambda case: case.begins(b"\xff\x0a", b"\0\0\0\x0cJXL ") and case.reads("cannot identify", "not a known")
        or case.reader == "libvips" and (case.is_netpbm or case.begins(b"qoif")) and case.reads("not a known")),
    Row("libvips", "refuses an AVIF that ends early",
        "libheif reads boxes that the picture does not need",
        lambda case: case.is_avif and case.reads("bad seek")),
    Row("libvips", "refuses an AVIF with damaged pixels",
        "its decoder aom reports faults that Frost's, dav1d, does not; AVIF has no checksum",
        lambda case: case.is_avif and case.reads("Corrupt frame detected")),
    Row("libvips", "refuses a TIFF with tiles of separate planes, and an AVIF that begins with an animation's brand",
        "it lacks them",
        lambda case: case.is_tiff and case.reads("tiled separate planes")
        or case.is_avif and case.reads("not a known file format")),
    Row("libvips", "refuses a TIFF with floats of 64 bits, or with old-style JPEG",
        "it lacks them, or was built without them",
        lambda case: case.is_tiff and case.reads("samples out of range", "Old-style JPEG")),
    # Other pixels.
    Row("Pillow", "has 8 bits of colours with 10, 12 or 16",
        "it has no such mode; Frost rounds to the same 8 bits, for AVIF within 3, as Pillow converts Y'CbCr of 8 bits",
        is_reduced),
    Row("libvips", "differs by less than 64 of 65535 in an AVIF of 10 or 12 bits",
        "it shifts the bits; white is then below 65535",
        is_shifted),
    Row("libvips", "has premultiplied colours for a premultiplied AVIF",
        "Frost and Pillow divide them by alpha",
        lambda case: case.is_avif and is_premultiplied(case, divides=False)),
    Row("both", "differ by 1 in a TIFF with premultiplied colours",
        "they round the colours that they divide by alpha down, Frost to nearest",
        lambda case: case.is_tiff and case.both and worst(case.frost, case.other) == 1 and (case.frost >= case.other).all()
        and (case.frost == case.other)[case.frost[:, :, -1] == 255].all()),
    Row("Pillow", "divides colours by alpha in a TIFF with separate planes and a fourth sample without a description",
        "Frost and libvips take the sample as straight alpha, as all three do without planes",
        lambda case: case.is_tiff and is_premultiplied(case, divides=True)),
    Row("Pillow", "has an opaque picture for a grey PNG of 1, 2 or 4 bits with a transparent grey",
        "it compares samples of 8 bits with a grey of fewer",
        lambda case: case.is_png and case.data[24] < 8 and case.data[25] == 0 and case.both and case.frost.shape[2] == 2
        and worst(case.frost[:, :, :1], case.other[:, :, :1]) == 0),
    Row("Pillow", "differs by 1 in a Netpbm whose maximum is neither 255 nor 65535",
        "Frost rounds halves up, Pillow to even",
        lambda case: case.is_netpbm and case.within(1)),
    Row("Pillow", "differs by 1 in AVIF",
        "its library converts Y'CbCr to RGB with other rounding; libvips has Frost's pixels",
        lambda case: case.is_avif and case.within(1)),
    Row("both", "have other colours, of the same luma, in AVIF with subsampled chroma",
        "AVIF does not define the interpolation of chroma",
        lambda case: case.is_avif and is_recolored(case)),
    Row("both", "differ in a progressive JPEG that lacks scans",
        "libjpeg-turbo estimates missing coefficients; versions 2 and 3 do it differently",
        lambda case: case.is_jpeg and case.within(16) and case.lacks_scans()),
    Row("libvips", "has an opaque picture for a PNG whose tRNS chunk stands before its palette",
        "its libpng drops the chunk; Frost and Pillow use it",
        lambda case: case.is_png and has_early_alpha(case) and drops_alpha(case)),
    Row("Pillow", "has an opaque picture for a TIFF with a palette and alpha",
        "it knows no alpha beside a palette; libvips has Frost's pixels",
        lambda case: case.is_tiff and drops_alpha(case)),
    Row("both", "have luma and chroma in the place of red, green and blue, libvips for tiles only",
        "they convert Y'CbCr of TIFF only within JPEG, or only in strips",
        lambda case: case.is_tiff and case.both and case.other.dtype == np.uint8 and has_luma_and_chroma(case)),
    Row("both", "have signed integers for a TIFF with such samples of 32 bits",
        "Frost has floats, with 1 for 2^31",
        lambda case: case.is_tiff and case.both and case.other.dtype == np.int32
        and worst(case.frost.astype(float) * 2.0**31, case.other.astype(float)) == 0),
    Row("Pillow", "has the whole picture of an AVIF with a crop",
        "it does not read the crop; libvips has Frost's pixels",
        lambda case: case.is_avif and b"clap" in case.data and case.both and case.frost.shape[:2] < case.other.shape[:2]),
    Row("Pillow", "has an opaque picture for an animation whose first frame covers a part of the canvas",
        "it drops alpha if no frame has it; the rest of the canvas is transparent in Frost and libvips",
        lambda case: case.begins(b"RIFF") and case.both and case.frost.shape[2] == 4 and case.other.shape[2] == 3
        and worst(case.frost[:, :, :3][case.frost[:, :, 3] > 0], case.other[case.frost[:, :, 3] > 0]) == 0),
]


def explain(case):
    """The row that explains the case, or None."""
    return next((row for row in ROWS if row.reader in (case.reader, "both") and row.holds(case)), None)


def table():
    lines = ["| program | what it does | why |", "|---|---|---|"]
    lines += [f"| {row.reader} | {row.what} | {row.why} |" for row in ROWS]
    return "\n".join(lines)
