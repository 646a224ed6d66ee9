"""Whether a plan says what the request says: every quotation, name and number of it, and nothing with other words."""

import re
from collections.abc import Sequence
from typing import Final

from metier.json_values import JsonObject
from metier.packs.office._counts import COUNT, read_count
from metier.packs.office._request_text import RequestText, find_spans
from metier.packs.office.drafting._plan_texts import list_lines, list_tables, list_texts, strip_mark
from metier.packs.office.drafting._slots import DraftPlace, strip_bold_header
from metier.packs.office.drafting._unclear import Unclear
from metier.packs.office.drafting.comparison.omissions._inexact import find_inexact, find_talk_in_list
from metier.packs.office.drafting.lists import is_marked_off

__all__ = ["check_fields", "check_fit", "find_lost_header", "has_quotes_and_weight"]

_BOLD: Final = re.compile(r"加粗|粗体|粗字|粗一?[点些]|\bbold\b", re.IGNORECASE)
_START: Final = re.compile(
    r"(?:文档|文章|文件|全文)?的?(?:最?开头|文首|篇首|最前面)(?!的)|"
    r"\b(?:top|beginning|start|front|head) of (?:the|this|my|our) (?:document|doc|file|page|text|report|paper)\b",
    re.IGNORECASE,
)
_ONLY_HEADER: Final = re.compile(
    r"(?:只|仅|光|单)[^,，。;:]{0,4}(?:表头|标题行)|就[^,，。;:]{0,3}(?:一|1)行(?:表头|标题)|(?:就|只|仅)(?:有|要|留|给)?(?:一|1)行(?=[,，。;])|"
    r"\b(?:only|just|solely|nothing but|"
    r"nothing except)\b[^.;:,]{0,16}\b(?:header|heading (?:row|line))",
    re.IGNORECASE,
)
# A title that follows its word at once.
_TITLED: Final = re.compile(
    r"(?:(?<=[,，。;:\n\s])|^)(?:图表?|主|大)?标题(?P<name>(?![行栏页为是叫写用要居放和、下里上在做艺字格层级也请就都:]|加粗|粗|统一|文字)"
    r"[^,，、。;:!?()\[\]/|\n\"\s]{2,16})(?=[,，。;\n]|\s|$)"
)
# A title behind its word and a remark in brackets: 标题（艺术字）：研发周报.
_TITLED_BESIDE: Final = re.compile(
    r"(?:标题|题目|\b(?:title|heading))\s*[(（\[][^()（）\[\]\n]{1,20}[)）\]]\s*(?:[:：]|为|是|\bis\b)?\s*[“\"「]?"
    r"(?P<name>[^,，。;；:：“”\"「」\n]{2,40})",
    re.IGNORECASE,
)
# An order for a title alone: 插入标题：会议纪要 asks for no minutes.
_TITLE_ALONE: Final = re.compile(
    r"[^,，。;；:：\n]{0,16}(?:标题|题目|艺术字|\btitle|\bheading|\bword ?art)\s*"
    r"(?:[(（][^()（）\n]{1,20}[)）])?\s*[:：]\s*(?P<name>[^,，。;；:：\n]{2,40})[。.]?",
    re.IGNORECASE,
)
# A field for a note, and fields that were taken for a text of the plan.
_NOTED: Final = re.compile(
    r"(?:(?<=[,，。;\n])|^)\s*(?:备注|附注|(?i:notes?|remarks?))\s*[:=]\s*(?P<name>[^,，。;:\n\"]{2,40})(?=[,，。;\n]|$)"
)
_FIELD: Final = re.compile(
    r"(?:标题|题目|(?i:title))\s*[:：=＝].+|(?:要点|内容|条目|副标题|(?i:points|bullets|content|subtitle))\s*[=＝].+"
)
_TITLED_APART: Final = re.compile(
    r"(?:(?<=[,，。;:\n])|^)\s*(?:图表?|主|大)?标题 +"
    r"(?P<name>[^\s,，。;:\n\"为是用要][^,，。;:\n\"()]{1,40})(?=[,，。;\n]|$)"
)
# A title in English at its word, before a name that begins with a capital letter.
_TITLED_EN: Final = re.compile(
    r"(?:(?<=[,;.:] )|^)(?:(?:and|chart|slide) )?(?i:title)\s*[:=]?\s+"
    r"(?P<name>[A-Z][A-Za-z'’-]*(?: [A-Za-z'’-]+){0,6})(?=\s*(?:[,;.]|$))"
)
_ROW_MORE: Final = re.compile(
    r"(?:再|还|另|外加|下面|底下)[^,，。;:、]{0,4}(?:一|1)\s*个?空?行|"
    r"\b(?:plus|and) (?:one|an?) (?:empty |blank )+(?:row|line)\b",
    re.IGNORECASE,
)
_SIGN: Final = re.compile(r"[、,，。;:/|\n()\[\]]|——|→|\.(?=\s|$)")
_LOOKS: Final = re.compile(
    r"居中|对齐|横向(?!按周)|纵向|竖向|[红蓝绿黄橙紫]色|字体|(?<!大)字号|[红蓝绿黄橙紫灰黑白深浅][色]?底(?!片|线|盘|座|价|牌|部)|"
    r"[红蓝绿黄橙紫白]字(?=$|[,，。;:、]|的)|(?:方块|圆点|菱形|箭头|星号)(?:符号|标记|编号)?(?=$|[,，。;:、]|当|做|作)|"
    r"字(?:要|再|得)?(?:大|小|粗)一?[点些]|边框|底纹|合并|排版|发给|发送|签名|签字的?地方|"
    r"署名|落款|(?:再|另外?|还)(?:要|得|加|添|补|插|有)+(?:上)?一?[列行栏段](?!表|的)|"
    r"\b(?:e-?mail|landscape|portrait|cent(?:red|ered)|borders?|signature|in two languages|bilingual|"
    r"in (?:italics?|(?:small|smaller|tiny) (?:type|letters|print|text|font))|"
    r"(?:should|must) be (?:red|blue|green|bold|bigger|larger|smaller)|"
    r"(?:plus|and|also|add)(?: add| include| put)? (?:a|an|another|one more) (?!difference|variance|total)"
    r"(?:\w+ )?(?:column|paragraph)(?! chart| graph))\b",
    re.IGNORECASE,
)
_HEADER: Final = re.compile(r"表头|标题行|\bheaders?\b", re.IGNORECASE)
_NO_HEADER: Final = re.compile(
    r"(?:不要|不用|没有|无|不带|不需要|别要|不设)(?:任何)?(?:表头|标题行)|\b(?:no|without(?: an?)?) headers?\b",
    re.IGNORECASE,
)
_MIN_ENGLISH: Final = 4
_MIN_SENTENCE: Final = 5
# Names in English that are of the world and not of the table, and words for what is made.
_PROPER: Final = re.compile(
    r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?|January|February|March|April|June|July|August|September|October|"
    r"November|December|Word(?:Art)?|Excel|PowerPoint|Gantt|English|Chinese|Thanks?|Please|"
    r"(?:[A-Z][a-z]+ ){0,2}(?:and |or )?(?:asked|wants?|needs?|said|says|told|is|was|will|has|keeps?|likes?)\b"
)
# A short name alone between two signs of a list or a bracket.
_PART: Final = re.compile(r"(?:(?<=[:→、/|+])|(?<=->))\s*([\u4e00-\u9fff]{2,6})\s*(?=[(→、/|+]|->)")
_TOTAL_WORD: Final = r"^(?:合计|总计|总价)$"
_TALK: Final = re.compile(
    r"(?:就|都|这|那|还|也|请|再|先|只|别|不要|不用|全部?|均|以上|麻烦|谢谢|辛苦|大概|差不多).{1,6}|.{1,5}(?:了|吧|呢|啊|哦|呀|就行|即可|就好)|"
    r"(?i:that(?:'|’)?s? .{1,12}|thanks.*|please.*|(?:and )?(?:nothing|no) more.*)"
)
# What is said of a name, a count alone, and the word for what follows: no item.
_NO_ITEM: Final = re.compile(
    r"[这那](?:几|[一两二三四五六七八]\s*)个字.*|.+(?:做成|弄成|排成|当(?:作|成|做)|[当做]标题|作为标题).*|一[份个张篇页]|(?:主要|具体|正文)?内容|(?i:numbered|bulleted)|"
    r"(?:条目|列项|要点|内容|项目|标题|题目|(?i:items|entries|points|bullets|title|heading|columns|rows))\s*[:：=].+"
)
_CHAIN: Final = re.compile(r"[^,，、。;:!?()\[\]\n]+(?:、[^,，、。;:!?()\[\]\n]+){2,}")
_LEVELS: Final = re.compile(r"[一二三四五1-5][级层].*|第?[一二三四五\d]+")
_SIZES: Final = re.compile(
    rf"(?<![第占各每后末头首这那同少于\d.])({COUNT})[\s-]*(?:个|张|(?:empty|blank|free|spare) )?(?:空白?)?"
    r"(行|列|栏目?|条|项|块|部分|样|句|章|级|层|周(?![一二三四五六日天末])|页|格|点(?!\d)|points?\b|bullets?\b|lines?\b|entries\b|items\b|rows?\b|columns?\b|"
    r"levels?\b|weeks?\b|parts?\b|sections?\b|tasks?\b|sentences?\b|tables?\b)",
    re.IGNORECASE,
)


