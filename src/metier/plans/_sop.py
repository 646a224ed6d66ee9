"""Compiles the SOP in a skill's front matter to a plan."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from metier.errors import InvalidSkill
from metier.json_values import JsonObject, JsonValue
from metier.language import Language
from metier.plans._plan import Constraints, Plan
from metier.plans._problems import PlanProblem, ProblemCollector
from metier.plans._read import PlanReading, read_plan, summarise_problems
from metier.plans._tool_rules import check_tools
from metier.skills import Skill
from metier.tools import rules_from_skills

_LANGUAGES: Final = frozenset({"zh", "en"})


def read_sop(skill: Skill, language: Language = "zh") -> PlanReading:
    """Read the plan described by a skill's `sop` and `milestones`, or all problems in them.

    Texts for people (`title`, `ask`, the texts of choices, the names of milestones, titles and labels of facts) may be
    given in both languages: `{zh: …, en: …}`. A skill without steps gives a plan without steps, with the source `none`:
    the model works freely within the skill's tools.
    """
    written = {
        "goal": skill.title_in(language) or skill.id,
        "source": "sop" if skill.sop else "none",
        "steps": [_localise_step(step, language) for step in skill.sop],
        "milestones": [_localise_milestone(one, language) for one in skill.milestones],
    }
    reading = read_plan(written)
    if reading.plan is None:
        return PlanReading(None, tuple(_with_sop_path(problem) for problem in reading.problems))
    plan = replace(reading.plan, constraints=constraints_from_skill(skill))
    found = ProblemCollector()
    check_tools(plan, plan.constraints, found)
    problems = tuple(_with_sop_path(problem) for problem in found.problems)
    return PlanReading(None if problems else plan, problems)


def compile_sop(skill: Skill, language: Language = "zh") -> Plan:
    """Compile the plan of a skill; `InvalidSkill` names the first problem and counts the others."""
    reading = read_sop(skill, language)
    if reading.plan is None:
        message = f"the sop of skill {skill.id!r} cannot be used: {summarise_problems(reading.problems)}"
        raise InvalidSkill(message, hint=reading.problems[0].hint)
    return reading.plan


def constraints_from_skill(skill: Skill) -> Constraints:
    """Tools a skill's plan may use, as the gate reads the skill."""
    (rules,) = rules_from_skills((skill,))
    allowed = None if rules.allowed is None else tuple(sorted(rules.allowed))
    return Constraints(allowed, tuple(sorted(rules.forbidden)), "skill")


def _localise_step(step: JsonObject, language: Language) -> JsonObject:
    told = {key: _localise_text(value, language) if key in ("title", "ask") else value for key, value in step.items()}
    choices = told.get("choices")
    if isinstance(choices, list | tuple):
        told["choices"] = [_localise_choice(one, language) for one in choices]
    facts = told.get("facts")
    if isinstance(facts, Mapping):
        told["facts"] = {name: _localise_fact(one, language) for name, one in facts.items()}
    return told


def _localise_fact(fact: JsonValue, language: Language) -> JsonValue:
    if not isinstance(fact, Mapping):
        return fact
    return {key: _localise_text(one, language) if key in ("title", "label") else one for key, one in fact.items()}


def _localise_milestone(milestone: JsonObject, language: Language) -> JsonObject:
    return {key: _localise_text(value, language) if key == "name" else value for key, value in milestone.items()}


def _localise_choice(choice: JsonValue, language: Language) -> JsonValue:
    if isinstance(choice, Mapping) and "text" in choice:
        return {**choice, "text": _localise_text(choice["text"], language)}
    return _localise_text(choice, language)


def _localise_text(words: JsonValue, language: Language) -> JsonValue:
    """The text in this language, or in the other if it is missing; any other value unchanged."""
    if isinstance(words, Mapping) and words and words.keys() <= _LANGUAGES:
        return words.get(language, next(iter(words.values())))
    return words


def _with_sop_path(problem: PlanProblem) -> PlanProblem:
    """Adjust the path: the front matter says `sop` where a plan says `steps`."""
    return replace(problem, path=problem.path.replace("/steps", "/sop", 1))
