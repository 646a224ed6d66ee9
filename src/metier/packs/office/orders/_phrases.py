"""Ways of saying the same: everyday wordings become the words that the rules know."""

import re
from collections.abc import Callable, Collection, Mapping
from types import MappingProxyType
from typing import Final

from metier.packs.office._request_text import RequestText
from metier.patterns import read_chinese_integer
from metier.textsearch import to_simplified

__all__ = ["lower_places", "repeat_verb", "rephrase", "simplify"]

# What people write, and the word of the grammar for it; only outside of quotations and before a colon.
_ORDINALS: Final = ("fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_ACTIVE: Final[Mapping[str, str]] = MappingProxyType(
    {
        "hidden": "hide",
        "deleted": "delete",
        "removed": "remove",
        "moved": "move",
        "copied": "copy",
        "duplicated": "duplicate",
        "swapped": "swap",
        "merged": "merge",
        "sorted": "sort",
        "frozen": "freeze",
    }
)
_DOING: Final[Mapping[str, str]] = MappingProxyType(
    {
        "setting": "set",
        "putting": "put",
        "making": "make",
        "changing": "change",
        "adding": "add",
        "removing": "remove",
        "deleting": "delete",
        "moving": "move",
        "hiding": "hide",
        "turning": "turn",
        "switching": "switch",
        "sorting": "sort",
        "freezing": "freeze",
        "renaming": "rename",
    }
)


def _write_digits(number: str) -> str:
    value = read_chinese_integer(number)
    return number if value is None else str(value)


