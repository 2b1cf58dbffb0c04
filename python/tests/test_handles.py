"""Tests how objects live: copies, pickles, closing, comparing, and waiting in asyncio."""

import asyncio
import copy
import gc
import os
import pickle
import signal
import subprocess
import sys
import threading
import unittest
import weakref
from unittest import mock

import numpy

import frost
from support import in_child, noise

ICON = numpy.full((4, 5, 4), 200, numpy.uint8)


def effects():
    plain = frost.Effect("light", scale=2, dither=False)
    yield from (
        plain, frost.Effect("gaussian", sigma=3, edge="mirror"), frost.gaussian(3, 5, edge="repeat", dither=True, linear=True),
        plain.with_content(ICON, vibrancy="label", mode="center", bounds=(1, 2, 9, 8)),
        plain.with_content(ICON[..., 0]).with_content(ICON, alpha="premultiplied", channels="bgra"),
        frost.gaussian(4).clipped(frost.Shape(1, 2, 20, 15, radius=3, smoothing=0.6), frost.Shape(30, 2, 5, 5)),
        frost.gaussian(4).clipped())


def transitions():
    yield from (
        frost.Transition("dissolve"), frost.Transition("swipe", angle=30, width=9, extent=(1, 2, 30, 20), linear=True),
        frost.Transition("page-curl", angle=135, shadow_extent=numpy.array([0, 0, 9, 9])))


class Values(unittest.TestCase):
    def test_pickles_are_equal(self):
        image = noise(30, 40, 4)
        renderer = frost.Renderer("cpu")
        for value in [*effects(), *transitions()]:
            for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
                back = pickle.loads(pickle.dumps(value, protocol))
                self.assertEqual((back, hash(back), repr(back)), (value, hash(value), repr(value)))
            if isinstance(value, frost.Effect):
                self.assertTrue((renderer.render(image, back).image == renderer.render(image, value).image).all())
        self.assertEqual(len(set(effects()) | set(effects())), len(list(effects())))
        changed = frost.gaussian(1).with_content(ICON + 1)
        self.assertNotEqual(changed, frost.gaussian(1).with_content(ICON))
        self.assertEqual(pickle.loads(pickle.dumps({"key": list(effects())[2]}))["key"], list(effects())[2])

    def test_pickles_keep_content_that_changes_later(self):
        picture = ICON.copy()
        effect = frost.gaussian(1).with_content(picture)
        picture[...] = 0
        self.assertEqual(pickle.loads(pickle.dumps(effect)), frost.gaussian(1).with_content(ICON))

    def test_copies_outlive_their_originals(self):
        """Copies used to point to the destroyed object."""
        image, mask = noise(30, 40, 4), noise(5, 5)
        renderer = frost.Renderer("cpu")
        for duplicate in (copy.copy, copy.deepcopy):
            for make, render in (
                    (lambda: frost.Effect("light"), lambda one: renderer.render(image, one).image),
                    (lambda: frost.Transition("swipe"), lambda one: renderer.transition(image, image[::-1].copy(), one, 0.4).image),
                    (lambda: frost.Mask(mask), lambda one: renderer.render(image, frost.Effect("variable", radius=9), mask=one).image)):
                expected = render(make())
                original = make()
                copied = duplicate(original)
                del original
                gc.collect()
                # Memory that was freed would be used again here.
                others = [make() for _ in range(50)]
                self.assertTrue((render(copied) == expected).all())
                del others
        copied = copy.copy(renderer)
        renderer.close()
        self.assertIsNot(copied, renderer)
        self.assertEqual(copied.render(image, "light").image.shape, image.shape)

    def test_renderers_pickle_as_their_configuration(self):
        renderer = frost.Renderer("exact", threads=3)
        back = pickle.loads(pickle.dumps(renderer))
        self.assertEqual(repr(back), "<frost.Renderer('exact', threads=3)>")
        self.assertNotEqual(back, renderer)
        self.assertEqual(back.render(noise(9, 9), "light").report.backend, "exact")
        with self.assertRaises(frost.NoDeviceError):
            frost.Renderer("gpu", device="no GPU has this name")

    def test_what_belongs_to_its_process_is_neither_copied_nor_pickled(self):
        queue = frost.Queue(frost.Renderer("cpu"))
        ticket = queue.submit(noise(9, 9), "light")
        ticket.result(timeout=60)
        for value in (queue, ticket, frost.Cancellation(), frost.Backdrop()):
            for act in (copy.copy, copy.deepcopy, pickle.dumps):
                with self.assertRaisesRegex(TypeError, f"frost.{type(value).__name__} can be neither copied nor pickled"):
                    act(value)
        with self.assertRaisesRegex(TypeError, "frost.Mask cannot be pickled"):
            pickle.dumps(frost.Mask(noise(9, 9)))

    def test_texts(self):
        for value, text in (
                (frost.Effect("zoom", center_x=0.25, dither=True), "frost.Effect('zoom', center_x=0.25, dither=True)"),
                (frost.gaussian(3), "frost.gaussian(3.0)"), (frost.gaussian(3, 4, linear=True), "frost.gaussian(3.0, 4.0, linear=True)"),
                (frost.Renderer("cpu"), "<frost.Renderer('cpu')>"),
                (frost.Queue(frost.Renderer("cpu"), depth=3), "<frost.Queue, depth=3, 0 unfinished>"),
                (frost.Backdrop(), "<frost.Backdrop, 0 panels>"), (frost.Mask(noise(3, 4)), "frost.Mask(<3x4>)")):
            self.assertEqual(repr(value), text)
        for value in [*effects(), *transitions()]:
            if "<" not in repr(value):
                self.assertEqual(eval(repr(value), {"frost": frost, "Shape": frost.Shape}), value)


