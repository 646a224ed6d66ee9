"""The API key of a request, and the check that a reachable address has keys."""

import ipaddress
from collections.abc import Mapping

from fastapi import Request
from pydantic import SecretStr

from metier.errors import InvalidSettings


def check_binding(host: str, keys: Mapping[str, SecretStr], *, unsafe: bool = False) -> None:
    """Refuse to listen on a reachable address without API keys, unless `unsafe`."""
    if keys or unsafe or is_loopback(host):
        return
    raise InvalidSettings(
        f"listening on {host!r} lets others in, and no API key is set",
        hint="make one with `metier users add NAME` or METIER_API_KEYS, listen on 127.0.0.1, or say --unsafe-no-auth",
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
