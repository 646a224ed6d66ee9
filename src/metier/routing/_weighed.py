"""A message that was ranked, before anybody says how sure to be."""

from dataclasses import dataclass

from metier.routing._calibration import Floats, Mode, signals_of
from metier.routing._candidates import Spoken
from metier.routing._index import RoutingIndex
from metier.routing._ranking import Query, Ranking
from metier.routing._wording import Note


@dataclass(frozen=True, slots=True)
class Weighed:
    """The ranking of one message, what it was made from, and the offset of its catalog."""

    index: RoutingIndex
    query: Query
    ranking: Ranking
    spoken: Spoken
    mode: Mode
    offset: float
    notes: tuple[Note, ...]

    @property
    def signals(self) -> Floats:
        """What the heads weigh."""
        return signals_of(self.index, self.query, self.ranking)

    @property
    def first(self) -> str:
        """The skill that came first."""
        return self.order[0]

    @property
    def order(self) -> tuple[str, ...]:
        """The skills that were looked at twice, best first."""
        return tuple(self.index.texts[int(skill)].skill for skill in self.ranking.order)
