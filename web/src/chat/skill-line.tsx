import { shownElapsed } from "../app/language";
import type { Item, Routing } from "../events/state";
import { Icon } from "../parts/icon";
import { said } from "../parts/said";
import { taskTypeTitle } from "../parts/task-type";
import { sayChat } from "../words/chat";
import { skillCard } from "./catalog";

/** The line that says that a skill begins or ends, and why. */
export function SkillLine({ item }: { item: Extract<Item, { type: "skill" }> }) {
  if (item.change === "left") return <p class="line muted">{sayChat("left", { title: item.title })}</p>;
  return (
    <details class="skill-line">
      <summary>
        <span class="chip accent">
          <Icon name="spark" size={15} /> {sayChat("activated", { title: item.title })}
        </span>{" "}
        {item.together.map((id) => (
          <span key={id} class="chip">
            + {skillCard(id)?.title ?? id}
          </span>
        ))}{" "}
        <span class="muted small">{sayChat("why")}</span>
      </summary>
      <Why id={item.id} why={item.why} routing={item.routing} />
    </details>
  );
}

const REASONS: Record<string, "whySure" | "whyNamed" | "whyCaller" | "whyChosen" | "whyModel"> = {
  "the router is sure": "whySure",
  "the user named it": "whyNamed",
  "the caller named it": "whyCaller",
  "the user chose it": "whyChosen",
  "the model chose it": "whyModel",
};

/** Why a skill was chosen: the reason, the words that hit, and how near the others were. */
export function Why({ id, why, routing }: { id: string; why: string; routing: Routing | null }) {
  const reason = REASONS[why];
  const mine = routing?.candidates.find((one) => one.skill === id);
  return (
    <div class="why small">
      <p>{reason ? sayChat(reason) : why}</p>
      {mine && mine.trigger_hits.length > 0 && (
        <p>
          {sayChat("hits")}{" "}
          {mine.trigger_hits.map((hit) => (
            <mark key={hit}>{hit}</mark>
          ))}
        </p>
      )}
      {routing && routing.candidates.length > 0 && (
        <ol class="candidates">
          {routing.candidates.slice(0, 4).map((one) => (
            <li key={one.skill} class={one.skill === id ? "mine" : ""}>
              <span>{skillCard(one.skill)?.title ?? one.skill}</span>
              <meter min={0} max={1} value={one.score} aria-label={one.skill} />
              <span class="number">{one.score.toFixed(2)}</span>
            </li>
          ))}
        </ol>
      )}
      {routing && routing.notes.map((note) => <p key={note.text} class="muted">{said(note)}</p>)}
      {routing && routing.types.length > 0 && <p class="muted">{sayChat("taskTypes", { types: routing.types.map(taskTypeTitle).join(" · ") })}</p>}
      {routing && <p class="muted">{sayChat("routedIn", { time: shownElapsed(routing.elapsed_ms) })}</p>}
    </div>
  );
}
