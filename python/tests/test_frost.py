"""Tests Frost for Python. Arrays are read and written in place, errors raise the right kinds of exceptions, and other
threads run during calls."""

import asyncio
import gc
import os
import threading
import time
import unittest
import weakref

import numpy

import frost
from support import gaussian, in_child, noise


class Arrays(unittest.TestCase):
    def setUp(self):
        self.renderer = frost.Renderer("cpu")

    def test_the_result_is_the_definitions(self):
        image = noise(60, 80)
        rendered = self.renderer.render(image, frost.gaussian(3))
        self.assertLessEqual(numpy.abs(rendered.image - gaussian(image, 3)).max(), 1)
        self.assertEqual((rendered.image.shape, rendered.image.dtype), (image.shape, image.dtype))
        self.assertEqual((rendered.report.backend, rendered.report.device), ("cpu", None))
        self.assertTrue(0 < rendered.report.error_bound <= 0.4)
        self.assertEqual(rendered.report.error_bound, frost.gaussian(3).error_bound(image))

    def test_every_type_and_number_of_channels(self):
        for dtype in (numpy.uint8, numpy.uint16, numpy.float16, numpy.float32):
            for shape in ((9, 7), (9, 7, 1), (9, 7, 2), (9, 7, 3), (9, 7, 4), (1, 1), (1, 9, 4), (9, 1, 4)):
                image = noise(*shape, dtype=dtype)
                result = self.renderer.render(image, frost.gaussian(0)).image
                self.assertEqual((result.dtype, result.shape), (image.dtype, image.shape))
                self.assertTrue((result == image).all(), (dtype, shape))

    def test_halves_keep_values_beyond_one(self):
        """The tolerance is 4/65535 of the range of the values, plus half a unit in the last of 11 significant bits."""
        image = (noise(60, 80, dtype=numpy.float32) * 300 - 20).astype(numpy.float16)
        result = self.renderer.render(image, frost.gaussian(3)).image
        self.assertEqual(result.dtype, numpy.float16)
        expected = gaussian(image, 3)
        tolerance = 300 * 4 / 65535 + numpy.abs(expected) / 2048
        self.assertTrue((numpy.abs(result.astype(float) - expected) <= tolerance).all())
        self.assertGreater(result.max(), 100)

    def test_slices_are_read_and_written_in_place(self):
        """Checks that neither the picture nor the target is copied, and that nothing outside a slice is modified."""
        whole = noise(50, 70, 4)
        before = whole.copy()
        expected = self.renderer.render(numpy.ascontiguousarray(whole[10:40, 20:60]), frost.gaussian(4)).image
        target = numpy.zeros((60, 90, 4), numpy.uint8)
        result = self.renderer.render(whole[10:40, 20:60], frost.gaussian(4), out=target[5:35, 7:47]).image
        self.assertTrue(numpy.shares_memory(result, target))
        self.assertTrue((target[5:35, 7:47] == expected).all())
        target[5:35, 7:47] = 0
        self.assertFalse(target.any())
        self.assertTrue((whole == before).all())
        # Source and target are two halves of one array, so their rows alternate in memory.
        self.renderer.render(whole[:, :35], frost.gaussian(4), out=whole[:, 35:])
        expected = self.renderer.render(numpy.ascontiguousarray(before[:, :35]), frost.gaussian(4)).image
        self.assertTrue((whole[:, 35:] == expected).all() and (whole[:, :35] == before[:, :35]).all())
        # The same array is the picture and the target.
        self.renderer.render(whole, frost.gaussian(2), out=whole)

    def test_memory_of_a_renderer(self):
        """Arrays of a renderer's memory hold what is written, give the same pixels as others, and outlive the renderer."""
        for dtype in (numpy.uint8, numpy.uint16, numpy.float32):
            image = noise(40, 50, 4, dtype=dtype)
            renderer = frost.Renderer("cpu")
            source, target = renderer.empty(image.shape, dtype), renderer.empty((60, 70, 4), dtype)
            source[...] = image
            result = renderer.render(source, frost.gaussian(4), out=target[5:45, 7:57]).image
            renderer.close()
            del renderer, target
            self.assertTrue((result == self.renderer.render(image, frost.gaussian(4)).image).all())
        self.assertEqual(self.renderer.empty((0, 3)).shape, (0, 3))
        with self.assertRaises(frost.ParameterError):
            self.renderer.empty((1 << 40,))

    def test_memory_of_a_renderer_has_the_types_of_pictures(self):
        """Its content is undefined, so it must not be taken for references to Python's objects."""
        for dtype in (object, "U4", "S3", [("a", "u1")], "datetime64[s]", bool, float, ">u2", None):
            with self.assertRaisesRegex(frost.LayoutError, "^dtype cannot be .*: expected uint8, uint16, float16 or float32$"):
                self.renderer.empty((2, 2), dtype)
        for shape in ((2.5, 2), 4, None, ("2", 2), numpy.array([2.0, 3])):
            with self.assertRaisesRegex(TypeError, "shape"):
                self.renderer.empty(shape)
        for shape in ((-1, 2), (2, -1), (-1, -2), (-2**62, 0)):
            with self.assertRaisesRegex(frost.LayoutError, "a side is below 0"):
                self.renderer.empty(shape)
        # The lower 64 bits of the number of bytes are 0, or small.
        for shape in ((1 << 40, 1 << 40), (2**32, 2**32 + 1), (2**62, 5)):
            with self.assertRaisesRegex(frost.ParameterError, "byte count"):
                self.renderer.empty(shape)
        self.assertEqual(self.renderer.empty(numpy.array([3, 4, 2]), "float16").shape, (3, 4, 2))

    def test_what_would_need_a_copy_is_refused(self):
        image = noise(20, 30, 4)
        for bad in (image[::-1], image[:, ::2], image[:, :, ::-1], image.transpose(1, 0, 2), image[..., 1:][:, ::-1],
                    image.astype(numpy.int32), image.astype(">u2"), noise(4, 5, 5), noise(3, 3, 3, 3),
                    image[:, :, :3]):
            with self.assertRaises(frost.LayoutError) as caught:
                self.renderer.render(bad, frost.gaussian(2))
            self.assertIsInstance(caught.exception, ValueError)
        image.flags.writeable = False
        self.renderer.render(image, frost.gaussian(2))
        with self.assertRaisesRegex(frost.LayoutError, "read-only"):
            self.renderer.render(image, frost.gaussian(2), out=image)
        with self.assertRaisesRegex(TypeError, "list"):
            self.renderer.render([[1, 2], [3, 4]], frost.gaussian(2))
        image = noise(20, 30, 4)
        with self.assertRaisesRegex(frost.PixelError, "overlap"):
            self.renderer.render(image[:15], frost.gaussian(2), out=image[5:])
        with self.assertRaisesRegex(frost.PixelError, "size"):
            self.renderer.render(image, frost.gaussian(2), out=noise(20, 29, 4))

    def test_regions_edges_and_orders(self):
        image = noise(20, 30, 4)
        blur = frost.gaussian(2, 5, edge="mirror")
        whole = self.renderer.render(image, blur).image
        part = self.renderer.render(image, blur, region=(3, 4, 10, 8)).image
        self.assertTrue((part == whole[4:12, 3:13]).all())
        bgra = self.renderer.render(image[..., [2, 1, 0, 3]].copy(), blur, channels="bgra").image
        self.assertTrue((bgra[..., [2, 1, 0, 3]] == whole).all())
        clear = self.renderer.render(noise(20, 30, 3), frost.gaussian(2, edge="clear"), region=(-5, -5, 40, 30)).image
        self.assertEqual(clear.shape, (30, 40, 4))
        self.assertLess(clear[0, 0, 3], 3)


