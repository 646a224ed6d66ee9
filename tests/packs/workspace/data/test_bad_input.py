"""Data files as they come: encodings, ragged rows, mixed dates, ids, formulas; read, or refused in a sentence."""

import json
from pathlib import Path

import pytest
from openpyxl import Workbook

from metier.packs.workspace.data._analysis import type_columns
from metier.packs.workspace.data._load import load_table
from metier.tools import ToolError

TABLE = '编号,日期,金额,比例\n1234567890123456,2024-01-05,"1,234.50",12%\n9876543210987654,2024/2/7,￥300,-3.5%\n'
READ = {  # file: (content, rows, kinds, words of a note)
    "utf8.csv": (TABLE.encode(), 2, "id date number number", ""),
    "gbk.csv": (TABLE.encode("gbk"), 2, "id date number number", "GBK"),
    "utf16.csv": (TABLE.encode("utf-16"), 2, "id date number number", "UTF-16"),
    "bom.csv": (TABLE.encode("utf-8-sig"), 2, "id date number number", ""),
    "tabs.tsv": (TABLE.replace(',"1,234.50",', "\t1,234.50\t").replace(",", "\t", 99).encode(), 2, None, ""),
    "mixed.csv": (
        'date,v\n2024-01-05,1\n05/13/2024,2\n2024年3月9日,3\n2024.4.1,4\n"Jan 7, 2024",5\n'.encode(),
        5,
        "date number",
        "several forms",
    ),
    "unsure.csv": (b"date,v\n01/02/2024,1\n03/04/2024,2\n", 2, "date number", ""),
    "formula.csv": (b"a,b\n=1+1,2\n=cmd|' /C calc'!A0,3\n@SUM(A1),4\n", 3, "text number", "begin like a formula"),
    "ragged.csv": (b"a,b\n1,2,3\n4\n5,6\n", 3, "number number", "more cells than the header"),
    "ragged_later.csv": (b"a,b\n1,2\n3,4,5,6\n7\n", 3, "number number", "more cells than the header"),
    "blank_above.csv": (b",\n,\na,b\n1,2\n", 1, "number number", ""),
    "double.csv": (b"a,a,\n1,2,3\n", 1, "number number number", "Several columns are called a"),
    "zero.csv": (b"zip,n\n00123,1\n04567,2\n", 2, "id number", ""),
    "gaps.csv": (b"a,b\nN/A,x\n-,y\n3,x\n4,y\n", 4, "number category", ""),
    "odd.csv": (b"a\n" + b"".join(b"%d\n" % n for n in range(20)) + b"oops\n", 21, "number", ""),
    "list.json": (json.dumps([{"a": 1, "b": {"c": "x"}}, {"a": None}]).encode(), 2, "number category", ""),
    "lines.jsonl": (b'{"a": 1}\n{"a": 2}\n', 2, "number", ""),
    "lists.json": (b'{"a": [1, 2], "b": ["x", "y"]}', 2, "number category", ""),
}
REFUSED = {
    "empty.csv": (b"", "empty_file"),
    "blank.csv": (b"\n\n\n", "empty_file"),
    "header.csv": (b"a,b\n", "no_rows"),
    "binary.csv": (b"MZ\x90\x03" + b"\x00\x01" * 50, "not_a_table"),
    "broken.xlsx": (b"PK\x03\x04 nothing", "not_a_workbook"),
    "locked.xlsx": (b"\xd0\xcf\x11\xe0" + b"\x00" * 600, "not_a_workbook"),
    "broken.json": (b'{"a": [1, 2', "bad_json"),
    "number.json": (b"42", "no_records"),
    "deep.json": (b"[" * 100_000, "bad_json"),
    "wide.csv": (b"a," * 2_000 + b"b\n" + b"1," * 2_000 + b"2\n", "too_many_columns"),
    "quote.csv": (b'a,b\n"' + b"x,1\n" * 4_400_000, "open_quote"),
    "short_quote.csv": (b'a,b\n1,"never closed\n2,3\n', "open_quote"),
}


