"""Task types of seed 001, by its own rules and sentences."""

import json
from pathlib import Path

from metier.agent import Runtime, TurnRequest
from metier.pack import select_packs
from metier.settings import Settings
from metier.testing import FakeModel
from metier.tools import classify, gate_for, load_task_types
from tests.e2e.support import told
from tests.tools.support import registry

RULES_FILE = Path(__file__).with_name("data") / "seed_001" / "task_type_rules.json"
RULES = json.loads(RULES_FILE.read_text("utf-8"))


def test_every_keyword_of_the_seed_points_to_its_type() -> None:
    missing = [
        (name, word)
        for name, rules in RULES.items()
        for word in rules["keywords"]
        if name not in classify(f"帮我{word}一下").matched
    ]
    assert missing == []


def test_development_and_tests_count_beside_a_stronger_word() -> None:
    types = load_task_types()
    named = sorted(types["research"].named_tools)
    for message in ("开发一个网页", "给这个网站写测试并搜索报错"):
        found = classify(message)
        gate = gate_for([], tools=registry(*named), task_type=found.task_type)
        assert {"web_task", "code_development"} <= set(found.matched), message
        assert {"write_file", "run_in_terminal", "web_search"} <= set(gate.allowed_tools()), message


def test_a_keyword_inside_a_longer_word_does_not_count() -> None:
    assert classify("计算机行业的前景").matched == ("research",)
    assert classify("经济开发区有几家医院").matched == ()
    assert "data_processing" in classify("用计算机计算平均值").matched


def test_the_rules_of_the_seed_are_read_as_they_are_written() -> None:
    types = load_task_types(RULES_FILE)
    assert set(types.types) == set(RULES)
    for name, rules in RULES.items():
        assert types[name].allowed == set(rules["allowed"])
        assert set(types[name].keywords) | set(types[name].shared_keywords) == set(rules["keywords"])
    found = classify("分析新能源汽车市场趋势", types)
    gate = gate_for([], tools=registry("web_search", "pptx"), task_type=found.task_type)
    assert "research" in found.matched
    assert "web_search" in gate.allowed_tools()


SENTENCES = {
    "research": "研究一下新能源汽车的现状和趋势",
    "creation": "撰写一份总结文档",
    "data_processing": "把 a.csv 转换格式并统计",
    "web_task": "抓取这个网站的内容 https://example.com",
    "code_development": "重构这段代码并调试",
}


async def test_a_model_without_a_skill_sees_every_tool_of_its_task_type_beside_those_of_all_packs(
    tmp_path: Path,
) -> None:
    """The tools of all packs take more tokens than there are: what goes must not be what the task needs."""
    model = FakeModel()
    for _ in SENTENCES:
        model.call("use_skill", skill="none").say("好")
    settings = Settings(
        packs=("all",),
        embedder="none",
        skill_choice="model",
        skills_dir=(),
        storage_dir=tmp_path / "storage",
        web_search_folder=tmp_path / "documents",
    )
    hidden, offered, refused = {}, {}, {}
    async with Runtime.open(settings, model=model, packs=select_packs(settings).found) as runtime:
        for name, sentence in SENTENCES.items():
            await told(runtime.turn(TurnRequest(sentence)))
            type_of_task, seen = load_task_types()[name], set(model.prompts[-1].tools)
            offered[name], refused[name] = len(seen), seen & type_of_task.refused_tools
            hidden[name] = type_of_task.allowed - seen
    assert hidden == {name: set() for name in SENTENCES}
    assert refused == {name: set() for name in SENTENCES}
    assert min(offered.values()) > 20  # packs still find a place
