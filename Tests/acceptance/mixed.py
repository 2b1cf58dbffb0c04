"""Creates a folder of small pictures in several formats. Some are broken, each in a different way."""

import io
import struct
import zlib

import numpy as np
from PIL import Image

from formats import chunk, jpeg, png

SIZE = (160, 120)       # 56 KiB as RGB, so that a hundred pictures kept in memory are noticed
FORMATS = ("png", "jpg", "webp", "qoi", "ppm")


def encoded(suffix, seed):
    width, height = SIZE
    coarse = np.random.default_rng(seed).integers(0, 256, (6, 8, 3), "u1")
    image = Image.fromarray(coarse).resize((width, height), Image.BICUBIC)
    out = io.BytesIO()
    more = {"webp": {"lossless": True, "method": 0}, "jpg": {"quality": 90}}.get(suffix, {})
    image.save(out, {"jpg": "jpeg"}.get(suffix, suffix), **more)
    return out.getvalue()


def broken():
    """Returns twenty files as pairs of a suffix and a content. None of the files is a valid picture."""
    whole = {suffix: encoded(suffix, 7) for suffix in FORMATS}
    damaged = bytearray(whole["png"])
    damaged[20] ^= 1
    frames = io.BytesIO()
    pictures = [Image.new("RGB", SIZE, color) for color in ("red", "blue")]
    pictures[0].save(frames, "webp", save_all=True, append_images=pictures[1:])
    return [
        ("png", b""), ("png", b"nothing of the kind\n"), ("png", whole["png"][: len(whole["png"]) // 2]),
        ("png", bytes(damaged)), ("png", png(9, 9)), ("png", png(9, 9, data=zlib.compress(b"\0" * 5))),
        ("png", png(9, 9, data=b"no deflate")), ("png", png(60000, 60000)), ("png", png(9, 9, chunk(b"XXXX", b"?"))),
        ("jpg", whole["jpg"][: len(whole["jpg"]) // 2]), ("jpg", b"\xff\xd8"), ("jpg", jpeg(64250, 64250)),
        ("webp", whole["webp"][: len(whole["webp"]) // 2]), ("webp", b"RIFF\x04\0\0\0WEBP"), ("png", frames.getvalue()),
        ("qoi", whole["qoi"][: len(whole["qoi"]) // 2]), ("qoi", b"qoif" + struct.pack(">IIBB", 0, 9, 4, 0)),
        ("ppm", whole["ppm"][:-1]), ("ppm", b"P6 9 9 0\n" + b"\0" * 243), ("jpg", b"8BPS\0\1" + bytes(20)),
    ]


def make(folder, count):
    """Fills a folder and returns the names of the good pictures and of the bad ones."""
    names = {True: [], False: []}
    bad = broken()
    step = count // len(bad)
    for number in range(count):
        which, place = divmod(number, step)
        is_bad = place == step // 2 and which < len(bad)
        suffix = FORMATS[number % len(FORMATS)]
        suffix, content = bad[which] if is_bad else (suffix, encoded(suffix, number))
        name = f"{number % 7}/{number % 3}/{number:04}.{suffix}"
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
        names[not is_bad].append(name)
    return names[True], names[False]
