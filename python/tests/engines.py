"""What the tests of engines share: many pictures as files, some of them damaged, and the results of the command."""

import os
import subprocess
from importlib.util import find_spec
from pathlib import Path

import numpy

from support import noise

#: The frost command, if there is one to compare with.
BINARY = os.environ.get("FROST_BINARY")
#: Tools/test-engines sets this variable: then a missing engine is a failure.
REQUIRED = os.environ.get("FROST_TEST_ENGINES") == "1"
SIGMA = 8


def is_missing(module):
    return not REQUIRED and find_spec(module) is None


class Files:
    """PNG files of 40 sizes in a folder. One in a hundred is damaged.

    :ivar names: the names of all files, in order.
    :ivar bad: the names of the damaged ones.
    """

    def __init__(self, folder, count):
        import cv2

        self.folder = Path(folder) / "in"
        self.folder.mkdir()
        self.names, self.bad = [], set()
        for index in range(count):
            size = index % 40
            # Smooth pictures, because noise makes large files.
            picture = noise(30 + 3 * size, 150 - 2 * size, 3, seed=index)
            data = cv2.imencode(".png", cv2.GaussianBlur(picture, (0, 0), 3))[1].tobytes()
            name = f"{index:05}.png"
            if index % 100 == 37:
                data = (data[:len(data) // 2], b"", b"not a picture" + data)[index // 100 % 3]
                self.bad.add(name)
            (self.folder / name).write_bytes(data)
            self.names.append(name)

    def read(self, name):
        return (self.folder / name).read_bytes()

    def commanded(self):
        """Returns the bytes of the files that the command writes, by name."""
        output = self.folder.parent / "out"
        done = subprocess.run(
            [BINARY, "blur", "-r", str(self.folder), "-o", f"{output}/", "--sigma", str(SIGMA), "--backend", "cpu", "--quiet"],
            capture_output=True, text=True)
        assert done.returncode == (1 if self.bad else 0), done.stderr[-2000:]
        return {path.name: path.read_bytes() for path in sorted(output.iterdir())}


def decoded(data):
    """Returns the picture in a file, or None."""
    import cv2

    return cv2.imdecode(numpy.frombuffer(data, numpy.uint8), cv2.IMREAD_UNCHANGED) if data else None
