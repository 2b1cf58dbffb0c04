#!/usr/bin/env python3
"""Checks what `frost video` keeps, warns of, and refuses, in containers and formats that ffmpeg treats without a word.

    video_kept.py --frost PATH [--only TEXT] [--junit FILE]

The cases are skipped without ffmpeg.
"""

import struct
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True

import numpy as np

from report import Cases
from video_tools import STALL, TONE, ffmpeg, frames, leftovers, picture, probe, run, streams, times


def interlaced(frost, folder, name, words, rate, size):
    """Frames that only say themselves that they are interlaced are refused, and --deinterlace acts on them."""
    source, result = folder / name, folder / "progressive.mkv"
    ffmpeg(*picture(size, rate * 2, 1), "-vf", "interlace=lowpass=off", "-flags", "+ilme+ildct", *words, source)
    done = run(frost, source, "-o", result, "--sigma", "2", "--video-codec", "ffv1", expected=3)
    assert "--deinterlace" in done.stderr, done.stderr
    run(frost, source, "-o", result, "--sigma", "0", "--video-codec", "ffv1", "--deinterlace")
    done = subprocess.run(["ffmpeg", "-v", "error", "-i", str(source), "-vf", "bwdif=mode=send_frame", "-f", "framemd5", "-"],
                          capture_output=True, text=True, timeout=STALL)
    wanted, found = (text.splitlines()[-1].split()[-1] for text in (done.stdout, md5(result)))
    assert wanted == found, "the frames are not those of bwdif"
    done = run(frost, source, "-o", result, "--effect", "redact", "--rect", "9,9,9,9", "--deinterlace", expected=2)
    assert "mix hidden rows" in done.stderr, done.stderr


def md5(path):
    return subprocess.run(["ffmpeg", "-v", "error", "-i", str(path), "-f", "framemd5", "-"], capture_output=True, text=True,
                          timeout=STALL).stdout


def wrapped(frost, folder):
    """A stream of MPEG whose clock starts again after a few seconds keeps all frames."""
    source = folder / "wrapped.ts"
    ffmpeg(*picture(), *TONE, "-pix_fmt", "yuv420p", "-c:v", "libx264", "-c:a", "mp2", "-output_ts_offset", "95440", source)
    for suffix in ("mkv", "mp4", "ts"):
        result = folder / f"wrapped-out.{suffix}"
        run(frost, source, "-o", result, "--sigma", "2")
        found = times(result)
        assert len(found) == 60 and 0 <= found[0] < 3, (suffix, len(found), found[:2])
        assert np.abs(np.diff(found) - 1 / 30).max() < 0.002, (suffix, found)


def last(frost, folder):
    """The last frame keeps its duration, however long or short."""
    slow, fast = folder / "slow.mp4", folder / "fast.mp4"
    ffmpeg(*picture("64x48", 1, 3), "-pix_fmt", "yuv420p", "-c:v", "libx264", "-bf", "0", fast)
    ffmpeg("-i", fast, "-c", "copy", "-bsf:v", "setts=pts=PTS:dts=DTS:duration=max(12/TB-PTS\\,0)", slow)
    assert float(probe(slow, "-show_format")["format"]["duration"]) == 12
    ffmpeg(*picture("64x48", 1000, 0.05), "-pix_fmt", "yuv420p", "-c:v", "libx264", fast)
    coarse = folder / "coarse.mov"
    ffmpeg("-i", slow, "-c", "copy", "-video_track_timescale", "600", coarse)
    for source, seconds, count in ((slow, 12, 3), (fast, 0.05, 50), (coarse, 12, 3)):
        for suffix in ("mp4", "mov"):
            result = folder / f"last-out.{suffix}"
            run(frost, source, "-o", result, "--sigma", "1")
            found = float(probe(result, "-show_format")["format"]["duration"])
            assert abs(found - seconds) <= 0.001, (source, suffix, found)
            assert len(frames(result)) == count, (source, suffix, len(frames(result)))
            assert times(source) == times(result)


