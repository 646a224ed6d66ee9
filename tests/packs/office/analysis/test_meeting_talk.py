"""Talk as people have it: who speaks, what is meant as work, who takes it, and dates that nobody can count."""

from datetime import date

import pytest

from metier.packs.office._pieces import TextPiece
from metier.packs.office.analysis import Reading, propose
from metier.packs.office.analysis.meetings import MinutesDraft, read_minutes

HELD = date(2026, 3, 4)  # a Wednesday
OPENING = ("张伟：大家好。", "李娜：大家好。", "张伟：开始吧。", "李娜：可以开始。")


def read(*lines: str, held: date | None = HELD) -> MinutesDraft:
    pieces = tuple(TextPiece(f"p{number}", line) for number, line in enumerate(lines, 1))
    return read_minutes(Reading("会议.docx", "docx", pieces), held)


Item = tuple[str, str, date | None]


def list_items(*lines: str) -> list[Item]:
    return [(one.who, one.what, one.when) for one in read(*OPENING, *lines).promises]


@pytest.mark.parametrize(
    ("lines", "people"),
    [
        (("王强：我下周五交预算。", "李娜：我去订会议室。", "张伟：好。"), ("王强", "李娜", "张伟")),
        (("[00:00:05] 王强：开始吧。", "[00:01:15] 李娜：好。"), ("王强", "李娜")),
        (("主持人：李娜，请你联系印刷厂。", "李娜：好的，我来联系。"), ("主持人", "李娜")),
        (("主持人：李娜", "王强：开始吧。", "李娜：好。"), ("王强", "李娜")),
        (("小王：样品到了。", "陈经理：好，先放仓库。", "阿杰：我去收。"), ("小王", "陈经理", "阿杰")),
        (("Tom: I'll send the draft tomorrow.", "Anna: Good."), ("Tom", "Anna")),
        (("金额：五万元。", "方案：分两期。", "进度：一半。"), ()),
        (("时间：明天", "地点：三楼", "安排：先参观。", "高度：三米。"), ()),
    ],
)
def test_who_speaks_once_is_a_speaker_and_a_label_is_none(lines: tuple[str, ...], people: tuple[str, ...]) -> None:
    assert read(*lines).people == people


@pytest.mark.parametrize(
    "line",
    [
        "张伟：这件事不用我做了吧。",
        "张伟：如果我下周五之前拿不到数据，就做不了。",
        "张伟：要是客户同意，我就去联系工厂。",
        "张伟：预算批下来的话，我周五采购设备。",
        "张伟：这是我念给大家听的一个诈骗邮件例子。",
        "张伟：他在群里写“我明天提交方案”。",
        "张伟：客户说我周五前提交方案就行。",
        "张伟：我来不及周五前提交报告。",
        "张伟：比如我明天提交代码，测试就能开始。",
        "张伟：周五前我们没人手整理资料。",
        "张伟：If the budget is approved, I will order the chairs.",
    ],
)
def test_refusals_conditions_quotations_and_examples_are_no_work(line: str) -> None:
    assert list_items(line) == []


def test_what_is_meant_beside_such_words_stays_work() -> None:
    assert list_items("张伟：这个我不确定，我明天确认一下。") == [("张伟", "明天确认一下", date(2026, 3, 5))]
    assert list_items("张伟：“智慧食堂”的方案我周五提交。")[0][2] == date(2026, 3, 6)
    assert list_items("张伟：客户说月底验收，我周五前整理好资料。")[0][2] == date(2026, 3, 6)


@pytest.mark.parametrize(
    ("line", "item"),
    [
        ("张伟：性能压测由我来做。", ("张伟", "做性能压测", None)),
        ("张伟：接口文档就由我来写吧，周五给大家。", ("张伟", "写接口文档，周五给大家", date(2026, 3, 6))),
        ("张伟：设备的清点小赵来做。", ("小赵", "做设备的清点", None)),
        ("张伟：海报由李娜来设计，周五交。", ("李娜", "设计海报，周五交", date(2026, 3, 6))),
        ("张伟：三天后我把报告发给大家。", ("张伟", "三天后把报告发给大家", date(2026, 3, 7))),
        ("张伟：元旦前我把总结交上去。", ("张伟", "元旦前把总结交上去", date(2027, 1, 1))),
        ("张伟：国庆前我完成招标。", ("张伟", "国庆前完成招标", date(2026, 10, 1))),
        ("张伟：下下周一我提交方案。", ("张伟", "下下周一提交方案", date(2026, 3, 16))),
        ("张伟：这个周末我来部署服务器。", ("张伟", "这个周末部署服务器", date(2026, 3, 8))),
    ],
)
def test_an_item_keeps_what_it_is_about_and_its_day(line: str, item: Item) -> None:
    assert list_items(line) == [item]


