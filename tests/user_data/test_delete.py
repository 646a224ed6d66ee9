"""Deletion: nothing of a deleted conversation or user is left anywhere, and all of the others stays."""

import io
from pathlib import Path
from zipfile import ZipFile

import pytest

from metier.errors import RecordNotFound
from metier.store import OWNER_RULES, Principal
from metier.store.database import metadata
from metier.user_data import STORAGE_RULES, delete_user
from tests.server.support import app_in, opened
from tests.user_data.support import MARKERS, as_user, find_files_with, find_tables_with, open_filled

OPERATOR = Principal("root")


def test_every_table_says_to_whom_its_records_belong() -> None:
    assert set(OWNER_RULES) == set(metadata.tables)


async def test_the_helper_of_these_tests_fills_every_table_and_folder_that_has_an_owner(tmp_path: Path) -> None:
    async with open_filled(tmp_path, "ann") as (server, _):
        owned = {name for name, rule in OWNER_RULES.items() if rule != "kept"}
        assert owned - await find_tables_with(server, MARKERS["ann"]) == {"users"}  # a name alone
        names = {path.name.removesuffix("-wal").removesuffix("-shm") for path in (tmp_path / "storage").iterdir()}
        assert names <= set(STORAGE_RULES)
        places = {
            file.split("/")[0].removesuffix("-wal") for file in find_files_with(tmp_path / "storage", MARKERS["ann"])
        }
        assert places == {name for name, rule in STORAGE_RULES.items() if rule == "owned"}


async def test_of_a_deleted_user_nothing_is_left_and_all_of_the_other_stays(tmp_path: Path) -> None:
    async with open_filled(tmp_path, "ann", "bob") as (server, conversations):
        bobs = await find_tables_with(server, MARKERS["bob"]), find_files_with(tmp_path / "storage", MARKERS["bob"])
        gone = await delete_user(server.here.places, "ann", OPERATOR)
        assert (gone.conversations, gone.keys) == (len(conversations["ann"]), 1)
        assert await find_tables_with(server, MARKERS["ann"]) == set()
        assert find_files_with(tmp_path, MARKERS["ann"]) == []
        assert await find_tables_with(server, MARKERS["bob"]) == bobs[0]
        left = {file.removesuffix("-wal") for file in bobs[1]}
        assert {file.removesuffix("-wal") for file in find_files_with(tmp_path / "storage", MARKERS["bob"])} == left


async def test_of_a_deleted_conversation_nothing_is_left_whichever_way_it_was_made(tmp_path: Path) -> None:
    async with open_filled(tmp_path, "ann", "bob") as (server, conversations):
        store = server.here.store
        await store.profiles.set("ann", {})
        await store.skill_data.merge("ann", "notes", {"last": None})
        for conversation in conversations["ann"]:
            answer = await server.client.delete(f"/api/conversations/{conversation}", headers=as_user("ann"))
            assert answer.json() == {"deleted": conversation}
        assert await find_tables_with(server, MARKERS["ann"]) == {"api_keys"}  # its label
        left = find_files_with(tmp_path, MARKERS["ann"])
        of_the_user = ("storage/metier.sqlite3", "storage/packs/", "storage/approved-skills/", "skills")  # ann's own
        assert [file for file in left if not file.startswith(of_the_user)] == []
        entries = await store.audit.list(action="conversation.deleted")
        assert {one.target for one in entries} == set(conversations["ann"])
        assert {one.user for one in entries} == {"ann"}


async def test_a_new_owner_of_a_name_or_of_a_threads_id_finds_nothing(tmp_path: Path) -> None:
    async with open_filled(tmp_path, "ann", "bob") as (server, conversations):
        store = server.here.store
        await server.here.delete_user("ann", OPERATOR)
        listed = await server.client.get("/api/conversations", headers=as_user("ann"))
        assert listed.json()["conversations"] == []
        for address in ("/api/pauses", "/api/exceptions", "/api/violations", "/api/plans"):
            assert MARKERS["ann"] not in (await server.client.get(address, headers=as_user("ann"))).text
        again = await store.conversations.open_for_client("ann", f"thread-{MARKERS['ann']}")
        assert again.id not in conversations["ann"]
        assert (await store.profiles.get("ann"), (await store.skill_data.get("ann", "notes")).data) == ({}, {})
        with pytest.raises(RecordNotFound):
            await store.requests.find("ann", f"key-{MARKERS['ann']}")
        assert server.here.places.memory.recall(f"conversation:{again.id}", MARKERS["ann"], 5) == ()