class Numbers(unittest.TestCase):
    def test_zero_is_no_default(self):
        """In the structs of C, 0 stands for a default. Python has None or the number for it."""
        renderer = frost.Renderer()
        for depth in (0, -1, 1025, False):
            with self.assertRaisesRegex(frost.ParameterError, r"^depth \S+ is out of range \(allowed: 1 to 1024\)$"):
                frost.Queue(renderer, depth=depth)
        self.assertEqual(repr(frost.Queue(renderer, depth=numpy.int64(3))), "<frost.Queue, depth=3, 0 unfinished>")
        for timeout in (0, 0.0, -1, 1e-4):
            with self.assertRaisesRegex(frost.ParameterError, r"timeout \S+ is out of range \(allowed: 0.001 to 86400\)$"):
                frost.Renderer(gpu_timeout=timeout)

    def test_texts_without_a_form_in_utf_8(self):
        """Half of a surrogate pair is an error of the package. In a path it stands for a byte, but these files are missing."""
        image, half = noise(9, 9, 3), "a\udc80"
        for call in (
                lambda: frost.effect(image, half), lambda: frost.Effect(half), lambda: frost.Transition(half),
                lambda: frost.Effect("light", edge=half), lambda: frost.Effect("light", **{half: 1}),
                lambda: frost.Renderer(device=half), lambda: frost.gaussian(1).with_content(image, mode=half),
                lambda: frost.Scene(half), lambda: frost.Scene({"size": half}), lambda: frost.Animator().item(half),
                lambda: frost.Animator().add(half), lambda: frost.blur_encoded(b"P5 1 1 255\na", 1, format=half),
                lambda: frost.blur_encoded(b"P5 1 1 255\na", 1, rects=half),
                lambda: frost.blur_encoded(b"P5 1 1 255\na", 1, decoding=frost.Decoding(allow=[half])),
                lambda: frost.Scene.open(half), lambda: frost.Boxes(half), lambda: frost.Scene.open("\ud800"),
                lambda: frost.Boxes("\ud800"), lambda: frost.Scene({}, "\ud800")):
            with self.assertRaises(frost.Error):
                call()


