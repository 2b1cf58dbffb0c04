"""Runs the command ``frost``: ``python -m frost blur photo.png -o soft.png --sigma 8``."""

from __future__ import annotations

import os
import sys


def main() -> None:
    program = os.path.join(os.path.dirname(__file__), "bin", "frost")
    try:
        os.execv(program, [program, *sys.argv[1:]])
    except OSError as error:
        sys.exit(f"frost: this installation of frost-blur lacks the command: {error}")


if __name__ == "__main__":
    main()
