"""How lists and reports are shown in notebooks and terminals."""

from __future__ import annotations

from dataclasses import fields
from html import escape
from typing import Any, Iterable, List, Sequence, TypeVar

_Item = TypeVar("_Item")


def html_table(headers: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Returns a table of HTML. The first column is code."""
    head = "".join(f"<th>{escape(header)}" for header in headers)
    body = "".join(
        "<tr>" + "".join(f"<td><code>{escape(str(cell))}</code>" if column == 0 else f"<td>{escape(str(cell))}"
                         for column, cell in enumerate(row)) for row in rows)
    return f"<table><tr>{head}{body}</table>"


def field_table(names: Iterable[str], value: Any) -> str:
    """Returns a table of attributes that are not None and not empty."""
    known = [(name, getattr(value, name)) for name in names]
    return html_table(("", type(value).__name__), [
        (name, f"{item:g}" if isinstance(item, float) else item) for name, item in known if item not in (None, "", ())])


class Fields:
    """A data class that notebooks show as a table of its fields."""

    def _repr_html_(self) -> str:
        given: Any = self
        return field_table([each.name for each in fields(given)], given)


class Listing(List[_Item]):
    """A list that is shown as a table: in notebooks with some attributes of the items, elsewhere with names and summaries."""

    columns: Sequence[str] = ()

    def __repr__(self) -> str:
        given: List[Any] = list(self)
        width = max((len(item.name) for item in given), default=0)
        return "\n".join(f"{item.name:{width}}  {item.summary}" for item in given)

    def _repr_html_(self) -> str:
        return html_table(self.columns, [[getattr(item, name) for name in self.columns] for item in self])
