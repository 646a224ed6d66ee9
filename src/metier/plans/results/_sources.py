"""Sources of a report that hold: cited, in the ledger, with quotes word for word and numbers in the passage."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from metier.errors import InvalidInput
from metier.evidence import ReportFinding, ledger_from_json, verify_findings
from metier.json_values import JsonValue


class SourceCount(NamedTuple):
    """Number of different sources that verified sentences cite, and the first sentence that does not hold."""

    amount: int
    unverified: int = 0
    example: str = ""


def count_sources(report: JsonValue) -> SourceCount | None:
    """Verify a report with `findings` and `evidence` by the ledger; None if it is none.

    A result that holds the report under `research_report` counts as the report. Evidence that answers one of its
    `sub_questions` is quoted word for word, so its source counts too.
    """
    given = report.get("research_report", report) if isinstance(report, Mapping) else None
    findings = given.get("findings") if isinstance(given, Mapping) else None
    if not isinstance(given, Mapping) or not isinstance(findings, list):
        return None
    try:
        evidence = given.get("evidence")
        ledger = ledger_from_json(list(evidence) if isinstance(evidence, list | tuple) else evidence)
    except InvalidInput:
        return None
    written = [_read_finding(one) for one in findings if isinstance(one, Mapping)]
    found = verify_findings(written, ledger)
    cited = {number for one in found.kept for number in one.ids} | set(_iter_quoted(given))
    sources = {item.place.source for number in cited if (item := ledger.find(number)) is not None}
    return SourceCount(len(sources), len(found.removed), found.removed[0].text if found.removed else "")


def _iter_quoted(report: Mapping[str, JsonValue]) -> Iterator[int]:
    asked = report.get("sub_questions")
    for one in asked if isinstance(asked, list | tuple) else ():
        found = one.get("found") if isinstance(one, Mapping) else None
        yield from (
            (number for number in found or () if isinstance(number, int)) if isinstance(found, list | tuple) else ()
        )


def _read_finding(value: Mapping[str, JsonValue]) -> ReportFinding:
    ids = value.get("ids")
    numbers = tuple(one for one in ids if isinstance(one, int)) if isinstance(ids, list | tuple) else ()
    return ReportFinding(str(value.get("text", "")), numbers)
