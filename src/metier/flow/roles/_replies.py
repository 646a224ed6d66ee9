"""Reads what a model replies: goals, the next execution, a judgement; what cannot be read is sent back twice."""

import re
from collections.abc import Callable, Mapping
from typing import Final, TypeVar

from metier.flow._rules import Goal, Reflection
from metier.flow.dag import STOP
from metier.flow.roles._prompts import repair_prompt
from metier.flow.roles._run import MAX_REPAIRS, AskModel
from metier.json_values import JsonInvalid, JsonObject, load_json

_T = TypeVar("_T")
_NUMBERED: Final = re.compile(r"^\s*(?:\d+[.)、．:：]|[-*•])\s*(.+?)\s*$")
_MAX_GOAL_CHARS: Final = 400


async def ask_until_readable(ask: AskModel, role: str, prompt: str, read: Callable[[str], _T]) -> _T | None:
    """Ask a model and read its reply; after two repairs that did not help, None."""
    asked = prompt
    for _ in range(MAX_REPAIRS + 1):
        reply = await ask(role, asked)
        try:
            return read(reply)
        except ValueError as problem:
            asked = repair_prompt(prompt, str(problem))
    return None


def read_goals(reply: str, most: int) -> tuple[Goal, ...]:
    """Goals of a numbered list; raises `ValueError` if there is none."""
    found = [hit.group(1)[:_MAX_GOAL_CHARS] for line in reply.splitlines() if (hit := _NUMBERED.match(line))]
    goals = tuple(dict.fromkeys(found))[:most]
    if not goals:
        raise ValueError("it is no numbered list of goals")
    return tuple(Goal(text) for text in goals)


def read_move(reply: str) -> JsonObject:
    """`{"op_name", "params", "inputs"}` of a reply; raises `ValueError` for anything else."""
    told = _read_object(reply)
    name, params, inputs = told.get("op_name"), told.get("params", {}), told.get("inputs", [])
    if not isinstance(name, str) or not name:
        raise ValueError("`op_name` is missing")
    if name == STOP:
        return {"op_name": STOP}
    if not isinstance(params, Mapping):
        raise ValueError("`params` is no object")
    listed = [inputs] if isinstance(inputs, str) else inputs
    if not isinstance(listed, list) or not all(isinstance(one, str) for one in listed):
        raise ValueError("`inputs` is no list of node ids")
    return {"op_name": name, "params": params, "inputs": listed}


def read_reflection(reply: str) -> Reflection:
    """Judgement of a reply; raises `ValueError` if a key is missing or wrong."""
    told = _read_object(reply)
    sufficient, reason = told.get("is_sufficient"), told.get("reason")
    if not isinstance(sufficient, bool):
        raise ValueError("`is_sufficient` is neither true nor false")
    if not isinstance(reason, str) or not reason.strip():
        raise ValueError("`reason` is missing")
    decision = told.get("decision", "replan")
    if decision not in ("patch", "replan", "halt"):
        raise ValueError("`decision` is none of patch, replan and halt")
    keep = told.get("keep", {})
    kept = {str(key): str(why) for key, why in keep.items()} if isinstance(keep, Mapping) else {}
    return Reflection(sufficient, reason.strip(), decision, kept)


def _read_object(reply: str) -> JsonObject:
    start, end = reply.find("{"), reply.rfind("}")
    if start < 0 or end < start:
        raise ValueError("it has no JSON object")
    try:
        told = load_json(reply[start : end + 1], any_text=True)
    except JsonInvalid as error:
        raise ValueError(f"it is no JSON: {error}") from error
    if not isinstance(told, Mapping):
        raise ValueError("it is no JSON object")
    return told
