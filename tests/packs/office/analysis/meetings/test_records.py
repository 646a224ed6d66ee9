"""Finished records and exports: an explicit list is kept whole, and what a program wrote is nobody's words."""

from collections.abc import Sequence
from datetime import date

import pytest

from metier.packs.office._pieces import TextPiece
from metier.packs.office.analysis import Reading
from metier.packs.office.analysis._dates import find_date, find_time_words
from metier.packs.office.analysis.meetings import MinutesDraft, read_minutes, read_transcript


def read(*lines: str, held: date | None = date(2026, 5, 12)) -> MinutesDraft:
    pieces = tuple(TextPiece(f"p{number}", line) for number, line in enumerate(lines, 1))
    return read_minutes(Reading("talk.docx", "docx", pieces), held)


def lay_out(*rows: Sequence[str]) -> tuple[TextPiece, ...]:
    return tuple(
        TextPiece(f"t1.r{r}.c{c}", text, "cell")
        for r, row in enumerate(rows, 1)
        for c, text in enumerate(row, 1)
        if text
    )


def list_decided(draft: MinutesDraft) -> list[str]:
    return [one.message.text("zh") for one in draft.decisions]


def list_work(draft: MinutesDraft) -> list[tuple[str, str, str]]:
    return [(one.who, one.what, one.when.isoformat() if one.when else one.said) for one in draft.promises]


DECIDED = ("预算上限为120万元", "更换包装供应商，由宏达改为瑞丰", "不再使用纸质领料单", "盘点每月25日一次")


@pytest.mark.parametrize(
    ("heading", "mark", "following"),
    [
        ("二、会议决议", "{}. ", "三、其他事项"),
        ("决定事项：", "（{}）", "抄送：各部门"),
        ("【结论】", "- ", "【费用】"),
        ("✅ 决议", "• ", "❓ 待定"),
        ("会议明确：", "{}、", "会议要求各部门高度重视"),
        ("Decisions", "* ", "Open points"),
        ("1. What we decided", "- ", "2. Any other business"),
        ("It was agreed as follows:", "{}) ", "Next meeting: 24 March 2026"),
    ],
)
def test_every_item_under_a_heading_of_decisions_is_kept(heading: str, mark: str, following: str) -> None:
    items = [f"{mark.format(at)}{one}" for at, one in enumerate(DECIDED, 1)]
    draft = read("项目推进会议纪要", "时间：2026年5月12日", heading, *items, following, "1. 是否请第三方压测")
    assert list_decided(draft) == list(DECIDED)
    assert [one.line for one in draft.decisions] == items
    assert not draft.likely


WORK = [
    ("方若琳：5月20日前与瑞丰签订合同。", ("方若琳", "5月20日前与瑞丰签订合同", "2026-05-20")),
    ("更新领料系统（郑楷，5月底）", ("郑楷", "更新领料系统", "2026-05-31")),
    ("财务部：核对应付款", ("财务部", "核对应付款", "")),
    ("待定：找地垫供应商", ("", "找地垫供应商", "")),
    ("林晓 - 出三版字体方案 - 6/8", ("林晓", "出三版字体方案 - 6/8", "2026-06-08")),
    ("官网改版排期 @马骁", ("马骁", "官网改版排期", "")),
    ("Jessica & 老戴：梳理物料清单", ("Jessica & 老戴", "梳理物料清单", "")),
    ("归档旧单据，责任人：苏敏，完成时间：6月5日", ("苏敏", "归档旧单据", "2026-06-05")),
    ("验收后一周内付款", ("", "验收后一周内付款", "验收后一周内")),
    ("Ben Ortiz: order barriers by 10 June", ("Ben Ortiz", "order barriers by 10 June", "2026-06-10")),
    ("Anna Cole to brief security", ("Anna Cole", "brief security", "")),
    ("Tom -> rollback script, Fri", ("Tom", "rollback script, Fri", "2026-05-15")),
    ("TBD: find a supplier", ("", "find a supplier", "")),
]


@pytest.mark.parametrize(("item", "expected"), WORK)
@pytest.mark.parametrize("heading", ["待办事项", "📌 行动项", "后续工作安排：", "Action items", "## Next steps"])
def test_every_item_under_a_heading_of_work_is_kept_with_who_and_when(
    heading: str, item: str, expected: tuple[str, str, str]
) -> None:
    draft = read("周例会", "参会人员：马骁、老戴", heading, f"1. {item}", "2. 小周：寄样品", "附件：报价单")
    assert list_work(draft) == [expected, ("小周", "寄样品", "")]
    assert draft.promises[0].line == f"1. {item}"


