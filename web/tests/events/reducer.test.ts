import { describe, expect, test } from "vitest";
import { workedMs } from "../../src/events/elapsed";
import { Inbox } from "../../src/events/inbox";
import { emptyConversation, reduce, replay, runningTurn } from "../../src/events/reducer";
import type { Turn } from "../../src/events/state";
import type { EventKind, JsonObject, StoredEvent } from "../../src/generated/api";
import { EVERYTHING, made } from "./made";

/** Numbers that are always the same, so that a failure can be seen again. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

/** Neighbouring pieces of text as one, as the server sends them. */
function joined(events: StoredEvent[], chance: () => number): StoredEvent[] {
  const out: StoredEvent[] = [];
  for (const event of events) {
    const last = out.at(-1);
    const same = last !== undefined && last.kind === event.kind && last.turn === event.turn;
    if (same && (event.kind === "text.delta" || event.kind === "reasoning.delta") && chance() < 0.6) {
      const text = `${(last.data as JsonObject)["text"]}${event.data["text"]}`;
      out[out.length - 1] = { ...event, data: { text }, first_seq: last.first_seq ?? last.seq };
    } else out.push(event);
  }
  return out;
}

/** What the reader sees; keys of text depend on which piece came first and are not seen. */
function seen(state: unknown): unknown {
  return JSON.parse(JSON.stringify(state, (name, value: unknown) => (name === "key" && typeof value === "string" && /^e\d+$/.test(value) ? "e" : value)));
}

const itemsOf = (...told: Parameters<typeof made>) => replay("c1", made(["turn.started", { message: "?" }], ...told)).turns[0]?.items ?? [];

describe("reasoning", () => {
  test("stands apart from the text, with its time", () => {
    const shown = itemsOf(["reasoning.delta", { text: "先" }], ["reasoning.delta", { text: "想" }], ["reasoning.done", { text: "先想", elapsed_ms: 900 }], ["text.delta", { text: "好" }], ["text.done", { text: "好" }]);
    expect(shown.map((one) => [one.type, "text" in one && one.text, "done" in one && one.done])).toEqual([["reasoning", "先想", true], ["text", "好", true]]);
    expect(shown[0]).toMatchObject({ elapsed_ms: 900 });
  });

  test("in the middle of a text does not break the text in two", () => {
    const shown = itemsOf(["text.delta", { text: "一" }], ["reasoning.delta", { text: "想" }], ["reasoning.done", { text: "想", elapsed_ms: 1 }], ["text.delta", { text: "二" }], ["text.done", { text: "一二" }]);
    expect(shown.map((one) => "text" in one && one.text)).toEqual(["一二", "想"]);
  });

  test("of each call of the model is its own, and the end of a turn closes it", () => {
    const shown = itemsOf(["reasoning.done", { text: "一", elapsed_ms: 1 }], ["tool.called", { call: "k", tool: "t", arguments: {} }], ["reasoning.delta", { text: "二" }], ["error", { code: "stopped", message: "" }]);
    expect(shown.filter((one) => one.type === "reasoning").map((one) => [one.text, one.done])).toEqual([["一", true], ["二", true]]);
  });
});

test("skills that are used beside the active one stand in its line", () => {
  const used = (data: JsonObject) => itemsOf(["skill.activated", { skill: "a", title: "A", ...data }]).find((one) => one.type === "skill");
  expect([used({ together: ["b", "c"] })?.together, used({})?.together]).toEqual([["b", "c"], []]);
});

test("a call that a person stopped has not failed, whether its result or only the stop arrived", () => {
  const called: Parameters<typeof made>[number] = ["tool.called", { call: "k", tool: "t", arguments: {} }];
  const ends: readonly [Parameters<typeof made>[number], string][] = [
    [["error", { code: "stopped", message: "" }], "stopped"],
    [["tool.result", { call: "k", ok: false, state: "failed", error: { code: "stopped", message: "" } }], "stopped"],
    [["tool.result", { call: "k", ok: false, state: "failed", error: { code: "tool_failed", message: "" } }], "failed"],
    [["turn.failed", { code: "failed", message: "" }], "failed"],
  ];
  for (const [end, state] of ends) expect(itemsOf(called, end).find((one) => one.type === "tool")).toMatchObject({ state });
});

