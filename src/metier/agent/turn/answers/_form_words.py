"""Forms filled by words: the only field, fields by their names, what is known confirmed, or a text for each field."""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from metier.agent.adapters import is_dismissal, match_text, read_assent, read_ordinal
from metier.agent.turn.answers._control import read_control
from metier.agent.turn.answers._values import NO_ANSWER, STRIP_CHARS, ReadAnswer, answer_problems, parse_free_text
from metier.json_values import JsonObject, JsonValue
from metier.limits import compile_pattern
from metier.store import Pause

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
_MIN_LABEL_CHARS: Final = 2


def fill_form(pause: Pause, message: str, said: str, decided: str) -> ReadAnswer:
    """What a message fills into the form of a pause.

    `said` is the message without the marks around it, `decided` the same with a mark if whoever wrote it hesitates.
    """
    found = _fill_only_field(pause, message)
    found = _fill_named_fields(pause, said) if found is NO_ANSWER else found
    found = _confirm_known(pause, decided) if found is NO_ANSWER else found
    is_profile = pause.payload.get("purpose") == "profile"
    return _fill_with_words(pause, message) if found is NO_ANSWER and is_profile else found


def _confirm_known(pause: Pause, said: str) -> ReadAnswer:
    """What the form was filled in with, if the message says yes to it and nothing that it needs is missing."""
    known, properties = pause.payload.get("known"), pause.schema.get("properties")
    required = pause.schema.get("required")
    if not isinstance(known, Mapping) or not isinstance(properties, Mapping) or read_assent(said) != "yes":
        return NO_ANSWER
    values = {name: value for name, value in known.items() if name in properties}
    names = required if isinstance(required, list | tuple) else ()
    return values if values and all(name in values for name in names) else NO_ANSWER


def _fill_with_words(pause: Pause, message: str) -> ReadAnswer:
    """What is known, and the message in every required text field, if the tool says that it understands such words.

    Known values of these fields stand behind the message: what it does not say anew is read from them.
    """
    pattern, required = pause.payload.get("words"), pause.schema.get("required")
    if not isinstance(pattern, str) or not pattern or not isinstance(required, list | tuple):
        return NO_ANSWER
    if not compile_pattern(pattern)(message):
        return NO_ANSWER
    known = pause.payload.get("known")
    before = dict(known) if isinstance(known, Mapping) else {}
    words = "，".join([message, *dict.fromkeys(str(before[name]) for name in required if before.get(name))])
    return {**before, **{str(name): words for name in required}}


def _fill_only_field(pause: Pause, said: str) -> ReadAnswer:
    """Answer for a form with a single field from plain text; None if the text declines."""
    control = read_control(said)
    if control not in (None, "stop"):
        return NO_ANSWER
    if control == "stop" or is_dismissal(said, str(pause.payload.get("title", ""))):
        return None
    properties = pause.schema.get("properties")
    if not isinstance(properties, Mapping) or len(properties) != 1:
        return NO_ANSWER
    ((name, field),) = properties.items()
    known = field if isinstance(field, Mapping) else {}
    if _NOT_SETTLED.fullmatch(said):
        return NO_ANSWER
    value = parse_free_text(known, said)
    if value is NO_ANSWER:
        value = _find_labelled(known, said)
    if value is NO_ANSWER:
        value = _match_option(pause, name, said)
    return NO_ANSWER if value is NO_ANSWER else {name: value}


def _fill_named_fields(pause: Pause, said: str) -> ReadAnswer:
    """Answer for a form whose fields the text names one by one: "1770 rpm, bearing 6205", 转速1770转，轴承6205.

    Every part names one field, by its title or by the unit in its title; a text with anything else is no answer.
    """
    properties = pause.schema.get("properties")
    listed = properties.items() if isinstance(properties, Mapping) else ()
    fields = {name: one for name, one in listed if isinstance(one, Mapping)}
    values: dict[str, JsonValue] = {}
    for part in filter(None, (one.strip().strip(STRIP_CHARS) for one in _PARTS.split(said))):
        found = {name: value for name, one in fields.items() if (value := _read_part(name, one, part)) is not NO_ANSWER}
        if len(found) != 1 or found.keys() & values.keys():
            return NO_ANSWER
        values.update(found)
    return values or NO_ANSWER


def _read_part(name: str, schema: JsonObject, part: str) -> ReadAnswer:
    """Value that a part of a text gives a field which it names; `NO_ANSWER` if it names another."""
    hints = schema.get("x-ui")
    titles = _label_texts(hints.get("title") if isinstance(hints, Mapping) else None) or [name.casefold()]
    words = [_UNIT.sub("", one).strip() for one in titles]
    units = [unit for one in titles for unit in _UNIT.findall(one)]
    found = _NAMED_PART.fullmatch(part)
    if found is None or _VAGUE.search(part):
        return NO_ANSWER
    lead, unit = found["lead"].strip().casefold(), (found["unit"] or "").casefold()
    has_unit = bool(unit) and _UNIT_NAMES.get(unit, unit) in units
    is_named = len(lead) > 1 and any(_is_short_form(lead, one) for one in words)
    if not is_named and (lead or not has_unit):
        return NO_ANSWER
    if unit and not has_unit and found["gap"]:
        return NO_ANSWER  # 30 Hz is no speed in rpm
    rest = found["code"] or (found["value"] if has_unit else found["value"] + (found["unit"] or ""))
    value = parse_free_text(schema, rest)
    return _find_labelled(schema, rest) if value is NO_ANSWER else value


def _is_short_form(said: str, title: str) -> bool:
    """Whether the text is the title or the words that it begins with; other words may say something of the value."""
    return title.startswith(said) and not (said[-1].isascii() and title[len(said) :][:1].isalpha())


def _find_labelled(schema: JsonObject, said: str) -> ReadAnswer:
    """The only value of a field whose label, in any language, begins with the text ("II类" of "II 类：中型机器") or has
    it in it ("浦东" of "上海市浦东新区")."""
    hints = schema.get("x-ui")
    labels = hints.get("labels") if isinstance(hints, Mapping) else None
    word = _join(said.strip().strip(STRIP_CHARS).casefold())
    if not isinstance(labels, Mapping) or len(word) < _MIN_LABEL_CHARS:
        return NO_ANSWER
    texts = {value: [_join(text) for text in _label_texts(label)] for value, label in labels.items()}
    found = [value for value, listed in texts.items() if any(re.split("[：:（(]", one)[0] == word for one in listed)]
    found = found or [value for value, listed in texts.items() if any(word in one for one in listed)]
    return found[0] if len(found) == 1 and not answer_problems(schema, found[0]) else NO_ANSWER


def _join(text: str) -> str:
    return "".join(text.split())


def _label_texts(label: JsonValue) -> list[str]:
    listed = label.values() if isinstance(label, Mapping) else [label]
    return [text.casefold() for text in listed if isinstance(text, str)]


def _match_option(pause: Pause, name: str, said: str) -> ReadAnswer:
    """Value of the form's option that the text names by its label or its place."""
    form = pause.payload.get("form")
    fields = form.get("fields") if isinstance(form, Mapping) else None
    named = fields if isinstance(fields, list) else []
    field = next((one for one in named if isinstance(one, Mapping) and one.get("name") == name), None)
    listed = field.get("options") if isinstance(field, Mapping) else None
    options = [one for one in listed if isinstance(one, Mapping)] if isinstance(listed, list) else []
    if not options:
        return NO_ANSWER
    place = read_ordinal(said, len(options))
    place = match_text(said, [str(one.get("label", "")) for one in options]) if place is None else place
    return NO_ANSWER if place is None else options[place].get("value")
