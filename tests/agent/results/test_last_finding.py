"""The first line of the last result, told where a message about it was not understood."""

from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

from metier.agent.results import find_finding, find_first_line

if TYPE_CHECKING:
    from metier.store import Event

_REPORT = "## 1号泵\n\n**内圈损伤**，状态：有故障。\n\n- 转速：给定 1771.8 rpm。"


def _events(*told: tuple[str, dict[str, str]]) -> "list[Event]":
    return [cast("Event", SimpleNamespace(kind=kind, data=data)) for kind, data in told]


def test_a_question_a_heading_and_a_note_on_how_a_message_was_read_are_no_finding() -> None:
    notes = (
        "先按「会议纪要」来做。",
        "I take it for “Data analysis”. If you mean something else, say so: “Web pages”.",
        "I put this question aside: “Which contract?” Say “back to the question” to take it up again.",
        "问题「你指的是哪一项？」已关闭。",
        "要审查哪份合同？",
        "## 北京市朝阳区4G/5G弱覆盖",
    )
    assert [find_first_line([one]) for one in notes] == [""] * len(notes)
    assert find_first_line([*notes, "**内圈损伤**，状态：有故障。"]) == "内圈损伤，状态：有故障。"


def test_a_finding_is_told_only_to_a_message_about_it_in_its_language() -> None:
    report = _events(("text.done", {"text": _REPORT}))
    finding = "内圈损伤，状态：有故障。"
    cases = {
        "损伤有多深": finding,
        "这个呢": finding,
        "今天天气怎么样": "",
        "唱首歌": "",
        "how deep is it": "",
    }
    assert {message: find_finding(report, message) for message in cases} == cases


def test_what_a_stopped_turn_or_a_question_says_is_no_finding() -> None:
    stopped = _events(("step.done", {"state": "failed"}), ("text.done", {"text": "诊断轴承：已停止。没有数据。"}))
    asked = "继续「诊断轴承」还需要：数据。"
    waits = _events(("text.done", {"text": asked}), ("pause.opened", {"text": asked}))
    assert [find_finding(one, "这个诊断呢") for one in (stopped, waits)] == ["", ""]
