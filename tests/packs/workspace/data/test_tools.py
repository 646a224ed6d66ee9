"""Data tools: the report can be computed again, new files are shown before they are written."""

import ast
import json
import subprocess
import sys
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from openpyxl import Workbook, load_workbook

from metier.agent.adapters import describe_arguments
from metier.language import Language
from metier.pack import find_installed_packs
from metier.packs.workspace._results import read_report
from metier.packs.workspace.data import _load, build_tools
from metier.settings import Settings
from metier.testing import FakeModel
from metier.testing.journeys import JourneyHost, read_journeys, run_journeys
from metier.tools import FunctionTool, ToolContext
from metier.tools.sandbox import probe

TOOLS: dict[str, FunctionTool] = {tool.spec.name: tool for tool in build_tools(None)}  # type: ignore[arg-type, misc]


JOURNEY = """
journeys:
  - id: code
    about: code is run after one approval, and its table is shown
    steps:
      - say: 分析示例销售数据里单价和销售额的相关性
        expect: {skill: data-analysis, called: [profile_data, summarize_data], asks: 运行 Python}
      - approve: true
        expect: {called: [run_python], says: 相关系数, tables: 相关, asks: false}
"""


async def call(name: str, folder: Path, **arguments: Any) -> dict[str, Any]:
    result = await TOOLS[name].run(arguments, ToolContext(folder))
    assert result.data is not None, result.failure
    return dict(result.data)


def find_one(folder: Path, pattern: str) -> Path:
    (found,) = folder.glob(pattern)
    return found


async def preview(folder: Path, **arguments: Any) -> Any:
    return await TOOLS["transform_data"].preview(arguments, ToolContext(folder))


def numbers_in(value: object) -> list[float]:
    """All numbers of a nested result, in order."""
    if isinstance(value, list | tuple):
        return [one for part in value for one in numbers_in(part)]
    return [float(value)] if isinstance(value, int | float) and not isinstance(value, bool) else []


