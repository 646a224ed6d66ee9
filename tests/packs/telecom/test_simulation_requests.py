"""What a message says about a simulation."""

import pytest

from metier.packs.telecom._simulation_requests import asks_for_simulation, read_most_changes, read_parameter_kinds


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
        ("不要动方位角，不超过 12 处", [], 12),
        ("simulate with tilt only, at most eight changes", ["tilt"], 8),
        ("up to 400 changes of the azimuth", ["azimuth"], None),
    ],
)
def test_bounds_of_a_simulation_are_read_from_the_message(message: str, kinds: list[str], most: int | None) -> None:
    assert (read_parameter_kinds(message), read_most_changes(message)) == (kinds, most)
