"""Makes the pictures of docs/Glass.md: glass_pictures.py IMAGES. Run by Tools/gallery."""

import argparse
import math
from pathlib import Path

import cv2
import numpy
from PIL import Image, ImageDraw

import frost
import gallery_pictures as drawn
from gallery import GAP, beside
from page_pictures import labelled

TILE = (250, 170)


def pane(picture, *shapes, effect="glass", radius=24, **parameters):
    """Returns a picture under panes of glass."""
    glass = frost.Effect(effect, **parameters)
    return frost.effect(picture, glass.clipped(*(frost.Shape(*shape, radius=radius, smoothing=0.6) for shape in shapes)))


def text(size=TILE):
    canvas = drawn.Canvas(numpy.full((size[1], size[0], 3), 255, numpy.uint8))
    words = "Mist lay on the water like a second, paler lake. Along the far shore, each larch kept its own shape".split()
    for line in range(size[1] // 20):
        canvas.text(size[0] // 2, 14 + 20 * line, " ".join(words[(3 * line + part) % len(words)] for part in range(size[0] // 34)), 14, (25, 22, 40))
    return canvas.array()


def backdrops():
    """Returns pictures of six kinds, with their names."""
    width, height = TILE
    y, x = numpy.mgrid[:height, :width]
    bright = numpy.dstack([250 - y // 12, 248 - x // 20, 244 - y // 20])
    dark = numpy.dstack([18 + x // 12, 20 + y // 12, 30 + x // 20])
    colours = [(230, 40, 60), (250, 190, 20), (40, 170, 80), (30, 110, 230), (150, 60, 210)]
    saturated = numpy.array(colours)[(x + y) // 44 % len(colours)]
    hue = numpy.dstack([(x * 179 // width), numpy.full_like(x, 190), 255 - y * 200 // height]).astype(numpy.uint8)
    return {"bright": bright, "dark": dark, "saturated": saturated, "text": text(), "a photograph": drawn.sample("photo", TILE),
            "a gradient": cv2.cvtColor(hue, cv2.COLOR_HSV2RGB)}


def stacked(rows):
    parts = []
    for row in rows:
        parts += [row, numpy.full((GAP, row.shape[1], 3), 255, numpy.uint8)]
    return numpy.vstack(parts[:-1])


def glass_backdrops():
    """Each preset over six kinds of pictures."""
    presets = {
        "glass": {}, "glass --appearance dark": {"appearance": "dark"},
        "glass-clear": {"effect": "glass-clear"},
        "glass-clear --appearance dark": {"effect": "glass-clear", "appearance": "dark"},
        "glass --min-contrast 4.5": {"min_contrast": 4.5, "content_color": "black"},
    }
    rows = []
    for name, parameters in presets.items():
        tiles = [pane(picture.astype(numpy.uint8), (30, 25, TILE[0] - 60, TILE[1] - 50), **parameters)
                 for picture in backdrops().values()]
        rows.append(beside(labelled(tiles[0], name), *tiles[1:]))
    return stacked(rows)


class Plot:
    """A square diagram of 0 to 1 along both axes."""

    # Lines are drawn larger than they are shown, and thereby antialiased.
    SCALE = 3

    def __init__(self, words, size=300, has_axes=True):
        self.size = size
        self.image = Image.new("RGB", (size * self.SCALE,) * 2, "white")
        self.draw = ImageDraw.Draw(self.image)
        if has_axes:
            self.line([(0, 0), (1, 0)], (170, 170, 175))
            self.line([(0, 0), (0, 1)], (170, 170, 175))
        self.draw.text(self.at(0, 1.07), words, fill=(30, 30, 40), font=drawn.font(12 * self.SCALE))

    def at(self, x, y):
        side = self.size * self.SCALE
        return (0.1 + 0.82 * x) * side, (0.9 - 0.8 * y) * side

    def line(self, points, colour, width=1.5):
        self.draw.line([self.at(*point) for point in points], fill=colour, width=round(width * self.SCALE), joint="curve")

    def text(self, x, y, words, colour=(30, 30, 40)):
        self.draw.text(self.at(x, y), words, fill=colour, font=drawn.font(11 * self.SCALE))

    def array(self):
        return numpy.asarray(self.image.resize((self.size, self.size), Image.Resampling.LANCZOS))


def profiles():
    plot = Plot("profile(t): how far the edge moves what is seen")
    t = numpy.linspace(0, 1, 400)
    k = 0.98
    curves = {"soft and gentle": (numpy.exp(-t / 0.225) * (1 - t * t)**2, (200, 50, 60)),
              "bevel": ((1 - numpy.sqrt(1 - (k * (1 - t))**2)) / (1 - math.sqrt(1 - k * k)), (40, 100, 210))}
    for row, (name, (values, colour)) in enumerate(curves.items()):
        plot.line(list(zip(t, values)), colour, 2)
        plot.text(0.55, 0.9 - 0.08 * row, name, colour)
    plot.text(0.0, -0.02, "the edge")
    plot.text(0.72, -0.02, "end of the band")
    return plot.array()


def displacement():
    """Returns the places that a pane shows, measured: the pane is held over a picture of the coordinates."""
    size = 300
    y, x = numpy.mgrid[:size, :size].astype(numpy.float32) / size
    coordinates = numpy.dstack([x, y, numpy.zeros_like(x)])
    shape = (30, 60, 240, 180)
    lens = frost.Effect("glass", radius=0.5, band=60, thickness=70, refraction=1, saturation=1, white_point=0, rim=0, shade=0, shadow=0)
    seen = frost.effect(coordinates, lens.clipped(frost.Shape(*shape, radius=60)))
    plot = Plot("where each place comes from", has_axes=False)
    scale = plot.SCALE
    for row in range(66, 241, 12):
        for column in range(36, 271, 12):
            dx, dy = (seen[row, column, :2] - coordinates[row, column, :2]) * size
            if abs(dx) + abs(dy) < 0.6:
                continue
            ends = [(column * scale, (row + 20) * scale), ((column + dx) * scale, (row + 20 + dy) * scale)]
            plot.draw.line(ends, fill=(40, 100, 210), width=scale)
            plot.draw.ellipse([ends[0][0] - 4, ends[0][1] - 4, ends[0][0] + 4, ends[0][1] + 4], fill=(200, 50, 60))
    plot.draw.rounded_rectangle([30 * scale, 80 * scale, 270 * scale, 260 * scale], 60 * scale, outline=(120, 120, 130), width=scale)
    return plot.array()


def contrast():
    """Returns the contrast of greys to white content, before and after a minimum of 4.5."""
    grey = numpy.arange(256, dtype=numpy.uint8)[None, :, None].repeat(3, 2).repeat(8, 0)
    after = frost.effect(grey, "glass", radius=0, saturation=1, white_point=0, refraction=0, rim=0, shade=0, min_contrast=4.5,
                         content_color="white", dither=False)[4, :, 0]
    light = lambda code: numpy.where(code <= 0.04045, code / 12.92, ((code + 0.055) / 1.055)**2.4)
    plot = Plot("contrast of greys to white, logarithmic")
    place = lambda values: numpy.log(1.05 / (light(values / 255) + 0.05)) / math.log(21)
    codes = numpy.arange(256) / 255
    plot.line([(0, math.log(4.5) / math.log(21)), (1, math.log(4.5) / math.log(21))], (170, 170, 175), 1)
    plot.line(list(zip(codes, place(numpy.arange(256)))), (170, 120, 120), 2)
    plot.line(list(zip(codes, place(after))), (40, 100, 210), 2)
    plot.text(0.02, math.log(4.5) / math.log(21) - 0.01, "4.5")
    plot.text(0.6, 0.16, "before", (170, 120, 120))
    plot.text(0.6, 0.72, "after", (40, 100, 210))
    plot.text(0.0, -0.02, "black")
    plot.text(0.88, -0.02, "white")
    return plot.array()


def glass_law():
    """The profiles, the displacement, and the contrast."""
    return beside(profiles(), displacement(), contrast())


def film(path, frames=60):
    """A pane that moves over text, by fractions of a pixel."""
    page = text((420, 240))
    pictures = []
    for frame in range(frames):
        turn = 2 * math.pi * frame / frames
        shape = (125 + 95 * math.sin(turn), 70 + 40 * math.sin(2 * turn), 170, 100)
        pictures.append(Image.fromarray(pane(page, shape, radius=28, effect="glass-clear", dispersion=0.08)))
    pictures[0].save(path, save_all=True, append_images=pictures[1:], duration=50, loop=0, quality=80, method=6)


def glass():
    """Panes over a screen: frosted, clear with dispersion, dark with a contrast of 4.5 to white, and two that are joined."""
    scene = numpy.asarray(Image.open(drawn.SAMPLES / "scene.png").convert("RGB"))
    scene = pane(scene, (380, 130, 300, 170))
    scene = pane(scene, (700, 200, 250, 190), effect="glass-clear", radius=44, dispersion=0.15)
    scene = pane(scene, (90, 360, 250, 150), appearance="dark", min_contrast=4.5, content_color="white")
    scene = pane(scene, (420, 420, 170, 170), (600, 450, 250, 150), effect="glass-clear", radius=44, join=70)
    return numpy.asarray(Image.fromarray(scene[80:640, 50:1010]).resize((840, 490), Image.Resampling.LANCZOS))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("images", type=Path, help="the folder of the pictures")
    images = parser.parse_args().images
    for make in (glass, glass_backdrops, glass_law):
        Image.fromarray(make()).save(images / f"{make.__name__.replace('_', '-')}.webp", quality=93, method=6)
    film(images / "glass-film.webp")


if __name__ == "__main__":
    main()
