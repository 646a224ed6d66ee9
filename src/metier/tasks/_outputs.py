"""What one task leaves to those after it: its answer, and the outputs that its skill declares."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from metier.json_values import JsonObject, JsonValue
from metier.limits import get_properties
from metier.skills import Skill
from metier.tools import argument_problems

_MAX_TEXT_CHARS: Final = 6_000
_MAX_DATA_CHARS: Final = 20_000


@dataclass(frozen=True, slots=True)
class TaskOutput:
    """Answer of a finished task, and its declared outputs by name."""

    text: str = ""
    data: JsonObject = field(default_factory=lambda: MappingProxyType({}))

    def to_json(self) -> JsonObject:
        return {"text": self.text, "data": dict(self.data)}


def output_from_json(value: JsonValue) -> TaskOutput:
    """Read what `to_json` wrote; anything else is an empty output."""
    given = value if isinstance(value, Mapping) else {}
    data = given.get("data")
    return TaskOutput(str(given.get("text", "")), data if isinstance(data, Mapping) else {})


def collect_output(skill: Skill, text: str, found: JsonObject) -> TaskOutput:
    """Output of a task: its answer, and of what its steps found the values that the skill declares as outputs.

    A value that does not fit its schema, or is larger than anybody passes on, is left out.
    """
    declared = get_properties(skill.outputs)
    data = {name: found[name] for name, schema in declared.items() if name in found and _fits(found[name], schema)}
    while data and len(json.dumps(data, ensure_ascii=False, default=dict)) > _MAX_DATA_CHARS:
        data.pop(max(data, key=lambda name: len(json.dumps(data[name], ensure_ascii=False, default=dict))))
    return TaskOutput(text[:_MAX_TEXT_CHARS], data)


def select_inputs(skill: Skill, outputs: JsonObject) -> JsonObject:
    """Of the outputs of earlier tasks those that the skill declares as inputs and whose values fit."""
    declared = get_properties(skill.inputs)
    return {
        name: outputs[name] for name, schema in declared.items() if name in outputs and _fits(outputs[name], schema)
    }


def _fits(value: JsonValue, schema: JsonValue) -> bool:
    wanted: JsonObject = {"type": "object", "properties": {"value": schema}}
    return not argument_problems(wanted, {"value": value})
