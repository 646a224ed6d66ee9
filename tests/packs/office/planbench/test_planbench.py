"""The plan bench: cases on real files, read again with other code than wrote them."""

import importlib.util
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from metier.packs.office.drafting import draft_plan
from metier.packs.office.planbench import (
    ASSERT_KINDS,
    SETS,
    BenchOutcome,
    PlanCase,
    PlanResult,
    check_assert,
    describe_wire,
    load_canned,
    load_cases,
    load_stories,
    make_drafter,
    run_case,
    run_story,
    run_wire,
    summarize_results,
)
from metier.packs.office.planbench._documents import write_document

HAS_HOSTS = {
    host: importlib.util.find_spec(f"metier.packs.office.{name}") is not None
    for host, name in (("wps", "writer"), ("et", "sheets"), ("wpp", "slides"))
}


def _misses(results: list[PlanResult]) -> list[tuple[str, str, tuple[str, ...]]]:
    return [(one.id, one.question or one.state, one.misses) for one in results if one.state != "right"]


def test_the_sets_are_complete() -> None:
    shipped = load_cases("shipped")
    assert [sum(case.host == host for case in shipped) for host in ("wps", "et", "wpp")] == [20, 5, 5]
    assert set(load_canned()) == {case.id for case in shipped}
    asserts = {name for set_name in SETS for case in load_cases(set_name) for name, _ in case.asserts}
    asserts |= {name for story in load_stories() for turn in story.turns for name, _ in turn.asserts}
    assert asserts - set(ASSERT_KINDS) - {"refused"} == set()
    assert len(ASSERT_KINDS) >= 20


def test_every_shipped_case_is_written_right_by_rules_and_from_given_plans() -> None:
    cases = [case for case in load_cases("shipped") if HAS_HOSTS[case.host]]
    results = [run_case(case, "builtin", make_drafter("builtin")) for case in cases]
    assert _misses(results) == []
    results = [run_case(case, "canned", make_drafter("canned")) for case in cases]
    assert _misses(results) == []
    assert summarize_results(results)["wrong"] == 0


def test_no_held_out_wording_is_written_wrong_and_most_are_right() -> None:
    cases = [case for case in load_cases("held_out") if HAS_HOSTS[case.host]]
    results = [run_case(case, "builtin", make_drafter("builtin")) for case in cases]
    assert [(one.id, one.misses) for one in results if one.state in ("wrong", "failed")] == []
    assert sum(one.state == "right" for one in results) >= 0.7 * len(results)


def test_stories_hold_turn_by_turn() -> None:
    stories = [story for story in load_stories() if HAS_HOSTS[story.host]]
    assert _misses([one for story in stories for one in run_story(story, make_drafter("builtin"))]) == []


def test_an_assert_that_does_not_hold_says_what_is_there(tmp_path: Path) -> None:
    unmet: dict[str, list[tuple[str, Any]]] = {
        "wps": [
            ("text", "no such text"), ("no_text", "项目说明"), ("text_matches", "zzz"), ("table", {"rows": 9}),
            ("table_has", ["x"]), ("table_count", 1), ("header_bold", True), ("heading", "x"), ("heading_levels", 3),
            ("bold", "项目说明"), ("list_items", 1), ("word_art", "x"), ("picture_placeholder", True), ("at_end", "x"),
            ("order", ["x", "y"]), ("block_once", True), ("chart", {"type": "bar"}), ("chart_values", [1]),
            ("second_run", True), ("asked", True),
        ],
        "et": [
            ("sheet", "x"), ("cells", ["x", 1]), ("formula_value", [1]), ("sheet_header", ["x"]), ("sheet_rows", 9),
            ("sheet_cols", 9), ("number_format", True), ("conditional_format", True),
        ],
        "wpp": [
            ("slides_added", 1), ("slide_title", "x"), ("slide_paragraphs", 4), ("large_text", "x"),
        ],
    }  # fmt: skip
    holding = []
    for host, asserts in unmet.items():
        path, _ = write_document(host, tmp_path)  # type: ignore[arg-type]
        outcome = BenchOutcome(path, path)
        holding += [(host, name) for name, wanted in asserts if not check_assert(outcome, name, wanted)]
    assert holding == []


