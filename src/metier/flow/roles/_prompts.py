"""Prompts of the four roles, as the seed of this room words them."""

import json
from collections.abc import Sequence
from typing import Final

from metier.json_values import JsonObject, JsonValue
from metier.language import Language, choose

_PLANNER: Final = """You are an expert engineer. Your task is to break down a high-level user request into a clear, \
step-by-step analysis plan.

{skill}User request: {instruction}
Known facts: {facts}
Data: {data}
{feedback}
Provide the plan as a numbered list of high-level goals. Each goal should be a concise, actionable instruction. Do not \
include any preamble or explanation. At most {most} goals; they are pursued in parallel, each on its own. \
Write in {language}."""
_FEEDBACK: Final = """Based on the previous feedback, please refine or create a new plan. Feedback: {feedback}
"""
_EXECUTOR: Final = """You are a signal processing expert. Your goal is to select the next best action to achieve the \
high-level plan.

Plan: {plan}
Your goal: {goal}
Known facts: {facts}

Current data (DAG): {dag}

Available tools: {operators}
{notes}
Based on the plan and the current data, select the single next tool to use. Respond with a JSON object containing \
`op_name`, `params` and `inputs` (ids of nodes, in the order of the tool's inputs; the latest leaf if left out). If \
you think the goal is reached, respond with {{"op_name": "stop"}}."""
_REFLECTOR: Final = """You are a quality assurance expert for a data analysis pipeline.

{skill}User's goal: {instruction}
Known facts: {facts}
Analysis so far, one DAG per goal: {dags}
{findings}
Based on the user's goal and the analysis performed so far, is the information sufficient to make a final diagnosis? \
Compare the DAGs and keep the best parts. Answer with a JSON object containing the keys `is_sufficient` (boolean), \
`reason` (string, explaining your thought process and what is missing if not sufficient), `decision` ("patch" to add \
to what is kept, "replan" to start again with another plan, "halt" if nothing more can be done) and `keep` (object: id \
of a node to keep, and why). Write the texts in {language}."""
_REPORTER: Final = """You are a senior engineer writing a final report for a client.

{skill}Original task: {instruction}
Known facts: {facts}
Evidence (DAG): {dags}
Judgement of the analysis: {judgement}
{draft}
Based on the evidence in the analysis graph, write a comprehensive, clear, and professional report in Markdown format. \
Start with a clear conclusion, then provide a step-by-step justification referencing the operations in the graph by \
node id. Use only numbers that stand in the evidence. Write in {language}."""
_SKILL: Final = """Instructions of the skill that this work follows:
{skill}

"""
_REPAIR: Final = """

Your last reply could not be used: {problem}. Reply again, in the required form only."""


def planner_prompt(
    instruction: str,
    facts: JsonObject,
    data: JsonValue,
    feedback: Sequence[str],
    *,
    most: int,
    language: Language,
    skill: str = "",
) -> str:
    """Ask for goals; the last feedback is part of it."""
    told = _FEEDBACK.format(feedback=feedback[-1]) if feedback else ""
    return _PLANNER.format(
        skill=_format_skill(skill),
        instruction=instruction,
        facts=_dump(facts),
        data=_dump(data),
        feedback=told,
        most=most,
        language=_name(language),
    )


def executor_prompt(
    goals: Sequence[str], goal: str, facts: JsonObject, *, dag: JsonValue, operators: JsonValue, notes: Sequence[str]
) -> str:
    """Ask for the next execution, with what was refused before."""
    told = "\n".join(f"Note: {one}" for one in notes[-4:])
    return _EXECUTOR.format(
        plan=_dump(list(goals)), goal=goal, facts=_dump(facts), dag=_dump(dag), operators=_dump(operators), notes=told
    )


def reflector_prompt(
    instruction: str,
    facts: JsonObject,
    dags: JsonValue,
    findings: Sequence[str],
    language: Language,
    *,
    skill: str = "",
) -> str:
    """Ask whether the evidence suffices."""
    told = "\n".join(f"Finding: {one}" for one in findings)
    return _REFLECTOR.format(
        skill=_format_skill(skill),
        instruction=instruction,
        facts=_dump(facts),
        dags=_dump(dags),
        findings=told,
        language=_name(language),
    )


def reporter_prompt(
    instruction: str,
    facts: JsonObject,
    dags: JsonValue,
    *,
    judgement: str,
    draft: str,
    language: Language,
    skill: str = "",
) -> str:
    """Ask for the report; `draft` is what the rules found, which must not be contradicted."""
    told = f"Findings of the rules, which must not be contradicted:\n{draft}\n" if draft else ""
    return _REPORTER.format(
        skill=_format_skill(skill),
        instruction=instruction,
        facts=_dump(facts),
        dags=_dump(dags),
        judgement=judgement,
        draft=told,
        language=_name(language),
    )


def repair_prompt(prompt: str, problem: str) -> str:
    """The same question again, with what was wrong with the last reply."""
    return prompt + _REPAIR.format(problem=problem)


def _format_skill(text: str) -> str:
    return _SKILL.format(skill=text.strip()) if text.strip() else ""


def _dump(value: JsonValue) -> str:
    return json.dumps(value, ensure_ascii=False, default=dict)


def _name(language: Language) -> str:
    return choose(language, en="English", zh="Chinese")
