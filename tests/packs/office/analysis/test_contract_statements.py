"""What a review states about a contract is right: another company, a running share, a rate that is not daily."""

import pytest

from tests.packs.office.analysis.test_contract_forms import HEAD, review, rules_of

LOAN = (
    "借款合同",
    "出借人（甲方）：钱一",
    "借款人（乙方）：孙二",
    "第一条 甲方借给乙方100,000元，用于经营，2026年12月31日前归还；违约责任、争议见下。",
)


def writes_of(line: str) -> list[object]:
    return [action["replace_text"] for action in review(*HEAD, line).actions if action["op"] != "add_comment"]


@pytest.mark.parametrize(
    "line",
    [
        "第二条 甲方可向其子公司宁波海曙机床销售有限公司转让。",
        "第二条 甲方的关联企业宁波海曙机床厂有限公司负责安装。",
        "第二条 宁波海曙机床厂有限公司（甲方的母公司）承担连带责任。",
        "乙方的母公司（盖章）：青禾科技有限公司",
        "甲方子公司：宁波海曙数控有限公司",
        "第二条 设备由宁波海曙机床物流有限公司运输。",
        "第二条 原合同定金为25%，现改为15%。",
        "第二条 定金比例由5%提高到25%。",
        "第二条 定金25%已于前一合同支付。",
    ],
)
def test_another_company_or_a_former_share_is_not_replaced(line: str) -> None:
    assert writes_of(line) == []


def test_the_holder_of_an_account_is_told_and_not_written_over() -> None:
    line = "第二条 开户银行：工商银行，户名：宁波海曙机床厂有限公司。"
    assert rules_of(*HEAD, line) == ["party_name_changes"]
    assert writes_of(line) == []


def test_a_name_of_the_party_with_a_slip_is_still_replaced() -> None:
    assert writes_of("第二条 甲方宁波海曙机床厂有限公司验收。") == ["宁波海曙机床有限公司"]
    assert writes_of("第二条 定金为合同总价的25%。") == ["20%"]


@pytest.mark.parametrize(
    "line",
    [
        "第二条 逾期付款每日按万分之五支付违约金，逾期30日以上按合同总价20%支付违约金。",
        "第二条 其余70%验收后付清，逾期每日万分之五的滞纳金。",
        "第二条 总价壹佰万元（其中定金20万元）。",
        "第二条 单价贰佰元/台，2台，合计肆佰元整（¥400）。",
        "第二条 单价¥200元，数量2台，总价人民币肆佰元整。",
        "第二条 租金每月伍仟元整，年租金60,000元。",
        "第二条 预付30%，到货付至80%，验收付至100%。",
        "第二条 预付款30%；发货前付至合同价的60%；验收后付至95%；质保金5%。",
        "第二条 争议由甲方所在地人民法院管辖，不适用仲裁。",
        "第二条 争议提交仲裁；因申请撤销仲裁裁决的，由中级人民法院管辖。",
        "第二条 A型设备XX-200两台。",
        "第二条 尺寸 20××30××10 mm",
    ],
)
def test_a_right_clause_has_no_finding(line: str) -> None:
    assert rules_of(*HEAD, line) == []


def test_a_rate_belongs_to_the_day_that_it_stands_with() -> None:
    assert rules_of(*LOAN, "第二条 利息按年利率15.4%计算，逾期按日万分之五计收违约金。") == []
    found = review(*HEAD, "第二条 预付30%，其余70%验收后付清，逾期每日1%的滞纳金。").findings
    assert [str(one["message"]).partition("，")[0] for one in found] == ["每日违约金为1%"]
    for line in ("每迟延一天，按总价款百分之一向甲方支付违约金", "逾期的，按总价的1%/日支付违约金"):
        assert rules_of(*HEAD, f"第二条 {line}。") == ["penalty_daily_high"]
    assert rules_of(*HEAD, "第二条 每日按万分之五支付违约金，逾期30日以上按合同总价40%支付违约金。") == [
        "penalty_over_30"
    ]


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("第二条 总价¥120,000元（大写：人民币壹拾叁万元整）。", "amount_words_differ"),
        ("第二条 总价400,000元（含税，大写肆拾伍万元整）。", "amount_words_differ"),
        ("第二条 总价人民币壹佰万元整，定金30万元。", "deposit_over_20"),
        ("第二条 争议可向仲裁委员会申请仲裁，也可向甲方所在地法院起诉。", "arbitration_and_court"),
        ("第二条 于20XX年交付，型号：XX。", "blank"),
        ("第二条 签约付30%，到货付80%。", "payments_not_100"),
    ],
)
def test_what_is_wrong_is_still_found(line: str, rule: str) -> None:
    assert rule in rules_of(*HEAD, line)
