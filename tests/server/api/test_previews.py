"""Approvals with a preview: the table of what would happen, chosen and edited by row, bound to what was shown."""

import asyncio
from pathlib import Path
from typing import Annotated, Any

import pytest
from pydantic import BaseModel, Field

from metier.language import BilingualText
from metier.testing import FakeModel
from metier.tools import ALWAYS, FunctionTool, Preview, PreviewColumn, PreviewRow, ToolError, function_tool
from tests.server.support import Open, app_in, events_of, opened

PRICES: dict[str, float] = {}
NEW: dict[str, float] = {}
BROKEN: list[str] = []


class Row(BaseModel):
    """A chosen row."""

    id: str
    new: Annotated[float, Field(ge=0, le=50)] | None = None


@pytest.fixture(autouse=True)
def _stock() -> None:
    PRICES.clear()
    PRICES.update({"apple": 1.0, "pear": 2.0, "plum": 3.0})
    NEW.clear()
    NEW.update({"apple": 1.5, "pear": 2.5, "plum": 3.5})
    BROKEN.clear()


def price_tools() -> list[FunctionTool]:
    def set_prices(shop: str, rows: list[Row] | None = None) -> dict[str, object]:
        """Put the new prices into force."""
        chosen = {row.id: row.new for row in rows} if rows is not None else dict.fromkeys(NEW)
        PRICES.update({name: NEW[name] if price is None else price for name, price in chosen.items()})
        return {"changed": len(chosen)}

    def preview_prices(shop: str, rows: list[Row] | None = None) -> Preview:
        if BROKEN and BROKEN[0] == "crash":
            raise ZeroDivisionError
        if BROKEN:
            raise ToolError("there are no new prices yet", code="no_prices", hint="compute them first")
        columns = (
            PreviewColumn("name", BilingualText("商品", "product")),
            PreviewColumn("old", BilingualText("原价", "was"), "¥", "old"),
            PreviewColumn("new", BilingualText("新价", "will be"), "¥", "new"),
        )
        edit: dict[str, Any] = {"new": {"type": "number", "minimum": 0, "maximum": 10}}
        made = [PreviewRow(n, {"name": n, "old": PRICES[n], "new": NEW[n]}, edit) for n in NEW]
        return Preview(BilingualText("三处调价", "three new prices"), columns, tuple(made), chosen_as="rows")

    def restore_prices(shop: str) -> dict[str, object]:
        """Take the new prices back."""
        return {}

    return [
        function_tool(set_prices, approval=ALWAYS, preview=preview_prices),
        function_tool(restore_prices, undoes="set_prices"),
    ]


def shop(folder: Path) -> Any:
    model = FakeModel().call("set_prices", shop="Lyon").say("done")
    return app_in(folder, model=model, tools=price_tools())


async def ask(server: Open) -> dict[str, Any]:
    last = (await server.chat("change the prices"))[-1]
    assert last["data"]["kind"] == "approval", last
    return {**last["data"], "conversation": last["conversation"]}


async def decide(server: Open, pause: str, answer: dict[str, Any]) -> Any:
    return await server.client.post(f"/api/pauses/{pause}", json={"answer": answer})


async def find_tables(server: Open, conversation: str) -> list[Any]:
    return [one.data for one in await server.here.store.events.read(conversation) if one.kind == "table"]


async def test_a_person_sees_every_change_and_gets_a_receipt_and_an_undo(tmp_path: Path) -> None:
    async with opened(shop(tmp_path)) as server:
        asked = await ask(server)
        (call,) = asked["calls"]
        assert [row["values"] for row in call["preview"]["rows"]] == [
            {"name": name, "old": PRICES[name], "new": NEW[name]} for name in PRICES
        ]
        assert call["preview"]["columns"][1]["title"] == {"zh": "原价", "en": "was"}
        assert call["details"] == [{"title": "Shop", "value": "Lyon"}]
        (listed,) = (await server.client.get("/api/approvals")).json()["approvals"]
        assert listed["pause"]["calls"][0]["preview"]["digest"] == call["preview"]["digest"]
        told = events_of((await decide(server, asked["pause"], {"decision": "approve"})).text)
        assert PRICES == NEW
        (receipt,) = [one["data"] for one in told if one["kind"] == "table"]
        assert (receipt["title"], len(receipt["rows"])) == ("Done: set_prices", 3)
        (offered,) = [one["data"]["suggestions"] for one in told if one["kind"] == "suggestions"]
        assert offered[0]["text"] == "restore_prices"


