"""Tables of a request: columns, rows, data and what is left open."""

import re
from collections.abc import Sequence
from typing import Final

from metier.language import Language, choose
from metier.packs.office._counts import format_amount, read_amount
from metier.packs.office._request_text import CONSUMED, RequestText
from metier.packs.office.drafting._blocks import DraftBlock, draft_table
from metier.packs.office.drafting._slots import TableSize
from metier.packs.office.drafting._topics import TopicMention, list_topics
from metier.packs.office.drafting._unclear import DraftNote, Unclear
from metier.packs.office.drafting.content._records import NamedNumbers, NumberRole, find_records, order_numbers
from metier.packs.office.drafting.lists import FoundList, find_lists
from metier.packs.office.drafting.rows import RowBlock, find_pasted

__all__ = ["draft_plain_table", "draft_quotation", "draft_two_tables", "find_columns"]

_DEFAULT_ROWS: Final = 3
_NUMBER_COLUMN: Final = re.compile(r"序号|No\.?|#|编号", re.IGNORECASE)
# A request that speaks of columns has named some: the usual ones are not what is meant.
_NAMES_COLUMNS: Final = r"\b(?:columns|headings|headers)\b|表头|列名|栏目|字段"
# Whether the rows of a table with named columns were counted with its header.
_HEADER_COUNTED: Final = (
    r"(?<![不没])(?:包含|包括|含|连同?|算上|加上|带)(?:上|着)?(?:表头|标题行)(?:那?一?行)?(?:在内|一起)?|表头也?算(?:在内|进去|一行)?|"
    r"(?<!not )\b(?:including|counting|with|incl\.) the header(?: row| line)?|\bheader (?:row )?included\b"
)
_PRICE: Final = re.compile(r"单价|价格|price", re.IGNORECASE)
_MAX_COLUMNS: Final = 50
_MAX_ROWS: Final = 99


def find_columns(text: RequestText, size: TableSize, after: int) -> FoundList | None:
    """List of column names: the first list after the table is named, else the first one at all."""
    lists = list(find_lists(text))
    if not lists:
        return None
    found = next((one for one in lists if one.end > after), lists[0])
    said = size.columns or found.count or (size.grid[1] if size.grid else None)
    if said is not None and said != len(found.items):
        raise Unclear("column_count", said=said, named=len(found.items), names=found.items)
    text.consume(found.start, found.end)
    return found


def draft_plain_table(
    text: RequestText, mention: TopicMention, size: TableSize, title: str, language: Language, *, is_sheet: bool = False
) -> DraftBlock:
    """Table with named columns, a grid without names, or the usual columns of its topic.

    A document keeps figures as they were written (1,280,000.00); a sheet gets the numbers.
    """
    _check_size(size, language)
    block = DraftBlock(mention.topic.id, "", language)
    if pasted := find_pasted(text.raw):
        return _draft_pasted(block, text, size, title, pasted)
    found = find_columns(text, size, mention.start)
    records = find_records(text)
    if found is None and size.grid is not None and mention.topic.id == "table":
        rows, columns = size.grid
        block.name = title or f"{rows}×{columns}"
        _add_heading(block, title)
        block.add("insert_table", rows=rows, cols=columns, borders=True)
        return block
    if found is not None and size.grid is not None and not text.take(_HEADER_COUNTED):
        raise Unclear("header_counted", count=size.grid[0])
    if size.grid is None and size.rows and text.take(_HEADER_COUNTED):
        size.rows, size.header_only = size.rows - 1, size.header_only or size.rows == 1
    columns_found = found.items if found else mention.topic.default_columns(language)
    if not columns_found or (found is None and _names_columns(text, size, columns_found)):
        raise Unclear("no_columns")
    if not found:
        block.explain(DraftNote.of("default_columns", names=columns_found))
    block.name = title or ("" if mention.topic.id != "table" else " ".join(columns_found))
    _add_heading(block, title)
    rows_of_data = _fill_rows(block, text, size, columns_found, records, is_sheet=is_sheet)
    columns_written = columns_found
    if size.numbered and not _NUMBER_COLUMN.fullmatch(columns_found[0]):
        columns_written = (choose(language, zh="序号", en="No."), *columns_found)
        rows_of_data = [[str(at), *row] for at, row in enumerate(rows_of_data, 1)]
    if len(columns_written) > _MAX_COLUMNS or len(rows_of_data) > _MAX_ROWS:
        raise Unclear("too_large")
    block.add("insert_table", **draft_table(columns_written, rows_of_data))
    return block


