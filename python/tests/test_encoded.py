"""Tests calls on encoded pictures. The files are PNM, which needs no codec here; Tests/acceptance/encoded.py has all formats."""

import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import unittest
import warnings
from unittest import mock

import numpy

import frost
from support import in_child, noise


def pnm(array):
    """Returns the bytes of a PGM or PPM."""
    height, width = array.shape[:2]
    magic, largest = ("P5" if array.ndim == 2 else "P6"), numpy.iinfo(array.dtype).max
    return f"{magic}\n{width} {height}\n{largest}\n".encode() + array.astype(array.dtype.newbyteorder(">")).tobytes()


def pixels(data, array):
    """Returns the pixels of a PGM or PPM with the size and type of an array."""
    return numpy.frombuffer(data[-array.nbytes:], array.dtype.newbyteorder(">")).reshape(array.shape).astype(array.dtype)


class Encoded(unittest.TestCase):
    def test_pixels_are_those_of_arrays(self):
        for array in (noise(20, 30), noise(20, 30, 3), noise(20, 30, 3, dtype=numpy.uint16)):
            for edge in ("clamp", "mirror", "repeat", "reflect-101"):
                made = frost.blur_encoded(pnm(array), 3, edge=edge)
                self.assertIs(type(made), bytes)
                self.assertTrue((pixels(made, array) == frost.blur(array, 3, edge=edge)).all())
        array = noise(20, 30, 3)
        for effect in ("light", frost.Effect("box", radius=2), frost.gaussian(3, 5), frost.gaussian(3, dither=True)):
            made = frost.effect_encoded(pnm(array), effect)
            self.assertTrue((pixels(made, array) == frost.effect(array, effect)).all(), effect)
        made = frost.effect_encoded(pnm(array), "light", scale=2, linear=True, dither=False)
        self.assertTrue((pixels(made, array) == frost.effect(array, "light", scale=2, linear=True, dither=False)).all())

    def test_kinds_of_memory(self):
        data = pnm(noise(20, 30))
        expected = frost.blur_encoded(data, 2)
        for other in (bytearray(data), memoryview(data), memoryview(bytearray(b"x" + data))[1:],
                      numpy.frombuffer(data, numpy.uint8).data):
            self.assertEqual(frost.blur_encoded(other, 2), expected)

    def test_rectangles_and_masks(self):
        array = noise(40, 50, 3)
        data, whole = pnm(array), frost.blur(array, 4)
        expected = frost.blur_batch([array], 4, [(5, 6, 20, 10), (30, 20, 40, 10)])[0]
        for rects in ([(5, 6, 20, 10), (30, 20, 40, 10)], numpy.array([(5, 6, 20, 10), (30, 20, 40, 10)]),
                      ["5,6,20,10", (30, 20, 40, 10)], "5,6,20,10 30,20,40,10"):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", frost.PictureWarning)
                self.assertTrue((pixels(frost.blur_encoded(data, 4, rects=rects), array) == expected).all())
        half = frost.blur_encoded(data, 4, rects="50%,0,50%,100%")
        self.assertTrue((pixels(half, array)[:, 25:] == whole[:, 25:]).all())
        self.assertTrue((pixels(half, array)[:, :25] == array[:, :25]).all())
        one = pixels(frost.blur_encoded(data, 4, rects=(5, 6, 20, 10)), array)
        self.assertTrue((one[6:16, 5:25] == whole[6:16, 5:25]).all())
        mask = noise(40, 50)
        made = frost.blur_encoded(data, 4, mask=pnm(mask))
        self.assertTrue((pixels(made, array) != whole).any() and (pixels(made, array) != array).any())
        made = frost.effect_encoded(data, "variable", radius=5, mask=pnm(mask))
        self.assertTrue((pixels(made, array) == frost.effect(array, "variable", radius=5, mask=mask)).all())

    def test_options_reach_the_library(self):
        data = pnm(noise(20, 30, 3))
        small, large = (frost.blur_encoded(data, 1, format="jpeg", quality=quality) for quality in (20, 95))
        self.assertLess(len(small), len(large))
        self.assertEqual(frost.blur_encoded(data, 1, encoding=frost.Encoding("jpeg", quality=20)), small)
        self.assertEqual(frost.blur_encoded(data, 1, quality=20, encoding=frost.Encoding("jpeg", quality=95)), small)
        self.assertIn(b"\xff\xc2", frost.blur_encoded(data, 1, encoding=frost.Encoding("jpeg", progressive=True)))
        self.assertIn(b"\xff\xc0", small)
        lossless = frost.blur_encoded(data, 1, encoding=frost.Encoding("webp", lossless=True))
        self.assertEqual(frost.blur_encoded(lossless, 0, format="ppm"), frost.blur_encoded(data, 1))
        deep = pnm(noise(20, 30, dtype=numpy.uint16))
        self.assertEqual(len(frost.blur_encoded(deep, 1, encoding=frost.Encoding(depth=8))) - 600, len(b"P5\n30 20\n255\n"))
        clear = frost.blur_encoded(data, 1, format="png", edge="clear")
        self.assertEqual(frost.blur_encoded(clear, 0, format="ppm", encoding=frost.Encoding(background="white"))[:2], b"P6")

    def test_empty_masks(self):
        """An empty mask file is an error. The picture is not blurred without a mask."""
        data = pnm(noise(30, 40, 3))
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "mask.png")
            path.touch()
            for mask in (b"", bytearray(), memoryview(b""), path):
                for call in (lambda: frost.blur_encoded(data, 4, mask=mask), lambda: frost.effect_encoded(data, "light", mask=mask),
                             lambda: frost.effect_encoded(data, "redact", mask=mask), lambda: frost.blur_batch([data], 4, mask=[mask])):
                    with self.assertRaisesRegex(frost.UnreadableError, "mask: the file is empty"):
                        call()

    def test_errors(self):
        data, large = pnm(noise(20, 30, 3)), pnm(noise(700, 600, 3))

        def encoded(**options):
            return lambda: frost.blur_encoded(data, 1, encoding=frost.Encoding(**options))

        def decoded(**options):
            return lambda: frost.blur_encoded(data, 1, decoding=frost.Decoding(**options))

        for call, kind, text in (
                (lambda: frost.blur_encoded(b"", 1), frost.UnreadableError, "empty"),
                (lambda: frost.blur_encoded(b"8BPS" + data, 1), frost.UnreadableError, "it is a Photoshop file"),
                (lambda: frost.blur_encoded(data[:-5], 1), frost.UnreadableError, "damaged PPM.*byte"),
                (lambda: frost.blur_encoded("photo.jpg", 1), TypeError, r"data must be bytes, not str; pathlib.Path\('photo.jpg'\) reads"),
                (lambda: frost.blur_encoded(memoryview(data)[::2], 1), TypeError, "contiguous"),
                (lambda: frost.blur_encoded(data, -1), frost.ParameterError, "0 to 1000"),
                (lambda: frost.blur_encoded(data, float("nan")), frost.ParameterError, "nan"),
                (lambda: frost.blur_encoded(data, "8"), TypeError, "sigma must be a number"),
                (lambda: frost.blur_encoded(data, 1, edge="none"), frost.ArgumentError, "clamp, mirror"),
                (lambda: frost.blur_encoded(data, 1, format="gif"), frost.ArgumentError, "allowed: png, jpeg"),
                (lambda: frost.blur_encoded(data, 1, quality=0), frost.ArgumentError, "1 to 100"),
                (lambda: frost.blur_encoded(data, 1, format="png", quality=5), frost.ArgumentError, "quality does not apply to PNG"),
                (lambda: frost.blur_encoded(data, 1, keep="some"), frost.ArgumentError, "color, all, none"),
                (lambda: frost.blur_encoded(data, 1, rects=""), frost.ArgumentError, "rects is empty"),
                (lambda: frost.blur_encoded(data, 1, rects=" \n"), frost.ArgumentError, "rects is empty"),
                (lambda: frost.blur_encoded(data, 1, rects=[" "]), frost.ArgumentError, "a rectangle cannot be ' '"),
                (lambda: frost.blur_encoded(data, 1, rects=[(1, 2, 3, 4), 5]), TypeError, "a rectangle must be a sequence, not int"),
                (lambda: frost.blur_encoded(data, 1, rects=[[(1, 2, 3, 4), None]]), frost.ArgumentError, "2 numbers"),
                (lambda: frost.blur_encoded(memoryview(noise(9, 9, 3).copy("F")), 1), TypeError, "order of C: copy it with bytes"),
                (lambda: frost.blur_encoded(data, 1, rects="1,2,3"), frost.ArgumentError, "GRAVITY,WxH"),
                (lambda: frost.blur_encoded(data, 1, rects=[(1, 2, 3)]), frost.ArgumentError, "3 numbers"),
                (lambda: frost.blur_encoded(data, 1, rects=[(90, 0, 5, 5)]), frost.ParameterError, "image"),
                (lambda: frost.blur_encoded(data, 1, mask=b"P5"), frost.UnreadableError, "mask: "),
                (lambda: frost.blur_encoded(data, 1, threads=300), frost.ArgumentError, "1 to 256"),
                (lambda: frost.blur_encoded(data, 1, encoding="png"), TypeError, "must be a frost.Encoding"),
                (lambda: frost.blur_encoded(data, 1, decoding={}), TypeError, "must be a frost.Decoding"),
                (encoded(depth=9), frost.ArgumentError, "depth 9"),
                (encoded(subsampling="411"), frost.ArgumentError, "444"),
                (encoded(background="#00000000"), frost.ArgumentError, "opaque"),
                (decoded(fail_on="all"), frost.ArgumentError, "truncated"),
                (decoded(max_side=29), frost.OverLimitError, "limit of 29"),
                (decoded(max_pixels=599), frost.OverLimitError, "pixels"),
                (lambda: frost.blur_encoded(large, 9, decoding=frost.Decoding(max_memory=1 << 20)), frost.OverLimitError, "memory"),
                (decoded(max_time=-1), frost.ArgumentError, "max_time"),
                (decoded(sandbox=""), frost.ArgumentError, "path of the command"),
                (decoded(allow=["bmp", "gif"]), frost.UnreadableError, "which allow does not list"),
                (decoded(allow="bmp,mng"), frost.ArgumentError, "mng"), (decoded(allow=[]), frost.ArgumentError, "missing"),
                (decoded(allow=["bmp", 3]), TypeError, "a format of allow"), (decoded(allow=3), TypeError, "allow must be"),
                (lambda: frost.blur_encoded(data, 1, edge="clear"), frost.UnwritableError, "background"),
                (lambda: frost.effect_encoded(data, "lihgt"), frost.ParameterError, "lihgt"),
                (lambda: frost.effect_encoded(data, "light", wide=1), frost.ParameterError, "wide"),
                (lambda: frost.effect_encoded(data, "variable"), frost.ParameterError, "needs mask"),
                (lambda: frost.effect_encoded(data, frost.gaussian(2), scale=1), TypeError, "belong to the name"),
                (lambda: frost.effect_encoded(data, frost.gaussian(2).clipped(frost.Shape(0, 0, 3, 3))), TypeError,
                 "content or shapes")):
            with self.subTest(text), self.assertRaisesRegex(kind, text):
                call()

    @unittest.skipIf("FROST_UNDER_VALGRIND" in os.environ, "under valgrind, posix_spawn reports no missing program")
    def test_a_missing_sandbox_is_an_error(self):
        with self.assertRaisesRegex(frost.SystemResourceError, "isolated"):
            frost.blur_encoded(pnm(noise(20, 30, 3)), 1, decoding=frost.Decoding(sandbox="/nowhere/frost"))

    def test_a_missing_library_is_an_import_error(self):
        elsewhere = mock.patch.dict(os.environ, {"FROST_IMAGES_LIBRARY": "/nowhere/images.so"})
        with mock.patch("frost._images_library._libraries.made", {}), elsewhere:
            with self.assertRaisesRegex(ImportError, "libfrost-images.so.*/nowhere.*Tools/install"):
                frost.blur_encoded(pnm(noise(2, 2)), 1)
        self.assertEqual(len(frost.blur_encoded(pnm(noise(2, 2)), 1)), len(pnm(noise(2, 2))))

    def test_warnings(self):
        """What cannot be done as asked is a warning at the line of the call."""
        data = pnm(noise(30, 30))
        for call in (lambda: frost.blur_encoded(data, 1, rects=[(20, 0, 20, 5)]),
                     lambda: frost.effect_encoded(data, frost.gaussian(1), rects=[(20, 0, 20, 5)])):
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                call()
            self.assertEqual([(one.category, one.filename) for one in caught], [(frost.PictureWarning, __file__)])
            self.assertIn("cropped to the picture", str(caught[0].message))
        lost = frost.Decoding(fail_on="none")
        with self.assertWarnsRegex(frost.PictureWarning, "missing pixels are grey"):
            frost.blur_encoded(data[:-100], 1, decoding=lost)

    def test_results_of_two_gibibytes_and_more(self):
        """A size is not cut off to 32 bits: no memory has this one."""
        from frost._images_library import bytes_at

        memory = numpy.frombuffer(b"abcdef", numpy.uint8)
        self.assertEqual(bytes_at(memory.ctypes.data, 6), b"abcdef")
        with self.assertRaises(MemoryError):
            bytes_at(memory.ctypes.data, 2**62 + 3)

    def test_threads_and_forks(self):
        """The GIL is free during the work, and the child of a fork works while other threads do."""
        array = noise(600, 500, 3)
        data, expected = pnm(array), frost.blur(array, 5)
        stop, failures, rounds = threading.Event(), [], []

        def work():
            while not stop.is_set():
                if not (pixels(frost.blur_encoded(data, 5, threads=1), array) == expected).all():
                    failures.append("other pixels")
                rounds.append(None)

        def child():
            for threads in (1, 2):
                assert (pixels(frost.blur_encoded(data, 5, threads=threads), array) == expected).all()

        workers = [threading.Thread(target=work) for _ in range(3)]
        for worker in workers:
            worker.start()
        try:
            for _ in range(5):
                in_child(self, child)
        finally:
            stop.set()
            for worker in workers:
                worker.join()
        self.assertEqual(failures, [])
        self.assertGreater(len(rounds), 3)

    def test_forks_during_first_uses(self):
        """A fork waits until other threads have loaded the modules and the library, and made their first calls."""
        code = (
            "import os, signal, sys, threading, time, frost\n"
            "from test_encoded import pnm\n"
            "from support import noise\n"
            "data = pnm(noise(60, 50, 3))\n"
            "def work(): return frost.blur_encoded(data, 2, encoding=frost.Encoding('png'))\n"
            "for _ in range(3): threading.Thread(target=work).start()\n"
            "time.sleep(float(sys.argv[1]))\n"
            "child = os.fork()\n"
            "if child == 0:\n"
            "    signal.alarm(60)\n"
            "    work()\n"
            "    os._exit(0)\n"
            "sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))\n")
        for delay in numpy.linspace(0, 0.05, 12):
            done = subprocess.run(
                [sys.executable, "-c", code, str(delay)], capture_output=True, text=True,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})
            self.assertEqual((done.returncode, done.stderr), (0, ""), delay)


