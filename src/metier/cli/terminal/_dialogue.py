"""A turn on a terminal: events as lines, and questions answered on the spot."""

import json
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import typer

from metier.cli.terminal._output import escape_control_chars, print_failure, print_note
from metier.cli.terminal._words import say, say_in
from metier.json_values import JsonInvalid, load_json
from metier.language import language_of

if TYPE_CHECKING:
    from metier.json_values import JsonObject, JsonValue
    from metier.language import Language
    from metier.store import Event

_MAX_ROWS = 6
_FORM_FIELDS = 2  # a form with one field takes plain words
_MARKS: Mapping[str, str] = {"done": "✓", "failed": "✗", "skipped": "–", "retried": "↻"}
_TASK_MARKS: Mapping[str, str] = {**_MARKS, "running": "▸", "stopped": "–", "unavailable": "✗"}

_DECISIONS: Final[Mapping[str, str]] = MappingProxyType(
    {"report": "judged_report", "patch": "judged_patch", "replan": "judged_replan", "halt": "judged_halt"}
)


def print_event(event: "Event") -> None:
    """Print an event as one line of JSON."""
    typer.echo(json.dumps(event.to_json(), ensure_ascii=False, default=dict))


@dataclass(slots=True)
class Screen:
    """Prints a turn: the assistant's text on stdout, progress on stderr."""

    write_text: Callable[[str], None] = lambda text: typer.echo(escape_control_chars(text), nl=False)
    write_block: Callable[[str], None] = lambda text: typer.echo(escape_control_chars(text))
    write_note: Callable[[str], None] = print_note
    conversation: str = ""
    skill_tool: str = "use_skill"
    show_reasoning: bool = False
    pause: "JsonObject | None" = None
    failed: bool = False
    skill: str = ""
    files: list[str] = field(default_factory=list)
    _streamed: bool = field(default=False, init=False)

    async def follow(self, events: "AsyncIterator[Event]") -> None:
        """Print all events; afterwards `pause` is the open question, or None."""
        self.pause, self.failed, self._streamed = None, False, False
        async for event in events:
            self.conversation = event.conversation
            if event.kind == "turn.done":
                self.skill = str(event.data.get("skill") or "")
            elif event.kind in ("file", "image"):
                self.files.append(str(event.data.get("path")))
            self._show_event(event.kind, event.data)

    def _show_event(self, kind: str, data: "JsonObject") -> None:
        if kind == "text.delta":
            self._streamed = True
            self.write_text(str(data["text"]))
        elif kind == "text.done":
            self._finish_text(str(data["text"]))
        elif kind == "reasoning.done":
            self._show_reasoning(data)
        elif kind == "pause.opened":
            self.pause = data
        elif kind in ("table", "chart", "map"):
            self._show_artifact(kind, data)
        elif kind == "turn.failed":
            self.failed = True
            print_failure(str(data.get("code")), str(data.get("message")), str(data.get("hint") or ""), self.write_note)
        elif kind == "tool.called":
            self._show_call(data)
        elif line := _describe_event(kind, data):
            self.write_note(line)

    def _show_call(self, data: "JsonObject") -> None:
        """Show a tool call, unless a step of the plan shows it or it only chooses a skill."""
        if "step" not in data and data.get("tool") != self.skill_tool:
            self.write_note(f"  → {data['tool']}")

    def _show_reasoning(self, data: "JsonObject") -> None:
        """Show what the model thought, as notes: it is no part of the answer."""
        elapsed_ms = data.get("elapsed_ms")
        seconds = elapsed_ms / 1000 if isinstance(elapsed_ms, int | float) else 0.0
        self.write_note(say("thought", seconds=f"{seconds:.1f}"))
        for line in str(data["text"]).splitlines() if self.show_reasoning else ():
            self.write_note(f"  │ {line}")

    def _show_artifact(self, kind: str, data: "JsonObject") -> None:
        from metier.event_text import render_chart, render_map, render_table

        if kind == "map":
            text = render_map(data)
        else:
            text = render_table(data, _MAX_ROWS) if kind == "table" else render_chart(data, _MAX_ROWS)
        if text:
            self.write_block(f"{text}\n")

    def _finish_text(self, text: str) -> None:
        if self._streamed:
            self.write_text("\n")
        elif text:
            self.write_block(text)
        self._streamed = False


