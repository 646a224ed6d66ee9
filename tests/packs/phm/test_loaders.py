"""One outer race record in every format gives the same verdict; broken files say what is wrong."""

import json
import re
import struct
import zipfile
import zlib
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from typer.testing import CliRunner

from metier.errors import InvalidInput
from metier.packs.phm import app
from metier.packs.phm._diagnose_file import DiagnosisRequest, diagnose_file
from metier.packs.phm._fleet import screen_fleet, write_table
from metier.packs.phm.bearings import find_bearing
from metier.packs.phm.diagnosis import load_registry
from metier.packs.phm.loaders import read_record, write_facts
from metier.packs.phm.loaders._files import read_file
from metier.packs.phm.loaders._matlab import list_sizes
from metier.packs.phm.samples import Recipe, make_record

if TYPE_CHECKING:
    from collections.abc import Callable

FS, RPM = 12_000, 1771.8
FACTS = DiagnosisRequest(fs=FS, rpm=RPM, bearing="6205")


@pytest.fixture(scope="module")
def signal() -> np.ndarray:
    return make_record(Recipe(FS, 3.0, RPM / 60, find_bearing("6205"), "outer", 6.0, -0.003, 21))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, signal: np.ndarray) -> Path:
    import h5py
    import pyarrow as pa
    import pyarrow.parquet as parquet
    from scipy.io import savemat, wavfile

    home = tmp_path_factory.mktemp("records")
    savemat(home / "a.mat", {"X1_DE_time": signal[:, None], "X1RPM": RPM})
    time = np.arange(len(signal)) / FS
    np.savetxt(home / "b.csv", np.c_[time, signal], delimiter=",", header="time,acc", comments="", fmt="%.6g")
    wavfile.write(home / "c.wav", FS, (signal / np.abs(signal).max() * 32000).astype(np.int16))
    with h5py.File(home / "d.h5", "w") as file:
        file["acc"] = signal
        file["acc"].attrs["fs"] = FS
    with h5py.File(home / "e.mat", "w", userblock_size=512) as file:
        file["acc"] = signal[None, :]
    np.savez(home / "f.npz", acc=signal, fs=FS, rpm=RPM)
    parquet.write_table(pa.table({"acc": signal, "tacho": np.sign(signal)}), home / "g.parquet")
    rows = [f"{at:.6f};{one:.6g}".replace(".", ",") for at, one in zip(time, signal, strict=True)]
    (home / "h.csv").write_text("\n".join(["Zeit;Beschl.", *rows]), "utf-8-sig")
    rows = [f"{at:.6f},{one:.6g}" for at, one in zip(time, signal, strict=True)]
    (home / "i.csv").write_bytes("\n".join(["时间,振动", *rows]).encode("gbk"))
    rows[50] = "0.004167,overload"
    (home / "j.csv").write_text("\n".join(["time,acc", *rows]), "utf-16")
    return home


def test_the_same_record_in_every_format_gives_the_same_verdict(folder: Path) -> None:
    results = {
        path.name: (found.verdict, found.level)
        for path in sorted(folder.iterdir())
        for _, found in [diagnose_file(path, FACTS)]
    }
    assert len(results) == 10
    assert set(results.values()) == {("outer", "confident")}, results


def test_rate_speed_and_channel_are_read_from_the_file(folder: Path) -> None:
    assert read_record(folder / "b.csv").fs == pytest.approx(FS, rel=1e-5)
    assert read_record(folder / "a.mat").rpm == pytest.approx(RPM)
    assert [read_record(folder / name).fs for name in ("c.wav", "d.h5", "f.npz")] == [FS] * 3
    record = read_record(folder / "g.parquet")
    assert (record.channel, record.channels) == ("acc", ("acc", "tacho"))
    assert read_record(folder / "g.parquet", channel="tach").kind == "tacho"
    with pytest.raises(InvalidInput, match="no channel 'x'"):
        read_record(folder / "g.parquet", channel="x")


