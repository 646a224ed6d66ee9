"""Names of variables and keys that look like settings and are none."""

import logging
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from metier.names import suggest

__all__ = ["describe_unknown_names", "warn_once"]

_PREFIX: Final = "METIER_"
_VARIABLES_OF_TESTS: Final = frozenset({"METIER_SCREENSHOTS"})
_log = logging.getLogger(__name__)


def describe_unknown_names(variables: Iterable[str], keys: Iterable[str], fields: Iterable[str]) -> tuple[str, ...]:
    """A sentence for each `METIER_*` variable and each key of `metier.toml` that is no field of the settings."""
    known = set(fields)
    named = {f"{_PREFIX}{name.upper()}" for name in known}
    wrong = {name.upper() for name in variables} - named - _VARIABLES_OF_TESTS
    return (
        *(_describe(name, named) for name in sorted(wrong) if name.startswith(_PREFIX)),
        *(f"metier.toml: {_describe(key, known)}" for key in sorted(set(keys) - known - named)),
    )


@lru_cache(maxsize=1)
def warn_once(sentences: tuple[str, ...]) -> None:
    """Log each sentence as a warning, unless the same ones were logged before."""
    for sentence in sentences:
        _log.warning("%s", sentence)


def _describe(name: str, known: Iterable[str]) -> str:
    return f"{name} is no setting; {suggest(name, known, '`metier settings` lists them')}"
