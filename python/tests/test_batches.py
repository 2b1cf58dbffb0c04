"""Tests calls on many pictures."""

import collections
import mmap
import pickle
import tempfile
import unittest
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from unittest import mock

import numpy

import frost
from support import noise


class Batches(unittest.TestCase):
    def test_items_are_those_of_single_calls(self):
        images = noise(9, 20, 30, 3)
        for threads in (1, 2, 64):
            for sigma in (3, numpy.float32(3), [n / 2 for n in range(9)], numpy.arange(9)):
                each = numpy.broadcast_to(sigma, 9)
                result = frost.blur_batch(images, sigma, threads=threads, edge="mirror")
                self.assertEqual((type(result), result.shape, result.dtype), (numpy.ndarray, images.shape, images.dtype))
                for image, one, value in zip(images, result, each):
                    self.assertTrue((one == frost.blur(image, value, edge="mirror")).all())

    def test_lists_of_unequal_pictures(self):
        images = [noise(9, 9), noise(20, 30, 4), noise(5, 40, 3, dtype=numpy.float32), noise(12, 13, 3)[::-1],
                  noise(4, 4, dtype=numpy.float64)]
        result = frost.blur_batch(images, 2)
        self.assertIsInstance(result, list)
        for image, one in zip(images, result):
            self.assertTrue((one == frost.blur(image, 2)).all() and one.dtype == image.dtype)
        self.assertEqual(frost.blur_batch([], 2), [])
        self.assertEqual(frost.blur_batch(noise(0, 4, 5, 3), 2).shape, (0, 4, 5, 3))
        made = frost.effect_batch(images[:2], ["light", frost.gaussian(2)])
        self.assertTrue((made[0] == frost.effect(images[0], "light")).all() and (made[1] == result[1]).all())

    def test_channels_first(self):
        images = noise(3, 20, 30, 4)
        planes = numpy.ascontiguousarray(images.transpose(0, 3, 1, 2))
        for axis in (1, -3):
            result = frost.blur_batch(planes, 2, axis=axis)
            self.assertTrue((result.transpose(0, 2, 3, 1) == frost.blur_batch(images, 2)).all())
        result = frost.blur_batch(list(planes), 2, axis=0)
        self.assertTrue((numpy.stack(result) == frost.blur_batch(planes, 2, axis=1)).all())

    def test_rectangles_are_cut_from_the_blurred_picture(self):
        """Inside a rectangle are the bytes of the whole picture's blur, outside those of the picture."""
        images = noise(3, 40, 50, 4)
        whole = frost.blur_batch(images, 4)
        faces = [(5, 6, 20, 10), (15, 10, 20, 10), (0, 30, 7, 10)]
        inside = numpy.zeros((40, 50), bool)
        for x, y, width, height in faces:
            inside[max(0, y):max(0, y + height), max(0, x):max(0, x + width)] = True
        expected = numpy.where(inside[..., None], whole, images)
        for rects in (faces, numpy.array(faces), [faces] * 3, numpy.array([faces] * 3), [numpy.array(faces)] * 3):
            self.assertTrue((frost.blur_batch(images, 4, rects) == expected).all())
        for rects in (faces[0], numpy.array(faces[0]), [faces[0]], [[faces[0]]] * 3):
            one = frost.blur_batch(images, 4, rects)
            self.assertTrue((one[:, 6:16, 5:25] == whole[:, 6:16, 5:25]).all() and (one[:, :6] == images[:, :6]).all())
        mixed = frost.blur_batch(images, 4, [faces, [], None])
        self.assertTrue((mixed == numpy.stack([expected[0], images[1], whole[2]])).all())
        self.assertTrue((frost.blur_batch(images, 4, []) == images).all())
        planes = frost.blur_batch(images.transpose(0, 3, 1, 2), 4, faces, axis=1)
        self.assertTrue((planes.transpose(0, 2, 3, 1) == expected).all())
        grey = frost.blur_batch(images[..., :1], 4, faces)
        self.assertEqual(grey.shape, (3, 40, 50, 1))

    def test_a_rectangle_hides_what_it_names_or_says_so(self):
        """A rectangle that lies outside is an error, and one that is cropped is a warning: for arrays and for files, with the
        same texts."""
        image = noise(40, 50, 3)
        file = b"P6\n50 40\n255\n" + image.tobytes()
        whole = frost.blur(image, 4)
        for picture in (image, file):
            for place in ((50, 0, 5, 5), (0, 40, 5, 5), (-5, 3, 5, 5), (9000, 9000, 50, 50)):
                text = "the rectangle {},{},{},{} lies outside the image of 50x40 pixels".format(*place)
                with self.assertRaisesRegex(frost.ParameterError, r"^images\[0\]: " + text):
                    frost.blur_batch([picture], 4, [[(1, 1, 4, 4), place]])
                with self.assertRaisesRegex(frost.ParameterError, text):
                    frost.effect_batch([picture], "redact", [place])
            for place in ((3, 3, 0, 4), (3, 3, 4, 0)):
                with self.assertRaises(frost.ArgumentError):
                    frost.blur_batch([picture], 4, [place])
            for place, part in (((-5, 30, 12, 90), (0, 30, 7, 10)), ((49, -1, 2, 2), (49, 0, 1, 1))):
                text = "images[0]: the rectangle {},{},{},{} was cropped to the picture: {},{},{},{}".format(*place, *part)
                with self.assertWarns(frost.PictureWarning) as caught:
                    [result] = frost.blur_batch([picture], 4, [place])
                self.assertEqual(str(caught.warning), text)
                self.assertEqual(caught.filename, __file__)
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                frost.blur_batch([picture], 4, [(0, 0, 50, 40)])
        x, y, width, height = 0, 30, 7, 10
        with self.assertWarns(frost.PictureWarning):
            [result] = frost.blur_batch([image], 4, [(-5, 30, 12, 90)])
        self.assertTrue((result[y:y + height, x:x + width] == whole[y:y + height, x:x + width]).all())

    def test_an_error_takes_the_place_of_its_picture(self):
        images = [noise(9, 9), noise(0, 9), "photo.png", noise(9, 9), noise(9, 9, 7), noise(9, 9)]
        for threads in (1, 2):
            result = frost.blur_batch(images, [1, 1, 1, -1, 1, 1], [None] * 5 + [[(0, 0, -5, 2)]], errors="return", threads=threads)
            self.assertEqual([type(one).__name__ for one in result],
                             ["ndarray", "PixelError", "TypeError", "ParameterError", "LayoutError", "ArgumentError"])
            self.assertTrue((result[0] == frost.blur(images[0], 1)).all())
            with self.assertRaisesRegex(frost.ParameterError, r"^images\[1\]: sigma .* 0 to 1000"):
                frost.blur_batch([images[0]] * 4, [1, -1, 1, 1], threads=threads)
        for one in result[1:]:
            back = pickle.loads(pickle.dumps(one))
            self.assertEqual((type(back), str(back)), (type(one), str(one)))
        stacked = frost.blur_batch(noise(2, 9, 9, 3), [1, 2000], errors="return")
        self.assertEqual([type(one).__name__ for one in stacked], ["ndarray", "ParameterError"])

    def test_the_error_of_the_first_picture_is_raised(self):
        """In whatever order the threads work; here, from the last picture to the first."""
        class Backwards(ThreadPoolExecutor):
            def map(self, work, numbers):
                return reversed([work(number) for number in reversed(numbers)])

        with mock.patch("concurrent.futures.ThreadPoolExecutor", Backwards):
            with self.assertRaisesRegex(frost.ParameterError, r"^images\[1\]"):
                frost.effect_batch(noise(4, 3, 3, 3), ["light", "lihgt", 3, 3], threads=4)

    def test_generators_and_paths(self):
        images = [noise(20, 30, 3, seed=seed) for seed in range(3)]
        expected = frost.blur_batch(images, 2)
        for given in ((image for image in images), dict(enumerate(images)).values(), collections.deque(images)):
            for found, right in zip(frost.blur_batch(given, 2), expected):
                self.assertTrue((found == right).all())
        rects = [(1, 2, 3, 4), (5, 6, 7, 8)]
        for found, right in zip(frost.blur_batch(images, 2, [map(int, each) for each in rects]), frost.blur_batch(images, 2, rects)):
            self.assertTrue((found == right).all())
        data = b"P5 30 20 255\n" + noise(20, 30).tobytes()
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "picture.pgm"
            path.write_bytes(data)
            self.assertEqual(frost.blur_batch([path, data], 2), [frost.blur_encoded(data, 2)] * 2)
            self.assertEqual(frost.blur_encoded(path, 2), frost.blur_encoded(data, 2))
            with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as memory:
                self.assertEqual(frost.blur_encoded(memory, 2), frost.blur_encoded(data, 2))
            with self.assertRaisesRegex(FileNotFoundError, "missing.pgm"):
                frost.blur_encoded(path.with_name("missing.pgm"), 2)

    def test_errors_of_the_call(self):
        images = noise(3, 9, 9, 3)
        for call, kind, text in (
                (lambda: frost.blur_batch(images, [1, 2]), ValueError, "2 effects or sigmas for 3 pictures"),
                (lambda: frost.blur_batch(images, 1, [[(0, 0, 1, 1)], None]), ValueError, "2 lists of rectangles for 3"),
                (lambda: frost.blur_batch(images, -1, errors="return"), frost.ParameterError, "0 to 1000"),
                (lambda: frost.blur_batch(images, 1, errors="ignore"), ValueError, "raise, return"),
                (lambda: frost.blur_batch(images, 1, [(1, 2, 3, 4), 5]), TypeError, r"rects\[1\] must be a sequence, not int"),
                (lambda: frost.blur_batch(images, 1, [[(1, 2, 3, 4), None]] * 3), TypeError, "a rectangle must be a sequence, not NoneType"),
                (lambda: frost.blur_batch(images, [1, [2], 3]), ValueError, r"images\[1\]: sigma has 1 numbers"),
                (lambda: frost.blur_batch([b""], 1, backend="fast"), ValueError, "auto, cpu, gpu, exact"),
                (lambda: frost.blur_batch(images[0], 1), frost.LayoutError, r"3 dimensions: expected four.*; images\[..., None\]"),
                (lambda: frost.blur_batch(images, 1, axis=0), frost.LayoutError, "axis 0 .*1 to 3"),
                (lambda: frost.blur_batch(images.transpose(0, 3, 1, 2), 1), frost.LayoutError, "^images has 9 channels: .* pass axis=1$"),
                (lambda: frost.blur_batch(list(images.transpose(0, 3, 1, 2)), 1), frost.LayoutError, r"^images\[0\].* pass axis=0$"),
                (lambda: frost.blur_batch("photos", 1), TypeError, "images is str"),
                (lambda: frost.effect_batch(images, 5), TypeError, "effect must be a frost.Effect or the name of one, not int"),
                (lambda: frost.effect_batch(images, b"light"), TypeError, "effect must be .*, not bytes"),
                (lambda: frost.effect_batch(images, "lihgt"), frost.ParameterError, "lihgt"),
                (lambda: frost.effect_batch(images, ["light", "lihgt", 3]), frost.ParameterError, r"images\[1\]")):
            with self.subTest(text), self.assertRaisesRegex(kind, text):
                call()


if __name__ == "__main__":
    unittest.main()
