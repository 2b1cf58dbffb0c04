#!/usr/bin/env python3
"""Runs every example: the shell lines in README.md and the pages of docs, and those at the end of each command's help.
The lines of docs/tutorial.md build on each other; tutorial.py runs them. ELSEWHERE names what runs the lines that install
or build something.

    examples.py --frost PATH [--only TEXT] [--junit FILE]

Each line runs in bash, in a separate folder that holds a picture under every name that the line reads. The lines are
unchanged with two exceptions: downloads and screenshots give such a picture, and benchmarks use pictures of a tenth of the
size and one run. Lines that read a video must keep its sound.
The test needs only Python.
"""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True

from report import Cases, Skipped

ROOT = Path(__file__).resolve().parents[2]
PICTURE = ROOT / "Samples" / "label.png"
PHOTO = ROOT / "Samples" / "photo.png"
# These options compare measured times with a limit. The result depends on the machine, so the test accepts both outcomes.
BOUNDS = ("--max-ratio", "--max-loss")
SECONDS = 120
VIDEOS = (".mp4", ".mkv", ".mov")
# What runs the lines that install or build something, by their first words. Tools that take minutes are run by hand.
ELSEWHERE = {
    "pip install ": "Tests/acceptance/newcomers.py",
    "python3 -m venv ": "Tests/acceptance/newcomers.py",
    "frost-env/bin/pip install ": "Tests/acceptance/newcomers.py",
    "tar xf ": "Tests/acceptance/newcomers.py",
    "sudo apt install ./frost_": "Tests/acceptance/package",
    "cc main.c ": "Tests/acceptance/library.py",
    "frost serve": "Tests/acceptance/serve.py",
    "frost open": "Tests/acceptance/serve.py",
    "Tools/": "Tools",
}


def fenced(path):
    """Yields the shell lines of a Markdown file, with continuation lines joined."""
    inside, held = False, ""
    for line in path.read_text().splitlines():
        if line.startswith("```"):
            inside = line == "```sh"
            continue
        if inside:
            held += line.removesuffix("\\")
            if not line.endswith("\\"):
                yield held.strip()
                held = ""


def examples(frost):
    """Returns [(where, line), ...] with each line once."""
    found = {}

    def is_elsewhere(line):
        return any(line.startswith(words) for words in ELSEWHERE)

    for path in [ROOT / "README.md", *sorted(set((ROOT / "docs").rglob("*.md")) - {ROOT / "docs" / "tutorial.md"})]:
        for line in fenced(path):
            if line and not line.startswith("#") and not is_elsewhere(line):
                found.setdefault(re.sub(r"\s+# .*", "", line), path.name)
    done = subprocess.run([frost, "reference", "json"], capture_output=True, text=True, check=True)
    for command in json.loads(done.stdout)["commands"]:
        for line in command["examples"]:
            if is_elsewhere(line):
                continue
            found.setdefault(re.sub(r"\s+# .*", "", line), f"frost {command['name']} --help")
    return [(where, line) for line, where in found.items()]


def smaller(line):
    """Returns a benchmark line that takes only a moment."""
    words = re.sub(r"(\d+)x(\d+)", lambda size: f"{int(size[1]) // 10}x{int(size[2]) // 10}", line)
    return words + ("" if "--size" in line else " --size 192x108") + " --runs 1"


def inputs(line):
    """Yields the names of the pictures that a line reads. These are all pictures that the line names but does not write."""
    words = shlex.split(line, comments=True)
    written = {after for word, after in zip(words, words[1:]) if word in ("-o", "--output", "--sheet", "--diff", ">")}
    for word in words:
        for name in re.findall(r"[\w./-]+\.(?:png|jpe?g|webp)\b", word):
            if name not in written and "/" not in name:
                yield name


def videos_of(line):
    """Returns the names of the videos that a line reads."""
    words = shlex.split(line, comments=True)
    read = {word for before, word in zip([""] + words, words) if word.endswith(VIDEOS) and before != "-o"}
    # ffmpeg writes the file that its line names last.
    return read - {words[-1]} if "ffmpeg" in words else read


def shims(folder, frost):
    """Creates replacements for programs that the machine or its network may lack."""
    folder.mkdir()
    (folder / "frost").symlink_to(frost)
    picture = f'#!/bin/sh\nexec cat "{PICTURE}"\n'
    programs = {"curl": picture, "grim": picture, "slurp": "#!/bin/sh\necho 0,0 260x84\n",
                "swaylock": '#!/bin/sh\ntest "$1" = -i && test -s "$2"\n'}
    if not shutil.which("jq"):
        programs["jq"] = ("#!/usr/bin/env python3\nimport json, sys\n"
                          "for line in sys.stdin: print(json.loads(line)[sys.argv[-1][1:]])\n")
    for name, text in programs.items():
        (folder / name).write_text(text)
        (folder / name).chmod(0o755)


