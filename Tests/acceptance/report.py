"""Shared code of acceptance scripts: test cases that pass, fail or are skipped, and their report."""

import argparse
import os
import signal
import subprocess
import sys
import time
from xml.sax.saxutils import quoteattr

# nohup ignores SIGHUP, and shells ignore SIGINT in the background. The tested programs must nevertheless start with the
# default handling of signals. A program also ignores the signals that its parent ignores, but does not inherit the parent's
# handlers. So an empty handler replaces "ignore" here. It too prevents the signal from ending this script.
for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM):
    if signal.getsignal(number) is signal.SIG_IGN:
        signal.signal(number, lambda *_: None)


class Skipped(Exception):
    """Raised by a case that cannot run on this machine; the message states the reason."""


class Cases:
    def __init__(self, name, description, arguments=()):
        """:param arguments: pairs of an additional argument's name and its options for argparse."""
        parser = argparse.ArgumentParser(description=description.split("\n")[0])
        parser.add_argument("--frost", required=True, help="the binary to test")
        parser.add_argument("--only", default="", help="only cases whose name contains this")
        parser.add_argument("--quick", action="store_true", help="fewer and smaller cases, where there are many")
        parser.add_argument("--junit", help="also write a JUnit report here")
        for argument, details in arguments:
            parser.add_argument(argument, **details)
        self.options = parser.parse_args()
        self.frost = os.path.abspath(self.options.frost)
        if not os.access(self.frost, os.X_OK):
            sys.exit(f"{self.frost}: not an executable")
        self.name = name
        self.began = time.monotonic()
        self.done = []      # (name, None | failure message | Skipped, seconds)

    def run(self, name, function, *arguments):
        if self.options.only not in name:
            return
        start = time.monotonic()
        try:
            function(*arguments)
            outcome = None
        except Skipped as reason:
            outcome = reason
        except (AssertionError, OSError, ValueError, KeyError, subprocess.SubprocessError) as error:
            outcome = f"{type(error).__name__}: {error}"
        self.add(name, outcome, time.monotonic() - start)

    def add(self, name, outcome, seconds=0.0):
        """Records a case that was run elsewhere. The outcome is None, a failure's message, or Skipped."""
        if outcome is not None:
            print(f"{'skipped' if isinstance(outcome, Skipped) else 'FAILED'} {name}: {outcome}")
        self.done.append((name, outcome, seconds))

    def finish(self):
        skipped = sum(isinstance(outcome, Skipped) for _, outcome, _ in self.done)
        failed = sum(isinstance(outcome, str) for _, outcome, _ in self.done)
        if self.options.junit:
            self.junit()
        print(f"{self.name}: {len(self.done) - failed - skipped} passed, {failed} failed, {skipped} skipped, "
              f"in {time.monotonic() - self.began:.0f} s")
        sys.exit(1 if failed or not self.done else 0)

    def junit(self):
        with open(self.options.junit, "w", encoding="utf-8") as file:
            file.write(f'<?xml version="1.0" encoding="UTF-8"?>\n<testsuite name={quoteattr(self.name)}>\n')
            for name, outcome, seconds in self.done:
                place = f"classname={quoteattr(self.name)} name={quoteattr(name)}"
                file.write(f'<testcase {place} time="{seconds:.2f}">\n')
                if isinstance(outcome, str):
                    file.write(f"<failure message={quoteattr(outcome)} />\n")
                elif outcome is not None:
                    file.write("<skipped />\n")
                file.write("</testcase>\n")
            file.write("</testsuite>\n")
