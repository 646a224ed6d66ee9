import asyncio
import json
import logging
import threading
from dataclasses import asdict
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from metier.errors import PathNotFound
from metier.json_values import JsonObject
from metier.store._values import encode_json
from metier.tools import (
    ALWAYS,
    MAX_RESULT_BYTES,
    ArgumentProblem,
    Executor,
    Gate,
    MemoryLedger,
    Outcome,
    RefusedCall,
    Registry,
    Rules,
    Tool,
    ToolCall,
    ToolContext,
    ToolFailure,
    ToolResult,
    ToolSpec,
    argument_problems,
    digest_arguments,
    function_tool,
    gate_for,
)
from metier.tools.run._check_result import check_result
from tests.tools.support import HERE, FakeRunner, FakeTool, call, registry, skill

AREA: JsonObject = {
    "type": "object",
    "properties": {"region": {"type": "string"}, "cells": {"type": "array", "items": {"type": "integer"}}},
    "required": ["region"],
    "additionalProperties": False,
}


def _ticking() -> float:
    _ticking.now += 0.25  # type: ignore[attr-defined]
    return float(_ticking.now)  # type: ignore[attr-defined]


_ticking.now = 0.0  # type: ignore[attr-defined]


async def ran(tool: Tool, one: ToolCall, **options: object) -> Outcome:
    tools = Registry([tool])
    executor = Executor(tools, MemoryLedger(), clock=_ticking)
    return await executor.run(one, gate=gate_for((), tools=tools), context=HERE, **options)  # type: ignore[arg-type]


def failure(outcome: Outcome) -> tuple[str, str, str]:
    found = outcome.result.failure
    assert found
    return found.code, found.message, found.hint


async def test_a_call_that_is_allowed_and_fits_runs() -> None:
    tool = FakeTool(ToolSpec("find", "", AREA))
    outcome = await ran(tool, call("find", region="朝阳区"))
    assert (outcome.state, outcome.result.data, outcome.verdict.code) == ("done", {"done": True}, "allowed")
    assert outcome.result.elapsed_ms == 250.0
    assert tool.seen == [{"region": "朝阳区"}]


async def test_a_refused_call_does_not_run_is_recorded_and_says_what_is_allowed() -> None:
    tools, ledger = registry("web_search", "memory", "pdf"), MemoryLedger()
    gate = gate_for([skill("research", allowed=["web_search", "memory"])], tools=tools)
    one = call("pdf", path="a.pdf", pages=[1])
    outcome = await Executor(tools, ledger).run(one, gate=gate, context=HERE)
    assert outcome.state == "refused"
    assert failure(outcome) == (
        "not_allowed_by_skill",
        "Tool 'pdf' was not run: skill research does not allow it.",
        "allowed: memory, web_search; if nothing else will do, call request_exception with the reason",
    )
    assert ledger.violations == [
        RefusedCall(
            conversation="c1",
            turn="t1",
            tool="pdf",
            args_digest=digest_arguments({"pages": [1], "path": "a.pdf"}),
            layer="skill",
            code="not_allowed_by_skill",
            reason="skill research does not list 'pdf' among its tools",
            skill="research",
        )
    ]
    pdf = tools.get("pdf")
    assert isinstance(pdf, FakeTool)
    assert pdf.seen == []


async def test_a_chinese_turn_is_refused_in_chinese() -> None:
    tools = registry("web_search", "pdf")
    gate = gate_for([skill("research", allowed=["web_search"])], tools=tools)
    outcome = await Executor(tools, MemoryLedger()).run(call("pdf"), gate=gate, context=HERE, language="zh")
    assert failure(outcome)[1:] == (
        "工具 'pdf' 没有执行：技能 research 不允许使用它。",
        "可以使用：web_search；确有必要时，用 request_exception 说明理由",
    )


