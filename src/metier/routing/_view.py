"""What the router asks of an embedding."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from metier.routing._dense import Floats, SkillVectors
from metier.routing._texts import RoutingText


class View(Protocol):
    """One way to turn texts into vectors, with the vectors of the skills kept somewhere.

    The others raise `Unavailable` when there are none to be had, and nothing else.
    """

    name: str

    @property
    def notes(self) -> Sequence[str]:
        """What is to be said of the view itself, as far as is known by now."""
        ...

    def fits(self, texts: Sequence[RoutingText]) -> bool:
        """Whether the view is any use for these skills."""
        ...

    def sync(self, texts: Sequence[RoutingText]) -> Mapping[str, SkillVectors]:
        """The vectors of exactly these skills. Never called twice at once."""
        ...

    def embed(self, message: str) -> Floats | None:
        """The vector of a message, or `None` when the view is no use for it. May be called from many threads."""
        ...
