import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]


def _make_docs() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_docs", ROOT / "scripts" / "make_docs.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


PAGES: dict[str, str] = _make_docs().pages()


@pytest.mark.parametrize("name", PAGES)
def test_a_generated_page_is_what_the_code_says(name: str) -> None:
    assert (ROOT / name).read_text("utf-8") == PAGES[name], "run `make docs`"


def test_every_command_has_a_heading() -> None:
    from typer.main import get_command

    from metier.cli._main import app

    def walk(command: object, path: str) -> list[str]:
        inner = getattr(command, "commands", {})
        return [path, *(found for name, child in inner.items() for found in walk(child, f"{path} {name}"))]

    for path in walk(get_command(app), "metier"):
        assert f"## `{path}`" in PAGES["docs/reference/cli.md"]


def test_no_summary_of_a_command_is_cut() -> None:
    cut = [line for line in PAGES["docs/reference/cli.md"].splitlines() if re.match(r"  [a-z]+ .*\.\.\.$", line)]
    assert cut == []


def test_no_signature_shows_a_private_name_or_a_lambda() -> None:
    assert re.findall(r"=\s*(?:_\w+|\(lambda).*", PAGES["docs/reference/python.md"]) == []


def test_no_page_prints_an_internal_value() -> None:
    assert [name for name, text in PAGES.items() if "PydanticUndefined" in text or "object at 0x" in text] == []
