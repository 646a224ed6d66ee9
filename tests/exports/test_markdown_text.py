"""Bold text is bold in an exported file, whatever stands beside it."""

import pytest

from metier.exports._blocks import TextBlock
from metier.exports._markdown_text import parse_markdown


def _read(text: str) -> tuple[list[str], str]:
    (block,) = parse_markdown(text)
    assert isinstance(block, TextBlock)
    return [one.text for one in block.runs if one.bold], "".join(one.text for one in block.runs)


@pytest.mark.parametrize(
    ("text", "bold"),
    [
        ("**7.1 mm/s（有效值）**属于哪个区", "7.1 mm/s（有效值）"),
        ("已在**合同（2）**写入", "合同（2）"),
        ("见**《合同法》**第三条", "《合同法》"),
        ("**共 3 项。**下面", "共 3 项。"),
        ("a **bold word** here", "bold word"),
    ],
)
def test_what_is_marked_as_bold_is_bold_and_has_no_marks(text: str, bold: str) -> None:
    found, whole = _read(text)
    assert found == [bold]
    assert "**" not in whole


@pytest.mark.parametrize("text", ["2 ** 3 ** 4", "`**a（b）**c`", r"\*\*a（b）\*\*c"])
def test_other_asterisks_make_nothing_bold(text: str) -> None:
    assert _read(text)[0] == []
