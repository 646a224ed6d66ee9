"""All errors that Metier raises deliberately.

    MetierError                     has a code, a message (a sentence) and a hint (what to do)
    ├── UsageError                  the call itself is wrong                      exit 2
    ├── NotFound                    the named thing does not exist                exit 3
    │   ├── PathNotFound, SkillNotFound, ToolNotFound, OperatorNotFound, PackNotFound, ModelNotFound
    │   └── RecordNotFound
    ├── Refused                     a rule forbids it; retrying does not help     exit 4
    │   ├── OperatorRefused
    │   ├── RoleMissing
    │   ├── SelfApproval
    │   ├── TargetTaken
    │   └── Unauthorized
    ├── InvalidInput                the data is wrong; its author can fix it      exit 5
    │   ├── InvalidSettings
    │   │   └── ModelKeyRefused
    │   ├── InvalidSkill, InvalidTool, InvalidRules, InvalidPack, InvalidRecord
    │   ├── FileDamaged, FileLocked, FileHasMacros, FileTypeRefused
    │   └── TooLarge
    │       ├── ContextOverflow
    │       ├── FileTooComplex
    │       └── TooManySteps
    ├── Unavailable                 a dependency is unavailable; retry later      exit 6
    │   ├── MissingExtra, ModelUnavailable, EmbedderBroken, SandboxMissing
    │   ├── StoreUnavailable
    │   │   └── StoreBusy
    │   ├── StoreIncompatible
    │   ├── StorageFull
    │   └── RateLimited
    └── Conflict                    the state was changed concurrently            exit 1
        ├── ConversationBusy
        ├── KeyReused
        ├── LeaseLost
        ├── AlreadyDecided
        └── ApprovalChanged

The `code` is the same everywhere: in the CLI, the HTTP body, the lint finding and the UI's translation.
"""

from typing import ClassVar, Literal

# fmt: off
__all__ = [
    "AlreadyDecided", "ApprovalChanged", "Conflict", "ContextOverflow", "ConversationBusy", "EmbedderBroken",
    "ExitCode", "FileDamaged", "FileHasMacros", "FileLocked", "FileTooComplex", "FileTypeRefused", "InvalidInput",
    "InvalidPack", "InvalidRecord", "InvalidRules", "InvalidSettings", "InvalidSkill", "InvalidTool", "KeyReused",
    "LeaseLost", "MetierError", "MissingExtra", "ModelKeyRefused", "ModelNotFound", "ModelUnavailable", "NotFound",
    "OperatorNotFound", "OperatorRefused", "PackNotFound", "PathNotFound", "RateLimited", "RecordNotFound", "Refused",
    "RoleMissing", "SandboxMissing", "SelfApproval", "SkillNotFound", "StorageFull", "StoreBusy", "StoreIncompatible",
    "StoreUnavailable", "TargetTaken", "TooLarge", "TooManySteps", "ToolNotFound", "Unauthorized", "Unavailable",
    "UsageError",
]
# fmt: on

ExitCode = Literal[0, 1, 2, 3, 4, 5, 6]


class MetierError(Exception):
    """Root of all errors: a message that says what happened and a hint that says what to do."""

    code: ClassVar[str] = "failed"
    exit_code: ClassVar[ExitCode] = 1

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def to_json(self) -> dict[str, str]:
        """The error as printed by the CLI and the API."""
        return {"code": self.code, "message": self.message, "hint": self.hint}

    def to_words(self, language: Literal["en", "zh"]) -> tuple[str, str] | None:
        """Message and hint in a language, if the error has sentences of its own; else the code has some."""
        del language
        return None


class UsageError(MetierError):
    """The call itself is wrong: change the arguments."""

    code = "usage"
    exit_code = 2


class NotFound(MetierError):
    """The named thing does not exist."""

    code = "not_found"
    exit_code = 3


class PathNotFound(NotFound):
    """The named file or folder does not exist."""

    code = "path_not_found"


class SkillNotFound(NotFound):
    """The catalog has no skill with this id; the hint names the closest one."""

    code = "skill_not_found"


class ToolNotFound(NotFound):
    """There is no tool with this name; the hint names the closest one."""

    code = "tool_not_found"


class OperatorNotFound(NotFound):
    """There is no operator with this name; the hint names the closest one."""

    code = "operator_not_found"


class PackNotFound(NotFound):
    """No pack with this id is installed; the hint lists the installed ones."""

    code = "pack_not_found"


class ModelNotFound(NotFound):
    """No model with this name is configured; the hint names the closest one."""

    code = "model_not_found"


class RecordNotFound(NotFound):
    """The store has no row with this key."""

    code = "record_not_found"

    def __init__(
        self, message: str, *, hint: str = "it was deleted, or it belongs to another user or storage folder"
    ) -> None:
        super().__init__(message, hint=hint)


class Refused(MetierError):
    """A rule forbids the call; the same call will be refused again."""

    code = "refused"
    exit_code = 4


class OperatorRefused(Refused):
    """Inputs or parameters do not fit the operator, or a rule forbids it; the message says which."""

    code = "operator_refused"


class RoleMissing(Refused):
    """The key does not have the role that this needs."""

    code = "role_missing"


class SelfApproval(Refused):
    """Who asked for a call may not approve it: another person has to."""

    code = "self_approval"


class TargetTaken(Refused):
    """What would be written is there already; nothing was overwritten."""

    code = "target_taken"


class Unauthorized(Refused):
    """The request has no API key or a wrong one."""

    code = "unauthorized"


