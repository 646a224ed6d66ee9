"""Sentences and titles of the code tools."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from metier.language import BilingualText, Sentences

TITLES: Final[Mapping[str, BilingualText]] = MappingProxyType(
    {
        "find_project": BilingualText("找到项目", "Find the project"),
        "describe_project": BilingualText("项目概览", "Project overview"),
        "search_code": BilingualText("搜索代码", "Search the code"),
        "run_tests": BilingualText("运行测试", "Run the tests"),
        "apply_patch": BilingualText("应用补丁", "Apply the patch"),
        "undo_patch": BilingualText("撤销代码改动", "Undo the code change"),
        "edit_code": BilingualText("修改代码", "Edit the code"),
        "show_changes": BilingualText("查看改动", "Show the changes"),
        "write_back": BilingualText("写回文件夹", "Write back to the folder"),
        "undo_write_back": BilingualText("撤销代码改动", "Undo the code change"),
    }
)
TEXTS: Final = Sentences(
    {
        "overview": (
            "**{name}**: {files} files, {lines} lines, {size} KB. Languages: {languages}. {tests} {entries}{depends}",
            "**{name}**：{files} 个文件，{lines} 行，{size} KB。语言：{languages}。{tests}{entries}{depends}",
        ),
        "language": ("{name} {lines} lines", "{name} {lines} 行"),
        "tests": (
            "Tests: {count} in {names}.",
            "测试：{names}，共 {count} 个。",
        ),
        "no_tests": ("Tests: none found.", "测试：没有找到。"),
        "entries": ("Entry points: {names}.", "入口：{names}。"),
        "no_entries": ("Entry points: none found.", "入口：没有找到。"),
        "depends": (" Depends on: {names}.", "依赖：{names}。"),
        "more": ("{names} and {count} more", "{names} 等 {count} 个以上"),
        "languages_table": ("Languages", "语言"),
        "entries_table": ("Entry points", "入口"),
        "largest_table": ("Largest files", "最大的文件"),
        "found": (
            "{query!r} is on {count} lines of {files} files{shown}.",
            "「{query}」出现在 {files} 个文件的 {count} 行{shown}。",
        ),
        "shown": ("; the first {shown} are listed", "，列出前 {shown} 行"),
        "not_found": ("{query!r} is nowhere in {name}.", "{name}里没有「{query}」。"),
        "hits_table": ("Lines with {query!r}", "含「{query}」的行"),
        "definition": ("definition", "定义"),
        "use": ("use", "使用"),
        "test": ("test", "测试"),
        "all_passed": (
            "{name}: all tests pass ({passed} passed, {seconds} s{skipped}).",
            "{name}的 {passed} 个测试全部通过（{seconds} 秒{skipped}）。",
        ),
        "some_failed": (
            "{name}: {failed} of {total} tests {verb} ({seconds} s{skipped}):",
            "{name}的 {total} 个测试中有 {failed} 个失败（{seconds} 秒{skipped}）：{verb}",
        ),
        "skipped": (", {count} skipped", "，跳过 {count} 个"),
        "failure": ("- `{place}` {reason}", "- `{place}` {reason}"),
        "more_failures": ("- … and {count} more", "- …… 还有 {count} 个"),
        "failures_table": ("Failed tests", "失败的测试"),
        "without_model": (
            "Without a language model nothing is edited by itself: send a unified diff to see, apply and test it.",
            "没有接入语言模型时不会自动改代码：请发来统一格式的 diff，会先给你看，再应用并运行测试。",
        ),
        "sample_patch": (
            "The sample brings one along: say \u201capply fix.diff\u201d.",
            "示例项目自带一份：说「应用 fix.diff」。",
        ),
        "applied": (
            "Applied to {name}: {parts} {parts_word} in {files} {files_word}.",
            "已在{name}的 {files} 个文件应用 {parts} 处改动{parts_word}{files_word}。",
        ),
        "change_word": ("change", ""),
        "change_words": ("changes", ""),
        "file_word": ("file", ""),
        "file_words": ("files", ""),
        "other_project": (
            "This conversation works on {name}, not on the sample project.",
            "本对话的项目是{name}，不是示例项目。",
        ),
        "next_overview": (
            "You can go on with: run the tests; search for a function; a unified diff to apply.",
            "接着可以说：运行测试；搜索某个函数；或发来要应用的 diff。",
        ),
        "next_tests": (
            "To change something, send a unified diff: it is shown first, then applied and tested.",
            "要改代码，请发来统一格式的 diff：先给你看，再应用并运行测试。",
        ),
        "next_fix": (
            "Say \u201cfix the failing tests\u201d to have the code edited until they pass, five rounds at most.",
            "说「修复失败的测试」，就会修改代码直到通过，最多五轮。",
        ),
        "next_patched": ("To take it back, say \u201cundo the code change\u201d.", "要撤销，请说「撤销代码改动」。"),
        "next_written": ("To take it back, say \u201cundo the code change\u201d.", "要撤销，请说「撤销代码改动」。"),
        "next_undone": ("You can go on with: run the tests.", "接着可以说：运行测试。"),
        "unpatched": ("Undone, byte for byte as before: {names}.", "已撤销，与改动前逐字节相同：{names}。"),
        "edited": ("Changed {path}.", "已修改 {path}。"),
        "no_changes": ("Nothing was changed in {name}.", "{name}没有改动。"),
        "changes": (
            "{name}: {count} files changed, +{added} −{removed} lines.",
            "{name}：{count} 个文件有改动，+{added} −{removed} 行。",
        ),
        "written": (
            "Wrote {count} {files_word} to {folder}.",
            "已写回 {count} 个文件到 {folder}{files_word}。",
        ),
        "handed_out": (
            "{count} {files_word} and the difference are in {file}: unpack it over your folder.",
            "{count} 个改过的文件和差异都在 {file} 里：解压覆盖到你的文件夹即可{files_word}。",
        ),
        "unwritten": (
            "Undone, byte for byte as before: {names} in {folder}.",
            "已撤销，与写回前逐字节相同：{folder} 里的 {names}。",
        ),
        "tests_touched": ("Changed tests: {names}.", "改过的测试：{names}。"),
        "new": ("new", "新建"),
        "deleted": ("deleted", "删除"),
        "changed": ("changed", "修改"),
    }
)
