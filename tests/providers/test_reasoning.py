"""What a model thinks before it answers: shown and stored apart, and given back only to the model that needs it."""

import json
from pathlib import Path
from typing import Any

import httpx
import pytest
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage

from metier.agent import Runtime, TurnRequest, load_model
from metier.agent.models import RetryPolicy
from metier.cli import run
from metier.pack import Packs
from metier.server import create_app
from metier.tools import ALWAYS, Tool, function_tool
from tests.e2e.support import told
from tests.providers.anthropic_api import SIGNATURE, AnthropicApi
from tests.providers.conftest import Lives
from tests.providers.openai_api import OpenAIApi
from tests.providers.server import KEY, MODEL, Ability, Call, ModelServer, Reply
from tests.providers.support import APIS, WRITE, Notes, config_of, opened, settings_in

on_module_loop = pytest.mark.asyncio(loop_scope="module")
THOUGHT = ("The user wants a note, ", "so I write one. ", "The file is called a.txt, which nobody has used before.")
THINKS = Reply(reasoning=THOUGHT, text=("I write. ",), calls=(WRITE,))
DONE = Reply(reasoning=("It worked.",), text=("It is ", "done."))
REQUIRED, REFUSED = Ability(reasoning="required"), Ability(reasoning="refused")


@on_module_loop
@pytest.mark.parametrize("provider", sorted(APIS))
async def test_reasoning_is_streamed_and_stored_apart_from_the_text(lives: Lives, provider: str) -> None:
    live = await lives.get(provider)
    turn = await live.ask(THINKS, DONE)
    assert [one["text"] for one in turn.all("reasoning.done")] == ["".join(THOUGHT), "It worked."]
    assert "".join(str(one["text"]) for one in turn.all("reasoning.delta")) == "".join(THOUGHT) + "It worked."
    assert [one["text"] for one in turn.all("text.done")] == ["I write.", "It is done."]
    order = [kind for kind in turn.kinds if kind in ("reasoning.done", "text.delta", "tool.called", "usage")]
    assert order[:2] == ["reasoning.done", "text.delta"]
    assert order.count("reasoning.done") == order.count("usage") == 2


@on_module_loop
@pytest.mark.parametrize("provider", sorted(APIS))
async def test_a_later_turn_does_not_read_it(lives: Lives, provider: str) -> None:
    live = await lives.get(provider)
    turn = await live.ask(THINKS, DONE)
    await live.ask(Reply(text=("Yes.",)), message="and now?", conversation=turn.conversation)
    sent = json.dumps(live.server.asked[-1], ensure_ascii=False)
    assert "I write." in sent
    assert "It is done." in sent
    assert "so I write one" not in sent
    assert "It worked" not in sent


@on_module_loop
async def test_reasoning_that_is_text_is_no_text(lives: Lives) -> None:
    live = await lives.get("openai")
    turn = await live.ask(Reply(text=("<thi", "nk>Let me ", "see.</thi", "nk>", "Hello ", "world.")))
    assert (turn.one("reasoning.done")["text"], turn.text) == ("Let me see.", "Hello world.")


@on_module_loop
@pytest.mark.parametrize("field", ["reasoning_content", "reasoning"])
async def test_a_server_gets_it_back_between_calls_in_its_own_field(lives: Lives, field: str) -> None:
    live = await lives.get("openai", REQUIRED)
    turn = await live.ask(Reply(reasoning=THOUGHT, reasoning_field=field, calls=(WRITE,)), DONE)
    assert turn.text == "It is done."
    (called,) = [one for one in live.server.asked[-1]["messages"] if one.get("tool_calls")]
    assert called[field] == "".join(THOUGHT)


@on_module_loop
async def test_a_server_that_takes_none_back_is_asked_without(lives: Lives) -> None:
    live = await lives.get("openai", REFUSED)
    turn = await live.ask(
        THINKS, Reply(reasoning=THOUGHT, calls=(Call("write_note", WRITE.arguments, "call_2"),)), DONE
    )
    assert turn.text == "It is done."
    back = [any("reasoning_content" in one for one in body["messages"]) for body in live.server.asked]
    assert back == [False, True, False, False]