class Effects(unittest.TestCase):
    def setUp(self):
        self.renderer = frost.Renderer("cpu")

    def test_shapes(self):
        """Outside the shapes the bytes do not change. Of the curves, a bevel leaves the smallest part of a corner, then a
        smooth corner, a circular one and a squircle. The sum of the changes shows their order."""
        image = noise(40, 60, 4)
        image[..., 3] = 255
        blur = frost.gaussian(4)
        whole = self.renderer.render(image, blur).image
        shape = dict(x=5, y=4, width=44, height=32, radius=9)
        changed = {}
        for name, more in (("plain", {}), ("smooth", {"smoothing": 0.6}), ("zero", {"smoothing": 0}),
                           ("squircle", {"exponent": 4}), ("circle", {"exponent": 2}), ("bevel", {"exponent": 1})):
            result = self.renderer.render(image, blur.clipped(frost.Shape(**shape, **more))).image
            # A clipped effect may round differently, by at most one step.
            inside = (slice(12, 28), slice(14, 40))
            self.assertLessEqual(numpy.abs(result[inside].astype(int) - whole[inside]).max(), 1)
            outside = numpy.ones(image.shape[:2], bool)
            outside[4:36, 5:49] = False
            self.assertTrue((result == image)[outside].all())
            changed[name] = (result, int(numpy.abs(result.astype(int) - image).sum()))
        for name in ("zero", "circle"):
            self.assertTrue((changed[name][0] == changed["plain"][0]).all())
        sums = {name: total for name, (_, total) in changed.items()}
        self.assertLess(sums["bevel"], sums["smooth"])
        self.assertLess(sums["smooth"], sums["plain"])
        self.assertLess(sums["plain"], sums["squircle"])
        self.assertTrue((self.renderer.render(image, blur.clipped()).image == whole).all())
        for wrong in ({"smoothing": 1.1}, {"exponent": 0}, {"exponent": 17}, {"radius": 17}, {"smoothing": 0.9}):
            with self.assertRaises(frost.ParameterError):
                blur.clipped(frost.Shape(**{**shape, **{"radius": 9}, **wrong}))
        with self.assertRaises(ValueError):
            blur.clipped(frost.Shape(**shape, smoothing=0.6, exponent=4))

    def test_every_effect_that_is_listed(self):
        listed = frost.effects()
        self.assertEqual(listed[0].name, "gaussian")
        self.assertGreater(len(listed), 40)
        image = noise(24, 32, 3)
        for info in listed:
            values = {parameter.name.replace("-", "_"): parameter.default for parameter in info.parameters}
            effect = frost.Effect(info.name, **values)
            needs_mask = info.name in ("variable", "ci-masked-variable-blur") or "mask" in info.summary
            result = self.renderer.render(image, effect, mask=noise(5, 5) if needs_mask else None).image
            self.assertGreaterEqual(result.shape[0], 24, info.name)

    def test_contrast(self):
        """Every pixel has the contrast to the content, which most have not without the parameter; auto chooses the colour."""
        image = noise(24, 32, 3)

        def smallest(effect, white):
            codes = self.renderer.render(image, effect).image / 255.0
            light = numpy.where(codes <= 0.04045, codes / 12.92, ((codes + 0.055) / 1.055) ** 2.4)
            luminance = light @ numpy.array([0.2126, 0.7152, 0.0722])
            return 1.05 / (luminance.max() + 0.05) if white else (luminance.min() + 0.05) / 0.05

        self.assertLess(smallest(frost.Effect("light"), True), 4.5)
        self.assertGreaterEqual(smallest(frost.Effect("light", min_contrast=4.5, content_color="white"), True), 4.5)
        self.assertGreaterEqual(smallest(frost.Effect("light", min_contrast=12), False), 12)
        self.assertGreaterEqual(smallest(frost.Effect("dark", min_contrast=12), True), 12)
        report = self.renderer.render(image, frost.Effect("light", min_contrast=4.5, content_color="white")).report
        self.assertEqual((report.contrast.content, report.contrast.minimum), ((1, 1, 1, 1), 4.5))
        x, y = report.contrast.place
        self.assertTrue(4.5 <= report.contrast.smallest < 6 and 0 <= x < 32 and 0 <= y < 24, report.contrast)
        self.assertIsNone(self.renderer.render(image, "light").report.contrast)
        with self.assertRaisesRegex(frost.ParameterError, "the largest is 9.54"):
            frost.Effect("light", min_contrast=15, content_color="#444")

    def test_parameters(self):
        image = noise(24, 32, 3)

        def rendered(effect):
            return self.renderer.render(image, effect).image

        self.assertTrue((rendered(frost.Effect("gaussian", sigma=3, edge="mirror"))
                         == rendered(frost.gaussian(3, edge="mirror"))).all())
        self.assertFalse((rendered(frost.Effect("light", scale=2)) == rendered(frost.Effect("light"))).all())
        self.assertFalse((rendered(frost.gaussian(3, linear=True)) == rendered(frost.gaussian(3))).all())
        for name, parameters in (("lihgt", {}), ("light", {"scael": 2}), ("light", {"scale": 4}),
                                 ("light", {"scale": float("nan")}), ("zoom", {"center_x": 2})):
            with self.assertRaises(frost.ParameterError):
                frost.Effect(name, **parameters)
        with self.assertRaises(ValueError):
            frost.Effect("light", edge="a b")
        with self.assertRaises(frost.ParameterError):
            frost.gaussian(-1)

    def test_effects_and_transitions_are_values(self):
        pairs = [(lambda: frost.gaussian(3), lambda: frost.gaussian(4)),
                 (lambda: frost.Effect("light"), lambda: frost.Effect("light", linear=True)),
                 (lambda: frost.Transition("swipe"), lambda: frost.Transition("swipe", angle=30))]
        for make, other in pairs:
            self.assertEqual((make(), hash(make())), (make(), hash(make())))
            self.assertNotEqual(make(), other())
            self.assertEqual(len({make(), make(), other()}), 2)
            self.assertNotEqual(make(), "light")

    def test_content_and_masks(self):
        image = noise(24, 32, 3)
        style = frost.Effect("blur-dark", dither=False)
        card = style.with_content(numpy.full((4, 4, 4), 255, numpy.uint8), mode="top-left")
        plain, over = (self.renderer.render(image, effect).image for effect in (style, card))
        self.assertTrue((over[:4, :4] == 255).all() and (over[4:] == plain[4:]).all())
        with self.assertRaisesRegex(frost.ParameterError, "content's bounds 1,2,-5,3 has a negative side"):
            style.with_content(numpy.full((4, 4, 4), 255, numpy.uint8), bounds=(1, 2, -5, 3))
        variable = frost.Effect("variable", radius=5)
        mask = numpy.zeros((24, 32), numpy.uint8)
        self.assertTrue((self.renderer.render(image, variable, mask=frost.Mask(mask)).image == image).mean() > 0.9)
        with self.assertRaisesRegex(frost.ParameterError, "mask"):
            self.renderer.render(image, variable)


