"""Messages about a part of what was drawn or computed: 第二张是什么意思, "and the moon?", 第七宫呢, "another one"."""

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from metier.json_values import JsonValue
from metier.language import Language, Sentences, choose, join_names
from metier.pack import PackAnswer, PackQuestion
from metier.packs.life.conversation._named_parts import ChartKind, read_part
from metier.packs.life.conversation._part_words import (
    NUMBER_EN,
    NUMBER_ZH,
    ORDINAL_EN,
    asks_about,
    normalise,
    read_place,
)
from metier.packs.life.conversation._terms import explain_term
from metier.packs.life.tarot import Commitment, Draw, draw_from_json, load_deck, read_position
from metier.patterns import compile_later

SKILL: Final = "tarot"
FACT: Final = "draw"
_FACT_PARTS: Final = 3
_STRIP: Final = " \t\r\n。.!！~～，,?？…"
_TEXTS: Final = Sentences(
    {
        "frame": (
            "The cards are an occasion to think, not a forecast; what you do with them is yours.",
            "牌面是一个想一想的契机，不是预言；怎么用由你决定。",
        ),
        "no_such_place": (
            "This draw has {count} cards: {cards}. Say which one you mean, such as “the first one”.",
            "这次抽了 {count} 张：{cards}。说第几张就行，比如「第一张」。",
        ),
        "one_of": ("{number}. {name}", "{number}. {name}"),
    }
)
_NTH_ZH: Final = rf"(?:第{NUMBER_ZH}|最后一?|末一)(?:张|个|项|条|位)?(?:牌|位置)?"
_NTH_EN: Final = (
    rf"(?:the |my )?{ORDINAL_EN}(?: (?:one|card|position|place))?"
    rf"|(?:the )?(?:card|position|number|no\.?) ?{NUMBER_EN}"
)
_NTH: Final = compile_later(rf"{_NTH_ZH}|\b(?:{_NTH_EN})\b")
_THIS: Final = compile_later(
    r"(?:这|那)(?:张|个)?(?:牌)?|它|(?:this|that|the|my) card|\bit\b|\bthat\b|\bthis\b", re.IGNORECASE
)
_AGAIN: Final = compile_later(
    r"(?:请|那|那就|帮我|给我|麻烦|我想|我要|能不能|可以|再|重新|另外?|换|来|抽|洗牌?|试|翻|[，,]){0,5}(?:一|1|两|三"
    r"|几)?(?:张|次|副|组|遍|回|把|个牌阵)(?:别的|其他的|新的|不同的)?(?:塔罗)?牌?(?:看看|试试|抽)?(?:吧|呗|好吗"
    r"|可以吗|行吗|吗){0,5}"
    r"|(?:请|那|那就|帮我|我想|我要|能不能|可以){0,5}(?:再抽|重抽|重新抽|再洗|重新洗牌|重洗|再来)(?:牌|一下)?(?:吧|呗"
    r"|好吗|可以吗|吗){0,5}"
    r"|(?:(?:please|ok|now|can i|could i|can we|may i|let's|i want(?: to)?|i'd like(?: to)?|give me|draw(?: me)?"
    r"|pull(?: me)?|pick|deal|do|have),? ){0,5}"
    r"(?:another(?: (?:one|card|draw|reading|spread|go|round))?|one more(?: (?:card|time|draw|reading))?|a (?:new"
    r"|different|fresh) (?:card|draw|reading|spread|one)"
    r"|(?:draw|pull|deal|shuffle|reshuffle|redraw|do it|try)(?: (?:it|them|a card|the cards))? ?(?:again|once more"
    r"|anew)?|again|once more|new cards)(?:,? please)?",
    re.IGNORECASE,
)
_CARD: Final = compile_later(r"牌|张|\bcard\b")
_DRAWS: Final = compile_later(r"再|重|另|换|again|another|more|new|different|fresh|anew|re", re.IGNORECASE)


class _Reference(NamedTuple):
    """Where in a message a card is named, and its place in the draw, from 0; −1 if the draw has no such place."""

    start: int
    end: int
    place: int


def answer_about_tarot(question: PackQuestion) -> PackAnswer | None:
    """A card of the last draw by its place, position or name; a wish for another draw is an order for the steps."""
    draw = _read_fact(question.facts.get(FACT))
    said = normalise(question.text)
    if draw is None or not said:
        return None
    if is_another_draw(said):
        return PackAnswer("", is_order=True, skill=SKILL)
    for one in _find_references(said, draw):
        if asks_about(said, one.start, one.end):
            return _tell(draw, one.place, question.language)
    return _explain_other_card(said, question.language)


