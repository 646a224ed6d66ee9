"""Reading of a draw without a language model: sentences of cards, of their places, and of what is counted."""

from collections import Counter
from collections.abc import Iterator
from typing import Final

from metier.language import Language, Sentences, choose
from metier.packs.life.tarot._draw import Draw

_MANY: Final = 3
_TEN: Final = 10  # above are court cards
_TEXTS: Final = Sentences(
    {
        "frame": (
            "The cards are an occasion to think, not a forecast; what you do with them is yours.",
            "牌面是一个想一想的契机，不是预言；怎么用由你决定。",
        ),
        "majors": (
            "{count} of {total} cards are major arcana: the matter reaches beyond daily business.",
            "{total} 张里有 {count} 张大阿卡纳：这件事超出了日常琐事，值得慢慢想。",
        ),
        "reversals": (
            "{count} of {total} cards lie reversed: more of this happens inside than outside.",
            "{total} 张里有 {count} 张逆位：更多的动静在心里，而不在外面。",
        ),
        "wands": (
            "Wands lead: drive and initiative are the theme.",
            "权杖最多：主题是干劲和主动。",
        ),
        "cups": (
            "Cups lead: feelings and bonds are the theme.",
            "圣杯最多：主题是感受和关系。",
        ),
        "swords": (
            "Swords lead: thoughts and words are the theme.",
            "宝剑最多：主题是想法和说出口的话。",
        ),
        "pentacles": (
            "Pentacles lead: daily work and what lasts are the theme.",
            "星币最多：主题是日常的积累和踏实的事。",
        ),
        "number": (
            "The number {number} comes {count} times: look at what these cards have in common.",
            "数字 {number} 出现了 {count} 次：看看这几张牌有什么相同。",
        ),
        "question": (
            "To take along: which of these sentences did you resist most, and why?",
            "带走一个问题：上面哪一句你最不想同意？为什么？",
        ),
    }
)


def read_draw(draw: Draw, language: Language) -> str:
    """The reading as Markdown: one paragraph a position, what was counted, and a question to take along."""
    parts = [read_position(draw, place, language) for place in range(len(draw.cards))]
    counted = list(_count_patterns(draw, language))
    closing = [_TEXTS.render(name, language) for name in ("question", "frame")]
    return "\n\n".join([*parts, *counted, *closing])


def read_position(draw: Draw, place: int, language: Language) -> str:
    """One paragraph: the position, its card, what the card says, and what it means there."""
    position, drawn = draw.positions[place]
    name, meant = position.title.text(language), position.frame_card(language, is_reversed=drawn.is_reversed)
    colon, gap = choose(language, zh="：", en=": "), choose(language, zh="", en=" ")
    return f"**{place + 1}. {name} · {drawn.title(language)}**{colon}{drawn.text(language)}{gap}{meant}"


def _count_patterns(draw: Draw, language: Language) -> Iterator[str]:
    """What the draw as a whole shows, counted; nothing for a single card."""
    total = len(draw.cards)
    if total < _MANY:
        return
    suits = Counter(one.card.suit for one in draw.cards)
    if suits["major"] * 2 >= total:
        yield _TEXTS.render("majors", language, count=suits["major"], total=total)
    turned = sum(one.is_reversed for one in draw.cards)
    if turned * 2 > total:
        yield _TEXTS.render("reversals", language, count=turned, total=total)
    minors = [(count, suit) for suit, count in suits.items() if suit != "major"]
    lead = [suit for count, suit in minors if count == max(minors)[0] and count * 2 >= total - suits["major"] > 1]
    if len(lead) == 1:
        yield _TEXTS.render(lead[0], language)
    numbers = Counter(one.card.number for one in draw.cards if one.card.suit != "major" and one.card.number <= _TEN)
    for number, count in numbers.items():
        if count >= _MANY or (count > 1 and total == _MANY):
            yield _TEXTS.render("number", language, number=number, count=count)
