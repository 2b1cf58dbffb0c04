"""Runs a program and returns its exit code, time, output and peak memory."""

import os
import subprocess
import sys
from collections import namedtuple

Ended = namedtuple("Ended", "code peak wall cpu stdout stderr")   # bytes and seconds; a negative code is a signal

# This small program starts the tested program, because the peak memory of a child process begins with the memory of its
# parent.
LAUNCHER = """
import os, sys, time
began = time.perf_counter()
pid = os.fork()
if pid == 0:
    os.execv(sys.argv[1], sys.argv[1:])
_, status, usage = os.wait4(pid, 0)
print("\\n", os.waitstatus_to_exitcode(status), usage.ru_maxrss << 10, time.perf_counter() - began,
      usage.ru_utime + usage.ru_stime, file=sys.stderr)
"""


def launch(words, **options):
    done = subprocess.run([sys.executable, "-S", "-E", "-c", LAUNCHER, *map(os.fspath, words)], capture_output=True,
                          text=True, **{"timeout": 600, **options})
    message, ending = done.stderr.rstrip().rsplit("\n", 1)
    code, peak, wall, cpu = ending.split()
    return Ended(int(code), int(peak), float(wall), float(cpu), done.stdout, message.strip())
