"""Figures of questions are those that pandas gives for the rows that the question means, or there are none."""

import random
import re
from pathlib import Path

import pytest

pytest.importorskip("pandas")

from metier.language import language_of
from metier.packs.workspace.data._analysis import type_columns
from metier.packs.workspace.data._load import load_table
from metier.packs.workspace.data._summary import Typed
from metier.packs.workspace.data.questions import answer_question


def _read(folder: Path, text: str) -> Typed:
    file = folder / "orders.csv"
    file.write_text(text, "utf-8")
    return type_columns(load_table(file, "zh"))


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Typed:
    """Sixty rows with two dates, rates as fractions, and a region that loses money."""
    draw = random.Random(7)
    lines = ["订单号,下单日期,发货日期,地区,产品,销售额,数量,成本,折扣率"]
    for at in range(60):
        region = draw.choice(("华东", "华北", "华南"))
        amount = draw.randint(100, 900)
        cost = amount + 60 if region == "华南" else draw.randint(20, 99)
        ordered = f"2024-{draw.randint(1, 6):02d}-{draw.randint(1, 28):02d}"
        sent = f"2024-{draw.randint(7, 9):02d}-{draw.randint(1, 28):02d}"
        rate, product = draw.choice((0.05, 0.1, 0.15, 0.2)), draw.choice(("手机", "平板"))
        lines.append(f"A{at:03d},{ordered},{sent},{region},{product},{amount},{draw.randint(1, 5)},{cost},{rate}")
    return _read(tmp_path_factory.mktemp("orders"), "\n".join(lines))


def _ask(question: str, table: Typed) -> tuple[bool, str]:
    answer = answer_question(question, table, "orders.csv", language_of(question))
    return answer.found, answer.text


def _show(value: float) -> str:
    return f"{round(value, 2):,}".removesuffix(".0")


@pytest.mark.parametrize("month", [7, 8, 9])
def test_times_are_those_of_the_date_that_is_named(table: Typed, month: int) -> None:
    rows = table.frame[table.frame["发货日期"].dt.month == month]
    found, text = _ask(f"发货日期{month}月的订单有几笔", table)
    assert found
    assert f"共 {len(rows)} 行" in text
    assert "「发货日期」" in text
    assert not _ask(f"{month}月卖了多少", table)[0], "the first date has no such month"


@pytest.mark.parametrize("percent", [5, 10, 15])
def test_a_limit_keeps_its_unit(table: Typed, percent: int) -> None:
    count = int((table.frame["折扣率"] > percent / 100).sum())
    assert f"60 行中有 {count} 行" in _ask(f"折扣率超过{percent}%的订单有几笔", table)[1]
    assert f"60 行中有 {count} 行" in _ask(f"折扣率超过{percent / 100}的订单有几笔", table)[1]
    for question in (
        f"折扣率超过{percent}的订单有几笔",
        f"销售额超过{percent}%的订单有几笔",
        f"毛利率超过0.{percent}的地区有哪些",
        f"数量超过{percent}元的订单有几笔",
    ):
        assert not _ask(question, table)[0], question


@pytest.mark.parametrize(("first", "last"), [(1, 3), (2, 6), (4, 5)])
@pytest.mark.parametrize("sign", ["到", "-", "至"])
def test_a_range_of_months_is_one_time_in_the_figure_and_in_its_source(
    table: Typed, first: int, last: int, sign: str
) -> None:
    rows = table.frame[table.frame["下单日期"].dt.month.between(first, last)]
    found, text = _ask(f"{first}月{sign}{last}月销售额是多少", table)
    assert found
    assert f"{_show(rows['销售额'].sum())}（{len(rows)} 行）" in text
    assert f"60 行中的 {len(rows)} 行" in text
    assert not _ask(f"{last}月{sign}{first}月销售额是多少", table)[0]