async def test_a_receipt_tells_apart_approvers_of_one_name(tmp_path: Path) -> None:
    model = FakeModel().call("set_prices", shop="Lyon").say("done")
    keys = {"ann": "key-of-ann-0123456789", "bob": "key-of-bob-0123456789"}
    app = app_in(tmp_path, model=model, tools=price_tools(), api_keys=keys, roles={"bob": "approver"})
    async with opened(app, Authorization=f"Bearer {keys['ann']}") as server:
        await server.here.store.users.add("bob")
        made = await server.here.store.keys.create("bob", ["approver"])
        asked = await ask(server)
        headers = {"Authorization": f"Bearer {made.secret}"}
        (own,) = (await server.client.get("/api/pauses")).json()["pauses"]
        assert own["refusal"] == "role_missing"
        for language, text in (("zh", "是否批准"), ("en", "approve this step")):
            listed = await server.client.get(f"/api/approvals?language={language}", headers=headers)
            assert text in listed.json()["approvals"][0]["pause"]["text"], language
        body = {"decision": "approve"}
        answer = await server.client.post(f"/api/approvals/{asked['pause']}", json=body, headers=headers)
        assert answer.status_code == 200, answer.text
        conversation = (await server.here.store.pauses.get(asked["pause"])).conversation
        async with asyncio.timeout(60):
            while not (found := await find_tables(server, conversation)):  # noqa: ASYNC110 - nothing is signalled to clients either
                await asyncio.sleep(0)
        assert found[0]["title"] == f"Done: set_prices (approved by bob ({made.key.id}))"
        (entry,) = await server.here.store.audit.list(action="approval.approved")
        assert (entry.user, entry.key) == ("bob", made.key.id)


async def test_a_part_is_approved_with_edited_values_and_wrong_rows_leave_the_question_open(tmp_path: Path) -> None:
    async with opened(shop(tmp_path)) as server:
        pause = (await ask(server))["pause"]
        for rows, told in (
            ([], "$.answer.rows"),
            ([{"id": "fig"}], "rows[0].id: 'fig' is not a row"),
            ([{"id": "plum"}, {"id": "plum"}], "rows[1].id: 'plum' is chosen twice"),
            ([{"id": "plum", "old": 1}], "row plum, was: cannot be edited"),
            ([{"id": "plum"}, {"id": "pear", "new": 40}], "row pear, will be: must be from 0 to 10 ¥, not 40"),
        ):
            refused = await decide(server, pause, {"decision": "approve", "rows": rows})
            assert refused.status_code == 400, rows
            assert told in refused.json()["error"]["message"], rows
        wrong = await decide(server, pause, {"decision": "edit", "arguments": {"shop": 1}})
        assert (wrong.status_code, "$.shop" in wrong.json()["error"]["message"]) == (400, True)
        assert PRICES["pear"] == 2.0
        rows = [{"id": "plum"}, {"id": "pear", "new": 2.2}]
        done = events_of((await decide(server, pause, {"decision": "approve", "rows": rows})).text)
        assert PRICES == {"apple": 1.0, "pear": 2.2, "plum": 3.5}
        (receipt,) = [one["data"] for one in done if one["kind"] == "table"]
        assert receipt["rows"] == [["plum", 3.0, 3.5], ["pear", 2.0, 2.2]]
        (entry,) = [one for one in await server.here.store.audit.list() if one.action == "approval.approved"]
        calls: Any = entry.data["calls"]
        assert calls[0]["rows"] == 2


