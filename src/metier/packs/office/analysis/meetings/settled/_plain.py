"""Decisions in plain words, without `决定` or `agreed`: `那就不换了`, `改到周四`, `We'll stop selling it`."""

import re
from typing import Final

from metier.packs.office.analysis.meetings._names import NICKNAME

__all__ = ["is_called_for_assent", "is_open", "is_settled"]

_NUMBER: Final = r"[一二两三四五六七八九十百千万半\d]+"
_YES: Final = r"(?:(?:好的?|行|可以|嗯|也行|听你的|对)[，,]?)*"
_START: Final = r"(?:^|[，,])"
_END: Final = r"(?=$|[，,。])"
# What a sentence speaks of before it settles it: a thing, nobody of the talk.
_NOBODY: Final = "[^，,我你您他她谁]"
_THING: Final = rf"{_NOBODY}{{1,8}}?"
# What goes on with the talk, or only remarks upon it: `那就先到这里`, `那就麻烦了`.
_AHEAD: Final = (
    r"(?:先|再)?(?:好|行|可(?!以)|这|是|糟|惨|坏|难|怪|麻烦|辛苦|谢|看|说|讲|聊|谈|请|让|试|散|到[这此]|开始|下一|急|放心|没|有|太|"
    r"尴尬|可惜|问|听|休息|轮|进入|继续|会|能|影响|知|懂|对|错|成(?!交)|怕|指望|拜托|交给|等|不(?:好意思|客气|急|影响|会|能|对|行|说|打扰))"
)
_NOT_DONE: Final = r"不(?:换|改|涨|变|买|卖|印|做|办|搬|去|放|用|要|招|降|停|收|投|开|发|请|煮|参加|续)"
_MOVED: Final = r"(?:改到|改成|改为|改在|换成|推迟到|延到|延期到|提前到|挪到|移到|搬到|统一[用穿改为成按]?)"
_MONEY: Final = r"(?:钱|款|费用?|资金|开销|开支|差价|预算)"
# A choice that is closed, one form a line.
_FORMS: Final = (
    rf"^{_YES}(?:那(?![家个些边位种])么?|那这样)(?:[^，,我你谁得]{{0,10}}?)(?:就|先|改到?|延|推|不|按|用|定|加|订|买|印|租|包|选)(?!{_AHEAD})",
    rf"^{_YES}就(?:[印用买选定按去换订要推发投走涨收](?!不|着|来|心|说)|在(?!于)|《)",
    rf"{_START}(?:那|那么|就|先|还是|今年|明年|这次|以后|我们)*{_NOT_DONE}(?:了|{_END})",
    rf"^{_THING}(?:就|先|都)?(?!不[用要开发]){_NOT_DONE}了{_END}",
    r"[，,][^，,]{0,8}(?:低于|高于|超过|少于)[^，,]{1,8}不[\u4e00-\u9fff]+$",
    r"(?:低于|高于|超过|少于|不到)[^，,]{1,8}(?:不|一律|都|就)[\u4e00-\u9fff]+$",
    r"(?:照旧|不变|维持原样|取消了?|作废)$",
    r"一律(?!这|那|是)[\u4e00-\u9fff]",
    rf"{_MOVED}(?!哪|什么|多少|几|口径)[\u4e00-\u9fff\d]",
    rf"(?:往[后前](?:顺延|推迟?|延|挪)?|顺延|延后){_NUMBER}(?:个?(?:天|周|星期|月|小时)|分钟){_END}",
    r"(?:从|自)[^，,]{1,8}(?:开始|起)[，,]?[^，,]{0,3}(?:都|必须|要|不|改|用|实行|执行|统一|停|换|关)",
    r"(?:以后|今后|往后)[^，,我]{0,16}(?:都|必须|一律|不许|不准|不得|统一|要)(?!注意|小心|努力|加油|再|不|怎|好好)",
    r"(?:不许|不准|不得|禁止|严禁)(?!不)[^，,的]{1,14}(?:$|[，,])",
    rf"{_START}(?:先|就|再)(?:印|订|买|招|发|送|加|租){_NUMBER}",
    rf"^(?:加|提|降|涨|减|买|订|用|选|印){_NUMBER}[^，,吧]{{0,4}}[，,]",
    r"(?<![了到])[，,](?:用|选|投|去|走|订|买|在)[^，,的]{1,6}(?:的|家|里)?$",
    rf"^(?!{NICKNAME}){_THING}就[穿用选订买走按住挂印][^，,了着]{{1,6}}(?:的|款|色|版){_END}",
    rf"{_START}{_NOBODY}{{0,8}}{_MONEY}(?:就|都|还是)?(?:从|走|由|算)(?!客户|总部){_NOBODY}{{1,8}}(?:出|扣|付|担|里|账|支){_END}",
    rf"{_START}(?![那这]){_THING}还(?:是)?[用在穿走坐](?:老|去年|上次)[^，,]{{0,4}}{_END}",
    rf"^(?:(?:早上|上午|中午|下午|晚上)?{_NUMBER}点(?:半|{_NUMBER}分?|整)?)[，,]?(?:准时|在)?{_NOBODY}{{0,8}}(?:集合|出发|碰头|见面|开会){_END}",
)
_SETTLES: Final = re.compile("|".join(_FORMS))
# Words that leave it open, or tell of another time or of others: of the whole sentence.
_LEFT: Final = re.compile(
    r"[?？]|[吗呢]$|谁|怎么|如果|要是|万一|的话|可能|也许|大概|估计|觉得|认为|建议|提议|倾向|希望|最好|要不|不如|能不能|可不可以|是不是|要不要|"
    r"没有?(?:定|结论)|再说|再议|再看|昨天|上周|上个?月(?!的)|以前|之前[都就]|他[说们]|她说|客户(?!.{0,6}认)|厂家|供应商|对方|说是|听说|据说|"
    r"我(?!们)|怕|担心|麻烦了|预报|哈哈|不[知明好对错少想会能该懂怎行够]|原定|原计划|早就|过[一两三几]?次|很(?:重要|难|好|贵|麻烦|多)|[是因]为|已经|本来|原来|一直|为什么|凭什么|呗$"
)
# Words of another time that tell of the clause that they stand in: `用腾讯的，上次的券还没用完` is settled.
_BEFORE_NOW: Final = re.compile(r"还没|上次(?!那)|去年(?![的那])")

