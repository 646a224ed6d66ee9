"""Words that steer a conversation answer no question for words, and words that may be an answer stay one."""

import pytest

from metier.agent.turn import answer_in_words, read_control
from tests.agent.turn.answers.test_answers import ANY_TEXT, form, pause

STEERING = {
    "stop": ("换个话题吧", "不想说了", "聊点别的", "结束", "something else", "quit", "let's change the subject"),
    "wait": ("等一下", "先等一下吧", "让我想想", "稍等", "hold on", "wait a moment please", "let me think about it"),
    "back": ("上一步", "能不能重新开始", "我填错了", "返回", "go back please", "start over", "the previous question"),
    "explain": ("什么意思？", "怎么填", "举个例子吧", "帮助", "what do you mean?", "help", "how should I answer that"),
    "unsure": ("不知道", "还没想好呢", "说不准", "I don't know", "no idea", "not sure"),
}
FILES = {
    "own_file": (
        *(
            "不用示例，我自己传",
            "不要示例数据",
            "我要用自己的文件",
            "等下我传文件",
            "怎么上传文件",
            "我有自己的表格",
            "我想分析自己的数据",
        ),
        *(
            "no sample, I'll upload my own",
            "I'll attach mine",
            "use my own data",
            "how do I upload a file?",
            "my own file",
        ),
    ),
    "attached": ("传好了", "已上传", "文件发给你了", "文件在这", "uploaded", "I've attached it", "here it is"),
}
NO_FILES = (
    *(
        "用示例台账",
        "我自己写",
        "我自己决定",
        "分析我的数据",
        "发一封邮件",
        "给我一个示例",
        "我要发票",
        "它来了",
        "好了",
    ),
    *("the sample", "use my time better", "I'll write it myself", "analyse the data", "use the data", "send it to Tom"),
)
STEPS = (
    *("穿上跑鞋", "休息一下", "打开书读一页", "重新安排时间", "等孩子睡了再跑", "请教练帮助我", "想想为什么开始"),
    *("go for a walk", "ask a friend for help", "back exercises", "wait until the rain stops", "read about the topic"),
)


@pytest.mark.parametrize(("kind", "words"), [(kind, words) for kind, listed in STEERING.items() for words in listed])
def test_words_about_going_on_are_told_apart_and_answer_nothing(kind: str, words: str) -> None:
    assert read_control(words) == kind
    assert answer_in_words(ANY_TEXT, words) == (False, None)
    filled = answer_in_words(form(topic={"type": "string"}), words)
    assert filled == ((True, None) if kind == "stop" else (False, None))


@pytest.mark.parametrize(
    "words", ["算了", "取消吧", "跳过", "先不弄了", "never mind", "cancel it", "skip this", "forget it"]
)
def test_who_wants_nothing_more_has_not_answered_a_question_for_words(words: str) -> None:
    assert answer_in_words(ANY_TEXT, words) == (False, None)


@pytest.mark.parametrize("words", STEPS)
def test_a_sentence_with_such_a_word_in_it_is_an_answer(words: str) -> None:
    assert read_control(words) is None
    assert answer_in_words(ANY_TEXT, words) == (True, words)


@pytest.mark.parametrize(
    ("question", "words", "answers"),
    [
        ("最可能挡住你的是什么？", "没有", True),
        ("还有什么补充的？", "不用了", True),
        ("Is there anything else?", "no", True),
        ("五分钟就能做完的最小一步是什么？", "不", False),
        ("What is the smallest step?", "no", False),
    ],
)
def test_a_no_answers_where_nothing_is_asked_for_by_name(question: str, words: str, answers: bool) -> None:
    asked = pause("ask", {"type": "string", "minLength": 1}, text=question)
    assert answer_in_words(asked, words) == ((True, words) if answers else (False, None))


@pytest.mark.parametrize(("kind", "words"), [(kind, words) for kind, listed in FILES.items() for words in listed])
def test_words_about_a_file_of_ones_own_steer_where_a_file_is_asked_for(kind: str, words: str) -> None:
    assert read_control(words) == kind
    asked = pause("ask", {"type": "string", "minLength": 1}, text="要分析哪份数据？")
    assert answer_in_words(asked, words) == (False, None)
    assert answer_in_words(ANY_TEXT, words) == (True, words)


@pytest.mark.parametrize("words", NO_FILES)
def test_other_sentences_with_such_words_do_not(words: str) -> None:
    assert read_control(words) not in ("own_file", "attached")


@pytest.mark.parametrize("words", ["先别急", "等一下", "让我想想", "wait", "hold on", "不知道", "什么意思"])
def test_who_asks_for_time_neither_approves_nor_rejects(words: str) -> None:
    asked = pause("approve", {"type": "object", "required": ["decision"]}, calls=[{"id": "c", "title": "写入文件"}])
    assert answer_in_words(asked, words) == (False, None)
