"""What a request asks of the rows that its own work brings, and the words that only say what the rows are of."""

import pytest

from metier.language import Language
from metier.questions import (
    Results,
    ResultTable,
    TableColumn,
    answer_beside_work,
    answer_question,
    drop_labels,
    parse_question,
    read_other_limit,
)

ZH = Results(
    (
        ResultTable(
            "小区级 · 指标",
            (TableColumn("cell", "小区id", ""), TableColumn("rsrp", "RSRP均值", "dBm")),
            (("c31", -104.9), ("c34", -104.3), ("c62", -100.1)),
            3,
            "分析",
        ),
    )
)
EN = Results(
    (
        ResultTable(
            "Cell level",
            (TableColumn("cell", "cell", ""), TableColumn("rsrp", "mean RSRP", "dBm")),
            (("c31", -104.9), ("c34", -104.3), ("c62", -100.1)),
            3,
            "analysis",
        ),
    )
)
PLACE_ZH, PLACE_EN = "北京市朝阳区4G/5G弱覆盖", "Chaoyang, Beijing: weak 4G/5G coverage"


@pytest.mark.parametrize(
    ("message", "language", "rows"),
    [
        ("朝阳区哪些小区 RSRP 低于 -104 dBm", "zh", ["c31", "c34"]),
        ("北京朝阳的小区里 RSRP 低于 -104.5 dBm 的有哪些", "zh", ["c31"]),
        ("朝阳区覆盖分析，RSRP 最差的两个小区", "zh", ["c31", "c34"]),
        ("分析一下朝阳区的覆盖，重点看 RSRP 低于 -104 dBm 的小区", "zh", ["c31", "c34"]),
        ("show me the cells in Chaoyang with RSRP below -104 dBm", "en", ["c31", "c34"]),
        ("the two worst cells in Chaoyang by RSRP", "en", ["c31", "c34"]),
        ("which cells of Chaoyang district have an RSRP below -104.5 dBm", "en", ["c31"]),
    ],
)
def test_the_rows_that_a_request_asks_for_are_told(message: str, language: Language, rows: list[str]) -> None:
    zh = language == "zh"
    answer = answer_beside_work(message, ZH if zh else EN, [PLACE_ZH if zh else PLACE_EN], language)
    assert answer is not None
    assert answer.found
    assert [one for one in ("c31", "c34", "c62") if one in answer.text] == rows


@pytest.mark.parametrize("message", ["帮我分析一下朝阳区的弱覆盖问题", "analyse the coverage of Chaoyang", "需要"])
def test_a_request_that_asks_for_no_rows_gets_no_second_answer(message: str) -> None:
    assert answer_beside_work(message, ZH, [PLACE_ZH], "zh") is None


def test_a_limit_that_no_column_has_is_not_passed_over() -> None:
    answer = answer_beside_work("朝阳区下倾角大于 15 度的小区", ZH, [PLACE_ZH], "zh")
    assert answer is not None
    assert not answer.found
    assert "下倾角" in answer.text


def test_only_words_of_what_the_results_are_of_are_dropped() -> None:
    assert drop_labels("朝阳区哪些4G小区 RSRP 低", [PLACE_ZH], ZH) == "哪些4G小区 RSRP 低"
    assert drop_labels("天河区的小区", [PLACE_ZH], ZH) == "天河区的小区"
    assert drop_labels("cells in Tianhe", [PLACE_EN], EN) == "cells in Tianhe"


@pytest.mark.parametrize(
    ("message", "before", "whole"),
    [
        ("7 呢", ["哪些小区 SINR 低于 6 dB"], "哪些小区 SINR 低于 7 dB"),
        ("-104 dBm 呢？", ["-105.5呢", "哪些小区 RSRP 低于 -106 dBm"], "哪些小区 RSRP 低于 -104 dBm"),
        ("那 60% 呢", ["MR覆盖率低于 90% 的小区"], "MR覆盖率低于 60% 的小区"),
        ("and 7?", ["which cells have a SINR below 6 dB"], "which cells have a SINR below 7 dB"),
        ("what about 80 %?", ["cells with coverage below 90 %"], "cells with coverage below 80 %"),
        ("7", ["哪些小区 SINR 低于 6 dB"], None),
        ("7 呢", ["需要", "哪些小区 SINR 低于 6 dB"], None),
        ("7 呢", ["SINR 在 6 到 9 之间的小区"], None),
    ],
)
def test_a_number_alone_is_another_limit_of_the_question_before(
    message: str, before: list[str], whole: str | None
) -> None:
    assert read_other_limit(message, before) == whole


@pytest.mark.parametrize(
    ("message", "language"), [("站点 c34 的 RSRP 是多少", "zh"), ("what is the mean RSRP of site c34", "en")]
)
def test_what_kind_of_thing_a_row_is_may_stand_before_its_name(message: str, language: Language) -> None:
    question = parse_question(message)
    answer = question and answer_question(question, ZH if language == "zh" else EN, language)
    assert answer
    assert answer.found
    assert "-104.3" in answer.text