def run(frost, line):
    for program in ("ffmpeg", "vipsthumbnail"):
        if re.search(rf"\b{program}\b", line.replace("frost video", "ffmpeg").replace("party.gif", "ffmpeg")) and not shutil.which(program):
            raise Skipped(f"{program} is not installed")
    with tempfile.TemporaryDirectory(prefix="frost-example-") as name:
        work = Path(name) / "work"
        home = Path(name) / "home"
        for folder in (work, work / "blurred", work / "frames", home / ".zfunc", home / ".config/fish/completions"):
            folder.mkdir(parents=True)
        shims(Path(name) / "bin", frost)
        for picture in set(inputs(line)):
            if picture.endswith(".png"):
                # An encoder must take frames of an odd height and pictures of different sizes as well.
                shutil.copyfile(PHOTO if picture == "b.png" and "ffmpeg" in line else PICTURE, work / picture)
            else:
                subprocess.run([frost, "blur", PICTURE, "-o", work / picture, "--sigma", "0", "--background", "#fff"], check=True)
        for folder, suffix in re.findall(r"(\w+)/\*\.(\w+)", line) + [
                (f, "png") for names in re.findall(r"-r (\w+)/|compare (\w+)/ (\w+)/", line) for f in names if f]:
            (work / folder / "more").mkdir(parents=True, exist_ok=True)
            for picture in (work / folder / f"a.{suffix}", work / folder / "more" / f"b.{suffix}"):
                subprocess.run([frost, "blur", PICTURE, "-o", picture, "--sigma", "0", "--background", "#fff"],
                               check=True, stderr=subprocess.DEVNULL)
        if "before.json" in line and ">" not in line:
            saved = subprocess.run([frost, "bench", "--json", "--size", "64x64", "--sigma", "2", "--runs", "1"], check=True,
                                   capture_output=True)
            (work / "before.json").write_bytes(saved.stdout)
        if "scene.json" in line:
            (work / "scene.json").write_text(json.dumps({
                "size": [320, 180], "duration": 1.5, "fps": 4, "backdrop": {"picture": str(PICTURE)},
                "panels": [{"effect": "light", "position": [20, 20], "size": [90, 60]}]}))
        if "--rects faces.csv" in line:
            names = [name for name in ("street.png", "group.png") if name in line]
            (work / "faces.csv").write_text("file,x,y,w,h\n" + "".join(f"{name},40.5,10,60,70\n" for name in names)
                                            if names else "frame,x,y,w,h\n0,40,10,60,70\n2,50,10,60,70\n")
        if "party.gif" in line:
            subprocess.run(["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=120x80", "-frames:v", "3",
                            work / "party.gif"], check=True, stdin=subprocess.DEVNULL)
        if "portrait.heic" in line:
            shutil.copyfile(ROOT / "Tests/fuzz/heic/depth", work / "portrait.heic")
        videos = videos_of(line)
        for video in videos:
            # With sound, which the lines must keep.
            subprocess.run(["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=1280x720", "-f", "lavfi", "-i", "sine",
                            "-frames:v", "3", "-t", "0.5", work / video], check=True, stdin=subprocess.DEVNULL)
        if "*.png" in line:
            shutil.copyfile(PICTURE, work / "photo.png")
        text = smaller(line) if re.match(r"frost bench\b", line) else line
        environment = os.environ | {"HOME": str(home), "PATH": f"{name}/bin:{os.environ['PATH']}"}
        done = subprocess.run(["bash", "-euo", "pipefail", "-c", text], cwd=work, env=environment, timeout=SECONDS,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace")
        allowed = (0, 1) if any(bound in line for bound in BOUNDS) else (0,)
        assert done.returncode in allowed, f"{text}: exit code {done.returncode}: {done.stderr.strip()[-400:]}"
        for video in set(os.listdir(work)) - videos if videos else ():
            if video.endswith(VIDEOS):
                told = subprocess.run(["ffmpeg", "-i", work / video], stdin=subprocess.DEVNULL, capture_output=True, text=True)
                assert "Audio:" in told.stderr, f"{text}: the sound is lost: {told.stderr.strip()[-400:]}"


def main():
    cases = Cases("examples", __doc__)
    for words, place in ELSEWHERE.items():
        assert (ROOT / place).exists(), f"nothing runs lines that begin with {words!r}: {place} does not exist"
    found = examples(cases.frost)
    # If the pattern found no examples, the test would pass. So a minimum number of examples is required.
    assert len(found) > 40, f"only {len(found)} examples were found"
    for where, line in found:
        cases.run(f"{where}: {line}", run, cases.frost, line)
    cases.finish()


main()
