#!/usr/bin/env python3
"""Runs `frost video` on video files that ffmpeg makes, and compares everything but the frames with the input.

    video_files.py --frost PATH [--only TEXT] [--junit FILE]

The cases are skipped without ffmpeg.
"""

import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.dont_write_bytecode = True

import numpy as np

from report import Cases, Skipped
from video_tools import STALL, TONE, ffmpeg, frames, leftovers, packets, picture, probe, run, streams, times


def remaining(folder):
    """The processes of ffmpeg that work on files of a folder. Others belong to checks that run beside this one."""
    done = subprocess.run(["ps", "-eww", "-o", "pid=,ppid=,args="], capture_output=True, text=True, check=True)
    return [line for line in done.stdout.splitlines() if "ffmpeg" in line and f"{folder}/" in line]


def constant(frost, folder):
    """A video with constant rate keeps its times, its sound and its tags, and becomes blurred."""
    source, result = folder / "constant.mp4", folder / "constant-out.mp4"
    ffmpeg(*picture(), *TONE, "-pix_fmt", "yuv420p", "-metadata", "title=A title", "-metadata:s:a", "language=fra",
           source)
    done = run(frost, source, "-o", result, "--sigma", "4", "--json")
    report = json.loads(done.stdout)
    assert (report["frames"], report["width"], report["height"]) == (60, 160, 90), report
    assert times(source) == times(result)
    assert packets(source, "a", "pts,dts,size,data_hash") == packets(result, "a", "pts,dts,size,data_hash")
    before, after = streams(source), streams(result)
    for entry in ("codec_name", "r_frame_rate", "avg_frame_rate", "time_base", "duration", "sample_aspect_ratio"):
        assert before[0].get(entry) == after[0].get(entry), (entry, before[0], after[0])
    assert after[1]["tags"]["language"] == "fra"
    assert probe(result, "-show_format")["format"]["tags"]["title"] == "A title"
    old, new = frames(source).astype(float), frames(result).astype(float)
    assert np.abs(np.diff(new, axis=2)).mean() < 0.5 * np.abs(np.diff(old, axis=2)).mean()
    assert np.abs(old.mean() - new.mean()) < 1


def variable(frost, folder, suffix, sound, slack):
    """Every frame keeps its time, whatever the distance to the next one. ffmpeg 5.1 itself delays the other streams of
    Matroska by the delay of Opus, 6.5 ms, whenever it copies them."""
    source, result = folder / f"variable-{sound}.{suffix}", folder / f"variable-{sound}-out.{suffix}"
    codec = "libvpx-vp9" if suffix == "webm" else "libx264"
    ffmpeg(*picture(rate=60), *TONE, "-vf", "select='not(mod(n,5))+gt(mod(n,11),7)'", "-fps_mode", "vfr", "-pix_fmt",
           "yuv420p", "-c:v", codec, "-c:a", sound, source)
    run(frost, source, "-o", result, "--sigma", "2")
    before, after = np.array(times(source)), np.array(times(result))
    assert len(set(np.round(np.diff(before), 3))) > 2, "the clip has a constant rate"
    assert np.abs(after - before).max() <= slack, after - before
    assert np.abs(np.diff(after) - np.diff(before)).max() < 1e-6
    assert packets(source, "a", "pts,size,data_hash") == packets(result, "a", "pts,size,data_hash")


def padded(frost, folder):
    """Every frame keeps its time on a background of another size, and on a smaller frame, whatever the size of its pipe."""
    source = folder / "padded.mp4"
    ffmpeg(*picture(rate=60), *TONE, "-vf", "select='not(mod(n,5))+gt(mod(n,11),7)'", "-fps_mode", "vfr", "-pix_fmt",
           "yuv420p", "-c:v", "libx264", source)
    assert len(set(np.round(np.diff(times(source)), 3))) > 2, "the clip has a constant rate"
    for words, size in ((("--pad", "120x300"), (120, 300)), (("--pad", "400x90", "--pad-with", "mirror"), (400, 90)),
                        (("--resize", "10%"), (16, 10)), (("--resize", "500%"), (800, 450)),
                        (("--resize", "1280x720"), (1280, 720))):
        result = folder / "padded-out.mp4"
        done = run(frost, source, "-o", result, "--sigma", "3", *words, "--json")
        report = json.loads(done.stdout)
        found = streams(result)[0]
        assert (found["width"], found["height"]) == (report["width"], report["height"]) == size, (found, report)
        assert times(source) == times(result), words
        assert packets(source, "a", "pts,size,data_hash") == packets(result, "a", "pts,size,data_hash")
        # Players would assume BT.709 for 720 rows. The colours are still those of the input, in BT.601.
        assert found.get("color_space") == ("smpte170m" if size[1] == 720 else None), found
    run(frost, source, "-o", folder / "inside.mp4", "--sigma", "8", "--pad", "160x284", "--crf", "1")
    run(frost, source, "-o", folder / "same.mp4", "--sigma", "0", "--crf", "1")
    old, new = frames(folder / "same.mp4"), frames(folder / "inside.mp4")
    assert np.abs(old.astype(int) - new[:, 96:186]).mean() < 1, "the foreground changes"
    assert np.abs(np.diff(new[:, :90].astype(int), axis=2)).mean() < 2, "the background is not blurred"
    done = run(frost, source, "-o", folder / "x.mp4", "--sigma", "8", "--pad", "160x284", "--rect", "1,1,9,9", expected=2)
    assert "--pad cannot be combined" in done.stderr


