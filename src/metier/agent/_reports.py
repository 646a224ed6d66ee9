"""Markdown reports without an LLM: from the skill's own template, or from the results themselves."""

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from metier.agent._wording import say
from metier.jsons import JsonObject, JsonValue
from metier.plans import Ask, Run, next_move, read_plan
from metier.skills import Skill
from metier.tools import Language

# `{$.path}` in a skill's `metadata.report`; the path is JMESPath over the run's data, checked like one in a plan.
_PLACE: Final = re.compile(r"\{(\$\.[^{}\n]{1,300})\}")
_BLANKS: Final = re.compile(r"\n{3,}")
_ROWS: Final = 20
_DEPTH: Final = 3
_ASKS: Final = "report"
# Keys of a result that were displayed to the user when it arrived.
_SEEN: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        **dict.fromkeys(("table", "tables"), ("table", "表格")),
        **dict.fromkeys(("chart", "charts"), ("chart", "图表")),
        **dict.fromkeys(("image", "images"), ("picture", "图片")),
        **dict.fromkeys(("file", "files"), ("file", "文件")),
    }
)


def report(
    skill: Skill | None, steps: Sequence[Mapping[str, JsonValue]], data: JsonObject, language: Language = "en"
) -> str:
    """Report by the skill's template, or of the last step with a result; empty if there is none.

    Tables, charts and files in a result were displayed when it arrived; without a template the report only refers to
    them.
    """
    template = skill.metadata.get("report") if skill is not None else None
    if isinstance(template, str) and template.strip():
        return _filled(template, data)
    for step in reversed(steps):
        value = data.get(str(step.get("saved")))
        if step.get("ask") or value in (None, "", [], {}):
            continue
        rest, seen = _unseen(value)
        parts = [f"**{step.get('title')}**", markdown(rest) if rest not in ({}, None) else "", _above(seen, language)]
        return "\n\n".join(part for part in parts if part)
    return ""


def _unseen(value: JsonValue) -> tuple[JsonValue, list[str]]:
    if not isinstance(value, Mapping):
        return value, []
    seen = [key for key, item in value.items() if key in _SEEN and isinstance(item, Mapping | list | tuple) and item]
    return {key: item for key, item in value.items() if key not in seen}, seen


def _above(seen: Sequence[str], language: Language) -> str:
    if not seen:
        return ""
    names = dict.fromkeys(_SEEN[key][language == "zh"] for key in seen)
    return say("seen_above", language, what=("、" if language == "zh" else ", ").join(names))


def markdown(value: JsonValue, depth: int = 0) -> str:
    """Any JSON as Markdown: a table where the value is one, otherwise a list, text unchanged."""
    if isinstance(value, str):
        return value
    if value is None or isinstance(value, bool | int | float):
        return _cell(value)
    if isinstance(value, Mapping):
        return _object(value, depth)
    rows = list(value)
    if rows and all(isinstance(row, Mapping) for row in rows):
        return _table([row for row in rows if isinstance(row, Mapping)])
    return "\n".join(f"- {markdown(row, depth + 1) if depth < _DEPTH else _cell(row)}" for row in rows[:_ROWS])


def _object(value: Mapping[str, JsonValue], depth: int) -> str:
    if len(value) == 1:
        (only,) = value.values()
        if isinstance(only, str) or (not isinstance(only, bool | int | float) and only):
            return markdown(only, depth)
    lines = []
    for key, item in value.items():
        if isinstance(item, Mapping | Sequence) and not isinstance(item, str) and item and depth < _DEPTH:
            lines.append(f"- **{key}**:\n\n{markdown(item, depth + 1)}\n")
        else:
            lines.append(f"- **{key}**: {_cell(item)}")
    return "\n".join(lines)


def _table(rows: Sequence[Mapping[str, JsonValue]]) -> str:
    columns = list(dict.fromkeys(key for row in rows for key in row))[:12]
    lines = ["| " + " | ".join(columns) + " |", "|" + "---|" * len(columns)]
    lines += ["| " + " | ".join(_cell(row.get(key)) for key in columns) + " |" for row in rows[:_ROWS]]
    if len(rows) > _ROWS:
        lines.append(f"\n… {len(rows)}")
    return "\n".join(lines)


def _cell(value: JsonValue) -> str:
    if value is None:
        return "–"
    if isinstance(value, Mapping) or (isinstance(value, Sequence) and not isinstance(value, str)):
        return f"({len(value)})"
    return str(value).replace("|", "\\|").replace("\n", " ")


def _filled(template: str, data: JsonObject) -> str:
    """Replace each `{$.path}` in the template; nothing else in it is special.

    A line that has only placeholders without a value is left out: the step that would have filled it was skipped.
    """
    found = {path: _looked_up(path, data) for path in dict.fromkeys(_PLACE.findall(template))}
    lines = [line for line in template.splitlines() if not _is_empty(line, found)]
    text = _PLACE.sub(lambda place: markdown(found[place[1]]), "\n".join(lines))
    return _BLANKS.sub("\n\n", text).strip()


def _is_empty(line: str, found: Mapping[str, JsonValue]) -> bool:
    places = _PLACE.findall(line)
    return bool(places) and not _PLACE.sub("", line).strip() and all(found[one] in (None, "") for one in places)


def _looked_up(path: str, data: JsonObject) -> JsonValue:
    """Value of a path, resolved through a one-step plan: the same language and limits as in plans."""
    names = [name for name in data if name not in ("inputs", "message", "profile")]
    step: JsonObject = {"id": _ASKS, "ask": _ASKS, "show": {_ASKS: path}}
    reading = read_plan({"goal": _ASKS, "steps": [step], "given": names})
    if reading.plan is None:  # the path is invalid or names a step without a result
        return None
    move = next_move(Run.start(reading.plan, data))
    return move.show.get(_ASKS) if isinstance(move, Ask) and isinstance(move.show, Mapping) else None