async def test_a_new_user_of_the_name_has_none_of_the_skills_of_the_one_before(tmp_path: Path) -> None:
    async with open_filled(tmp_path, "ann", "bob") as (server, _):

        async def list_skills(user: str) -> set[str]:
            seen = await server.client.get("/api/skills", headers=as_user(user))
            return {one["id"] for one in seen.json()["skills"]} & set(MARKERS.values())

        assert (await list_skills("ann"), await list_skills("bob")) == ({MARKERS["ann"]}, {MARKERS["bob"]})
        await server.here.delete_user("ann", OPERATOR)
        assert (await list_skills("ann"), await list_skills("bob")) == (set(), {MARKERS["bob"]})


async def test_the_key_of_a_deleted_user_leaves_an_id_that_opens_nothing(tmp_path: Path) -> None:
    async with opened(app_in(tmp_path)) as server:
        store = server.here.store
        await store.users.add("ann")
        made = await store.keys.create("ann", label="laptop")
        await server.here.delete_user("ann", OPERATOR)
        assert [(one.id, one.user, one.label) for one in await store.keys.list()] == [(made.key.id, "", "")]
        assert await store.keys.find_owner(made.secret) is None
        assert (await server.client.get("/api/info")).status_code == 401  # the server does not open for everybody


async def test_an_operator_deletes_a_user_over_http_but_not_the_owner_of_the_key(tmp_path: Path) -> None:
    async with open_filled(tmp_path, "ann", roles={"bob": "operator"}) as (server, conversations):
        refused = await server.client.delete("/api/users/bob", headers=as_user("bob"))
        assert refused.json()["error"]["message"] == "this key belongs to that user"
        gone = await server.client.delete("/api/users/ann", headers=as_user("bob"))
        assert gone.json() == {"deleted": "ann", "conversations": len(conversations["ann"]), "keys": 1}
        assert find_files_with(tmp_path, MARKERS["ann"]) == []
        again = await server.client.delete("/api/users/ann", headers=as_user("bob"))
        assert again.status_code == 404


async def test_on_postgresql_a_user_is_exported_and_deleted_just_the_same(tmp_path: Path, postgres_url: str) -> None:
    given = {"database_url": postgres_url, "roles": {"bob": "operator"}}
    async with open_filled(tmp_path, "ann", "bob", **given) as (server, conversations):
        bobs = await find_tables_with(server, MARKERS["bob"])
        answer = await server.client.get("/api/users/ann/export", headers=as_user("bob"))
        archive = ZipFile(io.BytesIO(answer.content))
        found = {Path(name).name for name in archive.namelist() if MARKERS["ann"].encode() in archive.read(name)}
        owned = {name for name, rule in OWNER_RULES.items() if rule != "kept"}
        assert owned - {name.removesuffix(".jsonl") for name in found} == {"users"}
        gone = await server.client.delete("/api/users/ann", headers=as_user("bob"))
        assert gone.json() == {"deleted": "ann", "conversations": len(conversations["ann"]), "keys": 1}
        assert await find_tables_with(server, MARKERS["ann"]) == set()
        assert find_files_with(tmp_path, MARKERS["ann"]) == []
        assert await find_tables_with(server, MARKERS["bob"]) == bobs
        again = {"message": f"a note about {MARKERS['ann']}", "skill": "notes"}
        key = {"Idempotency-Key": f"key-{MARKERS['ann']}"}
        assert (await server.client.post("/api/chat", json=again, headers=as_user("ann") | key)).status_code == 404