class Transitions(unittest.TestCase):
    def setUp(self):
        self.renderer = frost.Renderer("cpu", threads=2)

    def test_every_transition_that_is_listed(self):
        """Checks that the frames at the ends are the pictures, and that the frame between them is neither, and is the same
        for one thread."""
        a, b = noise(40, 50, 3), noise(40, 50, 3, seed=2)
        listed = frost.transitions()
        self.assertEqual((len(listed), listed[0].name, listed[0].parameters), (11, "dissolve", ()))
        single = frost.Renderer("cpu", threads=1)
        used = set()
        for info in listed:
            self.assertTrue(info.filter.startswith("CI") and info.summary, info)
            values = {parameter.name.replace("-", "_"): parameter.default for parameter in info.parameters}
            if info.name == "mod":      # The default holes are larger than the pictures.
                values["radius"] = 10
            transition = frost.Transition(info.name, **values)
            extras = {name: noise(9, 9, 3, seed=3) for name in info.extras}
            used |= set(extras)
            first, middle, last = (
                self.renderer.transition(a, b, transition, time, **extras).image for time in (0, 0.3, 1))
            self.assertTrue((first == a).all() and (last == b).all(), info.name)
            self.assertTrue((middle != a).any() and (middle != b).any(), info.name)
            self.assertTrue((middle == single.transition(a, b, transition, 0.3, **extras).image).all(), info.name)
        self.assertEqual(used, {"mask", "shading", "backside"})

    def test_dissolve_is_the_mixture(self):
        """The tolerance is the error bound of the weights, 2^-12 of full scale, plus half a step of rounding."""
        dissolve = frost.Transition("dissolve")
        for dtype, tolerance in ((numpy.uint8, 0.5 + 255 / 4096), (numpy.uint16, 0.5 + 65535 / 4096),
                                 (numpy.float16, 1 / 4096 + 1 / 4096), (numpy.float32, 1 / 4096)):
            a, b = noise(20, 30, 3, dtype=dtype), noise(20, 30, 3, dtype=dtype, seed=2)
            rendered = self.renderer.transition(a, b, dissolve, 0.25)
            self.assertEqual(rendered.image.dtype, dtype)
            expected = 0.75 * a.astype(float) + 0.25 * b.astype(float)
            self.assertLessEqual(numpy.abs(rendered.image - expected).max(), tolerance)
            self.assertGreater(numpy.abs(rendered.image - a.astype(float)).max(), tolerance)
            self.assertEqual(rendered.report.backend, "cpu")
        linear = self.renderer.transition(a, b, frost.Transition("dissolve", linear=True), 0.25).image
        self.assertGreater(numpy.abs(linear - expected).max(), 0.02)

    def test_sizes_regions_and_orders(self):
        a, b = noise(20, 30, 3), noise(26, 12, 4, seed=2)
        swipe = frost.Transition("swipe", angle=30, width=9)
        whole = self.renderer.transition(a, b, swipe, 0.4).image
        self.assertEqual(whole.shape, (26, 30, 4))
        self.assertEqual(swipe.target(a, b).shape, (26, 30, 4))
        start = self.renderer.transition(a, b, swipe, 0).image
        self.assertTrue((start[:20, :, :3] == a).all() and (start[:20, :, 3] == 255).all() and not start[20:].any())
        out = numpy.zeros((40, 50, 4), numpy.uint8)
        result = self.renderer.transition(a, b, swipe, 0.4, region=(3, 4, 10, 8), out=out[5:13, 7:17]).image
        self.assertTrue(numpy.shares_memory(result, out) and (result == whole[4:12, 3:13]).all())
        bgra = self.renderer.transition(a, b[..., [2, 1, 0, 3]].copy(), swipe, 0.4, channels="bgra").image
        self.assertTrue((bgra[..., [2, 1, 0, 3]] == whole).all())
        small = frost.Transition("swipe", angle=30, width=9, extent=(2, 2, 4, 4))
        self.assertTrue((self.renderer.transition(a, b, small, 0.4).image != whole).any())

    def test_errors(self):
        a, b = noise(20, 30, 3), noise(20, 30, 3, seed=2)
        dissolve = frost.Transition("dissolve")
        for name, parameters in (("flahs", {}), ("flash", {"fade": 1}), ("flash", {"fade_threshold": 2}),
                                 ("swipe", {"extent": (0, 0, 0, 5)})):
            with self.assertRaises(frost.ParameterError):
                frost.Transition(name, **parameters)
        for time in (-0.1, 1.1, float("nan")):
            with self.assertRaisesRegex(frost.ParameterError, "time .* 0 to 1"):
                self.renderer.transition(a, b, dissolve, time)
        with self.assertRaisesRegex(frost.ParameterError, "needs a mask"):
            self.renderer.transition(a, b, frost.Transition("disintegrate-with-mask"), 0.5)
        with self.assertRaisesRegex(frost.ParameterError, "does not use a backside"):
            self.renderer.transition(a, b, dissolve, 0.5, backside=a)
        with self.assertRaisesRegex(frost.PixelError, "sample type"):
            self.renderer.transition(a, noise(20, 30, 3, dtype=numpy.uint16), dissolve, 0.5)
        with self.assertRaisesRegex(frost.PixelError, "overlaps"):
            self.renderer.transition(a, b, dissolve, 0.5, out=b)
        with self.assertRaisesRegex(frost.PixelError, "of the result"):
            self.renderer.transition(a, b, dissolve, 0.5, out=numpy.zeros((20, 29, 3), numpy.uint8))
        with self.assertRaisesRegex(frost.LayoutError, "b has pixels"):
            self.renderer.transition(a, b[:, ::2], dissolve, 0.5)
        for picture, out in (([[1]], None), (a, [[1]])):
            with self.assertRaisesRegex(TypeError, "list"):
                self.renderer.transition(picture, b, dissolve, 0.5, out=out)
        cancellation = frost.Cancellation()
        cancellation.cancel()
        with self.assertRaises(frost.CancelledError):
            self.renderer.transition(a, b, dissolve, 0.5, cancellation=cancellation)


