"""Memory of a router, measured in a fresh process that runs nothing else."""

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.routing._contest import build_routers
from benchmarks.routing._data import Draw
from metier.skills import Skill, Source

NO_ROUTER = "no router"
_MESSAGES = 20

_ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, slots=True)
class MemoryUse:
    """Resident memory after some messages, and the peak while building the index."""

    rss_mb: float
    peak_mb: float

    def to_json(self) -> dict[str, object]:
        return {"rss_mb": self.rss_mb, "peak_mb": self.peak_mb}


def measure_memory(
    routers: Sequence[str], drawn: Draw, *, say: Callable[[str], None] = lambda _: None
) -> Mapping[str, MemoryUse]:
    """Measure each router in its own process; the first process has none, as the baseline."""
    found: dict[str, MemoryUse] = {}
    asked = [said for said, _ in drawn.asked]
    for router in (NO_ROUTER, *routers):
        found[router] = measure_router_memory(router, drawn.limit_skills("10"), asked)
        say(f"memory: {router}: {found[router].rss_mb:.0f} MB")
    return found


def measure_router_memory(router: str, skills: Sequence[Skill], messages: Sequence[str]) -> MemoryUse:
    """Measure one router with these skills after some messages."""
    told = [[skill.id, skill.title, list(skill.examples)] for skill in skills]
    order = json.dumps({"router": router, "skills": told, "messages": list(messages[:_MESSAGES])})
    command = [sys.executable, "-m", "benchmarks.routing._memory"]
    done = subprocess.run(  # noqa: S603 - our own interpreter
        command, input=order, check=True, capture_output=True, text=True, encoding="utf-8", cwd=_ROOT
    )
    answer = json.loads(done.stdout.splitlines()[-1])
    return MemoryUse(float(answer["rss_mb"]), float(answer["peak_mb"]))


def _run_child(order: Mapping[str, object]) -> MemoryUse:
    skills, messages = order["skills"], order["messages"]
    if not isinstance(skills, list) or not isinstance(messages, list):
        raise TypeError("the order must hold lists")
    source = Source(Path("set"), Path("set"), "flat")
    told = [Skill(id_, title, "", source, id_, examples=tuple(said)) for id_, title, said in skills]
    with tempfile.TemporaryDirectory() as temporary:
        for router in build_routers(Path(temporary), peers=True, only=[str(order["router"])]):
            router.fit(told)
            for message in messages:
                router.ask(message)
        return read_process_memory()


def read_process_memory() -> MemoryUse:
    """Memory of this process; without /proc both values are the peak."""
    status = Path("/proc/self/status")
    if status.is_file():
        lines = dict(line.split(":", 1) for line in status.read_text("utf-8").splitlines() if ":" in line)
        rss_mb, peak_mb = (round(int(lines[name].split()[0]) / 1024, 1) for name in ("VmRSS", "VmHWM"))
        return MemoryUse(rss_mb, peak_mb)
    import resource

    highest = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    peak_mb = round(highest / (1024**2 if sys.platform == "darwin" else 1024), 1)
    return MemoryUse(peak_mb, peak_mb)


if __name__ == "__main__":
    sys.stdout.write(json.dumps(_run_child(json.load(sys.stdin)).to_json()) + "\n")
