"""The vectors of the skills: embedded once, kept across restarts, rebuilt when damaged, never in the way."""

import base64
import fcntl
import os
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from zlib import crc32

import numpy as np
import pytest
from numpy.typing import NDArray

from metier.errors import EmbedderBroken
from metier.routing.vectors import VectorStore, _chroma
from metier.routing.vectors._chroma import ChromaFolder, VectorRecord
from metier.routing.vectors._store import collection_name
from scripts.forked_children import Child
from tests.routing import child
from tests.routing.letters import Letters, text_of

ROOT = Path(__file__).resolve().parents[3]
SKILLS = [
    text_of("weather", "will it rain", "how warm is it", about="forecasts"),
    text_of("slides", "make slides", about="presentations"),
    text_of("report", "write a report"),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "storage" / "skills_vector_store"


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A storage folder with `SKILLS`, for tests to copy."""
    folder = tmp_path_factory.mktemp("stored") / "storage"
    VectorStore(folder / "skills_vector_store", Letters()).sync(SKILLS)
    return folder


@pytest.fixture
def filled(stored: Path, folder: Path) -> Path:
    """A folder that holds `SKILLS`."""
    shutil.copytree(stored, folder.parent)
    return folder


MANY_SKILLS = [*SKILLS, *(text_of(f"skill-{at}", f"example {at}") for at in range(1_100))]


@pytest.fixture(scope="module")
def stored_many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A storage folder with `MANY_SKILLS`: Chroma writes an index only for more than a thousand."""
    folder = tmp_path_factory.mktemp("many") / "storage"
    VectorStore(folder / "skills_vector_store", Letters()).sync(MANY_SKILLS)
    return folder


def restart(folder: Path) -> tuple[VectorStore, Letters]:
    embedder = Letters()
    return VectorStore(folder, embedder, patience_s=0), embedder


@pytest.fixture
def gate(tmp_path: Path) -> Path:
    path = tmp_path / "gate"
    path.touch(0o644)
    return path


# ---- what is embedded, and when


def test_all_new_texts_are_embedded_once_and_together(folder: Path) -> None:
    store, embedder = restart(folder)
    found = store.sync([*SKILLS, text_of("copy", "make slides", "will it rain")])
    assert sorted(embedder.asked) == sorted(
        {"will it rain", "how warm is it", "forecasts", "make slides", "presentations", "write a report"}
    )
    assert list(found) == ["weather", "slides", "report", "copy"]
    assert store.notes == ("embedded 4 skills",)


def test_items_are_the_examples_and_then_what_the_skill_says_of_itself(folder: Path) -> None:
    store, _ = restart(folder)
    weather = store.sync(SKILLS)["weather"]
    expected = Letters().embed(["will it rain", "how warm is it", "forecasts"])
    np.testing.assert_allclose(weather.items, expected, atol=1e-3)
    assert weather.examples == 2


def test_a_restart_embeds_nothing(filled: Path) -> None:
    before = VectorStore(filled, Letters()).sync(SKILLS)
    store, embedder = restart(filled)
    after = store.sync(SKILLS)
    assert embedder.asked == []
    assert store.notes == ()
    for skill, vectors in before.items():
        np.testing.assert_array_equal(after[skill].items, vectors.items)
        assert after[skill].examples == vectors.examples


def test_the_sentences_of_a_description_are_kept_beside_its_items(folder: Path) -> None:
    told = text_of("sky", about="tells of rain and snow. shows wind by the hour.")
    before = VectorStore(folder, Letters()).sync([told])["sky"]
    np.testing.assert_allclose(before.sentences, Letters().embed(told.sentences), atol=1e-3)
    store, embedder = restart(folder)
    after = store.sync([told])["sky"]
    assert embedder.asked == []
    np.testing.assert_array_equal(after.sentences, before.sentences)
    np.testing.assert_array_equal(after.items, before.items)


def test_a_skill_that_was_stored_without_sentences_is_embedded_again(folder: Path) -> None:
    told = text_of("sky", about="tells of rain and snow. shows wind by the hour.")
    kept = VectorStore(folder, Letters())
    chroma = ChromaFolder(folder, collection_name("skills", "letters-1", 26), patience_s=0)
    items, crc = _items(np.ones((1, 26)))
    data: dict[str, str | int] = {"digest": told.digest, "examples": 0, "items": items, "crc32": crc}
    chroma.write([VectorRecord("sky", np.ones(26, np.float32), data)], [])
    assert len(kept.sync([told])["sky"].sentences) == 2


def test_only_what_changed_is_embedded(filled: Path) -> None:
    store, embedder = restart(filled)
    store.sync(SKILLS)
    changed = [SKILLS[0], text_of("slides", "make slides", "a new deck"), SKILLS[2]]
    store.sync(changed)
    assert sorted(embedder.asked) == ["a new deck", "make slides"]
    assert store.notes == ("embedded 1 skill",)
    again, embedder = restart(filled)
    assert len(again.sync(changed)["slides"].items) == 2
    assert embedder.asked == []


def test_a_skill_that_is_gone_is_removed(filled: Path) -> None:
    store, _ = restart(filled)
    assert list(store.sync(SKILLS[:1])) == ["weather"]
    assert store.notes == ("removed 2 skills",)
    again, embedder = restart(filled)
    again.sync(SKILLS[:2])
    assert sorted(embedder.asked) == ["make slides", "presentations"]


def test_no_skills_at_all_empty_the_store(filled: Path) -> None:
    store, embedder = restart(filled)
    assert store.sync([]) == {}
    assert store.notes == ("removed 3 skills",)
    assert embedder.asked == []


def test_a_skill_without_texts_has_no_items(folder: Path) -> None:
    assert restart(folder)[0].sync([text_of("mute")])["mute"].items.shape == (0, 26)
    store, embedder = restart(folder)
    assert store.sync([text_of("mute")])["mute"].items.shape == (0, 26)
    assert embedder.asked == []


def test_of_two_skills_with_one_id_the_first_counts(folder: Path) -> None:
    found = restart(folder)[0].sync([text_of("twin", "first"), text_of("twin", "second", "third")])
    assert found["twin"].examples == 1


def test_a_thousand_and_more_skills_are_stored(folder: Path) -> None:
    skills = [text_of(f"skill-{at}", "the same text") for at in range(1_234)]
    restart(folder)[0].sync(skills)
    store, embedder = restart(folder)
    assert len(store.sync(skills)) == 1_234
    assert embedder.asked == []


def test_an_id_that_is_no_text_is_kept_in_memory(filled: Path) -> None:
    odd = [*SKILLS, text_of("\udcff", "odd"), text_of("", "nameless")]
    store, _ = restart(filled)
    assert len(store.sync(odd)) == 5
    assert store.notes == ("embedded 2 skills",)
    assert list(filled.parent.glob("*.broken-*")) == []


# ---- one collection for each model


def test_models_do_not_share_vectors(folder: Path) -> None:
    for name in ("a+b", "a-b"):
        embedder = Letters(name)
        VectorStore(folder, embedder).sync(SKILLS)
        assert embedder.asked
    for name in ("a+b", "a-b"):
        embedder = Letters(name)
        VectorStore(folder, embedder).sync(SKILLS)
        assert embedder.asked == []


@pytest.mark.parametrize(
    "model", ["", "use-multilingual-0.2.1+map1", "中文模型", "..", "a..b", "x" * 500, "\ud800", "-._"]
)
def test_a_collection_has_a_name_that_chroma_takes(model: str) -> None:
    name = collection_name("skills", model, 12_288)
    assert re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{1,61}[A-Za-z0-9]", name)
    assert ".." not in name
    assert name == collection_name("skills", model, 12_288)


def test_the_name_of_a_collection_is_stable() -> None:
    assert (
        collection_name("skills", "use-multilingual-0.2.1+map1", 512)
        == "skills-use-multilingual-0.2.1-map1-512-5b31dc7a"
    )


# ---- the embedder fails


class Failing(Letters):
    """Counts letters until it is told to fail."""

    fails = False

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        if self.fails:
            raise ConnectionError("the embedder is down")
        return super().embed(texts)


def test_an_embedder_that_is_down_loses_nothing(filled: Path) -> None:
    embedder = Failing()
    embedder.fails = True
    store = VectorStore(filled, embedder)
    assert len(store.sync(SKILLS)) == 3
    more = [*SKILLS, text_of("new", "something new")]
    with pytest.raises(EmbedderBroken, match="down"):
        store.sync(more)
    embedder.fails = False
    assert len(store.sync(more)) == 4
    assert embedder.asked == ["something new"]


@pytest.mark.parametrize("row", [[np.nan] * 26, [1.0] * 25], ids=["nan", "another dimension"])
def test_an_answer_that_cannot_be_vectors_is_not_stored(folder: Path, row: list[float]) -> None:
    class Wrong(Letters):
        def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
            return np.array([row for _ in texts], dtype=np.float32)

    with pytest.raises(EmbedderBroken):
        VectorStore(folder, Wrong()).sync(SKILLS)
    store, embedder = restart(folder)
    store.sync(SKILLS)
    assert len(embedder.asked) == 6


# ---- the folder is damaged


def _garbage(folder: Path) -> None:
    (folder / "chroma.sqlite3").write_bytes(b"garbage" * 1000)


def _cut(folder: Path) -> None:
    os.truncate(folder / "chroma.sqlite3", 50_000)


def _overwrite(folder: Path) -> None:
    with (folder / "chroma.sqlite3").open("r+b") as file:
        file.seek(4096)
        file.write(b"\xa5" * 150_000)


def _folder_for_file(folder: Path) -> None:
    (folder / "chroma.sqlite3").unlink()
    (folder / "chroma.sqlite3").mkdir()


def _file_for_folder(folder: Path) -> None:
    folder.rename(folder.with_name("elsewhere"))
    folder.write_text("not a folder", "utf-8")


def _no_tables(folder: Path) -> None:
    with closing(sqlite3.connect(folder / "chroma.sqlite3")) as database:
        database.execute("DROP TABLE collections")


def _index(folder: Path) -> None:
    """Chroma must not load it: some damaged indexes end the process."""
    for file in folder.glob("*/*.bin"):
        file.write_bytes(b"\xff" * file.stat().st_size)


def _no_index(folder: Path) -> None:
    for file in folder.glob("*/*"):
        file.unlink()


def _seal(folder: Path) -> None:
    (folder / "index.json").write_text("{", "utf-8")


_DAMAGE = [_garbage, _cut, _overwrite, _folder_for_file, _file_for_folder, _no_tables, _index, _no_index, _seal]


@pytest.mark.parametrize("damage", _DAMAGE, ids=lambda damage: damage.__name__.strip("_"))
def test_a_damaged_folder_is_set_aside_and_built_again(
    folder: Path, request: pytest.FixtureRequest, damage: Callable[[Path], None]
) -> None:
    needs_index = damage in (_index, _no_index)
    skills = MANY_SKILLS if needs_index else SKILLS
    shutil.copytree(request.getfixturevalue("stored_many" if needs_index else "stored"), folder.parent)
    (folder.parent / "metier.sqlite3").write_bytes(b"somebody else's")
    damage(folder)
    store, embedder = restart(folder)
    assert len(store.sync(skills)) == len(skills)
    rebuilt, embedded = store.notes
    assert rebuilt.startswith("rebuilt: ")
    assert rebuilt.endswith("the old folder is now skills_vector_store.broken-1")
    assert embedded == f"embedded {len(skills):,} skills"
    assert folder.with_name("skills_vector_store.broken-1").exists()
    assert (folder.parent / "metier.sqlite3").read_bytes() == b"somebody else's"
    again, embedder = restart(folder)
    again.sync(skills)
    assert embedder.asked == []
    assert again.notes == ()


def test_damage_that_shows_only_on_writing_costs_no_embedding(filled: Path) -> None:
    store, embedder = restart(filled)
    store.sync(SKILLS)
    _garbage(filled)
    changed = [*SKILLS, text_of("new", "something new")]
    assert len(store.sync(changed)) == 4
    assert embedder.asked == ["something new"]
    assert [note.split(":")[0] for note in store.notes] == ["embedded 1 skill", "rebuilt"]
    again, embedder = restart(filled)
    again.sync(changed)
    assert embedder.asked == []


def test_the_tenth_damaged_copy_takes_the_place_of_the_ninth(folder: Path) -> None:
    for _ in range(11):
        folder.mkdir(parents=True, exist_ok=True)
        _garbage(folder)
        restart(folder)[0].sync(SKILLS)
    assert len(list(folder.parent.glob("*.broken-*"))) == 9


def _items(array: NDArray[np.float64]) -> tuple[str, int]:
    raw = array.astype("<f2").tobytes()
    return base64.b64encode(raw).decode(), crc32(raw)


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(dict(zip(("items", "crc32"), _items(np.ones((1, 26))), strict=True)), id="an item is missing"),
        pytest.param(dict(zip(("items", "crc32"), _items(np.ones((2, 25))), strict=True)), id="another size"),
        pytest.param(dict(zip(("items", "crc32"), _items(np.full((2, 26), np.nan)), strict=True)), id="nan"),
        pytest.param({"crc32": 1}, id="changed since"),
        pytest.param({"items": "%%%"}, id="not base64"),
        pytest.param({"items": 7}, id="a number for items"),
        pytest.param({"examples": "one"}, id="a word for a number"),
        pytest.param({"digest": 7}, id="a number for a digest"),
        pytest.param({"sentences": "one"}, id="a word for the number of sentences"),
        pytest.param({"sentences": -1}, id="fewer sentences than none"),
        pytest.param({"sentences": 1}, id="an item that is called a sentence"),
    ],
)
def test_a_stored_record_that_is_wrong_is_embedded_again(filled: Path, change: dict[str, str | int]) -> None:
    chroma = ChromaFolder(filled, collection_name("skills", "letters-1", 26), patience_s=0)
    record = {**chroma.read()["slides"], **change}
    chroma.write([VectorRecord("slides", np.zeros(26, dtype=np.float32), record)], [])
    store, embedder = restart(filled)
    slides = store.sync(SKILLS)["slides"]
    assert sorted(embedder.asked) == ["make slides", "presentations"]
    np.testing.assert_allclose(slides.items, Letters().embed(["make slides", "presentations"]), atol=1e-3)
    again, embedder = restart(filled)
    again.sync(SKILLS)
    assert embedder.asked == []


