"""What is no work and no decision: tasks that nobody accepts, other days, past and standing work, jokes, objections."""

from datetime import date

import pytest

from metier.packs.office._pieces import TextPiece
from metier.packs.office.analysis import Reading
from metier.packs.office.analysis.meetings import MinutesDraft, read_minutes

OPENING = ("张伟：大家好。", "李娜：大家好。", "王强：大家好。", "张伟：开始吧。", "李娜：可以开始。", "王强：好。")
ENGLISH = ("Tom: Hello.", "Anna: Hello.", "Tom: Let me see.", "Anna: Fine.")
Item = tuple[str, str, date | None]


def read(*lines: str) -> MinutesDraft:
    talk = (*OPENING, *ENGLISH, *lines)
    pieces = tuple(TextPiece(f"p{number}", line) for number, line in enumerate(talk, 1))
    return read_minutes(Reading("会议.docx", "docx", pieces), date(2026, 3, 4))


def list_items(*lines: str) -> list[Item]:
    return [(one.who, one.what, one.when) for one in read(*lines).promises]


REPLIES = (
    *("再说吧。", "凭什么？", "我辞职了。", "为什么是我？", "看情况吧。", "我考虑一下。"),
    *("让王强来吧。", "我手上三个项目了。", "这不是行政的活吗？", "要写几页？"),
)


@pytest.mark.parametrize("reply", REPLIES)
@pytest.mark.parametrize("asked", ["李娜，你把报告写一下。", "麻烦李娜整理报告。", "报告由李娜负责。"])
def test_a_task_that_the_person_does_not_accept_is_not_listed(asked: str, reply: str) -> None:
    assert list_items(f"张伟：{asked}", f"李娜：{reply}") == []


@pytest.mark.parametrize(
    "reply",
    [
        "Why me?",
        "I don't think so.",
        "We'll see.",
        "Not my job.",
        "I quit last week.",
        "Already did.",
        "Let Peter do it.",
    ],
)
def test_a_task_that_is_not_accepted_in_english_is_not_listed(reply: str) -> None:
    assert list_items("Tom: Anna, please write the report.", f"Anna: {reply}") == []


@pytest.mark.parametrize(
    ("lines", "item"),
    [
        (
            ("张伟：李娜，你把方案发我。", "李娜：要几页？", "张伟：两页。", "李娜：好的。"),
            ("李娜", "把方案发张伟", None),
        ),
        (("张伟：请李娜写总结。", "李娜：校服的事还没有结论。"), ("李娜", "写总结", None)),
        (("张伟：王强，你去送文件。", "李娜：我去吧，你忙。"), ("李娜", "送文件", None)),
        (("张伟：李娜，你把清单发我。", "李娜：好的，我发你。"), ("李娜", "把清单发张伟", None)),
        (("李娜：王强，把我的电脑修一下。", "王强：好。"), ("王强", "把李娜的电脑修一下", None)),
        (("Tom: Peter, please call the vendor.", "Anna: I'll do it."), ("Anna", "call the vendor", None)),
    ],
)
def test_who_takes_a_task_later_or_for_another_has_it(lines: tuple[str, ...], item: Item) -> None:
    assert list_items(*lines) == [item]


@pytest.mark.parametrize(
    ("asked", "reply", "day"),
    [
        ("李娜，你把报告周五前给我。", "好的，不过要下周一。", date(2026, 3, 9)),
        ("李娜，周五前把报告发我。", "周五不行，下周二给你。", date(2026, 3, 10)),
        ("李娜，麻烦你周五前交报告。", "周五有点紧，下周一可以。", date(2026, 3, 9)),
        ("李娜，麻烦你周五前交报告。", "好，周四就能给。", date(2026, 3, 5)),
        ("李娜，麻烦你周五前交报告。", "好的，不过最快也要下周一。", date(2026, 3, 9)),
        ("李娜，麻烦你明天交报告。", "可以，最晚后天。", date(2026, 3, 6)),
    ],
)
def test_the_day_that_the_reply_names_wins_and_both_lines_are_quoted(asked: str, reply: str, day: date) -> None:
    (promise,) = read(f"张伟：{asked}", f"李娜：{reply}").promises
    assert (promise.who, promise.when) == ("李娜", day)
    assert promise.line == f"张伟：{asked} / 李娜：{reply}"


def test_a_sentence_that_is_quoted_for_a_bare_promise_keeps_its_own_speaker() -> None:
    ((_, what, _),) = list_items("张伟：印刷厂还没有回我。", "李娜：我来联系。")
    assert what == "联系（上文：印刷厂还没有回张伟）"


@pytest.mark.parametrize(
    "line",
    [
        "张伟：我把合同发法务了。",
        "张伟：合同我发法务了。",
        "张伟：我正在整理资料。",
        "张伟：我一直在跟进客户。",
        "张伟：我一直负责仓库，月底盘点。",
        "张伟：我每周五都交周报。",
        "张伟：我天天都得查邮件。",
        "张伟：我已把清单交给财务。",
        "张伟：开个玩笑，我明天去采购飞机。",
        "Tom: I'll finish it when pigs fly.",
        "Tom: Nobody will do it.",
        "Tom: Someone please book a room.",
        "Tom: Prices will rise next year.",
    ],
)
def test_past_ongoing_standing_and_joking_words_are_no_action_items(line: str) -> None:
    assert list_items(line) == []


def test_who_is_away_by_the_word_of_another_has_no_task() -> None:
    assert list_items("张伟：李娜，你负责联系展位。", "王强：李娜在休产假。") == []
    assert list_items("Tom: Anna will call the bank.", "Peter: Anna is on leave.") == []


def test_a_promise_that_is_taken_back_two_utterances_later_is_none() -> None:
    assert list_items("李娜：我周五前交报告。", "张伟：好。", "王强：对了，报告不用交了。") == []
    assert list_items("李娜：我周五前交报告。", "张伟：好。", "李娜：算了，我下周再看。") == []


@pytest.mark.parametrize(
    "line",
    [
        "张伟：大家不一致同意。",
        "张伟：董事会决定了再说。",
        "张伟：会议通过腾讯会议进行。",
        "张伟：通过努力，我们完成了目标。",
        "张伟：去年我们定为八折。",
        "张伟：原定为三天，现在改成两天。",
        "张伟：大家并没有一致同意。",
        "张伟：客户决定不续约了。",
        "张伟：这个决定很难做。",
        "Tom: The board approved it last year.",
        "Tom: The customer decided to leave.",
    ],
)
def test_what_is_denied_past_or_decided_by_others_is_no_decision(line: str) -> None:
    assert read(line).decisions == ()


@pytest.mark.parametrize(
    "reply", ["李娜：我不同意，太早了。", "李娜：等一下，还没测完。", "Anna: Wait, that is too early."]
)
def test_what_the_next_speaker_objects_to_is_no_decision(reply: str) -> None:
    assert read("张伟：那就定在4月1日上线。", reply).decisions == ()
    assert len(read("张伟：那就定在4月1日上线。", "李娜：没意见。").decisions) == 1
