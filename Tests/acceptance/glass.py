"""Compares `frost effect glass` and `glass-clear` with an oracle in float64, written only from docs/Glass.md and, for the
colours, "Vivid" in docs/internals/Formulas.md.

    glass.py --frost PATH [--count N] [--seed N] [--keep FOLDER] [--jobs N] [--quick] [--junit FILE]

Each configuration has a random picture, random shapes and random parameters, and runs on the exact backend with 16 bits, and
on the CPU and on the GPU, with fragment and with compute shaders, with 8 bits. Bounds, on premultiplied colour:

  16 bits, exact    4 of 65535: the rounding, and the error of the oracle's own outlines and derivatives; 64 in pixels that are
                    partly covered
  8 bits            1 of 255

Pixels outside all shapes have to keep their bytes. The oracle does not share methods with Frost: it finds distances by
bisection, normals by differences of distances, and continuous corners from the polygon of a sampled outline.
"""

import concurrent.futures
import dataclasses
import math
import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")
sys.dont_write_bytecode = True      # writes no .pyc files into the checkout

import cv2
import numpy as np

import gaussian
from report import Cases, Skipped

BOUND_8, BOUND_EXACT = 1.0, 4.0
SLACK = 1e-6        # in steps: allows the float64 rounding of the comparison itself
PARTLY = 64         # the bound of the exact backend in pixels that a shape covers partly: their covered area is within 0.001
WRONG = 5.0         # the minimum error, in steps, of an oracle that is wrong on purpose
NO_DEVICE = 5       # frost's exit code if the requested device cannot be used
SUBJECTS = ("exact", "cpu", "gpu fragment", "gpu compute")

# Radius, band, thickness, refraction, rim, shade and shadow of the two effects. They share the other defaults.
DEFAULTS = {"glass": (10, 20, 48, 0.7, 0.4, 0.08, 0.25), "glass-clear": (4, 28, 56, 0.85, 0.5, 0.12, 0.2)}


@dataclasses.dataclass(frozen=True)
class Glass:
    """The parameters of the effect, by their names on the command line."""
    radius: float = 10
    band: float = 20
    thickness: float = 48
    refraction: float = 0.7
    profile: str = "soft"
    dispersion: float = 0
    saturation: float = 1.5
    white_point: float = 0.55
    appearance: str = "light"
    rim: float = 0.4
    rim_width: float = 1.5
    rim_angle: float = -60
    rim_sharpness: float = 1.5
    shade: float = 0.08
    shade_width: float = 10
    shadow: float = 0.25
    shadow_radius: float = 12
    shadow_offset: float = 4
    join: float = 0
    scale: float = 1
    edge: str = "mirror"
    tint: tuple = (1, 1, 1, 0)      # straight red, green, blue and alpha
    noise: float = 0
    opacity: float = 1
    strength: float = 1
    linear: bool = False

    def words(self, base):
        """Returns the options that differ from `base`, as words of a command line."""
        words = []
        for field in dataclasses.fields(self):
            value = getattr(self, field.name)
            if value == getattr(base, field.name):
                continue
            option = "--" + field.name.replace("_", "-")
            if isinstance(value, tuple):
                value = ",".join(f"{number:g}" for number in value)
            words += [option] if value is True else [f"{option}={value}"]
        return words


# --- Shapes ------------------------------------------------------------------------------------------

class Corner:
    """The curve of a corner. Coordinates count from the curve's centre, outwards; `length` is what it takes of its sides."""

    def __init__(self, radius, smoothing=0, exponent=2):
        self.radius, self.smoothing, self.exponent = radius, smoothing, exponent
        self.length = radius * (1 + smoothing)
        # The outline of a corner of the length 1, from the diagonal to the end of the curve, and its mirror image.
        if smoothing:
            s, t = self.continuous(smoothing, 60_001)
            x, y = 1 - s / (1 + smoothing), 1 - t / (1 + smoothing)
            x, y = np.append(y[::-1], x[1:]), np.append(x[::-1], y[1:])
            self.polygon = x, y, np.arctan2(y, x)
        else:
            angles = np.linspace(0, np.pi / 2, 60_001)
            x, y = np.sin(angles) ** (2 / exponent), np.cos(angles) ** (2 / exponent)
            self.polygon = None
        order = np.argsort(x, kind="stable")
        self.outline = np.append(np.append(0, x[order]), 1), np.append(np.append(1, y[order]), 0)

    @staticmethod
    def continuous(smoothing, count):
        """Returns the distances s and t from the two sides, for a radius of 1."""
        alpha = smoothing * np.pi / 4
        u = np.tan(alpha / 2)
        ends = [(1 + smoothing, 0), (1 - u + (smoothing + u) / 3, 0), (1 - u, 0),
                (1 - np.sin(alpha), 1 - np.cos(alpha))]
        tau = np.linspace(1, 0, count)
        weights = (1 - tau) ** 3, 3 * tau * (1 - tau) ** 2, 3 * tau ** 2 * (1 - tau), tau ** 3
        bezier = [sum(w * end[axis] for w, end in zip(weights, ends)) for axis in (0, 1)]
        phi = np.linspace(np.pi / 4, alpha, count)
        s, t = np.append(1 - np.sin(phi), bezier[0][1:]), np.append(1 - np.cos(phi), bezier[1][1:])
        return s, t

    def gauge(self, x, y):
        """Returns R times the factor that scales the curve to the points. The coordinates are at least 0."""
        if self.polygon is None:
            if self.exponent == 2:
                return np.hypot(x, y)
            high = np.maximum(x, y)
            low = np.minimum(x, y) / np.where(high > 0, high, 1)
            return high * (1 + low ** self.exponent) ** (1 / self.exponent)
        px, py, angle = self.polygon
        found = np.searchsorted(angle, np.arctan2(y, x))
        i = found.clip(1, len(px) - 1)
        # The ray and the polygon's side between i - 1 and i: the factor is 1 on the side.
        ax, ay, bx, by = px[i - 1], py[i - 1], px[i], py[i]
        return (x * (by - ay) - y * (bx - ax)) / (ax * (by - ay) - ay * (bx - ax))

    def height(self, x):
        """Returns how far the outline reaches at x, for corners of the length 1."""
        return np.interp(x, *self.outline)


