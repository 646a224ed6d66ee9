"""Questions about a file are answered from all of its rows, or it is said which word has no place in it."""

from pathlib import Path

import pytest

pytest.importorskip("pandas")

from metier.language import Language, language_of
from metier.pack import PackQuestion
from metier.packs.workspace.data._analysis import type_columns
from metier.packs.workspace.data._load import load_table
from metier.packs.workspace.data._summary import Typed
from metier.packs.workspace.data.questions import answer_from_file, answer_question, is_question, speaks_of_data

# Sums: North 600, South 500, East 100; tea 700, bread 500; July 300, August 900; one row without cost.
_ROWS = """day,shop,category,staff,amount,count,cost
2025-07-01,North,tea,Ann,100,2,40
2025-07-05,South,bread,Bob,200,4,80
2025-08-01,North,tea,Ann,500,5,200
2025-08-09,South,bread,Cid,300,9,120
2025-08-20,East,tea,Bob,50,1,
2025-08-21,East,tea,Bob,50,0,30
"""


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Typed:
    file = tmp_path_factory.mktemp("data") / "shop.csv"
    file.write_text(_ROWS, "utf-8")
    return type_columns(load_table(file, "en"))


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("哪家店卖得最好，跟第二名差多少", "最高的是 North：amount（合计） 600（2 行）。\n其次是 South，500，相差 100"),
        ("So which month was the weakest?", "Lowest is 2025-07: amount (sum) 300 (2 rows)"),
        ("8月比7月多卖了多少", "8月 比 7月 多 600（+200.0 %）"),
        ("How much more did we sell in August than in July?", "August is 600 more than July (+200.0 %)"),
        ("What share of the takings comes from tea?", "tea: 700 of 1,200, 58.3 %"),
        ("一共多少钱", "amount（合计）：1,200（6 行）"),
        ("How many orders did we get in July?", "2 rows."),
        ("一共有多少笔订单", "共 6 行"),
        ("Who sold the most pieces, not money", "First is Cid: count (sum) 9"),
        ("Ann和Bob谁业绩好", "Ann 比 Bob 多 300（+100.0 %）"),
        ("除了North，哪家店卖得最好", "最高的是 South：amount（合计） 500"),
        ("which of North's lines earns the least", "Lowest is tea: amount (sum) 600"),
        ("有几个月amount超过5百", "2 个月中有 1 个的amount（合计） > 500"),
        ("超过250的订单有几笔", "6 行中有 2 行的amount > 250"),
        ("毛利率最高的是哪家店", "最高的是 North：(amount − cost) ÷ amount 60 %"),
        ("And after costs, what's left?", "amount minus cost: 680"),
        ("最大的一笔订单是哪笔", "第 4 行：day 2025-08-01、shop North"),
        ("amount的中位数是多少", "amount（中位数）：150"),
        ("平均每个月卖多少", "平均每个月的amount（合计）为 600"),
        ("7月到8月一共卖了多少", "amount（合计）：1,200"),
        ("North和South平均每单差多少", "North 比 South 多 50（+20.0 %）"),
        ("去掉第4行那笔，North还排第一吗", "不是：去掉第 4 行（500）后，第一是 South，500；North 排第"),
        ("is anything missing in the file", "Missing: cost in 1 row"),
        ("哪个category卖得最多，占多少", "tea：700，占 1,200 的 58.3 %"),
        ("为什么8月那么高", "8月：amount（合计） 900，4 行，平均每行 225"),
    ],
)
def test_every_word_counts_in_the_figure(table: Typed, question: str, told: str) -> None:
    answer = answer_question(question, table, "shop.csv", language_of(question))
    assert answer.found, answer.text
    assert told in answer.text


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("West卖了多少", "West"),
        ("哪个渠道卖得最好", "渠道"),
        ("没有卖出去的shop有哪些", "没"),
        ("how much did we sell last summer", "summer"),
        ("会员卖了多少", "会员"),
        ("Which customer sold the most", "customer"),
    ],
)
def test_a_word_without_a_place_is_told_and_a_sentence_that_works_is_offered(
    table: Typed, question: str, word: str
) -> None:
    answer = answer_question(question, table, "shop.csv", language_of(question))
    assert not answer.found
    head = answer.text.split("\n")[0]
    assert word in head
    offered = "按shop统计amount" if language_of(question) == "zh" else "amount by shop"
    assert offered in answer.text


@pytest.mark.parametrize(
    "question",
    [
        "不是North的店卖了多少",
        "North或者South以外的",
        "前三分之一的店",
        "amount在100到200之间的有几笔",
        "哪些店超过平均",
    ],
)
def test_what_is_not_read_to_the_end_gives_no_figure(table: Typed, question: str) -> None:
    assert not answer_question(question, table, "shop.csv", "zh").found


