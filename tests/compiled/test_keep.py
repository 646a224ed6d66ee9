"""Code that is kept between starts is the code that would be compiled, and only that of the program itself."""

import atexit
import dataclasses
import importlib
import re
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from metier.cli import run
from metier.compiled import _file, _keep, compile_constant, keep_compiled, save_compiled
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

    return install


@pytest.fixture
def import_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Any]:
    """Imports a module with this text."""
    monkeypatch.syspath_prepend(tmp_path)

    def load(text: str) -> Any:
        (tmp_path / "kept_garden.py").write_text(text)
        monkeypatch.delitem(sys.modules, "kept_garden", raising=False)
        return importlib.import_module("kept_garden")

    return load


NOTE = """
import dataclasses
@dataclasses.dataclass(frozen=True, slots=True, order=True)
class Note:
    text: str
    marks: tuple[str, ...] = ()
    seen: list[int] = dataclasses.field(default_factory=list, compare=False)
"""


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


def test_a_dataclass_from_the_file_is_what_it_was(
    start: Start, tmp_path: Path, import_text: Callable[[str], Any]
) -> None:
    first = start()
    import_text(NOTE)
    first.save()
    assert read_file(tmp_path / "kept.code").methods
    second = start()
    note = import_text(NOTE).Note
    assert not second._is_changed  # nothing had to be compiled
    assert note("a", ("b",)) == note("a", ("b",), [1])
    assert note("a") < note("b")
    assert repr(note("a")).endswith("Note(text='a', marks=(), seen=[])")
    with pytest.raises(dataclasses.FrozenInstanceError):
        note("a").text = "b"


def test_a_dataclass_that_a_function_makes_is_neither_kept_nor_remembered(start: Start, tmp_path: Path) -> None:
    """Its fields may be the columns of somebody's table."""
    keeper = start()
    compile_constant("a+")
    row = dataclasses.make_dataclass("Row", ["patient_in_ward_7", "age"])
    assert row(1, 2) == row(1, 2)
    exec(NOTE, {"__name__": "written_by_somebody"})  # a text that is run is no module that is imported
    assert keeper._kept.methods == {}
    keeper.save()
    assert b"ward_7" not in (tmp_path / "kept.code").read_bytes()


def test_a_pattern_that_a_function_makes_is_not_kept(start: Start, tmp_path: Path) -> None:
    """It may be made of what a person has written, and the file lies with the program."""
    keeper = start()
    said = "my secret plan"
    assert re.compile(re.escape(said)).search(said)
    assert [one for one in [said] if re.search(f"({one})", said)]
    keeper.save()
    assert not read_file(tmp_path / "kept.code").patterns


def test_a_pattern_in_the_body_of_a_module_or_class_is_kept(
    start: Start, tmp_path: Path, import_text: Callable[[str], Any]
) -> None:
    keeper = start()
    import_text(
        "import re\nROSE = re.compile('rose+')\nclass Tree:\n    OAK = re.compile('oak+')\n"
        "ALL = tuple(re.compile(one) for one in ('elm+', 'fir+'))\n"
        "def plant(name): return re.compile(name)\nplant('weed+')\n"
    )
    keeper.save()
    assert {key[0] for key in read_file(tmp_path / "kept.code").patterns} == {"rose+", "oak+", "elm+", "fir+"}


def test_whoever_calls_the_compilers_and_however_gets_what_they_give(start: Start) -> None:
    """`dataclasses` of another Python may name what it gives to `exec`, and some call the compiler of `re` itself."""
    start()
    made: dict[str, Any] = {}
    run_text: Any = vars(dataclasses)["exec"]
    run_text("x = 1", globals={}, locals=made)
    run_text("y = x", made)
    run_text("made['z'] = 3")
    assert (made["x"], made["y"], made["z"]) == (1, 1, 3)
    with pytest.raises(SyntaxError):
        run_text("def", {})
    compiler: Any = importlib.import_module("re._compiler")
    assert compiler.compile("(a)|b").fullmatch("b")
    assert sys.call_tracing(compiler.compile, ("c+",)).fullmatch("cc")


@pytest.mark.parametrize("missing", ["_code", "_sre", "_parser"])
def test_with_a_compiler_that_is_not_as_it_was_re_does_the_work(
    start: Start, import_text: Callable[[str], Any], missing: str
) -> None:
    keeper = start()
    keeper._compiler = types.SimpleNamespace(**{**vars(keeper._compiler), missing: object()})
    assert import_text("import re\nROSE = re.compile('rose+')").ROSE.search("a roseee")
    assert compile_constant("(b)+").search("bb")


@pytest.mark.parametrize("is_equal", [True, False])
def test_the_compilers_are_replaced_only_if_a_sample_comes_out_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_equal: bool
) -> None:
    compiler = importlib.import_module("re._compiler")
    original = compiler.compile
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setattr(compiler, "compile", original)  # put back in the end
    monkeypatch.setattr(atexit, "register", lambda _save: None)
    monkeypatch.setitem(vars(dataclasses), "exec", exec)
    if not is_equal:
        analyze = _keep._analyze_pattern
        monkeypatch.setattr(_keep, "_analyze_pattern", lambda given, _, flags: analyze(given, "x", flags))
    keep_compiled(tmp_path / "kept.code")
    assert isinstance(getattr(compiler.compile, "__self__", None), CodeKeeper) is is_equal
    assert isinstance(getattr(vars(dataclasses).get("exec"), "__self__", None), CodeKeeper) is is_equal
    assert is_equal or compiler.compile is original


def test_a_command_that_is_run_within_a_process_leaves_its_compilers_alone(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    compiler = importlib.import_module("re._compiler")
    assert run(["--version"]) == 0
    assert capsys.readouterr().out
    assert "exec" not in vars(dataclasses)
    assert not hasattr(compiler.compile, "__self__")


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


def test_with_no_byte_code_nothing_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    keep_compiled()
    assert "exec" not in vars(dataclasses)


def test_what_no_start_uses_any_more_goes_when_there_is_much(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    first = start()
    compile_constant("of an earlier version")
    first.save()
    second = start()
    compile_constant("of this version")
    second.save()
    assert len(start()._kept.patterns) == 2
    monkeypatch.setattr(_file, "_MAX_UNUSED_BYTES", 300)
    third = start()
    compile_constant("of this version")
    compile_constant("new")
    third.save()
    assert {key[0] for key in start()._kept.patterns} == {"of this version", "new"}


def test_a_folder_that_cannot_be_written_stops_nobody(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    nothing = KeptCode({}, {})
    assert not write_file(tmp_path / "file" / "kept.code", nothing, nothing)


def test_code_is_kept_once_a_process(start: Start) -> None:
    keeper = start()
    keep_compiled()
    save_compiled()
    assert vars(dataclasses)["exec"] == keeper.run_methods
    assert locate_file().parent.name == "__pycache__"
