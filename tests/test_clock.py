"""Time: limits are measured by a clock that nobody sets, and that stands still while the process does."""

import threading
from dataclasses import dataclass, field
from datetime import UTC, datetime

import pytest

from metier.clock import AwakeClock, awake_time, make_timer, utc_now


@dataclass
class Hands:
    """Time and processor time as a test sets them."""

    now: float = 100.0
    cpu: float = 0.0
    clock: AwakeClock = field(init=False)

    def __post_init__(self) -> None:
        self.clock = AwakeClock(lambda: self.now, lambda: self.cpu)


@pytest.fixture
def hands() -> Hands:
    made = Hands()
    made.clock.beat()
    return made


def test_limits_are_measured_by_time_in_which_the_process_ran() -> None:
    assert make_timer(utc_now) is awake_time


def test_a_clock_of_the_callers_measures_too() -> None:
    assert make_timer(lambda: datetime(1970, 1, 1, 0, 1, tzinfo=UTC))() == 60


def test_time_between_beats_counts(hands: Hands) -> None:
    for _ in range(10):
        hands.now += 0.9  # a machine with much to do
        assert hands.clock.read() == pytest.approx(hands.now)
        hands.clock.beat()
    assert hands.clock.left_out_s == 0


@pytest.mark.parametrize("notices", ["read", "beat"])
def test_of_a_stop_one_second_counts_whoever_notices_it_first(hands: Hands, notices: str) -> None:
    before = hands.clock.read()
    hands.now += 6
    getattr(hands.clock, notices)()
    assert hands.clock.read() - before == pytest.approx(1)
    assert hands.clock.left_out_s == pytest.approx(5)
    hands.now += 0.3
    assert hands.clock.read() - before == pytest.approx(1.3)


def test_work_that_lets_no_other_thread_run_counts(hands: Hands) -> None:
    before = hands.clock.read()
    hands.now, hands.cpu = hands.now + 6, hands.cpu + 6
    assert hands.clock.read() - before == pytest.approx(6)


def test_the_clock_never_goes_back(hands: Hands) -> None:
    last = hands.clock.read()
    for step in (0.1, 0.49, 0.02, 3.0, 0.1, 0.6, 50.0, 0.5, 0.01):
        hands.now += step
        assert hands.clock.read() >= last
        last = hands.clock.read()


def test_a_process_without_a_thread_that_beats_counts_all_time(hands: Hands) -> None:
    hands.now += 6
    hands.clock.read()
    hands.clock.forget_thread()
    before = hands.clock.read()
    hands.now += 6
    assert hands.clock.read() - before == pytest.approx(6)


def test_one_thread_beats_however_often_the_clock_is_started(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[str] = []

    def note(thread: threading.Thread) -> None:
        started.append(f"{thread.name} {thread.daemon}")

    monkeypatch.setattr(threading.Thread, "start", note)
    clock = AwakeClock()
    clock.start()
    clock.start()
    assert started == ["metier-clock True"]
