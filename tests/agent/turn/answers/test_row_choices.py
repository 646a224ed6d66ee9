"""Words that seem to choose among the rows of an approval."""

from metier.agent.turn import sounds_partial


def test_whether_or_not_is_a_question_and_no_choice_of_rows() -> None:
    assert [one for one in ("行不行", "这样行不行？", "改不改", "动不动它", "下不下发") if sounds_partial(one)] == []
    chosen = ("不改方位角", "方位角不动", "第二条不行", "先不下发功率", "除了方位角", "only the first two")
    assert [one for one in chosen if not sounds_partial(one)] == []
