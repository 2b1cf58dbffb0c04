"""Tests the operators for WebDataset."""

import io
import pickle
import tarfile
import tempfile
import unittest
from pathlib import Path

import numpy

import frost
from engines import BINARY, SIGMA, Files, decoded, is_missing
from support import noise


class Samples(unittest.TestCase):
    def test_pictures_are_replaced(self):
        sample = {"__key__": "a", "png": noise(9, 12, 3), "mask.png": noise(9, 12), "cls": b"3"}
        kept = dict(sample)
        result = frost.webdataset.Blur("jpg;png;mask.png", 2)(sample)
        self.assertEqual(list(result), list(sample))
        for key in ("png", "mask.png"):
            self.assertTrue((result[key] == frost.blur(sample[key], 2)).all() and sample[key] is kept[key])
        self.assertEqual((result["__key__"], result["cls"]), ("a", b"3"))
        self.assertTrue((frost.webdataset.Effect("png", "light")(sample)["png"] == frost.effect(sample["png"], "light")).all())

    def test_a_bad_picture_is_left_out(self):
        blur = pickle.loads(pickle.dumps(frost.webdataset.Blur(sigma=2)))
        for sample, keys, text in (
                ({"__key__": "a", "png": noise(3, 3, 7), "cls": b"3"}, ["__key__", "cls", "error"], b"png: LayoutError: .*7 channels"),
                ({"__key__": "a", "cls": b"3"}, ["__key__", "cls", "error"], b"there is no picture .keys: cls.$")):
            result = blur(sample)
            self.assertEqual(list(result), keys)
            self.assertRegex(result["error"], text)
            self.assertEqual(blur(result), result)

    def test_earlier_reasons_are_kept(self):
        """Another operator of the same sample adds its reasons."""
        sample = {"png": noise(3, 3, 7), "jpg": noise(3, 3, 6)}
        once = frost.webdataset.Blur("png", 2)(sample)
        twice = frost.webdataset.Blur("jpg", 2)(once)
        self.assertRegex(twice["error"], b"^png: LayoutError: .*7 channels.*; jpg: LayoutError: .*6 channels")
        for earlier, start in (("a text", b"a text; jpg"), (float("nan"), b"jpg"), (b"", b"jpg")):
            self.assertTrue(frost.webdataset.Blur("jpg", 2)({**sample, "error": earlier})["error"].startswith(start))

    def test_errors_of_the_call(self):
        for call, kind, text in (
                (lambda: frost.webdataset.Blur(sigma=-1), frost.ParameterError, "0 to 1000"),
                (lambda: frost.webdataset.Blur(""), frost.ArgumentError, "suffixes"),
                (lambda: frost.webdataset.Blur("png", error_key="png"), frost.ArgumentError, "key of a picture")):
            with self.subTest(text), self.assertRaisesRegex(kind, text):
                call()


@unittest.skipIf(is_missing("webdataset") or BINARY is None, "WebDataset or the frost command is missing")
class Tars(unittest.TestCase):
    def test_from_tars_to_a_tar(self):
        """Every sample comes through, in order, with its other members. Good pictures are those of the command."""
        import webdataset

        has_codecs = hasattr(frost, "blur_encoded")
        with tempfile.TemporaryDirectory() as folder:
            files = Files(folder, 200)
            expected = files.commanded()
            for shard in range(2):
                with tarfile.open(Path(folder) / f"in-{shard}.tar", "w") as tar:
                    for name in files.names[100 * shard:100 * shard + 100]:
                        stem = name.removesuffix(".png")
                        for member, data in ((name, files.read(name)), (f"{stem}.cls", stem.encode())):
                            header = tarfile.TarInfo(member)
                            header.size = len(data)
                            tar.addfile(header, io.BytesIO(data))
            samples = webdataset.WebDataset(f"{folder}/in-{{0..1}}.tar", shardshuffle=False)
            if not has_codecs:
                samples = samples.map(lambda sample: {**sample, "png": decoded(sample["png"])})
            out = Path(folder) / "out.tar"
            with webdataset.TarWriter(str(out), encoder=has_codecs) as writer:
                for sample in samples.map(frost.webdataset.Blur("png", SIGMA)):
                    if not has_codecs and "png" in sample:
                        sample["png"] = sample["png"].tobytes()
                    writer.write(sample)
            found = {}
            with tarfile.open(out) as tar:
                for member in tar:
                    stem, _, key = member.name.partition(".")
                    found.setdefault(stem, {})[key] = tar.extractfile(member).read()
        self.assertEqual([f"{stem}.png" for stem in found], files.names)
        for name in files.names:
            sample = found[name.removesuffix(".png")]
            self.assertEqual(sample["cls"], name.removesuffix(".png").encode())
            if name in files.bad:
                self.assertEqual(("png" in sample, bool(sample["error"])), (False, True))
            else:
                self.assertEqual(sample["png"], expected[name] if has_codecs else decoded(expected[name]).tobytes(), name)
                self.assertNotIn("error", sample)


if __name__ == "__main__":
    unittest.main()