@dataclasses.dataclass(frozen=True)
class Shape:
    """A rectangle with rounded corners."""
    rect: tuple         # x, y, width, height
    corner: Corner

    @property
    def half(self):
        return np.array(self.rect[2:]) / 2

    @property
    def middle(self):
        return np.array(self.rect[:2]) + self.half

    def inner(self, x, y):
        """Returns u: how far points lie outside the rectangle of the corners' centres."""
        a, m, length = self.half, self.middle, self.corner.length
        return abs(x - m[0]) - (a[0] - length), abs(y - m[1]) - (a[1] - length)

    def outside(self, x, y):
        """Returns the distance from the shape, measured with the gauge; 0 or less inside."""
        u, v = self.inner(x, y)
        return self.corner.gauge(np.maximum(u, 0), np.maximum(v, 0)) + np.minimum(np.maximum(u, v), 0) - self.corner.length

    def depth(self, x, y, band):
        """Returns d, by bisection; outside the shape it is what the gauge lacks."""
        length = self.corner.length
        width = min(band, min(self.half) * 2 / 3)
        beta = max(-1.0, 0.5 - length / width) if width > 0 else -1.0
        u, v = self.inner(x, y)
        beyond = self.outside(x, y) > 0

        def excess(d):
            return self.corner.gauge(np.maximum(u + (1 + beta) * d, 0), np.maximum(v + (1 + beta) * d, 0)) - length - beta * d
        low, high = np.zeros(x.shape), np.full(x.shape, 4 * min(self.half) + 1)
        for _ in range(58):
            d = (low + high) / 2
            above = excess(d) > 0
            low, high = np.where(above, low, d), np.where(above, d, high)
        return np.where(beyond, -self.outside(x, y), (low + high) / 2)

    def field(self, x, y, band, alone=True):
        """Returns d, and n as two arrays. In pixels beside the rectangle of a shape that is alone, d is far below 0."""
        step = 1e-4
        beyond = self.outside(x, y) > 0

        def change(low, high):
            return np.where(beyond, self.outside(*high) - self.outside(*low), self.depth(*low, band) - self.depth(*high, band))
        nx = change((x - step, y), (x + step, y))
        ny = change((x, y - step), (x, y + step))
        length = np.hypot(nx, ny)
        length[length == 0] = 1
        left, top, width, height = self.rect
        inside = (x >= left) & (x < left + width) & (y >= top) & (y < top + height) | (not alone)
        return np.where(inside, self.depth(x, y, band), -1e9), nx / length, ny / length

    def coverage(self, width, height):
        """Returns which part of each pixel the shape covers, by strips. Pixels that it does not touch have exactly 0."""
        a, m, length = self.half, self.middle, self.corner.length
        y, x = np.mgrid[0:height, 0:width] + 0.0

        def span(low, middle):
            """Returns the smallest and the largest distance of an interval of the length 1 from the middle."""
            first, last = abs(low - middle), abs(low + 1 - middle)
            return np.where((low < middle) & (low + 1 > middle), 0, np.minimum(first, last)), np.maximum(first, last)
        (near_x, far_x), (near_y, far_y) = span(x, m[0]), span(y, m[1])
        result = np.where(self.outside(m[0] + far_x, m[1] + far_y) <= 1e-9, 1.0, 0)
        partly = (self.outside(m[0] + near_x, m[1] + near_y) < -1e-9) & (result == 0)
        for row, column in np.argwhere(partly):
            beyond = abs(column + (np.arange(8192) + 0.5) / 8192 - m[0])
            reach = a[1] - length + length * self.corner.height(np.clip((beyond - (a[0] - length)) / (length or 1), 0, 1))
            reach = np.where(beyond < a[0], reach, -np.inf)
            result[row, column] = np.clip(np.minimum(row + 1, m[1] + reach) - np.maximum(row, m[1] - reach), 0, 1).mean()
        return result


# --- The law -----------------------------------------------------------------------------------------

def decode(value):
    return np.where(value <= 0.04045, value / 12.92, ((np.maximum(value, 0) + 0.055) / 1.055) ** 2.4)


