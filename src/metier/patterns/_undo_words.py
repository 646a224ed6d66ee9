"""The verbs with which people take something back, for every reader of requests."""

from typing import Final

# Beside them stand words that also refuse or resume (取消, 不要, 恢复): each reader says when they count.
UNDO_VERBS_ZH: Final = "撤销|撤回|撤掉|撤了|撤下|还原|复原|回退|回滚|退回|改回|变回|收回"


def undo_verbs_en(between: str) -> str:
    """Pattern of the English verbs; `between` are the words that may stand before "back", each with its space."""
    moved = "roll|rolling|take|put|change|set|bring|switch"
    return rf"undo|undone|revert|reverted|rollback|rolled\s+back|restore|(?:{moved})\s+{between}back"