def check_fit(request: RequestText, actions: Sequence[JsonObject], place: DraftPlace, reworded: str = "") -> None:
    """Raise `Unclear` with the part of the request that the plan does not have, or has with other words.

    `reworded` is the request as the rules read it: no name may be taken from words that only stand there.
    """
    texts = list_texts(actions)
    joined = "\n".join(texts).lower()
    sheets = "\n".join(str(one.get("sheet_name") or "") for one in actions).lower()
    for quote in request.quotes:
        words = quote.text.lower().split()
        if quote.text != place.anchor and not all(word in joined or word in sheets for word in words):
            raise Unclear("not_understood", part=quote.text)
    if open_part := find_inexact(request.mask, texts):
        raise Unclear("not_understood", part=open_part)
    if (found := _BOLD.search(strip_bold_header(request.mask))) and not _is_bold(actions):
        raise Unclear("not_understood", part=found[0])
    if (found := _START.search(request.mask)) and place.kind not in ("start", "anchor"):
        raise Unclear("not_understood", part=found[0])
    _check_header(request, actions)
    titled = (
        *_TITLED.finditer(request.mask),
        *_TITLED_EN.finditer(request.mask),
        *_TITLED_APART.finditer(request.mask),
        *_NOTED.finditer(request.mask),
    )
    for found in (*titled, *_TITLED_BESIDE.finditer(request.raw)):
        if found["name"].strip(" 。.").lower() not in joined:
            raise Unclear("not_understood", part=found[0].strip())
    _check_title_alone(request, actions)
    _check_looks(request, texts)
    _check_script(request, joined)
    _check_parts(request, joined)
    _check_items(request, actions)
    _check_names(request, texts)
    _check_words(request, reworded, texts)
    _check_sizes(request, actions)


