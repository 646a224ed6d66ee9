"""What a turn is asked: checked and made readable before anything is written."""

import re
from dataclasses import dataclass, replace
from typing import Final

from metier.errors import InvalidInput, TooLarge
from metier.store import VoiceMode
from metier.tokens import count_tokens

# Everything below a space but tab and line ends, and the halves of characters.
_UNREADABLE: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
_CHARS_PER_TOKEN: Final = 16


@dataclass(frozen=True, slots=True)
class TurnRequest:
    """One message of a user. `skill` is what the caller wants it answered with; `document` is the open document.

    The same `idempotency_key` in the same conversation is the same turn: it does not run twice.
    """

    message: str
    conversation: str | None = None
    skill: str | None = None
    host: str | None = None
    document: str | None = None
    user: str = "local"
    voice_mode: VoiceMode | None = None
    idempotency_key: str | None = None


def checked_request(request: TurnRequest, most_tokens: int) -> TurnRequest:
    """The request with a message that can be stored and shown; `InvalidInput` when it is empty or too long."""
    text = _UNREADABLE.sub("\ufffd", request.message.replace("\r\n", "\n").replace("\r", "\n")).strip()
    if not text.strip("\ufffd \n\t"):
        raise InvalidInput("the message is empty", hint="write what you want to be done")
    # Counting a very long text takes seconds; no tokenizer packs this many characters into a token on average.
    tokens = len(text) // _CHARS_PER_TOKEN
    if tokens <= most_tokens:
        tokens = count_tokens(text)
    if tokens > most_tokens:
        hint = "send less, or put it into a file; METIER_MESSAGE_MAX_TOKENS is the limit"
        raise TooLarge(f"the message has about {tokens} tokens; the most is {most_tokens}", hint=hint)
    return replace(request, message=text, skill=(request.skill or "").strip() or None)
