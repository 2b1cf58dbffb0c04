"""Tests that blurs copy no arrays, and that many calls leave no memory, threads or files behind."""

import os
import subprocess
import sys
import threading
import unittest

import numpy

import frost
from support import EVERY_CASE

EDGES = ("clamp", "mirror", "repeat", "reflect-101")
TYPES = (numpy.uint8, numpy.uint16, numpy.float16, numpy.float32, numpy.float64)
MIB = 1 << 20
# What is rendered in place, one after the other.
SIGMAS = {"u8": (1.3, 3, 8, 50, 300), "f32": (1.3, 8, 50), "effects": (), "rects": ()}
EFFECTS = {"u8": (), "f32": (), "effects": ("light", "material-thick-dark", "tilt-shift"), "rects": ()}
RECTS = {"rects": ({}, {"feather": 5}, {"ellipse": True}, {"invert_rects": True})}


def status(name):
    """Returns a size of this process in bytes: VmRSS now, VmHWM at its largest."""
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) * 1024 for line in file if line.startswith(name + ":"))


def render_in_place(mebibytes, name):
    """Prints how many bytes the process grew while it rendered effects in place, in an array of some mebibytes."""
    # Each thread keeps rows of its own, so the number of threads is fixed.
    frost.set_threads(2)
    image = numpy.ones((mebibytes, MIB), numpy.uint8).reshape(-1, 8192, 4)
    if name == "f32":
        image = numpy.ones((mebibytes, MIB // 4), numpy.float32).reshape(-1, 4096, 4)
    image[::7] = 200
    frost.blur(image[:64], 8)
    before = status("VmRSS")
    with open("/proc/self/clear_refs", "w") as file:
        file.write("5")
    for sigma in SIGMAS[name]:
        frost.blur(image, sigma, edge=EDGES[len(str(sigma)) % 2], out=image)
    for effect in EFFECTS[name]:
        frost.effect(image, effect, out=image)
    for edges in RECTS.get(name, ()):
        frost.blur(image, 8, rects=[(3600, 400, 900, 200), (100, 2000, 500, 600)], out=image, **edges)
    assert (image[500:508, 4000, 0] > 1).any()
    print(status("VmHWM") - before)


def render_outside(width):
    """Prints how many bytes the process grew while it rendered a region that reaches far outside the picture."""
    picture, renderer = numpy.full((24, 30, 4), 200, numpy.uint8), frost.Renderer("cpu", threads=2)
    renderer.render(picture, frost.gaussian(2))
    before = status("VmRSS")
    renderer.render(picture, frost.gaussian(2), region=(-30, -10, width, 10))
    print(status("VmHWM") - before)


def call_randomly(count):
    """Makes random calls, and prints by how many bytes, open files and threads the process grew after the first third."""
    random = numpy.random.default_rng(11)
    names = [info.name for info in frost.effects() if "mask" not in info.summary and "variable" not in info.name]
    transitions = [info.name for info in frost.transitions() if "mask" not in info.extras]
    # With few calls there are few sizes, sigmas and effects, so that the first ones have all of them.
    variety = 1000 if count >= 100_000 else 3
    sizes, sigmas = random.integers(1, 97, (variety, 2)), random.random(variety) * 20
    names, transitions = names[:variety], transitions[:variety]

    def one():
        height, width = sizes[random.integers(len(sizes))]
        channels, dtype = random.integers(1, 5), TYPES[random.integers(len(TYPES))]
        image = numpy.zeros((height, width, channels), dtype)
        kind = random.integers(6)
        if kind == 0:
            frost.blur(image, sigmas[random.integers(variety)], edge=EDGES[random.integers(len(EDGES))])
        elif kind == 1:
            frost.effect(image[::-1], names[random.integers(len(names))])
        elif kind == 2:
            frost.transition(image, image, transitions[random.integers(len(transitions))], random.random())
        elif kind == 3:
            frost.blur_batch([image] * 3, [1, 2, -1], [[(0, 0, 5, 5)], None, None], errors="return")
        elif kind == 4:
            frost.effect(image, "variable", radius=9, mask=image)
        else:
            try:
                frost.blur(image, -random.random(), out=image)
            except frost.ParameterError:
                pass

    def measured():
        # Idle threads end after a while, and a blur may be done before the last of its threads has started, most of all on a
        # busy machine. So the most threads of several blurs count, until many blurs in turn have no more.
        threads, turns = 0, 0
        while turns < 40:
            frost.blur(numpy.zeros((512, 512, 4), numpy.uint8), 8)
            now = len(os.listdir("/proc/self/task"))
            threads, turns = (now, 0) if now > threads else (threads, turns + 1)
        return numpy.array([status("VmRSS"), len(os.listdir("/proc/self/fd")), threads])

    for number in range(count):
        if number == count // 3:
            first = measured()
        one()
    assert threading.active_count() == 1
    print(*(measured() - first))


class Resources(unittest.TestCase):
    def told(self, *words):
        done = subprocess.run([sys.executable, __file__, *map(str, words)], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return [int(word) for word in done.stdout.split()]

    def test_effects_in_place_need_little_memory(self):
        """However large an array is, the library keeps few of its rows: here those of two threads."""
        mebibytes = 1024 if EVERY_CASE else 256
        for name in SIGMAS:
            grown, = self.told("render_in_place", mebibytes, name)
            self.assertLessEqual(grown / MIB, 32, name)

    def test_a_region_outside_takes_memory_in_proportion_to_its_width(self):
        """A kilobyte for each column. If each strip of the region also held the columns between the strip and the picture,
        this region would take a gibibyte."""
        width = 200_000
        grown, = self.told("render_outside", width)
        self.assertLessEqual(grown, 1024 * width)

    def test_many_calls_leave_nothing_behind(self):
        """The first calls fill caches and the allocator's pools, so what they leave does not count. A kilobyte for each of
        the others would be seen."""
        memory, files, threads = self.told("call_randomly", 100_000 if EVERY_CASE else 3000)
        self.assertLessEqual(memory, 2 * MIB)
        self.assertLessEqual(files, 0)
        # On a busy machine, threads of the pool may start only after the first count. The pool has at most one for each
        # processor. A thread that one call in a hundred leaves behind would be seen.
        self.assertLessEqual(threads, min(os.cpu_count(), 16))


if __name__ == "__main__":
    if len(sys.argv) > 2 and sys.argv[1] in ("render_in_place", "render_outside", "call_randomly"):
        globals()[sys.argv[1]](int(sys.argv[2]), *sys.argv[3:])
    else:
        unittest.main()