async def test_what_changed_after_it_was_shown_is_asked_again_with_the_new_table(tmp_path: Path) -> None:
    async with opened(shop(tmp_path)) as server:
        asked = await ask(server)
        NEW["apple"] = 9.0
        told = events_of(
            (await decide(server, asked["pause"], {"decision": "approve", "rows": [{"id": "apple"}]})).text
        )
        again = told[-1]["data"]
        assert PRICES["apple"] == 1.0
        (call,) = again["calls"]
        assert [row["values"]["new"] for row in call["preview"]["rows"]] == [9.0, 2.5, 3.5]
        assert call["args"] == {"shop": "Lyon"}
        assert "approval.void" in [one.action for one in await server.here.store.audit.list()]
        await decide(server, again["pause"], {"decision": "approve"})
        assert PRICES["apple"] == 9.0


async def test_edited_arguments_are_shown_again_before_they_run(tmp_path: Path) -> None:
    async with opened(shop(tmp_path)) as server:
        asked = await ask(server)
        edited = {"decision": "edit", "arguments": {"shop": "Nice"}}
        again = events_of((await decide(server, asked["pause"], edited)).text)[-1]["data"]
        assert (again["calls"][0]["args"], PRICES["apple"]) == ({"shop": "Nice"}, 1.0)
        await decide(server, again["pause"], {"decision": "approve"})
        assert PRICES == NEW


async def test_a_call_that_its_preview_refuses_is_not_asked_about_and_a_crash_is_marked(
    tmp_path: Path,
) -> None:
    async with opened(shop(tmp_path / "a")) as server:
        BROKEN.append("nothing to do")
        told = await server.chat("change the prices")
        (result,) = [one["data"] for one in told if one["kind"] == "tool.result"]
        assert (result["error"]["code"], told[-1]["kind"]) == ("no_prices", "turn.done")
    async with opened(shop(tmp_path / "b")) as server:
        BROKEN[:] = ["crash"]
        asked = await ask(server)
        (call,) = asked["calls"]
        assert "preview" not in call
        assert "cannot be shown" in call["preview_problem"]
        BROKEN.clear()
        again = events_of((await decide(server, asked["pause"], {"decision": "approve"})).text)[-1]["data"]
        assert len(again["calls"][0]["preview"]["rows"]) == 3  # now it can be shown, so it is
        await decide(server, again["pause"], {"decision": "reject"})
        assert PRICES["apple"] == 1.0


async def choose_elsewhere(server: Open, asked: dict[str, Any], rows: list[str] | None) -> None:
    """Words in another tab: only these rows, or all again."""
    await server.here.store.pauses.amend(asked["pause"], {"chosen_rows": rows})


async def test_what_was_changed_in_another_tab_is_not_approved_unseen(tmp_path: Path) -> None:
    async with opened(shop(tmp_path)) as server:
        asked = await ask(server)
        way, body = f"/api/pauses/{asked['pause']}", {"answer": {"decision": "approve"}, "shown": asked["shown"]}
        await choose_elsewhere(server, asked, ["plum"])
        refused = await server.client.post(way, json=body)
        assert (refused.status_code, refused.json()["error"]["code"]) == (409, "approval_changed")
        decision = {"decision": "approve", "shown": asked["shown"]}
        other = await server.client.post(f"/api/approvals/{asked['pause']}", json=decision)
        assert (other.status_code, other.json()["error"]["code"]) == (409, "approval_changed")
        assert await server.here.store.audit.list(action="approval.approved") == ()
        said = {"message": "yes", "conversation_id": asked["conversation"], "shown": asked["shown"]}
        assert (await server.client.post("/api/chat", json=said)).status_code == 409
        assert PRICES["plum"] == 3.0
        (now,) = (await server.client.get("/api/pauses")).json()["pauses"]
        assert (now["chosen_rows"], now["shown"] != asked["shown"]) == (["plum"], True)
        again = await server.client.post(way, json={**body, "shown": now["shown"]})
        assert again.status_code == 200, again.text
        assert PRICES == {"apple": 1.0, "pear": 2.0, "plum": 3.5}


async def test_a_stale_tab_may_still_say_no(tmp_path: Path) -> None:
    async with opened(shop(tmp_path)) as server:
        asked = await ask(server)
        await choose_elsewhere(server, asked, ["plum"])
        body = {"answer": {"decision": "reject"}, "shown": asked["shown"]}
        assert (await server.client.post(f"/api/pauses/{asked['pause']}", json=body)).status_code == 200
        assert PRICES["plum"] == 3.0