def encode(value):
    return np.where(value <= 0.0031308, value * 12.92, 1.055 * np.maximum(value, 1e-9) ** (1 / 2.4) - 0.055)


def curved(premultiplied, function):
    """Applies a function to the colours divided by their alpha."""
    alpha = premultiplied[..., 3:]
    some = np.where(alpha > 0, alpha, 1)
    return np.concatenate([function(premultiplied[..., :3] / some) * alpha, alpha], 2)


def clamped(pixels):
    alpha = pixels[..., 3:].clip(0, 1)
    return np.concatenate([np.minimum(pixels[..., :3].clip(0), alpha), alpha], 2)


def fall(t):
    return np.where(t < 1, (1 - t * t) ** 2, 0)


def sampled(plane, x, y):
    """Interpolates a plane linearly at positions. Places outside it count as its nearest place."""
    height, width = plane.shape
    x, y = (x - 0.5).clip(0, width - 1), (y - 0.5).clip(0, height - 1)
    left, top = np.floor(x).astype(int), np.floor(y).astype(int)
    right, bottom = np.minimum(left + 1, width - 1), np.minimum(top + 1, height - 1)
    x, y = x - left, y - top
    upper = plane[top, left] * (1 - x) + plane[top, right] * x
    lower = plane[bottom, left] * (1 - x) + plane[bottom, right] * x
    return upper * (1 - y) + lower * y


def deepest(answers):
    """Returns the arrays of the shape in which each place is deepest, of equal ones the first. The first array is d."""
    result = answers[0]
    for answer in answers[1:]:
        result = [np.where(answer[0] > result[0] + 1e-3, ours, theirs) for ours, theirs in zip(answer, result)]
    return result


def joined(fields, join):
    """Returns d and n of shapes that flow together, from those of each. The weights are the projection of d / k onto the simplex,
    by sorting."""
    depths = np.stack([field[0] for field in fields])
    ordered = -np.sort(-depths / join, 0)
    sums = np.cumsum(ordered, 0) - 1
    count = np.arange(1, len(fields) + 1).reshape(-1, *(1,) * (depths.ndim - 1))
    last = (ordered - sums / count > 0).sum(0) - 1
    tau = np.take_along_axis(sums / count, last[None], 0)
    weights = np.maximum(depths / join - tau, 0)
    d = (weights * depths).sum(0) + join / 2 * (1 - (weights**2).sum(0))
    return d, *(sum(weight * field[axis] for weight, field in zip(weights, fields)) for axis in (1, 2))


def is_joined(glass, shapes):
    return glass.join > 0 and len(shapes) > 1


def coverage(glass, shapes, width, height):
    """Returns the parts of the pixels that the shapes cover, and where they are known exactly."""
    apart = np.minimum(sum(shape.coverage(width, height) for shape in shapes), 1)
    if not is_joined(glass, shapes):
        return apart, True
    y, x = np.mgrid[0:height, 0:width] + 0.5
    d = joined([shape.field(x, y, 1, False) for shape in shapes], glass.join * glass.scale)[0]
    # n may be short, so d may grow slowly away from the edge; it never grows faster than the distance.
    covered = np.where(d > 1, 1.0, 0)
    return np.maximum(covered, apart), abs(d) > 1


def tied(shapes, band, x, y):
    """Returns the places that are equally deep in two shapes. The law does not decide between the shapes there."""
    depths = np.sort([shape.depth(x, y, band) for shape in shapes], 0)
    return (depths[-1] - depths[-2] < 2e-3) & (depths[-1] > -1) if len(shapes) > 1 else np.zeros(x.shape, bool)


def samples(sigma, width, height):
    """Yields the coordinates of the pixels' samples, as arrays."""
    y, x = np.mgrid[0:height, 0:width] + 0.0
    m = 4 if sigma <= 1 else min(int(np.ceil(4 / sigma)), 4)
    for i in range(m):
        for j in range(m):
            yield x + (i + 0.5) / m, y + (j + 0.5) / m


def offsets(glass, shape, x, y):
    """Returns d, and the offsets of the lens at places, at the dispersion of green."""
    half = min(shape.half)
    band = glass.band * glass.scale
    width = min(band, half * 2 / 3)
    depth = glass.thickness * glass.scale * glass.refraction * glass.strength
    depth = float(np.clip(depth, -half, half))
    d, nx, ny = shape.field(x, y, band)
    if width == 0 or depth == 0:
        return d, 0 * d, 0 * d
    t = (d / width).clip(0, 1)
    if glass.profile == "bevel":
        k = 0.98
        profile = (1 - np.sqrt(1 - (k * (1 - t)) ** 2)) / (1 - np.sqrt(1 - k * k))
    else:
        profile = np.exp(-t / 0.225) * (1 - t * t) ** 2
        if glass.profile == "gentle":
            depth = float(np.clip(depth, -0.9 * 0.225 * width, 0.9 * 0.225 * width))
    moved = np.where(d < -1, 0, depth * profile)
    return d, nx * moved, ny * moved


