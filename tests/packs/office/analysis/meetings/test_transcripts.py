"""Talks with their truth: what they hold is found; remarks, jokes, states and reports are no work and no decision."""

import hashlib
from datetime import date
from pathlib import Path

import pytest

from metier.packs.office._pieces import TextPiece
from metier.packs.office.analysis import Reading
from metier.packs.office.analysis.meetings import MinutesDraft, read_minutes
from tests.packs.office.analysis.meetings.transcripts import HELD, read_transcripts, tally

FOLDER = Path(__file__).parent
SEALED = "e3d49f0ee122936414dc5be4a449abff5864a13d4c4ead903761d49ffc558bc0"


def read(*lines: str) -> MinutesDraft:
    pieces = tuple(TextPiece(f"p{number}", line) for number, line in enumerate(lines, 1))
    return read_minutes(Reading("talk.docx", "docx", pieces), HELD)


def test_the_held_out_talks_are_as_they_were_before_the_rules() -> None:
    assert hashlib.sha256((FOLDER / "sealed.txt").read_bytes()).hexdigest() == SEALED
    assert [len(read_transcripts(FOLDER / f"{name}.txt")) for name in ("development", "sealed")] == [30, 30]


def test_work_and_decisions_of_the_talks_are_found_and_little_else() -> None:
    found = tally(FOLDER / "development.txt")
    assert {kind: (one.recall >= 0.9, one.precision >= 0.9) for kind, one in found.items()} == {
        "to-do": (True, True),
        "decision": (True, True),
    }


def test_the_figures_of_the_held_out_talks_do_not_sink() -> None:
    found = tally(FOLDER / "sealed.txt")
    assert {kind: (one.recall >= 0.75, one.precision >= 0.95) for kind, one in found.items()} == {
        "to-do": (True, True),
        "decision": (True, True),
    }


@pytest.mark.parametrize("said", (FOLDER / "remarks.txt").read_text("utf-8").splitlines())
def test_a_remark_is_no_work_and_no_decision(said: str) -> None:
    draft = read(
        "李娜：我们开始吧。", "小王：好。", "李娜：今天说三件事。", f"张伟：{said}", "李娜：嗯。", "小王：接着说。"
    )
    assert (draft.promises, draft.decisions) == ((), ())


@pytest.mark.parametrize(
    ("lines", "who", "words"),
    [
        (("李娜：好。", "张伟：音响我借。"), "张伟", "借音响"),
        (("李娜：好。", "张伟：我周末腌两坛泡菜。"), "张伟", "腌两坛泡菜"),
        (("李娜：谁来写总结？", "张伟：我吧。"), "张伟", "写总结"),
        (("李娜：总结谁写？", "王强：我上次写过了。", "张伟：我。"), "张伟", "写总结"),
        (("李娜：水电图什么时候能给我？", "张伟：后天给你。"), "张伟", "水电图"),
        (("李娜：好。", "张伟：以后每周五李娜负责清点冷库。"), "李娜", "清点冷库"),
        (("李娜：好。", "张伟：要不要我去接孩子？", "李娜：好。"), "张伟", "接孩子"),
        (("李娜：发布稿呢？", "张伟：行，周三发群里。"), "张伟", "周三发群里"),
        (("我来打印签到表。", "好。"), "", "打印签到表"),
        (("Ana: Someone has to bring an amp.", "Ray: Me."), "Ray", "bring an amp"),
        (("Ana: The board needs a new drawing.", "Ray: On it."), "Ray", "board"),
        (("Ana: Shall I tell the supplier?", "Ray: Yes please."), "Ana", "tell the supplier"),
        (("Ana: Ray, sharpen the knives tonight.", "Ray: Yes."), "Ray", "sharpen the knives"),
        (("Ana: From now on, Ray checks the log every morning.", "Ray: Will do."), "Ray", "checks the log"),
    ],
)
def test_work_is_found_in_whatever_verb_somebody_takes_it(lines: tuple[str, ...], who: str, words: str) -> None:
    (promise,) = read(*lines).promises
    assert promise.who == who
    assert words in promise.what


def test_several_pieces_of_work_in_one_sentence_are_listed_one_by_one() -> None:
    draft = read(
        "李娜：椅子谁擦？", "小王：我擦，课件我周末做。", "李娜：好，小王顺便买水，我来订两辆车。", "小王：好。"
    )
    assert [(one.who, one.what, one.when) for one in draft.promises] == [
        ("小王", "擦椅子", None),
        ("小王", "周末做课件", date(2026, 3, 8)),
        ("小王", "顺便买水", None),
        ("李娜", "订两辆车", None),
    ]


