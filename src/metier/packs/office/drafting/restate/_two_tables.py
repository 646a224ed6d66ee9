"""Two tables that a request tells apart by order, place or what they are for, each with its names behind it."""

import re
from typing import Final

from metier.packs.office._counts import COUNT
from metier.packs.office._request_text import RequestText
from metier.packs.office.drafting.lists import strip_lead, strip_tail

__all__ = ["restate_two_tables"]

_ITEM: Final = r"[^,，、。;:!?()\[\]/|\n\"\d]{1,14}"
_RUN: Final = re.compile(rf"{_ITEM}(?:[、/|]{_ITEM}){{1,9}}")
_TWO: Final = re.compile(
    r"(?:两|2|二)\s*[个张份]|(?:先|第一|头一|上面|前面?一?|一)[^、/|]*?[个张份][^。]*?(?:再|又|后面|第二|下面|另|然后|接着|还)[^、/|]*?[个张份]|表[一1][^。]*表[二2]|"
    r"表[^。、]{0,3}[（(][^。]*表[^。、]{0,3}[（(]"
)
# Two tables: first Name, Role; then Date, Status.
_IS: Final = r"(?: one| table)?(?: has| with|:|,)?\s+"
_FIRST_THEN: Final = re.compile(
    rf"\b(?:two|2) tables\b[^:.;]{{0,40}}[:.;,]\s*(?:the )?(?:first|one|table one|table 1|table a|[(]?[1aA][.)]){_IS}"
    r"(?P<one>[^:.;()\d]+)[;.,]\s*(?:and )?"
    r"(?:then|(?:the )?second|(?:the )?other|table two|table 2|table b|[(]?[2bB][.)])"
    rf"{_IS}(?P<two>[^:.;()\d]+)\.?\s*$",
    re.IGNORECASE,
)
_LEAD: Final = re.compile(
    r"^.*(?:[个张份](?:[^,，、]{0,4}表格?)?的?(?:列名?|表头|字段)?(?:分别|依次)?(?:是|为|有|放|写|叫|记|列)*|"
    r"(?:列|列名|表头|字段|栏目)(?:分别|依次)?(?:是|为|有|叫|写)+)"
)
_ROWS: Final = re.compile(
    rf"(?<![前后头末第的])(?:各|都|每[个张]|均)?(?:先|再)?(?:留|空|给|放|要|来|共)*({COUNT})\s*(?:个)?(?:空白?)?行(?:就行|即可|吧|空白?行?)?"
)
# Words that may stand around the names of two tables.
_FRAME: Final = re.compile(
    r"请|麻烦|帮我|帮忙|给我|我|你|您|需要|想|要|在|文档|文件|文章|全文|里面?|中|这里|此处|末尾|文末|最后面?|依次|先后|连续|按顺序|先|再|又|后面?|然后|接着|随后|还|另外?|之?下面?|上面?|前面?|紧接着|紧跟着|跟着|它|其|那|这|头|"
    r"插入?|加上?|添加?|放|做|建|来|弄|画|新建|制作|生成|是|为|有|列名?|表头|字段|栏目?|分别|叫|写|用|的|一|两|二|第|个|张|份|表格?|清单|登记|记录|[一二12]|吧|即可|就行|就好|谢谢|[,，。;:()（）\s]"
)
_MORE: Final = re.compile(r"[加添补插留放写]\S{0,2}[一1二两][列栏](?!是|为|有)|(?:一|1|每|首|末|第.)行")
_MAX_REST: Final = 8


# Table one (Item, Qty) and table two (Date, Driver).
_BRACKETED: Final = re.compile(
    r"\btables?\s+(?:one|1|a)\s*\((?P<one>[^():;\d]+)\)[,;]?\s*(?:and |then )?(?:a )?table\s+(?:two|2|b)\s*"
    r"\((?P<two>[^():;\d]+)\)[,.;]?\s*",
    re.IGNORECASE,
)


def restate_two_tables(request: str) -> str:
    """“依次插入两个表格：…” where a request has exactly two lists of names and speaks of two tables."""
    mask = RequestText(request).mask
    if found := _BRACKETED.search(mask):
        first, second = (request[slice(*found.span(name))].strip(" .,") for name in ("one", "two"))
        rest = request[found.end() :].strip()
        tail = f" {rest[:1].upper()}{rest[1:]}" if rest else ""
        return f"{request[: found.start()]}two tables. The first has {first}; the second has {second}.{tail}"
    if found := _FIRST_THEN.search(mask):
        first, second = (request[slice(*found.span(name))].strip(" .,") for name in ("one", "two"))
        return f"{request[: found.start()]}two tables. The first has {first}; the second has {second}."
    if '"' in mask or not _TWO.search(mask) or not re.search(r"表", mask):
        return request
    runs = list(_RUN.finditer(mask))
    if len(runs) != 2:
        return request
    lists: list[list[str]] = []
    rest = mask
    for run in reversed(runs):
        pieces = [one.strip() for one in re.split(r"[、/／|｜]", request[run.start() : run.end()])]
        first = strip_lead(_LEAD.sub("", pieces[0]), pieces[1:])
        last = re.sub(r"的(?:表格?)?$|(?:三|四|两|五|六)(?:列|项|栏)(?:的)?$", "", strip_tail(pieces[-1], pieces[:-1]))
        if not first or not last:
            return request
        lists.insert(0, [first, *pieces[1:-1], last])
        start = run.start() + request[run.start() :].find(first)
        stop = run.end() - len(pieces[-1]) + len(last) if pieces[-1].startswith(last) else run.end()
        rest = f"{rest[:start]}，{rest[stop:]}"
    rows = _ROWS.search(rest)
    rest = rest if rows is None else f"{rest[: rows.start()]}，{rest[rows.end() :]}"
    if re.search(r"[行排]|放在?最?[前后上下]|调换|顺序", rest):
        return request  # more is said of the tables than their names
    others = "".join(_FRAME.sub("", rest).split())
    if _MORE.search(rest) or len(others) > _MAX_REST or re.search(r"\d|不|别|没|最|只|[色粗大小红黄蓝绿灰亮]", others):
        return request
    place = "在文末" if re.search(r"末尾|文末|最后", rest) else ""
    said = "；".join(f"第{at}个表的列为{'、'.join(names)}" for at, names in zip("一二", lists, strict=True))
    return f"{place}依次插入两个表格：{said}。{f'各{rows[1]}行。' if rows else ''}"
