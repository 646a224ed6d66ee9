"""Authentication: API keys by user, and the check that a reachable address has them."""

import hmac
import ipaddress
from collections.abc import Mapping
from typing import Final

from fastapi import Request
from pydantic import SecretStr

from metier.errors import InvalidSettings

_MIN_KEY_CHARS: Final = 16


class Keys:
    """API keys by user, compared in constant time."""

    def __init__(self, keys: Mapping[str, SecretStr]) -> None:
        self._keys = {name: key.get_secret_value().encode() for name, key in keys.items()}
        for name, key in self._keys.items():
            if len(key) < _MIN_KEY_CHARS:
                raise InvalidSettings(
                    f"the API key of {name!r} is too short",
                    hint=f"at least {_MIN_KEY_CHARS} characters, such as `openssl rand -hex 24` gives",
                )

    def __bool__(self) -> bool:
        return bool(self._keys)

    def find_owner(self, given: str) -> str | None:
        """Find the user who owns this key."""
        asked = given.encode("utf-8", "replace")
        found = [name for name, key in self._keys.items() if hmac.compare_digest(key, asked)]
        return found[0] if found else None


def check_binding(host: str, keys: Mapping[str, SecretStr], *, unsafe: bool = False) -> None:
    """Refuse to listen on a reachable address without API keys, unless `unsafe`."""
    if keys or unsafe or is_loopback(host):
        return
    raise InvalidSettings(
        f"listening on {host!r} lets others in, and no API key is set",
        hint="set METIER_API_KEYS, listen on 127.0.0.1, or say --unsafe-no-auth",
    )


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach the host."""
    if host.casefold() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def get_api_key(request: Request) -> str:
    """Get the API key of a request: the bearer token, or `X-API-Key`."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.casefold() == "bearer" and token.strip():
        return token.strip()
    return request.headers.get("x-api-key", "")
