"""What the model says, as it is shown: piece by piece, as Markdown, and never as a program."""

import re

from playwright.async_api import expect

from metier.language import Language
from tests.browser.conftest import Visiting
from tests.browser.house import HOLD, House, Talker
from tests.browser.words import sentence

HOSTILE = """# 标题 <script>window.struck = 1</script>

<img src=x onerror="window.struck = 2"> **粗体** <iframe srcdoc="<script>parent.struck=3</script>"></iframe>

[press](javascript:window.struck=4) [data](data:text/html,<script>1</script>)
![far](https://example.com/pixel.png) ![near](//example.com/pixel.png)

<svg onload="window.struck = 5"><a xlink:href="javascript:1">x</a></svg>
<form action="https://example.com"><button>send</button></form>

| a | b |
|---|---|
| 1 | <b onmouseover="window.struck = 6">2</b> |

```html
<script>window.struck = 7</script>
```
"""


async def test_an_answer_arrives_piece_by_piece(
    talk: House, model: Talker, visiting: Visiting, language: Language
) -> None:
    model.say("春天喝 **绿茶**。\n", HOLD, "\n- 夏天喝白茶\n- 冬天喝红茶")
    visit = await visiting(talk, language)
    await visit.say(visit.trade.chat)
    writing = visit.page.locator(".markdown.writing")
    await expect(writing).to_have_text("春天喝 绿茶。")
    await expect(visit.button("stop")).to_be_visible()
    model.go_on()
    answer = visit.page.locator(".markdown")
    await expect(answer.locator("li")).to_have_count(2)
    await expect(writing).to_have_count(0)
    await expect(answer.locator("strong")).to_have_text("绿茶")
    await visit.done()
    await expect(visit.page.locator("#announcer, [aria-live]").filter(has_text=visit.says("answerDone"))).to_have_count(
        1
    )


async def test_reasoning_is_folded_and_no_part_of_the_answer(
    talk: House, model: Talker, visiting: Visiting, language: Language
) -> None:
    model.think("先想想季节，", "再想想茶。<b onmouseover=alert(1)>粗</b>").say("春天喝绿茶。\n", HOLD, "夏天喝白茶。")
    visit = await visiting(talk, language)
    await visit.say(visit.trade.chat)
    fold = visit.page.locator("details.reasoning")
    await expect(fold.locator("summary")).to_contain_text(visit.says("reasoning"))
    await expect(visit.page.locator(".markdown.writing")).to_have_text("春天喝绿茶。")
    model.go_on()
    await visit.done()
    await expect(fold).to_have_count(1)
    await expect(fold.locator(".reasoning-text")).to_be_hidden()
    await expect(visit.page.locator(".markdown")).to_have_text(re.compile(r"春天喝绿茶。\s*夏天喝白茶。"))
    await visit.page.reload()
    await expect(fold.locator(".reasoning-text")).to_be_hidden()
    await fold.locator("summary").click()
    await expect(fold.locator(".reasoning-text")).to_have_text("先想想季节，再想想茶。<b onmouseover=alert(1)>粗</b>")
    await expect(fold).to_contain_text(visit.says("reasoningNote"))
    assert await visit.scan() == []


async def test_markdown_runs_nothing_and_fetches_nothing(talk: House, model: Talker, visiting: Visiting) -> None:
    model.say(*HOSTILE.splitlines(keepends=True))
    visit = await visiting(talk, "zh")
    await visit.say(visit.trade.chat)
    await visit.done()
    answer = visit.page.locator(".markdown")
    await expect(answer.locator("h1")).to_contain_text("<script>")
    await expect(answer.locator("pre")).to_contain_text("window.struck = 7")
    await answer.locator("td").nth(1).hover()
    await answer.get_by_text("press").click()
    assert await visit.page.evaluate("window.struck") is None
    assert await answer.locator("script, img, iframe, svg, form, [onerror], [onload], [onmouseover]").count() == 0
    hrefs = await answer.locator("a").evaluate_all("links => links.map(link => link.getAttribute('href'))")
    assert [href for href in hrefs if not href.startswith(("https://example.com/", "//example.com/"))] == []


