"""Which skill the pack names for a message that no skill was found for."""

from pathlib import Path

import pytest

from metier.packs.telecom import fallback_claim


@pytest.mark.parametrize(
    ("message", "skill"),
    [
        ("Simulate Chaoyang, but the power must not change", "simulation_plan"),
        ("仿真朝阳的弱覆盖，功率不要动", "simulation_plan"),
        ("仿真一下，只调下倾角", "simulation_plan"),
        ("朝阳那边信号咋样", "network_optimization"),
        ("功率不要动", ""),
        ("仿真会影响功率吗", ""),
    ],
)
def test_a_limited_simulation_and_a_place_with_trouble_are_known(message: str, skill: str) -> None:
    assert fallback_claim(message, Path()) == skill
