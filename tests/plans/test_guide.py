"""What the guide shows works, and it shows everything there is."""

import re
from pathlib import Path
from typing import get_args

import pytest
import yaml

from metier.plans import compile_sop
from metier.plans._plan import CheckKind
from metier.plans._read import _STEP_KEYS
from metier.skills import SkillLibrary

GUIDE = (Path(__file__).parents[2] / "docs" / "guides" / "sop.md").read_text("utf-8")
EXAMPLES = re.findall(r"```yaml\n(.*?)```", GUIDE, re.DOTALL)


@pytest.mark.parametrize("example", EXAMPLES, ids=[yaml.safe_load(example)["title"] for example in EXAMPLES])
def test_an_example_compiles_as_a_skill(tmp_path: Path, example: str) -> None:
    (tmp_path / "demo.md").write_text(f"---\nname: demo\ndescription: d\n{example}---\nGo.\n", "utf-8")
    (skill,) = SkillLibrary.from_folders(tmp_path).catalog()
    plan = compile_sop(skill)
    assert len(plan.steps) == len(yaml.safe_load(example)["sop"])
    assert plan.milestones


def test_the_guide_has_examples_in_both_languages() -> None:
    assert len(EXAMPLES) == 3


@pytest.mark.parametrize("word", [*(key for key in _STEP_KEYS if key != "arguments"), *get_args(CheckKind)])
def test_the_guide_names_every_key_and_every_kind(word: str) -> None:
    assert f"`{word}`" in GUIDE
