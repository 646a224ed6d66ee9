"""What a clause says beside the things, counts and names that a plan has."""

import json
import re
from collections.abc import Iterator
from types import MappingProxyType
from typing import Final

from metier.json_values import JsonObject, JsonValue
from metier.packs.office._counts import COUNT
from metier.packs.office._request_text import CONSUMED, QUOTED, RequestText, find_spans
from metier.packs.office.drafting._plan_texts import TEXT_FIELDS, strip_mark
from metier.packs.office.drafting._slots import take_place
from metier.packs.office.drafting._topics import list_topics

__all__ = ["find_unexplained"]

_UNITS: Final = r"(?:句话|部分|小节|大类|[个张份条项点块节章段句行列栏页级层周格样幅])(?:空白?|文字|字|标题|内容|的)?"
# Words of an order that leave nothing open: doing, asking, counting, and the parts that every plan has.
_PLAIN_ZH: Final = re.compile(
    rf"就行|就好|即可|紧?(?:跟|接)着|[这那]几个?字|当作?|作|拿|[录填写]?进|小一?点|第[一二三四五六七八九十\d]+{_UNITS}|就?[这那]{COUNT}{_UNITS}|{COUNT}\s*{_UNITS}|[个张份条页]|"
    r"麻烦|予|帮忙|帮我|给我|帮|请|我们|我|你|您|需要|想要|希望|一下|吧|呢|啊|哦|哈|呗|嘛|谢谢|能否|能不能|可以|"
    r"插入|插|增加|添加|加入|加上|加|新建|新增|新|增设|建立|创建|建|制作|做成|做出|做|生成|写成|写上|写|画成|画|绘制|放置|放|补上|补写|补|"
    r"追加|附上|附|列成|列出|列明|列|编制|编写|编列|绘制|搭建|构建|起草|拟定|拟|搭|弄|搞|整|来|用|留出|留|预留|录入|录|填入|填进去|填|分成|分为|分到|细到|列到|分|书写|展示|"
    r"文档|文章|文件|全文|正文|文末|末尾|结尾|最后|后面|下面|下边|下方|底下|其下|里面|上面|开头|最前面|最前|处|打头|位置|地方|最上|最下|这里|此处|在此|这儿|"
    r"表格|表头|空表|空白|空|表|标题|题目|副标题|主标题|大标题|小标题|列名|字段|内容|数据|文字|行|列|栏|"
    r"编号|模[板版]|框架|题注|图题|图名|名字|名称|主题|为题|栏目|条目|"
    r"分别|依次|先后|一前一后|接连|各占|各|接着|另起|另|再|先|然后|并|还|就|都|也|是|为|有|含|包括|包含|要|得|须|应|"
    r"的|了|着|把|将|以|在|于|到|和|与|及|上|下|里|中|后|前|共|一共|总共|一|按|出|给|叫|名|写|成|个|张"
)
_PLAIN_EN: Final = re.compile(
    rf"\bone (?:for each|per)\b|\b(?:{COUNT}|please|kindly|could|can|would|will|you|i|we|need|want|like|me|us|a|an|"
    r"the|this|that|these|it|them|to|in|into|on|at|of|for|with|and|then|also|plus|as|insert|add|put|place|create|make|build|draft|write|set|up|give|"
    r"append|enter|draw|prepare|generate|produce|list|include|including|have|has|is|are|be|should|"
    r"cols?|columns?|rows?|header|heading|headings|title|titled|document|doc|"
    r"sections?|text|lines?|items?|points?|bullets?|tasks?|entries|first|second|third|last|other|another|below|beneath|"
    r"underneath|under|after|follow(?:ed|ing|s)?|by|here|end|paragraphs?|top|bottom|beginning|blank|empty|called|named|reading|"
    r"saying|data|from|right|very|do|caption|label|note|subtitle|small|simple|short|so|there|body|total|work|out|one|quick)\b",
    re.IGNORECASE,
)
# Words that say no more than what some plans have: the words, and what such a plan has.
_MET: Final = tuple(
    (re.compile(words, re.IGNORECASE), re.compile(fact))
    for words, fact in (
        (r"超支|超[出了]?|负[数的]|标红|红[色字]|变红|"
         r"\b(?:highlight|overspen\w+|over|budget|negatives?|anything|red)\b",
         r'"set_conditional_format".*"less_than"'),
        (r"公式|计算|算出|算|自动|自己|让|那|\b(?:formulas?|calculated|use|using)\b", r'"set_cell_formula"'),
        (r"[末最]后?一?行|合计|总计|总价|总额|总?金额|总数?|汇总|出来|计算|算|带|末(?!尾)|"
         r"\b(?:grand|totals?|sum|show)\b", r"合计|总计|[Tt]otal|SUM\("),
        (r"差异|差额|结余|余额|那|\b(?:variance|difference|minus|left|balance|show)\b|[=＝-]", r'"set_cell_formula"'),
        (r"数字|金额|千[位分]|分隔|显示|\b(?:thousands?|separators?)\b", r"#,##0"),
        (r"加粗|粗体|粗一?[点些]|粗|\bbold\b", r'"bold": true|"header": true'),
        (r"(?:表格)?(?:跨页|换页|翻页|每页)时?|都?要?重复|\b(?:repeat\w*|(?:on |across )(?:each|every)? ?pages?)\b",
         r'"header": true'),
        (r"大字号?|字要?大|醒目|突出|显示|最大|\b(?:very )?(?:large|big) (?:type|letters|print)\b",
         r'"font_size": [4-9]\d'),
        (r"每级至少[一两二]个?|条目|\blevels?\b", r"### "),
        (r"横向|横着|按[周月天]|排|每[周月天]|\bper (?:week|month|day)\b", r"第1[周月天]|(?:Week|Month|Day) 1"),
        (r"只[要有]|仅[要有]?|光[要有]?|\b(?:only|just|no)\b", r'"rows": 1,'),
        (r"图表?|\b(?:chart|graph|picture|image)s?\b", r"insert_chart|placeholder|图"),
        (r"\b(?:start|begin|open|page)\b", r"start_of_document"),
        (r"\btables?\b", r'"insert_table"'),
        (r"\beach\b|\bin succession\b", r'"insert_table".*"insert_table"'),
        (r"\bsheets?\b", r'"ensure_sheet"'),
        (r"幻灯片|PPT|页|\bslides?\b", r'"add_slide"'),
        (r"\bnumber(?:ed|s)?\b", r"\\n2\. |1\. "),
    )
)  # fmt: skip
# The name of the thing in the order for it: 加一张技术偏离表.
_NAMED: Final = re.compile(
    r"(?:[加插做来弄出要建列拟写画搭入是补需设排编制订]|增设)(?:个|一?[张份个])?[^的把将\s\d]{0,8}(?:表格?|清单|台账|单|页|图|纪要|[提大]纲|报告?)(?:一[份张个])?$|"
    r"^(?![按照用以从把将不别])[\u4e00-\u9fff]{1,8}(?:对比|汇总|统计|明细|情况|安排|进度|名单|信息|数据|费用|成绩)(?:做|列|弄|整理|排|画)(?:成)?(?:个|一?[张份个])(?:表格?|清单|图|页)$"
)
# For whom or what the thing is, before its name: 消防检查用的表, 待办的表格; no colour, size or kind of it.
_WHOSE: Final = re.compile(
    r"(?:(?![红黄蓝绿黑白灰彩色大小粗细宽窄竖横带无没高低深浅新旧圆方双单多])[\u4e00-\u9fff]){1,8}的(?=(?:空白?)?(?:表格?|清单|台账|图|纪要|[提大]纲|报告))|"
    r"\b(?:risk|action|task|issue|contact|guest|price|check|project|team|staff|stock) "
    r"(?=(?:list|table|tracker|register|log)\b)"
)
# Behind the order for one thing only these may be named again, where the plan makes them.
_MAKES: Final = MappingProxyType(
    {
        "table": r'"insert_table"',
        "chart": r'"insert_chart',
        "slide": r'"add_slide"',
        "heading": r"# |word_art",
        "outline": r"### ",
        "banner": r'"insert_text"',
    }
)
_MAX_BESIDE: Final = 3  # words for whom or whose it is, beside the thing in the order for it
_REST: Final = re.compile(r"[\u4e00-\u9fff]|[A-Za-z]{2,}|\d")


