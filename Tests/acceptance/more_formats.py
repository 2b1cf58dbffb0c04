#!/usr/bin/env python3
"""Tests TIFF, AVIF and JPEG XL, which package traits add, against independent programs and decoders.

    more_formats.py --frost PATH [--junit FILE]

  read       files of every kind from Pillow, OpenCV, tiffcp, avifenc and cjxl, read by frost
  written    files from frost, read by Pillow, OpenCV, avifdec and djxl; also profiles, EXIF and bit depths
  profiles   ICC profiles with faults, from every format to every format: omitted with a warning
  bombs      small files that declare huge pictures: refused with 3 or 4, in little time and memory

The script exits with 1 if a check fails. PATH is a frost built with all traits. The script needs requirements.txt and the
programs of Debian's libtiff-tools, libavif-bin and libjxl-tools; Tools/check prepares both.
"""

import os
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True      # writes no .pyc files into the checkout

import cv2
import numpy as np
from PIL import Image, ImageCms, ImageOps

from formats import ROOT, Frost, check, photograph, reference, refuse, same
from report import Cases

FORMATS = ("tif", "avif", "jxl")


def tool(*words):
    subprocess.run([str(word) for word in words], check=True, capture_output=True)


def rgb(array):
    """Converts between OpenCV's BGR(A) channel order and RGB(A), in either direction."""
    return array[:, :, [2, 1, 0, 3][: array.shape[2]]] if array.ndim == 3 else array[:, :, None]


def sources():
    """Returns pictures of every kind, in OpenCV's channel order."""
    photo = photograph()
    alpha = np.dstack([photo, np.tile(np.arange(photo.shape[1], dtype="u1"), (photo.shape[0], 1))])
    return {"grey": photo[:, :, 1].copy(), "rgb": photo, "rgba": alpha, "grey16": photo[:, :, 1].astype("u2") * 257 + 3,
            "rgb16": photo.astype("u2") * 256 + 7, "rgba16": alpha.astype("u2") * 256 + 7}


# --- Files that other programs write -----------------------------------------------------------------

def reading(frost, scratch):
    def holds(name, path, expected, tolerance=0):
        check("read", name, same(frost.pixels(path, scratch), expected, tolerance))

    kinds = sources()
    picture = Image.fromarray(rgb(kinds["rgb"]))
    path = scratch / "in.tif"
    for compression in ("raw", "tiff_lzw", "tiff_adobe_deflate", "packbits", "lzma", "zstd", "jpeg"):
        picture.save(path, compression=compression)
        holds(f"TIFF of {compression}", path, np.asarray(Image.open(path)))
    for name, made in {"palette": picture.quantize(200), "grey": picture.convert("L"), "bits": picture.convert("1"),
                       "grey and alpha": Image.fromarray(kinds["rgba"][:, :, 2:4], mode="LA")}.items():
        made.save(path)
        plain = made.convert({"P": "RGB", "1": "L"}.get(made.mode, made.mode))
        holds(f"TIFF of {name}", path, np.atleast_3d(np.asarray(plain)))
    picture.convert("1").save(path, compression="group4")
    holds("TIFF of a fax", path, np.atleast_3d(np.asarray(picture.convert("1").convert("L"))))
    wide, narrow = scratch / "wide.tif", scratch / "narrow.tif"
    cv2.imwrite(str(wide), kinds["rgba16"])
    cv2.imwrite(str(narrow), kinds["rgba"])
    for words, kind in (("-t -w 32 -l 16", "rgba16"), ("-c zip:2 -t", "rgba16"), ("-8", "rgba16"), ("-B", "rgba16"),
                        ("-r 1", "rgba16"), ("-p separate", "rgba"), ("-c lzw:2 -p separate", "rgba"),
                        ("-p separate -t -w 16 -l 32", "rgba")):
        tool("tiffcp", *words.split(), wide if kind == "rgba16" else narrow, path)
        holds(f"tiffcp {words}", path, rgb(kinds[kind]))

    source, path = scratch / "in.png", scratch / "in.avif"
    cv2.imwrite(str(source), kinds["rgb"])
    for turns in range(4):
        for mirror in (None, 0, 1):
            more = [] if mirror is None else ["--imir", mirror]
            tool("avifenc", "-l", source, path, "--irot", turns, *more)
            expected = np.rot90(rgb(kinds["rgb"]), turns)
            expected = {None: expected, 0: expected[::-1], 1: expected[:, ::-1]}[mirror]
            holds(f"AVIF turned {turns} times, mirrored {mirror}", path, expected)
    for subsampling in ("4:4:4", "4:2:2", "4:2:0", "4:0:0"):
        picture.save(path, quality=90, subsampling=subsampling)
        # AVIF does not define how the colours between two chroma samples are interpolated, so decoders differ.
        holds(f"AVIF of {subsampling}", path, np.asarray(Image.open(path).convert("RGB")), 6)
    for depth in (10, 12):
        cv2.imwrite(str(source), kinds["rgb16"])
        tool("avifenc", "-l", "-d", depth, source, path)
        tool("avifdec", "-d", "16", path, scratch / "out.png")
        # Frost and avifdec scale 10 bits to 16 bits differently.
        holds(f"AVIF of {depth} bits", path, rgb(cv2.imread(str(scratch / "out.png"), cv2.IMREAD_UNCHANGED)), 64)

    path = scratch / "in.jxl"
    # cjxl 0.7 keeps only 8 bits of alpha, so 16-bit pictures with alpha are left out.
    for kind in kinds.keys() - {"rgba16"}:
        array = kinds[kind]
        cv2.imwrite(str(source), array)
        tool("cjxl", source, path, "-d", "0")
        holds(f"JPEG XL of {kind}", path, rgb(array))
        tool("cjxl", source, path, "-d", "0.5")
        tool("djxl", path, scratch / "out.png")
        holds(f"lossy JPEG XL of {kind}", path, reference((scratch / "out.png").read_bytes()), 300 if "16" in kind else 1)
    for value in range(1, 9):
        exif = Image.Exif()
        exif[0x0112] = value
        picture.save(scratch / "in.jpg", exif=exif, quality=95)
        expected = np.asarray(ImageOps.exif_transpose(Image.open(scratch / "in.jpg")).convert("RGB"))
        tool("cjxl", scratch / "in.jpg", path, "-j", "0", "-d", "0")
        holds(f"orientation {value} of JPEG XL", path, expected)
        picture.save(scratch / "in.tif", tiffinfo={0x0112: value})
        holds(f"orientation {value} of TIFF", scratch / "in.tif", np.asarray(
            ImageOps.exif_transpose(Image.open(scratch / "in.tif"))))
    several(frost, scratch, picture)


