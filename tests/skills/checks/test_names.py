"""Names of the world's scripts are fine; names that pass for others, or for devices, are not."""

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metier.skills.checks import (
    file_name_problem,
    fold,
    has_homoglyphs,
    id_problem,
    normalize_name,
    standard_name_problem,
)

_names = st.text(max_size=8) | st.text(alphabet=st.sampled_from("ßſİıK Å\u0345ΣσςﬁǰΐﬃẞͅὙ\u0308\u0301ａＡ①"), max_size=6)


@pytest.mark.parametrize(
    "name",
    [
        *("résumé-写作", "обзор-сети", "курс", "рост", "网络优化", "ネットワーク", "네트워크", "ελληνικά", "सारांश"),
        *("café", "sınıf", "łódź", "straße", "naïve_2", "rf-обзор", "β-test", "تحليل", "abc-分析-2"),
    ],
)
def test_a_name_in_a_script_of_its_own_is_fine(name: str) -> None:
    assert not has_homoglyphs(name)
    assert id_problem(normalize_name(name)) == ""


@pytest.mark.parametrize("name", ["аdmin", "раура", "раураl", "admin-а", "sеarch", "ɑdmin", "ɡit", "αdmin", "gооgle"])
def test_a_name_that_passes_for_another_is_found(name: str) -> None:
    assert has_homoglyphs(name)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("", "empty"),
        ("..", "dot"),
        (".hidden", "dot"),
        ("a/b", "'/'"),
        ("a\\b", "holds"),
        ("a b", "' '"),
        ("a:b", "':'"),
        ("$(x)", "'$'"),
        ("con", "reserved"),
        ("COM1", "reserved"),
        ("nul.txt", "reserved"),
        ("a.", "ends with"),
        ("a\u200bb", "invisible"),
        ("a\ud800", "invisible"),
        ("n" * 256, "longer"),
        ("字" * 86, "longer"),
    ],
)
def test_a_name_that_cannot_be_an_id_says_why(name: str, says: str) -> None:
    assert says in id_problem(name)


@pytest.mark.parametrize("name", ["a", "a_b", "A-b", "a.b", "网络优化", "-a", "a--b", "n" * 255])
def test_a_name_may_break_the_standard_and_still_be_an_id(name: str) -> None:
    assert id_problem(name) == ""


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("a" * 65, "65 characters"),
        ("Abc", "upper-case"),
        ("-a", "hyphen"),
        ("a-", "hyphen"),
        ("a--b", "two hyphens"),
        ("a_b", "'_'"),
        ("a b", "' '"),
        ("a" * 64, ""),
        ("网络-优化-5g", ""),
    ],
)
def test_the_standards_rule_for_names(name: str, says: str) -> None:
    assert (says in standard_name_problem(name)) if says else standard_name_problem(name) == ""


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("SYSTEM.md:evil", "':'"),
        ("a\nb", "holds"),
        ("notes.", "ends with"),
        ("notes ", "ends with"),
        ("AUX.md", "reserved"),
        ("ｃｏｎ.txt", "reserved"),
        ("x" * 300, "longer"),
        ("a\udcff", "UTF-8"),
        ("a\u202eb", "invisible"),
        ("résumé 写作.md", ""),
        ("console.md", ""),
    ],
)
def test_a_file_name_must_exist_everywhere(name: str, says: str) -> None:
    assert (says in file_name_problem(name)) if says else file_name_problem(name) == ""


@pytest.mark.parametrize(
    ("one", "other"),
    [("Admin", "admin"), ("Ａｄｍｉｎ", "admin"), ("ﬁle", "FILE"), ("straße", "STRASSE"), ("é", "e\u0301"), ("Σ", "ς")],
)
def test_names_that_a_person_would_confuse_fold_to_one(one: str, other: str) -> None:
    assert fold(one) == fold(other)


@settings(deadline=None)
@given(_names)
def test_folding_twice_is_folding_once(name: str) -> None:
    assert fold(fold(name)) == fold(name)


@settings(deadline=None)
@given(_names)
def test_case_and_form_do_not_matter_once_folded(name: str) -> None:
    assert fold(unicodedata.normalize("NFD", name)) == fold(unicodedata.normalize("NFC", name)) == fold(name)


@settings(deadline=None)
@given(_names)
def test_a_normal_name_is_normal(name: str) -> None:
    assert normalize_name(normalize_name(name)) == normalize_name(name)
    assert unicodedata.is_normalized("NFKC", normalize_name(name))


@settings(deadline=None)
@given(st.text())
def test_any_text_can_be_asked_about(name: str) -> None:
    for question in (id_problem, standard_name_problem, file_name_problem):
        assert isinstance(question(name), str)
    has_homoglyphs(name)
