"""Builds the state of a turn: for a new message, or again from the store after an answer or a crash."""

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, get_args

from metier.agent.choice import choose_skill, continue_tasks, find_tasks, has_begun_task, read_talk
from metier.agent.lifecycle._guards import apply_guard
from metier.agent.lifecycle._recover import check_crashes, find_answer_event, has_unstarted_plan, recover
from metier.agent.lifecycle._resume import apply_answer
from metier.agent.lifecycle._stop import turn_language
from metier.agent.turn import (
    NO_VOICE,
    Journal,
    RequestedVoice,
    Resources,
    TurnInput,
    TurnRequest,
    TurnSkill,
    TurnState,
    restore_plan,
    turn_events,
    turn_messages,
)
from metier.attachments import keep_open_document, may_have_attachments, read_attached_text, read_open_document
from metier.faults import fault_point
from metier.language import Language, choose, read_language_wish, resolve_language
from metier.names import is_command, leave_command
from metier.pack import GuardReply
from metier.settings import Settings
from metier.skills import Catalog, Skill, narrow_groups
from metier.store import (
    Conversation,
    Event,
    EventDraft,
    Message,
    MessageDraft,
    Pause,
    SavedPlan,
    Transaction,
    VoiceMode,
)

_MAX_HISTORY_MESSAGES: Final = 60
_WORD: Final = re.compile(r"[^\W\d_]{2,}")
_FILE_NAME: Final = re.compile(r"(?<![^\s，,。；;：:“”\"])[^\s，,。；;：:“”\"]+\.[A-Za-z][A-Za-z0-9]{1,4}(?![\w.])")
_EVENTS_AFTER_CHOICE: Final = ("skill.routed", "skill.activated", "tool.called")


@dataclass(frozen=True, slots=True)
class NewTurn:
    """Starts a turn for a new message. `pending` is a question of an earlier turn that the message does not answer."""

    resources: Resources
    request: TurnRequest
    conversation: Conversation
    catalog: Catalog
    pending: Pause | None = None
    guarded: GuardReply | None = None
    has_open_pauses: bool = True

    async def start(self, journal: Journal) -> tuple[TurnState, bool]:
        """Return the state, and whether the agent has to run."""
        asked = self.request
        state, plan = await _load_state(self.resources, journal, self.conversation, self.catalog, asked.message)
        document = asked.document or state.request.document
        groups = narrow_groups(self.resources.settings.skill_groups, asked.groups)
        state.request = replace(
            state.request,
            catalog=self.catalog.in_groups(groups),
            host=asked.host,
            document=document,
            model=asked.model,
            voice=_choose_voice(asked.voice_mode, state.request.voice),
            skill_choice=asked.skill_choice,
            is_new=True,
            has_open_pauses=self.has_open_pauses,
            unmatched=self.guarded.unmatched if self.guarded else "",
        )
        if asked.document:
            folder = self.resources.workspace(self.conversation.id)
            await asyncio.to_thread(keep_open_document, folder, journal.lease.id, asked.document)
        state.calls.pending_pause = self.pending
        model = {"model": asked.model} if asked.model else {}
        model |= {"voice_mode": asked.voice_mode} if asked.voice_mode else {}
        by = {"by": asked.by.to_json()} if asked.by else {}
        beside = {"skills": list(asked.skills)} if asked.skills else {}
        guarded = {"guarded": self.guarded.code} if self.guarded else {}
        told = {"message": state.request.message, "skill": self.conversation.skill, **model, **beside, **by, **guarded}
        started = EventDraft("turn.started", told)
        await journal.record(started, messages=[MessageDraft("user", state.request.message)])
        fault_point("message_stored")
        if state.request.earlier_messages or asked.skill or asked.skills or is_command(asked.message):
            await self.resources.load_tools()  # a first message is routed without them
        state.plan.has_versions = plan is not None
        if self.guarded is not None and self.guarded.text:
            await apply_guard(state, self.guarded)
            return state, False
        # 我已经说过可以了, said to an open question, is about the question.
        is_talk = self.pending is not None and read_talk(asked.message) is not None
        if self.guarded is not None and self.guarded.opening and not is_talk:
            state.queue_reply(self.guarded.opening)
        await restore_plan(state, plan)
        state.skill.together = tuple(state.request.catalog[one] for one in asked.skills)
        runs = await choose_skill(state, asked.skill)
        if runs and self._is_unmatched(state):
            state.queue_reply(state.request.unmatched)
            return state, False
        return state, runs

    def _is_unmatched(self, state: TurnState) -> bool:
        """Whether a guard has words for a message that no skill fits and no language model can answer."""
        return bool(state.request.unmatched) and state.skill.active is None and self.resources.models.is_all_builtin


