"""Answers of a key in a paper: by section, number and kind of question; what does not fit is listed and not written."""

from datetime import date

import pytest

from metier.packs.office._pieces import TextPiece
from metier.packs.office.analysis import Proposal, Reading, propose

RESTARTING = (
    "综合测验",
    "一、选择题",
    "1. 中国的首都是（　）",
    "A. 上海",
    "B. 广州",
    "C. 北京",
    "2. 水的化学式是（　）",
    "A. H2O  B. CO2  C. O2",
    "二、填空题",
    "1. 长江流入____。",
    "2. 一年有____个季度，3+5=____。",
    "三、判断题",
    "1. 地球是圆的。（　）",
)
ALL = [("1", "C", "p3"), ("2", "A", "p7"), ("1", "东海", "p10"), ("2", "4；8", "p11"), ("1", "√", "p13")]
CHOICES = tuple(line for number in range(1, 6) for line in (f"{number}. 下列正确的是（ ）", "A. 甲  B. 乙  C. 丙"))


def text_of(name: str, *lines: str) -> Reading:
    return Reading(name, "docx", tuple(TextPiece(f"p{number}", line) for number, line in enumerate(lines, 1)))


def fill(paper: tuple[str, ...], *keys: tuple[str, ...], task: str = "answer-mode") -> Proposal:
    others = tuple(text_of("答案.docx", *key) for key in keys)
    reading = text_of("试卷.docx", *paper)
    return propose(
        task, Reading(reading.name, "docx", reading.pieces, others=others), today=date(2026, 3, 4), language="zh"
    )


def list_written(made: Proposal) -> list[tuple[object, ...]]:
    answers = [one for action in made.actions for one in action["answers"]]  # type: ignore[union-attr]
    return [(one["q"], one["answer"], one["addresses"]) for one in answers]  # type: ignore[index,call-overload]


def list_answers(made: Proposal) -> list[object]:
    return [answer for _, answer, _ in list_written(made)]


@pytest.mark.parametrize(
    "key",
    [
        ("一、选择题", "1. C 2. A", "二、填空题", "1. 东海 2. 4，8", "三、判断题", "1. √"),
        ("一、1. C 2. A", "二、1. 东海 2. 4，8", "三、1. √"),
        ("选择题：1-2 CA", "填空题：1. 东海；2. 4、8", "判断题：1. √"),
        ("三、判断题（2分）1. √", "二、填空题（每空2分） 1. 东海 2. ①4 ②8", "一、选择题 1-2：C A"),
    ],
    ids=["headings", "ordinals", "names", "another order"],
)
def test_numbers_that_restart_are_told_apart_by_their_section(key: tuple[str, ...]) -> None:
    assert list_written(fill(RESTARTING, key)) == ALL


def test_without_sections_in_the_key_a_number_that_stands_twice_is_not_answered() -> None:
    made = fill(RESTARTING, ("1. C 2. A", "1. 东海 2. 4；8", "1. √"))
    assert made.actions == ()
    assert made.question
    assert "没有写明是哪一题" in str(made.tables)


def test_a_section_of_the_key_that_is_another_one_in_the_paper_answers_nothing() -> None:
    made = fill(RESTARTING, ("一、判断题", "1. √", "二、填空题", "1. 东海", "2. 4；8"))
    assert list_answers(made) == ["东海", "4；8"]
    assert "没有对应题目的答案" in str(made.tables)


@pytest.mark.parametrize(
    ("key", "why"),
    [
        ("一、1. C 2. A 二", "选项字母"),
        ("一、1. 北京 2. A", "选项字母"),
        ("一、1. D 2. A", "没有这个选项"),
        ("一、1. C 2. A\n二、1. 东海；黄海 2. 4；8", "答案有 2 个，空有 1 个"),
        ("一、1. C 2. A\n二、1. 东海 2. 8，8，9", "答案有 3 个，空有 2 个"),
        ("一、1. C 2. A\n二、1. 8，8 2. 4，8", "答案有 2 个，空有 1 个"),
        ("一、1. C 2. A\n二、1. √ 2. 4，8", "不会是√或×"),
        ("一、1. C 2. A\n三、1. B", "√或×"),
        ("一、1. C 2. A\n一、1. B", "几个不同的答案"),
    ],
)
def test_an_answer_that_does_not_fit_its_question_is_listed_with_the_reason(key: str, why: str) -> None:
    made = fill(RESTARTING, tuple(key.split("\n")))
    assert why in str(made.tables)
    assert len(list_written(made)) < len(ALL)


