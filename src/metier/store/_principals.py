"""Who asks: a user, the key it came with and the roles of that key."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal, get_args

from metier.errors import InvalidInput, RoleMissing
from metier.names import suggest

KeyRole = Literal["user", "approver", "operator"]

KEY_ROLES: Final[tuple[KeyRole, ...]] = get_args(KeyRole)
ALL_ROLES: Final[frozenset[KeyRole]] = frozenset(KEY_ROLES)
LOCAL_USER: Final = "local"


@dataclass(frozen=True, slots=True)
class Principal:
    """User and key of a request. `key` is the id of the key, never the key itself; empty on a server without keys."""

    user: str
    key: str = ""
    roles: frozenset[KeyRole] = ALL_ROLES

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