async def test_an_unknown_tool_is_refused_with_the_nearest_name() -> None:
    tools, ledger = registry("web_search"), MemoryLedger()
    outcome = await Executor(tools, ledger).run(
        call("WebSearch"), gate=gate_for((), tools=tools), context=HERE, language="zh"
    )
    assert failure(outcome) == (
        "unknown_tool",
        "没有名为 'WebSearch' 的工具。",
        "是不是想用 'web_search'？可以使用：web_search",
    )
    assert [one.code for one in ledger.violations] == ["unknown_tool"]


async def test_invalid_arguments_do_not_run_and_say_where() -> None:
    tool = FakeTool(ToolSpec("find", "", AREA))
    outcome = await ran(tool, call("find", cells=["x"], bandd=1))
    assert outcome.state == "invalid"
    code, message, hint = failure(outcome)
    assert code == "invalid_arguments"
    assert "$.cells[0]: must be a whole number" in message
    assert "region missing" in message
    assert "unknown: bandd" in message
    assert hint == "find takes region, cells?"
    assert tool.seen == []


@pytest.mark.parametrize(
    "arguments",
    ['{"region": "x", "cells": [1]}', {"region": "x", "cells": "[1]"}],
    ids=["the whole is a text", "one argument is a text"],
)
async def test_json_in_a_text_is_read_and_noted(arguments: JsonObject) -> None:
    tool = FakeTool(ToolSpec("find", "", AREA))
    outcome = await ran(tool, ToolCall("1", "find", arguments))
    assert tool.seen == [{"region": "x", "cells": [1]}]
    assert outcome.call.arguments == {"region": "x", "cells": [1]}
    assert "JSON in it" in outcome.result.notes[0]


async def test_a_text_that_is_no_json_is_a_problem_and_no_crash() -> None:
    outcome = await ran(FakeTool(ToolSpec("find", "", AREA)), ToolCall("1", "find", "region=x"))  # type: ignore[arg-type]
    assert failure(outcome)[:2] == ("invalid_arguments", '$: must be an object, not "region=x"')


async def test_a_call_that_needs_a_person_waits_and_then_runs() -> None:
    tool = FakeTool(ToolSpec("find", "", AREA, approval=ALWAYS))
    waiting = await ran(tool, call("find", region="x"), language="zh")
    assert (waiting.needs_approval, failure(waiting)) == (
        True,
        ("approval_needed", "工具 'find' 需要先得到人的同意。", "得到同意后会执行"),
    )
    assert tool.seen == []
    assert (await ran(tool, call("find", region="x"), approved=True)).state == "done"


async def test_nobody_is_asked_about_arguments_that_do_not_fit() -> None:
    assert (await ran(FakeTool(ToolSpec("find", "", AREA, approval=ALWAYS)), call("find"))).state == "invalid"


async def test_approval_does_not_open_the_gate() -> None:
    tools = registry("pdf")
    gate = Gate([Rules("operator", "policy", forbidden=frozenset({"pdf"}))], {"pdf": tools.get("pdf").spec})
    outcome = await Executor(tools, MemoryLedger()).run(call("pdf"), gate=gate, context=HERE, approved=True)
    assert failure(outcome) == (
        "denied_by_policy",
        "Tool 'pdf' is denied by the operator of this system.",
        "allowed: none",
    )


async def test_a_tool_that_takes_too_long_is_stopped() -> None:
    stopped = asyncio.Event()

    async def never(_: JsonObject) -> ToolResult:
        try:
            await asyncio.Event().wait()
        finally:
            stopped.set()
        return ToolResult(data={})

    outcome = await ran(FakeTool(ToolSpec("slow", "", timeout_s=0.001), never), call("slow"))
    assert failure(outcome)[:2] == ("timed_out", "slow was stopped after 0.001 s")
    assert stopped.is_set()


