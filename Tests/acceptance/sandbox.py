"""Checks the sandbox: the same pictures and messages as without it, and nothing that a codec may do to the system.

The processes are attacked through a libavif of the tests, which does not decode but tries to escape, crashes, hangs, takes
memory or sends garbage. Without the sandbox the same library succeeds.
"""

import ctypes
import os
import platform
import random
import re
import resource
import struct
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np
from PIL import Image

from report import Cases, Skipped
from serving import Server

ROOT = Path(__file__).resolve().parents[2]
FORMATS = ["png", "jpeg", "webp", "qoi", "netpbm", "tiff", "avif", "jxl", "bmp", "heic", "gif"]


def run(frost, *words, cwd, **options):
    return subprocess.run([frost, *words], cwd=cwd, capture_output=True, timeout=60, **options)


def both(frost, folder, words, name="in", **options):
    """Runs a command without and with the sandbox, and returns what each printed, its exit code and its output file."""
    results = []
    for more in (["--no-sandbox"], ["--sandbox"]):
        output = folder / "out.tif"
        output.unlink(missing_ok=True)
        done = run(frost, *words, "-o", "out.tif", "--quiet", *more, cwd=folder, **options)
        results.append((done.returncode, done.stderr, output.read_bytes() if output.exists() else None))
    return results


