"""A plan is offered only if it says what the request says."""

import pytest

from metier.json_values import JsonObject
from metier.packs.office._request_text import RequestText
from metier.packs.office.drafting import draft_plan
from metier.packs.office.drafting._slots import DraftPlace
from metier.packs.office.drafting._unclear import Unclear
from metier.packs.office.drafting.comparison.additions._support import check_support
from metier.packs.office.drafting.comparison.omissions._fit import check_fit
from metier.packs.office.plan import HostApp


def _check(request: str, actions: list[JsonObject], place: DraftPlace) -> None:
    check_fit(RequestText(request), actions, place)
    check_support(RequestText(request), actions, place)


def _table(*rows: list[str]) -> JsonObject:
    return {"op": "insert_table", "rows": len(rows), "cols": len(rows[0]), "data": [list(row) for row in rows]}


@pytest.mark.parametrize(
    ("request_", "actions"),
    [
        ("列名用英文 ID、Risk、Level，一行", [_table(["英文 ID", "Risk", "Level"], ["", "", ""])]),
        ("columns should read Item, Result", [_table(["should read Item", "Result"], ["", ""])]),
        ("分需求分析、设计、上线，做甘特表", [_table(["任务", "第1周"], ["设计", "■"], ["上线", "■"])]),
        ("任务从分析、设计、测试一直到上线", [_table(["任务"], ["分析"], ["设计"], ["测试一直到上线"])]),
        ("插入表，五行", [_table(["甲"], [""], [""])]),
        ("一张表，要填季度、目标", [_table(["要填季度", "目标"], ["", ""])]),
        (
            "周报写一份，“周报”这几个字做成艺术字",
            [{"op": "insert_text", "text": "# 一份"}, {"op": "insert_text", "text": "周报"}],
        ),
        ("“周报”这几个字当标题", [{"op": "insert_text", "text": "# 这几个字当标题\n周报"}]),
        ("列 后果、对策 行数跟列数一样", [_table(["后果", "对策 行数跟列数"], ["", ""])]),
        ("从周一到周五五行", [_table(["甲"], [""], [""], [""])]),
        ("标题经费占比", [{"op": "insert_chart_from_selection", "title": "占比"}]),
        ("只有表头，再来一行空的", [_table(["甲", "乙"])]),
        ("三级大纲", [{"op": "insert_text", "text": "# 一、背景"}]),
        ("标题“工作背景”加粗", [{"op": "insert_text", "text": "工作背景"}]),
        ("图下写“单位：万元”", [{"op": "insert_text", "text": "季度销售额"}]),
        ("开头太素了，加个横幅", [{"op": "insert_text", "text": "安全", "bold": True}]),
    ],
)
def test_a_plan_with_other_words_counts_or_looks_is_asked_about(request_: str, actions: list[JsonObject]) -> None:
    with pytest.raises(Unclear):
        _check(request_, actions, DraftPlace("end"))


@pytest.mark.parametrize(
    "more",
    [
        *(
            "表头用红色",
            "标题居中",
            "再加一列备注",
            "不要边框",
            "领导要求横向排版",
            "第三行合并",
            "写完发给张总",
            "字要大一点",
        ),
        *("另外还要一段说明", "最后要有签名的地方", "署名写王工"),
    ],
)
def test_a_demand_more_in_known_words_is_not_passed_over(more: str) -> None:
    for request in (
        "做个表，列是姓名、部门、职务，五行",
        "搭一个三级提纲，主题“绿色工厂”",
        "总结三点：方案可行；资金到位；人员齐全",
    ):
        for whole in (f"{request}，{more}。", f"{more}，{request}。"):
            assert draft_plan(whole, host="wps", language="zh").plan is None, whole


@pytest.mark.parametrize(
    "more",
    [
        *(
            "隔行变灰的",
            "冻结首行的",
            "密码保护的",
            "打印成横版的",
            "姓名按拼音排序的",
            "部门全是市场部的",
            "显示延期的",
            "领导的放前面的",
        ),
        *("姓名可以筛选的", "每行带复选框的", "有照片的", "职务从高到低的", "他们的电话一并写上"),
    ],
)
def test_a_look_an_order_or_a_lock_is_no_talk_though_it_ends_like_it(more: str) -> None:
    said = "做个表，列是姓名、部门、职务，五行"
    for whole in (f"{said}，{more}。", f"{more}，{said}。"):
        assert draft_plan(whole, host="wps", language="zh").plan is None, whole


