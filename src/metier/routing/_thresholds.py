"""Thresholds of a decision, and the verdict on a ranking by them."""

from dataclasses import dataclass
from typing import Final

from metier.routing._decision import Verdict, VerdictLimits
from metier.routing.ranking import Odds, Ranking, to_probability

# Margin between the first two skills, in log-odds, below which the user must choose.
CLOSE_MARGIN: Final = 0.2


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Minimum probabilities to take the first skill (`auto`), to offer three (`suggest`), to assume any (`meant`).

    A skill is only taken if it is as likely as `surely_meant` that any is: a message for a neighbour that is not here
    is near to what is, and is asked about. So is one that leaves out words of the title of a skill without examples,
    or is for skills with examples that are near to each other, unless the skill is likelier than `auto` by as much.
    """

    auto: float = 0.8
    suggest: float = 0.6
    meant: float = 0.4
    surely_meant: float = 0.55

    @property
    def limits(self) -> VerdictLimits:
        """What the explanation of a decision names."""
        return VerdictLimits(self.auto, self.suggest, self.meant)

    def is_taken(self, odds: Odds, doubt: float) -> bool:
        """Whether the first skill is sure enough, by as many log-odds more than usual as there is doubt."""
        sure = to_probability(odds.right - doubt) >= self.auto
        return sure and to_probability(odds.meant) >= self.surely_meant

    def choose_verdict(self, odds: Odds, ranking: Ranking, *, is_taken: bool) -> Verdict:
        """Verdict on a ranking; a skill that may be taken is asked about if another is close."""
        among = max(to_probability(odds.among), to_probability(odds.right))
        if to_probability(odds.meant) < self.meant or among < self.suggest:
            return "none"
        close = len(ranking.scores) > 1 and ranking.scores[0] - ranking.scores[1] < CLOSE_MARGIN
        return "auto" if is_taken and not close else "suggest"
