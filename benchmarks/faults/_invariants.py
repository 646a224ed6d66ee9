"""What must hold in a conversation after whatever happened: compared with the database and the ledger of effects."""

from collections import Counter
from collections.abc import Iterable, Sequence

from benchmarks.faults._client import SeenEvent
from benchmarks.faults._script import ONCE_TOOLS, Ledger, find_key
from metier.store import Event, Store, Turn

_ALLOWED_TOOLS = frozenset({"note", "send", "pay", "book", "broken"})


async def check_conversation(
    store: Store, conversation: str, ledger: Ledger, seen: Iterable[Sequence[SeenEvent]]
) -> list[str]:
    """Every broken promise of a conversation that has settled, one sentence each.

    `seen` are the events that readers were sent, one sequence per reader.
    """
    events = await read_all(store, conversation)
    turns = await store.turns.list(conversation, limit=1000)
    problems = [*_check_sequence(events), *_check_turns(turns), *_check_history(events)]
    for one in seen:
        problems += _check_seen(events, one)
    return [*problems, *_check_effects(events, ledger)]


async def read_all(store: Store, conversation: str) -> list[Event]:
    found: list[Event] = []
    while page := await store.events.read(conversation, after=found[-1].seq if found else 0):
        found += page
    return found


def _check_sequence(events: Sequence[Event]) -> Iterable[str]:
    """P4: numbers without gaps."""
    if [event.seq for event in events] != list(range(1, len(events) + 1)):
        yield f"P4: the numbers of events have gaps: {[event.seq for event in events]}"


def _check_turns(turns: Sequence[Turn]) -> Iterable[str]:
    """P2: no turn stays running."""
    for turn in turns:
        if turn.state == "running":
            yield f"P2: turn {turn.id} is still running under {turn.owner}"


def _check_history(events: Sequence[Event]) -> Iterable[str]:
    """P3: no call has two results, and a turn has one end; P4: events of turns do not interleave."""
    results = Counter(str(event.data.get("call")) for event in events if event.kind == "tool.result")
    for call, count in results.items():
        if count > 1:
            yield f"P3: call {call} has {count} results"
    ends = Counter(event.turn for event in events if event.kind in ("turn.done", "turn.failed"))
    for turn, count in ends.items():
        if count > 1:
            yield f"P3: turn {turn} ended {count} times"
    order = [event.turn for event in events if event.turn is not None]
    blocks = [turn for number, turn in enumerate(order) if number == 0 or order[number - 1] != turn]
    if len(blocks) != len(set(blocks)):
        yield f"P4: events of turns interleave: {blocks}"


def _check_seen(events: Sequence[Event], seen: Sequence[SeenEvent]) -> Iterable[str]:
    """P1: what was sent is stored, word for word; P5: a reader gets every event once and in order."""
    stored = {event.seq: event for event in events}
    last = None
    for one in seen:
        if last is not None and one.first_seq <= last:
            yield f"P5: event {one.seq} came after {last}"
        last = one.seq
        if (kept := stored.get(one.seq)) is None:
            yield f"P1: event {one.seq} ({one.kind}) was sent and is lost"
        elif one.kind != kept.kind or (one.first_seq == one.seq and one.data != kept.data):
            yield f"P1: event {one.seq} was sent as {one.kind} and is stored as {kept.kind}"


def _check_effects(events: Sequence[Event], ledger: Ledger) -> Iterable[str]:
    """P3: no effect twice; P6: no other tool; P8: the intent was stored before the effect."""
    keys = {find_key(str(event.data)) for event in events if event.kind in ("turn.started", "tool.called")} - {""}
    called = {
        (event.data["tool"], find_key(str(event.data.get("arguments"))))
        for event in events
        if event.kind == "tool.called"
    }
    effects = Counter(one for one in ledger.read() if one[1] in keys)
    for (tool, key), count in effects.items():
        if tool in ONCE_TOOLS and count > 1:
            yield f"P3: {tool} had its effect {count} times for {key}"
        if tool not in _ALLOWED_TOOLS:
            yield f"P6: {tool} ran"
        if (tool, key) not in called:
            yield f"P8: {tool} ran for {key} and its intent is not stored"
