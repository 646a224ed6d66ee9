"""Answers in words: yes and no in many wordings, choices by place or text, "go on", and what is another request."""

from metier.agent.adapters import drops_all, is_dismissal, is_go_on, match_text, read_assent, read_ordinal, read_reply
from metier.agent.lifecycle import choose_opening
from metier.pack import GuardReply

ZH = "根因分析完成。是否需要对该场景进行优化仿真？"
EN = "Root cause analysis is done. Shall I simulate an optimisation of this scenario?"
YES_ZH = (
    "好的，做吧", "可以，仿真吧", "好", "好的", "行", "可以", "需要", "要", "嗯", "嗯嗯", "是的", "对", "没问题",
    "继续", "继续吧", "开始吧", "来吧", "做吧", "仿真吧", "那就仿真吧", "需要仿真", "好的，开始仿真", "帮我仿真一下",
    "请仿真", "请进行优化仿真", "做一下优化仿真", "当然", "当然可以", "可以的", "行，做吧", "好啊，来吧", "就这么办",
    "按你说的做", "听你的", "试试吧", "那就试试", "没意见", "同意", "确认", "好，麻烦你了", "嗯，做", "跑一下仿真",
    "先仿真吧", "那好，开始", "我要仿真", "必须的", "走起", "现在就做", "马上仿真", "来一次", "好的，谢谢，开始吧",
    "直接做", "然后仿真", "接着仿真吧", "然后做优化仿真",
    "妥", "成，弄吧", "得嘞", "OK，跑吧", "嗯呢，搞起来", "有劳了，仿真一下", "可以啊，你来", "来，跑一把",
    "就按这个来", "没毛病，继续做", "好呀，试一下看看", "麻烦安排一下", "安排", "照办", "行吧，那就跑", "是，请继续",
    "要的", "肯定要啊", "那你做吧", "可，做", "好哒", "赞成，开始吧", "给我跑一下", "我觉得可以",
    "好的，请帮我优化一下", "好的好的", "恩", "那来一轮吧", "跑起来", "是要的", "做一做看", "可以搞", "请便",
    "嗯，继续往下", "我同意你做", "没啥问题，开始", "OK", "行行行", "好，弄一个", "劳驾仿真一下", "那就麻烦您了",
    "我想仿真", "请开始优化仿真", "好呀好呀", "那必须", "嗯可以", "没问题的，跑吧", "好，那就这样做", "来来来",
    "你看着办，做吧", "可以优化", "对，仿真", "帮忙跑下", "是的，需要仿真", "我需要", "行，仿真一把", "好的没问题",
    "做仿真", "要要要", "请继续吧", "赶紧做", "现在开始", "好滴，麻烦了", "那就试一试", "确定",
)  # fmt: skip
NO_ZH = (
    "不", "不用", "不用了", "不需要", "不要", "算了", "算了，不用仿真了", "先不做", "先不仿真", "暂时不用",
    "我改主意了，不做了", "不需要了谢谢",
    "暂不需要", "不做了", "不仿真了", "取消", "取消吧", "取消仿真", "别做了", "别仿真了", "停", "停止", "停下",
    "不必", "不必了", "没必要", "没必要仿真", "无需仿真", "不想做", "我不想仿真", "还是算了", "那算了", "算了吧",
    "好的，不用了", "好，先不做", "谢谢，不用了", "以后再说", "下次吧", "改天再说", "放弃", "跳过", "先不要", "不行",
    "不同意", "免了", "到此为止", "不了，谢谢", "我不要仿真", "今天不做",
    "不了", "不搞了", "还是别了", "先放着吧", "先等等吧，不急", "没这个需要", "甭做了", "不劳烦了", "暂缓",
    "先搁一搁", "今天先到这里", "我再想想", "拉倒吧", "别，先别动", "打住", "用不着", "没兴趣", "不太想做",
    "这个就不必了吧", "回头再说吧", "不考虑仿真", "拒绝", "千万别跑", "不仿了", "不用麻烦了，谢谢", "不做仿真",
    "不是现在", "我不打算做", "先不跑", "没空", "今天就算了", "别弄", "下回吧", "不，谢谢你", "都不要", "还没到时候",
    "没那个必要了", "停停停", "先这样", "够了", "不必麻烦", "懒得做", "我拒绝", "仿真就算了", "再等等", "不仿",
    "暂时别做", "先不用", "这次不用了", "不必仿真", "以后吧", "不太需要", "我不需要这个", "等以后", "不想仿真了",
    "先停一停", "不跑了", "没有必要做", "别再做了", "算了算了", "不要了", "不可以", "不需要优化", "还是不做了",
    "放弃吧",
)  # fmt: skip
OTHER_ZH = (
    "帮我分析浦东4G干扰", "弱覆盖是什么意思", "对了", "行了", "好了", "仿真要多久？", "为什么要仿真", "再看看干扰",
    "好的，但是先看看干扰", "仿真哪个场景", "对比一下", "等一下", "可以吗", "好不好", "换成折线图",
    "第二个小区的RSRP是多少", "不是不行", "好像不行", "下发参数", "撤销刚才下发的参数", "你好", "写一份周报",
    "得了吧", "走了", "是吧", "嗯...好",
    "看来源", "来个折线图", "做容量", "不懂", "不错的方案是哪个", "好的，换成浦东", "别的小区",
    "先别管这个，看看浦东的干扰", "天河那边负荷怎么样", "帮我写一份周报", "SINR 是啥", "什么叫过覆盖",
    "我想看一下天河的容量情况", "换个地方，查查浦东4G", "把参数直接下发了吧", "撤销上次的改动",
    "切换失败多是什么原因", "南山区有没有弱覆盖", "那浦东呢",
    "好吧好吧先这样", "好吧，先这样", "好的那就先这样吧", "行，先这样", "嗯嗯先这样",
)  # fmt: skip
YES_EN = (
    "yes", "yep", "yeah", "sure", "ok", "okay", "go ahead", "sure, do it", "do it", "please do", "yes please",
    "yes, simulate it", "simulate", "simulate it", "run the simulation", "run it", "let's do it", "let's go",
    "go for it", "of course", "absolutely", "definitely", "certainly", "why not", "sounds good", "by all means",
    "no problem", "please go ahead", "ok, go ahead", "go on", "continue", "proceed", "alright, do it", "fine",
    "great", "perfect", "i'd like that", "i want that", "yes, i would like that", "start", "start it now",
    "please simulate this scenario", "ok let's try it", "that's right, do it", "yup", "please continue", "keep going",
    "make it so", "sure thing",
    "yessir", "you bet", "hit it", "fire away", "I'm in", "that would be great", "please, yes", "count me in",
    "go right ahead", "yes of course, simulate", "ok cool, do that", "works for me", "affirmative", "let us proceed",
    "I think so, yes", "we should do that", "good idea, run it", "can you please do that", "kindly proceed",
    "get started", "let's see it", "right, carry on", "I'd love that", "sure why not", "do that please",
    "yes, thanks", "ok then", "please proceed with it", "I would", "let's have a go", "give it a try",
    "okay, simulate this one", "that's fine, continue", "go", "sounds right", "do so", "I'd appreciate that",
    "mm-hmm", "uh-huh", "sure, start the optimisation", "yes yes", "alright", "please run that", "it would be nice",
    "would you please simulate", "yes i do", "go ahead and simulate", "sure go for it", "let's simulate",
    "please start", "run a simulation please", "okay sounds good", "yes that's right", "by all means, do",
    "I need that", "would love to", "yes, right away", "please carry out the simulation", "that'd be good", "ok do",
    "definitely yes", "yea sure", "proceed please", "of course, go on",
)  # fmt: skip
NO_EN = (
    "no", "nope", "nah", "no thanks", "no thank you", "not now", "not yet", "never mind", "nevermind", "forget it",
    "forget about it", "don't", "do not", "don't do it", "cancel", "cancel it", "stop", "stop it", "skip it", "skip",
    "leave it", "drop it", "no need", "not needed", "not necessary", "maybe later", "later", "another time",
    "i'd rather not", "please don't", "please don't simulate", "do not simulate it", "no, don't", "ok, no",
    "okay, never mind", "no simulation please", "don't bother", "hold off", "not today", "i don't want that",
    "i don't need it", "no, not now", "decline", "abort", "let's not", "let's not do it", "no, stop", "do it later",
    "thanks, but no",
    "I'll pass", "not at the moment", "not really", "hard no", "negative", "that won't be necessary", "no way",
    "rather not", "I'm good, thanks", "we can skip that", "let's leave it at that", "that's all for now",
    "not this time", "please stop here", "I changed my mind", "don't simulate anything", "hmm, better not",
    "I don't think so", "no simulation for now", "save it for later", "can we postpone this",
    "we don't need the simulation", "that is enough", "thanks but I am done", "wait, not so fast", "no simulation",
    "I'd prefer not to", "nothing for now", "please no", "absolutely not", "we're fine as is", "skip the simulation",
    "hold your horses", "don't run it", "it isn't needed", "cancel that please", "no need to simulate",
    "not interested", "i refuse", "let's stop", "leave it for tomorrow", "nah, I'm fine", "never", "by no means",
    "no more please", "no not now", "I do not want a simulation", "please cancel", "that's not needed",
    "don't need it", "no, leave it", "not necessary thanks", "we should not", "stop that", "let's skip it",
    "i'd say no", "never mind that", "maybe tomorrow", "can we skip this", "no no", "not right now please",
    "please do not", "I won't", "thanks, no", "I am not interested",
)  # fmt: skip
OTHER_EN = (
    "analyse the interference in Pudong", "what is weak coverage", "yes?", "yes but only cell 7", "why",
    "how long does it take", "by the way", "know", "yesterday", "apply the parameters", "show me the map", "yes no",
    "hm", "go ahead with cell 7 only", "ok, if it is tonight", "hello",
    "make a pdf", "run the tests", "yes, simulate Haidian", "save it as PDF",
    "Run an optimisation simulation for Haidian", "custom simulation",
    "forget that for now, check interference in Pudong", "how is the load in Tianhe", "write my weekly report",
    "what's SINR", "what do you mean by overshooting", "I want to see the capacity of Tianhe", "switch to Pudong 4G",
    "just push the parameters", "roll back the last change", "why do handovers fail so often",
    "is there weak coverage in Nanshan", "and Pudong?",
    "ok wait", "yes, wait", "ok hold on", "sure, hang on", "ok one sec", "ok, one moment", "yes maybe", "perhaps yes",
    "ok but", "yes... but", "yes I guess", "yes, sort of", "ok hmm", "ok... hmm", "ok... :(", "ok - - -",
    "ok still thinking",
    "ok let me see", "i'd like to but", "i want out", "yes in the morning", "ok then what", "yeah right", "good grief",
    "cool down", "fine print", "good question", "ok boomer", "ok on one condition",
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


def test_what_is_half_a_yes_or_no_is_asked_about_again() -> None:
    half = (
        "都行", "随你", "你看着办", "无所谓", "fine whatever", "whatever", "不反对", "no worries", "not no", "好不",
        "可以不", "ok later", "好，这不对", "好，结果错了",
    )  # fmt: skip
    assert [(one, found) for one in half for asked in (ZH, EN) if (found := read_reply(one, asked)) is not None] == []


def test_to_keep_what_a_question_would_leave_out_is_never_a_yes_and_to_take_it_out_never_a_no() -> None:
    asked = ("Shall I leave that part out and do the rest?", "要去掉这一处，先做其余部分吗？", "Delete the column?")
    takes_out = ("去掉", "去掉它", "去掉它吧", "without it", "leave it out", "yes, leave it out", "remove it", "删掉它")
    keeps = (
        "keep it",
        "keep that part",
        "no, keep it",
        "leave it in",
        "保留",
        "保留它吧",
        "不要去掉",
        "don't remove it",
    )
    neither = ("I need it", "do it with that part", "I want that part", "leave it", "drop it", "需要它")
    for said, wanted in ((takes_out, "yes"), (keeps, "no"), (neither, None)):
        assert [(one, at) for one in said for at in asked if read_reply(one, at) != wanted] == []
    assert [read_reply(one, asked[0]) for one in ("yes", "ok", "no", "先不做")] == ["yes", "yes", "no", "no"]
    assert [read_reply("I need that", EN), read_reply("keep going", EN)] == ["yes", "yes"]


def test_never_mind_drops_what_is_open_and_other_content_does_not() -> None:
    steps = "匹配场景 小区级仿真 前后对比"
    assert [
        one for one in ("算了，不用仿真了", "不用了", "取消仿真", "never mind") if not is_dismissal(one, steps)
    ] == []
    assert [one for one in ("不要改小区7", "取消订单", "no coverage in Pudong") if is_dismissal(one, steps)] == []


def test_a_message_longer_than_an_answer_is_no_answer_whatever_its_clauses_say() -> None:
    assert read_reply("不要，" * 20) == "no"
    assert read_reply("不要，" * 2000) is None
    assert not is_dismissal("算了，" * 2000)


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


def test_a_plain_no_to_a_question_is_taken_without_a_guards_opening_words() -> None:
    worried = GuardReply("check_in", opening="How are you?")
    assert [choose_opening(worried, one) for one in ("都不用了", "不用了", "no, thanks")] == ["", "", ""]
    assert choose_opening(worried, "我有点撑不住了，不用管我") == "How are you?"
    assert [read_assent(one) for one in ("I approve", "I agree", "I do not approve")] == ["yes", "yes", None]


def test_what_has_not_begun_is_dropped_in_many_words() -> None:
    dropped = ("都不用了", "后面的也不用做了", "剩下的不用了", "其余的任务都取消吧", "cancel both")
    others = ("后面的图怎么看", "剩下的小区有哪些", "后面的不对", "别的技能")
    assert {said: drops_all(said) for said in (*dropped, *others)} == {
        **dict.fromkeys(dropped, True),
        **dict.fromkeys(others, False),
    }
