"""Rules, cases and tools from files of their own: what can be read is, and the rest is left out aloud."""

from pathlib import Path

import pytest

from metier.skills import DeclaredTool
from tests.skills.support import catalog_of, codes, only, skill_md

MAIN = {"a/SKILL.md": skill_md("a")}
RULE = (
    "---\nid: basic_reading\nname: 基础解读\nimpact: CRITICAL\nimpactDescription: 决定准确性\ntags: [命盘, 格局]\n"
    "triggers: 看八字, 算命\nestimated_time: 10 min\ntotal_steps: 4\n---\n\n# 何时\n\n先排盘。\n"
)
TOOLS = """version: 1
skill_id: a
tools:
  - name: calculate
    type: compute
    description: 排盘
    card_type: chart
    when_to_call: 用户给出生日
    parameters:
      - {name: date, type: date, required: true, description: 生日}
      - {name: count, type: int, default: 3}
      - {name: kind, type: string, enum: [a, b]}
    implementation: handlers.calculate
    returns: {status: string}
"""


def test_a_rule_file_is_read_whole(tmp_path: Path) -> None:
    rule = only(tmp_path, {**MAIN, "a/rules/basic.md": RULE}).rules["basic_reading"]
    assert (rule.title, str(rule.text)) == ("基础解读", "# 何时\n\n先排盘。")
    assert (rule.impact, rule.impact_description) == ("CRITICAL", "决定准确性")
    assert (rule.tags, rule.triggers) == (("命盘", "格局"), ("看八字", "算命"))
    assert (rule.total_steps, rule.estimated_time) == (4, "10 min")


def test_a_rule_without_front_matter_is_named_after_its_file(tmp_path: Path) -> None:
    skill = only(
        tmp_path, {**MAIN, "a/rules/first.md": "Just text.\n", "a/rules/deeper/x.md": "no", "a/rules/x.txt": "no"}
    )
    assert {name: (rule.title, str(rule.text)) for name, rule in skill.rules.items()} == {
        "first": ("first", "Just text.")
    }
    assert [resource.path for resource in skill.resources] == ["rules/deeper/x.md", "rules/x.txt"]


def test_a_colon_in_a_rules_title_is_mended(tmp_path: Path) -> None:
    skill = only(tmp_path, {**MAIN, "a/rules/r.md": "---\nname: Step: one\n---\nText"})
    assert skill.rules["r"].title == "Step: one"


@pytest.mark.parametrize(
    ("files", "at", "line"),
    [
        pytest.param({"a/rules/r.md": ""}, "a/rules/r.md", 1, id="empty rule"),
        pytest.param({"a/rules/r.md": b"\xff\xfe\x00"}, "a/rules/r.md", 1, id="rule that is no text"),
        pytest.param({"a/rules/r.md": "---\nname: x\n"}, "a/rules/r.md", 1, id="unclosed rule"),
        pytest.param({"a/rules/r.md": "---\na: 1\na: 2\n---\nx"}, "a/rules/r.md", 3, id="key twice in a rule"),
        pytest.param(
            {"a/rules/p.md": "---\nid: x\n---\n1", "a/rules/q.md": "---\nid: x\n---\n2"},
            "a/rules/q.md",
            None,
            id="rule twice",
        ),
        pytest.param({"a/cases/c.md": b"\0"}, "a/cases/c.md", 1, id="case that is no text"),
        pytest.param({"a/cases.json": "[\n{]"}, "a/cases.json", 2, id="broken cases.json"),
        pytest.param({"a/cases.json": '"x"'}, "a/cases.json", None, id="cases.json of one text"),
        pytest.param({"a/cases.json": '[{"id": "x"}]'}, "a/cases.json", None, id="case without content"),
        pytest.param(
            {"a/cases.json": '[{"id": "x", "content": "1"}, {"id": "x", "content": "2"}]'},
            "a/cases.json",
            None,
            id="case twice",
        ),
        pytest.param({"a/tools.yaml": "tools: [\n"}, "a/tools.yaml", None, id="broken tools.yaml"),
        pytest.param({"a/tools/tools.yaml": "# " + "x" * 300_000}, "a/tools/tools.yaml", None, id="huge tools.yaml"),
    ],
)
def test_a_part_that_cannot_be_read_is_left_out_aloud(
    files: dict[str, str | bytes], at: str, line: int | None, tmp_path: Path
) -> None:
    catalog = catalog_of(tmp_path, {**MAIN, **files})
    assert "a" in catalog
    (finding,) = catalog.diagnostics
    assert (finding.code, finding.effect, finding.path) == ("part_invalid", "repaired", tmp_path / "skills" / at)
    assert line in (finding.line, None)
    assert finding.hint