_PHRASES: Final[tuple[tuple[str, "str | Callable[[re.Match[str]], str]"], ...]] = (
    (r"列印", "打印"),
    (r"^(?:would|do) you mind (setting|putting|making|changing|adding|removing|deleting|moving|hiding|turning|"
     r"switching|sorting|freezing|renaming)\b",
        lambda found: _DOING[found[1].lower()]),
    # What is to be done in the passive: can slide 5 be hidden, the header needs to be bold.
    (r"^(?:can|could|should|shall) (.+?) be (hidden|deleted|removed|moved|copied|duplicated|swapped|merged|sorted|"
     r"frozen)\b",
        lambda found: f"{_ACTIVE[found[2].lower()]} {found[1]}"),
    (r"^(.+?) (?:(?:has|have|ought) to be|(?:needs?|should|must|wants?) (?:to )?(?:be |get )?)\s?(hidden|deleted|"
    r"removed|moved|"
     r"copied|duplicated|merged|sorted|frozen)\b(?! (?:by|with))",
        lambda found: f"{_ACTIVE[found[2].lower()]} {found[1]}"),
    (r"^(.+?) (?:needs?|has|have|ought) to be (?=bold|italic|cent(?:red|ered)|underlined|red|blue|green|larger|"
     r"bigger|left|right|\d)",
        r"make \1 "),
    (r"^(?:the )?(.+?) (?:should|must|needs to|has to|ought to) (?:come|go|be|stand) (?:at the (?:very )?(?:front|"
     r"top|start|beginning)|(?:the )?(?:very )?first)$",
        r"move \1 to the beginning"),
    (r"^(?:the )?(.+?) (?:should|must|needs to|has to|ought to) (?:come|go|stand) (?=(?:right |directly )?(?:after|"
     r"before|behind)\b)", r"move \1 "),
    (r"\btake (?:the )?(.{2,30}?) (?:line|bullet|point|item) off\b", r"delete the bullet about \1 on"),
    (r"^(?:and )?(?:a |one |one more |another )?new (slide|row|column|paragraph|section)\b", r"add a new \1"),
    (r"\bno (?:cents|pence|pennies)\b|\bwithout (?:cents|pence)\b", "no decimals"),
    (r"(?:写|弄|改|说)?(?:得)?(?:具体|详细|清楚|明确|正式)(?:一?[点些])[,，]\s*(?=改成|改为|换成)", ""),
    (r"\b(do|does|did|is|are|was|wo|ca|should)nt\b", r"\1n't"),
    (r"\bthats\b", "that's"),
    (r"\bits (?=going|a |the |not|too|all|for|due|been|getting)", "it's "),
    (r"\bcol\b", "column"),
    (r"\b(?:w/|w)(?= (?:each|the|a|an|all|every|my|our)\b)", "with"),
    (r"\b1st\b", "first"),
    (r"\b2nd\b", "second"),
    (r"\b3rd\b", "third"),
    (r"\b(4|5|6|7|8|9|10)th\b", lambda found: _ORDINALS[int(found[1]) - 4]),
    (r"(?:大于|小于|超过|高于|低于|少于|多于|不到|不足|不满|满|达到|至少|不超过|"
     r"不低于)(?P<number>[一二两三四五六七八九十百千万]{1,7})(?=的|元|块|以上|及|[,，。]|$)",
        lambda found: found[0].replace(found["number"], _write_digits(found["number"]))),
    (r"(?<![超通经])过(?P<number>[一二两三四五六七八九十百千万]{1,7}|\d[\d,.]*万?)(?=的|元|块|[,，。]|$)",
        lambda found: f"超过{_write_digits(found['number'])}"),
    (r"^\s*(?:都|统一|全部)?(?:改名|更名)(?:叫做?|为|成|做)", "改成"),
    # What is done in the whole text is done there too.
    (r"(?:(?<=[换改替成”」\ufffc])|^)[,，]\s*(?:连|包括)?(?:标题|表格|正文)(?:里|中|上)?的?(?:也|都)(?:要|得|一起|"
     r"一并)*(?:换|改|替换)?[掉了]?(?=$|。)",
        ""),
    (r"(?:的)?(?:名字|名称)?(?:已经|现在)?(?:改|换|更)(?:了)?名(?:字|称)?了?[,，]?\s*(?:现在|新名字?|"
        r"以后)?(?:叫做?|是|为|改成)", "的名称改成"),
    (r"(?:往[后前])?(?:延期?|推迟|推后|顺延|提前|延后|调整|改期)(?:到|至|"
        r"为)(?=\s*[\d“下本明一二三四五六七八九十])", "改成"),
    (r"改叫做?|改称为?|改写成|叫成|更名为", "改成"),
    (r"(?:新来|新增|又来|新进|转来|再?来)(?:了)?(?:一|1)?(?:个|位|名|条|笔)(?:新?的?(?:学生|同学|员工|同事|人|客户|"
        r"记录|报销|订单|费用))(?=\s*(?:[:：,，]|$))", "加一行"),
    (r"每一?[页张](?:的)?([左右])下角", r"每页页脚\1侧"),
    (r"页面(?:的)?([左右])下角", r"页脚\1侧"),
    (r"(?:每一?页|页面)(?:的)?([左右])上角", r"页眉\1侧"),
    (r"(?:印|放|写|打|加|铺)(?:在|到)(?:每一?页|页面|文字|正文|文档)?(?:的)?(?:背景|底层|文字下面)(?:上|里|"
        r"中)?", "做水印"),
    (r"(?:应该|应当|本应|理应|實際)(?:就)?(?:是|写成?|叫|为|改成)|应为|应是(?!否)", "改成"),
    (r"(?:改|换|更新|变)(?:一下|了|掉)?[,，]\s*(?:现在|新的?|改后|最新)?的?(?:号码|名字|名称|地址)?(?:是|为|叫|"
        r"改成)", "改成"),
    (r"(?<![A-Za-z])(?:搞|整|做|转|写|打|印|换|调)成", "改成"),
    (r"换做|换作|改做|改作|更换为|更换成|更改成|变更为|替换成|替成|顶替成", "改成"),
    (r"(?:横着|横过来|打横)(?:打印?|印|放|排|来)?|打印?成横(?:向|版)?的?|打印方向(?:改|设|调)?(?:成|"
        r"为)?横向?", "横向打印"),
    (r"(?:竖着|竖过来)(?:打印?|印|放|排|来)?|打印?成(?:竖|纵)(?:向|版)?的?|打印方向(?:改|设|调)?(?:成|"
        r"为)?[纵竖]向?", "纵向打印"),
    (r"(?:每一?页|页面?|纸)(?:的)?(?:底下|最下面|最下边|下端|底端|底)(?![部下纹色])|页底(?!部)|页尾", "每页底部"),
    (r"(?:每一?页|页面?)(?:的)?(?:上面|顶上|最上面|最上边|上端)|页顶(?!部)", "页面顶部"),
    (r"(?:单独)?(?:挑|选|找|筛|拎|调)出来(?:看|瞧瞧|一下|给我)*", "筛选出来"),
    (r"(?:划|画)掉", "删掉"),
    (r"(?:数据)?去(?:一?[下个])?重(?!要|新|量|点|点)(?:复)?(?:的?(?:行|数据|记录))?|查重删除", "删除重复行"),
    (r"(?<=重复行)(?:之|以)?后(?=按|再|给)", "，"),
    (r"砍掉|(?:撤|拿|清|抹|剔)(?:掉|了|走|除)(?!.{0,3}底色)", "删掉"),
    (r"(?:不用|不必|无需|没必要)(?:再)?(?:要|有|留|写|放)?了(?=$|[,，。])", "不要了"),
    (r"倒过来排|从后往前排|反过来排", "倒序排序"),
    (r"(?<!图)排个?名(?:次)?(?!次)", "排名次"),
    (r"(?:涂|刷|染|填|标|弄|搞)(?:成|上|个)?(红|黄|绿|蓝|橙|灰)(?!色)(?![底色])", r"标\1色"),
    (r"突出(?:一下|显示)?(?=$|[,，。])|标出来(?=$|[,，。])", "突出显示"),
    (r"\b(?:scrap|ditch|kill off|kill|throw out|throw away|cut out|leave out|take away)\b", "delete"),
    (r"\b(?:there(?:'s| is| are) (?:a )?(?:typos?|mistakes?|errors?)(?: in (?:it|here|there))?)\s*[,:;-]\s*", ""),
    (r"\bshould (?:actually |really |just |now |have been |instead )*(?:be|read|say)\b", "should be"),
    (r"\bswap out\b", "replace"),
    (r"\b(?:swap|switch|change|replace) (?:the |all (?:the )?)?fonts? (?:for|over to|with|by) ", "change the font to "),
    (r"\bswitch (?:it |this |the (?:document|doc|file|paper|page) )*(?:over )?to (?=(?:us )?letter\b|"
     r"a[345]\b)", "set the paper to "),
    (r"(?<=[列行页段栏])(?:的?(?:数据|格式|写法))?(?:现在|都|有点|太|真是?|实在)*(?:乱七八糟|五花八门|乱糟糟|"
     r"不统一|乱)(?:的|了)*[,，]\s*(?=统一|改成|换成|都)", ""),
    (r"\b(?:on|at|along) (?:the )?top of (?:each|every|all|the)(?: the)? pages?\b", "in the header"),
    (r"\b(?:on|at|along) (?:the )?bottom of (?:each|every|all|the)(?: the)? pages?\b", "in the footer"),
    (r"\bbelow\b", "under"),
    (r"\bcolour", "color"),
    (r"\b(?:for now|for the moment|for the time being|while you(?:'| a)re at it|if (?:possible|you can)|"
        r"somehow)\b", ""),
)  # fmt: skip
_COMPILED: Final = tuple((re.compile(pattern, re.IGNORECASE), new) for pattern, new in _PHRASES)


