"""Time: limits are measured by a clock that nobody sets."""

import time
from datetime import UTC, datetime

from metier.clock import make_timer, utc_now


def test_limits_are_measured_by_the_monotonic_clock() -> None:
    assert make_timer(utc_now) is time.monotonic


def test_a_clock_of_the_callers_measures_too() -> None:
    assert make_timer(lambda: datetime(1970, 1, 1, 0, 1, tzinfo=UTC))() == 60