def test_a_question_is_answered_from_the_file_of_the_conversation_and_other_messages_are_left(tmp_path: Path) -> None:
    (tmp_path / "shop.csv").write_text(_ROWS, "utf-8")

    def ask(text: str) -> str:
        question = PackQuestion(text, "data-analysis", language_of(text), tmp_path, {"data_file": "shop.csv"})
        found = answer_from_file(question)
        return found.text if found else ""

    assert "North" in ask("哪家店卖得最好")
    assert ask("弱覆盖是什么意思？") == ""
    assert ask("按shop统计amount") == ""
    assert answer_from_file(PackQuestion("哪家店卖得最好", "data-analysis", "zh", tmp_path)) is None


@pytest.mark.parametrize("message", ["按产品统计销售额", "分析这份数据", "clean the data", "导出分析报告"])
def test_an_order_for_an_analysis_is_no_question(message: str) -> None:
    assert not is_question(message)


def test_attached_data_without_a_word_on_how_are_analysed(tmp_path: Path) -> None:
    assert not speaks_of_data("分析这份数据", tmp_path)
    (tmp_path / "shop.csv").write_text(_ROWS, "utf-8")
    assert all(speaks_of_data(one, tmp_path) for one in ("分析这份数据", "帮我看看这个文件", "Analyse this data"))
    assert not speaks_of_data("把这份数据里的7月改成8月", tmp_path)


def test_a_file_with_a_group_per_row_is_ranked_at_once(tmp_path: Path) -> None:
    file = tmp_path / "many.csv"
    rows = "".join(f"shop {at},2025-07-01,{at % 997 + (at == 3_000) * 5_000},{at % 500}\n" for at in range(20_000))
    file.write_text(f"shop,day,amount,cost\n{rows}", "utf-8")
    many = type_columns(load_table(file, "en"))
    best = answer_question("Which shop sold the most?", many, "many.csv", "en").text
    assert "First is shop 3000: amount (sum) 5,009 (1 row)" in best
    losing = [at for at in range(20_000) if at % 997 + (at == 3_000) * 5_000 < at % 500]
    assert str(len(losing)) in answer_question("Which shops are losing money?", many, "many.csv", "en").text.replace(
        ",", ""
    )


@pytest.mark.parametrize(
    ("question", "language", "told"),
    [
        ("哪家店卖得最好", "zh", "没有「shop」的 1 行不在任何一组里。"),
        ("Which shop sold the most?", "en", "Rows without “shop” are in none of the groups: 1."),
    ],
)
def test_rows_that_belong_to_no_group_are_told(tmp_path: Path, question: str, language: Language, told: str) -> None:
    file = tmp_path / "gap.csv"
    file.write_text(
        "day,shop,amount\n2025-07-01,North,5\n2025-07-02,North,1\n2025-07-03,South,2\n2025-07-04,,3\n", "utf-8"
    )
    assert told in answer_question(question, type_columns(load_table(file, "en")), "gap.csv", language).text


def test_a_question_for_a_figure_is_meant_for_the_newest_table_that_has_it(tmp_path: Path) -> None:
    (tmp_path / "shop.csv").write_text(_ROWS, "utf-8")
    asked = ("amount一共多少", "what is the total of amount?", "North的amount合计是多少", "一共多少钱")
    assert [one for one in asked if not speaks_of_data(one, tmp_path)] == []
    others = ("North天气怎么样", "shop是什么意思", "给每个shop写一首诗", "你是谁", "what time is it?")
    assert [one for one in others if speaks_of_data(one, tmp_path)] == []


@pytest.mark.parametrize(
    ("question", "language", "told"),
    [
        ("这个表里哪个店卖得最好", "zh", "最高的是 North"),
        ("卖了多少杯", "zh", "数量"),
        ("who spent the most?", "en", "First is Bob"),
        ("how much did Ann spend on travel", "en", "5"),
        ("average per person", "en", "7.5 on average"),
    ],
)
def test_everyday_words_for_money_and_people_are_read(
    tmp_path: Path, question: str, language: Language, told: str
) -> None:
    rows = (
        "门店,数量,金额\nNorth,3,9\nSouth,1,2\nNorth,2,4\n"
        if language == "zh"
        else "Who,Kind,Amount\nAnn,travel,5\nBob,food,9\nAnn,food,1\n"
    )
    file = tmp_path / "a.csv"
    file.write_text(rows, "utf-8")
    table = type_columns(load_table(file, language))
    assert told in answer_question(question, table, "a.csv", language).text
