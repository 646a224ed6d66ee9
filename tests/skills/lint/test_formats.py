"""The three ways to show a report: text, JSON and SARIF."""

import json
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urljoin

import pytest

from metier.skills import CODES
from metier.skills.lint import LintReport, lint, to_json, to_sarif, to_text
from tests.skills.lint.support import flat_md, put, skill_md


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return put(
        tmp_path / "my skills",
        {
            "demo/SKILL.md": skill_md("triggers: [周报]\n", "Call `no_tool`."),
            "demo/references/空 格#1.md": "x",
            "demo/references/空 格#1.pdf": "not a PDF",
            "flat.md": flat_md("triggers: [周报]\nallowed_tools: gone_1 gone_2\n", name="flat"),
            "other.md": skill_md("triggers: [周报]\n", name="other"),
        },
    )


@pytest.fixture
def report(folder: Path) -> LintReport:
    return lint(folder)


# Text -----------------------------------------------------------------------------------------------------------------


def test_text_has_one_line_for_a_finding_its_hint_and_a_summary(tmp_path: Path) -> None:
    put(tmp_path, {"flat.md": flat_md("allowed_tools: web_serch\n", name="flat")})
    assert to_text(lint(tmp_path, known_tools=["web_search"]), base=tmp_path) == (
        "flat.md:10: error tool_unknown: allowed_tools names the tool 'web_serch', which nobody declares\n"
        "    did you mean 'web_search'?\n"
        "1 skill: 1 error, 0 warnings, 0 remarks"
    )


def test_text_is_in_the_language_asked_for(tmp_path: Path) -> None:
    put(tmp_path, {"flat.md": flat_md("allowed_tools: web_serch\n", name="flat")})
    assert to_text(lint(tmp_path, known_tools=["web_search"]), base=tmp_path, language="zh") == (
        "flat.md:10: 错误 tool_unknown: 提到的工具没有任何地方声明：「web_serch」。是否应为「web_search」？\n"
        "1 个技能：1 个错误、0 个警告、0 条提示"
    )


def test_text_of_a_clean_folder_is_its_summary(tmp_path: Path) -> None:
    assert to_text(lint(tmp_path), base=tmp_path) == "0 skills: 0 errors, 0 warnings, 0 remarks"


def test_a_base_may_be_relative_and_a_file_may_lie_elsewhere(tmp_path: Path) -> None:
    put(tmp_path, {"a/flat.md": flat_md("allowed_tools: gone_1\n", name="flat"), "b/x.txt": "x"})
    report = lint(tmp_path / "a")
    assert to_text(report, base=Path("a")).startswith("flat.md:10: ")  # every test runs in its own folder
    assert to_text(report, base=tmp_path / "b").startswith(f"{tmp_path}/a/flat.md:10: ")


def test_a_file_name_cannot_steer_the_terminal(tmp_path: Path) -> None:
    put(tmp_path, {"demo/SKILL.md": skill_md(), "demo/\x1b[31m\u202e.txt": "x"})
    text = to_text(lint(tmp_path), base=tmp_path)
    assert "file_name_invalid" in text
    assert all(char.isprintable() for char in text.replace("\n", ""))
    assert r"\x1b[31m\u202e" in text


# JSON -----------------------------------------------------------------------------------------------------------------


def test_json_has_the_counts_the_verdicts_and_every_finding(report: LintReport) -> None:
    shown = json.loads(json.dumps(to_json(report)))
    assert {key: shown[key] for key in ("ok", "errors", "warnings", "infos")} == {
        "ok": report.ok,
        "errors": report.errors,
        "warnings": report.warnings,
        "infos": report.infos,
    }
    assert (shown["path"], shown["skills"], shown["standard"]) == (
        str(report.path),
        ["demo", "flat", "other"],
        {"demo": False},
    )
    assert shown["findings"] == [finding.to_json() for finding in report.findings]


def test_a_file_name_that_is_not_utf8_can_be_stored(tmp_path: Path) -> None:
    put(tmp_path, {"demo/SKILL.md": skill_md()})
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/demo/\xff.txt")).write_text("x")
    report = lint(tmp_path)
    for shown in (to_json(report), to_sarif(report, base=tmp_path)):
        json.dumps(shown, ensure_ascii=False).encode()
    uris = [location["uri"] for location in locations(to_sarif(report, base=tmp_path))]
    assert "demo/%FF.txt" in uris


# SARIF ----------------------------------------------------------------------------------------------------------------

Sarif = Mapping[str, object]


def results(sarif: Sarif) -> list[Any]:
    """The results after a trip through JSON, which is what a scanner reads."""
    found: list[Any] = json.loads(json.dumps(sarif))["runs"][0]["results"]
    return found


def locations(sarif: Sarif) -> Iterator[dict[str, str]]:
    for result in results(sarif):
        for location in result["locations"]:
            yield location["physicalLocation"]["artifactLocation"]