@pytest.mark.parametrize(
    ("lines", "items"),
    [
        (("张伟：请你把服务器的盘换掉。", "李娜：没问题。"), [("李娜", "把服务器的盘换掉", None)]),
        (
            ("张伟：李娜，请你联系印刷厂，确认打样。", "李娜：好的，我来联系。"),
            [("李娜", "联系印刷厂，确认打样", None)],
        ),
        (("张伟：李娜，请你整理会议室。", "李娜：好，我周五前整理好。"), [("李娜", "整理会议室", date(2026, 3, 6))]),
        (("张伟：能不能麻烦你把海报改一下？", "李娜：行，不会太久。"), [("李娜", "把海报改一下", None)]),
        (("张伟：李娜，麻烦你把海报改一下。", "李娜：我没空，找别人吧。"), []),
        (("张伟：请你介绍一下情况。", "李娜：好的。"), []),
        (("张伟：请你把合同寄出去。",), []),
        (("张伟：李娜你端午前给个方案。", "李娜：没问题。"), [("李娜", "端午前给个方案", None)]),
        (("张伟：麻烦李娜你把清单发我。", "李娜：好嘞，明天发你。"), [("李娜", "把清单发张伟", date(2026, 3, 5))]),
        (("张伟：李娜你说得对。", "李娜：嗯。"), []),
        (("张伟：团建谁来组织？", "李娜：我来。"), [("李娜", "组织团建", None)]),
        (
            ("张伟：投影仪坏了，谁去修？", "李娜：我去修，明天上午。"),
            [("李娜", "修（投影仪坏了），明天上午", date(2026, 3, 5))],
        ),
        (("张伟：谁来主持？", "李娜：我不去。"), []),
        (
            ("张伟：宣传栏的内容更新一下，李娜你负责。", "李娜：行，我明天弄好。"),
            [("李娜", "宣传栏的内容更新一下", date(2026, 3, 5))],
        ),
        (("张伟：那麻烦李娜把日志导出来。", "李娜：可以，今晚发你。"), [("李娜", "把日志导出来", HELD)]),
        (("张伟：图纸谁能改？", "李娜：我改不了，最近太忙。", "张伟：那让小许改。"), [("小许", "改图纸", None)]),
        (
            ("张伟：Could you send me the data then?", "李娜：Sure, by Thursday."),
            [("李娜", "send 张伟 the data then", date(2026, 3, 5))],
        ),
    ],
)
def test_a_request_is_work_of_who_agrees_to_it(lines: tuple[str, ...], items: list[Item]) -> None:
    assert list_items(*lines) == items


def test_a_bare_promise_keeps_the_sentence_that_it_answers() -> None:
    ((who, what, _),) = list_items("张伟：印刷厂那边还没有回音。", "李娜：我来联系。")
    assert (who, what) == ("李娜", "联系（上文：印刷厂那边还没有回音）")


def test_that_it_is_done_so_decides() -> None:
    found = read(*OPENING, "张伟：那就这么办，食堂换承包商。", "李娜：就这么办吗？").decisions
    assert [finding.message.zh for finding in found] == ["食堂换承包商。"]


@pytest.mark.parametrize(
    ("lines", "name"),
    [
        (("会议时间：2026年3月4日", "参会人：张伟、李娜", *OPENING), "会议"),
        (("会议时间：2026年3月4日", "会议主题：搬迁协调", *OPENING), "搬迁协调"),
        (("搬迁协调会", "时间：2026年3月4日", *OPENING), "搬迁协调会"),
        (OPENING, "会议"),
    ],
)
def test_the_subject_is_no_label_and_nothing_that_somebody_says(lines: tuple[str, ...], name: str) -> None:
    assert read(*lines).name == name


def test_without_the_day_of_the_meeting_relative_dates_stay_as_they_were_said() -> None:
    lines = (*OPENING, "张伟：我下周五前提交报告。", "李娜：我2026年5月6日前完成招标。", "张伟：春节前我交总结。")
    draft = read(*lines, held=None)
    assert (draft.date, [one.when for one in draft.promises]) == (None, [None, date(2026, 5, 6), None])
    reading = Reading("会议.docx", "docx", tuple(TextPiece(f"p{at}", line) for at, line in enumerate(lines, 1)))
    made = propose("meeting-minutes", reading, today=HELD, language="zh")
    assert "2026-03" not in str(made)
    assert "下周五（会议日期未知）" in str(made.actions)
    assert "'春节前'" in str(made.actions)
    said = propose("meeting-minutes", reading, message="整理2026年3月4日的会议纪要", today=HELD, language="zh")
    assert "2026-03-13" in str(said.actions)


