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
    cut_marks,
    list_names,
    tell_polarity,
)
from metier.packs.office.analysis.bids._quantities import (
    BidQuantity,
    Verdict,
    compare_quantities,
    cut_quantities,
    find_quantities,
)
from metier.packs.office.analysis.bids._requirements import Requirement, is_heading

__all__ = ["BidAnswer", "BidReason", "Compliance", "compare_bid"]

Compliance = Literal["comply", "partial", "unsure", "missing"]
BidReason = Literal[
    "answered",
    "quantity",
    "grade",
    "standard",
    "refused",
    "words_only",
    "unclear",
    "other_words",
    "copied",
    "beyond",
    "conflict",
    "not_found",
]
_LABEL: Final = re.compile(
    r"^[★▲*＊\s]*(?:\d{1,2}(?:[.．]\d{1,2})+\s*[、.．)）]?|\d{1,2}\s*[、.．)）]|[（(]\d{1,2}[）)])?\s*[★▲*＊]?\s*"
)
_TYPES: Final = re.compile(
    r"投标人|供应商|响应人|承包人|中标人|我方|我公司|我司|本公司|须|应当|应|必须|不得|具有|具备|取得|通过|持有|提供|配备|配置|支持|满足|采用|"
    r"要求|人民币|本项目|所投|的|等|及以上|以上|为|在|于|后|前|内|且|并|或|和|与|及|、"
)
_CLAUSES: Final = re.compile(r"[，,；;。！!\n]")
_CELL: Final = re.compile(r"^(t\d+)\.r(\d+)\.c\d+$")
_MIN_OVERLAP: Final = 0.5
_MIN_OVERLAP_BY_LABEL: Final = 0.25
_NEAR: Final = 0.15
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
        yield _BidLine(piece.line.strip(), piece, _list_pairs(_LABEL.sub("", piece.line.strip(), count=1)))
    for cells in rows.values():
        text = " ".join(cell.text.strip() for cell in cells)
        yield _BidLine(text, cells[0], _list_pairs(text), tuple(cells))


def _answer(requirement: Requirement, lines: Sequence[_BidLine]) -> BidAnswer:
    found = sorted(_find_responses(requirement, lines), key=lambda one: -one[0])
    if not found:
        return BidAnswer(requirement, "missing", None, "not_found")
    best_share = found[0][1]
    judged = [
        _judge(requirement, line)
        for score, share, line in found
        if max(score, share) >= min(found[0][0], best_share) - _NEAR
    ]
    best = judged[0]
    if best.status == "unsure" and best.reason in _SILENT:
        best = next((one for one in judged if one.status == "comply"), best)
    if best.status != "comply":
        return best
    other = next((one for one in judged if one.status == "partial" or one.reason == "beyond"), None)
    if other is not None:
        return replace(best, status="unsure", reason="conflict", other=other.piece)
    return best


def _find_responses(requirement: Requirement, lines: Sequence[_BidLine]) -> Iterator[tuple[float, float, _BidLine]]:
    wanted = _list_pairs(requirement.text)
    if not wanted:
        return
    label = re.compile(rf"^[★▲]?\s*{re.escape(requirement.label)}(?!\d)")
    for line in lines:
        score = len(wanted & line.pairs) / len(wanted)
        same_label = "." in requirement.label and label.match(line.text) is not None
        if score >= (_MIN_OVERLAP_BY_LABEL if same_label else _MIN_OVERLAP):
            yield score + (1 if same_label else 0), score, line


def _list_content(text: str) -> list[str]:
    """Words that say what is asked for, without label, values, marks and modal words."""
    plain = _TYPES.sub(" ", cut_quantities(cut_marks(text)))
    return [part for part in re.split(r"[\W\d_]+", plain) if part]


def _list_pairs(text: str) -> frozenset[str]:
    """Pairs of neighbouring characters, and the standards and names with numbers."""
    pairs = {part[at : at + 2] for part in _list_content(text) for at in range(len(part) - 1)}
    return list_names(text) | pairs


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
    plain = re.sub(r"\W", "", requirement.text)
    same = [at for at, cell in enumerate(line.cells) if re.sub(r"\W", "", _LABEL.sub("", cell.text, count=1)) == plain]
    if same:
        return same[0]
    wanted = _list_pairs(requirement.text)
    near = (
        at
        for at, cell in enumerate(line.cells[:-1])
        if wanted and len(wanted & _list_pairs(cell.text)) / len(wanted) >= _COPIED
    )
    return next(near, None)


