"""Edits that the words of the request name, spelling and punctuation; and what a document contains."""

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from metier.language import BilingualText, Language, Sentences
from metier.packs.office._pieces import TextPiece
from metier.packs.office.analysis._actions import PlanActions, table_json
from metier.packs.office.analysis._amounts import find_money
from metier.packs.office.analysis._extract import propose_extract
from metier.packs.office.analysis._model import DocumentFinding, Proposal, Reading, body_pieces
from metier.packs.office.analysis._outline import build_outline
from metier.packs.office.analysis._passages import propose_passages
from metier.packs.office.analysis._terms import find_wrong_terms
from metier.packs.office.analysis._wording import bilingual
from metier.packs.office.analysis.templates import find_places
from metier.packs.office.wishes import LOOKUP, read_wishes

if TYPE_CHECKING:
    from metier.json_values import JsonObject

__all__ = ["find_slips", "propose_description", "propose_edits", "read_replacements"]

_QUOTE: Final = r"[“\"'「『《]?(?P<{}>[^”\"'」』》，。,；;]{{1,60}}?)[”\"'」』》]?"
_REPLACE: Final = re.compile(
    rf"(?:把|将)?(?:全文|文中|文档里?|合同里?|所有|全部)?(?:的)?\s*{_QUOTE.format('old')}\s*(?:全部|都|统一|"
    rf"一律)?(?:改成|改为|换成|替换成|替换为|统一为|统一成)\s*"
    rf"{_QUOTE.format('new')}(?=$|[，。,；;\s”\"」])"
)
_REPLACE_ENGLISH: Final = re.compile(
    r"(?:replace|change)\s+(?:(?:every|all|each|the)\s+)*(?:words?\s+|occurrences?\s+of\s+)?[“\"'](?P<old>[^”\"']{1,60})[”\"']\s+(?:with|to|by|"
    r"into)\s+[“\"'](?P<new>[^”\"']{1,60})[”\"']",
    re.IGNORECASE,
)
# A message that wants slips to be looked for, and names no words.
_CHECKS: Final = re.compile(r"错别?字|别字|错词|校对|标点|用词|\btypos?|spell|proof-?read|punctuation", re.IGNORECASE)
_SLIPS: Final[tuple[tuple[str, re.Pattern[str], str], ...]] = (
    ("repeated_word", re.compile(r"(的的|了了|是是|在在|和和|与与|及及|为为|将将)"), "first"),
    ("repeated_word", re.compile(r"\b(?!(?:had|that)\b)([A-Za-z]{2,}) \1\b", re.IGNORECASE), "word"),
    ("repeated_mark", re.compile(r"[，。；：、]{2,}"), "first"),
    ("latin_comma", re.compile(r"(?<=[\u4e00-\u9fff]),(?=[\u4e00-\u9fff])"), "，"),
    ("latin_colon", re.compile(r"(?<=[\u4e00-\u9fff]):(?=[\u4e00-\u9fff])"), "："),
    ("latin_semicolon", re.compile(r"(?<=[\u4e00-\u9fff]);(?=[\u4e00-\u9fff])"), "；"),
)
_WORDS: Final = Sentences(
    {
        "repeated_word": ("“{found}” is written twice.", "“{found}”重复。"),
        "repeated_mark": ("Punctuation is doubled: “{found}”.", "标点重复：“{found}”。"),
        "latin_comma": ("A Latin comma stands between Chinese words.", "中文之间用了半角逗号。"),
        "latin_colon": ("A Latin colon stands between Chinese words.", "中文之间用了半角冒号。"),
        "latin_semicolon": ("A Latin semicolon stands between Chinese words.", "中文之间用了半角分号。"),
        "replacement": ("“{old}” becomes “{new}” ({count} places).", "“{old}”改为“{new}”（{count} 处）。"),
        "summary": (
            "{count} edits for “{name}”: {wanted} as asked, {slips} slips of spelling and punctuation. Nothing else is "
            "changed.",
            "“{name}”共 {count} 处修改：按要求替换 {wanted} 处，用字和标点 {slips} 处。其余不动。",
        ),
        "checked": (
            " Checked were the list of words that are often written wrong, words and marks that stand twice, and Latin "
            "punctuation among Chinese words; other spelling and grammar need a language model.",
            "查的是：常见错词表、重复的字词和标点、中文里的半角标点；其他错别字和语病要接入语言模型才能查。",
        ),
        "absent": (" “{old}” was not found in the document.", "文档里没有找到“{old}”。"),
        "ask": (
            "Which words shall be changed? For example: change “A” to “B”.",
            "要改哪些文字？例如：把“甲方”改成“采购方”。",
        ),
        "edits": ("Edits", "修改"),
        "where": ("Place", "位置"),
        "found": ("Edit", "修改"),
        "line": ("Source line", "原文"),
        "described": (
            "“{name}”: {paragraphs} paragraphs, {chars} characters, {sections} sections, {tables} table cells, "
            "{amounts} "
            "amounts of money, {places} places to fill.",
            "“{name}”：{paragraphs} 段，{chars} 字，{sections} 个部分，{tables} 个表格单元格，{amounts} "
            "处金额，{places} 处待填空白。",
        ),
        "outline": ("Outline", "结构"),
        "section": ("Section", "部分"),
        "points": ("Paragraphs", "段数"),
        "figures": ("Amounts", "金额"),
    }
)  # fmt: skip