def alpha(frost, folder, pixels, codec, suffix, kept):
    """Transparency is kept if the encoder and the container can store it; otherwise there is a warning."""
    source, result = folder / f"alpha-{pixels}.mkv", folder / f"alpha-out.{suffix}"
    ffmpeg("-f", "lavfi", "-i", "color=0x3060c0:size=64x48:rate=5:duration=1,format=rgba,colorchannelmixer=aa=0.25",
           "-pix_fmt", pixels, "-c:v", "ffv1" if pixels != "rgba" else "png", source)
    done = run(frost, source, "-o", result, "--sigma", "2", "--video-codec", codec)
    assert ("transparency is left out" in done.stderr) == (not kept), done.stderr
    decoder = {"libvpx": ("-c:v", "libvpx"), "libvpx-vp9": ("-c:v", "libvpx-vp9")}.get(codec, ())
    done = subprocess.run(["ffmpeg", "-v", "error", *decoder, "-i", str(result), "-pix_fmt", "rgba", "-f", "rawvideo", "-"],
                          check=True, capture_output=True, timeout=STALL)
    found = np.frombuffer(done.stdout, np.uint8).reshape(-1, 48, 64, 4)
    assert len(found) == 5
    # A quarter of 255, or an opaque frame. Encoders with losses and 16 bits change it by a few steps.
    assert np.abs(found[..., 3].astype(int) - (64 if kept else 255)).max() <= 4, found[0, 9, 9]
    # ffmpeg takes BT.601 for frames without tags.
    assert np.abs(found[0, 20, 20, :3].astype(int) - (0x30, 0x60, 0xC0)).max() <= 30, found[0, 20, 20]


def depth(frost, folder, pixels, words, expected, warns):
    """The depth is kept if the encoder stores it; otherwise there is a warning."""
    source, result = folder / f"depth-{pixels}.mkv", folder / f"depth-out.{'mp4' if not words else 'mkv'}"
    ffmpeg(*picture("64x48", 5, 1), "-pix_fmt", pixels, "-c:v", "png" if pixels.startswith("rgb48") else "ffv1", source)
    done = run(frost, source, "-o", result, "--sigma", "2", *words)
    assert streams(result)[0]["pix_fmt"] == expected, streams(result)[0]["pix_fmt"]
    assert ("bits per sample" in done.stderr) == warns, done.stderr


def chroma(frost, folder, pixels):
    """Samples of chroma that ffmpeg's pipe cannot name, or does not turn, keep their values."""
    source, result = folder / f"chroma-{pixels}.mkv", folder / f"chroma-{pixels}-out.mkv"
    ffmpeg(*picture("64x48", 5, 1), "-pix_fmt", pixels, "-c:v", "ffv1", source)
    run(frost, source, "-o", result, "--sigma", "0")
    assert streams(result)[0]["pix_fmt"] == pixels, streams(result)[0]
    assert [line.split()[-1] for line in md5(source).splitlines()] == [line.split()[-1] for line in md5(result).splitlines()]


def turned(frost, folder, codec, pixels, depth):
    """An upright video of 4:2:2 keeps its depth and range, and its luma in every bit."""
    flat, source, result = folder / "turned-flat.mov", folder / "turned.mov", folder / "turned-out.mkv"
    ffmpeg(*picture("96x64", 5, 1), "-pix_fmt", pixels, "-c:v", codec, flat)
    ffmpeg("-i", flat, "-c", "copy", "-metadata:s:v", "rotate=90", source)
    run(frost, source, "-o", result, "--sigma", "0", "--video-codec", "ffv1")
    before, after = streams(source)[0], streams(result)[0]
    assert after["pix_fmt"] == pixels.replace("yuvj", "yuv"), after
    assert before.get("color_range") == after.get("color_range"), (before, after)
    planes = []
    for path, filters in ((flat, "extractplanes=y,transpose=cclock"), (result, "extractplanes=y")):
        done = subprocess.run(["ffmpeg", "-v", "error", "-i", str(path), "-vf", filters, "-pix_fmt", depth, "-f",
                               "rawvideo", "-"], check=True, capture_output=True, timeout=STALL)
        planes.append(done.stdout)
    assert planes[0] == planes[1]


def matrix(frost, folder, numbers):
    """Frames are turned and mirrored as the matrix of the file says, which moves each pixel to a place of its own."""
    flat, source, result = folder / "matrix-flat.mp4", folder / "matrix.mp4", folder / "matrix-out.mkv"
    if not flat.exists():
        ffmpeg(*picture("96x64", 5, 1), "-pix_fmt", "yuv420p", "-c:v", "libx264", flat)
    data = flat.read_bytes()
    identity = struct.pack(">9i", 1 << 16, 0, 0, 0, 1 << 16, 0, 0, 0, 1 << 30)
    # The first matrix is that of the file, and the second that of the track.
    place = data.index(identity, data.index(b"tkhd"))
    a, b, c, d = numbers
    turned = struct.pack(">9i", a << 16, b << 16, 0, c << 16, d << 16, 0, 0, 0, 1 << 30)
    source.write_bytes(data[:place] + turned + data[place + 36:])
    run(frost, source, "-o", result, "--sigma", "0", "--video-codec", "ffv1")
    before, after = frames(flat), frames(result)
    if a == 0:
        before = before.transpose(0, 2, 1)
    # The matrix takes a row (x, y) to (a x + c y, b x + d y).
    if a + c < 0:
        before = before[:, :, ::-1]
    if b + d < 0:
        before = before[:, ::-1]
    assert before.shape == after.shape and (before == after).all(), (before.shape, after.shape)


