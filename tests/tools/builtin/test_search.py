"""Search services, imitated by a server on this machine, and the folder of documents."""

import json
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest

from metier.json_values import JsonObject
from metier.tools.builtin._document_search import DocumentIndex
from metier.tools.builtin._engines import ENGINES, SearchClient
from metier.tools.builtin._fetch import fetch_tool
from metier.tools.builtin._search import local_search_tool, remote_search_tool
from metier.tools.builtin._ssrf import FetchRules
from tests.tools.builtin.support import Reply, Request, code_of, data_of, reply_with, rows_of, run, serving

SERVICES: Mapping[str, tuple[str, JsonObject]] = {
    "searxng": (
        "/search",
        {
            "query": "q",
            "number_of_results": 0,
            "results": [
                {
                    "url": "https://a.example/1",
                    "title": "第一",
                    "content": "讲的是变压器",
                    "engine": "duckduckgo",
                    "engines": ["duckduckgo"],
                    "score": 1.0,
                    "category": "general",
                    "publishedDate": "2026-01-02T00:00:00",
                },
                {"url": "https://a.example/2", "title": "Second", "content": "", "publishedDate": None},
            ],
            "answers": [],
            "suggestions": [],
            "unresponsive_engines": [["google", "timeout"]],
        },
    ),
    "brave": (
        "/res/v1/web/search",
        {
            "type": "search",
            "query": {"original": "q", "more_results_available": True},
            "mixed": {"type": "mixed"},
            "web": {
                "type": "search",
                "results": [
                    {
                        "title": "第一",
                        "url": "https://a.example/1",
                        "description": "讲的是<strong>变压器</strong>",
                        "age": "2026-01-02T00:00:00",
                        "language": "zh",
                    },
                    {"title": "Second", "url": "https://a.example/2", "description": ""},
                ],
            },
        },
    ),
    "tavily": (
        "/search",
        {
            "query": "q",
            "answer": None,
            "images": [],
            "results": [
                {
                    "title": "第一",
                    "url": "https://a.example/1",
                    "content": "讲的是变压器",
                    "score": 0.9,
                    "raw_content": None,
                    "published_date": "2026-01-02T00:00:00",
                },
                {"title": "Second", "url": "https://a.example/2", "content": "", "score": 0.1},
            ],
            "response_time": 1.2,
        },
    ),
    "bing": (
        "/v7.0/search",
        {
            "_type": "SearchResponse",
            "queryContext": {"originalQuery": "q"},
            "webPages": {
                "webSearchUrl": "https://www.bing.com/search?q=q",
                "totalEstimatedMatches": 2,
                "value": [
                    {
                        "id": "#WebPages.0",
                        "name": "第一",
                        "url": "https://a.example/1",
                        "snippet": "讲的是变压器",
                        "dateLastCrawled": "2026-01-02T00:00:00",
                    },
                    {"id": "#WebPages.1", "name": "Second", "url": "https://a.example/2", "snippet": ""},
                ],
            },
        },
    ),
}
KEYS = {
    "searxng": ("", ""),
    "brave": ("X-Subscription-Token", "k3y"),
    "tavily": ("Authorization", "Bearer k3y"),
    "bing": ("Ocp-Apim-Subscription-Key", "k3y"),
}


def answering(data: object, status: int = 200, headers: Mapping[str, str] | None = None) -> Reply:
    body = json.dumps(data, ensure_ascii=False).encode()
    return reply_with(body, status=status, content_type="application/json", headers=headers)


@pytest.mark.parametrize("service", SERVICES)
async def test_a_service_is_asked_its_way_and_its_answer_is_read(service: str, workspace: Path) -> None:
    path, answer = SERVICES[service]
    with serving({path: answering(answer)}) as server:
        result = await run(
            remote_search_tool(service, f"{server.url}/", "k3y"), workspace, query="变压器 检修", limit=7
        )
    assert rows_of(result, "results") == [
        {"title": "第一", "url": "https://a.example/1", "snippet": "讲的是变压器", "published": "2026-01-02T00:00:00"},
        {"title": "Second", "url": "https://a.example/2", "snippet": ""},
    ]
    assert data_of(result)["source"] == service
    (request,) = server.requests
    header, value = KEYS[service]
    assert not header or {name.lower(): value for name, value in request.headers.items()}[header.lower()] == value


