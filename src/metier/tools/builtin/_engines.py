"""Web search services over HTTP: request format and location of the results in the response."""

import html
import re
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from metier.json_values import JsonInvalid, JsonObject, JsonValue, load_json
from metier.textsearch import strip_invisible
from metier.tools._calls import ToolError
from metier.tools._certificates import read_certificates

if TYPE_CHECKING:
    import httpx

ServiceName = Literal["searxng", "brave", "tavily", "bing"]

_MAX_RESPONSE_BYTES = 4 << 20
_MAX_SNIPPET_CHARS = 600
_MAX_TITLE_CHARS = 200
_MAX_URL_CHARS = 2048
_TAG: Final = re.compile(r"<[^<>]{0,200}>")


@dataclass(frozen=True, slots=True)
class SearchResult:
    """One search result."""

    title: str
    url: str
    snippet: str
    published: str = ""


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """HTTP request to a search service."""

    url: str
    method: Literal["GET", "POST"] = "GET"
    query: tuple[tuple[str, str], ...] = ()
    headers: tuple[tuple[str, str], ...] = ()
    body: JsonObject | None = None


@dataclass(frozen=True, slots=True)
class SearchEngine:
    """Search service: default URL (empty if self-hosted), request builder, and location of the results.

    `results_path` are the keys down to the list; `fields` the keys of title, URL, snippet and date in a result.
    """

    name: ServiceName
    default_url: str
    build_request: Callable[[str, str, str, int], SearchRequest]
    results_path: tuple[str, ...]
    fields: tuple[str, str, str, str]
    needs_key: bool = True


def _build_searxng_request(base: str, _key: str, query: str, _limit: int) -> SearchRequest:
    return SearchRequest(f"{base}/search", query=(("q", query), ("format", "json")))


def _build_brave_request(base: str, key: str, query: str, limit: int) -> SearchRequest:
    asked = (("q", query), ("count", str(limit)), ("text_decorations", "false"))
    return SearchRequest(f"{base}/res/v1/web/search", query=asked, headers=(("X-Subscription-Token", key),))


def _build_tavily_request(base: str, key: str, query: str, limit: int) -> SearchRequest:
    body: JsonObject = {"query": query, "max_results": limit, "search_depth": "basic"}
    return SearchRequest(f"{base}/search", "POST", headers=(("Authorization", f"Bearer {key}"),), body=body)


def _build_bing_request(base: str, key: str, query: str, limit: int) -> SearchRequest:
    asked = (("q", query), ("count", str(limit)), ("textFormat", "Raw"))
    return SearchRequest(f"{base}/v7.0/search", query=asked, headers=(("Ocp-Apim-Subscription-Key", key),))


ENGINES: Mapping[str, SearchEngine] = {
    "searxng": SearchEngine(
        "searxng",
        "",
        _build_searxng_request,
        ("results",),
        ("title", "url", "content", "publishedDate"),
        needs_key=False,
    ),
    "brave": SearchEngine(
        "brave",
        "https://api.search.brave.com",
        _build_brave_request,
        ("web", "results"),
        ("title", "url", "description", "age"),
    ),
    "tavily": SearchEngine(
        "tavily",
        "https://api.tavily.com",
        _build_tavily_request,
        ("results",),
        ("title", "url", "content", "published_date"),
    ),
    "bing": SearchEngine(
        "bing",
        "https://api.bing.microsoft.com",
        _build_bing_request,
        ("webPages", "value"),
        ("name", "url", "snippet", "dateLastCrawled"),
    ),
}