def _check_size(size: TableSize, language: Language) -> None:
    """Raise `Unclear` for a total, and for rows of a second table that was not found."""
    if size.total:
        raise Unclear("unsupported", part=choose(language, zh="合计", en="total"))
    if size.own_rows:
        raise Unclear("no_columns")


def _draft_pasted(block: DraftBlock, text: RequestText, size: TableSize, title: str, pasted: RowBlock) -> DraftBlock:
    """Table of the rows that the request has itself."""
    header, *rows = pasted.rows
    if size.grid is not None or size.header_only or size.columns not in (None, len(header)):
        raise Unclear("no_columns")
    if len(header) > _MAX_COLUMNS or len(rows) > _MAX_ROWS:
        raise Unclear("too_large")
    _check_count(size.rows, [row[0] for row in rows])
    text.consume(pasted.start, pasted.end)
    block.name = title or " ".join(header)
    _add_heading(block, title)
    block.add("insert_table", **draft_table(header, [list(row) for row in rows]))
    return block


def _names_columns(text: RequestText, size: TableSize, columns: Sequence[str]) -> bool:
    """Whether a request speaks of columns, or names some of the usual ones by itself: it has columns of its own."""
    if size.columns is not None or text.has(_NAMES_COLUMNS):
        return True
    rest = text.mask
    for topic in list_topics():
        rest = topic.pattern.sub(CONSUMED, rest)
    return sum(re.search(rf"(?<!\w){re.escape(one)}(?!\w)", rest, re.IGNORECASE) is not None for one in columns) > 1


def draft_two_tables(text: RequestText, size: TableSize, language: Language) -> list[DraftBlock]:
    """Several tables, each from its own list of columns."""
    lists = list(find_lists(text))
    if len(lists) != size.tables:
        raise Unclear("no_columns")
    blocks = []
    for number, found in enumerate(lists):
        text.consume(found.start, found.end)
        block = DraftBlock("table", " ".join(found.items), language)
        rows = [["" for _ in found.items] for _ in range(_count_rows(block, size.own_rows.get(number, size.rows)))]
        block.add("insert_table", **draft_table(found.items, rows))
        # Two tables that touch become one in Word.
        block.add("insert_text", text="", new_paragraph_after=True)
        blocks.append(block)
    return blocks


def draft_quotation(
    text: RequestText, mention: TopicMention, size: TableSize, title: str, language: Language
) -> DraftBlock:
    """Quotation with amounts and a total that the program computes; a template if no positions are given."""
    records = find_records(text)
    block = DraftBlock("quotation", title, language)
    _add_heading(block, title)
    is_quoted = any(re.search("合计|总", one.text) for one in text.quotes)
    label = ("" if is_quoted else size.total_name) or choose(language, zh="合计", en="Total")
    if not records:
        found = find_columns(text, size, mention.start)
        columns = found.items if found else mention.topic.default_columns(language)
        rows = [["" for _ in columns] for _ in range(_count_rows(block, size.rows))]
        total = [label, *("" for _ in columns[1:])]
        block.add("insert_table", **draft_table(columns, [*rows, total]))
        return block
    if any(len(one.numbers) != 2 for one in records):
        raise Unclear("no_prices")
    _check_count(size.rows, [one.name for one in records])
    for one in records:
        text.consume(one.start, one.end)
    named = _quotation_columns(text, mention, language)
    is_price_first = re.search(r"价|price", named[1], re.IGNORECASE) is not None
    roles: tuple[NumberRole, NumberRole] = ("price", "quantity") if is_price_first else ("quantity", "price")
    ordered = [order_numbers(one, roles) for one in records]
    records = [one for one in ordered if one is not None]
    if len(records) != len(ordered):
        raise Unclear("no_prices")
    amounts = [read_amount(one.numbers[0]) * read_amount(one.numbers[1]) for one in records]
    rows = [
        [one.name, *(_show(one, at, is_price=(at == 0) == is_price_first) for at in (0, 1)), format_amount(amount)]
        for one, amount in zip(records, amounts, strict=True)
    ]
    total_text = format_amount(sum(amounts[1:], amounts[0]))
    block.explain(DraftNote.of("computed_total", total=total_text))
    block.add("insert_table", **draft_table(named, [*rows, [label, "", "", total_text]]))
    return block


