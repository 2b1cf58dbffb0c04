"""What the tests of `frost video` share: files that ffmpeg makes, and what ffprobe says about files."""

import json
import shutil
import subprocess

import numpy as np

from report import Skipped

# In seconds. No case takes this long, unless a process has stalled.
STALL = 120
TONE = ("-f", "lavfi", "-i", "sine=frequency=440:duration=2")


def ffmpeg(*words):
    if not shutil.which("ffmpeg") or not shutil.which("ffprobe"):
        raise Skipped("there is no ffmpeg")
    subprocess.run(["ffmpeg", "-v", "error", "-y", *map(str, words)], check=True, timeout=STALL,
                   stdin=subprocess.DEVNULL)


def picture(size="160x90", rate=30, seconds=2, source="testsrc2"):
    return ("-f", "lavfi", "-i", f"{source}=size={size}:rate={rate}:duration={seconds}")


def probe(path, *words):
    done = subprocess.run(["ffprobe", "-v", "error", "-of", "json", *words, f"file:{path}"], check=True,
                          capture_output=True, text=True, timeout=STALL)
    return json.loads(done.stdout)


def streams(path):
    return probe(path, "-show_streams")["streams"]


def packets(path, selector, entries):
    """The given entries of the packets of a stream."""
    found = probe(path, "-select_streams", selector, "-show_packets", "-show_data_hash", "md5", "-show_entries",
                  f"packet={entries}")["packets"]
    return [tuple(packet.get(entry) for entry in entries.split(",")) for packet in found]


def times(path, selector="v:0"):
    """The times at which the frames of a stream are shown."""
    return sorted(float(time) for (time,) in packets(path, selector, "pts_time"))


def frames(path, pixels="gray", selector="0:v:0"):
    """The frames of a video as arrays, as a player shows them."""
    shown = probe(path, "-select_streams", selector[2:], "-show_frames", "-show_entries", "frame=width,height",
                  "-read_intervals", "%+#1")["frames"][0]
    done = subprocess.run(["ffmpeg", "-v", "error", "-i", f"file:{path}", "-map", selector, "-fps_mode", "passthrough",
                           "-pix_fmt", pixels, "-f", "rawvideo", "-"], check=True, capture_output=True, timeout=STALL)
    width, height = shown["width"], shown["height"]
    rotation = next((abs(data.get("rotation", 0)) for data in
                     probe(path, "-select_streams", selector[2:], "-show_streams")["streams"][0].get("side_data_list", [])),
                    0)
    if rotation == 90:
        width, height = height, width
    return np.frombuffer(done.stdout, np.uint8).reshape(-1, height, width)


def run(frost, *words, expected=0, **options):
    done = subprocess.run([frost, "video", *map(str, words)], capture_output=True, text=True, timeout=STALL,
                          stdin=subprocess.DEVNULL, **options)
    assert done.returncode == expected, (done.returncode, done.stderr)
    return done


def leftovers(folder):
    return [path.name for path in folder.iterdir() if ".frost-" in path.name]
