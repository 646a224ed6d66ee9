"""Logistic regressions with weights of the rows; the last input is a constant and is not regularised."""

from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.sparse import csr_array

Floats = NDArray[np.float64]
_REGULARISATION: Final = 1.0
_MAX_STEPS: Final = 300


def fit_alone(features: Floats | csr_array, wanted: Floats, worth: Floats) -> Floats:
    """Weights for one answer, yes or no."""

    def measure(weights: Floats) -> tuple[float, Floats]:
        odds = features @ weights
        off = 1 / (1 + np.exp(-odds)) - wanted
        loss = float((worth * (np.logaddexp(0, odds) - wanted * odds)).sum())
        slope = features.T @ (worth * off)
        slope[:-1] += _REGULARISATION * weights[:-1]
        return loss + _REGULARISATION * float(weights[:-1] @ weights[:-1]) / 2, slope

    found: Floats = minimize(measure, np.zeros(features.shape[1]), jac=True, method="L-BFGS-B").x
    return found


def fit_shares(features: Floats | csr_array, wanted: Floats, worth: Floats) -> Floats:
    """Weights for answers that compete: the shares of each row of `wanted` add up to 1."""
    shape = (features.shape[1], wanted.shape[1])

    def measure(flat: Floats) -> tuple[float, Floats]:
        weights = flat.reshape(shape)
        odds = features @ weights
        odds -= odds.max(axis=1, keepdims=True)
        logs = odds - np.log(np.exp(odds).sum(axis=1, keepdims=True))
        held = weights.copy()
        held[-1] = 0
        slope = features.T @ (worth[:, None] * (np.exp(logs) - wanted)) + _REGULARISATION * held
        loss = -float((worth[:, None] * wanted * logs).sum())
        return loss + _REGULARISATION * float((held * held).sum()) / 2, slope.ravel()

    options = {"maxiter": _MAX_STEPS}
    found: Floats = minimize(measure, np.zeros(shape).ravel(), jac=True, method="L-BFGS-B", options=options).x
    return found.reshape(shape)
