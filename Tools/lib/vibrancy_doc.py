"""Measures the contrast of vibrant labels, and formats a table of it. Tools/effects-doc uses this module."""

import random
import subprocess
import tempfile
from pathlib import Path

import png8

WIDTH, HEIGHT = 90, 60
STYLES = ["blur-extra-light", "blur-dark", "blur-prominent", "blur-prominent --appearance dark",
          "blur-regular --appearance dark"] + [
    f"material-{thickness}-{look}" for thickness in ["regular", "thick", "chrome"] for look in ["light", "dark"]]
THIN = ["blur-light", "blur-regular"] + [
    f"material-{thickness}-{look}" for thickness in ["ultra-thin", "thin"] for look in ["light", "dark"]]
# The styles for a picture of labels.
SHOWN = ["blur-extra-light", "blur-dark", "material-regular-light", "material-chrome-dark"]
KINDS = ["label", "secondary-label", "separator", "fill", None]
# The kinds of the table.
MEASURED = ["label", "secondary-label", "system"]


# --- Backdrops ---------------------------------------------------------------------------------------

def hue(x, y):
    return [255 * y * min(max(abs((6 * x + shift) % 6 - 3) - 1, 0), 1) for shift in (0, 4, 2)]


def backdrops(root):
    """Returns twenty very different backdrops, as {name: function of x and y in 0...1 that returns red, green and blue}."""
    noise = random.Random(1)
    flat = {"black": "000", "white": "fff", "mid grey": "888", "red": "f00", "green": "0f0", "blue": "00f",
            "yellow": "ff0", "cyan": "0ff", "magenta": "f0f"}
    found = {name: lambda x, y, digits=digits: [17 * int(digit, 16) for digit in digits]
             for name, digits in flat.items()}

    def photograph(name, left, top):
        width, height, count, rows = png8.read(root / "Samples" / name)

        def at(x, y):
            column, row = int((left + x / 2) * width), int((top + y / 2) * height)
            return list(rows[row][column * count:column * count + 3])
        return at

    found["a photograph's sky"] = photograph("photo.png", 0.2, 0)
    found["a photograph's shore"] = photograph("photo.png", 0.4, 0.5)
    found["a desktop with windows"] = photograph("scene.png", 0.05, 0.05)
    found["a desktop's dock"] = photograph("scene.png", 0.25, 0.48)
    found["black to white"] = lambda x, y: [255 * x] * 3
    found["blue to orange"] = lambda x, y: [255 * x, 128 * x, 255 * (1 - x)]
    found["every hue"] = hue
    found["coloured noise"] = lambda x, y: [noise.randrange(256) for _ in range(3)]
    found["noise of black and white"] = lambda x, y: [255 * noise.randrange(2)] * 3
    found["checks of one pixel"] = lambda x, y: [255 * ((int(x * WIDTH) + int(y * HEIGHT)) % 2)] * 3
    found["lines of text"] = lambda x, y: [20 if int(y * HEIGHT) % 7 < 4 and int(x * WIDTH) % 5 < 3 else 255] * 3
    assert len(found) == 20
    return found


# --- Contrast ----------------------------------------------------------------------------------------

LINEAR = [c / 255 / 12.92 if c <= 0.04045 * 255 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in range(256)]


def luminances(path):
    _, _, _, rows = png8.read(path)
    return [0.2126 * LINEAR[row[i]] + 0.7152 * LINEAR[row[i + 1]] + 0.0722 * LINEAR[row[i + 2]]
            for row in rows for i in range(0, len(row), 3)]


def contrast(first, second):
    return min((max(a, b) + 0.05) / (min(a, b) + 0.05) for a, b in zip(first, second))


def measure(frost, root):
    """Returns {(style, kind): [(contrast, backdrop), ...]}. Each list begins with the backdrop of the lowest contrast."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        names = []
        for number, (backdrop, color) in enumerate(backdrops(root).items()):
            rows = [bytes(round(c) for x in range(WIDTH) for c in color((x + 0.5) / WIDTH, (y + 0.5) / HEIGHT))
                    for y in range(HEIGHT)]
            png8.write(folder / f"{number}.png", WIDTH, 3, rows)
            names.append(backdrop)
        # The label is a single opaque pixel, which is stretched to cover everything.
        png8.write(folder / "label.png", 1, 4, [b"\0\0\0\xff"])
        inputs = [folder / f"{number}.png" for number in range(len(names))]
        found = {}
        for style in STYLES + THIN:
            content = ["--content", folder / "label.png", "--content-mode", "scale-to-fill", "--vibrancy"]
            for out, more in [("plain", [])] + [(kind, content + [kind]) for kind in MEASURED]:
                subprocess.run([frost, "effect", *style.split(), *inputs, "-o", f"{folder}/{{stem}}-{out}.png", "--force",
                                "--no-dither", "--backend", "cpu", "--quiet", *more], check=True)
            plain = [luminances(folder / f"{number}-plain.png") for number in range(len(names))]
            for kind in MEASURED:
                found[style, kind] = sorted(
                    (contrast(plain[number], luminances(folder / f"{number}-{kind}.png")), backdrop)
                    for number, backdrop in enumerate(names))
        return found


def table(frost, root):
    found = measure(frost, root)
    lines = []
    for styles, heading in [(STYLES, "style"), (THIN, "thin style")]:
        lines += [f"| {heading} | `label` | on | median | `secondary-label` | `system` |", "| --- | --- | --- | --- | --- | --- |"]
        for style in styles:
            measured = found[style, "label"]
            least, backdrop = measured[0]
            # The contrast is rounded down, so that 4.5 means at least 4.5.
            shown = [f"{int(ratio * 10) / 10}:1" for ratio in
                     (least, measured[len(measured) // 2][0], found[style, "secondary-label"][0][0],
                      found[style, "system"][0][0])]
            lines.append(f"| `{style}` | {shown[0]} | {backdrop} | {' | '.join(shown[1:])} |")
        lines.append("")
    for kind, promised in (("label", 4.5), ("secondary-label", 3)):
        worst = min(found[style, kind][0][0] for style in STYLES)
        if worst < promised:
            raise SystemExit(f"the contrast of a {kind} is {worst:.2f}, which is less than {promised}")
    return "\n".join(lines[:-1]) + "\n"
