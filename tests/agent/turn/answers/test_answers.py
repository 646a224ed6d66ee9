"""Answers in words: what is clear is taken, what is not is no answer."""

from datetime import UTC, datetime

import pytest

from metier.agent.turn import answer_in_words, describe_answer, read_words, validate_answer
from metier.errors import InvalidInput
from metier.json_values import JsonObject, JsonValue
from metier.store import Pause

YES_NO: JsonValue = [{"text": "要做", "value": True}, {"text": "先不做", "value": False}]
SKILLS: JsonValue = [{"text": "周报", "value": "weekly"}, {"text": "都不是", "value": ""}]


def pause(purpose: str, schema: JsonObject, **payload: JsonValue) -> Pause:
    now = datetime(2026, 1, 1, tzinfo=UTC)
    told = {"purpose": purpose, **payload}
    return Pause("p", "c", "t", "k", "question", schema, told, now, None, None, None, None)


def form(**fields: JsonValue) -> Pause:
    schema: JsonObject = {"type": ["object", "null"], "properties": fields, "required": list(fields)}
    return pause("fill", schema)


BOOLEAN = pause("ask", {"enum": [True, False]}, choices=YES_NO)
ANY_TEXT = pause("ask", {"type": "string", "minLength": 1})
APPROVAL = pause("approve", {"type": "object", "required": ["decision"]})
OUTLINE = pause("ask", {"type": "string", "pattern": "[\\n:]"}, choices=[{"text": "示例", "value": "sample:a"}])
CALL = pause("approve", {"type": "object", "required": ["decision"]}, calls=[{"id": "c", "title": "下发参数"}])
CALL_EN = pause(
    "approve", {"type": "object", "required": ["decision"]}, calls=[{"id": "c", "title": "Apply parameters"}]
)
CLASSES: JsonObject = {
    "enum": ["II", "III"],
    "x-ui": {"labels": {"II": {"zh": "II 类：中型机器", "en": "class II: medium"}, "III": {"zh": "III 类：大型机器"}}},
}
MACHINE = form(
    rpm={"type": "number", "exclusiveMinimum": 0, "x-ui": {"title": {"zh": "转速（rpm）", "en": "Speed (rpm)"}}},
    bearing={"type": "string", "minLength": 2, "x-ui": {"title": {"zh": "轴承型号", "en": "Bearing"}}},
)
CHOOSE = pause("choose", {"enum": ["weekly", ""]}, choices=SKILLS)


@pytest.mark.parametrize(
    ("asked", "words", "value"),
    [
        (BOOLEAN, "要做", True),
        (BOOLEAN, "好的。", True),
        (BOOLEAN, "需要", True),
        (BOOLEAN, "Yes please", True),
        (BOOLEAN, "不用了", False),
        (BOOLEAN, "2", False),
        (ANY_TEXT, "给老板看", "给老板看"),
        (OUTLINE, "示例", "sample:a"),
        (OUTLINE, "背景\n计划", "背景\n计划"),
        (APPROVAL, "同意", {"decision": "approve"}),
        *(
            (CALL, words, {"decision": "approve"})
            for words in ("同意下发", "可以，下发参数吧", "下发吧", "没问题，就这么办")
        ),
        *((CALL_EN, words, {"decision": "approve"}) for words in ("yes, apply the parameters", "ok apply them")),
        (APPROVAL, "no", {"decision": "reject"}),
        (APPROVAL, "不用再问了，取消", {"decision": "reject"}),
        (CHOOSE, "周报", "weekly"),
        (CHOOSE, "weekly", "weekly"),
        (CHOOSE, "2", ""),
        (form(region={"type": "string"}), "海淀区", {"region": "海淀区"}),
        (form(number={"type": "integer"}), "4711", {"number": 4711}),
        (form(cells={"type": "array", "items": {"type": "string"}}), "A1、A2", {"cells": ["A1", "A2"]}),
        (form(region={"type": "string"}), "算了", None),
        (form(machine=CLASSES), "II类", {"machine": "II"}),
        (form(machine=CLASSES), "class II", {"machine": "II"}),
        (form(machine=CLASSES), "大型机器", {"machine": "III"}),
    ],
)
def test_words_that_answer(asked: Pause, words: str, value: JsonValue) -> None:
    assert answer_in_words(asked, words) == (True, value)


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        (OUTLINE, "先做别的"),
        (BOOLEAN, "RSRP 是什么"),
        *((BOOLEAN, words) for words in ("不好说", "说不准", "不太确定", "我不知道", "还没想好", "不一定", "拿不准")),
        (BOOLEAN, "3"),
        (APPROVAL, "先告诉我会发生什么"),
        *((CALL, words) for words in ("下发参数", "可以下发一半参数", "下发到西湖吧", "同意下发吗", "好像可以下发")),
        *((CALL_EN, words) for words in ("apply the parameters of Xihu", "yes, apply only the tilt", "apply")),
        (CHOOSE, "天气怎么样"),
        (form(a={"type": "string"}, b={"type": "string"}), "海淀"),
        (form(number={"type": "integer"}), "四千"),
    ],
)
def test_words_that_do_not(asked: Pause, words: str) -> None:
    assert answer_in_words(asked, words) == (False, None)


