import { waitedMs } from "./elapsed";
import { list, object, text, texts } from "./read";
import type { Milestone, Plan, PlanStep, StepState } from "./state";
import type { EventOf, Json, JsonObject, StoredEvent } from "../generated/api";

/** The plan after one more event. */
export function planAfter(plan: Plan | null, event: StoredEvent): Plan | null {
  const data: JsonObject = event.data;
  if (event.kind === "plan.created") return newPlan(plan, event);
  if (event.kind === "skill.left") return null;
  if (!plan) return null;
  switch (event.kind) {
    case "step.started":
      return stepped(plan, text(data["step"]), { state: "running", started: event.at, ended: null });
    case "step.done":
      return stepDone(plan, event);
    case "pause.opened":
      return text(data["step"]) ? stepped(plan, text(data["step"]), { state: "needs_you", pause: text(data["pause"]), asked: event.at }) : needing(plan, text(data["pause"]), event.at);
    case "pause.answered":
      if (data["cancelled"] === true) return putAside(plan, text(data["pause"]), event.at);
      return answered(plan, text(data["pause"]), event.at);
    case "milestone.passed":
    case "milestone.failed":
      return judged(plan, text(data["milestone"]), event.kind === "milestone.passed" ? "passed" : "failed", text(data["reason"]));
    case "turn.failed":
      return event.turn === plan.turn ? settled(plan, event.at) : plan;
    case "error":
      return data["code"] === "stopped" ? settled(plan, event.at, "stopped") : plan;
    default:
      return plan;
  }
}

/** The steps of this task (those left out are of another one), how many of them are over, and of how many that are sure to come.
 *  Ways to the same thing, of which one is taken, are one step. */
export function progressOf(plan: Plan): { steps: PlanStep[]; over: number; all: number; current: PlanStep | null } {
  const asked = plan.steps.filter((step) => step.state !== "skipped");
  const steps = asked.filter((step, at) => !mayComeLater(step) || !asked.some((other, place) => other.title === step.title && other !== step && (!mayComeLater(other) || place < at)));
  const over = steps.filter((step) => step.state === "done" || step.state === "failed").length;
  const current = steps.find((step) => step.state === "running" || step.state === "needs_you") ?? null;
  const open = steps.filter(mayComeLater).length;
  return { steps, over, all: steps.length - (over + open < steps.length ? open : 0), current };
}

/** Whether nobody knows yet if a step is needed. */
export function mayComeLater(step: PlanStep): boolean {
  return step.conditional === true && step.state === "waiting";
}

function newPlan(before: Plan | null, event: EventOf<"plan.created">): Plan {
  const { data } = event;
  const known = new Map(before && before.turn === event.turn ? before.steps.map((step) => [step.id, step]) : []);
  const steps = list(data["steps"]).map(object).map((one): PlanStep => {
    const id = text(one["id"]);
    const was = known.get(id);
    const fresh: PlanStep = { id, title: text(one["title"]) || id, state: "waiting", started: null, ended: null, why: "", retries: 0, ...(one["conditional"] === true ? { conditional: true } : {}) };
    return was ? { ...was, title: fresh.title } : fresh;
  });
  return {
    goal: text(data["goal"]),
    skill: text(data["skill"]),
    turn: event.turn ?? "",
    started: event.at,
    steps,
    milestones: list(data["milestones"]).map(milestoneOf).map((one) => ({ ...one, after: one.after || afterOf(data, one.name) })),
  };
}

/** The step that a check stands after, as the steps tell it. */
function afterOf(data: JsonObject, name: string): string {
  const step = list(data["steps"]).map(object).find((one) => texts(one["checks"]).includes(name));
  return step ? text(step["id"]) : "";
}

function milestoneOf(value: Json): Milestone {
  const one: JsonObject = typeof value === "string" ? { name: value } : object(value);
  return { name: text(one["name"]), after: text(one["after"]), state: "waiting", reason: "" };
}

function stepDone(plan: Plan, event: EventOf<"step.done">): Plan {
  const id = text(event.data["step"]);
  const told = text(event.data["state"]);
  const why = text(event.data["why"]);
  const was = plan.steps.find((step) => step.id === id);
  if (told === "retried") return stepped(plan, id, { state: "waiting", why, retries: (was?.retries ?? 0) + 1 });
  const state: StepState = told === "failed" || told === "skipped" ? told : "done";
  return stepped(plan, id, { state, why, ended: event.at });
}

/** A question that names no step is of the step that runs, also in a later turn that goes on with the plan. */
function needing(plan: Plan, pause: string, asked: string): Plan {
  return { ...plan, steps: plan.steps.map((step) => (step.state === "running" ? { ...step, state: "needs_you", pause, asked } : step)) };
}

/** The step goes on; the time in which a person was asked is part neither of it nor of the plan. */
function answered(plan: Plan, pause: string, at: string): Plan {
  const waited = Math.max(0, ...plan.steps.map((step) => (waitsFor(step, pause) ? waitedMs(step.asked, at) : 0)));
  const steps = plan.steps.map((step): PlanStep => (waitsFor(step, pause) ? { ...step, state: "running", started: step.started ?? at, waited_ms: (step.waited_ms ?? 0) + (step.started ? waited : 0) } : step));
  return { ...plan, steps, waited_ms: (plan.waited_ms ?? 0) + waited };
}

/** Whether a step waits for this question; the answer to another one leaves it waiting. */
function waitsFor(step: PlanStep, pause: string): boolean {
  return step.state === "needs_you" && (!step.pause || step.pause === pause);
}

/** Nobody is asked any more: the step neither waits nor works until it asks again. */
function putAside(plan: Plan, pause: string, at: string): Plan {
  return { ...plan, steps: plan.steps.map((step) => (waitsFor(step, pause) ? { ...step, state: "stopped", ended: at } : step)) };
}

function settled(plan: Plan, at: string, state: StepState = "failed"): Plan {
  const open = (step: PlanStep): boolean => step.state === "running" || step.state === "needs_you";
  return { ...plan, steps: plan.steps.map((step) => (open(step) ? { ...step, state, ended: at } : step)) };
}

function stepped(plan: Plan, id: string, change: Partial<PlanStep>): Plan {
  return { ...plan, steps: plan.steps.map((step) => (step.id === id ? { ...step, ...change } : step)) };
}

function judged(plan: Plan, name: string, state: Milestone["state"], reason: string): Plan {
  const known = plan.milestones.some((one) => one.name === name);
  const milestones = known ? plan.milestones : [...plan.milestones, { name, after: "", state, reason }];
  return { ...plan, milestones: milestones.map((one) => (one.name === name ? { ...one, state, reason } : one)) };
}
