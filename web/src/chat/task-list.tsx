import type { TaskInfo } from "../generated/api";
import { Icon, type IconName } from "../parts/icon";
import { sayChat } from "../words/chat";

type State = TaskInfo["state"];
const LOOKS: Record<State, { icon: IconName; tone: string; word: "stepWaiting" | "stepRunning" | "stepDone" | "stepFailed" | "stepSkipped" | "taskStopped" }> = {
  pending: { icon: "dot", tone: "", word: "stepWaiting" },
  running: { icon: "dot", tone: "busy", word: "stepRunning" },
  done: { icon: "check", tone: "good", word: "stepDone" },
  failed: { icon: "cross", tone: "bad", word: "stepFailed" },
  skipped: { icon: "skip", tone: "", word: "stepSkipped" },
  stopped: { icon: "skip", tone: "", word: "taskStopped" },
  unavailable: { icon: "cross", tone: "", word: "stepSkipped" },
};

/** Several things that one message asks for: which is done, which is running, which waits. */
export function TaskList({ tasks }: { tasks: TaskInfo[] }) {
  return (
    <section class="card tasks" aria-label={sayChat("tasks")}>
      <p class="muted small">{sayChat("tasks")}</p>
      <ol class="steps">
        {tasks.map((task) => (
          <li key={task.id} class={`step ${task.state}`} aria-current={task.state === "running" ? "step" : undefined}>
            <span class={`state ${LOOKS[task.state].tone}`}>
              <Icon name={LOOKS[task.state].icon} size={15} />
            </span>
            <span class="step-body">
              <span class="step-title">{task.title}</span>
              <span class="step-note muted">{[sayChat(LOOKS[task.state].word), task.why ?? ""].filter(Boolean).join(" · ")}</span>
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}
