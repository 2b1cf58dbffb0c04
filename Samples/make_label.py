#!/usr/bin/env python3
"""Makes label.png, the content of a panel in black with alpha: a title, a line of text and a symbol.

Needs Pillow and the fonts of Debian's fonts-inter. Every run gives the same output.
"""

from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

WIDTH, HEIGHT = 260, 84
FONTS = Path("/usr/share/fonts/opentype/inter")


def main():
    picture = Image.new("RGBA", (WIDTH, HEIGHT))
    draw = ImageDraw.Draw(picture)

    def text(x, y, words, style, size):
        draw.text((x, y), words, font=ImageFont.truetype(str(FONTS / f"{style}.otf"), size), fill=(0, 0, 0, 255))

    text(84, 12, "Silver Lake", "Inter-SemiBold", 28)
    text(84, 47, "Partly cloudy, 7°", "Inter-Regular", 19)
    draw.rounded_rectangle((14, 12, 70, 68), 14, fill=(0, 0, 0, 255))
    draw.ellipse((30, 28, 54, 52), fill=(0, 0, 0, 0))
    picture.save(Path(__file__).with_name("label.png"), optimize=True)


main()
