"""Makes pictures of README.md and of pages in docs: page_pictures.py IMAGES. Run by Tools/gallery."""

import argparse
import os
import subprocess
import tempfile
from pathlib import Path

import cv2
import numpy
from PIL import Image, ImageDraw, ImageFilter

import frost
import gallery_pictures as drawn
import gallery_recipes as recipes
from gallery import GAP, beside

TILE = (300, 200)
ROOT = Path(__file__).resolve().parents[2]


def labelled(picture, words):
    """Returns a picture with words on a dark plate in its lower left corner."""
    image = Image.fromarray(picture)
    draw = ImageDraw.Draw(image)
    left, top, right, bottom = draw.textbbox((10, image.height - 24), words, font=drawn.font(14))
    draw.rounded_rectangle((left - 6, top - 4, right + 6, bottom + 4), 5, fill=(20, 20, 28))
    draw.text((10, image.height - 24), words, fill="white", font=drawn.font(14))
    return numpy.asarray(image)


def outlined(picture, rects, colour, width=2):
    """Returns a picture with rectangles drawn on it."""
    image = Image.fromarray(picture)
    draw = ImageDraw.Draw(image)
    for x, y, across, down in rects:
        draw.rectangle((x, y, x + across - 1, y + down - 1), outline=colour, width=width)
    return numpy.asarray(image)


def pasted(picture, x, y, part):
    result = picture.copy()
    result[y:y + part.shape[0], x:x + part.shape[1]] = part
    return result


def hero():
    """A card of frosted glass with text, blurred faces, and depth of field."""
    scene = numpy.asarray(Image.open(drawn.SAMPLES / "scene.png").convert("RGB"))
    label = numpy.asarray(Image.open(drawn.SAMPLES / "label.png").convert("RGBA"))
    x, y, width, height = 430, 250, 420, 180
    glass = frost.Effect("blur-dark").with_content(label, vibrancy="label", mode="aspect-fit", bounds=(x, y, width, height))
    card = frost.effect(scene, glass.clipped(frost.Shape(x, y, width, height, radius=28, smoothing=0.6)))
    card = Image.fromarray(card[100:600, 290:990]).resize((420, 300), Image.Resampling.LANCZOS)
    group, faces, metres = drawn.group()
    return beside(numpy.asarray(card), recipes.faces(group, faces), recipes.depth_of_field(group, metres))


def sigmas():
    """The same part of a picture for sigmas from 0 to 100."""
    scene = numpy.asarray(Image.open(drawn.SAMPLES / "scene.png").convert("RGB"))
    parts = []
    for sigma in (0, 1, 3, 10, 30, 100):
        part = frost.blur(scene, sigma)[80:360, 370:580]
        parts.append(labelled(part, f"sigma {sigma}" if sigma else "the picture"))
    return beside(*parts)


