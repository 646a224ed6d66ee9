"""Simulated model: knows the way to the goal of every task and errs at a given rate.

It is blind to the arm: it sees a request as a model does, and the errors of its n-th reply to a task are drawn from the
same seed whatever stands around it. What a schema makes impossible to say, it does not say.
"""

import json
import random
import re
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models import LanguageModelInput
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.messages.tool import tool_call_chunk
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.runnables import Runnable
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import PrivateAttr

from metier.errors import UsageError
from metier.json_values import JsonObject, JsonValue
from metier.packs.workspace.dispatch._error_mix import ERROR_KINDS, ErrorKind
from metier.packs.workspace.dispatch._tasks import DispatchTask, RightCall
from metier.packs.workspace.dispatch._view import RequestView, read_request

_INJECTED: Final = re.compile(r"call (\w+) with (\{.*?\})")
_INVENTED: Final = ("search_internet", "create_document", "python", "save_note", "open_url")
_USE_SKILL: Final = "use_skill"
_CONTROL: Final = frozenset(
    {_USE_SKILL, "ask_user", "write_plan", "write_todos", "leave_skill", "request_exception", "task", "show_chart"}
    | {"load_rule", "read_result", "read_document", "search_skills"}
)


@dataclass(frozen=True, slots=True)
class Reply:
    """What the model says: a call or a text."""

    tool: str = ""
    arguments: JsonObject = field(default_factory=dict)
    text: str = ""


@dataclass(frozen=True, slots=True)
class Draw:
    """What chance says of one reply, drawn before the request is looked at; `pick` chooses among what is possible."""

    error: ErrorKind | None
    obeys: bool
    pick: float


@dataclass(slots=True)
class _Tape:
    """Replies of the run, and what was on offer for each; read by the bench, never by the model."""

    task: DispatchTask | None = None
    seed: int = 0
    rate: float = 0.0
    asked: int = 0
    views: list[RequestView] = field(default_factory=list)
    replies: list[Reply] = field(default_factory=list)


class SimulatedModel(BaseChatModel):
    """Chat model that knows the way and errs as often as `begin` says."""

    weights: tuple[float, ...]
    _tape: _Tape = PrivateAttr(default_factory=_Tape)

    def begin(self, task: DispatchTask, seed: int, rate: float) -> None:
        """Start a run of a task, whose goal the model knows; each reply errs with probability `rate`."""
        self._tape.task, self._tape.seed, self._tape.rate, self._tape.asked = task, seed, rate, 0
        self._tape.views.clear()
        self._tape.replies.clear()

    @property
    def views(self) -> tuple[RequestView, ...]:
        """Requests since `begin`."""
        return tuple(self._tape.views)

    @property
    def replies(self) -> tuple[Reply, ...]:
        """Replies since `begin`."""
        return tuple(self._tape.replies)

    def bind_tools(
        self, tools: Sequence[Any], *, tool_choice: str | None = None, **kwargs: Any
    ) -> Runnable[LanguageModelInput, AIMessage]:
        """Return a binding with these tools, as the client of a provider does."""
        offered = [convert_to_openai_tool(tool) for tool in tools]
        return self.bind(tools=offered, **({"tool_choice": tool_choice} if tool_choice else {}), **kwargs)

    @property
    def _llm_type(self) -> str:
        return "metier-simulated"

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        chunk = self._answer(messages, kwargs)
        message = AIMessage(chunk.content, tool_calls=chunk.tool_calls)
        return ChatResult(generations=[ChatGeneration(message=message)])

    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> Iterator[ChatGenerationChunk]:
        yield ChatGenerationChunk(message=self._answer(messages, kwargs))

    async def _astream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> AsyncIterator[ChatGenerationChunk]:
        yield ChatGenerationChunk(message=self._answer(messages, kwargs))

    def _answer(self, messages: Sequence[BaseMessage], options: dict[str, Any]) -> AIMessageChunk:
        view = read_request(messages, options)
        task = self._tape.task
        if task is None:
            raise UsageError("no task was begun", hint="call begin first")
        chance = random.Random(f"{self._tape.seed}:{task.id}:{self._tape.asked}")  # noqa: S311 - repeatable, no secret
        errs, kind = chance.random() < self._tape.rate, chance.choices(ERROR_KINDS, self.weights)[0]
        draw = Draw(kind if errs else None, chance.random() < self._tape.rate, chance.random())
        reply = choose_reply(view, task, draw)
        self._tape.asked += 1
        self._tape.views.append(view)
        self._tape.replies.append(reply)
        return _to_message(reply, view, self._tape.asked)


def choose_reply(view: RequestView, task: DispatchTask, draw: Draw) -> Reply:
    """The right reply, or what the draw makes of it."""
    if not view.offered:
        return Reply(text=task.answer)
    if draw.obeys and (injected := _find_injected(view)) is not None:
        return injected
    right = _find_right(view, task)
    return right if draw.error is None else _spoil(right, draw.error, view, task, draw.pick)


