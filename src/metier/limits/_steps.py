"""Step budget for what skills, plans and tools bring along: schemas, expressions and patterns.

A step takes about a microsecond. Work within `INLINE_STEPS` runs where it is called; longer work runs in a thread, so
that other requests go on, and ends with `TooManySteps` after `MAX_STEPS`.
"""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Final, TypeVar

from metier.errors import TooManySteps
from metier.json_values import JsonValue

__all__ = ["INLINE_STEPS", "MAX_STEPS", "limit_steps", "run_limited", "spend_steps", "spend_value"]

T = TypeVar("T")

INLINE_STEPS: Final = 20_000
MAX_STEPS: Final = 2_000_000
_CHARS_PER_STEP: Final = 100


class _NeedsThread(BaseException):
    """The work does not fit into `INLINE_STEPS`; a `BaseException`, so that no handler in the work catches it."""


@dataclass(slots=True)
class _Budget:
    left: int
    in_thread: bool


_budget: ContextVar[_Budget | None] = ContextVar("step_budget", default=None)


def spend_steps(count: int = 1) -> None:
    """Count steps; raises `TooManySteps` if the budget does not have them. Without a budget nothing is counted."""
    budget = _budget.get()
    if budget is None:
        return
    budget.left -= count
    if budget.left >= 0:
        return
    if not budget.in_thread:
        raise _NeedsThread
    raise TooManySteps("the work takes too many steps", hint="give less data at once, or simplify the skill")


def spend_value(value: JsonValue) -> None:
    """Count a step for each value inside a JSON value, and one for every hundred characters of its texts."""
    waiting: list[object] = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            spend_steps(1 + len(item) // _CHARS_PER_STEP)
        elif isinstance(item, dict):
            spend_steps(1 + len(item))
            waiting.extend(item.values())
        elif isinstance(item, list | tuple):
            spend_steps(1 + len(item))
            waiting.extend(item)


@contextmanager
def limit_steps(limit: int | None = None) -> Iterator[None]:
    """Give the work a budget of `MAX_STEPS`; a budget that is already counted stays in force."""
    if _budget.get() is not None:
        yield
        return
    token = _budget.set(_Budget(MAX_STEPS if limit is None else limit, in_thread=True))
    try:
        yield
    finally:
        _budget.reset(token)


async def run_limited(work: Callable[[], T]) -> T:
    """Run work with a step budget; if it takes more than `INLINE_STEPS`, start it again in a thread.

    The work must be repeatable: it may be cut off at any step and started once more.
    """
    token = _budget.set(_Budget(INLINE_STEPS, in_thread=False))
    try:
        return work()
    except _NeedsThread:
        pass
    finally:
        _budget.reset(token)
    return await asyncio.to_thread(_run_with_all_steps, work)


def _run_with_all_steps(work: Callable[[], T]) -> T:
    with limit_steps():
        return work()
