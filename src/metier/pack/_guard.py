"""Guard of a pack: looks at messages, form answers, data to store and model texts before anything else does."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol, TypeAlias, runtime_checkable

from metier.json_values import JsonObject, JsonValue
from metier.language import Language, Note

LoadProfile: TypeAlias = Callable[[Sequence[str]], Awaitable[JsonObject]]


@dataclass(frozen=True, slots=True)
class ClaimedSkill:
    """Skill that a pack knows a message to be for, and what in the conversation's folder says so."""

    skill: str
    because: Note


# Id of the skill that a message is an order for, given the conversation's folder; empty if it is none.
PackClaim: TypeAlias = Callable[[str, Path], str | ClaimedSkill]


@dataclass(frozen=True, slots=True)
class PackQuestion:
    """A message that may ask about the work of `skill`, with the conversation's folder and facts by name."""

    text: str
    skill: str
    language: Language
    workspace: Path
    facts: Mapping[str, JsonValue] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PackAnswer:
    """What a pack says to a question from the data of its work.

    `found` is false if it only says why there is no answer: then the results on screen are asked first, unless
    `is_final`. With `is_order` the message is no question: the steps of `skill`, or of the one in use, shall carry it
    out.
    """

    text: str
    found: bool = True
    is_final: bool = False
    is_order: bool = False
    skill: str = ""


PackAnswerer: TypeAlias = Callable[[PackQuestion], PackAnswer | None]


@dataclass(frozen=True, slots=True)
class GuardedMessage:
    """What a guard sees of a message. `load_profile` reads paths of the user's profile, flat; it costs a query."""

    text: str
    language: Language
    load_profile: LoadProfile
    skill: str = ""
    voice: str = ""
    conversation: str = ""


@dataclass(frozen=True, slots=True)
class GuardReply:
    """What a guard decides. With `text` the turn ends with it; without, the message goes on in this `voice`.

    `keep` are values for the user's profile by path. `ends_work`: open questions are closed and the skill is left.
    `opening` is said first, and the message goes on. `unmatched` is what to say in place of a list of skills if no
    skill fits and there is no language model.
    """

    code: str
    text: str = ""
    voice: Literal["warm", "wise"] | None = None
    keep: JsonObject = field(default_factory=dict)
    ends_work: bool = False
    unmatched: str = ""
    opening: str = ""


class PackGuard(Protocol):
    """Interface of a guard. `check_sentence` gives the sentence to show instead of a model's; empty if it may stand."""

    async def check_message(self, message: GuardedMessage) -> GuardReply | None: ...

    async def check_data(
        self, changes: Mapping[str, JsonValue], language: Language, load_profile: LoadProfile
    ) -> GuardReply | None: ...

    def check_sentence(self, sentence: str, language: Language, skill: str, profile: JsonObject) -> str: ...


@runtime_checkable
class CorrectionGuard(Protocol):
    """Guard that also looks at what a user corrects by hand, where no form has told what is wrong with it."""

    async def check_correction(
        self, changes: Mapping[str, JsonValue], language: Language, load_profile: LoadProfile
    ) -> GuardReply | None: ...


@runtime_checkable
class PreparedGuard(Protocol):
    """Guard that can load what its first check needs, in a thread, before a server says that it is ready."""

    def prepare(self) -> None: ...


@runtime_checkable
class DescribedGuard(Protocol):
    """Guard that can say how it works on this machine, for `metier doctor`."""

    def describe(self) -> str: ...
