"""Several tasks of one message: begun one after the other, each under its own skill, with the output of those before.

The list is the last `tasks` event of the turn: a turn that is answered, or resumed after a crash, reads it there.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from metier.agent.adapters import drops_all, read_reply, render_sentence
from metier.agent.choice._trials import refuse_trial
from metier.agent.middleware import make_shortlist
from metier.agent.turn import TurnState, enter_skill, open_pause, turn_events
from metier.faults import fault_point
from metier.json_values import JsonObject, JsonValue
from metier.language import shorten_text
from metier.routing import Decision
from metier.skills import Catalog, Skill
from metier.store import ChosenBy, Event, EventDraft
from metier.tasks import Task, TaskList, TaskOutput, collect_output, describe_order, has_clear_order, tasks_from_json

_CHOSEN_KINDS: Final = ("skill.activated", "plan.created", "tool.called", "text.done")
_BEGUN_KINDS: Final = (*_CHOSEN_KINDS, "context.built")
_MAX_TITLE_CHARS: Final = 80
_NO_SKILL: Final = "-"  # stands with the number of the task where no skill fits
REQUESTS: Final = "requests"


def make_tasks(catalog: Catalog, requests: Sequence[tuple[str, str]], state: TurnState) -> TaskList:
    """Tasks of these requests, each a skill and the words that ask for it; a skill that is gone is left out.

    A request that no skill fits has an empty skill, and its words are the title of its task.
    """
    known = [(skill, text) for skill, text in requests if not skill or skill in catalog]
    return TaskList(tuple(_make_task(catalog, number, one, state) for number, one in enumerate(known, 1)))


def _make_task(catalog: Catalog, number: int, request: tuple[str, str], state: TurnState) -> Task:
    skill, text = request
    title = catalog[skill].title_in(state.request.language) if skill else shorten_text(text, _MAX_TITLE_CHARS)
    return Task(str(number), skill and catalog[skill].id, title, text)


def join_answers(state: TurnState, decision: Decision) -> Decision:
    """The decision without requests that only say yes to a question of the skill before them.

    分析浦东的干扰并仿真 asks for one thing: the steps of the analysis ask whether to simulate, and read the whole
    message. A language model reads it for itself.
    """
    kept = [*decision.requests[:1]] if state.uses_builtin_model("choose") else []
    for one in decision.requests[1:] if kept else ():
        before = state.request.catalog.get(kept[-1].skill) if kept[-1].skill else None
        if before is None or not any(read_reply(one.text, text) == "yes" for text in _list_questions(before)):
            kept.append(one)
    return replace(decision, requests=tuple(kept)) if len(kept) == 1 else decision


def _list_questions(skill: Skill) -> Iterator[str]:
    """Questions of the skill's steps that are answered by yes or no, in both languages."""
    for step in skill.sop:
        ask = step.get("ask") if "answer" not in step else None
        yield from (str(one) for one in (ask.values() if isinstance(ask, Mapping) else [ask]) if one)


def needs_question(requests: Sequence[tuple[str, str]], *, is_sure: bool) -> bool:
    """Whether the user is asked before several tasks begin: their meaning or their order is not clear."""
    return not is_sure or not has_clear_order([text for _, text in requests])


async def ask_order(state: TurnState, requests: Sequence[tuple[str, str]]) -> None:
    """Ask which tasks are meant and in which order."""
    tasks = make_tasks(state.request.catalog, requests, state).tasks
    orders = describe_order([one.title for one in tasks], state.request.language)
    names = [one.skill or f"{_NO_SKILL}{one.id}" for one in tasks]
    choices: list[JsonValue] = [{"text": text, "value": " ".join(names[at] for at in order)} for order, text in orders]
    nothing = {"text": render_sentence("default_way", state.request.language), "value": ""}
    values: list[JsonValue] = [one["value"] for one in choices if isinstance(one, Mapping)]
    listed: list[JsonValue] = [{"skill": name, "text": one.text} for name, one in zip(names, tasks, strict=True)]
    text = render_sentence("which_tasks", state.request.language, count=len(tasks))
    payload: JsonObject = {"text": text, "choices": [*choices, nothing], REQUESTS: listed}
    await open_pause(state, "choose", "tasks", {"enum": [*values, ""]}, payload)