@on_module_loop
async def test_ollama_gets_it_back_between_calls(lives: Lives) -> None:
    live = await lives.get("ollama")
    await live.ask(THINKS, DONE)
    assert live.server.asked[0].get("think") is None  # an error for models that cannot think
    assert [one.get("thinking") for one in live.server.asked[1]["messages"] if one.get("tool_calls")] == [
        "".join(THOUGHT)
    ]


@pytest.mark.parametrize(
    ("reply", "block"),
    [
        (THINKS, {"type": "thinking", "thinking": "".join(THOUGHT), "signature": SIGNATURE}),
        (Reply(redacted="c2VjcmV0", calls=(WRITE,)), {"type": "redacted_thinking", "data": "c2VjcmV0"}),
    ],
    ids=["signed", "redacted"],
)
@pytest.mark.parametrize("streams", [True, False], ids=["streamed", "whole"])
async def test_anthropic_gets_its_blocks_back_unchanged(
    tmp_path: Path, reply: Reply, block: dict[str, Any], streams: bool
) -> None:
    ability = Ability(reasoning="required", streams=streams)
    async with opened("anthropic", tmp_path, config={"options": _THINKING}) as live:
        live.reset(ability)
        turn = await live.ask(reply, DONE)
        assert turn.text == "It is done."
        (called,) = [one for one in live.server.asked[-1]["messages"] if one["role"] == "assistant"]
        assert called["content"][0] == block
        assert live.server.asked[-1]["thinking"] == _THINKING["thinking"]
        assert [one["type"] for one in called["content"]].count("tool_use") == 1
        assert SIGNATURE not in json.dumps([event.data for event in turn.events], default=dict)


_THINKING = {"thinking": {"type": "enabled", "budget_tokens": 1024}, "max_tokens": 2048}


def _pay_tool(paid: list[int]) -> Tool:
    def pay(amount: int) -> dict[str, int]:
        """Pay an amount."""
        paid.append(amount)
        return {"paid": amount}

    return function_tool(pay, approval=ALWAYS)


async def test_the_blocks_survive_a_question_and_a_restart(tmp_path: Path) -> None:
    paid: list[int] = []
    first = Reply(reasoning=THOUGHT, calls=(Call("write_note", WRITE.arguments, "call_0"),))
    second = Reply(reasoning=("Now pay.",), calls=(Call("pay", '{"amount": 5}'),))
    with ModelServer(AnthropicApi(), REQUIRED) as server:
        server.reply(first, second, DONE)
        asked = await told(_open(server, tmp_path, paid, TurnRequest("please pay five")))
        answered = await told(_open(server, tmp_path, paid, asked.pause))
        assert server.asked[-1]["thinking"] == _THINKING["thinking"]
        blocks = [one["content"][0] for one in server.asked[-1]["messages"] if one["role"] == "assistant"]
    assert (answered.text, paid) == ("It is done.", [5])
    assert [one.get("thinking") for one in blocks] == ["".join(THOUGHT), "Now pay."]


async def _open(server: ModelServer, folder: Path, paid: list[int], asked: TurnRequest | str) -> Any:
    """Events of a turn, or of its continuation, in a runtime of its own."""
    model = load_model(config_of(server, options=_THINKING), retries=RetryPolicy(attempts=1))
    async with Runtime.open(settings_in(folder), model=model, tools=(*Notes().tools(), _pay_tool(paid))) as runtime:
        given = runtime.answer(asked, {"decision": "approve"}) if isinstance(asked, str) else runtime.turn(asked)
        async for event in given:
            yield event


async def test_anthropic_is_not_asked_to_think_about_calls_that_are_not_its_own(tmp_path: Path) -> None:
    """The API refuses thinking after a call without it, such as one of a plan."""
    planned = AIMessage("", tool_calls=[{"name": "write_note", "args": {}, "id": "plan-1", "type": "tool_call"}])
    messages = [HumanMessage("hello"), planned, ToolMessage("{}", tool_call_id="plan-1")]
    with ModelServer(AnthropicApi(), REQUIRED) as server:
        server.reply(DONE, DONE)
        model = load_model(config_of(server, options=_THINKING), retries=RetryPolicy(attempts=1))
        assert (await model.ainvoke(messages)).text == "It is done."
        assert (await model.ainvoke(messages[:1])).text == "It is done."
    assert [body.get("thinking") for body in server.asked] == [None, _THINKING["thinking"]]