def test_nothing_under_open_points_topics_and_signatures_is_decided_or_work() -> None:
    listed = ("会议议题", "1. 预算", "2. 供应商", "待决问题", "1. 是否涨价，周五前定")
    draft = read(*listed, "签到表", "1 张建国 张建国", "2 李卫东 请假")
    assert [one.message.text("zh") for one in draft.topics] == ["预算", "供应商"]
    assert (draft.decisions, draft.promises, draft.likely) == ((), (), ())


def test_an_empty_list_stays_empty_and_items_of_one_line_are_parted() -> None:
    draft = read("决议：无", "待办：1. 张敏交方案；2. 李工修灯。", "会议结论：同意延期；预算不变")
    assert list_decided(draft) == ["同意延期；预算不变"]
    assert [one.what for one in draft.promises] == ["张敏交方案", "李工修灯"]


def test_what_is_said_and_stands_in_the_list_of_the_record_is_listed_once_with_both_lines() -> None:
    draft = read(
        "石磊：卢涛你今天联系劳务公司", "卢涛：好的，我今天联系劳务公司", "石磊：散会", "待办：", "卢涛：联系劳务公司"
    )  # fmt: skip
    assert list_work(draft) == [("卢涛", "联系劳务公司", "2026-05-12")]
    assert draft.promises[0].line.startswith("卢涛：联系劳务公司 / ")


def test_tables_of_work_of_decisions_and_of_talk_are_read_by_their_columns() -> None:
    work = lay_out(
        ("序号", "工作事项", "责任人", "完成时间"), ("1", "签订合同", "蒋文", "5月30日"), ("2", "评估旧设备")
    )
    draft = read_minutes(Reading("a.docx", "docx", work), date(2026, 5, 12))
    assert list_work(draft) == [("蒋文", "签订合同", "2026-05-30"), ("", "评估旧设备", "")]
    assert draft.promises[0].line == "1 | 签订合同 | 蒋文 | 5月30日"
    talk = lay_out(("Time", "Speaker", "Text"), ("00:01", "Ola", "Who prints it?"), ("00:05", "Kit", "Me, by Friday."))
    said = [(one.speaker, one.time) for one in read_transcript(talk) if not one.part]
    assert said == [("Ola", "00:01"), ("Kit", "00:05")]


def test_a_form_with_labels_beside_the_answers_is_read_as_a_record() -> None:
    form = lay_out(
        ("时间", "2026年4月8日", "地点", "三楼"),
        ("参加人员", "汪洋、龚晨"),
        ("会议内容", "讨论了春游地点。"),
        ("会议决议", "1. 春游定在4月25日。\n2. 每人自费50元。"),
    )
    draft = read_minutes(Reading("a.docx", "docx", form))
    assert (draft.date, draft.people) == (date(2026, 4, 8), ("汪洋", "龚晨"))
    assert list_decided(draft) == ["春游定在4月25日。", "每人自费50元。"]


@pytest.mark.parametrize(
    "lines",
    [
        ("[周敏 10:00:01] 开始吧", "[徐丽 10:00:09] 合同我来签"),
        ("[03/04/2026, 18:02:40] 周敏: 开始吧", "[03/04/2026, 18:03:02] 徐丽: 合同我来签"),
        ("2026-03-11 20:15:33 周敏(10001)", "开始吧", "2026-03-11 20:16:02 徐丽(10002)", "合同我来签"),
        ("周敏 2026/3/11 20:15", "开始吧", "徐丽 2026/3/11 20:16", "[图片]", "合同我来签"),
        ("周敏  10:23 AM", "开始吧", "徐丽  10:24 AM", "合同我来签"),
        (
            "WEBVTT", "1", "00:00:03.120 --> 00:00:07.480", "<v 周敏>开始吧</v>",
            "2", "00:00:08.120 --> 00:00:09.480", "<v 徐丽>合同我来签</v>",
        ),
        ("\ufeff周敏：\u200b开始吧", "徐丽：合同我来签", "周敏撤回了一条消息"),
    ],
    ids=["name and time", "messenger", "group chat", "office chat", "channel", "subtitles", "hidden characters"],
)  # fmt: skip
def test_who_speaks_is_read_from_exports_and_what_a_program_wrote_is_left_out(lines: tuple[str, ...]) -> None:
    said = read_transcript([TextPiece(f"p{number}", line) for number, line in enumerate(lines, 1)])
    assert [(one.speaker, one.text) for one in said] == [("周敏", "开始吧"), ("徐丽", "合同我来签")]


