"""Kinds of work of frost that write files, for the tests of power failures and of faults."""

import ctypes.util
import os
import re
import shutil
import subprocess

from files import picture
from report import Skipped

OLD = b"what stood there before"
# AtomicFile and CacheFolder give their temporary files these names.
TEMPORARY = re.compile(r"\..*-\d+-[0-9a-z]+\.tmp")
BLUR = ["blur", "--sigma", "2", "--backend", "cpu", "--threads", "2"]


class Work:
    """A run of frost in a folder, and what its files mean."""

    title = ""
    manifest = None         # the path of a manifest
    key = None              # the path of the key of redact
    caches = ()             # the folders of caches
    varies = ()             # outputs that are different in each run
    # The number of processes that run the words at the same time.
    processes = 1
    # Options with which the calls of a run have always the same order.
    alone = ()

    def __init__(self, frost, library):
        self.frost, self.library = frost, library

    def prepare(self, folder):
        """Makes the files before the run."""

    def words(self, index):
        """The command line of one of the processes."""

    def environment(self, folder):
        return {"XDG_STATE_HOME": f"{folder}/state", "XDG_CACHE_HOME": f"{folder}/cache", "FROST_PROGRAM_CACHE": "off"}

    def is_temporary(self, path):
        return TEMPORARY.fullmatch(os.path.basename(path)) is not None

    def run(self, folder, words, **variables):
        """Starts frost."""
        environment = {**os.environ, **self.environment(folder), **variables}
        return subprocess.Popen([self.frost, *words], cwd=folder, env=environment, stdin=subprocess.DEVNULL, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)


class Replacing(Work):
    title = "a picture replaces a file through a link"

    def prepare(self, folder):
        picture(folder / "in.png", 300, 200)
        (folder / "out.png").write_bytes(OLD)
        (folder / "out.png").chmod(0o640)
        (folder / "link.png").symlink_to("out.png")

    def words(self, index):
        return [*BLUR, "in.png", "-o", "link.png", "--keep", "times", "--json"]


class NewFolders(Work):
    title = "a batch into new folders, with a manifest"
    manifest = "m.jsonl"
    alone = ("--jobs", "1")

    def prepare(self, folder):
        for number, suffix in enumerate(("png", "jpg", "webp", "qoi", "ppm", "png")):
            (folder / f"in/{number % 3}").mkdir(parents=True, exist_ok=True)
            picture(folder / f"in/{number % 3}/{number}.{suffix}", 60, 40, number)

    def words(self, index):
        return [*BLUR, "-r", "in", "-o", "new/out/", "--jobs", "2", "--manifest", "m.jsonl", "--resume", "--json"]


class Continued(NewFolders):
    title = "a batch with another sigma continues a manifest"
    sigma = "2"

    def prepare(self, folder):
        super().prepare(folder)
        # The first run does not know all pictures, and was killed while it wrote a line.
        rest = (folder / "in/2").rename(folder / "rest")
        self.sigma = "2"
        ended = self.run(folder, self.words(0))
        assert ended.wait() == 0, ended
        with open(folder / self.manifest, "a", encoding="utf-8") as manifest:
            manifest.write('{"schema":"frost.man')
        self.sigma = "2.5"
        rest.rename(folder / "in/2")

    def words(self, index):
        return [*super().words(index), "--sigma", self.sigma]


class Redaction(Work):
    title = "redact makes its key"
    alone = ("--jobs", "1")
    key = "state/frost/redact.key"

    def prepare(self, folder):
        for name in "ab":
            (folder / "in").mkdir(exist_ok=True)
            picture(folder / f"in/{name}.png", 60, 40, ord(name))

    def words(self, index):
        return ["effect", "redact", "-r", "in", "-o", f"out-{index}/", "--force", "--json"]


class Redactions(Redaction):
    title = "three processes need the key of redact at the same time"
    processes = 3


class Frames(Work):
    title = "a transition writes a file for each frame"

    def prepare(self, folder):
        for name in "ab":
            picture(folder / f"{name}.png", 60, 40, ord(name))

    def words(self, index):
        return ["transition", "dissolve", "a.png", "b.png", "-o", "frames/{frame}/a.png", "--duration", "0.2", "--force",
                "--backend", "cpu", "--json"]


class Animations(Frames):
    title = "an animated WebP replaces a file"

    def prepare(self, folder):
        super().prepare(folder)
        (folder / "out.webp").write_bytes(OLD)

    def words(self, index):
        return ["transition", "dissolve", "a.png", "b.png", "-o", "out.webp", "--duration", "0.2", "--backend", "cpu",
                "--json"]


class GIF(Frames):
    title = "ffmpeg writes a GIF"

    def prepare(self, folder):
        if not shutil.which("ffmpeg"):
            raise Skipped("there is no ffmpeg")
        super().prepare(folder)
        words = ["transition", "dissolve", "a.png", "b.png", "-o", "in.apng", "--duration", "0.2", "--backend", "cpu"]
        assert self.run(folder, words).wait() == 0

    def words(self, index):
        return [*BLUR, "in.apng", "-o", "out.gif", "--json"]


class Video(Work):
    title = "ffmpeg writes a video"

    def prepare(self, folder):
        if not shutil.which("ffmpeg"):
            raise Skipped("there is no ffmpeg")
        subprocess.run(["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=64x48:rate=10:duration=1", "in.mkv"],
                       cwd=folder, check=True, stdin=subprocess.DEVNULL)

    def words(self, index):
        return ["video", "in.mkv", "-o", "out.mp4", "--sigma", "2", "--backend", "cpu", "--json"]


class Reports(Work):
    title = "compare writes reports"
    varies = ("r.html", "j.xml")        # they contain times

    def prepare(self, folder):
        for name in "ab":
            picture(folder / f"{name}.png", 60, 40, 1)
        (folder / "r.html").write_bytes(OLD)

    def words(self, index):
        return ["compare", "a.png", "b.png", "--diff", "d.png", "--report", "r.html", "--junit", "j.xml"]


class Programs(Work):
    title = "programs of the GPU are kept in a cache"
    caches = ("cache",)

    def prepare(self, folder):
        if not ctypes.util.find_library("EGL"):
            raise Skipped("EGL is not installed")
        picture(folder / "in.png", 60, 40)

    def environment(self, folder):
        return {**super().environment(folder), "FROST_PROGRAM_CACHE": "", "MESA_SHADER_CACHE_DISABLE": "true"}

    def words(self, index):
        return ["blur", "in.png", "-o", "out.png", "--sigma", "2", "--backend", "gpu"]


WORKS = (Replacing, NewFolders, Continued, Redaction, Redactions, Frames, Animations, GIF, Video, Reports, Programs)
