"""Every sentence of every room exists in both languages, and every code is used."""

import ast
import importlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from string import Formatter
from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

import metier
from metier.language import (
    Note,
    Sentences,
    choose,
    cut_at_sentence,
    join_names,
    join_sentences,
    language_of,
    read_language_wish,
    resolve_language,
    split_sentences,
    write_count,
)
from tests.sources import find_nodes, list_modules

SOURCES = Path(metier.__file__).parent
HAN = re.compile("[\u4e00-\u9fff]")
RENDERERS = frozenset({"Note", "PlanReason", "of", "render", "render_sentence"})


@dataclass(frozen=True, slots=True)
class Weather(Note):
    sentences: ClassVar[Sentences] = Sentences(
        {"rain": ("rain in {towns}", "{towns}有雨"), "but": ("{first!r}, but {second}", "{first}，但{second}")}
    )


@cache
def tables() -> dict[str, Sentences]:
    """Every table of sentences in the package, by module and name."""
    found: dict[int, tuple[str, Sentences]] = {}
    for file in sorted(SOURCES.rglob("*.py")):
        if "Sentences(" in file.read_text("utf-8"):
            module = ".".join(("metier", *file.relative_to(SOURCES).with_suffix("").parts))
            for name, value in vars(importlib.import_module(module)).items():
                if isinstance(value, Sentences):
                    found.setdefault(id(value), (f"{module}.{name}", value))
    return dict(found.values())


def _iter_sentences() -> Iterator[tuple[str, str]]:
    return ((name, code) for name, table in tables().items() for code in table)


def _placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def _has_only_latin_words(text: str) -> bool:
    literal = "".join(part for part, *_ in Formatter().parse(text))
    return bool(re.search("[A-Za-z]", literal)) and not HAN.search(literal)


def test_there_are_tables_to_look_at() -> None:
    rooms = {name.split(".")[1] for name in tables()}
    assert {"agent", "plans", "routing", "tools"} <= rooms


def test_a_sentence_has_the_same_placeholders_in_both_languages() -> None:
    texts = {f"{table}: {code}": tables()[table][code] for table, code in _iter_sentences()}
    assert [name for name, (en, zh) in texts.items() if _placeholders(en) != _placeholders(zh)] == []
    assert [name for name, (en, _) in texts.items() if HAN.search(en)] == []
    assert [name for name, (en, zh) in texts.items() if en != zh and _has_only_latin_words(zh)] == []


def test_no_code_is_unused() -> None:
    used, patterns = _used_texts()
    idle = [
        f"{table}: {code}"
        for table, code in _iter_sentences()
        if code not in used and not any(pattern.fullmatch(code) for pattern in patterns)
    ]
    assert idle == []


def _used_texts() -> tuple[set[str], list[re.Pattern[str]]]:
    """Texts in the sources that are no code of a table, and patterns of codes put together such as `need_{state}`."""
    used: set[str] = set()
    shapes: set[str] = set()
    for path in list_modules():
        own = {id(key) for call in _iter_tables(find_nodes(path, ast.Call)) for key in call.keys}
        texts = (node for node in find_nodes(path, ast.Constant) if isinstance(node.value, str) and id(node) not in own)
        used.update(str(node.value) for node in texts)
        shapes.update(filter(None, map(_describe_code, find_nodes(path, ast.JoinedStr))))
    return used, [re.compile(shape) for shape in shapes]


def _describe_code(node: ast.JoinedStr) -> str:
    """Pattern of the codes that a formatted text may be; empty if it is none, or says too little."""
    parts = [str(one.value) if isinstance(one, ast.Constant) else None for one in node.values]
    fixed = "".join(part or "" for part in parts)
    if not re.fullmatch(r"[a-z_.]+", fixed) or not re.search("[a-z]{3}", fixed) or not re.search("[_.]", fixed):
        return ""
    return "".join(r"[\w.]+" if part is None else re.escape(part) for part in parts)


def _iter_tables(nodes: Iterable[ast.AST]) -> Iterator[ast.Dict]:
    for node in nodes:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Sentences":
            yield from (argument for argument in node.args if isinstance(argument, ast.Dict))


def test_no_code_is_missing() -> None:
    known = {code for _, code in _iter_sentences()}
    asked = {code for path in list_modules() for node in find_nodes(path, ast.Call) for code in _codes_of(node)}
    assert len(asked) > 80
    assert asked - known == set()


def _codes_of(node: ast.AST) -> Iterator[str]:
    if not isinstance(node, ast.Call) or not node.args:
        return
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    if name in RENDERERS and isinstance(node.args[0], ast.Constant) and isinstance(node.args[0].value, str):
        yield node.args[0].value


def test_a_note_is_said_in_the_language_asked_for() -> None:
    note = Weather.of("rain", towns=["北京", "上海"])
    assert (note.text(), note.text("zh")) == ("rain in 北京, 上海", "北京、上海有雨")


def test_a_note_inside_a_note_speaks_the_same_language() -> None:
    note = Weather.of("but", first="a", second=Weather.of("rain", towns="b"))
    assert (note.text(), note.text("zh")) == ("'a', but rain in b", "a，但b有雨")
    assert note.to_json() == {
        "code": "but",
        "values": {"first": "a", "second": {"code": "rain", "values": {"towns": "b"}}},
    }


def test_a_missing_value_leaves_a_gap_and_an_unknown_code_stays() -> None:
    assert Weather("rain").text() == "rain in …"
    assert Weather("snow", {"towns": "b"}).text("zh") == "snow"


def test_a_value_with_braces_is_only_a_value() -> None:
    assert Weather.of("rain", towns="{0} {first}").text() == "rain in {0} {first}"


