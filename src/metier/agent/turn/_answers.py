"""Answers to a pause: validates a structured answer, or reads one from the words of a message."""

import re
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from metier.agent.adapters import (
    cut_no_more,
    hesitates,
    is_dismissal,
    is_only_hesitation,
    match_text,
    read_assent,
    read_ordinal,
    read_reply,
)
from metier.agent.turn._call_answers import find_decision
from metier.agent.turn._row_choices import choose_preview_rows
from metier.errors import InvalidInput
from metier.json_values import JsonInvalid, JsonObject, JsonValue, load_json
from metier.limits import compile_pattern
from metier.store import Pause
from metier.tools import ArgumentProblem, argument_problems, preview_from_json

_STRIP_CHARS: Final = " \t\n。.!！~，,"
_TITLE_WORD: Final = re.compile(r"[A-Za-z]{3,}")
_TITLE_FILL: Final = re.compile(r"\b(?:the|them|it|these|those|this|that|now)\b|这些|它们|吧$", re.IGNORECASE)
_BIDS: Final = re.compile(r"吧$|\b(?:it|them|these|those)\b", re.IGNORECASE)
_EXPRESS: Final = re.compile(r"\b(?:yes|approved?|confirm(?:ed)?|agreed?)\b|(?<!不)(?:同意|批准|确认)", re.IGNORECASE)
_PARTS: Final = re.compile(r"[,，;；、\n]+|\s+and\s+")
_UNIT: Final = re.compile(r"\s*[（(]([^（）()]{1,12})[）)]")
# A field by its name and one exact value, a number with its unit or a code: bearing 6205, 转速1770转, 1770 rpm.
_NAMED_PART: Final = re.compile(
    r"(?P<lead>[^\d:：=]*?)\s*(?:[:：=]|是|为|\bis\b|型号)?\s*"
    r"(?:(?P<value>\d+(?:\.\d+)?)(?P<gap>\s*)(?P<unit>r/min|转/分钟?|转每分钟?|转|赫兹?|[a-z%°²]{1,6})?|"
    r"(?P<code>(?![1-9][\d.]*[-/]\d[\d.]*$)(?:[a-z]{1,3})?\d[a-z0-9]*(?:[./-][a-z0-9]+)*))",
    re.IGNORECASE | re.ASCII,
)
_VAGUE: Final = re.compile(r"-(?:ish|like|something|plus)$|\dx+$", re.IGNORECASE)  # 6205-ish, 62xx
_UNIT_NAMES: Final = MappingProxyType(
    {
        "r/min": "rpm",
        "转/分": "rpm",
        "转/分钟": "rpm",
        "转每分": "rpm",
        "转每分钟": "rpm",
        "转": "rpm",
        "赫": "hz",
        "赫兹": "hz",
    }
)
_CODE: Final = r"[a-z]{0,3}\d[\w./-]*"
# Nothing but a value that is denied, asked about or one of two: 不是6205, "6205 or 6206", 6205吗.
_NOT_SETTLED: Final = re.compile(
    rf"[^\d]{{0,12}}?(?:不是|不要|别|不超过|除了?|非|\b(?:not|never|except|anything but|other than)\b|n['’]t\b)"
    rf"[^\d]{{0,4}}{_CODE}|"
    rf"[^\d]{{0,12}}?{_CODE}\s*(?:吗|[?？])[?？]?|"
    rf"[^\d]{{0,12}}?{_CODE}\s*(?:还是|或者?|\bor\b)\s*{_CODE}\s*[吗?？]*",
    re.IGNORECASE | re.ASCII,
)
_NO_ANSWER: Final = object()
_MAX_PROBLEMS: Final = 5
_MIN_LABEL_CHARS: Final = 2
_MAX_WORDS_CHARS: Final = 2000  # longer words name no choice and are neither yes nor no
_MAX_NUMBER_CHARS: Final = 3


