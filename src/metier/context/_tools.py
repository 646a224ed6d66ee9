"""Fits the offered tools into a token budget: descriptions are shortened first, then tools dropped, by priority."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from metier.context._messages import ContextMessage
from metier.context._sections import DropCode, DroppedPiece, SectionUse
from metier.json_values import JsonObject, JsonValue, to_plain_json
from metier.language import split_sentences

TOOLS: Final = "tools"
# Bounds that the runtime checks anyway; the model rarely needs them to write a call.
_BOUNDS: Final = frozenset(
    {
        *("additionalProperties", "default", "examples", "exclusiveMaximum", "exclusiveMinimum", "maxItems"),
        *("maxLength", "maximum", "minItems", "minLength", "minimum", "title", "uniqueItems"),
    }
)


@dataclass(frozen=True, slots=True)
class ToolOffer:
    """A tool that may be offered: its definition in OpenAI's format, and how long it is kept when tokens are short.

    A `required` tool is offered as it is, whatever the budget: the present step cannot be done without it. `short` is
    its shorter definition; without one, the description is cut to a sentence.
    """

    definition: JsonObject
    priority: int = 0
    required: bool = False
    short: JsonObject | None = None

    @property
    def name(self) -> str:
        return str(_function_of(self.definition).get("name", ""))


def tool_to_json(definition: JsonObject) -> str:
    """A tool's definition as JSON text, as the chat templates of open models write it into the prompt."""
    return json.dumps(to_plain_json(definition), ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class ToolFormat:
    """How tools are written into a request: a text for each, and one before them if there are any.

    `render_demanded` writes the one tool whose arguments are the whole reply; None if the model cannot be held to that.
    `render_messages` writes calls and results as the texts that such a model gets; None if they are sent as they are.
    """

    render: Callable[[JsonObject], str] = tool_to_json
    heading: str = ""
    render_demanded: Callable[[JsonObject], str] | None = None
    render_messages: Callable[[Sequence[ContextMessage]], Sequence[str]] | None = None


JSON_TOOLS: Final = ToolFormat()


@dataclass(frozen=True, slots=True)
class FittedTools:
    """The tools to send, their tokens, and which were shortened or dropped."""

    definitions: tuple[JsonObject, ...] = ()
    tokens: int = 0
    dropped: tuple[DroppedPiece, ...] = ()
    limit_tokens: int | None = None

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(str(_function_of(one).get("name", "")) for one in self.definitions)

    def to_section_use(self) -> SectionUse:
        gone = tuple(one.piece for one in self.dropped if one.code != "shortened")
        return SectionUse(TOOLS, self.tokens, self.names, gone, self.limit_tokens, False)


def fit_tools(
    offers: Sequence[ToolOffer], limit_tokens: int, count: Callable[[str], int], form: ToolFormat = JSON_TOOLS
) -> FittedTools:
    """Keep the tools within the limit, in their order. Required tools stay as they are even beyond it.

    The tools of lowest priority are shortened first; if that is not enough, they are dropped first.
    """
    draft = _ToolsDraft(list(offers), count, form)
    order = sorted((at for at, offer in enumerate(offers) if not offer.required), key=lambda at: offers[at].priority)
    for change in (draft.shorten, draft.drop):
        for at in order:
            if draft.tokens <= limit_tokens:
                break
            change(at)
    return FittedTools(tuple(draft.definitions.values()), draft.tokens, tuple(draft.dropped), limit_tokens)


class _ToolsDraft:
    def __init__(self, offers: Sequence[ToolOffer], count: Callable[[str], int], form: ToolFormat) -> None:
        self._offers = offers
        self._count = count
        self._form = form
        self._heading_tokens = count(form.heading) if form.heading else 0
        self.definitions = {at: offer.definition for at, offer in enumerate(offers)}
        self._costs = {at: self._cost(one) for at, one in self.definitions.items()}
        self.dropped: list[DroppedPiece] = []

    def _cost(self, definition: JsonObject) -> int:
        return self._count(self._form.render(definition))

    @property
    def tokens(self) -> int:
        return sum(self._costs.values()) + (self._heading_tokens if self._costs else 0)

    def shorten(self, at: int) -> None:
        short = self._offers[at].short or shorten_tool(self.definitions[at])
        saved = self._costs[at] - self._cost(short)
        if saved > 0:
            self.definitions[at] = short
            self._costs[at] -= saved
            self._report(at, saved, "shortened")

    def drop(self, at: int) -> None:
        del self.definitions[at]
        self.dropped = [one for one in self.dropped if one.piece != self._offers[at].name]
        self._report(at, self._costs.pop(at), "section_limit")

    def _report(self, at: int, tokens: int, code: DropCode) -> None:
        offer = self._offers[at]
        what = "its description and bounds were shortened" if code == "shortened" else "it is not offered"
        text = f"{what}: the tools take too many tokens, and its priority is {offer.priority}"
        self.dropped.append(DroppedPiece(TOOLS, offer.name, tokens, code, text))


def shorten_tool(definition: JsonObject) -> JsonObject:
    """The same tool with one sentence of description and without bounds that the runtime checks anyway."""
    function = dict(_function_of(definition))
    about = split_sentences(str(function.get("description", "")))
    function["description"] = about[0].strip() if about else ""
    function["parameters"] = _strip_bounds(function.get("parameters"))
    return {**definition, "function": function} if "function" in definition else function


def _strip_bounds(schema: JsonValue) -> JsonValue:
    """Drop bounds from a schema. Names of properties are kept, also those that read like a bound."""
    if isinstance(schema, Mapping):
        return {
            key: {name: _strip_bounds(one) for name, one in value.items()}
            if key == "properties" and isinstance(value, Mapping)
            else value
            if key == "enum"
            else _strip_bounds(value)
            for key, value in schema.items()
            if key not in _BOUNDS
        }
    return [_strip_bounds(one) for one in schema] if isinstance(schema, list | tuple) else schema


def _function_of(definition: JsonObject) -> JsonObject:
    inner = definition.get("function")
    return inner if isinstance(inner, Mapping) else definition
