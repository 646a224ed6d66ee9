"""Request for a turn: validated and cleaned before anything is written."""

import hashlib
import json
import re
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias, get_args

from metier.errors import InvalidInput, TooLarge, UsageError
from metier.model_settings import SkillChooser
from metier.skills import Catalog
from metier.store import Principal, VoiceMode
from metier.tokens import count_if_above

RequestedVoice: TypeAlias = VoiceMode | Literal["off"]
NO_VOICE: Final = "off"  # a request without any tone, whatever conversation and settings ask for

# White space of any length, which many patterns allow in several places, would be tried in all ways to share it out.
_MAX_SPACE: Final = 40
_LONG_SPACE: Final = re.compile(rf"\s{{{_MAX_SPACE + 1},}}")
# Control characters except tab and newline, and lone surrogates.
_CONTROL_CHARS: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class TurnRequest:
    """One message of a user. `skill` forces a skill; `document` is the text of the open document.

    `skills` are used together with `skill`, for this message only: the tools of all of them, under the rules of each.
    `groups` leaves only skills of these groups, and those without one, for this message.

    `model` names one of the configured models for this message; otherwise conversation, skill and stage decide.
    `skill_choice` says who chooses the skill of this message instead of METIER_SKILL_CHOICE.

    The same `idempotency_key` of a user means the same turn: it does not run twice, in whatever process it is sent
    again. With another request it is `KeyReused`. `digest` stands for the request if its sender knows better than the
    fields what makes it the same. `by` is who sent it, with which key; without it the caller is trusted: nothing that
    it answers is checked for its right to. `shown` is the digest of the open approval as the sender saw it.
    """

    message: str
    conversation: str | None = None
    skill: str | None = None
    host: str | None = None
    groups: tuple[str, ...] = ()
    document: str | None = None
    user: str = "local"
    voice_mode: RequestedVoice | None = None
    idempotency_key: str | None = None
    model: str | None = None
    skill_choice: SkillChooser | None = None
    skills: tuple[str, ...] = ()
    digest: str = ""
    by: Principal | None = None
    shown: str = ""

    def compute_digest(self) -> str:
        """Digest of all that is asked for."""
        if self.digest:
            return self.digest
        fields = (self.message, self.conversation, self.skill, self.host, self.document, self.voice_mode, self.model)
        more = (*((self.groups,) if self.groups else ()), *((self.skill_choice,) if self.skill_choice else ()))
        more = (*more, self.skills) if self.skills else more
        return hashlib.sha256(json.dumps((*fields, *more)).encode()).hexdigest()


def validate_request(request: TurnRequest, max_tokens: int) -> TurnRequest:
    """Return the request with a message that can be stored; raises `InvalidInput` or `TooLarge` if not."""
    if not isinstance(getattr(request, "message", None), str):
        raise UsageError("a turn answers a request with a text", hint="write runtime.turn(TurnRequest('…'))")
    text = _CONTROL_CHARS.sub("\ufffd", request.message.replace("\r\n", "\n").replace("\r", "\n")).strip()
    text = _LONG_SPACE.sub(lambda found: found[0][:_MAX_SPACE], text)
    if not text.strip("\ufffd \n\t"):
        raise InvalidInput("the message is empty", hint="write what you want to be done")
    tokens = count_if_above(text, max_tokens)
    if tokens is not None:
        hint = "send less, or put it into a file; METIER_MESSAGE_MAX_TOKENS is the limit"
        raise TooLarge(f"the message has about {tokens} tokens; the most is {max_tokens}", hint=hint)
    _check_named("voice_mode", request.voice_mode, (*get_args(VoiceMode), NO_VOICE))
    _check_named("skill_choice", request.skill_choice, get_args(SkillChooser))
    skill, model = (request.skill or "").strip(), (request.model or "").strip()
    return replace(request, message=text, skill=skill or None, model=model or None)


def _check_named(field: str, value: str | None, known: tuple[str, ...]) -> None:
    if value is not None and value not in known:
        raise InvalidInput(f"{field} {value!r} is unknown", hint=f"known: {', '.join(known)}")


def resolve_skills(request: TurnRequest, catalog: Catalog) -> TurnRequest:
    """Return the request with the ids of the skills it names, each once; raises `SkillNotFound` for an unknown one."""
    named = tuple(dict.fromkeys(catalog[one].id for one in (request.skill, *request.skills) if one is not None))
    return replace(request, skill=named[0] if named else None, skills=named[1:])
