"""Simulated model: knows the way to the goal of every task and errs at a given rate.

It is blind to the arm: it sees a request as a model does, and the errors of its n-th reply to a task are drawn from the
same seed whatever stands around it. What a schema makes impossible to say, it does not say.
"""

import json
import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from langchain_core.messages import AIMessageChunk, BaseMessage
from langchain_core.messages.tool import tool_call_chunk

from metier.bench import ERROR_KINDS, ErrorKind
from metier.json_values import JsonObject, JsonValue
from metier.limits import get_properties
from metier.packs.workspace.dispatch._taped import ModelReply, TapedModel
from metier.packs.workspace.dispatch._tasks import DispatchTask, RightCall
from metier.packs.workspace.dispatch._view import CONTROL_TOOLS, RequestView

_INJECTED: Final = re.compile(r"call (\w+) with (\{.*?\})")  # in a JSON transcript its quotes are escaped
_INVENTED: Final = ("search_internet", "create_document", "python", "save_note", "open_url")
_USE_SKILL: Final = "use_skill"
_FILE: Final = re.compile(r"[A-Za-z0-9_-]+\.[a-z]{2,5}\b")
_MAX_WRONG_CHARS: Final = 24


@dataclass(frozen=True, slots=True)
class ErrorDraw:
    """What chance says of one reply, drawn before the request is looked at; `pick` chooses among what is possible."""

    error: ErrorKind | None
    obeys: bool
    pick: float


class SimulatedModel(TapedModel):
    """Chat model that knows the way; `weights` are those of the kinds of error."""

    weights: tuple[float, ...]

    @property
    def _llm_type(self) -> str:
        return "metier-simulated"

    def answer(
        self, view: RequestView, messages: Sequence[BaseMessage], options: dict[str, Any]
    ) -> tuple[ModelReply, AIMessageChunk]:
        """The right reply, or one with an error."""
        run, number = self.run_key, len(self.views)
        chance = random.Random(f"{run.seed}:{run.task.id}:{number}")  # noqa: S311 - repeatable, no secret
        errs, kind = chance.random() < run.rate, chance.choices(ERROR_KINDS, self.weights)[0]
        draw = ErrorDraw(kind if errs else None, chance.random() < run.rate, chance.random())
        reply = choose_reply(view, run.task, draw)
        return reply, _to_message(reply, view, number)


def choose_reply(view: RequestView, task: DispatchTask, draw: ErrorDraw) -> ModelReply:
    """The right reply, or what the draw makes of it."""
    if not view.offered:
        return ModelReply(text=task.answer)
    if draw.obeys and (injected := _find_injected(view)) is not None:
        return injected
    right = _find_right(view, task)
    return right if draw.error is None else _spoil(right, draw.error, view, task, draw.pick)


def _find_right(view: RequestView, task: DispatchTask) -> ModelReply:
    choices = view.list_choices()
    if choices and (view.demanded is not None or not _find_step(view, task)):
        wanted = next((one for one in task.skills if one in choices), None)
        used = [str(one.arguments.get("skill")) for one in view.calls if one.tool == _USE_SKILL]
        if view.demanded is not None or (wanted is not None and wanted not in used):
            return ModelReply(_name_of_menu(view), {"skill": wanted or _find_none(choices)})
    step = _find_step(view, task)
    if step is None:
        return ModelReply(text=task.answer)
    return ModelReply("" if view.demanded == "" else step.tool, step.arguments)


def _name_of_menu(view: RequestView) -> str:
    return next((name for name, one in view.offered.items() if "skill" in str(one.get("properties"))), _USE_SKILL)


def _find_none(choices: Sequence[str]) -> str:
    return next((one for one in choices if one in ("", "none", "无")), choices[-1])


def _find_step(view: RequestView, task: DispatchTask) -> RightCall | None:
    """Next call of the way that is not done as far as the transcript shows, of a tool that is on offer."""
    missing = task.list_missing([(one.tool, one.arguments) for one in view.calls if one.ok])
    if view.demanded == "":
        wanted = set(get_properties(view.offered[""]))
        return next((one for one in missing or task.calls if set(one.arguments) <= wanted), None)
    return next((one for one in missing if one.tool in view.offered), None)


def _find_injected(view: RequestView) -> ModelReply | None:
    """Call that a page asks for, unless it was made before."""
    found = _INJECTED.search(view.results)
    if found is None:
        return None
    tool = found.group(1)
    if any(one.tool == tool and "owned" in str(one.arguments) for one in view.calls):
        return None
    if view.is_held and tool not in view.offered:
        return None
    return ModelReply(tool, json.loads(found.group(2).replace('\\"', '"')))


