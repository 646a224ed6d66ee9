"""The current time and new random ids."""

import time
from collections.abc import Callable
from datetime import UTC, datetime
from uuid import uuid4

__all__ = ["make_timer", "random_id", "utc_now"]


def utc_now() -> datetime:
    """Current time in UTC."""
    return datetime.now(UTC)


def make_timer(clock: Callable[[], datetime]) -> Callable[[], float]:
    """Seconds to measure by: monotonic, so that a changed system time ends nothing.

    A clock that is not the system's is measured by as it is.
    """
    return time.monotonic if clock is utc_now else lambda: clock().timestamp()


def random_id() -> str:
    """New random id: 32 hexadecimal digits."""
    return uuid4().hex
