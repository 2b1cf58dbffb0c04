#!/usr/bin/env python3
"""Checks --allow: no command opens a file whose format is not listed, wherever the command line names the file.

    allow.py --frost PATH [--only TEXT] [--junit FILE]

Each command gets pictures of which one is a TIFF. It must refuse the TIFF by name, with exit code 3 and without an output, and
must not load libtiff: the dynamic linker lists the libraries that it loads. The same command with the format on the list does
its work.
"""

import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from report import Cases, Skipped

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "Samples/scene.png"
REFUSED = "which --allow does not list"


def run(*words, code=None, **options):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=120, **options)
    assert code is None or done.returncode == code, (words, done.returncode, done.stderr)
    return done


def files(frost, folder):
    """Makes a PNG and a TIFF of one size, a stream of frames, an animated GIF, and a scene with the TIFF."""
    run(frost, "blur", SAMPLE, "-o", folder / "a.png", "--sigma", 1, "--resize", "96x64", "--background", "white", code=0)
    run(frost, "blur", folder / "a.png", "-o", folder / "b.tif", "--sigma", 2, code=0)
    shutil.copyfile(folder / "b.tif", folder / "named.png")
    (folder / "in.y4m").write_bytes(b"YUV4MPEG2 W8 H8 F25:1 C420jpeg\n" + (b"FRAME\n" + bytes(range(96))) * 2)
    (folder / "party.gif").write_bytes(gif())
    (folder / "scene.json").write_text(json.dumps(
        {"size": [96, 64], "duration": 0.1, "backdrop": [{"picture": "b.tif"}], "panels": []}))
    (folder / "many").mkdir()
    shutil.copyfile(folder / "a.png", folder / "many/a.png")
    shutil.copyfile(folder / "b.tif", folder / "many/b.tif")


def gif():
    """An animated GIF of two frames of one pixel."""
    frame = b"\x21\xf9\x04\0\x05\0\0\0\x2c\0\0\0\0\x01\0\x01\0\0\x02\x02\x44\x01\0"
    return b"GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff" + frame + frame + b";"


# The words of a command, without its output, and the code of a success.
COMMANDS = {
    "an input": ["blur", "b.tif", "--sigma", "3", "-o", "out.png"],
    "an input with another suffix": ["blur", "named.png", "--sigma", "3", "-o", "out.png"],
    "an input in a sandbox": ["blur", "b.tif", "--sigma", "3", "-o", "out.png", "--sandbox"],
    "an input of an effect": ["effect", "light", "b.tif", "-o", "out.png"],
    "an input of redact": ["effect", "redact", "b.tif", "--rect", "1,1,30,30", "-o", "out.png"],
    "a mask": ["blur", "a.png", "--sigma", "3", "--mask", "b.tif", "-o", "out.png"],
    "the mask of an effect": ["effect", "variable", "a.png", "--mask", "b.tif", "-o", "out.png"],
    "a content": ["effect", "light", "a.png", "--content", "b.tif", "-o", "out.png"],
    "the first picture of compare": ["compare", "b.tif", "a.png"],
    "the second picture of compare": ["compare", "a.png", "b.tif"],
    "an input of check": ["check", "b.tif", "--sigma", "2", "--allow-missing-gpu"],
    "an input of bench": ["bench", "--input", "b.tif", "--sigma", "1", "--backend", "cpu"],
    "a picture of a transition": ["transition", "a.png", "b.tif", "--effect", "dissolve", "--time", "0.5", "-o", "out.png"],
    "a mask of a transition": ["transition", "a.png", "a.png", "--effect", "disintegrate-with-mask", "--mask", "b.tif",
                               "--time", "0.5", "-o", "out.png"],
    "a picture of a scene": ["animate", "scene.json", "--at", "0", "-o", "out.png"],
    "the picture of a sheet": ["effects", "--sheet", "out.html", "b.tif"],
}
# Commands whose pictures may be decoded in a sandbox, whose processes do not get the variable of the dynamic linker.
SANDBOXED = {"an input in a sandbox", "an input of redact"}
# Commands whose success needs more than the picture.
WITHOUT_SUCCESS = {"an input of check", "the picture of a sheet", "the first picture of compare",
                   "the second picture of compare", "an input of bench"}


def libraries(done):
    """The standard error of a command that ran with LD_DEBUG=libs, without and with the lines of the dynamic linker."""
    lines = done.stderr.splitlines()
    own = [line for line in lines if not line.lstrip().split(":")[0].isdigit()]
    return "\n".join(own), done.stderr


def commands(frost, folder, name):
    words = COMMANDS[name]
    (folder / "out.png").unlink(missing_ok=True)
    traced = {**os.environ, "LD_DEBUG": "libs"}
    for setting, environment in [(["--allow", "png,jpeg"], traced), ([], {**traced, "FROST_ALLOW": "png,jpeg"})]:
        done = run(frost, *words, *setting, cwd=folder, env=environment)
        text, trace = libraries(done)
        assert done.returncode in (1, 3) and REFUSED in text + done.stdout, (words, done.returncode, text)
        assert "it is a TIFF" in text + done.stdout, text
        assert "libtiff" not in trace, [line for line in trace.splitlines() if "libtiff" in line]
        assert not (folder / "out.png").exists()
    done = run(frost, *words, "--allow", "png,tiff", cwd=folder, env=traced)
    text, trace = libraries(done)
    assert REFUSED not in text + done.stdout and ("libtiff" in trace or name in SANDBOXED), (words, text)
    assert done.returncode == 0 or name in WITHOUT_SUCCESS, (words, text)
    (folder / "out.png").unlink(missing_ok=True)
    # An option overrides the environment.
    over = run(frost, *words, "--allow", "tiff,png", cwd=folder, env={**os.environ, "FROST_ALLOW": "png"})
    assert REFUSED not in over.stderr + over.stdout, over.stderr
    (folder / "out.png").unlink(missing_ok=True)


