"""The four roles of a deep run, each in a model form and a rule form; no LangGraph."""

from metier.flow.roles._execute import execute_goal
from metier.flow.roles._judge import plan_goals, reflect_on, write_report
from metier.flow.roles._rounds import adopt_kept, run_rules
from metier.flow.roles._run import (
    AskModel,
    FlowBudget,
    FlowRun,
    describe_node,
    form_from_json,
    form_to_json,
    goal_from_json,
    goal_to_json,
    name_dag,
    reflection_from_json,
    reflection_to_json,
)
from metier.flow.roles._sentences import render_flow_sentence

__all__ = [
    "AskModel",
    "FlowBudget",
    "FlowRun",
    "adopt_kept",
    "describe_node",
    "execute_goal",
    "form_from_json",
    "form_to_json",
    "goal_from_json",
    "goal_to_json",
    "name_dag",
    "plan_goals",
    "reflect_on",
    "reflection_from_json",
    "reflection_to_json",
    "render_flow_sentence",
    "run_rules",
    "write_report",
]
