"""Every middleware that LangChain has works in a turn, or is refused when the runtime is opened."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any, NotRequired

import langchain.agents.middleware as library
import pytest
from langchain.agents.middleware import (
    AgentMiddleware,
    ClearToolUsesEdit,
    ContextEditingMiddleware,
    FilesystemFileSearchMiddleware,
    LLMToolEmulator,
    LLMToolSelectorMiddleware,
    ModelFallbackMiddleware,
    ModelRetryMiddleware,
    ProviderToolSearchMiddleware,
    ShellToolMiddleware,
    SummarizationMiddleware,
    TodoListMiddleware,
    ToolErrorMiddleware,
    ToolRetryMiddleware,
)
from langchain.agents.middleware.shell_tool import ShellSession
from langchain.agents.middleware.types import AgentState
from langchain.tools import ToolRuntime
from langchain_core.messages import ToolMessage
from langchain_core.tools import tool as make_tool
from langgraph.types import Command, interrupt

from metier.errors import InvalidTool, UsageError
from metier.testing import FakeModel
from tests.e2e.middleware.support import SKILL, Recorder, chat
from tests.e2e.support import RESEARCH_SKILLS, Desk, answered, opened, said, written

# Tested in the files beside this one.
TESTED_BESIDE = {
    "HumanInTheLoopMiddleware",
    "ModelCallLimitMiddleware",
    "PIIMiddleware",
    "ToolCallLimitMiddleware",
}
TESTED_HERE = {name for name in globals() if name in library.__all__ and name.endswith(("Middleware", "Emulator"))}


def test_every_middleware_of_langchain_is_tried() -> None:
    known = {name for name in library.__all__ if _is_middleware(getattr(library, name))}
    assert known - {"AgentMiddleware"} == TESTED_BESIDE | TESTED_HERE - {"AgentMiddleware"}


def _is_middleware(found: object) -> bool:
    return isinstance(found, type) and issubclass(found, AgentMiddleware)


ASK = "go through my notes and tell me which colour the lamp has"  # a request: small talk is offered no tools


def search_in(folder: Path) -> FilesystemFileSearchMiddleware[Any, Any]:
    folder.mkdir(exist_ok=True)
    (folder / "notes.txt").write_text("the lamp is blue\n", "utf-8")
    return FilesystemFileSearchMiddleware(root_path=str(folder), use_ripgrep=False)


async def test_the_tools_of_a_file_search_are_offered_and_called(tmp_path: Path) -> None:
    seen = Recorder()
    model = chat().call("grep_search", pattern="lamp", output_mode="content").say("blue")
    brought = [seen, search_in(tmp_path / "files")]
    async with opened(tmp_path, model=model, middleware=brought) as runtime:
        turn = await said(runtime, ASK)
        offered = {spec.name for spec in runtime.tools().specs()}
    assert {"glob_search", "grep_search"} <= offered
    assert {"glob_search", "grep_search"} <= set(model.prompts[-1].tools)
    assert seen.names == ["use_skill", "grep_search"]
    result = turn.all("tool.result")[-1]
    assert (result["tool"], result["state"]) == ("grep_search", "done")
    assert "the lamp is blue" in str(result["data"])
    assert turn.text == "blue"


async def test_a_skill_that_lists_its_tools_keeps_those_of_middleware_out(tmp_path: Path) -> None:
    model = FakeModel().call("grep_search", pattern="lamp").say("好")
    async with opened(tmp_path, model=model, middleware=[search_in(tmp_path / "files")]) as runtime:
        turn = await said(runtime, SKILL)
    assert "grep_search" not in model.prompts[0].tools
    assert turn.one("tool.violation")["tool"] == "grep_search"
    assert turn.one("tool.result")["state"] == "refused"


async def test_an_operators_policy_asks_a_person_about_a_tool_of_middleware(tmp_path: Path) -> None:
    policy = tmp_path / "policy.toml"
    policy.write_text('confirm = ["grep_*"]\n', "utf-8")
    model = chat().call("grep_search", pattern="lamp", output_mode="content").say("blue")
    brought = [search_in(tmp_path / "files")]
    async with opened(tmp_path, model=model, middleware=brought, policy_file=policy) as runtime:
        first = await said(runtime, ASK)
        assert first.one("pause.opened")["kind"] == "approval"
        last = await answered(runtime, first.pause, {"decision": "approve"})
    assert "the lamp is blue" in str(last.one("tool.result")["data"])


async def test_a_sub_agent_calls_the_tools_of_middleware_too(tmp_path: Path) -> None:
    reader = RESEARCH_SKILLS["reader"].replace("find_terms, match_scene", "grep_search")
    research = RESEARCH_SKILLS["research"].replace("find_terms, refund", "grep_search")
    skills = written(tmp_path, research=research, reader=reader)
    model = FakeModel().call("task", description="look for the lamp", skill="reader")
    model.call("grep_search", pattern="lamp", output_mode="content").say("It is blue.").say("结论。")
    brought = [search_in(tmp_path / "files")]
    async with opened(tmp_path, model=model, skills_dir=(skills,), middleware=brought) as runtime:
        turn = await said(runtime, "做一个专题研究")
    found = turn.find("tool.result", lambda data: data["tool"] == "grep_search")
    assert "the lamp is blue" in str(found)
    assert turn.text == "结论。"


async def test_a_todo_list_of_langchain_is_the_list_of_the_turn(tmp_path: Path) -> None:
    todos = [{"content": "look it up", "status": "in_progress"}]
    model = chat().call("write_todos", todos=todos).say("done")
    async with opened(tmp_path, model=model, middleware=[TodoListMiddleware()]) as runtime:
        turn = await said(runtime, ASK)
    assert turn.one("todos")["todos"] == todos
    assert list(model.prompts[-1].tools).count("write_todos") == 1
    assert turn.text == "done"


@pytest.fixture
def _pipes_closed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """LangChain leaves the pipes of a shell open, and its threads that read them: a later test would be blamed."""
    left = list[tuple[threading.Thread, IO[str]]]()
    start = ShellSession.start

    def start_and_remember(session: Any) -> None:
        start(session)
        left.append((session._stdout_thread, session._process.stdout))
        left.append((session._stderr_thread, session._process.stderr))

    monkeypatch.setattr(ShellSession, "start", start_and_remember)
    yield
    assert left
    for thread, pipe in left:
        thread.join()
        pipe.close()


@pytest.mark.usefixtures("_pipes_closed")
async def test_a_shell_of_langchain_runs_for_one_turn(tmp_path: Path) -> None:
    (tmp_path / "here").mkdir()
    shell = ShellToolMiddleware(workspace_root=tmp_path / "here")
    model = chat().call("shell", command="echo lamp > a.txt; cat a.txt").say("done")
    async with opened(tmp_path, model=model, middleware=[shell]) as runtime:
        turn = await said(runtime, ASK)
    assert turn.all("tool.result")[-1]["data"] == {"text": "lamp\n"}
    assert turn.text == "done"


class Counting(AgentMiddleware[Any, Any, Any]):
    """Brings a tool that keeps a count in the state of the agent, and one that asks a person."""

    class State(AgentState[Any]):
        count: NotRequired[int]

    state_schema = State

    def __init__(self) -> None:
        super().__init__()

        def count_up(runtime: ToolRuntime[Any, Any]) -> Command[Any]:
            """Count."""
            count = runtime.state.get("count", 0) + 1
            message = ToolMessage(f"counted {count}", tool_call_id=runtime.tool_call_id)
            return Command(update={"count": count, "messages": [message]})

        def ask_colour() -> str:
            """Ask which colour."""
            return f"it is {interrupt('which colour?')}"

        self.tools = [make_tool(count_up), make_tool(ask_colour)]


async def test_a_tool_of_middleware_reads_and_changes_the_state_of_its_middleware(tmp_path: Path) -> None:
    model = chat().call("count_up").call("count_up").say("two")
    async with opened(tmp_path, model=model, middleware=[Counting()]) as runtime:
        turn = await said(runtime, ASK)
    results = [one["data"] for one in turn.all("tool.result") if one["tool"] == "count_up"]
    assert results == [{"text": "counted 1"}, {"text": "counted 2"}]


async def test_a_tool_of_middleware_asks_a_person_while_it_runs(tmp_path: Path) -> None:
    model = chat().call("ask_colour").say("noted")
    async with opened(tmp_path, model=model, middleware=[Counting()]) as runtime:
        first = await said(runtime, ASK)
        last = await answered(runtime, first.pause, "blue")
    assert first.one("pause.opened")["text"] == "which colour?"
    assert last.one("tool.result")["data"] == {"text": "it is blue"}
    assert last.text == "noted"


class Flaky:
    """A tool that fails as often as it is told."""

    def __init__(self, failures: int) -> None:
        self.failures = failures
        self.runs = 0

    def find_terms(self, query: str) -> dict[str, Any]:
        """Find terms."""
        self.runs += 1
        if self.runs <= self.failures:
            raise ConnectionError("the line is down")
        return {"names": [query]}


def retry(**more: Any) -> ToolRetryMiddleware:
    return ToolRetryMiddleware(max_retries=2, initial_delay=0.0, jitter=False, retry_on=(ConnectionError,), **more)


@pytest.mark.parametrize(("failures", "runs", "state"), [(1, 2, "done"), (9, 3, "failed")], ids=["once", "always"])
async def test_a_tool_that_fails_is_tried_again(tmp_path: Path, failures: int, runs: int, state: str) -> None:
    desk, flaky = Desk(), Flaky(failures)
    desk.instead["find_terms"] = flaky.find_terms
    async with opened(tmp_path, desk, chat().call("find_terms", query="x").say("ok"), middleware=[retry()]) as runtime:
        turn = await said(runtime, ASK)
    assert flaky.runs == runs
    assert turn.all("tool.result")[-1]["state"] == state
    assert turn.text == "ok"


async def test_the_error_of_a_tool_is_worded_by_middleware(tmp_path: Path) -> None:
    desk, flaky = Desk(), Flaky(1)
    desk.instead["find_terms"] = flaky.find_terms
    worded = ToolErrorMiddleware(on_error=lambda error, request: f"sorry: {error}")
    async with opened(tmp_path, desk, chat().call("find_terms", query="x").say("ok"), middleware=[worded]) as runtime:
        turn = await said(runtime, ASK)
    result = turn.all("tool.result")[-1]
    assert (result["ok"], result["content"]) == (False, "sorry: the line is down")


async def test_an_error_that_middleware_lets_through_is_recorded_as_without_it(tmp_path: Path) -> None:
    told: list[dict[str, Any]] = []
    for brought in ([], [Recorder()]):
        desk = Desk()
        desk.broken.add("find_order")
        model = chat().call("find_order", number=1).say("ok")
        async with opened(tmp_path / str(len(told)), desk, model, middleware=brought) as runtime:
            turn = await said(runtime, ASK)
        told.append({key: turn.all("tool.result")[-1][key] for key in ("ok", "state", "error")})
    assert told[0] == told[1]


async def test_a_model_chooses_the_tools_that_another_is_offered(tmp_path: Path) -> None:
    selector = FakeModel()
    for tool in ("use_skill", "find_order", "find_order"):
        selector = selector.call("ToolSelectionResponse", tools=[tool])
    choose = LLMToolSelectorMiddleware(model=selector, max_tools=1)
    model = chat().call("find_order", number=1).say("ok")
    desk = Desk()
    async with opened(tmp_path, desk, model, middleware=[choose]) as runtime:
        turn = await said(runtime, ASK)
    assert turn.text == "ok"
    assert list(model.prompts[-1].tools) == ["find_order"]


async def test_a_call_that_is_emulated_does_not_run(tmp_path: Path) -> None:
    emulator = LLMToolEmulator(tools=["find_order"], model=FakeModel().say('{"number": 7}'))
    desk = Desk()
    async with opened(tmp_path, desk, chat().call("find_order", number=1).say("ok"), middleware=[emulator]) as runtime:
        turn = await said(runtime, ASK)
    assert desk.calls == []
    assert "7" in str(turn.all("tool.result")[-1])


async def test_another_model_takes_over_from_one_that_fails(tmp_path: Path) -> None:
    fallback = ModelFallbackMiddleware(FakeModel().say("from the other one"))
    async with opened(tmp_path, model=FakeModel().fail(ConnectionError("down")), middleware=[fallback]) as runtime:
        turn = await said(runtime, ASK)
    assert turn.text == "from the other one"


async def test_a_model_that_fails_is_asked_again(tmp_path: Path) -> None:
    again = ModelRetryMiddleware(max_retries=1, initial_delay=0.0, jitter=False)
    model = FakeModel().fail(ConnectionError("down")).say("here I am")
    async with opened(tmp_path, model=model, middleware=[again]) as runtime:
        turn = await said(runtime, ASK)
    assert turn.text == "here I am"


async def test_old_results_are_cleared_from_the_prompt(tmp_path: Path) -> None:
    edit = ContextEditingMiddleware(edits=[ClearToolUsesEdit(trigger=1, keep=0)])
    model = chat().call("find_order", number=1).say("ok")
    async with opened(tmp_path, model=model, middleware=[edit]) as runtime:
        turn = await said(runtime, ASK)
    assert turn.text == "ok"
    assert "[cleared]" in str(model.prompts[-1])


async def test_the_messages_of_a_long_turn_are_summarized(tmp_path: Path) -> None:
    summary = SummarizationMiddleware(
        FakeModel().say("Nothing yet.").say("An order was found."), trigger=("messages", 4), keep=("messages", 2)
    )
    model = chat().call("find_order", number=1).call("find_order", number=2).say("ok")
    desk = Desk()
    async with opened(tmp_path, desk, model, middleware=[summary]) as runtime:
        turn = await said(runtime, ASK)
        history = await runtime.store.messages.get_history(turn.conversation)
    assert turn.text == "ok"
    assert "An order was found." in str(model.prompts[-1])
    assert [call.name for one in history for call in one.tool_calls].count("find_order") == 2


class OnlySync(AgentMiddleware[Any, Any, Any]):
    """Hooks that no turn can await."""

    def wrap_tool_call(self, request: Any, handler: Any) -> Any:
        return handler(request)


class Brings(AgentMiddleware[Any, Any, Any]):
    """Brings a tool under a name."""

    def __init__(self, name: str) -> None:
        super().__init__()

        def run(x: int) -> str:
            """Run."""
            return str(x)

        run.__name__ = name
        self.tools = [run]  # type: ignore[list-item]  # LangChain takes functions too


REFUSED: list[tuple[Callable[[], list[Any]], type[Exception], str]] = [
    (lambda: [ProviderToolSearchMiddleware()], UsageError, "provider's search"),
    (lambda: [OnlySync()], UsageError, "awrap_tool_call"),
    (lambda: [Recorder(), Recorder()], UsageError, "Recorder"),
    (lambda: [Brings("ask_user")], InvalidTool, "ask_user"),
    (lambda: [Brings("write_todos")], InvalidTool, "write_todos"),
    (lambda: [Brings("task")], InvalidTool, "task"),
    (lambda: [Brings("find_order")], InvalidTool, "find_order"),
]


@pytest.mark.parametrize(
    ("build", "error", "said"),
    REFUSED,
    ids=["provider search", "sync only", "twice", "control tool", "other todos", "task", "taken"],
)
async def test_middleware_that_cannot_work_is_refused_when_the_runtime_is_opened(
    tmp_path: Path, build: Callable[[], list[Any]], error: type[Exception], said: str
) -> None:
    with pytest.raises(error, match=said):
        async with opened(tmp_path, middleware=build()):
            pass
