"""Fits the logistic heads of the calibration to labelled scores."""

from collections.abc import Sequence
from dataclasses import astuple, dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from metier.routing.ranking import LANGUAGE_PAIRS, SIGNALS, Heads, Odds, expand_signals

_RIDGE: Final = 10.0
_STEPS: Final = 30
# A third of the simulated messages are out of scope, more than in real use. With these weights they count as one in
# five for the head `meant`. For `right` and `among` they count as one in fifteen if the best skill has only a
# description, and as one in forty-five if it has examples: at one in fifteen the heads were five points too low on
# unseen sets.
_OUT_OF_SCOPE_WEIGHT: Final = 0.5
_OUT_OF_SCOPE_WEIGHT_NO_EXAMPLES: Final = 0.15
_OUT_OF_SCOPE_WEIGHT_EXAMPLES: Final = 0.05
NO_OFFSET: Final = Odds(0.0, 0.0, 0.0)
_NO_EXAMPLES_AT = SIGNALS.index("description only")


@dataclass(frozen=True, slots=True)
class LabelledScore:
    """Signals of the best skill with the labels of the three heads, see `Odds`.

    `offset` is the calibration offset of the catalog; `alike` marks a catalog of similar skills.
    """

    signals: NDArray[np.float32]
    meant: bool
    right: bool
    among: bool = False
    offset: Odds = NO_OFFSET
    alike: bool = False


def fit_heads(judged: Sequence[LabelledScore], *, prior: Heads | None = None, trust: float = _RIDGE) -> Heads:
    """Fit the heads of one mode; with a prior, weights are regularised towards it with strength `trust`."""
    signals = np.array([one.signals for one in judged], dtype=np.float64)
    mean = prior.mean if prior else signals.mean(axis=0)
    deviation = prior.deviation if prior else np.maximum(signals.std(axis=0), 1e-2)
    wide = np.array([expand_signals(row, mean, deviation) for row in signals])
    meant = np.array([one.meant for one in judged], dtype=np.float64)
    right = np.array([one.right for one in judged], dtype=np.float64)
    among = np.array([one.among for one in judged], dtype=np.float64)
    offsets = np.array([astuple(one.offset) for one in judged], dtype=np.float64)
    believed, weights = (np.ones(len(judged)),) * 2 if prior else _compute_weights(judged, signals, meant)
    return Heads(
        mean,
        deviation,
        _fit_logistic(wide, offsets[:, 0], meant, believed, start=prior.meant if prior else None, trust=trust),
        _fit_logistic(wide, offsets[:, 1], right, weights, start=prior.right if prior else None, trust=trust),
        _fit_logistic(wide, offsets[:, 2], among, weights, start=prior.among if prior else None, trust=trust),
        prior.without_examples if prior else np.zeros((len(LANGUAGE_PAIRS), len(astuple(NO_OFFSET)))),
    )


def _compute_weights(
    judged: Sequence[LabelledScore], signals: NDArray[np.float64], meant: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Weight of each message for the head `meant`, and for `right` and `among`."""
    alike = np.array([one.alike for one in judged])
    outside = np.where(signals[:, _NO_EXAMPLES_AT] > 0, _OUT_OF_SCOPE_WEIGHT_NO_EXAMPLES, _OUT_OF_SCOPE_WEIGHT_EXAMPLES)
    # In a catalog of one domain the out-of-scope messages are about other domains, and easier than in real use.
    believed = np.where(alike, 0.0, np.where(meant > 0, 1.0, _OUT_OF_SCOPE_WEIGHT))
    return believed, np.where(meant > 0, 1.0, outside)


def _fit_logistic(
    wide: NDArray[np.float64],
    shift: NDArray[np.float64],
    yes: NDArray[np.float64],
    weights: NDArray[np.float64],
    *,
    start: NDArray[np.float64] | None,
    trust: float,
) -> NDArray[np.float64]:
    """Ridge logistic regression towards `start` by Newton's method; without a start the constant (last column) is
    not regularised."""
    towards = np.zeros(wide.shape[1]) if start is None else start
    found = towards.copy()
    ridge = np.full(wide.shape[1], trust)
    ridge[-1] = 1e-6 if start is None else trust / 10

    def loss(at: NDArray[np.float64]) -> float:
        odds = wide @ at + shift
        return float(weights @ (np.logaddexp(0, odds) - yes * odds) + ridge @ (at - towards) ** 2 / 2)

    for _ in range(_STEPS):
        likely = 1 / (1 + np.exp(-np.clip(wide @ found + shift, -30, 30)))
        slope = wide.T @ (weights * (likely - yes)) + ridge * (found - towards)
        curve = (wide * (weights * likely * (1 - likely) + 1e-9)[:, None]).T @ wide + np.diag(ridge)
        step = np.linalg.solve(curve, slope)
        # Far from the optimum a full Newton step overshoots and diverges, so it is halved until the loss falls.
        while loss(found - step) > loss(found) and float(np.abs(step).max()) >= 1e-6:
            step /= 2
        found -= step
        if float(np.abs(step).max()) < 1e-6:
            break
    return found
