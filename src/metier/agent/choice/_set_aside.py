"""Plans that were stopped or put aside: they stay so until the user asks to go on with them, or drops them."""

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Final

from metier.agent.adapters import (
    asks_no_more,
    is_dismissal,
    is_go_on,
    read_assent,
    read_reply,
    render_sentence,
    split_refusal,
)
from metier.agent.choice._reminders import remind_of_pause
from metier.agent.choice._tasks import begin_tasks, drop_tasks_of, find_tasks, resume_list
from metier.agent.middleware import todos_event, todos_from_run
from metier.agent.turn import (
    ASKED_MESSAGE,
    SET_ASIDE,
    SETTLED,
    PlanRunner,
    PlanSnapshot,
    TurnState,
    abandon_open_work,
    cancel_pause,
    cut_refusal,
    load_waiting_plan,
    read_control,
    restore_plan,
    turn_events,
)
from metier.json_values import JsonObject
from metier.language import Language, Sentences, shorten_text
from metier.questions import find_places
from metier.store import EventDraft, Pause, SavedPlan, Store
from metier.tasks import TaskList

_ASKED: Final = "asked"  # in a stored plan whose open question was put aside: its words
_MAX_VERSIONS: Final = 100
_MAX_ASKED_CHARS: Final = 60
_MAX_LATE_VERSIONS: Final = 12
_STEM_CHARS: Final = 5
_LONG_WORD: Final = re.compile(r"[a-z]{5,}")
_BACK: Final = re.compile("(?:请)?回到|(?:please )?(?:go )?back to", re.IGNORECASE)
_SENTENCE_END: Final = re.compile(r"[。.!?！？\n]+")
_SAID: Final = Sentences(
    {
        "put_aside": (
            "I put this question aside: “{text}” Say “back to the question” to take it up again.",
            "先把这个问题放一边：「{text}」说「回到刚才的问题」可以接着回答。",
        ),
        "put_aside_for_good": ("The question “{text}” is closed.", "问题「{text}」已关闭。"),
        "nothing_aside": ("No question was put aside.", "没有放在一边的问题。"),
        "choice_aside": (
            "I leave “{text}” for now, as I did not know what you meant by it; say it again to take it up.",
            "「{text}」先放下，因为还不知道指的是哪一项；想做时再说一遍。",
        ),
        "back_to_question": ("Back to the question", "回到刚才的问题"),
        "dropped": ("All right, it stays stopped.", "好的，已停止，不再继续。"),
        "asked_again": (
            "No question was open. This one was put aside, so I ask it again: “{text}”",
            "刚才没有等你回答的问题。之前放到一边的是「{text}」，现在重新问你。",
        ),
        "nothing_waits": ("All right. No question is waiting for your answer.", "好的。现在没有等你回答的问题。"),
        "stays_stopped": (
            "No question is waiting for your answer, and what was stopped stays stopped. Say “go on” to take it up.",
            "现在没有等你回答的问题，停下的步骤仍然停着。说「继续」可以接着做。",
        ),
    }
)


async def follow_wish(state: TurnState) -> bool | None:
    """Carry out a message that only says "go on" or "never mind": whether the agent has to run; None for others."""
    message = state.request.message
    if is_go_on(message) and not state.has_open_work:
        return True if await _resume(state) or await _resume_tasks(state) else None
    if _BACK.match(message.strip()) and is_go_on(message) and await _go_back(state):
        return True
    if _BACK.match(message.strip()) and is_go_on(message) and state.uses_builtin_model("converse"):
        told = _SAID.render("nothing_aside", state.request.language)
        state.queue_reply("\n\n".join(one for one in (told, remind_of_pause(state)) if one))
        return False
    pause = state.calls.pending_pause
    if pause is not None and pause.payload.get("purpose") == "approve" and find_places(message):
        return None  # a word about one of its rows drops nothing
    stops = pause is not None and read_control(message) == "stop"
    if not stops and not is_dismissal(message, _SENTENCE_END.sub(" ", message)):
        return None  # nor would it be one that names the work
    searches = state.plan.has_versions and not state.has_open_work
    kept = await find_set_aside(state.resources.store, state.conversation) if searches else None
    if not stops and not is_dismissal(message, _describe_work(state, kept)):
        return None
    if state.has_open_work:
        pause = state.calls.pending_pause
        await abandon_open_work(state)
        await drop_tasks_of(state, pause.turn if pause is not None else None)
    elif kept is not None:
        await _drop_plan(state, kept)
    elif not state.uses_builtin_model("converse"):
        return None  # there is nothing to drop: the model finds the words
    language = state.request.language
    state.queue_reply(_SAID.render("dropped", language) if kept else render_sentence("dismissed", language))
    return False


