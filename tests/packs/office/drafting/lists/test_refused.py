"""What a request refuses is in no plan: it is taken out of its list, or asked about."""

import pytest

from metier.json_values import JsonObject
from metier.language import Language
from metier.packs.office._request_text import RequestText
from metier.packs.office.drafting import Draft, draft_plan
from metier.packs.office.drafting._unclear import Unclear
from metier.packs.office.drafting.lists import check_refused, strike_refused
from metier.packs.office.plan import HostApp

_HOSTS: tuple[HostApp, ...] = ("wps", "et")
_ORDERS: tuple[tuple[Language, str], ...] = (
    ("zh", "插入一个表格，列为日期、项目、金额"),
    ("en", "Make a table with the columns date, item and amount and 5 rows"),
)
# Refusals of one name, with the sign before them.
_REFUSALS: dict[Language, tuple[str, ...]] = {
    "zh": (
        *("，不要{}", "；别加{}", "，不用{}", "，去掉{}", "，除了{}", "，但不要{}这一列", "。不需要{}", "（不要{}）"),
        *("，{}就不要了", "，不要“{}”"),
    ),
    "en": (
        *(", not {}", ", without {}", ", but not {}", " but without the {} column", ", but no {}", ", except {}"),
        *("; don't include {}", ', without "{}"', ", the {} column is not needed", ". No {}."),
    ),
}
_NAMES: dict[Language, tuple[str, str, str]] = {"zh": ("日期", "项目", "金额"), "en": ("date", "item", "amount")}
_OTHER: dict[Language, str] = {"zh": "合同号", "en": "supplier"}


def _header(draft: Draft) -> list[str]:
    assert draft.plan is not None, draft.question
    return next(iter(_tables(draft.plan)))[0]


def _tables(plan: JsonObject) -> list[list[list[str]]]:
    found: list[list[list[str]]] = []
    actions = plan["actions"]
    assert isinstance(actions, list)
    for action in actions:
        assert isinstance(action, dict)
        inner = action.get("actions")
        for one in inner if isinstance(inner, list) else [action]:
            data = one.get("data") if isinstance(one, dict) else None
            if isinstance(data, list):
                found.append([[str(cell) for cell in row] for row in data if isinstance(row, list)])
    return found


@pytest.mark.parametrize("host", _HOSTS)
@pytest.mark.parametrize(("language", "order"), _ORDERS)
def test_a_refused_item_of_the_list_is_taken_out(host: HostApp, language: Language, order: str) -> None:
    first, refused, last = _NAMES[language]
    for form in _REFUSALS[language]:
        said = order + form.format(refused)
        assert _header(draft_plan(said, host=host, language=language)) == [first, last], said


@pytest.mark.parametrize("host", _HOSTS)
@pytest.mark.parametrize(("language", "order"), _ORDERS)
def test_a_refused_name_of_no_list_is_asked_about_by_its_name(host: HostApp, language: Language, order: str) -> None:
    for form in _REFUSALS[language]:
        said = order + form.format(_OTHER[language])
        draft = draft_plan(said, host=host, language=language)
        assert draft.plan is None, said
        assert _OTHER[language] in draft.question, said


@pytest.mark.parametrize(
    ("language", "said", "part"),
    [
        ("zh", "建一张表，列：姓名、电话；别加电话", "别加电话"),
        ("zh", "插入一个表格，列为日期、项目名称、金额，不要项目", "不要项目"),
        ("zh", "插入一个表格，列为日期、项目、金额，除了日期都要", "除了日期都要"),
        ("zh", "插入一个表格：日期、金额，不要表头", "不要表头"),
        ("zh", "插入一个表格，列为日期、金额，不要标题", "不要标题"),
        ("en", "Insert a table with the columns date, amount, not price", "not price"),
        ("en", 'Insert a table with the columns "name, first" and phone but without phone', "without phone"),
    ],
)
def test_a_refusal_that_leaves_no_clear_list_is_asked_about(language: Language, said: str, part: str) -> None:
    for host in _HOSTS:
        draft = draft_plan(said, host=host, language=language)
        assert draft.plan is None, said
        assert f"“{part}”" in draft.question


