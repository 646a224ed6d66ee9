"""A review for one party: the rules are the same for both, and the table says which party a clause burdens."""

from typing import Any

import pytest

from metier.language import Language
from metier.packs.office.analysis._model import Proposal
from metier.packs.office.analysis.contracts import propose_review
from metier.packs.office.analysis.contracts._sides import read_side
from tests.packs.office.analysis.test_contract_forms import HEAD, read_lines

LINES = (
    *HEAD,
    "第二条 甲方逾期付款的，每日按未付金额的千分之五支付违约金。",
    "第三条 乙方逾期交货的，应按合同总价的50%支付违约金。",
)


def _review(message: str, language: Language = "zh") -> Proposal:
    return propose_review(read_lines(*LINES), message=message, language=language)


@pytest.mark.parametrize(
    ("message", "side"),
    [
        ("审查合同，站在乙方角度审一下", "乙方"),
        ("从甲方的立场看", "甲方"),
        ("我们是供应商，审一下合同", "供应商"),
        ("按承租方的利益审查", "承租方"),
        ("review the contract from the supplier's side", "supplier"),
        ("we are party B, review this contract", "party B"),
        ("审查合同", ""),
        ("看看甲方的付款期限", ""),
    ],
)
def test_the_party_of_a_request_is_read(message: str, side: str) -> None:
    assert read_side(message) == side


def test_the_clauses_that_burden_the_party_come_first_and_nothing_is_judged_for_it() -> None:
    plain, asked = _review("审查合同"), _review("站在乙方角度审一下")
    assert "没有替乙方判断利弊" in asked.summary
    assert asked.actions == plain.actions
    table: Any = asked.tables[0]
    before: Any = plain.tables[0]
    assert table["columns"][1] == "负有义务的一方"
    named = [row[1] for row in table["rows"]]
    assert "乙方" in named
    assert "甲方" in named
    assert named == sorted(named, key=lambda one: one != "乙方")
    assert len(before["columns"]) + 1 == len(table["columns"])


def test_a_party_that_the_contract_does_not_have_is_told_with_those_it_has() -> None:
    told = _review("我们是承租方，审一下").summary
    assert "合同里没有「承租方」" in told
    assert "甲方" in told
