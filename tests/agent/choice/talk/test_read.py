"""Complaints and questions about the program are read as such only if they are the whole message."""

import pytest

from metier.agent.choice.talk import is_about_talk
from metier.agent.choice.talk._read import Talk, opens_with_complaint, read_talk

SAID: dict[Talk, str] = {
    "wrong": "这不对|你说的不对|这个结果不对吧|好像不行|还是不行啊|这不是我要的|答非所问|你没有回答我的问题|结论错了"
    "|算错了|好，这不对|行，你说的不对|ok, that's wrong"
    "|感觉不太对"
    "|that's wrong|you are wrong|this is not what I asked for|it doesn't work|that isn't right"
    "|you didn't answer my question",
    "asked_already": "你刚才已经问过了|你已经问过我了|我已经说过了|怎么又问|我刚才说过了|我已经说过可以了"
    "|I already said yes|I've just said no"
    "|you already asked that|I already told you"
    "|I've already said that|stop asking me|why do you keep asking",
    "same_again": "你只会说这些吗|你怎么老是这句话|is that all you can say?|you keep saying the same thing",
    "person": "你是真人吗|你是不是机器人|你是人还是机器|are you a real person?"
    "|hello, are you a bot?|am I talking to a human?",
    "safety": "我的数据安全吗|我的出生信息会被保存吗|数据会不会泄露|我的资料存在哪里|谁能看到我的文件"
    "|你们会上传我的数据吗"
    "|is my data safe?|is my data sent anywhere?|who can see my files?|do you store my messages?"
    "|where is my data stored?",
    "cost": "多少钱|这个收费吗|免费吗|how much does it cost?|is it free?",
    "duration": "要花多长时间？|大概要多久|how long will it take?",
}
OTHER = (
    "不对|不行|不用了|不对，我说的是朝阳|数据安全法是什么|分析数据|这个合同有没有问题|诊断1号泵|这台泵多少钱买的|还能用多久"
    "|that's wrong, it is a 6203 bearing|is pump 1 safe?|how long will the bearing last?"
    "|is it free of faults?|delete my data"
    "|保存这份报告|仿真要多久|how long does the simulation take?|数字不对的行有哪些|谁能看懂这张图"
)


@pytest.mark.parametrize(("kind", "message"), [(kind, one) for kind, said in SAID.items() for one in said.split("|")])
def test_what_is_said_about_the_talk_is_read(kind: Talk, message: str) -> None:
    assert read_talk(message) == kind


@pytest.mark.parametrize("message", OTHER.split("|"))
def test_an_answer_a_correction_or_a_request_is_not_about_the_talk(message: str) -> None:
    assert read_talk(message) is None


@pytest.mark.parametrize(
    "message", ["这不对", "you already asked", "我的数据安全吗", "谢谢", "ok thanks", "good, thanks, bye"]
)
def test_what_is_about_the_talk_answers_no_open_question(message: str) -> None:
    assert is_about_talk(message)


@pytest.mark.parametrize("message", ["不对", "好的", "5分钟", "early in the morning", "ok", "不用，谢谢"])
def test_an_answer_is_one_though_it_is_short_or_polite(message: str) -> None:
    assert not is_about_talk(message)


def test_a_complaint_may_stand_before_what_should_be_instead() -> None:
    assert opens_with_complaint("that's wrong, 100037 is not overloaded")
    assert opens_with_complaint("这不对，应该是三个")
    assert not opens_with_complaint("这不对")
    assert not opens_with_complaint("不用了，谢谢")