def _check_header(request: RequestText, actions: Sequence[JsonObject]) -> None:
    """A table that is to have only a header has no other row, and one without names passes over no header."""
    tables = list_tables(actions)
    if (found := _ONLY_HEADER.search(request.mask)) and any(len(table) > 1 for table in tables):
        raise Unclear("not_understood", part=found[0])
    if tables and all(len(table) == 1 for table in tables) and (found := _ROW_MORE.search(request.mask)):
        raise Unclear("not_understood", part=found[0])
    if part := find_lost_header(request, actions):
        raise Unclear("not_understood", part=part)


def find_lost_header(request: RequestText, actions: Sequence[JsonObject]) -> str:
    """The word for a header, where a table without names has none and the request does not refuse it; else empty."""
    is_bare = any(one.get("op") == "insert_table" and not one.get("data") for one in actions)
    found = _HEADER.search(request.mask) if is_bare and not _NO_HEADER.search(request.mask) else None
    return found[0] if found else ""


def has_quotes_and_weight(request: RequestText, actions: Sequence[JsonObject]) -> bool:
    """Whether a plan has every quotation of the request, in bold type where that is asked for."""
    joined = "\n".join(list_texts(actions))
    return not (_BOLD.search(request.mask) and not _is_bold(actions)) and all(
        one.text in joined for one in request.quotes
    )