def _show(record: NamedNumbers, at: int, *, is_price: bool) -> str:
    """A number of a position as it is written: a price as an amount, a quantity with its unit."""
    number, unit = record.numbers[at], record.units[at]
    if is_price:
        return format_amount(read_amount(number))
    return f"{number} {unit}" if unit.isascii() and unit.isalpha() else f"{number}{unit}"


def _quotation_columns(text: RequestText, mention: TopicMention, language: Language) -> Sequence[str]:
    lists = find_lists(text)
    named = next(
        (
            one
            for one in lists
            if len(one.items) == 4 or (len(one.items) == 3 and any(map(_PRICE.search, one.items[1:])))
        ),
        None,
    )
    defaults = mention.topic.default_columns(language)
    if named:
        text.consume(named.start, named.end)
    if named and len(named.items) == 3:
        return (*named.items, defaults[3])  # 品名、数量、单价: the amounts are computed beside them
    return named.items if named else defaults


def _check_count(said: int | None, names: Sequence[str]) -> None:
    if said is not None and said != len(names):
        raise Unclear("item_count", said=said, named=len(names), names=tuple(names))


def _add_heading(block: DraftBlock, title: str) -> None:
    if title:
        block.add("insert_text", text=title, new_paragraph_after=True)
        block.add("set_text_style", bold=True)


def _fill_rows(
    block: DraftBlock,
    text: RequestText,
    size: TableSize,
    columns: Sequence[str],
    records: Sequence[NamedNumbers],
    *,
    is_sheet: bool,
) -> list[list[str]]:
    """Rows with the data of the request, else empty ones with their number."""
    if size.header_only:
        return []
    width = len(columns)
    if records and all(len(one.numbers) == width - 1 for one in records):
        for one in records:
            text.consume(one.start, one.end)
        return [
            [one.name, *map("".join, zip(one.numbers if is_sheet else one.written, one.units, strict=True))]
            for one in records
        ]
    if size.samples:
        _check_samples(text, columns)
    count = size.grid[0] - 1 if size.grid else _count_rows(block, size.rows)
    numbered = bool(_NUMBER_COLUMN.fullmatch(columns[0]))
    sample = choose(block.language, zh="示例", en="Sample ")
    return [
        [
            str(at) if numbered and column == 0 else f"{sample}{columns[column]}{at}" if size.samples else ""
            for column in range(width)
        ]
        for at in range(1, count + 1)
    ]


def _check_samples(text: RequestText, columns: Sequence[str]) -> None:
    """Samples that a clause wants for some of the columns are not written into all of them."""
    for clause in re.finditer(r"[^,，。;\n]+", text.mask):
        said = text.raw[clause.start() : clause.end()]
        named = [one for one in columns if one in said]
        if re.search(r"示例|样例|举例|\bsample|\bexample", clause[0], re.IGNORECASE) and 0 < len(named) < len(columns):
            raise Unclear("unsupported", part=said.strip())


def _count_rows(block: DraftBlock, said: int | None) -> int:
    """How many rows are left empty; a number that nobody said is told."""
    if said is None:
        block.explain(DraftNote.of("default_rows", count=_DEFAULT_ROWS))
    return _DEFAULT_ROWS if said is None else said
