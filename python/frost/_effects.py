"""Effects."""

from __future__ import annotations

from ctypes import byref, c_double, c_int32, pointer
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple, Union, get_args

from . import _library as lib
from ._arguments import constant, elements, has_elements, number, optional_rect, rect, text
from ._catalogue import effects
from ._errors import ArgumentError, ParameterError
from ._handles import Value
from ._keywords import suggesting
from ._masks import Shape, shape_structs
from ._parameters import checked_parameters, created, parameter_text, parameter_words
from ._pixels import empty, image, view
from ._structs import Content, EffectOptions, ImageStruct, RenderOptions
from ._types import EDGES, Alpha, Array, Channels, Edge, Picture, Rect, RectLike, Sigma
from ._types import Value as ParameterValue


def _options(dither: Optional[bool], linear: bool) -> EffectOptions:
    return EffectOptions(dither=0 if dither is None else 1 + bool(dither), light=int(bool(linear)))


def _option_words(dither: Optional[bool], linear: bool) -> str:
    return ("" if dither is None else f", dither={bool(dither)}") + (", linear=True" if linear else "")


class Effect(Value):
    """An immutable effect: a blur and its output stages, selected by name.

    Effects are compared, hashed, copied and pickled by value. :func:`effects` lists the names and parameters. In Python,
    write underscores for the hyphens in the names of parameters.

    :param name: such as "light" or "zoom".
    :param dither: True or False; None for the effect's default, which is off for plain Gaussians.
    :param linear: treats the values as sRGB and blurs the linear light that they encode.
    :param parameters: numbers, or words such as ``edge="mirror"``.
    :raises ParameterError: if a name is unknown or a value is invalid.

    >>> frost.Effect("zoom", center_x=0.2)
    frost.Effect('zoom', center_x=0.2)
    >>> frost.Effect("light", scale=2) == frost.Effect("light", scale=2.0)
    True
    """

    # How the effect was made: a function and its arguments. Pickling repeats the call.
    _recipe: Tuple[Callable[..., Effect], Tuple[Any, ...]]
    _words: str

    def __init__(
        self, name: str, *, dither: Optional[bool] = None, linear: bool = False, **parameters: ParameterValue,
    ) -> None:
        encoded = text(name, "name")

        def create() -> Dict[str, ParameterValue]:
            checked = checked_parameters(parameters)
            self._own(lib.effect_create, lib.effect_destroy, encoded, parameter_text(checked), _options(dither, linear))
            return checked

        checked = created(create, "effect", name, parameters, effects, ("dither", "linear"))
        self._recipe = _named, (name, dither, linear, checked)
        self._words = f"frost.Effect({name!r}{parameter_words(checked)}{_option_words(dither, linear)})"

    @classmethod
    def _made(
        cls, recipe: Tuple[Callable[..., Effect], Tuple[Any, ...]], words: str, create: Callable[..., Any], *arguments: Any,
    ) -> Effect:
        effect = cls.__new__(cls)
        effect._own(create, lib.effect_destroy, *arguments)
        effect._recipe, effect._words = recipe, words
        return effect

    def __repr__(self) -> str:
        return self._words

    def __eq__(self, other: object) -> bool:
        """Effects are equal if they have the same name, parameters, options, shapes and content."""
        if not isinstance(other, Effect):
            return NotImplemented
        return bool(lib.effect_equal(self._pointer, other._pointer) == 1)

    def __hash__(self) -> int:
        return int(lib.effect_hash(self._pointer))

    def __reduce__(self) -> Any:
        return self._recipe

    @property
    def arguments(self) -> Optional[Tuple[Optional[str], Any, Optional[bool], bool]]:
        """What the effect was made of: its name and its parameters, ``dither`` and ``linear``. For :func:`gaussian`, the name
        is None, and the parameters are the two sigmas and the edge mode. None for an effect with content or shapes.

        >>> frost.Effect("light", scale=2).arguments
        ('light', {'scale': 2.0}, None, False)
        """
        make, arguments = self._recipe
        if make is _named:
            name, dither, linear, parameters = arguments
            return name, parameters, dither, linear
        if make is _gaussian:
            x, y, edge, dither, linear = arguments
            return None, (x, y, edge), dither, linear
        return None

    @property
    def _name(self) -> Optional[str]:
        """The name of the effect, also if it has content or shapes; None for :func:`gaussian`."""
        make, arguments = self._recipe
        return arguments[0]._name if isinstance(arguments[0], Effect) else arguments[0] if make is _named else None

    @property
    def _is_clipped(self) -> bool:
        """Whether the effect has shapes of its own."""
        make, arguments = self._recipe
        return make is _clipped and any(arguments[1:]) or isinstance(arguments[0], Effect) and arguments[0]._is_clipped

    @property
    def _has_content(self) -> bool:
        make, arguments = self._recipe
        return make is _with_content or isinstance(arguments[0], Effect) and arguments[0]._has_content

    @property
    def _decides_content(self) -> bool:
        """Whether the picture decides which colour has the effect's minimum contrast."""
        make, arguments = self._recipe
        if isinstance(arguments[0], Effect):
            return arguments[0]._decides_content
        parameters = {key.replace("-", "_"): value for key, value in arguments[3].items()} if make is _named else {}
        return bool(parameters.get("min_contrast")) and parameters.get("content_color", "auto") == "auto"

    def with_content(
        self, picture: Picture, *, vibrancy: Optional[str] = None, mode: Optional[str] = None,
        bounds: Optional[RectLike] = None, channels: Optional[Channels] = None, alpha: Optional[Alpha] = None,
    ) -> Effect:
        """Returns a copy of the effect that draws a picture over its result. The picture is copied, once for the library and
        once for pickling.

        :param vibrancy: the name of a vibrancy, such as "label", for effects that are light or dark styles. Only the
            picture's alpha is used then. None draws the picture in its own colours.
        :param mode: a content mode such as "center"; "scale-to-fill" by default.
        :param bounds: x, y, width and height in the image to which the effect is applied; by default the whole image.

        >>> icon = numpy.full((8, 8, 4), 255, numpy.uint8)
        >>> frost.Effect("dark").with_content(icon, mode="center")
        frost.Effect('dark').with_content(<8x8x4 uint8>, mode='center')
        """
        kept = view(picture, "picture").copy()
        content = Content(
            picture=pointer(image(kept, channels, alpha, name="picture")),
            vibrancy=None if vibrancy is None else text(vibrancy, "vibrancy"), mode=None if mode is None else text(mode, "mode"))
        place: Optional[Rect] = None
        if bounds is not None:
            content.bounds = rect(bounds, "bounds")
            place = (content.bounds.x, content.bounds.y, content.bounds.width, content.bounds.height)
        given = dict(vibrancy=vibrancy, mode=mode, bounds=place, channels=channels, alpha=alpha)
        words = "".join(f", {name}={value!r}" for name, value in given.items() if value is not None)
        shape = "x".join(map(str, kept.shape))
        return Effect._made(
            (_with_content, (self, kept, given)), f"{self._words}.with_content(<{shape} {kept.dtype}>{words})",
            lib.effect_add_content, self._pointer, byref(content))

    def clipped(self, *shapes: Shape, feather: float = 0, outside: bool = False) -> Effect:
        """Returns a copy of the effect that is visible only inside shapes: see :class:`Shape`. Outside the shapes the result
        keeps the bytes of the picture, except under the shadow of glass. Without shapes, the effect is visible everywhere.

        With ``feather``, 0 to 4096 pixels, the effect fades out over this distance beside the shapes. With ``outside``, it is
        visible outside the shapes, and fades out inside them.

        >>> frost.gaussian(4).clipped(frost.Shape(0, 0, 30, 20, ellipse=True), feather=5)
        frost.gaussian(4.0).clipped(Shape(x=0, y=0, width=30, height=20, radius=0.0, smoothing=None, exponent=None, \
ellipse=True), feather=5)
        """
        words = [repr(shape) for shape in shapes]
        words += [f"feather={feather!r}"] * bool(feather) + ["outside=True"] * bool(outside)
        clipped = Effect._made(
            (_clipped, (self, shapes, feather, outside)), f"{self._words}.clipped({', '.join(words)})",
            lib.effect_clip_shapes, self._pointer, shape_structs(shapes), len(shapes))
        if not feather and not outside:
            return clipped
        return Effect._made(
            (_clipped, (self, shapes, feather, outside)), clipped._words, lib.effect_clip_rule, clipped._pointer,
            number(feather, "feather"), bool(outside))

    def _masked(self) -> Effect:
        """Returns a copy of the effect whose strength a mask gives. The mask is scaled to the picture."""
        return Effect._made((Effect._masked, (self,)), self._words, lib.effect_add_mask, self._pointer, None)

    def target(
        self, picture: Picture, *, region: Optional[RectLike] = None, channels: Optional[Channels] = None,
        alpha: Optional[Alpha] = None,
    ) -> Array:
        """Returns a new, uninitialised array for the effect's result on a picture.

        >>> frost.gaussian(4, edge="clear").target(numpy.zeros((20, 30, 3), numpy.uint8)).shape
        (20, 30, 4)
        """
        array = view(picture)
        result = empty(self._described(array, region, channels, alpha))
        return result[:, :, None] if array.ndim == 3 and result.ndim == 2 else result

    def _described(
        self, array: Array, region: Optional[RectLike], channels: Optional[Channels], alpha: Optional[Alpha],
    ) -> ImageStruct:
        """Returns a description of the effect's result on an array."""
        target = ImageStruct()
        lib.effect_describe_target(
            self._pointer, byref(image(array, channels, alpha)), optional_rect(region), byref(target))
        return target

    def error_bound(
        self, picture: Picture, *, region: Optional[RectLike] = None, channels: Optional[Channels] = None,
        alpha: Optional[Alpha] = None, error_budget: float = 0.0,
    ) -> float:
        """Returns the error bound: no value of the result, before rounding, differs by more than this from the exact effect.
        The unit is 1/255 of full scale.

        >>> frost.gaussian(4).error_bound(numpy.zeros((20, 30, 3), numpy.uint8)) < 0.5
        True
        """
        bound = c_double()
        options = RenderOptions(region=optional_rect(region), error_budget=number(error_budget, "error_budget"))
        lib.effect_error_bound(
            self._pointer, byref(image(view(picture), channels, alpha)), byref(options), byref(bound))
        return bound.value

    def damage_expansion(
        self, picture: Picture, *, channels: Optional[Channels] = None, alpha: Optional[Alpha] = None,
        error_budget: float = 0.0,
    ) -> Tuple[int, int]:
        """Returns how far a change of the picture spreads in the result: the numbers of pixels to the left and right, and
        above and below.

        >>> x, y = frost.gaussian(4).damage_expansion(numpy.zeros((200, 300, 3), numpy.uint8))
        >>> 12 <= x < 40 and x == y
        True
        """
        x, y = c_int32(), c_int32()
        lib.effect_damage_expansion(
            self._pointer, byref(image(view(picture), channels, alpha)), number(error_budget, "error_budget"),
            byref(x), byref(y))
        return x.value, y.value


