"""What a pack claims for a skill, and what its skills offer themselves."""

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from metier.agent.choice._claims import find_claimed, tell_claim
from metier.routing import Decision


class _Catalog(dict[str, Any]):
    def __iter__(self) -> Iterator[Any]:
        return iter(self.values())


@pytest.mark.parametrize(
    ("message", "skill"),
    [("Correct the spelling", "editor"), ("correct the spelling of Jon", "writer"), ("Make a list", "writer")],
)
async def test_an_example_of_one_skill_alone_is_not_claimed_for_another(message: str, skill: str) -> None:
    skills = {"editor": ["correct the spelling", "make a list"], "writer": ["make a list"]}
    catalog = _Catalog({name: SimpleNamespace(id=name, examples=examples) for name, examples in skills.items()})
    state: Any = SimpleNamespace(
        request=SimpleNamespace(message=message, catalog=catalog),
        resources=SimpleNamespace(workspace=lambda _: Path("w")),
        conversation="c",
    )
    found = await find_claimed(state, (lambda said, folder: "writer",), "order")
    assert found is not None
    assert found.skill == skill
    assert tell_claim(found) == "a pack knows the message"
    assert tell_claim(Decision("auto", "search", message)) == ""
