"""Checks before a report is delivered: every sentence cited, quotes word for word, numbers in the cited passage."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from metier.evidence._ledger import EvidenceItem, EvidenceLedger
from metier.evidence._quantities import find_number_words, read_quantities
from metier.evidence._text import (
    contains_verbatim,
    find_quotes,
    has_open_quote,
    read_marks,
    remove_marks,
    split_sentences,
)
from metier.json_values import JsonObject, JsonValue

Reason = Literal["not_cited", "unknown_source", "quote_differs", "number_not_in_source", "not_in_source"]


@dataclass(frozen=True, slots=True)
class ReportFinding:
    """A sentence of a report without marks, and the evidence it cites."""

    text: str
    ids: tuple[int, ...]

    def to_json(self) -> JsonObject:
        return {"text": self.text, "ids": list(self.ids)}


@dataclass(frozen=True, slots=True)
class RemovedSentence:
    """A sentence that was taken out, why, and the quote or number that failed."""

    text: str
    reason: Reason
    detail: str = ""

    def to_json(self) -> JsonObject:
        return {"text": self.text, "reason": self.reason, "detail": self.detail}


@dataclass(frozen=True, slots=True)
class Verification:
    """Findings that passed, and what was taken out of the others."""

    kept: tuple[ReportFinding, ...]
    removed: tuple[RemovedSentence, ...]

    def to_json(self) -> JsonObject:
        kept: list[JsonValue] = [one.to_json() for one in self.kept]
        removed: list[JsonValue] = [one.to_json() for one in self.removed]
        return {"kept": kept, "removed": removed}


def verify_findings(findings: Iterable[ReportFinding], ledger: EvidenceLedger) -> Verification:
    """Check findings sentence by sentence against the passages they cite.

    A finding whose text has marks such as `[2]` cites by them, sentence by sentence; otherwise its `ids` count for
    each of its sentences.
    """
    kept: list[ReportFinding] = []
    removed: list[RemovedSentence] = []
    for finding in findings:
        has_marks = bool(read_marks(finding.text))
        for sentence in split_sentences(finding.text):
            text = remove_marks(sentence)
            ids = tuple(dict.fromkeys(read_marks(sentence) if has_marks else finding.ids))
            if not text:
                continue
            problem = _find_problem(text, ids, ledger)
            if problem is None:
                kept.append(ReportFinding(text, ids))
            else:
                removed.append(problem)
    return Verification(tuple(kept), tuple(removed))


def verify_quotes(
    ledger: EvidenceLedger, read_source: Callable[[EvidenceItem], str]
) -> tuple[EvidenceLedger, tuple[RemovedSentence, ...]]:
    """Read each source again and keep the evidence that still stands in it word for word."""
    kept: list[EvidenceItem] = []
    removed: list[RemovedSentence] = []
    for one in ledger.items:
        if contains_verbatim(one.text, read_source(one)):
            kept.append(one)
        else:
            removed.append(RemovedSentence(one.text, "not_in_source", one.place.source))
    return EvidenceLedger(tuple(kept)), tuple(removed)


def _find_problem(text: str, ids: Sequence[int], ledger: EvidenceLedger) -> RemovedSentence | None:
    if not ids:
        return RemovedSentence(text, "not_cited")
    cited = [ledger.find(number) for number in ids]
    unknown = [number for number, found in zip(ids, cited, strict=True) if found is None]
    if unknown:
        return RemovedSentence(text, "unknown_source", str(unknown[0]))
    passages = [one.text for one in cited if one is not None]
    if has_open_quote(text):
        return RemovedSentence(text, "quote_differs", text)
    for quote in find_quotes(text):
        if not any(contains_verbatim(quote, passage) for passage in passages):
            return RemovedSentence(text, "quote_differs", quote)
    known = [one for passage in passages for one in read_quantities(passage)]
    for quantity in read_quantities(text):
        if not any(quantity.matches(one) for one in known):
            return RemovedSentence(text, "number_not_in_source", quantity.text)
    words = find_number_words(text) - frozenset(word for passage in passages for word in find_number_words(passage))
    return RemovedSentence(text, "number_not_in_source", min(words)) if words else None
