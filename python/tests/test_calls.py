"""Tests the functions that need no objects, what they accept as pictures, and what they refuse."""

import ctypes
import inspect
import io
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import time
import types
import unittest
import unittest.mock
import warnings

import array_api_strict
import cv2
import ml_dtypes
import numpy
from PIL import Image

import frost
from support import gaussian, in_child, noise


class Calls(unittest.TestCase):
    def test_they_render_what_renderers_do(self):
        image, other = noise(40, 50, 4), noise(40, 50, 4, seed=2)
        renderer = frost.Renderer("cpu")
        blurred = renderer.render(image, frost.gaussian(3, edge="mirror")).image
        self.assertTrue((frost.blur(image, 3, edge="mirror") == blurred).all())
        dark = renderer.render(image, frost.Effect("material-thin-dark", scale=2)).image
        self.assertTrue((frost.effect(image, "material-thin-dark", scale=2) == dark).all())
        self.assertTrue((frost.effect(image, frost.Effect("material-thin-dark", scale=2)) == dark).all())
        self.assertTrue((renderer.render(image, "light").image == frost.effect(image, "light")).all())
        flash = renderer.transition(image, other, frost.Transition("flash", fade_threshold=0.8), 0.4).image
        self.assertTrue((frost.transition(image, other, "flash", 0.4, fade_threshold=0.8) == flash).all())
        mask = noise(9, 9)
        variable = renderer.render(image, frost.Effect("variable", radius=9), mask=mask).image
        for given in (mask, frost.Mask(mask), mask[:, ::-1][:, ::-1]):
            self.assertTrue((frost.effect(image, "variable", radius=9, mask=given) == variable).all())
        part = frost.effect(image, "light", region=(5, 6, 20, 10))
        self.assertTrue((part == frost.effect(image, "light")[6:16, 5:25]).all())
        opaque = image[..., :3].copy()
        exact = frost.blur(opaque, 3, backend="exact").astype(int)
        self.assertLessEqual(numpy.abs(exact - frost.blur(opaque, 3)).max(), 1)

    def test_results_do_not_depend_on_the_number_of_threads(self):
        image = noise(300, 200, 3)
        self.assertTrue((frost.blur(image, 5, threads=1) == frost.blur(image, 5, threads=7)).all())

    def test_parameters_of_effects_have_no_names_of_arguments(self):
        for call, listed in ((frost.effect, frost.effects()), (frost.transition, frost.transitions())):
            keywords = {
                name for name, parameter in inspect.signature(call).parameters.items()
                if parameter.kind is not parameter.VAR_KEYWORD}
            for info in listed:
                for parameter in info.parameters:
                    # The argument edge is the parameter: it has a type of its own.
                    if parameter.name != "edge":
                        self.assertNotIn(parameter.name.replace("-", "_"), keywords, info.name)

    def test_rects(self):
        """A rectangle has the pixels of the blurred picture, and all other pixels stay as they are."""
        for image in (noise(40, 50, 3), noise(40, 50), noise(40, 50, 4, dtype=numpy.float64), noise(40, 50, 3)[::-1]):
            whole = frost.blur(image, 3, edge="mirror")
            expected = image.copy()
            for x, y, width, height in ((5, 6, 20, 10), (0, 30, 9, 10)):
                expected[y:y + height, x:x + width] = whole[y:y + height, x:x + width]
            rects = [(5, 6, 20, 10), (0, 30, 9, 10)]
            found = frost.blur(image, 3, rects=rects, edge="mirror")
            self.assertTrue((found == expected).all())
            self.assertTrue((found == frost.blur_batch([image], 3, [rects], edge="mirror")[0]).all())
            for given in (numpy.array(rects), numpy.array(rects, numpy.float32), [(5.9, 6.2, 18.5, 9.8), (0.0, 30.4, 8.2, 9.6)],
                          [[numpy.array(5.9), 6, 19, 10], (0, 30, 9, 10)], (map(int, each) for each in rects)):
                self.assertTrue((frost.blur(image, 3, rects=given, edge="mirror") == expected).all(), given)
            out = numpy.empty_like(image)
            self.assertIs(frost.blur(image, 3, rects=rects, edge="mirror", out=out), out)
            self.assertTrue((out == expected).all())
            copy = image.copy()
            frost.blur(copy, 3, rects=rects, edge="mirror", out=copy)
            self.assertTrue((copy == expected).all())
        image = noise(40, 50, 3)
        hidden = frost.effect(image, "redact", rects=(8, 8, 16, 16), seed=7)
        self.assertFalse((hidden[8:24, 8:24] == image[8:24, 8:24]).all())
        hidden[8:24, 8:24] = image[8:24, 8:24]
        self.assertTrue((hidden == image).all())
        with self.assertWarnsRegex(frost.PictureWarning, "-5,0,9,9 was cropped") as caught:
            frost.blur(image, 3, rects=(-5, 0, 9, 9))
        self.assertEqual(caught.filename, __file__)
        self.assertTrue((frost.blur(image, 3, rects=[]) == image).all())

    def test_edges_of_rects(self):
        """Feathers, ellipses and inverted rectangles are those of clipped effects, for arrays, batches and files."""
        rects = [(5, 6, 20, 10), (0.5, 30, 8.2, 9)]
        shapes = [(5, 6, 20, 10), (0, 30, 9, 9)]
        for image in (noise(40, 50, 3), noise(40, 50, 4, dtype=numpy.float64)):
            for given in ({"feather": 4}, {"ellipse": True}, {"invert_rects": True},
                          {"feather": 2.5, "ellipse": True, "invert_rects": True}):
                clipped = frost.gaussian(3).clipped(
                    *(frost.Shape(*each, ellipse=given.get("ellipse", False)) for each in shapes),
                    feather=given.get("feather", 0), outside=given.get("invert_rects", False))
                expected = frost.effect(image, clipped)
                found = frost.blur(image, 3, rects=rects, **given)
                self.assertTrue((found == expected).all() if image.dtype != numpy.float64 else
                                numpy.allclose(found, expected, atol=1e-6), given)
                self.assertFalse((found == image).all())
                self.assertTrue((frost.blur_batch([image], 3, [rects], **given)[0] == found).all())
                if image.dtype == numpy.uint8:
                    source = b"P6 50 40 255 " + image.tobytes()
                    made = frost.blur_encoded(source, 3, rects=[(5, 6, 20, 10), (0, 30, 9, 9)], **given)
                    whole = numpy.frombuffer(made[-6000:], numpy.uint8).reshape(40, 50, 3)
                    self.assertLessEqual(abs(whole.astype(int) - found).max(), 1)
        image = noise(40, 50, 3)
        self.assertTrue((frost.blur(image, 3, rects=[], invert_rects=True) == frost.blur(image, 3)).all())
        hidden = frost.effect(image, "redact", rects=(8, 8, 16, 16), seed=7, invert_rects=True)
        self.assertTrue((hidden[8:24, 8:24] == image[8:24, 8:24]).all())
        for call in (lambda: frost.blur(image, 3, feather=2), lambda: frost.effect_batch([image], "light", ellipse=True)):
            with self.assertRaisesRegex(frost.ArgumentError, "need rects"):
                call()
        with self.assertRaisesRegex(frost.ParameterError, "feather"):
            frost.effect(image, "redact", rects=(8, 8, 16, 16), feather=2)

    def test_boxes(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "faces.csv")
            with open(path, "w") as file:
                file.write("file,frame,x1,y1,x2,y2\na.png,,1.5,2,7,8.25\nb/c.png,3,0,0,4,4\n")
            boxes = frost.Boxes(path)
            self.assertEqual(boxes.of("holiday/a.png"), [(1, 2, 6, 7)])
            self.assertEqual(boxes.of(pathlib.Path("b/c.png"), 3), [(0, 0, 4, 4)])
            self.assertEqual((boxes.of("b/c.png"), boxes.of("c.png", 3), boxes.of()), ([], [], []))
            self.assertIn("faces.csv", repr(boxes))
            with open(path, "a") as file:
                file.write("a.png,,1,2,x,9\n")
            with self.assertRaisesRegex(frost.UnreadableError, "faces.csv:4: x is not"):
                frost.Boxes(path)
            with self.assertRaisesRegex(frost.ArgumentError, "name"):
                boxes.of("")

    def test_pairs_of_sigmas(self):
        image = noise(40, 50)
        wide = frost.blur(image, (4, 0))
        self.assertTrue((wide == frost.Renderer("cpu").render(image, frost.gaussian(4, 0)).image).all())
        self.assertTrue((frost.blur(image.T.copy(), (0, 4)).T == wide).all())
        self.assertTrue((frost.blur(image, numpy.array([4, 4])) == frost.blur(image, 4)).all())

    def test_light_and_dither(self):
        image = noise(40, 50, 3)
        renderer = frost.Renderer("cpu")
        for options in (dict(linear=True), dict(dither=True)):
            self.assertTrue((frost.blur(image, 3, **options) == renderer.render(image, frost.gaussian(3, **options)).image).all())

    def test_notebooks(self):
        rendered = frost.Renderer("cpu").render(noise(40, 50, 3), "light")
        self.assertTrue(repr(rendered).startswith("Rendered(image=<40x50x3 uint8>, report="))
        for shape, dtype in (((40, 50, 3), numpy.uint8), ((40, 50), numpy.uint16), ((40, 50, 4), numpy.uint8)):
            rendered = frost.Renderer("cpu").render(noise(*shape, dtype=dtype), frost.gaussian(2))
            with Image.open(io.BytesIO(rendered._repr_png_())) as shown:
                self.assertEqual((shown.format, shown.size), ("PNG", (50, 40)))
                self.assertTrue((numpy.asarray(shown) == rendered.image).all())
        floats = frost.Renderer("cpu").render(noise(40, 50, dtype=numpy.float32), frost.gaussian(2))
        with Image.open(io.BytesIO(floats._repr_png_())) as shown:
            self.assertLessEqual(numpy.abs(numpy.asarray(shown) / 65535 - floats.image).max(), 0.6 / 65535)
        # A notebook stores the file of a picture, so a large one is shown smaller.
        large = frost.Renderer("cpu").render(noise(1700, 2400), frost.gaussian(2))
        with Image.open(io.BytesIO(large._repr_png_())) as shown:
            self.assertEqual(shown.size, (1200, 850))
            self.assertTrue((numpy.asarray(shown) == frost.blur(large.image, 1)[::2, ::2]).all())
        wide = frost.Renderer("cpu").render(noise(1, 9_000_000), frost.gaussian(2))
        self.assertTrue(wide._repr_png_().startswith(b"\x89PNG"))
        # It needs a larger sigma than a blur has.
        wider = frost.Rendered(numpy.zeros((1, 17_000_000), numpy.uint8), wide.report)
        self.assertTrue(wider._repr_png_().startswith(b"\x89PNG"))
        # A notebook shows the text of what is no picture.
        self.assertIsNone(frost.Rendered(numpy.zeros((1, 9_000_000), numpy.int32), wide.report)._repr_png_())

    def test_lists_and_reports_are_short(self):
        for listed in (frost.effects(), frost.transitions()):
            self.assertIsInstance(listed, list)
            self.assertEqual(repr(listed).count("\n"), len(listed) - 1)
            self.assertLess(len(repr(listed)), 90 * len(listed))
            self.assertEqual(listed._repr_html_().count("<tr>"), len(listed) + 1)
            for info in listed:
                self.assertLess(len(repr(info)), 700)
                self.assertEqual(info._repr_html_().count("<tr>"), len(info.parameters) + 1)
                for parameter in info.parameters:
                    self.assertIn(parameter.name, repr(info))
        picture = noise(40, 50, 3)
        with frost.Backdrop() as backdrop:
            backdrop.panels = [frost.Panel((4, 4, 20, 20), "dark")]
            reports = [backdrop.render(picture, picture.copy()), frost.Renderer("cpu").render(picture, "light").report]
        for report in reports:
            text = report._repr_html_()
            self.assertIn(f"<td><code>error_bound</code><td>{report.error_bound:g}", text)
            self.assertNotIn("None", text)
        self.assertIn("&lt;", frost._catalogue.html_table(["<"], [["<"]]))

    def test_out(self):
        image = noise(30, 40, 3)
        expected = frost.blur(image, 2)
        out = numpy.zeros_like(image)
        self.assertIs(frost.blur(image, 2, out=out), out)
        self.assertTrue((out == expected).all())
        # Targets that cannot be written in place are written through a copy.
        for out in (numpy.zeros_like(image)[::-1], numpy.zeros((3, 30, 40), numpy.uint8).transpose(1, 2, 0)):
            self.assertIs(frost.blur(image, 2, out=out), out)
            self.assertTrue((out == expected).all())
        in_place = image.copy()
        frost.blur(in_place, 2, out=in_place)
        self.assertTrue((in_place == expected).all())
        with self.assertRaisesRegex(frost.PixelError, "overlap"):
            frost.blur(image[:20], 2, out=image[5:25])
        # Such targets would be written through a copy, but the picture would be overwritten.
        square, double = noise(30, 30, 3), numpy.zeros((30, 40, 3))
        for picture, out in (
                (square, square[::-1]), (square, square.transpose(1, 0, 2)), (double[:20], double[5:25]),
                (square[:20][::-1], square[5:25])):
            before = picture.copy()
            with self.assertRaisesRegex(frost.PixelError, "overlap"):
                frost.blur(picture, 2, out=out)
            self.assertTrue((picture == before).all())
        for wrong in (numpy.zeros((30, 39, 3), numpy.uint8), numpy.zeros((30, 40, 3), numpy.float32),
                      numpy.zeros((30, 39, 3), numpy.uint8)[::-1], numpy.zeros((30, 40, 3), numpy.float64),
                      numpy.zeros((0, 40, 3), numpy.uint8), numpy.zeros((30, 40, 4), numpy.uint8)):
            with self.assertRaises(frost.PixelError):
                frost.blur(image, 2, out=wrong)
            with self.assertRaises(frost.PixelError):
                frost.transition(image, image, "dissolve", 0.5, out=wrong)
        grey = noise(30, 40)
        for picture, wrong in (
                (grey, numpy.zeros((30, 40, 1), numpy.uint8)), (grey[..., None], numpy.zeros((30, 40), numpy.uint8)),
                (grey / 255, numpy.zeros((30, 40), numpy.float32))):
            with self.assertRaisesRegex(frost.PixelError, "out is .*, but the result is"):
                frost.blur(picture, 2, out=wrong)
            self.assertFalse(wrong.any())
        with self.assertRaisesRegex(frost.PixelError, r"result is \(30, 40, 4\)"):
            frost.blur(image, 2, edge="clear", out=numpy.zeros_like(image))
        clear = numpy.zeros((30, 40, 4), numpy.uint8)
        self.assertTrue((frost.blur(image, 2, edge="clear", out=clear) == frost.blur(image, 2, edge="clear")).all())
        image.flags.writeable = False
        self.assertTrue((frost.blur(image, 2) == expected).all())
        with self.assertRaisesRegex(frost.LayoutError, "out is read-only"):
            frost.blur(image, 2, out=image)

    def test_errors_say_what_is_wrong_and_what_is_allowed(self):
        image = noise(9, 9, 3)
        for call, kind, text in (
                (lambda: frost.blur(image, float("nan")), frost.ParameterError, "sigma .*nan.* 0 to 1000"),
                (lambda: frost.blur(image, -1), frost.ParameterError, "0 to 1000"),
                (lambda: frost.blur(image, "3"), TypeError, "sigma must be a number, not str"),
                (lambda: frost.blur(image, 10**400), frost.ParameterError, r"sigma is out of range \(allowed: .*e\+308\)"),
                (lambda: frost.gaussian(3).clipped((0, 0, 5, 5)), TypeError, "a shape must be a frost.Shape, not tuple"),
                (lambda: frost.Renderer("cpu").render(image, "light", cancellation=5), TypeError,
                 "cancellation must be a frost.Cancellation, not int"),
                (lambda: frost.Renderer("cpu").render(image, "light", cancellation=0), TypeError, "cancellation must be"),
                (lambda: frost.Renderer("cpu").transition(image, image, "flash", 0, cancellation=5), TypeError, "cancellation must be"),
                (lambda: frost.Reveal(frost.Renderer("cpu"), image, "light").frame(5), TypeError, "a shape must be"),
                (lambda: frost.blur(numpy.ma.array(image, mask=image > 9), 3), frost.LayoutError, r"masked array.*\.filled\(\)"),
                (lambda: frost.blur(image, 3, out=numpy.ma.array(image)), frost.LayoutError, "out is a masked array"),
                (lambda: frost.blur(image, 3, edge="round"), ValueError, "edge .*'round'.*clamp, mirror, repeat, clear, reflect-101"),
                (lambda: frost.blur(image, 3, backend="fast"), ValueError, "backend .*auto, cpu, gpu, exact"),
                (lambda: frost.blur(image, 3, threads=257), ValueError, "1 to 256"),
                (lambda: frost.blur(image, 3, threads=2**32 + 1), ValueError, "1 to 256"),
                (lambda: frost.blur(image, 3, alpha="none"), ValueError, "straight, premultiplied"),
                (lambda: frost.blur(image, 3, channels="rgba"), frost.LayoutError, "3 channels, but rgba needs 4"),
                (lambda: frost.blur(image, 3, axis=3), frost.LayoutError, "axis 3 .*-3 to 2"),
                (lambda: frost.blur(image[..., 0], 3, axis=0), frost.LayoutError, "2 dimensions"),
                (lambda: frost.blur(noise(9, 9, 5), 3), frost.LayoutError, "5 channels: expected 1 to 4$"),
                (lambda: frost.blur(noise(3, 9, 9), 3), frost.LayoutError, "9 channels: .* pass axis=0$"),
                (lambda: frost.blur(image, (3, 4, 5)), frost.ArgumentError, "sigma has 3 numbers"),
                (lambda: frost.blur(image, ()), frost.ArgumentError, "sigma has 0 numbers"),
                (lambda: frost.gaussian((3, 4), 5), frost.ArgumentError, "sigma has 2 numbers"),
                (lambda: frost.blur(image, 3, rects=[(1, 2, 3)]), frost.ArgumentError, "a rectangle has 3 numbers"),
                (lambda: frost.blur(image, 3, rects=(9, 0, 3, 3)), frost.ParameterError, "9,0,3,3 lies outside"),
                (lambda: frost.blur(image, 3, rects=(1, 1, 0, 3)), frost.ArgumentError, "a side that is not above 0"),
                (lambda: frost.blur(image, 3, rects=(1, 1, float("nan"), 3)), frost.ArgumentError, "width of a rectangle is nan"),
                (lambda: frost.blur(image, 3, rects=(2.5, 2, 0, 3)), frost.ArgumentError, "a side that is not above 0"),
                (lambda: frost.blur(image, 3, rects=(2.5, 2, -0.2, 3)), frost.ArgumentError, "a side that is not above 0"),
                (lambda: frost.blur(image, 3, rects=(1e308, 0, 1e308, 5)), frost.ArgumentError, "width of a rectangle is inf"),
                (lambda: frost.blur(image, 3, rects="1,2,3,4"), TypeError, "rects must be rectangles, not str"),
                (lambda: frost.blur(image, b"34"), TypeError, "sigma must be a number, not bytes"),
                (lambda: frost.blur(image, 3, edge="clear", rects=(1, 1, 3, 3)), frost.PixelError, "4 channels, and the image 3"),
                (lambda: frost.effect(image, "light", rects=(1, 1, 3, 3), region=(1, 1, 3, 3)), TypeError, "rects and region cannot be combined"),
                (lambda: frost.blur(noise(9), 3), frost.LayoutError, "1 dimensions"),
                (lambda: frost.blur(noise(2, 9, 9, 3), 3), frost.LayoutError, "4 dimensions.*; blur_batch"),
                (lambda: frost.blur(image.astype(numpy.int64), 3), frost.LayoutError, "int64: expected uint8"),
                (lambda: frost.blur(image.astype(complex), 3), frost.LayoutError, "complex128: expected uint8"),
                (lambda: frost.blur(image > 3, 3), frost.LayoutError, "bool: expected uint8"),
                (lambda: frost.blur(image.astype(object), 3), frost.LayoutError, "object"),
                (lambda: frost.blur(image[:0], 3), frost.PixelError, r"image is empty \(shape \(0, 9, 3\)\)"),
                (lambda: frost.blur([[1, 2]], 3), TypeError, "not list"),
                (lambda: frost.blur("photo.png", 3), TypeError, r"image is str, not an array: frost.blur_encoded\(pathlib.Path\('photo.png'\), "),
                (lambda: frost.blur(None, 3), TypeError, "not NoneType"),
                (lambda: frost.effect(pathlib.Path("a.png"), "light"), TypeError, r"image is PosixPath, .*\('a.png'\), .*effect_encoded"),
                (lambda: frost.blur(b"\x89PNG", 3), TypeError, "image is bytes, not an array: frost.blur_encoded"),
                (lambda: frost.effect(image, "lihgt"), frost.ParameterError, "lihgt"),
                (lambda: frost.effect(image, "light\0er"), ValueError, "zero character"),
                (lambda: frost.effect(image, 3), TypeError, "effect must be .* not int"),
                (lambda: frost.effect(image, frost.gaussian(3), scale=2), TypeError, "already has them"),
                (lambda: frost.effect(image, "light", scale=[2]), TypeError, "scale must be a number, not list"),
                (lambda: frost.effect(image, "light", region=(0, 0, 5)), ValueError, "3 numbers"),
                (lambda: frost.effect(image, "light", region=(0, 0, 5, "2")), TypeError, "height of region .* str"),
                (lambda: frost.effect(image, "light", region=(0, 0, 5, float("inf"))), ValueError, "height of region is inf"),
                (lambda: frost.effect(image, "light", region=(2**32, 0, 5, 5)), ValueError, "x of region 4294967296"),
                (lambda: frost.transition(image, image, "light", 0.5), frost.ParameterError, "light"),
                (lambda: frost.transition(image, image, frost.gaussian(3), 0.5), TypeError, "transition must be"),
                (lambda: frost.transition(image, image, "flash", "now"), TypeError, "time must be a number"),
                (lambda: frost.transition(image, noise(9, 9, 3, dtype=numpy.float64), "flash", 1), frost.PixelError, "sample"),
                (lambda: frost.Renderer("cpu").render(image[:0], "light"), frost.PixelError, "image is empty")):
            with self.subTest(text), self.assertRaisesRegex(kind, text):
                call()