describe("live and replayed are the same", () => {
  const whole = replay("c1", EVERYTHING);

  test.each(Array.from({ length: 60 }, (_, seed) => seed + 1))("whatever the chunks and repetitions (seed %i)", (seed) => {
    const chance = numbers(seed);
    const inbox = new Inbox(emptyConversation("c1"));
    const sent = joined(EVERYTHING, chance);
    for (let at = 0; at < sent.length; ) {
      const size = 1 + Math.floor(chance() * 5);
      const back = Math.max(0, at - Math.floor(chance() * 3));
      inbox.push(sent.slice(chance() < 0.4 ? back : at, at + size));
      at += size;
    }
    inbox.push(EVERYTHING);
    expect(seen(inbox.state)).toEqual(seen(whole));
    expect(inbox.gap).toBe(false);
  });

  test.each(Array.from({ length: 20 }, (_, seed) => seed + 1))("whatever the order in which they arrive (seed %i)", (seed) => {
    const chance = numbers(seed);
    const shuffled = EVERYTHING.map((event) => ({ event, key: chance() })).sort((a, b) => a.key - b.key).map(({ event }) => event);
    const inbox = new Inbox(emptyConversation("c1"));
    for (const event of shuffled) inbox.push([event]);
    expect(inbox.state).toEqual(whole);
  });

  test("told twice is told once", () => {
    expect(replay("c1", [...EVERYTHING, ...EVERYTHING])).toEqual(whole);
    expect(replay("c1", EVERYTHING.flatMap((event) => [event, event]))).toEqual(whole);
  });

  test("an event that was seen gives the very same state", () => {
    expect(reduce(whole, EVERYTHING[5] as StoredEvent)).toBe(whole);
  });

  test("the state before is never changed", () => {
    let state = emptyConversation("c1");
    for (const event of EVERYTHING) {
      const before = JSON.stringify(state);
      const next = reduce(state, event);
      expect(JSON.stringify(state)).toBe(before);
      state = next;
    }
  });

  test("a gap waits until it is filled", () => {
    const inbox = new Inbox(emptyConversation("c1"));
    inbox.push(EVERYTHING.slice(0, 2));
    inbox.push(EVERYTHING.slice(4, 6));
    expect([inbox.state.seq, inbox.gap]).toEqual([2, true]);
    inbox.push(EVERYTHING.slice(2, 4));
    expect([inbox.state.seq, inbox.gap]).toEqual([6, false]);
  });
});

