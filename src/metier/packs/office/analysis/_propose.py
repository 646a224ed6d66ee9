"""One entry for all skills: the document and the task in, the answer and the actions of a plan out."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date
from types import MappingProxyType
from typing import Final

from metier.language import Language, Sentences
from metier.packs.office._pieces import name_block
from metier.packs.office.analysis._editing import propose_description, propose_edits
from metier.packs.office.analysis._model import Proposal, Reading
from metier.packs.office.analysis._outline import propose_outline, propose_slides
from metier.packs.office.analysis._policy import propose_format, propose_policy_format
from metier.packs.office.analysis._register import propose_register
from metier.packs.office.analysis._slides import propose_slide_review
from metier.packs.office.analysis.bids import propose_compliance
from metier.packs.office.analysis.contracts import propose_review
from metier.packs.office.analysis.exams import propose_answers
from metier.packs.office.analysis.meetings import propose_minutes
from metier.packs.office.analysis.templates import propose_filled
from metier.packs.office.analysis.workbooks import propose_analysis, propose_audit, propose_charts

__all__ = ["TASKS", "propose"]

Propose = Callable[[Reading, str, date, Language], Proposal]

_TASKS: Mapping[str, Propose] = MappingProxyType(
    {
        "answer-mode": lambda doc, _, __, lang: propose_answers(doc, task="answer-mode", language=lang),
        "bidding-helper": lambda doc, _, today, lang: propose_compliance(doc, today=today, language=lang),
        "contract-review": lambda doc, message, _, lang: propose_review(doc, message=message, language=lang),
        "doc-analyzer": lambda doc, message, _, lang: propose_description(doc, message=message, language=lang),
        "doc-editor": lambda doc, message, _, lang: propose_edits(doc, message=message, language=lang),
        "doc-formatter": lambda doc, _, __, lang: propose_format(doc, language=lang),
        "et-analyzer": lambda doc, _, __, lang: propose_analysis(doc, language=lang),
        "et-visualizer": lambda doc, message, _, lang: propose_charts(doc, message=message, language=lang),
        "exam-answering": lambda doc, _, __, lang: propose_answers(doc, task="exam-answering", language=lang),
        "finance-audit": lambda doc, _, __, lang: propose_audit(doc, task="finance-audit", language=lang),
        "meeting-minutes": lambda doc, message, _, lang: propose_minutes(doc, message=message, language=lang),
        "policy-format": lambda doc, _, __, lang: propose_policy_format(doc, language=lang),
        "ppt-creator": lambda doc, _, __, lang: propose_slides(doc, language=lang),
        "ppt-outline": lambda doc, _, __, lang: propose_outline(doc, task="ppt-outline", language=lang),
        "ppt-review": lambda doc, _, __, lang: propose_slide_review(doc, language=lang),
        "risk-register": lambda doc, _, __, lang: propose_register(doc, language=lang),
        "template-fill": lambda doc, _, __, lang: propose_filled(doc, language=lang),
        "wpp-outline": lambda doc, _, __, lang: propose_outline(doc, task="wpp-outline", language=lang),
    }
)
TASKS: Final = tuple(_TASKS)
# What a task wrote before is its result and not its source; a second run replaces it.
_OWN_BLOCKS: Mapping[str, str] = MappingProxyType(
    {
        "bidding-helper": "compliance-matrix",
        "exam-answering": "exam-answers",
        "meeting-minutes": "meeting-minutes",
        "ppt-outline": "slide-outline",
        "risk-register": "risk-register",
        "wpp-outline": "slide-outline",
    }
)
_WORKBOOK_TASKS: Final = frozenset({"et-analyzer", "et-visualizer", "finance-audit"})
_SLIDE_TASKS: Final = frozenset({"ppt-review", "wpp-outline"})
_ANY_TASKS: Final = frozenset({"doc-analyzer", "ppt-outline", "wpp-outline"})
_WORDS: Final = Sentences(
    {
        "needs_xlsx": (
            "“{name}” is no workbook; this work needs an .xlsx file.",
            "“{name}”不是表格文件；这项工作需要 .xlsx 文件。",
        ),
        "needs_pptx": (
            "“{name}” is no presentation; this work needs a .pptx file.",
            "“{name}”不是演示文件；这项工作需要 .pptx 文件。",
        ),
        "needs_docx": (
            "“{name}” has no running text; this work needs a text document (.docx).",
            "“{name}”不是文字文档；这项工作需要 .docx 文件。",
        ),
        "ask": ("Please choose or attach such a file.", "请选择或附上这样的文件。"),
    }
)


def propose(task: str, reading: Reading, *, message: str = "", today: date, language: Language) -> Proposal:
    """Analyse the document for a task, one of `TASKS`; another task is a `KeyError`."""
    if own := _OWN_BLOCKS.get(task):
        source = tuple(piece for piece in reading.pieces if piece.block != name_block(own))
        reading = replace(reading, pieces=source)
    missing = _find_missing_kind(task, reading)
    if missing:
        summary = _WORDS.render(missing, language, name=reading.name)
        return Proposal(task, "wps", summary, question=_WORDS.render("ask", language))
    return _TASKS[task](reading, message, today, language)


def _find_missing_kind(task: str, reading: Reading) -> str:
    """Code of the sentence that says which kind of file the task needs; empty if the document fits."""
    if task in _WORKBOOK_TASKS:
        return "" if reading.sheets else "needs_xlsx"
    if task in _SLIDE_TASKS and not (task in _ANY_TASKS and reading.pieces):
        return "" if reading.slides else "needs_pptx"
    return "" if reading.pieces or (task in _ANY_TASKS and reading.slides) else "needs_docx"
