"""What other people say in a message is never started unasked; what its author says beside it is."""

import pytest

from metier.routing import Router
from tests.routing.support import DESK

_ROUTER = Router()
_OWN_ZH, _OWN_EN = "帮我整理会议纪要", "please simulate the antennas of the network"
_OTHERS_ZH, _OTHERS_EN = "帮我做一个PPT汇报", "please make a PPT of this"
_FRAMES = {
    "short quoted mail": "{own}\n\n> {others}",
    "mail below a header": "{own}\n\n发件人: 王强\n发送时间: 2026年11月3日 09:12\n\n{others}",
    "forwarded mail": "{own}\n\n---------- Forwarded message ---------\nFrom: Carl\nDate: today\n\n{others}",
    "copied chat": "王强 09:12\n{others}\n李敏 09:13\n收到\n王强 09:15\n好的\n我 09:20\n{own}",
    "chat in brackets": "{own}\n[09:12] carl: {others}\n[09:13] priya: fine\n[09:15] carl: thanks",
}


@pytest.mark.parametrize("frame", _FRAMES.values(), ids=_FRAMES)
@pytest.mark.parametrize("is_chinese", [True, False], ids=["zh", "en"])
def test_the_author_decides_however_short_the_message_is(frame: str, *, is_chinese: bool) -> None:
    own, others = (_OWN_ZH, _OTHERS_ZH) if is_chinese else (_OWN_EN, _OTHERS_EN)
    alone = _ROUTER.route(own, catalog=DESK)
    found = _ROUTER.route(frame.format(own=own, others=others), catalog=DESK)
    assert (found.skill, found.verdict) == (alone.skill, alone.verdict)
    (place,) = (note for note in found.why if note.code == "passage")
    assert own in place.text()


@pytest.mark.parametrize(
    "message",
    [
        pytest.param("> {others}\n> 谢谢你", id="quoted alone"),
        pytest.param("发件人: 王强\n收件人: 李敏\n\n{others}", id="mail alone"),
        pytest.param("老周: {others}\n小陈: 我先吃饭去\n老周: {others}", id="chat alone"),
        pytest.param("转给你看看，没什么要做的。\n\n> {others}", id="told only"),
        pytest.param("FYI, nothing to do.\n\nFrom: Carl\nDate: today\n\n{others}", id="for information"),
    ],
)
@pytest.mark.parametrize("others", [_OTHERS_ZH, _OTHERS_EN], ids=["zh", "en"])
def test_what_others_ask_is_never_taken_and_the_explanation_says_so(message: str, others: str) -> None:
    assert _ROUTER.route(others, catalog=DESK).verdict == "auto"
    found = _ROUTER.route(message.format(others=others), catalog=DESK)
    assert found.verdict != "auto"
    assert {"passage", "words_of_others"} & {note.code for note in found.why}


@pytest.mark.parametrize(
    "message",
    ["王强说帮我做一个PPT汇报，我觉得不行", "Carl said please make a PPT of this, but I don't want it"],
)
def test_what_its_author_objects_to_is_not_taken(message: str) -> None:
    assert _ROUTER.route(message, catalog=DESK).verdict != "auto"


def test_a_list_that_is_put_off_is_named_and_the_rest_is_done() -> None:
    found = _ROUTER.route(f"王强提了几点：\n1. {_OTHERS_ZH}\n2. 订会议室\n这些先放着不管。{_OWN_ZH}", catalog=DESK)
    alone = _ROUTER.route(_OWN_ZH, catalog=DESK)
    assert (found.skills, found.verdict) == (alone.skills, alone.verdict)
    assert any(note.code == "refuses" and _OTHERS_ZH in note.text() for note in found.why)