def test_a_date_that_somebody_speaks_of_is_not_the_day_of_the_meeting() -> None:
    draft = read(*OPENING, "张伟：2027年5月1日合同到期，会议室也要退。", "李娜：我下周五前提交报告。", held=None)
    assert draft.date is None


@pytest.mark.parametrize(
    "lines",
    [
        ("张伟：上周我负责整理了数据。",),
        ("张伟：我上周五就交了报告。",),
        ("张伟：上午我联系了供应商。",),
        ("张伟：发票已交由财务处理完毕。",),
        ("张伟：我去年负责采购部，今年换人了。",),
        ("张伟：之前由李娜负责的项目结束了。",),
        ("张伟：感谢李娜负责整理材料。",),
        ("张伟：李娜上次负责布置会场，做得很好。",),
        ("张伟：请假的同事下周补做检查。",),
        ("张伟：安排合理的话周五能完成。",),
        ("张伟：李娜是负责人。",),
        ("张伟：让系统自动发送通知。",),
        ("张伟：安排会议室明天上线培训。",),
        ("张伟：李娜，你周五前把方案写完。", "李娜：我下周要出差，写不了。"),
        ("张伟：我才不负责这个。",),
        ("张伟：我刚把清单发给财务。",),
        ("张伟：李娜跟进得不错。", "张伟：让李娜负责不合适。"),
        ("张伟：李娜，你明天交报告。", "李娜：做不到。"),
        ("张伟：这个活我可以做，不过最近太忙。",),
        ("张伟：我本来打算周五交的，来不及了。",),
        ("张伟：王强提出由李娜跟进，李娜未同意。",),
        ("张伟：让李娜联系供应商吧。", "李娜：我跟他们不熟，换个人吧。"),
        ("张伟：最好由李娜来负责。", "张伟：建议由李娜牵头。", "李娜：我再考虑考虑。"),
        ("张伟：请李娜发言。", "李娜：下面我给大家播放视频。"),
        ("张伟：李娜, could you book a room?", "李娜：Sorry, I can't."),
        ("Tom: Anna, can you send the contract by Friday?", "Anna: No, I am on leave."),
        ("Tom: I'll need Mary to review it.", "Mary: Fine."),
        ("Tom: Would you like me to write the summary?", "Anna: Yes please."),
        ("Tom: Peter will probably fix it.", "Anna: Good."),
    ],
)
def test_what_nobody_takes_on_is_no_action_item(lines: tuple[str, ...]) -> None:
    assert list_items(*lines) == []


@pytest.mark.parametrize(
    ("line", "who"),
    [
        ("张伟：上周的数据我来整理。", "张伟"),
        ("张伟：我写完了再发给李娜，周五前完成。", "张伟"),
        ("张伟：请财务部尽快核对账目。", "财务部"),
        ("张伟：建议书我明天提交。", "张伟"),
        ("张伟：周五之前由李娜提交清单。", "李娜"),
        ("张伟：请李娜周五前汇报结果。", "李娜"),
        ("张伟：请赵敏尽快通知客户。", "赵敏"),
        ("张伟：不过我下周三之前可以把预算做出来。", "张伟"),
        ("张伟：单位的牌子由闫伟去做。", "闫伟"),
    ],
)
def test_words_that_only_look_alike_stay_work(line: str, who: str) -> None:
    assert [one[0] for one in list_items(line)] == [who]


def test_a_promise_that_is_withdrawn_is_none_and_a_changed_day_is_the_new_one() -> None:
    assert list_items("李娜：我周五前交报告。", "张伟：不用了，报告取消。") == []
    assert list_items("李娜：我周五前交报告。", "李娜：不对，我周五出差，改成下周二。") == [
        ("李娜", "周五前交报告（改成下周二）", date(2026, 3, 10))
    ]
    assert list_items("李娜：我周五前交报告。", "张伟：采购合同取消。") == [("李娜", "周五前交报告", date(2026, 3, 6))]


def test_the_day_of_other_work_in_a_reply_is_no_due_date() -> None:
    lines = ("张伟：客户投诉的事，李娜你跟进一下。", "李娜：嗯，明天我去拜访客户。")
    found = list_items(*lines)
    assert found == [("李娜", "客户投诉的事", None), ("李娜", "明天去拜访客户", date(2026, 3, 5))]


def test_who_leads_the_meeting_takes_part_in_it() -> None:
    assert read("主持人：王强", "参会人员：李娜、赵敏", "1. 会议决定不采购新设备。").people == ("李娜", "赵敏", "王强")


def test_a_call_for_a_vote_and_a_missing_decision_decide_nothing() -> None:
    draft = read(*OPENING, "张伟：同意的举手。", "张伟：会议没有形成决定。", "张伟：会议决定周一上线。")
    assert [one.quote for one in draft.decisions] == ["会议决定周一上线。"]