describe("what a conversation looks like", () => {
  const state = replay("c1", EVERYTHING);
  const items = state.turns[0]?.items ?? [];

  test("a refused call is a violation, not a tool card", () => {
    expect(items.filter((item) => item.type === "tool").map((item) => item.tool)).toEqual(["query"]);
    expect(items.find((item) => item.type === "violation")).toMatchObject({ tool: "shell", layer: "skill", allowed: ["query"] });
  });

  test("pages of a table become one table", () => {
    expect(items.find((item) => item.type === "table")).toMatchObject({ rows: [["A1"], ["A2"], ["A3"]], total: 3, more: false });
  });

  test("an answer stands in the words of its button", () => {
    expect(items.find((item) => item.type === "said")).toMatchObject({ text: "继续" });
    expect(items.find((item) => item.type === "pause")).toMatchObject({ open: false, answer: true });
  });

  test("pieces of text become the text that was stored", () => {
    expect(items.filter((item) => item.type === "text").map((item) => item.text)).toEqual(["继续吗？", "结论：站间距过大"]);
  });

  test("the skill ends with the event that says so", () => {
    expect(replay("c1", EVERYTHING.slice(0, 28)).skill).toMatchObject({ id: "net", routing: { skill: "net" } });
    expect(state.skill).toBeNull();
    expect(replay("c1", made(["turn.started", { message: "x" }], ["skill.activated", { skill: "a", title: "A" }], ["skill.left", { skill: "a" }, null])).skill).toBeNull();
  });

  test("a step that waits for the reader says so, and goes on when they answered", () => {
    expect(replay("c1", EVERYTHING.slice(0, 12)).plan?.milestones.map((one) => one.after)).toEqual(["a", "a"]);
    const steps = (until: number): string[] => (replay("c1", EVERYTHING.slice(0, until)).plan?.steps ?? []).map((step) => step.state);
    expect(steps(4)).toEqual(["waiting", "waiting", "waiting"]);
    expect(steps(5)).toEqual(["running", "waiting", "waiting"]);
    expect(steps(14)).toEqual(["done", "needs_you", "waiting"]);
    expect(steps(15)).toEqual(["done", "running", "waiting"]);
    expect(steps(16)).toEqual(["done", "done", "waiting"]);
  });

  test.each([
    [["turn.done", {}], "done"],
    [["turn.failed", { code: "model_failed", message: "down" }], "failed"],
    [["error", { code: "interrupted" }], "interrupted"],
    [["error", { code: "limit_reached" }], "running"],
    [["pause.opened", { pause: "p", kind: "question" }], "paused"],
  ] as const)("after %j the turn is %s", ([kind, data], expected) => {
    const after = replay("c1", made(["turn.started", { message: "x" }], ["text.delta", { text: "ab" }], [kind, data]));
    expect(after.turns[0]?.state).toBe(expected);
    expect(runningTurn(after) !== null).toBe(expected === "running");
  });

  test("what was being written when a turn ended is kept", () => {
    const after = replay("c1", made(["turn.started", { message: "x" }], ["text.delta", { text: "half" }], ["error", { code: "interrupted" }]));
    expect(after.turns[0]?.items[0]).toMatchObject({ type: "text", text: "half", done: true });
  });

  test("events with nothing in them break nothing", () => {
    const kinds = [...new Set(EVERYTHING.map((event) => event.kind))];
    expect(() => replay("c1", made(...kinds.map((kind) => [kind, {}] as [typeof kind, Record<string, never>])))).not.toThrow();
  });
});

describe("a tool that reports how far it is", () => {
  const called = { call: "k", tool: "simulate", arguments: {} };
  const half = { call: "k", tool: "simulate", share: 0.5, text: "half" };

  test("shows the newest report until its result is there", () => {
    const running = replay("c1", made(["turn.started", { message: "go" }], ["tool.called", called], ["tool.progress", { ...half, share: 7 }], ["tool.progress", half]));
    expect(running.turns[0]?.items.at(-1)).toMatchObject({ type: "tool", progress: { share: 0.5, text: "half" } });
    const done = replay("c1", made(["turn.started", { message: "go" }], ["tool.called", called], ["tool.progress", half], ["tool.result", { ...called, ok: true, state: "done" }], ["tool.progress", half]));
    expect(done.turns[0]?.items.at(-1)).toMatchObject({ type: "tool", state: "done", progress: null });
  });
});

test("a file that is written again takes the place of its earlier card", () => {
  const file = (bytes: number): [EventKind, JsonObject] => ["file", { path: "a.csv", bytes }];
  const told = replay("c1", made(["turn.started", { message: "go" }], file(1), file(2)));
  expect(told.turns[0]?.items).toMatchObject([{ type: "media", data: { bytes: 2 } }]);
});

test("several tasks of a message are the turn's, the last list counts", () => {
  const task = (id: string, state: string): JsonObject => ({ id, skill: id, title: id, text: id, state, first_message: 1 });
  const events = made(
    ["turn.started", { message: "a, then b", skill: null }],
    ["tasks", { tasks: [task("a", "running"), task("b", "pending")] }],
    ["tasks", { tasks: [task("a", "done"), task("b", "running")] }],
  );
  expect(replay("c", events).turns[0]?.tasks.map((one) => one.state)).toEqual(["done", "running"]);
});

