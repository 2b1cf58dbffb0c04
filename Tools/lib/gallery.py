"""Makes the pictures and the page of docs/Gallery.md. Run by Tools/gallery."""

import argparse
import inspect
import textwrap
from pathlib import Path

import numpy
from PIL import Image

import gallery_pictures as drawn
import gallery_recipes as recipes

GAP = 8
HEAD = """# Gallery

Recipes for the [Python package](Embedding-Python.md), written by `Tools/gallery`. They need these imports, and arrays
of RGB values.

```python
import cv2, frost, numpy
from PIL import Image, ImageDraw, ImageFont
```
"""


def beside(*pictures):
    """Returns pictures side by side, with white between them."""
    gap = numpy.full((pictures[0].shape[0], GAP, 3), 255, numpy.uint8)
    parts = [pictures[0]]
    for picture in pictures[1:]:
        parts += [gap, picture]
    return numpy.hstack(parts)


def shown(light):
    """Returns a picture in linear light as a screen shows it."""
    return (255 * numpy.clip(light, 0, 1) ** (1 / 2.2)).astype(numpy.uint8)


def made():
    """Yields the recipes, with the picture of each."""
    size = (420, 300)
    photo, scene = drawn.sample("photo", size), drawn.sample("scene", size)
    group, faces, metres = drawn.group(size)
    yield recipes.faces, beside(group, recipes.faces(group, faces))
    car, plate = drawn.car(size)
    # With a known seed, the picture is the same in every run.
    yield recipes.plates, beside(car, recipes.plates(car, plate, seed=5))
    before, after = list(drawn.walk(24, size)), list(recipes.video([photo, *drawn.walk(24, size)]))[1:]
    pairs = [numpy.vstack([before[n][100:], after[n][100:]]) for n in (3, 11, 19)]
    yield recipes.video, beside(*(numpy.asarray(Image.fromarray(pair).resize((280, 267), Image.Resampling.LANCZOS)) for pair in pairs))
    depth = (255 * numpy.clip(1.8 / metres, 0, 1)).astype(numpy.uint8)[..., None].repeat(3, 2)
    small = [numpy.asarray(Image.fromarray(each).resize((280, 200), Image.Resampling.LANCZOS)) for each in (group, depth)]
    yield recipes.depth_of_field, beside(
        numpy.vstack([small[0], small[1]]), numpy.asarray(Image.fromarray(recipes.depth_of_field(group, metres)).resize((560, 400), Image.Resampling.LANCZOS)))
    yield recipes.caption, beside(photo, recipes.caption(photo))
    second = drawn.sample("scene", (168, 120))
    yield recipes.film, recipes.film(drawn.sample("photo", (168, 120)), second)
    yield recipes.miniature, beside(photo, recipes.miniature(photo))
    yield recipes.header, beside(scene, recipes.header(scene))
    street = drawn.street(size)
    yield recipes.glow, beside(shown(street), recipes.glow(street))
    page = drawn.page(size)
    yield recipes.even_light, beside(page, recipes.even_light(page))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("docs", type=Path, help="the folder of the page")
    docs = parser.parse_args().docs
    pictures = docs / "images" / "gallery"
    pictures.mkdir(parents=True, exist_ok=True)
    text = HEAD
    for recipe, picture in made():
        name = recipe.__name__.replace("_", "-")
        Image.fromarray(picture).save(pictures / f"{name}.webp", quality=82, method=6)
        heading, _, about = inspect.getdoc(recipe).partition("\n\n")
        source = inspect.getsource(recipe)
        start, rest = source.split('"""', 1)
        code = start.rstrip() + "\n" + rest.split('"""', 1)[1].lstrip("\n").rstrip() + "\n"
        text += f"\n## {heading}\n\n{about}\n\n![{heading}](images/gallery/{name}.webp)\n\n```python\n{textwrap.dedent(code)}```\n"
    (docs / "Gallery.md").write_text(text)


if __name__ == "__main__":
    main()
