"""Reads the bounds of an order word by word: what is neither a bound nor a known filler is given back as unread."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from metier.packs.telecom.changes import _words
from metier.packs.telecom.changes._bounds import BoundsDraft, ChangeBounds, Rank
from metier.packs.telecom.changes._fit import fits_whole_order, is_left_out_everywhere
from metier.packs.telecom.changes._marks import BETWEEN, MARK, Item, MarkedText
from metier.packs.telecom.twin import Problem, Scenario
from metier.patterns import compile_later, read_chinese_integer, read_english_number

_RUN: Final = rf"{MARK}(?:{BETWEEN}{MARK})*"
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
# "All but the power" is no clause behind a "but".
_ALL_BUT: Final = compile_later(
    rf"\b(?:all|each|every(?:thing|\s+\w+)?|anything|cells?|changes?|parameters?|settings?|ones?)\s+but\s+(?:the\s+|for\s+)*({_RUN})",
    re.IGNORECASE,
)
_JOINS: Final = compile_later(rf"[^，,。.;；]*{MARK}[^，,。.;；]*[，,]\s*$")
_NEXT: Final = compile_later(rf"^\s*[，,]{BETWEEN}(?:还有|加上|plus\s+)?{BETWEEN}{MARK}[^，,。.;；]*", re.IGNORECASE)
_CLAUSES: Final = compile_later(r"[，,；;。.!！?？\n]+|\bbut\b|但是?|不过")
_LATER: Final = compile_later(_words.LATER, re.IGNORECASE)
_APPLIES: Final = compile_later(_words.APPLIES, re.IGNORECASE)
_ACTS: Final = compile_later(f"{_words.UNDOES}|{_words.APPLIES}", re.IGNORECASE)
_FALLBACK: Final = compile_later(_words.FALLBACK, re.IGNORECASE)
_PRIVATE: Final = compile_later(MARK)
_ONLY: Final = compile_later(_words.ONLY, re.IGNORECASE)
_REST: Final = compile_later(_words.REST, re.IGNORECASE)
# A condition is no filler as a whole: the 后 of 以后 is one.
_FILLERS: Final = compile_later(rf"(?P<kept>{_words.LATER})|(?:{_words.FILLERS})", re.IGNORECASE)
_UNREAD: Final = compile_later(r"[^\W_\ue100-\ue4ff]+")
_CELL: Final = compile_later(r"(?<![\d-])\d{3}-\d{2,3}-\d{4,}(?![\d-])")
_SHORT_CELL: Final = compile_later(r"(?<![\d-])\d{5,}(?![\d-])")
_NETWORK: Final = compile_later(
    r"(?<![A-Za-z0-9])(?:([45])\s*G|LTE|NR)(?![A-Za-z])(?:\s*(?:网络|小区|cells?))?", re.IGNORECASE
)
_ALL_NETWORKS: Final = compile_later(r"[45]\s*G\s*(?:/|和|与|、|and)\s*[45]\s*G", re.IGNORECASE)
_SITE_ENDING: Final = r"(?:片区|站点|基站|站)?(?:的?小区)?"
_DISTRICT_ENDING: Final = compile_later(r"^.{2,4}?(?:新区|区|县|市)")


@dataclass(frozen=True, slots=True)
class ReadBounds:
    """Bounds of an order; `unread` are its words that may limit it in a way that is not known here.

    `bounds` is None if they contradict each other; `lacks_count` is an order of cells without a number of them.
    """

    bounds: ChangeBounds | None
    unread: tuple[str, ...] = ()
    lacks_count: bool = False


def read_bounds(message: str, scenario: Scenario | None, names: Iterable[str]) -> ReadBounds:
    """Read which of the recommended changes a message means; `names` are those of the scenario's place."""
    titles = () if scenario is None else (scenario.id, scenario.title_zh, scenario.title_en)
    marked = MarkedText(_drop_names(_PRIVATE.sub("", message), titles))
    _mark_items(marked, scenario)
    marked.text = _drop_names(marked.text, names)
    draft = BoundsDraft()
    text, is_clear = _take_left_out(marked, draft)
    is_clear = is_clear and fits_whole_order(marked, text)
    clauses = _CLAUSES.split(text)
    for item in marked.list_in(text):
        _add(item, draft)
    if marked.items:
        clauses = [_REST.sub(" ", one) for one in clauses]
    has_order = any(_ACTS.search(one) and not _LATER.search(one) for one in clauses)
    unread = [
        _find_unread(marked, one)
        for one in clauses
        if any(marked.list_in(one)) or not (has_order and _is_fallback(one))
    ]
    if not marked.items and not any(unread):
        unread = _ONLY.findall(text)
    bounds = draft.finish() if is_clear else None
    return ReadBounds(bounds, tuple(dict.fromkeys(filter(None, unread))), marked.lacks_count)


def _is_fallback(clause: str) -> bool:
    """Whether a clause beside an order only says what can be done later (不行再撤); any other condition limits it."""
    return _LATER.search(clause) is not None and _FALLBACK.search(clause) is not None


