"""Generated skills and messages: all four layouts in two languages, or English with examples; fixed by a seed."""

import json
import random
from itertools import product
from pathlib import Path

from metier.skills import Skill, Source

_AREAS = ("网络", "合同", "会议", "预算", "bearing", "invoice", "customer", "schedule", "日程", "诊断")
_VERBS = ("分析", "整理", "检查", "对比", "summarise", "draft", "validate", "plan", "统计", "翻译")
_LINES = (
    "先查清用户关心的对象和时间范围，再决定用哪些指标。",
    "Call the lookup first; never invent a number.",
    "结果先给结论，再给依据，最后给下一步。",
    "If a value is missing, ask for it by name and give the range.",
    "| 指标 | 含义 | 门限 |\n|---|---|---|\n| A | 覆盖 | 95% |\n| B | 质量 | 10 |",
    "Keep the answer under one page and cite where each figure comes from.",
)
# Forty by twenty-five: a thousand distinct skills.
_ACTIONS = (
    *("approve", "archive", "audit", "book", "cancel", "check", "close", "compare", "count", "draft"),
    *("edit", "explain", "export", "extend", "file", "find", "forecast", "import", "inspect", "label"),
    *("list", "merge", "order", "pause", "print", "rank", "refund", "rename", "renew", "repair"),
    *("reserve", "resume", "return", "review", "schedule", "share", "sign", "split", "summarise", "translate"),
)
_OBJECTS = (
    *("invoice", "contract", "shipment", "lease", "payslip", "timesheet", "patent", "blueprint", "podcast", "recipe"),
    *("playlist", "passport", "vaccine record", "meter reading", "train ticket", "hotel room", "parking permit"),
    *("warranty", "donation", "guest list", "press release", "greenhouse", "wind turbine", "exam paper", "ferry"),
)
_EXAMPLE_FORMS = (
    "{deed} the {thing}",
    "please {deed} my {thing} for next week",
    "can you {deed} this {thing} before noon",
    "i need somebody to {deed} a {thing}",
    "{deed} every {thing} of the north branch",
    "what do i do to {deed} a {thing}",
    "we still have to {deed} the {thing} from march",
    "is it possible to {deed} the {thing} without a form",
    "help me {deed} two {thing}s at once",
    "my manager wants me to {deed} the {thing} today",
)
_MESSAGE_FORMS = (
    "could somebody {deed} that {thing} for the team in the morning",
    "{deed} our {thing}, would you",
    "i was told to {deed} the old {thing} first thing tomorrow",
    "{deed} {thing}",
    "the customer asks us to {deed} the {thing} that came on friday",
)
_TWO_STEP_FORMS = (
    "i was told to {deed} the old {thing} first and then call back",
    "open the folder, then {deed} the {thing} that is on top",
    "could you {deed} a {thing} and also tell me how long it takes",
)
_BACKGROUND = (
    "We moved to the second floor in spring and half of the boxes are still closed.",
    "The lift is out of order, so everybody takes the stairs beside the kitchen.",
    "My colleague Ines has been here for nine years and knows all of our suppliers.",
    "On Mondays the phones are busy until ten, after that it is mostly quiet.",
    "There were forty people at the summer party, more than in any year before.",
    "It rained for most of the week and the cellar had water again.",
    "Our new intern comes from Lisbon and rides a bicycle to the office.",
    "The printer near the window works best, the other one eats paper.",
)


def write_corpus(folder: Path, count: int, *, seed: int = 7) -> None:
    """Write `count` skills below `folder`, a quarter in each layout."""
    chance = random.Random(seed)  # noqa: S311 - a corpus wants repeatability, not secrecy
    for number in range(count):
        _WRITERS[number % len(_WRITERS)](folder, number, chance)


def make_messages(chance: random.Random, count: int) -> list[str]:
    """Messages about the corpus of `write_corpus`, short and long, in both languages."""
    forms = (
        "请帮我{verb}一下{area}的情况，下午要用",
        "{verb} the {area} numbers for me",
        "{area}这个月怎么样？",
        "{verb}{area}",
    )
    return [chance.choice(forms).format(verb=chance.choice(_VERBS), area=chance.choice(_AREAS)) for _ in range(count)]


