"""What an analysis is made of: a typed table, one request, and the tables, charts and findings that come of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from metier.json_values import JsonObject
from metier.language import Language
from metier.packs.workspace.data._columns import DataColumn
from metier.packs.workspace.data._load import Loaded
from metier.packs.workspace.data._request import FigureRequest
from metier.packs.workspace.data._texts import TEXTS

if TYPE_CHECKING:
    import pandas as pd


@dataclass(slots=True)
class Analysis:
    """Tables, charts and findings; `calls` are functions of `analysis.py` with their arguments, one per table."""

    tables: list[JsonObject] = field(default_factory=list)
    charts: list[JsonObject] = field(default_factory=list)
    findings: list[JsonObject] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    calls: list[tuple[str, Mapping[str, Any]]] = field(default_factory=list)

    def add_finding(self, text: str) -> None:
        """Add a sentence that follows from the newest table."""
        title = str(self.tables[-1]["title"]) if self.tables else ""
        self.findings.append({"text": text, "table": title})


@dataclass(frozen=True, slots=True)
class Typed:
    """A table with typed columns."""

    frame: "pd.DataFrame"
    columns: Sequence[DataColumn]
    loaded: Loaded

    def get(self, name: str) -> DataColumn | None:
        """The column of this name."""
        return next((one for one in self.columns if one.name == name), None)


@dataclass(frozen=True, slots=True)
class Summary:
    """What the figures of one request are computed from: `frame` has the rows that are asked for, `every` has all."""

    made: Analysis
    frame: "pd.DataFrame"
    table: Typed
    request: FigureRequest
    measure: DataColumn
    language: Language
    every: "pd.DataFrame"

    @property
    def how(self) -> str:
        """How values are put together, as a word."""
        return TEXTS.render(f"how_{self.request.aggregate}", self.language)

    def say(self, code: str, **values: object) -> str:
        """A sentence about the measure."""
        return TEXTS.render(code, self.language, measure=self.measure.name, unit=self.measure.unit, **values)

    def title(self, code: str, **values: object) -> str:
        """Title of a table, with the conditions of its rows."""
        shown = show_conditions(self.request.where, self.language)
        kept = TEXTS.render("title_where", self.language, conditions=shown) if shown else ""
        return self.say(code, **values) + kept

    def name_key(self, name: str, period: str) -> str:
        """Name of a key; a time is named with its period."""
        if name != self.request.time or (found := self.table.get(name)) is None or found.kind == "year":
            return name
        return TEXTS.render(
            "time_key", self.language, name=name, period=TEXTS.render(f"period_{period}", self.language)
        )

    def add_call(self, name: str, arguments: Mapping[str, Any], where: Sequence[Any] | None = None) -> None:
        """Keep the call that computed the newest table, so that `analysis.py` can repeat it."""
        kept = list(self.request.where if where is None else where)
        self.made.calls.append((name, {**arguments, **({"where": kept} if kept else {})}))

    def note_left_out(self, names: Sequence[str]) -> None:
        """Say how many rows have no value in one of these columns."""
        left = len(self.frame) - len(self.frame[list(dict.fromkeys(names))].dropna()) if names else 0
        if left:
            told = {"count": f"{left:,}", "names": list(dict.fromkeys(names))}
            self.made.notes.append(TEXTS.render("left_out_of", self.language, **told))


def show_conditions(where: Sequence[Any], language: Language) -> list[str]:
    """Conditions for people."""
    return [_show_condition(one, language) for one in where]


def _show_condition(condition: Sequence[Any], language: Language) -> str:
    name, sign, value = condition
    if not name:
        return TEXTS.render("where_lines", language, lines=list(value))
    if isinstance(value, tuple | list):
        return TEXTS.render("where_in" if sign == "in" else "where_not", language, name=name, values=list(value))
    shown = value if isinstance(value, str) else f"{value:,.10g}" if abs(value) >= 10_000 or value % 1 else f"{value:g}"
    return f"{name} { {'>=': '≥', '<=': '≤'}.get(sign, sign) } {shown}"


def make_column(key: str, language: Language, *, title: str = "", unit: str = "", kind: str = "") -> JsonObject:
    """A column of a table, titled by its key if no other title is given."""
    shown = title or TEXTS.render(f"col_{key}", language)
    kinds = {"type": kind} if kind else {}
    return {"key": key, "title": shown, "unit": unit, **kinds}


def show_number(value: object) -> str:
    """A figure for a sentence: thousands separated, no digits more than the table has."""
    if not isinstance(value, int | float):
        return "–" if value is None else str(value)
    return f"{value:,}"