def batches(frost, folder):
    """A batch does the pictures that are allowed, and fails for each other one."""
    done = run(frost, "blur", "-r", "many/", "-o", "out/", "--sigma", 2, "--allow", "png", cwd=folder, code=1)
    assert "b.tif" in done.stderr and REFUSED in done.stderr, done.stderr
    assert [path.name for path in (folder / "out").iterdir()] == ["a.png"]
    run(frost, "blur", "-r", "many/", "-o", "both/", "--sigma", 2, "--allow", "png,tif", cwd=folder, code=0)
    assert len(list((folder / "both").iterdir())) == 2


def streams(frost, folder):
    """Standard input is judged by its bytes, and so are streams of frames and animations."""
    data = (folder / "b.tif").read_bytes()
    done = subprocess.run([frost, "blur", "-", "-o", "-", "--sigma", "2", "--allow", "png"], input=data, capture_output=True)
    assert done.returncode == 3 and REFUSED.encode() in done.stderr and not done.stdout, done
    for allowed, code in (("png", 3), ("png,y4m", 0)):
        done = run(frost, "blur", "in.y4m", "-o", "out.y4m", "--sigma", 1, "--allow", allowed, cwd=folder, code=code)
        assert (REFUSED in done.stderr) == (code == 3), done.stderr
        assert (folder / "out.y4m").exists() == (code == 0)
    for allowed, code in (("png", 3), ("gif", 0)):
        done = run(frost, "blur", "party.gif", "-o", "out.webp", "--sigma", 1, "--allow", allowed, cwd=folder, code=code)
        assert (REFUSED in done.stderr) == (code == 3), done.stderr
    # Raw frames are named by --format and have no decoder.
    raw = run(frost, "blur", "b.tif", "-o", "out.rgb", "--sigma", 1, "--format", "rgb24", "--size", "2x2", "--allow", "png",
              cwd=folder)
    assert REFUSED not in raw.stderr, raw.stderr


def videos(frost, folder):
    """No other program is started for a video file that is not allowed."""
    tools = folder / "tools"
    tools.mkdir()
    for name in ("ffmpeg", "ffprobe"):
        (tools / name).write_text(f"#!/bin/sh\ntouch '{folder}/started'\nexit 1\n")
        (tools / name).chmod(0o755)
    (folder / "in.mp4").write_bytes(b"\0\0\0\x18ftypisom" + bytes(100))
    environment = {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}"}
    words = [frost, "video", "in.mp4", "-o", "out.mp4", "--sigma", "2", "--allow"]
    done = run(*words, "png,y4m", cwd=folder, env=environment, code=3)
    assert "it is a video file, which --allow does not list" in done.stderr, done.stderr
    assert not (folder / "started").exists()
    run(*words, "video", cwd=folder, env=environment)
    assert (folder / "started").exists()


def usage(frost, folder):
    """Names that no format has are refused before anything is read."""
    for value, told in [("png,mng", "--allow mng"), ("png,", "empty list element"), ("rgba", "--allow rgba")]:
        done = run(frost, "blur", "none.png", "-o", "out.png", "--sigma", 1, "--allow", value, cwd=folder, code=2)
        assert told in done.stderr, done.stderr
    done = run(frost, "blur", "a.png", "-o", "out.png", "--sigma", 1, cwd=folder, env={**os.environ, "FROST_ALLOW": "x"}, code=2)
    assert "FROST_ALLOW=x in the environment" in done.stderr, done.stderr


def inside(frost, folder):
    """A JPEG that lies in a TIFF needs both formats."""
    try:
        from PIL import Image
        Image.open(folder / "a.png").convert("RGB").save(folder / "jpeg.tif", compression="jpeg")
    except (ImportError, OSError) as error:
        raise Skipped(f"Pillow writes no JPEG in a TIFF: {error}") from error
    for allowed, code in (("tiff", 3), ("jpeg", 3), ("tiff,jpeg", 0)):
        for more in ([], ["--sandbox"]):
            done = run(frost, "blur", "jpeg.tif", "-o", "inner.png", "--sigma", 1, "--allow", allowed, *more, cwd=folder, code=code)
            assert (REFUSED in done.stderr) == (code == 3), done.stderr
    assert "a TIFF with JPEG pictures inside" in run(
        frost, "blur", "jpeg.tif", "-o", "x.png", "--sigma", 1, "--allow", "tiff", cwd=folder).stderr


def main():
    cases = Cases("allow", __doc__)
    with tempfile.TemporaryDirectory(prefix="frost-allow-") as name:
        folder = Path(name)
        files(cases.frost, folder)
        for case in COMMANDS:
            cases.run(case, commands, cases.frost, folder, case)
        for function in (batches, streams, videos, usage, inside):
            cases.run(function.__name__, function, cases.frost, folder)
    cases.finish()


if __name__ == "__main__":
    main()
