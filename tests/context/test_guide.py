"""What the guide shows is run as it stands there."""

import re
import shutil
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_the_code_of_the_guide_works(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "docs/guides/context.md").read_text("utf-8"), re.DOTALL)
    assert len(blocks) == 2
    exec("\n".join(blocks), {})


def test_the_base_prompt_of_the_guide_works() -> None:
    from metier.context import BasePrompt

    (template,) = re.findall(r"```jinja\n(.*?)```", (ROOT / "docs/guides/context.md").read_text("utf-8"), re.DOTALL)
    base = BasePrompt(template, values={"name": "小满", "house_rules": ["先问", "再做"]})
    assert base.render().text == "你是 小满。\n- 先问\n- 再做"
    assert base.render("照此办理").text.endswith("# 当前技能\n\n照此办理")
