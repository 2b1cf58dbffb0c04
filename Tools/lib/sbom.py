"""Writes the components of a frost command as CycloneDX JSON; see Tools/sbom."""

import argparse
import datetime
import hashlib
import os
import pathlib
import re
import subprocess
import sys
import uuid

from cyclonedx.model import HashAlgorithm, HashType, Property
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentScope, ComponentType
from cyclonedx.model.contact import OrganizationalEntity
from cyclonedx.model.license import DisjunctiveLicense
from cyclonedx.output.json import JsonV1Dot6
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from packageurl import PackageURL


# The libraries that the program opens at run time, without the numbers of their interfaces. Tests/acceptance/installation.py
# compares this list with what the program opens.
OPENED = ("EGL", "GLESv2", "gbm", "tiff", "avif", "jxl", "jxl_threads", "heif", "jansson", "microhttpd")


def run(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def loaded(program: pathlib.Path) -> dict[str, str]:
    """Returns the libraries that the program loads when it starts, those of its libraries included: name and path."""
    lines = (re.match(r"\s*(\S+) => (/\S+)", line) for line in run("ldd", str(program)).splitlines())
    return {line[1]: line[2] for line in lines if line}


def library_cache() -> dict[str, str]:
    """Returns the libraries that the linker of this machine finds: name and path."""
    lines = (re.match(r"\s*(\S+) \(.*\) => (\S+)", line) for line in run("/sbin/ldconfig", "-p").splitlines())
    return {line[1]: line[2] for line in reversed(list(lines)) if line}


class Packages:
    """The Debian packages of this machine."""

    def __init__(self) -> None:
        release = dict(
            line.split("=", 1) for line in pathlib.Path("/etc/os-release").read_text().splitlines() if "=" in line)
        self.system = release["ID"].strip('"')
        self.distribution = f"{self.system}-{release.get('VERSION_ID', 'unknown').strip(chr(34))}"
        # One query for all libraries takes as long as a query for one.
        lines = (line.split(": ", 1) for line in run("dpkg-query", "-S", "*/lib*.so.*").splitlines() if ": " in line)
        self.owners = {path: package.split(", ")[0] for package, path in lines}
        form = "${binary:Package}\t${Package}\t${Version}\t${Architecture}\t${source:Package}\n"
        rows = [line.split("\t") for line in run("dpkg-query", "-W", "-f", form).splitlines()]
        self.packages = {row[0]: row[1:] for row in rows} | {f"{row[1]}:{row[3]}": row[1:] for row in rows}

    def component(
        self, library: str, path: str, scope: ComponentScope, bundled: str | None = None) -> Component:
        name, version, architecture, source = self.package(path)
        return Component(
            type=ComponentType.LIBRARY, name=name, version=version, scope=scope, bom_ref=f"{name}:{library}",
            purl=PackageURL(
                "deb", self.system, name, version, {"arch": architecture, "distro": self.distribution}),
            hashes=[sha256(pathlib.Path(bundled or path))],
            properties=[Property(name="file", value=library), Property(name="source package", value=source)]
            + [Property(name="bundled as", value=os.path.basename(bundled or ""))] * bool(bundled))

    def package(self, path: str) -> list[str]:
        # dpkg knows a file by one of its names, with or without /usr.
        for candidate in (path, os.path.realpath(path)):
            for name in (candidate, candidate.removeprefix("/usr"), "/usr" + candidate):
                if name in self.owners:
                    return self.packages[self.owners[name]]
        sys.exit(f"sbom: no Debian package has {path}")


def sha256(path: pathlib.Path) -> HashType:
    return HashType(alg=HashAlgorithm.SHA_256, content=hashlib.sha256(path.read_bytes()).hexdigest())


def soname(path: str) -> str:
    return re.search(r"\(SONAME\).*\[(.*)\]", run("readelf", "-d", path))[1]


def bill(program: pathlib.Path, swift: str, bundled: list[list[str]]) -> Bom:
    version = run(str(program), "--version").split()[1]
    digest = sha256(program)
    bom = Bom(
        # The same program gives the same number.
        serial_number=uuid.uuid5(uuid.NAMESPACE_OID, digest.content))
    bom.metadata.timestamp = datetime.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), datetime.timezone.utc)
    bom.metadata.component = root = Component(
        type=ComponentType.APPLICATION, name="frost", version=version, bom_ref="frost", hashes=[digest])
    components = [
        Component(
            type=ComponentType.LIBRARY, name="swift-runtime", bom_ref="swift-runtime",
            version=re.search(r"Swift version (\S+)", swift)[1], scope=ComponentScope.REQUIRED,
            supplier=OrganizationalEntity(name="swift.org"), licenses=[DisjunctiveLicense(id="Apache-2.0")],
            description="linked statically")]
    packages, cache, linked = Packages(), library_cache(), loaded(program)
    originals = {soname(path): (path, copy) for copy, path in bundled}
    copies = {os.path.basename(copy) for copy, _ in bundled}
    components += [
        packages.component(name, path, ComponentScope.REQUIRED) for name, path in sorted(linked.items())
        if name not in copies]
    components += [packages.component(name, path, ComponentScope.REQUIRED, copy) for name, (path, copy) in sorted(originals.items())]
    for stem in OPENED:
        if any(name.startswith(f"lib{stem}.so.") for name in originals):
            continue
        found = sorted(name for name in cache if name.startswith(f"lib{stem}.so."))
        if found:
            components += [packages.component(name, cache[name], ComponentScope.OPTIONAL) for name in found]
        else:
            components.append(
                Component(
                    type=ComponentType.LIBRARY, name=f"lib{stem}", bom_ref=f"lib{stem}", scope=ComponentScope.OPTIONAL,
                    description="opened at run time if it is installed; it was not when this list was made"))
    for component in components:
        bom.components.add(component)
    bom.register_dependency(root, components)
    return bom


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--frost", type=pathlib.Path, required=True)
    parser.add_argument("--swift", required=True, help="what `swift --version` prints")
    parser.add_argument("--bundled", type=pathlib.Path, help="a list of copied libraries: each copy and its original")
    parser.add_argument("file", type=pathlib.Path)
    arguments = parser.parse_args()
    bundled = [line.split("\t") for line in arguments.bundled.read_text().splitlines()] if arguments.bundled else []
    text = JsonV1Dot6(bill(arguments.frost, arguments.swift, bundled)).output_as_string(indent=2)
    if error := JsonStrictValidator(SchemaVersion.V1_6).validate_str(text):
        sys.exit(f"sbom: not CycloneDX: {error}")
    new = arguments.file.with_name(arguments.file.name + ".new")
    new.write_text(text + "\n")
    new.replace(arguments.file)


if __name__ == "__main__":
    main()
