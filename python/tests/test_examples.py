"""Runs the programs of examples/python."""

import io
import os
import subprocess
import sys
import tarfile
import tempfile
import unittest
from pathlib import Path

import numpy

import frost
from engines import BINARY, REQUIRED, Files
from support import noise

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "python"


@unittest.skipIf(not REQUIRED or BINARY is None, "only Tools/test-engines runs them")
class Examples(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = Path(place.name)

    def run_example(self, name, *words):
        done = subprocess.run(
            [sys.executable, EXAMPLES / name, *map(str, words)], capture_output=True, text=True, cwd=self.folder,
            env=os.environ | {"RAY_DATA_DISABLE_PROGRESS_BARS": "1", "RAY_ADDRESS": "local"})
        self.assertEqual(done.returncode, 0, done.stderr[-3000:])
        return done.stdout

    @unittest.skipIf(not hasattr(frost, "blur_encoded"), "this build has no codecs")
    def test_encoded_pictures(self):
        """Ray, Daft and WebDataset write the bytes that the command writes, and name the damaged pictures."""
        files = Files(self.folder, 110)
        expected, bad = files.commanded(), files.bad
        self.assertTrue(bad)
        told = self.run_example("ray_blur.py", files.folder, "ray")
        self.assertEqual({path.name: path.read_bytes() for path in (self.folder / "ray").iterdir()}, expected)
        self.assertEqual(sum("Error" in line for line in told.splitlines()), len(bad))

        told = self.run_example("daft_blur.py", files.folder / "*.png", "daft")
        for name in bad:
            self.assertIn(name, told)
        import daft
        rows = daft.read_parquet(f"{self.folder}/daft/*.parquet").to_pylist()
        self.assertEqual({Path(row["path"]).name: row["image"] for row in rows if row["error"] is None}, expected)
        self.assertEqual(len(rows), 110)

        with tarfile.open(self.folder / "in-000.tar", "w") as tar:
            for name in files.names:
                data = files.read(name)
                header = tarfile.TarInfo(name)
                header.size = len(data)
                tar.addfile(header, io.BytesIO(data))
        told = self.run_example("webdataset_blur.py", "in-{000..000}.tar", "out-%03d.tar")
        with tarfile.open(self.folder / "out-000.tar") as tar:
            made = {member.name: tar.extractfile(member).read() for member in tar}
        self.assertEqual({name: data for name, data in made.items() if name.endswith(".png")}, expected)
        self.assertEqual(len(told.splitlines()), len(bad))

    def test_dask(self):
        for shape in ((900, 1000), (700, 5000, 3)):
            picture = noise(*shape)
            numpy.save(self.folder / "in.npy", picture)
            self.run_example("dask_blur.py", "in.npy", "out.npy")
            self.assertTrue((numpy.load(self.folder / "out.npy") == frost.blur(picture, 8)).all())


if __name__ == "__main__":
    unittest.main()
