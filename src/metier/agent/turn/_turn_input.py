"""What a turn was asked, and notes of the runtime for its next model call."""

from dataclasses import dataclass, field
from typing import Literal

from metier.attachments import AttachedText
from metier.context import Brief
from metier.json_values import JsonObject
from metier.language import Language
from metier.model_settings import SkillChooser
from metier.skills import Catalog
from metier.store import Message, VoiceMode

NotePurpose = Literal["act", "chat", "fill", "replan", "report", "stopped"]


@dataclass(frozen=True, slots=True)
class ModelNote:
    """Runtime instruction added to the next model call; its purpose decides the stage.

    `data` is read by the built-in model only; `brief` is the material of a call that needs no history.
    """

    purpose: NotePurpose
    text: str
    data: JsonObject = field(default_factory=dict)
    brief: Brief | None = None


@dataclass(frozen=True, slots=True)
class TurnInput:
    """What a turn was asked, and the conversation before it. `is_new`: the message was stored by this process."""

    user: str
    message: str
    language: Language
    catalog: Catalog
    host: str | None = None
    document: str | None = None
    attached: AttachedText | None = None
    attached_names: tuple[str, ...] | None = None  # None: not listed yet in this turn
    voice: VoiceMode | None = None
    model: str | None = None  # name that the request asks for
    conversation_model: str | None = None  # name that the conversation was switched to
    skill_choice: SkillChooser | None = None  # who chooses the skill, if the request says so
    earlier_messages: tuple[Message, ...] = ()
    started_at_s: float | None = None
    is_new: bool = False
    has_open_pauses: bool = True  # False: the request has looked and found none
    whole_message: str = ""  # of which `message` is the part that the running task is about
    unmatched: str = ""  # words of a guard in place of a choice of skills, if none fits
    computed: str = ""  # answer from stored results, for the model that words it
