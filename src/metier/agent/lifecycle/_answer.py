"""Answers to questions: who may give one (approvals are an approver's who did not ask), and how it is stored."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, Literal, Self

from metier.agent.turn import (
    HeldCall,
    Resources,
    combine_digests,
    digest_question,
    find_decision,
    given_arguments,
    narrow_approval,
    preview_from_data,
    read_words,
    turn_events,
)
from metier.errors import (
    ApprovalChanged,
    Conflict,
    ConversationBusy,
    InvalidInput,
    RecordNotFound,
    RoleMissing,
    SelfApproval,
    SkillNotFound,
    ToolNotFound,
)
from metier.json_values import JsonObject, JsonValue
from metier.limits import run_limited
from metier.settings import Settings
from metier.store import Conversation, Event, Pause, PauseKind, Principal, Store, Transaction, Turn
from metier.tools import ToolCall, argument_problems, digest_call

APPROVAL_KINDS: Final[tuple[PauseKind, ...]] = ("approval", "exception")
_APPROVING: Final = ("approve", "edit")
_RETRY: Final = "retry"  # the answer that runs a call again whose outcome is unknown
_LETTING_RUN: Final[tuple[JsonValue, ...]] = (_RETRY, {"decision": _APPROVING[0]})


@dataclass(frozen=True, slots=True)
class GivenAnswer:
    """Answer to a pause. `said` are its words if it came as a message; `by` is None for a trusted caller.

    `opening` is what a guard wants said before the turn goes on. `shown` is the digest of the question as the answerer
    saw it; without it, as it was read for this answer.
    """

    pause: Pause
    answer: JsonValue
    key: str | None
    said: str | None = None
    by: Principal | None = None
    opening: str = ""
    shown: str = ""

    async def require_right(
        self, store: Store, settings: Settings, *, owner: str | None = None, conversation: Conversation | None = None
    ) -> Conversation:
        """The conversation; raises unless `by` may give this answer; a refused approval is recorded in the audit log.

        If `owner` is given, the conversation must be of that user; `conversation` is it if it was read before.

        The owner of a conversation answers its questions and may reject its calls; approving them needs an approver who
        did not ask. To everybody else the question does not exist.
        """
        conversation = conversation or await store.conversations.get(self.pause.conversation)
        if owner not in (None, conversation.user):
            raise RecordNotFound(f"there is no pause {self.pause.id!r}")
        if self.by is not None:
            await _require_right(store, settings, self, conversation, self.by)
        return conversation

    def narrow(self) -> Self:
        """The answer with the rows that words chose before, if it approves in words."""
        return replace(self, answer=narrow_approval(self.pause, self.answer))

    @property
    def is_approving(self) -> bool:
        """Whether the answer lets a call run that a person has to approve."""
        return _is_approving(self.pause, self.answer)

    async def store(self, tx: Transaction) -> Pause:
        """Store the answer; a decision about calls is recorded in the audit log with their digests.

        `ApprovalChanged` if it lets calls run that were shown otherwise; the question stays open.
        """
        pause, answer, by = self.pause, self.answer, self.by
        done = await tx.pauses.answer(pause.id, answer, answer_key=self.key or f"answer:{pause.id}", by=by)
        is_approving = _is_approving(pause, answer)
        if is_approving and not done.replayed:
            _require_same_question(done, self.shown or digest_question(pause.payload))
        if by is not None and pause.answered_at is None and (pause.kind in APPROVAL_KINDS or is_approving):
            what = "exception" if pause.kind == "exception" else "approval"
            told = {**_describe(pause), "calls": list(_describe_decisions(pause, answer))}
            await tx.audit.append(by, f"{what}.{'approved' if is_approving else 'rejected'}", pause.id, told)
        return done

    async def store_once(self, store: Store, owner: str, ttl_s: float) -> tuple[Pause, Turn | None]:
        """Store the answer, and lease its turn unless another turn of the conversation runs.

        An approval waits for that turn (`ConversationBusy`): what is said in it may put the approval in doubt.
        """
        try:
            return await store.write_together(partial(self.store_and_resume, owner, ttl_s))
        except Conflict as error:
            if isinstance(error, ConversationBusy) and self.is_approving:
                raise
            return await store.write_together(self.store), None

    async def store_and_resume(self, owner: str, ttl_s: float, tx: Transaction) -> tuple[Pause, Turn | None]:
        """Store the answer and lease the turn that waits for it; None for a turn that does not, or no more.

        Both at once: a process that dies between them would leave a turn that waits for nothing.
        """
        done = await self.store(tx)
        if done.replayed or done.turn is None:
            return done, None
        return done, await tx.turns.resume_paused(done.turn, owner, ttl_s)


async def _require_right(
    store: Store, settings: Settings, given: GivenAnswer, conversation: Conversation, by: Principal
) -> None:
    pause = given.pause
    if not may_see_pause(conversation, pause, by):
        raise RecordNotFound(f"there is no pause {pause.id!r}")
    if pause.answered_at is not None or not _is_approving(pause, given.answer):
        return
    if (error := await _find_approval_error(store, settings, pause, conversation, by)) is not None:
        told = {**_describe(pause), "code": error.code, "owner": conversation.user}
        await store.audit.append(by, "approval.refused", pause.id, told)
        raise error


async def read_given(pause: Pause, answer: JsonValue) -> JsonValue:
    """What an answer means: words as in a message; a plain yes, also by a button, with the rows that words chose."""
    return narrow_approval(pause, await run_limited(lambda: read_words(pause, answer)))


async def find_refusal(
    store: Store, settings: Settings, pause: Pause, conversation: Conversation, by: Principal
) -> Literal["", "role_missing", "self_approval"]:
    """Code of the error with which letting the calls of this pause run would be refused; empty if it would not be."""
    if not any(_is_approving(pause, answer) for answer in _LETTING_RUN):
        return ""
    error = await _find_approval_error(store, settings, pause, conversation, by)
    if error is None:
        return ""
    return "self_approval" if isinstance(error, SelfApproval) else "role_missing"


async def _find_approval_error(
    store: Store, settings: Settings, pause: Pause, conversation: Conversation, by: Principal
) -> RoleMissing | SelfApproval | None:
    """The one rule of who may let a call run that a person has to approve: an approver who did not ask for it."""
    try:
        by.require("approver")
    except RoleMissing as error:
        return error
    if await is_self_approval_allowed(store, settings) or not await is_own_request(store, pause, conversation, by):
        return None
    return SelfApproval(
        "who asked for this may not approve it",
        hint="another person with the role approver does, or METIER_SELF_APPROVAL=on allows it",
    )


async def check_edited_arguments(resources: Resources, pause: Pause, answer: JsonValue, skill: str | None) -> None:
    """Raise `InvalidInput` that names each wrong argument of a call that was edited or whose rows were chosen.

    The pause stays open.
    """
    registry = resources.toolset(await resources.load_catalog_and_tools()).registry
    for held in _list_held_calls(pause):
        call, edited = held.call, given_arguments(held, find_decision(held.call.id, answer))
        if edited is None:
            continue
        try:
            schema = registry.get(call.name, skill=skill).spec.parameters
        except ToolNotFound:  # a tool of the caller's own middleware
            continue
        if problems := await run_limited(partial(argument_problems, schema, edited)):
            raise InvalidInput(
                f"the arguments of {call.name!r} do not fit: {'; '.join(map(str, problems))}",
                hint="nothing was decided; correct the arguments that are named and decide again",
            )


async def require_skill_of(resources: Resources, conversation: Conversation) -> None:
    """Raise `SkillNotFound` if the plan that asks belongs to a skill that is not loaded; the pause stays open."""
    skill = conversation.skill
    if skill is not None and skill not in await resources.load_catalog():
        raise SkillNotFound(
            f"the question comes from skill {skill!r}, which is not loaded here; it stays open",
            hint="answer with the same skills folders and packs as the message before (--skills, --pack)",
        )


def may_see_pause(conversation: Conversation, pause: Pause, by: Principal) -> bool:
    """Whether the question is the caller's own, or an approval and the caller an approver."""
    return conversation.user == by.user or (pause.kind in APPROVAL_KINDS and "approver" in by.roles)


