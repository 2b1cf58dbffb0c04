"""Tests the functions for Daft."""

import tempfile
import unittest

import numpy

import frost
from engines import BINARY, SIGMA, Files, decoded, is_missing
from support import noise


@unittest.skipIf(is_missing("daft"), "Daft is not installed")
class DataFrames(unittest.TestCase):
    def test_arrays_of_every_type(self):
        """A bad row keeps its place, its value is null, and its error is the reason."""
        import daft

        pictures = [noise(20 + n, 30, 3, seed=n) for n in range(6)]
        for kind in (daft.DataType.python(), daft.DataType.tensor(daft.DataType.uint8()), daft.DataType.image("RGB")):
            values = [*pictures]
            values[3] = None
            if kind.is_python():
                values[4] = noise(3, 3, 7)
            frame = daft.from_pydict({"id": list(range(6)), "image": daft.Series.from_pylist(values, dtype=kind)})
            result = frost.daft.blur(frame, sigma=2, batch_size=4)
            self.assertEqual(result.column_names, ["id", "image", "error"])
            self.assertEqual(result.schema()["image"].dtype, kind)
            made = result.to_pydict()
            self.assertEqual(made["id"], list(range(6)))
            for index, (image, error) in enumerate(zip(made["image"], made["error"])):
                if values[index] is None or values[index].shape[2] == 7:
                    self.assertTrue(image is None and error, (index, kind))
                else:
                    self.assertTrue(error is None and (numpy.asarray(image) == frost.blur(pictures[index], 2)).all())
            # Another effect keeps the reasons.
            again = frost.daft.effect(result, effect="light").to_pydict()
            self.assertEqual(again["error"], made["error"])

    def test_reasons_of_other_columns_are_kept(self):
        import daft

        frame = daft.from_pydict({"one": [noise(3, 3, 7), noise(3, 3)], "other": [noise(3, 3), noise(3, 3, 6)]})
        made = frost.daft.blur(frost.daft.blur(frame, "one", 2), "other", 2).to_pydict()
        self.assertRegex(made["error"][0], "7 channels")
        self.assertRegex(made["error"][1], "6 channels")

    @unittest.skipIf(BINARY is None, "there is no frost command to compare with")
    def test_files(self):
        """The bytes of files, or their decoded pictures, are those of the command."""
        import daft

        with tempfile.TemporaryDirectory() as folder:
            files = Files(folder, 200)
            expected = files.commanded()
            frame = daft.from_pydict({"name": files.names, "image": [files.read(name) for name in files.names]})
            has_codecs = hasattr(frost, "blur_encoded")
            if not has_codecs:
                frame = frame.with_column("image", daft.func(decoded, return_dtype=daft.DataType.python())(frame["image"]))
            made = frost.daft.blur(frame, sigma=SIGMA).to_pydict()
        self.assertEqual(made["name"], files.names)
        for name, image, error in zip(made["name"], made["image"], made["error"]):
            if name in files.bad:
                self.assertTrue(image is None and error, name)
            elif has_codecs:
                self.assertEqual((image, error), (expected[name], None), name)
            else:
                self.assertTrue(error is None and (image == decoded(expected[name])).all(), name)

    def test_errors_of_the_call(self):
        import daft

        frame = daft.from_pydict({"image": [b""], "id": [1]})
        for call, kind, text in (
                (lambda: frost.daft.blur(frame, sigma=-1), frost.ParameterError, "0 to 1000"),
                (lambda: frost.daft.blur(frame, "photo"), frost.ArgumentError, "'photo' .*image, id"),
                (lambda: frost.daft.blur(frame, "id"), frost.LayoutError, "Int64"),
                (lambda: frost.daft.blur(frame, error_column="image"), frost.ArgumentError, "column of the pictures"),
                (lambda: frost.daft.effect(frame, effect="lihgt"), frost.ParameterError, "lihgt")):
            with self.subTest(text), self.assertRaisesRegex(kind, text):
                call()


if __name__ == "__main__":
    unittest.main()
