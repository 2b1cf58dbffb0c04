"""Compares frost.compat with the exact Gaussian, and with the libraries whose signatures it has."""

import importlib
import inspect
import math
import subprocess
import sys
import unittest

import cv2
import numpy

import frost
from frost import compat
from support import gaussian, noise

FULL = {"uint8": 255, "uint16": 65535, "float32": 1}
# How numpy.pad names the modes of SciPy and the borders of OpenCV.
PADS = {"reflect": "symmetric", "nearest": "edge", "mirror": "reflect", "wrap": "wrap", "constant": "constant"}
BORDERS = {cv2.BORDER_REFLECT: "symmetric", cv2.BORDER_REPLICATE: "edge", cv2.BORDER_DEFAULT: "reflect",
           cv2.BORDER_CONSTANT: "constant"}
# Of random pixels. The limit of floats is 4/65535 of the distance between the smallest and the largest value.
FLOATS = 2e-5


def optional(name):
    """Returns a module, or None if it is not installed."""
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def bound(image, *sigma):
    """Returns Frost's bound for the results of an image: that of the filter, the arithmetic and the rounding."""
    name = image.dtype.name
    planned = frost.gaussian(*sigma).error_bound(image, alpha="premultiplied") / 255 * FULL[name]
    return planned + {"uint8": 0.1 + 0.5, "uint16": 0.5 + 0.5, "float32": 2**-20}[name]


