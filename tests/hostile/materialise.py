"""Put a hostile case on disk: copy its files, and make what git cannot hold from a recipe."""

import io
import os
import shutil
import socket
import stat
import tarfile
import zipfile
from collections.abc import Callable, Mapping
from copy import copy
from pathlib import Path
from types import MappingProxyType
from typing import Any

import docx
import pytest

HERE = Path(__file__).parent
Recipe = Mapping[str, Any]


def materialise(case_id: str, recipes: list[Recipe], root: Path) -> None:
    """Make the case below `root`, beside whatever is there."""
    if (HERE / "cases" / case_id).is_dir():
        shutil.copytree(HERE / "cases" / case_id, root, dirs_exist_ok=True)
    for recipe in recipes:
        path = root / recipe["at"]
        path.parent.mkdir(parents=True, exist_ok=True)
        _MAKERS[recipe["kind"]](path, recipe)


def _file(path: Path, recipe: Recipe) -> None:
    path.write_text(recipe["text"], "utf-8")


def _symlink(path: Path, recipe: Recipe) -> None:
    path.symlink_to(recipe["to"])


def _hardlink(path: Path, recipe: Recipe) -> None:
    outside = Path("outside.txt")  # in the test's own folder, which holds the skills folder
    outside.write_text(recipe["text"], "utf-8")
    path.hardlink_to(outside)


def _fifo(path: Path, _: Recipe) -> None:
    os.mkfifo(path)


def _socket(path: Path, _: Recipe) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        here = Path.cwd()
        os.chdir(path.parent)  # a socket's path may have about a hundred bytes
        server.bind(path.name)
        os.chdir(here)


def _device(path: Path, _: Recipe) -> None:
    try:
        os.mknod(path, stat.S_IFCHR | 0o600, os.makedev(1, 3))
    except PermissionError:
        pytest.skip("only root can make a device")


def _sparse(path: Path, recipe: Recipe) -> None:
    with path.open("wb") as file:
        file.truncate(recipe["size"])


def _zip(path: Path, recipe: Recipe) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for entry in recipe["entries"]:
            info = zipfile.ZipInfo(entry["name"])
            info.filename = info.orig_filename = entry["name"]  # the constructor turns backslashes on Windows
            info.compress_type = zipfile.ZIP_DEFLATED
            kind = stat.S_IFLNK if entry.get("link") else stat.S_IFREG
            info.external_attr = (kind | 0o644) << 16
            archive.writestr(info, entry["text"] * entry.get("times", 1))


def _zip_overlap(path: Path, _: Recipe) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("one.txt", "0" * 1000)
        for number in range(20):
            again = copy(archive.filelist[0])
            again.filename = again.orig_filename = f"again-{number}.txt"
            archive.filelist.append(again)


def _zip_nested(path: Path, recipe: Recipe) -> None:
    raw = b"the innermost text"
    name = "text.txt"
    for depth in range(recipe["depth"]):
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w") as archive:
            archive.writestr(name, raw)
        raw, name = buffer.getvalue(), f"level-{depth}.zip"
    path.write_bytes(raw)


def _tar(path: Path, recipe: Recipe) -> None:
    with tarfile.open(path, "w:gz") if path.suffix == ".gz" else tarfile.open(path, "w") as archive:
        for entry in recipe["entries"]:
            info = tarfile.TarInfo(entry["name"])
            raw = (entry.get("text", "") * entry.get("times", 1)).encode()
            info.size = len(raw)
            if "link" in entry:
                info.type, info.linkname = tarfile.SYMTYPE, entry["link"]
            archive.addfile(info, io.BytesIO(raw))


def _docx(path: Path, recipe: Recipe) -> None:
    document = docx.Document()
    document.add_paragraph(recipe["text"])
    document.add_paragraph().add_run(recipe["hidden"]).font.hidden = True
    document.save(str(path))


_MAKERS: Mapping[str, Callable[[Path, Recipe], None]] = MappingProxyType(
    {
        "file": _file,
        "symlink": _symlink,
        "hardlink": _hardlink,
        "fifo": _fifo,
        "socket": _socket,
        "device": _device,
        "sparse": _sparse,
        "zip": _zip,
        "zip-overlap": _zip_overlap,
        "zip-nested": _zip_nested,
        "tar": _tar,
        "docx": _docx,
    }
)
