"""Runs the command with random options at random limits of memory, time and address space.

The first law: a command that is accepted takes at most 32 MiB more memory than --max-memory allows, whatever the picture, the
effect and the formats.

The second law: whatever the limit, the exit code is one that the command documents, every error prints a message, a message names
the file as it was given, and the output is complete or missing. File names are long, because Swift stores up to 15 bytes of a
string in place: memory that is used after it was freed shows only with longer names.
"""

import collections
import contextlib
import os
import random
import resource
import subprocess
import tempfile
import threading
import time
from pathlib import Path

from report import Cases

ROOT = Path(__file__).resolve().parents[2]
# Done, wrong use, bad input, over a limit, cannot write, and not supported.
ALLOWED = {0, 2, 3, 4, 6}
SEED = 20261127


def pictures(frost, folder):
    """Makes pictures of several sizes and formats, each with a long name."""
    sample = ROOT / "Samples/scene.png"
    opaque = ["--background", "white"]
    made = []
    for index, (suffix, more) in enumerate(
            [("png", []), ("png", ["--depth", "16"]), ("jpg", opaque), ("webp", []), ("tif", []), ("ppm", opaque), ("pfm", opaque)]):
        target = folder / f"a-picture-with-a-long-name-{index}.{suffix}"
        subprocess.run([frost, "blur", sample, "-o", target, "--sigma", "1", "--quiet", *more], check=True)
        made.append(target.name)
    noise = folder / "a-large-picture-with-a-long-name.ppm"
    noise.write_bytes(b"P6\n2600 2000\n255\n" + bytes(15_600_000))
    return [*made, noise.name]


def command(names, chance):
    """Returns a random command without its output and limit."""
    source = chance.choice(names)
    head = chance.choice([
        ["blur", source, "--sigma", "3"], ["effect", "light", source], ["effect", "redact", source],
        ["effect", "variable", source, "--mask", chance.choice(names)], ["effect", "material-thick-dark", source],
        ["effect", "zoom", source, "--amount", "2"], ["effect", "tilt-shift", source]])
    if head[0] == "effect" and chance.random() < 0.4:
        head += ["--content", chance.choice(names)]
    if head[1] != "redact" and "--mask" not in head and chance.random() < 0.4:
        head += ["--mask", chance.choice(names)]
    for option, share in [
            (["--linear"], 0.2), (["--background", "white"], 0.5), (["--depth", "8"], 0.5), (["--sandbox"], 0.15),
            (["--rect", "100,100,400,300"], 0.2), (["--keep", "all"], 0.3), (["--fail-on", "none"], 0.2)]:
        if chance.random() < share:
            head += option
    return head


def sweep(frost, runs, seed, kinds):
    chance = random.Random(seed)
    codes = collections.Counter()
    with tempfile.TemporaryDirectory(prefix="frost-limits-of-memory-and-time-") as name:
        folder = Path(name)
        names = pictures(frost, folder)
        for _ in range(runs):
            output = folder / ("an-output-with-a-long-name." + chance.choice(["png", "jpg", "webp", "tif", "qoi", "pam"]))
            words = [*command(names, chance), "-o", output.name, "--quiet", "--threads", chance.choice("124")]
            bound = None
            kind = chance.choice(kinds)
            if kind == "memory":
                words += ["--max-memory", f"{chance.choice([chance.randrange(1, 60), chance.randrange(1, 600)])}M"]
            elif kind == "time":
                words += ["--max-time", f"{chance.choice([0.001, 0.005, chance.random() * 0.1, chance.random()]):.3f}"]
            else:
                size = chance.randrange(200, 900) << 20
                bound = lambda: resource.setrlimit(resource.RLIMIT_AS, (size, size))  # noqa: B023
            output.unlink(missing_ok=True)
            done = subprocess.run([frost, *words], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=60,
                                  preexec_fn=bound)
            evidence = (done.returncode, done.stderr[-300:], kind, " ".join(words))
            codes[kind, done.returncode] += 1
            assert done.returncode in ALLOWED, evidence
            # If memory is missing for the last line of the command, the output is complete already.
            late = kind == "space" and b"could not be allocated" in done.stderr
            assert output.exists() == (done.returncode == 0) or late, evidence
            assert not [path for path in folder.iterdir() if path.name.startswith(".")], evidence
            if done.returncode == 0:
                continue
            message = done.stderr.decode("utf-8")
            assert message.startswith("frost: "), evidence
            # If memory is missing for a value of Swift's, the message has the number of bytes only.
            if done.returncode == 4 and "could not be allocated" not in message:
                assert any(known in message for known in [*names, output.name]), evidence
    assert any(code == 4 for _, code in codes) and any(code == 0 for _, code in codes), codes
    return codes


