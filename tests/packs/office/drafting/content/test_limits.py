"""A limit or a measure beside a number is never written as a row, a bar or a group."""

from typing import TYPE_CHECKING

import pytest

from metier.packs.office.drafting import draft_plan
from metier.packs.office.drafting.content._limits import is_limit, read_measure

if TYPE_CHECKING:
    from metier.language import Language
    from metier.packs.office.plan import HostApp

_TABLE = "插入一个表格，列名为姓名、分数"
_ROWS = "做一个表格，列是商品、数量，苹果10、梨20"
_CHART = "插入柱状图，数据为一季度120、二季度150、三季度170、四季度160"
_GROUPS = "按部门汇总报销金额：市场部 500、技术部 800、市场部 300"
_EN_TABLE = "Make a table with columns Name, Score"


@pytest.mark.parametrize(
    ("host", "order", "beside"),
    [
        *[
            ("wps", _TABLE, beside)
            for beside in ("低于60的标红", "少于10的标红", "满分100", "平均35岁", "满10年的排前面")
        ],
        *[("wps", _TABLE, beside) for beside in ("超过5天的标黄", "不到60的标红", "合计100", "及格线60", "人均20")],
        *[("wps", _ROWS, beside) for beside in ("最多50", "不足15的补货", "上限100", "平均15")],
        *[("wps", _CHART, beside) for beside in ("平均150", "目标140", "低于150的标红")],
        *[("et", _GROUPS, beside) for beside in ("人均100", "少于300的不算", "限额2000")],
        *[("wps", _EN_TABLE, beside) for beside in ("pass mark 60", "average 35", "at most 100", "more than 5")],
    ],
)
def test_a_limit_or_a_measure_beside_an_order_is_no_record(host: "HostApp", order: str, beside: str) -> None:
    language: Language = "en" if order.isascii() else "zh"
    assert draft_plan(order, host=host, language=language).plan is not None
    request = f"{order}{', ' if language == 'en' else '，'}{beside}"
    assert draft_plan(request, host=host, language=language).plan is None


@pytest.mark.parametrize(
    ("request_", "written"),
    [
        ("做一个表格，列是指标、气温：最高35、最低20、平均27", "['平均', '27']"),
        ("插入柱状图：目标100、完成90", "['目标', '100']"),
        ("做一个表格，列是商品、数量：圆满10、高手20", "['圆满', '10']"),
    ],
)
def test_measures_that_are_what_is_listed_are_written(request_: str, written: str) -> None:
    drafted = draft_plan(request_, host="wps", language="zh")
    assert written in str(drafted.plan), drafted.question


def test_words_that_compare_are_told_from_names() -> None:
    assert all(is_limit(one) for one in ("低于", "概率高于", "不足", "满", "anything below", "at most", "less than"))
    assert not any(is_limit(one) for one in ("圆满", "超市", "多媒体", "Overheads", "Underwood", "最低"))
    assert [read_measure(one) for one in ("满分", "合计", "目标", "张三")] == ["measure", "sum", "goal", None]