async def is_own_request(store: Store, pause: Pause, conversation: Conversation, by: Principal) -> bool:
    """Whether the turn that asks was started or fed with the caller's key; by the user if no key is known.

    Who settled or changed a fact of the conversation asks for what follows from it.
    """
    events = await turn_events(store, await store.turns.get(pause.turn)) if pause.turn else ()
    keys = set(_find_sender_keys(events))
    is_asker = by.key in keys if keys else conversation.user == by.user
    return is_asker or by.key in await _find_fact_keys(store, pause)


async def is_self_approval_allowed(store: Store, settings: Settings) -> bool:
    """Whether who asks may also approve: as the setting says, or while there is at most one key."""
    if settings.self_approval != "auto":
        return settings.self_approval == "on"
    return len(settings.api_keys) + await store.keys.count_active() <= 1


def _is_approving(pause: Pause, answer: JsonValue) -> bool:
    """Whether the answer lets a call run that a person has to approve."""
    if pause.kind not in APPROVAL_KINDS:
        return pause.payload.get("needs_approval") is True and answer == _RETRY
    given = answer if isinstance(answer, Mapping) else {}
    each = given.get("decisions")
    decisions = list(each.values()) if isinstance(each, Mapping) else [given]
    return any(isinstance(one, Mapping) and one.get("decision") in _APPROVING for one in decisions)