def joined_offsets(glass, shapes, x, y):
    """Returns what offsets() does, for shapes that flow together."""
    band = glass.band * glass.scale
    d, nx, ny = joined([shape.field(x, y, band, False) for shape in shapes], glass.join * glass.scale)
    narrowest = min(shapes, key=lambda shape: min(shape.half))
    # Along the x axis of a shape whose n is 1, the offsets of a single shape are functions of d.
    profile = offsets(glass, Ray(narrowest, d), x, y)[1]
    return d, nx * profile, ny * profile


class Ray:
    """Stands for a shape with given distances, whose direction is the x axis."""
    def __init__(self, shape, d):
        self.half, self.d = shape.half, d

    def field(self, x, y, band):
        return self.d, np.ones(self.d.shape), np.zeros(self.d.shape)


def refracted(glass, shapes, blurred, sigma):
    height, width = blurred.shape[:2]
    y, x = np.mgrid[0:height, 0:width] + 0.5
    sums = []
    for place in samples(sigma, width, height):
        _, ox, oy = (joined_offsets(glass, shapes, *place) if is_joined(glass, shapes) else
                     deepest([offsets(glass, shape, *place) for shape in shapes]))
        factors = 1 - glass.dispersion, 1, 1 + glass.dispersion, 1
        sums.append(np.stack([sampled(blurred[..., channel], x - ox * factor, y - oy * factor)
                              for channel, factor in enumerate(factors)], 2))
    result = np.mean(sums, 0)
    if glass.dispersion:
        result[..., :3] = np.minimum(result[..., :3], result[..., 3:])
    return result


def lit(glass, shapes, pixels):
    """Shades and lights the edge."""
    rim_width, shade_width = edge_band(glass)
    height, width = pixels.shape[:2]
    y, x = np.mgrid[0:height, 0:width] + 0.5
    widest = max(rim_width, shade_width)
    if is_joined(glass, shapes):
        d, nx, ny = joined([shape.field(x, y, widest, False) for shape in shapes], glass.join * glass.scale)
        limit = np.full(x.shape, min(min(shape.half) for shape in shapes) * 2 / 3)
    else:
        d, nx, ny, limit = deepest([
            [*shape.field(x, y, widest), np.full(x.shape, min(shape.half) * 2 / 3)] for shape in shapes])
    d = np.maximum(d, 0)
    angle = np.radians(glass.rim_angle)
    light = abs(nx * np.cos(angle) + ny * np.sin(angle)) ** glass.rim_sharpness
    intensity = glass.rim * glass.strength * light * fall(d / np.minimum(rim_width, limit)) if rim_width > 0 else 0 * d
    shadow = glass.shade * glass.strength * fall(d / np.minimum(shade_width, limit)) if shade_width > 0 else 0 * d

    def edge(colour):
        linear = decode(colour * (1 - shadow[..., None]))
        return encode(linear + intensity[..., None] * (1 - linear))
    return curved(pixels, edge)


def grain(width, height):
    """Returns the noise of formulas.md, in -1 … 1."""
    y, x = np.mgrid[0:height, 0:width].astype(np.uint64)
    mask = np.uint64(0xFFFFFFFF)

    def times(value, factor):
        return value * np.uint64(factor) & mask
    g = times(y, 0x9E3779B1) + np.uint64(1) & mask
    g = times(g ^ g >> np.uint64(16), 0x85EBCA6B)
    g = times(g ^ g >> np.uint64(13), 0xC2B2AE35)
    g ^= g >> np.uint64(16)
    h = times(x, 0x9E3779B1) ^ g
    h = times(h ^ h >> np.uint64(15), 0x2C1B3C6D)
    return 2 * ((h >> np.uint64(24)).astype(float) + 0.5) / 256 - 1


def vivid(pixels, more, white):
    """Adds `more` to the saturation 1, within the gamut, and applies the white point."""
    alpha = pixels[..., 3:]
    k = np.clip(np.divide(pixels[..., :3], alpha, out=np.zeros_like(pixels[..., :3]), where=alpha > 0), 0, 1)
    luma = (k @ (0.2126, 0.7152, 0.0722))[..., None]
    distance = k - luma
    factor = more
    if more > 0:
        square = 1.25 * (distance ** 2).sum(axis=-1, keepdims=True)
        room = (k * (1 - k)) ** 4
        # On the border of the gamut the quotient is infinite, except for black and white, whose distances are 0.
        with np.errstate(divide="ignore", invalid="ignore"):
            parts = np.where(square < 1e-24, 0, square ** 2 / room)
            factor = more / (1 + more ** 4 * parts.sum(axis=-1, keepdims=True)) ** 0.25
    k = k + factor * distance

    def part(y):
        t = np.clip(2 * y - 1, 0, 1)
        return t * t * (3 - 2 * t)

    k = k + white * part(luma) * (1 - k) if white >= 0 else k + white * part(1 - luma) * k
    return np.concatenate([k * alpha, alpha], axis=-1)


