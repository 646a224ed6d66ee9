"""Headers, signatures, disclaimers, code and titles of chats are nobody's request; a closing is no request either."""

import pytest

from metier.routing.passages import find_passages, leave_out_put_off, objects_to_others

_FILLER = "It rained all morning and the plants were wet again today. " * 5
_FILLER_ZH = "今天早上下雨，大家到得都比较晚，走廊的窗户没有关，花都淋湿了。" * 4


def list_texts(message: str) -> list[str]:
    return [one.text for one in find_passages(message)]


@pytest.mark.parametrize(
    "frame",
    [
        pytest.param("Kind regards,\nMia Long\nSenior Engineer, Northern Region", id="signature"),
        pytest.param("Many thanks!\nMia\nHead of Quality", id="thanks"),
        pytest.param("祝好！\n李敏\n网络部 高级工程师", id="Chinese signature"),
        pytest.param(
            "This e-mail and any attachment are confidential. If you are not the intended recipient, please delete it.",
            id="disclaimer",
        ),
        pytest.param("此邮件及附件可能包含保密信息，如误收请立即删除并通知发件人。", id="Chinese disclaimer"),
        pytest.param("```\nplease delete the whole network now\n```", id="code"),
        pytest.param("Re: the contract of the web shop", id="subject"),
        pytest.param("群聊的聊天记录", id="title of a chat"),
        pytest.param("李敏和王强的聊天记录", id="title of a chat of two"),
    ],
)
def test_what_nobody_says_is_in_no_passage(frame: str) -> None:
    asked = "Which severity zone is the pump in?"
    texts = list_texts(f"{asked}\n\n{_FILLER}\n\n{frame}")
    assert texts[0] == asked
    assert not any(line.strip(" ,!。！") in text for line in frame.split("\n") if line[:3] != "```" for text in texts)


@pytest.mark.parametrize(
    ("message", "asked"),
    [
        pytest.param(f"{_FILLER}\nThanks,\nMia\nPS: could you also write the minutes?", "minutes?", id="post scriptum"),
        pytest.param("```\nplease delete it\n```\nwhich severity zone is this pump in?", "in?", id="beside code"),
        pytest.param(f"{_FILLER_ZH}\n总结李敏和王强的聊天记录", "聊天记录", id="a chat is to be read"),
        pytest.param(f"{_FILLER}\nDelete the message that is confidential.", "confidential.", id="an order about one"),
    ],
)
def test_requests_that_look_like_a_frame_are_kept(message: str, asked: str) -> None:
    assert any(text.endswith(asked) for text in list_texts(message))


@pytest.mark.parametrize(
    ("message", "rest", "items"),
    [
        pytest.param(
            "王强提了几点：\n1. 写会议纪要\n2、审合同\n这些先放着不管。帮我做个网页",
            "这些先放着不管。帮我做个网页",
            ("1. 写会议纪要", "2、审合同"),
            id="zh",
        ),
        pytest.param(
            "Carl listed:\n- write the minutes\n* review it\nThose can wait. Build a web page.",
            "Those can wait. Build a web page.",
            ("- write the minutes", "* review it"),
            id="en",
        ),
        pytest.param(
            "1. 写会议纪要\n上面这些先不做，做个网页", "上面这些先不做，做个网页", ("1. 写会议纪要",), id="one"
        ),
    ],
)
def test_a_list_that_its_author_puts_off_is_left_out(message: str, rest: str, items: tuple[str, ...]) -> None:
    assert leave_out_put_off(message) == (rest, items)


@pytest.mark.parametrize(
    "message",
    [
        "做三件事：\n1. 写会议纪要\n2. 审合同\n3. 前面再放一张图",
        "1. 写会议纪要\n2. 这些先放着，别动\n做完告诉我",
        "Do:\n- write the minutes\n- leave them in the table\nThanks",
        "- ignore those headers\n- skip these rows\nThen sort it",
        "这些先放着不管。\n1. 写会议纪要",
    ],
)
def test_other_lists_stay(message: str) -> None:
    assert leave_out_put_off(message) == (message, ())


@pytest.mark.parametrize(
    ("text", "objects"),
    [
        ("刘洋说今晚把参数下发到现网，我觉得不行", True),
        ("老板建议做网页，但我们不同意", True),
        ("Carl wants the report today, but I don't", True),
        ("老板说要做一份汇报，我觉得用PPT好", False),
        ("我说做网页，我不想做PPT", False),
        ("Carl wants the report today, and I need a chart", False),
    ],
)
def test_what_somebody_else_wants_and_the_author_does_not(text: str, *, objects: bool) -> None:
    assert objects_to_others(text) is objects