def unnamed(frost, folder, codec, suffix):
    """A container that cannot name the codec is refused before anything is encoded."""
    source, result = folder / "unnamed.mp4", folder / f"unnamed-out.{suffix}"
    if not source.exists():
        ffmpeg(*picture(seconds=1), "-pix_fmt", "yuv420p", source)
    done = run(frost, source, "-o", result, "--sigma", "2", "--video-codec", codec, expected=2)
    assert "cannot hold its codec" in done.stderr, done.stderr
    assert not result.exists() and not leftovers(folder)


def lost(frost, folder, suffix, codec):
    """Streams and chapters that the container does not take are named in a warning."""
    source, result = folder / "lost.mkv", folder / f"lost-out.{suffix}"
    (folder / "font.ttf").write_bytes(b"not really a font")
    (folder / "chapters.txt").write_text(";FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=900\ntitle=One\n",
                                         encoding="utf-8")
    ffmpeg(*picture(seconds=1), "-i", folder / "chapters.txt", "-map", "0", "-map_chapters", "1", "-attach", folder / "font.ttf",
           "-metadata:s:t", "mimetype=application/x-truetype-font", "-pix_fmt", "yuv420p", source)
    done = subprocess.run([frost, "video", str(source), "-o", str(result), "--sigma", "2", "--video-codec", codec],
                          capture_output=True, text=True, timeout=STALL)
    if done.returncode:
        assert done.returncode == 6 and not result.exists(), done.stderr
        return
    chapters = len(probe(result, "-show_chapters")["chapters"])
    attachments = sum(stream["codec_type"] == "attachment" for stream in streams(result))
    assert ("chapters are left out" in done.stderr) == (chapters == 0), done.stderr
    assert ("streams of attachment are left out" in done.stderr) == (attachments == 0), done.stderr


def changing(frost, folder, size, pixels):
    """A stream whose frames change their size or chroma is refused, because rectangles would be in the wrong place."""
    source, result = folder / "changing.h264", folder / "changing-out.mkv"
    result.unlink(missing_ok=True)
    parts = []
    for number, words in enumerate((("96x64", "yuv420p"), (size, pixels))):
        part = folder / f"part-{number}.h264"
        ffmpeg(*picture(words[0], 5, 1), "-pix_fmt", words[1], "-c:v", "libx264", part)
        parts.append(part.read_bytes())
    source.write_bytes(b"".join(parts))
    done = run(frost, source, "-o", result, "--sigma", "2", expected=3)
    assert "of its frames changes" in done.stderr, done.stderr
    assert not result.exists() and not leftovers(folder)
    run(frost, source, "-o", result, "--sigma", "2", "--fail-on", "none")
    # Rectangles would miss what they have to hide.
    done = run(frost, source, "-o", result, "--effect", "redact", "--rect", "9,9,9,9", "--fail-on", "none", expected=3)
    assert "of its frames changes" in done.stderr and "none" not in done.stderr, done.stderr


