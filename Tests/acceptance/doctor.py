#!/usr/bin/env python3
"""Runs `frost doctor` with broken EGL drivers, which the test compiles itself and selects by environment variables.

    doctor.py --frost PATH [--only TEXT] [--junit FILE]

Whatever a driver does, doctor ends in time, reports the fault with advice, and tests the CPU's blur. The test needs only
Python; cases that need a C compiler are skipped without one.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.dont_write_bytecode = True

from report import Cases, Skipped

HANGS = "#include <unistd.h>\n__attribute__((constructor)) static void f(void) { for (;;) pause(); }\n"
CRASHES = ("#include <stdio.h>\n#include <stdlib.h>\n"
           '__attribute__((constructor)) static void f(void) { fputs("driver: out of luck\\n", stderr); abort(); }\n')
EXITS = "#include <stdlib.h>\n__attribute__((constructor)) static void f(void) { exit(3); }\n"
# An EGL library that lacks the entry point which libglvnd needs.
EMPTY = "int frost_test_nothing;\n"
# A library that needs a symbol which no library has. A driver that was built for a newer libstdc++ has the same fault.
UNRESOLVED = "extern int frost_test_missing(void);\nint frost_test(void) { return frost_test_missing(); }\n"


def compiler():
    swift = os.environ.get("SWIFT") or shutil.which("swift") or "/opt/swift/usr/bin/swift"
    beside = Path(os.path.realpath(swift)).parent / "clang"
    for name in ("cc", "gcc", "clang", str(beside)):
        if shutil.which(name):
            return shutil.which(name)
    raise Skipped("there is no C compiler")


def doctor(frost, *words, **environment):
    began = time.monotonic()
    done = subprocess.run([frost, "doctor", "--json", *words], env=os.environ | environment, capture_output=True,
                          text=True, timeout=120)
    findings = [json.loads(line) for line in done.stdout.splitlines()]
    assert findings and all(finding["schema"] == "frost.doctor/1" for finding in findings), done
    assert done.stderr == "", done.stderr
    cpu = [finding for finding in findings if finding["check"] == "cpu"]
    assert [finding["status"] for finding in cpu] == ["ok"], cpu
    problems = {finding["check"] for finding in findings if finding["status"] == "problem"} - {"summary"}
    assert done.returncode == (5 if problems == {"requested"} else 1 if problems else 0), done
    return findings, time.monotonic() - began


def found(findings, status, *texts):
    """Checks that one of the findings has this status, contains all texts, and gives advice."""
    hits = [one for one in findings if one["status"] == status and all(text in json.dumps(one) for text in texts)]
    assert len(hits) >= 1, (texts, findings)
    assert hits[0]["advice"], hits[0]


def vendor(folder, source):
    """Compiles the source to a library and returns the path of an EGL vendor file for it."""
    library = Path(folder) / "libEGL_fake.so.0"
    (Path(folder) / "fake.c").write_text(source)
    subprocess.run([compiler(), "-shared", "-fPIC", "-o", library, Path(folder) / "fake.c"], check=True)
    path = Path(folder) / "10_fake.json"
    path.write_text(json.dumps({"file_format_version": "1.0.0", "ICD": {"library_path": str(library)}}))
    return str(path)


def fake(frost, source, status, *texts):
    with tempfile.TemporaryDirectory(prefix="frost-doctor-") as folder:
        path = vendor(folder, source)
        findings, seconds = doctor(frost, "--timeout", "2", __EGL_VENDOR_LIBRARY_FILENAMES=path)
        found(findings, status, *texts)
        assert seconds < 30, f"{seconds:.1f} s"


def broken_loader(frost):
    """Tests a file libEGL.so.1 that is not a library. The loader finds it before the system's libEGL.so.1."""
    with tempfile.TemporaryDirectory(prefix="frost-doctor-") as folder:
        (Path(folder) / "libEGL.so.1").write_text("no library")
        findings, _ = doctor(frost, LD_LIBRARY_PATH=folder)
        found(findings, "warning", "EGL loader", "libEGL.so.1 cannot be opened")
        assert any("LD_LIBRARY_PATH" in one["finding"] for one in findings)
        findings, _ = doctor(frost, "--backend", "gpu", LD_LIBRARY_PATH=folder)
        found(findings, "problem", "requested", "--backend gpu")


def no_driver(frost):
    """Tests an installed EGL whose environment names a Mesa driver that does not exist."""
    findings, _ = doctor(frost, LIBGL_DRIVERS_PATH="/nonexistent", GALLIUM_DRIVER="nonexistent")
    assert any("GALLIUM_DRIVER" in one["finding"] for one in findings)


def unusable_cache(frost):
    with tempfile.TemporaryDirectory(prefix="frost-doctor-") as folder:
        cache = Path(folder) / "frost"
        cache.mkdir()
        cache.chmod(0o777)
        findings, _ = doctor(frost, XDG_CACHE_HOME=folder, FROST_PROGRAM_CACHE="",
                             __EGL_VENDOR_LIBRARY_DIRS="/nonexistent")
        found(findings, "warning", "cache", "others can write to it", "chmod go-w")


def main():
    cases = Cases("doctor", __doc__)
    frost = cases.frost
    cases.run("a driver that hangs", fake, frost, HANGS, "problem", "hangs: the test did not end within 2 s", "--backend cpu")
    cases.run("a driver that crashes", fake, frost, CRASHES, "problem", "crashes with signal 6", "driver: out of luck")
    cases.run("a driver that exits", fake, frost, EXITS, "problem", "exit code 3")
    cases.run("a driver that is no EGL", fake, frost, EMPTY, "warning", "0 ways to a device")
    cases.run("a driver that lacks a symbol", fake, frost, UNRESOLVED, "warning", "cannot be loaded",
              "frost_test_missing")
    cases.run("a broken loader", broken_loader, frost)
    cases.run("no driver", no_driver, frost)
    cases.run("an unusable cache", unusable_cache, frost)
    cases.finish()


if __name__ == "__main__":
    main()
