"""One entry for all skills: the document and the task in, the answer and the actions of a plan out."""

from collections.abc import Callable, Mapping
from datetime import date
from types import MappingProxyType
from typing import Final

from metier.language import Language
from metier.packs.office.analysis._bidding import propose_compliance, propose_register
from metier.packs.office.analysis._editing import propose_description, propose_edits
from metier.packs.office.analysis._exam import propose_answers
from metier.packs.office.analysis._model import Proposal, Reading
from metier.packs.office.analysis._outline import propose_outline, propose_slides
from metier.packs.office.analysis._placeholders import propose_filled
from metier.packs.office.analysis._policy import propose_format, propose_policy_format
from metier.packs.office.analysis._slides import propose_slide_review
from metier.packs.office.analysis.contracts import propose_review
from metier.packs.office.analysis.meetings import propose_minutes
from metier.packs.office.analysis.workbooks import propose_analysis, propose_audit, propose_charts

__all__ = ["TASKS", "propose"]

Propose = Callable[[Reading, str, date, Language], Proposal]

_TASKS: Mapping[str, Propose] = MappingProxyType(
    {
        "answer-mode": lambda doc, _, __, lang: propose_answers(doc, task="answer-mode", language=lang),
        "bidding-helper": lambda doc, _, today, lang: propose_compliance(doc, today=today, language=lang),
        "contract-review": lambda doc, _, __, lang: propose_review(doc, language=lang),
        "doc-analyzer": lambda doc, _, __, lang: propose_description(doc, language=lang),
        "doc-editor": lambda doc, message, _, lang: propose_edits(doc, message=message, language=lang),
        "doc-formatter": lambda doc, _, __, lang: propose_format(doc, language=lang),
        "et-analyzer": lambda doc, _, __, lang: propose_analysis(doc, language=lang),
        "et-visualizer": lambda doc, _, __, lang: propose_charts(doc, language=lang),
        "exam-answering": lambda doc, _, __, lang: propose_answers(doc, task="exam-answering", language=lang),
        "finance-audit": lambda doc, _, __, lang: propose_audit(doc, task="finance-audit", language=lang),
        "meeting-minutes": lambda doc, _, today, lang: propose_minutes(doc, today=today, language=lang),
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


def propose(task: str, reading: Reading, *, message: str = "", today: date, language: Language) -> Proposal:
    """Analyse the document for a task, one of `TASKS`; another task is a `KeyError`."""
    return _TASKS[task](reading, message, today, language)