class OpenCV(unittest.TestCase):
    def test_default_calls_differ_by_at_most_the_error_of_opencv(self):
        """At every pixel, |Frost - OpenCV| is at most |OpenCV - exact| and Frost's own bound. OpenCV must mean the same
        blur: its errors are at most 5 steps of 8 bits."""
        pick = numpy.random.default_rng(52)
        for number in range(200):
            height, width = (int(each) for each in pick.integers(1, 64, 2))
            count = int(pick.choice([1, 3, 4]))
            image = noise(height, width, *([count] if count > 1 else []), dtype=numpy.dtype(str(pick.choice(list(FULL)))),
                          seed=number)
            x = float(pick.uniform(0.3, 9))
            y = float(pick.choice([0, pick.uniform(0.3, 9)]))
            # Wide enough is what OpenCV itself takes for 8 bits.
            wide = tuple(2 * math.ceil(3 * each) + 1 for each in (x, y or x))
            size = ((0, 0), wide)[number % 2]
            exact = gaussian(image, (y or x, x, 0)[:image.ndim], "reflect")
            theirs = cv2.GaussianBlur(image, size, x, sigmaY=y).astype(float)
            ours = compat.GaussianBlur(image, size, x, sigmaY=y).astype(float)
            limit = bound(image, x, y or x)
            about = (number, image.shape, image.dtype, size, x, y)
            error = abs(theirs - exact)
            self.assertLessEqual(abs(ours - exact).max(), limit, about)
            self.assertTrue((abs(ours - theirs) <= error + limit).all(), about)
            self.assertLess(error.max(), 5 / 255 * FULL[image.dtype.name], about)

    def test_borders(self):
        for border, pad in BORDERS.items():
            for shape in ((20, 30), (20, 30, 3), (20, 30, 4), (20, 30, 7)):
                image = noise(*shape, dtype=numpy.float32)
                exact = gaussian(image, (3, 2, 0)[:image.ndim], pad)
                ours = compat.GaussianBlur(image, (0, 0), 2, sigmaY=3, borderType=border | cv2.BORDER_ISOLATED)
                self.assertLess(abs(ours - exact).max(), FLOATS, (border, shape))
                self.assertLess(abs(ours - cv2.GaussianBlur(image, (0, 0), 2, sigmaY=3, borderType=border)).max(), 1e-3)

    def test_sigma_from_the_size(self):
        image = noise(40, 50)
        for size in (3, 5, 7, 9, 31):
            sigma = 0.3 * ((size - 1) / 2 - 1) + 0.8
            expected = frost.blur(image, (sigma, 0), edge="reflect-101")
            self.assertTrue((compat.GaussianBlur(image, (size, 1), 0) == expected).all())

    def test_differences_that_the_documentation_states(self):
        noisy = ((noise(512, 512) > 127) * 255).astype(numpy.uint8)
        edge, corner, smooth = (numpy.zeros((200, 200), numpy.uint8) for _ in range(3))
        edge[:, 100:] = corner[100:, 100:] = 255
        smooth[:] = 127.5 + 127.5 * numpy.sin(numpy.arange(200) / 40)
        for image, size, x, y, limit in (
                (noisy, 3, 0, 0, 22), (noisy, 5, 0, 0, 12), (noisy, 7, 0, 0, 6), (noisy, 9, 0, 0, 3), (noisy, 31, 0, 0, 3),
                (noisy, 0, 3, 0, 3), (noisy, 0, 8, 0, 3), (noisy, 0, 20, 0, 3), (noisy, 0, 0.45, 8, 8), (noisy, 0, 20, 0.3, 13),
                (edge, 3, 0, 0, 6), (edge, 15, 8, 0, 44), (corner, 15, 8, 0, 81), (smooth, 3, 0, 0, 1), (smooth, 0, 8, 0, 1)):
            theirs = cv2.GaussianBlur(image, (size, size), x, sigmaY=y).astype(int)
            difference = abs(compat.GaussianBlur(image, (size, size), x, sigmaY=y) - theirs).max()
            # Other noise has other maxima, and what is stated is not much too large.
            self.assertTrue(0.6 * limit < difference <= limit, (size, x, y, limit, difference))

    def test_what_opencv_accepts_and_refuses(self):
        for size, x, y in (((4, 4), 1, 0), ((0, 0), 0, 0), ((3, 0), 0, 0), ((-1, -1), 2, 0), ((3, 0), 0, 2), ((0, 0), -1, 3),
                           ((1, 1), 5, 0), ((0, 3), 2, 0), ((3, 2), 1, 1)):
            for name, function in (("cv2", cv2.GaussianBlur), ("frost", compat.GaussianBlur)):
                try:
                    shape = function(noise(5, 6, 1), size, x, sigmaY=y).shape
                except (cv2.error, frost.ParameterError):
                    shape = None
                if name == "cv2":
                    expected = shape
            self.assertEqual(shape, expected, (size, x, y))
        image = noise(5, 6)
        for arguments, kind in ((((0,), 1), frost.ArgumentError), (((0, 0), "1"), TypeError),
                                (((0, 0), 2000), frost.ParameterError),
                                (((0, 0), 1, None, 0, 5), frost.ParameterError), ((3, 1), TypeError)):
            with self.assertRaises(kind):
                compat.GaussianBlur(image, *arguments)
        for wrong in (noise(5), image[:0], numpy.array([["a"]])):
            with self.assertRaises(frost.PixelError):
                compat.GaussianBlur(wrong, (0, 0), 1)

    def test_dst(self):
        image = noise(30, 40, 3)
        expected = compat.GaussianBlur(image, (0, 0), 2, None, 0, cv2.BORDER_REPLICATE)
        self.assertTrue((expected == frost.blur(image, 2)).all())
        for place in (numpy.empty_like(image), numpy.empty((40, 30, 3), numpy.uint8).swapaxes(0, 1), image):
            self.assertIs(compat.GaussianBlur(image.copy() if place is not image else image, (0, 0), 2, place, 0, 1), place)
            self.assertTrue((place == expected).all())
        # One channel, and both byte orders.
        for dtype in (numpy.uint8, ">u2", "<u2"):
            single = noise(30, 40, 1, dtype=numpy.uint16).astype(dtype)
            expected = compat.GaussianBlur(single, (0, 0), 2)
            self.assertEqual((expected.shape, expected.dtype), ((30, 40), single.dtype.newbyteorder("=")))
            for place in (numpy.empty_like(expected), numpy.empty_like(single), single):
                self.assertIs(compat.GaussianBlur(single, (0, 0), 2, place), place)
                self.assertTrue((place.reshape(30, 40) == expected).all())
        fixed = image.copy()
        fixed.flags.writeable = False
        for wrong, kind, words in ((image[:9].copy(), frost.PixelError, "dst is"), ([1], TypeError, "dst must be a NumPy array"),
                                   (image.astype(float), frost.PixelError, "dst is"), (fixed, frost.LayoutError, "read-only")):
            with self.assertRaisesRegex(kind, words):
                compat.GaussianBlur(image, (0, 0), 2, wrong)


