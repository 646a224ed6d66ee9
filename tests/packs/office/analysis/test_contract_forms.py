"""Contracts as people write them: without numbers, with shares and amounts in any form, signed under another name."""

from datetime import date
from decimal import Decimal

import pytest

from metier.packs.office._pieces import TextPiece
from metier.packs.office.analysis import Proposal, Reading, propose
from metier.packs.office.analysis._amounts import find_percents, find_word_amounts

HEAD = (
    "设备采购合同",
    "甲方：宁波海曙机床有限公司",
    "乙方：青禾软件有限公司",
    "第一条 标的为机床2台，质量符合国家标准，价款400,000元，2026年5月1日前交付；违约责任和争议见下。",
)
ENGLISH = ("Supply Agreement", "This Agreement is made between Harbour Tools Ltd and Fernhill LLC.")


def read_lines(*lines: str) -> Reading:
    return Reading("c", "docx", tuple(TextPiece(f"p{number}", line) for number, line in enumerate(lines, 1)))


def review(*lines: str) -> Proposal:
    return propose("contract-review", read_lines(*lines), today=date(2026, 3, 4), language="zh")


def rules_of(*lines: str) -> list[object]:
    return [finding["rule"] for finding in review(*lines).findings]


def test_a_contract_without_numbered_clauses_is_read_whole_and_says_that_no_reference_was_checked() -> None:
    bare = review("借款合同", "甲方：钱一", "乙方：孙二", "双方自愿达成一致。")
    assert {"missing_price", "missing_performance", "missing_breach", "missing_dispute"} <= {
        finding["rule"] for finding in bare.findings
    }
    assert "missing_quality" not in str(bare.findings), "a loan has no quality"
    assert "没有找到编号条款" in bare.summary
    assert "引用的条款存在" not in bare.summary
    parts = ("签约付30%。", "到货付40%。", "质保期满付20%。")
    assert "payments_not_100" in rules_of("采购协议", "甲方：钱一", "乙方：孙二", *parts)
    assert "payments_not_100" in rules_of(*ENGLISH, "30% on signing.", "40% on delivery.", "20% on acceptance.")


@pytest.mark.parametrize(
    ("words", "yuan"),
    [
        ("壹佰贰拾叁万肆仟伍佰陆拾柒元零捌分", "1234567.08"),
        ("贰万零叁佰元零伍分", "20300.05"),
        ("玖仟圆零陆角整", "9000.6"),
        ("柒角贰分", "0.72"),
        ("伍元整", "5"),
        ("叁拾贰点伍万元", "325000"),
        ("三十二万元", "320000"),
    ],
)
def test_an_amount_in_chinese_is_read_to_its_end(words: str, yuan: str) -> None:
    (found,) = find_word_amounts(f"总价（大写）{words}，")
    assert (found.quote, found.yuan) == (words, Decimal(yuan))
    assert "amount_words_differ" not in rules_of(*HEAD, f"第二条 运费为¥{yuan}（{words}）。")
    assert "amount_words_differ" in rules_of(*HEAD, f"第二条 运费为¥{yuan}1（{words}）。") or yuan.endswith("8")


@pytest.mark.parametrize("words", ["壹佰X拾元", "二元结构", "50万元", "叁角肆分伍厘", "第五百元"])
def test_what_is_no_amount_in_words_is_compared_with_nothing(words: str) -> None:
    assert list(find_word_amounts(words)) == []


def test_shares_are_read_in_tenths_fractions_and_with_a_point() -> None:
    said = {"四成": 40, "一成半": 15, "三分之一": 33.33, "价款的1/4": 25, "百分之十二点五": 12.5, "一成不变": None}
    found = {words: next((float(one.yuan) for one in find_percents(words)), None) for words in said}
    assert found == said