async def test_stopping_keeps_what_came(talk: House, model: Talker, visiting: Visiting, language: Language) -> None:
    model.say("先说一半\n", HOLD, "再说一半")
    visit = await visiting(talk, language)
    await visit.say(visit.trade.chat)
    await expect(visit.page.locator(".markdown")).to_have_text("先说一半")
    await visit.button("stop").click()
    await visit.done()
    await expect(visit.page.locator(".markdown")).to_have_text("先说一半")
    await expect(visit.page.locator(".answer p").filter(has_text=visit.says("stopped"))).to_be_visible()
    await expect(visit.button("stop")).to_have_count(0)
    model.forget()
    model.say("又一次")
    await visit.button("retry").click()
    await expect(visit.page.locator(".turn")).to_have_count(2)
    await expect(visit.page.locator(".turn").last.locator(".markdown")).to_have_text("又一次")


async def test_a_failed_turn_says_why_and_can_be_tried_again(
    talk: House, model: Talker, visiting: Visiting, language: Language
) -> None:
    model.fail(ConnectionError("the line is dead"))
    visit = await visiting(talk, language)
    await visit.say(visit.trade.chat)
    failure = visit.page.get_by_role("alert").filter(has_text=visit.says("turnFailed"))
    await expect(failure).to_contain_text(sentence("errors", "model_unavailable", language))
    details = failure.locator("details")
    await expect(details.locator("p")).to_be_hidden()  # the server's words are English
    await details.locator("summary").click()
    await expect(details.locator("p")).to_contain_text("the line is dead")
    model.forget()
    model.say("Now it works.")
    await failure.get_by_role("button").click()
    await expect(visit.page.locator(".markdown")).to_have_text("Now it works.")


async def test_enter_while_an_input_method_composes_does_not_send(
    talk: House, model: Talker, visiting: Visiting
) -> None:
    model.say("好")
    visit = await visiting(talk, "zh")
    await visit.composer.focus()
    line = await visit.page.context.new_cdp_session(visit.page)
    await line.send("Input.imeSetComposition", {"text": "chun", "selectionStart": 4, "selectionEnd": 4})
    key = {"type": "rawKeyDown", "key": "Enter", "code": "Enter", "windowsVirtualKeyCode": 229}
    await line.send("Input.dispatchKeyEvent", key)
    await expect(visit.composer).to_have_value("chun")
    await line.send("Input.insertText", {"text": "春天"})
    await expect(visit.composer).to_have_value("春天")
    assert visit.page.url == f"{talk.address}/"
    await visit.composer.press("Enter")
    await expect(visit.page.locator(".said")).to_have_text("春天")
    await visit.done()


async def test_a_suggestion_is_sent_by_a_click_and_leaves_the_field_alone(
    talk: House, model: Talker, visiting: Visiting, language: Language
) -> None:
    block = '```suggestions\n["再讲讲白茶", "换个话题"]\n```'
    model.say(f"好的。\n\n{block}").say("白茶是……")
    visit = await visiting(talk, language)
    await visit.say(visit.trade.chat)
    chips = visit.page.get_by_role("group", name=visit.says("suggestions")).get_by_role("button")
    await expect(chips).to_have_count(2)
    await expect(visit.page.locator(".markdown")).to_have_text("好的。")
    await visit.composer.fill("later")
    await chips.first.click()
    await expect(visit.page.locator(".turn").last.locator(".said")).to_have_text("再讲讲白茶")
    await expect(visit.composer).to_have_value("later")


async def test_a_message_written_while_a_turn_runs_waits_for_it(talk: House, model: Talker, visiting: Visiting) -> None:
    model.say("one\n", HOLD, " two").say("three")
    visit = await visiting(talk, "en")
    await visit.say(visit.trade.chat)
    await expect(visit.page.locator(".markdown")).to_have_text("one")
    await visit.say("and then?")
    await expect(visit.page.get_by_role("list", name=visit.says("queued"))).to_contain_text("and then?")
    model.go_on()
    await expect(visit.page.locator(".turn")).to_have_count(2)
    await expect(visit.page.locator(".turn").last.locator(".markdown")).to_have_text("three")
