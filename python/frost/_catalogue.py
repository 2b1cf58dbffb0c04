"""The list of effects, and the descriptions of parameters."""

from __future__ import annotations

from ctypes import byref
from dataclasses import dataclass, fields
from html import escape
from typing import Any, Callable, Optional, Tuple

from . import _library as lib
from ._structs import EffectInfoStruct, ParameterInfoStruct
from ._tables import Listing, html_table


KINDS = ["number", "color", "choice", "stops"]


@dataclass(frozen=True)
class ParameterInfo:
    """The description of a parameter of an effect or a transition. ``range`` is None if the parameter is not a number, and
    ``choices`` is empty if the parameter is not a choice. ``kind`` is "number", "color", "choice" or
    "stops"."""

    name: str
    kind: str
    help: str
    default: str
    unit: str
    range: Optional[Tuple[float, float]]
    choices: Tuple[str, ...]

    def _values(self) -> str:
        if self.range is not None:
            return f"{self.range[0]:g} to {self.range[1]:g} {self.unit}".strip()
        return ", ".join(self.choices) or self.kind


class Described:
    """A description with a name, a summary and parameters, which are shown by their names only."""

    def __repr__(self) -> str:
        given: Any = self
        words = [f"{each.name}={getattr(given, each.name)!r}" for each in fields(given) if each.name != "parameters"]
        names = ", ".join(parameter.name for parameter in given.parameters)
        return f"{type(self).__name__}({', '.join(words)}, parameters=<{names}>)"

    def _repr_html_(self) -> str:
        given: Any = self
        return f"<p><code>{escape(given.name)}</code>: {escape(given.summary)}</p>" + html_table(
            ("parameter", "values", "default", ""),
            [(each.name, each._values(), each.default, each.help) for each in given.parameters])


@dataclass(frozen=True, repr=False)
class EffectInfo(Described):
    """The description of an effect in the catalogue."""

    name: str
    family: str
    summary: str
    parameters: Tuple[ParameterInfo, ...]


class EffectList(Listing[EffectInfo]):
    """A list of effects that is shown as a table."""

    columns = ("name", "family", "summary")


def effects() -> EffectList:
    """Returns all effects, the plain Gaussian first.

    >>> [parameter.name for parameter in frost.effects()[0].parameters][:1]
    ['sigma']
    """
    return EffectList(_effect(index) for index in range(lib.effect_count()))


def _effect(index: int) -> EffectInfo:
    info = EffectInfoStruct()
    lib.effect_describe(index, byref(info))
    return EffectInfo(
        info.name.decode(), info.family.decode(), info.summary.decode(),
        tuple(parameter_info(lib.effect_describe_parameter, index, number) for number in range(info.parameter_count)))


def parameter_info(describe: Callable[..., Any], owner: int, index: int) -> ParameterInfo:
    """Returns the description of a parameter.

    :param describe: the function that describes the parameters of a list.
    :param owner: the index of the effect or transition in that list.
    """
    info = ParameterInfoStruct()
    describe(owner, index, byref(info))
    kind = KINDS[info.kind]
    return ParameterInfo(
        info.name.decode(), kind, info.help.decode(), info.default_value.decode(), info.unit.decode(),
        (info.minimum, info.maximum) if kind == "number" else None, tuple(info.choices.decode().split()))
