"""Files of a conversation: shown to their owner, and unable to act."""

from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest

from metier.pack import Packs, find_installed_packs
from tests.server.support import Open


async def _folder(server: Open) -> tuple[str, Path]:
    name = (await server.client.post("/api/conversations", json={})).json()["id"]
    folder = server.here.settings.storage_dir / "workspaces" / name
    (folder / "图").mkdir(parents=True)
    return f"/api/conversations/{name}/files", folder


async def test_a_picture_is_shown_and_everything_else_is_a_download(server: Open) -> None:
    address, folder = await _folder(server)
    for name, shown in (
        ("图/a.png", "inline"),
        ("报告.csv", "attachment"),
        ("x.html", "attachment"),
        ("x.svg", "attachment"),
    ):
        (folder / name).write_bytes(b"<script>alert(1)</script>")
        answer = await server.client.get(f"{address}/{name}")
        assert answer.status_code == 200
        assert answer.headers["content-disposition"].startswith(shown)
        assert answer.headers["content-security-policy"] == "default-src 'none'; sandbox"
        assert answer.headers["x-content-type-options"] == "nosniff"


@pytest.mark.shares_fixtures
@pytest.mark.parametrize(
    "name", ["../secret.txt", "..%2Fsecret.txt", "%2Fetc%2Fpasswd", "图", "none.txt", "link", "%00", ""]
)
async def test_nothing_outside_the_folder_is_told(server: Open, name: str) -> None:
    address, folder = await _folder(server)
    (folder.parent / "secret.txt").write_text("secret", "utf-8")
    (folder / "link").symlink_to(folder.parent / "secret.txt")
    answer = await server.client.get(f"{address}/{name}")
    assert answer.status_code == 404
    assert "secret" not in answer.text.replace("secret.txt", "")


async def test_files_are_attached_listed_exported_and_removed_and_a_wrong_one_says_why(server: Open) -> None:
    made = (await server.client.post("/api/conversations", json={})).json()["id"]
    address = f"/api/conversations/{made}/attachments"
    binary = {"Content-Type": "application/octet-stream"}
    sent = await server.client.post(
        f"{address}?name=../%E5%91%A8%E6%8A%A5.txt", content="本周".encode(), headers=binary
    )
    assert (sent.status_code, sent.json()["name"], sent.json()["media_type"]) == (201, "周报.txt", "text/plain")
    big = await server.client.post(f"{address}?name=big.txt", content=b"x" * (5 << 20), headers=binary)
    assert big.status_code == 201
    wrong = await server.client.post(f"{address}?name=a.png", content=b"words", headers=binary)
    assert wrong.status_code == 400
    assert wrong.json()["error"]["hint"].startswith("attach text")
    too_big = await server.client.post(f"{address}?name=a.txt", content=b"x" * (11 << 20), headers=binary)
    assert too_big.status_code == 413
    paths = [one["path"] for one in (await server.client.get(address)).json()["attachments"]]
    assert paths == ["attachments/001-周报.txt", "attachments/002-big.txt"]
    left = await server.client.delete(f"{address}/{paths[1]}")
    assert [one["path"] for one in left.json()["attachments"]] == paths[:1]
    assert (await server.client.delete(f"{address}/{paths[1]}")).status_code == 404
    kinds = [one.kind for one in await server.here.store.events.read(made)]
    assert kinds == ["attachment.added", "attachment.added", "attachment.removed"]
    report = await server.client.get(f"/api/conversations/{made}/export?format=md&language=zh")
    assert "附件：周报.txt" in report.text
    archive = await server.client.get(f"/api/conversations/{made}/export?format=zip")
    assert "attachments/001-周报.txt".encode() in archive.content
    # A process that dies between the removal and its event: the second try says that it is gone.
    (server.here.places.get_workspace(made) / paths[0]).unlink()
    assert (await server.client.delete(f"{address}/{paths[0]}")).json() == {"attachments": []}
    assert (await server.client.delete(f"{address}/{paths[0]}")).status_code == 404
    assert [one.kind for one in await server.here.store.events.read(made)][3:] == ["attachment.removed"]


async def test_a_zip_file_is_the_project_of_the_conversation_until_it_is_removed(server: Open) -> None:
    made = (await server.client.post("/api/conversations", json={})).json()["id"]
    address = f"/api/conversations/{made}/attachments"
    binary = {"Content-Type": "application/octet-stream"}
    packed, hostile = BytesIO(), BytesIO()
    with ZipFile(packed, "w") as archive:
        archive.writestr("shop/app.py", "x = 1\n")
        archive.writestr("shop/pic.png", b"\x89PNG\0")
    with ZipFile(hostile, "w") as archive:
        archive.writestr("../up.py", "x = 1\n")
    zipped = f"{address}?name=shop.zip&language=zh"
    refused = await server.client.post(zipped, content=hostile.getvalue(), headers=binary)
    assert (refused.status_code, "../up.py" in refused.json()["error"]["message"]) == (400, True)
    assert (await server.client.get(address)).json() == {"attachments": []}
    sent = await server.client.post(zipped, content=packed.getvalue(), headers=binary)
    assert (sent.status_code, sent.json()["name"], sent.json()["media_type"]) == (201, "shop", "inode/directory")
    assert "pic.png" in sent.json()["note"]
    assert [one["path"] for one in (await server.client.get(address)).json()["attachments"]] == ["project"]
    assert (await server.client.get(f"/api/conversations/{made}/files/project/app.py")).text == "x = 1\n"
    assert (await server.client.delete(f"{address}/project")).json() == {"attachments": []}
    assert (await server.client.delete(f"{address}/project")).status_code == 404


async def test_a_document_is_viewed_as_blocks_by_its_owner_and_never_outside_the_folder(server: Open) -> None:
    from docx import Document

    address, folder = await _folder(server)
    server.here.packs = Packs(find_installed_packs().select(["office"]))
    made = Document()
    made.add_heading("通知", 1)
    made.save(str(folder / "通知.docx"))
    (folder / "坏.docx").write_bytes(b"PK\x03\x04")
    (folder.parent / "secret.docx").write_bytes((folder / "通知.docx").read_bytes())
    (folder / "link.docx").symlink_to(folder.parent / "secret.docx")
    view = address.replace("/files", "/view")
    shown = (await server.client.get(f"{view}/通知.docx")).json()
    assert (shown["name"], shown["kind"], shown["blocks"][0]["runs"][0]["text"]) == ("通知.docx", "docx", "通知")
    for name, status in (("坏.docx", 400), ("link.docx", 404), ("none.docx", 404), ("../secret.docx", 404)):
        assert (await server.client.get(f"{view}/{name}")).status_code == status
    (folder / "a.txt").write_text("x", "utf-8")
    assert (await server.client.get(f"{view}/a.txt")).json()["error"]["code"] == "file_type_refused"
