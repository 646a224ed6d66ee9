"""Requests that a description states, as phrases a person could ask with.

"Use when the user wants to plan or design an A/B test" holds the request "plan an A/B test", and
用于整理会议纪要 holds 整理会议纪要.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

from metier.language import Language, choose, language_of, split_sentences
from metier.patterns import compile_later
from metier.textsearch import has_cjk

Form = Literal["verb", "gerund", "noun", "sentence"]

_LEAD_IN: Final[Mapping[Language, re.Pattern[str]]] = MappingProxyType(
    {
        "en": compile_later(
            r"""(?xi)^(?:
              (?:this|the)\s+(?:skill|tool|agent)\s+(?:should\s+be\s+used|is\s+used|is|can|helps?|provides|covers|lets)\b
            | (?:also\s+|always\s+|only\s+|must\s+be\s+)?(?:used?|trigger(?:s|ed)?|invoke[ds]?|activates?)
              (?:\s+(?:this|it|the)(?:\s+skill|\s+tool)?)?(?:\s+proactively)?\b
            | (?:when(?:ever)?|if|for|to|on|about|with|by|in\s+order\s+to|that)\b
            | (?:the\s+)?(?:user|users|someone|somebody|people|a\s+person|they|you)\b
            | (?:wants?|needs?|asks?|asked|mentions?|says?|requests?|is\s+asked|are\s+asked|would\s+like|is|are)\b
            | (?:helps?|enables?|allows?|lets?|provides?|supports?|guides?)\s+(?:you|users?|people|the\s+user)\b
            | (?:comprehensive|complete|expert|expertise|specialized|powerful|proactively)\b
            | (?:toolkit|guide|guidance|skill|tool|tasks?|help|assistance|questions?|tools?|toolset)
              \s+(?:for|on|in|with|to|about|that)\b
            | (?:do\s+not|don'?t|never|not|skip|should\s+not\s+be|must\s+not\s+be|does\s+not|and|or)\b
            | [\s,:;–—-]+
            )\s*"""
        ),
        "zh": compile_later(
            r"""(?x)^(?:
              (?:本|该|这个|此)(?:技能|工具|助手)
            | 不(?:要|应|宜|可|能)?(?:适?用于|用来|处理|负责|涉及|支持|涵盖|解决)
            | (?:主要|专门|可以?|能够?|会|应|请|并|也)(?=用|帮|为|在|当|负责|支持|提供)
            | (?:适?用于|用来|负责|支持|提供|帮助?|为|在|当|如果|需要(?=[^\s]{0,8}时))
            | (?:用户|你|您|大家|有人)
            | (?:想要?|需要|要求|提到|询问|问到?|说到?|希望)(?=[^\s，。]{2,})
            | [\s，：；、,:]+
            )"""
        ),
    }
)
_TAIL: Final[Mapping[Language, re.Pattern[str]]] = MappingProxyType(
    {
        "en": compile_later(
            r"(?i)\s*(?:[(;:\[]|,\s*(?:please\s+)?(?:see|use|prefer|try)\b|\s[–—-]\s|\b(?:including|such\s+as|e\.g\.|i\.e\.|for\s+example|or\s+when|"
            r"and\s+when|when(?:ever)?|so\s+that|which|that\s+(?:is|are|can)|particularly|especially)\b).*$|[\s.,;!?]+$"
        ),
        "zh": compile_later(
            r"[\s。；;：:（(——].*$|(?:的)?(?:时候?|情况|场景|任务|问题)?(?:时|时候)?(?:，?(?:可以?)?(?:使用|触发|调用|启用))$|时$"
        ),
    }
)
_COMMA: Final[Mapping[Language, re.Pattern[str]]] = MappingProxyType(
    {
        "en": compile_later(r"\s*(?:,\s+(?:and\s+|or\s+)?|\s+and\s+(?=to\s)|\s+or\s+(?=to\s))"),
        "zh": compile_later("[，,]"),
    }
)
# "plan, design, or implement an A/B test": each verb takes the object of the last.
_VERB_LIST: Final = compile_later(r"(?i)^(\w+)(?:,\s+\w+)*,?\s+(?:and|or)\s+(\w+)\s+(?=\S)")
# Verbs that descriptions of skills begin with.
# fmt: off
_VERBS: Final = frozenset((
    "access", "adapt", "add", "analyse", "analyze", "annotate", "answer", "apply", "ask", "assess", "audit",
    "automate", "book", "build", "calculate", "change", "check", "choose", "clean", "collect", "compare", "compose",
    "compute", "configure", "connect", "convert", "coordinate", "count", "crawl", "create", "debug", "define",
    "delete", "deploy", "describe", "design", "detect", "determine", "develop", "diagnose", "discover", "download",
    "draft", "draw", "edit", "estimate", "evaluate", "examine", "execute", "expand", "explain", "explore", "export",
    "extract", "fetch", "fill", "filter", "find", "fix", "follow", "forecast", "format", "generate", "get", "give",
    "group", "handle", "identify", "implement", "import", "improve", "increase", "inspect", "install", "integrate",
    "interpret", "invoke", "iterate", "launch", "list", "load", "look", "make", "manage", "map", "measure", "merge",
    "migrate", "minimize", "model", "modify", "monitor", "obtain", "open", "optimise", "optimize", "organise",
    "organize", "parse", "perform", "place", "plan", "play", "plot", "predict", "prepare", "print", "process",
    "produce", "profile", "publish", "query", "rank", "read", "rebuild", "recommend", "record", "reduce",
    "refactor", "register", "remove", "rename", "render", "replace", "reply", "report", "research", "reserve",
    "resolve", "retrieve", "review", "rewrite", "run", "save", "scaffold", "scale", "schedule", "score", "scrape",
    "search", "see", "select", "send", "set", "show", "simulate", "solve", "sort", "split", "start", "store",
    "submit", "suggest", "summarise", "summarize", "test", "track", "train", "transcribe", "transform", "translate",
    "troubleshoot", "turn", "understand", "update", "upgrade", "upload", "use", "validate", "verify", "view",
    "visualise", "visualize", "watch", "weigh", "work", "write",
))
# fmt: on
_ZH_VERB: Final = compile_later(
    r"^(?:按|把|从|将|对|给|根据|基于|用|先|再|看|查|写|算|排|画|读|列|做|改|调|测|审|核|找|比|译|翻|编|估|选|订|建|跑|抽|填|导|加|删"
    r"|分析|生成|制作|整理|提取|解释|诊断|预测|检查|检测|检索|搜索|总结|汇总|优化|规划|设计|创建|修改|撰写|起草|评估|评审|计算"
    r"|识别|监控|处理|转换|安排|管理|推荐|比较|对比|统计|模拟|仿真|回答|校对|润色|翻译|绘制|发送|提交|部署|运行|执行|训练)"
)
_QUESTION: Final = compile_later(
    r"(?i)^(?:how|what|which|why|who|when|where|should|can|is|are|do|does|my|i)\b|[?？吗呢]$|怎么|什么|哪|多少"
)
_BRACKETS: Final = compile_later(r"\([^()]*\)|（[^（）]*）")
# Quoted phrases are read on their own.
_QUOTED: Final = compile_later(r"[“「『][^“”「」『』]*[”」』]|\"[^\"]*\"|(?<!\w)'[^']*(?:'[a-z]{1,2}\b[^']*)?'(?!\w)")
_NO_REQUEST: Final = compile_later(
    r"(?i)^(?:at|in|on|with|without|by|from|via|using|any|all|etc|and|or|not|also|供|逐|等)\b|^[供逐等并]"
)
# Clauses from which on a sentence is a list.
_LIST_SIZE: Final = 3
_MAX_WORDS: Final = 14
_MAX_CJK_CHARS: Final = 24
_MIN_CHARS: Final = 4
_MIN_CJK_CHARS: Final = 3


@dataclass(frozen=True, slots=True)
class Request:
    """Phrase that states a request, and its grammatical form, by which a sentence is made of it."""

    text: str
    form: Form
    language: Language


def find_requests(covered: str) -> tuple[Request, ...]:
    """Requests of a description, in its order, the first of every sentence before the second of any."""
    by_sentence = [list(_find_in_sentence(one.strip())) for one in split_sentences(_QUOTED.sub(" ", covered))]
    rounds = range(max(map(len, by_sentence), default=0))
    found = (requests[at] for at in rounds for requests in by_sentence if at < len(requests))
    return tuple({request.text.casefold(): request for request in reversed(list(found))}.values())[::-1]


def read_request(text: str) -> Request | None:
    """Request that a phrase states: a quoted phrase, a trigger, a title; None if too little or too much is left."""
    language = _guess_language(text)
    phrase = _strip(text, language)
    min_chars = choose(language, en=_MIN_CHARS, zh=_MIN_CJK_CHARS)
    if len(phrase) < min_chars or _is_long(phrase, language) or phrase.startswith("不"):
        return None
    return _classify(phrase, language)


def _guess_language(text: str) -> Language:
    """Language of most of a text: an English sentence may name 周报."""
    latin = sum(char.isascii() and char.isalpha() for char in text)
    return language_of(text) if 2 * sum(map(has_cjk, text)) >= latin else "en"


def _find_in_sentence(sentence: str) -> Iterator[Request]:
    language = _guess_language(sentence)
    plain = _remove_repeatedly(_LEAD_IN[language], _BRACKETS.sub(" ", sentence))
    clauses = _COMMA[language].split(plain)
    whole = read_request(plain)
    if whole is not None and (len(clauses) < _LIST_SIZE or _VERB_LIST.match(whole.text)):
        yield from _spread_verbs(whole)
        return
    found = (read_request(clause) for clause in clauses)
    for request in filter(None, found):
        if not _NO_REQUEST.match(request.text):
            yield from _spread_verbs(request)


def _spread_verbs(request: Request) -> Iterator[Request]:
    hit = _VERB_LIST.match(request.text)
    if request.form != "verb" or hit is None:
        yield request
        return
    rest = request.text[hit.end() :]
    for verb in hit.groups():
        yield Request(f"{verb.lower()} {rest}", "verb", request.language)


def _strip(text: str, language: Language) -> str:
    phrase = _remove_repeatedly(_LEAD_IN[language], text.strip().strip("\"'“”‘’「」`"))
    return _remove_repeatedly(_TAIL[language], phrase).strip("\"'“”‘’「」` ")


def _remove_repeatedly(pattern: re.Pattern[str], phrase: str) -> str:
    """Remove a pattern until nothing of it is left, unless nothing else would be."""
    while (shorter := pattern.sub("", phrase, count=1).strip()) and shorter != phrase:
        phrase = shorter
    return phrase


def _classify(phrase: str, language: Language) -> Request:
    if _QUESTION.search(phrase):
        return Request(phrase, "sentence", language)
    return choose(language, en=_classify_english, zh=_classify_chinese)(phrase)


def _classify_chinese(phrase: str) -> Request:
    return Request(phrase, "verb" if _ZH_VERB.match(phrase) else "noun", "zh")


def _classify_english(phrase: str) -> Request:
    first, *rest = phrase.split()
    word = first.rstrip(",")
    base = _to_base_form(word)
    if base in _VERBS and rest:
        return Request(" ".join((base + first[len(word) :], *rest)), "verb", "en")
    if word.lower().endswith("ing") and rest:
        return Request(" ".join((first.lower(), *rest)), "gerund", "en")
    return Request(phrase, "noun", "en")


def _to_base_form(word: str) -> str:
    """The verb of a third person: "Computes" is "compute", "Classifies" is "classify"."""
    low = word.lower()
    if low in _VERBS:
        return low
    for ending, instead in (("ies", "y"), ("es", ""), ("s", "")):
        if low.endswith(ending) and low.removesuffix(ending) + instead in _VERBS:
            return low.removesuffix(ending) + instead
    return low


def _is_long(phrase: str, language: Language) -> bool:
    return choose(language, en=len(phrase.split()) > _MAX_WORDS, zh=len(phrase) > _MAX_CJK_CHARS)
