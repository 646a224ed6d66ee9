"""Runs inside the sandbox: compile the script, call its function, write one JSON document."""

import contextlib
import importlib.util
import inspect
import json
import linecache
import os
import sys
import traceback
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import NoReturn

from metier.tools.sandbox._protocol import MAX_SCRIPT_RESULT_BYTES, Job

_MAX_MESSAGE_CHARS = 2000
_MAX_TRACEBACK_CHARS = 8000
_OUT_OF_MEMORY = b'{"failure": {"code": "out_of_memory", "message": "the script needs more memory than it may have"}}'


class _ScriptFailure(Exception):
    def __init__(self, code: str, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.failure = {"code": code, "message": message, "hint": hint}


class _PackageFinder:
    """Finds the running `metier` for a script, also in a checkout whose parent folder the sandbox hides."""

    @staticmethod
    def find_spec(name: str, _path: object = None, _target: object = None) -> ModuleSpec | None:
        if name != "metier":
            return None
        folder = Path(__file__).parents[2]
        return importlib.util.spec_from_file_location(
            name, folder / "__init__.py", submodule_search_locations=[str(folder)]
        )


def run_script(job: Job, result: int) -> NoReturn:
    """Call the function, write its result or failure, and exit the process."""
    status = 0
    own = os.getpid()
    document = b""
    try:
        document = _encode(_call(job))
    except _ScriptFailure as failure:
        document = json.dumps({"failure": failure.failure}).encode()
    except SystemExit as stop:
        status = stop.code if isinstance(stop.code, int) else 0 if stop.code is None else 1
    except MemoryError:
        document = _OUT_OF_MEMORY
    except BaseException as error:  # noqa: BLE001 - tool runner boundary: any exception of a script becomes its result
        document = _encode_exception(error, job)
    if os.getpid() == own:  # a child process forked by the script also reaches this line
        _write(result, document)
    _flush()
    os._exit(status & 0xFF)


def _call(job: Job) -> object:
    script = Path(job.script)
    sys.path.insert(0, str(script.parent))
    sys.meta_path.insert(0, _PackageFinder)
    sys.argv = [job.script]
    linecache.cache[job.script] = (len(job.source), None, job.source.splitlines(keepends=True), job.script)
    module = ModuleType(job.function)
    module.__file__ = job.script
    sys.modules[job.function] = module
    exec(compile(job.source, job.script, "exec"), module.__dict__)  # noqa: S102 - the purpose of this process
    function = getattr(module, job.function, None)
    if not callable(function):
        message = f"{script.name} has no function {job.function!r}"
        raise _ScriptFailure("function_missing", message, f"write `def {job.function}(...) -> dict:` at its top level")
    outcome = function(**job.arguments)
    if inspect.iscoroutine(outcome):
        import asyncio

        outcome = asyncio.run(outcome)
    return outcome


def _encode(outcome: object) -> bytes:
    if not isinstance(outcome, dict):
        message = f"the function returned {type(outcome).__name__}, not a dict"
        raise _ScriptFailure("result_not_json", message, "return a dict of JSON values")
    try:
        text = json.dumps(outcome, ensure_ascii=False, allow_nan=False).encode()
    except (TypeError, ValueError, RecursionError) as error:
        message = f"the result is not JSON: {_truncate(str(error), _MAX_MESSAGE_CHARS)}"
        raise _ScriptFailure(
            "result_not_json", message, "use only dict, list, str, int, float, bool and None"
        ) from error
    if len(text) > MAX_SCRIPT_RESULT_BYTES:
        message = f"the result has {len(text)} bytes; the most is {MAX_SCRIPT_RESULT_BYTES}"
        raise _ScriptFailure("result_too_large", message, "return a summary, and leave the rest in a file")
    return b'{"data": %b}' % text


def _encode_exception(error: BaseException, job: Job) -> bytes:
    """Encode the exception, the last line of the script involved, and the traceback from the script on."""
    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_code.co_filename != job.script:
        trace = trace.tb_next
    error = error.with_traceback(trace)
    sentence = traceback.format_exception_only(error)[-1].strip()
    failure = {
        "code": "script_failed",
        "message": _truncate(sentence, _MAX_MESSAGE_CHARS),
        "hint": _truncate(_find_last_line(error, job), _MAX_MESSAGE_CHARS),
        "traceback": "".join(traceback.format_exception(error))[-_MAX_TRACEBACK_CHARS:],
    }
    return json.dumps({"failure": failure}).encode()


def _find_last_line(error: BaseException, job: Job) -> str:
    """Return the last line of the skill's own scripts in the traceback."""
    if isinstance(error, SyntaxError) and error.lineno:
        return f"{Path(error.filename or job.script).name}, line {error.lineno}: {(error.text or '').strip()}"
    folder = Path(job.script).parent
    steps = [step for step in traceback.extract_tb(error.__traceback__) if Path(step.filename).parent == folder]
    return f"{Path(steps[-1].filename).name}, line {steps[-1].lineno}: {steps[-1].line}" if steps else ""


def _truncate(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most]}…"


def _write(result: int, document: bytes) -> None:
    view = memoryview(document)
    while view:
        view = view[os.write(result, view) :]


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(BaseException):  # the script may have replaced the stream with anything
            stream.flush()
