"""A table on the screen that is wished for by its name becomes a file with its rows."""

import csv
from pathlib import Path

import pytest

from metier.agent import Runtime, TurnRequest
from metier.agent.choice.details._table_files import write_table_file
from metier.pack import find_installed_packs
from metier.questions import ResultTable, TableColumn
from metier.settings import Settings

_COLUMNS = (TableColumn("what", "事项"), TableColumn("days", "期限", "天"))
_TODO = ResultTable("待办", _COLUMNS, (("=SUM(1)", 3), ("渗透测试", None)), 2)


def test_the_file_has_the_rows_of_the_table_and_no_formula(tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    assert [write_table_file(tmp_path, _TODO, "xlsx") for _ in range(2)] == ["待办.xlsx", "待办-2.xlsx"]
    sheet = openpyxl.load_workbook(tmp_path / "待办.xlsx").active
    rows = [[cell.value for cell in row] for row in sheet.iter_rows()]
    assert rows == [["事项", "期限 (天)"], ["=SUM(1)", 3], ["渗透测试", None]]
    assert sheet["A2"].data_type == "s"
    assert write_table_file(tmp_path, ResultTable("a\x00\x1f/b", _COLUMNS, (), 0), "csv") == "a___b.csv"
    name = write_table_file(tmp_path, _TODO, "csv")
    with (tmp_path / name).open(encoding="utf-8-sig", newline="") as file:
        assert list(csv.reader(file))[1:] == [["'=SUM(1)", "3"], ["渗透测试", ""]]


async def test_what_the_minutes_show_becomes_a_workbook_while_their_approval_is_open(tmp_path: Path) -> None:
    pytest.importorskip("openpyxl")
    packs = find_installed_packs().select(["workspace", "office"])
    settings = Settings(model="builtin", skills_dir=(), storage_dir=tmp_path, embedder="none")
    talk, files, pauses = None, [], []
    async with Runtime.open(settings, packs=packs) as runtime:
        for message in ("整理示例录音稿的会议纪要", "把待办导出成Excel", "导出待办为Excel", "把人员名单导出成Excel"):
            events = [one async for one in runtime.turn(TurnRequest(message, conversation=talk))]
            talk = events[0].conversation
            files.append([one.data["path"] for one in events if one.kind == "file"])
            pauses.append([one.data["purpose"] for one in events if one.kind == "pause.opened"])
    assert files == [[], ["待办.xlsx"], ["待办-2.xlsx"], []]  # never the transcript as a whole
    assert pauses == [["approve"], [], [], ["ask"]]
