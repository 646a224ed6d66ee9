"""Persistent store: conversations, messages, events, turns and related records in SQLite or PostgreSQL."""

from metier.json_values import JsonObject, JsonValue
from metier.store._audit import AuditEntry, ChainCheck, entry_from_json
from metier.store._conversations import ChosenBy, Conversation, ConversationCursor, VoiceMode
from metier.store._events import EVENT_KINDS, Event, EventDraft, EventKind
from metier.store._exceptions import ExceptionRequest, ExceptionState, Ruling
from metier.store._facts import StoredFact
from metier.store._keys import ApiKey, NewApiKey, User
from metier.store._messages import Message, MessageDraft, Role, StoredToolCall
from metier.store._owned import OWNER_RULES, OwnedRow, OwnerRule
from metier.store._pauses import Pause, PauseKind
from metier.store._plans import PlanState, SavedPlan
from metier.store._principals import (
    ALL_ROLES,
    KEY_ROLES,
    LOCAL_USER,
    SETTINGS_KEY_PREFIX,
    KeyRole,
    Principal,
    SettingsKeys,
    fold_user_name,
    parse_roles,
)
from metier.store._profiles import Profile, SkillData, write_user_data
from metier.store._requests import KnownRequest
from metier.store._store import PendingStore, Store, Transaction
from metier.store._turns import Turn, TurnEndStatus, TurnStatus
from metier.store._violations import GateLayer, Violation
from metier.store.database import end_shared_wait, share_wait
from metier.store.runs import StoredCheckpoint
from metier.store.workbench import FEEDBACK_REASONS, Feedback, FeedbackReason, NewShare, Share, TurnFigure, Verdict

__all__ = [
    "ALL_ROLES",
    "EVENT_KINDS",
    "FEEDBACK_REASONS",
    "KEY_ROLES",
    "LOCAL_USER",
    "OWNER_RULES",
    "SETTINGS_KEY_PREFIX",
    "ApiKey",
    "AuditEntry",
    "ChainCheck",
    "ChosenBy",
    "Conversation",
    "ConversationCursor",
    "Event",
    "EventDraft",
    "EventKind",
    "ExceptionRequest",
    "ExceptionState",
    "Feedback",
    "FeedbackReason",
    "GateLayer",
    "JsonObject",
    "JsonValue",
    "KeyRole",
    "KnownRequest",
    "Message",
    "MessageDraft",
    "NewApiKey",
    "NewShare",
    "OwnedRow",
    "OwnerRule",
    "Pause",
    "PauseKind",
    "PendingStore",
    "PlanState",
    "Principal",
    "Profile",
    "Role",
    "Ruling",
    "SavedPlan",
    "SettingsKeys",
    "Share",
    "SkillData",
    "Store",
    "StoredCheckpoint",
    "StoredFact",
    "StoredToolCall",
    "Transaction",
    "Turn",
    "TurnEndStatus",
    "TurnFigure",
    "TurnStatus",
    "User",
    "Verdict",
    "Violation",
    "VoiceMode",
    "end_shared_wait",
    "entry_from_json",
    "fold_user_name",
    "parse_roles",
    "share_wait",
    "write_user_data",
]
