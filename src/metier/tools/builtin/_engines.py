"""Web search services over HTTP: request format and location of the results in the response."""

import html
import re
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from metier.jsons import JsonInvalid, JsonObject, JsonValue, load_json
from metier.tools.builtin._tool import Stopped
from metier.tools.builtin._words import visible

if TYPE_CHECKING:
    import httpx

Service = Literal["searxng", "brave", "tavily", "bing"]

_ANSWER_BYTES = 4 << 20
_SNIPPET_CHARS = 600
_TITLE_CHARS = 200
_URL_CHARS = 2048
_TAG: Final = re.compile(r"<[^<>]{0,200}>")


@dataclass(frozen=True, slots=True)
class Found:
    """One search result."""

    title: str
    url: str
    snippet: str
    published: str = ""


@dataclass(frozen=True, slots=True)
class Ask:
    """HTTP request to a search service."""

    url: str
    method: Literal["GET", "POST"] = "GET"
    query: tuple[tuple[str, str], ...] = ()
    headers: tuple[tuple[str, str], ...] = ()
    body: JsonObject | None = None


@dataclass(frozen=True, slots=True)
class Engine:
    """Search service: default URL (empty if self-hosted), request builder, and location of the results.

    `results_path` are the keys down to the list; `fields` the keys of title, URL, snippet and date in a result.
    """

    name: Service
    home: str
    ask: Callable[[str, str, str, int], Ask]
    results: tuple[str, ...]
    fields: tuple[str, str, str, str]
    needs_key: bool = True


def _ask_searxng(base: str, _key: str, query: str, _limit: int) -> Ask:
    return Ask(f"{base}/search", query=(("q", query), ("format", "json")))


def _ask_brave(base: str, key: str, query: str, limit: int) -> Ask:
    asked = (("q", query), ("count", str(limit)), ("text_decorations", "false"))
    return Ask(f"{base}/res/v1/web/search", query=asked, headers=(("X-Subscription-Token", key),))


def _ask_tavily(base: str, key: str, query: str, limit: int) -> Ask:
    body: JsonObject = {"query": query, "max_results": limit, "search_depth": "basic"}
    return Ask(f"{base}/search", "POST", headers=(("Authorization", f"Bearer {key}"),), body=body)


def _ask_bing(base: str, key: str, query: str, limit: int) -> Ask:
    asked = (("q", query), ("count", str(limit)), ("textFormat", "Raw"))
    return Ask(f"{base}/v7.0/search", query=asked, headers=(("Ocp-Apim-Subscription-Key", key),))


ENGINES: Mapping[str, Engine] = {
    "searxng": Engine(
        "searxng", "", _ask_searxng, ("results",), ("title", "url", "content", "publishedDate"), needs_key=False
    ),
    "brave": Engine(
        "brave", "https://api.search.brave.com", _ask_brave, ("web", "results"), ("title", "url", "description", "age")
    ),
    "tavily": Engine(
        "tavily", "https://api.tavily.com", _ask_tavily, ("results",), ("title", "url", "content", "published_date")
    ),
    "bing": Engine(
        "bing",
        "https://api.bing.microsoft.com",
        _ask_bing,
        ("webPages", "value"),
        ("name", "url", "snippet", "dateLastCrawled"),
    ),
}


@dataclass(frozen=True, slots=True)
class Remote:
    """Client of a search service as configured by the operator. The key appears in no message and no repr."""

    engine: Engine
    base: str
    _key: str
    timeout_s: float = 15.0

    def __repr__(self) -> str:
        return f"Remote({self.engine.name!r}, {self.base!r})"

    async def search(self, query: str, limit: int) -> tuple[Found, ...]:
        """Return the results; raise `ToolError` with a reason if the service fails."""
        ask = self.engine.ask(self.base.rstrip("/"), self._key, query, limit)
        async with self._answer(ask) as response:
            if response.status_code != 200:
                raise self._complaint(response)
            data = await self._json(response)
        rows: JsonValue = data
        for key in self.engine.results:
            rows = rows.get(key) if isinstance(rows, Mapping) else None
        found = [_found(row, self.engine.fields) for row in rows] if isinstance(rows, list) else []
        return tuple(item for item in found if item is not None)[:limit]

    @asynccontextmanager
    async def _answer(self, ask: Ask) -> "AsyncIterator[httpx.Response]":
        import httpx

        # Redirects are not followed: they would send the key to another host.
        try:
            async with (
                httpx.AsyncClient(timeout=self.timeout_s, trust_env=False) as client,
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
            raise Stopped("search_timeout", f"{self.engine.name} did not answer in time", hint="try again") from error
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise Stopped(
                "search_unavailable",
                f"{self.engine.name} cannot be reached at {self.base!r}: {str(error) or type(error).__name__}",
                hint="check METIER_WEB_SEARCH_URL and the network",
            ) from error

    async def _json(self, response: "httpx.Response") -> JsonObject:
        body = bytearray()
        async for chunk in response.aiter_bytes(64 * 1024):
            body += chunk
            if len(body) > _ANSWER_BYTES:
                raise Stopped("search_unavailable", f"the answer of {self.engine.name} is far too large")
        try:
            data = load_json(body.decode("utf-8", "replace"))
        except JsonInvalid as error:
            raise self._not_json() from error
        if not isinstance(data, Mapping):
            raise self._not_json()
        return data

    def _not_json(self) -> Stopped:
        return Stopped(
            "search_unavailable",
            f"{self.engine.name} did not answer with JSON",
            hint="check METIER_WEB_SEARCH_URL",
        )

    def _complaint(self, response: "httpx.Response") -> Stopped:
        name, status = self.engine.name, response.status_code
        told = f"{name} answered {status} {response.reason_phrase}".strip()
        if status == 429:
            wait = response.headers.get("retry-after", "")
            return Stopped("search_limited", told, hint=f"wait {wait} seconds" if wait.isdigit() else "wait a while")
        if status in (401, 403) and self.engine.needs_key:
            return Stopped("search_refused", told, hint="check METIER_WEB_SEARCH_KEY")
        if status == 403:
            return Stopped(
                "search_refused", told, hint="let the instance answer in JSON: search.formats in its settings.yml"
            )
        if 300 <= status < 400:
            return Stopped("search_unavailable", told, hint="set METIER_WEB_SEARCH_URL to the final address")
        return Stopped("search_unavailable", told, hint="try again later, or check METIER_WEB_SEARCH_URL")


def _found(row: JsonValue, fields: tuple[str, str, str, str]) -> Found | None:
    if not isinstance(row, Mapping):
        return None
    title, url, snippet, published = (_plain(row.get(field)) for field in fields)
    if not url.startswith(("http://", "https://")) or len(url) > _URL_CHARS:
        return None
    return Found(title[:_TITLE_CHARS] or url, url, snippet[:_SNIPPET_CHARS], published[:40])


def _plain(value: JsonValue) -> str:
    """Strip tags and entities from a snippet and join it to one line."""
    if not isinstance(value, str):
        return ""
    return " ".join(visible(html.unescape(_TAG.sub("", value))).split())
