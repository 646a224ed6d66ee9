import pytest

from metier.routing.text import is_follow_up, is_topic_change, is_uninformative, read_small_talk
from metier.textsearch import fold


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
        "标题再大一号",
        "功率再降一点试试",
        "只看东边那几个",
        "逆位呢",
        "明年呢，会好一点吗",
        "还是不行，一样的错",
        "only the top ten please",
        "and by region?",
        "same for the other district",
        "leave out the small talk",
        "one more please",
        "still failing with the same error",
        "how sure are you?",
        "what does that mean for us?",
        "a bit darker",
        "bigger font on the title",
        "easier, please",
    ],
)
def test_a_message_that_goes_on_with_what_was_before(message: str) -> None:
    assert is_follow_up(fold(message))


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
        "and then make slides",
        "still life painting courses",
        "和会议室呢绒地毯的报价单放在一起比较一下",
        "how are margins computed",
        "一点也不好用的界面",
        "",
        "继续" + "写" * 100,
    ],
)
def test_a_message_that_stands_on_its_own(message: str) -> None:
    assert not is_follow_up(fold(message))


@pytest.mark.parametrize(
    ("message", "turns"),
    [
        pytest.param("对了，明天天气怎么样", True, id="对了"),
        pytest.param("换个话题，讲讲储能", True, id="换个话题"),
        pytest.param("谢谢，问个别的", True, id="thanks first"),
        pytest.param("By the way, who won?", True, id="by the way"),
        pytest.param("ok. different thing: clean this", True, id="different thing"),
        pytest.param("换个颜色", False, id="换个 something"),
        pytest.param("对，就这样", False, id="对"),
        pytest.param("do it by the book", False, id="by the book"),
    ],
)
def test_a_message_may_say_that_it_is_about_something_else(message: str, turns: bool) -> None:
    assert is_topic_change(fold(message)) is turns


@pytest.mark.parametrize(
    "message",
    [
        "你好",
        "您好！",
        "谢谢",
        "感谢",
        "早上好",
        "Hello",
        "hi there!",
        "thank you",
        "再见~",
        "谢谢，辛苦了",
        "哈哈，谢谢你",
    ],
)
def test_small_talk_asks_for_nothing(message: str) -> None:
    assert read_small_talk(fold(message))


@pytest.mark.parametrize(
    "message",
    [
        "你好，帮我写周报",
        "hello world in Python",
        "谢谢，再写一份",
        "早期癌症筛查",
        "晚上吃什么",
        "",
        "hi " * 50,
        "哈" * 58 + "x",
    ],
)
def test_a_greeting_with_a_request_is_a_request(message: str) -> None:
    assert not read_small_talk(fold(message))


@pytest.mark.parametrize(
    "message",
    [
        "no",
        "No!",
        "/etc/hosts 是什么",
        "what is this",
        "~/notes/today.md",
        r"C:\temp\a.log?",
        "这个是什么",
        "🎉",
        "怎么办",
    ],
)
def test_a_path_and_words_that_every_text_has_say_little(message: str) -> None:
    assert is_uninformative(fold(message))


@pytest.mark.parametrize(
    "message", ["no slides", "读一下 /etc/hosts", "hosts", "这个周报", "and/or", "what is churn", "/var/log/a " * 20]
)
def test_any_other_word_says_something(message: str) -> None:
    assert not is_uninformative(fold(message))