class Closing(unittest.TestCase):
    def test_closed_objects_say_so(self):
        image = noise(9, 9)
        with frost.Renderer("cpu") as renderer, frost.Backdrop() as backdrop, frost.Cancellation() as cancellation:
            with frost.Queue(renderer) as queue:
                ticket = queue.submit(image, "light")
        for call, name in (
                (lambda: renderer.render(image, "light"), "renderer"), (lambda: frost.Queue(renderer), "renderer"),
                (lambda: queue.submit(image, "light"), "queue"), (lambda: len(queue), "queue"), (queue.wait, "queue"),
                (lambda: backdrop.invalidate_all(), "backdrop"), (cancellation.cancel, "cancellation"),
                (lambda: frost.Renderer("cpu").render(image, "light", cancellation=cancellation), "cancellation"),
                (lambda: renderer.__enter__(), "renderer")):
            with self.assertRaisesRegex(frost.ArgumentError, f"the {name} is closed"):
                call()
        for one in (renderer, queue, backdrop, cancellation):
            one.close()
            self.assertTrue(one.closed)
        self.assertEqual(ticket.result().image.shape, (9, 9))
        self.assertIn("closed", repr(renderer) + repr(queue))

    def test_closing_during_a_call(self):
        """The call ends as if the renderer were open."""
        image = noise(400, 400, 4)
        expected = frost.blur(image, 20)
        for _ in range(20):
            renderer = frost.Renderer("cpu", threads=1)
            results = []

            def work():
                try:
                    while True:
                        results.append(renderer.render(image, frost.gaussian(20)).image)
                except frost.ArgumentError as error:
                    results.append(str(error))

            threads = [threading.Thread(target=work) for _ in range(3)]
            for thread in threads:
                thread.start()
            renderer.close()
            for thread in threads:
                thread.join()
            self.assertEqual([result for result in results if isinstance(result, str)], ["the renderer is closed"] * 3)
            self.assertTrue(all((result == expected).all() for result in results if not isinstance(result, str)))

    def test_queues_wait_at_the_end_of_a_block(self):
        with frost.Queue(frost.Renderer("cpu"), depth=8) as queue:
            tickets = [queue.submit(noise(200, 200, 4), frost.gaussian(9)) for _ in range(8)]
        self.assertTrue(all(ticket.done() and not ticket.cancelled() for ticket in tickets))
        with self.assertRaises(KeyError), frost.Queue(frost.Renderer("exact", threads=1)) as queue:
            ticket = queue.submit(noise(1500, 1500, 4), frost.gaussian(300))
            raise KeyError
        self.assertTrue(ticket.cancelled())
        self.assertEqual(repr(ticket), "<frost.Ticket, cancelled>")

    def test_children_close_queues_of_their_parent(self):
        """They do not wait for its images, which are never done in the child."""
        queue = frost.Queue(frost.Renderer("cpu"))
        queue.submit(noise(9, 9), "light").result(timeout=60)

        def child():
            with self.assertRaisesRegex(frost.ForkedError, "the queue was created before the fork"):
                queue.wait()
            with self.assertRaisesRegex(frost.ForkedError, "before the fork"), queue:
                pass
            self.assertTrue(queue.closed)

        in_child(self, queue.close)
        in_child(self, child)
        self.assertEqual(queue.submit(noise(9, 9), "light").result(timeout=60).image.shape, (9, 9))


SLOW = noise(1500, 1500, 4), frost.gaussian(300)
# A call on so many pixels is interrupted. The exact backend takes some seconds for it.
LONG = noise(2100, 4096)


