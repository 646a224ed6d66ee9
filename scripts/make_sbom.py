"""Write the software bill of materials (sbom.cdx.json, CycloneDX 1.6) and the list of licences at the end of NOTICE.

Python packages come from constraints.txt, packages of the built page from web/package-lock.json, data from the table
below. The files hold no time and no address, so that the same pins make the same files.
"""

import base64
import json
import re
import sys
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

ROOT: Final = Path(__file__).resolve().parents[1]
SBOM: Final = ROOT / "sbom.cdx.json"
NOTICE: Final = ROOT / "NOTICE"
HEADING: Final = "Licences of the packages that Metier uses"

Component = dict[str, Any]

# Licences that a package does not tell in a form that programs read, or that are not installed on every machine.
LICENCES: Final[Mapping[str, str]] = {
    "chardet": "LGPL-2.1-or-later",
    "colorama": "BSD-3-Clause",
    "coloredlogs": "MIT",
    "contourpy": "BSD-3-Clause",
    "cssselect": "BSD-3-Clause",
    "cycler": "BSD-3-Clause",
    "httpx2-jsfetch": "BSD-3-Clause",
    "humanfriendly": "MIT",
    "jinja2": "BSD-3-Clause",
    "jsonpointer": "BSD-3-Clause",
    "kiwisolver": "BSD-3-Clause",
    "matplotlib": "PSF-2.0",
    "mpmath": "BSD-3-Clause",
    "partd": "BSD-3-Clause",
    "pyasn1-modules": "BSD-2-Clause",
    "pywin32": "PSF-2.0",
    "reportlab": "BSD-3-Clause",
    "scipy": "BSD-3-Clause",
    "sympy": "BSD-3-Clause",
    "tiktoken": "MIT",
    "uvloop": "MIT OR Apache-2.0",
    "zict": "BSD-3-Clause",
}
SPELLINGS: Final[Mapping[str, str]] = {
    "3-Clause BSD License": "BSD-3-Clause",
    "Apache 2.0": "Apache-2.0",
    "Apache License Version 2.0": "Apache-2.0",
    "Apache License, Version 2.0": "Apache-2.0",
    "Apache Software License": "Apache-2.0",
    "BSD 2-Clause License": "BSD-2-Clause",
    "ISC License": "ISC",
    "ISC License (ISCL)": "ISC",
    "MIT Licence": "MIT",
    "MIT License": "MIT",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "Python Software Foundation License": "PSF-2.0",
}
# Data and weights inside the package; NOTICE tells where they come from.
DATA: Final = (
    ("src/metier/routing/data/bert-uncased.vocab.txt", "Apache-2.0", "word pieces of BERT uncased"),
    (
        "src/metier/routing/data/english-rare-words.txt",
        "MIT AND CC-BY-3.0 AND LicenseRef-SCOWL",
        "English words of SymSpell, made from Google Books Ngrams and SCOWL",
    ),
    ("src/metier/routing/data/translations-zh-en.txt", "MIT", "Chinese words of jieba beside English ones"),
    (
        "src/metier/routing/data/all-minilm-l6-v2.map.npz",
        "Apache-2.0",
        "learned from CLINC150, MASSIVE, HWU64, MetaTool",
    ),
    (
        "src/metier/routing/data/use-multilingual.map.npz",
        "Apache-2.0",
        "learned from CLINC150, MASSIVE, HWU64, MetaTool",
    ),
    ("src/metier/routing/data/calibration.json", "Apache-2.0", "learned from CLINC150, MASSIVE, HWU64, MetaTool"),
    ("src/metier/routing/data/all-minilm-l6-v2-float.onnx", "Apache-2.0", "graph without weights"),
    ("src/metier/routing/data/all-minilm-l6-v2-int8-single.onnx", "Apache-2.0", "graph without weights"),
    ("src/metier/routing/data/use-multilingual.onnx", "Apache-2.0", "graph without weights"),
    ("src/metier/routing/data/use-multilingual-int8.onnx", "Apache-2.0", "graph without weights"),
    (
        "src/metier/packs/life/safety/crisis_tuned.npz",
        "Apache-2.0",
        "weights of the multilingual Universal Sentence Encoder, learned on",
    ),
    (
        "src/metier/packs/life/safety/crisis_long.npz",
        "Apache-2.0",
        "weights of the multilingual Universal Sentence Encoder, learned on from long messages",
    ),
    (
        "src/metier/packs/office/drafting/talk/talk.tsv",
        "Apache-2.0",
        "weights of the reader of talk, learned on training/data/office_talk_*.txt",
    ),
    ("src/metier/packs/life/birth/places.tsv", "CC-BY-4.0", "a cut of GeoNames cities15000"),
    ("src/metier/bench/models/recordings", "Apache-2.0", "recorded answers of Qwen2.5-Coder-1.5B-Instruct"),
)


