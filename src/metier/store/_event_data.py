"""Schema of the data of every event kind: source of `docs/reference/events.md` and of the event checks in tests."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from metier.json_values import JsonObject, JsonValue
from metier.store._events import EventKind


@dataclass(frozen=True, slots=True)
class EventField:
    """One key of an event's data: its JSON types (such as `string | null`), its meaning, and whether it is required."""

    name: str
    types: str
    description: str
    required: bool = True


@dataclass(frozen=True, slots=True)
class EventSchema:
    """Data of one event kind: when it is emitted and its keys. An `open` schema allows keys that are not listed."""

    description: str
    fields: tuple[EventField, ...]
    open: bool = False


def _parse_fields(*rows: str) -> tuple[EventField, ...]:
    """Parse rows of the form `name: types: description`; `name?` marks an optional key."""
    made = []
    for row in rows:
        name, types, says = (part.strip() for part in row.split(":", 2))
        made.append(EventField(name.rstrip("?"), types, says, not name.endswith("?")))
    return tuple(made)


# Added to every event of a sub-agent, whatever its kind.
SUBAGENT_FIELDS: Final = _parse_fields(
    "parent?: string: the call of `task` that handed the work over",
    "depth?: integer: how many agents stand above",
)
_STEP_FIELD: Final = "step: string: the step's id"
_CALL_FIELDS: Final = ("call: string: the id of the call", "tool: string: its tool")
_ERROR_FIELDS: Final = (
    "code: string: the error's code, as in `docs/reference/errors.md` or as listed here",
    "message: string: a sentence for the user",
    "hint?: string: what can be done",
)
_FILE_FIELDS: Final = (
    "path: string: where it is, within the conversation's folder",
    "title: string: its name for people",
    "media_type: string: as in HTTP",
    "bytes: integer: its size",
    "sha256?: string: of its content, up to 64 MiB",
    "call: string: the call that made it",
)
_COUNT_FIELDS: Final = (
    "model_calls: integer: calls of the language model",
    "tool_calls: integer: calls of tools that do work",
    "refusals: integer: calls that the gate refused",
    "input_tokens: integer: tokens read by the model",
    "output_tokens: integer: tokens written by it",
)

