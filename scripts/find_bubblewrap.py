"""Print the path of bubblewrap for the tests of that tier; fetch Debian's package into .cache first if there is none.

The package is unpacked and not installed, so that the other tests still run in the tier that the machine has.
"""

import shutil
import subprocess
import sys
from pathlib import Path

CACHE = Path(".cache/bubblewrap")


def find_bubblewrap() -> Path | None:
    """Path of bubblewrap on the PATH or in the cache, or None."""
    on_path = shutil.which("bwrap")
    cached = (CACHE / "usr/bin/bwrap").absolute()
    return Path(on_path) if on_path else cached if cached.is_file() else None


def fetch_package() -> None:
    """Download Debian's package and unpack it."""
    if not shutil.which("apt-get") or not shutil.which("dpkg-deb"):
        return
    CACHE.mkdir(parents=True, exist_ok=True)
    run_command("apt-get", "update", "-qq")
    run_command("apt-get", "download", "-qq", "bubblewrap")
    for package in CACHE.glob("bubblewrap_*.deb"):
        run_command("dpkg-deb", "-x", package.name, ".")


def run_command(*command: str) -> None:
    """Run a command in the cache, with its output on standard error; the caller checks the result."""
    subprocess.run(command, check=False, stdout=sys.stderr, cwd=CACHE)  # noqa: S603 - our own words only


def main() -> int:
    if find_bubblewrap() is None:
        fetch_package()
    path = find_bubblewrap()
    if path is None:
        print("no bubblewrap: install it, or the tests of that tier are skipped", file=sys.stderr)
        return 1
    print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
