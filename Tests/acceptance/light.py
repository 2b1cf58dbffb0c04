#!/usr/bin/env python3
"""Tests what the numbers of a picture mean: that the result is rounded only once, and that Frost says so if it does not decode
the light of a picture or leaves out a part of it.

    light.py --frost PATH [--quick] [--only TEXT] [--junit FILE]

The script needs numpy.
"""

import itertools
import json
import random
import struct
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

sys.dont_write_bytecode = True

import numpy

from formats import chunk
from report import Cases

ROOT = Path(__file__).resolve().parents[2]
WIDTH, HEIGHT = 41, 29
# Options in pairs of which a stage could round too early. Each has its words for `blur`, or for `effect image-effects`.
OPTIONS = {
    "background": ["--background", "#e07020"], "dark background": ["--background", "#010203"], "linear": ["--linear"],
    "edge": ["--edge", "clear"], "mirror": ["--edge", "mirror"], "rect": ["--rect", "3,4,30,20"],
    "corner": ["--rect", "2,3,33,22", "--corner-radius", "6"], "mask": ["--mask", "mask.pam"],
    "tint": ["--tint", "#3366cc80"], "saturation": ["--saturation", "1.7"], "sigma": ["--sigma", "0.6"],
    "no blur": ["--sigma", "0"], "large sigma": ["--sigma", "12"], "threads": ["--threads", "1"], "dither": ["--dither"]}
# Effects with their words, and options for them. Most effects dither.
EFFECTS = [["light"], ["dark", "--no-dither"], ["image-effects", "--saturation", "1.8"], ["ci-gaussian", "--radius", "3"],
           ["zoom", "--amount", "2"], ["tilt-shift"], ["progressive"], ["variable", "--mask", "mask.pam"], ["box"],
           ["redact", "--seed", "5", "--cell", "8"], ["material-thick-dark"]]
EFFECT_OPTIONS = [["--background", "#e07020"], ["--background", "#010203", "--rect", "3,4,30,20"],
                  ["--background", "white", "--linear"], ["--background", "#e07020", "--content", "content.pam"],
                  ["--background", "teal", "--no-dither"]]


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


def effects_round_once(frost, runs):
    """The law of `rounds_once` for effects over a background. Dither adds less than half a step to a result that is rounded to
    nearest, so both are within one step."""
    chance = random.Random(4510)
    worst = {}
    with tempfile.TemporaryDirectory(prefix="frost-light-") as name:
        folder = Path(name)
        write_pam(folder / "mask.pam", numpy.random.default_rng(3).integers(0, 256, (17, 23, 1), numpy.uint8))
        write_pam(folder / "content.pam", numpy.random.default_rng(4).integers(0, 256, (12, 16, 4), numpy.uint8))
        for effect, options in itertools.product(EFFECTS, EFFECT_OPTIONS):
            words = [*effect[1:], *options]
            if effect[0] == "redact" and "--content" in words or words.count("--no-dither") > 1:
                continue
            for _ in range(runs):
                pixels = adversarial(chance, chance.choice([2, 4]))
                write_pam(folder / "narrow.pam", pixels)
                write_pam(folder / "wide.pam", pixels.astype(numpy.uint16) * 257)
                results = []
                for source in ("narrow", "wide"):
                    done = subprocess.run(
                        [frost, "effect", effect[0], f"{source}.pam", "-o", f"{source}-out.pam", "--force", "--quiet", "--backend",
                         "cpu", *words], cwd=folder, capture_output=True, text=True)
                    assert done.returncode == 0, (words, done.stderr)
                    results.append(read_pam(folder / f"{source}-out.pam")[0])
                narrow, wide = (numpy.broadcast_to(result, (*result.shape[:2], 3)) for result in results)
                difference = numpy.abs(narrow - wide).max() * 255
                worst[effect[0]] = max(worst.get(effect[0], 0), difference)
    print("the largest differences:", ", ".join(f"{name} {value:.2f}" for name, value in worst.items()))
    assert max(worst.values()) <= 1, worst


