"""The parameters of effects and transitions, as keyword arguments."""

from __future__ import annotations

from typing import Any, Callable, Collection, Dict, Mapping, Sequence, TypeVar

from ._arguments import number, text
from ._errors import ArgumentError, ParameterError
from ._keywords import phrase
from ._types import Value

_Made = TypeVar("_Made")


def checked_parameters(parameters: Mapping[str, object]) -> Dict[str, Value]:
    """Returns parameters as floats and words."""
    return {key: _checked(key, value) for key, value in parameters.items()}


def _checked(name: str, value: Any) -> Value:
    return one_word(value, name) if isinstance(value, str) else number(value, name)


def one_word(value: str, name: str) -> str:
    if not value or any(character.isspace() for character in value):
        raise ArgumentError(f"{name} cannot be {value!r}: expected one word")
    return value


def parameter_text(parameters: Mapping[str, Value]) -> bytes:
    """Returns parameters in the text form that the library reads."""
    return text(" ".join(
        f"{key.replace('_', '-')}={value if isinstance(value, str) else repr(value)}" for key, value in parameters.items()),
        "a parameter")


def parameter_words(parameters: Mapping[str, Value]) -> str:
    """Returns parameters as a call in Python has them."""
    return "".join(f", {key}={value!r}" for key, value in parameters.items())


def created(
    create: Callable[[], _Made], kind: str, name: str, given: Collection[str], catalogue: Callable[[], Sequence[Any]],
    options: Collection[str] = (),
) -> _Made:
    """Creates an effect or a transition. The error about an unknown parameter suggests a similar one, in Python's spelling.

    :param catalogue: lists all effects or transitions. A name that is not among them is left to the library's error.
    :param options: the other arguments of the call.
    """
    try:
        return create()
    except (ArgumentError, ParameterError, TypeError):
        infos = [info for info in catalogue() if info.name == name]
        known = [parameter.name.replace("-", "_") for info in infos for parameter in info.parameters]
        unknown = next((key for key in given if known and key not in known), None)
        if unknown is None:
            raise
        hint = phrase(unknown, [*known, *options]) or f"; the parameters are {', '.join(known)}"
        raise ParameterError(f"the {kind} {name} has no parameter {unknown}{hint}") from None
