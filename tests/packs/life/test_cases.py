"""Worked cases of the life pack: enough of them, each with its source, and the right one among the first two."""

from pathlib import Path

from metier.context import CaseIndex
from metier.pack import find_installed_packs, pack_skill_roots
from metier.skills import SkillLibrary

QUERIES = Path(__file__).parent / "data" / "case_queries.txt"


def test_cases_have_a_source_weights_and_synonyms_and_are_found() -> None:
    catalog = SkillLibrary(pack_skill_roots(find_installed_packs().select(["life"]))).catalog()
    cases = [case for name in ("tarot", "career", "lifecoach") for case in catalog[name].cases]
    assert len(cases) >= 24
    assert all(case.source and any("|" in tag for tag in case.tags) for case in cases)
    assert {case.weight for case in cases} != {1.0}
    rows = [line.split(" | ") for line in QUERIES.read_text("utf-8").splitlines() if not line.startswith("#")]
    assert len(rows) >= 40
    missed, shown = [], 0
    for skill, wanted, query in rows:
        found = [one.case.id for one in CaseIndex(catalog[skill]).match(query)]
        shown += len(found)
        if wanted not in found:
            missed.append((query, wanted, found))
    assert len(missed) <= 0.1 * len(rows), missed
    assert (len(rows) - len(missed)) / shown >= 0.75  # precision at 2: relevant among all that were shown
