"""Orders for a table of the conversation: a plain conversion, or figures of columns that it has."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

from metier.attachments import list_attachments
from metier.packs.workspace.data._files import list_own_files, name_file, show_name
from metier.packs.workspace.data._open_table import OpenTables
from metier.packs.workspace.data._request import find_format, read_requests
from metier.patterns import compile_later
from metier.tools import ToolError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from metier.packs.workspace.data._columns import DataColumn

TABLES: Final = OpenTables()
_ENDINGS: Final = (".csv", ".tsv", ".json", ".jsonl", ".xlsx", ".xlsm")
_OTHER_CONTENT: Final = (".docx", ".pptx", ".pdf", ".md", ".txt")
_MAX_CHARS: Final = 120
_MAX_BYTES: Final = 8_000_000
_FORMAT: Final = r"(?:csv|xlsx|excel|json|markdown|md)"
_NAME: Final = "\x00"  # stands for the name of a file
# The whole message, to its last word: what else it says is no plain conversion.
_CONVERSION: Final = compile_later(
    rf"(?:好的?|那就?|再|然后|接着|接下来|最后|顺便|麻烦|请|帮我|帮忙|给我|也|你|我想|我要|能不能|可以|想|[，,\s])*"
    rf"(?:[把将](?:[这那它]|上面|刚才|我|上传|附|附件|里|的|[个份张些]|数据|表格?|文件|资料|内容|csv|json|excel|xlsx|{_NAME}|\s)*)?"
    rf"(?:[这那][个份张些]?(?:数据|表格?|文件)?)?(?:全部|全|都|也|再|直接|给我|帮我|一起|{_NAME}|\s)*"
    rf"(?:转换?|变换?|另?存|导出?|保存|输出|改|弄)(?:一[份下])?(?:成|为|到|一[份个]|个)\s*(?:一[个份张])?\s*{_FORMAT}\s*"
    rf"(?:格式|文件|表格?|版本?|工作簿|的|吧|呗|吗|可以|一下|给我|谢谢|看看|[，,。.！!？?\s])*"
    rf"|(?:(?:ok|okay|please|can you|could you|would you|now|then|and|also|next|i want to|i'd like to)[,\s]+)*"
    rf"(?:convert|turn|export|save|change|transform)"
    rf"(?:\s+(?:this|that|the|my|it|these|them|all|attached|uploaded|whole|data|tables?|files?|csv|json|excel|xlsx|sheet"
    rf"|spreadsheet|attachment|one|{_NAME}))*\s+(?:to|as|into|in)\s+(?:an?\s+)?{_FORMAT}"
    rf"(?:\s+(?:file|format|table|workbook|sheet|spreadsheet|please|for me|too|as well|instead|now))*[,\s]*"
    rf"(?:please|thanks|thank you)?[.!?\s]*"
    rf"|(?:(?:and|now|then|also|next|please)[,\s]+)+(?:in)?(?:to|as)\s+(?:an?\s+)?{_FORMAT}"
    rf"(?:\s+(?:file|format|table|please|too|as well))*[.!?\s]*"
)


def orders_conversion(message: str, workspace: Path) -> bool:
    """Whether a message asks, to its last word, to write the newest table of the folder in another format."""
    said = message.strip().lower()
    own = [path for path in list_own_files(workspace) if path.suffix.lower() in _ENDINGS]
    if not own or len(said) > _MAX_CHARS or "\n" in said:
        return False
    masked, named = _mask_names(said, own)
    if not _CONVERSION.fullmatch(masked):
        return False
    attached = [one for one in list_attachments(workspace) if Path(one.name).suffix.lower() in _OTHER_CONTENT]
    newest = max((_find_time(workspace / one.path) for one in attached), default=0)
    file = named or own[-1]
    is_other = find_format(said, "") != file.suffix.lower().lstrip(".")
    return (is_other or len(own) > 1) and (named is not None or _find_time(own[-1]) >= newest)


def _mask_names(said: str, own: "Sequence[Path]") -> tuple[str, Path | None]:
    """The message with the names of files taken out, and the file that was named."""
    for path in reversed(own):
        shown = show_name(path.name).lower()
        for word in (shown, Path(shown).stem):
            if len(word) > 1 and word in said:
                return said.replace(word, _NAME, 1), path
    return said, None


def _find_time(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


def names_figures(message: str, columns: "Sequence[DataColumn]") -> bool:
    """Whether a message asks for figures by a column, and names both as the table has them: 按城市汇总金额."""
    asked = read_requests(message, columns)
    return all(
        one.question is None and one.keys and (one.measures or one.stats) and one.tasks != ("overview",)
        for one in asked
    )


def orders_figures(message: str, workspace: Path) -> bool:
    """Whether a message asks for figures of columns that the newest table of the folder has."""
    own = [path for path in list_own_files(workspace) if path.suffix.lower() in _ENDINGS]
    if not own or len(message) > _MAX_CHARS or "\n" in message or own[-1].stat().st_size > _MAX_BYTES:
        return False
    try:
        table = TABLES.open(workspace / name_file(own[-1], workspace), workspace, "zh")
    except (ToolError, OSError):
        return False
    return names_figures(message, table.columns)