def _cut_quotation(asked: str, said: str) -> str:
    """The answer without a quotation of the requirement."""
    wanted = _list_pairs(asked)

    def cut(match: re.Match[str]) -> str:
        return "" if wanted and len(wanted & _list_pairs(match[1])) / len(wanted) >= _COPIED else match[0]

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
    checks: tuple[tuple[BidReason, Verdict | None], ...] = (
        ("standard", compare_standards(asked, said)),
        ("grade", compare_grades(asked, said)),
        ("quantity", _compare_values(asked, said)),
    )
    verdicts = [(reason, verdict) for reason, verdict in checks if verdict is not None]
    for reason, verdict in verdicts:
        if verdict == "fails":
            return BidAnswer(requirement, "partial", piece, reason)
    if not verdicts:
        return BidAnswer(requirement, "unsure", piece, "words_only")
    if polarity == "unsure" or any(verdict == "unsure" for _, verdict in verdicts):
        return BidAnswer(requirement, "unsure", piece, "unclear")
    if not is_quoted and _lacks_words(asked, said):
        return BidAnswer(requirement, "unsure", piece, "other_words")
    if beyond := find_beyond(asked, said):
        return BidAnswer(requirement, "unsure", piece, "beyond", beyond)
    return BidAnswer(requirement, "comply", piece, "answered")


def _compare_polarity(asked: str, said: str) -> Verdict:
    """Whether the part of the answer that speaks of the requirement denies it."""
    wanted = _list_pairs(asked)
    parts = [part for part in _CLAUSES.split(said) if part.strip()]
    near = [part for part in parts if wanted & _list_pairs(part)] or parts
    kinds = {tell_polarity(part) for part in near}
    if tell_polarity(asked) != "says":
        return "unsure"
    if "denies" in kinds:
        return "fails"
    return "unsure" if "unclear" in kinds or any(tell_polarity(part) == "denies" for part in parts) else "meets"


def _compare_values(asked: str, said: str) -> Verdict | None:
    """Every quantity that is asked for against those of the answer in the same dimension."""
    plain, answer = cut_marks(asked), cut_marks(said)
    offered = find_quantities(answer)
    verdicts: list[Verdict] = []
    for one in find_quantities(plain):
        subject = _cut_subject(plain, one)
        kin = _choose_near([other for other in offered if other.dimension == one.dimension], plain, said, one)
        found = {compare_quantities(one, other, subject) for other in kin}
        is_elsewhere = any(_is_of_another(subject, _cut_subject(answer, other), answer) for other in kin)
        verdicts.append(found.pop() if len(found) == 1 and not is_elsewhere else "unsure")
    if not verdicts:
        return None
    return "fails" if "fails" in verdicts else "unsure" if "unsure" in verdicts else "meets"


def _is_of_another(asked: str, clause: str, said: str) -> bool:
    """Whether the value of a clause is another thing's: words that are asked for stand in the answer, but not here."""
    pairs = _list_pairs(asked)
    apart = [pair for pair in pairs if pair in said and not set(pair) & set(clause)]
    return bool(apart) and len(apart) >= len(pairs & _list_pairs(clause))


def _cut_subject(text: str, quantity: BidQuantity) -> str:
    """The clause in which a quantity stands."""
    start = max((match.end() for match in _CLAUSES.finditer(text, 0, quantity.start)), default=0)
    end = next((match.start() for match in _CLAUSES.finditer(text, quantity.end)), len(text))
    return text[start:end]


def _choose_near(found: list[BidQuantity], asked: str, said: str, wanted: BidQuantity) -> list[BidQuantity]:
    """Of several values of a kind those in the clause that shares the most words with the requirement's."""
    if len(found) < 2:
        return found
    pairs = _list_pairs(_cut_subject(asked, wanted))
    plain = cut_marks(said)
    shared = {at: len(pairs & _list_pairs(_cut_subject(plain, one))) for at, one in enumerate(found)}
    most = max(shared.values())
    return [one for at, one in enumerate(found) if shared[at] == most]


def _lacks_words(asked: str, said: str) -> bool:
    """Whether two neighbouring characters of the requirement's words stand nowhere in the answer."""
    pairs = [part[at : at + 2] for part in _list_content(asked) for at in range(len(part) - 1)]
    return any(pair[0] not in said and pair[1] not in said for pair in pairs)