def test_the_key_of_another_paper_fills_in_nothing() -> None:
    made = fill(CHOICES, ("1. x=3", "2. y=4", "3. 东海", "4. A", "5. 略"))
    assert (made.actions, bool(made.question)) == ((), True)


@pytest.mark.parametrize(
    "key",
    [
        ("1-5 CABAB",),
        ("1-5：C A B A B",),
        ("1～3 CAB  4～5 AB",),
        ("1.C2.A3.B4.A5.B",),
        ("1C 2A 3B 4A 5B",),
        ("（1）C（2）A（3）B（4）A（5）B",),
        ("参考答案：1. C 2. A 3. B", "4. A。解析：甲与乙相同", "本题考查识记", "5. B. 乙"),
        ("题号 1 2 3 4 5", "答案 C A B A B"),
        ("单选题答案：1、C 2、A 3、B 4、A 5、B",),
        ("第1题：C", "第2题：a", "第3题：B", "第4题：A", "第5题：Ｂ"),
    ],
)
def test_a_key_is_read_in_the_forms_that_people_write(key: tuple[str, ...]) -> None:
    assert list_answers(fill(CHOICES, key)) == ["C", "A", "B", "A", "B"]


def test_a_table_of_numbers_and_answers_is_a_key() -> None:
    rows = (("题号", "1", "2", "3", "4", "5"), ("答案", "C", "A", "B", "A", "B"))
    for is_turned in (False, True):
        cells = [
            TextPiece(f"t1.r{c if is_turned else r}.c{r if is_turned else c}", word, "cell")
            for r, row in enumerate(rows, 1)
            for c, word in enumerate(row, 1)
        ]
        reading = text_of("试卷.docx", *CHOICES)
        key = Reading("答案.docx", "docx", tuple(cells))
        made = propose(
            "answer-mode",
            Reading("试卷.docx", "docx", reading.pieces, others=(key,)),
            today=date(2026, 3, 4),
            language="zh",
        )
        assert list_answers(made) == ["C", "A", "B", "A", "B"]


def test_a_range_with_too_few_letters_is_no_answer() -> None:
    made = fill(CHOICES, ("1-5 CABA",))
    assert made.actions == ()
    assert "读不准" in str(made.tables)


def test_the_key_may_stand_in_the_paper_on_one_line_at_its_end_or_below_each_question() -> None:
    at_end = fill((*CHOICES, "答案：1. C 2. A 3. B 4. A 5. BC"))
    below = fill((*CHOICES, "参考答案及解析", "1-5 CABAB"))
    each = fill(
        ("1. 甲（ ）", "A. a  B. b", "【答案】B", "2. 乙（ ）", "A. a  B. b", "答案：A", "3. 丙____。", "答案：3.14")
    )
    assert [list_answers(one) for one in (at_end, below, each)] == [
        ["C", "A", "B", "A", "BC"],
        ["C", "A", "B", "A", "B"],
        ["B", "A", "3.14"],
    ]


def test_a_line_that_only_speaks_of_answers_ends_no_paper() -> None:
    paper = ("注意：请将答案写在答题卡上", "1. 简述理由。", "答案：", "2. 甲（ ）", "A. a  B. b")
    assert list_answers(fill(paper, ("1. 因为甲", "2. B"))) == ["因为甲", "B"]


def test_brackets_may_stand_before_the_number_and_a_question_without_a_place_is_told() -> None:
    paper = ("（ ）1. 地球是圆的", "（ ）2. 太阳绕地球转", "3. 简述光合作用。", "4. 写出两种气体____", "____")
    made = fill(paper, ("1-2 √×", "3. 植物用光", "4. 氧气；氢气"))
    assert list_written(made) == [("1", "√", "p1"), ("2", "×", "p2"), ("4", "氧气；氢气", "p4 p5")]
    assert "没有空着的括号或横线" in str(made.tables)


def test_the_brackets_before_the_number_take_the_letter_and_two_keys_of_one_paper_answer_nothing() -> None:
    paper = ("( ) 1. She ___ to school every day.", "A. go  B. goes", "( ) 2. I have ___ apple.", "A. a  B. an")
    assert list_written(fill(paper, ("1-2 BB",))) == [("1", "B", "p1"), ("2", "B", "p3")]
    assert fill(paper, ("A卷答案：1.A 2.B", "B卷答案：1.B 2.A")).actions == ()


