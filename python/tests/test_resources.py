"""Tests that blurs copy no arrays, and that many calls leave no memory, threads or files behind."""

import os
import subprocess
import sys
import threading
import unittest

import numpy

import frost
from support import EVERY_CASE

EDGES = ("clamp", "mirror", "repeat")
TYPES = (numpy.uint8, numpy.uint16, numpy.float16, numpy.float32, numpy.float64)
MIB = 1 << 20


def status(name):
    """Returns a size of this process in bytes: VmRSS now, VmHWM at its largest."""
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) * 1024 for line in file if line.startswith(name + ":"))


def blur_in_place(mebibytes):
    """Prints how many bytes the process grew while it blurred an array in place."""
    image = numpy.ones((mebibytes, MIB), numpy.uint8).reshape(-1, 8192, 4)
    image[::7] = 200
    frost.blur(image[:64], 8)
    before = status("VmRSS")
    with open("/proc/self/clear_refs", "w") as file:
        file.write("5")
    frost.blur(image, 8, out=image)
    assert 1 < image[500, 4000, 0] < 200
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
            frost.blur(image, sigmas[random.integers(variety)], edge=EDGES[random.integers(3)])
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
        return numpy.array([status("VmRSS"), len(os.listdir("/proc/self/fd")), len(os.listdir("/proc/self/task"))])

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

    def test_a_blur_in_place_does_not_copy_the_array(self):
        """The library keeps the low-resolution image of the blur, an eighth of the array. A copy would be all of it."""
        mebibytes = 1024 if EVERY_CASE else 128
        grown, = self.told("blur_in_place", mebibytes)
        self.assertLessEqual(grown, mebibytes * MIB / 4)

    def test_many_calls_leave_nothing_behind(self):
        """The first calls fill caches and the allocator's pools, so what they leave does not count. A kilobyte for each of
        the others would be seen."""
        memory, files, threads = self.told("call_randomly", 100_000 if EVERY_CASE else 3000)
        self.assertLessEqual(memory, 2 * MIB)
        self.assertLessEqual((files, threads), (0, 0))


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[1] in ("blur_in_place", "call_randomly"):
        globals()[sys.argv[1]](int(sys.argv[2]))
    else:
        unittest.main()
