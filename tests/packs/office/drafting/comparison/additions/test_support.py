"""A plan is read once more by a reader that did not draft it."""

import pytest

from metier.json_values import JsonObject
from metier.packs.office._request_text import RequestText
from metier.packs.office.drafting import draft_plan
from metier.packs.office.drafting._slots import DraftPlace
from metier.packs.office.drafting._unclear import Unclear
from metier.packs.office.drafting.comparison.additions._name_form import is_name
from metier.packs.office.drafting.comparison.additions._support import check_support

_END = DraftPlace("end")


def _table(*rows: list[str]) -> JsonObject:
    return {"op": "insert_table", "rows": len(rows), "cols": len(rows[0]), "data": [list(row) for row in rows]}


@pytest.mark.parametrize(
    ("request_", "names"),
    [
        ("四行的计划表，每行填季度、目标、负责人", ["每行填季度", "目标", "负责人"]),
        ("四行的计划表，季度、目标、负责人当表头", ["季度", "目标", "负责人当表头"]),
        ("横着6周，竖着分析、设计、上线", ["竖着分析", "设计", "上线"]),
        ("表头要英文的 Item、Result、Remark", ["英文的 Item", "Result", "Remark"]),
        ("the columns should read 序号, 说明, 结果", ["should read 序号", "说明", "结果"]),
        ("what's the Task, who's the Owner, the Status", ["what's the Task", "who's the Owner", "Status"]),
        ("Task, Owner, Status — those are the columns", ["Task", "Owner", "Status — those"]),
        ("ID, Risk, Level, three rows to start", ["ID", "Risk", "Level", "to start"]),
        ("①姓名、部门 ②日期、地点", ["姓名", "部门 ②日期", "地点"]),
        ("列=序号+说明，行数4", ["序号+说明", "行数4"]),
        ("表头设置为风险名称、影响、策略", ["设置为风险名称", "影响", "策略"]),
        ("含校服、书包、帽子", ["含校服", "书包", "帽子"]),
        ("columns Process / OK? / Notes - 8 rows", ["Process", "OK?/Notes -"]),
        ("columns Item, Owner - 8 rows", ["Item", "Owner -"]),
        ("（标题：满意度），列为项目、人数", ["项目", "人数", "满意度）"]),
        ("从分析到设计、开发、上线", ["分析到设计", "开发", "上线"]),
        ("标题要艺术字的，下头三块", ["标题要", "下头"]),
    ],
)
def test_words_of_the_sentence_are_no_names(request_: str, names: list[str]) -> None:
    with pytest.raises(Unclear):
        check_support(RequestText(request_), [_table(names, [""] * len(names))], _END)


def test_a_record_is_not_named_by_what_was_done_with_it() -> None:
    assert not is_name("办公费批了", ["差旅费"], "办公费批了8000，差旅费12000")
    assert not is_name("流水是市场部", ["技术部", "市场部"], "流水是市场部500、技术部800、市场部300")
    assert not is_name("5台电脑", ["5台显示器"], "5台电脑每台6800，5台显示器每台1500")


@pytest.mark.parametrize(
    "name",
    ["是否合格", "有效期", "用车人", "请购", "就诊科室", "从业年限", "到货日期", "所在部门", "有关部门", "先进个人"],
)
def test_names_that_look_like_grammar_are_names(name: str) -> None:
    for request in (f"列是{name}、职务、地点", f"列是职务、{name}、地点", f"列是职务、地点、{name}，5行"):
        assert is_name(name, ["职务", "地点"], request), request


@pytest.mark.parametrize("name", ["Valid from", "Made by", "To do", "On hold", "Who", "Use case", "Date of birth"])
def test_english_names_may_have_small_words(name: str) -> None:
    for request in (f"columns {name}, Team, Role", f"columns Team, {name}, Role", f"columns Team, Role, {name}."):
        assert is_name(name, ["Team", "Role"], request), request


@pytest.mark.parametrize(
    ("request_", "rows"),
    [
        ("Make a table with columns Is active, Team, Role and 5 rows.", ["active", "Team", "Role"]),
        ("Make a table with columns Team, Role, Read only and 5 rows.", ["Team", "Role", "Read"]),
        ("Make a table with columns Team, Role, With VAT and 5 rows.", ["Team", "Role"]),
        ("做个表，列是需要材料、部门、职务，5行", ["材料", "部门", "职务"]),
        ("先来个表（姓名/部门/职务），再来个表（日期/地点/事项）", ["姓名", "部门", "职务"]),
    ],
)
def test_an_item_that_is_cut_short_or_missing_is_asked_about(request_: str, rows: list[str]) -> None:
    with pytest.raises(Unclear):
        check_support(RequestText(request_), [_table(rows, [""] * len(rows))], _END)


