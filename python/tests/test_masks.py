"""Masks that are pictures of files."""

import io
import unittest
import warnings

import frost
import numpy
from PIL import Image

from support import noise


def png(array):
    file = io.BytesIO()
    Image.fromarray(array).save(file, "png")
    return file.getvalue()


class Masks(unittest.TestCase):
    def test_an_opaque_mask_is_its_luma(self):
        """Many programs add an opaque alpha channel to every picture, which would give the whole picture full strength."""
        source, luma = png(noise(30, 40, 3)), noise(30, 40)[..., None].repeat(3, 2)
        expected = frost.blur_encoded(source, 4, mask=png(luma))
        opaque = numpy.dstack([luma, numpy.full((30, 40), 255, numpy.uint8)])
        with self.assertWarnsRegex(frost.PictureWarning, "mask: its alpha channel is opaque"):
            self.assertEqual(frost.blur_encoded(source, 4, mask=png(opaque)), expected)
        opaque[0, 0, 3] = 254
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            self.assertNotEqual(frost.blur_encoded(source, 4, mask=png(opaque)), expected)


if __name__ == "__main__":
    unittest.main()
