"""Tests the random blur for training sets."""

import importlib.util
import pickle
import random
import subprocess
import sys
import unittest

import array_api_strict
import ml_dtypes
import numpy
from PIL import Image

import frost
from support import noise

TORCH = importlib.util.find_spec("torch") is not None


class Fixed:
    """Returns the given numbers, one after the other."""

    def __init__(self, *numbers):
        self.numbers = list(numbers)

    def random(self):
        return self.numbers.pop(0)


class RandomBlur(unittest.TestCase):
    def test_sigma_and_p(self):
        image = noise(20, 30, 3)
        # The first number decides, and the second one chooses sigma.
        transform = frost.RandomBlur((1, 3), p=0.5, generator=Fixed(0.49, 0.25, 0.5, 0.9, 0.0, 0.0))
        self.assertTrue((transform(image) == frost.blur(image, 1.5)).all())
        self.assertIs(transform(image), image)
        self.assertTrue((transform(image) == frost.blur(image, 1)).all())
        self.assertEqual(transform.generator.numbers, [])
        self.assertTrue((frost.RandomBlur(2)(image) == frost.blur(image, 2)).all())
        self.assertIs(frost.RandomBlur(2, p=0)(image), image)

    def test_the_module_random(self):
        image = noise(20, 30, 3)
        transform = frost.RandomBlur((0.1, 5))
        for source in (random, random.Random(3), numpy.random.default_rng(3)):
            random.seed(3)
            own = pickle.loads(pickle.dumps(None if source is random else source))
            transform.generator = None if source is random else source
            drawn = [source.random() if own is None else own.random() for _ in range(4)]
            random.seed(3)
            for place in (drawn[1], drawn[3]):
                self.assertTrue((transform(image) == frost.blur(image, 0.1 + place * 4.9)).all())

    def test_batches(self):
        images = numpy.stack([noise(20, 30, 3)] * 6)
        each = frost.RandomBlur((1, 9), p=0.7, generator=Fixed(*[0, 0, 0.8, 0, 0, 0.5] * 2))(images)
        for number, sigma in enumerate([1, None, 5, 1, None, 5]):
            self.assertTrue((each[number] == (images[0] if sigma is None else frost.blur(images[0], sigma))).all(), number)
        same = frost.RandomBlur((1, 9), same_on_batch=True, generator=Fixed(0, 0.5))(images.reshape(2, 3, 20, 30, 3))
        self.assertTrue((same == frost.blur(images[0], 5)).all())
        planes = numpy.moveaxis(images, -1, 1)
        self.assertTrue((frost.RandomBlur(2, axis=-3)(planes)[4] == frost.blur(planes[4], 2, axis=0)).all())

    def test_kinds_of_pictures(self):
        transform = frost.RandomBlur(2)
        for array in (noise(20, 30), noise(20, 30, 1), noise(20, 30, 4, dtype=numpy.uint16),
                      noise(20, 30, 3, dtype=numpy.float64)):
            result = transform(array)
            self.assertEqual((result.shape, result.dtype), (array.shape, array.dtype))
            self.assertTrue((result == frost.blur(array, 2)).all())
        for mode in ("L", "RGB", "RGBA"):
            photo = Image.fromarray(noise(20, 30, 4)).convert(mode)
            result = transform(photo)
            self.assertEqual((type(result), result.mode), (Image.Image, mode))
            self.assertTrue((numpy.asarray(result) == frost.blur(photo, 2)).all())
            numbers = frost.RandomBlur(2, alpha="premultiplied")(photo)
            self.assertTrue((numpy.asarray(numbers) == frost.blur(photo, 2, alpha="premultiplied")).all(), mode)
        # Channels are first in tensors.
        for shape in ((3, 20, 30), (2, 3, 20, 30)):
            values = noise(*shape, dtype=numpy.float32)
            result = transform(array_api_strict.asarray(values))
            self.assertIsInstance(result, type(array_api_strict.asarray(values)))
            batch = values.reshape(-1, 3, 20, 30)
            expected = numpy.stack([frost.blur(one, 2, axis=0) for one in batch]).reshape(shape)
            self.assertTrue((numpy.asarray(result) == expected).all())
        # Arrays of NumPy are no tensors, whatever their type: their channels are last.
        for shape in ((3, 30, 4), (20, 30, 3), (5, 20, 30, 3)):
            values = noise(*shape, dtype=numpy.float32).astype(ml_dtypes.bfloat16)
            result = transform(values)
            self.assertEqual((result.shape, result.dtype), (values.shape, values.dtype))
            batch = values.reshape(-1, *shape[-3:])
            self.assertTrue((result.reshape(batch.shape) == numpy.stack([frost.blur(one, 2) for one in batch])).all())
        four = noise(20, 30, 4)
        numbers = frost.RandomBlur(2, alpha="premultiplied")(four)
        self.assertTrue((numbers == frost.blur(four, 2, alpha="premultiplied")).all())

    def test_what_is_refused(self):
        for options, kind in ((dict(sigma=(3, 1)), frost.ParameterError), (dict(sigma=-1), frost.ParameterError),
                              (dict(sigma=(1, 2, 3)), frost.ArgumentError),
                              (dict(sigma=float("nan")), frost.ParameterError), (dict(p=1.1), frost.ParameterError),
                              (dict(axis=0), frost.ArgumentError),
                              (dict(edge="clear"), frost.ArgumentError), (dict(threads=0), frost.ArgumentError),
                              (dict(sigma="x"), TypeError),
                              (dict(edge="around"), frost.ArgumentError), (dict(edge="transparent"), frost.ArgumentError),
                              (dict(generator=object()), TypeError), (dict(generator=7), TypeError)):
            with self.assertRaises(kind):
                frost.RandomBlur(**options)
        for shape, axis, words in (((2, 3, 30, 40), None, "40 channels.*pass axis=-3$"), ((3, 30, 40), -1, "pass axis=-3$"),
                                   ((2, 30, 40, 3), -3, "30 channels.*pass axis=-1$"), ((30, 40, 7), None, "7 channels: .* 4$"),
                                   ((30, 40, 7), -3, "30 channels: .* 4$")):
            # Also for a picture that is not blurred.
            for p in (0, 1):
                with self.assertRaisesRegex(frost.LayoutError, words):
                    frost.RandomBlur(2, p=p, axis=axis)(noise(*shape))
        for wrong, kind in ((noise(5), frost.LayoutError), (noise(5, 6, 7), frost.LayoutError), ("photo.png", TypeError)):
            with self.assertRaises(kind):
                frost.RandomBlur(1)(wrong)

    def test_values(self):
        transform = frost.RandomBlur((1, 3), p=0.5, same_on_batch=True, edge="mirror", generator=random.Random(4))
        copied = pickle.loads(pickle.dumps(transform))
        images = numpy.stack([noise(20, 30, 3)] * 4)
        for _ in range(3):
            self.assertTrue((copied(images) == transform(images)).all())
        self.assertEqual(repr(frost.RandomBlur([1, 3], p=0.5, edge="mirror")),
                         "frost.RandomBlur((1.0, 3.0), p=0.5, edge='mirror')")
        for word, edge in (("reflect", "mirror"), ("reflect_101", "reflect-101"), ("wrap", "repeat"), ("nearest", "clamp")):
            self.assertEqual(frost.RandomBlur(2, edge=word).edge, edge)
        self.assertEqual(repr(frost.RandomBlur()), "frost.RandomBlur((0.1, 2.0))")

    @unittest.skipIf(not TORCH, "PyTorch is not installed")
    def test_generator_of_pytorch(self):
        import torch

        with self.assertRaisesRegex(TypeError, r"generator is Generator, which has no method random\(\)"):
            frost.RandomBlur(generator=torch.Generator())

    @unittest.skipIf(not TORCH, "PyTorch is not installed")
    def test_workers_of_pytorch(self):
        """A loader draws other numbers in each worker, and the same ones for the same seed."""
        program = """
import frost, torch
class Pictures(torch.utils.data.Dataset):
    transform = frost.RandomBlur((0.5, 3), threads=1)
    def __len__(self): return 8
    def __getitem__(self, index): return self.transform(torch.eye(16).repeat(3, 1, 1))
for _ in range(2):
    torch.manual_seed(5)
    print([picture[0, 3, 3].item() for picture in torch.cat(list(torch.utils.data.DataLoader(Pictures(), 2, num_workers=2)))])
"""
        first, second = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True,
                                       text=True).stdout.splitlines()
        self.assertEqual(first, second)
        self.assertEqual(len(set(eval(first))), 8)


if __name__ == "__main__":
    unittest.main()
