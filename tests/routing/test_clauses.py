import pytest
from hypothesis import given
from hypothesis import strategies as st

from metier.routing._clauses import asks, follows_up, hear, is_small_talk, says_little
from metier.routing._terms import fold
from metier.routing._triggers import WordFinder

WORDS = WordFinder(
    [
        "ppt",
        "幻灯片",
        "研究报告",
        "报告",
        "周报",
        "画图",
        "pdf",
        "slides",
        "report",
        "charts",
        "tables",
        "market research",
    ]
)


@pytest.mark.parametrize(
    ("message", "asked", "denied"),
    [
        pytest.param("不要做PPT，写一份研究报告", "写一份研究报告", {"ppt"}, id="不要, then a request"),
        pytest.param("不要做PPT写一份研究报告", "写一份研究报告", {"ppt"}, id="no comma between"),
        pytest.param("写研究报告，别做PPT了", "写研究报告", {"ppt"}, id="别, after a request"),
        pytest.param("别画图", "", {"画图"}, id="别 alone"),
        pytest.param("无需导出pdf", "", {"pdf"}, id="无需"),
        pytest.param("我不需要PPT，只要研究报告", "只要研究报告", {"ppt"}, id="不需要"),
        pytest.param("不用PPT直接给报告", "直接给报告", {"ppt"}, id="不用, 直接"),
        pytest.param("不要PPT和PDF，要周报", "要周报", {"ppt", "pdf"}, id="two joined by 和"),
        pytest.param("PPT就不用了，写研究报告", "写研究报告", {"ppt"}, id="refused afterwards"),
        pytest.param("PPT、PDF都不要", "", {"ppt", "pdf"}, id="two refused afterwards"),
        pytest.param("写报告，而不是PPT", "写报告", {"ppt"}, id="而不是"),
        pytest.param("不要研究报告", "", {"研究报告", "报告"}, id="a word within a word"),
        pytest.param("除了PPT都行", "", {"ppt"}, id="除了…都"),
        pytest.param("不要ＰＰＴ", "", {"ppt"}, id="folded before"),
        pytest.param("I don't want slides, write a report", "write a report", {"slides"}, id="don't"),
        pytest.param("I do not want slides. Write a Report", "Write a Report", {"slides"}, id="do not, case kept"),
        pytest.param("a report, not slides", "a report", {"slides"}, id="not, after a request"),
        pytest.param("write a report without charts", "write a report", {"charts"}, id="without"),
        pytest.param("a report without charts or tables", "a report", {"charts", "tables"}, id="or"),
        pytest.param("a report instead of slides", "a report", {"slides"}, id="instead of"),
        pytest.param("slides are not needed, just a report", "just a report", {"slides"}, id="not needed"),
        pytest.param("don't make slides about the market research", "", {"slides"}, id="what the refused is about"),
        pytest.param("No slides please, a report", "please, a report", {"slides"}, id="no"),
    ],
)
def test_what_is_refused_is_taken_out(message: str, asked: str, denied: set[str]) -> None:
    heard = hear(message.replace("ＰＰＴ", "PPT"), WORDS)
    assert (heard.asked, set(heard.denied)) == (asked, denied)


@pytest.mark.parametrize(
    "message",
    [
        "不要着急，帮我做PPT",
        "不要着急帮我做PPT",
        "不用担心格式，做PPT",
        "别忘了做PPT",
        "不是不要PPT",
        "不得不做PPT",
        "要不要做PPT",
        "是不是该做PPT",
        "要不做个PPT吧",
        "不仅要PPT还要报告",
        "除了PPT，还要研究报告",
        "特别好看的PPT",
        "分别写周报和PPT",
        "别人的PPT怎么做",
        "识别PPT里的字",
        "PPT不用太花哨",
        "不要太长的PPT",
        "不会做PPT，教教我",
        "这个字不认识，做PPT",
        "no problem, make slides",
        "no problem make slides",
        "no more than ten slides",
        "not only slides but also a report",
        "don't just make slides",
        "why not make slides",
        "I do not know how to make slides",
        "don't forget the slides",
        "never skip the slides",
        "I am not in a hurry; make slides",
        "make slides",
        "不要pdfium",
        "",
    ],
)
def test_what_only_looks_like_a_refusal_changes_nothing(message: str) -> None:
    heard = hear(message, WORDS)
    assert (heard.asked, heard.denied) == (message, ())


def test_a_refusal_does_not_reach_over_many_words() -> None:
    assert hear("我不是专业人士但对这个特别特别特别特别感兴趣想做PPT", WORDS).denied == ()
    assert hear("not being an expert in any of these many matters i need slides", WORDS).denied == ()


