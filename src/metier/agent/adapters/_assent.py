"""Whether a message is a plain yes or a plain no: closed lists of words, so that nothing else in it is overheard."""

import re
from collections.abc import Sequence
from typing import Final, Literal

from metier.patterns import compile_later

Assent = Literal["yes", "no"]

# A particle makes another sentence of some words: 对了 is "by the way", 行了 and 好了 are "enough". The particles are
# listed per word, and 了 only follows words of deciding.
_YES: Final = compile_later(
    r"(?:是|对|好|行|嗯+)[的呀啊]?|好嘞|(?:好|行|可以|同意|继续)吧|好的(?:呀|啊|吧)|是的(?:呀|啊)"
    r"|(?:那?就)?(?:这么|这样|照(?:这个|此)?|按(?:这个|此|计划|方案))(?:办|做|来|定|执行)吧?|没意见|没有意见|没毛病|没错"
    r"|(?:那?就|请|麻烦)?(?:执行|(?:这么|这样)?(?:执行|改|写|办)吧|写(?:进去|上去)吧?)"
    r"|(?:要|需要|可以|同意|确认|批准|继续|没问题)[的呀啊]?|(?:我)?(?:同意|确认|批准)(?:了|执行|写入)?|写入?吧"
    r"|yes|yep|yeah|y|ok|okay|sure|approve|approved|agreed|go ahead|proceed|please do|do it|go for it|fine|fine by me"
    r"|sounds good|looks good(?: to me)?|lgtm|no objections?|let's do it"
    r"|go ahead and (?:do|apply|make|write|change) (?:it|them|that|this|the changes?)|that's (?:right|correct)|correct"
    r"|yes,? (?:go ahead|do it|please do|go for it)|confirm(?:ed)?|i (?:approve|agree|confirm)|approved,? go",
    re.IGNORECASE,
)
_NO: Final = compile_later(
    r"不|不了|(?:不要|不用|不需要|先不|先不要|先不做|不必|否|不行|不可以|不同意|不批准|不继续|拒绝|算|取消|别|别做)[吧了]?|我(?:拒绝|不同意)"
    r"|no|nope|nah|n|no,? thank(?:s| you)|not now|not yet|reject(?:ed)?|cancel|decline|don't|do not|don't do it|stop",
    re.IGNORECASE,
)
# A thumb or a tick says yes, alone or behind one: 好的👌.
_THUMBS: Final = compile_later("[ ]?(?:[\U0001f44d\U0001f44c\u2705\U0001f197][\U0001f3fb-\U0001f3ff]?\ufe0f?){1,3}$")
_PLEASE: Final = compile_later(r",? please$|^please,? ", re.IGNORECASE)
_PUNCTUATION: Final = compile_later(r"\s*[,，、;；。.!！~～]\s*")
_SPACE: Final = compile_later(r"\s+")
_STRIP_CHARS: Final = " \t\r\n。.!！~～，,"
# A yes stands by itself or ends in a full stop or a few ! and ~. A mark in front of it may quote it (> yes), strike it
# out (~~yes~~) or deny it (!yes), and a comma, semicolon, colon or dash behind it goes on.
_MARKS: Final = "!！~～>;；:：,，、.。…*_/\\|=#`^+<—–-"
_BLANKS: Final = " \t\r\n\u3000"
_PLAIN_END: Final = compile_later(r"[。.]?[!！~～]{0,3}|[!！~～]{1,3}[。.]")
# 嗯..., "ok.." and 嗯…下发吧: whoever hesitates has not said yes. A dash in the middle is only a dash.
_HESITATION: Final = compile_later(r"[.。,，、;；]\s*[.。,，、;；]|…")
_PAUSING_WORD: Final = compile_later(
    r"[嗯呃额唔]*(?:那个|这个)?|ok(?:ay)?|y(?:es|eah)|well|h?m+|um+|uh+m*|er+m*", re.IGNORECASE
)
_HUM: Final = compile_later(r"[嗯恩呣唔]|h+m+|m+h?m*|u+h+|e+r+m?", re.IGNORECASE)
_WORD_GAPS: Final = compile_later(rf"[{re.escape(_MARKS)}\s]+")
_MAX_PARTS: Final = 3


def hesitates(message: str) -> bool:
    """Whether marks leave a yes in doubt: dots in a row, any mark in front of it, a comma or dash behind it."""
    said = message.strip(_BLANKS)
    if _HESITATION.search(said) or said.startswith(tuple(_MARKS)):
        return True
    last = said[len(said.rstrip(_MARKS + _BLANKS)) :]
    return _PLAIN_END.fullmatch("".join(last.split())) is None


def is_only_hesitation(message: str) -> bool:
    """Whether a message that hesitates says nothing else: 嗯…, "ok...", "well, hmm..."."""
    return hesitates(message) and all(_PAUSING_WORD.fullmatch(word) for word in _WORD_GAPS.split(message))


def is_hum(message: str) -> bool:
    """Whether a message is one sound that may be a yes or only a thought: 嗯, "hm". 嗯嗯 and 嗯，好 are a yes."""
    return _HUM.fullmatch(message.strip(_STRIP_CHARS + "?？…")) is not None


def read_assent(message: str) -> Assent | None:
    """`yes` or `no` if the message says that and nothing else; None for anything more, such as a condition."""
    said = " ".join(message.strip(_STRIP_CHARS).split()).replace("’", "'")
    said = _THUMBS.sub("", said) or ("ok" if said else "")
    found = _match(said) or _match(_PLEASE.sub("", said))
    found = found or _match_all(_PUNCTUATION.split(said)) or _match_all(_SPACE.split(said))
    return None if found == "yes" and hesitates(message) else found


def _match_all(parts: Sequence[str]) -> Assent | None:
    """The answer that each of a few parts gives; None if they differ or one gives none."""
    answers = {_match(part) for part in parts if part}
    if len(parts) > _MAX_PARTS or len(answers) != 1:
        return None
    found = answers.pop()
    return None if found == "yes" and "" in parts else found


def _match(said: str) -> Assent | None:
    if _NO.fullmatch(said):
        return "no"
    return "yes" if _YES.fullmatch(said) else None
