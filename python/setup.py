"""Builds the wheel. It contains the C libraries and the command, so that the package needs no other file of Frost.

The libraries and the command are those that FROST_LIBRARY, FROST_IMAGES_LIBRARY and FROST_BINARY name, or else those that
Frost's tools have built in this source tree. auditwheel tags the wheel for the oldest glibc on which they run, and copies
libraries that the system may lack.
"""

import ctypes
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from urllib.parse import quote

from setuptools import Distribution, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py
from setuptools.errors import SetupError

BUILT = Path(__file__).resolve().parent.parent / ".build" / "tools"
# The names in the wheel, with the variable that names each file, its file among the built ones, and the function that
# returns its version. The first library is required. The command has no function.
LIBRARIES = (
    ("libfrost.so.0", "FROST_LIBRARY", "libfrost.so", "frost_version"),
    ("libfrost-images.so.0", "FROST_IMAGES_LIBRARY", "libfrost-images.so", "frost_images_version"),
    ("libfrost-motion.so.0", "FROST_MOTION_LIBRARY", "libfrost-motion.so", "frost_motion_version"),
    ("bin/frost", "FROST_BINARY", "frost", None),
)
# One file with the functions of all libraries, which is a third of their size. If it is there, the wheel contains it instead.
ALL = ("libfrost.so.0", "FROST_ALL_LIBRARY", "libfrost-all.so", "frost_motion_version")
# Libraries that the command and the other libraries open at run time. auditwheel copies only those that are linked. The libraries
# of AVIF would make the wheel half as large again, and those of JPEG XL need a newer glibc than the rest.
OPENED = ("libtiff.so.6", "libjansson.so.4")


def chosen():
    """Returns the parts of the wheel, in the form of ``LIBRARIES``."""
    # A libfrost.so that is named counts more than what was built.
    if os.environ.get(ALL[1]) or not os.environ.get(LIBRARIES[0][1]) and (BUILT / ALL[2]).is_file():
        return ALL, LIBRARIES[-1]
    return LIBRARIES


def found(name, variable, built):
    """Returns the file of a library, or None if the library is not required and not built."""
    named = os.environ.get(variable)
    if named:
        if not Path(named).is_file():
            raise SetupError(f"{variable}={named}: no such file")
        return Path(named)
    if (BUILT / built).is_file():
        return BUILT / built
    if name == LIBRARIES[0][0]:
        raise SetupError(
            f"{name} is missing. The wheel contains this library, and this source distribution has only Python. "
            f"Set {variable} to the libfrost.so of the same version, or run Tools/wheel in Frost's source tree, which "
            "builds it with Swift 6.3")
    return None


def check_version(file, function, wanted):
    """Refuses a library or a command of another version, or one that this machine cannot load."""
    try:
        if function is None:
            version = output(file, "--version").split()[1]
        else:
            call = getattr(ctypes.CDLL(str(file)), function)
            call.restype = ctypes.c_char_p
            version = call().decode()
    except (OSError, AttributeError, IndexError, subprocess.CalledProcessError) as error:
        raise SetupError(f"{file} is not a usable part of Frost: {error}") from error
    if version != wanted:
        raise SetupError(f"{file} is version {version}, but the package is version {wanted}")


def opened():
    """Returns the files of the libraries in ``OPENED`` that this machine has."""
    for name in OPENED:
        try:
            ctypes.CDLL(name)
        except OSError:
            print(f"{name} is not installed, so the wheel lacks it", file=sys.stderr)
            continue
        [path] = set(re.findall(rf"/\S*/{re.escape(name)}\S*", Path("/proc/self/maps").read_text()))
        yield name, Path(path)


def strip(file, target, run_path):
    """Copies a file without the symbols for debugging, which are two thirds of it."""
    target.parent.mkdir(exist_ok=True)
    if shutil.which("strip"):
        subprocess.run(["strip", "--strip-all", "-o", target, file], check=True)
    else:
        shutil.copyfile(file, target)
    target.chmod(0o755)
    subprocess.run(["patchelf", "--force-rpath", "--set-rpath", run_path, target], check=True)


def swift_licence():
    """Returns the licence of the Swift runtime, which the libraries contain: the file that FROST_SWIFT_LICENCE names, or that
    of an installed Frost."""
    named = os.environ.get("FROST_SWIFT_LICENCE")
    library = found(*chosen()[0][:3])
    licence = Path(named) if named else library.resolve().parents[1] / "share" / "doc" / "frost" / "LICENSE.swift"
    if not licence.is_file() or "Runtime Library Exception" not in licence.read_text():
        raise SetupError(
            f"{licence} is not the licence of the Swift runtime, which the wheel contains. Set FROST_SWIFT_LICENCE to "
            "share/swift/LICENSE.txt of the Swift toolchain, or run Tools/wheel")
    return licence


