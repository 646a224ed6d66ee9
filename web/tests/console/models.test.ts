import { describe, expect, it } from "vitest";

import { setLanguage } from "../../src/app/language";
import { contextOf } from "../../src/console/context-model";
import { byTool, filtered, rowsOf } from "../../src/console/inbox-model";
import { found, fit, looksLikeId } from "../../src/console/jump-model";
import { addressOf, consolePlace } from "../../src/console/pages";
import { matches, skillsOf, sopGraph, strayFindings, worst } from "../../src/console/skill-model";
import { gist, summaryFrom, summaryOf, telemetryRows } from "../../src/console/telemetry-model";

describe("an address of the console", () => {
  it.each([
    ["", "timeline", ""],
    ["skills", "skills", ""],
    ["skills/周报", "skills", "周报"],
    ["timeline/abc", "timeline", "abc"],
    ["nonsense", null, ""],
  ] as const)("%s leads to a page", (path, page, id) => {
    expect(consolePlace(path)).toEqual({ page, id });
  });

  it("is made without empty parts", () => {
    expect(addressOf("playground", "", { q: "写 周报", host: "" })).toBe("/console/playground?q=%E5%86%99+%E5%91%A8%E6%8A%A5");
    expect(addressOf("skills", "a/b")).toBe("/console/skills/a%2Fb");
  });
});

describe("a prompt's account", () => {
  const view = contextOf(7, {
    phase: "work",
    tokens: 500,
    limit_tokens: 1000,
    over_budget: false,
    sections: [
      { name: "base", tokens: 100, kept: ["base"], dropped: [], limit_tokens: null, required: true },
      { name: "history", tokens: 400, kept: ["message 1"], dropped: ["message 0"], limit_tokens: 450, required: false },
    ],
    dropped: [{ section: "history", piece: "message 0", tokens: 90, code: "section_limit", text: "over 450 tokens" }],
  });

  it("gives each section its share of the whole budget", () => {
    expect(view.sections.map((one) => [one.name, one.share, one.limit])).toEqual([
      ["base", 0.1, null],
      ["history", 0.4, 450],
    ]);
  });

  it("does not list a section as its own piece", () => {
    expect(view.sections.map((one) => one.kept)).toEqual([[], ["message 1"]]);
  });

  it("says what was left out and why", () => {
    expect(view.dropped).toEqual([{ section: "history", piece: "message 0", tokens: 90, code: "section_limit", text: "over 450 tokens" }]);
  });

  it("measures against what was used when that is more than the limit", () => {
    expect(contextOf(1, { tokens: 200, limit_tokens: 100, sections: [{ name: "a", tokens: 200 }] }).sections[0]?.share).toBe(1);
  });
});

describe("the skill catalogue", () => {
  const data = {
    skills: [
      {
        id: "周报",
        title: "周报",
        description: "把结论写成一页",
        triggers: ["weekly report"],
        tools: ["get_current_time"],
        usage: { activated: 3, failed: 1, last_at: null },
      },
    ],
    diagnostics: [
      { code: "no_examples", severity: "warning", message: "no examples", hint: "add some", path: "a.md", line: 3, skill: "周报" },
      { code: "bad_yaml", severity: "error", message: "cannot be read", hint: "", path: "b.md", line: null, skill: null },
    ],
  };

  it("gives each skill its findings, and keeps those of none", () => {
    const [skill] = skillsOf(data);
    expect(skill).toMatchObject({ id: "周报", used: 3, failed: 1, enabled: true, trusted: null });
    expect(skill?.findings.map((one) => one.where)).toEqual(["a.md:3"]);
    expect(worst(skill?.findings ?? [])).toBe("warn");
    expect(strayFindings(data).map((one) => one.code)).toEqual(["bad_yaml"]);
  });

  it.each([
    ["周报 weekly", true],
    ["GET_current", true],
    ["ppt", false],
    ["", true],
  ])("finds %s", (typed, is) => {
    expect(matches(skillsOf(data)[0]!, typed)).toBe(is);
  });

  it.each([
    ["zh", "⚑ 已找到"],
    ["en", "⚑ found"],
  ] as const)("names a milestone in the reader's language: %s", (language, name) => {
    setLanguage(language);
    const milestones = [{ name: { zh: "已找到", en: "found" }, after: "a", check: { kind: "expr" } }];
    const { nodes } = sopGraph({ sop: [{ id: "a", call: "search" }], milestones });
    expect(nodes.map((one) => one.label)).toEqual(["a", name]);
  });

  it("draws steps in order, conditions on the way, milestones behind their step", () => {
    const { nodes, edges } = sopGraph({
      sop: [
        { id: "a", title: "查询", call: "search" },
        { id: "b", ask: "继续吗？", when: "$.a.ok" },
        { id: "c", needs: ["a"] },
      ],
      milestones: [{ name: "够", after: "a", check: { kind: "contains" } }],
    });
    expect(nodes.map((node) => [node.id, node.label, node.detail, node.state])).toEqual([
      ["a", "查询", "→ search", "plain"],
      ["milestone:够", "⚑ 够", "contains", undefined],
      ["b", "b", "继续吗？", "asking"],
      ["c", "c", "", "plain"],
    ]);
    expect(edges).toEqual([
      { from: "a", to: "milestone:够" },
      { from: "milestone:够", to: "b", label: "$.a.ok", dashed: true },
      { from: "b", to: "c" },
      { from: "a", to: "c", dashed: true },
    ]);
  });
});