# A colon after what is wrong announces the right value, not a text to write.
_WRONG: Final = re.compile(
    r"^([^“\"「:：]{2,40}(?:错了?|不对|有误|\b(?:is|are|was|were) (?:wrong|incorrect|outdated|off|not "
    r"right)))\s*[:：]\s*",
    re.IGNORECASE,
)


_ABOUT: Final = re.compile(r"^(?:conditional format(?:ting)?|条件格式|格式|修改|改动|要求)\s*[:：]\s*", re.IGNORECASE)


def rephrase(message: str) -> str:
    """The order in the words of the grammar; texts in quotes and after a colon stay as they are written."""
    message = _ABOUT.sub("", _WRONG.sub(r"\1, ", message))

    def _say(part: str) -> str:
        for pattern, new in _COMPILED:
            part = pattern.sub(new, part)
        return part

    return _outside_quotes(message, _say)


def _outside_quotes(message: str, change: Callable[[str], str]) -> str:
    mask = RequestText(message).mask
    limit = mask.find(":") if ":" in mask else len(mask)
    made, start = [], 0
    for found in re.finditer('"\ue000+"', mask[:limit]):
        made += [change(message[start : found.start()]), message[found.start() : found.end()]]
        start = found.end()
    return "".join([*made, change(message[start:limit]), message[limit:]])


