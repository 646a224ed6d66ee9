"""Batches over HTTP: retried while the receiver is unreachable, dropped and counted if it refuses them."""

import logging
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, Generic, TypeVar
from urllib.parse import urlsplit

from metier.errors import InvalidSettings
from metier.masking import mask_text
from metier.telemetry._lane import BatchQueue

if TYPE_CHECKING:
    import httpx

T = TypeVar("T")

_log = logging.getLogger(__name__)
_TIMEOUT_S: Final = 5.0
_LAST_TRY_S: Final = 0.2
_MAX_QUEUED: Final = 5000
_RETRY_S: Final = (1.0, 60.0)
_RETRY_STATUSES: Final = frozenset({408, 425, 429})


class HttpBatchQueue(Generic[T]):
    """Posts queued items in batches from its own thread. Proxy settings of the environment are ignored."""

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
        self._unreachable = False
        self.queue: BatchQueue[T] = BatchQueue(name, self._post, max_queued=_MAX_QUEUED, retry_s=retry_s)

    def put(self, item: T) -> None:
        """Queue an item; never blocks."""
        self.queue.put(item)

    def close(self, timeout_s: float) -> None:
        """Send what is queued; a receiver known to be unreachable gets one short attempt, not the whole timeout."""
        self.queue.close(min(timeout_s, _LAST_TRY_S) if self._unreachable else timeout_s)
        if self._client is not None:
            self._client.close()

    def _post(self, batch: Sequence[T]) -> Sequence[T]:
        import httpx

        if self._client is None:
            self._client = httpx.Client(timeout=_TIMEOUT_S, trust_env=False)
        try:
            answer = self._client.post(self._url, content=self._encode(batch), headers=dict(self._headers))
        except httpx.HTTPError as error:
            return self._keep_for_retry(batch, f"{type(error).__name__}: {error}")
        if answer.status_code in _RETRY_STATUSES or answer.status_code >= 500:
            return self._keep_for_retry(batch, f"status {answer.status_code}")
        if not answer.is_success:
            _log.warning("%s refused %d events with status %d", self._name, len(batch), answer.status_code)
            self.queue.count_lost(len(batch), "refused")
        elif self._unreachable:
            _log.info("%s is back", self._name)
        self._unreachable = False
        return ()

    def _keep_for_retry(self, batch: Sequence[T], why: str) -> Sequence[T]:
        if not self._unreachable:  # log once, not at every attempt
            _log.warning("%s cannot be reached (%s); events wait for it", self._name, why)
        self._unreachable = True
        return batch


def validate_url(url: str, setting: str) -> str:
    """Return the URL; `InvalidSettings` if it is not an HTTP address."""
    try:
        parts = urlsplit(url)
        fits = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        fits = False
    if not fits:
        raise InvalidSettings(
            f"setting {setting!r} cannot be {mask_text(url)!r}", hint="give an address with http:// or https://"
        )
    return url
