import pytest

from metier.language import Language
from metier.packs.office.drafting import draft_plan
from metier.packs.office.plan import HostApp

_QUOTE = "Quote: Consulting 5 units at 400, Travel 2 units at 150. Include a total"


@pytest.mark.parametrize(
    ("host", "language", "message"),
    [
        ("wps", "en", f"{_QUOTE}, then three bullets below."),
        ("wps", "en", f"{_QUOTE}, under the heading there should be two tables."),
        (
            "wpp",
            "en",
            'add agnda slide, Add a KPI slide showing "98.6%" with the label "On-time delivery".',
        ),
        ("wps", "zh", "插入两张登记表：列为姓名、电话，空3行"),
    ],
)
def test_a_plan_with_fewer_things_than_the_message_counts_is_asked_about(
    host: HostApp, language: Language, message: str
) -> None:
    draft = draft_plan(message, host=host, language=language)
    assert draft.plan is None or str(draft.plan).count("'insert_table'") == 2
    assert draft.plan is not None or draft.question


def test_a_quantity_stands_apart_from_an_english_unit() -> None:
    assert "'5 units'" in str(draft_plan(f"{_QUOTE}.", host="wps", language="en").plan)
    zh = draft_plan("插入报价表：服务器 2台 单价 30000，交换机 5台 单价 1200，加合计", host="wps", language="zh")
    assert "'2台'" in str(zh.plan)