class SciPy(unittest.TestCase):
    def test_dimensions_and_modes(self):
        for shape, sigma in (((50,), 2.0), ((40, 50), (3, 1)), ((12, 15, 20), (2, 1, 3)), ((20, 30, 3), (2, 1, 0)),
                             ((4, 5, 6, 7), 1.0),
                             ((20, 30, 9), (1, 2, 0)), ((3, 40, 40), (0, 2, 2)), ((30, 40, 2), (2, 2, 0)), ((1, 1), 2.0)):
            image = noise(*shape, dtype=numpy.float64) * 100 + 1e6
            each = sigma if isinstance(sigma, tuple) else (sigma,) * len(shape)
            for mode, pad in PADS.items():
                for order in "CF":
                    given = numpy.array(image, order=order)
                    result = compat.gaussian_filter(given, sigma, mode=mode, cval=1e6 + 50)
                    self.assertEqual((result.shape, result.dtype), (shape, numpy.float64))
                    self.assertLess(abs(result - gaussian(image, each, pad, 1e6 + 50)).max(), 100 * FLOATS * len(shape),
                                    (shape, mode))
                    self.assertTrue((given == image).all())

    def test_values_outside(self):
        """A value outside, of any size, leaves results beyond its reach as they are."""
        # What is added to float32 is rounded, and the sum.
        for dtype, rounding in ((numpy.float64, 0), (numpy.float32, 2**-23)):
            image = noise(60, 70, dtype=dtype)
            inside = compat.gaussian_filter(image, (2, 1), mode=["constant", "wrap"])
            for fill in (0.5, -9999.0, 1e6, 1e9, 1e30):
                result = compat.gaussian_filter(image, (2, 1), mode=["constant", "wrap"], cval=fill)
                exact = gaussian(gaussian(image, (2, 0), "constant", fill), (0, 1), "wrap")
                limit = 2 * FLOATS + rounding * abs(exact)
                self.assertTrue((abs(result - exact) <= limit + 1e-15 * fill).all(), (dtype, fill))
                self.assertLess(abs(result - inside)[16:-16].max(), 2 * FLOATS)
            for fill in (math.nan, math.inf, -math.inf):
                for options, reach in ((dict(), 8), (dict(truncate=2.0), 4), (dict(radius=(3, 1)), 3), (dict(radius=99), 99),
                                       (dict(truncate=math.inf), 99)):
                    result = compat.gaussian_filter(image, (2, 1), mode=["constant", "wrap"], cval=fill, **options)
                    numpy.testing.assert_array_equal(result[:reach], fill)
                    numpy.testing.assert_array_equal(result[-reach:], fill)
                    self.assertTrue(numpy.isfinite(result[reach:-reach]).all())
        image = noise(60, 70)
        large, small = (compat.gaussian_filter(image, 2, mode="constant", cval=fill) for fill in (1e9, 1))
        self.assertTrue((large[17:-17, 17:-17] == small[17:-17, 17:-17]).all())

    def test_values_far_from_zero(self):
        """The accuracy depends on the range of the values only, and on the type of the result."""
        for offset in (0, 3, 6, 50, 2000, -1e5):
            image = noise(100, 100, dtype=numpy.float32) + numpy.float32(offset)
            limit = (image.max() - image.min()) * 2 * FLOATS
            exact = gaussian(image, 20, "symmetric")
            self.assertLess(abs(compat.gaussian_filter(image, 20, output=numpy.float64) - exact).max(), limit, offset)
            rounding = numpy.spacing(numpy.float32(abs(offset) + 1)) / 2
            self.assertLess(abs(compat.gaussian_filter(image, 20) - exact).max(), limit + rounding, offset)
        # Whether values are far from zero does not follow from some of them, if these are all the same.
        image[:] = 2000
        image[1, 1] = 2001
        self.assertLess(abs(compat.gaussian_filter(image, 20) - gaussian(image, 20, "symmetric")).max(), 1.3e-4)

    def test_values_beyond_float32(self):
        for shape in ((50, 60), (10, 12, 14)):
            image = noise(*shape, dtype=numpy.float64) * 2 - 1
            exact = gaussian(image, (2,) * len(shape), "symmetric")
            for power in (-1000, -300, -200, -130, -60, 60, 110, 128, 200, 1000, 1023):
                result = compat.gaussian_filter(numpy.ldexp(image, power), 2)
                self.assertLess(abs(numpy.ldexp(result, -power) - exact).max(), 2 * len(shape) * FLOATS, power)
        for value in (2e38, -3e38, 1e-42):
            image = noise(50, 60, dtype=numpy.float64).astype(numpy.float32) * numpy.float32(value)
            self.assertLess(abs(compat.gaussian_filter(image, 2) / value - gaussian(image / value, 2, "symmetric")).max(), 1e-3)
            image[:] = value
            self.assertTrue((compat.gaussian_filter(image, 2) == image).all())
        self.assertEqual(compat.gaussian_filter(numpy.full((9, 9), 1e300), 2, output=numpy.uint8).max(), 255)

    def test_one_mode_for_each_axis(self):
        image = noise(20, 30, dtype=numpy.float32)
        result = compat.gaussian_filter(image, 2, mode=["wrap", "nearest"])
        rows = gaussian(image, (2, 0), "wrap")
        self.assertLess(abs(result - gaussian(rows, (0, 2), "edge")).max(), 2 * FLOATS)
        self.assertTrue((result == compat.gaussian_filter(image, 2, mode=["grid-wrap", "nearest"])).all())

    def test_types(self):
        for name in ("bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float16", "float32",
                     "float64", ">u2", ">f8"):
            dtype = numpy.dtype(name)
            values = noise(20, 30, dtype=numpy.float64) * (1 if dtype.kind == "b" else 100) + (0.5 if dtype.kind == "b" else 0)
            image = values.astype(dtype)
            for mode, fill in (("nearest", 0), ("constant", 7)):
                result = compat.gaussian_filter(image, 2, mode=mode, cval=fill if dtype.kind != "b" else 1)
                self.assertEqual(result.dtype, dtype.newbyteorder("="))
                exact = gaussian(image, 2, PADS[mode], fill if dtype.kind != "b" else 1)
                limit = 0.52 if dtype.kind in "biu" else 0.04 if name == "float16" else 100 * FLOATS
                self.assertLessEqual(abs(result - exact).max(), limit, (name, mode))
        large = numpy.full((5, 5), numpy.iinfo(numpy.uint64).max, numpy.uint64)
        self.assertGreaterEqual(compat.gaussian_filter(large, 1).min(), 2**64 - 2**12)
        waves = noise(20, 30, dtype=numpy.float32) + 1j * noise(20, 30, dtype=numpy.float32, seed=2)
        result = compat.gaussian_filter(waves, 2, mode="nearest")
        self.assertEqual(result.dtype, numpy.complex64)
        self.assertLess(abs(result - gaussian(waves.real, 2) - 1j * gaussian(waves.imag, 2)).max(), 2 * FLOATS)

    def test_output(self):
        image = noise(20, 30)
        expected = compat.gaussian_filter(image, 2)
        floats = compat.gaussian_filter(image, 2, output=numpy.float32)
        self.assertEqual(floats.dtype, numpy.float32)
        self.assertLess(abs(floats - gaussian(image, 2, "symmetric")).max(), 255 * FLOATS)
        self.assertEqual(compat.gaussian_filter(image, 2, output="float64").dtype, numpy.float64)
        for place in (numpy.empty_like(image), numpy.empty((20, 30), numpy.float64), numpy.empty((30, 20), numpy.uint8).T):
            self.assertIs(compat.gaussian_filter(image, 2, output=place), place)
            self.assertLess(abs(place - gaussian(image, 2, "symmetric")).max(), 0.55)
        # Memory that overlaps the input, and the input itself.
        memory = numpy.zeros((25, 30), numpy.uint8)
        memory[:20] = image
        compat.gaussian_filter(memory[:20], 2, output=memory[3:23])
        self.assertTrue((memory[3:23] == expected).all())
        compat.gaussian_filter(image, 2, output=image)
        self.assertTrue((image == expected).all())

    def test_nothing_to_blur(self):
        for image in (noise(0, 3), noise(4, 5), numpy.array(3.5)):
            result = compat.gaussian_filter(image, 0)
            self.assertTrue(result.shape == image.shape and (result == image).all() and result is not image)
        self.assertEqual(compat.gaussian_filter(noise(0, 3), 2).shape, (0, 3))
        image = noise(4, 5)
        self.assertTrue((compat.gaussian_filter(image, 3, radius=0) == image).all())
        self.assertTrue((compat.gaussian_filter(image, 3, radius=[0, 9]) == compat.gaussian_filter(image, (0, 3))).all())
        self.assertTrue((compat.gaussian_filter(image, 3, axes=-1) == compat.gaussian_filter(image, (0, 3))).all())

    def test_small_sigmas(self):
        """Below some sigma a blur is a copy, also of a picture with a border."""
        for shape in ((40, 50), (40, 50, 1), (40, 50, 2), (40, 50, 3), (40, 50, 4), (4, 5, 6, 7), (9,)):
            for dtype in (numpy.uint8, numpy.float32, numpy.float64):
                image = noise(*shape, dtype=dtype)
                for sigma in (0.01, 0.05, 0.1, 0.15, 0.19, 0.2, 0.21):
                    for mode in ("constant", "nearest"):
                        result = compat.gaussian_filter(image, sigma, mode=mode)
                        self.assertEqual((result.shape, result.dtype), (image.shape, image.dtype))
                        if sigma < 0.2:
                            # The neighbours have a part of exp(-1 / 2 / 0.19**2) = 1e-6 each.
                            self.assertLess(abs(result.astype(float) - image).max(), 1e-5 if dtype != numpy.uint8 else 0.5)

    def test_what_is_refused(self):
        image = noise(4, 5)
        for options, kind, words in (
                (dict(order=1), frost.ParameterError, "derivatives"), (dict(order=(0, 2)), frost.ParameterError, "derivatives"),
                (dict(sigma=-1), frost.ParameterError, "out of range"),
                (dict(sigma=2000), frost.ParameterError, "out of range"),
                (dict(sigma=(1, 2, 3)), frost.ArgumentError, "3 values for 2 axes"), (dict(sigma="x"), TypeError, "number"),
                (dict(mode="edge"), frost.ParameterError, "nearest"),
                (dict(axes=(0, 0)), frost.ArgumentError, "axes must be unique"),
                (dict(axes=2), frost.ArgumentError, "out of range"), (dict(radius=-1), frost.ParameterError, "radius"),
                (dict(axes=1.5), TypeError, "integer"), (dict(output=noise(3, 3)), frost.PixelError, "shape")):
            with self.assertRaisesRegex(kind, words):
                compat.gaussian_filter(image, **{"sigma": 1, **options})
        with self.assertRaises(frost.LayoutError):
            compat.gaussian_filter(numpy.array(["a"]), 1)
        for output in (float, numpy.float32, numpy.zeros((4, 5)), numpy.zeros((4, 5), int)):
            with self.assertRaisesRegex(frost.PixelError, "imaginary"):
                compat.gaussian_filter(image + 1j, 1, output=output)

    @unittest.skipIf(optional("scipy.ndimage") is None, "SciPy is not installed")
    def test_beside_scipy(self):
        theirs = optional("scipy.ndimage").gaussian_filter
        self.assert_signature(compat.gaussian_filter, theirs)
        for mode in PADS:
            for shape, sigma in (((30, 40), 3), ((10, 12, 14), (1, 2, 1))):
                image = noise(*shape, dtype=numpy.float64)
                ours = compat.gaussian_filter(image, sigma, mode=mode, cval=0.5)
                self.assertLess(abs(ours - theirs(image, sigma, mode=mode, cval=0.5, truncate=8)).max(), 3 * FLOATS, mode)
                # The part of a Gaussian beyond 4 sigmas, along each axis.
                self.assertLess(abs(ours - theirs(image, sigma, mode=mode, cval=0.5)).max(), len(shape) * 6.4e-5 + 3 * FLOATS)
        image = noise(30, 40)
        difference = compat.gaussian_filter(image, 3).astype(int) - theirs(image, 3)
        self.assertTrue(difference.min() >= 0 and difference.max() <= 2)

    def assert_signature(self, ours, theirs):
        theirs = inspect.signature(inspect.unwrap(theirs))
        self.assertEqual([(each.name, each.kind, each.default) for each in inspect.signature(ours).parameters.values()],
                         [(each.name, each.kind, each.default) for each in theirs.parameters.values()])


