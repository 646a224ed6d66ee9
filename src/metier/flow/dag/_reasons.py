"""Why a node failed, in the language of the reader.

A reason is written once, in English, and stored with its node before it is known who reads it; the Chinese sentence is
found by its words. Operators bring the sentences of their own errors.
"""

import re
from collections.abc import Sequence
from typing import Final

from metier.language import Language, Sentences
from metier.tools import translate_problem

_REASONS: Final = (
    ("there was not enough memory", "内存不足"),
    ("it took longer than {seconds} s", "用时超过 {seconds} 秒"),
    ("it cannot be sent to another process: {error}", "无法送到另一个进程计算（{error}）"),
    ("it cannot be loaded in another process: {error}", "无法在另一个进程中加载（{error}）"),
    ("its process ended without a result, perhaps for lack of memory", "计算进程没有给出结果就结束了，可能是内存不足"),
    ("every worker that ran it died, perhaps for lack of memory", "执行它的计算进程都意外结束，可能是内存不足"),
    ("operator {operator} gave {type} instead of a value", "算子{operator}给出的是 {type}，不是数据"),
    ("operator {operator} gave {kind} instead of {kinds}", "算子{operator}给出的是{kind}，应为{kinds}"),
    (
        "operator {operator} gave the domain {domain} instead of {domains}",
        "算子{operator}的结果在{domain}域，应在{domains}域",
    ),
    (
        "its result has {bytes} bytes, more than the {most} of a node",
        "结果有 {bytes} 字节，超过单个节点的上限 {most} 字节",
    ),
    ("{wrong} of the {count} numbers of its result are not finite", "结果的 {count} 个数中有 {wrong} 个不是有限数"),
    ("parameters of operator {operator} do not fit: {problems}", "算子{operator}的参数不对：{problems}"),
    (
        "operator {operator} takes {wanted} input(s), not {count}",
        "算子{operator}需要 {wanted} 个输入，而不是 {count} 个",
    ),
    ("at least {count}", "至少 {count}"),
    (
        "operator {operator} cannot use {node}, which failed: {reason}",
        "算子{operator}用不了 {node}，因为它失败了：{reason}",
    ),
    (
        "input {port} of operator {operator} takes {kinds}, but {node} is {kind}",
        "算子{operator}的输入 {port} 应为{kinds}，而 {node} 是{kind}",
    ),
    (
        "input {port} of operator {operator} is in the domain {domains}, but {node} ({kind}) is in the domain {domain}",
        "算子{operator}的输入 {port} 应在{domains}域，而 {node}（{kind}）在{domain}域",
    ),
    ("there is another root {name} already", "已经有另一个名为 {name} 的输入数据"),
    ("the DAG has {count} nodes already", "流程图已有 {count} 个节点，达到上限"),
    ("there is no node {node}", "没有节点 {node}"),
    ("node {node} failed: {reason}", "节点 {node} 失败：{reason}"),
    ("the data of node {node} is gone", "节点 {node} 的数据已不存在"),
    ("there is no operator {operator}", "没有算子 {operator}"),
)
# Names within a reason, after all that operators know.
_NAMED: Final = (("'{name}' or {other}", "「{name}」或{other}"), ("'{name}'", "「{name}」"))
_NAMES: Final = Sentences({english: (english, chinese) for english, chinese in _NAMED})
_OWN: Final = Sentences({english: (english, chinese) for english, chinese in _REASONS})
_BESIDE_QUOTES: Final = re.compile(r" (?=「)|(?<=」) ")
# What a library raised was not written for people: it is told as it is, behind a word on what happened.
_OTHER: Final = Sentences({"raised": ("{type}: {text}", "计算出错（{type}: {text}）")})


def translate_by(tables: Sequence[Sentences], reason: str, language: Language) -> str:
    """A reason in this language by the first table that knows it, its values too; an unknown one stays as it is."""
    known = _translate((*tables, _OWN, _NAMES), reason, language) or _translate((_OTHER,), reason, language)
    return _BESIDE_QUOTES.sub("", known) or reason


def _translate(tables: Sequence[Sentences], text: str, language: Language) -> str:
    for table in tables:
        if (found := table.read_back(text)) is not None:
            code, given = found
            values = {name: _translate_value(tables, name, value, language) for name, value in given.items()}
            return table.render(code, language, **values)
    return ""


def _translate_value(tables: Sequence[Sentences], name: str, value: str, language: Language) -> str:
    if name == "problems":
        return "；".join(map(translate_problem, value.split("; ")))
    return _translate(tables, value, language) or value