def _find_unread(marked: MarkedText, clause: str) -> str:
    """What is said in a clause from the first to the last word that is no bound and no filler."""
    left = [*_UNREAD.finditer(_FILLERS.sub(lambda found: found["kept"] or " " * len(found[0]), clause))]
    return marked.show(clause[left[0].start() : left[-1].end()]).strip() if left else ""


def _drop_names(text: str, names: Iterable[str]) -> str:
    for name in sorted(filter(None, names), key=len, reverse=True):
        text = re.sub(re.escape(name), " ", text, flags=re.IGNORECASE)
    return text


def _mark_items(marked: MarkedText, scenario: Scenario | None) -> None:
    marked.put(_CELL, lambda found: Item(cells=(found[0],)))
    if scenario is not None:
        _mark_places(marked, scenario)
    _mark_ranks(marked, scenario.problem if scenario is not None else "weak_coverage")
    for name, words in _words.PARAMETER_WORDS.items():
        marked.put_item(compile_later(words, re.IGNORECASE), Item(parameter=name))


def _mark_places(marked: MarkedText, scenario: Scenario) -> None:
    """Cells by the end of their number, by their site, and by their network."""

    def by_number(found: re.Match[str]) -> Item | None:
        cells = tuple(one.id for one in scenario.cells if one.id.endswith(f"-{found[0]}"))
        return Item(cells=cells) if len(cells) == 1 else None

    marked.put(_SHORT_CELL, by_number)
    for name, site in _name_sites(scenario):
        cells = tuple(one.id for one in scenario.cells if one.site == site)
        edge = (r"(?<![A-Za-z\d])", r"(?![A-Za-z\d])") if name.isascii() else ("", "")
        words = rf"{edge[0]}{re.escape(name)}{edge[1]}{_SITE_ENDING}"
        marked.put_item(re.compile(words, re.IGNORECASE), Item(cells=cells))
    rats = {one.name: one.rat for one in scenario.carriers}

    def by_network(found: re.Match[str]) -> Item:
        rat = "NR" if (found[1] or found[0].strip().upper()[:2]) in ("5", "NR") else "LTE"
        return Item(network=tuple(one.id for one in scenario.cells if rats[one.carrier] == rat) or ("-",))

    marked.text = _ALL_NETWORKS.sub(" ", marked.text)
    marked.put(_NETWORK, by_network)


def _name_sites(scenario: Scenario) -> list[tuple[str, str]]:
    """Names by which a site can be meant, with its id: the longest first, and none that two sites share."""
    named: dict[str, set[str]] = {}
    for site in scenario.sites:
        for name in (site.id, site.name, _DISTRICT_ENDING.sub("", site.name)):
            if name:
                named.setdefault(name.casefold(), set()).add(site.id)
    single = [(name, min(sites)) for name, sites in named.items() if len(sites) == 1]
    return sorted(single, key=lambda one: len(one[0]), reverse=True)


def _mark_ranks(marked: MarkedText, problem: Problem) -> None:
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


def _rank(marked: MarkedText, rank: Rank, least: Rank, found: re.Match[str]) -> Item:
    given = found.groupdict()
    said = given.get("count") or given.get("count2") or ""
    count = _read_number(said.strip()) if said else 0
    if not said and (given.get("one") or (given.get("noun") or "").lower() in ("cell", "one", "sector")):
        count = 1
    if not count:
        marked.lacks_count = True
    return Item(count=count or 0, rank=least if given.get("least") else rank)


def _read_number(said: str) -> int | None:
    if said.isdigit():
        return int(said)
    return read_english_number(said.lower()) if said.isascii() else read_chinese_integer(said)


def _take_left_out(marked: MarkedText, draft: BoundsDraft) -> tuple[str, bool]:
    """The text without what is left out, which the draft gets; False if a list may belong to it or not."""
    is_clear, text = True, marked.text
    has_only = _ONLY.search(text) is not None
    for pattern in (_OUT_BEFORE, _OUT_BEHIND, _ALL_BUT):
        while (found := pattern.search(text)) is not None:
            before, behind = text[: found.start()], text[found.end() :]
            beside = _NEXT.match(behind)
            listed = _JOINS.search(before)
            is_ordered = listed is not None and _APPLIES.search(_CLAUSES.split(listed[0])[0]) is not None
            joins = listed is not None and not is_ordered and not has_only and pattern is _OUT_BEHIND
            if joins or (pattern is not _OUT_BEHIND and beside is not None and not _APPLIES.search(beside[0])):
                is_clear = False
            is_clear = is_clear and is_left_out_everywhere(marked, found[1], before, behind)
            for item in marked.list_in(found[1]):
                draft.without_cells += (*item.cells, *item.network)
                draft.without_parameters += [item.parameter] if item.parameter else []
                is_clear = is_clear and item.rank is None
            text = f"{before} {behind}"
    return text, is_clear and (text == marked.text or _APPLIES.search(text) is not None)


def _add(item: Item, draft: BoundsDraft) -> None:
    draft.cells += item.cells
    draft.network += item.network
    draft.parameters += [item.parameter] if item.parameter else []
    draft.ranked += [(item.count, item.rank)] if item.rank else []