def edges():
    """The four edge modes with a large sigma. Transparency shows a pattern of squares."""
    photo = numpy.asarray(Image.fromarray(drawn.sample("photo", (600, 400))).resize((210, 140), Image.Resampling.LANCZOS)).copy()
    photo[:8] = (220, 40, 30)
    y, x = numpy.mgrid[:140, :210]
    squares = numpy.where((x // 10 + y // 10) % 2, 255, 205)[..., None].astype(float)
    parts = [labelled(photo, "the picture")]
    for edge in ("clamp", "mirror", "repeat", "clear"):
        soft = frost.blur(photo, 16, edge=edge)
        if soft.shape[2] == 4:
            top, left = (soft.shape[0] - 140) // 2, (soft.shape[1] - 210) // 2
            soft = soft[top:top + 140, left:left + 210]
            alpha = soft[..., 3:] / 255
            soft = (soft[..., :3] * alpha + squares * (1 - alpha)).round().astype(numpy.uint8)
        parts.append(labelled(soft, edge))
    return beside(*parts)


def rectangles():
    """The options of rectangles: plain, with round corners, and bounded."""
    scene = drawn.sample("scene", (600, 400))[80:280, 130:430].copy()
    x, y, width, height = 40, 44, 220, 120
    soft = frost.effect(scene, frost.gaussian(14))
    plain = pasted(scene, x, y, soft[y:y + height, x:x + width])
    round_ = frost.effect(scene, frost.gaussian(14).clipped(frost.Shape(x, y, width, height, radius=36)))
    bounded = pasted(scene, x, y, frost.blur(scene[y:y + height, x:x + width].copy(), 14))
    return beside(labelled(plain, "--rect"), labelled(round_, "--corner-radius"), labelled(bounded, "--bounded"))


def mask_and_variable():
    """A ramp as the strength of a blur, and as the width of a blur."""
    scene = drawn.sample("scene", (600, 400))[40:240, 130:430].copy()
    ramp = numpy.linspace(0, 255, TILE[0]).round().astype(numpy.uint8)[None].repeat(TILE[1], 0)
    weight = ramp[..., None] / 255
    faded = (scene * (1 - weight) + frost.blur(scene, 9) * weight).round().astype(numpy.uint8)
    return beside(labelled(ramp[..., None].repeat(3, 2), "the mask"), labelled(faded, "blur --mask"),
                  labelled(frost.effect(scene, "variable", radius=9, mask=ramp), "effect variable --mask"))


def gradient():
    """A material along a gradient: mixed with the original, as a mask of sharp and blurred does, and growing as a whole."""
    scene = drawn.sample("scene", (600, 400))[40:240, 130:430].copy()
    weight = numpy.interp((numpy.arange(TILE[1]) + 0.5) / TILE[1], (0.1, 0.8), (1, 0))[:, None, None]
    whole = frost.effect(scene, "material-thin-light", radius=14, dither=False)
    mixed = (scene * (1 - weight) + whole * weight).round().astype(numpy.uint8)
    grown = frost.effect(scene, "material-thin-light", radius=14, gradient="0.1:1,0.8:0")
    return beside(labelled(scene, "the picture"), labelled(mixed, "mixed with it"), labelled(grown, "--gradient 0.1:1,0.8:0"))


def video_frame():
    """A frame of an upright film, and the same over a blurred copy of itself that fills a wide frame."""
    frame = list(drawn.walk(24, (420, 300)))[13][:, 150:319]
    height, width = 300, 533
    wide = Image.fromarray(frame).resize((width, round(width * 300 / 169)), Image.Resampling.LANCZOS)
    top = (wide.height - height) // 2
    filled = frost.effect(numpy.asarray(wide.crop((0, top, width, top + height))), frost.gaussian(18))
    left = (width - frame.shape[1]) // 2
    return beside(frame, pasted(filled, left, 0, frame))


def damage():
    """A change of the picture behind panels, and the rectangles that the next frame computes for it."""
    scene = drawn.sample("scene", (600, 400))
    panels = [frost.Panel((60, 200, 260, 150), "material-thin-dark", radius=24),
              frost.Panel((360, 60, 200, 290), "blur-light", radius=24)]
    x, y, width, height = 250, 150, 56, 56
    with frost.Backdrop() as backdrop:
        backdrop.panels = panels
        screen = scene.copy()
        backdrop.render(scene, screen)
        changed = pasted(scene, x, y, numpy.full((height, width, 3), (255, 204, 0), numpy.uint8))
        backdrop.invalidate((x, y, width, height))
        # The host draws the change. Frost draws the panels over it.
        drawn_by_host = screen.copy()
        outside = numpy.ones(screen.shape[:2], bool)
        for panel in panels:
            left, top, across, down = panel.rect
            outside[top:top + down, left:left + across] = False
        drawn_by_host[outside] = changed[outside]
        screen[:] = drawn_by_host
        report = backdrop.render(changed, screen)
    shown = outlined(screen, report.updated, (255, 40, 40))
    return beside(labelled(outlined(drawn_by_host, [(x, y, width, height)], (255, 255, 255)), "the change"),
                  labelled(shown, "what the frame computes"))


def compositor():
    """Frames of examples/c-compositor: a menu fades in over two windows, and the dialog then blurs only a part."""
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        (work / "libfrost.so.0").symlink_to(Path(os.environ["FROST_LIBRARY"]).resolve())
        example = ROOT / "examples" / "c-compositor"
        flags = subprocess.run(["pkg-config", "--cflags", "--libs", "egl", "glesv2", "gbm"], check=True, capture_output=True,
                               text=True).stdout.split()
        subprocess.run(["gcc", "-D_GNU_SOURCE", "-O1", f"-I{ROOT / 'Sources/Bindings/FrostC/include'}", "-o", work / "compositor",
                        *sorted(example.glob("*.c")), work / "libfrost.so.0", *flags, "-lm"], check=True)
        subprocess.run([work / "compositor", "--frames", "7", "--size", "540x480", "--scale", "1.25", work], check=True,
                       env=os.environ | {"LD_LIBRARY_PATH": folder}, stdout=subprocess.DEVNULL)
        frames = [Image.open(work / f"frame-00{number}.ppm").convert("RGB").crop((0, 0, 460, 420)) for number in (1, 3, 5, 6)]
        return beside(*(numpy.asarray(frame.resize((230, 210), Image.Resampling.LANCZOS)) for frame in frames))


def transitions():
    """Every transition with its default parameters, at five times. In each row the name is above the first picture."""
    size = (288, 192)
    first, second = (drawn.sample(name, (480, 320)) for name in ("photo", "scene"))
    spots = cv2.GaussianBlur(numpy.random.default_rng(1).random((320, 480)), (0, 0), 6)
    mask = cv2.equalizeHist(cv2.normalize(spots, None, 0, 255, cv2.NORM_MINMAX).astype(numpy.uint8))
    rows = []
    for name in (info.name for info in frost.transitions()):
        transition = frost.Transition(name)
        extra = {"mask": mask} if name == "disintegrate-with-mask" else {}
        frames = [frost.transition(first, second, transition, time, **extra)[..., :3] for time in (0.1, 0.3, 0.5, 0.7, 0.9)]
        frames = [numpy.asarray(Image.fromarray(frame).resize(size, Image.Resampling.LANCZOS)) for frame in frames]
        rows.append(beside(labelled(frames[0], name), *frames[1:]))
        rows.append(numpy.full((GAP, rows[0].shape[1], 3), 255, numpy.uint8))
    return numpy.vstack(rows[:-1])


def errors():
    """The differences of Frost, OpenCV and Pillow from the exact Gaussian of sigma 8, 25 times as large, around grey."""
    photo = drawn.sample("photo", TILE)
    exact = frost.blur(photo.astype(numpy.float32), 8, backend="exact")
    parts = [labelled(photo, "the picture")]
    for name, blurred in (("Frost", frost.blur(photo, 8)),
                          ("OpenCV", cv2.GaussianBlur(photo, (0, 0), 8, borderType=cv2.BORDER_REPLICATE)),
                          ("Pillow", numpy.asarray(Image.fromarray(photo).filter(ImageFilter.GaussianBlur(8))))):
        difference = blurred - exact
        shown = (128 + 25 * difference).clip(0, 255).round().astype(numpy.uint8)
        parts.append(labelled(shown, f"{name}: {abs(difference).max():.1f} steps"))
    return beside(*parts)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("images", type=Path, help="the folder of the pictures")
    images = parser.parse_args().images
    for make in (
            hero, sigmas, edges, rectangles, mask_and_variable, gradient, video_frame, damage, compositor, transitions, errors):
        Image.fromarray(make()).save(images / f"{make.__name__.replace('_', '-')}.webp", quality=84, method=6)


if __name__ == "__main__":
    main()
