"""The list of effects, and the descriptions of parameters."""

from __future__ import annotations

from ctypes import byref
from dataclasses import dataclass
from html import escape
from typing import Any, Callable, List, Optional, Tuple

from . import _library as lib
from ._structs import EffectInfoStruct, ParameterInfoStruct


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


@dataclass(frozen=True)
class EffectInfo:
    """The description of an effect in the catalogue."""

    name: str
    family: str
    summary: str
    parameters: Tuple[ParameterInfo, ...]


class EffectList(List[EffectInfo]):
    """A list of effects that is shown as a table of names and summaries."""

    def __repr__(self) -> str:
        width = max((len(effect.name) for effect in self), default=0)
        return "\n".join(f"{effect.name:{width}}  {effect.summary}" for effect in self)

    def _repr_html_(self) -> str:
        rows = (f"<tr><td><code>{escape(each.name)}</code><td>{escape(each.family)}<td>{escape(each.summary)}" for each in self)
        return "<table><tr><th>effect<th>family<th>summary" + "".join(rows) + "</table>"


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


def effect_parameters(name: str) -> List[str]:
    """Returns the names of the parameters of an effect; nothing if no effect has this name."""
    return next(([parameter.name for parameter in info.parameters] for info in effects() if info.name == name), [])
