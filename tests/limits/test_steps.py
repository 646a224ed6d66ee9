"""Foreign work has a budget of steps: short work runs in place, long work in a thread, endless work ends."""

import threading

import pytest

from metier.errors import TooManySteps
from metier.json_values import JsonValue
from metier.limits import INLINE_STEPS, MAX_STEPS, limit_steps, run_limited, spend_steps, spend_value


class Work:
    """Spends steps one by one and remembers the threads in which it was started."""

    def __init__(self, steps: int) -> None:
        self.steps = steps
        self.threads: list[int] = []

    def __call__(self) -> str:
        self.threads.append(threading.get_ident())
        for _ in range(self.steps // 1000):
            spend_steps(1000)
        return "done"


async def test_short_work_runs_where_it_is_called() -> None:
    work = Work(INLINE_STEPS)
    assert await run_limited(work) == "done"
    assert work.threads == [threading.get_ident()]


async def test_long_work_starts_again_in_a_thread() -> None:
    work = Work(INLINE_STEPS + 1000)
    assert await run_limited(work) == "done"
    assert work.threads[0] == threading.get_ident()
    assert work.threads[1] != threading.get_ident()


async def test_endless_work_ends_with_an_error_that_says_what_to_do() -> None:
    with pytest.raises(TooManySteps) as caught:
        await run_limited(Work(MAX_STEPS + 1000))
    assert (caught.value.code, bool(caught.value.hint)) == ("too_many_steps", True)


async def test_a_handler_inside_the_work_does_not_keep_it_on_the_loop() -> None:
    threads = []

    def work() -> None:
        threads.append(threading.get_ident())
        try:
            spend_steps(INLINE_STEPS + 1)
        except Exception:  # noqa: BLE001 - what the work catches is the subject of this test
            pytest.fail("the work caught what moves it to a thread")

    await run_limited(work)
    assert len(set(threads)) == 2


def test_an_inner_limit_does_not_widen_the_outer_one() -> None:
    with limit_steps(10), pytest.raises(TooManySteps), limit_steps():
        spend_steps(11)


def test_without_a_budget_nothing_is_counted() -> None:
    spend_steps(MAX_STEPS * 2)


@pytest.mark.parametrize(
    ("value", "steps"),
    [(None, 0), ("abc", 1), ("a" * 1000, 11), ([1, 2, 3], 4), ({"a": ["b"]}, 2 + 2 + 1)],
    ids=["null", "text", "long text", "list", "nested"],
)
def test_a_value_costs_its_size(value: JsonValue, steps: int) -> None:
    with limit_steps(steps):
        spend_value(value)
    if steps:
        with limit_steps(steps - 1), pytest.raises(TooManySteps):
            spend_value(value)


def test_a_value_that_holds_itself_many_times_over_is_not_walked_to_its_end() -> None:
    value: JsonValue = ["x"]
    for _ in range(60):
        value = [value, value]
    with limit_steps(), pytest.raises(TooManySteps):
        spend_value(value)