def _describe_event(kind: str, data: "JsonObject") -> str:
    """Describe an event in one short line; empty for events that are not shown."""
    if kind == "skill.activated":
        return f"◆ {data['title']}"
    if kind == "tasks":
        return _describe_tasks(data)
    if kind == "fact.saved":
        return f"  • {data['title']}: {data['label']}"
    if kind == "skill.left":
        return f"◇ {data['title']}"
    if kind == "step.done":
        if data["state"] == "skipped":  # a step of another branch says nothing
            return ""
        return f"  {_MARKS.get(str(data['state']), '·')} {data['title'] or data['step']}"
    if kind == "tool.violation":
        return f"  ! {data['tool']}: {data['reason']}"
    if kind == "milestone.failed":
        return f"  ! {data['milestone']}: {data['reason']}"
    if kind == "error":
        return f"  ! {data.get('message') or data.get('code')}"
    return _describe_flow_event(kind, data)


def _describe_flow_event(kind: str, data: "JsonObject") -> str:
    """Goals, nodes and judgements of a deep run, one line each."""
    if kind == "flow.planned":
        goals = data.get("goals")
        listed = [one for one in goals if isinstance(one, Mapping)] if isinstance(goals, list) else []
        return "\n".join(f"◎ {data['round']}.{one['dag']} {one['text']}" for one in listed)
    if kind == "flow.node":
        mark = "✗" if data["state"] == "failed" else "✓"
        return f"  {mark} {data['node']} {data['title']} {data['error']}".rstrip()
    if kind == "reflect":
        reason = str(data["reason"])
        return f"↺ {say_in(language_of(reason), _DECISIONS[str(data['decision'])], reason=reason)}"
    return ""


def _describe_tasks(data: "JsonObject") -> str:
    """Several tasks in one line: `✓ first → ▸ second`."""
    listed = data.get("tasks")
    tasks = [one for one in listed if isinstance(one, Mapping)] if isinstance(listed, list) else []
    return "☰ " + " → ".join(f"{_TASK_MARKS.get(str(one['state']), '·')} {one['title']}" for one in tasks)


def print_question(pause: "JsonObject", write: Callable[[str], None]) -> None:
    """Print a question with its data, its choices and the calls that wait for it."""
    from metier.event_text import render_calls, render_shown
    from metier.events import MESSAGE_PURPOSES

    if pause.get("purpose") not in MESSAGE_PURPOSES:  # their text was printed already
        write(str(pause.get("text", "")))

    listed = render_calls(pause)
    for number, text in enumerate(listed, 1):  # each of several is shown whole when it is asked about
        write(text if len(listed) == 1 else f"{number}. {text.splitlines()[0]}")
    rows = pause.get("chosen_rows")
    if isinstance(rows, list) and rows:
        ids = list_rows(pause)
        numbers = ", ".join(str(ids.index(str(one)) + 1) for one in rows if str(one) in ids)
        write(say("chosen_rows", rows=numbers))
    if pause.get("in_doubt"):
        write(say("in_doubt"))
    shown = pause.get("show")
    if shown is not None:
        write(render_shown(shown))
    for label, value in _list_known(pause):
        write(f"  {label}: {value}")
    for number, choice in enumerate(_as_mappings(pause.get("choices")), 1):
        write(f"  {number}. {choice.get('text')}")


