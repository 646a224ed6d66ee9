"""The callback that receives the events of a middleware."""

from collections.abc import Awaitable, Callable
from typing import TypeAlias

from metier.store import EventDraft

OnEvent: TypeAlias = Callable[[EventDraft], Awaitable[None] | None]