def simplify(message: str, texts: Collection[str]) -> str:
    """The order in simplified characters; quotations too if the document writes what they quote so."""
    plain = to_simplified(message)
    if "欄" in message:  # where columns are 欄, rows are 列
        plain = re.sub(r"(?<![排系陈罗并条])列(?![出表印])", "行", plain).replace("栏", "列")
    if plain == message or len(plain) != len(message):
        return message
    request = RequestText(message)
    for one in request.quotes:
        simple = to_simplified(one.text)
        if simple != one.text and not _occurs(one.text, texts) and _occurs(simple, texts):
            return plain
    mask = request.mask
    limit = mask.find(":") if ":" in mask else len(mask)
    return "".join(
        new if at < limit and not "\ue000" <= mask[at] <= "\uf8ff" else old
        for at, (old, new) in enumerate(zip(message, plain, strict=True))
    )


def _occurs(words: str, texts: Collection[str]) -> bool:
    return any(words in one for one in texts)


_PAIRS: Final = re.compile(
    r"^(?P<verb>change|replace|rename)\b.+? (?P<to>to|with) .+?(?:,| and|, and) "
    r"(?P<old>(?:[^,]|(?<=\d),(?=\d{3})){1,40}?) (?P=to) \S",
    re.IGNORECASE,
)


_PLACE_FIRST: Final = re.compile(
    r"(?:^|(?<=[.;!?,]\s))\s*(?:After|Before|Above|Below|Under|Underneath|Beneath|Behind|Beside|Following|Right|Left|Next)\b"
)


def lower_places(message: str) -> str:
    """The message with a place at the start of a sentence in small letters: rules compare it with after and before."""
    spans = [one.span() for one in _PLACE_FIRST.finditer(RequestText(message).mask)]
    for start, end in reversed(spans):
        message = f"{message[:start]}{message[start:end].lower()}{message[end:]}"
    return message


def repeat_verb(said: str, texts: list[str]) -> str:
    """`Change A to B and C to D` as two orders, if the document has C."""
    found = _PAIRS.match(RequestText(said).mask)
    if found is None:
        return said
    old = said[found.start("old") : found.end("old")]
    bare = re.sub(r"^(?:the|our|my|its)\s+", "", old, flags=re.IGNORECASE)
    if not any(re.search(rf"(?<!\w){re.escape(bare)}(?!\w)", one, re.IGNORECASE) for one in texts):
        return said
    at = found.start("old")
    return f"{said[:at]}{found['verb'].lower()} {_repeat_verb_after(said[at:], found['verb'], texts)}"


def _repeat_verb_after(rest: str, verb: str, texts: list[str]) -> str:
    """The rest of an order with the verb before each further pair."""
    return repeat_verb(f"{verb} {rest}", texts)[len(verb) + 1 :]
