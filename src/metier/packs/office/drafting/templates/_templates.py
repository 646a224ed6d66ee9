"""Templates: minutes and reports with their title, sections and a list of things to do."""

import re
from collections.abc import Sequence
from typing import Final

from metier.language import Language, choose
from metier.packs.office._counts import COUNT, read_count
from metier.packs.office._request_text import RequestText
from metier.packs.office.drafting._blocks import DraftBlock, capitalise
from metier.packs.office.drafting._titles import take_title
from metier.packs.office.drafting._topics import TopicMention
from metier.packs.office.drafting._unclear import DraftNote, Unclear
from metier.packs.office.drafting.lists import add_to_do, find_lists, take_to_do

__all__ = ["draft_template", "take_word_art", "write_template"]

_COUNTED_PARTS: Final = re.compile(
    rf"({COUNT})\s*(?:个|大)?(?:小标题|二级标题|标题|部分|板块|版块|小节|章节|栏目|块)(?:内容)?(?:分别|依次|是|为|叫|[:,，\s])+|"
    rf"\b({COUNT}) (?:sub)?(?:sections|headings|parts|blocks|titles)(?:\s*(?:named|called|are|namely|[:,]))+\s*",
    re.IGNORECASE,
)
# Fields of minutes that are filled in on their own line; 人员排班 and 时间安排 are sections.
_LINE_FIELDS: Final = re.compile(
    r"(?:会议|例会|开会|召开|举行|活动|汇报|填报)?(?:时间|日期|地点|部门)|(?:会议)?主持(?:人|人员)?|(?:会议)?记录(?:人|员|人员)|"
    r"(?:参会|与会|出席|列席|缺席|到会|应到|实到|参加|请假)?(?:人员|人)(?:名单)?|(?:参会|与会|出席|列席|缺席|到会|请假|参加)(?:者|名单|情况|部门|单位)?|"
    r"(?:meeting )?(?:date|time|place|location|venue)(?: and (?:date|time|place|location|venue))?|"
    r"(?:meeting )?(?:attendees|participants|present|absent|chair(?:man|person)?|secretary|note ?taker)",
    re.IGNORECASE,
)


def draft_template(text: RequestText, mention: TopicMention, language: Language) -> DraftBlock:
    art = take_word_art(text)
    title = take_title(text) or (text.take_any_quote() if art is None or art == "" else "")
    if art == "" and title:
        art, title = title, ""
    text.consume(mention.start, mention.end)
    to_do, tasks = take_to_do(text)
    found = next((one for one in find_lists(text)), None)
    sections, to_do = add_to_do(found.items if found else mention.topic.default_sections(language), to_do)
    said = (found.count or _count_before(text, found.start)) if found else None
    if found and said is not None and said != len(found.items):
        raise Unclear("item_count", said=said, named=len(found.items), names=found.items)
    if found:
        text.consume(found.start, found.end)
    shown = title or _name_template(text.raw[mention.start : mention.end]) or mention.topic.title(language)
    block = write_template(
        mention.topic.id,
        language,
        art=None if art is None else art or shown,
        title=shown if art is None or title else "",
        name=art or title,
        sections=sections,
        to_do=to_do,
        tasks=tasks,
    )
    if not found:
        block.explain(DraftNote.of("default_sections", names=sections))
    return block


def write_template(
    kind: str,
    language: Language,
    *,
    art: str | None,
    title: str,
    sections: Sequence[str],
    name: str | None = None,
    to_do: str = "",
    tasks: Sequence[str] = (),
    is_headed: bool = False,
) -> DraftBlock:
    """The block of a template; `is_headed`: each part has a heading, also what is filled in on its own line."""
    block = DraftBlock(kind, art or title if name is None else name, language)
    if art is not None:
        block.add("insert_word_art", text=art)
    if title:
        block.add_heading(title, 1)
    for section in sections:
        if _LINE_FIELDS.fullmatch(section) and not is_headed:
            mark = choose(language, zh="：", en=": ")
            block.add("insert_text", text=f"{capitalise(section)}{mark}", new_paragraph_after=True)
        else:
            block.add_section(capitalise(section), [capitalise(one) for one in tasks] if section == to_do else ())
    return block


def _count_before(text: RequestText, start: int) -> int | None:
    """How many parts the words right before a list say there are: 三个小标题：, three sections named."""
    said = list(_COUNTED_PARTS.finditer(RequestText(text.raw).mask, 0, start))
    return read_count(said[-1][1] or said[-1][2]) if said and said[-1].end() == start else None


def _name_template(said: str) -> str:
    """What the request itself calls the minutes, without the word for a template; empty if by no such name."""
    found = re.search(r"(?:会议|例会|[周月晨早晚班]会|(?:家长|评审|董事|座谈|碰头|启动)会)(?:纪要|记录)", said)
    return found[0] if found else ""


def take_word_art(text: RequestText) -> str | None:
    """Text of the word art; empty if the request wants one without saying its text, None if it wants none."""
    if not text.has(r"艺术字|word ?art"):
        return None
    found = text.take_quote(
        r"艺术字(?:标题|效果|写|做标题|为|是|:)*|word ?art(?: title| heading)?(?:\s+(?:saying|"
        r"reading|with the text|text))?\s*:?"
    ) or text.take_value(
        r"(?:标题\(用?)?艺术字(?:标题)?\)?(?:写|为|是|:)+|"
        r"(?:\b(?:title|heading) \()?word ?art(?: title| heading)?\)?"
        r"(?: saying| reading| is|\s*:|(?=\s+[\u4e00-\u9fff]))"
    )
    text.take_all(r"(?:用|做成|以)?艺术字(?:做|的|效果|标题|形式|样式)*|(?:as |in )?word ?art(?: title)?")
    return found