test("a later turn closes the question of an earlier one, which is over then", () => {
  const events = made(
    ["turn.started", { message: "分析朝阳" }],
    ["pause.opened", { pause: "p1", kind: "question", purpose: "ask", text: "仿真吗？" }],
    ["turn.started", { message: "换成天河" }, "t2"],
    ["pause.answered", { pause: "p1", cancelled: true }, "t2"],
    ["pause.opened", { pause: "p2", kind: "question", purpose: "ask", text: "仿真吗？" }, "t2"],
  );
  const { turns } = replay("c1", events);
  const open = turns.flatMap((turn) => turn.items).filter((item) => item.type === "pause" && item.open);
  expect(open.map((item) => item.type === "pause" && item.pause.id)).toEqual(["p2"]);
  expect(turns.map((turn) => turn.state)).toEqual(["done", "paused"]);
});

test("the time that a turn waited for people is told apart from its own", () => {
  const [told] = replay("c1", made(
    ["turn.started", { message: "写入" }],
    ["pause.opened", { pause: "p1", kind: "approval", purpose: "approve", text: "写入吗？" }],
    ["pause.changed", { pause: "p1", chosen_rows: [1] }],
    ["pause.answered", { pause: "p1", purpose: "approve", answer: { decision: "approve" } }],
    ["turn.done", {}],
  )).turns;
  expect(told?.waited_ms).toBe(2000);
  expect(Date.parse(told?.ended ?? "") - Date.parse(told?.started ?? "")).toBe(4000);
});

describe("an approval that is answered after later messages", () => {
  const beside = made(
    ["turn.started", { message: "审查合同" }, "t1"],
    ["text.done", { text: "发现 8 处。" }, "t1"],
    ["pause.opened", { pause: "p1", kind: "approval", purpose: "approve", text: "写入吗？", calls: [{ id: "k1", name: "write" }] }, "t1"],
    ["turn.started", { message: "公章没动吧" }, "t2"],
    ["text.done", { text: "没有提到公章。\n\n还在等你的回答：写入吗？", reminder: "还在等你的回答：写入吗？" }, "t2"],
    ["turn.done", {}, "t2"],
  );
  const answered = made(
    ...beside.map((one): [StoredEvent["kind"], JsonObject, string | null] => [one.kind, one.data as JsonObject, one.turn]),
    ["pause.answered", { pause: "p1", purpose: "approve", answer: { decision: "approve" } }, "t1"],
    ["tool.called", { call: "k1", tool: "write" }, "t1"],
    ["tool.result", { call: "k1", tool: "write", ok: true, state: "done" }, "t1"],
    ["text.done", { text: "已写入。" }, "t1"],
    ["turn.done", {}, "t1"],
  );
  const textsOf = (turn: Turn | undefined): string[] => (turn?.items ?? []).flatMap((item) => (item.type === "text" ? [item.text] : []));

  test("goes on below them, with what was decided", () => {
    const { turns } = replay("c1", answered);
    expect(turns.map((turn) => [turn.id, turn.message, turn.state])).toEqual([
      ["t1", "审查合同", "paused"],
      ["t2", "公章没动吧", "done"],
      ["t1", "", "done"],
    ]);
    expect(new Set(turns.map((turn) => turn.key)).size).toBe(3);
    expect(turns[2]?.items.map((item) => item.type)).toEqual(["pause", "tool", "text"]);
    expect(turns.flatMap((turn) => turn.items).filter((item) => item.type === "pause" && item.open)).toEqual([]);
  });

  test("no longer says that it waits", () => {
    expect(textsOf(replay("c1", beside).turns[1])).toEqual(["没有提到公章。\n\n还在等你的回答：写入吗？"]);
    expect(textsOf(replay("c1", answered).turns[1])).toEqual(["没有提到公章。"]);
  });

  test("stays in its place where nothing came in between", () => {
    const { turns } = replay("c1", answered.filter((one) => one.turn === "t1"));
    expect(turns.map((turn) => [turn.id, turn.state])).toEqual([["t1", "done"]]);
  });
});

test("the time that a person took to answer is not counted to the turn", () => {
  const at = (minute: number): string => `2026-11-19T00:0${minute}:00Z`;
  const told = made(["turn.started", { message: "?" }], ["pause.opened", { pause: "p" }], ["pause.answered", { pause: "p", answer: true }], ["turn.done", {}]).map((one, n) => ({ ...one, at: at([0, 1, 6, 7][n]!) }));
  expect(workedMs(replay("c1", told).turns[0]!)).toBe(120_000);
});
