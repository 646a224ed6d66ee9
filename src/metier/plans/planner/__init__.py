"""Planner: plans by rule from the task types of a message, and the parts that every planned step must have."""

from metier.plans.planner._complete import complete_plan, find_incomplete_steps
from metier.plans.planner._rules import MAX_JOINT_STEPS, choose_max_steps, plan_by_rules

__all__ = ["MAX_JOINT_STEPS", "choose_max_steps", "complete_plan", "find_incomplete_steps", "plan_by_rules"]
