"""Which addresses are fetched."""

from collections.abc import Sequence
from ipaddress import IPv4Address, IPv6Address, ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metier.tools import ToolError
from metier.tools.builtin import FetchRules
from metier.tools.builtin._ssrf import check_url, refusal_reason, resolve_allowed_addresses, resolve_by_system

RULES = FetchRules()

PUBLIC = [
    "93.184.216.34",
    "8.8.8.8",
    "223.5.5.5",
    "2606:4700::6810:85e5",
    "2400:3200::1",
    "::ffff:8.8.8.8",
    "64:ff9b::808:808",
]
OURS = {
    "ten": "10.0.0.1",
    "one seven two": "172.31.255.255",
    "one nine two": "192.168.1.1",
    "loopback": "127.0.0.1",
    "the rest of loopback": "127.8.9.1",
    "shared by carriers": "100.64.0.1",
    "loopback, new": "::1",
    "local, new": "fd12::1",
    "mapped": "::ffff:10.0.0.1",
    "mapped loopback": "::ffff:127.0.0.1",
    "compatible": "::127.0.0.1",
    "behind NAT64": "64:ff9b::7f00:1",
}
NOBODYS = {
    "this network": "0.0.0.0",
    "link-local": "169.254.1.1",
    "metadata of most clouds": "169.254.169.254",
    "metadata of Alibaba Cloud": "100.100.100.200",
    "metadata of Azure": "168.63.129.16",
    "metadata of Oracle Cloud": "192.0.0.192",
    "metadata of AWS, new": "fd00:ec2::254",
    "metadata, mapped": "::ffff:169.254.169.254",
    "metadata behind NAT64": "64:ff9b::a9fe:a9fe",
    "a local NAT64": "64:ff9b:1::1",
    "6to4": "2002:7f00:1::",
    "Teredo": "2001:0:1::1",
    "link-local, new": "fe80::1",
    "site-local": "fec0::1",
    "unspecified": "::",
    "multicast": "224.0.0.1",
    "multicast, new": "ff02::1",
    "broadcast": "255.255.255.255",
    "reserved": "240.0.0.1",
    "documentation": "192.0.2.1",
    "documentation, new": "2001:db8::1",
    "benchmarks": "198.18.0.1",
    "discard": "100::1",
}


@pytest.mark.parametrize("address", PUBLIC)
def test_the_public_web_is_open(address: str) -> None:
    assert refusal_reason(ip_address(address), allow_private=False) is None


@pytest.mark.parametrize("address", OURS.values(), ids=OURS)
def test_private_networks_are_closed_unless_the_operator_opens_them(address: str) -> None:
    assert refusal_reason(ip_address(address), allow_private=False)
    assert refusal_reason(ip_address(address), allow_private=True) is None


@pytest.mark.parametrize("address", NOBODYS.values(), ids=NOBODYS)
def test_some_addresses_are_never_open(address: str) -> None:
    assert refusal_reason(ip_address(address), allow_private=False)
    assert refusal_reason(ip_address(address), allow_private=True)


@given(st.ip_addresses())
def test_nothing_that_python_calls_private_is_open(address: IPv4Address | IPv6Address) -> None:
    inner = address.ipv4_mapped if isinstance(address, IPv6Address) and address.ipv4_mapped else address
    if inner.is_private or inner.is_multicast or inner.is_link_local or inner.is_reserved or inner.is_unspecified:
        assert refusal_reason(address, allow_private=False) or address in _NAT64_PUBLIC


class _Nat64Public:
    """NAT64 is reserved in Python's eyes; what counts is the address behind it."""

    def __contains__(self, address: IPv4Address | IPv6Address) -> bool:
        text = address.exploded
        return text.startswith("0064:ff9b:0000:0000:0000:0000") and IPv4Address(int(address) & 0xFFFFFFFF).is_global


_NAT64_PUBLIC = _Nat64Public()

