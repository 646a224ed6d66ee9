"""A skill with `mode: deep` runs as a turn: report as the answer, form, gate, stop, kill -9 and resume."""

import signal
from functools import partial
from pathlib import Path
from typing import Any

from metier.agent import Runtime, TurnRequest
from metier.events import find_event_problems
from metier.pack import Pack
from metier.settings import Settings
from metier.store import Event
from metier.testing import FakeModel
from scripts.forked_children import run_in_child
from tests.agent.deep.child import run_turn
from tests.flow.deep_pack import write_pack


def settings(tmp_path: Path) -> Settings:
    return Settings(skills_dir=(), storage_dir=tmp_path / "storage", embedder="none")


async def ask(runtime: Runtime, **more: str) -> list[Event]:
    request = TurnRequest("find the peak", skill="find-peak", **more)  # type: ignore[arg-type]
    return [event async for event in runtime.turn(request)]


def last(events: list[Event], kind: str) -> dict[str, object]:
    return dict(next(one for one in reversed(events) if one.kind == kind).data)


async def open_and_ask(tmp_path: Path, pack: Pack) -> list[Event]:
    async with Runtime.open(settings(tmp_path), packs=[pack]) as runtime:
        events = await ask(runtime)
        assert await runtime.store.checkpoints.list(events[0].conversation) == ()
    return events


async def test_the_report_is_the_answer_and_every_event_fits_the_schema(tmp_path: Path) -> None:
    events = await open_and_ask(tmp_path, write_pack(tmp_path / "pack"))
    kinds = [one.kind for one in events]
    assert kinds[-1] == "turn.done"
    assert kinds.count("flow.planned") == 2
    assert kinds.count("reflect") == 2
    assert [one for event in events for one in find_event_problems(event.kind, event.data)] == []
    assert str(last(events, "text.done")["text"]).startswith("**Conclusion:** the largest line is at 8 Hz.")
    report = last(events, "report")
    assert (report["rounds"], report["failed"]) == (2, 0)
    files = [one.data["path"] for one in events if one.kind in ("file", "image")]
    assert files == report["files"]
    assert [Path(str(one.data["path"])).name for one in events if one.kind == "image"] == ["dag.png"]
    folder = tmp_path / "storage" / "workspaces" / events[0].conversation
    html = next(folder / str(path) for path in files if str(path).endswith(".html")).read_text("utf-8")
    assert "data:image/png;base64," in html
    assert "8 Hz" in html
    assert {Path(str(path)).name for path in files} == {
        *("dag.png", "dag.svg", "report.html", "report.md", "report.pdf", "dags.json")
    }
    assert all((folder / str(path)).stat().st_size > 0 for path in files)


async def test_what_is_missing_is_asked_by_a_form_and_kept_as_a_fact(tmp_path: Path) -> None:
    async with Runtime.open(settings(tmp_path), packs=[write_pack(tmp_path / "pack", flow="asking")]) as runtime:
        events = await ask(runtime)
        pause = last(events, "pause.opened")
        assert (pause["kind"], pause["purpose"], pause["missing"]) == ("parameters", "facts", ["rate"])
        shown: Any = pause["form"]
        assert shown["title"] == pause["title"]  # in the user's language, not the name of a tool
        more = [one async for one in runtime.answer(str(pause["pause"]), {"rate": 64})]
        assert more[-1].kind == "turn.done"
        assert (last(more, "fact.saved")["name"], last(more, "fact.saved")["value"]) == ("rate", 64)
        assert "8 Hz" in str(last(more, "text.done")["text"])
        again = await ask(runtime)
        cancelled = [one async for one in runtime.answer(str(last(again, "pause.opened")["pause"]), None)]
        assert cancelled[-1].kind == "turn.done"
        assert "flow.planned" not in [one.kind for one in cancelled]


