from datetime import UTC, datetime

from metier.clock import random_id, utc_now


def test_the_time_carries_its_zone() -> None:
    before = datetime.now(UTC)
    now = utc_now()
    assert now.tzinfo is UTC
    assert before <= now <= datetime.now(UTC)


def test_ids_are_32_hexadecimal_digits_and_differ() -> None:
    ids = {random_id() for _ in range(100)}
    assert len(ids) == 100
    assert all(len(one) == 32 and set(one) <= set("0123456789abcdef") for one in ids)
