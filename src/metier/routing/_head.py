"""The second look: a small classifier fitted on the spot to the examples of the skills that came out on top."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

_RIDGE = 0.04
_STEPS = 8


def fit_and_score(kernel: Floats, labels: NDArray[np.int64], weights: Floats, query: Floats, classes: int) -> Floats:
    """Kernel logistic regression over the items of a few skills, scored for one message; `labels` may miss a class.

    Böhning's bound replaces the Hessian, so there is one inverse and then a few cheap steps: about a millisecond for
    eight skills of sixteen items.
    """
    root = np.sqrt(weights)
    bound = 0.5 * root[:, None] * kernel * root + _RIDGE * np.eye(len(kernel), dtype=np.float32)
    step = root[:, None] * np.linalg.inv(bound) / root
    wanted = np.zeros((len(kernel), classes), dtype=np.float32)
    wanted[np.arange(len(kernel)), labels] = 1
    alpha = np.zeros_like(wanted)
    for at in range(_STEPS):
        scores = kernel @ alpha if at else alpha
        likely = np.exp(scores - scores.max(axis=1, keepdims=True))
        likely /= likely.sum(axis=1, keepdims=True)
        alpha = alpha - step @ (weights[:, None] * (likely - wanted) + _RIDGE * alpha)
    found: Floats = query @ alpha
    return found