def test_arrays_within_structs_and_cells_are_channels_and_count(
    tmp_path: Path, signal: np.ndarray, monkeypatch: pytest.MonkeyPatch
) -> None:
    from scipy.io import savemat

    from metier.packs.phm.loaders import _files

    cell = np.empty((1, 2), object)
    cell[0, 0], cell[0, 1] = signal, "note"
    records = np.array([(signal, 1.0), (signal, 2.0)], dtype=[("v", object), ("load", object)])
    stored = {
        "struct": {"bearing": {"gs": signal, "sr": float(FS), "deep": {"text": "a"}}},
        "cell": {"c": cell, "fs": float(FS)},
        "structs": {"records": records},
    }
    expected = {"struct": ("bearing/gs",), "cell": ("c/1",), "structs": ("records/1/v", "records/2/v")}
    for is_packed in (False, True):
        for name, value in stored.items():
            savemat(tmp_path / f"{name}.mat", value, do_compression=is_packed)
        found = {name: read_record(tmp_path / f"{name}.mat") for name in stored}
        assert {name: one.channels for name, one in found.items()} == expected
        assert (found["struct"].fs, found["cell"].fs) == (FS, FS)
        assert all(np.array_equal(one.samples, signal) for one in found.values())
    monkeypatch.setattr(_files, "_MAX_BYTES", 100_000)
    monkeypatch.setattr(_files, "_MAX_TIMES_FILE", 0)
    for name in stored:
        with pytest.raises(InvalidInput, match=r"MB of samples"):
            read_record(tmp_path / f"{name}.mat")


def _element(kind: int, data: bytes) -> bytes:
    return struct.pack("<II", kind, len(data)) + data + b"\0" * (-len(data) % 8)


def _matrix(kind: int, inside: bytes, *, sides: tuple[int, int] = (1, 1), stated: int | None = None) -> bytes:
    """A MATLAB array of this class; `stated` is a size other than its own."""
    head = _element(6, struct.pack("<II", kind, 0)) + _element(5, struct.pack("<ii", *sides)) + _element(1, b"x")
    whole = head + inside
    return struct.pack("<II", 14, len(whole) if stated is None else stated) + whole


def _nest(inside: bytes, depth: int, stated: int | None = None) -> bytes:
    for _ in range(depth):
        inside = _matrix(1, inside, stated=stated)
    return inside


def test_matlab_files_that_scipy_would_follow_without_a_limit_are_refused_before_it_reads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import scipy.io

    number = _matrix(6, _element(9, struct.pack("<d", 1.0)))
    two = _matrix(1, _matrix(6, _element(9, b"\0" * 8), stated=120) + number + number, sides=(1, 2))
    files = {
        "more than 8 deep": _nest(number, 9),
        "a function handle or an object": _matrix(16, number),
        "function handle or an object of a class": _nest(_matrix(17, number), 2),
        "not as long as it states": _nest(number, 3, stated=48),
        "an array is not as long": two,
        "holds less than it states": _matrix(1, _element(9, b"\0" * 8), sides=(1, 3)),
        "MB of samples": _matrix(1, number, sides=(30_000, 30_000)),
    }
    start = b"MATLAB 5.0 MAT-file".ljust(124) + struct.pack("<H", 0x0100) + b"IM"
    path = tmp_path / "x.mat"
    for is_packed in (False, True):
        path.write_bytes(start + (_element(15, zlib.compress(_nest(number, 8))) if is_packed else _nest(number, 8)))
        assert [one for one in list_sizes(path) if one == 1] == [1] * 9  # as deep as it may be
        with monkeypatch.context() as patched:
            patched.setattr(scipy.io, "loadmat", lambda *_, **__: pytest.fail("SciPy reads it"))
            for told, body in files.items():
                path.write_bytes(start + (_element(15, zlib.compress(body)) if is_packed else body))
                with pytest.raises(InvalidInput, match=told):
                    read_record(path)