def validate_answer(pause: Pause, answer: JsonValue) -> JsonValue:
    """Return the answer if it matches the schema; raises `InvalidInput` otherwise, and the pause stays open.

    The text of a choice is accepted in place of its value; other words are read by `read_words` before.
    """
    choice = _match_choice(pause, answer) if isinstance(answer, str) else _NO_ANSWER
    value: JsonValue = answer if choice is _NO_ANSWER else choice  # type: ignore[assignment]
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
    """
    if is_only_hesitation(message):
        return False, None
    said = message.strip().strip(_STRIP_CHARS)
    decided = f"{said}…" if hesitates(message) else said  # whoever hesitates has not said yes
    purpose = pause.payload.get("purpose")
    found = _match_choice(pause, said.strip("…"))
    if found is True and decided is not said:
        found = _NO_ANSWER
    if found is _NO_ANSWER and purpose in ("approve", "exception"):
        found = _parse_decision(pause, decided)
    if found is _NO_ANSWER and purpose in ("fill", "parameters", "profile", "facts"):
        found = _fill_only_field(pause, message.strip())
    if found is _NO_ANSWER and purpose in ("fill", "parameters", "profile", "facts"):
        found = _fill_named_fields(pause, said)
    if found is _NO_ANSWER and purpose in ("fill", "parameters", "profile", "facts"):
        found = _confirm_known(pause, decided)
    if found is _NO_ANSWER and purpose == "profile":
        found = _fill_with_words(pause, message.strip())
    takes_words = not get_choices(pause) or (pause.schema.get("type") == "string" and "pattern" in pause.schema)
    if found is _NO_ANSWER and purpose in ("ask", "ask_user") and takes_words:
        found = _parse_free_text(pause.schema, message.strip())
    if found is _NO_ANSWER or answer_problems(pause.schema, found):  # type: ignore[arg-type]
        return False, None
    return True, found  # type: ignore[return-value]


def _confirm_known(pause: Pause, said: str) -> object:
    """What the form was filled in with, if the message says yes to it and nothing that it needs is missing."""
    known, properties = pause.payload.get("known"), pause.schema.get("properties")
    required = pause.schema.get("required")
    if not isinstance(known, Mapping) or not isinstance(properties, Mapping) or read_assent(said) != "yes":
        return _NO_ANSWER
    values = {name: value for name, value in known.items() if name in properties}
    names = required if isinstance(required, list | tuple) else ()
    return values if values and all(name in values for name in names) else _NO_ANSWER


def _fill_with_words(pause: Pause, message: str) -> object:
    """What is known, and the message in every required text field, if the tool says that it understands such words.

    Known values of these fields stand behind the message: what it does not say anew is read from them.
    """
    pattern, required = pause.payload.get("words"), pause.schema.get("required")
    if not isinstance(pattern, str) or not pattern or not isinstance(required, list | tuple):
        return _NO_ANSWER
    if not compile_pattern(pattern)(message):
        return _NO_ANSWER
    known = pause.payload.get("known")
    before = dict(known) if isinstance(known, Mapping) else {}
    words = "，".join([message, *dict.fromkeys(str(before[name]) for name in required if before.get(name))])
    return {**before, **{str(name): words for name in required}}


def answer_problems(schema: JsonObject, answer: JsonValue) -> tuple[ArgumentProblem, ...]:
    """Schema violations of an answer of any type; wrapped in an object, as `argument_problems` takes objects only."""
    shared = {"$defs": schema["$defs"]} if "$defs" in schema else {}
    inner = {key: value for key, value in schema.items() if key != "$defs"}
    whole: JsonObject = {**shared, "type": "object", "properties": {"answer": inner}, "required": ["answer"]}
    return argument_problems(whole, {"answer": answer})


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


def _match_choice(pause: Pause, said: str) -> object:
    """Value of the choice that the text names: by its text, its value, its number, or yes and no."""
    if len(said) > _MAX_WORDS_CHARS:
        return _NO_ANSWER
    choices = get_choices(pause)
    key = said.strip().strip(_STRIP_CHARS).casefold()
    for choice in choices:
        if key == str(choice.get("text", "")).strip(_STRIP_CHARS).casefold() or (
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
        return _NO_ANSWER if assent is None else assent == "yes"
    texts = [str(choice.get("text", "")) for choice in choices]
    place = read_ordinal(said, len(choices)) if choices else None
    place = match_text(said, texts) if place is None else place
    return _NO_ANSWER if place is None else choices[place].get("value")


def _has_numeric_values(choices: Sequence[Mapping[str, JsonValue]]) -> bool:
    return any(isinstance(one.get("value"), int) and not isinstance(one.get("value"), bool) for one in choices)


def _parse_decision(pause: Pause, said: str) -> object:
    """Decision about calls: only a plain yes approves, alone or with the call's title; a no may be in any words."""
    if choose_preview_rows(pause, said) is not None:
        return _NO_ANSWER  # shown first: the next plain yes is about these rows
    is_titled = any(_is_titled_assent(said, one) for one in _list_titles(pause))
    rest = cut_no_more(said)  # 不用再问了，取消
    is_no = bool(rest) and read_reply(rest, _describe_calls(pause)) == "no"
    if is_no and not (is_titled and _EXPRESS.search(said)):  # of a call "Cancel the order", "cancel it" may mean either
        return _NO_ANSWER if is_titled else {"decision": "reject"}
    return {"decision": "approve"} if is_titled or read_assent(said) == "yes" else _NO_ANSWER


