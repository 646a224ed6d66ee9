import subprocess
import sys
from functools import cache

import pytest

import metier


@cache
def list_modules_of_the_command_line() -> list[str]:
    program = "import sys, metier, metier.cli; print(*sys.modules)"
    return subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout.split()


def test_every_name_of_the_door_opens() -> None:
    assert all(getattr(metier, name) is not None for name in metier.__all__)
    assert dir(metier) == sorted(metier.__all__)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="'metier' has no attribute 'Nothing'"):
        _ = metier.Nothing


@pytest.mark.parametrize(
    "heavy", ["sqlalchemy", "pydantic", "langchain_core", "rich", "jsonschema", "bpe_openai", "docx", "yaml"]
)
def test_starting_the_command_line_loads_nothing_heavy(heavy: str) -> None:
    loaded = list_modules_of_the_command_line()
    assert "metier.cli" in loaded
    assert heavy not in loaded
