"""Compliance matrix, dates and gaps of a bid; and a register of the risks that a document names."""

import re
from collections.abc import Iterator, Sequence
from datetime import date
from typing import Final

from metier.json_values import JsonObject
from metier.language import Language, Sentences, join_names, split_sentences
from metier.packs.office._pieces import TextPiece
from metier.packs.office.analysis._actions import PlanActions, table_json
from metier.packs.office.analysis._model import Proposal, Reading, body_pieces
from metier.packs.office.analysis._tender import BidAnswer, compare_bid, find_deadlines, find_requirements

__all__ = ["find_named_risks", "propose_compliance", "propose_register"]

_TENDER: Final = re.compile(r"招标|采购(?:文件|需求)|磋商文件|谈判文件|询价|tender", re.IGNORECASE)
_BID: Final = re.compile(r"投标(?:文件|书)|响应文件|应答|标书|\bbid\b", re.IGNORECASE)
_RISK: Final = re.compile(
    r"风险|隐患|可能(?:会|导致|造成|影响|出现)|延期|滞后|超支|不足|缺乏|缺口|故障|泄露|流失|中断|违约|短缺|瓶颈|"
    r"\brisk\b|\bdelay|\bshortage\b|\boverrun\b|\bfailure\b",
    re.IGNORECASE,
)
_REMEDY: Final = re.compile(
    r"应对|措施|对策|解决|建议|计划|拟|将通过|备用|预案|mitigat|remedy|plan to|contingency", re.IGNORECASE
)
_CATEGORIES: Final[tuple[tuple[str, str], ...]] = (
    ("schedule", r"延期|滞后|工期|进度|拖延|delay|schedule"),
    ("cost", r"超支|预算|成本|资金|价格|涨价|cost|budget|overrun"),
    ("people", r"人员|人手|离职|流失|staff|people"),
    ("security", r"泄露|安全|攻击|病毒|隐患|security|leak"),
    ("legal", r"违约|合规|法律|处罚|诉讼|legal|compliance"),
    ("technical", r"故障|接口|系统|技术|性能|兼容|中断|failure|technical|system"),
    ("supply", r"供应|短缺|缺口|物资|供货|shortage|supply"),
)
_WORDS: Final = Sentences(
    {
        "comply": ("complies", "满足"),
        "partial": ("deviates", "偏离"),
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
            "{total} requirements: {comply} comply, {partial} deviate, {missing} have no answer in the bid. Starred "
            "requirements at risk of rejection: {stars}.{deadline} Matching is by words and numbers; check the "
            "quoted lines.",
            "共 {total} 条要求：满足 {comply} 条，偏离 {partial} 条，未响应 {missing} 条。"
            "可能导致废标的★条款：{stars}。{deadline}"
            "对照按文字和数值进行，请核对所引原文。",
        ),
        "none": ("none found", "未发现"),
        "deadline": (" Deadline: {date} {clock}, {left} days left.", "截止时间：{date} {clock}，还有 {left} 天。"),
        "past": (" The deadline {date} {clock} has passed.", "截止时间 {date} {clock} 已过。"),
        "alone": (
            "The tender has {total} requirements, {stars} of them starred.{deadline} Attach the bid to compare it.",
            "招标文件共 {total} 条要求，其中★条款 {stars} 条。{deadline}附上投标文件即可逐条对照。",
        ),
        "ask_bid": ("Please attach the bid, then I compare it line by line.", "请附上投标文件，我来逐条对照。"),
        "empty": ("No numbered or starred requirements were found in “{name}”.", "“{name}”里没有找到编号或带★的要求。"),
        "register": ("Risk register", "风险登记表"),
        "risk": ("Risk (source line)", "风险（原文）"),
        "category": ("Category", "类别"),
        "measure": ("Measure named in the text", "文中的应对措施"),
        "owner": ("Owner", "责任人"),
        "level": ("Likelihood / impact", "可能性/影响"),
        "open": ("to be settled", "待定"),
        "assess": ("to be assessed", "待评估"),
        "risk_summary": (
            "{count} risks are named in “{name}”. Likelihood, impact and owners are left open: the text does "
            "not say them.",
            "“{name}”中写到 {count} 项风险。可能性、影响和责任人文中没有写明，留待评估。",
        ),
        "no_risks": (
            "No sentence of “{name}” names a risk (words searched: {words}).",
            "“{name}”中没有写到风险的句子（检索词：{words}）。",
        ),
        "schedule": ("schedule", "进度"),
        "cost": ("cost", "成本"),
        "people": ("people", "人员"),
        "security": ("security", "安全"),
        "legal": ("legal", "法律合规"),
        "technical": ("technical", "技术"),
        "supply": ("supply", "供应"),
        "other": ("other", "其他"),
    }
)  # fmt: skip


