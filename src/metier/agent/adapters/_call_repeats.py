"""Counts calls that a model makes again and again with the same arguments and the same result."""

from dataclasses import dataclass, field
from hashlib import sha256
from typing import Final

from metier.tools import ToolCall, digest_arguments

MAX_REPEATS: Final = 3


@dataclass(slots=True)
class CallRepeats:
    """Calls of one turn by tool and arguments: how often in a row each gave the same result.

    A call that may have changed something starts the count of all others again: what it changed may change their
    results.
    """

    _runs: dict[tuple[str, str], tuple[int, str]] = field(default_factory=dict)

    def record(self, call: ToolCall, result: str, *, has_effects: bool) -> None:
        """Count a call that ran."""
        key, digest = _key(call), sha256(result.encode("utf-8", "surrogatepass")).hexdigest()
        count, earlier = self._runs.get(key, (0, ""))
        if has_effects:
            self._runs.clear()
        self._runs[key] = (count + 1 if digest == earlier else 1, digest)

    def is_repeated(self, call: ToolCall) -> bool:
        """Whether this call has run so often with the same result that another run would tell nothing new."""
        return self._runs.get(_key(call), (0, ""))[0] >= MAX_REPEATS


def _key(call: ToolCall) -> tuple[str, str]:
    return call.name, digest_arguments(call.arguments)
