"""The list of effects, and the descriptions of parameters."""

from __future__ import annotations

from ctypes import byref
from dataclasses import dataclass
from typing import Any, Callable, List, Optional, Tuple

from . import _library as lib
from ._structs import EffectInfoStruct, ParameterInfoStruct


@dataclass(frozen=True)
class ParameterInfo:
    """The description of a parameter of an effect or a transition. ``range`` is None if the parameter is not a number, and
    ``choices`` is empty if the parameter is not a choice. ``kind`` is "number", "color" or "choice"."""

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


def effects() -> List[EffectInfo]:
    """Returns all effects, the plain Gaussian first.

    >>> [parameter.name for parameter in frost.effects()[0].parameters][:1]
    ['sigma']
    """
    return [_effect(index) for index in range(lib.effect_count())]


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
    kind = ["number", "color", "choice"][info.kind]
    return ParameterInfo(
        info.name.decode(), kind, info.help.decode(), info.default_value.decode(), info.unit.decode(),
        (info.minimum, info.maximum) if kind == "number" else None, tuple(info.choices.decode().split()))
