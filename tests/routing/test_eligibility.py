import pytest

from metier.routing._eligibility import RoutingConstraints, ineligible_reason, split_eligible
from metier.skills import DeclaredTool, Invocation, Skill
from tests.routing.support import catalog, skill

BASE = skill("base")
OFF = skill("off", enabled=False)


@pytest.mark.parametrize(
    ("one", "offer", "code", "said"),
    [
        pytest.param(OFF, RoutingConstraints(), "disabled", "it is switched off", id="disabled"),
        pytest.param(
            skill("a", hosts=("et",)),
            RoutingConstraints(host="writer"),
            "host",
            "it is for et, not for writer",
            id="host",
        ),
        pytest.param(
            skill("a", hosts=("wps",)),
            RoutingConstraints(host="browser"),
            "host",
            "it is for wps, not for browser",
            id="not office",
        ),
        pytest.param(
            skill("a", group="life"),
            RoutingConstraints(groups=("telecom",)),
            "group",
            "group 'life' is not allowed here",
            id="group",
        ),
        pytest.param(
            skill("a", tools=(DeclaredTool("search"),)),
            RoutingConstraints(tools=("shell",)),
            "missing_tool",
            "it needs the tool 'search', which is not there",
            id="missing tool",
        ),
        pytest.param(
            skill("a", requires=("gone",)),
            RoutingConstraints(),
            "missing_skill",
            "it needs the skill 'gone', which is not loaded",
            id="missing skill",
        ),
        pytest.param(
            skill("a", requires=("off",)),
            RoutingConstraints(),
            "required_off",
            "it needs the skill 'off', which is switched off",
            id="required skill switched off",
        ),
        pytest.param(
            skill("a", invocation=Invocation(by_model=False)),
            RoutingConstraints(),
            "not_offered",
            "only a person may start it, by name",
            id="for people only",
        ),
        pytest.param(
            skill("a", invocation=Invocation(automatic=False)),
            RoutingConstraints(),
            "not_offered",
            "only a person may start it, by name",
            id="not automatic",
        ),
    ],
)
def test_a_skill_that_cannot_be_meant_says_why(one: Skill, offer: RoutingConstraints, code: str, said: str) -> None:
    offered, refused = split_eligible(catalog(BASE, OFF, one), offer)
    assert one not in offered
    reason = next(found for found in refused if found.skill == one.id)
    assert (reason.code, reason.text()) == (code, said)
    assert BASE in offered


@pytest.mark.parametrize(
    ("one", "offer"),
    [
        pytest.param(skill("a"), RoutingConstraints("writer", ("g",), ("t",)), id="asks for nothing"),
        pytest.param(skill("a", hosts=("writer",)), RoutingConstraints(), id="host not known"),
        pytest.param(skill("a", hosts=("Writer",)), RoutingConstraints(host="writer"), id="host in another case"),
        pytest.param(skill("a", hosts=("*",)), RoutingConstraints(host="writer"), id="any host"),
        pytest.param(skill("a", hosts=("wps",)), RoutingConstraints(host="et"), id="office family"),
        pytest.param(skill("a", hosts=("office",)), RoutingConstraints(host="wpp"), id="office"),
        pytest.param(skill("a", group="g"), RoutingConstraints(groups=("g",)), id="group allowed"),
        pytest.param(skill("a", tools=(DeclaredTool("t"),)), RoutingConstraints(), id="tools not known"),
        pytest.param(skill("a", tools=(DeclaredTool("t"),)), RoutingConstraints(tools=("t",)), id="tool there"),
        pytest.param(
            skill("a", tools=(DeclaredTool("t", origin="script"),)), RoutingConstraints(tools=()), id="brings its tool"
        ),
        pytest.param(skill("a", requires=("base",)), RoutingConstraints(), id="required skill there"),
    ],
)
def test_a_skill_that_can_be_meant(one: Skill, offer: RoutingConstraints) -> None:
    assert split_eligible(catalog(one, BASE), offer) == (tuple(catalog(one, BASE)), ())


def test_a_person_may_name_what_is_not_offered() -> None:
    private = skill("a", invocation=Invocation(automatic=False))
    assert ineligible_reason(private, catalog(private), RoutingConstraints(), by_name=True) is None


def test_a_person_may_not_name_what_only_the_model_starts() -> None:
    hidden = skill("a", invocation=Invocation(by_user=False))
    reason = ineligible_reason(hidden, catalog(hidden), RoutingConstraints(), by_name=True)
    assert reason is not None
    assert (reason.code, reason.text()) == ("not_by_name", "it cannot be started by name")
