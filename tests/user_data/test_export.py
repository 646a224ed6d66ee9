"""Export: everything that a deletion would delete is in the archive, and Markdown to read."""

import io
import json
from pathlib import Path
from zipfile import ZipFile

from metier.store import OWNER_RULES
from tests.user_data.support import MARKERS, as_user, open_filled

MARK = MARKERS["ann"]


async def test_the_archive_of_a_user_holds_what_a_deletion_would_delete(tmp_path: Path) -> None:
    async with open_filled(tmp_path, "ann", "bob", roles={"bob": "operator"}) as (server, conversations):
        answer = await server.client.get("/api/users/ann/export", headers=as_user("bob"))
        assert answer.headers["content-disposition"] == 'attachment; filename="metier-ann.zip"'
        archive = ZipFile(io.BytesIO(answer.content))
        found = {Path(name).name for name in archive.namelist() if MARK.encode() in archive.read(name)}
        owned = {f"{name}.jsonl" for name, rule in OWNER_RULES.items() if rule != "kept"}
        assert owned - found == {"users.jsonl"}
        assert {"memory.jsonl", "telemetry.jsonl", "conversation.md", f"{MARK}.txt"} <= found
        talks = {name.split("/")[1] for name in archive.namelist() if name.startswith("conversations/")}
        assert talks == set(conversations["ann"])
        own = {name for name in archive.namelist() if name.startswith(("skills/", "packs/"))}
        assert own == {f"skills/{MARK}/SKILL.md", "packs/workspace/made.json"}
        assert not any(MARKERS["bob"].encode() in archive.read(name) for name in archive.namelist())
        (exported,) = await server.here.store.audit.list(action="user.exported")
        assert (exported.user, exported.target) == ("bob", "ann")


async def test_the_archive_of_a_conversation_has_lines_of_json_files_and_markdown(tmp_path: Path) -> None:
    async with open_filled(tmp_path, "ann") as (server, conversations):
        address = f"/api/conversations/{conversations['ann'][0]}/export?format=zip"
        archive = ZipFile(io.BytesIO((await server.client.get(address, headers=as_user("ann"))).content))
        assert archive.testzip() is None
        events = [json.loads(line) for line in archive.read("events.jsonl").splitlines()]
        stored = await server.here.store.events.read(conversations["ann"][0], limit=500)
        assert [(one["seq"], one["kind"]) for one in events] == [(one.seq, one.kind) for one in stored]
        assert archive.read(f"files/{MARK}.txt").decode() == f"{MARK} in a file"
        assert f"# a note about {MARK}" in archive.read("conversation.md").decode()


async def test_a_link_in_the_workspace_is_not_followed(tmp_path: Path) -> None:
    async with open_filled(tmp_path, "ann") as (server, conversations):
        workspace = server.here.places.get_workspace(conversations["ann"][0])
        (tmp_path / "secret.txt").write_text("of the machine", "utf-8")
        (workspace / "link.txt").symlink_to(tmp_path / "secret.txt")
        address = f"/api/conversations/{conversations['ann'][0]}/export?format=zip"
        archive = ZipFile(io.BytesIO((await server.client.get(address, headers=as_user("ann"))).content))
        assert not any(b"of the machine" in archive.read(name) for name in archive.namelist())
