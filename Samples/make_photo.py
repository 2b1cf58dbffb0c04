#!/usr/bin/env python3
"""Makes photo.png, an opaque picture with the statistics of a photograph, including detail and grain.

Needs numpy, scipy and Pillow. Every run gives the same output.
"""

import sys
from pathlib import Path

sys.dont_write_bytecode = True

import numpy as np
from PIL import Image
from scipy.ndimage import gaussian_filter

import landscape

WIDTH, HEIGHT = 1280, 853


def main():
    picture = landscape.develop(landscape.render(WIDTH, HEIGHT, seed=13, palette=landscape.DAY))
    # The grain resembles that of a camera sensor: a little softer than the pixels, and stronger in the shadows.
    random = np.random.default_rng(8)
    grain = gaussian_filter(random.standard_normal(picture.shape), (0.5, 0.5, 0))
    picture = picture + grain * 0.010 * (1.3 - picture)
    Image.fromarray(np.round(np.clip(picture, 0, 1) * 255).astype(np.uint8)).save(
        Path(__file__).with_name("photo.png"), optimize=True)


if __name__ == "__main__":
    main()
