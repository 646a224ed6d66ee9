"""Who wanted something and on what occasion is background; how it is to be is not, whoever wants it."""

import pytest

from metier.packs.office.drafting import draft_plan
from metier.packs.office.drafting.talk._background import is_background


@pytest.mark.parametrize(
    "clause",
    [
        "领导要求每个方案后面都附",
        "项目办催着交",
        "招标文件第三章要求逐条应答",
        "开完会要分任务",
        "新店开业要排进度",
        "We need somewhere to track risks",
        "监理要求把风险列一列",
        "需要逐条回复",
        "照片还在拍",
        "给学生排论文进度",
    ],
)
def test_who_wants_it_and_why_is_background(clause: str) -> None:
    assert is_background(clause)


@pytest.mark.parametrize(
    "clause",
    [
        "We need it in English",
        "Our boss wants landscape",
        "I like large print",
        "公司规定表头用公司模板",
        "会议要求统一用英文",
        "需要逐条编号",
        "给学生排三列",
        "标题还在最上面",
        "表头要居中",
        "领导要三份",
        "老人也要看得懂",
        "看着要像大公司出的",
        "客户要求只列名称",
        "领导要求按金额排序",
        "会议纪要整理成待办的形式",
    ],
)
def test_how_it_is_to_be_is_a_demand(clause: str) -> None:
    assert not is_background(clause)


def test_the_thing_that_only_the_background_names_is_made() -> None:
    said = "领导要求每个方案后面都附风险清单。请在全文末尾加一个，表头写风险、等级、责任人，留三行。"
    draft = draft_plan(said, host="wps", language="zh")
    assert draft.plan is not None, draft.question
    assert draft.left_out