async def test_a_preview_that_takes_too_long_says_after_which_time_it_was_stopped() -> None:
    async def never(_: JsonObject) -> ToolResult:
        await asyncio.Event().wait()
        return ToolResult(data={})

    look = FakeTool(ToolSpec("look", ""), never)
    spec = ToolSpec("apply", "", approval=ALWAYS, preview="look", timeout_s=0.001)
    tools = Registry([FakeTool(spec), look])
    gate = gate_for((), tools=tools)
    stopped = await Executor(tools, MemoryLedger()).preview(call("apply"), spec, HERE, gate=gate)
    assert isinstance(stopped, ToolFailure)
    assert (stopped.code, stopped.message) == ("preview_failed", "preview of apply was stopped after 0.001 s")


async def test_a_crash_is_an_answer_and_a_log_line(caplog: pytest.LogCaptureFixture) -> None:
    async def crash(_: JsonObject) -> ToolResult:
        raise TimeoutError("用户名错误" * 100)

    with caplog.at_level(logging.WARNING):
        outcome = await ran(FakeTool(ToolSpec("bad", ""), crash), call("bad"))
    code, message, _ = failure(outcome)
    assert (outcome.state, code) == ("failed", "tool_crashed")
    assert message.startswith("bad crashed: TimeoutError: 用户名错误")
    assert len(message) < 300
    assert caplog.records[0].exc_info


class Unreadable(Exception):
    def __str__(self) -> str:
        raise ValueError("nothing to read")


@pytest.mark.parametrize(
    ("error", "says"),
    [
        pytest.param(SystemExit(2), "SystemExit: 2", id="sys.exit"),
        pytest.param(asyncio.CancelledError("inner"), "CancelledError: inner", id="cancelled by itself"),
        pytest.param(BaseExceptionGroup("two", [SystemExit(1)]), "BaseExceptionGroup: two", id="a group"),
        pytest.param(StopIteration(), "StopIteration", id="StopIteration"),
        pytest.param(Unreadable(), "Unreadable: (its message cannot be read)", id="no message"),
    ],
)
async def test_whatever_a_tool_raises_is_an_answer(error: BaseException, says: str) -> None:
    async def later(_: JsonObject) -> ToolResult:
        raise error

    def now() -> str:
        """Raise it in a thread."""
        raise error

    tried: Tool
    for tried in (FakeTool(ToolSpec("now", ""), later), function_tool(now)):
        outcome = await ran(tried, call("now"))
        assert (outcome.state, failure(outcome)[0]) == ("failed", "tool_crashed")
        assert says in failure(outcome)[1]


async def test_ctrl_c_is_no_crash_of_the_tool() -> None:
    class Interrupted(FakeTool):
        async def run(self, arguments: JsonObject, context: ToolContext) -> ToolResult:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):  # stepped by hand: a task would pass it on to the tests' event loop
        ran(Interrupted(ToolSpec("slow", "")), call("slow")).send(None)


async def test_an_error_with_a_code_keeps_it() -> None:
    async def missing(_: JsonObject) -> ToolResult:
        raise PathNotFound("no file 'a'", hint="check the path")

    outcome = await ran(FakeTool(ToolSpec("read", ""), missing), call("read"))
    assert failure(outcome) == ("path_not_found", "no file 'a'", "check the path")


async def test_whoever_cancels_the_turn_cancels_the_tool() -> None:
    started = asyncio.Event()

    async def wait(_: JsonObject) -> ToolResult:
        started.set()
        await asyncio.Event().wait()
        return ToolResult(data={})

    task = asyncio.create_task(ran(FakeTool(ToolSpec("slow", ""), wait), call("slow")))
    await started.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