ASKED = {
    "searxng": ("GET", "/search?q=%E8%8C%B6&format=json", None),
    "brave": ("GET", "/res/v1/web/search?q=%E8%8C%B6&count=3&text_decorations=false", None),
    "tavily": ("POST", "/search", {"query": "茶", "max_results": 3, "search_depth": "basic"}),
    "bing": ("GET", "/v7.0/search?q=%E8%8C%B6&count=3&textFormat=Raw", None),
}


@pytest.mark.parametrize("service", ASKED)
async def test_the_request_is_the_documented_one(service: str, workspace: Path) -> None:
    path, answer = SERVICES[service]
    with serving({path: answering(answer)}) as server:
        await run(remote_search_tool(service, server.url, "k"), workspace, query="茶", limit=3)
    (request,) = server.requests
    method, target, body = ASKED[service]
    assert (request.method, request.path) == (method, target)
    assert (json.loads(request.body) if request.body else None) == body


COMPLAINTS = {
    "a wrong key": ("brave", 401, {}, "search_refused", "METIER_WEB_SEARCH_KEY"),
    "no JSON allowed": ("searxng", 403, {}, "search_refused", "search.formats"),
    "too many": ("tavily", 429, {"Retry-After": "30"}, "search_limited", "wait 30 seconds"),
    "too many, no word how long": ("bing", 429, {}, "search_limited", "wait a while"),
    "broken": ("bing", 503, {}, "search_unavailable", "later"),
    "moved": ("searxng", 301, {"Location": "http://elsewhere.example/"}, "search_unavailable", "final address"),
}


@pytest.mark.shares_fixtures
@pytest.mark.parametrize(("service", "status", "headers", "code", "hint"), COMPLAINTS.values(), ids=COMPLAINTS)
async def test_a_complaint_of_a_service_is_explained(
    service: str, status: int, headers: dict[str, str], code: str, hint: str, workspace: Path
) -> None:
    with serving({SERVICES[service][0]: answering({"error": "x"}, status, headers)}) as server:
        result = await run(remote_search_tool(service, server.url, "s3cret"), workspace, query="q")
    assert code_of(result) == code
    assert result.failure is not None
    assert hint in result.failure.hint
    assert "s3cret" not in str(result)
    assert len(server.requests) == 1


ODD_ANSWERS = {
    "no results": ({"web": {"results": []}}, 0),
    "no list": ({"web": None}, 0),
    "a list of nonsense": ({"web": {"results": [1, None, "x", {}]}}, 0),
    "links that are none": ({"web": {"results": [{"title": "x", "url": "javascript:alert(1)"}]}}, 0),
    "no title": ({"web": {"results": [{"url": "https://a.example/"}]}}, 1),
    "more than asked for": (
        {"web": {"results": [{"title": "x", "url": f"https://a.example/{n}"} for n in range(9)]}},
        5,
    ),
}


@pytest.mark.shares_fixtures
@pytest.mark.parametrize(("answer", "count"), ODD_ANSWERS.values(), ids=ODD_ANSWERS)
async def test_an_odd_answer_breaks_nothing(answer: object, count: int, workspace: Path) -> None:
    with serving({"/res/v1/web/search": answering(answer)}) as server:
        result = await run(remote_search_tool("brave", server.url, "k"), workspace, query="q")
    assert len(rows_of(result, "results")) == count


def flooding(handler: BaseHTTPRequestHandler, _request: Request) -> None:
    handler.send_response(200)
    handler.end_headers()
    while True:
        handler.wfile.write(b" " * 100_000)


BROKEN: Mapping[str, Reply] = {
    "a page": reply_with(b"<html>"),
    "a list": answering([1]),
    "NaN": reply_with(b'{"web": NaN}'),
    "a flood": flooding,
}


@pytest.mark.parametrize("reply", BROKEN.values(), ids=BROKEN)
async def test_an_answer_that_is_no_json_is_said_to_be_none(reply: Reply, workspace: Path) -> None:
    with serving({"/res/v1/web/search": reply}) as server:
        assert code_of(await run(remote_search_tool("brave", server.url, "k"), workspace, query="q")) == (
            "search_unavailable"
        )


