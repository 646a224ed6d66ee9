"""A plain yes or no, in both languages; a sentence that says more than that is neither."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metier.agent.adapters import read_assent, read_reply

YES = (
    "是", "是的", "是啊", "对", "对的", "对呀", "好", "好的", "好啊", "好吧", "好的吧", "好嘞", "行", "行啊",
    "行吧", "要", "需要", "可以", "可以的", "可以吧", "同意", "我同意", "同意了", "确认", "确认执行", "批准",
    "批准了", "继续", "继续吧", "没问题", "嗯", "嗯嗯", "好的。", "同意！", "好的，继续", "是的，同意", "好 可以",
    "yes", "Yes.", "YES!", "yep", "yeah", "y", "ok", "OK", "okay", "sure", "approve", "approved", "agreed",
    "go ahead", "proceed", "do it", "please do", "yes please", "Yes, please", "ok, go ahead", "yes, do it",
    "confirm", "没问题，就这么办", "就这样做吧", "照办", "按这个执行", "没意见", "go for it", "sounds good",
    "looks good to me", "no objections", "fine by me", "yes, go ahead", "let's do it", "LGTM", "那就按计划来",
    "按方案做吧", "是的，执行吧", "可以，改吧", "同意，麻烦写进去", "没毛病，执行", "没错，就这么改吧",
    "👍", "👍🏻", "好的👌", "ok 👍", "✅", "go ahead and apply it", "Yes, that's right, go ahead", "correct",
)  # fmt: skip
NO = (
    "不", "不了", "不要", "不用", "不用了", "不需要", "先不", "先不做", "先不要", "不必", "不必了", "否", "不行",
    "不可以", "不同意", "我不同意", "不批准", "拒绝", "我拒绝", "算了", "取消", "取消吧", "别", "别做了",
    "不，不要", "no", "No.", "nope", "nah", "n", "no thanks", "no, thanks", "not now", "not yet", "reject",
    "rejected", "cancel", "decline", "don't", "don’t", "do not", "stop", "no please", "no, stop",
)  # fmt: skip
NEITHER = (
    "对了", "对了，", "对了，明天天气怎么样", "行了", "行了行了", "行了，别说了", "好了", "好了好了", "可以了",
    "要了", "是了", "够了", "对不对", "行不行", "好不好", "可以吗", "是吗", "是吗？", "好吗", "要吗", "同意吗",
    "嗯？", "行？", "对？", "好，但是先备份", "可以，不过只改一个小区", "同意，如果今晚做",
    "好的，先告诉我会发生什么", "行，换成柱状图", "是的，顺便查一下天气", "好的不", "好，不", "是，不要", "不好说",
    "不一定", "也许", "再说", "等一下", "好像不行", "好多", "行程", "对比一下", "要求是什么", "可以不做", "继续讲",
    "确认一下参数", "批准前给老板看", "谁批准", "不是不行", "不对", "没问题吗", "", "。", "！", "yes?", "ok?",
    "sure?", "yes but only cell 7", "ok, if it is tonight", "yes, and what does it cost", "sure, what is it",
    "yes no", "no yes", "yes, no", "okay then tell me more", "no problem", "not no", "I said no to that, but yes",
    "yesterday", "know", "approve it after the backup", "go ahead with cell 7 only", "do it later", "oklahoma",
    "yes and no", "by the way", "hm",
    "执行到哪了", "先别执行", "改吧台的价格", "👎", "🤔", "👍？", "好的🤔", "这个👍那个不要",
    "go ahead and apply it tomorrow",
    "that's right next to it", "没错字吧",
)  # fmt: skip
MORE = (
    "但是先备份", "如果今晚做", "只改一个小区", "明天再做", "怎么样", "为什么", "多少钱", "先告诉我会发生什么",
    "换成柱状图", "写周报", "but only cell 7", "if it is tonight", "after the backup", "why", "what does it cost",
    "tell me more", "send it to Bob", "unless it rains", "not today", "tomorrow", "🤔",
)  # fmt: skip


def test_the_corpus_has_more_than_eighty_sentences_in_both_languages() -> None:
    said = (*YES, *NO, *NEITHER)
    assert len(said) == len(set(said)) > 80
    assert min(sum(one.isascii() for one in said), sum(not one.isascii() for one in said)) > 40


@pytest.mark.parametrize("said", YES)
def test_a_yes(said: str) -> None:
    assert read_assent(said) == "yes"


@pytest.mark.parametrize("said", NO)
def test_a_no(said: str) -> None:
    assert read_assent(said) == "no"


@pytest.mark.parametrize("said", NEITHER)
def test_neither(said: str) -> None:
    assert read_assent(said) is None


@given(
    st.sampled_from(YES),
    st.sampled_from(["，", ", ", "。", " ", "", "；", "! ", "\n"]),
    st.sampled_from(MORE),
    st.booleans(),
)
def test_an_assent_with_anything_more_is_no_answer(yes: str, between: str, more: str, first: bool) -> None:
    assert read_assent(f"{yes}{between}{more}" if first else f"{more}{between}{yes}") is None


@given(st.sampled_from(YES), st.sampled_from(["？", "?", "吗", "呢", "…?"]))
def test_a_question_is_no_answer(yes: str, mark: str) -> None:
    assert read_assent(yes + mark) is None


@given(st.sampled_from(YES), st.sampled_from(["...", "..", "。。", "，，，", "……", "…", "... ", "。。。！"]))
def test_a_yes_that_trails_off_is_no_answer(yes: str, dots: str) -> None:
    assert read_assent(yes + dots) is None
    assert read_reply(yes + dots, "是否执行？") is None


_MARKS = st.text(st.sampled_from("!！~～>;；:：,，、.。…*_/|=#`-— "), max_size=5)


@given(st.sampled_from(["嗯", "好", "ok", "yes", "y", "fine", "同意"]), _MARKS, _MARKS)
def test_a_yes_has_no_mark_before_it_and_ends_in_nothing_but_a_stop_or_a_few_exclamations(
    yes: str, before: str, behind: str
) -> None:
    said = f"{before}{yes}{behind}"
    end = "".join(behind.split())
    is_plain = not before.strip() and (end in ("", ".", "。") or re.fullmatch(r"[.。]?[!！~～]{1,3}[.。]?", end))
    if not is_plain:
        assert read_assent(said) is None
        assert read_reply(said, "是否执行？") is None
    elif len(end) <= 1:
        assert read_assent(said) == "yes"


@pytest.mark.parametrize("said", ["~~yes~~", "!yes", "> yes", "--yes", "嗯;;", "ok ,", "好、", "ok:", "ok -", "fine;"])
def test_a_yes_that_is_struck_out_denied_quoted_or_goes_on_is_no_answer(said: str) -> None:
    assert read_assent(said) is None
    assert read_reply(said, "是否执行？") is None


@pytest.mark.parametrize("no", ["不要...", "no...", "算了。。。"])
def test_a_no_that_trails_off_is_a_no(no: str) -> None:
    assert read_assent(no) == "no"


@given(st.text(max_size=40))
def test_a_yes_has_only_letters_of_the_words_for_yes(said: str) -> None:
    if read_assent(said) == "yes":
        assert set(said.casefold()) <= set("".join(YES).casefold()) | set(" \t\r\n。.!！~，,、;；’'")