def test_a_day_in_a_chat_counts_from_the_day_of_its_message() -> None:
    draft = read(
        "2026-03-11 20:15:33 班长(1)", "摄影师谁联系", "2026-03-11 20:16:40 阿杰(2)", "我明天联系",
        "2026-03-18 09:16:40 小鹿(3)", "横幅我明天做", held=None,
    )  # fmt: skip
    assert [one.when for one in draft.promises] == [date(2026, 3, 12), date(2026, 3, 19)]


def test_notes_of_whom_they_name_give_work() -> None:
    draft = read("到场 林 何 阿森", "竞品报告 阿森周五前补齐", "客诉流程→何 出初稿", "Ops: no change")
    assert draft.people == ("林", "何", "阿森")
    assert [(one.who, one.what) for one in draft.promises][-1] == ("何", "客诉流程：出初稿")


def test_the_day_of_an_answer_to_another_question_is_not_taken_for_work_that_was_answered_before() -> None:
    draft = read(
        "张建国：刘洋你联系厂家，越快越好。", "刘洋：我下午就打电话。", "李卫东：灭火器年检谁负责？",
        "刘洋：我来吧，5月15号之前做完。",
    )  # fmt: skip
    assert ("刘洋", "联系厂家，越快越好", "") in list_work(draft)


def test_who_offered_the_work_does_it_when_the_verb_is_said_again() -> None:
    draft = read("孙倩：需要我准备材料吗？", "王总：准备吧，周五前发给大家。", "孙倩：好。")
    assert [one.who for one in draft.promises] == ["孙倩"]


def test_a_label_before_a_list_or_a_number_is_no_speaker() -> None:
    draft = read("重点客户：华泰、中远、恒信", "毛利率：34.5%", "王总：先看物流。", "老韩：好。", "王总：降下来。")
    assert draft.people == ("王总", "老韩")


def test_a_line_with_fields_alone_belongs_to_the_item_above_and_labels_of_a_record_speak_to_nobody() -> None:
    draft = read(
        "议题一：更换物业", "讨论情况：多数业主不满。", "表决结果：同意35户，通过。", "决议：自8月1日起由安居接管。",
        "议题二：充电桩", "讨论情况：有分歧。", "表决结果：未通过。", "决议：更换2号楼钢缆。",
        "责任人：何建明；完成时间：6月30日前",
    )  # fmt: skip
    assert {"自8月1日起由安居接管。", "更换2号楼钢缆。"} <= set(list_decided(draft))
    assert list_work(draft) == [("何建明", "更换2号楼钢缆", "2026-06-30")]
    assert draft.people == ()


def test_another_day_that_the_asker_agrees_to_is_the_day_of_the_work() -> None:
    draft = read("老郭：小范，你算一下成本，周五给我。", "小范：周五我休假，下周一行吗？", "老郭：行。")
    assert [(one.who, one.when) for one in draft.promises] == [("小范", date(2026, 5, 18))]
    refused = read("老郭：小范，你算一下成本，周五给我。", "小范：周五我休假，下周一行吗？", "老郭：不行，太晚了。")
    assert date(2026, 5, 18) not in [one.when for one in refused.promises]


def test_notes_with_marks_of_a_text_editor_are_read_without_them() -> None:
    decided = ("## Decisions", "* Freeze on **21 July**.", "## Actions", "- [x] @raj — close tickets")
    draft = read("# Sync", "**Attendees:** @ana, @raj", *decided)
    assert (draft.name, draft.people, list_decided(draft)) == ("Sync", ("ana", "raj"), ["Freeze on 21 July."])
    assert list_work(draft) == [("raj", "close tickets", "")]


@pytest.mark.parametrize(
    ("text", "day", "words"),
    [
        ("7月底前上线", date(2026, 7, 31), "7月底"),
        ("by end of May", date(2026, 5, 31), "end of May"),
        ("script, Fri", date(2026, 5, 15), "Fri"),
        ("Sun Wei will call", None, ""),
        ("before the 20th", date(2026, 5, 20), "before the 20th"),
        ("3月中旬", None, "3月中旬"),
        ("会后三天内", date(2026, 5, 15), "三天内"),
        ("设备到货后一周内", None, "设备到货后一周内"),
        ("收到发票后3个工作日内", None, "收到发票后3个工作日内"),
        ("within 5 days of receipt", None, "within 5 days of receipt"),
    ],
)
def test_a_day_that_counts_from_what_nobody_knows_is_no_date(text: str, day: date | None, words: str) -> None:
    found = find_date(text, date(2026, 5, 12))
    assert (found or (None, find_time_words(text))) == (day, words)
