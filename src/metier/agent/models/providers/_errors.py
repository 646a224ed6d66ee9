"""Errors of model providers: whether to retry, when, and which Metier error to raise in the end.

Every provider has its own error classes; what they share is a status, a few names, and the header Retry-After.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final

import httpx

from metier.clock import utc_now
from metier.errors import InvalidInput, InvalidSettings, MetierError, Unavailable

_TRANSIENT_STATUSES: Final = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
_TRANSIENT_NAMES: Final = ("APIConnectionError", "APITimeoutError", "RateLimitError", "OverloadedError", "ServerError")
_MAX_CHARS: Final = 300


@dataclass(frozen=True, slots=True)
class ProviderFailure:
    """Failed call and whether it may be retried."""

    error: BaseException
    status: int | None
    transient: bool
    retry_after_s: float | None = None


def classify(error: BaseException, now: datetime | None = None) -> ProviderFailure:
    """Classify an error: whether the same call may succeed later, and how long the provider asks to wait."""
    response = getattr(error, "response", None)
    status = _find_status(error, response)
    if status is None:
        named = any(name in kind.__name__ for kind in type(error).__mro__ for name in _TRANSIENT_NAMES)
        transient = named or isinstance(error, httpx.TransportError | ConnectionError | TimeoutError)
        return ProviderFailure(error, None, transient)
    headers = getattr(response, "headers", None)
    after = _parse_retry_after(headers.get("retry-after"), now) if isinstance(headers, Mapping) else None
    return ProviderFailure(error, status, status in _TRANSIENT_STATUSES, after)


def final_error(trouble: ProviderFailure, model: str, attempts: int) -> MetierError:
    """Error to raise when retries are used up; its class says who can fix it."""
    said = f"{type(trouble.error).__name__}: {str(trouble.error)[:_MAX_CHARS]}"
    if trouble.status in (401, 403):
        message = f"the provider of {model!r} refused the key ({trouble.status})"
        return InvalidSettings(message, hint="check the key of the model (METIER_API_KEY, or the provider's own)")
    if trouble.status == 404:
        return InvalidSettings(f"the provider has no model {model!r}", hint="check METIER_MODEL and METIER_BASE_URL")
    if trouble.status is not None and not trouble.transient:
        return InvalidInput(f"the provider of {model!r} refused the request: {said}", hint="shorten or change it")
    times = "once" if attempts == 1 else f"{attempts} times"
    return Unavailable(f"model {model!r} failed {times}: {said}", hint="try again later, or set METIER_MODEL_FALLBACK")


def _find_status(error: BaseException, response: object) -> int | None:
    for owner, name in ((error, "status_code"), (response, "status_code"), (error, "status"), (error, "code")):
        found = getattr(owner, name, None)
        if isinstance(found, int) and not isinstance(found, bool) and 400 <= found <= 599:
            return found
    return None


def _parse_retry_after(value: object, now: datetime | None) -> float | None:
    """Seconds from a Retry-After header, which is a number or a date."""
    if not isinstance(value, str):
        return None
    if value.strip().replace(".", "", 1).isdecimal():
        return float(value)
    try:
        at = parsedate_to_datetime(value)
    except ValueError:
        return None
    at = at if at.tzinfo else at.replace(tzinfo=UTC)
    return max(0.0, (at - (now or utc_now())).total_seconds())
