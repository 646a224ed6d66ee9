"""Names of variables and keys: which may be settings, and which look like settings and are none."""

import logging
from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Final

from pydantic import AliasChoices, BaseModel

from metier.errors import InvalidSettings
from metier.names import suggest

__all__ = ["check_given_names", "describe_unknown_names", "may_set", "warn_once"]

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


def check_given_names(given: Iterable[str], settings: type[BaseModel]) -> None:
    """Raise `InvalidSettings` for an argument that is no setting: a slip of the pen would keep the default."""
    known = settings.model_fields.keys()
    for name in given:
        if name not in known and name.lower() not in _list_aliases(settings):
            hint = suggest(name, known, "`metier settings` lists every setting")
            raise InvalidSettings(f"{name!r} is no setting", hint=hint)


def may_set(variables: Iterable[str], settings: type[BaseModel]) -> bool:
    """Whether one of these variables may be a setting; to ask for every setting takes 10 ms."""
    given = [name.lower() for name in variables]
    return any(name.startswith(_PREFIX.lower()) for name in given) or not _list_aliases(settings).isdisjoint(given)


@cache
def _list_aliases(settings: type[BaseModel]) -> frozenset[str]:
    aliases = (field.validation_alias for field in settings.model_fields.values())
    return frozenset(str(one).lower() for alias in aliases if isinstance(alias, AliasChoices) for one in alias.choices)


@lru_cache(maxsize=1)
def warn_once(sentences: tuple[str, ...]) -> None:
    """Log each sentence as a warning, unless the same ones were logged before."""
    for sentence in sentences:
        _log.warning("%s", sentence)


def _describe(name: str, known: Iterable[str]) -> str:
    return f"{name} is no setting; {suggest(name, known, '`metier settings` lists them')}"
