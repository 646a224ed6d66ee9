"""Middleware that cannot work inside of a turn is told when the runtime is opened, not in the middle of a turn."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from langchain.agents.middleware.provider_tool_search import ProviderToolSearchMiddleware
from langchain.agents.middleware.types import AgentMiddleware

from metier.agent.loop._stack import Middleware
from metier.errors import UsageError

OWN_NAMES: Final = ("Turn", "TurnEnd")
_HOOKS: Final = ("wrap_model_call", "wrap_tool_call")


def check_middleware(middleware: Sequence[Middleware]) -> None:
    """Raise `UsageError` for middleware that no turn can run with, and say why."""
    counts = Counter([*OWN_NAMES, *(part.name for part in middleware)])
    if repeated := sorted(name for name, count in counts.items() if count > 1):
        raise UsageError(f"two middlewares are called {repeated[0]!r}", hint="give one of them another `name`")
    for part in middleware:
        for hook in _HOOKS:
            if _is_own(part, hook) and not _is_own(part, f"a{hook}"):
                raise UsageError(f"{part.name} has `{hook}` and no `a{hook}`", hint="a turn awaits its hooks: add it")
        if isinstance(part, ProviderToolSearchMiddleware):
            reason = f"{part.name} leaves the choice of tools to the provider's search, which passes by the gate"
            raise UsageError(reason, hint="leave it out: a turn offers the tools of its skill and step only")


def _is_own(part: Middleware, hook: str) -> bool:
    return getattr(type(part), hook) is not getattr(AgentMiddleware, hook)
