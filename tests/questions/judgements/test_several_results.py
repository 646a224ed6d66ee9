"""Questions that look at more than the newest result: what is left, two results side by side, what to do."""

from metier.json_values import JsonObject, JsonValue
from metier.questions import Results, answer_judgement, collect_results


def _table(title: str, *values: float) -> tuple[str, JsonObject]:
    columns: list[JsonValue] = [{"key": "cell", "title": "小区id"}, {"key": "rsrp", "title": "RSRP均值", "unit": "dBm"}]
    rows: list[JsonValue] = [[f"C{at}-{value}", value] for at, value in enumerate(values)]
    return "table", {"table": title, "title": title, "columns": columns, "rows": rows, "offset": 0, "total": len(rows)}


def _turn(said: str, verdict: str, *tables: tuple[str, JsonObject]) -> tuple[str, list[tuple[str, JsonObject]]]:
    return said, [
        *tables,
        ("text.done", {"text": f"**{verdict}**，共一项。\n\n- **下倾角过大**：2个小区如此。按规划重设下倾角。"}),
    ]


CHAOYANG = _turn("分析朝阳", "朝阳较差", _table("小区级", -100.0, -90.0), _table("弱覆盖（2 个小区）", -100.0, -90.0))
TIANHE = _turn("和广州比", "广州较好", _table("小区级", -80.0), _table("弱覆盖（1 个小区）", -80.0))
SIMULATED = _turn("仿真", "目标部分达到", _table("仿真后仍未解决的小区", -99.0, -98.0))


def _answer(asked: str, *turns: tuple[str, list[tuple[str, JsonObject]]]) -> str:
    results: Results = collect_results(turns, "zh")
    answer = answer_judgement(asked, results, "zh")  # type: ignore[arg-type]
    assert answer is not None
    return "\n".join([answer.text, *(str(row) for table in answer.tables for row in table.rows)])


def test_two_results_of_one_kind_stand_side_by_side_with_verdicts_means_and_numbers_of_rows() -> None:
    told = _answer("compare", TIANHE, CHAOYANG)
    assert "('结论', '朝阳较差，共一项。', '广州较好，共一项。')" in told
    assert "('小区级 · RSRP均值 (dBm)', -95.0, -80.0)" in told
    assert "('弱覆盖', 2, 1)" in told


def test_one_result_alone_is_compared_with_nothing() -> None:
    assert "没有两份同类的结果" in _answer("compare", CHAOYANG)


def test_what_is_left_is_told_from_its_table_also_after_other_work() -> None:
    assert "共 2 个" in _answer("remaining", SIMULATED, CHAOYANG)
    assert "共 2 个" in _answer("remaining", TIANHE, SIMULATED)


def test_all_rows_are_shown_with_the_names_of_the_other_tables() -> None:
    told = _answer("all", CHAOYANG)
    assert "「小区级」，共 2 行" in told
    assert "「弱覆盖（2 个小区）」" in told


def test_without_a_change_nothing_is_called_unsolved() -> None:
    assert _answer("remaining", CHAOYANG).startswith("结果里没有改动或仿真过的内容")


def test_what_to_do_is_answered_with_the_advice_of_the_report() -> None:
    assert "按规划重设下倾角" in _answer("remedy", CHAOYANG)


def test_a_number_of_pages_is_refused_and_the_main_points_are_told() -> None:
    told = _answer("pages", CHAOYANG)
    assert "不会凑成几页" in told
    assert "朝阳较差" in told
