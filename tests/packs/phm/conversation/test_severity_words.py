"""Unit and machine class of a severity are read from words literally, or asked for; never guessed."""

from itertools import product

import pytest

from metier.packs.phm.conversation._severity_words import SaidValue, normalise_unit, read_class, read_unit
from metier.packs.phm.signals._severity import MACHINE_CLASSES

ASKED = SaidValue(None, True)
NOT_NAMED = SaidValue(None, False)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("3号电机的振动烈度，II类", "II"),
        ("按三类机器评价", "III"),
        ("rate fan 2 by ISO 20816, class IV.", "IV"),
        ("class 1 machine", "I"),
        ("2组柔性支承", "group2-flexible"),
        ("group 1 rigid", "group1-rigid"),
        ("评定2号风机的振动烈度，1组刚性，单位 m/s2", "group1-rigid"),
        ("1号泵的振动烈度，属于2组柔性支承", "group2-flexible"),
        ("rate pump 2, group 1 rigid", "group1-rigid"),
        ("1号泵的振动烈度，不是II类，是III类，单位g", "III"),
        ("not rigid but flexible, group 2", "group2-flexible"),
    ],
)
def test_a_machine_class_is_read_where_words_give_one_without_a_doubt(words: str, expected: str) -> None:
    assert read_class(words) == SaidValue(expected, is_named=True)


@pytest.mark.parametrize(
    "words",
    [
        "group 1 of ISO 20816-3",
        "12组刚性",
        "评定1号泵的振动烈度，我不知道是哪一类机器，单位g",
        "这一类机器的烈度",
        "I don't know which class I should take",
        "class II, no, class III",
        "II类还是III类",
        "评定1号机组的振动烈度，刚性基础",
        "rate pump 1, class is unknown, group of machines on rigid base",
        "group 2, rigid or flexible",
    ],
)
def test_a_class_that_is_doubted_denied_or_half_said_is_asked_for(words: str) -> None:
    assert read_class(words) == ASKED


@pytest.mark.parametrize(
    "words", ["按ISO 20816评价1号泵的振动烈度", "rate the vibration severity of pump 2", "1号机组"]
)
def test_numbers_of_machines_name_no_class(words: str) -> None:
    assert read_class(words) == NOT_NAMED


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("单位是m/s²", "m/s2"),
        ("unit: mm/s", "mm/s"),
        ("单位g", "g"),
        ("units are µm", "um"),
        ("单位是毫米每秒", "mm/s"),
        ("单位：ｍｍ／ｓ", "mm/s"),
        ("单位是m/s的平方", "m/s2"),
        ("单位 m/s ²", "m/s2"),
        ("单位不是g，是mm/s", "mm/s"),
    ],
)
def test_a_unit_is_read_where_words_give_one_without_a_doubt(words: str, expected: str) -> None:
    assert read_unit(words) == SaidValue(expected, is_named=True)


@pytest.mark.parametrize(
    "words",
    [
        "unit is in/s",
        "单位是ips",
        "unit mils",
        "单位mV",
        "unit gE",
        "unit m/s⁻²",
        "unit is g, sorry, mm/s",
        "单位g还是mm/s我不清楚",
    ],
)
def test_a_unit_that_is_unknown_or_doubted_is_asked_for_and_never_dropped(words: str) -> None:
    assert read_unit(words) == ASKED


def test_no_unit_is_read_from_other_words() -> None:
    assert read_unit("评价泵的烈度，g") == NOT_NAMED
    assert [normalise_unit(one) for one in ("m/s²", "MM/S", "µm", "?")] == ["m/s2", "mm/s", "um", "?"]


def test_whatever_machine_and_form_of_words_the_class_is_the_one_that_is_said() -> None:
    machines = ("1号泵", "2号风机", "4号机组", "第3台电机", "pump 2", "unit 1", "fan 12")
    said = {
        "I": ("I类", "class I", "属于1类"),
        "II": ("II 类", "class 2", "按二类"),
        "III": ("3类", "class: III"),
        "IV": ("IV类", "Class IV"),
        "group1-rigid": ("1组刚性", "group 1, rigid"),
        "group2-flexible": ("第2组，柔性", "flexible, group 2"),
    }
    assert set(said) <= set(MACHINE_CLASSES)
    for machine, (name, forms) in product(machines, said.items()):
        for form in forms:
            for text in (f"评定{machine}的振动烈度，{form}", f"{form}, rate {machine} by ISO 20816"):
                assert read_class(text).value in (name, None), text
                assert read_class(f"不知道是不是{form}，{machine}").value is None, form
