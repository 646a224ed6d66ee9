"""Print the path of a Chrome or Chromium browser; install one first if there is none and this user may.

Search order: METIER_BROWSER, the PATH, Playwright's browser, Debian's package (as root), Playwright's download. A
headless shell, the same browser without windows, comes first: its processes take a third less processor time.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

BROWSER_NAMES = (
    *("chromium-headless-shell", "chrome-headless-shell", "chromium", "chromium-browser"),
    *("google-chrome", "google-chrome-stable", "chrome", "msedge"),
)
DEBIAN_PACKAGES = ("chromium", "fonts-wqy-microhei", "fonts-dejavu-core")
SHELL_PACKAGE = "chromium-headless-shell"  # not in every release of Debian: asked for alone


def find_browser() -> str | None:
    """Path of an installed browser, or None."""
    named = os.environ.get("METIER_BROWSER")
    if named:
        return named
    on_path = next((path for name in BROWSER_NAMES if (path := shutil.which(name))), None)
    return on_path or find_playwright_browser()


def find_playwright_browser() -> str | None:
    """Path of the browser that Playwright downloaded earlier, or None."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).exists() else None


def install_browser() -> None:
    """Install a browser with fonts for Chinese."""
    apt = shutil.which("apt-get")
    if apt and os.geteuid() == 0:
        run_command(apt, "update", "-qq")
        run_command(apt, "install", "-y", "-qq", "--no-install-recommends", *DEBIAN_PACKAGES)
        run_command(apt, "install", "-y", "-qq", "--no-install-recommends", SHELL_PACKAGE)
    if find_browser() is None:
        run_command(sys.executable, "-m", "playwright", "install", "chromium")


def run_command(*command: str) -> None:
    """Run a command with its output on standard error; the exit code is ignored, the caller checks the result."""
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    subprocess.run(command, check=False, stdout=sys.stderr, env=environment)  # noqa: S603 - our own words only


def main() -> int:
    if find_browser() is None:
        install_browser()
    path = find_browser()
    if path is None:
        print("no browser: install Chrome or Chromium, or name one in METIER_BROWSER", file=sys.stderr)
        return 1
    print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