def test_the_language_is_that_of_the_text() -> None:
    assert [language_of(text) for text in ("weak coverage", "弱覆盖 RSRP", "")] == ["en", "zh", "en"]


def test_a_choice_and_a_list_follow_the_language() -> None:
    assert (choose("en", en=1, zh=2), choose("zh", en=1, zh=2)) == (1, 2)
    assert (join_names(["a", "b"], "en"), join_names(["a", "b"], "zh")) == ("a, b", "a、b")


CUT = "RSRP 低于 -110 dBm。共 1,234.5 个；见 3.5 GHz. Then, at last, more words"


@pytest.mark.parametrize(
    ("most", "kept"),
    [
        (100, CUT),
        (48, "RSRP 低于 -110 dBm。共 1,234.5 个；见 3.5 GHz."),
        (30, "RSRP 低于 -110 dBm。共 1,234.5 个；"),
        (20, "RSRP 低于 -110 dBm。"),
        (12, "RSRP 低于…"),
        (3, ""),
    ],
)
def test_a_text_is_cut_after_a_sentence_or_a_word_and_never_in_a_number(most: int, kept: str) -> None:
    assert cut_at_sentence(CUT, lambda text: len(text) <= most) == kept


def test_a_text_without_sentences_is_cut_after_a_clause() -> None:
    assert cut_at_sentence("a long, longer, longest clause", lambda text: len(text) <= 17) == "a long, longer,…"


@given(st.text(max_size=80))
def test_sentences_joined_are_the_text(text: str) -> None:
    assert "".join(split_sentences(text)) == text


def test_one_of_something_is_singular_in_english() -> None:
    table = Sentences(
        {"a": ("{topics} topics, {todos} action items, {open} entries are open, {name} has {rows} rows", "")}
    )
    one = dict.fromkeys(("topics", "todos", "open", "name", "rows"), 1)
    assert table.render("a", "en", **one) == "1 topic, 1 action item, 1 entry is open, 1 has 1 row"
    two = dict.fromkeys(one, 2)
    assert table.render("a", "en", **two) == "2 topics, 2 action items, 2 entries are open, 2 has 2 rows"


def test_a_count_of_one_has_a_single_thing() -> None:
    told = [write_count(1, "rows"), write_count(1200, "rows"), write_count(1, "entries"), write_count(0, "boxes")]
    assert told == ["1 row", "1,200 rows", "1 entry", "0 boxes"]


@pytest.mark.parametrize(
    ("message", "language"),
    [
        ("Analyse weak coverage in 朝阳", "en"),
        ("Convert 订单.csv to json please", "en"),
        ("What is the deadline in 设备采购合同?", "en"),
        ("Compare the sales of 华东 and 华北", "en"),
        ("What does the word 弱覆盖 mean in this report", "en"),
        ("Can you please check 朝阳?", "en"),
        ("Show me the list for 海淀 2026.", "en"),
        ("订单.csv has to be converted to json", "en"),
        ("朝阳 is the district with the weakest signal", "en"),
        ("How many people live in the city", "en"),
        ("is 乙 cheaper?", "en"),
        ("the price of 乙 only", "en"),
        ("Harry Potter and the Goblet of Fire 读后感", "zh"),
        ("The Old Man and the Sea 读后感500字", "zh"),
        ("Game of Thrones 大结局", "zh"),
        ("Tom and Jerry 剧情简介", "zh"),
        ("Beauty and the Beast 主题曲", "zh"),
        ("How to Train Your Dragon 票房？", "zh"),
        ("重启 the server on port 8080", "zh"),
        ("提交 pull request to main branch", "zh"),
        ("合并 the first and second sheet", "zh"),
        ("weak coverage 是什么意思", "zh"),
        ("把 weak coverage in Beijing 翻译成中文", "zh"),
        ("RSRP SINR PRB 对比", "zh"),
        ("用 Python 写一个 for loop and a class", "zh"),
        ("朝阳", "zh"),
    ],
)
def test_an_english_sentence_with_a_chinese_name_is_english(message: str, language: str) -> None:
    assert resolve_language("auto", message) == language
    assert resolve_language("zh", message) == "zh"


@pytest.mark.parametrize(
    "message",
    ["back to {}", "朝阳 in the {}", "in the {} 朝阳", "is {} 乙 cheaper?", "is 乙 {} cheaper?", "{}", "{}。"],
)
def test_the_language_of_a_long_word_is_found_in_one_pass(message: str) -> None:
    for long in ("x" * 100_000, "x-" * 50_000, "'" * 100_000):
        assert resolve_language("auto", message.format(long)) == language_of(message.replace("乙", ""))


def test_a_message_that_only_wants_the_other_language_is_answered_in_it() -> None:
    wishes = {
        "用英文说一遍": "en",
        "请用英语再说一遍。": "en",
        "换成中文吧": "zh",
        "say that in Chinese": "zh",
        "now repeat it in English, please": "en",
        "in chinese": "zh",
    }
    assert {said: read_language_wish(said) for said in wishes} == wishes
    assert {said: resolve_language("auto", said) for said in wishes} == wishes
    others = ("用英文写一份合同", "translate the contract into English", "把第二段翻译成英文", "say hello in Chinese")
    assert [said for said in others if read_language_wish(said) is not None] == []


def test_sentences_are_joined_with_a_blank_and_in_chinese_without_one() -> None:
    assert join_sentences(("One.", "", "Two."), "en") == "One. Two."
    assert join_sentences(("第一句。", "", "第二句。"), "zh") == "第一句。第二句。"