async def begin_chosen_tasks(state: TurnState, payload: JsonObject, answer: JsonValue) -> bool:
    """Begin what the user chose; False if the question was not about several tasks."""
    listed = payload.get(REQUESTS)
    if not isinstance(listed, list) or not answer:
        return False
    texts = {str(one.get("skill")): str(one.get("text")) for one in listed if isinstance(one, Mapping)}
    chosen = [("" if one.startswith(_NO_SKILL) else one, texts[one]) for one in str(answer).split()]
    await begin_tasks(state, make_tasks(state.request.catalog, chosen, state), "user")
    return True


async def begin_tasks(state: TurnState, tasks: TaskList, by: ChosenBy) -> bool:
    """Begin the first task of a list that a message has asked for; False if it may not begin."""
    state.tasks = tasks
    if state.request.whole_message == "":
        state.request = replace(state.request, whole_message=state.request.message)
    return await _start_next(state, by)


async def resume_list(state: TurnState, tasks: TaskList) -> None:
    """Go on with a list whose first open task has its plan at work again."""
    await state.journal.record()
    state.tasks = tasks.start_next(len(await state.journal.load_messages()))
    if (running := state.tasks.running) is not None:
        state.request = replace(state.request, message=running.text)
    await state.journal.record(tasks_event(state.tasks))


async def advance_tasks(state: TurnState) -> bool:
    """Finish the running task and begin the next one; False if nothing is left to do."""
    task = state.tasks.running
    if task is None:
        return False
    runner = state.plan.runner
    if runner is not None and runner.state == "failed":
        await _fail(state, task)
        return False
    skill = state.request.catalog.get(task.skill)
    found = dict(runner.run.data) if runner is not None else {}
    text = state.calls.final_text or state.calls.last_reply
    output = TaskOutput(text) if skill is None else collect_output(skill, text, found)
    if skill is not None and runner is None and state.uses_builtin_model("act"):
        state.tasks = state.tasks.give_up(text)  # no steps, and no model that could work without them
    else:
        state.tasks = state.tasks.finish(output)
    if state.tasks.next_pending is None:
        state.journal.queue(tasks_event(state.tasks))
        return False
    await state.journal.record(tasks_event(state.tasks), plan=state.plan_snapshot())
    fault_point("task_done")
    return await _start_next(state, "router")


async def continue_tasks(state: TurnState) -> bool:
    """Go on with a list whose running task has not begun yet; False if there is nothing to do."""
    running = state.tasks.running
    if running is not None:
        return await _enter(state, running, "router")
    return await _start_next(state, "router")


def find_tasks(events: Sequence[Event]) -> TaskList:
    """Tasks of a turn from its events; empty if it has none."""
    last = next((one for one in reversed(events) if one.kind == "tasks"), None)
    return TaskList() if last is None else tasks_from_json(last.data.get("tasks"))


def has_begun_task(events: Sequence[Event]) -> bool:
    """Whether anything was done for the task that is running."""
    at = max((number for number, one in enumerate(events) if one.kind == "tasks"), default=None)
    running = find_tasks(events).running
    # A prompt that asks for the skill of a task is built again: its menu is not stored.
    kinds = _BEGUN_KINDS if running is None or running.skill else _CHOSEN_KINDS
    return at is None or any(one.kind in kinds for one in events[at + 1 :])


def stop_tasks(events: Sequence[Event]) -> tuple[TaskList, EventDraft] | None:
    """Tasks of a turn that is stopped or has failed, with the event that says so; None if all were done."""
    tasks = find_tasks(events)
    if not tasks.is_open:
        return None
    stopped = tasks.stop()
    return stopped, tasks_event(stopped)


def drop_pending_tasks(state: TurnState, message: str) -> None:
    """Leave the tasks that have not begun undone if the answer to the open question refuses everything."""
    if state.tasks.next_pending is not None and drops_all(message):
        state.tasks = state.tasks.drop(render_sentence("task_dropped", state.request.language))
        state.journal.queue(tasks_event(state.tasks))


