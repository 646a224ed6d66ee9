"""What a message says about a simulation."""

import pytest

from metier.packs.telecom._simulation_requests import (
    asks_for_simulation,
    limits_simulation,
    read_most_changes,
    read_parameter_kinds,
)


@pytest.mark.parametrize(
    "message",
    [
        "浦东4G干扰很高，找出原因并做优化仿真",
        "西湖区网络问题分析和仿真对比",
        "分析朝阳，不用问我，直接仿真",
        "Interference on 4G in Pudong is high: find the cause and simulate a fix",
        "analyse Xihu and run a simulation without asking me",
    ],
)
def test_a_simulation_that_is_asked_for_is_not_asked_about(message: str) -> None:
    assert asks_for_simulation(message)


@pytest.mark.parametrize(
    "message",
    [
        "帮我分析一下朝阳区的弱覆盖问题",
        "天河5G高负荷怎么优化",
        "先分析，先不仿真",
        "要不要仿真？",
        "必要时仿真",
        "仿真会影响现网吗",
        "上次仿真的结果",
        "Analyse Chaoyang but don't simulate",
        "Ask me before simulating",
        "Should we simulate?",
        "If it is bad, simulate",
    ],
)
def test_a_simulation_that_is_not_wanted_for_certain_is_asked_about(message: str) -> None:
    assert not asks_for_simulation(message)


@pytest.mark.parametrize(
    ("message", "kinds", "most"),
    [
        ("自定义仿真", [], None),
        ("只调下倾角和功率，最多五处", ["tilt", "power"], 5),
        ("不要动方位角，不超过 12 处", ["tilt", "power", "offset", "neighbour"], 12),
        ("功率不能动", ["tilt", "azimuth", "offset", "neighbour"], None),
        ("只调下倾角，不要动功率", ["tilt"], None),
        ("optimize by tilt only, do not touch power", ["tilt"], None),
        ("调下倾角不超过 5 处", ["tilt"], 5),
        ("仿真优化，成功率优先", [], None),
        ("simulate with tilt only, at most eight changes", ["tilt"], 8),
        ("up to 400 changes of the azimuth", ["azimuth"], None),
    ],
)
def test_bounds_of_a_simulation_are_read_from_the_message(message: str, kinds: list[str], most: int | None) -> None:
    assert (read_parameter_kinds(message), read_most_changes(message)) == (kinds, most)


@pytest.mark.parametrize(
    ("message", "limits"),
    [
        ("仿真优化海淀5G弱覆盖，功率不能动", True),
        ("仿真优化海淀，只调下倾角", True),
        ("仿真优化海淀，最多改25处", True),
        ("simulate a fix for Pudong without touching the power", True),
        ("浦东4G干扰很高，找出原因并做优化仿真", False),
        ("仿真优化海淀，成功率优先，不用问我", False),
        ("漏配邻区很多，分析海淀并仿真", False),
    ],
)
def test_bounds_that_the_simulation_of_an_analysis_cannot_keep_are_noticed(message: str, limits: bool) -> None:
    assert limits_simulation(message) is limits
