"""Skill files of seed 000 as its author wrote them (§3.1, §3.3, §6)."""

from pathlib import Path

import pytest

from metier.settings import load_settings, render_env_example
from metier.skills import SkillLibrary

SKILLS = Path(__file__).with_name("data") / "seed_000" / "Skills"


def test_the_authors_files_load_with_all_their_fields_by_priority() -> None:
    catalog = SkillLibrary.from_folders(SKILLS).catalog()
    assert [(one.id, one.title, one.priority) for one in catalog] == [
        ("network_optimization", "网络优化仿真分析", 100),
        ("coverage_analysis", "覆盖问题专项分析", 90),
    ]
    first, second = catalog
    assert first.description.startswith("完整的网络问题分析和优化仿真对比流程")
    assert first.triggers == ("弱覆盖", "干扰", "容量", "切换", "优化", "仿真", "根因分析", "网络问题")
    assert str(second.instructions).startswith("## 覆盖问题分析流程")
    assert "---" not in str(second.instructions)[:20]


def test_the_loader_is_lenient_as_the_seeds_is_and_says_what_it_did(tmp_path: Path) -> None:
    files = {
        "noname": "---\ndescription: 没有名字\n---\n\n正文\n",
        "nodesc": "---\nname: nodesc\n---\n\n正文\n",
        "nofront": "# 只有正文\n",
        "bad": "---\nname: [1\n---\n\n正文\n",
    }
    for name, text in files.items():
        (tmp_path / f"{name}.md").write_text(text, "utf-8")
    catalog = SkillLibrary.from_folders(tmp_path).catalog()
    assert {"noname", "nodesc"} <= {one.id for one in catalog}
    assert {"nofront", "bad"}.isdisjoint(one.id for one in catalog)
    assert any("bad.md" in str(one.path) and one.line for one in catalog.diagnostics)
    assert len(SkillLibrary.from_folders(tmp_path / "missing").catalog()) == 0


def test_skills_dir_is_read_from_the_environment_and_named_in_the_example(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SKILLS_DIR", str(SKILLS))
    assert load_settings().skills_dir == (SKILLS,)
    assert "SKILLS_DIR" in render_env_example()