def test_a_single_choice_takes_one_letter_and_a_part_of_a_question_is_no_question_of_that_number() -> None:
    paper = (
        "一、单选题",
        "1. 甲（ ）",
        "A. a  B. b",
        "2. 乙（ ）",
        "A. a  B. b",
        "二、填空题",
        "3. 阅读材料",
        "（1）丙____",
        "（2）丁____",
    )
    made = fill(paper, ("1. AB", "2. B", "3. 略"))
    assert list_answers(made) == ["B"]
    assert "单选题给了多个选项" in str(made.tables)


def test_an_answer_with_a_comma_is_one_answer_where_it_is_a_sentence() -> None:
    made = fill(("1. 默写：____", "2. 人口约____人。"), ("1. 床前明月光，疑是地上霜", "2. 14,000,000"))
    assert list_answers(made) == ["床前明月光，疑是地上霜", "14,000,000"]


def test_several_files_that_may_be_the_key_are_asked_about() -> None:
    made = fill(CHOICES, ("1-5 CABAB",), ("1-5 AAAAA",))
    assert (made.actions, "哪一份" in made.question) == ((), True)


def test_the_list_at_the_end_names_the_sections_and_needs_no_places() -> None:
    (block,) = fill(
        ("一、判断题", "1. 甲（ ）", "二、简答题", "1. 简述乙。"), ("一、1. √", "二、1. 乙是丙"), task="exam-answering"
    ).actions
    assert "判断题\\n1 √\\n简答题\\n1 乙是丙" in str(block).replace("\n", "\\n")


BLANKS = ("一、填空题", "1. 首都____", "2. 一年____天", "3. 最高峰____")


@pytest.mark.parametrize(
    ("key", "answers"),
    [
        ("1.北京 2.365 3.珠峰", ["北京", "365", "珠峰"]),
        ("1.北京，2.365", ["北京", "365"]),
        ("1.北京　2.365天", ["北京", "365天"]),
        ("1.12 2.24 3.36", ["12", "24", "36"]),
        ("1.is 2.365", ["is", "365"]),
        ("1. 3.2 2. 5", ["3.2", "5"]),
        ("1. 2.4 2. 5", ["2.4", "5"]),
    ],
    ids=["three", "comma", "wide blank", "figures only", "English", "decimal", "decimal with the next number"],
)
def test_the_next_number_before_a_figure_is_the_next_answer(key: str, answers: list[str]) -> None:
    assert list_answers(fill(BLANKS, (key,))) == answers


@pytest.mark.parametrize(
    ("paper", "key"),
    [
        (BLANKS, ("1. 北京 2.365",)),
        (BLANKS, ("1.北京 2.365", "2. 366")),
        (BLANKS, ("1.北京2.365",)),
        (BLANKS, ("1.北京 3.8848",)),
        (BLANKS[:2], ("1.北京 2.365",)),
        (("1. 长____，宽____", "2. 高____"), ("1.3.5 2.5",)),
    ],
    ids=[
        "another style",
        "the number comes again",
        "nothing between",
        "one is skipped",
        "no such question",
        "two blanks",
    ],
)
def test_a_figure_that_may_be_a_number_is_listed_and_not_written(paper: tuple[str, ...], key: tuple[str, ...]) -> None:
    made = fill(paper, key)
    assert list_answers(made) == []
    assert "读不准" in str(made.tables) or "空有" in str(made.tables)


@pytest.mark.parametrize("said", ["略", "（略）", "答案不唯一", "答案不唯一，如：北京", "无", "—", "合理即可"])
def test_words_instead_of_an_answer_are_not_written(said: str) -> None:
    made = fill(BLANKS, (f"1. {said}", "2. 365"))
    assert list_answers(made) == ["365"]
    assert "没有给出具体答案" in str(made.tables)


def test_points_before_an_answer_are_no_part_of_it() -> None:
    paper = ("1. 甲____，____。", "2. 乙____", "3. 丙____")
    made = fill(paper, ("1.（2分）北京；（2分）上海", "2.【2分】广州", "3. 深圳（2分）珠海也对"))
    assert list_answers(made) == ["北京；上海", "广州"]


def test_a_line_for_the_score_is_no_place_of_the_question() -> None:
    paper = ("1. 甲____，____。", "得分：____", "2. 乙____", "本题得分____")
    assert list_written(fill(paper, ("1. 北京；上海；广州", "2. 深圳"))) == [("2", "深圳", "p3")]
    assert list_written(fill(paper, ("1. 北京；上海", "2. 深圳"))) == [("1", "北京；上海", "p1"), ("2", "深圳", "p3")]
