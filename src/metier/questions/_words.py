"""Words of a question: those that headings have, and those that nothing on screen explains."""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from metier.language import choose, language_of
from metier.patterns import compile_later
from metier.questions._results import ResultTable

# Words for one thing, in both languages and in everyday speech.
_CONCEPTS: Final[tuple[tuple[str, ...], ...]] = (
    ("信号", "电平", "signal", "rsrp"),
    ("负荷", "负载", "忙", "load", "loaded", "busiest", "busy", "prb", "利用率", "utilisation", "utilization"),
    ("覆盖率", "coverage"),
    ("用户", "users", "user"),
    ("流量", "traffic"),
    ("销售额", "sales", "revenue"),
    ("成功率", "success"),
    ("速率", "网速", "rate", "throughput", "speed"),
    ("重叠", "overlap", "overlapping"),
    ("经度", "longitude"),
    ("纬度", "latitude"),
    ("小区", "cell", "cells"),
    ("栅格", "grid", "grids"),
    ("参数", "parameter", "parameters"),
    ("增益", "gain", "gains"),
    ("新值", "new value"),
    ("原值", "old value"),
    ("上行", "uplink", "ul"),
    ("下行", "downlink", "dl"),
    ("仿真", "simulated", "simulation"),
    ("接入", "access", "rrc"),
    ("发射功率", "功率", "power", "transmit"),
)
# What a finding can be about.
_SUBJECTS: Final[tuple[tuple[str, ...], ...]] = (
    ("弱覆盖", "weak coverage"),
    ("高负荷", "忙", "overload", "overloaded", "high load", "busy"),
    ("下倾角", "tilt", "downtilt"),
    ("功率", "power"),
    ("邻区", "neighbour", "neighbor", "neighbours", "neighbors"),
    ("干扰", "interference"),
    ("切换", "handover", "handovers"),
    ("接入", "access"),
)
_GROUPS: Final = (*_CONCEPTS, *_SUBJECTS)
_CLAUSE_PIECE: Final = compile_later(".[没不会把被了就都吗吧呢].")
_NUMBER_BEFORE: Final = compile_later("第[0-9一二三四五六七八九十百]+$")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_BRACKETS: Final = compile_later(r"[（(][^（()）]*[)）]")
_ASCII_WORD: Final = compile_later(r"[a-z][a-z0-9]+", re.IGNORECASE)
_CJK_RUN: Final = compile_later(r"[\u4e00-\u9fff]+")
_CODE: Final = compile_later(r"\d[\d.,-]*(?:st|nd|rd|th)?\s*(?:dbm|db|%|°)?|[a-z]{1,4}[-_]?\d{2,}", re.IGNORECASE)
_SHARES: Final = compile_later("占比(?:是|有)?多少")
_FIGURES: Final = compile_later(
    r"占多少(?:比例)?|(?:的|占)比例|平均值?|中位数?(?!之差)|均值(?=是|多少)|从多少|到多少|(?:排|列|画)一下"
)
_KEPT: Final = compile_later("没有?变|不变|没有?改|没动|未变")
_JOINTS: Final = compile_later("[的和与各按及]")  # words end there, in headings too
_PARTICLE: Final = compile_later("[的是有了里和与在把将呢吗啊吧都也还就按跟要前后差比到为由看]")
_AFTER: Final = compile_later(
    r"(?:优化|仿真|调整|下发)之?后|\bafter (?:the )?(?:optimi[sz]ation|simulation|change)|\bsimulation results?\b", re.I
)
_BEFORE: Final = compile_later(
    r"(?:优化|仿真|调整|下发)之?前(?:后)?|\bbefore (?:the )?(?:optimi[sz]ation|simulation|change)"
    r"|\b(?:from|by|through) the (?:optimi[sz]ation|simulation)|优化(?=提升|效果|带来|改善)",
    re.I,
)
_MAX_WORD_CHARS: Final = 8
_MAX_TEXT_CHARS: Final = 24
_MAX_TEXTS: Final = 30
_MIN_STEM_CHARS: Final = 4
_FALSE_PARTS: Final = (("功率", "成功率"),)
_GENERIC: Final = frozenset({"小区", "栅格", "均值", "平均", "数据", "结果", "指标"})
_PLAIN_WORDS: Final = frozenset(
    {
        *("the", "of", "and", "id", "by", "per", "too", "mean", "average", "value", "level", "cause", "symptom"),
        *("cell", "cells", "grid", "grids", "total", "number", "points"),
    }
)
_FILL_ZH: Final = compile_later(
    "请问|帮我|给我|告诉我|我想|想看|看看|看一下|列一下|列出来?|列举|显示|展示|一共|总共|合计|总和|总计|加起来|平均值?|均值|中位数?|"
    "最大值?|最小值?|最高值?|最低值?|最[差好低高弱强大小忙多少糟优佳严重烂]+|较[差好]|哪几个|哪些|哪个|哪里|哪一个|多少|几个|有没有|分别|各是|各自|"
    "怎么样|如何|数量|个数|数目|是不是|是否|有哪些|哪[一二两三四五六七八九十]个|这个|那个|这些|那些|它们|区域|小区级?|栅格级?|什么|"
    "低于|高于|大于|小于|等于|超过|超出|不到|不足|不低于|不高于|不超过|没到|未达|达到|以上|以下|之间|介于|左右|及以[上下]|比较|对比|相比|相差|"
    "差多少|差别|差距|更[好差高低强弱]|比一比|排序|排列|升序|降序|从[高低大小强弱差好]到[高低大小强弱差好]|前后|"
    "倒数|末尾|开头|最后|头[一二两三四五六七八九十]个?|名单|全部|所有|完整|整个|表格?|行|情况|问题|占比?例?|比例|百分之几|几成|"
    "[第前后倒]?[一二两三四五六七八九十百零]+[个名行条位项座格成半]?|负|提升|改善|变化|变好|效果|只看|要不要|需要|过大|过小|过高|偏低|偏高|严重|"
    "画成?|做成|图表?|柱状图?|折线图?|散点图?|曲线图?|提高|升高|下降|变[差坏]|反而|恶化|重合|重叠的?吗|同时|既|又|"
    "为什么|为啥|为何|除了|除去|不算|在哪里?|等于|正好|刚好|哪?几[个条行处台张家份]|哪[个台张家份]|第?[一二两三四五六七八九十百]+[台张家份辆]|台|从[多少]到[多少]|排一下|名|不忙|处|跟|信息|数值|现在|目前|里面|其中|当中|严重的?"
)
_FILL_EN: Final = _words(
    """what whats which who is are was were be been does do did has have had having the an of in on at for to from by
    with and or as it its that this these those them they there here me my show list give tell see get let please
    can could you would like want need about how many much number count any all every each full entire whole
    complete only just than below above under over beneath beyond between least most more less fewer exceed exceeds
    exceeding worse worst better best poorest lowest highest largest smallest biggest strongest weakest busiest
    fewest minimum maximum min max peak top bottom first second third fourth fifth sixth seventh eighth ninth tenth
    last final one two three four five six seven eight nine ten penultimate row rows line lines cell cells ones grid
    grids no not without average mean median sum total together altogether range compare compared comparison versus
    vs difference gap side put sort sorted order ordered rank ranked arrange ascending descending increasing
    decreasing high low lower higher stronger weaker good bad poor table tables result results data value values
    found whose where when up down then now also still share percentage percent proportion fraction before after
    improved improvement improve gained change changed same name find look looks main so well really thing things if
    area per other rate level figure figures answer equal dbm db should covers made among within inside plot chart
    draw graph bar scatter worsened degraded got new recommended both into lost why apart except excluding exactly
    gets their severe"""
)