def late(frost, folder):
    """Sound and picture move together if the file does not begin at 0."""
    source, result = folder / "late.ts", folder / "late.mkv"
    ffmpeg("-itsoffset", "0.5", *picture(), *TONE, "-pix_fmt", "yuv420p", "-c:v", "libx264", "-bf", "0", "-c:a", "ac3",
           source)
    run(frost, source, "-o", result, "--sigma", "2")
    offset = times(source, "v:0")[0] - times(source, "a:0")[0]
    moved = times(result, "v:0")[0] - times(result, "a:0")[0]
    assert abs(offset) > 0.4 and abs(offset - moved) < 0.002, (offset, moved)


def everything(frost, folder):
    """Subtitles, chapters, attachments, dispositions, a second video and a cover picture are kept."""
    (folder / "words.srt").write_text("1\n00:00:00,200 --> 00:00:01,000\nHello\n", encoding="utf-8")
    (folder / "chapters.txt").write_text(
        ";FFMETADATA1\ntitle=Everything\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=900\ntitle=One\n"
        "[CHAPTER]\nTIMEBASE=1/1000\nSTART=900\nEND=2000\ntitle=Two\n", encoding="utf-8")
    (folder / "font.ttf").write_bytes(b"not really a font")
    source, result = folder / "everything.mkv", folder / "everything-out.mkv"
    ffmpeg(*TONE, *picture(), *picture("64x48"), "-i", folder / "words.srt", "-i", folder / "chapters.txt", "-map", "0",
           "-map", "1", "-map", "2", "-map", "0", "-map", "3", "-map_metadata", "4", "-map_chapters", "4", "-pix_fmt",
           "yuv420p", "-c:v", "libx264", "-c:a", "flac", "-attach", folder / "font.ttf", "-metadata:s:t",
           "mimetype=application/x-truetype-font", "-metadata:s:v:0", "title=Main", "-disposition:v:0", "default+forced",
           "-metadata:s:s:0", "language=deu", source)
    done = run(frost, source, "-o", result, "--sigma", "2")
    assert "stream 2, a second video, is copied as it is" in done.stderr, done.stderr
    before, after = streams(source), streams(result)
    assert [(s["codec_type"], s.get("codec_name")) for s in before] == [
        (s["codec_type"], s.get("codec_name")) for s in after]
    for old, new in zip(before, after):
        assert old["disposition"] == new["disposition"], (old, new)
        for tag in ("language", "title", "filename", "mimetype"):
            assert old.get("tags", {}).get(tag) == new.get("tags", {}).get(tag), (tag, old, new)
    assert probe(source, "-show_chapters") == probe(result, "-show_chapters")
    assert len(probe(result, "-show_chapters")["chapters"]) == 2
    for selector in ("a:0", "a:1", "s:0", "v:1"):
        kept = packets(source, selector, "pts,size,data_hash"), packets(result, selector, "pts,size,data_hash")
        assert kept[0] == kept[1], (selector, kept[0][:3], kept[1][:3])
    assert (frames(source)[5] != frames(result)[5]).any()
    cover, plain = folder / "cover.mp4", folder / "plain.png"
    ffmpeg(*picture("32x32", seconds=1), "-frames:v", "1", plain)
    ffmpeg("-i", plain, *picture(), "-map", "0", "-map", "1", "-c:v:0", "png", "-disposition:v:0", "attached_pic",
           "-pix_fmt:v:1", "yuv420p", "-c:v:1", "libx264", cover)
    done = run(frost, cover, "-o", folder / "cover-out.mp4", "--sigma", "2")
    assert "a cover picture, is copied as it is" in done.stderr, done.stderr
    kinds = [(s["codec_name"], s["disposition"]["attached_pic"]) for s in streams(folder / "cover-out.mp4")]
    assert sorted(kinds) == [("h264", 0), ("png", 1)], kinds
    cut = next(n for n, (name, _) in enumerate(kinds) if name == "png")
    old = next(n for n, s in enumerate(streams(cover)) if s["codec_name"] == "png")
    assert packets(cover, str(old), "data_hash") == packets(folder / "cover-out.mp4", str(cut), "data_hash")


