"""Questions that are read word by word: conditions, groups, changes, indicators, and choices of rows."""

from metier.language import Language, language_of
from metier.questions import Answer, Results, ResultTable, TableColumn, answer_question, choose_rows, parse_question

_CELLS = [
    ("NJ_0071_1", 0, -117.0, 12.5, 91.8, 15.0, 43.0, 8.0),
    ("0033_1", 0, -103.3, 1.1, 84.8, 64.1, 44.9, 4.0),
    ("0033_3", 1, -113.0, 13.3, 16.7, 3.3, 45.8, 12.0),
    ("LX_Alma_14B", 1, -88.6, -2.6, 59.8, 9.0, 38.6, 9.0),
    ("QB_2207_3", 0, -88.5, 22.9, 20.3, 151.0, 40.8, 6.0),
]
_PLACES = {"zh": ("鼓楼", "江宁"), "en": ("Northgate", "Docklands")}
_HEADS = {
    "zh": ("小区", "区域", "RSRP", "SINR", "PRB利用率", "下行速率", "功率", "下倾角"),
    "en": ("cell", "district", "RSRP", "SINR", "PRB utilisation", "downlink", "power", "tilt"),
}
_UNITS = ("", "", "dBm", "dB", "%", "Mbps", "dBm", "°")
_KINDS = {"zh": ("下倾角", "功率", "方位角"), "en": ("tilt", "power", "azimuth")}
_CHANGES = [("NJ_0071_1", 0, 8, 4), ("NJ_0071_1", 1, 43, 46), ("0033_1", 1, 46, 42), ("LX_Alma_14B", 2, 350, 10)]
_FINDINGS = {"zh": (("弱覆盖", 14), ("干扰", 9), ("高负荷", 6)), "en": (("weak coverage", 14), ("interference", 9))}
_INDICATORS = {
    "zh": (("掉线率", "1.8 %", "1.1 %"), ("吞吐量", "42 Mbps", "51.5 Mbps"), ("接入成功率", "98 %", "97.6 %")),
    "en": (("drop rate", "1.8 %", "1.1 %"), ("throughput", "42 Mbps", "51.5 Mbps")),
}
_TITLES = {
    "zh": ("小区指标", "根因", "参数调整", "KPI"),
    "en": ("Cells", "Root causes", "Parameter changes", "KPI"),
}
# What is asked, and words of the answer, which is of the first, second, third or fourth table.
_ASKED = [
    ("RSRP低于-110同时PRB又高于60%的有没有", 0, ["5 行中有 1 行", "NJ_0071_1"]),
    ("PRB利用率过70%的有几个?", 0, ["有 2 行", "高于 70 %"]),
    ("PRB超过七成的有哪些", 0, ["有 2 行"]),
    ("速率中位数给一个,别给平均", 0, ["中位数 15 Mbps"]),
    ("鼓楼区平均下行多少兆", 0, ["3 行", "76.7 Mbps"]),
    ("各區小區數列一下,我要寫進日報", 0, ["| 鼓楼 | 3 |", "| 江宁 | 2 |"]),
    ("下行不到10兆的几个,都在哪些区", 0, ["2 行", "| 江宁 | 2 |"]),
    ("江宁的跟鼓楼的比,平均RSRP差几个dB", 0, ["相差 2.13 dB"]),
    ("弱覆盖占多大比例", 1, ["48.3 %"]),
    ("根因里头哪一类小区最多", 1, ["弱覆盖 | 14"]),
    ("功率调整幅度最大的是哪条", 2, ["0033_1", "| 46 | 42 |"]),
    ("NJ_0071_1都改了啥参数", 2, ["4 处改动中有 2 处"]),
    ("有没有哪个小区功率和倾角都动了", 2, ["涉及 1 个小区", "NJ_0071_1"]),
    ("一共改了多少条?涉及多少个小区", 2, ["4 处改动中有 4 处", "涉及 3 个小区"]),
    ("优化前后掉线率差了多少个点", 3, ["1.8 %", "1.1 %", "-0.7 个百分点"]),
    ("哪几个KPI反而变差了", 3, ["接入成功率", "97.6 %"]),
    ("哪个指标上升最多", 3, ["上升最大", "吞吐量", "+22.6 %"]),
    ("哪个指标下降最多", 3, ["下降最大", "掉线率", "-38.9 %"]),
    ("which KPI was raised the most", 3, ["rise", "throughput", "+22.6 %"]),
    ("which indicator went up most", 3, ["rise", "throughput"]),
    ("which indicator fell the most", 3, ["fall", "drop rate"]),
    ("which KPIs went up", 3, ["rise", "throughput"]),
    ("which KPI improved the most", 3, ["improvement", "drop rate"]),
    ("下发以后吞吐量变成多少了", 3, ["51.5 Mbps"]),
    ("which cell is the fastest and is it also the emptiest", 0, ["QB_2207_3", "not the same"]),
    ("what percentage of cells is above 80 PRB", 0, ["2 of 5 rows", "40.0 %"]),
    ("histogram of PRB in steps of ten", 0, ["10 to 20: 1", "90 to 100: 1"]),
    ("how far is 0033_1 from the district average on RSRP", 0, ["0.37 dB"]),
    ("which district has the most bad ones, say RSRP under -108", 0, ["Northgate", "Docklands"]),
    ("which azimuths change by more than 10 degrees?", 2, ["1 of 4 changes", "| 350 | 10 | 20 |"]),
    ("Old and new power for every cell where we lowered it", 2, ["1 of 4 changes", "| 46 | 42 |"]),
    ("which params did we change most often", 2, ["| power | 2 |"]),
    ("did we touch anything on QB_2207_3? I thought that one was off limits", -1, ["not among the 4 rows"]),
    ("did throughput go up or down overall and by how many percent", 3, ["+22.6 %"]),
]
# Nothing of these may be answered with a figure.
_NOT_ASKED = [
    *("时延最高的是哪个小区", "上个月的RSRP是多少", "把下倾角调低", "看看干扰", "HX_0001_1的SINR是多少来着"),
    *("which cell has the most users?", "lower the power", "change the tilt of 0033_1 to 3"),
]