def coloured(glass, pixels):
    """Saturates and tints, and adds grain. A stage that changes nothing does not clamp either."""
    more = glass.strength * (glass.saturation - 1)
    white = glass.strength * glass.white_point * (-1 if glass.appearance == "dark" else 1)
    if more or white:
        pixels = clamped(vivid(pixels, more, white))
    *tint, part = glass.tint
    if part := part * glass.strength:
        pixels = clamped(part * np.array([*tint, 1]) + (1 - part) * pixels)
    if amount := glass.noise * glass.strength:
        pixels = pixels.copy()
        pixels[..., :3] += (pixels[..., 3] * amount * grain(*pixels.shape[1::-1]))[..., None]
        pixels = clamped(pixels)
    return pixels


@dataclasses.dataclass
class Expected:
    pixels: np.ndarray      # premultiplied
    covered: np.ndarray     # the part of each pixel that the shapes cover
    decided: np.ndarray     # whether the law decides which shape counts, and whether there is a shadow
    shadowed: np.ndarray    # whether a shadow falls on the pixel


ERF = np.vectorize(math.erf, otypes=[float])


def edge_band(glass):
    """Returns the widths of the light and of the shadow. One of the strength 0 has no width."""
    return glass.rim_width * glass.scale * bool(glass.rim), glass.shade_width * glass.scale * bool(glass.shade)


def shadow(shape, sigma, offset, width, height):
    """Returns the Gaussian of a shape's area, moved downwards, as means over pixels. The shape is cut into thin rows: the Gaussian
    of each is known along x, and its density along y."""
    def normal(z):
        return 0.5 + 0.5 * ERF(z / 2**0.5)

    def edge(place, at):
        """Returns the Gaussian of the half-plane from `at` on, as the mean over the pixel that begins at `place`."""
        low, high = (place - at) / sigma, (place + 1 - at) / sigma
        low, high = (z * normal(z) + np.exp(-z * z / 2) / (2 * np.pi)**0.5 for z in (low, high))
        return sigma * (high - low)
    (wide, high), (x, y), length = shape.half, shape.middle, shape.corner.length
    count = 2048
    # The rows are thinner near the top and the bottom, where the outline is almost horizontal.
    row = -np.cos(np.pi * (np.arange(count) + 0.5) / count)
    thickness = high * np.pi / count * np.sqrt(1 - row**2)
    reach = wide - length + length * shape.corner.height(np.clip((high * abs(row) - (high - length)) / (length or 1), 0, 1))
    columns, rows = np.arange(width)[:, None], np.arange(height)[:, None]
    row = y + offset + high * row
    density = (normal((rows + 1 - row) / sigma) - normal((rows - row) / sigma)) * thickness
    return density @ (edge(columns, x - reach) - edge(columns, x + reach)).T


def render(glass, shapes, straight, grey=False):
    """Returns the effect's result. A grey picture stays grey: it is not dispersed."""
    if grey:
        glass = dataclasses.replace(glass, dispersion=0)
    original = gaussian.premultiplied(straight)
    height, width = straight.shape[:2]
    sigma = glass.radius * glass.scale * glass.strength
    sigma = 0 if sigma < 0.2 else sigma
    source = curved(original, decode) if glass.linear else original
    blurred = np.stack([gaussian.blurred(source[..., c], sigma, sigma, glass.edge) for c in range(4)], 2)
    pixels = refracted(glass, shapes, blurred, sigma)
    pixels = curved(pixels, encode) if glass.linear else pixels
    pixels = clamped(lit(glass, shapes, coloured(glass, pixels)))
    covered, known = coverage(glass, shapes, width, height)
    y, x = np.mgrid[0:height, 0:width] + 0.5
    undecided = np.zeros(covered.shape, bool) | ~np.array(known)
    if not is_joined(glass, shapes):
        undecided |= tied(shapes, max(edge_band(glass)), x, y)
        for place in samples(sigma, width, height):
            undecided |= tied(shapes, glass.band * glass.scale, *place)
    # Without a blur, neighbouring pixels may differ by everything, so that the roundings of the sampled outlines count where the
    # centre of a pixel lies outside.
    if sigma < 1:
        undecided |= (covered > 0) & (covered < 0.5)
    below, shadowed, uncertain = original, np.zeros(covered.shape, bool), False
    if glass.shadow:
        part = sum(shadow(shape, max(glass.shadow_radius * glass.scale, 0.5), glass.shadow_offset * glass.scale, width, height)
                   for shape in shapes)
        over = glass.opacity * covered
        part = np.divide(glass.opacity * np.minimum(part, 1) * (1 - covered), 1 - over, out=np.zeros_like(part),
                         where=over < 1)
        uncertain = abs(part * 2.0**17 - 1) < 0.1
        part[part < 2.0**-17] = 0
        alpha = glass.shadow * glass.strength
        shadowed = (part > 0) & (alpha > 0)
        black = np.array([0, 0, 0, alpha])
        below = original + (black - original * alpha) * part[..., None]
    return Expected(below + (pixels - below) * (glass.opacity * covered)[..., None], covered, ~(undecided | uncertain),
                    shadowed)


# --- Random configurations ---------------------------------------------------------------------------

