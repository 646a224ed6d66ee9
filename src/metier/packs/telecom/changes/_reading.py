"""Reads the bounds of an order word by word: what is neither a bound nor a known filler is given back as unread."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

from metier.packs.telecom.changes import _words
from metier.packs.telecom.changes._bounds import BoundsDraft, ChangeBounds, Rank
from metier.packs.telecom.twin import Parameter, Problem, Scenario
from metier.patterns import compile_later, read_chinese_integer, read_english_number

_FIRST_MARK: Final = 0xE100
_MARK: Final = "[\ue100-\ue4ff]"
_BETWEEN: Final = r"(?:[\s、和与及跟或]|以及|的|小区|站点?|参数|\b(?:and|or|nor|the|cells?|changes?|settings?)\b)*"
_RUN: Final = rf"{_MARK}(?:{_BETWEEN}{_MARK})*"
_OUT_BEFORE: Final = compile_later(
    r"(?:除了?|除开|除去|(?:都|先|也)?(?:不|别|勿|甭)(?:含|包括|包含|要|用|能|许|准)?(?:再)?(?:下发|动|改|调|碰|写入?)?"
    r"|\bexcept(?:\s+for)?|\bexcluding|\bbut\s+not|\bwithout|\bleave\s+out|\bnot|\b(?:do\s+not|don'?t|never)\s+(?:touch|change|push"
    rf"|apply|move))\s*(?:\bthe\b|\bfor\b|\s)*({_RUN})(?:的|小区|参数)*(?:以外|之外|外|除外)?(?:\s*\b(?:changes?|settings?)\b)*",
    re.IGNORECASE,
)
_OUT_BEHIND: Final = compile_later(
    rf"(?:\b(?:leave|keep)\s+(?:the\s+)?)?({_RUN})(?:的|这些|那些|小区|参数|部分|\s|\bchanges?\b|\bsettings?\b)*(?:除外|以外|之外"
    r"|(?:就|都|也|先|暂时|暂|可)*(?:不要|不用|不能|不许|不|别|勿)(?:再)?(?:下发|动|改|调|变|碰|写入?|要)?了?|保持(?:不变|原样|现状)"
    r"|(?:就|先|等)*(?:以后|回头|下次|明天|稍后|改天)(?:再(?:说|下发|改|调|弄))?"
    r"|\b(?:must|should|shall|may|can|do(?:es)?)\s*(?:not|n't)(?:\s+(?:be\s+)?(?:changed?|moved?|touched|applied|pushed))?"
    r"|\b(?:stays?|remains?|alone)(?:\s+(?:as\s+(?:it\s+is|they\s+are)|unchanged|untouched))?|\b(?:unchanged|untouched|excluded|later|out|as\s+(?:it\s+is|they\s+are)|not)\b)",
    re.IGNORECASE,
)
_JOINS: Final = compile_later(rf"[^，,。.;；]*{_MARK}[^，,。.;；]*[，,]\s*$")
_NEXT: Final = compile_later(rf"^\s*[，,]\s*{_MARK}[^，,。.;；]*")
_CLAUSES: Final = compile_later(r"[，,；;。.!！?？\n]+|\bbut\b|但是?|不过")
_LATER: Final = compile_later(_words.LATER, re.IGNORECASE)
_APPLIES: Final = compile_later(_words.APPLIES, re.IGNORECASE)
_ONLY: Final = compile_later(_words.ONLY, re.IGNORECASE)
_REST: Final = compile_later(_words.REST, re.IGNORECASE)
_FILLERS: Final = compile_later(rf"(?:{_words.FILLERS})", re.IGNORECASE)
_UNREAD: Final = compile_later(r"[^\W_\ue100-\ue4ff]+")
_CELL: Final = compile_later(r"(?<![\d-])\d{3}-\d{2,3}-\d{4,}(?![\d-])")
_SHORT_CELL: Final = compile_later(r"(?<![\d-])\d{5,}(?![\d-])")
_NETWORK: Final = compile_later(
    r"(?<![A-Za-z0-9])(?:([45])\s*G|LTE|NR)(?![A-Za-z])(?:\s*(?:网络|小区|cells?))?", re.IGNORECASE
)
_ALL_NETWORKS: Final = compile_later(r"[45]\s*G\s*(?:/|和|与|、|and)\s*[45]\s*G", re.IGNORECASE)
_SITE_ENDING: Final = r"(?:片区|站点|基站|站)?(?:的?小区)?"
_DISTRICT_ENDING: Final = compile_later(r"^.{2,4}?(?:新区|区|县|市)")
_MAX_ITEMS: Final = 0x300


@dataclass(frozen=True, slots=True)
class ReadBounds:
    """Bounds of an order; `unread` are its words that may limit it in a way that is not known here.

    `bounds` is None if they contradict each other; `lacks_count` is an order of cells without a number of them.
    """

    bounds: ChangeBounds | None
    unread: tuple[str, ...] = ()
    lacks_count: bool = False


@dataclass(frozen=True, slots=True)
class _Item:
    words: str = ""
    cells: tuple[str, ...] = ()
    network: tuple[str, ...] = ()
    parameter: Parameter | None = None
    count: int = 0
    rank: Rank | None = None


@dataclass(slots=True)
class _MarkedText:
    """The message with a mark in place of everything that bounds an order."""

    text: str
    items: list[_Item] = field(default_factory=list)
    lacks_count: bool = False

    def put_item(self, pattern: re.Pattern[str], item: _Item) -> None:
        """Put the mark of an item in place of every match."""
        self.put(pattern, lambda _: item)

    def put(self, pattern: re.Pattern[str], make: Callable[[re.Match[str]], _Item | None]) -> None:
        def mark(found: re.Match[str]) -> str:
            made = make(found) if len(self.items) < _MAX_ITEMS else None
            if made is None:
                return found[0]
            self.items.append(replace(made, words=self.show(found[0])))
            return chr(_FIRST_MARK + len(self.items) - 1)

        self.text = pattern.sub(mark, self.text)

    def show(self, part: str) -> str:
        """A part with the words of its items, as the user said them."""
        return "".join(next((item.words for item in self.list_in(one)), one) for one in part)

    def list_in(self, part: str) -> Iterator[_Item]:
        return (
            self.items[ord(one) - _FIRST_MARK]
            for one in part
            if _FIRST_MARK <= ord(one) < _FIRST_MARK + len(self.items)
        )


def read_bounds(message: str, scenario: Scenario | None, names: Iterable[str]) -> ReadBounds:
    """Read which of the recommended changes a message means; `names` are those of the scenario's place."""
    titles = () if scenario is None else (scenario.id, scenario.title_zh, scenario.title_en)
    marked = _MarkedText(_drop_names(message, titles))
    _mark_items(marked, scenario)
    marked.text = _drop_names(marked.text, names)
    draft = BoundsDraft()
    text, is_clear = _take_left_out(marked, draft)
    clauses = _CLAUSES.split(text)
    for item in marked.list_in(text):
        _add(item, draft)
    if marked.items:
        clauses = [_REST.sub(" ", one) for one in clauses]
    unread = [_find_unread(marked, one) for one in clauses if any(marked.list_in(one)) or not _LATER.search(one)]
    if not marked.items and not any(unread):
        unread = _ONLY.findall(text)
    bounds = draft.finish() if is_clear else None
    return ReadBounds(bounds, tuple(dict.fromkeys(filter(None, unread))), marked.lacks_count)


