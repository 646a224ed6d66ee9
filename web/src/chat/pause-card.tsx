import { shownTime } from "../app/language";
import { later } from "../app/later";
import { fieldWords, object, text, texts } from "../events/read";
import type { Item, Turn } from "../events/state";
import type { Json, JsonObject, WaitingCall } from "../generated/api";
import { ProblemWords } from "../parts/failure";
import { Icon, type IconName } from "../parts/icon";
import { sayChat } from "../words/chat";
import type { PauseFormProps } from "./pause-form";
import { answer, answering, problem, unanswered } from "./session";

/** Forms are a chunk of their own: it comes with the first question. */
const PauseForm = later<PauseFormProps>(() => import("./pause-form").then((room) => room.PauseForm));

type PauseItem = Extract<Item, { type: "pause" }>;

const LOOKS: Record<string, { icon: IconName; title: "askApproval" | "askException" | "askParameters" | "askQuestion" }> = {
  approval: { icon: "shield", title: "askApproval" },
  exception: { icon: "shield", title: "askException" },
  parameters: { icon: "list", title: "askParameters" },
  question: { icon: "question", title: "askQuestion" },
};

/** A question to the reader; once answered, one line that says how. */
export function PauseCard({ item, turn }: { item: PauseItem; turn: Turn }) {
  const { pause } = item;
  const look = LOOKS[pause.kind] ?? { icon: "question" as const, title: "askQuestion" as const };
  const repeated = turn.items.some((one) => one.type === "text" && one.text === pause.text);
  if (!item.open) return <Answered item={item} repeated={repeated} />;
  const expired = pause.expires !== null && Date.parse(pause.expires) < Date.now();
  return (
    <section id={`pause-${pause.id}`} class={`card pause ${pause.kind}`} aria-label={sayChat(look.title)}>
      <header>
        <Icon name={look.icon} /> <h2>{pause.title && pause.kind === "parameters" ? pause.title : sayChat(look.title)}</h2>
        {pause.expires && (
          <span class="muted small">
            <Icon name="clock" size={14} /> {sayChat(expired ? "expired" : "until", { time: shownTime(pause.expires) })}
          </span>
        )}
      </header>
      {pause.text && !repeated && <p>{pause.text}</p>}
      <PauseForm pause={pause} busy={answering.value !== null} onAnswer={(value) => void answer(pause.id, value)} />
      {problem.value && unanswered.value === pause.id && (
        <p class="field-error" role="alert">
          <ProblemWords text={problem.value} />
        </p>
      )}
    </section>
  );
}

function Answered({ item, repeated }: { item: PauseItem; repeated: boolean }) {
  if (item.cancelled) return <p class="line muted">{sayChat("questionClosed")}</p>;
  const given = object(item.answer);
  const decision = typeof given["decision"] === "string" ? given["decision"] : "";
  const several = Object.values(object(given["decisions"])).map((one) => object(one)["decision"]);
  if (item.pause.kind === "exception") return null; // its own line says how it was decided
  if (item.pause.kind === "approval") {
    const decisions = texts(several.length > 0 ? (several as Json[]) : [decision]);
    const tone = decisions.every((one) => one === "reject") ? "bad" : "good";
    return (
      <p class="line">
        <span class={`chip ${tone}`}>
          <Icon name={tone === "good" ? "check" : "cross"} size={14} /> {decisions.map(decisionWords).join(", ")}
        </span>{" "}
        <span>{item.pause.calls.map((call) => call.title || call.name).join(", ") || item.pause.tool}</span>{" "}
        <span class="muted">{[...(tone === "good" ? item.pause.calls.map((call) => rowsWords(call, given)) : []), given["note"]].filter(Boolean).join(" · ")}</span>
      </p>
    );
  }
  if (item.pause.kind === "parameters") return <Filled item={item} />;
  return repeated || !item.pause.text ? null : <p>{item.pause.text}</p>;
}

function Filled({ item }: { item: PauseItem }) {
  if (item.answer === null) return <p class="line muted">{sayChat("formCancelled")}</p>;
  const described = new Map(item.pause.fields.map((field) => [field["name"], field]));
  return (
    <dl class="filled card small">
      {Object.entries(object(item.answer)).map(([name, value]) => (
        <div key={name}>
          <dt>{text(described.get(name)?.["title"]) || name}</dt>
          <dd>{fieldWords(described.get(name), value)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** How many rows of what was shown were approved; nothing for a call without rows. */
function rowsWords(call: WaitingCall, given: JsonObject): string {
  const count = call.preview?.rows.length ?? 0;
  const own = object(object(given["decisions"])[call.id] ?? given);
  if (count === 0 || own["decision"] === "reject") return "";
  const rows = own["rows"];
  return Array.isArray(rows) && rows.length < count ? sayChat("chosenChanges", { chosen: rows.length, count }) : sayChat("allChanges", { count });
}

function decisionWords(decision: string): string {
  if (decision === "approve") return sayChat("approved");
  return decision === "edit" ? sayChat("editedApproved") : sayChat("rejected");
}
