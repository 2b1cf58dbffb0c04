"""The recipes of docs/Gallery.md. The docstring of a recipe is its text on the page; its first line is the heading."""

import cv2
import numpy
from PIL import Image, ImageDraw, ImageFont

import frost


def faces(photo, found):
    """Faces in a crowd

    A sigma of a fifth of a face's width leaves no features.
    """
    result = photo.copy()
    for x, y, width, height in found:
        ellipse = frost.Shape(x, y, width, height, radius=min(width, height) / 2)
        frost.effect(result, frost.gaussian(width / 5).clipped(ellipse), out=result)
    return result


def plates(photo, found, seed=0):
    """Number plates

    Blurred text can sometimes be read again. For [`redact`](Effects.md#redact) take cells larger than a letter and the
    seed 0, which uses a secret key. A `fill` leaves nothing of the text.
    """
    [result] = frost.effect_batch([photo], frost.Effect("redact", cell=16, seed=seed), [[found]])
    return result


def video(frames):
    """Privacy in video with OpenCV

    Everything that moves is blurred. `frames` are OpenCV's pictures. The rectangle grows at once and shrinks slowly, so
    that nobody is visible between two detections.
    """
    background, cover = None, None
    for frame in frames:
        grey = cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY)
        background = grey if background is None else background
        moving = cv2.dilate((cv2.absdiff(grey, background) > 12).astype(numpy.uint8), numpy.ones((15, 15)))
        if moving.any():
            x, y, width, height = cv2.boundingRect(moving)
            now = numpy.array([x, y, x + width, y + height], float)
            if cover is None:
                cover = now
            grows = (now < cover) == (True, True, False, False)
            cover = numpy.where(grows, now, 0.8 * cover + 0.2 * now)
            left, top, right, bottom = cover.astype(int)
            [frame] = frost.blur_batch([frame], 14, [(left, top, right - left, bottom - top)])
        yield frame


def depth_of_field(photo, metres):
    """Depth of field from a depth map

    `metres` has the distance of each pixel. As with a lens, the blur grows with the difference of the reciprocal
    distances.
    """
    focus = 4.0
    blur = numpy.abs(1 / metres - 1 / focus) * focus
    mask = (255 * numpy.clip(blur, 0, 1)).astype(numpy.uint8)
    # A wider mask lets a blurred person also cover what is behind the edge.
    mask = cv2.dilate(mask, numpy.ones((7, 7)))
    mask[metres == focus] = 0
    return frost.effect(photo, "variable", radius=12, mask=mask)


def caption(photo):
    """A frosted caption

    The panel shows a material of UIKit.
    """
    height, width = photo.shape[:2]
    panel = frost.Shape(16, height - 84, width - 32, 68, radius=16, smoothing=0.6)
    result = frost.effect(photo, frost.Effect("material-thin-dark", scale=1).clipped(panel))
    image = Image.fromarray(result)
    draw = ImageDraw.Draw(image)
    draw.text((34, height - 66), "Silver Lake", fill="white", font=ImageFont.load_default(22))
    draw.text((34, height - 40), "46.5° N, 1,815 m, first frost on 14 November", fill="#dddddd", font=ImageFont.load_default(13))
    return numpy.asarray(image)


def film(first, second):
    """A film of transitions

    Each row is a transition, each column a time.
    """
    rows = []
    for name in ("dissolve", "flash", "ripple", "page-curl-with-shadow"):
        transition = frost.Transition(name)
        frames = [frost.transition(first, second, transition, time)[..., :3] for time in (0.15, 0.35, 0.5, 0.65, 0.85)]
        rows.append(numpy.hstack(frames))
    return numpy.vstack(rows)


def miniature(photo):
    """A miniature

    A band stays sharp.
    """
    colours = cv2.cvtColor(photo, cv2.COLOR_RGB2HSV)
    colours[..., 1] = numpy.minimum(255, colours[..., 1] * 1.5)
    return frost.effect(
        cv2.cvtColor(colours, cv2.COLOR_HSV2RGB), "tilt-shift", radius=7, top=0.5, bottom=0.66, falloff=0.2)


def header(screen):
    """A header over scrolling content

    The blur increases towards the top, without a visible border.
    """
    result = frost.effect(screen, "progressive", radius=14, **{"from": 0.34, "to": 0.05}, angle=90)
    shade = numpy.linspace(0.45, 0, round(0.34 * len(result)))[:, None, None]
    result[:len(shade)] = result[:len(shade)] * (1 - shade)
    image = Image.fromarray(result)
    ImageDraw.Draw(image).text((20, 16), "Today", fill="white", font=ImageFont.load_default(30))
    return numpy.asarray(image)


def glow(light):
    """The glow of lamps

    `light` is a float32 picture in linear light. Values above 1 stay in the blur, which makes the glow.
    """
    result = 0.84 * light
    for sigma, part in ((3, 0.07), (12, 0.06), (40, 0.03)):
        result += part * frost.blur(light, sigma)
    return (255 * numpy.clip(result, 0, 1) ** (1 / 2.2)).astype(numpy.uint8)


def even_light(photo):
    """Even light on a page

    A blur of the brightest values estimates the light, by which the picture is divided.
    """
    paper = cv2.dilate(photo, numpy.ones((9, 9)))
    light = frost.blur(paper.astype(numpy.float32), 6, edge="mirror")
    return (240.0 * photo / light).clip(0, 255).astype(numpy.uint8)
