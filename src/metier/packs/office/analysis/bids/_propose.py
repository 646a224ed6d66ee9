"""Compliance matrix, dates and periods of a bid, as one block at the end of the document."""

import re
from collections.abc import Sequence
from datetime import date
from typing import Final

from metier.json_values import JsonObject
from metier.language import Language, Sentences, join_names
from metier.packs.office.analysis._actions import PlanActions, table_json
from metier.packs.office.analysis._model import Proposal, Reading, body_pieces
from metier.packs.office.analysis.bids._compare import BidAnswer, compare_bid
from metier.packs.office.analysis.bids._requirements import find_deadlines, find_periods, find_requirements

__all__ = ["propose_compliance"]

_BY_NAME: Final = 10_000
_TENDER: Final = re.compile(r"招标|采购(?:文件|需求)|磋商文件|谈判文件|询价|tender|\brfp\b", re.IGNORECASE)
_BID: Final = re.compile(r"投标(?:文件|书)|响应文件|应答|标书|\bbid\b", re.IGNORECASE)
_STATUSES: Final = ("comply", "partial", "missing", "unsure")
_WORDS: Final = Sentences(
    {
        "comply": ("complies", "满足"),
        "partial": ("deviates", "偏离"),
        "unsure": ("to be checked", "需人工核对"),
        "missing": ("no answer found", "未响应"),
        "matrix": ("Compliance matrix", "符合性对照表"),
        "dates": ("Dates", "时间节点"),
        "number": ("No.", "序号"),
        "mark": ("Mark", "标记"),
        "requirement": ("Requirement", "招标要求"),
        "answer": ("Answer of the bid", "投标响应"),
        "status": ("Status", "结论"),
        "where": ("Place", "位置"),
        "event": ("Event", "事项"),
        "date": ("Date", "日期"),
        "left": ("Days left", "剩余天数"),
        "summary": (
            "{total} requirements: {comply} comply, {partial} deviate, {missing} have no answer in the bid, {unsure} "
            "are to be checked by a person. Starred requirements at risk of rejection: {stars}.{check}{deadline} "
            "Values, ranges, grades, standards and negations are compared; where only words agree, a person decides.",
            "共 {total} 条要求：满足 {comply} 条，偏离 {partial} 条，未响应 {missing} 条，需人工核对 {unsure} 条。"
            "可能导致废标的★条款：{stars}。{check}{deadline}"
            "按数值、范围、等级、标准号和否定词对照；只有文字相近的不下结论，请核对所引原文。",
        ),
        "check_stars": (" Starred requirements to be checked: {stars}.", "需人工核对的★条款：{stars}。"),
        "why": ("Why", "依据"),
        "answered": ("values agree", "数值、等级或标准号相符"),
        "quantity": ("the value or range falls short", "数值或范围达不到要求"),
        "sum": ("the answer adds values up: “{words}”", "响应把几项相加：“{words}”，请核对"),
        "grade": ("the grade is lower", "等级低于要求"),
        "standard": ("another standard", "标准号不同"),
        "refused": ("the bid denies it", "投标文件作了否定回答"),
        "words_only": ("only words agree", "只有文字相近，没有可比的数值"),
        "unclear": ("cannot be compared for certain", "不能确定地比较"),
        "other_words": ("some of the words asked for are not in the answer", "要求里的部分内容在响应中没有出现"),
        "copied": ("the answer repeats the requirement", "响应只是照抄要求"),
        "beyond": ("the answer also says “{words}”", "响应另有“{words}”，请核对"),
        "conflict": (
            "another place of the bid says otherwise: “{line}” ({place})",
            "投标文件另一处说法不同：“{line}”（{place}）",
        ),
        "procedure": ("it tells the procedure and asks for nothing in the bid", "属于程序说明，没有要求投标响应"),
        "trace": ("a line has some of its words and does not answer it", "有一行提到部分内容，没有直接响应"),
        "not_found": ("no line of the bid answers it", "没有找到对应的响应"),
        "none": ("none found", "未发现"),
        "deadline": (" Deadline: {date} {clock}, {left} days left.", "截止时间：{date} {clock}，还有 {left} 天。"),
        "past": (" The deadline {date} {clock} has passed.", "截止时间 {date} {clock} 已过。"),
        "alone": (
            "The tender has {total} requirements, {stars} of them starred.{deadline} Attach the bid to compare it.",
            "招标文件共 {total} 条要求，其中★条款 {stars} 条。{deadline}附上投标文件即可逐条对照。",
        ),
        "ask_bid": ("Please attach the bid, then I compare it line by line.", "请附上投标文件，我来逐条对照。"),
        "empty": ("No numbered or starred requirements were found in “{name}”.", "“{name}”里没有找到编号或带★的要求。"),
    }
)  # fmt: skip


def _score_tender(reading: Reading) -> int:
    """How much a document looks like the tender: its name tells, else its words."""
    named = bool(_TENDER.search(reading.name)) - bool(_BID.search(reading.name))
    text = "\n".join(piece.line for piece in body_pieces(reading))
    words = len(_TENDER.findall(text)) - len(_BID.findall(text)) + 3 * text.count("★") + text.count("须")
    return named * _BY_NAME + words


