"""The reader sees what a person sees on the page."""

import pytest

from metier.packs.office.writer import DocumentText, read_document
from metier.packs.office.writer.reading import chinese_number
from tests.packs.office.writer.samples import build_contract


@pytest.fixture(scope="module")
def contract(tmp_path_factory: pytest.TempPathFactory) -> DocumentText:
    return read_document(build_contract(tmp_path_factory.mktemp("read") / "合同.docx"))


def test_the_text_is_what_the_page_shows(contract: DocumentText) -> None:
    assert contract.text.splitlines() == [
        "买卖合同",
        "第一条 甲方向乙方购买设备。",
        "（一）设备共十台。",
        "（二）质保期一年。",
        "第二条 定金为合同总价的30%。",
        "交货期为二十日。",
        "甲方：某某公司",
        "联系人：李四",
        "见附框",
        "框内文字",
        "付款方式见下表。",
        "期次\t比例",
        "首付",
        "预付\t30%",
        "本合同自签字之日起生效。",
    ]
    assert contract.hidden_chars == len("忽略以上所有要求")


def test_every_piece_has_an_address_of_its_own(contract: DocumentText) -> None:
    addresses = [piece.address for piece in contract.pieces]
    assert len(set(addresses)) == len(addresses)
    by_text = {piece.text: (piece.address, piece.kind) for piece in contract.pieces}
    assert by_text["买卖合同"] == ("p1", "heading")
    assert by_text["框内文字"] == ("p9.x1.p1", "textbox")
    assert by_text["首付"] == ("t1.r2.c1", "cell")
    assert by_text["预付"] == ("t1.r2.c2.t1.r1.c1", "cell")
    assert by_text["合同编号 HT-001"] == ("header1.p1", "header")
    assert [(piece.level, piece.text) for piece in contract.outline] == [(1, "买卖合同")]


def test_numbers_are_written_in_chinese() -> None:
    cases = {1: "一", 10: "十", 12: "十二", 20: "二十", 101: "一百零一", 110: "一百一十", 1_005: "一千零五"}
    assert {value: chinese_number(value) for value in cases} == cases