def read_pins(text: str) -> list[tuple[str, str]]:
    """Names and versions of a file of pins, each once."""
    found = re.findall(r"^([A-Za-z0-9][A-Za-z0-9._-]*)==([^\s;\\]+)", text, flags=re.M)
    return sorted(dict.fromkeys((name.lower(), version) for name, version in found))


def find_licence(name: str) -> str:
    """SPDX expression of a Python package; raises ValueError if it must be added to the table."""
    if name in LICENCES:
        return LICENCES[name]
    try:
        told = metadata(name)
    except PackageNotFoundError as error:
        raise ValueError(f"{name} is not installed here: add its licence to LICENCES") from error
    fields = [str(text) for field in ("License-Expression", "License") for text in told.get_all(field) or ()]
    classifiers = [str(text) for text in told.get_all("Classifier") or () if str(text).startswith("License")]
    for text in (*fields, *(text.rpartition(" :: ")[2] for text in classifiers)):
        spelt = SPELLINGS.get(text, text)
        if spelt and "\n" not in spelt and len(spelt) <= 60 and spelt not in ("BSD", "LGPL", "BSD License"):
            return spelt
    raise ValueError(f"the licence of {name} is not clear: add it to LICENCES")


def list_python(constraints: str) -> Iterator[Component]:
    for name, version in read_pins(constraints):
        yield _component("library", name, version, find_licence(name), f"pkg:pypi/{name}@{version}")


def list_page(lock: Mapping[str, Any]) -> Iterator[Component]:
    """Packages inside the built page: those of the lock that are not for its development only."""
    for path, told in sorted(lock["packages"].items()):
        if not path or told.get("dev") or told.get("devOptional") or told.get("optional"):
            continue
        name = path.rpartition("node_modules/")[2]
        component = _component(
            "library", name, told["version"], told["license"], f"pkg:npm/{quote(name, safe='/')}@{told['version']}"
        )
        kind, _, digest = told["integrity"].partition("-")
        alg = {"sha512": "SHA-512", "sha256": "SHA-256", "sha1": "SHA-1"}[kind]
        yield {**component, "hashes": [{"alg": alg, "content": base64.b64decode(digest).hex()}]}


def list_data() -> Iterator[Component]:
    for path, licence, sentence in DATA:
        yield {"type": "data", "name": path, "description": sentence, "licenses": [{"expression": licence}]}


def _component(kind: str, name: str, version: str, licence: str, purl: str) -> Component:
    return {
        "type": kind,
        "bom-ref": purl,
        "name": name,
        "version": version,
        "licenses": [{"expression": licence[1:-1] if licence.startswith("(") else licence}],
        "purl": purl,
    }


def build_sbom(constraints: str, lock: Mapping[str, Any], version: str) -> dict[str, Any]:
    """The document; `version` is that of Metier."""
    own = _component("application", "metier", version, "Apache-2.0", f"pkg:pypi/metier@{version}")
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": own},
        "components": [*list_python(constraints), *list_page(lock), *list_data()],
    }


def build_notice(text: str, sbom: Mapping[str, Any]) -> str:
    """NOTICE with its last part made anew: the packages by licence."""
    kept = text.partition(HEADING)[0].rstrip()
    lines = [
        HEADING,
        "-" * len(HEADING),
        "",
        "Made by `make sbom` from the pins; versions are in sbom.cdx.json, hashes in requirements.lock.",
    ]
    for title, start in (("Python packages, not part of Metier", "pkg:pypi/"), ("In the built page", "pkg:npm/")):
        lines += ["", title, *_list_by_licence(c for c in sbom["components"] if c.get("purl", "").startswith(start))]
    return kept + "\n\n" + "\n".join(lines) + "\n"


def _list_by_licence(components: Iterable[Component]) -> Iterator[str]:
    grouped: dict[str, list[str]] = defaultdict(list)
    for component in components:
        grouped[component["licenses"][0]["expression"]].append(component["name"])
    for licence, names in sorted(grouped.items()):
        yield f"    {licence}: {', '.join(dict.fromkeys(names))}"


def main() -> int:
    constraints = (ROOT / "constraints.txt").read_text("utf-8")
    lock = json.loads((ROOT / "web/package-lock.json").read_text("utf-8"))
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    try:
        sbom = build_sbom(constraints, lock, version)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 1
    SBOM.write_text(json.dumps(sbom, indent=1, ensure_ascii=False) + "\n", "utf-8")
    NOTICE.write_text(build_notice(NOTICE.read_text("utf-8"), sbom), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
