"""Find the browser of this machine, and say whether it can be used."""

import os
import shutil
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Final

OFF: Final = "off"
# A headless shell, the same browser without windows, comes first: its processes take a third less processor time.
_NAMES: Final = (
    *("chromium-headless-shell", "chrome-headless-shell", "chromium", "chromium-browser"),
    *("google-chrome", "google-chrome-stable", "chrome", "msedge"),
)
_APPLICATIONS: Final = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)
# Where `playwright install chromium` puts it.
_DOWNLOADS: Final = (
    (".cache/ms-playwright", "chromium-*/chrome-linux*/chrome"),
    ("Library/Caches/ms-playwright", "chromium-*/chrome-mac*/*.app/Contents/MacOS/*"),
)


@dataclass(frozen=True, slots=True)
class BrowserProbe:
    """Whether a browser can be used: its path, or why there is none, and what to do about it."""

    path: str
    message: str
    hint: str = ""
    sandboxed: bool = True

    @property
    def is_usable(self) -> bool:
        return bool(self.path)


def find_browser(named: str = "") -> str | None:
    """Path of Chrome or Chromium: the one that is named, one of the PATH, or the one Playwright downloaded."""
    if named:
        return shutil.which(named)
    found = next((path for name in _NAMES if (path := shutil.which(name))), None)
    found = found or next((path for path in _APPLICATIONS if Path(path).is_file()), None)
    return found or next(map(str, _list_downloads()), None)


def probe_browser(named: str = "") -> BrowserProbe:
    """Check whether `browser_use` has what it needs; starts nothing."""
    if named == OFF:
        return BrowserProbe("", "off: pages are read without a browser", "METIER_BROWSER is 'off'")
    if find_spec("playwright") is None:
        return BrowserProbe("", "the package playwright is not installed", "pip install 'metier[workspace]'")
    path = find_browser(named)
    if path is None:
        missing = f"there is no {named!r}" if named else "no Chrome or Chromium is installed"
        return BrowserProbe("", missing, "install one, or `playwright install chromium`; METIER_BROWSER names a path")
    if _is_root():
        hint = "Chrome has no sandbox as root: run Metier as an ordinary user"
        return BrowserProbe(path, f"{path}, without its sandbox", hint, sandboxed=False)
    return BrowserProbe(path, path)


def _list_downloads() -> list[Path]:
    """Downloaded browsers, the newest version first."""
    found = [file for folder, pattern in _DOWNLOADS for file in (Path.home() / folder).glob(pattern)]
    return sorted(found, key=lambda file: [int(part) for part in str(file).split("-") if part.isdigit()], reverse=True)


def _is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0
