"""Long messages with mails and chats of others: what the author asks comes first, and what others ask does not."""

import pytest

from metier.routing.passages import Passage, find_passages

_MAIL_EN = """Hi,

{asked}

Best,
Jo
Jo Farrell | Operations | 14 Mill Road | +44 20 7946 0112

On Tue, 3 Mar 2026 at 16:20, Dan Weiss <dan@example.org> wrote:
> Could you send me the door code again? I keep losing it.
> I also need to know who brings the projector. Please let me know today.
"""
_OUTLOOK_EN = """{asked}

From: Stefan Roth
Sent: Monday, 9 February 2026 08:41
Subject: RE: keys

Birgit, can you please have two more keys cut? I would like to give one to the cleaners. Please also tell the porter
that the parcel comes tomorrow. How should we label the boxes in the attic?
"""
_CHAT_EN = """[09:12] Sam: who moved my chair? can somebody bring it back before ten
[09:21] Lou: we need a card for Tessa. should we collect money for flowers?
[09:25] Me: {asked}
[09:27] Sam: also, what time is the football tonight? could you save me a seat
[09:33] Lou: how do I get there from the station, is there a bus?
"""
_MAIL_ZH = """你好，

{asked}

谢谢
周敏｜运营部｜中山路 18 号

在 2026年3月3日 16:20，魏东 写道：
> 能不能把侧门的密码再发我一次？老是记不住。
> 还想问一下周四谁带投影仪，中午之前没人回的话我就去问酒店了。请告诉我要不要素食午餐，今天得报给厨房。
"""
_CHAT_ZH = """小山 09:12
谁动了我的椅子？十点前帮我搬回来吧
阿路 09:21
得给婷婷买张卡片，她周五走。要不要凑钱买花？
我 09:25
{asked}
小山 09:27
对了今晚球赛几点？帮我占个座，告诉阿路带围巾。从车站怎么过去，有公交吗？麻烦早点说。
"""
_EN = "My pills are at nine every evening and I always miss them."
_ZH = "每晚九点的药我老是忘"


@pytest.mark.parametrize(
    ("text", "asked"),
    [(_MAIL_EN, _EN), (_OUTLOOK_EN, _EN), (_CHAT_EN, _EN), (_MAIL_ZH, _ZH), (_CHAT_ZH, _ZH)],
    ids=[
        "quoted mail",
        "mail below a header",
        "chat",
        "quoted Chinese mail",
        "Chinese chat, names on lines of their own",
    ],
)
def test_what_the_author_says_beside_a_mail_or_a_chat_is_the_request(text: str, asked: str) -> None:
    found = find_passages(text.format(asked=asked))
    assert (found[0].text.removesuffix("。"), found[0].asks, found[0].is_pasted) == (asked, True, False)
    assert all(one.is_pasted and not one.asks for one in found[1:])
    assert not any("｜" in one.text or " | " in one.text or "wrote:" in one.text for one in found)


def test_where_everything_is_pasted_nothing_counts_as_pasted() -> None:
    chat = _CHAT_EN.replace("Me: {asked}", "Lou: could you write the minutes?")
    asked = [one for one in find_passages(chat) if one.asks]
    assert "could you write the minutes?" in [one.text for one in asked]
    assert not any(one.is_pasted for one in asked)


def test_fields_and_questions_with_answers_are_no_chat() -> None:
    filler = "It rained all morning and the plants were wet again today. " * 5
    for fields in ("Budget: 4,000\nDeadline: Friday\nAudience: pupils\n", "见表：一\n另见：二\n备注：三\n"):
        assert not any(one.is_pasted for one in find_passages(f"Write the plan.\n{fields}{filler}"))


@pytest.mark.parametrize(
    "request_to_others",
    [
        "Could everybody fill in the calendar by Friday?",
        "Can someone tell the bakery how many we are?",
        "Who has the key to the cellar?",
        "Let me know if you have allergies.",
        "Please don't forget that the car park closes at nine.",
        "谁有自行车库的钥匙？",
        "请大家周五之前把年假计划报给小陈。",
    ],
)
def test_what_is_asked_of_several_people_comes_after_what_is_asked_of_the_reader(request_to_others: str) -> None:
    filler = (
        "今天早上下雨，花都淋湿了。" * 8
        if "。" in request_to_others or "？" in request_to_others
        else ("It rained all morning and the plants were wet again today. " * 5)
    )
    order = "写一份停水通知。" if filler.startswith("今") else "Underwrite a furniture factory without sprinklers. "
    found = find_passages(f"{request_to_others} {filler}{order}{filler}")
    assert found[0].text == order.strip()
    assert next(one for one in found if one.text == request_to_others).to_others


def test_requests_below_a_greeting_of_several_people_are_theirs() -> None:
    text = """Dear all,
the heating was repaired on Friday. Would you please check that your windows are shut? Please sign the card for Ruth.

How do we get the banner back from the fair, and who pays for the van that we need to fetch it from the other town?

Receive the order into stock and print the labels.
"""
    found = {one.text: one for one in find_passages(text) if one.asks}
    assert not found["Receive the order into stock and print the labels."].to_others
    assert _find(found, "Would you please").to_others


def _find(found: dict[str, Passage], begin: str) -> Passage:
    return next(one for text, one in found.items() if text.startswith(begin))


@pytest.mark.parametrize(
    "order",
    [
        "Underwrite a furniture factory without sprinklers.",
        "The payer wants approval for the scan, write the clinical justification.",
        "Retrieve the claim amount for policy seven.",
        "rip out the switches that everybody is already on",
        "Register our new player for the spring season.",
    ],
)
def test_an_english_order_asks_whatever_its_verb(order: str) -> None:
    filler = "It rained all morning and the plants were wet again today. " * 5
    assert find_passages(f"{filler}{order}")[0].asks


@pytest.mark.parametrize(
    "statement",
    [
        "Later the lift was repaired and the coffee machine too.",
        "Yesterday the shop sold postcards.",
        "Martin sends his regards; his knee is a lot better.",
        "Last year the roof was insulated and the lift modernised.",
        "Got a new bicycle, red with a bell.",
    ],
)
def test_an_english_statement_asks_for_nothing(statement: str) -> None:
    filler = "It rained all morning and the plants were wet again today. " * 5
    assert not any(one.asks for one in find_passages(f"{filler}{statement}"))


def test_lines_that_a_mail_program_broke_are_one_sentence() -> None:
    text = """The visitors of the fair asked again and again for the leaflet with all the
prices. Write a leaflet about the new boats that our shop will sell from the first
of May, on one page and in plain words. We open at nine, the harbour is near, and
coffee is free for all who come by boat. The flags are up since Monday morning.
"""
    assert any("sell from the first of May" in one.text for one in find_passages(text))
