"""Recorded answers of a real model: which question, in which mode, what it answered, when, under which licence."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, Literal

from metier.agent import RecordedReply
from metier.bench.models._data import read_rows
from metier.json_values import JsonObject

Kind = Literal["choice", "arguments", "refusals", "conversations"]
Mode = Literal["schema", "native", "text"]
KINDS: Final[tuple[Kind, ...]] = ("choice", "arguments", "refusals", "conversations")
RECORDED_MODES: Final[Mapping[Kind, tuple[Mode, ...]]] = MappingProxyType(
    {
        "choice": ("schema", "native", "text"),
        "arguments": ("schema", "native"),
        "refusals": ("schema", "native"),
        "conversations": ("schema",),
    }
)
# Enough to see what a reply is; a small model on a small machine writes a few tokens a second.
MAX_TOKENS: Final[Mapping[Kind, int]] = MappingProxyType(
    {"choice": 64, "arguments": 96, "refusals": 96, "conversations": 1200}
)
_PART: Final = ("-1", "-4", "-7", "-10", "-13", "-16")
RECORDINGS: Final = Path(__file__).parent / "recordings"


@dataclass(frozen=True, slots=True)
class Recording:
    """Answers of a model to one question, all attempts in order; `counted_tokens` is our count of each prompt."""

    id: str
    kind: Kind
    mode: Mode
    lang: str
    message: str
    label: str
    replies: tuple[RecordedReply, ...]
    counted_tokens: tuple[int, ...]
    model: str
    date: str
    licence: str = "Apache-2.0"

    @classmethod
    def from_json(cls, row: dict[str, Any]) -> "Recording":
        replies = tuple(RecordedReply.from_json(one) for one in row["replies"])
        return cls(**{**row, "replies": replies, "counted_tokens": tuple(row["counted_tokens"])})

    def to_json(self) -> JsonObject:
        return {
            "id": self.id,
            "kind": self.kind,
            "mode": self.mode,
            "lang": self.lang,
            "message": self.message,
            "label": self.label,
            "replies": [one.to_json() for one in self.replies],
            "counted_tokens": list(self.counted_tokens),
            "model": self.model,
            "date": self.date,
            "licence": self.licence,
        }


def is_asked(kind: Kind, question: str, mode: Mode) -> bool:
    """Whether a real model is asked this question in this mode.

    Free replies are long: without a schema a third of the messages has to do, the first of each skill.
    """
    return mode in RECORDED_MODES[kind] and (kind != "choice" or mode == "schema" or question.endswith(_PART))


@cache
def read_recordings(kind: Kind) -> tuple[Recording, ...]:
    """All recordings of a kind."""
    return tuple(Recording.from_json(row) for row in read_rows(f"{RECORDINGS.name}/{kind}.jsonl"))


def find_recording(kind: Kind, question: str, mode: Mode) -> Recording | None:
    """The recording of a question in a mode; None if it was not recorded."""
    return next((one for one in read_recordings(kind) if (one.id, one.mode) == (question, mode)), None)


def write_recording(folder: Path, row: Recording) -> None:
    """Write a recording into the file of its kind, in the place of an older one of the same question and mode."""
    path = folder / f"{row.kind}.jsonl"
    lines = path.read_text("utf-8").splitlines() if path.exists() else []
    rows = {(one["mode"], one["id"]): one for one in map(json.loads, lines)}
    rows[row.mode, row.id] = row.to_json()
    text = "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in rows.values())
    path.write_text(text, "utf-8")
