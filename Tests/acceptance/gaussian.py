"""The exact Gaussian blur that Frost is measured against: its definition, and a fast equivalent.

The definition: the blur is separable. Along each axis the Gaussian is sampled at the pixels, cut off at 6 sigma (at least
one pixel) and normalised to sum 1, in float64, on premultiplied colour. The pixels outside the picture are

    clamp    the nearest edge pixel
    mirror   the picture reflected about its edge (the edge pixel appears twice)
    repeat   the picture repeated
    clear    transparent black

`axis_by_definition` implements this definition as a matrix. `Picture.blurred` gives the same values without padding the
picture; `self_test` compares the two. The edge modes repeat and mirror make the picture periodic. Then the convolution is a
product of two spectra that are as long as the picture (Fourier spectra for repeat, cosine spectra for mirror). The result
for clamp is the result for clear plus a correction: each edge pixel times the weight of the taps that fall outside there.
"""

import functools

import numpy as np
from scipy import fft

EDGES = ("clamp", "mirror", "repeat", "clear")


def taps(sigma):
    """Returns the normalised taps at -radius … radius, and the radius."""
    radius = max(1, int(np.ceil(6 * sigma)))
    weights = np.exp(-0.5 * (np.arange(-radius, radius + 1) / sigma) ** 2)
    return weights / weights.sum(), radius


def axis_by_definition(length, sigma, edge):
    """Returns the matrix that blurs a column of `length` pixels."""
    matrix = np.zeros((length, length))
    if sigma <= 0:
        return np.eye(length)
    weights, radius = taps(sigma)
    for target in range(length):
        for offset, weight in zip(range(-radius, radius + 1), weights):
            source = target + offset
            if edge == "clamp":
                source = min(max(source, 0), length - 1)
            elif edge == "repeat":
                source %= length
            elif edge == "mirror":
                source %= 2 * length
                source = min(source, 2 * length - 1 - source)
            elif not 0 <= source < length:
                continue
            matrix[target, source] += weight
    return matrix


@functools.lru_cache(maxsize=64)
def folded(sigma, period):
    """Returns the taps as a periodic signal. Entry i is the sum of all taps whose offset equals i modulo the period."""
    weights, radius = taps(sigma)
    return np.bincount(np.arange(-radius, radius + 1) % period, weights, minlength=period)


@functools.lru_cache(maxsize=64)
def tails(sigma, length):
    """Returns, for each pixel, the weight of the taps that fall before the picture."""
    weights, radius = taps(sigma)
    cumulative = np.concatenate([np.cumsum(weights[::-1])[::-1], [0.0]])   # the sum of each tap and all taps after it
    # For pixel i, the taps at offsets below -i fall before the picture. The kernel is symmetric, so they have the same
    # weight as the taps at offsets above i.
    return cumulative[np.minimum(np.arange(length) + radius + 1, 2 * radius + 1)]


def along(axis, vector):
    return vector.reshape((-1, 1) if axis == 0 else (1, -1))


def blur_axis(plane, sigma, axis, edge):
    """Blurs along one axis with the edge mode clear or clamp. Uses a Fourier transform that is just long enough that the
    ends of the picture do not affect each other."""
    if sigma <= 0:
        return plane
    length = plane.shape[axis]
    weights, radius = taps(sigma)
    reach = min(radius, length - 1)     # taps further out never reach the picture
    inner = weights[radius - reach:radius + reach + 1]
    size = fft.next_fast_len(length + reach, real=True)
    # The taps are stored as a periodic signal that starts with offset 0. So the result needs no shift.
    signal = np.bincount(np.arange(-reach, reach + 1) % size, inner, minlength=size)
    spectrum = fft.rfft(plane, size, axis=axis)
    spectrum *= along(axis, fft.rfft(signal))
    result = fft.irfft(spectrum, size, axis=axis).take(range(length), axis=axis)
    if edge == "clamp":
        before = tails(sigma, length)
        first, last = plane.take([0], axis=axis), plane.take([-1], axis=axis)
        result += first * along(axis, before) + last * along(axis, before[::-1])
    return result


class Picture:
    """A picture that is blurred many times. It is created from an array of height x width x 4 values in 0 … 1, with
    straight alpha."""

    def __init__(self, straight):
        self.planes = np.moveaxis(premultiplied(straight), 2, 0)
        # A constant plane (opaque alpha, for example) stays constant in every edge mode except clear, so it needs no
        # transform.
        self.constant = [plane.min() == plane.max() for plane in self.planes]
        self.spectra = {}

    def spectrum(self, edge):
        if edge not in self.spectra:
            transform = fft.rfft2 if edge == "repeat" else functools.partial(fft.dctn, type=2)
            self.spectra[edge] = [
                None if constant else transform(plane) for plane, constant in zip(self.planes, self.constant)
            ]
        return self.spectra[edge]

    def blurred(self, sigma_x, sigma_y, edge):
        """Returns the exact result as an array of height x width x 4 values, with premultiplied alpha."""
        height, width = self.planes.shape[1:]
        result = np.empty((height, width, 4))
        for channel, plane in enumerate(self.planes):
            if self.constant[channel] and edge != "clear":
                result[..., channel] = plane
            elif edge in ("clamp", "clear"):
                result[..., channel] = blur_axis(blur_axis(plane, sigma_y, 0, edge), sigma_x, 1, edge)
            elif edge == "repeat":
                gain = along(0, self.gain(sigma_y, height, 1, full=True)) * along(1, self.gain(sigma_x, width, 1))
                result[..., channel] = fft.irfft2(self.spectrum(edge)[channel] * gain, (height, width))
            else:
                gain = along(0, self.gain(sigma_y, height, 2)) * along(1, self.gain(sigma_x, width, 2))
                result[..., channel] = fft.idctn(self.spectrum(edge)[channel] * gain, type=2)
        return result

    @staticmethod
    def gain(sigma, length, repeats, full=False):
        """Returns the factors by which the blur multiplies the frequencies. The taps are symmetric, so the factors are real.

        `repeats` is 2 if the period consists of the picture and its reflection.
        """
        if sigma <= 0:
            return np.ones(length if full or repeats == 2 else length // 2 + 1)
        signal = folded(sigma, repeats * length)
        spectrum = fft.fft(signal).real if full else fft.rfft(signal).real
        return spectrum[:length] if repeats == 2 else spectrum


def premultiplied(straight):
    """Converts straight alpha to premultiplied alpha, both in 0 … 1."""
    result = straight.copy()
    result[..., :3] *= straight[..., 3:]
    return result


def self_test():
    """Compares the fast implementations with the definition. The results may differ in the last bits of float64."""
    random = np.random.default_rng(1)
    for height, width in ((1, 1), (1, 9), (6, 5), (12, 31)):
        straight = random.random((height, width, 4))
        picture = Picture(straight)
        for sigma_x, sigma_y in ((0.2, 0.2), (1.0, 1.0), (4.3, 4.3), (40.0, 40.0), (0.0, 3.0), (3.0, 0.0)):
            for edge in EDGES:
                rows = axis_by_definition(height, sigma_y, edge)
                columns = axis_by_definition(width, sigma_x, edge)
                expected = np.einsum("yj,jic,xi->yxc", rows, premultiplied(straight), columns)
                error = np.abs(picture.blurred(sigma_x, sigma_y, edge) - expected).max()
                if error > 1e-13:
                    raise AssertionError(f"{width}x{height} sigma {sigma_x},{sigma_y} {edge}: off by {error}")