class ScikitImage(unittest.TestCase):
    def test_conversions(self):
        for name, scale in (("uint8", 255), ("uint16", 65535), ("int8", 127), ("int16", 32767), ("bool", 1), ("float32", 1),
                            ("float64", 1)):
            image = noise(20, 30, dtype=numpy.float64) * 2 > 1 if name == "bool" else noise(20, 30, dtype=numpy.dtype(name))
            result = compat.gaussian(image, 2)
            self.assertEqual(result.dtype, numpy.float32 if name == "float32" else numpy.float64)
            self.assertLess(abs(result - gaussian(image, 2) / scale).max(), 2 * FLOATS, name)
            kept = compat.gaussian(image, 2, preserve_range=True, mode="constant", cval=scale / 2)
            self.assertLess(abs(kept - gaussian(image, 2, "constant", scale / 2)).max(), scale * 2 * FLOATS, name)
        self.assertEqual(compat.gaussian(noise(4, 5, dtype=numpy.float16)).dtype, numpy.float32)
        self.assertEqual(compat.gaussian(numpy.array([-128, -128], numpy.int8)).tolist(), [-1, -1])
        # cval counts in the units of the result.
        filled = compat.gaussian(numpy.zeros((9, 9), numpy.uint8), 2, mode="constant", cval=0.5)
        self.assertLess(abs(filled - gaussian(numpy.zeros((9, 9)), 2, "constant", 0.5)).max(), FLOATS)

    def test_channels_and_out(self):
        image = noise(20, 30, 5, dtype=numpy.float32)
        expected = compat.gaussian(image, (2, 1, 0))
        for axis, moved in ((-1, image), (0, numpy.moveaxis(image, -1, 0)), (1, numpy.moveaxis(image, -1, 1))):
            out = numpy.empty_like(moved, numpy.float64)
            self.assertIs(compat.gaussian(moved, (2, 1), channel_axis=axis, out=out), out)
            self.assertLess(abs(numpy.moveaxis(out, axis, -1) - expected).max(), FLOATS)
        self.assertTrue((compat.gaussian(image, 2, channel_axis=2) == compat.gaussian(image, (2, 2, 0))).all())
        for options, kind in ((dict(sigma=(1, 2), channel_axis=None), frost.ArgumentError),
                              (dict(out=noise(20, 30, 5)), frost.PixelError),
                              (dict(out=[1]), TypeError), (dict(out=numpy.zeros((2, 2))), frost.PixelError),
                              (dict(channel_axis=(0, 1)), TypeError),
                              (dict(channel_axis=3), frost.ArgumentError), (dict(sigma=[-1, 1, 1]), frost.ParameterError)):
            with self.assertRaises(kind):
                compat.gaussian(image, **options)

    @unittest.skipIf(optional("skimage.filters") is None, "scikit-image is not installed")
    def test_beside_scikit_image(self):
        theirs = optional("skimage.filters").gaussian
        SciPy.assert_signature(self, compat.gaussian, theirs)
        for name in ("uint8", "int16", "uint16", "int32", "float32", "float64", "bool"):
            for options in (dict(), dict(preserve_range=True), dict(mode="constant", cval=0.25),
                            dict(channel_axis=-1, mode="mirror"),
                            dict(channel_axis=0, sigma=(2, 1))):
                image = noise(20, 30, 4, dtype=numpy.dtype(name)) if name != "bool" else noise(20, 30, 4) > 127
                given = {"sigma": 1.5, "truncate": 8, **options}
                ours, exact = compat.gaussian(image, **given), theirs(image, **given)
                self.assertEqual((ours.dtype, ours.shape), (exact.dtype, exact.shape))
                self.assertLess(abs(ours - exact).max(), max(1, abs(exact).max()) * 4 * FLOATS, (name, options))


