"""Operators of the PHM pack: the numeric functions of `signals` with ports, parameters, units and axes."""

from collections.abc import Sequence
from dataclasses import replace

from metier.flow import Operator
from metier.pack import PackContext
from metier.packs.phm.operators._build import SIGNALS
from metier.packs.phm.operators._throughput import Throughput, measure_throughput

__all__ = ["SIGNALS", "Throughput", "list_operators", "measure_throughput", "operators"]


def list_operators() -> Sequence[Operator]:
    """All operators of the pack, by category as a plan uses them: expand, transform, aggregate, multi, decision."""
    from metier.flow import CATEGORIES
    from metier.packs.phm.operators._compare import list_comparisons
    from metier.packs.phm.operators._condition import list_condition
    from metier.packs.phm.operators._decide import list_decisions
    from metier.packs.phm.operators._envelope import list_envelopes
    from metier.packs.phm.operators._expand import list_expansions
    from metier.packs.phm.operators._faults import list_faults
    from metier.packs.phm.operators._filters import list_filters
    from metier.packs.phm.operators._records import list_records
    from metier.packs.phm.operators._rotation import list_rotation
    from metier.packs.phm.operators._spectral import list_spectral
    from metier.packs.phm.operators._statistics import list_statistics
    from metier.packs.phm.operators._titles import read_measures, read_titles, read_verdicts
    from metier.packs.phm.reasons import REASONS

    families = (
        list_records,
        list_expansions,
        list_filters,
        list_spectral,
        list_envelopes,
        list_faults,
        list_rotation,
        list_statistics,
        list_comparisons,
        list_decisions,
        list_condition,
    )
    titles, verdicts, measures = read_titles(), read_verdicts(), read_measures()
    operators = [operator for family in families for operator in family()]
    listed = [
        replace(one, title=titles[one.op_name], verdicts=verdicts, measure=measures.get(one.op_name), reasons=REASONS)
        for one in operators
    ]
    return sorted(listed, key=lambda operator: CATEGORIES.index(operator.category))


def operators(context: PackContext) -> Sequence[Operator]:
    """Factory of the pack; the operators need nothing of its context."""
    del context
    return list_operators()
