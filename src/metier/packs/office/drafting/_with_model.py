"""Plans from a model: it sees only the operations of its host and skill, and gets its mistakes back to repair them."""

import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from metier.json_values import JsonObject, JsonValue
from metier.language import Language, choose
from metier.packs.office.plan import HostApp, list_operation_lines, load_plan, make_example

if TYPE_CHECKING:
    from metier.packs.office._pieces import TextPiece

__all__ = ["MAX_REPAIRS", "Ask", "ModelDraft", "PlanReply", "draft_with_model"]

MAX_REPAIRS: Final = 5
_MAX_OUTLINE: Final = 60
_MAX_PROBLEMS: Final = 12
_ELLIPSIS: Final = "….。 "
_HOSTS: Final = (("wps", "a text document"), ("et", "a workbook"), ("wpp", "a presentation"))
_INSTRUCTIONS: Final = """You turn a request into a plan that a program carries out on {document}.
Answer with one JSON object and nothing else, of this form:
{example}
Every action has id (letters and digits, each once), op and title (a few words) besides the fields of its operation; a
field with ? may be left out. Operations:
{operations}
Put what belongs together into one upsert_block with a block_id that says what it is (letters, digits, dots): the same
request on the same document then replaces the block instead of adding a second one. Write texts in {language}.
Do not invent facts or figures. If the request is not clear enough, answer {{"question": "…"}} with one precise question
in {language} instead."""


class PlanReply(NamedTuple):
    """Text of a model's reply and the tokens it cost."""

    text: str
    tokens: int = 0


Ask = Callable[[Sequence[tuple[str, str]]], PlanReply]


@dataclass(frozen=True, slots=True)
class ModelDraft:
    """Plan of a model after so many repairs, or its question, or what is still wrong with it."""

    plan: JsonObject | None
    question: str = ""
    repairs: int = 0
    tokens: int = 0
    problems: tuple[str, ...] = ()


def draft_with_model(
    request: str,
    *,
    host: HostApp,
    language: Language,
    ask: Ask,
    allowed_ops: Collection[str] | None = None,
    outline: "Sequence[TextPiece] | None" = None,
    max_repairs: int = MAX_REPAIRS,
) -> ModelDraft:
    """Ask a model for a plan; what is wrong with it goes back to the model, at most `max_repairs` times."""
    messages = [("system", _instructions(host, language, allowed_ops)), ("user", _user_message(request, outline))]
    tokens = 0
    problems: tuple[str, ...] = ()
    for repairs in range(min(max_repairs, MAX_REPAIRS) + 1):
        reply = ask(messages)
        tokens += reply.tokens
        if question := _read_question(reply.text):
            return ModelDraft(None, question, repairs, tokens)
        loaded = load_plan(reply.text, host=host, allowed_ops=allowed_ops)
        plan = loaded.plan.to_json() if loaded.plan is not None else None
        empty = () if plan is None else tuple(_iter_placeholders(plan))
        if plan is not None and not empty:
            return ModelDraft(plan, "", repairs, tokens)
        problems = (*(one.text("en") for one in loaded.problems), *empty)[:_MAX_PROBLEMS]
        messages += [("assistant", reply.text), ("user", _feedback(problems))]
    return ModelDraft(None, "", max_repairs, tokens, problems)


def _instructions(host: HostApp, language: Language, allowed_ops: Collection[str] | None) -> str:
    written = choose(language, zh="Chinese", en="English")
    return _INSTRUCTIONS.format(
        document=dict(_HOSTS)[host],
        example=json.dumps(make_example(host, allowed_ops), ensure_ascii=False, separators=(",", ":")),
        operations="\n".join(list_operation_lines(host, allowed_ops)),
        language=written,
    )


def _iter_placeholders(value: JsonValue, path: str = "") -> Iterator[str]:
    """Texts that stand for something which the model did not write."""
    if isinstance(value, str):
        if value.strip() and not value.strip(_ELLIPSIS):
            yield f"{path} holds only {value!r}: write the text itself"
    elif isinstance(value, Mapping):
        for key, one in value.items():
            yield from _iter_placeholders(one, f"{path}.{key}" if path else str(key))
    elif isinstance(value, Sequence):
        for at, one in enumerate(value):
            yield from _iter_placeholders(one, f"{path}[{at}]")


def _user_message(request: str, outline: "Sequence[TextPiece] | None") -> str:
    shown = [f"{one.address}: {one.line[:80]}" for one in (outline or ()) if one.kind == "heading"][:_MAX_OUTLINE]
    return request if not shown else "Headings of the document:\n" + "\n".join(shown) + f"\n\nRequest:\n{request}"


def _feedback(problems: Sequence[str]) -> str:
    return (
        "The plan cannot be carried out:\n- " + "\n- ".join(problems) + "\nAnswer with the whole corrected JSON object."
    )


def _read_question(text: str) -> str:
    try:
        value = json.loads(text.strip().removeprefix("```json").strip("` \n"))
    except ValueError:
        return ""
    question = value.get("question") if isinstance(value, dict) and "actions" not in value else None
    return question if isinstance(question, str) else ""
