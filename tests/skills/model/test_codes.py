"""The table of codes and the code agree: nothing is reported that is not in it, and nothing in it is never reported."""

import ast
from pathlib import Path

import pytest

import metier.skills
from metier.language import language_of
from metier.skills import CODES
from metier.skills.model import Report
from metier.skills.model._chinese import CHINESE
from metier.skills.model._codes import _LINT
from metier.skills.model._diagnostics import MEANINGS, Diagnostic
from metier.skills.model._remedies import REMEDIES

SOURCES = sorted(Path(metier.skills.__file__).parent.rglob("_*.py"))
HERE = Path("a/SKILL.md")


def _texts() -> set[str]:
    return {
        node.value
        for path in SOURCES
        if path.name not in ("_codes.py", "_chinese.py", "_remedies.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


def test_every_code_of_the_reader_is_reported_somewhere() -> None:
    assert CODES.keys() - _LINT.keys() <= _texts()


@pytest.mark.parametrize("code", CODES)
def test_a_code_means_one_thing(code: str) -> None:
    info = CODES[code]
    assert info.meaning.endswith(".")
    assert code == code.lower()
    assert (info.effect == "refused") <= (info.severity == "error")
    report = Report(HERE)
    report.add(code, "What happened", hint="what to do")
    (finding,) = report
    assert (finding.severity, finding.effect) == (info.severity, info.effect)
    assert report.has_refusal == (info.effect == "refused")


@pytest.mark.parametrize("code", CODES)
def test_only_what_is_marked_relaxes_in_a_trusted_folder(code: str) -> None:
    report = Report(HERE, trusted=True)
    report.add(code, "What happened")
    (finding,) = report
    assert ((finding.severity, finding.effect) == ("warning", "noted")) >= CODES[code].relaxed_if_trusted
    assert report.has_refusal == (CODES[code].effect == "refused" and not CODES[code].relaxed_if_trusted)


def test_an_unknown_code_is_a_mistake_of_ours() -> None:
    with pytest.raises(KeyError):
        Report(HERE).add("no_such_code", "x")


def test_a_finding_is_reported_once_and_labelled_with_its_skill() -> None:
    report = Report(HERE)
    for _ in range(2):
        report.add("nul_byte", "holds a NUL byte", hint="save it as text", line=3)
    (finding,) = report.diagnostics_for("a")
    assert finding.to_json() == {
        "code": "nul_byte",
        "severity": "error",
        "effect": "refused",
        "message": "holds a NUL byte",
        "hint": "save it as text",
        "texts": {"zh": "文本中有空字节（NUL），请删除。", "en": "holds a NUL byte"},
        "path": "a/SKILL.md",
        "line": 3,
        "skill": "a",
    }


def test_every_code_is_said_in_both_languages_with_the_names_it_is_about() -> None:
    untold = {code for code in CODES if language_of(MEANINGS[code][1]) != "zh" or not MEANINGS[code][1].endswith("。")}
    report = Report(HERE)
    report.add("yaml_duplicate_key", "key 'description' is written twice; the file's 'title' too")
    (finding,) = report

    assert untold == set()
    assert CHINESE.keys() == CODES.keys()
    assert finding.text("en") == finding.message
    assert finding.text("zh") == "同一个键写了两次：「description」、「title」。"


def test_every_fault_says_in_chinese_what_to_do() -> None:
    assert REMEDIES.keys() <= CODES.keys()
    told = REMEDIES.keys() | {code for code, meaning in CHINESE.items() if "请" in meaning}
    faults = {code for code, info in CODES.items() if info.severity != "info"}
    assert faults - told == set()
    assert [one for one in REMEDIES.values() if language_of(one) != "zh" or one.endswith("。")] == []


def test_what_was_meant_is_said_once() -> None:
    found = Diagnostic("field_unknown", "warning", "noted", "'modle' is unknown", "did you mean 'model'?", HERE)
    assert (found.advise("en"), found.advise("zh")) == ("did you mean 'model'?", "")
    assert "「model」" in found.text("zh")
