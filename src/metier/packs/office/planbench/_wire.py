"""Bench over HTTP: asks any server that speaks the plan stream, and counts what comes back."""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter
from typing import Final

import httpx

from metier.json_values import JsonObject
from metier.packs.office.plan import load_plan
from metier.packs.office.planbench._cases import PlanCase

__all__ = ["STREAM_PATH", "WireResult", "ask_plan", "describe_wire", "run_wire"]

STREAM_PATH: Final = "/agentic/js-plan/vibe-coding/stream"
_MAX_REPAIRS: Final = 5


@dataclass(frozen=True, slots=True)
class WireResult:
    """Answer of a server to one case: whether there is a valid plan, and after how many repairs."""

    id: str
    host: str
    ok: bool
    repairs: int
    seconds: float
    error: str = ""
    ops: tuple[str, ...] = ()

    def to_json(self) -> JsonObject:
        return {**asdict(self), "ops": list(self.ops)}


def ask_plan(client: httpx.Client, case: PlanCase, *, max_repairs: int = _MAX_REPAIRS) -> WireResult:
    """Ask for the plan of a case. A plan counts if it passes our own check and took no more repairs than allowed."""
    body = {
        "user_query": case.request,
        "session_id": f"plan-bench-{case.id}",
        "document_name": f"{case.id}.{case.host}",
        "host_app": case.host,
        "capabilities": {},
    }
    started = perf_counter()
    result: Mapping[str, object] = {}
    problem = ""
    try:
        with client.stream("POST", STREAM_PATH, json=body) as answer:
            if answer.status_code != 200:
                answer.read()
                problem = f"HTTP {answer.status_code}: {answer.text[:200]}"
            else:
                result, problem = _read_stream(answer.iter_lines())
    except httpx.HTTPError as error:
        problem = f"the server does not answer: {error}"
    return _judge(case, result, problem, perf_counter() - started, max_repairs)


def _read_stream(lines: Iterator[str]) -> tuple[Mapping[str, object], str]:
    problem = "the stream ended without a result"
    for line in lines:
        text = line.removeprefix("data:").strip()
        if not line.startswith("data:") or text == "[DONE]":
            continue
        event = json.loads(text)
        if event.get("type") == "error":
            problem = _message(event.get("error"))
        elif event.get("type") == "final_result":
            return event.get("result") or {}, ""
    return {}, problem


def _judge(case: PlanCase, result: Mapping[str, object], problem: str, seconds: float, max_repairs: int) -> WireResult:
    attempts = result.get("attempt_count")
    repairs = max(0, attempts - 1) if isinstance(attempts, int) else 0
    plan = result.get("plan")
    if problem or not result.get("success") or not isinstance(plan, dict):
        return WireResult(case.id, case.host, False, repairs, seconds, problem or _message(result.get("error")))
    loaded = load_plan(plan, host=case.host)
    if loaded.plan is None:
        error = "; ".join(one.text("en") for one in loaded.problems)
        return WireResult(case.id, case.host, False, repairs, seconds, error)
    ops = tuple(action.op for action in loaded.plan.walk())
    error = f"{repairs} repairs" if repairs > max_repairs else ""
    return WireResult(case.id, case.host, not error, repairs, seconds, error, ops)


def _message(error: object) -> str:
    return str(error.get("message", error)) if isinstance(error, dict) else str(error or "no plan")


def run_wire(
    client: httpx.Client,
    cases: Sequence[PlanCase],
    *,
    out: Path | None = None,
    resume: bool = False,
    max_repairs: int = _MAX_REPAIRS,
    say: Callable[[str], object] = print,
) -> list[WireResult]:
    """Ask for all cases; results are saved after each, and with `resume` those that were right are not asked again."""
    done = {one.id: one for one in _load(out) if one.ok} if resume and out is not None else {}
    results: list[WireResult] = []
    for number, case in enumerate(cases, 1):
        result = done.get(case.id) or ask_plan(client, case, max_repairs=max_repairs)
        results.append(result)
        counted = f"[{number}/{len(cases)}] {case.id} {'ok' if result.ok else 'fail'}"
        say(f"{counted} repairs={result.repairs} {result.seconds:.2f}s {result.error}".rstrip())
        if out is not None:
            saved = {"summary": _summarize(results), "results": [one.to_json() for one in results]}
            out.write_text(json.dumps(saved, ensure_ascii=False, indent=1) + "\n", "utf-8")
    return results


def describe_wire(results: Sequence[WireResult]) -> Iterator[str]:
    """Lines that a run prints at its end."""
    yield from (f"{name}: {value}" for name, value in _summarize(results).items())


def _summarize(results: Sequence[WireResult]) -> JsonObject:
    good = [one for one in results if one.ok]
    buckets = Counter(min(one.repairs, _MAX_REPAIRS) for one in good)
    return {
        "total": len(results),
        "ok": len(good),
        "fail": len(results) - len(good),
        "success_rate": f"{100 * len(good) / max(1, len(results)):.1f}%",
        **{f"ok_with_repairs_{count}": buckets[count] for count in range(_MAX_REPAIRS + 1)},
        "avg_seconds": f"{sum(one.seconds for one in results) / max(1, len(results)):.3f}",
        "avg_seconds_ok": f"{sum(one.seconds for one in good) / max(1, len(good)):.3f}",
    }


def _load(path: Path) -> list[WireResult]:
    if not path.is_file():
        return []
    saved = json.loads(path.read_text("utf-8"))
    return [WireResult(**{**one, "ops": tuple(one.get("ops", ()))}) for one in saved.get("results", [])]