def test_an_answer_may_be_words_as_in_a_message_but_only_a_plain_yes_approves() -> None:
    assert read_words(APPROVAL, "好的，批准") == {"decision": "approve"}
    assert read_words(APPROVAL, "不用了") == {"decision": "reject"}
    assert read_words(form(number={"type": "integer"}), "4") == {"number": 4}
    for unclear in ("批准前三行", "也许", "approve the first three"):
        with pytest.raises(InvalidInput):
            validate_answer(APPROVAL, read_words(APPROVAL, unclear))


@pytest.mark.parametrize("asked", [BOOLEAN, APPROVAL, CALL, CALL_EN])
@pytest.mark.parametrize("dots", ["...", "。。", "，，", "……", ". . .", "、、", "--", " ..!"])
@pytest.mark.parametrize("yes", ["嗯", "ok", "好的", "同意", "要做", "同意下发", "yes, apply the parameters"])
def test_a_yes_that_trails_off_answers_nothing(asked: Pause, dots: str, yes: str) -> None:
    assert answer_in_words(asked, yes + dots) == (False, None)


@pytest.mark.parametrize(("asked", "value"), [(BOOLEAN, False), (APPROVAL, {"decision": "reject"})])
def test_a_no_that_trails_off_is_a_no(asked: Pause, value: JsonValue) -> None:
    assert answer_in_words(asked, "不要...") == (True, value)


def titled(title: str) -> Pause:
    return pause("approve", {"type": "object", "required": ["decision"]}, calls=[{"id": "c", "title": title}])


@pytest.mark.parametrize(
    ("title", "words"),
    [
        ("Cancel order", "cancel it"),
        ("Stop the pump", "ok stop"),
        ("Reject the offer", "reject it"),
        ("取消订单", "取消吧"),
        ("停止水泵", "停止吧"),
        ("下发参数", "下发...吧"),
        ("下发参数", "嗯...下发吧"),
        ("下发参数", "参数吧"),
        ("下发参数", "发参数吧"),
        ("Apply parameters", "apply... them"),
        ("Apply parameters", "parameters it"),
    ],
)
def test_no_word_that_may_be_a_refusal_or_names_no_deed_approves(title: str, words: str) -> None:
    assert answer_in_words(titled(title), words) == (False, None)


def test_a_call_that_cancels_is_approved_by_a_plain_yes_and_refused_by_a_plain_no() -> None:
    for title, yes, no in (("Cancel order", "yes, cancel it", "no"), ("取消订单", "同意取消订单", "不同意")):
        assert answer_in_words(titled(title), yes) == (True, {"decision": "approve"})
        assert answer_in_words(titled(title), no) == (True, {"decision": "reject"})


@pytest.mark.parametrize(
    "words",
    ["Yes, that's right, write the changes", "go ahead and write it", "👍", "yes, write them"],
)
def test_a_yes_that_says_what_is_done_to_the_changes_approves(words: str) -> None:
    assert answer_in_words(titled("Write the document"), words) == (True, {"decision": "approve"})


@pytest.mark.parametrize(
    "words", ["yes, write the changes tomorrow", "what changes", "changes", "write only one change"]
)
def test_words_about_changes_that_are_no_yes_approve_nothing(words: str) -> None:
    assert answer_in_words(titled("Write the document"), words) == (False, None)


@pytest.mark.parametrize("words", ["嗯…", "ok...", "well, hmm...", "那个，，"])
def test_mere_hesitation_fills_no_field(words: str) -> None:
    assert answer_in_words(form(topic={"type": "string"}), words) == (False, None)
    assert answer_in_words(OUTLINE, words) == (False, None)


@pytest.mark.parametrize("words", ["1...", "1…", "周报…"])
def test_a_choice_that_is_named_is_chosen_whatever_dots_follow(words: str) -> None:
    assert answer_in_words(CHOOSE, words) == (True, "weekly")


@pytest.mark.parametrize(("words", "value"), [("那2号呢", "fan"), ("and pump 1?", "pump"), ("换成2号风机看看", "fan")])
def test_a_short_follow_up_chooses_what_is_offered(words: str, value: str) -> None:
    machines = pause(
        "ask",
        {"enum": ["pump", "fan"]},
        choices=[{"text": "1号泵 (pump 1)", "value": "pump"}, {"text": "2号风机 (fan 2)", "value": "fan"}],
    )
    assert answer_in_words(machines, words) == (True, value)