def check_fields(actions: Sequence[JsonObject]) -> None:
    """Raise `Unclear` for a text of the plan that is a field with its word: 标题=目标；要点=快."""
    for text in list_texts(actions):
        if _FIELD.fullmatch(text):
            raise Unclear("not_understood", part=text)


def _check_words(request: RequestText, reworded: str, texts: Sequence[str]) -> None:
    """Names that stand in the reworded request and not in the user's were written with other words than theirs."""
    said, read = _join_words(request.raw), _join_words(reworded)
    for text in texts:
        name = _join_words(text.strip(" 。.：:"))
        if name and name in read and name not in said:
            raise Unclear("not_understood", part=text)


def _join_words(text: str) -> str:
    return "".join(text.split()).lower()


def _check_script(request: RequestText, joined: str) -> None:
    """Chinese words in an English request are names: each must stand in the plan."""
    if len(re.findall(r"[A-Za-z]+", request.mask)) < _MIN_ENGLISH or re.search(r"[，。、；]", request.raw):
        return
    for found in re.finditer(r"[\u4e00-\u9fff]+", request.mask):
        if found[0].lower() not in joined and not re.search(_TOTAL_WORD, found[0]):
            raise Unclear("not_understood", part=found[0])


def _check_parts(request: RequestText, joined: str) -> None:
    """Names with a capital letter inside an English sentence, and names between the signs of a list, are written."""
    words = re.findall(r"[A-Za-z]+", request.mask)
    if len(words) >= _MIN_ENGLISH and not re.search(r"[，。、；]", request.raw):
        for found in re.finditer(
            r"(?<=[a-z,] )(?!The|This|That|Then|And|But|Can|Could|Would|With|Make|Add|Put|(?<=, )For)[A-Z][a-z]{2,}\b",
            request.mask,
        ):
            if found[0].lower() not in joined and not _PROPER.match(request.mask, found.start()):
                raise Unclear("not_understood", part=found[0])
    colon = request.mask.find(":")
    for found in _PART.finditer(request.mask, colon + 1 if colon >= 0 else len(request.mask)):
        if not any(len(line) > 1 and line in found[1] for line in joined.splitlines()) and found[1] not in joined:
            raise Unclear("not_understood", part=found[1])


def _check_items(request: RequestText, actions: Sequence[JsonObject]) -> None:
    """A short clause that begins as talk does is no item, whatever stands beside it."""
    for action in actions:
        lines = list_lines(action)
        talk = find_talk_in_list(lines) if lines else ""
        if talk and talk in request.mask:
            raise Unclear("not_understood", part=talk)
        for line in lines:
            item = strip_mark(line)
            is_talk = _TALK.fullmatch(item) and f"、{item}、" not in request.mask
            if re.search(r"[^、，]，[^，]{2,}$", item) and f"、{item}" in request.mask:
                raise Unclear("not_understood", part=item.rpartition("，")[2])  # no part of the last item
            is_marked = is_marked_off(item, request.raw)
            is_said = item in request.mask or item.lower() in request.mask
            if (is_talk or _NO_ITEM.fullmatch(item)) and is_said and not is_marked:
                raise Unclear("not_understood", part=item)


def _check_looks(request: RequestText, texts: Sequence[str]) -> None:
    """A look, a part more or a message to somebody is no part of a plan, unless the word stands in a name of it."""
    known = {one.lower() for one in texts}
    for found in _LOOKS.finditer(strip_bold_header(request.mask)):
        start = max((one.end() for one in _SIGN.finditer(request.mask, 0, found.start())), default=0)
        end = _SIGN.search(request.mask, found.end())
        piece = request.raw[start : end.start() if end else len(request.raw)].strip(" 。.").lower()
        is_name = len(piece.split()) <= 2 and not re.match(r"不|无|要|字|再|without", piece)
        after = request.raw[found.end() : end.start() if end else len(request.raw)].strip(' 。.，,"“”「」').lower()
        if after and after in known and request.raw.lower().count(after) == 1:
            continue  # 再加一列说明, where the plan has the column
        if piece not in known or not is_name:
            raise Unclear("unsupported", part=piece)


