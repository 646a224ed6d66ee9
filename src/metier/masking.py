"""Masks keys, tokens and passwords in what is shown."""

import re
from collections.abc import Mapping

from pydantic import BaseModel, SecretStr

from metier.patterns import compile_later

__all__ = ["is_secret", "mask_secrets", "mask_text"]

_WORDS = r"key(?!_env$)|token|secret|passw|passphrase|pwd|credential|authorization|bearer|cookie|signature"
_SECRET_NAMES = compile_later(rf"{_WORDS}|^auth$|(?:^|_)headers$|^env$", re.IGNORECASE)
_SECRET_TABLES = compile_later(r"(?:\w+_)?headers|env")  # every value of such a table may be a secret
_MASK = "**********"
# In addresses, arguments of commands and headers: `ann:password@`, `token@`, `?token=…`, `--token=…`, `X-Key: …`.
_SECRET_PARTS: tuple[tuple[re.Pattern[str], str], ...] = (
    (compile_later(r"(://[^:/@\s]*:)[^@\s]*@"), r"\1***@"),
    (compile_later(r"(://)[^:/@\s]+@"), r"\1***@"),
    (compile_later(rf"((?:^|[?&;,\s])[\w.-]*(?:{_WORDS})[\w.-]*=)[^&#;,\s]+", re.IGNORECASE), r"\1***"),
    (compile_later(rf"(\b[\w-]*(?:{_WORDS})[\w-]*\s*:\s)\s*\S.*", re.IGNORECASE), r"\1***"),
    (compile_later(r"(\bbearer\s)\s*\S+", re.IGNORECASE), r"\1***"),
)
_ADDRESS = compile_later(r"\w://[^\s?]*\?[^\s\"']+")
# A service may call its key `k` or `sig`: in the query of an address only what these names have is shown.
_PLAIN_QUERY = (
    "user|host|port|dbname|sslmode|application_name|connect_timeout|target_session_attrs|mode|cache|uri"
    "|api-version|version|format|language|lang|categories|engines|safesearch|time_range"
)
_QUERY_VALUE = compile_later(rf"([?&;](?!(?:{_PLAIN_QUERY})=)[^=&#;]*=)[^&#;]+", re.IGNORECASE)

# In a sentence an address is there to be read: there only what its name says to be secret, or what looks drawn by lot,
# goes: 16 letters and digits in a row, or as many characters of both kinds.
_TELLING_NAMES = "auth|sig|sign|code|access|session|sessionid|sid|ticket|otp|pass"
_LIKELY_SECRET = compile_later(
    rf"([?&;](?:(?:[^=&#;]*[_.-])?(?:{_TELLING_NAMES})(?:[_.-][^=&#;]*)?=|[^=&#;]*="
    r"(?=[^&#;]*[A-Za-z0-9]{16}|(?=[^&#;]*\d)(?=[^&#;]*[A-Za-z])[^&#;]{16})))[^&#;]+",
    re.IGNORECASE,
)
_OPTION = compile_later(r"(?:^|\s)--?[A-Za-z][\w-]*[=\s]")  # a command with its arguments is no sentence


def is_secret(name: str) -> bool:
    """Whether a setting of this name may hold a key, a token or a password."""
    return _SECRET_NAMES.search(name) is not None


def mask_secrets(value: object, name: str = "") -> object:
    """Copy of a setting's value for display: keys, tokens, headers, and passwords in addresses are masked."""
    if isinstance(value, BaseModel):
        value = {field: getattr(value, field) for field in sorted(value.model_fields_set)}
    if isinstance(value, Mapping):
        whole = is_secret(name) or _SECRET_TABLES.fullmatch(name)
        return {key: mask_secrets(inner, name if whole else str(key)) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [
            mask_secrets(inner, _name_argument(before, name))
            for before, inner in zip(("", *value), value, strict=False)
        ]
    if isinstance(value, SecretStr):
        return str(value)
    if not isinstance(value, str) or not value:
        return value
    return _MASK if is_secret(name) else mask_text(value)


def mask_text(text: str) -> str:
    """Copy of a text in which passwords of addresses, secret arguments and secret headers are masked.

    In an address that is the whole text or in a command, every value of the query that is not known to be plain goes
    too; in a sentence, those that look like a secret.
    """
    for pattern, masked in _SECRET_PARTS:
        text = pattern.sub(masked, text)
    if "://" not in text:
        return text
    is_sentence = " " in text.strip() and not _OPTION.search(text)
    value = _LIKELY_SECRET if is_sentence else _QUERY_VALUE
    return _ADDRESS.sub(lambda found: value.sub(r"\1***", found[0]), text)


def _name_argument(before: object, name: str) -> str:
    """Name of an element of a list: the option that stands before it, as in `["--token", "…"]`, or that of the list."""
    is_option = isinstance(before, str) and before.startswith("-") and "=" not in before
    return str(before) if is_option and is_secret(str(before)) else name
