"""Runs one task in one arm and records what happened: calls, refusals, loop passes, and the state afterwards."""

import hashlib
from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from metier.agent import TurnRequest
from metier.json_values import JsonObject, JsonValue
from metier.packs.workspace.dispatch._state_checks import find_differences, read_memories
from metier.packs.workspace.dispatch._taped import RunKey, TapedModel
from metier.packs.workspace.dispatch._tasks import DispatchTask
from metier.packs.workspace.dispatch._view import CONTROL_TOOLS, RequestView
from metier.packs.workspace.dispatch._world import World
from metier.plans import compile_sop
from metier.store import Event
from metier.workspaces import workspace_folder

_PLAN_PREFIX: Final = "plan-"
_EXECUTED: Final = frozenset({"done", "failed", "unknown"})
_MAX_ANSWERS: Final = 12
_USER: Final = "bench"


@dataclass(frozen=True, slots=True)
class MadeCall:
    """A call as it reached the runtime. `by_plan`: made by the plan itself."""

    tool: str
    arguments: JsonObject
    state: str
    by_plan: bool
    is_right: bool

    @property
    def is_executed(self) -> bool:
        return self.state in _EXECUTED


@dataclass(frozen=True, slots=True)
class RunOutcome:
    """One run. `attempted` are the model's own calls (right or not), `withheld` right calls never on offer."""

    task: str
    arm: str
    seed: int
    attempted: tuple[bool, ...]
    calls: tuple[MadeCall, ...]
    missing: int
    withheld: int
    iterations: int
    done: bool
    skills: tuple[str, ...]
    plan_steps: tuple[bool, ...] = ()
    differences: tuple[str, ...] = ()
    questions: int = 0


async def run_task(world: World, arm: str, run: RunKey, model: TapedModel | None) -> RunOutcome:
    """Run a task in a new conversation with its files; a person approves calls and fills in forms."""
    task = run.task
    if model is not None:
        model.begin(run)
    conversation = await world.runtime.store.conversations.create(user=_USER)
    folder = workspace_folder(world.storage, conversation.id)
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in task.files.items():
        (folder / name).write_text(text, "utf-8")
    events = [one async for one in _hold(world, task, conversation.id)]
    differences = find_differences(task, folder, read_memories(world.storage, conversation.id))
    calls = tuple(_collect_calls(task, events))
    missing = task.list_missing([(one.tool, one.arguments) for one in calls if one.is_executed])
    skills = tuple(str(one.data.get("skill")) for one in events if one.kind == "skill.activated")
    offered = {
        name for view in (model.views if model else ()) for name in (*view.offered, *_guess_demanded(view, task))
    }
    offered |= {name for one in skills for name in world.runtime.catalog()[one].allowed_tools or ()}
    return RunOutcome(
        task.id,
        arm,
        run.seed,
        tuple(_judge_attempts(task, model)) if model else tuple(one.is_right for one in calls if not one.by_plan),
        calls,
        len(missing),
        sum(one.tool not in offered and not _was_called(one.tool, calls) for one in missing) if model else 0,
        _count_iterations(events, calls),
        not differences,
        skills,
        tuple(_judge_plans(world, events)),
        tuple(differences),
        sum(one.kind == "pause.opened" and one.data.get("kind") != "approval" for one in events),
    )


def _judge_plans(world: World, events: list[Event]) -> Iterator[bool]:
    """For every step of the plans that were started: whether it names a tool, an expected output and a check."""
    for event in events:
        skill = world.runtime.catalog().get(str(event.data.get("skill"))) if event.kind == "plan.created" else None
        if skill is not None:
            plan = compile_sop(skill)
            checked = {one.after for one in plan.milestones}
            yield from (
                bool((step.call or step.tools) and step.expects is not None and step.id in checked)
                for step in plan.steps
            )


def _was_called(tool: str, calls: tuple[MadeCall, ...]) -> bool:
    return any(one.tool == tool for one in calls)


def _guess_demanded(view: RequestView, task: DispatchTask) -> list[str]:
    """Tool whose arguments alone are asked for: its name is not in the schema, its arguments are."""
    if view.demanded != "":
        return []
    properties = view.offered[""].get("properties")
    return [one.tool for one in task.calls if isinstance(properties, Mapping) and set(one.arguments) <= set(properties)]


def _judge_attempts(task: DispatchTask, model: TapedModel) -> list[bool]:
    judged: list[bool] = []
    for view, reply in zip(model.views, model.replies, strict=True):
        if view.demanded is not None and view.list_choices():
            continue
        if view.demanded == "":
            judged.append(any(task.is_right(name, reply.arguments) for name in _guess_demanded(view, task)))
        elif reply.tool and reply.tool not in CONTROL_TOOLS:
            seen = any((one.tool, one.arguments) == (reply.tool, reply.arguments) and one.ok for one in view.calls)
            judged.append(task.is_right(reply.tool, reply.arguments) and not seen)
    return judged


def _count_iterations(events: list[Event], calls: tuple[MadeCall, ...]) -> int:
    return sum(one.kind == "usage" for one in events) + sum(one.by_plan for one in calls)


async def _hold(world: World, task: DispatchTask, conversation: str) -> AsyncIterator[Event]:
    pause: Event | None = None
    async for event in world.runtime.turn(TurnRequest(task.message, conversation=conversation, user=_USER)):
        pause = event if event.kind == "pause.opened" else pause
        yield event
    for _ in range(_MAX_ANSWERS):
        answer = None if pause is None else _answer(pause.data, task)
        if pause is None or answer is None:
            return
        asked, pause = str(pause.data["pause"]), None
        async for event in world.runtime.answer(asked, answer, user=_USER):
            pause = event if event.kind == "pause.opened" else pause
            yield event


def _answer(asked: JsonObject, task: DispatchTask) -> JsonValue:
    """What the person says: yes to calls, the values of the task in a form, the first of given choices."""
    if asked.get("kind") == "approval":
        return {"decision": "approve"}
    wanted = next((one.arguments for one in task.calls if one.tool == asked.get("tool")), None)
    missing = asked.get("missing")
    if wanted is not None and isinstance(missing, list):
        return {str(name): wanted[str(name)] for name in missing if name in wanted} or None
    choices = asked.get("choices")
    if isinstance(choices, list) and choices and isinstance(choices[0], Mapping):
        return choices[0].get("value")
    return None


def _collect_calls(task: DispatchTask, events: list[Event]) -> list[MadeCall]:
    given: dict[str, JsonObject] = {}
    made: list[MadeCall] = []
    ran: set[str] = set()
    for event in events:
        name, tool = str(event.data.get("call")), str(event.data.get("tool"))
        arguments = event.data.get("arguments")
        if event.kind in ("tool.called", "tool.violation") and isinstance(arguments, Mapping):
            given[name] = arguments
        if event.kind != "tool.result" or tool in CONTROL_TOOLS:
            continue
        known = given.get(name, {})
        key = hashlib.sha256(f"{tool}{sorted(known.items())!r}".encode()).hexdigest()
        state, by_plan = str(event.data.get("state")), name.startswith(_PLAN_PREFIX)
        right = task.is_right(tool, known) and key not in ran
        made.append(MadeCall(tool, known, state, by_plan, right))
        if state in _EXECUTED and event.data.get("ok"):
            ran.add(key)
    return made
