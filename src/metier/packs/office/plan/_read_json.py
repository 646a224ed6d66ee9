"""Reads the JSON of a plan as models write it: in a code fence, with words around it, with trailing commas."""

import ast
import re
from typing import Final

from metier.json_values import JsonInvalid, JsonValue, load_json
from metier.packs.office.plan._sentences import PlanRepair

__all__ = ["read_json"]

_FENCE: Final = re.compile(r"```[a-zA-Z0-9_.-]*\s*\n?(.*?)```", re.DOTALL)
_TRAILING_COMMA: Final = re.compile(r",(\s*[}\]])")
_CHINESE_QUOTES: Final = str.maketrans({"“": '"', "”": '"', "，": ",", "：": ":"})
_MAX_PLAN_CHARS: Final = 4_000_000


def read_json(text: str, repairs: list[PlanRepair]) -> JsonValue:
    """Parse the JSON within a text; `JsonInvalid` if there is none."""
    if len(text) > _MAX_PLAN_CHARS:
        raise JsonInvalid(f"longer than {_MAX_PLAN_CHARS} characters")
    cleaned = text.strip().lstrip("\ufeff")
    try:
        return load_json(cleaned, any_text=True)
    except JsonInvalid as error:
        first = error
    cut = _cut_json(cleaned)
    if cut != cleaned:
        repairs.append(PlanRepair.at("", "code_fence_removed"))
    for attempt in (cut, _TRAILING_COMMA.sub(r"\1", cut), _TRAILING_COMMA.sub(r"\1", cut.translate(_CHINESE_QUOTES))):
        try:
            value = load_json(attempt, any_text=True)
        except JsonInvalid:
            continue
        if attempt != cut:
            repairs.append(PlanRepair.at("", "json_mended"))
        return value
    value = _read_python(cut)
    if value is None:
        raise first
    repairs.append(PlanRepair.at("", "json_mended"))
    return value


def _cut_json(text: str) -> str:
    """Content of the code fence, else from the first bracket to the last."""
    fence = _FENCE.search(text)
    inner = fence[1] if fence else text
    starts = [at for at in (inner.find("{"), inner.find("[")) if at >= 0]
    end = max(inner.rfind("}"), inner.rfind("]"))
    return inner[min(starts) : end + 1] if starts and end > min(starts) else inner


def _read_python(text: str) -> JsonValue:
    """A Python literal (`{'op': 'insert_text', 'strict': True}`); None if it is none."""
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None
    return value if isinstance(value, dict | list) else None
