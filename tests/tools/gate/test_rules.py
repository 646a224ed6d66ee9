from pathlib import Path

import pytest

from metier.errors import InvalidRules, PathNotFound
from metier.tools import Rules, load_plan_rules, load_policy, rules_from_skills
from tests.tools.support import skill


def _file(name: str, text: str) -> Path:
    path = Path(name)
    path.write_text(text, "utf-8")
    return path


def test_a_policy_file_becomes_the_operators_rules() -> None:
    path = _file("policy.toml", 'forbidden = ["run_in_terminal", "mcp__*"]\nconfirm = ["write_file"]\n')
    assert load_policy(path) == Rules(
        "operator",
        "policy policy.toml",
        forbidden=frozenset({"run_in_terminal", "mcp__*"}),
        confirm=frozenset({"write_file"}),
    )


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("plan.toml", 'allowed = ["web_search"]\nforbidden = ["pdf"]'),
        ("plan.json", '{"allowed": ["web_search"], "forbidden": ["pdf"]}'),
        (
            "whole.json",
            '{"goal": "调研", "steps": [], "constraints": {"allowed": ["web_search"], "forbidden": ["pdf"]}}',
        ),
        ("goal.toml", 'goal = "调研"\nallowed = ["web_search"]\nforbidden = ["pdf"]'),
    ],
)
def test_a_plan_may_be_toml_or_json_whole_or_in_part(name: str, text: str) -> None:
    rules = load_plan_rules(_file(name, text))
    assert rules == Rules("plan", f"plan {name}", frozenset({"web_search"}), frozenset({"pdf"}))


def test_an_empty_allow_list_allows_nothing() -> None:
    assert load_policy(_file("policy.toml", "allowed = []")).allowed == frozenset()


@pytest.mark.parametrize(
    ("name", "text", "word"),
    [
        ("p.toml", 'forbiden = ["pdf"]', "unknown key 'forbiden'"),
        ("p.toml", 'forbidden = "pdf"', "must be a list"),
        ("p.toml", "forbidden = [1]", "holds '1'"),
        ("p.toml", 'forbidden = [""]', "holds ''"),
        ("p.toml", "forbidden = [", "is not TOML"),
        ("p.json", "[]", "one JSON object"),
        ("p.json", '{"forbidden": ["a"], "forbidden": []}', "written twice"),
        ("p.toml", "x" * 1_100_000, "larger than"),
        ("p.toml", "x = " + "[" * 5_000, "is not TOML"),
    ],
    ids=lambda value: value[:30],
)
def test_a_list_that_cannot_be_read_is_refused_not_ignored(name: str, text: str, word: str) -> None:
    with pytest.raises(InvalidRules, match=word) as caught:
        load_policy(_file(name, text))
    assert caught.value.hint


def test_a_file_that_is_not_there_or_not_text_is_said_to_be(tmp_path: Path) -> None:
    with pytest.raises(PathNotFound):
        load_policy(tmp_path / "none.toml")
    with pytest.raises(InvalidRules, match="cannot be read"):
        load_policy(tmp_path)
    (tmp_path / "latin.toml").write_bytes(b'forbidden = ["caf\xe9"]')
    with pytest.raises(InvalidRules, match="not UTF-8"):
        load_policy(tmp_path / "latin.toml")


@pytest.mark.parametrize(
    "text",
    ['{"constraints": {"preapproved": ["pay"]}}', '{"constraints": {"alowed": []}}', '{"constraints": []}'],
)
def test_a_plans_constraints_are_read_or_refused(text: str) -> None:
    with pytest.raises(InvalidRules):
        load_plan_rules(_file("plan.json", text))


def test_a_plan_does_not_approve_in_a_persons_place() -> None:
    assert load_plan_rules(_file("plan.json", '{"goal": "x", "preapproved": ["pay"]}')).preapproved == frozenset()


def test_no_skill_has_nothing_to_say() -> None:
    assert rules_from_skills(()) == ()


def test_a_condition_counts_unless_another_skill_lists_the_tool_plainly() -> None:
    git, shell = skill("git", allowed=["shell(git:*)"]), skill("shell", allowed=["shell"])
    assert rules_from_skills([git])[0].confirm == {"shell"}
    assert rules_from_skills([git, shell])[0].confirm == frozenset()


def test_preapproval_with_a_condition_is_none() -> None:
    assert rules_from_skills([skill("git", preapproved=["shell(git:*)", "log"], trusted=True)])[0].preapproved == {
        "log"
    }