@pytest.mark.parametrize(
    "more",
    [
        *("sorted by our manager", "the rest shaded grey", "everyone has a photo", "my team in alphabetical order"),
        *("we lock it", "your logo above it", "all of it read-only", "our stamp on it", "newest first for our boss"),
    ],
)
def test_a_look_an_order_or_a_lock_is_no_talk_though_somebody_is_in_it(more: str) -> None:
    said = "Make a table with columns Name, Team, Role and 5 rows"
    for whole in (f"{said}, {more}.", f"{more}. {said}."):
        assert draft_plan(whole, host="wps", language="en").plan is None, whole


@pytest.mark.parametrize(
    "told", ["给领导看的", "开会要用的", "下午就要交了", "my boss wants it tomorrow", "he sees it today", "thanks"]
)
def test_why_for_whom_and_when_are_still_passed_over(told: str) -> None:
    said = f"做个表，列是姓名、部门、职务，五行，{told}。"
    assert draft_plan(said, host="wps", language="zh").plan is not None


def test_a_place_in_an_empty_document_is_asked_about() -> None:
    assert (
        draft_plan("把“安全”做成横幅，放到整篇的最前面，最后要有签名的地方。", host="wps", language="zh").plan is None
    )


def test_a_plan_that_says_the_same_is_offered() -> None:
    table = _table(["姓名", "部门", "职务"], ["", "", ""], ["", "", ""])
    _check("在“概述”后面插入表，列是姓名、部门、职务，两行", [table], DraftPlace("anchor", "概述"))


def test_a_column_more_is_asked_about_where_its_name_is_there_already() -> None:
    said = "先插一张表（项目、金额），紧接着再插一张表（日期、经办人、备注），再加一列备注"
    assert draft_plan(said, host="wps", language="zh").plan is None


@pytest.mark.parametrize(
    ("request_", "actions"),
    [
        ("附录列：甲证，乙证，就这些", [{"op": "insert_text", "text": "1. 甲证\n2. 乙证\n3. 就这些"}]),
        ("要有个表，一条条写，四行，列是甲、乙、丙、丁", [_table(["甲", "乙", "丙", "丁"], ["", "", "", ""])]),
        ("weekly report with a WordArt title 项目周报 on it", [{"op": "insert_word_art", "text": "周报"}]),
    ],
)
def test_talk_is_no_item_rows_are_no_columns_and_names_of_the_other_script_are_written(
    request_: str, actions: list[JsonObject]
) -> None:
    with pytest.raises(Unclear):
        _check(request_, actions, DraftPlace("end"))


def test_a_place_in_the_document_is_obeyed_or_asked_about_and_no_column_has_a_comma_in_it() -> None:
    plan = draft_plan("Top of the page: a banner that reads “安全”", host="wps", language="en").plan
    assert plan is not None
    assert "start" in str(plan)
    with pytest.raises(Unclear):
        _check("a banner at the head of the paper", [], DraftPlace("cursor"))
    with pytest.raises(Unclear):
        _check("as a table, A / B / C", [_table(["as a table, A", "B", "C"])], DraftPlace("end"))


@pytest.mark.parametrize(
    ("said", "host", "cells"),
    [
        ("做预算表：办公费花了7200预算8000，差旅费花了13500预算12000，差额用公式", "et", ["办公费", "8000", "7200"]),
        ("做预算表：办公费预算8000实际7200，差旅费预算12000实际13500，差额用公式", "et", ["办公费", "8000", "7200"]),
        ("插入报价表：笔记本 单价6800 数量5；显示器 单价1500 数量5，并计算合计", "wps", ["笔记本", "5", "6,800"]),
        ("插入报价表：笔记本 数量5 单价6800；显示器 数量5 单价1500，并计算合计", "wps", ["笔记本", "5", "6,800"]),
    ],
)
def test_a_number_goes_where_the_word_beside_it_says(said: str, host: HostApp, cells: list[str]) -> None:
    plan = draft_plan(said, host=host, language="zh").plan
    assert plan is not None
    assert str(cells)[:-1] in str(plan)


def test_whether_the_header_is_one_of_the_rows_is_asked() -> None:
    for said in ("做个表，五行三列，列是姓名、部门、职务", "Make a table with 5 rows and 3 columns: Name, Team, Role"):
        assert draft_plan(said, host="wps", language="zh").code == "header_counted"
    assert draft_plan("做个表，五行三列含表头，列是姓名、部门、职务", host="wps", language="zh").plan is not None
    assert draft_plan("插个6行4列的空表", host="wps", language="zh").plan is not None


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("做个表，列是再来姓名、部门、职务", "再来姓名"),
        ("做个表，列是姓名、部门、职务什么的", "职务什么的"),
        ("a table with columns covering Name, Team, Role", "covering Name"),
    ],
)
def test_no_name_begins_or_ends_with_a_word_of_the_sentence_around_it(said: str, name: str) -> None:
    with pytest.raises(Unclear):
        _check(said, [_table([name, "部门", "职务"], ["", "", ""])], DraftPlace("end"))
    _check("做个表，列是需求、要点、是否合格", [_table(["需求", "要点", "是否合格"])], DraftPlace("end"))


