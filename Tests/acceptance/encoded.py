#!/usr/bin/env python3
"""Checks that frost.blur_encoded and frost.effect_encoded give the bytes of the command, for every format and option.

    encoded.py --frost PATH --library PATH [--only TEXT] [--junit FILE]

The library is libfrost.so; libfrost-images.so is beside it. Pictures are those of the fuzzing corpora and of the samples, whole
and cut off.
"""

import os
import subprocess
import sys
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.dont_write_bytecode = True

from report import Cases

ROOT = Path(__file__).resolve().parents[2]
CORPORA = ["png", "jpeg", "webp", "qoi", "netpbm", "tiff", "avif", "jxl", "bmp", "heic", "gif"]
FORMATS = ["png", "jpeg", "webp", "qoi", "ppm", "pgm", "pam", "pfm", "tiff", "avif", "jxl"]
# The exit codes of the command for the errors of a picture, and the exceptions of the package.
CODES = {2: "ParameterError", 3: "UnreadableError", 4: "OverLimitError", 6: "UnwritableError"}


def command(frost, words, data):
    """Runs the command on standard input. Returns its output and exit code."""
    done = subprocess.run([frost, *words, "-", "-o", "-", "--quiet", "--backend", "cpu"], input=data, capture_output=True,
                          timeout=120)
    return done.stdout, done.returncode, done.stderr


def compare(cases, package, words, data, call, what):
    """Checks that a call gives the bytes of the command, or the error that belongs to its exit code."""
    expected, code, message = command(cases.frost, words, data)
    try:
        made, error = call(data), 0
    except package.Error as failure:
        made, error = b"", type(failure).__name__
    assert error == CODES.get(code, code) and made == expected, (what, words, code, message, error, len(made), len(expected))
    return code


