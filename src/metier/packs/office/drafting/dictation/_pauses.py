"""Chinese messages with pauses for signs: 插一个表 列是姓名 部门 空三行 → 插一个表，列是姓名、部门，空三行."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final, Literal

from metier.packs.office._counts import COUNT
from metier.packs.office._request_text import QUOTED, RequestText
from metier.packs.office.drafting._asides import begins_with_order, names_look

__all__ = ["find_lost_word", "find_run_on", "write_pauses"]

_Kind = Literal["clause", "list", "opener", "value", "name", "last", "count", "figure", "row", "other"]

_CHINESE: Final = r"[\u4e00-\u9fff]"
_PAUSE: Final = re.compile(rf"(?<=[\u4e00-\u9fff\"\dA-Za-z%])[ \u3000]+(?={_CHINESE}|\"|\d{{1,2}}\s*[行列条项页个月])")
_SIGN: Final = re.compile(r"[,，。;；:：!！?？\n、]")
_EDGES: Final = " ,，。;；:：!！?？、"
_NAME: Final = rf"(?!(?:都|再|并|各|全|每|请|只|别|不|也|用|按|要)){_CHINESE}[\u4e00-\u9fffA-Za-z]{{0,9}}"
_PARTS: Final = r"(?:部分|块|节|项|点|条|列|栏|个?小标题|个?标题)"
# Words right behind which a list begins; what stands before them is the clause that they end.
_LEADS: Final = re.compile(
    rf"(?:包括|包含|含有?|列出|列举|分别(?:是|为|有)|依次(?:是|为|有)|分(?:为|成)?{COUNT}个?大?{_PARTS}|"
    rf"(?:表头|列名|列|栏目?|字段|要点|议题|任务|内容|部分|数据|小标题)(?:分别|依次|就)?(?:是|为|有|叫|要)|"
    rf"^(?:表头|列名|列|字段|要点|议题|任务)(?=$))(?P<first>{_NAME})?$"
)
_LAST: Final = re.compile(rf"(?:还有|以及|和|跟|与|及)(?P<name>{_NAME})$")
_COUNT: Final = re.compile(
    rf"(?P<these>这|那)?(?:等|共|一共|总共)?{COUNT}个?(?:大)?(?:项|列|条|栏|部分|点|块|字段|任务)(?:就行|就好|即可|吧)?"
)
_FIGURE: Final = re.compile(r"[\u4e00-\u9fffA-Za-z\d]{1,10}?\d[\d,.]*(?:[%％]|万|亿|元|万元|人|件|台|个)?")
_ROW: Final = re.compile(rf"{_CHINESE}{{1,10}}(?:\s+[-−]?\d[\d,.]*){{1,6}}")
# What a text follows: 标题 工作背景, 写一句 请带好身份证; and such a word with its text: 标题叫工作背景.
_TEXT_OF: Final = (
    r"(?:副标题|主标题|大标题|标题|题目|艺术字|横幅|标语|图题|主题|大纲主题|第[一二三四五]行|第[一二三四五]句)"
)
_OPENER: Final = re.compile(
    rf"{_TEXT_OF}(?:就)?(?:是|为|叫做?|写上?|写成|用)?$|(?:写上?|写着|写一[句行段]话?|内容是|文字是)$"
)
_VALUE: Final = re.compile(rf"{_TEXT_OF}(?:就)?(?:是|为|叫做?|写上?|写成)(?P<value>{_CHINESE}[^\"]{{1,38}})$")
_WRITTEN: Final = re.compile(
    rf"(?:写上|写着|写(?:一[句行段]话?)?)(?P<value>(?!{COUNT}|个|份|张){_CHINESE}[^\"]{{1,38}})$"
)
# What is said to be a line or a sentence keeps its full stop.
_SENTENCE: Final = re.compile(r"[行句话段][是为写]?上?$")
_MORE: Final = re.compile(r"并且?|然后|[加再用]上?|下面|底下|艺术字|加粗|居中|就[行好]|即可|谢")
# What a clause begins with; such a word alone, or with the word for a kind of thing behind it, is a name (备注, 用途).
_CLAUSE: Final = re.compile(
    rf"(?:(?:主|副|大)?标题|表头|列名?|正文|内容|主题|图[题名]|要点|数据|要求|单位|备注|差额|合计|跨度)"
    rf"(?:分别|依次|统一|就|都)*(?:[是为叫写有用放]|按|分(?!类|值|数|组|布)|加粗)|副标题|"
    rf"图?[上下]面|[上下]方(?!案)|底下|里面|其中|第[一二三四五\d](?:个|张|行|句|列)|(?:一|总)?共{COUNT}|"
    rf"空(?:出)?(?:{COUNT}|行)|预?留{COUNT}|{COUNT}(?:个|条)?(?:空白?)?行|然后|并且?|还要|另外|最后(?!更新|修改|期限)|"
    r"先(?!进|后|行)|再|统一|每[个张行]|(?:用|按|给|根据|在)(?=.*(?:做|画|写|加|插|放|算|排|文|[前后上下里]))|文末|文档[末最开里中后前]|"
    r"末尾|开头|时间跨度"
)
_NOUN: Final = re.compile(
    rf"{_CHINESE}{{0,5}}(?:人|员|者|时间|日期|时长|[数总]?量|源|号|[名品]称|名|率|额|数|费用?|价|地点|单位|部门|原因|情况|"
    r"状态|结果|方式|类型|类别|编码|备注|说明|措施|内容|要求|级别|等级|途|户|址|话)"
)
_THANKS: Final = re.compile(r"谢谢|多谢|辛苦|拜托|麻烦")
_SPOKEN: Final = re.compile(r"[我你您他她了吧吗]|谢|麻烦|就[行好]|别|不要|一下|一点")
# 数据是一季度120: the words before the first figure.
_NAMED: Final = re.compile(r"^(?:数据|数值|分别|依次)(?:分别)?[是为]")


@dataclass(frozen=True, slots=True)
class _SpokenPiece:
    """What stands between two pauses, and what it is."""

    kind: _Kind
    text: str
    first: str = ""  # the first name behind a word that begins a list, or the text behind a word for one


def write_pauses(request: str) -> str:
    """The message with signs for its pauses; as it is if it has none, or if one of them may stand in a name."""
    mask = RequestText(request).mask
    if "\n" in request.strip() or "\t" in request or not _PAUSE.search(mask):
        return request
    edges = [0, *(one.end() for one in _SIGN.finditer(mask)), len(mask)]
    written = [_write(request[a:b], mask[a:b]) for a, b in pairwise(edges) if a < b]
    return "".join(
        one if one is not None else request[a:b] for one, (a, b) in zip(written, _stretches(edges), strict=True)
    )


def find_run_on(request: str, texts: Sequence[str]) -> str:
    """A clause behind a pause that is written as a text or as the end of one; empty if none is."""
    mask = RequestText(request).mask
    edges = [0, *(one.end() for one in _SIGN.finditer(mask)), len(mask)]
    for a, b in _stretches(edges):
        pauses = [one.end() for one in _PAUSE.finditer(mask, a, b)]
        starts = [a, *pauses] if pauses else []
        for start, end in pairwise([*starts, b]):
            piece = request[start:end].strip(_EDGES)
            if piece and _is_clause(piece) and any(_ends_with(one, piece, request) for one in texts):
                return piece
    return ""


def find_lost_word(request: str, texts: Sequence[str]) -> str:
    """A name of a list or a text behind a pause that is not written; empty if all are."""
    mask = RequestText(request).mask
    if not _PAUSE.search(mask) or "\n" in request.strip():
        return ""
    written = ["".join(one.split()) for one in texts]
    edges = [0, *(one.end() for one in _SIGN.finditer(mask)), len(mask)]
    for a, b in _stretches(edges):
        pieces = [_read(one) for one in _split(request[a:b], mask[a:b])]
        if len(pieces) < 2 or _join(pieces) is None:
            continue
        words = [one.first for one in pieces if one.kind in ("list", "value") and one.first]
        words += [one.text for one in pieces[1:] if one.kind in ("name", "last")]
        lost = (one for one in words if not any("".join(one.strip('“”"').split()) in text for text in written))
        if word := next(lost, ""):
            return word
    return ""


def _is_clause(text: str) -> bool:
    mask = RequestText(text).mask
    return _read(text).kind in ("clause", "opener", "value") or names_look(mask) or _THANKS.match(mask) is not None


def _ends_with(text: str, piece: str, request: str) -> bool:
    """Whether a text is a piece, or ends with it behind a pause as it does in the request."""
    bare = text.strip(" 。")
    return bare == piece or (bare.endswith(f" {piece}") and bare in request)


def _stretches(edges: list[int]) -> list[tuple[int, int]]:
    return [(a, b) for a, b in pairwise(edges) if a < b]


def _write(said: str, mask: str) -> str | None:
    """A stretch between two signs with signs for its pauses; None if there is none or its parts are not known."""
    end = said[len(said.rstrip(_EDGES)) :]
    pieces = [_read(one) for one in _split(said, mask)]
    if pieces and pieces[-1].kind == "value" and end == "。" and _SENTENCE.search(pieces[-1].text):
        pieces[-1], end = replace(pieces[-1], first=f"{pieces[-1].first}。"), ""
    joined = _join(pieces)
    return None if joined is None else f"{joined}{end}"


def _split(said: str, mask: str) -> list[str]:
    """What stands between the pauses of a stretch."""
    pauses = list(_PAUSE.finditer(mask))
    starts = [0, *(one.end() for one in pauses)]
    ends = [*(one.start() for one in pauses), len(said)]
    words = [said[a:b].strip(_EDGES) for a, b in zip(starts, ends, strict=True)]
    return [one for one in words if one]


def _read(text: str) -> _SpokenPiece:
    mask = RequestText(text).mask
    if found := _COUNT.fullmatch(mask):
        return _SpokenPiece("count", text, found["these"] or "")
    if (found := _VALUE.search(mask) or _WRITTEN.search(mask)) and not _MORE.search(found["value"]):
        return _SpokenPiece("value", text[: found.start("value")], text[found.start("value") :])
    if _OPENER.search(mask):
        return _SpokenPiece("opener", text)
    if found := _LEADS.search(mask):
        first = text[found.start("first") :] if found["first"] else ""
        return _SpokenPiece("list", text[: len(text) - len(first)], first)
    if _FIGURE.fullmatch(mask):
        return _SpokenPiece("figure", text)
    if _ROW.fullmatch(mask):
        return _SpokenPiece("row", text)
    if not _NOUN.fullmatch(mask) and (_CLAUSE.match(mask) or begins_with_order(mask)):
        return _SpokenPiece("clause", text)
    if found := _LAST.fullmatch(mask):
        return _SpokenPiece("last", found["name"])
    is_name = re.fullmatch(_NAME, mask) or _NOUN.fullmatch(mask) or re.fullmatch(QUOTED, mask)
    return _SpokenPiece("name" if is_name and not (names_look(mask) or _SPOKEN.search(mask)) else "other", text)


def _join(pieces: list[_SpokenPiece]) -> str | None:
    if not pieces or any(one.kind == "other" for one in pieces[1:]):
        return None
    kinds = [one.kind for one in pieces]
    if sum(kind == "figure" for kind in kinds) == 1 or sum(kind == "row" for kind in kinds) == 1:
        return None
    try:
        return "".join(_write_pieces(pieces))
    except _UnreadPause:
        return None


class _UnreadPause(Exception):
    """A piece that follows nothing that it could belong to."""


def _write_pieces(pieces: list[_SpokenPiece]) -> Iterator[str]:
    """The text of each piece with the sign before it."""
    listed = -1  # names of the list that is open; −1 if none is
    before: _Kind | None = None
    for piece in pieces:
        match piece.kind:
            case "name" | "last" if before == "opener":
                yield f"“{piece.text}”" if not piece.text.startswith(("“", '"')) else piece.text
                listed = -1
            case "name" | "last" if before in ("list", "name", "last") and listed >= 0:
                yield f"{'、' if listed else '：'}{piece.text}"
                listed += 1
            case "figure" | "row":
                sign = "、" if piece.kind == "figure" else "；"
                lead = "" if before is None else "，" if _NAMED.search(piece.text) else "："
                yield f"{sign if before == piece.kind else lead}{piece.text}"
            case "count" if before in ("name", "last") and piece.first:
                yield piece.text
            case "name" | "last" if before is not None:
                raise _UnreadPause
            case "list":
                yield f"{'，' if before else ''}{piece.text}{piece.first}"
                listed = 1 if piece.first else 0
            case "value":
                yield f"{'，' if before else ''}{piece.text}“{piece.first}”"
            case _:
                yield f"{'，' if before else ''}{piece.text}"
        before = piece.kind
    if before == "list" and listed == 0:
        raise _UnreadPause
