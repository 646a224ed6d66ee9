"""Tuning: a coordinate search over tilt, azimuth, power and offsets, verified on the full model.

The search uses a quarter of the grid points with fixed loads. Its proposals are then applied one at a time on the full
grid with loads solved, and only those that help there are kept. Before and after share grid, users and shadowing, so no
improvement comes from randomness; a network that cannot be improved is returned unchanged.
"""

from dataclasses import dataclass

from metier.errors import UsageError
from metier.pack import BilingualText
from metier.packs.telecom.twin.radio import (
    NetworkState,
    Radio,
    assemble,
    build_bands,
    compute_radio,
)
from metier.packs.telecom.twin.scenario import PROBLEMS, ParameterChange, Problem, Scenario
from metier.packs.telecom.twin.tuning._gains import Gain, compute_gains
from metier.packs.telecom.twin.tuning._goals import GOALS
from metier.packs.telecom.twin.tuning._proof import ChangeVerifier
from metier.packs.telecom.twin.tuning._search import ParameterSearch, ProgressCallback


@dataclass(frozen=True, slots=True, eq=False)
class Optimisation:
    """Result of a tuning run; `changes` is empty if nothing helped."""

    problem: Problem
    before: NetworkState
    after: NetworkState
    changes: tuple[ParameterChange, ...]
    gains: tuple[Gain, ...]
    score_before: float
    score_after: float
    trials: int


def optimise(
    scenario: Scenario,
    problem: Problem | None = None,
    progress: ProgressCallback | None = None,
    *,
    radio: Radio | None = None,
) -> Optimisation:
    """Search for changes that fix the problem (by default the scenario's own); deterministic."""
    aim = problem or scenario.problem
    if aim not in PROBLEMS:
        raise UsageError(f"{aim!r} is not a problem that can be optimised", hint=f"choose from: {', '.join(PROBLEMS)}")
    tell = progress or _ignore_progress
    tell(0.0, BilingualText("计算现网状态", "computing the network as it is"))
    field = radio or compute_radio(scenario)
    before = assemble(scenario, field, build_bands(scenario, field))
    search = ParameterSearch(before, aim, GOALS[aim])
    wished = search.run(lambda share, words: tell(0.05 + 0.6 * share, words))
    proof = ChangeVerifier(before, GOALS[aim])
    kept = proof.verify(wished, lambda share, words: tell(0.65 + 0.3 * share, words))
    after, relations = proof.add_missing_neighbours()
    counts = len(kept), len(relations)
    tell(
        1.0,
        BilingualText("保留 {} 处参数、{} 条邻区".format(*counts), "{} changes and {} neighbours kept".format(*counts)),
    )
    gains = compute_gains(before, after)
    changes = (*kept, *relations)
    return Optimisation(aim, before, after, changes, gains, proof.first_score, proof.score, search.trials)


def _ignore_progress(share: float, words: BilingualText) -> None:
    """Default callback that ignores progress."""
