"""Answers and the JSON Schema that their skill asks for."""

from typing import TYPE_CHECKING

from metier.agent.results import find_contract_problem
from metier.skills import OutputContract

if TYPE_CHECKING:
    from metier.json_values import JsonObject


def test_the_value_that_was_meant_is_judged_and_a_mark_of_a_source_is_none() -> None:
    texts: JsonObject = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}
    cases: tuple[tuple[str, JsonObject, str | None], ...] = (
        ('As [1] says: {"a": "x"}', texts, None),
        ('As [1] says: {"a": 3}', texts, "a: must be a text"),
        ('{"b": 1} and then\n```json\n{"a": 3}\n```\nby [2]', texts, "a: must be a text"),
        ('As [1] says: {"a": "x"}', {"type": "array"}, "must be a list"),
        ("Sales rose in the east [1].", {"type": "array"}, ""),
        ("The rows are: [1, 2]", {"type": "array"}, None),
        ("[3]", {"type": "array"}, None),
    )
    for text, schema, words in cases:
        found = find_contract_problem(text, OutputContract(json_schema=schema), "en")
        assert (found is None) if words is None else (found is not None and words in found), (text, found)


def test_a_schema_may_refer_to_its_own_definitions_and_ask_for_a_single_value() -> None:
    row: JsonObject = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
    rows: JsonObject = {"$defs": {"row": row}, "type": "array", "items": {"$ref": "#/$defs/row"}}
    tree: JsonObject = {"type": "object", "properties": {"in": {"$ref": "#"}}, "additionalProperties": False}
    cases: tuple[tuple[str, JsonObject, str | None], ...] = (
        ('Here: [{"n": 1}]', rows, None),
        ('Here: [{"n": "x"}]', rows, "[0].n: must be a whole number"),
        ('{"in": {"in": {}}}', tree, None),
        ('{"in": {"out": 1}}', tree, "in"),
        ("42", {"type": "integer"}, None),
        ('"yes"', {"enum": ["yes", "no"]}, None),
        ("null", {"type": ["object", "null"]}, None),
    )
    for text, schema, words in cases:
        found = find_contract_problem(text, OutputContract(json_schema=schema), "en")
        assert (found is None) if words is None else (found is not None and words in found), (text, found)
