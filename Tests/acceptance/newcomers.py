#!/usr/bin/env python3
"""Unpacks the archive, and installs the Python package, in systems that have nothing else, and blurs a picture there.

    newcomers.py --frost PATH [--archive FILE] [--wheel FILE] [--only TEXT] [--junit FILE]

The products are made from the given frost, and from FROST_LIBRARY, unless they are given. The first system has glibc and a
shell; the second has Python, pip, and the other libraries that every Linux has according to PEP 600. Both are folders,
which the script enters with a mount namespace and chroot. Tests/acceptance/wheel and package use a whole Debian instead.
"""

import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import time
import zipfile
from pathlib import Path

sys.dont_write_bytecode = True

import hardened
from report import Cases, Skipped

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "Samples"
VERSION = re.search(r'"(.*)"', (ROOT / "Sources/Engine/Frost/Version.swift").read_text())[1]
# The maximum size of the wheel, in bytes.
LARGEST_WHEEL = 24_000_000


def run(*words, **more):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, **more)


def succeed(*words, **more):
    done = run(*words, **more)
    assert done.returncode == 0, (words, done.stdout[-500:], done.stderr[-1500:])
    return done.stdout


def needed(*files):
    """Returns the paths of the libraries that files need, and of the loader."""
    lines = succeed("ldd", *files).splitlines()
    return {match[1] for line in lines if (match := re.match(r"\s+(?:\S+ => )?(/\S+) \(", line))}


