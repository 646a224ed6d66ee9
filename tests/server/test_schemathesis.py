"""Requests generated from the API's own description: no answer is a failure of the server, and each is described."""

import asyncio
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeAlias

import httpx
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import content_type_conformance, status_code_conformance

from tests.server.support import Open, app_in, opened, prepared

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance]
STREAMS_WITHOUT_END = {"GET /api/conversations/{conversation}/events"}
Case: TypeAlias = schemathesis.Case[Any]
Operation: TypeAlias = schemathesis.APIOperation[Any, Any, Any, Any]
Answer = Callable[[Case], httpx.Response]


def read_operations(document: dict[str, Any]) -> list[Operation]:
    found: list[Any] = list(schemathesis.openapi.from_dict(document).get_all_operations())
    return [one for one in (result.ok() for result in found) if one.label not in STREAMS_WITHOUT_END]


async def send(client: httpx.AsyncClient, case: Case) -> httpx.Response:
    asked = case.as_transport_kwargs(base_url="http://127.0.0.1")
    data = asked.get("data")
    return await client.request(
        asked["method"],
        asked["url"],
        params=asked.get("params"),
        headers={**asked["headers"], "Accept-Encoding": "identity"},
        cookies=None,
        **({"json": asked["json"]} if "json" in asked else {"content": data} if isinstance(data, bytes | str) else {}),
    )


async def create_names(server: Open) -> dict[str, str]:
    """Names that exist, for the parts of addresses."""
    await prepared(server)
    told = await server.chat("帮我写这周的周报")
    conversation, turn, pause = told[0]["conversation"], told[0]["turn"], told[-1]["data"]["pause"]
    return {
        "conversation": conversation,
        "conversation_id": conversation,
        "turn": turn,
        "pause": pause,
        "skill": "weekly-report",
        "model": "metier",
    }


def check_operation(operation: Operation, names: Mapping[str, str], ask: Answer) -> None:
    """Ask with what the description allows and with what it does not, of things that exist and of others."""
    cases = st.one_of(*(operation.as_strategy(generation_mode=mode) for mode in GenerationMode))

    @given(cases, st.booleans())
    @settings(max_examples=max(1, settings().max_examples // 6), suppress_health_check=list(HealthCheck))
    def check(case: Case, known: bool) -> None:
        if known and operation.method != "delete":
            case.path_parameters.update({name: names.get(name, value) for name, value in case.path_parameters.items()})
            if isinstance(case.body, dict):
                case.body.update({name: names[name] for name in ("conversation_id", "skill") if name in case.body})
        case.validate_response(ask(case), checks=CHECKS)

    check()


def test_no_generated_request_makes_the_server_fail_or_answer_what_is_not_described(tmp_path: Path) -> None:
    app = app_in(tmp_path, dev_routes=True, rate_limit=0)
    with asyncio.Runner() as runner:
        running = opened(app)
        server = runner.run(running.__aenter__())
        try:
            names = runner.run(create_names(server))
            for operation in read_operations(app.openapi()):
                check_operation(operation, names, lambda case: runner.run(send(server.client, case)))
        finally:
            runner.run(running.__aexit__(None, None, None))
