"""Calls everything with arguments of all kinds, most of them wrong. Every call must return, or raise an error about its
arguments; a crash ends the test."""

import faulthandler
import random
import unittest

import numpy

import frost
from support import EVERY_CASE, noise

IMAGE = noise(12, 14, 4)
CLOSED = frost.Renderer("cpu")
CLOSED.close()
RIGHT = [IMAGE, IMAGE[::-1], IMAGE[:, ::2], IMAGE[..., 0], IMAGE[..., :3], IMAGE[..., :2], IMAGE / 255, memoryview(IMAGE)]
PICTURES = RIGHT * 2 + [
    IMAGE.astype(numpy.float32) * numpy.nan, IMAGE.astype(int), IMAGE[:0], IMAGE[..., :0], numpy.zeros(5, numpy.uint8),
    numpy.float32(3), None, "x", b"abc", 3, [1], numpy.broadcast_to(IMAGE[:1], IMAGE.shape),
    numpy.lib.stride_tricks.as_strided(IMAGE, (5, 5, 4), (1, 4, 1)), IMAGE > 3, numpy.array(["a"]), object(), {}]
NUMBERS = [0, 1, 2.5, -1, float("nan"), float("inf"), 1e308, 1001, "3", None, [1], numpy.float32(2), 2**70, True, 1j]
RECTS = [
    None, (0, 0, 5, 5), (-3, -3, 30, 30), (0, 0, 0, 0), (0, 0, -5, 2), (2**31, 0, 1, 1), (1, 2, 3), "abcd", 5,
    (1.5, 0, 2, 2), numpy.array([1, 1, 4, 4]), (9000, -9000, 5, 5)]
EFFECTS = [
    "light", "gaussian", "variable", "zoom", "redact", "nope", "", "light\0", "\udc80", None, 3, frost.gaussian(2),
    frost.Transition("dissolve"), frost.gaussian(3).clipped(frost.Shape(0, 0, 5, 5)), frost.gaussian(2, edge="clear")]
MASKS = [None, IMAGE[..., 0], frost.Mask(IMAGE), 3, "m", IMAGE[:0], IMAGE / 255]
WORDS = [None, "rgba", "bgra", "rgb", "grey", "nope", 3, "straight", "premultiplied", "clamp", "clear"]
THREADS = [None, 0, 1, 2, -1, 257, 2**40, "2", 1.5]
DTYPES = [numpy.uint8, "float32", "float16", object, "U4", [("a", "u1")], float, None, "nope", 3]
AXES = [None, 0, 1, 2, -1, 3, "x"]


class Misuse(unittest.TestCase):
    def test_calls_return_or_raise(self):
        faulthandler.enable()
        pick = random.Random(5)
        one = pick.choice
        renderer = frost.Renderer("cpu", threads=1)
        queue, backdrop, animator = frost.Queue(renderer, depth=4), frost.Backdrop(), frost.Animator()

        def some(**choices):
            return {name: one(values) for name, values in choices.items() if pick.random() < 0.4}

        def panel():
            return frost.Panel(one(RECTS), one(EFFECTS), **some(
                radius=NUMBERS, smoothing=NUMBERS, exponent=NUMBERS, mask=MASKS, region=[None, [], RECTS, [RECTS[1]]], id=NUMBERS,
                opacity=NUMBERS, strength=NUMBERS))

        def draw():
            backdrop.panels = [panel() for _ in range(pick.randrange(3))]
            backdrop.invalidate(one(RECTS))
            backdrop.render(one(PICTURES), one([IMAGE.copy(), *PICTURES]), **some(
                repaint=["all", "changed", "aged", "x"], buffer=NUMBERS, buffer_age=NUMBERS, channels=WORDS, alpha=WORDS))

        calls = [
            lambda: frost.blur(one(PICTURES), one(NUMBERS), **some(
                mask=MASKS, rects=RECTS + [[RECTS[1], RECTS[2]]], feather=NUMBERS, ellipse=[True, 3], region=RECTS, edge=WORDS, alpha=WORDS, channels=WORDS, axis=AXES, out=PICTURES, threads=THREADS, backend=["exact", "x"])),
            lambda: frost.effect(one(PICTURES), one(EFFECTS), **some(
                mask=MASKS, rects=RECTS, invert_rects=[True], region=RECTS, alpha=WORDS, axis=AXES, out=PICTURES, threads=THREADS,
                edge=WORDS, radius=NUMBERS)),
            lambda: frost.transition(one(PICTURES), one(PICTURES), one(["dissolve", "page-curl", "x", 3]), one(NUMBERS), **some(
                mask=MASKS, shading=PICTURES, backside=PICTURES, region=RECTS, out=PICTURES, channels=WORDS)),
            lambda: frost.blur_batch(one([RIGHT, [one(PICTURES)], one(PICTURES), noise(2, 9, 9, 3)]), one(NUMBERS + [[1, 2]]), **some(
                rects=RECTS + [RECTS, [RECTS]], mask=[*MASKS, MASKS], out=[*PICTURES, RIGHT, [None]], errors=["raise", "return", "x"], axis=AXES, threads=THREADS)),
            lambda: one([renderer, CLOSED]).render(one(PICTURES), one(EFFECTS), **some(
                out=PICTURES, region=RECTS, mask=MASKS, channels=WORDS, alpha=WORDS, error_budget=NUMBERS)),
            lambda: queue.submit(one(PICTURES), one(EFFECTS), **some(region=RECTS, mask=MASKS)).result(timeout=60),
            draw,
            lambda: renderer.render_panel(one(PICTURES), panel(), IMAGE.copy()),
            lambda: frost.gaussian(2).with_content(one(PICTURES), **some(
                vibrancy=["label", "x", 3], mode=["center", "x", 3], bounds=RECTS, channels=WORDS)),
            lambda: frost.Effect("light").clipped(frost.Shape(
                *(one(NUMBERS) for _ in range(4)), **some(radius=NUMBERS, smoothing=NUMBERS, exponent=NUMBERS))),
            lambda: frost.Renderer(one(["cpu", "x", 3]), **some(threads=THREADS, gpu_timeout=NUMBERS)),
            lambda: frost.Queue(one([renderer, CLOSED, 3]), **some(depth=NUMBERS, concurrency=NUMBERS)),
            lambda: renderer.empty(one([(one(NUMBERS), 3), (2, one(NUMBERS), 4), one(NUMBERS)]), one(DTYPES)),
            lambda: animator.add_item(one(EFFECTS), (one(NUMBERS), 3), (one(NUMBERS), one(NUMBERS)), one(NUMBERS)),
            lambda: frost.effect_batch(one(RIGHT), one(EFFECTS)),
            lambda: frost.gaussian(one(NUMBERS), one(NUMBERS)).damage_expansion(one(PICTURES)),
        ]
        returned = 0
        for number in range(50_000 if EVERY_CASE else 3000):
            try:
                one(calls)()
                returned += 1
            except (frost.Error, TypeError, ValueError) as error:
                self.assertTrue(str(error), number)
        self.assertGreater(returned, 50)


if __name__ == "__main__":
    unittest.main()
