#!/usr/bin/env python3
"""Tests the hardware kit: a packed folder, short runs of it, and runs with faulty drivers.

    kit.py --frost PATH --kit FOLDER --shim LIBRARY [--only TEXT] [--junit FILE]

LIBRARY is compiled from Tests/drm-shim. FOLDER is what `Tools/gpu-kit pack` made. The kit runs with a nearly empty environment, so that it can use no library or program
of the toolchain. The cases take 30 s on two processors.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.dont_write_bytecode = True

from doctor import HANGS, vendor
from report import Cases

# What the machine must have; see Tools/gpu-kit.
GIVEN = re.compile(r"(linux-vdso|ld-linux.*|libc|libm|libgcc_s|libstdc\+\+|libEGL|libGLESv2|libgbm)\.so")
GLIBC = (2, 34)
MAXIMUM_BYTES = 60 << 20


class Kit:
    def __init__(self, folder, work):
        self.folder = Path(folder).resolve()
        self.program = self.folder / "gpu-kit"
        self.work = Path(work)
        self.environment = {"HOME": str(work), "PATH": "/usr/bin:/bin"} | {
            name: value for name, value in os.environ.items() if name.startswith(("LP_", "MESA_", "LANG"))}

    def run(self, *words, **environment):
        """Runs the kit, and returns its exit code, the lines of its result by step, and the time that it took."""
        output = self.work / "result.json"
        began = time.monotonic()
        done = subprocess.run([self.program, "run", "--output", output, *words], env=self.environment | environment,
                              cwd=self.work, capture_output=True, text=True, timeout=120)
        assert output.exists(), done.stderr
        lines = [json.loads(line) for line in output.read_text().splitlines()]
        assert lines[0]["schema"] == "frost.kit.run/1" and lines[-1]["schema"] == "frost.kit.end/1", lines
        steps = {line["step"]: line for line in lines if line["schema"] == "frost.kit.step/1"}
        counts = {outcome: sum(step["outcome"] == outcome for step in steps.values())
                  for outcome in ("passed", "failed", "skipped")}
        assert all(lines[-1][outcome] == count for outcome, count in counts.items()), (lines[-1], counts)
        return done.returncode, steps, time.monotonic() - began


def licences(kit):
    """The kit has the licence of the Swift runtime, and one for each package whose libraries it has."""
    names = {path.name for path in (kit.folder / "licences").iterdir()}
    assert "Runtime Library Exception" in (kit.folder / "licences/swift").read_text()
    for library in (kit.folder / "lib").iterdir():
        stem = re.match(r"lib[a-z]+", library.name)[0]
        assert stem == "libfrost" or any(name.startswith(stem) for name in names), (library, names)


def time_of_a_run(kit):
    """The limits of all steps, which the help prints, add up to at most eight minutes."""
    text = subprocess.run([kit.program, "--help"], env=kit.environment, capture_output=True, text=True, check=True).stdout
    limits = [int(seconds) for seconds in re.findall(r", (\d+) s at most", text)]
    assert len(limits) == 16 and sum(limits) <= 480, limits


def contents(kit):
    """The folder is small enough, and each program finds its libraries in it or on every machine."""
    files = [path for path in kit.folder.rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in files) <= MAXIMUM_BYTES
    binaries = [path for path in files if path.read_bytes()[:4] == b"\x7fELF"]
    assert {"frost", "libfrost.so.0", "libEGL.so.1", "states", "dmabufs"} <= {path.name for path in binaries}, binaries
    for path in binaries:
        versions = re.findall(r"GLIBC_(\d+)\.(\d+)", subprocess.run(
            ["objdump", "-T", path], capture_output=True, text=True, check=True).stdout)
        newest = max((int(major), int(minor)) for major, minor in versions)
        assert newest <= GLIBC, f"{path.name} needs glibc {newest}"
        needed = re.findall(r"\(NEEDED\).*\[(.*)\]", subprocess.run(
            ["readelf", "-d", path], capture_output=True, text=True, check=True).stdout)
        missing = [name for name in needed if not GIVEN.match(name) and not (kit.folder / "lib" / name).exists()]
        assert not missing, f"{path.name} needs {missing}"
    found = subprocess.run(
        ["ldd", kit.folder / "frost"], capture_output=True, text=True, check=True,
        env=kit.environment | {"LD_LIBRARY_PATH": str(kit.folder / "lib")}).stdout
    for name, path in re.findall(r"(\S+) => (\S+)", found):
        assert GIVEN.match(name) or Path(path).parent == kit.folder / "lib", f"{name} is taken from {path}"


def passes(kit):
    """A short run passes on this machine's devices. Other words are commands of frost."""
    steps = ["devices", "exactness", "effects", "compute", "fragment", "faults", "context-loss", "host", "dma-buf"]
    code, results, _ = kit.run("--only", ",".join(steps))
    outcomes = {name: result["outcome"] for name, result in results.items()}
    assert code == 0 and list(results) == steps, (code, results)
    assert {outcomes[name] for name in steps[:-1]} == {"passed"}, results
    # Without a render node there are no dma-bufs, and the reason says so.
    if not list(Path("/dev/dri").glob("renderD*")):
        assert outcomes["dma-buf"] == "skipped" and "render node" in results["dma-buf"]["finding"], results["dma-buf"]
    for name, count in ("exactness", 45), ("effects", 40):
        within = re.match(r"(\d+) of (\d+) comparisons within the bound; largest error: ([0-9.]+)", results[name]["finding"])
        assert within and within[1] == within[2] and int(within[1]) >= count and 0 < float(within[3]) <= 1, results[name]
    # Both kinds of shaders were compared, with pictures and with effects.
    for name in "compute", "fragment":
        counts = re.findall(r"(\d+) of (\d+) comparisons within the bound", results[name]["finding"])
        assert len(counts) == 2 and all(one == other and int(one) >= 40 for one, other in counts), results[name]
    version = subprocess.run([kit.program, "--version"], env=kit.environment, capture_output=True, text=True, check=True)
    assert version.stdout.startswith("frost "), version