def over_memory(frost, runs):
    """A mask and a content that do not fit into the memory: every run ends with exit code 4 and the name."""
    with tempfile.TemporaryDirectory(prefix="frost-limits-of-memory-and-time-") as name:
        folder = Path(name)
        picture = folder / "a-picture-with-a-long-name.ppm"
        picture.write_bytes(b"P6\n2600 2000\n255\n" + bytes(15_600_000))
        for option in ("--mask", "--content"):
            for given in (picture.name, str(picture)):
                for _ in range(runs):
                    done = subprocess.run(
                        [frost, "effect", "light", given, "-o", "out.png", "--quiet", "--threads", "2", option, given,
                         "--max-memory", "20M"], cwd=folder, capture_output=True, text=True, timeout=60)
                    assert done.returncode == 4 and given in done.stderr, (option, given, done)


# Commands that compute pictures row by row, as a whole, and in rectangles.
SCARCE = [["blur", "in.png", "--sigma", "3"], ["blur", "in.png", "--sigma", "40", "--threads", "3"],
          ["blur", "in.png", "--sigma", "9", "--mask", "mask.png", "--depth", "16", "-o", "out.tif"],
          ["effect", "light", "in.png", "--content", "mask.png"], ["effect", "light", "in.png", "--linear"],
          ["effect", "light", "in.png", "--mask", "mask.png"], ["effect", "redact", "in.png"], ["effect", "glass", "in.png"],
          ["effect", "variable", "in.png", "--mask", "mask.png"], ["effect", "zoom", "in.png"],
          ["blur", "in.png", "--sigma", "8", "--rect", "20,10,90,70"]]


def scarce(frost):
    """If the system has no memory for the first allocation of an effect, or for the second one, and so on, the command ends with
    exit code 4, says why, and leaves no output."""
    with tempfile.TemporaryDirectory(prefix="frost-scarce-memory-") as name:
        folder = Path(name)
        library = folder / "scarce.so"
        subprocess.run(["cc", "-std=c11", "-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", ROOT / "Tests/c/scarce_memory.c",
                        "-o", library], check=True)
        work = folder / "pictures"
        work.mkdir()
        for target, size in (("in.png", "200x150"), ("mask.png", "40x30")):
            subprocess.run([frost, "blur", ROOT / "docs/images/corners.png", "-o", work / target, "--sigma", "1", "--resize", size,
                            "--quiet"], check=True)
        for words in SCARCE:
            output = work / (words[words.index("-o") + 1] if "-o" in words else "out.png")
            words = words if "-o" in words else [*words, "-o", output.name]
            for count in range(1000):
                done = subprocess.run(
                    [frost, *words, "--quiet"], cwd=work, capture_output=True, text=True, timeout=60,
                    env=os.environ | {"LD_PRELOAD": str(library), "FROST_SCARCE": str(count)})
                if done.returncode == 0:
                    break
                evidence = (words, count, done.returncode, done.stderr)
                starts = tuple(f"frost: {name}: not enough memory for " for name in ("in.png", output.name))
                assert done.returncode == 4 and done.stderr.startswith(starts), evidence
                assert sorted(path.name for path in work.iterdir()) == ["in.png", "mask.png"], evidence
            assert count > 5 and output.exists(), (words, count)
            output.unlink()


# The outputs of the law about memory, with the options that they need.
OUTPUTS = [["avif"], ["avif", "--lossless"], ["jxl"], ["jxl", "--lossless"], ["webp"], ["webp", "--lossless"], ["png"], ["tif"],
           ["jpg", "--background", "white"], ["jpg", "--background", "white", "--progressive"], ["qoi"], ["pam"],
           ["avif", "--depth", "10"], ["png", "--rect", "10,10,600,500"], ["jxl", "--rect", "10,10,600,500"]]
EFFECTS = [["blur", "--sigma", "4"], ["blur", "--sigma", "0"], ["blur", "--sigma", "200", "--edge", "mirror"],
           ["effect", "light"], ["effect", "redact"], ["effect", "ci-gaussian"], ["effect", "ci-disc", "--radius", "40"],
           ["effect", "zoom", "--amount", "2"], ["effect", "tilt-shift"], ["effect", "progressive"], ["effect", "variable"]]


