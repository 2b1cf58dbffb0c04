"""Tests the filter for Pillow."""

import copy
import pickle
import unittest

import numpy
from PIL import Image

import frost
from support import noise


def picture(mode):
    """Returns a picture of random pixels, with an entry of ``info``."""
    if mode == "I;16":
        made = Image.fromarray(noise(30, 40, dtype=numpy.uint16))
    else:
        made = Image.fromarray(noise(30, 40, 4))
        before = {"La": "LA", "RGBa": "RGBA", "RGBX": "RGB", "CMYK": "RGB", "YCbCr": "RGB"}.get(mode, mode)
        for step in (before, mode):
            made = made.convert(step)
    made.info["dpi"] = (72, 72)
    return made


class Filters(unittest.TestCase):
    def test_modes(self):
        for mode in ("L", "LA", "RGB", "RGBA", "I;16", "F"):
            given = picture(mode)
            result = given.filter(frost.PillowFilter(2))
            self.assertEqual((result.mode, result.size, result.info), (mode, given.size, given.info))
            self.assertTrue((numpy.asarray(result) == frost.blur(given, 2)).all(), mode)
        # Each channel is a number.
        for mode in ("La", "RGBa", "RGBX", "CMYK", "YCbCr"):
            given = picture(mode)
            result = given.filter(frost.PillowFilter((2, 1), edge="mirror"))
            self.assertEqual((result.mode, result.info), (mode, given.info))
            for band, blurred in zip(numpy.moveaxis(numpy.asarray(given), -1, 0), numpy.moveaxis(numpy.asarray(result), -1, 0)):
                expected = frost.blur(band.copy(), (2, 1), edge="mirror").astype(int)
                self.assertLessEqual(abs(expected - blurred).max(), 1, mode)

    def test_options(self):
        given = picture("RGB")
        options = dict(rects=[(3, 4, 10, 8)], feather=2, linear=True, threads=1)
        result = given.filter(frost.PillowFilter(3, **options))
        self.assertTrue((numpy.asarray(result) == frost.blur(given, 3, **options)).all())
        clear = given.filter(frost.PillowFilter(3, edge="clear"))
        self.assertEqual(clear.mode, "RGBA")
        self.assertTrue((numpy.asarray(clear) == frost.blur(given, 3, edge="clear")).all())

    def test_alpha(self):
        for mode in ("LA", "RGBA"):
            given = picture(mode)
            result = given.filter(frost.PillowFilter(3, alpha="premultiplied"))
            self.assertEqual(result.mode, mode)
            self.assertTrue((numpy.asarray(result) == frost.blur(given, 3, alpha="premultiplied")).all())
            straight = numpy.asarray(given.filter(frost.PillowFilter(3, alpha="straight")))
            self.assertTrue((straight == numpy.asarray(given.filter(frost.PillowFilter(3)))).all())
            self.assertFalse((straight == numpy.asarray(result)).all())
        for mode, made in (("L", "La"), ("RGB", "RGBa")):
            given = picture(mode)
            result = given.filter(frost.PillowFilter(3, edge="clear", alpha="premultiplied"))
            self.assertEqual(result.mode, made)
            self.assertTrue((numpy.asarray(result) == frost.blur(given, 3, edge="clear", alpha="premultiplied")).all())

    def test_words_of_other_programs(self):
        for word, edge in (("reflect", "mirror"), ("reflect_101", "reflect-101"), ("wrap", "repeat"), ("nearest", "clamp"),
                           ("replicate", "clamp")):
            made = frost.PillowFilter(2, edge=word)
            self.assertEqual((made, hash(made), made.edge), (frost.PillowFilter(2, edge=edge), hash(made), edge))

    def test_what_is_refused(self):
        for mode in ("P", "1", "I", "HSV"):
            with self.assertRaisesRegex(frost.PixelError, f"mode {mode}: convert it"):
                picture("RGB").convert(mode).filter(frost.PillowFilter(2))
        with self.assertRaisesRegex(frost.PixelError, "CMYK.*linear"):
            picture("CMYK").filter(frost.PillowFilter(2, linear=True))
        with self.assertRaisesRegex(frost.PixelError, "no mode F with alpha"):
            picture("F").filter(frost.PillowFilter(2, edge="clear"))
        for arguments, options, kind in (((-1,), {}, frost.ParameterError), ((2,), dict(edge="around"), frost.ArgumentError),
                                         ((2,), dict(feather=3), frost.ArgumentError), ((2,), dict(raduis=3), TypeError),
                                         ((2,), dict(rects=3), TypeError), (("2",), {}, TypeError),
                                         ((2,), dict(alpha="none"), frost.ArgumentError)):
            with self.assertRaises(kind):
                frost.PillowFilter(*arguments, **options)

    def test_values(self):
        filters = [frost.PillowFilter(8), frost.PillowFilter([8, 4]),
                   frost.PillowFilter(8, rects=numpy.array([[1, 2, 3, 4]]), ellipse=True)]
        for each in filters:
            for other in (pickle.loads(pickle.dumps(each)), copy.deepcopy(each)):
                self.assertEqual((other, hash(other)), (each, hash(each)))
                self.assertEqual(numpy.asarray(picture("L").filter(other)).tobytes(),
                                 numpy.asarray(picture("L").filter(each)).tobytes())
        self.assertEqual(len(set(filters)), 3)
        self.assertEqual(repr(filters[0]), "frost.PillowFilter(8)")
        self.assertEqual(eval(repr(filters[1])), filters[1])


if __name__ == "__main__":
    unittest.main()
