import { describe, expect, it } from "vitest";

import { compareTurns, timelineOf } from "../../src/console/spans";
import type { EventKind, JsonObject, StoredEvent } from "../../src/generated/api";

const BEGAN = Date.parse("2026-01-20T08:00:00Z");

/** Events from [kind, milliseconds since the start, data]. */
function log(...told: [EventKind, number, JsonObject?][]): StoredEvent[] {
  return told.map(([kind, ms, data = {}], at) => ({
    conversation: "c",
    turn: "t",
    seq: at + 1,
    at: new Date(BEGAN + ms).toISOString(),
    kind,
    data,
  }) as StoredEvent);
}

const withModel = log(
  ["turn.started", 0, { message: "朝阳区弱覆盖" }],
  ["skill.routed", 40, { verdict: "auto", skills: ["net"], elapsed_ms: 30 }],
  ["context.built", 1000, { phase: "work", tokens: 386, limit_tokens: 6000 }],
  ["text.delta", 1000, { text: "我来" }],
  ["usage", 1400, { input_tokens: 224, output_tokens: 120 }],
  ["tool.called", 1400, { call: "1", tool: "search" }],
  ["tool.result", 1900, { call: "1", tool: "search", ok: true, elapsed_ms: 480 }],
  ["context.built", 2400, { phase: "work", tokens: 441, limit_tokens: 6000, over_budget: true }],
  ["usage", 2400, { input_tokens: 300, output_tokens: 10, cost: 0.02 }],
  ["text.done", 2400, { text: "好了" }],
  ["turn.done", 2410],
);

describe("the spans of a turn with a model", () => {
  const timeline = timelineOf(withModel);
  const of = (group: string) =>
    timeline.spans.filter((span) => span.group === group).map((span) => [span.label, span.start_ms, span.end_ms]);

  it("tell how long routing took, up to its event", () => {
    expect(of("route")).toEqual([["auto", 10, 40]]);
  });

  it("let a model call begin when the thing before it was over", () => {
    expect(of("model")).toEqual([
      ["model", 40, 1400],
      ["model", 1900, 2400],
    ]);
    expect(timeline.spans.find((span) => span.group === "model")?.first_ms).toBe(960);
  });

  it("count reasoning as part of the model's call, and not as its first words", () => {
    const [model, ...others] = timelineOf(
      log(["turn.started", 0], ["context.built", 100, { phase: "work", tokens: 1, limit_tokens: 2 }], ["reasoning.delta", 300, { text: "想" }], ["reasoning.done", 900, { text: "想", elapsed_ms: 600 }], ["text.delta", 950, { text: "好" }], ["usage", 1000, {}]),
    ).spans.filter((span) => span.group === "model");
    expect([others.length, model?.end_ms, model?.first_ms]).toEqual([0, 1000, 950]);
    expect(model?.events.map((event) => event.kind)).toContain("reasoning.done");
  });

  it("pair a call with its result", () => {
    expect(of("tool")).toEqual([["search", 1400, 1900]]);
  });

  it("mark a prompt that is over its budget", () => {
    expect(timeline.spans.filter((span) => span.group === "context").map((span) => [span.detail, span.state])).toEqual([
      ["386 / 6000", "ok"],
      ["441 / 6000", "bad"],
    ]);
  });

  it("add up", () => {
    expect(timeline).toMatchObject({
      elapsed_ms: 2410,
      waited_ms: 0,
      model_calls: 2,
      tool_calls: 1,
      input_tokens: 524,
      output_tokens: 130,
      cost: 0.02,
      outcome: "done",
    });
  });

  it("come in the order of time, each with the events behind it", () => {
    const starts = timeline.spans.map((span) => span.start_ms);
    expect(starts).toEqual([...starts].sort((a, b) => a - b));
    expect(new Set(timeline.spans.flatMap((span) => span.events.map((event) => event.seq))).size).toBe(withModel.length);
  });
});

describe("the spans of a turn that follows steps", () => {
  const day = 24 * 3600 * 1000;
  const events = log(
    ["turn.started", 0, { message: "写周报" }],
    ["step.started", 10, { step: "now", title: "日期" }],
    ["tool.called", 12, { call: "1", tool: "get_current_time", step: "now" }],
    ["tool.result", 20, { call: "1", tool: "get_current_time", ok: true, elapsed_ms: 0.2 }],
    ["step.done", 20, { step: "now", state: "done" }],
    ["pause.opened", 30, { pause: "p", kind: "question", purpose: "ask", text: "这周有什么结论？" }],
    ["pause.answered", 30 + 2 * day, { pause: "p", answer: "好" }],
    ["milestone.failed", 40 + 2 * day, { milestone: "够长", reason: "短" }],
    ["turn.done", 50 + 2 * day],
  );

  it("put a step's calls under it", () => {
    const shown = timelineOf(events).spans.filter((span) => span.group === "step" || span.group === "tool");
    expect(shown.map((span) => [span.label, span.depth, span.start_ms, span.end_ms])).toEqual([
      ["日期", 0, 10, 20],
      ["get_current_time", 1, 12, 20],
    ]);
  });

  it("do not count the days that a person took", () => {
    const timeline = timelineOf(events);
    expect(timeline).toMatchObject({ elapsed_ms: 50, waited_ms: 2 * day, outcome: "done" });
    expect(timeline.spans.find((span) => span.group === "pause")).toMatchObject({ waited_ms: 2 * day, state: "ok" });
  });

  it("show an open question as open", () => {
    const timeline = timelineOf(events.slice(0, 6));
    expect(timeline.outcome).toBe("paused");
    expect(timeline.spans.at(-1)).toMatchObject({ group: "pause", state: "open", detail: "这周有什么结论？" });
  });

  it("mark what failed", () => {
    expect(timelineOf(events).spans.find((span) => span.group === "milestone")).toMatchObject({ detail: "够长", state: "bad" });
  });
});

describe("odd logs", () => {
  it.each([
    ["no events", [], "running"],
    ["a result without its call", log(["tool.result", 5, { call: "x", tool: "t", ok: false, error: { code: "timeout" } }]), "running"],
    ["a turn that failed", log(["turn.started", 0], ["turn.failed", 9, { code: "model_failed" }]), "failed"],
  ] as const)("are shown: %s", (_, events, outcome) => {
    expect(timelineOf(events).outcome).toBe(outcome);
  });

  it("a refused call is no success", () => {
    const spans = timelineOf(log(["tool.result", 5, { call: "x", tool: "shell", ok: false, state: "refused" }])).spans;
    expect(spans[0]).toMatchObject({ label: "shell", state: "bad", detail: "refused" });
  });

  it("a call that still runs lasts until now", () => {
    const timeline = timelineOf(log(["turn.started", 0], ["tool.called", 10, { call: "1", tool: "a" }], ["todos", 90]));
    expect(timeline.spans.find((span) => span.group === "tool")).toMatchObject({ end_ms: 90, state: "open" });
  });
});

it("two turns are compared figure by figure", () => {
  const rows = compareTurns(timelineOf(withModel), timelineOf(withModel.slice(0, 5)));
  expect(rows.find((row) => row.name === "input_tokens")).toEqual({ name: "input_tokens", one: 524, other: 224, delta: -300 });
});
