#!/usr/bin/env python3
"""Runs every example: the lines of `frost` in README.md, docs/*.md, and those that each command's help ends with.
Those of docs/tutorial.md build on each other: tutorial.py runs them.

    examples.py --frost PATH [--only TEXT] [--junit FILE]

Each line runs in bash, in a folder of its own that holds a picture under every name that the line reads. As it stands,
but for this: what is fetched from the web is such a picture, and benchmarks measure pictures of a tenth of the size, once.
Needs nothing but Python.
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
# What these say is the example's point, whichever way it turns out.
BOUNDS = ("--max-ratio", "--max-loss")
SECONDS = 120


def fenced(path):
    """The shell lines of a Markdown file, with their continuations."""
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
    """[(where, line), ...], each line once."""
    found = {}
    for path in [ROOT / "README.md", *sorted(set((ROOT / "docs").glob("*.md")) - {ROOT / "docs" / "tutorial.md"})]:
        for line in fenced(path):
            if re.search(r"(^|[|(] ?)frost ", line):
                found.setdefault(re.sub(r"\s+# .*", "", line), path.name)
    done = subprocess.run([frost, "reference", "json"], capture_output=True, text=True, check=True)
    for command in json.loads(done.stdout)["commands"]:
        for line in command["examples"]:
            found.setdefault(re.sub(r"\s+# .*", "", line), f"frost {command['name']} --help")
    return [(where, line) for line, where in found.items()]


def smaller(line):
    """A benchmark that takes a moment."""
    words = re.sub(r"(\d+)x(\d+)", lambda size: f"{int(size[1]) // 10}x{int(size[2]) // 10}", line)
    return words + ("" if "--size" in line else " --size 192x108") + " --runs 1"


def inputs(line):
    """The pictures that a line reads: all that it names, but for those that it writes."""
    words = shlex.split(line, comments=True)
    written = {after for word, after in zip(words, words[1:]) if word in ("-o", "--output", "--sheet", "--diff", ">")}
    for word in words:
        for name in re.findall(r"[\w./-]+\.(?:png|jpe?g|webp)\b", word):
            if name not in written and "/" not in name:
                yield name


def shims(folder, frost):
    """Programs that examples call, where the machine or its network may lack them."""
    folder.mkdir()
    (folder / "frost").symlink_to(frost)
    programs = {"curl": f'#!/bin/sh\nexec cat "{PICTURE}"\n'}
    if not shutil.which("jq"):
        programs["jq"] = ("#!/usr/bin/env python3\nimport json, sys\n"
                          "for line in sys.stdin: print(json.loads(line)[sys.argv[-1][1:]])\n")
    for name, text in programs.items():
        (folder / name).write_text(text)
        (folder / name).chmod(0o755)


def run(frost, line):
    for program in ("ffmpeg",):
        if re.search(rf"\b{program}\b", line) and not shutil.which(program):
            raise Skipped(f"{program} is not installed")
    with tempfile.TemporaryDirectory(prefix="frost-example-") as name:
        work = Path(name) / "work"
        home = Path(name) / "home"
        for folder in (work, work / "blurred", home / ".zfunc", home / ".config/fish/completions"):
            folder.mkdir(parents=True)
        shims(Path(name) / "bin", frost)
        for picture in set(inputs(line)):
            if picture.endswith(".png"):
                shutil.copyfile(PICTURE, work / picture)
            else:
                subprocess.run([frost, "blur", PICTURE, "-o", work / picture, "--sigma", "0"], check=True)
        for folder, suffix in re.findall(r"(\w+)/\*\.(\w+)", line) + [(f, "png") for f in re.findall(r"-r (\w+)/", line)]:
            (work / folder / "more").mkdir(parents=True, exist_ok=True)
            for picture in (work / folder / f"a.{suffix}", work / folder / "more" / f"b.{suffix}"):
                subprocess.run([frost, "blur", PICTURE, "-o", picture, "--sigma", "0", "--background", "#fff"],
                               check=True, stderr=subprocess.DEVNULL)
        if "in.mp4" in line:
            subprocess.run(["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=1280x720", "-frames:v", "3",
                            work / "in.mp4"], check=True, stdin=subprocess.DEVNULL)
        if "*.png" in line:
            shutil.copyfile(PICTURE, work / "photo.png")
        text = smaller(line) if re.match(r"frost bench\b", line) else line
        environment = os.environ | {"HOME": str(home), "PATH": f"{name}/bin:{os.environ['PATH']}"}
        done = subprocess.run(["bash", "-euo", "pipefail", "-c", text], cwd=work, env=environment, timeout=SECONDS,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace")
        allowed = (0, 1) if any(bound in line for bound in BOUNDS) else (0,)
        assert done.returncode in allowed, f"{text}: exit code {done.returncode}: {done.stderr.strip()[-400:]}"


def main():
    cases = Cases("examples", __doc__)
    found = examples(cases.frost)
    # As many as there are documents with examples: a pattern that finds none would pass otherwise.
    assert len(found) > 40, f"only {len(found)} examples were found"
    for where, line in found:
        cases.run(f"{where}: {line}", run, cases.frost, line)
    cases.finish()


main()
