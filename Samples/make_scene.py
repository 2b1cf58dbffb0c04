#!/usr/bin/env python3
"""Makes scene.png, a desktop with text, gradients, hard edges, one-pixel detail and soft transparency.

Needs numpy, scipy, Pillow and the fonts of Debian's fonts-inter. Every run gives the same output.
"""

import math
import sys
from pathlib import Path

sys.dont_write_bytecode = True

import numpy as np
from PIL import Image, ImageChops, ImageDraw, ImageFilter, ImageFont

import landscape

WIDTH, HEIGHT = 1280, 800
SCALE = 2                       # the picture is drawn this many times as large, then averaged
INSET, CORNER = 34, 30          # margin around the desktop and its corner radius, in finished pixels
FONTS = Path("/usr/share/fonts/opentype/inter")


def font(style, size):
    return ImageFont.truetype(str(FONTS / f"{style}.otf"), round(size * SCALE))


def px(*values):
    return [round(value * SCALE) for value in values]


class Canvas:
    """An RGBA picture, addressed in pixels of the finished picture."""

    def __init__(self, image):
        self.image = image

    def mask(self, box, radius):
        mask = Image.new("L", self.image.size)
        ImageDraw.Draw(mask).rounded_rectangle(px(*box), px(radius)[0], fill=255)
        return mask

    def layer(self, draw):
        """Paints on an empty layer with `draw` and composites the layer, so that translucent colours blend."""
        layer = Image.new("RGBA", self.image.size)
        draw(ImageDraw.Draw(layer))
        self.image.alpha_composite(layer)

    def shadow(self, box, radius, blur, drop, strength):
        x0, y0, x1, y1 = box
        mask = self.mask((x0, y0 + drop, x1, y1 + drop), radius).filter(ImageFilter.GaussianBlur(blur * SCALE))
        mask = mask.point(lambda value: round(value * strength))
        self.image.alpha_composite(Image.merge("RGBA", [Image.new("L", mask.size)] * 3 + [mask]))

    def fill(self, box, radius, top, bottom=None):
        """Draws a rounded rectangle with a vertical gradient of RGBA colours."""
        bottom = bottom or top
        x0, y0, x1, y1 = px(*box)
        t = np.linspace(0, 1, max(1, y1 - y0))[:, None, None]
        column = np.array(top) * (1 - t) + np.array(bottom) * t
        patch = Image.fromarray(np.round(np.repeat(column, max(1, x1 - x0), 1)).astype(np.uint8), "RGBA")
        layer = Image.new("RGBA", self.image.size)
        layer.paste(patch, (x0, y0))
        layer.putalpha(ImageChops.multiply(layer.getchannel("A"), self.mask(box, radius)))
        self.image.alpha_composite(layer)

    def glass(self, box, radius, tint, blur=18):
        """Draws a frosted panel: the blurred and tinted picture beneath it, with a bright rim."""
        self.shadow(box, radius, 14, 8, 0.30)
        beneath = self.image.filter(ImageFilter.GaussianBlur(blur * SCALE))
        self.image.paste(beneath, (0, 0), self.mask(box, radius))
        self.fill(box, radius, tint)
        self.layer(lambda d: d.rounded_rectangle(px(*box), px(radius)[0], outline=(255, 255, 255, 70), width=SCALE))

    def text(self, place, words, style, size, colour=(255, 255, 255, 255), anchor="la"):
        self.layer(lambda d: d.text(px(*place), words, font=font(style, size), fill=colour, anchor=anchor))


def sun(draw, x, y, radius, colour):
    draw.ellipse(px(x - radius, y - radius, x + radius, y + radius), fill=colour)


def cloud(draw, x, y, size, colour):
    for dx, dy, r in ((-0.62, 0.12, 0.38), (-0.12, -0.20, 0.52), (0.50, 0.08, 0.42)):
        draw.ellipse(px(x + (dx - r) * size, y + (dy - r) * size, x + (dx + r) * size, y + (dy + r) * size), fill=colour)
    draw.rounded_rectangle(px(x - size, y + 0.02 * size, x + 0.92 * size, y + 0.5 * size), px(0.24 * size)[0], fill=colour)