@pytest.mark.parametrize(
    ("clause", "rule"),
    [
        ("争议由宁波仲裁委员会仲裁；对裁决不服的，可向法院起诉。", "arbitration_and_court"),
        ("争议提交仲裁，仲裁不成的，由甲方所在地法院管辖。", "arbitration_and_court"),
        ("订金后，分别支付三成、四成、两成、一成半。", "payments_not_100"),
        ("签约付30%到货付50%验收付15%。", "payments_not_100"),
        ("定金为总价的1/3。", "deposit_over_20"),
        ("甲方支付合同总价四成的定金。", "deposit_over_20"),
        ("违约方应按合同总价的两倍支付违约金。", "penalty_multiple"),
        ("违约金为实际损失的3倍。", "penalty_multiple"),
        ("逾期付款的，按月息5%支付违约金。", "penalty_rate_high"),
        ("逾期付款的，按月息五分支付罚息。", "penalty_rate_high"),
        ("交付日期：待填。", "blank"),
        ("安装地点：____", "blank"),
        ("联系人：【 】", "blank"),
        ("合同编号：XX", "blank"),
        ("收货人为宁波海曙数控机床有限公司。", "party_name_changes"),
        ("乙方（盖章）：青禾科技有限公司", "party_name_changes"),
    ],
)
def test_a_defect_is_found_however_it_is_worded(clause: str, rule: str) -> None:
    assert rules_of(*HEAD, f"第二条 {clause}") == [rule]


@pytest.mark.parametrize(
    "clause",
    [
        "争议提交宁波仲裁委员会仲裁；一方不履行裁决的，另一方可向法院申请强制执行。",
        "在诉讼或仲裁期间，双方继续履行；仲裁费和诉讼费由败诉方承担。",
        "争议由仲裁委员会仲裁，任何一方不得再向法院起诉。",
        "签约付30%，到货付40%，余款验收后一次付清。",
        "设备款签约付30%、到货付70%；安装费签约付50%、完工付50%。",
        "签约付三分之一，到货付三分之一，验收付三分之一。",
        "收取定金的一方违约的，应双倍返还定金，并支付违约金。",
        "逾期付款违约金按同期贷款市场报价利率的1.5倍计算。",
        "违约金为实际损失的1.2倍；逾期的，每月按欠款的1%支付违约金。",
        "交付时间待双方另行协商确定。",
        "货物由苏州恒达物流有限公司承运。",
        "甲方（盖章）：宁波海曙机床有限公司　乙方（盖章）：青禾软件有限公司",
        "甲方（盖章）：____　日期：____年__月__日",
    ],
)
def test_what_is_in_order_is_left_alone(clause: str) -> None:
    assert rules_of(*HEAD, f"第二条 {clause}") == []


def test_labour_disputes_may_go_to_court_after_arbitration() -> None:
    line = "第一条 争议先申请仲裁，对裁决不服的，可以向人民法院起诉。"
    assert "arbitration_and_court" not in rules_of("劳动合同", "甲方：宁波机床有限公司", "乙方：孙二", line)


@pytest.mark.parametrize(
    ("line", "rules"),
    [
        ("30% on signing, 50% on delivery, 15% on acceptance.", ["payments_not_100"]),
        ("Thirty percent upon order, fifty percent on shipment and ten percent at handover.", ["payments_not_100"]),
        ("30% deposit on signing, 50% on delivery, 20% on acceptance.", []),
        ("One third on signing and two-thirds on delivery.", []),
        ("30% on signing, 40% on delivery, the balance on acceptance.", []),
        ("50% of the goods are tested on delivery and 20% on acceptance.", []),
        ("Delivery by ______ 2026.", ["blank"]),
        ("Start date: TBC", ["blank"]),
        ("The price is [amount].", ["blank"]),
        ("By: ____________   Date: ______", []),
    ],
)
def test_shares_and_blanks_in_english_are_read_where_no_word_says_pay(line: str, rules: list[str]) -> None:
    assert rules_of(*ENGLISH, line) == rules
    assert rules_of(*ENGLISH, "1. Terms", line) == rules


def test_interest_of_a_private_loan_is_compared_with_every_prime_rate_and_that_of_a_bank_is_not() -> None:
    lines = ("甲方：钱一", "乙方：孙二", "一、甲方借给乙方50,000元，月利率2%，一年内归还。")
    assert "loan_rate_high" in rules_of("借款合同", *lines)
    assert "loan_rate_high" not in rules_of("银行借款合同", *lines)
    assert "loan_rate_high" not in rules_of("借款合同", *lines[:2], lines[2].replace("2%", "1%"))
