"""Parse and evaluate approval rules: never, always, or a JMESPath expression over the arguments."""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

from metier.errors import InvalidTool, TooManySteps
from metier.json_values import JsonObject, JsonValue
from metier.limits import INLINE_STEPS, BadExpression, evaluate, limit_steps, parse_expression
from metier.tools._spec import ALWAYS, NEVER, Approval

# A lone word is a slip ("alway"): as an expression it would never ask. A yes-or-no argument is written "when urgent".
_WORD: Final = re.compile(r"\w+")
_MAX_CHARS: Final = 1_000
_HINT: Final = 'write "never", "always" or {"when": "amount > `1000`"}'


def parse_approval(value: JsonValue) -> Approval:
    """Parse an approval as written in a skill or a pack; raise `InvalidTool` if the expression is invalid."""
    match value:
        case None | False | "never":
            return NEVER
        case True | "always":
            return ALWAYS
        case str() if not _WORD.fullmatch(value.strip()) or value.strip() in ("never", "always"):
            expression = value.strip().removeprefix("when ").strip()
        case Mapping() if set(value) == {"when"} and isinstance(value["when"], str):
            expression = value["when"].strip()
        case _:
            raise InvalidTool(f"approval cannot be {str(value)[:80]!r}", hint=_HINT)
    if expression in ("never", "always"):
        return Approval("always") if expression == "always" else NEVER
    approval = Approval("expression", expression)
    check_approval(approval)
    return approval


def check_approval(approval: Approval) -> None:
    """Raise `InvalidTool` if the approval expression is invalid."""
    if approval.when != "expression":
        return
    if not approval.expression or len(approval.expression) > _MAX_CHARS:
        raise InvalidTool("approval needs an expression of at most 1000 characters", hint=_HINT)
    try:
        _parse_once(approval.expression)
    except BadExpression as error:
        raise InvalidTool(
            f"approval expression {approval.expression[:80]!r} cannot be read: {error}", hint=_HINT
        ) from error


def needs_approval(approval: Approval, arguments: JsonObject) -> bool:
    """Return whether a person must approve this call.

    An expression that fails on the arguments, or takes too many steps, counts as yes.
    """
    if approval.when != "expression":
        return approval.when == "always"
    from jmespath.exceptions import JMESPathError

    try:
        with limit_steps(INLINE_STEPS):  # decided on the event loop, so within what is not noticed there
            return bool(evaluate(_parse_once(approval.expression), arguments))
    except (JMESPathError, TypeError, ValueError, ArithmeticError, AttributeError, RecursionError, TooManySteps):
        return True


@lru_cache(maxsize=1024)
def _parse_once(expression: str) -> Any:
    return parse_expression(expression)
