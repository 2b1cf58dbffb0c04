#!/usr/bin/env python3
"""Tests what the numbers of a picture mean: that the result is rounded only once, and that Frost says so if it does not decode
the light of a picture or leaves out a part of it.

    light.py --frost PATH [--quick] [--only TEXT] [--junit FILE]

The script needs numpy.
"""

import itertools
import random
import struct
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

sys.dont_write_bytecode = True

import numpy

from report import Cases

ROOT = Path(__file__).resolve().parents[2]
WIDTH, HEIGHT = 41, 29
# Options in pairs of which a stage could round too early. Each has its words for `blur`, or for `effect image-effects`.
OPTIONS = {
    "background": ["--background", "#e07020"], "dark background": ["--background", "#010203"], "linear": ["--linear"],
    "edge": ["--edge", "clear"], "mirror": ["--edge", "mirror"], "rect": ["--rect", "3,4,30,20"],
    "corner": ["--rect", "2,3,33,22", "--corner-radius", "6"], "mask": ["--mask", "mask.pam"],
    "tint": ["--tint", "#3366cc80"], "saturation": ["--saturation", "1.7"], "sigma": ["--sigma", "0.6"],
    "no blur": ["--sigma", "0"], "large sigma": ["--sigma", "12"], "threads": ["--threads", "1"]}


def write_pam(path, pixels):
    """Writes pixels of 8 or 16 bits."""
    maximum, kind = (255, ">u1") if pixels.dtype == numpy.uint8 else (65535, ">u2")
    names = {1: b"GRAYSCALE", 2: b"GRAYSCALE_ALPHA", 3: b"RGB", 4: b"RGB_ALPHA"}
    height, width, channels = pixels.shape
    path.write_bytes(b"P7\nWIDTH %d\nHEIGHT %d\nDEPTH %d\nMAXVAL %d\nTUPLTYPE %s\nENDHDR\n"
                     % (width, height, channels, maximum, names[channels]) + pixels.astype(kind).tobytes())


def read_pam(path):
    """Returns pixels as floats from 0 to 1."""
    head, _, data = path.read_bytes().partition(b"ENDHDR\n")
    field = {line.split()[0]: int(line.split()[1]) for line in head.splitlines()[1:] if line.split()[1].isdigit()}
    kind = ">u1" if field[b"MAXVAL"] == 255 else ">u2"
    shape = field[b"HEIGHT"], field[b"WIDTH"], field[b"DEPTH"]
    return numpy.frombuffer(data, kind).reshape(shape) / field[b"MAXVAL"], field[b"MAXVAL"]


def adversarial(chance, channels):
    """Pixels whose alpha and colours fight: small alphas, extreme colours, single pixels."""
    kind = chance.randrange(4)
    random_pixels = numpy.random.default_rng(chance.randrange(1 << 30)).integers(0, 256, (HEIGHT, WIDTH, channels), numpy.uint8)
    if kind == 1:
        random_pixels[..., -1] >>= 4
    elif kind == 2:
        random_pixels = numpy.where(random_pixels > 127, 255, 0).astype(numpy.uint8)
    elif kind == 3:
        random_pixels[..., -1] = numpy.where(random_pixels[..., -1] > 240, 255, 0)
    return random_pixels


