"""Where a test may make the process fail: the table of fault points, with what has happened at each."""

from collections.abc import Mapping

# Name of each point, with its number in the list of kill points and what has happened there.
FAULT_POINTS: Mapping[str, tuple[str, str]] = {
    "request_accepted": ("K01", "a request was accepted, nothing is written"),
    "message_stored": ("K02", "the user's message is committed"),
    "routing": ("K03", "the skill is about to be chosen"),
    "skill_activated": ("K04", "the chosen skill is committed"),
    "context_built": ("K05", "the prompt is built, the model not yet asked"),
    "model_delta": ("K06", "a piece of the model's text has arrived"),
    "model_done": ("K07", "the model's reply is complete, not committed"),
    "plan_stored": ("K08", "the plan is committed"),
    "tool_announced": ("K09", "the intent to call a tool is committed"),
    "tool_running": ("K10", "a tool works; passed by the tools of the fault suite, after their effect"),
    "tool_done": ("K11", "a tool has returned, its result is not committed"),
    "result_stored": ("K12", "the result of a tool is committed"),
    "task_done": ("K12", "one of several tasks is done, the next is not yet chosen"),
    "task_started": ("K04", "the next of several tasks is committed, its skill is not"),
    "plan_judged": ("K13", "the plan has judged a result and chosen its next move"),
    "plan_rewritten": ("K14", "the model has written a new plan, not committed"),
    "report_delta": ("K15", "a piece of the report has arrived"),
    "pause_stored": ("K16", "a question to a person is committed, the turn not yet released"),
    "answer_stored": ("K17", "a person's answer is committed, not applied"),
    "branch_copied": ("K12", "the files of a branch are copied, the branch is not stored"),
    "skills_read": ("K18", "changed skills were read, the catalog not yet replaced"),
    "tables_migrated": ("K19", "the tables are migrated, not committed"),
    "backup_copied": ("K20", "a backup is copied, not yet in its place"),
    "database_closing": ("K20", "the database is about to be closed, which checkpoints its log"),
}