def make_english_skills(count: int) -> list[Skill]:
    """English skills with ten examples each; at most a thousand."""
    source = Source(Path("set"), Path("set"), "flat")
    return [
        Skill(
            f"{deed}-{thing.replace(' ', '-')}",
            f"{deed} {thing}",
            "",
            source,
            "",
            examples=_fill_forms(_EXAMPLE_FORMS, deed, thing),
        )
        for deed, thing in list(product(_ACTIONS, _OBJECTS))[:count]
    ]


def make_english_messages(chance: random.Random, count: int, *, in_steps: bool = False) -> list[str]:
    """Messages for the skills of `make_english_skills`, worded unlike their examples; `in_steps` asks for two."""
    forms = _TWO_STEP_FORMS if in_steps else _MESSAGE_FORMS
    return [chance.choice(_fill_forms(forms, chance.choice(_ACTIONS), chance.choice(_OBJECTS))) for _ in range(count)]


def make_long_messages(chance: random.Random, count: int, *, words: int) -> list[str]:
    """English messages of about so many words for the same skills: a request at any place among other sentences."""
    return [_surround(chance, asked, words) for asked in make_english_messages(chance, count)]


def _surround(chance: random.Random, asked: str, words: int) -> str:
    around: list[str] = []
    while len(" ".join((*around, asked)).split()) < words:
        around.append(chance.choice(_BACKGROUND))
    around.insert(chance.randint(0, len(around)), f"{asked.capitalize()}.")
    return " ".join(around)


def _fill_forms(forms: tuple[str, ...], deed: str, thing: str) -> tuple[str, ...]:
    return tuple(form.format(deed=deed, thing=thing) for form in forms)


def _make_words(chance: random.Random, number: int) -> tuple[str, str, list[str]]:
    area, verb = chance.choice(_AREAS), chance.choice(_VERBS)
    title = f"{verb}{area} {number}"
    return (
        title,
        f"{verb} {area}; use it when a message is about {area} number {number}",
        [f"{verb}{area}{number}", area],
    )


def _make_body(chance: random.Random, title: str) -> str:
    return "\n\n".join([f"# {title}", *chance.choices(_LINES, k=24)]) + "\n"


def _write_flat(folder: Path, number: int, chance: random.Random) -> None:
    title, description, triggers = _make_words(chance, number)
    front = f"name: flat_{number}\ntitle: {title}\ndescription: {description}\npriority: {number % 100}\n"
    listed = "".join(f"  - {trigger}\n" for trigger in triggers)
    _write(folder / f"flat_{number}.md", f"---\n{front}triggers:\n{listed}---\n\n{_make_body(chance, title)}")


def _write_agent_skill(folder: Path, number: int, chance: random.Random) -> None:
    title, description, triggers = _make_words(chance, number)
    front = (
        f"name: skill-{number}\ndescription: {description}\nlicense: Apache-2.0\nmetadata:\n"
        f"  title: {title}\n  triggers: '{json.dumps(triggers, ensure_ascii=False)}'\n"
    )
    home = folder / f"skill-{number}"
    _write(home / "SKILL.md", f"---\n{front}---\n\n{_make_body(chance, title)}")
    _write(home / "references" / "details.md", _make_body(chance, title))


def _write_manifest(folder: Path, number: int, chance: random.Random) -> None:
    title, description, triggers = _make_words(chance, number)
    tool = f"tool_{number}"
    parameters = {"type": "object", "properties": {"doc_text": {"type": "string"}, f"n{number}": {"type": "integer"}}}
    manifest = {
        "schema_version": "ah32.skill.v1",
        "meta": {"id": f"manifest-{number}", "name": title, "description": description, "priority": number % 100},
        "routing": {"triggers": triggers, "examples": [f"{title}？", f"please {title}"]},
        "tools": [{"name": tool, "description": title, "parameters": parameters}],
    }
    home = folder / f"manifest-{number}"
    _write(home / "skill.json", json.dumps(manifest, ensure_ascii=False, indent=2))
    _write(home / "SYSTEM.md", _make_body(chance, title))
    _write(home / "scripts" / f"{tool}.py", f"def {tool}(doc_text='', **_):\n    return {{'chars': len(doc_text)}}\n")


def _write_bare(folder: Path, number: int, chance: random.Random) -> None:
    title, _, _ = _make_words(chance, number)
    _write(folder / f"bare-{number}" / "SYSTEM.md", _make_body(chance, title))


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


_WRITERS = (_write_flat, _write_agent_skill, _write_manifest, _write_bare)
