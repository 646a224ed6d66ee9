"""Install the build tools of the page and check that they run; if they cannot, print one NOTE and exit with code 3.

They cannot run without npm or a network, with a Node that is too old, or if a native package is not built for this
machine. A lock that does not match package.json, or a package with a wrong checksum, is an error: exit code 1.
"""

import hashlib
import re
import shutil
import subprocess
import sys
from pathlib import Path

WEB = Path(__file__).resolve().parents[1] / "web"
CANNOT_RUN = 3
INSTALL = ("npm", "ci", "--ignore-scripts", "--loglevel=error", "--fetch-retry-mintimeout=1000")
FAULTS = {"EUSAGE", "EINTEGRITY", "EJSONPARSE"}
PROBES = {
    "rolldown": ("node", "--input-type=module", "--eval", "import 'rolldown'"),
    "lightningcss": ("node", "--input-type=module", "--eval", "import 'lightningcss'"),
    "vite": ("node", "node_modules/vite/bin/vite.js", "--version"),
    "typescript": ("node", "node_modules/typescript/bin/tsc", "--version"),
}


class ToolsCannotRun(Exception):
    """The page cannot be built on this machine; the message says why."""


def run(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)  # noqa: S603 - our own words


def find_error(ran: subprocess.CompletedProcess[str]) -> str:
    """Return the first sentence of the error message."""
    lines = [line.strip() for line in ran.stderr.splitlines() if line.strip()]
    line = next((line for line in lines if re.match(r"\w*Error\b", line)), "".join(lines[:1]))
    return line.partition(". ")[0]


def describe_machine(folder: Path) -> str:
    """Return Node's version and platform, on which the installed packages depend."""
    if not (shutil.which("npm") and shutil.which("node")):
        raise ToolsCannotRun("there is no npm")
    return run(
        folder, "node", "--print", "`Node ${process.version} on ${process.platform}-${process.arch}`"
    ).stdout.strip()


def install(folder: Path, machine: str) -> None:
    """Install the packages of the lock, unless they are installed already from this lock for this machine."""
    lock = hashlib.sha256((folder / "package-lock.json").read_bytes()).hexdigest()
    stamp = folder / "node_modules" / "ready"
    if stamp.is_file() and stamp.read_text("utf-8") == f"{machine} {lock}":
        return
    ran = run(folder, *INSTALL)
    if ran.returncode:
        code = re.search(r"^npm (?:error|ERR!) code (\w+)", ran.stderr, re.MULTILINE)
        if code and code[1] in FAULTS:
            sys.exit(ran.stderr)
        raise ToolsCannotRun(f"npm could not install what builds it ({code[1] if code else find_error(ran)})")
    stamp.write_text(f"{machine} {lock}", "utf-8")


def load_native_packages(folder: Path, machine: str) -> None:
    """Load every native package once."""
    for name, command in PROBES.items():
        ran = run(folder, *command)
        if ran.returncode:
            raise ToolsCannotRun(f"{name} does not run here ({machine}): {find_error(ran)}")


def main(folder: Path = WEB) -> int:
    try:
        machine = describe_machine(folder)
        install(folder, machine)
        load_native_packages(folder, machine)
    except ToolsCannotRun as reason:
        print(f"NOTE: the sources of the page were not checked: {reason}")
        return CANNOT_RUN
    return 0


if __name__ == "__main__":
    sys.exit(main())
