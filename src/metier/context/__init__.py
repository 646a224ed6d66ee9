"""Prompt building: what the model gets in each phase, under a token budget, with a report of what was left out."""

from metier.context._budget import CHOOSE, WORK, Budget
from metier.context._builder import ContextBuilder
from metier.context._built import Built, Mode, Phase
from metier.context._cases import CaseIndex, CaseMatch
from metier.context._counter import TokenCounter
from metier.context._data import ASK_FOR, BIRTH_INFO, DataRequest, UserData, needed_data, pick
from metier.context._fences import fence
from metier.context._history import Clearing
from metier.context._menu import Choice, SkillMenu, skill_menu
from metier.context._messages import (
    USE_SKILL,
    ContextCall,
    ContextMessage,
    StoredCall,
    StoredMessage,
    last_user_message,
    message_tokens,
)
from metier.context._prompts import BasePrompt, Rendered
from metier.context._sections import Dropped, Fitted, Piece, Section, SectionUse, fit
from metier.context._skill_sections import Document, Material
from metier.context._wording import Language, Voice

__all__ = [
    "ASK_FOR",
    "BIRTH_INFO",
    "CHOOSE",
    "USE_SKILL",
    "WORK",
    "BasePrompt",
    "Budget",
    "Built",
    "CaseIndex",
    "CaseMatch",
    "Choice",
    "Clearing",
    "ContextBuilder",
    "ContextCall",
    "ContextMessage",
    "DataRequest",
    "Document",
    "Dropped",
    "Fitted",
    "Language",
    "Material",
    "Mode",
    "Phase",
    "Piece",
    "Rendered",
    "Section",
    "SectionUse",
    "SkillMenu",
    "StoredCall",
    "StoredMessage",
    "TokenCounter",
    "UserData",
    "Voice",
    "fence",
    "fit",
    "last_user_message",
    "message_tokens",
    "needed_data",
    "pick",
    "skill_menu",
]
