"""A request without the clauses that may be remarks; a plan of the rest says whether they are."""

from collections.abc import Callable
from dataclasses import dataclass

from metier.json_values import JsonObject
from metier.packs.office.drafting.remarks._clauses import EDGES, list_spans
from metier.packs.office.drafting.remarks._kinds import holds_in, may_refuse, may_remark

__all__ = ["Bare", "strike_refusals", "strike_remarks"]


@dataclass(frozen=True, slots=True)
class Bare:
    """What is left of a request, and the clauses that may be remarks."""

    text: str
    remarks: tuple[str, ...] = ()

    def is_borne_out(self, plan: JsonObject) -> bool:
        """Whether every clause that was left out only says what the plan has."""
        return all(holds_in(one, plan) for one in self.remarks)


def strike_remarks(request: str) -> Bare:
    """Leave out the clauses that have the form of a remark."""
    return _strike_both(request, may_remark)


def strike_refusals(request: str) -> Bare:
    """Leave out the clauses that say what is not to be there: 不用合计, “no chart”."""
    return _strike_both(request, may_refuse)


def _strike_both(request: str, may_be: Callable[[str], bool]) -> Bare:
    return _strike(_strike(Bare(request), may_be, by_word=False), may_be, by_word=True)


def _strike(bare: Bare, may_be: Callable[[str], bool], *, by_word: bool) -> Bare:
    kept, remarks = "", list(bare.remarks)
    for start, end, clause in list_spans(bare.text, by_word=by_word):
        if not may_be(clause):
            kept += bare.text[start:end]
            continue
        remarks.append(clause)
        if end == len(bare.text):
            kept = kept.rstrip(EDGES)
    return Bare(kept.strip(), tuple(remarks)) if len(remarks) > len(bare.remarks) and kept.strip() else bare
