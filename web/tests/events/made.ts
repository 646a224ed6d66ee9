import type { EventKind, JsonObject, StoredEvent } from "../../src/generated/api";

/** Events of one conversation, numbered as the store does. */
export function made(...told: [EventKind, JsonObject, (string | null)?][]): StoredEvent[] {
  return told.map(([kind, data, turn = "t1"], at) => ({
    conversation: "c1",
    turn,
    seq: at + 1,
    at: new Date(Date.UTC(2026, 0, 20, 8, 0, at)).toISOString(),
    kind,
    data,
  }) as StoredEvent);
}

/** A conversation in which everything happens once. */
export const EVERYTHING: StoredEvent[] = made(
  ["turn.started", { message: "分析朝阳区弱覆盖", skill: null }],
  ["skill.routed", { verdict: "auto", route: "search", skill: "net", candidates: [{ skill: "net", score: 0.97, trigger_hits: ["弱覆盖"] }], notes: [], elapsed_ms: 3 }],
  ["skill.activated", { skill: "net", title: "网络优化", why: "the router is sure", digest: "abc" }],
  ["plan.created", { goal: "优化", source: "sop", skill: "net", steps: [{ id: "a", title: "查数据", checks: ["有数据", "数据够"] }, { id: "b", title: "确认" }, { id: "c", title: "报告" }], milestones: ["有数据", "数据够"] }],
  ["step.started", { step: "a", title: "查数据" }],
  ["tool.called", { call: "k1", tool: "query", arguments: { area: "朝阳区" }, step: "a" }],
  ["table", { table: "k1-table-1", call: "k1", title: "小区", columns: [{ key: "cell", title: "小区", type: "text", unit: "" }], total: 3, kept: 3, offset: 0, rows: [["A1"], ["A2"]], more: true }],
  ["table", { table: "k1-table-1", call: "k1", total: 3, kept: 3, offset: 2, rows: [["A3"]], more: false }],
  ["tool.result", { call: "k1", tool: "query", ok: true, state: "done", data: { n: 3 }, elapsed_ms: 12 }],
  ["step.done", { step: "a", title: "查数据", state: "done", why: "" }],
  ["milestone.passed", { milestone: "有数据", step: "a", reason: "3 rows" }],
  ["todos", { todos: [{ content: "查数据", status: "completed" }, { content: "确认", status: "in_progress" }], from: "plan" }],
  ["text.done", { text: "继续吗？" }],
  ["pause.opened", { pause: "p1", kind: "question", purpose: "ask", schema: { enum: [true, false] }, text: "继续吗？", step: "b", choices: [{ text: "继续", value: true }, { text: "不", value: false }], expires_at: null }],
  ["pause.answered", { pause: "p1", purpose: "ask", answer: true }],
  ["step.done", { step: "b", title: "确认", state: "done", why: "" }],
  ["tool.violation", { level: "warning", call: "k2", tool: "shell", code: "tool_not_allowed", layer: "skill", source: "skill net", reason: "not in the list", allowed: ["query"] }],
  ["tool.result", { call: "k2", tool: "shell", ok: false, state: "refused", content: "no" }],
  ["exception.requested", { tool: "shell", reason: "要看日志", request: "r1" }],
  ["exception.decided", { tool: "shell", request: "r1", state: "denied", by: "local", note: "不行" }],
  ["chart", { chart: "k3-chart-1", call: "k3", spec: { kind: "line", title: "RSRP", columns: [{ key: "x" }, { key: "y", type: "number" }], rows: [[1, 2]], x: "x", y: ["y"], group: "" } }],
  ["reasoning.delta", { text: "先看" }],
  ["reasoning.delta", { text: "站间距" }],
  ["reasoning.done", { text: "先看站间距", elapsed_ms: 1200 }],
  ["text.delta", { text: "结论：" }],
  ["text.delta", { text: "站间距" }],
  ["text.delta", { text: "过大" }],
  ["text.done", { text: "结论：站间距过大" }],
  ["usage", { input_tokens: 10, output_tokens: 5 }],
  ["suggestions", { suggestions: [{ text: "画图", value: "画图" }], from: "skill" }],
  ["turn.done", { skill: "net" }],
  ["turn.started", { message: "退出技能", skill: "net" }, "t2"],
  ["skill.left", { skill: "net", title: "网络优化", why: "the user left it" }, "t2"],
  ["text.done", { text: "已退出。" }, "t2"],
  ["turn.done", { skill: null }, "t2"],
);
