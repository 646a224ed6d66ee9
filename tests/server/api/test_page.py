"""The page: one for every address, and files that never change."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.server.support import Open


@pytest.fixture
def built(server: Open, tmp_path: Path) -> Open:
    """A server whose page has been built, with a file beside it that is nobody's business."""
    folder = tmp_path / "ui"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text("<!doctype html><title>Metier</title>", "utf-8")
    (folder / "assets" / "index-Bjqr0muF.js").write_text("export {}\n" * 300, "utf-8")
    (folder / "theme.js").write_text("1", "utf-8")
    (tmp_path / "secret.txt").write_text("secret", "utf-8")
    server.app.state.serving = replace(server.here, page_folder=folder)
    return server


@pytest.mark.shares_fixtures
@pytest.mark.parametrize("address", ["/", "/chat", "/chat/9f2c", "/console", "/console/skills/weekly-report"])
async def test_every_address_of_the_application_is_the_page(built: Open, address: str) -> None:
    answer = await built.client.get(address)
    assert (answer.status_code, answer.headers["cache-control"]) == (200, "no-cache")
    assert "<title>Metier</title>" in answer.text


async def test_a_file_with_a_hash_in_its_name_is_kept_for_ever(built: Open) -> None:
    hashed = await built.client.get("/assets/index-Bjqr0muF.js", headers={"Accept-Encoding": "gzip"})
    assert "immutable" in hashed.headers["cache-control"]
    assert hashed.headers["content-encoding"] == "gzip"
    assert hashed.headers["content-type"].startswith("text/javascript")
    assert (await built.client.get("/theme.js")).headers["cache-control"] == "no-cache"


@pytest.mark.shares_fixtures
@pytest.mark.parametrize(
    "address",
    ["/../secret.txt", "/..%2Fsecret.txt", "/assets/%2e%2e/%2e%2e/secret.txt", "//etc/passwd", "/%00", "/assets"],
)
async def test_nothing_beside_the_page_is_told(built: Open, address: str) -> None:
    answer = await built.client.get(address)
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "not_found")


async def test_a_person_at_an_address_that_is_not_there_gets_the_page_and_a_program_the_error(built: Open) -> None:
    person = await built.client.get("/c/9f2c", headers={"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"})
    assert (person.status_code, "<title>Metier</title>" in person.text) == (404, True)
    program = await built.client.get("/c/9f2c", headers={"Accept": "application/json"})
    assert (program.status_code, program.json()["error"]["code"]) == (404, "not_found")


async def test_a_page_that_was_not_built_says_how(server: Open, tmp_path: Path) -> None:
    server.app.state.serving = replace(server.here, page_folder=tmp_path / "none")
    answer = await server.client.get("/")
    assert answer.status_code == 503
    assert "npm run build" in answer.text


async def test_a_browser_that_looks_for_the_icon_by_its_old_name_gets_it(built: Open) -> None:
    (built.here.page_folder / "favicon.svg").write_text("<svg/>", "utf-8")
    answer = await built.client.get("/favicon.ico")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "image/svg+xml")
