"""Tests of scenes and animators."""

import copy
import json
import os
import pathlib
import pickle
import tempfile
import threading
import unittest

import numpy

import frost

TEXT = {
    "size": [90, 60], "duration": 2, "fps": 25, "backdrop": {"picture": "back.png"},
    "panels": [{"effect": "dark", "size": [40, 30], "position": [{"at": 0, "value": [5, 5]}, {"at": 1, "value": [35.5, 20]}]}],
    "dynamics": {"items": [{"id": "ball", "center": [45, 10], "size": [8, 8]}], "behaviors": [{"behavior": "gravity"}]},
}


def picture(seed=1):
    return numpy.random.default_rng(seed).integers(0, 256, (60, 90, 3), numpy.uint8)


class Scenes(unittest.TestCase):
    def test_a_frame_is_the_effect_in_its_place_and_the_picture_elsewhere(self):
        scene = frost.Scene(TEXT)
        self.assertEqual((scene.width, scene.height, scene.duration, scene.fps, scene.frame_count), (90, 60, 2, 25, 50))
        back = picture()
        with scene.renderer(pictures={"back.png": back}) as renderer:
            frame = renderer.frame(0)
            self.assertEqual((frame.shape, frame.dtype), ((60, 90, 4), numpy.uint8))
            effect = frost.effect(back, "dark")
            self.assertLessEqual(abs(frame[6:34, 6:44, :3].astype(int) - effect[6:34, 6:44]).max(), 1)
            self.assertTrue((frame[36:, :, :3] == back[36:]).all() and (frame[..., 3] == 255).all())
            self.assertGreater(renderer.report.passes, 0)
            renderer.frame(0)
            self.assertEqual(renderer.report.passes, 0)
            self.assertEqual(repr(renderer), "<frost.SceneRenderer, 90x60>")

    def test_frames_do_not_depend_on_others_or_on_threads(self):
        scene = frost.Scene(json.dumps(TEXT))
        back = picture()
        frames = list(scene.renderer(pictures={"back.png": back}).frames())
        self.assertEqual(len(frames), 50)
        other = scene.renderer(pictures={"back.png": back}, threads=3)
        for index in (30, 3, 49):
            self.assertTrue((other.frame(index / 25) == frames[index]).all())
        self.assertGreater(len({frame.tobytes() for frame in frames}), 20)

    def test_sizes_and_types(self):
        back = picture()
        for dtype in (numpy.uint16, numpy.float32, numpy.float16):
            renderer = frost.Scene(TEXT).renderer(pictures={"back.png": back}, scale=1.5, dtype=dtype)
            out = numpy.zeros((90, 135, 4), dtype)
            self.assertIs(renderer.frame(0.5, out), out)
            self.assertGreater(out.max(), 0)
            for wrong in (out[:, :, :3], out[::2], numpy.zeros((90, 135, 4), bool), numpy.asfortranarray(out)):
                with self.assertRaises(frost.ArgumentError):
                    renderer.frame(0.5, wrong)
            with self.assertRaises(TypeError):
                renderer.frame(0.5, out.tolist())
        with self.assertRaises(frost.ArgumentError):
            frost.Scene(TEXT).renderer(pictures={"back.png": back}, dtype=numpy.int32)

    def test_files_are_relative_to_the_scene(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            back = picture()
            (folder / "back.png").write_bytes(b"P6 90 60 255\n" + back.tobytes())
            (folder / "scene.json").write_text(json.dumps(TEXT))
            for scene in (frost.Scene.open(folder / "scene.json"), frost.Scene(TEXT, folder)):
                self.assertTrue((scene.renderer().frame(0)[36:, :, :3] == back[36:]).all())
                self.assertTrue((scene.renderer(allow=["ppm"]).frame(0)[36:, :, :3] == back[36:]).all())
                with self.assertRaisesRegex(frost.UnreadableError, "a PPM, which --allow does not list"):
                    scene.renderer(allow="png,y4m")
            # A path may have bytes that are not UTF-8.
            odd = pathlib.Path(os.fsdecode(os.fsencode(name) + b"/d\xff"))
            odd.mkdir()
            for file in ("back.png", "scene.json"):
                (odd / file).write_bytes((folder / file).read_bytes())
            for scene in (frost.Scene.open(odd / "scene.json"), frost.Scene(TEXT, odd)):
                self.assertTrue((scene.renderer().frame(0)[36:, :, :3] == back[36:]).all())
            (folder / "back.png").unlink()
            with self.assertRaisesRegex(frost.UnreadableError, "back.png"):
                frost.Scene.open(folder / "scene.json").renderer()
            with self.assertRaisesRegex(frost.UnreadableError, "none.json"):
                frost.Scene.open(folder / "none.json")

    def test_errors_name_the_member(self):
        for members, told in (({"panls": []}, "did you mean panels"), ({"duration": -1}, "duration"), ({"size": None}, "size")):
            with self.assertRaisesRegex(frost.ParameterError, told):
                frost.Scene({**TEXT, **members})
        for source, kind in (("{", frost.ParameterError), ("", frost.ParameterError), ("{\0", frost.ArgumentError), (3, TypeError)):
            with self.assertRaises(kind):
                frost.Scene(source)
        with self.assertRaisesRegex(frost.LayoutError, "the picture 'back.png'"):
            frost.Scene(TEXT).renderer(pictures={"back.png": numpy.zeros((3, 3, 3), complex)})
        for options in ({"threads": 0}, {"threads": 257}, {"max_side": -1}):
            with self.assertRaises(frost.ArgumentError):
                frost.Scene(TEXT).renderer(**options)
        with self.assertRaisesRegex(frost.ArgumentError, "mng"):
            frost.Scene(TEXT).renderer(allow="mng")
        with self.assertRaises(frost.ParameterError):
            frost.Scene(TEXT).renderer(scale=float("nan"), pictures={"back.png": picture()})
        renderer = frost.Scene(TEXT).renderer(pictures={"back.png": picture()})
        with self.assertRaises(frost.ParameterError):
            renderer.frame(float("nan"))
        with self.assertRaises(TypeError):
            copy.copy(renderer)
        renderer.close()
        with self.assertRaisesRegex(frost.ArgumentError, "closed"):
            renderer.frame(0)

    def test_the_schema_describes_scenes(self):
        self.assertIn("panels", frost.Scene.schema()["properties"])


class Animators(unittest.TestCase):
    def fall(self):
        animator = frost.Animator((0, 0, 300.5, 200))
        animator.add_item("ball", (50, 20), (10, 10))
        animator.add({"behavior": "properties", "resistance": 0})
        return animator, animator.add({"behavior": "gravity"})

    def test_an_item_falls_by_the_law_and_keeps_its_velocity(self):
        animator, gravity = self.fall()
        for _ in range(15):
            animator.step(1 / 60)
        self.assertAlmostEqual(animator.item("ball").center[1], 20 + 1000 * 30 * 31 / 2 / 14400, delta=1e-2)
        animator.remove(gravity)
        animator.step(0.1)
        self.assertAlmostEqual(animator.item("ball").velocity[1], 250, delta=0.1)
        animator.move("ball", (150, 40), 30)
        animator.step(1 / 120)
        item = animator.item("ball")
        self.assertAlmostEqual(item.center[0], 150, delta=1e-3)
        self.assertAlmostEqual(item.rotation, 30, delta=1e-3)
        self.assertAlmostEqual(item.velocity[1], 250, delta=0.1)

    def test_places_do_not_depend_on_the_rate_of_steps(self):
        places = []
        for rate in (120, 60, 37.5):
            animator, _ = self.fall()
            for _ in range(round(rate * 0.4)):
                animator.step(1 / rate)
            places.append(animator.item("ball").center)
        self.assertEqual(places[0], places[1])
        self.assertEqual(places[0], places[2])

    def test_contacts_begin_and_end(self):
        animator, _ = self.fall()
        animator.add({"behavior": "collision", "boundaries": [[[-500, 150], [800, 150]]]})
        animator.add({"behavior": "properties", "elasticity": 0.8})
        animator.add({"behavior": "properties", "angular-velocity": 90, "on-contact": {"item": "ball"}})
        seen = []
        self.assertTrue(animator.is_running)
        for _ in range(90):
            animator.step(1 / 60)
            seen += animator.contacts
            if not seen:
                self.assertEqual(animator.item("ball").rotation, 0)
        self.assertEqual(seen[:2], [frost.Contact("ball", None, True), frost.Contact("ball", None, False)])
        self.assertNotEqual(animator.item("ball").rotation, 0)

    def test_the_items_of_a_scene_move_as_its_panels_do(self):
        animator = frost.Animator.of(frost.Scene(TEXT))
        for _ in range(12):
            animator.step(1 / 60)
        self.assertTrue(25 < animator.item("ball").center[1] < 35)
        with self.assertRaisesRegex(frost.ParameterError, "no dynamics"):
            frost.Animator.of(frost.Scene({"size": [9, 9], "duration": 1, "backdrop": {"color": "red"}}))
        with self.assertRaises(TypeError):
            frost.Animator.of("scene")

    def test_misuse(self):
        animator, _ = self.fall()
        for call, kind in (
                (lambda: animator.add_item("ball", (0, 0), (1, 1)), frost.ParameterError),
                (lambda: animator.add_item("", (0, 0), (1, 1)), frost.ParameterError),
                (lambda: animator.add_item("\udc80", (0, 0), (1, 1)), frost.ArgumentError),
                (lambda: animator.add({"behavior": "gravty"}), frost.ParameterError),
                (lambda: animator.add({"behavior": "gravity", "items": ["x"]}), frost.ParameterError),
                (lambda: animator.item("none"), frost.ArgumentError),
                (lambda: animator.move("ball", (float("nan"), 0)), frost.ParameterError),
                (lambda: animator.remove(99), frost.ArgumentError),
                (lambda: animator.step(-1), frost.ParameterError),
                (lambda: animator.add_item("b", (0, 0, 0), (1, 1)), frost.ArgumentError),
                (lambda: frost.Animator((0, 0, 0, 5)), frost.ParameterError),
                (lambda: pickle.dumps(animator), TypeError)):
            with self.assertRaises(kind):
                call()

    def test_items_are_checked_when_they_are_added(self):
        """The error names the item, and nothing is added. What is accepted, behaviours move."""
        bad = float("nan"), float("inf"), -float("inf"), 2e6, -2e6
        sizes = [(value, 5) for value in (*bad, 0, 0.09, 100_001)] + [(5, value) for value in (*bad, 0, 0.09, 100_001)]
        for reference, middle in (((0, 0, 640, 480), (320, 240)), ((9000, -9000, 100, 100), (9050, -8950)), (None, (0, 0))):
            animator = frost.Animator(reference)
            for arguments in (
                    *(((5, 5), size, 0) for size in sizes), *(((value, 5), (5, 5), 0) for value in bad),
                    *(((5, value), (5, 5), 0) for value in bad), *(((5, 5), (5, 5), value) for value in (*bad, 57296)),
                    ((middle[0] + 1_000_001, 5), (5, 5), 0), ((5, middle[1] - 1_000_001), (5, 5), 0)):
                with self.assertRaisesRegex(frost.ParameterError, "of the item 'card' is out of range", msg=arguments):
                    animator.add_item("card", *arguments)
            for name, arguments in (
                    ("card", ((middle[0] + 1_000_000, middle[1] - 1_000_000), (0.1, 100_000), 57295)), ("a", ((5, 5), (5, 5), -57295))):
                animator.add_item(name, *arguments)
            if reference is None:
                # Otherwise the first item lies outside it.
                animator.add({"behavior": "gravity"})
                animator.step(0.1)

    def test_animators_of_threads_are_independent(self):
        found = []

        def run():
            animator, _ = self.fall()
            for _ in range(60):
                animator.step(1 / 120)
            found.append(animator.item("ball"))
        threads = [threading.Thread(target=run) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(set(found)), 1)


if __name__ == "__main__":
    unittest.main()