class Threads(unittest.TestCase):
    def test_other_threads_run_meanwhile(self):
        """Another thread counts during a slow call and then cancels the call. The other thread can run only if the call
        releases the GIL."""
        renderer = frost.Renderer("exact", threads=1)
        cancellation = frost.Cancellation()
        counted = 0

        def count():
            nonlocal counted
            for _ in range(20):
                counted += 1
                time.sleep(0.001)
            cancellation.cancel()

        thread = threading.Thread(target=count)
        thread.start()
        with self.assertRaises(frost.CancelledError):
            renderer.render(noise(1500, 1500, 4), frost.gaussian(300), cancellation=cancellation)
        thread.join()
        self.assertEqual(counted, 20)

    def test_errors_are_of_their_thread(self):
        messages = []

        def fail(name):
            for _ in range(200):
                try:
                    frost.Effect(name)
                except frost.ParameterError as error:
                    if f"unknown effect {name};" not in str(error):
                        messages.append(str(error))

        threads = [threading.Thread(target=fail, args=(f"none-{n}",)) for n in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(messages, [])

    def test_devices_are_demanded(self):
        with self.assertRaises(frost.NoDeviceError):
            frost.Renderer("gpu", device="no GPU has this name")
        with self.assertRaises(ValueError):
            frost.Renderer("fast")


class Forks(unittest.TestCase):
    def test_children_render_while_threads_of_the_parent_do(self):
        renderer = frost.Renderer("cpu", threads=2)
        image = noise(90, 120, 4)
        expected = renderer.render(image, frost.gaussian(5)).image
        over = threading.Event()

        def work():
            while not over.is_set():
                renderer.render(image, frost.gaussian(5))

        def child():
            for one in (renderer, frost.Renderer("cpu", threads=2)):
                self.assertTrue((one.render(image, frost.gaussian(5)).image == expected).all())

        threads = [threading.Thread(target=work) for _ in range(3)]
        for thread in threads:
            thread.start()
        try:
            for _ in range(1000 if os.environ.get("FROST_EVERY_CASE") == "1" else 50):
                in_child(self, child)
        finally:
            over.set()
            for thread in threads:
                thread.join()

    def test_a_queue_belongs_to_its_process(self):
        queue = frost.Queue(frost.Renderer("cpu"), depth=2)
        queue.submit(noise(20, 30, 4), frost.gaussian(2)).result(timeout=60)

        def child():
            with self.assertRaisesRegex(frost.ForkedError, "before the fork"):
                queue.submit(noise(20, 30, 4), frost.gaussian(2))

        in_child(self, child)

    def test_a_gpu_belongs_to_its_process(self):
        try:
            renderer = frost.Renderer("gpu")
        except frost.NoDeviceError as error:
            self.skipTest(str(error))
        image = noise(20, 30, 4)
        expected = renderer.render(image, frost.gaussian(2)).image

        def child():
            with self.assertRaisesRegex(frost.ForkedError, "before the fork"):
                renderer.render(image, frost.gaussian(2))
            with self.assertRaisesRegex(frost.ForkedError, "before the fork"):
                frost.Renderer("gpu")
            made = frost.Renderer("cpu").render(image, frost.gaussian(2)).image
            self.assertLessEqual(abs(made.astype(int) - expected).max(), 2)

        in_child(self, child)


class Queues(unittest.TestCase):
    def test_results_are_the_renderers(self):
        renderer = frost.Renderer("cpu")
        queue = frost.Queue(renderer, depth=4)
        images = [noise(40, 30 + n, 4, seed=n) for n in range(12)]
        tickets = []
        for image in images:
            while True:
                try:
                    tickets.append(queue.submit(image, frost.gaussian(3)))
                    break
                except frost.BusyError as error:
                    self.assertIn("4 images", str(error))
                    tickets[-4].result()
        for image, ticket in zip(images, tickets):
            rendered = ticket.result(timeout=60)
            self.assertTrue((rendered.image == renderer.render(image, frost.gaussian(3)).image).all())
            self.assertTrue(ticket.done())
        self.assertEqual(len(queue), 0)

    def test_cancelling_and_waiting(self):
        queue = frost.Queue(frost.Renderer("exact", threads=1), depth=2, concurrency=1)
        slow = queue.submit(noise(1500, 1500, 4), frost.gaussian(300))
        waiting = queue.submit(noise(15, 15, 4), frost.gaussian(3))
        with self.assertRaises(TimeoutError):
            slow.result(timeout=0.01)
        self.assertFalse(slow.done())
        waiting.cancel()
        with self.assertRaises(frost.CancelledError):
            waiting.result()
        self.assertTrue(waiting.cancelled())
        queue.cancel_all()
        queue.wait()
        self.assertTrue(slow.cancelled())

    def test_arrays_live_as_long_as_they_are_written(self):
        queue = frost.Queue(frost.Renderer("cpu"), depth=8)
        out = numpy.zeros((300, 400, 4), numpy.uint8)
        gone = weakref.ref(out)
        for _ in range(8):
            queue.submit(noise(300, 400, 4), frost.gaussian(20), out=out)
        del out
        gc.collect()
        self.assertIsNotNone(gone())
        del queue
        gc.collect()
        self.assertIsNone(gone())

    def test_asyncio(self):
        queue = frost.Queue(frost.Renderer("cpu"), depth=8)
        images = [noise(40, 30, 4, seed=n) for n in range(8)]

        async def all_of_them():
            tickets = [queue.submit(image, frost.gaussian(3)) for image in images]
            loop = asyncio.get_running_loop()
            return await asyncio.gather(*(loop.run_in_executor(None, ticket.result) for ticket in tickets))

        self.assertEqual(len(asyncio.run(all_of_them())), 8)

    def test_versions_agree(self):
        self.assertEqual(frost.__version__, frost.library_version)


if __name__ == "__main__":
    unittest.main()
