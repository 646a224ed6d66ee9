"""Figures of the pack, `metier bench life`: fairness of draws, crisis wording, prompts as sent, matching of cases."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from metier.bench import Figure

_SUITE: Final = "life"
_DRAWS: Final = 100_000


def measure(data: Path | None) -> Iterator[Figure]:
    """Measure what can be measured without data of others; `data` is not used."""
    del data
    from metier.packs.life.tarot import measure_draws

    fair = measure_draws(_DRAWS)
    yield Figure(_SUITE, "least p of a position, chi-square", fair.card_p, 0.001, fair.draws, unit="p", more=True)
    yield Figure(_SUITE, "least p of reversals, chi-square", fair.reversal_p, 0.001, fair.draws, unit="p", more=True)
