"""Parse and evaluate approval rules: never, always, or a JMESPath expression over the arguments."""

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from metier.errors import InvalidTool
from metier.json_values import JsonObject, JsonValue
from metier.tools._spec import ALWAYS, NEVER, Approval

if TYPE_CHECKING:
    from jmespath.parser import ParsedResult

_MAX_CHARS: Final = 1_000
_HINT: Final = 'write "never", "always" or {"when": "amount > `1000`"}'


def parse_approval(value: JsonValue) -> Approval:
    """Parse an approval as written in a skill or a pack; raise `InvalidTool` if the expression is invalid."""
    match value:
        case None | False | "never":
            return NEVER
        case True | "always":
            return ALWAYS
        case str():
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
    from jmespath.exceptions import JMESPathError, JMESPathTypeError

    if not approval.expression or len(approval.expression) > _MAX_CHARS:
        raise InvalidTool("approval needs an expression of at most 1000 characters", hint=_HINT)
    try:
        _compile_expression(approval.expression).search(
            {}
        )  # JMESPath reports unknown functions only when they are called
    except JMESPathTypeError:
        return  # a type error on empty arguments does not make the expression invalid
    except (JMESPathError, RecursionError) as error:
        why = str(error).splitlines()[0][:160]
        raise InvalidTool(
            f"approval expression {approval.expression[:80]!r} cannot be read: {why}", hint=_HINT
        ) from error


def needs_approval(approval: Approval, arguments: JsonObject) -> bool:
    """Return whether a person must approve this call.

    An expression that fails on the arguments counts as yes.
    """
    if approval.when != "expression":
        return approval.when == "always"
    from jmespath.exceptions import JMESPathError

    try:
        return bool(_compile_expression(approval.expression).search(arguments))
    except (JMESPathError, TypeError, ValueError, ArithmeticError, AttributeError, RecursionError):
        return True


@lru_cache(maxsize=1024)
def _compile_expression(expression: str) -> "ParsedResult":
    import jmespath

    return jmespath.compile(expression)
