from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metier.errors import InvalidRules, NotFound
from metier.tools import TaskType, TaskTypes, classify, find_unknown_tools, gate_for, load_task_types
from metier.tools.builtin import BuiltinConfig, builtin_tools
from metier.tools.gate._task_types import merge
from tests.tools.support import registry

TYPES = load_task_types()
NAMED = sorted(TYPES["research"].named_tools)


@pytest.mark.parametrize(
    ("message", "types"),
    [
        ("帮我调研固态电池的发展现状", ["research"]),
        ("What is the outlook for offshore wind?", ["research"]),
        ("生成一份季度总结的PPT", ["creation"]),
        ("Draft a one-page brochure", ["creation"]),
        ("把这个CSV去重，再计算每列平均值", ["data_processing"]),
        ("convert the spreadsheet to JSON", ["data_processing"]),
        ("打开官网，抓取最新的公告", ["web_task"]),
        ("scrape the prices from this website", ["web_task"]),
        ("重构这段代码并写测试", ["code_development"]),
        ("debugging a failing unit test", ["code_development"]),
        ("开发一个登录功能", ["code_development"]),
        ("你好", []),
        ("what a lovely day", []),
        ("搜索行业趋势，然后做成PPT", ["research", "creation", "web_task"]),
        ("不要做PPT，调研一下竞品", ["research"]),
        ("research the market without slides", ["research"]),
    ],
)
def test_a_message_is_taken_for_what_its_words_say(message: str, types: list[str]) -> None:
    assert list(classify(message).matched) == types


def test_a_market_analysis_may_search_the_web_and_makes_no_slides() -> None:
    found = classify("分析新能源汽车市场趋势")
    assert found.matched == ("research",)
    assert (
        found.reason == "it sounds like research (市场, 趋势); shared words alone do not make it data_processing (分析)"
    )
    gate = gate_for([], tools=registry(*NAMED), task_type=found.task_type)
    assert "web_search" in gate.allowed_tools()
    assert {"pdf", "pptx"}.isdisjoint(gate.allowed_tools())


def test_a_word_that_two_types_share_leaves_the_tools_of_both() -> None:
    found = classify("分析一下")
    assert found.matched == ("research", "data_processing")
    assert found.task_type
    assert {"web_search", "run_in_terminal"}.isdisjoint(found.task_type.refused_tools)
    assert {"pdf", "pptx"} <= found.task_type.refused_tools


def test_a_tool_that_the_file_does_not_name_is_not_judged() -> None:
    gate = gate_for([], tools=registry(*NAMED, "query_root_cause"), task_type=TYPES["research"])
    assert "query_root_cause" in gate.allowed_tools()


def test_a_latin_word_is_whole() -> None:
    assert classify("encode the barcode").matched == ()
    assert classify("the code").matched == ("code_development",)


def test_what_was_not_recognised_says_so() -> None:
    found = classify("你好")
    assert (found.task_type, found.reason) == (None, "no keyword of any task type")


kinds = st.lists(st.sampled_from(list(TYPES.types.values())), min_size=1, unique=True)


@settings(deadline=None)
@given(kinds, st.sampled_from(list(TYPES.types.values())))
def test_recognising_more_never_takes_a_tool_away(some: list[TaskType], more: TaskType) -> None:
    assert merge([*some, more]).refused_tools <= merge(some).refused_tools


@settings(deadline=None)
@given(kinds)
def test_a_tool_is_refused_only_when_all_refuse_it(some: list[TaskType]) -> None:
    assert merge(some).refused_tools == frozenset.intersection(*(one.refused_tools for one in some))


def test_every_type_of_the_shipped_file_allows_something_it_names() -> None:
    assert list(TYPES.types) == ["research", "creation", "data_processing", "web_task", "code_development"]
    for one in TYPES.types.values():
        assert one.allowed
        assert one.title_zh
        assert any(word.isascii() for word in one.keywords)
        assert any(not word.isascii() for word in one.keywords)


def test_a_keyword_of_one_type_belongs_to_no_other() -> None:
    """Else it would have to be a shared one."""
    for one in TYPES.types.values():
        for other in TYPES.types.values():
            if one is not other:
                assert not set(one.keywords) & {*other.keywords, *other.shared_keywords}


def test_every_tool_the_shipped_file_names_exists() -> None:
    names = {tool.spec.name for tool in builtin_tools(BuiltinConfig())}
    assert find_unknown_tools(TYPES, names) == ()


def test_python_is_for_data_and_code_and_the_browser_for_web_tasks() -> None:
    may = {name: {"run_python", "browser_use"} - one.refused_tools for name, one in TYPES.types.items()}
    assert may["data_processing"] == may["code_development"] == {"run_python"}
    assert may["web_task"] == {"browser_use"}
    assert may["research"] == set()


def test_every_built_in_tool_is_of_use_to_some_type() -> None:
    names = {tool.spec.name for tool in builtin_tools(BuiltinConfig())}
    assert names <= frozenset().union(*(one.allowed for one in TYPES.types.values()))


def test_a_tool_that_does_not_exist_is_found() -> None:
    types = TaskTypes({"x": TaskType("x", "X", frozenset({"reed_file", "pdf"}), frozenset({"rm"}))}, frozenset({"pdf"}))
    assert find_unknown_tools(types, ["read_file"]) == (("x", "reed_file"), ("x", "rm"))


def test_a_file_replaces_the_shipped_types(tmp_path: Path) -> None:
    path = tmp_path / "types.toml"
    path.write_text('["巡检"]\nallowed = ["camera"]\nforbidden = ["drill"]\nkeywords = ["巡检", "Inspect"]\n', "utf-8")
    types = load_task_types(path)
    assert types.classify("去巡检一号机").matched == ("巡检",)
    assert classify("inspecting pump 3", types).matched == ("巡检",)
    assert types["巡检"].refused_tools == {"drill"}
    with pytest.raises(NotFound, match="'research'"):
        types["research"]


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("", "no task types"),
        ("research = 1", "is not a table"),
        ('[a]\nkeyword = ["x"]', "unknown key 'keyword'"),
        ('[a]\nkeywords = "x"', "must be a list"),
        ('[a]\nallowed = ["x"]\nforbidden = ["x"]', "allows and forbids 'x'"),
        ('tools_of_packs = "x"\n[a]', "must be a list"),
    ],
)
def test_a_file_that_cannot_be_meant_is_refused(text: str, word: str, tmp_path: Path) -> None:
    path = tmp_path / "types.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(InvalidRules, match=word):
        load_task_types(path)
