#!/usr/bin/env python3
"""Runs the command on the corpora with different contents of new memory, and compares the results byte for byte.

    uninitialised.py --frost PATH [--quick] [--only TEXT] [--junit FILE]

The law: no result depends on memory that nobody has written. MALLOC_PERTURB_ makes glibc fill every block that malloc returns and
every block that is freed; Tests/perturb fills the memory that Frost maps itself. Each command runs without both, and with two bytes
whose bits are opposite. Exit code, messages and the output must be the same. A preloaded library that leaves rows of a PNG
unwritten must make the comparison fail.

Not covered are the processes of the sandbox and of large AVIFs and JPEG XLs, which get no environment, and the pixels of a HEIC,
while Frost makes malloc clear memory for libheif.
"""

import concurrent.futures
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True

from report import Cases

ROOT = Path(__file__).resolve().parents[2]
CORPORA = ["png", "jpeg", "webp", "qoi", "netpbm", "tiff", "avif", "jxl", "bmp", "gif", "heic", "animation", "y4m", "scene"]
# None leaves memory as it is.
BYTES = [None, 0x55, 0xAA]
BASE = ["--quiet", "--backend", "cpu", "--threads", "2"]


def libraries(folder):
    """Builds the preloaded libraries."""
    for name in ("perturb", "lazy-png"):
        subprocess.run(["cc", "-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", ROOT / f"Tests/perturb/{name}.c",
                        "-o", folder / f"{name}.so", "-ldl"], check=True)


class Runner:
    def __init__(self, frost, folder):
        self.frost, self.folder, self.count, self.done = frost, folder, 0, 0

    def outcome(self, words, output, byte, preload=()):
        """Runs a command in a folder of its own. Returns its exit code, its messages and the hashes of its outputs."""
        environment = {**os.environ, "LD_PRELOAD": ":".join(str(self.folder / f"{name}.so") for name in (*preload, "perturb"))}
        environment.pop("MALLOC_PERTURB_", None)
        if byte is not None:
            environment |= {"MALLOC_PERTURB_": str(byte), "PERTURB_BYTE": str(byte)}
        place = tempfile.mkdtemp(dir=self.folder)
        try:
            done = subprocess.run([self.frost, *words, *BASE, *(["-o", output] if output else [])], cwd=place, env=environment,
                                  stdin=subprocess.DEVNULL, capture_output=True, timeout=300)
            files = {str(path.relative_to(place)): hashlib.sha256(path.read_bytes()).hexdigest()
                     for path in Path(place).rglob("*") if path.is_file()}
            return done.returncode, done.stderr, done.stdout, files
        finally:
            shutil.rmtree(place)

    def differences(self, words, output, preload=()):
        """The runs of a command that differ from the first one."""
        outcomes = [self.outcome(words, output, byte, preload) for byte in BYTES]
        assert outcomes[0][0] != 2, (words, outcomes[0][1])
        self.count += len(BYTES)
        self.done += outcomes[0][0] == 0
        return [(hex(byte), outcomes[0][:2], outcome[:2], outcomes[0][3], outcome[3])
                for byte, outcome in zip(BYTES[1:], outcomes[1:]) if outcome != outcomes[0]]

    def compare(self, works):
        """Compares the results of (words, output) pairs."""
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            found = list(pool.map(lambda work: (work, self.differences(*work)), works))
        bad = [(work, differences) for work, differences in found if differences]
        assert not bad, (len(bad), bad[:3])


def corpus(runner, name, quick):
    """Every file of a corpus, once refusing faults and once accepting missing pixels."""
    paths = sorted(path for path in (ROOT / "Tests/fuzz" / name).iterdir() if path.is_file())
    works = []
    for path in paths[::6 if quick else 1]:
        if name == "scene":
            works.append((["animate", path, "--at", "0.5", "--max-pixels", "1000000"], "out.png"))
        elif name == "y4m":
            works += [(["blur", path, "--format", "y4m", "--sigma", "2"], "out.y4m"),
                      (["effect", "light", path, "--format", "y4m"], "out.y4m")]
        else:
            output = "out.webp" if name == "animation" else "out.tif"
            works += [(["blur", path, "--sigma", "2", "--keep", "all", "--fail-on", level], output) for level in ("error", "none")]
    before = runner.done
    runner.compare(works)
    assert runner.done > before or quick or name == "scene", f"no file of {name} was read"


