"""Sections of calls that need no history: fill in arguments, and write a report."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

from metier.context._fences import fence, has_fence, replace_control_chars
from metier.context._prompt_texts import PROMPT_TEXTS
from metier.context._sections import Piece, Section
from metier.context._skill_sections import ContextDocument, render_contract
from metier.language import Language
from metier.skills import Skill

_HEADINGS: Final = ("brief_question", "brief_said", "brief_report", "brief_results")
_PRIORITIES: Mapping[str, int] = MappingProxyType({"said": 60, "results": 50})


@dataclass(frozen=True, slots=True)
class Brief:
    """Material of a call that needs no history: the turn's question, what else the user said, and what was found.

    `report` is the report that the runtime would give without a model; `results` are digests of results, with at most
    `results_tokens` if given.
    """

    question: str
    said: tuple[str, ...] = ()
    report: str = ""
    results: tuple[ContextDocument, ...] = ()
    results_tokens: int | None = None

    def limit_sections(self, limits: Mapping[str, int]) -> Mapping[str, int]:
        """Limits of the sections, with that of the results."""
        return limits if self.results_tokens is None else {**limits, "results": self.results_tokens}


def render_brief_task(stage: Literal["fill", "report"], skill: Skill | None, language: Language) -> str:
    """What the model is to do, for the system prompt; with the skill's contract for the answer if it reports."""
    words = PROMPT_TEXTS[language]
    contract = render_contract(skill.output, words) if stage == "report" and skill is not None else ""
    return "\n\n".join(part for part in (words[f"task_{stage}"], contract) if part)


def echoes_brief(text: str) -> bool:
    """Whether a model repeats the frame of its material: a heading of the prompt on a line of its own, or a fence."""
    headings = {words[name] for words in PROMPT_TEXTS.values() for name in _HEADINGS}
    return has_fence(text) or any(line.strip() in headings for line in text.splitlines())


def build_brief_sections(brief: Brief, note: str, language: Language) -> list[Section]:
    """Sections of the one message: the question, what else was said, the report, results as digests, the note."""
    words = PROMPT_TEXTS[language]
    said = [Piece(f"message {at}", f"- {_to_line(text)}", worth=at) for at, text in enumerate(brief.said)]
    results = [
        Piece(f"{at} {one.source}", fence(one.text, one.source), worth=at) for at, one in enumerate(brief.results)
    ]
    report = f"{words['brief_report']}\n{fence(brief.report, 'report')}" if brief.report else ""
    return [
        Section("question", f"{words['brief_question']}\n{replace_control_chars(brief.question)}", 100, required=True),
        _optional("said", words["brief_said"], said),
        Section("report", report, 90, required=True),
        _optional("results", words["brief_results"], results),
        Section("note", note, 100, required=True),
    ]


def _optional(name: str, heading: str, pieces: Sequence[Piece]) -> Section:
    return Section(name, heading if pieces else "", _PRIORITIES[name], pieces=tuple(pieces))


def _to_line(text: str) -> str:
    return " ".join(replace_control_chars(text).split())