async def follow_late_yes(state: TurnState) -> bool | None:
    """Do what a yes asks for that no open question waits for: whether the agent has to run; None for others.

    A language model reads a yes for itself.
    """
    if state.has_open_work or not state.plan.has_versions or not state.uses_builtin_model("choose"):
        return None
    return True if await _take_back_no(state) else await _reopen_for_yes(state)


async def _take_back_no(state: TurnState) -> bool:
    """Take a finished plan up at its question that was answered no, if the message now says yes in words of it.

    After 暂不需要, 然后仿真 does what was asked about.
    """
    skill = state.skill.active
    if skill is None:
        return False
    if read_reply(state.request.message, state.request.message) != "yes":  # nor would it be one that repeats words
        return False
    newest, *earlier = await state.resources.store.plans.list(state.conversation, limit=_MAX_LATE_VERSIONS)
    if newest.state != "done" or newest.plan.get("skill") != skill.id:
        return False
    answered = (await _read_plan(state, newest)).run.data
    for saved in earlier:
        if saved.state != "running" or saved.plan.get("skill") != skill.id or "run" not in saved.plan:
            return False
        runner = await _read_plan(state, saved)
        step = runner.run.current_step
        if step is None or step.ask is None or answered.get(step.id) is not False:
            continue
        if read_reply(state.request.message, step.ask) != "yes" or not _repeats_words(state.request.message, step.ask):
            return False
        state.plan.runner = runner
        drafts = await runner.limit_steps(partial(runner.answer_step, step.id, answer=True))
        await state.journal.record(*drafts, plan=state.plan_snapshot())
        return True
    return False


async def _reopen_for_yes(state: TurnState) -> bool | None:
    """Ask the question that was put aside again, with what it showed, for a yes that no open question waits for.

    The yes itself answers nothing: what it was said to is not known. True if the agent has to run, False if the reply
    is complete, None for other messages. What was stopped stays stopped.
    """
    if read_assent(state.request.message) != "yes" or is_go_on(state.request.message):
        return None
    language, kept = state.request.language, await find_set_aside(state.resources.store, state.conversation)
    if kept is not None and (asked := kept.plan.get(_ASKED)):
        state.queue_reply(_SAID.render("asked_again", language, text=str(asked)))
        return True if await _resume(state, kept) else None
    state.queue_reply(_SAID.render("nothing_waits" if kept is None else "stays_stopped", language))
    if kept is not None:
        go_on = render_sentence("go_on", language)
        state.calls.offers.append({"text": go_on, "value": go_on})
    return False


def _repeats_words(message: str, question: str) -> bool:
    """Whether words of the question stand in the message: a bare yes is about nothing in particular."""
    known = {word[:_STEM_CHARS] for word in _LONG_WORD.findall(question.casefold())}
    words = {word[:_STEM_CHARS] for word in _LONG_WORD.findall(message.casefold())}
    return bool(words & known) or (not message.isascii() and read_reply(message) is None)


async def _read_plan(state: TurnState, saved: SavedPlan) -> PlanRunner:
    folder = state.resources.workspace(state.conversation)
    runner = PlanRunner.from_json(saved.plan, language=state.request.language, workspace=folder)
    runner.run = runner.run.with_facts(await state.journal.load_facts())
    return runner