def test_sarif_has_the_structure_that_its_schema_requires(report: LintReport, folder: Path) -> None:
    log = json.loads(json.dumps(to_sarif(report, base=folder)))
    assert (log["version"], log["$schema"]) == ("2.1.0", "https://json.schemastore.org/sarif-2.1.0.json")
    assert set(log) <= {"$schema", "version", "runs", "inlineExternalProperties", "properties"}
    (run,) = log["runs"]
    assert set(run) == {"tool", "columnKind", "originalUriBaseIds", "results"}
    assert run["columnKind"] in ("utf16CodeUnits", "unicodeCodePoints")
    driver = run["tool"]["driver"]
    assert driver["name"]
    assert re.fullmatch(r"\d+\.\d+.*", driver["version"])
    assert len({rule["id"] for rule in driver["rules"]}) == len(driver["rules"])
    for result in run["results"]:
        assert set(result) == {"ruleId", "ruleIndex", "level", "message", "locations", "partialFingerprints"}
        assert driver["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["level"] in ("none", "note", "warning", "error")
        assert result["message"]["text"]
        (location,) = result["locations"]
        region = location["physicalLocation"].get("region", {"startLine": 1})
        assert set(region) == {"startLine"}
        assert region["startLine"] >= 1
        assert all(isinstance(print_, str) for print_ in result["partialFingerprints"].values())


def test_every_code_is_a_rule_with_help_and_a_level(report: LintReport, folder: Path) -> None:
    rules = json.loads(json.dumps(to_sarif(report, base=folder)))["runs"][0]["tool"]["driver"]["rules"]
    levels = {"error": "error", "warning": "warning", "info": "note"}
    assert [rule["id"] for rule in rules] == list(CODES)
    for rule in rules:
        info = CODES[rule["id"]]
        assert rule["shortDescription"]["text"] == info.meaning
        assert rule["help"]["text"].startswith(info.meaning)
        assert len(rule["help"]["text"]) > len(info.meaning)
        assert rule["defaultConfiguration"]["level"] == levels[info.severity]
        assert re.fullmatch(r"[A-Z][A-Za-z0-9]+", rule["name"])


def test_sarif_results_are_the_findings_in_their_order(report: LintReport, folder: Path) -> None:
    levels = {"error": "error", "warning": "warning", "info": "note"}
    shown = [(result["ruleId"], result["level"]) for result in results(to_sarif(report, base=folder))]
    assert shown == [(finding.code, levels[finding.severity]) for finding in report.findings]
    assert {level for _, level in shown} == set(levels.values())


def test_uris_are_relative_encoded_and_lead_back_to_the_file(report: LintReport, folder: Path) -> None:
    sarif = to_sarif(report, base=folder)
    (run,) = json.loads(json.dumps(sarif))["runs"]
    root = run["originalUriBaseIds"]["%SRCROOT%"]["uri"]
    assert root == folder.as_uri() + "/"
    seen = list(locations(sarif))
    assert {location["uriBaseId"] for location in seen} == {"%SRCROOT%"}
    uris = [location["uri"] for location in seen]
    assert "demo/references/%E7%A9%BA%20%E6%A0%BC%231.pdf" in uris
    assert all(re.fullmatch(r"[A-Za-z0-9/._~%-]+", uri) and not uri.startswith(("/", ".")) for uri in uris)
    back = [Path(unquote(urljoin(root, uri)).removeprefix("file://")) for uri in uris]
    assert back == [finding.path for finding in report.findings]


def test_a_file_outside_the_base_has_a_whole_address(report: LintReport, folder: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    seen = list(locations(to_sarif(report, base=elsewhere)))
    assert all(location == {"uri": location["uri"]} for location in seen)
    assert all(location["uri"].startswith(folder.as_uri()) for location in seen)


def test_a_fingerprint_survives_moved_lines_and_tells_findings_apart(folder: Path) -> None:
    def prints() -> list[str]:
        shown = results(to_sarif(lint(folder), base=folder))
        return [result["partialFingerprints"]["metierFinding/v1"] for result in shown]

    before = prints()
    text = (folder / "flat.md").read_text().replace("---\nname", "---\n# a comment\n\nname")
    (folder / "flat.md").write_text(text)
    assert sorted(prints()) == sorted(before)
    assert len(set(before)) == len(before)


def test_equal_findings_in_one_file_have_fingerprints_of_their_own(tmp_path: Path) -> None:
    front = "sop:\n  - id: x\n    call: gone_1\n  - id: x\n    call: gone_1\n"
    report = lint(put(tmp_path, {"flat.md": flat_md(front, name="flat")}))
    shown = [result["partialFingerprints"]["metierFinding/v1"] for result in results(to_sarif(report, base=tmp_path))]
    assert len(shown) == len(set(shown)) == 2
