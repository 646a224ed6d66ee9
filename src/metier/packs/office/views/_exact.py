"""Exact pages of a document as PDF, drawn by LibreOffice if it is installed.

It runs in a network namespace of its own, with an empty profile that runs no macros and loads nothing remote, in a
folder that is thrown away, with limits of time and memory. The sandbox of scripts does not fit: it allows no sockets,
and LibreOffice does not start without a local one.
"""

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from metier.errors import Unavailable

_PROGRAMS: Final = ("soffice", "libreoffice")
_TIMEOUT_S: Final = 120.0
_MEMORY_BYTES: Final = 8 << 30  # of addresses; it reserves far more than it uses
_FILE_BYTES: Final = 512 << 20
_WITH_COMMENTS: Final = 'pdf:writer_pdf_Export:{"ExportNotesInMargin":{"type":"boolean","value":"true"}}'
_SETTINGS: Final = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">
<item oor:path="/org.openoffice.Office.Common/Security/Scripting"><prop oor:name="MacroSecurityLevel" oor:op="fuse">
<value>3</value></prop></item>
<item oor:path="/org.openoffice.Office.Common/Security/Scripting"><prop oor:name="DisableMacrosExecution"
 oor:op="fuse"><value>true</value></prop></item>
<item oor:path="/org.openoffice.Office.Common/Security/Scripting"><prop oor:name="BlockUntrustedRefererLinks"
 oor:op="fuse"><value>true</value></prop></item>
</oor:items>
"""


@dataclass(frozen=True, slots=True)
class ExactView:
    """Pages of a document as LibreOffice lays them out."""

    content: bytes
    media_type: str = "application/pdf"


def find_office_program() -> str | None:
    """Path of LibreOffice on this machine; None if it is not installed, or cannot be cut off from the network."""
    if not all(map(shutil.which, ("unshare", "prlimit", "timeout"))):
        return None
    return next((found for name in _PROGRAMS if (found := shutil.which(name))), None)


def render_exact(file: Path, timeout_s: float = _TIMEOUT_S) -> ExactView:
    """Draw a document as PDF; `Unavailable` if LibreOffice is not there, fails, or takes too long."""
    program = find_office_program()
    if program is None:
        raise Unavailable("LibreOffice is not installed", hint="the preview of the page works without it")
    with TemporaryDirectory(prefix="metier-office-") as name:
        folder = Path(name)
        source = folder / f"document{file.suffix.lower()}"
        shutil.copyfile(file, source)
        settings = folder / "profile" / "user" / "registrymodifications.xcu"
        settings.parent.mkdir(parents=True)
        settings.write_text(_SETTINGS, "utf-8")
        _run(program, folder, source.name, timeout_s)
        drawn = source.with_suffix(".pdf")
        if not drawn.exists():
            raise Unavailable(
                "LibreOffice could not draw the document", hint="the preview of the page works without it"
            )
        return ExactView(drawn.read_bytes())


def _run(program: str, folder: Path, name: str, timeout_s: float) -> None:
    apart = ["unshare", "--net", *([] if os.geteuid() == 0 else ["--map-root-user"]), "--"]
    stop = ["timeout", "--kill-after=5", f"{timeout_s:g}"]  # with all the processes that it started
    limits = ["prlimit", f"--as={_MEMORY_BYTES}", f"--cpu={round(timeout_s)}", f"--fsize={_FILE_BYTES}", "--core=0"]
    command = [program, f"-env:UserInstallation=file://{folder}/profile", "--headless", "--norestore", "--nolockcheck"]
    form = _WITH_COMMENTS if name.endswith(".docx") else "pdf"
    environment = {"PATH": os.defpath, "HOME": str(folder), "LANG": "C.UTF-8", "TMPDIR": str(folder)}
    try:
        subprocess.run(  # noqa: S603 - a fixed program; the document's name is ours
            [*stop, *limits, *apart, *command, "--convert-to", form, "--outdir", str(folder), name],
            cwd=folder,
            env=environment,
            capture_output=True,
            timeout=timeout_s + 15,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise Unavailable("LibreOffice took too long", hint="try a smaller document") from None
