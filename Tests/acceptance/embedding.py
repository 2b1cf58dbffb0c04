#!/usr/bin/env python3
"""Builds and runs the embedding examples, and compares their pictures with those of the `frost` command.

    embedding.py --frost PATH --library PATH [--swift PATH] [--only TEXT] [--junit FILE]

Without --swift the Swift example is skipped. Cases that need a GPU (a software renderer suffices) or a Wayland compositor
are skipped if it is missing.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True

import cv2
import numpy

from report import Cases, Skipped

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
# The timeout covers a build of all of Frost.
TIMEOUT = 1800


def succeed(*words, **options):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=TIMEOUT, **options)
    assert done.returncode == 0, f"{' '.join(map(str, words))}: {done.returncode}: {done.stdout[-2000:]}{done.stderr[-4000:]}"
    return done


def picture(path):
    pixels = cv2.imread(str(path), cv2.IMREAD_COLOR)
    assert pixels is not None, f"{path} is no picture"
    return pixels.astype(int)


def largest(a, b):
    assert a.shape == b.shape, (a.shape, b.shape)
    return int(numpy.abs(a - b).max())


class Installation:
    """An installation of Frost that `Tools/install` has made."""

    def __init__(self, folder, frost, library):
        self.work = Path(folder)
        self.frost = frost
        prefix = self.work / "prefix"
        succeed(ROOT / "Tools" / "install", "--prefix", prefix,
                env=os.environ | {"FROST_BINARY": frost, "FROST_LIBRARY": library})
        self.environment = os.environ | {
            "PKG_CONFIG_PATH": f"{prefix}/lib/pkgconfig", "LD_LIBRARY_PATH": f"{prefix}/lib",
            "PATH": f"{prefix}/bin:{os.environ['PATH']}"}

    def run(self, *words, **options):
        return succeed(*words, env=self.environment, **options)

    def require_gpu(self):
        lines = subprocess.run([self.frost, "devices", "--json"], capture_output=True, text=True).stdout.splitlines()
        if not any(json.loads(line)["status"] == "usable" for line in lines):
            raise Skipped("no EGL device")


def compare(installation, effect, plain, made, panel, radius):
    """Checks that a frame shows the result of `frost effect` inside its panel, and the unchanged picture around the
    panel."""
    expected = installation.work / f"expected{plain.suffix}"
    installation.run("frost", "effect", effect, plain, "-o", expected, "--force", "--rect", panel,
                     "--corner-radius", radius, "--backend", "cpu")
    name, made, plain, wanted = made.name, picture(made), picture(plain), picture(expected)
    assert largest(made, wanted) <= 1, (effect, name, largest(made, wanted))
    x, y, width, height = map(int, panel.split(","))
    inside = numpy.s_[y:y + height, x:x + width]
    around = plain.copy()
    around[inside] = made[inside]
    assert largest(made, around) == 0, (effect, name)
    # The comparison would fail if the panel were missing, had square corners, or were at another position.
    assert largest(made[inside], plain[inside]) > 20, (effect, name)
    assert largest(made[y, x], plain[y, x]) == 0, "a corner is not round"
    assert largest(numpy.roll(made, 2, axis=1), wanted) > 20, (effect, name)


def seen(buffer, transform):
    """Returns the image that a buffer stores with a transform of wl_output: mirrored, then turned counter-clockwise."""
    turned = numpy.rot90(buffer, -(transform % 4))
    return numpy.fliplr(turned) if transform >= 4 else turned


def shape(size, left, top, right, bottom, radius):
    """Returns the part of each pixel's area that a rounded rectangle covers: exact along rows, from 64 lines in each row."""
    height, width = size
    inside = numpy.zeros(size)
    x, lines = numpy.arange(width), 64
    for y in range(max(0, int(top)), min(height, int(numpy.ceil(bottom)))):
        for line in y + (numpy.arange(lines) + 0.5) / lines:
            if not top <= line <= bottom:
                continue
            reach = max(0, top + radius - line, line - bottom + radius)
            inset = radius - (radius ** 2 - reach ** 2) ** 0.5
            inside[y] += numpy.clip(numpy.minimum(x + 1, right - inset) - numpy.maximum(x, left + inset), 0, 1) / lines
    return inside


