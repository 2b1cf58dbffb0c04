#!/usr/bin/env python3
"""Installs frost into a folder, uses it from there, and uninstalls it.

    installation.py --frost PATH [--only TEXT] [--junit FILE]

The test needs only Python. newcomers.py does the same with the archive and the Python package. Tests/acceptance/package does the same with the Debian package, in a clean system.
"""

import gzip
import json
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
VERSION = re.search(r'"(.*)"', (ROOT / "Sources/Engine/Frost/Version.swift").read_text())[1]
LIBRARY = [
    "lib/libfrost.so", "lib/libfrost.so.0", f"lib/libfrost.so.{VERSION}", "lib/pkgconfig/frost.pc",
    "lib/libfrost-images.so", "lib/libfrost-images.so.0", f"lib/libfrost-images.so.{VERSION}",
    "lib/pkgconfig/frost-images.pc", "lib/libfrost-motion.so", "lib/libfrost-motion.so.0",
    f"lib/libfrost-motion.so.{VERSION}", "lib/pkgconfig/frost-motion.pc", "share/frost/frost.supp",
] + [f"include/{header.name}" for header in (ROOT / "Sources/Bindings").glob("*/include/*.h")]
COMMAND = [
    "bin/frost", "share/bash-completion/completions/frost", "share/doc/frost/LICENSE", "share/doc/frost/LICENSE.swift",
    "share/fish/vendor_completions.d/frost.fish", "share/zsh/site-functions/_frost",
] + [f"share/man/man1/{page.name}.gz" for page in (ROOT / "docs/man").glob("*.1")]
FILES = COMMAND + LIBRARY


def install(frost, *words, cwd="/"):
    return subprocess.run([ROOT / "Tools" / "install", *words], cwd=cwd, env=os.environ | {"FROST_BINARY": frost},
                          capture_output=True, text=True)


def files(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if not path.is_dir())


def whole(frost):
    with tempfile.TemporaryDirectory(prefix="frost-install-") as name:
        prefix = Path(name) / "a folder"
        (prefix / "bin").mkdir(parents=True)
        (prefix / "bin" / "other").touch()
        first = install(frost, "--prefix", prefix)
        assert first.returncode == 0, first.stderr
        there = {path: (prefix / path).read_bytes() for path in FILES}
        # The second installation replaces the file of a program that is running. Such a file cannot be written to.
        with subprocess.Popen([prefix / "bin/frost", "compare", "-", "/dev/null"], stdin=subprocess.PIPE,
                              stderr=subprocess.DEVNULL) as running:
            again = install(frost, "--prefix", prefix)
            running.communicate()
        assert again.returncode == 0, again.stderr
        assert files(prefix) == sorted([*FILES, "bin/other"]), files(prefix)
        assert all((prefix / path).read_bytes() == there[path] for path in FILES), "the second installation differs"
        version = subprocess.run([frost, "--version"], capture_output=True, text=True).stdout
        installed = subprocess.run([prefix / "bin/frost", "--version"], capture_output=True, text=True).stdout
        assert installed == version != "", installed
        for page in ("frost.1", "frost-blur.1"):
            assert gzip.decompress(there[f"share/man/man1/{page}.gz"]) == (ROOT / "docs/man" / page).read_bytes(), page
        removed = install(frost, "--prefix", prefix, "--uninstall")
        assert removed.returncode == 0, removed.stderr
        assert files(prefix) == ["bin/other"], files(prefix)
        assert install(frost, "--prefix", prefix, "--uninstall").returncode == 0, "nothing to remove is an error"


def staged(frost):
    """Tests an installation as for a package: the prefix is /usr, but the files go to a folder that stands for the
    system's root."""
    with tempfile.TemporaryDirectory(prefix="frost-install-") as name:
        done = install(frost, "--prefix", "/usr", "--destdir", name)
        assert done.returncode == 0, done.stderr
        expected = [
            f"usr/{path}".replace("site-functions", "vendor-completions").replace(
                "/lib/", f"/lib/{os.uname().machine}-linux-gnu/") for path in FILES]
        assert files(Path(name)) == sorted(expected), files(Path(name))
        assert (Path(name) / "usr/bin/frost").stat().st_mode & 0o777 == 0o755


def command_alone(frost):
    with tempfile.TemporaryDirectory(prefix="frost-install-") as name:
        done = install(frost, "--prefix", name, "--without-library")
        assert done.returncode == 0, done.stderr
        assert files(Path(name)) == sorted(COMMAND), files(Path(name))


def relative(frost):
    with tempfile.TemporaryDirectory(prefix="frost-install-") as name:
        done = install(frost, "--prefix=here", cwd=name)
        assert done.returncode == 0, done.stderr
        assert (Path(name) / "here/bin/frost").exists()


def refusals(frost):
    for words in (["--prefix"], ["--nonsense"], ["/usr"]):
        done = install(frost, *words)
        assert done.returncode == 1 and done.stderr.startswith("install: "), (words, done)
    if os.geteuid() == 0:
        return
    done = install(frost, "--prefix", "/proc")
    assert done.returncode != 0 and done.stderr, done


