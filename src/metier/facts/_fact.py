"""A fact of a conversation: a name, a value, and where the value came from."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, get_args

from metier.errors import InvalidInput
from metier.facts._text import clean_fact_text, clean_fact_value
from metier.json_values import JsonInvalid, JsonObject, JsonValue, copy_json

FactSource = Literal["step", "form", "words", "user", "assumption"]
FactType = Literal["text", "number", "boolean", "list", "object"]

MAX_FACTS: Final = 40
_MAX_VALUE_CHARS: Final = 2000
_MAX_LABEL_CHARS: Final = 120
_MAX_TITLE_CHARS: Final = 40
_MAX_OPTIONS: Final = 60
_MAX_NAMES: Final = 4
_NAME: Final = re.compile(r"[A-Za-z_]\w{0,63}", re.ASCII)


@dataclass(frozen=True, slots=True)
class FactOption:
    """One value that a fact may take, and its words; `also` are its names in other languages."""

    value: JsonValue
    label: str
    also: tuple[str, ...] = ()

    def to_json(self) -> JsonObject:
        return {"value": self.value, "label": self.label, **({"also": list(self.also)} if self.also else {})}


@dataclass(frozen=True, slots=True)
class Fact:
    """A settled value. `source`: computed by a step, given in a form, said in the user's words, changed by the user
    outside a message, or assumed. `options` are the values it can be changed to; without them, any of its type.
    """

    name: str
    value: JsonValue
    title: str = ""
    label: str = ""
    source: FactSource = "step"
    options: tuple[FactOption, ...] = ()
    skill: str = ""
    step: str = ""

    @property
    def type(self) -> FactType:
        """Type of the value."""
        return _find_type(self.value)

    def to_json(self) -> JsonObject:
        """The fact as in the event `fact.saved`."""
        return {
            "name": self.name,
            "value": self.value,
            "type": self.type,
            "title": self.title or self.name,
            "label": self.label,
            "source": self.source,
            "options": [one.to_json() for one in self.options],
            "skill": self.skill,
            "step": self.step,
        }


@dataclass(frozen=True, slots=True)
class FactSpec:
    """How a step writes a fact: expressions over the data of the run, or constants."""

    name: str
    value: JsonValue
    title: str = ""
    label: JsonValue = None
    options: JsonValue = None
    source: JsonValue = None

    def to_json(self) -> JsonObject:
        told: JsonObject = {
            "value": self.value,
            "title": self.title,
            "label": self.label,
            "options": self.options,
            "source": self.source,
        }
        return {name: one for name, one in told.items() if one not in (None, "")}


def is_fact_name(name: str) -> bool:
    """Whether `$.facts.NAME` can read a fact of this name."""
    return _NAME.fullmatch(name) is not None


def make_fact(fact: Fact) -> Fact:
    """The fact as it may be stored: texts cleaned, labels cut; raises `InvalidInput` if name or value cannot be used.

    The label is the label of the value among the options, if it has none.
    """
    if not is_fact_name(fact.name):
        raise InvalidInput(f"{fact.name[:80]!r} is no name of a fact", hint="letters, digits and '_', at most 64")
    try:
        value = copy_json(clean_fact_value(fact.value))
    except JsonInvalid as error:
        message = f"the value of fact {fact.name!r} is no JSON: {error}"
        raise InvalidInput(message, hint="use texts, finite numbers, lists, and objects with text keys") from error
    if value in (None, "", [], {}):
        raise InvalidInput(f"the fact {fact.name!r} has no value", hint="remove it instead")
    if len(json.dumps(value, ensure_ascii=False)) > _MAX_VALUE_CHARS:
        raise InvalidInput(
            f"the value of fact {fact.name!r} is too long", hint=f"at most {_MAX_VALUE_CHARS} characters as JSON"
        )
    options = tuple(_clean_option(one) for one in fact.options[:_MAX_OPTIONS])
    label = clean_fact_text(fact.label) or next((one.label for one in options if one.value == value), "")
    return Fact(
        name=fact.name,
        value=value,
        title=_cut(clean_fact_text(fact.title), _MAX_TITLE_CHARS) or fact.name,
        label=_cut(label or _describe_value(value), _MAX_LABEL_CHARS),
        source=fact.source,
        options=options,
        skill=fact.skill,
        step=fact.step,
    )


def fact_from_json(data: JsonObject) -> Fact:
    """Read what `to_json` wrote."""
    return Fact(
        name=str(data.get("name", "")),
        value=data.get("value"),
        title=str(data.get("title", "")),
        label=str(data.get("label", "")),
        source=next((one for one in get_args(FactSource) if one == data.get("source")), "step"),
        options=read_options(data.get("options")),
        skill=str(data.get("skill", "")),
        step=str(data.get("step", "")),
    )


def read_options(value: JsonValue) -> tuple[FactOption, ...]:
    """Options from a list of values, or of objects with `value` and `label`; anything else is no option."""
    listed = value if isinstance(value, Sequence) and not isinstance(value, str) else ()
    return tuple(found for one in listed[:_MAX_OPTIONS] if (found := _read_option(one)) is not None)


def _read_option(one: JsonValue) -> FactOption | None:
    if isinstance(one, Mapping):
        value = one.get("value")
        listed = one.get("also")
        also = tuple(name for name in listed if isinstance(name, str)) if isinstance(listed, list) else ()
        return None if value is None else FactOption(value, str(one.get("label") or one.get("text") or value), also)
    return FactOption(one, _describe_value(one)) if isinstance(one, str | int | float) else None


def _clean_option(one: FactOption) -> FactOption:
    label = _cut(clean_fact_text(one.label), _MAX_LABEL_CHARS)
    also = tuple(_cut(clean_fact_text(name), _MAX_LABEL_CHARS) for name in one.also[:_MAX_NAMES])
    return FactOption(clean_fact_value(one.value), label or _describe_value(one.value), also)


def _describe_value(value: JsonValue) -> str:
    if isinstance(value, str):
        return _cut(value, _MAX_LABEL_CHARS)
    if isinstance(value, list) and all(isinstance(one, str | int | float) for one in value):
        return _cut(", ".join(map(str, value)), _MAX_LABEL_CHARS)
    return _cut(json.dumps(value, ensure_ascii=False, default=dict), _MAX_LABEL_CHARS)


def _cut(text: str, chars: int) -> str:
    return text if len(text) <= chars else text[: chars - 1].rstrip() + "…"


def _find_type(value: JsonValue) -> FactType:
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int | float):
        return "number"
    if isinstance(value, Mapping):
        return "object"
    return "list" if isinstance(value, list | tuple) else "text"
