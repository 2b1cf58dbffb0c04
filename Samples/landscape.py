"""Renders a mountain lake: a height field in perspective, under fractal clouds, reflected in water.

The picture depends only on the seed: the same call gives the same picture.
"""

import numpy as np
from scipy.ndimage import gaussian_filter, map_coordinates, minimum_filter1d


def mix(a, b, t):
    return a + (b - a) * t


def smoothstep(low, high, x):
    t = np.clip((x - low) / (high - low), 0, 1)
    return t * t * (3 - 2 * t)


def noise(random, size, cells):
    """Returns smooth periodic noise around 0, size x size pixels, with `cells` lattice cells per side."""
    lattice = random.standard_normal((cells, cells))
    x = np.arange(size) * cells / size
    return map_coordinates(lattice, np.meshgrid(x, x, indexing="ij"), order=3, mode="grid-wrap")


def fractal(random, size, cells, octaves, gain=0.5):
    total, amplitude = np.zeros((size, size)), 1.0
    for _ in range(octaves):
        total += amplitude * noise(random, size, cells)
        cells, amplitude = min(cells * 2, size), amplitude * gain
    return total


def ridged(random, size, cells, octaves):
    """Returns a ridged multifractal: noise with sharp crests that carry more detail than the valleys."""
    total, amplitude, weight = np.zeros((size, size)), 1.0, 1.0
    for _ in range(octaves):
        crest = 1 - np.minimum(np.abs(noise(random, size, cells)), 1.4) / 1.4
        total += amplitude * weight * crest
        weight = np.clip(crest * 1.5, 0, 1)
        cells, amplitude = min(cells * 2, size), amplitude * 0.5
    return total


def height_field(random, size):
    """Returns the ground heights over a square of side 1: a lake in front, hills, then a range of mountains."""
    y = np.linspace(0, 1, size)[:, None]
    massif = smoothstep(-0.9, 1.3, fractal(random, size, 5, 3))
    crags = ridged(random, size, 11, 8) / 1.6
    hills = fractal(random, size, 9, 8, 0.47)
    shore = -0.020 + 0.026 * smoothstep(0.16, 0.40, y) + 0.0075 * hills * smoothstep(0.10, 0.45, y)
    rise = smoothstep(0.40, 0.80, y)
    return shore + rise * (0.030 + 0.150 * massif) * (0.30 + 0.75 * crags)


def sample(field, x, y):
    size = field.shape[0]
    return map_coordinates(field, [np.clip(y, 0, 1) * (size - 1), (x % 1) * (size - 1)], order=1, mode="nearest")


def sunlit(heights, direction, steps=160):
    """Returns 1 where the sun reaches the ground, 0 in shadow, and values between at soft shadow edges.

    It steps from each point towards the sun and looks for higher ground.
    """
    size = heights.shape[0]
    light = np.ones_like(heights)
    dx, dy, slope = direction
    for step in range(1, steps, 2):
        shifted = np.roll(heights, (-round(dy * step), -round(dx * step)), (0, 1))
        clearance = heights + slope * step / size - shifted
        light = np.minimum(light, smoothstep(-0.004, 0.002, clearance))
    return light


def sky(random, width, height, horizon, palette, sun):
    """Returns the sky's colours for the rows 0 … horizon."""
    y, x = np.mgrid[0:horizon, 0:width].astype(float)
    up = (horizon - y) / height
    t = np.clip(up / (horizon / height), 0, 1)[..., None]
    colour = mix(palette["horizon"], palette["middle"], smoothstep(0.0, 0.45, t))
    colour = mix(colour, palette["zenith"], smoothstep(0.3, 1.0, t))
    distance = np.hypot((x - sun[0] * width) / height, (y - sun[1] * height) / height)[..., None]
    colour = colour + palette["sun"] * (0.55 * np.exp(-(distance / 0.10) ** 1.2) + 0.30 * np.exp(-distance / 0.42))

    # The clouds lie on a plane overhead, so they crowd towards the horizon.
    field = fractal(random, 1024, 5, 8, 0.55)
    depth = 0.20 / (up + 0.09)
    u, v = (x / width - 0.5) * depth * 1.9 + 0.37, depth * 1.25
    place = [(v % 1) * 1023, (u % 1) * 1023]
    density = map_coordinates(field, place, order=1, mode="grid-wrap")
    towards = [((v + 0.012) % 1) * 1023, ((u + 0.02 * np.sign(sun[0] - 0.5)) % 1) * 1023]
    lit = density - map_coordinates(field, towards, order=1, mode="grid-wrap")
    cover = smoothstep(0.10, 1.25, density)[..., None] * smoothstep(0.015, 0.12, up)[..., None]
    shade = np.clip(0.55 + 0.9 * lit, 0, 1)[..., None]
    cloud = mix(palette["cloud_dark"], palette["cloud_light"], shade)
    cloud = cloud + palette["sun"] * 0.35 * np.exp(-distance / 0.22)
    return mix(colour, cloud, 0.88 * cover)


