"""The exact Gaussian blur that Frost is measured against.

The blur is separable. Along each axis the Gaussian is sampled at the pixels, cut off at 6 sigma (at least one pixel) and
normalised to sum 1, in float64, on premultiplied colour. The pixels outside the picture are

    clamp    the nearest edge pixel
    mirror   the picture reflected about its edge (the edge pixel appears twice)
    repeat   the picture repeated
    clear    transparent black
"""

import functools

import numpy as np

EDGES = ("clamp", "mirror", "repeat", "clear")


def taps(sigma):
    """Returns the offsets of the taps, and their weights."""
    radius = max(1, int(np.ceil(6 * sigma)))
    offsets = np.arange(-radius, radius + 1)
    weights = np.exp(-0.5 * (offsets / sigma) ** 2)
    return offsets, weights / weights.sum()


@functools.lru_cache(maxsize=64)
def axis(length, sigma, edge):
    """Returns the matrix that blurs a column of `length` pixels."""
    if sigma <= 0:
        return np.eye(length)
    offsets, weights = taps(sigma)
    matrix = np.empty((length, length))
    for target in range(length):
        source = target + offsets
        if edge == "clamp":
            source = source.clip(0, length - 1)
        elif edge == "repeat":
            source %= length
        elif edge == "mirror":
            source %= 2 * length
            source = np.minimum(source, 2 * length - 1 - source)
        inside = (source >= 0) & (source < length)
        matrix[target] = np.bincount(source[inside], weights[inside], minlength=length)
    return matrix


def blurred(plane, sigma_x, sigma_y, edge):
    """Returns a blurred array of height x width values."""
    height, width = plane.shape
    return axis(height, sigma_y, edge) @ plane @ axis(width, sigma_x, edge).T


def premultiplied(straight):
    """Converts straight alpha to premultiplied alpha, both in 0 … 1."""
    result = straight.copy()
    result[..., :3] *= straight[..., 3:]
    return result


def blurred_picture(straight, sigma_x, sigma_y, edge):
    """Blurs an array of height x width x 4 values in 0 … 1 with straight alpha. Returns premultiplied alpha."""
    planes = np.moveaxis(premultiplied(straight), 2, 0)
    return np.stack([blurred(plane, sigma_x, sigma_y, edge) for plane in planes], 2)
