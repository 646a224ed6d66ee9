"""The fault suite itself: a few kills of a real server, checks that can fail, and a page whose tests exist."""

import re
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

import httpx
import pytest

from benchmarks.faults import __main__ as suite
from benchmarks.faults import _kills
from benchmarks.faults._client import Client, SeenEvent, Transcript
from benchmarks.faults._databases import read_store
from benchmarks.faults._invariants import _check_effects, _check_history, _check_seen, _check_sequence
from benchmarks.faults._kills import KILL_CASES, KillCase, KillResult, kill_at_point
from benchmarks.faults._lane import Lane, Settled
from benchmarks.faults._outcome import judge
from benchmarks.faults._report import Report
from benchmarks.faults._script import Ledger
from benchmarks.faults._servers import prepare_forks
from metier.errors import StoreUnavailable
from metier.faults import FAULT_POINTS
from metier.store import Event, Store

ROOT = Path(__file__).parents[2]
# Outside of a turn: `_elsewhere.py` passes them.
ELSEWHERE = {
    *("task_done", "task_started", "branch_copied", "skills_read"),
    *("tables_migrated", "backup_copied", "database_closing"),
}


async def test_a_server_killed_in_a_tool_one_told_to_stop_and_one_that_froze_keep_their_promises(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_kills, "_PAUSE_LEASES", 1.2)
    prepare_forks()
    lane = Lane(tmp_path, f"sqlite:///{tmp_path / 'metier.sqlite3'}", 1)
    await lane.start()
    killed = await kill_at_point(lane, KillCase("tool_running", "/steps"), "kill")
    stopped = await kill_at_point(lane, KillCase("model_delta", "/clerk talk"), "term")
    frozen = await kill_at_point(lane, KillCase("tool_running", "/clerk talk"), "stop")
    assert await lane.running.stop() == 0
    assert [*killed.problems, *stopped.problems, *frozen.problems] == []
    assert (killed.settled.asked_outcome, killed.settled.is_finished) == (True, True)
    assert sorted(tool for tool, _ in lane.ledger.read()) == ["book", "note", "note", "send", "send"]


