"""A decoder without a model: writes random JSON that a schema allows, as an engine with a grammar would.

It knows the keywords that every engine knows, and refuses a schema with any other.
"""

import json
import random
from collections.abc import Mapping, Sequence
from typing import Any

KNOWN = frozenset(
    {
        *("type", "properties", "required", "additionalProperties", "items", "enum", "anyOf", "description"),
        *("minItems", "maxItems", "minimum", "maximum", "minLength"),
    }
)
LETTERS = 'ab "\\/\n\t{}[]:,<>`你好😀é\u2028'
MOST_OPEN = 2


def write_under(schema: Mapping[str, Any], rng: random.Random, depth: int = 0) -> str:
    """Random JSON text under a schema."""
    unknown = schema.keys() - KNOWN
    assert not unknown, f"no engine knows {sorted(unknown)}"
    if "anyOf" in schema:
        return write_under(rng.choice(schema["anyOf"]), rng, depth)
    if "enum" in schema:
        return write_value(rng.choice(schema["enum"]), rng)
    kind = schema["type"]
    assert isinstance(kind, str), "a list of types stands only beside an enum"
    if kind == "object":
        return write_object(schema, rng, depth)
    if kind == "array":
        size = rng.randint(schema.get("minItems", 0), min(schema.get("maxItems", 3), 3))
        items = schema.get("items")
        return join("[]", [write_under(items, rng, depth + 1) if items else "1" for _ in range(size)], rng)
    return write_value(write_scalar(schema, kind, rng), rng)


def write_anything(rng: random.Random, tools: Sequence[str]) -> str:
    """Random reply of a model that nobody holds: any tool that comes to its mind, or words."""
    name = rng.choice(tools)
    arguments = write_object({"type": "object"}, rng, 0)
    return rng.choice(
        [
            f'{{"tool": "{name}", "arguments": {arguments}}}',
            f'{{"name": "{name}", "arguments": {arguments}}}',
            f'{{"answer": {write_value("all is well", rng)}}}',
            "All is well.",
        ]
    )


def write_object(schema: Mapping[str, Any], rng: random.Random, depth: int) -> str:
    if "properties" not in schema:
        inner = schema.get("additionalProperties", {"type": "string"})
        names = [write_word(rng) for _ in range(rng.randint(0, MOST_OPEN))]
        chosen = dict.fromkeys(names, inner)
    else:
        assert schema["additionalProperties"] is False
        required = schema["required"]
        chosen = {
            name: one
            for name, one in schema["properties"].items()
            if name in required or rng.random() < 0.5 / (depth + 1)
        }
    pairs = [f"{write_value(name, rng)}:{write_under(one, rng, depth + 1)}" for name, one in chosen.items()]
    return join("{}", pairs, rng)


def write_scalar(schema: Mapping[str, Any], kind: str, rng: random.Random) -> object:
    if kind == "string":
        return write_word(rng, schema.get("minLength", 0))
    if kind == "integer":
        low, high = schema.get("minimum", -5), schema.get("maximum", 5)
        return rng.randint(int(low), max(int(low), int(high)))
    return {"number": rng.choice([0, 1.5, -2e3]), "boolean": rng.random() < 0.5, "null": None}[kind]


def write_word(rng: random.Random, least: int = 0) -> str:
    return "".join(rng.choice(LETTERS) for _ in range(rng.randint(least, 6)))


def write_value(value: object, rng: random.Random) -> str:
    return json.dumps(value, ensure_ascii=rng.random() < 0.5)


def join(brackets: str, parts: Sequence[str], rng: random.Random) -> str:
    space = rng.choice(["", " ", "\n  "])
    return brackets[0] + f",{space}".join(parts) + space + brackets[1]
