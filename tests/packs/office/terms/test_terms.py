"""Words of the office are explained from the pack's documents, with the article, in the user's language."""

import re
from pathlib import Path
from typing import TYPE_CHECKING

import metier.packs.office
from metier.pack import read_terms
from metier.packs.office.terms import explain_office_word

if TYPE_CHECKING:
    from metier.language import Language


def test_a_word_is_answered_with_its_source_in_each_language() -> None:
    cases: dict[str, tuple[Language, str, str]] = {
        "定金和订金有什么区别": ("zh", "第586", "订金"),
        "版心是多少": ("zh", "156", "GB/T 9704-2012"),
        "★条款是什么意思": ("zh", "否决", "第51条"),
        "what is a deposit": ("en", "20 %", "Art. 586"),
        "meaning of liquidated damages": ("en", "30 %", "Art. 585"),
    }
    answers = {
        question: str(explain_office_word(question, language)["answer"]) for question, (language, *_) in cases.items()
    }
    missing = [
        (question, word) for question, (_, *words) in cases.items() for word in words if word not in answers[question]
    ]
    assert missing == []
    assert explain_office_word("量子纠缠是什么", "zh")["found"] is False


def test_every_section_is_complete_in_both_languages_and_names_its_source() -> None:
    wrong = [
        term.names[0]
        for term in read_terms(Path(metier.packs.office.__file__).parent / "knowledge", "·")
        if "来源：" not in term.zh or "Source:" not in term.en or not re.search(r"[\u4e00-\u9fff]", term.zh)
    ]
    assert wrong == []
