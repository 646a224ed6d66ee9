import pytest

from metier.tools.builtin._decode import decode_file, decode_page, detect_binary_kind

LABELS = {
    "gb2312 is wider than it says": ("gb2312", "gb18030"),
    "latin-1 is what Windows writes": ("ISO-8859-1", "cp1252"),
    "in quotes": ('"utf-8"', "utf-8"),
    "a codec that is no encoding": ("zlib", "utf-8"),
    "a codec that runs escapes": ("unicode_escape", "utf-8"),
    "an unknown name": ("klingon", "utf-8"),
    "a name with a NUL": ("utf\x008", "utf-8"),
    "none": (None, "utf-8"),
}


@pytest.mark.parametrize(("label", "encoding"), LABELS.values(), ids=LABELS)
def test_a_declared_encoding_is_used_when_it_is_one(label: str | None, encoding: str) -> None:
    assert decode_page(b"plain", label).encoding == encoding


def test_a_page_that_was_cut_inside_a_character_is_still_utf_8() -> None:
    assert decode_page("设备".encode()[:-1], None) == ("设", "utf-8", False)


def test_a_file_that_was_not_cut_may_not_end_inside_a_character() -> None:
    cut = decode_file("设备".encode()[:-1], cut=True)
    whole = decode_file("设备".encode()[:-1])
    assert cut == ("设", "utf-8", False)
    assert whole is None or whole.encoding != "utf-8"


@pytest.mark.parametrize("text", ["GIF8 is no picture", "", "纯文本", "PK"])
def test_text_that_begins_like_something_else_is_text(text: str) -> None:
    assert detect_binary_kind(text.encode()) is None
