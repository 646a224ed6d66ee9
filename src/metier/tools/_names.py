"""Tool names: validation, reserved names, and the closest match for a misspelt one."""

import re
import unicodedata
from collections.abc import Iterable
from typing import Final

from metier.names import find_nearest

# Tools that control the turn itself. No layer can deny them, and no skill can declare a tool of this name.
CONTROL_TOOLS: Final = frozenset(
    {
        *("ask_user", "leave_skill", "load_rule", "read_document", "read_result", "request_exception", "search_skills"),
        *("show_chart", "use_skill", "write_plan", "write_todos"),
    }
)

_VALID_NAME: Final = re.compile(r"\w[\w.-]{0,63}")
_CALL_SYNTAX: Final = re.compile(r"^(?:functions?|tools?)[./:]|\(.*$")


def tool_name_problem(name: str) -> str:
    """Return why this name is invalid for a tool; empty if it is valid."""
    if not _VALID_NAME.fullmatch(name):
        return "a name has 1 to 64 letters, digits, '_', '-' and '.', and starts with a letter or a digit"
    if unicodedata.normalize("NFKC", name) != name:
        return f"write it plainly: {unicodedata.normalize('NFKC', name)!r}"
    return ""


def find_nearest_name(name: str, known: Iterable[str]) -> str:
    """Return the known name closest to a misspelt one (case, prefix, typo); empty if none is close."""
    folded = {one.casefold(): one for one in sorted(known)}
    plain = _CALL_SYNTAX.sub("", name[:200].strip()).casefold().replace("-", "_").replace(" ", "_")
    return folded.get(find_nearest(plain, folded), "")
