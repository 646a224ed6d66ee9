import { useEffect, useState } from "preact/hooks";
import { shownElapsed } from "../app/language";
import { workedMs } from "../events/elapsed";
import { mayComeLater, progressOf } from "../events/plan";
import type { Conversation, Milestone, Plan, PlanStep, StepState } from "../events/state";
import type { Todo } from "../generated/api";
import { Icon, type IconName } from "../parts/icon";
import { sayChat } from "../words/chat";

const LOOKS: Record<Exclude<StepState, "skipped">, { icon: IconName; tone: string; word: "stepWaiting" | "stepRunning" | "stepDone" | "stepFailed" | "stepNeedsYou" | "stepStopped" }> = {
  waiting: { icon: "dot", tone: "", word: "stepWaiting" },
  running: { icon: "dot", tone: "busy", word: "stepRunning" },
  done: { icon: "check", tone: "good", word: "stepDone" },
  failed: { icon: "cross", tone: "bad", word: "stepFailed" },
  needs_you: { icon: "hand", tone: "warn", word: "stepNeedsYou" },
  stopped: { icon: "stop", tone: "", word: "stepStopped" },
};
const OF_TODO: Partial<Record<Todo["status"], StepState>> = { pending: "waiting", in_progress: "running", completed: "done" };

/** The plan at work: its steps, milestones and time; or the list of things to do. Folded, it is one line. */
export function PlanPanel({ state, folded = false }: { state: Conversation; folded?: boolean }) {
  const { plan } = state;
  const asks = state.turns.some((turn) => turn.items.some((item) => item.type === "pause" && item.open));
  const listed = plan ? plan.steps : state.todos.map((todo, at) => todoStep(todo, at, asks));
  const { steps, over, all, current } = progressOf({ steps: listed } as Plan);
  const title = plan?.goal || sayChat("todos");
  const line = over >= all ? sayChat("planDone", { all }) : sayChat("stepOf", { at: over + 1, all, title: (current ?? steps[over])?.title ?? "" });
  const body = (
    <>
      <progress value={over} max={all || 1} aria-label={sayChat("progress")} />
      <ol class="steps">
        {steps.map((step) => (
          <Step key={step.id} step={step} milestones={plan?.milestones.filter((one) => one.after === step.id) ?? []} />
        ))}
      </ol>
      {plan && <Milestones list={plan.milestones.filter((one) => !listed.some((step) => step.id === one.after))} />}
    </>
  );
  if (folded) {
    return (
      <details class="plan folded card">
        <summary>
          <Icon name="list" size={16} /> {line}
        </summary>
        {body}
      </details>
    );
  }
  return (
    <section class="plan" aria-label={sayChat("plan")}>
      <header>
        {plan && <p class="muted small">{sayChat("plan")}</p>}
        <h2>{title}</h2>
        <p class="muted small">
          {line}
          {plan && <Elapsed plan={plan} />}
        </p>
      </header>
      {body}
    </section>
  );
}

function Step({ step, milestones }: { step: PlanStep; milestones: Milestone[] }) {
  const look = LOOKS[step.state as keyof typeof LOOKS];
  const took = workedMs(step) ?? 0;
  return (
    <li class={`step ${step.state}`} aria-current={step.state === "running" || step.state === "needs_you" ? "step" : undefined}>
      <span class={`state ${look.tone}`}>
        <Icon name={look.icon} size={15} />
      </span>
      <span class="step-body">
        <span class="step-title">{step.title}</span>
        <span class="step-note muted">
          {[sayChat(mayComeLater(step) ? "stepIfNeeded" : look.word), took > 0 ? shownElapsed(took) : "", step.retries > 0 ? sayChat("retries", { count: step.retries }) : "", step.why].filter(Boolean).join(" · ")}
        </span>
        <Milestones list={milestones} />
      </span>
    </li>
  );
}

function Milestones({ list }: { list: Milestone[] }) {
  if (list.length === 0) return null;
  return (
    <ul class="milestones">
      {list.map((one) => (
        <li key={one.name} class={`chip ${one.state === "passed" ? "good" : one.state === "failed" ? "bad" : ""}`} title={one.reason}>
          <Icon name="flag" size={13} /> {one.state === "waiting" ? sayChat("milestoneWaiting", { name: one.name }) : one.name}
          {one.state !== "waiting" && <span class="visually-hidden">{sayChat(one.state === "passed" ? "milestonePassed" : "milestoneFailed")}</span>}
        </li>
      ))}
    </ul>
  );
}

/** The time the plan has taken; it runs while a step does. */
function Elapsed({ plan }: { plan: Plan }) {
  const moving = plan.steps.some((step) => step.state === "running");
  const [, tick] = useState(0);
  useEffect(() => {
    if (!moving) return;
    const timer = setInterval(() => tick((count) => count + 1), 1000);
    return () => clearInterval(timer);
  }, [moving]);
  const ended = plan.steps.map((step) => step.ended ?? "").sort().at(-1);
  const until = moving ? new Date().toISOString() : ended || plan.started;
  return <span class="elapsed"> · {shownElapsed(workedMs({ ...plan, ended: until }) ?? 0)}</span>;
}

function todoStep(todo: Todo, at: number, asks: boolean): PlanStep {
  const state = asks && todo.status === "in_progress" ? "needs_you" : (OF_TODO[todo.status] ?? (todo.status as StepState));
  return { id: String(at), title: todo.content, state, started: null, ended: null, why: "", retries: 0 };
}
