"""Bounded queue with one worker thread: `put` never blocks, and dropped items are counted."""

import logging
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from typing import Final, Generic, TypeVar

T = TypeVar("T")

_log = logging.getLogger(__name__)
MAX_QUEUED: Final = 20_000
BATCH_SIZE: Final = 200
BATCH_WAIT_S: Final = 0.25
_FLUSH_RETRY_S: Final = 0.05


class BatchQueue(Generic[T]):
    """Passes batches to `deliver` in its own thread.

    `deliver` returns the items it could not deliver; they are retried with growing delay. If the queue is full, the
    oldest items are dropped. Dropped items are counted by reason.
    """

    def __init__(
        self,
        name: str,
        deliver: Callable[[Sequence[T]], Sequence[T]],
        *,
        max_queued: int = MAX_QUEUED,
        batch: int = BATCH_SIZE,
        wait_s: float = BATCH_WAIT_S,
        retry_s: tuple[float, float] = (0.5, 30.0),
    ) -> None:
        self._deliver = deliver
        self._max_queued = max_queued
        self._batch = batch
        self._wait_s = wait_s
        self._retry_s = retry_s
        self._items: deque[T] = deque()
        self._changed = threading.Condition()
        self._closing = self._closed = self._flushing = False
        self._in_flight = 0
        self._lost: Counter[str] = Counter()
        self.delivered = 0
        self._thread = threading.Thread(target=self._run, name=f"metier-{name}", daemon=True)
        self._thread.start()

    @property
    def lost(self) -> Mapping[str, int]:
        """Number of dropped items by reason."""
        with self._changed:
            return dict(self._lost)

    @property
    def queued(self) -> int:
        """Number of waiting items."""
        return len(self._items)

    def put(self, item: T) -> None:
        """Queue an item. Takes a few microseconds at most, whatever the receiver does."""
        with self._changed:
            if self._closing:
                self._lost["closed"] += 1
                return
            if len(self._items) >= self._max_queued:
                self._items.popleft()
                self._lost["queue_full"] += 1
            self._items.append(item)
            if len(self._items) in (1, self._batch):
                self._changed.notify_all()

    def count_lost(self, count: int, reason: str) -> None:
        """Count items that the receiver refused for good."""
        with self._changed:
            self._lost[reason] += count

    def flush(self, timeout_s: float) -> bool:
        """Wait until all queued items are delivered; False on timeout."""
        with self._changed:
            self._flushing = True
            self._changed.notify_all()
            done = self._changed.wait_for(lambda: not self._items and not self._in_flight, timeout_s)
            self._flushing = False
            return done

    def close(self, timeout_s: float) -> None:
        """Deliver what is queued within the timeout, then stop. Items left over are counted as lost."""
        if self._closed:
            return
        until = time.monotonic() + timeout_s
        self.flush(timeout_s)
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        self._thread.join(max(0.1, until - time.monotonic()))
        with self._changed:
            self._closed = True
            if left := len(self._items) + self._in_flight:  # batches in flight did not arrive in time
                self._lost["closed"] += left
                self._items.clear()

    def _run(self) -> None:
        delay_s = self._retry_s[0]
        while batch := self._next_batch():
            left = self._try_deliver(batch)
            self._settle(batch, left)
            if not left:
                delay_s = self._retry_s[0]
            elif self._wait_to_retry(delay_s):
                return
            else:
                delay_s = min(delay_s * 2, self._retry_s[1])

    def _try_deliver(self, batch: Sequence[T]) -> Sequence[T]:
        try:
            return self._deliver(batch)
        except Exception:  # noqa: BLE001 - the edge of a thread: a fault here must not end it, nor reach a turn
            _log.warning("telemetry could not handle %d events; they are dropped", len(batch), exc_info=True)
            self.count_lost(len(batch), "fault")
            return ()

    def _next_batch(self) -> list[T]:
        """Take the next batch: a full one, or what came in within a quarter of a second; empty once closed."""
        with self._changed:
            self._changed.wait_for(lambda: self._items or self._closing)
            self._changed.wait_for(
                lambda: len(self._items) >= self._batch or self._closing or self._flushing, self._wait_s
            )
            self._in_flight = min(self._batch, len(self._items))
            return [self._items.popleft() for _ in range(self._in_flight)]

    def _settle(self, batch: Sequence[T], left: Sequence[T]) -> None:
        with self._changed:
            if self._closed:
                return
            self._items.extendleft(reversed(left))
            while len(self._items) > self._max_queued:
                self._items.popleft()
                self._lost["queue_full"] += 1
            self.delivered += len(batch) - len(left)
            self._in_flight = 0
            self._changed.notify_all()

    def _wait_to_retry(self, delay_s: float) -> bool:
        """Wait before the next attempt; True if the queue was closed meanwhile."""
        until = time.monotonic() + delay_s
        with self._changed:
            while not self._closing and (left_s := until - time.monotonic()) > 0:
                if self._flushing:  # `flush` is waiting
                    self._changed.wait(min(left_s, _FLUSH_RETRY_S))
                    break
                self._changed.wait(left_s)
            return self._closing