def test_a_look_that_a_case_asks_for_is_no_change_of_the_document(tmp_path: Path) -> None:
    """Lines that became points are new points; their text stays, and so does a line with a comment."""
    paragraphs = ("Trip", "Tent", "Lamp", "Be on time.")
    cases: dict[str, Any] = {
        "turn Tent and Lamp into a bulleted list": (("list_items", 2), ("unchanged", True)),
        'make the "Be on time." line bold': (("bold", "Be on time."), ("unchanged", True)),
        'add a comment "Really?" to the line "Be on time."': (("unchanged", True),),
        'move "Tent" to the end': (("at_end", "Tent"),),
    }
    draft = make_drafter("builtin")
    states = {
        request: run_case(PlanCase("look", "wps", "en", request, asserts, document=paragraphs), "builtin", draft).state
        for request, asserts in cases.items()
    }
    assert states == dict.fromkeys(cases, "right")
    other = PlanCase("look", "wps", "en", 'make the "Tent" line bold', (("unchanged", True),), document=paragraphs)
    assert run_case(other, "builtin", draft).state == "wrong"


@pytest.fixture
async def client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    from metier.pack import Packs, find_installed_packs
    from metier.server import create_app
    from metier.settings import load_settings

    monkeypatch.chdir(tmp_path)
    settings = load_settings({"storage_dir": tmp_path / "data", "model": "builtin"})
    packs = Packs(find_installed_packs().select(["office"]))
    app = create_app(settings, packs=packs, bench_folder=tmp_path / "bench")
    async with app.router.lifespan_context(app):
        transport = httpx.ASGITransport(app=app)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000", timeout=120) as made:
            yield made


def _read_events(text: str) -> Iterator[Any]:
    for line in text.splitlines():
        if line.startswith("data: {"):
            yield json.loads(line.removeprefix("data: "))


async def test_other_tools_get_a_plan_or_the_question_as_a_stream_and_the_page_runs_the_bench(client: Any) -> None:
    address = "/agentic/js-plan/vibe-coding/stream"
    body = {"user_query": "插入一个2×3的表格", "session_id": "s", "document_name": "a.docx", "host_app": "wps"}
    answer = await client.post(address, json={**body, "capabilities": {"x": 1}})
    assert answer.text.endswith("data: [DONE]\n\n")
    [final] = _read_events(answer.text)
    assert (final["type"], final["result"]["success"], final["result"]["attempt_count"]) == ("final_result", True, 1)
    assert final["result"]["plan"]["actions"][0]["op"] == "upsert_block"
    [unclear] = _read_events((await client.post(address, json={**body, "user_query": "做个表"})).text)
    assert unclear["result"]["success"] is False
    assert unclear["result"]["error"]["type"] == "question"

    ran = list(_read_events((await client.post("/api/plan-bench", json={"host": "et", "set": "shipped"})).text))
    assert [one["type"] for one in ran] == ["started", *["result"] * 5, "finished"]
    listed = (await client.get("/api/plan-bench")).json()
    assert listed["modes"] == ["builtin", "canned"]
    saved = (await client.get(f"/api/plan-bench/{listed['runs'][0]['name']}")).json()
    assert len(saved["results"]) == saved["summary"]["total"] == 5
    assert (await client.get("/api/plan-bench/..%2Fx")).status_code == 404
    assert (await client.post("/api/plan-bench", json={"mode": "live"})).status_code == 400


def test_the_bench_over_http_counts_repairs_and_resumes_where_it_was(tmp_path: Path) -> None:
    asked: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        body = json.loads(request.content)
        asked.append(body["user_query"])
        drafted = draft_plan(body["user_query"], host=body["host_app"], language="zh")
        result = {"success": len(asked) != 2, "plan": drafted.plan, "attempt_count": 2, "error": {"message": "no"}}
        lines = ['data: {"type": "token"}', f"data: {json.dumps({'type': 'final_result', 'result': result})}"]
        return httpx.Response(200, text="\n\n".join([*lines, "data: [DONE]", ""]))

    client = httpx.Client(transport=httpx.MockTransport(answer), base_url="http://server")
    cases, out = load_cases("shipped")[:3], tmp_path / "out.json"
    results = run_wire(client, cases, out=out, say=lambda _: None)
    assert [one.ok for one in results] == [True, False, True]
    assert "ok_with_repairs_1: 2" in list(describe_wire(results))
    again = run_wire(client, cases, out=out, resume=True, say=lambda _: None)
    assert [one.ok for one in again] == [True, True, True]
    assert len(asked) == 4
    assert list(describe_wire(again))[:4] == ["total: 3", "ok: 3", "fail: 0", "success_rate: 100.0%"]