@pytest.mark.parametrize(
    ("said", "host"),
    [
        ("I need a checklist, columns of Item, then Standard, then Result and last Remark; five rows", "wps"),
        ("列品名/预算/实际/差额做预算表，办公费 8000 7200，差旅费 12000 13500", "et"),
        ("又到周五了，起个周报，标题要艺术字的，写“周报”，下头三块，进展好坏都有", "wps"),
    ],
)
def test_a_part_that_is_in_no_name_of_the_plan_is_asked_about(said: str, host: HostApp) -> None:
    draft = draft_plan(said, host=host, language="zh")
    assert draft.plan is None or not any(one in str(draft.plan) for one in ("+", "列品名", "下头", "表头为"))
    assert draft.plan is None or "Remark" in str(draft.plan) or host != "wps"


@pytest.mark.parametrize(
    "said",
    [
        "四周时间线：启动（第1周）→开发（第2周）→测试（第3周）→发布（第4周）",
        "加一页时间线，启动在第1周，开发在第2周，测试在第3周，发布在第4周",
        "加一页时间线：第1周启动，第2周开发，第3周测试，第4周发布",
    ],
)
def test_a_step_stands_under_its_own_week_wherever_the_week_is_said(said: str) -> None:
    plan = draft_plan(said, host="wpp", language="zh").plan
    assert "[['第1周', '第2周', '第3周', '第4周'], ['启动', '开发', '测试', '发布']]" in str(plan)


def test_a_banner_without_a_place_stands_at_the_start() -> None:
    plan, placed = (
        draft_plan(said, host="wps", language="zh").plan
        for said in ("加个横幅：“安全生产”", "在文档开头加个横幅：“安全生产”")
    )
    assert plan == placed


def test_chinese_names_in_an_english_sentence_are_one_list() -> None:
    said = "Please insert a table: four columns 序号, 需求描述, 响应情况, 说明, and four rows for us to complete"
    assert "['序号', '需求描述', '响应情况', '说明']" in str(draft_plan(said, host="wps", language="en").plan)


@pytest.mark.parametrize(
    "more",
    [
        *("With a light background", "In both languages", "Two decimals", "Largest amount first", "Save it as PDF"),
        *("We skip the weekends", "Nobody may edit it", "Everyone signs next to their name", "Starting on Monday"),
    ],
)
def test_a_part_of_a_sentence_before_an_order_is_no_talk(more: str) -> None:
    said = f"{more}. Make a table with columns Name, Team, Role and 5 rows."
    assert draft_plan(said, host="wps", language="en").plan is None


def test_a_clause_that_names_a_column_is_no_talk_wherever_it_stands() -> None:
    for said in (
        "部门用简称，做个表，列是姓名、部门、职务，五行。",
        "做个表，列是姓名、部门、职务，五行，部门用简称。",
    ):
        assert draft_plan(said, host="wps", language="zh").plan is None, said


@pytest.mark.parametrize(
    "name",
    [
        *("还书日期", "再就业人数", "得奖人数", "给药量", "有货数量", "有功功率", "就医次数", "要货量", "共青团人数"),
        *("都江堰", "先天疾病", "再审案件", "数据来源", "明细科目", "从属单位", "让价", "这周完成情况"),
        *("IT budget", "Use case", "Use by date", "Will Smith", "Sign in", "Time in", "Read only", "OR rooms"),
        *("Reading room", "I beam", "Plus size", "Responsible for", "Reports to", "Read status", "For sale"),
    ],
)
def test_a_name_between_the_signs_of_a_list_may_begin_or_end_with_any_word(name: str) -> None:
    said = (
        f"Make a table with columns Department, {name}, Note" if name.isascii() else f"做个表，列是姓名、{name}、备注"
    )
    assert f"'{name}'" in str(draft_plan(said, host="wps", language="zh").plan)


def test_a_name_keeps_its_first_character_or_is_asked_about() -> None:
    for name in ("有货数量", "就医次数", "要货量", "列车号", "从属单位", "还书日期"):
        plan = draft_plan(f"做个表，列是{name}、姓名、备注", host="wps", language="zh").plan
        assert plan is None or f"'{name}'" in str(plan), name
    assert draft_plan("做个表，列是还书日期、姓名", host="wps", language="zh").plan is not None
    assert "['姓名', '部门', '职务']" in str(draft_plan("做个表，就姓名、部门、职务", host="wps", language="zh").plan)
    for said in ("做个表，列是先姓名、部门、职务", "做个表，列是姓名、部门、还要职务"):
        assert draft_plan(said, host="wps", language="zh").plan is None, said


