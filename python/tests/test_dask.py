"""Tests blurs of Dask arrays."""

import resource
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import numpy

import frost
from engines import is_missing
from support import EVERY_CASE, noise


@unittest.skipIf(is_missing("dask"), "Dask is not installed")
class DaskArrays(unittest.TestCase):
    def test_chunks_have_the_bytes_of_the_whole_array(self):
        """For chunks of any size, on and off the grid of the low-resolution samples."""
        import dask.array

        for index, (shape, sigma, chunks) in enumerate((
                ((300, 420), 0, 100), ((300, 421), 0.7, 37), ((300, 420, 3), 2, (64, 100, 3)), ((600, 500), 4, 128),
                ((611, 500, 4), 8.5, (90, 130, 2)), ((997, 1201), 17, (256, 300)), ((1100, 1300, 3), 33, (128, 1300, 1)),
                ((40, 3000), 8, (7, 256)), ((2500, 2300), 100, 500), ((1, 900), 3, (1, 50)), ((9, 9), 8, 2))):
            for dtype in (numpy.uint8, numpy.uint16, numpy.float32, numpy.float64)[:4 if index % 3 == 0 else 1]:
                for edge in ("clamp", "mirror"):
                    with self.subTest(shape=shape, sigma=sigma, chunks=chunks, dtype=dtype, edge=edge):
                        pixels = noise(*shape, dtype=dtype, seed=index)
                        result = frost.dask.blur(dask.array.from_array(pixels, chunks=chunks), sigma, edge=edge)
                        self.assertEqual((result.shape, result.dtype), (pixels.shape, pixels.dtype))
                        self.assertTrue((result.compute() == frost.blur(pixels, sigma, edge=edge)).all())

    def test_chunks_off_the_grid_would_differ(self):
        """The comparison of the test above can fail: chunks with enough pixels around them, but off the grid."""
        pixels = noise(600, 500)
        part = frost.blur(pixels[101:], 16)[200:300]
        self.assertFalse((part == frost.blur(pixels, 16)[301:401]).all())
        part = frost.blur(pixels[96:], 16)[205:305]
        self.assertTrue((part == frost.blur(pixels, 16)[301:401]).all())

    def test_the_step_is_a_multiple_of_the_low_resolution_samples(self):
        """A picture that begins a step later has the same bytes far from its edge."""
        for sigma in numpy.geomspace(1, 120, 60 if EVERY_CASE else 12):
            step = frost.dask._step(sigma)
            pixels = noise(40, 16 * int(sigma) + 4 * step + 40, seed=int(sigma))
            middle = slice(8 * int(sigma) + 3 * step, 8 * int(sigma) + 3 * step + 20)
            part = frost.blur(pixels[:, step:], sigma)[:, middle.start - step:middle.stop - step]
            self.assertTrue((part == frost.blur(pixels, sigma)[:, middle]).all(), sigma)

    def test_a_result_declares_the_type_of_its_chunks(self):
        """It has the machine's byte order."""
        import dask.array

        for dtype in (">u2", ">f8"):
            pixels = noise(30, 40, dtype=numpy.dtype(dtype).newbyteorder("=")).astype(dtype)
            result = frost.dask.blur(dask.array.from_array(pixels, chunks=20), 2)
            made = result.compute()
            self.assertEqual((result.dtype, made.dtype), (made.dtype, pixels.dtype.newbyteorder("=")))
            self.assertTrue((made == frost.blur(pixels, 2)).all())

    def test_chunk_lengths(self):
        for lengths, depth, step, expected in (
                ((10, 10, 5), 4, 1, (10, 10, 5)), ((10, 10, 3), 4, 1, (10, 13)), ((10, 10, 5), 4, 4, (12, 13)),
                ((8, 8, 8), 12, 4, (12, 12)), ((5,), 4, 1, (5,)), ((3, 3), 4, 4, (6,)), ((100, 100), 8, 8, (104, 96))):
            made = frost.dask._aligned(lengths, depth, step)
            self.assertEqual(made, expected)
            self.assertEqual(sum(made), sum(lengths))

    def test_errors(self):
        import dask.array

        for array, options, kind, text in (
                (dask.array.zeros((9, 9)), {"edge": "repeat"}, frost.ArgumentError, "clamp, mirror"),
                (dask.array.zeros((9, 9)), {"sigma": -1}, frost.ParameterError, "0 to 1000"),
                (dask.array.zeros((9, 9), dtype="i4"), {}, frost.LayoutError, "int32"),
                (dask.array.zeros(9), {}, frost.LayoutError, "1 dimensions"),
                (dask.array.zeros((0, 9)), {}, frost.PixelError, "empty"),
                (dask.array.zeros((2**32 + 9, 9), chunks=2**20), {}, frost.ArgumentError, "the height of array 4294967305"),
                (dask.array.zeros((9, 2**31), chunks=2**20), {}, frost.ArgumentError, "the width of array .*1 to 2147483647"),
                (dask.array.ones((9, 9))[dask.array.ones(9) > 0], {}, frost.LayoutError, "compute_chunk_sizes")):
            with self.subTest(text), self.assertRaisesRegex(kind, text):
                frost.dask.blur(array, **{"sigma": 3, **options})

    def test_a_large_array_needs_little_memory(self):
        """40,000 x 40,000 pixels with a limit of 1 GiB, less than the array. By default a smaller array, with a limit of half
        of the array for the work. Files have the array and the result."""
        side = 40_000 if EVERY_CASE else 12_000
        with tempfile.TemporaryDirectory() as folder:
            source = numpy.memmap(Path(folder) / "in", numpy.uint8, "w+", shape=(side, side))
            for top in range(0, side, 1000):
                source[top:top + 1000] = noise(10, side, seed=top).repeat(100, 0)
            source.flush()
            done = subprocess.run([sys.executable, __file__, "limited", folder, str(side)], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            expected = numpy.memmap(Path(folder) / "whole", numpy.uint8, "w+", shape=(side, side))
            frost.blur(source, 8, out=expected)
            result = numpy.memmap(Path(folder) / "out", numpy.uint8, "r", shape=(side, side))
            for top in range(0, side, 1000):
                self.assertTrue((result[top:top + 1000] == expected[top:top + 1000]).all(), top)
            print(f"Dask: {side} x {side} in {done.stdout.strip()}", flush=True)


class Stored:
    """An array in a file, as Zarr and HDF5 show one. Dask copies a whole numpy.memmap into memory."""

    def __init__(self, array):
        self.array, self.shape, self.dtype, self.ndim = array, array.shape, array.dtype, array.ndim

    def __getitem__(self, index):
        return self.array[index]


def limited(folder, side):
    """Blurs a file in a process whose memory, other than mapped files, is limited."""
    import time

    import dask
    import dask.array

    # What is loaded later must not count.
    with dask.config.set(scheduler="threads", num_workers=2):
        frost.dask.blur(dask.array.zeros((64, 64), chunks=16), 1).compute()
    status = dict(line.split(":") for line in open("/proc/self/status"))
    limit = min(1 << 30, (int(status["VmData"].split()[0]) << 10) + side * side // 2)
    resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
    source = numpy.memmap(Path(folder) / "in", numpy.uint8, "r", shape=(side, side))
    result = numpy.memmap(Path(folder) / "out", numpy.uint8, "w+", shape=(side, side))
    began = time.monotonic()
    with dask.config.set(scheduler="threads", num_workers=2):
        blurred = frost.dask.blur(dask.array.from_array(Stored(source), chunks=side // 10), 8)
        dask.array.store(blurred, result, lock=False)
    print(f"{time.monotonic() - began:.1f} s with at most {limit >> 20} MiB")


if __name__ == "__main__":
    if len(sys.argv) == 4 and sys.argv[1] == "limited":
        limited(sys.argv[2], int(sys.argv[3]))
    else:
        unittest.main()
