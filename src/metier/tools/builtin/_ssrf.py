"""SSRF protection: which URLs and IP addresses may be fetched.

The decision is made on the IP address that will be connected to, never on the host name: a name is resolved once and
checked, and the connection goes to the checked address. A second resolution could return another address (DNS
rebinding).
"""

import asyncio
import re
import socket
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from typing import TYPE_CHECKING, Final, TypeAlias

from metier.tools._calls import ToolError

if TYPE_CHECKING:
    import httpx

Address: TypeAlias = IPv4Address | IPv6Address
Resolver: TypeAlias = Callable[[str, int], Awaitable[Sequence[str]]]

MAX_URL_CHARS: Final = 2048
WEB_PORTS: Final = frozenset({80, 443, 8000, 8080, 8443})
_MAX_ADDRESSES = 8
# Private networks: refused unless `allow_private` is set.
_PRIVATE: Final = tuple(
    map(
        ip_network,
        ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "127.0.0.0/8", "100.64.0.0/10", "fc00::/7", "::1/128"),
    )
)
# Cloud metadata services outside the link-local range, which serve credentials. Always refused.
_METADATA: Final = tuple(map(ip_network, ("100.100.100.200/32", "168.63.129.16/32", "fd00:ec2::254/128")))
# Never public: this network, protocol assignments, link-local (most metadata services), documentation, benchmarks,
# multicast, reserved; in IPv6 all outside 2000::/3, and Teredo and 6to4, which embed IPv4 addresses.
_NON_PUBLIC: Final = tuple(
    map(
        ip_network,
        (
            *("0.0.0.0/8", "169.254.0.0/16", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "198.18.0.0/15"),
            *("198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4"),
            *("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"),
        ),
    )
)
_GLOBAL_V6: Final = IPv6Network("2000::/3")
_NAT64: Final = IPv6Network("64:ff9b::/96")
_V4_COMPATIBLE: Final = IPv6Network("::/96")
_NUMBER: Final = re.compile(r"0[xX][0-9a-fA-F]*|[0-9]+")
_DOTTED: Final = re.compile(r"(?:(?:0|[1-9]\d{0,2})\.){3}(?:0|[1-9]\d{0,2})")


@dataclass(frozen=True, slots=True)
class FetchRules:
    """Limits of a fetch. `allow_private` allows the operator's own networks, never the metadata addresses."""

    allow_private: bool = False
    ports: frozenset[int] = WEB_PORTS
    max_redirects: int = 5
    max_body_bytes: int = 5 << 20
    timeout_s: float = 20.0


def refusal_reason(address: Address, *, allow_private: bool) -> str | None:
    """Return why this address must not be fetched; None if it is allowed."""
    inner = _unwrap_ipv4(address)
    if any(inner in network for network in _METADATA):
        return "serves a cloud machine's own data"
    if any(inner in network for network in _PRIVATE):
        return None if allow_private else "belongs to a private network"
    if any(inner in network for network in _NON_PUBLIC):
        return "is not an address of the public web"
    if isinstance(inner, IPv6Address) and inner not in _GLOBAL_V6:
        return "is not an address of the public web"
    return None


def _unwrap_ipv4(address: Address) -> Address:
    """Return the IPv4 address that an IPv6 address embeds (mapped, compatible, NAT64), or the address itself."""
    if isinstance(address, IPv4Address):
        return address
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    if address in _NAT64 or (address in _V4_COMPATIBLE and int(address) > 1):
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return address


def check_url(text: str, rules: FetchRules) -> "httpx.URL":
    """Parse and check a URL with httpx, which also sends the request, so there is no second parser to disagree."""
    import httpx

    if len(text) > MAX_URL_CHARS or any(char.isspace() or not char.isprintable() for char in text) or "\\" in text:
        raise ToolError("the URL holds characters that no URL holds, or is too long", code="invalid_url")
    try:
        url = httpx.URL(text)
        host = url.raw_host.decode("ascii")
    except (httpx.InvalidURL, UnicodeError, ValueError) as error:
        raise ToolError(
            f"this is not a URL: {error}", code="invalid_url", hint="write it as https://example.com/page"
        ) from error
    if url.scheme not in ("http", "https") or not host:
        raise ToolError(
            f"{url.scheme or 'no'} URLs are not fetched", code="url_refused", hint="only http and https are"
        )
    if url.userinfo:
        raise ToolError("the URL carries a user name or a password", code="url_refused", hint="leave them out")
    if get_port(url) not in rules.ports:
        ports = ", ".join(map(str, sorted(rules.ports)))
        raise ToolError(f"port {get_port(url)} is not a port of the web", code="url_refused", hint=f"allowed: {ports}")
    if _NUMBER.fullmatch(host.rstrip(".").rpartition(".")[2]) and not _DOTTED.fullmatch(host):
        raise ToolError(
            f"{host!r} is an address in disguise", code="address_refused", hint="write it as four decimal numbers"
        )
    return url


def get_port(url: "httpx.URL") -> int:
    """Return the port of the request."""
    return url.port or (443 if url.scheme == "https" else 80)


async def resolve_allowed_addresses(host: str, port: int, resolve: Resolver, rules: FetchRules) -> tuple[str, ...]:
    """Resolve a host; raise `ToolError` if any of its addresses is not allowed."""
    try:
        found = [host] if _is_ip_literal(host) else list(await resolve(host, port))[:_MAX_ADDRESSES]
        addresses = [ip_address(text.partition("%")[0]) for text in found]
    except (OSError, UnicodeError, ValueError) as error:
        raise ToolError(
            f"the name {host!r} cannot be resolved", code="host_not_found", hint="check the spelling"
        ) from error
    if not addresses:
        raise ToolError(f"the name {host!r} has no address", code="host_not_found", hint="check the spelling")
    for address in addresses:
        why = refusal_reason(address, allow_private=rules.allow_private)
        if why:
            place = f"{host!r}" if _is_ip_literal(host) else f"{host!r} is at {address}, which"
            raise ToolError(f"{place} {why}", code="address_refused", hint="only pages of the public web are fetched")
    return tuple(str(address) for address in sorted(addresses, key=lambda address: address.version))


def _is_ip_literal(host: str) -> bool:
    return ":" in host or bool(_DOTTED.fullmatch(host))


async def resolve_by_system(host: str, port: int) -> Sequence[str]:
    """Resolve a name with the system's resolver."""
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))
