"""Words and numbers of official documents and of rules in English."""

import pytest

from metier.packs.office._pieces import TextPiece
from metier.packs.office.analysis._numbering import find_numbering_faults
from metier.packs.office.analysis._policy_texts import find_text_faults


def lines_of(*lines: str) -> list[TextPiece]:
    return [TextPiece(f"p{at}", line) for at, line in enumerate(lines, 1)]


def rules_of(*lines: str) -> list[str]:
    return [finding.rule for finding in find_text_faults(lines_of(*lines))]


def issues_of(*lines: str) -> list[tuple[str, str]]:
    return [(one.rule, one.values["expected"]) for one in find_numbering_faults(lines_of(*lines))]


@pytest.mark.parametrize("wrong", ["青政办发【2026】7号", "青政办发[2026]7号", "青政办发〔2026〕第07号"])
def test_the_number_of_a_document_is_written_as_the_norm_says(wrong: str) -> None:
    (found,) = find_text_faults(lines_of(wrong))
    assert (found.rule, found.replacement) == ("doc_number", "青政办发〔2026〕7号")


def test_a_right_number_and_the_number_of_a_court_stay() -> None:
    assert rules_of("青政办发〔2026〕7号", "见（2026）浙01民初15号判决。") == []


def test_a_date_below_a_document_has_arabic_figures_without_zeros() -> None:
    found = list(find_text_faults(lines_of("二〇二六年十一月三日", "2026年03月05日", "2026年3月5日")))
    assert [one.replacement for one in found] == ["2026年11月3日", "2026年3月5日"]


def test_closing_words_belong_to_the_kind_of_the_document() -> None:
    assert rules_of("关于开展防汛检查的通知", "各镇：", "妥否，请批示。") == ["closing_form"]
    assert rules_of("关于增加防汛经费的请示", "县政府：", "妥否，请批示。") == []
    assert rules_of("Visitor Policy", "Rules apply.", "Kind regards,") == ["closing_form"]
    assert rules_of("Letter to members", "Thank you.", "Kind regards,") == []


def test_two_sentences_on_when_rules_take_effect_are_told() -> None:
    first, second = "（一）本规定自2026年5月1日起施行。", "（二）本规定自印发之日起生效。"
    assert rules_of("门禁规定", first, second) == ["effective_twice"]
    assert rules_of("门禁规定", first) == []


def test_references_to_what_the_document_lacks_are_told() -> None:
    assert rules_of("门禁规定", "一、总则", "违反的，按本规定第九条处理。") == ["dead_reference"]
    assert rules_of("门禁规定", "第一条 进门刷卡。", "第二条 依第一条办理，并适用《治安管理处罚法》第九条。") == []
    assert rules_of("Rules", "1. Scope", "1.1 All staff.", "1.2 See section 4.2.") == ["dead_reference"]


def test_a_review_before_the_rules_take_effect_is_told() -> None:
    assert rules_of("Dress code policy, effective 1 June 2026", "Next review: 1 June 2025.") == ["date_order"]
    assert rules_of("Dress code policy, effective 1 June 2026", "Next review: 1 June 2027.") == []


def test_numbers_with_points_and_lists_in_letters_are_followed() -> None:
    head = ("1. Scope", "1.1 Staff", "1.2 Guests")
    assert issues_of(*head, "2. Keys", "2.1 One each", "2.2 No copies") == []
    assert issues_of(*head, "1.2 Shops", "3. Keys") == [("duplicate", "1.3"), ("jump", "2.")]
    assert issues_of(*head, "(a) one", "(b] two", "(c) three", "1.3 End", "(a) four") == []
    assert issues_of(*head, "(a) one", "(i) deep", "(ii) deeper", "1.3 End", "(i) alone") == [
        ("missing_parent_level", "(a)")
    ]
    assert issues_of(*(f"({letter}) x" for letter in "abcdefghij")) == []


def test_a_list_of_annexes_goes_on_in_the_next_line_and_english_lines_need_no_chinese_level() -> None:
    assert issues_of("附件：1.登记表", "2.流程图") == []
    assert issues_of("一、English summary", "1. Ask first.", "2. Wait.") == []


def test_brackets_of_two_shapes_are_told() -> None:
    assert rules_of("1. Scope", "(b] two") == ["bracket_pair"]