BAD_URLS = {
    "a file": ("file:///etc/passwd", "url_refused"),
    "gopher": ("gopher://example.com/", "url_refused"),
    "no scheme": ("example.com/page", "url_refused"),
    "no host": ("http:///page", "url_refused"),
    "a script": ("javascript:alert(1)", "url_refused"),
    "a password": ("http://me:secret@example.com/", "url_refused"),
    "a user": ("http://example.com@evil.example/", "url_refused"),
    "the port of a mail server": ("http://example.com:25/", "url_refused"),
    "the port of a database": ("http://example.com:6379/", "url_refused"),
    "decimal": ("http://2130706433/", "address_refused"),
    "hexadecimal": ("http://0x7f000001/", "address_refused"),
    "octal": ("http://0177.0.0.1/", "invalid_url"),
    "short": ("http://127.1/", "address_refused"),
    "mixed": ("http://0x7f.0.0.1/", "address_refused"),
    "mixed at the end": ("http://127.0.0.0x1/", "address_refused"),
    "a dot at the end": ("http://127.0.0.1./", "address_refused"),
    "wide digits": ("http://１２７.０.０.１/", "invalid_url"),
    "round digits": ("http://①②⑦.⓪.⓪.①/", "invalid_url"),
    "a space": ("http://example.com/a b", "invalid_url"),
    "a newline": ("http://example.com/\r\nHost: x", "invalid_url"),
    "a backslash": ("http://example.com\\@evil.example/", "invalid_url"),
    "a bad port": ("http://example.com:99999/", "url_refused"),
    "half an IPv6": ("http://[::1/", "invalid_url"),
    "too long": ("http://example.com/" + "a" * 2048, "invalid_url"),
}


@pytest.mark.parametrize(("url", "code"), BAD_URLS.values(), ids=BAD_URLS)
def test_a_bad_url_is_refused_before_anything_is_resolved(url: str, code: str) -> None:
    with pytest.raises(ToolError) as caught:
        check_url(url, RULES)
    assert caught.value.failure.code == code
    assert "secret" not in caught.value.failure.message


GOOD_URLS = {
    "plain": ("http://example.com", "example.com"),
    "with all parts": ("HTTPS://Example.com:8443/a?b=%E4%B8%AD#c", "example.com"),
    "Chinese": ("https://例子.测试/页", "xn--fsqu00a.xn--0zwm56d"),
    "an address": ("http://93.184.216.34/", "93.184.216.34"),
    "a new address": ("http://[2606:4700::1]/", "2606:4700::1"),
    "a name of digits": ("http://123.example.com/", "123.example.com"),
}


@pytest.mark.parametrize(("url", "host"), GOOD_URLS.values(), ids=GOOD_URLS)
def test_a_good_url_is_taken(url: str, host: str) -> None:
    assert check_url(url, RULES).raw_host.decode() == host


async def _checked(host: str, *found: str, rules: FetchRules = RULES) -> tuple[str, ...]:
    async def resolve(_host: str, _port: int) -> Sequence[str]:
        return found

    return await resolve_allowed_addresses(host, 80, resolve, rules)


async def test_all_addresses_of_a_name_are_given_old_ones_first() -> None:
    assert await _checked("example.com", "2606:4700::1", "93.184.216.34") == ("93.184.216.34", "2606:4700::1")


@pytest.mark.parametrize("bad", ["127.0.0.1", "169.254.169.254", "::ffff:10.0.0.1", "fe80::1%eth0"])
async def test_one_bad_address_among_good_ones_refuses_the_name(bad: str) -> None:
    with pytest.raises(ToolError) as caught:
        await _checked("mixed.example", "93.184.216.34", bad)
    assert caught.value.failure.code == "address_refused"


async def test_an_address_in_the_url_is_checked_without_asking_anybody() -> None:
    with pytest.raises(ToolError) as caught:
        await _checked("169.254.169.254", "93.184.216.34")
    assert caught.value.failure.code == "address_refused"


@pytest.mark.parametrize("found", [(), ("nonsense",)], ids=["nothing", "nonsense"])
async def test_a_name_without_a_usable_address_is_not_found(found: tuple[str, ...]) -> None:
    with pytest.raises(ToolError) as caught:
        await _checked("nowhere.example", *found)
    assert caught.value.failure.code == "host_not_found"


async def test_the_system_resolves_this_machine() -> None:
    assert set(await resolve_by_system("localhost", 80)) <= {"127.0.0.1", "::1"}
