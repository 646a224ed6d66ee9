"""A suggestion that leads to another thing, or says again what stands there, is a dead end of the crawler."""

from types import SimpleNamespace
from typing import Any, cast

from metier.testing.journeys import Action, StepRecord, Visit
from metier.testing.journeys._dead_ends import find_strayed


def record(text: str, **facts: str) -> StepRecord:
    saved = [SimpleNamespace(kind="fact.saved", data={"name": name, "value": value}) for name, value in facts.items()]
    said = SimpleNamespace(kind="text.done", data={"text": text})
    return StepRecord(Action(say="x"), cast("Any", (*saved, said)))


def stray(first: StepRecord, second: StepRecord, chip: str) -> list[str]:
    visit = Visit(cast("Any", None), records=[first])
    before = visit.facts
    visit.records.append(second)
    return [one.kind for one in find_strayed(visit, second, before, chip)]


def test_a_chip_about_another_topic_is_a_dead_end() -> None:
    first = record("电动汽车的报告", topic="新能源汽车市场趋势")
    assert stray(first, record("储能的报告", topic="储能行业的成本、风险和今后几年的前景"), "调研储能行业") == [
        "other_topic"
    ]
    assert stray(first, record("销量的报告", topic="2025年新能源汽车销量"), "新能源汽车销量") == []


def test_a_chip_may_change_a_value_that_it_names() -> None:
    first = record("内圈损伤", asset="pump", bearing="6205")
    assert stray(first, record("可疑", bearing="6203"), "轴承换成6203再诊断一次") == []
    assert stray(first, record("外圈损伤", asset="conveyor"), "诊断5号输送机") == ["other_topic"]


def test_a_chip_that_says_the_same_again_is_a_dead_end() -> None:
    first = record("4 个测试中有 1 个失败（2.4 秒）")
    assert stray(first, record("4 个测试中有 1 个失败（2.9 秒）"), "帮我跑一下测试") == ["said_before"]
    assert stray(first, record("7 个文件"), "看看这个项目") == []