def test_an_hdf5_file_is_read_as_a_tree_of_its_own_and_what_leads_elsewhere_is_refused(tmp_path: Path) -> None:
    import h5py

    samples, other = np.sin(np.arange(2_000.0)), tmp_path / "secret.h5"
    with h5py.File(other, "w") as file:
        file["x"] = samples
    layout = h5py.VirtualLayout(shape=samples.shape, dtype="f8")
    layout[:] = h5py.VirtualSource(str(other), "x", shape=samples.shape)
    raw = [(str(other), 0, 2_000)]
    files: dict[str, Callable[[h5py.File], object]] = {
        "links to another file": lambda file: file.__setitem__("x", h5py.ExternalLink(str(other), "/x")),
        "samples are in another file": lambda file: file.create_dataset("x", (2_000,), "u1", external=raw),
        "whose samples are": lambda file: file.create_virtual_dataset("x", layout),
        "more than 8 deep": lambda file: file.create_dataset("/".join("abcdefghijk"), data=samples),
        "more than 2000 groups": lambda file: [file.create_group(str(at)) for at in range(2_001)],
    }
    for told, fill in files.items():
        with h5py.File(tmp_path / "x.h5", "w") as file:
            fill(file)
        with pytest.raises(InvalidInput, match=told):
            read_record(tmp_path / "x.h5")
    with h5py.File(tmp_path / "x.h5", "w") as file:
        file["g0/x"] = samples
        file["g0/above"], file["g0/soft"] = file["/"], h5py.SoftLink("/")
        for at in range(1, 7):
            file[f"g{at}/left"] = file[f"g{at}/right"] = file[f"g{at - 1}"]
    assert [one.name for one in read_file(tmp_path / "x.h5").channels] == ["g0/x"]


def test_a_sidecar_completes_a_record_and_answers_are_kept_out_of_sight(tmp_path: Path, signal: np.ndarray) -> None:
    path = tmp_path / "pump.npy"
    np.save(path, (signal / 9.81).astype(np.float32))
    (tmp_path / "pump.npy.json").write_text(
        json.dumps({"rpm": RPM, "channels": {"signal": {"fs": FS, "unit": "m/s2", "scale": 9.81, "kind": "vibration"}}})
    )
    write_facts(path, {"bearing": "6205"})
    assert sorted(one.name for one in tmp_path.iterdir() if not one.name.startswith(".")) == [
        "pump.npy",
        "pump.npy.json",
    ]
    record, found = diagnose_file(path, DiagnosisRequest())
    assert (record.unit, record.fs, found.verdict) == ("m/s2", FS, "outer")
    assert record.samples.std() == pytest.approx(signal.std(), rel=1e-4)


def test_a_sidecar_is_never_guessed_at(tmp_path: Path) -> None:
    path, sidecar = tmp_path / "pump.npy", tmp_path / "pump.npy.json"
    np.save(path, np.arange(100.0))
    wrong: list[object] = []
    for name in ("fs", "rpm", "scale"):
        for value in (0, "12000", True, float("nan"), float("inf"), [1]):
            sidecar.write_text(json.dumps({name: value}))
            try:
                wrong.append((name, value, read_record(path)))
            except InvalidInput as error:
                wrong += [] if repr(name) in error.message and error.hint else [(name, value, error)]
    assert wrong == []
    sidecar.write_text(json.dumps({"scale": -2, "rpm": None}))
    assert read_record(path).samples[-1] == -198


