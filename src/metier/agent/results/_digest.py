"""Extract what a tool's result holds for the user, and leave a digest for the model. Pure functions.

The user gets the data, the model a digest. Code that needs the data itself, such as a plan, calls `result_data`.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from langchain_core.messages import ToolMessage

from metier.agent.adapters import get_metier_artifact, render_sentence, tool_message, update_metier_artifact
from metier.json_values import JsonInvalid, JsonValue, load_json
from metier.language import Language
from metier.store import EventDraft
from metier.tools import MAX_RESULT_BYTES

# Longer texts are not parsed; the limits cut them, with a note.
_MAX_PARSED_CHARS: Final = 64 * 1_048_576


@dataclass(frozen=True, slots=True)
class Extraction:
    """Data extracted from a result: `data` replaces the result for the model, `drafts` are the events to emit."""

    data: JsonValue
    drafts: Iterable[EventDraft]


Extractor: TypeAlias = Callable[[JsonValue, str, Language], Extraction | None]


def extract(
    message: ToolMessage, keys: tuple[str, str], extractor: Extractor, language: Language
) -> tuple[ToolMessage, Iterable[EventDraft]]:
    """Return the message as the model reads it after `extractor` has extracted these keys, and the events to emit."""
    if message.status == "error":
        return message, ()
    beside = message.artifact if isinstance(message.artifact, Mapping) else {}
    if any(key in beside for key in keys):  # the tool has written the model's text itself
        shown = extractor(beside, message.tool_call_id, language)
        return message, shown.drafts if shown else ()
    try:
        data = _parse_result(message.content, keys)
    except JsonInvalid as error:
        return _unusable_message(message, str(error), language), ()
    shown = None if data is None else extractor(data, message.tool_call_id, language)
    return (message, ()) if shown is None else (_replace_with_digest(message, data, shown.data), shown.drafts)


def json_line(value: JsonValue) -> str:
    """One line of JSON, with Chinese characters unescaped."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=_json_default)


def _json_default(value: object) -> object:
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Sequence):
        return list(value)
    raise TypeError(f"{type(value).__name__} is no JSON")


def _parse_result(content: object, keys: Sequence[str]) -> JsonValue:
    """Parse a result that may hold one of the keys; None for any other text."""
    if not isinstance(content, str) or len(content) > _MAX_PARSED_CHARS:
        return None
    start = content.lstrip()[:1]
    if start != "[" and not (start == "{" and any(f'"{key}"' in content for key in keys)):
        return None
    try:
        return load_json(content)
    except JsonInvalid as error:
        if error.line is not None:  # not JSON: ordinary text
            return None
        raise


def _replace_with_digest(message: ToolMessage, whole: JsonValue, digest: JsonValue) -> ToolMessage:
    # Only the first middleware sees the whole result.
    keep = "data" not in get_metier_artifact(message) and len(str(message.content)) <= MAX_RESULT_BYTES
    return update_metier_artifact(message, json_line(digest), **({"data": whole} if keep else {}))


def _unusable_message(message: ToolMessage, why: str, language: Language) -> ToolMessage:
    tool = message.name or "tool"
    text = render_sentence("result_unusable", language, tool=tool, why=why)
    return tool_message(message.tool_call_id, tool, text, error="invalid_result").model_copy(update={"id": message.id})


def replace_each(
    data: Mapping[str, JsonValue], keys: tuple[str, str], replace: Callable[[JsonValue, str], JsonValue]
) -> dict[str, JsonValue]:
    """Copy of `data` with the value under the first key, and each value listed under the second, replaced.

    `replace` gets the value and its path. A value under the second key that is no list counts as a list of one.
    """
    one, many = keys
    made = dict(data)
    if one in data:
        made[one] = replace(data[one], one)
    if many in data:
        listed = data[many]
        several = listed if isinstance(listed, Sequence) and not isinstance(listed, str) else [listed]
        made[many] = [replace(value, f"{many}[{at}]") for at, value in enumerate(several)]
    return made
