"""Open questions are listed and answered; the turn goes on as a stream."""

from tests.server.support import QUESTION, Open, events_of, kinds


async def test_a_question_is_answered_and_the_turn_goes_on(server: Open) -> None:
    asked = (await server.chat("帮我写这周的周报"))[-1]
    assert asked["data"]["text"] == QUESTION
    (waiting,) = (await server.client.get("/api/pauses")).json()["pauses"]
    assert (waiting["pause"], waiting["text"]) == (asked["data"]["pause"], QUESTION)
    body = {"answer": "新版本上线", "idempotency_key": "a1"}
    answered = await server.client.post(f"/api/pauses/{waiting['pause']}", json=body)
    told = events_of(answered.text)
    assert (kinds(told)[0], kinds(told)[-1]) == ("pause.answered", "turn.done")
    assert {event["turn"] for event in told} == {asked["turn"]}
    again = await server.client.post(f"/api/pauses/{waiting['pause']}", json=body)
    assert events_of(again.text) == told
    assert (await server.client.get("/api/pauses")).json() == {"pauses": []}


async def test_an_answer_that_does_not_fit_leaves_the_question_open(server: Open) -> None:
    asked = (await server.chat("帮我写这周的周报"))[-1]
    answer = await server.client.post(f"/api/pauses/{asked['data']['pause']}", json={"answer": {"no": "text"}})
    assert answer.status_code == 400
    assert answer.json()["error"]["code"] == "invalid_input"
    assert len((await server.client.get("/api/pauses")).json()["pauses"]) == 1


async def test_another_answer_comes_too_late(server: Open) -> None:
    pause = (await server.chat("帮我写这周的周报"))[-1]["data"]["pause"]
    await server.client.post(f"/api/pauses/{pause}", json={"answer": "一"})
    late = await server.client.post(f"/api/pauses/{pause}", json={"answer": "二", "idempotency_key": "other"})
    assert (late.status_code, late.json()["error"]["code"]) == (409, "already_decided")


async def test_an_unknown_pause_is_not_there(server: Open) -> None:
    answer = await server.client.post("/api/pauses/nope", json={"answer": 1})
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "record_not_found")
