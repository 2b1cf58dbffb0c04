"""Tests that an option has one name and one meaning in all calls that blur pictures."""

import ctypes
import inspect
import pathlib
import unittest
import warnings

import numpy

import frost
from support import noise
from test_encoded import pixels, pnm

IMAGE = noise(40, 50, 3)
MASK = noise(7, 9, seed=2)
RECTS = [(5, 6, 20, 10), (18, 12, 25, 20)]
# The same rectangles as fractions, which are rounded outwards.
FRACTIONS = numpy.array([(5.9, 6.2, 18.5, 9.8), (18.5, 12.5, 24.2, 19.3)], numpy.float32)


def everywhere(test, expected, sigma=3, effect=None, blurs=True, mask=None, steps=0, **options):
    """Expects one result from all calls with the same options: for an array, a batch of arrays, a batch of files, and a file.

    :param expected: None for the result of frost.effect().
    :param steps: the largest difference.
    """
    made = {}
    given = options if mask is None else {**options, "mask": mask}
    if blurs:
        made["blur"] = frost.blur(IMAGE, sigma, **given)
        made["blur_batch"] = frost.blur_batch(IMAGE[None], sigma, **given)[0]
        made["blur_batch of a list"] = frost.blur_batch([IMAGE], sigma, **given)[0]
        made["blur_batch of files"] = pixels(frost.blur_batch([pnm(IMAGE)], sigma, **given)[0], IMAGE)
        made["blur_encoded"] = pixels(frost.blur_encoded(pnm(IMAGE), sigma, **given), IMAGE)
    if effect is not None:
        made["effect"] = frost.effect(IMAGE, effect, **given)
        made["effect_batch"] = frost.effect_batch([IMAGE], effect, **given)[0]
        made["effect_batch of files"] = pixels(frost.effect_batch([pnm(IMAGE)], effect, **given)[0], IMAGE)
        made["effect_encoded"] = pixels(frost.effect_encoded(pnm(IMAGE), effect, **given), IMAGE)
    wanted = (made["effect"] if expected is None else expected).astype(int)
    for name, found in made.items():
        test.assertLessEqual(numpy.abs(found - wanted).max(), steps, (name, options))
    return next(iter(made.values()))


