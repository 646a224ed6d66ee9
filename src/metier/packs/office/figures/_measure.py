"""Recall and precision per tool: each document of the corpus is read by the pack's readers and analysed."""

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from types import MappingProxyType
from typing import Final

from metier.bench import Figure
from metier.packs.office._readings import read_office_file
from metier.packs.office.analysis import Reading
from metier.packs.office.analysis._numbering import find_numbering_faults
from metier.packs.office.analysis._slides import review_slides
from metier.packs.office.analysis._terms import find_wrong_terms
from metier.packs.office.analysis.bids import compare_bid, find_requirements
from metier.packs.office.analysis.contracts import find_risks, read_contract
from metier.packs.office.analysis.exams import find_questions
from metier.packs.office.analysis.meetings import read_minutes
from metier.packs.office.analysis.templates import find_places
from metier.packs.office.analysis.workbooks import audit_sheet
from metier.packs.office.figures._corpus import SPLITS, CorpusDocument, build_file, number_slides, read_corpus

__all__ = ["ToolTally", "measure", "tally_corpus"]

TARGET: Final = 0.9
Key = tuple[str, ...]
Found = tuple[str, Key]


@dataclass(frozen=True, slots=True)
class ToolTally:
    """Counts of one tool on one half: planted, found, and found where nothing was planted."""

    tool: str
    split: str
    right: int
    missed: tuple[str, ...]
    extra: tuple[str, ...]

    @property
    def recall(self) -> float:
        return self.right / (self.right + len(self.missed)) if self.right + len(self.missed) else 1.0

    @property
    def precision(self) -> float:
        return self.right / (self.right + len(self.extra)) if self.right + len(self.extra) else 1.0


def measure(data: Path | None) -> Iterator[Figure]:
    """Figures of all held-out documents, and of every file of the corpus for comparison; nothing without the corpus."""
    if data is None or not (data / "held_out.txt").is_file():
        return
    by_split = {split: tally_corpus(data, split) for split in SPLITS}
    held_out = [tally for split, tallies in by_split.items() if split.startswith("held_out") for tally in tallies]
    for tool in sorted({tally.tool for tally in held_out}):
        yield from _to_figures(_merge(tool, [tally for tally in held_out if tally.tool == tool]), TARGET - 1e-9)
    for tallies in by_split.values():
        for tally in tallies:
            yield from _to_figures(tally, None)


def _merge(tool: str, tallies: Sequence[ToolTally]) -> ToolTally:
    missed = tuple(one for tally in tallies for one in tally.missed)
    extra = tuple(one for tally in tallies for one in tally.extra)
    return ToolTally(tool, "all held out", sum(tally.right for tally in tallies), missed, extra)


def _to_figures(tally: ToolTally, target: float | None) -> Iterator[Figure]:
    count = tally.right + len(tally.missed)
    for name, value in (("recall", tally.recall), ("precision", tally.precision)):
        title = f"{tally.tool}: {name}"
        yield Figure("office", title, value, target, count, unit="", more=True, column=tally.split)


def tally_corpus(corpus: Path, split: str) -> tuple[ToolTally, ...]:
    """Compare what every tool finds with what was planted."""
    documents = {document.name: document for document in read_corpus(corpus, split)}
    wanted: dict[str, list[Key]] = {}
    found: dict[str, list[Key]] = {}
    with tempfile.TemporaryDirectory() as scratch:

        def read(name: str) -> Reading:
            return read_office_file(build_file(documents[name], corpus, Path(scratch)))

        for document in documents.values():
            if document.kind not in _RUN:
                continue
            reading = read(document.name)
            if "pair" in document.head:
                reading = Reading(reading.name, "docx", reading.pieces, others=(read(document.head["pair"]),))
            for tool, key in _list_planted(document):
                wanted.setdefault(tool, []).append((document.name, *key))
            for tool, key in _RUN[document.kind](document, reading):
                found.setdefault(tool, []).append((document.name, *key))
    return tuple(_tally(tool, split, wanted.get(tool, []), found.get(tool, [])) for tool in sorted({*wanted, *found}))


def _tally(tool: str, split: str, wanted: Sequence[Key], found: Sequence[Key]) -> ToolTally:
    rest = list(found)
    missed: list[str] = []
    for key in wanted:
        if key in rest:
            rest.remove(key)
        else:
            missed.append(" | ".join(key))
    return ToolTally(tool, split, len(wanted) - len(missed), tuple(missed), tuple(" | ".join(key) for key in rest))