class Window:
    """A window of the example's output: its effect, place, corner radius, opacity and blur region, in logical units."""

    def __init__(self, word, scale):
        self.effect, place, radius, opacity, region = word.split(":")
        x, y, width, height = (float(number) * scale for number in place.split(","))
        self.edges = x, y, x + width, y + height
        self.radius, self.opacity = float(radius) * scale, float(opacity)
        self.parts = [[float(number) * scale for number in part.split(",")] for part in region.split(";") if part]

    def region(self, size):
        """Returns the pixels that the region touches, within those that the window touches."""
        def touched(left, top, right, bottom):
            pixels = numpy.zeros(size, bool)
            pixels[int(numpy.floor(top)):int(numpy.ceil(bottom)), int(numpy.floor(left)):int(numpy.ceil(right))] = True
            return pixels
        left, top, _, _ = self.edges
        parts = [touched(left + x, top + y, left + x + width, top + y + height) for x, y, width, height in self.parts]
        return numpy.logical_or.reduce([numpy.zeros(size, bool), *parts]) & touched(*self.edges)


def compose(installation, plain, windows, scale):
    """Returns the picture with windows over each other, in double precision: each shows the exact effect of what lies below."""
    below, scratch = plain.astype(float), installation.work / "below.png"
    for window in windows:
        region = window.region(plain.shape[:2])
        if not region.any():
            continue
        rows, columns = numpy.flatnonzero(region.any(1)), numpy.flatnonzero(region.any(0))
        rect = f"{columns[0]},{rows[0]},{columns[-1] + 1 - columns[0]},{rows[-1] + 1 - rows[0]}"
        assert cv2.imwrite(str(scratch), numpy.rint(below * 257).astype(numpy.uint16))
        installation.run("frost", "effect", window.effect, scratch, "-o", scratch, "--force", "--scale", scale, "--rect", rect,
                         "--no-dither", "--backend", "exact")
        shown = cv2.imread(str(scratch), cv2.IMREAD_UNCHANGED) / 257
        part = shape(plain.shape[:2], *window.edges, window.radius) * window.opacity * region
        below += part[..., None] * (shown - below)
    return below


def compare_stack(installation, plain, made, windows, scale=1.0):
    """Checks that a frame shows windows over each other. Every window may add one step: it is rounded, with dither."""
    wanted = compose(installation, plain, windows, scale)
    worst = numpy.abs(made - wanted).max()
    assert worst <= len(windows), worst
    covered = numpy.logical_or.reduce([window.region(plain.shape[:2]) for window in windows])
    assert largest(made[~covered], plain[~covered]) == 0
    # The comparison would fail if a window were at another position.
    assert numpy.abs(numpy.roll(made, 2, axis=1) - wanted).max() > 20


def c_scene(installation):
    """Tests that the panel shows the result of `frost effect`, and that the scene around it is unchanged."""
    installation.require_gpu()
    folder = installation.work / "c-scene"
    shutil.copytree(EXAMPLES / "c-scene", folder)
    installation.run("make", "-C", folder, "CFLAGS=-O1 -Wall -Wextra -Wpedantic -Werror")
    frames = installation.work / "frames"
    frames.mkdir()
    for effect in ("material-thin-dark", "light"):
        told = installation.run(
            folder / "scene", "--frames", 5, "--size", "322x181", "--effect", effect, "--scenes", frames)
        panels = [line.split() for line in told.stdout.splitlines()]
        assert len(panels) == 5 and len({panel for _, panel, _ in panels}) == 3, panels
        for number, panel, radius in panels:
            compare(installation, effect, frames / f"scene-{number}.ppm", frames / f"frame-{number}.ppm", panel, radius)


