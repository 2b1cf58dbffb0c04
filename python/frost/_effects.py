"""Effects, masks, and the list of effects."""

from ctypes import byref, c_double, pointer
from dataclasses import dataclass
from typing import Optional, Tuple

from . import _library as lib
from ._errors import ParameterError
from ._pixels import empty, image, rect

EDGES = ["clamp", "mirror", "repeat", "clear"]


def _options(dither, linear):
    return lib.EffectOptions(dither=0 if dither is None else 1 + bool(dither), light=int(bool(linear)))


class Effect(lib.Handle):
    """An immutable effect: a blur and its output stages, selected by name.

    :func:`effects` lists the parameters. In Python, write underscores for the hyphens in their names: ``Effect("zoom",
    center_x=0.2)``.

    :param dither: True or False; None for the effect's default, which is off for plain Gaussians.
    :param linear: treats the values as sRGB and blurs the linear light that they encode.
    :raises ParameterError: if a name is unknown or a value is invalid.
    """

    def __init__(self, name, *, dither=None, linear=False, **parameters):
        self._own(
            lib.effect_create, lib.effect_destroy, name.encode(), parameter_text(parameters).encode(),
            _options(dither, linear))

    @classmethod
    def _made(cls, create, *arguments):
        effect = cls.__new__(cls)
        effect._own(create, lib.effect_destroy, *arguments)
        return effect

    def __eq__(self, other):
        """Effects are equal if they have the same name, parameters, options and content."""
        return lib.effect_equal(self._pointer, other._pointer) == 1 if isinstance(other, Effect) else NotImplemented

    def __hash__(self):
        return lib.effect_hash(self._pointer)

    def with_content(self, picture, *, vibrancy=None, mode=None, bounds=None, channels=None, alpha="straight"):
        """Returns a copy of the effect that draws a picture over its result. The picture is copied.

        :param vibrancy: the name of a vibrancy, such as "label", for effects that are light or dark styles. Only the
            picture's alpha is used then. None draws the picture in its own colours.
        :param mode: a content mode such as "center"; "scale-to-fill" by default.
        :param bounds: x, y, width and height in the image to which the effect is applied; by default the whole image.
        """
        content = lib.Content(
            picture=pointer(image(picture, channels, alpha, name="picture")),
            vibrancy=vibrancy and vibrancy.encode(), mode=mode and mode.encode())
        if bounds is not None:
            content.bounds = lib.Rect(*bounds)
        return Effect._made(lib.effect_add_content, self._pointer, byref(content))

    def clipped(self, *shapes):
        """Returns a copy of the effect that is visible only inside shapes: see :class:`Shape`. Outside the shapes the result
        keeps the bytes of the picture. Without shapes, the effect is visible everywhere."""
        structs = (lib.Shape * len(shapes))(*(shape._struct() for shape in shapes))
        return Effect._made(lib.effect_clip_shapes, self._pointer, structs, len(shapes))

    def target(self, picture, *, region=None, channels=None, alpha="straight"):
        """Returns a new, uninitialised array for the effect's result on a picture."""
        target = lib.Image()
        lib.effect_describe_target(
            self._pointer, byref(image(picture, channels, alpha)), rect(region), byref(target))
        return empty(target)

    def error_bound(self, picture, *, region=None, channels=None, alpha="straight", error_budget=0.0):
        """Returns the error bound: no value of the result, before rounding, differs by more than this from the exact effect.
        The unit is 1/255 of full scale."""
        bound = c_double()
        options = lib.RenderOptions(region=rect(region), error_budget=error_budget)
        lib.effect_error_bound(
            self._pointer, byref(image(picture, channels, alpha)), byref(options), byref(bound))
        return bound.value


def gaussian(sigma, sigma_y=None, *, edge="clamp", dither=None, linear=False):
    """Returns a plain Gaussian blur. The sigmas are in pixels; ``sigma_y`` is ``sigma`` by default."""
    return Effect._made(
        lib.effect_create_gaussian, sigma, sigma if sigma_y is None else sigma_y, lib.constant(EDGES, edge, "edge"),
        _options(dither, linear))


