"""Where a change stands, as the preview says it: a place at the end of the document is no cell of the table before."""

from pathlib import Path

import pytest
from docx import Document

from metier.json_values import JsonObject
from metier.packs.office._hosts import WriteRequest, host_for
from metier.packs.office.conversation._preview import describe_place
from metier.packs.office.plan import load_plan

TABLE: JsonObject = {"op": "insert_table", "rows": 1, "cols": 1, "data": [["1"]]}
BLOCK: JsonObject = {
    "op": "upsert_block",
    "block_id": "b",
    "actions": [{"id": "x", "title": "t", "op": "insert_text", "text": "新段"}],
}


def _places(source: Path, *actions: JsonObject) -> list[str]:
    listed = [{"id": f"a{at}", "title": "t", **one} for at, one in enumerate(actions)]
    plan = load_plan({"schema_version": "ah32.plan.v1", "host_app": "wps", "meta": {}, "actions": listed}).plan
    assert plan is not None
    done = host_for("wps").execute(plan, source, source.with_name("out.docx"), request=WriteRequest())
    return [one.address for one in done.changes]


@pytest.mark.parametrize("last", ["table", "paragraph"])
def test_what_is_put_behind_a_table_at_the_end_stands_at_the_end(tmp_path: Path, last: str) -> None:
    document = Document()
    document.add_paragraph("前言")
    document.add_table(2, 2).cell(0, 0).text = "甲"
    if last == "paragraph":
        document.add_paragraph("后记")
    source = tmp_path / "a.docx"
    document.save(str(source))
    assert _places(source, TABLE, BLOCK, {"op": "insert_text", "text": "又一段"}) == ["end"] * 3
    source.with_name("out.docx").rename(tmp_path / "b.docx")
    changed: JsonObject = {**BLOCK, "actions": [{"id": "x", "title": "t", "op": "insert_text", "text": "改过"}]}
    assert "h" not in _places(tmp_path / "b.docx", changed)[0]
    assert _places(source, {**BLOCK, "anchor": "end"}) == ["end"]
    assert describe_place("end", "zh") == "文末"
