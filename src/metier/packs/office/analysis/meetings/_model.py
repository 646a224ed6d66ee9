"""What somebody of a meeting takes on."""

from dataclasses import dataclass
from datetime import date

__all__ = ["Promise"]


@dataclass(frozen=True, slots=True)
class Promise:
    """Who does what until when; `who` is empty if nobody took it.

    `when` is None if no date was said, or if what was `said` counts from a day that nobody knows.
    """

    who: str
    what: str
    when: date | None
    said: str
    address: str
    line: str
