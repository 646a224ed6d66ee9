"""What a result says of its severity and of those it affects."""

import pytest

from metier.json_values import JsonObject
from metier.language import Language
from metier.questions import Answer, Judgement, answer_judgement, collect_results
from metier.questions.judgements._impact import counts_things

COUNTS = (
    "53个小区的覆盖不足|4 台中有 3 台需要关注|影响 120 户|3 人没有收到|来了 3人"
    "|22 of the 53 cells have a cause|Cells far from plan: 22"
    "|5 machines need attention|3 people were told|120 users in 12 个月|42 sites for 45 days"
)
NO_COUNTS = (
    "还能用12个月|提高了 4.2 个百分点|等了 3 个小时|需要 2 人月|第 277 条记录|从第 277 条记录起开始劣化（共 350 条）"
    "|45 days are left|after 30 minutes|turned by 120 degrees|3.9 times that at the start"
    "|Degradation since record 277 of 350|row 3 of 9|15 percentage points more|2.5 points|80 % of it|内圈损伤"
    "|用了 3 人工|2 人次"
)
CELLS: JsonObject = {
    "table": "t",
    "title": "高负荷小区",
    "columns": [
        {"key": "name", "title": "名称"},
        {"key": "n", "title": "用户数"},
        {"key": "rate", "title": "用户平均速率", "unit": "Mbps"},
        {"key": "rsrp", "title": "用户加权RSRP"},
        {"key": "mean", "title": "每小区用户数"},
        {"key": "owner", "title": "负责人"},
    ],
    "rows": [["a", 40, 11, 7, 12, 3], ["b", 7, 12, 8, 13, 4]],
}
SCENE = (
    "场景 **DT1**，4G 网络，66 个小区。\n\n**没有小区超过「弱覆盖」的门限。**\n\n**现象**（共 1 项）\n\n"
    "- **切换异常**：42个小区的切换成功率低于98 %。补配邻区。"
)
TREND = "**Degradation since record 277 of 350.** The level is 3.9 times that at the start."


def ask(text: str, asked: Judgement, affected: str = "", language: Language = "zh", *tables: JsonObject) -> str:
    events: list[tuple[str, JsonObject]] = [("text.done", {"text": text}), *(("table", one) for one in tables)]
    told = answer_judgement(asked, collect_results([("x", events)], language), language, affected)
    return (told or Answer("")).text


@pytest.mark.parametrize(("sentences", "counts"), [(COUNTS, True), (NO_COUNTS, False)])
def test_only_things_are_counted_and_no_time_share_angle_or_place_in_an_order(sentences: str, counts: bool) -> None:
    listed = sentences.split("|")
    assert {one: counts_things(one) for one in listed} == dict.fromkeys(listed, counts)


def test_severity_is_the_verdict_of_the_report_first_though_it_counts_nothing() -> None:
    lines = [one for one in ask(SCENE, "severity").splitlines() if one.startswith("- ")]
    assert lines == ["- 没有小区超过「弱覆盖」的门限。", "- 切换异常：42个小区的切换成功率低于98 %。"]
    assert ask(SCENE, "impact") == ask(SCENE, "severity")  # 影响大吗 names nobody to be counted


@pytest.mark.parametrize(
    "line",
    [
        "**内圈损伤**，状态：有故障。",
        "**4 台均无报警。**",
        "**优化仿真**：调整若干处。**目标部分达到**：弱覆盖小区减少。",
    ],
)
def test_a_bold_sentence_is_a_verdict(line: str) -> None:
    told = ask(f"- **负荷**：高。\n\n{line}", "severity").splitlines()
    assert told[0] == "结果是这样说的："
    assert told[2] == f"- {line.replace('**', '')}"


def test_a_report_without_a_verdict_is_said_to_have_none() -> None:
    assert ask("1. **Tilt**: far from plan: 22.", "severity", language="en").startswith("The result does not say how")
    assert ask("完成。", "severity") == ""


@pytest.mark.parametrize("asked", ["severity", "short"])
def test_a_report_that_ends_with_a_bare_receipt_is_read_as_a_whole(asked: Judgement) -> None:
    events: list[tuple[str, JsonObject]] = [
        ("text.done", {"text": SCENE}),
        ("pause.answered", {"pause": "p"}),
        ("text.done", {"text": "分析完成，没有仿真。"}),
    ]
    told = answer_judgement(asked, collect_results([("x", events)], "zh"), "zh")
    assert told is not None
    assert "没有小区超过" in told.text