def picture(kind, channels, width, height, random, full):
    """Returns a straight-alpha picture in 0 … 1, rounded to the file's depth."""
    y, x = np.mgrid[0:height, 0:width]
    result = np.ones((height, width, 4))
    if kind == "noise":
        result[..., :3] = random.random((height, width, 3))
        extremes = random.random((height, width)) < 0.5
        result[extremes, :3] = random.integers(0, 2, (extremes.sum(), 3))
    elif kind == "photo":
        path = Path(__file__).resolve().parents[2] / "Samples" / "photo.png"
        photo = cv2.imread(str(path), cv2.IMREAD_COLOR)
        left, top = random.integers(0, photo.shape[1] - width), random.integers(0, photo.shape[0] - height)
        result[..., :3] = photo[top:top + height, left:left + width, ::-1] / 255
    elif kind == "text":
        result[..., :3] = random.random(3) * 0.3 + 0.7
        for _ in range(60):
            left, top = random.integers(0, width), random.integers(0, height)
            wide, high = random.choice([(1, 9), (2, 9), (7, 1), (7, 2), (12, 5)])
            result[top:top + high, left:left + wide, :3] = random.random(3) * random.choice([0.2, 1])
    else:
        slopes = random.normal(size=(3, 2)) * 0.8
        for channel in range(3):
            result[..., channel] = 0.5 + slopes[channel, 0] * (x / width - 0.5) + slopes[channel, 1] * (y / height - 0.5)
    if channels in (2, 4):
        alpha = np.clip(1.2 - 1.6 * np.hypot(x / width - random.random(), y / height - random.random()), 0, 1)
        alpha[random.random((height, width)) < 0.03] = 0
        result[..., 3] = alpha
    if channels < 3:
        result[..., :3] = result[..., 1:2]
    return np.round(result.clip(0, 1) * full) / full


@dataclasses.dataclass(frozen=True)
class Configuration:
    number: int
    seed: int
    kind: str
    channels: int       # 1 grey, 2 grey and alpha, 3 RGB, 4 RGBA
    size: tuple
    effect: str
    glass: Glass
    rects: tuple
    radius: float
    smoothing: float
    exponent: float

    def picture(self, full):
        return picture(self.kind, self.channels, *self.size, np.random.default_rng([self.seed, self.number, 1]), full)

    def shapes(self):
        result = []
        for rect in self.rects or ((0, 0, *self.size),):
            radius = min(self.radius, min(rect[2:]) / 2 / (1 + self.smoothing)) if self.rects else 0
            result.append(Shape(rect, Corner(radius, self.smoothing, self.exponent)))
        return result

    def words(self):
        words = [self.effect, *self.glass.words(base(self.effect))]
        for rect in self.rects:
            words += ["--rect", ",".join(map(str, rect))]
        if self.radius:
            words += ["--corner-radius", str(self.radius)]
        if self.smoothing:
            words += ["--corner-smoothing", str(self.smoothing)]
        if self.exponent != 2:
            words += ["--corner-exponent", str(self.exponent)]
        return words

    def __str__(self):
        return f"{self.number}: {self.kind} {self.size[0]}x{self.size[1]} {'G GA RGB RGBA'.split()[self.channels - 1]}"


def base(effect):
    radius, band, thickness, refraction, rim, shade, shadow = DEFAULTS[effect]
    return Glass(radius, band, thickness, refraction, rim=rim, shade=shade, shadow=shadow)