@pytest.mark.parametrize(
    ("result", "code"),
    [
        (ToolResult(data={"x": "中" * (MAX_RESULT_BYTES // 3)}), "result_too_large"),
        (ToolResult(data={"x": float("nan")}), "invalid_result"),
        (ToolResult(data={"x": Path()}), "invalid_result"),  # type: ignore[dict-item]
        (ToolResult(data=[1]), "invalid_result"),  # type: ignore[arg-type]
        (ToolResult(), "invalid_result"),
        (ToolResult(data={1: 2}), "invalid_result"),  # type: ignore[dict-item]
        ({"x": 1}, "invalid_result"),
    ],
    ids=[
        *("too large", "not a number", "no JSON", "a list", "nothing"),
        *("a key that is no text", "no result"),
    ],
)
async def test_a_result_that_cannot_be_kept_is_a_failure(result: Any, code: str) -> None:
    class Giver(FakeTool):
        async def run(self, arguments: JsonObject, context: ToolContext) -> ToolResult:
            return result  # type: ignore[no-any-return]

    assert failure(await ran(Giver(ToolSpec("give", "")), call("give")))[0] == code


@pytest.mark.parametrize(
    "value",
    [["x" * 1000] * 100_000, [[1.5] * 1000] * 1000, [{"y" * 1000: 1}] * 2000, ["\ud800", *["x" * 1000] * 2000]],
    ids=["texts", "numbers", "names of fields", "texts to be cleaned"],
)
async def test_a_result_that_is_too_large_is_not_written_out_first(value: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_given: object, **_named: object) -> str:
        raise AssertionError("it is written as a whole")

    # The module's own name, not `json.dumps`: threads of other rooms write JSON meanwhile.
    monkeypatch.setattr("metier.tools.run._check_result.json", SimpleNamespace(dumps=refuse))
    failure = check_result(ToolResult(data={"x": value})).failure
    assert failure is not None
    assert (failure.code, failure.message) == ("result_too_large", "the tool gave more than 1048576 bytes")


@pytest.mark.parametrize(
    "value",
    ["\ud800x", {"\udfff": 1}, 10**5000, json.loads('{"a":' * 900 + "1" + "}" * 900)],
    ids=["half a character", "half a character in a key", "a huge integer", "too deep"],
)
async def test_a_tool_that_ran_keeps_its_result_but_for_what_cannot_be_stored(value: Any) -> None:
    def give() -> object:
        """Give it."""
        return {"sent": 3, "odd": value}

    result = (await ran(function_tool(give), call("give"))).result
    assert result.data is not None
    assert result.data["sent"] == 3
    assert "cannot be stored" in result.notes[-1]
    json.dumps(result.data).encode()


async def test_what_a_result_keeps_of_the_user_is_cleaned_as_its_data_is() -> None:
    rows = [{"a": ()}]
    kept: JsonObject = {f"k{chr(0xD800)}": 1, f"k{chr(0xDFFF)}": chr(0xD800)}

    async def give(_: JsonObject) -> ToolResult:
        return ToolResult(data={"sent": rows, "again": rows, "t": "\ud800"}, keep=kept)

    result = (await ran(FakeTool(ToolSpec("give", ""), give), call("give"))).result
    assert result.data == {"sent": [{"a": []}], "again": [{"a": []}], "t": "\ufffd"}
    assert result.keep == {"k\ufffd": 1, "k\ufffd\ufffd2": "\ufffd"}
    assert "cannot be stored" in result.notes[-1]


async def test_every_result_can_be_stored() -> None:
    """Whatever a tool gives: its data, its failure and its notes pass the check of the store."""
    odd = "a\x00\ud800" + "x" * 20_000
    given = [
        ToolResult(data={"a\x00": "b\x00", "n": [2**63, -(10**400)]}),
        ToolResult(data={"a": 1}, notes=(odd, b"x", 5)),  # type: ignore[arg-type]
        ToolResult(data={"a": 1}, notes=("x",) * 500),
        ToolResult.fail(odd, odd, hint=odd),
        ToolResult.fail("", ""),
        ToolResult.fail(None, None, hint=None),  # type: ignore[arg-type]
        ToolResult(data={"a": 1}, failure="it broke"),  # type: ignore[arg-type]
    ]
    for one in given:

        async def give(_: JsonObject, result: ToolResult = one) -> ToolResult:
            return result

        result = (await ran(FakeTool(ToolSpec("give", ""), give), call("give"))).result
        error = None if result.failure is None else asdict(result.failure)
        whole = {"data": result.data, "error": error, "notes": list(result.notes)}
        assert len(encode_json(whole, "result")) < 50_000
        if result.failure is not None:
            assert result.failure.code
            assert result.failure.message


async def test_a_replaced_character_is_noted() -> None:
    async def give(_: JsonObject) -> ToolResult:
        return ToolResult(data={"a": "b\x00", "n": 10**30, "fine": 2**62}, notes=("first",))

    result = (await ran(FakeTool(ToolSpec("give", ""), give), call("give"))).result
    assert result.data == {"a": "b\ufffd", "n": "1" + "0" * 30, "fine": 2**62}
    assert result.notes == ("first", "characters or numbers that cannot be stored were replaced")


async def test_a_failure_of_the_tool_is_passed_on_with_its_notes() -> None:
    async def give(_: JsonObject) -> ToolResult:
        return ToolResult.fail("no_such_region", "没有这个区域", hint="换一个", elapsed_ms=7)

    outcome = await ran(FakeTool(ToolSpec("give", ""), give), call("give"))
    assert failure(outcome) == ("no_such_region", "没有这个区域", "换一个")
    assert outcome.result.elapsed_ms == 7


async def test_the_tool_that_runs_is_the_one_the_gate_judged() -> None:
    both = [skill("exam", scripts=["parse"]), skill("contract", scripts=["parse"])]
    tools = registry().with_skills(both, FakeRunner())
    for one in both:
        outcome = await Executor(tools, MemoryLedger()).run(
            call("parse"), gate=gate_for([one], tools=tools), context=HERE
        )
        assert outcome.result.data == {"from": one.id}


async def test_a_gate_of_another_registry_runs_nothing() -> None:
    gate = gate_for((), tools=registry("gone"))
    outcome = await Executor(registry("here"), MemoryLedger()).run(call("gone"), gate=gate, context=HERE)
    assert (outcome.state, failure(outcome)[0]) == ("failed", "tool_not_found")


async def test_a_refusal_that_cannot_be_recorded_is_not_passed_over() -> None:
    class Full(MemoryLedger):
        async def record_violation(self, refused: RefusedCall) -> None:
            raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        await Executor(registry(), Full()).run(
            call("x"), gate=gate_for((), tools=registry()), context=ToolContext(Path())
        )


async def test_arguments_that_take_long_to_check_are_checked_in_a_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("metier.limits._steps.INLINE_STEPS", 100)
    threads: list[int] = []

    def check(schema: JsonObject, arguments: JsonObject) -> tuple[ArgumentProblem, ...]:
        threads.append(threading.get_ident())
        return argument_problems(schema, arguments)

    monkeypatch.setattr("metier.tools.run._executor.argument_problems", check)
    long = call("measure", region="north", cells=list(range(50)))
    outcome = await ran(FakeTool(ToolSpec("measure", "", AREA)), long)
    assert outcome.state == "done"
    assert [one == threading.get_ident() for one in threads] == [True, False]


@pytest.mark.parametrize(
    ("source", "hint"), [("workspace", "pip install 'metier[workspace]'"), ("garden", "pip install soil_of_mars")]
)
async def test_a_package_that_is_not_installed_is_told_with_its_install_line(
    source: str, hint: str, caplog: pytest.LogCaptureFixture
) -> None:
    async def dig(_: JsonObject) -> ToolResult:
        import soil_of_mars.sand  # type: ignore[import-not-found]

        return ToolResult({"sand": soil_of_mars.sand})

    told = await ran(FakeTool(ToolSpec("dig", "", source=source), dig), call("dig"))
    assert failure(told) == ("missing_extra", "dig needs the package soil_of_mars, which is not installed.", hint)
    assert caplog.records == []
