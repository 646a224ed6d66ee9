"""Questions about rows that wait for approval, answered from the preview and the findings behind it."""

import pytest

from metier.language import Language, language_of
from metier.questions import (
    ProposedRows,
    Results,
    ResultTable,
    TableColumn,
    answer_proposal,
    find_rows,
    link_findings,
    name_rows,
    read_places,
    read_proposal_question,
)

_ROWS = """哪几处|哪些行？|要改哪里|会改什么？|都改了哪些|一共几处|改动有哪些|把改动列出来|再看看改动|which rows?
which places?
what would you change?|what will be changed?|what are the changes|how many changes?|where are they?
show me the changes"""
_WHY = """为什么有问题？|为什么要改|这为什么是问题|有什么问题|问题在哪|理由是什么|依据呢|解释一下原因
why is that a problem?
why change them?|why do you want to change that?|what's wrong with it?|what are the reasons
but why is that a problem?|why?|为什么"""
_ONE = """第二条为什么要改|为什么要改第二条|第二条有什么问题|第二条呢|第二条|第二处改成什么|第2行的依据是什么
why the second?|the second one
why is the second a problem?|what about row 2|what does row 2 change?"""
_OTHER = """今天天气怎么样|为什么天是蓝的|哪几天有空|when is the next meeting?|who decided that
what is the capital of France
what can you do?|where is the file stored?|what happens if I approve?|第二条改成六个月|怎么改合同
why not change the fifth?|可以改吗
改吧|好的，写入|第二次开会是什么时候|what's wrong with you|有问题|没问题|为什么不改第五条|this is wrong|不对"""


def _columns(*titles: str) -> tuple[TableColumn, ...]:
    return tuple(TableColumn(one, one) for one in titles)


def _propose(language: Language) -> ProposedRows:
    preview = ResultTable(
        "写入文件（批准前展示）",
        _columns("位置", "改动", "原文", "改为"),
        (
            ("第 8 段", "添加批注", "壹佰贰拾万元整", "大写金额与小写金额不一致。 请统一。"),
            ("第 10 段", "添加批注", "30%", "定金超过20%。 建议降到20%以内。"),
            ("第 15 段", "替换文字", "质保期内青山公司应免费维修。", "质保期内青山科技有限公司应免费维修。"),
        ),
        3,
    )
    heads = ("位置", "问题", "建议", "原文") if language == "zh" else ("Place", "Finding", "Advice", "Source line")
    review = ResultTable(
        "审查意见",
        _columns(*heads),
        (
            ("第二条", "大写金额与小写金额不一致。", "请统一。", "合同总价大写壹佰贰拾万元整。"),
            ("第三条", "定金超过20%。", "建议降到20%以内。", "甲方支付定金，即合同总价的30%。"),
            ("第五条", "名称与首部不一致。", "应统一。", "质保期内青山公司应免费维修。"),
        ),
        3,
        "审查这份合同",
    )
    return link_findings(preview, Results((review,), said="审查这份合同"))


@pytest.mark.parametrize("said", _ROWS.replace("\n", "|").split("|"))
def test_which_rows_is_answered_with_all_rows_their_numbers_and_places(said: str) -> None:
    question = read_proposal_question(said)
    assert question is not None
    assert (question.kind, question.places) == ("rows", ())
    answer = answer_proposal(question, _propose("zh"), "zh", chosen=(1,))
    assert answer is not None
    assert [row[:2] for row in answer.tables[0].rows] == [(1, "第 8 段"), (2, "第 10 段"), (3, "第 15 段")]
    assert "还没有执行" in answer.text
    assert "第 2 行" in answer.text  # what a plain yes would approve


@pytest.mark.parametrize("said", _WHY.replace("\n", "|").split("|"))
def test_why_is_answered_with_the_finding_behind_each_row(said: str) -> None:
    question = read_proposal_question(said)
    assert question is not None
    assert (question.kind, question.places) == ("why", ())
    answer = answer_proposal(question, _propose("zh"), "zh")
    assert answer is not None
    for told in (
        "1. **第 8 段**：位置：第二条；问题：大写金额",
        "名称与首部不一致",
        "来自「审查这份合同」的表「审查意见」",
    ):
        assert told in answer.text


@pytest.mark.parametrize("said", _ONE.replace("\n", "|").split("|"))
def test_a_question_about_one_row_is_answered_with_that_row_and_with_the_clause_of_that_name(said: str) -> None:
    question = read_proposal_question(said)
    assert question is not None
    answer = answer_proposal(question, _propose("zh"), "zh")
    assert answer is not None
    assert "2. **第 10 段**" in answer.text
    assert "3. **" not in answer.text
    assert ("1. **第 8 段**" in answer.text) == ("条" in said)  # clause 二 is where row 1 stands


