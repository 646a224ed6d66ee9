"""Values of answers: what fits a schema, what text means as a value, and the mark of a text that is no answer."""

import re
from collections.abc import Mapping
from enum import Enum
from typing import Final, TypeAlias

from metier.json_values import JsonInvalid, JsonObject, JsonValue, load_json
from metier.tools import ArgumentProblem, argument_problems


class NoAnswer(Enum):
    """Mark of a text that is no answer; None is one."""

    NO_ANSWER = "no_answer"


ReadAnswer: TypeAlias = "JsonValue | NoAnswer"
NO_ANSWER: Final = NoAnswer.NO_ANSWER
STRIP_CHARS: Final = " \t\n。.!！~，,"


def answer_problems(schema: JsonObject, answer: JsonValue) -> tuple[ArgumentProblem, ...]:
    """Schema violations of an answer of any type; wrapped in an object, as `argument_problems` takes objects only."""
    shared = {"$defs": schema["$defs"]} if "$defs" in schema else {}
    inner = {key: value for key, value in schema.items() if key != "$defs"}
    whole: JsonObject = {**shared, "type": "object", "properties": {"answer": inner}, "required": ["answer"]}
    return argument_problems(whole, {"answer": answer})


def parse_free_text(schema: JsonObject, said: str) -> ReadAnswer:
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
        return NO_ANSWER
    return NO_ANSWER if answer_problems(schema, value) else value


def find_decision(call_id: str, answer: JsonValue) -> JsonObject:
    """Decision about one call: its own, or the one for all calls of the question."""
    given = answer if isinstance(answer, Mapping) else {}
    each = given.get("decisions")
    decision = each.get(call_id) if isinstance(each, Mapping) else given
    return decision if isinstance(decision, Mapping) else {}
