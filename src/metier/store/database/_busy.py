"""How long calls wait for a database that does not answer: each no longer than the limit, however many wait in line."""

from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

from metier.errors import StoreUnavailable


class BusyWatch:
    """Remembers when a call last waited in vain.

    A line that moves may be long: nobody is sent away. Once a call has failed, those who began to wait before that
    share its fate when their own time is up, instead of waiting for the same lock one after the other.
    """

    def __init__(self, limit_s: float) -> None:
        self.limit_s = limit_s
        self._failed_at = float("-inf")

    @contextmanager
    def watch(self) -> Iterator[None]:
        """Remember a failure of the block."""
        try:
            yield
        except StoreUnavailable:
            self._failed_at = monotonic()
            raise

    def get_left_s(self, since: float) -> float | None:
        """Seconds left to a call that began to wait at `since`; None if no call has failed from then on."""
        return None if self._failed_at < since else max(0.0, self.limit_s - (monotonic() - since))
