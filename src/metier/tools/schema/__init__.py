"""Do values fit a JSON Schema, and if not, why."""

from metier.tools.schema._chinese import translate_problem
from metier.tools.schema._repair import ArgumentRepair, repair_arguments
from metier.tools.schema._validate import ArgumentProblem, argument_problems, check_parameters, parse_json_strings

__all__ = [
    "ArgumentProblem",
    "ArgumentRepair",
    "argument_problems",
    "check_parameters",
    "parse_json_strings",
    "repair_arguments",
    "translate_problem",
]
