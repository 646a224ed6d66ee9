"""Patterns, expressions and JSON Schemas that others wrote, evaluated within limits: steps, sizes and linear time."""

from metier.limits._diff import diff_lines
from metier.limits._expressions import (
    MAX_COPIES,
    MAX_LEVELS,
    PATH_NODES,
    BadExpression,
    evaluate,
    parse_expression,
)
from metier.limits._patterns import (
    MAX_COMPILE_STEPS,
    MAX_PATTERN_CHARS,
    PATTERN_HINT,
    InvalidPattern,
    Pattern,
    compile_pattern,
    measure_pattern,
)
from metier.limits._schema_shape import MAX_UNUSUAL_KEYWORDS, find_shape_problem, get_properties
from metier.limits._schema_size import (
    MAX_EXPANDED_KEYWORDS,
    MAX_SCHEMA_KEYWORDS,
    MAX_SCHEMA_PATTERN_STEPS,
    REFERENCES,
    SchemaSize,
    describe_excess,
    find_anchors,
    find_target,
    measure_schema,
)
from metier.limits._steps import INLINE_STEPS, MAX_STEPS, limit_steps, run_limited, spend_steps, spend_value

__all__ = [
    "INLINE_STEPS",
    "MAX_COMPILE_STEPS",
    "MAX_COPIES",
    "MAX_EXPANDED_KEYWORDS",
    "MAX_LEVELS",
    "MAX_PATTERN_CHARS",
    "MAX_SCHEMA_KEYWORDS",
    "MAX_SCHEMA_PATTERN_STEPS",
    "MAX_STEPS",
    "MAX_UNUSUAL_KEYWORDS",
    "PATH_NODES",
    "PATTERN_HINT",
    "REFERENCES",
    "BadExpression",
    "InvalidPattern",
    "Pattern",
    "SchemaSize",
    "compile_pattern",
    "describe_excess",
    "diff_lines",
    "evaluate",
    "find_anchors",
    "find_shape_problem",
    "find_target",
    "get_properties",
    "limit_steps",
    "measure_pattern",
    "measure_schema",
    "parse_expression",
    "run_limited",
    "spend_steps",
    "spend_value",
]
