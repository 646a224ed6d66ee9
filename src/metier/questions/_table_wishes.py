"""A wish for something on the screen as a file, by its name: 把待办导出成Excel means the table, not a document."""

from dataclasses import dataclass
from typing import Final

from metier.patterns import compile_later
from metier.questions._results import Results, ResultTable
from metier.textsearch import fold

_SAID: Final = r"[^，,。；;：:\n]{1,20}?)(?:这[个张]?)?(?:表格|列表|清单|表)?(?:单独|都|也|再|全部|\s)*"
_WRITE: Final = r"(?:转换?|另?存|导出?|保存|输出)"
_KINDS: Final = r"excel|xlsx|csv|pdf|word|docx|pptx?"
_WISH: Final = compile_later(
    rf"(?:请|帮我|麻烦|给我|再|也|那就?|[，,\s])*+"
    rf"(?:[把将](?P<put>{_SAID}{_WRITE}|(?![把将])(?P<bare>{_SAID}{_WRITE}|(?:导出?+|另?存|保存|输出)(?P<after>{_SAID})"
    rf"(?:成|为|到)\s*(?:一[个份张])?\s*(?P<zh>{_KINDS})\s*(?:表格?|文件|格式|吧|吗|一下|给我|谢谢|[，,。.！!？?\s])*"
    rf"|(?:please |can you |could you |now |then )*+(?:(?:export|save|convert|turn|download) )?"
    rf"(?:(?:the|all|my|these) )*+(?P<said>[\w\- ]{{2,40}}?)(?: (?:table|list))?"
    rf" (?:to|as|into) (?:an? )?(?P<en>{_KINDS})"
    rf"(?: (?:file|sheet|workbook))?(?:,? please)?[.!?\s]*"
)
# Words that stand for whatever is at hand: they name nothing of their own.
_AT_HAND: Final = compile_later(
    r"(?:[这那它其此个份张些篇的里我都再也请]|上面|刚才|之前|全部|所有|直接|全文|内容|数据|文件|文档|结果|报告|表格?|资料|材料"
    r"|附件|上传|帮|给|一下|最后|然后|接着)+"
    r"|(?:(?:it|this|that|these|them|all|everything|whole|data|contents?|files?|documents?|results?|report|table|sheet|text"
    r"|the|my|of|attached|uploaded|attachment|now|then|and|next|above|one|export|save|convert|turn|download)\b ?)+"
)
_ENDINGS: Final = ("xlsx", "csv")
_MIN_PART: Final = 2


@dataclass(frozen=True, slots=True)
class TableWish:
    """Something that a message wants as a file: its name as it was said, and the ending of the file."""

    name: str
    ending: str

    @property
    def is_named(self) -> bool:
        """Whether the words name something, and do not only point at what is there."""
        return _AT_HAND.fullmatch(self.name) is None


def read_table_wish(message: str) -> TableWish | None:
    """Read a message that wants, to its last word, something by its name as a file."""
    found = _WISH.fullmatch(message.strip().lower())
    if found is None:
        return None
    kind = found["zh"] or found["en"]
    name = next(one for one in found.group("put", "bare", "after", "said") if one)
    return TableWish(fold(name).strip(), {"excel": "xlsx", "word": "docx", "ppt": "pptx"}.get(kind, kind))


def find_wished(wish: TableWish, results: Results) -> ResultTable | None:
    """The newest table of this name that is on the screen as a whole; None if none is called so or none fits the file.

    A part of a title is enough where it names something.
    """
    if wish.ending not in _ENDINGS:
        return None
    whole = [one for one in results.tables if one.title and one.total == len(one.rows)]
    same = [one for one in whole if fold(one.title).strip() == wish.name]
    is_part = len(wish.name) >= _MIN_PART and wish.is_named
    return next(iter(same or [one for one in whole if is_part and wish.name in fold(one.title)]), None)
