"""The current time and new random ids."""

from datetime import UTC, datetime
from uuid import uuid4

__all__ = ["random_id", "utc_now"]


def utc_now() -> datetime:
    """Current time in UTC."""
    return datetime.now(UTC)


def random_id() -> str:
    """New random id: 32 hexadecimal digits."""
    return uuid4().hex