def formats(cases, package):
    """Every picture, whole and cut off, in every format."""
    codes, compared = set(), 0
    for path in sorted(path for form in CORPORA for path in (ROOT / "Tests/fuzz" / form).iterdir()):
        whole = path.read_bytes()
        for data in (whole, whole[:len(whole) * 7 // 10]):
            # All formats for a few pictures, and that of the picture for all.
            chosen = FORMATS if path.name in ("rgb", "rgba", "grey", "cmyk", "animated") and data is whole else [None]
            for form in chosen:
                codes.add(compare(
                    cases, package, ["blur", "--sigma", "2"] + ([] if form is None else ["--format", form]), data,
                    lambda data: package.blur_encoded(data, 2, format=form, threads=1), path))
                compared += 1
    assert {0, 3} <= codes and compared > 100, (codes, compared)


def options(cases, package):
    """Every option of the encoders, the decoders and the effect."""
    photo = (ROOT / "Samples/scene.png").read_bytes()
    encode = lambda **values: {"encoding": package.Encoding(**values)}
    decode = lambda **values: {"decoding": package.Decoding(**values)}
    animated = next(path for path in (ROOT / "Tests/fuzz/webp").iterdir() if b"ANIM" in path.read_bytes()).read_bytes()
    cut = photo[:len(photo) // 2]
    for words, data, values in [
            (["--format", "jpeg", "--quality", "70"], photo, {"format": "jpeg", "quality": 70}),
            (["--format", "jpeg", "--subsampling", "422"], photo, encode(format="jpeg", subsampling="422")),
            (["--format", "jpeg", "--progressive"], photo, encode(format="jpeg", progressive=True)),
            (["--format", "jpeg", "--optimize"], photo, encode(format="jpeg", optimize=True)),
            (["--format", "webp", "--lossless"], photo, encode(format="webp", lossless=True)),
            (["--format", "avif", "--depth", "10"], photo, encode(format="avif", depth=10)),
            (["--keep", "all"], photo, {"keep": "all"}), (["--keep", "none"], photo, {"keep": "none"}),
            (["--edge", "mirror"], photo, {"edge": "mirror"}), (["--edge", "repeat"], photo, {"edge": "repeat"}),
            (["--edge", "clear", "--background", "white"], photo, {"edge": "clear"} | encode(background="white")),
            (["--linear"], photo, {"linear": True}), (["--dither"], photo, {"dither": True}),
            (["--rect", "10,20,100,80", "--rect", "center,50%x20"], photo, {"rects": ["10,20,100,80", "center,50%x20"]}),
            (["--first-frame"], animated, decode(first_frame=True)), ([], animated, {}),
            (["--fail-on", "none"], cut, decode(fail_on="none")), ([], cut, {}),
            (["--max-pixels", "1000"], photo, decode(max_pixels=1000)), (["--max-side", "100"], photo, decode(max_side=100)),
            (["--max-memory", "1M"], photo, decode(max_memory=1 << 20)), (["--max-time", "0.001"], photo, decode(max_time=0.001)),
            (["--threads", "3"], photo, {"threads": 3}), (["--sandbox"], photo, decode(sandbox=cases.frost)),
            (["--sandbox"], cut, decode(sandbox=cases.frost)),
            (["--allow", "png"], photo, decode(allow="png")), (["--allow", "jpg,webp"], photo, decode(allow=["jpg", "webp"])),
            (["--sandbox"], animated, decode(sandbox=cases.frost))]:
        compare(cases, package, ["blur", "--sigma", "6", *words], data,
                lambda data: package.blur_encoded(data, 6, **values), words)


def effects(cases, package):
    """Every effect. Some need a mask, which is an error here. Each redaction has new secret keys, so its bytes differ."""
    photo = package.blur_encoded((ROOT / "Samples/scene.png").read_bytes(), 0, encoding=package.Encoding("ppm", background="white"))
    names = [info.name for info in package.effects() if info.name not in ("gaussian", "redact")]
    assert len(names) > 40, names
    for name in names:
        compare(cases, package, ["effect", name, "--background", "white"], photo,
                lambda data: package.effect_encoded(data, name, encoding=package.Encoding(background="white")), name)
    compare(cases, package, ["effect", "material-thick-dark", "--scale", "2", "--format", "jpeg"], photo,
            lambda data: package.effect_encoded(data, "material-thick-dark", scale=2, format="jpeg"), "scale")


def masks(cases, package):
    """A mask is read as by the command."""
    photo, mask = (ROOT / "Samples/scene.png").read_bytes(), ROOT / "docs/images/corners.png"
    for words, call in [
            (["blur", "--sigma", "9"], lambda data: package.blur_encoded(data, 9, mask=mask.read_bytes())),
            (["effect", "variable", "--radius", "9"],
             lambda data: package.effect_encoded(data, "variable", radius=9, mask=mask.read_bytes()))]:
        assert compare(cases, package, [*words, "--mask", str(mask)], photo, call, words) == 0


def batches(cases, package):
    """Many pictures on several threads at the same time give the bytes of single calls, and errors in their places."""
    items = [path.read_bytes() for form in CORPORA for path in sorted((ROOT / "Tests/fuzz" / form).iterdir())]

    def one(data):
        try:
            return package.blur_encoded(data, 3, threads=1)
        except package.Error as error:
            return type(error).__name__

    expected = [one(data) for data in items]
    shown = lambda results: [type(made).__name__ if isinstance(made, Exception) else made for made in results]
    for threads in (1, 2, 8):
        assert shown(package.blur_batch(items, 3, errors="return", threads=threads)) == expected, threads
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(one, items * 3)) == expected * 3
    assert any(isinstance(made, str) for made in expected) and any(isinstance(made, bytes) for made in expected)


def main():
    cases = Cases("encoded", __doc__, [("--library", {"required": True, "help": "the libfrost.so beside libfrost-images.so"})])
    library = Path(cases.options.library).resolve()
    os.environ["FROST_LIBRARY"] = str(library)
    os.environ["FROST_IMAGES_LIBRARY"] = str(library.with_name("libfrost-images.so"))
    sys.path.insert(0, str(ROOT / "python"))
    import frost

    # The command's warnings are on standard error, and not compared.
    warnings.simplefilter("ignore", frost.PictureWarning)
    for name, case in [("formats", formats), ("options", options), ("effects", effects), ("masks", masks),
                       ("batches", batches)]:
        cases.run(name, case, cases, frost)
    cases.finish()


main()
