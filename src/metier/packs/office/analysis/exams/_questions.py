"""Questions of a paper: section, number, kind, options, and the places that wait for an answer."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from metier.packs.office._pieces import BLANK_PLACE, TextPiece
from metier.packs.office.analysis.exams._sections import ExamSection, QuestionType, read_section_head

__all__ = ["ExamQuestion", "find_blanks", "find_key_start", "find_questions"]

_HEAD: Final = re.compile(
    r"^(?:[（(][\s　]*[）)]\s*)?(?P<label>(?:第\s*\d{1,3}\s*题|[（(]\d{1,3}[）)]|\d{1,3}(?!\d)))"
    r"\s*[.．、:：]?\s*(?P<text>.+)$"
)
_OPTION: Final = re.compile(r"(?:^|[\s　])([A-Ha-h])\s*[.．、)）:：]\s*([^\s　]*)")
_OPTION_LINE: Final = re.compile(r"^\s*[A-H]\s*[.．、)）:：]")
_UNDERLINE: Final = re.compile(r"[_＿]{2,}")
_BRACKETS: Final = re.compile(r"[（(][\s　]*[）)]")
_KEY_TITLE: Final = re.compile(
    r"^[^\d。？?！!]{0,16}(?:答案|答案(?:及|与|和)?(?:详细)?(?:解析|评分标准|说明))[】\]]?\s*[:：]?$"
    r"|\banswer key\b|^(?:the )?(?:key|answers)\s*:?$",
    re.IGNORECASE,
)
_KEY_LINE: Final = re.compile(
    r"^(?:[【\[](?:参考|标准|正确)?答案[】\]]\s*[:：]?|(?:参考|标准|正确)?答案\s*[:：])\s*(?P<rest>.+)$"
    r"|^(?:answer )?(?:key|answers?)\s*:\s*(?P<rest2>.+)$",
    re.IGNORECASE,
)
_LEADING: Final = re.compile(r"\s*[（(][\s　]*[）)]")
_NUMBERED: Final = re.compile(r"^(?:第\s*)?[（(]?\s*(\d{1,3})\s*(?:[）)]|题|[.．、:：](?!\d)|[-–—~～]\s*\d)")
# `得分：____` below a question waits for the teacher.
_RECORD: Final = re.compile(
    r"^[（(【\[]?\s*(?:本(?:大|小)?题)?(?:得分|评分|分数|总分|扣分|小计|评卷人?|阅卷人?|批改人?|复核人?|姓名|班级|学号|考号|准考证号|日期|家长签[字名])"
    r"[^。；;]{0,6}?(?:\s*[:：]|\s*[_＿（(\[【])|^(?:score|marks?|points?|grade|name|class|date|teacher|marker)\s*[:：_]",
    re.IGNORECASE,
)
_INSTRUCTION: Final = re.compile(r"[请把将写填涂抄]|作答|答案(?:的|是|为)")


@dataclass(frozen=True, slots=True)
class ExamQuestion:
    """One question: its label, its kind, its section, its options, and the paragraphs with places to fill in.

    `blanks` counts underlined blanks of its first line, `places` all blanks and empty brackets of all its lines.
    """

    label: str
    type: QuestionType
    text: str
    blanks: int
    piece: TextPiece
    options: tuple[str, ...] = field(default_factory=tuple)
    section: ExamSection | None = None
    places: int = 0
    addresses: tuple[str, ...] = ()
    is_part: bool = False
    is_kind_certain: bool = True
    given: str | None = None

    @property
    def number(self) -> str:
        """The digits of the label, by which a key refers to the question; empty for a part of a question."""
        return "" if self.is_part else str(int("".join(re.findall(r"\d+", self.label))))

    @property
    def choices(self) -> dict[str, str]:
        """Letters of the options with the words behind them."""
        return {letter.upper(): words for one in (self.text, *self.options) for letter, words in _OPTION.findall(one)}

    @property
    def takes_one(self) -> bool:
        """A choice of exactly one letter, as question or section say."""
        if re.search(r"多选|多项|不定项", self.text):
            return False
        return bool(re.search(r"单选|单项", self.text)) or (self.section is not None and self.section.takes == "one")


@dataclass(slots=True)
class _Open:
    """The question whose lines are being read."""

    match: re.Match[str]
    section: ExamSection | None
    is_part: bool
    lines: list[TextPiece]
    options: list[str] = field(default_factory=list)
    given: str | None = None


def find_questions(pieces: Iterable[TextPiece]) -> tuple[ExamQuestion, ...]:
    """Questions in the order of the paper; a heading of a section tells the kind where the question does not."""
    known = list(pieces)
    section: ExamSection | None = None
    found: list[ExamQuestion] = []
    current: _Open | None = None
    main_style = ""
    for piece in known[: find_key_start(known)]:
        line = piece.line.strip()
        head = None if _OPTION_LINE.match(line) else read_section_head(line)
        match = _HEAD.match(line)
        if head is not None:
            found += _close(current)
            current, section, main_style = None, head[0], ""
        elif match and not _OPTION_LINE.match(line):
            found += _close(current)
            style = "part" if match["label"][0] in "（(" else "main"
            main_style = main_style or style
            current = _Open(match, section, style == "part" and main_style == "main", [piece])
        elif current is not None:
            _add_line(current, piece, line)
    return (*found, *_close(current))


def _add_line(current: _Open, piece: TextPiece, line: str) -> None:
    if _OPTION_LINE.match(line):
        current.options.append(line)
    given = _KEY_LINE.match(line)
    rest = (given["rest"] or given["rest2"]).strip() if given else ""
    if rest and not BLANK_PLACE.search(rest) and not _INSTRUCTION.search(line):
        current.given = rest
    elif not _RECORD.match(line):
        current.lines.append(piece)


def _close(current: _Open | None) -> Iterator[ExamQuestion]:
    if current is None:
        return
    text = current.match["text"].strip()
    blanks = len(_UNDERLINE.findall(text))
    kind, is_certain = _tell_kind(current.lines[0].line, text, current.options, current.section)
    placed = [(one.address, len(BLANK_PLACE.findall(one.text))) for one in current.lines]
    if kind in ("choice", "judge") and _LEADING.match(current.lines[0].text):
        # Brackets before the number are the place of the letter, whatever blanks the sentence has.
        placed = [(current.lines[0].address, 1)]
    yield ExamQuestion(
        current.match["label"],
        kind,
        text,
        blanks,
        current.lines[0],
        tuple(current.options),
        current.section,
        sum(count for _, count in placed),
        tuple(address for address, count in placed if count),
        current.is_part,
        is_certain,
        current.given,
    )


def _tell_kind(line: str, text: str, options: Sequence[str], section: ExamSection | None) -> tuple[QuestionType, bool]:
    """Kind of a question, and whether it is certain: brackets alone may wait for a mark or for words."""
    if options or len(_OPTION.findall(text)) > 1:
        return "choice", True
    named = section.kind if section is not None else None
    if named in ("choice", "judge"):
        return named, True
    if _UNDERLINE.search(text):
        return "fill", True
    if named is not None:
        return named, True
    return ("judge", False) if _BRACKETS.search(line) else ("short", True)


def find_key_start(pieces: Sequence[TextPiece]) -> int:
    """Index of the line at which the key of a paper begins, behind all questions; their number without a key."""
    last = 0
    for at, piece in enumerate(pieces):
        line = piece.line.strip()
        if _is_key_title(line) or _has_entries(line):
            following = next(
                (int(one[1]) for later in pieces[at + 1 :] if (one := _NUMBERED.match(later.line.strip()))), 0
            )
            # `答案：` below a question waits for its answer if the next question follows it or nothing does.
            is_place = re.fullmatch(r"答案?\s*[:：]", line) is not None and last and following in (0, last + 1)
            if not is_place:
                return at
        elif match := _NUMBERED.match(line):
            last = int(match[1])
    return len(pieces)


def _is_key_title(line: str) -> bool:
    return len(line) <= 24 and bool(_KEY_TITLE.search(line)) and not _INSTRUCTION.search(line)


def _has_entries(line: str) -> bool:
    """`答案：1. C 2. A` on one line."""
    match = _KEY_LINE.match(line)
    return match is not None and bool(_NUMBERED.match((match["rest"] or match["rest2"]).strip()))


def find_blanks(pieces: Iterable[TextPiece]) -> Iterator[tuple[TextPiece, int]]:
    """Pieces with blanks or empty brackets to fill in, and how many."""
    for piece in pieces:
        count = len(_UNDERLINE.findall(piece.line)) + len(_BRACKETS.findall(piece.line))
        if count:
            yield piece, count
