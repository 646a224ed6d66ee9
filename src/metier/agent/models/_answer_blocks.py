"""Blocks that a model writes into its answer: a fence or a tag with a known keyword, and JSON inside.

Only the model's own text is parsed for blocks. The same marks in a user's message or a tool's result are plain text.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from metier.json_values import JsonInvalid, JsonValue, load_json

_FENCE: Final = "```"
_MAX_CHARS: Final = 20_000
PROGRAM_BLOCKS: Final = ("suggestions", "params_request")


@dataclass(frozen=True, slots=True)
class Block:
    """Block in a text: its position, its content, and the parsed JSON if it is JSON."""

    start: int
    end: int
    body: str
    data: JsonValue = None

    def remove_from(self, text: str) -> str:
        """Return the text without the block."""
        return f"{text[: self.start].rstrip()}\n\n{text[self.end :].lstrip()}".strip()


def find_block(text: str, word: str) -> Block | None:
    """Find the last complete block of this keyword, as a fence (```word) or a tag (<word>); in one linear pass."""
    for opening, closing in ((f"{_FENCE}{word}", _FENCE), (f"<{word}>", f"</{word}>")):
        start = text.rfind(opening)
        if start < 0 or (opening[0] == "`" and start > 0 and text[start - 1] != "\n"):
            continue
        inside = start + len(opening)
        if opening[0] == "`" and text[inside : inside + 1] not in ("\n", "\r", " "):
            continue
        block = _read_block(text, start, inside, closing)
        if block is not None:
            return block
    return None


def displayable_length(text: str, words: Sequence[str] = PROGRAM_BLOCKS, *, whole: bool = False) -> int:
    """Number of characters of a streamed text that may be shown: up to a block, or up to what may become one.

    Only text that was not shown yet needs to be passed in. In a `whole` text nothing can become a block any more.
    """
    openings = [mark for word in words for mark in (f"{_FENCE}{word}", f"<{word}>")]
    found = [at for at in map(text.find, openings) if at >= 0]
    if found:
        return min(found)
    if whole:
        return len(text)
    longest = max(map(len, openings), default=0)
    for at in range(max(0, len(text) - longest + 1), len(text)):
        if any(opening.startswith(text[at:]) for opening in openings):
            return at
    return len(text)


def hide_blocks(text: str, words: Sequence[str] = PROGRAM_BLOCKS) -> str:
    """Text as a person may read it: without blocks for the program, whole or broken off."""
    for word in words:
        while (block := find_block(text, word)) is not None:
            text = block.remove_from(text)
    return text[: displayable_length(text, words, whole=True)].rstrip()


def _read_block(text: str, start: int, inside: int, closing: str) -> Block | None:
    """Read the block from here on. Parsed JSON determines its end: a fence inside a JSON string does not cut it."""
    at = inside
    while at < len(text) and text[at].isspace():
        at += 1
    data, end = _read_json(text, at)
    after = text.find(closing, end)
    if after < 0 or (data is not None and text[end:after].strip()):
        after, data = text.find(closing, inside), None
    if after < 0:
        return None
    return Block(start, after + len(closing), text[inside:after].strip(), data)


def _read_json(text: str, at: int) -> tuple[JsonValue, int]:
    """Parse the JSON at this position and return it with its end; None and the position if there is none we accept."""
    piece = text[at : at + _MAX_CHARS]
    if piece[:1] not in ("{", "["):
        return None, at
    try:
        _, length = json.JSONDecoder().raw_decode(piece)
        return load_json(piece[:length]), at + length
    except (JsonInvalid, ValueError, RecursionError):
        return None, at