def test_a_duty_that_returns_is_due_whenever_it_was_said() -> None:
    (promise,) = read("李娜：好。", "张伟：以后每周五李娜负责清点冷库。", "李娜：知道了。").promises
    assert (promise.when, promise.said) == (None, "每周五")


@pytest.mark.parametrize(
    ("lines", "count"),
    [
        (("李娜：彩排挪到晚上七点，大家没意见吧？", "张伟：没意见。"), 1),
        (("李娜：彩排挪到晚上七点，大家没意见吧？", "张伟：我有意见，太晚了。"), 0),
        (("李娜：那就不换了。", "张伟：好。"), 1),
        (("李娜：那就不换了。", "张伟：等等，客户要换。"), 0),
        (("Ana: No more overtime this month.", "Ray: Fine."), 1),
        (("Ana: Let's talk about the budget.", "Ray: Fine."), 0),
    ],
)
def test_a_choice_is_closed_in_plain_words_unless_the_next_person_objects(lines: tuple[str, ...], count: int) -> None:
    assert len(read(*lines).decisions) == count


@pytest.mark.parametrize(
    "said",
    [
        "演出服就穿黑的。",
        "活动的钱从公账出。",
        "年会不办了，省下来的钱发红包。",
        "工期往后顺延三天，月底交。",
        "七点半，广场南门集合。",
        "音乐还用去年那版。",
        "Saturday it is, Ray brings the speakers.",
        "The van comes out of the band fund.",
        "We open with the slow one.",
        "Then we move the rehearsal to the 24th.",
        "No more walk-ins on Fridays.",
    ],
)
def test_what_is_decided_by_saying_it_is_a_decision(said: str) -> None:
    assert (
        len(read("李娜：今天说三件事。", "小王：好。", f"张伟：{said}", "李娜：嗯。", "小王：接着说。").decisions) == 1
    )


@pytest.mark.parametrize(
    ("asked", "answered", "count"),
    [
        ("李娜：厨房吊顶选哪种？铝扣板还是石膏板？", "张伟：铝扣板。", 1),
        ("李娜：服务器用阿里的还是腾讯的？", "张伟：用腾讯的，上次的券还没用完。", 1),
        ("李娜：卫生间的防水做几遍？", "张伟：按三遍做。", 1),
        ("Ana: Do we buy the fridge or lease it?", "Ray: Lease it.", 1),
        ("Ana: Do we wear the white shirts?", "Ray: Everybody wears black.", 1),
        ("李娜：你喝茶还是咖啡？", "张伟：咖啡。", 0),
        ("李娜：他是北京人还是上海人？", "张伟：上海人。", 0),
        ("李娜：上次用的哪家？", "张伟：用顺丰。", 0),
        ("李娜：快递走顺丰还是圆通？", "张伟：圆通太慢。", 0),
        ("李娜：快递走顺丰还是圆通？", "张伟：我觉得顺丰。", 0),
        ("李娜：快递走顺丰还是圆通？", "张伟：都行。", 0),
        ("李娜：客户要红的还是蓝的？", "张伟：蓝的。", 0),
        ("李娜：仓库里茶叶多还是咖啡多？", "张伟：咖啡多。", 0),
        ("Ana: Saturday or Sunday for the gig?", "Ray: Sunday is bad, my sister gets married.", 0),
        ("Ana: Is it red or blue?", "Ray: Blue.", 0),
        ("Ana: Do we know the price?", "Ray: Everybody knows the price.", 0),
        ("Ana: Do we sell more tea or coffee?", "Ray: Coffee.", 0),
    ],
)
def test_the_answer_to_a_choice_for_all_decides_and_one_of_a_fact_does_not(
    asked: str, answered: str, count: int
) -> None:
    assert len(read(asked, answered, "小王：接着说。").decisions) == count


def test_who_is_called_by_name_first_is_told_what_follows() -> None:
    (promise,) = read("李娜：楼道的垃圾堆了快一周了。", "张伟：老刘，今天下班前叫人清掉。", "老刘：好。").promises
    assert (promise.who, promise.what) == ("老刘", "今天下班前叫人清掉")


def test_work_that_comes_with_a_choice_is_listed() -> None:
    (promise,) = read("Ana: Saturday it is, Ray brings the speakers.", "Ray: Sure.").promises
    assert (promise.who, promise.what) == ("Ray", "brings the speakers")


@pytest.mark.parametrize("name", ["阿May", "小Tom", "Amy姐", "Tom老师"])
def test_a_name_in_two_scripts_speaks_for_itself(name: str) -> None:
    (promise,) = read("大熊：开始吧。", f"{name}：好。", "大熊：首页谁改？", f"{name}：我今天改首页。").promises
    assert promise.who == name