def test_a_loss_is_told_of_each_group_and_of_single_rows(table: Typed) -> None:
    frame = table.frame.assign(left=table.frame["销售额"] - table.frame["成本"])
    assert f"60 行中有 {(frame['left'] < 0).sum()} 行" in _ask("亏钱的订单有几笔", table)[1]
    sums = frame.groupby("地区")["left"].sum()
    lost = sums[sums < 0]
    for question in ("哪个地区亏钱", "Which regions are losing money?"):
        found, text = _ask(question, table)
        assert found
        assert re.findall(r"^\| (华.) ", text, re.MULTILINE) == list(lost.index)
        assert all(f"| {_show(one)} |" in text for one in lost)
    assert _show(frame["left"].sum()) in _ask("一共赚了多少", table)[1]


def test_shares_of_several_values_together_are_added_up(table: Typed) -> None:
    money = table.frame.groupby("地区")["销售额"].sum()
    share = 100 * (money["华东"] + money["华北"]) / money.sum()
    assert f"的 {share:.1f} %" in _ask("华东和华北一共占多少", table)[1]


def test_the_source_of_a_share_names_the_rows_of_the_whole(table: Typed) -> None:
    rows = table.frame[table.frame["下单日期"].dt.month == 2]
    text = _ask("2月手机占多少", table)[1]
    assert f"占 {_show(rows['销售额'].sum())} 的" in text
    assert f"60 行中的 {len(rows)} 行" in text


def test_a_mean_over_days_says_how_many_had_no_rows(table: Typed) -> None:
    days, total = table.frame["下单日期"], table.frame["销售额"].sum()
    every = (days.max() - days.min()).days + 1
    text = _ask("平均每天卖多少", table)[1]
    assert f"平均每天的销售额（合计）为 {_show(total / days.nunique())}（按有数据的 {days.nunique()} 天）" in text
    assert f"没有数据的 {every - days.nunique()} 天未计入；算上为 {_show(total / every)}" in text


def test_the_second_from_the_bottom_is_counted_from_there(table: Typed) -> None:
    ranked = table.frame.groupby("地区")["销售额"].sum().sort_values()
    text = _ask("第二差的地区是哪个", table)[1]
    assert f"最低的是 {ranked.index[0]}" in text
    assert f"其次是 {ranked.index[1]}" in text


def test_pieces_of_an_order_are_a_mean_in_both_languages(table: Typed) -> None:
    mean = _show(table.frame["数量"].mean())
    assert mean in _ask("平均每单卖几件", table)[1]
    assert mean in _ask("How many units per order on average?", table)[1]


@pytest.mark.parametrize(
    "question",
    [
        "每个地区平均每月卖多少",
        "华东和华北每个月卖多少",
        "除了华东的手机，销售额是多少",
        "除了华东和2月，销售额是多少",
        "华东在2月的销售额占华东的多少",
        "一共几笔多少钱",
        "平均利润是多少",
        "利润的中位数是多少",
        "2月以后卖了多少",
        "2023年有多少笔订单",
        "华东和华南亏钱吗",
    ],
)
def test_a_known_word_that_the_figure_does_not_use_gives_no_figure(table: Typed, question: str) -> None:
    assert not _ask(question, table)[0]


def test_a_time_outside_the_data_is_told_with_their_ends(table: Typed) -> None:
    days = table.frame["下单日期"]
    text = _ask("2023年有多少笔订单", table)[1]
    assert f"{days.min():%Y-%m-%d} 至 {days.max():%Y-%m-%d}，没有「2023年」" in text


@pytest.mark.parametrize("empty", ["\n", ",,\n", "\n\n"])
def test_a_row_is_named_by_its_line_in_the_file_although_lines_are_empty(tmp_path: Path, empty: str) -> None:
    lines = ["day,shop,amount\n", "2025-07-01,North,100\n", "2025-07-05,South,200\n", empty, "2025-08-01,North,500\n"]
    text = "".join([*lines, "2025-08-09,South,300\n", "2025-08-10,South,1\n"])
    table = _read(tmp_path, text)
    line = text.split("\n").index("2025-08-01,North,500") + 1
    assert f"第 {line} 行：day 2025-08-01" in _ask("最大的一笔订单是哪笔", table)[1]
    assert f"去掉第 {line} 行（500）后，第一是 South" in _ask(f"去掉第{line}行那笔，North还排第一吗", table)[1]
