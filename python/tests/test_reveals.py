"""Tests masked reveals, and updates at an interval."""

import copy
import pickle
import threading
import time
import unittest

import numpy

import frost
from support import noise


class Reveals(unittest.TestCase):
    def test_frames_show_the_effect_inside_shapes(self):
        """Inside a shape a frame has the bytes of the effect, outside it those of the picture."""
        renderer, effect = frost.Renderer("cpu"), frost.Effect("blur-dark", dither=False)
        for picture, extra in ((noise(40, 60, 3), {}), (noise(40, 60, 4), {"channels": "bgra"}),
                               (noise(40, 60, 4), {"alpha": "premultiplied"}), (noise(40, 60, 2).astype(numpy.uint16), {})):
            expected = renderer.render(picture, effect, **extra).image
            reveal = frost.Reveal(renderer, picture, effect, **extra)
            self.assertGreater(reveal.report.passes, 0)
            whole = reveal.frame(frost.Shape(0, 0, 60, 40))
            self.assertTrue((whole == expected).all() and whole.dtype == picture.dtype, extra)
            out = numpy.full((40, 80) + expected.shape[2:], 7, expected.dtype)[:, :60]
            for x in range(-10, 60, 7):
                self.assertIs(reveal.frame(frost.Shape(x, 5, 20, 30), out=out), out)
                wanted = reveal.frame()
                inside = slice(5, 35), slice(max(0, x), x + 20)
                wanted[inside] = expected[inside]
                self.assertTrue((out == wanted).all(), (extra, x))
            self.assertTrue((out.base[:, 60:] == 7).all())
            if expected.shape == picture.shape:
                self.assertTrue((reveal.frame() == picture).all())
            self.assertFalse((reveal.frame() == expected).all())

    def test_the_picture_is_copied_and_masks_count(self):
        picture = noise(30, 40, 3)
        original = picture.copy()
        reveal = frost.Reveal(frost.Renderer("cpu"), picture, "variable", mask=numpy.zeros((3, 3), numpy.uint8))
        picture[:] = 0
        self.assertTrue((reveal.frame(frost.Shape(0, 0, 40, 30)) == original).all())

    def test_misuse(self):
        renderer, picture = frost.Renderer("cpu"), noise(30, 40, 3)
        with self.assertRaisesRegex(TypeError, "Renderer"):
            frost.Reveal(picture, picture, "light")
        with self.assertRaisesRegex(frost.ParameterError, "larger"):
            frost.Reveal(renderer, picture, "ci-gaussian")
        cancellation = frost.Cancellation()
        cancellation.cancel()
        with self.assertRaises(frost.CancelledError):
            frost.Reveal(renderer, picture, "light", cancellation=cancellation)
        reveal = frost.Reveal(renderer, picture, "light")
        with self.assertRaises(frost.PixelError):
            reveal.frame(out=numpy.zeros((30, 41, 3), numpy.uint8))
        with self.assertRaises(frost.PixelError):
            reveal.frame(out=numpy.zeros((30, 40, 3), numpy.uint16))
        with self.assertRaises(frost.ParameterError):
            reveal.frame(frost.Shape(0, 0, -1, 5))
        for attempt in (copy.copy, pickle.dumps):
            with self.assertRaisesRegex(TypeError, "frost.Reveal"):
                attempt(reveal)
        self.assertEqual(repr(reveal), "<frost.Reveal, 30x40>")
        reveal.close()
        with self.assertRaisesRegex(frost.ArgumentError, "closed"):
            reveal.frame()


class Timers(unittest.TestCase):
    def test_ticks_are_dropped_and_not_queued(self):
        seen, start = [], time.monotonic()
        with frost.UpdateTimer(0.02) as timer:
            for tick in timer:
                self.assertGreaterEqual(time.monotonic() - start, 0.02 * tick.number - 0.001)
                seen.append(tick)
                if len(seen) == 6:
                    break
                time.sleep(0.05 if len(seen) == 3 else 0)
        self.assertEqual(seen[0], (0, 0))
        self.assertGreaterEqual(seen[3].dropped, 1)
        for before, tick in zip(seen, seen[1:]):
            self.assertEqual(tick.number, before.number + 1 + tick.dropped)

    def test_a_cancellation_ends_the_loops_of_all_threads(self):
        timer, counts = frost.UpdateTimer(3600), []
        threads = [threading.Thread(target=lambda: counts.append(len(list(timer)))) for _ in range(3)]
        for thread in threads:
            thread.start()
        time.sleep(0.02)
        timer.cancel()
        for thread in threads:
            thread.join(10)
            self.assertFalse(thread.is_alive())
        # One of the threads had the first tick.
        self.assertEqual(sorted(counts), [0, 0, 1])
        with self.assertRaises(frost.CancelledError):
            timer.wait()

    def test_timeouts_and_misuse(self):
        timer = frost.UpdateTimer(86400)
        self.assertEqual(timer.wait(0), (0, 0))
        start = time.monotonic()
        with self.assertRaises(frost.NotReadyError):
            timer.wait(0.15)
        self.assertGreaterEqual(time.monotonic() - start, 0.14)
        for interval in (0, -1, 1e-4, 86401, float("nan"), float("inf")):
            with self.assertRaises(frost.ParameterError):
                frost.UpdateTimer(interval)
        with self.assertRaises(TypeError):
            copy.copy(timer)
        self.assertEqual(repr(timer), "frost.UpdateTimer(86400.0)")
        timer.close()
        with self.assertRaises(frost.ArgumentError):
            timer.wait()


if __name__ == "__main__":
    unittest.main()