def covers(frost, folder, suffix):
    """A cover picture that is an attached file stays one, and can move between Matroska and MP4."""
    source, plain = folder / "attached.mkv", folder / "attached.png"
    ffmpeg(*picture("32x32", seconds=1), "-frames:v", "1", plain)
    (folder / "words.ttf").write_bytes(b"not a font")
    ffmpeg(*picture(seconds=1), "-pix_fmt", "yuv420p", "-attach", folder / "words.ttf", "-metadata:s:t:0",
           "mimetype=application/x-truetype-font", "-attach", plain, "-metadata:s:t:1", "mimetype=image/png",
           "-metadata:s:t:1", "filename=cover.png", source)
    result = folder / f"attached-out.{suffix}"
    if suffix != "mkv":
        ffmpeg("-i", source, "-map", "0:V", "-map", "0:v:m:filename:cover.png", "-c", "copy", "-disposition:v:1",
               "attached_pic", folder / "attached.mp4")
        source = folder / "attached.mp4"
    run(frost, source, "-o", result, "--sigma", "2")
    old, new = ([s for s in streams(path) if s["disposition"]["attached_pic"]] for path in (source, result))
    assert len(old) == len(new) == 1 and new[0]["codec_name"] == "png", new
    assert packets(source, str(old[0]["index"]), "data_hash") == packets(result, str(new[0]["index"]), "data_hash")
    kinds = [s["codec_type"] for s in streams(result)]
    assert kinds.count("attachment") == (suffix == "mkv"), kinds


def rotation(frost, folder, angle):
    """Rectangles refer to the picture as it is shown, and the result is shown like the input."""
    flat, source, result = (folder / f"{name}-{angle}.mp4" for name in ("flat", "turned", "turned-out"))
    ffmpeg(*picture(seconds=1), "-pix_fmt", "yuv420p", flat)
    # The demuxer's option for the matrix is younger than the ffmpeg of Debian 12, so the tag is set in a copy.
    ffmpeg("-i", flat, "-c", "copy", "-metadata:s:v", f"rotate={angle}", source)
    if not any("rotation" in data for data in streams(source)[0].get("side_data_list", [])):
        raise Skipped("this ffmpeg does not write a rotation")
    before = frames(source)
    run(frost, source, "-o", result, "--effect", "redact", "--fill", "black", "--rect", "0,0,40,20")
    after = frames(result)
    assert before.shape == after.shape, (before.shape, after.shape)
    assert after[:, 2:18, 2:38].max() < 24, after[0, 2:18, 2:38]
    assert np.abs(before[:, 30:].astype(int) - after[:, 30:]).mean() < 3
    assert not streams(result)[0].get("side_data_list"), streams(result)[0]


def odd(frost, folder, pixels, suffix, codec, expected):
    """Odd sides, with 8 and with 10 bits. Encoders that need even sides get one more row and column, with a warning."""
    source, result = folder / f"odd-{pixels}.mkv", folder / f"odd-{pixels}-out.{suffix}"
    ffmpeg(*picture("200x120", seconds=1), "-vf", f"crop=161:91:0:0:exact=1,format={pixels}", "-c:v", codec,
           *(("-cpu-used", "8") if "aom" in codec else ()), source)
    assert (streams(source)[0]["width"], streams(source)[0]["height"]) == (161, 91)
    done = run(frost, source, "-o", result, "--effect", "box", "--no-dither")
    found = streams(result)[0]
    assert (found["width"], found["height"]) == expected, found
    assert ("needs even sides" in done.stderr) == (expected != (161, 91)), done.stderr
    if suffix == "mkv":
        assert found["pix_fmt"] == pixels
    assert len(times(result)) == 30


