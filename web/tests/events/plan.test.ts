import { expect, test } from "vitest";
import { progressOf } from "../../src/events/plan";
import type { Plan, PlanStep, StepState } from "../../src/events/state";

const step = (id: string, state: StepState): PlanStep => ({ id, title: id, state, started: null, ended: null, why: "", retries: 0 });

test("steps of another task do not count as steps of this one", () => {
  const plan = { steps: [step("start", "done"), step("r1", "skipped"), step("i1", "skipped"), step("weights", "needs_you"), step("matrix", "waiting")] } as Plan;
  const { over, all, current } = progressOf(plan);
  expect([over, all, current?.id]).toEqual([1, 3, "weights"]);
});
