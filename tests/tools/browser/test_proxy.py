"""The browser's proxy: what it connects to, what it refuses, and how it treats clients that misbehave."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from metier.tools.browser import BrowserProxy, FolderSite, ProxyLimits
from metier.tools.builtin import FetchRules

LIMITS = ProxyLimits(head_s=0.5, connect_s=2, idle_s=5, named_wait_s=0.2, download_bytes=200_000, connections=3)


async def resolve_public(host: str, port: int) -> Sequence[str]:
    return ["127.0.0.1"]


@asynccontextmanager
async def open_proxy(
    *,
    rules: FetchRules | None = None,
    resolve: Callable[[str, int], Awaitable[Sequence[str]]] = resolve_public,
    limits: ProxyLimits = LIMITS,
    only_named: bool = False,
    folder: Path | None = None,
) -> AsyncIterator[tuple[BrowserProxy, int]]:
    sites = {} if folder is None else {"demo.test": FolderSite(folder)}
    proxy = BrowserProxy(rules or FetchRules(), resolve, sites, limits, only_named)
    try:
        yield proxy, await proxy.start()
    finally:
        await proxy.close()


async def ask(port: int, request: bytes) -> str:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(request)
    async with asyncio.timeout(30):
        answer = await reader.read(1_000_000)
        while more := await reader.read(1_000_000):
            answer += more
    writer.close()
    return answer.decode("utf-8", "replace")


@asynccontextmanager
async def serve(answer: bytes) -> AsyncIterator[tuple[int, list[bytes]]]:
    """A server on this machine that records what it gets."""
    seen: list[bytes] = []

    async def respond(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        seen.append(await reader.read(65_536))
        writer.write(answer)
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(respond, "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1], seen
    finally:
        server.close()


async def test_private_addresses_odd_ports_and_malformed_requests_are_refused() -> None:
    cases = {
        b"CONNECT 127.0.0.1:443 HTTP/1.1\r\n\r\n": "403",
        b"CONNECT localhost:443 HTTP/1.1\r\n\r\n": "403",
        b"CONNECT [::1]:443 HTTP/1.1\r\n\r\n": "403",
        b"CONNECT [::ffff:127.0.0.1]:443 HTTP/1.1\r\n\r\n": "403",
        b"CONNECT 10.0.0.1:443 HTTP/1.1\r\n\r\n": "403",
        b"CONNECT 169.254.169.254:443 HTTP/1.1\r\n\r\n": "403",
        b"CONNECT 0x7f000001:443 HTTP/1.1\r\n\r\n": "403",
        b"CONNECT 2130706433:443 HTTP/1.1\r\n\r\n": "403",
        b"CONNECT example.com:22 HTTP/1.1\r\n\r\n": "403",
        b"CONNECT example.com:80 HTTP/1.1\r\n\r\n": "403",  # what a browser does for a web socket
        b"CONNECT example.com HTTP/1.1\r\n\r\n": "400",
        b"CONNECT example.com:99999 HTTP/1.1\r\n\r\n": "400",
        b"CONNECT a@b:443 HTTP/1.1\r\n\r\n": "400",
        b"GET http://127.0.0.1/ HTTP/1.1\r\n\r\n": "403",
        b"GET http://127.1/ HTTP/1.1\r\n\r\n": "403",
        b"GET http://public.test:6379/ HTTP/1.1\r\n\r\n": "403",
        b"GET http://user:pass@public.test/ HTTP/1.1\r\n\r\n": "403",
        b"GET http://rebound.test/ HTTP/1.1\r\nHost: public.test\r\n\r\n": "403",
        b"GET ftp://public.test/ HTTP/1.1\r\n\r\n": "400",
        b"GET file:///etc/passwd HTTP/1.1\r\n\r\n": "400",
        b"GET / HTTP/1.1\r\nHost: public.test\r\n\r\n": "400",
        b"POST http://public.test/ HTTP/1.1\r\nContent-Length: 1\r\n\r\nx": "403",
        b"GET http://public.test/ HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n": "400",
        b"GET http://public.test/ HTTP/1.1\r\nContent-Length: -1\r\n\r\n": "400",
        b"GET http://public.test/ HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n": "413",
        b"GET http://public.test/ HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n": "411",
        b"GET http://public.test/ HTTP/1.1\r\nA: 1\n\r\n\r\n": "400",
        b"GET http://public.test/ HTTP/1.1\r\n folded\r\n\r\n": "400",
        b"GET http://public.test/ HTTP/9.9\r\n\r\n": "400",
        b"get http://public.test/ HTTP/1.1\r\n\r\n": "400",
        b"\x16\x03\x01\x02\x00\r\n\r\n": "400",
        b"GET http://public.test/" + b"a" * 70_000 + b" HTTP/1.1\r\n\r\n": "431",
        b"GET http://public.test/ HTTP/1.1\r\n" + b"A: b\r\n" * 300 + b"\r\n": "431",
        b"GET http://public.te": "408",
    }
    wrong = []
    async with open_proxy() as (_, port):
        for request, status in cases.items():
            answer = await ask(port, request)
            if answer.split(" ", 2)[1:2] != [status]:
                wrong.append((request[:60], answer[:60]))
    assert wrong == []


async def test_a_name_is_resolved_once_and_the_connection_goes_to_the_checked_address() -> None:
    answers = iter((["203.0.113.9"], ["10.0.0.1"], ["93.184.216.34", "127.0.0.1"]))
    asked: list[str] = []

    async def rebind(host: str, port: int) -> Sequence[str]:
        asked.append(host)
        return next(answers)

    async with open_proxy(resolve=rebind) as (proxy, port):
        for _ in range(3):
            assert (await ask(port, b"GET http://name.test/ HTTP/1.1\r\n\r\n")).split(" ")[1] == "403"
    assert asked == ["name.test"] * 3
    assert {one.failure.code for one in proxy.refusals} == {"address_refused"}
    assert proxy.find_refusal(["http://name.test/"]) is not None


async def test_a_request_reaches_its_server_alone_without_headers_for_the_proxy() -> None:
    body = b"x" * 10
    answer = (
        b"HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 10\r\nConnection: keep-alive\r\n\r\n"
        + body
    )
    async with serve(answer) as (there, seen):
        rules = FetchRules(allow_private=True, ports=frozenset({there}))
        async with open_proxy(rules=rules) as (proxy, port):
            proxy.may_send = True
            request = (
                f"POST http://public.test:{there}/a?b=1 HTTP/1.1\r\nHost: other.test\r\n"
                "Proxy-Authorization: Basic eA==\r\nConnection: X-Hop\r\nX-Hop: 1\r\nUpgrade: websocket\r\n"
                "Content-Length: 3\r\n\r\nabcGET /second HTTP/1.1"
            )
            got = await ask(port, request.encode())
    assert got.startswith("HTTP/1.1 200 OK")
    assert got.endswith("x" * 10)
    assert "keep-alive" not in got
    sent = seen[0].decode()
    assert sent.startswith(f"POST /a?b=1 HTTP/1.1\r\nHost: public.test:{there}\r\n")
    assert sent.endswith("\r\n\r\nabc")
    assert not any(word in sent for word in ("other.test", "Proxy-", "X-Hop", "Upgrade", "second"))


async def test_an_endless_answer_is_cut_and_too_many_connections_are_refused() -> None:
    async with serve(b"HTTP/1.1 200 OK\r\n\r\n" + b"x" * 900_000) as (there, _):
        rules = FetchRules(allow_private=True, ports=frozenset({there}))
        async with open_proxy(rules=rules) as (proxy, port):
            got = await ask(port, f"GET http://public.test:{there}/ HTTP/1.1\r\n\r\n".encode())
            assert len(got) < 400_000
            assert proxy.is_exhausted
            slow = [await asyncio.open_connection("127.0.0.1", port) for _ in range(LIMITS.connections)]
            assert (await ask(port, b"")).split(" ")[1] == "503"
            for _, writer in slow:
                writer.close()


async def test_what_the_page_did_not_ask_for_is_not_connected_to(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("<h1>shop</h1>", "utf-8")
    request = b"GET http://demo.test/ HTTP/1.1\r\n\r\n"
    async with open_proxy(only_named=True, folder=tmp_path) as (proxy, port):
        refused = await ask(port, request)
        asked = asyncio.create_task(ask(port, request))
        proxy.name_host("http://demo.test/")
        answered = await asked
    assert refused.split(" ")[1] == "403"
    assert [one.failure.code for one in proxy.refusals] == ["not_requested"]
    assert answered.endswith("<h1>shop</h1>")


async def test_a_site_is_answered_from_its_folder_and_from_nowhere_else(tmp_path: Path) -> None:
    site = tmp_path / "site"
    (site / "zh").mkdir(parents=True)
    (tmp_path / "secret.html").write_text("secret", "utf-8")
    (site / "zh" / "order.post.html").write_text("<table><!-- sent --></table>", "utf-8")
    (site / "away.redirect").write_text("http://169.254.169.254/", "utf-8")
    (site / "members.login").write_text("", "utf-8")
    cases = {
        "GET /zh/../../secret": "404",
        "GET /%2e%2e/secret": "404",
        "GET /..%5csecret": "404",
        "GET /zh/order": "404",
        "POST /zh/order": "<td>&lt;b&gt;</td>",
        "GET /zh/order?name=%3Cb%3E": "<td>&lt;b&gt;</td>",
        "GET /away": "Location: http://169.254.169.254/",
        "GET /members": "401",
    }
    wrong = []
    async with open_proxy(folder=site) as (proxy, port):
        proxy.may_send = True
        for line, expected in cases.items():
            method, path = line.split(" ")
            body = b"name=%3Cb%3E" if method == "POST" else b""
            head = f"{method} http://demo.test{path} HTTP/1.1\r\nContent-Length: {len(body)}\r\n\r\n".encode()
            answer = await ask(port, head + body)
            if expected not in answer:
                wrong.append((line, answer[:80]))
    assert wrong == []
