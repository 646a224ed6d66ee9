import { expect, test } from "vitest";
import { workedMs } from "../../src/events/elapsed";
import { planAfter, progressOf } from "../../src/events/plan";
import type { Plan, PlanStep, StepState } from "../../src/events/state";
import type { StoredEvent } from "../../src/generated/api";

const step = (id: string, state: StepState): PlanStep => ({ id, title: id, state, started: null, ended: null, why: "", retries: 0 });

test("steps of another task do not count as steps of this one", () => {
  const plan = { steps: [step("start", "done"), step("r1", "skipped"), step("i1", "skipped"), step("weights", "needs_you"), step("matrix", "waiting")] } as Plan;
  const { over, all, current } = progressOf(plan);
  expect([over, all, current?.id]).toEqual([1, 3, "weights"]);
});

test("a step that may not be needed does not count, and ways to the same thing are one step", () => {
  const may = (id: string, title: string, state: StepState = "waiting"): PlanStep => ({ ...step(id, state), title, conditional: true });
  const created = { kind: "plan.created", turn: "t1", at: "2026-11-19T00:00:00Z", data: { steps: [{ id: "write", title: "Write" }, { id: "other", title: "Write the other", conditional: true }] } } as unknown as StoredEvent;
  expect(planAfter(null, created)?.steps.map((one) => one.conditional ?? false)).toEqual([false, true]);
  const steps = [step("start", "done"), step("scores", "needs_you"), step("matrix", "waiting"), may("second", "matrix"), may("resumed", "matrix"), may("report", "report")];
  const { steps: shown, over, all } = progressOf({ steps } as Plan);
  expect([shown.map((one) => one.id), over, all]).toEqual([["start", "scores", "matrix", "report"], 1, 3]);
  const again = progressOf({ steps: [step("matrix", "done"), may("second", "matrix", "running"), may("report", "report")] } as Plan);
  expect([again.steps.length, again.over, again.all]).toEqual([3, 1, 2]);
  expect(progressOf({ steps: [step("start", "done"), may("report", "report")] } as Plan)).toMatchObject({ over: 1, all: 2 });
});

test("a step whose question was put aside neither waits nor works, and asks again with its question", () => {
  const plan = { steps: [step("cause", "done"), step("sure", "needs_you")] } as Plan;
  const event = (kind: string, data: object): StoredEvent => ({ kind, data, at: "2026-11-19T00:00:00Z" }) as StoredEvent;
  const aside = planAfter(plan, event("pause.answered", { pause: "p", cancelled: true }));
  expect(aside?.steps.map((one) => one.state)).toEqual(["done", "stopped"]);
  expect(planAfter(aside, event("pause.opened", { pause: "q", step: "sure" }))?.steps[1]?.state).toBe("needs_you");
});

test("a step waits until its own question is answered, whichever turn asks", () => {
  const event = (kind: string, data: object, turn = "t2"): StoredEvent => ({ kind, data, turn, at: "2026-11-19T00:00:00Z" }) as StoredEvent;
  const plan = { turn: "t1", steps: [step("write", "running")] } as Plan;
  const waiting = planAfter(plan, event("pause.opened", { pause: "approve" }));
  expect(waiting?.steps[0]?.state).toBe("needs_you");
  const beside = planAfter(waiting, event("pause.answered", { pause: "another", answer: "x" }));
  expect(beside?.steps[0]?.state).toBe("needs_you");
  expect(planAfter(beside, event("pause.answered", { pause: "another", cancelled: true }))?.steps[0]?.state).toBe("needs_you");
  expect(planAfter(beside, event("pause.answered", { pause: "approve", answer: {} }))?.steps[0]?.state).toBe("running");
});

test("the time in which a person is asked is part neither of the step nor of the plan", () => {
  const event = (kind: string, data: object, minute: number): StoredEvent => ({ kind, data, turn: "t1", at: `2026-11-19T00:0${minute}:00Z` }) as StoredEvent;
  const told = [event("step.started", { step: "write" }, 0), event("pause.opened", { pause: "p" }, 1), event("pause.answered", { pause: "p", answer: {} }, 6), event("step.done", { step: "write", state: "done" }, 7)];
  const plan = told.reduce<Plan | null>(planAfter, { turn: "t1", started: "2026-11-19T00:00:00Z", steps: [step("write", "waiting")], milestones: [] } as unknown as Plan);
  expect(workedMs(plan!.steps[0]!)).toBe(120_000);
  expect(workedMs({ ...plan!, ended: "2026-11-19T00:07:00Z" })).toBe(120_000);
});