def configuration(seed, number):
    random = np.random.default_rng([seed, number])

    def pick(*values):
        return values[random.integers(len(values))]

    def real(low, high, digits=2):
        return round(float(random.uniform(low, high)), digits)

    def sometimes(value, part=0.5):
        return value if random.random() < part else None
    size = int(random.integers(60, 110)), int(random.integers(50, 90))
    effect = pick("glass", "glass-clear")
    scale = pick(1, 1, 1, 2, 1.5, 3)
    changes = {
        "scale": scale,
        "radius": sometimes(pick(0, real(0, 4 / scale), real(0.2, 12), real(0.1, 3))),
        "band": sometimes(pick(0, real(1, 40), real(1, 15), 1000)),
        "thickness": sometimes(pick(0, real(0, 80), real(1, 20))),
        "refraction": sometimes(real(-1, 1.2), 0.7),
        "profile": pick("soft", "gentle", "bevel"),
        "dispersion": sometimes(real(0, 1) if random.random() < 0.3 else real(0, 0.3), 0.4),
        "saturation": sometimes(pick(1, 0, real(0, 4))),
        "white_point": sometimes(pick(0, real(-1, 1))),
        "appearance": pick("light", "dark"),
        "rim": sometimes(pick(0, 1, real(0, 1))),
        "rim_width": sometimes(pick(0, real(0.5, 5), real(1, 30))),
        "rim_angle": sometimes(real(-360, 360, 1)),
        "rim_sharpness": sometimes(pick(0, 1, real(0, 8), 64)),
        "shade": sometimes(pick(0, 1, real(0, 1))),
        "shade_width": sometimes(pick(0, real(0, 5), real(1, 40))),
        "edge": pick("mirror", *gaussian.EDGES),
        "tint": sometimes((real(0, 1), real(0, 1), real(0, 1), pick(0, real(0, 1), real(0, 0.4))), 0.3),
        "noise": sometimes(real(0, 0.2), 0.1),
        "opacity": sometimes(real(0, 1), 0.2),
        "strength": sometimes(real(0, 1), 0.2),
        "linear": sometimes(True, 0.1),
    }
    changes = {name: value for name, value in changes.items() if value is not None}
    glass = dataclasses.replace(base(effect), **changes)
    rects = []
    count = pick(0, 1, 1, 1, 1, 1, 2, 2, 3)
    overlap = random.random() < 0.3     # otherwise they are side by side
    for part in range(count):
        left, right = (0, size[0]) if overlap else (size[0] * part // count, size[0] * (part + 1) // count)
        width = int(random.integers(min(8, right - left), right - left + 1))
        height = int(random.integers(8, size[1] + 1))
        if random.random() < 0.05:
            width, height = pick((1, height), (width, 1), (3, 2), (2, 2))
        rects.append((left + int(random.integers(0, right - left - width + 1)),
                      int(random.integers(0, size[1] - height + 1)), width, height))
    radius = pick(0, real(0.5, 8), real(2, 30), real(5, 20), 100) if rects else 0
    curve = pick("circular", "circular", "continuous", "superellipse") if radius else "circular"
    smoothing = pick(0.6, 1, real(0.05, 1)) if curve == "continuous" else 0
    exponent = pick(4, 2.5, real(1.2, 9), 16) if curve == "superellipse" else 2
    changes = {
        "shadow": sometimes(pick(0, 1, real(0, 1))),
        "shadow_radius": sometimes(pick(real(0.5, 3), real(1, 20))),
        "shadow_offset": sometimes(pick(0, real(-30, 30))),
        "join": sometimes(real(1, 60), 0.4 if count > 1 else 0.1),
    }
    glass = dataclasses.replace(glass, **{name: value for name, value in changes.items() if value is not None})
    return Configuration(number, seed, pick("noise", "photo", "text", "gradient"), pick(1, 2, 3, 3, 4, 4), size, effect,
                         glass, tuple(rects), radius, smoothing, exponent)


# --- Running frost -----------------------------------------------------------------------------------

def write_png(path, straight, channels, full):
    values = np.round(straight * full).astype(np.uint16 if full > 255 else np.uint8)
    if channels == 2:       # OpenCV cannot write grey with alpha
        from PIL import Image
        if full > 255:
            channels = 4
        else:
            Image.fromarray(np.ascontiguousarray(values[..., [0, 3]]), "LA").save(path)
            return
    values = values[..., {1: [0], 3: [2, 1, 0], 4: [2, 1, 0, 3]}[channels]]
    if not cv2.imwrite(str(path), values):
        raise OSError(f"{path}: cannot be written")


def read_png(path, full):
    """Returns the pixels of a file, not premultiplied."""
    values = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
    assert values is not None, "the result cannot be read"
    assert (values.dtype == np.uint16) == (full > 255), f"the result has samples of {values.dtype}"
    if values.ndim == 2:
        values = values[..., None]
    straight = np.ones(values.shape[:2] + (4,))
    straight[..., :3] = values[..., 2::-1] / full if values.shape[2] > 2 else values[..., :1] / full
    if values.shape[2] == 4:
        straight[..., 3] = values[..., 3] / full
    return straight


@dataclasses.dataclass
class Outcome:
    name: str
    subject: str
    problem: object = None      # None, the message of a failure, or Skipped
    error: float = 0


def run_frost(frost, configuration, subject, source, target):
    backend, _, shaders = subject.partition(" ")
    command = [frost, "effect", *configuration.words(), str(source), "-o", str(target), "--no-dither", "--quiet", "--force",
               "--backend", backend, *(["--gpu-shaders", shaders] if shaders else [])]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300)
    if done.returncode == NO_DEVICE and backend == "gpu":
        if os.environ.get("FROST_REQUIRE_GPU", "") not in ("", "0"):
            raise AssertionError("no usable GPU, and FROST_REQUIRE_GPU=1")
        raise Skipped(f"no usable GPU: {done.stderr.strip()[-200:]}")
    assert done.returncode == 0, f"exit {done.returncode}: {done.stderr.strip()[-300:]}"
    return command


def differences(result, expected, straight, full, bound):
    """Returns the largest error in steps, and a message if the result breaks a bound."""
    if result.shape != straight.shape:
        return 0, f"the result is {result.shape[1]}x{result.shape[0]}"
    covered = expected.covered
    # Pixels of the alpha 0 may lose the colour that nobody sees.
    moved = (result != straight).any(2) & (covered == 0) & ~expected.shadowed & expected.decided & (straight[..., 3] > 0)
    if moved.any():
        y, x = np.argwhere(moved)[0]
        return 0, f"{moved.sum()} pixels outside the shapes changed, the first at {x},{y}"
    steps = abs(gaussian.premultiplied(result) - expected.pixels) * full
    steps *= (((covered > 0) | expected.shadowed) & expected.decided)[..., None]
    if full > 255:
        steps[(covered > 0) & (covered < 1)] *= bound / PARTLY
    y, x, channel = np.unravel_index(np.argmax(steps), steps.shape)
    error = float(steps[y, x, channel])
    if error <= bound + SLACK:
        return error, None
    return error, (f"{error:.3f} of {full} (bound {bound:g}), {'RGBA'[channel]} at {x},{y}, coverage {covered[y, x]:.3f}, "
                   f"{(steps > bound).any(2).sum()} pixels")