def rounds_once(frost, runs):
    """A picture of 8 bits, and the same picture with 16: the results differ by at most one step of 8 bits, for each pair of
    options. The result of 16 bits has errors of 1/257 step. If colours have alpha, colours times alpha count."""
    chance = random.Random(4508)
    worst = 0
    with tempfile.TemporaryDirectory(prefix="frost-light-") as name:
        folder = Path(name)
        write_pam(folder / "mask.pam", numpy.random.default_rng(3).integers(0, 256, (17, 23, 1), numpy.uint8))
        pairs = [pair for pair in itertools.combinations(OPTIONS, 2)]
        for pair in pairs:
            words = [word for option in pair for word in OPTIONS[option]]
            if any(words.count(word) > 1 for word in words if word.startswith("--")):
                continue
            if "--sigma" not in words:
                words += ["--sigma", "2.5"]
            for channels in chance.sample([2, 3, 4], 1) + [4] * runs:
                pixels = adversarial(chance, channels)
                write_pam(folder / "narrow.pam", pixels)
                write_pam(folder / "wide.pam", pixels.astype(numpy.uint16) * 257)
                results = []
                for source in ("narrow", "wide"):
                    done = subprocess.run(
                        [frost, "blur", f"{source}.pam", "-o", f"{source}-out.pam", "--force", "--quiet", "--backend", "cpu", *words],
                        cwd=folder, capture_output=True, text=True)
                    assert done.returncode == 0, (words, done.stderr)
                    results.append(read_pam(folder / f"{source}-out.pam"))
                (narrow, low), (wide, high) = results
                assert (low, high) == (255, 65535) and narrow.shape == wide.shape, (words, low, high)
                if narrow.shape[2] in (2, 4):
                    narrow, wide = (numpy.concatenate([x[..., :-1] * x[..., -1:], x[..., -1:]], axis=2) for x in (narrow, wide))
                difference = numpy.abs(narrow - wide).max() * 255
                worst = max(worst, difference)
                assert difference <= 1, (words, channels, difference)
    print(f"the largest difference is {worst:.3f} steps")


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(path, *chunks, alpha=True):
    """Writes a picture of 16 bits with chunks before its pixels."""
    rows = b"".join(b"\0" + bytes((x * 7 + y * c) & 255 for x in range(8) for c in range(8 if alpha else 6)) for y in range(8))
    path.write_bytes(
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 8, 8, 16, 6 if alpha else 2, 0, 0, 0)) + b"".join(chunks)
        + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def names_of(path):
    data, names, at = path.read_bytes(), {}, 8
    while at < len(data):
        size = struct.unpack(">I", data[at:at + 4])[0]
        names[data[at + 4:at + 8].decode()] = data[at + 8:at + 8 + size]
        at += size + 12
    return names


def undecoded_light(frost):
    """Whatever asks for the light or the colours of a picture, with PQ, HLG and other code points: a warning names it. Without
    such an option, with sRGB or with linear light there is none."""
    curves = {"PQ": (9, 16), "HLG": (9, 18), "code points": (12, 14)}
    asks = {"--linear": ["blur", "--sigma", "1", "--linear"], "the colours of the effect": ["blur", "--sigma", "1", "--tint", "#ff000088"],
            "--background": ["blur", "--sigma", "1", "--background", "red"], "--content": ["effect", "disc", "--content", "small.png"]}
    with tempfile.TemporaryDirectory(prefix="frost-light-") as name:
        folder = Path(name)
        png(folder / "small.png")

        def warnings(source, words, target="out.png"):
            head = words[:2] if words[0] == "effect" else words[:1]
            done = subprocess.run([frost, *head, source, *words[len(head):], "-o", target, "--force"], cwd=folder,
                                  capture_output=True, text=True)
            assert done.returncode == 0, (words, done.stderr)
            return done.stderr
        for title, points in curves.items():
            png(folder / "in.png", chunk(b"cICP", bytes([*points, 0, 1])))
            subprocess.run([frost, "blur", "in.png", "-o", "in.avif", "--sigma", "0", "--depth", "12", "--quiet", "--force"],
                           cwd=folder, check=True)
            for source in ("in.png", "in.avif"):
                for asked, words in asks.items():
                    told = warnings(source, words)
                    assert title in told and asked in told and "not decoded" in told, (title, source, asked, told)
                assert "not decoded" not in warnings(source, ["blur", "--sigma", "1"]), (title, source)
        for plain in ((1, 13), (2, 2), (1, 8)):
            png(folder / "in.png", chunk(b"cICP", bytes([*plain, 0, 1])))
            for asked, words in asks.items():
                assert "not decoded" not in warnings("in.png", words), (plain, asked)
        for name, space in [("PQ", "RGB_D65_202_Rel_PeQ"), ("HLG", "RGB_D65_202_Rel_HLG")]:
            (folder / "in.ppm").write_bytes(b"P6 8 8 255\n" + bytes(range(192)))
            made = subprocess.run(["cjxl", "in.ppm", "in.jxl", "-x", f"color_space={space}", "-d", "0"], cwd=folder, capture_output=True)
            if made.returncode == 0:
                told = warnings("in.jxl", asks["--linear"])
                assert f"samples are {name}" in told, told
                points = names_of(folder / "out.png").get("cICP")
                assert points and points[:2] == bytes([9, 16 if name == "PQ" else 18]), points


