"""The current time, time in which this process ran, and new random ids."""

import os
import threading
import time
from collections.abc import Callable
from datetime import UTC, date, datetime
from typing import Final
from uuid import uuid4

__all__ = [
    "AWAKE",
    "AwakeClock",
    "awake_time",
    "local_now",
    "local_today",
    "make_timer",
    "random_id",
    "unix_time",
    "unix_time_ns",
    "utc_now",
    "utc_text",
]

_BEAT_S: Final = 0.2
_MAX_GAP_S: Final = 1.0  # between two beats; a longer one is a process that did not run, not one that is slow


def utc_now() -> datetime:
    """Current time in UTC."""
    return datetime.now(UTC)


def utc_text() -> str:
    """Current time in UTC as ISO 8601 text, to the second."""
    return utc_now().isoformat(timespec="seconds")


def unix_time() -> float:
    """Seconds since 1970, as file systems and other systems count them."""
    return time.time()


def unix_time_ns() -> int:
    """Nanoseconds since 1970."""
    return time.time_ns()


def local_now() -> datetime:
    """Current time in the machine's time zone."""
    return utc_now().astimezone()


def local_today() -> date:
    """Current day in the machine's time zone."""
    return local_now().date()


class AwakeClock:
    """Monotonic seconds that leave out the time in which this process was stopped or had no processor.

    A limit of five seconds is about those who do not answer. A process that was stopped for six has not listened: what
    came meanwhile is read first. A thread beats; if its last beat is too old, the process did not run since. What it
    spent on the processor counts all the same: work that holds the interpreter lets no other thread run either.
    """

    def __init__(
        self, monotonic: Callable[[], float] = time.monotonic, cpu: Callable[[], float] = time.process_time
    ) -> None:
        self._monotonic = monotonic
        self._cpu = cpu
        self._lock = threading.Lock()
        self._left_out_s = 0.0
        self._beat_at: float | None = None  # None: nobody beats, and all time counts
        self._cpu_at = 0.0

    def read(self) -> float:
        """Seconds; never less than at the last call."""
        beat_at, left_out_s = self._beat_at, self._left_out_s  # before the time: the process may stop in between
        now = self._monotonic()
        if beat_at is None or now - beat_at <= _MAX_GAP_S:
            return now - left_out_s
        with self._lock:
            now = self._monotonic()
            self._leave_out(now)
            return now - self._left_out_s

    @property
    def left_out_s(self) -> float:
        """Seconds that were left out so far."""
        self.read()
        return self._left_out_s

    def beat(self) -> None:
        """Say that the process runs."""
        with self._lock:
            now = self._monotonic()
            self._leave_out(now)
            self._beat_at, self._cpu_at = now, self._cpu()

    def start(self) -> None:
        """Beat in a thread from now on, if none does."""
        if self._beat_at is None:
            self.beat()
            threading.Thread(target=self._beat_on, name="metier-clock", daemon=True).start()

    def forget_thread(self) -> None:
        """Count all time again: a forked process has no thread that beats."""
        self._lock = threading.Lock()
        self._beat_at = None

    def _beat_on(self) -> None:
        while True:
            time.sleep(_BEAT_S)
            self.beat()

    def _leave_out(self, now: float) -> None:
        if self._beat_at is None or (gap_s := now - self._beat_at - _MAX_GAP_S) <= 0:
            return
        cpu = self._cpu()
        self._left_out_s += max(0.0, gap_s - (cpu - self._cpu_at))
        self._beat_at, self._cpu_at = now, cpu


AWAKE: Final = AwakeClock()
os.register_at_fork(after_in_child=AWAKE.forget_thread)


def awake_time() -> float:
    """Seconds in which this process ran: what limits on turns, calls, the store and streams are measured by."""
    return AWAKE.read()


def make_timer(clock: Callable[[], datetime]) -> Callable[[], float]:
    """Seconds to measure by: monotonic, so that a changed system time ends nothing, and neither does a pause.

    A clock that is not the system's is measured by as it is.
    """
    return awake_time if clock is utc_now else lambda: clock().timestamp()


def random_id() -> str:
    """New random id: 32 hexadecimal digits."""
    return uuid4().hex
