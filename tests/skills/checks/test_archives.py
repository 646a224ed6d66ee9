"""Archives are judged without being unpacked; a broken one is a finding, never a fall."""

import bz2
import gzip
import io
import lzma
import tarfile
import zipfile
from collections.abc import Callable, Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metier.skills.checks import inspect_archive, is_archive, is_path_escape
from metier.skills.model import ARCHIVE_SMALL_BYTES, MAX_ARCHIVE_BYTES, MAX_ARCHIVE_DEPTH


def zipped(files: Mapping[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, raw in files.items():
            archive.writestr(name, raw)
    return buffer.getvalue()


def tarred(files: Mapping[str, bytes], kind: bytes = tarfile.REGTYPE) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for name, raw in files.items():
            info = tarfile.TarInfo(name)
            info.type, info.size, info.linkname = kind, len(raw), "target"
            archive.addfile(info, io.BytesIO(raw))
    return buffer.getvalue()


def found(raw: bytes, name: str) -> list[str]:
    return [problem.code for problem in inspect_archive(raw, name)]


ZEROS = {"x": b"0" * 2 * ARCHIVE_SMALL_BYTES}
PLAIN = {"SKILL.md": b"text", "scripts/look.py": b"pass"}


@pytest.mark.parametrize(
    ("raw", "name"),
    [
        pytest.param(zipped(PLAIN), "a.zip", id="zip"),
        pytest.param(zipped(PLAIN), "a.SKILL", id="skill"),
        pytest.param(zipped({}), "a.zip", id="empty zip"),
        pytest.param(tarred(PLAIN), "a.tar", id="tar"),
        pytest.param(gzip.compress(tarred(PLAIN)), "a.tgz", id="tar.gz"),
        pytest.param(bz2.compress(tarred(PLAIN)), "a.tar.bz2", id="tar.bz2"),
        pytest.param(lzma.compress(tarred(PLAIN)), "a.tar.xz", id="tar.xz"),
        pytest.param(zipped({"a.zip": zipped(PLAIN), "b.tar": tarred(PLAIN)}), "a.zip", id="archives in a zip"),
        pytest.param(tarred({"a.zip": zipped(PLAIN)}), "a.tar", id="a zip in a tar"),
        pytest.param(zipped({"a.txt": b"0" * 100_000}), "a.zip", id="small and repetitive"),
    ],
)
def test_a_decent_archive_has_no_problems(raw: bytes, name: str) -> None:
    assert is_archive(name)
    assert found(raw, name) == []


@pytest.mark.parametrize(
    ("raw", "name", "code"),
    [
        pytest.param(zipped({"../x": b""}), "a.zip", "archive_path_escape", id="zip slip"),
        pytest.param(zipped({"C:/x": b""}), "a.zip", "archive_path_escape", id="a drive"),
        pytest.param(tarred({"/x": b""}), "a.tar", "archive_path_escape", id="absolute tar"),
        pytest.param(tarred({"x": b""}, tarfile.SYMTYPE), "a.tar", "archive_link", id="symbolic link"),
        pytest.param(tarred({"x": b""}, tarfile.LNKTYPE), "a.tar", "archive_link", id="hard link"),
        pytest.param(tarred({"x": b""}, tarfile.FIFOTYPE), "a.tar", "archive_link", id="pipe"),
        pytest.param(tarred({"x": b""}, tarfile.CHRTYPE), "a.tar", "archive_link", id="device"),
        pytest.param(zipped(ZEROS), "a.zip", "archive_bomb", id="zip bomb"),
        pytest.param(
            gzip.compress(tarred({"x": b"0" * 2 * ARCHIVE_SMALL_BYTES})), "a.tgz", "archive_bomb", id="tar bomb"
        ),
        pytest.param(gzip.compress(b"0" * (MAX_ARCHIVE_BYTES + 1), 1), "a.tgz", "archive_bomb", id="gzip bomb"),
        pytest.param(zipped(dict.fromkeys(map(str, range(100_001)), b"")), "a.zip", "archive_too_large", id="many"),
        pytest.param(b"", "a.zip", "archive_unreadable", id="no zip"),
        pytest.param(b"not a tar", "a.tar", "archive_unreadable", id="no tar"),
        pytest.param(gzip.compress(tarred(PLAIN))[:-20], "a.tgz", "archive_unreadable", id="cut short"),
        pytest.param(gzip.compress(b"x") + b"junk", "a.tgz", "archive_unreadable", id="junk at the end"),
        pytest.param(zipped({"a.zip": b"junk"}), "a.zip", "archive_unreadable", id="junk inside"),
        pytest.param(tarred({"a.zip": zipped({"../x": b""})}), "a.tar", "archive_path_escape", id="a bad zip in a tar"),
    ],
)
def test_a_bad_archive_says_why(raw: bytes, name: str, code: str) -> None:
    assert found(raw, name) == [code]


@pytest.mark.parametrize("pack", [zipped, tarred], ids=["zip", "tar"])
def test_archives_in_archives_have_a_floor(pack: Callable[[Mapping[str, bytes]], bytes]) -> None:
    suffix = pack.__name__[:3]
    raw = pack({"text.txt": b"x"})
    for depth in range(1, MAX_ARCHIVE_DEPTH + 1):
        assert found(raw, f"a.{suffix}") == [], depth
        raw = pack({f"inner.{suffix}": raw})
    assert found(raw, f"a.{suffix}") == ["archive_nested"]


def test_archives_inside_share_one_allowance() -> None:
    inner = zipped({"x": b"0" * 50_000_000}) + b"\0" * 600_000  # light enough not to be a bomb by itself
    raw = zipped({"a.zip": inner, "b.zip": inner})
    assert "archive_bomb" in found(raw, "a.zip")


def test_an_encrypted_archive_inside_cannot_be_judged() -> None:
    raw = bytearray(zipped({"a.zip": zipped(PLAIN)}))
    raw[6] |= 1
    raw[raw.index(b"PK\x01\x02") + 8] |= 1
    assert found(bytes(raw), "a.zip") == ["archive_unreadable"]


def test_a_long_header_in_a_small_tar_is_not_read_into_memory() -> None:
    info = tarfile.TarInfo("header")
    info.type, info.size = tarfile.XHDTYPE, 8 * MAX_ARCHIVE_BYTES
    raw = gzip.compress(info.tobuf() + b"0" * (MAX_ARCHIVE_BYTES + 1), 1)
    assert found(raw, "a.tgz") == ["archive_bomb"]


@pytest.mark.parametrize(
    ("entry", "out"),
    [("a/b", False), ("..a", False), ("a/../b", True), ("..", True), ("/a", True), ("a\\..\\b", True), ("c:x", True)],
)
def test_an_entry_stays_below_the_folder(entry: str, *, out: bool) -> None:
    assert is_path_escape(entry) is out


_seeds = st.sampled_from([zipped({"a.zip": zipped(PLAIN)}), tarred(PLAIN), gzip.compress(tarred(PLAIN)), b"BZh9x", b""])


@given(_seeds, st.lists(st.tuples(st.integers(0, 2000), st.binary(max_size=4)), max_size=4), st.data())
def test_a_damaged_archive_never_makes_the_reader_fall(
    raw: bytes, damage: list[tuple[int, bytes]], data: st.DataObject
) -> None:
    for at, more in damage:
        raw = raw[:at] + more + raw[at + len(more) :]
    name = data.draw(st.sampled_from(["a.zip", "a.tar", "a.tar.gz", "a.docx"]))
    assert all(problem.message for problem in inspect_archive(raw, name))
