"""A small skill cannot hang the server: what would take long is refused with file, line, subject and limit."""

import json
from pathlib import Path

import pytest

from metier.json_values import JsonValue
from metier.skills import SkillLibrary
from metier.skills.lint import lint

HEAD = "---\nname: {name}\ndescription: Answers questions about cells when asked.\n---\nAnswer the question.\n"
DOUBLED: JsonValue = {
    "type": "object",
    "properties": {"x": {"$ref": "#/$defs/d0"}},
    "$defs": {f"d{n}": {"allOf": [{"$ref": f"#/$defs/d{n + 1}"}] * 2} for n in range(30)} | {"d30": {}},
}
COSTLY: dict[str, tuple[JsonValue, str]] = {
    "references that double": (DOUBLED, "more than 20000 keywords"),
    "thousands of patterns": (
        {"properties": {f"p{n}": {"pattern": rf"\w{{60}}{n}"} for n in range(1500)}},
        "the most is",
    ),
    "thousands of properties": ({"properties": {f"p{n}": {"type": "string"} for n in range(8000)}}, "10000"),
    "many ways to one large definition": (
        {"properties": {f"p{n}": {"$ref": "#/$defs/a"} for n in range(500)}, "$defs": {"a": {"enum": ["v"] * 4000}}},
        "20000 keywords",
    ),
}


def write_skill(root: Path, name: str, parameters: JsonValue = None) -> None:
    (root / name).mkdir(parents=True)
    (root / name / "SKILL.md").write_text(HEAD.format(name=name))
    if parameters is not None:
        tools = json.dumps(parameters)
        (root / name / "tools.yaml").write_text(
            f"tools:\n  - name: measure\n    description: Measures a cell.\n    parameters: {tools}\n"
        )


@pytest.mark.parametrize(("parameters", "limit"), COSTLY.values(), ids=COSTLY.keys())
def test_a_costly_schema_costs_its_tool_alone(tmp_path: Path, parameters: JsonValue, limit: str) -> None:
    write_skill(tmp_path, "costly", parameters)
    write_skill(tmp_path, "plain")
    catalog = SkillLibrary.from_folders(tmp_path).catalog()
    (found,) = catalog.diagnostics
    assert [(skill.id, skill.tools) for skill in catalog] == [("costly", ()), ("plain", ())]
    assert (found.code, found.path.name, found.line) == ("schema_too_large", "tools.yaml", 2)
    assert "tool 'measure'" in found.message
    assert limit in found.message


def test_schemas_that_are_too_large_only_together_are_refused_too(tmp_path: Path) -> None:
    write_skill(tmp_path, "costly")
    schema = json.dumps({"enum": list(range(3000))})
    tools = "".join(f"  - {{name: t{n}, description: Does it., parameters: {schema}}}\n" for n in range(4))
    (tmp_path / "costly" / "tools.yaml").write_text(f"tools:\n{tools}")
    (found,) = SkillLibrary.from_folders(tmp_path).catalog().diagnostics
    assert found.code == "schema_too_large"
    assert "together" in found.message


def test_lint_names_an_approval_rule_that_doubles(tmp_path: Path) -> None:
    write_skill(tmp_path, "costly")
    rule = "@" + "|[@,@]" * 30
    (tmp_path / "costly" / "tools.yaml").write_text(
        f"tools:\n  - name: measure\n    description: Measures.\n    approval: '{rule}'\n"
    )
    (found,) = [one for one in lint(tmp_path).findings if one.code == "approval_invalid"]
    assert "'measure'" in found.message
    assert "the most is 64" in found.message


def test_lint_names_the_costly_schema(tmp_path: Path) -> None:
    write_skill(tmp_path, "costly", DOUBLED)
    report = lint(tmp_path)
    assert [found.line for found in report.findings if found.code == "schema_too_large"] == [2]


@pytest.mark.parametrize(
    ("front", "code"),
    [
        ("metadata: {ask_for: {job: {$defs: {a: {type: string}}, $ref: '#/$defs/a'}}}", "schema_invalid"),
        ("metadata: {ask_for: {job: {type: no such}}}", "schema_invalid"),
        ("metadata: {ask_for: {job: {type: string, pattern: '(a'}}}", "schema_pattern_unsafe"),
        ("output: {schema: {type: no such}}", "schema_invalid"),
    ],
)
def test_the_schemas_of_what_a_skill_asks_for_and_gives_are_checked_too(tmp_path: Path, front: str, code: str) -> None:
    write_skill(tmp_path, "asking")
    file = tmp_path / "asking" / "SKILL.md"
    file.write_text(file.read_text().replace("---\n", f"---\n{front}\n", 1))
    catalog = SkillLibrary.from_folders(tmp_path).catalog()
    assert ([one.code for one in catalog.diagnostics], list(catalog)) == ([code], [])
