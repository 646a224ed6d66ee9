"""How important an aspect is said to be: a clause is read whole or not at all."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

_MAX_NAME: Final = 24
_MAX_WORDS: Final = 4
_MAX_CLAUSE: Final = 80
_DENIED: Final = 2.0
_N: Final = "(?P<name>.+?)"
_V: Final = "(?:重要|看重|在乎|在意|关键|要紧|关心|重视)"
_A: Final = "(?:也|都|倒|却|其实|真的|就|才|对我来说|对我)*"
_BE: Final = "(?:is|are)"
_BE_NOT: Final = "(?:is not|isn't|are not|aren't|is never|are never)"
_DO_NOT: Final = "(?:does not|doesn't|do not|don't|never|hardly|barely)"
_TRULY: Final = "(?:really |actually |always |also |certainly |definitely |exactly )*"
_FIRST: Final = "(?:the |my )?(?:most(?: important)?(?: thing)?|first|(?:top )?priority|number one)(?: of all)?"
# Forms of a clause with the weight that they mean, and the weight of the same form without its denial.
_FORMS: Final = tuple(
    (weight, affirmed, re.compile(form, re.IGNORECASE))
    for weight, affirmed, forms in (
        (
            1.0,
            4.0,
            (
                f"{_N}{_A}(?:最|并|完全|一点也?|一点都|根本|从来)*不(?:太|怎么|大)?{_V}的?",
                f"{_N}{_A}(?:无所谓|可有可无)",
                f"我?{_A}(?:最|并)*不(?:太|怎么|大|很|是很)?(?:看重|在乎|在意|关心|重视|考虑)的?是?{_N}",
                f"{_N} {_BE_NOT} (?:at all )?important(?: at all)?",
                f"{_N} {_BE} (?:unimportant|irrelevant)",
                f"{_N} {_DO_NOT} {_TRULY}matters?(?: much| at all| a lot| that much)?",
                f"i {_DO_NOT} {_TRULY}care (?:much )?about {_N}",
            ),
        ),
        (
            1.0,
            5.0,
            (
                f"{_N} {_DO_NOT} {_TRULY}(?:matters?|comes?) (?:the )?(?:most|first)(?: of all)?",
                f"{_N} (?:{_BE}|matters?|comes?) (?:the )?least(?: important)?(?: of all)?",
            ),
        ),
        (
            _DENIED,
            5.0,
            (
                f"{_N}{_A}并?(?:不是|不算|未必是?|并非)我?最{_V}的?",
                f"{_N}{_A}并?不(?:是|在|排|排在|放在)(?:第一位?|首位)",
                f"我?最?{_V}的{_A}并?(?:不是|并非){_N}",
                f"{_N} {_BE_NOT} {_TRULY}{_FIRST}",
                f"(?:the )?most important(?: thing)? {_BE_NOT} {_N}",
                f"{_N} {_DO_NOT} {_TRULY}comes? first",
            ),
        ),
        (
            _DENIED,
            4.0,
            (
                f"{_N}{_A}并?(?:不是|不算|没有?|未必|并非|不(?!太))(?:那么|这么|特别|很|太|非常|十分|见得|一定|多么)+{_V}的?",
                f"{_N}{_A}并?(?:不算|未必|并非|没有?多){_V}的?",
                f"{_N} {_BE_NOT} {_TRULY}(?:very|so|that|all that|too|particularly|terribly) important",
            ),
        ),
        (
            5.0,
            5.0,
            (
                f"{_N}{_A}是?我?最{_V}的?",
                f"我?最{_V}的?{_A}(?:还)?是?{_N}",
                f"没有?什么比{_N}更?{_V}的?",
                f"(?:首先|第一)(?:是|位是|位)?{_N}",
                f"{_N}{_A}是?(?:排|放)?在?(?:第一位?|首位)",
                f"{_N}优先",
                f"{_N} (?:{_BE} |matters? |comes? )?{_TRULY}(?:{_FIRST}|above all)",
                f"(?:the )?most important(?:ly)?(?: thing)?(?: is|:)? {_N}",
                f"(?:first(?: is|:|ly)?|above all:?) {_N}",
                f"nothing (?:is more important|matters more) than {_N}",
            ),
        ),
        (
            4.0,
            4.0,
            (
                f"{_N}{_A}是?(?:很|非常|十分|比较|挺|蛮|特别|相当|同样)?{_V}的?",
                f"我?{_A}(?:很|非常|比较|挺|更|更加|尤其|特别|主要|相对)?(?:看重|在乎|在意|重视|关心|考虑)的?是?{_N}",
                f"{_N}{_A}(?:更|更加|尤其){_V}(?:一些|一点)?的?",
                f"(?:其次|然后|接着|第二)才?(?:是|位是|位)?{_N}",
                f"{_N}(?:{_A}是?(?:排|放)?在?第二位?|其次)",
                f"{_N} {_BE} {_TRULY}(?:very |quite |so |too )?important",
                f"{_N} {_TRULY}matters?(?: a lot| much| too)?",
                f"(?:then|next|second(?:ly)?)(?: is| comes|:)? {_N}",
                f"{_N} (?:comes? |{_BE} )?(?:second|next)",
                f"i {_TRULY}care (?:more )?about {_N}(?: more)?",
                f"{_N} (?:matters?|counts?) more",
            ),
        ),
        (
            3.0,
            3.0,
            (
                f"(?:再次|再其次|第三)(?:是|位是|位)?{_N}",
                f"{_N}{_A}是?(?:排|放)?在?第三位?",
                f"third(?:ly)?(?: is|:)? {_N}",
                f"{_N} (?:comes? |{_BE} )?third",
            ),
        ),
        (
            2.0,
            2.0,
            (
                f"{_N}(?:就|比较|都)?(?:一般般?|次要|普通|随意|还好|还行)",
                f"(?:最后|末尾)才?是?{_N}",
                f"{_N} {_BE} (?:less important|so-so|secondary)",
                f"{_N} matters? (?:a )?little",
                f"{_N} (?:comes? |{_BE} )?last",
                f"last(?:ly)?(?: is|:)? (?!year|month|week|night|minute){_N}",
            ),
        ),
    )
    for form in forms
)
# What a clause leaves to the one before it: pay isn't the most important, growth is; 最重要的不是钱，是稳定.
_TOO: Final = tuple(
    re.compile(form, re.IGNORECASE) for form in (f"是{_N}", f"{_N}(?:才|就)是", f"{_N} (?:is|are|does|do)")
)
_NOT_SO: Final = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (f"不是{_N}", f"not {_N}", f"{_N} (?:is not|isn't|are not|aren't|doesn't|does not|don't|do not)")
)
_MORE: Final = tuple(
    (is_more, re.compile(form.replace("@", "(?P<one>.+?)").replace("#", "(?P<other>.+?)"), re.IGNORECASE))
    for is_more, form in (
        (True, f"@{_A}比#(?:更|还|要|更加)*{_V}的?(?:多|一些|一点|得多)?"),
        (False, f"@{_A}(?:不如|没有?)#(?:那么|这么)?{_V}的?"),
        (True, "@ (?:matters?|counts?) (?:much )?more (?:to me )?than #"),
        (True, f"@ {_BE} (?:much )?more important (?:to me )?than #"),
        (True, "@ (?:comes? |goes )?before #"),
        (False, "@ (?:matters?|counts?) (?:much )?less than #"),
        (False, f"@ {_BE} (?:much )?less important than #"),
    )
)
_BEFORE: Final = re.compile(
    r"^(?:我觉得|我认为|对我来说|在我看来|其实|但是?|不过|而且?|可是?(?!能)|反而|"
    r"(?:i think|for me|to me|honestly|but|and|also|while|whereas)[ ,]+)+",
    re.IGNORECASE,
)
_AFTER: Final = re.compile(r"(?:吧|呢|啊|哦|啦| to me| for me| though)+$", re.IGNORECASE)
_ARTICLE: Final = re.compile(r"^(?:(?:the|my|our|a|an) )+", re.IGNORECASE)
# Work that somebody does not want is an aspect of its own: 不加班, no overtime.
_UNWANTED: Final = re.compile(
    r"(?:不(?:用|必|需要)?|没有?)(?=加班|出差|熬夜|应酬|通勤|搬家|坐班|倒班|喝酒)|"
    r"\bno (?=overtime|commute|travel|nights|weekends)",
    re.IGNORECASE,
)
_NO_NAME: Final = re.compile(
    rf"不|没|未(?!来)|无(?!线|人)|非(?!营利|遗)|哪|何|岂|难|曾|以前|过去|似乎|好像|也许|大概|或许|别(?!墅)|最|(?<!价)比(?!例)|更|很|是|也|(?<![首成])都|但|而|占|{_V}|首先|其次|然后|优先|"
    r"第[一二三四五]|一般|次要|我(?!家)|你|吗|呢|吧|了|什么|怎么|谁|随便|知道|如果|因为|所以|觉得|应该|可能|除了|只要|"
    r"\b(?:is|are|was|be|isn't|aren't|not|never|no|nothing|none|neither|nor|without|don't|doesn't|won't|can't|matters?|"
    r"counts?|more|less|than|most|least|important|unimportant|very|second|third|then|next|always|only|except|but|if|"
    r"because|i|i'm|you|it|we|they|what|which|how|why|do|does|did|can|could|would|should|will|know|think|care|help|"
    r"please|sure|depends|whatever|anything|everything|something|maybe|perhaps|hardly|barely|seldom|rarely|scarcely|little|cannot|ain't|once|used|may|might|must|even|"
    r"before|after|rather|so|too|much)\b|"
    r"\b(?:first|last)\b(?!-)|[\d%％<>＞＜=＝:：?？!！+*/()（）\"]|n't\b|-$|^-",
    re.IGNORECASE,
)


def find_name(said: str) -> str:
    """The name of an aspect; empty if a word in it says something else than what the aspect is."""
    name = _ARTICLE.sub("", said.strip(" :：'“”"))
    is_one = 0 < len(name) <= _MAX_NAME and len(name.split()) <= _MAX_WORDS
    return name if is_one and not _NO_NAME.search(_UNWANTED.sub("", name)) else ""


def trim_clause(said: str) -> str:
    """A clause without what joins it to the others."""
    return _AFTER.sub("", _BEFORE.sub("", said.strip(" .!！’‘").replace("’", "'"))).strip()


def read_clauses(clauses: Sequence[str]) -> tuple[tuple[str, float | None], ...]:
    """Name and weight (None: not said) of each aspect; empty if one clause cannot be read whole in one way."""
    found: dict[str, float | None] = {}
    affirmed: float | None = None
    for clause in clauses:
        read = set(_read_clause(clause, affirmed))
        if len({(name, weight) for name, weight, _ in read}) != 1:
            return ()
        name, weight, after = min(read, key=lambda one: one[2] or 0.0)
        if found.get(name) is not None and weight is not None and found[name] != weight:
            return ()
        found[name] = found.get(name) if weight is None else weight
        affirmed = after if after is not None else affirmed
    return tuple(found.items())


def find_unread(clauses: Sequence[str]) -> tuple[str, ...]:
    """The clauses that say of no aspect how important it is, in any form that is known."""
    return tuple(one for one in clauses if not {*_read_clause(one, _DENIED)} and read_comparison(one) is None)


def read_comparison(clause: str) -> tuple[str, str] | None:
    """The weightier and the lighter of two aspects that a clause compares."""
    for is_more, form in _MORE:
        if match := form.fullmatch(clause):
            one, other = find_name(match["one"]), find_name(match["other"])
            if one and other:
                return (one, other) if is_more else (other, one)
    return None


def _read_clause(clause: str, affirmed: float | None) -> Iterator[tuple[str, float | None, float | None]]:
    """Every way to read a clause: name, weight and the weight that an affirmed aspect has after it."""
    if len(clause) > _MAX_CLAUSE:
        return
    if name := find_name(clause):
        yield name, None, None
    for weight, meant, form in _FORMS:
        if (match := form.fullmatch(clause)) and (name := find_name(match["name"])):
            yield name, weight, meant
    if affirmed is None:
        return
    for forms, weight in ((_TOO, affirmed), (_NOT_SO, min(_DENIED, affirmed))):
        for form in forms:
            if (match := form.fullmatch(clause)) and (name := find_name(match["name"])):
                yield name, weight, affirmed
