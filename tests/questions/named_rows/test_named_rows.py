"""What to do about something, and who does what until when, is answered by the rows that name it, or not at all."""

import pytest

from metier.language import Language
from metier.questions import Results, ResultTable, TableColumn, answer_named_rows, answer_question, parse_question


def _table(title: str, heads: tuple[str, ...], *rows: tuple[str | float, ...]) -> ResultTable:
    return ResultTable(title, tuple(TableColumn(one, one) for one in heads), rows, len(rows), "report")


REVIEW = Results(
    (
        _table(
            "审查意见",
            ("位置", "问题", "建议", "原文"),
            ("第三条", "定金为30%，超过20%。", "降到20%以内。", "支付定金300,000元，再付50%，再付30%。"),
            ("第三条", "各期比例合计为110%。", "核对比例。", "支付定金300,000元，再付50%，再付30%。"),
            ("第七条", "仲裁和诉讼并存。", "二选一。", "可以仲裁，也可以起诉。"),
        ),
        _table("条款", ("序号", "标题"), ("第三条", "付款"), ("第七条", "争议"), ("第八条", "其他")),
    ),
    said="report",
)
FLEET = Results(
    (
        _table("Trend", ("record", "value"), ("1", 2.0), ("12", 3.9)),
        _table("Fleet", ("machine", "condition", "severity"), ("pump 1", "faulty", 4.8), ("pump 12", "normal", 1.0)),
    ),
    said="report",
)
MINUTES = Results(
    (
        _table(
            "Action items",
            ("What", "Who", "When"),
            ("fix the issues", "Tom Reed", "2026-03-13"),
            ("write the announcement", "Mark Hill", "2026-03-16"),
            ("contact the vendor", "Tom Reed", "to be settled"),
        ),
        _table("Topics", ("Kind", "What"), ("Topic", "when the new portal goes live"), ("Decision", "20 March")),
    ),
    said="report",
)
TASKS = Results(
    (_table("待办", ("事项", "责任人", "期限"), ("写公告", "李敏", "3月16日"), ("改问题", "张涛", "3月13日")),),
    said="report",
)


def _ask(message: str, results: Results, language: Language) -> str:
    answer = answer_named_rows(message, results, language)
    return answer.text if answer else ""


@pytest.mark.parametrize("message", ["第三条的定金改成多少合适？", "定金要不要降？", "该不该改定金", "定金怎么改"])
def test_what_to_change_is_answered_by_the_finding_that_names_it(message: str) -> None:
    told = _ask(message, REVIEW, "zh")
    assert "降到20%以内" in told
    assert "110%" not in told  # it names the deposit only in the line that it quotes
    assert "由你决定" in told


def test_why_is_answered_by_the_grounds() -> None:
    told = _ask("为什么要改定金？", REVIEW, "zh")
    assert "超过20%" in told
    assert "由你决定" not in told


def test_what_only_quoted_lines_name_is_answered_by_them() -> None:
    told = _ask("要不要起诉？", REVIEW, "zh")
    assert "二选一" in told
    assert "定金" not in told


def test_what_many_findings_name_is_left_to_others() -> None:
    rows = tuple((f"第{at}条", "定金太高。", "降低。") for at in range(5))
    heads = ("位置", "问题", "建议")
    assert _ask("定金要不要降？", Results((_table("审查意见", heads, *rows[:4]),), said="report"), "zh")
    assert _ask("定金要不要降？", Results((_table("审查意见", heads, *rows),), said="report"), "zh") == ""


def test_sentences_of_another_language_are_not_quoted() -> None:
    assert _ask("定金要不要降？", REVIEW, "zh")
    assert _ask("定金要不要降？", REVIEW, "en") == ""


def test_what_no_finding_names_is_told_as_such() -> None:
    assert "没有对「第八条」提出意见" in _ask("第八条要不要删掉？", REVIEW, "zh")


@pytest.mark.parametrize(
    "message", ["Should pump 1 be stopped right now?", "Do we need to stop pump 1?", "should I repair pump 1"]
)
def test_a_machine_is_judged_by_its_own_row_and_by_no_other(message: str) -> None:
    told = _ask(message, FLEET, "en")
    assert "faulty" in told
    assert "normal" not in told
    assert "3.9" not in told


@pytest.mark.parametrize(
    ("message", "results", "language"),
    [
        ("要不要下雨天带伞", REVIEW, "zh"),
        ("Should pump 7 be stopped?", FLEET, "en"),
        ("should I buy a car", FLEET, "en"),
        ("what is the weather when it rains", MINUTES, "en"),
        ("谁是总统", TASKS, "zh"),
        ("审查示例合同", REVIEW, "zh"),
    ],
)
def test_what_no_row_names_is_left_to_others(message: str, results: Results, language: Language) -> None:
    assert _ask(message, results, language) == ""


@pytest.mark.parametrize("message", ["Who has to do what by when?", "who promised what until when in the meeting"])
def test_who_does_what_until_when_lists_the_tasks(message: str) -> None:
    told = _ask(message, MINUTES, "en")
    assert told.count("| Tom Reed |") == 2
    assert "| Mark Hill | write the announcement | 2026-03-16 |" in told


@pytest.mark.parametrize(
    ("message", "results", "language", "own", "other"),
    [
        ("What does Tom Reed have to do?", MINUTES, "en", "fix the issues", "Mark Hill"),
        ("张涛要做什么", TASKS, "zh", "改问题", "李敏"),
        ("李敏什么时候交", TASKS, "zh", "3月16日", "张涛"),
    ],
)
def test_the_tasks_of_one_person_are_those_of_no_other(
    message: str, results: Results, language: Language, own: str, other: str
) -> None:
    told = _ask(message, results, language)
    assert own in told
    assert other not in told


@pytest.mark.parametrize("message", ["Who has to do what by when?", "when is what?", "how many topics when and what"])
def test_a_word_that_asks_is_never_met_in_a_cell_by_chance(message: str) -> None:
    question = parse_question(message)
    answer = answer_question(question, MINUTES, "en") if question is not None else None
    assert answer is None or "when the new portal" not in answer.text