def transitions_round_once(frost, runs):
    """The law of `rounds_once` for transitions of transparent pictures over a background."""
    chance = random.Random(4512)
    worst = 0
    with tempfile.TemporaryDirectory(prefix="frost-light-") as name:
        folder = Path(name)
        for effect in ("dissolve", "swipe", "copy-machine", "flash", "mod", "ripple", "page-curl", "page-curl-with-shadow"):
            for _ in range(runs):
                for source in ("a", "b"):
                    pixels = adversarial(chance, 4)
                    write_pam(folder / f"{source}8.pam", pixels)
                    write_pam(folder / f"{source}16.pam", pixels.astype(numpy.uint16) * 257)
                words = ["--effect", effect, "--time", str(chance.random()), "--background",
                         chance.choice(["#e07020", "black", "teal"]), *chance.choice([[], ["--linear"]])]
                results = []
                for bits in (8, 16):
                    done = subprocess.run([frost, "transition", f"a{bits}.pam", f"b{bits}.pam", "-o", f"{bits}.pam", "--force",
                                           "--quiet", "--backend", "cpu", *words], cwd=folder, capture_output=True, text=True)
                    assert done.returncode == 0, (words, done.stderr)
                    results.append(read_pam(folder / f"{bits}.pam"))
                (narrow, low), (wide, high) = results
                assert (low, high) == (255, 65535), (words, low, high)
                difference = numpy.abs(narrow - wide).max() * 255
                worst = max(worst, difference)
                assert difference <= 1, (words, difference)
    print(f"the largest difference is {worst:.3f} steps")


def inks_round_once(frost, runs):
    """CMYK of 8 bits, and the RGB of 16 bits that it becomes without a profile: the results differ by at most one step."""
    chance = random.Random(4511)
    worst = 0
    cases = [["blur", "--sigma", "2"], ["blur", "--sigma", "0"], ["blur", "--sigma", "3", "--linear"],
             ["blur", "--sigma", "2", "--edge", "clear", "--background", "white"], ["blur", "--sigma", "1.5", "--dither"],
             ["effect", "light"], ["effect", "dark", "--no-dither"], ["effect", "tilt-shift"],
             ["effect", "redact", "--seed", "5", "--cell", "8"]]
    with tempfile.TemporaryDirectory(prefix="frost-light-") as name:
        folder = Path(name)
        for words in cases:
            for run in range(runs):
                random_inks = numpy.random.default_rng(chance.randrange(1 << 30))
                inks = random_inks.integers(0, 256, (HEIGHT, WIDTH, 4), numpy.uint8)
                if run % 2:
                    inks[:] = inks[0, 0]
                # TIFF counts ink, so 255 is all of it.
                write_tiff(folder / "in.tif", inks)
                light = (255 - inks[..., :3].astype(int)) * (255 - inks[..., 3:].astype(int))
                write_pam(folder / "in.pam", numpy.rint(light / 65025 * 65535).astype(numpy.uint16))
                head = words[:2] if words[0] == "effect" else words[:1]
                results = []
                for source in ("in.tif", "in.pam"):
                    done = subprocess.run(
                        [frost, *head, source, *words[len(head):], "-o", "out.pam", "--force", "--quiet", "--backend", "cpu"],
                        cwd=folder, capture_output=True, text=True)
                    assert done.returncode == 0, (words, done.stderr)
                    results.append(read_pam(folder / "out.pam"))
                (narrow, low), (wide, high) = results
                assert (low, high) == (255, 65535), (words, low, high)
                difference = numpy.abs(narrow - wide).max() * 255
                worst = max(worst, difference)
                assert difference <= 1, (words, difference)
    print(f"the largest difference is {worst:.3f} steps")


def write_tiff(path, inks):
    """An uncompressed CMYK TIFF."""
    height, width, _ = inks.shape
    fields = [(256, 4, 1, width), (257, 4, 1, height), (258, 3, 4, 8), (259, 3, 1, 1), (262, 3, 1, 5), (273, 4, 1, 200),
              (277, 3, 1, 4), (278, 4, 1, height), (279, 4, 1, inks.size), (284, 3, 1, 1)]
    entries = b"".join(struct.pack("<HHII", tag, kind, count, 190 if tag == 258 else value) for tag, kind, count, value in fields)
    head = b"II*\0" + struct.pack("<IH", 8, len(fields)) + entries + struct.pack("<I", 0)
    path.write_bytes(head.ljust(190, b"\0") + struct.pack("<4H", 8, 8, 8, 8) + b"\0\0" + inks.tobytes())


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
            "colours of the effect": ["blur", "--sigma", "1", "--min-contrast", "3"],
            "--pad-with": ["blur", "--sigma", "1", "--pad", "30x20", "--pad-with", "red"],
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
        png(folder / "in.png", chunk(b"cICP", bytes([9, 16, 0, 0])))
        told = warnings("in.png", ["blur", "--sigma", "1"])
        assert "narrow range" in told and "cICP" not in names_of(folder / "out.png"), told
        for name, space in [("PQ", "RGB_D65_202_Rel_PeQ"), ("HLG", "RGB_D65_202_Rel_HLG")]:
            (folder / "in.ppm").write_bytes(b"P6 8 8 255\n" + bytes(range(192)))
            made = subprocess.run(["cjxl", "in.ppm", "in.jxl", "-x", f"color_space={space}", "-d", "0"], cwd=folder, capture_output=True)
            if made.returncode == 0:
                told = warnings("in.jxl", asks["--linear"])
                assert f"samples are {name}" in told, told
                points = names_of(folder / "out.png").get("cICP")
                assert points and points[:2] == bytes([9, 16 if name == "PQ" else 18]), points