def test_files_are_read_whatever_their_shape(tmp_path: Path) -> None:
    wrong = []
    for name, (content, rows, kinds, note) in READ.items():
        (tmp_path / name).write_bytes(content)
        table = type_columns(load_table(tmp_path / name, "en"))
        found = " ".join(one.kind for one in table.columns)
        told = " ".join([*table.loaded.notes, *("several forms" for one in table.columns if one.note)])
        if len(table.frame) != rows or (kinds is not None and found != kinds) or note not in told:
            wrong.append((name, len(table.frame), found, told))
    assert wrong == []


def test_a_comma_is_the_decimal_point_where_no_group_of_three_follows_it(tmp_path: Path) -> None:
    content = "a;b;c\n1.234,50;1,234;12,5 €\n-3,1;12,000;0,75 €\n7;2,500;n/a\n12,5;1,000;1.000,00 €\n"
    (tmp_path / "d.csv").write_text(content, "utf-8")
    table = type_columns(load_table(tmp_path / "d.csv", "en"))
    assert [one.kind for one in table.columns] == ["number"] * 3
    assert table.frame["a"].tolist() == [1234.5, -3.1, 7, 12.5]
    assert table.frame["b"].tolist() == [1234, 12000, 2500, 1000]
    assert table.frame["c"].dropna().tolist() == [12.5, 0.75, 1000]
    (tmp_path / "d.csv").write_text("a;b\n" + "3,25;x\n" * 9 + "12.5;x\n", "utf-8")
    column = type_columns(load_table(tmp_path / "d.csv", "en")).columns[0]
    assert (column.kind, column.odd) == ("number", 1)  # what may mean two things is counted, not guessed


def test_a_date_with_dots_begins_with_the_day_whatever_stands_beside_it(tmp_path: Path) -> None:
    (tmp_path / "d.csv").write_text("day,v\n05.02.2024,1\n2024-03-07,2\n11.12.2024,3\n", "utf-8")
    dates = type_columns(load_table(tmp_path / "d.csv", "en")).frame["day"]
    assert [f"{one:%Y-%m-%d}" for one in dates] == ["2024-02-05", "2024-03-07", "2024-12-11"]


def test_formulas_whose_results_are_not_stored_are_told(tmp_path: Path) -> None:
    book = Workbook()
    for row in (["k", "v", "twice"], ["a", 1, "=B2*2"], ["b", 2, "=B3*2"]):
        book.active.append(row)
    book.save(tmp_path / "f.xlsx")
    assert load_table(tmp_path / "f.xlsx", "zh").notes == (
        "twice 里的公式没有存下算好的值：请用表格软件打开并保存这个文件，再来分析。",
    )


def test_what_cannot_be_read_is_refused_in_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong: list[tuple[str, object]] = []
    for name, (content, code) in REFUSED.items():
        (tmp_path / name).write_bytes(content)
        try:
            load_table(tmp_path / name, "zh")
        except ToolError as error:
            if error.failure.code == code and name in error.failure.message and error.failure.hint:
                continue
            wrong.append((name, error.failure))
        else:
            wrong.append((name, "read"))
    monkeypatch.setattr("metier.packs.workspace.data._load.MAX_BYTES", 10)
    with pytest.raises(ToolError, match="MB"):
        load_table(tmp_path / "header.csv" if (tmp_path / "header.csv").stat().st_size > 10 else _large(tmp_path), "en")
    assert wrong == []


def _large(folder: Path) -> Path:
    (folder / "large.csv").write_bytes(b"a,b\n1,2\n3,4\n")
    return folder / "large.csv"


def test_values_are_what_the_file_says(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_bytes(TABLE.encode("gbk"))
    table = type_columns(load_table(tmp_path / "t.csv", "zh"))
    assert table.frame["编号"].tolist() == ["1234567890123456", "9876543210987654"]
    assert table.frame["金额"].tolist() == [1234.5, 300.0]
    assert table.frame["比例"].tolist() == [12.0, -3.5]
    assert [one.unit for one in table.columns] == ["", "", "元", "%"]
    assert table.frame["日期"].dt.strftime("%m%d").tolist() == ["0105", "0207"]