async def drop_tasks_of(state: TurnState, turn: str | None) -> None:
    """Show that the tasks of a turn whose question was dismissed are not done any more."""
    found = await state.resources.store.turns.get(turn) if turn else None
    tasks = TaskList() if found is None else find_tasks(await turn_events(state.resources.store, found))
    if tasks.is_open:
        dropped = tasks.drop(render_sentence("task_dropped", state.request.language), also_running=True)
        state.journal.queue(tasks_event(dropped))


def tasks_event(tasks: TaskList) -> EventDraft:
    """`tasks` event: the whole list every time."""
    return EventDraft("tasks", {"tasks": tasks.to_json()})


async def _start_next(state: TurnState, by: ChosenBy) -> bool:
    task = state.tasks.next_pending
    if task is None:
        return False
    unfit = "" if task.skill or state.skill_chooser == "model" else _report_unfit(state, task)
    await state.journal.record()  # texts of the task before count as messages
    state.tasks = state.tasks.start_next(len(await state.journal.load_messages()))
    if unfit and state.uses_builtin_model("converse"):
        state.tasks = state.tasks.give_up(unfit)
        await state.journal.record(tasks_event(state.tasks))
        return await _start_next(state, by)
    await state.journal.record(tasks_event(state.tasks))
    fault_point("task_started")
    return await _enter(state, task, by)


def _report_unfit(state: TurnState, task: Task) -> str:
    """Say that no skill fits a task; a language model answers it without one."""
    code = "task_fits_no_skill" if state.uses_builtin_model("converse") else "task_without_skill"
    why = render_sentence(code, state.request.language, text=task.title)
    state.queue_reply(why)
    return why


def offer_menu(state: TurnState, ranked: Sequence[tuple[str, float]]) -> None:
    """Put skills on the model's menu: all of them while they fit and the model may choose, else the nearest."""
    catalog, chooser = state.request.catalog, state.skill_chooser
    whole = chooser != "router" and state.resources.offers_all_skills(catalog, state.request.language)
    state.skill.shortlist = make_shortlist(catalog, ranked, *([len(catalog)] if whole else []))
    state.skill.can_search = chooser == "model" and not whole


def assign_chosen_skill(state: TurnState, skill: Skill) -> None:
    """Note which skill the model chose for the running task, if the model was to choose it."""
    running = state.tasks.running
    if running is not None and not running.skill:
        state.tasks = state.tasks.assign(skill.id, skill.title_in(state.request.language))
        state.journal.queue(tasks_event(state.tasks))


async def _enter(state: TurnState, task: Task, by: ChosenBy) -> bool:
    """Enter the skill of a task, with nothing of the task before but its output; False if its free trial is over.

    A task without a skill leaves the choice to the model, which gets the menu.
    """
    calls, skill = state.calls, state.skill
    calls.final_text, calls.suggestions, calls.model_note, calls.batch = None, (), None, None
    calls.last_reply = ""
    skill.choice_prompt, skill.menu, skill.shortlist, skill.form_asked_for = None, None, (), ""
    state.request = replace(state.request, message=task.text, computed="")
    entered = state.request.catalog.get(task.skill)
    if await refuse_trial(state, entered):
        await _fail(state, task)
        return False
    await enter_skill(state, entered, None, by)
    if not task.skill and state.skill_chooser != "router":
        offer_menu(state, ())
    return True


async def _fail(state: TurnState, task: Task) -> None:
    """Leave the tasks after a failed one undone, say so, and offer them."""
    language = state.request.language
    left = [one for one in state.tasks if one.state == "pending"]
    state.tasks = state.tasks.fail(
        render_sentence("task_failed", language), render_sentence("task_skipped", language, title=task.title)
    )
    state.journal.queue(tasks_event(state.tasks))
    if left:
        titles = ", ".join(one.title for one in left)
        state.queue_reply(render_sentence("tasks_skipped", language, title=task.title, titles=titles))
        state.calls.offers += [{"text": one.text[:_MAX_TITLE_CHARS], "value": one.text} for one in left]
