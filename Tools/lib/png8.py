"""Reads and writes 8-bit PNG files without interlacing, in plain Python."""

import struct
import zlib

CHANNELS = {0: 1, 2: 3, 4: 2, 6: 4}


def read(path):
    """Returns (width, height, channels, rows of bytes)."""
    data = path.read_bytes()
    at, packed = 8, b""
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        if kind == b"IHDR":
            width, height, depth, color, _, _, interlace = struct.unpack(">IIBBBBB", body)
            assert depth == 8 and not interlace and color in CHANNELS, path
        elif kind == b"IDAT":
            packed += body
        at += 12 + length
    count = CHANNELS[color]
    stride = width * count
    raw = zlib.decompress(packed)
    rows, before = [], bytearray(stride)
    for y in range(height):
        how, row = raw[y * (stride + 1)], bytearray(raw[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
        for i in range(stride if how else 0):
            left = row[i - count] if i >= count else 0
            above = before[i]
            if how == 1:
                guess = left
            elif how == 2:
                guess = above
            elif how == 3:
                guess = (left + above) // 2
            else:
                corner = before[i - count] if i >= count else 0
                near = [abs(above - corner), abs(left - corner), abs(left + above - 2 * corner)]
                guess = [left, above, corner][near.index(min(near))]
            row[i] = (row[i] + guess) & 255
        rows.append(bytes(row))
        before = row
    return width, height, count, rows


def write(path, width, channels, rows):
    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    color = {count: kind for kind, count in CHANNELS.items()}[channels]
    path.write_bytes(
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, len(rows), 8, color, 0, 0, 0))
        + chunk(b"IDAT", zlib.compress(b"".join(b"\0" + row for row in rows), 9)) + chunk(b"IEND", b""))