# ---- the folder cannot be used


@pytest.mark.parametrize("place", ["file/store", "/proc/metier/store", "/dev/null/store"])
def test_a_folder_that_cannot_be_written_is_done_without(tmp_path: Path, place: str) -> None:
    (tmp_path / "file").write_text("not a folder", "utf-8")
    store, embedder = restart(tmp_path / place)
    assert len(store.sync(SKILLS)) == 3
    memory_only, embedded = store.notes
    assert memory_only.startswith("vectors are kept in memory only: ")
    assert embedded == "embedded 3 skills"
    asked = len(embedder.asked)
    assert len(store.sync(SKILLS)) == 3
    assert len(embedder.asked) == asked


@pytest.mark.parametrize("locked", ["storage", "store", "database"])
def test_what_is_read_only_is_done_without(filled: Path, gate: Path, locked: str) -> None:
    target = {"storage": filled.parent, "store": filled, "database": filled / "chroma.sqlite3"}[locked]
    if locked == "storage":
        filled.with_name("skills_vector_store.lock").unlink()
    target.chmod(0o500)
    running = Child(child.sync_as_anybody, filled, gate)
    assert running.hear() == "ready"
    told = running.hear()
    ended = running.wait()
    target.chmod(0o700)
    assert ended.code == 0, ended.error
    assert told.startswith("30 ")
    assert "in memory only: " in told
    assert list(filled.parent.glob("*.broken-*")) == []
    store, embedder = restart(filled)
    store.sync(SKILLS)
    assert embedder.asked == []