@pytest.mark.parametrize(
    ("request_", "names"),
    [
        ("要填三列，用途、日期、金额", ["途", "日期", "金额"]),
        ("三部分：用车人、有效期、职务", ["车人", "有效期", "职务"]),
        ("，可用库存、金额、备注", ["库存", "金额", "备注"]),
        ("列是标的、年限、总和；4行", ["标的", "年限", "总"]),
        ("列是标的、总和和照片", ["标的", "总", "照片"]),
        ("，是否合格、金额、备注", ["否合格", "金额", "备注"]),
        ("columns Table no., Team, Role", ["Table no", "Team", "Role"]),
        ("Cols = Date of birth / Row / Due", ["birth", "Row", "Due"]),
        ("决议、待办事项一样别落下", ["决议", "待办事项一样别落下"]),
    ],
)
def test_a_word_is_not_cut_at_the_edge_of_a_name(request_: str, names: list[str]) -> None:
    with pytest.raises(Unclear):
        check_support(RequestText(request_), [_table(names, [""] * len(names))], _END)


def test_what_follows_the_last_step_of_a_timeline_is_no_part_of_it() -> None:
    said = "时间线一页，四周：第1周启动，第2周开发，第3周测试，第4周发布，给客户看进度。"
    plan = draft_plan(said, host="wpp", language="zh").plan
    assert "'测试', '发布']" in str(plan)
    two: list[JsonObject] = [_table(["第1周", "第2周"], ["启动", "发布，给客户看进度"])]
    with pytest.raises(Unclear):
        check_support(RequestText(said), two, _END)


def test_half_of_a_name_is_no_name() -> None:
    plan = [_table(["部门", "金额"], ["场部", "500"], ["技术部", "800"], ["市场部", "300"])]
    with pytest.raises(Unclear):
        check_support(RequestText("市场部 500、技术部 800、市场部 300，按部门汇总"), plan, _END)
    own = [_table(["目标", "目标值"], ["", ""])]
    check_support(RequestText("做个表，列是目标、目标值"), own, _END)


@pytest.mark.parametrize(
    ("request_", "rows"),
    [
        ("办公费 8000，差旅费 12000，做个表", [["办公费", "12000"], ["差旅费", "8000"]]),
        ("办公费 8000，差旅费 12000，做个表", [["办公费", "8000"], ["差旅费", "1200"]]),
        ("Rent 8,000, travel 950: make a table", [["Rent", "8,000"]]),
    ],
)
def test_a_number_stands_beside_its_name_or_is_asked_about(request_: str, rows: list[list[str]]) -> None:
    with pytest.raises(Unclear):
        check_support(RequestText(request_), [_table(["项目", "金额"], *rows)], _END)


def test_a_number_may_be_written_in_another_form() -> None:
    rows = [["螺丝", "0.10"], ["垫片", "1,200"]]
    check_support(RequestText("1）螺丝 0.1，2）垫片 1200，做个表，2行"), [_table(["项目", "单价"], *rows)], _END)


def test_the_top_of_a_document_is_not_its_end() -> None:
    banner: JsonObject = {"op": "insert_text", "text": "安全生产"}
    with pytest.raises(Unclear):
        check_support(RequestText("文档一上来先亮个横幅：“安全生产”"), [banner], _END)
    check_support(RequestText("文档一上来先亮个横幅：“安全生产”"), [banner], DraftPlace("start"))


def test_a_clean_plan_is_offered() -> None:
    for request in (
        "做个表，列是用车人、部门、职务，5行。",
        "做个表，列是有货数量、到期日、有效期，5行。",
        "Make a table with columns Valid from, Team, Made by and 5 rows.",
    ):
        assert draft_plan(request, host="wps", language="zh" if "表" in request else "en").plan is not None, request


@pytest.mark.parametrize("number", ["12", "13", "45", "123", "234", "12345", "500"])
def test_a_number_that_a_plan_leaves_out_is_asked_about_also_if_its_digits_ascend(number: str) -> None:
    request = f"Insert a table with columns Name, Team, Role and 5 rows, budget {number}"
    draft = draft_plan(request, host="wps", language="en")
    assert draft.plan is None
    assert number in draft.question
