"""Prompt building: what the model gets in each phase, under a token budget, with a report of what was left out."""

from metier.context._account import BuiltPrompt, Mode, Phase
from metier.context._budget import CHOOSE_BUDGET, WORK_BUDGET, Budget
from metier.context._builder import ContextBuilder
from metier.context._cases import CaseIndex, CaseMatch
from metier.context._counter import TokenCounter
from metier.context._data import ASK_FOR, BIRTH_INFO, DataRequest, UserData, build_data_request, select_user_data
from metier.context._fences import fence
from metier.context._history import ClearingPolicy
from metier.context._menu import SkillChoice, SkillMenu, build_skill_menu
from metier.context._messages import (
    USE_SKILL,
    ContextCall,
    ContextMessage,
    StoredCall,
    StoredMessage,
    count_message_tokens,
    read_last_user_message,
)
from metier.context._prompt_texts import Voice
from metier.context._prompts import BasePrompt, RenderedPrompt
from metier.context._sections import DroppedPiece, FittedSections, Piece, Section, SectionUse, fit
from metier.context._skill_sections import ContextDocument, Material

__all__ = [
    "ASK_FOR",
    "BIRTH_INFO",
    "CHOOSE_BUDGET",
    "USE_SKILL",
    "WORK_BUDGET",
    "BasePrompt",
    "Budget",
    "BuiltPrompt",
    "CaseIndex",
    "CaseMatch",
    "ClearingPolicy",
    "ContextBuilder",
    "ContextCall",
    "ContextDocument",
    "ContextMessage",
    "DataRequest",
    "DroppedPiece",
    "FittedSections",
    "Material",
    "Mode",
    "Phase",
    "Piece",
    "RenderedPrompt",
    "Section",
    "SectionUse",
    "SkillChoice",
    "SkillMenu",
    "StoredCall",
    "StoredMessage",
    "TokenCounter",
    "UserData",
    "Voice",
    "build_data_request",
    "build_skill_menu",
    "count_message_tokens",
    "fence",
    "fit",
    "read_last_user_message",
    "select_user_data",
]
