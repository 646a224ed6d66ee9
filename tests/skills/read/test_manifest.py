"""`skill.json`: the schema that is published is the one that runs, and a skill survives being written as one."""

import json
from importlib.resources import files
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from jsonschema import Draft202012Validator

import metier.skills
from metier.json_values import JsonObject
from metier.skills import (
    DeclaredTool,
    Diagnostic,
    OutputContract,
    ReadResult,
    Skill,
    SkillRoot,
    Source,
    manifest_schema_text,
    to_manifest,
)
from metier.skills.model import Report
from metier.skills.read import SCHEMA_VERSION, read_skill, scan_root
from metier.skills.read._manifest import read_manifest
from tests.skills.strategies import manifest_objects

_PUBLISHED = Path(metier.skills.__file__).parent / "schemas" / f"{SCHEMA_VERSION}.schema.json"
# What `ah32.skill.v1` has words for.
_FIELDS = (
    *("id", "title", "description", "version", "priority", "enabled", "group"),
    *("hosts", "tags", "intents", "triggers", "examples", "body", "tools", "output", "document", "metadata"),
)


def read_back(folder: Path, manifest: JsonObject, prompt: str) -> ReadResult:
    skill_folder = folder / "skills" / "written"
    skill_folder.mkdir(parents=True)
    (skill_folder / "skill.json").write_text(json.dumps(manifest, ensure_ascii=False, indent=2), encoding="utf-8")
    (skill_folder / "SYSTEM.md").write_text(prompt, encoding="utf-8")
    (candidate,) = scan_root(SkillRoot(folder / "skills")).candidates
    return read_skill(candidate)


def findings(text: str) -> list[Diagnostic]:
    report = Report(Path("skill.json"))
    read_manifest(text, report)
    return list(report)


def test_the_schema_that_runs_is_the_published_file_byte_for_byte() -> None:
    assert manifest_schema_text().encode() == _PUBLISHED.read_bytes()
    assert files("metier.skills").joinpath("schemas", _PUBLISHED.name).read_bytes() == _PUBLISHED.read_bytes()


def test_the_published_schema_is_itself_valid() -> None:
    schema = json.loads(_PUBLISHED.read_bytes())
    assert schema["$schema"] == Draft202012Validator.META_SCHEMA["$id"]
    Draft202012Validator.check_schema(schema)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(made=manifest_objects)
def test_a_skill_written_as_a_manifest_reads_back(made: Skill, tmp_path_factory: pytest.TempPathFactory) -> None:
    manifest = to_manifest(made, "SYSTEM.md")
    errors = Draft202012Validator(json.loads(manifest_schema_text())).iter_errors(manifest)
    assert [error.message for error in errors] == []
    reading = read_back(tmp_path_factory.mktemp("manifest"), manifest, made.instructions)
    assert reading.skill is not None
    for field in _FIELDS:
        assert getattr(reading.skill, field) == getattr(made, field), field


def test_a_tool_keeps_what_is_said_of_it(tmp_path: Path) -> None:
    tools = (
        DeclaredTool("plain"),
        DeclaredTool("built", origin="builtin"),
        DeclaredTool("full", "says: what", {"type": "object"}, hints={"cost": 3}),
    )
    source = Source(Path("x/skill.json"), Path("x"), "manifest")
    manifest = to_manifest(Skill("ab", "AB", "", source, "", tools=tools, output=OutputContract()), "SYSTEM.md")
    assert manifest["tools"] == [
        "plain",
        {"name": "built", "builtin": True},
        {"name": "full", "description": "says: what", "parameters": {"type": "object"}, "hints": {"cost": 3}},
    ]
    reading = read_back(tmp_path, manifest, "Go.")
    assert reading.skill is not None
    assert reading.skill.tools == tools


@pytest.mark.parametrize(
    ("where", "path", "line", "hint"),
    [
        pytest.param('"rooting": {}', "rooting", 4, "did you mean 'routing'?", id="top"),
        pytest.param('"routing": {\n  "trigers": []}', "routing.trigers", 5, "did you mean 'triggers'?", id="section"),
        pytest.param(
            '"capabilities": {"writeback": {\n  "default_ancor": "end"}}',
            "capabilities.writeback.default_ancor",
            5,
            "did you mean 'default_anchor'?",
            id="nested",
        ),
        pytest.param('"zzz": 1', "zzz", 4, "known here: $schema, schema_version, meta", id="nothing near"),
    ],
)
def test_an_unknown_key_is_reported_with_path_line_and_nearest(where: str, path: str, line: int, hint: str) -> None:
    text = f'{{\n"schema_version": "ah32.skill.v1",\n"meta": {{"id": "ab"}},\n{where}\n}}\n'
    (found,) = findings(text)
    assert (found.code, found.effect) == ("field_unknown", "noted")
    assert found.message == f"key {path!r} is not known"
    assert found.line == line
    assert found.hint.startswith(hint)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        pytest.param("[]", "json_invalid", id="no object"),
        pytest.param('{"meta": {"id": "ab"}', "json_invalid", id="unclosed"),
        pytest.param('{"meta": {"id": "ab"}}', "manifest_invalid", id="no version"),
        pytest.param('{"schema_version": "ah32.skill.v2", "meta": {"id": "ab"}}', "manifest_invalid", id="version 2"),
        pytest.param('{"schema_version": "ah32.skill.v1", "meta": {"id": "A B"}}', "manifest_invalid", id="bad id"),
        pytest.param(
            '{"schema_version": "ah32.skill.v1", "meta": {"id": "ab", "priority": -1}}', "field_invalid", id="spared"
        ),
    ],
)
def test_a_broken_manifest_says_how(text: str, code: str) -> None:
    assert code in [found.code for found in findings(text)]


def test_keys_of_others_pass_when_they_start_with_x(tmp_path: Path) -> None:
    manifest: JsonObject = {"schema_version": SCHEMA_VERSION, "meta": {"id": "ab"}, "x-team": {"lead": "Wang"}}
    reading = read_back(tmp_path, manifest, "Go.")
    assert reading.skill is not None
    assert reading.skill.metadata == {"x-team": {"lead": "Wang"}}


def test_an_sop_and_titles_in_both_languages_stand_under_one_extension_key(tmp_path: Path) -> None:
    manifest: JsonObject = {
        "schema_version": SCHEMA_VERSION,
        "meta": {"id": "minutes", "name": "会议纪要"},
        "tools": [],
        "x-metier": {
            "title": {"zh": "会议纪要", "en": "Minutes"},
            "sop": [{"id": "find", "call": "find_document", "with": {"description": "$.message"}}],
            "allowed_tools": ["find_document"],
            "metadata": {"report": "{$.find.summary}"},
            "colour": "red",
        },
    }
    reading = read_back(tmp_path, manifest, "Go.")
    assert reading.skill is not None
    assert dict(reading.skill.titles) == {"zh": "会议纪要", "en": "Minutes"}
    assert reading.skill.sop[0]["call"] == "find_document"
    assert reading.skill.allowed_tools == ("find_document",)
    assert reading.skill.metadata == {"report": "{$.find.summary}"}
    assert [found.code for found in reading.diagnostics if "colour" in found.message] == ["field_unknown"]
    again = read_back(tmp_path / "again", to_manifest(reading.skill, "SYSTEM.md"), "Go.").skill
    assert again is not None
    assert (again.sop, again.titles, again.metadata) == (
        reading.skill.sop,
        reading.skill.titles,
        reading.skill.metadata,
    )
