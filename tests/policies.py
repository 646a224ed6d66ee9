"""Exception policies for tests."""

from dataclasses import dataclass

from metier.tools import DenyAll, ExceptionRuling, ToolExceptionRequest


@dataclass(frozen=True, slots=True)
class GrantTools:
    """Grants these tools and denies all others, as an application's own policy may."""

    tools: frozenset[str]

    def decide(self, ask: ToolExceptionRequest) -> ExceptionRuling | None:
        if ask.tool in self.tools:
            return ExceptionRuling("granted", "policy", "on the list")
        return DenyAll().decide(ask)


def grant(*tools: str) -> GrantTools:
    return GrantTools(frozenset(tools))
