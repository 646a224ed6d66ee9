"""Words that a model alone never sets aside: numbers, quotations, looks, places, refusals and orders of the trade."""

import re
from typing import Final

from metier.packs.office.drafting._asides import asks, orders

__all__ = ["counts", "is_joined_order", "is_statement", "may_be_talk", "names_manner", "refuses", "states"]

_NUMERALS: Final = r"[一二两三四五六七八九十百千半几\d]"
# A number with what it counts; 一下, 一起 and the like count nothing.
_COUNTED: Final = re.compile(
    rf"{_NUMERALS}+\s*(?:箱|盒|包|瓶|支|袋|桶|吨|斤|克|米|道|间|床|套|台|把|双|辆|天(?=[\u4e00-\u9fff])(?![了就前后内来都没不还也才])|成|折|倍|号|位|名|人|桌|分|秒|元|块|万|亿|岁|寸|磅|厘米|毫米|英寸|字|遍|处|种|类|栏|格|层|段|章|节|条|排|"
    r"行|列|页|张|份|项)|一半|"
    r"\b(?:half|double|twice|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|hundred)\b",
    re.IGNORECASE,
)
# A refusal, a limit or an exception; what somebody does not know, has not done or cannot see is none.
_REFUSED: Final = re.compile(
    r"不|别|勿|甭|无需|无须|除|以外|之外|只|仅|最多|最少|至少|"
    r"\b(?:no|not|never|without|except|instead|rather|neither|none|only|at most|at least|less|"
    r"fewer|skip|ignore|avoid)\b|n['’]t\b",
    re.IGNORECASE,
)
_NO_REFUSAL: Final = re.compile(
    r"不好意思|不(?:知道|晓得|懂|会用|太会|熟|记得|认识|敢|容易|得了|行了|停|断|住)|(?:看|听|搞|弄|分|认|睡|来|受|赶|想|忙|坐|等|急)不"
    r"[懂清见着及了过出起下]|差不多|要不|可不|特别|级别|性别|类别|差别|告别|"
    r"\b(?:i|we) (?:don['’]t|do not|didn['’]t|can['’]t|cannot|couldn['’]t|haven['’]t|never) "
    r"(?:really )?(?:know|remember|understand|get it|trust|believe|sleep|slept|think|find|have (?:much )?time|done|"
    r"did|tried)\b|"
    r"(?:['’]s not|\b(?:is|are|was) not|\b(?:is|are|has|have|was)n['’]t)(?: quite| been)? (?:ready|here|there|done|"
    r"finished|in|available|decided|known|back|arrived|sent|taken|come)(?: yet)?\b|"
    r"\b(?:why not|not sure|no idea|no time|no rush|no hurry|no worries|no problem)\b",
    re.IGNORECASE,
)
# What it is called and made of, and how it is to be, whoever wants it: looks, sounds, fits, can be read.
_MANNER: Final = re.compile(
    r"主题|题[目为]|名[称字为]|[叫称]作?(?=[\u4e00-\u9fff])|包[括含]|分[为成]|内容|另一|"
    r"\b(?:topic|subject|theme|called|named|the (?:first|second|other) (?:has|have|is)|consists?|contains?)\b|"
    r"签[字名]|盖章|语气|口气|口吻|风格|格式|样式|模[板版]|版式|排版|字[大小多少]|[大小繁简]写|简体|繁体|英[文语]|中[文语]|拼音|单位|小数|千分|百分|货币|日期|时间轴|横轴|纵轴|坐标|"
    r"图例|图注|脚注|批注|备注|注释|附[录件]|目录|封面|页|栏|列|行[距高]|段|边距|缩进|间距|标点|引号|括号|空格|颜色|底色|灰|粗|斜|下划线|"
    r"像.{0,8}[样似的]|要像|[要得](?:能|让|看|像|够|正|有)|看得[懂清见出]|读得懂|念出来|比.{0,6}[大小长短高低多少早晚]|"
    r"按|照(?!片|顾|理|常)|平均|均值|占比|比例|排名|[同环]比|统一|同步|分开|隔开|挨着|靠[近着左右]|合并|求和|排|顺序|先后|优先|第[一二三四五六七八九十]|最[前后上下左右]|"
    r"(?:今年|去年|明年|上月|本月|下月).{0,6}(?:实线|虚线|数|额)|以[前后上下]|之[前后间]|从.{1,8}(?:到|开始|起)|"
    r"\b(?:tone|style|format|template|layout|wording|spelling|language|english|chinese|unit|decimal|percent\w*|currency|"
    r"axis|legend|caption|footnote|label|page|margin|indent|spacing|letters|capitals|bullet|number|count|copy|merge|split|swap|"
    r"subtotal|average|median|maximum|minimum|match|same|like|first|last|next to|"
    r"on the (?:left|right)|in (?:brackets|order|full|the)|"
    r"starting|beginning|ending|"
    r"should|must|needs? to|has to|have to|ought|fit|fits|readable|short|long|longer|shorter|big|large|small)\b",
    re.IGNORECASE,
)
# What is to stand in the text and in which script, and what somebody cannot bear in it, whatever sentence says so.
_STATED: Final = re.compile(
    r"[看听读]着?要像|要像[\u4e00-\u9fff]|(?:^|[请要须得])(?:说明|注明|写明|标明|说清)(?![书会文])|说人话|[楷宋黑隶仿]体|雅黑|仿宋|"
    r"\b(?:is|are) (?-i:[A-Z])\w+ (?-i:[A-Z])|\bcall (?:it|them|this|that)\b|\bup front\b|"
    r"\bcan['’]t (?:stand|bear)\b|\bhates?\b(?! to\b)",
    re.IGNORECASE,
)
# A part with its words (集合地点学校东门, 用药是头孢), a thing that is wanted, a short yes (hatching is fine).
_MAY_STATE: Final = re.compile(
    r"[:：]|(?:地点|地址|电话|原因|落款|署名|抬头)[\u4e00-\u9fff]|(?:^|[请要须得])承诺|"
    r"^(?![这那我你您他她它咱今昨明])[\u4e00-\u9fff]{2}是"
    r"(?![我你您他她这那不要来去在个新老][\u4e00-\u9fff]|[\u4e00-\u9fff]{0,6}[的了]$)|"
    r"^\w+ (?:is|are) (?:fine|ok|okay|good|enough|plenty)$|^by \w+$|\bwants? an? ",
    re.IGNORECASE,
)
# What is joined to an order with a verb of its own: and mention that, then email it.
_JOINED: Final = re.compile(
    r"(?:(?:and|then|also|please|plus) )+(?!(?:i|we|you|he|she|they|it|is|are|was|were|has|have|had|will|can|for|to|of|"
    r"in|on|at|by|as|if|so|that|this|all|both|not|with|from|because|since|when|while|after|before|until|than|then|"
    r"now|half|like|only|just|did|does|do|got|said|asked|told|wants?|needs?|wanted|needed|what|who|where|why|how) )"
    r"[a-z]+(?<!s)(?<!ed)(?<!ing) (?:it|them|that|the|each|every\w*|all|this|these|those|an?|my|our)\b",
    re.IGNORECASE,
)


def may_be_talk(clause: str) -> bool:
    """Whether nothing in a clause forbids to set it aside; that it may does not say that it is talk."""
    if asks(clause) or orders(clause) or is_joined_order(clause) or counts(clause) or names_manner(clause):
        return False
    return not states(clause) and not refuses(clause)


def refuses(clause: str) -> bool:
    """Whether a clause has a refusal, a limit or an exception."""
    return _REFUSED.search(_NO_REFUSAL.sub("", clause)) is not None


def counts(clause: str) -> bool:
    """Whether a clause has a number with what it counts."""
    return _COUNTED.search(clause) is not None


def names_manner(clause: str) -> bool:
    """Whether a clause names what the result is made of or how it is to be."""
    return _MANNER.search(clause) is not None


def states(clause: str) -> bool:
    """Whether a clause may state what is to stand in the text."""
    return is_statement(clause) or _MAY_STATE.search(clause) is not None


def is_statement(clause: str) -> bool:
    """Whether a clause surely states what is to stand in the text, or what somebody cannot bear in it."""
    return _STATED.search(clause) is not None


def is_joined_order(clause: str) -> bool:
    """Whether an English clause is joined to an order and has a verb of its own: `and mention that he is away`."""
    return _JOINED.match(clause) is not None