class Vocabulary(unittest.TestCase):
    def test_names(self):
        """All calls have the options that they can have."""
        shared = {"rects", "feather", "ellipse", "invert_rects", "mask", "edge", "dither", "linear", "threads"}
        arrays = {"alpha", "channels", "axis", "out", "backend"}
        files = {"encoding", "decoding"}
        for call, expected in (
                (frost.blur, shared | arrays | {"region"}), (frost.effect, shared | arrays | {"region"}),
                (frost.blur_batch, shared | arrays | files | {"errors"}),
                (frost.effect_batch, shared | arrays | files | {"errors"}),
                (frost.blur_encoded, shared | files | {"format", "quality", "keep"}),
                (frost.effect_encoded, shared | files | {"format", "quality", "keep"})):
            parameters = inspect.signature(call).parameters
            options = {name for name, each in parameters.items() if each.default is not each.empty}
            self.assertEqual(options, expected, call.__name__)

    def test_the_default_backend_is_the_cpu(self):
        """In every call and class, so that the same program gives the same bytes on every machine."""
        import frost.daft
        import frost.ray
        import frost.webdataset

        found = 0
        places = [(frost, name) for name in frost.__all__]
        places += [(module, name) for module in (frost.daft, frost.ray, frost.webdataset) for name in dir(module)]
        for module, name in places:
            value = getattr(module, name)
            if inspect.isroutine(value) or (inspect.isclass(value) and inspect.isfunction(value.__init__)):
                parameter = inspect.signature(value).parameters.get("backend")
                if parameter is not None and parameter.default is not parameter.empty:
                    self.assertEqual(parameter.default, "cpu", name)
                    found += 1
        self.assertGreaterEqual(found, 12)
        self.assertEqual(frost.Renderer().render(IMAGE, "light").report.reason, "as requested")

    def test_plain_options(self):
        for options in ({}, {"edge": "mirror"}, {"edge": "reflect"}, {"linear": True}, {"dither": True}, {"threads": 1}):
            plain = {**options, "edge": "mirror"} if "edge" in options else options
            renderer = frost.Renderer("cpu")
            effect = frost.gaussian(3, **{name: value for name, value in plain.items() if name != "threads"})
            everywhere(self, renderer.render(IMAGE, effect).image, **options)
            everywhere(self, None, effect="light", blurs=False, **options)
        self.assertEqual(frost.gaussian(3, edge="reflect"), frost.gaussian(3, edge="mirror"))
        self.assertTrue((frost.effect(IMAGE, "box", radius=3, edge="wrap") ==
                         frost.effect(IMAGE, frost.Effect("box", radius=3, edge="repeat"))).all())

    def test_pairs_of_sigmas(self):
        expected = frost.Renderer("cpu").render(IMAGE, frost.gaussian(4, 1)).image
        everywhere(self, expected, sigma=(4, 1))
        images = numpy.stack([IMAGE, IMAGE[::-1]])
        # A tuple is a pair, and a list has one for each picture.
        self.assertTrue((frost.blur_batch(images, (4, 1))[0] == expected).all())
        each = frost.blur_batch(images, [(4, 1), 2])
        self.assertTrue((each[0] == expected).all() and (each[1] == frost.blur(images[1], 2)).all())
        self.assertTrue((frost.blur_batch(images, numpy.array([(4, 1), (1, 4)]))[1] == frost.blur(images[1], (1, 4))).all())
        with self.assertRaisesRegex(frost.ArgumentError, "sigma has 3 numbers"):
            frost.blur_batch([IMAGE] * 3, (1, 2, 3))

    def test_rects(self):
        for options in ({}, {"feather": 4}, {"ellipse": True}, {"invert_rects": True},
                        {"feather": 2.5, "ellipse": True, "invert_rects": True}):
            expected = frost.blur(IMAGE, 3, rects=RECTS, **options)
            for rects in (RECTS, FRACTIONS, FRACTIONS.tolist()):
                everywhere(self, expected, rects=rects, **options)
            everywhere(self, None, effect="material-thin-dark", blurs=False, rects=FRACTIONS, **options)

    def test_masks(self):
        """A mask is a picture of any size and type. Alone it lies on the picture, with rectangles in each of them."""
        alone = everywhere(self, None, effect=frost.gaussian(3), mask=MASK)
        self.assertFalse((alone == IMAGE).all() or (alone == frost.blur(IMAGE, 3)).all())
        alpha = numpy.dstack([noise(7, 9), MASK])
        floats = (MASK / 255).astype(numpy.float32)
        for mask in (MASK, alpha, numpy.dstack([noise(7, 9, 3), MASK]), MASK[..., None]):
            everywhere(self, alone, mask=mask)
        for mask in (floats, floats.astype(float), MASK.astype(numpy.uint16) * 257, MASK[::-1], noise(7, 9, 3), floats[..., None] * [1, 0.5, 0]):
            everywhere(self, None, effect=frost.gaussian(3), mask=mask)
        self.assertTrue((frost.blur(IMAGE, 3, mask=frost.Mask(MASK)) == alone).all())
        self.assertTrue((pixels(frost.blur_encoded(pnm(IMAGE), 3, mask=pnm(MASK)), IMAGE) == alone).all())
        half = numpy.zeros((40, 50), bool)
        half[:, :25] = True
        found = everywhere(self, None, effect=frost.gaussian(3), mask=half)
        self.assertTrue((found[:, :24] == frost.blur(IMAGE, 3)[:, :24]).all() and (found[:, 26:] == IMAGE[:, 26:]).all())
        for options in ({}, {"feather": 4}, {"feather": 2.5, "ellipse": True}, {"ellipse": True}, {"invert_rects": True},
                        {"feather": 3, "invert_rects": True}):
            for rects in (RECTS, RECTS[::-1], [(-3, -3, 20, 20), (30, 30, 30, 30)]):
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore", frost.PictureWarning)
                    found = everywhere(self, None, effect=frost.gaussian(3), mask=MASK, rects=rects, **options)
                self.assertFalse((found == IMAGE).all())
            # A mask scales the blur of a material, which is planned for a part of a picture. Beside the rectangles, the parts of
            # arrays are not those of files, so that values near the middle between two steps are rounded to either.
            everywhere(self, None, effect="material-thin-dark", blurs=False, mask=MASK, rects=RECTS, steps=1, **options)

    def test_masks_of_all_effects(self):
        for info in frost.effects():
            if "clear" in [parameter.default for parameter in info.parameters if parameter.name == "edge"]:
                continue
            with self.subTest(info.name):
                if info.name in ("redact", "tilt-shift", "selective", "progressive"):
                    for call in (frost.effect, lambda image, name, mask: frost.effect_encoded(pnm(image), name, mask=mask)):
                        with self.assertRaisesRegex(frost.ParameterError, "mask"):
                            call(IMAGE, info.name, mask=MASK)
                else:
                    everywhere(self, None, effect=info.name, blurs=False, mask=MASK)

    def test_masks_of_renderers_queues_and_regions(self):
        expected = frost.effect(IMAGE, "light", mask=MASK)
        renderer = frost.Renderer("cpu")
        self.assertTrue((renderer.render(IMAGE, "light", mask=MASK).image == expected).all())
        with frost.Queue(renderer) as queue:
            self.assertTrue((queue.submit(IMAGE, "light", mask=MASK).result().image == expected).all())
        for call in (frost.blur, frost.effect):
            effect = 3 if call is frost.blur else "light"
            part = call(IMAGE, effect, mask=MASK, region=(5.5, 6, 19.2, 10))
            self.assertTrue((part == call(IMAGE, effect, mask=MASK)[6:16, 5:25]).all())
        with self.assertRaisesRegex(frost.ParameterError, "redact, because the mask would show the original"):
            renderer.render(IMAGE, "redact", mask=MASK)

    def test_masks_of_batches(self):
        images = [IMAGE, noise(9, 9), noise(20, 30, 4)]
        masks = [MASK, None, frost.Mask(MASK)]
        for image, mask, found in zip(images, masks, frost.blur_batch(images, 3, mask=masks)):
            self.assertTrue((found == frost.blur(image, 3, mask=mask)).all())
        mixed = frost.blur_batch([IMAGE, pnm(IMAGE)], 3, mask=MASK)
        self.assertTrue((pixels(mixed[1], IMAGE) == mixed[0]).all())
        self.assertTrue((frost.blur_batch([IMAGE], 3, [[]], mask=MASK)[0] == IMAGE).all())
        self.assertEqual(frost.blur_batch([pnm(IMAGE)], 3, [[]], mask=MASK), [pnm(IMAGE)])
        for call, kind, text in (
                (lambda: frost.blur_batch(images, 3, mask=[MASK]), frost.ArgumentError, "1 masks for 3 pictures"),
                (lambda: frost.blur_batch([pnm(IMAGE)], 3, mask=frost.Mask(MASK)), TypeError, "not a frost.Mask"),
                (lambda: frost.blur(IMAGE, 3, mask=pnm(MASK)), TypeError, "mask is bytes"),
                (lambda: frost.blur(IMAGE, 3, mask="face.png"), TypeError, "mask is str"),
                (lambda: frost.blur_encoded(pnm(IMAGE), 3, mask="face.png"), TypeError, "mask must be bytes, not str")):
            with self.subTest(text), self.assertRaisesRegex(kind, text):
                call()

    def test_files_in_the_place_of_masks(self):
        """The errors tell how to load a mask, and do not propose to blur it."""
        for mask in ("m.png", pathlib.Path("m.png"), b"P5 1 1 255 1", bytearray(b"P5")):
            for call in (lambda: frost.blur(IMAGE, 3, mask=mask), lambda: frost.blur_batch([IMAGE], 3, mask=[mask]),
                         lambda: frost.blur_batch([IMAGE], 3, mask=mask), lambda: frost.Mask(mask),
                         lambda: frost.Renderer().render(IMAGE, "light", mask=mask)):
                with self.assertRaisesRegex(TypeError, r"load it, for example with numpy.asarray\(PIL.Image.open\(path\)\); frost.blur_"):
                    call()
        for shape in ((2, 40, 50), (2, 40, 50, 1)):
            for images in (numpy.stack([IMAGE, IMAGE]), [IMAGE, pnm(IMAGE)], [pnm(IMAGE)] * 2):
                with self.assertRaisesRegex(frost.LayoutError, r"mask has the shape \(2, 40, 50.*\): pass a list with one mask for each"):
                    frost.blur_batch(images, 3, mask=numpy.zeros(shape, numpy.uint8))
        for call in (lambda mask: frost.blur(IMAGE, 3, mask=mask), lambda mask: frost.blur_encoded(pnm(IMAGE), 3, mask=mask)):
            with self.assertRaisesRegex(frost.LayoutError, r"mask has the shape \(2, 40, 50\): expected height and width"):
                call(numpy.zeros((2, 40, 50), numpy.uint8))

    def test_numbers_of_threads(self):
        """All calls and classes refuse the same numbers, with the same words."""
        black = numpy.zeros((4, 4), numpy.uint8)
        scene = frost.Scene({"size": [4, 4], "duration": 1, "backdrop": {"color": "#000000"}})
        for count in (0, -1, 257):
            for call in (
                    lambda: frost.blur(IMAGE, 1, threads=count), lambda: frost.effect(IMAGE, "light", threads=count),
                    lambda: frost.blur_batch([IMAGE], 1, threads=count), lambda: frost.effect_batch([IMAGE], "light", threads=count),
                    lambda: frost.blur_encoded(pnm(IMAGE), 1, threads=count), lambda: frost.Renderer(threads=count),
                    lambda: frost.transition(black, black, "dissolve", 0, threads=count), lambda: frost.Backdrop(threads=count),
                    lambda: scene.renderer(threads=count), lambda: frost.set_threads(count)):
                with self.assertRaisesRegex(frost.ArgumentError, f"^the number of threads {count} is out of range"):
                    call()

    def test_targets_of_lists_share_no_memory(self):
        """A picture may be its own target. Two results must not share memory, and no result may overwrite another picture."""
        first, second = noise(20, 30, 3), noise(20, 30, 3, seed=2)
        canvas = noise(20, 60, 3)
        left, right = canvas[:, :30], canvas[:, 30:]
        for images, outs in (
                ([first, second], [second, first]), ([first, second], [None, first]), ([first, first], [first, None]),
                ([first, second], [canvas[:, :30]] * 2), ([first, second], [left, canvas[:, 29:59]]),
                ([first[1:], second], [first[:-1], None]), ([memoryview(first), second], [None, first]),
                ([first, canvas[:, 10:40]], [left, None])):
            before = [numpy.array(image) for image in images]
            with self.assertRaisesRegex(frost.PixelError, r"^out\[\d\] overlaps (out|images)\[\d\]: it may only be the memory of"):
                frost.blur_batch(images, 3, out=outs)
            self.assertTrue(all((old == new).all() for old, new in zip(before, images)))
        for images, outs in (
                (lambda: [first, second], lambda: [left, right]), (lambda: [first, first], lambda: [left, right]),
                (lambda: [left, right], lambda: [left, right]), (lambda: [canvas[::2], canvas[1::2]], lambda: [canvas[::2], None]),
                (lambda: [first, pnm(second)], lambda: [first, None]), (lambda: iter([first, second]), lambda: [first, second])):
            expected = [frost.blur(each, 3) for each in images() if not isinstance(each, bytes)]
            found = frost.blur_batch(images(), 3, out=outs())
            for right_one, one, out in zip(expected, found, outs()):
                self.assertTrue((one == right_one).all())
                self.assertTrue(out is None or (out == right_one).all())
        # Objects that share their memory without being arrays of NumPy.
        class Interface:
            def __init__(self, array):
                self.array = array

            @property
            def __array_interface__(self):
                return self.array.__array_interface__

        buffer = (ctypes.c_uint8 * 3 * 30 * 20)()
        for images, outs in (
                ([Interface(first), Interface(second)], [Interface(second), Interface(first)]),
                ([first.copy(), second.copy()], [Interface(first), Interface(first)]),
                ([first, second], [buffer, buffer]), ([first, buffer], [buffer, None]),
                ([first, second], [memoryview(buffer).cast("B").cast("B", (20, 30, 3)), buffer])):
            before = numpy.array(first), numpy.array(second), bytes(buffer)
            for threads in (1, 2):
                with self.assertRaisesRegex(frost.PixelError, r"^out\[\d\] overlaps (out|images)\[\d\]"):
                    frost.blur_batch(images, 3, out=outs, threads=threads)
            self.assertTrue((first == before[0]).all() and (second == before[1]).all() and bytes(buffer) == before[2])
        expected = frost.blur(first, 3), frost.blur(second, 3)
        frost.blur_batch([Interface(first), second], 3, out=[Interface(first), buffer])
        self.assertTrue((first == expected[0]).all() and bytes(buffer) == expected[1].tobytes())
        tiles = numpy.zeros((400, 400, 3), numpy.uint8)
        views = [tiles[y:y + 20, x:x + 20] for y in range(0, 400, 20) for x in range(0, 400, 20)]
        self.assertEqual(len(frost.blur_batch(views, 1, out=views)), 400)

    def test_out_of_batches(self):
        images = noise(4, 20, 30, 3)
        for options in ({}, {"rects": [RECTS[0]]}, {"rects": [[], None, [(1, 1, 5, 5)], None]}, {"mask": MASK}):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", frost.PictureWarning)
                expected = frost.blur_batch(images, 3, **options)
                for threads in (1, 2):
                    out = numpy.zeros_like(images)
                    self.assertIs(frost.blur_batch(images, 3, out=out, threads=threads, **options), out)
                    self.assertTrue((out == expected).all())
                    in_place = images.copy()
                    self.assertIs(frost.blur_batch(in_place, 3, out=in_place, threads=threads, **options), in_place)
                    self.assertTrue((in_place == expected).all())
        planes = numpy.ascontiguousarray(images.transpose(0, 3, 1, 2))
        out = numpy.zeros_like(planes)
        frost.blur_batch(planes, 3, axis=1, out=out)
        self.assertTrue((out.transpose(0, 2, 3, 1) == frost.blur_batch(images, 3)).all())
        outs = [numpy.zeros_like(images[0]), None, numpy.zeros_like(images[0])[::-1], images[3].copy()]
        found = frost.effect_batch(list(images), "light", out=outs, errors="return")
        for image, one, given in zip(images, found, outs):
            self.assertTrue((one == frost.effect(image, "light")).all())
            self.assertTrue(given is None or one is given)
        for call, kind, text in (
                (lambda: frost.blur_batch(images[1:], 1, out=images[:-1]), frost.PixelError, r"out\[\d\] overlaps images\[\d\]"),
                (lambda: frost.blur_batch(memoryview(images[1:]), 1, out=images[:-1]), frost.PixelError,
                 r"out\[\d\] overlaps images\[\d\]"),
                (lambda: frost.blur_batch(images, 1, out=images[:3].copy()), frost.ArgumentError, "3 pictures in out for 4"),
                (lambda: frost.blur_batch(list(images), 1, out=[None]), frost.ArgumentError, "1 arrays in out for 4"),
                (lambda: frost.blur_batch(images, 1, out=images[0].copy()), frost.PixelError, "3 dimensions, but images has four"),
                (lambda: frost.blur_batch(images, 1, out=images.astype(float)), frost.PixelError, r"images\[0\]: out is .*float64"),
                (lambda: frost.blur_batch([pnm(IMAGE)], 1, out=[IMAGE.copy()]), TypeError, "result of an encoded picture is bytes")):
            with self.subTest(text), self.assertRaisesRegex(kind, text):
                call()

    def test_parameters_belong_to_names(self):
        expected = frost.effect(IMAGE, "light", scale=2, edge="mirror", dither=False, linear=True)
        made = frost.effect_batch([IMAGE] * 2, ["light", "light"], scale=2, edge="mirror", dither=False, linear=True)
        self.assertTrue((made[0] == expected).all() and (made[1] == expected).all())
        light = frost.Effect("light")
        for call in (lambda: frost.effect(IMAGE, light, edge="mirror"), lambda: frost.effect_batch([IMAGE], light, dither=True),
                     lambda: frost.effect_batch([IMAGE], [light], scale=2), lambda: frost.effect_encoded(pnm(IMAGE), light, edge="mirror")):
            with self.assertRaisesRegex(TypeError, "already has them"):
                call()

    def test_rounding_of_other_rectangles(self):
        """Regions and extents are rounded outwards as well, and pickles and texts have the rounded ones."""
        place, rounded = numpy.array([1.5, 2.5, 9.2, 7.1], numpy.float32), (1, 2, 10, 8)
        page = frost.Transition("page-curl", extent=place, shadow_extent=place)
        self.assertEqual(page, frost.Transition("page-curl", extent=rounded, shadow_extent=rounded))
        self.assertEqual(eval(repr(page)), page)
        whole = frost.effect(IMAGE, "light")
        for found in (frost.effect(IMAGE, "light", region=place), frost.Renderer().render(IMAGE, "light", region=place).image):
            self.assertTrue((found == whole[2:10, 1:11]).all())


if __name__ == "__main__":
    unittest.main()
