"""How long calls wait for a database that does not answer: each no longer than the limit, however many wait in line."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

from metier.clock import awake_time
from metier.errors import StoreUnavailable

_REQUEST_SINCE: Final[ContextVar[float | None]] = ContextVar("metier_store_request_since", default=None)


@contextmanager
def share_wait() -> Iterator[None]:
    """Let all calls of a block share one limit of waiting, as those of one request do.

    Tasks that are started inside take it along; `end_shared_wait` ends it for one that goes on by itself.
    """
    token = _REQUEST_SINCE.set(awake_time())
    try:
        yield
    finally:
        _REQUEST_SINCE.reset(token)


def end_shared_wait() -> None:
    """Give every call of this task a limit of its own again."""
    _REQUEST_SINCE.set(None)


def start_waiting() -> float:
    """When the wait of a call began: now, or with its request."""
    return _REQUEST_SINCE.get() or awake_time()


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
            self._failed_at = awake_time()
            raise

    def get_left_s(self, since: float) -> float | None:
        """Seconds left to a call that began to wait at `since`; None if no call has failed from then on."""
        return None if self._failed_at < since else max(0.0, self.limit_s - (awake_time() - since))
