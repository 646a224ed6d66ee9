"""Print the path of a Chrome or Chromium browser; install one first if there is none and this user may.

Search order: METIER_BROWSER, then where Metier's own browser tool looks. To install one: Debian's package (as root), a
headless shell where the release has it, else Playwright's download.
"""

import os
import shutil
import subprocess
import sys

from metier.tools.browser import find_browser as find_installed_browser

SHELL_PACKAGE = "chromium-headless-shell"  # not in every release of Debian
WHOLE_PACKAGE = "chromium"
FONT_PACKAGES = ("fonts-wqy-microhei", "fonts-dejavu-core")


def find_browser() -> str | None:
    """Path of an installed browser, or None."""
    return os.environ.get("METIER_BROWSER") or find_installed_browser()


def install_browser() -> None:
    """Install a browser with fonts for Chinese: the headless shell, which needs half as much, before the whole one."""
    print(
        "no browser is installed: one is fetched for the tests of the page (about 100 MB)", file=sys.stderr, flush=True
    )
    apt = shutil.which("apt-get")
    if apt and os.geteuid() == 0:
        run_command(apt, "update", "-qq")
        for package in (SHELL_PACKAGE, WHOLE_PACKAGE):
            if find_browser() is None:
                run_command(apt, "install", "-y", "-qq", "--no-install-recommends", package, *FONT_PACKAGES)
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
