"""Redaction of texts: their length, language and keyed hash are kept instead of the words."""

import hashlib
import json
import os
import secrets
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

from metier.json_values import JsonObject, JsonValue

_KEY_BYTES: Final = 32
_MAX_PLAIN_CHARS: Final = 200
# Fields of a client's payload that usually hold text written by a person.
_TEXT_FIELDS: Final = frozenset(
    {
        "answer",
        "arguments",
        "args",
        "content",
        "doc_text",
        "document",
        "input",
        "message",
        "messages",
        "output",
        "prompt",
        "query",
        "reply",
        "result",
        "selection",
        "text",
        "title",
    }
)


class TextRedactor:
    """Describes texts without keeping their words, unless the operator turned content on.

    The hash is keyed, so that a short message cannot be guessed by trial.
    """

    def __init__(self, key: bytes, *, content: bool = False) -> None:
        self._key = key
        self.content = content

    def describe(self, text: str) -> JsonObject:
        """Describe a text as `{chars, language, mark}`, plus `text` if content is on."""
        from metier.language import language_of

        mark = hashlib.blake2b(text.encode("utf-8", "replace"), key=self._key, digest_size=8).hexdigest()
        facts: dict[str, JsonValue] = {"chars": len(text), "language": language_of(text), "mark": mark}
        return {**facts, "text": text} if self.content else facts

    def describe_value(self, value: JsonValue) -> JsonObject:
        """Describe any JSON value as `{chars}`, plus `value` if content is on."""
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=dict)
        facts: dict[str, JsonValue] = {"chars": len(text)}
        return {**facts, "value": value} if self.content else facts

    def redact(self, payload: JsonObject) -> JsonObject:
        """Redact a client's payload: long texts, and fields that usually hold user text, are only described."""
        if self.content:
            return payload
        return {key: self._redact_value(key, item) for key, item in payload.items()}

    def _redact_value(self, key: str, value: JsonValue) -> JsonValue:
        if isinstance(value, str):
            spoken = key.casefold() in _TEXT_FIELDS or len(value) > _MAX_PLAIN_CHARS
            return self.describe(value) if spoken and value else value
        if isinstance(value, Mapping):
            return {name: self._redact_value(name, item) for name, item in value.items()}
        if isinstance(value, list | tuple):
            return [self._redact_value(key, item) for item in value]
        return value


def load_or_create_key(path: Path) -> bytes:
    """Load the hash key of this installation, creating it on first use.

    If it cannot be stored, a random key for this run is returned.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with suppress(FileExistsError):
            handle = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
            with os.fdopen(handle, "wb") as file:
                file.write(secrets.token_bytes(_KEY_BYTES))
        key = path.read_bytes()[:64]
    except OSError:
        key = b""
    return key or secrets.token_bytes(_KEY_BYTES)
