"""The words around the data of a message: each clause says what the thing has anyway, or names what it is about."""

import re
from collections.abc import Iterator
from typing import Final

from metier.packs.office._request_text import CONSUMED, RequestText
from metier.packs.office.drafting._asides import begins_with_order, holds_anyway, is_spoken, names_look
from metier.packs.office.drafting.letters import read_letter
from metier.packs.office.drafting.talk import refuses

__all__ = ["cut_out", "is_all_read", "is_subject"]

_CUT: Final = re.compile(r"[,，。;；:：!！?？\n()（）]|、|\.(?=\s|$)|——+|\s[-–—]+(?=\s|$)")
_LIST_SIGNS: Final = frozenset("、;；")
_COMMAS: Final = frozenset(",，")
_MAX_NOUN_ZH: Final = 10
_MAX_NOUN_EN: Final = 5
_SIGNS: Final = ' ~～\n\t,，、。;；.:：!！?？()（）-–—"'
_TELLS_DATA: Final = re.compile(
    r"(?:这些?|那些?|以上|上面)?(?:数据?|数字)?(?:都|就)?是|(?:those|these|they|this|that|which|the (?:data|figures|"
    r"numbers)) (?:are|is)\b|(?:are|is)\b",
    re.IGNORECASE,
)
_AMOUNT: Final = re.compile(r"[\u4e00-\u9fff]{1,4}[货量额数费金价库]")
# What no clause has that says nothing new, whatever its other words are.
_NEVER: Final = re.compile(r"并行|并排|并列|除了|除外|以外|仅|\b(?:parallel|except|unless)\b", re.IGNORECASE)
# What it is for, before the order.
_REASON: Final = re.compile(
    r"(?:为了?|好让|以便|便于|方便|开讲前|开会前|会前|给)(?:要|想)?[\u4e00-\u9fff]{2,20}|"
    r"so (?:that )?(?:the |our |my )?[a-z ]{2,40} (?:can|could|will|sees?|knows?|understands?)\b[a-z ']{0,40}|"
    r"(?:in order )?to (?:impress|show|help|keep|let|tell|prepare|convince)\b[a-z ']{2,40}|for (?:the|our|my|"
    r"tomorrow['’]s) [a-z ]{2,30}",
    re.IGNORECASE,
)
_COUNTS: Final = re.compile(r"算|计|加|\b(?:counts?|sum|add)\b", re.IGNORECASE)  # 重复的只算一次 is about the numbers
# What shapes the result, and no noun of what it is about may have in it.
_SHAPES: Final = re.compile(
    r"[\d\"%％/|]|从|错|更新|上[次回]|之前|以前|刚才|"
    r"[一二两三四五六七八九十百几半每](?:[个张条份页行列栏级层项点段类种名位组处])|不|别|勿|甭|除|只|仅|"
    r"最|前[一二三四五六七八九十几]|"
    r"[色红绿蓝黄橙紫黑灰粗斜]|字[体号]|居中|对齐|线|轴|图|表|列|行|栏|页|标|签|例|网格|立体|三维|"
    r"堆[积叠]|平滑|排|序|累计|占比|百分|同比|环比|增[长幅速]|"
    r"比例|合计|总计|求和|平均(?!分|成绩|气温|温度|价格?|工资|身高|体重|时长|用时|耗时)|均值|目标|预测|"
    r"小数|千分|单位|公式|备注|注明|隐藏|保护|锁|冻结|原来|原有|现有|已有|台账|"
    r"同时|并行|四舍|取整|开始|起始|负责人|如果|假如|的话|超过|大于|小于|低于|高于|合并|拆|打印|导出|"
    r"发[给到送布]|保存|删|改|换|移|复制|"
    r"调整|去掉|排除|剔除|筛|英[文语]|中文|双语|模板|样式|格式|动画|背景[图色]|边框|底纹|阴影|高亮|突出|"
    r"加[上入个一粗大深]|插|补|另|还要|"
    r"\b(?:not?|never|without|only|except|instead|but|sort\w*|order\w*|rank\w*|red|blue|green|bold|italic|"
    r"colou?r\w*|title\w*|"
    r"update\w*|fix|correct\w*|change|changed|previous|earlier|wrong|charts?|graphs?|pie|bars?|existing|"
    r"current|dotted|dashed|thick|thin|log|scale|horizontal|clustered|combined|double|dual|running|moving|"
    r"parallel|"
    r"starting|beginning|thousands|millions|hundreds|if|unless|above|below|over|under|more than|less than|"
    r"owner|round\w*|second|legend|axis|axes|labels?|grid\w*|stack\w*|smooth\w*|3d|percent\w*|share|average|"
    r"mean|median|cumulative|total\w*|sum\w*|"
    r"highest|lowest|top|bottom|first|last|largest|smallest|growth|change in|difference|target|forecast|"
    r"decimals?|rounded|"
    r"units?|formula\w*|note|hide|hidden|protect\w*|lock\w*|freeze|merge\w*|split|print\w*|export\w*|send|"
    r"email|save|delete|"
    r"remove|replace|rename|copy|skip|ignore|leave|english|chinese|template|style|format\w*|animation|"
    r"border\w*|shad\w*|"
    r"highlight\w*|another|second|two|three|four|five|six|seven|eight|nine|ten|should|must|per|each|every|"
    r"sorted)\b|n['’]t\b",
    re.IGNORECASE,
)