@dataclass(frozen=True, slots=True)
class SearchClient:
    """Client of a search service as configured by the operator. The key appears in no message and no repr."""

    engine: SearchEngine
    base_url: str
    _key: str
    timeout_s: float = 15.0

    def __repr__(self) -> str:
        return f"SearchClient({self.engine.name!r}, {self.base_url!r})"

    async def search(self, query: str, limit: int) -> tuple[SearchResult, ...]:
        """Return the results; raise `ToolError` with a reason if the service fails."""
        ask = self.engine.build_request(self.base_url.rstrip("/"), self._key, query, limit)
        async with self._send(ask) as response:
            if response.status_code != 200:
                raise self._error_from_response(response)
            data = await self._read_json(response)
        rows: JsonValue = data
        for key in self.engine.results_path:
            rows = rows.get(key) if isinstance(rows, Mapping) else None
        found = [_parse_result(row, self.engine.fields) for row in rows] if isinstance(rows, list) else []
        return tuple(item for item in found if item is not None)[:limit]

    @asynccontextmanager
    async def _send(self, ask: SearchRequest) -> "AsyncIterator[httpx.Response]":
        import httpx

        # Redirects are not followed: they would send the key to another host.
        try:
            async with (
                httpx.AsyncClient(
                    verify=read_certificates(trust_env=False), timeout=self.timeout_s, trust_env=False
                ) as client,
                client.stream(
                    ask.method,
                    ask.url,
                    params=list(ask.query) or None,
                    headers=[("Accept", "application/json"), *ask.headers],
                    json=ask.body,
                ) as response,
            ):
                yield response
        except httpx.TimeoutException as error:
            raise ToolError(
                f"{self.engine.name} did not answer in time", code="search_timeout", hint="try again"
            ) from error
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise ToolError(
                f"{self.engine.name} cannot be reached at {self.base_url!r}: {str(error) or type(error).__name__}",
                code="search_unavailable",
                hint="check METIER_WEB_SEARCH_URL and the network",
            ) from error

    async def _read_json(self, response: "httpx.Response") -> JsonObject:
        body = bytearray()
        async for chunk in response.aiter_bytes(64 * 1024):
            body += chunk
            if len(body) > _MAX_RESPONSE_BYTES:
                raise ToolError(f"the answer of {self.engine.name} is far too large", code="search_unavailable")
        try:
            data = load_json(body.decode("utf-8", "replace"))
        except JsonInvalid as error:
            raise self._not_json_error() from error
        if not isinstance(data, Mapping):
            raise self._not_json_error()
        return data

    def _not_json_error(self) -> ToolError:
        return ToolError(
            f"{self.engine.name} did not answer with JSON",
            code="search_unavailable",
            hint="check METIER_WEB_SEARCH_URL",
        )

    def _error_from_response(self, response: "httpx.Response") -> ToolError:
        name, status = self.engine.name, response.status_code
        told = f"{name} answered {status} {response.reason_phrase}".strip()
        if status == 429:
            wait = response.headers.get("retry-after", "")
            return ToolError(
                told, code="search_limited", hint=f"wait {wait} seconds" if wait.isdigit() else "wait a while"
            )
        if status in (401, 403) and self.engine.needs_key:
            return ToolError(told, code="search_refused", hint="check METIER_WEB_SEARCH_KEY")
        if status == 403:
            return ToolError(
                told, code="search_refused", hint="let the instance answer in JSON: search.formats in its settings.yml"
            )
        if 300 <= status < 400:
            return ToolError(told, code="search_unavailable", hint="set METIER_WEB_SEARCH_URL to the final address")
        return ToolError(told, code="search_unavailable", hint="try again later, or check METIER_WEB_SEARCH_URL")


def _parse_result(row: JsonValue, fields: tuple[str, str, str, str]) -> SearchResult | None:
    if not isinstance(row, Mapping):
        return None
    title, url, snippet, published = (_to_plain_text(row.get(field)) for field in fields)
    if not url.startswith(("http://", "https://")) or len(url) > _MAX_URL_CHARS:
        return None
    return SearchResult(title[:_MAX_TITLE_CHARS] or url, url, snippet[:_MAX_SNIPPET_CHARS], published[:40])


def _to_plain_text(value: JsonValue) -> str:
    """Strip tags and entities from a snippet and join it to one line."""
    if not isinstance(value, str):
        return ""
    return " ".join(strip_invisible(html.unescape(_TAG.sub("", value))).split())
