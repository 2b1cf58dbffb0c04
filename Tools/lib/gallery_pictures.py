"""Draws the pictures of docs/Gallery.md that Samples does not have, with the facts that a recipe needs: where the faces are,
how far away things are. Everything is drawn at four times the size and reduced, so that edges are smooth."""

from pathlib import Path

import numpy
from PIL import Image, ImageDraw, ImageFont

SAMPLES = Path(__file__).resolve().parents[2] / "Samples"
SCALE = 4
#: The parts of the pictures without rounded corners and shadows.
PARTS = {"photo": (0, 0, 1280, 853), "scene": (46, 62, 1234, 744)}


def sample(name, size):
    """Returns a picture of Samples, cropped in the middle to the shape of a size, as an RGB array."""
    image = Image.open(SAMPLES / f"{name}.png").convert("RGB").crop(PARTS[name])
    factor = max(size[0] / image.width, size[1] / image.height)
    image = image.resize((round(image.width * factor), round(image.height * factor)), Image.Resampling.LANCZOS)
    left, top = (image.width - size[0]) // 2, (image.height - size[1]) // 2
    return numpy.asarray(image.crop((left, top, left + size[0], top + size[1])))


def font(size):
    return ImageFont.load_default(size)


class Canvas:
    """A drawing at four times the size, over a picture."""

    def __init__(self, picture):
        self.size = picture.shape[1], picture.shape[0]
        self.image = Image.fromarray(picture).resize([SCALE * side for side in self.size], Image.Resampling.BICUBIC)
        self.draw = ImageDraw.Draw(self.image)

    def ellipse(self, x, y, across, down, color):
        self.draw.ellipse([SCALE * n for n in (x - across, y - down, x + across, y + down)], fill=color)

    def box(self, x, y, right, bottom, color, radius=0):
        self.draw.rounded_rectangle([SCALE * n for n in (x, y, right, bottom)], SCALE * radius, fill=color)

    def polygon(self, points, color):
        self.draw.polygon([(SCALE * x, SCALE * y) for x, y in points], fill=color)

    def arc(self, x, y, across, down, first, last, color, width):
        self.draw.arc([SCALE * n for n in (x - across, y - down, x + across, y + down)], first, last, fill=color, width=round(SCALE * width))

    def text(self, x, y, words, size, color):
        self.draw.text((SCALE * x, SCALE * y), words, fill=color, font=font(SCALE * size), anchor="mm")

    def array(self):
        return numpy.asarray(self.image.resize(self.size, Image.Resampling.LANCZOS))


def person(canvas, x, y, size, coat, hair, skin, eyes=(50, 38, 34)):
    """Draws a person whose face has its middle at x, y. Returns the rectangle of the face."""
    def at(dx, dy, across, down, color):
        canvas.ellipse(x + dx * size, y + dy * size, across * size, down * size, color)

    canvas.box(x - 1.5 * size, y + 1.5 * size, x + 1.5 * size, y + 8 * size, coat, 1.1 * size)
    canvas.box(x - 0.38 * size, y + 0.8 * size, x + 0.38 * size, y + 1.9 * size, tuple(int(0.88 * part) for part in skin), 0.3 * size)
    at(0, -0.16, 1.0, 1.2, hair)
    at(0, 0.05, 0.84, 1.06, skin)
    canvas.polygon([(x - 0.86 * size, y - 0.3 * size), (x - 0.5 * size, y - 1.1 * size), (x + 0.5 * size, y - 1.15 * size),
                    (x + 0.87 * size, y - 0.25 * size), (x + 0.3 * size, y - 0.62 * size)], hair)
    for side in (-1, 1):
        at(0.34 * side, 0.02, 0.15, 0.1, (250, 250, 250))
        at(0.34 * side, 0.02, 0.08, 0.09, eyes)
        canvas.arc(x + 0.34 * side * size, y - 0.12 * size, 0.2 * size, 0.14 * size, 200, 340, hair, 0.06 * size)
        at(0.5 * side, 0.38, 0.14, 0.09, tuple(max(0, part - shade) for part, shade in zip(skin, (0, 28, 24))))
    canvas.arc(x, y + 0.2 * size, 0.12 * size, 0.14 * size, 20, 160, tuple(int(0.75 * part) for part in skin), 0.05 * size)
    canvas.arc(x, y + 0.42 * size, 0.34 * size, 0.28 * size, 20, 160, (150, 60, 60), 0.08 * size)
    return round(x - 1.05 * size), round(y - 1.35 * size), round(2.1 * size), round(2.6 * size)


PEOPLE = [
    # x, y, size, coat, hair, skin, distance in metres
    (110, 165, 22, (92, 112, 70), (120, 84, 50), (238, 200, 172), 9.0),
    (222, 150, 34, (196, 82, 62), (40, 30, 28), (206, 154, 118), 4.0),
    (338, 182, 50, (58, 84, 132), (92, 62, 40), (244, 208, 180), 2.0),
]


