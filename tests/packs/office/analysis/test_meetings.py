"""Minutes: participants, topics, decisions and promises, with dates counted from the day of the meeting."""

from collections.abc import Sequence
from datetime import date
from pathlib import Path

from docx import Document

from metier.packs.office._hosts import WriteRequest, host_for
from metier.packs.office._pieces import TextPiece
from metier.packs.office.analysis import Reading, propose
from metier.packs.office.analysis._dates import find_date
from metier.packs.office.analysis.meetings import Utterance, find_promises, read_minutes
from metier.packs.office.plan import load_plan
from metier.packs.office.writer import read_document

TODAY = date(2026, 3, 4)  # a Wednesday


def reading_of(*lines: str) -> Reading:
    return Reading("doc", "docx", tuple(TextPiece(f"p{number}", line) for number, line in enumerate(lines, 1)))


def test_relative_dates_count_from_the_meeting() -> None:
    cases = {
        "下周五前": date(2026, 3, 13),
        "本周五之前": date(2026, 3, 6),
        "周一": date(2026, 3, 9),
        "月底": date(2026, 3, 31),
        "两周内": date(2026, 3, 18),
        "2月28日": date(2027, 2, 28),
        "下个月10号": date(2026, 4, 10),
        "by next Tuesday": date(2026, 3, 10),
        "by June 3rd": date(2026, 6, 3),
        "尽快": None,
        "2月30日": None,
        "as soon as possible": None,
    }
    found = {words: resolved[0] if (resolved := find_date(words, TODAY)) else None for words in cases}
    assert found == cases


def test_what_is_open_is_no_decision_and_a_promise_without_date_stays_open() -> None:
    draft = read_minutes(
        reading_of(
            "发言人1：是否涨价，今天不决定，下次再议。",
            "发言人2：报价我来整理，尽快发给大家。",
            "发言人1：会议通过了差旅办法。",
        ),
        TODAY,
    )
    assert [finding.line for finding in draft.decisions] == ["发言人1：会议通过了差旅办法。"]
    assert [(promise.who, promise.when, promise.address) for promise in draft.promises] == [("发言人2", None, "p2")]
    assert draft.date == TODAY


def test_minutes_are_one_block_and_every_entry_has_its_line() -> None:
    reading = reading_of("周会 2026年3月4日", "王磊：先说预算。", "陈静：我下周五前提交预算表。", "王磊：同意。")
    zh = propose("meeting-minutes", reading, today=TODAY, language="zh")
    en = propose("meeting-minutes", reading, today=TODAY, language="en")
    (block,) = zh.actions
    assert (block["op"], block["block_id"], block["anchor"]) == ("upsert_block", "meeting-minutes", "end")
    assert "2026-03-13" in str(block)
    assert {finding["line"] for finding in zh.findings} <= {piece.line for piece in reading.pieces}
    assert "待办" in str(zh.tables)
    assert "Action items" in str(en.tables)
    assert "1 action item." in en.summary


def test_remarks_are_no_work_and_work_is_found_without_the_word_i() -> None:
    cases = {
        "张伟：我们先看进度，接口联调完成了八成。": None,
        "张伟：我昨天已经把报表发给财务了。": None,
        "张伟：我写代码的时候发现一个问题。": None,
        "张伟：我负责的部分就这些。": None,
        "张伟：客户周五前会给我们答复。": None,
        "张伟：要注意质量，不要只看价格。": None,
        "李娜：测试环境下周三之前能准备好。": ("李娜", date(2026, 3, 11)),
        "李娜：采购合同还没签，这个要跟法务确认。": ("", None),
        "李娜：月底前给到。": ("", date(2026, 3, 31)),
        "张伟：李娜你把预算表周五前发我。": ("李娜", date(2026, 3, 6)),
        "张伟：周五开评审会，李娜准备材料。": ("李娜", date(2026, 3, 6)),
        "Tom: I'll start with last month, we delivered three batches.": None,
        "Anna: The customer will be ready by Friday.": None,
        "Anna: The test environment can be ready by next Wednesday.": ("Anna", date(2026, 3, 11)),
        "Anna: The contract needs to be confirmed with legal.": ("", None),
    }
    talk = ("张伟：好。", "李娜：好。", "Tom: Hello.", "Anna: Hello.")
    found = {}
    for line in cases:
        promises = read_minutes(reading_of(*talk, *talk, line), TODAY).promises
        found[line] = (promises[0].who, promises[0].when) if promises else None
    assert found == cases


