"""How a message begins before it says anything: 小李，… / 王姐好，我是门店阿珍，… / Hi Priya, hope you are well. …"""

import re
from typing import Final

from metier.packs.office.drafting.letters._people import FULL_NAME, NAME, PERSON, TITLED, is_name

__all__ = ["find_opening", "list_called"]

_END: Final = r"\s*[,，;:!?。~～…\n]+\s*"
_HELLO: Final = r"(?:您好|你好|早上好|上午好|中午好|下午好|晚上好|大家好|早安?|好|在吗|在不在|辛苦了?|吉祥)"
_ASKED: Final = r"(?=(?:请|帮|麻烦|劳|烦|想|能|可|给我|替我|我|你|您|咱|在|有))"
_OPENINGS_ZH: Final = (
    # 小李， 王姐好， @小李
    re.compile(rf"@?(?:{PERSON})(?:们|啊|呀|哎)?\s*[,，]?\s*{_HELLO}?{_END}"),
    re.compile(rf"(?:{TITLED})\s*,?\s*(?:{_HELLO}{_END}|[,，!~:\n]\s*{_ASKED})"),
    re.compile(rf"@?(?:{FULL_NAME})\s*,?\s*(?:{_HELLO}{_END}|[,，!~:]\s*(?=请|帮我|帮忙|麻烦|劳驾|你|您|能不能|可以))"),
    re.compile(rf"(?:嗨|哈喽|喂|诶|哎|{_HELLO}){_END}"),
    re.compile(r"(?:不好意思|打扰|冒昧|叨扰)[^,，。!?;:\d\"]{0,8}" + _END),
    re.compile(r"有(?:个|件)?(?:小)?事(?:儿|情)?(?:想)?(?:求|找|麻烦|拜托|请教)?(?:你|您)?(?:帮忙|一下)?" + _END),
)
_OWN_ZH: Final = re.compile(
    rf"(?:我(?:们)?(?:这边)?是|这里是|这边是|我(?=[\u4e00-\u9fff]{{0,5}}(?:科|部|处|店|组|队|室|班|楼|园|厂|院|所|站|"
    rf"司|中心)[小老阿]))"
    rf"[\u4e00-\u9fff]{{0,8}}?的?(?:{PERSON}|{FULL_NAME}){_END}"
)
_GREETED_EN: Final = re.compile(
    r"(?:hi|hello|hey|hiya|dear|(?:good )?(?:morning|afternoon|evening|day)|greetings)(?: there| again| folks)?"
    r"(?P<names>(?:[ ,]+(?:(?:mr|mrs|ms|miss|dr|prof|sir)\.? )?"
    r"(?!(?:i|we|you|can|could|please|would|will|the|a|an|this|it|need|add|insert|make|put|create|draw|write|just|my|"
    r"our|"
    r"quick|sorry|hope)\b)[a-z'’-]+){0,4})\s*(?:[,!:;.]+|\s[-–—]+|\n)\s*",
    re.IGNORECASE,
)
_GREETED_MAX: Final = 4
_CALLED_EN: Final = re.compile(rf"(?P<name>{NAME})\s*(?:[,!:]|\s[-–—]+)\s*(?=\S+ \S+ \S)")
_POLITE_EN: Final = (
    re.compile(
        r"(?:i |we )?(?:do |really )?(?:hope|trust) (?:you|your|this|all|everyone|"
        r"things)\b[^.!?,;:\d\"]{2,50}[.!?,;]+\s*",
        re.IGNORECASE,
    ),
    re.compile(
        r"(?:(?:i['’]?m |i am |so |really |very )*sorry (?:to|for|about) (?:bother|trouble|disturb|chas|bug|"
        r"interrupt|nag|"
        r"ask|the (?:short|late|rush|delay))[^.!?,;:\d\"]{0,40}|(?:how are you|how['’]s (?:it going|life|things))"
        r"[^.!?,;:\d\"]{0,20}|happy \w+day|long time no see)[.!?,;]+\s*",
        re.IGNORECASE,
    ),
    re.compile(
        rf"(?:it['’]s|this is|i['’]m|i am) (?-i:{NAME})(?: (?-i:{NAME}))?(?: here)?"
        r"(?: (?:from|in|at|over in) [^.!?,;:\d\"]{2,30})?[.!,;]+\s*",
        re.IGNORECASE,
    ),
)
# Between other clauses: 汛期快到了，小苗，… / 标书下午就封，小孟你帮个忙：… / 柳姐受累，…
_BETWEEN: Final = re.compile(rf"(?<=[,，。!?;~\n])\s*(?P<who>(?:{PERSON}))[,，]\s*(?=[\u4e00-\u9fff]{{3}})")
_JOINED: Final = re.compile(
    rf"(?:^|(?<=[,，。!?;~\n]))\s*(?P<who>(?:{PERSON})(?:受累|辛苦|费心|劳驾)(?:一下|了|下)?[,，]|"
    rf"(?:{PERSON})(?=帮我|帮忙|给我|替我|麻烦|请帮|请给|请你|请您)|"
    rf"(?:{PERSON})[你您](?!的|和|与|们|家|那))(?:帮个忙|帮帮忙|搭把手|受累|辛苦)?[,，:]?"
)
_ITEM: Final = re.compile(rf"[、,，;；和与及\n]\s*(?:{PERSON})(?=[、,，;:；和与及\s]|(?:做|列|排|整理)成)")
_NEXT: Final = re.compile(r"[^,，。!?;:\n]*")
_MIN_BEFORE: Final = 4