def test_an_item_between_two_others_is_no_talk() -> None:
    for item in ("请假制度", "全员培训", "先进个人", "还款计划"):
        assert draft_plan(f"加一页议程，四条：背景、{item}、方案、计划", host="wpp", language="zh").plan is not None, (
            item
        )


@pytest.mark.parametrize(
    "said",
    [
        "做个三个月的销售表，列是产品、数量",
        "做个两个季度的销售表，列是产品、数量",
        "做个5天的行程表，列是日期、地点、事项",
        "做个半年的考勤表，列是姓名、天数",
        "Make a three-month sales table with columns Product, Amount",
        "做个表，表头英文，列是姓名、部门、职务",
    ],
)
def test_a_length_of_time_and_a_wish_for_a_language_are_no_filler(said: str) -> None:
    assert draft_plan(said, host="wps", language="zh").code == "not_understood"


def test_a_length_of_time_that_the_plan_has_is_not_asked_about() -> None:
    for said in (
        "四个季度的销售额画柱状图：一季度120，二季度150，三季度170，四季度160",
        "做个一周计划表，列是日期、事项",
        "做个3月的销售表，列是产品、数量",
        "做个表，列是姓名、三年经验、职务",
        "两天后开会，做个表，列是姓名、部门、职务",
    ):
        assert draft_plan(said, host="wps", language="zh").plan is not None, said


@pytest.mark.parametrize(
    ("said", "host"),
    [
        ("季度营收画个柱状图，Q1 120，Q2 约140，Q3 135，Q4 180", "et"),
        ("季度营收画个柱状图，Q1 120，Q2 140，Q3 135或136，Q4 180", "et"),
        ("Chart revenue as bars: Q1 120, Q2 about 140, Q3 135, Q4 180", "et"),
        ("Chart revenue as bars: Q1 120, Q2 140?, Q3 135, Q4 180", "et"),
        ("Chart revenue as bars in millions: Q1 120, Q2 140, Q3 135, Q4 180", "et"),
        ("按部门汇总：市场部500，技术部800，市场部300左右", "et"),
        ("做个表，列是姓名、部门、职务，五行，不，六行", "wps"),
        ("做个表，列是姓名、部门（可选）、职务", "wps"),
        ("做个表，列是姓名、部门、职务，每人两行", "wps"),
        ("做个表，列是姓名、部门、职务，按部门分组", "wps"),
        ("做个跟上次一样的表，列是姓名、部门、职务", "wps"),
        ("做个表，列是产品、数量，能自动求和的", "wps"),
        ("Make a table with columns Name, Team, Role, one row per department", "wps"),
        ("Add an agenda slide: Background, Status, Plan, skip Status if long", "wpp"),
        ("加一页议程，四条：背景、现状、方案、计划，计划标红", "wpp"),
        ("加一页议程，背景、现状、方案、计划，现状可以不写", "wpp"),
    ],
)
def test_a_number_that_is_a_guess_a_correction_and_a_condition_are_asked_about(said: str, host: HostApp) -> None:
    assert draft_plan(said, host=host, language="zh").code == "not_understood"


def test_rows_to_fill_may_be_about_so_many() -> None:
    said = "Make a table with columns Name, Team, Role and about 5 rows"
    assert draft_plan(said, host="wps", language="en").plan is not None


def test_a_refusal_beside_an_order_is_not_passed_over() -> None:
    for said in ("做个不带姓名的表，列是部门、职务", "Make a table without prices with columns Name, Team, Role"):
        assert draft_plan(said, host="wps", language="zh").plan is None, said


def test_a_column_may_end_with_a_question_mark() -> None:
    said = "Add a checklist with 4 columns (Point, Criterion, OK?, Note) and 6 rows"
    assert draft_plan(said, host="wps", language="en").plan is not None


@pytest.mark.parametrize(
    "request_text",
    [
        *("插入4列5行（不含表头）的表格", "插入5行4列的表格（不含表头）", "插入一个5行4列的表格，表头另算"),
        *("Insert a 5 by 4 table, not counting the header.", "Insert a 5 by 4 table with a header row."),
    ],
)
def test_a_grid_without_names_does_not_pass_over_a_header(request_text: str) -> None:
    assert draft_plan(request_text, host="wps", language="en").plan is None


def test_a_grid_that_is_to_have_no_header_is_written() -> None:
    assert draft_plan("插入5行4列的表格，不要表头", host="wps", language="zh").plan is not None
