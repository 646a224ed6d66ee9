"""Finds a place that a text names, without a list of all places: by its ending, or by where it stands in the sentence.

A name is what is left of a request without the words of the trade and of requests: 分析一下嘉善的弱覆盖 leaves 嘉善. In
English it is a capital letter after a preposition, or a word that is spelled in pinyin.
"""

import re
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from metier.patterns import compile_later

_WORDS: Final = Path(__file__).with_name("knowledge") / "place_words.toml"
_BY_ENDING: Final = compile_later(r"[\u4e00-\u9fff]{2,3}(?:新区|区|县|市)")
_BY_LETTER: Final = compile_later(r"[A-Za-z0-9]{1,3}\s?(?:区域?|片区)(?!覆盖)")
_NOT_BY_ENDING: Final = compile_later(
    r"(?:这个|这片|那片|这|那|该|某|全|本|此|每个|哪些|哪个|哪|一个|整个|覆盖|栅格|小|越|邻|盲|边缘|重叠|热点|[345][gG]\s?)(?:新区|区|县|市)"
)
_IN_ENGLISH: Final = compile_later(
    r"\b(?:area|zone|region|district|site)\s+[A-Z0-9]\b|\b(?:in|for|of|at|to|around|from)\s+(?:the\s+)?([A-Z][a-z]{3,})\b"
)
_NOT_IN_ENGLISH: Final = compile_later(
    "(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|January|February|March|April|June|July|August|September|October|November"
    "|December|Signal|Coverage|Interference|Load|Capacity|Cells?|Grid|Scenario|Excel|Word|English|Chinese"
)
_JOINING: Final = compile_later(r"[的了吧呢吗请做看查再有把对给在很太和与下并也还个弱差低高]|[345][Gg]|LTE|NR")
_REQUEST_IN_ENGLISH: Final = compile_later(
    r"\b(?:please|can|could|you|analy[sz]e|analysis|check|look|into|at|examine|investigate|the|an?|of|in|for|problems?"
    r"|issues?|district|area|network|weak|poor|bad|high|low|coverage|signal|interference|load|capacity|and|on|is|there"
    r"|which|has|have|do|does|cells?|grids?|sectors?|overshoot(?:s|ing)?|overload(?:ed|s)?|handovers?|failures?|fail|any)\b",
    re.IGNORECASE,
)
# How people ask in everyday words how it is somewhere.
_EVERYDAY: Final = compile_later(
    r"[那这](?:边|里|儿|块)|今[天日]|最近|现在|目前|当前|[这那][两几]天|怎么样|怎样|[怎咋]么?(?:样|回事|了)|如何|好不好|好吗|为什么|为啥|用户|客户|居民"
    r"|有人|大家|投诉|反映|反馈|说|老是?|总是?|经常|常常|一直|到处|情况|状况|质量|毛病|地方|哪些|哪里|哪儿|帮我|我|一下|瞅瞅|瞧瞧|麻烦|[，,。？?！!]"
    r"|(?i:\b(?:how|hows|what|whats|s|is|are|it|today|now|lately|show|me|give|tell|about|spots?|places?|looks?|like|why|wrong|with"
    r"|users?|people|customers?|complain\w*|keeps?|getting|so|very|here|over|there|i|my)\b)"
)
TROUBLE: Final = compile_later(
    r"掉线|掉话|断线|断网|上不了网|打不通|网速?慢|太卡|很卡|没信号|信号"
    r"|(?i:\b(?:dropp(?:ed|ing)|drops|slow|bad|weak|poor|no\s+signal|calls?|reception)\b)"
)
_INITIAL: Final = "zh|ch|sh|[bpmfdtnlgkhjqxrzcsyw]"
_FINAL: Final = "iang|iong|uang|ang|eng|ing|ong|ian|iao|uai|uan|an|en|in|un|ai|ei|ao|ou|ia|ie|iu|ua|ui|uo|ue|[aoeiu]"
_SYLLABLE: Final = f"(?:(?:{_INITIAL})(?:{_FINAL})|an|ao|ou|en)"
_PINYIN: Final = compile_later(rf"{_SYLLABLE}{{2,4}}")
_SPELLED: Final = compile_later(r"\b(?:[A-Z]|(?<=in )[a-z]|(?<=near )[a-z]|(?<=around )[a-z])[a-z]{4,}\b")

_REQUEST, _TRADE = "\ue000", "\ue001"
_LEAD: Final = "[再把对给到去在从和与跟请想要就先那这看查做换改又也还]*"
# The whole of what stands between known words: 嘉善 before 的弱覆盖, 5G干扰, 高负荷 or 呢; or after 换到, 下发到.
_NAME: Final = compile_later(
    rf"(?<![\u4e00-\u9fff]){_LEAD}([\u4e00-\u9fff]{{2,5}}?)"
    rf"(?:的\s*[{_REQUEST}{_TRADE}]|(?:有|的)?\s*(?:[345][Gg]|LTE|NR)|[高低差弱强好大多很太的]*{_TRADE}|呢)"
)
_TARGET: Final = compile_later(
    rf"(?:换|{_REQUEST})到([\u4e00-\u9fff]{{2,5}})(?=\W|$)"
    rf"|(?:^|[对给在])(?![对给在])([\u4e00-\u9fff]{{2,5}}?)(?:有|做|进行|跑)?{_REQUEST}"
    r"|^([\u4e00-\u9fff]{2,4})$"
)
_NO_NAME: Final = compile_later("[个些几图表页步条项点的了调看写做定该各太很更我你他它]|^[不没]")


class PlaceFinder:
    """Finds named places; `words` are further words of the trade, such as synonyms."""

    def __init__(self, words: Iterable[str] = ()) -> None:
        known = {name: text.split() for name, text in tomllib.loads(_WORDS.read_text("utf-8")).items()}
        self._english = frozenset(known["english"])
        marks = {**dict.fromkeys(known["request"], _REQUEST), **dict.fromkeys((*known["trade"], *words), _TRADE)}
        self._marks = {word: mark for word, mark in marks.items() if len(word) > 1}
        longest = sorted(self._marks, key=len, reverse=True)
        self._words = re.compile("|".join(map(re.escape, longest)))

    def find(self, text: str) -> str:
        """The first place that the text names; empty if it names none."""
        marked = self._words.sub(lambda found: self._marks[found[0]], text)
        by_ending = (*_BY_ENDING.finditer(marked), *_BY_LETTER.finditer(text))
        named = [one[0] for one in by_ending if not _NOT_BY_ENDING.search(one[0])]
        named += [
            name
            for form in (_NAME, _TARGET)
            for one in form.finditer(marked)
            if not _NO_NAME.search(name := next(filter(None, one.groups())))
        ]
        named += [one[1] or one[0] for one in _IN_ENGLISH.finditer(text) if not _NOT_IN_ENGLISH.fullmatch(one[1] or "")]
        named += [one[0] for one in _SPELLED.finditer(text) if self._is_pinyin(one[0].lower())]
        return next(iter(named), "")

    def drop_known(self, text: str) -> str:
        """What is left of a text without words of requests, of the trade and of everyday, and joining letters."""
        left = self._words.sub(" ", text)
        left = _EVERYDAY.sub(" ", TROUBLE.sub(" ", _REQUEST_IN_ENGLISH.sub(" ", left)))
        return "".join(char for char in _JOINING.sub("", left) if char.isalnum())

    def _is_pinyin(self, word: str) -> bool:
        return word not in self._english and bool(_PINYIN.fullmatch(word))
