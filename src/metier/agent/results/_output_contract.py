"""Checks an answer against the output contract of its skill: markers, length, and the JSON it must hold."""

import json
from typing import Final

from metier.agent.adapters import render_sentence
from metier.language import Language
from metier.skills import OutputContract

_QUESTION_MARKS: Final = ("?", "？")
_VERSION_KEYS: Final = ("schema_version", "$schema", "schema")
_MAX_OBJECTS: Final = 200


def find_contract_problem(text: str, contract: OutputContract, language: Language) -> str | None:
    """What is wrong with an answer that breaks the contract, in sentences; None if it keeps it.

    A question back to the user is no answer yet, and is never sent back.
    """
    said = text.strip()
    if not said or said.endswith(_QUESTION_MARKS):
        return None
    wrong: list[str] = []
    if missing := [one for one in contract.markers if one not in said]:
        wrong.append(render_sentence("contract_markers", language, markers=missing))
    if contract.schema and not _holds_object(said, contract.schema):
        wrong.append(render_sentence("contract_schema", language, schema=contract.schema))
    if contract.max_chars is not None and len(said) > contract.max_chars:
        wrong.append(render_sentence("contract_chars", language, chars=len(said), most=contract.max_chars))
    return " ".join(wrong) or None


def _holds_object(text: str, schema: str) -> bool:
    """Whether the text holds a JSON object that names this schema; fences and words around it are allowed."""
    decoder = json.JSONDecoder()
    at = text.find("{")
    for _ in range(_MAX_OBJECTS):
        if at < 0:
            return False
        try:
            found, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            at = text.find("{", at + 1)
            continue
        if isinstance(found, dict) and any(found.get(key) == schema for key in _VERSION_KEYS):
            return True
        at = text.find("{", end)
    return False
