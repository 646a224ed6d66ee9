"""The official OpenAI client against a real server."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from metier.server import create_app
from metier.settings import Settings
from metier.testing import FakeModel
from metier.tools import tool
from tests.server.live import served, skill_folder, week_items

if TYPE_CHECKING:
    import openai
    from openai.types.chat import ChatCompletionMessageParam


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    place = tmp_path_factory.mktemp("openai")
    with served(create_app(_settings(place), tools=[tool(week_items)])) as found:
        yield found


@pytest.fixture
def client(address: str) -> Iterator["openai.OpenAI"]:
    with _connect(address) as made:
        yield made


def _connect(address: str) -> "openai.OpenAI":
    import openai  # here and below: a second of imports that only the process of these tests pays

    return openai.OpenAI(base_url=f"{address}/v1", api_key="none", max_retries=0)


def _settings(place: Path) -> Settings:
    return Settings(skills_dir=(skill_folder(place / "skills"),), storage_dir=place / "storage", embedder="none")


def test_the_models_are_the_agent_and_its_skills(client: "openai.OpenAI") -> None:
    assert {"metier", "metier/weekly"} <= {model.id for model in client.models.list()}
    assert client.models.retrieve("metier/weekly").owned_by == "metier"


def test_an_answer_comes_in_one_piece(client: "openai.OpenAI") -> None:
    answer = client.chat.completions.create(model="metier/weekly", messages=[{"role": "user", "content": "写周报"}])
    text = answer.choices[0].message.content or ""
    assert "| 上线 | 3 |" in text
    assert "| 修复\\|合并 | 5 |" in text
    assert text.endswith("1. 发\n2. 不发")
    assert text.count("要发出去吗？") == 1
    assert answer.choices[0].finish_reason == "stop"


def test_a_stream_is_the_same_text_in_pieces(client: "openai.OpenAI") -> None:
    asked: list[ChatCompletionMessageParam] = [{"role": "user", "content": "写周报"}]
    whole = client.chat.completions.create(model="metier/weekly", messages=asked)
    pieces = client.chat.completions.create(
        model="metier/weekly",
        messages=asked,
        stream=True,
        stream_options={"include_usage": True},
    )
    chunks = list(pieces)
    text = "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)
    assert text == whole.choices[0].message.content
    assert [chunk.choices[0].finish_reason for chunk in chunks if chunk.choices][-1] == "stop"
    assert chunks[-1].usage is not None


def test_what_was_said_before_finds_the_conversation_and_its_question(client: "openai.OpenAI") -> None:
    said: list[ChatCompletionMessageParam] = [{"role": "user", "content": "写周报，要快"}]
    asked = client.chat.completions.create(model="metier/weekly", messages=said)
    said += [
        {"role": "assistant", "content": asked.choices[0].message.content or ""},
        {"role": "user", "content": "发"},
    ]
    answered = client.chat.completions.create(model="metier", messages=said)
    assert "本周共 8 项。" in (answered.choices[0].message.content or "")


def test_a_conversation_can_be_named(client: "openai.OpenAI") -> None:
    raw = client.chat.completions.with_raw_response.create(
        model="metier/weekly", messages=[{"role": "user", "content": "写周报"}]
    )
    place = raw.headers["x-conversation-id"]
    answered = client.chat.completions.with_raw_response.create(
        model="metier",
        messages=[{"role": "user", "content": "不发"}],
        metadata={"conversation_id": place},
    )
    assert answered.headers["x-conversation-id"] == place
    assert "本周共 8 项。" in (answered.parse().choices[0].message.content or "")


def test_what_was_said_elsewhere_is_history(tmp_path: Path) -> None:
    model = FakeModel().say("你叫安。")
    with (
        served(create_app(_settings(tmp_path), model=model)) as address,
        _connect(address) as client,
    ):
        client.chat.completions.create(
            model="metier",
            messages=[
                {"role": "user", "content": "我叫安"},
                {"role": "assistant", "content": "你好，安。"},
                {"role": "user", "content": "我叫什么？"},
            ],
        )
    assert [message.text for message in model.prompts[-1].messages][-3:] == ["我叫安", "你好，安。", "我叫什么？"]


def test_a_configured_model_can_be_named(tmp_path: Path) -> None:
    import openai

    strong = FakeModel().say("I am strong.")
    app = create_app(_settings(tmp_path), model=FakeModel().say("I am the default."), models={"strong": strong})
    asked: list[ChatCompletionMessageParam] = [{"role": "user", "content": "who is there?"}]
    with served(app) as address, _connect(address) as client:
        assert [model.id for model in client.models.list()][:3] == ["metier", "strong", "given"]
        assert client.models.retrieve("strong").id == "strong"
        answers = [client.chat.completions.create(model=name, messages=asked) for name in ("strong", "metier")]
        with pytest.raises(openai.NotFoundError) as caught:
            client.chat.completions.create(model="stong", messages=asked)
    assert [one.choices[0].message.content for one in answers] == ["I am strong.", "I am the default."]
    assert [one.model for one in answers] == ["strong", "metier"]
    assert "known: metier, strong, given, metier/<skill>" in str(caught.value)


@pytest.mark.shares_fixtures
@pytest.mark.parametrize(
    ("model", "messages", "code"),
    [
        ("gpt-9", [{"role": "user", "content": "hi"}], "model_not_found"),
        ("metier/nothing", [{"role": "user", "content": "hi"}], "skill_not_found"),
        ("metier", [{"role": "assistant", "content": "hi"}], "invalid_input"),
        ("metier", [{"role": "user", "content": "  "}], "invalid_input"),
        ("metier", [], "invalid_input"),
    ],
    ids=["unknown model", "unknown skill", "nobody asks", "nothing is said", "no message"],
)
def test_what_cannot_be_answered_is_refused_with_a_code(
    client: "openai.OpenAI", model: str, messages: list[dict[str, str]], code: str
) -> None:
    import openai

    with pytest.raises(openai.APIStatusError) as caught:
        client.chat.completions.create(model=model, messages=messages)
    assert 400 <= caught.value.status_code < 500
    assert caught.value.code == code


def test_a_model_that_fails_is_an_error_of_the_service(tmp_path: Path) -> None:
    import openai

    model = FakeModel().fail(RuntimeError("down"))
    with (
        served(create_app(_settings(tmp_path), model=model)) as address,
        _connect(address) as client,
        pytest.raises(openai.InternalServerError, match="down"),
    ):
        client.chat.completions.create(model="metier", messages=[{"role": "user", "content": "hello there"}])


def test_the_same_key_is_the_same_answer_and_with_another_body_a_conflict(client: "openai.OpenAI") -> None:
    import openai

    asked: list[ChatCompletionMessageParam] = [{"role": "user", "content": "写周报"}]
    header = {"Idempotency-Key": "k-openai"}
    one, two = [
        client.chat.completions.create(model="metier/weekly", messages=asked, extra_headers=header) for _ in range(2)
    ]
    assert (one.id, one.choices[0].message.content) == (two.id, two.choices[0].message.content)
    with pytest.raises(openai.ConflictError):
        client.chat.completions.create(
            model="metier/weekly", messages=[{"role": "user", "content": "别的"}], extra_headers=header
        )