def c_compositor(installation, **device):
    """Tests the compositor: each frame shows the windows over each other and the picture, in whichever buffer of the swap chain,
    on an output that is turned and has a fractional scale. Only what changed is drawn and copied. The second run loads all GL
    programs, a damaged file of programs changes no pixel, and an output that is not turned has the same frames."""
    installation.require_gpu()
    folder = installation.work / "c-compositor"
    if not folder.exists():
        shutil.copytree(EXAMPLES / "c-compositor", folder)
        installation.run("make", "-C", folder, "CFLAGS=-O1 -Wall -Wextra -Wpedantic -Werror")
    device_words = ["--node", device["FROST_DRM_NODE"]] if device else []
    # So large that a change affects only a part of the panels.
    width, height, scale = 962, 542, 1.5
    work = installation.work / f"compositor-{len(device)}"
    work.mkdir()
    programs = work / "programs"
    # Which shaders are faster is measured in every run if no cache remembers it. Under load two runs could choose differently.
    environment = installation.environment | device | {"FROST_PROGRAM_CACHE": "off", "FROST_GPU_SHADERS": "fragment"}
    compiled, first = 0, {}
    for run, transform in ("first", 1), ("second", 1), ("damaged", 1), ("flipped", 7), ("upright", 0):
        if run == "damaged":
            programs.write_bytes(bytes(byte ^ 0x55 if at % 997 == 31 else byte for at, byte in enumerate(programs.read_bytes())))
        frames = work / run
        frames.mkdir()
        done = succeed(folder / "compositor", "--frames", 9, "--size", f"{width}x{height}", "--effect", "light", "--scale", scale,
                       "--transform", transform, "--programs", programs, *device_words, frames, env=environment)
        *lines, summary = done.stdout.splitlines()
        counts = [int(number) for number in re.findall(r"\d+", summary)]
        compiled = compiled or counts[0]
        expected = {"first": [compiled, 0, 0], "second": [0, compiled, 0], "damaged": [compiled, 0, 0]}
        assert counts == expected.get(run, counts) and counts[2] == 0, (run, summary)
        assert compiled > 0 and ("program cache" in done.stderr) == (run == "damaged"), (run, done.stderr)
        for line in lines:
            number = line.split()[0]
            pictures = [seen(picture(frames / f"{name}-{number}.ppm"), transform) for name in ("scene", "frame")]
            assert pictures[0].shape == (height, width, 3), pictures[0].shape
            assert all(map(numpy.array_equal, pictures, first.setdefault(number, pictures))), (run, number)
        if run != "first":
            continue
        assert len(lines) == 9
        places, regions = set(), []
        for line in lines:
            number, _, drawn, _, copied, *words = line.split()
            windows = [Window(word, scale) for word in words]
            places.add(windows[0].edges)
            regions.append([len(window.parts) for window in windows])
            compare_stack(installation, *first[number], windows, scale)
            # The first three frames fill the three buffers. Later frames draw and copy a part.
            assert 0 < int(copied) <= width * height, line
            if int(number) > 4:
                assert int(copied) < width * height * 0.7, line
            if int(number) > 4 and int(number) % 4:
                whole = sum((right - left) * (bottom - top) for left, top, right, bottom in (window.edges for window in windows))
                assert 0 < int(drawn) < whole * 1.5, line
        # A window moves, a region takes effect with the commit after it was set, and one is removed.
        assert len(places) == 3, places
        assert regions == [[1, 1, 1]] * 6 + [[1, 2, 1]] + [[1, 2, 0]] * 2, regions
        # The comparison would fail if a window were missing, had another order, or no fractional edges.
        scene, frame = first["005"]
        windows = [Window(word, scale) for word in lines[5].split()[5:]]
        whole = [Window(word, scale) for word in lines[5].split()[5:]]
        for window in whole:
            window.edges = tuple(map(round, window.edges))
        for others in (windows[1:], windows[:-1], windows[::-1], whole):
            try:
                compare_stack(installation, scene, frame, others, scale)
            except AssertionError:
                continue
            raise AssertionError(f"frame 5 also equals {[vars(window) for window in others]}")