async def drop_refused(state: TurnState) -> None:
    """Drop the work that a message refuses before it asks for something else: "no, tell me … instead".

    A language model reads such a message whole.
    """
    pause = state.calls.pending_pause
    asked = str(pause.payload.get("text", "")) if pause is not None else ""
    wanted = split_refusal(state.request.message, asked) if state.uses_builtin_model("converse") else None
    if wanted is None or (pause is not None and _is_about_rows(pause, state.request.message)):
        return
    if state.has_open_work:
        await abandon_open_work(state)
    elif state.plan.has_versions and (kept := await find_set_aside(state.resources.store, state.conversation)):
        await _drop_plan(state, kept)
    if pause is not None:
        state.queue_reply(_SAID.render("put_aside_for_good", state.request.language, text=asked))
    state.request = replace(state.request, message=wanted)


def _is_about_rows(pause: Pause, message: str) -> bool:
    """Whether a no beside an approval goes on about it: 不，只改第二处, or that it shall not be asked again."""
    if pause.payload.get("purpose") != "approve":
        return False
    return asks_no_more(message) or cut_refusal(pause, message) != message


async def _drop_plan(state: TurnState, kept: SavedPlan) -> None:
    settled = [*_list_settled(kept.plan), str(kept.plan[SET_ASIDE])]
    plan = {key: value for key, value in kept.plan.items() if key != SET_ASIDE}
    await state.journal.record(plan=PlanSnapshot({**plan, SETTLED: list(settled)}, "abandoned"))


async def put_question_aside(state: TurnState) -> None:
    """Close the open question, if there is one, because the message is another request; its plan can be resumed."""
    pause, language = state.calls.pending_pause, state.request.language
    if pause is None:
        return
    text = str(pause.payload.get("text", "")).partition("\n")[0]  # without the list of choices below it
    saved = await load_waiting_plan(state)
    state.plan.runner, state.plan.todos, state.calls.pending_pause = None, (), None
    for one in await state.resources.store.pauses.list_open(state.conversation):
        await cancel_pause(state, one)
    if saved is None or "run" not in saved.plan:
        if ASKED_MESSAGE not in pause.payload:  # that a question for the skill is closed tells nobody anything
            state.queue_reply(_SAID.render("put_aside_for_good", language, text=text))
        return
    await state.journal.record(plan=mark_set_aside({**saved.plan, _ASKED: text}, state.resources.new_id()))
    state.queue_reply(_SAID.render("put_aside", language, text=text))
    back = _SAID.render("back_to_question", language)
    state.calls.offers.append({"text": back, "value": back})


async def put_choice_aside(state: TurnState, *, is_told: bool) -> None:
    """Close the open question which skill is meant, because the message is another request, or says what was meant.

    With `is_told`, what it was about is named, and may be asked for again.
    """
    pause = state.calls.pending_pause
    asked = str(pause.payload.get(ASKED_MESSAGE, "")) if pause is not None else ""
    if not asked:
        return
    state.calls.pending_pause = None
    for one in await state.resources.store.pauses.list_open(state.conversation):
        await cancel_pause(state, one)
    if is_told:
        short = shorten_text(asked, _MAX_ASKED_CHARS)
        state.queue_reply(_SAID.render("choice_aside", state.request.language, text=short))


async def halt_plan(store: Store, conversation: str, turn: str, mark: str) -> PlanSnapshot | None:
    """Stopped plan of a turn, marked so that no later message goes on with it by itself; None without a plan."""
    saved = await store.plans.get_latest(conversation)
    if saved is None or saved.state != "running" or "run" not in saved.plan or SET_ASIDE in saved.plan:
        return None
    if saved.turn != turn and await store.pauses.list_open(conversation):
        return None  # it waits for an answer in another turn
    return mark_set_aside(saved.plan, mark)