def read_replacements(message: str) -> tuple[tuple[str, str], ...]:
    """Pairs of old and new words that a request names."""
    found = [*_REPLACE.finditer(message), *_REPLACE_ENGLISH.finditer(message)]
    return tuple(dict.fromkeys((match["old"].strip(), match["new"].strip()) for match in found))


def find_slips(pieces: Sequence[TextPiece]) -> Iterator[DocumentFinding]:
    """Doubled words and marks, Latin punctuation among Chinese words."""
    for piece in pieces:
        for rule, form, right in _SLIPS:
            for match in form.finditer(piece.text):
                start, end = max(0, match.start() - 2), match.end() + 2
                quote = piece.text[start:end]
                new = {"first": match[0][0], "word": match[0].split(" ")[0]}.get(right, right)
                replacement = f"{piece.text[start : match.start()]}{new}{piece.text[match.end() : end]}"
                yield DocumentFinding(
                    rule, piece.address, piece.line.strip(), bilingual(_WORDS, rule, found=match[0]), "low", quote,
                    replacement=replacement,
                )  # fmt: skip


def propose_edits(reading: Reading, *, message: str, language: Language) -> Proposal:
    """Replacements of the request and slips, as tracked changes."""
    pieces = list(body_pieces(reading))
    actions = PlanActions(language)
    wanted: list[DocumentFinding] = []
    steps: list[JsonObject] = []
    absent = ""
    for old, new in read_replacements(message):
        places = [piece for piece in pieces if old in piece.text]
        absent += "" if places else _WORDS.render("absent", language, old=old)
        for piece in places:
            text = BilingualText(f"{old} → {new}", f"{old} → {new}")
            wanted.append(
                DocumentFinding("replacement", piece.address, piece.line.strip(), text, "low", old, replacement=new)
            )
        if places:
            count = sum(piece.text.count(old) for piece in places)
            title = _WORDS.render("replacement", language, old=old, new=new, count=count)
            steps.append(
                actions.operation("replace_text", title, find_text=old, replace_text=new, track=True, max_matches=500)
            )
    slips = (*find_wrong_terms(pieces), *find_slips(pieces))
    steps += actions.marks(slips)
    findings = (*wanted, *slips)
    summary = _WORDS.render(
        "summary", language, name=reading.name, count=len(findings), wanted=len(wanted), slips=len(slips)
    )
    is_check = _CHECKS.search(message) is not None
    summary += _WORDS.render("checked", language) if is_check else ""
    columns = [_WORDS.render(code, language) for code in ("where", "found", "line")]
    rows = [[one.address, one.message.text(language), one.line] for one in findings]
    return Proposal(
        "doc-editor",
        "wps",
        summary + absent,
        tuple(steps),
        (table_json(_WORDS.render("edits", language), columns, rows),) if rows else (),
        tuple(finding.to_json(language) for finding in findings),
        "" if steps or absent or is_check else _WORDS.render("ask", language),
    )


def propose_description(reading: Reading, *, message: str = "", language: Language) -> Proposal:
    """What a document says of what is asked, else its size, sections, amounts, blanks. Nothing is written."""
    pieces = _list_pieces(reading)
    wishes = read_wishes(message, [reading.name, *(one.name for one in reading.others)], loosely=True)
    wish = next((one for one in wishes if one.wish in (LOOKUP, "summary", "figures")), None)
    if wish is not None and wish.wish == LOOKUP:
        return propose_passages(reading, pieces, wish.rest, language)
    if wish is not None:
        return propose_extract(reading, pieces, language, only_figures=wish.wish == "figures")
    _, sections = build_outline(pieces)
    amounts = [(amount, piece) for piece in pieces for amount in find_money(piece.line)]
    summary = _WORDS.render(
        "described",
        language,
        name=reading.name,
        paragraphs=sum(1 for piece in pieces if piece.kind != "cell"),
        chars=sum(len(piece.line) for piece in pieces),
        sections=len(sections),
        tables=sum(1 for piece in pieces if piece.kind == "cell"),
        amounts=len(amounts),
        places=sum(1 for _ in find_places(pieces)),
    )
    outline = table_json(
        _WORDS.render("outline", language),
        [_WORDS.render(code, language) for code in ("section", "points", "where")],
        [[section.title, len(section.points), section.address] for section in sections],
    )
    figures = table_json(
        _WORDS.render("figures", language),
        [_WORDS.render(code, language) for code in ("figures", "line", "where")],
        [[amount.quote, piece.line.strip(), piece.address] for amount, piece in amounts],
    )
    return Proposal("doc-analyzer", "wps", summary, (), tuple(one for one in (outline, figures) if one["rows"]))


def _list_pieces(reading: Reading) -> list[TextPiece]:
    """The pieces of the body; of slides their titles as headings, and the texts below them."""
    pieces = list(body_pieces(reading))
    for one in reading.slides:
        place = f"s{one.number}"
        pieces += [TextPiece(place, one.title, "heading", 1)] if one.title.strip() else []
        lines = [line for text in one.texts for line in text.splitlines()]
        lines += [" ".join(row) for table in one.tables for row in table]
        pieces += [TextPiece(place, line) for line in lines if line.strip()]
    return pieces
