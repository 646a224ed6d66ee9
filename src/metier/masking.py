"""Masks keys, tokens and passwords in what is shown."""

import re
from collections.abc import Mapping

from pydantic import BaseModel, SecretStr

__all__ = ["is_secret", "mask_secrets"]

_SECRET_NAMES = re.compile(
    r"key(?!_env$)|token|secret|password|authorization|cookie|(?:^|_)headers$|^env$", re.IGNORECASE
)
_SECRET_TABLES = re.compile(r"(?:\w+_)?headers|env")  # every value of such a table may be a secret
_URL_PASSWORD = re.compile(r"(://[^:/@\s]*:)[^@\s]*@")
_MASK = "**********"


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
        return [mask_secrets(inner, name) for inner in value]
    if isinstance(value, SecretStr):
        return str(value)
    if not isinstance(value, str) or not value:
        return value
    return _MASK if is_secret(name) else _URL_PASSWORD.sub(r"\1***@", value)
