"""Answers of a given key into the paper or as a list at its end; what does not fit is listed with its reason."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from metier.json_values import JsonObject
from metier.language import Language, Sentences, join_names
from metier.packs.office.analysis._actions import PlanActions, table_json
from metier.packs.office.analysis._model import Proposal, Reading, body_pieces
from metier.packs.office.analysis.exams._key import KeyEntry, read_answer_key
from metier.packs.office.analysis.exams._match import AnswerMatch, match_answers
from metier.packs.office.analysis.exams._questions import ExamQuestion, find_key_start, find_questions

__all__ = ["list_written", "propose_answers"]

_KEY_NAME: Final = re.compile(r"答案|\bkey\b|\banswers?\b", re.IGNORECASE)
_NOT_FOUND: Final = frozenset({"not_in_key", "several", "no_place", "places", "no_answer"})
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
        "not_in_key": ("not in the key", "答案文件里没有"),
        "title": ("Answers", "参考答案"),
        "unused": ("Answers of the key that belong to no question", "没有对应题目的答案"),
        "key_line": ("Line of the key", "答案文件原文"),
        "left": ("not written: {why} (the key: {said})", "未填：{why}（答案文件：{said}）"),
        "no_place": ("no empty blank or bracket to write into", "题里没有空着的括号或横线"),
        "places": (
            "the question has several places, and which one is meant is not certain",
            "题里有多个空位，不能确定填哪个",
        ),
        "not_letters": ("a choice takes letters of its options", "选择题的答案应是选项字母"),
        "not_option": ("the question has no such option", "题里没有这个选项"),
        "one_letter": ("a choice of one option has several letters", "单选题给了多个选项"),
        "not_judgement": ("a true-or-false question takes √ or ×", "判断题的答案应是√或×"),
        "is_mark": ("a mark is no answer to this question", "这道题的答案不会是√或×"),
        "parts": ("{parts} answers for {places} blanks", "答案有 {parts} 个，空有 {places} 个"),
        "several": (
            "the number stands in several sections, and the key does not say which one is meant",
            "题号在几个大题里都有，答案文件没有写明是哪一题",
        ),
        "conflict": ("the key has different answers for it", "答案文件里有几个不同的答案"),
        "doubtful": ("where the answer begins and ends in the key is not certain", "答案文件里这一行读不准"),
        "no_answer": ("the key gives no answer to it", "答案文件没有给出具体答案"),
        "summary": (
            "{count} questions in “{name}” ({kinds}); {known} answers were taken from the key, {open} are not in it.",
            "“{name}”共 {count} 题（{kinds}）；{known} 题的答案取自答案文件，{open} 题答案文件里没有。",
        ),
        "unfit": (
            " {count} answers were not written because they do not fit; the table says why.",
            "另有 {count} 题的答案对不上，没有填写，原因见表。",
        ),
        "unused_told": (
            " {count} answers of the key belong to no question.", "答案文件中有 {count} 条答案找不到对应的题。"
        ),
        "no_key": (
            "{count} questions in “{name}” ({kinds}). No answer key was given, and answers are not invented: "
            "nothing was filled in.",
            "“{name}”共 {count} 题（{kinds}）。没有给出答案文件；本工具不编造答案，因此没有填写。",
        ),
        "unread_key": (
            "{count} questions in “{name}” ({kinds}). No answers with numbers could be read in {key}: "
            "nothing was filled in.",
            "“{name}”共 {count} 题（{kinds}）。{key} 里没有读到带题号的答案，因此没有填写。",
        ),
        "ask_key": (
            "Please attach the answer key (lines such as “1. B”), then ask again.",
            "请附上答案文件（每行如“1. B”），再让我填写。",
        ),
        "ask_which": (
            "Which of these is the key: {names}? Please name it or attach only this one.",
            "这几份文件里哪一份是答案：{names}？请写明，或只附上这一份。",
        ),
        "other_paper": (
            "Most answers of the key do not fit the questions of “{name}”, so nothing was filled in.",
            "答案文件里的答案大多对不上“{name}”的题，因此没有填写。",
        ),
        "ask_paper": (
            "Is this the key of this paper? If so, please write section and number before each answer.",
            "这是这份试卷的答案吗？如果是，请在每个答案前写明大题和题号。",
        ),
        "empty": ("No questions were found in “{name}”.", "“{name}”里没有找到试题。"),
    }
)  # fmt: skip


def propose_answers(reading: Reading, *, task: str, language: Language) -> Proposal:
    """Answers of the key: into the paper (`answer-mode`), or as one block at its end (`exam-answering`)."""
    questions = find_questions(body_pieces(reading))
    if not questions:
        return Proposal(task, "wps", _WORDS.render("empty", language, name=reading.name))
    key, names = _find_key(reading, questions)
    if names:
        listed = join_names([f"“{name}”" for name in names], language)
        summary = _summarise("no_key", reading, questions, (), language)
        return Proposal(task, "wps", summary, question=_WORDS.render("ask_which", language, names=listed))
    matches, unused = match_answers(questions, key)
    has_key = bool(key) or any(one.given is not None for one in questions)
    if task == "answer-mode":
        matches = tuple(_check_place(one) for one in matches)
    question = _WORDS.render("ask_key" if not has_key else "ask_paper", language)
    question = question if not any(one.answer for one in matches) else ""
    unread = next((one.name for one in reading.others if _KEY_NAME.search(one.name)), "")
    code = "summary" if has_key else "unread_key" if unread else "no_key"
    summary = _summarise(code, reading, questions, matches, language, key=unread)
    if _is_other_paper(matches):
        summary = _WORDS.render("other_paper", language, name=reading.name)
        question = _WORDS.render("ask_paper", language)
        actions: tuple[JsonObject, ...] = ()
    else:
        actions = _answer_actions(task, matches, language)
    if unused and has_key:
        summary += _WORDS.render("unused_told", language, count=len(unused))
    tables = (_questions_table(matches, language), *_unused_table(unused, language))
    return Proposal(task, "wps", summary, actions, tables, tuple(_to_json(one) for one in questions), question)


def _find_key(reading: Reading, questions: Sequence[ExamQuestion]) -> tuple[tuple[KeyEntry, ...], tuple[str, ...]]:
    """The key: a further document, else the part below a heading such as `参考答案`; or names among which to choose."""
    keys = [(one.name, read_answer_key(body_pieces(one))) for one in reading.others]
    keys = [(name, entries) for name, entries in keys if entries]
    keys = [one for one in keys if _KEY_NAME.search(one[0])] or keys
    if len(keys) > 1:
        fitting = [one for one in keys if not _is_other_paper(match_answers(questions, one[1])[0])]
        if len(fitting) != 1:
            return (), tuple(name for name, _ in fitting or keys)
        keys = fitting
    if keys:
        return keys[0][1], ()
    pieces = list(body_pieces(reading))
    return read_answer_key(pieces[find_key_start(pieces) :]), ()


def _is_other_paper(matches: Sequence[AnswerMatch]) -> bool:
    """More than half of the answers that were found for a question do not fit it."""
    found = [one for one in matches if one.reason == "fits" or one.reason not in _NOT_FOUND]
    return len([one for one in found if one.reason != "fits"]) * 2 > len(found) > 1


def _check_place(match: AnswerMatch) -> AnswerMatch:
    """The match, unless the question has no place for the answer or several among which nothing chooses."""
    places = match.question.places
    if match.reason != "fits" or (match.question.type == "fill" and places):
        return match
    if not places:
        return replace(match, answer="", reason="no_place")
    is_marked = match.question.type in ("choice", "judge") and match.parts != places
    return replace(match, answer="", reason="places") if is_marked else match


def _summarise(
    code: str,
    reading: Reading,
    questions: Sequence[ExamQuestion],
    matches: Sequence[AnswerMatch],
    language: Language,
    *,
    key: str = "",
) -> str:
    counts: dict[str, int] = {}
    for question in questions:
        counts[question.type] = counts.get(question.type, 0) + 1
    kinds = join_names((f"{_WORDS.render(kind, language)} {count}" for kind, count in counts.items()), language)
    known = sum(1 for one in matches if one.answer)
    still_open = sum(1 for one in matches if one.reason == "not_in_key")
    summary = _WORDS.render(
        code,
        language,
        name=reading.name,
        count=len(questions),
        kinds=kinds,
        known=known,
        open=still_open,
        key=f"“{key}”",
    )
    unfit = len(matches) - known - still_open
    return summary + (_WORDS.render("unfit", language, count=unfit) if unfit else "")


def _name_question(question: ExamQuestion) -> str:
    section = question.section.name if question.section is not None else ""
    return f"{section} {question.label}".strip()


def _questions_table(matches: Sequence[AnswerMatch], language: Language) -> JsonObject:
    columns = [_WORDS.render(name, language) for name in ("number", "type", "text", "answer", "where")]
    rows = [
        [
            _name_question(one.question),
            _WORDS.render(one.question.type, language),
            one.question.text,
            one.answer or _tell_reason(one, language),
            one.question.piece.address,
        ]
        for one in matches
    ]
    return table_json(_WORDS.render("questions", language), columns, rows)


def _tell_reason(match: AnswerMatch, language: Language) -> str:
    if match.reason == "not_in_key":
        return _WORDS.render("not_in_key", language)
    why = _WORDS.render(match.reason, language, parts=match.parts, places=max(match.question.places, 1))
    return _WORDS.render("left", language, why=why, said=match.said)


def _unused_table(unused: Sequence[KeyEntry], language: Language) -> tuple[JsonObject, ...]:
    if not unused:
        return ()
    columns = [_WORDS.render(name, language) for name in ("number", "answer", "key_line")]
    rows = [[f"{one.section.name if one.section else ''} {one.number}".strip(), one.answer, one.line] for one in unused]
    return (table_json(_WORDS.render("unused", language), columns, rows),)


def list_written(matches: Sequence[AnswerMatch]) -> list[dict[str, str]]:
    """Answers as `answer_mode_apply` takes them, each bound to the paragraphs that have its places."""
    return [
        {
            "q": one.question.label,
            "answer": one.answer,
            "addresses": " ".join(one.question.addresses),
        }
        for one in matches
        if one.answer
    ]


def _answer_actions(task: str, matches: Sequence[AnswerMatch], language: Language) -> tuple[JsonObject, ...]:
    answered = [one for one in matches if one.answer]
    if not answered:
        return ()
    actions, title = PlanActions(language), _WORDS.render("title", language)
    if task == "answer-mode":
        return (actions.operation("answer_mode_apply", title, answers=[{**one} for one in list_written(answered)]),)
    lines: list[str] = []
    section = None
    for one in answered:
        if one.question.section is not None and one.question.section != section:
            section = one.question.section
            lines.append(section.name)
        lines.append(f"{one.question.label} {one.answer}")
    inside = [actions.text(title, level=2), actions.text("\n".join(line for line in lines if line))]
    return (actions.block("exam-answers", title, inside),)


def _to_json(question: ExamQuestion) -> JsonObject:
    return {
        "rule": question.type,
        "address": question.piece.address,
        "line": question.piece.line.strip(),
        "label": question.label,
        "blanks": question.blanks,
    }
