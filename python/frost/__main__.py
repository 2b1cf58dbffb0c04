"""Runs the command ``frost``: ``python -m frost blur photo.png -o soft.png --sigma 8``."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from typing import NoReturn

from ._version import __version__

# What shells return if there is no such command.
_NOT_FOUND = 127


def main() -> NoReturn:
    """Replaces this process by the command of the package, or else by the one in PATH, so that signals reach it."""
    own = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "frost")
    try:
        os.execv(own, [own, *sys.argv[1:]])
    except OSError as error:
        reason = f"this installation of frost-blur lacks the command ({error})"
    other = shutil.which("frost")
    if other is None:
        _fail(f"{reason}, and there is no frost in PATH")
    # Another project has a command of the same name.
    try:
        told = subprocess.run([other, "--version"], capture_output=True, text=True, errors="replace",
                              stdin=subprocess.DEVNULL).stdout
    except OSError as error:
        _fail(f"{reason}, and {other} cannot be run ({error})")
    if told.split() != ["frost", __version__]:
        _fail(f"{reason}, and {other} is not the command of Frost {__version__}")
    os.execv(other, [other, *sys.argv[1:]])


def _fail(text: str) -> NoReturn:
    print(f"frost: {text}; the wheel of frost-blur contains it", file=sys.stderr)
    sys.exit(_NOT_FOUND)


if __name__ == "__main__":
    main()