def test_nobody_is_written_where_nobody_took_the_work() -> None:
    reading = reading_of("王磊：先说预算。", "陈静：合同要跟法务确认。", "王磊：好。")
    rows = propose("meeting-minutes", reading, today=TODAY, language="zh").tables[0]["rows"]
    assert isinstance(rows, Sequence)
    assert [list(row)[1:3] for row in rows if isinstance(row, Sequence)] == [["待定", "待定"]]


def test_a_name_of_two_words_is_one_person() -> None:
    lines = ("Present: Anna, Mr Chen", "Anna: Hello.", "Mr Chen: Hello.", "Anna: Bye.", "Mr Chen: Bye.")
    assert read_minutes(reading_of(*lines), TODAY).people == ("Anna", "Mr Chen")
    assert read_minutes(reading_of("参会：张伟 李娜", "张伟：好。", "张伟：好。"), TODAY).people == ("张伟", "李娜")


def test_minutes_that_are_written_already_are_no_source_of_the_next_ones(tmp_path: Path) -> None:
    source, target, again = tmp_path / "a.docx", tmp_path / "b.docx", tmp_path / "c.docx"
    talk = Document()
    for line in ("周会 2026年3月4日", "王磊：先说预算。", "陈静：我下周五前提交预算表。", "王磊：就这么定了。"):
        talk.add_paragraph(line)
    talk.save(str(source))
    proposals = []
    for path, written in ((source, target), (target, again)):
        reading = Reading("周会", "docx", tuple(read_document(path).pieces))
        made = propose("meeting-minutes", reading, today=TODAY, language="zh")
        actions = list(made.actions)
        plan = load_plan({"schema_version": "ah32.plan.v1", "host_app": "wps", "actions": actions}, host="wps").plan
        assert plan is not None
        execution = host_for("wps").execute(plan, path, written, request=WriteRequest())
        proposals.append((made.findings, made.actions))
    assert proposals[0] == proposals[1]
    assert execution.changes == ()


def test_topics_that_are_announced_as_a_list_are_topics_once_and_decisions_lose_their_lead() -> None:
    cases = {
        (
            "王磊：今天主要定两件事，一是新门户上线时间，二是客服系统换不换。",
            "王磊：第二件事，客服系统。大家怎么看？",
        ): (
            "新门户上线时间",
            "客服系统换不换",
        ),
        ("Ann: Two things today: when the portal goes live, and the help desk.", "Ann: Second point, the help desk."): (
            "when the portal goes live",
            "the help desk",
        ),
        ("主持人：今天议三项内容：预算、招聘和搬家。", "主持人：第一项，预算。", "主持人：另外说一下年会。"): (
            "预算",
            "招聘",
            "搬家",
            "年会",
        ),
        ("李敏：我有两点担心，时间不够。", "李敏：那就先记下。"): (),
        ("王磊：好的。", "王磊：第二件事，客服系统。"): ("客服系统",),
    }
    found = {
        lines: tuple(one.message.text("zh") for one in read_minutes(reading_of(*lines), TODAY).topics)
        for lines in cases
    }
    assert found == cases
    said = reading_of(
        "王磊：好，那就这么定，门户3月20日上线。",
        "王磊：那就决定先试用一个月。",
        "Ann: Then it is decided: the portal goes live.",
        "Bob: Agreed, the vendor offers a trial. The budget sheet has to be updated, I will do it soon.",
    )
    draft = read_minutes(said, TODAY)
    decided = draft.decisions
    assert [one.message.text("zh") for one in decided] == [
        "门户3月20日上线。",
        "决定先试用一个月。",
        "the portal goes live.",
    ]
    assert [one.who for one in draft.promises] == ["Bob"]
    assert decided[0].quote == "好，那就这么定，门户3月20日上线。"