@on_module_loop
@pytest.mark.parametrize("provider", sorted(APIS))
async def test_reasoning_of_an_attempt_that_broke_off_is_told_from_that_of_the_next(
    lives: Lives, provider: str
) -> None:
    live = await lives.get(provider)
    turn = await live.ask(Reply(reasoning=("Let me",), end="cut"), THINKS, DONE)
    assert turn.all("reasoning.done")[0]["text"] == "Let me\n\n" + "".join(THOUGHT)
    assert turn.text == "It is done."
    assert "Let me" not in json.dumps(live.server.asked[-1])


async def test_another_model_does_not_get_it(tmp_path: Path) -> None:
    """A fallback that takes over in the middle of a turn reads text and calls."""
    async with opened("openai", tmp_path, config={"fallback": "openai:second"}) as live:
        turn = await live.ask(THINKS, *[Reply(status=500, text=("down",))] * 3, DONE)
        assert turn.text == "It is done."
        assert [body["model"] for body in live.server.asked] == [MODEL] * 4 + ["second"]
        back = [any("reasoning_content" in one for one in body["messages"]) for body in live.server.asked]
        assert back == [False, True, True, True, False]


async def test_the_apis_keep_it_apart(tmp_path: Path) -> None:
    with ModelServer(OpenAIApi()) as server:
        given = {"model": f"openai:{MODEL}", "base_url": server.url, "api_key": KEY}
        app = create_app(settings_in(tmp_path / "served", **given), packs=Packs())
        async with (
            app.router.lifespan_context(app),
            httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://127.0.0.1") as client,
        ):
            server.reply(*[Reply(reasoning=THOUGHT, text=("Hello ", "world."))] * 3)
            asked = {"model": "metier", "messages": [{"role": "user", "content": "hello"}]}
            whole = (await client.post("/v1/chat/completions", json=asked)).json()["choices"][0]["message"]
            streamed = await client.post("/v1/chat/completions", json={**asked, "stream": True})
            message = {"id": "m", "role": "user", "content": "hello"}
            agui = _data(await client.post("/agui", json={"threadId": "t", "runId": "r", "messages": [message]}))
    deltas = [one["choices"][0]["delta"] for one in _data(streamed) if one["choices"]]
    assert (whole["content"], whole["reasoning_content"]) == ("Hello world.", "".join(THOUGHT))
    assert "".join(one.get("reasoning_content", "") for one in deltas) == "".join(THOUGHT)
    assert "".join(one.get("content", "") for one in deltas) == "Hello world."
    types = [one["type"] for one in agui if one["type"].startswith(("REASONING", "TEXT"))]
    assert [kind for at, kind in enumerate(types) if kind not in types[:at]] == [
        *("REASONING_START", "REASONING_MESSAGE_START", "REASONING_MESSAGE_CONTENT", "REASONING_MESSAGE_END"),
        *("REASONING_END", "TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_END"),
    ]
    thought = "".join(one["delta"] for one in agui if one["type"] == "REASONING_MESSAGE_CONTENT")
    assert thought == "".join(THOUGHT)


@pytest.mark.parametrize("shown", [True, False], ids=["shown", "not shown"])
def test_the_command_line_prints_it_beside_the_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], shown: bool
) -> None:
    with ModelServer(OpenAIApi()) as server:
        server.reply(Reply(reasoning=THOUGHT, text=("Hello ", "world.")))
        given = {"MODEL": f"openai:{MODEL}", "BASE_URL": server.url, "API_KEY": KEY, "EMBEDDER": "none"}
        for name, value in given.items():
            monkeypatch.setenv(f"METIER_{name}", value)
        assert run(["run", "hello", "--skills", str(tmp_path), *(["--reasoning"] if shown else [])]) == 0
    out, err = capsys.readouterr()
    assert out.strip() == "Hello world."
    assert "… thought for" in err
    assert ("so I write one." in err) is shown


def _data(answer: httpx.Response) -> list[dict[str, Any]]:
    lines = [line.removeprefix("data: ") for line in answer.text.splitlines() if line.startswith("data: ")]
    return [json.loads(line) for line in lines if line != "[DONE]"]
