"""A list of names and one with as many numbers."""

import pytest

from metier.packs.office.drafting.restate._parallel import restate_parallel


@pytest.mark.parametrize(
    ("request_text", "said"),
    [
        ("东店、西店的销量 30、40，柱状图", "销量：东店 30、西店 40，柱状图"),
        ("请录入4月、5月、6月的销量 30、40、50，做折线图", "请录入销量：4月 30、5月 40、6月 50，做折线图"),
        ("东店、西店的销量 30、40、50，柱状图", "东店、西店的销量 30、40、50，柱状图"),
        ("东店、西店的销量 30、40", "东店、西店的销量 30、40"),
    ],
)
def test_as_many_numbers_as_names_are_put_together_for_a_chart(request_text: str, said: str) -> None:
    assert restate_parallel(request_text) == said
