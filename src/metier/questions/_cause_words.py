"""Words of a question for all causes; any other word asks for more than their list."""

from typing import Final

from metier.patterns import compile_later
from metier.questions._match import QuestionReader, is_coordinate, list_headings
from metier.questions.queries import concepts_of

_OF_CAUSES: Final = compile_later(
    r"(?:主要|根本|具体|到底|究竟|可能|导致|造成|引起|产生|影响|出现|发现|找到|查出|分析|这么|那么|这样|如此|会|都|总|很|太|"
    r"不好|不行|不佳|好|差|弱|低|高|坏|慢|卡|多|少|大|小|根因|原因|问题|是|有|出|在|呢|吗|的|了|得|啊|呀|信号|网络|质量|"
    r"小区|区域|项|个|种)+"
    r"|root|main|likely|caus(?:es?|ed|ing)|reasons?|wrong|went|problems?|issues?|network|signal|cells?|why|find|weak|slow|busy"
    r"|happen(?:s|ed|ing)?|behind|identified"
)


def list_cause_words(reader: QuestionReader) -> tuple[str, ...]:
    """Words that belong to a question for all causes, or that a heading has in either language.

    在哪 is read as a place, which the question does not ask for.
    """
    shown = frozenset[str]().union(*(concepts_of(text) for one in reader.tables for text in list_headings(one)))
    unknown = reader.list_unknown()
    return tuple(
        one
        for one in reader.words
        if one not in unknown
        or _OF_CAUSES.fullmatch(one)
        or is_coordinate(one)
        or (one.isascii() and concepts_of(one) and concepts_of(one) <= shown)
    )