async def test_words_that_choose_rows_are_told_to_every_tab(tmp_path: Path) -> None:
    async with opened(shop(tmp_path)) as server:
        asked = await ask(server)
        told = await server.chat("only the first 2", conversation_id=asked["conversation"])
        (changed,) = [one["data"] for one in told if one["kind"] == "pause.changed"]
        (now,) = (await server.client.get("/api/pauses")).json()["pauses"]
        assert changed == {
            "pause": asked["pause"],
            "chosen_rows": ["apple", "pear"],
            "in_doubt": False,
            "shown": now["shown"],
        }
        assert changed["shown"] != asked["shown"]


@pytest.mark.parametrize("way", ["pauses", "approvals"])
@pytest.mark.parametrize(
    ("rows", "changed"), [(None, {"plum"}), (["apple", "pear", "plum"], {"apple", "pear", "plum"})]
)
async def test_a_note_beside_an_approval_widens_nothing_and_rows_of_its_own_decide(
    tmp_path: Path, way: str, rows: list[str] | None, changed: set[str]
) -> None:
    async with opened(shop(tmp_path)) as server:
        asked = await ask(server)
        await choose_elsewhere(server, asked, ["plum"])
        (now,) = (await server.client.get("/api/pauses")).json()["pauses"]
        said: dict[str, Any] = {"decision": "approve", "note": "fine"} | (
            {"rows": [{"id": row} for row in rows]} if rows else {}
        )
        body = {"answer": said, "shown": now["shown"]} if way == "pauses" else {**said, "shown": now["shown"]}
        answered = await server.client.post(f"/api/{way}/{asked['pause']}", json=body)
        assert answered.status_code == 200, answered.text
        assert {name for name, price in PRICES.items() if price == NEW[name]} == changed


@pytest.mark.parametrize(("way", "is_plain"), [("pauses", True), ("pauses", False), ("approvals", True)])
async def test_rows_chosen_in_words_hold_beside_another_call_however_both_are_approved(
    tmp_path: Path, way: str, is_plain: bool
) -> None:
    sent: list[str] = []

    def send_mail(to: str) -> dict[str, object]:
        """Send a letter."""
        sent.append(to)
        return {}

    tools = [*price_tools(), function_tool(send_mail, approval=ALWAYS)]
    model = FakeModel().calls(("set_prices", {"shop": "Lyon"}), ("send_mail", {"to": "ann"})).say("done")
    async with opened(app_in(tmp_path, model=model, tools=tools)) as server:
        asked = await ask(server)
        await server.chat("only the first 2", conversation_id=asked["conversation"])
        (now,) = (await server.client.get("/api/pauses")).json()["pauses"]
        yes: dict[str, Any] = {"decision": "approve", "note": "fine"}
        said = yes if is_plain else {"decisions": {call["id"]: yes for call in asked["calls"]}}
        body = {"answer": said, "shown": now["shown"]} if way == "pauses" else {**said, "shown": now["shown"]}
        answered = await server.client.post(f"/api/{way}/{asked['pause']}", json=body)
        assert answered.status_code == 200, answered.text
        async with asyncio.timeout(60):
            while not sent:  # noqa: ASYNC110 - nothing is signalled to clients either
                await asyncio.sleep(0)
        assert PRICES == {"apple": 1.5, "pear": 2.5, "plum": 3.0}


async def test_the_question_that_waits_is_repeated_in_the_language_of_the_answer(tmp_path: Path) -> None:
    async with opened(shop(tmp_path)) as server:
        asked = await ask(server)
        for said, repeated, other in (("只要前两行", "是否批准", "approve"), ("only the first 2", "approve", "是否")):
            told = await server.chat(said, conversation_id=asked["conversation"])
            (text,) = [one["data"]["text"] for one in told if one["kind"] == "text.done"]
            last = text.splitlines()[-1]
            assert repeated in last, last
            assert other not in last, last