def small(frost, folder):
    """Frames of less than 4096 bytes, of which the pipe's format omits beginnings that it knows."""
    source, result = folder / "small.mkv", folder / "small-out.mkv"
    ffmpeg("-f", "lavfi", "-i", "nullsrc=size=16x16:rate=10:duration=1,geq=lum='if(eq(Y,0)*eq(X,2),1,0)':cb=128:cr=128",
           "-color_range", "pc", "-pix_fmt", "yuv420p", "-c:v", "ffv1", source)
    run(frost, source, "-o", result, "--sigma", "0")
    assert (frames(source) == frames(result)).all()


def tags(frost, folder, name, words, pixels):
    """The tags of the colours, the position of chroma and the shape of the pixels are kept."""
    source, result = folder / f"{name}.mp4", folder / f"{name}-out.mp4"
    ffmpeg(*picture(seconds=1), "-vf", "setsar=4/3", "-pix_fmt", pixels, *words, "-c:v", "libx264", source)
    run(frost, source, "-o", result, "--effect", "light")
    before, after = streams(source)[0], streams(result)[0]
    for entry in ("pix_fmt", "color_range", "color_space", "color_transfer", "color_primaries", "chroma_location",
                  "sample_aspect_ratio", "display_aspect_ratio"):
        assert before.get(entry) == after.get(entry), (entry, before.get(entry), after.get(entry))
    # The effect is computed with the stream's matrix and range, so the mean colour changes little.
    old, new = (subprocess.run(["ffmpeg", "-v", "error", "-i", str(path), "-pix_fmt", "yuv444p16le", "-f", "rawvideo", "-"],
                               check=True, capture_output=True).stdout for path in (source, result))
    means = [np.frombuffer(data, "<u2").reshape(-1, 3, 90 * 160).mean(axis=(0, 2)) / 257 for data in (old, new)]
    assert np.abs(means[0][1:] - means[1][1:]).max() < 12, means


def display(frost, folder):
    """The display on which HDR was graded, and its light level, are kept by encoders that can store them."""
    source = folder / "display.mkv"
    facts = "master-display=G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,50):max-cll=1000,400"
    ffmpeg(*picture(seconds=1), "-pix_fmt", "yuv420p10le", "-c:v", "libx265", "-x265-params", f"log-level=error:{facts}",
           "-colorspace", "bt2020nc", "-color_primaries", "bt2020", "-color_trc", "smpte2084", source)

    def found(path):
        first = probe(path, "-show_frames", "-read_intervals", "%+#1")["frames"][0]
        return [data for data in first["side_data_list"] if data["side_data_type"][:7] in ("Masteri", "Content")]

    done = run(frost, source, "-o", folder / "display-out.mkv", "--sigma", "2")
    assert len(found(source)) == 2 and found(source) == found(folder / "display-out.mkv"), found(folder / "display-out.mkv")
    assert "left out" not in done.stderr, done.stderr
    done = run(frost, source, "-o", folder / "display-out.mp4", "--sigma", "2", "--video-codec", "libx264")
    assert "mastering display and light level are left out" in done.stderr, done.stderr


def colors(frost, folder, pixels, codec, suffix="mkv"):
    """Frames of red, green and blue, with alpha, and of grey keep their colours."""
    source, result = folder / f"colors-{pixels}.mkv", folder / f"colors-{pixels}-out.{suffix}"
    ffmpeg("-f", "lavfi", "-i", "color=0x3060c0:size=64x48:rate=10:duration=1", "-pix_fmt", pixels, "-c:v", codec, source)
    run(frost, source, "-o", result, "--effect", "box", "--no-dither")
    done = [subprocess.run(["ffmpeg", "-v", "error", "-i", str(path), "-vf", "scale=in_color_matrix=auto,format=rgb24",
                            "-f", "rawvideo", "-"], check=True, capture_output=True).stdout for path in (source, result)]
    old, new = (np.frombuffer(data, np.uint8).reshape(-1, 48, 64, 3).astype(int) for data in done)
    assert old.shape == new.shape and np.abs(old - new).max() <= 4, (old[0, 9, 9], new[0, 9, 9])