def replace_jbig(folder):
    """Puts libjbig.c in the place of libjbig, which libtiff links, because libjbig is under the GPL."""
    for file in Path(folder).glob("*.libs/libjbig-*"):
        source = Path(__file__).resolve().parent / "libjbig.c"
        subprocess.run(
            ["cc", "-O2", "-s", "-shared", "-fPIC", f"-Wl,-soname,{file.name}", "-o", file, source], check=True)


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def add_licences(wheel):
    """Adds the licences of the Swift runtime and of the libraries of others, and completes auditwheel's list of these: it lacks
    the libraries that are opened at run time, and those whose package auditwheel has not found."""
    from auditwheel.wheeltools import InWheel

    lines = (line.split(": ") for line in output("dpkg-query", "-S", "*/lib*.so.*").splitlines() if ": " in line)
    owners = {os.path.basename(path): packages.split(", ")[0] for packages, path in lines}
    with InWheel(wheel, wheel) as folder:
        [licences] = Path(folder).glob("*.dist-info/licenses")
        shutil.copyfile(swift_licence(), licences / "swift")
        [bill] = Path(folder).glob("*.dist-info/sboms/auditwheel.cdx.json")
        parts = json.loads(bill.read_text())
        replace_jbig(folder)
        replaced = [part["bom-ref"] for part in parts["components"] if part["name"].startswith("libjbig")]
        for key, reference in (("components", "bom-ref"), ("dependencies", "ref")):
            parts[key] = [part for part in parts[key] if part[reference] not in replaced]
        for part in parts["dependencies"]:
            part["dependsOn"] = [other for other in part.get("dependsOn", []) if other not in replaced]
        # auditwheel adds a part of the checksum to a library's name.
        names = [re.sub(r"-[0-9a-f]{8}(?=\.so\.)", "", file.name) for file in Path(folder).glob("*.libs/*")]
        names = [name for name in names if not name.startswith("libjbig")]
        names += [path.resolve().name for name, path in opened() if Path(folder, "frost", name).exists()]
        for library in names:
            if library not in owners:
                raise SetupError(f"the wheel contains {library}, whose package, and so its licence, is unknown")
            package, version = output("dpkg-query", "-W", "-f", "${Package} ${Version}", owners[library]).split()
            if package not in [part["name"] for part in parts["components"]]:
                purl = f"pkg:deb/debian/{package}@{quote(version)}"
                parts["components"].append(
                    {"type": "library", "bom-ref": purl, "name": package, "version": version, "purl": purl})
            licence = Path("/usr/share/doc", package, "copyright")
            if not licence.is_file():
                raise SetupError(f"the wheel contains {library}, whose licence {licence} is missing")
            shutil.copyfile(licence, licences / package)
            # Debian's files refer to the texts of common licences.
            for text in set(re.findall(r"/usr/share/common-licenses/([\w.-]*\w)", licence.read_text(errors="replace"))):
                shutil.copyfile(Path("/usr/share/common-licenses", text), licences / text)
        bill.write_text(json.dumps(parts))


class BuildWithLibraries(build_py):
    def run(self):
        super().run()
        if self.editable_mode:
            return
        swift_licence()
        for name, *_ in LIBRARIES:
            Path(self.build_lib, "frost", name).unlink(missing_ok=True)
        for name, variable, built, function in chosen():
            target = Path(self.build_lib, "frost", name)
            file = found(name, variable, built)
            if file is None:
                continue
            check_version(file, function, self.distribution.get_version())
            # The libraries that are opened are in the folder of the package.
            strip(file, target, "$ORIGIN/.." if "/" in name else "$ORIGIN")
        for name, file in opened():
            strip(file, Path(self.build_lib, "frost", name), "$ORIGIN")


class PlatformDistribution(Distribution):
    def has_ext_modules(self):
        """States that the files depend on the platform, although no extension module is compiled."""
        return True


class PlatformWheel(bdist_wheel):
    """A wheel for any Python 3 on one platform."""

    def get_tag(self):
        return "py3", "none", super().get_tag()[2]

    def finalize_options(self):
        # The wheel is packed again twice. Only the last time, compression is worth its seconds.
        self.compression = "stored"
        super().finalize_options()

    def run(self):
        super().run()
        [wheel] = Path(self.dist_dir).glob(f"{self.wheel_dist_name.replace('-', '?')}*-py3-none-linux_*.whl")
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(
                [sys.executable, "-m", "auditwheel", "repair", "--plat", "auto", "--zip-compression-level", "0", "--wheel-dir",
                 folder, wheel], check=True)
            [repaired] = Path(folder).iterdir()
            wheel.unlink()
            add_licences(repaired)
            shutil.move(repaired, self.dist_dir)


setup(
    distclass=PlatformDistribution, cmdclass={"bdist_wheel": PlatformWheel, "build_py": BuildWithLibraries}, scripts=["bin/frost"])
