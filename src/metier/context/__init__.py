"""Prompt building: what the model gets in each phase, under a token budget, with a report of what was left out."""

from metier.context._account import BuiltPrompt, Mode, Phase
from metier.context._brief import Brief, echoes_brief
from metier.context._builder import ContextBuilder
from metier.context._cases import CaseIndex, CaseMatch
from metier.context._counter import DEFAULT_TEMPLATE, ChatTemplate, TokenCounter
from metier.context._data import (
    ASK_FOR,
    BIRTH_INFO,
    COMPUTED_FROM,
    DataRequest,
    UserData,
    build_data_request,
    covers_path,
    digest_compute_inputs,
    get_compute_type,
    get_paths,
    is_computed,
    nest_paths,
    select_user_data,
)
from metier.context._digests import DigestPolicy, digest_text, digest_value
from metier.context._fences import fence, unfence
from metier.context._menu import SkillChoice, SkillMenu, build_skill_menu
from metier.context._messages import (
    USE_SKILL,
    ContextCall,
    ContextMessage,
    StoredCall,
    StoredMessage,
    count_message_tokens,
)
from metier.context._prompt_texts import Voice
from metier.context._prompts import BasePrompt, RenderedPrompt
from metier.context._sections import DroppedPiece, FittedSections, Piece, Section, SectionUse, fit
from metier.context._skill_sections import ContextDocument, Material
from metier.context._stages import (
    ACT,
    CHOOSE,
    CHOOSE_MENU_TOKENS,
    CONVERSE,
    FILL,
    REPORT,
    STAGES,
    Budget,
    Stage,
    ToolScope,
)
from metier.context._tools import JSON_TOOLS, FittedTools, ToolFormat, ToolOffer, fit_tools, shorten_tool, tool_to_json
from metier.context._write import PromptOptions
from metier.model_settings import StageName

__all__ = [
    "ACT",
    "ASK_FOR",
    "BIRTH_INFO",
    "CHOOSE",
    "CHOOSE_MENU_TOKENS",
    "COMPUTED_FROM",
    "CONVERSE",
    "DEFAULT_TEMPLATE",
    "FILL",
    "JSON_TOOLS",
    "REPORT",
    "STAGES",
    "USE_SKILL",
    "BasePrompt",
    "Brief",
    "Budget",
    "BuiltPrompt",
    "CaseIndex",
    "CaseMatch",
    "ChatTemplate",
    "ContextBuilder",
    "ContextCall",
    "ContextDocument",
    "ContextMessage",
    "DataRequest",
    "DigestPolicy",
    "DroppedPiece",
    "FittedSections",
    "FittedTools",
    "Material",
    "Mode",
    "Phase",
    "Piece",
    "PromptOptions",
    "RenderedPrompt",
    "Section",
    "SectionUse",
    "SkillChoice",
    "SkillMenu",
    "Stage",
    "StageName",
    "StoredCall",
    "StoredMessage",
    "TokenCounter",
    "ToolFormat",
    "ToolOffer",
    "ToolScope",
    "UserData",
    "Voice",
    "build_data_request",
    "build_skill_menu",
    "count_message_tokens",
    "covers_path",
    "digest_compute_inputs",
    "digest_text",
    "digest_value",
    "echoes_brief",
    "fence",
    "fit",
    "fit_tools",
    "get_compute_type",
    "get_paths",
    "is_computed",
    "nest_paths",
    "select_user_data",
    "shorten_tool",
    "tool_to_json",
    "unfence",
]
