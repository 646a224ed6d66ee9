"""Reports of other skills as content: each point keeps the numbers of its sources."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from metier.json_values import JsonObject, JsonValue
from metier.language import Language, split_sentences
from metier.packs.office.creation import (
    NewBlock,
    NewChart,
    NewDocument,
    NewPoint,
    NewSection,
    NewSource,
    NewTable,
)
from metier.packs.workspace.documents._texts import TEXTS
from metier.packs.workspace.research import name_measure

_MARKS: Final = re.compile(r"(?:\s*\[\w{1,8}\])+\s*(?=[。.]?\s*$)")
_ASKING: Final = re.compile(
    r"^\s*(?:请|帮我|帮忙)*(?:研究|分析|调研|调查|查一查)(?:一下)?"
    r"|^\s*(?:please )?(?:research|analy[sz]e|investigate|study)\s+(?:the )?",
    re.IGNORECASE,
)
_MAX_TITLE_CHARS: Final = 60
_MAX_ROWS: Final = 5_000


@dataclass(slots=True)
class _Sources:
    """Evidence of a report. It keeps the numbers that the report has; other ids are numbered as they are cited."""

    evidence: Mapping[str, Mapping[str, JsonValue]]
    language: Language
    numbers: dict[str, int] = field(default_factory=dict)

    def cite(self, ids: Sequence[JsonValue]) -> tuple[int, ...]:
        """Numbers of the cited evidence; what the report does not have is left out."""
        known = [str(one) for one in ids if str(one) in self.evidence]
        return tuple(dict.fromkeys(self._number(one) for one in known))

    def _number(self, id: str) -> int:
        own = int(id) if all(one.isdecimal() for one in self.evidence) else len(self.numbers) + 1
        return self.numbers.setdefault(id, own)

    def list_sources(self) -> tuple[NewSource, ...]:
        ordered = sorted(self.numbers.items(), key=lambda one: one[1])
        return tuple(self._describe(id, number) for id, number in ordered)

    def _describe(self, id: str, number: int) -> NewSource:
        place = _as_mapping(self.evidence[id].get("place"))
        label, name = str(place.get("label") or ""), str(place.get("title") or place.get("source") or id)
        parts = [str(place["url"])] if place.get("url") else []
        if label:
            parts.append(label)
        else:
            parts += [
                TEXTS.render(key, self.language, number=str(place[key])) for key in ("page", "line") if place.get(key)
            ]
        if place.get("time"):
            parts.append(TEXTS.render("read_at", self.language, time=str(place["time"])[:16].replace("T", " ")))
        return NewSource(number, name, ", ".join(part for part in parts if part != name))


def read_research(report: JsonObject, language: Language) -> NewDocument:
    """Findings, the quotes below each sub-question, figures that disagree, what was not found, and the sources."""
    listed = [_as_mapping(one) for one in _as_list(report.get("evidence"))]
    sources = _Sources({str(one.get("id")): one for one in listed}, language)
    sections = [
        _section("findings", _list_points(report.get("findings"), sources), language),
        *(
            NewSection(
                _capitalize(str(_as_mapping(one).get("question") or "")), _quote(_as_mapping(one).get("found"), sources)
            )
            for one in _as_list(report.get("sub_questions"))
        ),
        _section("disagreements", _compare(report.get("disagreements"), sources), language),
        _section("missing", _list_points(report.get("missing"), sources), language),
    ]
    title = _ASKING.sub("", str(report.get("question") or report.get("title") or "")).strip("？?。 ")
    title = title or TEXTS.render("research_title", language)
    # The first sentence says that figures are invented; the others speak to the user of the page.
    notice = next(iter(split_sentences(str(report.get("notice") or report.get("note") or ""))), "").strip()
    subtitle = notice or TEXTS.render("research_subtitle", language)
    kept = tuple(one for one in sections if one.blocks)
    return NewDocument(_capitalize(title[:_MAX_TITLE_CHARS]), language, kept, subtitle, sources.list_sources())


def _capitalize(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"


def _section(code: str, points: Sequence[NewBlock], language: Language) -> NewSection:
    return NewSection(TEXTS.render(code, language), tuple(points))


def _list_points(value: JsonValue, sources: _Sources) -> list[NewPoint]:
    points = []
    for one in _as_list(value):
        text, ids = _read_entry(one)
        numbers = sources.cite(ids)
        if text:
            points.append(NewPoint(_MARKS.sub("", text).strip() if numbers else text, numbers))
    return points


def _read_entry(value: JsonValue) -> tuple[str, list[JsonValue]]:
    """Text and ids of an entry: a text, or an object with `text` and `ids`."""
    if isinstance(value, str):
        return value, []
    entry = _as_mapping(value)
    ids = [*_as_list(entry.get("ids")), *_as_list(entry.get("found"))]
    ids += [entry["id"]] if entry.get("id") is not None else []
    return str(entry.get("text") or entry.get("question") or ""), ids


def _compare(value: JsonValue, sources: _Sources) -> list[NewPoint]:
    """Figures that disagree, side by side in one line, each with its source."""
    points = []
    for entry in (_as_mapping(one) for one in _as_list(value)):
        parts = []
        for one in _as_list(entry.get("statements")):
            text, ids = _read_entry(one)
            parts.append(NewPoint(text, sources.cite(ids)).marked_text)
        period = TEXTS.render("period", sources.language, period=str(entry["period"])) if entry.get("period") else ""
        values = TEXTS.render("and", sources.language).join(parts)
        about = f"{_capitalize(name_measure(str(entry.get('measure') or ''), sources.language))}{period}"
        points += [NewPoint(TEXTS.render("compared", sources.language, about=about, values=values))] if parts else []
    return points


def _quote(ids: JsonValue, sources: _Sources) -> tuple[NewPoint, ...]:
    points = []
    for id in _as_list(ids):
        numbers = sources.cite([id])
        if numbers:
            text = " ".join(str(sources.evidence[str(id)].get("text") or "").split())
            points.append(NewPoint(f"“{text}”", numbers))
    return tuple(points)


def read_analysis(report: JsonObject, language: Language) -> NewDocument:
    """Findings first, then each table and chart on its own."""
    tables = [_read_table(_as_mapping(one)) for one in _as_list(report.get("tables"))]
    charts = [_as_mapping(one) for one in _as_list(report.get("charts"))]
    points = [NewPoint(_read_entry(one)[0]) for one in _as_list(report.get("findings")) if _read_entry(one)[0]]
    sections = [_section("findings", points, language)] if points else []
    sections += [
        NewSection(str(one.get("title") or ""), (NewChart(str(one.get("title") or ""), one),)) for one in charts
    ]
    sections += [NewSection(one.title, (one,)) for one in tables if one.heads]
    name = str(report.get("title") or report.get("file") or "")
    subtitle = str(report.get("notice") or report.get("note") or "")
    return NewDocument(TEXTS.render("data_title", language, name=name), language, tuple(sections), subtitle)


def _read_table(table: Mapping[str, JsonValue]) -> NewTable:
    columns = _as_list(table.get("columns"))
    keys = [str(one.get("key") or one.get("title")) if isinstance(one, Mapping) else str(one) for one in columns]
    heads = [_render_head(one) for one in columns]
    rows = [
        tuple(row.get(key) for key in keys) if isinstance(row, Mapping) else tuple(_as_list(row))
        for row in _as_list(table.get("rows"))[:_MAX_ROWS]
    ]
    return NewTable(str(table.get("title") or ""), tuple(heads), tuple(rows), str(table.get("note") or ""))


def _render_head(column: JsonValue) -> str:
    if not isinstance(column, Mapping):
        return str(column)
    title, unit = str(column.get("title") or column.get("key")), str(column.get("unit") or "")
    return f"{title} ({unit})" if unit and unit not in title else title


def _as_list(value: JsonValue) -> list[JsonValue]:
    return list(value) if isinstance(value, list | tuple) else []


def _as_mapping(value: JsonValue) -> Mapping[str, JsonValue]:
    return value if isinstance(value, Mapping) else {}