def transparency(frost, folder, words):
    """ProRes with transparency, whose frames ffmpeg converts to RGB and back, keeps its colours, with tags and without."""
    source, result = folder / f"prores-{len(words)}.mov", folder / f"prores-{len(words)}-out.mov"
    ffmpeg("-f", "lavfi", "-i", "color=0x3060c0:size=64x48:rate=10:duration=1,format=yuva444p10le,colorchannelmixer=aa=0.5",
           "-c:v", "prores_ks", "-profile:v", "4444", *words, source)
    run(frost, source, "-o", result, "--effect", "box", "--no-dither")
    before, after = streams(source)[0], streams(result)[0]
    for entry in ("pix_fmt", "color_space", "color_range", "color_primaries", "color_transfer"):
        assert before.get(entry) == after.get(entry), (entry, before.get(entry), after.get(entry))
    done = [subprocess.run(["ffmpeg", "-v", "error", "-i", str(path), "-pix_fmt", "yuva444p16le", "-f", "rawvideo", "-"],
                           check=True, capture_output=True).stdout for path in (source, result)]
    old, new = (np.frombuffer(data, "<u2").reshape(-1, 4, 48 * 64).astype(int) for data in done)
    assert np.abs(old - new).max() < 600, (old[0, :, 9], new[0, :, 9])


def quicktime(frost, folder):
    """Tags with names that only QuickTime has are kept, as those of a camera's place."""
    source, result = folder / "tags.mov", folder / "tags-out.mov"
    ffmpeg(*picture(seconds=1), "-pix_fmt", "yuv420p", "-movflags", "use_metadata_tags", "-metadata",
           "com.apple.quicktime.location.ISO6709=+48.1+011.5/", "-metadata", "creation_time=2020-01-01T00:00:00Z", source)
    run(frost, source, "-o", result, "--sigma", "2")
    before, after = (probe(path, "-show_format")["format"]["tags"] for path in (source, result))
    for tag in ("com.apple.quicktime.location.ISO6709", "creation_time"):
        assert before[tag][:19] == after[tag][:19], (before, after)


def interlaced(frost, folder):
    source, result = folder / "interlaced.mkv", folder / "interlaced-out.mkv"
    ffmpeg(*picture("160x96", seconds=1), "-vf", "interlace", "-flags", "+ilme+ildct", "-pix_fmt", "yuv420p", "-c:v", "libx264",
           "-x264opts", "tff=1", source)
    done = run(frost, source, "-o", result, "--sigma", "2", expected=3)
    assert "--deinterlace" in done.stderr, done.stderr
    run(frost, source, "-o", result, "--sigma", "2", "--deinterlace")
    assert len(times(source)) == len(times(result))


def effects(frost, folder):
    """A mask, rectangles, content and parameters work as for pictures."""
    source, result = folder / "constant.mp4", folder / "effects.mp4"
    ffmpeg("-f", "lavfi", "-i", "color=red:size=20x20", "-frames:v", "1", folder / "red.png")
    run(frost, source, "-o", result, "--effect", "blur-dark", "--rect", "center,80x40", "--corner-radius", "10",
        "--content", folder / "red.png")
    middle = frames(result, "gray")[10]
    assert np.abs(middle[:20].astype(int) - frames(source)[10][:20]).mean() < 3
    run(frost, source, "-o", result, "--sigma", "9", "--mask", folder / "red.png", "--min-contrast", "4.5",
        "--content-color", "white", "--dither", "--video-codec", "libx265", "--crf", "30", "--video-preset", "ultrafast")
    assert streams(result)[0]["codec_name"] == "hevc"
    run(frost, source, "-o", result, "--sigma", "9", "--bitrate", "200k")
    for words, text in ((("--effect", "light", "--radius", "5"), "light takes"), (("--effect", "nothing"), "unknown effect"),
                        ((), "is required"), (("--sigma", "2", "--bitrate", "much"), "--bitrate much"),
                        (("--sigma", "2", "--crf", "3", "--bitrate", "1M"), "cannot be combined"),
                        (("--sigma", "2", "--rect", "500,500,9,9"), "rectangle")):
        before = result.read_bytes()
        done = run(frost, source, "-o", result, *words, expected=2)
        assert text in done.stderr, done.stderr
        assert result.read_bytes() == before and not leftovers(folder)


