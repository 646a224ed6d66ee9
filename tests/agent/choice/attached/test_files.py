"""A document that is named and not here, and new words for one that is, are told apart from what a skill does."""

import pytest

from metier.agent.choice.attached._files import names_missing_file, read_file_words, read_new_wording

KNOWN = ("contract.docx", "采购合同.docx")


@pytest.mark.parametrize(
    ("message", "is_missing"),
    [
        ("summarise offer.docx", True),
        ("审查租赁合同.docx", True),
        ("compare contract.docx with offer.docx", True),
        ("做成PPT，用方案.docx", True),
        ("summarise contract.docx", False),
        ("审查采购合同.docx", False),
        ("save contract.docx as offer.docx", False),
        ("把采购合同.docx另存为新合同.docx", False),
        ("导出为报告.docx", False),
        ("turn it into slides.pptx", False),
        ("write a report to summary.docx", False),
        ("用示例合同.docx试试", False),
        ("fetch https://example.com/a.pdf", False),
        ("what is a docx file?", False),
    ],
)
def test_a_document_to_be_read_that_is_not_here_is_noticed(message: str, is_missing: bool) -> None:
    assert names_missing_file(message, KNOWN) is is_missing


@pytest.mark.parametrize(
    ("message", "work"),
    [
        ("translate contract.docx into Chinese", "translation"),
        ("翻译成英文", "translation"),
        ("把这份合同译成日文", "translation"),
        ("can you put this into german?", "translation"),
        ("rewrite it more politely", "rewriting"),
        ("make this notice sound friendlier", "rewriting"),
        ("润色一下", "rewriting"),
        ("写得更正式一些", "rewriting"),
        ("把第二条改写成：甲方付款", None),
        ("change “kind” to “polite”", None),
        ("what does “translate” mean?", None),
        ("who translated the contract?", None),
        ("润色标点", None),
        ("总结一下", None),
        ("make the title bold", None),
    ],
)
def test_new_words_of_ones_own_are_told_from_words_that_are_given(message: str, work: str | None) -> None:
    assert read_new_wording(message) == work


@pytest.mark.parametrize(
    ("message", "wanted"),
    [
        ("删除合同", "delete"),
        ("把合同.docx删掉", "delete"),
        ("请帮我把这个文件删了吧", "delete"),
        ("删掉附件", "delete"),
        ("delete contract (1).docx", "delete"),
        ("can you remove the attached file?", "delete"),
        ("塔罗.docx", "name"),
        ("“撤销写入.docx”。", "name"),
        ("不.docx", "name"),
        ("塔罗", ""),
        ("删除合同里的第三条", ""),
        ("delete the third clause of 合同.docx", ""),
        ("删除空行", ""),
        ("remove the file name column", ""),
        ("审查合同.docx", ""),
    ],
)
def test_a_file_is_never_deleted_and_its_bare_name_is_no_order(message: str, wanted: str) -> None:
    names = ("合同.docx", "塔罗.docx", "撤销写入.docx", "不.docx", "contract 1.docx")
    assert read_file_words(message, names) == wanted
