"""Tools of tarot: settle the seed, draw, explain a card or a term."""

from collections.abc import Mapping
from typing import Annotated, Final

from pydantic import Field

from metier.clock import utc_text
from metier.json_values import JsonObject, JsonValue
from metier.language import Language, Sentences, language_of
from metier.packs.life.conversation._fields import SummaryLanguage, Words
from metier.packs.life.conversation._follow_ups import is_another_draw, read_spread, write_fact
from metier.packs.life.conversation._terms import explain_term
from metier.packs.life.tarot import (
    ALGORITHM,
    SPREADS,
    Draw,
    commit,
    draw_from_json,
    draw_spread,
    match_spread,
    read_draw,
)
from metier.tools import ToolContext, ToolError, ToolResult, show_as

_MAX_KEPT: Final = 12
_TEXTS: Final = Sentences(
    {
        "shuffled": (
            "Spread: {spread}. The deck is shuffled from a seed of the operating system. "
            "Its SHA-256, shown before the cards: `{hash}`",
            "牌阵：{spread}。洗牌种子由操作系统生成，抽牌前先公布它的 SHA-256：`{hash}`",
        ),
        "assumed": (
            "You did not name a spread, so I take three cards; say “one card” or “Celtic cross” for another.",
            "你没有指定牌阵，这里用三张牌；想换可以说“抽一张牌”或“凯尔特十字”。",
        ),
        "proof": (
            "To check: draw `{id}`, seed `{seed}`; its SHA-256 is the one above, "
            "and the same cards can be dealt again from it (`metier life redraw {id}` on the server).",
            "可核对：本次编号 `{id}`，种子 `{seed}`；它的 SHA-256 就是上面那串，"
            "用它可以重新得到同样的牌（在服务器上运行 `metier life redraw {id}`）。",
        ),
        "position": ("Position", "位置"),
        "card": ("Card", "牌"),
        "picture": ("Spread: {spread}", "牌阵：{spread}"),
    }
)
DrawId = Annotated[
    str,
    Field(
        min_length=1,
        max_length=40,
        description="洗牌编号 · id of the shuffled deck",
        json_schema_extra=show_as("编号", "Id", hidden=True),
    ),
]
LastDraw = Annotated[
    str | None,
    Field(
        max_length=200,
        description="上一次抽牌，请留空 · the draw before, leave out",
        json_schema_extra=show_as("上一次抽牌", "Draw before", hidden=True),
    ),
]
SpreadName = Annotated[
    str,
    Field(
        pattern="^(single|three|time|celtic)$",
        description="牌阵 · spread",
        json_schema_extra=show_as(
            "牌阵", "Spread", labels={name: one.title.to_json() for name, one in SPREADS.items()}
        ),
    ),
]


def prepare_draw(
    message: Words,
    spread: SpreadName | None = None,
    last: LastDraw = None,
    language: SummaryLanguage | None = None,
) -> ToolResult:
    """洗牌并公布种子的哈希，种子不能指定。Shuffle the deck and show the hash of the seed before the draw."""
    language = language or language_of(message)
    chosen, is_named = (SPREADS[spread], True) if spread else match_spread(message)
    if not is_named and is_another_draw(message) and (same := read_spread(last)):
        chosen, is_named = SPREADS[same], True
    settled = commit(chosen.id)
    title = chosen.title.text(language)
    note = _TEXTS.render("shuffled", language, spread=title, hash=settled.seed_hash)
    if not is_named:
        note = f"{note}\n\n{_TEXTS.render('assumed', language)}"
    told: JsonObject = {"draw": settled.id, "hash": settled.seed_hash, "spread": chosen.id, "note": note}
    return ToolResult(
        {**told, "title": title, "algorithm": ALGORITHM}, keep={"skill_data.tarot.pending": settled.to_json()}
    )


def draw_cards(context: ToolContext, draw: DrawId, language: SummaryLanguage = "zh") -> ToolResult:
    """按洗好的牌抽牌、解读并公布种子。Deal the shuffled cards, read them and show the seed."""
    kept = _get_kept(context)
    draws = kept.get("draws")
    earlier = draws.get(draw) if isinstance(draws, Mapping) else None
    pending = kept.get("pending")
    if earlier is None and not (isinstance(pending, Mapping) and pending.get("id") == draw):
        raise ToolError("no deck was shuffled under this id", code="draw_unknown", hint="call prepare_draw first")
    found = draw_from_json(earlier or {**_as_object(pending), "at": utc_text()})
    if found is None:
        raise ToolError("the kept draw cannot be read", code="draw_unknown", hint="call prepare_draw again")
    result = _describe(found, context, language)
    if earlier is not None:
        return ToolResult(result)
    listed = {**_as_object(draws), draw: found.to_json()}
    newest = dict(sorted(listed.items(), key=lambda one: str(_as_object(one[1]).get("at")))[-_MAX_KEPT:])
    return ToolResult(result, keep={"skill_data.tarot.draws": newest, "skill_data.tarot.pending": None})


def explain_life_term(query: Words) -> ToolResult:
    """解释牌义和名词，注明出处。Explain a card or a term from the pack's own texts, with the source."""
    return ToolResult(explain_term(query))


def _describe(draw: Draw, context: ToolContext, language: Language) -> JsonObject:
    """The draw for the user: picture, table, reading, and what is needed to check it."""
    name = f"tarot-{draw.commitment.id}.svg"
    context.workspace.mkdir(parents=True, exist_ok=True)
    (context.workspace / name).write_text(draw_spread(draw, language), "utf-8")
    spread = draw.spread.title.text(language)
    columns = [_TEXTS.render(one, language) for one in ("position", "card")]
    rows: list[JsonValue] = [
        dict(zip(columns, (position.title.text(language), drawn.title(language)), strict=True))
        for position, drawn in draw.positions
    ]
    title = _TEXTS.render("picture", language, spread=spread)
    proof = _TEXTS.render("proof", language, id=draw.commitment.id, seed=draw.commitment.seed)
    return {
        "draw": draw.commitment.id,
        "deck": write_fact(draw),
        "seed": draw.commitment.seed,
        "hash": draw.commitment.seed_hash,
        "spread": spread,
        "cards": [one.card.id for one in draw.cards],
        "reversed": [one.is_reversed for one in draw.cards],
        "reading": read_draw(draw, language),
        "proof": proof,
        "images": [{"path": name, "title": title, "alt": title}],
        "tables": [{"title": title, "columns": list(columns), "rows": rows}],
    }


def _get_kept(context: ToolContext) -> JsonObject:
    return _as_object(_as_object(context.user_data.get("skill_data")).get("tarot"))


def _as_object(value: JsonValue) -> JsonObject:
    return value if isinstance(value, Mapping) else {}