def parameter_text(parameters):
    """Returns parameters in the text form that the library reads."""
    return " ".join(f"{key.replace('_', '-')}={_text(key, value)}" for key, value in parameters.items())


def _text(name, value):
    """Returns a parameter's value in the text form that the library reads."""
    if isinstance(value, str):
        if not value or any(character.isspace() for character in value):
            raise ValueError(f"{name} cannot be {value!r}: expected one word")
        return value
    return repr(float(value))


@dataclass(frozen=True)
class Shape:
    """A rectangle with rounded corners, in pixels of the picture to which an effect is applied.

    The corners are quarter circles. With ``smoothing``, 0 to 1, the curvature of the corners is continuous; 0.6 is close to
    iOS. With ``exponent``, 1 to 16, the corners are parts of a superellipse; 2 is a circle, 4 a squircle. The largest radius
    is half the shorter side, divided by 1 + ``smoothing``.
    """

    x: float
    y: float
    width: float
    height: float
    radius: float = 0.0
    smoothing: Optional[float] = None
    exponent: Optional[float] = None

    def _struct(self):
        if self.smoothing is not None and self.exponent is not None:
            raise ValueError("a shape has either smoothing or exponent")
        # In the struct, the parameter 0 stands for the default. Smoothing 0 is a circular corner.
        if self.exponent is not None:
            if self.exponent == 0:
                raise ParameterError("exponent 0 is out of range (allowed: 1 to 16)")
            curve, parameter = 2, self.exponent
        else:
            curve, parameter = (1, self.smoothing) if self.smoothing else (0, 0)
        return lib.Shape(
            x=self.x, y=self.y, width=self.width, height=self.height, corner_radius=self.radius,
            corner_parameter=parameter, corner_curve=curve)


class Mask(lib.Handle):
    """A mask is made from a picture and sets the strength of an effect at each pixel. The strength is the picture's alpha
    or, if the picture has no alpha channel, its luma. The picture is copied."""

    def __init__(self, picture, *, channels=None, alpha="straight"):
        self._own(lib.mask_create, lib.mask_destroy, byref(image(picture, channels, alpha, name="picture")))


@dataclass(frozen=True)
class ParameterInfo:
    """The description of a parameter of an effect or a transition. ``range`` is None if the parameter is not a number, and
    ``choices`` is empty if the parameter is not a choice."""

    name: str
    kind: str  # "number", "color" or "choice"
    help: str
    default: str
    unit: str
    range: Optional[Tuple[float, float]]
    choices: Tuple[str, ...]


@dataclass(frozen=True)
class EffectInfo:
    """The description of an effect in the catalogue."""

    name: str
    family: str
    summary: str
    parameters: Tuple[ParameterInfo, ...]


def effects():
    """Returns all effects, the plain Gaussian first."""
    return [_effect(index) for index in range(lib.effect_count())]


def _effect(index):
    info = lib.EffectInfoStruct()
    lib.effect_describe(index, byref(info))
    return EffectInfo(
        info.name.decode(), info.family.decode(), info.summary.decode(),
        tuple(parameter_info(lib.effect_describe_parameter, index, number) for number in range(info.parameter_count)))


def parameter_info(describe, owner, index):
    """Returns the description of a parameter.

    :param describe: the function that describes the parameters of a list.
    :param owner: the index of the effect or transition in that list.
    """
    info = lib.ParameterInfoStruct()
    describe(owner, index, byref(info))
    kind = ["number", "color", "choice"][info.kind]
    return ParameterInfo(
        info.name.decode(), kind, info.help.decode(), info.default_value.decode(), info.unit.decode(),
        (info.minimum, info.maximum) if kind == "number" else None, tuple(info.choices.decode().split()))