@dataclass(frozen=True, slots=True)
class ResumedTurn:
    """Resumes a turn from the store: after the answer to `pause`, or after a crash if there is none.

    `said` are the words of the answer if it came as a message, `opening` what a guard wants said first. `conversation`
    was read before the turn was leased.
    """

    resources: Resources
    pause: Pause | None = None
    said: str | None = None
    opening: str = ""
    conversation: Conversation | None = None

    async def start(self, journal: Journal) -> tuple[TurnState, bool]:
        """Return the state, and whether the agent has to run."""
        store, lease = self.resources.store, journal.lease
        conversation = self.conversation
        if conversation is None or conversation.last_fence + 1 != lease.fence:  # another turn may have changed it
            conversation = await store.conversations.get(lease.conversation)
        catalog = (await self.resources.load_catalog_and_tools()).narrow_to(conversation.user)
        events = await turn_events(store, lease)
        if self.pause is None:
            journal.language = turn_language(self.resources, events)
            check_crashes(events)
        state, plan = await _load_state(self.resources, journal, conversation, catalog, _first_message(events))
        folder = self.resources.workspace(conversation.id)
        opened = await asyncio.to_thread(read_open_document, folder, lease.id)
        document = opened or state.request.document
        voice = _choose_voice(_requested_voice(events), state.request.voice)
        state.request = replace(state.request, model=_requested_model(events), document=document, voice=voice)
        self._restore_tasks(state, events)
        if self.opening:
            state.queue_reply(self.opening)
        state.skill.together = _skills_together(events, state.request.catalog)
        state.skill.has_computed = _has_computed(state.skill.active, events)
        if self.pause is None and state.tasks.is_open and not has_begun_task(events):
            return state, await continue_tasks(state)
        await restore_plan(state, plan, finished=self.pause is None)
        if self.pause is None:
            return state, await self._recover(state, events)
        if find_answer_event(events, self.pause) is not None:
            # The same answer arrived twice concurrently; the other request resumes the turn.
            state.calls.stays_paused = True
            return state, False
        return state, await apply_answer(state, self.pause, self.said)

    def _restore_tasks(self, state: TurnState, events: Sequence[Event]) -> None:
        state.tasks = find_tasks(events)
        if (running := state.tasks.running) is not None:
            whole = state.request.message
            state.request = replace(state.request, message=running.text, whole_message=whole)

    async def _recover(self, state: TurnState, events: Sequence[Event]) -> bool:
        store, lease = self.resources.store, state.journal.lease
        others = [one for one in await store.pauses.list_open(lease.conversation) if one.turn != lease.id]
        if others:  # this turn is answered while that pause stays open
            state.calls.pending_pause, state.plan.runner = others[-1], None
        if not _has_followed_choice(events):
            return await choose_skill(state, None)
        state.plan.is_due = (
            state.plan.runner is None
            and state.skill.active is not None
            and bool(state.skill.active.sop)
            and has_unstarted_plan(events)
        )
        mine, answered = await turn_messages(store, lease), await self._find_answered_pause(events)
        return await recover(state, events, mine, answered)

    async def _find_answered_pause(self, events: Sequence[Event]) -> Pause | None:
        """Last pause of the turn, if it was answered."""
        opened = [str(one.data.get("pause")) for one in events if one.kind == "pause.opened"]
        pause = await self.resources.store.pauses.get(opened[-1]) if opened else None
        return pause if pause is not None and pause.answered_at is not None else None


def _has_followed_choice(events: Sequence[Event]) -> bool:
    """Whether something came of the choice of a skill; a choice that was only told is made again."""
    kinds = [one.kind for one in events if one.data.get("code") != "interrupted"]
    return kinds[-1:] != ["skill.routed"] and any(one in _EVENTS_AFTER_CHOICE for one in kinds)