def _is_titled_assent(said: str, title: str) -> bool:
    """Whether the text is a plain yes and words of the title: "同意下发", "yes, apply the parameters", "下发吧"."""
    pieces = {title[at : at + size] for size in range(2, len(title) + 1) for at in range(len(title) - size + 1)}
    words = _TITLE_WORD.findall(title) if title.isascii() else sorted(pieces, key=len, reverse=True)
    if not words:
        return False
    edge = r"\b" if title.isascii() else ""
    rest, count = re.subn(f"{edge}(?:{'|'.join(map(re.escape, words))}){edge}", " ", said, flags=re.IGNORECASE)
    rest = _TITLE_FILL.sub(" ", rest).strip(_STRIP_CHARS)
    names_deed = re.search(f"{edge}{re.escape(words[0] if title.isascii() else title[:2])}", said, re.IGNORECASE)
    is_bid = not rest and names_deed is not None and _BIDS.search(said) is not None
    return count > 0 and (read_assent(rest) == "yes" or is_bid)


def _list_titles(pause: Pause) -> list[str]:
    listed = pause.payload.get("calls")
    calls = [one for one in listed if isinstance(one, Mapping)] if isinstance(listed, list) else []
    return [str(one.get("title", "")) for one in calls]


def _describe_calls(pause: Pause) -> str:
    """Words that a no may repeat: the question and the titles of its calls."""
    return " ".join([*_list_titles(pause), str(pause.payload.get("text", "")).strip("？?")])


def _fill_only_field(pause: Pause, said: str) -> object:
    """Answer for a form with a single field from plain text; None if the text declines."""
    if is_dismissal(said, str(pause.payload.get("title", ""))):
        return None
    properties = pause.schema.get("properties")
    if not isinstance(properties, Mapping) or len(properties) != 1:
        return _NO_ANSWER
    ((name, field),) = properties.items()
    known = field if isinstance(field, Mapping) else {}
    if _NOT_SETTLED.fullmatch(said):
        return _NO_ANSWER
    value = _parse_free_text(known, said)
    if value is _NO_ANSWER:
        value = _find_labelled(known, said)
    if value is _NO_ANSWER:
        value = _match_option(pause, name, said)
    return _NO_ANSWER if value is _NO_ANSWER else {name: value}


def _fill_named_fields(pause: Pause, said: str) -> object:
    """Answer for a form whose fields the text names one by one: "1770 rpm, bearing 6205", 转速1770转，轴承6205.

    Every part names one field, by its title or by the unit in its title; a text with anything else is no answer.
    """
    properties = pause.schema.get("properties")
    listed = properties.items() if isinstance(properties, Mapping) else ()
    fields = {name: one for name, one in listed if isinstance(one, Mapping)}
    values: dict[str, JsonValue] = {}
    for part in filter(None, (one.strip().strip(_STRIP_CHARS) for one in _PARTS.split(said))):
        found = {
            name: value for name, one in fields.items() if (value := _read_part(name, one, part)) is not _NO_ANSWER
        }
        if len(found) != 1 or found.keys() & values.keys():
            return _NO_ANSWER
        values.update(found)  # type: ignore[arg-type]
    return values or _NO_ANSWER