def _order(reading: Reading) -> tuple[Reading, Reading | None]:
    """Tender and bid among the document and the further ones; a file whose name says what it is goes first."""
    texts = [one for one in (reading, *reading.others) if one.pieces]
    if len(texts) < 2:
        return reading, None
    tender = max(texts, key=_score_tender)
    rest = [one for one in texts if one is not tender]
    return tender, next((one for one in rest if _BID.search(one.name)), rest[0])


def propose_compliance(reading: Reading, *, today: date, language: Language) -> Proposal:
    """The matrix as one block at the end of the document the user means."""
    tender, bid = _order(reading)
    requirements = tuple(find_requirements(body_pieces(tender)))
    if not requirements:
        return Proposal("bidding-helper", "wps", _WORDS.render("empty", language, name=tender.name))
    deadlines = list(find_deadlines(body_pieces(tender), today))
    dates: list[list[str | int]] = [
        [one.piece.line.strip(), f"{one.day} {one.clock}".strip(), (one.day - today).days, one.piece.address]
        for one in deadlines
    ]
    dated = {one.piece.address for one in deadlines}
    dates += [
        [one.piece.line.strip(), one.words, "", one.piece.address]
        for one in find_periods(body_pieces(tender))
        if one.piece.address not in dated
    ]
    told = _tell_deadline(dates, today, language)
    tables = [_dates_table(dates, language)] if dates else []
    if bid is None:
        stars = sum(1 for one in requirements if one.is_starred)
        summary = _WORDS.render("alone", language, total=len(requirements), stars=stars, deadline=told)
        columns = [_WORDS.render(code, language) for code in ("number", "mark", "requirement", "where")]
        rows = [[one.label, one.mark, one.text, one.piece.address] for one in requirements]
        tables.insert(0, table_json(_WORDS.render("matrix", language), columns, rows))
        ask = _WORDS.render("ask_bid", language)
        return Proposal("bidding-helper", "wps", summary, (), tuple(tables), (), ask)
    answers = compare_bid(requirements, list(body_pieces(bid)))
    return _propose_matrix(answers, told, tables, language)


def _tell_deadline(dates: list[list[str | int]], today: date, language: Language) -> str:
    final = next((row for row in dates if "截止" in str(row[0]) and row[2] != ""), None)
    if final is None:
        return ""
    day, _, clock = str(final[1]).partition(" ")
    code = "deadline" if int(final[2]) >= 0 else "past"
    return _WORDS.render(code, language, date=day, clock=clock, left=final[2])


def _dates_table(dates: list[list[str | int]], language: Language) -> JsonObject:
    columns = [_WORDS.render(code, language) for code in ("event", "date", "left", "where")]
    return table_json(_WORDS.render("dates", language), columns, dates)


def _propose_matrix(
    answers: Sequence[BidAnswer], deadline: str, tables: list[JsonObject], language: Language
) -> Proposal:
    counts = {status: sum(1 for one in answers if one.status == status) for status in _STATUSES}
    stars = _name_stars(answers, ("partial", "missing"), language) or _WORDS.render("none", language)
    unclear = _name_stars(answers, ("unsure",), language)
    check = _WORDS.render("check_stars", language, stars=unclear) if unclear else ""
    summary = _WORDS.render(
        "summary", language, total=len(answers), stars=stars, check=check, deadline=deadline, **counts
    )
    columns = [_WORDS.render(code, language) for code in ("number", "mark", "requirement", "answer", "status", "why")]
    rows = [
        [
            one.requirement.label,
            one.requirement.mark,
            one.requirement.text,
            one.piece.line.strip() if one.piece else "",
            _WORDS.render(one.status, language),
            _tell_reason(one, language),
        ]
        for one in answers
    ]
    title, actions = _WORDS.render("matrix", language), PlanActions(language)
    inside = [actions.text(title, level=2), actions.table(title, columns, rows)]
    return Proposal(
        "bidding-helper",
        "wps",
        summary,
        (actions.block("compliance-matrix", title, inside),),
        (table_json(title, columns, rows), *tables),
        tuple(_answer_json(one) for one in answers),
    )


def _tell_reason(answer: BidAnswer, language: Language) -> str:
    line, place = (answer.other.line.strip(), answer.other.address) if answer.other else ("", "")
    return _WORDS.render(answer.reason, language, words=answer.words, line=line, place=place)


def _name_stars(answers: Sequence[BidAnswer], statuses: Sequence[str], language: Language) -> str:
    found = [one.requirement for one in answers if one.requirement.is_starred and one.status in statuses]
    return join_names((one.label or one.text[:12] for one in found), language)


def _answer_json(answer: BidAnswer) -> JsonObject:
    requirement = answer.requirement
    return {
        "rule": answer.status,
        "clause": requirement.label,
        "requirement": requirement.text,
        "line": requirement.piece.line.strip(),
        "address": requirement.piece.address,
        "starred": requirement.is_starred,
        "response": answer.piece.line.strip() if answer.piece else "",
        "evidence": answer.piece.address if answer.piece else "",
        "reason": answer.reason,
        "words": answer.words,
        "other": answer.other.address if answer.other else "",
    }
