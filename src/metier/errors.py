"""Every error Metier raises on purpose.

    MetierError                     has a code, a message (a sentence) and a hint (what to do)
    ├── UsageError                  the call itself is wrong                      exit 2
    ├── NotFound                    the named thing is not there                  exit 3
    │   ├── PathNotFound
    │   ├── SkillNotFound
    │   ├── ToolNotFound
    │   ├── PackNotFound
    │   └── RecordNotFound
    ├── Refused                     a rule says no; asking again will not help    exit 4
    │   └── Unauthorized
    ├── InvalidInput                the data is wrong; its author can fix it      exit 5
    │   ├── InvalidSettings
    │   ├── InvalidSkill
    │   ├── InvalidTool
    │   ├── InvalidRules
    │   ├── InvalidPack
    │   ├── InvalidRecord
    │   └── TooLarge
    ├── Unavailable                 something we need is not there; try later     exit 6
    │   ├── MissingExtra
    │   ├── EmbedderBroken
    │   ├── SandboxMissing
    │   ├── StoreUnavailable
    │   ├── StoreIncompatible
    │   ├── StorageFull
    │   └── RateLimited
    └── Conflict                    somebody else got there first                 exit 1
        ├── ConversationBusy
        ├── LeaseLost
        └── AlreadyDecided

The `code` is one word used everywhere: the CLI, the HTTP body, the lint finding, the UI's translation.
"""

from typing import ClassVar, Literal

__all__ = [
    "AlreadyDecided",
    "Conflict",
    "ConversationBusy",
    "EmbedderBroken",
    "ExitCode",
    "InvalidInput",
    "InvalidPack",
    "InvalidRecord",
    "InvalidRules",
    "InvalidSettings",
    "InvalidSkill",
    "InvalidTool",
    "LeaseLost",
    "MetierError",
    "MissingExtra",
    "NotFound",
    "PackNotFound",
    "PathNotFound",
    "RateLimited",
    "RecordNotFound",
    "Refused",
    "SandboxMissing",
    "SkillNotFound",
    "StorageFull",
    "StoreIncompatible",
    "StoreUnavailable",
    "TooLarge",
    "ToolNotFound",
    "Unauthorized",
    "Unavailable",
    "UsageError",
]

ExitCode = Literal[0, 1, 2, 3, 4, 5, 6]


class MetierError(Exception):
    """The root: a sentence that says what happened and a hint that says what to do."""

    code: ClassVar[str] = "failed"
    exit_code: ClassVar[ExitCode] = 1

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def to_json(self) -> dict[str, str]:
        """The error as the CLI and the API print it."""
        return {"code": self.code, "message": self.message, "hint": self.hint}


class UsageError(MetierError):
    """The call itself is wrong: change the arguments."""

    code = "usage"
    exit_code = 2


class NotFound(MetierError):
    """The named thing is not there."""

    code = "not_found"
    exit_code = 3


class PathNotFound(NotFound):
    """A file or folder that the caller named does not exist."""

    code = "path_not_found"


class SkillNotFound(NotFound):
    """No skill of the catalog has this id; the hint names the nearest."""

    code = "skill_not_found"


class ToolNotFound(NotFound):
    """No tool has this name; the hint names the nearest."""

    code = "tool_not_found"


class PackNotFound(NotFound):
    """No installed pack has this id; the hint lists those there are."""

    code = "pack_not_found"


class RecordNotFound(NotFound):
    """The store holds no row with this key."""

    code = "record_not_found"


class Refused(MetierError):
    """A rule says no; the same call will be refused again."""

    code = "refused"
    exit_code = 4


class Unauthorized(Refused):
    """The server does not know who is asking: a key is missing or wrong."""

    code = "unauthorized"


class InvalidInput(MetierError):
    """The data is wrong and its author can fix it."""

    code = "invalid_input"
    exit_code = 5


class InvalidSettings(InvalidInput):
    """A setting has a value that cannot be used."""

    code = "invalid_settings"


class InvalidSkill(InvalidInput):
    """A skill cannot be read, converted or used as asked."""

    code = "invalid_skill"


class InvalidTool(InvalidInput):
    """A tool cannot be registered as it is: its name, its schema, its approval."""

    code = "invalid_tool"


class InvalidRules(InvalidInput):
    """A file with rules about tools (policy, plan, task types) cannot be read."""

    code = "invalid_rules"


class InvalidPack(InvalidInput):
    """A pack cannot be used: its pack.toml, a part it names, or its tools."""

    code = "invalid_pack"


class InvalidRecord(InvalidInput):
    """A row cannot be stored as given: nothing was written."""

    code = "invalid_record"


class TooLarge(InvalidInput):
    """More than will be read: the sentence says how much there is and how much may be."""

    code = "too_large"


class Unavailable(MetierError):
    """Something Metier needs is not there; the same call may work later."""

    code = "unavailable"
    exit_code = 6


class MissingExtra(Unavailable):
    """An optional dependency is not installed; the hint has the install line."""

    code = "missing_extra"


class EmbedderBroken(Unavailable):
    """The embedder failed or answered with what cannot be vectors; routing goes on by words alone."""

    code = "embedder_broken"


class SandboxMissing(Unavailable):
    """Nothing on this machine would hold the code back; it did not run."""

    code = "sandbox_missing"


class StoreUnavailable(Unavailable):
    """The database cannot be reached, opened or locked in time."""

    code = "store_unavailable"


class StoreIncompatible(Unavailable):
    """The database was written by a newer Metier, or is not a Metier database."""

    code = "store_incompatible"


class StorageFull(Unavailable):
    """The disk is full: nothing was written, reads go on."""

    code = "storage_full"


class RateLimited(Unavailable):
    """Too many requests of one user, or too many streams at once: wait `retry_after_s`."""

    code = "rate_limited"

    def __init__(self, message: str, *, hint: str = "", retry_after_s: int = 1) -> None:
        super().__init__(message, hint=hint)
        self.retry_after_s = retry_after_s


class Conflict(MetierError):
    """Somebody else got there first: read the state again."""

    code = "conflict"


class ConversationBusy(Conflict):
    """A turn of this conversation is running under another lease."""

    code = "conversation_busy"


class LeaseLost(Conflict):
    """The lease of this turn has expired and was taken over: stop writing."""

    code = "lease_lost"


class AlreadyDecided(Conflict):
    """A pause or an exception request has its answer already; the first one stands."""

    code = "already_decided"