@suggesting
def gaussian(
    sigma: Sigma, sigma_y: Optional[float] = None, *, edge: Edge = "clamp", dither: Optional[bool] = None, linear: bool = False,
) -> Effect:
    """Returns a plain Gaussian blur.

    :param sigma: the standard deviation in pixels, 0 to 1000, or a pair of them, along rows (x) and along columns (y).
        ``sigma_y`` is the second number of a pair, or ``sigma``, by default.
    :param edge: what the blur reads outside the picture: "clamp" the nearest pixel, "mirror" the reflected picture, "repeat"
        the repeated picture, "clear" transparent black, "reflect-101" the picture reflected without its edge pixels. Words of
        other programs, such as "reflect", stand for them.
    :raises ParameterError: if a sigma is out of range.

    >>> frost.gaussian(3, edge="mirror")
    frost.gaussian(3.0, edge='mirror')
    """
    pair: List[Any] = elements(sigma, "sigma") if has_elements(sigma) else [sigma]
    if has_elements(sigma) and (len(pair) != 2 or sigma_y is not None):
        raise ArgumentError(
            f"sigma has {len(pair)} numbers: expected a number, or one along rows (x) and one along columns (y)")
    x = number(pair[0], "sigma")
    y = number(pair[-1] if sigma_y is None else sigma_y, "sigma_y" if len(pair) == 1 else "sigma")
    edge = edge_mode(edge)
    words = f"{x!r}" + ("" if y == x else f", {y!r}") + ("" if edge == "clamp" else f", edge={edge!r}")
    return Effect._made(
        (_gaussian, (x, y, edge, dither, linear)), f"frost.gaussian({words}{_option_words(dither, linear)})",
        lib.effect_create_gaussian, x, y, constant(EDGES, edge, "edge"), _options(dither, linear))