def several(frost, scratch, picture):
    second = Image.eval(picture, lambda value: 255 - value)
    picture.save(scratch / "several.tif", save_all=True, append_images=[second])
    picture.save(scratch / "several.avif", save_all=True, append_images=[second], duration=100, quality=100,
                 subsampling="4:4:4")
    picture.save(scratch / "several.png", save_all=True, append_images=[second], duration=100)
    tool("cjxl", scratch / "several.png", scratch / "several.jxl", "-d", "0")
    for suffix in FORMATS:
        source, out = scratch / f"several.{suffix}", scratch / "first.png"
        out.unlink(missing_ok=True)
        words = ["blur", str(source), "-o", str(out), "--sigma", "0", "-q"]
        done = frost.run(*words)
        said = b"several pages" if suffix == "tif" else b"an animated"
        holds = done.returncode == 3 and said in done.stderr and not out.exists()
        check("read", f"several pictures in a {suffix}", None if holds else f"{done.returncode}: {done.stderr}")
        done = frost.run(*words, "--first-frame")
        check("read", f"the first picture of a {suffix}", done.stderr.decode() or same(
            reference(out.read_bytes()), np.asarray(picture), 4 if suffix == "avif" else 0))


# --- Files that frost writes -------------------------------------------------------------------------

def decoded(path, scratch, wide):
    """Returns the file as another program reads it."""
    out = scratch / "decoded.png"
    if path.suffix == ".avif":
        tool("avifdec", "-d", "16" if wide else "8", path, out)
    elif path.suffix == ".jxl":
        tool("djxl", path, out)
    elif wide:
        return rgb(cv2.imread(str(path), cv2.IMREAD_UNCHANGED))
    else:
        return np.atleast_3d(np.asarray(Image.open(path)))
    return rgb(cv2.imread(str(out), cv2.IMREAD_UNCHANGED))


