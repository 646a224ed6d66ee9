"""Checks an answer against the output contract of its skill: markers, length, and the JSON it must hold."""

import json
import re
from collections.abc import Iterator
from typing import Final, NamedTuple

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
_FENCE: Final = re.compile(r"(?m)^\s*```")
_NUMBERS: Final = re.compile(r"\[\s*\d{1,3}(?:\s*,\s*\d{1,3})*\s*\]")
_LEADS_TO_VALUE: Final = (":", "：", "=", "`")


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
    found = (one.value for one in _iter_json(text) if isinstance(one.value, dict))
    return any(one.get(key) == schema for one in found for key in _VERSION_KEYS)


def _find_schema_problem(text: str, schema: JsonObject) -> str | None:
    """Why no JSON value in the text fits the schema; empty if there is none, None if one fits.

    Told of the value that was most likely meant: of the right type, in a fence, the longest.
    """
    likely, why = (False, False, -1), ""
    for one in _iter_json(text):
        if _is_citation(text, one):
            continue
        misfit = find_misfit(one.value, schema)
        if not misfit:
            return None
        is_fenced = len(_FENCE.findall(text, 0, one.start)) % 2 == 1
        rank = (_has_type(one.value, schema), is_fenced, one.end - one.start)
        if rank > likely:
            likely, why = rank, misfit
    return why


def _has_type(value: JsonValue, schema: JsonObject) -> bool:
    kind = schema.get("type")
    return not isinstance(kind, str) or not find_misfit(value, {"type": kind})


def _is_citation(text: str, found: "_Found") -> bool:
    """Whether a list of numbers is a mark of a source, as in `As [1] says` or `Sales rose [2].`"""
    if not _NUMBERS.fullmatch(text, found.start, found.end):
        return False
    before = text[: found.start].rpartition("\n")[2].strip()
    after = text[found.end :].partition("\n")[0]
    is_amid_words = re.search(r"\w", after) is not None
    is_behind_words = "," not in text[found.start : found.end] and not before.endswith(_LEADS_TO_VALUE)
    return is_amid_words or (bool(before) and is_behind_words)


class _Found(NamedTuple):
    """JSON value in a text, and where it stands."""

    value: JsonValue
    start: int
    end: int


def _iter_json(text: str) -> Iterator[_Found]:
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
            yield _Found(found, start.start(), end)
        start = _JSON_START.search(text, end)
