"""Trying a model out: every line says what was seen and what to do, with real clients against local servers."""

from string import Formatter

import pytest

from metier.agent import CHECK_SENTENCES, ModelCheck, ModelPool, ask_reachable, check_model
from metier.settings import Settings
from tests.providers.server import KEY, MODEL, Ability, Call, ModelServer, Reply
from tests.providers.support import APIS

GOOD = (
    Reply(text=("hel", "lo"), usage=(3, 4)),
    Reply(text=("你好",)),
    Reply(calls=(Call("add", '{"a": 2, "b": 3}'),)),
    Reply(text=('{"code": "k7-0452"}',)),  # what the schema of the probe allows
)


def pool_of(server: ModelServer, key: str = KEY) -> ModelPool:
    name = f"{server.api.provider}:{MODEL}"
    return ModelPool.from_settings(Settings(model=name, base_url=server.url, api_key=key))


async def checks_of(server: ModelServer, key: str = KEY) -> dict[str, ModelCheck]:
    pool = pool_of(server, key)
    return {check.name: check async for check in check_model(pool[pool.default])}


@pytest.mark.parametrize("provider", APIS)
async def test_a_good_model_passes(provider: str) -> None:
    with ModelServer(APIS[provider](), Ability(schemas=True)) as server:
        server.reply(*GOOD)
        found = await checks_of(server)
    assert [check.status for check in found.values()].count("failed") == 0
    names = ("load", "reply", "streaming", "usage", "chinese", "tools", "schema")
    assert all(found[name].status == "ok" for name in names)
    assert found["usage"].message == "3 tokens read, 4 written"
    for check in found.values():  # the page says the same in the reader's language
        assert CHECK_SENTENCES[check.code][0].format(**check.values) == check.message


async def test_a_model_of_few_gifts_is_told_what_to_do() -> None:
    with ModelServer(APIS["openai"](), Ability(schemas=True)) as server:
        server.reply(
            Reply(text=("Bonjour",), usage=None),
            Reply(text=("hi",)),
            Reply(text=("5",)),
            Reply(text=("grass is blue",)),
        )
        found = await checks_of(server)
    statuses = {name: check.status for name, check in found.items() if name not in ("load", "reply", "window")}
    assert set(statuses.values()) == {"warning"}
    assert found["tools"].hint == "set METIER_MODEL_TOOLS=text, or use a model that calls tools"
    assert found["window"].message == "8192 tokens, as the service says"


async def test_a_service_that_fails_in_the_middle_is_tested_to_the_end() -> None:
    with ModelServer(APIS["openai"](), Ability(schemas=True)) as server:
        server.reply(*GOOD[:3], Reply(status=500, text=("oops",)))
        found = await checks_of(server)
    assert (found["schema"].status, found["window"].status) == ("warning", "warning")
    assert "oops" in found["schema"].message


async def test_an_endpoint_that_refuses_schemas_is_told_apart_from_one_that_fails() -> None:
    with ModelServer(APIS["openai"]()) as server:
        server.reply(*GOOD[:3])
        found = await checks_of(server)
    assert (found["schema"].message, found["window"].status) == ("replies are not held to it", "ok")


async def test_a_wrong_key_ends_the_test_without_being_repeated() -> None:
    with ModelServer(APIS["openai"](), Ability(schemas=True)) as server:
        server.reply(Reply(status=401, text=("no",)))
        found = await checks_of(server, key="sk-very-secret")
    assert [(check.name, check.status) for check in found.values()] == [("load", "ok"), ("reply", "failed")]
    assert "secret" not in str(found)
    assert found["reply"].code == "model_key_refused"


async def test_a_hint_names_the_setting_of_a_named_model() -> None:
    with ModelServer(APIS["anthropic"](), Ability(schemas=True)) as server:
        named = {"model": f"anthropic:{MODEL}", "base_url": server.url}
        settings = Settings.model_validate(
            {"models": {"bad": {**named, "api_key": "k"}, "good": {**named, "api_key": KEY}}}
        )
        pool = ModelPool.from_settings(settings)
        bad = [check async for check in check_model(pool["bad"])]
        server.reply(*GOOD)
        good = {check.name: check async for check in check_model(pool["good"])}
    assert bad[-1].hint.startswith("check models.bad.api_key;")
    assert good["window"].hint == "set window in [models.good]"


@pytest.mark.parametrize("sentences", CHECK_SENTENCES.values(), ids=CHECK_SENTENCES)
def test_both_languages_of_a_sentence_have_the_same_values(sentences: tuple[str, str]) -> None:
    english, chinese = ({field for _, field, _, _ in Formatter().parse(one) if field} for one in sentences)
    assert english == chinese


async def test_the_built_in_model_needs_nothing() -> None:
    pool = ModelPool.from_settings(Settings())
    assert [check.status async for check in check_model(pool["builtin"])] == ["ok"]


async def test_a_service_on_the_internet_is_not_called_unasked() -> None:
    pool = ModelPool.from_settings(Settings(model="deepseek:m", api_key="k"))
    assert await ask_reachable(pool["deepseek:m"]) is None


async def test_an_address_of_ones_own_is_asked() -> None:
    with ModelServer(APIS["openai"](), Ability(schemas=True)) as server:
        pool = pool_of(server)
        there = await ask_reachable(pool[pool.default])
    gone = await ask_reachable(pool[pool.default])
    assert there is not None
    assert (there.status, there.message) == ("ok", f"{pool[pool.default].address} answers")
    assert gone is not None
    assert gone.status == "failed"
