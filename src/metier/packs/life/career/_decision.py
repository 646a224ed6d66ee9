"""Decision matrix: options, weighted aspects and scores; the rank, and which weight would change the winner."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from metier.json_values import JsonObject, JsonValue
from metier.language import Language, Sentences, choose
from metier.packs.life.career._criteria import MAX_WEIGHT, Criterion

_MAX_SCORE: Final = 10.0
_MAX_OPTIONS: Final = 6
_NUMBER: Final = re.compile(r"\d+(?:\.\d+)?")
_BETWEEN: Final = re.compile(r"还是|\bor\b|\bvs\.?\b|、|,|，|;|；|\n", re.IGNORECASE)
_LEAD: Final = re.compile(
    r"^(?:请|帮我|我想|我要|我在|纠结|不知道|该|应该|到底|是|选|选择|比较一下|比较|在|should i|shall i|help me|"
    r"i can't decide|between|choose|decide|compare|whether to|to)+\s*",
    re.IGNORECASE,
)
_TAIL_WORDS: Final = "(?:怎么选|如何选|选哪个|哪个好|做个决策矩阵|做个选择|好|呢|吗|[?？。.!！])"
_TAIL: Final = re.compile(
    rf"(?:之间)?{_TAIL_WORDS}*(?:{_TAIL_WORDS}|(?:帮我|比较).*)$"
    r"|,?\s*(?:please|which is better).*$",
    re.IGNORECASE,
)
_TEXTS: Final = Sentences(
    {
        "rank": (
            "**{first}** comes first with {points}; {second} has {other}.",
            "**{first}** 排第一，{points} 分；{second} 是 {other} 分。",
        ),
        "tie": ("{names} come out equal.", "{names} 打成平手。"),
        "flip": (
            "{second} would win if the weight of “{name}” were {what} {value} (now {now}).",
            "如果“{name}”的权重{what} {value}（现在是 {now}），{second} 就会反超。",
        ),
        "above": ("above", "高于"),
        "below": ("below", "低于"),
        "stable": (
            "No single weight between 0 and 10 would change the winner: the result is stable.",
            "任何一个权重在 0 到 10 之间单独变动，第一名都不会换：结果比较稳。",
        ),
        "close": (
            "It is close: a small change of weights decides, so look at what you hoped the result would be.",
            "差距很小，权重稍动就会变；留意一下，看到结果时你心里希望是哪一个。",
        ),
        "option": ("Option", "选项"),
        "total": ("Weighted mean", "加权平均"),
        "rank_title": ("Rank", "名次"),
        "title": ("Decision matrix", "决策矩阵"),
        "weights_read": (
            "The weights are now {weights}. Now the scores: say “decision matrix”, and after the name of each option "
            "{count} numbers from 1 to 10, for example: decision matrix: {example}",
            "权重改成了 {weights}。现在打分：说“决策矩阵”，每个选项的名字后面写 {count} 个 1 到 10 的数，"
            "比如：决策矩阵：{example}",
        ),
        "scores_unread": (
            "I could not read the scores. Options and weights are kept: say “decision matrix”, and after the name of "
            "each option {count} numbers from 1 to 10, for example: decision matrix: {example}",
            "分数没有看懂。选项和权重已保留：说“决策矩阵”，每个选项的名字后面写 {count} 个 1 到 10 的数，"
            "比如：决策矩阵：{example}",
        ),
    }
)


@dataclass(frozen=True, slots=True)
class Flip:
    """A weight that would let another option win: the criterion, its new weight, and whether it must be above it."""

    option: str
    criterion: str
    now: float
    at: float
    is_above: bool


def read_options(said: str) -> tuple[str, ...]:
    """Options that a message names: at least two parts around "or", else none."""
    parts = [_TAIL.sub("", _LEAD.sub("", part.strip())).strip(" 。.?？") for part in _BETWEEN.split(said)]
    found = tuple(dict.fromkeys(part for part in parts if 0 < len(part) <= 40))
    has_between = re.search(r"还是|\bor\b|\bvs\b", said, re.IGNORECASE) is not None
    return found[:_MAX_OPTIONS] if has_between and len(found) > 1 else ()


def list_options(said: str) -> tuple[str, ...]:
    """Options of an answer that only lists them."""
    parts = (
        part.strip(" 。.") for part in re.split(r"还是|和|与|\bor\b|\band\b|[,，、;；\n/]", said, flags=re.IGNORECASE)
    )
    return tuple(dict.fromkeys(part[:40] for part in parts if part))[:_MAX_OPTIONS]


def has_scores(said: str) -> bool:
    """Whether a message has numbers that may be scores: two at least, one for each of two options."""
    return len(_NUMBER.findall(said)) > 1


def read_scores(said: str, options: Sequence[str], count: int) -> tuple[tuple[float, ...], ...] | None:
    """Scores of each option in order; None if they do not fit. Lines may be in any order if they name the option."""
    lines = [line for line in re.split(r"[\n;；]+", said) if _NUMBER.search(line)]
    named = {option: line.replace(option, "", 1) for option in options for line in lines if option in line}
    if len(named) == len(options) > len(lines):
        named = _split_names(said, options)
    if len(named) < len(options):
        named = (
            dict(zip(options, lines, strict=False))
            if len(lines) == len(options)
            else _split_numbers(said, options, count)
        )
    found = [
        tuple(min(float(one), _MAX_SCORE) for one in _NUMBER.findall(named.get(option, ""))[-count:])
        for option in options
    ]
    return tuple(found) if all(len(one) == count for one in found) else None


def _split_names(said: str, options: Sequence[str]) -> dict[str, str]:
    """What stands after the name of each option, up to the next name: several options on one line."""
    names = "|".join(re.escape(one) for one in sorted(options, key=len, reverse=True))
    _, *parts = re.split(f"({names})", said)
    return dict(zip(parts[::2], parts[1::2], strict=True))


def _split_numbers(said: str, options: Sequence[str], count: int) -> dict[str, str]:
    numbers = _NUMBER.findall(said)
    if len(numbers) != count * len(options):
        return {}
    return {option: " ".join(numbers[at * count : (at + 1) * count]) for at, option in enumerate(options)}


def rank_options(
    options: Sequence[str], criteria: Sequence[Criterion], scores: Sequence[Sequence[float]]
) -> tuple[tuple[str, float], ...]:
    """Options with their weighted mean, best first; ties keep the order in which they were named."""
    total = sum(one.weight for one in criteria)
    means = [sum(one.weight * value for one, value in zip(criteria, row, strict=True)) / total for row in scores]
    return tuple(sorted(zip(options, means, strict=True), key=lambda one: -one[1]))


def find_flips(
    options: Sequence[str], criteria: Sequence[Criterion], scores: Sequence[Sequence[float]]
) -> tuple[Flip, ...]:
    """Single weights above 0 and up to 10 that would let another option beat the winner, the smallest change first."""
    ranked = rank_options(options, criteria, scores)
    best = scores[options.index(ranked[0][0])]
    found = []
    for name, _ in ranked[1:]:
        row = scores[options.index(name)]
        gaps = [theirs - ours for theirs, ours in zip(row, best, strict=True)]
        lead = sum(one.weight * gap for one, gap in zip(criteria, gaps, strict=True))
        for one, gap in zip(criteria, gaps, strict=True):
            if gap == 0:
                continue
            at = one.weight - lead / gap
            if 0 < round(at, 1) <= MAX_WEIGHT and at != one.weight:
                found.append(Flip(name, one.name, one.weight, at, gap > 0))
    return tuple(sorted(found, key=lambda flip: abs(flip.at - flip.now)))


def describe_decision(
    options: Sequence[str], criteria: Sequence[Criterion], scores: Sequence[Sequence[float]], language: Language
) -> JsonObject:
    """The matrix for people: rank, table, and which weight would change the winner."""
    ranked = rank_options(options, criteria, scores)
    points = {name: f"{value:.2f}" for name, value in ranked}
    (first, best), (second, next_best) = ranked[0], ranked[1]
    if points[first] == points[second]:
        parts = [_TEXTS.render("tie", language, names=[name for name, value in ranked if value == best])]
    else:
        parts = [
            _TEXTS.render(
                "rank", language, first=_begin(first), points=points[first], second=second, other=points[second]
            )
        ]
    flips = find_flips(options, criteria, scores)
    is_tied = points[first] == points[second]
    parts += [_describe_flip(one, language) for one in flips[:3]]
    if not flips and not is_tied:
        parts.append(_TEXTS.render("stable", language))
    if best - next_best < 0.5:  # half a point of ten
        parts.append(_TEXTS.render("close", language))
    return {
        "winner": None if is_tied else first,
        "ranked": [{"option": name, "mean": round(value, 2)} for name, value in ranked],
        "flips": [{"option": one.option, "criterion": one.criterion, "at": round(one.at, 2)} for one in flips],
        "summary": "\n\n".join(parts),
        "tables": [_build_table(options, criteria, scores, ranked, language)],
    }


def describe_unread(options: Sequence[str], count: int, language: Language, weights: Sequence[Criterion] = ()) -> str:
    """Sentence that asks for scores again, with an example; `weights` are those that were just changed."""
    values = [" ".join(str(8 - (at + place) % 3) for at in range(count)) for place in range(len(options))]
    joint = choose(language, zh="；", en="; ")
    example = joint.join(f"{name} {scores}" for name, scores in zip(options, values, strict=True))
    if weights:
        listed = [f"{one.name} {one.weight:g}" for one in weights]
        return _TEXTS.render("weights_read", language, count=count, example=example, weights=listed)
    return _TEXTS.render("scores_unread", language, count=count, example=example)


def _describe_flip(flip: Flip, language: Language) -> str:
    what = _TEXTS.render("above" if flip.is_above else "below", language)
    told = {
        "second": choose(language, zh=flip.option, en=_begin(flip.option)),
        "name": flip.criterion,
        "value": f"{flip.at:.1f}",
        "now": f"{flip.now:g}",
    }
    return _TEXTS.render("flip", language, what=what, **told)


def _begin(name: str) -> str:
    """A name as the first word of a sentence."""
    return name[:1].upper() + name[1:]


def _build_table(
    options: Sequence[str],
    criteria: Sequence[Criterion],
    scores: Sequence[Sequence[float]],
    ranked: Sequence[tuple[str, float]],
    language: Language,
) -> JsonObject:
    rank, option, total, title = (_TEXTS.render(one, language) for one in ("rank_title", "option", "total", "title"))
    names = [f"{one.name} ×{one.weight:g}" for one in criteria]
    places = _number_places([value for _, value in ranked])
    rows: list[JsonValue] = []
    for place, (name, value) in zip(places, ranked, strict=True):
        row: Mapping[str, float] = dict(zip(names, scores[options.index(name)], strict=True))
        rows.append({rank: place, option: name, **row, total: round(value, 2)})
    return {"title": title, "columns": [rank, option, *names, total], "rows": rows}


def _number_places(values: Sequence[float]) -> list[int]:
    """Places with ties: equal values share one."""
    places = [1]
    for at, (before, value) in enumerate(pairwise(values), 2):
        places.append(places[-1] if round(before, 2) == round(value, 2) else at)
    return places
