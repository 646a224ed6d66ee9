"""The bid's answer to each requirement. Values, grades, standards and negations decide; words alone never comply."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from metier.packs.office._pieces import TextPiece
from metier.packs.office.analysis.bids._beyond import find_beyond
from metier.packs.office.analysis.bids._marks import (
    compare_grades,
    compare_standards,
    cut_shared_asides,
    denies_asked,
    tell_polarity,
)
from metier.packs.office.analysis.bids._money import breaks_money_term, is_money_term
from metier.packs.office.analysis.bids._quantities import Verdict, find_quantities
from metier.packs.office.analysis.bids._requirements import Requirement, is_heading, is_procedure
from metier.packs.office.analysis.bids._values import compare_values, list_dimensions
from metier.packs.office.analysis.bids._words import CLAUSES, lacks_words, list_answer_pairs, list_pairs, list_traces

__all__ = ["BidAnswer", "BidReason", "Compliance", "compare_bid"]

Compliance = Literal["comply", "partial", "unsure", "missing"]
BidReason = Literal[
    "answered",
    "quantity",
    "sum",
    "grade",
    "standard",
    "refused",
    "words_only",
    "unclear",
    "other_words",
    "copied",
    "beyond",
    "conflict",
    "procedure",
    "trace",
    "not_found",
]
_LABEL: Final = re.compile(
    r"^[★▲*＊\s]*(?:\d{1,2}(?:[.．]\d{1,2})+\s*[、.．)）]?|\d{1,2}\s*[、.．)）]|[（(]\d{1,2}[）)])?\s*[★▲*＊]?\s*"
)
_CELL: Final = re.compile(r"^(t\d+)\.r(\d+)\.c\d+$")
_ASSENTS: Final = frozenset({"响应", "同意", "承诺"})
_MIN_OVERLAP: Final = 0.5
_MIN_OVERLAP_BY_LABEL: Final = 0.25
_NEAR: Final = 0.15
_MIN_TRACE: Final = 0.2
_OWN_ROW_CELLS: Final = 3
_SHORT_LINE: Final = 20
_COPIED: Final = 0.8
_CONTENTS: Final = re.compile(r"(?:[.…·．。_]{2,}|\t)\s*\d+\s*$")
_QUOTATION: Final = re.compile(r"[“「『\"]([^“”「」『』\"]+)[”」』\"]")
# An answer that proves nothing by itself may be proved elsewhere; one that says more may not.
_SILENT: Final[frozenset[BidReason]] = frozenset({"words_only", "copied", "other_words"})


@dataclass(frozen=True, slots=True)
class BidAnswer:
    """What the bid says to a requirement: the words beyond it, and another place that speaks of the same otherwise."""

    requirement: Requirement
    status: Compliance
    piece: TextPiece | None
    reason: BidReason
    words: str = ""
    other: TextPiece | None = None


@dataclass(frozen=True, slots=True)
class _BidLine:
    """One line of the bid, or one row of a table: the words it is found by, and those that answer."""

    text: str
    piece: TextPiece
    pairs: frozenset[str]
    cells: tuple[TextPiece, ...] = ()


def compare_bid(requirements: Iterable[Requirement], bid: Sequence[TextPiece]) -> tuple[BidAnswer, ...]:
    """The bid's answer to each requirement."""
    lines = list(_list_lines(bid))
    return tuple(_answer(requirement, lines) for requirement in requirements)


def _list_lines(bid: Sequence[TextPiece]) -> Iterator[_BidLine]:
    """Lines without the title and headings; the cells of a row are one line."""
    rows: dict[tuple[str, str], list[TextPiece]] = {}
    plain: list[TextPiece] = []
    for piece in bid:
        if match := _CELL.match(piece.address):
            rows.setdefault((match[1], match[2]), []).append(piece)
        elif not is_heading(piece.line.strip()) and not _CONTENTS.search(piece.line):
            plain.append(piece)
    has_title = len(plain) > 1 and not re.match(r"\s*[★▲\d（(]", plain[0].line) and not find_quantities(plain[0].line)
    for piece in plain[1:] if has_title else plain:
        yield _BidLine(piece.line.strip(), piece, list_answer_pairs(_LABEL.sub("", piece.line.strip(), count=1)))
    for cells in rows.values():
        text = " ".join(cell.text.strip() for cell in cells)
        yield _BidLine(text, cells[0], list_answer_pairs(text), tuple(cells))


