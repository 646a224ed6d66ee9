"""Why an operator or a loader fails is said in the language of the reader."""

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

import metier.packs.phm
from metier.flow import Axis, DagTracker, OperatorRefused, Port, Value
from metier.language import language_of
from metier.packs.phm.diagnosis import load_registry, refuse_unreadable
from metier.packs.phm.reasons import REASONS
from tests.packs.phm.operators.recipes import build_roots

if TYPE_CHECKING:
    from metier.json_values import JsonObject

_ROOM = Path(metier.packs.phm.__file__).parent
_MADE = {
    "signals": ("ValueError",),
    "operators": ("ValueError",),
    "loaders": ("InvalidInput", "PathNotFound", "UnreadableMatlab", "UnreadableHdf5"),
}


def _find_made(folders: Iterable[str] = _MADE) -> Iterator[tuple[str, ast.Call]]:
    """Place and call of each error that the source makes with words."""
    for folder in folders:
        for path in sorted((_ROOM / folder).glob("*.py")):
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if isinstance(node, ast.Call) and getattr(node.func, "id", "") in _MADE[folder]:
                    yield f"{folder}/{path.name}:{node.lineno}", node


def _find_raised() -> Iterator[tuple[str, str]]:
    """Place and words of each reason in the source, a number for every value."""
    for place, made in _find_made():
        name = "'a' " if getattr(made.func, "id", "").startswith("Unreadable") else ""  # the words follow the file's
        yield place, name + "".join(_write_parts(made.args[0]))


def _find_hints() -> Iterator[tuple[str, str]]:
    """Place and words of each hint of the loaders, also of one that is set before the error is made."""
    for place, made in _find_made(["loaders"]):
        for one in made.keywords:
            if one.arg == "hint" and not isinstance(one.value, ast.Name):
                yield place, "".join(_write_parts(one.value))
    for path in sorted((_ROOM / "loaders").glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "hint":
                yield f"{path.name}:{node.lineno}", "".join(_write_parts(node.value))


def _write_parts(words: ast.expr) -> Iterator[str]:
    if isinstance(words, ast.Subscript):
        words = words.value
    if isinstance(words, ast.Constant):
        yield str(words.value)
    seen: dict[str, str] = {}
    for part in words.values if isinstance(words, ast.JoinedStr) else ():
        if isinstance(part, ast.Constant):
            yield str(part.value)
        elif isinstance(part, ast.FormattedValue):
            source = ast.unparse(part.value)
            yield seen.setdefault(source, f"{len(seen) + 1}.5")


def test_each_reason_has_a_chinese_sentence_with_all_its_values() -> None:
    registry, wrong = load_registry(), []
    found = [*_find_raised(), *_find_hints()]
    found = [(place, words) for place, words in found if any(letter.isalpha() for letter in words) and "{" not in words]
    assert len(found) > 150
    for place, words in found:
        told = registry.translate_reason(words, "zh")
        lost = [f"{one}.5" for one in range(1, 9) if f"{one}.5" in words and f"{one}.5" not in told]
        read = REASONS.read_back(words)
        if read is None or REASONS.render(read[0], "en", **read[1]) != words or lost or language_of(told) != "zh":
            wrong.append((place, words, told))
    assert wrong == []


def test_all_kinds_domains_and_things_that_reasons_name_have_chinese_words() -> None:
    ports = [port for one in load_registry().names for port in _list_ports(one)]
    named = {name for port in ports for name in (*port.kinds, *port.domains)}
    sources = [path.read_text("utf-8") for path in sorted((_ROOM / "signals").glob("*.py"))]
    for node in (one for source in sources for one in ast.walk(ast.parse(source))):
        if isinstance(node, ast.keyword) and node.arg == "what" and isinstance(node.value, ast.Constant):
            named.add(str(node.value.value))
    assert [name for name in sorted(named) if language_of(load_registry().translate_reason(name, "zh")) != "zh"] == []


def _list_ports(op_name: str) -> tuple[Port, ...]:
    operator = load_registry().get(op_name)
    return (*operator.inputs, operator.output)


def test_reports_pages_and_refusals_say_it_in_chinese() -> None:
    dag = DagTracker(load_registry())
    flat = dag.root(Value(np.full(4096, 2.0), ("time",), Axis("time", 1e-3, 0.0, "s"), "g", "vibration"), "flat")
    failed = dag.node(dag.add_execution("kurtogram", {}, [flat]))
    assert dag.describe_result(failed, "en") == "the signal is constant: the sensor may be dead or disconnected"
    assert dag.describe_result(failed, "zh") == "信号数值恒定：传感器可能失效或未连接"
    unreadable = refuse_unreadable("'a.mat' cannot be read: the file is cut off or damaged (cut)").findings[0]
    assert unreadable.text("zh") == "文件中读不出数据：「a.mat」无法读取：文件不完整或已损坏（详情：cut）。"
    deep = refuse_unreadable("'a.mat' has cells or structs more than 8 deep").findings[0]
    assert deep.text("zh") == "文件中读不出数据：「a.mat」的元胞或结构体嵌套超过 8 层。"
    told = []
    calls: list[tuple[str, JsonObject, list[str]]] = [
        ("spectral_kurtosis", {}, [flat]),
        ("filter", {"cutoff": "x"}, [flat]),
        ("fft", {}, [flat, flat]),
        ("fft", {}, [failed.id]),
        ("fft", {}, ["n9"]),
    ]
    spectrum = dag.add_execution("envelope_spectrum", {}, [dag.root(build_roots()["x"], "x")])
    test = dag.add_execution("bearing_test", {"bearing": "62x5", "shaft_hz": 16.0}, [spectrum])
    assert re.fullmatch(r"轴承「62x5」不在型号表中（[^A-Za-z]+）", dag.describe_result(dag.node(test), "zh"))
    for op_name, params, inputs in calls:
        with pytest.raises(OperatorRefused) as refused:
            dag.add_execution(op_name, params, inputs)
        told.append(dag.registry.translate_reason(refused.value.message, "zh"))
    assert [one for one in told if language_of(one) != "zh" or " is " in one or " not " in one] == []
    assert told[0].endswith("应为「频谱」或「功率谱密度」或「包络谱」或「阶次谱」或「语谱图」，而「n1」是「振动」")
    assert told[3] == "算子「频谱」用不了「n2」，因为它失败了：信号数值恒定：传感器可能失效或未连接"
