"""`metier life`: repeat a tarot draw, send reminders that are due, list help lines."""

import asyncio
from datetime import datetime
from typing import TYPE_CHECKING

import typer

from metier.cli.terminal import JSON_OPTION, open_store, parse_language, print_json, print_line, print_note, print_table
from metier.clock import utc_now
from metier.errors import InvalidInput, RecordNotFound

if TYPE_CHECKING:
    from metier.json_values import JsonObject
    from metier.packs.life.reminders import SentReminder

app = typer.Typer(
    name="life",
    help="Tarot draws, reminders and help lines.",
    no_args_is_help=True,
    rich_markup_mode=None,
    add_completion=False,
)

_USER = typer.Option("local", "--user", "-u", help="Whose data; default: that of the terminal.")
_LANGUAGE = typer.Option(None, "--language", "-l", help="zh or en; default: as set, else the system's.")


@app.command("redraw")
def redraw_command(
    draw: str = typer.Argument(help="The id of a draw, or `-` with --seed and --spread."),
    seed: str = typer.Option("", "--seed", help="Check a seed that was shown: hexadecimal."),
    spread: str = typer.Option("three", "--spread", help="single, three, time or celtic; with --seed."),
    user: str = _USER,
    language: str | None = _LANGUAGE,
    as_json: bool = JSON_OPTION,
) -> None:
    """Deal a draw again from its seed, and compare."""
    from metier.packs.life.tarot import ALGORITHM, draw_from_json, verify
    from metier.settings import load_settings

    kept: JsonObject = {"id": draw, "seed": seed, "spread": spread} if seed else asyncio.run(_find_draw(user, draw))
    found = draw_from_json(kept)
    if found is None:
        raise InvalidInput("this is no seed or no spread", hint="hexadecimal seed; single, three, time or celtic")
    told = {**found.to_json(), "hash": found.commitment.seed_hash, "algorithm": ALGORITHM}
    if "cards" in kept:
        told = {**told, "same": verify(kept)}
    if as_json:
        print_json(told)
        return
    tongue = parse_language(language, load_settings().language)
    rows = [(position.title.text(tongue), drawn.title(tongue)) for position, drawn in found.positions]
    print_table(("position", "card"), rows)
    print_line(f"seed {found.commitment.seed}  sha256 {found.commitment.seed_hash}  {ALGORITHM}")
    if "same" in told:
        print_note("the same cards as kept" if told["same"] else "NOT the cards that were kept")


@app.command("remind")
def remind_command(
    at: str = typer.Option("", "--at", help="The time to look at, ISO 8601 with offset; default: now."),
    as_json: bool = JSON_OPTION,
) -> None:
    """Send the reminders that are due, each only once."""
    try:
        now = datetime.fromisoformat(at) if at else utc_now()
    except ValueError as error:
        raise InvalidInput(f"{at!r} is no time", hint="for example 2026-11-16T20:00+08:00") from error
    if now.tzinfo is None:
        raise InvalidInput(f"{at!r} has no offset", hint="for example 2026-11-16T20:00+08:00")
    sent = asyncio.run(_send(now))
    for one in sent:
        if as_json:
            print_json({"user": one.user, "id": one.id, "text": one.text})
        else:
            print_line(f"{one.user}\t{one.text}")
    if not sent:
        print_note("nothing is due")


@app.command("lines")
def lines_command(language: str | None = _LANGUAGE) -> None:
    """List the help lines and when each was checked."""
    from metier.packs.life.safety import read_help_lines
    from metier.settings import load_settings

    tongue = parse_language(language, load_settings().language)
    rows = [(one.region, one.number, one.title.text(tongue), one.checked) for one in read_help_lines()]
    print_table(("region", "number", "line", "checked"), rows)


async def _find_draw(user: str, draw: str) -> "JsonObject":
    async with open_store() as store:
        kept = (await store.skill_data.get_fields(user, "tarot", ["draws"])).get("draws")
    found = kept.get(draw) if isinstance(kept, dict) else None
    if not isinstance(found, dict):
        raise RecordNotFound(
            f"there is no draw {draw!r}", hint="its id stands below the reading; --seed checks any seed"
        )
    return found


async def _send(now: datetime) -> "tuple[SentReminder, ...]":
    from metier.packs.life.reminders import send_due

    async with open_store() as store:
        return await send_due(store, now)