def _answer(requirement: Requirement, lines: Sequence[_BidLine]) -> BidAnswer:
    if is_money_term(requirement.text):
        broken = next((line for line in lines if breaks_money_term(requirement.text, line.text)), None)
        if broken is not None:
            return BidAnswer(requirement, "partial", broken.piece, "quantity")
    found = sorted(_find_responses(requirement, lines), key=lambda one: -one[0])
    if not found:
        return _tell_silence(requirement, lines)
    best_share = found[0][1]
    judged = [
        _judge(requirement, line)
        for score, share, line in found
        if max(score, share) >= min(found[0][0], best_share) - _NEAR
    ]
    best = _doubt_number(judged[0], *found[0][1:])
    if best.status == "unsure" and best.reason in _SILENT:
        best = next((one for one in judged if one.status == "comply"), best)
    if best.status != "comply":
        return best
    other = next((one for one in judged if one.status == "partial" or one.reason == "beyond"), None)
    if other is not None:
        return replace(best, status="unsure", reason="conflict", other=other.piece)
    return best


def _doubt_number(best: BidAnswer, share: float, line: _BidLine) -> BidAnswer:
    """A line that has the number but few words of the requirement may answer another one: it proves no deviation."""
    is_doubtful = best.status == "partial" and share < _MIN_OVERLAP and not _is_own_row(best.requirement, line)
    is_short = len(line.text) <= _SHORT_LINE
    return replace(best, status="unsure", reason="unclear") if is_doubtful and not is_short else best


def _tell_silence(requirement: Requirement, lines: Sequence[_BidLine]) -> BidAnswer:
    """No line answers: what only tells the procedure needs no answer, and a line with some of the words is shown."""
    if not requirement.is_starred and is_procedure(requirement.text):
        return BidAnswer(requirement, "unsure", None, "procedure")
    wanted = list_traces(requirement.text)
    shares = [(len(wanted & list_traces(line.text)) / len(wanted), line) for line in lines] if wanted else []
    share, line = max(shares, key=lambda one: one[0], default=(0.0, None))
    if line is not None and share >= _MIN_TRACE:
        return BidAnswer(requirement, "unsure", line.piece, "trace")
    return BidAnswer(requirement, "missing", None, "not_found")


def _find_responses(requirement: Requirement, lines: Sequence[_BidLine]) -> Iterator[tuple[float, float, _BidLine]]:
    wanted, kinds = list_pairs(requirement.text), list_dimensions(requirement.text)
    label = re.compile(rf"^[★▲]?\s*{re.escape(requirement.label)}(?!\d)")
    for line in lines:
        score = len(wanted & line.pairs) / len(wanted) if wanted else 0.0
        same_label = "." in requirement.label and label.match(line.text) is not None
        if same_label and _is_own_row(requirement, line):
            yield score + 1, score, line
            continue
        # A line of the same number answers in a value alone, or in `我方响应`, which says nothing.
        is_short = same_label and (
            line.pairs <= _ASSENTS or kinds & list_dimensions(_LABEL.sub("", line.text, count=1))
        )
        if is_short or score >= (_MIN_OVERLAP_BY_LABEL if same_label else _MIN_OVERLAP):
            yield score + (1 if same_label else 0), score, line


def _choose_words(requirement: Requirement, line: _BidLine) -> tuple[str, TextPiece]:
    """The words that answer: of a row that quotes the requirement, the cells behind the quotation."""
    quoted = _find_quotation(requirement, line)
    if quoted is None:
        return line.text, line.piece
    behind = [one for one in line.cells[quoted + 1 :] if one.text.strip()]
    answer = behind or [one for one in line.cells[:quoted] if one.text.strip()] or line.cells[quoted:]
    return " ".join(one.text.strip() for one in answer), answer[0]


