"""The first line of the last result, told where a message was not understood."""

from metier.agent.loop._plan import _find_first_line


def test_a_question_and_a_note_on_how_a_message_was_read_are_no_finding() -> None:
    notes = (
        "先按「会议纪要」来做。",
        "I take it for “Data analysis”. If you mean something else, say so: “Web pages”.",
        "I put this question aside: “Which contract?” Say “back to the question” to take it up again.",
        "问题「你指的是哪一项？」已关闭。",
        "要审查哪份合同？",
    )
    assert [_find_first_line([one]) for one in notes] == [""] * len(notes)
    assert _find_first_line([*notes, "**内圈损伤**，状态：有故障。"]) == "内圈损伤，状态：有故障。"
