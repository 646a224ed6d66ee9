"""Several skills for one message: which is asked for what, in which order, and how far the work is."""

from metier.tasks._commands import CommandKind, SkillCommands, parse_commands
from metier.tasks._graph_path import PathProblem, find_path_problems
from metier.tasks._order import describe_order, has_clear_order
from metier.tasks._outputs import TaskOutput, collect_output, select_inputs
from metier.tasks._task_list import Task, TaskList, TaskState, tasks_from_json

__all__ = [
    "CommandKind",
    "PathProblem",
    "SkillCommands",
    "Task",
    "TaskList",
    "TaskOutput",
    "TaskState",
    "collect_output",
    "describe_order",
    "find_path_problems",
    "has_clear_order",
    "parse_commands",
    "select_inputs",
    "tasks_from_json",
]
