"""Passages of a long message: its sentences, and which of them ask for something.

The vector of a long message is that of its bulk, and every word is a small share of it. The request is one sentence.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Final, NamedTuple

from metier.patterns import compile_later
from metier.routing.text._split_requests import has_request_verb, is_request_start
from metier.textsearch import has_cjk, lower_keep_length

# Below these a message is one passage: most requests with their details are shorter.
_LONG_CJK_CHARS: Final = 90
_LONG_LATIN_CHARS: Final = 260
_MIN_CJK_CHARS: Final = 4
_MIN_LATIN_CHARS: Final = 12
_MAX_PASSAGE_CHARS: Final = 300
_MAX_WIDE_CHARS: Final = 500
_MAX_PASSAGES: Final = 4
# Where words are weighed: passages at either end, and others with telling words.
_MAX_AT_ENDS: Final = 3
_MAX_TELLING: Final = 3
_PASSIVE_WORTH: Final = 0.7
# Sentences before and after a request that may say what it is about: "Our posts get few readers. What can we do?"
_AROUND: Final = ((2, 0), (1, 1))
_MAX_WIDENED: Final = 2
_SENTENCE: Final = compile_later(r"[^.!?。！？\n]+(?:[.!?](?=\S)[^.!?。！？\n]*)*[.!?。！？]*")
_ADDRESSED: Final = compile_later(
    r"(?:帮我|请你?帮|麻烦|请(?:你|根据|按|把|用|给|写|做|帮|先|将|整理|分析|总结|生成)|给我|我想(?:要|让|问|请|知道|把)?|我要|我需要|能不能|可不可以|能否|可以帮|怎么|如何|替我"
    r"|^\W*which\b|\b(?:please|can\s+you|could\s+you|would\s+you|help\s+me|i\s+(?:need|want|would\s+like)|id\s+like|i'd\s+like|lets|let's"
    r"|how\s+(?:do|can|should|would|to)|what\s+(?:should|is|are|would)|(?:(?:tell|know|say|see|decide|choose)\s+(?:me\s+|us\s+)?)which|should\s+(?:i|we)|we\s+(?:need|want))\b)"
)
# Chinese orders without a subject, which say the means or the matter first: 用 FFmpeg 转换视频格式.
_ORDERS_ZH: Final = compile_later(
    r"[请帮我先再并行]*(?:(?:[使应]?用|利用|借助|通过|基于|根据|按照?|从|对|在|为|给)[^，。了]{1,40}?)?"
    r"(?:进行|分析|生成|管理|处理|创建|构建|搭建|训练|转换|获取|提取|绘|画|写|制作|美化|增强|控制|执行|设计|开发|实现|部署|辅助|优化|预测"
    r"|模拟|计算|查询|查找|搜索|检索|识别|检测|编写|撰写|测试|调试|可视化|发布|导出|整理|总结|翻译|评估|验证|监控|操作|编辑|修改|合并|下载"
    r"|抓取|爬取|读取|连接|配置|研究|建模|分类|聚类|拟合|标注|比较|追踪|完成)"
    r"|[请帮我]*[使应]?用\s*[a-z]"
)
# Questions without a question mark: 今天星期几, 猫王是哪一年出生的.
_ASKS: Final = compile_later(
    r"[?？]\s*$|什么|哪[个里些儿一位种家款]|谁(?!都|也)|星期几|几[点号]|多少|为何|怎样|是不是|有没有|[吗呢][。!！]?$"
)

WeighTexts = Callable[[Sequence[str]], Sequence[float]]


class Passage(NamedTuple):
    """Sentences of a long message: the place of the first, from 1, among how many, and whether they ask for something.

    `size` is the number of sentences; `is_wide`: sentences around a request are part of it.
    """

    text: str
    place: int
    total: int
    asks: bool
    size: int = 1
    is_wide: bool = False

    @property
    def places(self) -> range:
        """Places of its sentences, from 1."""
        return range(self.place, self.place + self.size)


def find_passages(message: str, weigh: WeighTexts | None = None) -> Sequence[Passage]:
    """Passages of a long message in which its request may stand, the likeliest first; none of a short message.

    Sentences that ask and stand next to each other are one passage. Those at either end of the message go first: a
    request stands before or after what it is about. Then come the sentences with the most telling words, whether they
    ask or not, if `weigh` says how telling texts are. The likeliest follow once more with the sentences around them.
    """
    sentences = _split_sentences(message)
    if len(sentences) < 2:
        return ()
    known = {sentence: _is_asking(sentence) for sentence in dict.fromkeys(sentences)}
    asking = [known[sentence] for sentence in sentences]
    runs = [(asks, list(places)) for asks, places in groupby(range(len(sentences)), key=asking.__getitem__)]
    asked = _list_new(_join(sentences, places[0], places[-1] + 1) for asks, places in runs if asks)
    alone = _list_new(_join(sentences, at, at + 1, asks=asking[at]) for at in range(len(sentences)))
    best = sorted(asked or alone, key=_order)[: _MAX_PASSAGES if weigh is None else _MAX_AT_ENDS]
    telling = _pick_telling([*alone, *asked], best, weigh) if weigh else ()
    wide = (one for passage in best[:_MAX_WIDENED] for one in _widen(passage, sentences) if passage.asks)
    return _list_new((*best, *telling, *wide))


def has_passages(message: str) -> bool:
    """Whether a message is long and has several sentences."""
    return len(_split_sentences(message)) > 1


def _split_sentences(message: str) -> Sequence[str]:
    """Sentences of a long message; none of a short one."""
    if len(message) <= (_LONG_CJK_CHARS if has_cjk(message) else _LONG_LATIN_CHARS):
        return ()
    return [text for text in (found[0].strip() for found in _SENTENCE.finditer(message)) if _has_content(text)]


def _list_new(passages: Iterable[Passage]) -> Sequence[Passage]:
    """Passages without repetitions: what is repeated is a signature, a quoted thread or a table."""
    found: dict[str, Passage] = {}
    for passage in passages:
        found.setdefault(passage.text, passage)
    return tuple(found.values())


def _pick_telling(passages: Sequence[Passage], chosen: Sequence[Passage], weigh: WeighTexts) -> Iterator[Passage]:
    """The passages with the most telling words, one for each place, besides those that are chosen already."""
    taken = {place for one in chosen for place in one.places if one.size == 1}
    told = weigh([one.text for one in passages])
    weights = [weight * (1 if one.asks else _PASSIVE_WORTH) for one, weight in zip(passages, told, strict=True)]
    count = 0
    for at in sorted(range(len(passages)), key=lambda at: -weights[at]):
        one = passages[at]
        if count == _MAX_TELLING or weights[at] <= 0:
            return
        if taken.isdisjoint(one.places):
            taken.update(one.places)
            count += 1
            yield one


def _join(
    sentences: Sequence[str], start: int, end: int, *, asks: bool = True, most: int = _MAX_PASSAGE_CHARS
) -> Passage:
    """Sentences as one passage; of a long one the end is kept, where the request stands."""
    text = " ".join(sentences[start:end])
    return Passage(text[-most:] if end - start > 1 else text[:most], start + 1, len(sentences), asks, end - start)


def _widen(passage: Passage, sentences: Sequence[str]) -> Iterator[Passage]:
    start, end = passage.place - 1, passage.place - 1 + passage.size
    for before, after in _AROUND:
        around = max(start - before, 0), min(end + after, len(sentences))
        yield _join(sentences, *around, most=_MAX_WIDE_CHARS)._replace(place=passage.place, is_wide=True)


def _order(passage: Passage) -> tuple[int, int]:
    return (not passage.asks, min(passage.place - 1, passage.total - passage.place - passage.size + 1))


def _has_content(text: str) -> bool:
    return len(text) >= (_MIN_CJK_CHARS if has_cjk(text) else _MIN_LATIN_CHARS)


def _is_asking(text: str) -> bool:
    low = lower_keep_length(text)
    if has_cjk(text):
        starts = is_request_start(low) or (_ORDERS_ZH.match(low) is not None and "了" not in text)
    else:
        starts = has_request_verb(low)
    return bool(starts or _ADDRESSED.search(low) or _ASKS.search(text))
