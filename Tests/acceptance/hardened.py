#!/usr/bin/env python3
"""Checks how Frost's own files are linked: the program, the C libraries, and the same files in Debian packages.

    hardened.py --frost PATH [--library PATH] [--quick] [--only TEXT] [--junit FILE]
    hardened.py --files FILE...

With --files, checks only these files, and prints the faults. Each file must have

- BIND_NOW and RELRO: the loader finds all functions of other libraries at the start, and makes their table read-only;
- a stack that is not executable, no segment that is both writable and executable, and no relocations in code;
- functions of glibc that check the sizes of buffers (_FORTIFY_SOURCE), where its C code calls such functions;
- and the program must be position-independent.

The packages are made from the given program and the libraries beside libfrost.so.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True

from report import Cases, Skipped

ROOT = Path(__file__).resolve().parents[2]
LIBRARIES = ("libfrost.so", "libfrost-images.so", "libfrost-motion.so", "libfrost-all.so")
# Frost's own files, by name; packages also have copies of the system's libraries. Those of a version are libfrost.so.0.1.0.
OWN = re.compile(r"^(frost|libfrost(-images|-motion|-all)?\.so[0-9.]*)$")


def read(*words):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, check=True).stdout


def faults(path):
    """The faults of a program or library."""
    header, dynamic, segments = (read("readelf", "-W", option, path) for option in ("-h", "-d", "-l"))
    found = []
    flags = " ".join(re.findall(r"\((?:FLAGS|FLAGS_1)\)\s+(?:Flags: )?(.*)", dynamic))
    if "NOW" not in flags and "BIND_NOW" not in dynamic:
        found.append("no BIND_NOW")
    if "GNU_RELRO" not in segments:
        found.append("no RELRO")
    if "TEXTREL" in dynamic:
        found.append("relocations in code")
    if not re.search(r"GNU_STACK.* RW +0x", segments):
        found.append("an executable stack")
    if re.search(r"LOAD.* RWE +0x", segments):
        found.append("a segment that is writable and executable")
    if "Type:" not in header or "DYN" not in header:
        found.append("not position-independent")
    imports = read("nm", "-D", "--undefined-only", path)
    if not re.search(r" __\w+_chk(@|$)", imports, re.MULTILINE):
        found.append("no checked functions of glibc")
    return found


def check(paths):
    """Checks all files. At least one is required."""
    paths = sorted(paths)
    assert paths, "there is no file to check"
    bad = {str(path): found for path in paths if (found := faults(path))}
    assert not bad, bad
    print(f"checked {', '.join(path.name for path in paths)}")


def own(folder):
    """Frost's own files in a folder: no links, no scripts."""
    return [path for path in Path(folder).rglob("*") if OWN.match(path.name) and path.is_file() and not path.is_symlink()
            and path.read_bytes()[:4] == b"\x7fELF"]


def built(cases, library):
    check([Path(cases.frost)])
    if library:
        check([Path(library).with_name(name) for name in LIBRARIES])


def installed(cases, library):
    """The files that Tools/install puts into a folder: Tools/package-deb divides them among its packages."""
    with tempfile.TemporaryDirectory(prefix="frost-hardened-") as name:
        environment = os.environ | {"FROST_BINARY": cases.frost, "FROST_LIBRARY": os.path.abspath(library)}
        done = subprocess.run([ROOT / "Tools/install", "--prefix", "/usr", "--destdir", name], env=environment, capture_output=True,
                              text=True)
        assert done.returncode == 0, done.stderr
        found = own(name)
        assert len(found) == 4, found
        check(found)


def packages(cases, library):
    """The files of the Debian packages. newcomers.py checks those of the archive and of the wheel, which it unpacks anyway."""
    if not (shutil.which("lintian") and shutil.which("dpkg-shlibdeps")):
        raise Skipped("lintian or dpkg-dev is missing")
    with tempfile.TemporaryDirectory(prefix="frost-hardened-") as name:
        folder = Path(name)
        environment = os.environ | {"FROST_BINARY": cases.frost, "FROST_LIBRARY": os.path.abspath(library)}
        done = subprocess.run([ROOT / "Tools/package-deb", folder / "made"], env=environment, capture_output=True, text=True)
        assert done.returncode == 0, (done.stdout[-500:], done.stderr[-1500:])
        for path in (folder / "made").glob("*.deb"):
            subprocess.run(["dpkg-deb", "-x", path, folder / "content"], check=True)
        found = own(folder / "content")
        assert len(found) == 4, found
        check(found)


def notices(cases):
    """The check finds a program without each of these properties."""
    with tempfile.TemporaryDirectory(prefix="frost-hardened-") as name:
        folder = Path(name)
        (folder / "a.c").write_text(
            "#include <string.h>\n#include <stdio.h>\nint main(int c, char **v) { char b[9]; strcpy(b, v[c - 1]); return puts(b); }\n")
        good = ["-O2", "-D_FORTIFY_SOURCE=2", "-fPIE", "-pie", "-Wl,-z,relro,-z,now"]
        for more, fault in [([], None), (["-Wl,-z,lazy"], "no BIND_NOW"), (["-Wl,-z,norelro"], "no RELRO"),
                            (["-z", "execstack"], "an executable stack"), (["-U_FORTIFY_SOURCE"], "no checked functions of glibc"),
                            (["-no-pie"], "not position-independent")]:
            subprocess.run(["cc", "-w", "-o", folder / "a", folder / "a.c", *good, *more], check=True)
            assert faults(folder / "a") == ([fault] if fault else []), (more, faults(folder / "a"))


def main():
    if "--files" in sys.argv[1:2]:
        bad = {path: found for path in sys.argv[2:] if (found := faults(path))}
        for path, found in bad.items():
            print(f"{path}: {', '.join(found)}")
        sys.exit(1 if bad else 0)
    cases = Cases("hardened", __doc__, [("--library", {"help": "the libfrost.so to test; the other libraries are beside it"})])
    library = cases.options.library
    cases.run("the check notices faults", notices, cases)
    cases.run("the program and the libraries", built, cases, library)
    if library:
        cases.run("the installed files", installed, cases, library)
        if not cases.options.quick:
            cases.run("the Debian packages", packages, cases, library)
    cases.finish()


if __name__ == "__main__":
    main()