EVENT_DATA: Final[Mapping[EventKind, EventSchema]] = MappingProxyType(
    {
        "turn.started": EventSchema(
            "A message came in.",
            _parse_fields(
                "message: string: what the user said",
                "skill: string | null: the skill in use until now",
            ),
        ),
        "turn.done": EventSchema(
            "The turn is over; the conversation is free.",
            _parse_fields(
                "skill: string | null: the skill in use at the end",
                "plan: object | null: `{state, share, tool_calls, off_plan, iterations, model_calls, asks, replans, "
                "strayed_to}`; `share` is the share of calls that were off the plan",
                *_COUNT_FIELDS,
                "cost?: number: what the tokens cost, when prices are set",
            ),
        ),
        "turn.failed": EventSchema("The turn ended by an error; what was stored stays.", _parse_fields(*_ERROR_FIELDS)),
        "skill.routed": EventSchema(
            "The router has judged the message.",
            _parse_fields(
                "verdict: string: `auto`, `suggest` or `none`",
                "route: string: how it came about: `explicit`, `list`, `sticky`, `search` or `empty`",
                "skill: string | null: the skill that was found",
                "skills: array: all skills that were named, when there are several",
                "candidates: array: the best five, `{skill, score, lexical, vector, trigger_hits, negated?, why}`; a "
                "score is a probability, `why` lists what spoke, `{feature, value, words?, text?}`",
                "notes: array: sentences that explain the verdict, in the language of the turn",
                "why?: array: the same as `{code, values}`, one for each sentence, to be worded in any language",
                "meant?: number: the probability that any skill is meant at all",
                "vectors: boolean: whether meaning was compared, or words only",
                "elapsed_ms: number: time taken",
            ),
        ),
        "skill.activated": EventSchema(
            "From here on the conversation works by this skill.",
            _parse_fields(
                "skill: string: its id",
                "title: string: its name for people",
                "why: string: who decided",
                "version: string: its version, as it says itself; may be empty",
                "digest: string: sha256 of its files",
                "scenario: string | null: the rule of it that is followed",
            ),
        ),
        "skill.left": EventSchema(
            "The skill is no longer in use.",
            _parse_fields("skill: string: its id", "title: string: its name for people", "why: string: who decided"),
        ),
        "context.built": EventSchema(
            "What the model is about to read, as an account; the texts are not in it.",
            _parse_fields(
                "phase: string: `choose` or `work`",
                "mode: string: `rewrite` or `append`",
                "skill: string | null: the skill whose instructions are in it",
                "tokens: integer: all of it",
                "limit_tokens: integer: the most it may be",
                "over_budget: boolean: whether required parts alone are more than that",
                "offered: array: ids of the skills on the menu",
                "sections: array: `{name, tokens, kept, dropped, limit_tokens, required}`",
                "dropped: array: what was left out, `{section, piece, tokens, code, text}`",
                "notes: array: sentences about what went wrong",
                "missing: array: data that the skill needs and nobody has",
            ),
        ),
        "plan.created": EventSchema(
            "A plan is at work: a skill's steps, or one that a model wrote.",
            _parse_fields(
                "goal: string: what it is for",
                "source: string: `sop` or `model`",
                "skill: string: the skill it belongs to; empty without one",
                "steps: array: `{id, title}` in order",
                "milestones: array: their names",
                "notes?: array: what was changed about a model's plan, in sentences",
            ),
        ),
        "step.started": EventSchema(
            "A step that is fully determined begins; no model is called for it.",
            _parse_fields(_STEP_FIELD, "title: string: its name for people"),
        ),
        "step.done": EventSchema(
            "A step is over.",
            _parse_fields(
                _STEP_FIELD,
                "title: string: its name for people",
                "state: string: `done`, `skipped`, `failed`, or `retried` when it is tried again",
                "why: string: the reason, when it is not done",
            ),
        ),
        "milestone.passed": EventSchema(
            "A check after a step holds.",
            _parse_fields(
                "milestone: string: its name",
                "step: string: the step it stands after",
                "reason: string: what was found",
            ),
        ),
        "milestone.failed": EventSchema(
            "A check after a step does not hold.",
            _parse_fields(
                "milestone: string: its name",
                "step: string: the step it stands after",
                "reason: string: what was found",
                "suggestion: string: what would make it pass",
                "action: string: what happens now: `retry`, `replan`, `stop` or `continue`",
            ),
        ),
        "tool.called": EventSchema(
            "A tool is about to run; stored before it acts.",
            _parse_fields(
                *_CALL_FIELDS,
                "arguments: object: as it is called",
                "step?: string: the step of the plan that calls it",
                "text?: string: what the assistant said with it",
                "calls?: array: all calls of the same message, `{id, name, args}`",
            ),
        ),
        "tool.progress": EventSchema(
            "How far a tool is that takes long; at most four a second, and the last word before the result.",
            _parse_fields(
                *_CALL_FIELDS,
                "share: number: how much is done, from 0 to 1",
                "text: string: what is being done, in a sentence; may be empty",
            ),
        ),
        "tool.result": EventSchema(
            "The answer to a call. Every call gets exactly one.",
            _parse_fields(
                *_CALL_FIELDS,
                "ok: boolean: whether it did what it should",
                "state: string: `done`, `failed`, `refused` or `invalid`; after a stop `stopped`, or `unknown` when "
                "it may have taken effect",
                "data?: any: the whole result",
                "content?: string: what the model reads, when that is not the data itself",
                "error?: object: `{code, message, hint}`",
                "elapsed_ms?: number: time taken",
                "notes?: array: sentences about the run",
            ),
        ),
        "tool.violation": EventSchema(
            "The gate refused a call; it did not run, and a violation is on record.",
            _parse_fields(
                *_CALL_FIELDS,
                "level: string: `warning`",
                "code: string: why, as a word",
                "layer: string: who refused: `operator`, `skill`, `plan`, `task_type` or `default`",
                "source: string: which policy, skill or plan",
                "reason: string: why, as a sentence",
                "args_digest: string: sha256 of the arguments",
                "allowed: array: tools that may be called now",
            ),
        ),
        "exception.requested": EventSchema(
            "The model asks to use a tool that is not allowed.",
            _parse_fields(
                "tool: string: the tool",
                "reason: string: the model's reason",
                "request: string | null: the id of the request",
            ),
        ),
        "exception.decided": EventSchema(
            "A person or a policy has decided; a grant holds for this turn.",
            _parse_fields(
                "tool: string: the tool",
                "request: string | null: the id of the request",
                "state: string: `granted` or `denied`",
                "by: string: the user, or `policy`",
                "reason?: string: the model's reason",
                "note?: string: what the person said",
            ),
        ),
        "table": EventSchema(
            "Rows for the user, a page at a time; the model reads the header and five rows.",
            _parse_fields(
                "table: string: its id; pages of one table share it",
                "call: string: the call that gave it",
                "rows: array: the rows of this page, lists of values in the order of the columns",
                "offset: integer: how many rows were told before",
                "total: integer: rows in all",
                "kept: integer: rows that are told; fewer than `total` when there are too many",
                "more: boolean: whether another page follows",
                "title?: string: on the first page; may be empty",
                "columns?: array: on the first page, `{key, title, type, unit}`",
            ),
        ),
        "chart": EventSchema(
            "A chart for the user; the model reads one line about it.",
            _parse_fields(
                "chart: string: its id",
                "call: string: the call that gave it",
                "spec: object: `{kind, title, columns, rows, x, y, group}`; kinds: `grouped_bar`, "
                "`stacked_bar`, `line`, `scatter`, `heatmap`, `table`",
            ),
        ),
        "image": EventSchema(
            "A picture of the conversation's folder, for the user: PNG, JPEG, WebP, GIF or SVG.",
            _parse_fields("image: string: its id", *_FILE_FIELDS, "alt?: string: what is to be seen on it"),
        ),
        "file": EventSchema(
            "A file of the conversation's folder, for the user: new, or written again.",
            _parse_fields("file: string: its id", *_FILE_FIELDS),
        ),
        "todos": EventSchema(
            "What is to be done and how far it is; the whole list every time.",
            _parse_fields(
                "todos: array: `{content, status}`; status: `pending`, `in_progress`, `completed`, `skipped`, `failed`",
                "from: string: `plan` (read off it, no model call) or `model`",
            ),
        ),
        "pause.opened": EventSchema(
            "A question to a person; the turn waits and the conversation is free.",
            _parse_fields(
                "pause: string: its id, for the answer",
                "kind: string: `approval`, `parameters`, `question` or `exception`",
                "purpose: string: `approve`, `exception`, `ask`, `ask_user`, `fill`, `parameters`, `profile`, `choose` "
                "or `outcome`",
                "schema: object: JSON Schema of the answer",
                "expires_at: string | null: until when it can be answered",
                "text?: string: the question",
                "step?: string: the step that asks",
                "title?: string: its name for people",
                "choices?: array: `{text, value}`; either may be answered",
                "show?: any: data to show beside the question",
                "calls?: array: the calls that wait, `{id, name, args}`",
                "tool?: string | null: the tool it is about",
                "reason?: any: why a person must agree",
                "missing?: array: names of what is missing",
                "known?: object: what is filled in already",
                "form?: object: `{tool, title, description, schema, fields, missing, given}` for the eye",
            ),
        ),
        "pause.answered": EventSchema(
            "The question was answered, or is no longer of interest.",
            _parse_fields(
                "pause: string: its id",
                "purpose?: string: as it was asked",
                "answer?: any: null says that a form was put away",
                "cancelled?: boolean: nobody needs the answer any more",
            ),
        ),
        "text.delta": EventSchema(
            "A piece of what the model is saying; `text.done` has the whole.", _parse_fields("text: string: the piece")
        ),
        "text.done": EventSchema(
            "A message of the assistant, whole.",
            _parse_fields(
                "text: string: all of it; it replaces the pieces told before",
                "stopped?: boolean: it was broken off by a stop",
            ),
        ),
        "suggestions": EventSchema(
            "What the user might say next, two to four of them.",
            _parse_fields(
                "suggestions: array: `{text, value}`: the words on the button, and what is sent",
                "from: string: `model` or `skill`",
            ),
        ),
        "usage": EventSchema(
            "What one call of the model took.",
            _parse_fields(
                "input_tokens: integer: read",
                "output_tokens: integer: written",
                "model?: string: the model that was asked, as `provider:name` where both are known",
                "elapsed_ms?: number: time taken, with every attempt",
                "estimated?: boolean: the model did not say; counted here",
                "cost?: number: what that costs, when prices are set",
            ),
        ),
        "reflect": EventSchema("A deep skill has judged its evidence.", (), open=True),
        "report": EventSchema("A deep skill's report.", (), open=True),
        "error": EventSchema(
            "Something went wrong and the turn went on, or ended (`interrupted`, `stopped`, `limit_reached`).",
            _parse_fields(
                *_ERROR_FIELDS,
                "skill?: string: the skill it is about",
                "turn?: string: the turn it is about",
                "limit?: string: `steps`, `model_calls`, `tokens`, `wall_s` or `cost`",
                "used?: number: how much was used",
                "most?: number: how much may be",
                "repairs?: integer: how often the model was asked again",
            ),
        ),
    }
)