def cut_out(text: RequestText, start: int, end: int) -> None:
    """Mark data as read: what stands before and behind them are clauses of their own."""
    text.mask = f"{text.mask[:start]}{';' * (end - start)}{text.mask[end:]}"


def is_all_read(text: RequestText, words: "re.Pattern[str]", thing: "re.Pattern[str]", data: int) -> bool:
    """Whether every clause of what no rule used says nothing new.

    What the thing is about may be named before the data (which begin at `data`), in the first clause that names the
    thing, and where the message says what the data are: 这是请假天数, “those are our boat hires”.
    """
    if '"' in text.mask:
        return False
    clauses = list(_list_rest(text))
    first = next((start for start, end, _ in clauses if thing.search(text.raw, start, end)), -1)
    for start, end, said in clauses:
        may_name = start < data or start == first or _TELLS_DATA.match(said) is not None
        may_name = may_name and not _may_be_lost(text.mask, start, end, data, words)
        is_reason = start < data and start != first and _REASON.fullmatch(said) is not None and not _is_demand(said)
        if not is_reason and not _is_read(said, words, may_name=may_name):
            return False
    return True


def _may_be_lost(mask: str, start: int, end: int, data: int, words: "re.Pattern[str]") -> bool:
    """Whether a clause right before the data may be one of them that was not read, by the sign between them."""
    sign = mask[end:data].strip() if end < data else ""
    said = mask[start:end].replace(CONSUMED, " ").strip(_SIGNS)
    is_listed = mask[:start].rstrip()[-1:] == ":" or words.sub("", said) == said
    return sign in _LIST_SIGNS or (sign in _COMMAS and is_listed)


def _is_demand(said: str) -> bool:
    return names_look(said) or refuses(said) or re.search(r"[\d\"]", said) is not None


def _list_rest(text: RequestText) -> Iterator[tuple[int, int, str]]:
    """The clauses of what no rule used, without what holds anyway, and where they stand."""
    at = 0
    for sign in (*_CUT.finditer(text.mask), None):
        end = sign.start() if sign else len(text.mask)
        said = text.mask[at:end].replace(CONSUMED, " ").strip(_SIGNS)
        if said and not (holds_anyway(said) and not _COUNTS.search(said)):
            yield at, end, said
        at = sign.end() if sign else end


def _is_read(clause: str, words: "re.Pattern[str]", *, may_name: bool) -> bool:
    if _NEVER.search(clause):
        return False
    rest = words.sub(" ", clause).strip(_SIGNS)
    return not rest or (may_name and is_subject(rest)) or _is_courtesy(clause)


def is_subject(rest: str) -> bool:
    """Whether what is left of a clause can only be the name of what the thing is about."""
    rest = " ".join(rest.split()).strip(_SIGNS)
    if not rest or _SHAPES.search(rest) or (begins_with_order(rest) and not _AMOUNT.fullmatch(rest)):
        return False
    if re.search(r"[\u4e00-\u9fff]", rest):
        return len(rest.split()) <= 3 and len(rest) <= _MAX_NOUN_ZH
    return len(rest.split()) <= _MAX_NOUN_EN


def _is_courtesy(clause: str) -> bool:
    return is_spoken(clause) and not read_letter(f"{clause}。").text.strip(_SIGNS)