def _find_unread(marked: _MarkedText, clause: str) -> str:
    """What is said in a clause from the first to the last word that is no bound and no filler."""
    left = [*_UNREAD.finditer(_FILLERS.sub(lambda found: " " * len(found[0]), clause))]
    return marked.show(clause[left[0].start() : left[-1].end()]).strip() if left else ""


def _drop_names(text: str, names: Iterable[str]) -> str:
    for name in sorted(filter(None, names), key=len, reverse=True):
        text = re.sub(re.escape(name), " ", text, flags=re.IGNORECASE)
    return text


def _mark_items(marked: _MarkedText, scenario: Scenario | None) -> None:
    marked.put(_CELL, lambda found: _Item(cells=(found[0],)))
    if scenario is not None:
        _mark_places(marked, scenario)
    _mark_ranks(marked, scenario.problem if scenario is not None else "weak_coverage")
    for name, words in _words.PARAMETER_WORDS.items():
        marked.put_item(compile_later(words, re.IGNORECASE), _Item(parameter=name))


def _mark_places(marked: _MarkedText, scenario: Scenario) -> None:
    """Cells by the end of their number, by their site, and by their network."""

    def by_number(found: re.Match[str]) -> _Item | None:
        cells = tuple(one.id for one in scenario.cells if one.id.endswith(f"-{found[0]}"))
        return _Item(cells=cells) if len(cells) == 1 else None

    marked.put(_SHORT_CELL, by_number)
    for site in scenario.sites:
        name = _DISTRICT_ENDING.sub("", site.name) or site.name
        cells = tuple(one.id for one in scenario.cells if one.site == site.id)
        id = rf"(?<![A-Za-z\d]){re.escape(site.id)}(?![A-Za-z\d])"
        words = rf"(?:{re.escape(site.name)}|{re.escape(name)}|{id}){_SITE_ENDING}"
        marked.put_item(re.compile(words), _Item(cells=cells))
    rats = {one.name: one.rat for one in scenario.carriers}

    def by_network(found: re.Match[str]) -> _Item:
        rat = "NR" if (found[1] or found[0].strip().upper()[:2]) in ("5", "NR") else "LTE"
        return _Item(network=tuple(one.id for one in scenario.cells if rats[one.carrier] == rat) or ("-",))

    marked.text = _ALL_NETWORKS.sub(" ", marked.text)
    marked.put(_NETWORK, by_network)