@pytest.mark.parametrize(("affected", "language"), [("生产", "zh"), ("业务", "zh"), ("production", "en")])
def test_what_cannot_be_counted_is_never_answered_with_how_many(affected: str, language: Language) -> None:
    text = ask(TREND if language == "en" else SCENE, "impact", affected, language)
    assert affected in text.splitlines()[0]
    assert "多少" not in text
    assert "How many" not in text
    assert ("- 没有小区超过" if language == "zh" else "- Degradation since") in text


def test_a_sentence_that_names_what_was_asked_about_is_the_answer() -> None:
    text = ask(f"{SCENE}\n\n4 个小区一项也没有，是业务量本身大。", "impact", "业务")
    assert text.startswith("结果是这样说的：\n\n- 4 个小区一项也没有，是业务量本身大。")


def test_only_columns_that_count_are_added_up() -> None:
    text = ask(SCENE, "impact", "用户", "zh", CELLS)
    assert "用户数合计 47（2 行）" in text
    assert text.count("合计") == 1
    assert "合计" not in ask(SCENE, "impact", "人", "zh", CELLS)
    english: JsonObject = {
        **CELLS,
        "columns": [{"key": str(at), "title": one} for at, one in enumerate(("name", "users", "users per cell"))],
        "rows": [["a", 40, 2], ["b", 7, 3]],
    }
    told = ask("Cells: 3.", "impact", "users", "en", english)
    assert "users 47 in all" in told
    assert told.count("in all") == 1


@pytest.mark.parametrize(
    ("affected", "sentence"),
    [
        ("人", "3 个无人站点断电"),
        ("人", "5 处人工处理"),
        ("用户", "20 个用户样本偏弱"),
        ("users", "Cells with weak user samples: 53"),
    ],
)
def test_a_word_that_only_contains_the_noun_counts_nobody(affected: str, sentence: str) -> None:
    language: Language = "zh" if affected != "users" else "en"
    text = ask(f"{sentence}。" if language == "zh" else f"{sentence}.", "impact", affected, language)
    assert text.startswith(
        f"影响多少{affected}不知道" if language == "zh" else "How many users are affected is not known"
    )
    people = ask(
        "3 人没有收到。" if affected == "人" else "20 个用户掉线。", "impact", "人" if affected == "人" else "用户"
    )
    assert people.startswith("结果里写明的数目")


def test_a_question_in_the_other_language_gets_the_numbers_of_the_tables_by_their_names() -> None:
    table: JsonObject = {
        "table": "t",
        "title": "现象：弱覆盖（53 个小区）",
        "columns": [{"key": "a", "title": "小区"}],
        "rows": [["x"], ["y"]],
    }
    text = ask(SCENE, "impact", "cells", "en", table)
    assert "“现象：弱覆盖” 2" in text
    assert text.replace("现象：弱覆盖", "").replace("“", "").replace("”", "").isascii()


@pytest.mark.parametrize("asked", ["grounds", "impact", "severity"])
def test_a_report_in_the_other_language_is_not_quoted_and_only_its_numbers_are_told(asked: Judgement) -> None:
    fleet: JsonObject = {
        "table": "t",
        "title": "机群",
        "columns": [{"key": "a", "title": "设备"}, {"key": "b", "title": "状态"}],
        "rows": [["1号泵", "正常"], ["2号泵", "有故障"]],
    }
    text = ask(SCENE, asked, "people", "en", fleet)
    assert text.isascii()
    assert "Of the 2 rows of its table 1 are not in order." in text
    chinese = ask(TREND, asked, "生产", "zh")
    assert "英文" in chinese
    assert "Degradation" not in chinese


def test_names_of_the_other_language_do_not_make_a_report_foreign() -> None:
    assert "1号泵" in ask("**1 of 4 machines needs attention.** First: 1号泵 at 朝阳.", "severity", language="en")
    assert "SINR" in ask("**RSRP 和 SINR 均值正常。** 见 coverage map。", "severity")