def writing(frost, scratch):
    for kind, array in sources().items():
        source = scratch / f"{kind}.png"
        cv2.imwrite(str(source), array)
        for suffix in FORMATS:
            out = scratch / f"out.{suffix}"
            out.unlink(missing_ok=True)
            more = [] if suffix == "tif" else ["--lossless"]
            words = ["blur", str(source), "-o", str(out), "--sigma", "0", "-q"]
            done = frost.run(*words, *more, "--strict")
            if suffix == "avif" and "16" in kind:
                holds = done.returncode == 6 and b"--depth 12, 10 or 8" in done.stderr and not out.exists()
                check("written", f"{kind} as avif", None if holds else "was not refused")
                for depth in (10, 12):
                    done = frost.run(*words, *more, "--depth", str(depth))
                    # The tolerance is half a step of this bit depth.
                    check("written", f"{kind} as avif of {depth} bits", done.stderr.decode() or same(
                        frost.pixels(out, scratch), rgb(array), 65535 // (2 ** depth - 1) // 2 + 1))
                continue
            check("written", f"{kind} as {suffix}", done.stderr.decode() or same(
                decoded(out, scratch, "16" in kind), rgb(array)))
            if suffix != "tif":
                done = frost.run(*words)
                check("written", f"{kind} as lossy {suffix}", done.stderr.decode() or same(
                    decoded(out, scratch, "16" in kind), rgb(array), 40 * (257 if "16" in kind else 1)))
    metadata(frost, scratch)
    processors(frost, scratch)


def processors(frost, scratch):
    """Checks that a program that may use only one processor writes the same file."""
    everywhere = os.sched_getaffinity(0)
    for suffix in ("avif", "jxl"):
        files = []
        for allowed in (everywhere, {min(everywhere)}):
            out = scratch / f"processors.{suffix}"
            os.sched_setaffinity(0, allowed)
            done = frost.run("blur", str(ROOT / "Samples" / "photo.png"), "-o", str(out), "--sigma", "3", "-q")
            os.sched_setaffinity(0, everywhere)
            files.append(done.stderr or out.read_bytes())
        check("written", f"{suffix} with one processor", None if files[0] == files[1] else "another file")


def metadata(frost, scratch):
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    picture = Image.fromarray(rgb(photograph()))
    exif = Image.Exif()
    exif[0x0112], exif[0x010E] = 6, "a picture"
    source = scratch / "in.jpg"
    picture.save(source, exif=exif, icc_profile=profile, quality=95, dpi=(300, 300))
    for suffix in FORMATS:
        for policy, kept in (("all", True), ("color", False), ("none", False)):
            out, back = scratch / f"kept.{suffix}", scratch / "back.jpg"
            done = frost.run("blur", str(source), "-o", str(out), "--sigma", "0", "-q", "--keep", policy)
            done = frost.run("blur", str(out), "-o", str(back), "--sigma", "0", "-q", "--keep", "all")
            result = Image.open(back)
            found = result.info.get("icc_profile"), result.getexif().get(0x010E), result.getexif().get(0x0112, 1)
            # libjxl recognises the sRGB profile and stores a short code instead of the profile.
            stated = profile if policy != "none" and suffix != "jxl" else None
            expected = stated, "a picture" if kept and suffix != "tif" else None, 1
            check("written", f"--keep {policy} of {suffix}", done.stderr.decode() or (
                None if found == expected else f"{[str(x)[:40] for x in found]}"))
    # A CMYK picture stays a CMYK picture in a TIFF file.
    inks = picture.convert("CMYK")
    inks.save(scratch / "inks.tif")
    done = frost.run("blur", str(scratch / "inks.tif"), "-o", str(scratch / "out.tif"), "--sigma", "0", "-q")
    found = Image.open(scratch / "out.tif")
    check("written", "CMYK as TIFF", done.stderr.decode() or (
        None if found.mode == "CMYK" and (np.asarray(found) == np.asarray(inks)).all() else found.mode))


# --- Profiles with faults ----------------------------------------------------------------------------

def profiles(frost, scratch):
    def made(space):
        return ImageCms.ImageCmsProfile(ImageCms.createProfile(space)).tobytes()

    whole = made("sRGB")
    faults = {"none": whole, "no signature": whole[:36] + b"ac\0p" + whole[40:], "an end that is cut off": whole[:400],
              "a tag behind the end": whole[:136] + b"\x7f" + whole[137:], "bytes at random": bytes(range(256)) * 2,
              "other channels": made("LAB")}
    picture = Image.fromarray(rgb(photograph()[:24, :32]))
    suffixes = ("png", "jpg", "webp", *FORMATS)
    # Pillow can store arbitrary bytes as a profile, but it cannot write JPEG XL.
    for suffix in suffixes[:-1]:
        for fault, profile in faults.items():
            source, problems = scratch / f"fault.{suffix}", []
            picture.save(source, icc_profile=profile)
            for other in suffixes:
                out, back = scratch / f"left.{other}", scratch / "back.png"
                done = frost.run("blur", str(source), "-o", str(out), "--sigma", "0")
                warnings = [line for line in done.stderr.decode().splitlines() if "warning" in line]
                again = frost.run("blur", str(out), "-o", str(back), "--sigma", "0", "-q")
                kept = Image.open(back).info.get("icc_profile")
                # libjxl recognises the sRGB profile and stores a short code instead of the profile.
                stays = whole if fault == "none" and other != "jxl" else None
                said = len(warnings) == (fault != "none") and all("ICC profile" in line for line in warnings)
                if done.returncode or again.returncode or kept != stays or not said:
                    problems.append(f"as {other}: exit {done.returncode}: {done.stderr.decode()[:200]}")
            check("profiles", f"{fault} of a profile in a {suffix}", "; ".join(problems[:2]) or None)

    # A JPEG XL file holds its profile in compressed form at the start of the codestream. Some changes of these bytes affect
    # only the profile.
    picture.save(scratch / "in.jpg", icc_profile=whole)
    tool("cjxl", scratch / "in.jpg", scratch / "in.jxl", "-j", "0", "-e", "3", "--container=1")
    data, out = (scratch / "in.jxl").read_bytes(), scratch / "out.png"
    start, ends = data.index(b"\xff\x0a"), []
    for at in range(start + 30, start + 230):
        out.unlink(missing_ok=True)
        done = frost.run("blur", "-", "-o", str(out), "--sigma", "0", data=data[:at] + bytes([data[at] ^ 1]) + data[at + 1:])
        ends.append((done.returncode, b"warning" in done.stderr and b"ICC profile" in done.stderr, out.exists()))
    tally = {end: ends.count(end) for end in sorted(set(ends))}
    holds = all(code in (0, 3) and written == (code == 0) for code, _, written in ends) and tally.get((0, True, True), 0) > 0
    check("profiles", "a JPEG XL whose profile is damaged", None if holds else tally)


# --- Bombs ----------------------------------------------------------------------------------------

def tiff(width, height, *more, pixels=b"\0" * 100):
    """Returns a TIFF file of a header, pixels and a directory."""
    tags = {256: (4, width), 257: (4, height), 258: (3, 8), 259: (3, 1), 262: (3, 1), 273: (4, 8), 277: (3, 1),
            278: (4, height), 279: (4, len(pixels)), **dict(more)}
    entries = b"".join(struct.pack("<HHII", tag, kind, 1, value) for tag, (kind, value) in sorted(tags.items()))
    return b"II*\0" + struct.pack("<I", 8 + len(pixels)) + pixels + struct.pack("<H", len(tags)) + entries + b"\0" * 4


def codestream(width, height):
    """Returns the header of a JPEG XL codestream with this size, followed by zeros."""
    bits = [0]
    def put(value, count):
        bits.extend(value >> i & 1 for i in range(count))
    put(3, 2), put(height - 1, 30), put(0, 3), put(3, 2), put(width - 1, 30)
    put(1, 1)
    bits += [0] * (-len(bits) % 8)
    return b"\xff\x0a" + bytes(sum(bit << i for i, bit in enumerate(bits[at:at + 8])) for at in range(0, len(bits), 8)) + b"\0" * 64


def resized(data, width, height):
    at = data.index(b"ispe") + 8
    return data[:at] + struct.pack(">II", width, height) + data[at + 8:]


def bombs(frost, scratch):
    cv2.imwrite(str(scratch / "small.png"), photograph()[:24, :32])
    frost.run("blur", str(scratch / "small.png"), "-o", str(scratch / "small.avif"), "--sigma", "0", "-q")
    avif = (scratch / "small.avif").read_bytes()
    cases = {
        "huge TIFF": tiff(60000, 60000), "TIFF without data": tiff(32000, 32000),
        "TIFF of a huge tile": tiff(10, 10, (259, (3, 8)), (322, (4, 32768)), (323, (4, 32768)), (324, (4, 8)), (325, (4, 100))),
        "TIFF whose strips are elsewhere": tiff(10, 10, (273, (4, 1 << 31))),
        "TIFF whose pages go round": tiff(10, 10)[:-4] + struct.pack("<I", 108),
        "huge AVIF": resized(avif, 60000, 60000), "AVIF that is larger outside": resized(avif, 16000, 16000),
        "AVIF that is smaller outside": resized(avif, 1, 1),
        "huge JPEG XL": codestream(1 << 30, 1 << 30), "JPEG XL without data": codestream(32000, 32000),
    }
    for name, data in cases.items():
        refuse(frost, scratch, name, data)


def main():
    cases = Cases("more_formats", __doc__)
    check.cases, frost = cases, Frost(cases.frost)
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        reading(frost, scratch)
        writing(frost, scratch)
        profiles(frost, scratch)
        bombs(frost, scratch)
    cases.finish()


if __name__ == "__main__":
    main()