def test_words_without_end_are_no_answer_and_cost_nothing() -> None:
    for words in ("no, " * 300_000, "9" * 5000, "了" * 100_000):
        assert read_words(APPROVAL, words) == words
        with pytest.raises(InvalidInput):
            validate_answer(BOOLEAN, words)


@pytest.mark.parametrize("value", [True, "要做", "先不做"])
def test_a_value_and_the_words_of_a_choice_fit(value: JsonValue) -> None:
    assert validate_answer(BOOLEAN, value) in (True, False)


@pytest.mark.parametrize("value", [None, 1, "maybe", {}, [True]])
def test_what_does_not_fit_is_refused_with_the_choices(value: JsonValue) -> None:
    with pytest.raises(InvalidInput) as caught:
        validate_answer(BOOLEAN, value)
    assert caught.value.hint == "one of: 要做, 先不做"


@pytest.mark.parametrize(
    ("asked", "value", "words"),
    [(BOOLEAN, True, "要做"), (ANY_TEXT, "x", "x"), (form(a={}), {"a": 1}, "a: 1")],
)
def test_an_answer_is_remembered_in_words(asked: Pause, value: JsonValue, words: str) -> None:
    assert describe_answer(asked, value) == words


def test_a_form_is_filled_by_a_text_that_names_its_fields() -> None:
    for words in (
        "1770 rpm, bearing 6205",
        "转速1770转，轴承6205",
        "Speed: 1770 and bearing: 6205",
        "轴承型号是6205；1770rpm",
    ):
        assert answer_in_words(MACHINE, words) == (True, {"rpm": 1770, "bearing": "6205"}), words
    assert answer_in_words(MACHINE, "bearing 6205-2RS, 1770 rpm") == (True, {"rpm": 1770, "bearing": "6205-2RS"})
    for words in (
        "1770 rpm",
        "bearing 6205, page 5",
        "diagnose bearing 6205 at 1770 rpm",
        "1770 rpm, 1800 rpm",
        "1770, 6205",
    ):
        assert answer_in_words(MACHINE, words) == (False, None), words


@pytest.mark.parametrize(
    "words",
    [
        *("bearing is not 6205, 1770 rpm", "bearing anything but 6205, 1770 rpm", "bearing 6205?, 1770 rpm"),
        *("bearing 6205-ish, 1770 rpm", "bearing 62xx, 1770 rpm", "is bearing 6205, 1770 rpm", "轴承6205以上，1770转"),
        *("轴承不是6205，1770转", "轴承6205大一点，1770转", "轴承6205吗，1770转", "轴承除了6205，1770转"),
        *(
            "bearing 6205 or 6206, 1770 rpm",
            "bearing 6205/6206, 1770 rpm",
            "轴承6205-6206，1770转",
            "轴承6205或6206，1770转",
        ),
        *("bearing 6205, about 1770 rpm", "bearing 6205, speed about 1770", "bearing 6205, speed under 2000"),
        *("转速不是1770，轴承6205", "转速别超过1770，轴承6205", "转速1770左右，轴承6205", "转速大约1770，轴承6205"),
        *("轴承6205 kg，转速1770转", "bearing 6205 mm, 1770 rpm"),  # a unit apart from a code is not of it
        *("转速1770多，轴承6205", "转速1700-1800，轴承6205", "speed 30 Hz, bearing 6205", "转速30赫兹，轴承6205"),
    ],
)
def test_a_denial_a_bound_a_question_or_another_unit_fills_no_field(words: str) -> None:
    assert answer_in_words(MACHINE, words) == (False, None)


@pytest.mark.parametrize(
    ("words", "bearing"),
    [
        ("bearing 6205ZZ, 1770 rpm", "6205ZZ"),
        ("轴承6205-2RS/C3，转速1770转/分", "6205-2RS/C3"),
        ("bearing NU205, speed 1770 r/min", "NU205"),
    ],
)
def test_a_code_is_taken_with_all_its_letters_and_a_unit_by_its_other_names(words: str, bearing: str) -> None:
    assert answer_in_words(MACHINE, words) == (True, {"rpm": 1770, "bearing": bearing})


def test_the_only_field_of_a_form_takes_no_value_that_is_denied_or_left_open() -> None:
    bearing = form(bearing={"type": "string", "minLength": 2})
    for words in ("不是6205", "轴承不是6205", "not 6205", "6205 or 6206", "6205吗", "6205还是6206", "it isn't 6205"):
        assert answer_in_words(bearing, words) == (False, None), words
    for words in ("6205", "6205-2RS", "早上8点左右", "2027年适合换工作吗？", "还是6205吧"):
        assert answer_in_words(bearing, words) == (True, {"bearing": words})