def strip_title(title: str) -> str:
    """A title without what stands in brackets, such as how many rows there are."""
    return _BRACKETS.sub("", title)


def find_words(text: str, tables: Sequence[ResultTable]) -> tuple[str, ...]:
    """Words of a question that carry content: those of headings, the longest first, and all that are no filler.

    功率 is no word of 成功率: the text is cut into the longest words that headings and everyday speech have.
    """
    said = _BEFORE.sub(" ", _AFTER.sub(choose(language_of(text), zh="仿真", en=" simulated "), text.lower()))
    is_heading = any(one.title == "占比" for table in tables for one in table.columns)
    said = _CODE.sub(" ", _FIGURES.sub(" ", said if is_heading else _SHARES.sub(" ", said)))
    vocabulary = _list_vocabulary(tables)
    found: dict[str, None] = {word: None for word in _ASCII_WORD.findall(said) if word not in _FILL_EN}
    if _KEPT.search(said):
        found["不变"] = None  # no heading says that
    for run in _CJK_RUN.findall(said):
        words, rest = _cut(run, vocabulary)
        found |= dict.fromkeys((*words, *_CJK_RUN.findall(_PARTICLE.sub(" ", _FILL_ZH.sub(" ", rest)))))
    return tuple(word for word in found if word.isascii() or len(word) > 1)


def _cut(run: str, vocabulary: frozenset[str]) -> tuple[list[str], str]:
    """The longest words of the vocabulary in a Chinese run, from left to right, and what is left between them."""
    words, rest, at = [], [], 0
    while at < len(run):
        size = next((n for n in range(min(_MAX_WORD_CHARS, len(run) - at), 1, -1) if run[at : at + n] in vocabulary), 0)
        if size:
            words.append(run[at : at + size])
        rest.append(" " if size else run[at])
        at += size or 1
    return words, "".join(rest)