def cut(frost, folder, suffix):
    """A truncated file is a fault of the input, whichever of the programs meets it."""
    source, result = folder / f"cut.{suffix}", folder / "cut-out.mkv"
    ffmpeg(*picture(), *TONE, "-pix_fmt", "yuv420p", "-c:v", "libx264", "-c:a", "aac", source)
    whole = source.read_bytes()
    codes = set()
    for percent in (31, 50, 67, 83):
        source.write_bytes(whole[:len(whole) * percent // 100])
        done = subprocess.run([frost, "video", str(source), "-o", str(result), "--sigma", "2"], capture_output=True, text=True,
                              timeout=STALL)
        codes.add(done.returncode)
        assert done.returncode in (0, 3) and source.name in done.stderr, (percent, done.returncode, done.stderr)
        result.unlink(missing_ok=True)
    assert 3 in codes


def bitrates(frost, folder):
    source = folder / "unnamed.mp4"
    ffmpeg(*picture(seconds=1), "-pix_fmt", "yuv420p", source)
    for word in ("inf", "0x10", "1e300k", "1e3", "-5", "0", "nan", "", "k", "1.2.3M", "999999999M"):
        done = run(frost, source, "-o", folder / "rate.mp4", "--sigma", "1", f"--bitrate={word}", expected=2)
        assert "--bitrate" in done.stderr, done.stderr
    for word in ("200k", "1.5M", "250000"):
        run(frost, source, "-o", folder / "rate.mp4", "--sigma", "1", "--bitrate", word)


def main():
    cases = Cases("video kept", __doc__)
    with tempfile.TemporaryDirectory(prefix="frost-video-kept-") as name:
        folder = Path(name)
        cases.run("interlaced DV", interlaced, cases.frost, folder, "raw.dv", ("-pix_fmt", "yuv420p"), 25, "720x576")
        cases.run("interlaced MPEG-4", interlaced, cases.frost, folder, "asp.avi", ("-c:v", "mpeg4", "-q:v", "2"), 25, "160x96")
        cases.run("last frame", last, cases.frost, folder)
        cases.run("wrapped clock", wrapped, cases.frost, folder)
        for pixels, codec, suffix, kept in (
                ("rgba", "libvpx-vp9", "webm", True), ("rgba", "libvpx", "webm", True), ("rgba", "prores_ks", "mov", True),
                ("rgba", "libvpx-vp9", "mp4", False), ("rgba", "libx264", "mkv", False), ("rgba", "ffv1", "mkv", True),
                ("yuva420p", "libvpx-vp9", "webm", True), ("yuva420p", "libvpx", "webm", True),
                ("yuva420p", "libvpx-vp9", "mkv", True), ("yuva420p", "libvpx-vp9", "nut", False),
                ("yuva420p", "prores_ks", "mov", True), ("yuva444p10le", "libvpx-vp9", "webm", True),
                ("yuva444p10le", "prores_ks", "mov", True), ("yuva420p", "utvideo", "mkv", True),
                ("gbrap10le", "ffv1", "mkv", True)):
            cases.run(f"alpha {pixels} {codec} {suffix}", alpha, cases.frost, folder, pixels, codec, suffix, kept)
        for pixels, words, expected, warns in (
                ("gbrp10le", (), "yuv420p10le", False), ("rgb48be", (), "yuv420p10le", True),
                ("yuv420p10le", ("--video-codec", "mpeg4"), "yuv420p", True), ("yuv420p", (), "yuv420p", False),
                ("gray10le", ("--video-codec", "ffv1"), "gray10le", False)):
            cases.run(f"depth {pixels} {expected}", depth, cases.frost, folder, pixels, words, expected, warns)
        for pixels in ("yuv440p", "yuv410p", "yuv440p10le", "yuv440p12le", "yuv411p"):
            cases.run(f"chroma {pixels}", chroma, cases.frost, folder, pixels)
        for codec, pixels, depth_ in (("prores_ks", "yuv422p10le", "gray10le"), ("mjpeg", "yuvj422p", "gray"),
                                      ("ffv1", "yuv411p", "gray")):
            cases.run(f"turned {pixels}", turned, cases.frost, folder, codec, pixels, depth_)
        for numbers in ((1, 0, 0, 1), (-1, 0, 0, 1), (1, 0, 0, -1), (-1, 0, 0, -1), (0, 1, -1, 0), (0, 1, 1, 0), (0, -1, 1, 0),
                        (0, -1, -1, 0)):
            cases.run(f"matrix {numbers}", matrix, cases.frost, folder, numbers)
        for codec, suffix in (("ffv1", "ts"), ("rawvideo", "ts"), ("prores_ks", "ts"), ("mjpeg", "ts"), ("libvpx-vp9", "ts"),
                              ("libaom-av1", "ts"), ("qtrle", "mkv"), ("rawvideo", "mov")):
            cases.run(f"unnamed {codec} {suffix}", unnamed, cases.frost, folder, codec, suffix)
        for suffix, codec in (("webm", "libvpx-vp9"), ("ts", "libx264"), ("avi", "libx264"), ("flv", "libx264"),
                              ("ogv", "libtheora"), ("mp4", "libx264"), ("mkv", "libx264")):
            cases.run(f"lost {suffix}", lost, cases.frost, folder, suffix, codec)
        for size, pixels in (("64x96", "yuv420p"), ("48x32", "yuv420p"), ("192x128", "yuv420p"), ("96x64", "yuv444p")):
            cases.run(f"changing {size} {pixels}", changing, cases.frost, folder, size, pixels)
        for suffix in ("flv", "ts", "avi", "mkv"):
            cases.run(f"cut {suffix}", cut, cases.frost, folder, suffix)
        cases.run("bitrates", bitrates, cases.frost, folder)
    cases.finish()


main()
