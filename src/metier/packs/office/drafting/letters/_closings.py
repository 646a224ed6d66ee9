"""How a message ends after all is said: 拜托了，改天请你吃饭。行政部小王 / Thanks a lot! – Tom"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from metier.packs.office.drafting._asides import asks, names_look
from metier.packs.office.drafting.letters._people import FULL_NAME, PERSON, TITLED, is_name

__all__ = ["find_closing"]

_EDGES: Final = " \t\n,，。.;；!！~～…?？"
_THANKS_ZH: Final = re.compile(
    rf"(?:先|就|那就|在此|提前|万分|十分|非常|真是|太|再次|实在|我|我们|咱|替[\u4e00-\u9fff]{{1,5}}?){{0,3}}"
    r"(?:(?:谢谢|多谢|感谢|拜托){1,2}|感激|谢(?=[了啦过您你])|辛苦|麻烦|有劳|劳驾|费心|受累|打扰|叨扰|不好意思|抱歉|"
    r"爱你|比心|笔芯|么么哒|3q|thx|thanks|thank you)"
    rf"(?:了|啦|你|您|们|各位|大家|大伙|啊|哈|哦|哟|呀|咯|喽|一下|不尽|帮忙|支持|配合|理解|体谅|关照)*(?:{PERSON}|"
    rf"{TITLED})?",
    re.IGNORECASE,
)
_WISHES_ZH: Final = re.compile(
    r"(?:回头|改天|下次|改日|有空|周末|到时候?|事成|完事|弄完|做完|好了|之后|晚上|明天|过后|中午|下班){0,2}(?:我们?|"
    r"咱们?)?(?:一定|再|就|来|单独|好好)?"
    r"请(?:你|您|大家|各位|大伙)[^,，。;!?:\d\"]{0,3}(?:吃|喝|撸)[^,，。;!?:\d\"]{1,8}|"
    r"(?:回头|改天|下次|改日|有空|周末|完事|弄完|做完|明天|明早|晚上)(?:我|咱们?|我们)?(?:一起|给(?:你|您|大家|各位)(?:带|买|捎|点))(?:吃|喝|杯|份|个)?"
    r"(?:饭|奶茶|咖啡|火锅|烧烤|水果|早餐|早饭|午饭|宵夜|饮料|酒|茶|好吃的|零食)|"
    r"(?:回头|改天|下次|改日|有空|到时)(?:再|还)?(?:向)?(?:请教|找|麻烦|拜访|感谢)(?:你|您)(?:别的|其他的?|其它的?|"
    r"玩|聊|喝茶|一次|哈|啦)?|"
    r"(?:静候|坐等|等)(?:你|您)?的?(?:佳音|好消息|回复|回音|消息|大作)|盼复|望复|此致|敬礼|此致敬礼|"
    r"顺[颂祝][\u4e00-\u9fff]{2,4}|即颂[\u4e00-\u9fff]{2}|"
    r"祝(?:好|安|您|你|大家|各位|工作|生活|周末|一切|身体)[\u4e00-\u9fff]{0,8}|在线等|急+|回见|再见|拜拜|明天见|"
    r"爱你们?|加油|"
    r"(?:好吗|行吗|可以吗|行不行|好不好|成吗|行不|好不|可否|能行吗)"
)
_NAMED_ZH: Final = re.compile(
    rf"(?:[—–-]+\s*)?(?:[\u4e00-\u9fff]{{1,8}}?(?:部|科|处|室|组|队|班|中心|办|店|院|所|局|公司|"
    rf"学校))?的?(?:{PERSON}|{FULL_NAME})"
    r"(?:\s*\d{1,2}月\d{1,2}[日号])?"
)
_VERY: Final = (
    r"(?: (?:a (?:lot|bunch|million|ton)|so much|very much|ever so much|indeed|again|in advance|loads|heaps|"
    r"kindly)){0,2}"
    r"(?: (?:everyone|all|both|mate|love))?(?: for (?:your|the|all|any|this|doing|helping)(?: \w+){0,4})?"
)
_THANKS_EN: Final = re.compile(
    rf"(?:and |but )?(?:with )?(?:(?:many|much|big|huge|warm) )?(?:thanks|thank you|thx|ta|cheers){_VERY}|"
    r"(?:it (?:is|would be) |that would be )?(?:very |really |much |greatly )*appreciated|(?:i )?(?:really |"
    r"do )*appreciate "
    r"(?:it|this|that|your help)|"
    r"i (?:owe|['’]ll owe) you(?: (?:one|big|a \w+|for \w+))*|(?:you['’]re|you are) (?:a |an |the )?"
    r"(?:star|lifesaver|legend|gem|angel|hero|best|treasure|wonder|saint|champ)|bless you|"
    r"(?:talk|speak|see you|catch up|chat) (?:soon|later|tomorrow|then|monday|on \w+day)|"
    r"have a (?:good|nice|great|lovely) (?:\w+ )?(?:day|one|weekend|evening|week|morning|afternoon)|"
    r"(?:would|could|will|can) you|if you (?:could|would|can|don['’]t mind|wouldn['’]t mind)|if (?:that['’]s|"
    r"it['’]s) (?:ok|okay|"
    r"alright|all right|possible)|(?:no rush|no hurry|take your time|fingers crossed|looking forward to (?:it|"
    r"seeing it))",
    re.IGNORECASE,
)
# They end a letter only where a name follows.
_REGARDS_EN: Final = re.compile(
    r"(?:(?:(?:kind|best|warm|warmest|kindest|many) )?regards|(?:with )?(?:best|warm|all good) wishes|best|"
    r"all the best|"
    r"yours(?: (?:sincerely|faithfully|truly|ever))?|sincerely(?: yours)?|respectfully|warmly|cheers|thanks|love|"
    r"take care|rgds)",
    re.IGNORECASE,
)
_ROLE_EN: Final = re.compile(r"[A-Z][A-Za-z&'-]+(?: (?:of |and |& )?[A-Z][A-Za-z&'-]+){0,3}")
_CLAUSE_START: Final = re.compile(r"[,，。;；!！~～?？\n\"]|\.(?=\s)|\s[-–—]+\s|——")
_SENTENCE_START: Final = re.compile(r"[。!！?？\n]|\.(?=\s)")
_MAX_PARTS: Final = 6
_MAX_NAMES: Final = 2
_MAX_WORDS: Final = 3
_SHORT: Final = 4


@dataclass(frozen=True, slots=True)
class _Part:
    """One of the last clauses of a message."""

    start: int
    text: str


def find_closing(mask: str) -> int:
    """Where the end of a message begins that says nothing of the order: thanks, wishes and signatures."""
    parts = list(islice(_list_parts(mask), _MAX_PARTS))
    names = _count_names(parts)
    count = names
    while count < len(parts) and _is_courtesy(parts[count].text, is_signed=count == names > 0):
        count += 1
    if count == names or _is_listed(mask, parts[count - 1]):
        return _find_dashed(mask)
    return parts[count - 1].start


def _list_parts(mask: str) -> Iterator[_Part]:
    """The clauses of a message from its end; not the first."""
    end = len(mask)
    while True:
        stop = len(mask[:end].rstrip(_EDGES))
        cuts = [one.end() for one in _CLAUSE_START.finditer(mask, 0, stop)]
        if not cuts:
            return
        end = cuts[-1]
        if text := mask[end:stop].strip():
            yield _Part(end, text)
        end -= 1


def _count_names(parts: Sequence[_Part]) -> int:
    """How many of the last clauses are a signature: a name, or a name and what somebody is."""
    if not parts or _is_courtesy(parts[0].text, is_signed=False):
        return 0
    if is_signature(parts[0].text):
        return 1
    is_role = len(parts) > 1 and _ROLE_EN.fullmatch(parts[0].text) is not None and not asks(parts[0].text)
    return _MAX_NAMES if is_role and is_signature(parts[1].text) else 0


def _is_courtesy(text: str, *, is_signed: bool) -> bool:
    forms = (_THANKS_ZH, _WISHES_ZH, _THANKS_EN, *([_REGARDS_EN] if is_signed else []))
    return any(form.fullmatch(text) for form in forms)


def _is_listed(mask: str, part: _Part) -> bool:
    """Whether thanks are one of several short texts behind a colon: 你好，欢迎，谢谢."""
    before = _SENTENCE_START.split(f"{mask[: part.start]} ")[-1].rstrip(" ,，")
    last = re.split(r"[,，:：]", before)[-1].strip()
    size = len(last) if re.search(r"[\u4e00-\u9fff]", last) else 2 * len(last.split())
    return 0 < size <= _SHORT and ":" in before


def is_signature(part: str) -> bool:
    """Whether a clause is the name of somebody, with the department at most."""
    if re.search(r"[\u4e00-\u9fff]", part):
        bare = re.sub(r"[\d月日号—–-]", "", part)
        return _NAMED_ZH.fullmatch(part) is not None and not names_look(bare) and not asks(bare)
    words = part.split()
    return 0 < len(words) <= _MAX_WORDS and all(is_name(word) for word in words)


_DASHED: Final = re.compile(r"[.!?。\"](?P<sign>\s*(?:[-–—]{1,2}|\n)\s*(?P<name>[^-–—,.!?。:\n\"]{2,24})[.。]?\s*)$")


def _find_dashed(mask: str) -> int:
    """A name behind a dash or on a line of its own, after the last sentence."""
    found = _DASHED.search(mask)
    return found.start("sign") if found and is_signature(found["name"].strip()) else len(mask)
