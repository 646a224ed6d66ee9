"""Events on the wire: pieces of text joined, numbers kept."""

from datetime import UTC, datetime
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metier.json_values import JsonObject
from metier.server.stream._frames import SseFrame, build_frames
from metier.store import Event, EventKind
from tests.server.support import events_of

DELTAS: tuple[EventKind, ...] = ("reasoning.delta", "text.delta")
KINDS: tuple[EventKind, ...] = (*DELTAS, *DELTAS, "text.done", "error")
AT = datetime(2026, 1, 20, 8, 0, tzinfo=UTC)


def event(seq: int, kind: EventKind = "text.delta", *, turn: str = "t1", data: JsonObject | None = None) -> Event:
    return Event("c1", turn, seq, AT, kind, {"text": f"<{seq}>"} if data is None else data)


@st.composite
def logs(draw: st.DrawFn) -> list[Event]:
    kinds: list[EventKind] = draw(st.lists(st.sampled_from(KINDS)))
    return [event(seq, kind) for seq, kind in enumerate(kinds, 1)]


@given(logs())
def test_joining_keeps_every_event_once_and_in_order(log: list[Event]) -> None:
    assert [one for frame in build_frames(log) for one in frame.events] == log


@given(logs())
def test_only_pieces_of_text_are_joined_and_none_that_could_be_is_left_apart(log: list[Event]) -> None:
    frames = build_frames(log)
    kinds = [{one.kind for one in frame.events} for frame in frames]
    assert all(len(kinds_of) == 1 for kinds_of in kinds)
    assert all(kinds_of & set(DELTAS) for frame, kinds_of in zip(frames, kinds, strict=True) if len(frame.events) > 1)
    assert not any(left == right and left & set(DELTAS) for left, right in pairwise(kinds))


@given(logs(), st.integers(0, 20))
def test_reading_on_from_any_number_gives_exactly_the_rest(log: list[Event], seen: int) -> None:
    rest = [frame.keep_after(seen) for frame in build_frames(log) if frame.last_seq > seen]
    assert [one for frame in rest for one in frame.events] == [one for one in log if one.seq > seen]


def test_a_joined_frame_has_the_number_of_the_last_and_says_where_it_begins() -> None:
    (told,) = events_of(SseFrame.from_events([event(3), event(4), event(5)]).encoded.decode())
    assert (told["seq"], told["first_seq"], told["data"]) == (5, 3, {"text": "<3><4><5>"})


def test_a_single_event_is_told_as_it_was_stored() -> None:
    (told,) = events_of(SseFrame.from_events([event(3, "error", data={"code": "断开"})]).encoded.decode())
    assert told == {
        "conversation": "c1",
        "turn": "t1",
        "seq": 3,
        "at": "2026-01-20T08:00:00+00:00",
        "kind": "error",
        "data": {"code": "断开"},
    }


@pytest.mark.parametrize("text", ["a\nb", "\r\n", "data: x\n\n", "\u2028", "id: 9"], ids=repr)
def test_line_ends_in_a_text_do_not_end_the_message(text: str) -> None:
    wire = SseFrame.from_events([event(1, data={"text": text})]).encoded.decode()
    assert wire.count("\n\n") == 1
    assert wire.endswith("\n\n")
    assert events_of(wire)[0]["data"]["text"] == text


@pytest.mark.parametrize(
    "other",
    [
        event(2, turn="t2"),
        event(3),
        event(2, data={"text": "x", "part": 2}),
    ],
    ids=["another turn", "a number between", "more than text"],
)
def test_pieces_that_do_not_belong_together_stay_apart(other: Event) -> None:
    assert len(build_frames([event(1), other])) == 2
