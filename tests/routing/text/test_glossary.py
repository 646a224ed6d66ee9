from metier.routing import Glossary
from metier.textsearch import extract_terms

TELECOM = Glossary([("PRB", "物理资源块", "physical resource block"), ("AI", "人工智能")])


def test_a_message_with_one_word_of_a_group_has_the_others_too() -> None:
    assert TELECOM.find_synonyms("物理资源块利用率低") == ("prb", "physical resource block")
    assert "prb" in TELECOM.expand("物理资源块利用率低").words


def test_latin_words_count_only_whole() -> None:
    assert TELECOM.find_synonyms("email the maintainer") == ()
    assert TELECOM.find_synonyms("AI时代") == ("人工智能",)


def test_a_word_that_is_said_already_is_not_added() -> None:
    assert TELECOM.expand("AI 人工智能") == extract_terms("AI 人工智能")


def test_synonyms_nobody_knows_do_not_make_the_message_longer() -> None:
    known = {"prb"}.__contains__
    assert set(TELECOM.expand("物理资源块", known).words) == {*extract_terms("物理资源块").words, "prb"}


def test_a_word_of_two_groups_belongs_to_both() -> None:
    assert Glossary([("a1", "b1"), ("a1", "c1")]).find_synonyms("a1") == ("b1", "c1")


def test_empty_words_and_groups_are_no_words() -> None:
    glossary = Glossary([("", " ", "x1"), ()])
    assert glossary.find_synonyms("x1 y") == ()
    assert Glossary().expand("你好") == extract_terms("你好")


def test_synonyms_come_with_the_word_they_stand_for_and_a_word_within_another_is_its_part() -> None:
    glossary = Glossary([("越区覆盖", "overshoot"), ("覆盖", "coverage"), ("PRB", "物理资源块")])
    found = glossary.extract_synonyms("越区覆盖和PRB", {"overshoot", "coverage"}.__contains__)
    assert [(one.said, one.others) for one in found] == [(extract_terms("越区覆盖"), [extract_terms("overshoot")])]