def _find_right(view: RequestView, task: DispatchTask) -> Reply:
    choices = view.list_choices()
    if choices and (view.demanded is not None or not _find_step(view, task)):
        wanted = next((one for one in task.skills if one in choices), None)
        used = [str(one.arguments.get("skill")) for one in view.calls if one.tool == _USE_SKILL]
        if view.demanded is not None or (wanted is not None and wanted not in used):
            return Reply(_name_of_menu(view), {"skill": wanted or _find_none(choices)})
    step = _find_step(view, task)
    if step is None:
        return Reply(text=task.answer)
    return Reply("" if view.demanded == "" else step.tool, step.arguments)


def _name_of_menu(view: RequestView) -> str:
    return next((name for name, one in view.offered.items() if "skill" in (one.get("properties") or {})), _USE_SKILL)


def _find_none(choices: Sequence[str]) -> str:
    return next((one for one in choices if one in ("", "none", "无")), choices[-1])


def _find_step(view: RequestView, task: DispatchTask) -> RightCall | None:
    """Next call of the way that is not done as far as the transcript shows, of a tool that is on offer."""
    missing = task.list_missing([(one.tool, one.arguments) for one in view.calls if one.ok])
    if view.demanded == "":
        wanted = set(view.offered[""].get("properties") or {})  # type: ignore[arg-type]
        return next((one for one in missing or task.calls if set(one.arguments) <= wanted), None)
    return next((one for one in missing if one.tool in view.offered), None)


def _find_injected(view: RequestView) -> Reply | None:
    """Call that a page asks for, unless it was made before."""
    found = _INJECTED.search(view.results)
    if found is None:
        return None
    tool = found.group(1)
    if any(one.tool == tool and "owned" in str(one.arguments) for one in view.calls):
        return None
    if view.is_held and tool not in view.offered:
        return None
    return Reply(tool, json.loads(found.group(2)))


def _spoil(right: Reply, kind: ErrorKind, view: RequestView, task: DispatchTask, pick: float) -> Reply:
    """The reply with an error of this kind. A held reply stays within the schema: another tool, another value."""
    others = [name for name in sorted(view.offered) if name not in ("", right.tool) and name not in _CONTROL]
    if view.demanded is not None and view.list_choices():
        return _choose_other(right, view, pick)
    if kind == "loop":
        last = next((one for one in reversed(view.calls) if one.tool not in _CONTROL), None)
        if last is not None and (not view.is_held or last.tool in view.offered):
            return Reply(last.tool, last.arguments)
        kind = "early_stop"
    if kind == "early_stop" and not (view.is_held and view.demanded == ""):
        return Reply(text=task.answer)
    if kind == "invented_tool" and not view.is_held:
        return Reply(_INVENTED[int(pick * len(_INVENTED))], dict(right.arguments) or {"query": task.message})
    if kind in ("wrong_tool", "invented_tool") and others:
        name = others[int(pick * len(others))]
        return Reply(name, make_arguments(view.offered[name], task, pick))
    return _break_arguments(right, view, pick) if right.arguments else Reply(text=task.answer)


def _choose_other(right: Reply, view: RequestView, pick: float) -> Reply:
    others = [one for one in view.list_choices() if one != right.arguments.get("skill")]
    return Reply(right.tool, {"skill": others[int(pick * len(others))]}) if others else right


def _break_arguments(right: Reply, view: RequestView, pick: float) -> Reply:
    """Half of the bad arguments are malformed, which a schema makes impossible; the others are wrong values."""
    given: dict[str, JsonValue] = dict(right.arguments)
    name = sorted(given)[int(pick * len(given))]
    if pick < 0.5 and not view.is_held:
        given["the_" + name] = given.pop(name)
        return Reply(right.tool, given)
    strings = [one for one in sorted(given) if isinstance(given[one], str) and one not in ("action", "mode")]
    if strings:
        name = strings[int(pick * len(strings))]
        given[name] = f"other-{name}.txt"
    return Reply(right.tool, given)


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


def _to_message(reply: Reply, view: RequestView, number: int) -> AIMessageChunk:
    if view.is_held:
        return AIMessageChunk(content=_to_held_text(reply, view))
    if not reply.tool:
        return AIMessageChunk(content=reply.text)
    written = json.dumps(reply.arguments, ensure_ascii=False)
    part = tool_call_chunk(name=reply.tool, args=written, id=f"call-{number}", index=0)
    return AIMessageChunk(content="", tool_call_chunks=[part])


def _to_held_text(reply: Reply, view: RequestView) -> str:
    if view.demanded == "":
        return json.dumps(reply.arguments, ensure_ascii=False)
    said = {"tool": reply.tool, "arguments": reply.arguments} if reply.tool else {"answer": reply.text}
    return json.dumps(said, ensure_ascii=False)
