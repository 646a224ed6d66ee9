"""A root folder of the run's own: only the paths it may use exist there, so that not even `stat` tells of others.

Landlock has no rule for `stat`. Where the supervisor may mount (root with CAP_SYS_ADMIN, or inside bubblewrap), the run
gets a mount namespace with an empty root, into which these paths are bind-mounted under their own names.
"""

import contextlib
import os
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

from metier.tools.sandbox import _kernel as kernel

_MAX_LINKS: Final = 40
_HOST_NAME: Final = "sandbox"
_ROOT_OPTIONS: Final = "mode=755,size=1m"
# Where the new root is mounted at first. A recursive bind of a folder above it would put the root into itself.
_BASE: Final = "/dev"


class RootPlan(NamedTuple):
    """Content of a private root: paths without links in them, and symbolic links with what they point to."""

    paths: tuple[str, ...] = ()
    links: tuple[tuple[str, str], ...] = ()


def plan_root(paths: Iterable[str], names: Iterable[str] = ()) -> RootPlan:
    """Plan a root with these paths; missing ones are left out. `names` may lead to them by symbolic links."""
    real = sorted({os.path.realpath(path) for path in paths if os.path.exists(path)})  # noqa: PTH110 - many each run
    links = dict(step for name in (*paths, *names) for step in _iter_links(name))
    return RootPlan(tuple(real), tuple(links.items()))


def can_mount() -> bool:
    """Return whether this process may make a private root."""
    return kernel.has_capability(kernel.CAP_SYS_ADMIN)


def enter_private_root(plan: RootPlan) -> bool:
    """Make the planned paths the only ones; return False if this process may not mount, and nothing has changed."""
    if not _enter_namespace():
        return False
    held = [(path, os.open(path, os.O_PATH | os.O_CLOEXEC)) for path in _iter_outermost(plan.paths)]
    kernel.mount("tmpfs", _BASE, "tmpfs", kernel.MS_NOSUID | kernel.MS_NODEV, _ROOT_OPTIONS)
    for path, place in held:
        _bind(_BASE + path, place)
        os.close(place)
    for link, target in plan.links:
        _make_link(_BASE + link, target)
    kernel.change_root(_BASE)
    return True


def _iter_outermost(paths: Iterable[str]) -> Iterator[str]:
    """Yield the paths that lie inside no other one of them: those come with the folder above them."""
    last = "\0"
    for path in sorted(paths):
        if not f"{path}/".startswith(f"{last}/"):
            last = path
            yield path


def _enter_namespace() -> bool:
    """Enter a mount namespace of this process alone; False if that is not allowed, in some containers even to root.

    The name of the host stays outside too, where the kernel allows that.
    """
    try:
        kernel.unshare(kernel.CLONE_NEWNS)
        kernel.mount("", "/", "", kernel.MS_REC | kernel.MS_PRIVATE)
    except OSError:
        return False
    with contextlib.suppress(OSError):
        kernel.unshare(kernel.CLONE_NEWUTS)
        kernel.set_host_name(_HOST_NAME)
    return True


def _bind(target: str, place: int) -> None:
    if stat.S_ISDIR(os.fstat(place).st_mode):
        os.makedirs(target, exist_ok=True)  # noqa: PTH103 - many each run
    else:
        os.makedirs(os.path.dirname(target), exist_ok=True)  # noqa: PTH103, PTH120 - many each run
        os.close(os.open(target, os.O_CREAT | os.O_WRONLY | os.O_CLOEXEC, 0o600))
    kernel.mount(f"/proc/self/fd/{place}", target, "", kernel.MS_BIND | kernel.MS_REC)


def _iter_links(name: str) -> Iterator[tuple[str, str]]:
    """Yield each symbolic link on the way to `name`, with what it points to."""
    waiting, here, left = list(Path(name).parts[1:]), "/", _MAX_LINKS
    while waiting and left:
        part = waiting.pop(0)
        before, here = here, os.path.normpath(f"{here}/{part}")
        if not os.path.islink(here):  # noqa: PTH114 - many each run
            continue
        target = str(Path(here).readlink())
        yield here, target
        left -= 1
        waiting = [*(part for part in target.split("/") if part), *waiting]
        here = "/" if target.startswith("/") else before


def _make_link(place: str, target: str) -> None:
    if not os.path.lexists(place):
        os.makedirs(os.path.dirname(place), exist_ok=True)  # noqa: PTH103, PTH120 - many each run
        Path(place).symlink_to(target)
