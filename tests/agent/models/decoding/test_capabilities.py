"""What is remembered of an endpoint: in memory, in a file, for how long, and never asked twice at a time."""

import asyncio
import json
import threading
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from metier.agent.models.decoding import CAPABILITIES_FILE, Capabilities, CapabilityStore, Endpoint

NOW = datetime(2026, 3, 1, tzinfo=UTC)
HERE = Endpoint("openai", "qwen", "http://user:secret@localhost:8000/v1/", "sk-secret")
FOUND = Capabilities("vllm", schema="response_format", window_tokens=8192, usage=True, asked_at=NOW.isoformat())


class Clock:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> datetime:
        return self.now


class Probe:
    """A probe that counts how often it ran."""

    def __init__(self, found: Capabilities | Exception = FOUND) -> None:
        self.found = found
        self.times = 0

    def __call__(self) -> Capabilities:
        self.times += 1
        if isinstance(self.found, Exception):
            raise self.found
        return self.found


def store_in(folder: Path | None, clock: Clock | None = None) -> CapabilityStore:
    return CapabilityStore(folder, clock=clock or Clock())


def test_an_endpoint_is_asked_once_and_remembered_by_other_processes(tmp_path: Path) -> None:
    probe = Probe()
    assert store_in(tmp_path).ask(HERE, probe) == FOUND
    assert store_in(tmp_path).ask(HERE, probe) == FOUND
    assert probe.times == 1
    other = Endpoint("openai", "llama", HERE.base_url)
    assert store_in(tmp_path).get(other) is None


def test_a_key_and_a_password_are_never_written(tmp_path: Path) -> None:
    store_in(tmp_path).ask(HERE, Probe())
    text = (tmp_path / CAPABILITIES_FILE).read_text("utf-8")
    assert "secret" not in text
    assert "openai:qwen http://localhost:8000/v1" in text
    assert "secret" not in repr(HERE).replace(HERE.base_url, "")


def test_after_a_week_the_endpoint_is_asked_again(tmp_path: Path) -> None:
    clock, probe = Clock(), Probe()
    store = store_in(tmp_path, clock)
    store.ask(HERE, probe)
    clock.now = NOW + timedelta(days=6, hours=23)
    store.ask(HERE, probe)
    assert probe.times == 1
    clock.now = NOW + timedelta(days=7)
    store.ask(HERE, probe)
    assert probe.times == 2


def test_a_failed_probe_is_told_and_not_remembered(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    with pytest.raises(ConnectionError):
        store.ask(HERE, Probe(ConnectionError("down")))
    assert store.ask(HERE, Probe()) == FOUND


BROKEN = [
    pytest.param("no JSON", id="no JSON"),
    pytest.param("[]", id="a list"),
    pytest.param('{"version": 99, "endpoints": {}}', id="another version"),
    pytest.param('{"version": 1, "endpoints": {"openai:qwen http://localhost:8000/v1": {"engine": "x"}}}', id="engine"),
    pytest.param('{"version": 1, "endpoints": {"openai:qwen http://localhost:8000/v1": 7}}', id="a number"),
]


@pytest.mark.parametrize("text", BROKEN)
def test_a_file_that_cannot_be_used_is_written_again(tmp_path: Path, text: str) -> None:
    (tmp_path / CAPABILITIES_FILE).write_text(text, "utf-8")
    assert store_in(tmp_path).ask(HERE, Probe()) == FOUND
    written = json.loads((tmp_path / CAPABILITIES_FILE).read_text("utf-8"))
    assert [one["schema"] for one in written["endpoints"].values()] == ["response_format"]


def test_a_folder_that_cannot_be_written_costs_only_the_memory(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    store = store_in(tmp_path / "file")
    assert store.ask(HERE, Probe()) == FOUND
    assert store.get(HERE) == FOUND


def test_what_is_forgotten_is_asked_again(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    store.ask(HERE, Probe())
    store.forget(HERE)
    assert store.get(HERE) is None
    assert store_in(tmp_path).get(HERE) is None


class SlowProbe(Probe):
    """A probe that waits until the test lets it go."""

    def __init__(self) -> None:
        super().__init__()
        self.began = threading.Event()
        self.may_end = threading.Event()

    def __call__(self) -> Capabilities:
        self.began.set()
        self.may_end.wait()
        return super().__call__()


async def test_all_who_ask_at_once_wait_for_one_answer() -> None:
    store, probe = store_in(None), SlowProbe()
    first = [asyncio.create_task(store.aask(HERE, probe)) for _ in range(20)]
    await asyncio.to_thread(probe.began.wait)
    first[7].cancel()
    with ThreadPoolExecutor(1) as pool:
        late = pool.submit(store.ask, HERE, probe)
        probe.may_end.set()
        answers = await asyncio.gather(*first, return_exceptions=True)
        assert late.result() == FOUND
    assert [one for one in answers if one != FOUND] == [answers[7]]
    assert probe.times == 1


async def test_the_probe_is_no_part_of_the_run_that_waits_for_it() -> None:
    run: ContextVar[str] = ContextVar("run", default="none")
    run.set("a turn")
    seen: list[str] = []

    def probe() -> Capabilities:
        seen.append(run.get())
        return FOUND

    await store_in(None).aask(HERE, probe)
    assert seen == ["none"]


@pytest.mark.parametrize(
    ("capabilities", "mode"),
    [
        (Capabilities(schema="response_format", tools=False), "schema"),
        (Capabilities(tools=True), "native"),
        (Capabilities(), "native"),
        (Capabilities(tools=False), "text"),
    ],
)
def test_the_best_mode_that_an_endpoint_can_do_is_used(capabilities: Capabilities, mode: str) -> None:
    assert capabilities.mode == mode
