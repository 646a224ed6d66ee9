"""Definitions, names and days of a contract that contradict each other."""

import pytest

from metier.packs.office._pieces import TextPiece
from metier.packs.office.analysis.contracts import find_risks, read_contract

HEAD = (
    "委托加工协议",
    "甲方：青云食品有限公司",
    "乙方：白塔包装有限公司",
    "一、加工内容为罐头，数量10箱，质量合格，价款10万元，交货期限一年，违约应赔偿，争议由法院管辖。",
)
ENGLISH = ("SUPPLY AGREEMENT", 'Made between Harrow Tools Limited (the "Seller") and Quill & Co Ltd (the "Buyer").')


def rules_of(*lines: str) -> list[str]:
    pieces = [TextPiece(f"p{at}", line) for at, line in enumerate(lines, 1)]
    return [finding.rule for finding in find_risks(read_contract(pieces))]


def test_a_term_that_is_defined_twice_is_told() -> None:
    first, second = "二、“产品”是指罐头。", "三、“产品”指全部包装物。"
    assert rules_of(*HEAD, first, second) == ["definition_twice"]
    assert rules_of(*HEAD, first, "三、产品以样品为准，由甲方指定人员验收。") == []
    means = ('1. "Goods" means hand tools.', '2. "Goods" means the tools in Annex 1 only.')
    assert rules_of(*ENGLISH, *means) == ["definition_twice"]


def test_a_term_that_is_said_to_be_defined_and_is_not_is_told() -> None:
    assert rules_of(*HEAD, "二、“验收样”（定义见第一条）由乙方保存。") == ["definition_missing"]
    assert rules_of(*HEAD, "二、“验收样”指封存的罐头。", "三、“验收样”（定义见第二条）由乙方保存。") == []
    claimed = "1. The Spare Parts (as defined in this Agreement) are free."
    assert rules_of(*ENGLISH, claimed) == ["definition_missing"]
    assert rules_of(*ENGLISH, claimed, '2. Wheels and belts (the "Spare Parts") are stored.') == []


def test_a_term_before_the_signing_is_told_where_the_signing_makes_it_valid() -> None:
    term, valid, day = (
        "二、合同期限自2026年3月1日至2027年2月28日。",
        "三、本协议自双方签字之日起生效。",
        "签订日期：2026年4月9日",
    )
    assert rules_of(*HEAD, term, valid, day) == ["term_before_signing"]
    assert rules_of(*HEAD, term, day) == []
    assert rules_of(*HEAD, term, valid, "签订日期：2026年2月9日") == []


@pytest.mark.parametrize(("words", "rules"), [("共两年", ["term_differs"]), ("共一年", []), ("为期12个月", [])])
def test_the_length_of_a_term_is_that_of_its_days(words: str, rules: list[str]) -> None:
    assert rules_of(*HEAD, f"二、合同期限自2026年3月1日至2027年2月28日，{words}。") == rules


def test_a_name_that_is_almost_a_party_is_told_in_english() -> None:
    assert rules_of(*ENGLISH, "1. Harrow Tool Limited delivers.") == ["party_name_changes"]
    assert rules_of(*ENGLISH, "1. Harrow Tools LLC delivers.") == ["party_name_changes"]
    assert rules_of(*ENGLISH, "1. Harrow Tools Ltd and its affiliate Harrow Tooling Limited deliver.") == []


def test_days_and_shares_in_english_are_read_over_brackets_and_lines() -> None:
    span = 'from May 1, 2027 (the "Start") until April 30, 2026 (the "End")'
    assert rules_of(*ENGLISH, f"1. The term runs {span}.") == ["term_reversed"]
    parts = ("(a) 40% upon signing;", "(b) 40% upon delivery.")
    assert rules_of(*ENGLISH, "1. Grant", "1.1 The grant is disbursed as follows:", *parts) == ["payments_not_100"]


def test_a_whole_contract_in_english_without_a_term_or_a_forum_is_told() -> None:
    clauses = (
        "1. Goods are sold.",
        "2. Prices are fixed.",
        "3. Risk passes.",
        "4. Notices are written.",
        "5. Copies count.",
    )
    assert rules_of(*ENGLISH, *clauses) == ["missing_term", "missing_dispute"]
    assert rules_of(*ENGLISH, *clauses[:3]) == []


def test_fields_behind_the_signatures_are_no_blanks() -> None:
    assert rules_of(*HEAD, "甲方（盖章）：", "地址：________  邮编：______", "税号：________") == []
    assert rules_of(*HEAD, "二、乙方应于____年__月__日前交货。", "甲方（盖章）：") == ["blank"]
