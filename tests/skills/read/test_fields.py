"""Every key of the source systems reaches the model or is reported; nothing is dropped in silence."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metier.json_values import JsonValue
from metier.skills import Skill
from metier.skills.model import MAX_LIST_ITEMS
from metier.skills.read import YamlRefused, find_field, load_yaml, read_fields
from metier.skills.read._fields import FIELDS, suggest_key
from tests.skills.support import catalog_of, codes, only, report, skill_md

Get = Callable[[Skill], object]


def reads(system: str, written: str, get: Get, value: object) -> object:
    return pytest.param(written, get, value, id=f"{system} {written.split(':', maxsplit=1)[0]}")


READ = [
    # 000 WINSAgent: name, title, description, triggers, priority
    reads("000", "title: 网络优化仿真分析", lambda s: s.title, "网络优化仿真分析"),
    reads("000", "triggers:\n  - 弱覆盖\n  - 干扰", lambda s: s.triggers, ("弱覆盖", "干扰")),
    reads("000", "priority: 100", lambda s: s.priority, 100),
    # 001 x-agent
    reads("001", "keywords: [report, 报告]", lambda s: s.triggers, ("report", "报告")),
    reads("001", "auto-trigger: false", lambda s: s.invocation.automatic, False),
    reads("001", "disable-model-invocation: true", lambda s: s.invocation.by_model, False),
    reads("001", "user-invocable: no", lambda s: s.invocation.by_user, False),
    reads("001", "argument-hint: '[file]'", lambda s: s.invocation.argument_hint, "[file]"),
    reads("001", "allowed_tools: [read_file, run]", lambda s: s.allowed_tools, ("read_file", "run")),
    reads("001", "forbidden_tools: shell web_search", lambda s: s.forbidden_tools, ("shell", "web_search")),
    reads("001", "context: fork", lambda s: s.invocation.context, "fork"),
    reads("001", "license: MIT", lambda s: s.license, "MIT"),
    # 003 VibeLife
    reads("003", "id: bazi", lambda s: s.id, "bazi"),
    reads("003", "version: 2.10", lambda s: s.version, "2.10"),
    reads("003", "category: professional", lambda s: s.showing.category, "professional"),
    reads("003", "pricing: {type: premium, trial_messages: 3}", lambda s: s.showing.pricing["trial_messages"], 3),
    reads("003", "icon: 🔮", lambda s: s.showing.icon, "🔮"),
    reads("003", "color: '#fff'", lambda s: s.showing.color, "#fff"),
    reads("003", "theme: {primary: red}", lambda s: s.showing.theme, {"primary": "red"}),
    reads("003", "default_scenario: basic_reading", lambda s: s.default_scenario, "basic_reading"),
    reads("003", "requires_birth_info: true", lambda s: s.needs.birth_info, True),
    reads("003", "requires_compute: true", lambda s: s.needs.compute, True),
    reads("003", "compute_type: bazi", lambda s: s.needs.compute_type, "bazi"),
    reads("003", "compute_tool: calculate_bazi", lambda s: s.needs.compute_tool, "calculate_bazi"),
    reads("003", "auto_collect: true", lambda s: s.needs.auto_collect, True),
    reads(
        "003",
        "profile_fields:\n  - birth_info\n  - skill_data.bazi",
        lambda s: s.profile_fields,
        ("birth_info", "skill_data.bazi"),
    ),
    reads("003", "features: [{name: A, description: B}]", lambda s: s.showing.features[0]["name"], "A"),
    reads("003", "showcase: {tagline: T, highlights: [x]}", lambda s: s.showing.showcase["highlights"], ["x"]),
    # 004 ah32, as far as front matter can say it
    reads("004", "enabled: false", lambda s: s.enabled, False),
    reads("004", "group: legal", lambda s: s.group, "legal"),
    reads("004", "hosts: writer et", lambda s: s.hosts, ("writer", "et")),
    reads("004", "tags: 合同、审查", lambda s: s.tags, ("合同", "审查")),
    reads("004", "intents: [review]", lambda s: s.intents, ("review",)),
    reads("004", "examples:\n  - 帮我看看合同，谢谢", lambda s: s.examples, ("帮我看看合同，谢谢",)),
    reads("004", "delivery: {default_writeback: compare_table}", lambda s: s.document.writeback, "compare_table"),
    reads("004", "capabilities: {active_doc_text: true}", lambda s: s.document.active_text, True),
    reads("004", "capabilities: {active_doc_max_chars: 9}", lambda s: s.document.active_max_chars, 9),
    reads("004", "capabilities: {writeback: {default_anchor: end}}", lambda s: s.document.anchor, "end"),
    reads("004", "capabilities: {rag_missing_hint: none}", lambda s: s.document.missing_library_hint, "none"),
    reads("004", "output: {markers: [结论]}", lambda s: s.output.markers, ("结论",)),
    reads("004", "output: {output_schema: ah32.plan.v1}", lambda s: s.output.schema, "ah32.plan.v1"),
    reads("004", "output: {max_chars: 800}", lambda s: s.output.max_chars, 800),
    reads("004", "output: {styleSpecHints: {font: x}}", lambda s: s.output.style_hints, {"font": "x"}),
    reads("004", "tools: [a, {name: b}]", lambda s: tuple(tool.name for tool in s.tools), ("a", "b")),
    # ours, and Claude Code's
    reads("ours", "mode: Deep", lambda s: s.mode, "deep"),
    reads("ours", "next: [report]", lambda s: s.next, ("report",)),
    reads("ours", "requires: a, b", lambda s: s.requires, ("a", "b")),
    reads("ours", "sop: [{id: one, ask: What?}]", lambda s: s.sop, ({"id": "one", "ask": "What?"},)),
    reads("ours", "milestones: [{name: m}]", lambda s: s.milestones, ({"name": "m"},)),
    reads("ours", "inputs: {type: object}", lambda s: s.inputs, {"type": "object"}),
    reads("ours", "outputs: {type: string}", lambda s: s.outputs, {"type": "string"}),
    reads("ours", "cases: [{id: c, content: Text}]", lambda s: str(s.cases[0].text), "Text"),
    reads("claude", "when_to_use: often", lambda s: s.when_to_use, "often"),
    reads("claude", "disallowed-tools: [shell]", lambda s: s.forbidden_tools, ("shell",)),
    reads("claude", "allowed-tools: Bash(git log:*), Read", lambda s: s.preapproved_tools, ("Bash(git log:*)", "Read")),
    reads("claude", "Allowed-Tools: Read", lambda s: (s.preapproved_tools, s.allowed_tools), (("Read",), None)),
    reads("claude", "compatibility: Needs git", lambda s: s.compatibility, "Needs git"),
    reads("any", "x-mine: {a: 1}", lambda s: s.metadata, {"x-mine": {"a": 1}}),
    reads("any", "metadata: {author: me, ratio: 1.10}", lambda s: s.metadata, {"author": "me", "ratio": "1.10"}),
]


@pytest.mark.parametrize(("written", "get", "value"), READ)
def test_a_key_of_a_source_system_is_read(written: str, get: Get, value: object, tmp_path: Path) -> None:
    catalog = catalog_of(tmp_path, {"probe/SKILL.md": skill_md("probe", f"{written}\n")})
    assert len(catalog) == 1, catalog.diagnostics
    assert get(next(iter(catalog))) == value
    assert set(codes(catalog.diagnostics)) <= {"name_not_folder"}  # `id: bazi` in a folder of another name


@pytest.mark.parametrize(
    "key",
    [
        *("has_scripts", "has_references", "has_assets", "arguments", "agent", "model", "effort", "hooks", "paths"),
        *("shell", "required-secrets", "secrets-autonomous"),
    ],
)
def test_a_key_without_effect_here_is_said_to_have_none(key: str) -> None:
    found = report()
    assert read_fields(load_yaml(f"{key}: x\n").data, {key: 2}, found) == {}
    assert [(finding.code, finding.line, bool(finding.hint)) for finding in found] == [("field_ignored", 2, True)]


@pytest.mark.parametrize(
    ("key", "near"),
    [
        ("trigers", "'triggers'"),
        ("descripton", "'description'"),
        ("alowed-tools", "'allowed-tools'"),
        ("alowed_tools", "'allowed_tools'"),
        ("Prioriy", "'priority'"),
        ("require_birth_info", "'requires_birth_info'"),
        ("disable-model-invocaton", "'disable_model_invocation'"),
        ("qqqq", "metadata"),
    ],
)
def test_an_unknown_key_is_reported_with_the_nearest(key: str, near: str) -> None:
    found = report()
    assert read_fields(load_yaml(f"{key}: x\n").data, {key: 2}, found) == {}
    (finding,) = found
    assert (finding.code, finding.line) == ("field_unknown", 2)
    assert near in finding.hint


def test_hundreds_of_unknown_keys_are_one_finding_in_the_end() -> None:
    found = report()
    read_fields(load_yaml("".join(f"k{n}: x\n" for n in range(300))).data, {}, found)
    assert set(codes(found)) == {"field_unknown"}
    assert len(codes(found)) == 21
    assert "280 more" in [*found][-1].message


@pytest.mark.parametrize(
    ("written", "says"),
    [
        ("priority: high", "'high'"),
        ("priority: -1", "'-1'"),
        ("priority: 1.5", "'1.5'"),
        ("priority: 100001", "0 to 100000"),
        ("priority: 1e999", "1e999"),
        ("enabled: maybe", "'maybe'"),
        ("mode: turbo", "'turbo'"),
        ("title: [a]", "must be a text"),
        ("tags: {a: b}", "list of texts"),
        ("tags: [[a]]", "list of texts"),
        ("inputs: [a]", "map"),
        ("sop: [a]", "list of maps"),
        ("features: {a: b}", "list of maps"),
        ("allowed_tools:", "no tools"),
    ],
)
def test_a_value_that_cannot_be_used_is_replaced_and_said(written: str, says: str) -> None:
    found = report()
    data = load_yaml(f"{written}\n")
    read_fields(data.data, data.lines, found)
    (finding,) = found
    assert (finding.code, finding.effect, finding.line) == ("field_invalid", "repaired", 1)
    assert says in finding.message
    assert finding.hint


@pytest.mark.parametrize("key", ["allowed_tools", "allowed-tools", "forbidden_tools", "disallowed-tools"])
@pytest.mark.parametrize("value", ["{a: b}", "[[a]]", "Bash(git", "Bash)git(", "(git:*)"])
def test_a_list_that_keeps_tools_away_is_read_or_the_skill_is_refused(key: str, value: str) -> None:
    found = report()
    read_fields(load_yaml(f"{key}: {value}\n").data, {}, found)
    assert [(finding.code, finding.effect) for finding in found] == [("tool_list_invalid", "refused")]


def test_a_blank_list_of_allowed_tools_allows_nothing(tmp_path: Path) -> None:
    assert only(tmp_path, {"a/SKILL.md": skill_md("a", "allowed_tools:\n")}).allowed_tools == ()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Bash(git:*) Bash(jq:*) Read", ["Bash(git:*)", "Bash(jq:*)", "Read"]),
        ("Bash (git:*), Read", ["Bash(git:*)", "Read"]),
        ("a，b、c", ["a", "b", "c"]),
        ("a a", ["a"]),
        ("", []),
    ],
)
def test_words_are_split_on_blanks_and_commas(text: str, words: list[str]) -> None:
    assert read_fields({"allowed-tools": text}, {}, report()).get("allowed-tools", []) == words


def test_a_sentence_is_not_cut_at_its_commas() -> None:
    values = read_fields({"examples": "Check this, please\nAnd that, too", "tags": "a, b"}, {}, report())
    assert values == {"examples": ["Check this, please", "And that, too"], "tags": ["a", "b"]}


@pytest.mark.parametrize("blank", ["", "~", "null"])
def test_a_blank_value_is_no_value(blank: str) -> None:
    data = load_yaml(f"title: {blank}\ndescription: {blank}\npriority: {blank}\ntags: {blank}\n").data
    found = report()
    assert read_fields(data, {}, found) == {}
    assert codes(found) == []


def test_far_too_many_items_are_refused() -> None:
    found = report()
    read_fields({"tags": [str(n) for n in range(MAX_LIST_ITEMS + 1)]}, {}, found)
    assert [(finding.code, finding.effect) for finding in found] == [("too_many_items", "refused")]


def test_ambiguous_words_are_reported_on_their_own_lines() -> None:
    document = load_yaml("name: no\ntags:\n  - plain\n  - on\n  - 'off'\n  - 2024-01-01\nversion: 1.0\n")
    found = report()
    values = read_fields(document.data, document.lines, found)
    assert values == {"name": "no", "tags": ["plain", "on", "off", "2024-01-01"], "version": "1.0"}
    assert [(finding.code, finding.line) for finding in found] == [
        ("yaml_scalar_ambiguous", line) for line in (1, 4, 6)
    ]


@pytest.mark.parametrize("second", ["keywords", "Triggers", "TRIGGERS"])
def test_one_field_under_two_names_is_said_and_the_first_is_read(second: str) -> None:
    found = report()
    values = read_fields({"triggers": ["a"], second: ["b"]}, {second: 3}, found)
    assert values == {"triggers": ["a"]}
    assert [(finding.code, finding.line) for finding in found] == [("field_repeated", 3)]


@pytest.mark.parametrize(
    ("metadata", "values"),
    [
        pytest.param({"priority": "7"}, {"priority": 7, "metadata": {}}, id="ours"),
        pytest.param({"metier.priority": "7"}, {"priority": 7, "metadata": {}}, id="ours, with a prefix"),
        pytest.param({"metier-user-invocable": "no"}, {"user_invocable": False, "metadata": {}}, id="a dashed prefix"),
        pytest.param({"triggers": '["a", "b"]'}, {"triggers": ["a", "b"], "metadata": {}}, id="a list as JSON"),
        pytest.param({"inputs": '{"type": "object"}'}, {"inputs": {"type": "object"}, "metadata": {}}, id="an object"),
        pytest.param({"author": "me"}, {"metadata": {"author": "me"}}, id="foreign"),
        pytest.param({"model": "opus"}, {"metadata": {"model": "opus"}}, id="known elsewhere"),
        pytest.param({"priority": "high"}, {"metadata": {"priority": "high"}}, id="foreign of the same name"),
        pytest.param({"name": "x"}, {"metadata": {"name": "x"}}, id="the standard's own"),
        pytest.param({"sop": "[broken"}, {"metadata": {"sop": "[broken"}}, id="JSON that is none"),
    ],
)
def test_keys_of_ours_under_metadata_count(metadata: dict[str, str], values: dict[str, JsonValue]) -> None:
    found = report()
    assert read_fields({"metadata": {**metadata}}, {}, found) == values
    assert codes(found) == []


def test_what_stands_at_top_level_wins_and_nothing_is_lost() -> None:
    values = read_fields({"version": "2", "metadata": {"version": "1"}}, {}, report())
    assert values == {"version": "2", "metadata": {"version": "1"}}


def test_a_key_with_our_prefix_is_meant_for_us_and_judged() -> None:
    found = report()
    document = load_yaml("metadata:\n  metier.priority: high\n")
    read_fields(document.data, document.lines, found)
    assert [(finding.code, finding.line) for finding in found] == [("field_invalid", 2)]


def test_metadata_is_found_however_it_is_spelt() -> None:
    assert read_fields({"Metadata": {"priority": "7"}}, {}, report()) == {"priority": 7, "metadata": {}}


def test_every_name_of_a_field_finds_it() -> None:
    for name, field in FIELDS.items():
        assert find_field(name) is field
        assert find_field(name.upper()) is field
        assert find_field(name.replace("_", "-")) in (field, FIELDS["allowed-tools"])


@settings(deadline=None)
@given(st.text())
def test_any_key_gets_a_hint(key: str) -> None:
    assert suggest_key(key)


@settings(deadline=None)
@given(st.text(alphabet=st.sampled_from("abc:[]{}, \n-'\"0.()（），metadata")))
def test_any_front_matter_that_parses_is_read_without_a_fall(text: str) -> None:
    try:
        document = load_yaml(text)
    except YamlRefused:
        return
    read_fields(document.data, document.lines, report())
