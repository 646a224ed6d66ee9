"""Words that set a limit or sum up beside a number, and name nothing: 低于 60, 满分 100, average 35."""

import re
from typing import Final, Literal

__all__ = ["MeasureKind", "is_limit", "read_measure"]

MeasureKind = Literal["measure", "sum", "goal"]
# What stands before a number that things are compared with.
_LIMIT: Final = re.compile(
    r"(?:.*(?:[低高大小少多早晚短长]于|不[足到满及]|未[满达到]+|没到|达不到|超[过出]|至[少多]|最[少多]|起码|顶多|介于)|(?:不|别|要|得|能)*超|满|逾)"
    r"(?:了|有|是|为)?|"
    r"(?:.*\b)?(?:over|under|below|above|beyond|exceed(?:s|ing)?|(?:more|less|fewer|greater|higher|lower|larger|smaller|"
    r"older|younger|earlier|later|better|worse) than|at (?:least|most)|up to)",
    re.IGNORECASE,
)
# What a number is called that says something about the others and is none of them.
_MEASURES: Final[tuple[tuple[MeasureKind, "re.Pattern[str]"], ...]] = (
    (
        "measure",
        re.compile(
            r"满[分额]|总分|[及合]格[线分]?|分数线|达标线?|平均[数值分]?|人均|均[分值价]|中位数|最[高低大小][值分数额价]?|(?:最高)?限[价额]|[上下]限|门限|阈值|"
            r"警戒线|(?:the )?(?:average|avg|mean|median|max(?:imum)?|min(?:imum)?|limit|cap|threshold|"
            r"(?:pass|passing|full|top) (?:mark|score|grade)s?|(?:upper|lower) (?:limit|bound))"
            r"(?: (?:is|of|score|age|mark|value))?",
            re.IGNORECASE,
        ),
    ),
    (
        "sum",
        re.compile(
            r"合计|总计|共计|小计|总[数额和共]|累计|(?:平均|人均|最[高低大小]).{1,4}|"
            r"(?:grand |sub)?-?total|sum|overall|(?:average|mean|maximum|minimum) \w+",
            re.IGNORECASE,
        ),
    ),
    (
        "goal",
        re.compile(
            r"(?:去年|上年|往年)?同期|去年|上[年月季周]|往年|"
            r"(?:last|previous|prior) (?:year|month|quarter)|目标[值数]?|标准[值线]?|基准[线值]?|"
            r"(?:the )?(?:target|goal|baseline)(?: is)?",
            re.IGNORECASE,
        ),
    ),
)


def is_limit(name: str) -> bool:
    """Whether the words before a number only compare something with it."""
    return _LIMIT.fullmatch(name.strip()) is not None


def read_measure(name: str) -> MeasureKind | None:
    """Whether the words before a number say something about all numbers: a full mark, an average, a sum, a goal."""
    return next((kind for kind, form in _MEASURES if form.fullmatch(name.strip())), None)