def c_compositor_dmabufs(installation):
    """Tests the compositor with a swap chain of dma-bufs, on a DRM device that a preloaded library simulates."""
    installation.require_gpu()
    shim = installation.work / "drm-shim.so"
    flags = succeed("pkg-config", "--cflags", "libdrm").stdout.split()
    succeed("gcc", "-std=c2x", "-O2", "-shared", "-fPIC", *flags, "-o", shim, ROOT / "Tests" / "drm-shim" / "drm-shim.c")
    c_compositor(installation, FROST_DRM_NODE="/dev/null", LD_PRELOAD=str(shim))


def c_vulkan(installation):
    """Builds the Vulkan example and runs it. A device without the extensions is named in one line with exit status 77, as
    is a machine without a driver. Debian's lavapipe is such a device. A device with all extensions must blur correctly."""
    folder = installation.work / "c-vulkan"
    shutil.copytree(EXAMPLES / "c-vulkan", folder)
    installation.run("make", "-C", folder, "CFLAGS=-O1 -Wall -Wextra -Wpedantic -Werror")

    def run(**variables):
        done = subprocess.run([folder / "vulkan"], capture_output=True, text=True, timeout=TIMEOUT,
                              env=installation.environment | variables)
        assert done.returncode in (0, 77) and len(done.stdout.splitlines()) == 1, (done.returncode, done.stdout, done.stderr)
        assert done.stdout.startswith("skipped: ") == (done.returncode == 77), done
        return done

    run()
    lavapipe = Path("/usr/share/vulkan/icd.d/lvp_icd.x86_64.json")
    assert lavapipe.exists(), "Tools/lib/setup.sh installs mesa-vulkan-drivers"
    done = run(VK_ICD_FILENAMES=str(lavapipe))
    assert done.returncode == 77 and "llvmpipe" in done.stdout and " lacks " in done.stdout, done
    assert "VK_EXT_external_memory_dma_buf" in done.stdout, done
    done = run(VK_ICD_FILENAMES="/nonexistent")
    assert done.returncode == 77 and "no Vulkan" in done.stdout, done


def swift_loop(installation, swift):
    """Tests frames with damage, frames with a moved panel, and frames without changes. Each frame must be correct and do
    only the necessary work."""
    if not swift:
        raise Skipped("no --swift")
    folder = EXAMPLES / "swift-loop"
    # The flags and the scratch path are the same as in frost's own build. So the modules of frost are not compiled again.
    scratch = ROOT / ".build"
    succeed(swift, "build", "-c", "release", "-Xswiftc", "-enable-testing", "--disable-local-rpath", "--product", "swift-loop", "--package-path", folder,
            "--scratch-path", scratch, env=os.environ | {"SWIFT_DETERMINISTIC_HASHING": "1"})
    frames = installation.work / "loop"
    frames.mkdir()
    told = installation.run(scratch / "release" / "swift-loop", 10, frames)
    lines = [line.split() for line in told.stdout.splitlines()]
    assert len(lines) == 10, told.stdout
    for number, panel, radius, _, repainted, _, passes, _, cells, _, pixels in lines:
        compare(installation, "material-thin-light", frames / f"picture-{number}.png", frames / f"frame-{number}.png",
                panel, radius)
        # The first frame recomputes everything. Each of the others recomputes damage, redraws a moved panel, or does
        # nothing.
        took = [int(value) > 0 for value in (repainted, passes, cells, pixels)]
        kind = "damage" if int(number) % 4 else "move" if int(number) % 8 == 4 else "none" if number != "0" else "first"
        assert took == {"first": [False, True, True, True], "damage": [True, True, True, True],
                        "move": [False, True, False, True], "none": [False] * 4}[kind], (number, kind, took)
    panels = {panel for _, panel, *_ in lines}
    assert len(panels) == 2, panels


