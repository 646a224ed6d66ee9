"""Whether a message only asks, begins by ordering something, or only says how data shall be shown."""

import pytest

from metier.questions import asks_only, is_request, is_view_wish

_QUESTIONS = """这份合同谁签的？|下次付款什么时候？|会议开了多久|违约金会不会太高|能不能退定金？|可以退货吗
Tom不来了吗|定金能退吗|他们定了啥
Is there a penalty?|can the deposit be refunded?|would the penalty be too high?|will Tom be there?
when is the next meeting?|do they agree?"""
_ORDERS = """帮我看看西湖的信号和路面|能不能重新整理一下|再整理一遍可以吗|把标题改成周报好吗|请问能帮我写个总结吗
画个饼图怎么样|分析海淀的弱覆盖吗
can you write it again?|could we do Haidian instead?|write the minutes again|what about making a chart?
give me the list?|好的|不对"""
_REQUESTS = """给我讲个笑话|帮我订一张去上海的机票|讲个故事|写一份请假条|翻译成法语|推荐一部电影|那就算一下我的八字
tell me a joke|book me a flight to Paris|translate this into French|can you write a poem|please remind me tomorrow"""
_DETAILS = """三列：姓名、电话|列要姓名、电话|给老板看的|给客户|去年的|一共五页|表格那个|朝阳区|要带封面
with three columns|for the board|the sales one|three columns: name, phone|add a column|2024 only|name and phone"""
_VIEWS = """按月看|画个饼图|用饼图展示|最好用折线图|按部门汇总|分地区看|只看华东|只看2024年|前10名|看趋势|从高到低排
按月看，画个折线图|逐月看
by month|as a pie chart|pie chart|per region|grouped by department|monthly|make it a line chart|only 2024|top 10
the trend over time"""
_NO_VIEWS = """给我讲个笑话|今天天气怎么样|按你说的改|以后再说|分析海淀的弱覆盖|用示例台账|每天提醒我喝水
分手了怎么办|分一下工|按计划执行
tell me a joke|by the way|only the sample|by tomorrow|review the contract|write it by hand"""


def _split(listed: str) -> list[str]:
    return listed.replace("\n", "|").split("|")


def test_a_question_is_told_from_an_order_in_the_form_of_one() -> None:
    assert [one for one in _split(_QUESTIONS) if not asks_only(one)] == []
    assert [one for one in _split(_ORDERS) if asks_only(one)] == []


def test_a_request_of_its_own_is_told_from_a_detail_of_another() -> None:
    assert [one for one in _split(_REQUESTS) if not is_request(one)] == []
    assert [one for one in _split(_DETAILS) if is_request(one) or asks_only(one)] == []


@pytest.mark.parametrize("said", _split(_VIEWS))
def test_a_wish_how_to_show_data_is_read_as_one(said: str) -> None:
    assert is_view_wish(said)


@pytest.mark.parametrize("said", _split(_NO_VIEWS))
def test_other_sentences_are_no_such_wish(said: str) -> None:
    assert not is_view_wish(said)