class InvalidInput(MetierError):
    """The data is wrong and its author can fix it."""

    code = "invalid_input"
    exit_code = 5


class InvalidSettings(InvalidInput):
    """A setting has an invalid value."""

    code = "invalid_settings"


class ModelKeyRefused(InvalidSettings):
    """The provider of a language model refused the key; the hint names the settings it may come from."""

    code = "model_key_refused"


class InvalidSkill(InvalidInput):
    """A skill cannot be read, converted or used as requested."""

    code = "invalid_skill"


class InvalidTool(InvalidInput):
    """A tool cannot be registered: its name, schema or approval is invalid."""

    code = "invalid_tool"


class InvalidRules(InvalidInput):
    """A file with rules about tools (policy, plan, task types) cannot be read."""

    code = "invalid_rules"


class InvalidPack(InvalidInput):
    """A pack cannot be used: its pack.toml, a part it names, or its tools are invalid."""

    code = "invalid_pack"


class InvalidRecord(InvalidInput):
    """A row cannot be stored as given; nothing was written."""

    code = "invalid_record"


class FileDamaged(InvalidInput):
    """A file cannot be read: it is damaged or incomplete."""

    code = "file_damaged"


class FileLocked(InvalidInput):
    """A file cannot be read because it is protected by a password."""

    code = "file_locked"


class FileHasMacros(InvalidInput):
    """A Word, Excel or PowerPoint file has macros, which are neither run nor kept: it is saved without them first."""

    code = "file_has_macros"


class FileTypeRefused(InvalidInput):
    """A file is of a type that is not taken, or not what its ending says; told from its content."""

    code = "file_type_refused"


class TooLarge(InvalidInput):
    """The input exceeds a size limit; the message states its size and the limit."""

    code = "too_large"


class ContextOverflow(TooLarge):
    """The prompt has more tokens than the model's context window.

    `window_tokens` is the window that the provider named, `sent_tokens` the prompt as it counted it; None if it said
    neither.
    """

    code = "context_overflow"

    def __init__(
        self, message: str, *, hint: str = "", window_tokens: int | None = None, sent_tokens: int | None = None
    ) -> None:
        super().__init__(message, hint=hint)
        self.window_tokens = window_tokens
        self.sent_tokens = sent_tokens


class FileTooComplex(TooLarge):
    """A file takes too much memory or time to read: it unpacks to more than is allowed."""

    code = "file_too_complex"


class TooManySteps(TooLarge):
    """A schema, an expression or a pattern of a skill takes too many steps on this data."""

    code = "too_many_steps"


class Unavailable(MetierError):
    """Something Metier depends on is unavailable; the same call may work later."""

    code = "unavailable"
    exit_code = 6


class MissingExtra(Unavailable):
    """An optional dependency is not installed; the hint has the install line."""

    code = "missing_extra"

    @classmethod
    def from_import(cls, error: ModuleNotFoundError, who: str, extra: str = "") -> "MissingExtra | None":
        """The error for a package that `who` could not import; None if the module is one of ours, which is a bug.

        The hint names the extra if Metier has one of this name.
        """
        package = (error.name or "").partition(".")[0]
        if package in ("", "metier"):
            return None
        from importlib.metadata import metadata

        known = metadata("metier").get_all("Provides-Extra") or ()
        hint = f"pip install 'metier[{extra}]'" if extra in known else f"pip install {package}"
        return cls(f"{who} needs the package {package!r}, which is not installed", hint=hint)


class ModelUnavailable(Unavailable):
    """A language model did not answer: not reachable, overloaded, too slow, or without credit."""

    code = "model_unavailable"


class EmbedderBroken(Unavailable):
    """The embedder failed or returned invalid vectors; routing continues with keywords alone."""

    code = "embedder_broken"


class SandboxMissing(Unavailable):
    """This machine has no sandbox for the code; it did not run."""

    code = "sandbox_missing"


class StoreUnavailable(Unavailable):
    """The database cannot be reached, opened or locked in time."""

    code = "store_unavailable"


class StoreBusy(StoreUnavailable):
    """The database is there, but others hold what is needed, or too many wait for it."""

    code = "store_busy"


class StoreIncompatible(Unavailable):
    """The database was written by a newer Metier, or is not a Metier database."""

    code = "store_incompatible"


class StorageFull(Unavailable):
    """The disk is full: nothing was written, reads go on."""

    code = "storage_full"


class RateLimited(Unavailable):
    """One user sent too many requests or has too many streams open: wait `retry_after_s`."""

    code = "rate_limited"

    def __init__(self, message: str, *, hint: str = "", retry_after_s: int = 1) -> None:
        super().__init__(message, hint=hint)
        self.retry_after_s = retry_after_s


class Conflict(MetierError):
    """The state was changed concurrently: read it again."""

    code = "conflict"


class ConversationBusy(Conflict):
    """A turn of this conversation is running under another lease."""

    code = "conversation_busy"


class KeyReused(Conflict):
    """An idempotency key was sent again with another request."""

    code = "key_reused"


class LeaseLost(Conflict):
    """The lease of this turn expired and another process took it over: stop writing."""

    code = "lease_lost"


class AlreadyDecided(Conflict):
    """The pause or exception request already has an answer; the first one stands."""

    code = "already_decided"


class ApprovalChanged(Conflict):
    """What an approval is about was changed after the approver was shown it: look again and decide again."""

    code = "approval_changed"
