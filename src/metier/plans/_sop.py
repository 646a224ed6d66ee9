"""The SOP of a skill's front matter, made a plan."""

from dataclasses import replace

from metier.errors import InvalidSkill
from metier.plans._plan import Constraints, Plan
from metier.plans._problems import Findings, Problem
from metier.plans._read import PlanReading, read_plan, summary
from metier.plans._tools import check_tools
from metier.skills import Skill
from metier.tools import skill_rules


def read_sop(skill: Skill) -> PlanReading:
    """The plan that a skill's `sop` and `milestones` describe, or everything that is wrong with them.

    A skill without steps gives a plan without steps, whose source is `none`: the model works freely within the
    skill's tools.
    """
    written = {
        "goal": skill.title or skill.id,
        "source": "sop" if skill.sop else "none",
        "steps": list(skill.sop),
        "milestones": list(skill.milestones),
    }
    reading = read_plan(written)
    if reading.plan is None:
        return PlanReading(None, tuple(_in_skill(problem) for problem in reading.problems))
    plan = replace(reading.plan, constraints=skill_constraints(skill))
    found = Findings()
    check_tools(plan, plan.constraints, found)
    problems = tuple(_in_skill(problem) for problem in found.problems)
    return PlanReading(None if problems else plan, problems)


def compile_sop(skill: Skill) -> Plan:
    """The plan of a skill; `InvalidSkill` names the first problem and counts the others."""
    reading = read_sop(skill)
    if reading.plan is None:
        message = f"the sop of skill {skill.id!r} cannot be used: {summary(reading.problems)}"
        raise InvalidSkill(message, hint=reading.problems[0].hint)
    return reading.plan


def skill_constraints(skill: Skill) -> Constraints:
    """Which tools a skill's plan may use, as the gate reads the skill."""
    (rules,) = skill_rules((skill,))
    allowed = None if rules.allowed is None else tuple(sorted(rules.allowed))
    return Constraints(allowed, tuple(sorted(rules.forbidden)), "skill")


def _in_skill(problem: Problem) -> Problem:
    """The front matter says `sop` where a plan says `steps`."""
    return replace(problem, path=problem.path.replace("/steps", "/sop", 1))
