"""Threads that nobody waits for do not keep a server from ending."""

import os
import threading
import time

import pytest
from fastapi import FastAPI

from metier.server import _listen
from metier.server._threads import WorkThreads, end_process


def test_a_thread_that_works_on_does_not_hold_up_the_end_and_what_waits_is_dropped() -> None:
    goes_on = threading.Event()
    ran: list[str] = []
    threads = WorkThreads(1, patience_s=0.05)
    stuck = threads.submit(goes_on.wait, 10)
    waiting = threads.submit(ran.append, "too late")
    begun = time.monotonic()
    threads.shutdown()
    assert time.monotonic() - begun < 5
    assert (threads.count_running(), waiting.cancelled(), ran) == (1, True, [])
    goes_on.set()
    assert stuck.result(5) is True
    threads.shutdown()
    assert threads.count_running() == 0


def test_the_process_is_ended_only_if_a_thread_still_works(monkeypatch: pytest.MonkeyPatch) -> None:
    ended: list[int] = []
    monkeypatch.setattr(os, "_exit", ended.append)
    monkeypatch.setattr("atexit._run_exitfuncs", lambda: None)
    monkeypatch.setattr("logging.shutdown", lambda: None)
    goes_on = threading.Event()
    threads = WorkThreads(1, patience_s=0.0)
    threads.submit(goes_on.wait, 10)
    threads.shutdown()
    end_process(threads)
    assert ended == [0]
    goes_on.set()
    WorkThreads.shutdown(threads, wait=False)
    for one in threads._threads:
        one.join(5)
    end_process(threads)
    assert ended == [0]


def test_only_who_owns_the_process_has_it_ended_also_when_the_server_is_interrupted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ended: list[WorkThreads] = []

    def interrupt(*_given: object) -> None:
        raise KeyboardInterrupt  # as uvicorn does once it has stopped

    monkeypatch.setattr(_listen, "_run_server", interrupt)
    monkeypatch.setattr(_listen, "end_process", ended.append)
    for ends_process in (False, True):
        with pytest.raises(KeyboardInterrupt):
            _listen.serve(
                FastAPI(), "127.0.0.1", 0, lambda _address: None, connections_max=1, ends_process=ends_process
            )
        assert len(ended) == ends_process