def _list_vocabulary(tables: Iterable[ResultTable]) -> frozenset[str]:
    listed = tuple(tables)
    headings = [text for one in listed for text in (strip_title(one.title), *(c.title for c in one.columns))]
    headings += [value for one in listed for value in list_texts(one)]
    runs = {run for heading in headings for run in _CJK_RUN.findall(_JOINTS.sub(" ", heading))}
    runs |= {word for group in _GROUPS for word in group if not word.isascii()}
    parts = {
        run[at : at + size]
        for run in runs
        for size in range(2, min(len(run), _MAX_WORD_CHARS) + 1)
        for at in range(len(run) - size + 1)
    }
    return frozenset(parts)


def list_texts(table: ResultTable) -> tuple[str, ...]:
    """Different short texts in the cells of a table, but not the names of its rows."""
    found = {
        value for row in table.rows for value in row[1:] if isinstance(value, str) and len(value) <= _MAX_TEXT_CHARS
    }
    return tuple(sorted(found)) if len(found) <= _MAX_TEXTS else ()


def is_word_of(word: str, heading: str) -> bool:
    """Whether a heading has a word of the question, or another word for the same thing."""
    lower = heading.lower()
    if word in _heading_words(lower) if word.isascii() else _is_part(word, lower):
        return True
    if word.isascii() and len(word) > _MIN_STEM_CHARS:
        stem = word.removesuffix("s")
        if any(one.removesuffix("s") == stem for one in _heading_words(lower)):
            return True
    groups = [group for group in _GROUPS if word in group or (not word.isascii() and any(one in word for one in group))]
    return any(_has_word(one, lower) for group in groups for one in group)


def _is_part(word: str, heading: str) -> bool:
    """Whether a Chinese word stands in a heading, but not by accident in another word of it."""
    for part, whole in _FALSE_PARTS:
        heading = heading.replace(whole, " ") if word == part else heading
    return word in heading


def score_words(words: Iterable[str], heading: str) -> float:
    """How much of a heading the words name; 0 if nothing."""
    lower, score = heading.lower(), 0.0
    known = _heading_words(lower) - _PLAIN_WORDS
    runs = _CJK_RUN.findall(lower)
    for word in words:
        if word in _GENERIC or word in _PLAIN_WORDS:
            continue
        if word.isascii() and (word in known or word.removesuffix("s") in known):
            score += 3.0
        elif not word.isascii() and _is_part(word, lower):
            score += len(word) / 2 + (1.0 if word in runs else 0.0)
        elif is_word_of(word, heading):
            score += 1.5
    length = len(known) + sum(len(run) / 2 for run in runs)
    return max(0.05, score - 0.1 * length) if score > 0 else 0.0


def list_subjects(words: Sequence[str], text: str, title: str) -> tuple[str, ...]:
    """Words of the question that name what a title is about; empty if it is not named.

    In Chinese a part of the title of at least three characters, in English all its words, or a word for its subject.
    """
    heading = strip_title(title)
    subject = re.split("[：:]", heading)[-1].strip().lower()
    runs = [run for run in _CJK_RUN.findall(subject) if len(run) >= 3]
    named = tuple(word for word in words if any(word in run for run in runs) and len(word) >= 3)
    if named:
        return named
    needed = {word for word in _ASCII_WORD.findall(subject) if word not in _PLAIN_WORDS}
    if needed and needed <= set(_ASCII_WORD.findall(text.lower())):
        return tuple(needed)
    if ":" not in heading and "：" not in heading:
        return ()
    said = text.lower()
    for group in _SUBJECTS:
        if any(_has_word(one, subject) for one in group):
            hit = [one for one in group if _has_word(one, said)]
            if hit:
                return tuple(word for word in words if any(word in one or one in word for one in hit)) or tuple(hit)
    return ()


def _heading_words(lower: str) -> set[str]:
    return set(_ASCII_WORD.findall(lower))


def _has_word(word: str, lower: str) -> bool:
    """Whether a word stands in a text: one of letters as a word of its own, any other as a part."""
    if word.isascii():
        return word in (lower if " " in word else _heading_words(lower))
    return _is_part(word, lower)


def list_whole_words(words: Iterable[str], said: str) -> list[str]:
    """Words that stand so in what was said, without pieces of clauses: 章没动 of 第三章没动吧 is one."""
    return [one for one in words if _is_whole(one.lower(), said.lower())]


def _is_whole(word: str, said: str) -> bool:
    before, found, _ = said.partition(word)
    return bool(found) and _CLAUSE_PIECE.search(word) is None and _NUMBER_BEFORE.search(before) is None
