"""What a message about code asks for: the task, the words to search, the test to run, the patch to apply."""

import re
from dataclasses import dataclass
from typing import Final, Literal

from metier.packs.workspace.code._patch import find_patch
from metier.patterns import compile_later

CodeTask = Literal["overview", "search", "tests", "fix", "patch", "diff", "write", "undo"]
# The first pattern that fits decides: who says "undo the patch" wants no patch.
_TASKS: Final[tuple[tuple[CodeTask, str], ...]] = (
    ("undo", r"撤销|撤回|恢复原样|还原|\b(?:undo|revert|roll ?back|take (?:it|that|them) back)\b"),
    ("write", r"写回|回写|保存到(?:原|文件夹|项目)|\bwrit(?:e|ing)\b.{0,30}\bback\b|\bsave\b.{0,30}\bfolder\b"),
    ("patch", r"补丁|打上|\b(?:patch|apply)\b|\.(?:diff|patch)\b"),
    (
        "search",
        r"搜索|搜一下|查找|找一下|在哪|哪里(?:定义|用|调)|哪个文件|哪些地方|谁(?:调用|用)|"
        r"\b(?:search|grep|where (?:is|are)|which file|who calls|look for|usages?|find(?! out))\b",
    ),
    (
        "fix",
        r"修复|修好|修一下|修改.{0,12}(?:通过|错误)|改到.{0,8}通过|让.{0,10}测试.{0,4}通过|改对|解决.{0,8}(?:失败|报错|bug)|"
        r"\b(?:fix|repair|debug)\b|\btests? pass\b|\bmake .{0,20}\bpass\b|\bgreen\b",
    ),
    (
        "tests",
        r"测试|单测|pytest|跑一下|\b(?:tests?|testing)\b|为什么.{0,6}(?:失败|报错)|\bfail(?:s|ing|ed|ures?)?\b",
    ),
    ("diff", r"改了(?:什么|哪些)|差异|\b(?:diff|what (?:has |was )?changed|changes)\b"),
)
_ASKS_FOR_TESTS: Final = compile_later(
    r"(?:改|修改|更新|补|补充|加|添加|写|重写|完善|新增|调整|删)(?:一下|一个|一些|几个|掉|这个|那个)?(?:单元)?测试|"
    r"测试(?:本身|也)(?:可以|要|能|有)?.{0,4}(?:改|错)|"
    r"\b(?:change|update|edit|adjust|rewrite|write|add|extend|correct|delete)\b"
    r"(?: (?:the|a|an|some|more|new|unit|this|that))* tests?\b"
    r"(?! (?:pass|failure|run|green))",
    re.IGNORECASE,
)
_QUOTED: Final = compile_later(r"[`「『“\"'‘]([^`」』”\"'’\n]{1,120})[`」』”\"'’]")
_IDENTIFIER: Final = compile_later(
    r"\b(?:[A-Za-z]\w*_\w+|[a-z]+[A-Z]\w*|[A-Z][a-z]+[A-Z]\w*|[A-Z]{2,}(?:_[A-Z]+)+|\w+(?=\(\)))"
)
_AFTER_VERB: Final = compile_later(
    r"(?:搜索一下|搜索|搜一下|查找|找一下|\bsearch(?: the (?:code|project))? for|\bsearch|\bgrep|\blook for|\bfind|"
    r"\bwhere is|\busages? of|\bwho calls)"
    r"\s*[:：]?\s*(?P<words>[^，。,.?？!！;；\n]{1,80})",
    re.IGNORECASE,
)
_ANY_WORD: Final = compile_later(r"(?<![\w.])[A-Za-z_][A-Za-z0-9_]{2,}")
_FILLER: Final = compile_later(
    r"(?:示例|样例)?项目(?:里|中|的)?|代码(?:里|中|的)?|在哪里?|哪里|是?(?:怎么)?定义(?:的|在)?|用到|的|函数|"
    r"\b(?:the|a|an|in|of|sample|project|code|is|are|defined|used|function|class|where|all|my|this)\b",
    re.IGNORECASE,
)
_STOP_WORDS: Final = frozenset(
    {"where", "which", "file", "find", "search", "code", "project", "sample", "the", "grep", "for"}
)
_TEST_NAME: Final = compile_later(r"(?:[\w./-]+\.py(?:::[\w\[\]:.-]+)?)|\btest_\w+")
_FILE_NAME: Final = compile_later(r"[\w./-]+\.(?:diff|patch)\b")
_SAMPLE: Final = compile_later(r"示例|样例|例子|\b(?:sample|example|demo)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class CodeRequest:
    """What the user wants done with a project."""

    task: CodeTask
    query: str = ""
    only: str = ""
    patch: str = ""
    patch_file: str = ""
    is_sample: bool = False
    may_change_tests: bool = False


def read_request(message: str) -> CodeRequest:
    """Read a message; an overview is wanted if nothing else is."""
    patch = find_patch(message)
    words = message.replace(patch.rstrip("\n"), " ") if patch else message
    task: CodeTask = next((name for name, pattern in _TASKS if re.search(pattern, words, re.IGNORECASE)), "overview")
    if patch and task != "undo":
        task = "patch"
    name = _FILE_NAME.search(words)
    test = _TEST_NAME.search(words) if task in ("tests", "fix") else None
    return CodeRequest(
        task,
        query=_find_query(words) if task == "search" else "",
        only=test[0] if test else "",
        patch=patch,
        patch_file=name[0] if name and not patch else "",
        is_sample=bool(_SAMPLE.search(words)),
        may_change_tests=bool(_ASKS_FOR_TESTS.search(words)),
    )


def _find_query(words: str) -> str:
    for pattern in (_QUOTED, _IDENTIFIER):
        if hit := pattern.search(words):
            return (hit[1] if pattern is _QUOTED else hit[0]).strip()
    if hit := _AFTER_VERB.search(words):
        plain = " ".join(_FILLER.sub(" ", hit["words"]).split())
        if plain:
            return plain
    named = [one for one in _ANY_WORD.findall(words) if one.lower() not in _STOP_WORDS and not _FILLER.fullmatch(one)]
    return named[0] if named else ""