@pytest.mark.parametrize("file", ["sales.en.csv", "energy.en.json", "book.xlsx"])
async def test_the_script_of_a_report_computes_every_figure_again(tmp_path: Path, file: str) -> None:
    if file == "book.xlsx":
        await call("transform_data", tmp_path, file="sales.en.csv", change="convert", format="xlsx", language="en")
        (tmp_path / "sales.en.xlsx").rename(tmp_path / file)
    asked = "report: pivot of region and product, trend and outliers of revenue"
    if file == "energy.en.json":
        asked = "report: electricity by site and month, outliers of electricity, year over year in 2024"
    done = await call("report_data", tmp_path, file=file, request=asked, language="en")
    assert {one["path"].rpartition(".")[2] for one in done["files"]} == {"xlsx", "html", "py"}
    report: Any = read_report(tmp_path, "data_report")
    assert set(report) == {"file", "title", "notice", "tables", "charts", "findings"}
    ran = subprocess.run(  # noqa: ASYNC221 - the script that the report brings
        [sys.executable, "-I", "analysis.py", "--json"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    again = json.loads(ran.stdout)
    assert [one["title"] for one in again] == [one["title"] for one in report["tables"]]
    for one, table in zip(again, report["tables"], strict=True):
        found = set(numbers_in(one["result"]))
        assert set(numbers_in(table["rows"])) <= found, table["title"]
    assert len(report["tables"]) >= 3
    assert "<svg" in find_one(tmp_path, "report-*.html").read_text("utf-8")
    assert ("invented" in report["notice"]) == (file != "book.xlsx")
    book = load_workbook(find_one(tmp_path, "report-*.xlsx"))
    assert len(book.sheetnames) == len(report["tables"]) + 1
    heads = next(iter(book.worksheets[1].iter_rows(max_row=1)))
    assert all(book.worksheets[1].column_dimensions[one.column_letter].width > len(str(one.value)) for one in heads)


async def test_groups_say_how_and_of_how_many(tmp_path: Path) -> None:
    lines = [f"city{n:03},{n},{n}%" for n in range(96) for _ in range(2)]
    (tmp_path / "towns.csv").write_text("\n".join(["city,sales,growth rate", *lines]), "utf-8")
    made = await call("summarize_data", tmp_path, file="towns.csv", request="sales by city", language="en")
    assert made["tables"][0]["title"] == "sales by city (sum, top 20 of 96)"
    assert made["tables"][0]["rows"][0][:4] == ["city095", 2, 190, 2.1]
    rates = await call("summarize_data", tmp_path, file="towns.csv", request="growth rate by city", language="en")
    assert "mean" in rates["tables"][0]["title"]
    assert "highest mean growth rate: 95%" in rates["summary"]


async def test_a_new_file_is_shown_first_and_the_original_stays(tmp_path: Path) -> None:
    content = (
        'id,day,amount\n1234567890123456, 2024/1/5 ,"1,200"\n1234567890123456, 2024/1/5 ,"1,200"\n2,2024-02-01,=3\n'
    )
    (tmp_path / "raw.csv").write_text(content, "utf-8")
    shown = await preview(tmp_path, file="raw.csv", change="clean", format="csv", language="en")
    listed = {row.id: row.values for row in shown.rows}
    assert listed["duplicates"]["count"] == 1
    assert (listed["dates:day"]["old"], listed["dates:day"]["new"]) == ("2024/1/5", "2024-01-05")
    assert find_one(tmp_path, "*").name == "raw.csv"
    steps = [{"id": "trim:day"}, {"id": "dates:day"}]
    done = await call(
        "transform_data", tmp_path, file="raw.csv", change="clean", format="csv", steps=steps, language="en"
    )
    assert done["files"][0]["path"] == "raw-clean.csv"
    rows = (tmp_path / "raw-clean.csv").read_text("utf-8-sig").splitlines()
    assert rows[1:3] == ['1234567890123456,2024-01-05,"1,200"'] * 2  # what was not chosen stays
    assert (tmp_path / "raw.csv").read_text("utf-8") == content
    await call("transform_data", tmp_path, file="raw.csv", change="convert", format="xlsx", language="en")
    sheet = load_workbook(tmp_path / "raw.xlsx").active
    assert sheet is not None
    assert [cell.value for cell in sheet["A"]][1:] == ["1234567890123456", "1234567890123456", "2"]
    assert [cell.data_type for cell in sheet["C"]][3] == "s"  # =3 is no formula


async def test_cells_and_names_of_files_stay_data(tmp_path: Path) -> None:
    name = 'a"""\nraise SystemExit("run")\n"""' + "n" * 200 + ".csv"
    (tmp_path / name).write_bytes(b"name,v\n=HYPERLINK(1),1\n-1+1,2\n-5,3\n<script>x</script>,4\nx\x07y,5\n")
    (tmp_path / "analysis.py").write_text("mine", "utf-8")
    done = await call("report_data", tmp_path, file=name, language="en")
    again = await call("report_data", tmp_path, file=name, language="en")
    assert done["files"] == again["files"]  # the report on a file replaces the one before it
    assert (tmp_path / "analysis.py").read_text("utf-8") == "mine"
    page = find_one(tmp_path, "report-*.html").read_text("utf-8")
    assert "<script" not in page
    script = (tmp_path / done["files"][2]["path"]).read_text("utf-8")
    assert not any(isinstance(node, ast.Raise) for node in ast.parse(script).body)
    assert f"FILE = {name!r}" in script
    made = await call("transform_data", tmp_path, file=name, change="convert", format="csv", language="en")
    rows = (tmp_path / made["files"][0]["path"]).read_text("utf-8-sig").splitlines()
    assert rows[1:4] == ["'=HYPERLINK(1),1", "'-1+1,2", "-5,3"]
    assert "apostrophe" in made["summary"]
    await call("transform_data", tmp_path, file=name, change="convert", format="xlsx", language="en")
    with pytest.raises(AssertionError, match="not_found"):
        await call("report_data", tmp_path, file="x" * 300, language="en")


async def test_files_are_appended_or_joined_and_what_would_multiply_rows_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("k,x\n1,10\n2,20\n", "utf-8")
    (tmp_path / "b.csv").write_text("k,x\n3,30\n", "utf-8")
    (tmp_path / "c.csv").write_text("k,name\n1,one\n9,nine\n", "utf-8")
    (tmp_path / "d.csv").write_text("k,name\n1,one\n1,uno\n", "utf-8")
    (tmp_path / "e.csv").write_text("k,y\n1,5\n1,6\n", "utf-8")
    await call("transform_data", tmp_path, file="a.csv", change="merge", other="b.csv", language="en")
    assert len((tmp_path / "a-merged.csv").read_text("utf-8").splitlines()) == 4
    shown = await preview(tmp_path, file="a.csv", change="merge", other="c.csv", language="en")
    counts = {row.id: row.values["count"] for row in shown.rows}
    assert counts == {"join": 1, "matched": 1, "unmatched": 1, "unused": 1}
    failed = await TOOLS["transform_data"].run(
        {"file": "d.csv", "change": "merge", "other": "e.csv"}, ToolContext(tmp_path)
    )
    assert failed.failure is not None
    assert failed.failure.code == "key_not_unique"


@pytest.mark.skipif(not probe().tier, reason="there is no sandbox on this machine")
async def test_a_model_answers_with_code_what_the_figures_do_not(tmp_path: Path) -> None:
    journeys = tmp_path / "journeys"
    journeys.mkdir()
    (journeys / "code.yaml").write_text(JOURNEY, "utf-8")
    code = "import pandas as pd\nprint(pd.read_csv('sales.zh.csv').shape)\nshow(pd.DataFrame({'r': [0.62]}), '相关')"
    model = FakeModel().call("run_python", code=code).say("相关系数为 0.62。").say("相关系数为 0.62。")
    pack = find_installed_packs().select(["workspace"])[-1]
    async with JourneyHost.open(Settings(model="builtin"), [pack], model=model) as host:
        (result,) = await run_journeys(host, read_journeys(journeys))
    assert result.passed, result.describe()


async def test_each_clause_gets_its_figures_and_the_first_of_two_files_is_merged_into(tmp_path: Path) -> None:
    rows = "".join(f"2024/{month}/1,{place},{100 * month},{month % 2}%\n" for month in range(1, 7) for place in "东西")
    (tmp_path / "001-明细.csv").write_text(f"日期,地区,金额(元),毛利率\n{rows}", "gbk")
    asked = await call("summarize_data", tmp_path, file="001-明细.csv", request="各地区的平均毛利率，按月看金额趋势")
    assert [one["title"] for one in asked["tables"]] == [
        "各地区的毛利率（平均，共 2 个）",
        "金额(元)按月的走势（合计）",
    ]
    tied = await call("summarize_data", tmp_path, file="001-明细.csv", request="毛利率按月的趋势")
    assert "最高的是 2024-01、2024-03、2024-05，均为 1%" in tied["summary"]
    (tmp_path / "002-人员.csv").write_text("地区,经理\n东,王\n", "utf-8")
    merged = await call("profile_data", tmp_path, request="合并这两个文件")
    assert (merged["file"], merged["other"]) == ("001-明细.csv", "002-人员.csv")
    (tmp_path / "003-城市.csv").write_text("地区,城市\n东,上海\n西,成都\n", "utf-8")
    merged = await call("profile_data", tmp_path, request="把这三个文件合并")
    assert (merged["file"], merged["other"]) == ("001-明细.csv", "002-人员.csv + 003-城市.csv")
    await call("transform_data", tmp_path, file=merged["file"], change="merge", other=merged["other"])
    made = (tmp_path / "明细-merged.csv").read_text("utf-8-sig")
    assert made.splitlines()[0] == "日期,地区,金额(元),毛利率,经理,城市"


def test_a_person_reads_the_change_in_words() -> None:
    told = describe_arguments(TOOLS["transform_data"].spec, {"file": "a.csv", "change": "merge"}, "zh")
    assert {"title": "改动", "value": "合并"} in [
        {key: one[key] for key in ("title", "value")} for one in told if isinstance(one, dict)
    ]


async def test_a_peak_that_one_row_makes_is_called_so(tmp_path: Path) -> None:
    told = await call("summarize_data", tmp_path, file="sales.zh.csv", request="按月看销售额的趋势")
    assert "其中第 42 行一笔 1,980,000 就占 2025-02 的 84.3%" in told["summary"]


async def test_an_open_table_is_read_once_and_only_by_the_tools_and_workspace_that_opened_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[Path] = []
    load_table = _load.load_table

    def count(path: Path, language: Language) -> object:
        opened.append(path)
        return load_table(path, language)

    monkeypatch.setattr(_load, "load_table", count)
    folders = [tmp_path / "a", tmp_path / "b"]
    for folder in folders:
        folder.mkdir()
    first, second = ({one.spec.name: one for one in build_tools(None)} for _ in range(2))  # type: ignore[arg-type]
    sample = {"file": "sales.en.csv", "request": "", "language": "en"}
    for tools, folder in ((first, folders[0]), (first, folders[0]), (first, folders[1]), (second, folders[1])):
        assert (await tools["summarize_data"].run(sample, ToolContext(folder))).failure is None
    assert len(opened) == 3


async def test_a_converted_file_says_in_every_cell_what_the_original_says(tmp_path: Path) -> None:
    content = (
        'day,rate,price,count\n2025/01/27,5%,"1,396.70",3\n2025/1/7,12.5%,"¥2,000",open\n2025/01/09,N/A,12.50,4\n'
        "2025/01/10,7%,(5),5\n2025/01/11,8%,1.5,6\n2025/01/12,8%,1.5,7\n"
    )
    (tmp_path / "raw.csv").write_text(content, "utf-8")
    shown = await preview(tmp_path, file="raw.csv", change="convert", format="xlsx", language="en")
    told = {row.id: (row.values["count"], row.values["old"]) for row in shown.rows}
    assert told["shown:rate"] == (5, "5%")
    assert told["text:rate"] == (1, "N/A")
    assert told["text:count"] == (1, "open")
    for ending in ("xlsx", "json", "csv"):
        await call("transform_data", tmp_path, file="raw.csv", change="convert", format=ending, language="en")
    sheet = load_workbook(tmp_path / "raw.xlsx").active
    assert sheet is not None
    cells = [[(cell.value, cell.number_format) for cell in row] for row in sheet.iter_rows(min_row=2)]
    assert cells[0][0] == (datetime(2025, 1, 27), "yyyy/mm/dd")
    assert [row[1] for row in cells[:3]] == [(0.05, "0%"), (0.125, "0.0%"), ("N/A", "General")]
    assert [row[2] for row in cells[:3]] == [(1396.7, "#,##0.00"), (2000, '"¥"#,##0'), (12.5, "0.00")]
    assert [row[3][0] for row in cells[:3]] == [3, "open", 4]
    records = json.loads((tmp_path / "raw.json").read_text("utf-8"))
    assert records[1] == {"day": "2025/1/7", "rate": "12.5%", "price": "¥2,000", "count": "open"}
    assert (tmp_path / "raw-2.csv").read_text("utf-8-sig") == content


async def test_a_table_of_markdown_keeps_bars_breaks_and_stars_as_texts(tmp_path: Path) -> None:
    (tmp_path / "raw.csv").write_text('name,note\nA|B,"two\nlines"\n*x*,\n', "utf-8")
    await call("transform_data", tmp_path, file="raw.csv", change="convert", format="md", language="en")
    lines = (tmp_path / "raw.md").read_text("utf-8").splitlines()
    assert lines == ["| name | note |", "| --- | --- |", r"| A\|B | two<br>lines |", r"| \*x\* |  |"]


async def test_a_number_that_a_workbook_would_show_otherwise_gets_a_form_or_stays_text(tmp_path: Path) -> None:
    content = "size,rate,note\n5.0,12％,x\n10.0,-0.00%,y\n-0,7%,z\n2.5,8%,w\n3,9%,v\n"
    (tmp_path / "raw.csv").write_text(content, "utf-8")
    for ending in ("xlsx", "json"):
        await call("transform_data", tmp_path, file="raw.csv", change="convert", format=ending, language="en")
    sheet = load_workbook(tmp_path / "raw.xlsx").active
    assert sheet is not None
    cells = [[(cell.value, cell.number_format) for cell in row] for row in sheet.iter_rows(min_row=2)]
    assert [row[0] for row in cells[:4]] == [(5, "0.0"), (10, "0.0"), ("-0", "General"), (2.5, "General")]
    assert [row[1] for row in cells[:3]] == [("12％", "General"), ("-0.00%", "General"), (0.07, "0%")]
    records = json.loads((tmp_path / "raw.json").read_text("utf-8"))
    assert [str(row["size"]) for row in records] == ["5.0", "10.0", "-0", "2.5", "3"]


async def test_texts_that_a_workbook_cuts_are_told_before(tmp_path: Path) -> None:
    (tmp_path / "raw.csv").write_text(f"a,b\n1,{'x' * 40_000}\n2,y\n", "utf-8")
    told = {}
    for ending in ("xlsx", "json"):
        shown = await preview(tmp_path, file="raw.csv", change="convert", format=ending, language="en")
        told[ending] = [row.values["count"] for row in shown.rows if row.id == "cut"]
    assert told == {"xlsx": [1], "json": []}


async def test_what_a_converted_workbook_loses_is_told_before(tmp_path: Path) -> None:
    book = Workbook()
    assert book.active is not None
    for row in (["name", "rate"], ["a", 0.125], ["b", 0.5]):
        book.active.append(row)
    book.create_sheet("Second page").append(["more"])
    book.save(tmp_path / "raw.xlsx")
    shown = await preview(tmp_path, file="raw.xlsx", change="convert", format="csv", language="en")
    told = " ".join(str(row.values) for row in shown.rows)
    assert "percentages as shares" in told
    assert "Second page" in told


async def test_a_cleaned_file_is_the_data_of_what_is_asked_next_and_a_converted_one_is_not(tmp_path: Path) -> None:
    (tmp_path / "raw.csv").write_text("a,b\n 1,x\n2,y\n", "utf-8")
    cleaned = await call("transform_data", tmp_path, file="raw.csv", change="clean", format="csv", language="en")
    assert cleaned["file"] == "raw-clean.csv"
    copied = await call("transform_data", tmp_path, file="raw.csv", change="convert", format="json", language="en")
    assert copied["file"] == "raw.csv"


async def test_a_named_file_that_is_not_there_is_missing_until_another_is_chosen(tmp_path: Path) -> None:
    named = await call("profile_data", tmp_path, request="分析一下 orders.csv")
    assert named["missing"] == "orders.csv"
    assert not named["unclear"]
    chosen = await call("profile_data", tmp_path, request="分析一下 orders.csv", chosen="sales")
    assert chosen["file"] == "sales.zh.csv"