async def test_a_service_that_is_not_there_is_said_to_be_away(workspace: Path) -> None:
    with serving({}) as server:
        pass
    result = await run(remote_search_tool("searxng", server.url, ""), workspace, query="q")
    assert code_of(result) == "search_unavailable"


@pytest.mark.parametrize(
    ("service", "hint"), [("searxng", "METIER_WEB_SEARCH_URL"), ("tavily", "METIER_WEB_SEARCH_KEY")]
)
async def test_what_is_missing_from_the_set_up_is_named(service: str, hint: str, workspace: Path) -> None:
    result = await run(remote_search_tool(service, "", ""), workspace, query="q")
    assert code_of(result) == "search_not_configured"
    assert result.failure is not None
    assert hint in result.failure.hint


def test_the_key_is_not_shown() -> None:
    assert "s3cret" not in repr(SearchClient(ENGINES["brave"], "https://x", "s3cret"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for path, text in {
        "设备/变压器.md": "# 变压器检修\n\n每年一次。先断电，再放油。\n" + "\n填充\n" * 900 + "\n最后检查套管。",
        "设备/水泵.txt": "水泵每月润滑一次。",
        "guide.html": "<html><head><title>Office guide</title></head><p>Print on the second floor.</p></html>",
        "news.csv": "date,what\n2026-01-02,机房搬迁",
        "old.txt": "",
        ".hidden.md": "变压器 secret",
        "image.png": "变压器",
    }.items():
        (tmp_path / "docs" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "docs" / path).write_text(text, "utf-8")
    (tmp_path / "docs" / "gbk.txt").write_bytes("会议室预订流程".encode("gbk"))
    (tmp_path / "docs" / "linked.md").symlink_to(tmp_path / "docs" / ".hidden.md")
    return tmp_path / "docs"


LOCAL = {
    "a Chinese word": ("检修", "设备/变压器.md#L1", "变压器检修"),
    "a Chinese question": ("水泵多久润滑一次？", "设备/水泵.txt#L1", "水泵"),
    "one character": ("油", "设备/变压器.md#L1", "变压器检修"),
    "English": ("where can I print", "guide.html#L1", "Office guide"),
    "a table": ("机房", "news.csv#L1", "news"),
    "another encoding": ("会议室", "gbk.txt#L1", "gbk"),
}


@pytest.mark.shares_fixtures
@pytest.mark.parametrize(("query", "url", "title"), LOCAL.values(), ids=LOCAL)
async def test_documents_are_found(query: str, url: str, title: str, folder: Path, workspace: Path) -> None:
    result = await run(local_search_tool(DocumentIndex(folder)), workspace, query=query)
    best = rows_of(result, "results")[0]
    assert (best["url"], best["title"]) == (url, title)
    assert data_of(result)["source"] == "local folder"
    assert "not pages of the web" in result.notes[0]


async def test_a_result_points_at_the_line_and_shows_it(folder: Path, workspace: Path) -> None:
    (best, *_) = rows_of(await run(local_search_tool(DocumentIndex(folder)), workspace, query="套管"), "results")
    line = int(str(best["url"]).rpartition("#L")[2])
    assert line > 100
    assert "最后检查套管" in str(best["snippet"])


async def test_a_document_is_listed_once_and_hidden_files_never(folder: Path, workspace: Path) -> None:
    rows = rows_of(await run(local_search_tool(DocumentIndex(folder)), workspace, query="变压器", limit=20), "results")
    assert [row["title"] for row in rows] == ["变压器检修"]


async def test_nothing_found_is_no_failure(folder: Path, workspace: Path) -> None:
    assert rows_of(await run(local_search_tool(DocumentIndex(folder)), workspace, query="quantum"), "results") == []


async def test_a_changed_document_is_found_at_the_next_search(folder: Path, workspace: Path) -> None:
    tool = local_search_tool(DocumentIndex(folder))
    assert rows_of(await run(tool, workspace, query="火星"), "results") == []
    (folder / "new.md").write_text("# 火星\n基地", "utf-8")
    assert [row["title"] for row in rows_of(await run(tool, workspace, query="火星"), "results")] == ["火星"]
    (folder / "new.md").unlink()
    assert rows_of(await run(tool, workspace, query="火星"), "results") == []


def test_an_unchanged_document_is_not_read_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    library = DocumentIndex(folder)
    library.search("油", 5)
    read: list[str] = []
    real = DocumentIndex._read

    def noting(self: DocumentIndex, path: str) -> str | None:
        read.append(path)
        return real(self, path)

    monkeypatch.setattr(DocumentIndex, "_read", noting)
    (folder / "news.csv").write_text("changed", "utf-8")
    library.search("油", 5)
    assert read == ["news.csv"]


@pytest.mark.parametrize("made", [True, False], ids=["empty", "missing"])
async def test_an_empty_folder_says_how_to_set_search_up(made: bool, tmp_path: Path, workspace: Path) -> None:
    if made:
        (tmp_path / "docs").mkdir()
    result = await run(local_search_tool(DocumentIndex(tmp_path / "docs")), workspace, query="q")
    assert code_of(result) == "search_not_configured"
    assert result.failure is not None
    assert "METIER_WEB_SEARCH" in result.failure.hint


async def test_a_query_of_spaces_is_refused(folder: Path, workspace: Path) -> None:
    assert code_of(await run(local_search_tool(DocumentIndex(folder)), workspace, query="  ")) == "empty_query"


async def test_what_a_search_found_can_be_opened(folder: Path, workspace: Path) -> None:
    library = DocumentIndex(folder)
    search, fetch = local_search_tool(library), fetch_tool(FetchRules(), documents=library)
    for query in ("检修", "水泵多久润滑一次？", "where can I print", "机房", "会议室", "套管"):
        (best, *_) = rows_of(await run(search, workspace, query=query), "results")
        opened = data_of(await run(fetch, workspace, url=str(best["url"])))
        assert (opened["title"], str(best["snippet"]).split()[-1] in str(opened["content"])) == (best["title"], True)
    (best, *_) = rows_of(await run(search, workspace, query="套管"), "results")
    result = await run(fetch, workspace, url=str(best["url"]), max_chars=900)
    assert "最后检查套管" in str(data_of(result)["content"])
    assert "from line" in result.notes[1]


async def test_pdf_and_office_files_are_found_and_opened_at_their_page_slide_row_or_line(
    tmp_path: Path, workspace: Path
) -> None:
    from tests.documents.test_documents import make_office, make_pdf

    (tmp_path / "a.pdf").write_bytes(make_pdf("cover", "turbine " * 6, "appendix"))
    for ending in ("docx", "pptx", "xlsx"):
        (tmp_path / f"b #1.{ending}").write_bytes(make_office(ending))
    (tmp_path / "locked.pdf").write_bytes(make_pdf("turbine", password="secret"))
    (tmp_path / "scan.pdf").write_bytes(make_pdf(""))
    (tmp_path / "bad.docx").write_bytes(b"PK\x03\x04 turbine")
    library = DocumentIndex(tmp_path)
    search, fetch = local_search_tool(library), fetch_tool(FetchRules(), documents=library)
    wrong = []
    for query, url, text in (
        ("turbine", "a.pdf#p2", "turbine"),
        ("cell", "b #1.docx#L1", "cell"),
        ("two", "b #1.pptx#s2", "two"),
        ("Lund", "b #1.xlsx#p1!1", "Lund\t12.5"),
    ):
        result = await run(search, workspace, query=query)
        (best, *_) = rows_of(result, "results")
        opened = data_of(await run(fetch, workspace, url=str(best["url"])))
        if (best["url"], opened["url"]) != (url, url) or text not in str(opened["content"]):
            wrong.append((query, best["url"], opened))
    assert wrong == []
    assert "cover" not in str(data_of(await run(fetch, workspace, url="a.pdf#p2"))["content"])
    told = " ".join(result.notes)
    assert [name in told for name in ("locked.pdf", "scan.pdf", "bad.docx", "password", "scanned")] == [True] * 5
    assert code_of(await run(fetch, workspace, url="locked.pdf#p1")) == "file_locked"


@pytest.mark.parametrize("place", ["../secret.md", "/etc/passwd", ".hidden.md", "linked.md", "image.png", "no.md#L1"])
async def test_nothing_but_documents_of_the_folder_is_opened(place: str, folder: Path, workspace: Path) -> None:
    (folder.parent / "secret.md").write_text("secret", "utf-8")
    fetch = fetch_tool(FetchRules(), documents=DocumentIndex(folder))
    assert code_of(await run(fetch, workspace, url=place)) not in ("", None)
