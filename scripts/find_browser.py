"""Print the path of a Chrome or Chromium browser; install one first if there is none and this user may.

Search order: METIER_BROWSER, the PATH, Playwright's browser, Debian's package (as root), Playwright's download.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge")
DEBIAN = ("chromium", "fonts-wqy-microhei", "fonts-dejavu-core")


def found() -> str | None:
    """Path of an installed browser, or None."""
    named = os.environ.get("METIER_BROWSER")
    if named:
        return named
    on_path = next((path for name in NAMES if (path := shutil.which(name))), None)
    return on_path or playwrights_own()


def playwrights_own() -> str | None:
    """Path of the browser that Playwright downloaded earlier, or None."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).exists() else None


def get() -> None:
    """Install a browser with fonts for Chinese."""
    apt = shutil.which("apt-get")
    if apt and os.geteuid() == 0:
        run(apt, "update", "-qq")
        run(apt, "install", "-y", "-qq", "--no-install-recommends", *DEBIAN)
    if found() is None:
        run(sys.executable, "-m", "playwright", "install", "chromium")


def run(*command: str) -> None:
    """Run a command with its output on standard error; the exit code is ignored, the caller checks the result."""
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    subprocess.run(command, check=False, stdout=sys.stderr, env=environment)  # noqa: S603 - our own words only


def main() -> int:
    if found() is None:
        get()
    path = found()
    if path is None:
        print("no browser: install Chrome or Chromium, or name one in METIER_BROWSER", file=sys.stderr)
        return 1
    print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