def licences(frost):
    """No product is made without the licence of the Swift runtime, which it contains. An earlier product stays as it is."""
    with tempfile.TemporaryDirectory(prefix="frost-install-") as name:
        empty, other = Path(name) / "empty", Path(name) / "other"
        empty.touch()
        other.write_text("All rights reserved.")
        tools = [["install", "--prefix", f"{name}/installed"], ["package-tarball", f"{name}/archive"],
                 ["package-deb", f"{name}/packages"], ["gpu-kit", "pack", f"{name}/kit"], ["wheel", f"{name}/wheel"]]
        for licence, (tool, *words) in [(Path(name) / "missing", tools[0]), (empty, tools[0]), *((other, tool) for tool in tools)]:
            done = subprocess.run(
                [ROOT / "Tools" / tool, *words], capture_output=True, text=True,
                env=os.environ | {"FROST_BINARY": frost, "GPU_KIT_FROST": frost, "FROST_SWIFT_LICENCE": str(licence),
                                  "FROST_LIBRARY": os.environ.get("FROST_LIBRARY", frost)})
            assert done.returncode == 1 and str(licence) in done.stderr, (tool, done)
        # The kit is a folder, which gets its name when it is complete.
        made = [path for path in files(Path(name)) if path.endswith((".deb", ".gz", ".whl", "/frost")) and ".new/" not in path]
        assert not made, made


def components(frost):
    """Tests that the list of components names every library that the command links, and every library that it opens
    itself while it reads all formats, opens GPUs and draws a scene."""
    with tempfile.TemporaryDirectory(prefix="frost-install-") as name:
        listed = Path(name) / "frost.cdx.json"
        done = subprocess.run([ROOT / "Tools" / "sbom", listed], capture_output=True, text=True,
                              env=os.environ | {"FROST_BINARY": frost})
        assert done.returncode == 0, done.stderr
        found = json.loads(listed.read_text())
        files = {item["value"] for part in found["components"] for item in part.get("properties", [])
                 if item["name"] == "file"}
        for part in found["components"]:
            assert part["version"], part
        linked = re.findall(r"\(NEEDED\).*\[(.*)\]", subprocess.run(["readelf", "-d", frost], capture_output=True,
                                                                    text=True).stdout)
        assert "libpng16.so.16" in linked and "ld-linux" not in " ".join(files), linked
        opened = set()
        pictures = [ROOT / "Tests/fuzz" / path for path in ("avif/rgba", "jxl/rgb", "tiff/raw", "heic/exact")]
        # The dynamic linker of a process in the sandbox reports nothing.
        for words in (["devices"], ["blur", *pictures, "-o", f"{name}/pictures/", "--sigma", "1", "--no-sandbox"],
                      ["animate", ROOT / "examples/scenes/menu.json", "-o", Path(name) / "out.y4m"]):
            done = subprocess.run([frost, *words], capture_output=True, text=True, env=os.environ | {"LD_DEBUG": "files"})
            assert done.returncode == 0, (words, done.stderr[-500:])
            opened |= {line[1] for line in re.finditer(r"file=(\S+) \[0\];  dynamically loaded by " + re.escape(frost),
                                                       done.stderr)}
        assert len(opened) >= 6, opened
        # ld-linux is part of libc6, which the list has.
        missing = {os.path.basename(file) for file in {*linked, *opened}} - files - {"ld-linux-x86-64.so.2"}
        assert not missing, missing
        outdated(found, Path(name) / "old.cdx.json")


def outdated(listed, path):
    """Tests that Tools/updates names exactly the components that are older than the packages of this system."""
    old = next(part for part in listed["components"] if part["name"].startswith("libpng"))
    def lines():
        path.write_text(json.dumps(listed))
        done = subprocess.run([ROOT / "Tools" / "updates", path], capture_output=True, text=True)
        assert done.returncode == (1 if done.stdout else 0) and not done.stderr, done
        return done.stdout.splitlines()
    # This machine may lack updates, so only the changes of the list count.
    before = set(lines())
    old["version"] = "1:999"
    now = set(lines())
    assert not [line for line in now if line.startswith(old["name"] + " ")], now
    old["version"] = "0.1"
    added = set(lines()) - before
    assert [line for line in added if line.startswith(f"{old['name']} 0.1: ") and line.endswith(" is available")], added


def pages(frost):
    """Checks that man shows the manual pages without a warning, at any width."""
    if not shutil.which("man") or not shutil.which("mandoc"):
        raise Skipped("man or mandoc is not installed")
    commands = json.loads(subprocess.run([frost, "reference", "json"], capture_output=True, text=True).stdout)["commands"]
    names = [command["name"] for command in commands]
    assert "blur" in names, names
    with tempfile.TemporaryDirectory(prefix="frost-install-") as name:
        wanted = [([], "SEE ALSO")] + [([command], f"frost {command}") for command in names]
        for words, _ in wanted:
            page = subprocess.run([frost, "reference", "man", *words], capture_output=True, text=True)
            assert page.returncode == 0, page.stderr
            (Path(name) / ("-".join(["frost", *words]) + ".1")).write_text(page.stdout)
        for words, evidence in wanted:
            path = Path(name) / ("-".join(["frost", *words]) + ".1")
            for width in ("60", "80", "200"):
                done = subprocess.run(["man", "--warnings", "-l", path], capture_output=True, text=True,
                                      env=os.environ | {"MANWIDTH": width, "LC_ALL": "C.UTF-8"})
                assert done.returncode == 0 and not done.stderr, done.stderr
                assert evidence in done.stdout.replace("\u2010", "-"), (words, done.stdout)
            # mandoc runs in the folder that holds all pages, because it looks there for the pages to which a page refers.
            done = subprocess.run(["mandoc", "-Tlint", path.name], cwd=name, capture_output=True, text=True)
            assert done.returncode == 0 and not done.stdout, done.stdout
        short = (Path(name) / "frost.1").read_text()
        assert "FROST_THREADS" in short and len(short.splitlines()) < 250, "frost(1) is not short"


def main():
    cases = Cases("installation", __doc__)
    for name, case in [("whole", whole), ("staged", staged), ("command alone", command_alone),
                       ("relative prefix", relative), ("refusals", refusals),
                       ("licences", licences), ("components", components), ("manual pages", pages)]:
        cases.run(name, case, cases.frost)
    cases.finish()


main()