class Pictures(unittest.TestCase):
    def test_layouts_that_need_a_copy(self):
        image = noise(30, 40, 4)
        expected = frost.blur(image, 2)
        wide = numpy.zeros((30, 80, 4), numpy.uint8)
        wide[:, ::2] = image
        unaligned = numpy.zeros(30 * 40 * 4 * 2 + 1, numpy.uint8)[1:].view(numpy.uint16).reshape(30, 40, 4)
        unaligned[...] = image
        for name, given in (("flipped", image[::-1].copy()[::-1]), ("mirrored", image[:, ::-1].copy()[:, ::-1]),
                            ("every other", wide[:, ::2]), ("columns first", numpy.asfortranarray(image)),
                            ("planes", image.transpose(2, 0, 1).copy().transpose(1, 2, 0)),
                            ("reversed channels", image[..., ::-1].copy()[..., ::-1])):
            with self.subTest(name):
                before = given.copy()
                self.assertTrue((frost.blur(given, 2) == expected).all())
                self.assertTrue((given == before).all())
        for given in (unaligned, image.astype(">u2")):
            self.assertTrue((frost.blur(given, 2) == frost.blur(image.astype(numpy.uint16), 2)).all())
        # A result has the machine's byte order.
        self.assertEqual(frost.blur(image.astype(">u2"), 2).dtype, numpy.dtype(numpy.uint16))
        self.assertEqual(frost.blur(noise(9, 9, 1), 2).shape, (9, 9, 1))
        self.assertEqual(frost.blur(noise(9, 9), 2).shape, (9, 9))
        with self.assertRaisesRegex(frost.LayoutError, "not aligned"):
            frost.Renderer("cpu").render(unaligned, "light")

    def test_channels_first(self):
        image = noise(30, 40, 3)
        expected = frost.effect(image, "light")
        for axis in (0, -3):
            result = frost.effect(numpy.moveaxis(image, -1, 0), "light", axis=axis)
            self.assertEqual((result.shape, result.flags.c_contiguous), ((3, 30, 40), True))
            self.assertTrue((numpy.moveaxis(result, 0, -1) == expected).all())
        middle = numpy.ascontiguousarray(numpy.moveaxis(image, -1, 1))
        self.assertTrue((numpy.moveaxis(frost.effect(middle, "light", axis=1), 1, -1) == expected).all())
        planes = numpy.ascontiguousarray(numpy.moveaxis(image, -1, 0))
        self.assertIs(frost.effect(planes, "light", axis=0, out=planes), planes)
        self.assertTrue((numpy.moveaxis(planes, 0, -1) == expected).all())
        self.assertEqual(frost.blur(noise(1, 30, 40), 2, axis=0).shape, (1, 30, 40))
        self.assertEqual(frost.blur(image.transpose(2, 0, 1), 2, edge="clear", axis=0).shape, (4, 30, 40))
        double = frost.transition(image / 255, image / 255, "dissolve", 0.5)
        self.assertEqual((double.dtype, double.shape), (numpy.float64, (30, 40, 3)))

    def test_doubles_and_halves(self):
        """The tolerance is 4/65535 of the range of the values. Halves add half a unit in the last of 11 significant bits."""
        image = noise(60, 80, dtype=numpy.float64) * 3 - 1
        result = frost.blur(image, 3)
        self.assertEqual(result.dtype, numpy.float64)
        self.assertLessEqual(numpy.abs(result - gaussian(image, 3)).max(), 3 * 4 / 65535)
        half = frost.blur(image.astype(numpy.float16), 3)
        self.assertEqual(half.dtype, numpy.float16)
        self.assertLessEqual(numpy.abs(half - gaussian(image.astype(numpy.float16), 3)).max(), 3 * 4 / 65535 + 2 / 2048)

    def test_pillow(self):
        array = noise(30, 40, 4)
        for mode in ("RGB", "RGBA", "L", "LA", "I;16", "F"):
            image = Image.fromarray(array).convert("RGB" if mode in ("I;16", "F") else mode)
            image = image.convert("L").convert("I").convert("I;16") if mode == "I;16" else image.convert(mode)
            result = Image.fromarray(frost.blur(image, 2)) if mode != "LA" else None
            self.assertTrue((frost.blur(image, 2) == frost.blur(numpy.asarray(image), 2)).all(), mode)
            if result is not None:
                self.assertEqual((result.mode, result.size), (mode, (40, 30)))
        photo, bright = Image.fromarray(array), Image.fromarray(numpy.full((9, 9), 70000, numpy.int32))
        grey, clear = photo.convert("L"), Image.fromarray(array[..., [0, 3]])
        for image, wanted in (
                (photo.quantize(8), "RGBA"), (photo.convert("CMYK"), "RGB"), (photo.convert("RGB").convert("HSV"), "RGB"),
                (photo.convert("RGB").convert("YCbCr"), "RGB"), (photo.convert("1"), "L"), (photo.convert("RGBa"), "RGBA"),
                (photo.convert("RGBX"), "RGB"), (clear.convert("La"), "LA"), (photo.convert("PA"), "RGBA"),
                (grey.convert("I"), "I;16"), (bright, "F"), (Image.new("LAB", (9, 9)), "RGB"), (Image.new("I;16B", (9, 9)), "I;16"),
                (Image.new("I;16L", (9, 9)), "I;16")):
            with self.assertRaisesRegex(frost.PixelError, f"mode {image.mode}: convert it with .convert.\"{wanted}\""):
                frost.blur(image, 2)
            # The conversion exists, and blurs. Numbers, alpha and grey survive it.
            converted = image.convert(wanted)
            frost.blur(converted, 2)
            if image.mode in ("La", "PA", "RGBa"):
                self.assertEqual(converted.getchannel("A").tobytes(), image.getchannel(image.getbands()[-1]).tobytes())
            if image.mode == "I":
                self.assertEqual(converted.getextrema(), image.getextrema())

    def test_subclasses_of_pillow(self):
        """Their modes are checked as well."""
        class Photo(Image.Image):
            pass

        photo = Image.fromarray(noise(9, 9, 3)).convert("P")
        photo.__class__ = Photo
        with self.assertRaisesRegex(frost.PixelError, "mode P: convert it"):
            frost.blur(photo, 2)

    def test_opencv(self):
        """OpenCV's order is BGR. A blur treats all channels alike; effects get views in the order RGB."""
        bgr = cv2.cvtColor(noise(30, 40, 3), cv2.COLOR_RGB2BGR)
        rgb = cv2.cvtColor(bgr, cv2.COLOR_BGR2RGB)
        self.assertTrue((frost.blur(bgr, 2)[..., ::-1] == frost.blur(rgb, 2)).all())
        made = frost.effect(bgr[..., ::-1], "material-thin-dark")[..., ::-1]
        self.assertTrue((made == cv2.cvtColor(frost.effect(rgb, "material-thin-dark"), cv2.COLOR_RGB2BGR)).all())
        self.assertTrue((cv2.bitwise_not(frost.blur(bgr, 2)) == 255 - frost.blur(bgr, 2)).all())

    def test_objects_that_share_memory(self):
        image = noise(30, 40, 3)
        expected = frost.blur(image, 2)

        class Tensor:
            def __init__(self, device=(1, 0)):
                self.device = device

            def __dlpack__(self, **options):
                return image.__dlpack__(**options)

            def __dlpack_device__(self):
                return self.device

        class Interface:
            __array_interface__ = image.__array_interface__

        buffer = bytearray(image.tobytes())
        raw = (ctypes.c_uint8 * 3 * 40 * 30).from_buffer(buffer)
        for given in (Tensor(), Interface(), memoryview(image), raw, memoryview(bytes(buffer)).cast("B", (30, 40, 3))):
            self.assertTrue((frost.blur(given, 2) == expected).all(), type(given))
            # Renderers read them in place.
            self.assertTrue((frost.Renderer("cpu").render(given, frost.gaussian(2)).image == expected).all())
        frost.blur(raw, 2, out=raw)
        self.assertEqual(bytes(buffer), expected.tobytes())
        with self.assertRaisesRegex(frost.LayoutError, "GPU.*cpu"):
            frost.blur(Tensor((2, 0)), 2)


    def test_the_result_for_a_tensor_is_a_tensor(self):
        """Of the same library and type. Two libraries stand for PyTorch, which has to() in place of astype(), and for those of
        the array API."""
        class Torch(types.ModuleType):
            bfloat16, float32 = ml_dtypes.bfloat16, numpy.float32

            class Tensor:
                def __init__(self, array):
                    self.array, self.dtype, self.shape = array, array.dtype, array.shape

                def __dlpack__(self, **options):
                    return self.array.__dlpack__(**options)

                def __dlpack_device__(self):
                    return self.array.__dlpack_device__()

                def to(self, dtype):
                    return Torch.Tensor(self.array.astype(dtype))

            Tensor.__module__ = "fake_torch"
            asarray = staticmethod(Tensor)

        def plain(tensor):
            return tensor.array if isinstance(tensor, Torch.Tensor) else numpy.from_dlpack(tensor)

        image = noise(30, 40, 3)
        with unittest.mock.patch.dict(sys.modules, {"fake_torch": Torch("fake_torch")}):
            for library in (array_api_strict, Torch):
                for array in (image, (image / 255).astype(numpy.float32)):
                    made = library.asarray(array)
                    for call, expected in (
                            (lambda value: frost.blur(value, 2), frost.blur(array, 2)),
                            (lambda value: frost.blur(value, 2, rects=[(3, 4, 9, 9)]), frost.blur(array, 2, rects=[(3, 4, 9, 9)])),
                            (lambda value: frost.effect(value, "light"), frost.effect(array, "light")),
                            (lambda value: frost.transition(value, value, "swipe", 0.5), frost.transition(array, array, "swipe", 0.5)),
                            (lambda value: frost.blur_batch([value], 2)[0], frost.blur(array, 2)),
                            (lambda value: frost.blur_batch([value], 2, errors="return")[0], frost.blur(array, 2))):
                        result = call(made)
                        self.assertIs(type(result), type(made))
                        self.assertEqual(result.dtype, made.dtype)
                        self.assertTrue((plain(result) == expected).all())
                    several, expected = library.asarray(numpy.stack([array, array])), frost.blur(array, 2)
                    stacked = frost.blur_batch(several, 2)
                    self.assertIs(type(stacked), type(made))
                    self.assertTrue((plain(stacked) == expected).all())
                    for result in frost.blur_batch(several, 2, errors="return"):
                        self.assertIs(type(result), type(made))
                        self.assertTrue((plain(result) == expected).all())
            brief = (image / 255).astype(ml_dtypes.bfloat16)
            wanted = frost.blur(brief.astype(numpy.float32), 2).astype(ml_dtypes.bfloat16)
            self.assertTrue((frost.blur(brief, 2) == wanted).all() and frost.blur(brief, 2).dtype == brief.dtype)
            tensor = frost.blur(Torch.Tensor(brief), 2)
            self.assertTrue((tensor.array == wanted).all() and tensor.dtype == brief.dtype)

    def test_out_of_bfloat16(self):
        """A result of the type bfloat16 is also written to an array of this type."""
        image = noise(30, 40, 3, dtype=numpy.float32).astype(ml_dtypes.bfloat16)
        for call in (
                lambda out: frost.blur(image, 2, out=out), lambda out: frost.blur(image, 2, rects=[(3, 4, 9, 9)], out=out),
                lambda out: frost.effect(image, "light", out=out), lambda out: frost.transition(image, image, "swipe", 0.5, out=out),
                lambda out: frost.blur_batch([image], 2, out=None if out is None else [out])[0],
                lambda out: frost.blur_batch(image[None], 2, out=None if out is None else out[None])[0]):
            out, expected = numpy.zeros_like(image), call(None)
            self.assertEqual(expected.dtype, image.dtype)
            call(out)
            self.assertTrue((out == expected).all())
        expected, in_place = frost.blur(image, 2), image.copy()
        self.assertIs(frost.blur(in_place, 2, out=in_place), in_place)
        self.assertTrue((in_place == expected).all())
        self.assertTrue((frost.blur_batch(numpy.stack([image] * 2), 2, errors="return")[1] == expected).all())
        with self.assertRaisesRegex(frost.PixelError, "out is .*, but the result is"):
            frost.blur(image, 2, out=numpy.zeros((30, 39, 3), image.dtype))
        with self.assertRaisesRegex(frost.PixelError, "out is .*bfloat16, but the result is .*float32"):
            frost.blur(image.astype(numpy.float32), 2, out=in_place)

    def test_a_tensor_on_a_gpu_gives_a_tensor_there_with_a_warning(self):
        """Three libraries stand for PyTorch, CuPy and JAX: they copy to the CPU by cpu(), get() and __array__(), and place arrays by
        an argument, a context, and an argument."""
        class Device:
            current = "cpu"

            def __enter__(self):
                Device.current = "gpu"

            def __exit__(self, *_):
                Device.current = "cpu"

        gpu = Device()

        def library(method, takes_device):
            class Module(types.ModuleType):
                class Tensor:
                    device = gpu

                    def __init__(self, array):
                        self.array, self.dtype, self.shape = array, array.dtype, array.shape

                    def __dlpack__(self, **options):
                        raise BufferError("the memory is on a GPU")

                    def __dlpack_device__(self):
                        return (2, 0)

                @staticmethod
                def asarray(array, **options):
                    if options and not takes_device:
                        raise TypeError("unexpected device")
                    if options.get("device") is not gpu and Device.current != "gpu":
                        raise AssertionError("the result is on another device")
                    return Module.Tensor(array)

            setattr(Module.Tensor, method, lambda self, *_, **__: self.array)
            Module.Tensor.__module__ = f"fake_{method}"
            return Module(f"fake_{method}")

        image = noise(30, 40, 3)
        expected = frost.blur(image, 2)
        for method, takes_device in (("cpu", True), ("get", False), ("__array__", True)):
            module = library(method, takes_device)
            with unittest.mock.patch.dict(sys.modules, {f"fake_{method}": module}):
                tensor = module.Tensor(image)
                for call, wanted in (
                        (lambda: frost.blur(tensor, 2), expected), (lambda: frost.blur_batch([tensor], 2)[0], expected),
                        (lambda: frost.effect(tensor, "light"), frost.effect(image, "light"))):
                    with self.assertWarnsRegex(frost.TransferWarning, "memory of a GPU") as seen:
                        result = call()
                    self.assertEqual(seen.filename, __file__)
                    self.assertIs(type(result), module.Tensor)
                    self.assertTrue((result.array == wanted).all())
                with warnings.catch_warnings():
                    warnings.simplefilter("error", frost.TransferWarning)
                    with self.assertRaises(frost.TransferWarning):
                        frost.blur(tensor, 2)
                # Renderers, which never copy, refuse it.
                with self.assertRaisesRegex(frost.LayoutError, "GPU"):
                    frost.Renderer("cpu").render(tensor, frost.gaussian(2))