CLIENT = """
import Frost

let layout = try PixelLayout(width: 640, height: 480, format: .rgba8)
let picture = try PixelBuffer(layout: layout, bytes: [UInt8](repeating: 128, count: layout.byteCount))
let mask = MaskImage(try PixelBuffer(layout: PixelLayout(width: 8, height: 8, format: .grey8), bytes: [UInt8](repeating: 99, count: 64)))
let renderer = try Renderer(backend: .cpu)

// The loop that waits for a place by hand, and the call that does.
let queue = try RenderQueue(renderer, depth: 2)
func patient(_ effect: Effect) async throws -> Rendered {
    while true {
        do { return try await queue.submit(picture, effect).value } catch {
            guard case .busy = error else { throw error }
            await Task.yield()
        }
    }
}

for description in EffectCatalog.all {
    let effect = try description.make([:])
    let result = try await renderer.render(picture, effect, mask: effect.mask == .image ? mask : nil)
    if effect.mask != .image {
        let queued = try await queue.render(picture, effect)
        let patient = try await patient(effect)
        print(description.name, queued.image == result.image, patient.image == result.image)
    } else {
        print(description.name, true, true)
    }
}
"""


def swift_client_in_debug(installation, swift):
    """A package that depends on Frost, built as `swift build` does by default, renders every effect: no frame of an unoptimised
    build is too large for a thread's stack."""
    if not swift:
        raise Skipped("no --swift")
    if os.environ.get("FROST_EVERY_CASE") != "1":
        raise Skipped("it builds Frost again; FROST_EVERY_CASE=1 includes it")
    folder = installation.work / "client"
    (folder / "Sources" / "client").mkdir(parents=True)
    (folder / "Package.swift").write_text(
        "// swift-tools-version: 6.2\nimport PackageDescription\n"
        f'let package = Package(name: "client", dependencies: [.package(name: "Frost", path: "{ROOT}")], targets: [\n'
        '    .executableTarget(name: "client", dependencies: [.product(name: "Frost", package: "Frost")])])\n')
    (folder / "Sources" / "client" / "main.swift").write_text(CLIENT)
    succeed(swift, "build", "--package-path", folder)
    lines = installation.run(folder / ".build" / "debug" / "client").stdout.splitlines()
    names = installation.run(installation.frost, "effects").stdout
    assert len(lines) > 40 and all(line.split()[0] in names for line in lines), lines
    # `redact` has another key in each call.
    wrong = [line for line in lines if not line.endswith("true true") and not line.startswith("redact")]
    assert not wrong, wrong


def wayland_screenshot(installation):
    """Tests a screenshot of a whole desktop, piped to frost."""
    missing = [program for program in ("sway", "swaybg", "grim") if not shutil.which(program)]
    if missing:
        raise Skipped(f"not installed: {', '.join(missing)}")
    folder = installation.work / "screenshot"
    folder.mkdir()
    installation.run(EXAMPLES / "wayland-screenshot" / "screenshot.sh", folder, cwd=folder)
    shot, soft = picture(folder / "shot.png"), picture(folder / "soft.png")
    assert shot.shape == soft.shape == (480, 640, 3), (shot.shape, soft.shape)
    expected = folder / "expected.png"
    installation.run("frost", "effect", "light", folder / "shot.png", "-o", expected, "--backend", "cpu")
    assert largest(soft, picture(expected)) <= 1, largest(soft, picture(expected))
    # The desktop shows the sample picture and is not a single colour.
    wall = cv2.resize(picture(ROOT / "Samples" / "photo.png").astype(numpy.uint8), (640, 480), interpolation=cv2.INTER_AREA)
    assert numpy.corrcoef(shot.ravel(), wall.astype(int).ravel())[0, 1] > 0.9
    assert largest(shot, soft) > 20


def main():
    cases = Cases("embedding", __doc__, [
        ("--library", {"required": True, "help": "the libfrost.so to test"}),
        ("--swift", {"help": "builds the example in Swift"})])
    with tempfile.TemporaryDirectory(prefix="frost-embedding-") as folder:
        installation = Installation(folder, cases.frost, os.path.abspath(cases.options.library))
        cases.run("scene in C", c_scene, installation)
        cases.run("compositor in C", c_compositor, installation)
        cases.run("compositor in C with dma-bufs", c_compositor_dmabufs, installation)
        cases.run("Vulkan in C", c_vulkan, installation)
        cases.run("loop in Swift", swift_loop, installation, cases.options.swift)
        cases.run("client in Swift, in debug", swift_client_in_debug, installation, cases.options.swift)
        cases.run("screenshot of a Wayland compositor", wayland_screenshot, installation)
    cases.finish()


main()
