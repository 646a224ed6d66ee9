"""Drafts plans from requests in words: by rules, or with a model that sees only the operations of its host."""

from metier.packs.office.drafting._draft import draft_plan
from metier.packs.office.drafting._plan_texts import gives_texts
from metier.packs.office.drafting._result import Draft
from metier.packs.office.drafting._unclear import DraftNote
from metier.packs.office.drafting._with_model import MAX_REPAIRS, Ask, ModelDraft, PlanReply, draft_with_model

__all__ = [
    "MAX_REPAIRS",
    "Ask",
    "Draft",
    "DraftNote",
    "ModelDraft",
    "PlanReply",
    "draft_plan",
    "draft_with_model",
    "gives_texts",
]
