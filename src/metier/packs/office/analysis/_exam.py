"""Questions of an exam by type, blanks, and answers from a given key. Answers are never invented."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from metier.json_values import JsonObject
from metier.language import Language, Sentences, join_names
from metier.packs.office._pieces import TextPiece
from metier.packs.office.analysis._actions import PlanActions, table_json
from metier.packs.office.analysis._model import Proposal, Reading, body_pieces

__all__ = ["ExamQuestion", "find_questions", "propose_answers", "read_answer_key"]

QuestionType = Literal["choice", "fill", "judge", "short"]
_HEAD: Final = re.compile(r"^(?P<label>(?:第\s*\d{1,3}\s*题|[（(]\d{1,3}[）)]|\d{1,3}))\s*[.．、:：]?\s*(?P<text>.+)$")
_SECTION: Final = re.compile(
    r"^[一二三四五六七八九十]{1,3}、\s*(?P<name>.+)$|^第[一二三四五六七八九十]{1,3}(?:大题|部分)\s*(?P<name2>.*)$"
)
_OPTION: Final = re.compile(r"(?:^|[\s　])[A-Ha-h]\s*[.．、)）:：]")
_OPTION_LINE: Final = re.compile(r"^\s*[A-H]\s*[.．、)）:：]")
_BLANK: Final = re.compile(r"[_＿]{2,}")
_BRACKETS: Final = re.compile(r"[（(][\s　]*[）)]")
_KEY: Final = re.compile(
    r"(?:^|[\s　,，;；])(?:第\s*)?[（(]?(?P<label>\d{1,3})[）)]?\s*(?:题)?\s*[.．、:：]\s*(?P<answer>.+?)"
    r"(?=[\s　,，;；]+(?:第\s*)?[（(]?\d{1,3}[）)]?\s*(?:题)?\s*[.．、:：]|$)"
)
_KEY_HEAD: Final = re.compile(r"答案|answer key|\bkey\b|\banswers\b", re.IGNORECASE)
_SECTION_TYPES: Final[tuple[tuple[str, QuestionType], ...]] = (
    ("选择", "choice"),
    ("填空", "fill"),
    ("判断", "judge"),
    ("是非", "judge"),
    ("简答", "short"),
    ("问答", "short"),
    ("论述", "short"),
    ("计算", "short"),
    ("choice", "choice"),
    ("blank", "fill"),
    ("true", "judge"),
    ("short", "short"),
)
_WORDS: Final = Sentences(
    {
        "choice": ("choice", "选择题"),
        "fill": ("blanks", "填空题"),
        "judge": ("true or false", "判断题"),
        "short": ("short answer", "简答题"),
        "questions": ("Questions", "试题"),
        "number": ("No.", "题号"),
        "type": ("Type", "题型"),
        "text": ("Question", "题目"),
        "answer": ("Answer (from the key)", "答案（取自答案文件）"),
        "where": ("Place", "位置"),
        "none": ("not in the key", "答案文件里没有"),
        "title": ("Answers", "参考答案"),
        "summary": (
            "{count} questions in “{name}” ({kinds}); {known} answers were taken from the key, {open} are not in it.",
            "“{name}”共 {count} 题（{kinds}）；{known} 题的答案取自答案文件，{open} 题答案文件里没有。",
        ),
        "no_key": (
            "{count} questions in “{name}” ({kinds}). No answer key was given, and answers are not invented: "
            "nothing was "
            "filled in.",
            "“{name}”共 {count} 题（{kinds}）。没有给出答案文件；本工具不编造答案，因此没有填写。",
        ),
        "ask_key": (
            "Please attach the answer key (lines such as “1. B”), then ask again.",
            "请附上答案文件（每行如“1. B”），再让我填写。",
        ),
        "empty": ("No questions were found in “{name}”.", "“{name}”里没有找到试题。"),
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ExamQuestion:
    """One question: its label, its type, how many blanks it has, its options."""

    label: str
    type: QuestionType
    text: str
    blanks: int
    piece: TextPiece
    options: tuple[str, ...] = field(default_factory=tuple)

    @property
    def number(self) -> str:
        """The digits of the label, by which a key refers to the question."""
        return "".join(re.findall(r"\d+", self.label))


def find_questions(pieces: Iterable[TextPiece]) -> tuple[ExamQuestion, ...]:
    """Questions in the order of the paper; a heading of a section tells the type where the question does not."""
    section: QuestionType | None = None
    found: list[ExamQuestion] = []
    options: list[str] = []
    head: tuple[re.Match[str], TextPiece, QuestionType | None] | None = None
    for piece in pieces:
        line = piece.line.strip()
        if _KEY_HEAD.search(line) and len(line) <= 20:
            break
        match = _HEAD.match(line)
        if _OPTION_LINE.match(line):
            options.append(line)
        elif heading := _SECTION.match(line):
            _finish(found, head, options)
            head, section = None, _type_of_section(heading["name"] or heading["name2"] or "")
        elif match:
            _finish(found, head, options)
            head = (match, piece, section)
    _finish(found, head, options)
    return tuple(found)


def _finish(
    found: list[ExamQuestion], head: tuple[re.Match[str], TextPiece, QuestionType | None] | None, options: list[str]
) -> None:
    if head is not None:
        match, piece, section = head
        text = match["text"].strip()
        blanks = len(_BLANK.findall(text))
        kind = _type_of_question(text, options, section, blanks)
        found.append(ExamQuestion(match["label"], kind, text, blanks, piece, tuple(options)))
    options.clear()


def _type_of_section(name: str) -> QuestionType | None:
    lower = name.lower()
    return next((kind for word, kind in _SECTION_TYPES if word in lower), None)


def _type_of_question(text: str, options: Sequence[str], section: QuestionType | None, blanks: int) -> QuestionType:
    if options or len(_OPTION.findall(text)) > 1:
        return "choice"
    if blanks:
        return "fill"
    if section is not None:
        return section
    return "judge" if _BRACKETS.search(text) else "short"


def read_answer_key(pieces: Iterable[TextPiece]) -> dict[str, str]:
    """Answers by the number of the question, from lines such as `1. B` or `1.B 2.√ 3.氧气`."""
    answers: dict[str, str] = {}
    for piece in pieces:
        for match in _KEY.finditer(piece.line.strip()):
            answers.setdefault(match["label"], match["answer"].strip())
    return answers


def _key_of(reading: Reading) -> dict[str, str]:
    """The key: a further document, else the part below a heading such as `参考答案`."""
    for other in reading.others:
        if answers := read_answer_key(body_pieces(other)):
            return answers
    pieces = list(body_pieces(reading))
    for number, piece in enumerate(pieces):
        if _KEY_HEAD.search(piece.line) and len(piece.line) <= 20:
            return read_answer_key(pieces[number + 1 :])
    return {}


def propose_answers(reading: Reading, *, task: str, language: Language) -> Proposal:
    """Answers of the key: into the paper (`answer-mode`), or as one block at its end (`exam-answering`)."""
    questions = find_questions(body_pieces(reading))
    if not questions:
        return Proposal(task, "wps", _WORDS.render("empty", language, name=reading.name))
    key = dict(_key_of(reading))
    counts: dict[str, int] = {}
    for question in questions:
        counts[question.type] = counts.get(question.type, 0) + 1
    kinds = join_names((f"{_WORDS.render(kind, language)} {count}" for kind, count in counts.items()), language)
    for question in questions:
        if question.number in key:
            key[question.number] = _fit_blanks(key[question.number], question.blanks)
    answered = [question for question in questions if key.get(question.number)]
    code = "summary" if key else "no_key"
    summary = _WORDS.render(
        code,
        language,
        name=reading.name,
        count=len(questions),
        kinds=kinds,
        known=len(answered),
        open=len(questions) - len(answered),
    )
    columns = [_WORDS.render(name, language) for name in ("number", "type", "text", "answer", "where")]
    missing = _WORDS.render("none", language)
    rows = [
        [q.label, _WORDS.render(q.type, language), q.text, key.get(q.number) or missing, q.piece.address]
        for q in questions
    ]
    return Proposal(
        task,
        "wps",
        summary,
        _answer_actions(task, answered, key, language),
        (table_json(_WORDS.render("questions", language), columns, rows),),
        tuple(_to_json(question) for question in questions),
        "" if key else _WORDS.render("ask_key", language),
    )


def _fit_blanks(answer: str, blanks: int) -> str:
    """An answer for several blanks has one part for each, divided by `；`; one that cannot be so is left out."""
    if blanks <= 1:
        return answer
    for mark in (r"[;；\n]", r"[、，,]", r"[\s　]+"):
        parts = [part.strip() for part in re.split(mark, answer) if part.strip()]
        if len(parts) == blanks:
            return "；".join(parts)
    return ""


def _answer_actions(
    task: str, answered: Sequence[ExamQuestion], key: dict[str, str], language: Language
) -> tuple[JsonObject, ...]:
    if not answered:
        return ()
    actions, title = PlanActions(language), _WORDS.render("title", language)
    if task == "answer-mode":
        answers = [{"q": question.label, "answer": key[question.number]} for question in answered]
        return (actions.operation("answer_mode_apply", title, answers=answers),)
    lines = [f"{question.label} {key[question.number]}" for question in answered]
    inside = [actions.text(title, level=2), actions.text("\n".join(lines))]
    return (actions.block("exam-answers", title, inside),)


def _to_json(question: ExamQuestion) -> JsonObject:
    return {
        "rule": question.type,
        "address": question.piece.address,
        "line": question.piece.line.strip(),
        "label": question.label,
        "blanks": question.blanks,
    }


def find_blanks(pieces: Iterable[TextPiece]) -> Iterator[tuple[TextPiece, int]]:
    """Pieces with blanks or empty brackets to fill in, and how many."""
    for piece in pieces:
        count = len(_BLANK.findall(piece.line)) + len(_BRACKETS.findall(piece.line))
        if count:
            yield piece, count
