"""The task analyzer on messages that nobody tuned it on, and on the words of the seed."""

from hashlib import sha256
from pathlib import Path

import pytest

from metier.routing import open_router
from metier.settings import Settings
from metier.skills import Catalog
from metier.tasks import TaskAnalyzer, load_type_model, open_analyzer
from metier.tools import load_task_types
from training._labelled import read_labelled

DATA = Path(__file__).with_name("data")
# None is among the material. The fifth was run once on the finished model: 84 right; then it was looked at.
FROZEN = {
    "messages_4.txt": "9d8f8fca598973f31a4f582ece6c320cf24da48ffe1f80697c46c88a8e988603",
    "messages_5.txt": "d6ddb35c33cdfca65d133416f83fbd8bfbcd61ce66beee27301a544bf96365fa",
    "messages_6.txt": "2b40d6417d5e87a7fbb49ddcbd514ced0aa5ff71a789af7222658328fa7cfcb5",
}
# Only their counts are known: the seventh was written by an author of the material, the eighth by a stranger to it.
UNSEEN = {
    "messages_7.txt": "53b0909b7791f93e3721cec974c0449b835c002978cd0f4304b482a0cabf90cc",
    "messages_8.txt": "0a7175424db6fcd13266cfc516ddd5e11538d460cf6ded608f8acba5d5e16d09",
}


@pytest.fixture(scope="module")
def analyzer() -> TaskAnalyzer:
    return open_analyzer(load_task_types(), open_router(Settings(embedder="use-multilingual")))


def test_the_frozen_messages_have_their_digests() -> None:
    every = FROZEN | UNSEEN
    assert {name: sha256((DATA / name).read_bytes()).hexdigest() for name in every} == every


def test_the_type_is_right_for_95_percent_of_the_messages_that_are_not_in_the_material(analyzer: TaskAnalyzer) -> None:
    for name in FROZEN:
        rows = read_labelled(DATA / name)
        wrong = [one.message for one in rows if set(analyzer.analyze(one.message).types) != one.types]
        assert len(rows) >= 80
        assert len(wrong) <= len(rows) // 20, wrong


def test_the_type_is_right_for_95_percent_of_messages_whose_wording_was_not_read(analyzer: TaskAnalyzer) -> None:
    for name in UNSEEN:
        rows = read_labelled(DATA / name)
        right = sum(set(analyzer.analyze(one.message).types) == one.types for one in rows)
        # The seventh: 93 when it was written. The eighth: 98 at first, and 99 with a limit of 0.8 for a second type.
        assert right >= 0.95 * len(rows), name


def test_a_client_who_is_visited_and_a_demo_that_is_planned_are_no_code(analyzer: TaskAnalyzer) -> None:
    briefed = analyzer.analyze("Find out about our client Acme and write a briefing")
    assert set(briefed.types) == {"research", "creation"}
    assert "code_development" not in analyzer.analyze("A demo agenda for our client on Thursday, four points").types


def test_a_greeting_is_the_whole_message_and_not_a_part_of_a_word(analyzer: TaskAnalyzer) -> None:
    for greeting in ("hi", "你好！", "Hello there", "thanks"):
        found = analyzer.analyze(greeting)
        assert (found.types, found.complexity) == ((), "simple"), greeting
        assert [one.code for one in found.reasons] == ["greeting"], greeting
    asked = analyzer.analyze("hi, is this function in parser.py the one that fails the unit test?")
    assert asked.types == ("code_development",)
    assert asked.complexity == "single"


def test_what_words_answer_is_talk_and_what_needs_a_tool_is_not(analyzer: TaskAnalyzer) -> None:
    talk = (
        "谢谢，辛苦了",
        "Thanks, that was really helpful",
        "“守株待兔”是什么意思？",
        "Who wrote War and Peace?",
        "讲句鼓励的话",
    )
    other = (
        *(
            "记住我喜欢喝绿茶",
            "看看 notes.txt 里写了什么",
            "明天上海天气怎么样",
            "Remember that I like tea",
            "What time is it?",
        ),
        *(
            "把 sales.csv 按月汇总",
            "Open https://demo.test and read it",
            "调研光伏行业",
            "remind me to call Ann",
            "轴承报警了怎么办",
        ),
    )
    wrong = [one for one in talk if not analyzer.analyze(one).is_talk]
    wrong += [one for one in other if analyzer.analyze(one).is_talk]
    assert not wrong


def test_what_a_message_refuses_is_not_its_type(analyzer: TaskAnalyzer) -> None:
    assert analyzer.analyze("不要做PPT，调研一下竞品").types == ("research",)
    assert analyzer.analyze("research the market without slides").types == ("research",)


def test_two_kinds_of_task_are_several_and_the_gate_keeps_the_tools_of_both(analyzer: TaskAnalyzer) -> None:
    found = analyzer.analyze("查一查国内宠物食品的竞争格局，最后给我一份PPT")
    assert set(found.types) == {"research", "creation"}
    assert found.complexity == "several"
    assert found.task_type is not None
    assert {"web_search", "pptx"}.isdisjoint(found.task_type.refused_tools)
    assert found.explain("zh")[0] == "任务类型：研究、创作（多项任务）"


def test_a_slash_command_and_the_candidates_come_from_the_router(analyzer: TaskAnalyzer) -> None:
    router = open_router(Settings(embedder="use-multilingual"))
    decision = router.route("/nothing 分析新能源汽车市场趋势", catalog=Catalog.from_skills([]))
    found = analyzer.analyze("分析新能源汽车市场趋势", decision)
    assert (found.command, found.candidates, found.types) == ("", (), ("research",))


def test_without_vectors_the_keywords_decide_and_say_so() -> None:
    found = TaskAnalyzer(load_task_types()).analyze("重构这段代码并写测试")
    assert found.types == ("code_development",)
    assert found.reasons[-1].code == "words_only"


def test_the_model_knows_the_shipped_types() -> None:
    assert set(load_type_model().types) == set(load_task_types().types)
