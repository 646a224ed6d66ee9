"""Code that is kept between starts is the code that would be compiled, and only that of the program itself."""

import dataclasses
import importlib
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from metier.compiled import compile_constant, keep_compiled, save_compiled
from metier.compiled._file import KeptCode, locate_file, read_file, write_file
from metier.compiled._keep import CodeKeeper

PATTERNS: tuple[tuple[str, int], ...] = (
    (r"(?P<year>\d{4})年(?P<month>\d{1,2})月", 0),
    (r"\b(?:open|close)\b|打开|关闭", re.IGNORECASE),
    (r"(?<![小邻])区(?![域别])", 0),
    (r"(?i:straße|ſ)+?(a|b)*\1", 0),
    (r"(?x) a  # a comment\n b", 0),
    ("[\u4e00-\u9fff]{2,}|[^\\W_]++", re.ASCII),
    ("", 0),
)
Start = Callable[[], CodeKeeper]


@pytest.fixture
def start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Start:
    """Begins a process anew, as far as it concerns what is kept."""
    compiler = importlib.import_module("re._compiler")
    original = compiler.compile
    monkeypatch.setattr(sys, "dont_write_bytecode", False)

    def install() -> CodeKeeper:
        re.purge()
        monkeypatch.setattr(compiler, "compile", original)
        keeper = CodeKeeper(tmp_path / "kept.code", compiler)
        monkeypatch.setattr(compiler, "compile", keeper.compile_pattern)
        monkeypatch.setattr(dataclasses, "exec", keeper.run_methods, raising=False)
        return keeper

    if hasattr(original, "__self__"):  # a command has run in this process
        monkeypatch.setattr(compiler, "compile", original.__self__._compile_pattern)
        original = compiler.compile
    return install


def _define() -> Any:
    @dataclasses.dataclass(frozen=True, slots=True, order=True)
    class Note:
        text: str
        marks: tuple[str, ...] = ()
        seen: list[int] = dataclasses.field(default_factory=list, compare=False)

    return Note


def test_patterns_of_the_program_are_the_same_from_the_file(start: Start) -> None:
    fresh = [re.compile(*one) for one in PATTERNS]
    first = start()
    assert [compile_constant(*one) for one in PATTERNS] == fresh
    first.save()
    second = start()
    kept = [re.compile(*one) for one in PATTERNS]
    assert kept == fresh  # pattern, flags and code
    assert [(one.groups, dict(one.groupindex)) for one in kept] == [(one.groups, dict(one.groupindex)) for one in fresh]
    assert not second._is_changed


def test_a_dataclass_from_the_file_is_what_it_was(start: Start, tmp_path: Path) -> None:
    first = start()
    _define()
    first.save()
    assert read_file(tmp_path / "kept.code").methods
    second = start()
    note = _define()
    assert not second._is_changed  # nothing had to be compiled
    assert note("a", ("b",)) == note("a", ("b",), [1])
    assert note("a") < note("b")
    assert repr(note("a")).endswith("Note(text='a', marks=(), seen=[])")
    with pytest.raises(dataclasses.FrozenInstanceError):
        note("a").text = "b"


def test_a_pattern_that_a_function_makes_is_not_kept(start: Start, tmp_path: Path) -> None:
    """It may be made of what a person has written, and the file lies with the program."""
    keeper = start()
    said = "my secret plan"
    assert re.compile(re.escape(said)).search(said)
    assert [one for one in [said] if re.search(f"({one})", said)]
    keeper.save()
    assert not read_file(tmp_path / "kept.code").patterns


def test_a_pattern_in_the_body_of_a_module_or_class_is_kept(
    start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "kept_garden.py").write_text(
        "import re\nROSE = re.compile('rose+')\nclass Tree:\n    OAK = re.compile('oak+')\n"
        "ALL = tuple(re.compile(one) for one in ('elm+', 'fir+'))\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    keeper = start()
    importlib.import_module("kept_garden")
    del sys.modules["kept_garden"]
    keeper.save()
    assert {key[0] for key in read_file(tmp_path / "kept.code").patterns} == {"rose+", "oak+", "elm+", "fir+"}


def test_what_is_wrong_with_a_pattern_is_said_as_ever(start: Start) -> None:
    start()
    with pytest.raises(re.error, match="unterminated subpattern"):
        compile_constant("(")


@pytest.mark.parametrize("content", [b"", b"\x00", b"not code at all", b"(" * 100])
def test_a_damaged_file_is_as_none(start: Start, tmp_path: Path, content: bytes) -> None:
    (tmp_path / "kept.code").write_bytes(content)
    start()
    assert compile_constant("a+").search("caat")


def test_a_file_of_which_one_byte_was_changed_is_as_none(start: Start, tmp_path: Path) -> None:
    file, first = tmp_path / "kept.code", start()
    compile_constant("a+")
    first.save()
    content = file.read_bytes()
    file.write_bytes(content[:-3] + bytes([content[-3] ^ 1]) + content[-2:])
    assert read_file(file) == KeptCode({}, {})


def test_the_file_of_another_python_is_not_used(start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = start()
    compile_constant("a+")
    first.save()
    monkeypatch.setattr(sys, "version", "3.11.6 (another)")
    assert read_file(tmp_path / "kept.code") == KeptCode({}, {})


def test_nothing_is_written_where_python_may_write_no_byte_code(
    start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keeper = start()
    compile_constant("a+")
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    keeper.save()
    assert not list(tmp_path.iterdir())


def test_a_folder_that_cannot_be_written_stops_nobody(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert not write_file(tmp_path / "file" / "kept.code", KeptCode({}, {}))


def test_code_is_kept_once_a_process(start: Start) -> None:
    keeper = start()
    keep_compiled()
    save_compiled()
    assert vars(dataclasses)["exec"] == keeper.run_methods
    assert locate_file().parent.name == "__pycache__"