def _spoil(right: ModelReply, kind: ErrorKind, view: RequestView, task: DispatchTask, pick: float) -> ModelReply:
    """The reply with an error of this kind. A held reply stays within the schema: another tool, another value."""
    others = [name for name in sorted(view.offered) if name not in ("", right.tool) and name not in CONTROL_TOOLS]
    if view.demanded is not None and view.list_choices():
        return _choose_other(right, view, pick)
    if kind == "loop":
        last = next((one for one in reversed(view.calls) if one.tool not in CONTROL_TOOLS), None)
        if last is not None and (not view.is_held or last.tool in view.offered):
            return ModelReply(last.tool, last.arguments)
        kind = "early_stop"
    if kind == "early_stop" and not (view.is_held and view.demanded == ""):
        return ModelReply(text=task.answer)
    if not view.is_held and (kind == "invented_tool" or (kind == "wrong_tool" and not others)):
        return ModelReply(_INVENTED[int(pick * len(_INVENTED))], dict(right.arguments) or {"query": task.message})
    if kind in ("wrong_tool", "invented_tool") and others:
        name = others[int(pick * len(others))]
        return ModelReply(name, make_arguments(view.offered[name], task, pick))
    if kind in ("wrong_tool", "invented_tool"):  # held to the one tool that is left: nothing else can be said
        return right
    return _break_arguments(right, view, pick) if right.arguments else ModelReply(text=task.answer)


def _choose_other(right: ModelReply, view: RequestView, pick: float) -> ModelReply:
    others = [one for one in view.list_choices() if one != right.arguments.get("skill")]
    return ModelReply(right.tool, {"skill": others[int(pick * len(others))]}) if others else right


def _break_arguments(right: ModelReply, view: RequestView, pick: float) -> ModelReply:
    """Half of the bad arguments are malformed, which a schema makes impossible; the others are wrong values."""
    given: dict[str, JsonValue] = dict(right.arguments)
    name = sorted(given)[int(pick * len(given))]
    if pick < 0.5 and not view.is_held:
        given["the_" + name] = given.pop(name)
        return ModelReply(right.tool, given)
    strings = [one for one in sorted(given) if isinstance(given[one], str) and one not in ("action", "mode")]
    if strings:
        name = strings[int(pick * len(strings))]
        given[name] = _choose_wrong_value(name, str(given[name]), view, pick)
    return ModelReply(right.tool, given)


def _choose_wrong_value(name: str, right: str, view: RequestView, pick: float) -> str:
    """Another name of this kind in the request, or a made-up one; of other texts, the start of the request."""
    if not _FILE.fullmatch(right):
        return view.asked[:_MAX_WRONG_CHARS]
    others = sorted({one for one in _FILE.findall(view.text) if one != right})
    return others[int(pick * 7919) % len(others)] if others and int(pick * 1009) % 2 else f"other-{name}.txt"


def make_arguments(schema: JsonObject, task: DispatchTask, pick: float) -> dict[str, JsonValue]:
    """Arguments for a tool that is not the right one: what a model would take from the message."""
    properties: Any = schema.get("properties") or {}
    required: Any = schema.get("required") or ()
    return {name: _make_value(name, properties.get(name) or {}, task, pick) for name in required}


def _make_value(name: str, schema: Any, task: DispatchTask, pick: float) -> JsonValue:
    if schema.get("enum"):
        return str(schema["enum"][int(pick * len(schema["enum"]))])
    kind = schema.get("type")
    if kind in ("integer", "number"):
        return 1
    if kind == "array":
        return [task.message[:40]]
    if kind == "object":
        return {}
    return "ls" if name == "command" else f"made-{name}.pptx" if name == "path" else task.message[:200]


def _to_message(reply: ModelReply, view: RequestView, number: int) -> AIMessageChunk:
    if view.is_held:
        return AIMessageChunk(content=_to_held_text(reply, view))
    if not reply.tool:
        return AIMessageChunk(content=reply.text)
    written = json.dumps(reply.arguments, ensure_ascii=False)
    part = tool_call_chunk(name=reply.tool, args=written, id=f"call-{number}", index=0)
    return AIMessageChunk(content="", tool_call_chunks=[part])


def _to_held_text(reply: ModelReply, view: RequestView) -> str:
    if view.demanded == "":
        return json.dumps(reply.arguments, ensure_ascii=False)
    said = {"tool": reply.tool, "arguments": reply.arguments} if reply.tool else {"answer": reply.text}
    return json.dumps(said, ensure_ascii=False)
