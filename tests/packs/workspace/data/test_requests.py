"""Orders for figures by several keys, of chosen rows, or compared in time; pandas computes the same another way."""

from collections.abc import Mapping
from datetime import date, timedelta
from pathlib import Path
from random import Random
from typing import Any

import pandas as pd
import pytest

from metier.packs.workspace.data import build_tools
from metier.packs.workspace.data._files import locate_file, match_file
from metier.tools import ToolContext, ToolError

TOOLS = {tool.spec.name: tool for tool in build_tools(None)}  # type: ignore[arg-type]
Cells = Mapping[tuple[str, ...], float]


@pytest.fixture(scope="module")
def orders(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two and a half years of orders, some without a region."""
    chance = Random(3)
    folder = tmp_path_factory.mktemp("orders")
    rows = [
        (
            (date(2023, 1, 1) + timedelta(days=chance.randrange(900))).isoformat(),
            chance.choice(("East", "West", "North", "")),
            chance.choice(("Laptop", "Monitor", "Mouse")),
            chance.randrange(1, 30),
            chance.randrange(100, 9_000),
        )
        for _ in range(400)
    ]
    names = ["Date", "Region", "Product", "Units", "Revenue"]
    pd.DataFrame(rows, columns=pd.Index(names)).to_csv(folder / "orders.csv", index=False)
    return folder


async def ask(folder: Path, request: str) -> dict[str, Any]:
    arguments = {"file": "orders.csv", "request": request, "language": "en"}
    result = await TOOLS["summarize_data"].run(arguments, ToolContext(folder))
    assert result.data is not None, result.failure
    return dict(result.data)


def read_cells(table: Any) -> dict[tuple[str, ...], float]:
    """Figures of a table by their keys: of a pivot by row and column, else the first figure of each row."""
    keys = [one["key"] for one in table["columns"]]
    titles = [one["title"] for one in table["columns"]]
    if "c0" in keys:
        return {
            (str(row[0]), titles[at]): row[at]
            for row in table["rows"]
            for at in range(1, len(keys))
            if row[at] is not None
        }
    heads = [at for at, key in enumerate(keys) if key in ("group", "period", "k0", "k1", "k2")]
    value = next(at for at, key in enumerate(keys) if key in ("value", "f0"))
    return {tuple(str(row[at]) for at in heads): row[value] for row in table["rows"] if row[value] is not None}


def group(frame: pd.DataFrame, keys: list[Any], measure: str = "Revenue", how: str = "sum") -> Cells:
    found = frame.groupby(keys)[measure].agg(how)
    return {tuple(map(str, key if isinstance(key, tuple) else (key,))): float(value) for key, value in found.items()}


async def test_an_order_gives_the_figures_that_pandas_gives(orders: Path) -> None:
    frame = pd.read_csv(orders / "orders.csv", parse_dates=["Date"])
    month = frame["Date"].dt.strftime("%Y-%m").rename("month")
    year = frame["Date"].dt.year
    by_product = frame.groupby(["Region", "Product"])["Revenue"].sum()
    best = by_product.sort_values(ascending=False).groupby(level=0).head(2)
    wanted: dict[str, Cells] = {
        "revenue by region and by month": group(frame, [month, "Region"]),
        "分地区按月看销售额": group(frame, [month, "Region"]),
        "按地区和月份汇总销售额": group(frame, [month, "Region"]),
        "各地区销售额的走势，按季度": group(frame, [frame["Date"].dt.to_period("Q").astype(str), "Region"]),
        "revenue by region, product and year": group(frame, ["Region", "Product", year]),
        "top 2 products per region by revenue": {tuple(map(str, key)): float(one) for key, one in best.items()},  # type: ignore[call-overload]
        "median units by product": group(frame, ["Product"], "Units", "median"),
        "how many orders per product": group(frame, ["Product"], how="size"),
        "only East, revenue by month": group(frame[frame["Region"] == "East"], [month[frame["Region"] == "East"]]),
        "2024年以后各产品的销售额": group(frame[year >= 2024], ["Product"]),
        "revenue by product after 2023, excluding West": group(
            frame[(year > 2023) & (frame["Region"] != "West")], ["Product"]
        ),
        "revenue by product where units over 20": group(frame[frame["Units"] > 20], ["Product"]),
        "compare 2023 and 2024 revenue by region": group(frame[year < 2025], [year[year < 2025], "Region"]),
        "revenue by product without rows 42 and 100": group(frame.drop([40, 98]), ["Product"]),
        "不算第42行，按产品汇总销售额": group(frame.drop([40]), ["Product"]),
        "把第5、7行去掉再按产品汇总销售额": group(frame.drop([3, 5]), ["Product"]),
        "2024年各月销售额同比": group(frame[year == 2024], [month[year == 2024]]),
    }
    wrong = []
    for request, figures in wanted.items():
        tables = (await ask(orders, request))["tables"]
        found = read_cells(tables[0]) if tables else {}
        if found != pytest.approx(dict(figures), abs=0.006):
            wrong.append((request, found, figures))
    assert not wrong
    compared = (await ask(orders, "revenue year over year by month"))["tables"][0]["rows"]
    sums = frame.groupby(month)["Revenue"].sum()
    for name, _, value, before, change in compared[12:]:
        earlier = sums[f"{int(name[:4]) - 1}{name[4:]}"]
        assert (value, before) == (sums[name], earlier)
        assert change == pytest.approx(100 * (value - earlier) / earlier, abs=0.051)


async def test_what_is_not_clear_is_asked_and_no_figure_is_given(orders: Path) -> None:
    unclear = {
        "profit by region": "profit",
        "revenue by product without row 4200": "2 to 401",
        "revenue by city": "city",
        "按星期几统计销售额": "星期几",
        "last year's revenue by region": "last year",
        "只看西南，按月汇总销售额": "西南",
        "revenue by region in 2031": "2031-01-01",
        "orders over 500 by region": "over 500",
    }
    answers = {request: await ask(orders, request) for request in unclear}
    wrong = [one for one, said in unclear.items() if answers[one]["tables"] or said not in answers[one]["summary"]]
    assert not wrong, [answers[one]["summary"] for one in wrong]


async def test_letters_of_a_month_and_words_behind_a_year_are_no_dates(orders: Path) -> None:
    whole = read_cells((await ask(orders, "Revenue by region in 2024"))["tables"][0])
    for request in (
        "Revenue summary 2024 by region",
        "Revenue by region in 2024 on the web",
        "2024年后台各地区的 Revenue",
        "2024年起草的各地区 Revenue",
        "2024年前台各地区的 Revenue",
    ):
        found = await ask(orders, request)
        assert read_cells(found["tables"][0]) == whole, request
    since = read_cells((await ask(orders, "Revenue by region since 2024"))["tables"][0])
    assert read_cells((await ask(orders, "2024年后各地区的 Revenue"))["tables"][0]) == since != whole


def test_a_named_file_that_is_not_there_is_not_replaced_by_another(tmp_path: Path) -> None:
    (tmp_path / "other.csv").write_text("a,b\n1,2\n")
    for message in ("分析 nope.csv", "把nope.csv按月汇总", "Summarise nope.csv by month", "nope.csv: any outliers?"):
        assert match_file(message, tmp_path, "", "zh").name == "nope.csv", message
    for message in ("按月汇总，存成 out.csv", "clean it and save as out.csv", "转成 out.xlsx", "分析一下", "看看other"):
        assert match_file(message, tmp_path, "", "zh").name == "other.csv", message
    with pytest.raises(ToolError, match=r"nope\.csv"):
        locate_file("nope.csv", tmp_path, "zh")
