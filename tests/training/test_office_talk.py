"""The fit of the reader of talk: what ships is what the data give, and no left-out author's demand is called talk."""

from pathlib import Path

from metier.packs.office.drafting.talk import load_weights, write_weights
from training.office_talk import ROOT, TalkRow, fit, measure, read_rows

DATA = ROOT / "training/data"


def _read() -> tuple[list[TalkRow], list[TalkRow]]:
    return read_rows(sorted(DATA.glob("office_talk_[0-9].txt"))), read_rows([DATA / "office_talk_content.txt"])


def test_at_most_one_of_two_hundred_demands_of_authors_left_out_is_called_talk() -> None:
    figures = measure(*_read())
    assert figures.mistaken <= figures.demands * 0.005
    assert figures.found >= figures.talk * 0.4


def test_the_shipped_weights_are_those_of_the_data(tmp_path: Path) -> None:
    rows, content = _read()
    weights = fit([*rows, *content])
    write_weights(weights, len(rows) + len(content), tmp_path)
    shipped = load_weights()
    assert all(abs(shipped.get(name, 0.0) - weight) < 0.01 for name, weight in weights.items())
    assert set(shipped) <= set(weights)