_SKIPPED: Final = (
    r"(?!see|talk|discuss|start|begin|move on|look|hear|say|go (?:around|through|over|on|to the next|back to)|wait|be|"
    r"get started|continue|hope|have a look|check|think|not forget|take (?:a (?:look|break|moment|vote)|five|ten))"
)
_ENGLISH_DAY: Final = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_ENGLISH_FORMS: Final = (
    rf"let's {_SKIPPED}\w+",
    r"we(?:'re| are) (?:not |no longer |now )?(?:going with|keeping the|moving (?:to|the)|closing|dropping|cancel\w+|"
    r"switching to|staying (?:put|here|in|with|at))\b",
    r"we(?:'re| are) (?:not|no longer) \w+ing\b(?! (?:sure|ready))",
    r"we(?:'ll| will) (?:stop (?!here|there)|drop|keep (?!you|in touch|an eye|trying)|stay|use|switch|move|cancel|"
    r"close|skip|open with|start with|postpone|ship|launch|raise|cut)\b",
    r"we (?:stay$|stay (?:put|here|where)|take \w+(?: \w+)? off|keep the|close (?:at|on|for)|"
    r"stop (?:at|selling)|cancel)\b",
    r"we (?:open|start|close|end|go) with the\b|we move the [\w ]+ to\b|we meet (?:at|on)\b",
    rf"(?:from (?:now on|next \w+|{_ENGLISH_DAY}|tomorrow)|starting (?:next )?\w+),? we\b",
    r"no (?:more )?(?!questions|problem|worries|idea|way|need|rush|objection|comment|news|luck|doubt)[\w-]+(?: \w+)? "
    r"(?:this|next|until|before|after|on|in) \w+",
    r"\w+(?: \w+){0,2} it is(?=$|,)",
    r"(?:\w+ ){1,3}(?:stays?|remains?) (?:the same$|the same (?:this|next|until)|as it is|unchanged)",
    r"(?:the )?(?:\w+ ){1,3}(?:comes?|goes|is paid|are paid) (?:out of|from) (?:the |our )(?:\w+ )?"
    r"(?:fund|budget|account|kitty|reserve)s?\b",
    r"(?:[\w ]+[.,] )?(?:motion )?(?:passed|carried)$",
)
_SETTLES_ENGLISH: Final = re.compile(
    rf"^(?:(?:ok(?:ay)?|yeah|yes|right|then|so|no|fine|good|by the way)[,.]?\s+)*(?:{'|'.join(_ENGLISH_FORMS)})",
    re.IGNORECASE,
)
_LEFT_ENGLISH: Final = re.compile(
    r"\?$|\b(?:if|maybe|perhaps|might|could|should we|probably|i think|i guess|unless|hope|would|"
    r"always|usually|already)\b|^let's (?:you|not)\b.*\?",
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
    if not re.search(r"[\u4e00-\u9fff]", plain):
        return _SETTLES_ENGLISH.search(plain) is not None and not is_open(plain)
    match = _SETTLES.search(plain)
    return match is not None and not is_open(plain, match.end())


def is_open(sentence: str, upto: int = 0) -> bool:
    """Whether a sentence asks, doubts, or tells of others or of another time; of the time only up to a place."""
    if not re.search(r"[\u4e00-\u9fff]", sentence):
        return _LEFT_ENGLISH.search(sentence) is not None
    end = min((at for at in map(sentence.find, "，,", (upto, upto)) if at >= 0), default=len(sentence))
    return _LEFT.search(sentence) is not None or _BEFORE_NOW.search(sentence, 0, end) is not None


def is_called_for_assent(sentence: str) -> bool:
    """Whether a sentence states a choice and asks all for their assent to it."""
    return _CALLED.search(sentence) is not None and _CHOICE.search(sentence) is not None
