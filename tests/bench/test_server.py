"""The bench of the server: a real process, few streams; the figures themselves are not tested here."""

import gzip
from pathlib import Path

from metier.bench._server import UI_FOLDER, StreamStats, _EventReader, measure_first_load_kb, run_server


def test_every_stream_hears_every_event_of_a_real_server() -> None:
    heard, waits = run_server(6, 0.5, turns=2, period_s=0.02)
    assert (heard.missing, heard.errors) == (0, 0)
    assert heard.events == len(heard.gaps_s) > 0
    assert len(waits) == 2


def _block(seq: int, first: int | None = None) -> bytes:
    more = f',"first_seq":{first}' if first else ""
    return f'id: {seq}\nevent: text.delta\ndata: {{"seq":{seq}{more}}}\n\n'.encode()


def test_what_is_missing_or_twice_is_counted_however_the_bytes_are_cut() -> None:
    heard = StreamStats()
    stream = _EventReader(b"", heard)
    wire = _block(1) + _block(2) + _block(5, first=3) + b": still here\n\n" + _block(8) + _block(8)
    for at in range(0, len(wire), 7):
        stream.data_received(wire[at : at + 7])
    assert heard.missing == 2 + 1  # 6 and 7 did not come, 8 came twice


def test_the_first_load_is_the_page_and_what_it_names(tmp_path: Path) -> None:
    assert measure_first_load_kb(tmp_path) is None
    page = '<script src="/a.js"></script><link rel="stylesheet" href="/b.css"><link rel="icon" href="/c.svg">'
    for name, text in (
        ("index.html", page),
        ("a.js", "a" * 5000),
        ("b.css", "b" * 100),
        ("c.svg", "c"),
        ("lazy.js", ""),
    ):
        (tmp_path / name).write_text(text, "utf-8")
    loaded = sum(len(gzip.compress((tmp_path / name).read_bytes(), 9)) for name in ("index.html", "a.js", "b.css"))
    assert measure_first_load_kb(tmp_path) == loaded / 1024


def test_the_first_load_of_the_committed_page_stays_within_its_limit() -> None:
    weight = measure_first_load_kb(UI_FOLDER)
    assert weight is not None
    assert weight <= 70
