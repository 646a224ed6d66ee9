"""A path through the graph of skills as one list of tasks."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Literal, NamedTuple

from metier.skills import SkillGraph


class PathProblem(NamedTuple):
    """Two skills of a path that cannot follow each other."""

    code: Literal["path_gap", "path_types"]
    source: str
    target: str


def find_path_problems(graph: SkillGraph, path: Sequence[str]) -> tuple[PathProblem, ...]:
    """Why the skills of a path cannot follow each other; empty if they can.

    Each must lead to the next (`next`, or `requires` of the next), and what it gives must fit what the next takes.
    """
    edges = {(edge.source, edge.target) for edge in graph.edges}
    found = graph.find_problems()
    unfit = {(one.other, one.skill) for one in found if one.code == "graph_type_mismatch"}
    gaps = [PathProblem("path_gap", *link) for link in pairwise(path) if link not in edges]
    return (*gaps, *(PathProblem("path_types", *link) for link in pairwise(path) if link in edges & unfit))
