"""Answers to a pause: validates a structured answer, or reads one from the words of a message."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from metier.agent.adapters import hesitates, is_only_hesitation, match_text, read_ordinal, read_reply
from metier.agent.turn.answers._control import is_no_answer
from metier.agent.turn.answers._decisions import parse_decision
from metier.agent.turn.answers._form_words import fill_form
from metier.agent.turn.answers._values import (
    NO_ANSWER,
    STRIP_CHARS,
    ReadAnswer,
    answer_problems,
    find_decision,
    parse_free_text,
)
from metier.errors import InvalidInput
from metier.json_values import JsonValue
from metier.patterns import compile_later
from metier.questions import read_subject
from metier.store import Pause
from metier.textsearch import to_simplified
from metier.tools import ArgumentProblem, preview_from_json

_FORMS: Final = ("fill", "parameters", "profile", "facts")  # purposes of a pause that shows a form
_MAX_PROBLEMS: Final = 5
_MAX_WORDS_CHARS: Final = 2000  # longer words name no choice and are neither yes nor no
_MAX_NUMBER_CHARS: Final = 3
_SAMPLE: Final = compile_later(r"示例|样例|例子|\b(?:sample|example)s?\b", re.IGNORECASE)


def validate_answer(pause: Pause, answer: JsonValue) -> JsonValue:
    """Return the answer if it matches the schema; raises `InvalidInput` otherwise, and the pause stays open.

    The text of a choice is accepted in place of its value; other words are read by `read_words` before.
    """
    choice = _match_choice(pause, answer) if isinstance(answer, str) else NO_ANSWER
    value: JsonValue = answer if choice is NO_ANSWER else choice
    problems = answer_problems(pause.schema, value)
    if problems:
        texts = [str(one["text"]) for one in get_choices(pause)]
        hint = f"one of: {', '.join(texts)}" if texts else "see the schema of the pause"
        raise InvalidInput(f"the answer does not fit: {'; '.join(map(str, problems))}", hint=hint)
    if wrong := tuple(_row_problems(pause, value)):
        told = "; ".join(map(str, wrong[:_MAX_PROBLEMS]))
        raise InvalidInput(f"the chosen rows do not fit: {told}", hint="the question stays open; mend the named rows")
    return value


def read_words(pause: Pause, answer: JsonValue) -> JsonValue:
    """What words mean as an answer, as in a message: yes and no, the only field of a form; anything else as it is.

    They are read before anybody asks who may answer: a yes in words needs the right that an approval needs.
    """
    if not isinstance(answer, str) or len(answer) > _MAX_WORDS_CHARS or not answer_problems(pause.schema, answer):
        return answer
    fits, read = answer_in_words(pause, answer)
    return read if fits else answer


def _row_problems(pause: Pause, answer: JsonValue) -> Iterator[ArgumentProblem]:
    """What is wrong with the rows that an approval chooses and edits, by call."""
    listed = pause.payload.get("calls")
    for call in listed if isinstance(listed, list) else ():
        table = call.get("preview") if isinstance(call, Mapping) else None
        decision = find_decision(str(call.get("id")), answer) if isinstance(call, Mapping) else {}
        rows = decision.get("rows")
        if isinstance(table, Mapping) and isinstance(rows, list):
            yield from preview_from_json(table).find_problems([one for one in rows if isinstance(one, Mapping)])


def answer_in_words(pause: Pause, message: str) -> tuple[bool, JsonValue]:
    """Whether a message answers the pause, and the answer. An ambiguous message is not an answer.

    Beside choices, only words that match the `pattern` of the answer's schema are one: others may be a change of mind.
    What is no answer as it was typed is read in simplified characters, in which choices are written.
    """
    answered = _read_answer(pause, message)
    simplified = to_simplified(message)
    return answered if answered[0] or simplified == message else _read_answer(pause, simplified)


def _read_answer(pause: Pause, message: str) -> tuple[bool, JsonValue]:
    if is_only_hesitation(message):
        return False, None
    said = message.strip().strip(STRIP_CHARS)
    decided = f"{said}…" if hesitates(message) else said  # whoever hesitates has not said yes
    purpose = pause.payload.get("purpose")
    found = _match_choice(pause, said.strip("…"))
    if found is True and decided is not said:
        found = NO_ANSWER
    if found is NO_ANSWER and purpose in ("approve", "exception"):
        found = parse_decision(pause, decided)
    if found is NO_ANSWER and purpose in _FORMS:
        found = fill_form(pause, message.strip(), said, decided)
    takes_words = not get_choices(pause) or (pause.schema.get("type") == "string" and "pattern" in pause.schema)
    steers = is_no_answer(message, str(pause.payload.get("text", "")))
    if found is NO_ANSWER and purpose in ("ask", "ask_user") and takes_words and not steers:
        found = parse_free_text(pause.schema, message.strip())
    if found is NO_ANSWER or answer_problems(pause.schema, found):
        return False, None
    return True, found


def get_choices(pause: Pause) -> Sequence[Mapping[str, JsonValue]]:
    listed = pause.payload.get("choices")
    return [one for one in listed if isinstance(one, Mapping)] if isinstance(listed, list) else []


def describe_answer(pause: Pause, value: JsonValue) -> str:
    """Answer as text for the message history."""
    for choice in get_choices(pause):
        if choice.get("value") == value and type(choice.get("value")) is type(value):
            return str(choice.get("text"))
    if isinstance(value, Mapping):
        return "; ".join(f"{key}: {item}" for key, item in value.items())
    return str(value)


def _match_choice(pause: Pause, said: str) -> ReadAnswer:
    """Value of the choice that the text names: by its text, its value, its number, or yes and no."""
    if len(said) > _MAX_WORDS_CHARS:
        return NO_ANSWER
    choices = get_choices(pause)
    key = said.strip().strip(STRIP_CHARS).casefold()
    for choice in choices:
        if key == str(choice.get("text", "")).strip(STRIP_CHARS).casefold() or (
            key and key == str(choice.get("value")).casefold()
        ):
            return choice.get("value")
    if (
        key.isdecimal()
        and len(key) <= _MAX_NUMBER_CHARS
        and 1 <= int(key) <= len(choices)
        and not _has_numeric_values(choices)
    ):
        return choices[int(key) - 1].get("value")
    values = [choice.get("value") for choice in choices]
    if values and all(isinstance(value, bool) for value in values):
        assent = read_reply(said, str(pause.payload.get("text", "")))
        return NO_ANSWER if assent is None else assent == "yes"
    if len(values) == 2 and values[1] == "" and (assent := read_reply(said, str(pause.payload.get("text", "")))):
        return values[0] if assent == "yes" else ""
    texts = [str(choice.get("text", "")) for choice in choices]
    place = read_ordinal(said, len(choices)) if choices else None
    # 台账 may be one's own, and no word for the only thing that is offered: 用示例台账.
    is_vague = len(texts) == 1 and _SAMPLE.search(texts[0]) is not None and _SAMPLE.search(said) is None
    place = match_text(said, texts) if place is None and not is_vague else place
    if place is None and (subject := read_subject(said)):  # 那2号呢, "and pump 1?": of what is offered, that one
        place = match_text(subject, texts)
    return NO_ANSWER if place is None else choices[place].get("value")


def _has_numeric_values(choices: Sequence[Mapping[str, JsonValue]]) -> bool:
    return any(isinstance(one.get("value"), int) and not isinstance(one.get("value"), bool) for one in choices)
