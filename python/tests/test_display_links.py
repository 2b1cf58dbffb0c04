"""Tests of display links: their ticks, clocks and ends."""

import copy
import pickle
import threading
import time
import unittest
from fractions import Fraction

import frost


class DisplayLinks(unittest.TestCase):
    def test_a_virtual_link_has_exact_times_and_does_not_wait(self):
        rate = Fraction(60000, 1001)
        link, start, ticks = frost.DisplayLink(rate, source="virtual"), time.monotonic(), []
        for tick in link:
            ticks.append(tick)
            if len(ticks) == 600:
                break
        self.assertLess(time.monotonic() - start, 5)
        for index, tick in enumerate(ticks):
            self.assertEqual(tick.frame_index, index)
            self.assertEqual(tick.timestamp, int(index * 10**9 / rate))
            self.assertEqual(tick.target_timestamp, int((index + 1) * 10**9 / rate))
            self.assertEqual(tick.dropped, 0)

    def test_a_frame_interval_and_a_pause_skip_refreshes(self):
        link = frost.DisplayLink(100, source="virtual", frame_interval=3)
        self.assertEqual([link.advance() is not None for _ in range(7)], [True, False, False, True, False, False, True])
        link.frame_interval = 1
        self.assertIsNotNone(link.advance())
        link.paused = True
        self.assertTrue(link.paused)
        self.assertIsNone(link.advance(5))
        with self.assertRaisesRegex(frost.ArgumentError, "paused"):
            next(iter(link))
        link.paused = False
        self.assertEqual(link.advance().dropped, 0)
        # Refreshes of one call make one tick, and the others are dropped.
        self.assertEqual(link.advance(4).dropped, 3)

    def test_a_manual_link_takes_the_program_s_times(self):
        link = frost.DisplayLink(50, source="manual")
        self.assertEqual(link.tick(1000).timestamp, 1000)
        tick = link.tick(60_001_000, 3)
        self.assertEqual((tick.frame_index, tick.timestamp, tick.dropped), (3, 60_001_000, 2))
        self.assertEqual(tick.target_timestamp, 80_001_000)
        with self.assertRaises(frost.ArgumentError):
            link.tick(0)
        with self.assertRaisesRegex(frost.ArgumentError, "no loop"):
            next(iter(link))
        for refreshes in (0, -1, 10**9 + 1):
            with self.assertRaises(frost.ArgumentError):
                link.tick(10**9, refreshes)

    def test_a_timer_waits_for_refreshes_and_counts_those_that_it_drops(self):
        seen, start = [], time.monotonic_ns()
        with frost.DisplayLink(50) as link:
            self.assertGreaterEqual(link.fileno(), 0)
            for tick in link:
                seen.append(tick)
                if len(seen) == 5:
                    break
                time.sleep(0.07 if len(seen) == 2 else 0)
        # Refresh n is not delivered before its time. How late it is depends on the machine.
        self.assertGreaterEqual(time.monotonic_ns() - start, 20_000_000 * (seen[-1].frame_index - 1))
        self.assertGreaterEqual(seen[2].dropped, 1)
        for before, tick in zip(seen, seen[1:]):
            self.assertEqual(tick.frame_index, before.frame_index + 1 + tick.dropped)

    def test_an_end_stops_the_loops_of_other_threads(self):
        link, counts = frost.DisplayLink(0.01), []
        threads = [threading.Thread(target=lambda: counts.append(len(list(link)))) for _ in range(2)]
        for thread in threads:
            thread.start()
        time.sleep(0.02)
        link.invalidate()
        for thread in threads:
            thread.join(10)
            self.assertFalse(thread.is_alive())
        self.assertEqual(counts, [0, 0])
        with self.assertRaises(frost.CancelledError):
            link.wait()

    def test_timeouts_and_misuse(self):
        link = frost.DisplayLink(0.01)
        with self.assertRaises(frost.NotReadyError):
            link.wait(0.12)
        with self.assertRaises(frost.NotReadyError):
            link.dispatch()
        for attempt in (copy.copy, pickle.dumps):
            with self.assertRaisesRegex(TypeError, "frost.DisplayLink"):
                attempt(link)
        self.assertEqual(repr(link), "frost.DisplayLink(Fraction(1, 100), source='timer')")
        for rate in (0, -1, 1001, float("nan"), float("inf")):
            with self.assertRaises(frost.ParameterError):
                frost.DisplayLink(rate)
        with self.assertRaises(frost.ParameterError):
            frost.DisplayLink(Fraction(2**31, 2**31 - 1))
        for source in ("thread", "clock", None):
            with self.assertRaises(frost.ArgumentError):
                frost.DisplayLink(source=source)
        with self.assertRaises(TypeError):
            frost.DisplayLink("60")
        # Errors have the words of Python.
        for source in ("thread", "clock"):
            with self.assertRaisesRegex(frost.ArgumentError, rf"^source cannot be '{source}' \(allowed: timer, manual, virtual\)$"):
                frost.DisplayLink(source=source)
        made = {source: frost.DisplayLink(0.01, source=source) for source in ("timer", "manual", "virtual")}
        for source, other in made.items():
            for name, needed in (
                    ("wait", "timer"), ("dispatch", "timer"), ("fileno", "timer"), ("tick", "manual"), ("advance", "virtual")):
                call = getattr(other, name)
                if source != needed:
                    with self.assertRaisesRegex(frost.ArgumentError, rf"^{name}\(\) needs .*'{needed}'.* '{source}'$"):
                        call(0) if name == "tick" else call()
        link.close()
        with self.assertRaises(frost.ArgumentError):
            link.wait()

    def test_the_progress_of_an_animation_is_its_elapsed_part(self):
        self.assertEqual([frost.animation_progress(100, 400, time) for time in (0, 100, 200, 500, 900)], [0, 0, 0.25, 1, 1])
        self.assertEqual(frost.animation_progress(5, 0, 5), 1)
        with self.assertRaises(frost.Error):
            frost.animation_progress(0, -1, 0)


if __name__ == "__main__":
    unittest.main()
