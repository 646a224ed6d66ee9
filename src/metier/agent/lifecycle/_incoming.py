"""Where a request belongs: its conversation, the question it may answer, the turn if it was sent before."""

from dataclasses import dataclass, replace
from functools import partial

from metier.agent.choice import is_leave_request
from metier.agent.turn import NO_VOICE, TurnRequest
from metier.errors import Conflict, RecordNotFound
from metier.names import is_command
from metier.store import Conversation, KnownRequest, Pause, Store, Transaction, Turn


@dataclass(frozen=True, slots=True)
class RequestPlace:
    """Conversation of a request.

    `pause` is the open question that it may answer, or the one that it has answered; `earlier` the turn that it has
    started, if it was sent before; `last` the last turn of the conversation. `has_open_pauses` is
    False if the reading found none.
    """

    conversation: Conversation
    pause: Pause | None = None
    earlier: Turn | None = None
    last: Turn | None = None
    is_repeated: bool = False
    has_open_pauses: bool = True


async def claim_key(store: Store, asked: TurnRequest) -> TurnRequest:
    """The request with its conversation: one that is sent again gets that of the first. Raises `KeyReused`."""
    key = asked.idempotency_key
    if key is None:
        return asked
    known = await store.requests.find(asked.user, key)
    if known is None:
        try:
            known = await store.write_together(partial(_remember_request, asked, key))
        except Conflict:  # another process has just done so
            known = await store.requests.find(asked.user, key)
    if known is None:
        return asked
    known.require_digest(asked.compute_digest())
    return replace(asked, conversation=known.conversation)


async def find_place(store: Store, asked: TurnRequest) -> RequestPlace:
    """Find where the request belongs, in one reading; a request without a conversation gets a new one."""
    if asked.conversation is None:
        return RequestPlace(await _find_or_create(asked, store), has_open_pauses=False)
    place = await store.read_together(partial(_read_place, asked, asked.conversation))
    if place.last is not None or place.conversation.title or not asked.message.strip():
        return place
    named = await store.conversations.rename(place.conversation.id, _make_title(asked))
    return replace(place, conversation=named)


def require_owner(conversation: Conversation, user: str) -> Conversation:
    """The conversation if the user owns it; else the error is that of an unknown id, so ids cannot be probed."""
    if conversation.user != user:
        raise RecordNotFound(f"there is no conversation {conversation.id!r}")
    return conversation


async def _read_place(asked: TurnRequest, named: str, view: Transaction) -> RequestPlace:
    found, key = require_owner(await view.conversations.get(named), asked.user), asked.idempotency_key
    earlier = await view.turns.find_by_request_key(named, key) if key else None
    answered = await view.pauses.find_by_answer_key(named, key) if key and earlier is None else None
    beside = not (is_leave_request(asked.message) or is_command(asked.message))
    waiting = await view.pauses.list_open(named) if beside and answered is None else ()
    pause = answered or (waiting[-1] if waiting else None)
    last = next(iter(await view.turns.list(named, limit=1)), None)
    return RequestPlace(
        found,
        pause,
        earlier,
        last,
        is_repeated=earlier is not None or answered is not None,
        has_open_pauses=bool(waiting) or not beside or answered is not None,
    )


async def _remember_request(asked: TurnRequest, key: str, tx: Transaction) -> KnownRequest:
    place = await _find_or_create(asked, tx)
    known = KnownRequest(asked.user, key, asked.compute_digest(), place.id)
    await tx.requests.add(known)
    return known


async def _find_or_create(asked: TurnRequest, store: Store | Transaction) -> Conversation:
    if asked.conversation is not None:
        return require_owner(await store.conversations.get(asked.conversation), asked.user)
    voice = None if asked.voice_mode == NO_VOICE else asked.voice_mode
    return await store.conversations.create(asked.user, voice_mode=voice, title=_make_title(asked))


def _make_title(asked: TurnRequest) -> str:
    return asked.message.splitlines()[0][:80]