def _mark_ranks(marked: _MarkedText, problem: Problem) -> None:
    worst_zh, worst_en = _words.WORST_AT[problem]
    ranks: Sequence[tuple[Rank, Rank, Sequence[str]]] = (
        ("gain", "least_gain", (_words.GAIN_ZH,)),
        ("improved", "least_improved", (_words.IMPROVED_ZH,)),
        ("worst", "worst", (_words.WORST_ZH.replace("{worst}", worst_zh),)),
        ("listed", "listed", (_words.LISTED_ZH,)),
        ("improved", "least_improved", (_words.FIRST_CELLS_ZH, *_words.IMPROVED_EN)),
        ("worst", "worst", [one.replace("{worst}", worst_en) for one in _words.WORST_EN]),
        ("gain", "least_gain", (_words.GAIN_EN,)),
        ("listed", "listed", (_words.LISTED_EN,)),
    )
    for rank, least, forms in ranks:
        for words in forms:
            marked.put(re.compile(words, re.IGNORECASE), partial(_rank, marked, rank, least))


def _rank(marked: _MarkedText, rank: Rank, least: Rank, found: re.Match[str]) -> _Item:
    given = found.groupdict()
    said = given.get("count") or given.get("count2") or ""
    count = _read_number(said.strip()) if said else 0
    if not said and (given.get("one") or (given.get("noun") or "").lower() in ("cell", "one", "sector")):
        count = 1
    if not count:
        marked.lacks_count = True
    return _Item(count=count or 0, rank=least if given.get("least") else rank)


def _read_number(said: str) -> int | None:
    if said.isdigit():
        return int(said)
    return read_english_number(said.lower()) if said.isascii() else read_chinese_integer(said)


def _take_left_out(marked: _MarkedText, draft: BoundsDraft) -> tuple[str, bool]:
    """The text without what is left out, which the draft gets; False if a list may belong to it or not."""
    is_clear, text = True, marked.text
    has_only = _ONLY.search(text) is not None
    for pattern in (_OUT_BEFORE, _OUT_BEHIND):
        while (found := pattern.search(text)) is not None:
            before, behind = text[: found.start()], text[found.end() :]
            beside = _NEXT.match(behind)
            listed = _JOINS.search(before)
            is_ordered = listed is not None and _APPLIES.search(_CLAUSES.split(listed[0])[0]) is not None
            joins = listed is not None and not is_ordered and not has_only and pattern is _OUT_BEHIND
            if joins or (pattern is _OUT_BEFORE and beside is not None and not _APPLIES.search(beside[0])):
                is_clear = False
            for item in marked.list_in(found[1]):
                draft.without_cells += (*item.cells, *item.network)
                draft.without_parameters += [item.parameter] if item.parameter else []
                is_clear = is_clear and item.rank is None
            text = f"{before} {behind}"
    return text, is_clear and (text == marked.text or _APPLIES.search(text) is not None)


def _add(item: _Item, draft: BoundsDraft) -> None:
    draft.cells += item.cells
    draft.network += item.network
    draft.parameters += [item.parameter] if item.parameter else []
    draft.ranked += [(item.count, item.rank)] if item.rank else []
