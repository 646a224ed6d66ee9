"""Failures of the pack's tools as sentences in the user's language: loaders and operators give them in English."""

from collections.abc import Callable
from functools import wraps

from metier.errors import MetierError
from metier.language import Language
from metier.packs.phm.diagnosis import load_registry
from metier.tools import ToolContext, ToolError, ToolResult


def tell_failures(tool: Callable[..., ToolResult]) -> Callable[..., ToolResult]:
    """The tool with its expected failures told in the language of the call, else in that of the conversation."""

    @wraps(tool)
    def run(context: ToolContext, *args: object, **arguments: object) -> ToolResult:
        try:
            return tool(context, *args, **arguments)
        except ToolError as error:
            code, message, hint = error.failure.code, error.failure.message, error.failure.hint
            raise _translate(code, message, hint, _choose_language(context, arguments)) from error
        except MetierError as error:
            raise _translate(error.code, error.message, error.hint, _choose_language(context, arguments)) from error

    return run


def _choose_language(context: ToolContext, arguments: dict[str, object]) -> Language:
    asked = arguments.get("language")
    return asked if asked in ("zh", "en") else context.language


def _translate(code: str, message: str, hint: str, language: Language) -> ToolError:
    registry = load_registry()
    said, advised = (registry.translate_reason(one, language) for one in (message, hint))
    return ToolError(said, code=code, hint=advised)