async def test_a_message_is_sent_again_while_a_starved_server_refuses_it(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = iter([503, 503, 200])
    transport = httpx.MockTransport(lambda _request: httpx.Response(next(answers), json={"error": {}}))
    monkeypatch.setattr("benchmarks.faults._client._AGAIN_S", 0.0)
    async with httpx.AsyncClient(transport=transport, base_url="http://server") as http:
        assert (await Client(http).chat_accepted("hello", "key-1")).status == 200
    assert next(answers, None) is None


async def test_the_suite_reads_again_when_a_busy_database_did_not_answer_in_time(tmp_path: Path) -> None:
    tries = iter([StoreUnavailable("busy"), StoreUnavailable("busy")])

    async def read(store: Store) -> str:
        if error := next(tries, None):
            raise error
        return "read"

    assert await read_store(f"sqlite:///{tmp_path / 'own.sqlite3'}", read, again_s=0.0) == "read"
    tries = iter([StoreUnavailable("gone")])
    with pytest.raises(StoreUnavailable):
        await read_store(f"sqlite:///{tmp_path / 'own.sqlite3'}", read, limit_s=-1.0)


class _FakeLane:
    """A lane without a server: notes what is done to it."""

    name = "lane"

    def __init__(self, problems: Sequence[str] = ()) -> None:
        self.done: list[str] = []
        self.conversations: list[str] = []
        self.running = self
        self.address = ""
        self._problems = problems

    async def arm(self, rule: str) -> None:
        self.done.append(rule)

    async def start(self) -> None:
        self.done.append("start")

    async def kill(self) -> None:
        self.done.append("kill")

    async def settle(self, conversation: str, seen: list[SeenEvent]) -> Settled:
        self.done.append(f"settle {conversation} {len(seen)}")
        return Settled(problems=list(self._problems))

    def new_key(self) -> str:
        return "key-1"


async def test_a_turn_that_the_database_ended_before_its_point_is_checked_by_a_server_without_the_kill(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    failed = SeenEvent(1, 1, "turn.failed", "t", {"code": "store_busy"})

    class FakeClient:
        @classmethod
        @asynccontextmanager
        async def open(cls, _address: str) -> AsyncIterator["FakeClient"]:
            yield cls()

        async def chat_accepted(self, _message: str, _key: str) -> Transcript:
            return Transcript(200, "c", "t", [failed])

    monkeypatch.setattr(_kills, "Client", FakeClient)
    for case, armed in ((KillCase("routing", "/steps"), ["routing=kill@1"]), (KillCase("routing", "/", 1, True), [])):
        lane: Any = _FakeLane(["P3: twice"])
        result = await kill_at_point(lane, case, "kill")
        assert (result.is_starved, result.settled.problems) == (True, ["P3: twice"])
        assert lane.done == [*armed, "kill", "start", "settle c 1"]
        assert lane.conversations == ["c"]


@pytest.mark.parametrize(
    ("starved", "repeats", "problems"),
    [
        (0, 0, []),
        (2, 2, ["P3: try 1", "P3: try 2"]),
        (9, 3, [*(f"P3: try {at}" for at in range(1, 5)), "no kill in 4 tries: the database did not answer in time"]),
    ],
    ids=["never", "twice", "always"],
)
async def test_a_kill_is_repeated_three_times_at_most_and_counted_and_no_problem_is_forgotten(
    monkeypatch: pytest.MonkeyPatch, starved: int, repeats: int, problems: list[str]
) -> None:
    tries = 0

    async def kill(_lane: Lane, case: KillCase, ending: Any) -> KillResult:
        nonlocal tries
        tries += 1
        told = Settled(problems=[f"P3: try {tries}"] if tries <= starved else [])
        return KillResult(case.name, ending, settled=told, is_starved=tries <= starved)

    monkeypatch.setattr(suite, "kill_at_point", kill)
    result = await suite._run_job(cast("Lane", _FakeLane()), KILL_CASES[0], "kill")
    assert (result.repeats, result.settled.problems, tries) == (repeats, problems, repeats + 1)
    outcomes = suite._judge_kills("sqlite", [result], 1.0, 4.0)
    assert f"lease 4 s, {repeats} repeated" in outcomes[0].what
    assert outcomes[0].what.startswith("0 SIGKILL" if starved > 3 else "1 SIGKILL")
    assert all(one.ok for one in outcomes) is not bool(problems)


@pytest.mark.parametrize(("code", "hellos"), [("store_unavailable", 5), ("server_stopping", 1)])
async def test_a_greeting_is_repeated_only_if_the_database_did_not_answer(
    tmp_path: Path, code: str, hellos: int
) -> None:
    said = []

    class FakeClient:
        async def chat(self, message: str, **_: Any) -> Transcript:
            said.append(message)
            return Transcript(200, "c", "t", closed={"code": code})

        async def turns(self, _conversation: str) -> list[dict[str, Any]]:
            return [{"state": "failed"}]

    lane = Lane(tmp_path, "sqlite://", 1)
    assert code in str(await lane._say_hello(cast("Client", FakeClient()), "c", 1.0))
    assert len(said) == hellos


@pytest.mark.parametrize("code", ["store_incompatible", "storage_full", "interrupted", None])
def test_only_a_database_that_did_not_answer_is_called_starved(code: str | None) -> None:
    assert not Transcript(events=[SeenEvent(1, 1, "turn.failed", "t", {"code": code})]).is_starved
    assert not Transcript(error={"code": code}, closed={"code": code}).is_starved
    assert Transcript(error={"code": "store_unavailable"}).is_starved


def test_every_point_of_a_turn_has_a_kill() -> None:
    assert {case.point for case in KILL_CASES} | ELSEWHERE == set(FAULT_POINTS)


def event(seq: int, kind: Any = "text.done", turn: str = "t", **data: Any) -> Event:
    return Event("c", turn, seq, datetime(2026, 1, 1, tzinfo=UTC), kind, data)


def test_a_gap_is_found() -> None:
    assert list(_check_sequence([event(1), event(2)])) == []
    assert list(_check_sequence([event(1), event(3)])) != []


@pytest.mark.parametrize(
    "events",
    [
        [event(1, "tool.result", call="a"), event(2, "tool.result", call="a")],
        [event(1, "turn.done"), event(2, "turn.done")],
        [event(1, turn="t"), event(2, turn="u"), event(3, turn="t")],
    ],
    ids=["two results", "two ends", "interleaved turns"],
)
def test_a_history_that_cannot_be_is_found(events: list[Event]) -> None:
    assert list(_check_history(events)) != []


@pytest.mark.parametrize(
    "seen",
    [
        [SeenEvent(2, 2, "text.done", "t", {})],
        [SeenEvent(1, 1, "text.done", "t", {"text": "another"})],
        [SeenEvent(1, 1, "text.done", "t", {"text": "a"}), SeenEvent(1, 1, "text.done", "t", {"text": "a"})],
    ],
    ids=["lost", "changed", "twice"],
)
def test_an_event_that_was_sent_and_is_not_stored_so_is_found(seen: list[SeenEvent]) -> None:
    stored = [event(1, text="a")]
    assert list(_check_seen(stored, [SeenEvent(1, 1, "text.done", "t", {"text": "a"})])) == []
    assert list(_check_seen(stored, seen)) != []


def test_an_effect_that_came_twice_or_without_its_intent_is_found(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "ledger.txt")
    called = [event(1, "tool.called", call="a", tool="send", arguments={"key": "key-1"})]
    ledger.add("send", "key-1")
    assert list(_check_effects(called, ledger)) == []
    ledger.add("send", "key-1")
    assert list(_check_effects(called, ledger)) != []
    assert list(_check_effects([event(1, "turn.started", message="key-1")], ledger)) != []


def test_figures_are_written_between_their_marks(tmp_path: Path) -> None:
    page = tmp_path / "reliability.md"
    page.write_text(
        "before\n<!-- figures of `make faults` begin -->\nold\n<!-- figures of `make faults` end -->\nafter\n"
    )
    report = Report(seed=7, rounds=1, folder=tmp_path)
    report.add(judge("F01", "sqlite", "kills", "0 lost", "1 lost", ok=False, notes=["event 3"]))
    text = page.read_text("utf-8")
    assert text.startswith("before\n") and text.endswith("after\n")  # noqa: PT018 - one text
    assert "old" not in text
    assert "**missed**" in text
    assert "seed 7" in text


def test_figures_are_kept_in_a_folder_that_has_no_page_yet(tmp_path: Path) -> None:
    report = Report(seed=7, rounds=1, folder=tmp_path / "not" / "there")
    for at in range(2):
        report.add(judge("F01", "sqlite", f"round {at}", "0 lost", "0 lost", ok=True))
    text = (tmp_path / "not" / "there" / "reliability.md").read_text("utf-8")
    assert (text.count("round 0"), text.count("round 1"), text.count("begin -->")) == (1, 1, 1)


def test_every_test_that_the_page_of_promises_names_exists() -> None:
    text = (ROOT / "docs" / "reliability.md").read_text("utf-8")
    named = re.findall(r"`(tests/[\w/.]+)(?:::(\w+))?`", text)
    assert len(named) > 20
    for path, function in named:
        place = ROOT / path
        assert place.exists(), path
        if function:
            assert f"def {function}(" in place.read_text("utf-8"), function
