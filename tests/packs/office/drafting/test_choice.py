"""Which of two drafts of one message is taken, told from what the plans do."""

from metier.json_values import JsonObject
from metier.packs.office.drafting import Draft
from metier.packs.office.drafting._choice import fills_new_slide, is_new, may_be_pieces, prefer_content, says_more


def _plan(*steps: JsonObject) -> JsonObject:
    return {"actions": list(steps)}


def _block(*steps: JsonObject) -> JsonObject:
    return {"op": "upsert_block", "title": "表格", "actions": list(steps)}


_TEXT: JsonObject = {"op": "insert_text", "text": "# 周报"}
_TABLE: JsonObject = {"op": "insert_table", "data": [["姓名", "电话"]]}
_SLIDE: JsonObject = {"op": "add_slide", "title": "目标"}


def test_a_plan_is_new_where_it_adds_a_block_or_a_slide() -> None:
    assert is_new(_plan(_block(_TABLE)))
    assert is_new(_plan(_SLIDE))
    assert not is_new(_plan({"op": "delete_row"}))


def test_an_order_for_a_slide_fills_it_and_a_bare_slide_does_not() -> None:
    assert fills_new_slide(_plan(_SLIDE, {"op": "add_textbox"}))
    assert not fills_new_slide(_plan(_SLIDE))


def test_a_message_is_read_for_pieces_unless_it_was_understood_as_an_order() -> None:
    assert may_be_pieces(Draft(None))
    assert may_be_pieces(Draft(_plan(_block(_TABLE))))
    assert may_be_pieces(Draft(_plan(_TEXT, _TEXT)))
    assert not may_be_pieces(Draft(_plan({"op": "delete_row"})))
    assert not may_be_pieces(Draft(_plan(_SLIDE, {"op": "add_textbox"})))


def test_new_content_is_preferred_only_where_it_does_all_that_the_order_does() -> None:
    order, content = Draft(_plan(_SLIDE)), Draft(_plan(_block(_SLIDE, _TEXT)))
    assert prefer_content(order, content) is content
    assert prefer_content(Draft(_plan(_SLIDE, {"op": "add_table"})), content).plan == _plan(_SLIDE, {"op": "add_table"})
    assert prefer_content(order, Draft(None)) is order


def test_pieces_say_more_by_a_text_or_by_a_kind_of_step() -> None:
    draft = Draft(_plan(_block(_TEXT)))
    assert says_more(Draft(_plan(_block(_TEXT, _TABLE))), draft)
    assert says_more(Draft(_plan(_block({"op": "insert_text", "text": "# 月报"}))), draft)
    assert not says_more(Draft(_plan(_block(_TEXT))), draft)
    assert not says_more(Draft(None), draft)
