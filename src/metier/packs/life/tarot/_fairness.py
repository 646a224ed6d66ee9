"""Fairness of the shuffle: chi-square of many draws, per position and for reversals."""

from dataclasses import dataclass

from metier.packs.life.tarot._deck import load_deck
from metier.packs.life.tarot._shuffle import shuffle_cards


@dataclass(frozen=True, slots=True)
class DrawFairness:
    """Probabilities that a fair shuffle looks at least as uneven, smallest of all positions."""

    draws: int
    positions: int
    card_p: float
    reversal_p: float


def measure_draws(draws: int, positions: int = 10, start: int = 0) -> DrawFairness:
    """Draw with the seeds `start`, `start + 1`, …; chi-square over the cards of each position and over reversals."""
    import numpy as np
    from scipy.stats import chi2

    order = {card.id: at for at, card in enumerate(load_deck())}
    counts = np.zeros((positions, len(order)), dtype=np.int64)
    turned = np.zeros(positions, dtype=np.int64)
    for number in range(start, start + draws):
        for at, drawn in enumerate(shuffle_cards(number.to_bytes(32, "big"))[:positions]):
            counts[at, order[drawn.card.id]] += 1
            turned[at] += drawn.is_reversed
    expected = draws / len(order)
    cards = ((counts - expected) ** 2 / expected).sum(axis=1)
    half = draws / 2
    reversals = 2 * (turned - half) ** 2 / half
    card_p = min(float(chi2.sf(one, len(order) - 1)) for one in cards)
    return DrawFairness(draws, positions, card_p, min(float(chi2.sf(one, 1)) for one in reversals))