def menu_bar(canvas, x0, y0, x1):
    canvas.layer(lambda d: d.rectangle(px(x0, y0, x1, y0 + 28), fill=(20, 12, 40, 70)))
    canvas.text((x0 + 24, y0 + 14), "Frost", "Inter-Bold", 13, anchor="lm")
    for x, word in ((76, "File"), (116, "Edit"), (158, "View"), (204, "Window"), (268, "Help")):
        canvas.text((x0 + x, y0 + 14), word, "Inter-Medium", 13, anchor="lm")
    canvas.text((x1 - 24, y0 + 14), "Sat 14 Nov   18:42", "Inter-Medium", 13, anchor="rm")

    def signs(d):
        for bar in range(4):
            left = x1 - 206 + bar * 5
            d.rectangle(px(left, y0 + 18 - 3 * bar, left + 3, y0 + 20), fill=(255, 255, 255, 255))
        d.rounded_rectangle(px(x1 - 178, y0 + 8, x1 - 154, y0 + 20), px(3)[0], outline=(255, 255, 255, 255), width=SCALE)
        d.rectangle(px(x1 - 175, y0 + 11, x1 - 161, y0 + 17), fill=(255, 255, 255, 255))
    canvas.layer(signs)


def weather(canvas, box):
    x0, y0, x1, _ = box
    canvas.glass(box, 22, (40, 30, 110, 120))
    canvas.text((x0 + 20, y0 + 18), "Silver Lake", "Inter-SemiBold", 15)
    canvas.text((x0 + 17, y0 + 36), "7°", "InterDisplay-Light", 60)
    canvas.layer(lambda d: (sun(d, x1 - 48, y0 + 44, 20, (255, 204, 92, 255)), cloud(d, x1 - 62, y0 + 64, 26, (255, 255, 255, 240))))
    canvas.text((x1 - 20, y0 + 92), "Partly cloudy", "Inter-Medium", 12, (255, 255, 255, 215), "ra")
    canvas.layer(lambda d: d.line(px(x0 + 20, y0 + 119, x1 - 20, y0 + 119), fill=(255, 255, 255, 80), width=SCALE))
    step = (x1 - x0 - 60) / 4
    for index, (hour, degrees) in enumerate((("19", "6°"), ("20", "5°"), ("21", "3°"), ("22", "2°"), ("23", "1°"))):
        x = x0 + 30 + step * index
        canvas.text((x, y0 + 130), hour, "Inter-Medium", 11, (255, 255, 255, 190), "ma")
        if index < 2:
            canvas.layer(lambda d, x=x: cloud(d, x, y0 + 158, 8, (255, 255, 255, 255)))
        else:
            canvas.layer(lambda d, x=x: sun(d, x, y0 + 158, 6, (226, 222, 255, 255)))
        canvas.text((x, y0 + 172), degrees, "Inter-SemiBold", 12, anchor="ma")


def calendar(canvas, box):
    x0, y0, x1, y1 = box
    canvas.shadow(box, 22, 14, 8, 0.30)
    canvas.fill(box, 22, (255, 255, 255, 246), (244, 243, 250, 246))
    canvas.text((x0 + 20, y0 + 16), "NOVEMBER", "Inter-Bold", 12, (232, 62, 80, 255))
    step = (x1 - x0 - 40) / 7
    for day in range(7):
        canvas.text((x0 + 20 + step * (day + 0.5), y0 + 40), "MTWTFSS"[day], "Inter-SemiBold", 10, (140, 138, 152, 255), "ma")
    for day in range(1, 31):
        column, row = (day + 5) % 7, (day + 5) // 7
        x, y = x0 + 20 + step * (column + 0.5), y0 + 67 + 22.5 * row
        if day == 14:
            canvas.layer(lambda d, x=x, y=y: sun(d, x, y, 11, (232, 62, 80, 255)))
        ink = (255, 255, 255, 255) if day == 14 else (150, 148, 160, 255) if column > 4 else (34, 32, 44, 255)
        canvas.text((x, y), str(day), "Inter-Medium", 12, ink, "mm")


STORY = """Mist lay on the water like a second, paler lake. Along
the far shore each larch kept its own shape for a while,
then gave it up: first the needles, then the branches,
and last of all the long dark stroke of the trunk."""

SMALL = """Every blur is an average, and every average forgets. What it keeps is the light.
Set in eight-point type, so that the smallest radius has something to take away."""