class Interrupts(unittest.TestCase):
    def interrupted(self, call):
        """Checks that a signal ends a call."""
        timer = threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT))
        with self.assertRaises(KeyboardInterrupt):
            timer.start()
            call()
        timer.join()

    def test_a_signal_ends_waits(self):
        queue = frost.Queue(frost.Renderer("exact", threads=1))
        ticket = queue.submit(*SLOW)
        for wait in (queue.wait, ticket.result):
            self.interrupted(wait)
            self.assertFalse(ticket.done())

        def block():
            with queue:
                pass

        self.interrupted(block)
        self.assertTrue(queue.closed and ticket.cancelled())

    def test_a_signal_ends_long_calls(self):
        """The call ends before the result is complete, and the next call works."""
        renderer, mask = frost.Renderer("exact"), noise(8, 8)
        for call in (
                lambda: renderer.render(LONG, frost.gaussian(40)), lambda: frost.blur(LONG, 40, backend="exact"),
                lambda: frost.blur(LONG, 40, rects=[(0, 0, 4096, 2099)], mask=mask, backend="exact"),
                lambda: frost.blur_batch([LONG, LONG], 40, backend="exact", threads=1),
                lambda: frost.blur_batch([SLOW[0]] * 1000, 40, backend="cpu", threads=2)):
            self.interrupted(call)
        # A zoom of so many pixels takes seconds. These calls have no exact backend.
        cpu, zoom = frost.Renderer(threads=1), frost.Effect("zoom", amount=100)
        backdrop = frost.Backdrop(threads=1)
        backdrop.panels = [frost.Panel((0, 0, 4096, 2100), zoom)]
        out = numpy.zeros_like(LONG)
        for call in (
                lambda: backdrop.render(LONG, out), lambda: frost.Reveal(cpu, LONG, zoom),
                lambda: cpu.render_panel(LONG, frost.Panel((0, 0, 4096, 2100), zoom), out)):
            self.interrupted(call)
        out = numpy.full(LONG.shape, numpy.nan, numpy.float32)
        self.interrupted(lambda: renderer.render(LONG.astype(numpy.float32), frost.gaussian(40), out=out))
        self.assertTrue(numpy.isnan(out).any())
        self.assertFalse([thread for thread in threading.enumerate() if thread.name.startswith("frost")])
        small = renderer.render(LONG[:9, :9], frost.gaussian(1)).image
        self.assertTrue((small == frost.blur(LONG[:9, :9], 1, backend="exact")).all())

    def test_long_calls_give_the_results_and_errors_of_others(self):
        renderer, effect, out = frost.Renderer(), frost.gaussian(2), numpy.zeros_like(LONG)
        self.assertIs(renderer.render(LONG, effect, out=out).image, out)
        self.assertTrue((out[500:600] == renderer.render(LONG[490:610], effect).image[10:-10]).all())
        with self.assertRaisesRegex(frost.PixelError, "overlap"):
            renderer.render(LONG[:-5], effect, out=LONG[5:])
        with mock.patch("threading.Thread.start", side_effect=RuntimeError("can't start new thread")):
            self.assertTrue((renderer.render(LONG, effect).image == out).all())
        cancellation = frost.Cancellation()
        cancellation.cancel()
        with self.assertRaises(frost.CancelledError):
            renderer.render(LONG, effect, cancellation=cancellation)

    def test_a_signal_during_a_submission_leaves_the_arrays_alive(self):
        """The library writes to them, although no ticket was returned."""
        queue = frost.Queue(frost.Renderer("exact", threads=1))
        submit = frost._library.queue_submit

        def interrupted(*arguments):
            submit(*arguments)
            raise KeyboardInterrupt

        out = numpy.zeros_like(SLOW[0])
        gone = weakref.ref(out)
        with mock.patch("frost._library.queue_submit", interrupted), self.assertRaises(KeyboardInterrupt):
            queue.submit(*SLOW, out=out)
        del out
        gc.collect()
        self.assertEqual(len(queue), 1)
        self.assertIsNotNone(gone())
        queue.cancel_all()
        queue.wait()
        gc.collect()
        self.assertIsNone(gone())

    def test_a_queue_that_another_thread_closes_refuses_submissions(self):
        """The list of images is cleared between the library's refusal and the removal from the list."""
        queue = frost.Queue(frost.Renderer("cpu"), depth=2)

        def closing(*arguments):
            queue.close()
            raise frost.ArgumentError("closed")

        with mock.patch("frost._library.queue_submit", closing), self.assertRaises(frost.ArgumentError):
            queue.submit(noise(9, 9), frost.gaussian(1))

    def test_a_refused_submission_keeps_no_arrays(self):
        queue = frost.Queue(frost.Renderer("exact", threads=1), depth=1)
        queue.submit(*SLOW)
        image = noise(9, 9)
        gone = weakref.ref(image)
        with self.assertRaises(frost.BusyError):
            queue.submit(image, "light")
        del image
        gc.collect()
        self.assertIsNone(gone())
        queue.close()


