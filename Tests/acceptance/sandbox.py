"""Checks --sandbox: the same pictures and messages as without it, and nothing that a decoder may do to the system.

The decoders are attacked through a libavif of the tests, which does not decode but tries to escape, crashes, hangs, takes
memory or sends garbage. Without --sandbox the same library succeeds.
"""

import os
import re
import subprocess
import tempfile
import time
from pathlib import Path

from report import Cases, Skipped

ROOT = Path(__file__).resolve().parents[2]
FORMATS = ["png", "jpeg", "webp", "qoi", "netpbm", "tiff", "avif", "jxl", "bmp", "heic", "gif"]


def run(frost, *words, cwd, **options):
    return subprocess.run([frost, *words], cwd=cwd, capture_output=True, timeout=60, **options)


def both(frost, folder, words, name="in", **options):
    """Runs a command without and with the sandbox, and returns what each printed, its exit code and its output file."""
    results = []
    for more in ([], ["--sandbox"]):
        output = folder / "out.tif"
        output.unlink(missing_ok=True)
        done = run(frost, *words, "-o", "out.tif", "--quiet", *more, cwd=folder, **options)
        results.append((done.returncode, done.stderr, output.read_bytes() if output.exists() else None))
    return results


def same_pictures(frost):
    """Every picture of the fuzzing corpora, whole and cut off, gives the same file or the same error."""
    with tempfile.TemporaryDirectory(prefix="frost-sandbox-") as name:
        folder = Path(name)
        codes = set()
        for path in sorted(path for form in FORMATS for path in (ROOT / "Tests/fuzz" / form).iterdir()):
            whole = path.read_bytes()
            for data, level in [(whole, "error"), (whole[:len(whole) * 7 // 10], "error"),
                                (whole[:len(whole) * 7 // 10], "none")]:
                (folder / "in").write_bytes(data)
                plain, sandboxed = both(
                    frost, folder, ["blur", "in", "--sigma", "2", "--keep", "all", "--fail-on", level])
                assert plain == sandboxed, (path, plain[:2], sandboxed[:2])
                codes.add(plain[0])
        assert {0, 3} <= codes, codes


def same_elsewhere(frost):
    """Standard input, masks, contents and batches are decoded in the sandbox too."""
    with tempfile.TemporaryDirectory(prefix="frost-sandbox-") as name:
        folder = Path(name)
        picture = (ROOT / "docs/images/corners.png").read_bytes()
        (folder / "in.png").write_bytes(picture)
        mask = str(ROOT / "Tests/fuzz/png/grey")
        for words, options in [
            (["blur", "-", "--sigma", "5"], {"input": picture}),
            (["blur", "in.png", "--sigma", "5", "--mask", mask], {}),
            (["effect", "light", "in.png", "--content", mask], {}),
            (["blur", "in.png", "--sigma", "5", "--linear"], {}),
        ]:
            plain, sandboxed = both(frost, folder, words, **options)
            assert plain == sandboxed and plain[0] == 0 and plain[2], (words, plain[:2], sandboxed[:2])
        for index in range(20):
            (folder / f"{index}.png").write_bytes(picture)
        inputs = [f"{index}.png" for index in range(20)]
        for target, more in [("plain/", []), ("sandboxed/", ["--sandbox"])]:
            done = run(frost, "blur", *inputs, "-o", target, "--sigma", "1", *more, cwd=folder)
            assert done.returncode == 0, done.stderr
        for entry in inputs:
            assert (folder / "plain" / entry).read_bytes() == (folder / "sandboxed" / entry).read_bytes(), entry


def hostile(folder, action):
    """Builds the hostile libavif and returns the environment that makes Frost use it."""
    header = (ROOT / "Sources/Pictures/CCodecs/include/CAVIF.h").read_text()
    names = re.findall(r"_\((avif\w+)\)", header)
    assert "avifDecoderCreate" in names, names
    (folder / "names.inc").write_text("".join(f"STUB({name})\n" for name in names))
    for version in (14, 15, 16):
        subprocess.run(["cc", "-shared", "-fPIC", "-w", f"-DDO={action}", f"-I{folder}", ROOT / "Tests/c/hostile_codec.c",
                        "-o", folder / f"libavif.so.{version}"], check=True)
    return {**os.environ, "LD_LIBRARY_PATH": str(folder)}


def attack(frost, action, *more, sandbox=True):
    with tempfile.TemporaryDirectory(prefix="frost-sandbox-") as name:
        folder = Path(name)
        variables = hostile(folder, action)
        (folder / "in.avif").write_bytes((ROOT / "Tests/fuzz/avif/rgb").read_bytes())
        began = time.monotonic()
        done = run(frost, "blur", "in.avif", "-o", "out.png", "--sigma", "2", *more,
                   *(["--sandbox"] if sandbox else []), cwd=folder, env=variables, text=True)
        assert not (folder / "out.png").exists()
        left = [path.name for path in folder.iterdir() if path.name.startswith(".")]
        assert not left, left
        return done, time.monotonic() - began


def escape(frost):
    """A decoder in the sandbox can neither open nor create files, nor use a network, start or signal processes, or make
    memory executable. Without the sandbox the same decoder can do all of that, so the attempts are real."""
    done, _ = attack(frost, 1, sandbox=False)
    assert done.returncode == 64 + 63, (done.returncode, done.stderr)
    done, _ = attack(frost, 1)
    assert done.returncode == 3, done
    assert done.stderr == "frost: in.avif: its decoder ended with exit code 64 and without a result\n", done.stderr


def crash(frost):
    """A decoder that crashes is an error of its picture; the command goes on."""
    done, _ = attack(frost, 2)
    assert done.returncode == 3 and "its decoder was ended by signal 11" in done.stderr, done


def hang(frost):
    """A decoder that does not return is ended after --max-time. Without the sandbox it cannot be ended."""
    done, took = attack(frost, 3, "--max-time", "0.5")
    assert done.returncode == 4 and "took longer than the limit of 0.5 s" in done.stderr, done
    # Long enough for a loaded machine: without the limit it would be the whole timeout of a minute.
    assert took < 30, took


def memory(frost):
    """A decoder gets about the memory that --max-memory allows, not more than 4 GiB here."""
    done, _ = attack(frost, 4, "--max-memory", "100M")
    assert done.returncode == 3 and "exit code 64" in done.stderr, done


def garbage(frost):
    """Bytes that are not a picture are an error."""
    done, _ = attack(frost, 5)
    assert done.returncode == 3 and "sent something else than a picture" in done.stderr, done


def orphan(frost):
    """A decoder ends soon after the command was killed, even if it hangs: its processor time is limited."""
    with tempfile.TemporaryDirectory(prefix="frost-sandbox-") as name:
        folder = Path(name)
        variables = hostile(folder, 3)
        (folder / "in.avif").write_bytes((ROOT / "Tests/fuzz/avif/rgb").read_bytes())
        parent = subprocess.Popen([frost, "blur", "in.avif", "-o", "out.png", "--sigma", "2", "--sandbox", "--max-time",
                                   "0.1"], cwd=folder, env=variables, stderr=subprocess.DEVNULL)
        children = Path(f"/proc/{parent.pid}/task/{parent.pid}/children")
        if not children.exists():
            raise Skipped("the kernel does not list children")
        # The limit is a second for each processor.
        deadline = time.monotonic() + 30 + 4 * os.cpu_count()
        found = []
        while not found and time.monotonic() < deadline and parent.poll() is None:
            found = [child for path in Path(f"/proc/{parent.pid}/task").glob("*/children")
                     for child in path.read_text().split()]
        parent.kill()
        parent.wait()
        for child in found:
            while Path(f"/proc/{child}/exe").exists() and time.monotonic() < deadline:
                time.sleep(0.1)
            assert not Path(f"/proc/{child}/exe").exists(), f"process {child} is still there"


def main():
    cases = Cases("sandbox", __doc__)
    for name, case in [("same pictures", same_pictures), ("input, masks and batches", same_elsewhere), ("escape", escape),
                       ("crash", crash), ("hang", hang), ("memory", memory), ("garbage", garbage), ("orphan", orphan)]:
        cases.run(name, case, cases.frost)
    cases.finish()


main()
