"""Spatially correlated random fields over the grid, seeded and identical in every process and version.

The numbers come from raw Philox words (a stream that NumPy keeps stable) through Box-Muller, because the stream of
`Generator.normal` may change between NumPy versions.
"""

from math import exp, pi, sqrt

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]


def draw_normals(seed: int, stream: int, count: int) -> Floats:
    """Independent standard normal numbers; `stream` separates the fields of one seed."""
    pairs = (count + 1) // 2
    raw = np.random.Philox(key=[seed, stream]).random_raw(pairs)
    # One 64-bit word gives the radius (never 0) and the angle of one pair.
    radius = np.sqrt(-2 * np.log(((raw >> np.uint64(32)).astype(np.float64) + 0.5) * 2.0**-32)).astype(np.float32)
    angle = ((raw & np.uint64(0xFFFFFFFF)).astype(np.float64) * (2 * pi * 2.0**-32)).astype(np.float32)
    return np.concatenate([radius * np.cos(angle), radius * np.sin(angle)])[:count]


def correlate(white: Floats, step_m: float, distance_m: float) -> Floats:
    """Give the last two axes the correlation exp(−(|Δx| + |Δy|) / distance); the variance stays 1."""
    keep = np.float32(exp(-step_m / distance_m))
    fresh = np.float32(sqrt(1 - float(keep) ** 2))
    field = np.array(white, np.float32)
    for row in range(1, field.shape[-2]):
        field[..., row, :] = keep * field[..., row - 1, :] + fresh * field[..., row, :]
    turned = np.ascontiguousarray(np.swapaxes(field, -1, -2))
    for column in range(1, turned.shape[-2]):
        turned[..., column, :] = keep * turned[..., column - 1, :] + fresh * turned[..., column, :]
    return np.ascontiguousarray(np.swapaxes(turned, -1, -2))


def normal_cdf(normal: Floats) -> Floats:
    """Standard normal CDF, by Abramowitz and Stegun 26.2.17 (error below 1e-7)."""
    size = np.abs(normal)
    t = 1 / (1 + np.float32(0.2316419) * size)
    tail = t * (0.319381530 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))))
    upper = tail * np.exp(-0.5 * np.square(size)) * np.float32(1 / sqrt(2 * pi))
    return np.asarray(np.where(normal > 0, 1 - upper, upper), np.float32)