async def test_a_later_need_pauses_the_run_and_its_answer_goes_on_with_what_was_computed(tmp_path: Path) -> None:
    pack = write_pack(tmp_path / "pack", flow="doubting")
    for answer, rounds in (({"factor": 5}, 2), (None, 1)):
        async with Runtime.open(settings(tmp_path), packs=[pack]) as runtime:
            events = await ask(runtime)
            pause = last(events, "pause.opened")
            assert (pause["purpose"], pause["title"], pause["missing"]) == ("facts", "Which factor?", ["factor"])
            assert last(events, "reflect")["decision"] == "replan"
        async with Runtime.open(settings(tmp_path), packs=[pack]) as runtime:  # a server that was restarted meanwhile
            more = [one async for one in runtime.answer(str(pause["pause"]), answer)]
            assert more[-1].kind == "turn.done"
            assert last(more, "report")["rounds"] == rounds
            scaled = [one.data for one in more if one.kind == "flow.node" and "factor" in str(one.data["params"])]
            assert [one["params"] for one in scaled] == ([{"factor": 5.0}] if answer else [])
            cached = [one.data["cached"] for one in more if one.kind == "flow.node" and one.data["node"] == "c2"]
            assert cached == ([True] if answer else [])
            assert await runtime.store.checkpoints.list(events[0].conversation) == ()


async def test_an_operator_that_the_skill_forbids_is_refused_and_recorded(tmp_path: Path) -> None:
    pack = write_pack(tmp_path / "pack", more="forbidden_tools: [scale]")
    async with Runtime.open(settings(tmp_path), packs=[pack]) as runtime:
        events = await ask(runtime)
        refused = last(events, "tool.violation")
        assert (refused["tool"], refused["code"]) == ("scale", "forbidden_by_skill")
        assert events[-1].kind == "turn.done"
        kept = await runtime.store.violations.list(conversation=events[0].conversation)
        assert {one.tool for one in kept} == {"scale"}
        failed = [one.data for one in events if one.kind == "flow.node" and one.data["state"] == "failed"]
        assert "'scale' was not run" in str(failed[0]["error"])


async def test_a_model_words_the_report_and_its_tokens_are_counted(tmp_path: Path) -> None:
    model = FakeModel()
    for reply in ("1. look", '{"op_name": "spectrum"}', '{"op_name": "stop"}', "1. again", '{"op_name": "stop"}'):
        model.say(reply)
    model.say('{"is_sufficient": true, "reason": "clear"}').say("# Peak found")
    async with Runtime.open(settings(tmp_path), packs=[write_pack(tmp_path / "pack")], model=model) as runtime:
        events = await ask(runtime)
        assert events[-1].kind == "turn.done"
        assert events[-1].data["model_calls"] == 7
        assert [one.kind for one in events].count("usage") == 7
        text = str(last(events, "text.done")["text"])
        assert text.startswith("**Conclusion:** the largest line is at 8 Hz.")
        assert text.endswith("# Peak found")


async def test_a_stopped_run_leaves_no_checkpoints_and_the_next_one_starts(tmp_path: Path) -> None:
    async with Runtime.open(settings(tmp_path), packs=[write_pack(tmp_path / "pack")]) as runtime:
        conversation = ""
        kinds = []
        async for event in runtime.turn(TurnRequest("find the peak", skill="find-peak")):
            conversation = event.conversation
            kinds.append(event.kind)
            if event.kind == "flow.node" and kinds.count("flow.node") == 2:
                await runtime.stop(conversation)
        assert kinds[-1] == "error"
        assert "report" not in kinds
        assert await runtime.store.checkpoints.list(conversation) == ()
        events = await ask(runtime, conversation=conversation)
        assert events[-1].kind == "turn.done"


def test_a_killed_run_is_resumed_without_computing_finished_nodes_again(tmp_path: Path) -> None:
    pack = tmp_path / "pack"
    write_pack(pack, flow="dying")
    killed = run_in_child(partial(run_turn, resume=False), tmp_path / "storage", pack)
    assert killed.code == -signal.SIGKILL, killed.error
    done = run_in_child(partial(run_turn, resume=True), tmp_path / "storage", pack)
    assert done.code == 0, done.error
    computed, planned, end = done.returned
    assert end == "turn.done"
    assert planned == 1  # the second round; the first was planned before
    # Both goals had at most one operator under way when the process died.
    assert computed.count("spectrum") <= 2
    assert (tmp_path / "storage" / "killed").is_file()
