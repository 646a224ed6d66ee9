"""Questions about results on screen are answered from them; a new request is none of these questions."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from metier.language import Language
from metier.questions import (
    Answer,
    ResultChart,
    Results,
    ResultTable,
    TableColumn,
    answer_question,
    collect_results,
    parse_question,
    remind_of_question,
    results_from_events,
)
from metier.questions._numbers import find_count

_RECORDED = json.loads(Path(__file__).with_name("telecom_results.json").read_text("utf-8"))
_CELLS, _GRID, _LOAD = "小区级 · 指标", "栅格级 · 指标", "根因：高负荷"
# What is asked, the table or chart that the answer names, and words it must have.
_CHINESE = [
    ("第二个小区的 RSRP 是多少？", _CELLS, ["460-00-100034", "RSRP均值", "-104.35 dBm"]),
    ("第一个小区的MR覆盖率", _CELLS, ["460-00-100031", "54.65 %"]),
    ("第3行", _CELLS, ["460-00-100062", "-100.09", "64.24"]),
    ("第十个小区呢", _CELLS, ["460-00-100076"]),
    ("最后一个小区呢", _CELLS, ["460-00-100036", "-95.22"]),
    ("第200个小区的RSRP", _CELLS, ["没有第 200 行"]),
    ("第二个小区的 SINR 是多少", _CELLS, ["没有这一项", "MR覆盖率"]),
    ("第七个小区的用户数是多少", _LOAD, ["460-00-100037", "60.2"]),
    ("460-00-100034 的覆盖率是多少", _CELLS, ["56.95 %"]),
    ("小区100034的RSRP", _CELLS, ["-104.35 dBm"]),
    ("100037的PRB利用率是多少", _LOAD, ["下行PRB利用率", "95.93 %"]),
    ("哪些小区低于 -110", _CELLS, ["12 行中有 0 行", "-110 dBm"]),
    ("哪些小区RSRP低于-104", _CELLS, ["2 行", "460-00-100031", "460-00-100034"]),
    ("RSRP 低于 -140 的栅格", _GRID, ["-141.13"]),
    ("哪些小区的 PRB 利用率超过 90%", _LOAD, ["3 行", "460-00-100007"]),
    ("MR覆盖率低于60%的小区有哪些", _CELLS, ["2 行"]),
    ("MR覆盖率不到60%的有多少个", _CELLS, ["12 行中有 2 行"]),
    ("RRC连接成功率低于80%的小区", "根因：接入异常", ["1 行", "79.96"]),
    ("弱覆盖小区有几个", "根因：弱覆盖", ["共 12 行"]),
    ("一共有多少个小区", _CELLS, ["共 12 行"]),
    ("RSRP最低的小区是哪个", _CELLS, ["460-00-100031", "从低到高"]),
    ("最差的5个小区", _CELLS, ["前 5 行", "460-00-100092"]),
    ("RSRP最差的三个小区", _CELLS, ["前 3 行", "460-00-100062"]),
    ("PRB利用率最高的小区", _LOAD, ["460-00-100037", "95.93", "从高到低"]),
    ("PRB利用率最差的小区", _LOAD, ["460-00-100037", "从高到低"]),
    ("用户数最多的前3个小区", _LOAD, ["60.2", "42.3"]),
    ("覆盖率最好的小区是哪个", _CELLS, ["460-00-100036", "81.35"]),
    ("仿真RSRP最低的小区是哪个", "小区级 · 仿真结果", ["460-00-100095", "-96.89"]),
    ("增益最大的2个参数", "推荐参数", ["目标增益"]),
    ("第二个推荐参数是什么", "推荐参数", ["方位角", "新值 20"]),
    ("比较第一个和第三个小区", _CELLS, ["4.81 dB", "9.59 个百分点"]),
    ("对比 100031 和 100034 的 RSRP", _CELLS, ["0.55 dB"]),
    ("第一个和第二个小区的RSRP差多少", _CELLS, ["0.55 dB"]),
    ("RSRP的平均值是多少", _CELLS, ["平均为", "最低 -104.9 dBm"]),
    ("换成折线图", "RSRP均值 优化前后对比", ["折线图", "line", "line"]),
    ("把MR覆盖率的图换成散点图", "MR覆盖率 优化前后对比", ["scatter"]),
    ("用柱状图显示", "RSRP均值 优化前后对比", ["grouped_bar"]),
    ("换成热力图", "RSRP · 优化前", ["heatmap"]),
    ("用表格显示", "RSRP均值 优化前后对比", ["table"]),
    ("查看图表背后的数据", "RSRP均值 优化前后对比", ["460-00-100031"]),
    ("把结果画成图表", "RSRP均值 优化前后对比", ["grouped_bar"]),
    ("倒数第二个小区是哪个", _CELLS, ["第 11 行"]),
    ("头三个小区列一下", _CELLS, ["前 3 行", "460-00-100062"]),
    ("末尾五个小区", _CELLS, ["最后 5 行", "460-00-100036"]),
    ("哪个小区信号最差", _CELLS, ["460-00-100031", "从低到高"]),
    ("信号最强的小区", _CELLS, ["460-00-100036"]),
    ("给我看PRB利用率前五名", _LOAD, ["前 5 行", "95.93"]),
    ("前三个小区的RSRP", _CELLS, ["前 3 行", "460-00-100062"]),
    ("RSRP倒数五名", _CELLS, ["从低到高", "460-00-100031"]),
    ("哪几个小区RSRP低于负一百零四", _CELLS, ["低于 -104 dBm"]),
    ("RSRP大于等于-96的小区", _CELLS, ["不低于 -96 dBm"]),
    ("覆盖率超过七成五的有多少", _CELLS, ["高于 75 %"]),
    ("完整的表格给我", _CELLS, ["12 行"]),
    ("只看前20行", _CELLS, ["前 12 行"]),
    ("覆盖率介于50%到60%的小区", _CELLS, ["12 行中有 2 行", "不低于 50 %"]),
    ("大于95%负荷的小区有几个", _LOAD, ["7 行中有 1 行"]),
    ("覆盖率没到七成的小区", _CELLS, ["低于 70 %"]),
    ("RSRP比-100差的小区数量", _CELLS, ["低于 -100 dBm"]),
    ("RSRP不低于-96的小区", _CELLS, ["不低于 -96 dBm"]),
    ("第1个跟第4个小区比一比", _CELLS, ["RSRP均值", "dB"]),
    ("100031和100062哪个更差", _CELLS, ["4.81 dB"]),
    ("最好和最差的小区差多少", _CELLS, ["460-00-100031", "460-00-100036", "dB"]),
    ("RSRP的中位数", _CELLS, ["中位数"]),
    ("覆盖率合计", _CELLS, ["不能相加", "平均"]),
    ("用户数总和是多少", _LOAD, ["合计"]),
    ("RSRP最大值最小值", _CELLS, ["-104.9 dBm", "相差"]),
    ("画成饼图", "RSRP均值 优化前后对比", ["没有这一种图", "grouped_bar"]),
    ("我想看曲线图", "RSRP均值 优化前后对比", ["line"]),
    ("按覆盖率降序排列", _CELLS, ["从高到低"]),
    ("显示全部小区", _CELLS, ["12 行"]),
    ("哪些小区高负荷", _LOAD, ["共 7 行"]),
    ("100034这个小区怎么样", _CELLS, ["56.95", "根因："]),
    ("第二个和第三个小区的覆盖率分别是多少", _CELLS, ["56.95 %", "64.24 %"]),
    ("有几个根因", "找到", ["根因：高负荷"]),
    ("为啥覆盖这么差", "找到", ["1. 根因"]),
]
_CELLS_EN, _LOAD_EN = "Cell level · indicators", "Cause: Overload"
_ENGLISH = [
    ("and the second cell?", _CELLS_EN, ["460-00-100034", "mean RSRP -104.35 dBm"]),
    ("what is the RSRP of the second cell?", _CELLS_EN, ["mean RSRP is -104.35 dBm"]),
    ("MR coverage of the first cell", _CELLS_EN, ["54.65 %"]),
    ("row 3", _CELLS_EN, ["460-00-100062"]),
    ("the 10th cell", _CELLS_EN, ["460-00-100076"]),
    ("the last cell?", _CELLS_EN, ["460-00-100036"]),
    ("the 200th cell", _CELLS_EN, ["there is no row 200"]),
    ("what is the SINR of the second cell", _CELLS_EN, ["do not say this", "MR coverage"]),
    ("RSRP of 460-00-100034", _CELLS_EN, ["-104.35 dBm"]),
    ("what about cell 100034", _CELLS_EN, ["56.95"]),
    ("PRB utilisation of 100037", _LOAD_EN, ["95.93 %"]),
    ("which cells are below -110", _CELLS_EN, ["0 of 12"]),
    ("cells with RSRP below -104 dBm", _CELLS_EN, ["2 of 12", "460-00-100034"]),
    ("grids with RSRP under -140", "Grid level · indicators", ["-141.13"]),
    ("PRB above 90 %", _LOAD_EN, ["3 of 7"]),
    ("which cells have MR coverage under 60%", _CELLS_EN, ["2 of 12"]),
    ("how many cells have MR coverage under 60 %", _CELLS_EN, ["2 of 12"]),
    ("RRC success below 80 %", "Cause: Access failures", ["1 of 12"]),
    ("how many weak coverage cells", "Cause: Weak coverage", ["12 rows"]),
    ("how many cells are there", _CELLS_EN, ["12 rows"]),
    ("which cell has the lowest RSRP", _CELLS_EN, ["460-00-100031", "low to high"]),
    ("the five worst cells", _CELLS_EN, ["first 5", "460-00-100092"]),
    ("worst 3 cells by RSRP", _CELLS_EN, ["first 3", "460-00-100062"]),
    ("highest downlink PRB utilisation", _LOAD_EN, ["460-00-100037", "high to low"]),
    ("worst PRB", _LOAD_EN, ["460-00-100037", "high to low"]),
    ("top 3 users", _LOAD_EN, ["60.2", "42.3"]),
    ("best coverage", _CELLS_EN, ["81.35"]),
    ("which cell has the lowest simulated RSRP", "Cell level · simulation", ["460-00-100095"]),
    ("the 2 highest gains", "recommended parameters", ["gain"]),
    ("the second recommended parameter", "recommended parameters", ["azimuth", "will be 20"]),
    ("compare the first and the third cell", _CELLS_EN, ["4.81 dB", "9.59 percentage points"]),
    ("compare 100031 and 100034", _CELLS_EN, ["0.55 dB"]),
    ("difference of RSRP between the first and second cell", _CELLS_EN, ["0.55 dB"]),
    ("average RSRP", _CELLS_EN, ["lowest -104.9 dBm"]),
    ("as a line chart", "mean RSRP before and after", ["line", "line"]),
    ("make the MR coverage chart a scatter plot", "MR coverage before and after", ["scatter"]),
    ("as bars please", "mean RSRP before and after", ["grouped_bar"]),
    ("show it as a heat map", "RSRP · before", ["heatmap"]),
    ("as a table", "mean RSRP before and after", ["table"]),
    ("Show the figures behind the chart", "mean RSRP before and after", ["460-00-100031"]),
    ("Show this as a chart", "mean RSRP before and after", ["grouped_bar"]),
    ("which is the second to last cell", _CELLS_EN, ["Row 11"]),
    ("RSRP of number five", _CELLS_EN, ["Row 5"]),
    ("list the first three cells", _CELLS_EN, ["first 3 rows", "460-00-100062"]),
    ("which cell has the poorest signal", _CELLS_EN, ["460-00-100031"]),
    ("strongest cell", _CELLS_EN, ["460-00-100036"]),
    ("ten cells with the best RSRP", _CELLS_EN, ["first 10", "high to low"]),
    ("show me the top five by PRB utilisation", _LOAD_EN, ["first 5"]),
    ("which ones are under -104", _CELLS_EN, ["2 of 12"]),
    ("cells with coverage between 50% and 60%", _CELLS_EN, ["2 of 12", "at least 50 %"]),
    ("how many cells are loaded more than 95%", _LOAD_EN, ["1 of 7"]),
    ("cells whose coverage is less than seventy percent", _CELLS_EN, ["below 70 %"]),
    ("number of cells worse than -100 dBm", _CELLS_EN, ["below -100 dBm"]),
    ("put cell 1 and cell 3 side by side", _CELLS_EN, ["4.81 dB"]),
    ("gap between the best and the worst cell", _CELLS_EN, ["460-00-100031", "460-00-100036"]),
    ("median RSRP", _CELLS_EN, ["median -96.92 dBm"]),
    ("sum of users", _LOAD_EN, ["together"]),
    ("total number of users", _LOAD_EN, ["together"]),
    ("max and min RSRP", _CELLS_EN, ["lowest -104.9 dBm"]),
    ("draw a pie chart", "mean RSRP before and after", ["not available", "grouped_bar"]),
    ("could I get a curve instead", "mean RSRP before and after", ["line"]),
    ("sort by RSRP ascending", _CELLS_EN, ["low to high"]),
    ("RSRP of the first two cells", _CELLS_EN, ["first 2 rows"]),
    ("cells at or above -96 dBm", _CELLS_EN, ["at least -96 dBm"]),
    ("give me the full table", _CELLS_EN, ["12 rows"]),
    ("only the first 20 rows", _CELLS_EN, ["first 12 rows"]),
    ("show all cells", _CELLS_EN, ["12 rows"]),
    ("let me see the raw numbers", "mean RSRP before and after", ["460-00-100031"]),
    ("tell me about cell 100034", _CELLS_EN, ["56.95", "Cause:"]),
    ("what is the main cause", "Causes that were found", ["1. Cause"]),
]
# Second round: what other people asked; a word that no heading has is named, and nothing is answered by half.
_CHINESE += [
    ("哪几个小区的RSRP低于-100？", _CELLS, ["12 行中有 3 行", "460-00-100062"]),
    ("RRC连接成功率最低的是哪三个小区", "根因：接入异常", ["前 3 行", "79.96"]),
    ("第三个小区和第五个小区哪个好", _CELLS, ["460-00-100092 更好", "2.01 dB"]),
    ("覆盖率低于六成的小区占多少比例", _CELLS, ["12 行中有 2 行", "16.7 %"]),
    ("优化后RSRP最差的小区是哪个", "小区级 · 仿真结果", ["460-00-100095", "-96.89"]),
    ("100031优化前后RSRP各是多少", _CELLS, ["-104.9 dBm", "-95.61 dBm", "+9.29 dB"]),
    ("哪个小区优化提升最大", _CELLS, ["460-00-100031", "+9.29 dB"]),
    ("哪些小区的覆盖率反而变差了", _CELLS, ["有 0 个"]),
    ("PRB利用率最高的五个小区和它们的用户数", _LOAD, ["95.93 | 60.2", "前 5 行"]),
    ("用户数超过50的小区", _LOAD, ["7 行中有 2 行", "12 个里只有"]),
    ("推荐参数里有几个是改下倾角的", "推荐参数", ["12 处改动中有 5 处"]),
    ("哪些小区要改功率", "推荐参数", ["有 2 处", "460-00-100034"]),
    ("460-00-100031要改什么参数", "推荐参数", ["有 3 处", "涉及 1 个"]),
    ("接入成功率怎么样", "根因：接入异常", ["84.15 %", "460-00-100025"]),
    ("第五到第八个小区的RSRP", _CELLS, ["-98.08", "-97.46", "-96.38", "-96.24"]),
    ("上行PRB利用率达到100%的小区", _LOAD, ["7 行中有 2 行"]),
    ("不是弱覆盖的小区有哪些", _CELLS, ["12 个中有 8 个不在"]),
    ("100037忙不忙", _LOAD, ["是：460-00-100037", "95.93 %"]),
    ("哪些小区既弱覆盖又高负荷", "根因：弱覆盖", ["都有的共", "根因：高负荷"]),
    ("第二差的小区是哪个", _CELLS, ["460-00-100034", "第 2 行"]),
    ("小区100092的经纬度", _CELLS, ["116.463614", "39.924273"]),
    ("把RSRP最低的三个小区画成图", "小区级 · 指标 · RSRP均值", ["grouped_bar"]),
    ("除了100031，哪个小区RSRP最低", _CELLS, ["460-00-100034"]),
    ("最差的栅格在哪里", _GRID, ["-141.13 | 116."]),
    ("为什么100031覆盖差", _CELLS, ["根因的表里", "高负荷", "23.2"]),
    ("用户数增加最多的小区", _CELLS, ["「增加」"]),
    ("RSRP最低的小区要改哪些参数", _CELLS, ["请分开问"]),
    ("100062的时延是多少", _CELLS, ["没有这一项：「时延」"]),
    ("100031的功率是多少", "推荐参数", ["| 41 | 45.5 |"]),
    ("丢包率最高的小区", _CELLS, ["「丢包率」"]),
    ("RRC连接成功率低于90%同时RSRP低于-95的小区", _CELLS, ["12 行中有 6 行", "根因：接入异常"]),
]
_ENGLISH += [
    ("Which three cells have the lowest RSRP?", _CELLS_EN, ["first 3", "460-00-100062"]),
    ("How many users does cell 100037 have?", _LOAD_EN, ["users is 60.2"]),
    ("What's the latency of the first cell?", _CELLS_EN, ["“latency”"]),
    ("Which is better, 100031 or 100062?", _CELLS_EN, ["460-00-100062 is better"]),
    ("What share of cells is below 60% coverage?", _CELLS_EN, ["2 of 12", "16.7 %"]),
    ("List cells that need a tilt change.", "recommended parameters", ["5 of 12 changes"]),
    ("What should be changed at 460-00-100031?", "recommended parameters", ["3 of 12 changes"]),
    ("does 100001 need any change?", "recommended parameters", ["nothing is to be changed"]),
    ("Which cells are not overloaded?", _CELLS_EN, ["7 of 12 are not in"]),
    ("Average number of users in the overloaded cells", _LOAD_EN, ["41.53"]),
    ("Top 10 weak coverage cells", "Cause: Weak coverage", ["the first 10", "45.37"]),
    ("Cells 5 to 8", _CELLS_EN, ["Row 5", "Row 8"]),
    ("Is 100031 overloaded?", _LOAD_EN, ["Yes: 460-00-100031"]),
    ("Which cell covers the worst grid?", "Grid level", ["-141.13"]),
    ("the second worst cell", _CELLS_EN, ["460-00-100034", "number 2"]),
    ("How many cells are still below 80% coverage after the optimisation?", "simulation", ["2 of 12", "79.17"]),
    ("And the uplink?", _LOAD_EN, ["uplink PRB utilisation: mean 86.58"]),
    ("Among the weak coverage cells, which has the highest RSRP?", "Cause: Weak coverage", ["-93.09"]),
    ("highest packet loss of all cells", _CELLS_EN, ["“packet”, “loss”"]),
    ("RSRP below -95 and coverage below 60%", _CELLS_EN, ["2 of 12 rows"]),
]
_NO_QUESTIONS = [
    "分析浦东4G干扰", "帮我分析一下朝阳区的弱覆盖问题", "下发参数", "撤销刚才下发的参数", "弱覆盖是什么意思",
    "RSRP 是什么", "再看看干扰", "做一次容量专项分析", "你好", "谢谢", "自定义一个仿真方案",
    "最好的办法是什么", "我有几个问题", "预算低于100元", "需不需要扩容", "给天河做一个仿真计划，只调下倾角",
    "怎么处理最差的小区", "Analyse the interference in Pudong", "apply the recommended parameters",
    "what does RSRP mean", "now look at interference", "hello", "undo them", "wait a second",
    "plan a simulation of my own", "do a capacity analysis", "what is RSRP?", "how do I fix the worst cell",
    "thanks, that is the best", "/coverage_analysis the second cell",
]  # fmt: skip


def results_of(language: Language) -> Results:
    recorded = _RECORDED[language]
    return results_from_events([(recorded["said"], [(kind, data) for kind, data in recorded["events"]])])


def ask(text: str, results: Results, language: Language) -> Answer | None:
    question = parse_question(text)
    return None if question is None else answer_question(question, results, language)


def everything_in(answer: Answer) -> str:
    shown = [json.dumps(one.rows, default=list) for one in answer.tables]
    return "\n".join([answer.text, *shown, *(one.kind for one in answer.charts)])


@pytest.mark.parametrize(("language", "cases"), [("zh", _CHINESE), ("en", _ENGLISH)], ids=["zh", "en"])
def test_the_answer_has_the_value_and_names_its_table(
    language: Language, cases: list[tuple[str, str, list[str]]]
) -> None:
    results, wrong = results_of(language), []
    for text, title, words in cases:
        answer = ask(text, results, language)
        told = "" if answer is None else everything_in(answer)
        if not told or title not in told or not all(word in told for word in words):
            wrong.append((text, told[:200]))
        said = _RECORDED[language]["said"][:20]
        if answer is not None and answer.found and said not in told:
            wrong.append((text, "does not name the turn"))
    assert wrong == []


def _with_heads(results: Results, heads: dict[str, str]) -> Results:
    """Results whose tables have other headings."""
    tables = (
        replace(one, columns=tuple(replace(head, title=heads.get(head.title, head.title)) for head in one.columns))
        for one in results.tables
    )
    return replace(results, tables=tuple(tables))


def test_a_heading_with_a_capital_and_its_simulated_one_are_the_same_quantity() -> None:
    before, after = "mean RSRP", "simulated RSRP mean"
    plain = _with_heads(results_of("en"), {after: "simulated mean RSRP"})
    titled = _with_heads(results_of("en"), {before: "Mean RSRP", after: "Simulated mean RSRP"})
    older = _with_heads(plain, {"simulated mean RSRP": "Simulated mean RSRP"})
    text = "which three cells improved the most in RSRP"
    told = ask(text, plain, "en")
    assert told is not None
    for results in (titled, older):
        again = ask(text, results, "en")
        assert again is not None
        assert everything_in(again).casefold() == everything_in(told).casefold()


def test_a_table_that_has_the_worst_first_is_read_in_its_order_and_by_its_texts() -> None:
    columns = [{"key": key, "title": key, "type": "text", "unit": ""} for key in ("设备", "故障", "峭度")]
    rows = [["3号电机", "滚动体", 3.1], ["2号风机", "外圈", 3.4], ["1号泵", "外圈", 9.0], ["5号泵", "无", 2.9]]
    page: dict[str, Any] = {
        "table": "t",
        "call": "c",
        "title": "机群（最差在前）",
        "columns": columns,
        "rows": rows,
        "total": 4,
    }
    fleet = results_from_events([("筛查全部设备", [("table", page)])])
    wanted = {
        "最差的三台": "前 3 行",
        "有几台外圈故障": "4 行中有 2 行",
        "峭度最高的设备": "1号泵",
        "温度最高的设备": "「温度」",
    }
    found = {words: getattr(ask(words, fleet, "zh"), "text", "") for words in wanted}
    assert [words for words, part in wanted.items() if part not in found[words]] == []


def test_a_title_of_several_words_does_not_swallow_the_heading_that_is_asked_for() -> None:
    columns = [{"key": key, "title": key, "type": "text", "unit": ""} for key in ("地区", "n", "销售额 (合计)", "平均")]
    rows = [["西南", 53, 2780.5, 52.4], ["华北", 61, 900.0, 14.7], ["华东", 70, 1700.0, 24.2]]
    page: dict[str, Any] = {"table": "t", "call": "c", "columns": columns, "rows": rows, "total": 3}
    sales = results_from_events(
        [("分析示例销售数据", [("table", {**page, "title": "各地区的销售额（合计，共 4 个）"})])]
    )
    wanted = {"哪个地区的销售额最低？": "华北", "销售额最高的两个地区": "前 2 行", "西南的销售额是多少": "2780.5"}
    wanted |= {"有几个地区": "3 行", "华东和华北哪个销售额高": "华东 更高", "各地区平均销售额": "共 3 行"}
    wanted |= {"华东的利润是多少": "「利润」", "昨天的销售额是多少": "「昨天」"}
    found = {words: getattr(ask(words, sales, "zh"), "text", "") for words in wanted}
    assert [words for words, part in wanted.items() if part not in found[words]] == []


def test_a_chart_of_the_last_answer_shows_the_rows_that_it_listed() -> None:
    results = results_of("zh")
    for words, before, count in (
        ("把刚才的结果画出来", "RSRP最低的三个小区", 3),
        ("画成折线图", "RSRP最低的三个小区", 24),
    ):
        question = parse_question(words)
        assert question is not None
        answer = answer_question(question, results, "zh", before)
        assert answer is not None
        assert len(answer.charts[0].spec["rows"]) <= count  # type: ignore[arg-type]
        assert (len(answer.charts[0].spec["rows"]) == 3) == (count == 3)  # type: ignore[arg-type]


def test_a_new_request_is_no_question_about_results() -> None:
    results = results_of("zh")
    assert [text for text in _NO_QUESTIONS if ask(text, results, "zh") is not None] == []
    assert all(parse_question(text) is None for text in ("第二行\n第三行", "第" * 200, ""))


def test_what_comes_next_is_recognised_as_a_whole_only() -> None:
    kinds = {
        text: getattr(parse_question(text), "kind", None) for text in ("继续", "下一步呢？", "go on", "what next?")
    }
    assert set(kinds.values()) == {"continue"}
    assert parse_question("继续：参数下发与撤销") is None


def test_a_newer_result_without_a_chart_is_drawn_unless_the_message_changes_the_chart_before() -> None:
    columns = [{"key": key, "title": key, "type": "text", "unit": ""} for key in ("machine", "level")]
    fleet: dict[str, Any] = {
        "table": "t",
        "call": "c",
        "title": "fleet",
        "columns": columns,
        "rows": [["a", 4], ["b", 2]],
    }
    spec: dict[str, Any] = {
        "kind": "line",
        "title": "spectrum",
        "columns": columns,
        "rows": [["1", 4]],
        "x": "machine",
        "y": ["level"],
    }
    told = collect_results(
        [("screen", [("table", fleet)]), ("diagnose", [("chart", {"call": "d", "spec": spec})])], "en"
    )
    drawn, changed = ask("Show this as a chart", told, "en"), ask("change it to a bar chart", told, "en")
    assert drawn is not None
    assert changed is not None
    assert [one.title for one in drawn.charts] == ["fleet · level"]
    assert [one.title for one in changed.charts] == ["spectrum"]


def test_a_table_is_drawn_when_there_is_no_chart_and_rows_beyond_those_kept_are_told() -> None:
    tables = results_of("zh").tables
    alone = Results(tables=tables[:1])
    drawn = ask("换成折线图", alone, "zh")
    assert drawn is not None
    assert [(one.kind, one.spec["y"]) for one in drawn.charts] == [("line", [tables[0].columns[3].key])]
    behind = ask("查看图表背后的数据", alone, "zh")
    assert behind is not None
    assert behind.tables == tables[:1]
    assert ask("查看图表背后的数据", Results(charts=()), "zh") is None
    assert ask("换成折线图", Results(), "zh") is None
    columns = [{"key": key, "title": key, "type": "text", "unit": ""} for key in ("cell", "RSRP")]
    pages: list[tuple[str, dict[str, Any]]] = [
        ("table", {"table": "t", "call": "c", "title": "x", "columns": columns, "rows": [["a", -1]], "total": 9}),
        ("table", {"table": "t", "call": "c", "rows": [["b", -2], ["|", None]], "total": 9}),
    ]
    partial = ask("RSRP below -1", results_from_events([("hi", pages)]), "en")
    assert partial is not None
    assert "1 of 3 rows" in partial.text
    assert "Only 3 of 9 rows are kept" in partial.text


def test_a_question_in_the_other_language_is_not_quoted() -> None:
    assert remind_of_question("要不要仿真？", "zh") == "还在等你的回答：要不要仿真？"
    assert remind_of_question("要不要仿真？", "en") == "The question above is still open."
    assert remind_of_question("Simulate?", "zh") == "上面的问题还在等你回答。"


@pytest.mark.parametrize(
    ("message", "count"),
    [
        ("哪几个小区RSRP最差", 5),
        ("哪些小区的负荷最高", 5),
        ("which cells have the worst coverage", 5),
        ("哪个小区RSRP最差", 1),
        ("which cell has the worst coverage", 1),
        ("哪3个小区RSRP最差", 3),
        ("which three cells improved the most", 3),
        ("which 3 improved the most", 3),
        ("name two cells that gained most", 2),
        ("which one improved the most", 1),
        ("what 5G cell is the worst", 1),
    ],
)
def test_who_asks_for_several_gets_a_few(message: str, count: int) -> None:
    assert find_count(message) == count


@pytest.mark.parametrize("message", ["换成柱状图", "画一个饼图", "turn it into a bar chart"])
def test_without_a_chart_or_numbers_on_screen_a_wish_for_a_chart_is_left_to_the_skills(message: str) -> None:
    words = ResultTable("审查意见", (TableColumn("a", "位置"), TableColumn("b", "问题")), (("第一条", "空白"),), 1)
    question = parse_question(message)
    assert question is not None
    assert answer_question(question, Results((words,)), "zh") is None


def test_a_chart_that_cannot_be_drawn_so_is_named_as_there() -> None:
    heat = ResultChart({"kind": "heatmap", "title": "相关", "columns": [], "rows": []})
    question = parse_question("换成柱状图")
    assert question is not None
    answer = answer_question(question, Results(charts=(heat,)), "zh")
    assert answer is not None
    assert (answer.found, answer.text) == (False, "屏幕上的图不能换成柱状图。")


@pytest.mark.parametrize(
    "order",
    [
        *(
            "把金额大于300的行标红",
            "把金额最大的行删掉",
            "请将单价低于20的加粗",
            "标红金额大于300的行",
            "删除金额低于100的行",
        ),
        *("colour the rows with an amount over 300 red", "highlight rows with an amount above 300"),
        *("Please delete the rows below 100", "can you bold the highest amount"),
    ],
)
def test_an_order_to_change_rows_is_no_question_about_them(order: str) -> None:
    assert parse_question(order) is None


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        *(("列出金额大于300的行", "filter"), ("哪些小区被标成弱覆盖", "list"), ("把RSRP最低的三个小区画成图", "chart")),
        *(("which rows are over 300", "filter"), ("show the rows below 100", "filter")),
    ],
)
def test_rows_asked_for_by_words_like_those_of_an_order_are_a_question(question: str, kind: str) -> None:
    read = parse_question(question)
    assert read is not None
    assert read.kind == kind


_FLEET = ResultTable(
    "机群（最差在前）",
    (TableColumn("machine", "设备"), TableColumn("state", "状态"), TableColumn("severity", "严重程度", "倍")),
    (("2号风机", "有故障", 3.9), ("1号泵", "可疑", 4.8), ("4号鼓风机", "正常", 1.0)),
    3,
    "筛查所有设备",
)


@pytest.mark.parametrize("title", ["机群（最差在前）", "机群"])
@pytest.mark.parametrize(
    ("question", "by_order", "by_column"),
    [
        ("哪台最严重？", "2号风机", "1号泵"),
        ("最严重的是哪个", "2号风机", "1号泵"),
        ("严重程度最高的是哪台", "1号泵", "1号泵"),
        ("哪台严重程度最差", "1号泵", "1号泵"),
        ("严重程度最低的是哪台", "4号鼓风机", "4号鼓风机"),
    ],
)
def test_the_most_severe_is_the_first_of_a_table_in_that_order_else_the_highest(
    question: str, by_order: str, by_column: str, title: str
) -> None:
    read = parse_question(question)
    assert read is not None
    told = answer_question(read, Results(tables=(replace(_FLEET, title=title),)), "zh")
    assert told is not None
    named = next(name for name in (row[0] for row in _FLEET.rows) if _names_first(told, str(name)))
    assert named == (by_order if title == _FLEET.title else by_column)


def _names_first(told: Answer, name: str) -> bool:
    return any(table.rows[0][0] == name for table in told.tables) or name in told.text