def find_event_problems(kind: EventKind, data: JsonObject) -> tuple[str, ...]:
    """Differences between an event's data and the schema of its kind; empty when it conforms."""
    shape = EVENT_DATA[kind]
    fields = {one.name: one for one in (*shape.fields, *SUBAGENT_FIELDS)}
    problems = [f"{kind}: {one.name} is missing" for one in shape.fields if one.required and one.name not in data]
    for name, value in data.items():
        known = fields.get(name)
        if known is None and not shape.open:
            problems.append(f"{kind}: nobody knows {name}")
        elif known is not None and not _matches_types(value, known.types):
            problems.append(f"{kind}: {name} is no {known.types}")
    return tuple(problems)


def _matches_types(value: JsonValue, types: str) -> bool:
    return types == "any" or any(_is_type(value, one) for one in types.split(" | "))


def _is_type(value: JsonValue, wanted: str) -> bool:
    if wanted == "boolean":
        return isinstance(value, bool)
    if wanted in ("integer", "number"):
        return isinstance(value, int if wanted == "integer" else (int, float)) and not isinstance(value, bool)
    if wanted == "array":
        return isinstance(value, Sequence) and not isinstance(value, str)
    if wanted == "object":
        return isinstance(value, Mapping)
    return value is None if wanted == "null" else isinstance(value, str)
