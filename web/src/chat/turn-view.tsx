import { useState } from "preact/hooks";
import { shownElapsed, shownNumber, shownTime } from "../app/language";
import { workedMs } from "../events/elapsed";
import { number } from "../events/read";
import type { Item, Turn } from "../events/state";
import { copyText } from "../parts/copy";
import { go } from "../app/router";
import { problemText } from "../app/problem";
import { FailureWords } from "../parts/failure";
import { Icon, type IconName } from "../parts/icon";
import { sayChat } from "../words/chat";
import { skillCard } from "./catalog";
import { ItemView } from "./item-view";
import { hasChoice, usedModel } from "./model-choice";
import { branch } from "./conversations";
import { rate, ratings, type Verdict } from "./feedback";
import { draft, submit } from "./outbox";
import { ReportExport } from "./report-export";
import { busy, conversation, problem, readOnly } from "./session";
import { commandName } from "./slash";
import { TaskList } from "./task-list";
import { ToolGroup } from "./tool-card";

/** One message and all that came of it. */
export function TurnView({ turn, isLast }: { turn: Turn; isLast: boolean }) {
  const idle = turn.state === "running" && !turn.items.some((item) => (item.type === "text" || item.type === "reasoning") && !item.done);
  return (
    <article class="turn" aria-label={shownTime(turn.started)}>
      {turn.message && <Said turn={turn} />}
      <div class="answer">
        {turn.tasks.length > 1 && <TaskList tasks={turn.tasks} waits={turn.state === "paused"} />}
        {grouped(turn.items).map((item) => (Array.isArray(item) ? <ToolGroup key={item[0]?.key} tools={item} /> : <ItemView key={item.key} item={item} turn={turn} />))}
        {idle && (
          <p class="thinking">
            <span class="spinner" aria-hidden="true" /> {sayChat("working")}
          </p>
        )}
        {turn.failure && <Failure turn={turn} />}
        {turn.state !== "running" && turn.state !== "paused" && <Foot turn={turn} isLast={isLast} />}
      </div>
    </article>
  );
}

/** Calls that only steer the turn: what they do is shown where it happens. */
const STEERS: ReadonlySet<string> = new Set(["ask_user", "write_todos", "request_exception", "leave_skill", "use_skill"]);

type ToolItems = Extract<Item, { type: "tool" }>[];

/** Tool calls that follow each other stand together. */
function grouped(items: Item[]): (Exclude<Item, { type: "tool" }> | ToolItems)[] {
  const made: (Exclude<Item, { type: "tool" }> | ToolItems)[] = [];
  for (const item of items) {
    const last = made.at(-1);
    if (item.type === "tool" && STEERS.has(item.tool)) continue;
    if (item.type !== "tool") made.push(item);
    else if (Array.isArray(last)) last.push(item);
    else made.push([item]);
  }
  return made;
}

function Said({ turn }: { turn: Turn }) {
  const edit = async (): Promise<void> => {
    const id = conversation.value?.id;
    const isFirst = conversation.value?.turns[0]?.id === turn.id;
    try {
      const target = id && !isFirst ? await branch(id, turn.id) : null;
      go(target ? `/chat/${encodeURIComponent(target)}` : "/");
      draft.value = turn.message;
      document.querySelector<HTMLTextAreaElement>("#composer")?.focus();
    } catch (thrown) {
      problem.value = problemText(thrown);
    }
  };
  return (
    <div class="said-row">
      <SaidText text={saidText(turn.message)} />
      <div class="said-tools">
        <CopyButton text={turn.message} />
        {!readOnly.value && <Small icon="edit" label={sayChat("editBranch")} disabled={busy.value} onClick={() => void edit()} />}
      </div>
    </div>
  );
}

const LONG_CHARS = 1200;
const LONG_LINES = 12;
const FOLDED_CHARS = 400;