def same_pictures(frost):
    """Every picture of the fuzzing corpora, whole and cut off, gives the same file or the same error."""
    with tempfile.TemporaryDirectory(prefix="frost-sandbox-") as name:
        folder = Path(name)
        codes = set()
        for path in sorted(path for form in FORMATS for path in (ROOT / "Tests/fuzz" / form).iterdir()):
            whole = path.read_bytes()
            for data, level in [(whole, "error"), (whole[:len(whole) * 7 // 10], "error"),
                                (whole[:len(whole) * 7 // 10], "none")]:
                (folder / "in").write_bytes(data)
                plain, sandboxed = both(
                    frost, folder, ["blur", "in", "--sigma", "2", "--keep", "all", "--fail-on", level])
                assert plain == sandboxed, (path, plain[:2], sandboxed[:2])
                codes.add(plain[0])
        assert {0, 3} <= codes, codes


def same_elsewhere(frost):
    """Standard input, masks, contents and batches are decoded in the sandbox too."""
    with tempfile.TemporaryDirectory(prefix="frost-sandbox-") as name:
        folder = Path(name)
        picture = (ROOT / "docs/images/corners.png").read_bytes()
        (folder / "in.png").write_bytes(picture)
        mask = str(ROOT / "Tests/fuzz/png/grey")
        for words, options in [
            (["blur", "-", "--sigma", "5"], {"input": picture}),
            (["blur", "in.png", "--sigma", "5", "--mask", mask], {}),
            (["effect", "light", "in.png", "--content", mask], {}),
            (["blur", "in.png", "--sigma", "5", "--linear"], {}),
        ]:
            plain, sandboxed = both(frost, folder, words, **options)
            assert plain == sandboxed and plain[0] == 0 and plain[2], (words, plain[:2], sandboxed[:2])
        for index in range(20):
            (folder / f"{index}.png").write_bytes(picture)
        inputs = [f"{index}.png" for index in range(20)]
        for target, more in [("plain/", ["--no-sandbox"]), ("sandboxed/", ["--sandbox"])]:
            done = run(frost, "blur", *inputs, "-o", target, "--sigma", "1", *more, cwd=folder)
            assert done.returncode == 0, done.stderr
        for entry in inputs:
            assert (folder / "plain" / entry).read_bytes() == (folder / "sandboxed" / entry).read_bytes(), entry


def hostile(folder, action):
    """Builds the hostile libavif and returns the environment that makes Frost use it."""
    header = (ROOT / "Sources/Pictures/CCodecs/include/CAVIF.h").read_text()
    names = re.findall(r"_\((avif\w+)\)", header)
    assert "avifDecoderCreate" in names, names
    (folder / "names.inc").write_text("".join(f"STUB({name})\n" for name in names))
    for version in (14, 15, 16):
        subprocess.run(["cc", "-shared", "-fPIC", "-w", f"-DDO={action}", f"-I{folder}", ROOT / "Tests/c/hostile_codec.c",
                        "-o", folder / f"libavif.so.{version}"], check=True)
    return {**os.environ, "LD_LIBRARY_PATH": str(folder)}


PHOTO = Path(__file__).resolve().parents[2] / "docs/images/corners.png"


def formats_written(frost):
    """Every format and every option of an encoder gives the same file from an encoder in the sandbox."""
    with tempfile.TemporaryDirectory(prefix="frost-sandbox-") as name:
        folder = Path(name)
        (folder / "in.png").write_bytes(PHOTO.read_bytes())
        for suffix, more in [
            ("png", []), ("png", ["--depth", "8"]), ("jpg", []), ("jpg", ["--quality", "60", "--subsampling", "422"]),
            ("jpg", ["--progressive"]), ("jpg", ["--optimize", "--background", "white"]), ("webp", []),
            ("webp", ["--lossless"]), ("tif", []), ("avif", []), ("avif", ["--lossless"]), ("jxl", []), ("jxl", ["--lossless"]),
            ("qoi", []), ("pam", []),
        ]:
            files = []
            for mode in ("--no-sandbox", "--sandbox"):
                done = run(frost, "blur", "in.png", "-o", f"out.{suffix}", "--sigma", "2", "--force", "--quiet", "--keep", "all",
                           mode, *more, cwd=folder)
                assert done.returncode == 0 and not done.stderr, (suffix, more, mode, done.stderr)
                files.append((folder / f"out.{suffix}").read_bytes())
            assert files[0] == files[1], (suffix, more)


# What a filter of system calls tests: the numbers of landlock_create_ruleset, seccomp and prctl.
CALLS = {"x86_64": (444, 317, 157), "aarch64": (444, 277, 167)}


def without(*parts):
    """Returns a function that makes this process believe that the kernel lacks parts of the sandbox."""
    landlock, seccomp, prctl = CALLS[platform.machine()]
    program = [(0x20, 0, 0, 0)]  # the number of the call
    refuse = (0x06, 0, 0, 0x00050000 | 38)  # ENOSYS
    if "landlock" in parts:
        program += [(0x15, 0, 1, landlock), refuse]
    if "seccomp" in parts:
        # prctl(PR_SET_SECCOMP) and seccomp().
        program += [(0x15, 0, 1, seccomp), refuse, (0x15, 0, 3, prctl), (0x20, 0, 0, 16), (0x15, 0, 1, 22), refuse]
    program += [(0x06, 0, 0, 0x7FFF0000)]
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *line) for line in program))
    header = ctypes.create_string_buffer(struct.pack("HxxxxxxP", len(program), ctypes.addressof(code)))
    libc = ctypes.CDLL(None, use_errno=True)

    def install():
        assert libc.prctl(38, 1, 0, 0, 0) == 0  # PR_SET_NO_NEW_PRIVS
        assert libc.prctl(22, 2, ctypes.c_void_p(ctypes.addressof(header)), 0, 0) == 0, ctypes.get_errno()
        assert code  # It has to live until now.

    return install


def lacking(frost):
    """A kernel that lacks Landlock or seccomp is a warning if the sandbox is the default, an error if it was asked for, and nothing
    without the sandbox. The other part still isolates."""
    if platform.machine() not in CALLS:
        raise Skipped("the numbers of the system calls are not known")
    with tempfile.TemporaryDirectory(prefix="frost-sandbox-") as name:
        folder = Path(name)
        (folder / "in.png").write_bytes(PHOTO.read_bytes())
        words = ["effect", "redact", "in.png", "-o", "out.png", "--rect", "2,2,20,20", "--fill", "black", "--force"]
        plain = run(frost, *words, "--no-sandbox", cwd=folder)
        assert plain.returncode == 0, plain.stderr
        expected = (folder / "out.png").read_bytes()
        for parts, text in [(["landlock"], b"Landlock"), (["seccomp"], b"seccomp"),
                            (["seccomp", "landlock"], b"seccomp and Landlock")]:
            done = run(frost, *words, "--quiet", cwd=folder, preexec_fn=without(*parts))
            assert done.returncode == 0 and (folder / "out.png").read_bytes() == expected, (parts, done)
            done = run(frost, *words, cwd=folder, preexec_fn=without(*parts))
            assert done.returncode == 0 and b"warning: the kernel lacks " + text + b"," in done.stderr, (parts, done)
            assert (folder / "out.png").read_bytes() == expected
            done = run(frost, *words, "--sandbox", cwd=folder, preexec_fn=without(*parts))
            assert done.returncode == 2 and b"--sandbox: the kernel lacks " + text + b";" in done.stderr, (parts, done)
            done = run(frost, *words, "--no-sandbox", cwd=folder, preexec_fn=without(*parts))
            assert done.returncode == 0 and b"lacks" not in done.stderr, (parts, done)
        done = run(frost, *words, "--no-sandbox", "--sandbox", cwd=folder)
        assert done.returncode == 2 and b"exclude each other" in done.stderr, done
    # Seccomp alone refuses all attempts, and Landlock alone those to open and create files.
    redact = ["--rect", "2,2,20,20", "--fill", "black"]
    done, _ = attack(frost, 1, *redact, command=["effect", "redact"], sandbox=[], preexec_fn=without("landlock"))
    assert "its decoder ended with exit code 64 " in done.stderr, done
    done, _ = attack(frost, 1, *redact, command=["effect", "redact"], sandbox=[], preexec_fn=without("seccomp"))
    code = int(re.search(r"its decoder ended with exit code (\d+) ", done.stderr)[1])
    assert 64 <= code < 128 and code & 3 == 0, done


def lacking_server(frost):
    """A server uses the sandbox by default. If the kernel lacks a part of it, the server warns and works; with --sandbox it does not
    start, and with --no-sandbox it does not warn."""
    if platform.machine() not in CALLS:
        raise Skipped("the numbers of the system calls are not known")
    photo = PHOTO.read_bytes()
    for words, before, warns in [([], None, False), ([], without("landlock"), True), (["--no-sandbox"], without("landlock"), False)]:
        with Server(frost, *words, before=before) as server:
            server.request("POST", "/blur?sigma=2", photo).expect(200)
            server.process.terminate()
            assert ("the kernel lacks Landlock" in server.process.communicate(timeout=20)[1]) == warns, words
    done = subprocess.run(
        [frost, "serve", "--listen", "127.0.0.1:0", "--sandbox"], capture_output=True, timeout=20, preexec_fn=without("landlock"))
    assert done.returncode == 2 and b"--sandbox: the kernel lacks Landlock" in done.stderr and not done.stdout, done


def defaults(frost):
    """redact and batches use the sandbox, and a single picture of another effect does not; --no-sandbox switches it off."""
    redact = ["--rect", "2,2,20,20", "--fill", "black"]
    for command, more, count, isolated in [
        (["effect", "redact"], redact, 1, True), (["effect", "redact"], [*redact, "--no-sandbox"], 1, False),
        (["blur"], ["--sigma", "2"], 2, True), (["blur"], ["--sigma", "2", "--no-sandbox"], 2, False),
        (["blur"], ["--sigma", "2"], 1, False), (["blur"], ["--sigma", "2", "--sandbox"], 1, True),
    ]:
        done, _ = attack(frost, 2, *more, command=command, sandbox=[], count=count)
        if isolated:
            assert done.returncode == (3 if count == 1 else 1), (command, more, done)
            assert done.stderr.count("its decoder was ended by signal 11") == count, (command, more, done)
        else:
            assert done.returncode == -11, (command, more, count, done)


def encoder(frost):
    """What holds for decoders holds for encoders, whose input has the picture's values."""
    for action, code, text in [(1, 4, "its encoder ended with exit code 64"), (2, 4, "its encoder was ended by signal 11")]:
        done, _ = attack(frost, action, picture="png", output="out.avif")
        assert done.returncode == code and text in done.stderr, done
    # An encoder of a large AVIF runs in a process that keeps its rights.
    done, _ = attack(frost, 1, picture="png", output="out.avif", sandbox=["--no-sandbox"])
    assert done.returncode == 4 and "its encoder ended with exit code 127" in done.stderr, done
    done, took = attack(frost, 3, "--max-time", "0.5", picture="png", output="out.avif")
    assert done.returncode == 4 and "took longer than the limit of 0.5 s" in done.stderr and took < 30, done


# Functions of the linked libraries that read or write pictures and profiles, and the names of the libraries that Frost opens.
FORBIDDEN = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static void refuse(const char *name) {
    if (write(2, name, strlen(name)) >= 0) _exit(99);
}
#define FORBID(name) void *name(void) { refuse("forbidden: " #name); return NULL; }
FORBID(cmsOpenProfileFromMem) FORBID(cmsCreateTransform) FORBID(cmsDoTransform)
FORBID(png_create_read_struct) FORBID(png_create_write_struct)
FORBID(jpeg_CreateDecompress) FORBID(jpeg_CreateCompress)
FORBID(WebPDecode) FORBID(WebPEncode) FORBID(WebPAnimDecoderNewInternal) FORBID(WebPAnimEncoderNewInternal) FORBID(WebPAnimEncoderAdd)
FORBID(inflateInit_) FORBID(inflateInit2_) FORBID(deflateInit_) FORBID(deflateInit2_)
void *dlopen(const char *name, int flags) {
    static const char *const libraries[] = {"libtiff", "libavif", "libjxl", "libheif"};
    for (int i = 0; i < 4; i++) if (name && strstr(name, libraries[i])) refuse(libraries[i]);
    void *(*next)(const char *, int) = (void *(*)(const char *, int))dlsym(RTLD_NEXT, "dlopen");
    return next(name, flags);
}
"""


def command_alone(frost):
    """In the sandbox, the command itself calls no library that reads or writes pictures or profiles. A library in front of them ends
    the command when it does; the processes of the sandbox do not have it. Without the sandbox each command ends so."""
    from PIL import Image, ImageCms
    with tempfile.TemporaryDirectory(prefix="frost-sandbox-") as name:
        folder = Path(name)
        (folder / "forbidden.c").write_text(FORBIDDEN)
        subprocess.run(["cc", "-shared", "-fPIC", "-w", "-o", folder / "forbidden.so", folder / "forbidden.c"], check=True)
        picture = Image.open(PHOTO).convert("RGB").resize((90, 60))
        profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
        for suffix in ("png", "jpg", "webp", "tif"):
            picture.save(folder / f"in.{suffix}", icc_profile=profile)
        picture.convert("CMYK").save(folder / "cmyk.jpg")
        frames = [picture, picture.rotate(90), picture.rotate(180)]
        frames[0].save(folder / "in.gif", save_all=True, append_images=frames[1:], duration=100)
        commands = [["blur", f"in.{suffix}", "-o", f"out.{suffix}", "--sigma", "2"] for suffix in ("png", "jpg", "webp", "tif")]
        commands += [
            ["blur", "in.png", "-o", "out.jpg", "--sigma", "2", "--linear"],
            ["blur", "in.png", "-o", "out.png", "--sigma", "2", "--resize", "40x40", "--linear"],
            ["blur", "cmyk.jpg", "-o", "out.png", "--sigma", "2"], ["blur", "in.png", "-o", "out.avif", "--sigma", "2"],
            ["blur", "in.png", "-o", "out.jxl", "--sigma", "2"], ["blur", "in.png", "-o", "out.qoi", "--sigma", "2", "--mask", "in.tif"],
            ["effect", "light", "in.png", "-o", "out.png", "--content", "in.jpg"],
            ["blur", "in.gif", "-o", "out.webp", "--sigma", "2"], ["blur", "in.gif", "-o", "out.apng", "--sigma", "2"],
            ["blur", "in.gif", "-o", "out.avif", "--sigma", "2"],
            ["transition", "dissolve", "in.png", "cmyk.jpg", "-o", "out.webp", "--duration", "0.1", "--depth", "8"],
            ["compare", "in.png", "in.jpg", "--pixels", "--max", "255"],
        ]
        for words in commands:
            output = folder / words[words.index("-o") + 1] if "-o" in words else None
            results = []
            for mode, variables in [("--no-sandbox", {}), ("--sandbox", {"LD_PRELOAD": str(folder / "forbidden.so")})]:
                if output:
                    output.unlink(missing_ok=True)
                done = run(frost, *words, mode, *(["--force", "--quiet"] if output else []), cwd=folder, env={**os.environ, **variables})
                assert done.returncode == 0, (words, mode, done)
                data = output.read_bytes() if output else b""
                # libavif writes the time into an animation.
                results.append((done.stdout, done.stderr, len(data) if words[1:4] == ["in.gif", "-o", "out.avif"] else data))
            assert results[0] == results[1], (words, [result[:2] for result in results])
            done = run(frost, *words, "--no-sandbox", cwd=folder, env={**os.environ, "LD_PRELOAD": str(folder / "forbidden.so")})
            assert done.returncode == 99 and b"forbidden" in done.stderr or b"lib" in done.stderr, (words, done)


def attack(frost, action, *more, sandbox=("--sandbox",), command=("blur", "--sigma", "2"), picture="avif", output=None, count=1,
           **options):
    """Runs a command on a picture whose codec is hostile, and checks that it leaves nothing."""
    with tempfile.TemporaryDirectory(prefix="frost-sandbox-") as name:
        folder = Path(name)
        variables = hostile(folder, action)
        inputs = [f"in{number}.{picture}" for number in range(count)]
        for path in inputs:
            (folder / path).write_bytes((ROOT / "Tests/fuzz/avif/rgb" if picture == "avif" else PHOTO).read_bytes())
        output = output or ("out.png" if count == 1 else "out/")
        began = time.monotonic()
        done = run(frost, *command, *inputs, "-o", output, *more, *sandbox, cwd=folder, env=variables, text=True, **options)
        assert not (folder / output).is_file() and not list(folder.glob("out/*")), output
        left = [path.name for path in folder.iterdir() if path.name.startswith(".")]
        assert not left, left
        return done, time.monotonic() - began


def escape(frost):
    """A decoder in the sandbox can neither open nor create files, nor use a network, start or signal processes, or make
    memory executable. Without the sandbox the same decoder can do all of that, so the attempts are real."""
    done, _ = attack(frost, 1, sandbox=["--no-sandbox"])
    assert done.returncode == 64 + 63, (done.returncode, done.stderr)
    done, _ = attack(frost, 1)
    assert done.returncode == 3, done
    assert done.stderr == "frost: in0.avif: its decoder ended with exit code 64 and without a result\n", done.stderr


def errors_of_outputs(frost):
    """An output that cannot be written, or cannot hold the picture, is the same error with the sandbox."""
    with tempfile.TemporaryDirectory(prefix="frost-sandbox-") as name:
        folder = Path(name)
        Image.fromarray(np.arange(4096, dtype="u2").reshape(64, 64) * 16).save(folder / "deep.png")
        frames = [Image.new("RGB", (200, 100), (shade, 0, 0)) for shade in range(0, 250, 10)]
        frames[0].save(folder / "moving.gif", save_all=True, append_images=frames[1:])
        for words, code in [
            (["effect", "redact", "moving.gif", "-o", "/dev/full", "--format", "apng"], 6),
            (["effect", "redact", "moving.gif", "-o", "/dev/full", "--format", "webp"], 6),
            (["transition", "deep.png", "deep.png", "-o", "/dev/full", "--format", "apng", "--duration", "1"], 6),
            (["effect", "redact", "deep.png", "-o", "out.avif", "--strict"], 6),
        ]:
            results = []
            for mode in ("--no-sandbox", "--sandbox"):
                done = run(frost, *words, mode, cwd=folder)
                results.append((done.returncode, done.stderr))
            assert results[0] == results[1] and results[0][0] == code, (words, results)
        # The working memory of an encoder is not counted twice.
        frames = [Image.new("RGB", (17000, 1), (shade, 0, 0)) for shade in (0, 100, 200)]
        frames[0].save(folder / "wide.png", save_all=True, append_images=frames[1:])
        for mode in ("--no-sandbox", "--sandbox"):
            done = run(frost, "blur", "wide.png", "-o", "wide.avif", "--sigma", "1", "--force", mode, cwd=folder)
            assert done.returncode == 0, (mode, done.stderr)
        # Like other programs, the command ends by SIGPIPE if nobody reads its output.
        for mode in ("--no-sandbox", "--sandbox"):
            reader, writer = os.pipe()
            os.close(reader)
            words = ["effect", "redact", "moving.gif", "-o", "-", "--format", "apng", mode]
            done = subprocess.run([frost, *words], cwd=folder, stdout=writer, stderr=subprocess.PIPE, timeout=60)
            os.close(writer)
            assert (done.returncode, done.stderr) == (-13, b""), (mode, done)


def descriptors(frost):
    """If the process may open too few files, the error says so."""
    for count in (10, 16, 22):
        limit = lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (count, count))
        done = run(frost, "effect", "redact", PHOTO, "-o", "-", "--format", "png", cwd=ROOT, preexec_fn=limit)
        errors = done.stderr.decode()
        assert done.returncode in (3, 4) and "Too many open files" in errors and "MiB" not in errors, (count, errors)


def crash(frost):
    """A decoder that crashes is an error of its picture; the command goes on."""
    done, _ = attack(frost, 2)
    assert done.returncode == 3 and "its decoder was ended by signal 11" in done.stderr, done


def hang(frost):
    """A decoder that does not return is ended after --max-time. Without the sandbox it cannot be ended."""
    done, took = attack(frost, 3, "--max-time", "0.5")
    assert done.returncode == 4 and "took longer than the limit of 0.5 s" in done.stderr, done
    # Long enough for a loaded machine: without the limit it would be the whole timeout of a minute.
    assert took < 30, took


def memory(frost):
    """A decoder gets about the memory that --max-memory allows, not more than 4 GiB here."""
    done, _ = attack(frost, 4, "--max-memory", "100M")
    assert done.returncode == 3 and "exit code 64" in done.stderr, done


def stacks(frost):
    """An encoder gets what --max-memory leaves for its data, not for the stacks of its threads."""
    with tempfile.TemporaryDirectory(prefix="frost-sandbox-") as name:
        folder = Path(name)
        (folder / "in.ppm").write_bytes(b"P6\n1500 1500\n255\n" + bytes(3 * 1500 * 1500))
        for threads in (1, 2, 8):
            for _ in range(5):
                words = ["in.ppm", "-o", "out.png", "--sigma", "1", "--max-memory", f"{18 + 3 * threads}M"]
                done = subprocess.run([frost, "blur", *words, "--threads", str(threads), "--sandbox", "--force"], cwd=folder,
                                      capture_output=True, text=True)
                assert done.returncode == 0, done


def garbage(frost):
    """Bytes that are not a picture are an error."""
    done, _ = attack(frost, 5)
    assert done.returncode == 3 and "sent something else than a picture" in done.stderr, done


def children():
    """Waits for the children that have ended, and returns whether there are others."""
    while True:
        try:
            if os.waitpid(-1, os.WNOHANG)[0] == 0:
                return True
        except ChildProcessError:
            return False


def orphan(frost):
    """No process is left soon after the command was killed, at any moment, even if a decoder hangs. All processes of the command
    become children of this one, which can therefore wait for all of them."""
    libc = ctypes.CDLL(None)
    libc.prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER
    moments = random.Random(30)
    with tempfile.TemporaryDirectory(prefix="frost-sandbox-") as name:
        folder = Path(name)
        inputs = [f"{number}.png" for number in range(30)]
        for path in inputs:
            (folder / path).write_bytes(PHOTO.read_bytes())
        variables = hostile(folder, 3)
        (folder / "in.avif").write_bytes((ROOT / "Tests/fuzz/avif/rgb").read_bytes())
        for number in range(40):
            # A decoder that hangs would run for its whole time of some minutes.
            hangs = number % 2 == 0
            words = ["in.avif", "-o", "out.png"] if hangs else [*inputs, "-o", "out/"]
            parent = subprocess.Popen([frost, "blur", *words, "--sigma", "2", "--sandbox", "--force"], cwd=folder,
                                      env=variables if hangs else None, stderr=subprocess.DEVNULL)
            time.sleep(moments.uniform(0, 0.2 if hangs else 0.4))
            parent.kill()
            parent.wait()
            # Long enough for a loaded machine.
            deadline = time.monotonic() + 10
            while children():
                assert time.monotonic() < deadline, f"run {number}: a process is still there after 10 seconds"
                time.sleep(0.01)


def starter(frost):
    """A batch goes on when the process that starts the others is killed: at most the pictures in work fail."""
    with tempfile.TemporaryDirectory(prefix="frost-sandbox-") as name:
        folder = Path(name)
        inputs = [f"{number}.png" for number in range(60)]
        for path in inputs:
            (folder / path).write_bytes(PHOTO.read_bytes())
        parent = subprocess.Popen([frost, "blur", *inputs, "-o", "out/", "--sigma", "2", "--sandbox", "--jobs", "2"], cwd=folder,
                                  stderr=subprocess.PIPE, text=True)
        listing = Path(f"/proc/{parent.pid}/task/{parent.pid}/children")
        if not listing.exists():
            parent.communicate()
            raise Skipped("the kernel does not list children")
        while len(list(folder.glob("out/*.png"))) < 5 and parent.poll() is None:
            time.sleep(0.005)
        found = listing.read_text().split()
        assert len(found) == 1, found
        os.kill(int(found[0]), 9)
        _, errors = parent.communicate(timeout=60)
        failed = len(re.findall(r"its (?:de|en)coder ", errors))
        assert failed <= 2 and len(list(folder.glob("out/*.png"))) == 60 - failed, errors


def main():
    cases = Cases("sandbox", __doc__)
    for name, case in [("same pictures", same_pictures), ("input, masks and batches", same_elsewhere),
                       ("formats that are written", formats_written), ("defaults", defaults), ("a kernel that lacks it", lacking),
                       ("a server whose kernel lacks it", lacking_server), ("escape", escape), ("encoders", encoder),
                       ("the command itself", command_alone), ("crash", crash), ("hang", hang), ("memory", memory),
                       ("stacks of an encoder", stacks), ("errors of outputs", errors_of_outputs),
                       ("descriptors", descriptors), ("garbage", garbage), ("orphan", orphan), ("starter", starter)]:
        cases.run(name, case, cases.frost)
    cases.finish()


main()
