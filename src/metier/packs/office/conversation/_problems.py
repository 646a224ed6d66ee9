"""What goes wrong with documents and plans, as sentences in the user's language."""

from typing import Final

from metier.language import Sentences
from metier.tools import ExpectedProblem

_PROBLEMS: Final = Sentences(
    {
        "document_not_found": ("There is no document {name}.", "没有文件「{name}」。"),
        "nothing_to_undo": (
            "Nothing was written to {name}, so nothing can be undone.",
            "「{name}」没有写入过，不需要撤销。",
        ),
        "all_undone": (
            "Everything that was written to {name} has been taken back already.",
            "「{name}」写入过的内容都已经撤销了，没有可以再撤销的。",
        ),
        "document_changed": (
            "{name} changed after the preview; nothing was written.",
            "「{name}」在预览之后又有改动，没有写入。",
        ),
        "plan_invalid": ("The plan cannot be carried out: {problems}", "方案不能执行：{problems}"),
        "repair_limit": (
            "The plan was repaired {count} times and still cannot be carried out.",
            "方案修改了 {count} 次仍不能执行。",
        ),
        "plan_not_found": ("There is no prepared plan {name}.", "没有准备好的方案「{name}」。"),
        "plan_of_other_document": ("The plan is for another document.", "这个方案是给另一份文件的。"),
        "already_written": (
            "These changes stand in {name} already, as version {version}; nothing is written twice.",
            "这些改动已经写入「{name}」（第 {version} 版），不会重复写入。",
        ),
        "nothing_to_write": ("Nothing would change in {name}. {reasons}", "「{name}」不需要改动。{reasons}"),
        "pattern_not_found": (
            "No attached file is surely meant by {name}; write its name, or none.",
            "不确定「{name}」指哪份附件；请写出文件名，或写“不用”。",
        ),
        "cannot_create": ("A file of this kind cannot be made here.", "这里不能新建这种文件。"),
    }
)
_HINTS: Final = Sentences(
    {
        "document_not_found": ("attach the file first", "请先附上文件"),
        "document_changed": ("ask for the changes again", "请重新提出要求，再看一次改动"),
        "plan_invalid": ("correct the fields at these paths and submit the plan again", "按路径改正后重新提交"),
        "repair_limit": ("say it differently, or ask for less", "请换一种说法，或缩小范围"),
        "plan_not_found": ("prepare the changes first", "请先准备改动"),
        "already_written": ("say 'undo the write' to get the earlier bytes back", "说「撤销写入」可以恢复到写入前"),
    }
)


class DocumentProblem(ExpectedProblem):
    """Expected problem with a document or a plan."""

    sentences = _PROBLEMS
    hints = _HINTS