@given(st.text("不要别PT做，。ppt report no slides或和", max_size=60))
def test_hearing_never_invents_words(message: str) -> None:
    heard = hear(message, WORDS)
    assert set(heard.asked) <= set(message)
    assert heard.denied or heard.asked == message
    assert all(word in fold(message) for word in heard.denied)


@pytest.mark.parametrize("message", ["别ppt " * 2000, "别" * 10_000, "，" * 10_000, "不要ppt和" * 2000, "除了" * 5000])
def test_a_message_full_of_refusals_costs_one_pass(message: str) -> None:
    assert len(hear(message, WORDS).asked) <= len(message)


@pytest.mark.parametrize(
    ("message", "parts"),
    [
        pytest.param("写周报，然后整理会议纪要", ("写周报", "整理会议纪要"), id="然后"),
        pytest.param("写周报；做PPT", ("写周报", "做PPT"), id="semicolon"),
        pytest.param("审合同，顺便做成PPT，最后导出pdf", ("审合同", "做成PPT", "导出pdf"), id="three"),
        pytest.param("Write the report and then make slides", ("Write the report", "make slides"), id="and then"),
        pytest.param("Write the report. Then make slides", ("Write the report", "make slides"), id="Then, upper case"),
        pytest.param("写周报", ("写周报",), id="one"),
        pytest.param("然后呢", ("然后呢",), id="nothing before"),
        pytest.param("写周报；", ("写周报；",), id="nothing after"),
        pytest.param("", ("",), id="empty"),
    ],
)
def test_a_message_is_taken_apart_by_what_it_asks_for(message: str, parts: tuple[str, ...]) -> None:
    assert asks(message) == parts


def test_a_pasted_text_is_one_thing() -> None:
    pasted = "\n".join(f"line number {at}" for at in range(50))
    assert asks(pasted) == (pasted,)


@pytest.mark.parametrize(
    "message",
    [
        "继续",
        "继续吧",
        "换成柱状图",
        "改成表格",
        "用饼图展示",
        "好的",
        "好的，继续",
        "可以",
        "是的。",
        "嗯",
        "行",
        "确认",
        "重新生成一下",
        "重来一遍",
        "再详细一点",
        "短一点",
        "更正式一些",
        "第三个是什么",
        "那上海呢？",
        "这个怎么理解",
        "为什么",
        "下一步",
        "Make it shorter",
        "make that a bar chart",
        "yes",
        "Yes, please.",
        "ok go ahead",
        "no, the other one",
        "continue",
        "go on with the next cell",
        "next",
        "again",
        "why is that?",
        "what about Shanghai?",
        "the second one",
        "more details please",
        "shorter",
        "in Chinese",
    ],
)
def test_a_message_that_goes_on_with_what_was_before(message: str) -> None:
    assert follows_up(fold(message))


@pytest.mark.parametrize(
    "message",
    [
        "行业分析",
        "对比三家云厂商",
        "好看的海报",
        "是非题练习",
        "重庆旅游攻略",
        "重点项目清单",
        "长城一日游",
        "短信模板",
        "正式合同审查",
        "上海天气怎么样",
        "需要一份周报",
        "为什么天空是蓝的",
        "帮我算个八字",
        "no problem, make slides",
        "nobody answers",
        "yesterday's sales",
        "next week I travel to Rome",
        "more and more cells are congested",
        "why is the cell congested",
        "the first thing I need is a weekly report",
        "",
        "继续" + "写" * 100,
    ],
)
def test_a_message_that_stands_on_its_own(message: str) -> None:
    assert not follows_up(fold(message))


@pytest.mark.parametrize(
    "message", ["你好", "您好！", "谢谢", "感谢", "早上好", "Hello", "hi there!", "thank you", "再见~"]
)
def test_small_talk_asks_for_nothing(message: str) -> None:
    assert is_small_talk(fold(message))


@pytest.mark.parametrize(
    "message",
    ["你好，帮我写周报", "hello world in Python", "谢谢，再写一份", "早期癌症筛查", "晚上吃什么", "", "hi " * 50],
)
def test_a_greeting_with_a_request_is_a_request(message: str) -> None:
    assert not is_small_talk(fold(message))


@pytest.mark.parametrize(
    "message",
    ["no", "No!", "/etc/hosts 是什么", "what is this", "~/notes/today.md", r"C:\temp\a.log?", "这个是什么", "🎉"],
)
def test_a_path_and_words_that_every_text_has_say_little(message: str) -> None:
    assert says_little(fold(message))


@pytest.mark.parametrize(
    "message", ["no slides", "读一下 /etc/hosts", "hosts", "这个周报", "and/or", "what is churn", "/var/log/a " * 20]
)
def test_any_other_word_says_something(message: str) -> None:
    assert not says_little(fold(message))
