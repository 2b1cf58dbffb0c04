"""Draws the page that `frost effects --sheet` writes as one picture, for documents."""

import base64
import io
from html.parser import HTMLParser

from PIL import Image, ImageDraw, ImageFont

COLUMNS, COLUMN, MARGIN, GAP = 5, 256, 56, 24
BACKGROUND, INK, FAINT, RULE = "#fbfbfc", "#1c1c1f", "#6e6e73", "#dbdbe0"


class Page(HTMLParser):
    """The title and the sections of a page. A section is its heading and its cells, each with picture, name and summary."""

    def __init__(self, text):
        super().__init__()
        self.title, self.sections, self.tag = "", [], ""
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tag = tag
        if tag == "section":
            self.sections.append(["", []])
        elif tag == "img":
            png = base64.b64decode(dict(attributes)["src"].split(",", 1)[1])
            self.sections[-1][1].append([Image.open(io.BytesIO(png)).convert("RGBA"), "", ""])

    def handle_endtag(self, tag):
        self.tag = "figcaption" if tag == "b" else ""

    def handle_data(self, text):
        if self.tag == "h1":
            self.title += text
        elif self.tag == "h2":
            self.sections[-1][0] += text
        elif self.tag in ("b", "figcaption"):
            self.sections[-1][1][-1][1 if self.tag == "b" else 2] += text.strip()


def lines(text, font):
    """Divides a text into lines that are at most as wide as a column. Lines break at spaces, and in names at hyphens."""
    found = [""]
    for word in text.replace("-", "-\0").replace(" ", " \0").split("\0"):
        if found[-1] and font.getlength((found[-1] + word).rstrip()) > COLUMN:
            found.append("")
        found[-1] += word
    return found


def place(sheet, cell, x, y):
    """Draws a cell, and returns its height."""
    picture, name, summary = cell
    mask = Image.new("L", (4 * picture.width, 4 * picture.height))
    ImageDraw.Draw(mask).rounded_rectangle((0, 0, 4 * picture.width - 1, 4 * picture.height - 1), 40, fill=255)
    under = Image.new("RGBA", picture.size, BACKGROUND)
    under.alpha_composite(picture)
    sheet.paste(under, (x, y), mask.resize(picture.size, Image.Resampling.LANCZOS))
    draw, bottom = ImageDraw.Draw(sheet), y + picture.height + 6
    for text, size, ink, height in [(name, 15, INK, 20), (summary, 13, FAINT, 17)]:
        font = ImageFont.load_default(size)
        for line in lines(text, font) if text else []:
            bottom += height
            draw.text((x, bottom - 4), line, fill=ink, font=font, anchor="ls")
    return bottom - y


def draw(text, has_headings):
    """Returns the picture of a page. Without headings, it has only the cells of the chosen effects."""
    page = Page(text)
    original, sections = page.sections[0][1][0], page.sections[1:]
    width = 2 * MARGIN + COLUMNS * COLUMN + (COLUMNS - 1) * GAP
    sheet = Image.new("RGB", (width, 20000), BACKGROUND)
    draw, top = ImageDraw.Draw(sheet), MARGIN
    if has_headings:
        draw.text((MARGIN, top + 44), "Frost", fill=INK, font=ImageFont.load_default(44), anchor="ls")
        draw.text((MARGIN, top + 80), page.title, fill=FAINT, font=ImageFont.load_default(17), anchor="ls")
        top += place(sheet, original, width - MARGIN - COLUMN, top) + GAP
    for heading, cells in sections:
        if has_headings:
            draw.line((MARGIN, top, width - MARGIN, top), fill=RULE)
            draw.text((MARGIN, top + 42), heading, fill=INK, font=ImageFont.load_default(23), anchor="ls")
            top += 68
        for first in range(0, len(cells), COLUMNS):
            top += GAP + max(place(sheet, cell, MARGIN + column * (COLUMN + GAP), top)
                             for column, cell in enumerate(cells[first:first + COLUMNS]))
    return sheet.crop((0, 0, width, top - GAP + MARGIN))