_RULE_TOOLS: Mapping[str, str] = MappingProxyType(
    {
        "contract": "risk_detector",
        "policy": "numbering_checker",
        "terms": "terminology_checker",
        "tender": "check_compliance",
    }
)


def _list_planted(document: CorpusDocument) -> Iterator[Found]:
    """What was planted, as the keys that the tools give."""
    if document.kind == "minutes":
        yield from _list_planted_minutes(document)
        return
    slides = number_slides(document) if document.kind == "slides" else ()
    for mark in document.marks:
        line = mark.text.strip()
        if mark.rule == "terminology":
            yield "terminology_checker", (mark.rule, line)
        elif document.kind in _RULE_TOOLS:
            yield _RULE_TOOLS[document.kind], (mark.rule, line)
        elif document.kind == "exam":
            yield "question_parser", (mark.rule, line, mark.values.get("blanks", ""))
        elif document.kind == "sheet":
            yield "anomaly_detector", (mark.rule, mark.values["cell"])
        elif document.kind == "slides":
            yield "consistency_checker", (mark.rule, str(slides[mark.line]))
        else:
            yield from [("placeholder_detector", (line,))] * int(mark.values.get("count", "1"))


def _list_planted_minutes(document: CorpusDocument) -> Iterator[Found]:
    for mark in document.marks:
        line = mark.text.strip()
        if mark.rule == "todo":
            yield "action items", (line, mark.values["who"], mark.values["when"])
        else:
            yield {"decision": "decision_detector", "topic": "topics"}[mark.rule], (line,)
    for name in filter(None, document.head.get("participants", "").split(", ")):
        yield "speaker_extractor", (name,)


def _run_minutes(document: CorpusDocument, reading: Reading) -> Iterator[Found]:
    draft = read_minutes(reading, date.fromisoformat(document.head["date"]))
    yield from (("speaker_extractor", (name,)) for name in draft.people)
    yield from (("topics", (finding.line,)) for finding in draft.topics)
    yield from (("decision_detector", (finding.line,)) for finding in draft.decisions)
    for promise in draft.promises:
        yield "action items", (promise.line, promise.who, promise.when.isoformat() if promise.when else "待定")


def _run_contract(_: CorpusDocument, reading: Reading) -> Iterator[Found]:
    for finding in find_risks(read_contract(reading.pieces)):
        yield "risk_detector", (finding.rule, finding.line)


def _run_policy(document: CorpusDocument, reading: Reading) -> Iterator[Found]:
    for finding in find_numbering_faults(reading.pieces) if document.kind == "policy" else ():
        yield "numbering_checker", (finding.rule, finding.line)
    for finding in find_wrong_terms(reading.pieces):
        yield "terminology_checker", (finding.rule, finding.line)


def _run_exam(_: CorpusDocument, reading: Reading) -> Iterator[Found]:
    for question in find_questions(reading.pieces):
        blanks = str(question.blanks) if question.blanks > 1 else ""
        yield "question_parser", (question.type, question.piece.line.strip(), blanks)


def _run_tender(_: CorpusDocument, reading: Reading) -> Iterator[Found]:
    for answer in compare_bid(find_requirements(reading.pieces), reading.others[0].pieces):
        yield "check_compliance", (answer.status, answer.requirement.piece.line.strip())


def _run_sheet(_: CorpusDocument, reading: Reading) -> Iterator[Found]:
    for sheet in reading.sheets:
        yield from (("anomaly_detector", (one.rule, one.values["cell"])) for one in audit_sheet(sheet))


def _run_slides(_: CorpusDocument, reading: Reading) -> Iterator[Found]:
    yield from (("consistency_checker", (one.rule, one.values["slide"])) for one in review_slides(reading.slides))


def _run_template(_: CorpusDocument, reading: Reading) -> Iterator[Found]:
    yield from (("placeholder_detector", (place.piece.line.strip(),)) for place in find_places(reading.pieces))


_RUN: Mapping[str, Callable[[CorpusDocument, Reading], Iterator[Found]]] = MappingProxyType(
    {
        "minutes": _run_minutes,
        "contract": _run_contract,
        "policy": _run_policy,
        "terms": _run_policy,
        "exam": _run_exam,
        "tender": _run_tender,
        "sheet": _run_sheet,
        "slides": _run_slides,
        "template": _run_template,
    }
)