def undecoded_in_commands(frost):
    """Every command that mixes the colours of several pictures, or draws its own, names those whose curve it does not decode."""
    with tempfile.TemporaryDirectory(prefix="frost-light-") as name:
        folder = Path(name)
        pq, hlg, plain, grey = chunk(b"cICP", bytes([9, 16, 0, 1])), chunk(b"cICP", bytes([9, 18, 0, 1])), b"", b""
        for title, points in (("pq", pq), ("hlg", hlg), ("plain", plain), ("other", grey)):
            png(folder / f"{title}.png", points, alpha=False)
        png(folder / "clear.png", pq)

        def told(*words):
            force = [] if "--sheet" in words else ["--force"]
            done = subprocess.run([frost, *words, *force], cwd=folder, capture_output=True, text=True)
            assert done.returncode == 0, (words, done.stderr)
            return sorted({line.removeprefix("frost: ").removeprefix("warning: ").split(":")[0] for line in done.stderr.splitlines() if "not decoded" in line})
        for source, target, more, expected in [
                ("plain", "other", [], []), ("pq", "pq", [], []), ("plain", "pq", [], ["pq.png"]), ("pq", "plain", [], ["pq.png"]),
                ("pq", "hlg", [], ["hlg.png", "pq.png"]), ("pq", "pq", ["--linear"], ["pq.png"]),
                ("plain", "hlg", ["--linear"], ["hlg.png"]), ("clear", "clear", ["--background", "red"], ["clear.png"]),
                ("pq", "pq", ["--background", "red"], [])]:
            found = told("transition", f"{source}.png", f"{target}.png", "-o", "out.png", "--time", "0.5", *more)
            assert found == expected, (source, target, more, found)
        for effect in ("flash", "swipe", "copy-machine"):
            words = ["--effect", effect, "--time", "0.5", "-o", "out.png"]
            assert told("transition", "hlg.png", "hlg.png", *words) == ["hlg.png"], effect
            assert told("transition", "plain.png", "other.png", *words) == [], effect
        found = told("transition", "plain.png", "other.png", "-o", "out.png", "--time", "0.5", "--effect", "page-curl",
                     "--backside", "pq.png")
        assert found == ["pq.png"], found
        assert told("transition", "pq.png", "pq.png", "-o", "out.y4m", "--time", "0.5", "--depth", "8") == ["pq.png"]
        assert told("effect", "light", "plain.png", "-o", "out.png", "--content", "pq.png") == ["pq.png"]
        assert told("effect", "light", "plain.png", "-o", "out.png", "--content", "other.png") == []
        assert told("effect", "variable", "pq.png", "-o", "out.png", "--mask", "pq.png") == []
        assert told("effect", "redact", "pq.png", "-o", "out.png", "--fill", "red") == ["pq.png"]
        assert told("blur", "pq.png", "hlg.png", "plain.png", "-o", "made/", "--sigma", "1", "--linear") == ["hlg.png", "pq.png"]
        assert told("effects", "--sheet", "sheet.html", "pq.png", "--effect", "light") == ["pq.png"]
        assert told("transitions", "--sheet", "sheet.html", "plain.png", "hlg.png") == ["hlg.png"]
        scene = {"size": [8, 8], "duration": 0.1, "fps": 10, "backdrop": [{"picture": "pq.png"}]}
        (folder / "scene.json").write_text(json.dumps(scene))
        assert told("animate", "scene.json", "-o", "out.png", "--at", "0") == ["pq.png"]


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
    cases.run("rounded once, effects", effects_round_once, cases.frost, 1 if cases.options.quick else 8)
    cases.run("rounded once, transitions", transitions_round_once, cases.frost, 2 if cases.options.quick else 10)
    cases.run("rounded once, inks", inks_round_once, cases.frost, 2 if cases.options.quick else 10)
    cases.run("PQ and HLG", undecoded_light, cases.frost)
    cases.run("PQ and HLG in all commands", undecoded_in_commands, cases.frost)
    cases.run("light levels", light_levels, cases.frost)
    cases.run("further pictures", further_pictures, cases.frost)
    cases.finish()


if __name__ == "__main__":
    main()
