"""Drafts plans from requests in words: by rules without a model, or with a model that sees only its host's operations."""

from metier.packs.office.drafting._draft import Draft, draft_plan
from metier.packs.office.drafting._unclear import DraftNote

__all__ = ["Draft", "DraftNote", "draft_plan"]
