"""Tests python -m frost: which command it runs, and what comes back from it."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import frost

# Stands for the command: it prints its arguments, and ends as the first of them says.
STAND_IN = f"""#!/bin/sh
case $1 in
    --version) echo "frost {frost.__version__}" ;;
    exit) shift; printf '%s\\n' "$@"; cat; exit 7 ;;
    signal) kill -TERM $$ ;;
esac
"""


class Command(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.site, self.path = Path(folder.name, "site"), Path(folder.name, "path")
        self.path.mkdir()
        # A copy of the package without a command.
        shutil.copytree(Path(frost.__file__).parent, self.site / "frost",
                        ignore=shutil.ignore_patterns("bin", "*.so*", "__pycache__"))

    def run_module(self, *words, **options):
        environment = os.environ | {"PYTHONPATH": str(self.site), "PATH": str(self.path),
                                    "FROST_LIBRARY": os.environ.get("FROST_LIBRARY", frost.library_path)}
        # A package in the current folder would come first.
        return subprocess.run([sys.executable, "-m", "frost", *words], env=environment, cwd=self.site,
                              capture_output=True, text=True, **options)

    def stand_in(self, folder, text=STAND_IN):
        program = folder / "frost"
        program.parent.mkdir(exist_ok=True)
        program.write_text(text.replace("cat;", f"{shutil.which('cat')};"))
        program.chmod(0o755)
        return program

    def test_the_command_of_the_package_comes_first(self):
        self.stand_in(self.site / "frost" / "bin")
        self.stand_in(self.path, "#!/bin/sh\nexit 3\n")
        done = self.run_module("exit", "a b", "*", input="text")
        self.assertEqual((done.returncode, done.stdout), (7, "a b\n*\ntext"))
        self.assertEqual(self.run_module("signal").returncode, -signal.SIGTERM)

    def test_the_command_in_the_path(self):
        self.stand_in(self.path)
        done = self.run_module("exit", "a")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (7, "a\n", ""))

    def test_no_command(self):
        done = self.run_module("--version")
        self.assertEqual((done.returncode, done.stdout), (127, ""))
        self.assertRegex(done.stderr, r"^frost: .* lacks the command .*no frost in PATH.*\n$")
        for text in ("#!/bin/sh\necho frost 0.0.1\n", "#!/bin/sh\nexit 1\n", "not a program"):
            program = self.stand_in(self.path, text)
            done = self.run_module("--version")
            self.assertEqual((done.returncode, done.stdout), (127, ""), text)
            self.assertIn(str(program), done.stderr)


if __name__ == "__main__":
    unittest.main()