def test_without_chroma_the_vectors_live_in_memory(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "chromadb", None)
    store, _ = restart(folder)
    assert len(store.sync(SKILLS)) == 3
    assert store.notes[0].endswith("chromadb is not installed: pip install 'metier[routing]'")
    assert not folder.exists()


def test_a_folder_in_use_is_done_without_and_caught_up_with_later(filled: Path) -> None:
    more = [*SKILLS, text_of("new", "something new")]
    store, embedder = restart(filled)
    store.sync(SKILLS)
    with filled.with_name("skills_vector_store.lock").open("ab") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert len(store.sync(more)) == 4
        assert store.notes[-1] == "new vectors are kept in memory only: another process holds its lock"
    store.sync(more)
    assert store.notes == ()
    again, embedder = restart(filled)
    again.sync(more)
    assert embedder.asked == []


def test_a_database_that_somebody_holds_is_not_taken_for_a_damaged_one(filled: Path) -> None:
    with closing(sqlite3.connect(filled / "chroma.sqlite3", isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        store, _ = restart(filled)
        assert len(store.sync(SKILLS)) == 3
        assert store.notes[0] == "vectors are kept in memory only: database is locked"
    assert list(filled.parent.glob("*.broken-*")) == []


def test_an_applications_env_file_is_not_chromas(folder: Path) -> None:
    import chromadb  # noqa: F401  (on its first import it reads `.env`, whatever we do)

    Path(".env").write_text("ALLOW_RESET=junk\nIS_PERSISTENT=false\nPERSIST_DIRECTORY=/nowhere\n", "utf-8")
    restart(folder)[0].sync(SKILLS)
    store, embedder = restart(folder)
    store.sync(SKILLS)
    assert embedder.asked == []


# ---- two processes


def test_two_processes_may_use_one_folder(folder: Path, gate: Path) -> None:
    rounds = 4
    with gate.open("rb") as closed:
        fcntl.flock(closed, fcntl.LOCK_EX)
        children = [Child(child.sync, folder, own, rounds, gate) for own in ("left", "right")]
        assert [one.hear() for one in children] == ["ready", "ready"]
    told = [[one.hear() for _ in range(rounds)] for one in children]
    assert [one.wait().code for one in children] == [0, 0]
    assert all(line.startswith("30 ") for lines in told for line in lines)
    assert not any("memory" in line or "rebuilt" in line for lines in told for line in lines)
    assert list(folder.parent.glob("*.broken-*")) == []
    store, embedder = restart(folder)
    store.sync([text_of(f"common-{at}", f"example {at}") for at in range(20)])
    assert embedder.asked == []


# ---- what the first message does not wait for


def test_new_vectors_are_written_later_and_at_the_latest_when_asked(folder: Path) -> None:
    store = VectorStore(folder, Letters(), write_after_s=3600)
    assert len(store.sync(SKILLS)) == 3
    assert not folder.exists()
    store.flush()
    again, embedder = restart(folder)
    again.sync(SKILLS)
    assert embedder.asked == []


def test_a_change_between_is_written_with_the_rest(folder: Path) -> None:
    store = VectorStore(folder, Letters(), write_after_s=3600)
    store.sync(SKILLS)
    store.sync([SKILLS[0], text_of("new", "something new")])
    store.flush()
    again, embedder = restart(folder)
    assert sorted(again.sync([SKILLS[0], text_of("new", "something new")])) == ["new", "weather"]
    assert embedder.asked == []
    assert again.notes == ()


def test_a_write_can_be_cancelled_and_what_is_stored_is_not_written_again(filled: Path) -> None:
    store = VectorStore(filled, Letters(), write_after_s=3600)
    store.sync(SKILLS)
    assert not store.cancel_write()
    store.sync(SKILLS[:1])
    assert store.cancel_write()
    again, embedder = restart(filled)
    again.sync(SKILLS)
    assert embedder.asked == []


def test_a_folder_that_was_removed_meanwhile_stays_removed(folder: Path) -> None:
    store = VectorStore(folder, Letters(), write_after_s=3600)
    store.sync(SKILLS)
    shutil.rmtree(folder.parent)
    store.flush()
    assert not folder.parent.exists()


def test_a_time_that_has_come_writes_without_being_asked(folder: Path) -> None:
    store = VectorStore(folder, Letters(), write_after_s=0)
    store.sync(SKILLS)
    if (timer := store._timer) is not None:
        timer.join()
    again, embedder = restart(folder)
    again.sync(SKILLS)
    assert embedder.asked == []


def test_what_is_stored_is_read_without_chroma(filled: Path) -> None:
    code = f"""
import sys
from pathlib import Path
from metier.routing.vectors._store import VectorStore
from tests.routing.letters import Letters
from tests.routing.vectors.test_store import SKILLS
embedder = Letters()
VectorStore(Path({str(filled)!r}), embedder).sync(SKILLS)
assert embedder.asked == [], embedder.asked
assert "chromadb" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)


def test_a_file_with_other_tables_is_read_by_chroma(filled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_chroma, "_READ_METADATA", "SELECT nothing FROM nowhere WHERE name = ?")
    store, embedder = restart(filled)
    store.sync(SKILLS)
    assert embedder.asked == []
    assert store.notes == ()


def test_a_file_that_makes_chroma_panic_is_set_aside_and_built_again(filled: Path) -> None:
    """A text in its tables that is no UTF-8 passes SQLite's check, and ends in a panic of Chroma's Rust code."""
    with closing(sqlite3.connect(filled / "chroma.sqlite3")) as database:
        database.execute("UPDATE migrations SET filename = CAST(x'61ff62' AS TEXT)")
        database.commit()
    store, _ = restart(filled)
    assert store.sync([*SKILLS, text_of("new", "a new thing")]).keys() == {"weather", "slides", "report", "new"}
    assert any("rebuilt" in note for note in store.notes)
    again, embedder = restart(filled)
    again.sync([*SKILLS, text_of("new", "a new thing")])
    assert embedder.asked == []
