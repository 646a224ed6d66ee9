"""Checks of a contract in English: references, dates, forum, instalments and rates, by its own words alone."""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from types import MappingProxyType
from typing import Final

from metier.packs.office.analysis._model import DocumentFinding
from metier.packs.office.analysis.contracts._checks import check_blanks
from metier.packs.office.analysis.contracts._clauses import Clause, ClauseLine, ContractText, group_lines
from metier.packs.office.analysis.contracts._definitions import check_definitions
from metier.packs.office.analysis.contracts._english_names import check_english_parties
from metier.packs.office.analysis.contracts._rules import ContractRule, ContractRules
from metier.packs.office.analysis.contracts._totals import check_totals
from metier.patterns import ENGLISH_NUMBER, read_english_number

__all__ = ["check_english"]

_MAX_RATE_PER_YEAR: Final = Decimal("36.5")
_TIMES_PER_YEAR: Final[Mapping[str, int]] = MappingProxyType({"day": 365, "week": 52, "month": 12})
# Section 230 of the Act, Article 28 GDPR and clause 4 of the Master Agreement stand in another text.
_REFERENCE: Final = re.compile(
    r"(?i:\b(?:clause|section|article)s?\s+)(?P<number>\d{1,3})(?![\d%])"
    r"(?!(?:\.\d+)*(?:\([a-z0-9]{1,3}\))*,?\s+(?:of\s+(?!this\b)|(?!II*\b)[A-Z]{2,}))"
)
_MONTH: Final = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\.?"
_DATE: Final = (
    rf"(?:\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH},?\s+\d{{4}}"
    rf"|{_MONTH}\s+\d{{1,2}}(?:st|nd|rd|th)?,?\s+\d{{4}}|\d{{4}}-\d{{2}}-\d{{2}})"
)
_SPAN: Final = re.compile(
    rf"(?P<from>{_DATE})\s*,?\s*(?:\([^()]{{1,50}}\)\s*,?\s*)?(?:and\s+)?(?:shall\s+|will\s+)?"
    r"(?:to|until|till|through|ends?(?:\s+on)?|ending(?:\s+on)?|expir(?:es?|ing)(?:\s+on)?|terminates?(?:\s+on)?"
    r"|(?:continues?|remains?(?:\s+in\s+force)?)\s+until|[-–—])"
    rf"\s*(?:and\s+including\s+)?(?:the\s+)?(?P<to>{_DATE})",
    re.IGNORECASE,
)
_ARBITRATION: Final = re.compile(r"\barbitrat", re.IGNORECASE)
_COURT: Final = re.compile(r"\bcourts?\b|\blitigation\b", re.IGNORECASE)
_CHOICE: Final = re.compile(r"\bor\b|\balternatively\b|\beither\b", re.IGNORECASE)
# What a court does for an arbitration leaves nothing open.
_BOUND_TO_COURT: Final = re.compile(r"\baward|\binterim\b|\binjuncti|\benforc|\bset aside\b|\bcompel", re.IGNORECASE)
_SHARE: Final = (
    rf"(?:(?P<share>\d{{1,3}}(?:\.\d+)?)\s*(?:%|per\s?cent\b)\)?"
    rf"|(?P<words>{ENGLISH_NUMBER})\s+per\s?cent\b(?!\s*\(\s*\d)|\b(?P<part>(?:one|a|two)[\s-](?:third|half|quarter)s?|half)\b)"
)
_ANY_SHARE: Final = re.compile(_SHARE, re.IGNORECASE)
_INSTALMENT: Final = re.compile(
    rf"{_SHARE}\s*(?:of\s+(?:the|its|all)\s+[^,;.%]{{1,40}}?)?\s*"
    r"(?:(?:as\s+)?(?:an?\s+)?(?:non-?refundable\s+)?(?:deposit|advance|down\s?payment|prepayment|retention)\s*)?"
    r"(?:(?:is|are|shall\s+be|will\s+be|to\s+be|being)\s+)?(?:(?:due|paid|payable|invoiced)\s+)?"
    r"(?:on|upon|at|by|before|prior|against|following|after(?:wards?)?|thereafter|later|once|when|within|in\s+advance"
    r"|up\s?front|down)\b",
    re.IGNORECASE,
)
_PARTS: Final[Mapping[str, Decimal]] = MappingProxyType(
    {"half": Decimal(50), "third": Decimal(100) / 3, "quarter": Decimal(25)}
)
# What instalments wait for: two shares beside such words are a payment plan, whether or not the sentence says “pay”.
_MILESTONE: Final = re.compile(
    r"\bsign|\bexecution\b|\border\b|\bdeliver|\baccept|\bcomplet|\binstall|\bhandover|\bcommission|\bshipment|\bapproval",
    re.IGNORECASE,
)
_OF_OTHER: Final = re.compile(
    r"\bof\s+(?!the\s+(?:total|price|fee|contract|purchase|sum|amount|value|cost|charge|order))", re.I
)
_REMAINDER: Final = re.compile(r"\b(?:balance|remainder|remaining|rest)\b", re.IGNORECASE)
_PAYS: Final = re.compile(
    r"\bpa(?:y|id|ys|yable|yments?)\b|\bdue\b|\binstal|\binvoice|\bdisburs|\breimburs|\bremit", re.IGNORECASE
)
_NO_INSTALMENT: Final = re.compile(
    r"\blate\b|\binterest\b|\bpenalt|\bdamages\b|\btax|\bvat\b|\bdiscount|\bexceed", re.I
)
_ROUNDING: Final = Decimal("0.05")
_RATE: Final = re.compile(
    r"(?P<share>\d{1,3}(?:\.\d+)?)\s*(?:%|per\s?cent\b)[^.;%]{0,60}?"
    r"\b(?:per|a|an|each|every)\s+(?:calendar\s+|business\s+|working\s+)?(?P<unit>day|week|month)\b",
    re.IGNORECASE,
)
_DELAY: Final = re.compile(r"\blate\b|\boverdue\b|\bdelay|\bpenalt|\bliquidated\b|\bdefault\b", re.IGNORECASE)
_SENTENCE_END: Final = re.compile(r"(?<=[.;])\s+(?=[A-Z(])")