def edge_mode(word: Any) -> Any:
    """Returns the edge mode that a word of another program stands for, such as "mirror" for "reflect"."""
    if not isinstance(word, str) or word in EDGES:
        return word
    try:
        meant = Effect("gaussian", sigma=1, edge=word)
    except (ParameterError, ArgumentError):
        return word
    return next((name for name in get_args(Edge) if gaussian(1, edge=name) == meant), word)


def as_effect(value: object) -> Effect:
    """Returns an effect, or the effect of a name."""
    if isinstance(value, Effect):
        return value
    if isinstance(value, str):
        return Effect(value)
    raise TypeError(f"effect must be a frost.Effect or the name of one, not {type(value).__name__}")


def with_parameters(
    effect: Union[str, Effect], edge: Optional[Edge], dither: Optional[bool], linear: bool,
    parameters: Mapping[str, ParameterValue], options: Sequence[str],
) -> Effect:
    """Returns an effect, or the effect of a name with parameters.

    :param options: the other arguments of the call, which an unknown parameter may mean.
    """
    if edge is not None:
        parameters = {**parameters, "edge": edge}
    if isinstance(effect, str):
        return created(
            lambda: Effect(effect, dither=dither, linear=linear, **parameters), "effect", effect, parameters, effects,
            options)
    if parameters or linear or dither is not None:
        raise TypeError("edge, dither, linear and parameters belong to the name of an effect; an Effect already has them")
    return as_effect(effect)


# What pickles name. The order of the arguments stays the same from version to version.
def _named(name: str, dither: Optional[bool], linear: bool, parameters: Dict[str, ParameterValue]) -> Effect:
    return Effect(name, dither=dither, linear=linear, **parameters)


def _gaussian(x: float, y: float, edge: Edge, dither: Optional[bool], linear: bool) -> Effect:
    return gaussian(x, y, edge=edge, dither=dither, linear=linear)


def _with_content(effect: Effect, picture: Array, options: Dict[str, Any]) -> Effect:
    return effect.with_content(picture, **options)


def _clipped(effect: Effect, shapes: Tuple[Shape, ...], feather: float = 0, outside: bool = False) -> Effect:
    return effect.clipped(*shapes, feather=feather, outside=outside)
