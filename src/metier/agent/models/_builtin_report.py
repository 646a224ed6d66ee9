"""Markdown reports without an LLM: from the skill's own template, or from the results themselves."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

from metier.agent.adapters import render_sentence
from metier.json_values import JsonObject, JsonValue, copy_json
from metier.language import Language, Sentences
from metier.limits import limit_steps
from metier.plans import DATA_ROOTS, AskUser, PlanRun, next_move, read_plan
from metier.skills import Skill
from metier.textsearch import has_cjk
from metier.visible_text import write_markdown_cell

# `{$.path}` in a skill's `metadata.report`; the path is JMESPath over the run's data, checked like one in a plan.
_PLACEHOLDER: Final = re.compile(r"\{(\$\.[^{}\n]{1,300})\}")
_FAILURE_CODE: Final = re.compile(r"^[a-z]+(?:_[a-z]+)*: ")  # of a tool's error, for programs
_HINTED: Final = re.compile(r"(?s)(?P<sentence>.+[。！？]) \((?P<hint>[^()]+)\)")  # as the error of a tool stands there
_MEANT: Final = re.compile(r"did you mean '([^'\n]+)'\?")
_BLANKS: Final = re.compile(r"\n{3,}")
_SENTENCES: Final = Sentences({"meant": ("Did you mean {name}?", "是不是 {name}？")})
_MAX_ROWS: Final = 20
_MAX_DEPTH: Final = 3
_MAX_REPORT_CHARS: Final = 200_000
_PROBE_NAME: Final = "report"
# Keys of a result that were displayed to the user when it arrived.
DISPLAYED_KEYS: Final = frozenset(
    {"table", "tables", "chart", "charts", "map", "maps", "image", "images", "file", "files"}
)


def render_plan_report(told: Mapping[str, Any], skill: Skill | None, language: Language) -> str:
    """Report of a finished plan; `told` has its goal, the steps that are done, and the data of the run."""
    found = render_report(skill, told.get("steps", ()), told.get("data", {}), language)
    head = render_sentence("finished", language, goal=told.get("goal", ""))
    if skill is not None and isinstance(skill.metadata.get("report"), str):
        return found or render_said(told, language)
    return f"{head}\n\n{found}" if found else head


def render_said(told: Mapping[str, Any], language: Language) -> str:
    """Sentence where the template adds nothing: what the steps said when their results arrived is the report.

    It may have been a question or a refusal, so the sentence does not say that anything was done.
    """
    code = "said_above" if told.get("said") else "nothing_done"
    if _ended_by_no(told):
        code = "ended_by_no"
    return render_sentence(code, language, goal=told.get("goal", ""))


def _ended_by_no(told: Mapping[str, Any]) -> bool:
    """Whether the last step that was done is a question that was answered no."""
    steps = told.get("steps", ())
    last = steps[-1] if steps else {}
    return bool(last.get("ask")) and told.get("data", {}).get(last["saved"]) is False


def drop_said(report: str, said: Sequence[str]) -> str:
    """The report without paragraphs that a step of the plan has said, or that stand in it before."""
    seen = {one.strip() for text in said for one in text.split("\n\n")}
    left = []
    for one in report.split("\n\n"):
        if one.strip() not in seen:
            left.append(one)
            seen.add(one.strip())
    return "\n\n".join(left).strip()


def render_stop_report(told: Mapping[str, Any], language: Language) -> str:
    """Report of a stopped plan: why it stopped, and what was done before."""
    why = _tell_why(_FAILURE_CODE.sub("", str(told.get("why", ""))))
    text = render_sentence("stopped", language, goal=told.get("goal", ""), why=why)
    done = [str(step.get("title")) for step in told.get("steps", ())]
    return f"{text}\n\n{render_sentence('steps_done', language, steps=done)}" if done else text


def _tell_why(why: str) -> str:
    """Why a plan stopped, in one language: behind a Chinese sentence an English hint is translated or left out."""
    found = _HINTED.fullmatch(why)
    if found is None or not has_cjk(found["sentence"]) or has_cjk(found["hint"]):
        return why
    meant = _MEANT.fullmatch(found["hint"])
    return found["sentence"] + (_SENTENCES.render("meant", "zh", name=meant[1]) if meant else "")


def render_report(
    skill: Skill | None, steps: Sequence[Mapping[str, JsonValue]], data: JsonObject, language: Language = "en"
) -> str:
    """Report by the skill's template, or of the last step with a result; empty if there is none.

    Tables, charts and files in a result were displayed when it arrived; without a template the report only refers to
    them.
    """
    template = skill.metadata.get("report") if skill is not None else None
    if isinstance(template, str) and template.strip():
        return _fill_template(template, data)
    for step in reversed(steps):
        value = data.get(str(step.get("saved")))
        if step.get("ask") or value in (None, "", [], {}):
            continue
        rest, seen = _split_displayed(value)
        parts = [
            f"**{step.get('title')}**",
            to_markdown(rest) if rest not in ({}, None) else "",
            _displayed_note(seen, language),
        ]
        return "\n\n".join(part for part in parts if part)
    return ""


def _split_displayed(value: JsonValue) -> tuple[JsonValue, list[str]]:
    if not isinstance(value, Mapping):
        return value, []
    seen = [
        key
        for key, item in value.items()
        if key in DISPLAYED_KEYS and isinstance(item, Mapping | list | tuple) and item
    ]
    return {key: item for key, item in value.items() if key not in seen}, seen


def _displayed_note(seen: Sequence[str], language: Language) -> str:
    if not seen:
        return ""
    names = dict.fromkeys(render_sentence(f"displayed_{key.removesuffix('s')}", language) for key in seen)
    return render_sentence("seen_above", language, what=list(names))


def to_markdown(value: JsonValue, depth: int = 0) -> str:
    """Any JSON as Markdown: a table where the value is one, otherwise a list, text unchanged."""
    if isinstance(value, str):
        return value
    if value is None or isinstance(value, bool | int | float):
        return _cell_text(value)
    if isinstance(value, Mapping):
        return _object_to_markdown(value, depth)
    rows = list(value)
    if rows and all(isinstance(row, Mapping) for row in rows):
        return _table_to_markdown([row for row in rows if isinstance(row, Mapping)])
    return "\n".join(
        f"- {to_markdown(row, depth + 1) if depth < _MAX_DEPTH else _cell_text(row)}" for row in rows[:_MAX_ROWS]
    )


def _object_to_markdown(value: Mapping[str, JsonValue], depth: int) -> str:
    if len(value) == 1:
        (only,) = value.values()
        if isinstance(only, str) or (not isinstance(only, bool | int | float) and only):
            return to_markdown(only, depth)
    lines = []
    for key, item in value.items():
        if isinstance(item, Mapping | Sequence) and not isinstance(item, str) and item and depth < _MAX_DEPTH:
            lines.append(f"- **{key}**:\n\n{to_markdown(item, depth + 1)}\n")
        else:
            lines.append(f"- **{key}**: {_cell_text(item)}")
    return "\n".join(lines)


def _table_to_markdown(rows: Sequence[Mapping[str, JsonValue]]) -> str:
    columns = list(dict.fromkeys(key for row in rows for key in row))[:12]
    lines = ["| " + " | ".join(map(_cell_text, columns)) + " |", "|" + "---|" * len(columns)]
    lines += ["| " + " | ".join(_cell_text(row.get(key)) for key in columns) + " |" for row in rows[:_MAX_ROWS]]
    if len(rows) > _MAX_ROWS:
        lines.append(f"\n… {len(rows)}")
    return "\n".join(lines)


def _cell_text(value: JsonValue) -> str:
    if isinstance(value, Mapping) or (isinstance(value, Sequence) and not isinstance(value, str)):
        return f"({len(value)})"
    return write_markdown_cell(value)


def _fill_template(template: str, data: JsonObject) -> str:
    """Replace each `{$.path}` in the template; nothing else in it is special.

    A line that has only placeholders without a value is left out: the step that would have filled it was skipped.
    """
    with limit_steps():  # of all placeholders together; what is left without steps has no value
        copied = cast("JsonObject", copy_json(data))  # once: the results of a run may be megabytes
        found = {path: _look_up(path, copied) for path in dict.fromkeys(_PLACEHOLDER.findall(template))}
    lines = [line for line in template.splitlines() if not _is_empty_line(line, found)]
    left = _MAX_REPORT_CHARS

    def fill(place: re.Match[str]) -> str:
        nonlocal left
        text = to_markdown(found[place[1]])[: max(0, left)]
        left -= len(text)
        return text

    return _BLANKS.sub("\n\n", _PLACEHOLDER.sub(fill, "\n".join(lines))).strip()


def _is_empty_line(line: str, found: Mapping[str, JsonValue]) -> bool:
    places = _PLACEHOLDER.findall(line)
    return bool(places) and not _PLACEHOLDER.sub("", line).strip() and all(found[one] in (None, "") for one in places)


def _look_up(path: str, data: JsonObject) -> JsonValue:
    """Value of a path in plain JSON, resolved through a one-step plan: the same language and limits as in plans."""
    names = [name for name in data if name not in DATA_ROOTS]
    step: JsonObject = {"id": _PROBE_NAME, "ask": _PROBE_NAME, "show": {_PROBE_NAME: path}}
    reading = read_plan({"goal": _PROBE_NAME, "steps": [step], "given": names})
    if reading.plan is None:  # the path is invalid or names a step without a result
        return None
    move = next_move(PlanRun(reading.plan, data))
    return move.show.get(_PROBE_NAME) if isinstance(move, AskUser) and isinstance(move.show, Mapping) else None
