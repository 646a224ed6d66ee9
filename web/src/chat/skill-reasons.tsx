import { shownElapsed } from "../app/language";
import type { Routing } from "../events/state";
import { said } from "../parts/said";
import { taskTypeTitle } from "../parts/task-type";
import { sayChat } from "../words/chat";
import { skillCard } from "./catalog";

export interface WhyProps {
  readonly id: string;
  readonly why: string;
  readonly routing: Routing | null;
}

const REASONS: Record<string, "whySure" | "whyNamed" | "whyCaller" | "whyChosen" | "whyModel"> = {
  "the router is sure": "whySure",
  "the user named it": "whyNamed",
  "the caller named it": "whyCaller",
  "the user chose it": "whyChosen",
  "the model chose it": "whyModel",
};

/** Why a skill was chosen: the reason, the words that hit, and how near the others were. */
export function Why({ id, why, routing }: WhyProps) {
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