class EncodedBatches(unittest.TestCase):
    def test_items_may_be_bytes(self):
        array = noise(20, 30, 3)
        data = pnm(array)
        for threads in (1, 2, 64):
            made = frost.blur_batch([data, array, bytearray(data)], [1, 2, 3], threads=threads)
            self.assertEqual([type(one) for one in made], [bytes, numpy.ndarray, bytes])
            self.assertEqual((made[0], made[2]), (frost.blur_encoded(data, 1), frost.blur_encoded(data, 3)))
            self.assertTrue((made[1] == frost.blur(array, 2)).all())
        options = frost.Encoding("png", keep="none")
        made = frost.effect_batch([data], "light", encoding=options)
        self.assertEqual(made, [frost.effect_encoded(data, "light", encoding=options)])

    def test_rectangles(self):
        array = noise(20, 30, 3)
        data = pnm(array)
        faces = [(3, 3, 9, 9)]
        made = frost.blur_batch([data, array] * 2, 3, [faces, faces, [], None])
        self.assertTrue((pixels(made[0], array) == made[1]).all())
        self.assertEqual(made[2], data)
        self.assertTrue((made[3] == frost.blur(array, 3)).all())

    def test_warnings_name_their_pictures(self):
        """At the line of the call, whichever thread renders a picture."""
        data, rects = pnm(noise(30, 30)), [None, [(20, 0, 20, 5)], None, [(20, 0, 20, 5)]]
        for threads in (1, 2):
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                frost.blur_batch([data] * 4, 1, rects, threads=threads)
                frost.effect_batch([data] * 4, frost.gaussian(1), rects, threads=threads)
            self.assertEqual([str(one.message).split(":")[0] for one in caught], ["images[1]", "images[3]"] * 2)
            self.assertEqual({(one.category, one.filename) for one in caught}, {(frost.PictureWarning, __file__)})
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            made = frost.blur_batch([data] * 4, 1, rects, errors="return")
            self.assertEqual([type(one).__name__ for one in made], ["bytes", "PictureWarning"] * 2)
            with self.assertRaisesRegex(frost.PictureWarning, r"images\[1\]"):
                frost.blur_batch([data] * 4, 1, rects)

    def test_a_batch_of_bytes_opens_no_gpu(self):
        with mock.patch("frost._batch_work.shared_renderer", side_effect=frost.NoDeviceError("none")):
            self.assertEqual(len(frost.blur_batch([pnm(noise(9, 9))], 1, backend="gpu")), 1)
            with self.assertRaises(frost.NoDeviceError):
                frost.blur_batch([pnm(noise(9, 9)), noise(9, 9)], 1, backend="gpu")

    def test_errors_take_the_place_of_their_pictures(self):
        data = pnm(noise(20, 30, 3))
        made = frost.blur_batch([data, data[:-9], data, noise(4, 4)], [1, 1, 2000, 1], errors="return", threads=2)
        self.assertEqual([type(one).__name__ for one in made], ["bytes", "UnreadableError", "ParameterError", "ndarray"])
        with self.assertRaisesRegex(frost.UnreadableError, r"^images\[1\]: picture: damaged PPM"):
            frost.blur_batch([data, data[:-9]], 1)
        with self.assertRaisesRegex(frost.OverLimitError, r"^images\[0\]"):
            frost.blur_batch([data], 1, decoding=frost.Decoding(max_side=5))


if __name__ == "__main__":
    unittest.main()
