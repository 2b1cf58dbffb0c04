"""Tests that rectangles mean the same for arrays, batches and files, for every effect."""

import unittest
import warnings

import numpy

import frost
from support import noise
from test_encoded import pixels, pnm

IMAGE = noise(40, 50, 3)
MASK = noise(7, 9, seed=2)
EFFECTS = [info.name for info in frost.effects()]


def of_array(effect, **options):
    return frost.effect(IMAGE, effect, **options)


def of_file(effect, **options):
    return pixels(frost.effect_encoded(pnm(IMAGE), effect, **options), IMAGE)


def of_batch(effect, rects, **options):
    return frost.effect_batch([IMAGE], effect, [rects], **options)[0]


def of_files(effect, rects, **options):
    return pixels(frost.effect_batch([pnm(IMAGE)], effect, [rects], **options)[0], IMAGE)


CALLS = (of_array, of_file, of_batch, of_files)


class Rects(unittest.TestCase):
    def setUp(self):
        warnings.simplefilter("ignore", frost.PictureWarning)

    def test_geometry_of_effects(self):
        """The bands, circles, gradients and lenses of effects lie in each rectangle."""
        for rects in ([(5, 6, 20, 10)], [(3, 4, 15, 12), (12, 9, 20, 15)], [(-3, -2, 20, 20), (40, 30, 15, 15)]):
            for name in EFFECTS:
                # The effects of Core Image add alpha.
                if name in ("ci-gaussian", "ci-box", "ci-disc", "ci-motion"):
                    continue
                options = {"mask": MASK} if name in ("variable", "ci-masked-variable") else {}
                # Otherwise each renderer has a secret key of its own.
                options |= {"seed": 7} if name == "redact" else {}
                with self.subTest(name, rects=rects):
                    found = of_array(name, rects=rects, **options)
                    self.assertTrue((found == of_file(name, rects=rects, **options)).all())
                    self.assertTrue((found == of_batch(name, rects, **options)).all())
                    self.assertFalse((found == IMAGE).all())
        # In a flat picture, only the edge of a lens is seen.
        flat = numpy.full((40, 50, 3), 120, numpy.uint8)
        lens = frost.effect(flat, "glass", rects=[(10, 8, 25, 20)])
        self.assertFalse((lens[8:28, 10:35] == lens[18, 22]).all())
        self.assertLess(lens[30, 22, 0], 120)

    def test_masks_of_lenses(self):
        for rects in ([(5, 6, 20, 10)], [(3, 4, 15, 12), (12, 9, 20, 15)]):
            for name in ("glass", "glass-clear"):
                found = of_array(name, rects=rects, mask=MASK)
                self.assertTrue((found == of_file(name, rects=rects, mask=MASK)).all())

    def test_content_lies_in_each_rectangle(self):
        icon = numpy.zeros((4, 4, 4), numpy.uint8)
        icon[:2] = 255
        found = frost.effect(IMAGE, frost.Effect("light").with_content(icon), rects=[(2, 2, 12, 12), (20, 20, 16, 16)])
        self.assertTrue((found[2:6, 4:12] == 255).all() and (found[20:26, 22:34] == 255).all())
        self.assertFalse((found[10:14, 4:12] == 255).all())

    def test_contents_of_all_rectangles_have_one_colour(self):
        """The colour that has the minimum contrast is decided on all rectangles, as for files."""
        image = IMAGE // 8
        image[:, 25:] += 200
        rects = [(2, 3, 20, 30), (28, 3, 20, 30)]
        options = {"sigma": 2, "min_contrast": 9}
        found = frost.effect(image, frost.Effect("gaussian", **options), rects=rects)
        file = pixels(frost.effect_encoded(pnm(image), frost.Effect("gaussian", **options), rects=rects), image)
        numpy.testing.assert_array_equal(found, file)
        one = [frost.effect(image, frost.Effect("gaussian", content_color=color, **options), rects=rects)
               for color in ("black", "white")]
        self.assertEqual(sum((found == each).all() for each in one), 1)

    def test_edges_of_what_is_placed_in_rectangles(self):
        rects = [(5, 6, 20, 10), (15, 12, 20, 20)]
        for name in ("tilt-shift", "selective", "progressive", "redact", "gaussian"):
            options = {"redact": {"seed": 7}, "gaussian": {"sigma": 4}}.get(name, {})
            for edges in ({"feather": 3}, {"ellipse": True}, {"feather": 2, "ellipse": True}, {"invert_rects": True}):
                if name == "gaussian":
                    found, file = (frost.blur(IMAGE, 4, rects=rects, **edges),
                                   pixels(frost.blur_encoded(pnm(IMAGE), 4, rects=rects, **edges), IMAGE))
                elif name == "redact" and "feather" in edges:
                    with self.assertRaisesRegex(frost.ParameterError, "feather"):
                        of_array(name, rects=rects, **edges)
                    continue
                else:
                    found, file = (call(name, rects=rects, **options, **edges) for call in (of_array, of_file))
                with self.subTest(name, edges=edges):
                    self.assertTrue((found == file).all())
                    self.assertFalse((found == IMAGE).all())

    def test_out(self):
        """The result is the same in a new array, in another one, in the picture itself, and in memory that overlaps it."""
        many = [(x, y, 9, 8) for x in range(0, 39, 4) for y in range(0, 39, 4)]
        for rects in ([(5, 6, 20, 10)], [(3, 4, 15, 12), (12, 9, 20, 15)], [(-3, -2, 20, 20), (35, 30, 20, 20)], many, []):
            for name, options in (
                    ("gaussian", {"sigma": 4}), ("light", {"dither": True}), ("box", {}), ("zoom", {}), ("tilt-shift", {}),
                    ("gaussian", {"sigma": 4, "mask": MASK})):
                for edges in ({}, {"feather": 3}, {"ellipse": True}, {"invert_rects": True}):
                    for image in (IMAGE, IMAGE[..., :1], IMAGE[::-1], IMAGE / 255, IMAGE.transpose(1, 0, 2)):
                        expected = frost.effect(image, name, rects=rects, **options, **edges)
                        for out in (numpy.zeros_like(image), numpy.zeros_like(image)[::-1]):
                            self.assertIs(frost.effect(image, name, rects=rects, out=out, **options, **edges), out)
                            self.assertTrue((out == expected).all())
                        for canvas, part in ((image.copy(), slice(None)), (numpy.repeat(image, 2, axis=0), slice(3, 3 + len(image)))):
                            source, out = canvas[:len(image)], canvas[part]
                            source[...] = image
                            frost.effect(source, name, rects=rects, out=out, **options, **edges)
                            self.assertTrue((out == expected).all(), (name, edges, part))
        for options in ({"feather": -1}, {"feather": 5000}):
            for rects in ([], [(3, 3, 9, 9)]):
                with self.assertRaisesRegex(frost.ParameterError, "feather"):
                    frost.blur(IMAGE, 3, rects=rects, **options)

    def test_shapes_are_those_of_effects(self):
        """Rectangles with edges give the bytes of an effect that is clipped to them, for every effect."""
        rects = [(3, 4, 15, 12), (12, 9, 20, 15), (30, 35, 15, 12)]
        for picture in (noise(40, 50, 4), noise(60, 70, 3, dtype=numpy.float32)):
            height, width = picture.shape[:2]
            for name in EFFECTS:
                if name in ("variable", "ci-masked-variable", "redact", "glass", "glass-clear", "tilt-shift", "selective", "progressive"):
                    continue
                for edges in ({"feather": 3}, {"ellipse": True}, {"invert_rects": True, "feather": 2}):
                    shapes = [frost.Shape(*place, ellipse="ellipse" in edges) for place in rects]
                    clipped = frost.Effect(name).clipped(*shapes, feather=edges.get("feather", 0), outside="invert_rects" in edges)
                    expected = frost.effect(picture, clipped, region=(0, 0, width, height))
                    if expected.shape == picture.shape:
                        self.assertTrue((frost.effect(picture, name, rects=rects, **edges) == expected).all(), (name, edges))

    def test_effects_with_shapes(self):
        clipped = frost.gaussian(4).clipped(frost.Shape(1, 1, 5, 5))
        for effect in (clipped, clipped.with_content(MASK), frost.gaussian(4).clipped(feather=2)):
            for options in ({}, {"feather": 2}, {"ellipse": True}, {"invert_rects": True}):
                for rects in ([(10, 10, 5, 5)], []):
                    for call in (of_array, of_batch):
                        with self.assertRaisesRegex(frost.ArgumentError, "shapes of its own"):
                            call(effect, rects=rects, **options)

    def test_feathers_of_pictures_with_one_channel(self):
        grey = noise(20, 20)
        for image in (grey[..., None], grey[..., None].astype(numpy.float64)):
            for options in ({"feather": 2}, {"feather": 2, "ellipse": True}):
                expected = frost.blur(image[..., 0], 3, rects=[(2, 2, 5, 5)], mask=MASK, **options)
                found = frost.blur(image, 3, rects=[(2, 2, 5, 5)], mask=MASK, **options)
                self.assertEqual(found.shape, (20, 20, 1))
                self.assertTrue((found[..., 0] == expected).all())
                self.assertFalse((found == image).all())
                self.assertTrue((frost.blur_batch([image], 3, [(2, 2, 5, 5)], mask=MASK, **options)[0] == found).all())

    def test_no_rectangles(self):
        """Without a rectangle nothing is blurred, but a redaction needs one."""
        for rects in ([], (), numpy.zeros((0, 4), int), iter([])):
            self.assertTrue((frost.blur(IMAGE, 3, rects=rects) == IMAGE).all())
        for rects in ([], (), numpy.zeros((0, 4), int), iter([])):
            self.assertEqual(frost.blur_encoded(pnm(IMAGE), 3, rects=rects), pnm(IMAGE))
        self.assertEqual(frost.blur_encoded(pnm(IMAGE), 3, rects=[], feather=2, mask=MASK), pnm(IMAGE))
        self.assertEqual(frost.blur_encoded(pnm(IMAGE), 3, rects=[], format="png")[:4], b"\x89PNG")
        for call in CALLS:
            self.assertTrue((call("light", rects=[], ellipse=True) == IMAGE).all())
            self.assertTrue((call("light", rects=[], invert_rects=True) == frost.effect(IMAGE, "light")).all())
            with self.assertRaisesRegex(frost.ArgumentError, "rects is empty, so redact would hide nothing"):
                call("redact", rects=[])
            self.assertFalse((call("redact", rects=[], invert_rects=True) == IMAGE).all())

    def test_texts(self):
        """Encoded pictures take rectangles as texts, also in batches."""
        expected = frost.blur_encoded(pnm(IMAGE), 3, rects="center,50%x50%")
        for rects in ("center,50%x50%", ["center,50%x50%"], [["center,50%x50%"]] * 2):
            self.assertEqual(frost.blur_batch([pnm(IMAGE)] * 2, 3, rects), [expected] * 2)
        mixed = frost.blur_batch([pnm(IMAGE)], 3, ["center,50%x50%", (1, 2, 3, 4)])
        self.assertEqual(mixed, [frost.blur_encoded(pnm(IMAGE), 3, rects=["center,50%x50%", (1, 2, 3, 4)])])
        for call in (lambda: frost.blur(IMAGE, 3, rects=["center,50%x50%"]), lambda: frost.blur_batch([IMAGE], 3, ["center,50%x50%"]),
                     lambda: frost.blur_batch([IMAGE], 3, [["center,50%x50%"]])):
            with self.assertRaisesRegex(TypeError, "a rectangle is a text, which only encoded pictures take"):
                call()


if __name__ == "__main__":
    unittest.main()
