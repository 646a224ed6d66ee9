"""`metier model`: list the configured models, and try one out."""

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING

import typer

from metier.cli.terminal import (
    JSON_OPTION,
    find_language,
    print_json,
    print_line,
    print_note,
    print_table,
    say,
    translate_head,
)
from metier.errors import Unavailable

if TYPE_CHECKING:
    from metier.agent import ModelCheck, ModelPool

app = typer.Typer(help="List the configured models, and try one out.", no_args_is_help=True)
_MARKS: Mapping[str, str] = {"ok": "✓", "warning": "!", "failed": "✗"}


@app.command("list")
def list_command(as_json: bool = JSON_OPTION) -> None:
    """List the configured models. Where each is served, where its key comes from, and which stage uses it."""
    pool = _open_pool()
    stages = {name: sorted(stage for stage, used in pool.stages.items() if used == name) for name in pool.names}
    rows = [{**entry.to_json(), "default": entry.name == pool.default, "stages": stages[entry.name]} for entry in pool]
    if as_json:
        print_json({"models": rows})
        return
    heads = ("name", "model", "address", "key", "used for")
    print_table(heads, [_format_row(row) for row in rows])


@app.command("test")
def check_command(
    name: str | None = typer.Argument(None, help="A configured model; the default one if left out."),
    as_json: bool = JSON_OPTION,
) -> None:
    """Try a model out. Exit code 6 when it cannot be used.

    Asks it a few short questions: latency, streaming, usage, a word of English and of Chinese, tools, schema, window.
    """
    pool = _open_pool()
    checks = asyncio.run(_run_checks(pool, name or pool.default, quiet=as_json))
    failed = any(check.status == "failed" for check in checks)
    if as_json:
        print_json({"model": name or pool.default, "ok": not failed, "checks": [check.to_json() for check in checks]})
    if failed:
        raise typer.Exit(Unavailable.exit_code)


def _open_pool() -> "ModelPool":
    from metier.agent import ModelPool
    from metier.settings import load_settings

    return ModelPool.from_settings(load_settings())


async def _run_checks(pool: "ModelPool", name: str, *, quiet: bool) -> "list[ModelCheck]":
    from metier.agent import check_model

    checks, language = [], find_language()
    async for check in check_model(pool[name]):
        checks.append(check)
        if not quiet:
            print_line(f"{_MARKS[check.status]} {translate_head(check.name)}: {check.text(language)}")
            if check.hint:
                print_line(f"    {check.hint_text(language)}")
    if not quiet and checks[-1].status == "failed":
        print_note(say("model_unusable", name=name))
    return checks


def _format_row(row: Mapping[str, object]) -> tuple[str, ...]:
    stages = row["stages"]
    used = [*(["default"] if row["default"] else []), *(stages if isinstance(stages, list) else [])]
    return str(row["name"]), str(row["model"]), str(row["address"] or "–"), str(row["key"] or "–"), ", ".join(used)
