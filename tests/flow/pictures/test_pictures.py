"""Pictures of DAGs: checked files, thumbnails inside, English labels without a Chinese font, Mermaid as a fallback."""

import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from metier.errors import MissingExtra
from metier.flow import DagTracker, draw_dags, render_mermaid
from metier.flow.pictures import _draw
from tests.flow.operators import record, registry

_FIRST_PICTURE = """
import os
import pygraphviz
from metier.flow import draw_graph
from metier.flow.pictures import _graphviz
with _graphviz._without_noise():
    os.write(2, b"Fontconfig warning: line 6: unknown element\\nanother line\\n")
graph = pygraphviz.AGraph()
graph.add_edge("a", "b")
print(draw_graph(graph, "png")[:4])
"""


def build_dag(root: str = "通道1") -> DagTracker:
    dag = DagTracker(registry())
    one = dag.root(record(), root)
    dag.add_execution("peak", {}, [dag.add_execution("spectrum", {}, [one])])
    dag.add_execution("misbehave", {"how": "<&\"'bug"}, [one])
    return dag


def test_a_picture_is_a_whole_file_with_its_thumbnails_inside(tmp_path: Path) -> None:
    dag = build_dag()
    dag.write_png(tmp_path / "dag.png")
    dag.write_svg(tmp_path / "dag.svg")
    content = (tmp_path / "dag.png").read_bytes()
    assert content.startswith(b"\x89PNG\r\n\x1a\n")
    assert len(content) > 10_000
    text = (tmp_path / "dag.svg").read_text("utf-8")
    ElementTree.fromstring(text)
    assert text.count("data:image/png;base64,") == 2
    assert "/tmp" not in text.replace("data:image", "")


def test_a_first_picture_writes_nothing_at_the_terminal_and_other_lines_are_kept() -> None:
    said = subprocess.run(
        [sys.executable, "-c", _FIRST_PICTURE], capture_output=True, text=True, check=True, timeout=120
    )
    assert (said.stdout, said.stderr) == ("b'\\x89PNG'\n", "another line\n")


def test_labels_without_a_chinese_font_are_english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_draw, "has_cjk_font", lambda: False)
    assert all(f"{card.title}{card.line}{card.footer}".isascii() for card in draw_dags([build_dag()]))
    monkeypatch.setattr(_draw, "has_cjk_font", lambda: True)
    assert "通道1" in draw_dags([build_dag()])[0].title


def test_without_graphviz_nothing_empty_is_written_and_mermaid_says_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pygraphviz", None)
    with pytest.raises(MissingExtra):
        build_dag().write_png(tmp_path / "dag.png")
    assert list(tmp_path.iterdir()) == []
    text = render_mermaid(draw_dags([build_dag("ch1")], {"n3": "clear"}))
    assert "    n1 --> n2\n" in text
    assert 'n3["n3  peak<br/>= 8 Hz"]' in text
    assert "class n4 failed" in text


def test_what_two_dags_have_in_common_is_drawn_once() -> None:
    first, second = build_dag("ch1"), DagTracker(registry(), name="b")
    second.add_execution("scale", {}, [second.add_execution("scale", {"factor": 3}, [second.root(record(), "ch1")])])
    cards = draw_dags([first, second])
    assert [card.id for card in cards] == ["n1", "n2", "n3", "n4", "b2", "b3"]
    assert cards[4].inputs == ("n1",)
