"""Checks an answer against the output contract of its skill: markers, length, and the JSON it must hold."""

import json
import re
from collections.abc import Iterator
from typing import Final

from metier.agent.adapters import render_sentence
from metier.json_values import JsonInvalid, JsonObject, JsonValue, load_json
from metier.language import Language, choose
from metier.plans import find_misfit
from metier.skills import OutputContract
from metier.tools import translate_problem

_QUESTION_MARKS: Final = ("?", "？")
_VERSION_KEYS: Final = ("schema_version", "$schema", "schema")
_MAX_OBJECTS: Final = 200
_JSON_START: Final = re.compile(r"[{\[]")


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
    wanted = contract.json_schema
    is_open = wanted is not None and not _fits_whole(said, wanted)
    if wanted is not None and is_open and (why := _find_schema_problem(said, wanted)) is not None:
        code = "contract_shape" if why else "contract_json"
        told = choose(language, en=why, zh=translate_problem(why))
        wrong.append(render_sentence(code, language, why=told))
    if contract.max_chars is not None and len(said) > contract.max_chars:
        wrong.append(render_sentence("contract_chars", language, chars=len(said), most=contract.max_chars))
    return " ".join(wrong) or None


def _fits_whole(text: str, schema: JsonObject) -> bool:
    """Whether the whole text is JSON that fits: a number, a text in quotes, true or false stand alone."""
    try:
        whole = load_json(text)
    except JsonInvalid:
        return False
    return not find_misfit(whole, schema)


def _holds_object(text: str, schema: str) -> bool:
    """Whether the text holds a JSON object that names this schema; fences and words around it are allowed."""
    found = (one for one in _iter_json(text) if isinstance(one, dict))
    return any(one.get(key) == schema for one in found for key in _VERSION_KEYS)


def _find_schema_problem(text: str, schema: JsonObject) -> str | None:
    """Why no JSON value in the text fits the schema; empty if there is none, None if one fits."""
    why = ""
    for one in _iter_json(text):
        misfit = find_misfit(one, schema)
        if not misfit:
            return None
        why = why or misfit
    return why


def _iter_json(text: str) -> Iterator[JsonValue]:
    """JSON objects and lists in a text, from left to right, without those inside of others."""
    decoder = json.JSONDecoder()
    start = _JSON_START.search(text)
    for _ in range(_MAX_OBJECTS):
        if start is None:
            return
        end = start.start() + 1
        try:
            found, end = decoder.raw_decode(text, start.start())
        except (ValueError, RecursionError):
            pass
        else:
            yield found
        start = _JSON_START.search(text, end)
