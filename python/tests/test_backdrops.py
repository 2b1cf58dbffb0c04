"""Tests live backdrops, panels and the list of devices."""

import unittest

import numpy

import frost
from support import in_child, noise


class Backdrops(unittest.TestCase):
    def test_panels_show_the_effect_of_the_whole_picture(self):
        """Whatever changes from frame to frame, a panel has the bytes of the rendered picture."""
        picture, random = noise(120, 160, 4), numpy.random.default_rng(3)
        picture[..., 3] = 255
        renderer, glass = frost.Renderer("cpu"), frost.Effect("blur-dark", dither=False)
        for coverage in ("panels", "everywhere"):
            screen = picture.copy()
            with frost.Backdrop(coverage=coverage, threads=2) as backdrop:
                for frame in range(6):
                    x, y = (int(value) for value in random.integers(-10, 60, 2))
                    backdrop.panels = [frost.Panel((x, y, 60, 40), glass, id=7)]
                    damage = slice(y + 50, y + 58), slice(x + 30, x + 40)
                    picture[damage][..., :3] ^= 255
                    backdrop.invalidate((x + 30, y + 50, 10, 8))
                    report = backdrop.render(picture, screen)
                    inside = slice(max(0, y), y + 40), slice(max(0, x), x + 60)
                    self.assertTrue((screen[inside] == renderer.render(picture, glass).image[inside]).all(), frame)
                    self.assertEqual(report.panel_pixels, sum(w * h for _, _, w, h in report.updated))
                self.assertTrue(report.uncovered)
                nothing = backdrop.render(picture, screen)
                self.assertEqual((nothing.level_passes, nothing.panel_pixels, nothing.updated), (0, 0, ()))
                backdrop.invalidate_all()
                self.assertGreater(backdrop.render(picture, screen).panel_pixels, 0)
                self.assertEqual(backdrop.render(picture, screen, repaint="all").buffer_age, 0)
                self.assertEqual(repr(backdrop), "<frost.Backdrop, 1 panels>")

    def test_regions_masks_and_corners(self):
        picture = noise(60, 80, 4)
        screen = numpy.zeros_like(picture)
        with frost.Backdrop() as backdrop:
            backdrop.panels = [frost.Panel((10, 10, 40, 30), frost.gaussian(5), region=[(0, 0, 5, 6), (9, 9, 3, 3)])]
            self.assertEqual(backdrop.render(picture, screen).panel_pixels, 5 * 6 + 3 * 3)
            backdrop.panels = [frost.Panel((10, 10, 40, 30), frost.gaussian(5), region=[])]
            self.assertEqual(backdrop.render(picture, screen).panel_pixels, 0)
            backdrop.panels = [frost.Panel((10, 10, 40, 30), frost.gaussian(5), mask=numpy.zeros((3, 3), numpy.uint8))]
            backdrop.render(picture, screen)
            self.assertTrue((screen[10:40, 10:50] == picture[10:40, 10:50]).all())
            backdrop.panels = [frost.Panel((10, 10, 40, 30), frost.gaussian(5), radius=10, exponent=4)]
            backdrop.render(picture, screen)
            self.assertTrue((screen[10, 10] == picture[10, 10]).all() and (screen[25, 30] != picture[25, 30]).any())

    def test_content_color(self):
        """An automatic colour follows the picture, and is reported when it changes; a colour that was given stays."""
        picture = numpy.zeros((60, 120, 3), numpy.uint8)
        screen = picture.copy()
        with frost.Backdrop() as backdrop:
            backdrop.panels = [
                frost.Panel((5, 10, 30, 30), frost.Effect("gaussian", sigma=3, min_contrast=4.5), id=3),
                frost.Panel((45, 10, 30, 30), frost.Effect("light", min_contrast=3, content_color="#ff0000")),
                frost.Panel((85, 10, 30, 30), "light")]
            self.assertIsNone(backdrop.content_color(0))
            for value, expected in ((0, 1.0), (255, 0.0)):
                picture[:] = value
                backdrop.invalidate_all()
                self.assertEqual(backdrop.render(picture, screen).content_changes, 1)
                self.assertEqual(backdrop.content_color(0), (expected, expected, expected, 1.0))
                self.assertEqual(backdrop.render(picture, screen).content_changes, 0)
            self.assertEqual(backdrop.content_color(1), (1.0, 0.0, 0.0, 1.0))
            self.assertIsNone(backdrop.content_color(2))
            self.assertIsNone(backdrop.content_color(3))
            for index in (-1, 0.5, "0"):
                with self.assertRaises((frost.ArgumentError, TypeError)):
                    backdrop.content_color(index)

    def test_opacity_and_strength(self):
        """Opacity mixes the finished panel with the picture, strength weakens the effect, and at 0 there is no panel."""
        picture = noise(60, 80, 4)
        picture[..., 3] = 255
        black = frost.Effect("gaussian", sigma=4, tint="#000000")
        with frost.Backdrop() as backdrop:
            for opacity in (1, 0.5, 0.25):
                screen = picture.copy()
                backdrop.panels = [frost.Panel((10, 10, 40, 30), black, opacity=opacity)]
                backdrop.render(picture, screen, repaint="all")
                wanted = picture[10:40, 10:50, :3] * (1 - opacity)
                self.assertLessEqual(abs(screen[10:40, 10:50, :3] - wanted).max(), 0.75)
            for fading in ({"opacity": 0}, {"strength": 0}):
                backdrop.panels = [frost.Panel((10, 10, 40, 30), black, **fading)]
                screen = picture.copy()
                self.assertEqual(backdrop.render(picture, screen, repaint="all").panel_pixels, 0)
                self.assertTrue((screen == picture).all())
            backdrop.panels = [frost.Panel((10, 10, 40, 30), black, strength=0.5)]
            backdrop.render(picture, screen, repaint="all")
            weak = frost.effect(picture, "gaussian", sigma=2, tint="#00000080")
            self.assertLessEqual(abs(screen[10:40, 10:50].astype(int) - weak[10:40, 10:50]).max(), 1)

    def test_edges_between_pixels_cover_their_pixels_by_area(self):
        picture = numpy.full((30, 40, 3), 255, numpy.uint8)
        black = frost.Effect("gaussian", sigma=0, tint="#000000")
        with frost.Backdrop() as backdrop:
            screen = picture.copy()
            backdrop.panels = [frost.Panel((10.25, 5.5, 20.5, 10), black)]
            backdrop.render(picture, screen)
        for (y, x), area in {(10, 10): 0.75, (10, 11): 1, (10, 30): 0.75, (5, 20): 0.5, (15, 20): 0.5, (5, 10): 0.375}.items():
            self.assertAlmostEqual(screen[y, x, 0], 255 * (1 - area), delta=0.6)

    def test_stacked_panels_show_what_lies_below_them(self):
        picture = noise(60, 80, 4)
        picture[..., 3] = 255
        window = frost.gaussian(0).with_content(noise(20, 30, 4), mode="center")
        panels = [
            frost.Panel((5, 5, 40, 30), "blur-dark", radius=8), frost.Panel((20, 15, 30, 20), window),
            frost.Panel((15, 10, 60, 45), frost.gaussian(4), opacity=0.75)]
        renderer, below = frost.Renderer("cpu"), picture
        for panel in panels:
            above = below.copy()
            renderer.render_panel(below, panel, above)
            below = above
        for layering, equal in (("stacked", True), ("flat", False)):
            screen = picture.copy()
            with frost.Backdrop(layering=layering) as backdrop:
                backdrop.panels = panels
                backdrop.render(picture, screen)
                self.assertEqual(bool((screen == below).all()), equal, layering)
                self.assertEqual(backdrop.render(picture, screen).panel_pixels, 0)

    def test_a_panel_without_a_backdrop(self):
        picture = noise(60, 80, 4)
        screen, other = picture.copy(), picture.copy()
        panel = frost.Panel((10, 10, 40, 30), "blur-light", radius=8)
        report = frost.Renderer("cpu").render_panel(picture, panel, screen)
        self.assertEqual(report.backend, "cpu")
        with frost.Backdrop() as backdrop:
            backdrop.panels = [panel]
            backdrop.render(picture, other)
        self.assertTrue((screen == other).all() and (screen != picture).any())

    def test_a_panel_without_pixels_has_no_report(self):
        """Nothing was rendered, so there is nothing to measure."""
        picture = noise(60, 80, 4)
        screen, renderer = picture.copy(), frost.Renderer("cpu")
        for panel in (frost.Panel((80, 0, 9, 9), "light"), frost.Panel((0, 0, 9, 9), "light", region=[])):
            self.assertIsNone(renderer.render_panel(picture, panel, screen))
        self.assertTrue((screen == picture).all())
        with self.assertRaisesRegex(TypeError, "out must be"):
            renderer.render_panel(picture, frost.Panel((0, 0, 9, 9), "light"), None)

    def test_panels_are_values(self):
        """Also if their rectangles and masks are arrays."""
        def panel(value, **options):
            return frost.Panel(
                numpy.array([1, 2, 9, 9]), "light", mask=numpy.full((3, 3), value, numpy.uint8), region=[[0, 0, 4, 4]], **options)

        self.assertEqual((panel(5), hash(panel(5))), (panel(5), hash(panel(5))))
        self.assertEqual(len({panel(5), panel(5), panel(6), panel(5, id=1)}), 3)
        self.assertNotEqual(panel(5), "light")
        mask = frost.Mask(noise(3, 3))
        self.assertEqual(frost.Panel((0, 0, 9, 9), "light", mask=mask), frost.Panel([0, 0, 9, 9], "light", mask=mask))

    def test_errors(self):
        picture = noise(60, 80, 4)
        with frost.Backdrop() as backdrop:
            panel = frost.Panel((10, 10, 40, 30), "light", id=3)
            for call, kind, text in (
                    (lambda: setattr(backdrop, "panels", [panel, panel]), frost.Error, "3"),
                    (lambda: setattr(backdrop, "panels", [frost.Panel((0, 0, 9, 9), "light", radius=5)]), frost.ParameterError, "4.5"),
                    (lambda: setattr(backdrop, "panels", [frost.Panel((0, 0, 9, 9), "light", opacity=2)]), frost.ParameterError, "opacity"),
                    (lambda: setattr(backdrop, "panels", [frost.Panel((0, 0, 9, 9), "light", strength=-1)]), frost.ParameterError, "strength"),
                    (lambda: setattr(backdrop, "panels", [panel, (0, 0, 9, 9)]), TypeError, r"panels\[1\] must be a frost.Panel, not tuple"),
                    (lambda: setattr(backdrop, "panels", [frost.Panel((0, 0, 9, 9), "light", region=5)]), TypeError, "region must be a sequence"),
                    (lambda: setattr(backdrop, "panels", 5), TypeError, "panels must be a sequence, not int"),
                    (lambda: frost.Renderer("cpu").render_panel(picture, "light", picture), TypeError, "panel must be a frost.Panel"),
                    (lambda: frost.Backdrop(coverage="all"), ValueError, "panels, everywhere"),
                    (lambda: frost.Backdrop(layering="all"), ValueError, "flat, stacked"),
                    (lambda: backdrop.render(picture, picture), frost.PixelError, "overlap|memory"),
                    (lambda: backdrop.render(picture, picture[:, ::-1].copy(), repaint="none"), ValueError, "changed, all, aged"),
                    (lambda: backdrop.render(picture, picture.copy()[::-1]), frost.LayoutError, "out has rows"),
                    (lambda: backdrop.invalidate((1, 2, 3)), ValueError, "3 numbers"),
                    (lambda: backdrop.invalidate((20, 20, -10, 5)), frost.ParameterError, "negative side")):
                with self.subTest(text), self.assertRaisesRegex(kind, text):
                    call()
            self.assertEqual(backdrop.panels, ())

            def child():
                with self.assertRaisesRegex(frost.ForkedError, "before the fork"):
                    backdrop.invalidate_all()

            in_child(self, child)