def effects(runner, picture, quick):
    """Every effect, on a picture with alpha and on rectangles of it."""
    listed = subprocess.run([runner.frost, "effects", "--json"], capture_output=True, text=True, check=True).stdout
    names = [json.loads(line)["name"] for line in listed.splitlines()]
    works = []
    for name in names[::8 if quick else 1]:
        words = ["effect", name, picture, *(["--key", runner.folder / "key"] if name == "redact" else [])]
        mask = ["--mask", ROOT / "Samples/photo.png"] if name in ("variable", "ci-masked-variable") else []
        works += [([*words, *mask], "out.png"), ([*words, "--rect", "10,7,61,40", *mask], "out.tif")]
    runner.compare(works)
    assert runner.done > len(works) // 2, runner.done


def outputs(runner, picture, quick):
    """Every format that is written, with its options, and the other ways of a picture through the program."""
    works = []
    for suffix, *more in [["png"], ["png", "--depth", "16"], ["jpg"], ["jpg", "--progressive"], ["jpg", "--optimize"],
                          ["jpg", "--subsampling", "422"], ["webp"], ["webp", "--lossless"], ["qoi"], ["ppm"], ["pam"], ["pfm"],
                          ["tif"], ["avif"], ["avif", "--lossless"], ["avif", "--depth", "10"], ["jxl"], ["jxl", "--lossless"]]:
        opaque = ["--background", "white"] if suffix in ("jpg", "ppm", "pfm") else []
        works.append((["blur", picture, "--sigma", "3", "--keep", "all", *more, *opaque], f"out.{suffix}"))
    for more in [["--linear"], ["--dither"], ["--edge", "mirror"], ["--edge", "repeat"], ["--edge", "reflect-101"], ["--edge", "clear"],
                 ["--resize", "50%"], ["--resize", "333x57", "--resize-mode", "cover"], ["--pad", "300x500"],
                 ["--mask", ROOT / "Samples/photo.png"], ["--rect", "9,9,70,50", "--feather", "9"],
                 ["--rect", "9,9,70,50", "--corner-radius", "30%", "--bounded"]]:
        for sigma in ("0.7", "3", "60"):
            works.append((["blur", picture, "--sigma", sigma, *more], "out.png"))
    for name in ("dissolve", "swipe", "copy-machine", "bars-swipe", "mod", "ripple", "flash", "accordion-fold", "page-curl",
                 "page-curl-with-shadow"):
        works.append((["transition", picture, picture, "--effect", name, "--time", "0.4"], "out.png"))
    for more in [[], ["--vibrancy", "label"], ["--content-mode", "aspect-fit"]]:
        works.append((["effect", "light", picture, "--content", ROOT / "Samples/label.png", *more], "out.png"))
    works.append((["transition", picture, picture, "--effect", "ripple", "--duration", "0.2"], "out.apng"))
    works.append((["transition", picture, picture, "--effect", "ripple", "--duration", "0.2"], "out.webp"))
    for path in sorted((ROOT / "examples/scenes").glob("*.json")):
        works.append((["animate", path, "--at", "0.4"], "out.png"))
    runner.compare(works[::7] if quick else works)


def batch(runner, quick):
    """Pictures that one process reads one after the other, so that each gets memory of earlier ones."""
    works = []
    for name in ("png", "jpeg", "qoi"):
        paths = sorted((ROOT / "Tests/fuzz" / name).iterdir())[::4 if quick else 1]
        words = ["blur", *paths, "--sigma", "2", "--format", "tiff", "--jobs", "1", "--fail-on", "none"]
        assert len(runner.outcome(words, "out/", None)[3]) > len(paths) // 3, name
        works.append((words, "out/"))
    runner.compare(works)


def found(runner, picture):
    """A reader that leaves rows unwritten is found: by the memory of malloc, or by that of the pool."""
    words = ["blur", picture, "--sigma", "2"]
    assert not runner.differences(words, "out.png")
    assert len(runner.differences(words, "out.png", ["lazy-png"])) == len(BYTES) - 1, "the comparison finds nothing"


def main():
    cases = Cases("uninitialised", __doc__)
    quick = cases.options.quick
    with tempfile.TemporaryDirectory(prefix="frost-uninitialised-") as name:
        folder = Path(name)
        libraries(folder)
        (folder / "key").write_bytes(bytes(range(32)))
        picture = folder / "picture.png"
        subprocess.run([cases.frost, "blur", ROOT / "Samples/label.png", "-o", picture, "--sigma", "0", "--resize", "160x120",
                        "--quiet"], check=True)
        runner = Runner(cases.frost, folder)
        cases.run("rows that nobody writes are found", found, runner, picture)
        for part in CORPORA:
            cases.run(f"the corpus {part}", corpus, runner, part, quick)
        cases.run("effects", effects, runner, picture, quick)
        cases.run("outputs", outputs, runner, picture, quick)
        cases.run("a batch", batch, runner, quick)
        print(f"{runner.count} runs were compared; {runner.done} of {runner.count // len(BYTES)} commands had a result")
    cases.finish()


if __name__ == "__main__":
    main()