def _find_quotation(requirement: Requirement, line: _BidLine) -> int | None:
    """The cell of a row that quotes the requirement: the same words, else the first that has most of them."""
    if len(line.cells) < 2:
        return None
    if _is_own_row(requirement, line):
        return 1
    plain = re.sub(r"\W", "", requirement.text)
    same = [at for at, cell in enumerate(line.cells) if re.sub(r"\W", "", _LABEL.sub("", cell.text, count=1)) == plain]
    if same:
        return same[0]
    wanted = list_pairs(requirement.text)
    near = (
        at
        for at, cell in enumerate(line.cells[:-1])
        if wanted and len(wanted & list_answer_pairs(cell.text)) / len(wanted) >= _COPIED
    )
    return next(near, None)


def _is_own_row(requirement: Requirement, line: _BidLine) -> bool:
    """Whether a row of the bid's table has the number of the requirement, what is asked for, and what is offered."""
    if len(line.cells) < _OWN_ROW_CELLS or line.cells[0].text.strip(" ★▲*") != requirement.label:
        return False
    return bool(list_pairs(requirement.text) & list_answer_pairs(line.cells[1].text))


def _cut_quotation(asked: str, said: str) -> str:
    """The answer without a quotation of the requirement."""
    wanted = list_pairs(asked)

    def cut(match: re.Match[str]) -> str:
        return "" if wanted and len(wanted & list_answer_pairs(match[1])) / len(wanted) >= _COPIED else match[0]

    return _QUOTATION.sub(cut, said)


def _judge(requirement: Requirement, line: _BidLine) -> BidAnswer:
    words, piece = _choose_words(requirement, line)
    is_quoted = piece is not line.piece
    asked = requirement.text
    said = words if is_quoted else _cut_quotation(asked, _LABEL.sub("", words, count=1))
    if re.sub(r"\W", "", asked) == re.sub(r"\W", "", said):
        return BidAnswer(requirement, "unsure", piece, "copied")
    polarity = _compare_polarity(asked, said)
    if polarity == "fails":
        return BidAnswer(requirement, "partial", piece, "refused")
    values, total = compare_values(asked, said)
    checks: tuple[tuple[BidReason, Verdict | None], ...] = (
        ("standard", compare_standards(asked, said)),
        ("grade", compare_grades(asked, said)),
        ("quantity", values),
    )
    verdicts = [(reason, verdict) for reason, verdict in checks if verdict is not None]
    for reason, verdict in verdicts:
        if verdict == "fails":
            return BidAnswer(requirement, "partial", piece, reason)
    if not verdicts:
        return BidAnswer(requirement, "unsure", piece, "words_only")
    if total:
        return BidAnswer(requirement, "unsure", piece, "sum", total)
    if polarity == "unsure" or any(verdict == "unsure" for _, verdict in verdicts):
        return BidAnswer(requirement, "unsure", piece, "unclear")
    if not is_quoted and lacks_words(asked, said):
        return BidAnswer(requirement, "unsure", piece, "other_words")
    if beyond := find_beyond(asked, said):
        return BidAnswer(requirement, "unsure", piece, "beyond", beyond)
    return BidAnswer(requirement, "comply", piece, "answered")


def _compare_polarity(asked: str, said: str) -> Verdict:
    """Whether the part of the answer that speaks of the requirement denies it."""
    asked, said = cut_shared_asides(asked, said)
    wanted = list_pairs(asked)
    parts = [part for part in CLAUSES.split(said) if part.strip()]
    near = [part for part in parts if wanted & list_answer_pairs(part)] or parts
    kinds = {tell_polarity(part) for part in near}
    if tell_polarity(asked) != "says":
        return "unsure"
    if "denies" in kinds:
        return "fails" if any(denies_asked(part, asked) for part in near) else "unsure"
    return "unsure" if "unclear" in kinds or any(tell_polarity(part) == "denies" for part in parts) else "meets"
