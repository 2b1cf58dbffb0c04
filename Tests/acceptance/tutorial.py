#!/usr/bin/env python3
"""Follows docs/tutorial.md: runs its commands in order, and compares what they print and write with what the page states.

    tutorial.py --frost PATH [--only TEXT] [--junit FILE]

All lines of its ```sh blocks run unchanged, in one shell, from an empty folder. Two things are replaced, because a test
cannot do them: `git clone REPOSITORY frost` copies Samples and Tools/frost of this repository, by a program `git` that
knows only this command, and the set-up that Tools/frost calls (Tools/lib/setup.sh) uses the given binary instead of
installing packages and building. No GPU is needed.

Each command must end with exit code 0, or with N if its line ends with `# exit code N`. A ```text block is the whole
output, standard error included, of the ```sh block before it. In it `…` stands for any text within a line, and a line
that is only `…` for any number of lines. The pictures that the commands write must be readable, have the size of their
input, and differ from it.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from xml.etree import ElementTree

sys.dont_write_bytecode = True

import numpy as np
from PIL import Image

from report import Cases

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "tutorial.md"
CLONE = "git clone REPOSITORY frost"
SECONDS = 300

GIT = f"""#!/bin/sh
if [ "git $*" != "{CLONE}" ]; then echo "only '{CLONE}' is replaced, not 'git $*'" >&2; exit 2; fi
exec cp -r -- "${{0%/*}}/../clone" frost
"""
SETUP = """# Stands for the set-up: the program is built.
find_swift() { :; }
ensure_frost() { :; }
frost_binary=$root/.build/tools/frost
"""


class Command:
    """A command of the page, with its continuation lines."""

    def __init__(self, text):
        self.text = text
        code = re.search(r"# exit code (\d+)$", text)
        self.expected = int(code[1]) if code else 0
        self.output = self.code = None


class Block:
    """The commands of a ```sh block, and the ```text block after it, if there is one."""

    def __init__(self, text):
        lines = re.sub(r"\\\n\s*", "", text).splitlines()
        self.commands = [Command(line) for line in lines if line.strip()]
        self.shown = None


def blocks(page):
    found = []
    for language, text in re.findall(r"^```(\w+)\n(.*?)^```$", page.read_text(), re.M | re.S):
        if language == "sh":
            found.append(Block(text))
        elif language == "text":
            assert found and found[-1].shown is None, f"this output belongs to no command:\n{text}"
            found[-1].shown = text
    return found


def scratch(folder, frost):
    """Creates an empty folder to work in and returns it. Beside this folder, it creates the replacements for the clone
    and the set-up."""
    clone = folder / "clone"
    (clone / "Tools" / "lib").mkdir(parents=True)
    shutil.copytree(ROOT / "Samples", clone / "Samples")
    shutil.copy(ROOT / "Tools" / "frost", clone / "Tools" / "frost")
    (clone / "Tools" / "lib" / "setup.sh").write_text(SETUP)
    (clone / ".build" / "tools").mkdir(parents=True)
    (clone / ".build" / "tools" / "frost").write_text(f'#!/bin/sh\nexec {shlex.quote(frost)} "$@"\n')
    (clone / ".build" / "tools" / "frost").chmod(0o755)
    (folder / "bin").mkdir()
    (folder / "bin" / "git").write_text(GIT)
    (folder / "bin" / "git").chmod(0o755)
    for name in ("work", "home", "told"):
        (folder / name).mkdir()
    return folder / "work"


def run(found, folder, frost):
    """Runs all commands in one shell. Stores the output and the exit code of each command."""
    work, told = scratch(folder, frost), folder / "told"
    commands = [command for block in found for command in block.commands]
    script = "".join(
        f"{{ {command.text}\n}} >{told}/{number} 2>&1 </dev/null\necho $? >{told}/{number}.code\n"
        for number, command in enumerate(commands))
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("FROST_", "XDG_"))}
    environment |= {"HOME": str(folder / "home"), "PATH": f"{folder / 'bin'}:{os.environ['PATH']}"}
    done = subprocess.run(["bash", "-c", script], cwd=work, env=environment, timeout=SECONDS, capture_output=True, text=True)
    for number, command in enumerate(commands):
        if (told / f"{number}.code").exists():
            command.output = (told / str(number)).read_text(errors="replace")
            command.code = int((told / f"{number}.code").read_text())
    return work / "frost", done.stderr


def check_command(command):
    assert command.code is not None, "the shell ended before this command"
    assert command.code == command.expected, f"exit code {command.code}, not {command.expected}: {command.output.strip()[-600:]}"


def check_output(block):
    pattern = "".join(
        "(?:.*\n)*" if line == "…" else ".*".join(map(re.escape, line.split("…"))) + "\n" for line in block.shown.splitlines())
    output = "".join(command.output or "" for command in block.commands)
    assert re.fullmatch(pattern, output), f"the page shows:\n{block.shown}but this was printed:\n{output}"


def written(command, clone):
    """Returns pairs of files that a blur or an effect reads and writes: an input and its output."""
    words = shlex.split(command.text, comments=True)
    if words[:2] not in (["frost", "blur"], ["frost", "effect"]):
        return []
    output = clone / words[words.index("-o") + 1]
    is_folder = words[words.index("-o") + 1].endswith("/")
    inputs = []
    for before, word in zip(words[1:], words[2:]):
        path = clone / word
        if before.startswith("--") or before == "-o" or not path.exists():
            continue
        inputs += sorted(path.iterdir()) if path.is_dir() else [path]
    assert inputs, f"no input was found in: {command.text}"
    return [(path, output / path.name if is_folder else output) for path in inputs]


def pixels(path):
    with Image.open(path) as image:
        return np.array(image.convert("RGBA")).astype(int)


def check_picture(source, result):
    assert result.exists(), f"{result.name} was not written"
    before, after = pixels(source), pixels(result)
    assert before.shape == after.shape, (before.shape, after.shape)
    assert abs(before - after).max() > 20, f"{result.name} shows no effect"


def check_files(commands, clone):
    """Checks the other files that commands write, which are named by options. Each of them must exist and have the right
    format."""
    seen = set()
    for command in commands:
        words = shlex.split(command.text, comments=True)
        for option, name in zip(words, words[1:]):
            if words[0] != "frost" or option not in ("--junit", "--manifest", "--sheet"):
                continue
            seen.add(option)
            assert (clone / name).stat().st_size > 0, name
            if option == "--junit":
                assert ElementTree.parse(clone / name).getroot().find("testsuite/testcase") is not None, name
            elif option == "--sheet":
                assert (clone / name).read_text().count("<img ") > 40, name
    assert seen == {"--junit", "--manifest", "--sheet"}, seen


def main():
    cases = Cases("tutorial", __doc__)
    found = blocks(PAGE)
    commands = [command for block in found for command in block.commands]
    # If the pattern found no blocks, the test would pass. So a minimum number of blocks is required.
    assert len(commands) >= 10 and sum(block.shown is not None for block in found) >= 5, len(commands)
    assert commands[0].text == CLONE, commands[0].text
    with tempfile.TemporaryDirectory(prefix="frost-tutorial-") as name:
        clone, errors = run(found, Path(name), cases.frost)
        if errors:
            print(errors, file=sys.stderr)
        pictures = 0
        for block in found:
            for command in block.commands:
                cases.run(command.text, check_command, command)
            if block.shown is not None:
                cases.run(f"output of: {block.commands[-1].text}", check_output, block)
        for command in commands:
            for source, result in written(command, clone):
                pictures += 1
                cases.run(f"{source.name} -> {result.relative_to(clone)}", check_picture, source, result)
        assert pictures >= 6, pictures
        cases.run("picture of Tools/frost", check_picture, clone / "Samples/scene.png", clone / "out/scene-blurred.png")
        cases.run("other files", check_files, commands, clone)
    cases.finish()


main()
