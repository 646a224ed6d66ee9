"""Decisions in plain words, without `决定` or `agreed`: `那就不换了`, `改到周四`, `We'll stop selling it`."""

import re
from typing import Final

__all__ = ["is_called_for_assent", "is_settled"]

# What goes on with the talk, or only remarks upon it: `那就先到这里`, `那就麻烦了`.
_AHEAD: Final = (
    r"(?:先|再)?(?:好|行|可(?!以)|这|是|糟|惨|坏|难|怪|麻烦|辛苦|谢|看|说|讲|聊|谈|请|让|试|散|到[这此]|开始|下一|急|放心|没|有|太|"
    r"尴尬|可惜|问|听|休息|轮|进入|继续|会|能|影响|知|懂|对|错|成(?!交)|怕|指望|拜托|交给|等|不(?:好意思|客气|急|影响|会|能|对|行|说|打扰))"
)
# A choice that is closed: `那就X`, `就X吧`, `还是X`, what stays, what ends, what moves, what holds from now on.
_SETTLES: Final = re.compile(
    rf"^(?:(?:好的?|行|可以|嗯|也行|听你的|对)[，,]?)*(?:那么?|那这样)(?:[^，,我你谁得]{{0,10}}?)(?:就|先|改到?|延|推|不|按|用|定|加|订|买|印|租|包|选)(?!{_AHEAD})"
    r"|^(?:(?:好的?|行|嗯|可以)[，,]?)*就(?:[印用买选定按去换订要推发投走涨收](?!不|着|来|心|说)|在(?!于)|《)"
    r"|(?:^|[，,])(?:那|那么|就|先|还是|今年|明年|这次|以后|我们)*不(?:换|改|涨|变|买|卖|印|做|办|搬|去|放|用|要|招|降|停|收|投|开|发|请|煮|参加|续)"
    r"(?:了|$|[，,。])"
    r"|[，,][^，,]{0,8}(?:低于|高于|超过|少于)[^，,]{1,8}不[\u4e00-\u9fff]+$|(?:低于|高于|超过|少于|不到)[^，,]{1,8}(?:不|一律|都|就)[\u4e00-\u9fff]+$"
    r"|(?:照旧|不变|维持原样|取消了?|作废)$|一律(?!这|那|是)[\u4e00-\u9fff]"
    r"|(?:改到|改成|改为|改在|换成|推迟到|延到|延期到|提前到|挪到|移到|搬到|统一[用穿改为成按]?)(?!哪|什么|多少|几|口径)[\u4e00-\u9fff\d]"
    r"|(?:从|自)[^，,]{1,8}(?:开始|起)[，,]?[^，,]{0,3}(?:都|必须|要|不|改|用|实行|执行|统一|停|换|关)|(?:以后|今后|往后)[^，,我]{0,16}(?:都|必须|一律|不许|不准|不得|统一|要)(?!注意|小心|努力|加油|再|不|怎|好好)"
    r"|(?:不许|不准|不得|禁止|严禁)(?!不)[^，,的]{1,14}(?:$|[，,])|(?:^|[，,])(?:先|就|再)(?:印|订|买|招|发|送|加|租)[一二两三四五六七八九十百千万\d]+"
    r"|^(?:加|提|降|涨|减|买|订|用|选|印)(?:[一二两三四五六七八九十百千万\d]+)[^，,吧]{0,4}[，,]"
    r"|(?<![了到])[，,](?:用|选|投|去|走|订|买|在)[^，,的]{1,6}(?:的|家|里)?$"
)
_LEFT: Final = re.compile(
    r"[?？]|[吗呢]$|谁|怎么|如果|要是|万一|的话|可能|也许|大概|估计|觉得|认为|建议|提议|倾向|希望|最好|要不|不如|能不能|可不可以|是不是|要不要|"
    r"还没|没有?定|再说|再议|再看|上次|昨天|去年(?!的)|上周|上个?月(?!的)|以前|之前[都就]|他[说们]|她说|客户(?!.{0,6}认)|厂家|供应商|对方|说是|听说|据说|"
    r"我(?!们)|怕|担心|麻烦了|预报|哈哈|不[知明好对错少想会能该懂怎行够]|原定|原计划|早就|过[一两三几]?次|很(?:重要|难|好|贵|麻烦|多)|[是因]为|早就|已经|本来|原来|一直|为什么|凭什么|呗$"
)
_SETTLES_ENGLISH: Final = re.compile(
    r"^(?:(?:ok(?:ay)?|yeah|yes|right|then|so|no|fine|good|by the way)[,.]?\s+)*(?:"
    r"let's (?!see|talk|discuss|start|begin|move on|look|hear|say|go (?:around|through|over|on|to the next|"
    r"back to)|wait|be|get started|"
    r"continue|hope|"
    r"have a look|check|think|not forget|take (?:a (?:look|break|moment|vote)|five|ten))\w+"
    r"|we(?:'re| are) (?:not |no longer |now )?(?:going with|keeping the|moving (?:to|the)|closing|dropping|"
    r"cancel\w+|switching to|staying (?:put|here|in|with|at))\b|we(?:'re| are) (?:not|"
    r"no longer) \w+ing\b(?! (?:sure|ready))"
    r"|we(?:'ll| will) (?:stop (?!here|there)|drop|keep (?!you|in touch|an eye|trying)|stay|use|switch|move|"
    r"cancel|close|skip|open with|start with|postpone|"
    r"ship|launch|raise|cut)\b"
    r"|we (?:stay$|stay (?:put|here|where)|take \w+(?: \w+)? off|keep the|close (?:at|on|for)|stop (?:at|"
    r"selling)|cancel)\b"
    r"|(?:from (?:now on|next \w+|(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow)|starting (?:next )?\w+),? we\b"
    r"|no (?:more )?(?!questions|problem|worries|idea|way|need|rush|objection|comment|news|luck|"
    r"doubt)\w+(?: \w+)? (?:this|next|until|before|after|on|in) \w+|\w+(?: \w+){0,2} it is$|"
    r"(?:\w+ ){1,3}(?:stays?|remains?) (?:the same$|the same (?:this|next|until)|as it is|unchanged)"
    r"|(?:[\w ]+[.,] )?(?:motion )?(?:passed|carried)$)",
    re.IGNORECASE,
)
_LEFT_ENGLISH: Final = re.compile(
    r"\?$|\b(?:if|maybe|perhaps|might|could|should we|probably|i think|i guess|unless|hope|would)\b|"
    r"^let's (?:you|not)\b.*\?",
    re.IGNORECASE,
)
# A choice that is put to all: `大家没意见吧？`, `agreed?`; who speaks next settles it.
_CALLED: Final = re.compile(
    r"(?:没(?:有)?(?:意见|异议|问题)|同意|行|可以|好)(?:吧|吗|不|的话)?[?？]$|\b(?:agreed|all in favou?r|"
    r"ok with everyone|any objections)\?$",
    re.IGNORECASE,
)
_CHOICE: Final = re.compile(r"[，,].{0,10}没(?:有)?(?:意见|异议)|[，,.]\s*(?:agreed|any objections)\?$", re.IGNORECASE)


def is_settled(sentence: str) -> bool:
    """Whether a sentence closes a choice for all, in whatever words."""
    plain = sentence.strip().rstrip("。.！! 吧").strip()
    if re.search(r"[\u4e00-\u9fff]", plain):
        return _SETTLES.search(plain) is not None and _LEFT.search(plain) is None
    return _SETTLES_ENGLISH.search(plain) is not None and _LEFT_ENGLISH.search(plain) is None


def is_called_for_assent(sentence: str) -> bool:
    """Whether a sentence states a choice and asks all for their assent to it."""
    return _CALLED.search(sentence) is not None and _CHOICE.search(sentence) is not None