def run_configuration(frost, seed, number, subjects, keep):
    configuration_ = configuration(seed, number)
    outcomes = []
    with tempfile.TemporaryDirectory(prefix="frost-glass-") as folder:
        for full, some in ((65535, {"exact"}), (255, set(SUBJECTS) - {"exact"})):
            some = [subject for subject in subjects if subject in some]
            if not some:
                continue
            straight = configuration_.picture(full)
            grey = configuration_.channels < (2 if full > 255 else 3)       # grey with alpha and 16 bits is written as RGBA
            expected = render(configuration_.glass, configuration_.shapes(), straight, grey)
            for subject in some:
                outcome = Outcome(f"{configuration_} {subject}", subject)
                outcomes.append(outcome)
                source = Path(folder, "in.png")
                target = Path(folder, "out.png")
                write_png(source, straight, configuration_.channels, full)
                try:
                    run_frost(frost, configuration_, subject, source, target)
                    bound = BOUND_EXACT if full > 255 else BOUND_8
                    outcome.error, problem = differences(read_png(target, full), expected, straight, full, bound)
                except Skipped as reason:
                    outcome.problem = reason
                    continue
                except (AssertionError, OSError, subprocess.SubprocessError) as error:
                    problem = str(error)
                if not problem:
                    continue
                if keep:
                    keep.mkdir(parents=True, exist_ok=True)
                    source = keep / f"{number}-{full}.png"
                    write_png(source, straight, configuration_.channels, full)
                backend, _, shaders = subject.partition(" ")
                outcome.problem = (f"{problem}; frost effect {shlex.join(configuration_.words())} {source} --no-dither "
                                   f"--backend {backend}{' --gpu-shaders ' + shaders if shaders else ''} -o out.png")
    return outcomes


def comparator_fails(frost):
    """A wrong oracle is far from the CPU's result: another profile, no lens, no light, another shadow, and so on."""
    glass = Glass(band=20, thickness=30, radius=5, shade=0.3, dispersion=0.2, shadow=0.6, shadow_radius=1, shadow_offset=1)
    random = np.random.default_rng(3)
    straight = picture("text", 3, 100, 80, random, 255)
    config = Configuration(0, 0, "text", 3, (100, 80), "glass", glass, ((10, 8, 80, 60),), 12, 0, 2)
    with tempfile.TemporaryDirectory(prefix="frost-glass-") as folder:
        source, target = Path(folder, "in.png"), Path(folder, "out.png")
        write_png(source, straight, 3, 255)
        run_frost(frost, config, "cpu", source, target)
        result = read_png(target, 255)
    _, problem = differences(result, render(glass, config.shapes(), straight), straight, 255, BOUND_8)
    assert problem is None, problem
    wrong = {"profile": "bevel", "refraction": 0, "dispersion": 0, "rim": 0, "rim_angle": 60, "shade": 0, "radius": 4,
             "band": 16, "saturation": 1.3, "shadow": 0.4, "shadow_radius": 2, "shadow_offset": 0}
    for name, value in wrong.items():
        expected = render(dataclasses.replace(glass, **{name: value}), config.shapes(), straight)
        error, problem = differences(result, expected, straight, 255, BOUND_8)
        assert problem and error > WRONG, (name, value, error)
    changed = result.copy()
    changed[2, 3, 1] = 1 - changed[2, 3, 1]
    _, problem = differences(changed, render(glass, config.shapes(), straight), straight, 255, BOUND_8)
    assert problem and "outside" in problem, problem


def main():
    cases = Cases("glass", __doc__, [
        ("--count", {"type": int, "default": 20, "help": "the number of configurations"}),
        ("--first", {"type": int, "default": 0, "help": "the number of the first configuration"}),
        ("--seed", {"type": int, "default": 20260201, "help": "the seed of the configurations"}),
        ("--subjects", {"default": ",".join(SUBJECTS), "help": "the backends to test"}),
        ("--keep", {"type": Path, "help": "a folder for the inputs of failures"}),
        ("--jobs", {"type": int, "default": min(2, os.cpu_count() or 1), "help": "worker processes"})])
    options = cases.options
    cases.run("wrong oracles fail", comparator_fails, cases.frost)
    count = min(options.count, 6) if options.quick else options.count
    subjects = options.subjects.split(",")
    worst = {}
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        jobs = [pool.submit(run_configuration, cases.frost, options.seed, options.first + n, subjects, options.keep)
                for n in range(count)]
        for job in jobs:
            for outcome in job.result():
                cases.add(outcome.name, outcome.problem)
                worst[outcome.subject] = max(worst.get(outcome.subject, (0, "")), (outcome.error, outcome.name))
    for subject, (error, name) in worst.items():
        print(f"{subject:<14} largest error {error:.3f} of {65535 if subject == 'exact' else 255}, {name}")
    cases.finish()


if __name__ == "__main__":
    cv2.setNumThreads(1)
    main()