def check_english(contract: ContractText, rules: ContractRules) -> Iterator[DocumentFinding]:
    """Everything that is checked of a contract in English."""
    yield from _check_references(contract, rules.by_check("references")[0])
    yield from _check_dates(contract, rules.by_check("dates")[0])
    yield from _check_forum(contract, rules.by_check("forum")[0])
    yield from _check_payments(contract, rules.by_check("payments")[0])
    yield from check_totals(contract, rules.by_check("totals")[0])
    yield from _check_late_rates(contract, rules.by_check("late_rate")[0])
    yield from check_definitions(
        contract, rules.by_check("definition_twice")[0], rules.by_check("definition_missing")[0]
    )
    yield from check_english_parties(contract, rules.by_check("parties")[0])
    yield from check_blanks(contract, rules.by_check("blanks")[0])


def _check_references(contract: ContractText, rule: ContractRule) -> Iterator[DocumentFinding]:
    numbers = {clause.number for clause in contract.clauses}
    for line in contract.lines if numbers else ():
        for match in _REFERENCE.finditer(line.text):
            if match.start() and int(match["number"]) not in numbers:
                yield rule.build_finding(line, match[0], reference=match[0])


def _check_dates(contract: ContractText, rule: ContractRule) -> Iterator[DocumentFinding]:
    for line in contract.lines:
        for match in _SPAN.finditer(line.text):
            begin, end = _read_date(match["from"]), _read_date(match["to"])
            if begin is not None and end is not None and end < begin:
                yield rule.build_finding(line, match[0], begin=match["from"], end=match["to"])


def _read_date(text: str) -> date | None:
    plain = re.sub(r"(?<=\d)(?:st|nd|rd|th)\b|\bof\b|[,.]", " ", text, flags=re.IGNORECASE)
    words = [word[:3] if word.isalpha() else word for word in plain.split()]
    for form in ("%d %b %Y", "%b %d %Y", "%Y-%m-%d"):
        try:
            return datetime.strptime(" ".join(words), form).date()
        except ValueError:
            continue
    return None


def _check_forum(contract: ContractText, rule: ContractRule) -> Iterator[DocumentFinding]:
    for line in contract.lines:
        for sentence in _SENTENCE_END.split(line.text):
            is_both = _ARBITRATION.search(sentence) and _COURT.search(sentence) and _CHOICE.search(sentence)
            if is_both and not _BOUND_TO_COURT.search(sentence):
                yield rule.build_finding(line, sentence)


def _check_payments(contract: ContractText, rule: ContractRule) -> Iterator[DocumentFinding]:
    """Instalments that do not add up to 100 %, neither those with a date or milestone nor all shares that are paid."""
    for clause in group_lines(
        contract, lambda line: bool(_INSTALMENT.search(line.text) or _REMAINDER.search(line.text))
    ):
        sentences = list(_list_clause(clause))
        found = [(line, match) for line, text in sentences for match in _INSTALMENT.finditer(text)]
        totals = [
            sum(map(_read_share, matches), Decimal(0))
            for matches in (
                [match for _, match in found],
                [match for _, text in sentences for match in _ANY_SHARE.finditer(text)],
            )
        ]
        is_rest = totals[0] < 100 and any(_REMAINDER.search(text) for _, text in sentences)
        if len(found) > 1 and not is_rest and all(abs(total - 100) > _ROUNDING for total in totals):
            line, match = found[0]
            yield rule.build_finding(line, match[0], share=f"{round(totals[0], 2).normalize():f}")


def _list_clause(clause: Clause) -> Iterator[tuple[ClauseLine, str]]:
    """Sentences of a clause about paying in parts; `disbursed as follows:` says so for the lines behind it."""
    is_paid = bool(_PAYS.search(clause.lines[0].text))
    for line in clause.lines:
        yield from ((line, one) for one in _list_paid(line, is_heading_paid=is_paid))
        is_paid = is_paid or bool(line.text.endswith(":") and _PAYS.search(line.text))


def _list_paid(line: ClauseLine, *, is_heading_paid: bool) -> Sequence[str]:
    """Sentences of a line about paying in parts: they say so, their heading does, or they name milestones."""
    return [
        one
        for one in _SENTENCE_END.split(line.text)
        if not _NO_INSTALMENT.search(one)
        and (_PAYS.search(one) or is_heading_paid or (_MILESTONE.search(one) and not _OF_OTHER.search(one)))
    ]


def _read_share(match: re.Match[str]) -> Decimal:
    if match["share"]:
        return Decimal(match["share"])
    if match["words"]:
        return Decimal(read_english_number(match["words"]) or 0)
    words = match["part"].lower()
    part = next(value for name, value in _PARTS.items() if name in words)
    return part * 2 if words.startswith("two") else part


def _check_late_rates(contract: ContractText, rule: ContractRule) -> Iterator[DocumentFinding]:
    for line in contract.lines:
        for sentence in _SENTENCE_END.split(line.text):
            match = _RATE.search(sentence) if _DELAY.search(sentence) else None
            year = Decimal(match["share"]) * _TIMES_PER_YEAR[match["unit"].lower()] if match else Decimal(0)
            if match and year > _MAX_RATE_PER_YEAR:
                yield rule.build_finding(line, match[0], year=f"{year.normalize():f}")