def results_of(language: Language) -> Results:
    places, kinds, titles = _PLACES[language], _KINDS[language], _TITLES[language]
    heads = tuple(TableColumn(one, one, unit) for one, unit in zip(_HEADS[language], _UNITS, strict=True))
    cells = tuple((row[0], places[row[1]], *row[2:]) for row in _CELLS)
    changes = tuple((name, kinds[at], old, new) for name, at, old, new in _CHANGES)
    named = {"zh": (("根因", "小区数"), ("小区", "参数", "原值", "新值"), ("指标", "优化前", "优化后"))}
    named["en"] = (("cause", "cells"), ("cell", "parameter", "old", "new"), ("KPI", "before", "after"))
    others = (_FINDINGS[language], changes, _INDICATORS[language])
    made = [ResultTable(titles[0], heads, cells, len(cells), "Analyse")]
    for title, columns, rows in zip(titles[1:], named[language], others, strict=True):
        made.append(ResultTable(title, tuple(TableColumn(one, one) for one in columns), rows, len(rows), "Analyse"))
    return Results(tuple(made))


def ask(text: str) -> Answer | None:
    question, language = parse_question(text), language_of(text)
    return None if question is None else answer_question(question, results_of(language), language)


def test_a_question_whose_words_all_have_their_place_is_answered_from_one_table() -> None:
    wrong = []
    for text, at, words in _ASKED:
        answer = ask(text)
        told = "" if answer is None else answer.text
        title = _TITLES[language_of(text)][at] if at >= 0 else ""
        if title not in told or not all(word in told for word in words):
            wrong.append((text, told))
    assert wrong == []


def test_a_group_with_a_bar_in_its_name_stays_in_its_cell() -> None:
    heads = (TableColumn("cell", "cell"), TableColumn("district", "district"))
    table = ResultTable(
        "Cells", heads, (("C1", "North|gate"), ("C2", "North|gate"), ("C3", "Docks\nEast")), 3, "Analyse"
    )
    question = parse_question("number of cells per district")
    assert question is not None
    answer = answer_question(question, Results((table,)), "en")
    assert answer is not None
    assert {"| North\\|gate | 2 |", "| Docks East | 1 |"} <= set(answer.text.splitlines())


def test_what_no_table_has_and_what_orders_something_gets_no_figure() -> None:
    found = {text: ask(text) for text in _NOT_ASKED}
    assert [text for text, answer in found.items() if answer is not None and answer.found] == []


def test_words_choose_rows_of_a_list_of_changes_or_none_at_all() -> None:
    wanted = {
        "除了功率": (0, 3),
        "功率别动": (0, 3),
        "只改方位角": (3,),
        "前2条就行": (0, 1),
        "only the first 2": (0, 1),
    }
    wanted |= {"except the power": (0, 3), "only 0033_1": (2,), "everything but not the tilt": (1, 2, 3)}
    found = {}
    none = ["yes", "no", "later maybe", "除了时延", "except the gardens", "all of them"]
    none += ["all but the first 2", "don't leave out the power", "besides the power also the tilt"]
    none += ["只要功率不要方位角", "除了方位角还要功率", "前2条是什么"]
    for text in (*wanted, *none):
        language = language_of(text)
        choice = choose_rows(text, results_of(language).tables[2], language)
        found[text] = None if choice is None else choice.rows
    assert {text: rows for text, rows in found.items() if rows is not None} == wanted


def test_a_code_is_no_figure_and_what_no_table_has_is_neither_drawn_nor_counted() -> None:
    cells = tuple((f"460-00-10000{at}", f"460-00-10001{at}", -90.0 - at) for at in range(4))
    columns = (TableColumn("cell", "cell"), TableColumn("target", "target cell"), TableColumn("rsrp", "RSRP", "dBm"))
    results = Results((ResultTable("Missing neighbour", columns, cells, 4, "Analyse"),))
    answers = {}
    for text in (
        "how many cells did you look at in total?",
        "which site has the most bad cells",
        "plot RSRP against throughput",
        "any cell with two causes?",
    ):
        question = parse_question(text)
        answer = answer_question(question, results, "en") if question is not None else None
        answers[text] = answer.text if answer is not None and answer.found else ""
    assert not any("1840" in text or "from high to low" in text for text in answers.values())
    assert {text: said for text, said in answers.items() if said} == {
        "how many cells did you look at in total?": answers["how many cells did you look at in total?"]
    }
    assert answers["how many cells did you look at in total?"].startswith("4 ")


def test_the_newest_table_of_its_kind_is_asked_though_an_earlier_turn_has_a_larger_one() -> None:
    columns = (TableColumn("cell", "小区id"), TableColumn("rsrp", "RSRP均值", "dBm"))
    newest = ResultTable("小区级 · 指标", columns, (("A1", -80.0), ("A2", -90.0)), 2, "海淀弱覆盖分析")
    rows = tuple((f"B{at}", -100.0 - at) for at in range(5))
    earlier = ResultTable("小区级 · 指标", columns, rows, 5, "朝阳弱覆盖分析")
    question = parse_question("平均RSRP是多少")
    assert question is not None
    answer = answer_question(question, Results((newest, earlier), said="海淀弱覆盖分析"), "zh")
    assert answer is not None
    assert "-85 dBm" in answer.text
    assert "海淀弱覆盖分析" in answer.text
