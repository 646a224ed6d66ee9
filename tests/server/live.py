"""A real server in a thread of its own, for clients that want a real connection."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import uvicorn
from fastapi import FastAPI

from metier.json_values import JsonObject, JsonValue


@contextmanager
def served(app: FastAPI) -> Iterator[str]:
    """The address of a server that runs this application on a free port."""
    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=0, log_level="warning", lifespan="on"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    try:
        while not server.started:
            thread.join(0.01)
            if not thread.is_alive():
                raise RuntimeError("the server did not start")
        port = server.servers[0].sockets[0].getsockname()[1]
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join(60)


WEEKLY = """---
name: weekly
title: 周报
description: 写每周的工作周报，汇总本周完成的工作。Write the weekly report.
triggers: [周报, weekly report]
tools: [week_items]
metadata:
  report: "本周共 {$.found.total} 项。"
sop:
  - id: look
    title: 收集
    call: week_items
    save: found
  - id: agree
    title: 确认
    ask: 要发出去吗？
    choices: [{text: 发, value: true}, {text: 不发, value: false}]
---
按步骤写周报。
"""


def skill_folder(place: Path) -> Path:
    """A folder with one skill that lists, asks and reports."""
    place.mkdir(parents=True, exist_ok=True)
    (place / "weekly.md").write_text(WEEKLY, encoding="utf-8")
    return place


def week_items() -> JsonObject:
    """What was done this week."""
    rows: list[JsonValue] = [["上线", 3], ["修复|合并", 5]]
    table: JsonObject = {"title": "本周", "columns": [{"key": "kind"}, {"key": "count"}], "rows": rows}
    return {"total": 8, "table": table}
