"""Words that steer a conversation and answer no question for words: 算了, "wait", 上一步, "I'll upload my own"."""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal

from metier.agent.adapters import is_dismissal
from metier.patterns import compile_later
from metier.textsearch import to_simplified

Control = Literal["stop", "wait", "back", "explain", "unsure", "own_file", "attached"]

_MAX_CHARS: Final = 60
_MAX_PARTS: Final = 3
_CLAUSES: Final = compile_later(r"[，,。.!！;；]+")
_END: Final = " \t\n。.!！~"
_STRIP: Final = " \t\r\n。.!！~～，,?？…"
_AROUND: Final = compile_later(
    r"^(?:(?:ok(?:ay)?|well|oh|hm+|sorry|please|let\sme|let's|i\swant\sto|can\s(?:i|we)|could\s(?:i|we)),?\s)+"
    r"|^(?:那|那就|我想|我要|能不能|可以|可不可以|请|麻烦|先|哦|嗯|呃)+"
    r"|,?\s(?:please|now|then|for\snow|a\smoment|a\sminute|a\ssecond)$"
    r"|(?:吧|啊|呀|哈|呗|了|吗|可以吗|好吗|行吗)+$",
    re.IGNORECASE,
)
_THIS: Final = r"(?:\s(?:it|that|this))?"
_STOP: Final = (
    r"(?:换|改|转)(?:个|一个)?话题|(?:聊|说|做)点?(?:别的|其他的|其它的)|(?:到此)?(?:结束|为止|打住)"
    r"|不(?:想|打算)?(?:继续|弄|做|搞|填|答|回答|说)|下次(?:再说|再弄|再做)"
    r"|(?:change|switch)\s(?:the\s)?(?:subject|topic)|(?:something|anything)\selse|enough|quit|exit|abort"
    r"|i\sgive\sup|i'm\sdone|(?:talk|do\sit|continue)\s(?:later|another\stime|next\stime)"
)
_WAIT: Final = (
    r"等一?等|等一?下|稍等(?:一下|片刻|会儿)?|等(?:我)?(?:一)?会儿?|慢着|别急|容我想想|马上"
    r"|(?:让我|我|再|先){1,3}(?:想想|想一想|想一下|考虑一下|考虑考虑|看看|看一下|看一看|看清楚|查一下|核对一下|确认一下|检查一下|研究一下)"
    r"|(?:给我)?(?:一)?点时间|不?着急|不急|等我(?:看完|确认(?:一下)?|想想|想好|看看)(?:再说)?"
    r"|wait(?:\sa\s(?:moment|minute|second|sec|bit))?|hold\son|hang\son|one\s(?:moment|second|minute|sec)"
    r"|(?:just|give\sme)\sa\s(?:moment|minute|second|sec)|think(?:\sabout\s(?:it|that))?"
    r"|i\sneed\s(?:a\smoment|(?:more\s|some\s)?time)(?:\sto\s(?:think|look|check|read))?"
    r"|(?:i(?:'ll|\sneed\sto|\swant\sto|\shave\sto)|let\sme)\s(?:have\sa\slook|look|check|think|read|review)"
    r"(?:\s(?:at|about|over|through))?(?:\s(?:it|that|this|them))?(?:\s(?:over|through))?(?:\s(?:first|again|more|once\smore))?"
    r"|let\sme\ssee|i'm\sstill\s(?:looking|reading|thinking|checking)|give\sme\s(?:some\stime|a\sbit)"
)
_BACK: Final = (
    r"(?:回到|返回|退回(?:到)?|回)?(?:上一步|上一个问题|上一题|上个问题|前一步|前面|前一个问题)|返回|后退|重填"
    r"|重新(?:来|开始|填|回答|选)(?:一[遍次])?|从头(?:来|开始)|重来(?:一[遍次])?|(?:我)?(?:刚才)?(?:填|答|说|选|打)错"
    r"|(?:改|修改)(?:一下)?(?:上一个|刚才的?|前面的?)(?:回答|答案)?"
    r"|(?:go\s|step\s)?back|(?:go\sback\sto\s)?(?:the\s)?previous\s(?:step|question)|back\s(?:one|a)\sstep|undo\sthat"
    r"|start\s(?:over|again|from\sthe\sbeginning)|restart|begin\sagain|from\sthe\s(?:start|top|beginning)"
)
_AGAIN: Final = (
    r"(?:请|那|就|帮我)*(?:(?:一样|同样|照样|照旧|再|重新|从头)(?:地|的)?(?:来|做|跑|算|查|分析|开始)(?:一?[遍次下])?"
    r"|重(?:来|做|跑|算)(?:一[遍次下])?|再来一[遍次])[吧呗了]?"
    r"|(?:(?:please\s+)?(?:the\s+)?same\s+(?:thing\s+)?again"
    r"|(?:do|run|try|check|analy[sz]e)\s+(?:(?:it|that|this)\s+)?(?:again|once\s+more)"
    r"|redo(?:\s+it)?|re-?run(?:\s+it)?|start\s+over|once\s+more)(?:\s+please)?"
)
_EXPLAIN: Final = (
    r"(?:这|你|那)?(?:是|问)?(?:的)?(?:什么|啥|几个)意思|什么|啥|比如(?:呢|说)?|例如呢?|帮助|帮帮我"
    r"|(?:再)?解释(?:一下)?"
    r"|(?:我)?(?:不懂|没懂|不明白|没明白|看不懂|没看懂|不理解|不太?(?:懂|明白|清楚))(?:你在?问什么|这个问题|什么意思)?"
    r"|(?:该|要|应该)?(?:怎么|如何|怎样)(?:填|答|回答|写|说|选)|(?:举|给)(?:个|一个|点|些)?例子?"
    r"|(?:再说|再问|重复)一?遍(?:问题)?|为什么(?:要)?问(?:我)?(?:这个)?"
    rf"|help(?:\sme)?|what|huh|pardon|what\sdo\syou\smean(?:\sby{_THIS})?|what\sdoes\s(?:that|this|it)\smean"
    rf"|i\s(?:don't|do\snot|didn't)\s(?:understand|get|follow)(?:\s(?:the\squestion|you))?{_THIS}"
    rf"|how\s(?:do|should|can|would)\si\s(?:answer|say|put|write|fill){_THIS}(?:\sin)?"
    rf"|(?:for|an)\s(?:example|instance)|like\swhat|such\sas|explain{_THIS}|say{_THIS}\sagain"
    rf"|repeat(?:\sthe\squestion)?{_THIS}"
    rf"|why\sdo\syou\s(?:ask|need)(?:\sme)?{_THIS}"
)
_UNSURE: Final = (
    r"(?:我)?(?:也|还|真)?(?:不知道|不晓得|不确定|说不准|说不好|没想好|没想过|想不出来?|想不到|没主意|没想法)(?:呢)?"
    r"|(?:i\s)?(?:don't|do\snot)\sknow|dunno|(?:i\shave\s)?no\sidea|(?:i'm\s|i\sam\s)?not\ssure"
    r"|(?:i\s)?can't\sthink\sof\s(?:any|anything|one)"
)
_FILE_ZH: Final = "(?:文件|文档|数据|表格?|附件|资料|合同|录音稿?|记录|报告|材料|稿子|通知|提纲|台账|东西)"
_OWN_FILE_ZH: Final = (
    rf"(?:(?:等下|等会儿?|一会儿?|待会儿?|稍后|晚点)?(?:我要|我想|我)?(?:不要|不用|别用|不想用|不需要|不是)(?:你的"
    rf"|这个|那个|这些)?(?:示例|样例|例子|样本)(?:{_FILE_ZH})?(?:了|的)?)"
    rf"|(?:(?:我|我们)?(?:要|想|来|会|可以|能|能不能|待会儿?|等下|马上|这就|去|先|得){{0,4}}(?:用|分析|看|传|上传|发"
    rf"|附上?"
    rf"|提供|导入|选)(?:一[个份]|一下)?"
    rf"(?:我|我们)?自己的?(?:{_FILE_ZH})?)"
    rf"|(?:我|我们)?(?:要|想|来|会|可以|能|能不能|待会儿?|等下|马上|这就|去|先|得){{0,4}}自己(?:来)?(?:上传|传|发|附"
    rf"|提供"
    rf"|给)(?:一[个份]|一下)?(?:{_FILE_ZH})?"
    rf"|(?:我|我们)?有自己的(?:{_FILE_ZH})?|(?:用|传|上传)我(?:们)?的{_FILE_ZH}"
    rf"|(?:等下|等会儿?|一会儿?|稍后|晚点)?(?:我|我们)?(?:要|想|来|会|待会儿?|马上|这就|去|先|得){{0,4}}(?:上传|传|附"
    rf"|发)(?:一[个份]|一下|个|份)?(?:给你)?{_FILE_ZH}(?:给你)?"
    rf"|(?:我|在|从|这里|到底|该|要|应该|可以){{0,4}}(?:怎么|如何|怎样|哪里?|哪儿)(?:可以|能|才能)?(?:上传|传|附|添加"
    rf"|导入"
    rf"|发|放)(?:自己的|我的)?(?:{_FILE_ZH}|上去|给你)?"
)
_OWN_EN: Final = (
    r"(?:my|our) own(?: (?:file|data|document|table|sheet|workbook|contract|transcript|record|one)s?)?|mine|ours"
)
_OWN_FILE_EN: Final = (
    r"(?:no|not|don't use|do not use|i don't want|without) (?:the |a |your |this |that )?(?:sample|example)s?"
    rf"|(?:(?:i(?:'ll| will| would|'d| want to| would like to|'d like to| have to| need to| can)?|let me|we(?:'ll| "
    rf"will)?|i'm "
    rf"going to) )?"
    rf"(?:rather |prefer to )?(?:(?:upload|attach|send|use|provide|bring|add|take) (?:{_OWN_EN})"
    r"|(?:upload|attach) (?:(?:a|the|my|our|some|another) (?:file|data|document|table|sheet|workbook)s?|it(?: "
    r"myself)?))"
    rf"|i have {_OWN_EN}|{_OWN_EN}"
    r"|(?:how|where) (?:do|can|should|could|would) i (?:upload|attach|add|send|put|import)(?: (?:a|the|my|our|it|my "
    r"own)(?: (?:file|data|document|own|table|sheet)){0,4})?"
)
_OWN_FILE: Final = (
    rf"(?:(?:{_OWN_FILE_ZH})(?:[，,、\s]*(?:{_OWN_FILE_ZH})){{0,4}}|(?:{_OWN_FILE_EN})(?:[,;.]? (?:and |but "
    rf")?(?:{_OWN_FILE_EN})){{0,4}})"
)
_ATTACHED: Final = (
    rf"(?:{_FILE_ZH})?(?:已经?|都已经?)上传|(?:我|我们|文件|附件|已|已经|刚|都|{_FILE_ZH}){{0,4}}(?:上传|传|附|发|放"
    rf"|加)(?:完|好|上|上去|过去|给你|进来){{0,4}}(?:{_FILE_ZH})?(?:完|好)?了(?:{_FILE_ZH})?"
    rf"|(?:文件|附件|{_FILE_ZH})?(?:在这(?:里|儿)?|来了|给你了)"
    r"|(?:(?:i(?:'ve| have)?|it's|it is|the file is|file|now|just|here,) ?){0,4}(?:just )?(?:uploaded|attached|added"
    r"|sent)(?: (?:it|the file|the data|my file|one|a file))?(?: now)?"
    r"|here (?:it is|you go|is (?:the|my) (?:file|data|document))|(?:see|use) (?:the )?(?:attached|attachment)(?: "
    r"file)?"
)
_PATTERNS: Final[Mapping[Control, re.Pattern[str]]] = MappingProxyType(
    {
        "stop": compile_later(_STOP, re.IGNORECASE),
        "wait": compile_later(_WAIT, re.IGNORECASE),
        "back": compile_later(f"{_BACK}|{_AGAIN}", re.IGNORECASE),
        "explain": compile_later(_EXPLAIN, re.IGNORECASE),
        "unsure": compile_later(_UNSURE, re.IGNORECASE),
        "own_file": compile_later(_OWN_FILE, re.IGNORECASE),
        "attached": compile_later(_ATTACHED, re.IGNORECASE),
    }
)
# 没有 is what stands in the way, or what else there is; 不 may be it where nothing is asked for by name.
_NOTHING: Final = compile_later(
    r"(?:都|也|目前|暂时|暂|现在)?(?:没有?|无|没什么|没啥)(?:了|的|吧|呢)?|none|nothing(?:\selse)?", re.IGNORECASE
)
_PLAIN_NO: Final = compile_later(
    r"(?:都|也|就|目前|暂时|暂|现在)?(?:不|不了|不用|不要|不需要|不必|否)(?:了|的|吧|呢)?"
    r"|n|no|nope|nah|not\s(?:really|now|yet)|no,?\sthank(?:s|\syou)",
    re.IGNORECASE,
)
_ASKS_FOR_THING: Final = compile_later(
    r"什么(?!要|需要|补充|特别|其他|别的|想)|哪|谁|怎么|怎样|如何|多少|多久|多长|几"
    r"|\b(?:which|who|where|when|how)\b|\bwhat(?!\selse)\b",
    re.IGNORECASE,
)
_ONLY_AGAIN: Final = compile_later(_AGAIN, re.IGNORECASE)
_ABOUT_FILES: Final = ("own_file", "attached")
_ASKS_FOR_FILE: Final = compile_later(
    rf"{_FILE_ZH}|示例|\b(?:file|attach\w*|sample|data|document|workbook|table|sheet|record|contract|transcript)s?\b",
    re.IGNORECASE,
)


