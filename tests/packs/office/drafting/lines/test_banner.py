"""A banner is the whole line that the request gives, and nothing of the order around it."""

import json

import pytest

from metier.language import language_of
from metier.packs.office.drafting import draft_plan


@pytest.mark.parametrize(
    ("request_text", "line"),
    [
        ("Start the page with a banner: Blood donation day, 14 June", "Blood donation day, 14 June"),
        ("最上面加一条横幅，写：热烈欢迎上级领导莅临指导", "热烈欢迎上级领导莅临指导"),
        ("最前面来一条横幅，内容为：安全第一，预防为主", "安全第一，预防为主"),
        ("文档开头插横幅：欢迎新同学，谢谢", "欢迎新同学"),
    ],
)
def test_the_line_of_a_banner_is_written_whole(request_text: str, line: str) -> None:
    draft = draft_plan(request_text, host="wps", language=language_of(request_text))
    assert draft.plan is not None, draft.question
    assert f'"text": "{line}"' in json.dumps(draft.plan, ensure_ascii=False)


def test_a_look_behind_the_line_is_asked_about() -> None:
    draft = draft_plan("文档开头插横幅：欢迎新同学，字用蓝色", host="wps", language="zh")
    assert draft.plan is None
