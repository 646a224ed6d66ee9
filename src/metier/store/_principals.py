"""Who asks: a user, the key it came with and the roles of that key; and the keys of the settings."""

import hmac
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Literal, get_args

from pydantic import SecretStr

from metier.errors import InvalidInput, InvalidSettings, RoleMissing
from metier.json_values import JsonObject
from metier.names import suggest

KeyRole = Literal["user", "approver", "operator"]

KEY_ROLES: Final[tuple[KeyRole, ...]] = get_args(KeyRole)
ALL_ROLES: Final[frozenset[KeyRole]] = frozenset(KEY_ROLES)
LOCAL_USER: Final = "local"
SETTINGS_KEY_PREFIX: Final = "settings:"
_MIN_KEY_CHARS: Final = 16


@dataclass(frozen=True, slots=True)
class Principal:
    """User and key of a request. `key` is the id of the key, never the key itself; empty on a server without keys."""

    user: str
    key: str = ""
    roles: frozenset[KeyRole] = ALL_ROLES

    def to_json(self) -> JsonObject:
        """User and key, for events and the audit log."""
        return {"user": self.user, "key": self.key}

    def describe(self) -> str:
        """Name and key: two people may have been given one name, by the settings, the store or the terminal."""
        key = "settings" if self.key.startswith(SETTINGS_KEY_PREFIX) else self.key
        return f"{self.user} ({key})" if key else self.user

    def require(self, role: KeyRole) -> None:
        """Raise `RoleMissing` unless the key has this role."""
        if role not in self.roles:
            raise RoleMissing(
                f"this needs a key with the role {role!r}; yours has: {', '.join(sorted(self.roles))}",
                hint=f"somebody with access to the server makes one: metier keys create --user NAME --role {role}",
            )


def parse_roles(given: str | Iterable[str]) -> frozenset[KeyRole]:
    """Parse roles, joined with ',' or as a list; every key has the role `user`. Raises `InvalidInput`."""
    named = given.split(",") if isinstance(given, str) else list(given)
    roles: set[KeyRole] = {"user"}
    for name in filter(None, (one.strip().casefold() for one in named)):
        known = next((role for role in KEY_ROLES if role == name), None)
        if known is None:
            raise InvalidInput(
                f"there is no role {name[:80]!r}", hint=suggest(name, KEY_ROLES, f"roles: {', '.join(KEY_ROLES)}")
            )
        roles.add(known)
    return frozenset(roles)


class SettingsKeys:
    """API keys of the settings by user, compared in constant time.

    One key has all roles. Of several, each is a user's unless `roles` names more for its user.
    """

    def __init__(self, keys: Mapping[str, SecretStr], roles: Mapping[str, str] | None = None) -> None:
        self._keys = {name: key.get_secret_value().encode() for name, key in keys.items()}
        for name, key in self._keys.items():
            if len(key) < _MIN_KEY_CHARS:
                raise InvalidSettings(
                    f"the API key of {name!r} is too short",
                    hint=f"at least {_MIN_KEY_CHARS} characters, such as `openssl rand -hex 24` gives",
                )
        self._roles = self._read_roles(roles or {})

    def __bool__(self) -> bool:
        return bool(self._keys)

    def find_owner(self, given: str) -> Principal | None:
        """Find who owns this key."""
        asked = given.encode("utf-8", "replace")
        found = [name for name, key in self._keys.items() if hmac.compare_digest(key, asked)]
        return Principal(found[0], f"{SETTINGS_KEY_PREFIX}{found[0]}", self._roles[found[0]]) if found else None

    def _read_roles(self, given: Mapping[str, str]) -> dict[str, frozenset[KeyRole]]:
        if unknown := sorted(given.keys() - self._keys.keys()):
            raise InvalidSettings(
                f"METIER_ROLES names {unknown[0]!r}, who has no key in METIER_API_KEYS",
                hint="the roles of other keys are given by `metier keys create --role`",
            )
        usual = ALL_ROLES if len(self._keys) == 1 else parse_roles("user")
        try:
            return {name: parse_roles(given[name]) if name in given else usual for name in self._keys}
        except InvalidInput as error:
            raise InvalidSettings(f"METIER_ROLES: {error.message}", hint=error.hint) from error


def fold_user_name(name: str) -> str:
    """A name as it looks: `Ann`, `ann` and full-width `ａｎｎ` are one name to whoever reads an approval."""
    return unicodedata.normalize("NFKC", name).casefold()