def test_broken_files_say_what_is_wrong(tmp_path: Path, folder: Path) -> None:
    whole = (folder / "a.mat").read_bytes()
    (tmp_path / "cut.mat").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "words.csv").write_text("hello\nworld\n")
    (tmp_path / "empty.h5").write_bytes(b"")
    (tmp_path / "noise.wav").write_bytes(b"RIFF" + bytes(range(200)))
    (tmp_path / "side.npy").write_bytes((folder / "f.npz").read_bytes())
    for name in ("d.h5", "e.mat", "f.npz", "g.parquet"):
        whole = (folder / name).read_bytes()
        (tmp_path / f"half_{name}").write_bytes(whole[: len(whole) // 2])
    wrong: list[object] = []
    for path in sorted(tmp_path.iterdir()):
        try:
            read_record(path)
        except InvalidInput as error:
            told = [load_registry().translate_reason(one, "zh") for one in (error.message, error.hint)]
            plain = [re.sub(r"「[^」]*」|（[^）]*）", "", one) for one in told]
            if not error.hint or any(re.search(r"[A-Za-z]{4}", one) for one in plain):
                wrong.append((path.name, told))
        else:
            if path.name != "side.npy":
                wrong.append((path.name, "was read"))
    assert wrong == []


def test_what_is_wrong_with_the_samples_is_a_finding(tmp_path: Path, folder: Path, signal: np.ndarray) -> None:
    whole = (folder / "c.wav").read_bytes()
    (tmp_path / "half.wav").write_bytes(whole[: len(whole) // 2])
    np.save(tmp_path / "huge.npy", signal * 1e200)
    np.save(tmp_path / "long.npy", np.ones(2_160_000, np.float32))
    found = {path.stem: diagnose_file(path, FACTS) for path in tmp_path.iterdir()}
    codes = {name: [one.code for one in result.findings] for name, (_, result) in found.items()}
    assert codes["half"][:1] == ["cut_off"]
    assert codes["huge"] == ["out_of_range"]
    assert codes["long"] == ["long_record", "constant"]
    record, _ = found["long"]
    assert (record.seconds, record.samples.nbytes) == (180.0, 16_000_000)


def test_a_fleet_is_listed_worst_first_and_goes_on_where_it_was(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from openpyxl import load_workbook

    from metier import flow
    from metier.packs.phm import _fleet

    home = tmp_path / "fleet"
    home.mkdir()
    for name in ("b.csv", "f.npz"):
        (home / name).write_bytes((folder / name).read_bytes())
    np.save(home / "still.npy", np.full(5000, 1.0))
    (home / "cut.mat").write_bytes((folder / "a.mat").read_bytes()[:3000])
    done = tmp_path / "out.jsonl"
    rows = screen_fleet(home, FACTS, done=done)
    assert [row.result["condition"] for row in rows] == ["faulty", "faulty", "undetermined", "undetermined"]
    monkeypatch.setattr(flow, "DaskEngine", flow.ThreadEngine)  # by the same interface, without the start of a cluster
    assert [row.result for row in screen_fleet(home, FACTS, engine="dask")] == [row.result for row in rows]
    monkeypatch.setattr(_fleet, "diagnose_safely", lambda *_: pytest.fail("was computed again"))
    done.write_text(done.read_text() + '{"file": "cut')
    assert [row.file for row in screen_fleet(home, FACTS, done=done)] == [row.file for row in rows]
    write_facts(home / "f.npz", {"rpm": RPM})
    with pytest.raises(pytest.fail.Exception, match="computed again"):
        screen_fleet(home, FACTS, done=done)
    monkeypatch.undo()
    assert len(screen_fleet(home, FACTS, done=done)) == len(rows)
    *_, cut, last = done.read_text("utf-8").splitlines()  # what follows a line cut short has a line of its own
    assert (cut, json.loads(last)["file"]) == ('{"file": "cut', "f.npz")
    sheet = load_workbook(write_table(rows, tmp_path / "fleet.xlsx", "zh")).active
    assert sheet is not None
    assert [cell.value for cell in sheet[2]][1:5:2] == ["有故障", "外圈"]
    assert str(sheet[5][9].value).endswith("。")
    assert [cell.value for cell in sheet[5]][2:5] in ([None] * 3, [0, None, None])


def test_the_command_prints_json_and_writes_a_report(folder: Path, tmp_path: Path) -> None:
    report = tmp_path / "report.html"
    files = [str(folder / name) for name in ("f.npz", "b.csv")]
    facts = ["-b", "6205", "--fs", str(FS), "--rpm", str(RPM), "--json"]
    ran = CliRunner().invoke(app, ["diagnose", *files, *facts, "--report", str(report)])
    told, *more = [json.loads(line) for line in ran.stdout.split("\n")[:-1]]  # nothing else stands there
    assert [one["verdict"] for one in more] == ["outer"]
    assert (ran.exit_code, told["verdict"], told["condition"], told["level"]) == (0, "outer", "faulty", "confident")
    assert {"expected_hz", "found_hz", "score", "node"} <= set(told["evidence"][0])
    assert told["dag"][0]["op_name"] == "input"
    html = report.read_text("utf-8")
    assert html.index("Outer race damage") < html.index("Evidence")
    assert html.count("data:image/png;base64,") == 4
    pdf = tmp_path / "report.pdf"
    ran = CliRunner().invoke(
        app, ["diagnose", str(folder / "f.npz"), "-b", "6205", "--language", "zh", "--report", str(pdf)]
    )
    assert "外圈损伤" in ran.stdout
    assert pdf.read_bytes().startswith(b"%PDF")
    assert b"/FontFile2" in pdf.read_bytes()  # a font that is not embedded is no text where it is not installed


def test_a_file_that_cannot_be_read_does_not_stop_the_others(folder: Path, tmp_path: Path) -> None:
    cut, gaps = tmp_path / "cut.mat", tmp_path / "gaps.npy"
    cut.write_bytes((folder / "a.mat").read_bytes()[:3000])
    samples = read_record(folder / "f.npz").samples.copy()
    samples[100:110] = np.nan
    np.save(gaps, samples)
    report = tmp_path / "report.html"
    arguments = ["diagnose", str(cut), str(gaps), "-b", "6205", "--fs", str(FS), "--rpm", str(RPM), "--json"]
    ran = CliRunner().invoke(app, [*arguments, "--report", str(report)])
    first, second = (json.loads(line) for line in ran.stdout.splitlines()[:2])
    assert set(first) == set(second)
    assert (first["condition"], first["findings"][0]["code"]) == ("undetermined", "unreadable")
    assert (second["verdict"], second["findings"][0]["code"]) == ("outer", "not_finite")
    assert report.read_text("utf-8").count("data:image/png;base64,") == 2


def test_a_file_that_states_more_samples_than_it_can_have_measured_is_refused_before_it_is_read(tmp_path: Path) -> None:
    import h5py
    import pyarrow as pa
    import pyarrow.parquet as parquet

    zeros = np.broadcast_to(np.zeros(1), 40_000_000)
    with zipfile.ZipFile(tmp_path / "a.npz", "w", zipfile.ZIP_DEFLATED) as archive:
        for name in ("x.npy", "y.npy"):
            with archive.open(name, "w") as member:
                np.lib.format.write_array_header_1_0(
                    member, {"descr": "<f8", "fortran_order": False, "shape": zeros.shape}
                )
    with (tmp_path / "b.npy").open("wb") as file:
        np.lib.format.write_array_header_1_0(file, {"descr": "<f8", "fortran_order": False, "shape": (10**9,)})
    with h5py.File(tmp_path / "c.h5", "w") as file:
        file.create_dataset("acc", shape=(40_000_000,), dtype="f8", chunks=(100_000,), compression="gzip")
    rows = pa.array(np.zeros(40_000_000, np.int8))
    parquet.write_table(pa.table({"acc": rows}), tmp_path / "d.parquet")
    told = {}
    for path in sorted(tmp_path.iterdir()):
        with pytest.raises(InvalidInput) as caught:
            read_record(path)
        told[path.name] = "MB are the most" in caught.value.message
    assert told == {"a.npz": True, "b.npy": True, "c.h5": True, "d.parquet": True}