class Exits(unittest.TestCase):
    def test_daemon_threads_may_work_when_the_interpreter_ends(self):
        """Objects that they use used to be destroyed."""
        for work in ("frost.blur(image, 1)", "submit()"):
            code = f"""
import threading, time, numpy, frost
image = numpy.zeros((8, 8), numpy.uint8)
queue = frost.Queue(frost.Renderer("cpu"), depth=4)
def submit():
    try:
        queue.submit(image, "light")
    except frost.BusyError:
        pass
def loop():
    while True:
        {work}
for _ in range(4):
    threading.Thread(target=loop, daemon=True).start()
time.sleep(0.1)
"""
            for _ in range(2):
                done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
                self.assertEqual((done.returncode, done.stderr), (0, ""), work)

    def test_arrays_of_unfinished_images_are_not_freed(self):
        """An image that cannot be cancelled writes to its array until the process has ended."""
        code = """
import os, numpy, frost
class Watched(numpy.ndarray):
    def __del__(self, write=os.write):
        write(1, b"freed ")
frost._library.queue_cancel_all = lambda queue: None
queue = frost.Queue(frost.Renderer("exact", threads=1))
out = numpy.zeros((1500, 1500, 4), numpy.uint8).view(Watched)
queue.submit(out.copy(), frost.gaussian(300), out=out)
"""
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))

    def test_images_are_cancelled(self):
        from frost import _queue

        ticket = frost.Queue(frost.Renderer("exact", threads=1)).submit(*SLOW)
        _queue._end()
        self.assertTrue(ticket.cancelled())


class Asyncio(unittest.TestCase):
    def test_tickets_are_awaited(self):
        images = [noise(40, 30, 4, seed=n) for n in range(40)]

        async def rendered():
            with frost.Queue(frost.Renderer("cpu"), depth=40) as queue:
                return await asyncio.gather(*(queue.submit(image, frost.gaussian(3)) for image in images))

        for image, result in zip(images, asyncio.run(rendered())):
            self.assertTrue((result.image == frost.blur(image, 3)).all())

    def test_a_cancelled_task_cancels_its_image(self):
        queue = frost.Queue(frost.Renderer("exact", threads=1))
        ticket = queue.submit(noise(1500, 1500, 4), frost.gaussian(300))

        async def waits():
            await asyncio.wait_for(ticket, 0.05)

        with self.assertRaises((asyncio.TimeoutError, TimeoutError)):
            asyncio.run(waits())
        queue.wait()
        self.assertTrue(ticket.cancelled())

    def test_errors_are_raised(self):
        queue = frost.Queue(frost.Renderer("cpu"))

        async def waits():
            return await queue.submit(noise(9, 9), frost.Effect("variable", radius=3))

        with self.assertRaisesRegex(frost.ParameterError, "mask"):
            asyncio.run(waits())


if __name__ == "__main__":
    unittest.main()
