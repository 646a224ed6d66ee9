"""Messages of several parts: each part is done or asked about, none is written as a text, a column or an item."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from metier.language import language_of
from metier.packs.office._readings import read_office_file
from metier.packs.office.drafting import Draft, draft_plan
from metier.packs.office.drafting._plan_texts import list_steps
from metier.packs.office.plan import HostApp
from metier.packs.office.planbench._documents import write_document

if TYPE_CHECKING:
    from metier.json_values import JsonObject


def _draft(message: str, host: HostApp, folder: Path) -> Draft:
    path, _ = write_document(host, folder)
    return draft_plan(message, host=host, language=language_of(message), reading=read_office_file(path))


def _list_done(draft: Draft) -> list[tuple[str, str]]:
    steps: list[JsonObject] = list(list_steps(draft.plan)) if draft.plan is not None else []
    names = ("text", "replace_text", "sheet_name", "addresses")
    return [(str(one["op"]), str(next((one[name] for name in names if name in one), ""))) for one in steps]


DONE: dict[str, tuple[HostApp, list[tuple[str, str]]]] = {
    "把标题改成通知，再加一段：各部门请遵照执行。": (
        "wps",
        [("replace_text", "通知"), ("set_selection", ""), ("insert_text", "各部门请遵照执行。")],
    ),
    "加一段：请遵照执行。然后删除第二段": (
        "wps",
        [("set_selection", ""), ("insert_text", "请遵照执行。"), ("delete_paragraphs", "['p2']")],
    ),
    "Add a paragraph: Please follow it. Then delete the second paragraph.": (
        "wps",
        [("set_selection", ""), ("insert_text", "Please follow it."), ("delete_paragraphs", "['p2']")],
    ),
    "加一段：先填表。然后交给财务签字。": (
        "wps",
        [("set_selection", ""), ("insert_text", "先填表。然后交给财务签字。")],
    ),
    "加一段：“请遵照执行。然后删除第二段”": (
        "wps",
        [("set_selection", ""), ("insert_text", "请遵照执行。然后删除第二段")],
    ),
    "新建两个工作表：收入、支出": ("et", [("ensure_sheet", "收入"), ("ensure_sheet", "支出")]),
    "Add two sheets: Income and Costs": ("et", [("ensure_sheet", "Income"), ("ensure_sheet", "Costs")]),
}


@pytest.mark.parametrize(("message", "case"), DONE.items(), ids=DONE)
def test_each_part_is_done(message: str, case: tuple[HostApp, list[tuple[str, str]]], tmp_path: Path) -> None:
    host, wanted = case
    assert _list_done(_draft(message, host, tmp_path)) == wanted


ASKED: dict[str, HostApp] = {
    "新建三个工作表：收入、支出": "et",
    "新建两个工作表：台账、支出": "et",
    "新建工作表 收入 和 支出": "et",
    "把名称列加一下": "et",
    "add a table with Name, Age and a paragraph: Please fill in.": "wps",
}


@pytest.mark.parametrize(("message", "host"), ASKED.items(), ids=ASKED)
def test_what_does_not_fit_together_is_asked_about(message: str, host: HostApp, tmp_path: Path) -> None:
    draft = _draft(message, host, tmp_path)
    assert draft.plan is None, _list_done(draft)
    assert draft.question


@pytest.mark.parametrize(
    "message",
    ["数量那列加一下就成", "数量列加起来", "数量那一列求和", "数量这列求个和就行", "数量那列加个合计"],
)
def test_a_column_that_is_summed_is_named_in_any_way(message: str, tmp_path: Path) -> None:
    draft = _draft(message, "et", tmp_path)
    assert draft.plan is not None, draft.question
    cells = list_steps(draft.plan)[0]["cells"]
    assert cells == [{"cell": "台账!A4", "value": "合计"}, {"cell": "台账!B4", "formula": "=SUM(B2:B3)"}]


@pytest.mark.parametrize(
    ("message", "items"),
    [
        ("add bullet points: Anna - lead; Bo - design; Carl - test", "Anna - lead\nBo - design\nCarl - test"),
        ("Add a bulleted list: - milk - eggs - bread", "milk\neggs\nbread"),
    ],
    ids=["dashes inside the items", "dashes before the items"],
)
def test_a_dash_between_two_words_is_no_mark_of_a_list(message: str, items: str, tmp_path: Path) -> None:
    draft = _draft(message, "wps", tmp_path)
    assert draft.plan is not None, draft.question
    assert [one["text"] for one in list_steps(draft.plan) if one["op"] == "insert_text"] == [items]


def test_the_sheet_of_a_series_has_each_word_of_its_measure_once(tmp_path: Path) -> None:
    draft = _draft("画个柱状图，季度销售额：一季度100，二季度120", "et", tmp_path)
    names = {str(one["sheet_name"]) for one in list_steps(draft.plan or {}) if one.get("sheet_name")}
    assert names == {"季度销售额"}
