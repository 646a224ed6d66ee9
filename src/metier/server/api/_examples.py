"""Example responses of the API: shown in OpenAPI, and checked against real responses by the tests."""

from typing import Final

from metier.json_values import JsonObject

_AT: Final = "2026-01-20T08:00:00+00:00"
CONVERSATION: JsonObject = {
    "id": "9f2c…",
    "title": "周报",
    "skill": "weekly-report",
    "voice_mode": None,
    "created_at": _AT,
    "updated_at": _AT,
    "last_seq": 12,
}
CONVERSATIONS: JsonObject = {"conversations": [CONVERSATION], "next": None}
_MESSAGE: JsonObject = {
    "position": 1,
    "turn": "77ab…",
    "at": _AT,
    "role": "user",
    "content": "写一份周报",
    "tool_calls": [],
    "tool_call_id": None,
    "name": None,
}
CONVERSATION_WITH_MESSAGES: JsonObject = {**CONVERSATION, "messages": [_MESSAGE], "pauses": [], "running": None}
_EVENT: JsonObject = {
    "conversation": "9f2c…",
    "turn": "77ab…",
    "seq": 1,
    "at": _AT,
    "kind": "turn.started",
    "data": {"message": "写一份周报"},
}
EVENTS: JsonObject = {"events": [_EVENT], "last_seq": 12}
TURN: JsonObject = {
    "id": "77ab…",
    "conversation": "9f2c…",
    "state": "done",
    "started_at": _AT,
    "ended_at": _AT,
}
TURN_WITH_EVENTS: JsonObject = {**TURN, "events": [_EVENT]}
EXPORT: JsonObject = {"conversation": CONVERSATION, "messages": [_MESSAGE], "events": [_EVENT]}
_USAGE: JsonObject = {
    "since": _AT,
    "activated": 3,
    "turns": 3,
    "failed": 0,
    "violations": 0,
    "last_at": None,
}
_SKILL: JsonObject = {
    "id": "weekly-report",
    "title": "周报",
    "description": "汇总一周的工作",
    "version": "1.0.0",
    "priority": 10,
    "enabled": True,
    "triggers": ["周报"],
    "mode": "chat",
    "digest": "c0ffee…",
    "usage": _USAGE,
}
SKILLS: JsonObject = {"digest": "ab12…", "skills": [{**_SKILL, "findings": 0}], "diagnostics": []}
SKILL: JsonObject = {**_SKILL, "instructions": "先问时间范围。", "findings": [], "before": []}
RELOADS: JsonObject = {
    "digest": "cd34…",
    "reloads": [
        {
            "at": _AT,
            "before": "ab12…",
            "after": "cd34…",
            "changes": [
                {
                    "skill": "weekly-report",
                    "change": "changed",
                    "before": "c0ffee…",
                    "after": "decade…",
                    "diff": "--- weekly-report@c0ffee\n+++ weekly-report@decade\n@@ -1 +1 @@\n-先问\n+先查",
                    "cut": False,
                }
            ],
            "findings": [],
        }
    ],
}
DECISION: JsonObject = {
    "verdict": "auto",
    "skill": "weekly-report",
    "skills": ["weekly-report"],
    "route": "search",
    "message": "帮我写这周的周报",
    "candidates": [
        {
            "skill": "weekly-report",
            "score": 0.97,
            "lexical": 8.1,
            "vector": None,
            "trigger_hits": ["周报"],
            "negated": [],
            "why": [{"feature": "triggers", "value": 1.0, "words": ["周报"], "text": "消息里有它的触发词：周报"}],
        }
    ],
    "filtered": [],
    "notes": ["没有语义向量，只凭词语判断"],
    "why": [{"code": "words_alone", "values": {}}],
    "vectors": False,
    "meant": None,
    "elapsed_ms": 1.2,
    "thresholds": {"auto": 0.8, "suggest": 0.6, "meant": 0.5},
    "titles": {},
    "explain": ["直接使用：weekly-report（检索，1.2 毫秒）"],
    "digest": "ab12…",
}
TOOLS: JsonObject = {
    "tools": [
        {
            "name": "read_file",
            "description": "Read a file of the workspace.",
            "origin": "builtin",
            "skill": None,
            "approval": "never",
            "result": "json",
            "timeout_s": 30.0,
            "idempotent": True,
            "effects": ["reads"],
            "parameters": {"type": "object"},
        }
    ],
    "collisions": {},
    "problems": [],
}
VERDICT: JsonObject = {
    "tool": "run_command",
    "answer": "deny",
    "code": "not_allowed_by_skill",
    "reason": "skill 'weekly-report' does not list 'run_command' among its tools",
    "layer": "skill",
    "source": "skill 'weekly-report'",
    "allowed": ["read_file"],
    "layers": [{"layer": "skill", "source": "skill 'weekly-report'", "answer": None, "text": "does not list it"}],
    "explain": ["deny: run_command"],
    "task_type_reason": None,
}
VIOLATION: JsonObject = {
    "id": "51d0…",
    "at": _AT,
    "conversation": "9f2c…",
    "turn": None,
    "tool": "run_command",
    "args_digest": "e3b0…",
    "layer": "skill",
    "code": "not_allowed_by_skill",
    "reason": "skill 'weekly-report' does not list 'run_command' among its tools",
    "skill": None,
}
EXCEPTION: JsonObject = {
    "id": "7a7a…",
    "conversation": "9f2c…",
    "turn": None,
    "tool": "run_command",
    "reason": "数据在另一台机器上",
    "skill": None,
    "state": "granted",
    "requested_at": _AT,
    "decided_by": None,
    "note": None,
    "decided_at": None,
}
PLAN: JsonObject = {
    "conversation": "9f2c…",
    "version": 1,
    "turn": None,
    "state": "running",
    "plan": {"goal": "写周报"},
    "saved_at": _AT,
}
INFO: JsonObject = {
    "name": "metier",
    "version": "0.1.0",
    "model": "builtin",
    "language": "auto",
    "user": "local",
    "keys": False,
    "dev_routes": False,
    "telemetry": "local",
    "packs": [],
    "skills": 4,
    "digest": "ab12…",
    "skill_tool": "use_skill",
    "started_at": _AT,
    "limits": {"message_max_tokens": 100_000, "body_max_bytes": 4_194_304, "rate_limit": 1200, "streams_max": 100},
}
PACKS: JsonObject = {
    "packs": [
        {
            "id": "telecom",
            "title": {"zh": "网络优化", "en": "Network optimisation"},
            "description": {"zh": "从现象到参数", "en": "From symptom to parameter"},
            "version": "1.0.0",
            "requires": [],
            "skills": [{"id": "coverage_analysis", "title": "覆盖分析", "description": "弱覆盖的根因"}],
            "examples": [{"zh": "分析朝阳区的弱覆盖", "en": "Analyse weak coverage in Chaoyang"}],
        }
    ],
    "problems": [],
}
_FIGURE: JsonObject = {
    "suite": "turn",
    "name": "own cost, p50",
    "value": 9.8,
    "target": 15,
    "unit": "ms",
    "ok": True,
}
_SAVED_RUN: JsonObject = {"at": _AT, "machine": {"python": "3.11.7"}, "figures": [_FIGURE]}
BENCH_RUNS: JsonObject = {"runs": [{"name": "2026-01-20T080000Z", **_SAVED_RUN}]}
BENCH_RUN: JsonObject = {"name": "2026-01-20T080000Z", "run": _SAVED_RUN}
