"""The queue and its thread: never waits, never loses without counting."""

import logging
import threading
from collections.abc import Sequence

import pytest

from metier.telemetry._lane import BatchQueue
from tests.telemetry.support import Deliver


class Sluice:
    """A delivery that stands still until it is opened."""

    def __init__(self) -> None:
        self.open = threading.Event()
        self.entered = threading.Event()
        self.got: list[int] = []
        self.sizes: list[int] = []

    def __call__(self, batch: Sequence[int]) -> Sequence[int]:
        self.entered.set()
        assert self.open.wait(60)
        self.got += batch
        self.sizes.append(len(batch))
        return ()


def _lane(deliver: Deliver, *, most: int = 1000, batch: int = 200) -> BatchQueue[int]:
    return BatchQueue("test", deliver, max_queued=most, batch=batch, wait_s=0, retry_s=(0.001, 0.001))


def test_what_is_put_arrives_in_order() -> None:
    sluice = Sluice()
    sluice.open.set()
    lane = _lane(sluice, batch=7)
    for number in range(100):
        lane.put(number)
    assert lane.flush(60)
    assert sluice.got == list(range(100))
    assert max(sluice.sizes) <= 7
    lane.close(10)
    assert lane.delivered == 100
    assert lane.lost == {}


def test_putting_does_not_wait_for_a_delivery_that_hangs_and_the_oldest_go() -> None:
    sluice = Sluice()
    lane = _lane(sluice, most=5, batch=1)
    lane.put(0)
    assert sluice.entered.wait(60)
    for number in range(1, 11):
        lane.put(number)
    assert lane.queued == 5
    assert lane.lost == {"queue_full": 5}
    sluice.open.set()
    assert lane.flush(60)
    assert sluice.got == [0, 6, 7, 8, 9, 10]
    lane.close(10)


def test_what_could_not_be_delivered_is_tried_again_before_the_rest() -> None:
    got: list[int] = []
    refusals = [True, True]

    def deliver(batch: Sequence[int]) -> Sequence[int]:
        if refusals:
            refusals.pop()
            return batch
        got.extend(batch)
        return ()

    lane = _lane(deliver, batch=3)
    for number in range(9):
        lane.put(number)
    assert lane.flush(60)
    assert got == list(range(9))
    lane.close(10)


def test_closing_delivers_what_is_queued() -> None:
    sluice = Sluice()
    sluice.open.set()
    lane = BatchQueue("test", sluice, wait_s=60)
    for number in range(10):
        lane.put(number)
    lane.close(10)
    assert sluice.got == list(range(10))


def test_what_is_left_at_the_end_is_counted() -> None:
    lane = _lane(lambda batch: batch)
    for number in range(3):
        lane.put(number)
    lane.close(0.05)
    lane.put(9)
    assert sum(lane.lost.values()) == 4


def test_a_fault_in_the_delivery_costs_one_batch_and_not_the_thread(caplog: pytest.LogCaptureFixture) -> None:
    got: list[int] = []

    def deliver(batch: Sequence[int]) -> Sequence[int]:
        if 1 in batch:
            raise RuntimeError("a bug")
        got.extend(batch)
        return ()

    lane = _lane(deliver, batch=1)
    with caplog.at_level(logging.WARNING):
        for number in range(3):
            lane.put(number)
        assert lane.flush(60)
    assert got == [0, 2]
    assert lane.lost == {"fault": 1}
    assert "a bug" in caplog.text
    lane.close(10)
