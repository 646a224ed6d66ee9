"""Server process of the fault suite: the real application with a scripted model, told by its parent where to fail."""

import os
import sys
import threading
from contextlib import ExitStack
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from benchmarks.faults._script import Ledger, ScriptedModel, make_tools
from metier.faults import arm_faults
from metier.pack import Packs
from metier.server import create_app, serve
from metier.settings import Settings


@dataclass(frozen=True, slots=True)
class ServerOptions:
    """One server: its folder, its database, and settings that differ from those of the suite."""

    folder: Path
    database_url: str
    settings: dict[str, Any] = field(default_factory=dict)


def run_server(options: ServerOptions, parent: Connection) -> None:
    """Serve on a free port until told to stop; `parent` gets the address and may send faults to arm."""
    folder = options.folder
    os.chdir(folder)
    log = os.open(folder / "server.log", os.O_APPEND | os.O_CREAT | os.O_WRONLY, 0o600)
    os.dup2(log, sys.stdout.fileno())
    os.dup2(log, sys.stderr.fileno())
    settings = make_settings(options)
    tools = make_tools(Ledger(folder / "ledger.txt"))
    app = create_app(settings, packs=Packs(), model=ScriptedModel(), tools=tools)
    threading.Thread(target=_arm_on_request, args=(parent,), daemon=True).start()
    most = settings.connections_max
    serve(app, settings.host, settings.port, parent.send, connections_max=most, ends_process=True)


def make_settings(options: ServerOptions) -> Settings:
    """Settings of the suite: short leases, no limits on requests, no encoder, no telemetry."""
    given: dict[str, Any] = {
        "skills_dir": (options.folder / "skills",),
        "storage_dir": options.folder / "storage",
        "database_url": options.database_url,
        "embedder": "none",
        "telemetry_mode": "off",
        "rate_limit": 0,
        "streams_max": 10_000,
        "conversation_streams_max": 10_000,
        "dev_routes": True,
        "language": "en",
        "port": 0,
        "lease_s": 1.0,
        "drain_s": 0.3,
        **options.settings,
    }
    return Settings(**given)


def _arm_on_request(parent: Connection) -> None:
    """Arm the faults that the parent sends, each until the next one comes."""
    with ExitStack() as armed:
        while True:
            try:
                text = parent.recv()
            except EOFError:
                return
            armed.close()
            armed.enter_context(arm_faults(text))
            parent.send("armed")
