"""Names that contain 和, 及, 请 or `and`: written whole wherever they stand in a list."""

import json

import pytest

from metier.language import Language
from metier.packs.office.drafting import draft_plan

_ZH = (
    *("和解金额", "和平奖项", "普及率", "及格线", "涉及部门", "与会人数", "参与度", "饱和度", "总和", "共和国名"),
    *("有声书", "先导片", "请假天数", "请客次数", "申请人", "邀请函", "别名", "从业年限", "只读标记"),
)
_EN = (
    *("To/From", "Is active", "Read only", "As is", "In stock", "Pass/Fail"),
    *("Terms and conditions", "Research and development", "Profit and loss"),
)


@pytest.mark.parametrize("name", _ZH)
@pytest.mark.parametrize("joined", ["、", "和"])
def test_a_chinese_name_is_whole_at_every_place_of_a_list(name: str, joined: str) -> None:
    for at in range(3):
        columns = ["日期", "金额"]
        columns.insert(at, name)
        said = f"{'、'.join(columns[:-1])}{joined}{columns[-1]}"
        assert _find_header(f"做个表，列是{said}，4行", "zh") == columns


@pytest.mark.parametrize("name", _EN)
def test_an_english_name_is_whole_at_every_place_of_a_list(name: str) -> None:
    for at in range(3):
        columns = ["Date", "Amount"]
        columns.insert(at, name)
        assert _find_header(f"Make a table with the columns {', '.join(columns)} and 3 rows", "en") == columns


def test_a_comma_inside_of_a_number_separates_no_items() -> None:
    plan = draft_plan("Make a table: columns Item, Amount; row Travel 12,000", host="wps", language="en").plan
    assert '[["Item", "Amount"], ["Travel", "12,000"]]' in json.dumps(plan)


def _find_header(request: str, language: Language) -> object:
    plan = draft_plan(request, host="wps", language=language).plan
    found = json.dumps(plan, ensure_ascii=False).partition('"data": [')[2]
    return json.loads(found.partition("]")[0] + "]") if found else None