def terrain(random, width, height, horizon, palette, sun):
    """Returns colours and coverage of the ground for the rows 0 … horizon and a few below the horizon."""
    size = 2048
    ground = height_field(random, size)
    direction = (0.8 * np.sign(sun[0] - 0.5), 0.6, 0.42)
    light = gaussian_filter(sunlit(ground, direction), 1.0)
    gy, gx = np.gradient(ground * size)
    normal = np.stack([-gx, -gy, np.full_like(gx, 1.0)], -1)
    normal /= np.linalg.norm(normal, axis=-1, keepdims=True)
    towards_sun = np.array([direction[0], direction[1] * 0.6, direction[2]])
    towards_sun /= np.linalg.norm(towards_sun)
    diffuse = np.clip(normal @ towards_sun, 0, 1) * light
    steep = 1 - normal[..., 2]

    detail = fractal(random, size, 256, 4, 0.7)
    trees = smoothstep(0.35, -0.1, steep + 0.10 * detail + (ground - 0.050) * 9)
    snow = smoothstep(0.085, 0.125, ground + 0.010 * detail) * smoothstep(0.75, 0.45, steep)
    albedo = mix(palette["rock"], palette["rock_light"], smoothstep(-1.5, 1.5, detail)[..., None])
    forest = mix(palette["forest"], palette["meadow"], smoothstep(-0.2, 2.2, fractal(random, size, 24, 4))[..., None])
    albedo = mix(albedo, forest * (0.75 + 0.25 * np.clip(detail, -1.5, 1.5))[..., None], trees[..., None])
    albedo = mix(albedo, palette["snow"], snow[..., None])
    colour = albedo * (palette["ambient"] * (0.6 + 0.4 * normal[..., 2:]) + palette["light"] * diffuse[..., None])
    # The tree tops roughen the outline of the wooded ground.
    ground = ground + 0.0011 * trees * np.clip(detail, -1, 2)

    # Each column is marched away from the viewer. The nearest ground that covers a row gives the row its colour.
    steps = 1600
    near, far = 0.10, 1.0
    distance = near * (far / near) ** (np.arange(steps) / (steps - 1))
    angle = (np.arange(width) + 0.5) / width - 0.5
    eye, focal = 0.012, 1.05 * width
    px = 0.5 + distance[:, None] * angle[None, :] * 1.05
    py = np.broadcast_to(distance[:, None], px.shape)
    tall = sample(ground, px, py)
    row = horizon - (tall - eye) / distance[:, None] * focal * 0.62
    row = np.where(tall > 0, row, 1e9)
    covered = np.minimum.accumulate(row, axis=0)
    # The land meets the water at this row. The water hides all lower ground.
    first = distance[np.argmax(tall > 0, axis=0)]
    waterline = horizon + eye / first * focal * 0.62

    result = np.zeros((horizon + height // 8, width, 3))
    mask = np.zeros(result.shape[:2])
    rows = np.arange(result.shape[0])
    haze = 1 - np.exp(-0.70 * np.maximum(distance - 0.30, 0))
    for column in range(width):
        index = np.searchsorted(-covered[:, column], -(rows + 0.5))
        hit = (index < steps) & (rows < waterline[column])
        chosen = index[hit]
        x, y = px[chosen, column], distance[chosen]
        for channel in range(3):
            seen = sample(colour[..., channel], x, y)
            result[hit, column, channel] = mix(seen, palette["haze"][channel], haze[chosen])
        mask[hit, column] = 1
    return result, mask


def render(width, height, seed, palette, sun=(0.70, 0.36), horizon=0.56, scale=2):
    """Returns the landscape as height x width x 3 values in 0 … 1, rendered `scale` times as large and averaged."""
    random = np.random.default_rng(seed)
    w, h = width * scale, height * scale
    line = round(horizon * h)
    heavens = sky(random, w, h, line, palette, sun)
    ground, mask = terrain(random, w, h, line, palette, sun)

    picture = np.zeros((h, w, 3))
    picture[:line] = heavens
    shore = ground.shape[0]
    # `bottom` is the last row of land in each column; the water begins below it.
    land = mask > 0
    bottom = np.where(land.any(0), shore - np.argmax(land[::-1], axis=0), line)
    bottom = np.maximum(bottom, line)
    upper = np.concatenate([heavens, np.repeat(heavens[-1:], shore - line, axis=0)])
    upper = mix(upper, ground, mask[..., None])
    picture[:shore] = upper

    # The water reflects the upper half in a wavy mirror. The waves are finer and calmer towards the far shore.
    y, x = np.mgrid[0:h, 0:w].astype(float)
    below = y - line
    depth = 1.0 / (below / h + 0.02)
    ripples = fractal(random, 1024, 12, 6, 0.55)
    u, v = (x / w - 0.5) * depth * 0.14, depth * 0.55
    wave = map_coordinates(ripples, [(v % 1) * 1023, (u % 1) * 1023], order=1, mode="grid-wrap")
    wave2 = map_coordinates(ripples, [((v * 2.7) % 1) * 1023, ((u * 1.3 + 0.5) % 1) * 1023], order=1, mode="grid-wrap")
    bump = (wave + 0.6 * wave2) * np.clip(below / h, 0, 1)
    edge = gaussian_filter(bottom.astype(float), 14 * scale, mode="nearest")[None, :]
    mirror = 2 * edge - y + 0.03 * np.maximum(y - edge, 0) - bump * 0.085 * h
    across = x + bump * 0.010 * w
    # The mirrored row never lies below the land's last row, because the pixels between the land and the smoothed edge are
    # water.
    mirror = np.clip(mirror, 0, minimum_filter1d(bottom, 24 * scale)[None, :] - 2)
    reflected = np.stack([
        map_coordinates(picture[..., c], [mirror, np.clip(across, 0, w - 1)], order=1)
        for c in range(3)
    ], -1)
    facing = np.clip(below / (h - line), 0, 1)[..., None]
    reflected = mix(reflected * 0.90, palette["water"], 0.16 + 0.42 * smoothstep(0.0, 1.1, facing))
    reflected = reflected + palette["sun"] * 0.020 * np.clip(wave2, 0, 3)[..., None] * (1 - facing)
    wet = y >= bottom[None, :]
    picture[wet] = reflected[wet]

    picture = picture.reshape(height, scale, width, scale, 3).mean((1, 3))
    return np.clip(picture, 0, None)


def develop(linear):
    """Applies a soft highlight curve to linear light, then the sRGB curve."""
    linear = 1 - np.exp(-linear * 1.7)
    return np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * np.maximum(linear, 1e-9) ** (1 / 2.4) - 0.055)


DAY = {key: np.array(value) for key, value in {
    "horizon": (0.72, 0.78, 0.86), "middle": (0.26, 0.45, 0.78), "zenith": (0.055, 0.15, 0.42),
    "sun": (1.0, 0.82, 0.55), "cloud_light": (1.05, 1.0, 0.95), "cloud_dark": (0.34, 0.39, 0.50),
    "rock": (0.19, 0.17, 0.16), "rock_light": (0.36, 0.33, 0.30), "forest": (0.020, 0.050, 0.022),
    "meadow": (0.13, 0.17, 0.040), "snow": (0.92, 0.95, 1.0), "ambient": (0.26, 0.34, 0.50),
    "light": (2.6, 2.15, 1.55), "haze": (0.50, 0.62, 0.82), "water": (0.014, 0.060, 0.085),
}.items()}

DUSK = {key: np.array(value) for key, value in {
    "horizon": (1.05, 0.50, 0.28), "middle": (0.55, 0.24, 0.42), "zenith": (0.055, 0.050, 0.22),
    "sun": (1.25, 0.52, 0.16), "cloud_light": (1.15, 0.46, 0.34), "cloud_dark": (0.15, 0.10, 0.24),
    "rock": (0.17, 0.13, 0.15), "rock_light": (0.32, 0.25, 0.25), "forest": (0.022, 0.034, 0.034),
    "meadow": (0.10, 0.09, 0.045), "snow": (0.90, 0.86, 0.95), "ambient": (0.19, 0.17, 0.40),
    "light": (3.0, 1.35, 0.66), "haze": (0.62, 0.33, 0.42), "water": (0.030, 0.026, 0.085),
}.items()}