@pytest.mark.parametrize("said", _OTHER.replace("\n", "|").split("|"))
def test_other_questions_orders_and_complaints_are_not_about_the_rows(said: str) -> None:
    assert read_proposal_question(said) is None


def test_findings_in_the_other_language_are_not_quoted_and_a_plain_why_without_any_is_for_others() -> None:
    question = read_proposal_question("why is that a problem?")
    assert question is not None
    answer = answer_proposal(question, _propose("zh"), "en")
    assert answer is not None
    assert "名称与首部" not in answer.text
    bare = ProposedRows(_propose("zh").table)
    assert (plain := read_proposal_question("why?")) is not None
    assert answer_proposal(plain, bare, "en") is None
    told = answer_proposal(question, bare, "en")
    assert told is not None
    assert "states no reasons" in told.text


@pytest.mark.parametrize(
    ("said", "rows", "others"),
    [
        ("只改第二条", (1,), (0,)),
        ("只改第2行", (1,), ()),
        ("just the second", (1,), ()),
        ("只改第10段", (1,), ()),
        ("only paragraph 10", (1,), ()),
        ("only clause 2", (0,), ()),
        ("最后一条就行", (2,), ()),
        ("只改第五条", (2,), ()),
        ("只改第九行", (), ()),
    ],
)
def test_a_place_is_a_row_number_or_what_stands_in_a_row_and_where_it_may_be_both_that_is_said(
    said: str, rows: tuple[int, ...], others: tuple[int, ...]
) -> None:
    placed = read_places(said)
    assert placed is not None
    found = find_rows(placed.places, _propose(language_of("条")))
    assert (found.rows, found.others, found.is_missing) == (rows, others, not rows)


def test_rows_are_named_by_their_numbers_as_long_as_these_are_few() -> None:
    assert name_rows((0, 1, 2, 4), "zh") == "第 1–3、5 行"
    assert name_rows((1,), "en") == "row 2"
    assert name_rows(tuple(range(0, 60, 2)), "en") == ""


_UNTOUCHED = {
    "公章没动吧？": "公章",
    "甲方名称没改错吧": "甲方名称",
    "格式会不会乱": "格式",
    "会动到页眉吗": "页眉",
    "你没有改金额吧": "金额",
    "有没有改到日期": "日期",
    "其他地方没动吧": "",
    "会不会把附件弄坏？": "",
    "does the header stay?": "header",
    "you didn't touch the signature, right?": "signature",
    "are the formulas kept?": "formulas",
    "is anything else changed?": "",
}
_NO_DOUBT = """第二条不改吧|不改了吧|会议时间变了吗|会改什么？|是不是要改|不要动第三条|好的，改吧|可以改吗|没问题吧
is that a change?
did you change it?|is the price correct?|change the footer|that is ok, right?"""


@pytest.mark.parametrize(("message", "subject"), list(_UNTOUCHED.items()), ids=list(_UNTOUCHED))
def test_a_doubt_whether_something_is_left_alone_is_read_with_its_subject(message: str, subject: str) -> None:
    question = read_proposal_question(message)
    assert question is not None
    assert (question.kind, question.subject) == ("untouched", subject)


@pytest.mark.parametrize("message", _NO_DOUBT.replace("\n", "|").split("|"))
def test_other_words_about_changes_are_no_doubt(message: str) -> None:
    question = read_proposal_question(message)
    assert question is None or question.kind != "untouched"


@pytest.mark.parametrize(
    ("message", "told"),
    [
        ("公章没动吧？", "没有一行提到「公章」"),
        ("定金没动吧", "第 2 行"),
        ("第8段会变吗", "第 1 行"),
        ("第三章没动吧", "没有一行提到「第三章」"),
        ("其他地方没动吧", "只会写入这 3 行"),
        ("you didn't touch the seal, right?", "None of the 3 rows names “seal”"),
    ],
)
def test_a_doubt_is_answered_with_the_rows_that_name_it_or_with_none(message: str, told: str) -> None:
    language = language_of(message)
    question = read_proposal_question(message)
    assert question is not None
    answer = answer_proposal(question, _propose("zh"), language)
    assert answer is not None
    assert told in answer.text
    assert "对整体" not in answer.text


def test_a_row_for_the_whole_document_may_touch_what_no_row_names() -> None:
    table = ResultTable("t", _columns("位置", "改为"), (("全文，共 12 段", "字体 宋体"), ("第 3 段", "x")), 2)
    question = read_proposal_question("页眉没动吧？")
    assert question is not None
    answer = answer_proposal(question, ProposedRows(table), "zh")
    assert answer is not None
    assert "第 1 行是对整体的" in answer.text