async def _load_state(
    resources: Resources, journal: Journal, conversation: Conversation, catalog: Catalog, message: str
) -> tuple[TurnState, SavedPlan | None]:
    """Build the turn's state; also return the latest saved plan of the conversation."""

    async def read_history(view: Transaction) -> tuple[tuple[Message, ...], SavedPlan | None]:
        history = await view.messages.get_history(conversation.id, limit=_MAX_HISTORY_MESSAGES, is_known=True)
        return history, await view.plans.get_latest(conversation.id, is_known=True)

    history, plan = await resources.store.read_together(read_history)
    if len(history) < _MAX_HISTORY_MESSAGES or history[0].turn != journal.lease.id:
        journal.keep_messages(history)
    setting = resources.settings.language
    folder = resources.workspace(conversation.id)
    attached = await asyncio.to_thread(read_attached_text, folder) if may_have_attachments(folder) else None
    asked = TurnInput(
        user=conversation.user,
        message=message,
        language=_detect_language(message, history) if setting == "auto" else setting,
        catalog=catalog,
        document=attached.text if attached else None,
        attached=attached,
        voice=conversation.voice_mode or _get_default_voice(resources.settings),
        conversation_model=conversation.model,
        earlier_messages=tuple(one for one in history if one.turn != journal.lease.id),
        started_at_s=resources.timer(),
    )
    active = catalog.get(conversation.skill) if conversation.skill else None
    return TurnState(resources, journal, asked, TurnSkill(active, conversation.skill_chosen_by)), plan


def _get_default_voice(settings: Settings) -> VoiceMode | None:
    """Tone that the settings ask for; None if they ask for none."""
    return None if settings.voice_mode == "off" else settings.voice_mode


def _choose_voice(requested: RequestedVoice | None, otherwise: VoiceMode | None) -> VoiceMode | None:
    """Tone that the request named, which may be none; without one that of the conversation."""
    if requested is None:
        return otherwise
    return None if requested == NO_VOICE else requested


def _requested_voice(events: Sequence[Event]) -> RequestedVoice | None:
    """Tone that the request named, so that a resumed turn keeps it."""
    started = next((one for one in events if one.kind == "turn.started"), None)
    named = started.data.get("voice_mode") if started else None
    known: tuple[RequestedVoice, ...] = (*get_args(VoiceMode), NO_VOICE)
    return next((one for one in known if one == named), None)


def _requested_model(events: Sequence[Event]) -> str | None:
    """Model that the request named, so that a resumed turn goes on with it."""
    started = next((one for one in events if one.kind == "turn.started"), None)
    named = started.data.get("model") if started else None
    return named if isinstance(named, str) else None


def _skills_together(events: Sequence[Event], catalog: Catalog) -> tuple[Skill, ...]:
    """Skills that were in use beside the first when the turn was interrupted."""
    last = next((one for one in reversed(events) if one.kind in ("skill.activated", "turn.started")), None)
    listed = last.data.get("together", last.data.get("skills")) if last is not None else None
    found = (catalog.get(str(one)) for one in listed) if isinstance(listed, list) else ()
    return tuple(one for one in found if one is not None)


def _has_computed(skill: Skill | None, events: Sequence[Event]) -> bool:
    """Whether the compute tool of the skill has run in this turn."""
    if skill is None or not skill.needs.compute_tool:
        return False
    results = (one.data for one in events if one.kind == "tool.result")
    return any(one.get("ok") is True and one.get("tool") == skill.needs.compute_tool for one in results)


def _first_message(events: Sequence[Event]) -> str:
    """The message of the turn; of a short follow-up the whole question that it was read as."""
    started = next((one for one in events if one.kind == "turn.started"), None)
    read = next((one.data["read_as"] for one in events if one.kind == "skill.routed" and one.data.get("read_as")), None)
    return str(read or started.data.get("message", "")) if started else ""


def _detect_language(message: str, history: Sequence[Message]) -> Language:
    """Language of the message; if it does not tell (a command, one word), of those that began the turns before it.

    What the user says within a turn may be the values of a form, whose names and codes are of no language.
    """
    began: dict[str, str] = {}
    for one in history:
        if one.role == "user":
            began.setdefault(one.turn or str(one.position), one.content)
    earlier = reversed(began.values())
    return next(
        (found for said in (message, *earlier) if (found := _tell_language(said))), resolve_language("auto", message)
    )


def _tell_language(said: str) -> Language | None:
    """Language of a message; None if it has no Chinese character and not two words that could be of a sentence."""
    said = _FILE_NAME.sub(" … ", leave_command(said))  # sales.zh.csv is of no language
    if (wanted := read_language_wish(said)) is not None:
        return wanted
    words = [word for word in _WORD.findall(said) if not word.isupper()]
    found = resolve_language("auto", said)
    return found if choose(found, zh=True, en=len(words) > 1) else None
