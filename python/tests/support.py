"""What the tests share: pictures, and the definition of the Gaussian blur."""

import os
import signal

import numpy

# Long searches run only with this setting.
EVERY_CASE = os.environ.get("FROST_EVERY_CASE") == "1"


def noise(*shape, dtype=numpy.uint8, seed=1):
    values = numpy.random.default_rng(seed).random(shape)
    return (values if numpy.issubdtype(dtype, numpy.floating) else values * numpy.iinfo(dtype).max).astype(dtype)


def gaussian(image, sigma, mode="edge", fill=0):
    """Computes the exact Gaussian blur of an array: along its first two axes, or along all with a sigma for each of them.

    :param mode: as in ``numpy.pad``: "edge", "symmetric", "reflect", "wrap" or "constant".
    """
    result = image.astype(float)
    for axis, each in enumerate(sigma if isinstance(sigma, tuple) else (sigma, sigma)):
        if not each:
            continue
        reach = int(numpy.ceil(8 * each))
        weights = numpy.exp(-numpy.arange(-reach, reach + 1) ** 2 / (2 * each * each))
        weights /= weights.sum()
        padding = [(reach, reach) if axis == other else (0, 0) for other in range(image.ndim)]
        padded = numpy.pad(result, padding, mode=mode, **(dict(constant_values=fill) if mode == "constant" else {}))
        result = numpy.apply_along_axis(lambda line: numpy.convolve(line, weights, "valid"), axis, padded)
    return result


def in_child(test, body):
    """Calls ``body`` in a child process. Fails if it raises, or does not return within a minute."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            signal.alarm(60)
            body()
            status = 0
        finally:
            os._exit(status)
    test.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 0)
