"""Passages of a long message in which its request may stand."""

from collections.abc import Sequence

from metier.routing.passages import find_passages


def test_the_sentences_that_ask_come_first() -> None:
    filler = "It rained all morning and the plants were wet again today. " * 5
    found = find_passages(f"{filler}Could you summarise the minutes? {filler}")
    assert (found[0].text, found[0].place, found[0].total) == ("Could you summarise the minutes?", 6, 11)
    assert find_passages("Could you summarise the minutes?") == ()


def test_a_chinese_question_asks_without_a_question_mark_too() -> None:
    filler = "今天早上下雨，大家到得都比较晚，走廊的窗户没有关，花都淋湿了。" * 4
    for question in ("今天星期几", "猫王是哪一年出生的", "新罕布什尔州最大的城市是什么", "飞机几点起飞"):
        found = find_passages(f"{filler}{question}。{filler}")
        assert (found[0].text, found[0].asks) == (f"{question}。", True)
    assert not find_passages(f"{filler}谁都知道花淋湿了。{filler}")[0].asks


def test_sentences_that_ask_together_are_one_passage_and_what_stands_around_them_is_tried_too() -> None:
    filler = "It rained all morning and the plants were wet again today. " * 5
    asked = "Our posts get few readers. What can we do? We want more of them."
    texts = [one.text for one in find_passages(f"{filler}{asked} {filler}")]
    assert texts[0] == "What can we do? We want more of them."
    assert any(text.endswith(asked) for text in texts)
    chinese = (
        "今天早上下雨，大家到得都比较晚。从昨天开始天气一直不好，用户都很满意。后来电梯修好了，在楼下碰到老同学。" * 2
    )
    for order in ("用 FFmpeg 转换视频格式", "对这个数据集做探索性分析", "从网页抓取价格", "读取这个影像文件"):
        assert find_passages(f"{chinese}{order}。{chinese}")[0].text == f"{order}。", order


def test_a_sentence_with_telling_words_is_found_wherever_it_stands_and_whether_it_asks_or_not() -> None:
    def weigh(texts: Sequence[str]) -> list[float]:
        return [float("minutes" in text) for text in texts]

    asked = "Could you bring a cake? Who drives? Can Tom come? Please reply to Anna! It rained all morning. "
    orders = ("Board meeting, minutes of one page.", "Could you write the minutes?", "The minutes have to be written.")
    for order in orders:
        message = f"{asked * 3}{order} {asked * 3}"
        assert order not in [one.text for one in find_passages(message)]
        found = next(one for one in find_passages(message, weigh) if one.text == order)
        assert found.place == 13


def test_repeated_sentences_take_the_place_of_one() -> None:
    asked = "Could you bring a cake? It rained all morning and the plants were wet again today. "
    found = find_passages(f"{asked * 4}Can somebody write the minutes? The lift is broken. {asked * 4}")
    assert "Can somebody write the minutes?" in [one.text for one in found]
