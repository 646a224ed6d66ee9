"""Dead ends: steps after which the person is no further than before, although the product offered them."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from metier.agent import find_dead_end_sentence
from metier.json_values import JsonObject, JsonValue
from metier.language import Language, choose, language_of, read_language_wish
from metier.testing.journeys._journey import DeadEndKind
from metier.testing.journeys._visit import StepRecord, Visit

_KIND_OF_SENTENCE: Final[Mapping[str, DeadEndKind]] = MappingProxyType(
    {
        "no_model": "needs_model",
        "no_steps": "needs_model",
        "step_needs_model": "needs_model",
        "again": "not_understood",
        "empty_answer": "empty",
    }
)
_CONTENT_KINDS: Final = ("text.done", "pause.opened", "table", "chart", "image", "file")
_MAX_QUOTE: Final = 160
_MAX_NAMED_CHARS: Final = 16
_NUMBER: Final = re.compile(r"[\d.,]+")
# A person reads a line as English if it has four words in a row, none of which is a name in capitals.
_ENGLISH: Final = re.compile(r"(?<![\w/`.-])(?:(?:[a-z]{2,}|[A-Z][a-z]{2,})[,;]?\s+){3,}[a-z]{2,}(?![\w/`-])")
_CHINESE: Final = re.compile(r"[\u4e00-\u9fff]{2,}[^\n]{0,40}")


@dataclass(frozen=True, slots=True)
class DeadEnd:
    """Why a step is a dead end: a kind for programs, a sentence for people."""

    kind: DeadEndKind
    why: str

    def to_json(self) -> JsonObject:
        return {"kind": self.kind, "why": self.why}


def find_dead_ends(visit: Visit, record: StepRecord, language: Language | None = None) -> tuple[DeadEnd, ...]:
    """Find what makes the last step of a visit a dead end; with a language, also texts that are not in it."""
    if record.action.kind in ("attach", "restart", "tomorrow") and record.error is None:
        return ()
    found = [*_find_errors(record), *_find_sentences(record), *_find_repeated_questions(visit, record)]
    is_stopped = any(one.get("code") == "stopped" for one in record.data_of("error"))
    if not found and not is_stopped and not any(_has_content(event.kind, event.data) for event in record.events):
        found.append(DeadEnd("empty", "nothing was said, shown or asked"))
    if language is not None:
        found += _find_other_language(record, read_language_wish(record.action.say or "") or language)
    return tuple(found)


def find_strayed(visit: Visit, record: StepRecord, before: Mapping[str, JsonValue], chip: str) -> tuple[DeadEnd, ...]:
    """Find why a suggestion does not follow from what was on the screen: it led to another thing, or said it again.

    `before` are the facts as they were when the suggestion was made. A fact may change to a short value that the
    suggestion itself names, or to one that shares words with the value before.
    """
    labels = {str(one.get("name")): str(one.get("label") or "") for one in record.data_of("fact.saved")}
    found = [
        DeadEnd("other_topic", f"{name} was {_quote(str(old))}, and is {_quote(str(visit.facts[name]))}")
        for name, old in before.items()
        if visit.facts.get(name, old) != old
        and not _is_related(str(old), (str(visit.facts[name]), labels.get(name, "")), chip)
    ]
    earlier = visit.records[visit.records.index(record) - 1] if record in visit.records[1:] else None
    if earlier is not None and record.text.strip() and _show(record) == _show(earlier):
        found.append(DeadEnd("said_before", f"says again: {_quote(record.text)}"))
    return tuple(found)


def _is_related(old: str, new: tuple[str, str], chip: str) -> bool:
    """Whether a new value is named by the suggestion, itself or by its label, or shares words with the old one."""
    for named in (new[0].replace("_", " ").casefold(), new[1].casefold()):
        if 0 < len(named) <= _MAX_NAMED_CHARS and named in chip.casefold():
            return True
    pairs = [{text[at : at + 3].casefold() for at in range(len(text) - 2)} for text in (old, new[0])]
    return bool(pairs[0] & pairs[1])


def _show(record: StepRecord) -> tuple[str, ...]:
    """What a step shows, without figures that differ each time: its words, and what its tables and files are called."""
    shown = [
        str(one.get("title") or one.get("name") or one) for one in record.data_of("table", "chart", "file", "image")
    ]
    return (_NUMBER.sub("", " ".join(record.text.split())), *shown)


def _find_errors(record: StepRecord) -> Iterator[DeadEnd]:
    if record.error is not None:
        hint = f" ({record.error.hint})" if record.error.hint else ""
        yield DeadEnd("error", f"{record.error.code}: {record.error.message}{hint}")
    for event in record.events:
        failed = event.kind == "tool.result" and event.data.get("state") in ("failed", "invalid")
        stopped = event.data.get("code") == "stopped" and record.action.stop_at
        if event.kind in ("error", "turn.failed") and not stopped:
            yield DeadEnd("error", f"{event.data.get('code')}: {event.data.get('message')}")
        elif failed:
            error = event.data.get("error")
            message = error.get("message") if isinstance(error, Mapping) else "no reason given"
            yield DeadEnd("error", f"tool {event.data.get('tool')} failed: {message}")


def _find_sentences(record: StepRecord) -> Iterator[DeadEnd]:
    for one in record.data_of("text.done"):
        text = str(one.get("text", ""))
        code = find_dead_end_sentence(text)
        if code is not None:
            yield DeadEnd(_KIND_OF_SENTENCE.get(code, "not_understood"), _quote(text))


def _find_repeated_questions(visit: Visit, record: StepRecord) -> Iterator[DeadEnd]:
    """A form that asks for what an earlier call already had, or the question that was answered just now."""
    known = _list_known_arguments(visit, before=record)
    for pause in record.data_of("pause.opened"):
        for name in _list_missing(pause):
            if name in known:
                yield DeadEnd("asks_again", f"asks for {name!r}, which is {known[name]!r} since an earlier step")
    answered = [one.get("pause") for one in record.data_of("pause.answered") if not one.get("cancelled")]
    texts = {one.get("pause"): one.get("text") for older in visit.records for one in older.data_of("pause.opened")}
    for pause in record.data_of("pause.opened"):
        if pause.get("text") and pause.get("text") in {texts.get(one) for one in answered}:
            yield DeadEnd("asks_again", f"asks the question again that was answered: {_quote(str(pause['text']))}")


def _list_known_arguments(visit: Visit, before: StepRecord) -> dict[str, JsonValue]:
    known: dict[str, JsonValue] = {}
    for record in visit.records:
        if record is before:
            break
        for call in record.data_of("tool.called"):
            arguments = call.get("arguments")
            given = arguments if isinstance(arguments, Mapping) else {}
            known.update({name: value for name, value in given.items() if isinstance(value, str) and value})
    return known


def _list_missing(pause: JsonObject) -> Sequence[str]:
    missing = pause.get("missing")
    named = [str(one) for one in missing] if isinstance(missing, Sequence) and not isinstance(missing, str) else []
    return named if pause.get("purpose") in ("fill", "parameters") else []


def _find_other_language(record: StepRecord, language: Language) -> Iterator[DeadEnd]:
    pattern = choose(language, en=_CHINESE, zh=_ENGLISH)
    for text in dict.fromkeys(_list_texts(record, language)):
        hit = pattern.search(text) if choose(language, en=True, zh=language_of(text) != language) else None
        if hit is not None:
            yield DeadEnd("other_language", f"not in {language}: {_quote(hit[0])}")


def _list_texts(record: StepRecord, language: Language) -> Iterator[str]:
    """Every text of the events that a person reads."""
    for event in record.events:
        if event.kind == "text.done":
            yield from str(event.data.get("text", "")).splitlines()
        elif event.kind in _READ_KINDS:
            yield from _walk_texts(event.data, language)


def _walk_texts(value: JsonValue, language: Language, name: str = "") -> Iterator[str]:
    """Texts below the names that people read; below a list of rows or details all of them."""
    if isinstance(value, str) and name in _READ_NAMES:
        yield value
    elif isinstance(value, Mapping):
        shown = {language: value[language]} if value.keys() == {"zh", "en"} else value  # the page chooses one
        for key, below in shown.items():
            if key not in _INTERNAL_NAMES and not isinstance(below, _NO_TEXTS):
                inner = name if name in _WHOLLY_READ or key == language else key
                yield from _walk_texts(below, language, inner)
    elif isinstance(value, Sequence) and not isinstance(value, str):
        for one in value:
            if not isinstance(one, _NO_TEXTS):
                yield from _walk_texts(one, language, name)


_NO_TEXTS: Final = (float, int, type(None))  # most of what a map or a chart holds
_WHOLLY_READ: Final = frozenset({"rows", "details"})
_READ_NAMES: Final = _WHOLLY_READ | frozenset(
    {
        *("title", "text", "label", "note", "goal", "milestone", "suggestion", "measure", "placeholder"),
        *("description", "sentence", "preview_problem"),
    }
)
_INTERNAL_NAMES: Final = frozenset({"arguments", "schema", "key", "id"})
_READ_KINDS: Final = frozenset(
    {
        *("skill.activated", "plan.created", "step.started", "milestone.passed", "milestone.failed"),
        *("pause.opened", "tool.called", "tool.progress", "table", "chart", "map", "file", "suggestions"),
        *("fact.saved",),
    }
)


def _has_content(kind: str, data: JsonObject) -> bool:
    return kind in _CONTENT_KINDS and (kind != "text.done" or bool(str(data.get("text", "")).strip()))


def _quote(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _MAX_QUOTE else f"{line[:_MAX_QUOTE]}…"