def find_opening(mask: str) -> int:
    """How many characters of a message come before what it says."""
    at = 0
    for _ in range(_GREETED_MAX):
        end = _find_end(mask, at)
        if end <= at:
            return at
        at = end
    return at


def _find_end(mask: str, at: int) -> int:
    for form in _OPENINGS_ZH:
        if (found := form.match(mask, at)) and not _is_list(mask, found.end()):
            return found.end()
    if at and (found := _OWN_ZH.match(mask, at)):
        return found.end()
    if found := _GREETED_EN.match(mask, at):
        return found.end()
    if at == 0 and (found := _CALLED_EN.match(mask)):
        return found.end() if _is_called(found["name"], mask[found.end() :]) else at
    polite = (form.match(mask, at) for form in _POLITE_EN)
    return next((found.end() for found in polite if found), at) if at else at


def _is_list(mask: str, end: int) -> bool:
    """Whether what follows are further people or figures, as in a list of names."""
    following = _NEXT.match(mask, end)
    said = following[0].strip() if following else ""
    return re.fullmatch(PERSON, said) is not None or re.match(r"\d", said) is not None or _ITEM.search(mask) is not None


# A sentence or an order, and no further name of a list.
_SENTENCE_EN: Final = re.compile(
    r"(?:please|could|can|would|will|may|might|insert|add|put|make|create|draw|write|set|give|do|draft|prepare|"
    r"i|we|you|he|she|they|it|this|that|there|here|my|our|your|his|her|their|the|an?|some|every\w*|nobody|no|two|three|"
    r"as|when|if|before|after|since|because|sorry|just|quick|one|what|how|not)\b|"
    r"(?:[a-z]+ ){1,2}(?:is|are|was|were|has|have|had|will|can|keep|keeps|wants?|needs?|asks?|asked|came?|likes?|never|"
    r"always|still|only|starts?)\b|\w+['’]s\b",
    re.IGNORECASE,
)


def _is_called(name: str, following: str) -> bool:
    is_again = re.search(rf"\b{re.escape(name)}\b", following) is not None
    return is_name(name) and not is_again and _SENTENCE_EN.match(following) is not None


def list_called(mask: str) -> list[tuple[int, int]]:
    """Where somebody is called in the midst of a message; none where two are, or behind a colon."""
    if _ITEM.search(_BETWEEN.sub(",", mask, count=1)):
        return []
    colon = mask.find(":") if ":" in mask else len(mask)
    found = [one for form in (_BETWEEN, _JOINED) for one in form.finditer(mask) if one.start("who") <= colon]
    found = [one for one in found if one.start() == 0 or len(_before(mask, one.start())) >= _MIN_BEFORE]
    return [(one.start("who"), one.end()) for one in found] if len(found) == 1 else []


def _before(mask: str, at: int) -> str:
    return re.split(r"[,，。!?;~\n]", mask[:at].rstrip(" ,，。!?;~\n"))[-1].strip()