# The outputs of the law about the memory of animations. A process of its own encodes each frame that becomes an AVIF or a JPEG
# XL; two frames take long enough.
ANIMATIONS = [["out.webp"], ["out.webp", "--lossless"], ["out.apng"], ["out.apng", "--background", "red"], ["out.y4m", "--background", "red"],
              ["out.y4m", "--background", "red", "--chroma", "444"], ["{frame}.png"], ["{frame}.jpg", "--background", "red"],
              ["{frame}.webp", "--lossless"], ["{frame}.tif"], ["{frame}.avif", "--fps", "10"], ["{frame}.jxl", "--fps", "10"]]
TRANSITIONS = [["dissolve"], ["page-curl"], ["flash"], ["ripple"], ["copy-machine"], ["swipe"], ["mod"],
               ["disintegrate-with-mask", "--mask", "smooth3.pam"]]


def large_pictures(folder, chance, width=1400, height=1000):
    """Writes flat, smooth and noisy pictures with and without alpha, of 1.4 megapixels, and returns their names. A mistake of
    24 bytes per pixel shows."""
    ramp = bytes(x * 255 // width for x in range(width))
    made = []
    for channels, kind in [(3, b"RGB"), (4, b"RGB_ALPHA")]:
        smooth = bytearray()
        for y in range(height):
            line = bytearray(width * channels)
            for c in range(channels):
                line[c::channels] = bytes((value * (c + 1) + y * (c + 2) // 3) & 255 for value in ramp)
            smooth += line
        contents = {"flat": bytes([90, 20, 200, 77][:channels]) * (width * height), "smooth": bytes(smooth),
                    "noise": chance.randbytes(width * height * channels)}
        for name, pixels in contents.items():
            path = folder / f"{name}{channels}.pam"
            path.write_bytes(b"P7\nWIDTH %d\nHEIGHT %d\nDEPTH %d\nMAXVAL 255\nTUPLTYPE %s\nENDHDR\n"
                             % (width, height, channels, kind) + pixels)
            made.append(path.name)
    return made


def resident(identifier):
    """The anonymous memory of a process and its children, and the largest memory that one of them has had, in MiB."""
    try:
        children = Path(f"/proc/{identifier}/task/{identifier}/children").read_text().split()
        status = Path(f"/proc/{identifier}/status").read_text()
    except OSError:
        return 0, 0
    values = dict(line.split(":", 1) for line in status.splitlines())
    together, largest = (int(values.get(key, "0 kB").split()[0]) / 1024 for key in ("RssAnon", "VmHWM"))
    for child in children:
        more = resident(child)
        together, largest = together + more[0], max(largest, more[1])
    return together, largest


def peak(command, folder):
    """Runs a command, and returns its exit code, its message and its largest memory in MiB: that of its largest process, or
    the anonymous memory of all its processes together if that is more. It is read every two milliseconds, because ru_maxrss
    also counts this program, which is copied to start the command."""
    process = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
    used, ended = [0.0], threading.Event()

    def watch():
        while not ended.is_set():
            with contextlib.suppress(OSError):
                if Path(f"/proc/{process.pid}/comm").read_text().strip() == Path(command[0]).name[:15]:
                    used[0] = max(used[0], *resident(process.pid))
            time.sleep(0.002)
    watcher = threading.Thread(target=watch)
    watcher.start()
    message = process.communicate()[1].decode()
    ended.set()
    watcher.join()
    return process.returncode, message, used[0]


def memory(frost, runs, seed):
    """Commands at the least limit that Frost accepts for them, and at random larger ones."""
    chance = random.Random(seed)
    done = 0
    with tempfile.TemporaryDirectory(prefix="frost-limits-of-memory-") as name:
        folder = Path(name)
        names = large_pictures(folder, chance)
        for format in ("avif", "jxl", "webp", "png"):
            for source in [chance.choice(names), "noise4.pam"]:
                target = f"{source[:-4]}-{format}.{format}"
                subprocess.run([frost, "blur", source, "-o", target, "--sigma", "0", "--quiet", "--force"], cwd=folder, check=True)
                names.append(target)
        accepted = 0
        # Every output with every kind of picture, then random commands.
        cases = [(source, ["blur", "--sigma", "4"], output) for source in names[:6] for output in OUTPUTS]
        chance.shuffle(cases)
        while len(cases) < runs:
            cases.append((chance.choice(names), chance.choice(EFFECTS), chance.choice(OUTPUTS)))
        for source, effect, (suffix, *more) in cases[:runs]:
            words = [effect[0], *(effect[1:2] if effect[0] == "effect" else []), source,
                     *effect[2 if effect[0] == "effect" else 1:], "-o", f"out.{suffix}", "--force", "--quiet", *more]
            if effect[1] == "variable":
                words += ["--mask", chance.choice(names)]
            elif effect[0] == "effect" and effect[1] != "redact" and chance.random() < 0.5:
                words += ["--content", chance.choice(names)]
            if suffix != "avif" or "--depth" not in more:
                words += chance.choice([[], ["--linear"], ["--keep", "all"]])
            words += ["--backend", "cpu", "--threads", chance.choice("12")]
            limit = 1
            for _ in range(9):
                code, message, used = peak([frost, *words, "--max-memory", f"{limit}M"], folder)
                evidence = (code, message, f"limit {limit} MiB, took {used:.0f} MiB", " ".join(words))
                assert code in ALLOWED, evidence
                assert used <= limit + 32, evidence
                if code != 4:
                    accepted += code == 0
                    break
                # The message names the limit that is enough, or the encoder ended.
                needs = message.split("needs ")
                limit = int(needs[1].split()[0]) if len(needs) > 1 else limit * 5 // 4 + 1
            else:
                raise AssertionError(evidence)
            done += 1
    assert accepted > done // 2, (accepted, done)


def animations(frost, runs, seed):
    """The first law for animations of two pictures: the least limit that Frost accepts, as in `memory`."""
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory(prefix="frost-limits-of-memory-") as name:
        folder = Path(name)
        names = large_pictures(folder, chance)
        cases = [(first, output) for output in ANIMATIONS for first in names]
        chance.shuffle(cases)
        accepted, worst = 0, 0
        for first, (target, *more) in cases[:runs]:
            words = ["transition", first, chance.choice(names), "-o", target, "--force", "--quiet", "--duration", "0.2", "--effect",
                     *chance.choice(TRANSITIONS), "--threads", chance.choice("12"), *more, *chance.choice([[], ["--linear"]])]
            limit = 1
            for _ in range(40):
                code, message, used = peak([frost, *words, "--max-memory", f"{limit}M"], folder)
                evidence = (code, message, f"limit {limit} MiB, took {used:.0f} MiB", " ".join(words))
                assert code in ALLOWED, evidence
                assert used <= limit + 32, evidence
                if code != 4:
                    assert code == 0, evidence
                    accepted += 1
                    worst = max(worst, used - limit)
                    break
                # What a later picture needs does not include the earlier ones.
                needs = message.split("needs ")
                limit = max(limit * 9 // 8 + 1, int(needs[1].split()[0]) if len(needs) > 1 else 0)
            else:
                raise AssertionError(evidence)
            for path in folder.iterdir():
                if path.name not in names:
                    path.unlink()
        print(f"{accepted} animations, at most {worst:.0f} MiB over the limit")


def main():
    cases = Cases("limits", __doc__, [
        ("--runs", {"type": int, "help": "random commands to run"}),
        ("--kinds", {"default": "memory,memory,time,space", "help": "kinds of limits; a sanitizer needs address space"})])
    runs = cases.options.runs or (15 if cases.options.quick else 1445)
    cases.run("masks and contents over the memory", over_memory, cases.frost, 5 if cases.options.quick else 40)
    # The library for LD_PRELOAD would come before that of a sanitizer.
    if "space" in cases.options.kinds:
        cases.run("no memory for an allocation", scarce, cases.frost)
    combinations = 30 if cases.options.quick else 400
    seed = SEED if cases.options.quick else random.randrange(1 << 32)
    cases.run(f"memory of {combinations} random commands, seed {seed}", memory, cases.frost, combinations, seed)
    cases.run("memory of animations", animations, cases.frost, 12 if cases.options.quick else len(ANIMATIONS) * 6, seed)
    seed = SEED if cases.options.quick else random.randrange(1 << 32)
    cases.run(f"{runs} random commands at random limits, seed {seed}",
              lambda: print(dict(sweep(cases.frost, runs, seed, cases.options.kinds.split(",")))))
    cases.finish()


if __name__ == "__main__":
    main()