def mark_set_aside(plan: JsonObject, mark: str) -> PlanSnapshot:
    """The plan as the store keeps it until somebody asks for it."""
    return PlanSnapshot({**plan, SET_ASIDE: mark}, "running")


def go_on_event(language: Language) -> EventDraft:
    """`suggestions` event that offers to go on with what was stopped."""
    text = render_sentence("go_on", language)
    return EventDraft("suggestions", {"suggestions": [{"text": text, "value": text}], "from": "skill"})


async def find_set_aside(store: Store, conversation: str) -> SavedPlan | None:
    """Newest plan that was set aside and neither taken up again nor dropped."""
    settled: set[str] = set()
    for saved in await store.plans.list(conversation, limit=_MAX_VERSIONS):
        settled |= set(_list_settled(saved.plan))
        mark = saved.plan.get(SET_ASIDE)
        if isinstance(mark, str) and saved.state == "running" and mark not in settled:
            return saved
    return None


async def _go_back(state: TurnState) -> bool:
    """Put the open question aside in favour of the one that was put aside before; False if there was none."""
    earlier = await find_set_aside(state.resources.store, state.conversation)
    if earlier is None or state.calls.pending_pause is None:
        return False
    await put_question_aside(state)
    return await _resume(state, earlier)


async def _resume(state: TurnState, earlier: SavedPlan | None = None) -> bool:
    """Take up the plan that was set aside, or this earlier one; False if there is none, or its skill is gone."""
    saved = earlier or await find_set_aside(state.resources.store, state.conversation)
    skill = state.request.catalog.get(str(saved.plan.get("skill"))) if saved is not None else None
    if saved is None or skill is None:
        return False
    await state.switch_skill(skill, None, "user")
    await restore_plan(state, saved, set_aside=True)
    if state.plan.runner is None:
        return False
    state.plan.settled = (*_list_settled(saved.plan), str(saved.plan[SET_ASIDE]))
    told = todos_event(todos_from_run(state.plan.runner.run), "plan")
    facts = state.plan.runner.restate_facts({one.name: one.value for one in await state.journal.load_facts()})
    await state.journal.record(*facts, told, plan=state.plan_snapshot())
    tasks = await _find_stopped_tasks(state, saved.turn)
    if (first := tasks.next_pending) is not None and first.skill == skill.id:
        await resume_list(state, tasks)
    return True


async def _resume_tasks(state: TurnState) -> bool:
    """Take up the tasks that the last turn left undone when it was stopped; False if there are none."""
    turns = [one for one in await state.resources.store.turns.list(state.conversation, limit=2) if one.id != state.turn]
    tasks = await _find_stopped_tasks(state, turns[0].id if turns else None)
    if tasks.next_pending is None:
        return False
    await begin_tasks(state, tasks, "user")
    return True


async def _find_stopped_tasks(state: TurnState, turn: str | None) -> TaskList:
    """Tasks of a turn, what was stopped in it waiting to be done; empty if it has none."""
    found = await state.resources.store.turns.get(turn) if turn else None
    return TaskList() if found is None else find_tasks(await turn_events(state.resources.store, found)).reopen()


def _describe_work(state: TurnState, kept: SavedPlan | None) -> str:
    """Words that a "no" may repeat: the open question, or the steps of the plan."""
    if state.calls.pending_pause is not None:
        return str(state.calls.pending_pause.payload.get("text", ""))
    skill = state.skill.active
    if kept is not None:
        skill = state.request.catalog.get(str(kept.plan.get("skill"))) or skill
    steps = skill.sop if skill is not None else ()
    return " ".join(_title(one.get("title"), state.request.language) for one in steps)


def _title(value: object, language: Language) -> str:
    return str(value.get(language, "")) if isinstance(value, Mapping) else str(value or "")


def _list_settled(plan: JsonObject) -> list[str]:
    listed = plan.get(SETTLED)
    return [str(one) for one in listed] if isinstance(listed, list) else []
