"""Sentences of `run_python`: why code was stopped or failed, and what to do."""

from typing import Final

from metier.language import Sentences

SENTENCES: Final = Sentences(
    {
        "stopped": ("the code was stopped: {why}", "代码被停止：{why}"),
        "disk": (
            "the files would hold {used} bytes, and may hold {limit}; its new files were deleted",
            "文件将占 {used} 字节，上限是 {limit} 字节；新写的文件已删除",
        ),
        "files": (
            "it left more than {limit} files; its new files were deleted",
            "留下的文件超过 {limit} 个；新写的文件已删除",
        ),
        "depth": (
            "it left folders deeper than {limit} levels; its new files were deleted",
            "文件夹超过 {limit} 层；新写的文件已删除",
        ),
        "memory": (
            "it used {used} bytes of memory, and may use {limit}",
            "用了 {used} 字节内存，上限是 {limit} 字节",
        ),
        "hidden": ("a process of the code hid its open files", "代码的进程隐藏了打开的文件"),
        "hint_memory": (
            "read fewer columns or rows at once (usecols, chunksize), or raise METIER_PYTHON_MEMORY_MAX_BYTES",
            "一次少读一些列或行（usecols、chunksize），或调高 METIER_PYTHON_MEMORY_MAX_BYTES",
        ),
        "hint_files": ("write less, or remove files first", "少写一些，或先删除文件"),
        "timeout": ("the code was stopped after {seconds} seconds", "代码运行 {seconds} 秒后被停止"),
        "hint_last_output": ("its last output: {text}", "最后的输出：{text}"),
        "hint_silent": ("it had written nothing; is there an endless loop?", "没有任何输出；是不是死循环？"),
        "no_result": (
            "the code ended without a result (exit code {code})",
            "代码结束了，但没有结果（退出码 {code}）",
        ),
        "hint_lost": ("it may have been stopped for lack of memory", "可能因内存不足被停止"),
        "out_of_memory": (
            "the code needs more memory than the {mib} MiB it may use",
            "代码需要的内存超过上限 {mib} MiB",
        ),
        "hint_processes": (
            "it may start at most 32 processes and threads",
            "最多可以启动 32 个进程和线程",
        ),
        "no_module": (
            "there are pandas, numpy, scipy and matplotlib, and nothing can be installed",
            "可用的有 pandas、numpy、scipy 和 matplotlib，不能安装别的",
        ),
        "printed": ("printed before: {text}", "此前的输出：{text}"),
        "failed": ("the code failed", "代码运行失败"),
    }
)