def names(frost, folder):
    """Names that ffmpeg would read as options, addresses or patterns are names of files."""
    place = folder / "names"
    place.mkdir()
    for name in ("-y.mp4", "http:x.mp4", "a%03d.mp4", "pipe:1.mp4", "two words.mp4", "concat:a|b.mp4", "\udcff\udcfe.mp4",
                 "née.MP4"):
        shutil.copy(folder / "constant.mp4", place / name)
        done = subprocess.run([frost, "video", "--sigma", "1", "-q", "-o", "out-" + name, "--", name], cwd=place,
                              capture_output=True, timeout=STALL)
        assert done.returncode == 0, (name, done.stderr)
        assert (place / ("out-" + name)).stat().st_size > 1000, name
    done = subprocess.run([frost, "video", "--sigma", "1", "-q", "-o", "-y.mp4", "--", "-y.mp4"], cwd=place,
                          capture_output=True, timeout=STALL)
    assert done.returncode == 0, done.stderr
    assert len(list(place.iterdir())) == 16, list(place.iterdir())


def refused(frost, folder):
    """What is no video file is refused, and never followed to another file or address."""
    (folder / "text.mp4").write_text("text\n" * 1000, encoding="utf-8")
    (folder / "list.mp4").write_text("#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\nhttp://127.0.0.1:9/a.ts\n"
                                     "#EXT-X-ENDLIST\n", encoding="utf-8")
    (folder / "script.mp4").write_text("ffconcat version 1.0\nfile constant.mp4\n", encoding="utf-8")
    ffmpeg(*picture(seconds=1), "-frames:v", "1", folder / "still.png")
    ffmpeg(*TONE, folder / "sound.m4a")
    os.mkfifo(folder / "pipe.mp4")
    (folder / "empty.mp4").touch()
    result = folder / "refused.mp4"
    for name, text in (("text.mp4", "text.mp4"), ("list.mp4", "not a video file"), ("script.mp4", "not a video file"),
                       ("still.png", "not a video file"), ("sound.m4a", "no video stream"), ("pipe.mp4", "not a file"),
                       ("empty.mp4", "cannot be read"), ("missing.mp4", "No such file"), (".", "is a directory")):
        done = run(frost, folder / name, "-o", result, "--sigma", "2", expected=3)
        assert text in done.stderr, (name, done.stderr)
        assert "\n" not in done.stderr.strip(), done.stderr
    for target, code in (("/dev/full", 6), ("missing/out.mp4", 6), ("out.xyz", 2), ("out", 2), ("-", 2), ("names/", 2)):
        run(frost, folder / "constant.mp4", "-o", target, "--sigma", "2", expected=code, cwd=folder)
    os.mkfifo(folder / "output.mp4")
    run(frost, folder / "constant.mp4", "-o", folder / "output.mp4", "--sigma", "2", expected=6)
    (folder / "device.mp4").symlink_to("/dev/full")
    run(frost, folder / "constant.mp4", "-o", folder / "device.mp4", "--sigma", "2", expected=6)
    done = run(frost, folder / "constant.mp4", "-o", result, "--sigma", "2", expected=3, env={"PATH": ""})
    assert "Debian package ffmpeg" in done.stderr, done.stderr
    assert not result.exists() and not leftovers(folder)


def damaged(frost, folder):
    """A damaged or truncated input, and an encoder's refusal, leave the output as it was, and say what ffmpeg said."""
    result = folder / "damaged-out.mkv"
    result.write_bytes(b"old")
    ffmpeg(*picture(), *TONE, "-pix_fmt", "yuv420p", "-c:v", "libx264", "-g", "10", "-c:a", "aac", folder / "whole.mkv")
    whole = (folder / "whole.mkv").read_bytes()
    (folder / "cut.mkv").write_bytes(whole[:len(whole) * 2 // 3])
    (folder / "cut.mp4").write_bytes((folder / "constant.mp4").read_bytes()[:9000])
    random = np.random.default_rng(1)
    broken = np.frombuffer(whole, np.uint8).copy()
    places = random.integers(4000, len(whole), 400)
    broken[places] ^= 0x5A
    (folder / "broken.mkv").write_bytes(broken.tobytes())
    for name in ("cut.mkv", "cut.mp4", "broken.mkv"):
        done = run(frost, folder / name, "-o", result, "--sigma", "2", expected=3)
        assert name in done.stderr, done.stderr
        assert result.read_bytes() == b"old" and not leftovers(folder), name
    run(frost, folder / "cut.mkv", "-o", folder / "rest.mkv", "--sigma", "2", "--fail-on", "none")
    for words, text in ((("--video-codec", "nonsense"), "Unknown encoder"), (("--video-preset", "warp"), "preset")):
        done = run(frost, folder / "whole.mkv", "-o", result, "--sigma", "2", *words, expected=6)
        assert text in done.stderr, done.stderr
        assert result.read_bytes() == b"old" and not leftovers(folder)
    # A limit of the file's size behaves like a full disk.
    done = run(frost, folder / "whole.mkv", "-o", result, "--sigma", "0", expected=6,
               preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000)))
    assert result.read_bytes() == b"old" and not leftovers(folder)
    # The end of an MP4 is written last.
    run(frost, folder / "constant.mp4", "-o", folder / "size.mp4", "--sigma", "2")
    size = (folder / "size.mp4").stat().st_size - 100
    for words in ((), ("--fail-on", "none")):
        run(frost, folder / "constant.mp4", "-o", result.with_suffix(".mp4"), "--sigma", "2", *words, expected=6,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size)))
    assert not result.with_suffix(".mp4").exists() and not leftovers(folder)
    left = remaining(folder)
    assert not left, left


