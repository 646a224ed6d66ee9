"""Files of a conversation: shown to their owner, and unable to act."""

from pathlib import Path

import pytest

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
