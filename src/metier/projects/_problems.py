"""What goes wrong with a project folder, as sentences in both languages."""

from typing import Final

from metier.language import Sentences
from metier.tools import ExpectedProblem

_PROBLEMS: Final = Sentences(
    {
        "folder_not_found": ("There is no folder {path}.", "没有文件夹 {path}。"),
        "folder_unreadable": ("{path} cannot be read: {why}.", "{path} 读不了：{why}。"),
        "folder_empty": ("There is no text file in {path} to work on.", "{path} 里没有可以处理的文本文件。"),
        "too_many_files": (
            "{path} has more than {limit} files that would be copied.",
            "{path} 里要复制的文件超过 {limit} 个。",
        ),
        "too_large": ("The files of {path} have more than {limit} MB.", "{path} 的文件超过 {limit} MB。"),
        "unsaved_changes": (
            "This conversation has changes to {path} that were not written back.",
            "本对话对 {path} 的改动还没有写回。",
        ),
        "archive_damaged": ("{path} is no zip file, or is damaged.", "{path} 不是 zip 文件，或者已损坏。"),
        "archive_locked": ("{path} is protected by a password.", "{path} 有密码保护。"),
        "path_refused": ("{path} does not lead to a file of the project.", "{path} 不是项目里的文件。"),
        "is_link": ("{path} is a link or no plain file; it is not followed.", "{path} 是链接或特殊文件，不会跟随。"),
        "not_writable": ("{path} cannot be written: {why}; nothing was changed.", "{path} 写不了：{why}；没有改动。"),
        "changed_meanwhile": (
            "Changed since it was copied: {names}. Nothing was written.",
            "复制之后又被改过：{names}。没有写入。",
        ),
        "changed_since_write": (
            "Changed since it was written: {names}. Nothing was undone.",
            "写入之后又被改过：{names}。没有撤销。",
        ),
        "nothing_to_undo": ("There is nothing to undo.", "没有可以撤销的改动。"),
        "nothing_to_write": ("The folder already has all of this.", "文件夹里已经是这样了，不需要写回。"),
        "no_origin": (
            "This project does not come from a folder of this machine.",
            "这个项目不是从本机文件夹来的。",
        ),
        "no_project": ("This conversation has no project.", "本对话还没有项目。"),
    }
)
_HINTS: Final = Sentences(
    {
        "folder_not_found": ("check the path", "请检查路径"),
        "folder_empty": ("name the folder that holds the source files", "请指定放源代码的文件夹"),
        "too_many_files": (
            "name a sub-folder, or list what is generated in .gitignore",
            "请指定子文件夹，或把生成的文件写进 .gitignore",
        ),
        "too_large": (
            "name a sub-folder, or list what is generated in .gitignore",
            "请指定子文件夹，或把生成的文件写进 .gitignore",
        ),
        "unsaved_changes": (
            "write them back or undo them first, or begin a new conversation",
            "请先写回或撤销，或者新开一个对话",
        ),
        "archive_damaged": ("pack the folder again", "请重新打包"),
        "archive_locked": ("pack the folder without a password", "请不加密码重新打包"),
        "path_refused": (
            "name a path relative to the project, such as src/app.py",
            "请写项目内的相对路径，如 src/app.py",
        ),
        "changed_meanwhile": (
            "begin a new conversation with the folder, or put the files back as they were",
            "请用这个文件夹新开一个对话，或把文件改回原样",
        ),
        "no_origin": ("start with: metier run --folder DIR", "请用 metier run --folder 文件夹 开始"),
        "no_project": (
            "add a folder or a zip file to the message, or start with: metier run --folder DIR",
            "请在输入框添加文件夹或 zip 文件，或用 metier run --folder 文件夹 开始",
        ),
    }
)


class ProjectProblem(ExpectedProblem):
    """Expected problem with a project."""

    sentences = _PROBLEMS
    hints = _HINTS