def _read_part(name: str, schema: JsonObject, part: str) -> object:
    """Value that a part of a text gives a field which it names; `_NO_ANSWER` if it names another."""
    hints = schema.get("x-ui")
    titles = _label_texts(hints.get("title") if isinstance(hints, Mapping) else None) or [name.casefold()]
    words = [_UNIT.sub("", one).strip() for one in titles]
    units = [unit for one in titles for unit in _UNIT.findall(one)]
    found = _NAMED_PART.fullmatch(part)
    if found is None or _VAGUE.search(part):
        return _NO_ANSWER
    lead, unit = found["lead"].strip().casefold(), (found["unit"] or "").casefold()
    has_unit = bool(unit) and _UNIT_NAMES.get(unit, unit) in units
    is_named = len(lead) > 1 and any(_is_short_form(lead, one) for one in words)
    if not is_named and (lead or not has_unit):
        return _NO_ANSWER
    if unit and not has_unit and found["gap"]:
        return _NO_ANSWER  # 30 Hz is no speed in rpm
    rest = found["code"] or (found["value"] if has_unit else found["value"] + (found["unit"] or ""))
    value = _parse_free_text(schema, rest)
    return _find_labelled(schema, rest) if value is _NO_ANSWER else value


def _is_short_form(said: str, title: str) -> bool:
    """Whether the text is the title or the words that it begins with; other words may say something of the value."""
    return title.startswith(said) and not (said[-1].isascii() and title[len(said) :][:1].isalpha())


def _find_labelled(schema: JsonObject, said: str) -> object:
    """The only value of a field whose label, in any language, begins with the text ("II类" of "II 类：中型机器") or has
    it in it ("浦东" of "上海市浦东新区")."""
    hints = schema.get("x-ui")
    labels = hints.get("labels") if isinstance(hints, Mapping) else None
    word = _join(said.strip().strip(_STRIP_CHARS).casefold())
    if not isinstance(labels, Mapping) or len(word) < _MIN_LABEL_CHARS:
        return _NO_ANSWER
    texts = {value: [_join(text) for text in _label_texts(label)] for value, label in labels.items()}
    found = [value for value, listed in texts.items() if any(re.split("[：:（(]", one)[0] == word for one in listed)]
    found = found or [value for value, listed in texts.items() if any(word in one for one in listed)]
    return found[0] if len(found) == 1 and not answer_problems(schema, found[0]) else _NO_ANSWER


def _join(text: str) -> str:
    return "".join(text.split())


def _label_texts(label: JsonValue) -> list[str]:
    listed = label.values() if isinstance(label, Mapping) else [label]
    return [text.casefold() for text in listed if isinstance(text, str)]


def _match_option(pause: Pause, name: str, said: str) -> object:
    """Value of the form's option that the text names by its label or its place."""
    form = pause.payload.get("form")
    fields = form.get("fields") if isinstance(form, Mapping) else None
    named = fields if isinstance(fields, list) else []
    field = next((one for one in named if isinstance(one, Mapping) and one.get("name") == name), None)
    listed = field.get("options") if isinstance(field, Mapping) else None
    options = [one for one in listed if isinstance(one, Mapping)] if isinstance(listed, list) else []
    if not options:
        return _NO_ANSWER
    place = read_ordinal(said, len(options))
    place = match_text(said, [str(one.get("label", "")) for one in options]) if place is None else place
    return _NO_ANSWER if place is None else options[place].get("value")


def _parse_free_text(schema: JsonObject, said: str) -> object:
    """Text as the type the schema wants: a string, a list, or a number written out."""
    if not answer_problems(schema, said):
        return said
    if schema.get("type") == "array":
        parts = [part for part in re.split(r"[,，、;；\s]+", said) if part]
        if not answer_problems(schema, parts):
            return parts
    try:
        value = load_json(said)
    except JsonInvalid:
        return _NO_ANSWER
    return _NO_ANSWER if answer_problems(schema, value) else value