def read_answer(pause: "JsonObject", ask: Callable[[str], str]) -> "tuple[bool, JsonValue]":
    """Ask on the terminal. Returns (True, answer), or (False, text) if the text is no valid answer."""
    if pause.get("kind") == "parameters":
        return _read_form(pause, ask)
    if pause.get("kind") in ("approval", "exception"):
        calls = _as_mappings(pause.get("calls"))
        return _read_decisions(pause, calls, ask) if len(calls) > 1 else _read_decision("", list_rows(pause), ask)
    typed = ask("> ").strip()
    choices = _as_mappings(pause.get("choices"))
    if typed.isdecimal() and 1 <= int(typed) <= len(choices):
        return True, choices[int(typed) - 1].get("value")
    return False, typed


def suggest_answer(pause: "JsonObject", language: "Language") -> tuple[str, str]:
    """An answer that fits, as it can be typed, and a note on other answers; the note may be empty."""
    if pause.get("kind") in ("approval", "exception"):
        return say_in(language, "answer_yes"), say_in(language, "answer_decision")
    if choices := _as_mappings(pause.get("choices")):
        return str(choices[0].get("text")), say_in(language, "answer_choice")
    schema = pause.get("schema")
    fields = schema.get("properties") if isinstance(schema, Mapping) else None
    if not isinstance(fields, Mapping) or len(fields) < _FORM_FIELDS:
        return say_in(language, "answer_text"), ""
    known = {name: value for name, value in _read_known(pause).items() if name in fields}
    if not known:
        return json.dumps(dict.fromkeys(fields, "…"), ensure_ascii=False), say_in(language, "answer_form")
    open_fields = {name: "…" for name in _list_required(pause) if name not in known}
    others = [name for name in fields if name not in known and name not in open_fields]
    note = say_in(language, "answer_form_known", others=", ".join(others) or "–")
    return json.dumps({**known, **open_fields}, ensure_ascii=False), note


def list_rows(pause: "JsonObject") -> list[str]:
    """Ids of the rows that can be chosen, if the question is about one call with such a preview."""
    calls = _as_mappings(pause.get("calls"))
    return _list_call_rows(calls[0]) if len(calls) == 1 else []


def _read_decisions(
    pause: "JsonObject", calls: "Sequence[Mapping[str, JsonValue]]", ask: Callable[[str], str]
) -> "tuple[bool, JsonValue]":
    """Show and ask about one call after the other; the answer has a decision for each."""
    from metier.event_text import render_calls

    decisions: dict[str, JsonValue] = {}
    for number, (call, text) in enumerate(zip(calls, render_calls(pause), strict=True), 1):
        fits, decision = _read_decision(f"\n{text}\n\n{number}/{len(calls)} ", _list_call_rows(call), ask)
        if not fits:
            return False, decision
        decisions[str(call.get("id"))] = decision
    return True, {"decisions": decisions}


def _read_decision(intro: str, rows: Sequence[str], ask: Callable[[str], str]) -> "tuple[bool, JsonValue]":
    way = say("ask_rows", count=len(rows)) if rows else say("ask_call")
    return _parse_decision(ask(f"{intro}{way}").strip(), rows)


def _list_call_rows(call: "Mapping[str, JsonValue]") -> list[str]:
    preview = call.get("preview")
    if not isinstance(preview, Mapping) or not preview.get("chosen_as"):
        return []
    return [str(one.get("id")) for one in _as_mappings(preview.get("rows"))]


def parse_rows(typed: str, rows: Sequence[str]) -> "list[JsonValue] | None":
    """Rows by their numbers, as `1,3-5`; None if the text is something else or a number is out of range."""
    chosen: dict[int, None] = {}
    for part in typed.replace("，", ",").replace("、", ",").split(","):
        first, _, last = part.strip().partition("-")
        if not (first.isdecimal() and (last or first).isdecimal()):
            return None
        chosen.update(dict.fromkeys(range(int(first), int(last or first) + 1)))
    if not chosen or min(chosen) < 1 or max(chosen) > len(rows):
        return None
    return [{"id": rows[at - 1]} for at in chosen]


