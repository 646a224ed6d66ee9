"""Attempts of one question: whether, when and with which model it is asked again."""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from tenacity import RetryCallState, retry_if_exception

from metier.agent.models.providers._errors import ProviderFailure, Quirk, classify, find_quirk
from metier.errors import MetierError


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """Retry policy of a model call. Random, sleep, async sleep and timeout are parameters, so tests do not wait.

    `attempts` is per model, the first one included. Before each further attempt there is a random wait, at most
    `initial_wait_s` doubled each time and never above `max_wait_s`; Retry-After is honoured up to `max_retry_after_s`,
    beyond it the next model is tried. `timeout_s` is for a whole reply, or for the gap between two streamed chunks.
    """

    attempts: int = 3
    initial_wait_s: float = 0.5
    max_wait_s: float = 20.0
    max_retry_after_s: float = 60.0
    timeout_s: float = 120.0
    jitter: Callable[[], float] = random.random
    sleep: Callable[[float], None] = time.sleep
    async_sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    timeout: Callable[[float], asyncio.Timeout] = asyncio.timeout


@dataclass(slots=True)
class Attempts:
    """Attempts of one question across all models. Tenacity catches and waits; this class decides.

    `quirks` are what each endpoint was found not to take; they outlive the question. A refusal that shows a new one is
    followed by an attempt without it, which is not counted; the quirk is kept if that attempt succeeds.
    """

    retries: RetryPolicy
    model_count: int
    quirks: dict[int, set[Quirk]]
    model_index: int = 0
    tries: int = 0
    sent: bool = False
    has_reasoned: bool = False  # reasoning was passed on, perhaps by an attempt that broke off
    over: bool = False
    wait_s: float = 0.0
    failures: list[ProviderFailure] = field(default_factory=list)
    _tried: set[Quirk] = field(default_factory=set)

    def has_quirk(self, quirk: Quirk) -> bool:
        """Whether the endpoint that is asked now has this quirk."""
        return quirk in self._tried or quirk in self.quirks.get(self.model_index, ())

    def keep_quirks(self) -> None:
        """Remember what the endpoint that answered does not take."""
        if self._tried:
            self.quirks.setdefault(self.model_index, set()).update(self._tried)

    def record_failure(self, state: RetryCallState) -> None:
        error = state.outcome.exception() if state.outcome else None
        trouble = classify(error or RuntimeError("no outcome"))
        quirk = find_quirk(trouble)
        if quirk is not None and not self.sent and not self.has_quirk(quirk):
            self._tried.add(quirk)
            self.wait_s = 0.0
            return
        self.failures.append(trouble)
        self.tries += 1
        asked = trouble.retry_after_s or 0.0
        again = trouble.transient and self.tries < self.retries.attempts and asked <= self.retries.max_retry_after_s
        if self.sent:  # what was sent cannot be taken back
            self.over = True
        elif again:
            most = min(self.retries.max_wait_s, self.retries.initial_wait_s * 2 ** (self.tries - 1))
            self.wait_s = max(asked, most * self.retries.jitter())
        else:
            self.model_index, self.tries, self.wait_s = self.model_index + 1, 0, 0.0
            self._tried.clear()
            self.over = self.model_index >= self.model_count

    def options(self) -> dict[str, Any]:
        return {
            "retry": retry_if_exception(_is_provider_error),
            "after": self.record_failure,
            "wait": lambda state: self.wait_s,
            "stop": lambda state: self.over,
            "retry_error_callback": lambda state: None,
        }

    def metadata(self) -> dict[str, Any]:
        """Our metadata of a reply that took more than one attempt."""
        if not self.failures:
            return {}
        attempts = len(self.failures) + (not self.over)
        return {"attempts": attempts, "fallback": self.model_index > 0, "model": self.model_index}


def _is_provider_error(error: BaseException) -> bool:
    return isinstance(error, Exception) and not isinstance(error, MetierError)
