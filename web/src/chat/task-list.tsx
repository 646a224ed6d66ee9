import type { TaskInfo } from "../generated/api";
import { Icon, type IconName } from "../parts/icon";
import { sayChat } from "../words/chat";

type State = TaskInfo["state"];
const LOOKS: Record<State, { icon: IconName; tone: string; word: "stepWaiting" | "stepRunning" | "stepDone" | "stepFailed" | "stepSkipped" | "taskStopped" | "stepNeedsYou" }> = {
  pending: { icon: "dot", tone: "", word: "stepWaiting" },
  running: { icon: "dot", tone: "busy", word: "stepRunning" },
  done: { icon: "check", tone: "good", word: "stepDone" },
  failed: { icon: "cross", tone: "bad", word: "stepFailed" },
  skipped: { icon: "skip", tone: "", word: "stepSkipped" },
  stopped: { icon: "skip", tone: "", word: "taskStopped" },
  unavailable: { icon: "cross", tone: "", word: "stepSkipped" },
};

/** One that waits for an answer does not run. */
const ASKING: (typeof LOOKS)[State] = { icon: "hand", tone: "warn", word: "stepNeedsYou" };

/** Several things that one message asks for: which is done, which is running, which waits. */
export function TaskList({ tasks, waits = false }: { tasks: TaskInfo[]; waits?: boolean }) {
  const lookOf = (task: TaskInfo): (typeof LOOKS)[State] => (waits && task.state === "running" ? ASKING : LOOKS[task.state]);
  return (
    <section class="card tasks" aria-label={sayChat("tasks")}>
      <p class="muted small">{sayChat("tasks")}</p>
      <ol class="steps">
        {tasks.map((task) => (
          <li key={task.id} class={`step ${task.state}`} aria-current={task.state === "running" ? "step" : undefined}>
            <span class={`state ${lookOf(task).tone}`}>
              <Icon name={lookOf(task).icon} size={15} />
            </span>
            <span class="step-body">
              <span class="step-title">{task.title}</span>
              <span class="step-note muted">{[sayChat(lookOf(task).word), task.why ?? ""].filter(Boolean).join(" · ")}</span>
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}
