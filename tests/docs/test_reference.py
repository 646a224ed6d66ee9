import re

import pytest

from scripts.make_docs import ROOT, pages


@pytest.mark.parametrize("name", pages())
def test_a_generated_page_is_what_the_code_says(name: str) -> None:
    assert (ROOT / name).read_text("utf-8") == pages()[name](), "run `make docs`"


def test_every_command_has_a_heading() -> None:
    from typer.main import get_command

    from metier.cli._main import app

    def walk(command: object, path: str) -> list[str]:
        inner = getattr(command, "commands", {})
        return [path, *(found for name, child in inner.items() for found in walk(child, f"{path} {name}"))]

    page = (ROOT / "docs/reference/cli.md").read_text("utf-8")
    for path in walk(get_command(app), "metier"):
        assert f"## `{path}`" in page


def test_no_summary_of_a_command_is_cut() -> None:
    cut = [
        line
        for line in (ROOT / "docs/reference/cli.md").read_text("utf-8").splitlines()
        if re.match(r"  [a-z]+ .*\.\.\.$", line)
    ]
    assert cut == []


def test_no_signature_shows_a_private_name_or_a_lambda() -> None:
    assert re.findall(r"=\s*(?:_\w+|\(lambda).*", (ROOT / "docs/reference/python.md").read_text("utf-8")) == []


def test_no_page_prints_an_internal_value() -> None:
    texts = {name: (ROOT / name).read_text("utf-8") for name in pages()}
    assert [name for name, text in texts.items() if "PydanticUndefined" in text or "object at 0x" in text] == []