def test_action_items_are_in_the_third_person_and_say_what_is_to_be_done() -> None:
    said = (
        ("王磊", "安全问题谁负责？什么时候能改完？"),
        ("张涛", "我来改，下周五之前改完。"),
        ("李敏", "上线公告我来写，3月16日前发给大家看。"),
        ("王磊", "试用由张涛联系供应商，时间待定。"),
        ("李敏", "预算表需要更新，我会尽快处理。"),
        ("陈静", "下周三前我把方案发给大家。"),
        ("Laura", "Who takes the security issues, and by when?"),
        ("Tom", "I will fix them by next Friday."),
        ("Mark", "The budget sheet has to be updated, I will do it soon."),
    )
    lines = [Utterance(speaker, text, "p1", text) for speaker, text in said]
    made = [(one.who, one.what) for one in find_promises(lines, date(2026, 3, 2), {name for name, _ in said})]
    assert made == [
        ("张涛", "改安全问题，下周五之前改完"),
        ("李敏", "写上线公告，3月16日前发给大家看"),
        ("张涛", "试用：联系供应商，时间待定"),
        ("李敏", "尽快更新预算表"),
        ("陈静", "下周三前把方案发给大家"),
        ("Tom", "fix the security issues by next Friday"),
        ("Mark", "The budget sheet has to be updated soon"),
    ]


def test_a_person_before_the_thing_and_somebody_of_an_office_promise_work() -> None:
    said = [
        Utterance("发言人1", text, f"p{at}", text)
        for at, text in enumerate(
            (
                "下周五之前小王把测试报告交出来。",
                "维修由村委会王会计负责，4月30日前完成。",
                "昨天小李把报告交了。",
                "谁把投影仪拿走了？",
                "系统每天把日志发给运维。",
                "我们把方案改一下。",
            )
        )
    ]
    found = [(one.who, one.what) for one in find_promises(said, date(2026, 3, 2))]
    assert [who for who, _ in found] == ["小王", "王会计", "发言人1"]
    assert found[-1][1] == "把方案改一下"


def test_what_today_is_about_is_a_topic() -> None:
    draft = read_minutes(reading_of("发言人1：今天讨论一下新系统上线。", "发言人2：今天天气不错。"), date(2026, 3, 2))
    assert len(draft.topics) == 1


def test_what_is_due_before_that_is_due_by_the_date_before_it() -> None:
    cases = {
        "Then it is decided: the portal goes live on 20 March. Anna Park will arrange the test before that.": True,
        "The portal goes live on 20 March. Tom will write the announcement by then.": True,
        "门户3月20日上线。请陈静在那之前安排渗透测试。": True,
        "The portal goes live on 20 March. Tom will write the announcement.": False,
        "门户3月20日上线。那前端由陈静修改。": False,
    }
    for said, is_due in cases.items():
        (promise,) = find_promises([Utterance("", said, "p1", said)], TODAY)
        assert (promise.when == date(2026, 3, 20)) == is_due, said


def test_a_participant_behind_the_word_matter_takes_it_and_a_reason_names_nobody() -> None:
    lines = ("周静：发票开得慢。", "刘洋：好，那发布定在3月18日。", "刘洋：发票的事由周静跟财务对接，下周一给方案。")
    others = ("刘洋：迟到的事由于天气，改天再说。", "刘洋：月底之前周静把合同交给法务。")
    draft = read_minutes(reading_of(*lines, *others), TODAY)
    assert [(one.who, one.when) for one in draft.promises] == [
        ("周静", date(2026, 3, 9)),
        ("周静", date(2026, 3, 31)),
    ]
    assert [finding.message.zh for finding in draft.decisions] == ["发布定在3月18日。"]
