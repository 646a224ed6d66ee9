"""Register of the risks that a document names: sentence, category, and the measure that it says against it."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from metier.language import Language, Sentences, split_sentences
from metier.packs.office._pieces import TextPiece
from metier.packs.office.analysis._actions import PlanActions, table_json
from metier.packs.office.analysis._model import Proposal, Reading, body_pieces

__all__ = ["find_named_risks", "propose_register"]

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
        "number": ("No.", "序号"),
        "open": ("to be settled", "待定"),
        "assess": ("to be assessed", "待评估"),
        "register": ("Risk register", "风险登记表"),
        "risk": ("Risk (source line)", "风险（原文）"),
        "category": ("Category", "类别"),
        "measure": ("Measure named in the text", "文中的应对措施"),
        "owner": ("Owner", "责任人"),
        "level": ("Likelihood / impact", "可能性/影响"),
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