def wrong_pixels(kit):
    """A device whose draws have no effect fails the comparison, in the result and by the exit code."""
    code, results, _ = kit.run("--only", "exactness", "--fault", "draws")
    assert code == 1 and results["exactness"]["outcome"] == "failed", results
    assert "blurs a test picture wrongly" in results["exactness"]["finding"], results


def failing_call(kit):
    """A GL call that fails is the finding of the step."""
    code, results, _ = kit.run("--only", "exactness", "--fault", "memory")
    assert code == 1 and "out of memory" in results["exactness"]["finding"], results


def hanging_driver(kit):
    """A driver that hangs fails its steps, and the run ends in time."""
    environment = {"__EGL_VENDOR_LIBRARY_FILENAMES": vendor(kit.work, HANGS)}
    code, results, seconds = kit.run("--only", "devices,exactness", "--seconds", "4", **environment)
    assert code == 1 and results["devices"]["outcome"] == "failed", results
    assert "stopped after" in results["devices"]["finding"] and "exactness" not in results, results
    assert seconds < 14, seconds


def dma_bufs(kit, shim):
    """The step passes on a DRM device that a preloaded library simulates, and fails on a file that is no such device."""
    def step(node, **environment):
        return subprocess.run(
            [kit.program, "step", "dma-buf"], capture_output=True, text=True, timeout=30,
            env=kit.environment | environment | {"FROST_RENDER_NODE": node})

    done = step("/dev/null", LD_PRELOAD=str(shim))
    assert done.returncode == 0 and " 0 failed" in done.stdout, done
    done = step("/dev/full")
    assert done.returncode == 1 and "dmabufs.c" in done.stderr, done
    assert str(Path(__file__).resolve().parents[2]) not in done.stderr, done


def report(kit):
    """A report shows several results in order. A file that is no result is refused."""
    kit.run("--only", "devices")
    result = kit.work / "result.json"
    lines = result.read_text().splitlines()
    card = kit.work / "card.json"
    # A result as another machine would send it: a hardware device with markup in its name, and a run that was interrupted.
    changed = [json.loads(line) for line in lines[:-1]]
    for line in changed:
        if line["schema"] == "frost.kit.device/1":
            line |= {"renderer": "A | card <b>", "software": False}
    card.write_text("".join(json.dumps(line) + "\n" for line in changed))
    page = [sys.executable, Path(__file__).resolve().parents[2] / "Tools/lib/hardware_page.py"]
    text = subprocess.run([*page, result, card], capture_output=True, text=True, check=True, timeout=20).stdout
    assert "**Hardware seen so far:** A \\| card \\<b\\>" in text, text
    assert text.index("## llvmpipe") < text.index("## A \\|") and "interrupted" in text and "| devices | passed |" in text, text
    card.write_text('{"schema":"frost.bench/1"}\n')
    refused = subprocess.run([*page, card], capture_output=True, text=True, timeout=20)
    assert refused.returncode == 1 and "not a result" in refused.stderr, refused


def main():
    cases = Cases("kit", __doc__, [
        ("--kit", {"required": True, "help": "the folder of the kit"}),
        ("--shim", {"required": True, "help": "the library that simulates a DRM device"})])
    with tempfile.TemporaryDirectory() as work:
        kit = Kit(cases.options.kit, work)
        for case in (time_of_a_run, licences, contents, passes, wrong_pixels, failing_call, hanging_driver, report):
            cases.run(case.__name__.replace("_", " "), case, kit)
        cases.run("dma-bufs", dma_bufs, kit, Path(cases.options.shim).resolve())
    cases.finish()


if __name__ == "__main__":
    main()
