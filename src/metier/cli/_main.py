"""Entry point: parses the command line, runs the command, and turns failures into a message and an exit code."""

import logging
import sys
import traceback
from collections.abc import Sequence
from copy import copy

import typer
from typer._click.exceptions import UsageError
from typer.main import get_command

from metier.cli import (
    _bench,
    _chat,
    _convert,
    _gate,
    _journeys,
    _lint,
    _mcp,
    _packs,
    _route,
    _run,
    _serve,
    _skills,
    _telemetry,
    _tools,
    _violations,
)
from metier.cli.access import (
    approvals_app,
    audit_app,
    conversations_app,
    feedback_app,
    keys_app,
    profile_app,
    users_app,
)
from metier.cli.flow import flow_app
from metier.cli.setup import backup_command, doctor_command, model_app, settings_command
from metier.cli.terminal import (
    PackCommandGroup,
    asks_for_help,
    defer_models,
    defer_packages,
    print_error,
    print_note,
    print_usage_error,
    say,
    translate_help,
    wants_json,
)
from metier.errors import MetierError

_log = logging.getLogger(__name__)

app = typer.Typer(
    name="metier",
    cls=PackCommandGroup,
    help="The agent picks a skill; the skill governs the tools.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
app.command("run")(_run.run_command)
app.command("chat")(_chat.chat_command)
app.command("serve")(_serve.serve_command)
app.command("mcp")(_mcp.mcp_command)
app.add_typer(model_app, name="model")
app.add_typer(_packs.app, name="packs")
app.add_typer(_skills.app, name="skills")
app.add_typer(_route.app, name="route")
app.command("gate")(_gate.gate_command)
app.command("plan")(_gate.plan_command)
app.add_typer(_tools.app, name="tools")
app.add_typer(_violations.app, name="violations")
app.add_typer(_violations.exceptions_app, name="exceptions")
app.add_typer(approvals_app, name="approvals")
app.add_typer(conversations_app, name="conversations")
app.add_typer(feedback_app, name="feedback")
app.add_typer(users_app, name="users")
app.add_typer(profile_app, name="profile")
app.add_typer(keys_app, name="keys")
app.add_typer(audit_app, name="audit")
app.add_typer(_telemetry.app, name="telemetry")
app.add_typer(flow_app, name="flow")
app.add_typer(_journeys.app, name="journeys")
app.command("lint")(_lint.lint_command)
app.command("convert")(_convert.convert_command)
app.command("backup")(backup_command)
app.command("doctor")(doctor_command)
app.command("settings")(settings_command)
app.command("bench")(_bench.bench_command)


def _print_version(value: bool) -> None:
    if value:
        from importlib.metadata import version

        typer.echo(version("metier"))
        raise typer.Exit


@app.callback()
def _root_options(
    version: bool = typer.Option(
        False, "--version", help="Print the version and leave.", callback=_print_version, is_eager=True
    ),
) -> None:
    pass


def run(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code, see `metier.cli.run`."""
    defer_packages()
    defer_models()
    arguments = _route.insert_message_command(sys.argv[1:] if argv is None else argv)
    try:
        return _run_command(arguments)
    except SystemExit as leaving:
        return leaving.code if isinstance(leaving.code, int) else 1
    except MetierError as error:
        print_error(error, as_json=wants_json(arguments))
        return error.exit_code
    except KeyboardInterrupt:
        return 130
    except Exception as error:  # noqa: BLE001 - the edge of the program: a traceback is for the log, not for the user
        _log.debug("unexpected failure", exc_info=True)
        unexpected = MetierError(
            f"{type(error).__name__}: {error}", hint=f"a bug in Metier, {_describe_location(error)}"
        )
        print_error(unexpected, as_json=wants_json(arguments))
        return 1


def _run_command(arguments: Sequence[str]) -> int:
    """Run a command; help and what is wrong with the command line are in the reader's language."""
    if asks_for_help(arguments):
        command = get_command(app)
        translate_help(command)
    else:
        command = get_command(_keep_branch(app, arguments[0] if arguments else ""))
    try:
        left = command(arguments, standalone_mode=False)
    except UsageError as error:
        print_usage_error(error)
        return error.exit_code
    except typer.Abort:
        print_note(say("aborted"))
        return 1
    return left if isinstance(left, int) else 0


def _keep_branch(whole: typer.Typer, name: str) -> typer.Typer:
    """The commands with this name alone, if there are any: reading the options of all others takes a while."""
    branch = copy(whole)
    branch.registered_commands = [one for one in whole.registered_commands if one.name == name]
    branch.registered_groups = [one for one in whole.registered_groups if one.name == name]
    return branch if branch.registered_commands or branch.registered_groups else whole


def _describe_location(error: Exception) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    return f"at {frames[-1].filename}:{frames[-1].lineno}" if frames else "somewhere"
