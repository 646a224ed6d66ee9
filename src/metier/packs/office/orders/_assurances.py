"""Clauses beside an order that only say what must stay as it is: dropped where the steps keep the promise anyway."""

import re
from collections.abc import Iterable, Mapping
from itertools import pairwise
from types import MappingProxyType
from typing import Final

from metier.json_values import JsonObject
from metier.packs.office._request_text import RequestText
from metier.packs.office.orders._clauses import has_order_verb, is_comment
from metier.packs.office.orders._leftovers import is_chatter

__all__ = ["keeps_promises", "read_promise", "split_promises"]

_CUT: Final = re.compile(
    r"[,，;；。!！?？\n]+\s*|(?<=[\u4e00-\u9fff])\s+(?=其[他它余]|别的|剩下)|"
    r"\s+[-–—]+\s+|(?<=[a-z\d%\"])\.\s+(?=\S)|\s+(?=but\b)|\s+(?=so (?:that )?(?:i|we|you|they|"
    r"people|it|nobody|no one|everyone)\b)|(?<=\S)(?=但是?|不过)",
    re.IGNORECASE,
)
_STAY: Final = (
    r"(?:先|千万|可|就|都|也|还|一定|绝对)*(?:别|不要|不用|不许|不能|不准|勿|不)(?:去|给我|乱|随便)?(?:动|变|改|碰|"
    r"管|影响|参与排序?|跟着动)"
    r"(?:它们?|了)?|(?:保持)?(?:不变|原样|原状|不动)|(?:还是|都|要|得|就)*(?:保留|留着|留住|维持原样)"
)
_EN_STAY: Final = (
    r"(?:don'?t|do not|never|without) (?:you )?(?:touch|change|alter|move|edit|affect|mess with|sort|lose)(?:ing)?"
)
# What a clause promises, and the form it has.
_FORMS: Final[tuple[tuple[str, str], ...]] = (
    ("delete", (r"(?:先|千万|可|就)*(?:别|不要|不用|不许|不能|勿)(?:给我)?(?:删|去掉|清)(?:除|掉|了|它们?|数据|行|"
               r"任何东西)*.{0,8}")),
    ("delete", (r"(?:不是|别当成)删除?.{0,4}|(?:但|但是)?(?:内容|数据|行|记录|东西)?(?:要|都|得)*(?:还在|保留|"
               r"留着)(?:的)?")),
    ("delete", (r"(?:don'?t|do not|never|without|not) (?:delet|remov|los|throw|eras)(?:e|ing)?\w*(?: (?:it|them|any|"
               r"anything|that|the (?:rows?|slide|rest))\b)*.{0,12}")),
    ("delete", (r"(?:but )?(?:please )?(?:don'?t|do not|never) (?:bin|scrap|trash|chuck|kill|junk|dump)(?: (?:it|"
     r"them|that|"
               r"anything))?|(?:but )?(?:i |we )?(?:still )?(?:need|want) it (?:later|afterwards|next week)")),
    ("formula", (r"(?:要|得|记得|最好)?(?:用|带|写|是)(?:上)?(?:公式|函数)(?:算|的|写)?(?:[,，、]?\s*(?:别|不要|"
     r"不能|不许)(?:给我)?写死"
                r"(?:数字?|了)?)?|(?:数字?|数值|结果)?(?:别|不要|不能|不许|不)(?:给我)?写死(?:数字?|了)?|"
                r"(?:use |with )?(?:a )?(?:live )?formulas?(?:,? (?:not|no) (?:hard[- ]?coded|typed|"
                r"fixed)(?: (?:values?|"
                r"numbers?))?)?|(?:don'?t|do not) hard[- ]?code (?:it|them|the (?:values?|numbers?))|"
                r"no hard[- ]?coded (?:values?|numbers?)")),
    ("click", (r"(?:要|得)?(?:是)?(?:能|可以?)(?:点击?|点开|跳转|跳|点着跳)(?:的)?(?:那种|过去)?(?:的)?|"
     r"(?:要)?带(?:链接|跳转)的?|"
              r"(?:it should be |make it |with )?click(?:able|able links)|(?:one|the kind|"
              r"something) (?:that )?(?:i|you|we|people) can click(?: on)?")),
    ("tell", (r"(?:一共|总共)?(?:删|去|清)(?:除|掉|了)?(?:了)?(?:多少|几)(?:行|条|个)?(?:都|也|要|给)?(?:跟我|"
     r"和我|给我|告诉我?|报|说)(?:说|讲|报)?"
             r"(?:一?[声下])?(?:数)?|(?:and )?(?:tell me|let me know|say) how many(?: (?:rows?|lines?|records?|"
             r"of them))?(?: (?:you |were |"
             r"are |got |have been )*(?:deleted?|removed?|dropped|took out|gone|went))?")),
    ("header", rf"(?:但是?)?(?:表头|标题行|首行|第一行|列名|抬头)(?:那一?行)?(?:{_STAY})"),
    ("header", (rf"(?:but )?(?:{_EN_STAY}|keep|leave) (?:the )?(?:header|heading|title|top|"
               rf"first)(?: row)?(?: (?:where it is|in place|alone|as is|on top|at the top|out of it))?")),
    ("others", rf"(?:但是?)?(?:其[他它余]|别的|剩下|余下|原来|原有|旧|老|以前)(?:的)?(?:\S{{0,6}}?)(?:{_STAY})"),
    ("others", (r"(?:but )?(?:leave|keep) (?:the )?(?:rest|others?|old ones?|originals?|original \w+|everything else|"
               r"all else|other \w+|old \w+|existing \w+)(?: (?:alone|as (?:is|it is|they are)|untouched|unchanged|"
               r"the same|where (?:it is|they are)))?")),
    ("others", (rf"(?:but )?{_EN_STAY} (?:the )?(?:rest|others?|anything else|old ones?|originals?|other \w+|"
               rf"existing \w+)")),
    ("content", rf"(?:但是?)?(?:文字|内容|数值|数据|数字|数|原文|字)(?:本身)?(?:{_STAY})"),
    ("content", (rf"(?:but )?(?:{_EN_STAY}) (?:the )?(?:text|wording|words|values?|numbers?|contents?|"
                rf"data)(?: (?:itself|themselves))?|(?:the )?(?:values?|numbers?|text|wording) (?:must |"
                rf"should )?stays? (?:the same|as (?:is|it is|they are))|(?:keep|leave) (?:the )?(?:values?|numbers?|"
                rf"text|wording)(?: (?:as is|the same|unchanged|alone))?")),
    ("look", (rf"(?:但是?)?(?:格式|样式|字体|排版|版式)(?:{_STAY})|(?:keep|leave) (?:the )?(?:format(?:ting)?|"
              rf"style|look|"
             rf"layout)(?: (?:as is|the same|unchanged|alone))?|{_EN_STAY} (?:the )?(?:format(?:ting)?|style|layout)")),
    ("live", (r"(?:以后|之后|将来|后面)?.{0,8}(?:改了?|变了?|更新).{0,8}(?:跟着|自动|也会?|要|能)(?:要|会|能|跟着|"
              r"自动)*(?:变|更新|改)(?:化|色)?|"
             r"(?:so (?:that )?)?(?:it|the colou?rs?|they) (?:should |must |will )?(?:updates?|"
             r"changes?) (?:automatically|by itself|when .{1,30})")),
    ("freeze", (r"(?:往[下右上左][拉滚翻])*(?:的时候|时)?(?:都|也|还)?(?:要|能|得)?(?:看得到|看得见|能看见|能看到|"
                r"可见|不动)|(?:so (?:that )?)?(?:it|"
               r"they|i|we)(?: can)? (?:always |still )?(?:stays?|see|keeps?)(?: it| them| visible| in (?:view|"
               r"sight))*(?: when .{1,20}| always)?")),
    ("marks", (r"(?:书名号|引号|括号)(?:就)?(?:不要|不用|去掉|别带|别写|不写|不带)(?:了|进去)?|(?:without|"
               r"no) (?:the )?(?:quotes?|"
              r"quotation marks)")),
    ("hide", (r"(?:把|但)?(?:其[他它余]|别的|剩下)(?:的)?(?:人|行|部门|数据|记录)?(?:都|先|就|暂时)*(?:藏|隐藏|收|"
              r"不显示|不看|遮)(?:起来|掉)?|"
             r"(?:and )?(?:just )?hide (?:the )?(?:rest|others?|other rows|everyone else|"
             r"everything else)(?: for now)?")),
    ("rows", (r"(?:整行|行|数据|其他列)(?:要|都)?(?:一起|跟着)(?:动|走|排)|(?:数据|行)(?:可)?(?:别|不要)(?:乱|错位|"
              r"对不上)了?|(?:keep|"
             r"move) (?:the )?(?:whole )?rows together|rows? (?:must |should )?stay together")),
    ("first", (r"(?:只)?(?:保留|留)(?:下)?(?:最前面的?|前面的?)?(?:第一[条个次行]|一[条个行份])(?:就行|即可)?|"
              r"(?:just )?keep(?:ing)? (?:only )?(?:the )?(?:first(?: one)?|one(?: of (?:each|them))?)")),
)  # fmt: skip
_COMPILED: Final = tuple((kind, re.compile(form, re.IGNORECASE)) for kind, form in _FORMS)
_LOOK_OPS: Final = frozenset(
    {
        *("apply_paragraph_style", "apply_text_style_to_matches", "set_cell_style", "set_slide_text_style"),
        *("set_number_format", "set_conditional_format", "set_line_size", "set_slide_background", "freeze_panes"),
        *("set_page_setup", "set_page_numbers", "set_writer_table_style", "hide_slide", "hide_lines", "filter_range"),
        *("set_slide_transition", "normalize_headings", "set_paragraph_format", "sort_range", "set_picture"),
    }
)
_DELETES: Final = frozenset({"delete_lines", "delete_paragraphs", "delete_slide", "delete_sheet", "delete_point"})
_BODY_OPS: Final = frozenset(
    {
        *("sort_range", "filter_range", "set_number_format", "set_conditional_format", "delete_lines", "hide_lines"),
        *("freeze_panes", "set_line_size", "set_cell_formula", "insert_chart_from_selection", "create_pivot_table"),
    }
)
_KEPT: Final[Mapping[str, frozenset[str]]] = MappingProxyType(
    {
        "content": _LOOK_OPS,
        "header": _BODY_OPS,
        "freeze": frozenset({"freeze_panes"}),
        "rows": frozenset({"sort_range"}),
        "hide": frozenset({"filter_range", "hide_lines"}),
        "first": frozenset({"delete_lines"}),
        "click": frozenset({"insert_contents", "add_hyperlink"}),
        "tell": frozenset({"delete_lines"}),
    }
)


