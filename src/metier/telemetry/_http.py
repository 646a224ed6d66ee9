"""Batches over HTTP: tried again when the other side is away, dropped and counted when it refuses them."""

import logging
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, Generic, TypeVar
from urllib.parse import urlsplit

from metier.errors import InvalidSettings
from metier.telemetry._lane import Lane

if TYPE_CHECKING:
    import httpx

T = TypeVar("T")

_log = logging.getLogger(__name__)
_TIMEOUT_S: Final = 5.0
_LAST_TRY_S: Final = 0.2
_MOST_QUEUED: Final = 5000
_RETRY_S: Final = (1.0, 60.0)
_AGAIN: Final = frozenset({408, 425, 429})


class HttpLane(Generic[T]):
    """Posts what is put, a batch at a time, in a thread of its own. No proxy or other variable is looked at."""

    def __init__(
        self,
        name: str,
        url: str,
        encode: Callable[[Sequence[T]], bytes],
        headers: Mapping[str, str],
        *,
        retry_s: tuple[float, float] = _RETRY_S,
    ) -> None:
        self._name = name
        self._url = url
        self._encode = encode
        self._headers = headers
        self._client: httpx.Client | None = None
        self._away = False
        self.lane: Lane[T] = Lane(name, self._post, most=_MOST_QUEUED, retry_s=retry_s)

    def put(self, item: T) -> None:
        self.lane.put(item)

    def close(self, timeout_s: float) -> None:
        """Send what is left; one that is known to be away gets one more chance, not the whole time."""
        self.lane.close(min(timeout_s, _LAST_TRY_S) if self._away else timeout_s)
        if self._client is not None:
            self._client.close()

    def _post(self, batch: Sequence[T]) -> Sequence[T]:
        import httpx

        if self._client is None:
            self._client = httpx.Client(timeout=_TIMEOUT_S, trust_env=False)
        try:
            answer = self._client.post(self._url, content=self._encode(batch), headers=dict(self._headers))
        except httpx.HTTPError as error:
            return self._kept(batch, f"{type(error).__name__}: {error}")
        if answer.status_code in _AGAIN or answer.status_code >= 500:
            return self._kept(batch, f"status {answer.status_code}")
        if not answer.is_success:
            _log.warning("%s refused %d events with status %d", self._name, len(batch), answer.status_code)
            self.lane.drop(len(batch), "refused")
        elif self._away:
            _log.info("%s is back", self._name)
        self._away = False
        return ()

    def _kept(self, batch: Sequence[T], why: str) -> Sequence[T]:
        if not self._away:  # once, not at every attempt
            _log.warning("%s cannot be reached (%s); events wait for it", self._name, why)
        self._away = True
        return batch


def checked_url(url: str, setting: str) -> str:
    """The URL, or `InvalidSettings` when nothing can be posted there."""
    try:
        parts = urlsplit(url)
        fits = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        fits = False
    if not fits:
        raise InvalidSettings(f"setting {setting!r} cannot be {url!r}", hint="give an address with http:// or https://")
    return url