class System:
    """A folder that is the root of a small system."""

    def __init__(self, folder):
        self.folder = Path(folder)
        for name in ("bin", "lib", "lib64"):
            (self.folder / "usr" / name).mkdir(parents=True)
            (self.folder / name).symlink_to(f"usr/{name}")
        for name in ("dev", "proc", "tmp", "home"):
            (self.folder / name).mkdir()
        (self.folder / "dev/null").touch()
        self.add(os.path.realpath("/bin/sh"), "bin/sh")
        libc = next(Path(path) for path in needed(os.path.realpath("/bin/sh")) if "/libc.so" in path)
        for library in ("libdl.so.2", "libm.so.6", "libpthread.so.0", "librt.so.1", "libutil.so.1"):
            self.add(libc.with_name(library))

    def add(self, program, place=None):
        """Copies a program with its libraries; it gets the same path, or another."""
        for path in needed(program):
            self.copy(path, path[1:])
        self.copy(program, place or str(program)[1:])

    def copy(self, file, place):
        target = self.folder / place
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.exists():
            shutil.copy(file, target)

    def run(self, *words, **variables):
        """Runs a command in the system, in its folder home."""
        environment = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": "/home", "LC_ALL": "C.UTF-8"} | variables
        # chroot is not in the path of every user, nor in that of the system.
        mount, chroot = (shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin:/sbin") for name in ("mount", "chroot"))
        enter = ('"$1" --rbind /proc "$0/proc" && "$1" --bind /dev/null "$0/dev/null" && shift '
                 '&& exec "$1" "$0" /bin/sh -c \'shift && cd /home && exec "$@"\' sh "$@"')
        return run(*namespace(), "/bin/sh", "-c", enter, self.folder, mount, chroot, *words, env=environment)

    def succeed(self, *words, **variables):
        done = self.run(*words, **variables)
        assert done.returncode == 0, (words, done.stdout[-500:], done.stderr[-1500:])
        return done.stdout


def namespace():
    """Returns the command that starts another in a mount namespace."""
    words = ["unshare", "--mount"] if os.geteuid() == 0 else ["unshare", "--map-root-user", "--mount"]
    done = run(*words, "true") if shutil.which("unshare") else None
    if done is None or done.returncode:
        raise Skipped(f"this machine allows no mount namespace: {done.stderr.strip() if done else 'unshare is missing'}")
    return [shutil.which("unshare"), *words[1:]]


@contextlib.contextmanager
def system():
    with tempfile.TemporaryDirectory(prefix="frost-newcomers-") as folder:
        os.chmod(folder, 0o755)
        yield System(folder)


def documented(page, start):
    """Returns the line of a page that begins with some words, without its comment."""
    [line] = [line for line in (ROOT / page).read_text().splitlines() if line.startswith(start)]
    return re.sub(r"\s+# .*", "", line)


def said(seconds, what):
    print(f"{what}: {seconds:.1f} s")


def blurs(system, frost, formats, absent=()):
    """Checks that a command of the system blurs pictures of all formats, also in the sandbox, and draws a scene."""
    for suffix in formats:
        system.succeed(frost, "blur", "photo.png", "-o", f"soft.{suffix}", "--sigma", "8")
        system.succeed(frost, "blur", f"soft.{suffix}", "-o", "again.png", "--sigma", "2", "--sandbox")
    for suffix, library in absent:
        missing(system, frost, suffix, library)
    shutil.copytree(ROOT / "examples/scenes", system.folder / "home/scenes")
    for picture in ("scene", "label"):
        system.copy(SAMPLES / f"{picture}.png", f"Samples/{picture}.png")
    system.succeed(frost, "animate", "scenes/menu.json", "-o", "menu.y4m")
    done = system.run(frost, "blur", "photo.png", "-o", "gpu.png", "--sigma", "8", "--backend", "gpu")
    assert done.returncode == 5 and "libEGL" in done.stderr, done


def missing(system, frost, suffix, library):
    """Checks that a command names the packages of a format's library, which the system lacks."""
    done = system.run(frost, "blur", "photo.png", "-o", f"none.{suffix}", "--sigma", "8")
    advice = rf"{library}\.so\.\S+ cannot open .*; its package is {library}[0-9.]+ on Debian, {library} of this version on Fedora"
    assert done.returncode == 6 and re.search(advice, done.stderr), done


def glibc(files):
    """Returns the version of the oldest glibc on which files run."""
    found = re.findall(r" GLIBC_([0-9.]*[0-9])$", succeed("objdump", "-p", *files), re.MULTILINE)
    return max(found, key=lambda version: [int(part) for part in version.split(".")])


def archive(cases):
    """Checks that the archive runs on glibc alone, and what it contains. The same sources give the same bytes."""
    with system() as clean:
        made = [cases.options.archive] * 2
        for i in range(2 if not made[0] else 0):
            done = run(ROOT / "Tools/package-tarball", clean.folder / f"tmp/{i}", env=os.environ | {"FROST_BINARY": cases.frost})
            assert done.returncode == 0, done.stderr
            made[i] = done.stdout.strip()
        lists = [Path(str(path).removesuffix(".tar.gz") + ".cdx.json") for path in made]
        assert Path(made[0]).read_bytes() == Path(made[1]).read_bytes(), "the same sources give two archives"
        assert lists[0].read_bytes() == lists[1].read_bytes(), "the same sources give two lists of components"
        name = Path(made[0]).name.removesuffix(".tar.gz")
        assert name == f"frost-{VERSION}-{os.uname().machine}", name
        shutil.copy(SAMPLES / "photo.png", clean.folder / "home")
        namespace()

        began = time.monotonic()
        shutil.copy(made[0], clean.folder / "home")
        succeed("sh", "-c", documented("README.md", "tar xf "), cwd=clean.folder / "home")
        frost = f"/home/{name}/bin/frost"
        assert clean.succeed(frost, "--version") == f"frost {VERSION}\n"
        clean.succeed(frost, "blur", "photo.png", "-o", "soft.png", "--sigma", "8")
        said(time.monotonic() - began, "from the archive to a blurred picture")
        with tarfile.open(made[0]) as tar:
            assert all(entry.uid == 0 for entry in tar)

        blurs(clean, frost, ("png", "jpg", "webp", "tif", "avif", "jxl", "qoi"))
        top = clean.folder / "home" / name
        hardened.check(hardened.own(top))
        bundled(top, json.loads(lists[0].read_text()))
        # The program finds its libraries from any place, also by a link, and names those that are missing.
        for part in ("bin", "lib", "share"):
            shutil.copytree(top / part, clean.folder / "usr/local" / part, dirs_exist_ok=True)
        shutil.rmtree(clean.folder / "usr/local/lib/frost/gcc")
        (clean.folder / "usr/bin/frost").symlink_to(f"../../home/{name}/bin/frost")
        assert clean.succeed("/usr/bin/frost", "--version") == f"frost {VERSION}\n"
        assert "libstdc++" in clean.run("/usr/local/bin/frost", "--version").stderr
        [library] = (top / "lib/frost").glob("libavif.so.*")
        library.unlink()
        missing(clean, "/usr/bin/frost", "avif", "libavif")
        # The drivers of this system work with the archive's libraries as with the system's own.
        assert run(top / "bin/frost", "devices").stdout == run(cases.frost, "devices").stdout


def bundled(top, components):
    """Checks the files of the archive: licences of all libraries, the glibc that they need, and the list of components."""
    libraries = [path for path in (top / "lib/frost").rglob("*") if path.is_file()]
    assert len(libraries) > 40, libraries
    readme = (top / "README").read_text()
    assert f"needs glibc {glibc([top / 'bin/frost', *libraries])} or later" in readme, readme
    assert "Runtime Library Exception" in (top / "licences/swift").read_text() and (top / "LICENSE").exists()
    listed = {}
    for part in components["components"]:
        for item in part.get("properties", []):
            listed.setdefault(item["name"], {})[item["value"]] = part["name"]
    for library in libraries:
        # Frost's own stand-in, so it has no package.
        if "libjbig" in library.name:
            continue
        package = listed["bundled as"][library.name]
        assert (top / "licences" / package).stat().st_size > 0, library
    for source in listed["source package"]:
        assert source in ("glibc", "libglvnd", "libheif", "libmicrohttpd", "mesa") or f"    {source} " in readme, source
    # Nothing of glibc, of a driver, of libheif, whose encoder has another licence, or of the server's library is copied.
    for library in libraries:
        assert not re.match(
            r"(frost-)?(libc\.|libm\.|ld-|libEGL|libGL|libgbm|libdrm|libheif|libde265|libx265|libmicrohttpd)", library.name), library
    pages = {f"share/man/man1/{page.name}.gz" for page in (ROOT / "docs/man").glob("*.1")}
    shells = {"share/bash-completion/completions/frost", "share/fish/vendor_completions.d/frost.fish",
              "share/zsh/site-functions/_frost"}
    files = {str(path.relative_to(top)) for path in top.rglob("*") if path.is_file()}
    rest = {path for path in files if not path.startswith(("lib/", "licences/"))}
    assert rest == {"LICENSE", "README", "bin/frost"} | pages | shells, rest


def add_python(clean, frost):
    """Copies the Python that runs this script, with pip and without other packages, and what PEP 600 counts on."""
    program, library = Path(sys._base_executable).resolve(), Path(sysconfig.get_path("stdlib"))
    place = clean.folder / str(library)[1:]
    shutil.copytree(library, place, ignore=shutil.ignore_patterns(
        "site-packages", "dist-packages", "test", "tests", "idlelib", "tkinter", "turtledemo", "config-*", "EXTERNALLY-MANAGED"))
    clean.add(program)
    libraries = needed(*(place / "lib-dynload").glob("*.so"))
    libraries |= {path for path in needed(frost) if re.search(r"/lib(stdc\+\+|gcc_s|z)\.so", path)}
    for path in libraries:
        clean.copy(path, path[1:])
    import pip
    shutil.copytree(Path(pip.__file__).parent, clean.folder / "home/pip/pip")
    return program


def make_wheel(folder):
    """Makes the wheel as Tools/wheel does, but with the packages of this Python, which are there already."""
    shutil.copytree(ROOT / "python", folder / "python", ignore=shutil.ignore_patterns("build", "*.egg-info", "__pycache__"))
    ask = 'root=$0; source "$root/Tools/lib/setup.sh"; find_swift_licence; printf %s "$swift_licence"'
    library = Path(os.environ["FROST_LIBRARY"])
    environment = {
        "FROST_ALL_LIBRARY": str(library.with_name("libfrost-all.so")),
        "FROST_SWIFT_LICENCE": succeed("bash", "-c", ask, ROOT)} | os.environ | {
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    succeed(sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check", "--no-deps",
            "--no-build-isolation", "--wheel-dir", folder / "made", folder / "python", env=environment)
    [made] = (folder / "made").iterdir()
    return made


def wheel(cases):
    """Checks that the Python package works with Python and pip alone, as a command and as a module."""
    with system() as clean:
        if not cases.options.wheel and "FROST_LIBRARY" not in os.environ:
            raise Skipped("neither --wheel nor FROST_LIBRARY is given")
        made = Path(cases.options.wheel or make_wheel(clean.folder / "tmp"))
        contents(made)
        namespace()
        python = add_python(clean, cases.frost)
        home = clean.folder / "home"
        (home / "wheels").mkdir()
        shutil.copy(made, home / "wheels")
        shutil.copy(SAMPLES / "photo.png", home)
        # The system has no network, so NumPy comes as a file.
        done = run(sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps",
                   "--only-binary", ":all:", "--dest", home / "wheels", "numpy")
        if done.returncode:
            raise Skipped(f"NumPy cannot be downloaded: {done.stderr.strip()[-300:]}")
        scripts = clean.succeed(python, "-c", "import sysconfig; print(sysconfig.get_path('scripts'))").strip()
        variables = {"PATH": f"{scripts}:/usr/bin:/bin"}
        offline = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": "/home/wheels", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
        shutil.copy(made, home)
        for name, words in (("pip", "PYTHONPATH=/home/pip exec \"$0\" -m pip"), ("python3", "exec \"$0\"")):
            script = clean.folder / "usr/bin" / name
            script.write_text(f"#!/bin/sh\n{words.replace('$0', str(python))} \"$@\"\n")
            script.chmod(0o755)

        began = time.monotonic()
        clean.succeed("sh", "-c", documented("README.md", "pip install "), **offline)
        clean.succeed("frost", "blur", "photo.png", "-o", "soft.png", "--sigma", "8", **variables)
        clean.succeed(python, "-c", "import frost, numpy; print(frost.blur(numpy.eye(5), 1.0))")
        said(time.monotonic() - began, "from the wheel to a blurred picture and a blurred array")

        assert clean.succeed(python, "-m", "frost", "--version") == f"frost {VERSION}\n"
        for start in ("python3 -m venv ", "frost-env/bin/pip install "):
            clean.succeed("sh", "-c", documented("docs/Install.md", start), **offline)
        assert clean.succeed("frost-env/bin/frost", "--version") == f"frost {VERSION}\n"
        # The command needs no Python.
        command = f"{scripts}/frost"
        assert clean.succeed(command, "--version", PATH="/none") == f"frost {VERSION}\n"
        (clean.folder / "usr/bin/soften").symlink_to(command)
        clean.add(shutil.which("readlink"))
        assert clean.succeed("soften", "--version") == f"frost {VERSION}\n"
        blurs(clean, command, ("png", "jpg", "webp", "tif", "qoi"), (("avif", "libavif"), ("jxl", "libjxl")))
        clean.succeed(python, "-c", f"""
import frost
picture = open("/home/photo.png", "rb").read()
tiff = frost.blur_encoded(picture, 8, format="tiff", decoding=frost.Decoding(sandbox={command!r}))
assert frost.blur_encoded(tiff, 1, decoding=frost.Decoding(sandbox={command!r}))[:2] in (b"II", b"MM")
try:
    frost.blur_encoded(picture, 8, format="avif")
except frost.UnwritableError as error:
    assert "libavif" in str(error) and "on Fedora" in str(error), error
else:
    raise AssertionError("AVIF without its library")
""")


def contents(made):
    """Checks the size of a wheel, and that it has a licence of every library that it contains."""
    assert made.stat().st_size <= LARGEST_WHEEL, made.stat().st_size
    print(f"{made.name}: {made.stat().st_size / 1e6:.1f} MB")
    with zipfile.ZipFile(made) as file:
        names = file.namelist()
        [bill] = [name for name in names if name.endswith("sboms/auditwheel.cdx.json")]
        packages = {part["name"] for part in json.loads(file.read(bill))["components"] if part["purl"].startswith("pkg:deb/")}
        licences = {Path(name).name for name in names if "/licenses/" in name}
        with tempfile.TemporaryDirectory(prefix="frost-newcomers-") as folder:
            file.extractall(folder)
            hardened.check(hardened.own(folder))
    libraries = [name for name in names if ".so." in name and "libfrost" not in name and "libjbig" not in name]
    assert len(packages) == len(libraries) >= 14, (packages, libraries)
    assert packages | {"swift", "LICENSE"} <= licences, (packages, licences)
    assert "frost/bin/frost" in names, names


def main():
    cases = Cases("newcomers", __doc__, [
        ("--archive", {"help": "the archive to test"}), ("--wheel", {"help": "the Python wheel to test"})])
    cases.run("archive", archive, cases)
    cases.run("wheel", wheel, cases)
    cases.finish()


main()