class Devices(unittest.TestCase):
    def test_usable_devices_open(self):
        try:
            listed = frost.devices()
        except frost.NoDeviceError as error:
            self.skipTest(str(error))
        self.assertEqual([info.index for info in listed], list(range(len(listed))))
        for info in listed:
            self.assertEqual(info.status == "unusable", bool(info.reason), info)
            if info.status == "usable":
                report = frost.Renderer("gpu", device=str(info.index)).render(noise(9, 9, 4), "light").report
                self.assertEqual(report.backend, "gpu")


class Margins(unittest.TestCase):
    def test_a_change_spreads_no_further_than_its_margin(self):
        image = noise(200, 300, 3)
        for effect in (frost.gaussian(3), frost.gaussian(9, 2), frost.Effect("blur-dark", dither=False)):
            x, y = effect.damage_expansion(image)
            changed = image.copy()
            changed[100, 150] ^= 255
            difference = (frost.effect(changed, effect) != frost.effect(image, effect)).any(2)
            rows, columns = numpy.flatnonzero(difference.any(1)), numpy.flatnonzero(difference.any(0))
            self.assertTrue(100 - y <= rows.min() and rows.max() <= 100 + y)
            self.assertTrue(150 - x <= columns.min() and columns.max() <= 150 + x)


if __name__ == "__main__":
    unittest.main()
