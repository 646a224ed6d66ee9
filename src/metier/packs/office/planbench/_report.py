"""What a run of the bench says: counts, repairs, times and tokens, as JSON, as lines and as figures."""

from collections import Counter
from collections.abc import Iterator, Sequence

from metier.bench import Figure, p50_p95
from metier.json_values import JsonObject
from metier.packs.office.planbench._cases import load_cases, load_stories
from metier.packs.office.planbench._drafters import Column, Drafter, ask_model, make_drafter
from metier.packs.office.planbench._run import PlanResult, run_case, run_stories

__all__ = ["measure_suite", "summarize_results"]

_SUITE = "plan"


def summarize_results(results: Sequence[PlanResult]) -> JsonObject:
    """Counts and times of results."""
    states = Counter(one.state for one in results)
    repairs = Counter(one.repairs for one in results if one.state == "right")
    drafts = [one.draft_ms for one in results]
    writes = [one.write_ms for one in results if one.written]
    checked = sum(one.checked for one in results)
    missed = sum(len(one.misses) for one in results)
    return {
        "total": len(results),
        **{name: states[name] for name in ("right", "asked", "wrong", "failed")},
        "valid": sum(one.valid for one in results),
        "written": sum(one.written for one in results),
        "repairs": {str(count): repairs[count] for count in range(6)},
        "asserts": checked,
        "asserts_missed": missed,
        "draft_p50_ms": round(p50_p95(drafts)[0], 2),
        "draft_p95_ms": round(p50_p95(drafts)[1], 2),
        "write_p50_ms": round(p50_p95(writes)[0], 2),
        "write_p95_ms": round(p50_p95(writes)[1], 2),
        "tokens": sum(one.tokens for one in results),
        "hosts": {
            host: [
                sum(one.state == "right" for one in results if one.host == host),
                sum(one.host == host for one in results),
            ]
            for host in ("wps", "et", "wpp")
        },
    }


def measure_suite(data: object = None) -> Iterator[Figure]:
    """Figures of `metier bench plan`: rules, given plans and a configured model, in columns of their own."""
    shipped = load_cases("shipped")
    for column, draft in _list_drafters():
        results = [run_case(case, column, draft) for case in shipped]
        yield from _measure_cases(results, column)
        if column == "canned":
            continue
        held_out = [run_case(case, column, draft) for case in load_cases("held_out")]
        yield _count(f"{len(held_out)} held-out wordings: right", _share(held_out, "right"), column, 70, "%", more=True)
        yield _count("held-out wordings: written wrong", _number(held_out, "wrong"), column, 1)
        turns = list(run_stories(load_stories(), draft, column))
        yield _count(
            f"stories: right of {len(turns)} turns", _number(turns, "right"), column, len(turns) - 1, more=True
        )
        yield _count("stories: written wrong", _number(turns, "wrong"), column, 1)


def _list_drafters() -> Iterator[tuple[Column, Drafter]]:
    yield "builtin", make_drafter("builtin")
    yield "canned", make_drafter("canned")
    from metier.agent import ModelPool
    from metier.settings import load_settings

    pool = ModelPool.from_settings(load_settings({}))
    if not pool.is_all_builtin:
        yield "live", make_drafter("live", ask_model(pool.get(pool.default)))


def _measure_cases(results: Sequence[PlanResult], column: Column) -> Iterator[Figure]:
    total = len(results)
    yield _count(f"{total} cases: right", _number(results, "right"), column, total - 1, more=True)
    yield _count("cases: written wrong", _number(results, "wrong"), column, 1)
    yield _count("cases: valid plan", sum(one.valid for one in results), column, None)
    yield _count("cases: written", sum(one.written for one in results), column, None)
    for repairs in range(6):
        count = sum(one.repairs == repairs and one.state == "right" for one in results)
        yield _count(f"cases: right after {repairs} repairs", count, column, None)
    yield _count("draft, median", p50_p95([one.draft_ms for one in results])[0], column, None, "ms")
    yield _count("write, median", p50_p95([one.write_ms for one in results if one.written])[0], column, None, "ms")
    yield _count("tokens a case", sum(one.tokens for one in results) / max(1, total), column, None)


def _count(
    name: str, value: float, column: Column, target: float | None, unit: str = "", *, more: bool = False
) -> Figure:
    return Figure(_SUITE, name, value, target, 1, unit=unit, more=more, column=column)


def _number(results: Sequence[PlanResult], state: str) -> int:
    return sum(one.state == state for one in results)


def _share(results: Sequence[PlanResult], state: str) -> float:
    return 100 * _number(results, state) / max(1, len(results))