def article(canvas, box):
    x0, y0, x1, y1 = box
    canvas.shadow(box, 14, 22, 16, 0.42)
    canvas.fill(box, 14, (253, 252, 255, 255))
    canvas.fill((x0, y0, x1, y0 + 38), 14, (238, 236, 243, 255), (229, 227, 236, 255))
    canvas.layer(lambda d: d.rectangle(px(x0, y0 + 26, x1 - 0.5, y0 + 38), fill=(229, 227, 236, 255)))
    canvas.layer(lambda d: d.line(px(x0, y0 + 38, x1 - 0.5, y0 + 38), fill=(204, 201, 214, 255), width=SCALE))
    for index, colour in enumerate(((255, 95, 87, 255), (254, 188, 46, 255), (40, 200, 64, 255))):
        canvas.layer(lambda d: sun(d, x0 + 21 + 20 * index, y0 + 19, 6, colour))
    canvas.text(((x0 + x1) / 2, y0 + 19), "first-frost.txt", "Inter-SemiBold", 13, (70, 67, 82, 255), "mm")
    canvas.text((x0 + 30, y0 + 58), "The first frost", "InterDisplay-Bold", 34, (28, 24, 40, 255))
    canvas.text((x0 + 31, y0 + 105), "A walk around Silver Lake, in four seasons", "Inter-Medium", 13, (124, 96, 190, 255))
    for line, words in enumerate(STORY.split("\n")):
        canvas.text((x0 + 30, y0 + 136 + 23 * line), words, "Inter-Regular", 15, (48, 45, 60, 255))
    for line, words in enumerate(SMALL.split("\n")):
        canvas.text((x0 + 30, y0 + 240 + 13 * line), words, "Inter-Regular", 8, (110, 107, 122, 255))

    # The chart has saturated bars with hard edges over a grid of one-pixel lines.
    left, top, right, bottom = x0 + 30, y0 + 288, x0 + 236, y1 - 30

    def chart(d):
        for line in range(6):
            y = top + (bottom - top) * line / 5
            d.line(px(left, y, right, y), fill=(222, 219, 232, 255), width=SCALE)
        colours = ((255, 94, 98), (255, 149, 79), (255, 205, 86), (84, 201, 136), (67, 169, 240), (134, 104, 240))
        for bar in range(14):
            tall = 0.25 + 0.70 * abs(math.sin(0.45 + bar * 0.39)) * (0.75 + 0.25 * math.cos(bar * 1.7))
            x = left + 6 + bar * 14.2
            d.rectangle(px(x, bottom - (bottom - top) * tall, x + 9, bottom), fill=colours[bar * 6 // 14] + (255,))
    canvas.layer(chart)

    # A zone plate, a checkerboard and a wedge of bars give detail down to one pixel.
    ink, paper = (28, 24, 40), (253, 252, 255)
    side = round(bottom - top)
    y, x = np.mgrid[0:side * SCALE, 0:side * SCALE] / (side * SCALE) - 0.5
    rings = np.round(127.5 + 127.5 * np.cos(math.pi * (x * x + y * y) * side)).astype(np.uint8)
    plate_x = right + 16
    canvas.image.paste(Image.fromarray(rings).convert("RGBA"), px(plate_x, top))

    def patch(pattern, x, y):
        """Pastes a pattern in which each element is one finished pixel; 1 is ink, 0 is paper."""
        pixels = np.where(np.kron(pattern, np.ones((SCALE, SCALE)))[..., None] > 0, ink, paper)
        canvas.image.paste(Image.fromarray(pixels.astype(np.uint8)).convert("RGBA"), px(x, y))

    patch_x = plate_x + side + 16
    width = round(x1 - 30 - patch_x)
    half = (side - 8) // 2
    patch((np.indices((half, width)) // 2).sum(0) % 2, patch_x, top)
    wedge = np.concatenate([np.repeat([1, 0], bar) for bar in (1, 1, 1, 1, 2, 2, 2, 3, 3, 4, 5, 6, 8)])[:width]
    wedge = np.pad(wedge, (0, width - len(wedge)))
    patch(np.repeat(wedge[None], half, 0), patch_x, top + side - half)


def player(canvas, box, cover):
    x0, y0, x1, y1 = box
    canvas.glass(box, 22, (255, 255, 255, 60))
    art = (x0 + 16, y0 + 16, x1 - 16, y0 + 16 + (x1 - x0 - 32) * 0.86)
    picture = cover.resize(px(art[2] - art[0], art[3] - art[1]), Image.Resampling.LANCZOS)
    layer = Image.new("RGBA", canvas.image.size)
    layer.paste(picture, px(art[0], art[1]))
    canvas.image.paste(layer, (0, 0), canvas.mask(art, 12))
    canvas.text((x0 + 16, art[3] + 14), "Glass Weather", "Inter-Bold", 16)
    canvas.text((x0 + 16, art[3] + 36), "The Separable Filters", "Inter-Medium", 12, (255, 255, 255, 205))
    track = art[3] + 66
    canvas.fill((x0 + 16, track, x1 - 16, track + 4), 2, (255, 255, 255, 90))
    canvas.fill((x0 + 16, track, x0 + 116, track + 4), 2, (255, 255, 255, 255))
    canvas.layer(lambda d: sun(d, x0 + 116, track + 2, 6, (255, 255, 255, 255)))
    canvas.text((x0 + 16, track + 12), "1:24", "Inter-Medium", 10, (255, 255, 255, 200))
    canvas.text((x1 - 16, track + 12), "-2:08", "Inter-Medium", 10, (255, 255, 255, 200), "ra")
    middle, row = (x0 + x1) / 2, track + 46

    def buttons(d):
        white = (255, 255, 255, 255)
        d.rectangle(px(middle - 9, row - 12, middle - 3, row + 12), fill=white)
        d.rectangle(px(middle + 3, row - 12, middle + 9, row + 12), fill=white)
        for sign in (-1, 1):
            for start in (40, 53):
                d.polygon(px(middle + sign * start, row - 9, middle + sign * (start + 13), row, middle + sign * start, row + 9), fill=white)
    canvas.layer(buttons)


def glyphs():
    """Returns the dock's icons: two gradient colours and a function that draws the symbol around a centre."""
    white = (255, 255, 255, 255)

    def compass(d, x, y):
        sun(d, x, y, 20, white)
        sun(d, x, y, 17, (52, 140, 245, 255))
        d.polygon(px(x + 10, y - 10, x + 3, y + 3, x - 3, y - 3), fill=(255, 82, 82, 255))
        d.polygon(px(x - 10, y + 10, x - 3, y - 3, x + 3, y + 3), fill=white)

    def letter(d, x, y):
        d.rounded_rectangle(px(x - 19, y - 13, x + 19, y + 13), px(3)[0], fill=white)
        d.line(px(x - 17, y - 11, x, y + 3, x + 17, y - 11), fill=(60, 150, 245, 255), width=px(2.5)[0], joint="curve")

    def petals(d, x, y):
        colours = ((255, 178, 0), (255, 106, 0), (240, 50, 90), (190, 70, 210), (90, 100, 230), (40, 160, 240), (40, 190, 130), (150, 205, 40))
        for index, colour in enumerate(colours):
            angle = index * math.pi / 4
            sun(d, x + 11 * math.sin(angle), y - 11 * math.cos(angle), 8, colour + (225,))

    def note(d, x, y):
        sun(d, x - 9, y + 11, 6, white)
        sun(d, x + 10, y + 8, 6, white)
        d.polygon(px(x - 6, y - 14, x + 16, y - 18, x + 16, y - 12, x - 6, y - 8), fill=white)
        d.rectangle(px(x - 6, y - 12, x - 3, y + 11), fill=white)
        d.rectangle(px(x + 13, y - 16, x + 16, y + 8), fill=white)

    def lens(d, x, y):
        d.rounded_rectangle(px(x - 19, y - 11, x + 19, y + 14), px(5)[0], fill=(50, 50, 58, 255))
        d.polygon(px(x - 8, y - 11, x - 5, y - 16, x + 5, y - 16, x + 8, y - 11), fill=(50, 50, 58, 255))
        for radius, colour in ((9.5, (236, 236, 240, 255)), (7.5, (50, 50, 58, 255)), (5, (84, 130, 230, 255)), (2, white)):
            sun(d, x, y + 1, radius, colour)

    def prompt(d, x, y):
        d.line(px(x - 15, y - 9, x - 5, y, x - 15, y + 9), fill=(120, 240, 150, 255), width=px(3)[0], joint="curve")
        d.rectangle(px(x, y + 7, x + 14, y + 10), fill=white)

    def flake(d, x, y):
        for spoke in range(6):
            angle = spoke * math.pi / 3
            c, s = math.sin(angle), -math.cos(angle)
            d.line(px(x, y, x + 20 * c, y + 20 * s), fill=white, width=px(2.5)[0])
            for side in (-1, 1):
                turn = angle + side * math.pi / 4
                d.line(px(x + 11 * c, y + 11 * s, x + 11 * c + 7 * math.sin(turn), y + 11 * s - 7 * math.cos(turn)), fill=white, width=px(2)[0])

    def pages(d, x, y):
        for row, width in enumerate((26, 26, 20, 26, 14)):
            d.rectangle(px(x - 13, y - 9 + 6 * row, x - 13 + width, y - 7.5 + 6 * row), fill=(150, 146, 140, 255))

    return (
        ((120, 190, 255), (30, 105, 235), flake), ((245, 246, 250), (214, 216, 226), compass), ((90, 205, 255), (25, 120, 240), letter),
        ((255, 255, 255), (238, 238, 242), petals), ((255, 100, 130), (240, 35, 70), note), ((222, 223, 230), (168, 170, 182), lens),
        ((60, 60, 72), (22, 22, 30), prompt), ((255, 222, 90), (255, 250, 232), pages),
    )


def dock(canvas, middle, y1):
    icons = glyphs()
    size, gap = 56, 14
    width = len(icons) * (size + gap) + gap
    box = (middle - width / 2, y1 - size - 24, middle + width / 2, y1)
    canvas.glass(box, 24, (255, 255, 255, 75))
    for index, (top, bottom, draw) in enumerate(icons):
        x, y = box[0] + gap + index * (size + gap), box[1] + 12
        canvas.shadow((x, y, x + size, y + size), 13, 3, 2, 0.30)
        canvas.fill((x, y, x + size, y + size), 13, top + (255,), bottom + (255,))
        canvas.layer(lambda d, draw=draw, x=x, y=y: draw(d, x + size / 2, y + size / 2))
        if index in (0, 6):
            canvas.layer(lambda d, x=x: sun(d, x + size / 2, y1 - 6, 2, (255, 255, 255, 230)))


def eight_bit(linear):
    return Image.fromarray(np.round(np.clip(landscape.develop(linear), 0, 1) * 255).astype(np.uint8)).convert("RGBA")


def main():
    x0, y0, x1, y1 = INSET, INSET - 10, WIDTH - INSET, HEIGHT - INSET - 10
    wallpaper = landscape.render((x1 - x0) * SCALE, (y1 - y0) * SCALE, seed=12, palette=landscape.DUSK, scale=1)
    desktop = Image.new("RGBA", (WIDTH * SCALE, HEIGHT * SCALE))
    desktop.paste(eight_bit(wallpaper * 0.62), px(x0, y0))
    canvas = Canvas(desktop)
    menu_bar(canvas, x0, y0, x1)
    weather(canvas, (x0 + 30, y0 + 54, x0 + 282, y0 + 254))
    calendar(canvas, (x0 + 30, y0 + 278, x0 + 282, y0 + 482))
    article(canvas, (x0 + 318, y0 + 62, x0 + 812, y0 + 510))
    cover = eight_bit(landscape.render(512, 440, seed=11, palette=landscape.DAY))
    player(canvas, (x1 - 364, y0 + 54, x1 - 30, y0 + 482), cover)
    dock(canvas, (x0 + x1) / 2, y1 - 18)

    # The desktop has rounded corners and a shadow, on a transparent background.
    picture = Canvas(Image.new("RGBA", desktop.size))
    picture.shadow((x0, y0, x1, y1), CORNER, 11, 11, 0.55)
    shape = picture.mask((x0, y0, x1, y1), CORNER)
    desktop.putalpha(ImageChops.multiply(desktop.getchannel("A"), shape))
    picture.image.alpha_composite(desktop)

    # The average is taken in premultiplied colour, so that transparent pixels do not change the colours of the corners.
    pixels = np.asarray(picture.image, dtype=float)
    alpha = pixels[..., 3:] / 255
    premultiplied = np.concatenate([pixels[..., :3] * alpha, alpha], -1)
    premultiplied = premultiplied.reshape(HEIGHT, SCALE, WIDTH, SCALE, 4).mean((1, 3))
    alpha = np.round(premultiplied[..., 3:] * 255) / 255
    straight = np.where(alpha > 0, premultiplied[..., :3] / np.maximum(alpha, 1e-6), 0)
    result = np.concatenate([np.clip(straight, 0, 255), alpha * 255], -1)
    Image.fromarray(np.round(result).astype(np.uint8), "RGBA").save(Path(__file__).with_name("scene.png"), optimize=True)


if __name__ == "__main__":
    main()
