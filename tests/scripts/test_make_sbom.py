"""The pins have hashes, and the bill of materials and NOTICE are those of the pins."""

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from scripts.make_sbom import DATA, build_notice, build_sbom, find_licence, list_page, read_pins

ROOT = Path(__file__).resolve().parents[2]
CONSTRAINTS = (ROOT / "constraints.txt").read_text("utf-8")
LOCK = (ROOT / "requirements.lock").read_text("utf-8")
PAGE = json.loads((ROOT / "web/package-lock.json").read_text("utf-8"))
SBOM: dict[str, Any] = json.loads((ROOT / "sbom.cdx.json").read_text("utf-8"))


def listed(start: str) -> list[tuple[str, str]]:
    found = [part for part in SBOM["components"] if part.get("purl", "").startswith(start)]
    return sorted((part["name"], part["version"]) for part in found)


def test_weights_and_data_that_the_notice_credits_are_in_the_bill_of_materials() -> None:
    """Also the next ones: a file inside the package that holds somebody's weights, words or places."""
    notice = (ROOT / "NOTICE").read_text("utf-8")
    credited = set(re.findall(r"^src/metier/\S+\.(?:npz|onnx|tsv|txt)$", notice, flags=re.M))
    named = {path for path, _, _ in DATA}
    assert credited <= named
    assert len(credited) >= 3
    listed_files = json.dumps(SBOM["components"])
    assert [path for path in named if Path(path).name not in listed_files] == []


def test_the_lock_has_the_pins_of_the_constraints() -> None:
    assert read_pins(LOCK) == read_pins(CONSTRAINTS), "make hashes"


def test_every_pin_of_the_lock_has_hashes_and_no_address() -> None:
    pins = re.findall(r"^\S+==.*(?:\\\n .*)+", LOCK, flags=re.M)
    assert len(pins) == len(re.findall(r"^\S+==", LOCK, flags=re.M))
    assert all("--hash=sha256:" in pin for pin in pins)
    assert not re.search(r"https?://|file:|--(?:extra-)?index|--find-links", LOCK)


def test_the_lock_brings_what_builds_the_package() -> None:
    """`make setup` installs Metier without fetching a build backend whose hash nobody knows."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    (backend,) = project["build-system"]["requires"]
    assert {re.split(r"[<>=]", backend)[0], "editables"} <= {name for name, _ in read_pins(LOCK)}


def test_the_bill_lists_every_pinned_package_and_no_other() -> None:
    assert listed("pkg:pypi/") == read_pins(CONSTRAINTS), "make sbom"


def test_the_bill_lists_what_the_page_is_built_from() -> None:
    assert listed("pkg:npm/") == sorted((part["name"], part["version"]) for part in list_page(PAGE)), "make sbom"
    assert {"preact", "echarts"} <= {name for name, _ in listed("pkg:npm/")}


def test_every_part_of_the_bill_has_a_licence() -> None:
    assert [part["name"] for part in SBOM["components"] if not part["licenses"][0]["expression"]] == []


def test_data_of_the_bill_is_part_of_the_package() -> None:
    assert [path for path, _, _ in DATA if not (ROOT / path).exists()] == []
    assert [part["name"] for part in SBOM["components"] if part["type"] == "data"] == [path for path, _, _ in DATA]


def test_the_notice_lists_the_licences_of_the_bill() -> None:
    text = (ROOT / "NOTICE").read_text("utf-8")
    assert build_notice(text, SBOM) == text, "make sbom"


def test_the_notice_names_each_package_of_the_page() -> None:
    text = (ROOT / "NOTICE").read_text("utf-8")
    assert [name for name, _ in listed("pkg:npm/") if name not in text] == []


def test_a_package_that_is_not_installed_needs_a_line_in_the_table() -> None:
    with pytest.raises(ValueError, match="no-such-package is not installed here"):
        find_licence("no-such-package")


def test_the_same_pins_make_the_same_bill() -> None:
    pins, page = "pyyaml==6.0\n", {"packages": {"": {}, "node_modules/x": {"dev": True}}}
    assert build_sbom(pins, page, "1") == build_sbom(pins, page, "1")
    assert [part["name"] for part in build_sbom(pins, page, "1")["components"]][:1] == ["pyyaml"]
