"""Detects prompt injection by wording: orders to ignore instructions, to download and run code, hidden orders.

A short list of patterns that finds crude attempts only; no finding does not mean no risk. The patterns run on
lower-case text, and only where one of their first words occurs: a case-insensitive search that may start anywhere
takes a microsecond per character.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from types import MappingProxyType

from metier.patterns import compile_later

_Span = tuple[int, int]


_Search = Callable[[str], Iterator[_Span]]


def _build_search(words: str, pattern: str) -> _Search:
    """Build a search for `pattern` that is tried only where one of the words (`a|b`) occurs."""
    first, whole = compile_later(words), compile_later(pattern, re.VERBOSE)
    listed = words.split("|")

    def search(text: str) -> Iterator[_Span]:
        if any(word in text for word in listed):
            for start in first.finditer(text):
                if found := whole.match(text, start.start()):
                    yield found.span()

    return search


_NEGATION = compile_later(r"(?:\b(?:not|never|don't|cannot|without)|不要|不得|不可|不能|不应|切勿|禁止|请勿|勿|别)\s*$")
_OVERRIDE = _build_search(
    "ignore|disregard|forget|override|bypass|忽略|无视|忘记|忘掉|抛弃|绕过",
    r"""\b(?:ignore|disregard|forget|override|bypass)\s+(?:(?:all|any|of|the|your|my|these|those)\s+){0,4}
        (?:previous|prior|above|earlier|preceding|system|original|initial)\s+
        (?:(?:system|user|given|safety)\s+)?(?:instructions?|prompts?|rules|guidelines|directives)\b
    | \b(?:ignore|disregard|forget)\s+(?:all|everything)\s+(?:of\s+)?(?:(?:the|your)\s+)?
        (?:instructions?|prompts?|(?:you\s+were\s+told|said)\s+(?:before|above|earlier))\b
    | (?:忽略|无视|忘记|忘掉|抛弃|绕过)掉?(?:你)?(?:所有|全部|一切)?(?:的)?
        (?:(?:在此)?之前|以上|此前|先前|前面|上述|上面|原有|原来)(?:你)?(?:收到|得到|给出|设定)?(?:的)?(?:所有|全部|一切)?(?:的)?
        (?:系统)?(?:指令|指示|提示词?|规则|设定|约束)
    | (?:忽略|无视|忘记|忘掉|抛弃|绕过)掉?(?:你)?(?:的)?(?:所有|全部|一切)?(?:的)?系统(?:指令|指示|提示词|规则|设定)""",
)


def _find_override_orders(text: str) -> Iterator[_Span]:
    """Orders to ignore instructions, unless negated: `never ignore previous instructions` is harmless."""
    return (span for span in _OVERRIDE(text) if not _NEGATION.search(text[max(0, span[0] - 12) : span[0]]))


_DOWNLOAD_TO_SHELL = _build_search(
    "curl|wget|iwr|irm|invoke-|iex|bash|zsh|sh|eval",
    r"""\b(?:curl|wget|iwr|irm|invoke-webrequest|invoke-restmethod)\s[^\n|;]{0,200}
        \|\s*(?:sudo\s+)?(?:(?:ba|z|da|k)?sh|iex|invoke-expression)\b
    | \b(?:curl|wget)\s[^\n|;]{0,200}\|\s*(?:sudo\s+)?(?:python3?|perl|ruby|node)\s*(?:-\s*)?(?=$|[\n`"'])
    | \b(?:ba|z)?sh\s+(?:-c\s+)?["']?[<$]\(\s*(?:curl|wget)\b
    | \beval\s*["'(]{0,3}\s*[$`]?\(?\s*(?:curl|wget)\b
    | \biex\s*\(\s*(?:iwr|irm|new-object\s+net\.webclient)""",
)
_REMOTE_ORDERS = _build_search(
    "fetch|download|load|read|open|get|visit|go|下载|获取|读取|打开|访问|抓取",
    r"""\b(?:fetch|download|load|read|open|get|visit|go\s+to)\b[^\n.:]{0,40}https?://[^\s)]{1,300}[^\n.]{0,30}
        \b(?:(?:follow|obey)\s+(?:(?:all|any|the|its|every|whatever|those|these)\s+){0,2}
             (?:instructions?|commands?|orders?|directions?|it|what\s+it\s+says)
           |(?:execute|run)\s+(?:it|them|whatever|what\s+it\s+says|(?:(?:all|any|the|its|those|these)\s+){1,2}
             (?:instructions?|commands?)))\b
    | (?:下载|获取|读取|打开|访问|抓取)[^\n。：]{0,20}https?://[^\s)，。]{1,300}[^\n。]{0,20}
        (?:按照?|遵循|遵照|服从|执行)(?:其|里面|其中|该|上面|页面|网页|文件)?(?:中|里|上)?(?:的)?(?:所有|全部)?(?:的)?(?:指令|指示|命令)""",
)
_HIDDEN_ORDER = compile_later(
    r"""\b(?:ignore|disregard)\s+(?:all|any|the|your|previous|prior|above)\b
    | \b(?:execute|run)\s+(?:the\s+following|these|this\s+(?:command|code|script|shell|now))\b
    | \b(?:do\s+not|don't|never)\s+(?:tell|mention|reveal|inform|show)\b
        [^\n]{0,30}\b(?:user|human|anyone|anybody|operator|them)\b
    | \b(?:secretly|exfiltrate)\b | \bsend\s+(?:the|all|your)\b[^\n]{0,60}\bto\b
    | 执行以下|运行以下|不要告诉|别告诉|偷偷|悄悄|秘密地|(?:忽略|无视)(?:以上|之前|上述|所有)""",
    re.VERBOSE,
)


def _find_comment_orders(text: str) -> Iterator[_Span]:
    """Orders in HTML comments. `str.find` is linear; a pattern over the whole comment restarts at every `<!--`."""
    at = text.find("<!--")
    while at >= 0:
        end = text.find("-->", at + 4)
        end = len(text) if end < 0 else end
        if found := _HIDDEN_ORDER.search(text, at + 4, end):
            yield found.span()
        at = text.find("<!--", end)


_HIDDEN_HTML = _build_search(
    "<",
    r"""<[a-z][^<>]{0,100}\bstyle\s*=\s*(?:"[^"<>]{0,200}|'[^'<>]{0,200})
        (?:(?<![-\w])font-size\s*:\s*0(?![.\d])|(?<![-\w])display\s*:\s*none|(?<![-\w])visibility\s*:\s*hidden
          |(?<![-\w])opacity\s*:\s*0(?:\.0+)?(?![.\d]))
    | <[a-z][^<>]{0,100}\bstyle\s*=\s*
        (?:"(?![^"<>]{0,200}background)[^"<>]{0,200}|'(?![^'<>]{0,200}background)[^'<>]{0,200})
        (?<![-\w])color\s*:\s*(?:\#?f{3}(?:f{3})?\b|white\b|transparent\b)
    | <font\b[^<>]{0,80}\bcolor\s*=\s*["']?(?:white\b|\#?f{3}(?:f{3})?\b)""",
)
_ENCODED = _build_search(
    "base64|eval|exec|function|decode|解码",
    r"""\bbase64\s+(?:-d|--decode)\b[^\n|;]{0,80}\|\s*(?:sudo\s+)?(?:(?:ba|z|da|k)?sh|python3?|perl|node)\b
    | \b(?:eval|exec|function)\s*\(\s*(?:atob|(?:base64\.)?b64decode|buffer\.from|codecs\.decode|bytes\.fromhex)\s*\(
    | \b(?:decode|base64)\b[^\n.]{0,60}\b(?:and|then)\s+(?:run|execute|eval|obey|follow)\s+
        (?:it|them|the\s+(?:result|output|code|command)s?)\b
    | (?:解码|base64)[^\n。]{0,30}(?:并|然后|后)(?:直接)?(?:执行|运行)(?:它|该|结果|其)""",
)
_BLOCK = compile_later(r"(?<![a-z0-9+/])[a-z0-9+/]{80,}")
_DECODED = _build_search(
    "base64|xxd|eval|source|bash|zsh|dash|ksh|sh",
    r"""\b(?:base64\s+(?:-[a-z]{0,3}d[a-z]{0,3}|--decode)|xxd\s+(?:-p\s+)?-r)\b[^\n;]{0,120}
        \|\s*(?:(?:sudo|env|exec|command)\s+){0,3}(?:/[\w./-]{0,40}/)?(?:(?:ba|z|da|k)?sh|python3?|perl|node)\b
    | \b(?:base64\s+(?:-[a-z]{0,3}d[a-z]{0,3}|--decode)|xxd\s+(?:-p\s+)?-r)\b[^\n;|]{0,80}>\s*([\w./~-]{1,80})
        \s*(?:&&|;|\n)\s*(?:(?:sudo|env|exec)\s+)?(?:(?:ba|z|da|k)?sh|source|python3?|perl|node|chmod)\s[^\n]{0,40}\1
    | \b(?:eval|source|(?:ba|z|da|k)?sh(?:\s+-c)?)\s+["']?(?:[<$]\(|`)\s*(?:base64|xxd|openssl)\b""",
)
_RUN = compile_later(r"\b(?:run|exec|execute|eval|decode)\b|执行|运行|解码")


def _find_decoded_files(text: str) -> Iterator[_Span]:
    """Other spellings of orders to decode a file and run it."""
    known = list(_ENCODED(text))
    return (span for span in _DECODED(text) if not any(span[0] < end and start < span[1] for start, end in known))


def _find_encoded_orders(text: str) -> Iterator[_Span]:
    """Orders to decode and run something, or a long base64-like block (not a path) after a word such as `run`."""
    yield from _ENCODED(text)
    if max(map(len, text.split()), default=0) < 80:
        return
    for block in _BLOCK.finditer(text):
        run = _RUN.search(text, max(0, block.start() - 100), block.start())
        if run and block[0].count("/") < 6 and any(char.isdigit() for char in block[0]):
            yield run.start(), block.end()


def _find_remote_orders(text: str) -> Iterator[_Span]:
    return _REMOTE_ORDERS(text) if "http" in text else iter(())


_RULES: tuple[tuple[str, _Search, bool], ...] = (
    ("tells the model to drop its instructions", _find_override_orders, False),
    ("pipes a download into a shell", _DOWNLOAD_TO_SHELL, False),
    ("takes its instructions from an address", _find_remote_orders, False),
    ("decodes a file and runs it", _find_decoded_files, False),
    ("hides an order in a comment", _find_comment_orders, True),
    ("hides text from the eye", _HIDDEN_HTML, True),
    ("asks to run an encoded block", _find_encoded_orders, True),
)


# In a fenced block the elements and calls of an example are shown as they are; a pipe into a shell is still an order.
_FENCED_RULES: Mapping[str, re.Pattern[str]] = MappingProxyType(
    {
        "hides text from the eye": compile_later("<"),
        "asks to run an encoded block": compile_later(r"(?:eval|exec|function)\s*\("),
    }
)
_FENCE = compile_later(r"^ {0,3}(?:```|~~~)", re.MULTILINE)
_MAX_MATCHES = 50


@dataclass(frozen=True, slots=True)
class Suspicion:
    """A phrase that looks like prompt injection; `is_hidden` if nobody who reads the text would see what it orders."""

    line: int
    message: str
    is_hidden: bool = False


def find_suspicious_wording(text: str) -> list[Suspicion]:
    """First match of every pattern, in the order of the table."""
    found: list[Suspicion] = []
    lower = text.lower()
    shown = text if len(text) == len(lower) else lower  # as it is written, unless places have moved
    for what, search, is_hidden in _RULES:
        spans = list(islice(search(lower), _MAX_MATCHES))
        if not spans:
            continue
        visible = _FENCED_RULES.get(what)
        hidden = [one for one in spans if visible is None or not _is_example(lower, one, visible)]
        span = (hidden or spans)[0]
        quoted = " ".join(shown[span[0] : min(span[1], span[0] + 400)].split())[:80]
        message = f"the text {what}: {quoted!r}"
        found.append(Suspicion(lower.count("\n", 0, span[0]) + 1, message, is_hidden and bool(hidden)))
    return found


def _is_example(text: str, span: _Span, visible: re.Pattern[str]) -> bool:
    """Whether a match stands in a fenced block, where all of it is shown, and is of a kind that shows what it does."""
    fences = [one.start() for one in _FENCE.finditer(text, 0, span[0])]
    return len(fences) % 2 == 1 and visible.match(text, span[0]) is not None
