"""What goes wrong with code tasks, as sentences in the user's language."""

from typing import Final

from metier.language import Sentences
from metier.tools import ExpectedProblem

_PROBLEMS: Final = Sentences(
    {
        "patch_missing": ("There is no unified diff in the message.", "消息里没有统一格式的 diff。"),
        "patch_unreadable": ("This is not a complete unified diff.", "这不是完整的统一格式 diff。"),
        "patch_too_long": ("The patch has more than {limit} characters.", "补丁超过 {limit} 个字符。"),
        "patch_binary": ("The patch changes a binary file: {line}", "补丁改的是二进制文件：{line}"),
        "patch_rename": ("The patch renames or copies a file: {line}", "补丁重命名或复制文件：{line}"),
        "patch_no_file": ("The project has no file {path}; nothing was changed.", "项目里没有 {path}；没有改动。"),
        "patch_exists": (
            "The patch creates {path}, which is there already; nothing was changed.",
            "补丁要新建 {path}，但它已经存在；没有改动。",
        ),
        "patch_mismatch": (
            "Part {number} of the patch does not fit {path}: line {line} there is {found!r}. Nothing was changed.",
            "补丁的第 {number} 处对不上 {path}：该处第 {line} 行是 {found!r}。没有改动。",
        ),
        "patch_ambiguous": (
            "Part {number} of the patch fits {path} in {count} places. Nothing was changed.",
            "补丁的第 {number} 处在 {path} 里有 {count} 个位置对得上。没有改动。",
        ),
        "not_text": ("{path} is not a text file; it stays as it is.", "{path} 不是文本文件，保持原样。"),
        "no_tests": ("There are no Python tests in {name}.", "{name} 里没有 Python 测试。"),
        "other_tests": (
            "{name} is tested with {runner}; only Python tests run here.",
            "{name} 用 {runner} 测试；这里只能运行 Python 测试。",
        ),
        "pytest_missing": ("pytest is not installed with Metier.", "Metier 的环境里没有安装 pytest。"),
        "tests_hang": (
            "The tests were stopped after {seconds} seconds{where}.",
            "测试运行 {seconds} 秒后被停止{where}。",
        ),
        "tests_over_limit": (
            "The tests were stopped: they used too much ({limit}){where}.",
            "测试被停止：用量过大（{limit}）{where}。",
        ),
        "tests_broken": ("The tests could not be started: {why}", "测试没能启动：{why}"),
        "test_not_found": ("No test of {name} is called {wanted}.", "{name} 里没有叫 {wanted} 的测试。"),
        "edit_no_file": ("The project has no file {path}.", "项目里没有 {path}。"),
        "edit_not_found": ("This text is not in {path}.", "{path} 里没有这段文字。"),
        "edit_ambiguous": ("This text is in {path} {count} times.", "这段文字在 {path} 里出现 {count} 次。"),
        "edit_exists": ("{path} is there already.", "{path} 已经存在。"),
        "tests_protected": (
            "{path} is a test; tests are changed only if the user asks for it.",
            "{path} 是测试；用户没有要求时不改测试。",
        ),
        "rounds_used": (
            "{limit} rounds of edits and test runs are used up; the tests still fail.",
            "已经改了 {limit} 轮，测试仍未通过。",
        ),
    }
)
_HINTS: Final = Sentences(
    {
        "patch_missing": (
            "paste the diff with its lines ---, +++ and @@",
            "请把 diff 连同 ---、+++、@@ 行一起粘贴",
        ),
        "patch_unreadable": (
            "it needs the lines ---, +++ and @@ for each file, and lines that begin with a blank, - or +",
            "每个文件要有 ---、+++、@@ 行，正文行以空格、- 或 + 开头",
        ),
        "patch_binary": ("replace the file by hand", "请手工替换这个文件"),
        "patch_rename": ("rename it by hand, then send the rest", "请先手工重命名，再发送其余部分"),
        "patch_no_file": ("hidden, binary and ignored files are not copied", "隐藏、二进制和忽略的文件不会复制进来"),
        "patch_mismatch": ("make the patch against the files as they are now", "请按文件现在的内容重新生成补丁"),
        "patch_ambiguous": ("give more lines around the change", "请在改动前后多留几行"),
        "pytest_missing": ("pip install 'metier[workspace]'", "pip install 'metier[workspace]'"),
        "tests_hang": ("look for an endless loop, or name a single test", "请查一查死循环，或只运行一个测试"),
        "tests_over_limit": ("let the tests use less", "请让测试少用一些"),
        "edit_not_found": ("read the file again; blanks count", "请重新读取文件；空格也要一致"),
        "edit_ambiguous": ("give more lines around it", "请多给几行上下文"),
        "tests_protected": ("change the code under test", "请改被测的代码"),
        "rounds_used": ("report what fails and why", "请说明还有哪些失败以及原因"),
    }
)


class CodeProblem(ExpectedProblem):
    """Expected problem of a code task."""

    sentences = _PROBLEMS
    hints = _HINTS
