"""Headers, signatures, disclaimers, code and titles of chats are nobody's request; a closing is no request either."""

import pytest

from metier.routing.passages import find_passages

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
        pytest.param(f"{_FILLER_ZH}\n总结李敏和王强的聊天记录", "聊天记录", id="a chat is to be read"),
        pytest.param(f"{_FILLER}\nDelete the message that is confidential.", "confidential.", id="an order about one"),
    ],
)
def test_requests_that_look_like_a_frame_are_kept(message: str, asked: str) -> None:
    assert any(text.endswith(asked) for text in list_texts(message))


@pytest.mark.parametrize(
    ("message", "own"),
    [
        pytest.param("王强提了几点：\n1. 写会议纪要\n2. 审合同\n这些先放着不管。帮我做个网页", "网页", id="zh"),
        pytest.param(
            "Carl listed:\n- write the minutes\n- review the contract\nLeave those for now. Build a web page.",
            "page.",
            id="en",
        ),
    ],
)
def test_items_of_a_list_that_is_put_off_ask_for_nothing(message: str, own: str) -> None:
    found = find_passages(message)
    assert found[0].text.endswith(own)
    assert not any(one.asks and ("纪要" in one.text or "minutes" in one.text) for one in found)


def test_a_list_that_is_not_put_off_is_what_its_author_says() -> None:
    assert not any(one.is_pasted for one in find_passages(f"做三件事：\n1. 写会议纪要\n2. 审合同\n{_FILLER_ZH}"))
