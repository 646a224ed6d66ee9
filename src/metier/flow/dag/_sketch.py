"""A few points of a node's data, enough to draw a thumbnail."""

from typing import TYPE_CHECKING, Final

import numpy as np

from metier.errors import OperatorRefused

if TYPE_CHECKING:
    from metier.flow.dag._node import Node
    from metier.flow.dag._tracker import DagTracker
    from metier.flow.dag._value import Value

_MAX_POINTS: Final = 96


def sketch_node(dag: "DagTracker", node: "Node") -> list[float]:
    """Points of a node's data; none if it failed or is a single number."""
    if node.state == "failed" or not node.shape:
        return []
    try:
        return sketch(dag.value(node.id))
    except OperatorRefused:
        return []


def sketch(value: "Value", max_points: int = _MAX_POINTS) -> list[float]:
    """At most so many points of the first row: lowest and highest of each part in turn, so that peaks stay."""
    if value.array.ndim == 0 or value.array.size == 0:
        return []
    row = value.array.reshape(-1, value.array.shape[-1])[0]
    row = np.abs(row) if row.dtype.kind == "c" else row
    if row.size > max_points:
        parts = np.array_split(row, max_points // 2)
        row = np.array([edge for part in parts for edge in (part.min(), part.max())])
    return [float(f"{one:.4g}") for one in row if np.isfinite(one)]
