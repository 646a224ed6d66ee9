"""One entry for all skills: the document and the task in, the answer and the actions of a plan out."""

from collections.abc import Callable, Mapping
from datetime import date
from types import MappingProxyType
from typing import Final

from metier.language import Language
from metier.packs.office.analysis._model import Proposal, Reading
from metier.packs.office.analysis.meetings import propose_minutes

__all__ = ["TASKS", "propose"]

Propose = Callable[[Reading, str, date, Language], Proposal]

_TASKS: Mapping[str, Propose] = MappingProxyType(
    {
        "meeting-minutes": lambda reading, message, today, language: propose_minutes(
            reading, today=today, language=language
        )
    }
)
TASKS: Final = tuple(_TASKS)


def propose(task: str, reading: Reading, *, message: str = "", today: date, language: Language) -> Proposal:
    """Analyse the document for a task, one of `TASKS`; another task is a `KeyError`."""
    return _TASKS[task](reading, message, today, language)