@pytest.mark.parametrize(
    ("name", "text", "code"),
    [
        ("rules/r.md", '---\nname: "a\\u202eb"\n---\nx', "hidden_bidi"),
        ("cases.json", '[{"content": "a\\u202eb"}]', "hidden_bidi"),
        ("tools.yaml", 'tools: [{name: t, description: "a\\u2066b"}]', "hidden_bidi"),
    ],
)
def test_a_part_that_attacks_takes_the_skill_with_it(name: str, text: str, code: str, tmp_path: Path) -> None:
    catalog = catalog_of(tmp_path, {**MAIN, f"a/{name}": text})
    assert len(catalog) == 0
    assert codes(catalog.diagnostics) == [code]
    assert catalog.diagnostics[0].path == tmp_path / "skills/a" / name


def test_cases_come_from_three_places_in_order(tmp_path: Path) -> None:
    files = {
        "a/SKILL.md": skill_md("a", "cases: [{id: three, content: Third}]\n"),
        "a/cases/one.md": "---\nname: 案例一\ntags: [甲]\nrule_ids: [basic]\n---\nFirst",
        "a/cases.json": '{"cases": [{"id": "two", "content": "Second"}, {"content": "Nameless"}]}',
    }
    cases = only(tmp_path, {**files}).cases
    assert [(case.id, str(case.text)) for case in cases] == [
        ("one", "First"),
        ("two", "Second"),
        ("case-2", "Nameless"),
        ("three", "Third"),
    ]
    assert (cases[0].title, cases[0].tags, cases[0].rules) == ("案例一", ("甲",), ("basic",))


def test_a_tool_file_becomes_schemas(tmp_path: Path) -> None:
    skill = only(tmp_path, {**MAIN, "a/tools/tools.yaml": TOOLS, "a/tools/handlers.py": "def x(): ..."})
    (tool,) = skill.tools
    assert (tool.name, tool.description, tool.origin) == ("calculate", "排盘", "declared")
    assert tool.parameters == {
        "type": "object",
        "properties": {
            "date": {"type": "string", "description": "生日"},
            "count": {"type": "integer", "default": 3},
            "kind": {"type": "string", "enum": ["a", "b"]},
        },
        "required": ["date"],
    }
    assert tool.hints["card_type"] == "chart"
    assert tool.hints["returns"] == {"status": "string"}
    assert [resource.path for resource in skill.resources] == ["tools/handlers.py"]


def test_a_bare_name_mentions_what_the_file_describes(tmp_path: Path) -> None:
    files = {"a/SKILL.md": skill_md("a", "tools: [calculate, other]\n"), "a/tools/tools.yaml": TOOLS}
    tools = only(tmp_path, {**files}).tools
    assert [(tool.name, tool.has_parameters) for tool in tools] == [("other", False), ("calculate", True)]


@pytest.mark.parametrize(
    ("listed", "code"),
    [
        ("tools: [look, look, b]", "tool_duplicate"),
        ("tools: [look, LOOK, b]", "tool_duplicate"),
        ("tools: [lооk, b]", "name_homoglyph"),
        ("tools: [{name: a, parameters: {type: nothing}}, b]", "schema_invalid"),
    ],
)
def test_a_bad_tool_is_left_out_and_the_skill_stays_restricted(listed: str, code: str, tmp_path: Path) -> None:
    catalog = catalog_of(tmp_path, {"a/SKILL.md": skill_md("a", f"{listed}\n")})
    assert [tool.name for tool in catalog["a"].tools] == ["b"]
    assert catalog["a"].allowed_tools == ()
    assert codes(catalog.diagnostics) == [code]


def test_a_list_that_allows_every_tool_is_refused(tmp_path: Path) -> None:
    catalog = catalog_of(tmp_path, {"a/SKILL.md": skill_md("a", "tools: ['*']\n")})
    assert (len(catalog), codes(catalog.diagnostics)) == (0, ["tools_wildcard"])


def test_a_tool_without_a_name_is_left_out(tmp_path: Path) -> None:
    catalog = catalog_of(tmp_path, {"a/SKILL.md": skill_md("a", "tools: [look, {description: x}, 5]\n")})
    assert [tool.name for tool in catalog["a"].tools] == ["look"]
    assert codes(catalog.diagnostics) == ["field_invalid", "field_invalid"]


def test_a_script_of_the_same_name_makes_the_tool_run(tmp_path: Path) -> None:
    files = {"a/SKILL.md": skill_md("a", "tools: [look, {name: b, builtin: true}]\n")}
    scripts = {"a/scripts/look.py": "def look(): ...", "a/scripts/b.py": "def b(): ..."}
    tools = only(tmp_path, {**files, **scripts}).tools
    assert tools == (
        DeclaredTool("look", origin="script", script="scripts/look.py"),
        DeclaredTool("b", origin="builtin", hints={}),
    )
