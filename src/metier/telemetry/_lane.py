"""Bounded queue with one worker thread: `put` never blocks, and dropped items are counted."""

import logging
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from typing import Final, Generic, TypeVar

T = TypeVar("T")

_log = logging.getLogger(__name__)
MOST_QUEUED: Final = 20_000
BATCH: Final = 200
WAIT_S: Final = 0.25
_HURRY_S: Final = 0.05


class Lane(Generic[T]):
    """Passes batches to `deliver` in its own thread.

    `deliver` returns the items it could not deliver; they are retried with growing delay. If the queue is full, the
    oldest items are dropped. Dropped items are counted by reason.
    """

    def __init__(
        self,
        name: str,
        deliver: Callable[[Sequence[T]], Sequence[T]],
        *,
        most: int = MOST_QUEUED,
        batch: int = BATCH,
        wait_s: float = WAIT_S,
        retry_s: tuple[float, float] = (0.5, 30.0),
    ) -> None:
        self._deliver = deliver
        self._most = most
        self._batch = batch
        self._wait_s = wait_s
        self._retry_s = retry_s
        self._items: deque[T] = deque()
        self._changed = threading.Condition()
        self._closing = self._closed = self._hurry = False
        self._in_hand = 0
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
            if len(self._items) >= self._most:
                self._items.popleft()
                self._lost["queue_full"] += 1
            self._items.append(item)
            if len(self._items) in (1, self._batch):
                self._changed.notify_all()

    def drop(self, count: int, reason: str) -> None:
        """Count items that the receiver refused for good."""
        with self._changed:
            self._lost[reason] += count

    def flush(self, timeout_s: float) -> bool:
        """Wait until all queued items are delivered; False on timeout."""
        with self._changed:
            self._hurry = True
            self._changed.notify_all()
            done = self._changed.wait_for(lambda: not self._items and not self._in_hand, timeout_s)
            self._hurry = False
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
            if left := len(self._items) + self._in_hand:  # batches in flight did not arrive in time
                self._lost["closed"] += left
                self._items.clear()

    def _run(self) -> None:
        delay_s = self._retry_s[0]
        while batch := self._next():
            left = self._delivered(batch)
            self._settle(batch, left)
            if not left:
                delay_s = self._retry_s[0]
            elif self._rest(delay_s):
                return
            else:
                delay_s = min(delay_s * 2, self._retry_s[1])

    def _delivered(self, batch: Sequence[T]) -> Sequence[T]:
        try:
            return self._deliver(batch)
        except Exception:  # noqa: BLE001 - the edge of a thread: a fault here must not end it, nor reach a turn
            _log.warning("telemetry could not handle %d events; they are dropped", len(batch), exc_info=True)
            self.drop(len(batch), "fault")
            return ()

    def _next(self) -> list[T]:
        """Take the next batch: a full one, or what came in within a quarter of a second; empty once closed."""
        with self._changed:
            self._changed.wait_for(lambda: self._items or self._closing)
            self._changed.wait_for(
                lambda: len(self._items) >= self._batch or self._closing or self._hurry, self._wait_s
            )
            self._in_hand = min(self._batch, len(self._items))
            return [self._items.popleft() for _ in range(self._in_hand)]

    def _settle(self, batch: Sequence[T], left: Sequence[T]) -> None:
        with self._changed:
            if self._closed:
                return
            self._items.extendleft(reversed(left))
            while len(self._items) > self._most:
                self._items.popleft()
                self._lost["queue_full"] += 1
            self.delivered += len(batch) - len(left)
            self._in_hand = 0
            self._changed.notify_all()

    def _rest(self, delay_s: float) -> bool:
        """Wait before the next attempt; True if the queue was closed meanwhile."""
        until = time.monotonic() + delay_s
        with self._changed:
            while not self._closing and (left_s := until - time.monotonic()) > 0:
                if self._hurry:  # `flush` is waiting
                    self._changed.wait(min(left_s, _HURRY_S))
                    break
                self._changed.wait(left_s)
            return self._closing
