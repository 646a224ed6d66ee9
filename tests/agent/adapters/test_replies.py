"""Answers in words: yes and no in many wordings, choices by place or text, "go on", and what is another request."""

from metier.agent.adapters import is_dismissal, is_go_on, match_text, read_ordinal, read_reply

ZH = "根因分析完成。是否需要对该场景进行优化仿真？"
EN = "Root cause analysis is done. Shall I simulate an optimisation of this scenario?"
YES_ZH = (
    "好的，做吧", "可以，仿真吧", "好", "好的", "行", "可以", "需要", "要", "嗯", "嗯嗯", "是的", "对", "没问题",
    "继续", "继续吧", "开始吧", "来吧", "做吧", "仿真吧", "那就仿真吧", "需要仿真", "好的，开始仿真", "帮我仿真一下",
    "请仿真", "请进行优化仿真", "做一下优化仿真", "当然", "当然可以", "可以的", "行，做吧", "好啊，来吧", "就这么办",
    "按你说的做", "听你的", "试试吧", "那就试试", "没意见", "同意", "确认", "好，麻烦你了", "嗯，做", "跑一下仿真",
    "先仿真吧", "那好，开始", "我要仿真", "必须的", "走起", "现在就做", "马上仿真", "来一次", "好的，谢谢，开始吧",
    "直接做",
)  # fmt: skip
NO_ZH = (
    "不", "不用", "不用了", "不需要", "不要", "算了", "算了，不用仿真了", "先不做", "先不仿真", "暂时不用",
    "暂不需要", "不做了", "不仿真了", "取消", "取消吧", "取消仿真", "别做了", "别仿真了", "停", "停止", "停下",
    "不必", "不必了", "没必要", "没必要仿真", "无需仿真", "不想做", "我不想仿真", "还是算了", "那算了", "算了吧",
    "好的，不用了", "好，先不做", "谢谢，不用了", "以后再说", "下次吧", "改天再说", "放弃", "跳过", "先不要", "不行",
    "不同意", "免了", "到此为止", "不了，谢谢", "我不要仿真", "今天不做",
)  # fmt: skip
OTHER_ZH = (
    "帮我分析浦东4G干扰", "弱覆盖是什么意思", "对了", "行了", "好了", "仿真要多久？", "为什么要仿真", "再看看干扰",
    "好的，但是先看看干扰", "仿真哪个场景", "对比一下", "等一下", "可以吗", "好不好", "换成折线图",
    "第二个小区的RSRP是多少", "不是不行", "好像不行", "下发参数", "撤销刚才下发的参数", "你好", "写一份周报",
)  # fmt: skip
YES_EN = (
    "yes", "yep", "yeah", "sure", "ok", "okay", "go ahead", "sure, do it", "do it", "please do", "yes please",
    "yes, simulate it", "simulate", "simulate it", "run the simulation", "run it", "let's do it", "let's go",
    "go for it", "of course", "absolutely", "definitely", "certainly", "why not", "sounds good", "by all means",
    "no problem", "please go ahead", "ok, go ahead", "go on", "continue", "proceed", "alright, do it", "fine",
    "great", "perfect", "i'd like that", "i want that", "yes, i would like that", "start", "start it now",
    "please simulate this scenario", "ok let's try it", "that's right, do it", "yup", "please continue", "keep going",
    "make it so", "sure thing",
)  # fmt: skip
NO_EN = (
    "no", "nope", "nah", "no thanks", "no thank you", "not now", "not yet", "never mind", "nevermind", "forget it",
    "forget about it", "don't", "do not", "don't do it", "cancel", "cancel it", "stop", "stop it", "skip it", "skip",
    "leave it", "drop it", "no need", "not needed", "not necessary", "maybe later", "later", "another time",
    "i'd rather not", "please don't", "please don't simulate", "do not simulate it", "no, don't", "ok, no",
    "okay, never mind", "no simulation please", "don't bother", "hold off", "not today", "i don't want that",
    "i don't need it", "no, not now", "decline", "abort", "let's not", "let's not do it", "no, stop", "do it later",
    "thanks, but no",
)  # fmt: skip
OTHER_EN = (
    "analyse the interference in Pudong", "what is weak coverage", "yes?", "yes but only cell 7", "why",
    "how long does it take", "by the way", "know", "yesterday", "apply the parameters", "show me the map", "yes no",
    "hm", "go ahead with cell 7 only", "ok, if it is tonight", "hello",
)  # fmt: skip


def test_a_question_takes_yes_and_no_in_more_than_forty_wordings_per_language() -> None:
    corpora = ((YES_ZH, ZH, "yes"), (NO_ZH, ZH, "no"), (YES_EN, EN, "yes"), (NO_EN, EN, "no"))
    assert min(len(set(said)) for said, _, _ in corpora) > 40
    others = ((OTHER_ZH, ZH, None), (OTHER_EN, EN, None))
    wrong = [
        (message, found)
        for said, question, wanted in (*corpora, *others)
        for message in said
        if (found := read_reply(message, question)) != wanted
    ]
    assert wrong == []


def test_never_mind_drops_what_is_open_and_other_content_does_not() -> None:
    steps = "匹配场景 小区级仿真 前后对比"
    assert [
        one for one in ("算了，不用仿真了", "不用了", "取消仿真", "never mind") if not is_dismissal(one, steps)
    ] == []
    assert [one for one in ("不要改小区7", "取消订单", "no coverage in Pudong") if is_dismissal(one, steps)] == []


def test_go_on_takes_up_what_was_stopped() -> None:
    said = (
        "继续",
        "继续吧",
        "接着做",
        "继续刚才的仿真",
        "回到刚才的问题",
        "Go on",
        "continue please",
        "back to the question",
    )
    assert [one for one in said if not is_go_on(one)] == []
    assert [
        one for one in ("继续讲", "继续：参数下发与撤销", "go on holiday", "continue in English") if is_go_on(one)
    ] == []


def test_a_choice_is_named_by_its_place_or_by_its_words() -> None:
    second = (
        "第二个",
        "第2个",
        "选二",
        "选第二个",
        "2号",
        "the second one",
        "second",
        "option 2",
        "number two",
        "后者",
    )
    assert [one for one in second if read_ordinal(one, 2) != 1] == []
    assert (read_ordinal("the first one", 3), read_ordinal("最后一个", 3), read_ordinal("第五个", 3)) == (0, 2, None)
    assert [one for one in ("二", "第二个小区的RSRP是多少", "one moment") if read_ordinal(one, 3) is not None] == []
    texts = ["北京市朝阳区4G弱覆盖", "上海市浦东新区4G高干扰", "都不是"]
    assert [match_text(one, texts) for one in ("朝阳", "选浦东那个", "4G", "西湖", "不")] == [0, 1, None, None, None]