def _find_sender_keys(events: Sequence[Event]) -> Iterator[str]:
    """Keys with which the turn was started or its questions were answered; answers of approvers ask for nothing."""
    for event in events:
        by = event.data.get("by")
        if isinstance(by, Mapping) and (
            event.kind == "turn.started"
            or (event.kind == "pause.answered" and event.data.get("purpose") not in ("approve", "exception"))
        ):
            yield str(by.get("key", ""))


async def _find_fact_keys(store: Store, pause: Pause) -> set[str]:
    """Keys of those who changed a fact of the conversation, or sent the message of the turn that settled it."""
    keys = set[str]()
    for one in await store.facts.list(pause.conversation):
        if one.set_by is not None:
            keys.add(one.set_key or "")
        elif one.turn is not None and one.turn != pause.turn:
            keys |= set(_find_sender_keys(await turn_events(store, await store.turns.get(one.turn))))
    return keys


def _require_same_question(pause: Pause, shown: str) -> None:
    if digest_question(pause.payload) != shown:
        raise ApprovalChanged(
            "the question was changed after it was shown; nothing was run",
            hint="look at it again (GET /api/pauses, metier approvals list) and decide again",
        )


def _describe(pause: Pause) -> JsonObject:
    purpose = pause.payload.get("purpose", "")
    return {"conversation": pause.conversation, "turn": pause.turn, "purpose": purpose}


def _describe_decisions(pause: Pause, answer: JsonValue) -> Iterator[JsonObject]:
    """Decision about each call, with the digest of what was shown; of the new arguments if they were edited."""
    for held in _list_held_calls(pause):
        call, given = held.call, find_decision(held.call.id, answer)
        decision = str(given.get("decision") or answer)
        edited, preview = given_arguments(held, given), preview_from_data(held.data)
        digest = str(held.data.get("digest") or digest_call(call))
        if edited is not None:
            shown = preview.digest if preview is not None else ""
            digest = combine_digests(replace(call, arguments=edited), str(held.data.get("tool_digest", "")), shown)
        rows = given.get("rows")
        chosen: JsonObject = {"rows": len(rows)} if isinstance(rows, list) else {}
        yield {"tool": call.name, "decision": decision, "digest": digest, **chosen}


def _list_held_calls(pause: Pause) -> list[HeldCall]:
    """Calls that the question is about, with what was shown of each."""
    shown = _find_held_data(pause)
    listed = _mappings(pause.payload.get("calls"))
    return [HeldCall(call, "approve", shown.get(call.id, {})) for call in map(_read_call, listed)]


def _read_call(one: JsonObject) -> ToolCall:
    return ToolCall(str(one.get("id")), str(one.get("name")), _as_object(one.get("args")))


def _find_held_data(pause: Pause) -> dict[str, JsonObject]:
    held = _as_object(pause.payload.get("exchange")).get("held")
    return {str(one.get("call")): _as_object(one.get("data")) for one in _mappings(held)}


def _mappings(value: JsonValue) -> list[JsonObject]:
    return [one for one in value if isinstance(one, Mapping)] if isinstance(value, list) else []


def _as_object(value: JsonValue) -> JsonObject:
    return value if isinstance(value, Mapping) else {}