def split_promises(said: str) -> tuple[str, tuple[str, ...]]:
    """The message without clauses that only promise something or talk, and the kinds of what they promise."""
    mask = RequestText(said).mask
    limit = mask.find(":") if ":" in mask else len(mask)
    cuts = [found.span() for found in _CUT.finditer(mask) if 0 < found.start() < limit]
    edges = [(0, 0), *cuts, (len(said), len(said))]
    kept, promises = [], []
    for (_, start), (end, after) in pairwise(edges):
        clause = said[start:end].strip()
        kind = read_promise(clause) if end < limit or ":" not in mask else ""
        if kind:
            promises.append(kind)
        elif clause:
            kept.append(said[start:after])
    if not promises or not kept:
        return said, ()
    return "".join(kept).strip(" ,，;；-–—"), tuple(promises)


def read_promise(clause: str) -> str:
    """What a clause promises, `talk` if it only talks; empty if it may be an order."""
    plain = re.sub(
        r"(?:[啊哈呀哦吧呢嘛啦咯呗~～ ]|\b(?:pls|please|thanks|ok|lol)\b)+$", "", clause, flags=re.IGNORECASE
    )
    plain = re.sub(r"^(?:and|so|just|并且|而且)\s*", "", plain.strip(" ()（）"), flags=re.IGNORECASE)
    found = next((kind for kind, form in _COMPILED if form.fullmatch(plain)), "")
    if found:
        return found
    return (
        "talk"
        if is_chatter(plain) or ((is_comment(plain) or is_comment(clause.strip())) and not has_order_verb(plain))
        else ""
    )


def keeps_promises(steps: Iterable[JsonObject], promises: Iterable[str]) -> bool:
    """Whether the steps do nothing that one of the promises rules out."""
    made = list(steps)
    ops = {str(one["op"]) for one in made}
    for kind in promises:
        if kind == "delete" and ops & _DELETES:
            return False
        if kind == "formula" and not (ops & {"set_cell_formula", "create_pivot_table"}) and not _has_formula(made):
            return False
        if kind == "live" and not (ops & {"set_conditional_format", "set_cell_formula"}) and not _has_formula(made):
            return False
        if kind == "look" and ops & (
            _LOOK_OPS - {"sort_range", "filter_range", "freeze_panes", "hide_lines", "hide_slide"}
        ):
            return False
        if kind in _KEPT and not ops <= (_KEPT[kind] | ({"set_cells"} if kind == "header" else set())):
            return False
    return True


def _has_formula(steps: list[JsonObject]) -> bool:
    return any("formula" in str(one.get("cells", "")) for one in steps)
