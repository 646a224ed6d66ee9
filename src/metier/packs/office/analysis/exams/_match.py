"""Answers of a key for the questions of a paper: by section and number, and only what fits the kind of question."""

import re
import unicodedata
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Final, Literal

from metier.packs.office.analysis.exams._key import KeyEntry
from metier.packs.office.analysis.exams._questions import ExamQuestion
from metier.packs.office.analysis.exams._sections import ExamSection, find_section

__all__ = ["AnswerMatch", "MatchReason", "fit_answer", "match_answers"]

MatchReason = Literal[
    "fits",
    "not_in_key",
    "no_place",
    "not_letters",
    "not_option",
    "one_letter",
    "not_judgement",
    "is_mark",
    "parts",
    "places",
    "several",
    "conflict",
    "doubtful",
    "no_answer",
]
_JUDGEMENTS: Final = re.compile(r"[√✓✔×✗✘xXTF对错是否]|正确|错误|不正确|[Tt]rue|[Ff]alse|TRUE|FALSE|Yes|No|yes|no")
_MARKS: Final = re.compile(r"[√✓✔×✗✘]")
_CIRCLED: Final = re.compile(r"\s*([①-⑳])\s*")
_LETTERS: Final = re.compile(r"[A-Ha-h](?:[\s、，,;；]*[A-Ha-h])*")
_LETTER_WITH_WORDS: Final = re.compile(r"([A-Ha-h])\s*[.．、:：)）]?\s*(\S.*)", re.DOTALL)
_MAX_SHORT_PART: Final = 3
# What a key says instead of an answer: `略`, `答案不唯一`, `—`.
_NO_ANSWER: Final = re.compile(
    r"[（(【\[]?(?:略|从略|答案略|无|暂无|没有|[-–—―─/]+|n/?a|none|omitted|open(?:-ended)?)[）)】\]]?|.*(?:答案不唯一|答案不限|"
    r"开放(?:题|性)|(?:言之有理|言之成理|合理|意思对|意思相近)[^。；;]{0,4}(?:即可|就行|给分|得分)|见解析|答案合理|"
    r"answers? (?:may |will )?var(?:y|ies)|any (?:reasonable|sensible)).*",
    re.IGNORECASE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class AnswerMatch:
    """A question with its answer, empty where `reason` says why nothing is written; `said` are the key's words."""

    question: ExamQuestion
    answer: str
    reason: MatchReason
    said: str = ""
    parts: int = 0


def match_answers(
    questions: Sequence[ExamQuestion], key: Sequence[KeyEntry]
) -> tuple[tuple[AnswerMatch, ...], tuple[KeyEntry, ...]]:
    """Every question with what the key gives it, and the entries that belong to no question."""
    sections = tuple(dict.fromkeys(one.section for one in questions if one.section is not None))
    meant: dict[int, list[KeyEntry]] = {}
    unclear: dict[int, list[KeyEntry]] = {}
    unused: list[KeyEntry] = []
    numbered: dict[str, list[int]] = {}
    for at, question in enumerate(questions):
        numbered.setdefault(question.number, []).append(at)
    for entry in _doubt_cut(key, numbered):
        found = numbered.get(entry.number, [])
        inside = _choose_section(questions, found, entry, sections)
        if len(inside) == 1:
            meant.setdefault(inside[0], []).append(entry)
        elif found and inside:
            for at in inside:
                unclear.setdefault(at, []).append(entry)
        else:
            unused.append(entry)
    matches = [_match_one(one, meant.get(at, ()), unclear.get(at, ())) for at, one in enumerate(questions)]
    # `1. 3.5 2.5` for two blanks: where the answer before does not fit, `2.5` may be its second half.
    cut = {at for at, entries in meant.items() if any(one.is_cut for one in entries)}
    for at in sorted(cut):
        if at and matches[at - 1].reason in ("parts", "doubtful") and matches[at].answer:
            matches[at] = replace(matches[at], answer="", reason="doubtful")
    return tuple(matches), tuple(unused)


def _doubt_cut(key: Sequence[KeyEntry], numbered: Collection[str]) -> Iterator[KeyEntry]:
    """Entries with doubt where no question has the number that was cut off: it may be a figure of the answer."""
    for entry, beside in zip_longest(key, key[1:]):
        is_figure = beside is not None and beside.is_cut and beside.number not in numbered
        yield replace(entry, is_doubtful=True) if is_figure else entry


def _choose_section(
    questions: Sequence[ExamQuestion], found: Sequence[int], entry: KeyEntry, sections: Sequence[ExamSection]
) -> list[int]:
    if entry.section is None or not sections:
        return list(found)
    section = find_section(entry.section, sections)
    return [] if section is None else [at for at in found if questions[at].section == section]


def _match_one(question: ExamQuestion, meant: Sequence[KeyEntry], unclear: Sequence[KeyEntry]) -> AnswerMatch:
    said = [question.given] if question.given is not None else [one.answer for one in meant]
    if len({re.sub(r"\s", "", one) for one in said}) > 1:
        return AnswerMatch(question, "", "conflict", " / ".join(dict.fromkeys(said)))
    if not said:
        shown = " / ".join(dict.fromkeys(one.answer for one in unclear))
        return AnswerMatch(question, "", "several" if unclear else "not_in_key", shown)
    if question.given is None and any(one.is_doubtful for one in meant):
        return AnswerMatch(question, "", "doubtful", said[0])
    answer, reason, parts = fit_answer(question, said[0])
    return AnswerMatch(question, answer, reason, said[0], parts)


def fit_answer(question: ExamQuestion, said: str) -> tuple[str, MatchReason, int]:
    """The key's words as they are written into the question, or why they are not; and how many answers they are."""
    first = said.split("\n", 1)[0].strip().rstrip("。.")
    if any(_NO_ANSWER.fullmatch(part.strip(" 　。.")) for part in re.split(r"[;；\n]", said) if part.strip()):
        return "", "no_answer", 1
    if question.type == "choice":
        return (*_fit_choice(question, first), 1)
    is_judgement = _JUDGEMENTS.fullmatch(first) is not None
    if question.type == "judge" and (question.is_kind_certain or is_judgement):
        return (first, "fits", 1) if is_judgement else ("", "not_judgement", 1)
    if _MARKS.fullmatch(said.strip()):
        return "", "is_mark", 1
    if question.type == "judge" and _LETTERS.fullmatch(first):
        return "", "not_judgement", 1
    if question.type == "short":
        return said, "fits", 1
    return _fit_blanks(said, max(question.places, question.blanks))


def _fit_choice(question: ExamQuestion, said: str) -> tuple[str, MatchReason]:
    plain = unicodedata.normalize("NFKC", said).strip()
    options = question.choices
    if (match := _LETTER_WITH_WORDS.fullmatch(plain)) and not _LETTERS.fullmatch(plain):
        words = unicodedata.normalize("NFKC", options.get(match[1].upper(), ""))
        if not words or re.sub(r"\W", "", words) != re.sub(r"\W", "", match[2]):
            return "", "not_letters"
        plain = match[1]
    if not _LETTERS.fullmatch(plain):
        return "", "not_letters"
    letters = "".join(re.findall(r"[A-H]", plain.upper()))
    if len(set(letters)) != len(letters) or (options and not set(letters) <= options.keys()):
        return "", "not_option"
    return ("", "one_letter") if len(letters) > 1 and question.takes_one else (letters, "fits")


def _fit_blanks(said: str, places: int) -> tuple[str, MatchReason, int]:
    """As many answers as there are blanks, divided by `；`; one answer for one blank stays as it is."""
    parts = _divide(said, places)
    if len(parts) != max(places, 1):
        return "", "parts", len(parts)
    return "；".join(parts), "fits", len(parts)


def _divide(said: str, places: int) -> list[str]:
    if marks := _CIRCLED.findall(said):
        parts = [part.strip(" 　,，;；。") for part in _CIRCLED.split(said)[2::2]]
        is_counted = [ord(mark) - ord("①") for mark in marks] == list(range(len(marks)))
        return parts if is_counted and all(parts) else []
    for mark in (r"[;；\n]", r"[、，]|,(?!\d{3}(?!\d))", r"[\t　]+| {2,}", r"(?<![A-Za-z]) +(?![A-Za-z])"):
        parts = [part.strip() for part in re.split(mark, said) if part.strip()]
        if len(parts) < 2:
            continue
        # One blank may take a sentence with commas (a line of a poem), not a row of short answers.
        is_sentence = places <= 1 and mark != r"[;；\n]" and max(map(len, parts)) > _MAX_SHORT_PART
        return [said.strip()] if is_sentence else parts
    return [said.strip()]
