"""Every character of a long text can be read page by page, in any language and whatever else the prompt holds."""

import json
from random import Random

from metier.agent.adapters import data_text
from metier.agent.results import read_stored_result
from metier.context import ChatTemplate, ContextBuilder, ContextCall, ContextMessage
from metier.json_values import JsonObject

ALPHABETS = {
    "English": "the quick brown fox jumps over it. \n",
    "Chinese": "参考信号接收功率弱覆盖小区，龘靐齉齾。\n",
    "Hindi": "हिन्दी में लिखा हुआ पाठ। ",
    "signs": '"\\{}[]\t😀👩🏽‍🚀▂▃',
    "digits": "0123456789",
}
TEMPLATES = (ChatTemplate(), ChatTemplate("cl100k_base"), ChatTemplate("voyage3_base"))


def read_pages(data: object, find: str = "") -> list[JsonObject]:
    pages = [read_stored_result(data, find)]  # type: ignore[arg-type]
    while (following := pages[-1].get("next_page")) is not None:
        pages.append(read_stored_result(data, find, int(str(following))))  # type: ignore[arg-type]
    return pages


def show_in_prompt(page: JsonObject, template: ChatTemplate) -> str:
    """The result as the next prompt shows it, after other long results of the turn."""
    history = [ContextMessage("user", "读一下")]
    for name, text in (("query", "值 " * 3000), ("query", "值 " * 3000), ("read_result", data_text(page))):
        call = ContextCall(f"c{len(history)}", name, {})
        history += [ContextMessage("assistant", "", (call,)), ContextMessage("tool", text, tool_call_id=call.id)]
    return ContextBuilder(template=template).build_converse_prompt(history).messages[-1].content


def test_pages_are_shown_whole_and_joined_they_are_the_text() -> None:
    random = Random(17)
    for name, letters in ALPHABETS.items():
        text = "".join(random.choices(letters, k=random.randint(4000, 9000)))
        pages = read_pages(text)
        assert "".join(str(page["text"]) for page in pages) == text, name
        assert [page["page"] for page in pages] == list(range(1, len(pages) + 1)), name
        for template in TEMPLATES:
            shown = show_in_prompt(pages[0], template)
            assert data_text(str(pages[0]["text"])) in shown, (name, template.encoding)


def test_all_rows_that_were_found_can_be_read() -> None:
    rows = [{"cell": f"朝阳{number}", "why": "弱覆盖" * 30} for number in range(90)]
    few, many = read_pages({"rows": rows}, "朝阳17"), read_pages({"rows": rows}, "朝阳")
    assert few == [{"status": "found", "count": 1, "rows": [rows[17]]}]
    lines = "".join(str(page["text"]) for page in many).splitlines()
    assert [json.loads(line) for line in lines] == rows
