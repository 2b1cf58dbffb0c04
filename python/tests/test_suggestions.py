"""Tests that errors about names suggest the few that are probably meant."""

import unittest

import numpy

import frost

IMAGE = numpy.zeros((9, 9, 3), numpy.uint8)
FILE = b"P6 9 9 255\n" + bytes(243)


class Suggestions(unittest.TestCase):
    def refused(self, kind, text, call):
        with self.assertRaises(kind) as caught:
            call()
        self.assertIn(text, str(caught.exception))
        self.assertLess(len(str(caught.exception)), 160)

    def test_arguments(self):
        for word, name in (
                ("sgima", "sigma"), ("sigmas", "sigma"), ("radius", "sigma"), ("ksize", "sigma"), ("Sigma", "sigma"), ("rect", "rects"),
                ("boxes", "rects"), ("bbox", "rects"), ("regions", "rects"), ("border", "edge"), ("border_mode", "edge"),
                ("borderType", "edge"), ("mode", "edge or channels"), ("nthreads", "threads"), ("workers", "threads"),
                ("device", "backend"), ("bakend", "backend"), ("dst", "out"), ("channel_axis", "axis"), ("masks", "mask"),
                ("inverse", "invert_rects"), ("crop", "region")):
            self.refused(TypeError, f"blur() has no argument {word} (did you mean {name}?)", lambda: frost.blur(IMAGE, **{word: 3}))
        for word, call in (
                ("sgima", lambda: frost.blur(IMAGE, sgima=3)), ("regoin", lambda: frost.blur(IMAGE, 3, regoin=(0, 0, 1, 1))),
                ("region", lambda: frost.blur_batch([IMAGE], 3, region=(0, 0, 1, 1))),
                ("qualtiy", lambda: frost.blur_encoded(FILE, 3, qualtiy=3)), ("mode", lambda: frost.gaussian(3, mode="mirror")),
                ("workers", lambda: frost.Renderer(workers=3)), ("output", lambda: frost.Renderer().render(IMAGE, "light", output=IMAGE)),
                ("dst", lambda: frost.Queue(frost.Renderer()).submit(IMAGE, "light", dst=IMAGE))):
            self.refused(TypeError, f"() has no argument {word} (did you mean ", call)
        for word, name, call in (
                ("sgima", "sigma", lambda: frost.compat.gaussian_filter(IMAGE, sgima=1)),
                ("kszie", "ksize", lambda: frost.compat.GaussianBlur(IMAGE, kszie=(0, 0), sigmaX=1)),
                ("chanel_axis", "channel_axis", lambda: frost.compat.gaussian(IMAGE, chanel_axis=2)),
                ("radius", "sigma", lambda: frost.RandomBlur(radius=3)), ("border", "edge", lambda: frost.RandomBlur(border="mirror")),
                ("radius", "sigma", lambda: frost.PillowFilter(radius=3)), ("boxes", "rects", lambda: frost.PillowFilter(3, boxes=[])),
                ("border", "border_type", lambda: frost.compat.gaussian_blur2d(IMAGE, 3, (1, 1), border="reflect"))):
            self.refused(TypeError, f"() has no argument {word} (did you mean {name}", call)
        for word, call, name in (
                ("depth", lambda **given: frost.blur_encoded(FILE, 3, **given), "encoding=frost.Encoding(depth=...) or mask"),
                ("lossless", lambda **given: frost.blur_encoded(FILE, 3, **given), "encoding=frost.Encoding(lossless=...)"),
                ("max_pixels", lambda **given: frost.blur_encoded(FILE, 3, **given), "decoding=frost.Decoding(max_pixels=...)"),
                ("format", lambda **given: frost.blur_batch([FILE], 3, **given), "encoding=frost.Encoding(format=...)"),
                ("edge_mode", lambda **given: frost.blur(IMAGE, 3, **given), "edge"),
                ("qualty", lambda **given: frost.Encoding("webp", **given), "quality"),
                ("maxside", lambda **given: frost.Decoding(**given), "max_side"),
                ("concurency", lambda **given: frost.Queue(frost.Renderer(), **given), "concurrency"),
                ("raduis", lambda **given: frost.Shape(1, 1, 5, 5, **given), "radius"),
                ("workers", lambda **given: frost.Backdrop(**given), "threads")):
            self.refused(TypeError, f"() has no argument {word} (did you mean {name}?)", lambda: call(**{word: 3}))
        for word in ("region", "crop"):
            for call in (lambda **given: frost.blur_batch([IMAGE], 3, **given), lambda **given: frost.blur_encoded(FILE, 3, **given)):
                self.refused(TypeError, f"no argument {word} (did you mean rects? only frost.blur() and frost.effect() crop",
                             lambda: call(**{word: (0, 0, 1, 1)}))
        self.refused(frost.ParameterError, "no parameter lossless (did you mean encoding=frost.Encoding(lossless=...)?)",
                     lambda: frost.effect_encoded(FILE, "light", lossless=True))
        self.refused(TypeError, "blur() has no argument wavelength", lambda: frost.blur(IMAGE, 3, wavelength=3))
        with self.assertRaisesRegex(TypeError, "required positional argument: 'sigma'"):
            frost.blur(IMAGE)

    def test_parameters_and_arguments_of_effects(self):
        for call in (
                lambda **given: frost.effect(IMAGE, "light", **given), lambda **given: frost.effect_batch([IMAGE], "light", **given),
                lambda **given: frost.effect_encoded(FILE, "light", **given)):
            for word, name in (("scael", "scale"), ("boxes", "rects"), ("border_mode", "edge"), ("nthreads", "threads"),
                               ("mni_contrast", "min_contrast"), ("linaer", "linear")):
                # The kind of the value is no matter.
                for value in (3, [1], "a b"):
                    self.refused(frost.ParameterError, f"no parameter {word} (did you mean {name}?)", lambda: call(**{word: value}))
        self.refused(frost.ParameterError, "the effect variable has no parameter sigma (did you mean radius?)",
                     lambda: frost.Effect("variable", sigma=2))
        self.refused(frost.ParameterError, "the effect light has no parameter dihter (did you mean dither?)",
                     lambda: frost.Effect("light", dihter=True))
        self.refused(frost.ParameterError, "the effect redact has no parameter wavelength; the parameters are cell, shift,",
                     lambda: frost.Effect("redact", wavelength=1))
        self.refused(frost.ParameterError, "the transition flash has no parameter fade_treshold (did you mean fade_threshold?)",
                     lambda: frost.Transition("flash", fade_treshold=1))
        self.refused(frost.ParameterError, "no parameter shadng (did you mean shading?)",
                     lambda: frost.transition(IMAGE, IMAGE, "page-curl", 0.5, shadng=IMAGE))

    def test_effects_by_keyword(self):
        self.assertTrue((frost.effect(IMAGE, effect="light") == frost.effect(IMAGE, "light")).all())
        self.assertEqual(frost.effect_encoded(FILE, effect="light"), frost.effect_encoded(data=FILE, effect="light"))
        self.assertEqual(len(frost.effect_batch(images=[IMAGE], effect="light")), 1)
        self.assertEqual(frost.transition(IMAGE, IMAGE, transition="dissolve", time=0.5).shape, (9, 9, 3))
        self.refused(frost.ParameterError, "no parameter scael (did you mean scale?)", lambda: frost.effect(IMAGE, effect="light", scael=2))

    def test_names(self):
        for call, text in (
                (lambda: frost.effect(IMAGE, "lihgt"), "unknown effect lihgt (did you mean light?)"),
                (lambda: frost.effect_encoded(FILE, "lihgt"), "unknown effect lihgt (did you mean light?)"),
                (lambda: frost.Effect("material-thin"), "(did you mean material-thin-light or material-thin-dark or "),
                (lambda: frost.Effect("elephant"), "unknown effect elephant; the effects are gaussian, "),
                (lambda: frost.transition(IMAGE, IMAGE, "disolve", 0.5), "unknown transition disolve (did you mean dissolve?)"),
                (lambda: frost.Effect("x" * (1 << 20)), "unknown effect xxx")):
            with self.assertRaises(frost.ParameterError) as caught:
                call()
            self.assertIn(text, str(caught.exception))
        self.refused(frost.ArgumentError, "edge cannot be 'miror' (allowed: clamp, mirror, ", lambda: frost.blur(IMAGE, 3, edge="miror"))


if __name__ == "__main__":
    unittest.main()