def asks_about_chart(question: PackQuestion) -> PackAnswer | None:
    """A question about a part of the chart is for the steps, which compute it; None for other messages."""
    chart: ChartKind = "bazi" if question.skill == "bazi" else "zodiac"
    return None if read_part(question.text, chart) is None else PackAnswer("", is_order=True)


def is_another_draw(message: str) -> bool:
    """Whether a whole message only wants cards to be drawn again: 换一张, 再抽一次, "another one"."""
    said = message.strip(_STRIP)
    return _AGAIN.fullmatch(said) is not None and _DRAWS.search(said) is not None


def write_fact(draw: Draw) -> str:
    """A draw as the value of a fact: its spread, its seed, which says the cards, and its id."""
    told = draw.commitment
    return f"{SKILL} {told.spread} {told.seed} {told.id}"


def read_spread(fact: JsonValue) -> str:
    """Spread of a draw that is kept as a fact; empty for anything else."""
    draw = _read_fact(fact)
    return "" if draw is None else draw.commitment.spread


def _read_fact(value: JsonValue) -> Draw | None:
    kind, *parts = str(value or "").split() or [""]
    if kind != SKILL or len(parts) != _FACT_PARTS:
        return None
    spread, seed, name = parts
    return draw_from_json(Commitment(name, seed, spread).to_json())


def _find_references(said: str, draw: Draw) -> Iterator[_Reference]:
    """Cards of the draw that a message may mean, the longest words first."""
    total = len(draw.cards)
    for found in _NTH.finditer(said):
        number = read_place(found[0])
        place = total - 1 if number < 0 else number - 1
        yield _Reference(found.start(), found.end(), place if 0 <= place < total else -1)
    named: list[tuple[str, int]] = []
    for at, (position, drawn) in enumerate(draw.positions):
        card = drawn.card.name
        titles = [position.title.zh, position.title.en, card.zh, card.en, card.en.removeprefix("The ")]
        titles += [position.title.en.removeprefix("The "), position.title.en.removeprefix("A ")]
        named += [(one.lower(), at) for one in titles]
        named += [(word, at) for word in _SHORT.get(position.title.zh, ())]
    for text, at in sorted(named, key=lambda one: -len(one[0])):
        start = said.find(text)
        if start >= 0:
            before = re.search(r"\b(?:the|my|a|an)\s$", said[:start]) if text.isascii() else None
            yield _Reference(start - len(before[0]) if before else start, start + len(text), at)
    this = _THIS.search(said)
    if this is not None and (total == 1 or _CARD.search(this[0])):
        yield _Reference(this.start(), this.end(), 0 if total == 1 else -1)


def _explain_other_card(said: str, language: Language) -> PackAnswer | None:
    """What a card says that was not drawn; None if none is named."""
    for card in load_deck():
        for name in filter(None, (card.name.zh, card.name.en.lower(), card.name.en.lower().removeprefix("the "))):
            found = re.search(rf"(?:\bthe )?{re.escape(name)}", said)
            if found is not None and asks_about(said, found.start(), found.end()):
                told = explain_term(f"{choose(language, zh='塔罗牌', en='tarot card ')}{card.name.text(language)}")
                return PackAnswer(str(told["answer"])) if told.get("found") else None
    return None


# What else a position is called.
_SHORT: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "可以试的方向": ("方向", "建议", "direction", "advice"),
        "阻力": ("障碍", "阻碍", "obstacle", "block"),
        "处境": ("现在的处境", "situation"),
        "交叉的挑战": ("挑战", "challenge"),
        "走向": ("结果", "结局", "outcome"),
        "过去": ("过去那张", "past"),
        "现在": ("现在那张", "present"),
        "未来": ("将来", "future"),
    }
)


def _tell(draw: Draw, place: int, language: Language) -> PackAnswer:
    if place < 0:
        names = [
            _TEXTS.render("one_of", language, number=at, name=drawn.title(language))
            for at, (_, drawn) in enumerate(draw.positions, 1)
        ]
        cards = join_names(names, language)
        return PackAnswer(_TEXTS.render("no_such_place", language, count=len(draw.cards), cards=cards))
    return PackAnswer(f"{read_position(draw, place, language)}\n\n{_TEXTS.render('frame', language)}")