def _score_tender(reading: Reading) -> int:
    text = "\n".join(piece.line for piece in body_pieces(reading))
    return len(_TENDER.findall(text)) - len(_BID.findall(text)) + 3 * text.count("★") + text.count("须")


def _order(reading: Reading) -> tuple[Reading, Reading | None]:
    """Tender and bid among the document and the further ones."""
    texts = [one for one in (reading, *reading.others) if one.pieces]
    if len(texts) < 2:
        return reading, None
    tender = max(texts[:2], key=_score_tender)
    return tender, next(one for one in texts[:2] if one is not tender)


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
    final = next((row for row in dates if "截止" in str(row[0])), None)
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
    counts = {status: sum(1 for one in answers if one.status == status) for status in ("comply", "partial", "missing")}
    at_risk = [one.requirement for one in answers if one.requirement.is_starred and one.status != "comply"]
    stars = join_names((one.label or one.text[:12] for one in at_risk), language) or _WORDS.render("none", language)
    summary = _WORDS.render("summary", language, total=len(answers), stars=stars, deadline=deadline, **counts)
    columns = [_WORDS.render(code, language) for code in ("number", "mark", "requirement", "answer", "status")]
    rows = [
        [
            one.requirement.label,
            one.requirement.mark,
            one.requirement.text,
            one.piece.line.strip() if one.piece else "",
            _WORDS.render(one.status, language),
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
    }


def find_named_risks(pieces: Sequence[TextPiece]) -> Iterator[tuple[TextPiece, str, str, str]]:
    """Sentences that name a risk: piece, sentence, category, the measure named in it or right after it."""
    for piece in pieces:
        sentences = [text.strip() for text in split_sentences(piece.line) if text.strip()]
        for number, sentence in enumerate(sentences):
            if not _RISK.search(sentence) or piece.kind == "heading" or len(sentence) <= 6:
                continue
            following = sentences[number + 1] if number + 1 < len(sentences) else ""
            measure = next((text for text in (sentence, following) if _REMEDY.search(text)), "")
            category = next((name for name, form in _CATEGORIES if re.search(form, sentence, re.IGNORECASE)), "other")
            yield piece, sentence, category, measure


def propose_register(reading: Reading, *, language: Language) -> Proposal:
    """The risks that the document names, as one table at its end; what it does not say stays open."""
    found = list(find_named_risks(list(body_pieces(reading))))
    if not found:
        words = "风险、隐患、可能导致、延期、超支、不足"
        return Proposal("risk-register", "wps", _WORDS.render("no_risks", language, name=reading.name, words=words))
    columns = [_WORDS.render(code, language) for code in ("number", "risk", "category", "level", "measure", "owner")]
    still_open, assess = _WORDS.render("open", language), _WORDS.render("assess", language)
    rows = [
        [str(number), sentence, _WORDS.render(category, language), assess, measure or still_open, still_open]
        for number, (_, sentence, category, measure) in enumerate(found, 1)
    ]
    title, actions = _WORDS.render("register", language), PlanActions(language)
    inside = [actions.text(title, level=2), actions.table(title, columns, rows)]
    return Proposal(
        "risk-register",
        "wps",
        _WORDS.render("risk_summary", language, name=reading.name, count=len(found)),
        (actions.block("risk-register", title, inside),),
        (table_json(title, columns, rows),),
        tuple(
            {"rule": "risk", "category": category, "line": sentence, "address": piece.address}
            for piece, sentence, category, _ in found
        ),
    )
