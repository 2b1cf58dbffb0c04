#!/usr/bin/env python3
"""Loads the completions into real shells, and tests what frost shows on a terminal.

    shells.py --frost PATH [--only TEXT] [--junit FILE]

Bash and zsh run interactively on a pseudo-terminal. The test types a line with the Tab key in it, and a shell function in
place of frost prints the words of its call; the completions ask the program itself, which they find in PATH. Fish has a
command for completions. A shell that is not installed is skipped. The test needs only Python.
"""

import os
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.dont_write_bytecode = True

from report import Cases, Skipped

# Pairs of a typed line and the words with which the shell then calls frost. In the line, | stands for the Tab key.
LINES = [
    ("frost bl| a", ["blur", "a"]),
    ("frost blur --ed| mir|", ["blur", "--edge", "mirror"]),
    ("frost blur pic| -o x", ["blur", "picture.png", "-o", "x"]),
    ("frost blur x --mask=pic| -o y", ["blur", "x", "--mask=picture.png", "-o", "y"]),
    ("frost blur x -opic|", ["blur", "x", "-opicture.png"]),
    ("frost effect material-thick-d|", ["effect", "material-thick-dark"]),
    ("frost effect light --conv| 1.1", ["effect", "light", "--convention", "1.1"]),
    ("frost plan --effect tin| --colo| red", ["plan", "--effect", "tint", "--color", "red"]),
    ("frost check --effect light,7blur-ne|", ["check", "--effect", "light,7blur-neon"]),
    ("frost doctor --back| cp|", ["doctor", "--backend", "cpu"]),
    ("frost completions zs|", ["completions", "zsh"]),
    ("frost reference mar|", ["reference", "markdown"]),
]
SECONDS = 30


class Terminal:
    """A program on a pseudo-terminal."""

    def __init__(self, words, folder, environment):
        self.pid, self.file = pty.fork()
        if self.pid == 0:
            os.chdir(folder)
            os.execvpe(words[0], words, environment)
        self.seen = ""

    def type(self, text):
        os.write(self.file, text.encode())

    def until(self, pattern, seconds=SECONDS):
        """Returns the text up to a match of the pattern; fails if no match appears in time."""
        deadline = time.monotonic() + seconds
        while True:
            match = re.search(pattern, self.seen)
            if match:
                before = self.seen[:match.end()]
                self.seen = self.seen[match.end():]
                return before, match
            ready, _, _ = select.select([self.file], [], [], max(0, deadline - time.monotonic()))
            try:
                chunk = os.read(self.file, 1 << 16) if ready else b""
            except OSError:
                chunk = b""     # Linux reports EIO when the other end is closed
            assert chunk, f"no {pattern!r} in {self.seen[-400:]!r}"
            self.seen += chunk.decode(errors="replace")

    def end(self):
        os.kill(self.pid, 9)
        os.waitpid(self.pid, 0)
        os.close(self.file)


def environment(folder, **more):
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "FROST_PROGRAM_CACHE") if name in os.environ}
    return kept | {"HOME": str(folder), "TERM": "xterm", "PS1": "", "HISTFILE": "/dev/null"} | more


def folder_with_program(name, frost):
    folder = Path(name)
    (folder / "picture.png").touch()
    (folder / "bin").mkdir()
    (folder / "bin" / "frost").symlink_to(Path(frost).resolve())
    return folder, environment(folder, PATH=f"{folder}/bin:{os.environ['PATH']}")


def complete(shell, frost):
    if not shutil.which(shell):
        raise Skipped(f"{shell} is not installed")
    with tempfile.TemporaryDirectory(prefix="frost-shell-") as name:
        folder, variables = folder_with_program(name, frost)
        script = subprocess.run([frost, "completions", shell], capture_output=True, text=True, check=True).stdout
        (folder / ("_frost" if shell == "zsh" else "script")).write_text(script)
        say = "frost() { printf '{'; printf '<%s>' \"$@\"; printf '}\\n'; }"
        if shell == "bash":
            words = ["bash", "--norc", "--noprofile", "-i"]
            setup = f"bind 'set bell-style none'; bind 'set enable-bracketed-paste off'; . ./script; {say}"
        else:
            words = ["zsh", "-f", "-i"]
            setup = ("unset zle_bracketed_paste; setopt no_beep; PS1=; fpath=($PWD $fpath); autoload -Uz compinit; "
                     f"compinit -u -D; {say}")
        terminal = Terminal(words, folder, variables)
        try:
            terminal.type(setup + "; printf 're''ady\\n'\n")
            terminal.until("ready\r?\n")
            for line, expected in LINES:
                typed = line.split("|")
                for part in typed[:-1]:
                    terminal.type(part.lstrip() if part is not typed[0] else part)
                    terminal.type("\t")
                terminal.type(typed[-1].lstrip() + "\n")
                _, match = terminal.until(r"\{((?:<[^>\r\n]*>)*)\}")
                words = re.findall("<(.*?)>", match[1])
                assert words == expected, f"{line}: {match[1]}"
        finally:
            terminal.end()


def fish(frost):
    if not shutil.which("fish"):
        raise Skipped("fish is not installed")
    with tempfile.TemporaryDirectory(prefix="frost-shell-") as name:
        folder, variables = folder_with_program(name, frost)
        script = subprocess.run([frost, "completions", "fish"], capture_output=True, text=True, check=True).stdout
        (folder / "script").write_text(script)
        for line, expected in LINES:
            typed = line.split("|")
            # Each Tab of the line is tested separately. The words before it are given in their completed form.
            words = expected[:]
            for tab in range(len(typed) - 1):
                part = "frost " + " ".join(words[:len("".join(typed[:tab + 1]).split()) - 2]
                                           + ["".join(typed[:tab + 1]).split()[-1]])
                done = subprocess.run(
                    ["fish", "--no-config", "-c", f"source ./script; complete -C '{part}'"], cwd=folder,
                    env=variables, capture_output=True, text=True, timeout=SECONDS)
                offered = [offer.split("\t")[0] for offer in done.stdout.splitlines()]
                want = words[len("".join(typed[:tab + 1]).split()) - 2]
                assert offered == [want] and not done.stderr, f"{part}: {offered}, not {want} {done.stderr}"


def colours(frost):
    """Checks that colours appear only on terminals, and that NO_COLOR disables them there."""
    def shown(*words, **more):
        terminal = Terminal([frost, *words], "/", environment("/nonexistent", **more))
        try:
            text, _ = terminal.until(r"\n")
            return text
        finally:
            terminal.end()
    assert "\x1b[1;31mfrost:\x1b[0m unknown command" in shown("nonsense"), repr(shown("nonsense"))
    assert "\x1b[1;32mok\x1b[0m" in shown("doctor"), repr(shown("doctor"))
    for more in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
        assert "\x1b" not in shown("nonsense", **more), repr(shown("nonsense", **more))
    assert "\x1b[" in shown("nonsense", NO_COLOR="")
    done = subprocess.run([frost, "nonsense"], capture_output=True, text=True)
    assert "\x1b" not in done.stderr, repr(done.stderr)


def main():
    cases = Cases("shells", __doc__)
    for shell in ("bash", "zsh"):
        cases.run(shell, complete, shell, cases.frost)
    cases.run("fish", fish, cases.frost)
    cases.run("colours", colours, cases.frost)
    cases.finish()


main()