def test_several_names_are_taken_out_at_once_or_one_after_the_other() -> None:
    for said in (
        "插入一个表格，列为日期、项目、金额、备注，不要项目和备注",
        "插入一个表格，列为日期、项目、金额、备注，不要项目，别加备注",
    ):
        assert _header(draft_plan(said, host="wps", language="zh")) == ["日期", "金额"]
    english = "Make a table with columns Date, Time, Amount and Note, but not Time or Note"
    assert _header(draft_plan(english, host="et", language="en")) == ["Date", "Amount"]


def test_a_number_of_columns_that_no_longer_fits_is_asked_about() -> None:
    draft = draft_plan("插入一个表格，三列：日期、项目、金额，不要项目", host="wps", language="zh")
    assert draft.code == "column_count"


@pytest.mark.parametrize(
    "said",
    [
        "列为日期、不含税价、类别",
        "列为类别、别名、除数",
        "columns No., No of items, Name",
        "不要重复插入",
        "做个表，不要太复杂",
    ],
)
def test_words_that_only_look_like_a_refusal_strike_nothing(said: str) -> None:
    assert strike_refused(said) == said
    names = ["不含税价", "别名", "No of items", "No."]
    check_refused(RequestText(said), [{"op": "insert_table", "data": [[*names], [""] * 4]}])


@pytest.mark.parametrize(
    "name", ["不要备注", "别加电话", "除了金额", "not price", "without VAT", "phone but without fax"]
)
def test_no_column_begins_with_a_refusal_unless_it_is_quoted(name: str) -> None:
    plan: list[JsonObject] = [{"op": "insert_table", "data": [["Name", name], ["", ""]]}]
    with pytest.raises(Unclear):
        check_refused(RequestText(f"columns Name, {name}"), plan)
    check_refused(RequestText(f"columns Name, “{name}”"), plan)


def test_a_quoted_name_with_the_sign_of_a_list_is_one_name() -> None:
    for said in ("插入一个表格，列为“日期、时间”、金额", "插入一个表格，列为“日期、时间”、金额，4行"):
        assert _header(draft_plan(said, host="wps", language="zh")) == ["日期、时间", "金额"]


@pytest.mark.parametrize(
    ("request_", "kind"),
    [
        ("Bars please, not a line: Q1 120, Q2 140", 4),
        ("画图，不要柱状的，Q1 120、Q2 140", 51),
        ("用柱状图而不是饼图", 5),
    ],
)
def test_a_chart_that_was_refused_is_not_drawn(request_: str, kind: int) -> None:
    chart: JsonObject = {"op": "insert_chart_from_selection", "chart_type": kind, "title": "Revenue"}
    data: JsonObject = {"op": "insert_table", "data": [["Quarter", "Revenue"], ["Q1", "120"], ["Q2", "140"]]}
    with pytest.raises(Unclear):
        check_refused(RequestText(request_), [data, chart])
    check_refused(RequestText(request_), [data, {**chart, "chart_type": 51 if kind != 51 else 4}])


@pytest.mark.parametrize(
    ("said", "content"),
    [
        ("加一页幻灯片，标题“计划”，要点：成本、进度、质量，不要质量", "成本\n进度"),
        ("加一页幻灯片，标题“计划”，要点：成本、进度、质量，不要风险", ""),
        ("加一页幻灯片，标题“纪律”，要点：准时、不要迟到、安静", "准时\n不要迟到\n安静"),
        ('Add a slide titled "Plan" with the points cost, time, quality, but not time', "cost\nquality"),
        ('Add a slide titled "Plan" with three points: cost, time, not quality', ""),
    ],
)
def test_a_refused_point_of_a_slide_is_not_written(said: str, content: str) -> None:
    draft = draft_plan(said, host="wpp", language="zh" if "页" in said else "en")
    assert (repr(content) in str(draft.plan)) if content else (draft.plan is None), draft


@pytest.mark.parametrize("more", ["[skip notes]", "(drop notes)", "(skip the notes column)"])
def test_what_a_bracket_refuses_is_taken_out(more: str) -> None:
    drafted = draft_plan(f"Create a table with columns: name, dept, notes {more}", host="et", language="en")
    assert drafted.plan is not None
    assert "notes" not in str(drafted.plan)


@pytest.mark.parametrize("more", ["(drop the last one)", "[skip the last two columns]", "- drop notes"])
def test_what_is_refused_by_its_place_is_asked_about_in_the_words_that_were_said(more: str) -> None:
    drafted = draft_plan(f"Create a table with columns: name, dept, notes {more}", host="et", language="en")
    assert drafted.plan is None
    assert "add" not in drafted.question