def _check_names(request: RequestText, texts: Sequence[str]) -> None:
    """Each name of a list must stand in the plan as it is; the first may have words before it, the last after it."""
    known = {one.lower().strip(" 。.：:") for one in texts}
    for chain in _CHAIN.finditer(request.mask):
        pieces, at = [], chain.start()
        for piece in chain[0].split("、"):
            pieces.append(request.raw[at : at + len(piece)].strip(" \"“”「」'").rstrip(".").lower())
            at += len(piece) + 1
        if all(_LEVELS.fullmatch(one) for one in pieces[1:-1]):
            continue
        for number, piece in enumerate(pieces):
            if not _is_known(piece, known, is_first=number == 0, is_last=number == len(pieces) - 1):
                raise Unclear("not_understood", part=piece)


def _is_known(piece: str, known: set[str], *, is_first: bool, is_last: bool) -> bool:
    if piece in known or (is_first and any(one and piece.endswith(one) for one in known)):
        return True
    if is_last and any(one and piece.startswith(one) for one in known):
        return True
    if number := re.search(r"\d[\d,.]*", piece):
        return any(number[0].replace(",", "") in one.replace(",", "") for one in known)
    return any(piece in one for one in known) or any(
        piece.startswith(one) and piece[len(one) :].strip(" :：") in known for one in known if one
    )


def _check_sizes(request: RequestText, actions: Sequence[JsonObject]) -> None:
    """Counts of rows, columns, levels and weeks must be counts of the plan."""
    counts = {1}
    tables = list_tables(actions)
    rows_fit = {size for table in tables for size in (len(table), len(table) - 1, len(table) - 2)}
    rows_fit |= {rows for one in actions if isinstance(rows := one.get("rows"), int)}
    for table in tables:
        rows, columns = len(table), max((len(row) for row in table), default=0)
        counts |= {rows, rows - 1, rows - 2, columns, columns - 1}
    for action in actions:
        rows_said, columns_said = action.get("rows"), action.get("cols")
        counts |= {one for one in (rows_said, columns_said) if isinstance(one, int)}
        lines = list_lines(action)
        counts.add(len(lines))
    headings = [re.match(r"#+", str(one.get("text", ""))) for one in actions]
    levels = {len(one[0]) for one in headings if one}
    counts |= {
        len(levels),
        len([one for one in headings if one]),
        sum(one.get("op") == "insert_table" for one in actions),
    }
    written = [one for one in actions if str(one.get("text") or "").strip()]
    counts |= {len(written), len(written) - 1, len(written) - 2}
    texts = list_texts(actions)
    sentences = [one for one in texts if len(one) > _MIN_SENTENCE]
    in_sentences = [span for one in sentences for span in find_spans(one, request.raw, any_case=True)]
    for found in _SIZES.finditer(request.mask):
        if found[0] in texts:
            continue  # 2块 as a quantity with its unit
        if any(a <= found.start() and found.end() <= b for a, b in in_sentences):
            continue  # 遗留问题剩余五项
        said = read_count(found[1])
        if said is None and found[2] in ("行", "列", "栏"):
            raise Unclear("not_understood", part=request.raw[found.start() : found.end()])  # 周一到周五五行
        is_level = found[2] in ("级", "层") or found[2].lower().startswith("level")
        fits = rows_fit if found[2] in ("行", "条") or found[2].lower().startswith("row") else counts
        if said is not None and not is_level and said not in (fits if tables and said > 1 else counts):
            raise Unclear("not_understood", part=request.raw[found.start() : found.end()])
        if is_level and levels and ":" not in request.mask and said is not None and max(levels) < said:
            raise Unclear("not_understood", part=request.raw[found.start() : found.end()])


def _is_bold(actions: Sequence[JsonObject]) -> bool:
    return any(one.get("bold") is True or one.get("font_bold") is True for one in actions)


def _check_title_alone(request: RequestText, actions: Sequence[JsonObject]) -> None:
    """An order for a title writes the title: a kind of document that only the title names is not asked for."""
    found = _TITLE_ALONE.fullmatch(request.raw.strip())
    written = [str(action.get("text") or "").strip("# \n") for action in actions]
    if found and any(one not in found[0] for one in written):
        raise Unclear("not_understood", part=found["name"])