def light_levels(frost):
    """mDCV and cLLI are kept as the colour space is; a format that cannot hold them is named in a warning."""
    levels = {"mDCV": bytes(range(1, 25)), "cLLI": bytes(range(50, 58))}
    with tempfile.TemporaryDirectory(prefix="frost-light-") as name:
        folder = Path(name)
        for kept in ([], ["mDCV"], ["cLLI"], ["cLLI", "mDCV"]):
            png(folder / "in.png", chunk(b"cICP", bytes([9, 16, 0, 1])), *(chunk(k.encode(), levels[k]) for k in kept), alpha=False)
            for keep, sandbox in itertools.product(("color", "all", "none"), ([], ["--sandbox"])):
                done = subprocess.run([frost, "blur", "in.png", "-o", "out.png", "--sigma", "1", "--force", "--keep", keep, *sandbox],
                                      cwd=folder, capture_output=True, text=True)
                assert done.returncode == 0, done.stderr
                found = {key: value for key, value in names_of(folder / "out.png").items() if key in levels}
                assert found == ({} if keep == "none" else {key: levels[key] for key in kept}), (kept, keep, found)
            for suffix in ("jpg", "webp", "tif", "jxl", "avif", "qoi"):
                done = subprocess.run([frost, "blur", "in.png", "-o", f"out.{suffix}", "--sigma", "1", "--force", "--depth", "8"],
                                      cwd=folder, capture_output=True, text=True)
                assert done.returncode == 0, done.stderr
                assert ("light levels" in done.stderr) == bool(kept), (kept, suffix, done.stderr)
        # A chunk of another size could be anything.
        for kind, size in (("mDCV", 23), ("mDCV", 25), ("cLLI", 9), ("cLLI", 0)):
            png(folder / "in.png", chunk(kind.encode(), bytes(range(size))))
            subprocess.run([frost, "blur", "in.png", "-o", "out.png", "--sigma", "1", "--force"], cwd=folder, check=True,
                           capture_output=True)
            assert kind not in names_of(folder / "out.png"), (kind, size)


def further_pictures(frost):
    """The loss of the further pictures and of the gain map of a JPEG is reported, with every policy and output."""
    with tempfile.TemporaryDirectory(prefix="frost-light-") as name:
        folder = Path(name)
        subprocess.run([frost, "blur", ROOT / "Samples/photo.png", "-o", "plain.jpg", "--sigma", "1", "--background", "white",
                        "--quiet"], cwd=folder, check=True)
        plain = (folder / "plain.jpg").read_bytes()

        def segment(marker, data):
            return struct.pack(">BBH", 0xFF, marker, len(data) + 2) + data
        xmp = (b'http://ns.adobe.com/xap/1.0/\0<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF '
               b'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" '
               b'xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" hdrgm:Version="1.0"/></rdf:RDF></x:xmpmeta>')
        carriers = {
            "further pictures": segment(0xE2, b"MPF\0MM\0*\0\0\0\x08\0\0"),
            "gain map": segment(0xE2, b"urn:iso:std:iso:ts:21496:-1\0\0\0\0\0"),
            "its gain map": segment(0xE1, xmp)}
        for title, data in [("", b""), *carriers.items()]:
            (folder / "in.jpg").write_bytes(plain[:2] + data + plain[2:] + (plain if data else b""))
            for keep, target, more in itertools.product(("color", "all", "none"), ("out.jpg", "out.png"), ([], ["--sandbox"])):
                done = subprocess.run([frost, "blur", "in.jpg", "-o", target, "--sigma", "1", "--force", "--keep", keep, *more],
                                      cwd=folder, capture_output=True, text=True)
                assert done.returncode == 0, done.stderr
                told = "further pictures" in done.stderr or "gain map" in done.stderr
                assert title in done.stderr and told == bool(title), (title, keep, target, done.stderr)


def main():
    cases = Cases("light", __doc__)
    cases.run("rounded once, pairs of options", rounds_once, cases.frost, 1 if cases.options.quick else 6)
    cases.run("PQ and HLG", undecoded_light, cases.frost)
    cases.run("light levels", light_levels, cases.frost)
    cases.run("further pictures", further_pictures, cases.frost)
    cases.finish()


if __name__ == "__main__":
    main()
