"""State of a research between its steps: kept in the conversation's folder, so that a later turn goes on with it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import chain, count
from pathlib import Path
from typing import Any, Final, cast

from metier.evidence import (
    Disagreement,
    EvidenceLedger,
    FigureStatement,
    RemovedSentence,
    ReportFinding,
    ledger_from_json,
)
from metier.packs.workspace.research._collect import Answered, Collected
from metier.packs.workspace.research._questions import ResearchQuestion, SourceKind, SubQuestion

_FILE: Final = ".results/research_state.json"
_NAMES: Final = ".results/research_names.json"
_REPORT: Final = "research-report"


@dataclass(frozen=True, slots=True)
class ResearchState:
    """A research as far as it is: the question, where it looks, what was found, and what a model wrote about it."""

    question: ResearchQuestion
    kind: SourceKind
    documents: int = 0
    problems: Mapping[str, str] = field(default_factory=dict)
    collected: Collected | None = None
    findings: tuple[ReportFinding, ...] = ()
    removed: tuple[RemovedSentence, ...] = ()

    @property
    def ledger(self) -> EvidenceLedger:
        return self.collected.ledger if self.collected else EvidenceLedger()

    @property
    def missing(self) -> tuple[str, ...]:
        """Sub-questions that no evidence answers."""
        return tuple(one.question for one in self.collected.answered if not one.found) if self.collected else ()

    def with_ledger(self, ledger: EvidenceLedger) -> "ResearchState":
        """The state with the evidence of this ledger only: what cites anything else is left out."""
        assert self.collected is not None
        known = {one.id for one in ledger.items}
        answered = tuple(
            Answered(one.question, tuple(number for number in one.found if number in known))
            for one in self.collected.answered
        )
        differ = tuple(one for one in self.collected.disagreements if all(each.id in known for each in one.statements))
        return replace(self, collected=replace(self.collected, ledger=ledger, answered=answered, disagreements=differ))


def keep_state(workspace: Path, state: ResearchState) -> None:
    """Write the state; it replaces the one before."""
    file = workspace / _FILE
    file.parent.mkdir(parents=True, exist_ok=True)
    draft = file.with_suffix(".part")
    draft.write_text(json.dumps(_to_json(state), ensure_ascii=False), "utf-8")
    draft.replace(file)


def read_state(workspace: Path) -> ResearchState | None:
    """The state of the conversation's research; None if there is none that can be read."""
    try:
        return _from_json(json.loads((workspace / _FILE).read_text("utf-8")))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def name_report(workspace: Path, question: str) -> str:
    """Name of the files of a question's report, without ending: the same every time, and that of no other question."""
    file = workspace / _NAMES
    try:
        known: dict[str, str] = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError):
        known = {}
    if question not in known:
        taken = {*known.values(), *(one.stem for one in workspace.glob(f"{_REPORT}*"))}
        numbered = (f"{_REPORT}-{number}" for number in count(2))
        known[question] = next(name for name in chain([_REPORT], numbered) if name not in taken)
        file.parent.mkdir(parents=True, exist_ok=True)
        draft = file.with_suffix(".part")
        draft.write_text(json.dumps(known, ensure_ascii=False), "utf-8")
        draft.replace(file)
    return known[question]


def _to_json(state: ResearchState) -> dict[str, object]:
    question, found = state.question, state.collected
    told: dict[str, object] = {
        "question": question.question,
        "subject": question.subject,
        "topic": question.topic,
        "asked": [{"text": one.text, "words": list(one.words)} for one in question.sub_questions],
        "formats": list(question.formats),
        "kind": state.kind,
        "documents": state.documents,
        "problems": dict(state.problems),
        "findings": [one.to_json() for one in state.findings],
        "removed": [one.to_json() for one in state.removed],
    }
    if found is not None:
        told["collected"] = {
            "ledger": found.ledger.to_json(),
            "answered": [{"question": one.question, "found": list(one.found)} for one in found.answered],
            "disagreements": [one.to_json() for one in found.disagreements],
            "relevant": found.relevant,
            "orders": found.orders,
        }
    return told


def _from_json(told: dict[str, object]) -> ResearchState:
    given = cast("dict[str, Any]", told)
    asked = tuple(SubQuestion(one["text"], tuple(one["words"])) for one in given["asked"])
    question = ResearchQuestion(
        given["question"], given["subject"], asked, given["topic"], None, tuple(given["formats"])
    )
    found = given.get("collected")
    collected = None
    if found is not None:
        collected = Collected(
            ledger_from_json(found["ledger"]),
            tuple(Answered(one["question"], tuple(one["found"])) for one in found["answered"]),
            tuple(
                Disagreement(
                    one["measure"],
                    one["period"],
                    tuple(FigureStatement(each["text"], each["id"]) for each in one["statements"]),
                )
                for one in found["disagreements"]
            ),
            found["relevant"],
            found["orders"],
        )
    return ResearchState(
        question,
        given["kind"],
        given["documents"],
        given["problems"],
        collected,
        tuple(ReportFinding(one["text"], tuple(one["ids"])) for one in given["findings"]),
        tuple(RemovedSentence(one["text"], one["reason"], one["detail"]) for one in given["removed"]),
    )