def read_control(message: str) -> Control | None:
    """What a whole message says about going on with the question that is open; None for any other message."""
    said = " ".join(to_simplified(message.strip(_STRIP)).replace("’", "'").split())
    if not said or len(said) > _MAX_CHARS:
        return None
    return _find(said) or _find(_AROUND.sub("", said)) or _find_wait(said)


def wants_again(message: str) -> bool:
    """Whether a message only asks to do the work once more: 重来, "same again"."""
    return _ONLY_AGAIN.fullmatch(message.strip(_END)) is not None


def _find_wait(said: str) -> Control | None:
    """Whether each of a few clauses asks for time: 等等，我再看看."""
    parts = [one.strip(_STRIP) for one in _CLAUSES.split(said) if one.strip(_STRIP)]
    found = [_find(one) or _find(_AROUND.sub("", one)) for one in parts]
    return "wait" if 1 < len(parts) <= _MAX_PARTS and all(one == "wait" for one in found) else None


def is_no_answer(message: str, question: str) -> bool:
    """Whether words do not answer a question for words, though they would fit: they steer, or refuse to answer.

    "no" may be an answer to "is there anything else?", but not to "what is the smallest step?".
    """
    said = message.strip(_STRIP)
    if len(said) > _MAX_CHARS or _NOTHING.fullmatch(said):
        return False
    if _PLAIN_NO.fullmatch(said):
        return _ASKS_FOR_THING.search(question) is not None
    control = read_control(message)
    if control in _ABOUT_FILES and not _ASKS_FOR_FILE.search(question):
        control = None  # 我有自己的数据 may be an answer to what one has
    return control is not None or is_dismissal(message)


def _find(said: str) -> Control | None:
    return next((kind for kind, pattern in _PATTERNS.items() if pattern.fullmatch(said)), None)