describe("the inbox", () => {
  const rows = rowsOf(
    {
      violations: [
        { id: "1", at: "2026-01-20T08:00:00Z", tool: "shell", layer: "skill", code: "not_allowed_by_skill", reason: "no", skill: "周报" },
        { id: "2", tool: "shell", layer: "plan", code: "forbidden_by_plan", reason: "no" },
        { id: "3", tool: "fetch", layer: "default", code: "unknown_tool", reason: "没有" },
      ],
    },
    "violations",
  );

  it("finds rows that have every word", () => {
    expect(filtered(rows, "shell 周报").map((row) => row.id)).toEqual(["1"]);
    expect(filtered(rows, "")).toHaveLength(3);
  });

  it("counts by tool, the most often first", () => {
    expect(byTool(rows)).toEqual([
      { tool: "shell", count: 2 },
      { tool: "fetch", count: 1 },
    ]);
  });

  it("reads questions too", () => {
    expect(
      rowsOf({ pauses: [{ pause: "p", kind: "approval", text: "运行？", opened_at: "x", conversation: "c" }] }, "pauses")[0],
    ).toMatchObject({ id: "p", code: "approval", text: "运行？", at: "x" });
  });
});

describe("telemetry", () => {
  const rows = telemetryRows({
    events: [
      {
        event_id: "1",
        event_name: "chat.llm_call",
        ts: "t",
        session_id: "s",
        turn_id: "t1",
        payload: { model: "m", input_tokens: 10, output_tokens: 5 },
      },
      { event_id: "2", event_name: "chat.turn_done", session_id: "s", turn_id: "t1", payload: { elapsed_ms: 120, outcome: "done" } },
      { event_id: "3", event_name: "chat.turn_done", session_id: "s2", turn_id: "t2", payload: { elapsed_ms: 300 } },
    ],
  });

  it("is summed up from its events", () => {
    expect(summaryFrom(rows)).toEqual({
      events: 3,
      sessions: 2,
      turns: 2,
      calls: 1,
      tokens: 15,
      violations: 0,
      turnMs: 300,
      byEvent: [
        ["chat.turn_done", 2],
        ["chat.llm_call", 1],
      ],
    });
  });

  it("or read from the server's summary", () => {
    const told = summaryOf({
      events: 9,
      sessions: 2,
      turns: 3,
      by_event: { a: 1, b: 8 },
      turn_ms: { p50_ms: 12 },
      models: [{ calls: 2, input_tokens: 7, output_tokens: 1 }],
      violations: [{ count: 4 }],
    });
    expect(told).toEqual({
      events: 9,
      sessions: 2,
      turns: 3,
      calls: 2,
      tokens: 8,
      violations: 4,
      turnMs: 12,
      byEvent: [
        ["b", 8],
        ["a", 1],
      ],
    });
  });

  it("says what an event holds in one line", () => {
    expect(gist({ model: "m", tokens: 3, list: [1], none: null })).toBe("model=m tokens=3");
  });
});

describe("the quick jump", () => {
  const targets = ["timeline", "skills", "violations"].map((name) => ({ text: name, note: "", address: `/console/${name}` }));

  it("finds letters in order, whole words first", () => {
    expect(found("skl", targets).map((one) => one.text)).toEqual(["skills"]);
    expect(found("", targets)).toHaveLength(3);
    expect(fit("li", "timeline")).toBeGreaterThan(fit("tl", "timeline") ?? 0);
    expect(fit("xyz", "timeline")).toBeNull();
  });

  it.each([
    ["f6a8ea861c504ffeb1dd84c2810bb1b1", true],
    ["周报", false],
    ["abc", false],
  ])("knows an id: %s", (typed, is) => {
    expect(looksLikeId(typed)).toBe(is);
  });
});
