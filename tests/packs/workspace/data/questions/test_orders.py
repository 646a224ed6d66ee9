"""A plain conversion of a table is known in many words, and so are figures of columns that the table has."""

import os
from pathlib import Path

import pytest

pytest.importorskip("pandas")

from metier.pack import PackAnswer, PackQuestion
from metier.packs.workspace import answer, claim, fallback_claim
from metier.packs.workspace.data._request import find_change, find_format

_ROWS = '订单号,城市,金额,备注\n001,上海,120.50,"a,b"\n002,北京,80,c\n003,上海,30,待定\n'
_CONVERSIONS = (
    *("转成Excel", "把这个表转成json", "再转成json", "转成markdown表格", "把订单.csv转成xlsx", "帮我把订单导出为json"),
    *("请把这份数据另存为csv格式吧", "然后再导出成一份excel文件，谢谢", "可以转换成json吗？", "Convert this to Excel"),
    *("then to json", "Please save it as a csv file.", "turn the table into markdown", "convert 订单.csv to json"),
    *("can you export the data as json please?", "Now into Excel", "and also as a csv"),
)
_FORMATS = {
    "convert 订单.csv to json": "json",
    "Convert sales.csv to xlsx please": "xlsx",
    "把订单.csv转成json": "json",
    "convert the csv file in json": "json",
    "convert this csv to json": "json",
    "save it in json": "json",
    "弄成json": "json",
    "把它弄成excel": "xlsx",
    "导出一个json": "json",
    "存一份excel": "xlsx",
    "另存一份json": "json",
    "and into markdown": "md",
    "把清理合并订单转成json": "json",
    "convert merge.csv to json": "json",
}
_OTHERS = (
    *("把待办导出成Excel", "把分析结果转成PPT", "转成PDF", "把上海的订单转成Excel", "转成大写", "把会议纪要转成excel"),
    *(
        "Convert the first chart to Excel",
        "turn my notes into a table",
        "save my birthday",
        "to be honest, as a csv user I like it",
    ),
    *("Excel", "转成Excel以后按城市汇总", "convert to Excel and mail it to Ann", "把json转成类"),
)


def _attach(folder: Path, name: str = "001-订单.csv", content: str = _ROWS) -> Path:
    file = folder / "attachments" / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(content, "utf-8")
    return file


@pytest.mark.parametrize("message", _CONVERSIONS)
def test_a_table_is_converted_in_whatever_words_it_is_asked_for(tmp_path: Path, message: str) -> None:
    _attach(tmp_path)
    _attach(tmp_path, "002-订单.json", "[]")
    os.utime(tmp_path / "attachments" / "002-订单.json", (1, 1))
    assert claim(message, tmp_path) == "data-analysis"


@pytest.mark.parametrize("message", _FORMATS)
def test_what_is_claimed_is_converted_into_the_format_that_it_is_to_become(tmp_path: Path, message: str) -> None:
    names = ("merge", "清理合并订单", "sales", "订单")
    own = [_attach(tmp_path, f"00{at}-{name}.csv") for at, name in enumerate(names)]
    assert claim(message, tmp_path) == "data-analysis"
    assert (find_change(message, own), find_format(message, "", own)) == ("convert", _FORMATS[message])


@pytest.mark.parametrize("message", _CONVERSIONS)
def test_every_wording_that_is_claimed_is_a_conversion(message: str) -> None:
    assert find_change(message) == "convert"


@pytest.mark.parametrize(
    "message", ["change the amounts in csv by 5%", "Save time. Go to json", "which city sold most?", "把金额改为整数"]
)
def test_a_format_that_is_only_spoken_of_is_no_conversion(message: str) -> None:
    assert find_change(message) is None


@pytest.mark.parametrize("message", _OTHERS)
def test_what_asks_for_more_or_for_other_things_is_no_conversion(tmp_path: Path, message: str) -> None:
    _attach(tmp_path)
    assert claim(message, tmp_path) == ""


def test_a_conversion_needs_a_table_and_the_newest_content_must_be_one(tmp_path: Path) -> None:
    assert claim("转成Excel", tmp_path) == ""
    table = _attach(tmp_path)
    text = _attach(tmp_path, "002-纪要.txt", "会议")
    os.utime(table, ns=(1, 1))
    assert claim("转成Excel", tmp_path) == ""
    assert claim("把订单转成Excel", tmp_path) == "data-analysis"
    os.utime(text, ns=(0, 0))
    assert claim("转成Excel", tmp_path) == "data-analysis"
    assert claim("转成csv", tmp_path) == ""  # it is one


@pytest.mark.parametrize("message", ["按城市汇总金额", "各城市的平均金额", "金额 by 城市"])
def test_figures_of_columns_that_the_table_has_are_computed(tmp_path: Path, message: str) -> None:
    file = _attach(tmp_path)
    assert fallback_claim(message, tmp_path) == "data-analysis"
    asked = PackQuestion(message, "data-analysis", "zh", tmp_path, {"data_file": f"attachments/{file.name}"})
    assert answer(asked) == PackAnswer("", found=False, is_order=True)


@pytest.mark.parametrize("message", ["按部门汇总工资", "你好", "城市里养蜂行不行", "把金额那一列加粗"])
def test_figures_of_other_things_are_left_to_others(tmp_path: Path, message: str) -> None:
    _attach(tmp_path)
    assert fallback_claim(message, tmp_path) == ""
