"""Builds the wheel. It contains the C library, so that the package needs no other file of Frost.

The library is the one that FROST_LIBRARY names, or else the one that Frost's tools have built in this source tree.
auditwheel tags the wheel for the oldest glibc on which the library runs, and copies libraries that the system may lack.
"""

import ctypes
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py
from setuptools.errors import SetupError

BUILT = Path(__file__).resolve().parent.parent / ".build" / "tools"
# The names in the wheel, with the variable that names each file, its file among the built ones, and the function that
# returns its version. The first library is required.
LIBRARIES = (
    ("libfrost.so.0", "FROST_LIBRARY", "libfrost.so", "frost_version"),
    ("libfrost-images.so.0", "FROST_IMAGES_LIBRARY", "libfrost-images.so", "frost_images_version"),
)


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
    """Refuses a library of another version, or one that this machine cannot load."""
    try:
        version = getattr(ctypes.CDLL(str(file)), function)
    except (OSError, AttributeError) as error:
        raise SetupError(f"{file} is not a usable library of Frost: {error}") from error
    version.restype = ctypes.c_char_p
    if version().decode() != wanted:
        raise SetupError(f"{file} is version {version().decode()}, but the package is version {wanted}")


def swift_licence():
    """Returns the licence of the Swift runtime, which the libraries contain: the file that FROST_SWIFT_LICENCE names, or that
    of an installed Frost."""
    named = os.environ.get("FROST_SWIFT_LICENCE")
    library = found(*LIBRARIES[0][:3])
    licence = Path(named) if named else library.resolve().parents[1] / "share" / "doc" / "frost" / "LICENSE.swift"
    if not licence.is_file() or "Runtime Library Exception" not in licence.read_text():
        raise SetupError(
            f"{licence} is not the licence of the Swift runtime, which the wheel contains. Set FROST_SWIFT_LICENCE to "
            "share/swift/LICENSE.txt of the Swift toolchain, or run Tools/wheel")
    return licence


def add_licences(wheel):
    """Adds the licences of the Swift runtime and of the libraries that auditwheel has copied. auditwheel lists the packages
    that they are from."""
    from auditwheel.wheeltools import InWheel

    with InWheel(wheel, wheel) as folder:
        [licences] = Path(folder).glob("*.dist-info/licenses")
        shutil.copyfile(swift_licence(), licences / "swift")
        for bill in Path(folder).glob("*.dist-info/sboms/auditwheel.cdx.json"):
            for component in json.loads(bill.read_text())["components"]:
                licence = Path("/usr/share/doc", component["name"], "copyright")
                if component["purl"].startswith("pkg:pypi/"):
                    continue
                if not licence.is_file():
                    raise SetupError(f"the wheel contains {component['name']}, whose licence {licence} is missing")
                shutil.copyfile(licence, licences / component["name"])


class BuildWithLibraries(build_py):
    def run(self):
        super().run()
        if self.editable_mode:
            return
        swift_licence()
        for name, variable, built, function in LIBRARIES:
            target = Path(self.build_lib, "frost", name)
            target.unlink(missing_ok=True)
            file = found(name, variable, built)
            if file is None:
                continue
            check_version(file, function, self.distribution.get_version())
            # Symbols for debugging are two thirds of the file.
            if shutil.which("strip"):
                subprocess.run(["strip", "--strip-all", "-o", target, file], check=True)
            else:
                shutil.copyfile(file, target)
            target.chmod(0o755)


class PlatformDistribution(Distribution):
    def has_ext_modules(self):
        """States that the files depend on the platform, although no extension module is compiled."""
        return True


class PlatformWheel(bdist_wheel):
    """A wheel for any Python 3 on one platform."""

    def get_tag(self):
        return "py3", "none", super().get_tag()[2]

    def run(self):
        super().run()
        [wheel] = Path(self.dist_dir).glob(f"{self.wheel_dist_name.replace('-', '?')}*-py3-none-linux_*.whl")
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(
                [sys.executable, "-m", "auditwheel", "repair", "--plat", "auto", "--wheel-dir", folder, wheel], check=True)
            [repaired] = Path(folder).iterdir()
            wheel.unlink()
            add_licences(repaired)
            shutil.move(repaired, self.dist_dir)


setup(distclass=PlatformDistribution, cmdclass={"bdist_wheel": PlatformWheel, "build_py": BuildWithLibraries})