def descendants(process):
    """The process numbers of the programs that frost has started."""
    done = subprocess.run(["ps", "--ppid", str(process), "-o", "pid=,args="], capture_output=True, text=True)
    return [(int(line.split()[0]), "pipe:1" in line) for line in done.stdout.splitlines() if "ffmpeg" in line]


def started(frost, folder, result):
    """Starts a long run, and returns it with its decoder and its encoder."""
    source = folder / "long.mp4"
    if not source.exists():
        ffmpeg(*picture("640x360", seconds=40), *TONE, "-pix_fmt", "yuv420p", "-preset", "ultrafast", source)
    child = subprocess.Popen([frost, "video", str(source), "-o", str(result), "--sigma", "20"],
                             stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    for _ in range(500):
        programs = descendants(child.pid)
        if len(programs) == 2 and any(path.stat().st_size > 0 for path in folder.glob(".*.frost-*")):
            time.sleep(0.2)
            return child, [pid for pid, decodes in programs if decodes][0], [pid for pid, decodes in programs
                                                                             if not decodes][0]
        time.sleep(0.02)
    raise AssertionError("the programs do not start")


def alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def interrupted(frost, folder):
    """A signal leaves no file and no process, and the output as it was."""
    result = folder / "interrupted.mp4"
    result.write_bytes(b"old")
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        child, decoder, encoder = started(frost, folder, result)
        assert len(remaining(folder)) == 2
        child.send_signal(number)
        assert child.wait(timeout=10) == -number
        child.stderr.close()
        assert not alive(decoder) and not alive(encoder) and not remaining(folder)
        assert result.read_bytes() == b"old" and not leftovers(folder)
    for victim, code, name in ((1, 3, "long.mp4"), (2, 6, "interrupted.mp4")):
        run_ = started(frost, folder, result)
        os.kill(run_[victim], signal.SIGKILL)
        words = run_[0].communicate(timeout=20)[1]
        assert run_[0].returncode == code and "signal 9" in words and name in words, (run_[0].returncode, words)
        assert not alive(run_[1]) and not alive(run_[2])
        assert result.read_bytes() == b"old" and not leftovers(folder)
    # Frost cannot act on SIGKILL, but its programs then end by themselves, and the next run removes the file.
    child, decoder, encoder = started(frost, folder, result)
    child.kill()
    child.communicate()
    for _ in range(500):
        if not alive(decoder) and not alive(encoder):
            break
        time.sleep(0.02)
    assert not alive(decoder) and not alive(encoder)
    assert result.read_bytes() == b"old"
    run(frost, folder / "constant.mp4", "-o", result, "--sigma", "1")
    assert not leftovers(folder)
    # A stopped encoder does not keep the program from ending.
    child, decoder, encoder = started(frost, folder, result)
    os.kill(encoder, signal.SIGSTOP)
    time.sleep(0.3)
    child.send_signal(signal.SIGINT)
    assert child.wait(timeout=10) == -signal.SIGINT
    child.stderr.close()
    assert not alive(encoder) and not leftovers(folder)


def silent(frost, folder):
    """A video without sound, in another container, and its replacement in place."""
    source = folder / "silent.mov"
    ffmpeg(*picture(seconds=1, rate="30000/1001"), "-pix_fmt", "yuv422p10le", "-c:v", "prores_ks", source)
    for suffix in ("mov", "mkv", "mp4", "webm"):
        result = folder / f"silent-out.{suffix}"
        run(frost, source, "-o", result, "--sigma", "2")
        assert len(streams(result)) == 1 and len(times(result)) == 30
        assert streams(result)[0]["r_frame_rate"] == "30000/1001" or suffix == "webm", streams(result)[0]
    inode = source.stat().st_ino
    run(frost, source, "-o", source, "--sigma", "2")
    assert source.stat().st_ino != inode and len(times(source)) == 30 and not leftovers(folder)


def main():
    cases = Cases("video files", __doc__)
    with tempfile.TemporaryDirectory(prefix="frost-video-files-") as name:
        folder = Path(name)
        cases.run("constant rate", constant, cases.frost, folder)
        if not (folder / "constant.mp4").exists() and shutil.which("ffmpeg"):
            ffmpeg(*picture(), *TONE, "-pix_fmt", "yuv420p", folder / "constant.mp4")
        for suffix, sound, slack in (("mp4", "aac", 0), ("mkv", "aac", 0), ("webm", "libvorbis", 0),
                                     ("mkv", "libopus", 0.0071), ("mp4", "libopus", 0)):
            cases.run(f"variable rate {suffix} {sound}", variable, cases.frost, folder, suffix, sound, slack)
        cases.run("padded and resized", padded, cases.frost, folder)
        cases.run("late start", late, cases.frost, folder)
        cases.run("all streams", everything, cases.frost, folder)
        for suffix in ("mkv", "mp4"):
            cases.run(f"cover picture {suffix}", covers, cases.frost, folder, suffix)
        for angle in (90, 180, 270):
            cases.run(f"rotation {angle}", rotation, cases.frost, folder, angle)
        for pixels, suffix, codec, expected in (
                ("yuv420p", "mkv", "libvpx-vp9", (161, 91)), ("yuv420p", "mkv", "libaom-av1", (161, 91)),
                ("yuv420p10le", "mkv", "ffv1", (161, 91)),
                ("yuv422p10le", "mkv", "ffv1", (161, 91)), ("yuv420p", "mp4", "ffv1", (162, 92)),
                ("yuv422p", "mp4", "ffv1", (162, 91)), ("yuv444p", "mp4", "ffv1", (161, 91))):
            cases.run(f"odd {pixels} {codec} {suffix}", odd, cases.frost, folder, pixels, suffix, codec, expected)
        cases.run("small frames", small, cases.frost, folder)
        cases.run("tags of HDR", tags, cases.frost, folder, "hdr", (
            "-color_primaries", "bt2020", "-color_trc", "smpte2084", "-colorspace", "bt2020nc", "-color_range", "tv",
            "-chroma_sample_location", "topleft"), "yuv420p10le")
        cases.run("tags of HD", tags, cases.frost, folder, "hd", (
            "-color_primaries", "bt709", "-color_trc", "bt709", "-colorspace", "bt709", "-color_range", "tv"), "yuv420p")
        cases.run("tags of full range", tags, cases.frost, folder, "full", (
            "-color_primaries", "bt470bg", "-color_trc", "gamma28", "-colorspace", "bt470bg", "-color_range", "pc"),
            "yuvj420p")
        cases.run("display of HDR", display, cases.frost, folder)
        for pixels, codec in (("bgr0", "ffv1"), ("gbrp10le", "ffv1"), ("yuva444p", "ffv1"), ("yuva420p", "ffv1"),
                              ("gray", "ffv1"), ("gray10le", "ffv1"), ("yuvj422p", "mjpeg"), ("yuv440p", "ffv1"),
                              ("rgba", "png")):
            cases.run(f"colours {pixels}", colors, cases.frost, folder, pixels, codec)
        cases.run("colours to H.264", colors, cases.frost, folder, "rgb24", "png", "mp4")
        cases.run("transparency", transparency, cases.frost, folder, ())
        cases.run("transparency with tags", transparency, cases.frost, folder, (
            "-color_primaries", "bt2020", "-color_trc", "bt709", "-colorspace", "bt2020nc", "-color_range", "tv"))
        cases.run("tags of QuickTime", quicktime, cases.frost, folder)
        cases.run("interlaced", interlaced, cases.frost, folder)
        cases.run("effects", effects, cases.frost, folder)
        cases.run("names", names, cases.frost, folder)
        cases.run("refused", refused, cases.frost, folder)
        cases.run("damaged", damaged, cases.frost, folder)
        cases.run("interrupted", interrupted, cases.frost, folder)
        cases.run("no sound", silent, cases.frost, folder)
    cases.finish()


main()