def _parse_decision(typed: str, rows: Sequence[str] = ()) -> "tuple[bool, JsonValue]":
    if rows and (chosen := parse_rows(typed, rows)) is not None:
        return True, {"decision": "approve", "rows": chosen}
    if typed.casefold() in ("y", "yes", "是", "同意"):
        return True, {"decision": "approve"}
    if typed.casefold() in ("n", "no", "否", "不"):
        return True, {"decision": "reject"}
    try:
        edited = load_json(typed)
    except JsonInvalid:
        return False, typed
    return (True, {"decision": "edit", "arguments": edited}) if isinstance(edited, Mapping) else (False, typed)


def _read_form(pause: "JsonObject", ask: Callable[[str], str]) -> "tuple[bool, JsonValue]":
    """Ask field by field; an empty line keeps what is known.

    If every line is empty, the form is sent if nothing that it needs is missing, else dismissed with None.
    """
    known = _read_known(pause)
    given: dict[str, JsonValue] = {}
    for name, label, options, about in _list_fields(pause):
        listed = f" ({' / '.join(options)})" if options else ""
        kept = f" [{_label_value(known[name], options)}]" if name in known else ""
        typed = ask(f"{label}{listed}{kept}: ").strip()
        if typed:
            given[name] = options[typed] if typed in options else _parse_value(typed, about)
    asked = {name for name, *_ in _list_fields(pause)}
    filled = {**{name: value for name, value in known.items() if name in asked}, **given}
    is_whole = bool(known) and all(name in filled for name in _list_required(pause))
    return True, filled if given or is_whole else None


def _list_fields(
    pause: "JsonObject",
) -> "Iterator[tuple[str, JsonValue, dict[str, JsonValue], Mapping[str, JsonValue]]]":
    """Name, label, options by their labels, and schema of each field of a form."""
    schema = pause.get("schema")
    properties = schema.get("properties") if isinstance(schema, Mapping) else None
    made = pause.get("form")
    fields = {one.get("name"): one for one in _as_mappings(made.get("fields") if isinstance(made, Mapping) else None)}
    for name, one in (properties if isinstance(properties, Mapping) else {}).items():
        about = one if isinstance(one, Mapping) else {}
        field = fields.get(name, {})
        label = field.get("title") or about.get("title") or about.get("description") or name
        options = {str(option.get("label")): option.get("value") for option in _as_mappings(field.get("options"))}
        yield name, label, options, about


def _list_known(pause: "JsonObject") -> "Iterator[tuple[JsonValue, JsonValue]]":
    """Label and value of each field of a form that is filled in already."""
    known = _read_known(pause)
    for name, label, options, _ in _list_fields(pause):
        if name in known:
            yield label, _label_value(known[name], options)


def _read_known(pause: "JsonObject") -> "Mapping[str, JsonValue]":
    known = pause.get("known") if pause.get("kind") == "parameters" else None
    return known if isinstance(known, Mapping) else {}


def _list_required(pause: "JsonObject") -> list[str]:
    schema = pause.get("schema")
    listed = schema.get("required") if isinstance(schema, Mapping) else None
    return [str(one) for one in listed] if isinstance(listed, Sequence) and not isinstance(listed, str) else []


def _label_value(value: "JsonValue", options: "Mapping[str, JsonValue]") -> "JsonValue":
    return next((label for label, one in options.items() if one == value), value)


def _parse_value(text: str, schema: "Mapping[str, JsonValue]") -> "JsonValue":
    if schema.get("type") in (None, "string"):
        return text
    if schema.get("type") == "array" and not text.startswith("["):
        return [part.strip() for part in text.replace("，", ",").replace("、", ",").split(",") if part.strip()]
    try:
        return load_json(text)
    except JsonInvalid:
        return text


def _as_mappings(value: "JsonValue") -> "Sequence[Mapping[str, JsonValue]]":
    listed = value if isinstance(value, Sequence) and not isinstance(value, str) else []
    return [one for one in listed if isinstance(one, Mapping)]


def is_terminal() -> bool:
    """Whether stdin and stdout are terminals, so that a person can answer."""
    return sys.stdin.isatty() and sys.stdout.isatty()
