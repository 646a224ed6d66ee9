"""Replies of a live model in a file, so that a long run may be spent in pieces."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from metier.agent.models.recordings._reply import RecordedReply
from metier.json_values import JsonInvalid, load_json


class KeptReplies:
    """Replies by model and prompt, one line each, written as they come. A run that was cut off goes on after them.

    `question` is what the next replies answer; a line that a crash cut off is passed over.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._replies: dict[tuple[str, str], RecordedReply] = {}
        self._questions: set[tuple[str, str]] = set()
        self.question = ""
        for line in path.read_text("utf-8").splitlines() if path.exists() else ():
            if (row := _read_row(line)) is not None:
                self._put(str(row["model"]), str(row["question"]), RecordedReply.from_json(row["reply"]))

    def find(self, model: str, prompt: str) -> RecordedReply | None:
        """Reply that the model gave to the prompt with this digest; None if it was not asked yet."""
        return self._replies.get((model, prompt))

    def has_answer(self, model: str, question: str) -> bool:
        """Whether the model was asked this question before, be it in other words."""
        return (model, question) in self._questions

    def add(self, model: str, reply: RecordedReply) -> None:
        """Keep a reply to the question at hand."""
        row = {"model": model, "question": self.question, "reply": reply.to_json()}
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
        self._put(model, self.question, reply)

    def _put(self, model: str, question: str, reply: RecordedReply) -> None:
        self._replies[model, reply.prompt] = reply
        self._questions.add((model, question))


def _read_row(line: str) -> Mapping[str, Any] | None:
    try:
        row = load_json(line)
    except JsonInvalid:
        return None
    return row if isinstance(row, Mapping) and {"model", "question", "reply"} <= row.keys() else None