def group(size=(420, 300)):
    """Returns a picture of three people, the rectangles of their faces, and the distance of each pixel in metres."""
    canvas = Canvas(sample("photo", size))
    distance = numpy.full(size[::-1], 60.0, numpy.float32)
    # The lake lies between the people and the mountains.
    shore = round(0.62 * size[1])
    distance[shore:] = numpy.linspace(40, 6, size[1] - shore)[:, None]
    faces = []
    for x, y, scale, coat, hair, skin, metres in PEOPLE:
        faces.append(person(canvas, x, y, scale, coat, hair, skin))
        alone = Canvas(numpy.zeros((*size[::-1], 3), numpy.uint8))
        person(alone, x, y, scale, *[(255,) * 3] * 4)
        distance[alone.array()[..., 0] > 60] = metres
    return canvas.array(), faces, distance


def car(size=(420, 300)):
    """Returns a picture of a car from behind, and the rectangle of its number plate."""
    canvas = Canvas(sample("photo", size))
    canvas.polygon([(0, 300), (120, 178), (300, 178), (420, 300)], (92, 94, 100))
    canvas.polygon([(206, 178), (214, 178), (224, 300), (196, 300)], (226, 226, 220))
    canvas.ellipse(210, 262, 122, 12, (58, 60, 66))
    for x in (112, 272):
        canvas.box(x, 226, x + 36, 266, (30, 30, 34), 8)
    canvas.box(96, 160, 324, 250, (172, 40, 48), 24)
    canvas.polygon([(128, 168), (152, 104), (268, 104), (292, 168)], (152, 32, 42))
    canvas.polygon([(142, 160), (160, 114), (260, 114), (278, 160)], (150, 180, 200))
    canvas.polygon([(150, 160), (168, 114), (196, 114), (176, 160)], (178, 204, 220))
    for x in (106, 278):
        canvas.box(x, 180, x + 36, 202, (250, 90, 70), 6)
        canvas.box(x + 5, 186, x + 31, 196, (255, 190, 160), 4)
    plate = (158, 208, 104, 26)
    canvas.box(158, 208, 262, 234, (246, 246, 240), 4)
    canvas.box(158, 208, 172, 234, (30, 70, 160), 4)
    canvas.text(218, 221, "FR 0571 ST", 15, (20, 20, 24))
    return canvas.array(), plate


def walk(frames=24, size=(420, 300)):
    """Yields the frames of a film: a person walks past a lake."""
    background = sample("photo", size)
    for frame in range(frames):
        canvas = Canvas(background)
        step = frame / (frames - 1)
        person(canvas, 40 + 340 * step, 190 + 4 * numpy.sin(40 * step), 26, (196, 82, 62), (40, 30, 28), (206, 154, 118))
        yield canvas.array()


def street(size=(420, 300)):
    """Returns a picture of lamps at night, in linear light: a lamp is fifty times as bright as white paper."""
    picture = (sample("photo", size) / 255.0).astype(numpy.float32) ** 2.2 * (0.05, 0.06, 0.12)
    y, x = numpy.mgrid[:size[1], :size[0]]
    for index, (left, top, radius) in enumerate(((70, 110, 5), (150, 130, 4), (215, 142, 3), (340, 96, 6), (285, 128, 4))):
        inside = numpy.clip(radius + 0.5 - numpy.hypot(x - left, y - top), 0, 1)[..., None]
        picture = picture + inside * (50, 30, 12)
        pole = ((abs(x - left) < 1.2) & (y > top + radius) & (y < top + 20 * radius))[..., None]
        picture = numpy.where(pole, 0.004, picture)
    return picture.astype(numpy.float32)


def page(size=(420, 300)):
    """Returns a photograph of a printed page, darker at one side and in the shadow of a hand."""
    canvas = Canvas(numpy.full((size[1], size[0], 3), 250, numpy.uint8))
    canvas.text(112, 30, "The first frost", 24, (25, 25, 35))
    lines = ("Mist lay on the water like a second, paler lake. Along", "the far shore each larch kept its own shape for a while,",
             "then gave it up: first the needles, then the branches,", "and last of all the long dark stroke of the trunk.", "",
             "By noon the sun had found the jetty. The boards dried", "one after another, from the land outwards, and the rope",
             "that held the boat let go of its small white beard.", "", "In the evening there was ice along the reeds, thin as",
             "the glass of a watch, and under it the day went on.")
    for index, line in enumerate(lines):
        canvas.draw.text((SCALE * 24, SCALE * (56 + 20 * index)), line, fill=(40, 40, 50), font=font(SCALE * 14))
    y, x = numpy.mgrid[:size[1], :size[0]].astype(numpy.float32)
    light = 0.95 - 0.5 * x / size[0] - 0.12 * y / size[1]
    shadow = 1 / (1 + numpy.exp((numpy.hypot((x - 330) / 1.4, y - 320) - 170) / 14))
    light = light * (1 - 0.45 * shadow)
    return (canvas.array() * light[..., None] * (1, 0.97, 0.9)).clip(0, 255).astype(numpy.uint8)