class Threads(unittest.TestCase):
    def test_the_default_number(self):
        """Affinity and quotas, OMP_NUM_THREADS and set_threads, the later before the earlier."""
        code = "import frost, os; print(frost.get_threads()); frost.set_threads(3); print(frost.get_threads())"
        plain = {name: value for name, value in os.environ.items() if name != "OMP_NUM_THREADS"}
        told = subprocess.run([sys.executable, "-c", code], env=plain, capture_output=True, text=True, check=True)
        affinity = told.stdout.split()[0]
        # A quota may leave fewer.
        self.assertTrue(1 <= int(affinity) <= len(os.sched_getaffinity(0)), affinity)
        for value, expected in ((None, affinity), ("5", "5"), ("7,2", "7"), ("999", "256"), ("many", affinity), ("0", affinity)):
            environment = {**os.environ, "PYTHONWARNINGS": "ignore"}
            environment.pop("OMP_NUM_THREADS", None)
            if value is not None:
                environment["OMP_NUM_THREADS"] = value
            told = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
            self.assertEqual(told.stdout.split(), [expected, "3"], value)
        one = subprocess.run(
            [sys.executable, "-c", "import os; os.sched_setaffinity(0, {min(os.sched_getaffinity(0))}); " + code],
            env=environment, capture_output=True, text=True, check=True)
        self.assertEqual(one.stdout.split()[0], "1")
        for wrong in (0, -1, 257, 2**32 + 2):
            with self.assertRaisesRegex(ValueError, "1 to 256"):
                frost.set_threads(wrong)

    def test_one_renderer_for_all_threads(self):
        from frost import _calls

        _calls._renderers.made.clear()
        found = []
        barrier = threading.Barrier(8)

        def work():
            barrier.wait()
            found.append(_calls.shared_renderer("cpu", 5))

        threads = [threading.Thread(target=work) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len({id(renderer) for renderer in found}), 1)

    def test_a_fork_waits_for_first_uses(self):
        from frost import _calls, _once

        image = noise(40, 50, 4)
        expected = frost.blur(image, 3)
        _calls._renderers.made.clear()
        is_held, is_over = threading.Event(), threading.Event()

        def hold():
            with _once.first_use:
                is_held.set()
                time.sleep(0.1)
                is_over.set()

        holder = threading.Thread(target=hold)
        holder.start()
        is_held.wait()

        def child():
            self.assertTrue(is_over.is_set())
            self.assertTrue((frost.blur(image, 3) == expected).all())

        in_child(self, child)
        holder.join()
        self.assertTrue((frost.blur(image, 3) == expected).all())


if __name__ == "__main__":
    unittest.main()
