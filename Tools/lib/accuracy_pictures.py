"""Makes the pictures that Tools/accuracy-table measures, and writes them as PNG files. The pictures are the same in every
run."""

import math
import random
import struct
import zlib


# --- PNG files ---------------------------------------------------------------------------------------

def write_png(path, rows, channels, bits):
    """Writes rows of grey or RGB samples to a PNG file."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    width = len(rows[0]) // channels
    code = "B" if bits == 8 else "H"
    raw = b"".join(b"\0" + struct.pack(f">{len(row)}{code}", *row) for row in rows)
    head = struct.pack(">IIBBBBB", width, len(rows), bits, 0 if channels == 1 else 2, 0, 0, 0)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(raw, 1))
                     + chunk(b"IEND", b""))
    return path


def read_png(path):
    """Returns the rows of an 8-bit RGB PNG without interlacing."""
    data, at, packed = path.read_bytes(), 8, b""
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        if kind == b"IHDR":
            width, height, *form = struct.unpack(">IIBBBBB", body)
            assert form == [8, 2, 0, 0, 0], path
        elif kind == b"IDAT":
            packed += body
        at += length + 12
    raw, rows, above = zlib.decompress(packed), [], [0] * (3 * width)
    for y in range(height):
        start = y * (3 * width + 1)
        above = unfilter(raw[start], raw[start + 1:start + 3 * width + 1], above)
        rows.append(above)
    return rows


def unfilter(kind, line, above):
    row = []
    for x, value in enumerate(line):
        left, up, corner = (row[x - 3], above[x], above[x - 3]) if x >= 3 else (0, above[x], 0)
        if kind == 0:
            predicted = 0
        elif kind == 1:
            predicted = left
        elif kind == 2:
            predicted = up
        elif kind == 3:
            predicted = (left + up) // 2
        else:
            estimate = left + up - corner
            predicted = min((left, up, corner), key=lambda value: abs(estimate - value))
        row.append((value + predicted) & 255)
    return row


# --- Pictures ----------------------------------------------------------------------------------------

def photograph(source, folder, bits):
    """Writes the middle of the sample photograph. In a picture of 16 bits, the low bytes of the samples vary as well."""
    rows = read_png(source)
    top, left = len(rows) // 2 - 100, len(rows[0]) // 6 - 130
    rows = [row[3 * left:3 * (left + 261)] for row in rows[top:top + 201]]
    if bits == 16:
        rows = [[min(65535, 257 * value + (31 * x + 17 * y + 7 * value) % 257) for x, value in enumerate(row)]
                for y, row in enumerate(rows)]
    return write_png(folder / f"photograph-{bits}.png", rows, 3, bits)


def noise(folder, bits):
    """Writes random black and white pixels."""
    numbers = random.Random(bits)
    rows = [[numbers.getrandbits(1) * (2 ** bits - 1) for _ in range(203)] for _ in range(131)]
    return write_png(folder / f"noise-{bits}.png", rows, 1, bits)


class Kernel:
    """The combined kernel of a plan's passes along x, away from the edges."""

    def __init__(self, passes):
        self.passes = [one for one in passes if one["axis"] == "x"]
        self.factor = 2 ** sum(one["operation"] == "decimate" for one in self.passes)

    def weights(self, pixel):
        """Returns the weights of an output pixel, as {source pixel: weight}."""
        weights = {pixel: 1.0}
        for one in reversed(self.passes):
            taps, inner = one["taps"], {}
            count = len(taps)
            for i, weight in weights.items():
                if one["operation"] == "decimate":
                    terms = ((2 * i + t - (count // 2 - 1), taps[t]) for t in range(count))
                elif one["operation"] == "convolve":
                    terms = ((i + t - count // 2, taps[t]) for t in range(count))
                else:
                    # The tap index is t = i - 2j + (n/2 - 1) for output i, input j and n taps.
                    first = (i + count // 2 - 1) & 1
                    terms = (((i - t + count // 2 - 1) // 2, 2 * taps[t]) for t in range(first, count, 2))
                for cell, tap in terms:
                    inner[cell] = inner.get(cell, 0.0) + weight * tap
            weights = inner
        return weights


def gaussian(sigma):
    radius = math.ceil(6 * sigma)
    values = [math.exp(-x * x / (2 * sigma * sigma)) for x in range(-radius, radius + 1)]
    total = sum(values)
    return {x - radius: value / total for x, value in enumerate(values)}


def worst_picture(kernel, sigma, folder, bits):
    """Writes a worst-case picture: it maximises the error of a plan at one output pixel. That output pixel is the one at
    which the weights of the plan exceed those of the Gaussian by the largest sum. A pixel of the picture is white if its
    weight in the plan exceeds its weight in the Gaussian, and black otherwise. Up to sigma 100, the picture has two
    dimensions. For a larger sigma, computing the exact result of such a picture would take too long, so the picture is a
    single row."""
    exact = gaussian(sigma)
    phases = range(0, kernel.factor, max(1, kernel.factor // 16))

    def excess(pixel):
        weights = kernel.weights(pixel)
        return sum(max(0.0, weight - exact.get(x - pixel, 0.0)) for x, weight in weights.items())

    phase = max(phases, key=excess)
    weights = kernel.weights(phase)
    # `left` is the position of pixel 0 in the picture. It is large enough for the picture to contain all pixels that have
    # a weight, and it is a multiple of the width of a low-resolution sample.
    left = -(min(min(weights), phase - math.ceil(6 * sigma)) // kernel.factor) * kernel.factor
    width = left + max(max(weights), phase + math.ceil(6 * sigma)) + 1
    planned = [weights.get(x - left, 0.0) for x in range(width)]
    wanted = [exact.get(x - left - phase, 0.0) for x in range(width)]
    white = 2 ** bits - 1
    if sigma > 100:
        rows = [[white if w > g else 0 for w, g in zip(planned, wanted)]]
    else:
        rows = [[white if wy * w > gy * g else 0 for w, g in zip(planned, wanted)]
                for wy, gy in zip(planned, wanted)]
    return write_png(folder / f"worst-{bits}.png", rows, 1, bits)