/** A message as it was written; a long paste is folded to its beginning. */
function SaidText({ text }: { text: string }) {
  const [open, setOpen] = useState(false);
  if (text.length <= LONG_CHARS && text.split("\n").length <= LONG_LINES) return <div class="said">{text}</div>;
  const beginning = text.split("\n").slice(0, LONG_LINES / 2).join("\n").slice(0, FOLDED_CHARS);
  return (
    <div class="said">
      {open ? text : `${beginning}…`}
      <button class="button quiet small unfold" aria-expanded={open} onClick={() => setOpen(!open)}>
        {sayChat(open ? "fold" : "unfold", { count: shownNumber(text.length) })}
      </button>
    </div>
  );
}

/** A message that only names a skill shows its title, not its id. */
function saidText(message: string): string {
  const id = commandName(message);
  const skill = id === null || message.trim().length > id.length + 1 ? null : skillCard(id);
  return skill ? `/ ${skill.title}` : message;
}

function Failure({ turn }: { turn: Turn }) {
  return (
    <div class="banner bad" role="alert">
      <div>
        <strong>{sayChat("turnFailed")}</strong> {turn.failure && <FailureWords {...turn.failure} />}
      </div>
      {!readOnly.value && (
        <button class="button small" disabled={busy.value} onClick={() => submit(turn.message)}>
          <Icon name="retry" size={15} /> {sayChat("retry")}
        </button>
      )}
    </div>
  );
}

function Foot({ turn, isLast }: { turn: Turn; isLast: boolean }) {
  const answer = turn.items.filter((item) => item.type === "text").map((item) => item.text).join("\n\n");
  const elapsed = workedMs(turn);
  const tokens = number(turn.usage?.["input_tokens"]) + number(turn.usage?.["output_tokens"]);
  const used = hasChoice.value ? usedModel(turn) : null;
  return (
    <div class="turn-foot">
      {answer && <CopyButton text={answer} />}
      {!readOnly.value && (turn.message || turn.key !== turn.id) && <Thumbs turn={turn.id} />}
      {!readOnly.value && isLast && turn.message && <Small icon="retry" label={sayChat("retry")} disabled={busy.value} onClick={() => submit(turn.message)} />}
      {!readOnly.value && <ReportExport turn={turn} />}
      {!readOnly.value && (
        <a class="muted small" href={`/console/timeline/${encodeURIComponent(turn.id)}`}>
          {sayChat("how")}
        </a>
      )}
      <span class="muted small">
        {elapsed !== null && shownElapsed(elapsed)}
        {tokens > 0 && ` · ${sayChat("tokens", { count: shownNumber(tokens) })}`}
        {used && ` · ${used.name} (${used.insteadOf ? sayChat("modelInstead", { name: used.insteadOf }) : sayChat(`modelBy_${used.by}`)})`}
      </span>
    </div>
  );
}

function Thumbs({ turn }: { turn: string }) {
  const now = ratings.value.get(turn);
  const give = (verdict: Verdict): void => {
    rate(turn, verdict).catch((thrown: unknown) => (problem.value = problemText(thrown)));
  };
  return (
    <>
      <Small icon="thumbUp" label={sayChat("good")} pressed={now === "up"} onClick={() => give("up")} />
      <Small icon="thumbDown" label={sayChat("bad")} pressed={now === "down"} onClick={() => give("down")} />
    </>
  );
}

function CopyButton({ text }: { text: string }) {
  const [done, setDone] = useState(false);
  const copy = async (): Promise<void> => {
    setDone(await copyText(text));
    setTimeout(() => setDone(false), 1500);
  };
  return <Small icon={done ? "check" : "copy"} label={sayChat(done ? "copied" : "copy")} onClick={() => void copy()} />;
}

interface SmallProps {
  icon: IconName;
  label: string;
  onClick: () => void;
  disabled?: boolean;
  pressed?: boolean;
}

function Small({ icon, label, onClick, disabled = false, pressed }: SmallProps) {
  return (
    <button class="icon-button" aria-label={label} aria-pressed={pressed} title={label} onClick={onClick} disabled={disabled}>
      <Icon name={icon} size={16} />
    </button>
  );
}