def find_unexplained(clause: str, plan: JsonObject, *, is_first: bool = False) -> str:
    """What is left of a clause without the words that the plan accounts for; empty if it says nothing more."""
    written = json.dumps(plan["actions"], ensure_ascii=False)
    rest = re.sub(QUOTED, " ", _without_place(clause))
    rest = _NAMED.sub(" ", _WHOSE.sub(" ", rest)) if is_first else rest
    for name in sorted({one for one in _list_strings(plan["actions"]) if len(one) > 1}, key=len, reverse=True):
        for start, end in reversed([*find_spans(name, rest, any_case=True)]):
            rest = f"{rest[:start]} {rest[end:]}"
    for topic in list_topics():
        is_made = is_first or (topic.kind in _MAKES and re.search(_MAKES[topic.kind], written) is not None)
        rest = topic.pattern.sub(" ", rest) if is_made else rest
    for words, fact in _MET:
        rest = words.sub(" ", rest) if fact.search(written) else rest
    left = _REST.findall(_PLAIN_EN.sub(" ", _PLAIN_ZH.sub(" ", rest)))
    is_named = is_first and any(topic.pattern.search(clause) for topic in list_topics()) and "的" not in clause
    return "" if is_named and len(left) <= _MAX_BESIDE else " ".join(left)


def _without_place(clause: str) -> str:
    """A clause without the place in the document that it names; that the plan has it was looked at before."""
    text = RequestText(clause)
    place = take_place(text)
    return clause if place.kind == "cursor" else text.mask.replace(CONSUMED, " ")


def _list_strings(value: JsonValue) -> Iterator[str]:
    """Texts that the plan writes, with and without the marks of a heading or a number."""
    if isinstance(value, str):
        for line in value.splitlines():
            yield strip_mark(line).strip(" :：")
    elif isinstance(value, list):
        for one in value:
            yield from _list_strings(one)
    elif isinstance(value, dict):
        for name, one in value.items():
            if name in ("data", *TEXT_FIELDS, "notes", "actions"):
                yield from _list_strings(one)