class Kornia(unittest.TestCase):
    def test_tensors(self):
        image = noise(3, 5, 20, 30, dtype=numpy.float32)
        for border, pad in (("reflect", "reflect"), ("replicate", "edge"), ("circular", "wrap"), ("constant", "constant")):
            sigmas = [(2.0, 1.0), (0.5, 3.0), (1.0, 1.0)]
            result = compat.gaussian_blur2d(image, (5, 7), numpy.array(sigmas), border)
            for picture, blurred, sigma in zip(image, result, sigmas):
                self.assertLess(abs(blurred - gaussian(picture, (0, *sigma), pad)).max(), FLOATS, border)
        one = compat.gaussian_blur2d(image, 3, (2.0, 1.0))
        self.assertTrue((one[0] == compat.gaussian_blur2d(image[:1], (9, 9), [[2.0, 1.0]])[0]).all())
        self.assertTrue((compat.gaussian_blur2d(image, 1, (2.0, 1.0)) == image).all())

    def test_what_is_refused(self):
        image = noise(2, 3, 8, 8, dtype=numpy.float32)
        for arguments, kind in (((image, 4, (1.0, 1.0)), frost.ParameterError), ((image, 0, (1.0, 1.0)), frost.ParameterError),
                                ((image, 3, (0.0, 1.0)), frost.ParameterError),
                                ((image, 3, (1.0, 1.0, 1.0)), frost.ArgumentError),
                                ((image, 3, (1.0, 1.0), "nearest"), frost.ParameterError),
                                ((image[0], 3, (1.0, 1.0)), frost.LayoutError),
                                ((noise(2, 3, 8, 8), 3, (1.0, 1.0)), frost.LayoutError), ((1, 3, (1.0, 1.0)), TypeError)):
            with self.assertRaises(kind):
                compat.gaussian_blur2d(*arguments)

    @unittest.skipIf(optional("torch") is None, "PyTorch is not installed")
    def test_tensors_of_pytorch(self):
        torch = optional("torch")
        tensor = torch.rand(2, 3, 20, 30)
        sigma = torch.tensor([[1.0, 2.0], [3.0, 0.5]])
        result = compat.gaussian_blur2d(tensor, (3, 3), sigma, "replicate")
        self.assertIsInstance(result, torch.Tensor)
        expected = compat.gaussian_blur2d(tensor.numpy(), (3, 3), sigma.numpy(), "replicate")
        self.assertTrue((result.numpy() == expected).all())


class Module(unittest.TestCase):
    def test_it_imports_no_other_library(self):
        loaded = subprocess.run(
            [sys.executable, "-c", "import sys, frost; frost.compat.gaussian_filter([1.0, 2.0], 1); print(*sys.modules)"],
            check=True, capture_output=True, text=True).stdout.split()
        self.assertIn("frost.compat", loaded)
        self.assertEqual({"cv2", "scipy", "skimage", "torch", "kornia", "PIL"} & set(loaded), set())


if __name__ == "__main__":
    unittest.main()
