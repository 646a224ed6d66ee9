from metier.packs.office._request_text import RequestText

_SAID = "把“甲方”改为“乙方”，标题加粗"


def test_what_one_rule_uses_up_is_there_for_the_next_one() -> None:
    first = RequestText(_SAID)
    assert first.take("加粗")
    assert first.take_any_quote() == "甲方"
    second = RequestText(_SAID)
    assert second.has("加粗")
    assert [one.text for one in second.left_quotes()] == ["甲方", "乙方"]
    assert [one.text for one in first.left_quotes()] == ["乙方"]
