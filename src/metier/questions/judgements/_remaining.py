"""What the work has left unsolved: 还有哪些没解决, "which cells remain?"; told from a table of it."""

from collections.abc import Sequence
from typing import Final

from metier.language import Language
from metier.patterns import compile_later
from metier.questions._drafts import list_values
from metier.questions._results import Answer, ResultTable
from metier.questions.judgements._judgement_sentences import JUDGEMENT_SENTENCES

_THINGS: Final = r"(?:小区|设备|机器|问题|条款|项|条|台|个|处|地方|的)*"
_UNSOLVED: Final = (
    r"(?:没有?|未|不)(?:得到|能|有|被|达)?"
    r"(?:解决|改善|优化|修好|处理|达标|好|到位|满足|覆盖|做|完成|修|改)(?:好|到|完|掉)?"
)
_SOLVED_EN: Final = r"(?:solved|fixed|resolved|mended|done|improved|repaired|addressed|handled)"
REMAINING: Final = (
    rf"(?=.*[还仍剩遗哪几什多怎为])(?:那|现在|目前|仿真后|优化后|之后|还|仍|一共|总共)*(?:有|剩|剩下|是)?(?:哪些|哪几|什么|多少|几)?{_THINGS}(?:还|仍然?|依然)?(?:是)?"
    rf"(?:{_UNSOLVED}|剩下?|剩余|遗留)了?的?"
    rf"(?:有|是)?(?:哪些|哪几个|什么|多少|几个)?{_THINGS}(?:为什么|为啥)?"
    rf"|(?:为什么|为啥|怎么)(?:还|仍然?)?(?:有|剩)?(?:这些|那些)?{_THINGS}{_UNSOLVED}"
    rf"|(?:which|what|how\s+many)(?:\s+of\s+(?:them|these|those))?(?:\s+\w+)?\s+(?:(?:are|is|were|have|do)\s+)?"
    rf"(?:(?:still|yet|not|n't|been)\s+)*"
    rf"(?:un{_SOLVED_EN}|not\s+(?:yet\s+)?(?:been\s+)?{_SOLVED_EN}|remain(?:s|ing)?(?:\s+(?:un{_SOLVED_EN}|open))?|left(?:\s+over)?|open)(?:\s+yet|\s+now)?"
    rf"|(?:what|anything)(?:'s|\s+is)?\s+(?:still\s+)?(?:left|remaining|open|unsolved)"
)
_TABLE: Final = compile_later(
    r"(?i)未解决|没解决|未满足|不满足|未达标|待整改|剩余的|not solved|unsolved|not fixed|not met|still open"
)
_MAX_NAMES: Final = 6


def find_remaining(tables: Sequence[ResultTable]) -> ResultTable | None:
    """The newest table of what is not solved."""
    return next((one for one in tables if _TABLE.search(one.title)), None)


def tell_remaining(table: ResultTable, language: Language) -> Answer:
    """How many are left, the first of them with their figures, and the table."""
    count = table.total
    named = [
        JUDGEMENT_SENTENCES.render(
            "row", language, name=str(row[0]), values=list_values(table, at, language, with_place=False)
        )
        for at, row in enumerate(table.rows[:_MAX_NAMES])
    ]
    listed = "\n".join(f"- {one}" for one in named)
    opening = JUDGEMENT_SENTENCES.render("remaining", language, title=table.title, count=count, shown=len(named))
    source = JUDGEMENT_SENTENCES.render("source", language, said=table.said)
    return Answer(f"{opening}\n\n{listed}\n\n{source}", tables=(table,), shown=table)
