"""Chinese speech without signs: 里面列四项第一个背景第二个现状 → 里面列四项，第一个是背景，第二个是现状."""

import re
from typing import TYPE_CHECKING, Final

from metier.packs.office._counts import COUNT, read_count
from metier.packs.office._request_text import RequestText, rewrite_unquoted

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["write_run_ons"]

_NUMERALS: Final = "一二三四五六七八九"
_NTH: Final = re.compile(
    r"[,，、]?(?:然后|还有|再)?第(?P<at>[一二三四五六七八九])(?P<unit>[个块项条列行点步])(?:就|才|则)?(?:是|叫)?[嗯呃]*"
)
_STOP: Final = re.compile(r"(?:就(?:行|好|可以)|即可|这样|谢谢|然后|最后)(?=.*$)")
_FIGURE_ON: Final = re.compile(r"(?<=\d)\s*(?:然后|最后(?:一个)?(?:是)?|接着|再)\s*(?=\d)")
_SPACED: Final = re.compile(r"(?<=\d) +(?=\d)")
_NEXT_ROW: Final = re.compile(
    r"(?<=\d)\s*[,，;；]?(?:然后(?:还有)?|再(?:一个|来(?:一?个)?)|还有(?:一个)?|接着)(?:是)?(?=[\u4e00-\u9fff]{1,12}?(?:数量|单价|预算|实际|\d))"
)
_CLAUSE_ON: Final = re.compile(
    r"(?<=[\u4e00-\u9fff\d])(?<![,，])(?=(?:然后(?!的)|最后(?=[把再给加算要])|填完|写完|做完|弄完|标题(?:用|写|叫|是)|"
    r"里面(?:列|写|放|分|有)|一个月(?:占|一)|每个月(?:占|一)|一[行列]一个))"
)
_PARTICLE: Final = re.compile(r"(?<=[\u4e00-\u9fff\d])[啊呀呢吧哈哦嘛](?=[\u4e00-\u9fff])")
_FILLER: Final = re.compile(r"(?<=[\u4e00-\u9fff\d])[嗯呃]+(?=[\u4e00-\u9fff\d])")
_COUNTED_TEXT: Final = re.compile(
    rf"(?P<cue>写|叫)(?P<text>[\u4e00-\u9fff]{{2,16}}?)(?P<count>{COUNT})个(?:大)?字(?=[,，。]|$)"
)
_SIGNS: Final = re.compile(r"[,，。;；:：、\n]")
_LONG: Final = 25
_MIN_ITEMS: Final = 2


def write_run_ons(request: str) -> str:
    """Speech with signs between its clauses, items and rows; a message with signs of its own stays as it is."""
    mask = RequestText(request).mask
    if not any(len(one) > _LONG and re.search(r"[\u4e00-\u9fff]", one) for one in _SIGNS.split(mask)):
        return request
    steps: tuple[Callable[[str], str], ...] = (
        lambda said: _FILLER.sub("", said),
        lambda said: _PARTICLE.sub("，", said),
        _write_rows,
        lambda said: _CLAUSE_ON.sub("，", said),
        _write_items,
        _quote_counted,
    )
    for step in steps:
        request = rewrite_unquoted(request, step)
    return re.sub(r"，{2,}", "，", request)


def _write_rows(said: str) -> str:
    said = _NEXT_ROW.sub("；", said)
    said = _FIGURE_ON.sub("、", said)
    return _SPACED.sub("、", said) if "、" in said and _FIGURE_RUN.search(said) else said


_FIGURE_RUN: Final = re.compile(r"\d+(?:[ 、]+\d+){2,}")


def _write_items(said: str) -> str:
    """Items that are counted from one by the same word, each behind its own sign."""
    found = list(_NTH.finditer(said))
    units = {one["unit"] for one in found}
    is_run = [_NUMERALS.index(one["at"]) + 1 for one in found] == list(range(1, len(found) + 1))
    if len(found) < _MIN_ITEMS or len(units) != 1 or not is_run:
        return said
    end = _STOP.search(said, found[-1].end())
    edges = [*(one.start() for one in found[1:]), end.start() if end else len(said)]
    items = [said[one.end() : edge].strip(" ,，、") for one, edge in zip(found, edges, strict=True)]
    if not all(items) or any(_SIGNS.search(one) for one in items):
        return said
    unit = units.pop()
    listed = "，".join(f"第{_NUMERALS[at]}{unit}是{item}" for at, item in enumerate(items))
    tail = said[edges[-1] :].strip("，, ")
    return f"{said[: found[0].start()]}，{listed}{'，' if tail else ''}{tail}"


def _quote_counted(said: str) -> str:
    """A text whose characters are counted stands in quotation marks: 写项目周报四个字."""
    return _COUNTED_TEXT.sub(_quote, said)


def _quote(found: "re.Match[str]") -> str:
    is_counted = read_count(found["count"]) == len(found["text"])
    return f"{found['cue']}“{found['text']}”" if is_counted else found[0]
