"""Tasks of a message: what kind it is, which skill is asked for what, in which order, and how far the work is."""

from metier.tasks._analysis import Complexity, TaskAnalysis, TaskNote
from metier.tasks._analyzer import TaskAnalyzer, open_analyzer
from metier.tasks._commands import CommandKind, SkillCommands, parse_commands
from metier.tasks._graph_path import PathProblem, find_path_problems
from metier.tasks._order import describe_order, has_clear_order
from metier.tasks._outputs import TaskOutput, collect_output, select_inputs
from metier.tasks._second_type import TypeScores, compute_second_features, list_seconds, split_parts
from metier.tasks._task_list import Task, TaskList, TaskState, tasks_from_json
from metier.tasks._type_model import TaskTypeModel, TypeJudgement, compute_features, load_type_model

__all__ = [
    "CommandKind",
    "Complexity",
    "PathProblem",
    "SkillCommands",
    "Task",
    "TaskAnalysis",
    "TaskAnalyzer",
    "TaskList",
    "TaskNote",
    "TaskOutput",
    "TaskState",
    "TaskTypeModel",
    "TypeJudgement",
    "TypeScores",
    "collect_output",
    "compute_features",
    "compute_second_features",
    "describe_order",
    "find_path_problems",
    "has_clear_order",
    "list_seconds",
    "load_type_model",
    "open_analyzer",
    "parse_commands",
    "select_inputs",
    "split_parts",
    "tasks_from_json",
]
