"""Thanks, praise, impatience and displeasure are read as such only if they are the whole message."""

from metier.agent.turn import read_control, read_reaction

_SAID = {
    "thanks": "谢谢，挺好的|好的，麻烦了|谢谢你，太棒了|thanks! that looks great"
    "|that works, thanks|ok, much appreciated",
    "praise": "不错|挺好的|还不错|很好|真棒|结果很清楚|做得不错|哇，太好了"
    "|great job|that looks really good|nice work|it works",
    "slow": "烦死了，怎么这么慢|太慢了|怎么还没好|等了半天了|快点吧"
    "|why is this so slow?|this is taking forever|ugh, so slow",
    "bad": "太差劲了|真垃圾|什么破玩意|这太难用了|this is useless|that sucks|you are terrible",
}
_OTHER = (
    "不错的话就下发|谢谢，再画一张图|好|好的|可以|就这样吧|烦死了|急死了|这个小区不错吗|怎么这么慢地下降|很好的小区有哪些"
    "|a great report please|good cells|slow the pump down|why is pump 1 so slow to start|thanks, now undo it"
    "|nice, but not the second one|this is useless for cell 3|我很好用这个方法|好久没见了"
)


def test_a_message_that_only_reacts_is_read_and_one_that_says_more_is_not() -> None:
    said = {one: kind for kind, texts in _SAID.items() for one in texts.split("|")}
    assert {one: read_reaction(one) for one in said} == said
    assert [one for one in _OTHER.split("|") if read_reaction(one)] == []


def test_whoever_asks_for_time_is_read_as_such_in_several_clauses_too() -> None:
    waits = "等等，我再看看|再想想|先看看|给我点时间|我再核对一下"
    waits += "|i need to think about it|let me look at it first|wait, let me check"
    assert {one for one in waits.split("|") if read_control(one) != "wait"} == set()
    others = "让我看看第二个小区|let me see the raw data|等等，改成下倾角|看看朝阳|i need to think about cell 3"
    assert [one for one in others.split("|") if read_control(one) == "wait"] == []
