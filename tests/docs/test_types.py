"""Generated schema and TypeScript types are what the models say."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]


def _make_types() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_types", ROOT / "scripts" / "make_types.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


make_types = _make_types()


def test_the_generated_files_are_what_the_models_say() -> None:
    for name, text in make_types.files().items():
        assert (ROOT / name).read_text("utf-8") == text, f"{name}: run `make types`"


@pytest.mark.parametrize(
    ("schema", "type_"),
    [
        ({"type": "integer"}, "number"),
        ({}, "Json"),
        ({"$ref": "#/components/schemas/JsonValue"}, "Json"),
        ({"$ref": "#/components/schemas/Column"}, "Column"),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, "string | null"),
        ({"enum": ["a", "b"]}, '"a" | "b"'),
        ({"const": "turn.done"}, '"turn.done"'),
        ({"type": "array", "items": {"enum": ["a", "b"]}}, '("a" | "b")[]'),
        ({"type": "object", "additionalProperties": True}, "JsonObject"),
        ({"type": "object", "additionalProperties": {"type": "number"}}, "{ [key: string]: number }"),
        (
            {"type": "object", "properties": {"a": {"type": "string"}, "b-c": {}}, "required": ["a"]},
            '{\n  a: string;\n  "b-c"?: Json;\n}',
        ),
    ],
)
def test_a_schema_becomes_a_type(schema: dict[str, object], type_: str) -> None:
    assert make_types.render_type(schema, "") == type_
